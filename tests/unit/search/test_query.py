"""Queries: what they mean, what they name, and where their faults stand."""

from __future__ import annotations

import pytest

from toki_verify.events import Schedule, ScheduleError
from toki_verify.levels import parse_spec
from toki_verify.levels.user import parse_levels
from toki_verify.phenomena.catalogue import UnknownName, catalogue, phenomenon
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula
from toki_verify.search.query import NAMES, NESTING, Query, parse_query

P4, P2, A5B, P3, CB = (phenomenon(name).named for name in ("P4", "P2", "A5B", "P3", "CB"))
SI, SR, RC = (parse_spec(name).named for name in ("SI", "SR", "RC"))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("P4", P4),
        ("p4", P4),
        ("lost update", P4),
        ("Lost   Update", P4),
        ('"lost update"', P4),
        ("SI", SI),
        ("si AND Not P4", SI & ~P4),
        ("SI, not P4", SI & ~P4),
        ("SI and no P4", SI & ~P4),
        ("shows P4", P4),
        ("not not P4", ~~P4),
        ("(A5B or P3) and SI", (A5B | P3) & SI),
        ("A5B or P3 and SI", A5B | (P3 & SI)),
        ("A5B or P3, SI", (A5B | P3) & SI),
        ("not P4 and SI", ~P4 & SI),
        ("not (P4 and SI)", ~(P4 & SI)),
        ("((P4))", P4),
        ("read-only transaction anomaly", phenomenon("read-only-anomaly").named),
        ("P2[broad]", phenomenon("P2[broad]").named),
        ("adya:PL-3 and not graph:SI", parse_spec("adya:PL-3").named & ~SI),
        ("RC+SR@judge_log and P2", parse_spec("RC+SR@judge_log").named & P2),
        ("PL-2+, P4", None),
        (
            "SR@partition(alice, lives_in)+RC or P4",
            parse_spec("SR@partition(alice, lives_in)+RC").named | P4,
        ),
        ('SR@"judge log" and P4', parse_spec('SR@"judge log"').named & P4),
        ('SR@partition("a (b", "and")', parse_spec('SR@partition("a (b", "and")').named),
        ("CB", CB),
        ("cb", parse_spec("cb").named),
        ("shows cb", CB),
    ],
)
def test_meaning(text: str, formula: Formula | None) -> None:
    if formula is None:
        assert parse_query(text, family="adya").formula == parse_spec("adya:PL-2+").named & P4
    else:
        assert parse_query(text).formula == formula


def test_what_a_query_names() -> None:
    query = parse_query("not P4 and SI, P4 or session:PC, si")
    assert [entry.id for entry in query.phenomena] == ["P4"]
    assert [level.full_id for level in query.levels] == ["graph:SI", "session:PC"]


def test_every_phenomenon_can_be_named_by_its_id_and_aliases() -> None:
    for entry in catalogue().values():
        for name in (entry.id, *entry.aliases):
            assert parse_query(name).phenomena == (entry,)
            assert parse_query(f"SI and ({name.upper() if entry.id != 'CB' else name})").phenomena == (entry,)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("si and not lost update", "graph:SI and not P4"),
        ("A5B or P3, SI", "(A5B or P3) and graph:SI"),
        ("not (P4 and SI)", "not (P4 and graph:SI)"),
        ("P4 or (P2 or P3)", "P4 or (P2 or P3)"),
        ("P4 or A5B and SI", "P4 or A5B and graph:SI"),
        ("RC+SR@log", "graph:RC+SR@log"),
    ],
)
def test_canonical_text_reads_back(text: str, canonical: str) -> None:
    query = parse_query(text)
    assert str(query) == canonical
    assert parse_query(canonical).formula == query.formula


def test_queries_join() -> None:
    both = parse_query("A5B") & ~parse_query("P2 or SR")
    assert both.formula == A5B & ~(P2 | SR)
    assert [entry.id for entry in both.phenomena] == ["A5B", "P2"]
    assert both.text == "(A5B) and (not (P2 or SR))"
    assert parse_query(both.text).formula == both.formula


def test_a_query_decides_schedules() -> None:
    query = parse_query("SI and write skew")
    assert Concrete(Schedule.parse("r1[x0] r2[y0] w1[y1] w2[x1] c1 c2")).holds(query.formula)
    assert not Concrete(Schedule.parse("r1[x0] r2[x0] w2[x1] c2 w1[x2] c1")).holds(query.formula)


