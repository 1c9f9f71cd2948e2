"""Ctrl-C where compiled loops are used: never in the middle of the compiler.

numba compiles and loads in Python code, from callbacks of LLVM, too; an exception there can end the process, or leave
functions behind that cannot be called any more. Then there would be no telling what is known.
"""

from __future__ import annotations

import signal
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, current_thread, main_thread
from types import FrameType

#: Modules in whose code no interrupt is raised.
_COMPILER = ("numba", "llvmlite")
#: After so many seconds it is tried again.
_AGAIN = 0.02


@contextmanager
def interrupts_between() -> Iterator[None]:
    """Here Ctrl-C raises KeyboardInterrupt as elsewhere, but for the code of the compiler: there it waits for its end.

    Where somebody else handles Ctrl-C, and in other threads, nothing is changed.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    waiting: list[Timer] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if not _compiles(frame):
            raise KeyboardInterrupt
        again = Timer(_AGAIN, interrupt_main)
        again.daemon = True
        waiting[:] = [again]
        again.start()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for timer in waiting:
            timer.cancel()


def _compiles(frame: FrameType | None) -> bool:
    """Whether the code of a frame, or what called it, belongs to the compiler."""
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] in _COMPILER:
            return True
        frame = frame.f_back
    return False
