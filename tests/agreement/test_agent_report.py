"""What agents did, counted over arrays and by hand: alike on random schedules; what is planted comes out exactly."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from agent_oracle import counted
from agent_traces import Plan, agent_schedule, judge_trace, key_name, lines_of
from columnar_cases import crowded_schedule, describe
from hypothesis import given, settings
from random_schedules import random_schedule

from toki_verify.events import SURFACE_PARTS, Item, Partition, Schedule
from toki_verify.histories.columnar import (
    agent,
    agent_drift,
    agent_lifted,
    agent_skews,
    agent_votes,
    counting,
    kept_rows,
)
from toki_verify.histories.columnar.agent_drift import PartitionDrift, Skew
from toki_verify.histories.columnar.agent_erasure import ErasedVersion, Kept, TableErasure
from toki_verify.histories.columnar.agent_lifted import count_below
from toki_verify.histories.columnar.agent_votes import LISTED, Call, Vote, VoteGroup
from toki_verify.histories.columnar.arrays import find
from toki_verify.histories.columnar.by_agent import AgentReport, by_agent
from toki_verify.histories.columnar.decide import decide
from toki_verify.histories.columnar.missed import RW, backward, between
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.readers.lines import read_trace
from toki_verify.histories.trace import Trace, of_schedule
from toki_verify.relations.provenance import terms
from toki_verify.search.strategies import schedules

DECIDED = ("N1", "N1[observed]", "N2", "N2[lifted]", *(f"N3[{part}]" for part in SURFACE_PARTS), "N3")


def report(schedule: Schedule, limit: int = 3) -> AgentReport:
    return by_agent(Reading(of_schedule(schedule)), limit)


def assert_agree(schedule: Schedule) -> AgentReport:
    found, expected = report(schedule), counted(schedule)
    for name in ("votes", "drift", "erasure"):
        assert getattr(found, name) == getattr(expected, name), describe(schedule)
    return found


def drawn(first: int, end: int) -> Iterator[Schedule]:
    for seed in range(first, end):
        yield random_schedule(seed, 14 if seed % 2 else 30)
        yield crowded_schedule(seed)
        yield agent_schedule(seed)


def met(reports: list[AgentReport]) -> Mapping[str, int]:
    """How many reports have something to tell, of every kind."""
    votes = [one.votes for one in reports if one.votes is not None]
    drift = [one.drift for one in reports if one.drift is not None]
    erasure = [one.erasure for one in reports if one.erasure is not None]
    return {
        "a key with three votes": sum(any(group.different > 2 for group in one.first) for one in votes),
        "uncommitted calls": sum(one.differing_observed > one.differing for one in votes),
        "undecided": sum(one.undecided > 0 for one in votes),
        "several pairs": sum(one.pairs > 1 for one in drift),
        "several partitions": sum(one.affected > 1 for one in drift),
        "lifted alone": sum(one.affected_any > one.affected for one in drift),
        "surfaces that differ": sum(len({surface.erased for surface in one.surfaces}) > 1 for one in erasure),
        "several tables": sum(len(one.surfaces[-1].tables) > 1 for one in erasure),
        "no votes": len(reports) - len(votes),
        "no partitions": len(reports) - len(drift),
        "no facts": len(reports) - len(erasure),
    }


def test_both_count_alike() -> None:
    told = met([assert_agree(schedule) for schedule in drawn(0, 45)])
    assert min(told.values()) > 1, told


@pytest.mark.heavy
def test_both_count_alike_in_many_schedules() -> None:
    told = met([assert_agree(schedule) for schedule in drawn(1_000, 3_000)])
    assert min(told.values()) > 50, told


@settings(max_examples=40)
@given(schedules())
def test_both_count_alike_in_schedules_of_every_kind(schedule: Schedule) -> None:
    assert_agree(schedule)


def test_the_counters_of_phenomena_count_the_same() -> None:
    met_any = set()
    for schedule in drawn(0, 40):
        reading = Reading(of_schedule(schedule))
        found = by_agent(reading)
        ours = {
            "N1": found.votes.differing if found.votes else 0,
            "N1[observed]": found.votes.differing_observed if found.votes else 0,
            "N2[lifted]": found.drift.lifted_pairs if found.drift else 0,
        }
        if found.erasure is not None:
            ours |= {f"N3[{part}]": found.erasure.surface(part).erased for part in SURFACE_PARTS}
        for name, number in ours.items():
            if reading.present(name) is not None:
                theirs = counting.counted(reading, name, 1)
                assert theirs is not None and theirs.number == number, f"{name}: {describe(schedule)}"
                met_any.add(name)
            else:
                assert number == 0, name
    assert len(met_any) == 7


def decided_by(found: AgentReport) -> dict[str, bool | None]:
    """What a report says of the phenomena."""
    votes, drift, erasure = found.votes, found.drift, found.erasure
    out: dict[str, bool | None] = dict.fromkeys(DECIDED, False)
    if votes is not None:
        out["N1"] = True if votes.differing else None if votes.undecided else False
        out["N1[observed]"] = True if votes.differing_observed else None if votes.undecided_observed else False
    if drift is not None:
        out |= {"N2": drift.affected > 0, "N2[lifted]": drift.affected_lifted > 0}
    if erasure is not None:
        out |= {f"N3[{part}]": erasure.surface(part).erased > 0 for part in SURFACE_PARTS}
        out["N3"] = out["N3[audit]"]
    return out


def test_what_is_counted_is_what_is_decided() -> None:
    seen = set()
    for schedule in drawn(200, 250):
        trace = of_schedule(schedule)
        decided = decide(trace, phenomena=DECIDED, levels=()).present
        assert decided == decided_by(by_agent(Reading(trace))), describe(schedule)
        seen |= set(decided.items())
    assert seen >= {(name, side) for name in DECIDED for side in (True, False)} | {("N1", None)}


# -- planted -----------------------------------------------------------------------------------------------------------
PLANS = (
    Plan(),
    Plan(keys=9, rounds=2, differing=9, aborted=0, unknown=0, partitions=1, skewed=1, crowd=2, beliefs=1, current=1),
    Plan(keys=5_000, rounds=4, differing=31, aborted=17, unknown=40, partitions=700, skewed=13, crowd=24, beliefs=900),
)


def planted(plan: Plan) -> Trace:
    trace, problems = read_trace(lines_of(plan), "planted")
    assert trace is not None and not problems
    return trace


@pytest.mark.parametrize("plan", PLANS, ids=range(len(PLANS)))
def test_what_is_planted_comes_out_exactly(plan: Plan) -> None:
    assert_planted(plan, by_agent(Reading(planted(plan))))


def assert_planted(plan: Plan, found: AgentReport) -> None:
    """Every number that follows from the plan."""
    votes, drift, erasure = found.votes, found.drift, found.erasure
    assert votes is not None and drift is not None and erasure is not None
    assert (votes.calls, votes.observed_calls) == (plan.keys * plan.rounds, plan.keys * plan.rounds + plan.aborted)
    assert (votes.keys, votes.repeated) == (plan.keys, plan.keys)
    assert (votes.differing, votes.differing_observed) == (plan.differing, plan.differing + plan.aborted)
    assert (votes.unknown, votes.undecided, votes.undecided_observed) == (plan.unknown,) * 3
    assert [group.key for group in votes.first] == [key_name(number) for number in range(min(3, plan.differing))]
    every = (*votes.first, *votes.first_observed)
    assert all(
        call.line == call.event + 1 for group in every for vote in group.votes for call in (vote.first, vote.last)
    )
    skewed = range(plan.partitions - plan.skewed, plan.partitions)
    assert (drift.partitions, drift.affected, drift.affected_lifted, drift.affected_any) == (
        plan.partitions,
        *(len(skewed),) * 3,
    )
    assert (drift.pairs, drift.lifted_pairs) == (plan.pairs * plan.skewed, plan.lifted_pairs * plan.skewed)
    assert [row.partition for row in drift.rows] == [Partition(f"s{number}", "p") for number in skewed]
    for row in drift.rows:
        assert (row.readers, row.writers, row.transactions, row.lifted_transactions) == (plan.crowd,) * 4
        assert (row.pairs, row.lifted_pairs) == (plan.pairs, plan.lifted_pairs)
    facts = 2 * (plan.partitions - plan.skewed) + plan.crowd * plan.skewed
    kept = {"current": plan.current, "closed": 0, "history": plan.history, "audit": plan.audit}
    left = plan.beliefs
    for part, count in kept.items():
        left = max(left - count, 0)
        surface = erasure.surface(part)
        assert set(surface.tables) == {
            TableErasure("facts", facts, facts),
            TableErasure("beliefs", plan.beliefs, left),
        }
        assert (surface.overwritten, surface.erased) == (facts + plan.beliefs, facts + left)
        assert surface.share == (facts + left) / (facts + plan.beliefs)


def test_who_and_when_of_what_is_planted() -> None:
    found = by_agent(Reading(planted(Plan())), 100)
    assert found.votes is not None and found.drift is not None and found.erasure is not None
    assert len(found.votes.first) == 5 and len(found.votes.first_observed) == 9
    calls = [Call(f"judge{txn}", None, event, event + 1) for txn, event in ((0, 0), (11, 99), (5, 45))]
    votes = (Vote("0", 2, calls[0], calls[1]), Vote("1", 1, calls[2], calls[2]))
    assert found.votes.first[0] == VoteGroup(key_name(0), 3, 0, 2, votes)
    x, y = Item("facts", "x9"), Item("facts", "y9")
    names = ("t9.0", "t9.1")
    assert found.drift.rows[0] == PartitionDrift(
        Partition("s9", "p"),
        5,
        5,
        6,
        5,
        Skew(names, (y, x), (219, 229, 220, 228), (220, 230, 221, 229)),
        10,
        5,
        Skew(names, (x, x), (218, 229, 220, 228), (219, 230, 221, 229)),
    )
    whole = found.erasure.surface("audit")
    assert len(whole.first) == whole.erased == 42
    last = whole.first[-1]
    assert (last.item, last.version, last.provenance) == (Item("beliefs", "m29"), "first29", "p29")
    assert (last.writer, last.overwriter, last.deleted) == ("first29", "second29", False)
    assert last.lines == (last.written and last.written + 1, *[last.overwritten + 1] * 2)
    assert found.erasure.kept == (
        Kept("current", "facts", 24),
        Kept("current", "beliefs", 30),
        Kept("history", "history", 7),
        Kept("audit", "audit", 6),
    )


@pytest.mark.heavy
def test_what_is_planted_in_millions_of_events_comes_out_exactly() -> None:
    plan = Plan(1_000_000, 4, 900, 100, 300, 30_000, 500, 20, 150_000, 40_000, 50_000, 55_000)
    reading = Reading(planted(plan))
    assert reading.trace.events > 5_000_000
    begun = time.process_time()
    found = by_agent(reading)
    assert time.process_time() - begun < 60
    assert_planted(plan, found)


def test_judge_calls_as_arrays() -> None:
    found = by_agent(Reading(judge_trace(200_000, 30_000, 21)))
    assert found.drift is None and found.erasure is None and found.votes is not None
    votes = found.votes
    assert (votes.calls, votes.keys, votes.repeated, votes.differing) == (200_000, 30_000, 30_000, 21)
    # Call 1 of the first of the keys that differ.
    at = 30_000 + 30_000 - 21
    other = votes.first[0].votes[1]
    assert votes.first[0].key == key_name(29_979)
    assert other == Vote("1", 2, call_of(at), call_of(at + 3 * 30_000))


def call_of(number: int, batch: int = 5) -> Call:
    return Call(f"T{number // batch}", None, number + number // batch, None)


@pytest.mark.heavy
def test_five_million_judge_calls_take_seconds() -> None:
    trace = judge_trace(5_000_000, 1_000_000, 1_234)
    begun = time.process_time()
    found = by_agent(Reading(trace))
    assert time.process_time() - begun < 10
    assert found.votes is not None and found.votes.differing == 1_234


# -- order, limits, what is not there ----------------------------------------------------------------------------------
def test_what_is_listed_are_the_first_ones_in_time() -> None:
    listed = 0
    for schedule in map(agent_schedule, range(30)):
        whole = report(schedule, 1_000)
        for limit in (0, 1, 2):
            part = report(schedule, limit)
            for name in ("first", "first_observed"):
                assert getattr(part.votes, name, ()) == getattr(whole.votes, name, ())[:limit]
            if part.erasure is not None and whole.erasure is not None:
                for few, all_ in zip(part.erasure.surfaces, whole.erasure.surfaces, strict=True):
                    assert few == replace(all_, first=all_.first[:limit])
        if whole.votes is not None:
            second = [group.votes[1].first.event for group in whole.votes.first]
            assert second == sorted(second) and len(second) == whole.votes.differing
            listed += len(second) > 1
        for surface in whole.erasure.surfaces if whole.erasure is not None else ():
            events = [version.overwritten for version in surface.first]
            assert events == sorted(events) and len(events) == surface.erased
            listed += len(events) > 1
    assert listed > 15


def test_rows_are_limited_and_counts_are_not() -> None:
    trace = planted(Plan(partitions=9, skewed=8))
    drift = by_agent(Reading(trace), 3, rows=2).drift
    assert drift is not None and (drift.affected, len(drift.rows)) == (8, 2)
    assert [row.partition for row in drift.rows] == [Partition("s1", "p"), Partition("s2", "p")]


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("b1 c1", (False, False, False)),
        ("r1[x0] c1", (False, False, False)),
        ("w1[x1] c1", (False, False, False)),
        ("w1[x1] c1 w2[x2] c2", (False, False, True)),
        ("w1[x1 prov p] c1", (False, False, True)),
        ("j1(R, t)=0 c1", (True, False, False)),
        ("j1(R, t) a1", (True, False, False)),
        ("r1[s.p/x0] c1", (False, True, False)),
        ("r1[s.p/x0] a1", (False, True, False)),
        ("w1[s.p/x1] c1", (False, True, False)),
        ("w1[s.p/x1] w2[s.p/y1] a1 a2", (False, True, False)),
    ],
)
def test_what_a_trace_has_nothing_of_is_left_out(text: str, there: tuple[bool, ...]) -> None:
    found = assert_agree(Schedule.parse(text))
    assert tuple(part is not None for part in (found.votes, found.drift, found.erasure)) == there


def test_unknown_votes_differ_from_none_and_leave_a_key_open() -> None:
    text = "j1(R, t)=0 j2(R, t) j1(S, t) j1(S, t) c1 j2(U, t) j3(U, t)=1 j3(U, t)=2 c2 j4(V, t) c4"
    votes = assert_agree(Schedule.parse(text)).votes
    assert votes is not None
    # T3 never ends. Of R, S, U and V the first two are open, and V was called once.
    assert (votes.calls, votes.keys, votes.repeated, votes.unknown) == (6, 4, 2, 5)
    assert (votes.differing, votes.undecided, votes.differing_observed, votes.undecided_observed) == (0, 2, 1, 2)
    assert votes.first == ()
    [group] = votes.first_observed
    assert (group.key, group.calls, group.unknown, group.different) == (("U", '"t"'), 3, 1, 2)


def test_of_many_different_votes_the_first_ones_are_listed() -> None:
    text = " ".join(f"j1(R, t)={100 - number}" for number in range(LISTED + 5)) + " c1"
    votes = assert_agree(Schedule.parse(text)).votes
    assert votes is not None
    [group] = votes.first
    assert group.different == LISTED + 5 and [vote.vote for vote in group.votes] == [
        str(100 - number) for number in range(LISTED)
    ]


def test_counting_below_a_limit_in_ranges() -> None:
    rng = random.Random(7)
    for size in (0, 1, 2, 7, 8, 9, 64, 100):
        values = [rng.randrange(size) for _ in range(size)]
        asked = [(*sorted(rng.randint(0, size) for _ in range(2)), rng.randint(0, size)) for _ in range(50)]
        first, last, limit = (np.array(column, np.int32) for column in zip(*asked, strict=True))
        expected = [sum(value < bound for value in values[low:high]) for low, high, bound in asked]
        assert count_below(np.array(values, np.int32), first, last, limit).tolist() == expected


# -- mutants -----------------------------------------------------------------------------------------------------------
_second = agent_votes._Keys._second
_groups = agent_votes._Keys.groups
_both = agent_skews._Skews._both
_bounds, _missing = agent._bounds, agent_lifted._missing
_first_above, _keeper = kept_rows.first_above, kept_rows.keeper


def _known_or_not(self: Any, key: Any, known: Any) -> Any:
    return _second(self, key, np.ones_like(known))


def _by_key(self: Any, limit: int) -> Any:
    return tuple(map(self._group, self._groups_of(self.second[:limit]).tolist()))


def _one_of_each(reading: Reading, reader: Any, writer: Any) -> Any:
    """Of each pair only the first row that was missed."""
    pair, back = between(reading, reader, writer)
    _, first = np.unique(pair, return_index=True)
    return pair[first], back.only(first)


def _items_alone(reading: Reading) -> Any:
    for piece in backward(reading):
        yield piece.only((piece.kinds & RW) > 0)


def _one_way(reading: Reading) -> Any:
    """Only where the reader began first."""
    for piece in backward(reading):
        yield piece.only(reading.index.readers.txn[piece.reader] < reading.index.slot_txn[piece.slot])


def _latest(self: Any, of: Any, four: Any) -> Any:
    """The last pair of a partition."""
    order = np.lexsort((self.index.event[four].max(1), of))
    kept = order[np.append(of[order][1:] != of[order][:-1], True)]
    return of[kept], four[kept]


def _own_too(reading: Reading, seen: Any, key: Any, finals: Any, last: Any) -> Any:
    """Reads to which one's own write is the latest make edges, too."""
    at, there = find(finals, key)
    return seen, key, _bounds(reading, seen), np.where(there, at, -1)


