"""Strategies of facts: they give what they say, reach what matters, and shrink to the textbook example."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from toki_verify.algebra import Fact, contradicts
from toki_verify.algebra.allen import SHARING, relation
from toki_verify.algebra.carriers import BOOLEAN, COUNTING, MULTIDEGREE
from toki_verify.algebra.operators import require_contradiction
from toki_verify.testing import Pair, compatible_pairs, conflict_sets, contradicting_pairs, elements, facts

QUICK = settings(settings.get_profile("toki-ci"), max_examples=100)
TOKEN = MULTIDEGREE.token
PENICILLIN = Fact("f1", "alice", "medication", "penicillin", datetime(2026, 3, 1), datetime(2026, 3, 1), TOKEN("f1"))
AMOXICILLIN = Fact(
    "f2", "alice", "medication", "amoxicillin", datetime(2026, 4, 15), datetime(2026, 4, 15), TOKEN("f2")
)


def test_a_pair_shrinks_to_the_running_example() -> None:
    found = find(contradicting_pairs(), lambda pair: True)
    assert found == Pair(PENICILLIN, AMOXICILLIN, datetime(2026, 7, 1), MULTIDEGREE)


def test_a_set_and_a_fact_shrink_to_it_too() -> None:
    assert find(conflict_sets(), lambda found: True).members == (PENICILLIN, AMOXICILLIN)
    assert find(facts(), lambda fact: True) == PENICILLIN


def test_a_pair_shrinks_to_the_smallest_tie() -> None:
    found = find(contradicting_pairs(), lambda pair: pair.first.confidence == pair.second.confidence < 1)
    assert [fact.confidence for fact in found.facts] == [0.9, 0.9]
    assert [fact.object for fact in found.facts] == ["penicillin", "amoxicillin"]


@QUICK
@given(st.one_of(contradicting_pairs(), contradicting_pairs(aware=True)))
def test_pairs_contradict(pair: Pair[object]) -> None:
    require_contradiction(pair.facts)


@QUICK
@given(compatible_pairs())
def test_compatible_pairs_do_not(pair: Pair[object]) -> None:
    assert not contradicts(*pair.facts)


@QUICK
@given(st.data())
def test_members_of_sets_contradict_pairwise(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 8))
    found = data.draw(conflict_sets(count))
    assert len(found.members) == count
    require_contradiction(found.members)


@pytest.mark.parametrize("wanted", sorted(SHARING, key=str), ids=str)
def test_periods_overlap_in_every_way(wanted: object) -> None:
    find(contradicting_pairs(), lambda pair: relation(pair.first.valid, pair.second.valid) is wanted)


@pytest.mark.parametrize(
    "says",
    [
        lambda first, second: first.system_time_start == second.system_time_start,
        lambda first, second: first.confidence == second.confidence != 1,
        lambda first, second: first.fact_id == second.fact_id,
        lambda first, second: first.fact_id > second.fact_id,
        lambda first, second: first.provenance == second.provenance,
    ],
)
def test_ties_come_up(says: object) -> None:
    find(contradicting_pairs(), lambda pair: says(*pair.facts))  # type: ignore[operator]


def test_periods_that_meet_come_up() -> None:
    find(compatible_pairs(), lambda pair: pair.first.valid_to == pair.second.valid_from)


def test_elements_are_sums_and_products() -> None:
    for text in ("x+y", "x^2", "2*x"):
        wanted = MULTIDEGREE.parse(text)
        assert find(elements(), lambda found, wanted=wanted: found == wanted) == wanted
    assert find(elements("counting"), lambda found: found > 3) == 4
    assert find(elements(BOOLEAN), lambda found: True) is False
    assert find(elements(COUNTING), lambda found: True) == 0


def test_arguments_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="n must be 2 to 8, not 9"):
        conflict_sets(9)
    with pytest.raises(InvalidArgument, match="aware must be True or False"):
        facts(aware=1)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="carrier must be a Semiring"):
        contradicting_pairs(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="carrier 'multi'"):
        elements("multi")
