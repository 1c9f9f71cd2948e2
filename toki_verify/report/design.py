"""The review of a design as people read it: the matrix, the smallest run behind every *admits*, repairs."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from ..designs.cells import HANG
from ..designs.facets import FACETS
from ..designs.model import PARTS
from ..designs.repairs import Repair, Repairs
from ..designs.review import CellResult, Review
from ..designs.words import Teller
from ..notation.printer import print_events
from .design_lanes import LEGEND, design_lanes
from .line import Line, line

MARKS = {"admits": ("✗", "red"), "excludes": ("✓", "green"), "undefined": ("–", "dim"), "undecided": ("?", "yellow")}
VACUOUS = ("·", "dim")
#: Repairs that are shown for one cell.
SHOWN = 3


def design_lines(review: Review, repairs: Repairs | None = None, width: int = 100) -> Iterator[Line]:
    """The whole report."""
    yield from review_lines(review, width)
    if repairs is not None:
        yield from repair_lines(repairs, width)


def review_lines(review: Review, width: int = 100) -> Iterator[Line]:
    """The matrix, and the smallest run behind every *admits*."""
    described = review.described
    place = f"  {described.file}" if described.file else ""
    yield line((described.name, "bold"), (place, "dim"))
    yield line(f"  {review.said}")
    if review.stopped:
        yield line("  ", ("stopped", "yellow"), f": {review.stopped}")
    yield line()
    yield from _matrix(review)
    yield from _facets(review)
    yield from _runs(review, width)


def _main(review: Review) -> list[CellResult]:
    """The rows of the matrix; what is only said of locks of a process is left out where no run takes one."""
    results = review.results.items()
    return [found for name, found in results if not name.startswith("N3[") and not (name == HANG and found.vacuous)]


def _matrix(review: Review) -> Iterator[Line]:
    rows = _main(review)
    wide = max((len(found.cell.id) for found in rows), default=0)
    for found in rows:
        mark, colour = VACUOUS if found.vacuous else MARKS[found.verdict]
        plain = found.verdict == "undecided" or (found.verdict == "excludes" and not found.vacuous)
        said = f" ({found.reason})" if found.reason and not plain else ""
        words = f"  {found.cell.title}{said}"
        yield line(
            "  ",
            (mark, f"bold {colour}"),
            f" {found.cell.id:<{wide}}  ",
            (f"{found.verdict:<9}", colour),
            (words, "dim"),
        )


def _facets(review: Review) -> Iterator[Line]:
    results = review.results
    if not any(name.startswith("N3[") for name in results):
        return
    yield line()
    yield line("  N3 by facet of what was replaced, and by the rows that are looked at")
    heads = [*PARTS, "all that is kept"]
    yield line(("    " + " " * 10 + "  ".join(f"{head:<9}" for head in heads), "dim"))
    for facet in FACETS:
        pieces: list[tuple[str, str] | str] = [f"    {facet:<10}"]
        for part in (*PARTS, None):
            name = f"N3[{facet}]" if part is None else f"N3[{facet}]@{part}"
            found = results.get(name)
            verdict: str = "–" if found is None or found.verdict == "undefined" else found.verdict
            if found is not None and found.vacuous:
                verdict = "(none)"
            colour = MARKS[found.verdict][1] if found is not None else "dim"
            pieces.append((f"{verdict:<9}  ", colour))
        yield line(*pieces)


def _runs(review: Review, width: int) -> Iterator[Line]:
    teller = Teller()
    groups: dict[str, list[CellResult]] = {}
    for name, result in review.results.items():
        if result.found is not None and "@" not in name:
            groups.setdefault(str(result.found.straight.schedule), []).append(result)
    if groups:
        yield line()
        yield line(("  The smallest runs. ", "bold"), (LEGEND, "dim"))
    for results in groups.values():
        found = results[0].found
        assert found is not None
        run = found.straight
        yield line()
        paths = ", ".join(dict.fromkeys(found.workload))
        yield line(
            "  ", (", ".join(result.cell.id for result in results), "bold red"), (f"  {found.bound}: {paths}", "dim")
        )
        marks: dict[int, list[str]] = {}
        texts: dict[str, list[tuple[str, str]]] = {}
        for result in results:
            told = teller.tell(result)
            text = told.text + (f" ({result.reason})" if result.reason else "")
            texts.setdefault(text, []).append((result.cell.id, told.what))
            for position in told.events:
                name = result.cell.id.partition("[")[0]
                if name not in marks.setdefault(position, []):
                    marks[position].append(name)
        for text, said_of in texts.items():
            said = f"{', '.join(name for name, _ in said_of)}: {text}{', '.join(what for _, what in said_of if what)}"
            yield from (
                line(row) for row in wrap(said, max(width, 40), initial_indent="    ", subsequent_indent="      ")
            )
        said_at = {position: " ".join(ids) for position, ids in marks.items()}
        picture = design_lanes(run.schedule, width - 4, said_at, run.machine.crashed)
        yield from (line(f"    {row}") for row in picture)
        cores: dict[str, list[str]] = {}
        for result in results:
            core = teller.core(result)
            if core is not None:
                cores.setdefault(print_events(core).replace("\n", " "), []).append(result.cell.id)
        for text, names in cores.items():
            yield line((f"    in short, {', '.join(names)}: ", "dim"), text, ("  (the core, no run of it)", "dim"))


def repair_lines(repairs: Repairs, width: int = 100) -> Iterator[Line]:
    """Per admitted cell the cheapest repairs."""
    if not repairs.by_cell:
        return
    yield line()
    yield line(("  What would exclude them", "bold"), (f"  as it is: {repairs.base}", "dim"))
    shown: dict[tuple[str, ...], list[str]] = {}
    for name, found in repairs.by_cell.items():
        shown.setdefault(tuple(repair.name for repair in found), []).append(name)
    for names in shown.values():
        found = repairs.by_cell[names[0]]
        yield line()
        yield line("    ", (", ".join(names), "bold"))
        if not found:
            more = f"; {len(repairs.open)} are undecided" if repairs.open else ""
            yield line(
                f"      none of the {repairs.tried} sets of disciplines that were decided, single or in pairs{more}"
            )
        for repair in found[:SHOWN]:
            yield from _repair(repair, width)
        if len(found) > SHOWN:
            more = ", ".join(repair.name for repair in found[SHOWN:])
            yield from (
                line(row) for row in wrap(f"also: {more}", width, initial_indent="      ", subsequent_indent="        ")
            )
    if repairs.open:
        yield line()
        text = f"the time was over before these were decided (--repair-seconds): {', '.join(repairs.open)}"
        rows = wrap(text, width, initial_indent="    ", subsequent_indent="      ")
        yield from (line((row, "yellow")) for row in rows)


def _repair(repair: Repair, width: int) -> Iterator[Line]:
    yield line("      ", (repair.name, "green"), (f"  {repair.cost}", "dim"))
    text = repair.words + (f"; but then it admits {', '.join(repair.introduces)}" if repair.introduces else "")
    yield from (line(row) for row in wrap(text, width, initial_indent="        ", subsequent_indent="        "))