LEVELS = parse_levels("level mine\n  needs RC\n  no A5B\nlevel SI\n  no P4\nlevel P4\n  no P0\nlevel a2\n  no P0\n")


def test_levels_of_a_file_come_first() -> None:
    assert parse_query("MINE and P2", user=LEVELS).levels[0].full_id == "user:mine"
    assert parse_query("SI", user=LEVELS).levels[0].full_id == "user:SI"
    assert parse_query("graph:SI", user=LEVELS).levels[0].full_id == "graph:SI"
    assert parse_query("mine", family="user", user=LEVELS).levels[0].full_id == "user:mine"


def test_a_name_that_is_a_level_and_a_phenomenon() -> None:
    with pytest.raises(ScheduleError, match=r"<query>:1:8: 'P4' names a level and a phenomenon, expected `user:P4`"):
        parse_query("SI and P4", user=LEVELS)
    assert parse_query("user:P4", user=LEVELS).levels[0].full_id == "user:P4"
    assert parse_query("shows P4 and no P3", user=LEVELS).formula == P4 & ~P3
    # Written exactly like one of them: that one.
    assert parse_query("A2", user=LEVELS).phenomena
    assert parse_query("a2", user=LEVELS).levels
    with pytest.raises(ScheduleError, match="'Cb' names a level and a phenomenon"):
        parse_query("Cb")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<query>:1:1: the end of the query, expected a phenomenon, a level, `not` or `(`"),
        ("SI and", "<query>:1:7: the end of the query, expected a phenomenon"),
        ("SI or and P4", "<query>:1:7: 'and', expected a phenomenon, a level"),
        ("(SI and P4", "<query>:1:11: the end of the query, expected `)`"),
        ("SI)", "<query>:1:3: ')', expected `and`, `or`, a comma or the end"),
        ("()", "<query>:1:2: ')', expected a phenomenon"),
        ("SI P4", "<query>:1:4: 'P4', expected `and`, `or` or a comma"),
        ("SI && P4", "<query>:1:4: '&&', expected `and`"),
        ("SI and ! P4", "<query>:1:8: '!', expected `not`"),
        ("SI and P44", "<query>:1:8: unknown phenomenon or level 'P44', expected a known one (did you mean P4"),
        ("SI and lots update", "<query>:1:8: unknown phenomenon or level 'lots update', expected a known one (did you"),
        ("S1 and P4", "did you mean SR or SI"),
        ("zzzzzz", "expected a phenomenon (`toki-verify rule --all`) or a level"),
        ("adya:SI", "<query>:1:6: unknown level of family adya 'SI'"),
        ("graf:SI", "<query>:1:1: unknown family 'graf', expected a known one (did you mean graph"),
        ("P4 and PL-3", "<query>:1:8: unknown phenomenon or level 'PL-3', expected its family before it: adya:PL-3"),
        ("no SI", "<query>:1:4: unknown phenomenon 'SI'"),
        ("no", "expected a phenomenon such as P4"),
        ("RC+S1@log", "<query>:1:4: unknown level of family graph 'S1'"),
        ("SI@", "behind `@`, expected a table"),
        ("SR@partition(alice) and P4", "<query>:1:13: a partition that is not of two names"),
        ('"lost update', "<query>:1:1: a quoted name without an end"),
        (r'"\x"', "<query>:1:1: the quoted name"),
        ("P4C", "<query>:1:1: P4C is not in this version"),
        ("(" * (NESTING + 1), f"nested more than {NESTING} deep"),
        ("not " * (NESTING + 1) + "P4", f"nested more than {NESTING} deep"),
        (" and ".join(["P4"] * (NAMES + 1)), f"a query of more than {NAMES} names"),
        ("P4" * 600_000, "<query>:1:1: a query of 1200000 characters"),
    ],
)
def test_faults_have_a_place(text: str, message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        parse_query(text)
    assert message in str(caught.value)
    assert all(problem.rule == "query" for problem in caught.value.problems)


def test_several_unknown_names_are_told_at_once() -> None:
    with pytest.raises(ScheduleError) as caught:
        parse_query("SQ and not P9")
    assert [problem.column for problem in caught.value.problems] == [1, 12]


def test_an_unknown_family() -> None:
    with pytest.raises(UnknownName, match="unknown family 'grahp'"):
        parse_query("SI", family="grahp")


def test_a_query_is_data() -> None:
    assert parse_query("SI and P4") == parse_query("SI and P4")
    assert isinstance(hash(parse_query("SI")), int) and isinstance(parse_query("SI"), Query)
