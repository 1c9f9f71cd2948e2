"""What the table of benchmarks has a row for, and the machine it was measured on."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from subprocess import CalledProcessError
from typing import Final

from .measure import Measured, exponent, measure
from .planted import Anomaly

#: Up to this many operations the least of several runs is taken; above it one run.
_REPEATED: Final = 1_000_000
_TIMES: Final = 3


@dataclass(frozen=True)
class Row:
    """A thing of `probe.THINGS` on a form of history. `holds`: the answers that show that it did its work; where one is
    another, the measurement is worth nothing."""

    label: str
    thing: str
    form: str
    holds: tuple[tuple[str, bool], ...] = ()
    anomaly: Anomaly = ""
    #: Larger histories are not measured.
    most: int = 10_000_000
    #: Whether the README shows it.
    short: bool = True


PASS: Final = Row("sequenced form: a bare orjson pass", "orjson", "lines")
EVERYTHING: Final = Row(
    "sequenced form: every phenomenon, every level", "everything", "lines", (("SR", True), ("A5B", False))
)
WEAK: Final = Row("registers (Plume text): RC, RA, CC", "weak levels", "plume", (("RC", True), ("CC", True)))
ALL: Final = Row("registers (Plume text): all seven levels", "all levels", "plume", (("SER", True),))
LISTS: Final = Row("lists (Jepsen EDN): all seven levels", "all levels", "lists", (("SER", True),))
_SKEW: Final = (("SI", True), ("SER", False))
ROWS: Final = (
    PASS,
    EVERYTHING,
    Row("the same with a write skew", "everything", "lines", (("SI", True), ("SR", False)), "write-skew"),
    Row("sequenced form: `toki-verify check`, the whole command", "check", "lines", (("SR", True),), short=False),
    WEAK,
    Row("the same with a fractured read", "weak levels", "plume", (("RC", True), ("RA", False)), "fractured-read"),
    ALL,
    Row("the same with a write skew", "all levels", "plume", _SKEW, "write-skew", 1_000_000),
    Row("registers: `toki-verify check`, the whole command", "check", "plume", (("SER", True),), short=False),
    LISTS,
    Row("the same with a write skew", "all levels", "lists", _SKEW, "write-skew", 1_000_000, False),
)
#: None: it did not end well.
Results = dict[tuple[Row, int], Measured | None]


def measured(directory: Path, row: Row, size: int, times: int = _TIMES) -> Measured:
    """A row at a size. Raises ValueError if the answers are not those that are known, CalledProcessError if the process
    fails."""
    found = measure(directory, row.thing, row.form, size, anomaly=row.anomaly, times=times)
    wrong = {name: found.found.get(name) for name, holds in row.holds if found.found.get(name) is not holds}
    if wrong:
        raise ValueError(f"{row.label}, {size} operations: {wrong}, which is wrong")
    return found


def results(directory: Path, sizes: Iterable[int], say: Callable[[str], object]) -> Results:
    """All rows at all sizes, each said when it is there. Everything runs once on a small file before, so that loops
    are compiled. Raises ValueError as `measured` does."""
    found: Results = {}
    for row in ROWS:
        measured(directory, Row(row.label, row.thing, row.form, anomaly=row.anomaly), 2_000, 1)
    for size in sizes:
        for row in ROWS:
            if size > row.most:
                continue
            try:
                one = measured(directory, row, size, _TIMES if size <= _REPEATED else 1)
            except CalledProcessError as error:
                found[row, size] = None
                say(f"{size:>10,}  {row.label}: exit code {error.returncode}, {(error.stderr or '')[-300:]}")
                continue
            found[row, size] = one
            stages = ", ".join(f"{name} {stage.processor:.2f}" for name, stage in one.stages.items())
            say(f"{size:>10,}  {row.label}: {stages} s, {one.peak / 1e6:,.0f} MB")
    return found


def growth(found: Results, row: Row, last: int | None = None) -> float | None:
    """The exponent of the processor seconds over all sizes of a row, or the last so many; None of fewer than two."""
    points = [(float(size), one.processor) for (other, size), one in found.items() if other is row and one is not None]
    points = points[-last:] if last else points
    return exponent(points) if len(points) > 1 else None


def machine() -> str:
    """The machine and what runs on it, in a line."""
    parts = [_field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine()]
    parts.append(f"{os.cpu_count()} cores")
    if memory := _field("/proc/meminfo", "MemTotal"):
        parts.append(f"{int(memory.split()[0]) / 2**20:.0f} GB")
    parts.append(f"{platform.system()}, Python {platform.python_version()}")
    parts += [f"{name} {version(name)}" for name in ("numpy", "numba", "orjson", "pyarrow")]
    return ", ".join([*parts, f"{datetime.now(UTC):%Y-%m-%d}"])


def _field(path: str, name: str) -> str:
    """A line `name: text` of a file of the system, or nothing."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")
