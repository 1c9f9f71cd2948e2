"""The agreement of the columnar reading can fail: a broken piece in place of a right one shows on a few schedules.

Each mutant is a piece that is subtle: a reduced edge, a bound, a second target, a version that is one's own. The seeds
are those of random schedules on which some mutant shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from columnar_cases import answers, columnar_answers, crowded_schedule, snapshot_schedule
from random_schedules import random_schedule

from toki_verify.events import Schedule
from toki_verify.histories.columnar import (
    agent,
    cycles,
    edges,
    engine,
    events,
    forks,
    graphs,
    index,
    kept_rows,
    levels,
    loops,
    missed,
    observed,
    pivots,
    reads,
    rows,
    stale,
    status,
)
from toki_verify.histories.columnar.arrays import NEVER, Ints, prefix_max
from toki_verify.histories.columnar.edges import Edges, joined
from toki_verify.histories.columnar.graphs import Graph
from toki_verify.histories.columnar.missed import Missed
from toki_verify.histories.columnar.reading import LEVELS, PHENOMENA, Reading

SEEDS = (0, 2, 3, 4, 9, 17, 18, 24, 28, 44, 56, 58, 66, 83, 126, 219, 309)
#: Of runs of a store with snapshots, almost.
SNAPSHOTS = (38, 55, 166, 1348)
#: Of many transactions.
CROWDED = (13, 43)
#: What no random schedule of these seeds shows.
WRITTEN = (
    # A change that is not the last one was observed, and another write of its transaction missed.
    "w1[x1 in P] w1[y1] c1 w2[x2] c2 r3{P: ; x2} r3[y0] c3",
    # As much, where the last change is one's own: ww says it, too, and is no step that an anti-dependency may follow.
    "w1[x1 in P] w1[y1] c1 w2[x2] r2{P: ; x2} r2[y0] c2",
    # One change of two predicates, between a read of the one and of the other.
    "r2{P: ; x0} w1[x1 in P, Q] c1 r2{Q: x1} c2",
    # T3 sees T2 and not T1, that had committed before T2 did anything.
    "b3 w1[x1] c1 w2[y1] c2 r3[x0] r3[y1] c3",
)


@cache
def pool() -> tuple[tuple[Schedule, Mapping[str, bool | None]], ...]:
    found = [random_schedule(seed, 14 if seed % 2 else 30) for seed in SEEDS]
    found += [snapshot_schedule(seed) for seed in SNAPSHOTS]
    found += [crowded_schedule(seed) for seed in CROWDED]
    found += [Schedule.parse(text) for text in WRITTEN]
    return tuple((schedule, answers(schedule)) for schedule in found)


def _stops_at_own(self: edges.ConflictEdges, places: Ints, row: bool) -> tuple[Ints, Ints]:
    """A reader that wrote the next version has no edge to the one behind."""
    first, second = _targets(self, places, row)
    txn = self.index.readers.txn[places]
    own = self.index.slot_txn[np.minimum(self.index.readers.slot[places] + 1, self.index.slots - 1)] == txn
    return np.where(own, -1, first), np.where(own, -1, second)


_targets = edges.ConflictEdges._targets


def _next_whatever(self: status.Status, predicate: Ints, slot: Ints, wanted: Any) -> Ints:
    """The next slot, whether or not its status is the wanted one."""
    last = self.index.item_slots[self.index.slot_item[slot] + 1]
    return np.where(slot + 1 < last, slot + 1, -1)


def _only_begun(self: status.Status) -> Ints:
    """Only slots that match change the status."""
    return np.intersect1d(_changes(self), self.keys)


_changes = status.Status.changes.func  # type: ignore[attr-defined]


def _last_of_its_own(self: edges.ConflictEdges) -> Edges:
    """pwr from the last change or, where that is one's own, from none."""
    readers, of = self.index.readers, self.status.last_change
    places = np.flatnonzero(readers.row > 0)
    slot = of(readers.predicate[places], readers.slot[places])
    kept = (slot >= 0) & (self.index.slot_txn[slot] != readers.txn[places])
    return self._of_accesses(self.index.slot_access[slot[kept]], readers.access[places[kept]])


def _all_but_the_last_part(self: Graph) -> bool:
    return all(part.forward(self.time) for part in self.parts[:-1])


def _by_time(self: Graph) -> Ints:
    return self.time


def _last_seen(reading: Reading, observer: Ints, source: Ints) -> tuple[Ints, Ints, Ints]:
    """pwr from the last change only."""
    pair, place, slot = _changes_seen(reading, observer, source)
    readers = reading.index.readers
    kept = reading.status.last_change(readers.predicate[place], readers.slot[place]) == slot
    return pair[kept], place[kept], slot[kept]


_changes_seen = observed.changes_seen


def _last_before(reading: Reading) -> Graph:
    """pwr from the last change only."""
    return reading.graph(reading.edges.read_dependency, reading.edges.session1)


def _nothing_seen(reading: Reading, observer: Ints, source: Ints) -> tuple[Ints, Ints, Ints]:
    return (np.zeros(0, np.int64),) * 3


