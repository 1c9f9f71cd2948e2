"""A census as work: shares counted one by one or in several processes, each written to a checkpoint when it is done."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from ..processes import deaf, deaf_from_birth
from .census_counts import CensusBounds, CensusResult, Counts, Definitions, as_number, as_object, count_share
from .census_lanes import Share, size_of

#: Raised whenever what a census counts or what a line holds changes while the formulas stay.
FORMAT = 1


class BadCheckpoint(ValueError):
    """A checkpoint that cannot be used: file, line, what is wrong and what to do. The file stays as it is."""

    def __init__(self, file: Path, line: int, what: str, remedy: str) -> None:
        super().__init__(f"{file}:{line}: {what}; {remedy}")


class Checkpoint:
    """What is counted so far, as JSON Lines: the census first, then a share a line.

    A line is written with one call at the end of the file once its share is counted, so that an interruption loses the
    shares at work and nothing else. The first line holds the bounds and a digest of the definitions: counts of other
    definitions are never mixed.
    """

    def __init__(self, file: Path, bounds: CensusBounds) -> None:
        """Read the checkpoint, or begin one. Raises BadCheckpoint, OSError."""
        self.file = file
        self.definitions = Definitions.shipped(bounds.families)
        self.done: dict[Share, Counts] = {}
        self._shares = set(bounds.shares())
        self._first = {
            "toki-verify": "census",
            "format": FORMAT,
            "definitions": self.definitions.digest(),
            **bounds.as_json(),
        }
        if file.exists() and file.stat().st_size:
            self._read(file.read_bytes())
        else:
            self._append(self._first)

    def _read(self, data: bytes) -> None:
        lines = data.split(b"\n")
        unfinished = lines.pop()
        for number, text in enumerate(lines, start=1):
            try:
                entry = as_object(json.loads(text), "line")
            except (ValueError, RecursionError) as error:
                raise self._bad(number, "not a line of a census checkpoint", first=number == 1) from error
            if number == 1:
                self._same(entry)
                continue
            try:
                self._share(entry)
            except ValueError as error:
                raise self._bad(number, str(error)) from error
        if unfinished:
            raise self._bad(len(lines) + 1, "the file ends within the line", first=not lines)

    def _bad(self, number: int, what: str, *, first: bool = False) -> BadCheckpoint:
        remedy = "is it another file?" if first else "delete the line to count its share again"
        return BadCheckpoint(self.file, number, what, remedy)

    def _same(self, entry: dict[str, object]) -> None:
        if entry.get("toki-verify") != "census":
            raise self._bad(1, "not a census checkpoint", first=True)
        for name, wanted in self._first.items():
            if entry.get(name) != wanted:
                was = json.dumps(entry.get(name), ensure_ascii=False)
                what = f"the checkpoint is of another census: {name} {was}, not {json.dumps(wanted)}"
                raise BadCheckpoint(self.file, 1, what, "ask for the same census or name another file")

    def _share(self, entry: dict[str, object]) -> None:
        share = Share(_numbers(entry, "sizes"), _numbers(entry, "items"))
        if share not in self._shares:
            raise ValueError("a share that this census does not have")
        counts = Counts.from_json(entry, self.definitions)
        if counts.schedules != size_of(share):
            raise ValueError(f"{counts.schedules} schedules in a share that has {size_of(share)}")
        if self.done.setdefault(share, counts) != counts:
            raise ValueError("a share that an earlier line counts otherwise, which is to be deleted, too")

    def add(self, share: Share, counts: Counts) -> None:
        """Write down what was counted. Raises OSError."""
        self._append({"sizes": share.sizes, "items": share.items, **counts.as_json()})
        self.done[share] = counts

    def _append(self, entry: dict[str, object]) -> None:
        data = json.dumps(entry, separators=(",", ":")).encode() + b"\n"
        handle = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            if os.write(handle, data) != len(data):
                raise OSError(None, "the disk is full")
        finally:
            os.close(handle)


def _numbers(entry: dict[str, object], name: str) -> tuple[int, ...]:
    found = entry.get(name)
    if not isinstance(found, list):
        raise ValueError(f"{name}: expected a list of whole numbers")
    return tuple(as_number(value, name) for value in found)


@cache
def _definitions(families: tuple[str, ...]) -> Definitions:
    return Definitions.shipped(families)


def _count(share: Share, families: tuple[str, ...]) -> tuple[Share, Counts]:
    """Count a share in any process: formulas are looked up there, since what they cache is no use elsewhere."""
    return share, count_share(share, _definitions(families))


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes, started anew rather than forked: a progress bar draws from a thread of this one."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=deaf)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _counted(todo: list[Share], families: tuple[str, ...], jobs: int) -> Iterator[tuple[Share, Counts]]:
    """The shares as they are done."""
    if min(jobs, len(todo)) <= 1:
        for share in todo:
            yield _count(share, families)
        return
    with _pool(min(jobs, len(todo))) as pool:
        with deaf_from_birth():
            futures = [pool.submit(_count, share, families) for share in todo]
        for future in as_completed(futures):
            yield future.result()


def take_census(
    bounds: CensusBounds,
    *,
    jobs: int = 1,
    checkpoint: Path | None = None,
    progress: Callable[[int, int, int], None] = lambda done, whole, schedules: None,
) -> CensusResult:
    """Count every canonical complete schedule within the bounds, per level and phenomenon.

    `jobs` processes work at once. What a `checkpoint` file of the same census holds is not counted again, and it takes
    down what is counted. `progress` gets the work done, the whole work and the schedules counted, after every share.
    The result does not depend on any of these.

    Raises Unfit or UnknownName for bounds without sense, BadCheckpoint, OSError.
    """
    bounds = bounds.checked()
    record = None if checkpoint is None else Checkpoint(checkpoint, bounds)
    done = {} if record is None else dict(record.done)
    shares = bounds.shares()
    whole = sum(share.weight for share in shares)
    work, schedules = sum(share.weight for share in done), sum(counts.schedules for counts in done.values())
    progress(work, whole, schedules)
    # Shares of one frame stay together (they use its interleavings), the most work first, so that no process ends late.
    todo = sorted((share for share in shares if share not in done), key=lambda share: (-share.weight, share))
    for share, counts in _counted(todo, bounds.families, jobs):
        if record is not None:
            record.add(share, counts)
        done[share] = counts
        work, schedules = work + share.weight, schedules + counts.schedules
        progress(work, whole, schedules)
    definitions = Definitions.shipped(bounds.families)
    sizes = {size: Counts() for size in bounds.sizes}
    for share in shares:
        sizes[share.events].add(done[share])
    return CensusResult(bounds, {size: counts.ordered(definitions) for size, counts in sizes.items()})


__all__ = ["BadCheckpoint", "Checkpoint", "take_census"]
