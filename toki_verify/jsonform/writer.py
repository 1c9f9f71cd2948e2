"""Schedule -> JSON objects (NOTATION, "JSON"). Key order is fixed, so output is stable."""

from __future__ import annotations

from typing import Any

from ..events import (
    INITIAL,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Expectation,
    Item,
    Judge,
    Partition,
    PredicateRead,
    Read,
    Row,
    Schedule,
    Write,
    WriteKind,
)
from ..events.values import json_value
from ..notation.names import item_text, partition_text

FORMAT = "toki-schedule/1"
Json = dict[str, Any]


def event_object(event: Event, partitions: dict[Item, Partition] | None = None) -> Json:
    """One event as a JSON object."""
    known = partitions or {}
    out: Json = {}
    if event.time is not None:
        out["t"] = json_value(event.time)
    out["op"] = event.op
    out["txn"] = event.txn
    if isinstance(event, (Read, Write)):
        out.update(_item(event.item, event.version, known))
        if event.value is not None:
            out["value"] = json_value(event.value)
    if isinstance(event, Write):
        if event.predicates:
            out["predicates"] = list(event.predicates)
        if event.kind is not WriteKind.UPDATE:
            out["insert" if event.kind is WriteKind.INSERT else "delete"] = True
        if event.prov is not None:
            out["prov"] = event.prov
        if event.operator is not None:
            out["operator"] = event.operator
    elif isinstance(event, PredicateRead):
        out["table"] = event.predicate.table
        out["predicate"] = event.predicate.name
        out["matched"] = [_row(row, known) for row in event.matched]
        if event.unmatched:
            out["unmatched"] = [_row(row, known) for row in event.unmatched]
        if event.partial:
            out["partial"] = True
    elif isinstance(event, Judge):
        out["R"] = event.reads
        out["theta"] = json_value(event.theta)
        if event.vote is not None:
            out["vote"] = json_value(event.vote)
    elif isinstance(event, Callback):
        out.update({"R": event.reads, "h": event.request, "k": event.winner})
    else:
        assert isinstance(event, (Begin, Commit, Abort, Read, Write))
    out.update((key, json_value(value)) for key, value in event.extra)
    return out


def _item(item: Item, version: str | None, partitions: dict[Item, Partition]) -> Json:
    out: Json = {"table": item.table, "item": item.name}
    if version is not None:
        out["version"] = version
    if item in partitions:
        out["partition"] = partition_text(partitions[item])
    return out


def _row(row: Row, partitions: dict[Item, Partition]) -> Json:
    out = _item(row.item, row.version, partitions)
    del out["table"]
    out.update((key, json_value(value)) for key, value in row.extra)
    return out


def expectation_object(expectation: Expectation) -> Json:
    """An `expect` line as a JSON object."""
    out: Json = {expectation.kind: list(expectation.names)}
    if expectation.family is not None:
        out["family"] = expectation.family
    return out


def schedule_object(schedule: Schedule, *, file: str | None = None, line: int | None = None) -> Json:
    """A schedule as the JSON object that the reader takes back."""
    partitions = dict(schedule.partitions)
    out: Json = {"format": FORMAT}
    for key, value in (
        ("schedule", schedule.name),
        ("file", file),
        ("line", line),
        ("source", schedule.source),
        ("note", schedule.note),
    ):
        if value is not None:
            out[key] = value
    if schedule.init:
        out["init"] = {}
        for item, initial in schedule.init.items():
            entry: Json = {}
            if initial.value is not None:
                entry["value"] = json_value(initial.value)
            if initial.predicates:
                entry["predicates"] = list(initial.predicates)
            if initial.prov is not None:
                entry["prov"] = initial.prov
            out["init"][item_text(item, partitions.get(item))] = entry
    if schedule.order:
        out["order"] = {
            item_text(item, partitions.get(item)): [INITIAL, *labels] for item, labels in schedule.order.items()
        }
    if schedule.sessions:
        out["sessions"] = {session: list(txns) for session, txns in schedule.sessions.items()}
    if schedule.surface:
        out["surface"] = [part.part + (f":{part.table}" if part.table else "") for part in schedule.surface]
    out["events"] = [event_object(event, partitions) for event in schedule.events]
    if schedule.expect:
        out["expect"] = [expectation_object(expectation) for expectation in schedule.expect]
    out.update((key, json_value(value)) for key, value in schedule.extra)
    return out


def trace_objects(schedule: Schedule) -> list[Json]:
    """The events as the lines of a trace; the session of a transaction stands on each of its events."""
    partitions = dict(schedule.partitions)
    session = {txn: name for name, txns in schedule.sessions.items() for txn in txns}
    out = []
    for event in schedule.events:
        entry = event_object(event, partitions)
        if event.txn in session:
            entry["session"] = session[event.txn]
        out.append(entry)
    return out
