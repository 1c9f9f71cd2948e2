"""Berenson's `r1[P]`: a predicate read that matches by the single-version rule, written out as `r1{P: …; …}`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..events import INITIAL, Abort, Event, InitialVersion, Item, Predicate, PredicateRead, Read, Row, Write


def predicates_of(events: Iterable[Event], init: Mapping[Item, InitialVersion]) -> set[Predicate]:
    """The predicates that occur in a schedule: a bare `r1[P]` of one of them is a predicate read."""
    found: set[Predicate] = set()
    for event in events:
        if isinstance(event, PredicateRead):
            found.add(event.predicate)
        elif isinstance(event, Write):
            found.update(Predicate(event.item.table, name) for name in event.predicates)
    for item, initial in init.items():
        found.update(Predicate(item.table, name) for name in initial.predicates)
    return found


def unfolded(events: list[Event], bare: set[int], init: Mapping[Item, InitialVersion]) -> int:
    """How many rows the predicate reads at `bare` list when they are written out."""
    rows = _rows(events, bare, init)
    return sum(
        len(rows.get(event.item.table, ()))
        for index, event in enumerate(events)
        if index in bare and isinstance(event, Read)
    )


def as_predicate_reads(events: list[Event], bare: set[int], init: Mapping[Item, InitialVersion]) -> list[Event]:
    """The events with the reads at `bare` replaced by predicate reads of what a single-version store shows then."""
    rows = _rows(events, bare, init)
    initial = {(item, name) for item, version in init.items() for name in version.predicates}
    for event, written in _walk(events):
        if isinstance(event, PredicateRead):
            initial |= {
                (row.item, event.predicate.name)
                for row in event.matched
                if row.version == INITIAL or (row.version is None and not written.get(row.item))
            }
    out: list[Event] = []
    for index, (event, written) in enumerate(_walk(events)):
        if isinstance(event, Read) and index in bare:
            predicate = Predicate(*event.item)
            event = PredicateRead(event.txn, predicate, *_seen(predicate, rows, written, initial))
        out.append(event)
    return out


def _rows(events: list[Event], bare: set[int], init: Mapping[Item, InitialVersion]) -> dict[str, dict[Item, None]]:
    """The rows of each table, in the order in which they are mentioned."""
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
    return rows


def _walk(events: list[Event]) -> Iterator[tuple[Event, Mapping[Item, list[Write]]]]:
    """Each event with the writes before it whose transactions have not aborted before it."""
    written: dict[Item, list[Write]] = {}
    for event in events:
        yield event, written
        if isinstance(event, Abort):
            for item, writes in written.items():
                written[item] = [write for write in writes if write.txn != event.txn]
        elif isinstance(event, Write):
            written.setdefault(event.item, []).append(event)


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