def _no_further(reading: Reading, places: Ints, value: Ints, bound: Ints) -> Any:
    """What was missed no further than oneself."""
    return _up_to(reading, places, value, np.minimum(bound, value[reading.index.readers.txn[places]]))


_up_to = missed.up_to


def _own_too(reading: Reading, reader: Ints, slot: Ints) -> Ints:
    """rw edges of reads of one's own version, too."""
    readers = reading.index.readers
    other = reading.index.slot_txn[slot] != readers.txn[reader]
    return np.where(other & (readers.row[reader] < 2), missed.RW, 0) | _kinds(reading, reader, slot)


_kinds = missed.kinds


def _without_alone(reading: Reading, both: Edges, alone: Edges | None = None) -> Graph:
    return _layered(reading, both)


_layered = levels.layered


def _one_layer(reading: Reading, both: Edges, alone: Edges | None = None) -> Graph:
    """Anti-dependencies may follow each other."""
    return reading.graph(joined(both, reading.edges.anti1))


def _whoever(group: Ints, txn: Ints, value: Ints, source: Ints, groups: int) -> tuple[Ints, Ints]:
    """The latest of all earlier sources, one's own too."""
    best = np.full(groups, -1)
    out = np.full(len(group), -1)
    for at in range(len(group)):
        out[at] = best[group[at]]
        if source[at] >= 0:
            best[group[at]] = max(best[group[at]], value[at])
    return out, np.where(out >= 0, 0, -1)


def _never_gone(group: Ints, event: Ints, gone: Ints, write: Ints, groups: int) -> Ints:
    return _standing(group, event, np.full(len(gone), NEVER), write, groups)


_standing = loops.standing


def _by_event(reading: Reading, seen: Ints) -> Ints:
    """A read misses only what stands behind it."""
    return reading.index.event[seen] + 1


def _started_by_all(reading: Reading) -> Graph:
    """Start edges from the end of aborted transactions, too; and dependencies."""
    graph = _started(reading)
    ends = reading.index.end
    one, other = np.nonzero(ends[:, None] <= reading.index.start[None, :] + 1)
    none = np.full(len(one), -1)
    return Graph((*graph.parts, Edges(one, other, none, none)), graph.time)


_started = cycles.started


def _rows_of_any_kind(reading: Reading, part: str) -> Any:
    """Deletes are kept as rows."""
    row = reading.trace.row
    whole = row.copy()
    row[:] = True
    try:
        return _kept_by(reading, part)
    finally:
        row[:] = whole


_kept_by = kept_rows.kept_by


def _single(reading: Reading) -> Any:
    return reading.present("G-single")


def _any_item(self: observed.Earliest, observer: Ints, source: Ints, item: Ints) -> Ints:
    return self.any(observer, source)


def _no_changes(reading: Reading, of: Ints) -> tuple[Ints, Ints, Ints]:
    value, access, places = _seen_changes(reading, of)
    return np.full_like(value, -1), access, places


_seen_changes = reads.seen_changes


def _nowhere(reading: Reading, some: Edges) -> Edges:
    """No edge is inside a component."""
    return some.only(np.zeros(len(some), bool))


def _none(self: Any) -> Any:
    empty = np.zeros(0, np.int64)
    return Edges(empty, empty, empty, empty)


def _not_later(reading: Reading) -> tuple[Ints, Ints]:
    places, least = _earliest(reading)
    return places, np.where(reading.index.row[places], NEVER, least)


_earliest = engine._earliest_missed


def _prefix_of_all(values: Ints, segment: Ints) -> Ints:
    return prefix_max(values, np.zeros_like(segment))


def _last_first(keys: Ints) -> Ints:
    return np.lexsort((-np.arange(len(keys)), keys))


def _as_written(self: index.Index) -> Ints:
    installed = np.flatnonzero(self.rank >= 0)
    return installed[np.argsort(self.version_item[installed], kind="stable")]


def _by_transaction(high: Ints, low: Ints, count: int) -> Ints:
    return np.argsort(high, kind="stable")


def _no_shared(keys: Ints, one: Ints, other: Ints, items: int) -> Any:
    return np.zeros(len(one), bool)


def _same_predicate_only(reading: Reading, one: Ints, other: Ints) -> Any:
    readers = reading.index.readers
    same = readers.predicate[one] == readers.predicate[other]
    return _changed(reading, one[same], other[same])


_changed = rows._changed


def _first_two(self: stale.Stale, piece: Missed, reader: Ints, writer: Ints) -> None:
    """Pairs of anti-dependencies are looked for only where both have one kind."""
    both = piece.kinds == missed.RW
    _both(self, piece.only(both), reader[both], writer[both])


_both = stale.Stale._both


def _never(*_: object) -> bool:
    return False


def _with_itself(partition: Ints, bound: Ints, last: Ints, read: Ints, write: Ints) -> tuple[int, ...] | None:
    """One transaction crosses itself."""
    at = np.flatnonzero(bound <= last)
    return (read[at[0]], write[at[0]], read[at[0]], write[at[0]]) if len(at) else None


