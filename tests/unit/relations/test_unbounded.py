"""The unbounded reading: constructors, definitions by direction, closures, rankings, regions, empty schedules."""

from __future__ import annotations

import pytest

from toki_verify.relations.algebra import (
    Acyclic,
    Base,
    Definition,
    Identity,
    Region,
    Some,
    Sort,
    Within,
    acyclic,
    cycle,
    domain,
    irreflexive,
    some,
    txn,
)
from toki_verify.relations.base import before, committed, of_txn, partition_final, same_item, session, start, write
from toki_verify.relations.edges import anti, dep, dsg, rw, start_edge, ww
from toki_verify.relations.firstorder import (
    FALSE,
    TRUE,
    Existential,
    Holds,
    Negation,
    Universal,
    Variable,
    conjunction,
    disjunction,
    exists,
    for_all,
    implication,
    introduces,
    negation,
    occurrences,
    walk,
)
from toki_verify.relations.induction import closures_in, vocabulary
from toki_verify.relations.structure import is_diagonal, snapshot_parts
from toki_verify.relations.unbounded import Unbounded
from toki_verify.search.smtlib import statement

X, Y = Variable("x", "Access"), Variable("y", "Access")
P, Q = Holds("p", (X,)), Holds("q", (Y,))


def text(formula: object, **options: bool) -> str:
    return " ".join(statement(Unbounded(**options).statement(formula)).split())  # type: ignore[arg-type]


def test_trivial_parts_leave_no_trace() -> None:
    assert conjunction((P, TRUE, P)) == P
    assert conjunction((P, FALSE)) == FALSE
    assert disjunction((P, FALSE)) == P
    assert disjunction((P, TRUE)) == TRUE
    assert negation(negation(P)) == P
    assert implication(FALSE, P) == TRUE
    assert implication(P, FALSE) == Negation(P)
    assert exists((X, Y), P) == Existential((X,), P)
    assert for_all((X,), for_all((Y,), disjunction((P, Q)))) == Universal((X, Y), disjunction((P, Q)))


def test_occurrences_have_a_direction() -> None:
    assert set(occurrences(implication(P, negation(Q)))) == {("p", False), ("q", False)}
    assert introduces(Existential((X,), P)) and not introduces(negation(Existential((X,), P)))
    assert introduces(negation(Universal((X,), P)))


def test_sets_filter_without_a_variable() -> None:
    assert is_diagonal(domain(before)) and is_diagonal(write >> committed) and not is_diagonal(before)
    assert text(some(write >> before >> write)) == (
        "(exists ((a1 Access) (a2 Access)) (and (write a1) (before a1 a2) (write a2)))"
    )
    assert text(some(write & committed)) == "(exists ((a1 Access)) (and (write a1) (committed a1)))"
    assert text(~some(write - committed)) == "(not (exists ((a1 Access)) (and (write a1) (not (committed a1)))))"


def test_what_accesses_share_is_a_function() -> None:
    assert text(some(same_item - Identity(Sort.A))) == (
        "(exists ((a1 Access) (a2 Access)) (and (has_item a1) (has_item a2) (= (item a1) (item a2)) (not (= a1 a2))))"
    )
    assert text(some(write >> of_txn)) == (
        "(exists ((a1 Access) (t2 Transaction)) (and (write a1) (not (initial a1)) (= (transaction a1) t2)))"
    )


def test_acyclicity_assumed_is_a_rank() -> None:
    reading = Unbounded()
    assert "rank1" in statement(reading.statement(acyclic(dsg)))
    assert [ranking.symbols for ranking in reading.rankings.values()] == [("rank1",)]


def test_snapshots_assumed_are_two_ranks() -> None:
    assert snapshot_parts(dep >> anti.opt) == (dep, anti)
    assert snapshot_parts(Definition("named", dep >> anti.opt)) == (dep, anti)
    assert snapshot_parts(dep >> anti) is None
    found = text(acyclic(dep >> anti.opt))
    assert "(earlier (st1 t1) (ct1 t1))" in found
    assert "(=> (dep t1 t2) (earlier (ct1 t1) (st1 t2)))" in found
    assert "(=> (anti t1 t2) (earlier (st1 t1) (ct1 t2)))" in found


