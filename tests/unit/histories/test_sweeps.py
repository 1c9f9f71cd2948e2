"""The compiled sweeps say what numpy says."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from toki_verify.histories.columnar.arrays import (
    dense,
    groups,
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
