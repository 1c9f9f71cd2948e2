"""A design's verdict matrix: every run up to a bound, and what each question is answered by it.

Bounds grow: one writer, then two; without crashes, then with. The first run that shows something is thereby of the
fewest writers; among the runs of a bound the one with the fewest crashes, repeated attempts and events is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .cells import Cell
from .checkpoint import Checkpoint, WrongCheckpoint
from .examine import Examiner, Outcome, Place
from .explore import Stopped
from .model import Described, Design, describe
from .pool import Reference, outcomes
from .review import Bound, CellResult, Explored, Found, Review, bounds, workloads
from .runs import Run
from .tasks import decoded


@dataclass
class Progress:
    """Where an exploration is: the bound, tasks done and in all, runs so far."""

    bound: Bound
    done: int
    tasks: int
    runs: int


@dataclass
class _Best:
    place: Place
    size: tuple[int, ...]
    steps: tuple[tuple[int, int], ...]


class Verifier:
    """Explores a design bound by bound.

    `only` are the cells to decide (default: all). `limit` bounds the steps of a task, `seconds` the time; where one
    is over, what is open is *undecided*. `jobs` processes explore where `reference` says how another process finds the
    design. A `checkpoint` keeps what finished tasks found. Once all of `until_admits` are admitted it stops.
    With a `seed` the writers are tried in another order.
    """

    def __init__(
        self,
        of: type[Design] | Design | Described,
        *,
        only: tuple[str, ...] | None = None,
        limit: int | None = None,
        seconds: float | None = None,
        progress: Callable[[Progress], None] | None = None,
        jobs: int = 1,
        reference: Reference | None = None,
        checkpoint: Checkpoint | None = None,
        until_admits: tuple[str, ...] = (),
        seed: int | None = None,
    ) -> None:
        self.described = of if isinstance(of, Described) else describe(of)
        self.examiner = Examiner(self.described, only)
        self.only, self.limit, self.seconds, self.progress = only, limit, seconds, progress
        self.jobs, self.reference = (jobs if reference else 1), reference
        self.checkpoint, self.until_admits, self.seed = checkpoint, until_admits, seed
        self.review = Review(self.described)
        self.best: dict[str, _Best] = {}
        self.concerned: set[str] = set()
        self.serial: set[str] = set()
        self.runs = 0
        self._knows = False

    def verify(self, writers: int = 2, crashes: int = 1) -> Review:
        """Explore up to a bound; the matrix. Raises DesignError for a design that cannot be explored."""
        started = time.monotonic()
        until = None if self.seconds is None else started + self.seconds
        for bound in bounds(writers, crashes):
            try:
                self._bound(bound, until)
            except Stopped as stopped:
                self.review.stopped = f"{stopped} while exploring {bound}"
                break
            except KeyboardInterrupt:  # what is known is told
                self.review.stopped = f"interrupted while exploring {bound}"
                break
        asked = self.examiner.asked
        self.review.votes = self.examiner.votes()
        self.review.results = {
            cell.id: self._result(cell) if cell.id in asked else CellResult(cell, "undefined", cell.undefined)
            for cell in self.examiner.cells
        }
        self.review.seconds = time.monotonic() - started
        return self.review

    def _bound(self, bound: Bound, until: float | None) -> None:
        explored = Explored(bound)
        open_ = tuple(name for name in self.examiner.asked if name not in self.best)
        places: list[Place] = []
        for number in range(len(workloads(self.described, bound.writers))):
            prepared = self.examiner.prepared(bound, number, until)
            explored.serial_states += sum(map(len, prepared.serial.states.values()))
            self.serial |= prepared.serial.failing & set(self.examiner.asked)
            places += [(bound.writers, bound.crashes, number, task) for task in range(len(prepared.tasks))]
        for done, (place, outcome) in enumerate(self._outcomes(places, open_, until), 1):
            self._merge(place, outcome)
            explored.runs += outcome.runs
            explored.steps += outcome.steps
            self.runs += outcome.runs
            if self.progress is not None:
                self.progress(Progress(bound, done, len(places), self.runs))
            if self.enough():
                raise Stopped("everything asked for is admitted")
        self.review.explored.append(explored)

    def enough(self) -> bool:
        """Whether everything that was waited for is admitted."""
        return self._knows or (bool(self.until_admits) and all(name in self.best for name in self.until_admits))

    def _outcomes(
        self, places: list[Place], open_: tuple[str, ...], until: float | None
    ) -> Iterator[tuple[Place, Outcome]]:
        """What the tasks found, finished ones first from the checkpoint."""
        kept = self.checkpoint.load() if self.checkpoint else {}
        left = []
        for place in places:
            if place in kept:
                yield place, kept[place]
            else:
                left.append(place)
        if self.jobs > 1 and len(left) > 1 and self.reference is not None:
            made = outcomes(self.reference, self.only, left, open_, until, self.limit, self.jobs, self.seed)
        else:
            made = ((place, self._examine(place, open_, until)) for place in left)
        for place, outcome in made:
            if self.checkpoint:
                self.checkpoint.add(place, outcome)
            yield place, outcome

    def _examine(self, place: Place, open_: tuple[str, ...], until: float | None) -> Outcome:
        stop = None
        if self.until_admits:
            found = set(self.best)

            def stop(outcome: Outcome) -> bool:
                self._knows = all(name in found or name in outcome.found for name in self.until_admits)
                return self._knows

        return self.examiner.examine(place, open_, until=until, limit=self.limit, seed=self.seed, stop=stop)

    def _merge(self, place: Place, outcome: Outcome) -> None:
        self.concerned |= outcome.concerned
        for name, (size, steps) in outcome.found.items():
            known = self.best.get(name)
            if known is None or (known.place[:2] == place[:2] and (size, place) < (known.size, known.place)):
                self.best[name] = _Best(place, size, steps)

    def _found(self, cell: Cell, best: _Best) -> Found:
        bound = Bound(*best.place[:2])
        prepared = self.examiner.prepared(bound, best.place[2])
        try:
            machine, steps = decoded(prepared.engine, prepared.start, best.steps)
        except ValueError as error:  # only a file can say so
            at = self.checkpoint.path if self.checkpoint else "a task"
            raise WrongCheckpoint(f"{at}: its run for {cell.id} is none of the design: {error}") from error
        run = Run(self.described, prepared.engine.statements, machine, steps)
        if self.checkpoint and not (machine.finished and machine.past and cell.shows(run, prepared.serial)):
            raise WrongCheckpoint(f"{self.checkpoint.path}: its run for {cell.id} does not show it")
        return Found(run, bound, prepared.workload, prepared.engine, prepared.start)

    def _result(self, cell: Cell) -> CellResult:
        if cell.id in self.best:
            serial = cell.id in self.serial
            reason = "a serial execution shows it, too: no isolation anomaly" if serial else ""
            return CellResult(cell, "admits", reason, self._found(cell, self.best[cell.id]), serial=serial)
        if self.review.stopped:
            done = f"; excluded in {self.review.said}" if self.review.explored else ""
            return CellResult(cell, "undecided", f"stopped: {self.review.stopped}{done}")
        if cell.id not in self.concerned and cell.nothing:
            return CellResult(cell, "excludes", f"vacuously: {cell.nothing}", vacuous=True)
        return CellResult(cell, "excludes", f"in {self.review.said}")


def verify(of: type[Design] | Design | Described, *, writers: int = 2, crashes: int = 1) -> Review:
    """The verdict matrix of a design, decided on all runs of so many writers and crashes.

    Raises DesignError for a design that cannot be explored.
    """
    return Verifier(of).verify(writers, crashes)
