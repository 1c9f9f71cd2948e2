"""N1 of every way to log votes: the search that merges histories against one that walks every interleaving.

Both must agree which cells show N1 and on the number of events of the smallest history; and the levels that the search
computes for itself must be those of the formulas, on every history with N1 that it meets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from judge_log_oracle import Walk

from toki_verify.bridge import log_levels, log_search
from toki_verify.bridge.disciplines import Discipline, disciplines
from toki_verify.bridge.log_search import REDUCED, Disagreement, decide_discipline
from toki_verify.bridge.protocol import ASKED, READINGS, Bound, Operator, Protocol, Saw, State, Step

Shown = dict[tuple[str, str], int]


def searched(found: Discipline, bound: Bound, reading: str, protocol: type[Protocol] = Protocol) -> Shown:
    decided = decide_discipline(found, bound, reading, protocol=protocol(found, bound, reading), confirm_all=True)
    return {key: len(cell.schedule) for key, cell in decided.cells.items() if cell.schedule is not None}


def costly(found: Discipline) -> bool:
    """Whether walking every interleaving takes long: three writers."""
    return found.row == "mutable" and found.recurs == "across"


def agree(found: Discipline, bound: Bound, reading: str) -> None:
    assert searched(found, bound, reading) == Walk(found, bound, reading).run().shows, str(found)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("place", ["own", "operator"])
def test_both_deciders_agree(place: str, reading: str) -> None:
    for found in disciplines():
        if found.place == place and not costly(found):
            bound = REDUCED[found.recurs]
            assert searched(found, bound, reading) == Walk(found, bound, reading).run().shows, str(found)


@pytest.mark.parametrize("fill", ["if-absent", "claim"])
def test_both_deciders_agree_on_rows_that_change(fill: str) -> None:
    chosen = [found for found in disciplines() if costly(found) and found.fill == fill]
    assert chosen
    for found in chosen:
        agree(found, REDUCED["across"], "returned")


@pytest.mark.heavy
@pytest.mark.parametrize("reading", READINGS)
def test_both_deciders_agree_on_all_rows_that_change(reading: str) -> None:
    chosen = [found for found in disciplines() if costly(found)]
    assert chosen
    for found in chosen:
        agree(found, REDUCED["across"], reading)


@pytest.mark.heavy
@pytest.mark.parametrize("place", ["own", "operator"])
def test_both_deciders_agree_with_a_replay(place: str) -> None:
    """Three operators, one of them a replay, which is what a dirty vote needs."""
    across = [found for found in disciplines() if found.recurs == "across" and not costly(found)]
    chosen = [found for found in across if found.place == place and found.unique]
    assert chosen
    for found in chosen:
        agree(found, Bound(2, 1, 1, 1, 0), "returned")


@pytest.mark.heavy
def test_every_history_of_the_whole_bound_is_judged_alike() -> None:
    for found in disciplines():
        decide_discipline(found, confirm_all=True)


class ForgetsTheKey(Protocol):
    """An engine that lets a second row in."""

    def found(self, state: State, txn: str) -> list[int]:
        return []

    def waits(self, state: State, txn: str) -> bool:
        return False


class ForgetsRunning(Protocol):
    """An engine that sees committed rows only."""

    def waits(self, state: State, txn: str) -> bool:
        return False


class Keeps(Protocol):
    """A losing call that returns its own vote although the discipline says to adopt."""

    def lose(self, state: State, number: int, operator: Operator, saw: Saw) -> Iterator[Step]:
        chosen, self.discipline = self.discipline, replace(self.discipline, loser="keep")
        yield from super().lose(state, number, operator, saw)
        self.discipline = chosen


class LosesBlindly(Protocol):
    """A refused insert that tells the transaction nothing."""

    def seeing(self, state: State, saw: Saw) -> State:
        refused = state.operators[int(saw.txn) - 1].phase == ASKED
        return state if refused else super().seeing(state, saw)

    def read_text(self, state: State, saw: Saw) -> str:
        refused = state.operators[int(saw.txn) - 1].phase == ASKED
        return "" if refused else super().read_text(state, saw)


class AsksAlways(Protocol):
    """A call that consults and does not heed what it sees."""

    def call(self, state: State, number: int, operator: Operator) -> Iterator[Step]:
        yield from self.ask(state, number, operator, ())


class SeesOldRows(Protocol):
    """A log in which a rollback leaves the row."""

    def rows(self, state: State) -> list[int]:
        return list(range(len(state.versions)))


@pytest.mark.parametrize(
    ("mutant", "spec"),
    [
        (ForgetsTheKey, "own/immutable/unique-log/adopt/across"),
        (ForgetsTheKey, "operator/immutable/if-absent/adopt/across"),
        (ForgetsRunning, "own/immutable/unique-log/adopt/across"),
        (Keeps, "own/immutable/if-absent/adopt/across"),
        (LosesBlindly, "operator/immutable/if-absent/keep/across"),
        (LosesBlindly, "operator/immutable/unique-operator/keep/across"),
        (LosesBlindly, "operator/immutable/claim/keep/across"),
        (AsksAlways, "operator/immutable/check/keep/across"),
        (SeesOldRows, "operator/immutable/if-absent/adopt/across"),
    ],
)
def test_a_broken_protocol_is_noticed(mutant: type[Protocol], spec: str) -> None:
    found, bound = Discipline.parse(spec), REDUCED["across"]
    right = Walk(found, bound).run().shows
    assert searched(found, bound, "returned") == right
    assert searched(found, bound, "returned", mutant) != right


@pytest.mark.parametrize("height", [lambda state, at_most=3: 3, lambda state, at_most=3: 0])
def test_levels_that_are_wrong_are_noticed(height: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_search, "height", height)
    with pytest.raises(Disagreement):
        searched(Discipline.parse("operator/immutable/check/keep/across"), REDUCED["across"], "returned")


@pytest.mark.parametrize("dropped", [0, 1])
def test_edges_that_are_missing_are_noticed(dropped: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without dependencies, or without anti-dependencies."""
    whole = log_levels.edges
    monkeypatch.setattr(
        log_levels,
        "edges",
        lambda state: (set(), whole(state)[1]) if dropped == 0 else (whole(state)[0], set()),
    )
    with pytest.raises(Disagreement):
        for spec in ("operator/immutable/check/keep/across", "operator/replaceable/upsert/keep/across"):
            searched(Discipline.parse(spec), REDUCED["across"], "returned")
