"""`toki-verify design FILE.py:Class`: what a write path admits, by every run of it, and what would repair it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .common import show, use_utf8, width
from .exploring import add_bounds, exploring, watched, wrong_bounds
from .main import FOUND, OK, UNDECIDED
from .searching import refused

if TYPE_CHECKING:
    from ..designs.repairs import Repairs
    from ..designs.review import Review

EPILOG = """\
A design is a class whose writers are generator functions (docs/designs.md), or a TOML file (docs/designs-toml.md).
Every run of up to --writers writers and --crashes crashes is explored, with every vote and callback, each class of
equivalent runs once. A cell is *admits*, with the smallest run that shows it; *excludes*, for all runs of the bound;
*undefined*, with the reason; or *undecided*, where a limit was hit.

examples:
  toki-verify design examples/designs/first.py:LastWriterWins
  toki-verify design memory.py:Memory --assert N1,N3      exit 1 unless both are excluded
  toki-verify design memory.toml --writers 3 --crashes 0 --jobs 2
  toki-verify design library:mem0-v2 --no-repair -o markdown
  toki-verify design memory.py:Memory --resume run.jsonl  an interrupted exploration goes on where it was

exit codes: 0 done, and what --assert names is excluded; 1 something that --assert names is admitted; 2 a design that
cannot be read or explored, or wrong usage; 3 something is undecided, or what --assert names is undefined
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "design", metavar="DESIGN", help="FILE.py:Class, FILE.toml, library:NAME or package.module:Class"
    )
    add_bounds(parser)
    parser.add_argument(
        "--assert", dest="asserted", metavar="CELLS", help="cells that must be excluded, separated by commas: N1,N3"
    )
    parser.add_argument("--only", metavar="CELLS", help="decide these cells alone")
    parser.add_argument(
        "--repair",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="look for disciplines that would exclude what is admitted (default: yes)",
    )
    parser.add_argument(
        "--repair-seconds",
        type=float,
        default=120.0,
        metavar="S",
        help="stop looking for repairs after so long, and say what was not tried (default: 120)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="try the writers in another order: with --seconds another part of the runs comes first",
    )
    parser.add_argument("--resume", metavar="FILE", help="keep finished tasks in a file, and go on from there")
    parser.add_argument("--save", metavar="FILE", help="write the smallest runs to a .sched file or a directory")
    parser.add_argument(
        "-o",
        "--output",
        choices=("text", "json", "jsonl", "markdown", "github", "sarif", "junit"),
        default="text",
        help="the form of the result (default: text)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Review a design; the exit code."""
    wrong = wrong_bounds(arguments)
    if wrong:
        return refused("design", wrong)
    if arguments.output != "text":
        use_utf8()
    return watched(lambda: _run(arguments))


def _run(arguments: argparse.Namespace) -> int:
    from ..designs.cells import cells
    from ..designs.checkpoint import Checkpoint, WrongCheckpoint
    from ..designs.faults import DesignError
    from ..designs.loading import load
    from ..designs.model import describe
    from ..designs.pool import Reference
    from ..designs.verify import Verifier
    from ..phenomena.catalogue import UnknownName

    try:
        described = describe(load(arguments.design))
        known = [cell.id for cell in cells(described)]
        asserted = _names(arguments.asserted, known)
        only = _names(arguments.only, known)
        wanted = None if only is None else tuple(dict.fromkeys((*only, *(asserted or ()))))
        checkpoint = Checkpoint(Path(arguments.resume), described, wanted, None) if arguments.resume else None
        with exploring(described.name) as (tell, say):
            review = Verifier(
                described,
                only=wanted,
                seconds=arguments.seconds,
                progress=tell,
                jobs=arguments.jobs,
                reference=Reference(arguments.design),
                checkpoint=checkpoint,
                seed=arguments.seed,
            ).verify(arguments.writers, arguments.crashes)
            if arguments.output == "text":  # what is known is told before repairs are looked for
                _show(review)
            repairs = _repairs(review, say, arguments) if arguments.repair and not review.stopped else None
    except (DesignError, UnknownName, WrongCheckpoint) as error:
        return refused("design", error)
    except (OSError, UnicodeDecodeError) as error:
        return refused("design", f"{arguments.resume}: {getattr(error, 'strerror', None) or error}")
    _print(review, repairs, asserted, arguments.output)
    if arguments.save:
        from ..report.design_ci import saved
        from .searching import save, slug

        problem = save(saved(review), arguments.save, slug(described.name))
        if problem:
            return refused("design", problem)
    return _code(review, asserted)


def _names(text: str | None, known: list[str]) -> tuple[str, ...] | None:
    """The cells of an option. Raises UnknownName."""
    from ..phenomena.catalogue import UnknownName

    if text is None:
        return None
    folded = {name.casefold(): name for name in known}
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        if part.casefold() not in folded:
            raise UnknownName("cell", part, known)
        found.append(folded[part.casefold()])
    if not found:
        raise UnknownName("cell", text, known)
    return tuple(found)


def _repairs(review: Review, say: Callable[[str], None], arguments: argparse.Namespace) -> Repairs:
    from ..designs.pool import Reference
    from ..designs.repairs import repairs

    return repairs(
        review,
        tried=lambda text: say(f"repair: {text}"),
        jobs=arguments.jobs,
        reference=Reference(arguments.design),
        seconds=arguments.repair_seconds,
    )


def _show(review: Review) -> None:
    from ..report.design import review_lines

    show(review_lines(review, width()))
    sys.stdout.flush()


def _print(review: Review, repairs: Repairs | None, asserted: tuple[str, ...] | None, form: str) -> None:
    if form == "text":
        from ..report.design import repair_lines

        if repairs is not None:
            show(repair_lines(repairs, width()))
    elif form in ("json", "jsonl"):
        from ..report.design_data import design_object

        found = design_object(review, repairs)
        text = json.dumps(
            [found] if form == "json" else found, ensure_ascii=False, indent=1 if form == "json" else None
        )
        sys.stdout.write(text + "\n")
    else:
        from ..report import design_ci

        sys.stdout.write(getattr(design_ci, form)(review, repairs, asserted))


def _code(review: Review, asserted: tuple[str, ...] | None) -> int:
    verdicts = [review.results[name].verdict for name in asserted or ()]
    if "admits" in verdicts:
        return FOUND
    if "undefined" in verdicts or "undecided" in verdicts or (asserted is None and review.stopped):
        return UNDECIDED
    return OK
