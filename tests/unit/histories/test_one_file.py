"""One file is read and checked by a function that other processes can run, and whose results they can send."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import pytest

from tests.agreement.random_schedules import random_schedule
from toki_verify.histories.checked import LEVELS, Checked, check_history
from toki_verify.histories.checked_trace import CheckedTrace, check_trace
from toki_verify.histories.columnar.decide import all_levels, decide
from toki_verify.histories.from_schedule import history_of
from toki_verify.histories.one_file import HistoryOptions, Input, TraceOptions, check_one
from toki_verify.histories.trace import of_schedule
from toki_verify.jsonform import trace_objects
from toki_verify.notation import parse_text
from toki_verify.phenomena.catalogue import UnknownName, catalogue
from toki_verify.report.history import history_lines
from toki_verify.report.history_data import history_object
from toki_verify.report.trace import trace_lines, trace_object

LOST = "w(1,9,0,0)\nr(1,9,1,1)\nw(1,1,1,1)\nr(1,9,2,2)\nw(1,2,2,2)\n"


def lines_of(seed: int) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in trace_objects(random_schedule(seed))).encode()


def sent(value: object) -> object:
    """What another process gets."""
    return ForkingPickler.loads(ForkingPickler.dumps(value))


def trace(source: Input, options: TraceOptions) -> CheckedTrace:
    found, problems = check_one(source, options)
    assert isinstance(found, CheckedTrace) and problems == []
    return found


# -- results -----------------------------------------------------------------------------------------------------------
def test_options_and_results_can_be_sent() -> None:
    for seed in range(30):
        options = TraceOptions(level="SI", absent=("N1",), evidence=True)
        assert sent(options) == options
        found = trace((lines_of(seed), "t.jsonl"), options)
        again = sent(found)
        assert isinstance(again, CheckedTrace)
        assert trace_object(again, evidence=True) == trace_object(found, evidence=True)
        assert list(trace_lines(again)) == list(trace_lines(found))
    found_history, _ = check_one((LOST.encode(), "lost.txt"), HistoryOptions())
    again_history = sent(found_history)
    assert isinstance(found_history, Checked) and isinstance(again_history, Checked)
    assert history_object(again_history, evidence=True) == history_object(found_history, evidence=True)
    assert list(history_lines(again_history)) == list(history_lines(found_history))


def test_a_path_and_its_bytes_come_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(lines_of(3))
    assert trace(str(file), TraceOptions()) == trace((lines_of(3), str(file)), TraceOptions())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOST.encode())))
    found, _ = check_one("-", HistoryOptions(declared="PSI"))
    assert isinstance(found, Checked) and (found.history.source, found.declared, found.ok) == ("<stdin>", "PSI", False)


@pytest.mark.parametrize("path", ["", "missing", "."])
def test_a_path_that_cannot_be_read_is_a_problem(path: str) -> None:
    found, [problem] = check_one(path, HistoryOptions())
    assert found is None and problem.rule == "file"


def test_a_file_at_fault_has_no_result_where_nothing_may_be_left_out() -> None:
    bad = LOST.encode() + b"half a li\n"
    found, problems = check_one((bad, "bad"), HistoryOptions(format="plume"))
    assert found is None and [problem.line for problem in problems] == [6]
    found, problems = check_one((bad, "bad"), HistoryOptions(format="plume", skip_bad=True))
    assert isinstance(found, Checked) and found.history.warnings and problems == []
    found, problems = check_one((b"?\n" + lines_of(1), "bad"), TraceOptions())
    assert found is None and problems
    found, problems = check_one((b"?\n" + lines_of(1), "bad"), TraceOptions(skip_bad=True))
    assert isinstance(found, CheckedTrace) and "1 line" in found.warnings[0] and problems == []


def test_real_time_needs_a_format_that_has_it() -> None:
    found, [problem] = check_one((LOST.encode(), "lost"), HistoryOptions(realtime=True))
    assert found is None and problem.rule == "real-time"


@pytest.mark.parametrize("options", [TraceOptions(level="SX"), TraceOptions(absent=("P9",)), TraceOptions("SI", "x")])
def test_a_name_in_no_catalogue_is_refused(options: TraceOptions) -> None:
    with pytest.raises(UnknownName):
        check_one((lines_of(1), "t"), options)


# -- how far it is -----------------------------------------------------------------------------------------------------
def test_it_is_told_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    lost = parse_text("schedule s\n  r1[x0] r2[x0] w2[x1] c2 w1[x2] c1\n")[0]
    data = b"\n" * (3 << 18) + "".join(json.dumps(one) + "\n" for one in trace_objects(lost)).encode()
    check_one((data, "t"), TraceOptions(), lambda *step: told.append(step))
    reading = [done for what, done, total in told if what == "reading" and total == len(data)]
    assert len(reading) >= 3 and reading == sorted(reading) and reading[0] == 0
    for what, total in (("phenomena", len(catalogue())), ("levels", len(all_levels()))):
        assert [step[1:] for step in told if step[0] == what] == [(done, total) for done in range(total)]
    stages = list(dict.fromkeys(what for what, _, _ in told))
    assert stages == ["reading", "phenomena", "levels", "counts", "agents", "evidence"]
    told.clear()
    check_one((LOST.encode(), "t"), HistoryOptions(), lambda *step: told.append(step))
    assert told == [("reading", 0, len(LOST)), *(("levels", done + 1, len(LEVELS)) for done in range(len(LEVELS)))]


def stopping(stage: str, at: int) -> Callable[[str, int, int], None]:
    """Told how far it is, this one presses Ctrl-C at some step of a stage."""

    def tell(what: str, done: int, total: int) -> None:
        if (what, done) == (stage, at):
            raise KeyboardInterrupt

    return tell


def test_ctrl_c_keeps_what_is_known_of_a_trace() -> None:
    whole = of_schedule(parse_text("schedule s\n  r1[x0] r2[x0] w2[x1] c2 w1[x2] c1\n")[0])
    known = decide(whole, limit=3)
    names = list(known.present)
    for at in (0, 7, len(names) - 1):
        found = decide(whole, limit=3, tell=stopping("phenomena", at))
        assert found.interrupted and found.unreached == {*names[at:], *all_levels()}
        assert found.present == {name: known.present[name] for name in names[:at]} | dict.fromkeys(names[at:])
        assert set(found.holds.values()) == {None} and found.counts == {}
    found = decide(whole, limit=3, tell=stopping("levels", 4))
    assert (
        found.present == known.present
        and [holds for holds in found.holds.values() if holds is not None] == list(known.holds.values())[:4]
    )
    found = decide(whole, limit=3, tell=stopping("counts", 1))
    assert (found.holds, found.unreached, len(found.counts), found.interrupted) == (known.holds, frozenset(), 1, True)
    checked = check_trace(whole, level="SI", tell=stopping("levels", 0))
    assert (checked.ok, checked.failed(), [one.detail for one in checked.judged]) == (None, [], ["interrupted"])
    checked = check_trace(whole, level="SI", absent=("P4",), tell=stopping("levels", 0))
    assert (checked.ok, checked.failed()) == (False, ["no P4: it is present"])
    text = "\n".join(one.plain for one in trace_lines(checked))
    assert f"! interrupted: 0 of {len(names)} phenomena and {len(all_levels())} of {len(all_levels())} levels" in text
    assert "graph none or more" in text and "rw" not in text


def test_without_anyone_to_tell_ctrl_c_is_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*given: object) -> None:
        raise KeyboardInterrupt

    whole = of_schedule(parse_text("schedule s\n  r1[x0] r2[x0] w2[x1] c2 w1[x2] c1\n")[0])
    monkeypatch.setattr("toki_verify.histories.checked_trace.part_of", stop)
    with pytest.raises(KeyboardInterrupt):
        check_trace(whole)
    assert check_trace(whole, tell=lambda *step: None).interrupted
    monkeypatch.setattr("toki_verify.histories.columnar.reading.Reading.holds", stop)
    with pytest.raises(KeyboardInterrupt):
        decide(whole)
    monkeypatch.setattr("toki_verify.histories.sessions.verdict._Judge.outcome", stop)
    with pytest.raises(KeyboardInterrupt):
        check_history(history_of(parse_text("schedule s\n  r1[x0] w1[x1] c1\n")[0]))
