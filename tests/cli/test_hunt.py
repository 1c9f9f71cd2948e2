"""hunt: what is found is what was asked for; what is not found is undecided; bad input says where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from toki_verify.events import Schedule
from toki_verify.relations.concrete import Concrete
from toki_verify.search.query import parse_query


def test_found(run: Run) -> None:
    outcome = run("hunt", "SI and write skew")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("graph:SI and A5B: a small schedule, 6 events, 2 transactions, 2 items (number ")
    assert "  r1[x0] w1[y1] c1 r2[y0] w2[x1] c2\n" in outcome.out
    assert "A5B  write skew" in outcome.out and "Levels: graph SI" in outcome.out
    assert "not proved smallest" in outcome.out and "toki-verify witness" in outcome.out


def test_the_same_seed_finds_the_same(run: Run) -> None:
    first = run("hunt", "RC and P2, not P4", "--seed", "3", "-o", "json")
    assert first.code == 0 and run("hunt", "RC and P2, not P4", "--seed", "3", "-o", "json") == first


@pytest.mark.parametrize(
    "query",
    ["N1 and SR", "CB and SR", "N2 and SI", "session:SI and not session:SER", "P2 and RC+SR@judge_log", "A3"],
)
def test_what_is_printed_satisfies_the_query(query: str, run: Run) -> None:
    outcome = run("hunt", query, "-o", "sched", "--seconds", "60")
    assert outcome.code == 0 and outcome.err == ""
    schedule = Schedule.parse(outcome.out)
    assert Concrete(schedule).holds(parse_query(query).formula)
    assert set(schedule.resolved.end) == set(schedule.resolved.txns)


def test_json(run: Run) -> None:
    data = json.loads(run("hunt", "P0", "-o", "json").out)
    assert (data["verdict"], data["size"], data["proved_smallest"], data["formula"]) == ("found", 4, False, "P0")
    assert [event["op"] for event in data["schedules"][0]["events"]] == ["w", "w", "c", "c"]
    none = run("hunt", "SI and not RC", "--tries", "5", "-o", "json")
    data = json.loads(none.out)
    assert none.code == 3
    assert (data["verdict"], data["schedules"], data["tried"]) == ("undecided", [], 5)


def test_not_found_is_undecided(run: Run) -> None:
    outcome = run("hunt", "SI and not RC", "--tries", "20")
    assert outcome.code == 3 and outcome.err == ""
    assert outcome.out.startswith("undecided: 20 schedules in ")
    assert "none satisfies graph:SI and not graph:RC" in outcome.out
    assert run("hunt", "SI and not RC", "--seconds", "0.05").code == 3
    nothing = run("hunt", "SI and not RC", "--tries", "1", "-o", "sched")
    assert nothing.code == 3 and nothing.out == "" and nothing.err.startswith("undecided: 1 schedule in ")


def test_the_family_of_a_bare_level(run: Run) -> None:
    outcome = run("hunt", "PSI and G-single", "--family", "session", "--tries", "3")
    assert outcome.code == 3 and "session:PSI and G-single" in outcome.out


def test_levels_of_a_file(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "mine.levels"
    file.write_text("level mine\n  needs RC\n  no P4\n")
    outcome = run("hunt", "mine and P2", "--levels", file)
    assert outcome.code == 0 and "user:mine and P2" in outcome.out and "mine (user-defined)" in outcome.out


def test_unfinished(run: Run) -> None:
    assert "c1" not in run("hunt", "P0", "--allow-unfinished", "-o", "sched").out


def test_bounds(run: Run) -> None:
    out = run("hunt", "P4", "--max-events", "5", "--transactions", "2", "--items", "1", "-o", "sched").out
    schedule = Schedule.parse(out)
    assert len(schedule) == 5 and len(schedule.resolved.txns) == 2 and len(schedule.resolved.items) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["SI and P44"],
            "<query>:1:8: error: unknown phenomenon or level 'P44'; expected a known one (did you mean P4",
        ),
        (["SI P4"], "<query>:1:4: error: 'P4'; expected `and`, `or` or a comma"),
        ([""], "<query>:1:1: error: the end of the query"),
        (["P4", "--family", "grahp"], "unknown family 'grahp'"),
        (["P4", "--levels", "nowhere.levels"], "nowhere.levels: No such file"),
        (["P4", "--seconds", "0"], "seconds must be more than 0"),
        (["P4", "--seconds", "nan"], "seconds must be"),
        (["P4", "--max-events", "0"], "events must be 1 to 500, not 0"),
        (["P4", "--transactions", "51"], "transactions must be 1 to 50, not 51"),
        (["P4", "--items", "27"], "items must be 1 to 26, not 27"),
        (["P4", "--tries", "0"], "tries must be at least 1"),
        ([], "the following arguments are required: QUERY"),
    ],
)
def test_bad_input(arguments: list[str], message: str, run: Run) -> None:
    outcome = run("hunt", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_help(run: Run) -> None:
    assert "examples:" in run("hunt", "--help").out
