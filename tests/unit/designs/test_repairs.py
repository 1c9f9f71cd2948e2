"""Repairs: found by exploring, confirmed by exploring again, cheapest first, with what they cost and bring about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, permutations
from typing import Any, ClassVar

import pytest

from toki_verify.designs import (
    Design,
    Initial,
    Steps,
    Table,
    commit,
    read,
    row,
    update,
    writer,
)
from toki_verify.designs import repairs as module
from toki_verify.designs.costs import Cost, cost
from toki_verify.designs.disciplines import disciplines, under
from toki_verify.designs.examine import Examiner
from toki_verify.designs.explore import Event, happened_before, trace_of
from toki_verify.designs.library import design
from toki_verify.designs.model import Described, describe
from toki_verify.designs.repairs import Repairs, repairs
from toki_verify.designs.review import Bound, Review, workloads
from toki_verify.designs.verify import Verifier

from .drawn_designs import WHERE
from .small_designs import Appended, Appends, Asks, AsksTheSame, Awaits, LogsAndForgets, OnCall, at
from .test_facets import Overwrites

#: Designs with one fault each, and a bound that shows it.
FAULTY: dict[str, tuple[Any, int, int]] = {
    "asks again": (Asks, 1, 1),
    "asks the same": (AsksTheSame, 2, 0),
    "appends votes": (Appended, 1, 1),
    "forgets the log": (LogsAndForgets, 1, 1),
    "loses updates": (Appends, 2, 0),
    "skews": (OnCall, 2, 0),
    "awaits nothing": (Awaits, 1, 0),
    "erases": (Overwrites, 1, 0),
    "last-writer-wins": (design("last-writer-wins"), 2, 0),
}


@cache
def repaired(name: str) -> tuple[Review, Repairs]:
    """A faulty design, reviewed and repaired once."""
    of, writers, crashes = FAULTY[name]
    review = Verifier(of).verify(writers, crashes)
    return review, repairs(review)


def names(name: str, cell: str) -> list[str]:
    """What would repair a cell of a faulty design."""
    return [repair.name for repair in repaired(name)[1].by_cell[cell]]


@pytest.mark.parametrize("name", ["asks again", "asks the same", "appends votes", "forgets the log"])
def test_a_keyed_log_repairs_n1(name: str) -> None:
    assert names(name, "N1") == ["keyed log"]
    assert names(name, "N1[observed]") == ["keyed log"]


def test_a_serializable_partition_repairs_n2() -> None:
    assert {"SR@partition(ward,duty)", "raise to SR"} <= set(names("skews", "N2"))
    assert names("skews", "N2") == names("skews", "N2[state]") == names("skews", "invariant somebody")


@pytest.mark.parametrize("name", ["erases", "last-writer-wins", "loses updates"])
def test_an_audit_row_repairs_n3_by_itself(name: str) -> None:
    assert names(name, "N3") == ["audit row"]
    assert names(name, "N3[winner]") == ["audit row"]


def test_a_delivered_callback_repairs_cb() -> None:
    assert names("awaits nothing", "CB") == ["delivered callback"]


def test_an_expected_version_repairs_a_lost_update_as_a_level_does() -> None:
    assert {"expected version", "raise to SI", "raise to SR"} <= set(names("loses updates", "P4"))


@pytest.mark.parametrize("name", FAULTY)
def test_every_repair_excludes_what_it_says_when_it_is_explored_again(name: str) -> None:
    review, found = repaired(name)
    assert set(found.by_cell) == set(review.admitted())
    seen = set()
    for cell, listed in found.by_cell.items():
        for repair in listed:
            assert cell in repair.excludes
            ids = tuple(one.id for one in repair.disciplines)
            if ids in seen:
                continue
            seen.add(ids)
            again = Verifier(under(review.described, ids)).verify(*FAULTY[name][1:])
            assert {cell for cell in repair.excludes if again.results[cell].verdict == "excludes"} == {*repair.excludes}
            assert not any(again.results[cell].vacuous for cell in repair.excludes)
            new = {cell for cell in again.admitted() if review.results[cell].verdict != "admits"}
            assert {*repair.introduces} == new
    assert seen


@pytest.mark.parametrize("name", FAULTY)
def test_what_is_left_over_is_excluded_by_no_single_discipline(name: str) -> None:
    """By trying each of them, whatever the search has left out."""
    review, found = repaired(name)
    assert found.open == []
    bound = FAULTY[name][1:]
    for discipline in disciplines(review.described):
        changed = discipline.apply(review.described)
        if changed is None:
            continue
        again = Verifier(changed, only=review.admitted()).verify(*bound)
        for cell in review.admitted():
            result = again.results[cell]
            if result.verdict == "excludes" and not result.vacuous:
                assert discipline.id in [repair.name for repair in found.by_cell[cell]], (cell, discipline.id)


@pytest.mark.parametrize("name", FAULTY)
def test_the_cheapest_comes_first(name: str) -> None:
    for listed in repaired(name)[1].by_cell.values():
        for one, other in pairwise(listed):
            assert len(one.disciplines) <= len(other.disciplines)
            if len(one.disciplines) == len(other.disciplines):
                assert (one.cost.share, one.cost.steps) <= (other.cost.share, other.cost.steps)


def test_what_a_repair_brings_about_is_said() -> None:
    """An audit row is made of the row as the update finds it: a read, and then the second one of it."""
    _, found = repaired("last-writer-wins")
    assert [repair.introduces for repair in found.by_cell["N3"]] == [("P2",)]
    assert all(repair.introduces == () for repair in found.by_cell["P4"])


def test_a_search_that_believes_what_it_tries_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    review, _ = repaired("loses updates")
    answers = module._Answer(("P4",), (), Cost(1, 0, 0, 1.0))
    monkeypatch.setattr(module, "_explored", lambda *_: answers)
    believed = {repair.name for repair in repairs(review).by_cell["P4"]}
    assert believed > set(names("loses updates", "P4"))


# -- pairs -------------------------------------------------------------------------------------------------------------


class TwoAccounts(Design):
    """The sum of two tables must not fall below one; each pin of a table alone leaves the other one to the skew."""

    isolation = "SI"
    retries = 0
    tables: ClassVar[dict[str, Table]] = {"left": Table(), "right": Table()}

    def setup(self) -> Iterator[Initial]:
        yield row("left", "a", **WHERE, says=1)
        yield row("right", "b", **WHERE, says=1)

    @writer
    def from_left(self) -> Steps[None]:
        yield from self.take("left", "a", "right", "b")

    @writer
    def from_right(self) -> Steps[None]:
        yield from self.take("right", "b", "left", "a")

    def take(self, table: str, key: str, other: str, there: str) -> Steps[None]:
        one, two = (yield from read(table, key)), (yield from read(other, there))
        assert one is not None and two is not None
        if one["says"] + two["says"] > 1:
            yield from update(table, key, says=one["says"] - 1)
        yield from commit()


def test_pairs_are_tried_where_no_single_discipline_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert repairs(Verifier(TwoAccounts).verify(2, 0), wanted=("A5B",)).by_cell["A5B"][0].name == "SR@partition(s,p)"
    every = module.disciplines
    monkeypatch.setattr(
        module, "disciplines", lambda of: [one for one in every(of) if one.id in ("SR@left", "SR@right")]
    )
    review = Verifier(TwoAccounts).verify(2, 0)
    found = repairs(review, wanted=("A5B",))
    assert [repair.name for repair in found.by_cell["A5B"]] == ["SR@left + SR@right"]
    assert found.tried == 3


@pytest.mark.parametrize("of", [Appends])
def test_disciplines_go_together_in_any_order(of: type[Design]) -> None:
    """Each is a rewriting of whatever the other one yields."""
    described = describe(of)
    for pair in permutations([one.id for one in disciplines(described)], 2):
        assert Verifier(under(described, pair), only=("P0",)).verify(2, 0)["P0"].verdict == "excludes", pair


def test_two_repairs_repair_two_things() -> None:
    for pair in permutations(("audit row", "expected version")):
        found = Verifier(under(describe(Appends), pair), only=("P4", "N3", "N3[winner]")).verify(2, 0).results
        assert {name: result.verdict for name, result in found.items()} == dict.fromkeys(found, "excludes")


# -- costs -------------------------------------------------------------------------------------------------------------


def test_costs_counted_by_hand() -> None:
    """Read, update, commit, twice. Classes: who writes first, and whether the other one has read by the first commit;
    where it has, it waits. At SI it is refused then, and has done four steps of six with the other's three in front."""
    assert cost(describe(Appends), 2) == Cost(4, 0, 2, 6.0)
    assert cost(at(Appends, "SI", retries=0), 2) == Cost(4, 2, 2, 5.5)
    assert str(Cost(4, 2, 2, 5.5)) == "aborts in 2 of 4 runs, waits in 2, 5.5 steps a run"
    assert Cost(4, 2, 2, 5.5).share == 1


