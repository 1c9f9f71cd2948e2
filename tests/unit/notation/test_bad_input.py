"""Every fault of a text is reported with its line, its column and its rule, several at once."""

from __future__ import annotations

import pytest

from toki_verify.events import Problem, Schedule, ScheduleError
from toki_verify.notation import read_text


def problems(text: str) -> list[Problem]:
    found, problems = read_text(text, file="f.sched")
    assert found == []
    assert all(problem.file == "f.sched" for problem in problems)
    return problems


def at(text: str) -> list[tuple[int | None, int | None, str]]:
    return [(problem.line, problem.column, problem.rule) for problem in problems(text)]


CASES: list[tuple[str, str, list[tuple[int, int, str]]]] = [
    # events
    ("unknown op", "r1[x0] x1[x1]", [(1, 8, "event")]),
    ("word for an op", "read1[x0]", [(1, 2, "notation")]),
    ("upper case", "R1[x0] W1[x1]", [(1, 1, "event"), (1, 8, "event")]),
    ("unknown keyword", "scheduled a\nr1[x0]", [(1, 1, "event")]),
    ("no transaction", "r[x0] c", [(1, 2, "notation"), (1, 8, "notation")]),
    ("no name behind T", "cT", [(1, 3, "notation")]),
    ("nothing behind the transaction", "r1 w1", [(1, 3, "notation"), (1, 6, "notation")]),
    ("no item", "r1[]", [(1, 4, "notation")]),
    ("wrong bracket", "w1{x1}", [(1, 3, "notation")]),
    ("wrong closing bracket", "r1[x0)", [(1, 6, "notation")]),
    ("events run together", "c1c2", [(1, 3, "notation")]),
    # order rules
    ("version read before it was written", "r1[x1] w2[x1]", [(1, 1, "read-after-write")]),
    ("version never written", "w1[x1]\n r2[x2]", [(2, 2, "read-after-write")]),
    ("two commits", "c1\nc1", [(2, 1, "one-end")]),
    ("commit and abort", "c1 a1", [(1, 4, "one-end")]),
    ("event after commit", "c1 r1[x0]", [(1, 4, "after-end")]),
    ("late begin", "r1[x0] b1", [(1, 8, "begin-first")]),
    ("duplicate label", "w1[x1] w2[x1]", [(1, 8, "unique-version")]),
    ("own write", "w1[x1] r1[x0]", [(1, 8, "own-write")]),
    ("write of version 0", "w1[x0]", [(1, 1, "version-0")]),
    ("omitted row", "init x0 in P\n  r1{P:}", [(2, 3, "omitted-row")]),
    ("row listed twice", "r1{P: x0, x0}", [(1, 1, "one-version-per-row")]),
    ("row on both sides", "r1{P: x0; x0}", [(1, 1, "one-version-per-row")]),
    ("listed, does not match", "w1[x1] r2{P: x1}", [(1, 8, "predicate-match")]),
    ("behind the semicolon, matches", "w1[x1 in P] r2{P:; x1}", [(1, 13, "predicate-match")]),
    ("deleted, listed", "w1[-x1 in P] r2{P: x1}", [(1, 14, "predicate-match")]),
    ("predicate twice", "w1[x1 in P, P]", [(1, 1, "predicate-twice")]),
    ("partitions disagree", "r1[a.b/x0]\nr1[a.c/x0] r2[a.d/x0]", [(2, 1, "partition"), (2, 12, "partition")]),
    ("partitions of rows disagree", "r1{P: a.b/x0, c.d/x0}", [(1, 1, "partition")]),
    # clauses
    ("unknown clause", "w1[x1 with P]", [(1, 7, "clauses")]),
    ("clauses out of order", "w1[x1 by lww in P]", [(1, 14, "clauses")]),
    ("value behind a clause", "w1[x1 in P=3]", [(1, 11, "clauses")]),
    ("clause twice", "w1[x1 in P in Q]", [(1, 12, "clauses")]),
    ("clause without a name", "w1[x1 in]", [(1, 9, "notation")]),
    ("comma without a name", "w1[x1 in P,]", [(1, 12, "notation")]),
    ("unknown operator", "w1[x1 by mine]", [(1, 10, "operator")]),
    ("no polynomial", "w1[x1 prov p+]", [(1, 12, "provenance")]),
    ("clause in a read", "r1[x0 in P]", [(1, 7, "notation")]),
    ("two signs", "w1[+-x1]", [(1, 5, "name")]),
    # names
    ("leading zeros of a version", "r1[x00] w1[x01]", [(1, 4, "leading-zero"), (1, 12, "leading-zero")]),
    ("leading zeros of a label", "r1[x@01]", [(1, 6, "leading-zero")]),
    (
        "leading zeros of a transaction",
        "r01[x0] cT01 c00",
        [(1, 2, "leading-zero"), (1, 10, "leading-zero"), (1, 15, "leading-zero")],
    ),
    ("only digits", "r1[12]", [(1, 4, "name")]),
    ("only digits, labelled", "r1[12@0]", [(1, 4, "name")]),
    ("leading dash", "r1[-x0] r1[.x0]", [(1, 4, "name"), (1, 12, "name")]),
    ("leading mark", "r1[\u0301x0]", [(1, 4, "name")]),
    ("no label", "r1[x@]", [(1, 6, "notation")]),
    ("empty name", 'r1[""]', [(1, 4, "name")]),
    ("NUL in a name", 'r1["a\\u0000"@0]', [(1, 4, "name")]),
    ("long name", f"r1[{'x' * 1_025}@0] c{'1' * 1_025}", [(1, 4, "limit-name"), (1, 1034, "limit-name")]),
    ("long bare word", f"r1[x0={'x' * 1_025}]", [(1, 7, "limit-name")]),
    ("two tables", "r1[a:b:x0]", [(1, 7, "notation")]),
    ("two partitions", "r1[a.b/c.d/x0]", [(1, 4, "notation")]),
    ("half a partition", "r1[a/x0]", [(1, 4, "partition")]),
    ("half quoted", 'r1["a"b@0]', [(1, 4, "quoting")]),
    # brackets and quotes
    ("unclosed bracket", "r1[x0", [(1, 6, "notation")]),
    ("unclosed bracket, next line", "r1[x0\nw1[x1] c1]", [(1, 6, "notation"), (2, 10, "notation")]),
    ("unclosed predicate read", "r1{P: x0 c1", [(1, 10, "notation")]),
    ("unclosed quote", 'r1["x0]', [(1, 4, "quoting")]),
    ("unclosed quote of a value", 'r1[x0="a]', [(1, 7, "json")]),
    ("unknown escape", 'r1["\\q"@0]', [(1, 5, "quoting")]),
    ("tab in quotes", 'r1["a\tb"@0]', [(1, 6, "quoting")]),
    ("closing bracket alone", "r1[x0] ]", [(1, 8, "event")]),
    ("no colon", "r1{P x0}", [(1, 5, "notation")]),
    ("comma at the end", "r1{P: x0, }", [(1, 11, "notation")]),
    ("comma before the semicolon", "r1{P: x0,; y0}", [(1, 10, "notation")]),
    ("two semicolons", "r1{P: x0; y0; z0}", [(1, 13, "notation")]),
    ("rows behind the dots", "r1{P: ..., x0}", [(1, 10, "notation")]),
    ("row of a table", "r1{P: t:x0}", [(1, 8, "notation")]),
    # values
    ("broken JSON array", "w1[x1=[1,]]", [(1, 10, "json")]),
    ("broken JSON object", 'w1[x1={"a"}]', [(1, 11, "json")]),
    ("duplicate key", 'w1[x1={"a":1,"a":2}]', [(1, 14, "duplicate-key")]),
    ("no value", "w1[x1=]", [(1, 7, "value")]),
    ("leading zero of a number", "w1[x1=007]", [(1, 7, "value")]),
    ("infinite number", "w1[x1=1e999]", [(1, 7, "limit-digits")]),
    ("huge integer", f"w1[x1={'9' * 1_001}]", [(1, 7, "limit-digits")]),
    ("NaN in an array", "w1[x1=[NaN]]", [(1, 8, "json")]),
    ("lone surrogate in a value", 'w1[x1="\\ud800"]', [(1, 7, "json")]),
    ("deep nesting", f"w1[x1={'[' * 100_000}", [(1, 72, "limit-depth")]),
    # judge calls and callbacks
    ("no theta", "j1(R)", [(1, 5, "notation")]),
    ("judge in square brackets", "j1[R, theta]", [(1, 3, "notation")]),
    ("no vote", "j1(R, theta)= c1", [(1, 14, "value")]),
    ("no winner", "cb1(R, h)", [(1, 9, "notation")]),
    ("winner of ten digits", "cb1(R, h, 1234567890)", [(1, 11, "notation")]),
    ("negative winner", "cb1(R, h, -1)", [(1, 11, "notation")]),
    # files
    ("empty file", "", [(1, 1, "empty")]),
    ("only comments", "# a\n\n  # b\n", [(1, 1, "empty")]),
    ("only white space", " \t\n\u00a0\n", [(1, 1, "empty")]),
    ("no events", "schedule a\n  note b", [(1, 1, "no-events")]),
    ("no events in two", "schedule a\n\nschedule b\nnote c", [(1, 1, "no-events"), (3, 1, "no-events")]),
    ("NUL", "r1[x0]\0", [(1, 7, "event")]),
    ("NUL between events", "r1[x0] \0 c1", [(1, 8, "event")]),
    ("NUL in a note", "note a\0\nc1", [(1, 5, "text")]),
    ("CRLF", "r1[x0]\r\nr1[x1]\r\n", [(2, 1, "read-after-write")]),
    ("CR", "r1[x0]\rc1\rr1[x0]", [(3, 1, "after-end")]),
    ("mixed line ends", "c1\r\n\rc1\n\nc1", [(3, 1, "one-end"), (5, 1, "one-end")]),
    ("BOM within the text", "c1\n\ufeffc2", [(2, 1, "event")]),
    ("tabs count as one column", "\t\tr1[x1]", [(1, 3, "read-after-write")]),
    ("NBSP is white space", "\u00a0r1[x1]", [(1, 2, "read-after-write")]),
    ("wide characters count as one column", "r1[数0] r1[😀0]", [(1, 11, "notation")]),
    ("line separators end no line", "c1\u2028c1", [(1, 4, "one-end")]),
    ("long line", "#" + "x" * 1_000_000, [(1, 1, "limit-line")]),
    ("too many events on a line", "c1 " * 5_001, [(1, 15_001, "limit-events")]),
    ("too many events", "c1\n" * 5_002, [(1, 1, "limit-events")]),
    ("lone surrogate", "r1[\ud8000]", [(1, 4, "notation")]),
    ("lone surrogate in a note", "note \ud800\nc1", [(1, 5, "text")]),
    # keyword lines
    ("schedule without a name", "schedule\nc1", [(1, 9, "keyword-line")]),
    ("schedule with two names", "schedule a b\nc1", [(1, 12, "keyword-line")]),
    ("schedule with a number", "schedule 1\nc1", [(1, 10, "name")]),
    ("note without text", "note\nc1", [(1, 5, "keyword-line")]),
    ("source without text", "c1\n source  ", [(2, 8, "keyword-line")]),
    ("init without entries", "init # x0\nc1", [(1, 6, "keyword-line")]),
    ("init of another version", "init x1=3\nc1", [(1, 6, "init")]),
    ("init without a version", "init x=3\nc1", [(1, 6, "init")]),
    ("init twice", "init x0=1 x0=2\nc1", [(1, 11, "init")]),
    ("init of an operator", "init x0 by lww\nc1", [(1, 9, "init")]),
    ("init provenance", "init x0 prov p+\nc1", [(1, 14, "provenance")]),
    ("order without a colon", "order x 0 1\nc1", [(1, 8, "notation")]),
    ("order twice", "order x: 0\norder x: 0\nr1[x0]", [(2, 7, "order")]),
    ("order with 0 inside", "order x: 1 0\nw1[x1] c1", [(1, 12, "order")]),
    ("order with 0 twice", "order x: 0 0\nw1[x1] c1", [(1, 12, "order")]),
    ("order of versions not installed", "order x: 0 1 2\nw1[x1] c1 w2[x2]", [(1, 7, "order")]),
    ("order without an installed version", "order x: 0\nw1[x1] c1", [(1, 7, "order")]),
    ("order with commas", "order x: 0, 1\nw1[x1] c1", [(1, 11, "notation")]),
    ("order of unlabelled versions", "w1[x] c1\norder x: 0", [(1, 1, "order-labels")]),
    ("session without a colon", "session s 1\nc1", [(1, 10, "notation")]),
    ("session of a stranger", "c1\nsession s: 1 2", [(2, 9, "session")]),
    ("session line twice", "session s: 1\nsession s: 2\nc1 c2", [(2, 9, "session")]),
    ("two sessions", "session s: 1\nsession t: 1\nc1", [(2, 9, "session")]),
    ("session of no transaction", "session s: x\nc1", [(1, 12, "notation")]),
    ("unknown surface", "surface open\nc1", [(1, 9, "surface")]),
    ("surface without a table", "surface audit:\nc1", [(1, 15, "notation")]),
    ("expect nothing", "expect\nc1", [(1, 7, "keyword-line")]),
    ("expect not nothing", "expect not # P4\nc1", [(1, 12, "keyword-line")]),
    ("expect a level of no family", "expect level[] RC\nc1", [(1, 8, "expectation")]),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_faults_are_placed_and_named(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert at(text) == expected


@pytest.mark.parametrize("text", [case[1] for case in CASES], ids=[case[0] for case in CASES])
def test_every_message_says_what_was_expected_and_shows_the_text(text: str) -> None:
    for problem in problems(text):
        assert problem.what and problem.expected
        assert str(problem).startswith(f"f.sched:{problem.line}:{problem.column}: ")
        assert f", expected {problem.expected} [{problem.rule}]" in str(problem)
        assert len(problem.context or "") <= 60
    with pytest.raises(ScheduleError) as caught:
        Schedule.parse(text)
    assert len(caught.value.problems) == len(problems(text))


def test_a_byte_order_mark_before_the_text_is_no_part_of_it() -> None:
    assert Schedule.parse("\ufeffc1") == Schedule.parse("c1")


def test_several_problems_of_several_schedules_are_reported_in_order() -> None:
    text = "schedule a\nr1[x] ?\norder\nw1[x\n\nschedule b\nr1[x1]\nc1 c1\n\nschedule c\nr1[y0]\nschedule a\nc1"
    found, problems = read_text(text, file="f.sched")
    assert [schedule.name for schedule in found] == ["c", "a"]
    assert [(problem.line, problem.column, problem.rule) for problem in problems] == [
        (2, 7, "event"),
        (3, 6, "keyword-line"),
        (4, 5, "notation"),
        (7, 1, "read-after-write"),
        (8, 4, "one-end"),
        (12, 1, "schedule-name"),
    ]


def test_messages() -> None:
    assert [str(problem) for problem in problems("r1[x0] x1\n w1[x01]")] == [
        "f.sched:1:8: 'x1' where an event should stand, expected one of b c a r w j cb and a transaction, as in r1[x0] "
        "[event]",
        "f.sched:2:5: version 01 with a leading zero, expected a version without leading zeros, or x01@… if x01 is the "
        "item [leading-zero]",
    ]


def test_after_many_problems_the_rest_is_counted() -> None:
    found = problems("? " * 70)
    assert len(found) == 51
    assert (found[-1].rule, found[-1].what) == ("many", "20 more problems after this one")


def test_the_context_is_cut_around_a_fault_in_a_long_line() -> None:
    (problem,) = problems("c1 " * 100 + "? " + "c2 " * 100)
    assert problem.column == 301
    assert problem.context is not None and "?" in problem.context and len(problem.context) <= 60
