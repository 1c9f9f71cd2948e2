"""Berenson's `r1[P]`: a predicate read that matches by the single-version rule, written out as `r1{P: …; …}`."""

from __future__ import annotations

from collections.abc import Mapping

from ..events import INITIAL, Abort, Event, InitialVersion, Item, Predicate, PredicateRead, Read, Row, Write


def as_predicate_reads(
    events: list[Event], bare: set[int], init: Mapping[Item, InitialVersion]
) -> list[Event]:
    """The events with the reads at `bare` replaced by predicate reads of what a single-version store shows then."""
    rows: dict[str, dict[Item, None]] = {}

    def know(item: Item) -> None:
        rows.setdefault(item.table, {})[item] = None

    for item in init:
        know(item)
    for index, event in enumerate(events):
        if isinstance(event, Write) or (isinstance(event, Read) and index not in bare):
            know(event.item)
        elif isinstance(event, PredicateRead):
            for row in (*event.matched, *event.unmatched):
                know(row.item)
    initial = {(item, name) for item, version in init.items() for name in version.predicates}
    initial |= {(row.item, event.predicate.name) for event in events if isinstance(event, PredicateRead)
                for row in event.matched if row.version == INITIAL}
    out: list[Event] = []
    written: dict[Item, list[Write]] = {}
    for index, event in enumerate(events):
        if isinstance(event, Abort):
            for item, writes in written.items():
                written[item] = [write for write in writes if write.txn != event.txn]
        elif isinstance(event, Write):
            written.setdefault(event.item, []).append(event)
        elif isinstance(event, Read) and index in bare:
            predicate = Predicate(*event.item)
            event = PredicateRead(event.txn, predicate, *_seen(predicate, rows, written, initial))
        out.append(event)
    return out


def _seen(
    predicate: Predicate,
    rows: Mapping[str, Mapping[Item, None]],
    written: Mapping[Item, list[Write]],
    initial: set[tuple[Item, str]],
) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    matched: list[Row] = []
    unmatched: list[Row] = []
    for item in rows.get(predicate.table, {}):
        latest = written.get(item) or []
        if latest:
            matches, label = latest[-1].matches(predicate), latest[-1].version
        else:
            matches, label = (item, predicate.name) in initial, INITIAL
        (matched if matches else unmatched).append(Row(item, label))
    return tuple(matched), tuple(unmatched)
