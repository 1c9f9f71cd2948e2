"""Small designs at random, with every kind of table and surface: what the cells say of their runs is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from toki_verify.designs import (
    Design,
    Initial,
    Row,
    State,
    Steps,
    Table,
    alone,
    belief,
    callback,
    commit,
    delete,
    insert,
    invariant,
    judge,
    log_insert_if_absent,
    read,
    row,
    select,
    update,
    writer,
)
from toki_verify.designs.examine import Examiner, Prepared
from toki_verify.designs.explore import Explorer
from toki_verify.designs.machine import Machine, Step
from toki_verify.designs.model import PARTS, Described, Writer, describe
from toki_verify.designs.review import Bound, workloads
from toki_verify.designs.runs import Run

WHERE: dict[str, Any] = {"subject": "s", "predicate": "p"}


class Drawn(Design):
    """What all of them share; their writers are words."""

    tables: ClassVar[dict[str, Table]] = {
        "facts": Table(closed=lambda found: found["end"] is not None, content=("says",)),
        "old": Table(None, part="closed"),
        "log": Table(None, part="history"),
        "notes": Table(None, part="audit"),
        "count": Table(None, part=None),
    }

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "x", **WHERE, says=0, end=None, prov="p0")
        yield row("facts", "y", **WHERE, says=0, end=None)
        yield row("facts", "z", **WHERE, says=7, end=1, prov="pz")
        yield row("log", "first", says=7, prov="p7")
        yield row("count", "n", says=0)

    @invariant
    def counted(self, state: State) -> bool:
        """Not two."""
        return bool(state["count"]["n"]["says"] != 2)

    @belief
    def few(self, rows: tuple[Row, ...]) -> bool:
        """At most two open rows, and not two that say the same."""
        found = [entry["says"] for entry in rows if entry["end"] is None]
        return len(set(found)) == len(found)

    @writer
    def nothing(self) -> Steps[None]:
        yield from commit()


def _keep(table: str) -> Callable[[str, int], Steps[None]]:
    def keep(key: str, me: int) -> Steps[None]:
        old = yield from read("facts", key)
        if old is not None:
            yield from insert(table, said=old["says"], of=old, now=me, prov=old.prov)

    return keep


def _ask(key: str, me: int) -> Steps[None]:
    vote = yield from judge(key)
    yield from update("facts", key, says=vote, prov=f"v{me}")


def _ask_logged(key: str, me: int) -> Steps[None]:
    vote = yield from judge(key)
    vote = yield from log_insert_if_absent(key, "theta", vote)
    yield from update("facts", key, says=vote, prov=f"v{me}")


def _confirm(key: str, me: int) -> Steps[None]:
    yield from read("facts", key)
    if (yield from callback(key, key, (0,))) is not None:
        yield from update("facts", key, operator="await", says=f"c{me}", prov=f"c{me}")


def _alone(key: str, me: int) -> Steps[None]:
    yield from commit()  # it would wait for a row that its own transaction holds
    yield from alone(update("facts", key, says=me, prov=f"a{me}"))


WORDS: dict[str, Callable[[str, int], Any]] = {
    "read": lambda key, me: read("facts", key),
    "select": lambda key, me: select("facts", **WHERE),
    "write": lambda key, me: update("facts", key, says=me, prov=f"w{me}"),
    "unsaid": lambda key, me: update("facts", key, says=me),
    "merge": lambda key, me: update("facts", key, says=me, prov=f"p0+pz+w{me}"),
    "close": lambda key, me: update("facts", key, end=me),
    "open": lambda key, me: update("facts", key, end=None),
    "same": lambda key, me: update("facts", key, says=0),
    "delete": lambda key, me: delete("facts", key),
    "new": lambda key, me: insert("facts", **WHERE, says=me, end=None, prov=f"n{me}"),
    "await": lambda key, me: update("facts", key, operator="await", says=me, prov=f"w{me}"),
    "note": _keep("notes"),
    "log": _keep("log"),
    "shelve": _keep("old"),
    "count": lambda key, me: update("count", "n", says=lambda old: old["says"] + 1, prov="p0"),
    "forget": lambda key, me: delete("log", "first"),
    "alone": _alone,
    "ask": _ask,
    "logged": _ask_logged,
    "confirm": _confirm,
    "commit": lambda key, me: commit(),
}

Words = tuple[tuple[str, str], ...]
_SHARED = describe(Drawn)


def _steps(words: Words, me: int) -> Steps[None]:
    for word, key in words:
        yield from WORDS[word](key, me)
    yield from commit()


def drawn(seed: int, *, writers: int = 1, size: int = 3, words: Sequence[str] = tuple(WORDS)) -> Described:
    """A design of one or two write paths: level, surface, and what they do."""
    draw = Random(seed)
    found = []
    for number in range(writers):
        path = tuple((draw.choice(words), draw.choice("xxxyz")) for _ in range(draw.randint(1, size)))
        found.append(Writer(f"path {number}", lambda me, path=path: _steps(path, me), __file__, 1))  # type: ignore[misc]
    return replace(
        _SHARED,
        name=f"drawn {seed}",
        writers=tuple(found),
        isolation=draw.choice(["none", "RU", "RC", "SI", "SR", "2PL"]),
        surface=tuple(part for part in PARTS if draw.random() < 0.6),
        retries=draw.choice([0, 1]),
    )


def runs_of(described: Described, writers: int = 2, crashes: int = 0) -> Iterator[tuple[Run, Prepared]]:
    """Every run of a bound, each class once, and what the runs are asked with."""
    examiner = Examiner(described)
    for number in range(len(workloads(described, writers))):
        prepared = examiner.prepared(Bound(writers, crashes), number)
        found: list[tuple[Machine, tuple[Step, ...]]] = []
        Explorer(prepared.engine, lambda *end, found=found: found.append(end)).explore(prepared.start)
        for machine, steps in found:
            if machine.past is not None:
                yield Run(described, prepared.engine.statements, machine, steps), prepared
