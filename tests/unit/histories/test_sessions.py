"""The session levels of black-box histories: single reads, doubts, time, and why a level fails."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from toki_verify.histories.builder import NIL, Initial, assemble
from toki_verify.histories.columns import ABORTED, COMMITTED, READ, UNKNOWN, WRITE, Garbage, History, Int32
from toki_verify.histories.sessions import choices, verdict
from toki_verify.histories.sessions.evidence import check_order
from toki_verify.histories.sessions.polygraph import Strong
from toki_verify.histories.sessions.prepared import prepare
from toki_verify.histories.sessions.strong import Decision, decide_strong
from toki_verify.histories.sessions.verdict import ALL, decide
from toki_verify.histories.sessions.weak import Base

Txns = list[tuple[int, int, str]]


def made(txns: Txns, *, initial: Initial = "nil", times: list[tuple[int, int]] | None = None) -> History:
    """A history of transactions (session, outcome, operations as in "w x 1, r y nil")."""
    parts = [(t, op.split()) for t, (_, _, ops) in enumerate(txns) for op in ops.split(", ")]
    rows = [(t, kind, key, value) for t, (kind, key, value) in parts]
    keys = sorted({key for _, _, key, _ in rows})
    values = sorted({value for *_, value in rows} - {"nil"})
    return assemble(
        format="test",
        source="",
        session=np.array([session for session, _, _ in txns], np.int32),
        outcome=np.array([outcome for _, outcome, _ in txns], np.int8),
        txn=np.array([t for t, *_ in rows], np.int32),
        kind=np.array([WRITE if kind == "w" else READ for _, kind, _, _ in rows], np.int8),
        key=np.array([keys.index(key) for _, _, key, _ in rows], np.int32),
        value=np.array([NIL if value == "nil" else values.index(value) for *_, value in rows], np.int32),
        line=np.arange(1, len(rows) + 1, dtype=np.int32),
        keys=keys,
        values=values,
        transactions=[str(t + 1) for t in range(len(txns))],
        sessions=["a", "b", "c", "d"],
        initial=initial,
        begun=np.array([begun for begun, _ in times], np.int64) if times else None,
        ended=np.array([ended for _, ended in times], np.int64) if times else None,
    )


def levels(history: History, **options: float | bool) -> dict[str, bool | None]:
    return {outcome.level: outcome.holds for outcome in decide(history, **options).levels}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "kind, txns, text",
    [
        ("unwritten-read", [(0, COMMITTED, "r x 7")], "T1 reads x=7, which nobody wrote"),
        ("aborted-read", [(0, ABORTED, "w x 1"), (1, COMMITTED, "r x 1")], "which T1 wrote (line 1) and rolled back"),
        (
            "intermediate-read",
            [(0, COMMITTED, "w x 1, w x 2"), (1, COMMITTED, "r x 1")],
            "line 3: T2 reads x=1, which T1 wrote (line 1) and overwrote itself",
        ),
        ("own-write-unseen", [(0, COMMITTED, "w x 1, r x nil")], "behind a write of its own"),
        ("own-write-unseen", [(0, COMMITTED, "w x 1, w x 2, r x 1")], "behind a write of its own"),
        ("future-read", [(0, COMMITTED, "r x 1, w x 1")], "which it writes only later"),
    ],
)
def test_a_read_that_no_level_allows_is_found_and_refutes_all_levels(kind: str, txns: Txns, text: str) -> None:
    found = decide(made(txns))
    assert [finding.kind for finding in found.findings] == [kind]
    assert text in found.findings[0].text and found.findings[0].count == 1
    assert {outcome.holds for outcome in found.levels} == {False}
    assert all(text in outcome.reason for outcome in found.levels)


def test_findings_count_all_and_name_the_operations() -> None:
    found = decide(made([(0, ABORTED, "w x 1, w y 2"), *[(1, COMMITTED, "r x 1, r y 2")] * 80]))
    (finding,) = found.findings
    assert finding.count == 160 and len(finding.places) == 100
    assert finding.places[:2] == ((2, 0), (3, 1))


@pytest.mark.parametrize("kind", ["incompatible-order", "duplicate-element", "own-write-unseen"])
def test_what_the_reader_of_a_file_found_refutes_all_levels(kind: str) -> None:
    history = replace(made([(0, COMMITTED, "w x 1")]), garbage=(Garbage(kind, (0,), 0, "what is wrong"),))
    found = decide(history)
    assert {outcome.holds for outcome in found.levels} == {False}
    assert found.findings[0].text == "what is wrong (line 1)"


def test_reads_of_transactions_that_do_not_count_are_not_looked_at() -> None:
    history = made([(0, ABORTED, "r x 7"), (1, UNKNOWN, "r x 8, w x 3"), (2, COMMITTED, "r x nil")])
    found = decide(history)
    assert found.findings == () and found.left_out == 2
    assert set(levels(history).values()) == {True}
    assert found.order("SER") == [2]


def test_a_transaction_of_unknown_outcome_counts_when_one_that_counts_saw_it() -> None:
    chain = [(0, UNKNOWN, "w x 1"), (1, UNKNOWN, "r x 1, w y 2"), (2, COMMITTED, "r y 2"), (2, UNKNOWN, "w z 3")]
    assert prepare(made(chain)).txn.tolist() == [0, 1, 2]
    assert prepare(made([*chain[:2], *chain[3:]])).txn.tolist() == []


def test_a_value_written_twice_leaves_no_level_decided_unless_the_rest_refutes_it() -> None:
    twice: Txns = [(0, COMMITTED, "w x 1"), (1, COMMITTED, "w x 1"), (2, COMMITTED, "r x 1")]
    history = made(twice)
    assert set(levels(history).values()) == {None}
    assert "written" in decide(history)["RC"].reason and decide(history).order("RC") is None
    worse = made([*twice, (3, COMMITTED, "w y 2"), (3, COMMITTED, "r y nil")])
    assert levels(worse) == {"RC": None} | dict.fromkeys(ALL[1:], False)


def test_a_value_written_twice_accuses_nobody() -> None:
    """The first of the two writes aborted; the read may have seen the other one."""
    history = made([(0, ABORTED, "w x 1"), (1, COMMITTED, "w x 1"), (2, COMMITTED, "r x 1")])
    assert set(levels(history).values()) == {None}
    assert [finding.kind for finding in decide(history).findings] == ["duplicate-write"]


def test_a_write_of_the_initial_value_leaves_reads_of_it_in_doubt() -> None:
    history = made([(0, COMMITTED, "w x 0"), (1, COMMITTED, "w x 1"), (1, COMMITTED, "r x 0")], initial="zero")
    assert levels(history)["SER"] is None


@pytest.mark.parametrize("level", ["RR", "sr", ""])
def test_a_level_that_is_none_is_refused(level: str) -> None:
    with pytest.raises(ValueError, match="RC, RA, CC, PC, PSI, SI, SER"):
        decide(made([(0, COMMITTED, "w x 1")]), levels=[level])
    with pytest.raises(ValueError):
        check_order(made([(0, COMMITTED, "w x 1")]), level, [0])


def test_only_the_levels_that_were_asked_for_are_answered() -> None:
    found = decide(made([(0, COMMITTED, "w x 1")]), levels=["SI", "RC"])
    assert [outcome.level for outcome in found.levels] == ["SI", "RC"]
    with pytest.raises(KeyError):
        found["SER"]


def test_an_empty_history_has_all_levels() -> None:
    history = made([(0, COMMITTED, "w x 1")])
    empty = replace(history, outcome=np.array([ABORTED], np.int8))
    assert set(levels(empty).values()) == {True}
    assert decide(empty).order("SER") == []


def without_help(start: Base, level: Strong, forced: Int32, **options: Any) -> Decision:
    """Nothing is inferred."""
    return decide_strong(start, level, forced, infer=False, **options)


STALE: Txns = [(0, COMMITTED, "w x 1"), (1, COMMITTED, "r x nil")]


def test_real_time_counts_only_when_it_is_asked_for() -> None:
    history = made(STALE, times=[(0, 1), (2, 3)])
    assert set(levels(history).values()) == {True}
    strict = decide(history, realtime=True)
    assert {outcome.level: outcome.holds for outcome in strict.levels} == {
        "RC": True, "RA": True, "CC": True, "PC": False, "PSI": False, "SI": False, "SER": False
    }  # fmt: skip
    assert [edge.kind for edge in strict["SER"].cases[0]] in (["rt", "rw"], ["rw", "rt"])
    assert "T1 ended before T2 began" in strict["SER"].reason
    assert set(levels(made(STALE, times=[(0, 2), (2, 3)]), realtime=True).values()) == {True}
    assert set(levels(made(STALE, times=[(0, -1), (2, 3)]), realtime=True).values()) == {True}


def test_real_time_without_times_is_refused() -> None:
    with pytest.raises(ValueError, match="no times"):
        decide(made(STALE), realtime=True)


#: Two blind writes of x and two of y, whose orders are open at every level but RC, RA and CC.
OPEN: Txns = [
    (0, COMMITTED, "w x 1, w y 4"),
    (1, COMMITTED, "w x 2, w y 5"),
    (2, COMMITTED, "r x 1, r y 4"),
]


def test_without_time_what_is_not_decided_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "run_serially", lambda start: None)
    history = made([*OPEN, (3, COMMITTED, "r x 2, r y 5")])
    found = decide(history, seconds=0)
    assert {outcome.level: outcome.holds for outcome in found.levels} == dict.fromkeys(ALL) | {"RC": True, "RA": True}
    assert all("time was over" in outcome.reason for outcome in found.levels if outcome.holds is None)


#: T3 and T4 disagree on which of x=1 and x=2 came last, each of them by what else it read.
FORKED: Txns = [
    (0, COMMITTED, "w x 1"),
    (1, COMMITTED, "w x 2"),
    (2, COMMITTED, "r x 1, r y nil, w z 3"),
    (3, COMMITTED, "r x 2, r z nil, w y 4"),
]


def test_more_choices_than_allowed_are_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "run_serially", lambda start: None)
    monkeypatch.setattr(verdict, "decide_strong", without_help)
    history = made(OPEN)
    assert set(levels(history).values()) == {True}
    few = decide(history, most=0)
    assert [outcome.level for outcome in few.levels if outcome.holds is None] == ["PC", "PSI", "SI", "SER"]
    assert "the order of 2 pairs of versions is not known, and at most 0 are tried" in few["SER"].reason


def test_without_a_solver_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "decide_strong", without_help)
    monkeypatch.setattr(verdict, "run_serially", lambda start: None)
    monkeypatch.setattr(choices, "_PRUNED", 0)
    history = made(FORKED)
    assert levels(history) == dict.fromkeys(ALL, True) | {"SER": False}
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    found = decide(history)
    assert [found[level].holds for level in ("RC", "RA", "CC")] == [True] * 3
    open_ = [outcome for outcome in found.levels if outcome.holds is None]
    assert open_ and {outcome.reason for outcome in open_} == {
        "python-sat is not installed: pip install 'toki-verify[solvers]'"
    }


def test_a_no_that_holds_for_every_version_order_is_told_by_cases() -> None:
    outcome = decide(made([*FORKED, (1, COMMITTED, "r y 4, w x 9")]))["SER"]
    assert outcome.holds is False
    assert "cycle" in outcome.reason


def test_a_lost_update_is_named() -> None:
    history = made([(0, COMMITTED, "w x 1"), (1, COMMITTED, "r x 1, w x 2"), (2, COMMITTED, "r x 1, w x 3")])
    found = decide(history)
    assert levels(history) == {"RC": True, "RA": True, "CC": True, "PC": True} | dict.fromkeys(ALL[4:], False)
    assert found["SI"].of == "PSI" and found["SI"].lost == (1, 3)
    assert found["SI"].reason == (
        "T2 reads x=1 (line 2) and writes x=2 (line 3), and T3 reads x=1 (line 4) and writes x=3 (line 5). "
        "Whichever commits second overwrites a version that it did not see: a lost update."
    )


def test_a_forced_edge_is_told_with_the_read_behind_it() -> None:
    history = made([(0, COMMITTED, "w x 1"), (0, COMMITTED, "w x 2, w y 3"), (1, COMMITTED, "r y 3, r x 1")])
    outcome = decide(history)["RC"]
    assert outcome.holds is False and outcome.of == "RC"
    assert {edge.kind for edge in outcome.cases[0]} == {"so", "forced"}
    assert (
        "T3 reads x=1 (line 5), which T1 wrote (line 1), and must have seen T2, which writes x=2 (line 2), because "
        "T3 has read y=3 (line 4), which T2 wrote (line 3): T2 before T1"
    ) in outcome.reason
    (forced,) = (edge for edge in outcome.cases[0] if edge.kind == "forced")
    assert forced.operations == (4, 0, 1, 3, 2)
    assert "T1 comes before T2 in session a" in outcome.reason


def test_a_read_of_an_initial_version_past_an_observed_write_is_told() -> None:
    history = made([(0, COMMITTED, "w x 1, w y 2"), (1, COMMITTED, "r y 2, r x nil")])
    outcome = decide(history)["RC"]
    assert outcome.holds is False
    assert (
        "T2 reads x=nil (line 4), which the initial state wrote, and must have seen T1, which writes x=1 (line 1), "
        "because T2 has read y=2 (line 3), which T1 wrote (line 2): T1 before the initial state"
    ) in outcome.reason


def test_write_skew_is_told_as_two_reads_of_what_was_replaced() -> None:
    history = made([(0, COMMITTED, "r x nil, w y 1"), (1, COMMITTED, "r y nil, w x 2")])
    outcome = decide(history)["SER"]
    assert [edge.kind for edge in outcome.cases[0]] == ["rw", "rw"]
    assert "T1 reads x=nil (line 1), and T2 writes x=2 (line 4) over it or later: T1 did not see T2" in outcome.reason


def test_evidence_that_leaves_out_or_repeats_a_transaction_is_refused() -> None:
    history = made([(0, COMMITTED, "w x 1"), (1, COMMITTED, "r x 1")])
    assert check_order(history, "SER", [0, 1]) == ()
    for order in ([0], [0, 0, 1], []):
        assert check_order(history, "SER", order)
    assert "reads from" in check_order(history, "SER", [1, 0])[0]
