"""What was once wrong, with the right answer."""

from __future__ import annotations

from typing import Any

import pytest

from toki_verify.designs.explore import BruteForce, Explorer, trace_of
from toki_verify.designs.repairs import repairs
from toki_verify.designs.verify import Verifier

from . import attacked_designs as attacked

A, X = "admits", "excludes"


@pytest.mark.parametrize(
    ("design", "crashes", "expected"),
    [
        (attacked.CrashesWhileItWaits, 1, {"invariant never_two": A}),
        (attacked.CrashesWhileItWaits, 0, {"invariant never_two": X}),
        (attacked.AsksInVain, 1, {"N1": X, "N1[observed]": A, "N1[replay]": A}),
        (attacked.TriesALog, 1, {"N1": X, "N1[observed]": A, "N1[replay]": A}),
        (attacked.WritesAndAsks, 1, {"N1[replay]": A}),
        (attacked.OnCall, 0, {"N2[state]": A, "final-state": A}),
        (attacked.DecidesAndWrites, 0, {"N3[decision]": A}),
        (attacked.GoesOnAfterARefusal, 0, {"N1": X, "N1[observed]": A}),
        (attacked.DoneTwice, 1, {"final-state": X}),
        (attacked.GivesUpAlone, 0, {"N2[state]": X}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_answer_is_right(design: Any, crashes: int, expected: dict[str, str]) -> None:
    found = Verifier(design, only=tuple(expected)).verify(2, crashes).results
    assert {name: found[name].verdict for name in expected} == expected
    assert not any(result.vacuous for result in found.values())


@pytest.mark.parametrize(
    ("design", "cell", "repair"),
    [
        (attacked.ForgetsAPin, "A5B", "SR@partition(a,p)"),
        (attacked.BeginsLower, "P4", "raise to SI"),
        (attacked.WritesAlone, "N3", "audit row"),
        (attacked.Counts, "N3[winner]", "audit row"),
    ],
)
def test_the_repair_is_found(design: Any, cell: str, repair: str) -> None:
    review = Verifier(design, only=(cell,)).verify(2, 0)
    assert review.results[cell].verdict == A
    assert repair in [found.name for found in repairs(review, pairs=False).by_cell[cell]]


def test_a_crash_while_a_writer_waits_is_explored_as_by_brute_force() -> None:
    verifier = Verifier(attacked.CrashesWhileItWaits)
    from toki_verify.designs.review import Bound

    for number in range(3):
        prepared = verifier.examiner.prepared(Bound(2, 1), number)
        found = []
        explorer = Explorer(prepared.engine, lambda machine, steps: found.append(trace_of(explorer._events)))  # noqa: B023
        explorer.explore(prepared.start)
        brute = BruteForce(prepared.engine)
        brute.explore(prepared.start)
        assert len(found) == len(set(found)) and set(found) == brute.traces


def test_votes_of_a_call_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert ", 2 votes: " in Verifier(attacked.AsksInVain, only=("N1",)).verify(2, 0).said
    assert "vote" not in Verifier(attacked.Counts, only=("P4",)).verify(2, 0).said
