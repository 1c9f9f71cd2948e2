"""Stand-ins for `check_one` that other processes can import: they do what the name of a file says."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from toki_verify.events import Problem
from toki_verify.histories.one_file import Input
from toki_verify.histories.parallel.check_files import check_at_once
from toki_verify.histories.parallel.dask import check_on_dask


def acting(source: Input, marks: Path) -> tuple[str, list[Problem]]:
    """The name of a file; `once…` kills its process when it is first checked, `always…` each time, `slow…` takes a
    minute, `short…` some seconds.
    `marks` is a directory in which is noted what was begun."""
    name = source if isinstance(source, str) else source[1]
    mark = marks / Path(name).name
    begun = mark.exists()
    mark.touch()
    if mark.name.startswith("always") or (mark.name.startswith("once") and not begun):
        os.kill(os.getpid(), signal.SIGKILL)
    if mark.name.startswith(("slow", "short")):
        time.sleep(60 if mark.name.startswith("slow") else 6)
    return mark.name, []


def main(how: str, marks: str, *names: str) -> None:
    """Check names in two processes, and tell of each as it comes; of Ctrl-C, too."""
    found = (
        check_at_once(names, Path(marks), 2, check=acting)  # type: ignore[arg-type]
        if how == "jobs"
        else check_on_dask(names, Path(marks), None, 2, check=acting)  # type: ignore[arg-type]
    )
    try:
        for result, _ in found:
            print(result, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
