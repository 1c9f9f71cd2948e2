"""Corollary 4: both directions, decided by a fixed point and by schedules, and disciplines that leak."""

from __future__ import annotations

from typing import Any

import pytest

from toki_verify.claims import compliance, corollary_4
from toki_verify.claims.cells import Cells
from toki_verify.claims.compliance import asking, reached
from toki_verify.claims.corollary_4 import (
    LAYOUTS,
    NAMED_MUTABLE,
    READINGS,
    admitted,
    at_sr,
    bridge_says,
    calls_alone,
    compliant_at_sr,
    excluded,
    paired_at_sr,
)
from toki_verify.claims.judge_histories import is_log_serializable, n1_histories, returned_other, smallest_n1, unpaired
from toki_verify.claims.judge_systems import FULL, NAMED, System, one_insert
from toki_verify.claims.judged import at, shows
from toki_verify.claims.registry import claims
from toki_verify.events import Schedule

ASKING = asking()


def decided(id: str) -> Any:
    return claims()[id].decide(Cells())


def shows_at_sr(system: System) -> bool:
    return any(is_log_serializable(str(found)) for found in n1_histories(system, FULL))


def test_sr_on_the_log_in_both_deciders() -> None:
    chosen = [s for s in ASKING if s.absent == "ask" and s.row_0 == "read" and s.row_1 in ("read", "ask")]
    for system in chosen:
        assert shows_at_sr(system) == at_sr(system).n1, str(system)


@pytest.mark.heavy
def test_sr_on_the_log_in_both_deciders_for_all() -> None:
    for system in ASKING:
        assert shows_at_sr(system) == at_sr(system).n1, str(system)


@pytest.mark.parametrize("text", [str(smallest_n1(NAMED_MUTABLE, FULL, only=paired_at_sr)), *LAYOUTS.values()])
def test_compliant_at_sr_with_n1(text: str) -> None:
    """The refutation of ⇐, by the checker alone: SR everywhere, rows before commits, two votes."""
    assert at(text, "SR") and at(text, "RC+SR@judge_log")
    assert shows(text, "N1")
    assert not unpaired(Schedule.parse(text))


def test_one_transaction_that_looks_and_inserts_is_saved_by_sr() -> None:
    within = System("ask", "read", "read", "with", "overwrite")
    assert reached(within).n1 and not at_sr(within).n1
    found = smallest_n1(within, FULL)
    assert found is not None and not is_log_serializable(str(found))
    assert not compliant_at_sr(within, "strict") and compliant_at_sr(within, "weak")


def test_both_directions_fail_and_the_repaired_one_does_not() -> None:
    for reading in READINGS:
        assert bool(admitted(reading)) == ("return" not in reading) and excluded(reading)
        assert not any(one_insert(system) for system in admitted(reading))
        assert all(one_insert(system) for system in excluded(reading))
    outcome = decided("C4.tight")
    assert outcome.repair_verdict == "holds" and outcome.counterexample is not None
    assert shows(str(outcome.counterexample), "N1") and paired_at_sr(outcome.counterexample)


def test_later_calls_that_return_rows_leave_nothing_to_sr() -> None:
    """⇐ in the reading with later calls: the counterexample breaks it, and so does every history with N1 whose rows
    precede its calls; no level is used."""
    example = smallest_n1(NAMED_MUTABLE, FULL, only=paired_at_sr)
    assert example is not None and returned_other(example)
    assert not compliant_at_sr(NAMED_MUTABLE, "strict_return") and compliant_at_sr(NAMED_MUTABLE, "strict")
    for system in ASKING[::40]:
        if system.place == "before":
            for found in n1_histories(system, FULL):
                assert unpaired(found) or returned_other(found), str(found)
    # A row that follows the return of its call, and precedes its operator's commit: no later call has to return it.
    late = Schedule.parse(list(LAYOUTS.values())[1])
    assert not unpaired(late) and not returned_other(late) and shows(str(late), "N1")


def test_what_bridge_says_of_the_counterexample() -> None:
    """It compares a call with the latest row: an overwritten one breaks nothing, the calls alone break H1[return]."""
    example = smallest_n1(NAMED_MUTABLE, FULL, only=paired_at_sr)
    assert example is not None
    assert calls_alone(example) == "j1(R, theta)=0 c1 j2(R, theta)=1 c2"
    assert bridge_says(str(example)) == "nothing" and bridge_says(calls_alone(example)) == "H1[return]"


def test_the_printed_system_without_h1_excludes_n1() -> None:
    outcome = decided("C4.tight.only-if")
    assert outcome.verdict == "refuted" and outcome.repair_verdict == "holds"
    assert unpaired(outcome.counterexample) and not shows(str(outcome.counterexample), "N1")


def test_excluded_systems_have_no_history_with_n1() -> None:
    for reading in READINGS:
        for system in excluded(reading)[::23]:
            assert smallest_n1(system, FULL) is None, str(system)


@pytest.mark.parametrize(
    ("text", "before", "by"),
    [
        ('w2[judge_log:"(k, t)"@1=0] c2 j1(k, t)=0 c1', False, False),
        ('j1(k, t)=0 w1[judge_log:"(k, t)"@1=0] c1', True, False),
        ('j1(k, t)=0 c1 w2[judge_log:"(k, t)"@1=0] c2', True, True),
        ('w2[judge_log:"(k, t)"@1=1] c2 j1(k, t)=0 c1', True, True),
        ('w2[judge_log:"(k, q)"@1=0] c2 j1(k, t)=0 c1', True, True),
        ('w2[other:"(k, t)"@1=0] c2 j1(k, t)=0 c1', True, True),
        ('w2[judge_log:"(k, t)"@1=0] a2 j1(k, t)=0 c1', True, True),
        ("j1(k, t)=0 a1", False, False),
    ],
)
def test_h1_read_off_a_schedule(text: str, before: bool, by: bool) -> None:
    schedule = Schedule.parse(text)
    assert (unpaired(schedule), unpaired(schedule, by=True)) == (before, by)


def test_an_adopting_loser_differs_only_in_what_the_oracle_said() -> None:
    system = NAMED["Corollary 2"]
    assert smallest_n1(system, FULL) is None
    drawn = smallest_n1(system, FULL, as_drawn=True)
    assert drawn is not None and shows(str(drawn), "N1")
    assert reached(system).drawn and not reached(system).n1


def test_a_weaker_condition_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants of the repair: any keyed row, or rows that are consulted."""
    for mutant in (lambda system: system.writes, compliance.has_hook):
        monkeypatch.setattr(compliance, "one_insert", mutant)
        assert decided("C4.tight").verdict == "refuted"


def test_the_verdict_follows_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compliant discipline that leaks though its insert checks the key would refute the saved reading, too."""
    leaking = [NAMED["Corollary 2"]]
    monkeypatch.setattr(corollary_4, "admitted", lambda reading: leaking)
    outcome = decided("C4.tight.if")
    assert outcome.verdict == "refuted" and outcome.repair_verdict == "refuted"
    monkeypatch.setattr(corollary_4, "admitted", lambda reading: [])
    assert decided("C4.tight.if").verdict == "holds"
    monkeypatch.setattr(corollary_4, "excluded", lambda reading: [])
    assert decided("C4.tight.only-if").verdict == "holds"
    assert decided("C4.tight").verdict == "holds"
