"""Audit tuples, and the audit rows in which a table keeps them (TOKI 2026, Definition 1, Appendix C.2, C.3)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from .errors import InvalidFact
from .facts import Fact
from .periods import open_end

K = TypeVar("K")

PREFIX = "audit::"


@dataclass(frozen=True, slots=True)
class AuditTuple(Generic[K]):
    """(p_w ⊕ p_l, strat, t_s) and its witness: who won against whom, and the objects. Keyed on losers and time."""

    provenance: K
    strategy: str
    system_time: datetime
    winner_id: str
    winner_object: str
    loser_ids: tuple[str, ...]
    loser_objects: tuple[str, ...]


def audit_id(loser_id: str, system_time: datetime) -> str:
    """The fact_id of the audit row of a loser: `audit::loser::time` (Appendix C.3)."""
    return f"{PREFIX}{loser_id}::{system_time.isoformat()}"


def witness_text(audit: AuditTuple[Any], loser: int = 0) -> str:
    """The conflict as JSON, so that every object can be read back from it (§3.4; Appendix C.3 has `winner | loser`)."""
    witness = {
        "winner": audit.winner_id,
        "winner_object": audit.winner_object,
        "loser": audit.loser_ids[loser],
        "loser_object": audit.loser_objects[loser],
    }
    return json.dumps(witness, ensure_ascii=False, sort_keys=True)


def pack(audit: AuditTuple[K], loser: Fact[K]) -> Fact[K]:
    """The audit row of one loser: its valid period, confidence and partition, the merged provenance, open from t_s on.

    So AS OF finds it where the loser was valid, at every later system time.
    """
    at = audit.loser_ids.index(loser.fact_id)
    return Fact(
        audit_id(loser.fact_id, audit.system_time),
        loser.subject,
        loser.predicate,
        witness_text(audit, at),
        loser.valid_from,
        audit.system_time,
        audit.provenance,
        loser.confidence,
        audit.strategy,
        loser.valid_to,
        open_end(audit.system_time),
        "audit",
    )


def unpack(row: Fact[K]) -> AuditTuple[K]:
    """The audit tuple of an audit row. Raises InvalidFact for a row that `pack` did not make."""
    try:
        found = json.loads(row.object)
        parts = [found[name] for name in ("winner", "winner_object", "loser", "loser_object")]
    except (ValueError, TypeError, KeyError, RecursionError):
        parts = []
    if row.row_kind != "audit" or not parts or not all(isinstance(part, str) for part in parts):
        raise InvalidFact(f"row {row.fact_id!r}", "an audit row whose object is a conflict witness")
    winner, winner_object, loser, loser_object = parts
    return AuditTuple(
        row.provenance,
        row.resolution_strategy_id,
        row.system_time_start,
        winner,
        winner_object,
        (loser,),
        (loser_object,),
    )
