"""A schedule as a test passes and fails as `toki-verify check` judges it, and its failure reads like that."""

from __future__ import annotations

from pathlib import Path

import pytest

from toki_verify.cli.main import main

from .plugin_runs import GOOD, LOST, OPEN_VOTE, SKEW, TRACE, run

pytest_plugins = ["pytester"]

SCHEDULES = {
    "fine": GOOD,
    "lost": LOST,
    "lost as expected": LOST + "  expect P4\n",
    "expected in vain": GOOD.replace("fine", "vain") + "  expect P4\n",
    "no level": LOST + "  expect level SI\n",
    "skew": SKEW,
    "skew at its level": SKEW + "  expect level SI\n",
    "undecided": OPEN_VOTE,
    "undecided and expected": OPEN_VOTE + "  expect N1\n",
    "pattern only": "schedule pattern\n  w1[x1] c1 r2[x1] w2[x2] c2\n",
}
OPTIONS: dict[str, tuple[str, ...]] = {
    "none": (),
    "SI": ("level=SI",),
    "a pin": ("level=RC+SR@judge_log",),
    "another family": ("level=PL-3", "family=adya"),
    "a family alone": ("family=session",),
    "an absent phenomenon": ("level=SI", "no=N1"),
}


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "111")
    monkeypatch.delenv("CI", raising=False)


def command(capsys: pytest.CaptureFixture[str], file: Path, options: tuple[str, ...]) -> tuple[int, list[str]]:
    capsys.readouterr()
    code = main(["check", file.name, *(f"--{option}" for option in options)])
    return code, capsys.readouterr().out.rstrip("\n").split("\n")


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_verdicts_are_those_of_the_command(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    files = [Path(pytester.path, f"{name.replace(' ', '-')}.sched") for name in SCHEDULES]
    for file, text in zip(files, SCHEDULES.values(), strict=True):
        file.write_text(text, encoding="utf-8")
    expected = {file.name: command(capsys, file, options) for file in files}
    result = run(pytester, "-rA", *(f"--toki-{option}" for option in options))
    output = result.stdout.str()
    for name, (code, report) in expected.items():
        assert (f"PASSED {name}::" in output, f"FAILED {name}::" in output) == (code == 0, code != 0), name
        assert code == 0 or "\n".join(report) in output, name


def test_a_trace_is_judged_as_the_command_does(pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(pytester.path, "run.jsonl")
    file.write_text(
        TRACE.replace("}", ', "t": 1}', 1)
        + '{"op": "b", "txn": "2"}\n'
        + '{"op": "r", "txn": "2", "item": "m0", "version": "0"}\n'
        + '{"op": "w", "txn": "2", "item": "m0", "version": "2"}\n'
        + '{"op": "c", "txn": "2"}\n',
        encoding="utf-8",
    )
    code, report = command(capsys, file, ())
    result = run(pytester)
    assert code == 1 and "\n".join(report) in result.stdout.str()
    result.assert_outcomes(failed=1)


def test_what_is_undecided_is_a_failure_that_says_so(pytester: pytest.Pytester) -> None:
    Path(pytester.path, "a.sched").write_text(OPEN_VOTE, encoding="utf-8")
    result = run(pytester)
    result.assert_outcomes(failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["[?] open-vote  a.sched:1", "*N1 is undecided: *", "FAILED a.sched::open-vote - undecided: N1: *"]
    )


def test_the_short_summary_names_what_is_wrong(pytester: pytest.Pytester) -> None:
    Path(pytester.path, "a.sched").write_text(LOST + SKEW + "  expect level SR\n", encoding="utf-8")
    result = run(pytester, "--tb=no")
    result.stdout.fnmatch_lines(
        ["FAILED a.sched::lost - P4 lost update", "FAILED a.sched::skew - expect level SR: the strongest it has is SI*"]
    )
    run(pytester, "--tb=line").stdout.fnmatch_lines(["a.sched:1: P4 lost update"])


def test_no_traceback_and_no_colours_where_there_are_none(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(pytester.path, "a.sched").write_text(LOST, encoding="utf-8")
    plain = run(pytester).stdout.str()
    assert "Traceback" not in plain and ".py" not in plain.partition("FAILURES")[2] and "\x1b" not in plain
    coloured = run(pytester, "--color=yes").stdout.str()
    assert "\x1b[1m\x1b[31mP4\x1b[0m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run(pytester).stdout.str()


def test_what_a_reader_should_know_is_a_warning(pytester: pytest.Pytester) -> None:
    Path(pytester.path, "a.sched").write_text("schedule open\n  r1[x0] w1[x1]\n", encoding="utf-8")
    result = run(pytester)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*a.sched:1: TokiWarning: T1 has neither commit nor abort*"])
    strict = run(pytester, "-W", "error::toki_verify.testing.pytest_plugin.TokiWarning")
    strict.assert_outcomes(failed=1)
    assert "Traceback" not in strict.stdout.str()


# -- what cannot be read -----------------------------------------------------------------------------------------------
MALFORMED = {
    "a.sched": "schedule a\n  r1[x0\n  w2[]\nschedule b\n  r1[x0] c1\n",
    "b.jsonl": TRACE + '{"op": "q", "txn": "1"}\n',
    "c.sched": "schedule a\n  c1\nschedule a\n  c1\n",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_an_error_that_reads_like_the_commands(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    Path(pytester.path, name).write_text(MALFORMED[name], encoding="utf-8")
    capsys.readouterr()
    assert main(["check", name]) == 2
    messages = capsys.readouterr().err.rstrip("\n")
    result = run(pytester)
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert messages in result.stdout.str() and "Traceback" not in result.stdout.str()
    result.stdout.fnmatch_lines([f"ERROR {name} - {name}:*, expected *"])


def test_an_expectation_with_an_unknown_name_fails_with_its_place(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(pytester.path, "a.sched").write_text("schedule a\n  c1\n  expect P44\n", encoding="utf-8")
    capsys.readouterr()
    main(["check", "a.sched"])
    message = capsys.readouterr().err.splitlines()[0]
    result = run(pytester)
    result.assert_outcomes(failed=1)
    assert message in result.stdout.str() and "did you mean P4?" in message
