"""What finished tasks found, in a file: an exploration that was interrupted goes on where it was.

The file is JSON Lines: a first line that says of which design and bound it is, then a line a task. It is data, and
checked: a line that does not fit is an error that names it, and a run that is read from it is replayed by the engine.
"""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from .examine import Outcome, Place
from .model import Described

FORMAT = "toki-exploration/1"


class WrongCheckpoint(ValueError):
    """A file that is no checkpoint of this exploration."""


class Checkpoint:
    """The file of one exploration. Finished tasks are added as they come."""

    def __init__(self, path: Path, described: Described, asked: tuple[str, ...] | None, limit: int | None) -> None:
        self.path = path
        self.head = {"format": FORMAT, "design": described.name, "of": digest(described, asked, limit)}
        self._found: dict[Place, Outcome] | None = None

    def load(self) -> dict[Place, Outcome]:
        """The finished tasks. Raises WrongCheckpoint with the line, OSError."""
        if self._found is None:
            self._found = self._read()
        return self._found

    def _read(self) -> dict[Place, Outcome]:
        found: dict[Place, Outcome] = {}
        if not self.path.exists() or not self.path.stat().st_size:
            self.path.write_text(json.dumps(self.head) + "\n", encoding="utf-8")
            return found
        lines = self.path.read_text(encoding="utf-8").split("\n")
        head = _object(self.path, 1, lines[0])
        if head.get("format") != FORMAT:
            raise WrongCheckpoint(f"{self.path}:1: no checkpoint, expected format {FORMAT!r}")
        if head != self.head:
            raise WrongCheckpoint(
                f"{self.path}:1: it is of another design, version of it, or set of questions "
                f"({head.get('design')!r}); remove it, or name another file"
            )
        whole = lines[1:-1]  # what stands behind the last newline is a line that was cut off
        for number, text in enumerate(whole, 2):
            place, outcome = _entry(self.path, number, _object(self.path, number, text))
            found[place] = outcome
        if lines[-1]:
            self.path.write_text("\n".join([lines[0], *whole]) + "\n", encoding="utf-8")
        return found

    def add(self, place: Place, outcome: Outcome) -> None:
        """A task is finished."""
        self.load()[place] = outcome
        entry = {
            "task": list(place),
            "runs": outcome.runs,
            "steps": outcome.steps,
            "concerned": sorted(outcome.concerned),
            "found": {
                name: [list(size), [list(step) for step in steps]] for name, (size, steps) in outcome.found.items()
            },
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def digest(described: Described, asked: tuple[str, ...] | None, limit: int | None) -> str:
    """What an exploration depends on: the text of the design's file, its settings, the version, what is asked."""
    from .. import __version__

    text = _sources(described.file)
    settings = (
        __version__,
        described.name,
        described.isolation,
        described.retries,
        described.recovers,
        described.votes,
        described.deterministic,
        described.surface,
        sorted(described.pins.items(), key=repr),
        [writer.name for writer in described.writers],
        asked,
        limit,
    )
    return sha256(text + repr(settings).encode()).hexdigest()


#: Files beside a design's that it may import, and are part of what an exploration depends on.
_FILES = 500


def _sources(file: str | None) -> bytes:
    """The design's file, and the Python files in its directory and below, since it may import them."""
    if file is None or not Path(file).is_file():
        return b""
    beside = sorted(islice(Path(file).parent.rglob("*.py"), _FILES)) if file.endswith(".py") else []
    return b"\0".join(path.read_bytes() for path in (Path(file), *beside))


def _object(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongCheckpoint(f"{path}:{number}: no JSON: {error}") from error
    if not isinstance(found, dict):
        raise WrongCheckpoint(f"{path}:{number}: {text[:40]!r}, expected an object")
    return found


def _entry(path: Path, number: int, entry: dict[str, Any]) -> tuple[Place, Outcome]:
    try:
        writers, crashes, workload, task = (int(part) for part in entry["task"])
        outcome = Outcome(
            int(entry["runs"]),
            int(entry["steps"]),
            {str(name) for name in entry["concerned"]},
            {
                str(name): (
                    tuple(int(part) for part in size),
                    tuple((int(writer), int(option)) for writer, option in steps),
                )
                for name, (size, steps) in entry["found"].items()
            },
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise WrongCheckpoint(
            f"{path}:{number}: no task of an exploration ({type(error).__name__}: {error})"
        ) from error
    return (writers, crashes, workload, task), outcome
