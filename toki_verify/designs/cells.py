"""What is asked of a design: each cell of the verdict matrix is one question about a run.

Phenomena are the formulas of the catalogue, read over the run's schedule by the concrete reading. Questions that a
schedule cannot be asked are asked of the run: N1[replay], the facets of N3, invariants and final states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from ..phenomena.catalogue import catalogue
from .facets import FACETS, concerns, erased
from .faults import DesignError
from .machine import Call
from .model import PARTS, Described
from .runs import Run
from .values import Row

#: The phenomena of the matrix, by their ids in the catalogue, in the order of SEMANTICS §3.
PHENOMENA: Final = ("P0", "P1", "P2", "P3", "P4", "A5A", "A5B", "N1", "N1[observed]", "N2", "N3", "CB")
FINAL: Final = "final-state"
HANG: Final = "hang"


@dataclass
class Oracle:
    """What the serial executions of the same writers do: their final states, by the writers that take no part in them,
    and which questions they fail."""

    states: dict[frozenset[int], set[Any]] = field(default_factory=dict)
    failed: dict[frozenset[int], set[str]] = field(default_factory=dict)

    @property
    def failing(self) -> set[str]:
        """The questions that a serial execution of all the writers fails."""
        return self.failed.get(frozenset(), set())


@dataclass(frozen=True)
class Cell:
    """A question: whether a run shows it, and whether the run has anything of what it speaks of.

    `nothing` says why it is vacuous where no run has, `undefined` why it cannot be asked of the design at all.
    """

    id: str
    title: str
    shows: Callable[[Run, Oracle], bool]
    concerns: Callable[[Run], bool] = lambda run: True
    nothing: str = ""
    undefined: str = ""
    #: Whether it is compared with the serial executions.
    serial: bool = False
    #: What the answer depends on: runs that agree on it have the same answer, which is kept (None: on all of the run).
    by: Callable[[Run], Hashable] | None = None
    #: A condition that is cheap and necessary: where it is false, `shows` is.
    first: Callable[[Run], bool] = lambda run: True


def cells(described: Described) -> list[Cell]:
    """Every question that is asked of a design."""
    return [*_phenomena(described), *_facets(described), *_states(described)]


def _phenomena(described: Described) -> Iterator[Cell]:
    for name in PHENOMENA:
        entry = catalogue()[name]
        formula = entry.formula

        def shows(run: Run, oracle: Oracle, formula: Any = formula) -> bool:
            return run.concrete.holds(formula)

        about, nothing = _SUBJECTS.get(name, (lambda run: True, ""))
        by = None if name in _ORDERED else _essence
        yield Cell(name, entry.title, shows, about, nothing, by=by, first=_FIRST.get(name, _any))
        if name == "N1[observed]":
            yield Cell(
                "N1[replay]",
                "a repeated call asks again, though the facts are as they were, and gets another vote",
                _replayed,
                _asks,
                _NO_JUDGE,
                first=_asked_twice,
            )


def _any(run: Run) -> bool:
    return True


def _essence(run: Run) -> Hashable:
    return run.essence


def _outcome(run: Run) -> Hashable:
    return run.essence, run.gave_up


def _deciding(run: Run) -> Hashable:
    return run.essence, run.calls, tuple((writer, at) for writer, _, _, at in run.machine.ended)


def _asked_twice(run: Run) -> bool:
    """Two calls at one key have different votes: necessary for N1 in every reading."""
    votes: dict[tuple[str, str], Any] = {}
    return any(votes.setdefault(record.more[:2], record.more[2]) != record.more[2] for record in run.calls)


def _overlap(run: Run) -> bool:
    """A row is written while another transaction's write of it, or its read, is open: necessary for P0 and P1."""
    open_: dict[Any, set[str]] = {}
    for record in run.history:
        if record.what in "ca":
            for writers in open_.values():
                writers.discard(record.txn)
        elif record.what == "p":
            if any(writers - {record.txn} for place, writers in open_.items() if place[0] == record.place[0]):  # type: ignore[index]
                return True
        elif record.place is not None:
            if open_.get(record.place, frozenset()) - {record.txn}:
                return True
            if record.what == "w":
                open_.setdefault(record.place, set()).add(record.txn)
    return False


def _asks(run: Run) -> bool:
    return any(record.what == "j" for record in run.history)


def _loses(run: Run) -> bool:
    return bool(run.lost)


def _partitioned(run: Run) -> bool:
    tables = run.described.tables
    rows = (version.row for versions in run.machine.store.rows.values() for version in versions)
    return any(row is not None and tables[row.table].partition_of(row) is not None for row in rows)


def _awaits(run: Run) -> bool:
    return any(record.what == "w" and record.more[2] == "await" for record in run.history)


#: Phenomena whose formulas depend on the order of events, or on calls, and not on versions alone.
_ORDERED: Final = frozenset({"P0", "P1", "N1", "N1[observed]", "CB"})
_NO_JUDGE = "no run calls a judge"
_NO_LOSS = "no run overwrites, closes or deletes a fact"
_SUBJECTS: Final[dict[str, tuple[Callable[[Run], bool], str]]] = {
    "N1": (_asks, _NO_JUDGE),
    "N1[observed]": (_asks, _NO_JUDGE),
    "N2": (_partitioned, "no row lies in a (subject, predicate) partition"),
    "N3": (_loses, _NO_LOSS),
    "CB": (_awaits, 'no write awaits a confirmation (operator="await")'),
}


_FIRST: Final[dict[str, Callable[[Run], bool]]] = {
    "P0": _overlap,
    "P1": _overlap,
    "N1": _asked_twice,
    "N1[observed]": _asked_twice,
    "CB": _awaits,
}


