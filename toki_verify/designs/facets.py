"""The four facets of audit erasure on a run of a design, per recovery surface (SEMANTICS §3, N3; SYSTEMS.md).

Of a fact version that was replaced, the rows at the end may still have its *content* (what it said), its *source*
provenance (where it came from), the *winner* link (what replaced it) and the *decision* record (judge key and vote).
Surfaces grow: current rows; closed rows too; the history too; audit rows too. The judge log stands beside all of them,
for decisions only. The source facet on the whole surface is N3 itself, and tested to be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..relations.provenance import below
from .model import PARTS
from .operations import JUDGE_LOG
from .runs import Lost, Run
from .values import Row

FACETS: Final = {
    "content": "what it said",
    "source": "where it came from",
    "winner": "what replaced it",
    "decision": "judge key and vote",
}


def erased(run: Run, facet: str, surface: str = "audit") -> Lost | None:
    """A replaced fact version of which the surface does not keep the facet, or None."""
    rows = list(surface_rows(run, surface))
    return next((lost for lost in run.lost if _applies(lost, facet) and not _kept(run, lost, facet, rows)), None)


def concerns(run: Run, facet: str) -> bool:
    """Whether a fact version was replaced of which the facet could be kept at all."""
    return any(_applies(lost, facet) for lost in run.lost)


def surface_rows(run: Run, surface: str) -> Iterator[Row]:
    """The rows of a surface at the end: of the parts up to the one named, as far as the store keeps them. Rows of a
    table of facts are there, closed or not."""
    parts = PARTS[: PARTS.index(surface) + 1]
    for name, rows in run.state.items():
        table = run.described.tables[name]
        if table.part in parts and table.part in ("current", *run.described.surface):
            for row in rows.values():
                closed = table.part == "current" and table.closed is not None and table.closed(row)
                if not closed or "closed" in parts:
                    yield row


def _applies(lost: Lost, facet: str) -> bool:
    if facet == "winner":
        return bool(lost.winners)
    return bool(lost.decisions) if facet == "decision" else True


def _kept(run: Run, lost: Lost, facet: str, rows: list[Row]) -> bool:
    if facet == "source":
        return any(below(lost.row.prov, row.prov) for row in rows)
    if facet == "decision":
        log = run.state.get(JUDGE_LOG, {})
        return all(
            (key in log and repr(log[key].get("vote")) == repr(vote))
            or any(_decides(row, reads, key, vote) for row in (*log.values(), *rows))
            for reads, key, vote in lost.decisions
        )
    said = _said(run, lost.row)
    if facet == "content":
        return any(said <= _values(row) for row in rows)
    return any(
        any(_names(row, lost.row, other, said) and _points(run, row, other, lost.row) for row in rows)
        for other in lost.winners
    )


def _decides(row: Row, reads: str, key: str, vote: Any) -> bool:
    values = _values(row)
    return repr(vote) in values and (repr(key) in values or (reads != "" and repr(reads) in values))


def _names(row: Row, loser: Row, winner: Row, said: set[str]) -> bool:
    """Whether a row speaks of the loser: by its key, or by all that it said."""
    values = _values(row)
    return (loser.key != winner.key and repr(loser.key) in values) or said <= values


def _points(run: Run, row: Row, winner: Row, loser: Row) -> bool:
    """Whether a row, beside the winner's own, names the winner."""
    if (row.table, row.key) == (winner.table, winner.key):
        return False
    values = _values(row)
    return (winner.key != loser.key and repr(winner.key) in values) or _said(run, winner) <= values


def _said(run: Run, row: Row) -> set[str]:
    """What a row says, value by value."""
    return {repr(value) for value in run.described.tables[row.table].content_of(row).values()}


def _values(row: Row) -> set[str]:
    """What is in a row, lists and what is in them: as texts, in which 1 and True are two."""
    found = {repr(row.key)}
    stack = list(row.values())
    while stack:
        value = stack.pop()
        found.add(repr(value))
        if isinstance(value, tuple):
            stack += value
    return found
