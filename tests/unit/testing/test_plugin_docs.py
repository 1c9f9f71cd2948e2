"""What docs/testing.md says is so: its code runs, its outputs are printed, its tables are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toki_verify import testing
from toki_verify.testing import PROFILES
from toki_verify.testing.collect_fixture import Toki
from toki_verify.testing.collect_recorder import Recorded, Recorder

from .plugin_runs import GOOD, LOST, ROOT, outside, run

pytest_plugins = ["pytester"]

TEXT = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
BLOCKS = [(kind, body.rstrip("\n")) for kind, body in re.findall(r"^```(\w*)\n(.*?)^```", TEXT, re.M | re.S)]
CODE = [body for kind, body in BLOCKS if kind == "python"]
FIXTURE, SUITES, BROKEN, CONFTEST = CODE
PLUGIN = ("-p", "toki_verify.testing.pytest_plugin")


def rows(heading: str) -> list[list[str]]:
    lines = TEXT.split("\n")
    start = lines.index(heading) + 2
    found = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def test_the_failure_shown_is_printed(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "memory.sched").write_text(
        "# two agents\n" + GOOD + LOST.replace("lost", "lost-update"), encoding="utf-8"
    )
    shown = next(body for kind, body in BLOCKS if kind == "console").split("\n")
    assert shown[0] == "$ pytest tests/memory.sched"
    done = outside(tmp_path, *PLUGIN, "tests/memory.sched", COLUMNS="80")
    printed = re.sub(r"in [0-9.]+s =", "in 0.16s =", done.stdout).split("\n")
    assert "\n".join(shown[1:]) in "\n".join(line.rstrip() for line in printed)


def test_the_options_are_those_of_the_plugin(pytester: pytest.Pytester) -> None:
    text = run(pytester, "--help").stdout.str()
    options, inis = set(re.findall(r"--toki-\w+", text)), set(re.findall(r"^ +(toki_\w+) \(", text, re.M))
    table = rows("| option | in the ini file | what it says |")
    assert {cell.strip("`").split()[0] for cell, _, _ in table if cell} == options
    assert {cell.strip("`") for _, cell, _ in table} == inis


def test_the_tests_with_the_fixture_pass(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=FIXTURE)
    run(pytester, "test_it.py").assert_outcomes(passed=2)


def test_names_of_the_fixture_exist() -> None:
    section = TEXT.partition("## The fixture")[2].partition("\n## ")[0]
    for name in re.findall(r"`toki\.(\w+)\(", section):
        assert hasattr(Toki, name)
    for name in re.findall(r"`(read|read_where|write|judge|callback|commit|abort|note)\b", section):
        assert hasattr(Recorded, name)
    for name in re.findall(r"`recording\.(\w+)\(", section):
        assert hasattr(Recorder, name)


def test_the_suites_shown_are_all_and_are_collected(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(SUITES, encoding="utf-8")
    few = "settings.register_profile('few', max_examples=3)\nsettings.load_profile('few')\n"
    (tmp_path / "conftest.py").write_text(f"from hypothesis import settings\n{few}")
    suites = {name for name in testing.__all__ if name.endswith(("_suite", "_machine"))}
    assert suites == set(re.findall(r"\b(\w+_suite|write_path_machine)\(", SUITES))
    listed = outside(tmp_path, *PLUGIN, "--collect-only", "-q").stdout
    classes = re.findall(r"^(Test\w+) = ", SUITES, re.MULTILINE)
    assert len(classes) == len(suites) and all(f"test_it.py::{name}::" in listed for name in classes)
    done = outside(tmp_path, *PLUGIN, "-q", "-k", "TestOperators or TestCarrier or TestJudgeLog")
    assert done.returncode == 0, done.stdout


def test_the_broken_law_shown_is_printed(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    done = outside(tmp_path, *PLUGIN, "-k", "order")
    shown = next(body for kind, body in BLOCKS if kind == "text").split("\n")
    printed = [line.removeprefix("E").strip().rpartition("LawBroken: ")[2] for line in done.stdout.split("\n")]
    start = printed.index(shown[0])
    assert printed[start : start + len(shown)] == [line.strip() for line in shown]
    assert "traceback entries are hidden" not in done.stdout and printed[start + len(shown)].startswith("=====")
    assert re.search(r"^FAILED test_it\.py::TestMine::test_C2_order - ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("style", ["long", "short", "line", "native", "no"])
def test_a_broken_law_is_told_in_every_style(tmp_path: Path, style: str) -> None:
    (tmp_path / "test_it.py").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    workers = ("-n", "1") if style == "long" else ()
    done = outside(tmp_path, *PLUGIN, "-k", "order", f"--tb={style}", *workers)
    assert "1 failed" in done.stdout and "traceback entries are hidden" not in done.stdout
    assert "INTERNALERROR" not in done.stdout + done.stderr


def test_the_profiles_are_as_the_table_says(tmp_path: Path) -> None:
    table = {row[0].strip("`"): int(row[1].replace(",", "")) for row in rows("| profile | examples a law | which |")}
    assert table == {name: values["max_examples"] for name, values in PROFILES.items()}
    assert PROFILES["toki-ci"]["derandomize"] and not PROFILES["toki-nightly"].get("derandomize")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    for arguments, profile in (((), "toki-ci"), (("--hypothesis-profile=toki-nightly",), "toki-nightly")):
        assert f"hypothesis profile '{profile}'" in outside(tmp_path, "-v", *arguments).stdout
