"""A version order that is stated in a file (`orders_file.py`), against the history that it is of.

Keys and values are called what the history calls them; a key of an object may be a number in quotes. The initial
version may be stated, first: null, or a 0 that nobody writes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from ..events import Problem
from .columns import ABORTED, COMMITTED, NOBODY, READ, UNKNOWN, History, Int8, Int64
from .orders import installed, ordered, ranked, said_open
from .orders_file import EXPECTED, RULE, Entry, OrderFile
from .readers.edn import scalar_name
from .readers.faults import Fault, Faults, Text, long_number
from .sessions.names import transaction

_MEANING: Final = "versions stand in the stated order: a level that fails does so with it, and may hold with another"


def by_statement(
    history: History, data: bytes, source: str, *, skip_bad: bool = False
) -> tuple[History | None, list[Problem]]:
    """The history with the version order that a file states, O(N log N); or None and what is wrong with the file.

    The order of a key has all its installed versions: the last writes of committed transactions to it (of lists all
    appends), and those transactions of unknown outcome that the file names, which says that they committed. What is
    unknown, aborted, overwritten by its own transaction, missing or stated twice is a problem, and so is an order that
    the lists of the history contradict. A key with one version needs no order. With `skip_bad` the orders at fault are
    left out, and open.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return None, [Problem("a byte that is not UTF-8", "JSON in UTF-8", "encoding", file=source, line=line)]
    text = Text(data.removeprefix(b"\xef\xbb\xbf"), source)
    faults = Faults(text, skip_bad, "order")
    long = long_number(text)
    if long is not None:
        faults.add(long, fatal=True)
        return None, faults.problems()
    stated = _Stated(history, OrderFile(text, faults))
    stated.take_all()
    return (None, faults.problems()) if faults.found else (stated.history_in_order(), [])


@dataclass
class _Order:
    """The order of a key: its versions, and at which place of the entry each stands."""

    entry: Entry
    versions: list[int]
    places: list[int]