def _by_number(reading: Reading, pairs: Any, chosen: Any) -> Any:
    return chosen.tolist()


def _first_reads(reading: Reading, reads: Any, members: Any, one: Any, other: Any) -> Any:
    """The first read of a partition, whether it missed anything or not."""
    return _accesses(reading, reads._replace(bound=np.zeros_like(reads.bound)), members, one, other)


_accesses = agent_lifted._accesses


def _whoever(reading: Reading, accesses: Any, partitions: Any) -> Any:
    """Uncommitted transactions are counted, too."""
    index = reading.index
    members = {
        (int(reading.trace.partition[index.item[access]]), int(index.txn[access])) for access in accesses.tolist()
    }
    return np.array([sum(one == of for of, _ in members) for one in range(len(reading.trace.partitions))])


def _same_monomials(asked: Any, rows: Any, least: int) -> Any:
    """Coefficients do not count."""
    of = [set(terms(text)) for text in asked]
    return [min((part for text, part in rows.items() if one <= set(terms(text))), default=4) for one in of]


def _the_same_alone(asked: Any, rows: Any, least: int) -> Any:
    return [rows.get(text, 4) if terms(text) else least for text in asked]


def _zero_is_kept_nowhere(asked: Any, rows: Any, least: int) -> Any:
    return _first_above(asked, rows, 4)


