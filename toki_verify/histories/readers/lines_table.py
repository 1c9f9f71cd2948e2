"""A file of lines -> columns of events, with the careful reader for the lines that are not plainly events."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...events import (
    Callback,
    Event,
    Item,
    Judge,
    Partition,
    PredicateRead,
    Problem,
    Read,
    Write,
    WriteKind,
)
from ...events.limits import FILE_BYTES, GIVE_UP, LINE_LENGTH, PROBLEMS
from ...events.types import KNOWN_KEYS
from ...events.wellformed import check_names
from ...inputs import decode
from ...jsonform.files import Places
from ...jsonform.reader import EventReader
from ...notation.jsontext import JsonFault, parse_json
from ...notation.names import partition_text
from ..columns import Int32, Int64
from .lines_keys import (
    AWAIT,
    CAREFUL,
    DELETE,
    FOREIGN,
    INSERT,
    MATCHES,
    N_EVENTS,
    N_LINE,
    N_RARE,
    N_ROWS,
    NOTHING,
    OPS,
    PARTIAL,
    PARTITION,
    PREDICATE,
    PREDICATE_READ,
    PROV,
    READS,
    THETA,
    VOTE,
    Columns,
    Rare,
    Rows,
    dtypes,
    new_space,
)
from .lines_pool import NAME, NO_LABEL, RAW, Pool, aliases, code_of_text, grown, intern_text, new_pool, with_room
from .lines_scan import scan

_CHUNK: Final = 1 << 18
_BREAK: Final = re.compile(rb"\r\n|\n|\r")
_LINE: Final = re.compile(rb"[^\r\n]+")
_BOM: Final = b"\xef\xbb\xbf"


class ScheduleObjects(Exception):
    """The file holds schedule objects: it is no trace, and the reader of documents reads it."""


@dataclass
class Table:
    """Events as columns. Texts are numbers of the pool; text 0 is the default table."""

    data: bytes
    source: str
    pool: Pool = field(default_factory=new_pool)
    columns: Columns = field(default_factory=lambda: _columns(0))
    rare: Rare = field(default_factory=lambda: _rare(64))
    rows: Rows = field(default_factory=lambda: _rows(64))
    #: Lines that are no events; how many there are in all.
    problems: list[Problem] = field(default_factory=list)
    bad: int = 0

    def add(self, problem: Problem) -> None:
        """Note a line that is no event."""
        self.bad += 1
        if self.bad <= PROBLEMS:
            self.problems.append(problem)

    def few(self, which: int) -> tuple[Int32, Int32]:
        """The events that have a rare field, and its text."""
        chosen = self.rare.field == which
        return self.rare.event[chosen], self.rare.text[chosen]


def read_table(
    data: bytes, source: str, *, give_up: bool = True, progress: Callable[[int], None] | None = None
) -> Table:
    """The events of a file in UTF-8 (`encoding_problem` says whether it is). Raises ScheduleObjects.

    `give_up`: behind too many lines that are no events the rest of them is not looked at, but counted. `progress` is
    called with how many bytes are read.
    """
    table = Table(data, source)
    counts = _scan(table, progress)
    events, few, listed = int(counts[N_EVENTS]), int(counts[N_RARE]), int(counts[N_ROWS])
    table.columns = Columns._make(column[:events] for column in table.columns)
    table.rare = Rare._make(column[:few] for column in table.rare)
    table.rows = Rows._make(column[:listed] for column in table.rows)
    lines = np.flatnonzero(table.columns.op == CAREFUL)
    if len(lines):
        _Careful(table).read(lines, GIVE_UP if give_up else len(lines))
    drop_nothing(table)
    _one_text_a_name(table)
    return table


def _columns(size: int) -> Columns:
    return Columns._make(np.zeros(size, kind) for kind in dtypes(Columns))


def _rare(size: int) -> Rare:
    return Rare._make(np.zeros(size, kind) for kind in dtypes(Rare))


def _rows(size: int) -> Rows:
    return Rows._make(np.zeros(size, kind) for kind in dtypes(Rows))


def chunks(data: bytes) -> Iterator[tuple[int, int]]:
    """The parts of a file, cut behind line breaks: where each begins and ends. A part that is longer than a chunk is
    one line."""
    at = len(_BOM) if data.startswith(_BOM) else 0
    while at < len(data):
        end = len(data)
        if end - at > _CHUNK:
            end = _last_break(data, at, at + _CHUNK) or _next_break(data, at + _CHUNK)
        yield at, end
        at = end


def _last_break(data: bytes, at: int, end: int) -> int:
    """Behind the last line break that begins in a part of a file, 0 if there is none."""
    found = max(data.rfind(b"\n", at, end), data.rfind(b"\r", at, end)) + 1
    return found + (data[found - 1 : found + 1] == b"\r\n") if found else 0


def _next_break(data: bytes, at: int) -> int:
    """Behind the first line break from a place on, or the end."""
    found = [place for place in (data.find(b"\n", at), data.find(b"\r", at)) if place >= 0]
    return min(found) + 1 + (data[min(found) : min(found) + 2] == b"\r\n") if found else len(data)


def _scan(table: Table, progress: Callable[[int], None] | None) -> Int64:
    data = table.data
    table.columns = _columns(data.count(b"\n") + data.count(b"\r") + 1)
    table.pool, _ = intern_text(table.pool, "facts")
    counts, space = np.zeros(4, np.int64), new_space()
    for begin, end in chunks(data):
        if progress is not None:
            progress(begin)
        size = end - begin
        if size > _CHUNK and size > 4 * LINE_LENGTH + 2:  # one line, which is too long in any encoding
            number = int(counts[N_EVENTS])
            counts[[N_EVENTS, N_LINE]] += 1
            _put(table.columns, number, (CAREFUL, 0, 0, 0, 0, size, begin, int(counts[N_LINE])))
            continue
        chunk = np.empty(size + 1, np.uint8)
        chunk[:size] = np.frombuffer(data, np.uint8, size, begin)
        chunk[size] = 10
        # A name of an array takes two bytes at least, a member six, a row twelve.
        table.pool = with_room(table.pool, size // 2 + 1, size)
        if counts[N_RARE] + size // 2 + 8 > len(table.rare.event):
            table.rare = Rare._make(grown(one, int(counts[N_RARE]) + size // 2 + 8) for one in table.rare)
        if counts[N_ROWS] + size // 8 + 8 > len(table.rows.event):
            table.rows = Rows._make(grown(one, int(counts[N_ROWS]) + size // 8 + 8) for one in table.rows)
        scan(chunk, size, begin, space, table.pool, table.columns, table.rare, table.rows, counts)
    return counts


class _Careful:
    """Reads lines one by one with the reader of small traces, and puts what it finds into the columns."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.mentions: dict[Item, Partition | None] = {}
        self.reader = EventReader(lambda at, item, partition: self._mention(item, partition))
        self.rare: list[tuple[int, int, int]] = []
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.known: dict[tuple[str, int], int] = {}

    def _mention(self, item: Item, partition: Partition | None) -> None:
        self.mentions[item] = partition

    def read(self, lines: NDArray[np.intp], limit: int) -> None:
        """Read the lines of these numbers, until more than so many are bad."""
        table = self.table
        for place, number in enumerate(lines.tolist()):
            if table.bad > limit:
                table.bad += len(lines) - place
                table.columns.op[lines[place:]] = NOTHING
                break
            begin, length = int(table.columns.label[number]), int(table.columns.item[number])
            text = table.data[begin : begin + length].decode()
            table.columns.op[number] = NOTHING
            if not text.strip():
                continue
            problem = self._line(number, text, int(table.columns.line[number]))
            if problem is not None:
                table.add(problem)
        table.rare = Rare._make(_joined(table.rare, np.array(self.rare, np.int64).reshape(-1, 3)))
        table.rows = Rows._make(_joined(table.rows, np.array(self.rows, np.int64).reshape(-1, 5)))

    def _line(self, number: int, text: str, line: int) -> Problem | None:
        if len(text) > LINE_LENGTH:
            what, expected = f"a line of {len(text)} characters", f"at most {LINE_LENGTH}"
            return Problem(what, expected, "limit-line", file=self.table.source, line=line, column=1)
        self.mentions.clear()
        try:
            node = parse_json(text)
            if isinstance(node.value, dict) and "events" in node.value:
                raise ScheduleObjects
            event, session = self.reader.read(node)
        except JsonFault as fault:
            return Places(text, line).problem(fault, self.table.source)
        # A name within the limit may be beyond it in normal form: then it is refused as a name, not as a member.
        sessions = {} if session is None else {session: (event.txn,)}
        partitions = {item: one for item, one in self.mentions.items() if one is not None}
        for problem in check_names((event,), {}, {}, sessions, partitions):
            if problem.rule == "name":
                return Places(text, line).located(problem, node.at, self.table.source)
        self._put(number, event, session)
        return None

    def _text(self, text: str, kind: int = NAME) -> int:
        found = self.known.get((text, kind))
        if found is None:
            self.table.pool, found = intern_text(self.table.pool, text, kind)
            self.known[text, kind] = found
        return found

    def _label(self, label: str | None) -> int:
        return NO_LABEL if label is None else code_of_text(self.table.pool, self._text(label))

    def _partition(self, item: Item) -> int:
        partition = self.mentions.get(item)
        return -1 if partition is None else self._text(json.dumps(partition_text(partition)), RAW)

    def _put(self, number: int, event: Event, session: str | None) -> None:
        op, flags, table, item, label = OPS.index(event.op), 0, -1, -1, NO_LABEL
        few: list[tuple[int, int]] = []
        if isinstance(event, (Read, Write)):
            table, item, label = self._text(event.item.table), self._text(event.item.name), self._label(event.version)
            few += [(PARTITION, self._partition(event.item))]
        if isinstance(event, Write):
            flags = {WriteKind.INSERT: INSERT, WriteKind.DELETE: DELETE, WriteKind.UPDATE: 0}[event.kind]
            few += [(MATCHES, self._text(name)) for name in event.predicates]
            few += [(PROV, -1 if event.prov is None else self._text(json.dumps(event.prov), RAW))]
            few += [(AWAIT, 0)] if event.operator == "await" else []
        elif isinstance(event, PredicateRead):
            op, flags, table = PREDICATE_READ, PARTIAL * event.partial, self._text(event.predicate.table)
            few += [(PREDICATE, self._text(event.predicate.name))]
            for matched, rows in ((1, event.matched), (0, event.unmatched)):
                for row in rows:
                    name, version = self._text(row.item.name), self._label(row.version)
                    self.rows.append((number, matched, name, version, self._partition(row.item)))
        elif isinstance(event, Judge):
            few += [(READS, self._text(event.reads)), (THETA, self._text(event.theta, RAW))]
            few += [(VOTE, -1 if event.vote is None else self._text(event.vote, RAW))]
        else:
            assert event.op in ("b", "c", "a", "r") or isinstance(event, Callback)
        if any(event.op in KNOWN_KEYS.get(key, ()) for key, _ in event.extra):
            flags |= FOREIGN
        self.rare += [(number, which, text) for which, text in few if text >= 0]
        values = (op, flags, self._text(event.txn), -1 if session is None else self._text(session), table, item, label)
        _put(self.table.columns, number, values)