def counted(described: Described) -> tuple[int, int, int, int, float]:
    """By brute force: classes, those with an abort, those in which every and in which some order waits, steps."""
    examiner = Examiner(described, ())
    classes: dict[Any, list[tuple[bool, bool, int]]] = {}

    for number in range(len(workloads(described, 2))):
        prepared = examiner.prepared(Bound(2, 0), number)
        engine = prepared.engine
        events: list[Event] = []

        def go(machine: Any, waits: bool, engine: Any = engine, events: Any = events, number: int = number) -> None:
            options = {writer: engine.options(machine, writer) for writer in machine.writers()}
            waits = waits or any(not steps or steps[0].choice == "deadlock" for steps in options.values())
            if not any(options.values()):
                classes.setdefault((number, trace_of(events)), []).append((machine.aborts > 0, waits, len(events)))
            for steps in options.values():
                for step in steps:
                    done = engine.step(machine, step)
                    before = happened_before(events, step, done.footprint, done.behind)
                    events.append(Event(step, done.footprint, before))
                    go(done.machine, waits)
                    events.pop()

        go(prepared.start, False)
    runs = list(classes.values())
    assert all(len({(aborts, steps) for aborts, _, steps in found}) == 1 for found in runs)
    return (
        len(runs),
        sum(found[0][0] for found in runs),
        sum(all(waits for _, waits, _ in found) for found in runs),
        sum(any(waits for _, waits, _ in found) for found in runs),
        sum(found[0][2] for found in runs) / len(runs),
    )


@pytest.mark.parametrize(
    "described",
    [
        describe(Appends),
        at(Appends, "SI"),
        at(Appends, "2PL"),
        describe(OnCall),
        describe(AsksTheSame),
        describe(design("toki-printed")),
    ],
    ids=lambda described: f"{described.name} {described.isolation}",
)
def test_costs_counted_by_brute_force(described: Described) -> None:
    runs, aborting, least, most, steps = counted(described)
    found = cost(described, 2)
    assert (found.runs, found.aborting, found.steps) == (runs, aborting, steps)
    assert least <= found.waiting <= most


def test_without_a_bound_there_is_nothing_to_repair() -> None:
    with pytest.raises(ValueError, match="without an explored bound"):
        repairs(Verifier(Appends, limit=1).verify(2, 0))


def test_what_there_was_no_time_for_is_open() -> None:
    review, _ = repaired("loses updates")
    found = repairs(review, wanted=("P4",), seconds=0.0)
    assert found.by_cell["P4"] == []
    assert "expected version" in found.open
    assert found.tried == 0
