"""JSON Lines traces: `histories/readers/lines.py` against the reader of small traces, on sound and on broken texts."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numba")

import numpy as np

from tests.agreement.random_schedules import random_schedule
from toki_verify.events import Schedule
from toki_verify.histories.readers import lines, lines_build, lines_table, lines_values
from toki_verify.histories.readers.lines_keys import FOREIGN, KNOWN, NOTHING
from toki_verify.histories.readers.lines_table import ScheduleObjects, encoding_problem
from toki_verify.histories.trace import Trace, of_schedule
from toki_verify.inputs import decode
from toki_verify.jsonform import read_json_lines, trace_objects
from toki_verify.search.strategies import schedules

#: Compared as they are: numbers of transactions, items, versions and accesses come in the order of the events.
_FIRST = ("events", "start", "end", "outcome", "place", "kind", "event", "txn", "item", "version", "version_item")
SAME = (*_FIRST, "writer", "rank", "final", "row", "by_await")
#: Columns of numbers, and the names that they stand for.
NAMED = {"session": "sessions", "table": "tables", "partition": "partitions", "predicate": "predicates"}
NAMED |= {"key": "keys", "vote": "votes", "prov": "provenances"}
LISTS = ("transactions", "items", "labels")


def canonical(trace: Trace) -> dict[str, Any]:
    """A trace up to the numbering of names."""
    out: dict[str, Any] = {name: np.asarray(getattr(trace, name)).tolist() for name in SAME}
    for column, table in NAMED.items():
        names = list(getattr(trace, table))
        out[column] = [None if number < 0 else names[number] for number in getattr(trace, column).tolist()]
    out.update({name: list(getattr(trace, name)) for name in LISTS})
    found = trace.matches.tolist()
    out["matches"] = [
        sorted(str(trace.predicates[number]) for number in found[begin:end])
        for begin, end in pairwise(trace.first_match.tolist())
    ]
    return out


def types(trace: Trace) -> dict[str, str]:
    """The types of the columns."""
    return {f.name: str(v.dtype) for f in fields(trace) if isinstance(v := getattr(trace, f.name), np.ndarray)}


def expected(data: bytes) -> Schedule | None:
    """The schedule that the reader of small traces makes, None where it refuses."""
    text, problem = decode(data, "f")
    if problem is not None:
        return None
    found, _ = read_json_lines(text, file="f")
    return found[0] if len(found) == 1 else None


def found(data: bytes) -> Trace | None:
    """The trace that the fast reader makes without the help of the other one (but for schedule objects)."""
    if encoding_problem(data, "f") is not None:
        return None
    try:
        trace, problems = lines.fast(data, "f")
    except ScheduleObjects:
        return lines.read_trace(data, "f")[0]
    assert (trace is None) == bool(problems)
    for problem in problems:
        assert problem.file == "f" and problem.what and problem.expected and problem.rule
        assert problem.line is not None and problem.column is not None
    return trace


def agree(data: bytes) -> bool:
    """Both readers refuse, or make the same trace; whether they make one."""
    schedule, trace = expected(data), found(data)
    assert (schedule is None) == (trace is None), (data, schedule)
    if schedule is None or trace is None:
        return False
    other = of_schedule(schedule)
    assert canonical(trace) == canonical(other), data
    assert types(trace).items() >= types(other).items()
    for name in ("first_match", "matches"):
        assert (np.diff(trace.first_match) >= 0).all() and len(getattr(trace, name)) == len(getattr(other, name))
    if trace.line is not None:
        assert trace.line.tolist() == [schedule.lines[event] for event in trace.event.tolist()]
    return True


NUMBERS = frozenset(("txn", "item", "version", "session", "table", "R", "h", "predicate"))


def text_of(schedule: Schedule, rng: random.Random) -> bytes:
    """The lines of a schedule, in one of the ways in which writers write them."""
    separators = rng.choice(((",", ":"), (", ", ": "), (" ,\t", " : ")))
    ascii_only, ends = rng.random() < 0.5, rng.choice(("\n", "\n", "\r\n", "\r", "\n\n"))
    out = []
    for entry in trace_objects(schedule):
        members = list(entry.items())
        if rng.random() < 0.3:
            rng.shuffle(members)
        if rng.random() < 0.2:
            members.append(("note", rng.choice(("", [{"a": 1}], {"b": [None, 1.5e3]}, "Ω\\", True))))
        for place, (key, value) in enumerate(members):
            if key in NUMBERS and value in map(str, range(20)) and rng.random() < 0.3:
                members[place] = (key, int(value))
        out.append(json.dumps(dict(members), separators=separators, ensure_ascii=ascii_only))
    return (ends.join(out) + rng.choice((ends, ""))).encode()


KEYS = (*KNOWN, "other")
VALUES: list[Any] = json.loads(
    r"""[null, true, false, 0, 1, -1, 1.0, -0.0, 1e300, "", "0", "1", "01", "x", "P", "é", "e\u0301", "a.b",
    "a.\"b c\"", "a", "\u0000", "w", "cb", "await", "p+q", "p+", "p + q^2", "θ", "theta", "\\", "\"", "\ud83d\ude00",
    "facts", [], "memories", ["P", "P"], ["P", "Q"], [1, "1"], [[[[]]]], {}, {"item": "x"}, [{"item": "x"}],
    {"seed": 1, "a": "p"},
    [{"item": "x", "version": "0"}], [{"item": "y", "version": 1}], [{"item": "x", "partition": "a.b", "more": [1]}],
    [{"item": "x", "table": "facts"}], [{"item": "x", "table": "t"}], [{"item": "x"}, {"item": "x"}],
    {"a": "p", "seed": 1.0}]"""
)
VALUES += [10**160, 10**1200, "x" * 1024, "x" * 1025, [[]] * 40, {str(n): n for n in range(200)}]
BYTES = b'{}[]":,0129\\ \t\n\r\x00\x0b\x1fabcrw\xc3\xa9\xff-.eEu'


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The text with something changed: a byte, a line, a key, a value."""
    kind, at = rng.randrange(9), rng.randrange(len(data) + 1)
    if kind == 0:
        return data[:at] + bytes([rng.choice(BYTES)]) + data[at:]
    if kind == 1:
        return data[:at] + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at : at + rng.randrange(1, 12)] * 2 + data[at:]
    if kind == 3:
        return data[:at]
    rows = data.split(b"\n")
    one, other = rng.randrange(len(rows)), rng.randrange(len(rows))
    if kind == 4:
        rows[one], rows[other] = rows[other], rows[one]
    elif kind == 5:
        rows.insert(other, rows[one])
    elif kind == 6:
        del rows[one]
    else:
        rows[one] = _other_member(rows[one], rng)
    return b"\n".join(rows)