_REVERSED = ("target", "source", "target_access", "source_access")
Change = tuple[Any, str, Any]
MUTANTS: Mapping[str, tuple[Change, ...]] = {
    "rw1 stops at the reader's own version": ((edges.ConflictEdges, "_targets", _stops_at_own),),
    "prw1 to the next slot, whatever its status": ((status.Status, "next_slot", _next_whatever),),
    "only what matches changes the status": ((status.Status, "changes", property(_only_begun)),),
    "pwr1 from none where the last change is one's own": ((edges.ConflictEdges, "pwr1", property(_last_of_its_own)),),
    "no pwr": ((edges.ConflictEdges, "pwr1", property(_none)),),
    "no sessions": ((edges.ConflictEdges, "session1", property(_none)),),
    "one target of each reader in closed walks": ((edges.ConflictEdges, "anti2", property(lambda self: self.anti1)),),
    "the last part of a graph is not looked at": ((Graph, "forward", property(_all_but_the_last_part)),),
    "places are times": ((Graph, "places", property(_by_time)),),
    "pwr from the last change alone is all that was observed": ((stale, "changes_seen", _last_seen),),
    "pwr from the last change alone is all that happens before": ((stale, "happens_before", _last_before),),
    "long fork: rows observe nothing": ((forks, "changes_seen", _nothing_seen),),
    "long fork: both anti-dependencies go back": ((forks, "up_to", _no_further),),
    "one misses behind one's own version": ((missed, "kinds", _own_too),),
    "ww is no step of prefix consistency": ((levels, "layered", _without_alone),),
    "anti-dependencies may follow each other": ((levels, "layered", _one_layer),),
    "an earlier write of one's own is open": ((events, "latest_other", _whoever),),
    "a change of one's own is depended on": ((reads, "latest_other", _whoever),),
    "what was taken back stands": ((engine, "standing", _never_gone),),
    "a lifted read misses only what stands behind it": ((agent, "_bounds", _by_event),),
    "aborted transactions have start edges": ((cycles, "started", _started_by_all),),
    "deletes are kept": ((kept_rows, "kept_by", _rows_of_any_kind),),
    "every single cycle is a non-monotonic view": ((PHENOMENA, "G-monotonic", _single),),
    "the two items of read skew may be one": ((observed.Earliest, "on_other_item", _any_item),),
    "pwr does not count for interference": ((reads, "seen_changes", _no_changes),),
    "nothing was observed": ((stale, "inside", _nowhere),),
    "engine: rows miss nothing": ((engine, "_earliest_missed", _not_later),),
    "greatest values over all items": ((reads, "prefix_max", _prefix_of_all),),
    "accesses of an item from the last one on": ((index, "ordered", _last_first),),
    "slots in the order of the writes": ((index.Index, "slot_version", property(_as_written)),),
    "accesses by transaction alone": ((index, "ordered_pairs", _by_transaction),),
    "writers of one row are concurrent, too": ((agent, "_shares", _no_shared),),
    "PMP of one predicate only": ((rows, "_changed", _same_predicate_only),),
    "no skew through predicates": ((stale.Stale, "_both", _first_two),),
    "engine: nothing is torn": ((engine, "_torn", _never),),
    "engine: nothing hides a change made too late": ((engine, "_hidden_late", _never),),
    "engine: nothing is overwritten too late": ((engine, "_overwritten_late", _never),),
    "engine: nothing is seen too late": ((engine, "_too_late", _never),),
    "engine: no structure is dangerous": ((engine, "_dangerous", _never),),
    "engine: writes stand in any order": ((engine, "in_order", lambda reading: True),),
    "writers may have a cycle": (
        (pivots, "writers_only", lambda reading: reading.graph(reading.edges.session1.only([]))),
    ),
    "lifted: the last write after the bound is not one's own": ((agent, "_crossing", _with_itself),),
    "snapshot needs no RC": ((LEVELS, "graph:SI", levels.snapshot),),
    "edges of graphs are reversed": (
        (graphs, "joined", lambda *parts: Edges(*(getattr(joined(*parts), n) for n in _REVERSED))),
    ),
}


def differs(name: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[Schedule, Mapping[str, bool | None]], bool]:
    for owner, attribute, replacement in MUTANTS[name]:
        if isinstance(owner, dict):
            monkeypatch.setitem(owner, attribute, replacement)
        else:
            monkeypatch.setattr(owner, attribute, replacement)

    def run(schedule: Schedule, right: Mapping[str, bool | None]) -> bool:
        try:
            return columnar_answers(schedule) != right
        except (IndexError, ValueError):
            return True  # a broken piece may also fall over

    return run


def test_the_right_pieces_agree_on_these_schedules() -> None:
    for schedule, right in pool():
        assert columnar_answers(schedule) == right


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = differs(name, monkeypatch)
    assert any(run(schedule, right) for schedule, right in pool())
