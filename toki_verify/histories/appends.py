"""Histories of lists (Jepsen's list-append): from appends and the lists that reads showed to versions and their order.

An append makes the version of the list that ends in its element; a read that shows [v1 … vn] read version vn, and says
that v1 … vn is how the list grew (Kingsbury and Alvaro 2020). So the longest list read of each key is the
version order, as far as it is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from .columns import INITIAL, NOBODY, WRITE, Garbage, History, Int8, Int32, Int64

#: Garbage that is named one by one, of a kind; there may be millions.
_NAMED: Final = 1_000
#: Elements of a list that a message shows.
_ELEMENTS: Final = 12

Shown = str | tuple[str, ...] | None


def assemble_lists(
    *,
    format: str,
    source: str,
    session: Int32,
    outcome: Int8,
    txn: Int32,
    kind: Int8,
    key: Int32,
    shown: Sequence[Shown],
    line: Int32,
    keys: Sequence[str],
    transactions: Sequence[str],
    sessions: Sequence[str],
    begun: Int64 | None = None,
    ended: Int64 | None = None,
    warnings: tuple[str, ...] = (),
) -> History:
    """A history of lists.

    Columns as for `builder.assemble`; `shown` (N,) holds the element of an append, and of a read the elements that it
    showed, in order (None or (): the empty list, which is the initial version).

    A read behind own appends of the key must end in exactly these (garbage `own-write-unseen`). What stands before
    them is what the transaction read of others; it is recorded as a read of that version, unless an earlier read of
    the transaction has shown it already.
    """
    order = np.argsort(txn, kind="stable")
    lists = _Lists(list(keys))
    columns = (txn[order].tolist(), kind[order].tolist(), key[order].tolist(), line[order].tolist())
    ordered = [shown[at] for at in order.tolist()]
    lists.find_orders(columns[1], columns[2], ordered)
    lists.read_all(*columns, ordered)
    txns = np.array(lists.txn, np.int32)
    return History(
        format=format,
        source=source,
        model="append",
        session=session,
        outcome=outcome,
        first=np.searchsorted(txns, np.arange(len(session) + 1)).astype(np.int32),
        kind=np.array(lists.kind, np.int8),
        key=np.array(lists.key, np.int32),
        version=np.array(lists.version, np.int32),
        line=np.array(lists.line, np.int32),
        version_key=np.array(lists.version_key, np.int32),
        writer=np.array(lists.writer, np.int32),
        rank=np.array(lists.rank, np.int32),
        transactions=transactions,
        sessions=sessions,
        keys=keys,
        values=lists.values,
        begun=begun,
        ended=ended,
        garbage=lists.all_garbage(),
        warnings=warnings,
    )


@dataclass
class _Lists:
    """The versions of all keys, and the operations that are kept."""

    keys: list[str]
    txn: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    key: list[int] = field(default_factory=list)
    version: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    garbage: dict[str, list[Garbage]] = field(default_factory=dict)
    longest: list[tuple[str, ...]] = field(default_factory=list)
    #: The kept operation that showed the longest list of each key.
    longest_read: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        count = len(self.keys)
        self.longest = [()] * count
        self.once = [True] * count
        self.version_key = list(range(count))
        self.writer = [INITIAL] * count
        self.rank = [0] * count
        self.values = ["nil"] * count
        self.number: list[dict[str, int]] = [{} for _ in range(count)]

    def find_orders(self, kinds: list[int], keys: list[int], shown: list[Shown]) -> None:
        """The longest list that was read of each key (the first of several), and a version for each element."""
        longest = self.longest
        for kind, key, one in zip(kinds, keys, shown, strict=True):
            if kind != WRITE and one and len(one) > len(longest[key]):
                longest[key] = tuple(one)
        self.once = [_repeated(elements) is None for elements in longest]
        for key, elements in enumerate(longest):
            for place, element in enumerate(elements, 1):
                if element not in self.number[key]:
                    self._version(key, element, place)

    def _version(self, key: int, element: str, rank: int) -> int:
        number = len(self.values)
        self.version_key.append(key)
        self.writer.append(NOBODY)
        self.rank.append(rank)
        self.values.append(element)
        self.number[key][element] = number
        return number

    def read_all(
        self, txns: list[int], kinds: list[int], keys: list[int], lines: list[int], shown: list[Shown]
    ) -> None:
        """Keep the operations, each with its version; collect garbage."""
        current = -1
        own: dict[int, list[str]] = {}
        seen: set[tuple[int, int]] = set()
        longest, once = self.longest, self.once
        for txn, kind, key, line, one in zip(txns, kinds, keys, lines, shown, strict=True):
            if txn != current:
                current, own, seen = txn, {}, set()
            if kind == WRITE:
                assert isinstance(one, str)
                own.setdefault(key, []).append(one)
                version = self._append(key, one)
            else:
                elements = tuple(one or ())
                beginning = longest[key][: len(elements)] == elements
                unseen = None
                sound = beginning and (once[key] or _repeated(elements) is None)
                mine = own.get(key)
                if mine is None:
                    version = self._find(key, elements, beginning)
                elif elements[-len(mine) :] == tuple(mine):
                    version = self._find(key, elements[: len(elements) - len(mine)], beginning)
                    if sound and (key, version) in seen:
                        continue
                else:
                    version, unseen, sound = self._find(key, elements, beginning), mine, False
                seen.add((key, version))
                if elements == longest[key]:
                    self.longest_read.setdefault(key, len(self.txn))
                if not sound:
                    self._judge(key, elements, beginning, unseen)
            self.txn.append(txn)
            self.kind.append(kind)
            self.key.append(key)
            self.version.append(version)
            self.line.append(line)

    def _append(self, key: int, element: str) -> int:
        """The version that the next operation appends."""
        at = len(self.txn)
        version = self.number[key].get(element)
        if version is None:
            version = self._version(key, element, -1)
        if self.writer[version] == NOBODY:
            self.writer[version] = at
        else:
            text = f"{element} is appended to {self.keys[key]} twice"
            self._found("duplicate-write", (self.writer[version], at), key, text)
        return version

    def _find(self, key: int, elements: tuple[str, ...], known: bool) -> int:
        """The version of a list: that of its last element. `known`: all elements have versions."""
        if not elements:
            return key
        number = self.number[key]
        if not known:
            for element in elements:
                if element not in number:
                    self._version(key, element, -1)
        return number[elements[-1]]

    def _judge(self, key: int, elements: tuple[str, ...], beginning: bool, unseen: list[str] | None) -> None:
        """The garbage of the read that is the next operation."""
        at, name, longest = len(self.txn), self.keys[key], self.longest[key]
        twice = _repeated(elements)
        if twice is not None:
            self._found("duplicate-element", (at,), key, f"{name} = {_list(elements)} has {twice} twice")
        if not beginning:
            text = f"{name} = {_list(elements)}, and {_list(longest)}: neither is a beginning of the other"
            self._found("incompatible-order", (at,), key, text)
        if unseen is not None:
            text = f"{name} = {_list(elements)}, read behind own appends of {_list(unseen)}, does not end in them"
            self._found("own-write-unseen", (at,), key, text)

    def _found(self, kind: str, operations: tuple[int, ...], key: int, text: str) -> None:
        found = self.garbage.setdefault(kind, [])
        if len(found) < _NAMED:
            found.append(Garbage(kind, operations, key, text))

    def all_garbage(self) -> tuple[Garbage, ...]:
        """Garbage of all kinds; an incompatible read is named with the read of the longest list, where it was kept."""
        named = []
        for kind, found in self.garbage.items():
            for one in found:
                longest = self.longest_read.get(one.key)
                if kind == "incompatible-order" and longest is not None:
                    one = Garbage(kind, (longest, *one.operations), one.key, one.text)
                named.append(one)
        return tuple(named)


def _repeated(elements: Sequence[str]) -> str | None:
    """The first element that stands in a list for the second time."""
    if len(set(elements)) == len(elements):
        return None
    seen: set[str] = set()
    return next(element for element in elements if element in seen or seen.add(element))  # type: ignore[func-returns-value]


def _list(elements: Sequence[str]) -> str:
    """A list for messages, its middle cut out where it is long."""
    if len(elements) <= _ELEMENTS:
        return f"[{' '.join(elements)}]"
    half = _ELEMENTS // 2
    return f"[{' '.join(elements[:half])} … {' '.join(elements[-half:])}]"
