"""What reading and deciding a file costs: measured in fresh processes, the least of several runs; how it grows."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .files import ROOT, history_file
from .planted import Anomaly

#: Operations of the file on which everything runs once before it is measured; large enough for the columnar reading.
SMALL: Final = 8_000


@dataclass(frozen=True)
class Stage:
    """Processor seconds of all threads, seconds that passed, and the most memory so far, in bytes."""

    processor: float
    seconds: float
    peak: int


@dataclass(frozen=True)
class Measured:
    """A thing of `probe.THINGS` on a file: its stages without `start`, and `start`: an interpreter, all modules and
    compiled loops, and the same on a small file. `found`: what was decided."""

    thing: str
    operations: int
    file_bytes: int
    start: Stage
    stages: dict[str, Stage]
    found: dict[str, bool | None]

    @property
    def processor(self) -> float:
        """Processor seconds of all stages."""
        return sum(stage.processor for stage in self.stages.values())

    @property
    def seconds(self) -> float:
        """Seconds of all stages."""
        return sum(stage.seconds for stage in self.stages.values())

    @property
    def peak(self) -> int:
        """The most memory of the process, in bytes: interpreter and libraries, too."""
        return max(stage.peak for stage in self.stages.values())

    @property
    def grown(self) -> int:
        """By how much the most memory is above that of the start, in bytes."""
        return max(self.peak - self.start.peak, 0)


def measure(directory: Path, thing: str, form: str, size: int, *, anomaly: Anomaly = "", times: int = 1) -> Measured:
    """A thing on a history of about so many operations; the run with the least processor seconds of so many.

    Raises CalledProcessError if the process fails, for lack of memory, say.
    """
    small, file = history_file(directory, form, SMALL), history_file(directory, form, size, anomaly)
    command = [sys.executable, "-m", "tests.bench.histories.probe", thing, str(small), str(file)]
    runs = []
    for _ in range(times):
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, encoding="utf-8")
        printed = json.loads(done.stdout)
        stages = {name: Stage(*numbers) for name, numbers in printed["stages"].items()}
        start = stages.pop("start")
        runs.append(Measured(thing, size, file.stat().st_size, start, stages, printed["found"]))
    return min(runs, key=lambda run: run.processor)


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The c of the a·nᶜ that fits points (n, cost) best: least squares on logarithms. At least two points."""
    logs = [(math.log(size), math.log(cost)) for size, cost in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