@dataclass
class _Stated:
    """The orders so far, by key."""

    history: History
    file: OrderFile
    orders: dict[int, _Order] = field(default_factory=dict)
    #: All keys that have an order, one at fault, too.
    entries: dict[int, Entry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        history, count = self.history, len(self.history.keys)
        self.txn = history.txn_of()
        self.keys = {name: number for number, name in enumerate(history.keys)}
        owners, values = history.version_key[count:].tolist(), history.values[count:]
        self.versions = {both: version for version, both in enumerate(zip(owners, values, strict=True), count)}
        self.writer = history.writer.tolist()
        self.shown = (history.rank > 0) & (history.model == "append")
        self.last = np.zeros(len(self.writer), bool)
        self.last[installed(history, self.txn)] = True

    def take_all(self) -> None:
        """Read the orders; then say what is missing in them, and what lists contradict."""
        faults = self.file.faults
        for entry in self.file.entries():
            self._take(entry)
            if faults.over:
                return
        if not faults.found:
            self._missing()
        if not faults.found and self.history.model == "append":
            self._contradicted()

    def _take(self, entry: Entry) -> None:
        names = [scalar_name(entry.key), str(entry.key)]
        names = [one for one in (names if entry.named else names[::-1]) if one in self.keys]
        if scalar_name(entry.key) is None or not names:
            expected = f"a key of {self.history.source or 'the history'}"
            return self.file.fault(entry, None, f"the key {entry.key!r}"[:60], expected)
        key = self.keys[str(names[0])]
        if key in self.entries:
            line = self.file.text.line(self.file.offset(self.entries[key], None))
            what = f"an order of {names[0]} for the second time (line {line})"
            return self.file.fault(entry, None, what, "each key once")
        self.entries[key] = entry
        order = self._versions(key, entry)
        if order is not None:
            self.orders[key] = order
        return None

    def _versions(self, key: int, entry: Entry) -> _Order | None:
        """The versions that an entry states; None where one is at fault."""
        order, seen, sound = _Order(entry, [], []), set[int](), True
        for place, value in enumerate(entry.values):
            name = scalar_name(value)
            version = self.versions.get((key, str(name)), -1)
            if version < 0 and isinstance(value, str):
                version = self.versions.get((key, value), -1)
            nobody = version < 0 or self.writer[version] == NOBODY
            initial = value is None or (nobody and name == "0")
            if initial and place == 0:
                continue
            fault = self._unfit(key, version, initial, value)
            if fault is None and version in seen:
                fault = f"{self.history.values[version]} for the second time", "each value once"
            if fault is not None:
                self.file.fault(entry, place, *fault)
                sound = False
            elif self.last[version]:
                order.versions.append(version)
                order.places.append(place)
            seen.add(version)
        return order if sound else None

    def _unfit(self, key: int, version: int, initial: bool, value: object) -> tuple[str, str] | None:
        """Why a value cannot stand in an order: what, and what was expected."""
        history, name = self.history, self.history.keys[key]
        if initial:
            return f"the initial version of {name} behind another", "it first, or not at all"
        if version >= 0 and (self.last[version] or self.shown[version]):
            return None
        if version < 0 or self.writer[version] == NOBODY:
            what = f"the value {value!r}"[:60]
            return f"{what}, which nobody writes to {name}", f"a value that is written to {name}"
        writer = self.writer[version]
        owner = int(self.txn[writer])
        who, line = transaction(history, owner), int(history.line[writer])
        did = "rolled back" if history.outcome[owner] == ABORTED else "overwrote itself"
        return f"{history.values[version]}, which {who} wrote in line {line} and {did}", "versions that were installed"

    def _outcome(self) -> Int8:
        """The outcomes (T,): what has a place in an order was installed, so its transaction committed."""
        outcome = self.history.outcome.copy()
        named = np.array([version for order in self.orders.values() for version in order.versions], np.int64)
        owners = self.txn[self.history.writer[named]]
        outcome[owners[outcome[owners] == UNKNOWN]] = COMMITTED
        return outcome

    def _sure(self) -> Int64:
        """The versions that committed transactions installed, sorted by key."""
        versions = np.flatnonzero(self.last & (self.history.writer >= 0))
        versions = versions[self._outcome()[self.txn[self.history.writer[versions]]] == COMMITTED]
        result: Int64 = versions[np.argsort(self.history.version_key[versions], kind="stable")]
        return result

    def _missing(self) -> None:
        """Installed versions that no order has."""
        history, sure = self.history, self._sure()
        named = np.zeros(len(self.writer), bool)
        for order in self.orders.values():
            named[order.versions] = True
        count = np.bincount(history.version_key[sure], minlength=len(history.keys))
        told: set[int] = set()
        for version in sure[~named[sure]].tolist():
            key, writer = int(history.version_key[version]), self.writer[version]
            name, owner = history.keys[key], transaction(history, int(self.txn[writer]))
            said = f"{history.values[version]}, which {owner} writes (line {int(history.line[writer])})"
            if key in self.orders:
                entry = self.orders[key].entry
                self.file.fault(entry, -1, f"an order of {name} without {said}", "all values that were installed")
                if self.file.faults.skip:
                    del self.orders[key]
            elif key not in self.entries and key not in told and count[key] > 1:
                told.add(key)
                what = f"no order of {name}, to which {count[key]} values are written"
                self.file.faults.add(Fault(len(self.file.text.text), what, f"{EXPECTED}, with {said}", RULE))
            if self.file.faults.over:
                return

    def _contradicted(self) -> None:
        """Orders of keys whose lists show another one."""
        history = self.history
        proven = np.flatnonzero(self.shown & self.last)
        proven = proven[np.lexsort((history.rank[proven], history.version_key[proven]))]
        lists: dict[int, list[int]] = {}
        for version in proven.tolist():
            lists.setdefault(int(history.version_key[version]), []).append(version)
        unproven = {one.key for one in history.garbage if one.kind in ("incompatible-order", "duplicate-element")}
        for key, shown in lists.items():
            order = self.orders.get(key)
            if order is None or key in unproven or order.versions[: len(shown)] == shown:
                continue
            pairs = zip(order.versions, shown, strict=False)
            at = next((at for at, (one, other) in enumerate(pairs) if one != other), len(order.versions))
            reads = np.flatnonzero((history.kind == READ) & (history.key == key))
            line = int(history.line[reads[np.argmax(history.rank[history.version[reads]])]])
            said = history.values[order.versions[at]] if at < len(order.versions) else "the end"
            what = f"{said} in the order of {history.keys[key]}, where a list that was read has (line {line})"
            place = order.places[at] if at < len(order.places) else -1
            wanted = history.values[shown[min(at, len(shown) - 1)]]
            self.file.fault(order.entry, place, f"{what} {wanted}", "the order that reads show")
            del self.orders[key]

    def history_in_order(self) -> History:
        """The history with what was stated; a single version of a key has its place without that."""
        history = replace(self.history, outcome=self._outcome())
        sure = self._sure()
        alone = np.bincount(history.version_key[sure], minlength=len(history.keys)) == 1
        alone[list(self.entries)] = False
        stated = [version for order in self.orders.values() for version in order.versions]
        placed = np.concatenate([np.array(stated, np.int64), sure[alone[history.version_key[sure]]]])
        placed = placed[~self.shown[placed]]
        placed = placed[np.argsort(history.version_key[placed], kind="stable")]
        rest = np.flatnonzero(self.last & ~self.shown)
        rank, open_ = ranked(history, self.txn, placed, rest[~np.isin(rest, placed)])
        warnings = (*self.file.faults.warnings(), _MEANING, *said_open(history, open_))
        return ordered(history, rank, "stated", history.garbage, warnings)
