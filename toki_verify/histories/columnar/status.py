"""Match status of slots, per predicate: which match, which change it, and what comes next.

Keys are `predicate * slots + slot`. Only slots that match have a key, so all is linear in the matches of the trace.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .arrays import Bools, Ints, distinct, find, full, ints, wide
from .index import Index


class Status:
    """The match status of every slot."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.size = max(index.slots, 1)

    @cached_property
    def keys(self) -> Ints:
        """The keys of slots that match, sorted: (K,)."""
        first = ints(self.index.trace.first_match)
        version = np.repeat(np.arange(len(first) - 1), np.diff(first))
        slot = self.index.slot_of[version]
        kept = slot >= 0
        return distinct(wide(self.index.trace.matches)[kept] * self.size + slot[kept])

    @cached_property
    def _run_end(self) -> Ints:
        """For each key the last key of its run: slots of one item, one behind the other, that all match."""
        keys, item = self.keys, self.index.slot_item
        slot = keys % self.size
        if not len(keys):
            return keys
        broken = np.append((keys[1:] != keys[:-1] + 1) | (item[slot[1:]] != item[slot[:-1]]), True)
        ends = np.flatnonzero(broken)
        return keys[ends[np.searchsorted(ends, np.arange(len(keys)))]]

    def matching(self, predicate: Ints, slot: Ints) -> Bools:
        """Whether slots match predicates."""
        return find(self.keys, wide(predicate) * self.size + slot)[1]

    def next_slot(self, predicate: Ints, slot: Ints, wanted: Bools) -> Ints:
        """The first later slot of the same item with the wanted status (True: matches); -1 where there is none."""
        keys = self.keys
        last = self.index.item_slots[self.index.slot_item[slot] + 1]
        base = wide(predicate) * self.size
        if not len(keys):
            return np.where(~wanted & (slot + 1 < last), slot + 1, -1)
        at = np.searchsorted(keys, base + slot, side="right")
        matched = np.where(at < len(keys), keys[np.minimum(at, len(keys) - 1)] - base, last)
        # The next slot itself, unless it matches: then the one behind its run.
        at, there = find(keys, base + slot + 1)
        unmatched = np.where(there, self._run_end[np.minimum(at, len(keys) - 1)] - base + 1, slot + 1)
        chosen = np.where(wanted, matched, unmatched)
        return np.where(chosen < last, chosen, -1)

    @cached_property
    def changes(self) -> Ints:
        """The keys of slots whose status is not their predecessor's (`changes_match`; no initial version), sorted."""
        item, keys = self.index.slot_item, self.keys
        if not len(keys):
            return keys
        first = self.index.item_slots
        slot = ints(keys % self.size)
        begins = keys[(slot > first[item[slot]]) & ~find(keys, keys - 1)[1]]
        # A run cannot reach over the end of an item: `find(keys, keys - 1)` of its first slot is not asked.
        behind = distinct(self._run_end) + 1
        before = (behind - 1) % self.size
        ends = behind[before + 1 < first[item[before] + 1]]
        return np.sort(np.concatenate([begins, ends]))

    def last_change(self, predicate: Ints, slot: Ints) -> Ints:
        """The last slot up to this one that changed the status, -1 where there is none."""
        changes = self.changes
        if not len(changes):
            return full(len(slot), -1)
        base = wide(predicate) * self.size
        at = np.searchsorted(changes, base + slot, side="right") - 1
        chosen = np.where(at >= 0, changes[np.maximum(at, 0)] - base, -1)
        return np.where(chosen >= self.index.item_slots[self.index.slot_item[slot]], chosen, -1)
