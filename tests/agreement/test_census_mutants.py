"""Wrong definitions change the counts of a census, unless they are about what its schedules lack.

The mutants are those of `test_mutants.py`, and more of the kind.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from test_census import EVERYTHING, lanes
from test_mutants import MUTANTS, substitute

from toki_verify.levels import parse_spec
from toki_verify.levels.graph import serial, snapshot
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.algebra import Definition, Identity, Sort, Term, acyclic, some
from toki_verify.relations.base import (
    before,
    committed,
    ended_before,
    item_read,
    reads_from,
    same_item,
    same_txn,
    version_order,
    write,
)
from toki_verify.relations.edges import dep, rw, wr
from toki_verify.relations.formulas import Formula
from toki_verify.search.census_counts import Definitions

#: What the schedules of a census cannot show, by what it would take.
UNSEEN = {
    "predicate reads": {
        "wr of rows that do not match",
        "prw without comparing the matches",
        "prw of rows that match only",
        "pwr from the version seen only",
        "pwr without a change",
        "a change against any earlier version",
        "dep without pwr",
        "anti without prw",
        "read dependencies without pwr",
        "P1[broad] of any row",
        "P3[broad] of any row",
        "A3 of a row that was written",
        "G2-item through prw",
        "G-monotonic, not within one event",
        "PMP without a common change",
    },
    "judge calls, callbacks, partitions": {
        "N1 of uncommitted calls",
        "N1 without the key",
        "N2 on one row",
        "N2[lifted] for N2",
        "N2[printed] for N2",
        "callback before the read",
    },
    "sessions": {"session order backwards"},
    "a stated version order": {"ww in the order of the events"},
    "transactions that do not end": {"G1a of aborted writers only"},
    # Every formula closes ww under dependencies, or a later rw stands beside it: only the edge itself differs.
    "an edge as such": {"ww1 for ww"},
}
#: Cycles of three transactions, which need eight events.
EIGHT = {"G-single with one dependency", "causality in one step"}
#: More of the kind, which schedules of reads and writes show.
WRONG: dict[str, tuple[Term | Formula, Term | Formula]] = {
    "rw of the own transaction": (rw, Definition("rw", committed >> ~(reads_from - same_txn) >> version_order, True)),
    "wr of the own transaction": (wr, Definition("wr", write >> committed >> reads_from >> committed, True)),
    "P0 of the own transaction": (
        phenomenon("P0").formula,
        some((write >> (before & same_item) >> write) - ended_before),
    ),
    "P2 of own versions": (
        phenomenon("P2").formula,
        some(committed >> item_read >> ((same_txn & same_item) - (~reads_from >> reads_from)) >> item_read),
    ),
    "P2 of an uncommitted reader": (
        phenomenon("P2").formula,
        substitute(phenomenon("P2").formula, committed, Identity(Sort.A)),
    ),
    "SI without anti-dependencies": (snapshot, acyclic(dep)),
    "SI for SR": (serial, snapshot),
    "RC without P1": (parse_spec("RC").formula, ~phenomenon("P0").named),
    "items are one": (same_item, same_item | (write >> before >> write)),
}


def changed(old: Term | Formula, new: Term | Formula) -> tuple[Definitions, Definitions]:
    """The definitions that a mutant changes: right and wrong."""
    pairs: list[tuple[dict[str, Formula], dict[str, Formula]]] = []
    for right in (EVERYTHING.levels, EVERYTHING.phenomena):
        wrong = {name: substitute(formula, old, new) for name, formula in right.items()}
        names = [name for name in right if wrong[name] != right[name]]
        pairs.append(({name: right[name] for name in names}, {name: wrong[name] for name in names}))
    (levels, wrong_levels), (shown, wrong_shown) = pairs
    assert levels or shown, "the mutant changes no definition"
    return Definitions(levels, shown), Definitions(wrong_levels, wrong_shown)


def noticed(mutant: tuple[Term | Formula, Term | Formula], sizes: Iterable[int]) -> bool:
    right, wrong = changed(*mutant)
    return any(lanes(size, 3, 2, right) != lanes(size, 3, 2, wrong) for size in sizes)


@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in EIGHT.union(*UNSEEN.values())])
def test_wrong_definitions_change_a_count(name: str) -> None:
    assert noticed(MUTANTS[name], range(3, 8))


@pytest.mark.parametrize("name", WRONG)
def test_more_wrong_definitions_change_a_count(name: str) -> None:
    assert noticed(WRONG[name], range(3, 8))


@pytest.mark.heavy
@pytest.mark.parametrize("name", sorted(EIGHT))
def test_wrong_definitions_of_long_cycles_change_a_count(name: str) -> None:
    assert not noticed(MUTANTS[name], [7])
    assert noticed(MUTANTS[name], [8])


@pytest.mark.parametrize("name", sorted(set().union(*UNSEEN.values())))
def test_what_needs_more_than_reads_and_writes_changes_no_count(name: str) -> None:
    """So that the list of exceptions stays honest."""
    if changed_formulas(name):
        assert not noticed(MUTANTS[name], range(3, 7))


def changed_formulas(name: str) -> bool:
    """Whether a mutant changes a formula at all, and not only an edge."""
    old, new = MUTANTS[name]
    every = (*EVERYTHING.levels.values(), *EVERYTHING.phenomena.values())
    return any(substitute(formula, old, new) != formula for formula in every)
