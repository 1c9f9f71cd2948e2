"""A table in Markdown: a row a schedule, for comments on pull requests."""

from __future__ import annotations

from collections.abc import Iterable

from ..events import Problem
from ..verdict import Verdict
from .plain import visible

_OUTCOME = {True: "as expected", False: "**not**", None: "undecided"}


def markdown(verdicts: Iterable[Verdict], problems: Iterable[Problem]) -> str:
    """The schedules with their anomalies and levels; then what could not be read."""
    lines = ["| schedule | outcome | anomalies | graph | adya | session |", "|---|---|---|---|---|---|"]
    for verdict in verdicts:
        told, _ = verdict.told()
        anomalies = ", ".join(f"{f.phenomenon.id} {f.phenomenon.title}" for f in told) or "none"
        undecided = "".join(f", {f.phenomenon.id} undecided" for f in verdict.undecided())
        levels = (" ".join(verdict.maximal(family)) or "none" for family in ("graph", "adya", "session"))
        cells = [verdict.name, _OUTCOME[verdict.ok], anomalies + undecided, *levels]
        lines.append("| " + " | ".join(map(cell_text, cells)) + " |")
    unreadable = [f"- {cell_text(str(problem))}" for problem in problems]
    return "\n".join([*lines, *(["", *unreadable] if unreadable else [])]) + "\n"


def cell_text(text: str) -> str:
    """A text for a cell of a table."""
    for mark in "\\|<>`":
        text = text.replace(mark, "\\" + mark)
    return visible(text.replace("\n", " "))
