"""The engine and the family `engine`: over all small programs, what the store does is what the levels say.

Sound: every schedule of the engine at a level has that level of `engine`, and the one of `graph`. Exact: every schedule
of the programs, with every interleaving and every choice of versions read, that has the engine's level is one that the
engine makes. And the schedules of a *graph* level that it does not make fall into the named classes of `GAPS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import engine_oracle
import pytest
from design_programs import Word, Words, emitted, form, interleavings, pairs, programs_of, schedules_of
from oracle import START, Facts, p1_broad, p2_broad, p3_broad

from toki_verify.events import Abort, Commit, Schedule, WriteKind
from toki_verify.levels import families, parse_spec
from toki_verify.relations.concrete import Concrete

#: The level of the store, and the level of `graph` that its schedules have.
GRAPH = {"RU": "RU", "RC": "RC", "SI": "SI", "SR": "SR", "2PL": "SR"}
SPECS = [f"engine:{level}" for level in GRAPH] + [f"graph:{level}" for level in sorted(set(GRAPH.values()))]
FORMULAS = {spec: parse_spec(spec).formula for spec in SPECS}
ITEMS: list[Word] = [("read", "x"), ("read", "y"), ("write", "x"), ("write", "y")]
ROWS: list[Word] = [("read", "x"), ("write", "x"), ("select",), ("insert", "k"), ("delete", "x")]
ALL: list[Word] = [*ITEMS, ("select",), ("insert", "k"), ("delete", "x"), ("delete", "y")]


# -- the classes of schedules that the store does not make, by positions of events -------------------------------------


def of_no_row(f: Facts) -> bool:
    """An update or delete of a row that is not there, or an insert of one that is: the store then reads instead."""
    for at, write in f.writes.items():
        alive = [
            (one.txn == write.txn, other, one.kind)
            for other, one in f.writes.items()
            if other < at and one.item == write.item and f.abort.get(one.txn, at) >= at
        ]
        there = max(alive)[2] is not WriteKind.DELETE if alive else write.item.name != "k"
        if there is (write.kind is WriteKind.INSERT):
            return True
    return False


def past_the_latest_write(f: Facts) -> bool:
    """A read at RU of a version that is not the latest one, or that has been taken back."""
    return not engine_oracle.ru(f)


def older_committed(f: Facts) -> bool:
    """A read of a version that was not the latest committed one any more."""
    return not engine_oracle.rc(f)


def _first(f: Facts) -> dict[str, int]:
    return {txn: min(found) for txn, found in engine_oracle.touches(f).items()}


def newer_than_snapshot(f: Facts) -> bool:
    """A read of what was committed after the transaction's first read or write."""
    first = _first(f)
    return any(
        f.writes[version].txn != seen.txn and engine_oracle.committed_at(f, version) > first[seen.txn]
        for seen in engine_oracle.foreign(f)
        for version in engine_oracle.shown(f, seen)
    )


def older_than_snapshot(f: Facts) -> bool:
    """A read of a version that had been overwritten when the transaction began."""
    first = _first(f)
    return any(
        engine_oracle.committed_at(f, version) < first[seen.txn]
        for seen in engine_oracle.foreign(f)
        for version in engine_oracle.missed(f, seen)
    )


def second_updater(f: Facts) -> bool:
    """A write of a row of which another's version was committed after the snapshot: the first updater has won."""
    first = _first(f)
    return any(
        one.item == write.item and first[write.txn] < engine_oracle.committed_at(f, other) < at
        for at, write in f.writes.items()
        for other, one in f.writes.items()
        if one.txn != write.txn
    )


def false_positive(f: Facts) -> bool:
    """A dangerous structure in no cycle: SSI aborts one of the transactions, though a serial order exists."""
    commit = f.commit
    writers = {write.txn for write in f.writes.values()}
    return any(
        two == pivot
        and commit[third] < min(commit[pivot], commit[first])
        and (first in writers or commit[third] < f.first[first])
        for first, pivot in f.anti
        for two, third in f.anti
    )


def lock_order(f: Facts) -> bool:
    """A read or write of what another transaction, that has not ended, has read or written."""
    return p1_broad(f) or p2_broad(f) or p3_broad(f) or engine_oracle.unguarded(f)


Gap = Callable[[Facts], "bool | None"]
_SNAPSHOT: dict[str, Gap] = {
    "writes a row that is not there": of_no_row,
    "reads a version committed after its snapshot": newer_than_snapshot,
    "reads a version older than its snapshot": older_than_snapshot,
    "overlapping writers, the second one after the first one's commit": second_updater,
}
GAPS: dict[str, dict[str, Gap]] = {
    "RU": {"writes a row that is not there": of_no_row, "reads past the latest write": past_the_latest_write},
    "RC": {"writes a row that is not there": of_no_row, "reads an older committed version": older_committed},
    "SI": _SNAPSHOT,
    "SR": {**_SNAPSHOT, "false positive of SSI": false_positive},
    "2PL": {
        "writes a row that is not there": of_no_row,
        "reads an older committed version": older_committed,
        "order of locks": lock_order,
    },
}


# -- the comparison ----------------------------------------------------------------------------------------------------


@dataclass
class Compared:
    """What was compared. `met` counts, by level, schedules made, left out, and left out by class."""

    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def programs(self, programs: Sequence[Words], ends: Callable[[Schedule], object] = form) -> None:
        """Compare the engine with the levels over all schedules of some programs."""
        known: dict[object, Schedule] = {}
        holds: dict[object, dict[str, bool]] = {}
        made: dict[str, set[object]] = {level: set() for level in GRAPH}
        for level, graph in GRAPH.items():
            for schedule in emitted(programs, level, known):  # type: ignore[arg-type]
                shape = form(schedule)
                if shape not in holds:
                    holds[shape] = answers(schedule)
                made[level].add(ends(schedule))
                self.met[level, "made"] += 1
                for spec in (f"engine:{level}", f"graph:{graph}"):
                    if not holds[shape][spec]:
                        self.wrong.append(f"made at {level}, and not {spec}: {schedule}")
        for schedule in schedules_of(programs):
            shape, facts = form(schedule), Facts(schedule)
            found = holds.get(shape) or answers(schedule)
            for level, graph in GRAPH.items():
                if found[f"graph:{graph}"]:
                    self._reached(schedule, facts, level, ends(schedule) in made[level], found[f"engine:{level}"])

    def _reached(self, schedule: Schedule, facts: Facts, level: str, reached: bool, right: bool) -> None:
        classes = [name for name, gap in GAPS[level].items() if gap(facts)]
        if right and not reached and "writes a row that is not there" not in classes:
            self.wrong.append(f"engine:{level}, and not made: {schedule}")
        if bool(classes) is reached:
            self.wrong.append(f"at {level} {'made' if reached else 'not made'}, and of the classes {classes}: {schedule}")
        for name in classes if not reached else ["reached"]:
            self.met[level, name] += 1


def answers(schedule: Schedule) -> dict[str, bool]:
    concrete = Concrete(schedule)
    return {spec: concrete.holds(formula) for spec, formula in FORMULAS.items()}


def compare(all_programs: Sequence[Sequence[Words]]) -> Compared:
    found = Compared()
    for programs in all_programs:
        found.programs(programs)
    assert found.wrong == [], found.wrong[:10]
    return found


def test_pairs_over_two_items() -> None:
    met = compare(pairs(programs_of(ITEMS, 2), programs_of(ITEMS, 1))).met
    print(met)


def test_pairs_over_rows() -> None:
    met = compare(pairs(programs_of(ROWS, 2), programs_of(ROWS, 1))).met
    print(met)