def _other_member(row: bytes, rng: random.Random) -> bytes:
    try:
        entry = json.loads(row)
    except ValueError:
        return row
    if not isinstance(entry, dict) or not entry:
        return row
    if rng.random() < 0.3:
        entry.pop(rng.choice(list(entry)))
    else:
        entry[rng.choice(KEYS)] = rng.choice(VALUES)
    out = json.dumps(entry, ensure_ascii=rng.random() < 0.5).encode()
    return out[:-1] + b',"%s":1}' % rng.choice(KEYS).encode() if rng.random() < 0.1 else out


@given(schedules(max_events=12), st.integers(0, 2**32), st.integers(0, 3))
def test_sound_and_broken_traces_of_wide_schedules_are_read_alike(schedule: Schedule, seed: int, changes: int) -> None:
    rng = random.Random(seed)
    data = text_of(schedule, rng)
    for _ in range(changes):
        data = mutated(data, rng) if data else data
    agree(data)


def corpus(seeds: range) -> list[bytes]:
    out = []
    for seed in seeds:
        rng = random.Random(seed)
        data = text_of(random_schedule(seed, 14), rng)
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            data = mutated(data, rng) if data else data
        out.append(data)
    return out


def test_sound_and_broken_traces_of_dense_schedules_are_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    for number, data in enumerate(corpus(range(500))):
        monkeypatch.setattr(lines_table, "_CHUNK", 60 if number % 3 else 1 << 18)
        read += agree(data)
    assert 150 < read < 430


def tiny(rng: random.Random) -> bytes:
    """A few events over two items, three transactions and two labels, whatever the rules say."""
    labels = rng.choice(((None,), ("0", "3", "4"), ("0", "3", "5", None)))
    aborts = rng.random() < 0.5

    def row() -> dict[str, Any]:
        return {"item": rng.choice("xy"), "version": rng.choice(labels)}

    out: list[str] = []
    for _ in range(rng.randrange(2, 9)):
        entry: dict[str, Any] = {
            "op": rng.choice("wwwwrrppppccba" if aborts else "wwwwrrppppc"),
            "txn": rng.randrange(3),
        }
        if entry["op"] in "wr":
            entry |= row()
        if entry["op"] == "w":
            entry["version"] = len(out) + 3 if rng.random() < 0.5 else entry["version"]
            entry |= {
                "predicates": ["P"] * (rng.random() < 0.6),
                rng.choice(("insert", "delete", "u")): rng.random() < 0.4,
            }
        elif entry["op"] == "p":
            rows = [row() for _ in range(rng.choice((0, 1, 1, 2)))]
            cut = rng.randrange(len(rows) + 1)
            entry |= {"op": "r", "predicate": rng.choice("PPPQ"), "matched": rows[:cut], "unmatched": rows[cut:]}
            entry["partial"] = rng.random() < 0.2
        if rng.random() < 0.2:
            entry["session"] = "s" if rng.random() < 0.9 else "t"
        out.append(json.dumps(entry))
    return "\n".join(out).encode()


