"""N3 on every small schedule with provenances, records and surfaces: the formulas against the oracle."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, islice, product

import pytest
from deciders import Definitions, describe, formula_answers
from oracle import PHENOMENA, Facts

from toki_verify.events import InitialVersion, Item, Read, Schedule, Surface, Write, WriteKind
from toki_verify.phenomena import erasure
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations import base
from toki_verify.relations.algebra import Formula, domain, some
from toki_verify.relations.base import dominated_by, fact
from toki_verify.relations.bounded import Bounded
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import next_version
from toki_verify.relations.symbolic import Symbolic
from toki_verify.search.census import Alphabet, census
from toki_verify.search.census_lanes import lanes_of, shares

NAMES = tuple(name for name in catalogue() if name.startswith("N3"))
X, Y = Item("facts", "x"), Item("facts", "y")
#: Provenances of the versions of x, of y, and of the initial version of x (False: no `init` line).
PROVENANCES = (None, "p", "p+q")
SURFACES: tuple[tuple[Surface, ...], ...] = ((), (Surface("current"),), (Surface("closed"),), (Surface("history"),))


#: A table for y, what is said of version 0 of x (False: nothing), whether the first write inserts, the surface.
Choice = tuple[str, "str | bool | None", bool, tuple[Surface, ...], tuple["str | None", ...]]


def choices(schedule: Schedule) -> Iterator[Choice]:
    """Every way to complete a schedule that makes a difference."""
    writes = [event for event in schedule.events if isinstance(event, Write)]
    tables = ("facts", "audit", "history") if Y in schedule.resolved.items else ("facts",)
    inserts = (False, True) if writes and writes[0].kind is WriteKind.UPDATE else (False,)
    yield from product(tables, (False, None, "p"), inserts, SURFACES, product(PROVENANCES, repeat=len(writes)))


def completed(schedule: Schedule, choice: Choice) -> Schedule:
    table, start, insert, surface, provenances = choice
    events = []
    left = list(provenances)
    for event in schedule.events:
        if isinstance(event, (Read, Write)) and event.item == Y:
            event = replace(event, item=Item(table, "y"))
        if isinstance(event, Write):
            kind = WriteKind.INSERT if insert and len(left) == len(provenances) else event.kind
            event = replace(event, prov=left.pop(0), kind=kind)
        events.append(event)
    init = {} if isinstance(start, bool) else {X: InitialVersion(None, (), start)}
    return Schedule(events, init=init, surface=surface)


WRITES = Alphabet(transactions=2, aborts=False, reads=False, deletes=True)


def every() -> Iterator[Schedule]:
    """Every completed schedule of four events whose transactions end, and of four without reads and with deletes."""
    for schedule in chain(census(4, Alphabet(transactions=2), complete=True), census(4, WRITES, complete=True)):
        yield from (completed(schedule, choice) for choice in choices(schedule))


def some_larger(each: int) -> Iterator[Schedule]:
    """Of every so-manieth schedule of four events, and of six without reads, one completion."""
    rng = random.Random(3)
    bases = chain(census(4, Alphabet(transactions=2)), census(6, WRITES, complete=True))
    for schedule in islice(bases, 0, None, each):
        yield completed(schedule, rng.choice(list(choices(schedule))))


def agree(found: Iterator[Schedule], least: int) -> None:
    shipped = Definitions({name: (catalogue()[name].formula, None) for name in NAMES}, {})
    seen: Counter[tuple[str, bool]] = Counter()
    for schedule in found:
        facts = Facts(schedule)
        right = {name: PHENOMENA[name](facts) for name in NAMES}
        assert formula_answers(schedule, shipped) == right, describe(schedule)
        seen.update(right.items())  # type: ignore[arg-type]
    assert min(seen[name, side] for name in NAMES for side in (True, False)) >= least


def test_formulas_and_oracle_agree_on_a_part_of_the_small_schedules() -> None:
    agree(some_larger(5), 20)


@pytest.mark.heavy
def test_formulas_and_oracle_agree_on_every_small_schedule() -> None:
    agree(every(), 1_000)
    agree(some_larger(1), 100)


@pytest.mark.parametrize("name", NAMES)
def test_the_lanes_of_a_census_agree(name: str) -> None:
    """A census states no provenance and no surface: every version has a variable of its own."""
    formula = catalogue()[name].formula
    found = [
        Symbolic(Bounded(unknown)).holds(formula).bit_count()
        for share in shares(5, 3, 2)
        for unknown, _ in lanes_of(share)
    ]
    alphabet = Alphabet(transactions=3, items=2)
    concrete = sum(
        Concrete(schedule).holds(formula) for schedule in census(5, alphabet, complete=True) if len(schedule) == 5
    )
    assert sum(found) == concrete > 100


def erased(lost: object = fact, above: object = dominated_by, later: object = next_version) -> Formula:
    return some((lost - domain(above >> erasure.kept)) >> later)  # type: ignore[operator]


MUTANTS: dict[str, Formula] = {
    "neither version need be installed": erased(later=(base.same_item & base.before) >> base.write),
    "initial versions are no facts": erased(fact & base.write),
    "deletes are facts": erased(base.write | (fact & base.initial)),
    "every initial version is a fact": erased(fact | base.initial),
    "records are facts": erased(base.installed),
    "nothing is dominated but by itself": erased(above=base.version_order & base.same_event),
    "the other way round": erased(above=~dominated_by),
    "dominated by what was, too": some((fact - domain(dominated_by >> (fact | erasure.kept))) >> next_version),
    "dominated by records that were not committed": some(
        (fact - domain(dominated_by >> (erasure.kept | (base.write - fact)))) >> next_version
    ),
    "current rows only": catalogue()["N3[current]"].formula,
    "without audit rows": catalogue()["N3[history]"].formula,
    "on the row of the same item": some(
        (fact - domain((dominated_by & base.same_item) >> erasure.kept)) >> next_version
    ),
}


@cache
def judged() -> tuple[tuple[Schedule, bool | None], ...]:
    return tuple((schedule, PHENOMENA["N3"](Facts(schedule))) for schedule in some_larger(5))


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_of_erasure_are_found(name: str) -> None:
    wrong = Definitions({"N3": (MUTANTS[name], None)}, {})
    assert any(formula_answers(schedule, wrong)["N3"] is not right for schedule, right in judged())
