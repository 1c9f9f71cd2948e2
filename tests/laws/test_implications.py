"""X at L implies Y: the data of `phenomena/implications.py`, tried on every small schedule and on extensions.

Up to renaming, every schedule of up to six events over reads, writes, commits and aborts of three transactions on two
items; with one predicate, inserts in and out of it, deletes, stated unmatched rows and version orders, what LARGE says:
complete schedules to six events, unfinished ones to five. `make implications` runs it all, `make test` the small part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from toki_verify.events import (
    Abort,
    Commit,
    Event,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    ScheduleError,
    Write,
    WriteKind,
)
from toki_verify.levels import parse_spec
from toki_verify.notation import parse_text
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.phenomena.implications import IMPLICATIONS, Implication
from toki_verify.phenomena.pages import page
from toki_verify.relations.concrete import Concrete
from toki_verify.search.census import Alphabet, census

SMALL = {
    "classical-4-orders": (4, Alphabet(), False, True),
    "classical-5-complete-orders": (5, Alphabet(), True, True),
    "predicates-4-deletes": (
        4,
        Alphabet(transactions=2, items=1, predicates=True, deletes=True, unmatched=True),
        True,
        True,
    ),
    "judges-4": (4, Alphabet(reads=False, writes=False, judges=True), False, False),
}
LARGE = {
    "predicates-5-complete-orders": (5, Alphabet(predicates=True, partition=True), True, True),
    "predicates-4-unfinished": (
        4,
        Alphabet(transactions=2, items=1, predicates=True, deletes=True, unmatched=True),
        False,
        True,
    ),
    "classical-6": (6, Alphabet(), False, False),
    "classical-6-complete-orders": (6, Alphabet(), True, True),
    "predicates-6-complete": (6, Alphabet(transactions=2, predicates=True, partition=True), True, False),
    "predicates-6-complete-orders-deletes": (
        6,
        Alphabet(transactions=2, items=1, predicates=True, deletes=True, unmatched=True),
        True,
        True,
    ),
    "predicates-6-complete-three": (
        6,
        Alphabet(items=1, predicates=True, aborts=False),
        True,
        True,
    ),
    "predicates-5": (5, Alphabet(transactions=2, items=1, predicates=True, deletes=True, unmatched=True), False, True),
}


def counterexample(
    implications: Iterable[Implication], schedules: Iterable[Schedule]
) -> tuple[Implication, str] | None:
    """The first schedule that shows X at L and not Y."""
    known = catalogue()
    read = [
        (i, known[i.present].formula, known[i.implied].formula, None if i.at is None else parse_spec(i.at).formula)
        for i in implications
    ]
    for schedule in schedules:
        concrete = Concrete(schedule)
        for implication, present, implied, level in read:
            if concrete.holds(present) and not concrete.holds(implied) and (level is None or concrete.holds(level)):
                return implication, f"{schedule} {dict(schedule.order)}"
    return None


@pytest.mark.parametrize("name", SMALL)
def test_no_small_schedule_refutes_an_implication(name: str) -> None:
    size, alphabet, complete, orders = SMALL[name]
    assert counterexample(IMPLICATIONS, census(size, alphabet, complete=complete, orders=orders)) is None


@pytest.mark.heavy
@pytest.mark.parametrize("name", LARGE)
def test_no_schedule_of_six_events_refutes_an_implication(name: str) -> None:
    size, alphabet, complete, orders = LARGE[name]
    assert counterexample(IMPLICATIONS, census(size, alphabet, complete=complete, orders=orders)) is None


def library() -> Iterator[Schedule]:
    """The shipped schedules and the examples of the rule pages."""
    for file in sorted(Path("schedules").rglob("*.sched")):
        yield from parse_text(file.read_text(encoding="utf-8"), file=str(file))
    for name in catalogue():
        prose = page(name)
        assert prose is not None
        yield Schedule.parse(prose["example"])


def test_every_premise_is_instantiated_and_no_shipped_schedule_refutes() -> None:
    """An implication whose premise nothing shows would say nothing."""
    known = catalogue()
    concretes = [Concrete(schedule) for schedule in library()]
    for i in IMPLICATIONS:
        level = None if i.at is None else parse_spec(i.at).formula
        shown = [c for c in concretes if c.holds(known[i.present].formula) and (level is None or c.holds(level))]
        assert shown, f"nothing shows {i.present} at {i.at}"
        assert all(c.holds(known[i.implied].formula) for c in shown), i


def extensions(schedule: Schedule, step: int = 1) -> Iterator[Schedule]:
    """Every schedule (or one of `step`) that has one or two more events of an old or a new transaction, anywhere.

    The events: commits, aborts, reads of every version, updates, writes in P, deletes, and reads of P that list one
    row or none.
    """
    txns = [*schedule.resolved.txns, "99"]
    items = list(schedule.resolved.items)
    facts = Predicate("facts", "P")
    choices: list[Event] = []
    for txn in txns:
        choices += [Commit(txn), Abort(txn), PredicateRead(txn, facts)]
        for item in items:
            labels = ["0", *schedule.resolved.labels.get(item, {})]
            choices += [Read(txn, item, label) for label in labels]
            choices += [Write(txn, item, "77"), Write(txn, item, "78", predicates=("P",))]
            choices.append(Write(txn, item, "79", kind=WriteKind.DELETE))
        matching = [Row(item, label) for item in items[:1] for label in schedule.resolved.labels.get(item, {})]
        choices += [PredicateRead(txn, facts, (row,)) for row in matching if row.item.table == "facts"]

    def insert(events: tuple[Event, ...], least: int, left: int) -> Iterator[tuple[Event, ...]]:
        for at in range(least, len(events) + 1):
            for event in choices:
                longer = (*events[:at], event, *events[at:])
                yield longer
                if left > 1:
                    yield from insert(longer, at + 1, left - 1)

    for events in islice(insert(schedule.events, 0, 2), 0, None, step):
        for order in (schedule.order, {}) if schedule.order else ({},):
            try:
                yield Schedule(
                    events, init=schedule.init, order=order, sessions=schedule.sessions, partitions=schedule.partitions
                )
            except ScheduleError:
                continue


@pytest.mark.parametrize("name", sorted({i.present for i in IMPLICATIONS}))
def test_extensions_of_the_smallest_witness(name: str) -> None:
    """A spread of the extensions by two events here, all of them in the heavy suite."""
    prose = page(name)
    assert prose is not None
    chosen = [i for i in IMPLICATIONS if i.present == name]
    assert counterexample(chosen, extensions(Schedule.parse(prose["example"]), 211)) is None


@pytest.mark.heavy
@pytest.mark.parametrize("name", sorted({i.present for i in IMPLICATIONS}))
def test_all_extensions_of_the_smallest_witness(name: str) -> None:
    prose = page(name)
    assert prose is not None
    chosen = [i for i in IMPLICATIONS if i.present == name]
    assert counterexample(chosen, extensions(Schedule.parse(prose["example"]))) is None


@pytest.mark.parametrize(
    ("present", "implied", "at", "smallest"),
    [
        ("P2", "G-single", None, "w1[x1] r2[x0] r2[x1] c2"),
        ("P4", "A5A", None, None),
        ("G2", "G-single", None, None),
        ("G1c", "G0", None, None),
        ("PMP", "G-single", None, None),
        ("P1", "G1a", "RU", None),
    ],
)
def test_false_implications_are_refuted(present: str, implied: str, at: str | None, smallest: str | None) -> None:
    """The suite can fail: implications that are false, some of them famous, are caught."""
    wrong = [Implication(present, implied, at, "a mutant")]
    found = (
        counterexample(wrong, census(5, Alphabet(), complete=True))
        or counterexample(wrong, census(6, Alphabet(transactions=2, items=2), complete=True))
        or counterexample(wrong, census(4, Alphabet(transactions=2)))
        or counterexample(
            wrong, census(6, Alphabet(transactions=2, items=1, predicates=True), complete=True, orders=True)
        )
    )
    assert found is not None
    if smallest is not None:
        assert counterexample(wrong, [Schedule.parse(smallest)]) is not None
