"""Deliberately wrong definitions of phenomena and levels: each breaks a proof or changes a smallest witness.

(`test_census_mutants.py` does the same with the counts of the census.)
"""

from __future__ import annotations

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")

from toki_verify.levels import parse_spec
from toki_verify.phenomena.berenson import P0, P1
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.base import (
    before,
    committed,
    committed_before,
    ended_before,
    other_vote,
    reads_from,
    same_item,
    same_key,
    same_partition,
    same_txn,
    write,
)
from toki_verify.relations.edges import anti, anti_dependency, dep, dsg, rw, seen_from, wr, ww
from toki_verify.relations.formulas import Formula, acyclic, some
from toki_verify.relations.terms import txn
from toki_verify.search.decide import decide
from toki_verify.search.witness import Bounds

RC, SI, SR = (parse_spec(name).formula for name in ("RC", "SI", "SR"))
_dirty = (write >> seen_from) - same_txn
_same_version = ~reads_from >> reads_from


def of(name: str) -> Formula:
    return phenomenon(name).formula


#: What is asked, with the definitions as shipped and with a wrong one.
MUTANTS: dict[str, tuple[Formula, Formula]] = {
    "SI without the anti-dependency": (SI & of("P4"), RC & acyclic(dep) & of("P4")),
    "SI with the anti-dependency always": (SI & of("G1c"), RC & acyclic(dep >> anti) & of("G1c")),
    "SR without predicate anti-dependencies": (SR & of("P3"), RC & acyclic(dep | txn(rw)) & of("P3")),
    "SR without dependencies": (SR & of("A5A"), RC & acyclic(anti) & of("A5A")),
    "SR without RC": (SR & of("P1"), acyclic(dsg) & of("P1")),
    "RC without P1": (RC & of("P1"), ~P0.named & of("P1")),
    "RC whose P1 forgets intermediate versions": (
        RC & of("G1b"),
        ~P0.named & ~some(_dirty - committed_before) & of("G1b"),
    ),
    "P0 of a transaction with itself": (of("P0"), some((write >> (before & same_item) >> write) - ended_before)),
    "P1 of committed versions": (RC & of("P1"), RC & some(_dirty)),
    "P2 of own versions": (RC & of("P2"), RC & some(committed >> ((same_txn & same_item) - _same_version))),
    "P4 by two anti-dependencies": (SI & of("P4"), SI & some((rw >> same_txn >> rw) & same_txn)),
    "A5A on one item": (RC & of("A5A"), RC & some((rw >> same_txn >> wr) & same_txn)),
    "A5B on one item": (RC & of("A5B"), RC & some((rw >> same_txn >> rw) & same_txn)),
    "A5B with a write dependency": (SI & of("A5B"), SI & some((rw >> (same_txn - same_item) >> ww) & same_txn)),
    "N1 at any key": (
        RC & of("N1") & ~some(same_key & other_vote),
        RC & some(committed >> other_vote >> committed) & ~some(same_key & other_vote),
    ),
    "N2 across partitions": (
        SI & of("N2") & ~some(same_partition),
        SI & some((anti_dependency >> (same_txn - same_item) >> anti_dependency) & same_txn) & ~some(same_partition),
    ),
}


def answer(formula: Formula) -> tuple[str, object, str]:
    """The verdict, the size and the text of what decides a question."""
    found = decide(formula, id="mutant", statement="", bounds=Bounds(events=6), proof_seconds=2.0)
    return found.verdict, found.found.size, repr(found.schedule)


def test_there_are_ten_of_them() -> None:
    assert len(MUTANTS) >= 10
    assert P1.formula != P0.formula


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_definition_breaks_a_proof_or_changes_a_witness(name: str) -> None:
    shipped, wrong = MUTANTS[name]
    right = answer(shipped)
    assert right[0] in ("found", "none"), "what is shipped is decided"
    assert answer(wrong) != right
