"""The compiled sweeps say what numpy says."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from toki_verify.histories.columnar import arrays, loops
from toki_verify.histories.columnar.arrays import (
    dense,
    groups,
    ints,
    ordered,
    ordered_pairs,
    prefix_max,
    starts,
    suffix_min,
    where,
)
from toki_verify.histories.columnar.sweeps import all_forward

ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 9), st.booleans()), max_size=40)
KEYS = st.lists(st.one_of(st.integers(-9, 9), st.integers(-(2**61), 2**61)), max_size=40)


@given(KEYS)
def test_ordered_is_a_stable_sort(keys: list[int]) -> None:
    values = np.array(keys, np.int64)
    assert ordered(values).tolist() == np.argsort(values, kind="stable").tolist()
    count, number = dense(values)
    known, inverse = np.unique(values, return_inverse=True)
    assert (count, number.tolist()) == (len(known), inverse.tolist())
    order, first, found = groups(values)
    assert found.tolist() == known.tolist() == values[order][first].tolist()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), max_size=150))
def test_ordered_pairs_is_a_stable_sort_by_both(pairs: list[tuple[int, int]]) -> None:
    high, low = (np.array([pair[side] for pair in pairs], np.int32) for side in (0, 1))
    assert ordered_pairs(high, low, 4).tolist() == np.lexsort((low, high)).tolist()


@given(ROWS)
def test_running_extremes_begin_anew_in_each_segment(rows: list[tuple[int, int, bool]]) -> None:
    rows = sorted(rows, key=lambda row: row[0])
    segment, value = (np.array([row[side] for row in rows], np.int32) for side in (0, 1))
    for at in range(len(rows)):
        same = segment == segment[at]
        assert prefix_max(value, segment)[at] == value[: at + 1][same[: at + 1]].max()
        assert suffix_min(value, segment)[at] == value[at:][same[at:]].min()
    begins = [at for at in range(len(rows)) if at == 0 or segment[at] != segment[at - 1]]
    assert starts(segment).tolist() == begins


@given(ROWS)
def test_true_places_and_forward_edges(rows: list[tuple[int, int, bool]]) -> None:
    mask = np.array([row[2] for row in rows], bool)
    assert where(mask).tolist() == np.flatnonzero(mask).tolist()
    source = np.array([row[0] for row in rows], np.int32)
    target = np.array([row[1] + 1 for row in rows], np.int32)
    time = np.arange(11, dtype=np.int32) % 7
    assert all_forward(time, source, target) is not bool((time[source] >= time[target]).any())


# -- extremes of groups, and what stands behind a slot -----------------------------------------------------------------
def test_entries_are_raised_and_lowered_to_the_extremes_of_their_groups() -> None:
    group, values = ints([2, 0, 2, 0]), ints([5, 1, 9, 7])
    raised, lowered = ints([3, 4, 6]), ints([3, 4, 6])
    arrays.raise_to(raised, group, values)
    arrays.lower_to(lowered, group, values)
    assert (raised.tolist(), lowered.tolist()) == ([7, 4, 9], [1, 4, 5])


def test_the_next_two_slots_are_those_of_others() -> None:
    """Slots 0 to 3 of one item, of transactions -1, 7, 8, 9; each reader saw slot 0, and one has a slot itself."""
    slot, last, owner = ints([0, 0, 0, 0]), ints([4, 4, 4, 2]), ints([-1, 7, 8, 9])
    first, second = loops.next_slots(slot, ints([1, 7, 8, 7]), last, owner)
    assert (first.tolist(), second.tolist()) == ([1, 2, 1, -1], [2, 3, 3, -1])


def test_an_access_passes_over_what_stood_then_and_was_written_later() -> None:
    """Access 1 wrote version 1 at event 4, and access 2 read at event 6."""
    event, version, wrote = ints([0, 4, 6]), ints([0, 1, 0]), ints([-1, 4])
    assert loops.passes_over(ints([2]), ints([1]), event, version, wrote)
    assert not loops.passes_over(ints([2]), ints([-1]), event, version, wrote)
    assert not loops.passes_over(ints([2]), ints([1]), event, ints([0, 1, 1]), wrote)