def test_cycles_sought_are_in_the_closure() -> None:
    assert text(~acyclic(dsg)) == "(exists ((t1 Transaction)) (|plus dsg| t1 t1))"
    assert text(irreflexive(dep.plus)) == "(forall ((t1 Transaction)) (not (|plus dep| t1 t1)))"


def test_cycles_of_stated_length_are_of_different_transactions() -> None:
    found = text(cycle(dep, anti, dep))
    assert found.count("(not (= ") == 3
    assert found.count("(dep ") == 2


def test_definitions_are_used_in_the_direction_in_which_they_are_needed() -> None:
    reading = Unbounded()
    sought = reading.statement(some(txn(rw)))
    assert all("(only if)" in h.origin or "≪" in h.origin for h in reading.background([sought]))
    reading = Unbounded()
    excluded = reading.statement(~some(txn(rw)))
    assert all("(if)" in h.origin for h in reading.background([excluded]))
    assert [h.origin for h in reading.background([excluded], opaque=True)] == ["definition: txn(rw) is txn(rw) (if)"]


def test_closures_are_axiomatized_where_they_are_used() -> None:
    reading = Unbounded()
    excluded = reading.statement(~some(dep.plus))
    assert [h.origin for h in reading.background([excluded]) if "closure" in h.origin] == [
        "closure of dep: it holds a step",
        "closure of dep: it is transitive",
    ]
    sought = reading.statement(some(dep.plus))
    assert not [h for h in reading.background([sought]) if "closure" in h.origin]
    unfolded = [h.origin for h in reading.background([sought], unfold=True) if "closure" in h.origin]
    assert unfolded[:2] == ["closure of dep: it has a first step", "closure of dep: it has a last step"]


def test_two_definitions_of_one_name_stay_apart() -> None:
    reading = Unbounded()
    mine = Definition("rw", ww, True)
    found = {n.predicate for n in walk(reading.statement(some(rw) & some(mine))) if isinstance(n, Holds)}
    assert found == {"rw", "rw#2"}


def test_a_definition_named_like_a_base_relation_is_another_one() -> None:
    mine = Definition("before", before >> before)
    found = {n.predicate for n in walk(Unbounded().statement(some(mine))) if isinstance(n, Holds)}
    assert found == {"before#2"}
    assert text(some(start_edge)) == text(some(start))


def test_a_region_relativizes_accesses() -> None:
    region = Region(table="log")
    found = text(Within(some(before >> before), region))
    assert found.count("(region1 ") == 3
    assert "region1" not in text(Within(some(session), region))
    reading = Unbounded()
    inside = reading.statement(Within(some(txn(ww)), region))
    origins = [h.origin for h in reading.background([inside])]
    assert "region log: a set of items" in origins
    # The last write of a partition is another one where only a table is looked at.
    assert "partition_final@region1" in text(Within(some(partition_final), region))


def test_without_accesses_relations_between_them_are_empty() -> None:
    assert Unbounded(accesses=False).statement(some(Identity(Sort.A))) == FALSE
    assert Unbounded(accesses=False).statement(~acyclic(dsg)) == FALSE
    assert Unbounded(accesses=False).statement(~some(Identity(Sort.A))) == TRUE
    assert text(some(session), accesses=False) == ("(exists ((t1 Transaction) (t2 Transaction)) (session t1 t2))")


def test_unknown_base_relations_are_refused() -> None:
    with pytest.raises(TypeError, match="'elsewhere'"):
        Unbounded().statement(some(Base("elsewhere")))


def test_closures_and_vocabulary() -> None:
    assert list(closures_in(acyclic(dep.plus >> anti))) == [dep, dep.plus >> anti]
    assert vocabulary(Some(rw), opaque=True) == {"rw"}
    assert vocabulary(Acyclic(txn(ww)), opaque=False) == {"write", "version_order", "same_txn"}
