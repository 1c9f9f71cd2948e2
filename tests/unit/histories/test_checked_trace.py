"""A large trace is told as a small one is: the same anomalies, each found again in a schedule of its transactions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.agreement.random_schedules import random_schedule
from tests.cli.conftest import Run, run
from toki_verify.checker import check
from toki_verify.events import Schedule
from toki_verify.events.limits import EVENTS
from toki_verify.histories.checked_trace import check_trace
from toki_verify.histories.trace import of_schedule
from toki_verify.levels import families
from toki_verify.report.trace import trace_lines, trace_object
from toki_verify.search.strategies import schedules

__all__ = ["run"]


@settings(max_examples=60)
@given(schedules())
def test_the_anomalies_are_those_of_the_check(schedule: Schedule) -> None:
    found = check_trace(of_schedule(schedule))
    expected = check(
        Schedule(
            schedule.events,
            init=schedule.init,
            order=schedule.order,
            sessions=schedule.sessions,
            surface=schedule.surface,
            partitions=schedule.partitions,
        )
    )
    wanted = {finding.phenomenon.id for finding in expected.anomalies() if "[" not in finding.phenomenon.id}
    assert {*(shown.phenomenon.id for shown in found.told), *found.also} == wanted
    for family in families():
        assert set(found.maximal(family)) == set(expected.maximal(family)), family
    for shown in found.told:
        assert (shown.part is None) is shown.phenomenon.annotated, shown.phenomenon.id
        if shown.part is not None:
            assert check(shown.part).findings[shown.id].present
            assert shown.evidence is not None and shown.evidence.text


def test_what_is_present_is_found_again_by_the_concrete_reading() -> None:
    """All but N3, which is told by its lines alone."""
    told = [shown for seed in range(120) for shown in check_trace(of_schedule(random_schedule(seed))).told]
    assert {shown.phenomenon.id for shown in told} >= {"P0", "P1", "P2", "P3", "P4", "A5A", "CB", "N1", "N3"}
    assert {shown.phenomenon.id for shown in told if shown.part is None} == {"N3"}


def test_what_is_asked_for_is_judged() -> None:
    trace = of_schedule(Schedule.parse("r1[x0] r2[x0] w2[x1] c2 w1[x2] c1 j3(R, t) j3(R, t)=1 c3"))
    assert check_trace(trace, level="graph:RC").ok is True
    assert check_trace(trace, level="graph:SI").ok is False
    assert check_trace(trace, absent=("P4",)).failed() == ["no P4: it is present"]
    assert check_trace(trace, absent=("N1",)).ok is None
    assert check_trace(trace, absent=("A5B", "P0")).ok is True
    assert check_trace(trace).ok is False


def test_the_report_says_what_and_where() -> None:
    found = check_trace(of_schedule(Schedule.parse("r1[x0] r2[x0] w2[x1] c2 w1[x2] c1")))
    text = "\n".join(line.plain for line in trace_lines(found))
    assert "P4  lost update" in text and "By the same events: G-single" in text and "graph RC" in text
    out = trace_object(found)
    assert json.loads(json.dumps(out)) == out
    assert out["phenomena"]["P4"]["present"] and "r1[x0]" in out["phenomena"]["P4"]["evidence"]["schedule"]
    assert out["levels"]["graph"]["SI"] is False and out["expected"]["ok"] is False


# -- the command -------------------------------------------------------------------------------------------------------
def large(place: Path, *last: str) -> Path:
    """A trace of more events than a schedule may have, which ends in these."""
    lines = []
    for number in range(EVENTS // 3 + 2):
        lines += [
            {"op": "r", "txn": str(number), "item": f"k{number % 7}", "version": str(max(number - 6, 0))},
            {"op": "w", "txn": str(number), "item": f"k{number % 7}", "version": str(number + 1)},
            {"op": "c", "txn": str(number)},
        ]
    file = place / "large.jsonl"
    text = "".join(json.dumps(line) + "\n" for line in lines) + "".join(f"{line}\n" for line in last)
    file.write_text(text, encoding="utf-8")
    return file


SKEW = [
    json.dumps({"op": op, "txn": txn, "item": item, "version": version})
    for op, txn, item, version in (
        ("r", "a", "p", "0"),
        ("r", "b", "q", "0"),
        ("w", "a", "q", "1"),
        ("w", "b", "p", "1"),
    )
] + [json.dumps({"op": "c", "txn": txn}) for txn in "ab"]


def test_a_large_trace_is_checked(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path)
    done = run("check", file)
    assert (done.code, done.err) == (0, "")
    assert "graph SR" in done.out
    file = large(tmp_path, *SKEW)
    done = run("check", file)
    assert done.code == 1 and "A5B" in done.out and "Ta read q" not in done.out and "Ta" in done.out
    assert run("check", file, "--level", "SI").code == 0
    assert run("check", file, "--level", "adya:PL-3").code == 1
    assert run("check", file, "--no", "P4").code == 0
    [found] = json.loads(run("check", file, "-o", "json").out)
    assert found["phenomena"]["A5B"]["evidence"]["lines"] == [5005, 5006, 5007, 5008]
    assert json.loads(run("check", file, "-o", "jsonl").out) == found


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--level", "SX"), "unknown level"),
        (("--no", "P9"), "P9"),
    ],
)
def test_what_a_large_trace_cannot_be_asked(tmp_path: Path, run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run("check", large(tmp_path), *arguments)
    assert (done.code, said in done.err) == (2, True)


def test_a_fault_in_a_large_trace_has_its_place(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, '{"op": "r", "txn": "z", "item": "x", "version": "7"}')
    done = run("check", file)
    assert done.code == 2 and f"{file}:5005:" in done.err and "expected" in done.err


def test_the_part_that_is_shown_is_as_small_as_it_can_be() -> None:
    """No other transaction, no event that is not needed; the reads and writes that were found, and how each ends."""
    text = "r5[z0] w5[z1] c5 r1[x0] r1[z1] r2[y0] w2[x1] r2[z1] c2 w3[x2] r3[x2] a3 r1[y0] w1[x3] c1"
    trace = of_schedule(Schedule.parse(text))
    [lost] = [shown for shown in check_trace(trace).told if shown.id == "P4"]
    assert str(lost.part) == str(Schedule.parse("r1[x0] w2[x1] c2 w1[x3] c1"))
    # With evidence it is as large as what refutes the levels asks for.
    [lost] = [shown for shown in check_trace(trace, level="graph:SI", evidence=True).told if shown.id == "P4"]
    assert lost.part is not None and not check(lost.part, level="graph:SI").ok


def test_of_several_the_one_with_the_fewest_accesses_is_shown() -> None:
    ring = "r1[a0] w1[b1] r2[b0] w2[c1] r3[c0] w3[a1] c1 c2 c3"
    pair = "r4[x0] r5[y0] w4[y1] w5[x1] c4 c5"
    found = check_trace(of_schedule(Schedule.parse(f"{ring} {pair}")))
    [shown] = [shown for shown in found.told if shown.id in ("G2-item", "A5B")][:1]
    assert shown.part is not None and len(shown.part.resolved.txns) == 2
