"""What the laws of write paths expect to find, as rows and texts for their messages: ids and keys by convention."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from ..algebra.audit import AuditTuple, pack
from ..algebra.facts import Fact
from ..algebra.semiring import Semiring
from .write_model import Resolved, names_of

#: The convention of Appendix C.3 in words.
AUDIT_ID: Final = "audit::<fact_id of the loser>::<isoformat of the time of the resolution>"
_WITNESS: Final = ("winner", "winner_object", "loser", "loser_object")


def expected_audit(found: Resolved, carrier: Semiring[Any]) -> Fact[Any]:
    """The audit row of a resolution."""
    winner, loser = found.winner, found.loser
    return pack(
        AuditTuple(
            found.merged,
            found.newcomer.resolution_strategy_id,
            found.newcomer.system_time_start,
            winner.fact_id,
            winner.object,
            (loser.fact_id,),
            (loser.object,),
        ),
        loser,
    )


def audit_difference(row: Fact[Any], expected: Fact[Any]) -> str:
    """What an audit row does not have of what it should; "" where it has all that counts: its confidence does not."""
    if (row.provenance, row.resolution_strategy_id) != (expected.provenance, expected.resolution_strategy_id):
        return "the audit row is not (p_w ⊕ p_l, strat, t_s): its provenance or strategy is not the one expected"
    if _witness(row) != _witness(expected):
        keys = ", ".join(_WITNESS)
        return f"the object of the audit row is {row.object!r}; expected JSON with {keys}: {expected.object!r}"
    return ""


def _witness(row: Fact[Any]) -> Any:
    try:
        found = json.loads(row.object)
        return [found[name] for name in _WITNESS]
    except (ValueError, TypeError, KeyError):
        return None


def key_text(incumbent: Fact[Any], newcomer: Fact[Any]) -> str:
    """The key at which the log has a verdict on two facts."""
    members, (subject, predicate) = tuple(sorted(names_of(incumbent, newcomer))), newcomer.partition
    return f"JudgeKey({members}, theta, {subject!r}, {predicate!r}) (the sorted `stores.identities` of the two)"


def log_text(entries: Sequence[tuple[Any, str]]) -> str:
    """A judge log, short."""
    if not entries:
        return "no entry"
    return ", ".join(f"{winner!r} at {_told(key)}" for key, winner in entries)


def _told(key: Any) -> str:
    return f"JudgeKey({tuple(key.members)}, {key.theta!r}, {key.subject!r}, {key.predicate!r})"
