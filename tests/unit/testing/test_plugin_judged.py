"""No recording is left unjudged, however a test came by the fixture and whenever it records."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from .plugin_runs import run

pytest_plugins = ["pytester"]

HEAD = """
import unittest
import pytest

def record(toki, *, commit=True):
    rec = toki.recorder("two-agents")
    one, two = rec.begin(), rec.begin()
    for txn in (one, two):
        txn.read("m0", version=0)
    two.write("m0", version=1)
    two.commit()
    one.write("m0", version=2)
    if commit:
        one.commit()
    return one
"""


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("CI", raising=False)


def run_module(pytester: pytest.Pytester, text: str, *arguments: str) -> pytest.RunResult:
    Path(pytester.path, "test_it.py").write_text(HEAD + dedent(text), encoding="utf-8")
    return run(pytester, "test_it.py", *arguments)


WAYS = {
    "asked for in the test": """
        def test(request):
            record(request.getfixturevalue("toki"))
        """,
    "asked for in a fixture": """
        @pytest.fixture
        def agents(request):
            record(request.getfixturevalue("toki"))

        def test(agents):
            pass
        """,
    "an argument of a fixture": """
        @pytest.fixture
        def agents(toki):
            return toki

        def test(agents):
            record(agents)
        """,
    "in a fixture of the same name": """
        @pytest.fixture
        def toki(toki):
            return lambda: record(toki)

        def test(toki):
            toki()
        """,
    "usefixtures": """
        @pytest.fixture
        def agents(toki):
            record(toki)

        @pytest.mark.usefixtures("agents")
        def test():
            pass
        """,
    "a class of unittest": """
        class Test(unittest.TestCase):
            @pytest.fixture(autouse=True)
            def _toki(self, toki):
                self.toki = toki

            def test(self):
                record(self.toki)
        """,
    "a coroutine of unittest": """
        class Test(unittest.IsolatedAsyncioTestCase):
            @pytest.fixture(autouse=True)
            def _toki(self, toki):
                self.toki = toki

            async def test(self):
                record(self.toki)
        """,
    "the teardown of unittest": """
        class Test(unittest.TestCase):
            @pytest.fixture(autouse=True)
            def _toki(self, toki):
                self.toki = toki

            def test(self):
                self.addCleanup(record, self.toki)
        """,
    "after it was judged": """
        def test(toki):
            rec = toki.recorder("two-agents")
            one = rec.begin()
            one.read("m0", version=0)
            toki.check(rec)
            with rec.begin() as two:
                two.read("m0", version=0)
                two.write("m0", version=1)
            one.write("m0", version=2)
            one.commit()
        """,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_recording_is_judged_whatever_the_way_to_the_fixture(pytester: pytest.Pytester, way: str) -> None:
    result = run_module(pytester, WAYS[way])
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["P4 lost update"])
    assert result.stdout.str().count("✗ ") == 1


def test_a_doctest_may_record(pytester: pytest.Pytester) -> None:
    Path(pytester.path, "test_doc.txt").write_text(
        ">>> nothing_told = getfixture('toki').recorder()\n", encoding="utf-8"
    )
    run(pytester, "test_doc.txt").assert_outcomes(failed=1)


def test_xfail_covers_it(pytester: pytest.Pytester) -> None:
    text = '@pytest.mark.xfail(strict=True)\ndef test(request):\n    record(request.getfixturevalue("toki"))\n'
    run_module(pytester, text).assert_outcomes(xfailed=1)


# -- what is recorded behind the end of the test -----------------------------------------------------------------------
@pytest.mark.parametrize("body", ["record(toki)", "one.commit()"])
def test_what_a_teardown_records_is_an_error_there(pytester: pytest.Pytester, body: str) -> None:
    before = "one = record(toki, commit=False)" if "one" in body else "pass"
    text = f"""
        @pytest.fixture
        def agents(toki):
            {before}
            yield
            {body}

        @pytest.mark.toki(no="P4")
        def test(agents):
            pass
        """
    result = run_module(pytester, text)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["no P4: it is present", "ERROR test_it.py::test - *"])


def test_a_recording_that_a_teardown_completes_well_passes(pytester: pytest.Pytester) -> None:
    text = """
        @pytest.fixture
        def agent(toki):
            with toki.recorder().begin() as one:
                yield one

        def test(agent):
            agent.read("m0")
        """
    run_module(pytester, text).assert_outcomes(passed=1, warnings=1)


def test_a_recorder_of_a_test_that_is_over_is_refused(pytester: pytest.Pytester) -> None:
    text = """
        kept = []

        def test_first(toki):
            kept.append(toki)

        def test_second():
            kept[0].recorder()
        """
    result = run_module(pytester, text)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *RuntimeError: toki.recorder: the test of this fixture is over, *"])


# -- what is told once -------------------------------------------------------------------------------------------------
def test_every_recording_of_a_test_is_told(pytester: pytest.Pytester) -> None:
    result = run_module(pytester, "def test(toki):\n    record(toki)\n    record(toki)\n    toki.recorder('none')\n")
    result.assert_outcomes(failed=1)
    assert result.stdout.str().count("✗ two-agents") == 2
    result.stdout.fnmatch_lines(["<none>: a recording without any event, expected at least one*"])


SAYS_WHY = {
    "a failure": ("record(toki)\n    assert 1 == 2", {"failed": 1}),
    "a skip": ("record(toki)\n    pytest.skip('no')", {"skipped": 1}),
    "an xfail": ("record(toki)\n    pytest.xfail('no')", {"xfailed": 1}),
}


@pytest.mark.parametrize("name", SAYS_WHY)
def test_a_test_that_does_not_pass_says_only_its_own_reason(pytester: pytest.Pytester, name: str) -> None:
    body, outcome = SAYS_WHY[name]
    result = run_module(pytester, f"def test(toki):\n    {body}\n")
    result.assert_outcomes(**outcome)
    assert "P4" not in result.stdout.str()


UNITTEST = """
class Test(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def _toki(self, toki):
        self.toki = toki

    def test_fails(self):
        record(self.toki)
        self.assertEqual(1, 2)

    def test_skips(self):
        record(self.toki)
        self.skipTest("no")
"""


def test_a_test_of_unittest_that_does_not_pass_says_only_its_own_reason(pytester: pytest.Pytester) -> None:
    result = run_module(pytester, UNITTEST)
    result.assert_outcomes(failed=1, skipped=1)
    assert "P4" not in result.stdout.str()


SETUP = """
@pytest.fixture
def agents(toki):
    record(toki)

@pytest.fixture
def broken(agents):
    raise KeyError

def test(broken):
    pass
"""


def test_a_test_that_was_not_run_says_nothing_of_recordings(pytester: pytest.Pytester) -> None:
    result = run_module(pytester, SETUP)
    result.assert_outcomes(errors=1)
    assert "P4" not in result.stdout.str()
    run_module(pytester, SETUP.replace("raise KeyError", "pass"), "--setup-only").assert_outcomes()
