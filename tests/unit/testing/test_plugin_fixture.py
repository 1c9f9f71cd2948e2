"""The fixture `toki`: `check` returns a verdict or fails the test with the report; a recorder is judged at the end."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from toki_verify import Schedule, load
from toki_verify.cli.main import main
from toki_verify.testing.collect_recorder import Recorder

from .plugin_runs import LOST, TRACE, run

pytest_plugins = ["pytester"]

HEAD = "import pytest\nfrom toki_verify import Schedule\n"
LOST_UPDATE = "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1"
RECORDING = """
    rec = toki.recorder("two-agents")
    one, two = rec.begin(), rec.begin()
    one.read("m0", "pizza", version=0)
    two.read("m0", "pizza", version=0)
    two.write("m0", "pizza, olives", version=1)
    two.commit()
    one.write("m0", "pizza, cheese", version=2)
    one.commit()
"""


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("CI", raising=False)


def run_bodies(pytester: pytest.Pytester, *bodies: str, head: str = "") -> pytest.RunResult:
    """Run tests with these bodies, each with the fixture."""
    functions = (
        f"{head}\ndef test_{number}(toki):\n{indent(dedent(body), '    ')}\n" for number, body in enumerate(bodies)
    )
    Path(pytester.path, "test_it.py").write_text(HEAD + "\n".join(functions), encoding="utf-8")
    return run(pytester, "test_it.py")


# -- check -------------------------------------------------------------------------------------------------------------
def test_a_verdict_is_returned_where_all_is_as_expected(pytester: pytest.Pytester) -> None:
    Path(pytester.path, "good.jsonl").write_text(TRACE, encoding="utf-8")
    Path(pytester.path, "good.sched").write_text(LOST + "  expect P4\n", encoding="utf-8")
    result = run_bodies(
        pytester,
        "assert toki.check('r1[x0] w1[x1] c1').maximal('graph') == ('SR',)",
        "assert toki.check(Schedule.parse('r1[x0] w1[x1] c1')).ok is True",
        "import pathlib; assert toki.check(pathlib.Path('good.jsonl')).name == 'good'",
        "assert toki.check('good.sched').findings['P4'].present",
        f"assert toki.check('{LOST_UPDATE}', level='RC').ok",
        f"assert toki.check('{LOST_UPDATE}', 'PL-2', family='adya').ok",
        f"assert toki.check('''schedule a\n {LOST_UPDATE}\n expect P4''').ok",
    )
    result.assert_outcomes(passed=7)


def test_a_failure_shows_the_line_of_the_test_and_the_report(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run_bodies(pytester, f"toki.check('{LOST_UPDATE}')")
    output = result.stdout.str()
    capsys.readouterr()
    main(["check", "-e", LOST_UPDATE])
    report = capsys.readouterr().out.rstrip("\n").split("\n")[1:]
    shown = [line[8:].rstrip() for line in output.split("\n") if line.startswith("E ")]
    assert shown[-len(report) :] == report
    result.stdout.fnmatch_lines([">       toki.check(*", "E       UnexpectedVerdict: P4 lost update"])
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_0 - UnexpectedVerdict: P4 lost update"])
    assert "collect_fixture" not in output


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (f"toki.check('{LOST_UPDATE}', level='SI')", "*level graph:SI: the schedule is not at this level"),
        (f"toki.check('{LOST_UPDATE}', level='RC', no=['P4'])", "*no P4: it is present"),
        (f"toki.check('{LOST_UPDATE}', level='RC', no='P4')", "*no P4: it is present"),
        ("toki.check('j1(R, theta) c1 j2(R, theta)=1 c2')", "*undecided: N1: *"),
        ("toki.check('j1(R, theta) c1 j2(R, theta)=1 c2', no='N1')", "*undecided: no N1: *"),
        ("toki.check('r1[x0')", "*<schedule>:1:6: *"),
        ("toki.check('absent.sched')", "*absent.sched: no such file or directory, expected a readable file*"),
        ("toki.check('schedule a\\n c1\\nschedule b\\n c1')", "*2 schedules, expected one*"),
        ("toki.check('c1', level='SII')", "*unknown level of family graph 'SII', expected *did you mean SI*"),
        ("toki.check('a\\0.sched')", "*a?u0000.sched: embedded null byte, expected a readable file*"),
        ("toki.check(None)", "*TypeError: toki.check: None, expected a Schedule, its text, *"),
        ("toki.check(b'')", "*TypeError: toki.check: the bytes b'', expected a Schedule, its text, *"),
        ("toki.check('c1', level=5)", "*TypeError: level: the int 5, expected a name in quotes"),
        ("toki.check('c1', no=[None])", "*TypeError: no: None, expected the name of a phenomenon *"),
        ("toki.recorder('c1', family=[])", "*TypeError: family: the list [[]], expected a name *"),
        ("toki.check('c1', no='P44')", "*unknown phenomenon 'P44', expected *"),
    ],
)
def test_what_is_not_as_expected_fails_the_test(pytester: pytest.Pytester, call: str, message: str) -> None:
    result = run_bodies(pytester, call)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E {message}"])


def test_the_failure_is_an_assertion_error_with_the_verdict(pytester: pytest.Pytester) -> None:
    result = run_bodies(
        pytester,
        f"""
        with pytest.raises(AssertionError) as caught:
            toki.check('{LOST_UPDATE}')
        assert caught.value.verdict.findings['P4'].present
        """,
    )
    result.assert_outcomes(passed=1)


# -- recorder ----------------------------------------------------------------------------------------------------------
def test_a_recording_is_judged_when_the_test_ends(pytester: pytest.Pytester) -> None:
    result = run_bodies(pytester, RECORDING)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["P4 lost update", "✗ two-agents", "*T1  b1*r1?m0@0=pizza?*"])
    assert "During handling" not in result.stdout.str() and "Traceback" not in result.stdout.str()


def test_a_recording_that_is_expected_to_fail(pytester: pytest.Pytester) -> None:
    head = "@pytest.mark.xfail(strict=True)"
    run_bodies(pytester, RECORDING, head=head).assert_outcomes(xfailed=1)


def test_a_recording_that_the_test_judges_itself_is_judged_once(pytester: pytest.Pytester) -> None:
    body = RECORDING.rstrip() + "\n    with pytest.raises(AssertionError):\n        toki.check(rec)\n"
    run_bodies(pytester, body).assert_outcomes(passed=1)


def test_every_recorder_is_judged_by_its_own_level(pytester: pytest.Pytester) -> None:
    at = RECORDING.replace('"two-agents"', '"two-agents", level="{}"')
    run_bodies(pytester, at.format("RC"), at.format("SI"), at.format("RC") + at.format("SI")).assert_outcomes(
        passed=1, failed=2
    )


def test_a_recording_without_events_is_no_pass(pytester: pytest.Pytester) -> None:
    result = run_bodies(pytester, "toki.recorder()")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["<recording>: a recording without any event, expected at least one*"])


def test_a_test_that_fails_by_itself_says_only_that(pytester: pytest.Pytester) -> None:
    result = run_bodies(pytester, RECORDING.rstrip() + "\n    assert 1 == 2\n")
    result.assert_outcomes(failed=1)
    assert "P4" not in result.stdout.str()


def test_another_fixture_of_the_name_is_left_alone(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("import pytest\n@pytest.fixture\ndef toki():\n    return 1\n")
    run_bodies(pytester, "assert toki == 1").assert_outcomes(passed=1)


def test_a_recording_can_be_saved(tmp_path: Path) -> None:
    recorder = Recorder()
    with recorder.begin() as one:
        one.write("m0", "é")
    recorder.save(tmp_path / "run.jsonl")
    (source,) = load([str(tmp_path / "run.jsonl")])
    assert source.schedules[0][0].events == recorder.schedule().events and not source.problems


def test_every_kind_of_event_can_be_recorded() -> None:
    recorder = Recorder("all")
    with recorder.begin(session="s") as one:
        one.read("m0", None, version=0, table="memories")
        one.read_where("user=alice", {"m0": 0}, table="memories")
        one.read_where("user=bob", [], table="memories")
        one.judge("R", "pinned", vote="UPDATE")
        one.judge("R2", "theta")
        one.callback("R", "h", 1)
        one.write("m0", {"text": "é"}, version=1, table="memories", predicates=["user=alice"], operator="await")
        one.write("m1", version=1, table="memories", insert=True)
    with pytest.raises(KeyError), recorder.begin("A") as two:
        two.read("m0", version=1, table="memories")
        raise KeyError
    with pytest.raises(ValueError, match=r"transaction A has ended"):
        two.read("m0")
    expected = """
        b1 r1[memories:m0@0=null] r1{memories:"user=alice": m0@0} r1{memories:"user=bob":}
        j1(R, pinned)=UPDATE j1(R2, theta) cb1(R, h, 1)
        w1[memories:m0@1={"text": "é"} in "user=alice" by await] w1[+memories:m1@1] c1
        bTA rTA[memories:m0@1] aTA
    """
    assert recorder.schedule().events == Schedule.parse(expected).events
