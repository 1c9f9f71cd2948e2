"""The bounded search against plain generate-and-test, and its growth, as ratios inside one run. Never seconds."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")

from toki_verify.claims.guard_map import guard_map
from toki_verify.claims.stored import from_directory
from toki_verify.relations.concrete import Concrete
from toki_verify.report.guard_map import guard_map_markdown
from toki_verify.search.census import Alphabet, census
from toki_verify.search.distinguish import distinguish
from toki_verify.search.features import Features
from toki_verify.search.witness import Bounds, question, witness

pytestmark = pytest.mark.bench

#: What the census can make, too: reads, writes, commits, aborts, the default order.
PLAIN = Features(orders=False, predicates=0, partial=False, keys=0, callbacks=False, partitions=False, sessions=False)


def seconds(action: object) -> float:
    assert callable(action)
    begun = perf_counter()
    action()
    return perf_counter() - begun


def generate_and_test(phi: str, level: str, size: int) -> int:
    """How many schedules of the census have it."""
    wanted = question(phi, level=level)
    schedules = census(size, Alphabet(transactions=3, items=2), complete=True)
    return sum(Concrete(schedule).holds(wanted) for schedule in schedules)


def test_the_encoding_against_generate_and_test() -> None:
    """No schedule of up to six events at SR shows A5B, over one alphabet: 26,420 schedules, or ten frames of clauses.

    With one event more there are fifteen times as many schedules, and half as many frames more.
    """
    bounds = Bounds(6, 3, 2)
    encoded = min(seconds(lambda: witness("A5B", level="SR", features=PLAIN, bounds=bounds)) for _ in range(3))
    plain = seconds(lambda: generate_and_test("A5B", "SR", 6))
    print(f"generate-and-test / encoding, six events: {plain / encoded:.0f}")
    assert plain / encoded > 10


def test_a_search_of_nine_events_costs_little_more_than_one_of_seven() -> None:
    """No schedule at SR shows A5B: every frame is searched. Slots, not positions, are the index: no explosion."""
    seven = seconds(lambda: witness("A5B", level="SR", bounds=Bounds(events=7)))
    nine = seconds(lambda: witness("A5B", level="SR", bounds=Bounds(events=9)))
    print(f"nine events / seven events: {nine / seven:.1f}")
    assert nine / seven < 20


@pytest.mark.heavy
def test_the_whole_guard_map_costs_no_more_than_some_searches() -> None:
    """54 cells, witnesses and proofs by both solvers, against one search of nine events without a result; and it says
    what the shipped one says."""
    one = seconds(lambda: witness("A5B", level="SR", bounds=Bounds(events=9)))
    begun = perf_counter()
    found = guard_map()
    whole = perf_counter() - begun
    print(f"the guard map / one search of nine events: {whole / one:.1f}")
    assert whole / one < 40
    stored = guard_map(cells=from_directory(Path(__file__).resolve().parents[2] / "proofs"))
    assert guard_map_markdown(found) == guard_map_markdown(stored)


def test_distinguishing_si_from_sr_costs_as_much_as_its_witness() -> None:
    found = min(seconds(lambda: witness("A5B", level="SI")) for _ in range(3))
    told = min(seconds(lambda: distinguish("SI", "SR")) for _ in range(3))
    assert told / found < 5
