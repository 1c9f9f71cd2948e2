"""Conflict sets at the write path: whether Proposition 2 says anything there (TOKI 2026, Remark 3, Algorithm 1)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

from ..algebra import Fact, contradicts
from ..algebra.carriers import CARRIERS
from ..algebra.errors import SeveralIncumbents
from .cells import Cells
from .folds import dominates_all
from .model import Claim, Outcome
from .small_facts import table, told
from .small_histories import BOUND, Run, every_run, run


def open_rows(rows: tuple[Fact[Any], ...]) -> list[Fact[Any]]:
    """The open current rows."""
    return [row for row in rows if row.row_kind == "current" and row.is_open]


def contradicting_pair(rows: list[Fact[Any]]) -> tuple[Fact[Any], Fact[Any]] | None:
    """Two rows that contradict; None where there are none."""
    return next((pair for pair in combinations(rows, 2) if contradicts(*pair)), None)


def _seam(cells: Cells) -> Outcome:
    """Whether a set of three or more at line 9 is ever a conflict set."""
    several: list[Run] = []
    for found in every_run():
        pair = contradicting_pair(open_rows(found.rows))
        if pair is not None:
            lines = ("; ".join(map(told, found.history)), f"open at the end: {table(pair)}")
            return Outcome(
                "holds", "exhaustive", "open rows that contradict can be reached", bound=BOUND, evidence=lines
            )
        several += [found] if any(isinstance(error, SeveralIncumbents) for error in found.errors) else []
    example = several[0]
    before = run(example.history[:-1])
    detail = (
        f"no small history leaves two open rows that contradict, so in none of the {len(several)} that meet several "
        "incumbents are these a conflict set in the sense of Proposition 2: they do not contradict each other"
    )
    lines = (
        "; ".join(map(told, example.history)),
        f"open when the last one comes: {table(open_rows(before.rows))}; both contradict it, and not each other",
    )
    repair = "state Proposition 2 for a fact and its incumbents, and say what holds outside of the shared valid time"
    return Outcome("vacuous", "exhaustive", detail, repair=repair, bound=BOUND, evidence=lines)


def _last_audit(cells: Cells) -> Outcome:
    """Three facts one after another: whether the last audit row dominates all three."""
    failing: dict[str, Run] = {}
    for name, ring in CARRIERS.items():
        for found in every_run():
            if len(found.history) < 3 or found.kinds()[1:] != ["resolved", "resolved"]:
                continue
            if any(not contradicts(*pair) for pair in combinations(found.history, 2)):
                continue
            again = run(_annotated(found, ring), carrier=ring)
            last = again.written[-1]
            assert not isinstance(last, Exception) and last.resolution is not None
            if not dominates_all(again.history, last.resolution.audit.provenance, ring):
                failing.setdefault(name, again)
    if not failing:
        return Outcome("holds", "exhaustive", "the last audit row dominates all", bound=BOUND)
    name, example = next(iter(failing.items()))
    repaired = all(_stamped_complete(example, ring) for ring in CARRIERS.values())
    detail = (
        "an incumbent that wins keeps its own provenance (line 18), so the next audit row does not have the earlier "
        f"loser's, which its own audit row has; carriers: {', '.join(failing)}"
    )
    lines = ("; ".join(map(told, example.history)), table(example.rows, CARRIERS[name]))
    repair = (
        f"stamp the winner with the merged provenance as §3.2 does: then it holds here: {'yes' if repaired else 'no'}"
    )
    return Outcome("refuted", "exhaustive", detail, repair=repair, bound=BOUND, evidence=lines)


def _annotated(found: Run, ring: Any) -> tuple[Fact[Any], ...]:
    return tuple(replace(fact, provenance=ring.token(fact.fact_id)) for fact in found.history)


def _stamped_complete(found: Run, ring: Any) -> bool:
    again = run(_annotated(found, ring), carrier=ring, incumbents="stamped")
    last = again.written[-1]
    return (
        not isinstance(last, Exception)
        and last.resolution is not None
        and dominates_all(again.history, last.resolution.audit.provenance, ring)
    )


SEAM_CLAIMS = (
    Claim(
        "P2.complete.algorithm-1",
        "TOKI 2026, Proposition 2 (2), Algorithm 1, lines 17-21",
        "when the members of a conflict set are written one after another, the last audit row dominates every member",
        "three pairwise contradicting facts through Algorithm 1 as printed",
        _last_audit,
    ),
    Claim(
        "P2.seam",
        "TOKI 2026, Remark 3 ('wires this n-ary selection at the ingest seam'), Algorithm 1, line 9",
        "conflict sets of three or more facts come up at the write path, where they can be resolved at once",
        "a conflict set is pairwise contradicting (Proposition 2); the open rows of a partition and the incoming fact",
        _seam,
    ),
)
