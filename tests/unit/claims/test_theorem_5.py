"""Theorem 5: the fixed point and the histories that the checker judges agree, and broken systems and oracles show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from toki_verify.claims import compliance, judge_reach, theorem_5
from toki_verify.claims.cells import Cells
from toki_verify.claims.compliance import COMPLIANCE, HYPOTHESES, asking, left_over, needed, refuters, repaired_faults
from toki_verify.claims.judge_histories import (
    Histories,
    finished,
    judging,
    n1_histories,
    returned_other,
    smallest_n1,
    unpaired,
)
from toki_verify.claims.judge_reach import invariant, reach
from toki_verify.claims.judge_systems import (
    ABSENT,
    FULL,
    NAMED,
    PRESENT,
    Environment,
    System,
    extended,
    family,
    has_hook,
    one_insert,
)
from toki_verify.claims.judged import shows
from toki_verify.claims.registry import claims
from toki_verify.events import Schedule

SYSTEMS = list(family())
ENVIRONMENTS = (FULL, Environment(False, "durable"), Environment(False, "none", True), Environment(True, "none"))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims look at the asking systems that do the same at either row."""
    chosen = [system for system in asking() if system.row_0 == system.row_1]
    for module in (compliance, theorem_5):
        monkeypatch.setattr(module, "asking", lambda: chosen)


@pytest.fixture
def fresh() -> Iterator[None]:
    def clear() -> None:
        reach.cache_clear()
        refuters.cache_clear()

    clear()
    yield
    clear()


def decided(id: str) -> Any:
    return claims()[id].decide(Cells())


def histories_show(system: System, environment: Environment) -> bool:
    count = 2 if environment.overlap else 3
    return smallest_n1(system, environment, count) is not None


def test_every_behaviour_once() -> None:
    tables = len(ABSENT) * len(PRESENT) ** 2
    assert len(SYSTEMS) == len(set(SYSTEMS)) == len(ABSENT) + tables * (4 + 4 + 2)
    assert len(set(extended())) == len(list(extended()))
    assert all(not system.writes or system.place != "never" for system in SYSTEMS)


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=str)
def test_two_deciders_agree(environment: Environment) -> None:
    chosen = SYSTEMS[3::11]
    chosen += list(NAMED.values())
    for system in chosen:
        assert histories_show(system, environment) == reach(system, environment).n1, str(system)


@pytest.mark.heavy
@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=str)
def test_two_deciders_agree_on_all(environment: Environment) -> None:
    for system in SYSTEMS:
        assert histories_show(system, environment) == reach(system, environment).n1, str(system)


def test_a_nonce_leaves_two_calls_of_one_operator() -> None:
    for system in (replace(found, key="nonce") for found in SYSTEMS if found.row_0 == found.row_1 == "skip"):
        if system.clash == "adopt" and system.absent != "abort":
            assert reach(system, FULL).n1 == (system.absent == "twice") == histories_show(system, FULL), str(system)


