"""The tables of benchmarks. `python -m tests.bench.table` measures, and writes the README's block and
docs/benchmarks.md.

`--most N`: no history of more operations; `--directory D`: keep the histories there.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from .histories.files import ROOT
from .histories.measure import SMALL
from .histories.rows import EVERYTHING, PASS, ROWS, WEAK, Results, Row, growth, machine, results

SIZES: Final = (10_000, 100_000, 1_000_000, 10_000_000)
BLOCK: Final = re.compile(r"(<!-- bench -->\n)(.*?)(<!-- /bench -->)", re.DOTALL)
#: What the issue that asked for this table says of other tools: tool, what it did, what that took. Not measured here.
QUOTED: Final[tuple[tuple[str, str, str], ...]] = (
    ("AWDIT", "read committed, registers", "0.3 s, 70 MB"),
    ("AWDIT", "causal, registers", "1.4 s"),
    ("Elle", "serializable, lists, with reading", "33 s"),
    ("Plume", "registers", "20 to 37 s"),
)
_POWERS: Final = {10_000: "10⁴", 100_000: "10⁵", 1_000_000: "10⁶", 10_000_000: "10⁷"}
_FAILED: Final = "not finished"

HOW: Final = f"""\
Each number is of a process of its own, which runs on a history of {SMALL:,} operations first: modules are then imported
and the compiled loops loaded from their cache (*start*). Seconds are processor seconds of all threads, of the system
for the process, too, without the start, the least of three runs (above a million operations: one run); MB are the most
memory of the process, with interpreter and libraries. *× pass* is the ratio to the bare orjson pass (`orjson.loads` of
each line, nothing kept) over the sequenced form of as many operations, in the same run. *Growth* is the c of the a·nᶜ
that fits the seconds best over all sizes (least squares of logarithms; the start is not in them).