def test_small_traces_that_break_any_rule_are_refused_alike_and_the_others_read_alike() -> None:
    rng = random.Random(11)
    read = sum(agree(tiny(rng)) for _ in range(900))
    assert 110 < read < 790


def test_a_trace_as_large_as_the_other_reader_takes_is_read_alike() -> None:
    rng = random.Random(7)
    out: list[dict[str, Any]] = []
    written: dict[str, list[int]] = {}
    own: dict[int, dict[str, int]] = {txn: {} for txn in range(6)}
    for label in range(1, 5_000):
        txn, item = rng.choice(list(own)), f"k{rng.randrange(300)}"
        session = {"session": txn % 6} if rng.random() < 0.5 else {}
        if rng.random() < 0.1:
            del own[txn]
            own[txn + 6] = {}
            out.append({"op": rng.choice("ccca"), "txn": txn, **session})
        elif rng.random() < 0.5:
            written.setdefault(item, []).append(label)
            own[txn][item] = label
            out.append({"op": "w", "txn": txn, "item": item, "version": label, **session})
        else:
            seen = own[txn].get(item) or rng.choice([0, *written.get(item, [])])
            out.append({"op": "r", "txn": txn, "item": item, "version": str(seen), **session})
    assert agree("".join(json.dumps(entry) + "\n" for entry in out).encode())


#: Texts each of which needs something that no other one needs.
SPECIAL = [
    '{"op":"w","txn":"1","item":"x","version":"1"}\n{"op":"r","txn":"2","item":"x","version":"\\u0031"}',
    '{"op":"w","txn":"1","item":"é","version":"1"}\n{"op":"r","txn":"2","item":"e\u0301","version":"1"}',
    '{"op":"w","txn":"1","item":"x","version":"1"}\n{"op":"w","txn":"2","item":"x","version":1}',
    '{"op":"r","txn":"1","item":"x","version":"0","matched":[]}',
    '{"op":"r","txn":"1","predicate":"P","matched":[],"value":null}',
    '{"op":"w","txn":"1","item":"x","predicates":["P","P"],"delete":true}',
    '{"op":"b","txn":"1","\\u0061":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}\n{"op":"c","txn":"1"}',
    '{"op":"j","txn":"1","R":"a","theta":{"a":1,"b":2}}\n{"op":"j","txn":"1","R":"a","theta":{"b":2,"a":1.0}}',
    '{"op":"r","txn":"1","item":"x","partition":"a.b"}\n{"op":"r","txn":"1","item":"x","partition":"a.c"}',
    '{"op":"w","txn":"1","item":"x","version":1}\n{"op":"w","txn":"1","item":"x","version":2}\n{"op":"c","txn":"1"}',
    '{"op":"r","txn":"1","predicate":"P","matched":[{"item":"x"}]}\n{"op":"r","txn":"1","predicate":"P","matched":[]}',
    '{"op":"w","txn":"1","item":"x","insert":true}\n{"op":"r","txn":"2","item":"x","version":0}\n{"op":"c","txn":"1"}',
    '{"op":"w","txn":"1","item":"x"}\n{"op":"r","txn":"2","predicate":"P","matched":[]}',
    '{"op":"w","txn":"1","item":"x"}\n{"op":"r","txn":"2","predicate":"P","matched":[{"item":"x"}]}',
    '\ufeff{"op":"b","txn":"1"}\n\x0c\n\x85\n \t\n{"op":"c","txn":"1"}',
    '\ufeff{"op":"b","txn":"1"\n',
    '\n\ufeff{"op":"b","txn":"1"}',
    '{"op":"b","txn":"1","note":"a\u2028b\x7f\x85"}\x0b',
    json.dumps({"op": "b", "txn": "é" * 1024, "session": "é" * 1024}, ensure_ascii=False),
    *(
        json.dumps({"op": "w", "txn": "1", "item": "x", "version": "1", key: value}, ensure_ascii=False)
        for value in ("e\u0301" * 512, "e\u0301" * 513, "\ufb2c" * 341, "\ufb2c" * 342, "\ufb2c" * 1024)
        for key in ("txn", "session", "version", "table")
    ),
    json.dumps({"op": "w", "txn": "1", "item": "x", "partition": "\ufb2c" * 341 + "." + "\ufb2c" * 342}),
    json.dumps({"op": "w", "txn": "1", "item": "x", "partition": "p." + "\ufb2c" * 341}),
    '{"op":"r","txn":"1","item":"x","table":"s"}\n{"op":"r","txn":"2","item":"x","table":null}',
]


