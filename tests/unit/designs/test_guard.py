"""What runs the author's code: it ends what does not end, and hands back what it took."""

from __future__ import annotations

import gc
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar

import pytest

from toki_verify.designs import Design, DesignError, Row, Table, belief, commit, invariant, row, select, update, writer
from toki_verify.designs.guard import Guard, Pure, guarded
from toki_verify.designs.model import describe
from toki_verify.designs.program import Program


def fault(problem: str, line: int | None) -> DesignError:
    return DesignError(problem, file=__file__, line=line)


def test_a_call_of_c_that_looks_for_signals_is_ended() -> None:
    began = time.monotonic()
    with pytest.raises(DesignError, match=r"it ran for more than 0\.2 s"), Guard(fault, __file__, seconds=0.2):
        re.match(r"(a+)+$", "a" * 60 + "b")
    assert time.monotonic() - began < 5


def test_code_that_swallows_the_alarm_is_ended() -> None:
    def swallows() -> None:
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

    began = time.monotonic()
    with pytest.raises(DesignError, match="it ran for more than"), Guard(fault, __file__, traced=False, seconds=0.2):
        swallows()
    assert time.monotonic() - began < 5


def test_an_alarm_of_someone_else_still_comes() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with Guard(fault, __file__):
            pass
        assert signal.getsignal(signal.SIGALRM) is not None
        time.sleep(0.3)
        assert rung == [signal.SIGALRM]
    finally:
        signal.signal(signal.SIGALRM, before)


def test_tracing_is_handed_back() -> None:
    def tracing(frame: object, event: str, argument: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(tracing)
    try:
        assert guarded(fault, __file__, len, "abc") == 3
        with pytest.raises(DesignError, match="raised ZeroDivisionError"):
            guarded(fault, __file__, lambda: 1 / 0)
        assert sys.gettrace() is tracing
    finally:
        sys.settrace(before)


def test_an_interrupt_passes() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guarded(fault, __file__, interrupted)


def test_a_function_of_a_row_is_asked_twice_and_then_remembered() -> None:
    asked: list[Row] = []

    def open_(found: Row) -> bool:
        asked.append(found)
        return bool(found["n"])

    pure = Pure(fault, open_, bool)
    rows = [Row("facts", "m0", {"n": value}) for value in (1, True, 0)]
    assert [pure(found) for found in rows * 3] == [True, True, False] * 3
    assert len(asked) == 6
    assert len({*rows}) == 3, "1 and True are two values"


class Watched(Design):
    """Has everything that an author writes besides writers."""

    tables: ClassVar = {"facts": Table(closed=lambda row: row["nope"])}

    def setup(self) -> list[object]:
        return [
            row("facts", "m0", subject="a", predicate="b", n=True),
            row("facts", "m1", subject="a", predicate="b", n=1),
        ]

    @writer
    def go(self) -> object:
        yield from select("facts", n=1)
        yield from update("facts", "m0", n=False)
        yield from commit()

    @invariant
    def sound(self, state: object) -> bool:
        while True:
            pass

    @belief
    def held(self, rows: object) -> bool:
        return time.time() > 0


def test_invariants_beliefs_and_closed_are_under_guard() -> None:
    described = describe(Watched)
    for function, says in (
        (described.invariants["sound"], "Watched: sound: it ran 100000 lines"),
        (described.beliefs["held"], "Watched: held: it calls time"),
        (
            described.tables["facts"].closed,
            r"tables\['facts'\], closed: raised KeyError: 'nope; the columns are none'",
        ),
    ):
        assert function is not None
        with pytest.raises(DesignError, match=says) as caught:
            function(Row("facts", "m0", {}))
        assert caught.value.file == __file__
        assert caught.value.line is not None


def test_true_and_1_are_two_answers() -> None:
    described = describe(Watched)
    program = Program(described, described.writers[0], 1)
    assert program.after(program.root, True) is not program.after(program.root, 1)


HANGS = """\
import itertools, sys
from toki_verify.designs import *
from toki_verify.designs.model import describe
from toki_verify.designs.program import Program
from toki_verify.designs.supervise import supervised

class Hangs(Design):
    @writer
    def go(self):
        yield from commit()
        sum(itertools.count())

def main():
    print("begins", flush=True)
    described = describe(Hangs)
    program = Program(described, described.writers[0], 1)
    program.after(program.root, None)
    return 0

sys.exit(supervised(main, grace=1.0))
"""


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="needs fork")
def test_a_call_that_nothing_interrupts_is_ended_from_outside(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(HANGS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "hangs.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "begins\n")
    assert re.search(r"hangs\.py:11: Hangs\.go, step 2: it does not come back from one call", done.stderr), done.stderr


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="needs fork")
def test_a_command_keeps_its_exit_code_and_its_output(tmp_path: Path) -> None:
    text = HANGS.replace("        sum(itertools.count())\n", "").replace("return 0", "return 3")
    (tmp_path / "ends.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "ends.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "begins\n", "")


def test_errors_travel_between_processes() -> None:
    import pickle

    error = DesignError("no", design="D", writer="w", step=2, file="f.py", line=3)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "f.py:3: D.w, step 2: no"


def test_a_collection_within_the_code_is_not_its_doing() -> None:
    """Hypothesis, for one, looks at a clock in a callback of the garbage collector."""

    def looks(phase: str, info: dict[str, int]) -> None:
        time.perf_counter()

    def code() -> int:
        return len(list(map(list, [()] * 5_000)))  # no lines in between, so the collections are not the trace's

    before = gc.get_threshold()
    gc.callbacks.append(looks)
    gc.set_threshold(10)
    try:
        assert guarded(fault, __file__, code) == 5_000
        assert gc.isenabled()
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(looks)
