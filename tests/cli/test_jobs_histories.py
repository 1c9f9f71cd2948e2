"""`check --jobs` and `--dask`: the same as in one process, also where a worker dies; what cannot be had; Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from toki_verify.cli import history_input
from toki_verify.histories.parallel import dask
from toki_verify.histories.parallel.check_files import check_at_once
from toki_verify.histories.parallel.dask import check_on_dask
from toki_verify.processes import NotStarted

from .conftest import Outcome, Run
from .standins import acting
from .test_histories import EDN, LOST_UPDATE, SERIAL, SKEW, put
from .test_traces import LOST, large

SHARED = Path(__file__).resolve().parents[3] / "shared" / "histories"
NAMES = ["a", "once b", "c", "always d", "e", "f"]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Histories of several formats, one that cannot be read, one that is not there."""
    place = tmp_path / "files"
    place.mkdir()
    found = [
        put(place, f"{name}.txt", text)
        for name, text in (("lost", LOST_UPDATE), ("serial", SERIAL), ("skew", SKEW), ("bad", "w(1,1,1,1)\nw(1,\n"))
    ]
    return [*found, put(place, "lists.edn", EDN), place / "missing"]


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two runs said the same, to the byte."""
    return (one.code, one.out, one.err) == (other.code, other.out, other.err)


def test_two_jobs_say_what_one_says(files: list[Path], run: Run) -> None:
    one = run("check", *files, "--format", "plume", "-o", "json")
    assert one.code == 2 and "missing" in one.err
    assert same(run("check", *files, "--format", "plume", "-o", "json", "--jobs", "2"), one)


@pytest.mark.heavy
@pytest.mark.parametrize("output", ["json", "text", "sarif"])
def test_every_output_is_the_same_from_several_jobs(files: list[Path], run: Run, output: str) -> None:
    more = sorted(SHARED.glob("[!i]*/*"))
    one = run("check", *files, *more, "-o", output)
    assert one.code == 2
    assert same(run("check", *files, *more, "-o", output, "--jobs", "3"), one)


@pytest.mark.heavy
def test_orders_that_are_evidence_are_the_same(files: list[Path], run: Run) -> None:
    one = run("check", *files, "-o", "json", "--evidence")
    assert same(run("check", *files, "-o", "json", "--evidence", "--jobs", "2"), one)
    assert same(run("check", *files, "-o", "json", "--evidence", "--dask"), one)


@pytest.mark.heavy
def test_large_traces_are_the_same_from_several_jobs(tmp_path: Path, run: Run) -> None:
    traces = [large(tmp_path, name="calm.jsonl"), large(tmp_path, *LOST, name="lost.jsonl")]
    one = run("check", *traces, "-o", "json")
    assert one.code == 1
    assert same(run("check", *traces, "-o", "json", "--jobs", "2"), one)
    assert same(run("check", *traces, "-o", "json", "--dask", "--jobs", "2"), one)


@pytest.mark.heavy
def test_standard_input_is_read_where_it_is(files: list[Path], run: Run) -> None:
    for how in ((), ("--jobs", "2"), ("--dask",)):
        found = run("check", files[0], "-", "--format", "plume", "-o", "jsonl", *how, stdin=SERIAL.encode())
        assert (found.code, found.out.count("\n"), '"file": "<stdin>"' in found.out) == (1, 2, True)


# -- workers that die --------------------------------------------------------------------------------------------------
def told(found: Iterator[Any]) -> list[str]:
    """The names that come back, or why not."""
    return [result if result is not None else str(problems[0]) for result, problems in found]


@pytest.mark.heavy
def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    done: list[int] = []
    found = told(check_at_once(NAMES, tmp_path, 2, check=acting, tell=done.append))  # type: ignore[arg-type]
    wrong = found.pop(3)
    assert found == ["a", "once b", "c", "e", "f"] and done == [1, 2, 3, 4, 5, 6]
    assert wrong.startswith("always d: not checked: the process that worked on it was killed by signal 9, 3 times")


@pytest.mark.heavy
def test_a_killed_worker_of_a_cluster_loses_nothing(tmp_path: Path) -> None:
    found = told(check_on_dask(NAMES, tmp_path, None, 2, check=acting))  # type: ignore[arg-type]
    wrong = found.pop(3)
    assert found == ["a", "once b", "c", "e", "f"]
    assert wrong.startswith("always d: not checked: the worker that had it died")


@pytest.mark.heavy
@pytest.mark.parametrize("how", ["jobs", "dask"])
def test_ctrl_c_tells_what_is_finished(tmp_path: Path, how: str) -> None:
    """As a terminal sends it: to all processes that there are."""
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "tests.cli.standins", how, str(tmp_path), "a", "slow b", "c"]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            until = time.monotonic() + 60
            while not (tmp_path / "c").exists() or not (tmp_path / "slow b").exists():
                assert time.monotonic() < until, "the files were not begun"
                time.sleep(0.1)
            time.sleep(1.0)
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert (out.splitlines(), err) == (["a", "c", "interrupted"], "")


def test_ctrl_c_says_how_many_files_are_left(files: list[Path], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def results(paths: Any, options: Any, arguments: Any, follow: Any) -> Iterator[Any]:
        from toki_verify.histories.one_file import check_one

        yield check_one(paths[0], options)
        raise KeyboardInterrupt

    monkeypatch.setattr(history_input, "results", results)
    found = run("check", *files, "--jobs", "2")
    assert (found.code, "PSI ✗" in found.out) == (130, True)
    assert found.err == "interrupted; 5 files not checked\n"


# -- clusters ----------------------------------------------------------------------------------------------------------
@pytest.mark.heavy
def test_a_cluster_of_this_machine_says_the_same(files: list[Path], run: Run) -> None:
    more = sorted(SHARED.glob("[!i]*/*"))
    one = run("check", *files, *more, "-o", "json")
    assert same(run("check", *files, *more, "-o", "json", "--jobs", "2", "--dask"), one)


@pytest.mark.heavy
def test_a_cluster_that_is_there_says_the_same(files: list[Path], run: Run) -> None:
    distributed = pytest.importorskip("distributed")
    one = run("check", *files, "-o", "json")
    settings: dict[str, Any] = {"processes": False, "protocol": "tcp://", "dashboard_address": None}
    with distributed.LocalCluster(n_workers=0, **settings) as cluster:
        address = cluster.scheduler_address
        found = run("check", *files, "--dask", address)
        assert (found.code, f"{address}: the scheduler has no workers" in found.err) == (2, True)
        cluster.scale(1)
        assert same(run("check", *files, "-o", "json", "--dask", address), one)


@pytest.mark.heavy
def test_files_are_given_up_where_no_worker_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(dask, "ALONE", 1.0)
    settings: dict[str, Any] = {"processes": False, "protocol": "tcp://", "dashboard_address": None}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **settings) as cluster:

        def leave(done: int) -> None:
            cluster.scale(0)

        put(tmp_path, "a", "")
        put(tmp_path, "short b", "")
        names = [str(tmp_path / "a"), str(tmp_path / "short b")]
        marks = tmp_path / "marks"
        marks.mkdir()
        found = told(check_on_dask(names, marks, cluster.scheduler_address, check=acting, tell=leave))  # type: ignore[arg-type]
    assert found[0] == "a" and "not checked: no worker for 1 seconds" in found[1]


#: A cluster in a process of its own, that tells its address.
CLUSTER = """
import time
from distributed import LocalCluster
cluster = LocalCluster(1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None)
print(cluster.scheduler_address, flush=True)
time.sleep(60)
"""


@pytest.mark.heavy
def test_files_are_given_up_where_the_scheduler_goes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    names = ["a", "short b", "short c", "d"]
    for name in names:
        put(tmp_path, name, "")
    marks = tmp_path / "marks"
    marks.mkdir()
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", CLUSTER]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            paths = [str(tmp_path / name) for name in names]
            found = told(
                check_on_dask(paths, marks, address, check=acting, tell=lambda done: process.kill())  # type: ignore[arg-type]
            )
        finally:
            process.kill()
    assert found[0] == "a" and all("not checked: the scheduler is gone" in text for text in found[1:])
    assert capfd.readouterr().err == ""


def test_a_scheduler_that_is_not_there(files: list[Path], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask, "CONNECT", 0.2)
    found = run("check", *files, "--dask", "tcp://127.0.0.1:1")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("toki-verify check: --dask tcp://127.0.0.1:1: no scheduler answers there (")
    assert found.err.count("\n") == 1


def test_other_versions_are_refused() -> None:
    class Client:
        def __init__(self, versions: Any) -> None:
            self.versions = versions

        def wait_for_workers(self, count: int, timeout: float) -> None:
            pass

        def run(self, asked: Any) -> Any:
            if isinstance(self.versions, Exception):
                raise self.versions
            return {"worker": self.versions}

    dask._same_everywhere(Client(dask.version()), "a:1")
    with pytest.raises(NotStarted, match=r"a:1: its workers have version 0\.0\.0: pip install 'toki-verify\["):
        dask._same_everywhere(Client("0.0.0"), "a:1")
    with pytest.raises(NotStarted, match=r"cannot check histories \(No module named 'toki_verify'\)"):
        dask._same_everywhere(Client(ModuleNotFoundError("No module named 'toki_verify'")), "a:1")


def test_the_extra_that_is_missing_is_named(files: list[Path], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    found = run("check", *files, "--dask")
    assert (found.code, found.out) == (2, "")
    assert "--dask needs the extra `dask`" in found.err and "pip install 'toki-verify[dask]'" in found.err


# -- options -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("jobs", ["0", "-1", "257"])
def test_jobs_are_some(files: list[Path], run: Run, jobs: str) -> None:
    found = run("check", *files, "--jobs", jobs)
    assert (found.code, f"--jobs is {jobs}, expected 1 to 256" in found.err) == (2, True)


def test_a_file_is_no_address(files: list[Path], run: Run) -> None:
    found = run("check", "--dask", *files)
    assert (found.code, "put --dask last" in found.err) == (2, True)
    found = run("check", *files, "--dask", "tcp://here:8786", "--jobs", "2")
    assert (found.code, "not for the one at tcp://here:8786" in found.err) == (2, True)


def test_one_history_is_decided_here(files: list[Path], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one file the independent parts go to processes, and this one is small."""
    monkeypatch.setattr("toki_verify.processes._Worker", None)
    assert same(run("check", files[0], "-o", "json", "--jobs", "2"), run("check", files[0], "-o", "json"))
