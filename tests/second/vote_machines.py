"""Every history of two operators of a system of tables, by playing each order of their steps against each sequence of
the oracle's answers; what it shows is read off the times at which rows, calls and commits happened.

Written from SEMANTICS §6 and TOKI 2026, Definitions 5 and 6, Theorem 5: nothing of the package is used, no state is
merged with another, and nobody asks the checker.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

FIRST = ("skip", "abort", "0", "1", "ask", "twice")
AGAIN = ("read", "skip", "abort", "flip", "ask")
#: When a row is committed, and what becomes of a second fill.
LAYOUTS = tuple(
    (place, clash)
    for place in ("before", "with", "after")
    for clash in ("adopt", "abort", "keep", "overwrite")
    if place != "after" or clash in ("keep", "overwrite")
)
Made = tuple[str, int, int]


class Table(NamedTuple):
    """What a call does: where no row is, where one says 0 or 1; when the row is committed; what a taken key means."""

    first: str
    zero: str = "skip"
    one: str = "skip"
    place: str = "never"
    clash: str = "adopt"
    nonce: bool = False


class Shown(NamedTuple):
    """What some history shows."""

    n1: bool = False
    late: bool = False
    missing: bool = False
    passed: bool = False
    other: bool = False
    judged: bool = False


def tables() -> list[Table]:
    """Every behaviour once."""
    silent = [Table(first) for first in FIRST]
    return silent + [Table(*entries, *layout) for entries in product(FIRST, AGAIN, AGAIN) for layout in LAYOUTS]


@cache
def orders(steps: int, *, first_begins: bool = True) -> tuple[tuple[int, ...], ...]:
    """Every order of the first so many steps of two operators; one that takes fewer has crashed. It makes no difference
    who begins where neither operator has a part to play."""

    def merged(a: int, b: int) -> Iterator[tuple[int, ...]]:
        if not a and not b:
            yield ()
        for who, rest in ((0, (a - 1, b)), (1, (a, b - 1))):
            if min(rest) >= 0:
                yield from ((who, *more) for more in merged(*rest))

    lengths = product(range(1, steps + 1), range(steps + 1))
    return tuple(order for a, b in lengths for order in merged(a, b) if order[0] == 0 or not first_begins)


@cache
def answered(twice: bool, once: bool) -> tuple[tuple[int, ...], ...]:
    """What the oracle may answer: twice to each operator, once, or never."""
    first = (0, 1) if once or twice else (0,)
    second = (0, 1) if twice else (0,)
    return tuple(product(first, second, first, second))


def answers_of(table: Table) -> tuple[tuple[int, ...], ...]:
    """The answers that make a difference to a table."""
    return answered(table.first == "twice", "ask" in table[:3])


def histories(table: Table, *, serial_log: bool = False) -> Iterator[list[Made]]:
    """Every history of a table."""
    for order in orders(3 if table.place in ("never", "with") else 4):
        for answers in answers_of(table):
            yield play(table, order, answers, serial_log=serial_log)


def play(table: Table, order: tuple[int, ...], answers: tuple[int, ...], *, serial_log: bool = False) -> list[Made]:
    """The history as (what, who, vote), one for each row ("R"), call ("J"), commit ("C") and row that was passed by
    ("P"). `answers`: two of the oracle's for each operator. `serial_log`: an operator whose own transaction looks at
    the log and fills it aborts where a version was written in between."""
    made: list[Made] = []
    rows: list[int] = []
    at = [0, 0]
    seen: list[tuple[int, int | None]] = [(0, None), (0, None)]
    votes: list[list[int]] = [[], []]
    for who in order:
        step = at[who]
        at[who] = step + 1
        if step == 0:
            seen[who] = (len(rows), rows[-1] if rows and not table.nonce else None)
        elif step == 1:
            row = seen[who][1]
            do = table.first if row is None else (table.zero, table.one)[row]
            if do in ("skip", "abort"):
                at[who] = 9
            elif do == "read":
                made.append(("J", who, row or 0))
                at[who] = 4
            else:
                if row is not None:
                    made.append(("P", who, row))
                mine = answers[2 * who : 2 * who + 2]
                told = {"twice": list(mine), "ask": [mine[0]], "flip": [1 - (row or 0)]}
                votes[who] = told[do] if do in told else [int(do)]
                if table.place in ("never", "after"):
                    made += [("J", who, vote) for vote in votes[who]]
                    at[who] = 3 if table.place == "after" else 4
        elif step == 2:
            taken = bool(rows) and not table.nonce and table.clash != "overwrite"
            if taken and table.clash == "abort":
                at[who] = 9
                continue
            if serial_log and table.place == "with" and len(rows) != seen[who][0]:
                at[who] = 9
                continue
            if taken and table.clash == "adopt":
                votes[who][-1] = rows[-1]
            calls = [("J", who, vote) for vote in votes[who]]
            fill = [] if taken else [("R", who, votes[who][-1])]
            if not taken:
                rows.append(votes[who][-1])
            if table.place == "before":
                made += [*fill, *calls]
                at[who] = 4
            else:
                made += [*calls, ("C", who, 0), *fill]
                at[who] = 9
        elif step == 3:  # a commit that owes a row
            made.append(("C", who, 0))
            at[who] = 5
        elif step == 4:
            made.append(("C", who, 0))
            at[who] = 9
        elif step == 5 and (not rows or table.nonce or table.clash == "overwrite"):
            rows.append(votes[who][-1])
            made.append(("R", who, votes[who][-1]))
            at[who] = 9
    return made


def seen_in(table: Table, made: list[Made]) -> Shown:
    """What a history shows, by its times."""
    calls = [(at, who, vote) for at, (what, who, vote) in enumerate(made) if what == "J"]
    rows = [(at, who, vote) for at, (what, who, vote) in enumerate(made) if what == "R"]
    ends = {who: at for at, (what, who, _) in enumerate(made) if what == "C"}

    def one_key(one: int, other: int) -> bool:
        return one == other or not table.nonce

    kept = [(who, vote) for _, who, vote in calls if who in ends]
    late = missing = False
    for who, vote in kept:
        paired = [(at, by) for at, by, said in rows if said == vote and one_key(who, by)]
        late |= not any(at < ends[who] for at, _ in paired)
        missing |= not any(at < ends[who] or (table.place == "with" and by == who) for at, by in paired)
    return Shown(
        any(a != b and one_key(one, other) for one, a in kept for other, b in kept),
        late,
        missing,
        any(what == "P" for what, _, _ in made),
        any(when < at and said != vote and one_key(who, by) for at, who, vote in calls for when, by, said in rows),
        bool(kept),
    )


def mirrored(table: Table) -> Table:
    """The table with the votes exchanged: its histories are those of the table, renamed."""
    first = {"0": "1", "1": "0"}.get(table.first, table.first)
    return table._replace(first=first, zero=table.one, one=table.zero)


def shown_by(table: Table, *, serial_log: bool = False) -> Shown:
    """What some history of a table shows."""
    found = Shown()
    for made in {tuple(made) for made in histories(table, serial_log=serial_log)}:
        found = Shown(*(have or now for have, now in zip(found, seen_in(table, list(made)), strict=True)))
    return found


@cache
def _shown(table: Table, serial_log: bool) -> Shown:
    return shown_by(table, serial_log=serial_log)


def shown(table: Table, *, serial_log: bool = False) -> Shown:
    """The same, once for a table and its mirror image. `serial_log` says nothing of log transactions of one access."""
    return _shown(min(table, mirrored(table)), serial_log and table.place == "with")


# -- replays ----------------------------------------------------------------------------------------------------------
class Pairs(NamedTuple):
    """Whether a prefix leaves two votes to the next call: none at all; one with a committed call and nobody in flight;
    one with a committed call, where the next call may have begun."""

    empty: bool
    after: bool
    beside: bool


def pairs_of(table: Table) -> Pairs:
    """Every prefix, and every end of one more operator, run by itself; once for a table and its mirror image."""
    return _pairs(min(table, mirrored(table)))


@cache
def _pairs(table: Table) -> Pairs:
    steps = 3 if table.place in ("never", "with") else 4
    next_votes: dict[tuple[bool, tuple[int, ...], tuple[int, ...]], set[int]] = {}
    for prefix in orders(steps, first_begins=False):
        begun = prefix.count(1)
        for answers in answers_of(table):
            before = play(table, prefix, answers)
            over = {who for what, who, _ in before if what == "C"}
            if 0 not in over or 1 in over or not _returned(before, 0):
                continue
            made = play(table, prefix + (1,) * (steps - begun), answers)
            if any(what == "C" and who == 1 for what, who, _ in made):
                # What the second operator was told before the prefix ends is part of it.
                told = answers if begun > 1 else answers[:2]
                next_votes.setdefault((begun == 0, prefix, told), set()).update(_returned(made, 1))
    first = {vote for answers in answers_of(table) for vote in _returned(play(table, (0,) * steps, answers), 0)}
    found = [key for key, votes in next_votes.items() if len(votes) > 1]
    return Pairs(len(first) > 1, any(quiet for quiet, _, _ in found), bool(found))


def _returned(made: list[Made], who: int) -> set[int]:
    return {vote for what, number, vote in made if what == "J" and number == who}
