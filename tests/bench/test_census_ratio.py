"""The census by lanes against generate-and-test with the concrete reading, per schedule, in one run. Never seconds."""

from __future__ import annotations

from itertools import islice
from time import perf_counter

import pytest

from toki_verify.relations.concrete import Concrete
from toki_verify.search.census import Alphabet, census
from toki_verify.search.census_counts import Definitions, count_share
from toki_verify.search.census_lanes import Share, shares, size_of

pytestmark = pytest.mark.bench

DEFINITIONS = Definitions.shipped(["graph"])


def of_lanes(work: list[Share]) -> float:
    """The time of one schedule in a census."""
    begun = perf_counter()
    number = sum(count_share(share, DEFINITIONS).schedules for share in work)
    return (perf_counter() - begun) / number


def of_testing(size: int, number: int) -> float:
    """The time of one schedule that is made and decided by itself."""
    begun = perf_counter()
    for schedule in islice(census(size, Alphabet(), complete=True), number):
        concrete = Concrete(schedule)
        for formula in (*DEFINITIONS.levels.values(), *DEFINITIONS.phenomena.values()):
            concrete.holds(formula)
    return (perf_counter() - begun) / number


def test_lanes_against_generate_and_test() -> None:
    """Seven events: about a microsecond against a millisecond."""
    work = list(shares(7, 3, 2))
    found = [(of_testing(7, 300), of_lanes(work)) for _ in range(3)]
    assert min(tested for tested, _ in found) > 200 * min(lanes for _, lanes in found)


def test_eight_events_cost_less_per_schedule_than_seven() -> None:
    """The goal is minutes for the six million schedules of eight events: they take a few times as long as a share each
    of the seven, since a number of a hundred thousand bits costs little more than one of ten thousand."""
    seven, eight = list(shares(7, 3, 2)), list(shares(8, 3, 2))
    assert sum(map(size_of, eight)) > 16 * sum(map(size_of, seven))
    assert min(of_lanes(eight) for _ in range(2)) < min(of_lanes(seven) for _ in range(2))
