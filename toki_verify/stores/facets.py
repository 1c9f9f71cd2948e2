"""The four facets of audit erasure on stores: what of a loser can still be read, and in which row (SEMANTICS §3, N3).

Of a fact that lost, a store may keep *content* (what it said), *source provenance* (where it came from), the *winner
link* (what replaced it) and the *decision record* (the judge's key and vote), each in other rows. Surfaces grow as
those of N3 do: current rows; closed rows too; a history log too; audit rows too. The judge log stands beside them all.

A facet is kept (True), lost (False), or undecided (None, for a reason): there is a row that hints at it and does not
say it, or nothing was there to be kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, Literal, TypeVar, get_args

from ..algebra.facts import Fact
from ..algebra.operators import operator
from ..algebra.periods import Period
from .protocol import JudgeKey, LogEntry, Store
from .write_path import WritePath, identities

K = TypeVar("K")

Facet = Literal["content", "source provenance", "winner link", "decision record"]
FACETS: Final[tuple[Facet, ...]] = get_args(Facet)
Part = Literal["current", "closed", "history", "audit"]
#: The parts of the recovery surface; a surface is a part with all those before it.
PARTS: Final[tuple[Part, ...]] = get_args(Part)


@dataclass(frozen=True, slots=True)
class Decision(Generic[K]):
    """A fact that lost, the fact_id and object of what replaced it, and when. `key` and `vote` (the identity elected)
    are those of the judge; None where none was asked."""

    loser: Fact[K]
    winner_id: str
    winner_object: str
    at: datetime
    strategy: str
    key: JudgeKey | None = None
    vote: str | None = None


@dataclass(frozen=True, slots=True)
class Record(Generic[K]):
    """What one row of a surface says. None is what it does not say.

    A row of a fact says `fact_id`, `object`, …; one of a conflict (an audit row, an entry of a history log) says the
    same of its loser, and who the winner was. `source` is the row itself, for people.
    """

    part: Part
    source: object
    fact_id: str | None = None
    partition: tuple[str, str] | None = None
    object: str | None = None
    valid: Period[datetime] | None = None
    provenance: K | None = None
    winner_id: str | None = None
    system: Period[datetime] | None = None
    key: JudgeKey | None = None
    vote: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A facet: kept, in `row`; lost; or undecided, for `reason`, where `row` may be what hints at it."""

    value: bool | None
    row: object = None
    reason: str = ""


#: Per surface, per facet.
Facets = dict[Part, dict[Facet, Kept]]


def ingested(path: WritePath[K], facts: Iterable[Fact[K]]) -> list[Decision[K]]:
    """Write facts through Algorithm 1, and the decisions that it took. Raises what `WritePath.ingest` does."""
    found: list[Decision[K]] = []
    for fact in facts:
        resolution = path.ingest(fact).resolution
        if resolution is None:
            continue
        loser, audit = resolution.loser, resolution.audit
        key = vote = None
        if operator(audit.strategy).asks:
            names = identities((loser, resolution.winner))
            key, vote = JudgeKey(tuple(sorted(names)), path.theta, *loser.partition), names[1]
        at = audit.system_time
        found.append(Decision(loser, audit.winner_id, audit.winner_object, at, audit.strategy, key, vote))
    return found


def records(store: Store[K]) -> list[Record[K]]:
    """What the rows of the dual-row table say. Its audit rows say what their witness says, as far as it can be read."""
    found: list[Record[K]] = []
    for row in store.rows():
        if row.row_kind == "current":
            part: Part = "current" if row.is_open else "closed"
            found.append(
                Record(part, row, row.fact_id, row.partition, row.object, row.valid, row.provenance, system=row.system)
            )
            continue
        said = _witness(row.object)
        found.append(
            Record(
                "audit",
                row,
                said.get("loser"),
                row.partition,
                said.get("loser_object"),
                row.valid,
                row.provenance,
                said.get("winner"),
            )
        )
    return found


def _witness(text: str) -> dict[str, str]:
    """The names and texts in the witness of a conflict; nothing where it is none."""
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: value for name, value in found.items() if isinstance(name, str) and isinstance(value, str)}


def facets(store: Store[K], decisions: Sequence[Decision[K]], history: Iterable[Record[K]] = ()) -> list[Facets]:
    """Per decision, what of its loser each surface keeps. `history` are the entries of a log beside the store."""
    kept = [*records(store), *history]
    entries = list(store.judge_log.entries())
    found: list[Facets] = []
    for decision in decisions:
        of_loser: Facets = {}
        for place, part in enumerate(PARTS):
            surface = [record for record in kept if record.part in PARTS[: place + 1]]
            of_loser[part] = {
                "content": _content(decision, surface),
                "source provenance": _provenance(store, decision, surface),
                "winner link": _winner(decision, surface),
                "decision record": _decision(decision, surface, entries),
            }
        found.append(of_loser)
    return found


def _content(decision: Decision[K], surface: Sequence[Record[K]]) -> Kept:
    """A row says what the loser said, of its partition and valid period, or by its name."""
    loser = decision.loser
    said = [record for record in surface if record.object == loser.object]
    for record in said:
        named = record.fact_id == loser.fact_id and record.valid is None
        if named or (record.partition == loser.partition and record.valid == loser.valid):
            return Kept(True, record.source)
    for record in said:
        if record.partition in (None, loser.partition):
            return Kept(None, record.source, "a row says the same, of another valid period or of nobody")
    return Kept(False)


def _provenance(store: Store[K], decision: Decision[K], surface: Sequence[Record[K]]) -> Kept:
    """A row has a provenance ⪰ the loser's: N3's condition, in the carrier of the store."""
    wanted, carrier = decision.loser.provenance, store.carrier
    if wanted == carrier.zero:
        return Kept(None, None, "the loser's provenance is 0: there is nothing to recover")
    for record in surface:
        if record.provenance is not None and carrier.leq(wanted, record.provenance):
            return Kept(True, record.source)
    return Kept(False)


def _winner(decision: Decision[K], surface: Sequence[Record[K]]) -> Kept:
    """A row names the loser and the winner. That one row ends when another begins is no link: others may, too."""
    loser = decision.loser
    for record in surface:
        if record.fact_id == loser.fact_id and record.winner_id == decision.winner_id:
            return Kept(True, record.source)
    ended = [r for r in surface if r.fact_id == loser.fact_id and r.system is not None and r.system.end == decision.at]
    begun = [
        r for r in surface if r.partition == loser.partition and r.system is not None and r.system.start == decision.at
    ]
    if ended and begun:
        return Kept(None, begun[0].source, "a row begins when the loser's ends; no row says that it replaced it")
    return Kept(False)


def _decision(decision: Decision[K], surface: Sequence[Record[K]], entries: Sequence[LogEntry]) -> Kept:
    """The judge log, or a row, has the key and the vote of the decision."""
    if decision.key is None:
        return Kept(None, None, f"{decision.strategy} asked no judge")
    for record in surface:
        if record.key == decision.key and record.vote is not None and record.vote == decision.vote:
            return Kept(True, record.source)
    for entry in entries:
        if entry.key == decision.key:
            if entry.winner == decision.vote:
                return Kept(True, entry)
            return Kept(False, entry, "the judge log has another vote at this key")
    return Kept(False)


__all__ = ["FACETS", "PARTS", "Decision", "Facet", "Facets", "Kept", "Part", "Record", "facets", "ingested", "records"]
