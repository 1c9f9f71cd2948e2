"""What would repair a design: disciplines that turn an *admits* into an *excludes*, found by exploring it anew.

Disciplines are tried one by one, then in pairs for what no single one excludes. Those that work are ordered by how many
they are, then by what they cost on the same workload: runs in which the store aborts a transaction, runs in which a
writer waits, and steps added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from .engine import Engine
from .explore import Explorer, Stopped
from .faults import DesignError
from .machine import Machine, Step
from .model import Described, Table, Writer
from .program import Program
from .review import Review, workloads
from .rewrites import (
    AUDIT,
    RANK,
    Rewriting,
    at_least,
    audit_row,
    delivered_callback,
    expected_version,
    keyed_log,
)
from .verify import Verifier


@dataclass(frozen=True)
class Discipline:
    """A change of a design: its name, what is done in words, and the design under it (None: it has no place there)."""

    id: str
    words: str
    apply: Callable[[Described], Described | None]


@dataclass(frozen=True)
class Cost:
    """What a workload costs: runs up to equivalence, in how many the store aborts, in how many a writer waits, and the
    steps of a run on average. Without crashes."""

    runs: int
    aborting: int
    waiting: int
    steps: float

    def __str__(self) -> str:
        return f"aborts in {self.aborting} of {self.runs} runs, waits in {self.waiting}, {self.steps:.1f} steps a run"

    @property
    def share(self) -> float:
        """How many runs pay, as a share: aborts and waits."""
        return (self.aborting + self.waiting) / self.runs if self.runs else 0.0


@dataclass(frozen=True)
class Repair:
    """Disciplines that together exclude what the design admits: which cells, what is new, and what it costs."""

    disciplines: tuple[Discipline, ...]
    excludes: tuple[str, ...]
    introduces: tuple[str, ...]
    cost: Cost

    @property
    def name(self) -> str:
        """The ids of the disciplines."""
        return " + ".join(found.id for found in self.disciplines)

    @property
    def words(self) -> str:
        """What is done."""
        return "; and ".join(found.words for found in self.disciplines)


@dataclass
class Repairs:
    """Per admitted cell the repairs that exclude it, cheapest first; and what the design costs as it is."""

    base: Cost
    by_cell: dict[str, list[Repair]] = field(default_factory=dict)
    tried: int = 0


def disciplines(described: Described) -> Iterator[Discipline]:
    """Every discipline that has a place in a design, in no order of merit."""
    yield Discipline("audit row", "insert an audit row for every fact that is replaced", _with_audit)
    yield Discipline(
        "keyed log",
        "consult a judge log keyed by (R, θ), insert the vote if absent, and take what it has",
        lambda of: _rewritten(of, keyed_log),
    )
    yield Discipline(
        "expected version",
        "update a row only if it still has the version that was read, else repeat the call",
        lambda of: _rewritten(of, expected_version),
    )
    yield Discipline(
        "delivered callback",
        "write by await only behind a read of the row and then the delivered callback",
        lambda of: _rewritten(of, delivered_callback),
    )
    for level in ("RC", "SI", "SR", "2PL"):
        if RANK[level] > RANK[described.isolation]:
            yield Discipline(f"raise to {level}", f"run the transactions at {level}", _raising(level))
    if described.isolation == "none":
        return
    tables = [name for name, table in described.tables.items() if table.part == "current" and table.isolation is None]
    for name in tables:
        for partition in sorted(_partitions(described, name)):
            yield Discipline(
                f"SR@partition({','.join(partition)})",
                f"pin the partition ({', '.join(partition)}) of {name} at SR",
                _pinning(name, partition),
            )
        if len(tables) > 1:
            yield Discipline(f"SR@{name}", f"pin the table {name} at SR", _pinning(name, None))


def under(described: Described, ids: tuple[str, ...]) -> Described:
    """The design under disciplines. Raises KeyError for an id that has no place in it, ValueError for one that does not
    fit."""
    known = {discipline.id: discipline for discipline in disciplines(described)}
    for name in ids:
        changed = known[name].apply(described)
        if changed is None:
            raise ValueError(f"{name} does not fit the design")
        described = changed
    return described


def _partitions(described: Described, table: str) -> set[tuple[str, str]]:
    found = set()
    for entry in described.initial:
        if entry.table == table and (partition := described.tables[table].partition_of(entry.columns)):
            found.add(partition)
    return found


def _rewritten(of: Described, rewriting: Rewriting) -> Described:
    def around(writer: Writer) -> Writer:
        start = writer.start

        def begin(me: int, start: Callable[[int], Any] = start) -> Any:
            return rewriting(of, start(me))

        return replace(writer, start=begin)

    return replace(of, writers=tuple(around(writer) for writer in of.writers))


def _with_audit(of: Described) -> Described | None:
    if AUDIT in of.tables and of.tables[AUDIT].part != "audit":
        return None
    tables = {AUDIT: Table(None, part="audit"), **of.tables}
    surface = tuple(part for part in ("current", "closed", "history", "audit") if part in (*of.surface, "audit"))
    changed = _rewritten(replace(of, tables=tables, surface=surface), audit_row)
    return changed


def _raising(level: str) -> Callable[[Described], Described]:
    def apply(of: Described) -> Described:
        return replace(_rewritten(of, at_least(level)), isolation=level)

    return apply


def _pinning(table: str, partition: tuple[str, str] | None) -> Callable[[Described], Described]:
    def apply(of: Described) -> Described:
        return replace(of, pins={**of.pins, (table, partition): "SR"})

    return apply


def cost(described: Described, writers: int) -> Cost:
    """What the workload of so many writers costs, without crashes."""
    runs = aborting = waiting = steps = 0
    for workload in workloads(described, writers):
        engine = Engine(described)
        start = engine.start(tuple(Program(described, writer, me) for me, writer in enumerate(workload, 1)))

        def visit(machine: Machine, taken: tuple[Step, ...], engine: Engine = engine, start: Machine = start) -> None:
            nonlocal runs, aborting, waiting, steps
            runs += 1
            steps += len(taken)
            aborting += machine.aborts > 0
            waiting += _waits(engine, start, taken)

        Explorer(engine, visit).explore(start)
    return Cost(runs, aborting, waiting, steps / runs if runs else 0.0)


def _waits(engine: Engine, start: Machine, taken: tuple[Step, ...]) -> bool:
    """Whether some writer that has begun has to wait in a run."""
    machine = start
    for step in taken:
        for writer in machine.writers():
            options = engine.options(machine, writer)
            if not options or options[0].choice == "deadlock":
                return True
        machine = engine.step(machine, step).machine
    return False


def repairs(
    review: Review,
    *,
    wanted: tuple[str, ...] | None = None,
    pairs: bool = True,
    tried: Callable[[str], None] | None = None,
) -> Repairs:
    """The repairs of a reviewed design. `wanted` are the cells to exclude (default: all that it admits); `tried` is
    told of every set of disciplines that is explored."""
    bound = review.bound
    assert bound is not None
    admitted = tuple(name for name, found in review.results.items() if found.verdict == "admits" and "@" not in name)
    targets = tuple(name for name in admitted if wanted is None or name in wanted)
    found = Repairs(cost(review.described, bound.writers), {name: [] for name in targets})
    if not targets:
        return found
    every = list(disciplines(review.described))
    useful: list[Discipline] = []
    for size in (1, 2) if pairs else (1,):
        missing = tuple(name for name in targets if not found.by_cell[name]) if size > 1 else targets
        if not missing:
            break
        for chosen in combinations(every, size):
            if size > 1 and sum(one.id.startswith("raise") for one in chosen) > 1:
                continue
            if tried is not None:
                tried(" + ".join(one.id for one in chosen))
            repair = _try(review, chosen, missing)
            found.tried += 1
            if repair is not None:
                useful += chosen
                for name in repair.excludes:
                    found.by_cell[name].append(repair)
    for name in found.by_cell:
        found.by_cell[name].sort(key=lambda one: (len(one.disciplines), one.cost.share, one.cost.steps))
    return found


def _try(review: Review, chosen: tuple[Discipline, ...], targets: tuple[str, ...]) -> Repair | None:
    described: Described | None = review.described
    for discipline in chosen:
        described = None if described is None else discipline.apply(described)
    bound = review.bound
    if described is None or bound is None:
        return None
    try:
        first = Verifier(described, only=targets, until_all_admit=True).verify(bound.writers, bound.crashes)
        excluded = tuple(
            name for name in targets if first.results[name].verdict == "excludes" and not first.results[name].vacuous
        )
        if not excluded:
            return None
        before = {name for name, found in review.results.items() if found.verdict == "admits"}
        others = tuple(name for name in review.results if "@" not in name and name not in before)
        second = Verifier(described, only=others).verify(bound.writers, bound.crashes)
        introduced = tuple(name for name in others if second.results[name].verdict == "admits")
        return Repair(chosen, excluded, introduced, cost(described, bound.writers))
    except (DesignError, Stopped):
        return None  # the discipline does not fit the write path
