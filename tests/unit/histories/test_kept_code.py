"""Compiled code that two processes keep at the same time: each finds its own again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Semaphore, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from numba.core.caching import IndexDataCacheFile

from toki_verify.histories.columnar.compiled import compiled
from toki_verify.histories.kept_code import name_by_content

#: What a save does, in its order; then the other process may go on.
STEPS = ("_load_index", "_save_index", "_save_data")


def step(real: Callable[..., Any], may: Semaphore, done: Semaphore) -> Callable[..., Any]:
    """A step of a save that waits for its turn and tells when it is over."""

    def waiting(*arguments: Any) -> Any:
        may.acquire()
        try:
            return real(*arguments)
        finally:
            done.release()

    return waiting


def interleaved(place: Path, fix: Callable[[Any], None], turns: str) -> list[object]:
    """What is loaded for two versions that two processes (0 and 1) saved, taking turns at every step of it."""
    files = [opened(place) for _ in range(2)]
    may, done = [Semaphore(0), Semaphore(0)], Semaphore(0)
    for which, file in enumerate(files):
        for name in STEPS:
            setattr(file, name, step(getattr(file, name), may[which], done))
        fix(SimpleNamespace(_cache=SimpleNamespace(_cache_file=file)))
    threads = [
        Thread(target=file.save, args=(f"version {which}", f"code {which}"), daemon=True)
        for which, file in enumerate(files)
    ]
    for thread in threads:
        thread.start()
    for turn in turns:
        may[int(turn)].release()
        assert done.acquire(timeout=5)
    for thread in threads:
        thread.join(5)
    fresh = opened(place)
    return [fresh.load(f"version {which}") for which in range(2)]


def opened(place: Path) -> Any:
    """The file of a function's versions, as a process opens it."""
    return IndexDataCacheFile(str(place), "function", "stamp")  # type: ignore[no-untyped-call]


ALL_TURNS = sorted({f"{bits:06b}" for bits in range(64) if bits.bit_count() == 3})


@pytest.mark.parametrize("turns", ALL_TURNS)
def test_no_version_is_taken_for_another(tmp_path: Path, turns: str) -> None:
    found = interleaved(tmp_path, name_by_content, turns)
    assert all(code in (None, f"code {which}") for which, code in enumerate(found)) and found != [None, None]


def test_without_it_one_is(tmp_path: Path) -> None:
    wrong = []
    for turns in ALL_TURNS:
        place = tmp_path / turns
        place.mkdir()
        found = interleaved(place, lambda dispatcher: None, turns)
        wrong += [turns] * any(code not in (None, f"code {which}") for which, code in enumerate(found))
    assert wrong


def test_functions_have_it_and_others_are_left_alone() -> None:
    def one(value: int) -> int:
        return value + 1

    fast = compiled(one)
    file = fast._cache._cache_file  # type: ignore[attr-defined]
    assert file.save.__module__ == "toki_verify.histories.kept_code"
    name_by_content(one)
