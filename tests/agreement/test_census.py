"""The census against its yardsticks: the enumerator with the concrete reading, the bounded reading, the implications.

Lanes are compared cell by cell: with generate-and-test on every bound up to five events (six: heavy), with the models
of the circuits up to four (five: heavy), and beyond by whether a cell has a schedule at all. That wrong definitions
change a count stands in `test_census_mutants.py`.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from toki_verify.levels import families, family, parse_spec
from toki_verify.phenomena.catalogue import catalogue, phenomenon
from toki_verify.phenomena.implications import IMPLICATIONS, Implication
from toki_verify.relations.bounded import Bounded
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula
from toki_verify.relations.symbolic import Symbolic
from toki_verify.relations.unknown import INITIAL_VERSION
from toki_verify.search.census import Alphabet, census
from toki_verify.search.census_counts import CensusBounds, CensusResult, Counts, Definitions, count_share
from toki_verify.search.census_lanes import Share, blocks, interleavings, lanes_of, orders_of, shares, size_of
from toki_verify.search.census_run import BadCheckpoint, take_census
from toki_verify.search.features import Features, frames

EVERYTHING = Definitions.shipped(families())
#: The schedules of a census, for a search.
FEATURES = Features(
    orders=False,
    predicates=0,
    partial=False,
    keys=0,
    votes=0,
    unknown_votes=False,
    callbacks=False,
    partitions=False,
    sessions=False,
    erasure=False,
)
CORE = ("P0", "P1", "P2", "P4", "A5A", "A5B")
LEVELS = ("RU", "RC", "SI", "SR")


def lanes(size: int, transactions: int, items: int, definitions: Definitions = EVERYTHING) -> Counts:
    """The census of one size."""
    out = Counts()
    for share in shares(size, transactions, items):
        out.add(count_share(share, definitions))
    return out.ordered(definitions)


def counted(out: Counts, holds: dict[str, bool], definitions: Definitions) -> None:
    """Count one schedule by the formulas that hold of it."""
    levels = [name for name in definitions.levels if holds[f"level {name}"]]
    shown = [name for name in definitions.phenomena if holds[name]]
    one = Counts(1, dict.fromkeys(levels, 1), dict.fromkeys(shown, 1), {(a, b): 1 for a in levels for b in shown})
    out.add(one)


def formulas(definitions: Definitions) -> dict[str, Formula]:
    return {**{f"level {name}": f for name, f in definitions.levels.items()}, **definitions.phenomena}


@cache
def generated(size: int, items: int) -> dict[tuple[int, int, int], Counts]:
    """Generate and test, by events, transactions and items that a schedule has."""
    out: dict[tuple[int, int, int], Counts] = defaultdict(Counts)
    for schedule in census(size, Alphabet(transactions=3, items=items), complete=True):
        concrete = Concrete(schedule)
        holds = {name: concrete.holds(formula) for name, formula in formulas(EVERYTHING).items()}
        resolved = schedule.resolved
        counted(out[len(schedule.events), len(resolved.txns), len(resolved.items)], holds, EVERYTHING)
    return out


def same_as_tested(size: int, transactions: int, items: int, most: int) -> None:
    right = Counts()
    for (events, txns, used), found in generated(most, 3).items():
        if events == size and txns <= transactions and used <= items:
            right.add(found)
    assert lanes(size, transactions, items) == right.ordered(EVERYTHING)


# -- the enumerator ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize(("transactions", "items"), [(3, 3), (3, 2), (2, 2), (1, 2), (2, 1), (1, 1)])
def test_every_cell_is_that_of_generate_and_test(size: int, transactions: int, items: int) -> None:
    same_as_tested(size, transactions, items, 5)


@pytest.mark.heavy
@pytest.mark.parametrize(("transactions", "items"), [(3, 3), (3, 2), (2, 2), (3, 1)])
def test_every_cell_of_six_events_is_that_of_generate_and_test(transactions: int, items: int) -> None:
    same_as_tested(6, transactions, items, 6)


def test_how_many_schedules_there_are() -> None:
    known = {2: 4, 3: 16, 4: 172, 5: 1_844, 6: 24_384, 7: 372_580, 8: 6_114_908}
    assert {size: sum(map(size_of, shares(size, 3, 2))) for size in known} == known


@pytest.mark.parametrize("width", [1, 1_000])
def test_the_width_of_an_evaluation_changes_nothing(width: int) -> None:
    definitions = Definitions.shipped(["graph"])
    for share in shares(5, 3, 2):
        assert count_share(share, definitions, width) == count_share(share, definitions)


def decoded(share: Share) -> Iterator[str]:
    """The schedules of a share as text, named by first use in the schedule as the enumerator does."""
    every = interleavings(share.sizes)
    orders = list(orders_of(share.sizes))
    for block in blocks(share, every):
        fitting = [order for place, order in enumerate(orders) if block.orders >> (every.count - 1 - place) & 1]
        for order, ends in product(fitting, product("ca", repeat=len(share.sizes))):
            left = [[slot for slot, txn in enumerate(every.txn_of) if txn == t] for t in range(len(share.sizes))]
            txns: dict[int, int] = {}
            items: dict[int, str] = {}
            versions: dict[int, int] = {INITIAL_VERSION: 0}
            written: Counter[int] = Counter()
            words = []
            for t in order:
                txn = txns.setdefault(t, len(txns) + 1)
                if not left[t]:
                    words.append(f"{ends[t]}{txn}")
                    continue
                slot = left[t].pop(0)
                item = share.items[slot]
                name = items.setdefault(item, "xyzuv"[len(items)])
                if block.writes[slot]:
                    written[item] += 1
                    versions[slot] = written[item]
                    words.append(f"w{txn}[{name}{versions[slot]}]")
                else:
                    words.append(f"r{txn}[{name}{versions[block.sources[slot]]}]")
            yield " ".join(words)


@pytest.mark.parametrize("size", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.heavy)])
def test_the_schedules_are_those_of_the_enumerator_each_once(size: int) -> None:
    right = {str(one) for one in census(size, Alphabet(items=3), complete=True) if len(one.events) == size}
    found = [text for share in shares(size, 3, 3) for text in decoded(share)]
    assert len(found) == len(right)
    assert set(found) == right


# -- the bounded reading -----------------------------------------------------------------------------------------------


def models(size: int) -> Counts:
    """Every model of every frame, each formula evaluated on its circuit."""
    pytest.importorskip("z3")
    from toki_verify.search.model import FrameModel

    out = Counts()
    for transactions in (1, 2, 3):
        for frame in frames(size, transactions):
            model = FrameModel(frame, 2, FEATURES, parse_spec("RU").formula)
            reading = Symbolic(Bounded(model.frame.unknown))
            literals = {name: reading.holds(formula) for name, formula in formulas(EVERYTHING).items()}
            for schedule in model.models():
                assert schedule is not None
                counted(out, {name: model.holds(literal) for name, literal in literals.items()}, EVERYTHING)
    return out.ordered(EVERYTHING)


@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.heavy)])
def test_every_cell_counts_the_models_of_the_bounded_reading(size: int) -> None:
    assert models(size) == lanes(size, 3, 2)


@pytest.mark.parametrize("size", [4, pytest.param(5, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("level", LEVELS)
def test_the_cells_of_the_core_count_models_of_their_own_formula(size: int, level: str) -> None:
    """The same with the formula of the cell as what the solver is asked for."""
    pytest.importorskip("z3")
    from toki_verify.search.model import FrameModel

    census_of = lanes(size, 3, 2)
    for name in CORE:
        formula = parse_spec(level).formula & phenomenon(name).formula
        found = 0
        for transactions in (1, 2, 3):
            for frame in frames(size, transactions):
                model = FrameModel(frame, 2, FEATURES, formula)
                found += len(list(model.models())) if model.possible else 0
        assert found == census_of.cells.get((f"graph:{level}", name), 0), name


@pytest.mark.parametrize(
    ("size", "level"),
    [
        *((6, level) for level in LEVELS),
        *(pytest.param(7, level, marks=pytest.mark.heavy) for level in (*LEVELS, "RC[G]", "SI[G]", "SR[G]")),
    ],
)
def test_a_cell_has_a_schedule_exactly_when_a_solver_finds_one(size: int, level: str) -> None:
    pytest.importorskip("z3")
    from toki_verify.search.model import FrameModel

    census_of = lanes(size, 3, 2, Definitions.shipped(["graph"]))
    for name in CORE:
        formula = parse_spec(level).formula & phenomenon(name).formula
        candidates = (frame for transactions in (3, 2, 1) for frame in frames(size, transactions))
        found = any(FrameModel(frame, 2, FEATURES, formula).solve() for frame in candidates)
        assert found == (census_of.cells.get((f"graph:{level}", name), 0) > 0), name


# -- what is known to hold ---------------------------------------------------------------------------------------------


def holding(size: int, formula: Formula) -> int:
    """How many schedules of up to so many events satisfy a formula."""
    return sum(
        Symbolic(Bounded(unknown)).holds(formula).bit_count()
        for events in range(2, size + 1)
        for share in shares(events, 3, 2)
        for unknown, _ in lanes_of(share)
    )


#: Their premise needs predicate reads, judge calls, partitions, or more events.
VACUOUS = {"P3[skew]", "P3", "N1", "N2", "PMP", "long-fork", "read-only-anomaly"}


@pytest.mark.parametrize("implication", IMPLICATIONS, ids=lambda one: f"{one.present}-{one.implied}")
def test_implications_hold_in_the_lanes(implication: Implication) -> None:
    premise = phenomenon(implication.present).formula
    if implication.at is not None:
        premise &= parse_spec(implication.at).formula
    assert holding(6, premise & ~phenomenon(implication.implied).formula) == 0
    assert (holding(6, premise) == 0) == (implication.present in VACUOUS)


@pytest.mark.parametrize("name", families())
def test_levels_lie_within_those_below_them(name: str) -> None:
    for level in family(name).levels:
        for below in level.below:
            assert holding(5, level.formula & ~family(name).level(below).formula) == 0, (level.id, below)


# -- resuming, processes, JSON -----------------------------------------------------------------------------------------


class Stopped(Exception):
    """A census that is interrupted."""


def stop_after(number: int) -> Callable[[int, int, int], None]:
    calls = iter(range(number))

    def progress(done: int, whole: int, schedules: int) -> None:
        if next(calls, None) is None:
            raise Stopped

    return progress


BOUNDS = CensusBounds(6, families=("graph", "session"))


@cache
def whole() -> CensusResult:
    return take_census(BOUNDS)


def test_a_resumed_census_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "census.jsonl"
    for number in (1, 5, 3):
        with pytest.raises(Stopped):
            take_census(BOUNDS, checkpoint=file, progress=stop_after(number))
    lines = file.read_text().splitlines()
    assert len(lines) == 1 + 1 + 5 + 3
    reports: list[tuple[int, int, int]] = []
    result = take_census(BOUNDS, checkpoint=file, progress=lambda *report: reports.append(report))
    assert result == whole()
    assert json.dumps(result.as_json()) == json.dumps(whole().as_json())
    assert file.read_text().splitlines()[: len(lines)] == lines
    assert 0 < reports[0][0] < reports[0][1] == reports[-1][0] and reports[-1][2] == result.total.schedules
    complete = file.read_bytes()
    assert take_census(BOUNDS, checkpoint=file) == result
    assert file.read_bytes() == complete


def test_processes_change_nothing(tmp_path: Path) -> None:
    file = tmp_path / "census.jsonl"
    result = take_census(BOUNDS, jobs=2, checkpoint=file)
    assert json.dumps(result.as_json()) == json.dumps(whole().as_json())
    assert take_census(BOUNDS, checkpoint=file) == result


def test_other_definitions_are_another_census(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "census.jsonl"
    take_census(CensusBounds(3), checkpoint=file)
    before = file.read_bytes()
    wrong, right = phenomenon("P4"), catalogue()
    monkeypatch.setitem(right, "P4", type(wrong)(wrong.id, wrong.title, phenomenon("A5B").formula, "", ""))
    with pytest.raises(BadCheckpoint, match="definitions"):
        take_census(CensusBounds(3), checkpoint=file)
    assert file.read_bytes() == before


def test_json_there_and_back() -> None:
    data = json.loads(json.dumps(whole().as_json()))
    assert CensusResult.from_json(data) == whole()
    assert data["total"]["levels"]["graph:RU"] == data["total"]["schedules"] == 26_420


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("total", "schedules"), 1, "more than the 1"),
        (("total", "levels", "graph:RC"), -1, "whole number"),
        (("sizes",), [], "from 2 to 6"),
        (("sizes", 0, "events"), "2", "whole number"),
        (("sizes", 4, "phenomena", "P9"), 1, "unknown name 'P9'"),
        (("sizes", 4, "cells", "graph:SI", "P4"), 1, "more than|not the sum"),
        (("census", "exactly"), 0, "true or false"),
        (("census", "events"), 99, "99 events, expected 2 to 10"),
        (("census", "families"), "graph", "list of names"),
    ],
)
def test_json_that_is_no_census(path: tuple[str | int, ...], value: object, message: str) -> None:
    data = json.loads(json.dumps(whole().as_json()))
    at = data
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    with pytest.raises(ValueError, match=message):
        CensusResult.from_json(data)
