"""The verdict matrix: shortcuts change no answer, and what is kept is the smallest run, and a run of the design."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, ClassVar

import pytest

from toki_verify.checker import check
from toki_verify.designs import (
    Aborted,
    Design,
    Initial,
    Steps,
    Table,
    abort,
    commit,
    insert,
    judge,
    read,
    row,
    select,
    update,
    writer,
)
from toki_verify.designs import cells as module
from toki_verify.designs.cells import Oracle, cells
from toki_verify.designs.engine import Engine
from toki_verify.designs.examine import Examiner
from toki_verify.designs.library import design
from toki_verify.designs.machine import Machine, Step
from toki_verify.designs.model import Described, describe
from toki_verify.designs.review import Review, bounds, workloads
from toki_verify.designs.runs import Run
from toki_verify.designs.verify import Verifier
from toki_verify.notation import parse_one, print_schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.report.design_ci import saved

from .drawn_designs import WHERE, drawn, runs_of

# -- shortcuts ---------------------------------------------------------------------------------------------------------


def shortcuts(described: Described, crashes: int = 1, most: int = 200) -> list[str]:
    """Where a cell's answer with what is known before is another one than the run's own."""
    examiner = Examiner(described)
    wrong = []
    every = list(runs_of(described, 2, crashes))
    for run, prepared in Random(0).sample(every, min(most, len(every))):
        for name, cell in examiner.asked.items():
            quick = examiner._shows(cell, run, prepared)
            fresh = Run(run.described, run.statements, run.machine, run.steps)
            if quick is not cell.shows(fresh, prepared.serial):
                wrong.append(f"{name} {quick}: {run.schedule}")
    return wrong


#: Designs of the library at several levels.
LEVELS = ["toki-printed", "two-phase-locking", "last-writer-wins", "compare-and-set"]
BUSY = ["mem0-v2", "toki-rule", "letta", "mirix"]


def test_shortcuts_change_no_answer() -> None:
    assert [problem for seed in range(6) for problem in shortcuts(drawn(seed, size=2), most=14)] == []


@pytest.mark.parametrize("slug", LEVELS)
def test_shortcuts_change_no_answer_about_the_library(slug: str) -> None:
    assert shortcuts(describe(design(slug)), most=25) == []


@pytest.mark.heavy
@pytest.mark.parametrize("slug", [*LEVELS, *BUSY])
def test_shortcuts_change_no_answer_about_all_runs_of_the_library(slug: str) -> None:
    assert shortcuts(describe(design(slug)), most=5_000) == []


@pytest.mark.heavy
def test_shortcuts_change_no_answer_of_many() -> None:
    assert [problem for seed in range(3_000, 3_040) for problem in shortcuts(drawn(seed, size=2), most=100)] == []


class Dirty(Design):
    """Two writers that overlap in every way that P0, P1 and the graph know."""

    isolation = "RU"
    votes = (1, 2)
    retries = 0

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "x", **WHERE, says=0, prov="p0")
        yield row("facts", "y", **WHERE, says=0, prov="p0")

    @writer
    def overwrite(self, me: int) -> Steps[None]:
        yield from update("facts", "x", says=me, prov=f"w{me}")
        yield from commit()

    @writer
    def search(self, me: int) -> Steps[None]:
        yield from select("facts", **WHERE)
        yield from commit()


class Doubting(Dirty):
    """It asks twice, and writes what it is told."""

    isolation = "SI"

    @writer
    def overwrite(self, me: int) -> Steps[None]:
        before = yield from read("facts", "y")
        vote = yield from judge("R")
        if vote == 2:
            vote = yield from judge("R")
        yield from update("facts", "x", says=vote, seen=before, prov=f"w{vote}")
        yield from commit()

    @writer
    def search(self, me: int) -> Steps[None]:
        yield from update("facts", "y", says=1, prov="w9")
        yield from commit()


class Crossing(Dirty):
    """Writes that overlap, beside a read that is dirty or not."""

    @writer
    def overwrite(self, me: int) -> Steps[None]:
        yield from update("facts", "x", says=me, prov=f"w{me}")
        yield from read("facts", "y")
        yield from commit()

    @writer
    def search(self, me: int) -> Steps[None]:
        yield from update("facts", "y", says=me, prov=f"w{me}")
        yield from update("facts", "x", says=me, prov=f"w{me}")
        yield from commit()


class Logged(Doubting):
    """It logs a vote of 1, whatever it was told."""

    tables: ClassVar = {"facts": Table(), "votes": Table(None, part="audit")}

    @writer
    def overwrite(self, me: int) -> Steps[None]:
        yield from judge("R")
        yield from update("facts", "x", says=me, prov=f"w{me}")
        yield from insert("votes", asked="R", vote=1)
        yield from commit()


class GivesUp(Doubting):
    """Where its row has changed it gives up, or rolls itself back."""

    isolation = "RC"

    @writer
    def overwrite(self, me: int) -> Steps[None]:
        old = yield from read("facts", "x")
        said = old["says"] if old is not None else ""
        if not (yield from update("facts", "x", expect=old, says=f"{said}, {me}", prov=f"w{me}")):
            if (yield from judge("R")) == 2:
                raise Aborted("it has changed")
            yield from abort()
        yield from commit()


SMALL = [Dirty, Doubting, Crossing, Logged, GivesUp]


def caught() -> bool:
    """Whether the small designs show that an answer is another one."""
    return any(shortcuts(describe(of), crashes=0) for of in SMALL)


def test_the_small_designs_too() -> None:
    assert [problem for of in SMALL for problem in shortcuts(describe(of), most=16)] == []


def _no_searches(run: Run) -> bool:
    return module._overlap(_Without(run, "p"))  # type: ignore[arg-type]


def _no_reads(run: Run) -> bool:
    return module._overlap(_Without(run, "r"))  # type: ignore[arg-type]


class _Without:
    """A run some records of which are not looked at."""

    def __init__(self, run: Run, what: str) -> None:
        self.history = [record for record in run.history if record.what != what]


@pytest.mark.parametrize(
    ("name", "forgets"),
    [
        ("P1", _no_searches),
        ("P1", _no_reads),
        ("P0", lambda run: False),
        ("N1", lambda run: len({record.txn for record in run.calls}) > 1 and module._asked_twice(run)),
        ("N1[observed]", lambda run: bool({record.more.vote for record in run.calls} > {1, 2})),
    ],
)
def test_a_condition_that_is_not_necessary_is_noticed(
    monkeypatch: pytest.MonkeyPatch, name: str, forgets: Callable[[Run], bool]
) -> None:
    monkeypatch.setitem(module._FIRST, name, forgets)
    assert caught()


def _of(run: Run, *fields: str) -> Any:
    """Records of committed transactions by some fields only."""
    return frozenset(
        (record.txn, *(getattr(record, field) for field in fields))
        for record in run.history
        if record.txn in run.committed and record.what not in "jc"
    )


ESSENCES: dict[str, Callable[[Run], Any]] = {
    "which version was read": lambda run: _of(run, "what", "place"),
    "where": lambda run: _of(run, "what", "label"),
    "anything": lambda run: 0,
}


@pytest.mark.parametrize("forgotten", ESSENCES)
def test_an_essence_that_forgets_is_noticed(monkeypatch: pytest.MonkeyPatch, forgotten: str) -> None:
    monkeypatch.setattr(module, "_essence", ESSENCES[forgotten])
    assert caught()


def test_a_decision_that_forgets_the_calls_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_deciding", lambda run: run.essence)
    assert caught()


def test_an_outcome_that_forgets_who_gave_up_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_outcome", lambda run: run.essence)
    assert caught()


def test_a_phenomenon_of_the_order_of_events_is_not_told_by_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ORDERED", module._ORDERED - {"P1"})
    assert caught()


# -- the runs that are kept --------------------------------------------------------------------------------------------


def every_end(
    engine: Engine, machine: Machine, steps: tuple[Step, ...] = ()
) -> Iterator[tuple[Machine, tuple[Step, ...]]]:
    """Every run by brute force."""
    ended = True
    for number in machine.writers():
        for step in engine.options(machine, number):
            ended = False
            yield from every_end(engine, engine.step(machine, step).machine, (*steps, step))
    if ended:
        yield machine, steps


def smallest(described: Described, writers: int, crashes: int) -> dict[str, tuple[Any, ...]]:
    """By cell the bound and the size of the smallest run that shows it, of all runs."""
    examiner = Examiner(described)
    found: dict[str, tuple[Any, ...]] = {}
    for bound in bounds(writers, crashes):
        best: dict[str, tuple[Any, ...]] = {}
        for number in range(len(workloads(described, bound.writers))):
            prepared = examiner.prepared(bound, number)
            known: dict[Any, set[str]] = {}
            for machine, steps in every_end(prepared.engine, prepared.start):
                if machine.past is None or machine.crashes:
                    continue
                run = Run(described, prepared.engine.statements, machine, steps)
                key = (tuple(map(repr, run.history)), run.gave_up)
                if key not in known:
                    known[key] = {name for name, cell in examiner.asked.items() if cell.shows(run, prepared.serial)}
                for name in known[key]:
                    best[name] = min(best.get(name, (bound, run.size)), (bound, run.size))
        for name, size in best.items():
            found.setdefault(name, size)
    return found


def kept(review: Review) -> dict[str, tuple[Any, ...]]:
    """The same of a review."""
    return {
        name: (result.found.bound, result.found.run.size)
        for name, result in review.results.items()
        if result.found is not None
    }


BRUTE = [describe(of) for of in (Dirty, Crossing, Logged, GivesUp)]


@pytest.mark.parametrize("described", BRUTE, ids=[described.name for described in BRUTE])
def test_the_smallest_run_is_the_smallest_of_all(described: Described) -> None:
    review = Verifier(described).verify(2, 0)
    assert kept(review) == smallest(described, 2, 0) != {}


def test_the_smallest_run_of_random_designs_is_the_smallest_of_all() -> None:
    for seed in range(6):
        described = drawn(seed, size=1)
        assert kept(Verifier(described).verify(2, 0)) == smallest(described, 2, 0), seed
    described = drawn(0, size=1, words=["write"])
    assert kept(Verifier(described).verify(2, 1)) == smallest(described, 2, 1)


@pytest.mark.heavy
def test_the_smallest_run_of_many_designs_is_the_smallest_of_all() -> None:
    for seed in range(4_000, 4_020):
        described = drawn(seed, size=1)
        assert kept(Verifier(described).verify(2, 1)) == smallest(described, 2, 1), seed


def test_a_review_that_keeps_the_first_run_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "size", (0, 0, 0))
    reviews = [Verifier(described).verify(2, 0) for described in BRUTE]
    events = [
        {name: len(result.found.run.history) for name, result in review.results.items() if result.found}
        for review in reviews
    ]
    monkeypatch.undo()
    least = [{name: size[2] for name, (_, size) in smallest(described, 2, 0).items()} for described in BRUTE]
    assert [set(found) for found in events] == [set(found) for found in least]
    assert events != least


def shown_by(run: Run, oracle: Oracle) -> set[str]:
    """The cells that a run shows."""
    return {cell.id for cell in cells(run.described) if not cell.undefined and cell.shows(run, oracle)}


KEPT = ["mem0-v2", "toki-printed", "letta", "compare-and-set", "worlddb"]


@pytest.mark.parametrize("slug", KEPT)
def test_the_straightened_run_is_the_same_run_and_confirmed_by_the_checker(slug: str) -> None:
    verifier = Verifier(design(slug))
    review = verifier.verify(2, 0)
    admitted = 0
    straightened: dict[str, set[str]] = {}
    for name, result in review.results.items():
        if result.found is None:
            continue
        admitted += 1
        found, straight = result.found, result.found.straight
        said = str(straight.schedule)
        if said not in straightened:
            number = workloads(verifier.described, found.bound.writers).index(
                next(one for one in workloads(verifier.described, found.bound.writers) if _names(one) == found.workload)
            )
            oracle = verifier.examiner.prepared(found.bound, number).serial
            straightened[said] = shown_by(straight, oracle)
            assert straightened[said] == shown_by(found.run, oracle)
            assert straight.state == found.run.state
            assert straight.size == found.run.size
            assert parse_one(print_schedule(straight.schedule)) == straight.schedule
        assert name in straightened[said]
        if name in catalogue():
            assert check(straight.schedule).findings[name].present
    assert admitted


def _names(workload: Iterable[Any]) -> tuple[str, ...]:
    return tuple(one.name for one in workload)


@pytest.mark.parametrize("slug", KEPT)
def test_saved_runs_meet_their_own_expectations(slug: str) -> None:
    review = Verifier(design(slug)).verify(2, 0)
    schedules = saved(review)
    expected = {name for schedule in schedules for one in schedule.expect for name in one.names}
    assert expected >= {name for name in review.admitted() if name in catalogue()}
    for schedule in schedules:
        verdict = check(parse_one(print_schedule(schedule)))
        assert verdict.ok
        assert verdict.ok is True
        assert bool(verdict.judged) is bool(schedule.expect)
