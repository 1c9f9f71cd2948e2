"""The numbering of pairs of a key and a value against sorting all of them, and broken versions of it that are found."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numba")

import numpy as np

from toki_verify.histories import builder

VALUES = 5
OPERATIONS = st.lists(st.tuples(st.integers(0, 3), st.integers(-1, VALUES - 1)), max_size=12)


def arrays(operations: list[tuple[int, int]]) -> tuple[Any, Any]:
    table = np.array(operations, np.int32).reshape(-1, 2)
    return table[:, 0].copy(), table[:, 1].copy()


def sorted_pairs(operations: list[tuple[int, int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """Which of the pairs each operation names, and the pairs in ascending order."""
    pairs = sorted(set(operations))
    return [pairs.index(one) for one in operations], pairs


def numbered(operations: list[tuple[int, int]]) -> tuple[list[int], list[tuple[int, int]]]:
    which, key, value = builder._pairs(*arrays(operations), VALUES)
    assert which.dtype == key.dtype == value.dtype == np.int32
    return which.tolist(), list(zip(key.tolist(), value.tolist(), strict=True))


@given(OPERATIONS)
def test_pairs_are_numbered_as_if_all_were_sorted(operations: list[tuple[int, int]]) -> None:
    assert numbered(operations) == sorted_pairs(operations)


#: A value of one key, and one of two keys; nil of two.
MIXED = [(1, 3), (0, 2), (1, 2), (0, -1), (1, -1), (0, 2)]


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("flatnonzero", lambda mask, whole=np.flatnonzero: whole(mask)[:-1]),
        ("unique", lambda pairs, return_inverse, whole=np.unique: (whole(pairs), np.zeros(len(pairs), int))),
        ("argsort", lambda pairs: np.arange(len(pairs))),
    ],
)
def test_broken_numberings_are_found(name: str, broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, name, broken)
    assert numbered(MIXED) != sorted_pairs(MIXED)
