"""Small helpers on arrays: ranges that are unfolded, look-ups in sorted keys, running extremes within segments."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .sweeps import counting_order, greatest_of, least_of, order_within, running_max, running_min_back, true_places

Ints = NDArray[np.signedinteger[Any]]
Bools = NDArray[np.bool_]
#: How places are stored: half the memory of 64 bits. A test makes it narrower, so that it finds a product that is not
#: made `wide` first.
NARROW: type[np.signedinteger[Any]] = np.int32
#: Later than every event: what fits, no more.
NEVER: Final = (1 << 31) - 1


def ints(values: object) -> Ints:
    """An array of places: of transactions, items, events, accesses, versions, slots. Products of two need `wide`."""
    return np.asarray(values, NARROW)


def wide(values: object) -> NDArray[np.int64]:
    """An array of 64-bit integers, so that keys made of two numbers fit."""
    return np.asarray(values, np.int64)


def full(shape: int | tuple[int, ...], value: int) -> Ints:
    """An array of places that are all the same."""
    return np.full(shape, value, NARROW)


def numbers(count: int) -> Ints:
    """0 up to before `count`."""
    return np.arange(count, dtype=NARROW)


def span(keys: Ints, high: Ints, size: int) -> tuple[Ints, Ints]:
    """Of keys `high * size + low`, sorted: unfolded, the places of those with each high number."""
    base = wide(high) * size
    return unfold(ints(np.searchsorted(keys, base)), ints(np.searchsorted(keys, base + size)))


def unfold(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """For ranges `first[k]` up to before `last[k]`: for every member the k of its range, and the member."""
    count = np.maximum(last - first, 0)
    which = np.repeat(numbers(len(first)), count)
    shift = first - (np.cumsum(count) - count)
    return which, ints(np.arange(len(which)) + shift[which])


def find(sorted_keys: Ints, keys: Ints) -> tuple[Ints, Bools]:
    """Where each key stands (or would stand) in sorted keys, and whether it is there."""
    if not len(sorted_keys):
        return full(len(keys), 0), np.zeros(len(keys), bool)
    at = ints(np.searchsorted(sorted_keys, keys))
    there = sorted_keys[np.minimum(at, len(sorted_keys) - 1)] == keys
    return at, there


def prefix_max(values: Ints, segment: Ints) -> Ints:
    """The greatest value up to here within a segment; segments ascend."""
    return running_max(ints(values), ints(segment))


def suffix_min(values: Ints, segment: Ints) -> Ints:
    """The least value from here on within a segment; segments ascend."""
    return running_min_back(ints(values), ints(segment))


def raise_to(out: Ints, group: Ints, values: Ints) -> None:
    """Raise the entry of each group to the greatest of its values (`np.maximum.at`, several times as fast)."""
    greatest_of(out, ints(group), ints(values))


def lower_to(out: Ints, group: Ints, values: Ints) -> None:
    """Lower the entry of each group to the least of its values (`np.minimum.at`)."""
    least_of(out, ints(group), ints(values))


def where(mask: Bools) -> Ints:
    """The places where a mask is true, ascending."""
    out = np.empty(np.count_nonzero(mask), NARROW)
    true_places(mask, out)
    return out


def ordered(keys: Ints) -> Ints:
    """An order that sorts keys, equal ones as they stand.

    Keys that are numbers of things are counted. Of others key and place are packed into one number where that fits,
    since sorting numbers is several times as fast as sorting places by them.
    """
    size = len(keys)
    greatest = int(keys.max()) if size else 0
    if greatest < 2 * size + 64 and (not size or int(keys.min()) >= 0):
        out = np.empty(size, NARROW)
        counting_order(keys, greatest + 1, out)
        return out
    if max(greatest, -int(keys.min())) >= (1 << 62) // size:
        return ints(np.argsort(keys, kind="stable"))
    packed = wide(keys) * size
    packed += np.arange(size)
    packed.sort()
    packed %= size
    return ints(packed)


def ordered_pairs(high: Ints, low: Ints, count: int) -> Ints:
    """An order that sorts pairs of numbers, the high ones below `count`, equal pairs as they stand."""
    out = np.empty(len(high), NARROW)
    counting_order(high, count, out)
    order_within(out, high, low)
    return out


def starts(sorted_keys: Ints) -> Ints:
    """The first place of each run of equal keys."""
    if not len(sorted_keys):
        return full(0, 0)
    begins = np.empty(len(sorted_keys), bool)
    begins[0] = True
    np.not_equal(sorted_keys[1:], sorted_keys[:-1], out=begins[1:])
    return where(begins)


def distinct(values: Ints) -> Ints:
    """The values, each once, sorted (by sorting, which is faster here than the hashing of `np.unique`)."""
    in_order = np.sort(values)
    return in_order[starts(in_order)]


def dense(values: Ints) -> tuple[int, Ints]:
    """How many different values there are, and the number of each value among them, ascending."""
    order = ordered(values)
    in_order = values[order]
    out = full(len(values), 0)
    if not len(values):
        return 0, out
    number = np.cumsum(np.concatenate([[0], in_order[1:] != in_order[:-1]]))
    out[order] = number
    return int(number[-1]) + 1, out


def groups(keys: Ints) -> tuple[Ints, Ints, Ints]:
    """An order that sorts the keys (stable), the first place of each group in it, the group's key."""
    order = ordered(keys)
    in_order = keys[order]
    first = starts(in_order)
    return order, first, in_order[first]
