"""How a design is written down: a class with tables, an isolation level, and writers that are generator functions.

    class Memory(Design):
        tables = {"facts": Table(partition=("subject", "predicate"))}
        isolation = "RC"

        def setup(self):
            return [row("facts", "m0", subject="alice", predicate="lives_in", object="Lyon", prov="p0")]

        @writer
        def remember(self, me):
            for old in (yield from select("facts", subject="alice", predicate="lives_in")):
                yield from update("facts", old, object=f"place {me}", prov=f"p{me}")
            yield from commit()

A design is data and generators: no metaclass, and nothing happens when the class is made.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Final, TypeVar

from .faults import DesignError
from .operations import CALLBACK_LOG, JUDGE_LOG
from .values import Row, frozen, key_text, prov_text

Method = TypeVar("Method", bound=Callable[..., Any])

#: What an isolation level lets happen; `SR` is serializable snapshot isolation, `2PL` strict two-phase locking.
LEVELS: Final = {
    "none": "no transaction: every statement takes effect at once and stays, whatever happens to the rest of the call",
    "RU": "reads see the latest write, committed or not; writes do not wait; an abort takes all back",
    "RC": "each statement sees what is committed then; a write waits for the row's open write, and then for its end",
    "SI": "reads see the snapshot of the first operation; of two concurrent writers of a row the first one wins",
    "SR": "SI, and a commit that could complete a cycle of anti-dependencies is refused (SSI)",
    "2PL": "reads and writes lock rows and predicates until the end; a deadlock aborts one of those in it",
}
#: Parts of the recovery surface (SEMANTICS §3).
PARTS: Final = ("current", "closed", "history", "audit")


@dataclass(frozen=True)
class Table:
    """A table: what partitions it, at which level it is pinned, what is a predicate on it, and what its rows are.

    `partition` names the columns (subject, predicate); where rows have columns of these names that is the default.
    `isolation` pins every access to it at a level; `pins` does so for single partitions. `predicates` are named
    functions of a row, for `select`. `part` is the part of the recovery surface that the rows belong to: `current`
    (facts), `history`, `audit`, or None for rows that are neither. `closed`: a function of a row of facts that says
    whether the row is closed. `content` names the columns that say what a fact says (default: those that are neither
    of the partition nor written by the store's bookkeeping: all others).
    """

    partition: tuple[str, str] | None = ("subject", "predicate")
    isolation: str | None = None
    pins: Mapping[tuple[str, str], str] = field(default_factory=dict)
    predicates: Mapping[str, Callable[[Row], Any]] = field(default_factory=dict)
    part: str | None = "current"
    closed: Callable[[Row], Any] | None = None
    content: tuple[str, ...] | None = None

    def content_of(self, row: Row) -> dict[str, Any]:
        """The columns of a row that say what it says: those that are named, or all that are not its partition's."""
        if self.content is not None:
            return {name: row[name] for name in self.content if name in row}
        return {name: value for name, value in row.content if name not in (self.partition or ())}

    def keeps_source(self, old: Row, new: Row) -> bool:
        """Whether an update that states no provenance leaves the row's: it says the same, or it closes the row. What
        says something else has a source of its own."""
        if self.content_of(old) == self.content_of(new):
            return True
        return self.closed is not None and bool(self.closed(new)) and not self.closed(old)

    def partition_of(self, row: Mapping[str, Any]) -> tuple[str, str] | None:
        """The partition of a row, or None."""
        if self.partition is None or any(name not in row for name in self.partition):
            return None
        subject, predicate = (row[name] for name in self.partition)
        return (str(subject), str(predicate))


#: Tables that every design has.
LOGS: Final = {JUDGE_LOG: Table(None, part=None), CALLBACK_LOG: Table(None, part=None)}


@dataclass(frozen=True)
class Initial:
    """A row that is there before anything happens."""

    table: str
    key: str
    columns: Mapping[str, Any]
    prov: str | None = None

    @property
    def row(self) -> Row:
        """As a version: the initial one."""
        return Row(self.table, self.key, self.columns, "0", self.prov)


def row(table: str, key: str, /, *, prov: str | None = None, **columns: Any) -> Initial:
    """A row of the initial state, for `setup`."""
    return Initial(table, key_text(key), {name: frozen(value) for name, value in columns.items()}, prov_text(prov))


#: The committed rows of a state: table -> key -> row.
State = Mapping[str, Mapping[str, Row]]


def writer(method: Method) -> Method:
    """Marks a generator method as a write path. A parameter `me` is the number of the writer, from 1."""
    method.__dict__["_toki_writer"] = True
    return method


def invariant(method: Method) -> Method:
    """Marks a method of (self, state) that must be true of every final state. `state` is table -> key -> row."""
    method.__dict__["_toki_invariant"] = True
    return method


def belief(method: Method) -> Method:
    """Marks a method of (self, rows) that must be true of the rows of every partition: the belief f_bc of N2[state]."""
    method.__dict__["_toki_belief"] = True
    return method


class Design:
    """A memory that concurrent writers write: subclass it (see the module's example).

    `tables` declares tables by name (judge_log and callback_log are there anyway), `isolation` is the level of its
    transactions, `retries` how often an attempt that the store aborted is repeated, `recovers` whether a request is
    repeated after a crash, `votes` what a judge may answer, `deterministic` whether it answers the same at one key,
    `surface` which parts of the recovery surface the store keeps. `setup` gives the initial rows.
    """

    tables: ClassVar[Mapping[str, Table]] = {"facts": Table()}
    isolation: ClassVar[str] = "RC"
    retries: ClassVar[int] = 1
    recovers: ClassVar[bool] = True
    votes: ClassVar[tuple[Any, ...]] = (0, 1)
    deterministic: ClassVar[bool] = False
    surface: ClassVar[tuple[str, ...]] = PARTS
    title: ClassVar[str] = ""
    sources: ClassVar[Mapping[str, str]] = {}

    def setup(self) -> Iterable[Initial]:
        """The rows that are there before anything happens."""
        return ()

    @classmethod
    def name(cls) -> str:
        """What reports call it."""
        return cls.title or cls.__name__


@dataclass(frozen=True)
class Writer:
    """A write path of a design: its name, and the generator function of a writer's number."""

    name: str
    start: Callable[[int], Any]
    file: str | None
    line: int | None
    #: The function as it was written.
    function: Any = None


@dataclass(frozen=True)
class Described:
    """A design as the explorer takes it: checked, and with everything looked up."""

    design: Design
    name: str
    tables: Mapping[str, Table]
    initial: tuple[Initial, ...]
    writers: tuple[Writer, ...]
    invariants: Mapping[str, Callable[[State], Any]]
    beliefs: Mapping[str, Callable[[tuple[Row, ...]], Any]]
    isolation: str
    retries: int
    recovers: bool
    votes: tuple[Any, ...]
    deterministic: bool
    surface: tuple[str, ...]
    #: Level of all accesses to a table or partition, over that of the transaction.
    pins: Mapping[tuple[str, tuple[str, str] | None], str]
    file: str | None = None


def describe(of: type[Design] | Design) -> Described:
    """A design, checked. Raises DesignError with what is wrong and where."""
    from .declared import declared_fault, rows_fault, rows_of
    from .forgotten import forgotten
    from .guard import guarded

    cls = of if isinstance(of, type) else type(of)
    file, line = _place(cls)

    def wrong(problem: str) -> DesignError:
        return DesignError(problem, design=cls.__name__, file=file, line=line)

    if not (isinstance(cls, type) and issubclass(cls, Design)):
        raise wrong("no subclass of Design")

    def run(what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        def fault(problem: str, at: int | None) -> DesignError:
            return DesignError(f"{what} {problem}", design=cls.__name__, file=file, line=at or line)

        return guarded(fault, file, function, *arguments)

    design = run("making it:", of) if isinstance(of, type) else of
    problem = run("its declarations:", declared_fault, design)
    if problem:
        raise wrong(problem)
    tables = {name: _under_guard(name, table, cls.__name__, file) for name, table in {**LOGS, **design.tables}.items()}
    pins: dict[tuple[str, tuple[str, str] | None], str] = {}
    for name, table in tables.items():
        if table.isolation is not None:
            pins[name, None] = table.isolation
        for (subject, predicate), level in table.pins.items():
            pins[name, (subject, predicate)] = level
    votes = tuple(frozen(vote) for vote in design.votes)
    initial = run("setup:", lambda: rows_of(design.setup()))
    problem = rows_fault(initial, tables)
    if problem:
        raise wrong(f"setup {problem}")
    writers = tuple(_writer(design, name, method) for name, method in _marked(cls, "_toki_writer"))
    if not writers:
        raise wrong("it has no writer: mark its write path with @writer")
    lost = forgotten(cls)
    if lost:
        problem = f"{lost[1]}(…) does nothing as a statement of its own, expected `yield from {lost[1]}(…)`"
        raise DesignError(problem, design=cls.__name__, writer=lost[0], file=file, line=lost[2])
    return Described(
        design,
        cls.name(),
        tables,
        initial,
        writers,
        {name: partial(run, f"{name}:", getattr(design, name)) for name, _ in _marked(cls, "_toki_invariant")},
        {name: partial(run, f"{name}:", getattr(design, name)) for name, _ in _marked(cls, "_toki_belief")},
        design.isolation,
        design.retries,
        design.recovers,
        votes,
        design.deterministic,
        tuple(part for part in PARTS if part in design.surface),
        pins,
        file,
    )


def _under_guard(name: str, table: Table, design: str, file: str | None) -> Table:
    """The table with its functions of a row under guard: they end, and say the same of the same row."""
    from .guard import Pure

    def pure(what: str, function: Callable[[Row], Any]) -> Pure:
        return Pure(
            lambda problem, line: DesignError(
                f"tables[{name!r}], {what}: {problem}", design=design, file=file, line=line
            ),
            function,
            bool,
        )

    predicates = {what: pure(f"predicate {what!r}", function) for what, function in table.predicates.items()}
    return replace(table, predicates=predicates, closed=table.closed and pure("closed", table.closed))


def _place(cls: Any) -> tuple[str | None, int | None]:
    declared = vars(cls).get("_toki_place") if isinstance(cls, type) else None
    if declared is not None:
        return (str(declared[0]), int(declared[1]))
    try:
        return inspect.getsourcefile(cls), inspect.getsourcelines(cls)[1]
    except (OSError, TypeError):
        return None, None


def _marked(cls: type, mark: str) -> list[tuple[str, Any]]:
    """The methods of a class that carry a mark, base classes first, in the order of their definition."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if getattr(getattr(value, "__func__", value), mark, False):
                found[name] = value
            else:
                found.pop(name, None)
    return list(found.items())


def _writer(design: Design, name: str, method: Any) -> Writer:
    function = getattr(method, "__func__", method)
    code = getattr(function, "__code__", None)
    file, line = (code.co_filename, code.co_firstlineno) if code else _place(type(design))
    where = {"design": type(design).__name__, "writer": name, "file": file, "line": line}
    if not inspect.isgeneratorfunction(function):
        is_async = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
        kind = "an async one" if is_async else "none"
        problem = f"a writer is a generator function that yields its operations (`yield from`), this is {kind}"
        raise DesignError(problem, **where)  # type: ignore[arg-type]
    parameters = list(inspect.signature(function).parameters.values())
    names = [str(found) for found in parameters]
    plain = [found.name for found in parameters if found.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if method is not function or len(plain) < len(names) or plain[1:] not in ([], ["me"]) or not plain:
        taken = ", ".join(names) or "nothing"
        raise DesignError(f"a writer takes self and at most `me`, this one takes {taken}", **where)  # type: ignore[arg-type]
    bound = getattr(design, name)
    return Writer(name, (lambda me: bound(me)) if plain[1:] else (lambda me: bound()), file, line, function)
