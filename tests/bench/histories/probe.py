"""One measurement, in a process of its own: `python -m tests.bench.histories.probe THING SMALL FILE`.

The stages of a thing run on the small file first, which loads all modules and the compiled loops (and compiles them on
the first run on a machine): that is the stage `start`. Then they run on the file. Printed is a JSON object: of each
stage the processor seconds of all threads, seconds, and the peak of memory so far; and what was found.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, Final

#: What the first stage makes of a path, and what a later one makes of the result of the one before.
Stages = dict[str, Callable[[Any], Any]]
#: Levels that need no search for a version order.
WEAK: Final = ("RC", "RA", "CC")


def bare_pass(path: Path) -> dict[str, bool]:
    """Every line through orjson; nothing is kept."""
    import orjson

    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)
    return {}


def prepared(path: Path) -> None:
    """What `check` does before it reads a large file."""
    from toki_verify.histories.memory import LARGE, keep_freed_memory

    if path.stat().st_size >= LARGE:
        keep_freed_memory()


def read_lines(path: Path) -> Any:
    """The trace of a file in the sequenced form."""
    from toki_verify.histories.readers.lines import read_trace

    prepared(path)
    trace, problems = read_trace(path.read_bytes(), path.name)
    if trace is None:
        raise ValueError(f"{path.name} is not read: {problems[0]}")
    return trace


def decide_lines(trace: Any) -> dict[str, bool | None]:
    """Every phenomenon and level of a trace: those of the core of the catalogue and of the family graph."""
    from toki_verify.histories.columnar.decide import all_levels, decide
    from toki_verify.phenomena.catalogue import catalogue

    found = decide(trace)
    if set(found.present) != set(catalogue()) or set(found.holds) != set(all_levels()):
        raise ValueError("not everything was decided")
    core = {name: found.present[name] for name, entry in catalogue().items() if entry.core}
    return core | {name.partition(":")[2]: holds for name, holds in found.holds.items() if name.startswith("graph:")}


def read_register(path: Path) -> Any:
    """The history of a file in a form of other testers."""
    from toki_verify.histories.formats import read_history

    prepared(path)
    history, problems = read_history(path.read_bytes(), source=path.name)
    if history is None:
        raise ValueError(f"{path.name} is not read: {problems[0]}")
    return history


def decide_weak(history: Any) -> dict[str, bool | None]:
    """RC, RA and CC."""
    return _decided(history, WEAK)


def decide_all(history: Any) -> dict[str, bool | None]:
    """All session levels."""
    from toki_verify.histories.sessions.verdict import ALL

    return _decided(history, ALL)


def _decided(history: Any, levels: tuple[str, ...]) -> dict[str, bool | None]:
    from toki_verify.histories.sessions.verdict import decide

    return {outcome.level: outcome.holds for outcome in decide(history, levels=levels).levels}


def command(path: Path) -> dict[str, bool]:
    """What the command says of a file."""
    from toki_verify.cli.main import main

    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = main(["check", str(path), "-o", "json"])
    levels: dict[str, dict[str, bool]] = json.loads(out.getvalue())[0]["levels"]
    return {"exit code 0": code == 0} | levels.get("graph", levels.get("session", {}))


#: What can be measured.
THINGS: Final[dict[str, Stages]] = {
    "orjson": {"pass": bare_pass},
    "everything": {"read": read_lines, "decide": decide_lines},
    "weak levels": {"read": read_register, "decide": decide_weak},
    "all levels": {"read": read_register, "decide": decide_all},
    "check": {"command": command},
}


def peak() -> int:
    """The most memory that this process had, in bytes. (`ru_maxrss` counts what the parent had, too, on Linux.)"""
    with contextlib.suppress(OSError), Path("/proc/self/status").open(encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def spent() -> float:
    """Processor seconds of this process so far: of all threads, of the system for it, too."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main(thing: str, small: str, file: str) -> None:
    """Run the stages on both files, and print what the second run took."""
    stages = THINGS[thing]
    begun = perf_counter()
    result: Any = Path(small)
    for action in stages.values():
        result = action(result)
    measured = {"start": [spent(), perf_counter() - begun, peak()]}
    gc.collect()
    result = Path(file)
    for name, action in stages.items():
        processor, begun = spent(), perf_counter()
        result = action(result)
        measured[name] = [spent() - processor, perf_counter() - begun, peak()]
    print(json.dumps({"stages": measured, "found": result}))


if __name__ == "__main__":
    main(*sys.argv[1:4])
