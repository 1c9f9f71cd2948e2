"""Printing schedules: canonical text that reads back as the same schedule (NOTATION)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

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
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    Write,
)
from ..events.limits import NAME_LENGTH
from ..events.names import normal_name
from ..events.values import JsonText, json_value
from .jsontext import NUMBER
from .names import CLAUSES, is_plain, item_text, name_text, predicate_text, quoted, txn_text, version_text
from .single_version import predicates_of

WIDTH = 100
Partitions = Mapping[Item, Partition]


def value_text(value: JsonText) -> str:
    """A value as printed: a string as a bare word where that reads back as the same string."""
    plain = json_value(value)
    if isinstance(plain, str):
        bare = is_plain(plain) and plain not in CLAUSES and plain not in ("true", "false", "null")
        # A bare word is read as names are: in NFC and within their limit.
        same = normal_name(plain) == plain and len(plain) <= NAME_LENGTH
        return plain if bare and same and not NUMBER.fullmatch(plain) else quoted(plain)
    return value


def event_text(event: Event, partitions: Partitions, predicates: Container[Predicate] = ()) -> str:
    """One event in canonical notation. Times, unknown keys and the structure of θ are only in JSON.

    `predicates` are those of the whole schedule: a bare read of an item that is called like one is quoted.
    """
    txn = txn_text(event.txn)
    if isinstance(event, (Begin, Commit, Abort)):
        return f"{event.op}{txn}"
    if isinstance(event, Read):
        version = version_text(event.item, event.version, partitions.get(event.item))
        if (
            event.version is None
            and event.value is None
            and event.item not in partitions
            and Predicate(*event.item) in predicates
        ):
            version = version_text(event.item, None, force_quotes=True)
        return f"r{txn}[{version}{_stated(event.value)}]"
    if isinstance(event, Write):
        return f"w{txn}[{_write(event, partitions)}]"
    if isinstance(event, PredicateRead):
        return f"r{txn}{{{predicate_text(event.predicate)}:{_rows(event, partitions)}}}"
    if isinstance(event, Judge):
        return f"j{txn}({name_text(event.reads)}, {theta_name(event.theta)}){_stated(event.vote)}"
    assert isinstance(event, Callback)
    return f"cb{txn}({name_text(event.reads)}, {name_text(event.request)}, {event.winner})"


def theta_name(theta: JsonText) -> str:
    """θ as printed: its name, or for a decoder tuple its JSON text as a quoted name."""
    plain = json_value(theta)
    return name_text(plain) if isinstance(plain, str) else quoted(theta)


def _stated(value: JsonText | None) -> str:
    return "" if value is None else f"={value_text(value)}"


def _write(event: Write, partitions: Partitions) -> str:
    text = event.kind.value + version_text(event.item, event.version, partitions.get(event.item)) + _stated(event.value)
    if event.predicates:
        text += " in " + ", ".join(map(name_text, event.predicates))
    if event.prov is not None:
        text += f" prov {event.prov}"
    if event.operator is not None:
        text += f" by {event.operator}"
    return text


def _rows(event: PredicateRead, partitions: Partitions) -> str:
    def listed(rows: Iterable[Row]) -> list[str]:
        return [version_text(row.item, row.version, partitions.get(row.item), with_table=False) for row in rows]

    matched, unmatched = listed(event.matched), listed(event.unmatched)
    if event.partial:
        (unmatched if unmatched else matched).append("...")
    text = " " + ", ".join(matched) if matched else ""
    return text + ("; " + ", ".join(unmatched) if unmatched else "")


def wrapped(words: Iterable[str], indent: str = "") -> list[str]:
    """Words set in lines of at most WIDTH characters, where they fit."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += " " + word
        else:
            lines.append(indent + word)
    return lines


def expectation_text(expectation: Expectation) -> str:
    """An `expect` line without its keyword."""
    head = {"present": "", "absent": "not "}.get(expectation.kind)
    if head is None:
        head = "level " if expectation.family is None else f"level[{expectation.family}] "
    return head + " ".join(expectation.names)


def keyword_lines(schedule: Schedule) -> tuple[list[str], list[str]]:
    """The keyword lines that stand before the events, and those behind."""
    partitions = schedule.partitions
    before: list[str] = []
    for line in (schedule.source or "").split("\n"):
        if line:
            before.append(f"source {line}")
    for item, initial in schedule.init.items():
        text = version_text(item, INITIAL, partitions.get(item)) + _stated(initial.value)
        if initial.predicates:
            text += " in " + ", ".join(map(name_text, initial.predicates))
        if initial.prov is not None:
            text += f" prov {initial.prov}"
        before.append(f"init {text}")
    for item, labels in schedule.order.items():
        from .names import label_text

        before.append(" ".join([f"order {item_text(item, partitions.get(item))}: 0", *map(label_text, labels)]))
    for session, txns in schedule.sessions.items():
        name = session if session.isdigit() and session.isascii() else name_text(session)
        before.append(" ".join([f"session {name}:", *map(txn_text, txns)]))
    if schedule.surface:
        parts = [part.part + (f":{name_text(part.table)}" if part.table else "") for part in schedule.surface]
        before.append("surface " + " ".join(parts))
    after = [f"expect {expectation_text(expectation)}" for expectation in schedule.expect]
    after += [f"note {line}" for line in (schedule.note or "").split("\n") if line]
    return before, after


def print_events(schedule: Schedule) -> str:
    """The events alone, on one line."""
    predicates = predicates_of(schedule.events, schedule.init)
    return " ".join(event_text(event, schedule.partitions, predicates) for event in schedule.events)


def print_schedule(schedule: Schedule) -> str:
    """The schedule as it stands in a `.sched` file, with a final newline."""
    before, after = keyword_lines(schedule)
    indent = "  " if schedule.name is not None else ""
    predicates = predicates_of(schedule.events, schedule.init)
    events = wrapped((event_text(event, schedule.partitions, predicates) for event in schedule.events), indent)
    lines = [indent + line for line in before] + events + [indent + line for line in after]
    if schedule.name is not None:
        lines.insert(0, f"schedule {name_text(schedule.name)}")
    return "\n".join(lines) + "\n"
