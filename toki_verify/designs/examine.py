"""One task of an exploration, looked at: how many runs it has, and the smallest one that answers each question."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from .cells import Cell, Oracle, cells
from .engine import Engine
from .explore import Explorer, Stopped
from .machine import Machine, Step
from .model import Described, Writer
from .operations import Judge
from .program import Program
from .review import Bound, workloads
from .runs import Run
from .serial import oracle
from .tasks import Coded, Task, coded, cut

#: Which task: writers, crashes, the number of the workload, the number of the task.
Place = tuple[int, int, int, int]


@dataclass
class Outcome:
    """What a task found: runs that belong to its bound, steps, the cells that some run has anything of, and per cell
    the smallest run that shows it: its size and its steps behind those of the task."""

    runs: int = 0
    steps: int = 0
    concerned: set[str] = field(default_factory=set)
    found: dict[str, tuple[tuple[int, ...], Coded]] = field(default_factory=dict)


@dataclass
class Prepared:
    """A bound and a workload, ready to be explored."""

    bound: Bound
    workload: tuple[str, ...]
    engine: Engine
    start: Machine
    tasks: list[Task]
    serial: Oracle
    #: Answers that are known: by cell, and by what the answer depends on.
    known: dict[str, dict[Hashable, bool]] = field(default_factory=dict)


class Examiner:
    """Prepares and examines the tasks of one design. What it prepares it keeps, so that programs are run once."""

    def __init__(self, described: Described, only: tuple[str, ...] | None = None) -> None:
        self.described = described
        self.cells = [cell for cell in cells(described) if only is None or cell.id in only]
        self.asked = {cell.id: cell for cell in self.cells if not cell.undefined}
        self._programs: dict[tuple[str, int], Program] = {}
        self._prepared: dict[tuple[Bound, int], Prepared] = {}

    def prepared(self, bound: Bound, number: int, until: float | None = None) -> Prepared:
        """The tasks of a bound and the workload of a number. Raises DesignError, and Stopped at the time `until`."""
        found = self._prepared.get((bound, number))
        if found is None:
            workload = workloads(self.described, bound.writers)[number]
            engine = Engine(self.described)
            programs = tuple(self._program(writer, me) for me, writer in enumerate(workload, 1))
            start = engine.start(programs, bound.crashes)
            asked = list(self.asked.values())
            serial = oracle(engine, start, asked, until) if any(cell.serial for cell in asked) else Oracle()
            tasks = cut(engine, start) if bound.writers > 1 else [Task((), start, {})]
            names = tuple(writer.name for writer in workload)
            found = self._prepared[bound, number] = Prepared(bound, names, engine, start, tasks, serial)
        return found

    def votes(self) -> tuple[int, ...]:
        """How many answers the judge calls may have that the programs make, each number once."""
        found: set[int] = set()
        stack = [program.root for program in self._programs.values()]
        while stack:
            node = stack.pop()
            stack += node.children.values()
            if isinstance(node.operation, Judge):
                found.add(len(node.operation.votes or self.described.votes))
        return tuple(sorted(found))

    def _program(self, of: Writer, me: int) -> Program:
        key = (of.name, me)
        if key not in self._programs:
            self._programs[key] = Program(self.described, of, me)
        return self._programs[key]

    def examine(
        self,
        place: Place,
        open_: tuple[str, ...],
        *,
        until: float | None = None,
        limit: int | None = None,
        seed: int | None = None,
        stop: Callable[[Outcome], bool] | None = None,
        ran: Callable[[int], None] | None = None,
    ) -> Outcome:
        """Explore a task and answer the open questions. Raises Stopped at the time `until` (of the monotonic clock),
        after `limit` steps, or where `stop` says so; DesignError."""
        prepared = self.prepared(Bound(*place[:2]), place[2], until)
        task = prepared.tasks[place[3]]
        outcome = Outcome()
        asked = [self.asked[name] for name in open_]
        best: dict[str, tuple[tuple[int, ...], tuple[Step, ...]]] = {}

        def visit(machine: Machine, steps: tuple[Step, ...]) -> None:
            if ran is not None:
                ran(1)
            if until is not None and time.monotonic() > until:
                raise Stopped("the time was over")
            if machine.crashes:  # such a run belongs to a smaller bound
                return
            outcome.runs += 1
            if machine.past is None:  # nothing happened: no schedule, and nothing to ask
                return
            run = Run(self.described, prepared.engine.statements, machine, (*task.steps, *steps))
            self._look(run, prepared, asked, outcome, best)
            if stop is not None and stop(outcome):
                raise Stopped("enough is known")

        explorer = Explorer(prepared.engine, visit, limit=limit, seed=None if seed is None else f"{seed}:{place}")
        explorer.explore(task.machine, task.sleep)
        outcome.steps = explorer.counts.steps
        for name, (size, steps) in best.items():
            outcome.found[name] = (size, coded(prepared.engine, prepared.start, steps))
        return outcome

    def _look(
        self,
        run: Run,
        prepared: Prepared,
        asked: list[Cell],
        outcome: Outcome,
        best: dict[str, tuple[tuple[int, ...], tuple[Step, ...]]],
    ) -> None:
        for cell in asked:
            if cell.id not in outcome.concerned and cell.concerns(run):
                outcome.concerned.add(cell.id)
            if cell.id in best and run.size >= best[cell.id][0]:
                continue
            if self._shows(cell, run, prepared):
                best[cell.id] = (run.size, run.steps)
                outcome.found[cell.id] = (run.size, ())

    def _shows(self, cell: Cell, run: Run, prepared: Prepared) -> bool:
        """The cell's answer, from what is known where it depends on what was seen before."""
        if not cell.first(run):
            return False
        if cell.by is None:
            return cell.shows(run, prepared.serial)
        known = prepared.known.setdefault(cell.id, {})
        on = cell.by(run)
        found = known.get(on)
        if found is None:
            found = known[on] = cell.shows(run, prepared.serial)
        return found
