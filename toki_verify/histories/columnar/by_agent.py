"""What agents did to their memory, over a whole trace: N1 by key, N2 by partition, N3 by surface and table.

The deciders find one witness of each; here all are counted, and the first ones are told by who, what and when. What is
counted agrees with them: N1 is present iff some key differs, N2 iff some partition is affected, N3[part] iff some
version is erased on that surface.
"""

from __future__ import annotations

from dataclasses import dataclass

from .agent_drift import Drift, drift_of
from .agent_erasure import Erasure, erasure_of
from .agent_votes import Votes, votes_of
from .reading import Reading


@dataclass(frozen=True)
class AgentReport:
    """N1, N2 and N3 of a trace; None where it has nothing of the kind: no judge call, no partition, no fact version
    that was overwritten and nothing stated of provenance."""

    votes: Votes | None
    drift: Drift | None
    erasure: Erasure | None


def by_agent(reading: Reading, limit: int = 3, rows: int = 1000) -> AgentReport:
    """Count N1, N2 and N3, with the first `limit` keys and versions and the first `rows` partitions that show them."""
    return AgentReport(votes_of(reading, limit), drift_of(reading, rows), erasure_of(reading, limit))


__all__ = ["AgentReport", "Drift", "Erasure", "Votes", "by_agent"]