def _put(columns: Iterable[Any], number: int, values: Iterable[int]) -> None:
    for column, value in zip(columns, values, strict=False):
        column[number] = value


def _joined(columns: Iterable[Any], more: Int64) -> Iterator[Any]:
    for place, column in enumerate(columns):
        yield np.concatenate([column, more[:, place].astype(column.dtype)])


def drop_nothing(table: Table) -> None:
    """Number the events without the lines that are none, and sort what belongs to events by them."""
    nothing = table.columns.op == NOTHING
    rare, rows = table.rare, table.rows
    if nothing.any():
        number = (np.cumsum(~nothing) - 1).astype(np.int32)
        rare = Rare._make(column[~nothing[rare.event]] for column in rare)
        rows = Rows._make(column[~nothing[rows.event]] for column in rows)
        table.columns = Columns._make(column[~nothing] for column in table.columns)
        rare, rows = rare._replace(event=number[rare.event]), rows._replace(event=number[rows.event])
    by_event = np.argsort(rare.event, kind="stable")
    table.rare = Rare._make(column[by_event] for column in rare)
    by_event = np.argsort(rows.event, kind="stable")
    table.rows = Rows._make(column[by_event] for column in rows)


def _one_text_a_name(table: Table) -> None:
    """Let every name be its text without escapes and in normal form."""
    table.pool, alias = aliases(table.pool)
    if alias is None:
        return
    columns, rows = table.columns, table.rows
    labels = np.array([code_of_text(table.pool, number) for number in alias.tolist()], np.int64)
    table.columns = columns._replace(
        txn=_mapped(alias, columns.txn),
        session=_mapped(alias, columns.session),
        table=_mapped(alias, columns.table),
        item=_mapped(alias, columns.item),
        label=_coded(labels, columns.label),
    )
    table.rare = table.rare._replace(text=alias[table.rare.text])
    table.rows = rows._replace(item=alias[rows.item], label=_coded(labels, rows.label))