def test_a_leak_shows_between_the_deciders(fresh: None, few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant in which a loser keeps its vote although it should adopt the row's."""
    original = judge_reach._filled

    def leaking(system: System, row: int | None, operator: judge_reach.Operator) -> Any:
        kept = replace(system, clash="keep") if system.clash == "adopt" else system
        return original(kept, row, operator)

    monkeypatch.setattr(judge_reach, "_filled", leaking)
    system = NAMED["Corollary 2"]
    assert reach(system, FULL).n1
    assert not histories_show(system, FULL)
    assert not invariant(system)
    assert system in repaired_faults()
    assert decided("T5.bound.repaired").verdict == "refuted"


def test_a_broken_oracle_shows(fresh: None, few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that is deterministic: then no discipline is needed, and the repaired statement fails."""
    one = frozenset({0})
    assert repaired_faults() == []
    monkeypatch.setattr(compliance, "reach", lambda system, environment=FULL: reach(system, environment, one))
    assert not compliance.reached(NAMED["no log"]).n1
    assert NAMED["no log"] in repaired_faults()
    assert decided("T5.bound.repaired").verdict == "refuted"


@pytest.mark.heavy
def test_each_hypothesis_is_needed_and_the_list_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    for reading in COMPLIANCE:
        assert left_over(reading) == []
    names = {name for reading in COMPLIANCE for name in needed(reading)}
    assert names == {hypothesis.name for hypothesis in HYPOTHESES}
    for missing in HYPOTHESES:
        rest = tuple(hypothesis for hypothesis in HYPOTHESES if hypothesis is not missing)
        monkeypatch.setattr(compliance, "HYPOTHESES", rest)
        assert any(left_over(reading) for reading in COMPLIANCE), missing.name


@pytest.mark.heavy
def test_the_smallest_refuters_show_no_n1_in_any_history() -> None:
    seen = 0
    for reading in COMPLIANCE:
        for system in needed(reading).values():
            assert not histories_show(system, FULL), str(system)
            seen += 1
    assert seen >= len(HYPOTHESES)


def test_what_is_not_compliant_is_seen_on_schedules() -> None:
    for system in SYSTEMS[7::111]:
        before = by = other = False
        for layer in Histories(system, 2, Environment(True, "none")).layers():
            for run in layer:
                if run.events and run.events[-1][0] in "cj":
                    schedule = Schedule.parse(run.text)
                    before |= unpaired(schedule)
                    by |= unpaired(schedule, by=True)
                    other |= returned_other(schedule)
        reached = reach(system, FULL)
        assert (before, by, other) == (reached.unpaired_before, reached.unpaired_by, reached.other), str(system)


def test_the_repaired_statement_and_its_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    assert repaired_faults() == []
    mutants = (
        lambda system: one_insert(system) or (system.clash == "keep" and system.place == "before"),
        lambda system: one_insert(system) or (system.absent == "twice" and system.clash == "adopt"),
        lambda system: one_insert(system) or (system.place == "after"),
        lambda system: one_insert(system) and system.row_0 == system.row_1 == "read",
        has_hook,
    )
    for mutant in mutants:
        monkeypatch.setattr(compliance, "one_insert", mutant)
        assert repaired_faults(), mutant


def test_the_invariant_needs_durable_rows_that_nobody_edits() -> None:
    system = NAMED["Corollary 2"]
    assert invariant(system)
    assert not invariant(system, Environment(edit=True))
    assert not invariant(system, Environment(crash="volatile"))
    for changed in ("keep", "overwrite"):
        assert not invariant(replace(system, clash=changed))
    assert not invariant(replace(system, absent="twice"))


def test_the_invariant_never_claims_too_much() -> None:
    assert all(not reach(system, FULL).n1 for system in SYSTEMS if invariant(system))


@pytest.mark.parametrize("id", ["T5.bound.repaired", "T5.bound.replay", "T5.bound.everywhere"])
def test_witnesses_are_confirmed_by_the_checker(id: str, few: None) -> None:
    outcome = decided(id)
    assert outcome.bound and outcome.evidence and outcome.repair_verdict in ("", "holds")
    shown = [shows(str(witness), "N1") for witness in outcome.witnesses]
    # One of a replay pair is no history with N1: it is in another run that its vote differs.
    assert shown == ([False, True] if id == "T5.bound.replay" else [True] * len(shown))
    assert id == "T5.bound.repaired" or not is_no_counterexample(outcome.counterexample, id)


def is_no_counterexample(schedule: Schedule, id: str) -> bool:
    """Whether a counterexample is none: of replays it is a run without N1; of inputs, one has N1 and the other not."""
    text = str(schedule)
    if id == "T5.bound.replay":
        return shows(text, "N1")
    first = [event for event in schedule.events if event.txn[-1] in "12"]
    return not shows(text, "N1") or shows(str(Schedule(first)), "N1")


@pytest.mark.heavy
def test_the_refutation_of_the_bound_is_a_history_that_breaks_h1_without_n1() -> None:
    outcome = decided("T5.bound")
    assert outcome.verdict == "holds-repaired" and outcome.repair_verdict == "holds"
    example = outcome.counterexample
    assert unpaired(example) and unpaired(example, by=True) and not shows(str(example), "N1")
    assert all(shows(str(witness), "N1") for witness in outcome.witnesses)


def test_a_nonce_judges_and_never_shows_n1() -> None:
    system = replace(NAMED["no log"], key="nonce")
    example = judging(system, FULL)
    assert example is not None and unpaired(example) and str(example) == "j1(R1, theta)=0 c1 j2(R2, theta)=1 c2"
    every = list(finished(system, FULL))
    assert len(every) > 50 and not any(shows(str(schedule), "N1") for schedule in every)
    # Two operators, each of two votes: with one key some of the same histories show it.
    assert any(shows(str(schedule), "N1") for schedule in finished(NAMED["no log"], FULL))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ('w2[judge_log:"(R, t)"@1=0] c2 j1(R, t)=0 c1', False),
        ('w2[judge_log:"(R, t)"@1=0] c2 j1(R, t)=1 c1', True),
        ('w2[judge_log:"(R, t)"@1=0] c2 j1(R, t)=1', True),
        ('w2[judge_log:"(R, t)"@1=0] j1(R, t)=1 c2 c1', False),
        ('w2[judge_log:"(R, t)"@1=0] a2 j1(R, t)=1 c1', False),
        ('w2[judge_log:"(R, q)"@1=0] c2 j1(R, t)=1 c1', False),
        ('w2[judge_log:"(R, t)"@1=0] c2 w3[judge_log:"(R, t)"@2=1] c3 j1(R, t)=1 c1', True),
    ],
)
def test_later_calls_return_every_row(text: str, other: bool) -> None:
    assert returned_other(Schedule.parse(text)) == other


def test_votes_have_no_names() -> None:
    for system in SYSTEMS[5::90]:
        assert system.renamed.renamed == system
        assert reach(system, FULL) == reach(system.renamed, FULL)
    assert any(system.renamed != system for system in SYSTEMS)


def test_witnesses_use_the_entry_for_no_row_alone() -> None:
    """So they are histories of every system with that entry: another table gives the same history."""
    for place, clash in (
        ("never", "adopt"),
        ("before", "keep"),
        ("before", "overwrite"),
        ("with", "keep"),
        ("after", "keep"),
    ):
        first = smallest_n1(System("ask", "skip", "skip", place, clash), FULL)
        assert first is not None
        for row_0, row_1 in (("read", "read"), ("abort", "flip")):
            other = System("ask", row_0, row_1, place, clash)
            assert any(str(first) == str(found) for found in n1_histories(other, FULL))


def test_a_replay_pair_is_no_witness() -> None:
    found = reach(NAMED["Corollary 2"], FULL)
    assert found.pair and not found.pair_after and not found.pair_beside and not found.n1
    assert reach(NAMED["no log"], FULL).pair_after
    race = reach(System("ask", "read", "read", "before", "keep"), FULL)
    assert race.n1 and race.pair_beside and not race.pair_after
    for system in asking()[::5]:
        assert reach(system, FULL).n1 or not reach(system, FULL).pair_after
        assert system.absent == "twice" or reach(system, FULL).pair_beside == reach(system, FULL).n1


def test_the_claims_follow_what_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every non-compliant system shows N1 the statement would hold as it stands."""
    monkeypatch.setattr(theorem_5, "refuters", lambda reading: ())
    monkeypatch.setattr(theorem_5, "needed", lambda reading: {})
    monkeypatch.setattr(theorem_5, "COMPLIANCE", {"the surface has the hook": has_hook})
    assert decided("T5.bound").verdict == "holds"
