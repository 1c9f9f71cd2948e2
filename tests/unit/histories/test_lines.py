"""The fast reader of JSON Lines traces: what it makes, what it refuses and in which words, how it grows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numba")

import numpy as np

from toki_verify.events import Item, Predicate, Problem
from toki_verify.histories.readers import lines, lines_build, lines_compile, lines_table
from toki_verify.histories.readers.lines_pool import NAME, QUOTED, RAW, Names, intern_text, new_pool, with_room
from toki_verify.histories.trace import Trace
from toki_verify.notation.jsontext import Node, parse_json


def read(text: str | bytes, **options: Any) -> tuple[Trace | None, list[Problem]]:
    return lines.read_trace(text.encode() if isinstance(text, str) else text, "f.jsonl", **options)


def trace(text: str, **options: Any) -> Trace:
    found, problems = read(text, **options)
    assert found is not None, problems
    return found


def text(*events: dict[str, Any]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def b(txn: Any, **more: Any) -> dict[str, Any]:
    return {"op": "b", "txn": txn, **more}


def c(txn: Any, **more: Any) -> dict[str, Any]:
    return {"op": "c", "txn": txn, **more}


def a(txn: Any, **more: Any) -> dict[str, Any]:
    return {"op": "a", "txn": txn, **more}


def r(txn: Any, item: Any = "x", version: Any = None, **more: Any) -> dict[str, Any]:
    return {"op": "r", "txn": txn, "item": item, "version": version, **more}


def w(txn: Any, item: Any = "x", version: Any = None, **more: Any) -> dict[str, Any]:
    return {"op": "w", "txn": txn, "item": item, "version": version, **more}


def p(txn: Any, *matched: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"op": "r", "txn": txn, "predicate": "P", "matched": list(matched), **more}


def test_a_plain_trace_becomes_the_columns_that_one_would_write_down_by_hand() -> None:
    found = trace(text(b(1, session="s"), r(1, "x", 0), w(1, "x", 5), r(2, "x", "5"), c(1), w(2, "y", 1), a(2)))
    assert found.events == 7
    assert (found.start.tolist(), found.end.tolist(), found.outcome.tolist()) == ([0, 3], [4, 6], [1, 0])
    assert (found.session.tolist(), found.place.tolist(), list(found.sessions)) == ([0, -1], [0, -1], ["s"])
    assert found.kind.tolist() == [0, 1, 0, 1]  # R W R W
    assert (found.event.tolist(), found.txn.tolist(), found.item.tolist()) == ([1, 2, 3, 5], [0, 0, 1, 1], [0, 0, 0, 1])
    assert found.version.tolist() == [0, 2, 2, 3]
    assert (found.version_item.tolist(), found.writer.tolist()) == ([0, 1, 0, 1], [-1, -1, 1, 3])
    assert (found.rank.tolist(), found.final.tolist()) == ([0, 0, 1, -1], [True] * 4)
    assert found.row.tolist() == [True, False, True, True]  # version 0 of x was read, that of y nobody knows
    assert list(found.labels) == ["0", "0", "5", "1"]
    assert list(found.items) == [Item("facts", "x"), Item("facts", "y")]
    assert list(found.transactions) == ["1", "2"]
    assert found.line is not None and found.line.tolist() == [2, 3, 4, 6]
    assert found.source == "f.jsonl"


def test_a_number_and_a_string_and_an_escaped_string_and_every_normal_form_are_one_name() -> None:
    lines_ = '{"op":"w","txn":1,"item":"é","version":"1"}\n{"op":"c","txn":"\\u0031"}\n'
    lines_ += (
        '{"op":"r","txn":"2","item":"e\\u0301","version":"\\u0031"}\n{"op":"r","txn":2,"item":"e\u0301","version":1}\n'
    )
    found = trace(lines_)
    assert list(found.transactions) == ["1", "2"] and list(found.items) == [Item("facts", "é")]
    assert found.version.tolist() == [1, 1, 1]


def test_labels_with_leading_zeros_or_of_many_digits_stay_apart() -> None:
    labels = ["01", "1", "10", "9" * 18, "9" * 19, "1" + "0" * 18, 10**30, "x"]
    found = trace(text(*(w(n, "x", label) for n, label in enumerate(labels))))
    assert list(found.labels)[1:] == [str(label) for label in labels]


def test_reads_without_a_version_see_the_latest_write_that_is_not_aborted() -> None:
    found = trace(text(w(1), w(2), a(2), r(3), a(1), r(4), w(5), r(5)))
    assert found.version.tolist() == [1, 2, 1, 0, 3, 3]


def test_a_predicate_read_lists_rows_and_sees_the_others() -> None:
    data = text(
        w(1, "y", 1, predicates=["P"], insert=True),
        w(1, "z", 1),
        c(1),
        p(2, {"item": "y", "version": 1}),
        p(3, {"item": "y"}, unmatched=[{"item": "z", "version": 0}]),
        p(4, partial=True),
    )
    found = trace(data)
    assert found.kind.tolist() == [1, 1, 2, 3, 2, 3]  # W W, M N, M N
    assert found.version.tolist() == [2, 3, 2, 3, 2, 1]
    assert [found.predicates[number] for number in found.predicate.tolist() if number >= 0] == [
        Predicate("facts", "P")
    ] * 4
    assert found.row.tolist() == [False, False, True, True]


def test_judge_keys_are_equal_when_their_values_are() -> None:
    first, second = {"seed": 1.0, "prompt": "p"}, {"prompt": "p", "seed": 1}
    found = trace(
        text(*({"op": "j", "txn": 1, "R": 7, "theta": theta, "vote": 1} for theta in (first, second, "θ", "theta")))
    )
    assert found.key.tolist()[0] == found.key.tolist()[1] != found.key.tolist()[2] == found.key.tolist()[3]
    assert found.keys[found.key[0]] == ("7", '{"prompt":"p","seed":1}') and found.votes == ["1"]


def test_partitions_provenances_and_operators_are_kept() -> None:
    found = trace(text(w(1, "x", 1, partition='"a b".c', prov="p + q", operator="await", delete=True), r(2, "x", 1)))
    assert found.partitions == [("a b", "c")] and found.partition.tolist() == [0]
    assert found.provenances == ["p+q"] and found.prov.tolist() == [-1, 0]
    assert (found.by_await.tolist(), found.row.tolist()) == ([False, True], [False, False])


BROKEN = {
    "a truncated last line": (b'{"op":"b","txn":"1"}\n{"op":"c","tx', 2, 11, "json"),
    "half a line of another writer": (b'{"op":"b","txn":"1"}\n{"op":"c","{"op":"b","txn":"2"}\n', 2, 14, "json"),
    "a key twice": (b'{"op":"b","txn":"1","txn":"2"}', 1, 21, "duplicate-key"),
    "a key twice inside of an unknown value": (b'{"op":"b","txn":"1","u":[{"a":1,"a":2}]}', 1, 33, "duplicate-key"),
    "an unknown key twice": (b'{"op":"b","u":1,"txn":"1","u":1}', 1, 27, "duplicate-key"),
    "a number of many digits": (b'{"op":"b","txn":"1","t":1' + b"0" * 100_000 + b"}", 1, 25, "limit-digits"),
    "a number that is infinite": (b'{"op":"b","txn":"1","t":1e400}', 1, 25, "limit-digits"),
    "deep nesting": (b'{"op":"b","txn":"1","u":' + b"[" * 100_000, 1, 94, "limit-depth"),
    "a lone surrogate": (b'{"op":"b","txn":"1","u":"\\ud800"}', 1, 25, "json"),
    "a NUL byte": (b'{"op":"b","txn":"1"}\n{"op":"c","txn":"\0"}', 2, 18, "binary"),
    "a byte that is not UTF-8": (b'{"op":"b","txn":"1"}\r\n{"op":"c","txn":"\xff"}', 2, 18, "encoding"),
    "UTF-16": ('{"op":"b"}'.encode("utf-16"), 1, 1, "encoding"),
    "gzip": (b"\x1f\x8b\x08\x00", 1, 1, "encoding"),
    "no event": (b"\n \n", 1, 1, "empty"),
    "no byte": (b"", 1, 1, "empty"),
    "no object": (b'["op"]', 1, 1, "json-form"),
    "an operation that nobody knows": (b'{"txn":"1","op":"read"}', 1, 17, "op"),
    "a long line": (b'{"op":"b","txn":"1","u":"' + b"u" * 1_000_000 + b'"}', 1, 1, "limit-line"),
    "a line that is long in any encoding": (b"[" + b"1," * 3_000_000 + b"1]\n{", 1, 1, "limit-line"),
    "a long name": (b'{"op":"b","txn":"' + b"u" * 1_025 + b'"}', 1, 17, "limit-name"),
    "a provenance that is none": (b'{"op":"w","txn":"1","item":"x","prov":"p+"}', 1, 39, "provenance"),
    "a partition that is none": (b'{"op":"r","txn":"1","item":"x","partition":"p"}', 1, 44, "partition"),
}


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_event_is_refused_with_its_place(name: str, large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if large:
        monkeypatch.setattr(lines, "EVENTS", -1)  # too large for the reader of small traces
    data, line, column, rule = BROKEN[name]
    found, problems = read(data)
    assert found is None
    first = problems[0]
    assert (first.file, first.line, first.column, first.rule) == ("f.jsonl", line, column, rule), str(first)
    assert str(first).startswith(f"f.jsonl:{line}:{column}: ")


RULES = {
    "one-end": (text(b(1), c(1), a(1)), 3, 1, "T1 has already committed"),
    "after-end": (text(b(1), a(1), r(1)), 3, 1, "T1 has already aborted"),
    "begin-first": (text(r(1), b(1)), 2, 1, "T1 has already begun"),
    "version-0": (text(w(1, "x", 0)), 1, 1, "a write of version 0 of x"),
    "unique-version": (text(w(1, "x", 1), w(2, "x", "1")), 2, 1, "version 1 of x is written twice"),
    "read-after-write": (text(r(1, "x", "v"), w(2, "x", "v")), 1, 1, "version v of x is read"),
    "own-write": (text(w(1, "x", 1), r(1, "x", 0)), 2, 1, "T1 has written"),
    "one-version-per-row": (text(p(1, {"item": "x"}, {"item": "x"})), 1, 1, "row x is listed twice"),
    "session": (text(b(1, session="s"), c(1, session="t")), 2, 23, "T1 in another session"),
    "type": (text(r(1, "x", 0, matched=None)), 1, 1, "a read with keys of the other kind of read"),
    "predicate-twice": (text(w(1, "x", 1, predicates=["P", "P"])), 1, 1, "a predicate is named twice"),
    "partition": (text(r(1, partition="a.b"), r(2, partition="a.c")), 2, 66, "x in another partition"),
    "predicate-match": (
        text(w(1, "x", 1), p(2, {"item": "x", "version": 1})),
        2,
        1,
        "version 1 of x is listed on the wrong",
    ),
    "omitted-row": (text(w(1, "x", 1, predicates=["P"]), p(1)), 2, 1, "does not list row x"),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_rule_is_said_of_large_traces_as_of_small_ones(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, line, column, words = RULES[rule]
    _, small = read("\n" + data)
    monkeypatch.setattr(lines, "EVENTS", -1)
    found, large = read("\n" + data)
    assert found is None
    assert [(one.rule, one.line, one.column) for one in large] == [(one.rule, one.line, one.column) for one in small]
    assert (large[0].line, large[0].column, large[0].rule) == (line + 1, column, rule)
    assert words in large[0].what and large[0].expected and large[0].context


def test_a_read_of_a_row_that_nobody_wrote_names_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "EVENTS", -1)
    _, problems = read(text(p(1, {"item": "y", "version": "7"})))
    assert "version 7 of y is read" in problems[0].what


def test_of_many_problems_the_first_are_said_and_the_others_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "EVENTS", -1)
    for data, many in (("{}\n" * 200, 200), (text(c(1), *([r(1)] * 120)), 120)):
        _, problems = read(data)
        assert len(problems) == 51
        assert problems[-1].rule == "many" and problems[-1].what == f"{many - 50} more problems after this one"


def test_bad_lines_are_left_out_on_demand_and_counted() -> None:
    good = text(b(1), w(1, "x", 1))
    data = good.encode() + b'{"op":"c"\nnonsense\n{"op":"r","txn":"2","item":"\xff"}\n' + text(c(1)).encode()
    assert read(data)[0] is None
    found, problems = read(data, skip_bad=True)
    assert found is not None and not problems
    assert (found.events, found.outcome.tolist()) == (3, [1])
    assert found.line is not None and found.line.tolist() == [2]
    assert len(found.warnings) == 1 and found.warnings[0].startswith("3 lines that hold no event left out")
    assert "f.jsonl:3:" in found.warnings[0]
    assert trace(good, skip_bad=True).warnings == ()


def test_a_value_that_is_none_makes_its_line_bad_and_only_that() -> None:
    data = text(w(1, "x", 1, prov="p+"), w(2, "y", 1, prov="p", partition="a.b"), w(3, "z", 1, partition="a"))
    found = trace(data, skip_bad=True)
    assert list(found.items) == [Item("facts", "y")] and found.provenances == ["p"]
    assert found.warnings[0].startswith("2 lines")


def test_a_broken_rule_is_a_problem_where_bad_lines_are_left_out_too() -> None:
    found, problems = read("?\n" + text(c(1), r(1)), skip_bad=True)
    assert found is None and problems[0].rule == "after-end" and problems[0].line == 3


def test_a_file_of_one_schedule_object_is_that_schedule_and_of_two_it_is_refused() -> None:
    one = json.dumps(
        {"schedule": "s", "order": {"x": ["0", "2", "1"]}, "events": [w(1, "x", 1), w(2, "x", 2), c(1), c(2)]}
    )
    found = trace(one)
    assert found.rank.tolist() == [0, 2, 1]
    refused, problems = read(one + "\n" + one.replace('"s"', '"t"'))
    assert refused is None and problems[0].what == "2 schedule objects"
    assert read(one + "\n" + text(b(1)))[0] is None


def test_a_trace_that_unfolds_to_too_many_accesses_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = text(*(w(n, f"x{n}") for n in range(50)), *(p(n) for n in range(50)))
    assert len(trace(data).kind) == 50 + 50 * 50
    monkeypatch.setattr(lines_build, "ACCESSES", 2_500)
    monkeypatch.setattr(lines, "EVENTS", -1)
    found, problems = read(data)
    assert found is None and problems[0].rule == "limit-accesses"


def test_chunks_lie_one_behind_the_other_and_end_behind_newlines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_table, "_CHUNK", 7)
    for data in (
        b"",
        b"a",
        b"ab\n" * 9,
        b"a long line without an end",
        b"\xef\xbb\xbfabc\n\n\n\nlonger than that\nx",
        b"\r" * 20,
    ):
        parts = list(lines_table.chunks(data))
        begin = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        assert b"".join(data[one:two] for one, two in parts) == data[begin:]
        assert all(data[two - 1 : two] in (b"\n", b"\r") for _, two in parts[:-1])
        assert not any(data[two - 1 : two + 1] == b"\r\n" for _, two in parts)
        assert all(two - one <= 8 or len(data[one:two].splitlines()) == 1 for one, two in parts)


def test_a_file_in_small_chunks_is_the_same_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    data = text(
        *(w(n % 7, f"x{n % 11}", f"v{n}", predicates=["P"], session=n % 7) for n in range(300)), p(9, partial=True)
    )
    whole = trace(data)
    monkeypatch.setattr(lines_table, "_CHUNK", 200)
    parts = trace(data)
    assert parts.version.tolist() == whole.version.tolist() and list(parts.labels) == list(whole.labels)
    assert parts.matches.tolist() == whole.matches.tolist()


def test_a_bad_byte_of_a_file_of_any_size_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_table, "FILE_BYTES", 10)
    monkeypatch.setattr(lines_table, "_CHUNK", 30)
    problem = lines_table.encoding_problem(b'{"op":"b","txn":"1"}\n' * 40 + b'{"op":"\xff"}\n', "f")
    assert problem is not None and (problem.line, problem.column, problem.rule) == (41, 8, "encoding")


@given(st.lists(st.tuples(st.text("ab\0\x7fé", max_size=10), st.sampled_from((NAME, QUOTED, RAW))), max_size=300))
def test_the_pool_numbers_texts_as_a_dictionary_does(texts: list[tuple[str, int]]) -> None:
    pool = new_pool()
    numbers: dict[tuple[str, int], int] = {}
    for one, kind in texts:
        pool, number = intern_text(pool, one, kind)
        assert number == numbers.setdefault((one, kind), len(numbers))
    pool = with_room(pool, 5_000, 50_000)
    assert [(pool.text(number), pool.kind(number)) for number in range(pool.size)] == list(numbers)
    assert [intern_text(pool, one, kind)[1] for one, kind in numbers] == list(range(len(numbers)))


def test_names_are_a_sequence() -> None:
    pool, number = intern_text(new_pool(), "x")
    names = Names(pool, np.array([-2 - number, 12, -1]))
    assert (len(names), names[0], names[1], names[-1], names[:2], list(names)) == (
        3,
        "x",
        "12",
        "",
        ["x", "12"],
        ["x", "12", ""],
    )
    with pytest.raises(IndexError):
        names[3]


def test_compiled_code_of_an_earlier_version_is_forgotten(tmp_path: Path) -> None:
    class File:
        _source_stamp = "of the function"

    class Kept:
        _cache_file = File()
        flushed = 0

        def load_overload(self, *arguments: object) -> object:
            raise AttributeError("a type that is gone")

        def flush(self) -> None:
            self.flushed += 1

    (tmp_path / "lines_x.py").write_text("")
    kept = Kept()
    lines_compile._guarded(kept, tmp_path)
    assert kept.load_overload() is None and kept.flushed == 1
    assert kept._cache_file._source_stamp[1][0][0] == "lines_x.py"
    lines_compile._guarded(None, tmp_path)  # a numba without such a cache


def test_behind_too_many_bad_lines_the_rest_is_counted_and_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_table, "GIVE_UP", 3)
    looked: list[str] = []

    def parse(line: str) -> Node:
        looked.append(line)
        return parse_json(line)

    monkeypatch.setattr(lines_table, "parse_json", parse)
    table = lines_table.read_table(b"?\n" * 100 + text(b(1)).encode(), "f")
    assert (len(looked), table.bad, len(table.problems), len(table.columns.op)) == (4, 100, 4, 1)
    assert lines_table.read_table(b"?\n" * 100, "f", give_up=False).bad == 100 and len(looked) == 104
