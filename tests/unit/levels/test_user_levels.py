"""User-defined levels and level specifications: parsed, never run; the same verdicts as the built-in ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from toki_verify.checker import check
from toki_verify.events import Schedule, ScheduleError
from toki_verify.levels import families, parse_spec
from toki_verify.levels.user import parse_levels
from toki_verify.notation import parse_text
from toki_verify.phenomena.catalogue import UnknownName, catalogue
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula
from toki_verify.relations.printing import formula_text
from toki_verify.relations.syntax import Parser, SyntaxFault
from toki_verify.search.census import Alphabet, census

TEXT = """\
# the default family, written by a user
level mine-RC
  no P0
  no P1
level mine-SI
  title  snapshots
  needs  graph:RC
  let    depends = txn(wr | ww | pwr)
  let    misses = txn(rw | prw)
  acyclic depends ; misses?
level mine-SR
  needs  graph:RC
  acyclic txn(wr | ww | pwr | rw | prw)
level mine-PL-2+
  no G0
  no G1
  irreflexive txn(rw ∪ prw) ; txn(ww ∪ wr ∪ pwr)⁺
level no-lost-update
  empty (rw ; ww) & same_txn
level require
  require not (some (rw ; ww) ∩ same_txn) and (no P0 or acyclic dsg)
