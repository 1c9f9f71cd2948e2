"""How suites are used by strangers: from a few lines of a test file, with few and readable lines where a law breaks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import SkipTest

import pytest
from hypothesis import settings
from hypothesis.errors import InvalidArgument

from tests.laws.mutants import MUTANTS
from toki_verify import testing
from toki_verify.algebra import LWW, OPERATORS
from toki_verify.algebra.carriers import COUNTING, MULTIDEGREE
from toki_verify.events import Schedule
from toki_verify.stores import MemoryStore, WritePath
from toki_verify.testing import (
    LAWS,
    LawBroken,
    carrier_suite,
    judge_log_suite,
    operator_suite,
    write_path_machine,
)

QUICK = settings(settings.get_profile("toki-ci"), max_examples=60)


def failure(run: Callable[[], Any]) -> LawBroken:
    with pytest.raises(LawBroken) as caught:
        run()
    return caught.value


def test_a_broken_law_is_told_with_its_source_and_the_smallest_facts() -> None:
    suite = MUTANTS["lww-tie-smaller-id"].make()
    assert str(failure(lambda: suite.check("Tab13.lww", QUICK))) == (
        "Tab13.lww is broken: f1 (penicillin) wins, not f2 (amoxicillin)\n"
        "\n"
        "  law     lww: the larger (system_time_start, fact_id) wins\n"
        "  source  TOKI 2026, Table 13\n"
        "\n"
        "          fact_id  object       valid_from  system_time_start  provenance_id\n"
        "  first   f1       penicillin   2026-03-01  2026-03-01         f1\n"
        "  second  f2       amoxicillin  2026-04-15  2026-03-01         f2\n"
        "\n"
        "  operator 'lww', now 2026-07-01"
    )


def test_a_broken_carrier_is_told_with_its_elements() -> None:
    suite = MUTANTS["plus-drops-coefficients"].make()
    told = str(failure(lambda: suite.check("plus-identity", settings(QUICK, max_examples=1_000))))
    assert "its sides differ" in told
    assert "\n  a = 1+2*x+x^2\n  a ⊕ 0 = 1+x+x^2\n  0 ⊕ a = 1+x+x^2" in told


@pytest.mark.parametrize("name", [name for name, mutant in MUTANTS.items() if mutant.suite == "write_path_machine"])
def test_a_broken_write_path_is_told_as_a_schedule_that_parses(name: str) -> None:
    case = MUTANTS[name].make().TestCase
    case.settings = settings(case.settings, derandomize=True, database=None, max_examples=2_000)
    text = str(failure(lambda: case().runTest()))
    schedule = Schedule.parse(text.split("  schedule  ")[1].split("\n")[0])
    assert 1 <= len(schedule.resolved.txns) <= 8
    rules = ("  write(", "  give(", "  step(", "  finish(", "  crash(")
    assert 1 < len([line for line in text.split("\n") if line.startswith(rules)]) <= 5, text


PROJECT = """
from toki_verify.algebra import LWW, OPERATORS
from toki_verify.algebra.carriers import COUNTING
from toki_verify.stores import MemoryStore, WritePath
from toki_verify.testing import *

class Raises:
    def resolve(self, first, second, **options):
        raise KeyError("no such thing")

class Mine:
    def resolve(self, first, second, **options):
        return LWW.resolve(second, first, **options)

