"""Processes that work for this one: results by place, processes that die, errors, interruptions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event, Thread, main_thread

import pytest

from toki_verify import processes
from toki_verify.processes import Died, can_fork, deaf_from_birth, in_order, work

ROOT = Path(__file__).resolve().parents[2]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are copies of this one on Linux")


def act(marks: Path, item: str) -> str | bytes | bool:
    """Do as the item says: `die` once or always, raise, be long, say what is loaded; else the item in capitals."""
    mark = marks / item.split()[-1]
    if item.startswith("die always") or (item.startswith("die") and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if item.startswith("leave"):
        os._exit(7)
    if item.startswith("raise"):
        raise ZeroDivisionError(item)
    if item.startswith("own error"):
        raise Unusual("one", "two")
    if item == "loaded":
        return "only here" in sys.modules
    if item.startswith("long"):
        return b"x" * 1_000_000
    return item.upper()


class Unusual(Exception):
    """An error that cannot be made again from what it holds."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


def test_a_process_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    items = ["a", "die once", "b", "long answer", "die always", "c"]
    found = dict(work(partial(act, tmp_path), items, 2))
    assert found.pop(4) == Died((-9, -9, -9))
    assert found == {0: "A", 1: "DIE ONCE", 2: "B", 3: b"x" * 1_000_000, 5: "C"}
    assert str(Died((-9, -9))) == "the process that worked on it was killed by signal 9, 2 times"


@pytest.mark.heavy
def test_a_process_that_ends_by_itself_is_one_that_died(tmp_path: Path) -> None:
    assert list(work(partial(act, tmp_path), ["leave"], 1, deaths=1)) == [(0, Died((7,)))]
    assert str(Died((7,))) == "the process that worked on it ended with code 7, 1 times"


@pytest.mark.heavy
def test_what_a_task_raises_is_raised(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError, match="raise it"):
        list(work(partial(act, tmp_path), ["raise it"], 1))
    with pytest.raises(RuntimeError, match="one and two"):
        list(work(partial(act, tmp_path), ["own error"], 1))


@pytest.mark.heavy
def test_items_are_made_only_when_somebody_is_free(tmp_path: Path) -> None:
    asked: list[int] = []

    class Lazy:
        def __len__(self) -> int:
            return 4

        def __getitem__(self, place: int, /) -> str:
            asked.append(place)
            return str(place)

    found = work(partial(act, tmp_path), Lazy(), 1)
    assert next(found) == (0, "0") and asked == [0]
    assert list(found) == [(1, "1"), (2, "2"), (3, "3")]


def sleepy(item: float) -> float:
    """Take so many seconds."""
    time.sleep(item)
    return item


@pytest.mark.heavy
def test_who_stops_asking_leaves_no_process_behind() -> None:
    found = work(sleepy, [0.0, 60.0], 2)
    begun = time.monotonic()
    assert next(found) == (0, 0.0)
    found.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 20


def test_results_come_in_the_order_of_their_places() -> None:
    assert list(in_order(iter([(2, "c"), (0, "a"), (1, "b")]))) == ["a", "b", "c"]


def test_ctrl_c_gives_what_is_finished() -> None:
    def found() -> Iterator[tuple[int, str]]:
        yield from [(3, "d"), (0, "a"), (2, "c")]
        raise KeyboardInterrupt

    seen: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        for one in in_order(found()):
            seen.append(one)
    assert seen == ["a", "c", "d"]


# -- copies of this process --------------------------------------------------------------------------------------------
#: The first test of this file where there is one thread, so that processes are copies.
COPIES = """
import sys
from functools import partial
from pathlib import Path
from toki_verify.processes import Died, can_fork, work
from tests.unit.test_processes import act
assert can_fork()
items = ["a", "die once", "b", "long answer", "die always", "c", "loaded"]
sys.modules["only here"] = sys
found = dict(work(partial(act, Path(sys.argv[1])), items, 2))
assert found.pop(4) == Died((-9, -9, -9)), found
assert found == {0: "A", 1: "DIE ONCE", 2: "B", 3: b"x" * 1_000_000, 5: "C", 6: True}, found
print("the same")
"""


@LINUX
def test_copies_of_a_process_do_what_new_ones_do(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", COPIES, str(tmp_path)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (found.stdout, found.stderr) == ("the same\n", "")


#: Two copies work for half a second while their process is killed.
KILLED = """
import os, sys, time
from toki_verify.processes import can_fork, work
def task(item):
    os.write(1, b"%d\\n" % os.getpid())  # in one piece: both copies write here
    time.sleep(0.5)
assert can_fork()
list(work(task, range(4), 2))
"""


@LINUX
def test_copies_end_when_their_process_is_killed() -> None:
    """Each would wait for ever if another kept its pipe open."""
    with subprocess.Popen([sys.executable, "-c", KILLED], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            numbers = [int(process.stdout.readline()) for _ in range(2)]
        finally:
            process.kill()
    until = time.monotonic() + 20
    while any(alive(number) for number in numbers) and time.monotonic() < until:
        time.sleep(0.05)
    left = [number for number in numbers if alive(number)]
    for number in left:
        os.kill(number, signal.SIGKILL)
    assert left == []


def alive(number: int) -> bool:
    """Whether there is such a process, that has not ended."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[:1]
        return state not in ([], ["Z"])  # nothing can be read of one that ends just now
    except OSError:
        return False


def test_other_threads_and_packages_with_threads_forbid_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    done = Event()
    thread = Thread(target=done.wait)
    thread.start()
    assert not can_fork()
    done.set()
    thread.join()
    monkeypatch.setattr(processes, "active_count", lambda: 1)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("pyarrow", "distributed"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert can_fork()
    monkeypatch.setitem(sys.modules, "pyarrow", pytest)
    assert not can_fork()


# -- processes that are started anew -----------------------------------------------------------------------------------
def number(item: float) -> int:
    """Which process has it, for so many seconds."""
    time.sleep(item)
    return os.getpid()


@pytest.mark.heavy
def test_more_processes_are_started_only_where_work_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "can_fork", lambda: False)
    monkeypatch.setattr(processes, "_SPAWN", 30.0)
    assert len({found for _, found in work(number, [0.0] * 4, 3, first=0)}) == 1
    monkeypatch.setattr(processes, "_SPAWN", 0.2)
    assert len({found for _, found in work(number, [4.0] * 3, 3, first=1)}) == 3


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals of threads")
def test_ctrl_c_while_a_process_starts_is_heard_behind_it() -> None:
    reached: list[str] = []
    own = main_thread().ident
    assert own is not None
    with pytest.raises(KeyboardInterrupt), deaf_from_birth():
        signal.pthread_kill(own, signal.SIGINT)
        time.sleep(0.01)
        reached.append("the end of the block")
    assert reached == ["the end of the block"]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
