"""JSON objects -> events and schedules (NOTATION, "JSON")."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from ..events import (
    DEFAULT_TABLE,
    OPERATORS,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Write,
    WriteKind,
)
from ..notation.cursor import Cursor, Fault
from ..notation.jsontext import JsonFault, Node
from ..notation.reader import theta_text
from .fields import Fields

Mention = Callable[[int, Item, Partition | None], None]
OPS = ("b", "r", "w", "c", "a", "j", "cb")
WORDS = ("read", "write", "commit", "abort", "begin", "judge", "callback")


class EventReader:
    """Reads event objects. `mention` is told of every partition that a reference states, and where."""

    def __init__(self, mention: Mention) -> None:
        self.mention = mention

    def read(self, node: Node) -> tuple[Event, str | None]:
        """The event, and the session its object names. Raises JsonFault."""
        fields = Fields(node, "an event")
        op = fields.need("op")
        if op.value not in OPS:
            near = get_close_matches(op.shown().strip("'"), WORDS)
            hint = f" (for {near[0]!r} write {near[0][0] if near[0] != 'callback' else 'cb'!r})" if near else ""
            raise JsonFault(op.at, f"op {op.shown()}", f"one of {', '.join(OPS)}{hint}", "op")
        txn = fields.name("txn")
        session = fields.name_or_none("session")
        time = fields.get("t")
        if time is not None and (isinstance(time.value, bool) or not isinstance(time.value, (int, float))):
            raise fields.fault(time, "t", "a number")
        event = getattr(self, f"_{op.value}")(fields, txn)
        changes = {"time": None if time is None else time.text(), "extra": fields.rest()}
        return _with(event, **changes), session

    def _b(self, fields: Fields, txn: str) -> Event:
        return Begin(txn)

    def _c(self, fields: Fields, txn: str) -> Event:
        return Commit(txn)

    def _a(self, fields: Fields, txn: str) -> Event:
        return Abort(txn)

    def _item(self, fields: Fields, table: str) -> Item:
        item = Item(table, fields.name("item"))
        node = fields.get("partition")
        if node is not None:
            self.mention(node.at, item, _partition(fields, node))
        return item

    def _r(self, fields: Fields, txn: str) -> Event:
        table = fields.name_or_none("table") or DEFAULT_TABLE
        if fields.get("predicate") is None:
            item = self._item(fields, table)
            return Read(txn, item, fields.name_or_none("version"), fields.value_or_none("value"))
        predicate = Predicate(table, fields.name("predicate"))
        fields.need("matched")
        return PredicateRead(
            txn,
            predicate,
            self._rows(fields, "matched", table),
            self._rows(fields, "unmatched", table),
            fields.flag("partial"),
        )

    def _rows(self, fields: Fields, key: str, table: str) -> tuple[Row, ...]:
        rows = []
        for node in fields.items(key):
            row = Fields(node, f"a row of {key!r}")
            stated = row.name_or_none("table")
            if stated is not None and stated != table:
                raise JsonFault(
                    node.at, f"a row of table {stated}", f"rows of the predicate's table, {table}", "row-table"
                )
            item = self._item(row, table)
            rows.append(Row(item, row.name_or_none("version"), row.rest()))
        return tuple(rows)

    def _w(self, fields: Fields, txn: str) -> Event:
        item = self._item(fields, fields.name_or_none("table") or DEFAULT_TABLE)
        insert, delete = fields.flag("insert"), fields.flag("delete")
        if insert and delete:
            raise JsonFault(
                fields.node.keys["delete"], "a write that is insert and delete", "one of the two", "write-kind"
            )
        polynomial = fields.polynomial("prov")
        operator = fields.get("operator")
        if operator is not None and operator.value not in OPERATORS:
            raise JsonFault(operator.at, f"operator {operator.shown()}", f"one of {', '.join(OPERATORS)}", "operator")
        return Write(
            txn,
            item,
            fields.name_or_none("version"),
            fields.value_or_none("value"),
            WriteKind.INSERT if insert else WriteKind.DELETE if delete else WriteKind.UPDATE,
            tuple(fields.as_name(node, "predicates") for node in fields.items("predicates")),
            polynomial,
            None if operator is None else str(operator.value),
        )

    def _j(self, fields: Fields, txn: str) -> Event:
        theta = fields.need("theta")
        if not isinstance(theta.value, (str, dict)):
            raise fields.fault(theta, "theta", "a name or an object")
        text = theta.text() if isinstance(theta.value, dict) else theta_text(fields.as_name(theta, "theta"))
        vote = fields.get("vote")
        return Judge(txn, fields.name("R"), text, None if vote is None else vote.text())

    def _cb(self, fields: Fields, txn: str) -> Event:
        winner = fields.need("k")
        if not isinstance(winner.value, int) or isinstance(winner.value, bool) or not 0 <= winner.value < 10**9:
            raise fields.fault(winner, "k", "a winner index from 0, of at most nine digits")
        return Callback(txn, fields.name("R"), fields.name("h"), winner.value)


def _with(event: Event, **changes: object) -> Event:
    from dataclasses import replace

    return replace(event, **changes)  # type: ignore[arg-type]


def _partition(fields: Fields, node: Node) -> Partition:
    """`subject.predicate` in the notation of references, quoted per part where needed."""
    text = node.value
    if not isinstance(text, str):
        raise fields.fault(node, "partition", "a string")
    cursor = Cursor(text)
    try:
        pieces = cursor.segment()
        if not pieces or not cursor.done():
            raise Fault(cursor.at, f"{cursor.found()} in a partition", "subject.predicate")
        return cursor.partition(pieces)
    except Fault as fault:
        raise JsonFault(
            node.at,
            f"the partition {node.shown()}: {fault.what}",
            "subject.predicate, each part quoted where it is no plain name",
            "partition",
        ) from None
