"""Programs of a few operations as designs, for the suites of the engine and of the explorer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from typing import Any, ClassVar

from toki_verify.designs.emit import schedule_of
from toki_verify.designs.engine import Engine
from toki_verify.designs.machine import Machine, Record
from toki_verify.designs.model import Described, Design, Initial, Table, Writer, describe, row, writer
from toki_verify.designs.operations import (
    Operation,
    abort,
    alone,
    begin,
    callback,
    commit,
    delete,
    insert,
    judge,
    lock,
    log_insert_if_absent,
    read,
    select,
    unlock,
    update,
)
from toki_verify.designs.program import Program
from toki_verify.events import (
    Abort,
    Commit,
    Event,
    InitialVersion,
    Item,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    Write,
    WriteKind,
)

#: An operation: its word, and what it is about. A program: its operations, of which the last one ends it.
Word = tuple[str, ...]
Words = tuple[Word, ...]

#: Columns of a row: its partition, and one that the predicate reads ask for.
NEW = {"s": "s", "p": "p", "g": "g"}
OPERATIONS: dict[str, Callable[..., Operation[Any]]] = {
    "begin": begin,
    "read": lambda key, table="facts": read(table, key),
    "write": lambda key, table="facts", *, me: update(table, key, v=me),
    "leave": lambda key, me: update("facts", key, g="no", v=me),
    "select": lambda: select("facts", g="g"),
    "part": lambda p: select("facts", s="s", p=p),
    "value": lambda v: select("facts", v=int(v)),
    "top": lambda: select("facts", g="g", top=1),
    "search": lambda: select("empty", g="g"),
    "insert": lambda key, me: insert("facts", key, **NEW, v=me),
    "absent": lambda key, me: insert("facts", key, **NEW, v=me, if_absent=True),
    "fresh": lambda p, me: insert("facts", **{**NEW, "p": p}, v=me),
    "delete": lambda key: delete("facts", key),
    "expect": lambda key, me, seen: update("facts", key, expect=seen.get(key) or "0", v=me),
    "drop": lambda key, seen: delete("facts", key, expect=seen.get(key) or "0"),
    "count": lambda key: update("facts", key, v=lambda old: old["v"] + 1),
    "judge": lambda: judge("R"),
    "callback": lambda: callback("R", "h", (0,)),
    "fill": lambda me: log_insert_if_absent("R", "theta", me),
    "lock": lock,
    "unlock": unlock,
    "commit": commit,
    "abort": abort,
}
TAKES_ME = frozenset({"write", "leave", "insert", "absent", "fresh", "expect", "fill"})
TAKES_SEEN = frozenset({"expect", "drop"})


def operation(word: Word, me: int, seen: dict[str, Any]) -> Operation[Any]:
    """A word as an operation; `alone` in front puts it into a transaction of its own."""
    if word[0] == "alone":
        return alone(operation(word[1:], me, seen))
    more = {"me": me} if word[0] in TAKES_ME else {}
    more |= {"seen": seen} if word[0] in TAKES_SEEN else {}
    return OPERATIONS[word[0]](*word[1:], **more)


#: Rows of the initial state: two in the predicate.
ROWS = tuple(row("facts", key, **NEW, v=0) for key in ("x", "y"))
#: The same, a row of another partition, and one of another table.
MORE_ROWS = (*ROWS, row("facts", "z", **{**NEW, "p": "q"}, v=0), row("other", "o", v=0))


class Programs(Design):
    """What all designs of the suites share; their writers are programs of words."""

    tables: ClassVar[Mapping[str, Table]] = {name: Table(partition=("s", "p")) for name in ("facts", "other", "empty")}

    def setup(self) -> Sequence[Initial]:
        return ROWS

    @writer
    def nothing(self) -> Iterator[Operation[Any]]:
        yield commit()


@cache
def shared() -> Described:
    """The design of all programs, described once: that looks at source files."""
    return describe(Programs)


def design(
    level: str,
    *,
    pins: Mapping[str, str] | None = None,
    retries: int = 0,
    votes: int = 2,
    rows: tuple[Initial, ...] = ROWS,
) -> Described:
    """The design at a level, with tables pinned."""
    return replace(
        shared(),
        initial=rows,
        isolation=level,
        retries=retries,
        pins={(name, None): pin for name, pin in (pins or {}).items()},
        votes=tuple(range(votes)),
    )


def _steps(words: Words, me: int) -> Iterator[Operation[Any]]:
    seen: dict[str, Any] = {}
    for word in words:
        answer = yield operation(word, me, seen)
        if word[0] == "read":
            seen[word[1]] = answer
    if words[-1][0] not in ("commit", "abort"):
        yield commit()


@lru_cache(maxsize=4096)
def program(words: Words, me: int) -> Program:
    """The writer that does the words of a program, and commits if they do not end it."""
    return Program(shared(), Writer("go", lambda number: _steps(words, number), __file__, 1), me)


def started(described: Described, programs: Sequence[Words], crashes: int = 0) -> tuple[Engine, Machine]:
    """An engine and its first state."""
    engine = Engine(described)
    return engine, engine.start(tuple(program(words, me + 1) for me, words in enumerate(programs)), crashes)


def runs(engine: Engine, machine: Machine) -> Iterator[Machine]:
    """The last state of every run: every interleaving, and every choice."""
    ended = True
    for number in machine.writers():
        for step in engine.options(machine, number):
            ended = False
            yield from runs(engine, engine.step(machine, step).machine)
    if ended:
        yield machine


def emitted(programs: Sequence[Words], level: str, known: dict[tuple[Record, ...], Schedule]) -> set[Schedule]:
    """The schedules of all runs of the engine at a level. `known` are those of histories met before."""
    described = design(level)
    engine, machine = started(described, programs)
    found = set()
    for last in runs(engine, machine):
        history = tuple(last.history())
        if history not in known:
            known[history] = schedule_of(described, engine.statements, last)
        found.add(known[history])
    return found


# -- all programs, all schedules ---------------------------------------------------------------------------------------
SWAPPED = {"x": "y", "y": "x"}


def programs_of(words: Sequence[Word], size: int, ends: Sequence[str] = ("commit", "abort")) -> list[Words]:
    """Every program of one to `size` words and an end."""
    return [
        (*chosen, (end,)) for length in range(1, size + 1) for chosen in product(words, repeat=length) for end in ends
    ]


def swapped(words: Words) -> Words:
    """With x and y exchanged."""
    return tuple((word[0], *(SWAPPED.get(part, part) for part in word[1:])) for word in words)


def pairs(first: Sequence[Words], second: Sequence[Words]) -> list[tuple[Words, Words]]:
    """Every pair of programs, up to the names of the transactions and of the items x and y."""
    found = {}
    for one, other in product(first, second):
        same = [(one, other), (other, one), (swapped(one), swapped(other)), (swapped(other), swapped(one))]
        found[min(same)] = None
    return list(found)


def interleavings(lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order in which writers can do so many steps each."""
    if not any(lengths):
        yield ()
    for number, length in enumerate(lengths):
        if length:
            rest = [left - (other == number) for other, left in enumerate(lengths)]
            for order in interleavings(rest):
                yield (number, *order)


