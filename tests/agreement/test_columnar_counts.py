"""How many instances a trace shows, and the first ones by time: against a second counter over pairs of accesses.

The counter of the columnar reading says number, time and place of every instance; so does `count_oracle.py`. What shows
one of the first instances is enough: its transactions alone show the phenomenon.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from columnar_cases import crowded_schedule, describe, narrowed, snapshot_schedule
from count_cases import GROUPS, LIMIT, WRITTEN, differences
from count_oracle import oracle
from random_schedules import random_schedule
from test_columnar_narrow import HOLD_NEVER, broad_schedule, cut

from toki_verify.checker import check
from toki_verify.events import Schedule
from toki_verify.histories.columnar import (
    arrays,
    count_forks,
    count_groups,
    count_pairs,
    count_pivots,
    instances,
)
from toki_verify.histories.columnar.counting import COUNTERS, counted
from toki_verify.histories.columnar.decide import registered
from toki_verify.histories.columnar.found import Found
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.of_trace import schedule_of_part
from toki_verify.histories.trace import of_schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete


def assert_agree(found: Iterable[Schedule], *, of_absent: int = 1 << 30) -> Tally[str]:
    """Both counters agree; of every so many schedules also on what is present and on the numbers of what is absent."""
    met: Tally[str] = Tally()
    for number, schedule in enumerate(found):
        expected, reading = oracle(schedule), Reading(of_schedule(schedule))
        assert set(expected) == set(COUNTERS)
        for name, theirs in expected.items():
            if number % of_absent == 0:
                assert (reading.present(name) is not None) is bool(theirs), f"{name}\n{describe(schedule)}"
            elif not theirs:
                continue
            wrong = differences(name, COUNTERS[name].count(reading, LIMIT + len(theirs)), theirs)
            assert wrong is None, f"{name}: {wrong}\n{describe(schedule)}"
            met[name] += len(theirs)
    return met


def mixed(first: int, end: int) -> Iterator[Schedule]:
    """Random schedules, runs of a store with snapshots, crowded ones."""
    for seed in range(first, end):
        yield random_schedule(seed, 14 if seed % 2 else 30)
        if seed % 2 == 0:
            yield snapshot_schedule(seed)
        if seed % 4 == 0:
            yield crowded_schedule(seed)


def test_every_phenomenon_that_is_decided_is_counted() -> None:
    assert set(COUNTERS) == registered()[0]
    assert all(counter.unit and not counter.unit.endswith(".") for counter in COUNTERS.values())


def test_what_nothing_counts_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(COUNTERS, "P1")
    assert counted(Reading(of_schedule(Schedule.parse("w1[x1] r2[x1] c1 c2"))), "P1", 3) is None


def test_random_schedules() -> None:
    met = assert_agree(mixed(0, 110), of_absent=12)
    assert len(met) >= len(COUNTERS) - 1


@pytest.mark.heavy
def test_many_random_schedules() -> None:
    met = assert_agree(mixed(1_000, 3_000), of_absent=8)
    assert len(met) == len(COUNTERS)


@pytest.mark.parametrize("text", WRITTEN)
def test_schedules_that_are_written_down(text: str) -> None:
    schedule = Schedule.parse(text)
    assert_agree([schedule], of_absent=1)
    reading = Reading(of_schedule(schedule))
    numbers = {name: COUNTERS[name].count(reading, 5).number for name in WRITTEN[text]}
    assert numbers == WRITTEN[text]


def test_the_first_ones_are_the_first_by_time_and_no_more_than_asked_for() -> None:
    text = "r9[x0] r9[y0] r9[z0] w1[y1] c1 w2[z2] c2 w3[x3] c3 w9[x9] w9[z9] w9[y9] c9"
    reading = Reading(of_schedule(Schedule.parse(text)))
    whole = counted(reading, "P4", 10)
    assert whole is not None and (whole.number, whole.exact, len(whole.first)) == (3, True, 3)
    # Places: reads 0, 1, 2 of x, y, z; writes 3, 4, 5 of y, z, x; then x, z, y.
    assert whole.first == (Found((0, 5, 6)), Found((2, 4, 7)), Found((1, 3, 8)))
    for limit in range(4):
        some = counted(reading, "P4", limit)
        assert some is not None and some.number == 3 and some.first == whole.first[:limit]


def test_a_group_is_shown_by_a_short_cycle_that_is_complete_when_the_first_one_is() -> None:
    shown: Tally[str] = Tally()
    for schedule in map(crowded_schedule, range(40)):
        reading = Reading(of_schedule(schedule))
        index = reading.index
        for name in GROUPS - {"G1"}:
            made = COUNTERS[name].count(reading, LIMIT)
            for i in range(made.number):
                ends = made.more(i)
                # Ends of edges, one edge behind the other: each begins where the one before it ends.
                txns = [int(index.txn[access]) for access in ends]
                assert len(ends) % 2 == 0 and txns[1:] + txns[:1] == [t for t in _turned(txns)], name
                assert max(int(index.event[access]) for access in ends) == int(made.time[i]), name
                if name != "G-nonadjacent":
                    assert len(set(txns)) == len(ends) // 2 >= 2, name
                shown[name] += 1
    assert set(shown) == GROUPS - {"G1"}


def _turned(txns: list[int]) -> list[int]:
    """The transactions of a closed walk, each edge's end put where the next one's begin is, and the other way round."""
    out = list(txns[1:] + txns[:1])
    for at in range(0, len(out), 2):
        assert out[at] == out[at + 1], "the next edge begins elsewhere"
    return out


def test_what_shows_an_instance_shows_it_alone() -> None:
    shown: Tally[str] = Tally()
    for schedule in [*map(crowded_schedule, range(30)), *map(snapshot_schedule, range(30))]:
        trace = of_schedule(schedule)
        reading = Reading(trace)
        for name in COUNTERS:
            if reading.present(name) is None:
                continue
            answer = counted(reading, name, LIMIT)
            assert answer is not None and answer.exact and len(answer.first) == min(LIMIT, answer.number)
            # A version 0 that was lost, and the first one behind it, may be shown by the same writes.
            assert len(set(answer.first)) == len(answer.first) or name.startswith("N3")
            for one in answer.first:
                smaller = narrowed(schedule, trace, one, own_items=name.startswith("N3"))
                if smaller is not None:
                    assert Concrete(smaller).holds(catalogue()[name].formula), f"{name}\n{schedule!r}\n{smaller!r}"
                    shown[name] += 1
    assert len(shown) > 40


def test_a_part_of_a_trace_shows_what_was_counted_in_it() -> None:
    shown: Tally[bool] = Tally()
    for schedule in map(crowded_schedule, range(200, 220)):
        trace = of_schedule(schedule)
        reading = Reading(trace)
        for name in ("P4", "A5A", "A5B", "G-single", "G2-item", "P2", "P1", "P3[skew]"):
            answer = counted(reading, name, LIMIT) if reading.present(name) is not None else None
            for one in answer.first if answer is not None else ():
                versions = [int(trace.version[access]) for access in one.accesses]
                writers = [int(trace.txn[trace.writer[v]]) for v in versions if trace.writer[v] >= 0]
                part = check(schedule_of_part(trace, {*(int(trace.txn[a]) for a in one.accesses), *writers}))
                shown[bool(part.findings[name].present)] += 1
    # A read of a transaction that is left out is sometimes what it hangs on.
    assert shown[True] > 20 and shown[False] <= shown[True] // 20


# -- caps and pieces ---------------------------------------------------------------------------------------------------
CAPPED = {"A5A", "OTV", "A5B", "P3[skew]", "N2", "A5A[event]", "A5B[event]", "PMP", "long-fork", "N2[printed]"}
CAPPED |= {"dangerous-structure"}


def _all(schedules: Iterable[Schedule]) -> Iterator[tuple[str, Reading]]:
    for schedule in schedules:
        reading = Reading(of_schedule(schedule))
        yield from ((name, reading) for name in COUNTERS if reading.present(name) is not None)


def test_behind_a_cap_there_are_at_least_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [(name, reading, counted(reading, name, 2)) for name, reading in _all(map(crowded_schedule, range(12)))]
    monkeypatch.setattr(instances, "CAP", 0)
    monkeypatch.setattr(count_forks, "_LOOKED", 0)
    for module in (count_pairs, count_pivots, count_forks):
        monkeypatch.setattr(module, "PIECE", 32)
    met: Tally[tuple[str, bool]] = Tally()
    for name, reading, before in cases:
        after = counted(Reading(reading.trace), name, 2)
        assert before is not None and after is not None and before.exact
        assert 1 <= after.number <= before.number and after.first, name
        assert after.exact is (name not in CAPPED), name
        met[name, after.number < before.number] += 1
    assert {name for name, fewer in met if fewer} >= {"A5B", "long-fork"}


def test_small_pieces_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (count_pairs, count_pivots, count_forks):
        monkeypatch.setattr(module, "PIECE", 32)
    monkeypatch.setattr(count_groups, "STARTS", 1)
    assert_agree(map(crowded_schedule, range(100, 112)))


# -- places of few bits ------------------------------------------------------------------------------------------------
def test_no_product_of_places_overflows(monkeypatch: pytest.MonkeyPatch) -> None:
    traces = [of_schedule(broad_schedule(seed)) for seed in range(25)]

    def store(kind: type[np.signedinteger[Any]], never: int) -> None:
        monkeypatch.setattr(arrays, "NARROW", kind)
        for module in HOLD_NEVER:
            monkeypatch.setattr(module, "NEVER", never)

    def answers(reading: Reading) -> dict[str, object]:
        present = [name for name in COUNTERS if reading.present(name) is not None]
        return {name: counted(reading, name, 2) for name in present}

    store(np.int64, 1 << 31)
    wide = [answers(Reading(trace)) for trace in traces]
    store(np.int8, 127)
    assert [answers(Reading(cut(trace))) for trace in traces] == wide
