"""What readers would lose or merge in silence is refused with its place, or kept apart: repeated keys, bytes behind a
gzip member, numbers that a double cannot tell apart, tagged forms, completions that contradict their invocations."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from toki_verify.histories.columns import COMMITTED, UNKNOWN
from toki_verify.histories.formats import unpacked
from toki_verify.histories.one_file import TraceOptions, check_one
from toki_verify.histories.readers import dbcop_json, edn, jepsen, jepsen_edn, json_places, json_source
from toki_verify.histories.readers.completions import contradiction, same_micros
from toki_verify.histories.readers.edn import Exact, Reader, scalar_name
from toki_verify.histories.readers.json_places import Place, locate, may_repeat, places, repeated

from . import test_readers as good
from .test_readers import read, told
from .test_readers_bad import problems

ONCE = "expected each key once [duplicate-key]"
TK = '{"tid":%d,"sid":1,"sts":%s,"cts":9,"ops":[%s]}'
GOOD = TK % (7, "1", '{"t":"w","k":1,"v":7}')


def twice(key: str, kind: str = "object") -> str:
    return f"the key {key} stands twice in one {kind}, {ONCE}"


#: A text, the last place of which the key begins that stands there again, and what is said.
REPEATED: dict[str, tuple[str, str, str]] = {
    "a value": (TK % (1, "1", '{"t":"r","k":1,"v":7,"v":1}'), '"v"', twice("'v'")),
    "a key": (TK % (1, "1", '{"t":"r","k":1,"k":7,"v":7}'), '"k"', twice("'k'")),
    "a clock": (TK % (1, '{"p":1,"p":0,"l":0}', ""), '"p"', twice("'p'")),
    "an escaped key": ('{"tid":1,"\\u0074id":2,"sid":1,"sts":1,"cts":9,"ops":[]}', '"\\u0074id"', twice("'tid'")),
    "a key nobody reads": (TK % (1, "1", '{"t":"r","k":1,"v":7,"x":{"a":[{"b":":","b":1}]}}'), '"b"', twice("'b'")),
    "an escaped colon instead": (TK % (1, "1", '{"t":"w","k":"\\u003a","v":1,"v":2}'), '"v"', twice("'v'")),
    "a large number beside": (TK % (1, "1", '{"t":"w","k":' + "9" * 25 + ',"v":1,"v":2}'), '"v"', twice("'v'")),
    "elle-json: an escaped value": (
        '{"type":"ok","\\u0076alue":[["w",1,1]],"value":[["w",1,2]]}', '"value"', twice("'value'"),
    ),
    "elle-json: f": ('{"type":"ok","f":"txn","f":"nemesis","value":[["w",1,2]]}', '"f"', twice("'f'")),
    "elle-json: two spellings": (
        '{"type":"ok",":value":[["w",1,1]],"value":[["w",1,2]]}', '[["w",1,2',
        "'value' next to ':value', which is the same field, expected one of them [duplicate-key]",
    ),
    "edn": ("{:type :ok :value [[:w 1 1]] :value [[:w 1 2]]}", ":value", twice(":value", "map")),
    "edn: deep, and no scalar": ("{:type :ok :value [[:w 1 1]] :x {[1 {2 3}] 1 (1 {2 3}) 2}}", "(", "the key"),
}  # fmt: skip


@pytest.mark.parametrize("array", [False, True])
@pytest.mark.parametrize("name", REPEATED)
def test_a_repeated_key_is_refused_at_its_place_and_can_be_left_out(name: str, array: bool) -> None:
    text, mark, message = REPEATED[name]
    good = GOOD if '"tid"' in text else '{"type":"ok","value":[["w",1,1]]}'
    good = "{:type :ok :value [[:w 1 1]]}" if text.startswith("{:") else good
    comma = "" if text.startswith("{:") else ","
    file = f"[\n{text}{comma}\n{good}]" if array else f"{text}\n{good}\n"
    expected = f"{1 + array}:{text.rindex(mark) + 1}: {message}"
    found = problems(file)
    assert len(found) == 1 and found[0].startswith(expected)
    history = read(file, skip_bad=True)
    assert history.size == 1 and history.warnings[0].startswith("1 bad ")
    assert f"left out; the first: f:{expected}" in history.warnings[0]


EVENTS = '{"events":[{"Write":{"variable":0,"version":1}}],"committed":true}'
DBCOP: dict[str, tuple[str, list[str], int]] = {
    "events": (
        f'[[{{"events":[["w",0,2]],"events":[["w",0,3]],"committed":true}},\n{EVENTS}]]',
        ["1:25: " + twice("'events'")], 2,
    ),
    "the form of 2019": (
        '[[{"events":[{"write":true,"write":false,"variable":0,"value":1}],"success":true}],\n[' + EVENTS + "]]",
        ["1:28: " + twice("'write'")], 2,
    ),
    "two of them, in an object": (
        '{"data":[[{"events":[],"committed":true,"committed":false},\n{"events":[{"Read":{"variable":1,"variable":2,'
        f'"version":1}}}}],"committed":true}},\n{EVENTS}]]}}',
        ["1:41: " + twice("'committed'"), "2:34: " + twice("'variable'")], 3,
    ),
    "a large number beside": (
        f'[[{{"events":[["w",0,99999999999999999999999]],"committed":true,"committed":true}},\n{EVENTS}]]',
        ["1:64: " + twice("'committed'")], 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DBCOP)
def test_a_repeated_key_of_dbcop_is_refused_with_the_transaction_only(name: str) -> None:
    text, expected, line = DBCOP[name]
    assert problems(text) == expected
    history = read(text, skip_bad=True)
    assert [operations for *_, operations in told(history)] == [["w 0 1"]] and history.line.tolist() == [line]
    assert history.warnings[0].startswith(f"{len(expected)} bad transaction")


def test_a_repeated_key_around_the_transactions_of_dbcop_cannot_be_left_out() -> None:
    assert problems(f'{{"data":[],"data":[[{EVENTS}]]}}', skip_bad=True) == ["1:12: " + twice("'data'")]
    assert problems(f'{{"params":{{"a":1,"a":2}},"data":[[{EVENTS}]]}}') == ["1:18: " + twice("'a'")]


@pytest.mark.parametrize("skip_bad", [False, True])
def test_the_text_of_dbcop_is_gone_through_once_for_all_faults(skip_bad: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counted(text: str, start: int) -> Iterator[Place]:
        calls.append(start)
        return places(text, start)

    monkeypatch.setattr(json_places, "places", counted)
    bad = '{"events":[["w",0,null]],"committed":true}'
    text = f'{{"data":[[{EVENTS},\n' + f"{bad},\n" * 50 + f"{EVENTS}]]}}"
    if skip_bad:
        (warning,) = read(text, "dbcop-json", skip_bad=True).warnings
        assert warning.startswith("50 bad transactions left out; the first: f:2:19: nil as a version")
    else:
        found = problems(text, "dbcop-json")
        assert [one.split(" nil")[0] for one in found[:20]] == [f"{line}:19:" for line in range(2, 22)]
        assert found[20].startswith("21:19: 30 more problems")
    assert calls == [0]


def test_several_places_are_found_as_each_alone() -> None:
    choose = random.Random(6)
    for _ in range(500):
        text = _random_json(choose, 4)
        paths = [place.path for place in places(text, 0)]
        more: list[str | int] = [0, 3, "a", "none"]
        paths += [(*path, choose.choice(more)) for path in paths]
        wanted = choose.sample(paths, min(len(paths), 5))
        assert json_places.locate_all(text, 0, wanted) == [_last_on_the_way(text, path) for path in wanted]


def _last_on_the_way(text: str, path: tuple[str | int, ...]) -> int:
    """The last of the deepest values on the way of a path."""
    ways = [place for place in places(text, 0) if not place.key and place.path == path[: len(place.path)]]
    deepest = max(len(place.path) for place in ways)
    return [place.at for place in ways if len(place.path) == deepest][-1]


def _random_json(choose: random.Random, depth: int) -> str:
    kind = choose.randrange(6) if depth else choose.randrange(2)
    if kind < 2:
        return choose.choice(["1", "true", "null", '":"', '"a\\":b"', '"\\u003a"', "99999999999999999999999", '"{[,"'])
    inner = [_random_json(choose, depth - 1) for _ in range(choose.randrange(4))]
    if kind == 2:
        return "[" + " ,".join(inner) + "]"
    keys = ['"a"', '"b"', '"\\u0061"', '":"', '"c\\""']
    return "{" + ", ".join(f"{choose.choice(keys)} : {one}" for one in inner) + "}"


def _pairs(pairs: list[tuple[str, Any]]) -> Any:
    if len({key for key, _ in pairs}) < len(pairs):
        raise KeyError
    return dict(pairs)


def test_repeated_keys_are_found_as_a_reader_that_sees_all_pairs_finds_them() -> None:
    choose, seen = random.Random(5), [0, 0]
    for _ in range(3_000):
        text = _random_json(choose, 4)
        try:
            json.loads(text, object_pairs_hook=_pairs)
            clean = True
        except KeyError:
            clean = False
        seen[clean] += 1
        assert (repeated(text, 0) == []) is clean
        if not may_repeat(text, 0, len(text), json.loads(text)):
            assert clean
    assert min(seen) > 300


def test_places_are_found_by_paths() -> None:
    text = ' {"a": [1, {"b": "}"}, []], "c\\u0064": {}}'
    assert text[locate(text, 1, ("a", 1, "b")) :].startswith('"}"')
    assert text[locate(text, 1, ("a", 2, 0)) :].startswith("[]]")
    assert text[locate(text, 1, ("cd",)) :] == "{}}" and locate(text, 1, ("x",)) == 1


def test_bytes_behind_a_gzip_member_are_refused_unless_they_are_zeros_or_a_member() -> None:
    one, two = gzip.compress(b"w(1,1,0,0)\n"), gzip.compress(b"r(1,1,1,1)\n")
    rest = "behind the gzip member, expected another member, zeros, or the end of the file [encoding]"
    assert problems(one + b"r(1,2,1,1)\n") == [f"1:1: 11 bytes {rest}"]
    assert problems(one + two + b"\0\0\x1f", skip_bad=True) == [f"1:1: 1 byte {rest}"]
    for whole in (one + two, one + b"\0" * 9 + two + b"\0" * 512):
        assert unpacked(whole, "f") == (b"w(1,1,0,0)\nr(1,1,1,1)\n", None)
    assert problems(one + two[:9])[0].startswith("1:1: a gzip file that is cut off")


def test_numbers_that_no_double_tells_apart_are_refused_or_exact() -> None:
    big = "which is not finite here, expected a number below 1.8e308 [limit-digits]"
    small = "which is 0 as a double, expected 0, or a number of at least 4.9e-324 [limit-digits]"
    text = "{:type :ok :value [[:w 1 %s]]}\n{:type :ok :value [[:r 1 %s]]}"
    assert problems(text % ("1e400", "2e400")) == [f"1:26: the number 1e400, {big}", f"2:26: the number 2e400, {big}"]
    assert problems(text % ("1e-400", "1")) == [f"1:26: the number 1e-400, {small}"]
    assert problems('[{"type":"ok","value":[["w",1,1e400]]}]') == [f"1:31: the number 1e400, {big}"]
    assert told(read(text % ("0.1M", "0.1000000000000000000000000001M")))[1][3] == [
        "r 1 1000000000000000000000000001e-28M?"
    ]
    assert told(read(text % ("0.10M", "1e-1M")))[1][3] == ["r 1 1e-1M"]
    assert told(read(text % ("0.1M", "0.1")))[1][3] == ["r 1 0.1?"]
    assert told(read(text % ("1e-1M", '"1e-1M"')))[1][3] == ['r 1 "1e-1M"?']


def test_decimals_are_equal_when_their_numbers_are() -> None:
    choose = random.Random(3)
    words = [
        f"{choose.choice(['', '-', '+'])}{choose.choice('012')}{choose.choice(['', '.', '.0', '.10', '.01', '.1'])}"
        f"{choose.choice(['', 'e1', 'E-1', 'e+2', 'e-02'])}M"
        for _ in range(300)
    ]
    names = [Reader(word).form(0)[0].value for word in words]
    numbers = [Decimal(word[:-1]) for word in words]
    assert all(isinstance(name, Exact) and scalar_name(name) == name for name in names)
    for name, number in zip(names, numbers, strict=True):
        assert [name == other for other in names] == [number == other for other in numbers]


@pytest.mark.parametrize("word", ["02", "-01", "00", "02N", "01.5", "007M"])
def test_zeros_before_a_number_are_refused_wherever_it_stands(word: str) -> None:
    said = f"the number {word}, expected a number without zeros before it [edn]"
    assert problems(f"{{:type :ok :value [[:w 1 {word}]]}}") == [f"1:26: {said}"]
    assert problems(f"{{:type :ok, :time {word}, :value [[:w 1 1]]}}") == [f"1:19: {said}"]
    assert told(read(f"{{:type :ok :value [[:w 1 {word}]]}}\n{{:type :ok :value [[:w 1 2]]}}", skip_bad=True)) != []


def test_minus_zero_is_zero_in_every_reader() -> None:
    assert told(read("{:type :ok :value [[:w 1 -0]]}\n{:type :ok :value [[:r 1 0] [:r 1 0N]]}"))[1][3] == ["r 1 0"] * 2


@pytest.mark.parametrize("form", ['#inst "2020"', '#inst"2020"', "#x 1", "#x #y :k", "#x nil", "#x #_1 2"])
def test_a_tagged_form_is_no_value(form: str) -> None:
    kinds = "expected an integer, a string or a keyword [micro-operation]"
    assert problems(f"{{:type :ok :value [[:w 1 {form}]]}}") == [f"1:26: a tagged form as a value, {kinds}"]
    assert problems(f"{{:type :ok :value [[:r 1 [{form}]]]}}") == [f"1:27: a tagged form as a value, {kinds}"]
    assert problems(f"{{:type :ok :value [[:r {form} 1]]}}") == [f"1:24: a tagged form as a key, {kinds}"]
    assert read(f"#jepsen.history.Op{{:type :ok :time {form} :value [[:w 1 1]]}}").size == 1


FILLED = "expected the micro-operations of the invocation, with only the values of reads filled in [contradiction]"
#: What is invoked and completed; the path to what is wrong; what is said.
CONTRADICTIONS: list[tuple[list[Any], list[Any], bool, str]] = [
    ([["append", 1, 1]], [], False, "0 micro-operations completed in line 2 and 1 invoked in line 1"),
    ([["r", 1, None]], [["append", 2, 9]], True, "[:append 2 9] completed in line 2 and [:r 1 nil] invoked in line 1"),
    ([["r", 1, None]], [["r", 2, [5]]], True, "[:r 2 [5]] completed in line 2 and [:r 1 nil] invoked in line 1"),
    ([["append", 1, 1]], [["append", 1, "1"]], True,
     '[:append 1 "1"] completed in line 2 and [:append 1 1] invoked in line 1'),
    ([["append", 1, 1]], [["append", 1, 1], ["r", 1, [1]]], False,
     "2 micro-operations completed in line 2 and 1 invoked in line 1"),
]  # fmt: skip


def operation(form: str, kind: str, value: list[Any]) -> str:
    """An operation of process 0, with its value last."""
    if form == "json":
        return json.dumps({"type": kind, "process": 0, "value": value})
    words = json.dumps(value).replace("null", "nil").replace(",", "")
    for name in ("append", "r"):
        words = words.replace(f'["{name}"', f"[:{name}")
    return f"{{:type :{kind}, :process 0, :value {words}}}"


@pytest.mark.parametrize("form", ["edn", "json"])
@pytest.mark.parametrize("kind", ["ok", "fail", "info"])
@pytest.mark.parametrize(("invoked", "completed", "inside", "what"), CONTRADICTIONS)
def test_a_completion_that_contradicts_its_invocation_is_refused(
    form: str, kind: str, invoked: list[Any], completed: list[Any], inside: bool, what: str
) -> None:
    line = operation(form, kind, completed)
    text = operation(form, "invoke", invoked) + "\n" + line
    assert problems(text) == [f"2:{line.index('[') + 1 + inside}: {what}, {FILLED}"]
    if any(name == "append" for name, *_ in invoked):
        history = read(text, skip_bad=True)
        assert history.outcome.tolist() == [UNKNOWN] and history.size == 1
        assert history.warnings[0].startswith("1 bad operation left out; the first: f:2:")


def test_a_completion_may_fill_reads_in_or_have_other_words_for_no_outcome() -> None:
    invoke = "{:type :invoke :process 0 :value %s}\n{:type :%s :process 0 :value %s}\n"
    for value, kind, done, size in (
        ("[[:r 1 nil] [:append  2 3]]", "ok", "[[:r 1 [4 5]] [:append 2 3N]]", 2),
        ("nil", "ok", "[[:append 2 3]]", 1),
        ("[[:append 2 3]]", "info", ":timeout", 1),
        ("[[:append 2 3]]", "fail", "nil", 1),
    ):
        history = read(invoke % (value, kind, done))
        assert history.size == size and (history.outcome.tolist() == [COMMITTED]) is (kind == "ok")


def test_the_quick_look_at_a_completion_never_says_more_than_the_careful_one() -> None:
    choose, agreed = random.Random(9), 0

    def micro() -> list[Any]:
        return [choose.choice(["r", "w"]), choose.choice([1, True, "1"]), choose.choice([1, 1.0, "1"])]

    def names(of: list[list[Any]]) -> list[tuple[str, str, Any]]:
        return [(name, str(scalar_name(key)), scalar_name(value)) for name, key, value in of]

    for _ in range(4_000):
        done, meant = ([micro() for _ in range(choose.randrange(1, 3))] for _ in range(2))
        careful = contradiction(names(done), names(meant), 2, 1) is None
        assert same_micros(done, meant) is careful
        agreed += careful
    assert agreed > 50


def test_a_text_that_looks_like_a_number_is_quoted_and_warned_of() -> None:
    first = TK % (1, "1", '{"t":"w","k":1,"v":"1"}')
    history = read(first + "\n" + TK % (2, "1", '{"t":"r","k":1,"v":1}'))
    assert [operations for *_, operations in told(history)] == [['w 1 "1"'], ["r 1 1?"]]
    assert history.warnings == ('values 1 and "1" (a text) are different',)
    assert read(first).warnings == ()
    keys = read('{"type":"ok","value":[["append","1",1],["r",1,[1]]]}')
    assert keys.warnings[-1] == 'keys 1 and "1" (a text) are different'


def test_large_traces_refuse_bytes_behind_a_gzip_member_too() -> None:
    trace = gzip.compress(b'{"op":"begin","txn":"t1"}\n') + b'{"op":1}\n'
    found, said = check_one((trace, "f"), TraceOptions())
    assert found is None
    assert [problem.what for problem in said] == ["9 bytes behind the gzip member"]


def _only_lengths(done: Any, meant: Any, line: int, before: int) -> tuple[int | None, str] | None:
    """Completions are compared by the number of their micro-operations."""
    return None if len(done) == len(meant) else contradiction(done, meant, line, before)


def _rounded(found: Any) -> Exact:
    """Decimals are doubles."""
    return Exact(repr(float(found[0][:-1])) + "M")


def _repeats() -> None:
    test_a_repeated_key_is_refused_at_its_place_and_can_be_left_out("a value", False)


MUTANTS: dict[str, tuple[Any, str, Any, Callable[[], None]]] = {
    "the fast reader of JSON is trusted": (json_source, "may_repeat", lambda *_: False, _repeats),
    "keys are counted at the top only": (
        json_source, "may_repeat", lambda text, begin, end, value: len(value) > text.count(":", begin, end), _repeats,
    ),
    "of dbcop, too": (
        dbcop_json, "may_repeat", lambda *_: False,
        lambda: test_a_repeated_key_of_dbcop_is_refused_with_the_transaction_only("events"),
    ),
    "events are where the word is": (
        dbcop_json, "_ESCAPED", re.compile("(?!)"),
        lambda: good.test_lines_of_dbcop_transactions_are_right_wherever_else_events_stand("as many, but others"),
    ),
    "events are of transactions": (
        dbcop_json, "_leads_to_events", lambda path, _: path[-1] == "events",
        lambda: good.test_lines_of_dbcop_transactions_are_right_wherever_else_events_stand("within"),
    ),
    "the first that is on the way": (
        json_places, "_deepest", lambda found, *_: found[()], test_several_places_are_found_as_each_alone,
    ),
    "completions agree where they are as long": (
        jepsen, "contradiction", _only_lengths,
        lambda: test_a_completion_that_contradicts_its_invocation_is_refused("edn", "ok", *CONTRADICTIONS[1]),
    ),
    "all matches agree": (
        jepsen_edn, "_same", lambda *_: True,
        lambda: test_a_completion_that_contradicts_its_invocation_is_refused("edn", "ok", *CONTRADICTIONS[2]),
    ),
    "decimals are doubles": (edn, "_exact", _rounded, test_numbers_that_no_double_tells_apart_are_refused_or_exact),
    "a tag is no part of a form": (
        edn, "Tagged", lambda text: text, lambda: test_a_tagged_form_is_no_value('#inst "2020"'),
    ),
    "keys that are no names are all different": (
        edn, "_identity", lambda key: f"{scalar_name(key.value) or key.at}",
        lambda: test_a_repeated_key_is_refused_at_its_place_and_can_be_left_out("edn: deep, and no scalar", False),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_of_these_readers_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, attribute, mutant, check = MUTANTS[name]
    check()
    monkeypatch.setattr(where, attribute, mutant)
    with pytest.raises(AssertionError):
        check()
