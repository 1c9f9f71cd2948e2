"""What each base relation means over an unknown schedule: one small method per name of `base.VOCABULARY`.

This is reading 2 (SEMANTICS §5), and, with lanes for Booleans, the reading of the census. `meaning.py` says the same
of one schedule; `tests/agreement/test_bounded.py` holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .base import VOCABULARY
from .booleans import Booleans
from .bounded_recovery import dominated_by, facts, kept
from .formulas import Region
from .symbolic import Matrix
from .unknown import INITIAL_VERSION, Unknown, Values


class Place(NamedTuple):
    """Where an access may be: a slot and an item; an initial version has no slot, a judge call no item."""

    slot: int
    item: int


_NOWHERE = -1


class Bounded:
    """Matrices of every base relation over the accesses that an unknown schedule may have."""

    def __init__(self, unknown: Unknown, region: Region | None = None) -> None:
        self.unknown, self.booleans = unknown, unknown.booleans
        self.txns = unknown.txns
        self.region = region
        self.places: list[Place] = []
        self.txn_of: list[int] = []
        #: Per letter of `base.py`: the accesses that may be of this kind, with the truth of it.
        self.kinds: dict[str, Values] = {letter: {} for letter in "IRWMNJK"}
        self._exists: Values = {}
        inside = [self._inside(item) for item in range(unknown.items)]
        both = self.booleans.both
        for item in range(unknown.items):
            self._add(Place(_NOWHERE, item), {"I": both(unknown.present[item], inside[item])})
        for slot in range(len(unknown.txn_of)):
            for item in range(unknown.items):
                found = {
                    letter: both(table[slot].get(item, 0), inside[item])
                    for letter, table in (
                        ("R", unknown.read),
                        ("W", unknown.write),
                        ("M", unknown.matched),
                        ("N", unknown.unmatched),
                    )
                }
                self._add(Place(slot, item), found)
            self._add(Place(slot, _NOWHERE), {"J": unknown.judge[slot], "K": unknown.callback[slot]})
        self.access_at = {place: access for access, place in enumerate(self.places)}

    def _inside(self, item: int) -> int:
        unknown, region, booleans = self.unknown, self.region, self.booleans
        found = booleans.true
        if region is not None and region.table is not None:
            names = unknown.tables
            found = unknown.table[item].get(names.index(region.table), 0) if region.table in names else 0
        if region is not None and region.partition is not None:
            labels = unknown.partitions
            known = region.partition in labels
            held = unknown.partition[item].get(labels.index(region.partition), 0) if known else 0
            found = booleans.both(found, held)
        return found

    def _add(self, place: Place, kinds: dict[str, int]) -> None:
        exists = self.booleans.any(kinds.values())
        if not exists:
            return
        access = len(self.places)
        self.places.append(place)
        self.txn_of.append(-1 if place.slot == _NOWHERE else self.unknown.txn_of[place.slot])
        self._exists[access] = exists
        for letter, value in kinds.items():
            if value:
                self.kinds[letter][access] = value

    def within(self, region: Region) -> Bounded:
        """The same schedule with only the accesses of a region."""
        return Bounded(self.unknown, region)

    def exists(self) -> Values:
        """For every access that may exist, whether it does."""
        return self._exists

    def matrix(self, name: str) -> Matrix:
        """The matrix of a base relation; a set is a part of the diagonal."""
        if name in VOCABULARY and VOCABULARY[name][1]:
            members: Callable[[], Values] = getattr(self, name)
            return {access: {access: value} for access, value in members().items() if value}
        relation: Callable[[], Matrix] = getattr(self, name)
        return relation()

    # -- sets --------------------------------------------------------------------------------------------------------
    def _of_kind(self, letters: str) -> Values:
        """Accesses of one of several kinds; an access of two kinds is never both."""
        out: Values = {}
        for letter in letters:
            for access, value in self.kinds[letter].items():
                out[access] = self.booleans.either(out.get(access, 0), value)
        return out

    def item_read(self) -> Values:
        return self._of_kind("RM")

    def matched(self) -> Values:
        return self.kinds["M"]

    def unmatched(self) -> Values:
        return self.kinds["N"]

    def write(self) -> Values:
        return self.kinds["W"]

    def initial(self) -> Values:
        return self.kinds["I"]

    def judge(self) -> Values:
        return self.kinds["J"]

    def callback(self) -> Values:
        return self.kinds["K"]

    def _by_txn(self, truth: list[int], of_initial: int) -> Values:
        both, txn_of = self.booleans.both, self.txn_of
        return {
            access: both(value, of_initial if txn_of[access] < 0 else truth[txn_of[access]])
            for access, value in self._exists.items()
        }

    def committed(self) -> Values:
        return self._by_txn(self.unknown.committed, self.booleans.true)

    def aborted(self) -> Values:
        return self._by_txn(self.unknown.aborted, 0)

    def final(self) -> Values:
        return self._versions(self.unknown.final)

    def installed(self) -> Values:
        return self._versions(self.unknown.installed)

    def _versions(self, test: Callable[[int, int], int]) -> Values:
        out = dict(self.kinds["I"])
        for access, value in self.kinds["W"].items():
            out[access] = self.booleans.both(value, test(*self.places[access]))
        return out

    def by_await(self) -> Values:
        return {
            access: self.booleans.both(value, self.unknown.by_await[self.places[access].slot])
            for access, value in self.kinds["W"].items()
        }

    def log_fill(self) -> Values:
        log_fill = self.unknown.log_fill
        return {
            access: self.booleans.both(value, log_fill[self.places[access].slot])
            for access, value in self.kinds["J"].items()
        }

    def partition_final(self) -> Values:
        unknown, booleans = self.unknown, self.booleans
        out: Values = {}
        for access, value in self.kinds["W"].items():
            slot, item = self.places[access]
            mine = unknown.partition[item]
            again = [
                booleans.both(self.kinds["W"][other], unknown.same(mine, unknown.partition[self.places[other].item]))
                for later in unknown.later_own(slot)
                for other in (self.access_at.get(Place(later, it), -1) for it in range(unknown.items))
                if other in self.kinds["W"]
            ]
            truth = [value, unknown.committed[unknown.txn_of[slot]], booleans.any(mine.values())]
            out[access] = booleans.all([*truth, booleans.negate(booleans.any(again))])
        return out

    def writer(self) -> Values:
        unknown = self.unknown
        return {
            txn: unknown.union(value for slot in slots for value in unknown.write[slot].values())
            for txn, slots in enumerate(unknown.slots_of)
        }

    def of_txn(self) -> Matrix:
        return {
            access: {self.txn_of[access]: value} for access, value in self._exists.items() if self.txn_of[access] >= 0
        }

    # -- what is left when the schedule is over ------------------------------------------------------------------------
    def fact(self) -> Values:
        return facts(self)

    def kept_current(self) -> Values:
        return kept(self, "current")

    def kept_closed(self) -> Values:
        return kept(self, "closed")

    def kept_history(self) -> Values:
        return kept(self, "history")

    def kept_audit(self) -> Values:
        return kept(self, "audit")

    def dominated_by(self) -> Matrix:
        return dominated_by(self)

    # -- pairs of accesses ---------------------------------------------------------------------------------------------
    def pairs(self, left: Values, right: Values, test: Callable[[int, int], int]) -> Matrix:
        """Accesses of the one and of the other set of which the test holds."""
        both = self.booleans.both
        out: Matrix = {}
        for i, one in left.items():
            row = {}
            for j, other in right.items():
                value = test(i, j)
                if value:
                    value = both(value, one if i == j else both(one, other))
                    if value:
                        row[j] = value
            if row:
                out[i] = row
        return out

    def _same(self, test: Callable[[int, int], int]) -> Matrix:
        return self.pairs(self._exists, self._exists, test)

    def same_txn(self) -> Matrix:
        txn_of, true = self.txn_of, self.booleans.true
        return self._same(lambda i, j: true if txn_of[i] == txn_of[j] else 0)

    def same_item(self) -> Matrix:
        places, true = self.places, self.booleans.true
        return self._same(lambda i, j: true if places[i].item == places[j].item != _NOWHERE else 0)

    def same_event(self) -> Matrix:
        places, true = self.places, self.booleans.true
        return self._same(lambda i, j: true if i == j or places[i].slot == places[j].slot != _NOWHERE else 0)

    def same_partition(self) -> Matrix:
        unknown, places = self.unknown, self.places
        labels = unknown.partition

        def test(i: int, j: int) -> int:
            one, other = places[i].item, places[j].item
            return 0 if _NOWHERE in (one, other) else unknown.same(labels[one], labels[other])

        return self._same(test)

    def same_predicate(self) -> Matrix:
        rows = self._of_kind("MN")
        return self.pairs(rows, rows, self._by_slot(self.unknown.predicate, self.unknown.same))

    def _by_slot(
        self, table: list[Values], test: Callable[[Values, Values], int], *, apart: bool = False
    ) -> Callable[[int, int], int]:
        places = self.places
        return lambda i, j: 0 if apart and i == j else test(table[places[i].slot], table[places[j].slot])

    def same_key(self) -> Matrix:
        calls = self.kinds["J"]
        return self.pairs(calls, calls, self._by_slot(self.unknown.key, self.unknown.same))

    def other_vote(self) -> Matrix:
        calls = self.kinds["J"]
        return self.pairs(calls, calls, self._by_slot(self.unknown.vote, self.unknown.differ, apart=True))

    def unknown_vote(self) -> Matrix:
        booleans = self.booleans

        def silent(one: Values, other: Values) -> int:
            return booleans.negate(booleans.both(booleans.any(one.values()), booleans.any(other.values())))

        calls = self.kinds["J"]
        return self.pairs(calls, calls, self._by_slot(self.unknown.vote, silent, apart=True))

    # -- order ---------------------------------------------------------------------------------------------------------
    def _before(self, test: Callable[[int, int], int]) -> Matrix:
        """An initial version stands before every event; otherwise what the test says of two slots."""
        places, true = self.places, self.booleans.true

        def found(i: int, j: int) -> int:
            one, other = places[i].slot, places[j].slot
            return 0 if other == _NOWHERE else true if one == _NOWHERE else test(one, other)

        return self._same(found)

    def before(self) -> Matrix:
        return self._before(lambda one, other: self.unknown.before[one][other])

    def ended_before(self) -> Matrix:
        return self._before(lambda one, other: self.unknown.end_before[self.unknown.txn_of[one]][other])

    def committed_before(self) -> Matrix:
        unknown = self.unknown

        def test(one: int, other: int) -> int:
            txn = unknown.txn_of[one]
            return self.booleans.both(unknown.committed[txn], unknown.end_before[txn][other])

        return self._before(test)

    # -- versions ------------------------------------------------------------------------------------------------------
    def _from(self, letters: str) -> Matrix:
        out: Matrix = {}
        for access, value in self._of_kind(letters).items():
            slot, item = self.places[access]
            for source, seen in self.unknown.seen[slot].get(item, {}).items():
                place = Place(_NOWHERE if source == INITIAL_VERSION else source, item)
                version = self.access_at.get(place)
                truth = self.booleans.both(value, seen)
                if version is not None and truth:
                    out.setdefault(version, {})[access] = truth
        return out

    def reads_from(self) -> Matrix:
        return self._from("RM")

    def row_from(self) -> Matrix:
        return self._from("MN")

    def version_order(self) -> Matrix:
        unknown, places, true = self.unknown, self.places, self.booleans.true
        installed = {access: value for access, value in self.installed().items() if value}

        def test(i: int, j: int) -> int:
            one, other = places[i], places[j]
            if one.item != other.item or other.slot == _NOWHERE:
                return 0
            return true if one.slot == _NOWHERE else unknown.order.get((one.slot, other.slot), 0)

        return self.pairs(installed, installed, test)

    def matches(self) -> Matrix:
        unknown, places = self.unknown, self.places
        versions = {**self.kinds["I"], **self.kinds["W"]}

        def test(i: int, j: int) -> int:
            row, version = places[i], places[j]
            if row.item != version.item:
                return 0
            of = unknown.initial_matches[row.item] if version.slot == _NOWHERE else unknown.in_predicate[version.slot]
            return unknown.same(unknown.predicate[row.slot], of)

        return self.pairs(self._of_kind("MN"), versions, test)

    # -- transactions --------------------------------------------------------------------------------------------------
    def _txn_pairs(self, test: Callable[[int, int], int]) -> Matrix:
        out: Matrix = {}
        for one in range(self.txns):
            row = {other: value for other in range(self.txns) if other != one and (value := test(one, other))}
            if row:
                out[one] = row
        return out

    def session(self) -> Matrix:
        both, unknown = self.booleans.both, self.unknown

        def test(one: int, other: int) -> int:
            truth = unknown.session.get((one, other), 0)
            return both(truth, both(unknown.committed[one], unknown.committed[other]))

        return self._txn_pairs(test)

    def _over(self, one: int, other: int) -> int:
        """Transaction one ended before the first event of the other."""
        return self.unknown.end_before[one][self.unknown.slots_of[other][0]]

    def start(self) -> Matrix:
        committed, every = self.unknown.committed, self.booleans.all
        return self._txn_pairs(lambda one, other: every((committed[one], committed[other], self._over(one, other))))

    def concurrent(self) -> Matrix:
        negate, both = self.booleans.negate, self.booleans.both
        return self._txn_pairs(lambda one, other: both(negate(self._over(one, other)), negate(self._over(other, one))))


__all__ = ["Booleans", "Bounded", "Place"]
