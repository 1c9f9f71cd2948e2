"""N1 of a logging discipline, a second time: every interleaving walked, no two histories merged, all recomputed.

Written apart from `toki_verify.bridge`, from the words of `disciplines.py` and SEMANTICS §1-§4. A history is a list of
events; what has been written, who waits and what a read may see is found by looking through it, and a level by its
edges and the removal of transactions that nothing precedes.

Events: ("r", txn, seen), `seen` the indices of the writes seen; ("w", txn, row, vote); ("j", txn, vote, made), `made`
where the vote was given ("asked", "returned"); ("c", txn); ("a", txn).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from toki_verify.bridge.disciplines import Discipline
from toki_verify.bridge.protocol import Bound

Event = tuple[Any, ...]
History = list[Event]
LEVELS = ("RU", "RC", "SI", "SR")


def ends(history: History) -> dict[str, str]:
    return {event[1]: event[0] for event in history if event[0] in "ca"}


def present(history: History) -> list[int]:
    """The writes that have not been undone."""
    gone = {txn for txn, how in ends(history).items() if how == "a"}
    return [n for n, event in enumerate(history) if event[0] == "w" and event[1] not in gone]


def looks(history: History, txn: str, keyed: bool) -> list[tuple[int, ...]]:
    """Everything a look at the log may see: per row one of its versions or nothing; one's own where there is one."""
    rows: dict[str, list[int]] = {}
    for n in present(history):
        rows.setdefault(history[n][2], []).append(n)
    options = []
    for versions in rows.values():
        mine = [n for n in versions if history[n][1] == txn]
        options.append([(mine[-1],)] if mine else [(), *((n,) for n in versions)])
    return [tuple(n for part in choice for n in part) for choice in product(*options)]


class Walk:
    """Every history of a discipline within a bound; `shows` has the fewest events with N1 by (phenomenon, level)."""

    def __init__(self, discipline: Discipline, bound: Bound, reading: str = "returned") -> None:
        self.d, self.bound, self.reading = discipline, bound, reading
        self.keyed = discipline.fill not in ("blind", "check", "recheck")
        self.shows: dict[tuple[str, str], int] = {}
        self.histories = 0

    def run(self) -> Walk:
        size = self.bound.operators + self.bound.replays
        self.walk([], [("new", 0, None)] * size, 0, 0)
        return self

    def walk(self, history: History, ops: list[tuple[str, int, Any]], crashes: int, maintained: int) -> None:
        self.histories += 1
        self.note(history)
        for index, (where, calls, vote) in enumerate(ops):
            if where in ("committed", "aborted"):
                continue
            if index and ops[index - 1][0] == "new":
                break
            if index >= self.bound.operators and not any(op[0] == "aborted" for op in ops[:index]):
                break
            for events, state, crash in self.moves(history, f"{index + 1}", where, calls, vote, crashes):
                self.walk([*history, *events], [*ops[:index], state, *ops[index + 1 :]], crashes + crash, maintained)
        if self.d.row == "mutable":
            started = any(event[1] == f"M{maintained}" for event in history)
            if started:
                self.walk([*history, ("c", f"M{maintained}")], ops, crashes, maintained + 1)
            elif maintained < self.bound.maintenance:
                last = {history[n][2]: history[n][3] for n in present(history)}
                for row, old in last.items():
                    self.walk([*history, ("w", f"M{maintained}", row, 1 - old)], ops, crashes, maintained)

    def moves(
        self, history: History, txn: str, where: str, calls: int, vote: Any, crashes: int
    ) -> Iterator[tuple[list[Event], tuple[str, int, Any], int]]:
        own = self.d.place == "own"
        log = f"L{txn}.{calls}" if own else txn
        consults = self.d.fill not in ("blind", "ask-if-absent")
        if where in ("new", "between"):
            if calls < self.bound.calls:
                for seen in looks(history, txn, self.keyed) if consults else [()]:
                    read: list[Event] = [("r", txn, seen)] if consults else []
                    if seen:
                        for answer in {history[n][3] for n in seen}:
                            yield [*read, ("j", txn, answer, "returned")], ("between", calls + 1, None), 0
                    elif self.d.fill == "claim":
                        yield read, ("asked", calls, None), 0
                    else:
                        for answer in (0, 1):
                            yield [*read, ("j", txn, answer, "asked")], ("asked", calls, answer), 0
            if calls:
                yield [("c", txn)], ("committed", calls, None), 0
        elif where == "asked":
            yield from self.fills(history, txn, log, calls, vote)
        else:
            yield [("c", log), ("j", txn, vote, "back")], ("between", calls + 1, None), 0
        if where != "new" and crashes < self.bound.aborts:
            yield ([("a", log)] if where == "logging" else []) + [("a", txn)], ("aborted", calls, None), 1

    def fills(
        self, history: History, txn: str, log: str, calls: int, vote: Any
    ) -> Iterator[tuple[list[Event], tuple[str, int, Any], int]]:
        done = ("between", calls + 1, None)
        own, fill, how = self.d.place == "own", self.d.fill, ends(history)
        there = present(history)
        close: list[Event] = [("c", log)] if own else []
        sights: list[tuple[list[Event], tuple[int, ...], bool]] = []
        if fill in ("unique-log", "unique-operator", "if-absent", "ask-if-absent", "claim"):
            if any(history[n][1] not in how and history[n][1] != log for n in there):
                return
            kept = [n for n in there if how.get(history[n][1]) == "c" or history[n][1] == log]
            if kept:
                # Refused: whoever inserts has learnt that the row is there, and what if-absent returns.
                mine = [n for n in kept if history[n][1] == log]
                choices = (mine or kept)[-1:] if fill.endswith("if-absent") else there
                sights = [([("r", log, (n,))], (n,), False) for n in choices]
            else:
                sights = [([], (), True)]
        elif fill in ("recheck", "recheck-upsert"):
            sights = [([("r", log, seen)], seen, not seen) for seen in looks(history, log, self.keyed)]
        else:
            sights = [([], (), True)]
        for read, seen, wins in sights:
            asks: list[tuple[list[Event], int]] = [([], vote)]
            if vote is None and (wins or self.d.loser == "keep"):
                asks = [([("j", txn, answer, "asked")], answer) for answer in (0, 1)]
            if wins:
                row = "k" if self.keyed else f"{len([e for e in history if e[0] == 'w' and e[1][0] != 'M'])}"
                for asked, answer in asks:
                    events = [*read, *asked, ("w", log, row, answer)]
                    if own and not fill.endswith("if-absent"):
                        yield events, ("logging", calls, answer), 0
                    else:
                        yield [*events, *close, ("j", txn, answer, "back")], done, 0
            elif self.d.loser == "keep":
                for asked, answer in asks:
                    yield [*read, *close, *asked, ("j", txn, answer, "back")], done, 0
            elif self.d.loser == "adopt":
                for answer in {history[n][3] for n in seen}:
                    yield [*read, *close, ("j", txn, answer, "returned")], done, 0
            else:
                undo: list[Event] = [("a", log)] if own else []
                yield [*read, *undo, ("a", txn)], ("aborted", calls, None), 0

    # -- judging ---------------------------------------------------------------------------------------------------
    def counts(self, event: Event) -> bool:
        """Whether an event is one of the history in this reading: with `asked`, a vote stands where it was given."""
        return event[0] != "j" or event[3] in ("returned", "back" if self.reading == "returned" else "asked")

    def note(self, history: History) -> None:
        events = [event for event in history if self.counts(event)]
        votes = [(event[1], event[2]) for event in events if event[0] == "j"]
        if len({vote for _, vote in votes}) < 2:
            return
        committed = {event[1] for event in events if event[0] == "c"}
        names = ["N1[observed]"]
        if len({vote for txn, vote in votes if txn in committed}) > 1:
            names.append("N1")
        highest = level_of(history, self.keyed)
        for name, level in product(names, LEVELS[: highest + 1]):
            self.shows[name, level] = min(len(events), self.shows.get((name, level), len(events)))