@pytest.mark.parametrize("text", SPECIAL)
def test_what_is_special_is_read_alike(text: str) -> None:
    agree(text.encode())
    agree(text.replace("\n", "\r\n\n").encode())


def _without_flags(scan: Callable[..., None]) -> Callable[..., None]:
    def broken(*arguments: Any) -> None:
        scan(*arguments)
        arguments[5].flags[:] &= ~FOREIGN

    return broken


def _all_final(walk: Callable[..., Any]) -> Callable[..., Any]:
    def broken(*arguments: Any) -> Any:
        walked = walk(*arguments)
        walked.final[:] = 1
        return walked

    return broken


def _nothing_omitted(omitted: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: tuple(column[:0] for column in omitted(*arguments))


def _one_table(items: Callable[..., Any]) -> Callable[..., Any]:
    return lambda table, *others: items(table * 0, *others)


def _skipped(read: Callable[..., None]) -> Callable[..., None]:
    def broken(careful: Any, numbers: Any, limit: int) -> None:
        careful.table.columns.op[numbers] = NOTHING

    return broken


def _no_partitions(known_of: Callable[..., Any]) -> Callable[..., Any]:
    def broken(table: Any) -> Any:
        known = known_of(table)
        event, number = known.partition
        return replace(known, partition=(event, number * 0))

    return broken


MUTANTS: dict[str, tuple[Any, str, Callable[[Any], Any]]] = {
    "keys of the other kind of read": (lines_table, "scan", _without_flags),
    "names as they are written": (lines_table, "aliases", lambda _: lambda pool: (pool, None)),
    "labels that are numbers only when they are written as numbers": (
        lines_table,
        "code_of_text",
        lambda _: lambda pool, number: -2 - number,
    ),
    "every write final": (lines_build, "walk", _all_final),
    "ranks that count every write": (lines_build, "ranks", lambda _: lambda walked, of, count: walked.made_by + 1),
    "rows that are not listed are not seen": (lines_build, "omitted", _nothing_omitted),
    "rows that are listed on the wrong side": (lines_build, "check_listed", lambda _: lambda *arguments: None),
    "tables are one": (lines_build, "items", _one_table),
    "partitions are one": (lines, "known_of", _no_partitions),
    "broken rules are not noted": (lines_build, "note", lambda _: lambda *arguments: None),
    "values as they are written": (lines_values, "probe", lambda _: lambda kind, raw: raw),
    "odd lines are left out": (lines_table._Careful, "read", _skipped),
    "lines that end in a carriage return": (lines_table, "chunks", lambda old: lambda data: list(old(data))[:1]),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_reader_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, broken = MUTANTS[name]
    monkeypatch.setattr(lines_table, "_CHUNK", 60)
    monkeypatch.setattr(module, function, broken(getattr(module, function)))
    with pytest.raises((AssertionError, IndexError, ValueError, TypeError)):
        for data in (*(text.encode() for text in SPECIAL), *corpus(range(250))):
            agree(data)


@pytest.mark.parametrize("name", [*SAME, *NAMED, *LISTS, "matches"])
def test_the_comparison_sees_every_part_of_a_trace(name: str) -> None:
    schedule = next(one for one in map(random_schedule, range(5_000)) if _rich(one))
    trace = of_schedule(schedule)
    value = getattr(trace, name)
    other: Any
    if name == "events":
        other = value + 1
    elif name in LISTS:
        other = [*value[1:], value[0]] if len(set(value)) > 1 else []
    else:
        other = value.copy()
        at = int(np.argmax(other >= 0)) if name in NAMED else 0
        other[at] = not other[at] if other.dtype == bool else other[at] + 1 if name in SAME else -1 - other[at] * 0
    members: dict[str, Any] = {name: other}
    assert canonical(replace(trace, **members)) != canonical(trace)


def _rich(schedule: Schedule) -> bool:
    trace = of_schedule(schedule)
    return all((getattr(trace, name) >= 0).any() for name in NAMED) and len(trace.matches) > 0
