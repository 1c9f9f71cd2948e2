"""Options, ini options and the marker: what they say is judged, and wrong names are told with the nearest ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from .plugin_runs import LOST, OPEN_VOTE, SKEW, run

pytest_plugins = ["pytester"]

LEVELS = "level no-lost-belief\n  title nothing overwritten unseen\n  source us\n  no P4\n"


@pytest.fixture(autouse=True)
def _files(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    Path(pytester.path, "a.sched").write_text(LOST + SKEW, encoding="utf-8")
    Path(pytester.path, "mine.levels").write_text(LEVELS, encoding="utf-8")


WRONG = {
    "level=SII": "*unknown level of family graph 'SII', expected a known one (did you mean SI or SI?G??)",
    "family=graf": "*unknown family 'graf', expected a known one (did you mean graph?)",
    "no=P44": "*unknown phenomenon 'P44', expected a known one (did you mean *P4*?)",
    "levels=absent.levels": "*--toki-levels: absent.levels: No such file or directory",
}


@pytest.mark.parametrize("place", ["command line", "ini file"])
@pytest.mark.parametrize("option", WRONG)
def test_a_wrong_name_is_refused_before_anything_runs(pytester: pytest.Pytester, option: str, place: str) -> None:
    name, _, value = option.partition("=")
    if place == "ini file":
        pytester.makeini(f"[pytest]\ntoki_{name} = {value}\n")
    result = run(pytester, *([f"--toki-{option}"] if place == "command line" else []))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([WRONG[option]])
    assert "Traceback" not in result.stderr.str()


@pytest.mark.parametrize("place", ["command line", "ini file", "-o"])
@pytest.mark.parametrize("value", ["", "  "])
@pytest.mark.parametrize("name", ["level", "family", "levels", "no"])
def test_an_empty_value_is_refused_and_switches_no_gate_off(
    pytester: pytest.Pytester, name: str, value: str, place: str
) -> None:
    pytester.makeini("[pytest]\n" + (f"toki_{name} ={value}\n" if place == "ini file" else "toki_level = SR\n"))
    arguments = {"command line": [f"--toki-{name}", value], "ini file": [], "-o": ["-o", f"toki_{name}={value}"]}
    result = run(pytester, *arguments[place])
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    shown = f"--toki-{name}" if place == "command line" else f"toki_{name} in the ini file"
    result.stderr.fnmatch_lines([f"*{shown}: an empty value, expected *"])


def test_one_empty_value_of_several_is_refused(pytester: pytest.Pytester) -> None:
    assert run(pytester, "--toki-no=N1", "--toki-no=").ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize("name", ["level", "family", "levels", "no"])
def test_a_long_name_is_not_repeated_whole(pytester: pytest.Pytester, name: str) -> None:
    result = run(pytester, f"--toki-{name}={'Q' * 5000}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "Q" * 50 in result.stderr.str() and "Q" * 70 not in result.stderr.str()


def test_levels_of_a_file_that_are_malformed_are_told_with_their_place(pytester: pytest.Pytester) -> None:
    Path(pytester.path, "mine.levels").write_text("level a\n  no P44\n", encoding="utf-8")
    result = run(pytester, "--toki-levels=mine.levels")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*mine.levels:2:*"])


def test_the_ini_file_says_the_same_as_the_options(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ntoki_level = PL-SI\ntoki_family = adya\ntoki_no = N1 A5B\n")
    result = run(pytester)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*✗ level adya:PL-SI*", "*✗ no A5B: it is present*"])


def test_the_command_line_goes_before_the_ini_file(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ntoki_level = SR\n")
    run(pytester).assert_outcomes(failed=2)
    run(pytester, "--toki-level=SI").assert_outcomes(failed=1, passed=1)


def test_what_must_be_absent_is_gathered(pytester: pytest.Pytester) -> None:
    Path(pytester.path, "a.sched").write_text(LOST + SKEW + OPEN_VOTE, encoding="utf-8")
    pytester.makeini("[pytest]\ntoki_level = RC\ntoki_no = P4\n")
    run(pytester).assert_outcomes(failed=1, passed=2)
    run(pytester, "--toki-no=A5B", "--toki-no=N1").assert_outcomes(failed=3)


def test_levels_of_ones_own(pytester: pytest.Pytester) -> None:
    arguments = ("--toki-levels=mine.levels", "--toki-level=no-lost-belief")
    run(pytester, *arguments).assert_outcomes(failed=1, passed=1)
    pytester.mkdir("below")
    pytester.makeini("[pytest]\ntoki_levels = mine.levels\ntoki_level = no-lost-belief\n")
    run(pytester, "--rootdir=.").assert_outcomes(failed=1, passed=1)


# -- the marker --------------------------------------------------------------------------------------------------------
CHECK = "toki.check('r1[x0] r2[y0] w1[y1] c1 w2[x1] c2')"


def test_the_marker_says_what_the_fixture_judges_by(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(f"""
        import pytest

        pytestmark = pytest.mark.toki(level="SR")

        def test_module(toki):
            {CHECK}

        @pytest.mark.toki(level="SI")
        def test_nearest(toki):
            {CHECK}

        @pytest.mark.toki(level="PL-SI", family="adya")
        def test_family(toki):
            {CHECK}

        @pytest.mark.toki(level="SI", no="A5B")
        def test_absent(toki):
            {CHECK}

        def test_argument(toki):
            toki.check('r1[x0] r2[y0] w1[y1] c1 w2[x1] c2', level="SI")
        """)
    result = run(pytester, "-rA", "--strict-markers", "-k", "test_")
    result.assert_outcomes(passed=3, failed=2, deselected=2)
    for name in ("nearest", "family", "argument"):
        assert f"::test_{name}" in "".join(line for line in result.outlines if line.startswith("PASSED"))


def test_the_options_hold_for_the_fixture_where_no_marker_says_otherwise(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(f"""
        import pytest

        def test_plain(toki):
            {CHECK}

        @pytest.mark.toki(level="SR")
        def test_marked(toki):
            {CHECK}
        """)
    run(pytester, "-k", "test_").assert_outcomes(failed=2, deselected=2)
    run(pytester, "-k", "test_", "--toki-level=SI").assert_outcomes(failed=1, passed=1, deselected=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('level="SII"', "@pytest.mark.toki: unknown level of family graph 'SII', *did you mean SI*"),
        ('family="graf"', "@pytest.mark.toki: unknown family 'graf', *did you mean graph?)"),
        ('no=["P44"]', "@pytest.mark.toki: unknown phenomenon 'P44', *"),
        ('levl="SI"', "@pytest.mark.toki: the argument 'levl', expected level, family, no (did you mean level?)"),
        ("level=5", "@pytest.mark.toki: level: the int 5, expected a name in quotes"),
        ('level=""', "@pytest.mark.toki: unknown level of family graph '', *"),
        ("family=[]", "@pytest.mark.toki: family: the list [[]], expected a name in quotes"),
        ("no=5", "@pytest.mark.toki: no: the int 5, expected the name of a phenomenon in quotes, or several"),
        ("no=[None]", "@pytest.mark.toki: no: None, expected the name of a phenomenon in quotes, or several"),
        ("no=None", "@pytest.mark.toki: no: None, expected *"),
        ('no=b"N1"', "@pytest.mark.toki: no: the bytes b'N1', expected *"),
        ('"SI"', "@pytest.mark.toki: the argument 'SI' without a name, expected level, family, no"),
    ],
)
def test_a_wrong_marker_fails_its_test(pytester: pytest.Pytester, arguments: str, message: str) -> None:
    pytester.makepyfile(f"""
        import pytest

        @pytest.mark.toki({arguments})
        def test_it(toki):
            pass
        """)
    result = run(pytester, "-k", "test_it")
    result.assert_outcomes(errors=1, deselected=2)
    result.stdout.fnmatch_lines([message])
    assert "Traceback" not in result.stdout.str() and "During handling" not in result.stdout.str()


def test_the_marker_is_registered(pytester: pytest.Pytester) -> None:
    run(pytester, "--markers").stdout.fnmatch_lines(["@pytest.mark.toki(level=None, family=None, no=()): *"])
