"""Names as numbers: every distinct text of a file once, found by hashing, without a Python object a text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ...events.names import normal_name
from ..columns import Int32, Int64
from .lines_compile import compiled, hot
from .lines_json import Bytes

T = TypeVar("T", bound=np.generic)

#: What a text is. NAME: a name as it stands. QUOTED: the inside of a JSON string with escapes, which is another name.
#: RAW: a JSON value.
NAME: Final = 0
QUOTED: Final = 1
RAW: Final = 2
#: Bytes of a name that is its own key: with its length they fill eight.
_SHORT: Final = 7
#: Fields of `Pool.used`.
_TEXTS: Final = 0
_BYTES: Final = 1


class Pool(NamedTuple):
    """Texts by number. `begin[i]` is four times the place of text i in `blob`, plus its kind; the next one ends it.
    `slots` is the hash table: a key and the number (-1: free). The key of a short name is the name itself, so that it
    is found without a look at `blob`; that of another text is a hash, below zero."""

    blob: Bytes
    begin: Int64
    slots: Int64
    used: Int64

    @property
    def size(self) -> int:
        """How many texts there are."""
        return int(self.used[_TEXTS])

    def kind(self, number: int) -> int:
        """What a text is."""
        return int(self.begin[number]) & 3

    def bytes_of(self, number: int) -> bytes:
        """A text."""
        return self.blob[self.begin[number] >> 2 : self.begin[number + 1] >> 2].tobytes()

    def text(self, number: int) -> str:
        """A text, decoded."""
        return self.bytes_of(number).decode()


def new_pool() -> Pool:
    """A pool without texts, and with room for few."""
    return Pool(
        np.zeros(1 << 10, np.uint8), np.zeros(65, np.int64), np.full((128, 2), -1, np.int64), np.zeros(2, np.int64)
    )


def with_room(pool: Pool, texts: int, size: int) -> Pool:
    """The pool with room for so many more texts of so many bytes together."""
    count = pool.size + texts
    blob, begin, slots, used = pool
    if used[_BYTES] + size > len(blob):
        blob = grown(blob, int(used[_BYTES]) + size)
    if count + 1 > len(begin):
        begin = grown(begin, count + 1)
    if 2 * count > len(slots):
        larger = np.full((1 << int(2 * count - 1).bit_length(), 2), -1, np.int64)
        _rehash(slots, larger)
        slots = larger
    return Pool(blob, begin, slots, used)


def grown(array: NDArray[T], size: int) -> NDArray[T]:
    """The array with at least `size` entries, half as many again as it had."""
    out = np.zeros(max(size, len(array) + len(array) // 2), array.dtype)
    out[: len(array)] = array
    return out


@hot
def _slot(key: int, mask: int) -> int:
    value = key * 0x1E3779B97F4A7C15
    return (value ^ (value >> 32)) & mask


@compiled
def _rehash(slots: Int64, larger: Int64) -> None:
    mask = len(larger) - 1
    for entry in range(len(slots)):
        if slots[entry, 1] >= 0:
            place = _slot(slots[entry, 0], mask)
            while larger[place, 1] >= 0:
                place = (place + 1) & mask
            larger[place, 0] = slots[entry, 0]
            larger[place, 1] = slots[entry, 1]


@compiled
def intern(pool: Pool, data: Bytes, begin: int, end: int, kind: int) -> int:
    """The number of a text; a new one where it is new. There must be room."""
    return intern_in(pool.blob, pool.begin, pool.slots, pool.used, data, begin, end, kind)


@hot
def intern_in(
    blob: Bytes, begins: Int64, slots: Int64, used: Int64, data: Bytes, begin: int, end: int, kind: int
) -> int:
    """The same with the parts of the pool one by one, which is three times as fast in a loop."""
    length = end - begin
    if kind == 0 and length <= _SHORT:
        key = length
        for place in range(begin, end):
            key = key << 8 | data[place]
    else:
        key = 2166136261 + kind
        for place in range(begin, end):
            key = ((key ^ data[place]) * 16777619) & 0xFFFFFFFF
        key = -1 - key
    mask = len(slots) - 1
    slot = _slot(key, mask)
    while slots[slot, 1] >= 0:
        if slots[slot, 0] == key:
            number = slots[slot, 1]
            if key >= 0:
                return int(number)
            first = begins[number]
            if first & 3 == kind and (begins[number + 1] >> 2) - (first >> 2) == length:
                first >>= 2
                equal = True
                for place in range(length):
                    if blob[first + place] != data[begin + place]:
                        equal = False
                        break
                if equal:
                    return int(number)
        slot = (slot + 1) & mask
    number = used[0]
    first = used[1]
    for place in range(length):
        blob[first + place] = data[begin + place]
    slots[slot, 0] = key
    slots[slot, 1] = number
    begins[number] = first << 2 | kind
    begins[number + 1] = (first + length) << 2
    used[0] = number + 1
    used[1] = first + length
    return int(number)


def intern_text(pool: Pool, text: str, kind: int = NAME) -> tuple[Pool, int]:
    """The same for a Python text, with room made."""
    data = np.frombuffer(text.encode() or b"\0", np.uint8)
    pool = with_room(pool, 1, len(data))
    return pool, int(intern(pool, data, 0, len(data) if text else 0, kind))


@compiled
def _odd(pool: Pool, count: int) -> list[int]:
    """Names that may be written in another way than names are kept: with escapes, or not in ASCII."""
    out = []
    for number in range(count):
        kind = pool.begin[number] & 3
        if kind == 1:
            out.append(number)
        elif kind == 0:
            for place in range(pool.begin[number] >> 2, pool.begin[number + 1] >> 2):
                if pool.blob[place] >= 128:
                    out.append(number)
                    break
    return out


def aliases(pool: Pool) -> tuple[Pool, Int32 | None]:
    """What each text is as a name: without escapes, in the normal form C. None: as it stands, all of them.

    The scanner keeps strings without NUL and within the limit of length only, so that each is a name.
    """
    odd = _odd(pool, pool.size) if pool.size else []
    changed = {}
    for number in odd:
        text = pool.text(number)
        name = normal_name(json.loads(f'"{text}"') if pool.kind(number) == QUOTED else text)
        pool, changed[number] = intern_text(pool, name)
    if all(number == other for number, other in changed.items()):
        return pool, None
    out = np.arange(pool.size, dtype=np.int32)
    out[list(changed)] = list(changed.values())
    return pool, out


@compiled
def label_code(data: Bytes, begin: int, end: int) -> int:
    """A version label as a number of its own: itself where it is a natural number without leading zeros, else -1."""
    length = end - begin
    if length > 18 or (length > 1 and data[begin] == 48):
        return -1
    value = 0
    for place in range(begin, end):
        if data[place] < 48 or data[place] > 57:
            return -1
        value = value * 10 + int(data[place]) - 48
    return value


def code_of_text(pool: Pool, number: int) -> int:
    """The code of a label that is a text of the pool: a natural number, or -2 - number."""
    data = np.frombuffer(pool.bytes_of(number), np.uint8)
    value = int(label_code(data, 0, len(data))) if len(data) else -1
    return value if value >= 0 else -2 - number


#: The code of no label.
NO_LABEL: Final = -1


class Names(Sequence[str]):
    """Names by codes as labels have them, made when they are asked for; "" where there is none."""

    def __init__(self, pool: Pool, codes: Int64) -> None:
        self.pool, self.codes = pool, codes

    def __len__(self) -> int:
        return len(self.codes)

    def _one(self, code: int) -> str:
        return "" if code == NO_LABEL else str(code) if code >= 0 else self.pool.text(-2 - code)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self._one(int(code)) for code in self.codes[index]]
        return self._one(int(self.codes[index]))

    def __iter__(self) -> Iterator[str]:
        return (self._one(int(code)) for code in self.codes)
