"""Both deciders side by side: the formulas in the concrete reading, and the oracle; and what they are compared on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from oracle import LEVELS, PHENOMENA, Facts, Region

from toki_verify.events import Schedule
from toki_verify.levels import families
from toki_verify.notation import parse_text
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations import edges
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula, Within
from toki_verify.relations.formulas import Region as FormulaRegion
from toki_verify.relations.terms import Sort, Term
from toki_verify.search.census import Alphabet, census

Answer = object
READERS_EVENT = {"wr": 1, "ww": 1, "pwr": 1, "rw": 0, "prw": 0}
REGIONS = (
    Region("facts", None),
    Region("memories", None),
    Region(None, ("s", "p")),
    Region("facts", ("s", "p")),
)


@dataclass(frozen=True)
class Definitions:
    """What is under test, by name: formulas (with what leaves them undecided) and edge relations."""

    formulas: dict[str, tuple[Formula, Formula | None]]
    edges: dict[str, Term]

    def changed(self, other: Definitions) -> Definitions:
        """What differs from other definitions."""
        return Definitions(
            {name: found for name, found in self.formulas.items() if other.formulas[name] != found},
            {name: found for name, found in self.edges.items() if other.edges[name] != found},
        )


@cache
def shipped(*, pins: bool = False) -> Definitions:
    """Every phenomenon, every level of every family and the five conflict edges; with pins, the levels within regions.

    (The callback axis is not pinned: a callback has no item.)
    """
    formulas: dict[str, tuple[Formula, Formula | None]] = {
        found.id: (found.formula, found.undecided) for found in catalogue().values()
    }
    for family in families().values():
        for level in family.levels:
            formulas[f"level[{family.id}] {level.id}"] = (level.formula, None)
    if pins:
        formulas |= {
            f"{name}@{region}": (Within(formula, FormulaRegion(region.table, region.partition)), None)
            for name, (formula, _) in formulas.items()
            if name.startswith("level")
            for region in REGIONS
        }
    return Definitions(formulas, {f"edges {kind}": edges.EDGES[kind] for kind in READERS_EVENT})


def formula_answers(schedule: Schedule, definitions: Definitions) -> dict[str, Answer]:
    concrete = Concrete(schedule)
    answers: dict[str, Answer] = {}
    for name, (formula, undecided) in definitions.formulas.items():
        holds: bool | None = concrete.holds(formula)
        if not holds and undecided is not None and concrete.holds(undecided):
            holds = None
        answers[name] = holds
    for name, term in definitions.edges.items():
        assert term.left is term.right is Sort.A
        found = set()
        for one, row in enumerate(concrete.term(term)):
            for other in range(row.bit_length()):
                if row >> other & 1:
                    ends = concrete.accesses[one], concrete.accesses[other]
                    found.add((ends[0].txn, ends[1].txn, ends[1].item, ends[READERS_EVENT[name.split()[1]]].event))
        answers[name] = found
    return answers


def oracle_answers(schedule: Schedule, *, pins: bool = False) -> dict[str, Answer]:
    facts = Facts(schedule)
    answers: dict[str, Answer] = {name: decide(facts) for name, decide in PHENOMENA.items()}
    for (family, level), holds in LEVELS.items():
        answers[f"level[{family}] {level}"] = holds(facts)
    for kind in READERS_EVENT:
        answers[f"edges {kind}"] = {(e.source, e.target, e.item, e.at) for e in facts.of(kind)}
    for region in REGIONS if pins else ():
        inside = facts.within(region)
        for (family, level), holds in LEVELS.items():
            answers[f"level[{family}] {level}@{region}"] = holds(inside)
    return answers


def disagreements(schedule: Schedule, *, pins: bool = False) -> dict[str, tuple[Answer, Answer]]:
    """By name: what the formulas say and what the oracle says, where they differ."""
    said, right = formula_answers(schedule, shipped(pins=pins)), oracle_answers(schedule, pins=pins)
    assert said.keys() == right.keys(), f"no answer for {sorted(said.keys() ^ right.keys())}"
    return {name: (said[name], right[name]) for name in said if said[name] != right[name]}


def assert_agree(schedules: Iterator[Schedule], least: int, *, pins: bool = False) -> None:
    """Both deciders give the same answers on every schedule, of which there are at least so many."""
    number = 0
    for schedule in schedules:
        number += 1
        found = disagreements(schedule, pins=pins)
        assert not found, f"{describe(schedule)}\n(formulas, oracle): {found}"
    assert number >= least, f"only {number} schedules"


def describe(schedule: Schedule) -> str:
    """A schedule with what stands on its keyword lines."""
    parts = {
        "init": dict(schedule.init),
        "order": dict(schedule.order),
        "sessions": dict(schedule.sessions),
        "partitions": dict(schedule.partitions),
    }
    return "\n".join([str(schedule), *(f"{name}: {value}" for name, value in parts.items() if value)])


# -- schedules ---------------------------------------------------------------------------------------------------------


def library() -> Iterator[Schedule]:
    """The shipped schedules, with everything their files say."""
    for file in sorted((Path(__file__).parents[2] / "schedules").rglob("*.sched")):
        yield from parse_text(file.read_text(encoding="utf-8"), file=str(file))


def small_census() -> tuple[Iterator[Schedule], ...]:
    """The least schedules of every kind."""
    return (
        census(4, Alphabet(transactions=2), orders=True),
        census(6, Alphabet(transactions=2, aborts=False, partition=True), complete=True, orders=True),
        census(4, Alphabet(predicates=True, deletes=True, unmatched=True, partition=True), complete=True, orders=True),
        census(5, Alphabet(items=1, predicates=True), complete=True, orders=True),
        census(4, Alphabet(transactions=1, items=1, writes=True, callbacks=True)),
        census(3, Alphabet(reads=False, writes=False, judges=True)),
    )
