"""No input ends in anything but schedules or problems, and none takes long."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toki_verify.events import Problem, Schedule, ScheduleError
from toki_verify.events.limits import PROBLEMS
from toki_verify.jsonform import read_json, read_json_lines, schedule_object, trace_objects
from toki_verify.levels.lattice import Family, Level
from toki_verify.levels.spec import parse_spec
from toki_verify.levels.user import parse_levels
from toki_verify.notation import print_schedule, read_text
from toki_verify.notation.formatter import format_text
from toki_verify.phenomena.catalogue import UnknownName
from toki_verify.relations.formulas import Formula
from toki_verify.relations.syntax import Parser, SyntaxFault
from toki_verify.relations.terms import Term
from toki_verify.search.strategies import schedules

SOON = settings(deadline=5_000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])
#: What one input of the adversarial tests may take, in seconds, on a slow and busy machine.
LONG = 30.0


def check_sound(result: tuple[list[Schedule], list[Problem]], *, short: bool = True) -> None:
    """Schedules, or problems that say where they are, what they are and what was expected."""
    found, problems = result
    assert found or problems
    assert all(isinstance(schedule, Schedule) for schedule in found)
    assert len(problems) <= PROBLEMS + 1 or not short
    for problem in problems:
        assert problem.what and problem.expected and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", problem.rule)
        assert problem.line is not None and problem.line >= 1
        assert problem.column is not None and problem.column >= 1
        assert len(str(problem)) < 10_000 or not short
        assert "\n" not in (problem.context or "")


def no_phenomenon(name: str, at: int) -> Formula:
    raise SyntaxFault(at, f"no {name}", "none")


def parse(text: str) -> None:
    try:
        assert isinstance(Schedule.parse(text), Schedule)
    except ScheduleError as error:
        check_sound(([], list(error.problems)))


def levels(text: str) -> None:
    try:
        assert isinstance(parse_levels(text), Family)
    except ScheduleError as error:
        check_sound(([], list(error.problems)))


def spec(text: str) -> None:
    try:
        assert isinstance(parse_spec(text), Level)
    except UnknownName as error:
        assert str(error)


def formatted(text: str) -> None:
    result, problems = format_text(text)
    assert bool(result) != bool(problems)


def syntax(text: str) -> None:
    for read in (Parser(text, {}, no_phenomenon).formula, Parser(text, {}, no_phenomenon).term):
        try:
            assert isinstance(read(), (Formula, Term))
        except SyntaxFault as fault:
            assert 0 <= fault.at <= len(text) and fault.what and fault.expected


READ_AND_CHECK: dict[str, Callable[[str], None]] = {
    "text": lambda text: check_sound(read_text(text, file="f.sched")),
    "json": lambda text: check_sound(read_json(text, file="f.json")),
    "json lines": lambda text: check_sound(read_json_lines(text, file="f.jsonl")),
    "Schedule.parse": parse,
    "parse_levels": levels,
    "parse_spec": spec,
    "Parser": syntax,
    "format": formatted,
}


def check_reader(name: str, text: str) -> None:
    """Read the text and check what comes out: schedules, or problems that say where and what."""
    READ_AND_CHECK[name](text)


NOTATION = (
    "r1[x0]",
    "w1[x1]",
    "w1[x1=50 in P prov p1 by await]",
    "c1",
    "a1",
    "b1",
    "cb1(R, h, 1)",
    "j1(R, theta)=0",
    "r1{P:",
    "x0",
    "y2",
    "...",
    ";",
    ",",
    "}",
    "]",
    ")",
    "[",
    "{",
    "(",
    '"',
    "\\",
    "#",
    "@",
    "=",
    ":",
    "/",
    ".",
    "T",
    "in",
    "prov",
    "by",
    "schedule s\n",
    "source s\n",
    "init x0=1",
    "order x: 0 1",
    "session s: 1",
    "surface closed:h",
    "expect level[adya] SI",
    "expect not P4",
    "note",
    "0",
    "00",
    "-",
    "+",
    "\n",
    "\r",
    "\t",
    " ",
    "\0",
    "\ufeff",
    "\u2028",
    "θ",
    "é",
    "\u0301",
    "null",
    "1e999",
    "NaN",
    '"\\ud800"',
    "{}",
    "[]",
    "true",
    "²",
    "٣",
)
FORMULAS = (
    "level L\n",
    "acyclic",
    "irreflexive",
    "empty",
    "some",
    "cycle(",
    "not",
    "no P4",
    "and",
    "or",
    "(",
    ")",
    "[",
    "]",
    "|",
    ";",
    "-",
    "&",
    "^-1",
    "^+",
    "^*",
    "?",
    "txn(",
    "domain(",
    "wr",
    "ww",
    "rw",
    "id",
    "id_txn",
    "write",
    ",",
    "let a =",
    "a",
    "needs",
    "SI",
    "graph:",
    "+",
    "@",
    "partition(a,b)",
    "title t\n",
    "\n",
    " ",
    "#",
    "⁻¹",
    "∪",
    "²",
    "\0",
)
LETTERS = st.characters()  # surrogates too: a caller may hold any string


@pytest.mark.parametrize("name", READ_AND_CHECK)
@SOON
@given(text=st.text(LETTERS, max_size=60))
def test_any_text(name: str, text: str) -> None:
    check_reader(name, text)


@pytest.mark.parametrize("name", ["text", "Schedule.parse", "format"])
@SOON
@given(tokens=st.lists(st.sampled_from(NOTATION), max_size=14), glue=st.sampled_from((" ", "", "\n")))
def test_any_tokens_of_notation(name: str, tokens: list[str], glue: str) -> None:
    check_reader(name, glue.join(tokens))


@pytest.mark.parametrize("name", ["parse_levels", "parse_spec", "Parser"])
@SOON
@given(tokens=st.lists(st.sampled_from(FORMULAS), max_size=14), glue=st.sampled_from((" ", "")))
def test_any_tokens_of_formulas(name: str, tokens: list[str], glue: str) -> None:
    check_reader(name, glue.join(tokens))
    check_reader(name, "level L\n" + glue.join(tokens))


# -- mutations of valid input ----------------------------------------------------------------------------------------

_TOKEN = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|\w+|.', re.DOTALL)


@st.composite
def mutations(draw: st.DrawFn, texts: st.SearchStrategy[str], extra: tuple[str, ...]) -> str:
    """A valid text with a few tokens or characters deleted, doubled, swapped or replaced."""
    parts = draw(st.sampled_from((list, _TOKEN.findall)))(draw(texts))
    for _ in range(draw(st.integers(1, 3))):
        if not parts:
            break
        at, other = draw(st.integers(0, len(parts) - 1)), draw(st.integers(0, len(parts) - 1))
        how = draw(st.sampled_from(("delete", "double", "swap", "replace", "insert", "cut")))
        if how == "delete":
            del parts[at]
        elif how == "double":
            parts.insert(at, parts[at])
        elif how == "swap":
            parts[at], parts[other] = parts[other], parts[at]
        elif how == "cut":
            del parts[at:]
        else:
            parts[at : at + (how == "replace")] = [draw(st.sampled_from(extra))]
    return "".join(parts)


@SOON
@given(mutations(schedules(max_events=6).map(print_schedule), NOTATION))
def test_mutated_schedule_files(text: str) -> None:
    for name in ("text", "Schedule.parse", "format"):
        check_reader(name, text)


JSON = (
    '{"op":"c","txn":1}',
    "null",
    "true",
    "[]",
    "{}",
    "-1",
    "1e999",
    "NaN",
    '"x"',
    '"\\ud800"',
    '""',
    ",",
    ":",
    '"op"',
    '"events"',
    '"predicate"',
    '"init"',
    '"\\u0000"',
    "0.5",
    "\ufeff",
    "\0",
    "9" * 1_001,
)


@SOON
@given(mutations(schedules(max_events=4, json_only=True).map(lambda found: json.dumps(schedule_object(found))), JSON))
def test_mutated_json_text(text: str) -> None:
    check_reader("json", text)
    check_reader("json lines", text)


@SOON
@given(
    mutations(
        schedules(max_events=4, json_only=True).map(lambda found: "\n".join(map(json.dumps, trace_objects(found)))),
        JSON,
    )
)
def test_mutated_traces(text: str) -> None:
    check_reader("json", text)
    check_reader("json lines", text)


_ANY: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(("", "x", "0", "1", "P", "a.b", "r", "toki-schedule/1", "\0", "closed:"))
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(("item", "version", "x", "")), inner),
    max_leaves=3,
)


@SOON
@given(schedules(max_events=4, json_only=True).map(schedule_object), st.data())
def test_json_with_a_value_of_another_type_anywhere(value: dict[str, Any], data: st.DataObject) -> None:
    holder: Any = value
    while True:
        keys: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = data.draw(st.sampled_from(keys))
        below = holder[key]
        if isinstance(below, (dict, list)) and below and data.draw(st.booleans()):
            holder = below
            continue
        if data.draw(st.booleans()):
            holder[key] = data.draw(_ANY)
        else:
            del holder[key]
        break
    check_reader("json", json.dumps(value))
    check_reader("json lines", json.dumps(value))


# -- adversarial sizes -----------------------------------------------------------------------------------------------

MANY = 60_000
LARGE_TEXTS: dict[str, str] = {
    "words": "x " * MANY,
    "letters": "x" * MANY,
    "opening brackets": "r1[" * MANY,
    "adya reads": "r1(x0)" * MANY,
    "adya without an end": "r1(x0 " * MANY,
    "commits": "c1 " * MANY,
    "quotes": '"' * MANY,
    "colons": "r1{P:" * MANY,
    "faults before one bracket": "x " * MANY + "]",
    "digits": "r" + "1" * MANY + "[x0]",
    "value": "w1[x1=" + "9" * MANY + "]",
    "nested value": "w1[x1=" + "[" * MANY,
    "rows": "r1{P: " + "x0, " * MANY,
    "dots": "r1[a" + "." * MANY + "/x0]",
    "init": "init " + "x0 " * MANY,
    "order": "c1\norder x: " + "1 " * MANY,
    "session": "c1\nsession s: " + "1 " * MANY,
    "surface": "c1\nsurface " + "closed " * MANY,
    "expect": "c1\nexpect " + "P4 " * MANY,
    "lines": "zz\n" * MANY,
    "blank": "\n" * MANY,
    "schedules": "schedule s\n" * (MANY // 4),
    "combining": "r1[e" + "\u0301" * MANY + "0]",
    "polynomial": "w1[x1 prov " + "p+" * MANY + "]",
    "predicates": "w1[x1 in " + ", ".join(["P"] * MANY) + "]",
    "long order": " ".join(f"w{n}[x{n}] c{n}" for n in range(1, 2400))
    + "\norder x: 0 "
    + " ".join(map(str, range(2399, 200_000))),
    "bare predicate reads": " ".join(f"w1[x{n}@1 in P]" for n in range(2_400)) + " r2[P]" * 2_400,
    "predicate reads": " ".join(f"w1[x{n}@1 in P]" for n in range(2_400)) + " r2{P:}" * 2_400,
    "unlabelled": "w1[x] " * 2_400 + "a1 " + "r2[x] " * 2_400,
    "rewrites": " ".join(f"w1[x{n}]" for n in range(1, 2_400)) + " r2{P:}" * 2_400,
}
LARGE_JSON: dict[str, str] = {
    "arrays": "[" * MANY,
    "objects": '{"a":' * MANY,
    "digits": "9" * MANY,
    "string": '"' + "x" * MANY,
    "escapes": '"' + "\\u0041" * MANY + '"',
    "commas": "[" + "1," * MANY,
    "events": "[" + '{"op":"c","txn":1},' * 20_000 + '{"op":"c","txn":1}]',
    "wrong op": json.dumps({"events": [{"op": "x" * MANY, "txn": "1"}]}),
    "wrong format": json.dumps({"format": ["x"] * MANY, "events": []}),
    "long key": '{"' + "k" * MANY + '":1,"' + "k" * MANY + '":1}',
    "lines": '{"op":\n' * MANY,
    "nulls": "null\n" * MANY,
    "txns": "\n".join(f'{{"op":"c","txn":{number}}}' for number in range(20_000)),
    "partition": json.dumps({"events": [{"op": "r", "txn": "1", "item": "x", "partition": "a." * MANY}]}),
    "init": json.dumps({"init": {f"x{n}": 1 for n in range(50_000)}, "events": [{"op": "c", "txn": 1}]}),
    "surface": json.dumps({"surface": ["x"] * MANY, "events": [{"op": "c", "txn": 1}]}),
}
LARGE_FORMULAS: dict[str, str] = {
    "parentheses": "(" * MANY,
    "nots": "not " * MANY,
    "word": "a" * MANY,
    "blanks": " " * MANY + "?",
    "commas": "," * MANY,
    "levels": "level a\n" * 20_000,
    "needs": "level L\nneeds " + "SI+" * 2_000,
    "spec": "SI+" * 2_000,
    "at": "@" * MANY,
}


def check_quickly(read: Callable[[str], None], text: str) -> None:
    started = time.perf_counter()
    read(text)
    assert time.perf_counter() - started < LONG


@pytest.mark.parametrize("name", LARGE_TEXTS)
def test_large_text(name: str) -> None:
    check_quickly(READ_AND_CHECK["text"], LARGE_TEXTS[name])


@pytest.mark.parametrize("name", LARGE_JSON)
def test_large_json(name: str) -> None:
    check_quickly(READ_AND_CHECK["json"], LARGE_JSON[name])
    check_quickly(READ_AND_CHECK["json lines"], LARGE_JSON[name])


@pytest.mark.parametrize("name", LARGE_FORMULAS)
def test_large_formulas(name: str) -> None:
    for reader in ("parse_levels", "parse_spec", "Parser"):
        check_quickly(READ_AND_CHECK[reader], LARGE_FORMULAS[name])


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(4))
def test_random_mutation_of_a_corpus(seed: int) -> None:
    from pathlib import Path

    root = Path(__file__).resolve().parents[2] / "schedules"
    corpus = [path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.sched"))]
    blocks = [block for text in corpus for block in re.split(r"\n\n+", text)]
    choose = random.Random(seed)
    until = time.perf_counter() + 30
    while time.perf_counter() < until:
        block = list(choose.choice(blocks))
        for _ in range(choose.randint(1, 5)):
            at = choose.randrange(len(block) + 1)
            block[at : at + choose.choice((0, 1, 1, 4))] = choose.choice((*NOTATION, "", "", *block[:3]))
        check_reader("text", "".join(block))
        if choose.random() < 0.1:
            check_reader("format", "".join(block))
