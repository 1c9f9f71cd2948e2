"""What systems of tables reach, fact by fact, against histories that are played without states (`tests/second`)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.second.log_programs import LAYOUTS, levels, n1
from tests.second.log_programs import histories as generated
from tests.second.vote_machines import Pairs, Shown, Table, mirrored, pairs_of, shown, shown_by, tables
from toki_verify.claims.access_programs import holds_at
from toki_verify.claims.corollary_4 import at_sr
from toki_verify.claims.judge_reach import Reached, reach
from toki_verify.claims.judge_systems import FULL, System, extended, family
from toki_verify.claims.keyed_log import DISCIPLINES
from toki_verify.claims.prompt_sensitivity import canonical, differing

TABLES = tables()
ASKING = [table for table in TABLES if table.first in ("ask", "twice")]


def system_of(table: Table) -> System:
    return System(table.first, table.zero, table.one, table.place, table.clash, "nonce" if table.nonce else "recurs")


def facts(found: Reached) -> Shown:
    return Shown(found.n1, found.unpaired_before, found.unpaired_by, found.fresh, found.other, found.judged)


def differences(chosen: Iterable[Table], *, serial_log: bool = False) -> list[str]:
    wrong = []
    for table in chosen:
        reached = at_sr(system_of(table)) if serial_log else reach(system_of(table), FULL)
        if facts(reached) != shown(table, serial_log=serial_log):
            wrong.append(f"{system_of(table)}: {facts(reached)}, {shown(table, serial_log=serial_log)}")
    return wrong


def test_both_have_the_same_family() -> None:
    assert {system_of(table) for table in TABLES} == set(family()) and len(TABLES) == len(set(TABLES))
    nonces = {system for system in extended() if system.key == "nonce"}
    assert {system_of(t._replace(nonce=True)) for t in TABLES if t[1:3] == ("skip", "skip")} >= nonces


def test_every_fact_is_the_same_of_some_systems_of_each_layout() -> None:
    assert differences(TABLES[::13]) == []
    assert differences(table._replace(nonce=True) for table in TABLES if table[1:3] == ("skip", "skip")) == []
    assert differences([t for t in ASKING if t.place == "with"][::9], serial_log=True) == []


@pytest.mark.heavy
def test_every_fact_is_the_same_of_all_systems() -> None:
    assert differences(TABLES) == []
    assert differences(ASKING, serial_log=True) == []


@pytest.mark.heavy
def test_replay_pairs_are_the_same_of_all_systems() -> None:
    for table in ASKING:
        found = reach(system_of(table), FULL)
        assert Pairs(found.pair, found.pair_after, found.pair_beside) == pairs_of(table), str(system_of(table))


def test_replay_pairs_are_the_same_of_some_systems() -> None:
    for table in ASKING[::11]:
        found = reach(system_of(table), FULL)
        assert Pairs(found.pair, found.pair_after, found.pair_beside) == pairs_of(table), str(system_of(table))


def test_a_mirror_image_shows_the_same() -> None:
    for table in TABLES[7::61]:
        assert shown_by(table) == shown(table) and mirrored(mirrored(table)) == table
    assert sum(mirrored(table) != table for table in TABLES) > 1000


def test_a_difference_is_found() -> None:
    """A system is told from its neighbours: with another layout some fact differs."""
    table = Table("ask", "read", "read", "before", "adopt")
    for place, clash in (("before", "keep"), ("with", "adopt"), ("after", "keep")):
        assert facts(reach(system_of(table._replace(place=place, clash=clash)), FULL)) != shown(table)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_both_generate_as_many_histories_with_votes_that_differ(layout: str) -> None:
    """Counted by text, and by events; levels by the checker's formulas, and by cycles."""
    assert set(LAYOUTS) == set(DISCIPLINES)
    texts, made = canonical(layout), generated(layout, 0)
    assert len(texts) == len(made)
    split = [text for text in texts if differing(text)]
    assert len(split) == sum(map(n1, made))
    bad = [levels(history) for history in made if n1(history)]
    assert sum(holds_at(text, "SR@judge_log") for text in split) == sum(serial for *_, serial in bad)
    for level, place in (("RC@judge_log", 0), ("SI@judge_log", 1)):
        every = len(split) < 200
        found = [holds_at(text, level) for text in (split if every else split[::9])]
        assert sum(found) == sum(reached[place] for reached in bad) if every else set(found) <= {r[place] for r in bad}
