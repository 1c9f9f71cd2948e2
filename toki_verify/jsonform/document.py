"""One schedule object -> Schedule. Verdicts that stand in it are not read: they are computed anew."""

from __future__ import annotations

from ..events import (
    INITIAL, SURFACE_PARTS, Event, Expectation, InitialVersion, Item, Partition, Schedule, ScheduleError, Surface,
)
from ..events.limits import EVENTS
from ..notation.cursor import Cursor, Fault
from ..notation.jsontext import JsonFault, Node
from ..notation.partitions import PartitionBook
from ..notation.reader import polynomial_fault
from .fields import Fields
from .reader import EventReader
from .writer import FORMAT

#: Keys that a check writes; reading ignores them.
VERDICT_KEYS = ("file", "line", "levels", "phenomena", "expected", "reasons", "warnings", "declared", "maximal_levels")


class ObjectReader:
    """Reads one schedule object; `faults` are what is wrong with it."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.faults: list[JsonFault] = []
        self.book = PartitionBook()
        self.of: dict[str, str] = {}
        self.sessions: dict[str, list[str]] = {}

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
        version = fields.get("format")
        if version is not None and version.value != FORMAT:
            raise JsonFault(version.at, f"format {version.plain()!r}", FORMAT, "format")
        for key in VERDICT_KEYS:
            fields.taken.add(key)
        name = fields.name_or_none("schedule") or stem
        source, note = fields.text_or_none("source"), fields.text_or_none("note")
        init = self._init(fields)
        order = {self._item(key, at): self._order(key, node) for key, at, node in fields.mapping("order")}
        for session, at, node in fields.mapping("sessions"):
            self._session(session, at, node)
        surface = [self._surface(node) for node in fields.items("surface")]
        expect = [self._expect(node) for node in fields.items("expect")]
        events, places = self._events(fields)
        if self.faults:
            return None
        try:
            return Schedule(
                events, init=init, order=order, sessions={k: tuple(v) for k, v in self.sessions.items()},
                surface=surface, partitions=self.book.partitions, name=name, source=_lines(source), note=_lines(note),
                expect=expect, extra=fields.rest())
        except ScheduleError as error:
            for problem in error.problems:
                at = places[problem.event] if problem.event is not None and problem.event < len(places) else 0
                self.faults.append(JsonFault(at or self.node.at, problem.what, problem.expected, problem.rule))
            return None

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
            raise JsonFault(node.keys["session"], f"T{txn} in session {session}", f"session {known}, as stated before",
                            "session")
        members = self.sessions.setdefault(session, [])
        if txn not in members:
            members.append(txn)

    def _item(self, text: str, at: int) -> Item:
        """A key such as `memories:alice.lives_in/m1`."""
        cursor = Cursor(text)
        try:
            reference = cursor.reference("an item", versions=False)
            if not cursor.done():
                raise Fault(cursor.at, f"{cursor.found()} behind an item", "the end of the key")
        except Fault as fault:
            raise JsonFault(at, f"the key {text[:40]!r}: {fault.what}", f"an item; {fault.expected}",
                            "item-key") from None
        if reference.partition is not None:
            self._mention(at, reference.item, reference.partition)
        return reference.item

    def _init(self, fields: Fields) -> dict[Item, InitialVersion]:
        out = {}
        for key, at, node in fields.mapping("init"):
            if isinstance(node.value, dict) and set(node.value) <= {"value", "predicates", "prov"}:
                entry = Fields(node, "an init entry")
                prov = entry.text_or_none("prov")
                wrong = polynomial_fault(prov) if prov is not None else None
                if wrong:
                    raise JsonFault(node.value["prov"].at, wrong, "sums of products of numbers and names", "provenance")
                predicates = tuple(entry.as_name(part, "predicates") for part in entry.items("predicates"))
                out[self._item(key, at)] = InitialVersion(entry.value_or_none("value"), predicates, prov)
            else:
                out[self._item(key, at)] = InitialVersion(node.text())
        return out

    def _order(self, key: str, node: Node) -> tuple[str, ...]:
        holder = Fields(Node({"order": node}, node.at), f"the order of {key}")
        labels = [holder.as_name(part, "order") for part in holder.items("order")]
        return tuple(labels[1:] if labels[:1] == [INITIAL] else labels)

    def _session(self, session: str, at: int, node: Node) -> None:
        holder = Fields(Node({"sessions": node}, node.at), f"session {session}")
        txns = [holder.as_name(part, "sessions") for part in holder.items("sessions")]
        name = holder.as_name(Node(session, at), "sessions")
        for txn in txns:
            self.of[txn] = name
        self.sessions[name] = txns

    def _surface(self, node: Node) -> Surface:
        text = node.value if isinstance(node.value, str) else ""
        part, _, table = text.partition(":")
        if part not in SURFACE_PARTS:
            raise JsonFault(node.at, f"surface {node.plain()!r}", f"one of {', '.join(SURFACE_PARTS)}, with :table",
                            "surface")
        return Surface(part, table or None)

    def _expect(self, node: Node) -> Expectation:
        fields = Fields(node, "an expectation")
        for kind in ("present", "absent", "level"):
            if kind in fields.members:
                names = tuple(fields.as_name(part, kind) for part in fields.items(kind))
                if not names:
                    raise fields.fault(node, kind, "at least one name")
                return Expectation(kind, names, fields.name_or_none("family"))
        raise JsonFault(node.at, "an expectation without present, absent or level", "one of these keys", "json-form")


def _lines(text: str | None) -> str | None:
    """Text as keyword lines hold it: lines without blanks around them, none empty."""
    kept = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return "\n".join(kept) or None
