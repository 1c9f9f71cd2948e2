"""Tasks of one design in several processes: another process finds it by its reference and cuts the same tasks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..processes import deaf
from .examine import Examiner, Outcome, Place
from .explore import Stopped
from .faults import DesignError
from .model import Described, describe


@dataclass(frozen=True)
class Reference:
    """How another process finds a design: what `loading.load` takes, and ids of the disciplines that change it."""

    text: str
    disciplines: tuple[str, ...] = ()

    def described(self) -> Described:
        """The design. Raises DesignError."""
        from .disciplines import under
        from .loading import load

        return under(describe(load(self.text)), self.disciplines)


def outcomes(
    reference: Reference,
    only: tuple[str, ...] | None,
    places: list[Place],
    open_: tuple[str, ...],
    until: float | None,
    limit: int | None,
    jobs: int,
    seed: int | None = None,
) -> Iterator[tuple[Place, Outcome]]:
    """What the tasks found, as they finish. Raises Stopped, DesignError."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context
    from time import monotonic

    left = None if until is None else until - monotonic()
    pool = ProcessPoolExecutor(min(jobs, len(places)), mp_context=get_context("spawn"), initializer=deaf)
    try:
        futures = [pool.submit(_examine, reference, only, place, open_, left, limit, seed) for place in places]
        for future in as_completed(futures):
            place, found, stopped, fault = future.result()
            if fault is not None:
                raise DesignError(
                    fault[0], design=fault[1], writer=fault[2], step=fault[3], file=fault[4], line=fault[5]
                )
            if found is None:
                raise Stopped(stopped)
            yield place, found
    finally:
        pool.shutdown(cancel_futures=True)


@lru_cache(maxsize=4)
def _examiner(reference: Reference, only: tuple[str, ...] | None) -> Examiner:
    return Examiner(reference.described(), only)


#: What is wrong with a design, as plain data: exceptions with named arguments cannot be sent.
_Fault = tuple[str, str | None, str | None, int | None, str | None, int | None]


def _examine(
    reference: Reference,
    only: tuple[str, ...] | None,
    place: Place,
    open_: tuple[str, ...],
    seconds: float | None,
    limit: int | None,
    seed: int | None,
) -> tuple[Place, Outcome | None, str, _Fault | None]:
    from time import monotonic

    until = None if seconds is None else monotonic() + seconds
    try:
        return place, _examiner(reference, only).examine(place, open_, until=until, limit=limit, seed=seed), "", None
    except Stopped as stopped:
        return place, None, str(stopped), None
    except DesignError as error:
        fault = (error.problem, error.design, error.writer, error.step, error.file, error.line)
        return place, None, "", fault
