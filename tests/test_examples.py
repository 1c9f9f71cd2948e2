"""Every example runs and finds what it says; the shipped and the shared traces have the findings of their index."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from toki_verify.checker import check
from toki_verify.cli.main import main
from toki_verify.inputs import load_file

SHARED = Path("../shared/traces")

#: The findings of shared/traces/INDEX.md: core phenomena that are there (the default readings, and predicate skew).
INDEX: dict[str, set[str]] = {
    "mem0_0.1.118_concurrent_merge-merge": {"P0", "P4"},
    "mem0_0.1.118_concurrent_delete-add_both": {"P0", "P4", "P3", "P3[skew]"},
    "mem0_0.1.118_serial_delete-add": set(),
    "mem0_0.1.118_serial_none": set(),
    "mem0_0.1.118_serial_update": set(),
    "mem0_2.2.1_concurrent_same_fact_twice": {"P3", "P3[skew]"},
    "mem0_2.2.1_serial_add-only": set(),
    "graphiti_0.31.2_serial": set(),
}


def _traces() -> list[Path]:
    return sorted([*Path("examples/traces").glob("*.jsonl"), *(SHARED.glob("*.jsonl") if SHARED.exists() else ())])


@pytest.mark.parametrize("file", _traces(), ids=str)
def test_traces_have_the_findings_of_their_index(file: Path) -> None:
    source = load_file(file, str(file))
    assert not source.problems
    verdict = check(source.schedules[0][0])
    expected = INDEX[file.stem]
    core = {f.phenomenon.id for f in verdict.anomalies() if f.phenomenon.core}
    core |= {f.phenomenon.id for f in verdict.present() if f.phenomenon.id == "P3[skew]"}
    assert core == expected
    assert (verdict.maximal("graph") == ("SR",)) is (not expected)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared traces are not here")
def test_every_trace_of_the_index_is_there() -> None:
    assert {file.stem for file in SHARED.glob("*.jsonl")} == set(INDEX)


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def test_a_night_is_what_the_script_prints_and_ends_as_the_document_says(capsys: pytest.CaptureFixture[str]) -> None:
    packed = Path("examples/traces/night.jsonl.gz")
    assert gzip.decompress(packed.read_bytes()).decode() == _run("examples/04_a_night.py").stdout
    assert main(["check", str(packed)]) == 1
    told = capsys.readouterr().out
    document = Path("docs/histories.md").read_text(encoding="utf-8")
    [shown] = [block for block in document.split("```") if "judge-replay inconsistency, by key" in block]
    lines = [text for text in shown.strip("\n").split("\n") if text.strip() not in ("", "…")]
    assert len(lines) > 15
    assert [text for text in lines if text not in told.split("\n")] == []


def test_record_sqlite_finds_the_lost_update_and_its_cure(tmp_path: Path) -> None:
    done = _run("examples/01_record_sqlite.py", str(tmp_path))
    assert done.returncode == 0, done.stderr
    lost = check(load_file(tmp_path / "sqlite_autocommit.jsonl", "a").schedules[0][0])
    assert lost.findings["P4"].present and not lost.findings["P0"].present
    cured = load_file(tmp_path / "sqlite_transactions.jsonl", "b").schedules[0][0]
    assert cured.resolved.aborted == {"1"}
    assert not check(cured).anomalies()


def test_python_interface() -> None:
    done = _run("examples/02_python_api.py")
    assert done.returncode == 0, done.stderr
    assert "A5B (write skew)" in done.stdout and "N2 (belief-drift skew)" in done.stdout
    assert "shortest cycle: T1 -rw-> T2 -rw-> T1" in done.stdout


def test_levels_of_ones_own() -> None:
    lost = ("-e", "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1")
    arguments = ("-m", "toki_verify", "check", "--levels", "examples/03_mine.levels", "--level")
    assert _run(*arguments, "no-lost-belief", *lost).returncode == 1
    assert _run(*arguments, "monotonic-RC", *lost).returncode == 0


# -- the memory of a stranger ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "said"), [("on-call.edn", "SI ✓  SER ✗"), ("counter.txt", "PC ✓  PSI ✗")])
def test_the_histories_are_what_their_names_say(name: str, said: str) -> None:
    done = _run("-m", "toki_verify", "check", f"examples/histories/{name}")
    assert (done.returncode, said in done.stdout) == (1, True), done.stderr


MEMORY = Path("examples/agent_memory")


def _tests_of_the_memory(*arguments: str, fixed: bool) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    environment |= {"PYTHONPATH": str(Path.cwd()), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "COLUMNS": "120"}
    environment |= {"BELIEFS_FIXED": "1" if fixed else "", "NO_COLOR": "1"}
    plugin = ("-p", "toki_verify.testing.pytest_plugin", "-p", "no:cacheprovider")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *arguments],
        cwd=MEMORY,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def _fenced(begin: str) -> str:
    """The block of the memory's README that begins so."""
    text = (MEMORY / "README.md").read_text(encoding="utf-8")
    return next(block for block in text.split("```\n") if block.startswith(begin)).rstrip("\n")


def test_the_memory_as_shipped_has_the_bug_that_its_tests_find() -> None:
    done = _tests_of_the_memory(fixed=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert set(re.findall(r"^FAILED (\S+)", done.stdout, re.MULTILINE)) == {
        "tests/test_judge_log.py::TestJudgeLog::test_H1_linear",
        "tests/test_two_agents.py::test_two_agents_settle_one_contradiction",
    }
    assert "2 failed, 9 passed" in done.stdout
    # What a README shows is what is printed, but for which threads differ.
    printed = [line.removeprefix("E   ").strip() for line in done.stdout.split("\n")]
    told, *law = _fenced("H1.linear is broken").split("\n")
    assert any(told.partition("{")[0] in line for line in printed)
    assert [line.strip() for line in law if line.strip() not in printed] == []
    assert _fenced("✗ two-agents") in "\n".join(line[8:] for line in done.stdout.split("\n"))
    assert "no N1: it is present" in done.stdout and "SR holds by the serial order T1 T2." in done.stdout


def test_the_memory_with_the_repair_passes() -> None:
    done = _tests_of_the_memory("-n", "2", fixed=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "11 passed" in done.stdout


def test_the_memory_has_the_profile_that_the_command_line_names() -> None:
    for arguments, profile in (((), "toki-ci"), (("--hypothesis-profile=toki-nightly",), "toki-nightly")):
        done = _tests_of_the_memory("-v", "--collect-only", *arguments, fixed=True)
        assert f"hypothesis profile '{profile}'" in done.stdout
