"""The agreement suite can fail: wrong definitions are put in place of the right ones, and it must notice each.

A mutant replaces a term or formula wherever the catalogue, the levels and the conflict edges use it. Most must show in
the small census; those that cannot (`LARGE`) in the random schedules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import chain, zip_longest
from typing import TypeVar

import pytest
from deciders import Answer, Definitions, formula_answers, oracle_answers, shipped, small_census
from random_schedules import random_schedule

from toki_verify.events import Schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations import base, edges
from toki_verify.relations.algebra import Definition, Formula, Identity, Sort, Term, acyclic, domain, some, txn
from toki_verify.relations.base import (
    before,
    by_await,
    callback,
    committed,
    final,
    initial,
    installed,
    item_read,
    matched,
    matches,
    reads_from,
    row_from,
    same_event,
    same_item,
    same_predicate,
    same_txn,
    unmatched,
    version_order,
    write,
)
from toki_verify.relations.edges import (
    anti,
    anti_dependency,
    changes_match,
    dep,
    dependency,
    dsg,
    next_version,
    program_order,
    prw,
    pwr,
    read_dependency,
    rw,
    seen_from,
    start_edge,
    wr,
    ww,
    ww1,
)

Node = TypeVar("Node", Term, Formula)
Found = Term | Formula

_self = Identity(Sort.T)
_later = committed >> ~row_from >> version_order
_dirty = (write >> seen_from) - same_txn
_earlier = before & same_item


def edge(name: str, of: Term) -> Definition:
    """A wrong definition of an edge kind."""
    return Definition(name, of, True)


def formula_of(name: str) -> Formula:
    return catalogue()[name].formula


#: name -> (what is replaced, by what).
MUTANTS: dict[str, tuple[Found, Found]] = {
    "rw against the version order": (
        rw,
        edge("rw", (committed >> ~(reads_from - same_txn) >> ~version_order) - same_txn),
    ),
    "rw to the next version only": (rw, edge("rw", (committed >> ~(reads_from - same_txn) >> next_version) - same_txn)),
    "rw of an own version": (rw, edge("rw", (committed >> ~reads_from >> version_order) - same_txn)),
    "rw of an uncommitted reader": (rw, edge("rw", (~(reads_from - same_txn) >> version_order) - same_txn)),
    "wr from an uncommitted writer": (wr, edge("wr", (write >> reads_from >> committed) - same_txn)),
    "wr of final versions only": (wr, edge("wr", (write >> installed >> reads_from >> committed) - same_txn)),
    "wr of rows that do not match": (wr, edge("wr", (write >> committed >> seen_from >> committed) - same_txn)),
    "ww1 for ww": (ww, ww1),
    "ww in the order of the events": (
        ww,
        edge("ww", (installed >> (write >> _earlier >> write) >> installed) - same_txn),
    ),
    "prw without comparing the matches": (prw, edge("prw", ((matched | unmatched) >> _later) - same_txn)),
    "prw of rows that match only": (prw, edge("prw", ((matched >> _later) - matches) - same_txn)),
    "pwr from the version seen only": (
        pwr,
        edge("pwr", (write >> (~changes_match & row_from) >> committed) - same_txn),
    ),
    "pwr without a change": (pwr, edge("pwr", (write >> version_order.opt >> row_from >> committed) - same_txn)),
    "a change against any earlier version": (
        changes_match,
        ((matches - (matches >> version_order)) | ((matches >> version_order) - matches)) >> (installed - initial),
    ),
    "dep without pwr": (dependency, Definition("dependency", wr | ww)),
    "dep without ww": (dependency, Definition("dependency", wr | pwr)),
    "anti without prw": (anti_dependency, rw),
    "read dependencies without pwr": (read_dependency, wr),
    "start edges backwards": (start_edge, edge("start", ~base.start)),
    "session order backwards": (base.session, ~base.session),
    "program order backwards": (program_order, ~program_order),
    "concurrent: any two": (base.concurrent, (_self | ~base.start | base.start | base.concurrent) - _self),
    "P0 of a transaction that has ended": (formula_of("P0"), some((write >> _earlier >> write) - same_txn)),
    "P0 of one's own write": (formula_of("P0"), some((write >> _earlier >> write) - base.ended_before)),
    "P1 of an aborted version is clean": (base.committed_before, base.ended_before),
    "P1 of intermediate versions is clean": (formula_of("P1"), some(_dirty - base.committed_before)),
    "P1[broad] of any row": (
        formula_of("P1[broad]"),
        some(((write >> _earlier >> (item_read | unmatched)) - same_txn) - base.ended_before),
    ),
    "A1 of a reader that does not commit": (
        formula_of("A1"),
        some((write & base.aborted) >> (_dirty - base.ended_before)),
    ),
    "P2 of an own version": (
        formula_of("P2"),
        some(committed >> ((same_txn & same_item) - (~reads_from >> reads_from)) >> item_read),
    ),
    "A2 of any version": (
        formula_of("A2"),
        some(
            (
                committed
                >> ((item_read >> _earlier >> write) - same_txn)
                >> ((same_item & base.committed_before) >> item_read)
            )
            & same_txn
        ),
    ),
    "P2[G-single] on two items": (formula_of("P2[G-single]"), some((rw >> same_txn >> (wr | ww)) & same_txn)),
    "P3 through any anti-dependency": (formula_of("P3"), formula_of("G2")),
    "P3[broad] of any row": (
        formula_of("P3[broad]"),
        some((((matched | unmatched) >> _earlier >> write) - same_txn) - base.ended_before),
    ),
    "A3 of a row that was written": (
        formula_of("A3"),
        some(committed >> matched >> (((same_txn & same_item) & same_predicate) - same_event) >> unmatched),
    ),
    "P4 without one item": (formula_of("P4"), some((rw >> same_txn >> ww) & same_txn)),
    "P4[event] without a commit": (
        formula_of("P4[event]"),
        some((((item_read >> _earlier >> write) - same_txn) >> _earlier >> write) & same_txn),
    ),
    "A5A on one item": (formula_of("A5A"), some((rw >> same_txn >> wr) & same_txn)),
    "A5B on one item": (formula_of("A5B"), some((rw >> same_txn >> rw) & same_txn)),
    "A5B[event] on one item": (
        formula_of("A5B[event]"),
        some(
            (
                committed
                >> ((item_read >> _earlier >> write) - same_txn)
                >> committed
                >> same_txn
                >> ((item_read >> _earlier >> write) - same_txn)
            )
            & same_txn
        ),
    ),
    "G1a of aborted writers only": (formula_of("G1a"), some((write & base.aborted) >> _dirty >> committed)),
    "G1b of any reader": (formula_of("G1b"), some((write - final) >> _dirty)),
    "G-single with one dependency": (formula_of("G-single"), some((anti >> dep) & _self)),
    "G-nonadjacent with one step": (formula_of("G-nonadjacent"), ~acyclic(dep.plus >> anti)),
    "G2-item through prw": (formula_of("G2-item"), some((txn(rw) >> dsg.plus) & _self)),
    "G-monotonic, the read before": (
        formula_of("G-monotonic"),
        some((anti_dependency >> base.of_txn >> dep.star >> ~base.of_txn >> dependency) & same_txn),
    ),
    "G-monotonic, not within one event": (
        formula_of("G-monotonic"),
        some((anti_dependency >> base.of_txn >> dep.star >> ~base.of_txn >> dependency) & ~program_order),
    ),
    "OTV in any order": (formula_of("OTV"), some((rw >> (same_txn - same_item) >> wr) & same_txn)),
    "PMP without a common change": (
        formula_of("PMP"),
        some((committed >> ~row_from >> version_order >> pwr) & (same_txn - same_event)),
    ),
    "causality in one step": (
        formula_of("causality-violation"),
        some((anti >> (edges.session_edge | txn(read_dependency))) & _self),
    ),
    "dangerous structure, not concurrent": (formula_of("dangerous-structure"), some(anti >> anti)),
    "N1 of uncommitted calls": (formula_of("N1"), formula_of("N1[observed]")),
    "N1 without the key": (base.same_key, base.same_key | (base.judge >> (same_txn | ~same_txn) >> base.judge)),
    "N2 in any partition": (
        formula_of("N2"),
        some((anti_dependency >> (same_txn - same_item) >> anti_dependency) & same_txn),
    ),
    "N2 on one row": (
        formula_of("N2"),
        some((anti_dependency >> (same_txn & base.same_partition) >> anti_dependency) & same_txn),
    ),
    "N2[lifted] for N2": (formula_of("N2"), formula_of("N2[lifted]")),
    "N2[printed] for N2": (formula_of("N2[printed]"), formula_of("N2")),
    "callback before the read": (formula_of("CB"), some(by_await - domain(~program_order >> callback))),
    "timestamps without anti-dependencies": (dep >> anti.opt, dep),
}
#: Seen only with more events, transactions, keys, sessions or partitions than the small census has.
LARGE = {
    "ww1 for ww",
    "a change against any earlier version",
    "session order backwards",
    "G-single with one dependency",
    "G-nonadjacent with one step",
    "G2-item through prw",
    "G-monotonic, not within one event",
    "PMP without a common change",
    "causality in one step",
    "N1 without the key",
    "N2 in any partition",
    "N2[printed] for N2",
}


def substitute(node: Node, old: Found, new: Found) -> Node:
    """The node with every occurrence of a part replaced."""
    done: dict[Found, Found] = {}

    def visit(part: object) -> object:
        if isinstance(part, tuple):
            return tuple(visit(one) for one in part)
        if not isinstance(part, (Term, Formula)):
            return part
        if part == old:
            return new
        if part not in done:
            values = {entry.name: getattr(part, entry.name) for entry in fields(part)}  # type: ignore[arg-type]
            changed = {name: visit(value) for name, value in values.items()}
            done[part] = part if changed == values else replace(part, **changed)  # type: ignore[type-var]
        return done[part]

    return visit(node)  # type: ignore[return-value]


def mutated(right: Definitions, old: Found, new: Found) -> Definitions:
    return Definitions(
        {
            name: (substitute(formula, old, new), None if undecided is None else substitute(undecided, old, new))
            for name, (formula, undecided) in right.formulas.items()
        },
        {name: substitute(term, old, new) for name, term in right.edges.items()},
    )


#: One schedule of each kind in turn, so that every mutant shows early; and those already decided.
_turns = chain.from_iterable(zip_longest(*small_census()))
_decided: list[tuple[Schedule, dict[str, Answer]]] = []


def small() -> Iterator[tuple[Schedule, dict[str, Answer]]]:
    yield from _decided
    for schedule in _turns:
        if schedule is not None:
            _decided.append((schedule, oracle_answers(schedule)))
            yield _decided[-1]


def larger() -> Iterator[tuple[Schedule, dict[str, Answer]]]:
    for seed in range(2_000):
        schedule = random_schedule(seed)
        yield schedule, oracle_answers(schedule)


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name: str) -> None:
    right = shipped()
    wrong = mutated(right, *MUTANTS[name]).changed(right)
    assert wrong.formulas or wrong.edges, "the mutant changes no definition"
    for schedule, answers in larger() if name in LARGE else small():
        if any(answers[definition] != said for definition, said in formula_answers(schedule, wrong).items()):
            return
    pytest.fail(f"{len(wrong.formulas)} definitions and {len(wrong.edges)} edges changed and nothing noticed")
