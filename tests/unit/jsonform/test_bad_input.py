"""Every fault of a JSON text is reported with its line, its column and its rule, several at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toki_verify.events import Problem
from toki_verify.jsonform import read_json, read_json_lines

C = '{"op": "c", "txn": "1"}'


def problems(text: str) -> list[Problem]:
    found, problems = read_json(text, file="f.json")
    assert found == []
    assert all(problem.file == "f.json" for problem in problems)
    return problems


def at(text: str) -> list[tuple[int | None, int | None, str]]:
    return [(problem.line, problem.column, problem.rule) for problem in problems(text)]


#: Name, text, faults.
TEXTS: list[tuple[str, str, list[tuple[int, int, str]]]] = [
    ("empty", "", [(1, 1, "json")]),
    ("white space", " \n\t", [(2, 2, "json")]),
    ("empty array", "[]", [(1, 1, "empty")]),
    ("no JSON", "r1[x0]", [(1, 1, "json")]),
    ("two values", '{"events": []} {}', [(1, 16, "json")]),
    ("trailing comma", f"[{C},]", [(1, 26, "json")]),
    ("trailing comma of an object", '{"events": [],}', [(1, 15, "json")]),
    ("no colon", '{"events" []}', [(1, 11, "json")]),
    ("no quotes", "{events: []}", [(1, 2, "json")]),
    ("single quotes", "{'events': []}", [(1, 2, "json")]),
    ("comment", "// a\n[]", [(1, 1, "json")]),
    ("unclosed array", '{"events":\n [', [(2, 3, "json")]),
    ("unclosed object", '{"events": []', [(1, 14, "json")]),
    ("unclosed string", '{"events', [(1, 2, "json")]),
    ("unknown escape", '{"a\\q": 1}', [(1, 4, "json")]),
    ("line end in a string", '{"a\n": 1}', [(1, 4, "json")]),
    ("NUL", "[\0]", [(1, 2, "json")]),
    ("NUL in a string", '{"a\0": 1}', [(1, 4, "json")]),
    ("byte order mark", "\ufeff{}", [(1, 1, "json")]),
    ("no-break space", "\u00a0{}", [(1, 1, "json")]),
    ("CRLF", '{\r\n"a": tru\r\n}', [(2, 6, "json")]),
    ("CR", '{\r"a":\r\rx}', [(4, 1, "json")]),
    ("tab", "[\t\tx]", [(1, 4, "json")]),
    ("duplicate key", '{"events": [],\n "events": []}', [(2, 2, "duplicate-key")]),
    ("duplicate key inside", '{"events": [{"op": "c", "txn": "1", "op": "a"}]}', [(1, 37, "duplicate-key")]),
    ("duplicate key by escapes", '{"a": 1, "\\u0061": 2}', [(1, 10, "duplicate-key")]),
    ("huge integer", '{"n": ' + "9" * 1_001 + "}", [(1, 7, "limit-digits")]),
    ("infinite number", '{"n": 1e999}', [(1, 7, "limit-digits")]),
    ("NaN", '{"n": NaN}', [(1, 7, "json")]),
    ("Infinity", '{"n": -Infinity}', [(1, 7, "json")]),
    ("leading zero", '{"n": 01}', [(1, 8, "json")]),
    ("plus", '{"n": +1}', [(1, 7, "json")]),
    ("bare dot", '{"n": .5}', [(1, 7, "json")]),
    ("deep arrays", "[" * 100_000, [(1, 71, "limit-depth")]),
    ("deep objects", '{"a":' * 100_000, [(1, 351, "limit-depth")]),
    ("lone surrogate", '{"s": "\\ud800"}', [(1, 7, "json")]),
    ("lone surrogate in a key", '{"\\udfff": 1}', [(1, 2, "json")]),
    ("lone surrogate unescaped", '{"s": "\ud800"}', [(1, 7, "json")]),
    ("a scalar", "3", [(1, 1, "json-form")]),
    ("no events", '{"schedule": "a"}', [(1, 1, "json-form")]),
    ("null events", '{"events": null}', [(1, 1, "json-form")]),
    ("empty events", '{"events": []}', [(1, 1, "no-events")]),
    ("too many events", '{"events": [' + ",".join([C] * 5_001) + "]}", [(1, 12, "limit-events")]),
    ("too many events of a trace", "[" + ",".join([C] * 5_001) + "]", [(1, 1, "limit-events")]),
    ("scalars in an array", "[1, null]", [(1, 2, "json-form"), (1, 5, "json-form")]),
]
R = {"op": "r", "txn": "1", "item": "x", "version": "0"}
P = {"op": "r", "txn": "1", "predicate": "P", "matched": []}
W = {"op": "w", "txn": "1", "item": "x", "version": "1"}
J = {"op": "j", "txn": "1", "R": "R", "theta": "t"}
CB = {"op": "cb", "txn": "1", "R": "R", "h": "h", "k": 1}
END = {"op": "c", "txn": "1"}

#: An event with one wrong key; the text of the value at fault (None: the event itself), the rule.
WRONG_EVENTS: list[tuple[dict[str, Any], str | None, str]] = [
    ({"txn": "1"}, None, "json-form"),
    ({"op": "c"}, None, "json-form"),
    ({"op": None, "txn": "1"}, None, "json-form"),
    ({"op": "commit", "txn": "1"}, '"commit"', "op"),
    ({"op": 1, "txn": "1"}, "1,", "op"),
    ({"op": ["r"], "txn": "1"}, "[", "op"),
    ({"op": {}, "txn": "1"}, "{}", "op"),
    (END | {"txn": ""}, '""', "limit-name"),
    (END | {"txn": "x" * 1_025}, '"xx', "limit-name"),
    (END | {"txn": "a\0"}, '"a', "name"),
    (END | {"txn": -1}, "-1", "json-form"),
    (END | {"txn": 1.5}, "1.5", "json-form"),
    (END | {"txn": True}, "true", "json-form"),
    (END | {"txn": []}, "[", "json-form"),
    (END | {"txn": {}}, "{}", "json-form"),
    (END | {"t": "0"}, '"0"', "json-form"),
    (END | {"t": True}, "true", "json-form"),
    (END | {"t": []}, "[", "json-form"),
    (END | {"session": True}, "true", "json-form"),
    (END | {"session": ""}, '""', "limit-name"),
    ({"op": "r", "txn": "1"}, None, "json-form"),
    (R | {"item": 1.5}, "1.5", "json-form"),
    (R | {"item": None}, None, "json-form"),
    (R | {"version": False}, "false", "json-form"),
    (R | {"version": []}, "[", "json-form"),
    (R | {"table": {}}, "{}", "json-form"),
    (R | {"table": ""}, '""', "limit-name"),
    (R | {"partition": 12}, "12", "json-form"),
    (R | {"partition": "alice"}, '"alice"', "partition"),
    (R | {"partition": "a b.c"}, '"a b', "partition"),
    (R | {"partition": ""}, '""}', "partition"),
    (R | {"partition": ".c"}, '".c"', "partition"),
    (R | {"partition": '"a'}, '"\\"a', "partition"),
    (P | {"predicate": []}, "[],", "json-form"),
    (P | {"matched": "x"}, '"x"', "json-form"),
    (P | {"matched": ["x"]}, '"x"', "json-form"),
    (P | {"matched": [{}]}, "{}", "json-form"),
    (P | {"matched": [{"item": "x", "version": 0.5}]}, "0.5", "json-form"),
    (P | {"unmatched": {}}, "{}", "json-form"),
    (P | {"matched": [{"item": "x", "version": "0", "table": "t"}]}, '{"item"', "row-table"),
    (P | {"partial": 1}, "1}", "json-form"),
    (P | {"partial": "yes"}, '"yes"', "json-form"),
    (W | {"predicates": "P"}, '"P"', "json-form"),
    (W | {"predicates": [[]]}, "[]]", "json-form"),
    (W | {"insert": "yes"}, '"yes"', "json-form"),
    (W | {"delete": 0}, "0}", "json-form"),
    (W | {"insert": True, "delete": True}, '"delete"', "write-kind"),
    (W | {"prov": 3}, "3}", "json-form"),
    (W | {"prov": "p-q"}, '"p-q"', "provenance"),
    (W | {"prov": ""}, '""}', "provenance"),
    (W | {"operator": "Await"}, '"Await"', "operator"),
    (W | {"operator": []}, "[]", "operator"),
    (J | {"theta": 3}, "3}", "json-form"),
    (J | {"theta": ""}, '""}', "limit-name"),
    (J | {"theta": ["p"]}, "[", "json-form"),
    (J | {"theta": None}, None, "json-form"),
    (J | {"R": None}, None, "json-form"),
    (J | {"R": {}}, "{}", "json-form"),
    ({"op": "cb", "txn": "1", "R": "R", "h": "h"}, None, "json-form"),
    (CB | {"k": "1"}, '"1"}', "json-form"),
    (CB | {"k": -1}, "-1", "json-form"),
    (CB | {"k": True}, "true", "json-form"),
    (CB | {"k": 10**9}, "1000000000", "json-form"),
    (CB | {"k": 1.0}, "1.0", "json-form"),
    (CB | {"h": ""}, '""', "limit-name"),
    (CB | {"R": 2.5}, "2.5", "json-form"),
    (W | {"version": "0"}, None, "version-0"),
    (R | {"version": "1"}, None, "read-after-write"),
    (W | {"predicates": ["P", "P"]}, None, "predicate-twice"),
    (P | {"matched": [{"item": "x", "version": "0"}, {"item": "x", "version": "0"}]}, None, "one-version-per-row"),
]

GOOD = {"events": [END]}
WRONG_KEYS: list[tuple[dict[str, Any], str, str]] = [
    ({"format": "toki-schedule/2"}, '"toki-schedule/2"', "format"),
    ({"format": 1}, "1}", "format"),
    ({"schedule": ""}, '""', "limit-name"),
    ({"schedule": []}, "[]}", "json-form"),
    ({"source": 1}, "1}", "json-form"),
    ({"note": []}, "[]}", "json-form"),
    ({"init": []}, "[]}", "json-form"),
    ({"init": {"": 1}}, '"":', "item-key"),
    ({"init": {"a b": 1}}, '"a b"', "item-key"),
    ({"init": {"12": 1}}, '"12"', "item-key"),
    ({"init": {"x": {"prov": "+"}}}, '"+"', "provenance"),
    ({"init": {"x": {"prov": 1}}}, "1}}", "json-form"),
    ({"init": {"x": {"predicates": "P"}}}, '"P"', "json-form"),
    ({"init": {"x": 1, "facts:x": 2}}, '"facts:x"', "duplicate-key"),
    ({"init": {"a.b/x": 1, "c.d/y": {}}, "order": {"e.f/x": []}}, '"e.f/x"', "partition"),
    ({"order": []}, "[]}", "json-form"),
    ({"order": {"x": "0"}}, '"0"', "json-form"),
    ({"order": {"x": [[]]}}, "[]]", "json-form"),
    ({"order": {"x": ["1"]}}, '"x"', "order"),
    ({"order": {"x": [], '"x"': []}}, '"\\"x', "duplicate-key"),
    ({"order": {"x": ["0", "0"]}}, '"x"', "order"),
    ({"sessions": []}, "[]}", "json-form"),
    ({"sessions": {"s": "1"}}, '"1"}', "json-form"),
    ({"sessions": {"s": [None]}}, "null", "json-form"),
    ({"sessions": {"": []}}, '"":', "limit-name"),
    ({"sessions": {"s": ["2"]}}, '"s"', "session"),
    ({"sessions": {"s": ["1", "1"]}}, '"s"', "session"),
    ({"sessions": {"é": [], "e\u0301": []}}, '"e\u0301"', "duplicate-key"),
    ({"surface": "closed"}, '"closed"', "json-form"),
    ({"surface": ["open"]}, '"open"', "surface"),
    ({"surface": [1]}, "1]", "surface"),
    ({"surface": ["audit:"]}, '"audit:"', "limit-name"),
    ({"expect": {}}, "{}}", "json-form"),
    ({"expect": ["P4"]}, '"P4"', "json-form"),
    ({"expect": [{}]}, "{}]", "json-form"),
    ({"expect": [{"present": []}]}, '{"present"', "expectation"),
    ({"expect": [{"present": "P4"}]}, '"P4"', "json-form"),
    ({"expect": [{"present": ["P4"], "absent": ["P0"]}]}, '{"present"', "json-form"),
    ({"expect": [{"present": ["P4"], "why": 1}]}, '{"present"', "json-form"),
    ({"expect": [{"present": ["P 4"]}]}, '{"present"', "expectation"),
    ({"expect": [{"present": ["not", "P4"]}]}, '{"present"', "expectation"),
    ({"expect": [{"absent": ["P4"], "family": "adya"}]}, '{"absent"', "expectation"),
    ({"expect": [{"level": ["SI"], "family": ""}]}, '""', "limit-name"),
    ({"events": {}}, "{}}", "json-form"),
    ({"events": "c1"}, '"c1"', "json-form"),
    ({"events": [1]}, "1]", "json-form"),
    ({"events": [[]]}, "[]]", "json-form"),
    ({"note": "a\0"}, "{", "text"),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in TEXTS], ids=[case[0] for case in TEXTS])
def test_broken_documents(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert at(text) == expected


@pytest.mark.parametrize(
    ("event", "where", "rule"), WRONG_EVENTS, ids=[json.dumps(case[0])[:70] for case in WRONG_EVENTS]
)
@pytest.mark.parametrize("line", [1, 2])
def test_wrong_events_in_objects_traces_and_lines(
    event: dict[str, Any], where: str | None, rule: str, line: int
) -> None:
    text = json.dumps(event)
    column = 1 + (text.index(where) if where is not None else 0)
    other = json.dumps({"op": "c", "txn": "other"})
    before = f"{other},\n" * (line - 1)
    assert at(f'{{"events":[\n{before}{text}]}}') == [(line + 1, column, rule)]
    trace = f"{other}\n" * (line - 1) + text
    found, faults = read_json_lines(trace, file="f.jsonl")
    assert found == []
    assert [(problem.line, problem.column, problem.rule) for problem in faults] == [(line, column, rule)]
    if event.get("op") is not None and "op" in event:
        assert at(f"[\n{before}{text}]") == [(line + 1, column, rule)]


@pytest.mark.parametrize(("more", "where", "rule"), WRONG_KEYS, ids=[json.dumps(case[0])[:70] for case in WRONG_KEYS])
def test_wrong_keys_of_schedule_objects(more: dict[str, Any], where: str, rule: str) -> None:
    text = json.dumps(more, ensure_ascii=False)
    whole = text if "events" in more else f'{text[:-1]},\n"events": [{C}]}}'
    assert at(f"\n {whole}") == [(2, 2 + text.index(where), rule)]


def test_every_message_says_what_was_expected_and_is_short() -> None:
    texts = [case[1] for case in TEXTS] + [json.dumps({"events": [event]}) for event, _, _ in WRONG_EVENTS]
    texts += [json.dumps(GOOD | more) for more, _, _ in WRONG_KEYS]
    for text in texts:
        for problem in problems(text):
            assert problem.what and problem.expected
            assert str(problem).startswith(f"f.json:{problem.line}:{problem.column}: ")
            assert len(str(problem)) < 1_000
            assert len(problem.context or "") <= 60 and "\n" not in (problem.context or "")


def test_several_problems_are_reported_at_once_and_in_order() -> None:
    text = """{"format": "x", "schedule": 1.5,
 "init": {"x": {"prov": "+"}},
 "order": [], "sessions": 1,
 "surface": ["open"], "expect": [{}],
 "events": [{"op": "r"}, {"op": "q", "txn": "1"},
  {"op": "r", "txn": "1", "item": 0.5}, 7],
 "note": 3}"""
    assert at(text) == [
        (1, 12, "format"),
        (1, 29, "json-form"),
        (2, 25, "provenance"),
        (3, 11, "json-form"),
        (3, 27, "json-form"),
        (4, 14, "surface"),
        (4, 34, "json-form"),
        (5, 13, "json-form"),
        (5, 33, "op"),
        (6, 35, "json-form"),
        (6, 41, "json-form"),
        (7, 10, "json-form"),
    ]


def test_broken_rules_are_reported_at_once() -> None:
    text = f"""{{"order": {{"x": ["1"]}}, "sessions": {{"s": ["9"]}}, "events": [
{C}, {C},
{json.dumps(R | {"txn": "2", "version": "7"})}]}}"""
    assert at(text) == [(1, 12, "order"), (1, 38, "session"), (2, 26, "one-end"), (3, 1, "read-after-write")]


def test_problems_of_several_objects() -> None:
    good, bad = json.dumps(GOOD), json.dumps({"events": [R | {"version": "3"}]})
    found, faults = read_json(f"[{good},\n{bad},\n{good},\n {{}}]")
    assert len(found) == 2
    assert [(problem.line, problem.column, problem.rule) for problem in faults] == [
        (2, 13, "read-after-write"),
        (4, 2, "json-form"),
    ]


def lines(text: str) -> list[tuple[int | None, int | None, str]]:
    return [(problem.line, problem.column, problem.rule) for problem in read_json_lines(text, file="f.jsonl")[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(1, 1, "empty")]),
        ("\n \r\n", [(1, 1, "empty")]),
        ("# a", [(1, 1, "json")]),
        (f"{C}\n{{\n{C}x\n[]\n3", [(2, 2, "json"), (3, 24, "json"), (4, 1, "json-form"), (5, 1, "json-form")]),
        (f"{C}\r\n\r\n{C}", [(3, 1, "one-end")]),
        (f'{C}\r{{"op": "a", "txn": "1"}}', [(2, 1, "one-end")]),
        (f"\ufeff{C}", [(1, 1, "json")]),
        (f'{C}\n{{"events": [{C}]}}', [(1, 1, "json-form")]),
        (f'{{"op": "x"}}\n{{"events": [{C}]}}', [(1, 1, "json-form"), (1, 8, "op")]),
        (f'{{"events": [{C}, {C}]}}\n{{"events": 3}}\n{{', [(1, 38, "one-end"), (2, 12, "json-form"), (3, 2, "json")]),
        (f"{C}\n{' ' * 1_000_001}{{", [(2, 1, "limit-line")]),
        ("\n".join([C] * 5_001), [(1, 1, "limit-events")]),
        (
            '{"op": "c", "txn": "1", "session": "s"}\n{"op": "r", "txn": "1", "item": "x", "session": "t"}',
            [(2, 38, "session")],
        ),
        (
            '{"op": "r", "txn": "1", "item": "x", "partition": "a.b"}\n'
            '{"op": "r", "txn": "1", "item": "x", "partition": "a.c"}',
            [(2, 51, "partition")],
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_broken_lines(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert lines(text) == expected


def test_after_many_problems_the_rest_is_counted() -> None:
    for found in (problems("[" + ",".join(["1"] * 70) + "]"), read_json_lines("1\n" * 70)[1]):
        assert len(found) == 51
        assert (found[-1].rule, found[-1].what) == ("many", "20 more problems after this one")
    objects = "\n".join(['{"events": [1, 2]}'] * 35)
    assert len(read_json_lines(objects)[1]) == 51


def test_an_op_in_words_is_explained() -> None:
    (problem,) = problems('[{"op": "write", "txn": "1"}]')
    assert str(problem) == ("f.json:1:9: op 'write', expected one of b, r, w, c, a, j, cb (for 'write' write 'w') [op]")
    assert "(for 'callback' write 'cb')" in problems('[{"op": "callbac", "txn": "1"}]')[0].expected


def test_values_may_be_nested_as_deeply_as_in_text() -> None:
    def nested(depth: int) -> str:
        return json.dumps({"events": [W | {"value": 0}]}).replace(": 0}", ": " + "[" * depth + "]" * depth + "}")

    assert read_json("[" + nested(64) + "]")[1] == []
    assert [rule for _, _, rule in at(nested(66))] == ["limit-depth"]
    assert [rule for _, _, rule in at("[" + nested(70) + "]")] == ["limit-depth"]
