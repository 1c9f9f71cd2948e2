"""Reviews of designs for machines and pull requests: GitHub annotations, SARIF, JUnit, Markdown, schedule files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as Xml

from .. import __version__
from ..designs.repairs import Repairs
from ..designs.review import CellResult, Review
from ..designs.words import Teller
from ..events import Schedule
from ..notation.printer import print_events
from ..phenomena.catalogue import catalogue
from .github import command
from .markdown import cell_text
from .plain import visible
from .sarif import SCHEMA, uri

Json = dict[str, Any]


def judged(review: Review, asserted: tuple[str, ...] | None) -> list[CellResult]:
    """The cells that are judged: those asserted, or all but the facets by surface."""
    names = asserted if asserted is not None else tuple(name for name in review.results if "@" not in name)
    return [review.results[name] for name in names]


def _text(result: CellResult, teller: Teller) -> str:
    """What is said of a cell in one line."""
    if result.found is None:
        return f"{result.cell.title}: {result.verdict}, {result.reason}"
    told = teller.tell(result)
    schedule = print_events(result.found.straight.schedule).replace("\n", " ")
    return f"{result.cell.title}: {(told.text + told.what).rstrip('.')}. The smallest run: {schedule}"


def github(review: Review, repairs: Repairs | None, asserted: tuple[str, ...] | None) -> str:
    """An error for what is asserted and admitted (a warning where nothing is asserted), a warning for what is open."""
    teller, lines = Teller(), []
    for result in judged(review, asserted):
        if result.verdict == "admits":
            level = "error" if asserted is not None else "warning"
        elif result.verdict == "undecided" or (asserted is not None and result.verdict == "undefined"):
            level = "warning"
        else:
            continue
        text = _text(result, teller) + _repair_text(result, repairs)
        title = f"{review.described.name} {result.verdict} {result.cell.id}"
        lines.append(command(level, title, text, file=review.described.file, line=_line(review, result)))
    return "".join(f"{line}\n" for line in lines)


def _repair_text(result: CellResult, repairs: Repairs | None) -> str:
    found = repairs.by_cell.get(result.cell.id) if repairs else None
    return f" Cheapest repair: {found[0].words}." if found else ""


def _line(review: Review, result: CellResult) -> int | None:
    """Where the write path of the smallest run stands in the design's file."""
    wanted = result.found.workload[0] if result.found else None
    for writer in review.described.writers:
        if wanted in (None, writer.name):
            return writer.line
    return None


def sarif(review: Review, repairs: Repairs | None, asserted: tuple[str, ...] | None) -> str:
    """One run: a result for every cell that is admitted or open."""
    teller = Teller()
    shown = [result for result in judged(review, asserted) if result.verdict in ("admits", "undecided")]
    rules = [
        {"id": result.cell.id, "shortDescription": {"text": result.cell.title}, "help": {"text": _help(result)}}
        for result in shown
    ]
    results: list[Json] = []
    for index, result in enumerate(shown):
        level = "error" if result.verdict == "admits" and asserted is not None else "warning"
        out: Json = {
            "ruleId": result.cell.id,
            "ruleIndex": index,
            "level": level,
            "message": {"text": _text(result, teller) + _repair_text(result, repairs)},
        }
        if review.described.file:
            place: Json = {"artifactLocation": {"uri": uri(review.described.file)}}
            line = _line(review, result)
            if line:
                place["region"] = {"startLine": line}
            out["locations"] = [{"physicalLocation": place}]
        results.append(out)
    run = {"tool": {"driver": {"name": "toki-verify", "version": __version__, "rules": rules}}, "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _help(result: CellResult) -> str:
    entry = catalogue().get(result.cell.id)
    return result.cell.title if entry is None else f"{entry.title} ({entry.source})"


def junit(review: Review, repairs: Repairs | None, asserted: tuple[str, ...] | None) -> str:
    """A suite; a case a cell: a failure where it is admitted, skipped where it is undefined or undecided."""
    teller = Teller()
    cells = judged(review, asserted)
    failures = sum(result.verdict == "admits" for result in cells)
    skipped = sum(result.verdict in ("undefined", "undecided") for result in cells)
    counts = {"tests": str(len(cells)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}
    root = Xml.Element("testsuites", {"name": "toki-verify", **counts})
    suite = Xml.SubElement(root, "testsuite", {"name": visible(review.described.name), **counts, "time": "0"})
    for result in cells:
        case = Xml.SubElement(
            suite,
            "testcase",
            {"name": result.cell.id, "classname": visible(review.described.file or review.described.name), "time": "0"},
        )
        if result.verdict == "excludes":
            continue
        tag = "failure" if result.verdict == "admits" else "skipped"
        out = Xml.SubElement(case, tag, {"message": visible(f"{result.verdict}: {result.reason or result.cell.title}")})
        out.text = visible(_text(result, teller) + _repair_text(result, repairs), keep="\n")
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def markdown(review: Review, repairs: Repairs | None, asserted: tuple[str, ...] | None) -> str:
    """A table, a row a cell."""
    lines = [
        f"**{cell_text(review.described.name)}**: {review.said}",
        "",
        "| cell | verdict | smallest run, or why | cheapest repair |",
        "|---|---|---|---|",
    ]
    for result in judged(review, asserted):
        if result.found is None:
            why = cell_text(result.reason)
        else:
            why = "`" + print_events(result.found.straight.schedule).replace("\n", " ").replace("|", "\\|") + "`"
        known = repairs.by_cell.get(result.cell.id) if repairs else None
        repair = known[0].name if known else ""
        verdict = f"**{result.verdict}**" if result.verdict == "admits" else result.verdict
        lines.append(f"| {cell_text(result.cell.id)} | {verdict} | {visible(why)} | {cell_text(repair)} |")
    return "\n".join(lines) + "\n"


def saved(review: Review) -> list[Schedule]:
    """The smallest runs as schedules, each with a name, where it comes from, and what a check is to find in it."""
    return list(_saved(review))


def _saved(review: Review) -> Iterator[Schedule]:
    from ..events import Expectation

    teller = Teller()
    groups: dict[str, list[CellResult]] = {}
    for name, result in review.results.items():
        if result.found is not None and "@" not in name:
            groups.setdefault(str(result.found.straight.schedule), []).append(result)
    for results in groups.values():
        found = results[0].found
        assert found is not None
        plain = found.straight.schedule
        present = tuple(result.cell.id for result in results if result.cell.id in catalogue())
        if not present:  # kept for what is asked of designs only: what a check finds in it beside
            present = tuple(one.phenomenon.id for one in teller.checked(found.straight).anomalies())
        told = [f"{result.cell.id}: {teller.tell(result).text}{teller.tell(result).what}" for result in results]
        yield Schedule(
            plain.events,
            init=plain.init,
            order=plain.order,
            partitions=plain.partitions,
            surface=plain.surface,
            name="-".join(result.cell.id for result in results)[:80],
            source=f"{review.described.name}, {found.bound}",
            note=" ".join(told),
            expect=[Expectation("present", present)] if present else (),
        )
