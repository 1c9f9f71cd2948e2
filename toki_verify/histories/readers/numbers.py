"""Integers of a file as codes and names, by arrays; how a key or a value is named, so that different ones differ."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..columns import Int32, Int64

INTEGER: Final = re.compile(r"-?[0-9]+")
#: Strings that would read as something else without quotes.
_QUOTED: Final = re.compile(
    r'-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?M?|nil|null|true|false|["\[{].*|(?!:[^\s,;"\[\](){}\\]+\Z):.*|',
    re.DOTALL,
)
#: A table of all integers between the least and the greatest is made where it is at most so many times as long.
_SPARSE: Final = 4


class Numbers(Sequence[str]):
    """Integers in ascending order, as text; made when they are asked for, for there may be millions."""

    def __init__(self, numbers: Int64) -> None:
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if isinstance(index, slice):
            return [str(number) for number in self.numbers[index].tolist()]
        return str(int(self.numbers[index]))

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The place of a number given as text, found by bisection. Raises ValueError if it is not there."""
        end = len(self.numbers) if stop is None else stop
        if isinstance(value, str) and INTEGER.fullmatch(value) and len(value) < 20:
            at = int(np.searchsorted(self.numbers, int(value)))
            if start <= at < end and str(int(self.numbers[at])) == value:
                return at
        raise ValueError(f"{value!r} is not there")


def encode(numbers: Int64) -> tuple[Int64, Int32]:
    """The distinct integers in ascending order, and the place of each in them: (U,), (N,)."""
    if not len(numbers):
        return numbers, np.zeros(0, np.int32)
    low, high = int(numbers.min()), int(numbers.max())
    if high - low >= _SPARSE * len(numbers) + 1_000:
        unique, places = np.unique(numbers, return_inverse=True)
        return unique, places.astype(np.int32)
    there = np.zeros(high - low + 1, np.bool_)
    there[numbers - low] = True
    place = (np.cumsum(there, dtype=np.int32) - 1).astype(np.int32)
    return np.flatnonzero(there).astype(np.int64) + low, place[numbers - low]


def first_places(codes: Int32, count: int) -> Int64:
    """Where each of the codes 0 … count-1 occurs first: (count,). Each must occur."""
    first = np.zeros(count, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def integer_name(digits: str) -> str:
    """An integer as written (at most NUMBER_DIGITS digits), without zeros before it."""
    return digits if len(digits) < 2 or digits[0] not in "0-" else str(int(digits))


def string_name(text: str) -> str:
    """A string as the name of a key or value; in quotes if it would read as an integer, nil or a list."""
    return json.dumps(text, ensure_ascii=False) if _QUOTED.fullmatch(text) else text
