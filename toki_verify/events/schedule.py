"""Schedule: a finite total order of events, immutable and well-formed by construction (SEMANTICS §1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from .kinds import Event, Expectation, InitialVersion, Item, Partition, Surface
from .names import text_lines
from .problems import ScheduleError
from .resolve import Resolved, resolve
from .values import JsonText
from .wellformed import check_about


class Schedule:
    """A well-formed schedule.

    `events` is the total order. `init` says what version 0 of an item is, `order` states version orders (labels
    without the initial 0), `sessions` session orders, `surface` the recovery surface, `partitions` the partition of
    each item that has one. `name`, `source`, `note` and `expect` are what a schedule file says about it (of the texts,
    white space around lines and empty lines are not kept); `extra` are unknown keys of its JSON object, kept. `lines`
    are the lines of its file at which the events stand, if it was read from one; they take no part in equality.

    Raises ScheduleError, with every problem found, when a rule of SEMANTICS §1 is broken: a schedule is never
    repaired. `resolved` holds what follows from the rules: which write each read saw, the version orders, who
    committed.
    """

    __slots__ = (
        "events",
        "expect",
        "extra",
        "init",
        "lines",
        "name",
        "note",
        "order",
        "partitions",
        "resolved",
        "sessions",
        "source",
        "surface",
    )

    events: tuple[Event, ...]
    init: Mapping[Item, InitialVersion]
    order: Mapping[Item, tuple[str, ...]]
    sessions: Mapping[str, tuple[str, ...]]
    surface: tuple[Surface, ...]
    partitions: Mapping[Item, Partition]
    name: str | None
    source: str | None
    note: str | None
    expect: tuple[Expectation, ...]
    extra: tuple[tuple[str, JsonText], ...]
    lines: tuple[int, ...]
    resolved: Resolved

    def __init__(
        self,
        events: Iterable[Event],
        *,
        init: Mapping[Item, InitialVersion] | None = None,
        order: Mapping[Item, tuple[str, ...]] | None = None,
        sessions: Mapping[str, tuple[str, ...]] | None = None,
        surface: Iterable[Surface] = (),
        partitions: Mapping[Item, Partition] | None = None,
        name: str | None = None,
        source: str | None = None,
        note: str | None = None,
        expect: Iterable[Expectation] = (),
        extra: Iterable[tuple[str, JsonText]] = (),
        lines: Iterable[int] = (),
    ) -> None:
        if hasattr(self, "resolved"):
            raise AttributeError("a Schedule is immutable: it cannot be made anew")
        fields = {
            "events": tuple(events),
            "init": MappingProxyType(dict(init or {})),
            "order": MappingProxyType({item: tuple(labels) for item, labels in (order or {}).items()}),
            "sessions": MappingProxyType({key: tuple(txns) for key, txns in (sessions or {}).items()}),
            "surface": tuple(surface),
            "partitions": MappingProxyType(dict(partitions or {})),
            "name": name,
            "source": text_lines(source),
            "note": text_lines(note),
            "expect": tuple(expect),
            "extra": tuple(extra),
            "lines": tuple(lines),
        }
        for key, value in fields.items():
            object.__setattr__(self, key, value)
        resolved, problems = resolve(self.events, self.init, self.order, self.sessions, self.partitions)
        problems += check_about(self.name, (self.source, self.note), self.surface, self.expect)
        if problems:
            raise ScheduleError(problems)
        resolved.freeze()
        object.__setattr__(self, "resolved", resolved)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Schedule is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Schedule is immutable: {name} cannot be deleted")

    def _content(self) -> tuple[object, ...]:
        return (
            self.events,
            dict(self.init),
            dict(self.order),
            dict(self.sessions),
            self.surface,
            dict(self.partitions),
            self.name,
            self.source,
            self.note,
            self.expect,
            self.extra,
        )

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Schedule) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.events, self.name))

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __str__(self) -> str:
        from ..notation.printer import print_events

        return print_events(self)

    def __repr__(self) -> str:
        from ..notation.printer import print_schedule

        return f"Schedule.parse({print_schedule(self).rstrip()!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and sent to other processes by its content; it is checked again on arrival."""
        return _rebuild, self._content()

    @classmethod
    def parse(cls, text: str) -> Schedule:
        """The one schedule a text holds (NOTATION, "Events" and "Schedule files").

        Raises ScheduleError when the text is no well-formed schedule or holds several.
        """
        from ..notation.files import parse_one

        return parse_one(text)

    def _repr_html_(self) -> str:
        """For notebooks: the swim lanes, the conflict edges and the verdict."""
        from ..report.html import notebook

        return notebook(self)


def _rebuild(*content: Any) -> Schedule:
    keys = ("init", "order", "sessions", "surface", "partitions", "name", "source", "note", "expect", "extra")
    return Schedule(content[0], **dict(zip(keys, content[1:], strict=True)))
