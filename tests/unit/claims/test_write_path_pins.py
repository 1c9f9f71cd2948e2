"""Commits, pins, callbacks and keys of Algorithm 1: that other lines, keys or schedules give other verdicts."""

from __future__ import annotations

from typing import Any

import pytest

from toki_verify.claims import audit_keys, write_path_log, write_path_losses, write_path_pins
from toki_verify.claims.algorithm_1 import CLAIMS
from toki_verify.claims.cells import Cells
from toki_verify.claims.judged import at, shows
from toki_verify.claims.printed_algorithm import Memory, ingest
from toki_verify.claims.small_facts import day, fact
from toki_verify.claims.small_histories import every_named_run

KNOWN = {claim.id: claim for claim in CLAIMS}


def verdict(id: str) -> str:
    """What a claim says now."""
    return KNOWN[id].decide(Cells()).verdict


def all_lines(monkeypatch: pytest.MonkeyPatch, *lines: int) -> None:
    """Let every history go through other lines."""
    found = write_path_pins.traces()
    monkeypatch.setattr(write_path_pins, "traces", lambda: [(h, list(lines), memory) for h, _, memory in found])


def test_the_lines_of_one_fact_and_of_two() -> None:
    lines: list[int] = []
    memory, _ = ingest(Memory(), fact("a", "x", at=1), day(1), lines=lines)
    assert lines == [1, 7]
    ingest(memory, fact("b", "y", at=2), day(2), lines=lines)
    assert lines[2:] == [1, 12, 19, 21, 22, 23]
    ingest(memory, fact("a", "x", at=2), day(2), lines=lines)
    assert lines[8:] == [1, 3]


def test_a_commit_before_every_return_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    all_lines(monkeypatch, 1, 7, 22)
    assert verdict("Alg1.commit") == "holds"


def test_an_operator_selected_first_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    all_lines(monkeypatch, 12, 1, 7, 22)
    assert verdict("Alg1.pin") == "holds"


def test_a_race_at_sr_would_refute_the_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_path_pins.races()[0].__class__, "is_at", lambda self, level: True)
    assert verdict("Alg1.pin") == "refuted"


def test_a_line_that_reads_the_callback_log_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(write_path_pins.ASKING, "judge_log", write_path_pins.ASKING["callback_log"])
    assert verdict("Alg1.callback") == "holds"


def test_a_callback_that_comes_too_late_would_be_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(write_path_pins.ASKING, "callback_log", "")
    assert verdict("Alg1.callback") == "refuted"


def test_every_schedule_of_exposes_is_where_it_is_said_to_be() -> None:
    for id, (name, level, text) in write_path_pins.WEAKENED.items():
        assert at(text, level) and shows(text, name) and not at(text, write_path_pins.PIN_OF[id])
    for id, (name, text) in write_path_pins.AT_THE_PIN.items():
        assert at(text, write_path_pins.PIN_OF[id]) and shows(text, name)
    assert write_path_pins.newly("RC") == "P0, P1"


def test_pins_that_exclude_what_they_expose_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: dict[str, Any] = {id: (name, "r1[x0] c1") for id, (name, _) in write_path_pins.AT_THE_PIN.items()}
    monkeypatch.setattr(write_path_pins, "AT_THE_PIN", nothing)
    assert verdict("Alg1.exposes") == "holds"


def test_audit_rows_with_keys_of_their_own_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_keys, "every_named_run", lambda mode, rising: every_named_run(mode, rising=True))
    assert verdict("Alg1.audit-key") == "holds"


def test_a_key_that_collides_on_rising_clocks_would_be_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_keys, "every_named_run", lambda mode, rising: every_named_run(mode, rising=False))
    assert verdict("Alg1.audit-key") == "refuted"


def test_a_retry_of_a_rejected_fact_is_refused_in_one_mode_only() -> None:
    weak = fact("b", "y", at=3, confidence=0.2, strategy="evi")
    history = (fact("a", "x", at=1), weak, weak)
    kept, base = (audit_keys.run(history, mode=mode) for mode in ("audit_row", "base"))
    assert audit_keys.refused_for_its_key(kept) and not base.errors


def test_both_places_of_the_append_are_told_apart() -> None:
    inside, before = write_path_log.PLACEMENTS.values()
    assert not shows(inside, "N1") and shows(inside, "N1[observed]") and shows(before, "N1")
    evidence = KNOWN["Alg1.log"].decide(Cells()).evidence
    assert any("the append in the transaction of line 22: after the crash the log has []" in line for line in evidence)


def test_stamping_incumbents_refuses_what_line_18_accepts() -> None:
    outcome = KNOWN["Alg1.stamp"].decide(Cells())
    assert "with clocks that rise" in outcome.repair and any("write refused then" in line for line in outcome.evidence)
    history = (fact("a", "x", at=2), fact("b", "y", at=1, confidence=0.2, strategy="evi"))
    printed, stamped = (write_path_losses.run(history, incumbents=way) for way in ("untouched", "stamped"))
    assert not printed.errors and stamped.errors
