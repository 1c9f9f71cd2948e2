"""Operators that call a judge at two θs through a log, again: every order of their steps, every committed version that
a look may see, every vote; levels of the log by cycles of the transactions that read and write it (SEMANTICS §2, §4).

Nothing of the package is used. A history is a tuple of events: ("r", txn, key, version), ("w", txn, key, version,
vote), ("j", operator, key, vote), ("c", txn), ("a", txn).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import NamedTuple

LAYOUTS = ("together", "operator", "apart", "append", "kept")
PROGRAMS = (((1,), (1,)), ((1,), (2,)), ((1, 1), (1,)), ((1, 2), (1,)), ((1, 2), (2,)))
Event = tuple[object, ...]
Made = tuple[Event, ...]


class Doing(NamedTuple):
    """Calls that are left; between look and answer the log transaction and what it saw (version, vote)."""

    left: tuple[int, ...]
    log: str = ""
    saw: tuple[int, int] | None = None
    begun: bool = False
    over: bool = False


def _versions(made: Made, key: int) -> list[tuple[int, int, str, bool]]:
    """(version, vote, writer, whether it committed) of a key, in the order of the writes."""
    done = {event[1] for event in made if event[0] == "c"}
    return [(e[3], e[4], e[1], e[1] in done) for e in made if e[0] == "w" and e[2] == key]


def _steps(layout: str, made: Made, who: int, mine: Doing) -> Iterator[tuple[Made, Doing]]:
    name = f"T{who}"
    if not mine.left:
        yield (*made, ("c", name)), mine._replace(over=True)
        return
    key, rest = mine.left[0], mine.left[1:]
    after = Doing(rest, begun=True)
    fresh = f"L{len(made)}"
    if not mine.log and layout != "append":
        txn = name if layout == "operator" else fresh
        rows = _versions(made, key)
        own = [(version, vote) for version, vote, writer, _ in rows if writer == txn]
        seen = [own[-1]] if own else [None, *((version, vote) for version, vote, _, done in rows if done)]
        for saw in seen:
            read = ("r", txn, key, saw[0] if saw else 0)
            end = (("c", txn),) if layout == "apart" else ()
            yield (*made, read, *end), Doing(mine.left, txn, saw, begun=True)
        return
    if mine.saw is not None:
        end = (("c", mine.log),) if layout in ("together", "kept") else ()
        for vote in (0, 1) if layout == "kept" else (mine.saw[1],):
            yield (*made, *end, ("j", name, key, vote)), after
        return
    txn = fresh if layout in ("apart", "append") else mine.log
    end = () if layout == "operator" else (("c", txn),)
    version = len(_versions(made, key)) + 1
    for vote in (0, 1):
        yield (*made, ("w", txn, key, version, vote), *end, ("j", name, key, vote)), after


@cache
def histories(layout: str, aborts: int) -> frozenset[Made]:
    """Every complete history in which at most so many operators abort, their votes up to renaming at each θ."""
    found = set()
    todo = [((), tuple(map(Doing, program)), aborts) for program in PROGRAMS]
    while todo:
        made, doing, spare = todo.pop()
        if not _first_votes_are_0(made):
            continue
        if all(mine.over for mine in doing):
            found.add(made)
        for place, mine in enumerate(doing):
            if mine.over:
                continue
            others = doing[:place], doing[place + 1 :]
            todo += [(m, (*others[0], d, *others[1]), spare) for m, d in _steps(layout, made, place + 1, mine)]
            if spare and mine.begun:
                # A transaction of the log that looked and has not written yet goes with its operator.
                open_ = (("a", mine.log),) if mine.log and layout in ("together", "kept") else ()
                gone = (*made, *open_, ("a", f"T{place + 1}"))
                todo.append((gone, (*others[0], mine._replace(over=True), *others[1]), spare - 1))
    return frozenset(found)


def _first_votes_are_0(made: Made) -> bool:
    first: dict[object, object] = {}
    for event in made:
        if event[0] in "wj":
            first.setdefault(event[2], event[-1])
    return set(first.values()) <= {0}


def n1(made: Made) -> bool:
    """Two calls of committed operators at one key, with different votes."""
    done = {event[1] for event in made if event[0] == "c"}
    votes = {(event[2], event[3]) for event in made if event[0] == "j" and event[1] in done}
    return len(votes) > len({key for key, _ in votes})


def levels(made: Made) -> tuple[bool, bool, bool]:
    """RC, SI and SR of the log: no dirty write or read; no cycle of begins and commits; none of transactions."""
    ends = {event[1]: at for at, event in enumerate(made) if event[0] in "ca"}
    done = {event[1] for event in made if event[0] == "c"}
    writes = [(at, e[1], e[2], e[3]) for at, e in enumerate(made) if e[0] == "w"]
    reads = [(at, e[1], e[2], e[3]) for at, e in enumerate(made) if e[0] == "r"]
    by = {(key, version): (at, txn) for at, txn, key, version in writes}
    dirty = any(
        one != other and key == more and at < then < ends[one]
        for at, one, key, _ in writes
        for then, other, more, _ in writes
    ) or any(
        version and by[key, version][1] != txn and ends[by[key, version][1]] > at for at, txn, key, version in reads
    )
    depends: set[tuple[object, object]] = set()
    against: set[tuple[object, object]] = set()
    installed = [(at, txn, key, version) for at, txn, key, version in writes if txn in done]
    for at, txn, key, _ in installed:
        depends |= {(txn, other) for then, other, more, _ in installed if key == more and at < then and txn != other}
    for _, reader, key, version in reads:
        if reader not in done:
            continue
        if version and by[key, version][1] != reader:
            depends.add((by[key, version][1], reader))
        since = by[key, version][0] if version else -1
        if not version or by[key, version][1] != reader:
            against |= {(reader, w) for at, w, more, _ in installed if more == key and at > since and w != reader}
    timed = {(("st", txn), ("ct", txn)) for txn in done}
    timed |= {(("ct", one), ("st", other)) for one, other in depends}
    timed |= {(("st", one), ("ct", other)) for one, other in against}
    return not dirty, not dirty and _acyclic(timed), not dirty and _acyclic(depends | against)


def _acyclic(edges: set[tuple[object, object]]) -> bool:
    left = set(edges)
    while left:
        sources = {one for one, _ in left} - {other for _, other in left}
        if not sources:
            return False
        left = {(one, other) for one, other in left if one not in sources}
    return True


def rows_before(made: Made) -> bool:
    """H1 with rows before commits: each call of a committed operator has a row with its vote, committed before it."""
    at = {event[1]: place for place, event in enumerate(made) if event[0] == "c"}
    rows = [(e[2], e[4], at[e[1]]) for e in made if e[0] == "w" and e[1] in at]
    calls = [(e[2], e[3], at[e[1]]) for e in made if e[0] == "j" and e[1] in at]
    return all(any((key, vote) == row[:2] and row[2] < end for row in rows) for key, vote, end in calls)


def returned(made: Made) -> bool:
    """H1 with later calls: each call returns every row of its key that was committed before it."""
    at = {event[1]: place for place, event in enumerate(made) if event[0] == "c"}
    rows = [(e[2], e[4], at[e[1]]) for e in made if e[0] == "w" and e[1] in at]
    calls = [(e[2], e[3], place) for place, e in enumerate(made) if e[0] == "j"]
    return all(vote == said for key, vote, when in calls for row, said, end in rows if row == key and end < when)


def serial_splits(layout: str) -> bool:
    """Whether some serial order of the log's transactions makes two calls at one key differ: a third way, without
    interleavings. Two first calls at one key; where look and write are apart a write follows its look."""
    atoms = [(word, n) for n in (0, 1) for word in (("look", "write") if layout == "apart" else ("both",))]
    for order in permutations(atoms):
        if any(order.index(("write", n)) < order.index(("look", n)) for n in (0, 1) if ("look", n) in order):
            continue
        for asked in ((0, 1), (1, 0)):
            row: int | None = None
            looked: dict[int, int | None] = {}
            votes = {}
            for word, n in order:
                seen = looked.get(n) if word == "write" else row
                looked[n] = seen
                if word == "look":
                    continue
                votes[n] = asked[n] if layout in ("append", "kept") or seen is None else seen
                row = votes[n] if layout == "append" or seen is None else row
            if len(set(votes.values())) > 1:
                return True
    return False
