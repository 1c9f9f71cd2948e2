"""Algorithm 1 as a function of the rows there are: what a write path is compared with. Said here once more, apart from
the write path that is shipped."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..algebra.facts import Fact, contradicts
from ..algebra.periods import open_end
from ..algebra.semiring import Semiring
from ..stores.protocol import JudgeKey
from ..stores.write_path import identities
from .operators_tested import ASKING, PREFERENCES

Verdicts = Mapping[JudgeKey, str]
_TAKEN = "its primary key is taken, by a row with its fact_id and system_time_start"


@dataclass(frozen=True)
class Resolved:
    """A resolution: the incumbent and the newcomer, whether the newcomer won, the merged provenance, the verdict."""

    incumbent: Fact[Any]
    newcomer: Fact[Any]
    won: bool
    merged: Any
    verdict: str = ""

    @property
    def loser(self) -> Fact[Any]:
        """Who lost, as it was."""
        return self.incumbent if self.won else self.newcomer

    @property
    def winner(self) -> Fact[Any]:
        """Who won, as it was."""
        return self.newcomer if self.won else self.incumbent


@dataclass(frozen=True)
class Outcome:
    """What becomes of a fact: the rows afterwards, or why it is refused. `undecided`: no verdict on it and its `rival`
    is in the log."""

    rows: tuple[Fact[Any], ...]
    kind: str
    resolved: Resolved | None = None
    why: str = ""
    rival: Fact[Any] | None = None


@dataclass(frozen=True)
class Rules:
    """Where the paper says two things, which of them (as `stores.WritePath` has them), the mode, and the carrier."""

    carrier: Semiring[Any]
    mode: str
    duplicates: str
    incumbents: str


def names_of(incumbent: Fact[Any], newcomer: Fact[Any]) -> tuple[str, str]:
    """How the log names the two (`stores.write_path.identities`)."""
    one, other = identities([incumbent, newcomer])
    return one, other


def about(key: JudgeKey, incumbent: Fact[Any], newcomer: Fact[Any]) -> bool:
    """Whether a key of the log is that of two facts, in whatever order it names them."""
    names = set(names_of(incumbent, newcomer))
    return set(key.members) == names and (key.subject, key.predicate) == newcomer.partition


def verdict_on(verdicts: Verdicts, incumbent: Fact[Any], newcomer: Fact[Any]) -> str | None:
    """What a log says of two facts."""
    return next((winner for key, winner in verdicts.items() if about(key, incumbent, newcomer)), None)


def algorithm_1(
    rows: Sequence[Fact[Any]],
    fact: Fact[Any],
    verdicts: Verdicts,
    rules: Rules,
    audited: Collection[tuple[str, datetime]] = (),
) -> Outcome:
    """The outcome of writing a fact at its system_time_start, on the current rows, open and closed. `audited` are the
    losers and times of which there are audit rows."""
    before = tuple(rows)
    now = fact.system_time_start
    taken = {(row.fact_id, row.system_time_start) for row in rows}
    found = [row for row in rows if row.is_open and row.partition == fact.partition]
    found.sort(key=PREFERENCES["lww"])
    for row in found:
        if row.object == fact.object and row.valid.overlaps(fact.valid):
            return _duplicate(before, row, fact, rules)
    incumbents = [row for row in found if contradicts(row, fact)]
    if not incumbents:
        if (fact.fact_id, now) in taken:
            return Outcome(before, "refused", why=_TAKEN)
        return Outcome((*before, fact), "inserted")
    if len(incumbents) > 1:
        return Outcome(before, "refused", why=f"it contradicts {len(incumbents)} open rows")
    incumbent = incumbents[0]
    if (incumbent.fact_id, incumbent.system_time_start) == (fact.fact_id, now):
        return Outcome(before, "refused", why=_TAKEN)
    if fact.resolution_strategy_id in ASKING:
        verdict = verdict_on(verdicts, incumbent, fact)
        if verdict is None:
            return Outcome(before, "undecided", rival=incumbent)
        won = verdict == names_of(incumbent, fact)[1]
    else:
        prefers = PREFERENCES[fact.resolution_strategy_id]
        verdict, won = "", prefers(fact) > prefers(incumbent)
    merged = rules.carrier.plus(incumbent.provenance, fact.provenance)
    resolved = Resolved(incumbent, fact, won, merged, verdict)
    if rules.mode == "audit_row" and (resolved.loser.fact_id, now) in audited:
        return Outcome(before, "refused", why="the primary key of the audit row is taken")
    return _resolved(before, resolved, rules)


def _resolved(before: tuple[Fact[Any], ...], found: Resolved, rules: Rules) -> Outcome:
    now, incumbent = found.newcomer.system_time_start, found.incumbent
    taken = {(row.fact_id, row.system_time_start) for row in before}
    rows = list(before)
    if found.won or rules.incumbents == "stamped":
        if not incumbent.system_time_start < now:
            return Outcome(before, "refused", why="the incumbent would end before it begins")
        if (found.winner.fact_id, now) in taken:
            return Outcome(before, "refused", why="the primary key of the winner is taken")
        rows[rows.index(incumbent)] = incumbent.closed(now)
        rows.append(
            replace(
                found.winner,
                system_time_start=now,
                system_time_end=open_end(now),
                provenance=found.merged,
                resolution_strategy_id=found.newcomer.resolution_strategy_id,
            )
        )
    return Outcome(tuple(rows), "resolved", found)


def _duplicate(before: tuple[Fact[Any], ...], row: Fact[Any], fact: Fact[Any], rules: Rules) -> Outcome:
    now = fact.system_time_start
    if rules.duplicates == "return":
        return Outcome(before, "duplicate")
    if not row.system_time_start < now:
        return Outcome(before, "refused", why="the row would end before it begins")
    if (row.fact_id, now) in {(other.fact_id, other.system_time_start) for other in before}:
        return Outcome(before, "refused", why=_TAKEN)
    merged = rules.carrier.plus(row.provenance, fact.provenance)
    rows = list(before)
    rows[rows.index(row)] = row.closed(now)
    rows.append(replace(row, provenance=merged, system_time_start=now, system_time_end=open_end(now)))
    return Outcome(tuple(rows), "accumulated")