KINDS = {"write": WriteKind.UPDATE, "insert": WriteKind.INSERT, "delete": WriteKind.DELETE}
KEYS = ("k", "x", "y")


def schedules_of(programs: Sequence[Words]) -> Iterator[Schedule]:
    """Every schedule of some programs: every interleaving, and every read sees any earlier version, or its own."""
    searched = any(word[0] == "select" for words in programs for word in words)
    for order in interleavings([len(words) for words in programs]):
        at = [0] * len(programs)
        events: list[Event] = []
        choices: list[list[Event]] = [[]]
        versions: dict[str, list[tuple[int, bool]]] = {"x": [(-1, True)], "y": [(-1, True)], "k": [(-1, False)]}
        for number in order:
            word, txn = programs[number][at[number]], str(number + 1)
            at[number] += 1
            events = _events(word, txn, number, versions, searched)
            choices = [[*before, event] for before in choices for event in events]
        for found in choices:
            yield Schedule(found, init=INIT if searched else {})


INIT = {Item("facts", key): InitialVersion(None, ("g=g",), None) for key in ("x", "y")}


def _events(
    word: Word, txn: str, number: int, versions: dict[str, list[tuple[int, bool]]], searched: bool
) -> list[Event]:
    """What the event of a word may be. `versions` are the writer and the match status of each version by label."""
    if word[0] == "commit":
        return [Commit(txn)]
    if word[0] == "abort":
        return [Abort(txn)]
    if word[0] in KINDS:
        there = word[0] != "delete"
        versions[word[1]].append((number, there))
        label = str(len(versions[word[1]]) - 1)
        matching = ("g=g",) if there and searched else ()
        return [Write(txn, Item("facts", word[1]), label, None, KINDS[word[0]], matching)]
    if word[0] == "read":
        return [Read(txn, Item("facts", word[1]), str(label)) for label, _ in _visible(number, versions[word[1]])]
    rows = [[(key, label, there) for label, there in _visible(number, versions[key])] for key in KEYS]
    return [
        PredicateRead(
            txn,
            Predicate("facts", "g=g"),
            tuple(Row(Item("facts", key), str(label)) for key, label, there in chosen if there),
            tuple(Row(Item("facts", key), str(label)) for key, label, there in chosen if not there),
        )
        for chosen in product(*rows)
    ]


def _visible(number: int, versions: list[tuple[int, bool]]) -> list[tuple[int, bool]]:
    own = [(label, there) for label, (of, there) in enumerate(versions) if of == number]
    return own[-1:] or [(label, there) for label, (_, there) in enumerate(versions)]


def form(schedule: Schedule) -> tuple[object, ...]:
    """What happened: events, and the versions read, rows not listed too, by the event that wrote them."""
    resolved = schedule.resolved
    written = {event.item.name for event in schedule.events if isinstance(event, Write)} | {"x", "y"}
    found: list[object] = []
    for position, event in enumerate(schedule.events):
        if isinstance(event, Read):
            found.append(("r", event.txn, event.item.name, resolved.saw[position]))
        elif isinstance(event, Write):
            found.append((event.kind.value, event.txn, event.item.name))
        elif isinstance(event, PredicateRead):
            rows = sorted((row.item.name, row.seen) for row in resolved.rows[position] if row.item.name in written)
            found.append(("p", event.txn, *rows))
        else:
            found.append((type(event).__name__, event.txn))
    return tuple(found)
