"""The plugin in projects that are not ours, each in a process of its own: one that uses it, and one that does not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from toki_verify.testing.collect_sniff import is_ours
from toki_verify.testing.pytest_plugin import PATTERNS

from .plugin_runs import GOOD, LOST, PLUGIN, ROOT, TRACE, outside

USED = ("-p", PLUGIN)
LOADED = "print('loaded:', sorted(m for m in sys.modules if m.split('.')[0] in {!r}))"
TEST = """
def test_two_agents(toki):
    recorder = toki.recorder(level="SI")
    with recorder.begin() as one:
        one.read("m0")
        with recorder.begin() as two:
            two.read("m0")
            two.write("m0")
        one.write("m0")

def test_serial(toki):
    assert toki.check("r1[x0] w1[x1] c1 r2[x1] w2[x2] c2", level="SR").ok
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A stranger's memory, with schedules, a trace, and a test."""
    (tmp_path / "tests").mkdir()
    for name, text in {"good.sched": GOOD, "bad.sched": LOST, "run.jsonl": TRACE, "test_memory.py": TEST}.items():
        (tmp_path / "tests" / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def entry_point(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for sys.path that says what an installed package says: the entry point of pyproject.toml."""
    site = tmp_path_factory.mktemp("site")
    metadata = site / "toki_verify_as_installed-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toki-verify-as-installed\nVersion: 0\n")
    found = re.search(r'entry-points\.pytest11\]\n"(\S+)" = "(\S+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert found is not None
    (metadata / "entry_points.txt").write_text(f"[pytest11]\n{found.group(1)} = {found.group(2)}\n")
    return site


def test_a_project_that_uses_it(project: Path) -> None:
    done = outside(project, *USED)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    assert "2 failed, 3 passed" in done.stdout
    for expected in (
        "✗ lost  tests/bad.sched:1",
        "T1 read one version and wrote over a later one: the update in between is lost.",
        "FAILED tests/bad.sched::lost - P4 lost update",
        "FAILED tests/test_memory.py::test_two_agents - Failed: level graph:SI",
    ):
        assert expected in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_project_that_gates_on_a_level(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\ntoki_level = RC\naddopts = --strict-config --strict-markers\n")
    done = outside(project, *USED, "-W", "error", "-m", "toki", "-n", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


@pytest.mark.parametrize("arguments", [(), USED], ids=["entry point", "entry point and -p"])
def test_the_entry_point_loads_it_once(project: Path, entry_point: Path, arguments: tuple[str, ...]) -> None:
    done = outside(project, *arguments, "-v", "--trace-config", path=(entry_point,))
    assert "2 failed, 3 passed" in done.stdout, done.stdout + done.stderr
    assert done.stdout.count(f"PLUGIN registered: <module '{PLUGIN}'") == 1


def test_a_conftest_may_name_it_too(project: Path, entry_point: Path) -> None:
    (project / "conftest.py").write_text(f"pytest_plugins = [{PLUGIN!r}]\n")
    assert "2 failed, 3 passed" in outside(project, path=(entry_point,)).stdout


# -- projects that do not use it ---------------------------------------------------------------------------------------
def test_a_foreign_project_is_not_disturbed(tmp_path: Path, entry_point: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "train.jsonl").write_text('{"prompt": "a"}\n{"prompt": "b"}\n')
    (data / "empty.jsonl").write_text("")
    (data / "packed.jsonl").write_bytes(b"\x1f\x8b\x08\x00\xff")
    (data / "jobs.sched").write_text("0 4 * * * backup\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-config --strict-markers -W error\n")
    (tmp_path / "conftest.py").write_text(
        f"import sys\ndef pytest_sessionfinish():\n    {LOADED.format(('toki_verify', 'networkx', 'rich'))}\n"
    )
    (tmp_path / "test_it.py").write_text("def test_a(): pass\ndef test_b(): assert False\n")
    without = outside(tmp_path, "-p", f"no:{PLUGIN}", "-q", path=(entry_point,))
    found = outside(tmp_path, "-q", path=(entry_point,))
    assert (found.returncode, found.stderr) == (without.returncode, without.stderr) == (1, "")

    def outcome(text: str) -> list[str]:
        text = re.sub(r"in [0-9.]+s", "", re.sub(r"loaded: .*", "", text))
        return text.split("\n")

    assert outcome(found.stdout) == outcome(without.stdout)
    modules = ["toki_verify", "toki_verify.testing", "toki_verify.testing.collect_sniff", PLUGIN]
    assert f"loaded: {modules}" in found.stdout and "loaded: []" in without.stdout


def test_a_folder_without_tests_stays_one(tmp_path: Path, entry_point: Path) -> None:
    (tmp_path / "train.jsonl").write_text('{"prompt": "a"}\n')
    assert outside(tmp_path, path=(entry_point,)).returncode == pytest.ExitCode.NO_TESTS_COLLECTED


def test_loading_it_loads_nothing_else() -> None:
    code = f"import sys, pytest; before = set(sys.modules); import {PLUGIN}; print(*sorted({{*sys.modules}} - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["toki_verify", "toki_verify.testing", PLUGIN]


def test_our_own_suite_has_no_schedules_for_it() -> None:
    files = [path for pattern in PATTERNS for path in (ROOT / "tests").rglob(pattern)]
    assert [str(path) for path in files if is_ours(path)] == []
