"""Conflict sets at the write path: whether Proposition 2 says anything there (TOKI 2026, Remark 3, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from ..algebra import Fact, contradicts
from ..algebra.carriers import CARRIERS
from ..algebra.errors import SeveralIncumbents
from ..events import Schedule
from .cells import Cells
from .folds import dominates_all
from .judged import yes
from .model import Claim, Outcome
from .printed_algorithm import Memory, ingest
from .small_facts import day, fact, table, told
from .small_histories import BOUND, WIDE, WISHES, Run, every_run, run
from .two_writers import PINS, THIRD, Race, contradicting, orders, races, third_is_refused, told_race


def open_rows(rows: tuple[Fact[Any], ...]) -> list[Fact[Any]]:
    """The open current rows."""
    return [row for row in rows if row.row_kind == "current" and row.is_open]


def contradicting_pair(rows: list[Fact[Any]]) -> tuple[Fact[Any], Fact[Any]] | None:
    """Two rows that contradict; None where there are none."""
    return next((pair for pair in combinations(rows, 2) if contradicts(*pair)), None)


def states() -> Iterator[tuple[Fact[Any], ...]]:
    """Every partition of up to two open rows that do not contradict: reachable or not."""
    rows = [fact(name, value, valid, at) for name, at in (("a", 1), ("b", 2)) for value in "xy" for valid in WIDE]
    yield ()
    yield from ((row,) for row in rows)
    yield from (pair for pair in combinations(rows, 2) if pair[0].fact_id != pair[1].fact_id and not contradicts(*pair))


def step_fault() -> str:
    """The first write by one writer that makes two open rows contradict where none did; "": none.

    Contradiction is of two rows, and a write adds one; so two rows before it, of which it can close one, are enough,
    and the step shows the invariant for histories of every length.
    """
    for before in states():
        for value, valid, (strategy, confidence) in product("xyz", WIDE, WISHES):
            new = fact("d", value, valid, 3, confidence=confidence, strategy=strategy)
            try:
                memory, _ = ingest(Memory(before), new, day(3))
            except SeveralIncumbents:
                continue
            pair = contradicting_pair(open_rows(memory.rows))
            if pair is not None:
                return f"open before: {table(before)}; write {told(new)}; open after: {table(pair)}"
    return ""


def racing_lines() -> tuple[list[Race], list[str]]:
    """The races of two writers that leave two open rows that contradict, and what is said of them."""
    left = [race for race in races() if contradicting(race)]
    if not left:
        return [], []
    first = left[0]
    allowed = [pin for pin in PINS if all(race.is_at(pin) for race in left)]
    lines = [
        told_race(first),
        f"both read no incumbent (C = ∅, line 6) and insert (line 7); open then: {table(first.rows)}; "
        f"{told(THIRD)} meets both, and the three contradict pairwise, which line 9 refuses: "
        f"{yes(third_is_refused(first))}",
        f"of the {len(list(orders()))} orders of two such writers {len(left)} do this; all of them are at "
        f"{', '.join(allowed) or 'no pin'}, {sum(race.is_at('SR') for race in left)} are at SR, "
        f"{sum(race.phantom for race in left)} show P3; line 7 selects no operator, so it has not even these pins "
        "(Alg1.pin)",
    ]
    return left, lines


def _seam(cells: Cells) -> Outcome:
    """Whether a set of three or more at line 9 is ever a conflict set: with one writer at a time, and with two."""
    several: list[Run] = []
    for found in every_run():
        pair = contradicting_pair(open_rows(found.rows))
        if pair is not None:
            lines = ("; ".join(map(told, found.history)), f"open at the end: {table(pair)}")
            return Outcome(
                "holds", "exhaustive", "open rows that contradict can be reached", bound=BOUND, evidence=lines
            )
        several += [found] if any(isinstance(error, SeveralIncumbents) for error in found.errors) else []
    fault = step_fault()
    left, racing = racing_lines()
    example = several[0]
    before = run(example.history[:-1])
    serial = (
        f"one writer at a time: {'; '.join(map(told, example.history))}",
        f"open when the last one comes: {table(open_rows(before.rows))}; both contradict it, and not each other",
        "from any partition without two open rows that contradict one write leads to another such partition: "
        + (fault or "yes"),
    )
    bound = (
        "one writer: the induction step over up to two open rows and a new fact, every way in which their periods and "
        f"objects can agree, either of which may win: that covers histories of every length; and {BOUND}. "
        "Two writers: every order of read, insert and commit"
    )
    repair = "state Proposition 2 for a fact and its incumbents, and say what holds outside of the shared valid time"
    if fault or not left:
        verdict = "refuted" if fault else "vacuous"
        detail = "no history leaves two open rows that contradict, so several incumbents are no conflict set"
        return Outcome(verdict, "exhaustive", fault or detail, repair=repair, bound=bound, evidence=serial)
    detail = (
        "one writer at a time never leaves two open rows that contradict, so several incumbents are no conflict set in "
        f"the sense of Proposition 2 ({len(several)} small histories meet several): then the wiring has nothing to "
        "wire. Two writers at the pins of line 12 do leave such rows, and the next fact meets a conflict set of three. "
        "Appendix C.4 relies on the first ('the single-incumbent invariant' is the isolation guarantee of the "
        "reference path); §3.4 claims it of the write path without saying that writers are serial"
    )
    return Outcome(
        "depends",
        "exhaustive",
        detail,
        witnesses=(Schedule.parse(left[0].schedule),),
        repair=f"{repair}; run line 1 to line 22 at SR, at line 7, too",
        bound=bound,
        evidence=(*serial, *racing),
    )


def _last_audit(cells: Cells) -> Outcome:
    """Three facts one after another: whether the last audit row dominates all three."""
    failing: dict[str, Run] = {}
    sets = [
        found
        for found in every_run()
        if found.kinds()[1:] == ["resolved", "resolved"]
        and all(contradicts(*pair) for pair in combinations(found.history, 2))
    ]
    for name, ring in CARRIERS.items():
        for found in sets:
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
    verdict = "holds" if repaired else "refuted"
    return Outcome("refuted", "exhaustive", detail, repair=repair, bound=BOUND, evidence=lines, repair_verdict=verdict)


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
        "ours, on TOKI 2026, Proposition 2 (2) and Algorithm 1, lines 17-21: the paper says it of the n-ary resolution",
        "when the members of a conflict set are written one after another, the last audit row dominates every member",
        "three pairwise contradicting facts through Algorithm 1 as printed",
        _last_audit,
    ),
    Claim(
        "P2.seam",
        "TOKI 2026, Remark 3 ('wires this n-ary selection at the ingest seam'), Algorithm 1, line 9, Appendix C.4",
        "conflict sets of three or more facts come up at the write path, where they can be resolved at once",
        "a conflict set is pairwise contradicting (Proposition 2): the open rows of a partition and the incoming fact; "
        "writers come one after another, or two at once at the pins of line 12",
        _seam,
    ),
)
