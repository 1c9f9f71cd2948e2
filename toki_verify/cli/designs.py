"""`toki-verify designs`: the library of designs, explored, beside the paper's Table 4."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from .common import show, use_utf8, width
from .exploring import add_bounds, watched, wrong_bounds
from .main import OK, UNDECIDED
from .searching import refused, stage

if TYPE_CHECKING:
    from ..designs.review import Review

EPILOG = """\
No verdict is written down: every design of the library is explored when the command runs. The systems follow their
write paths step by step; `toki-verify design library:NAME` reviews one in full.

examples:
  toki-verify designs
  toki-verify designs "toki-*" letta --jobs 2
  toki-verify designs -o markdown > matrix.md
  toki-verify designs --list

exit codes: 0 every cell is decided; 2 wrong usage; 3 a cell is undecided
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="designs, patterns too (default: all)")
    parser.add_argument("--list", action="store_true", help="print the names of the library, and explore nothing")
    add_bounds(parser)
    parser.add_argument(
        "-o",
        "--output",
        choices=("text", "json", "jsonl", "markdown"),
        default="text",
        help="the form of the result (default: text)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Explore the library; the exit code."""
    from ..designs.library import PLACES, design
    from ..phenomena.catalogue import UnknownName

    wrong = wrong_bounds(arguments)
    if wrong:
        return refused("designs", wrong)
    chosen: list[str] = []
    for pattern in arguments.names or ["*"]:
        matching = [slug for slug in PLACES if fnmatchcase(slug, pattern)]
        if not matching:
            return refused("designs", UnknownName("design", pattern, list(PLACES)))
        chosen += [slug for slug in matching if slug not in chosen]
    if arguments.list:
        for slug in chosen:
            print(f"{slug:<20} {design(slug).name()}")
        return OK
    if arguments.output != "text":
        use_utf8()
    return watched(lambda: _run(arguments, chosen))


def _run(arguments: argparse.Namespace, chosen: list[str]) -> int:
    from ..report.designs import designs_lines, designs_markdown

    bound = (arguments.writers, arguments.crashes, arguments.seconds)
    with stage("exploring") as say:
        found = list(_explored(chosen, bound, arguments.jobs, say))
    if arguments.output == "text":
        show(designs_lines(found, width()))
    elif arguments.output == "markdown":
        sys.stdout.write(designs_markdown(found))
    elif arguments.output == "jsonl":
        sys.stdout.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in found)
    else:
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    return UNDECIDED if any("stopped" in entry for entry in found) else OK


def _explored(
    chosen: list[str], bound: tuple[int, int, float | None], jobs: int, say: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    if jobs == 1 or len(chosen) == 1:
        for number, slug in enumerate(chosen, 1):
            say(f"{slug} ({number} of {len(chosen)})")
            yield reviewed(slug, bound)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from ..processes import deaf

    pool = ProcessPoolExecutor(min(jobs, len(chosen)), mp_context=get_context("spawn"), initializer=deaf)
    try:
        futures = [pool.submit(reviewed, slug, bound) for slug in chosen]
        for number, future in enumerate(futures, 1):
            say(f"{chosen[number - 1]} ({number} of {len(chosen)})")
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def reviewed(slug: str, bound: tuple[int, int, float | None]) -> dict[str, Any]:
    """A design of the library as the object of NOTATION, with what the paper's Table 4 says of it."""
    from ..claims.table_4 import ANOMALIES, disagreements, rows_of
    from ..designs.library import design
    from ..designs.verify import Verifier
    from ..notation.printer import print_events
    from ..report.design_data import design_object

    writers, crashes, seconds = bound
    review: Review = Verifier(design(slug), seconds=seconds).verify(writers, crashes)
    rows = rows_of(slug)
    out = design_object(review, seed={name: rows[0].letters(name)[0] for name in ANOMALIES} if rows else None)
    out |= {"name": slug, "seconds": round(review.seconds, 3)}
    if rows:
        out["seed_rows"] = {row.layer: {name: "/".join(row.letters(name)) for name in ANOMALIES} for row in rows}
    for name in ANOMALIES:
        result = review.results[name]
        wrong = [text for row in rows for text in disagreements(row, name, result)]
        if wrong and result.verdict in ("admits", "excludes"):
            out["cells"][name]["disagrees"] = wrong
            if result.found is not None:
                out["cells"][name]["text"] = print_events(result.found.straight.schedule).replace("\n", " ")
    return out