An operation is a read or a write; transactions have eight, in twenty sessions; forty operations a key, half of them
reads; four transactions overlap. The histories are serializable; in some, two transactions at the end have a write skew
or a fractured read, which no shortcut for serializable histories passes. A measurement whose answer is not the known
one fails.
"""


def power(size: int) -> str:
    """A size as a power of ten, where it is one."""
    return _POWERS.get(size, f"{size:,}")


def cells(found: Results, row: Row, size: int) -> list[str]:
    """Seconds, MB and the ratio to the bare pass."""
    if (row, size) not in found:
        return ["–", "–", "–"]
    one, bare = found[row, size], found.get((PASS, size))
    if one is None:
        return [_FAILED, "", ""]
    ratio = "–" if bare is None else f"{one.processor / bare.processor:.1f}"
    return [f"{one.processor:.2f}", f"{one.peak / 1e6:,.0f}", ratio]


def exponent_cell(found: Results, row: Row, last: int | None = None) -> str:
    """How a row grows."""
    value = growth(found, row, last)
    return "–" if value is None else f"{value:.2f}"


def _grown(found: Results, row: Row) -> list[str]:
    """How a row grows over all sizes, and from the last but one to the last."""
    return [exponent_cell(found, row), exponent_cell(found, row, 2)]


def goals(found: Results, size: int) -> list[list[str]]:
    """What the issue that asked for this table asks for, and what was measured, at the largest size."""
    bare, every, weak = (found.get((row, size)) for row in (PASS, EVERYTHING, WEAK))
    if bare is None or every is None or weak is None:
        return []
    at = power(size)
    seconds, memory = every.processor, every.peak / 1e9
    passes, of_everything, weak_passes = (
        seconds / bare.processor,
        weak.processor / seconds,
        weak.processor / bare.processor,
    )
    grown = [(row, growth(found, row)) for row in (EVERYTHING, WEAK)]
    return [
        [f"everything in 4 × a bare pass over the same file, {at}", f"{passes:.1f} ×", _met(passes <= 4)],
        [
            "everything, ten million operations in 30 s and 4 GB",
            f"{at}: {seconds:.0f} s, {memory:.1f} GB",
            _met(seconds <= 30 and memory <= 4) if size == SIZES[-1] else "–",
        ],
        [
            f"registers at RC, RA, CC in 3 × the seconds of everything, {at}",
            f"{of_everything:.1f} × ({weak_passes:.1f} × a bare pass)",
            _met(of_everything <= 3),
        ],
        *(
            [
                f"{row.label}: exponent of the growth at most 1.1, fitted over all sizes",
                f"{exponent_cell(found, row)} (last step: {exponent_cell(found, row, 2)})",
                "–" if value is None else _met(value <= 1.1),
            ]
            for row, value in grown
        ),
    ]


def _met(met: bool) -> str:
    return "yes" if met else "**no**"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown; all columns but the first are of numbers."""
    names = list(heads)
    lines = [names, ["---", *["--:"] * (len(names) - 1)], *map(list, rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def quoted() -> str:
    """What is quoted of other tools."""
    if not QUOTED:
        return ""
    note = (
        "Of other tools on 100,000 transactions of eight operations (8·10⁵), **quoted** from the issue that asked for "
        "this table: measured there, on such a machine, and not in this run."
    )
    return f"\n{note}\n\n" + table(("tool", "what", "seconds, memory"), QUOTED)


def readme_block(found: Results, sizes: list[int], where: str) -> str:
    """The largest two sizes."""
    shown = sizes[-2:]
    measured = (f"{power(size)}: {head}" for size in shown for head in ("s", "MB", "× pass"))
    heads = ["operations", *measured, "growth", "last step"]
    rows = [
        [row.label, *(cell for size in shown for cell in cells(found, row, size)), *_grown(found, row)]
        for row in ROWS
        if row.short
    ]
    legend = (
        "Processor seconds (reading and deciding), most memory, ratio to a bare orjson pass over the sequenced form of "
        f"as many operations. *Growth* is the exponent that fits all sizes from {power(sizes[0])} to "
        f"{power(sizes[-1])} best; *last step* that of the last two sizes alone, by which larger files are to be "
        "judged. Without about a second and a half in which a process starts; –: not measured. "
        "Written by `make bench-table`; how it is measured, which goals are met, and more: "
        "[docs/benchmarks.md](docs/benchmarks.md)."
    )
    return f"{table(heads, rows)}\n{where}.\n{legend}\n{quoted()}"


def document(found: Results, sizes: list[int], where: str) -> str:
    """docs/benchmarks.md."""
    asked = table(("goal", "measured", "met"), goals(found, sizes[-1]))
    parts = ["# Benchmarks\n", f"Written by `make bench-table`. Measured on: {where}.\n", HOW, asked]
    heads = ["operations", *map(power, sizes)]
    for title, number in (("Seconds", 0), ("Most memory, MB", 1), ("× pass", 2)):
        extra = ["growth", "of the last step"] if number == 0 else []
        rows = [
            [row.label, *(cells(found, row, size)[number] for size in sizes)] + (_grown(found, row) if extra else [])
            for row in ROWS
        ]
        parts.append(f"## {title}\n\n{table([*heads, *extra], rows)}")
    parts.append(f"## Stage by stage\n\n{table(*stages(found))}")
    return "\n".join(parts) + quoted()


def stages(found: Results) -> tuple[list[str], list[list[str]]]:
    """Every measurement, by its stages: processor seconds, seconds that passed, memory a byte of the file."""
    heads = ["", "operations", "file, MB", "start, s", "stage", "processor s", "s passed", "MB so far", "grown / file"]
    lines = []
    for (row, size), one in found.items():
        if one is None:
            continue
        for number, (name, stage) in enumerate(one.stages.items()):
            whole = [row.label, power(size), f"{one.file_bytes / 1e6:.1f}", f"{one.start.processor:.2f}"]
            grown = max(stage.peak - one.start.peak, 0) / one.file_bytes
            times = [name, f"{stage.processor:.3f}", f"{stage.seconds:.3f}", f"{stage.peak / 1e6:,.0f}", f"{grown:.1f}"]
            lines.append([*([""] * 4 if number else whole), *times])
    return heads, lines


def main() -> None:
    """Measure, and write both documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--directory", type=Path)
    options = parser.parse_args()
    sizes = [size for size in SIZES if size <= options.most]
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.directory or Path(temporary)
        directory.mkdir(parents=True, exist_ok=True)
        found = results(directory, sizes, lambda line: print(line, flush=True))
    where = machine()
    (ROOT / "docs/benchmarks.md").write_text(document(found, sizes, where), encoding="utf-8")
    readme = ROOT / "README.md"
    text, block = readme.read_text(encoding="utf-8"), readme_block(found, sizes, where)
    readme.write_text(BLOCK.sub(lambda match: match[1] + block + match[3], text), encoding="utf-8")


if __name__ == "__main__":
    main()
