"""Schedule files and traces as tests: what is collected, and what it is called."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from toki_verify.cli.main import main

from .plugin_runs import GOOD, LOST, OPEN_VOTE, PLUGIN, SKEW, TRACE, run

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("CI", raising=False)


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


def write(pytester: pytest.Pytester, **files: str) -> None:
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        Path(pytester.path, f"{stem}.{suffix}").write_text(text, encoding="utf-8")


# -- what is collected -------------------------------------------------------------------------------------------------
def test_every_schedule_of_a_file_is_a_test_and_a_trace_is_one(pytester: pytest.Pytester) -> None:
    write(pytester, two_sched=GOOD + SKEW, run_jsonl=TRACE, plain_sched="r1[x0] c1\n")
    result = run(pytester, "--collect-only", "-q")
    assert ids(result) == ["plain.sched::plain", "run.jsonl::run", "two.sched::fine", "two.sched::skew"]


def test_schedules_in_json_lines_are_tests(pytester: pytest.Pytester) -> None:
    one = '{"format": "toki-schedule/1", "schedule": "%s", "events": [{"op": "c", "txn": "1"}]}\n'
    write(pytester, run_jsonl=one % "a" + one % "b")
    assert ids(run(pytester, "--collect-only", "-q")) == ["run.jsonl::a", "run.jsonl::b"]


FOREIGN = {
    "rows_jsonl": '{"prompt": "a", "completion": "b"}\n',
    "op_only_jsonl": '{"op": "add", "value": 1}\n',
    "events_jsonl": '{"events": []}\n{"op": "b", "txn": "1"}\n',
    "list_jsonl": '["op", "txn"]\n',
    "text_jsonl": "hello\n",
    "deep_jsonl": "[" * 100_000 + "\n",
    "broken_jsonl": '{"op": "add", "value"\n',
    "nested_jsonl": '{"change": {"op": "u", "txn": 7}}\n',
    "log_jsonl": '12:00 INFO started\n12:01 INFO the "op" column is gone\n',
    "empty_jsonl": "",
    "blank_jsonl": "\n \n",
    "cron_sched": "0 4 * * * backup\nnote that this is no schedule of ours\n",
    "xml_sched": "<schedule><order>1</order></schedule>\n",
    "none_sched": "",
}


def test_files_of_other_programs_are_left_alone(pytester: pytest.Pytester) -> None:
    write(pytester, **FOREIGN)
    Path(pytester.path, "packed.jsonl").write_bytes(gzip.compress(TRACE.encode()))
    Path(pytester.path, "wide.jsonl").write_text(FOREIGN["rows_jsonl"], encoding="utf-16")
    Path(pytester.path, "wide.sched").write_text(FOREIGN["cron_sched"], encoding="utf-16")
    Path(pytester.path, "noise.sched").write_bytes(bytes(range(256)) * 40)
    Path(pytester.path, "folder.jsonl").mkdir()
    result = run(pytester, "-W", "error")
    result.assert_outcomes()
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize("name", ["rows_jsonl", "broken_jsonl", "empty_jsonl", "cron_sched"])
def test_a_file_that_is_named_is_collected_whatever_it_holds(pytester: pytest.Pytester, name: str) -> None:
    write(pytester, **{name: FOREIGN[name]})
    result = run(pytester, name.replace("_", "."))
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"{name.replace('_', '.')}:1:*: error: *; expected *"])


def test_a_trace_that_begins_with_blank_lines_or_a_mark_of_its_encoding_is_ours(pytester: pytest.Pytester) -> None:
    write(
        pytester, blank_jsonl="\n\r\n  \n" + TRACE, marked_jsonl="\ufeff" + TRACE, old_jsonl=TRACE.replace("\n", "\r")
    )
    run(pytester).assert_outcomes(passed=3)


def test_a_schedule_file_with_a_slip_in_its_first_line_is_still_ours(pytester: pytest.Pytester) -> None:
    write(pytester, slip_sched="shcedule a\n  r1[x0] c1\n")
    result = run(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["slip.sched:1:1: error: *"])


#: Files of ours that cannot be read as they are, and what `toki-verify check` says of them.
FAULTY = {
    "digits.jsonl": '{"op": "b", "txn": "1", "t": ' + "1" * 5000 + "}\n",
    "deep.jsonl": '{"op": "b", "txn": "1", "value": ' + "[" * 5000 + "]" * 5000 + "}\n",
    "slip.jsonl": '{"op": "b", "txn": "1",}\n' + TRACE,
    "quotes.jsonl": "{'op': 'b', 'txn': '1'}\n",
    "lines.jsonl": '{\n  "op": "b",\n  "txn": "1"\n}\n',
    "array.jsonl": '[{"op": "b", "txn": "1"}]\n',
    "schedule.jsonl": '{"format": "toki-schedule/1", "events": [}\n',
    "wide.jsonl": TRACE.encode("utf-16"),
    "wide.sched": GOOD.encode("utf-16"),
    "widest.sched": GOOD.encode("utf-32"),
    "unmarked.sched": GOOD.encode("utf-16-be"),
    "latin.sched": (GOOD + "# é\n").encode("latin-1"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_file_of_ours_that_cannot_be_read_is_reported_as_by_the_command(
    pytester: pytest.Pytester, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content = FAULTY[name]
    Path(pytester.path, name).write_bytes(content if isinstance(content, bytes) else content.encode())
    result = run(pytester)
    result.assert_outcomes(errors=1)
    capsys.readouterr()
    assert main(["check", name]) == 2
    first = capsys.readouterr().err.split("\n")[0]
    assert first.startswith(f"{name}:1:") or "latin" in name
    assert first in result.outlines


def test_the_case_of_a_suffix_does_not_matter(pytester: pytest.Pytester) -> None:
    for name, text in {"P4.SCHED": LOST, "Run.JsonL": TRACE, "b.TRACE": GOOD, "c.TXT": GOOD}.items():
        Path(pytester.path, name).write_text(text, encoding="utf-8")
    run(pytester).assert_outcomes(passed=1, failed=1)
    pytester.makeini("[pytest]\ntoki_collect = *.sched *.trace\n")
    assert ids(run(pytester, "--collect-only", "-q")) == ["P4.SCHED::lost", "b.TRACE::fine"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything can be read")
def test_a_file_that_cannot_be_read_is_an_error_only_where_it_is_named(pytester: pytest.Pytester) -> None:
    write(pytester, shut_jsonl=TRACE)
    Path(pytester.path, "shut.jsonl").chmod(0)
    assert run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED
    run(pytester, "shut.jsonl").stdout.fnmatch_lines(
        ["shut.jsonl: error: permission denied; expected a readable file*"]
    )


# -- globs -------------------------------------------------------------------------------------------------------------
def test_globs_say_what_is_collected(pytester: pytest.Pytester) -> None:
    write(pytester, a_sched=GOOD, b_jsonl=TRACE, c_trace=GOOD)
    pytester.mkdir("traces").joinpath("d.jsonl").write_text(TRACE, encoding="utf-8")
    pytester.makeini("[pytest]\ntoki_collect = *.trace traces/*.jsonl\n")
    assert ids(run(pytester, "--collect-only", "-q")) == ["c.trace::fine", "traces/d.jsonl::d"]
    assert ids(run(pytester, "--collect-only", "-q", "a.sched")) == ["a.sched::fine"]


def test_no_glob_turns_collection_off(pytester: pytest.Pytester) -> None:
    write(pytester, a_sched=GOOD)
    pytester.makeini("[pytest]\ntoki_collect =\n")
    assert run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert run(pytester, "a.sched").ret == pytest.ExitCode.USAGE_ERROR  # pytest's own word on a file without tests


def test_a_test_module_that_is_named_stays_pythons(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_a(): pass")
    run(pytester, "test_it.py").assert_outcomes(passed=1)


# -- names -------------------------------------------------------------------------------------------------------------
ODD = {
    "P3[skew]": "P3[skew]",
    "a::b": "a:b",
    "[x] y": "(x) y",
    "a[b] c": "a(b) c",
    "with a space": "with a space",
    "a/b": "a/b",
    "naïve-日本": "naïve-日本",
    "tab\there": "tab\\u0009here",
    "x" * 300: "x" * 300,
}


def test_schedules_can_be_chosen_by_their_node_ids(pytester: pytest.Pytester) -> None:
    quoted = ('"' + name.replace("\t", "\\t") + '"' for name in ODD)
    write(pytester, odd_sched="".join(f"schedule {name}\n  r1[x0] c1\n" for name in (*quoted, "unchosen")))
    write(pytester, many_sched='schedule "a:::::b"\n  c1\n')
    listed = ids(run(pytester, "--collect-only", "-q"))
    assert listed == ["many.sched::a:b", *(f"odd.sched::{name}" for name in ODD.values()), "odd.sched::unchosen"]
    run(pytester, *listed[:-1]).assert_outcomes(passed=len(listed) - 1)
    for name in listed[1:3]:
        run(pytester, name).assert_outcomes(passed=1)


def test_names_that_are_written_alike_stay_apart(pytester: pytest.Pytester) -> None:
    write(pytester, odd_sched='schedule "a::b"\n  c1\nschedule "a:b"\n  c1\n')
    assert ids(run(pytester, "--collect-only", "-q")) == ["odd.sched::a:b", "odd.sched::a:b (line 3)"]


def test_k_and_m_choose_schedules(pytester: pytest.Pytester) -> None:
    write(pytester, two_sched=GOOD + SKEW)
    pytester.makepyfile(test_it="def test_a(): pass")
    run(pytester, "-k", "fine").assert_outcomes(passed=1, deselected=2)
    run(pytester, "-m", "toki").assert_outcomes(passed=1, failed=1, deselected=1)
    run(pytester, "-m", "not toki", "--strict-markers").assert_outcomes(passed=1, deselected=2)


def test_schedules_that_failed_can_be_run_again(pytester: pytest.Pytester) -> None:
    write(pytester, two_sched=GOOD + LOST + 'schedule "a[b] c"\n  r1[x0] c1\n  expect P4\n', run_jsonl=TRACE)
    pytester.runpytest_inprocess("-p", PLUGIN).assert_outcomes(passed=2, failed=2)
    pytester.runpytest_inprocess("-p", PLUGIN, "--lf").assert_outcomes(failed=2)


def test_a_report_in_junits_form_has_the_explanation(pytester: pytest.Pytester) -> None:
    write(pytester, two_sched=GOOD + LOST)
    run(pytester, "--junitxml=run.xml")
    report = Path(pytester.path, "run.xml").read_text(encoding="utf-8")
    assert 'classname="two.sched" name="lost"' in report and '<failure message="P4 lost update">✗ lost' in report


def test_workers_of_xdist_judge_schedules(pytester: pytest.Pytester) -> None:
    write(pytester, all_sched=GOOD + LOST + SKEW + OPEN_VOTE + 'schedule "[x] y"\n  c1\n', run_jsonl=TRACE)
    result = run(pytester, "-n", "2")
    result.assert_outcomes(passed=3, failed=3)
    result.stdout.fnmatch_lines(["*✗ lost*all.sched:3", "*T1 read one version and wrote over a later one*"])
