"""A Dask cluster of this machine that is interrupted while it starts, or loses a process then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path
from threading import Event, main_thread
from types import SimpleNamespace
from typing import Any

import pytest

from toki_verify.histories.parallel.dask import check_on_dask
from toki_verify.histories.parallel.own_cluster import _killed, own_cluster
from toki_verify.processes import NotStarted

from .standins import acting

ROOT = Path(__file__).resolve().parents[2]


class Cluster:
    """Notes how it is closed."""

    def __init__(self) -> None:
        self.closed: list[float | None] = []

    def close(self, timeout: float | None = None) -> None:
        self.closed.append(timeout)


def interrupt() -> None:
    """Ctrl-C, for the main thread."""
    own = main_thread().ident
    assert own is not None
    signal.pthread_kill(own, signal.SIGINT)


def test_ctrl_c_is_heard_while_a_cluster_starts_and_it_is_closed() -> None:
    cluster = Cluster()

    def start(**settings: Any) -> Cluster:
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())  # and so for processes started here
        interrupt()
        time.sleep(0.2)
        return cluster

    with pytest.raises(KeyboardInterrupt), own_cluster(SimpleNamespace(LocalCluster=start), 2):
        pytest.fail("nobody waits for it")
    assert cluster.closed == [2.0]


def test_a_cluster_is_told_to_end_where_all_is_done() -> None:
    cluster = Cluster()
    with own_cluster(SimpleNamespace(LocalCluster=lambda **settings: cluster), 2) as found:
        assert found is cluster and cluster.closed == []
    assert cluster.closed == [None]


def test_why_a_cluster_does_not_start_is_one_line() -> None:
    def start(**settings: Any) -> Cluster:
        raise RuntimeError("Nanny failed to start.\nand more")

    with pytest.raises(NotStarted) as error, own_cluster(SimpleNamespace(LocalCluster=start), 2):
        pytest.fail("there is none")
    assert str(error.value) == "--dask: no cluster can be started on this machine (Nanny failed to start.)"


def test_a_cluster_that_never_starts_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toki_verify.histories.parallel.own_cluster._START", 0.1)
    monkeypatch.setattr("toki_verify.histories.parallel.own_cluster._CLOSE", 0.1)
    let = Event()
    never = SimpleNamespace(LocalCluster=lambda **settings: let.wait())
    with pytest.raises(NotStarted) as error, own_cluster(never, 2):
        pytest.fail("there is none")
    let.set()
    assert str(error.value) == "--dask: no cluster can be started on this machine (none was there after 0.1 s)"


@pytest.mark.heavy
def test_a_worker_that_dies_while_the_cluster_starts_is_told(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with _killed(set(active_children())), pytest.raises(NotStarted, match="no cluster can be started on this machine"):
        list(check_on_dask(["a", "b"], tmp_path, None, 2, check=acting))  # type: ignore[arg-type]


def starting(session: int) -> bool:
    """Whether a process of this session has been started by another one of it."""
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            if os.getsid(int(place.name)) == session and b"spawn_main" in (place / "cmdline").read_bytes():
                return True
    return False


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes")
@pytest.mark.parametrize("later", [0.0, 0.5])
def test_ctrl_c_while_workers_start_ends_all_at_once(tmp_path: Path, later: float) -> None:
    pytest.importorskip("distributed")
    command = [sys.executable, "-m", "tests.cli.standins", "dask", str(tmp_path), "slow a", "slow b"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            until = time.monotonic() + 60
            while not starting(process.pid):
                assert time.monotonic() < until, "no worker was started"
            time.sleep(later)
            process.send_signal(signal.SIGINT)
            sent = time.monotonic()
            out, err = process.communicate(timeout=30)
            assert time.monotonic() - sent < 10  # about one, on a machine that has nothing else to do
            assert not starting(process.pid)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert (out, err) == ("interrupted\n", "")