TestMine = operator_suite(lambda: {"lww": Mine()})
TestRaises = operator_suite(lambda: {"mine": Raises()})
TestWrites = write_path_machine(
    lambda: MemoryStore(COUNTING, busy_seconds=0),
    make_writer=lambda store, oracles: WritePath(store, oracles=oracles, consult=False),
    laws=["N1.verdict"],
).TestCase
"""


def run_pytest(directory: Path, *arguments: str) -> str:
    (directory / "test_mine.py").write_text(PROJECT, encoding="utf-8")
    (directory / "conftest.py").write_text(
        "import toki_verify.testing.profiles\nfrom hypothesis import settings\nsettings.load_profile('toki-ci')\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "COLUMNS": "200"}
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120, env=environment).stdout


def test_pytest_collects_and_tells_it_in_few_lines(tmp_path: Path) -> None:
    out = run_pytest(tmp_path, "-q", "test_mine.py")
    assert "TestMine" not in out.split("short test summary")[-1], "an operator that is right"
    assert "FAILED test_mine.py::TestRaises::test_C2_stamp - toki_verify.testing.failures.LawBroken" in out
    assert "FAILED test_mine.py::TestWrites::runTest" in out
    stamp = out.split("TestRaises.test_C2_stamp")[1].split("TestRaises.test_")[0]
    assert 'raise KeyError("no such thing")' in stamp, "their own line is shown"
    assert "toki_verify/testing/operator_laws.py" not in stamp and stamp.count("\n") < 40
    writes = out.split("TestWrites.runTest")[1].split("short test summary")[0]
    assert "N1.verdict is broken" in writes and writes.count("\n") < 30, writes


def test_laws_that_do_not_apply_are_skipped_and_say_why() -> None:
    suite = operator_suite(lambda: {"mine": LWW})
    with pytest.raises(SkipTest, match="no operator lww"):
        suite.check("Tab13.lww")
    with pytest.raises(SkipTest, match="no reopen= was given"):
        judge_log_suite(lambda: MemoryStore(MULTIDEGREE)).check("H1.durable")
    with pytest.raises(SkipTest, match="optional_laws=False"):
        carrier_suite(COUNTING, optional_laws=False).check("laws-claimed")


class TestOperators(operator_suite(lambda: OPERATORS, settings=QUICK)):  # type: ignore[misc]
    """A suite can be a base class, too."""


def test_a_law_that_fails_now_and_then_is_told_so() -> None:
    calls = []

    class Sometimes:
        def resolve(self, first: Any, second: Any, **options: Any) -> Any:
            calls.append(1)
            if len(calls) == 7:
                raise KeyError("only once")
            return LWW.resolve(first, second, **options)

    told = str(failure(lambda: operator_suite(lambda: {"lww": Sometimes()}).check("T2.sound", QUICK)))
    assert "T2.sound is broken" in told and "not every time" in told


def test_a_writer_that_has_only_ingest() -> None:
    class Ingest:
        def __init__(self, store: Any, oracles: Any) -> None:
            self.ingest = WritePath(store, oracles=oracles, duplicates="accumulate").ingest

    store = lambda: MemoryStore(MULTIDEGREE, busy_seconds=0)  # noqa: E731
    for rule, breaks in (("accumulate", False), ("return", True)):
        case = write_path_machine(store, make_writer=Ingest, duplicates=rule, settings=QUICK).TestCase
        if breaks:
            assert failure(lambda case=case: case().runTest()).law == "A1.model"  # type: ignore[misc]
        else:
            case().runTest()


def test_arguments_of_the_machine_are_checked() -> None:
    with pytest.raises(InvalidArgument, match=r"laws must be some of .*, not T3"):
        write_path_machine(MemoryStore, laws=("T3",))  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="number of strategies must be 1 to 4, not 0"):
        write_path_machine(MemoryStore, strategies=())  # type: ignore[arg-type]


def test_every_law_is_a_test_of_its_suites_and_nothing_else_is() -> None:
    suites = {
        "operator_suite": operator_suite(lambda: OPERATORS).laws,
        "carrier_suite": carrier_suite(COUNTING).laws,
        "judge_log_suite": judge_log_suite(lambda: MemoryStore(COUNTING)).laws,
        "pipeline_suite": testing.pipeline_suite(lambda: None).laws,
        "store_suite": testing.store_suite(lambda: None).laws,
        "write_path_machine": tuple(write_path_machine(MemoryStore).laws),  # type: ignore[arg-type]
    }
    assert {(suite, law) for suite, laws in suites.items() for law in laws} == {
        (suite, law.id) for law in LAWS.values() for suite in law.suites
    }


def test_every_public_name_is_there_and_profiles_are_registered() -> None:
    for name in testing.__all__:
        assert getattr(testing, name) is not None
    assert settings.get_profile("toki-ci").derandomize
    assert settings.get_profile("toki-nightly").max_examples >= 1_000
    with pytest.raises(AttributeError, match="no attribute 'suites'"):
        _ = testing.suites


def test_without_hypothesis_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['hypothesis'] = None\nfrom toki_verify.testing import facts"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: toki_verify.testing.facts needs Hypothesis: pip install 'toki-verify[testing]'" in done.stderr
