"""The tables of the stores that are SQL databases, and rows to and from facts (TOKI 2026, Appendix C.1, Table 12)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypeVar

from ..algebra.errors import InvalidFact, shown
from ..algebra.facts import ALL_COLUMNS, Fact, Kind
from ..algebra.periods import SENTINEL_END, instant
from ..algebra.semiring import Semiring
from .elements import Elements, text
from .errors import NotAStore
from .protocol import CONSTRAINTS, JudgeKey, LogEntry

K = TypeVar("K")

#: The version of the format. A file of a later one is refused.
VERSION: Final = 1
#: The tables and their columns, in order.
TABLES: Final[dict[str, tuple[str, ...]]] = {
    "agent_memory": ALL_COLUMNS,
    "judge_log": ("request", "theta", "winner", "seq"),
    "toki_meta": ("name", "value"),
}

_TEXTS: Final = ("fact_id", "subject", "predicate", "object", "resolution_strategy_id")
_OWN_ROWS: Final = "rows that this store wrote"

#: The columns by which the message of a violated constraint is recognized, where the engine keeps no names.
_TOLD_BY: Final = {
    "confidence range": ("confidence",),
    "row-kind domain": ("row_kind",),
    "valid-period order": ("valid_from", "valid_to"),
    "system-period order": ("system_time_end",),
    "primary key": ("fact_id", "system_time_start"),
}


@dataclass(frozen=True)
class Dialect:
    """What the tables call their types in an engine, how an instant looks there, and how `seq` numbers the votes."""

    text: str
    instant: str
    real: str
    seq: str
    pack: Callable[[datetime], Any]
    read: Callable[[Any], datetime]

    @property
    def sentinel(self) -> str:
        """The open end as a literal."""
        return f"'{self.pack(SENTINEL_END)}'"


def ddl(dialect: Dialect) -> tuple[str, str, str]:
    """The three tables. No column of agent_memory may be NULL: a CHECK holds of NULL in SQL."""
    types = {name: dialect.text for name in ALL_COLUMNS} | {"confidence": dialect.real}
    types |= {name: dialect.instant for name in ("valid_from", "valid_to", "system_time_start", "system_time_end")}
    columns = [f"{name} {types[name]} NOT NULL" for name in ALL_COLUMNS]
    columns[ALL_COLUMNS.index("row_kind")] += " DEFAULT 'current'"
    for name, rule in CONSTRAINTS.items():
        columns.append(
            f"CONSTRAINT {name.replace(' ', '_').replace('-', '_')} "
            + ("PRIMARY KEY (fact_id, system_time_start)" if name == "primary key" else f"CHECK ({rule})")
        )
    log = f"request {dialect.text} NOT NULL, theta {dialect.text} NOT NULL, winner {dialect.text} NOT NULL"
    return (
        f"CREATE TABLE agent_memory ({', '.join(columns)})",
        f"CREATE TABLE judge_log ({log}, seq {dialect.seq}, UNIQUE (request, theta))",
        f"CREATE TABLE toki_meta (name {dialect.text} PRIMARY KEY, value {dialect.text} NOT NULL)",
    )


@dataclass(frozen=True)
class Statements:
    """The statements on agent_memory, with `?` for parameters."""

    insert: str
    close: str
    open_rows: str
    rows: str
    _asof: str

    def asof(self, kind: Kind, named: Sequence[str]) -> str:
        """AS OF: parameters are the values of the named columns, then the two instants, twice each.

        `row_kind` is always named, so that an index that begins with it serves.
        """
        kinds = "row_kind IN ('current', 'audit')" if kind == "all" else f"row_kind = '{kind}'"
        return self._asof.format(kinds=kinds, named="".join(f" AND {column} = ?" for column in named))


def statements(dialect: Dialect) -> Statements:
    """The statements of a dialect. `close` names subject and predicate, too: they are what is indexed."""
    names, marks = ", ".join(ALL_COLUMNS), ", ".join("?" for _ in ALL_COLUMNS)
    is_open = f"row_kind = 'current' AND subject = ? AND predicate = ? AND system_time_end = {dialect.sentinel}"
    return Statements(
        insert=f"INSERT INTO agent_memory ({names}) VALUES ({marks})",
        close=f"UPDATE agent_memory SET system_time_end = ? WHERE {is_open} AND fact_id = ? AND system_time_start = ?",
        open_rows=f"SELECT {names} FROM agent_memory WHERE {is_open} ORDER BY system_time_start, fact_id",
        rows=f"SELECT {names} FROM agent_memory ORDER BY fact_id, system_time_start",
        _asof=f"SELECT {names} FROM agent_memory WHERE {{kinds}}{{named}}"
        " AND valid_from <= ? AND ? < valid_to AND system_time_start <= ? AND ? < system_time_end"
        " ORDER BY fact_id, system_time_start",
    )


def constraint(message: str) -> str | None:
    """Which of the five an engine's message about a constraint is about; None for another one.

    A column that is NULL counts for the constraint that speaks of it.
    """
    for name in CONSTRAINTS:
        if name.replace(" ", "_").replace("-", "_") in message:
            return name
    found = (name for name, columns in _TOLD_BY.items() if any(column in message for column in columns))
    return next(found, None)


def texts_of(fact: Fact[Any]) -> tuple[str, str, str, str, str]:
    """The columns of a fact that are texts. Raises InvalidFact for what is no fact, or a text without an encoding."""
    if not isinstance(fact, Fact):
        raise InvalidFact(shown(fact), "a Fact")
    texts = fact.fact_id, fact.subject, fact.predicate, fact.object, fact.resolution_strategy_id
    try:
        plain = "".join(texts).isascii()
    except TypeError:  # a fact that was made past its checks
        plain = False
    if not plain:
        for column, value in zip(_TEXTS, texts, strict=True):
            text(value, column)
    return texts


def require_key(key: JudgeKey) -> JudgeKey:
    """Raises InvalidFact for what is no key of the log."""
    if not isinstance(key, JudgeKey):
        raise InvalidFact(f"the judge key {shown(key)}", "a JudgeKey")
    if not isinstance(key.members, tuple):
        raise InvalidFact(f"members {shown(key.members)}", "a tuple of identities")
    for member in key.members:
        text(member, "members")
    for column in ("theta", "subject", "predicate"):
        text(getattr(key, column), column)
    return key


def request_text(key: JudgeKey) -> str:
    """What was asked, as the log has it: the members and their partition as JSON, in one form."""
    require_key(key)
    asked = {"members": key.members, "predicate": key.predicate, "subject": key.subject}
    return json.dumps(asked, ensure_ascii=False, sort_keys=True)


def log_entry(request: object, theta: object, winner: object) -> LogEntry:
    """A row of the judge log. Raises NotAStore for one that the store did not write."""
    try:
        asked = json.loads(request)  # type: ignore[arg-type]
        key = JudgeKey(tuple(asked["members"]), theta, asked["subject"], asked["predicate"])  # type: ignore[arg-type]
        if request_text(key) == request and isinstance(winner, str):
            return LogEntry(key, winner)
    except (ValueError, TypeError, KeyError, RecursionError):  # InvalidFact among them
        pass
    raise NotAStore(f"the row ({shown(request)}, {shown(theta)}, {shown(winner)}) of judge_log", _OWN_ROWS)


class Packing(Generic[K]):
    """Facts to rows and back. All instants are kept without a zone: in UTC where the facts are aware."""

    def __init__(self, carrier: Semiring[K], dialect: Dialect) -> None:
        self._carrier, self._pack, self._read = carrier, dialect.pack, dialect.read
        self._elements = Elements(carrier)

    def instant(self, value: datetime) -> Any:
        """An instant, already naive or in UTC, as the engine has it."""
        if type(value) is not datetime:  # a subclass may print, compare and hash as it likes
            value = instant(value, "an instant")
        return self._pack(value if value.tzinfo is None else value.replace(tzinfo=None))

    def row(self, fact: Fact[K]) -> tuple[Any, ...]:
        """The twelve columns. Raises InvalidFact, and for what is no element of the carrier NotAnElement."""
        at = self.instant
        texts = texts_of(fact)
        return (
            *texts[:4],
            at(fact.valid_from),
            at(fact.valid_to),
            at(fact.system_time_start),
            at(fact.system_time_end),
            self._elements.text(fact.provenance),
            fact.confidence,
            texts[4],
            fact.row_kind,
        )

    def facts(self, rows: Sequence[Sequence[Any]], aware: bool | None) -> list[Fact[K]]:
        """Rows as facts. Raises NotAStore for a row that is none, which the store did not write."""
        return [self._fact(row, aware) for row in rows]

    def _fact(self, row: Sequence[Any], aware: bool | None) -> Fact[K]:
        (
            fact_id,
            subject,
            predicate,
            object_,
            valid_from,
            valid_to,
            start,
            end,
            provenance,
            confidence,
            strategy,
            kind,
        ) = row
        read = self._read
        try:
            times = read(valid_from), read(start), read(valid_to), read(end)
            if aware:
                times = tuple(time.replace(tzinfo=UTC) for time in times)  # type: ignore[assignment]
            element = self._carrier.parse(provenance)
            return Fact(
                fact_id,
                subject,
                predicate,
                object_,
                times[0],
                times[1],
                element,
                confidence,
                strategy,
                times[2],
                times[3],
                kind,
            )
        except Exception as error:  # whatever a carrier of somebody else does with a text that it did not print
            what = f"row ({shown(fact_id)}, {shown(start)}) of agent_memory: {error}"
            raise NotAStore(what, _OWN_ROWS) from error
