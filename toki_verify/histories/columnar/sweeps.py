"""Compiled sweeps over whole arrays, where numpy would write several temporary arrays: each goes once or twice over its
input, and its output is as narrow as its input."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import compiled

_Ints = NDArray[np.signedinteger[Any]]
_Bools = NDArray[np.bool_]


@compiled
def true_places(mask: _Bools, out: _Ints) -> None:
    """Write the places where the mask is true to `out`, which has room for just these."""
    count = 0
    for place in range(len(mask)):
        if mask[place]:
            out[count] = place
            count += 1


@compiled
def running_max(values: _Ints, segment: _Ints) -> _Ints:
    """The greatest value up to here within a run of equal segments."""
    out = np.empty_like(values)
    for place in range(len(values)):
        best = values[place]
        if place > 0 and segment[place] == segment[place - 1] and out[place - 1] > best:
            best = out[place - 1]
        out[place] = best
    return out


@compiled
def running_min_back(values: _Ints, segment: _Ints) -> _Ints:
    """The least value from here on within a run of equal segments."""
    out = np.empty_like(values)
    last = len(values) - 1
    for back in range(len(values)):
        place = last - back
        best = values[place]
        if place < last and segment[place] == segment[place + 1] and out[place + 1] < best:
            best = out[place + 1]
        out[place] = best
    return out


@compiled
def greatest_of(out: _Ints, group: _Ints, values: _Ints) -> None:
    """Raise the entry of each group to the greatest of its values."""
    for place in range(len(group)):
        if values[place] > out[group[place]]:
            out[group[place]] = values[place]


@compiled
def least_of(out: _Ints, group: _Ints, values: _Ints) -> None:
    """Lower the entry of each group to the least of its values."""
    for place in range(len(group)):
        if values[place] < out[group[place]]:
            out[group[place]] = values[place]


@compiled
def counting_order(keys: _Ints, groups: int, out: _Ints) -> None:
    """Write to `out` the order that sorts keys below `groups`, equal ones as they stand."""
    first = np.zeros(groups + 1, np.int64)
    for place in range(len(keys)):
        first[keys[place] + 1] += 1
    for group in range(groups):
        first[group + 1] += first[group]
    for place in range(len(keys)):
        key = keys[place]
        out[first[key]] = place
        first[key] += 1


@compiled
def order_within(order: _Ints, high: _Ints, low: _Ints) -> None:
    """Sort an order, in which equal high numbers stand together, within each run of them by the low numbers, equal ones
    as they stand. Runs are mostly short: by insertion; long ones by a sort."""
    begin = 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and high[order[end]] == high[order[begin]]:
            end += 1
        if end - begin <= 32:
            for at in range(begin + 1, end):
                one = order[at]
                key = low[one]
                back = at - 1
                while back >= begin and low[order[back]] > key:
                    order[back + 1] = order[back]
                    back -= 1
                order[back + 1] = one
        else:
            part = order[begin:end].copy()
            order[begin:end] = part[np.argsort(low[part], kind="mergesort")]
        begin = end


@compiled
def all_forward(time: _Ints, source: _Ints, target: _Ints) -> bool:
    """Whether every edge goes to a later time."""
    # A generator in `all` is what the compiler does not know.
    # ruff: noqa: SIM110
    for edge in range(len(source)):
        if time[source[edge]] >= time[target[edge]]:
            return False
    return True
