"""Evidence: every "present" carries events and, where there is one, a cycle that is there and of the right kind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from toki_verify.checker import check
from toki_verify.conflict_graph import edges_of
from toki_verify.events import Schedule, ScheduleError
from toki_verify.explain.evidence import Edge, Evidence
from toki_verify.notation import parse_text
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import EDGES
from toki_verify.search.census import Alphabet, census

ANTI = {"rw", "prw"}


def schedules(every: int) -> Iterator[Schedule]:
    """The shipped schedules, and of two exhaustive lists of small ones one of so many."""
    for file in sorted(Path("schedules").rglob("*.sched")):
        yield from parse_text(file.read_text(encoding="utf-8"), file=str(file))
    yield from islice(census(6, Alphabet(transactions=2, aborts=False), complete=True), 0, None, every)
    yield from islice(census(5, Alphabet(predicates=True, transactions=2), complete=True), 0, None, every)


def closed(cycle: tuple[Edge, ...]) -> bool:
    return bool(cycle) and all(a.target == b.source for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True))


def kinds_fit(name: str, evidence: Evidence) -> bool:
    """What the name of a cycle phenomenon says about the kinds on its cycle."""
    kinds = [edge.kind for edge in evidence.cycle]
    anti = sum(kind in ANTI for kind in kinds)
    rules = {
        "G0": set(kinds) == {"ww"},
        "G1c": anti == 0,
        "G-single": anti == 1,
        "G-SIb": anti == 1,
        "G2-item": anti >= 1 and "prw" not in kinds,
        "G2": anti >= 1,
        "P3": "prw" in kinds,
        "P3[skew]": anti == 2 == len(kinds),
        "A5B": kinds == ["rw", "rw"],
        "A5A": kinds == ["rw", "wr"],
        "P4": kinds == ["rw", "ww"],
        "long-fork": len(kinds) == 4 and anti == 2,
        "N2": anti == 2 == len(kinds),
        "G-monotonic": anti == 1,
        "OTV": kinds == ["rw", "wr"],
        "read-only-anomaly": anti >= 2,
        "dangerous-structure": kinds[:2].count("rw") <= 2,
    }
    return rules.get(name, True)


@pytest.mark.parametrize("every", [150, pytest.param(1, marks=pytest.mark.heavy)])
def test_evidence_is_in_the_schedule(every: int) -> None:
    counted = 0
    for schedule in schedules(every):
        bare = Schedule(
            schedule.events,
            init=schedule.init,
            order=schedule.order,
            sessions=schedule.sessions,
            partitions=schedule.partitions,
        )
        verdict = check(bare)
        real = {(e.source, e.target, e.kind, e.events) for e in edges_of(bare, EDGES)}
        for finding in verdict.present():
            evidence = finding.evidence
            assert evidence is not None, finding.phenomenon.id
            counted += 1
            assert evidence.text and evidence.events
            assert list(evidence.events) == sorted(set(evidence.events))
            assert all(0 <= e < len(bare) for e in evidence.events)
            assert all((e.source, e.target, e.kind, e.events) in real for e in evidence.cycle), finding.phenomenon.id
            assert all(set(e.events) <= set(evidence.events) for e in evidence.cycle)
            assert kinds_fit(finding.phenomenon.id, evidence), (finding.phenomenon.id, evidence, str(bare))
            if finding.phenomenon.id in (
                "G0",
                "G1c",
                "G-single",
                "G2-item",
                "G2",
                "P3",
                "P4",
                "A5A",
                "A5B",
                "N2",
                "G-SIb",
            ):
                assert closed(evidence.cycle), (finding.phenomenon.id, str(bare))
    assert counted > 12_000 // every


def test_the_transactions_of_the_evidence_show_it_alone() -> None:
    """Leaving out every other transaction keeps the phenomenon, so nothing that matters is missing."""
    kept = 0
    for schedule in census(6, Alphabet(aborts=False), complete=True):
        if len(schedule.resolved.txns) < 3:
            continue
        for finding in check(schedule).present():
            evidence = finding.evidence
            assert evidence is not None
            txns = {schedule.events[e].txn for e in evidence.events} | {
                t for c in evidence.cycle for t in (c.source, c.target)
            }
            try:
                alone = Schedule([event for event in schedule.events if event.txn in txns])
            except ScheduleError:  # it read what another transaction wrote
                continue
            kept += 1
            assert Concrete(alone).holds(finding.phenomenon.formula), (finding.phenomenon.id, str(schedule), evidence)
        if kept > 3000:
            break
    assert kept > 300


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (
            "r1[x0] w2[x1] c2 w1[x2] c1",
            "P4",
            [
                "T1 read one version and wrote over a later one",
                "T1 read x@0; T2 installed the later x@1",
                "T1 installed x@2 over T2's x@1: T2 before T1",
                "So T1 → T2 → T1",
            ],
        ),
        ("r1[x] w2[x] c2 w1[x] c1", "P4", ["T2 installed the later x", "T1 installed x over T2's x"]),
        ("w1[x1] w2[x2] c1 c2", "P0", ["T2 overwrote a version of T1 before T1 had ended", "w1[x1] … w2[x2] … c1"]),
        ("r1{P:} w2[+y1 in P] c2 r1{P: y1} c1", "P3", ["T1's read of P saw y@0 as not matching; T2 inserted y@1"]),
        ("r1{P: y0} w2[-y1] c2 r1{P:} c1", "P3", ["T2 deleted the row with y@1"]),
        ("rTa[x0] w2[x1] c2 wTa[x2] cTa", "P4", ["Ta read one version"]),
        ("j1(R, theta)=0 j2(R, theta)=1 c1 c2", "N1", ["j1(R, theta)=0", "j2(R, theta)=1"]),
    ],
)
def test_words(text: str, name: str, words: list[str]) -> None:
    evidence = check(Schedule.parse(text)).findings[name].evidence
    assert evidence is not None
    for phrase in words:
        assert phrase in evidence.text, evidence.text


def test_the_smallest_reason_is_given() -> None:
    """A cycle of three transactions and one of two: the two."""
    text = "r1[x0] r2[y0] r3[z0] w1[y1] w2[z1] w3[x1] r4[u0] r5[u0] w4[u1] c4 c1 c2 c3 w5[u2] c5"
    verdict = check(Schedule.parse(text))
    refuted = verdict.levels["graph"]["SR"].refutation
    assert refuted is not None and len(refuted.cycle) == 2
