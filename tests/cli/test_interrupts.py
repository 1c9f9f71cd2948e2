"""Ctrl-C waits for the compiler's code to end, and for nothing else."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from threading import Thread
from types import FunctionType

import pytest

from toki_verify.cli.interrupts import interrupts_between


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    """Python's own handler, which a test run may have been started without."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press() -> str:
    signal.raise_signal(signal.SIGINT)
    time.sleep(0.1)
    return "went on"


def of_module(name: str) -> FunctionType:
    """The same function, as one of another module."""
    return FunctionType(press.__code__, globals() | {"__name__": name})


@pytest.mark.parametrize("name", ["numba", "numba.core.compiler", "llvmlite.binding"])
def test_the_code_of_the_compiler_goes_on_to_its_end(name: str) -> None:
    said: list[str] = []
    with pytest.raises(KeyboardInterrupt), interrupts_between():
        said.append(of_module(name)())
        for _ in range(200):
            time.sleep(0.01)
    assert said == ["went on"]


@pytest.mark.parametrize("name", ["numbat", "toki_verify.numba", "__main__"])
def test_other_code_is_interrupted(name: str) -> None:
    with pytest.raises(KeyboardInterrupt), interrupts_between():
        of_module(name)()


def test_behind_it_nothing_is_left_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toki_verify.cli.interrupts._AGAIN", 0.3)
    with interrupts_between():
        assert of_module("numba")() == "went on"
    time.sleep(0.4)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        press()


def test_a_handler_that_is_there_stays() -> None:
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    with interrupts_between():
        assert press() == "went on"
    assert came == [signal.SIGINT]


def test_in_another_thread_nothing_is_changed() -> None:
    inside: list[object] = []

    def run() -> None:
        with interrupts_between():
            inside.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=run)
    thread.start()
    thread.join()
    assert inside == [signal.default_int_handler]
