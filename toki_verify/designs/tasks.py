"""An exploration cut into tasks: subtrees that can be explored one by one, in any order and in other processes.

The first steps are branched in full, with sleep sets: what is left of each branch is a task. How an exploration is cut
depends on the design and the bound alone, so results are the same with any number of processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .engine import Engine
from .footprint import Footprint
from .machine import Machine, Step

#: Tasks that a larger exploration is cut into, at least, where it has so many.
TASKS = 24


@dataclass(frozen=True)
class Task:
    """A subtree: the steps that lead to it, its state, and the steps that other tasks cover."""

    steps: tuple[Step, ...]
    machine: Machine
    sleep: dict[Step, Footprint]


def cut(engine: Engine, start: Machine, tasks: int = TASKS) -> list[Task]:
    """The tasks of the exploration from a state, in a fixed order; one where it is small."""
    found = [Task((), start, {})]
    for _ in range(64):
        if len(found) >= tasks:
            break
        longer: list[Task] = []
        grown = False
        for task in found:
            children = list(_children(engine, task))
            grown = grown or bool(children)
            longer += children or ([task] if not _options(engine, task.machine) else [])
        found = longer
        if not grown:
            break
    return found


def _options(engine: Engine, machine: Machine) -> list[Step]:
    return [step for writer in machine.writers() for step in engine.options(machine, writer)]


def _children(engine: Engine, task: Task) -> Iterator[Task]:
    """The states one step on, but those that a sleep set covers."""
    sleep = dict(task.sleep)
    for step in _options(engine, task.machine):
        if step in sleep:
            continue
        done = engine.step(task.machine, step)
        awake = {
            other: touched
            for other, touched in sleep.items()
            if other.writer != step.writer and not touched.conflicts(done.footprint)
        }
        yield Task((*task.steps, step), done.machine, awake)
        sleep[step] = done.footprint


#: Steps as numbers: the writer, and which of its options.
Coded = tuple[tuple[int, int], ...]


def coded(engine: Engine, start: Machine, steps: Iterable[Step]) -> Coded:
    """Steps as numbers, which can be kept in a file and sent to another process."""
    machine, found = start, []
    for step in steps:
        found.append((step.writer, engine.options(machine, step.writer).index(step)))
        machine = engine.step(machine, step).machine
    return tuple(found)


def decoded(engine: Engine, start: Machine, steps: Coded) -> tuple[Machine, tuple[Step, ...]]:
    """The state that coded steps lead to, and the steps. Raises ValueError where they do not fit the design."""
    machine, found = start, []
    for writer, index in steps:
        options = engine.options(machine, writer) if 0 <= writer < len(machine.processes) else []
        if not 0 <= index < len(options):
            raise ValueError(f"writer {writer + 1} has no option {index + 1} there")
        found.append(options[index])
        machine = engine.step(machine, options[index]).machine
    return machine, tuple(found)
