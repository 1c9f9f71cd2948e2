"""Grid.n2: its cells and rates in second ways, and variants that must be caught."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, isclose

import pytest

from toki_verify.claims import partition_grid
from toki_verify.claims.belief_programs import FOLDS, maintainers
from toki_verify.claims.cells import Cell, Cells
from toki_verify.claims.model import Outcome
from toki_verify.claims.partition_grid import BOTH, LEVELS, census, embeds, grid, padded
from toki_verify.claims.partition_rates import (
    CONTENTION,
    MEANS,
    MODELS,
    SIZES,
    counts,
    expected_mean,
    fits,
    half_tail,
    tail,
    total,
)
from toki_verify.claims.serial_oracle import PIN, interleavings, run_at, run_shows
from toki_verify.events import Schedule
from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.concrete import Concrete

from .second_store import dirty, edges, serializable, snapshots_exist, write_skew

SKEW = Schedule.parse("r1[s.p/x0] r2[s.p/y0] w1[s.p/y1] c1 w2[s.p/x1] c2")
SHARE = MODELS["c is the share of schedules that have the skew pattern"]


def cells_of(sr: str = "excluded", witness: Schedule = SKEW) -> dict[str, Cell]:
    """Decided cells, made up."""
    found = {level: Cell("N2", level, "graph", "admitted", witness=witness) for level in ("RC", "SI")}
    return {**found, "SR": Cell("N2", "SR", "graph", sr, witness=witness if sr == "admitted" else None)}


PROVED = Outcome("holds", "proof", "")


@pytest.mark.parametrize("size", [2, pytest.param(4, marks=pytest.mark.heavy)])
def test_every_interleaving_is_as_the_census_has_it(size: int) -> None:
    scenario = maintainers((0,) * size, FOLDS["the winning belief"], (("m1", 1), ("m2", 1)), "kept")
    shown = dict.fromkeys(BOTH, False)
    for run in interleavings(scenario.programs, scenario.initial):
        found = edges(run, scenario.inside)
        if dirty(run) or not write_skew(found):
            continue
        shown["RC"] = True
        shown["SI"] |= snapshots_exist(found, 2)
        shown["SR"] |= serializable(found, 2)
        shown[PIN] |= serializable(found, 2)
        assert run_shows(run, "N2", scenario.inside) and not run_at(run, "SR", scenario.inside)
    assert shown == {level: count > 0 for level, _, count in census(size).at}


def test_the_size_of_the_partition_makes_no_difference() -> None:
    assert len({census(size) for size in SIZES}) == 1
    assert any(shown for _, _, shown in census(2).at) and not any(shown for _, _, shown in census(2, ("m1", "m1")).at)


def test_a_witness_stays_one_in_every_larger_partition() -> None:
    for size, level in product(SIZES, ("RC", "SI")):
        wide = padded(SKEW, size)
        assert len(wide.partitions) == size and len(wide.events) == len(SKEW.events) + 2 * (size - 2)
        reading = Concrete(wide)
        assert reading.holds(parse_spec(level).formula) and reading.holds(phenomenon("N2").formula)
        assert not reading.holds(parse_spec("SR").formula)
    assert embeds(Cell("N2", "SI", "graph", "admitted", witness=SKEW)) == dict.fromkeys(SIZES, True)
    nothing = Schedule.parse("r1[s.p/x0] w1[s.p/y1] c1")
    assert embeds(Cell("N2", "SI", "graph", "admitted", witness=nothing)) == dict.fromkeys(SIZES, False)


def test_what_cannot_be_padded_is_refused() -> None:
    for text in ("r1[s.p/x0] w1[s.q/y1] c1", "r1[s.p/x0] r1[s.p/y0] r1[s.p/z0] c1"):
        with pytest.raises(ValueError, match="no partition of 2 rows"):
            padded(Schedule.parse(text), 2)


def test_all_36_cells_and_what_would_make_them_wrong() -> None:
    found = list(grid(cells_of(), PROVED))
    assert len(found) == 36 == len({(cell.level, cell.size, cell.contention) for cell in found})
    assert all(cell.agrees for cell in found)
    admitted = list(grid(cells_of("admitted"), PROVED))
    assert [cell.agrees for cell in admitted] == [True] * 24 + [False] * 12
    # A witness that is not at its level counts for nothing.
    assert {cell.found for cell in admitted if cell.level == "SR"} == {"undecided"}
    unproved = list(grid(cells_of(), replace(PROVED, verdict="undecided")))
    assert {cell.found for cell in unproved if cell.level == "SR"} == {"undecided"}
    swapped = {**cells_of(), "RC": Cell("N2", "RC", "graph", "excluded")}
    assert sum(cell.agrees for cell in grid(swapped, PROVED)) == 24
    assert LEVELS == ("RC", "SI", "SR")


# -- rates --
def test_totals_are_the_convolution_of_the_single_trials() -> None:
    groups = [(2, Fraction(1, 2)), (1, Fraction(3, 4)), (2, Fraction(1))]
    by_hand = [0.0] * 6
    for outcome in product((0, 1), repeat=3):
        chance = Fraction(1, 4) * (Fraction(3, 4) if outcome[2] else Fraction(1, 4))
        by_hand[sum(outcome) + 2] += float(chance)
    assert all(isclose(one, other, abs_tol=1e-12) for one, other in zip(total(groups), by_hand, strict=True))
    assert isclose(sum(total([(800, Fraction(1, 2)), (800, Fraction(3, 4)), (800, Fraction(1))])), 1)


def test_the_tail_of_half_is_that_of_pascals_triangle() -> None:
    exact = Fraction(sum(comb(200, count) for count in range(201) if abs(count - 100) >= 4), 2**200)
    assert isclose(half_tail(), float(exact))
    assert tail([0.25, 0.5, 0.25], Fraction(1), 1) == 1 and tail([0.25, 0.5, 0.25], Fraction(1), 2) == 0.5


def test_the_printed_means_are_whole_numbers_of_schedules() -> None:
    for mean in MEANS.values():
        assert [abs(Fraction(count, 2400) - mean) <= Fraction(1, 20_000) for count in counts(mean)] == [True]
        assert 1800 not in counts(mean)  # what a census with shares of 1/2, 3/4 and 1 has
    assert counts(Fraction(3, 4)) == [1800]


def test_one_model_of_contention_fits_and_others_do_not() -> None:
    assert expected_mean(SHARE) == sum(CONTENTION) / 3 == Fraction(3, 4)
    assert [name for name, model in MODELS.items() if fits(model)[0]] == [
        "c is the share of schedules that have the skew pattern"
    ]
    # Monte Carlo stands against the convolution: the printed SI count is 9 off, the standard deviation √350.
    assert 0.6 < tail(total([(800, Fraction(1, 2)), (800, Fraction(3, 4))]), Fraction(1000), 991) < 0.7


def test_means_of_one_would_make_the_printed_boundary_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    class Made(Cells):
        def cell(self, name: str, spec: str, family: str = "graph", seed: bool | None = None) -> Cell:
            return cells_of()[spec] if name == "N2" else Cell(name, spec, family, "admitted")

    monkeypatch.setattr(partition_grid, "fits", lambda model: (True, ""))
    monkeypatch.setattr(partition_grid, "pinned", lambda cells, id: PROVED)
    assert partition_grid.CLAIMS[0].decide(Made()).verdict == "depends"
    monkeypatch.setattr(partition_grid, "MEANS", {"RC": Fraction(1), "SI": Fraction(1)})
    assert partition_grid.CLAIMS[0].decide(Made()).verdict == "holds"
    monkeypatch.setattr(partition_grid, "pinned", lambda cells, id: replace(PROVED, verdict="undecided"))
    assert partition_grid.CLAIMS[0].decide(Made()).verdict == "undecided"
    monkeypatch.setattr(partition_grid, "pinned", lambda cells, id: PROVED)
    excluded = {**cells_of(), "RC": Cell("N2", "RC", "graph", "excluded")}
    monkeypatch.setattr(Made, "cell", lambda self, name, spec: excluded[spec])
    assert partition_grid.CLAIMS[0].decide(Made()).verdict == "refuted"


@pytest.mark.heavy
def test_the_claim_with_its_solvers() -> None:
    outcome = partition_grid.CLAIMS[0].decide(Cells())
    assert outcome.verdict == "depends" and outcome.detail.startswith("36 of 36")
    assert {"T1.sound.N2.SR", "C1.n2.pin"} <= {proof.id for proof in outcome.proofs}