def dirty(history: History) -> bool:
    """P0 or P1."""
    for n, event in enumerate(history):
        how = ends(history[:n])
        if event[0] == "w":
            before = [e for e in history[:n] if e[0] == "w" and e[2] == event[2] and e[1] != event[1]]
            if any(e[1] not in how for e in before):
                return True
        if event[0] == "r" and any(history[m][1] != event[1] and how.get(history[m][1]) != "c" for m in event[2]):
            return True
    return False


def level_of(history: History, keyed: bool) -> int:
    if dirty(history):
        return 0
    done = {txn for txn, how in ends(history).items() if how == "c"}
    writes: dict[str, list[int]] = {"k": []} if keyed else {}
    for n, event in enumerate(history):
        if event[0] == "w" and event[1] in done:
            writes.setdefault(event[2], []).append(n)
    depends, against = set(), set()
    for versions in writes.values():
        depends |= {(history[a][1], history[b][1]) for a in versions for b in versions if a < b}
    for event in history:
        if event[0] != "r" or event[1] not in done:
            continue
        for versions in writes.values():
            saw = [n for n in event[2] if n in versions]
            last = saw[0] if saw else -1
            # What stands at or before what was seen is known to the reader; what stands behind it is not. Of a row
            # found by the key only the insert changed whether it matches.
            known = [n for n in versions if n == last or (n < last and n == versions[0] and not keyed)]
            depends |= {(history[n][1], event[1]) for n in known}
            against |= {(event[1], history[n][1]) for n in versions if n > last}
    depends = {(a, b) for a, b in depends if a != b}
    against = {(a, b) for a, b in against if a != b}
    if ordered(depends | against):
        return 3
    return 2 if ordered(depends | {(a, c) for a, b in depends for b2, c in against if b == b2}) else 1


def ordered(edges: set[tuple[str, str]]) -> bool:
    """Whether the transactions can be put in an order, by taking away what nothing precedes."""
    left = {txn for edge in edges for txn in edge}
    while left:
        free = {txn for txn in left if not any(b == txn and a in left for a, b in edges)}
        if not free:
            return False
        left -= free
    return True