def _kept_late(reading: Reading) -> Any:
    """What closed rows keep, only the history does."""
    keeper = _keeper(reading)
    return np.where(keeper == 1, 2, keeper)


Change = tuple[Any, str, Any]
MUTANTS: Mapping[str, Change] = {
    "an unknown vote is another vote": (agent_votes._Keys, "_second", _known_or_not),
    "the first keys are those of the least number": (agent_votes._Keys, "groups", _by_key),
    "a key that differs is undecided, too": (
        agent_votes._Keys,
        "undecided",
        property(lambda self: int(((self.size > 1) & (self.unknown > 0)).sum())),
    ),
    "one row of each pair": (agent_skews, "between", _one_of_each),
    "predicates miss nothing": (agent_skews, "backward", _items_alone),
    "anti-dependencies of the one that began first": (agent_skews, "backward", _one_way),
    "pairs are counted by row": (agent_skews, "_changes", lambda one, other: np.ones(len(one), bool)),
    "the last pair is the first one": (agent_skews._Skews, "_earliest", _latest),
    "a lifted read misses only what stands behind it": (
        agent,
        "_bounds",
        lambda reading, seen: reading.index.event[seen] + 1,
    ),
    "lifted reads of one's own latest write": (agent_lifted, "_missing", _own_too),
    "a bound is not met by what stands there": (
        agent_lifted,
        "count_below",
        lambda values, first, last, limit: count_below(values, first, last, np.maximum(limit - 1, 0)),
    ),
    "the first read of a partition": (agent_lifted, "_accesses", _first_reads),
    "partitions by number": (agent_drift, "_by_time", _by_number),
    "readers and writers that did not commit": (agent_drift, "_transactions", _whoever),
    "coefficients do not count": (kept_rows, "first_above", _same_monomials),
    "a sum does not say its parts": (kept_rows, "first_above", _the_same_alone),
    "no row says 0": (kept_rows, "first_above", _zero_is_kept_nowhere),
    "closed rows are history": (kept_rows, "keeper", _kept_late),
}


@cache
def pool() -> tuple[tuple[Schedule, AgentReport], ...]:
    return tuple((schedule, counted(schedule)) for schedule in drawn(0, 40))


def wrong() -> bool:
    """Whether any schedule of the pool is counted otherwise; a broken piece may also fall over."""
    for schedule, right in pool():
        try:
            if report(schedule) != right:
                return True
        except (IndexError, ValueError):
            return True
    return False


def test_the_right_pieces_count_the_pool_right() -> None:
    assert not wrong()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_piece_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, replacement = MUTANTS[name]
    monkeypatch.setattr(owner, attribute, replacement)
    assert wrong()


def test_a_deleted_version_says_so() -> None:
    erasure = assert_agree(Schedule.parse("w1[+x1 prov p] c1 w2[-x2] c2")).erasure
    assert erasure is not None
    [found] = erasure.surface("audit").first
    assert found == ErasedVersion(Item("facts", "x"), "1", "p", "1", "2", True, 0, 2, "2", 2, (None,) * 3)
