"""Allen's relations, by the sets of instants that periods are, and by properties that the literature states."""

from __future__ import annotations

from itertools import product

from toki_verify.algebra import Period
from toki_verify.algebra.allen import DISJOINT, SHARING, Allen, compose, compositions, converse, relation

#: Twice the instants: between any two there is one, so that gaps and shared ends can be told from sets alone.
INSTANTS = range(7)
PERIODS = [Period(a, b) for a in INSTANTS for b in range(a + 1, len(INSTANTS))]


def by_sets(one: set[int], other: set[int]) -> Allen:
    """The relation of two runs of instants, from the sets: which instants are in one, in the other, in both."""
    both, only, others = one & other, one - other, other - one
    if not both:
        touching = max(one) + 1 == min(other), max(other) + 1 == min(one)
        if max(one) < min(other):
            return Allen.MEETS if touching[0] else Allen.BEFORE
        return Allen.MET_BY if touching[1] else Allen.AFTER
    if not only and not others:
        return Allen.EQUALS
    if not only:
        if min(one) == min(other):
            return Allen.STARTS
        return Allen.FINISHES if max(one) == max(other) else Allen.DURING
    if not others:
        if min(one) == min(other):
            return Allen.STARTED_BY
        return Allen.FINISHED_BY if max(one) == max(other) else Allen.CONTAINS
    return Allen.OVERLAPS if min(only) < min(others) else Allen.OVERLAPPED_BY


def test_the_relation_of_two_periods_is_that_of_their_sets() -> None:
    for one, other in product(PERIODS, repeat=2):
        expected = by_sets(set(range(one.start, one.end)), set(range(other.start, other.end)))
        assert relation(one, other) is expected


def test_thirteen_relations_of_which_nine_share_an_instant() -> None:
    assert len(Allen) == 13 and len(SHARING) == 9 and len(DISJOINT) == 4 and not SHARING & DISJOINT
    for one, other in product(PERIODS, repeat=2):
        assert one.overlaps(other) == (relation(one, other) in SHARING)
    assert {relation(one, other) for one, other in product(PERIODS, repeat=2)} == set(Allen)


def test_the_converse_is_that_of_the_periods_turned_round() -> None:
    for one, other in product(PERIODS, repeat=2):
        assert converse(relation(one, other)) is relation(other, one)
    assert {each for each in Allen if converse(each) is each} == {Allen.EQUALS}


def test_known_entries_of_the_composition_table() -> None:
    assert compose(Allen.BEFORE, Allen.BEFORE) == {Allen.BEFORE}
    assert compose(Allen.MEETS, Allen.MEETS) == {Allen.BEFORE}
    assert compose(Allen.OVERLAPS, Allen.OVERLAPS) == {Allen.BEFORE, Allen.MEETS, Allen.OVERLAPS}
    assert compose(Allen.MEETS, Allen.MET_BY) == {Allen.EQUALS, Allen.FINISHES, Allen.FINISHED_BY}
    assert compose(Allen.DURING, Allen.CONTAINS) == set(Allen)
    assert compose(Allen.BEFORE, Allen.AFTER) == set(Allen)
    # Published totals: 169 entries, 409 consistent triples, 97 unique results, three that say nothing.
    sizes = [len(found) for found in compositions().values()]
    assert (len(sizes), sum(sizes), sizes.count(1), sizes.count(13)) == (169, 409, 97, 3)


def test_composition_has_an_identity_and_turns_round() -> None:
    for one, other in product(Allen, repeat=2):
        assert compose(one, Allen.EQUALS) == {one} == compose(Allen.EQUALS, one)
        assert {converse(each) for each in compose(one, other)} == compose(converse(other), converse(one))


def test_names_are_printed_in_lower_case() -> None:
    assert str(Allen.OVERLAPPED_BY) == "overlapped-by"
