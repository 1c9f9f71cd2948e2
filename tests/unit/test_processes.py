"""Processes that work for this one: results by place, processes that die, errors, interruptions."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from toki_verify.processes import Died, in_order, work


def act(marks: Path, item: str) -> str | bytes:
    """Do as the item says: `die` once or always, raise, be slow; else the item in capitals."""
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
