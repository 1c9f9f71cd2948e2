"""π_J(S) where S touches the rows itself: labels, rows at the start, repeats that are reads, many calls."""

from __future__ import annotations

from time import perf_counter

import pytest

from toki_verify.bridge.image import Logging, image
from toki_verify.events import Schedule

from .test_image import broken, made, printed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What r2 saw in S it sees in π_J(S), behind a fill, too.
        ("w1[ROW] c1 j3(R, t)=0 r2[ROW] c2 a3", "w1[ROW@1] c1 w3[ROW@2=0] r2[ROW@1] c2 a3"),
        ("r1[ROW] j2(R, t)=0 c2 r1[ROW] c1", "r1[ROW@0] w2[ROW@1=0] c2 r1[ROW@0] c1"),
        (
            "w2[ROW=1] j1(R, t)=0 w3[ROW=0] j2(R, t)=1 c1 c2 c3",
            "w2[ROW@1=1] w1[ROW@3=0] w3[ROW@2=0] r2[ROW@1=1] c1 c2 c3",
        ),
        (
            'w1[+ROW in P] c1 j3(R, t)=0 r2{judge_log:P: "(R, t)"} c2 c3',
            'w1[+ROW@1 in P] c1 w3[ROW@2=0] r2{judge_log:P: "(R, t)"@1} c2 c3',
        ),
        # Rows of other keys, and rows of a key that is not called, are left as they are.
        (
            "w1[judge_log:other] c1 j2(R, t)=0 r2[judge_log:other] c2",
            "w1[judge_log:other] c1 w2[ROW@1=0] r2[judge_log:other] c2",
        ),
    ],
)
def test_accesses_without_labels_keep_what_they_saw(text: str, expected: str) -> None:
    assert printed(text) == expected
    found = made(text)
    assert found.schedule is not None
    for step in found.steps:
        if step.role == "kept" and step.source in found.source.resolved.saw:
            assert step.source is not None and step.target is not None
            before, after = found.source.resolved.saw[step.source], found.schedule.resolved.saw[step.target]
            targets = {s.source: s.target for s in found.steps}
            assert after == (before if before < 0 else targets[before])


def test_rows_that_are_there_at_the_start() -> None:
    assert broken("init callback_log:h@0=1\n cb1(R, h, 1) c1") == []
    assert broken("init callback_log:h@0=0\n cb1(R, h, 1) c1") == [("H2", 0)]
    # The first call fills all the same (SEMANTICS §6); where that is rolled back the row at the start is left.
    text = "init ROW@0=1\n j1(R, t)=0 a1 j2(R, t)=1 c2"
    assert printed(text).split("\n")[-1].strip() == "w1[ROW@1=0] a1 r2[ROW@0=1] c2"


def test_a_mismatch_that_is_a_read_all_the_same() -> None:
    """Lemma 1 to the letter: every later call is a read, whatever it returned; so one write a key."""
    letter = Logging(mismatch="read")
    assert printed("j1(R, t)=0 c1 j2(R, t)=1 c2", letter) == "w1[ROW@1=0] c1 r2[ROW@1] c2"
    assert broken("j1(R, t)=0 c1 j2(R, t)=1 c2", letter) == [("H1[commit]", 0), ("H1[return]", 2)]
    assert broken("j1(R, t)=0 j2(R, t)=1 c1 c2", letter)[-1] == ("H1[read]", 1)


def test_many_calls_at_one_key_take_no_quadratic_time() -> None:
    """As a ratio inside one run: four times the calls, not sixteen times the work."""

    def seconds(calls: int) -> float:
        schedule = Schedule.parse(" ".join(f"j1(R, t)={n % 2}" for n in range(calls)) + " c1")
        begun = perf_counter()
        image(schedule)
        return perf_counter() - begun

    few, many = (min(seconds(calls) for _ in range(3)) for calls in (1_000, 4_000))
    assert many / few < 9
