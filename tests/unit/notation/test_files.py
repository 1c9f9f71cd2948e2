"""NOTATION, "Schedule files": keyword lines, several schedules, printing."""

from __future__ import annotations

import pytest

from toki_verify.events import (
    Expectation,
    InitialVersion,
    Item,
    Partition,
    Schedule,
    ScheduleError,
    Surface,
)
from toki_verify.notation import parse_one, parse_text, print_events, print_schedule, read_text

X = Item("facts", "x")

LOST_UPDATE = """\
schedule H4-lost-update
  source  Berenson et al. 1995, section 4.1
  init x0=100                     # values, predicate matches, provenance of initial versions
  order x: 0 1 2                  # version order: exactly the installed versions
  r1[x0=100] r2[x0=100] w2[x1=120] c2
  w1[x2=130] c1
  expect P4 G-single
  expect not P0 P1 A5B
  expect level RC                 # the maximal levels
  expect level[adya] PL-2
  note free text
"""


def test_the_example_of_the_notation() -> None:
    (found,) = parse_text(LOST_UPDATE)
    assert found.name == "H4-lost-update"
    assert found.source == "Berenson et al. 1995, section 4.1"
    assert found.init == {X: InitialVersion("100")}
    assert found.order == {X: ("1", "2")}
    assert print_events(found) == "r1[x0=100] r2[x0=100] w2[x1=120] c2 w1[x2=130] c1"
    assert found.expect == (
        Expectation("present", ("P4", "G-single")),
        Expectation("absent", ("P0", "P1", "A5B")),
        Expectation("level", ("RC",)),
        Expectation("level", ("PL-2",), "adya"),
    )
    assert [expectation.line for expectation in found.expect] == [7, 8, 9, 10]
    assert found.note == "free text"


def test_it_is_printed_canonically() -> None:
    assert (
        print_schedule(parse_text(LOST_UPDATE)[0])
        == """\
schedule H4-lost-update
  source Berenson et al. 1995, section 4.1
  init x0=100
  order x: 0 1 2
  r1[x0=100] r2[x0=100] w2[x1=120] c2 w1[x2=130] c1
  expect P4 G-single
  expect not P0 P1 A5B
  expect level RC
  expect level[adya] PL-2
  note free text
"""
    )


def about(line: str) -> Schedule:
    return Schedule.parse(f"{line}\nr1[x0] r2[x0] r3[m1@0]")


@pytest.mark.parametrize(
    ("line", "init"),
    [
        ("init x0=100", {X: InitialVersion("100")}),
        ("init x0", {X: InitialVersion()}),
        ("init x@0=null", {X: InitialVersion("null")}),
        ("init x0 in P, Q", {X: InitialVersion(None, ("P", "Q"))}),
        ("init x0={} in P prov p1+p2", {X: InitialVersion("{}", ("P",), "p1+p2")}),
        (
            "init x0 prov p1 y0=1 in0=2",
            {
                X: InitialVersion(None, (), "p1"),
                Item("facts", "y"): InitialVersion("1"),
                Item("facts", "in"): InitialVersion("2"),
            },
        ),
        ("init t:m1@0=1 # c", {Item("t", "m1"): InitialVersion("1")}),
        ('init "m1"@0', {Item("facts", "m1"): InitialVersion()}),
    ],
)
def test_init_lines(line: str, init: dict[Item, InitialVersion]) -> None:
    assert about(line).init == init
    assert parse_one(print_schedule(about(line))) == about(line)


def test_references_of_keyword_lines_may_state_partitions() -> None:
    found = about("init alice.likes/m1@0\norder bob.likes/x: 0")
    assert found.partitions == {Item("facts", "m1"): Partition("alice", "likes"), X: Partition("bob", "likes")}
    assert "order bob.likes/x: 0" in print_schedule(found)


def test_sessions() -> None:
    found = about("session s1: 1 3\nsession 2: 2")
    assert found.sessions == {"s1": ("1", "3"), "2": ("2",)}
    assert about('session "s 1": T1 T"3"').sessions == {"s 1": ("1", "3")}
    assert "session 2: 2\n" in print_schedule(found)


def test_surfaces() -> None:
    assert about("surface closed history:log").surface == (Surface("closed"), Surface("history", "log"))
    assert about('surface audit:"a b"\nsurface current audit:"a b"').surface == (
        Surface("audit", "a b"),
        Surface("current"),
    )


def test_sources_and_notes_of_several_lines() -> None:
    found = about("source a # no comment\nnote  b  \nsource c\nnote d")
    assert (found.source, found.note) == ("a # no comment\nc", "b\nd")


def test_expectations_keep_readings_in_brackets() -> None:
    assert about("expect P3[broad] N3[audit]").expect == (Expectation("present", ("P3[broad]", "N3[audit]")),)
    assert about("expect level SR@judge_log RC+cb").expect == (Expectation("level", ("SR@judge_log", "RC+cb")),)


@pytest.mark.parametrize("text", ["schedulex", "orders", "initial", "notes x"])
def test_a_keyword_is_a_whole_word(text: str) -> None:
    with pytest.raises(ScheduleError):
        Schedule.parse(text)


def test_keyword_lines_may_stand_anywhere_and_be_indented_in_any_way() -> None:
    assert Schedule.parse("\t init x0=1\nr1[x0]\nnote\ta\n\u00a0order x: 0") == Schedule.parse(
        "order x: 0\nnote a\ninit x0=1\nr1[x0]"
    )


def test_several_schedules_a_file() -> None:
    first, second, third = parse_text('# file\nr1[x0]\nschedule a\nr2[x0]\n\nschedule "b c" # d\n\nr3[x0]\n')
    assert [schedule.name for schedule in (first, second, third)] == [None, "a", "b c"]
    assert [schedule.resolved.txns for schedule in (first, second, third)] == [["1"], ["2"], ["3"]]


def test_the_stem_names_the_schedule_that_no_line_names() -> None:
    assert [schedule.name for schedule in parse_text("r1[x0]\nschedule a\nr2[x0]", stem="file")] == ["file", "a"]


def test_sound_schedules_are_returned_beside_the_problems_of_others() -> None:
    found, problems = read_text("schedule a\nr1[x0]\nschedule b\nr1[x1]\nschedule c\nr1[x0]", file="f.sched")
    assert [schedule.name for schedule in found] == ["a", "c"]
    assert [(problem.file, problem.line, problem.rule) for problem in problems] == [("f.sched", 4, "read-after-write")]


def test_names_are_unique_in_a_file() -> None:
    _, problems = read_text("schedule a\nr1[x0]\n\nschedule a\nr2[x0]", file="f.sched")
    assert [str(problem) for problem in problems] == [
        "f.sched:4:1: a second schedule named a, expected unique names; the first is in line 1 [schedule-name]"
    ]


def test_one_schedule_is_one_schedule() -> None:
    with pytest.raises(ScheduleError, match="2 schedules, expected one schedule"):
        Schedule.parse("schedule a\nr1[x0]\nschedule b\nr1[x0]")


def test_long_schedules_are_wrapped() -> None:
    text = " ".join(f"w1[item{number}@1=value]" for number in range(30))
    lines = print_schedule(Schedule.parse(text)).splitlines()
    assert len(lines) > 5
    assert all(len(line) <= 100 for line in lines)
    assert Schedule.parse("\n".join(lines)) == Schedule.parse(text)