"""


def test_a_file_of_levels_says_what_the_built_in_ones_say() -> None:
    user = parse_levels(TEXT)
    graph, adya = families()["graph"], families()["adya"]
    pairs = [
        ("mine-RC", graph.level("RC")),
        ("mine-SI", graph.level("SI")),
        ("mine-SR", graph.level("SR")),
        ("mine-PL-2+", adya.level("PL-2+")),
    ]
    for schedule in census(5, Alphabet(), complete=True):
        concrete = Concrete(schedule)
        for name, level in pairs:
            assert concrete.holds(user.level(name).formula) == concrete.holds(level.formula), (name, str(schedule))
        lost = concrete.holds(catalogue()["P4"].formula)
        assert concrete.holds(user.level("no-lost-update").formula) is not lost


def test_user_levels_are_checked_with_evidence() -> None:
    user = parse_levels(TEXT)
    lost = Schedule.parse("r1[x0] r2[x0] w2[x1] c2 w1[x2] c1")
    verdict = check(lost, level="no-lost-update", user=user)
    assert verdict.ok is False
    assert verdict.declared is not None and verdict.declared.refutation is not None
    assert verdict.declared.refutation.events == (0, 2, 4)
    assert verdict.levels["user"]["mine-RC"].holds is True
    assert check(Schedule.parse("r1[x0] w1[x1] c1"), level="mine-SI", user=user).ok is True


def test_a_level_may_be_a_function_from_python() -> None:
    def at_most_two_writes(schedule: Schedule) -> bool | None:
        """No more than two writes."""
        writes = sum(event.op == "w" for event in schedule)
        return None if writes == 0 else writes <= 2

    assert check(Schedule.parse("w1[x1] w1[y1] c1"), level=at_most_two_writes).ok is True
    assert check(Schedule.parse("w1[x1] w1[y1] w1[z1] c1"), level=at_most_two_writes).ok is False
    undecided = check(Schedule.parse("r1[x0] c1"), level=at_most_two_writes)
    assert undecided.ok is None and undecided.declared is not None
    assert undecided.declared.level.full_id == "user:at_most_two_writes"
    assert undecided.declared.level.meaning == "No more than two writes."


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("level a\n  acyclic wr", 2, 3, "txn("),
        ("level a\n  acyclic txn(wr | nonsense)", 2, 20, "unknown relation 'nonsense'"),
        ("level a\n  no P44", 2, 6, "unknown phenomenon 'P44'"),
        ("level a\n  needs SII", 2, 9, "SI"),
        ("level a\n  bogus wr", 2, 3, "unknown line"),
        ("level a\n  acyclic txn(wr", 2, 17, "`)`"),
        ("level a\n  acyclic txn(wr) extra", 2, 19, "an operator"),
        ("  acyclic txn(wr)", 1, 1, "level NAME"),
        ("level a\n", 1, 1, "no condition"),
        ("", 1, 1, "without levels"),
        ("level a\n  no P4\nlevel a\n  no P4", 3, 7, "a second level"),
        ("level a\n  let wr = ww\n  no P4", 2, 7, "a second meaning"),
        ("level a\n  acyclic " + "(" * 200, 2, 61, "nested"),
        ("level a\n  empty [wr]", 2, 9, "a set"),
        ("level a\n  empty wr ; of_txn ; wr", 2, 21, "`;` joins"),
    ],
)
def test_faults_in_a_level_file_name_place_and_expectation(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        parse_levels(text, file="mine.levels")
    problem = caught.value.problems[0]
    assert (problem.file, problem.line) == ("mine.levels", line)
    assert words in f"{problem.what} {problem.expected}"
    if column != 61:
        assert problem.column == column


def test_a_level_file_is_data() -> None:
    with pytest.raises(ScheduleError):
        parse_levels("level a\n  acyclic __import__('os').system('true')")


@pytest.mark.parametrize(
    ("spec", "full"),
    [
        ("SI", "graph:SI"),
        ("si", "graph:SI"),
        ("adya:PL-2+", "adya:PL-2+"),
        ("RC+cb", "graph:RC+cb"),
        ("RC+SR@judge_log", "graph:RC+SR@judge_log"),
        ("SR@partition(alice,lives_in)", "graph:SR@partition(alice,lives_in)"),
        ("adya:PL-2++PL-3@t", "adya:PL-2++PL-3@t"),
        ("SI[G]", "graph:SI[G]"),
    ],
)
def test_specifications(spec: str, full: str) -> None:
    assert parse_spec(spec).full_id == full


@pytest.mark.parametrize("spec", ["", "S", "SI+", "SI@", "nofamily:SI", "adya:SI", "SI SR", "SI@a b", "PL-3"])
def test_wrong_specifications(spec: str) -> None:
    with pytest.raises(UnknownName):
        parse_spec(spec)


@pytest.mark.parametrize(
    "spec", ["RC+adya:PL-3@facts", "RC@x+adya:PL-3", "adya:PL-2+adya:PL-3", "RC+graph:SR@x", "SI+cb+adya:PL-3"]
)
def test_a_specification_has_one_family_in_front(spec: str) -> None:
    name = "graph" if "graph" in spec else "adya"
    with pytest.raises(UnknownName) as error:
        parse_spec(spec)
    expected = "expected one family, in front of all parts: adya:PL-2+PL-3@facts"
    assert str(error.value) == f"the family '{name}' behind `+`, {expected}"


def test_pins_restrict_edges_and_items() -> None:
    skew = Schedule.parse("r1[x0] r2[judge_log:k@0] w1[judge_log:k@1] c1 w2[x1] c2")
    holds = {
        spec: check(skew, level=spec).ok for spec in ("SR", "SI", "SI+SR@judge_log", "SR@facts", "RC+SR@judge_log")
    }
    assert holds == {"SR": False, "SI": True, "SI+SR@judge_log": True, "SR@facts": True, "RC+SR@judge_log": True}
    log = Schedule.parse("r1[judge_log:k@0] r2[judge_log:l@0] w1[judge_log:l@1] c1 w2[judge_log:k@1] c2")
    assert check(log, level="SR@judge_log").ok is False
    assert check(log, level="SR@facts").ok is True
    dirty = Schedule.parse("w1[x1] r2[x1] r2[judge_log:k@0] c1 c2")
    assert check(dirty, level="RC").ok is False
    assert check(dirty, level="RC@judge_log").ok is True
    inside = Schedule.parse("r1[s.p/x0] r2[s.p/y0] w1[s.p/y1] c1 w2[s.p/x1] c2")
    assert check(inside, level="SR@partition(s,p)").ok is False
    assert check(inside, level="SR@partition(s,q)").ok is True


def _read(text: str) -> Formula:
    def absent(name: str, at: int) -> Formula:
        return ~catalogue()[name].named

    parser = Parser(text, {}, absent)
    formula = parser.formula()
    parser.end()
    return formula


@cache
def _concretes() -> list[Concrete]:
    shipped = [
        schedule
        for file in sorted(Path("schedules").rglob("*.sched"))
        for schedule in parse_text(file.read_text(encoding="utf-8"))
    ]
    small = census(3, Alphabet(predicates=True, callbacks=True, judges=True, transactions=2, items=1))
    return [Concrete(schedule) for schedule in [*small, *shipped]]


@pytest.mark.parametrize("name", list(catalogue()))
def test_printed_formulas_read_back_and_mean_the_same(name: str) -> None:
    entry = catalogue()[name]
    again = _read(formula_text(entry.formula))
    for concrete in _concretes():
        assert concrete.holds(again) == concrete.holds(entry.formula), (
            formula_text(entry.formula),
            str(concrete.schedule),
        )


def test_nonsense_formulas_are_faults() -> None:
    for text in ("", "acyclic", "some wr |", "no", "cycle(", "not", "some [", "some txn()", "§", "some wr^-2"):
        with pytest.raises((SyntaxFault, KeyError)):
            _read(text)


def test_a_condition_that_is_no_order_is_explained_as_what_it_asks_for() -> None:
    """A serial schedule can miss a level that wants a relation empty: that no order fits would be false."""
    text = "level none-concurrent\n  needs graph:RC\n  empty (txn(ww) & concurrent)\n"
    user = parse_levels(text)
    level = user.level("none-concurrent")
    verdict = check(Schedule.parse("r1{P:} w2[x1] c2 w1[x2] c1"), level=level, user=user)
    assert verdict.declared is not None
    assert verdict.declared.refutation is not None
    said = verdict.declared.refutation.text
    assert "asks for empty txn(ww) ∩ concurrent" in said
    assert "No order" not in said