def _replayed(run: Run, oracle: Oracle) -> bool:
    """A request calls at one key in two attempts that were told the same until then, and gets another vote: as far as
    it can see, the two runs before and after the repetition share the committed prefix and κ (SEMANTICS §3)."""
    calls: dict[tuple[str, str, str], list[Call]] = {}
    for record in run.calls:
        call = record.more
        found = calls.setdefault((record.txn.split(".")[0], call.reads, call.theta), [])
        if any(_repeats(run, record.txn, before, call) for before in found):
            return True
        found.append(call)
    return False


def _repeats(run: Run, txn: str, before: Call, call: Call) -> bool:
    if before.vote == call.vote or before.attempt == call.attempt or before.after != call.after:
        return False
    writer = int(txn.split(".")[0]) - 1
    first, second = (_told(run.machine.answers(writer, one.attempt)[: one.after], writer) for one in (before, call))
    return first == second


def _told(answers: tuple[Any, ...], writer: int) -> tuple[Any, ...]:
    """What an attempt was told, but for what names its own undone work: the numbers of versions, its fresh keys."""
    names: dict[str, int] = {}
    fresh = re.compile(rf"w{writer + 1}[a-z]+")

    def plain(value: Any) -> Any:
        if isinstance(value, Row):
            return (value.table, plain(value.key), tuple((name, plain(held)) for name, held in value.content))
        if isinstance(value, tuple):
            return tuple(plain(part) for part in value)
        if isinstance(value, str) and fresh.fullmatch(value):
            return ("fresh", names.setdefault(value, len(names)))
        return (type(value).__name__, value)

    return tuple(plain(answer) for answer in answers)


def _facets(described: Described) -> Iterator[Cell]:
    kept = {"current", *described.surface}
    for facet, meaning in FACETS.items():
        for part in (None, *PARTS):

            def shows(run: Run, oracle: Oracle, facet: str = facet, surface: str = part or "audit") -> bool:
                return erased(run, facet, surface) is not None

            def about(run: Run, facet: str = facet) -> bool:
                return concerns(run, facet)

            rows = "any row that the store keeps" if part is None else f"rows up to {part} ones"
            yield Cell(
                f"N3[{facet}]" if part is None else f"N3[{facet}]@{part}",
                f"{meaning} is not to be found in {rows}",
                shows,
                about,
                _NOTHING[facet],
                by=_deciding if facet == "decision" else _essence,
                undefined="" if part is None or part in kept else f"the store keeps no {part} rows",
            )


_NOTHING: Final = {
    "content": _NO_LOSS,
    "source": _NO_LOSS,
    "winner": "no fact is replaced by another one",
    "decision": "no fact is replaced on a judge's word",
}


def _states(described: Described) -> Iterator[Cell]:
    undefined = "" if described.beliefs else "the design declares no belief (@belief) that its partitions must satisfy"
    yield Cell("N2[state]", "a belief is false of a partition at the end, though every serial execution keeps it",
               _drifts, undefined=undefined, serial=True, by=_outcome)  # fmt: skip
    for name, holds in described.invariants.items():

        def shows(run: Run, oracle: Oracle, name: str = name, holds: Any = holds) -> bool:
            return not ask(run.described, name, holds, run.state)

        yield Cell(
            f"invariant {name}", "an invariant of the design is false at the end", shows, serial=True, by=_essence
        )
    yield Cell(
        HANG,
        "writers wait for each other, one of them for a lock of its process: nothing ends it",
        lambda run, oracle: run.machine.hung != "",
        lambda run: run.machine.locked,
        "no run takes a lock of its process",
    )
    yield Cell(FINAL, "no serial execution ends with these facts", _unreached, serial=True, by=_outcome)


def _unreached(run: Run, oracle: Oracle) -> bool:
    """The facts at the end are those of no serial execution. A writer that the store aborted until its retry policy
    gave up had no part in the run, so it has none in these."""
    return run.belief_state not in oracle.states.get(run.gave_up, ())


def _drifts(run: Run, oracle: Oracle) -> bool:
    return any(name not in oracle.failed.get(run.gave_up, ()) for name in broken_beliefs(run))


def broken_beliefs(run: Run) -> list[str]:
    """The beliefs that are false of some partition in the final state: of an empty one, too, if it once had rows."""
    partitions: dict[tuple[str, str, str], list[Any]] = {}
    for (name, key), versions in run.machine.store.rows.items():
        table = run.described.tables[name]
        row = next((version.row for version in versions if version.row is not None), None)
        where = None if row is None or table.part != "current" else table.partition_of(row)
        if where is not None:
            rows = partitions.setdefault((name, *where), [])
            now = run.state.get(name, {}).get(key)
            rows += [] if now is None else [now]
    return [
        name
        for name, holds in run.described.beliefs.items()
        if any(not ask(run.described, name, holds, tuple(rows)) for rows in partitions.values())
    ]


def ask(described: Described, name: str, holds: Callable[[Any], Any], about: Any) -> bool:
    """What a design's own function says. Raises DesignError where it raises."""
    try:
        return bool(holds(about))
    except DesignError:
        raise
    except Exception as error:
        line, at = None, error.__traceback__
        while at is not None:
            if at.tb_frame.f_code.co_filename == described.file:
                line = at.tb_lineno
            at = at.tb_next
        raise DesignError(
            f"raised {type(error).__name__}: {error}",
            design=type(described.design).__name__,
            writer=name,
            file=described.file,
            line=line,
        ) from error
