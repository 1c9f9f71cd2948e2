"""Designs: schedules against interleavings, engine steps against a bare loop, reduction against brute force. In one
run, as ratios; seconds are printed (`pytest -s`) and never judged."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from math import factorial
from time import perf_counter
from typing import ClassVar

import pytest

from toki_verify.designs import Design, Initial, Steps, Table, commit, read, row, update, writer
from toki_verify.designs.engine import Engine
from toki_verify.designs.explore import BruteForce, Explorer
from toki_verify.designs.library import PLACES, design
from toki_verify.designs.machine import Machine
from toki_verify.designs.model import describe
from toki_verify.designs.program import Program
from toki_verify.designs.verify import Verifier

pytestmark = pytest.mark.bench


class Reference(Design):
    """The reference last-writer-wins write path: read, overwrite and commit in each of two partitions, six operations.
    The second writer begins with the other partition."""

    isolation = "RC"
    retries = 0
    tables: ClassVar = {"facts": Table()}
    pairs: ClassVar = {1: "ab", 2: "ba", 3: "ab"}

    def setup(self) -> Iterator[Initial]:
        for key in "ab":
            yield row("facts", key, subject="alice", predicate=f"is {key}", says=0)

    @writer
    def remember(self, me: int) -> Steps[None]:
        for key in self.pairs[me]:
            yield from read("facts", key)
            yield from update("facts", key, says=me)
            yield from commit()


def started(of: type[Design], writers: int) -> tuple[Engine, Machine]:
    described = describe(of)
    engine = Engine(described)
    return engine, engine.start(tuple(Program(described, described.writers[0], me + 1) for me in range(writers)))


def interleavings(engine: Engine, start: Machine) -> int:
    """The runs of plain enumeration, in which a writer that must wait is not tried: paths through the states, those
    counted once that lead on in the same ways."""

    known: dict[object, int] = {}

    def paths(machine: Machine) -> int:
        locks = tuple(sorted((place, txn.name) for txn in machine.store.active.values() for place in txn.wrote))
        at = (tuple((process.node.step, process.finished) for process in machine.processes), locks)
        if at not in known:
            steps = [step for number in machine.writers() for step in engine.options(machine, number)]
            known[at] = sum(paths(engine.step(machine, step).machine) for step in steps) if steps else 1
        return known[at]

    return paths(start)


def test_the_count_of_interleavings_is_that_of_brute_force() -> None:
    engine, start = started(Reference, 2)
    plain = BruteForce(engine)
    plain.explore(start)
    assert interleavings(engine, start) == plain.runs


@cache
def explored() -> tuple[int, int, float]:
    """Runs and steps of the exploration of three writers, and its time."""
    engine, start = started(Reference, 3)
    begun = perf_counter()
    counts = Explorer(engine, lambda *_: None).explore(start)
    return counts.runs, counts.steps, perf_counter() - begun


def test_fifty_times_fewer_schedules_than_interleavings() -> None:
    """(3 * 6)! / (6!)^3 = 17,153,136 interleavings of three writers of six operations where none has to wait."""
    runs, steps, seconds = explored()
    every = factorial(18) // factorial(6) ** 3
    possible = interleavings(*started(Reference, 3))
    print(f"\n{every:,} interleavings, {possible:,} of them with the waits of RC; {runs:,} schedules explored")
    print(f"{every / runs:,.0f} and {possible / runs:,.0f} times fewer; {steps:,} steps, {seconds:.1f} s")
    assert every == 17_153_136
    assert possible < every
    assert possible >= 50 * runs


def test_steps_against_a_bare_loop() -> None:
    """The goal is 20,000 steps a second, where a bare loop does some ten million rounds: a step costs what at most
    four thousand rounds cost. Steps alone, and with the search around them."""

    def rounds() -> float:
        begun = perf_counter()
        for number in count():
            if number == 1_000_000:
                break
        return 1_000_000 / (perf_counter() - begun)

    def steps() -> float:
        engine, start = started(Reference, 2)
        begun = perf_counter()
        while perf_counter() - begun < 0.5:
            machine = start
            while not machine.finished:
                number = next(number for number in machine.writers() if engine.options(machine, number))
                machine = engine.step(machine, engine.options(machine, number)[0]).machine
        return engine.steps / (perf_counter() - begun)

    found = [(rounds(), steps()) for _ in range(3)]
    _, taken, seconds = explored()
    bare, alone = max(one for one, _ in found), max(other for _, other in found)
    print(
        f"\n{alone:,.0f} engine steps a second, {taken / seconds:,.0f} with the search; a bare loop: {bare:,.0f} rounds"
    )
    assert bare / alone < 4_000


def test_reduction_against_brute_force() -> None:
    """Two writers: the same classes."""
    engine, start = started(Reference, 2)
    begun = perf_counter()
    plain = BruteForce(engine)
    plain.explore(start)
    enumerated = perf_counter() - begun
    begun = perf_counter()
    counts = Explorer(engine, lambda *_: None).explore(start)
    reduced = perf_counter() - begun
    print(f"\n{plain.runs:,} runs in {enumerated:.2f} s, {counts.runs:,} in {reduced:.2f} s")
    assert counts.runs == len(plain.traces)
    assert enumerated > 5 * reduced


#: The designs that take longest, of each kind; the others are timed in the heavy suite.
TIMED = ("mem0-v2", "letta-git")


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[] if slug in TIMED else [pytest.mark.heavy]) for slug in PLACES]
)
def test_the_library(slug: str) -> None:
    """Every design at two writers and a crash. The goal is five seconds each and a minute for all, on two cores."""
    begun = perf_counter()
    review = Verifier(design(slug)).verify(2, 1)
    print(f"\n{slug:<20} {review.runs:>6,} schedules {perf_counter() - begun:6.2f} s")
    assert review.stopped == ""