def _mapped(alias: Int32, numbers: Int32) -> Int32:
    return np.where(numbers < 0, numbers, alias[np.maximum(numbers, 0)]).astype(np.int32)


def _coded(labels: Int64, codes: Int64) -> Int64:
    return np.where(codes >= NO_LABEL, codes, labels[np.maximum(-2 - codes, 0)])


def encoding_problem(data: bytes, source: str) -> Problem | None:
    """Why a file is no text in UTF-8, as `toki_verify.inputs` says it, for a file of any size; None: it is."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b")):
        return decode(data[:3], source)[1]
    plain = data.isascii() and b"\0" not in data
    if plain or len(data) <= FILE_BYTES:
        return None if plain else decode(data, source)[1]
    before = 0
    for begin, end in chunks(data):
        part = data[begin:end]
        problem = decode(b"\n" + part, source)[1] if not part.isascii() or b"\0" in part else None
        if problem is not None:
            return problem if problem.line is None else replace(problem, line=before + problem.line - 1)
        before += len(_BREAK.findall(part))
    return None


def blotted(data: bytes) -> bytes:
    """The file with question marks for the lines that are not UTF-8 or hold NUL, so that they are bad lines."""
    parts = [data[: len(_BOM)]] if data.startswith(_BOM) else []
    for begin, end in chunks(data):
        part = data[begin:end]
        if not _is_text(part):
            part = _LINE.sub(lambda line: line[0] if _is_text(line[0]) else b"?" * len(line[0]), part)
        parts.append(part)
    return b"".join(parts)


def _is_text(part: bytes) -> bool:
    if b"\0" in part:
        return False
    try:
        part.decode()
    except UnicodeDecodeError:
        return False
    return True
