"""Two models of a system that logs votes say the same of N1: `bridge.protocol` and the tables of `claims.judge_reach`.

They were written apart, for other claims (C2.n1; T5 and C4.tight). A discipline is a table where the key recurs across
operators (a table asks once an operator), and where its fill does not look at the log again (a table has no such
look). A table knows no dirty reads, so what it reaches without a level is compared with RC.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from toki_verify.bridge.disciplines import RECHECKING, Discipline, disciplines
from toki_verify.bridge.log_levels import CHAIN
from toki_verify.bridge.log_search import REDUCED, Decided, decide_discipline
from toki_verify.bridge.protocol import ASKED, Protocol, Saw, State
from toki_verify.checker import check
from toki_verify.claims.judge_reach import reach
from toki_verify.claims.judge_systems import CLASHES, FULL, Environment, System

Translation = Callable[[Discipline], tuple[System, Environment]]
#: One call an operator, as in a table.
ONCE = REDUCED["across"]
#: The same with a replay, which a dirty vote needs.
REPLAYED = replace(ONCE, replays=1)


def expressible(found: Discipline) -> bool:
    return found.recurs == "across" and found.fill not in RECHECKING


def translated(found: Discipline) -> tuple[System, Environment]:
    """A claim asks while it holds the key: nothing looks at a vote, so it could as well have asked before. Rows found
    by the key and a row that is replaced are a row that is overwritten: the last one is what a later call finds."""
    row = "read" if found.consults else "ask"
    place = {"own": "before", "operator": "with"}[found.place]
    clash = found.loser if found.unique else "overwrite"
    return System("ask", row, row, place, clash), replace(FULL, edit=found.row == "mutable")


@cache
def decided(found: Discipline) -> Decided:
    return decide_discipline(found, ONCE)


def differing(translation: Translation = translated, decide: Callable[[Discipline], Decided] = decided) -> set[str]:
    """The disciplines of which the two do not say the same, at RC and at SR."""
    found = set()
    for discipline in filter(expressible, disciplines()):
        system, environment = translation(discipline)
        for level, serializable in (("RC", False), ("SR", True)):
            if decide(discipline).admits("N1", level) != reach(system, environment, serializable=serializable).n1:
                found.add(f"{discipline} at {level}")
    return found


def test_both_say_the_same_of_every_discipline_that_is_a_table() -> None:
    assert differing() == set()


def test_what_is_compared() -> None:
    """Every place, row and losing fill, each clash of a table, and both answers at both levels."""
    chosen = [found for found in disciplines() if expressible(found)]
    whole = disciplines()
    for name in ("place", "row", "loser"):
        assert {getattr(found, name) for found in chosen} == {getattr(found, name) for found in whole}
    assert {found.fill for found in whole} - {found.fill for found in chosen} == RECHECKING
    assert {translated(found)[0].clash for found in chosen} == set(CLASHES)
    for level in ("RC", "SR"):
        assert {decided(found).admits("N1", level) for found in chosen} == {True, False}


def test_below_rc_they_differ_by_dirty_accesses_only() -> None:
    more = 0
    for found in filter(expressible, disciplines()):
        if found.row == "mutable":
            continue  # some of the slowest, and maintenance is no part of the matter
        system, environment = translated(found)
        row = decide_discipline(found, REPLAYED)
        if row.admits("N1", CHAIN[0]) != reach(system, environment).n1:
            more += 1
            schedule = row.cells["N1", CHAIN[0]].schedule
            assert schedule is not None
            findings = check(schedule).findings
            assert findings["P0"].present or findings["P1"].present
    assert more


class LosesBlindly(Protocol):
    """A key in the operator's transaction whose refusal tells it nothing."""

    def seeing(self, state: State, saw: Saw) -> State:
        refused = state.operators[int(saw.txn) - 1].phase == ASKED
        return state if refused else super().seeing(state, saw)

    def read_text(self, state: State, saw: Saw) -> str:
        refused = state.operators[int(saw.txn) - 1].phase == ASKED
        return "" if refused else super().read_text(state, saw)


def test_a_refusal_that_is_no_read_is_noticed() -> None:
    def blindly(found: Discipline) -> Decided:
        if found.place == "own" or not found.unique:
            return decided(found)
        return decide_discipline(found, ONCE, protocol=LosesBlindly(found, ONCE))

    keeping = {
        f"{found} at SR"
        for found in disciplines()
        if expressible(found) and found.unique and found.consults and found.row == "immutable"
        if (found.place, found.loser) == ("operator", "keep")
    }
    assert keeping
    assert differing(decide=blindly) == keeping


@pytest.mark.parametrize(
    "change",
    [{"place": "before"}, {"place": "with"}, {"clash": "adopt"}, {"clash": "keep"}, {"row_0": "ask", "row_1": "ask"}],
    ids=str,
)
def test_another_table_is_noticed(change: dict[str, str]) -> None:
    def otherwise(found: Discipline) -> tuple[System, Environment]:
        system, environment = translated(found)
        return replace(system, **change), environment

    assert differing(otherwise)


def test_another_environment_is_noticed() -> None:
    assert differing(lambda found: (translated(found)[0], FULL))
    assert differing(lambda found: (translated(found)[0], replace(translated(found)[1], overlap=False)))
