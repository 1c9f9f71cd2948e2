"""The bridge twice: π_J(S) made and judged, and S judged by formulas pulled back along π_J (SEMANTICS §6).

`bridge/image.py` walks over events; `bridge/pullback.py` replaces base relations. They share nothing but the rule which
call fills, and that one is written twice as well: as a scan (`relations/judge_log.py`) and as a definition in the
language (`edges.log_from`, with the axioms `log.*`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import pytest

from tests.agreement.random_schedules import random_schedule
from toki_verify.bridge import pullback
from toki_verify.bridge.image import image, without_logs
from toki_verify.bridge.pullback import pulled, pulled_term
from toki_verify.events import Judge, Schedule
from toki_verify.levels import families, parse_spec
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations import base
from toki_verify.relations.algebra import Base, Formula, Region, Sort, Term, Within
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import log_from
from toki_verify.relations.judge_log import log_rows
from toki_verify.search.census import Alphabet, census

#: What behind the bridge means what it means before it. N3 asks for provenance, which a vote has not.
NAMES = [id for id in catalogue() if not id.startswith("N3")]
ALPHABETS = {
    "calls-5": (5, Alphabet(reads=False, writes=False, judges=True, transactions=2)),
    "calls-6": (6, Alphabet(reads=False, writes=False, judges=True, transactions=2, aborts=False)),
    "calls-and-items-4": (4, Alphabet(judges=True, callbacks=True, items=1, transactions=2)),
}


def formulas() -> dict[str, Formula]:
    """Every phenomenon, every level, pinned levels, phenomena on the log and off it."""
    found = {name: catalogue()[name].formula for name in NAMES}
    found |= {f"{family.id}:{level.id}": level.formula for family in families().values() for level in family.levels}
    pinned = (
        "SR@judge_log",
        "SI@judge_log",
        "RC@facts",
        "adya:PL-SI@judge_log",
        "SR@partition(s,p)",
        "engine:SI@judge_log",
    )
    for spec in pinned:
        found[spec] = parse_spec(spec).formula
    for name in ("P0", "P1", "P2", "P4", "G-single", "G2"):
        found[f"{name} on the log"] = Within(catalogue()[name].formula, Region(table="judge_log"))
        found[f"{name} on facts"] = Within(catalogue()[name].formula, Region(table="facts"))
    return found


def disagreements(schedules: Iterable[Schedule], table: dict[str, tuple[Formula, Formula]]) -> list[str]:
    """Where π_J(S) ⊨ φ and S ⊨ pulled(φ) are not the same."""
    found = []
    for schedule in schedules:
        behind = image(schedule).schedule
        assert behind is not None, str(schedule)
        before, after = Concrete(schedule), Concrete(behind)
        found += [
            f"{name}: {schedule} -> {behind}"
            for name, (formula, back) in table.items()
            if after.holds(formula) != before.holds(back)
        ]
    return found


def table() -> dict[str, tuple[Formula, Formula]]:
    return {name: (formula, pulled(formula)) for name, formula in formulas().items()}


def small(name: str) -> Iterator[Schedule]:
    size, alphabet = ALPHABETS[name]
    return (s for s in census(size, alphabet, complete=True) if any(isinstance(e, Judge) for e in s))


def drawn(count: int, seed: int) -> Iterator[Schedule]:
    made = 0
    for place in itertools.count():
        if made == count:
            return
        schedule = random_schedule(f"bridge {seed} {place}")
        if without_logs(schedule) and any(isinstance(event, Judge) for event in schedule):
            made += 1
            yield schedule


def pairs(concrete: Concrete, term: Term, place: dict[int, int]) -> set[tuple[object, ...]]:
    """What a term relates, as events of π_J(S) and items, or transactions; initial versions and callbacks left out."""
    out: set[tuple[object, ...]] = set()
    ends: list[object | None]
    if term.left is Sort.T:
        ends = list(concrete.txns)
    else:
        ends = [
            None if a.kind in "IK" or a.event not in place else (place[a.event], a.item if a.kind in "MN" else None)
            for a in concrete.accesses
        ]
    right = ends if term.right is term.left else list(concrete.txns)
    for i, row in enumerate(concrete.term(term)):
        out |= {(ends[i], right[j]) for j in range(len(right)) if row >> j & 1 and ends[i] and right[j]}
    return out


def different_relations(schedules: Iterable[Schedule]) -> list[str]:
    """The base relations that are not over π_J(S) what their pulled term is over S."""
    found: dict[str, None] = {}
    names = [*base.VOCABULARY, "of_txn"]
    for schedule in schedules:
        made = image(schedule)
        assert made.schedule is not None
        before, after = Concrete(schedule), Concrete(made.schedule)
        place = {step.source: step.target for step in made.steps if step.role != "callback read"}
        there = {target: target for target in place.values()}
        for name in names:
            relation = getattr(base, name)
            if pairs(before, pulled_term(relation), place) != pairs(after, relation, there):
                found[name] = None
    return list(found)


def test_every_base_relation_agrees() -> None:
    assert different_relations([*list(small("calls-5"))[::5], *drawn(60, 4)]) == []


@pytest.mark.parametrize("name", ALPHABETS)
def test_both_agree_on_every_small_schedule(name: str) -> None:
    schedules = list(small(name))[:: {"calls-6": 7}.get(name, 1)]
    assert len(schedules) > 100
    assert disagreements(schedules, table()) == []


def test_both_agree_on_random_schedules() -> None:
    assert disagreements(drawn(150, 1), table()) == []


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("cb1(R, h, 0) j2(R, t)=0 c2 j1(R, t)=0 c1", False),
        ("j2(R, t)=0 c2 cb1(R, h, 0) j1(R, t)=0 c1", True),
        ("cb1(R, h, 0) j2(R, t)=0 j1(R, t)=0 c1 c2", None),
        ("b1 j2(R, t)=0 c2 j1(R, t)=0 c1", True),
    ],
)
def test_a_callback_takes_the_snapshot_of_engines_behind_the_bridge(text: str, holds: bool | None) -> None:
    """It is a read of a row of the callback log there: what commits between it and a call is not in the snapshot."""
    schedule = Schedule.parse(text)
    assert disagreements([schedule], table()) == []
    if holds is not None:
        for name in ("SI", "SR"):
            assert Concrete(schedule).holds(pulled(families()["engine"].level(name).formula)) is holds


@pytest.mark.heavy
def test_both_agree_on_many_random_schedules() -> None:
    assert disagreements(drawn(5_000, 2), table()) == []


def test_the_scan_and_the_definition_agree() -> None:
    """`log_from` in the language relates what `log_rows` finds by walking over the events."""
    for schedule in [*small("calls-5"), *drawn(100, 3)]:
        concrete = Concrete(schedule)
        rows = concrete.term(log_from)
        found = {
            (concrete.accesses[i].event, concrete.accesses[j].event)
            for i, row in enumerate(rows)
            for j in range(len(rows))
            if row >> j & 1
        }
        assert found == {(row, call) for call, row in log_rows(schedule).items() if row is not None}, str(schedule)


#: Plausible, wrong pictures of the log.
WRONG: dict[str, dict[str, Term]] = {
    "reads make no item read": {"item_read": base.item_read},
    "every call writes": {"write": base.write | base.judge},
    "rows of all keys are one item": {
        "same_item": base.same_item | (base.judge >> (base.before | ~base.before) >> base.judge)
    },
    "an overwritten fill is final": {"final": base.final | base.log_fill},
    "fills of aborted transactions are installed": {"installed": base.installed | base.log_fill},
    "fills have no version order": {"version_order": base.version_order},
    "calls stay": {"same_key": base.same_key},
    "who only fills does not write": {"writer": base.writer},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_pictures_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def forget() -> None:
        for cached in (pullback._pulled, pullback.pulled, pullback.pulled_term):
            cached.cache_clear()

    monkeypatch.setattr(pullback, "_BEHIND", pullback._BEHIND | WRONG[name])
    forget()
    try:
        assert set(WRONG[name]) <= set(different_relations([*list(small("calls-5"))[::5], *drawn(60, 4)]))
    finally:
        forget()


def test_the_vocabulary_is_looked_at_whole() -> None:
    """A new base relation that mentions judge calls must say what it is behind the bridge."""
    touched = {name for name, (meaning, _, _) in base.VOCABULARY.items() if "judge" in meaning or "callback" in meaning}
    assert touched <= set(pullback._BEHIND)
    assert pullback._pulled(Base("no_such"), True, True) == Base("no_such")
