"""Words for evidence: what each step says, and the sentence a reader is left with."""

from __future__ import annotations

from dataclasses import replace

from ..events import INIT, Event, Item, Judge, Schedule, Write, WriteKind
from ..events.values import json_text, json_value
from ..notation.names import item_text, predicate_text, txn_text
from ..notation.printer import event_text
from ..relations.accesses import Access
from .derive import Derivation, Step
from .evidence import Edge, Evidence


def txn_name(txn: str | None) -> str:
    """T1, Ta."""
    if txn is None:
        return "the initial state"
    text = txn_text(txn)
    return text if text.startswith("T") else f"T{text}"


def short_event(event: Event, schedule: Schedule) -> str:
    """An event in notation, but a structured θ by its prompt: what people can read."""
    if isinstance(event, Judge):
        theta = json_value(event.theta)
        if isinstance(theta, dict):
            prompt = str(theta.get("prompt", "θ"))
            return event_text(replace(event, theta=json_text(prompt)), schedule.partitions)
    return event_text(event, schedule.partitions)


class Narrator:
    """Turns derivations over one schedule into evidence."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    def evidence(self, found: Derivation, conclusion: str, phenomenon: str | None = None) -> Evidence:
        """The evidence of a derivation; `conclusion` may speak of {a} and {b}, where it begins and ends."""
        cycle = tuple(map(self.edge, (step for step in found.steps if step.edge)))
        events = tuple(sorted(found.events | self._reads_of_row(found)))
        sentence = conclusion.format(a=txn_name(found.first), b=txn_name(found.last), **self._overwriting(found))
        parts = [sentence[:1].upper() + sentence[1:] + "."]
        if cycle and all(a.target == b.source for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True)):
            parts += [self.sentence(step) for step in found.steps if step.edge]
            parts.append("So " + " → ".join([txn_name(cycle[0].source), *(txn_name(e.target) for e in cycle)]) + ".")
        else:
            parts.append("Events in order: " + self.listing(events) + ".")
        return Evidence(events, cycle, " ".join(parts), phenomenon)

    def _overwriting(self, found: Derivation) -> dict[str, str]:
        """{did} and {lost} of a conclusion: what became of the version that the derivation begins with."""
        step = next((step for step in found.steps if step.kind == "version_order"), None)
        if step is None or step.one is None or step.other is None:
            return {"did": "", "lost": ""}
        event = self.schedule.events[step.other.event]
        deleted = isinstance(event, Write) and event.kind is WriteKind.DELETE
        prov = self._provenance(step.one)
        with_it = f"provenance {prov}" if prov is not None else "no provenance stated"
        return {"did": "deleted" if deleted else "overwrote", "lost": f"{self.version(step.one)} ({with_it})"}

    def _reads_of_row(self, found: Derivation) -> set[int]:
        """Where a version 0 is overwritten of which no `init` line speaks: the read that says that it was a row."""
        step = next((step for step in found.steps if step.kind == "version_order"), None)
        if step is None or step.one is None or step.one.event != INIT or step.one.item in self.schedule.init:
            return set()
        resolved, item = self.schedule.resolved, step.one.item
        reads = [
            e
            for e, seen in resolved.saw.items()
            if seen == INIT and getattr(self.schedule.events[e], "item", 0) == item
        ]
        lists = [
            e for e, rows in resolved.rows.items() if any(r.item == item and r.matched and r.seen == INIT for r in rows)
        ]
        return set(sorted(reads + lists)[:1])

    def _provenance(self, version: Access) -> str | None:
        if version.event == INIT:
            about = self.schedule.init.get(version.item) if version.item is not None else None
            return None if about is None else about.prov
        event = self.schedule.events[version.event]
        return event.prov if isinstance(event, Write) else None

    def listing(self, events: tuple[int, ...]) -> str:
        """Events in notation, with what happened to their transactions in between."""
        ends = {position: txn for txn, position in self.schedule.resolved.end.items()}
        shown = set(events)
        if events:
            txns = {self.schedule.events[e].txn for e in events}
            shown |= {p for p, txn in ends.items() if txn in txns}
        return " … ".join(self.event(e) for e in sorted(shown))

    def event(self, position: int) -> str:
        """One event, for people."""
        return short_event(self.schedule.events[position], self.schedule)

    def edge(self, step: Step) -> Edge:
        """A step as an edge of a cycle."""
        assert step.source is not None and step.target is not None
        predicate = None
        if step.kind in ("prw", "pwr"):
            row = step.one if step.kind == "prw" else step.other
            predicate = None if row is None else row.predicate
        item = step.one.item if step.one is not None else None
        events = tuple(a.event for a in (step.one, step.other) if a is not None)
        return Edge(step.source, step.target, step.kind, item, predicate, events)

    def version(self, access: Access | None, *, writer_known: bool = False) -> str:
        """The version an access wrote or saw, as x@1; one without label by its writer, unless the sentence says it."""
        assert access is not None and access.item is not None
        name = self.item(access.item)
        write = access.event if access.kind == "W" else INIT if access.kind == "I" else access.seen
        if write is None or write == INIT:
            return f"{name}@0"
        event = self.schedule.events[write]
        assert isinstance(event, Write)
        if event.version is not None:
            return f"{name}@{event.version}"
        return name if writer_known else f"{txn_name(event.txn)}'s {name}"

    def item(self, item: Item) -> str:
        """An item with its table and partition."""
        return item_text(item, self.schedule.partitions.get(item))

    def did(self, access: Access | None) -> str:
        """Whether a write installed, inserted or deleted."""
        assert access is not None
        event: Event = self.schedule.events[access.event]
        kind = event.kind if isinstance(event, Write) else WriteKind.UPDATE
        return {WriteKind.UPDATE: "installed", WriteKind.INSERT: "inserted", WriteKind.DELETE: "deleted the row with"}[
            kind
        ]

    def sentence(self, step: Step) -> str:
        """One edge as a sentence that says which transaction it puts first."""
        a, b = txn_name(step.source), txn_name(step.target)
        if step.kind == "start":
            return f"{a} committed before {b} started."
        if step.kind == "session":
            return f"{a} comes before {b} in its session."
        one, other = step.one, step.other
        assert one is not None and other is not None
        if step.kind == "wr":
            return f"{b} read {self.version(other, writer_known=True)}, which {a} wrote: {a} before {b}."
        if step.kind in ("ww", "ww1"):
            earlier, later = (self.version(access, writer_known=True) for access in (one, other))
            return f"{b} {self.did(other)} {later} over {a}'s {earlier}: {a} before {b}."
        if step.kind == "rw":
            return (
                f"{a} read {self.version(one)}; {b} {self.did(other)} the later "
                f"{self.version(other, writer_known=True)}, which that read did not see: {a} before {b}."
            )
        row = one if step.kind == "prw" else other
        predicate = predicate_text(row.predicate) if row.predicate is not None else "?"
        if step.kind == "prw":
            saw = "matching" if one.kind == "M" else "not matching"
            return (
                f"{a}'s read of {predicate} saw {self.version(one)} as {saw}; {b} {self.did(other)} "
                f"{self.version(other, writer_known=True)}, which changes that: {a} before {b}."
            )
        cause = self.version(one, writer_known=True)
        return (
            f"{b}'s read of {predicate} saw the effect of {cause}, with which {a} changed what matches: {a} before {b}."
        )
