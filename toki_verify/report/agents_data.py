"""What agents did in a large trace as JSON: N1 by key, N2 by partition, N3 by surface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..events import Item, Partition
from ..events.values import json_value
from ..notation.names import item_text, partition_text

if TYPE_CHECKING:
    from ..histories.columnar.agent_drift import Drift, Skew
    from ..histories.columnar.agent_erasure import ErasedVersion, Erasure
    from ..histories.columnar.agent_votes import Call, VoteGroup, Votes
    from ..histories.columnar.by_agent import AgentReport

Json = dict[str, Any]


def agent_object(report: AgentReport) -> Json:
    """The report as JSON: `votes`, `drift` and `erasure`, null where the trace has nothing of the kind."""
    return {
        "votes": None if report.votes is None else _votes_object(report.votes),
        "drift": None if report.drift is None else _drift_object(report.drift),
        "erasure": None if report.erasure is None else _erasure_object(report.erasure),
    }


def _votes_object(votes: Votes) -> Json:
    return {
        "N1": {
            "calls": votes.calls,
            "keys": votes.keys,
            "repeated": votes.repeated,
            "differing": votes.differing,
            "unknown": votes.unknown,
            "undecided": votes.undecided,
            "first": list(map(_group_object, votes.first)),
        },
        "N1[observed]": {
            "calls": votes.observed_calls,
            "differing": votes.differing_observed,
            "undecided": votes.undecided_observed,
            "first": list(map(_group_object, votes.first_observed)),
        },
    }


def _group_object(group: VoteGroup) -> Json:
    reads, theta = cast("tuple[str, str]", group.key)
    return {
        "R": reads,
        "theta": json_value(theta),
        "calls": group.calls,
        "unknown": group.unknown,
        "different": group.different,
        "votes": [
            {
                "vote": json_value(str(vote.vote)),
                "count": vote.count,
                "first": _call_object(vote.first),
                "last": _call_object(vote.last),
            }
            for vote in group.votes
        ],
    }


def _call_object(call: Call) -> Json:
    found: Json = {"txn": call.transaction, "event": call.event}
    if call.session is not None:
        found["session"] = call.session
    return found if call.line is None else found | {"line": call.line}


def _drift_object(drift: Drift) -> Json:
    return {
        "partitions": drift.partitions,
        "affected": drift.affected_any,
        "N2": {"partitions": drift.affected, "pairs": drift.pairs},
        "N2[lifted]": {"partitions": drift.affected_lifted, "pairs": drift.lifted_pairs},
        "by_partition": [
            {
                "partition": partition_text(cast(Partition, row.partition)),
                "readers": row.readers,
                "writers": row.writers,
                "N2": {"pairs": row.pairs, "transactions": row.transactions, "first": _skew_object(row.first)},
                "N2[lifted]": {
                    "pairs": row.lifted_pairs,
                    "transactions": row.lifted_transactions,
                    "first": _skew_object(row.lifted_first),
                },
            }
            for row in drift.rows
        ],
    }


def _skew_object(skew: Skew | None) -> Json | None:
    if skew is None:
        return None
    return {
        "txns": list(skew.transactions),
        "items": [item_text(cast(Item, item)) for item in skew.items],
        "events": list(skew.events),
        "lines": list(skew.lines),
    }


def _erasure_object(erasure: Erasure) -> Json:
    return {
        "facet": erasure.facet,
        "annotated": erasure.annotated,
        "overwritten": erasure.overwritten,
        "kept": [{"part": one.part, "table": one.table, "rows": one.rows} for one in erasure.kept],
        "surfaces": {
            f"N3[{surface.part}]": {
                "erased": surface.erased,
                "share": surface.share,
                "tables": [
                    {"table": one.table, "overwritten": one.overwritten, "erased": one.erased} for one in surface.tables
                ],
                "first": list(map(_version_object, surface.first)),
            }
            for surface in erasure.surfaces
        },
    }


def _version_object(version: ErasedVersion) -> Json:
    return {
        "item": item_text(cast(Item, version.item)),
        "version": version.version,
        "prov": version.provenance,
        "writer": version.writer,
        "overwriter": version.overwriter,
        "deleted": version.deleted,
        "dropped_by": version.dropped_by,
        "events": [version.written, version.overwritten, version.dropped],
        "lines": list(version.lines),
    }
