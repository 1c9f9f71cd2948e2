"""The serial executions of the same writers: one whole attempt after the other, with every vote, callback and crash.

A crash is part of a serial execution: the request is repeated later, and another writer may have its turn before. What
a concurrent run leaves behind is compared with what these leave behind (SEMANTICS §3, N2[state]). A store may abort a
writer until its retry policy gives up; such a run is compared with serial executions of the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations

from .cells import Cell, Oracle, broken_beliefs
from .engine import Engine
from .explore import Stopped, deep
from .faults import DesignError
from .machine import Machine
from .runs import Run


def serial_runs(
    engine: Engine,
    machine: Machine,
    writers: tuple[int, ...],
    visit: Callable[[Machine], None],
    until: float | None = None,
) -> None:
    """Every serial execution of these writers from a state, in every order of their attempts. The others do nothing.
    Raises Stopped at the time `until`."""

    def finish(state: Machine, current: int | None) -> None:
        waiting = [writer for writer in writers if not state.processes[writer].finished]
        if not waiting:
            visit(state)
            if until is not None and time.monotonic() > until:
                raise Stopped("the time was over")
            return
        within = current in waiting and bool(state.processes[current].node.answers)
        for writer in [current] if within and current is not None else waiting:
            for step in engine.options(state, writer):
                finish(engine.step(state, step).machine, writer)

    with deep():
        finish(machine, None)


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    for size in range(count, -1, -1):
        yield from combinations(range(count), size)


def _beliefs(run: Run, absent: frozenset[int]) -> list[str]:
    """The beliefs that a serial execution breaks. One that cannot be asked where writers are absent does not hold."""
    try:
        return broken_beliefs(run)
    except DesignError:
        if not absent:
            raise
        return list(run.described.beliefs)


def oracle(engine: Engine, machine: Machine, asked: list[Cell], until: float | None = None) -> Oracle:
    """The final states of the serial executions, and which of the questions about states they fail. Raises Stopped at
    the time `until`."""
    found = Oracle()
    invariants = [cell for cell in asked if cell.id.startswith("invariant ")]
    count = len(machine.processes)
    for writers in _subsets(count):
        absent = frozenset(range(count)) - frozenset(writers)
        found.states.setdefault(absent, set())
        whole: set[object] = set()  # questions are asked of all tables, final states are about facts

        def visit(state: Machine, absent: frozenset[int] = absent, whole: set[object] = whole) -> None:
            run = Run(engine.described, engine.statements, state, ())
            # One that gives up in a serial execution has the part in it that it had had by then.
            found.states.setdefault(absent | run.gave_up, set()).add(run.belief_state)
            rows = frozenset(row for table in run.state.values() for row in table.values())
            if (rows, run.gave_up) not in whole:
                whole.add((rows, run.gave_up))
                failed = found.failed.setdefault(absent | run.gave_up, set())
                failed.update(_beliefs(run, absent))
                if not absent:
                    failed.update(cell.id for cell in invariants if cell.shows(run, found))

        serial_runs(engine, machine, writers, visit, until)
    return found
