"""The reduction and brute force find the same: every class of runs once, and one answer for all runs of a class.

Random programs at random levels, with pinned tables, crashes, votes and retries. Brute force takes every interleaving;
that the runs of a class have one verdict and one final state does not depend on the relation that makes the classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from design_programs import MORE_ROWS, Word, Words, design, started

from toki_verify.designs.cells import Cell, Oracle, cells
from toki_verify.designs.engine import Engine
from toki_verify.designs.explore import Event, Explorer, Stopped, Trace, happened_before, trace_of
from toki_verify.designs.faults import DesignError
from toki_verify.designs.footprint import Footprint
from toki_verify.designs.machine import Machine, Record, Step
from toki_verify.designs.model import LEVELS, Described
from toki_verify.designs.runs import Run
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete

#: Readings beside those of the matrix. (None of those that ask which transactions are concurrent, as dangerous
#: structures do: the classes do not say that.)
MORE = ("G0", "G1a", "G1b", "G1c", "G-single", "G2", "G2-item", "N3[current]")
WORDS: list[Word] = [
    *[(name, key) for name in ("read", "write") for key in ("x", "y", "z")],
    *[(name, key) for name in ("leave", "delete", "count", "drop") for key in ("x", "y")],
    *[("expect", key) for key in ("x", "x", "y")],
    *[(name, key) for name in ("insert", "absent") for key in ("k", "x")],
    ("read", "o", "other"),
    ("write", "o", "other"),
    ("part", "p"),
    ("part", "q"),
    ("value", "0"),
    ("select",),
    ("top",),
    ("fresh", "p"),
    ("fresh", "q"),
    ("fill",),
    ("judge",),
    ("judge",),
    ("callback",),
    ("lock", "m"),
    ("alone", "read", "x"),
    ("alone", "write", "x"),
    ("alone", "insert", "k"),
    ("commit",),
    ("abort",),
]


@dataclass(frozen=True)
class Case:
    """Some writers of a design, and how often they may crash."""

    programs: tuple[Words, ...]
    level: str
    pin: str | None = None
    crashes: int = 0
    retries: int = 0
    votes: int = 1
    recovers: bool = True
    deterministic: bool = False

    def described(self) -> Described:
        pins = {"other": self.pin} if self.pin else {}
        found = design(self.level, pins=pins, retries=self.retries, votes=self.votes, rows=MORE_ROWS)
        return replace(found, recovers=self.recovers, deterministic=self.deterministic)


def drawn(seed: int, writers: int, size: int) -> Case:
    """A case at random. A lock of the process is given back before the writer ends or takes it again."""
    draw = Random(seed)
    programs = []
    for _ in range(writers):
        words: list[Word] = []
        for word in draw.choices(WORDS, k=draw.randint(1, size)):
            words.append(("unlock", "m") if word == ("lock", "m") == _last_lock(words) else word)
        programs.append(tuple(words))
    return Case(
        tuple(programs),
        draw.choice(list(LEVELS)),
        draw.choice([None, None, *LEVELS]),
        draw.choice([0, 0, 1]),
        draw.choice([0, 0, 1]),
        draw.choice([1, 2]),
        draw.choice([True, True, False]),
        draw.choice([True, False]),
    )


def _last_lock(words: list[Word]) -> Word | None:
    return next((word for word in reversed(words) if word[0] in ("lock", "unlock")), None)


# -- both ways ---------------------------------------------------------------------------------------------------------


class TooMany(Exception):
    """A case with more interleavings than are worth taking."""


@dataclass
class Answers:
    """What is decided about the runs of a design."""

    engine: Engine
    asked: list[Cell] = field(default_factory=list)
    known: dict[Any, Any] = field(default_factory=dict)

    def of(self, machine: Machine, steps: tuple[Step, ...], *, whole: bool) -> tuple[Any, Any, Any]:
        """The verdict of a run, where it is asked for; its final state; what each transaction did and saw."""
        run = Run(self.engine.described, self.engine.statements, machine, steps)
        state = sorted((table, key, row.content) for table, rows in run.state.items() for key, row in rows.items())
        seen: dict[str, list[Any]] = {}
        for record in machine.history():
            seen.setdefault(record.txn, []).append(record if record.what != "p" else _listed(record))
        return (self._verdict(run) if whole else None), repr(state), seen

    def _verdict(self, run: Run) -> frozenset[str]:
        key = tuple(map(repr, run.history))
        if not key:
            return frozenset()  # nothing happened, which is no schedule
        if key not in self.known:
            formulas = {name: catalogue()[name].formula for name in MORE}
            concrete = Concrete(run.schedule)
            self.known[key] = frozenset(
                [cell.id for cell in self.asked if cell.shows(run, Oracle())]
                + [name for name, formula in formulas.items() if concrete.holds(formula)]
            )
        return self.known[key]  # type: ignore[no-any-return]


def _listed(record: Record) -> tuple[Any, ...]:
    """A predicate read by the rows that it lists: which of the others it states hangs on what is there besides."""
    return (record.what, record.place, record.more[0])


def every_run(engine: Engine, machine: Machine, most: int) -> Iterator[tuple[Trace, Machine, tuple[Step, ...]]]:
    """Every run by brute force, with its class. Raises TooMany beyond so many steps."""
    events: list[Event] = []
    counted = [0]

    def go(machine: Machine) -> Iterator[tuple[Trace, Machine, tuple[Step, ...]]]:
        ended = True
        for writer in machine.writers():
            for step in engine.options(machine, writer):
                ended = False
                counted[0] += 1
                if counted[0] > most:
                    raise TooMany
                done = engine.step(machine, step)
                before = happened_before(events, step, done.footprint, done.behind)
                events.append(Event(step, done.footprint, before))
                yield from go(done.machine)
                events.pop()
        if ended:
            yield trace_of(events), machine, tuple(event.step for event in events)

    return go(machine)


def compare(case: Case, most: int = 30_000) -> list[str]:
    """What is wrong with the reduction on a case. Of each class the runs 1, 2, 4, 8, … are judged; of all the final
    states and what each transaction saw are compared."""
    described = case.described()
    engine, machine = started(described, case.programs, case.crashes)
    asked = {cell.id: cell for cell in cells(described) if not cell.serial and not cell.undefined}
    answers = Answers(engine, list(asked.values()))
    found: dict[Trace, tuple[Any, Any, Any]] = {}
    wrong: list[str] = []

    def visit(last: Machine, steps: tuple[Step, ...]) -> None:
        trace = trace_of(explorer._events)
        if trace in found:
            wrong.append(f"a class is found twice: {steps}")
        found[trace] = answers.of(last, steps, whole=True)

    explorer = Explorer(engine, visit, limit=most)
    try:
        explorer.explore(machine)
    except Stopped:
        raise TooMany from None
    left = dict.fromkeys(found, 0)
    for trace, last, steps in every_run(engine, machine, most):
        if trace not in found:
            wrong.append(f"a class is not found: {steps}")
            break
        left[trace] += 1
        verdict, *rest = answers.of(last, steps, whole=left[trace].bit_count() == 1)
        for now, before in zip(rest, found[trace][1:], strict=True):
            if now != before:
                wrong.append(f"another final state, or other reads, in a class: {steps}: {now}, not {before}")
        if verdict is not None and verdict != found[trace][0]:
            wrong.append(f"another verdict in a class: {steps}: {sorted(verdict ^ found[trace][0])}")
        if wrong:
            break
    wrong += [f"a class that is none of a run: {trace}" for trace, number in left.items() if not number and not wrong]
    return wrong


#: Errors of programs that a random program may make.
EXPECTED = ("waits for its own", "holds already", "does not hold")


def stress(seeds: Iterable[int], writers: int, size: int, **options: Any) -> tuple[list[str], int]:
    """What is wrong in random cases, and how many were compared."""
    wrong, number = [], 0
    for seed in seeds:
        case = drawn(seed, writers, size)
        try:
            wrong += [f"seed {seed}: {problem}; {case}" for problem in compare(case, **options)]
            number += 1
        except TooMany:
            pass
        except DesignError as error:
            if not any(text in str(error) for text in EXPECTED):
                raise
    return wrong, number


def classes(engine: Engine, machine: Machine, *, reduce: bool) -> list[Trace]:
    """The class of each run that the explorer finishes."""
    found: list[Trace] = []
    explorer = Explorer(engine, lambda *_: found.append(trace_of(explorer._events)), reduce=reduce)
    explorer.explore(machine)
    return found


def test_pairs_of_writers() -> None:
    wrong, number = stress(range(30), 2, 3, most=4_000)
    assert wrong == [] and number > 22


def test_three_writers() -> None:
    wrong, number = stress(range(500, 515), 3, 1, most=2_500)
    assert wrong == [] and number > 5


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("first", "number", "writers", "size"), [(1_000, 600, 2, 3), (2_000, 120, 2, 4), (3_000, 120, 3, 2)]
)
def test_many_and_larger(first: int, number: int, writers: int, size: int) -> None:
    wrong, compared = stress(range(first, first + number), writers, size, most=300_000)
    assert wrong == [] and compared > number // 2


def test_without_reduction_the_same_classes() -> None:
    """Sleep sets alone leave one run of each class, too."""
    for seed in range(30):
        case = drawn(seed, 2, 2)
        engine, machine = started(case.described(), case.programs, case.crashes)
        found: dict[bool, list[Trace]] = {}
        for reduce in (True, False):
            found[reduce] = classes(engine, machine, reduce=reduce)
        assert len(found[True]) == len(set(found[True])) == len(found[False])
        assert set(found[True]) == set(found[False])


# -- the suite can fail ------------------------------------------------------------------------------------------------
X, Y, K = ("write", "x"), ("write", "y"), ("insert", "k")
READ, ALL = ("read", "x"), ("select",)
#: Small cases, among them one for each thing that makes steps depend.
CASES = [
    Case(((READ,), (X,)), "RC"),
    Case(((READ, ("read", "y")), (X, Y)), "SI"),
    Case(((READ, Y), (("read", "y"), X)), "SR"),
    Case(((READ, X), (READ, X)), "2PL"),
    Case(((X, Y), (Y, X)), "2PL"),
    Case(((X,), (X,)), "RC"),
    Case(((ALL,), (K,)), "RC"),
    Case(((ALL, X), (K,)), "2PL"),
    Case(((K,), (K,)), "RC"),
    Case(((READ,), (X,)), "RU"),
    Case(((READ,), (X,)), "none"),
    Case(((("lock", "m"), READ, X), (("lock", "m"), READ, X)), "RC"),
    Case(((("lock", "m"), READ, X, ("unlock", "m"), Y), (("lock", "m"), READ, X)), "RC"),
    Case(((("judge",), X), (("judge",),)), "RC", votes=2, deterministic=True),
    Case(((("fill",), READ), (("fill",), X)), "RC"),
    Case(((X,), (X,)), "RC", crashes=1),
    Case(((X,), (READ,)), "RU", crashes=1),
    Case(((X,), (Y,)), "RC", crashes=1),
    Case(((("expect", "y"), ("fill",), Y), (("expect", "x"),)), "SR", crashes=1),
    Case(((READ, X), (READ, X)), "SI", retries=1),
    Case(((("expect", "y"),), (("leave", "y"),), (("value", "0"),)), "none"),
    Case(((("count", "x"), ("count", "x")), (("value", "0"), ("value", "0"))), "none"),
    Case(((("select",), ("leave", "x")), (("expect", "x"),)), "2PL", crashes=1),
    # A crash before a durable step that has to wait for a lock that the other takes meanwhile.
    Case(((("part", "p"), ("count", "x")), (("leave", "y"), ("alone", "write", "x"))), "SI", crashes=1, retries=1),
    Case(((("count", "x"), ("count", "x")), (("part", "p"), ("value", "0"))), "RU"),
]


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_small_cases(case: Case) -> None:
    assert compare(case) == []


def caught() -> bool:
    """Whether the small cases, or else some at random, show that something is wrong."""
    return any(compare(case) for case in CASES) or any(stress([seed], 2, 3)[0] for seed in range(20))


def without(*forgotten: str) -> Callable[[Footprint, Footprint], bool]:
    """A relation that knows nothing of some objects: kinds of a row, `published`, `ssi`, `mutex`, …"""
    conflicts = Footprint.conflicts

    def name(thing: Any) -> str:
        return thing if isinstance(thing, str) else thing[0]

    def less(of: Footprint) -> Footprint:
        found = Footprint()
        found.shared = {thing for thing in of.shared if name(thing) not in forgotten}
        found.exclusive = {thing for thing in of.exclusive if name(thing) not in forgotten}
        if "predicates" not in forgotten:
            found.looked, found.changed = of.looked, of.changed
        return found

    return lambda one, other: conflicts(less(one), less(other))


@pytest.mark.parametrize("forgotten", ["c", "l", "published", "ssi", "mutex", "predicates"])
def test_a_relation_that_forgets_is_noticed(monkeypatch: pytest.MonkeyPatch, forgotten: str) -> None:
    """c: commits and reads; l: locks of rows; published: snapshots; …"""
    monkeypatch.setattr(Footprint, "conflicts", without(forgotten))
    assert caught()


def test_a_relation_of_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Footprint, "conflicts", lambda one, other: False)
    assert caught()


def test_a_crash_that_touches_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    crash = Engine._crash

    def untouched(self: Engine, machine: Machine, writer: int, footprint: Footprint) -> None:
        crash(self, machine, writer, Footprint())

    monkeypatch.setattr(Engine, "_crash", untouched)
    assert caught()


MUTANTS: dict[str, Callable[..., Any]] = {
    "_races": lambda self, event: None,
    "_initials": lambda self, index, event: [],
    "_hidden": lambda self, index, other, depends: True,
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_search_that_sees_fewer_races_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(Explorer, name, MUTANTS[name])
    assert caught()


def test_races_for_locks_that_are_hidden_by_their_release_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the literature: whatever lies between hides a race, the other writer's own later steps too."""

    def hidden(self: Explorer, index: int, other: int, depends: list[int]) -> bool:
        return any(self._events[between].before >> index & 1 for between in depends)

    monkeypatch.setattr(Explorer, "_hidden", hidden)
    assert caught()
