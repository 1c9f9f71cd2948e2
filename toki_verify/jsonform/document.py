"""One schedule object -> Schedule. Verdicts that stand in it are not read: they are computed anew."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TypeVar

from ..events import (
    INITIAL,
    SURFACE_PARTS,
    Event,
    Expectation,
    InitialVersion,
    Item,
    Partition,
    Schedule,
    ScheduleError,
    Surface,
)
from ..events.limits import EVENTS
from ..events.wellformed import expectation_fault
from ..notation.cursor import Cursor, Fault
from ..notation.jsontext import SHOWN, JsonFault, Node
from ..notation.partitions import PartitionBook
from .fields import Fields, name_of
from .reader import EventReader
from .writer import FORMAT

T = TypeVar("T")

#: Keys that a check writes; reading ignores them.
VERDICT_KEYS = ("file", "line", "levels", "phenomena", "expected", "reasons", "warnings", "declared", "maximal_levels")


class ObjectReader:
    """Reads one schedule object; `faults` are what is wrong with it."""

    def __init__(self, node: Node, line_of: Callable[[int], int] | None = None) -> None:
        self.node = node
        self.line_of = line_of
        self.faults: list[JsonFault] = []
        self.book = PartitionBook()
        self.of: dict[str, str] = {}
        self.sessions: dict[str, list[str]] = {}
        self.parts: dict[tuple[str, object], int] = {}

    def read(self, stem: str | None) -> Schedule | None:
        """The schedule, or None."""
        try:
            fields = Fields(self.node, "a schedule")
            return self._read(fields, stem)
        except JsonFault as fault:
            self.faults.append(fault)
            return None

    def _mention(self, at: int, item: Item, partition: Partition | None) -> None:
        clash = self.book.mention(item, partition)
        if clash:
            raise JsonFault(at, clash.what, clash.expected, clash.rule)

    def _read(self, fields: Fields, stem: str | None) -> Schedule | None:
        fields.taken.update(VERDICT_KEYS)
        self._part(lambda: self._format(fields))
        name = self._part(lambda: fields.name_or_none("schedule")) or stem
        source = self._part(lambda: fields.text_or_none("source"))
        note = self._part(lambda: fields.text_or_none("note"))
        init = self._part(lambda: self._init(fields))
        order = self._part(lambda: self._orders(fields))
        self._part(lambda: self._sessions(fields))
        surface = self._part(lambda: [self._surface(node) for node in fields.items("surface")]) or []
        expect = self._part(lambda: [self._expect(node) for node in fields.items("expect")]) or ()
        events, places = self._part(lambda: self._events(fields)) or ([], [])
        if self.faults:
            self.faults.sort(key=lambda fault: fault.offset)
            return None
        try:
            return Schedule(
                events,
                lines=map(self.line_of, places) if self.line_of is not None else (),
                init=init,
                order=order,
                sessions={k: tuple(v) for k, v in self.sessions.items()},
                surface=dict.fromkeys(surface),
                partitions=self.book.partitions,
                name=name,
                source=source,
                note=note,
                expect=expect,
                extra=fields.rest(),
            )
        except ScheduleError as error:
            for problem in error.problems:
                at = self.node.at
                if problem.part in self.parts:
                    at = self.parts[problem.part]
                elif problem.event is not None and problem.event < len(places):
                    at = places[problem.event]
                self.faults.append(JsonFault(at, problem.what, problem.expected, problem.rule))
            self.faults.sort(key=lambda fault: fault.offset)
            return None

    def _part(self, read: Callable[[], T]) -> T | None:
        """What a part of the object says, or None after noting what is wrong with it."""
        try:
            return read()
        except JsonFault as fault:
            self.faults.append(fault)
            return None

    def _format(self, fields: Fields) -> None:
        version = fields.get("format")
        if version is not None and version.value != FORMAT:
            raise JsonFault(version.at, f"format {version.shown()}", FORMAT, "format")

    def _events(self, fields: Fields) -> tuple[list[Event], list[int]]:
        nodes = fields.need("events")
        if not isinstance(nodes.value, list):
            raise fields.fault(nodes, "events", "an array of events")
        if len(nodes.value) > EVENTS:
            raise JsonFault(nodes.at, f"{len(nodes.value)} events", f"at most {EVENTS}", "limit-events")
        reader = EventReader(self._mention)
        events: list[Event] = []
        places: list[int] = []
        for node in nodes.value:
            try:
                event, session = reader.read(node)
                if session is not None:
                    self._in_session(event.txn, session, node)
                events.append(event)
                places.append(node.at)
            except JsonFault as fault:
                self.faults.append(fault)
        return events, places

    def _in_session(self, txn: str, session: str, node: Node) -> None:
        known = self.of.setdefault(txn, session)
        if known != session:
            raise JsonFault(
                node.keys["session"], f"T{txn} in session {session}", f"session {known}, as stated before", "session"
            )
        members = self.sessions.setdefault(session, [])
        if txn not in members:
            members.append(txn)

    def _item(self, text: str, at: int, known: Container[Item]) -> Item:
        """A key such as `memories:alice.lives_in/m1`, of an item that is not yet known."""
        cursor = Cursor(text)
        try:
            reference = cursor.reference("an item", versions=False)
            if not cursor.done():
                raise Fault(cursor.at, f"{cursor.found()} behind an item", "the end of the key")
        except Fault as fault:
            raise JsonFault(
                at, f"the key {text[:40]!r}: {fault.what}", f"an item; {fault.expected}", "item-key"
            ) from None
        if reference.item in known:
            raise JsonFault(at, f"the key {text[:40]!r} names an item again", "each item once", "duplicate-key")
        if reference.partition is not None:
            self._mention(at, reference.item, reference.partition)
        return reference.item

    def _init(self, fields: Fields) -> dict[Item, InitialVersion]:
        out: dict[Item, InitialVersion] = {}
        for key, at, node in fields.mapping("init"):
            item = self._item(key, at, out)
            if (isinstance(node.value, dict) and set(node.value) & {"value", "predicates", "prov"}) or node.value == {}:
                entry = Fields(node, "an init entry")
                unknown = [name for name in entry.members if name not in ("value", "predicates", "prov")]
                if unknown:
                    raise JsonFault(
                        node.keys[unknown[0]],
                        f"the key {unknown[0][:40]!r} in an init entry",
                        'value, predicates and prov (an object as a value is written {"value": …})',
                        "json-form",
                    )
                prov = entry.polynomial("prov")
                predicates = tuple(entry.as_name(part, "predicates") for part in entry.items("predicates"))
                out[item] = InitialVersion(entry.value_or_none("value"), predicates, prov)
            else:
                out[item] = InitialVersion(node.text())
        return out

    def _order(self, key: str, node: Node) -> tuple[str, ...]:
        holder = Fields(Node({"order": node}, node.at), f"the order of {key}")
        labels = [holder.as_name(part, "order") for part in holder.items("order")]
        return tuple(labels[1:] if labels[:1] == [INITIAL] else labels)

    def _orders(self, fields: Fields) -> dict[Item, tuple[str, ...]]:
        out: dict[Item, tuple[str, ...]] = {}
        for key, at, node in fields.mapping("order"):
            item = self._item(key, at, out)
            out[item] = self._order(key, node)
            self.parts["order", item] = at
        return out

    def _sessions(self, fields: Fields) -> None:
        for session, at, node in fields.mapping("sessions"):
            self._session(session, at, node)

    def _session(self, session: str, at: int, node: Node) -> None:
        holder = Fields(Node({"sessions": node}, node.at), f"session {session}")
        txns = [holder.as_name(part, "sessions") for part in holder.items("sessions")]
        name = holder.as_name(Node(session, at), "sessions")
        if name in self.sessions:
            raise JsonFault(at, f"session {name} stands twice", "each session once", "duplicate-key")
        for txn in txns:
            self.of[txn] = name
        self.sessions[name] = txns
        self.parts["session", name] = at

    def _surface(self, node: Node) -> Surface:
        text = node.value if isinstance(node.value, str) else ""
        part, colon, table = text.partition(":")
        if part not in SURFACE_PARTS:
            raise JsonFault(
                node.at, f"surface {node.shown()}", f"one of {', '.join(SURFACE_PARTS)}, with :table", "surface"
            )
        if not colon:
            return Surface(part)
        return Surface(part, name_of(Node(table, node.at), "surface", "a schedule"))

    def _expect(self, node: Node) -> Expectation:
        fields = Fields(node, "an expectation")
        kinds = [kind for kind in ("present", "absent", "level") if kind in fields.members]
        unknown = [key for key in fields.members if key not in (*kinds, "family")]
        if len(kinds) != 1 or unknown:
            what = f"an expectation with {', '.join(fields.members) or 'no key'}"
            raise JsonFault(node.at, what[:SHOWN], "one of present, absent and level; family beside level", "json-form")
        kind = kinds[0]
        names = tuple(fields.as_name(part, kind) for part in fields.items(kind))
        expectation = Expectation(kind, names, fields.name_or_none("family"))
        wrong = expectation_fault(expectation)
        if wrong:
            raise JsonFault(node.at, wrong, "names of phenomena or levels, at least one", "expectation")
        return expectation
