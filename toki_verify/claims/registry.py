"""Every claim that is decided in this version, by the ids of CLAIMS."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

from ..phenomena.catalogue import UnknownName, nearest
from .model import Claim


class UnknownClaim(UnknownName):
    """A pattern that names no claim; the message names the nearest ids."""

    def __init__(self, pattern: str, known: list[str], listing: str) -> None:
        self.name = pattern
        self.what = f"unknown claim {pattern!r}"
        near = nearest(pattern, known)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        self.expected = f"a known one ({hint}`{listing}` has them)"
        ValueError.__init__(self, f"{self.what}, expected {self.expected}")


@cache
def claims() -> dict[str, Claim]:
    """Every claim by id, in the order of CLAIMS."""
    from . import (
        algorithm_1,
        belief_drift,
        bridge_grid,
        carrier,
        composition,
        configurations,
        conflict_sets,
        corollary_4,
        judge_log,
        lemma_1,
        lemma_1_keys,
        lemma_1_own,
        oracle_grid,
        partition_grid,
        printed,
        printed_agent,
        prompt_sensitivity,
        rate_claims,
        reading,
        recovery,
        schema_lift,
        table_4,
        theorem_1,
        theorem_2,
        theorem_5,
        weakenings,
    )

    found: dict[str, Claim] = {}
    modules = (
        theorem_1,
        carrier,
        reading,
        printed,
        theorem_2,
        recovery,
        composition,
        conflict_sets,
        schema_lift,
        algorithm_1,
        lemma_1,
        lemma_1_own,
        lemma_1_keys,
        bridge_grid,
        belief_drift,
        partition_grid,
        theorem_5,
        rate_claims,
        corollary_4,
        judge_log,
        oracle_grid,
        printed_agent,
        weakenings,
        prompt_sensitivity,
        configurations,
        table_4,
    )
    for module in modules:
        for claim in module.CLAIMS:
            if claim.id in found:
                raise ValueError(f"two claims {claim.id}")
            found[claim.id] = claim
    return found


def chosen(patterns: list[str], listing: str = "toki-verify claims") -> list[Claim]:
    """The claims that ids, prefixes (`T1.sound` names also `T1.sound.A5B.SR`) and globs (`W.*`) name, each once.

    Raises UnknownName for a pattern that names none; its message sends to the command `listing`.
    """
    known = claims()
    found: dict[str, Claim] = {}
    for pattern in patterns:
        matching = [
            claim
            for id, claim in known.items()
            if fnmatchcase(id, pattern) or id == pattern or id.startswith(f"{pattern}.")
        ]
        if not matching:
            raise UnknownClaim(pattern, list(known), listing)
        found |= {claim.id: claim for claim in matching}
    return list(found.values())
