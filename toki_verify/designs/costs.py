"""What a workload costs: how often the store aborts, how often a writer waits, how many steps a run takes."""

from __future__ import annotations

from dataclasses import dataclass

from .engine import Engine
from .explore import Explorer
from .machine import Machine, Step
from .model import Described
from .program import Program
from .review import workloads


@dataclass(frozen=True)
class Cost:
    """What a workload costs: runs up to equivalence, in how many an attempt is rolled back, by the store or by the
    writer, in how many a writer waits, and the steps of a run on average. Without crashes."""

    runs: int
    aborting: int
    waiting: int
    steps: float

    def __str__(self) -> str:
        return f"aborts in {self.aborting} of {self.runs} runs, waits in {self.waiting}, {self.steps:.1f} steps a run"

    @property
    def share(self) -> float:
        """How many runs pay, as a share: aborts and waits."""
        return (self.aborting + self.waiting) / self.runs if self.runs else 0.0


def cost(described: Described, writers: int) -> Cost:
    """What the workload of so many writers costs, without crashes."""
    runs = aborting = waiting = steps = 0
    for workload in workloads(described, writers):
        engine = Engine(described)
        start = engine.start(tuple(Program(described, writer, me) for me, writer in enumerate(workload, 1)))

        def visit(machine: Machine, taken: tuple[Step, ...], engine: Engine = engine, start: Machine = start) -> None:
            nonlocal runs, aborting, waiting, steps
            runs += 1
            steps += len(taken)
            aborting += machine.aborts > 0 or any(record.what == "a" for record in machine.history())
            waiting += _waits(engine, start, taken)

        Explorer(engine, visit).explore(start)
    return Cost(runs, aborting, waiting, steps / runs if runs else 0.0)


def _waits(engine: Engine, start: Machine, taken: tuple[Step, ...]) -> bool:
    """Whether some writer that has begun has to wait in a run."""
    machine = start
    for step in taken:
        for writer in machine.writers():
            options = engine.options(machine, writer)
            if not options or options[0].choice in ("deadlock", "crash"):
                return True
        machine = engine.step(machine, step).machine
    return False
