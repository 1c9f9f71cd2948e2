"""Every sentence about a level that fails is so (`history_words.py` reads it), of the whole history and of its smallest
part, and its lines are those of the evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from history_cases import random_case
from history_oracle import Case, Txn, history_of
from history_words import LOST, Objection, Reader

from toki_verify.histories.checked import check_history
from toki_verify.histories.columns import COMMITTED
from toki_verify.histories.sessions import verdict, words
from toki_verify.histories.sessions.edges import Edge
from toki_verify.histories.sessions.findings import AMBIGUOUS
from toki_verify.histories.sessions.reasons import Reasons
from toki_verify.histories.sessions.verdict import decide
from toki_verify.histories.sessions.words import edge_in_words

KINDS: dict[str, dict[str, Any]] = {
    "registers": {},
    "updates": {"blind": 0.1},
    "causal": {"blind": 1, "keys": 3, "transactions": 7, "operations": 3},
    "outcomes": {"outcomes": True},
    "known orders": {"orders": True},
    "lists": {"orders": True, "append": True, "transactions": 6},
    "lists with outcomes": {"orders": True, "append": True, "outcomes": True},
    "real time": {"timed": True},
    "lists in real time": {"orders": True, "append": True, "timed": True, "blind": 0.9},
}


def examine(case: Case) -> Counter[str]:
    """What all levels of a case say is so; how often each kind of sentence was there. Raises Objection."""
    history = history_of(case)
    found = decide(history, realtime=case.timed)
    kinds: Counter[str] = Counter()
    if found.prepared.refuted:
        return kinds
    for outcome in found.levels:
        if outcome.holds is False and outcome.of == outcome.level:
            reader = Reader(case)
            reader.reason(outcome.reason, outcome.of)
            operations = {operation for one in outcome.cases for edge in one for operation in edge.operations}
            if not outcome.lost and {operation + 1 for operation in operations} != reader.lines:
                raise Objection(f"lines {sorted(reader.lines)}: {sorted(operations)}")
            kinds += reader.kinds
    return kinds


def cases(kind: str, count: int) -> list[Case]:
    rng = Random(kind)
    return [random_case(rng, **KINDS[kind]) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_is_said_of_a_level_that_fails_is_so(kind: str) -> None:
    seen: Counter[str] = Counter()
    for case in cases(kind, 150):
        try:
            seen += examine(case)
        except Objection as wrong:
            reasons = {one.level: one.reason for one in decide(history_of(case), realtime=case.timed).levels}
            raise AssertionError(f"{wrong}: {case}\n{reasons}") from None
    assert sum(seen.values()) > 20, seen


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_of_the_smallest_part_is_so_of_the_whole(kind: str) -> None:
    seen = 0
    for case in cases(kind, 30):
        history = history_of(case)
        found = check_history(history, realtime=case.timed)
        for refuted in found.refuted:
            reader = Reader(case)
            reader.reason(refuted.text, refuted.level)
            assert refuted.text.endswith(LOST) or set(refuted.lines) == reader.lines, refuted.text
            seen += 1
    assert seen


# -- mutants -----------------------------------------------------------------------------------------------------------
def _chain_without_its_end(real: Any) -> Callable[..., Any]:
    return lambda history, steps, read: real(history, steps[:-1] if len(steps) > 1 else steps, read)


def _read_before(real: Any) -> Callable[..., Any]:
    return lambda *given: real(*given).replace(" reads ", " has read ")


def _next_line(real: Any) -> Callable[..., Any]:
    return lambda *given: re.sub(r"\d+", lambda found: str(int(found[0]) % 3 + 1), real(*given))


def _without_a_reason(_: Any) -> Callable[..., Any]:
    return lambda *given: ""


def _one_session(_: Any) -> Callable[..., Any]:
    return lambda *given: "0"


def _as_they_were(_: Any) -> Callable[..., Any]:
    return lambda history, cases, **options: tuple(cases)


MUTANTS: list[tuple[Any, str, Any]] = [
    (words, "_chain", _chain_without_its_end),
    (words, "_chain", _read_before),
    (words, "_line", _next_line),
    (words, "_overwriting", _without_a_reason),
    (words, "_session", _one_session),
    (verdict, "told", _as_they_were),
]


@pytest.mark.parametrize("where, name, mutant", MUTANTS, ids=[mutant.__name__ for *_, mutant in MUTANTS])
def test_words_that_are_not_so_are_noticed(where: Any, name: str, mutant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, name, mutant(getattr(where, name)))
    noticed = 0
    for kind in ("registers", "causal", "lists"):
        for case in cases(kind, 80):
            try:
                examine(case)
            except Objection:
                noticed += 1
    assert noticed


# -- by hand -----------------------------------------------------------------------------------------------------------
def test_of_a_long_chain_six_steps_are_told_and_the_others_counted() -> None:
    """T1 writes x1 and a1; each next transaction reads what the one before wrote; the last one reads x as it was."""
    keys = "abcdefgh"
    middle = [Txn((("r", keys[at], 1), ("w", keys[at + 1], 1))) for at in range(len(keys) - 1)]
    case = Case((Txn((("w", "x", 1), ("w", "a", 1))), *middle, Txn((("r", "h", 1), ("r", "x", 0)))))
    outcome = decide(history_of(case))["CC"]
    assert outcome.reason == (
        "T9 reads x=nil (line 18), which the initial state wrote, and must have seen T1, which writes x=1 (line 1), "
        "because T9 has read h=1 (line 17), which T8 wrote (line 16), and T8 reads g=1 (line 15), which T7 wrote "
        "(line 14), and T7 reads f=1 (line 13), which T6 wrote (line 12), and T6 reads e=1 (line 11), which T5 wrote "
        "(line 10), and T5 reads d=1 (line 9), which T4 wrote (line 8), and T4 reads c=1 (line 7), which T3 wrote "
        "(line 6), … and 2 more steps of this kind, back to T1: T1 before the initial state; the initial version of "
        "every key comes before T1. That is a cycle."
    )
    assert sorted(outcome.cases[0][0].operations) == list(range(18)) or outcome.cases[0][0].kind == "initial"


def test_real_time_is_a_reason_where_it_was_asked_for() -> None:
    """T1 ended before T2 began, whose write T3 reads."""
    txns = (
        Txn((("w", "x", 1),), None, COMMITTED, 0, 1),
        Txn((("w", "y", 2),), None, COMMITTED, 2, 9),
        Txn((("r", "y", 2), ("r", "x", 0)), None, COMMITTED, 1, 9),
    )
    history = history_of(Case(txns, timed=True))
    steps = Reasons(history, realtime=True).steps(0, 3)
    assert [(edge.kind, edge.source, edge.target) for edge in steps] == [("wr", 1, 2), ("rt", 0, 1)]
    assert Reasons(history).steps(0, 3) == ()
    forced = Edge("forced", 0, -1, 0, (3,))
    head = "T3 reads x=nil (line 4), which the initial state wrote, and must have seen T1, which writes x=1 (line 1), "
    assert edge_in_words(Reasons(history, realtime=True), forced) == (
        f"{head}because T3 has read y=2 (line 3), which T2 wrote (line 2), and T1 ended before T2 began: "
        "T1 before the initial state"
    )
    assert edge_in_words(Reasons(history), forced) == (
        f"{head}as the version orders that are left have it: T1 before the initial state"
    )


def test_other_versions_may_lie_between_a_read_and_what_is_behind_it() -> None:
    """The order of x is 1, 2; T3 and T4 each append to what the other read (write skew), T2 wrote 1 before."""
    case = Case(
        (
            Txn((("r", "x", 0), ("w", "y", 1))),
            Txn((("w", "x", 1),)),
            Txn((("r", "y", 0), ("w", "x", 2))),
            Txn((("r", "x", 2), ("r", "y", 1))),
        ),
        (("x", (1, 2)), ("y", (1,))),
        append=True,
    )
    (refuted,) = check_history(history_of(case)).refuted
    assert refuted.text == (
        "T1 reads x=nil (line 1), and T3 appends x=2 (line 5) behind it: T1 did not see T3; "
        "T3 reads y=nil (line 4), and T1 appends y=1 (line 2) behind it: T3 did not see T1. That is a cycle."
    )
    assert refuted.lines == (1, 5, 4, 2)


@pytest.mark.parametrize(
    "read, said",
    [
        (COMMITTED, "1 is written to x twice (lines 1 and 2): which of the two T3 read (line 3) is not known"),
        (
            None,
            "1 is written to x twice (lines 1 and 2): nobody read it, but no level is said to hold where a value names "
            "two versions",
        ),
    ],
)
def test_both_writes_of_one_value_are_named(read: int | None, said: str) -> None:
    txns = [Txn((("w", "x", 1),)), Txn((("w", "x", 1),)), Txn((("r", "x", 1 if read is not None else 0),))]
    found = decide(history_of(Case(tuple(txns))))
    (finding,) = found.findings
    assert (finding.kind, finding.count, finding.places) == (AMBIGUOUS, 1, ((0,), (1,)))
    assert finding.text == "1 is written to x twice (lines 1 and 2)"
    assert {(outcome.holds, outcome.reason) for outcome in found.levels} == {(None, said)}
