"""Every schedule of a few transactions whose accesses are given: all interleavings, every version a read may see.

A program is what one transaction does before it commits, a word an access: `r:x` reads item x, `w:x` writes it and
`w:x:evi` does so as an operator; `P` reads the predicate `active` of the table policy, `I` inserts a policy that it
matches; `cb` receives the callback. Nothing here looks at a definition, so that searches can be compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Final

from ..events import Commit, Schedule, ScheduleError
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete
from ..relations.formulas import Formula, Region, Within

Program = tuple[str, ...]
#: The policy that a transaction inserts: one row each.
ROWS: Final = ("k", "m", "n")


def _subsets(of: list[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(of) + 1):
        yield from combinations(of, size)


def _events(word: str, txn: int, written: dict[str, list[int]]) -> list[str]:
    """What a word may be as an event, given who wrote what before."""
    kind, _, rest = word.partition(":")
    item, _, tag = rest.partition(":")
    if kind == "r":
        seen = [txn] if txn in written.get(item, []) else [0, *written.get(item, [])]
        return [f"r{txn}[{item}{version}]" for version in seen]
    if kind == "w":
        return [f"w{txn}[{item}{txn}{f' by {tag}' if tag else ''}]"]
    if kind == "I":
        return [f"w{txn}[+policy:{ROWS[txn - 1]}{txn} in active]"]
    if kind == "P":
        inserted = written.get("I", [])
        own = [other for other in inserted if other == txn]
        foreign = [other for other in inserted if other != txn]
        listed = [sorted((*own, *seen)) for seen in _subsets(foreign)]
        return [f"r{txn}{{policy:active: {', '.join(f'{ROWS[n - 1]}{n}' for n in rows)}}}" for rows in listed]
    return [f"cb{txn}(R, h, 1)" if kind == "cb" else f"c{txn}"]


def interleavings(programs: tuple[Program, ...], *, clean: bool = False) -> Iterator[str]:
    """Every schedule in which transaction n runs the n-th program and commits, as text; `clean`: no version of another
    transaction is read before that has committed, as RC has it."""

    def visible(txn: int, written: dict[str, list[int]], left: tuple[Program, ...]) -> dict[str, list[int]]:
        """What a transaction may see."""
        if not clean:
            return written
        return {item: [by for by in seen if by == txn or not left[by - 1]] for item, seen in written.items()}

    def extend(left: tuple[Program, ...], written: dict[str, list[int]], events: list[str]) -> Iterator[str]:
        if not any(left):
            yield " ".join(events)
        for place, program in enumerate(left):
            if not program:
                continue
            txn, word = place + 1, program[0]
            kind, _, rest = word.partition(":")
            target = "I" if kind == "I" else rest.partition(":")[0] if kind == "w" else ""
            after = {**written, target: [*written.get(target, []), txn]} if target else written
            rest_of = (*left[:place], program[1:], *left[place + 1 :])
            for event in _events(word, txn, visible(txn, written, left)):
                yield from extend(rest_of, after, [*events, event])

    yield from extend(tuple((*program, "c") for program in programs), {}, [])


@cache
def _concrete(text: str) -> Concrete | None:
    try:
        return Concrete(Schedule.parse(text))
    except ScheduleError:
        return None


@cache
def _level(spec: str) -> Formula:
    return parse_spec(spec).formula


def holds_at(text: str, level: str) -> bool:
    """Whether a text is a well-formed schedule at a level."""
    found = _concrete(text)
    return found is not None and found.holds(_level(level)) is True


def exhibits(text: str, name: str) -> bool:
    """Whether a text is a well-formed schedule that shows a phenomenon; `P3@policy` looks at the table policy alone."""
    name, _, table = name.partition("@")
    found = _concrete(text)
    formula = phenomenon(name).formula
    return found is not None and found.holds(Within(formula, Region(table=table)) if table else formula) is True


def by_size(families: list[tuple[Program, ...]]) -> list[tuple[Program, ...]]:
    """The programs that make the fewest events first."""
    return sorted(families, key=lambda programs: (sum(map(len, programs)) + len(programs), programs))


def _late(text: str) -> int:
    """How many events stand behind the first commit: a history whose transactions overlap has few."""
    events = [event.txn for event in Schedule.parse(text).events if not isinstance(event, Commit)]
    before = text.split(" c", 1)[0]
    return len(events) - len(Schedule.parse(before).events)


def first(families: list[tuple[Program, ...]], level: str, name: str) -> Schedule | None:
    """A smallest schedule of some of the programs at a level that shows a phenomenon; the most concurrent one."""
    found: list[str] = []
    for programs in by_size(families):
        size = sum(map(len, programs)) + len(programs)
        if found and size > len(Schedule.parse(found[0]).events):
            break
        found += [text for text in interleavings(programs) if exhibits(text, name) and holds_at(text, level)]
    return Schedule.parse(min(found, key=lambda text: (_late(text), text))) if found else None


def everywhere(families: list[tuple[Program, ...]], level: str, name: str, *, clean: bool = False) -> list[str]:
    """Every schedule of the programs at a level that shows a phenomenon, smaller ones first. `clean` leaves out reads
    of uncommitted versions: for levels that have none."""
    return [
        text
        for programs in by_size(families)
        for text in interleavings(programs, clean=clean)
        if exhibits(text, name) and holds_at(text, level)
    ]
