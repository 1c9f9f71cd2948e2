"""What predicate reads saw, row by row (SEMANTICS §1, Predicates)."""

from __future__ import annotations

from .kinds import Event, Item, Predicate, PredicateRead, Write
from .limits import ACCESSES
from .problems import Problem
from .resolve import INIT, Resolved, RowSeen


def resolve_rows(events: tuple[Event, ...], out: Resolved) -> list[Problem]:
    """Check the listed rows of every predicate read and add the rows it does not list."""
    problems: list[Problem] = []
    by_table: dict[str, list[Item]] = {}
    for item in out.items:
        by_table.setdefault(item.table, []).append(item)
    accesses = (
        len(events)
        + len(out.items)
        + sum(
            len(event.matched) + len(event.unmatched) if event.partial else len(by_table.get(event.predicate.table, ()))
            for event in events
            if isinstance(event, PredicateRead)
        )
    )
    if accesses > ACCESSES:
        what = f"the events unfold to {accesses} accesses, counting every row that a predicate read sees and every item"
        return [Problem(what, f"at most {ACCESSES}", "limit-accesses")]
    for position, event in enumerate(events):
        if not isinstance(event, PredicateRead):
            continue
        name = event.predicate.name
        rows = out.rows[position]
        for row in rows:
            if matches(events, out, row.item, row.seen, event.predicate) != row.matched:
                where = "does not match" if row.matched else "matches"
                problems.append(
                    Problem(
                        f"the version of {row.item.name} listed in the read of {name} {where} {name}",
                        "matching versions before the `;`, versions that do not match after it",
                        "predicate-match",
                        position,
                    )
                )
        if event.partial:
            continue
        listed = {row.item for row in rows}
        for item in by_table.get(event.predicate.table, []):
            if item in listed:
                continue
            seen = _unlisted(events, out, position, event, item)
            if seen is None:
                problems.append(
                    Problem(
                        f"the read of {name} does not list row {item.name}, whose every version it could have seen "
                        f"matches {name}",
                        f"{item.name} among the rows, a version that does not match after `;`, or `...`",
                        "omitted-row",
                        position,
                    )
                )
            else:
                rows.append(RowSeen(item, seen, False))
    return problems


def matches(events: tuple[Event, ...], out: Resolved, item: Item, write: int, predicate: Predicate) -> bool:
    """Whether the version that `write` wrote (INIT: version 0 of the item) matches the predicate."""
    if write == INIT:
        return (item, predicate) in out.initial_matches
    event = events[write]
    assert isinstance(event, Write)
    return event.matches(predicate)


def _unlisted(events: tuple[Event, ...], out: Resolved, position: int, event: PredicateRead, item: Item) -> int | None:
    """The version of a row that a predicate read saw without listing it; None if there is none it can have seen."""
    earlier = [w for w in out.writes.get(item, []) if w < position]
    own = [w for w in earlier if events[w].txn == event.txn]
    if own:
        return None if matches(events, out, item, own[-1], event.predicate) else own[-1]
    for write in reversed(out.order.get(item, [])):
        committed = out.end[events[write].txn] < position
        if committed and not matches(events, out, item, write, event.predicate):
            return write
    if not matches(events, out, item, INIT, event.predicate):
        return INIT
    for write in reversed(earlier):
        if not matches(events, out, item, write, event.predicate) and not out.aborted_by(events[write].txn, position):
            return write
    return None
