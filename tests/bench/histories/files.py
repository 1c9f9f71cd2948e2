"""Files of histories, each made by a process of its own: what it cost to make one is no part of what is measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final, cast

from .planted import Anomaly

ROOT: Final = Path(__file__).resolve().parents[3]
SUFFIX: Final = {"lines": "jsonl", "plume": "txt", "lists": "edn"}


def history_file(directory: Path, form: str, size: int, anomaly: Anomaly = "") -> Path:
    """A file with a history of about so many operations in a form of `write.WRITERS`; made if it is not there.

    Raises CalledProcessError if it cannot be made.
    """
    path = directory / f"{form}-{size}{anomaly and '-'}{anomaly}.{SUFFIX[form]}"
    if not path.exists():
        command = [sys.executable, "-m", "tests.bench.histories.files", form, str(size), str(path), anomaly]
        subprocess.run(command, cwd=ROOT, check=True)
    return path


def main(form: str, size: str, path: str, anomaly: str) -> None:
    """Write one file, under another name until it is whole."""
    from .history import Shape, make
    from .write import WRITERS

    part = Path(f"{path}.part")
    WRITERS[form](make(Shape.of(int(size))), part, cast(Anomaly, anomaly))
    part.rename(path)


if __name__ == "__main__":
    main(*sys.argv[1:5])
