"""The serial executions of the same writers: one whole writer after the other, with every vote, callback and crash.

A crash is part of a serial execution: the request is repeated before the next writer begins. What a concurrent run
leaves behind is compared with what these leave behind (SEMANTICS §3, N2[state]).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

from .cells import Cell, Oracle, broken_beliefs
from .engine import Engine
from .machine import Machine
from .runs import Run


def serial_runs(engine: Engine, machine: Machine, visit: Callable[[Machine], None]) -> None:
    """Every serial execution from a state, in every order of the writers."""

    def finish(state: Machine, order: tuple[int, ...]) -> None:
        waiting = [writer for writer in order if not state.processes[writer].finished]
        if not waiting:
            visit(state)
            return
        for step in engine.options(state, waiting[0]):
            finish(engine.step(state, step).machine, order)

    for order in permutations(range(len(machine.processes))):
        finish(machine, order)


def oracle(engine: Engine, machine: Machine, asked: list[Cell]) -> Oracle:
    """The final states of the serial executions, and which of the questions about states they fail."""
    found = Oracle()

    def visit(state: Machine) -> None:
        run = Run(engine.described, engine.statements, state, ())
        found.failed.update(broken_beliefs(run))
        if run.belief_state in found.states:
            return
        found.states.add(run.belief_state)

    serial_runs(engine, machine, visit)
    for_all = [cell for cell in asked if cell.serial and cell.id.startswith("invariant ")]
    if for_all:

        def again(state: Machine) -> None:
            run = Run(engine.described, engine.statements, state, ())
            found.failed.update(cell.id for cell in for_all if cell.shows(run, found))

        serial_runs(engine, machine, again)
    return found
