"""Corollary 1 and the serial oracle: a second way to every execution and level, and variants that must be caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest

from toki_verify.claims import belief_drift, belief_readings, belief_sweeps
from toki_verify.claims.belief_drift import AT_QUERY, FINAL, at_level, decide, first_anomaly, smallest_printed
from toki_verify.claims.belief_programs import (
    CACHE,
    Scenario,
    guarded,
    lifted,
    maintainers,
    materialised,
    printed,
    query,
    revision,
    start,
    winning_belief,
    winning_fact,
)
from toki_verify.claims.belief_readings import READINGS, concurrent, table
from toki_verify.claims.belief_sweeps import Sweep, guarded_cases, maintained_cases, printed_cases, sweep
from toki_verify.claims.cells import Cell, Cells
from toki_verify.claims.partition_pins import PINNED
from toki_verify.claims.serial_oracle import (
    PIN,
    Program,
    Report,
    Run,
    Step,
    executions,
    interleavings,
    judge,
    run_at,
    run_shows,
    serial_oracle,
)
from toki_verify.events import Schedule
from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.concrete import Concrete
from toki_verify.search.decide import Decision
from toki_verify.search.witness import Bounds, Found, smallest

from .second_store import dirty, edges, finals, serial, serializable, snapshot_isolation, snapshots_exist, write_skew

F = winning_fact


def refreshing() -> Scenario:
    """T_q, and a T_w that writes f_bc anew."""
    one = printed((1, 0), F, "m2", 2)
    return replace(one, programs=(one.programs[0], revision(2, F, "m2", 2, cache="always")))


SCENARIOS: dict[str, Callable[[], Scenario]] = {
    **{name: READINGS[name] for name in READINGS if "twice" not in name},
    "refreshing": refreshing,
    "materialised": lambda: materialised((1, 0), F, "m2", 2),
    "maintainers": lambda: maintainers((2, 1), F, (("m1", 1), ("m2", 2))),
    "always": lambda: maintainers((2, 1), F, (("m1", 1), ("m2", 2)), "always"),
    "guarded": lambda: guarded((1, 0), F, "m2", 2, ("m2", 2)),
    "guarded inside": lambda: guarded((1, 0), F, "m2", 2, ("m2", 2)).with_cache_inside(),
}


def key(run: Run) -> tuple[object, ...]:
    """What levels of RC and above see of an execution: who read what from whom, the commits, the states."""
    reads = frozenset(e for e in run.events if e.op == "r")
    return reads, run.commits, tuple(tuple(sorted(state.items())) for state in run.states)


@pytest.mark.parametrize("name", SCENARIOS)
def test_executions_are_the_interleavings_at_rc(name: str) -> None:
    scenario = SCENARIOS[name]()
    every = interleavings(scenario.programs, scenario.initial)
    clean = {key(run) for run in every if not dirty(run)}
    assert {key(run) for run in executions(scenario.programs, scenario.initial)} == clean


@pytest.mark.parametrize("name", SCENARIOS)
def test_levels_and_phenomena_agree_with_a_graph_built_by_hand(name: str) -> None:
    scenario = SCENARIOS[name]()
    seen = set()
    for run in islice(interleavings(scenario.programs, scenario.initial), 0, 600, 3):
        found, count = edges(run), len(run.names)
        rc = not dirty(run)
        asked = {
            "RC": rc,
            "SI": rc and snapshots_exist(found, count),
            "SR": rc and serializable(found, count),
            PIN: rc and serializable(edges(run, scenario.inside), count),
        }
        assert {level: run_at(run, level, scenario.inside) for level in asked} == asked
        assert run_shows(run, "A5B", scenario.inside) == write_skew(found)
        assert run_shows(run, "N2", scenario.inside) == write_skew(edges(run, scenario.inside))
        seen.add(tuple(asked.values()))
    assert len(seen) > 1


@pytest.mark.parametrize("name", SCENARIOS)
def test_final_states_agree_with_an_operational_store(name: str) -> None:
    scenario = SCENARIOS[name]()
    runs = list(executions(scenario.programs, scenario.initial))
    at = {
        level: {tuple(sorted(run.final.items())) for run in runs if run_at(run, level, scenario.inside)}
        for level in ("SI", "SR")
    }
    assert at["SI"] == finals(snapshot_isolation(scenario.programs, scenario.initial))
    assert at["SR"] == finals(serial(scenario.programs, scenario.initial))


def test_sweeps_agree_with_the_operational_store() -> None:
    kinds = {"printed": printed_cases(1, 1), "maintained": maintained_cases(2, 1), "guarded": guarded_cases(1)}
    for name, cases in kinds.items():
        broken = anomalous = 0
        every = list(cases)
        for case in every:
            if not all(case.consistent(states[-1]) for states in serial(case.programs, case.initial)):
                broken += 1
            elif not all(case.consistent(states[-1]) for states in snapshot_isolation(case.programs, case.initial)):
                anomalous += 1
        found = sweep(every)
        assert (found.cases, found.broken_serially) == (len(every), broken)
        assert sum(at_level(case, FINAL, "SI").anomaly is True for case in every) == anomalous
        assert (anomalous > 0) == (found.at["SI"] > 0), name


@pytest.mark.parametrize("cases", [maintained_cases(3, 1), printed_cases(2, 1)], ids=["maintained", "printed"])
def test_three_transactions_agree_with_the_operational_store(cases: object) -> None:
    for case in islice(cases, 0, None, 5):  # type: ignore[call-overload]
        runs = list(executions(case.programs, case.initial))
        found = {tuple(sorted(run.final.items())) for run in runs if run_at(run, "SI", case.inside)}
        assert found == finals(snapshot_isolation(case.programs, case.initial))


# -- the serial oracle -------------------------------------------------------------------------------------------------
def test_the_oracle_runs_every_order_and_tells_them_apart() -> None:
    scenario = printed((1, 0), F, "m2", 2)
    report = serial_oracle(scenario.programs, scenario.initial, scenario.invariants()[FINAL])
    assert [run.order for run in report.keep] == [("T_w", "T_q")]
    assert [run.order for run in report.broken] == [("T_q", "T_w")]
    assert not report.every_order_keeps


def test_a_judgement_has_three_values() -> None:
    case = maintainers((2, 1), F, (("m1", 1), ("m2", 2)))
    assert at_level(case, FINAL, "SI").anomaly is True
    assert at_level(case, FINAL, "SR").said == "kept"
    assert at_level(printed((1, 0), F, "m2", 2), FINAL, "SI").said == "no isolation anomaly"
    keeps = case.invariants()[FINAL]
    few = judge(case.programs, case.initial, keeps, "SR", case.inside, limit=2)
    assert few.anomaly is None and few.said == "undecided: more than 2 executions"
    assert judge(case.programs, case.initial, keeps, "SR", case.inside, limit=4).anomaly is False


def test_a_program_reads_its_own_write() -> None:
    program = Program("T", (Step("x", lambda seen: 1), Step("x"), Step("y", lambda seen: seen["x"] + 1)))
    assert [run.final for run in executions((program,), {"x": 0, "y": 0})] == [{"x": 1, "y": 2}]
    assert len(list(interleavings((program,), {"x": 0, "y": 0}))) == 1


def test_an_oracle_that_runs_no_serial_order_calls_staleness_an_anomaly(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sweep(printed_cases(1, 1)).anomalous == 0
    monkeypatch.setattr(belief_sweeps, "serial_oracle", lambda *_: Report((), ()))
    assert sweep(printed_cases(1, 1)).anomalous > 0


# -- the corollary -----------------------------------------------------------------------------------------------------
def test_the_smallest_refutation_stands_on_paper() -> None:
    scenario, run = smallest_printed()
    schedule = run.schedule(scenario.inside)
    assert len(schedule.events) == 6 and not scenario.consistent(run.final)
    assert not edges(run) - {("rw", "m1", "1", "2")} and serializable(edges(run), 2)
    reading = Concrete(schedule)
    assert reading.holds(parse_spec(f"SR+{PIN}").formula) and not reading.holds(phenomenon("A5B").formula)
    # No scenario of fewer than one row; and without either transaction I is kept.
    for program in scenario.programs[:1]:
        assert serial_oracle((program,), scenario.initial, scenario.invariants()[FINAL]).every_order_keeps


def test_what_saves_it_and_what_does_not() -> None:
    rows = table()
    saved = [(row.reading, row.invariant) for row in rows if all(row.parts)]
    assert saved == [("rows are items, f_bc a row of the partition and read with it", AT_QUERY)]
    assert {row.reading for row in rows if "P4" in row.shows} == {"the partition is one item, f_bc a part of it"}
    assert not any("A5B" in row.shows for row in rows if row.reading.startswith("the partition is one item"))


def test_a_revision_that_refreshes_would_restore_the_invariant() -> None:
    rows = {row.invariant: row for row in table({"refreshing": lambda: refreshing().with_cache_inside()})}
    assert rows[FINAL].restored and not table({"printed": lambda: printed((1, 0), F, "m2", 2)})[0].restored
    assert not rows[FINAL].parts[0]  # and then it is no write skew


def test_a_revision_that_reads_the_cache_makes_the_second_edge() -> None:
    plain, reading = printed((0,), F, "m1", 1), printed((0,), F, "m1", 1, reads_cache=True)
    assert not any(run_shows(run, "A5B", plain.inside) for run in concurrent(plain))
    assert all(run_shows(run, "A5B", reading.inside) for run in concurrent(reading))


def test_locking_keeps_the_revision_out_of_the_query() -> None:
    scenario = printed((0,), F, "m1", 1)
    assert at_level(scenario, AT_QUERY, "berenson:SR", locking=True).said == "kept"
    assert at_level(scenario, AT_QUERY, "berenson:RC", locking=True).anomaly is True
    assert at_level(scenario, AT_QUERY, "SR").anomaly is True


@pytest.mark.parametrize("fold", [winning_fact, winning_belief])
def test_the_query_is_the_first_or_the_second(fold: Callable[..., object]) -> None:
    program = query(2, fold)
    state = start((1, 2), fold)
    assert next(iter(executions((program,), {**state, CACHE: None}))).final == state


def test_verdicts_follow_what_was_computed() -> None:
    rows, good = table(), Sweep(cases=1, at={"RC": 1, "SI": 1, PIN: 0, "SR": 0}, skewed=1)
    assert decide(rows, {"x": good}, Sweep())[0] == "depends"
    assert decide([row for row in rows if row.invariant == FINAL], {"x": good}, Sweep())[0] == "refuted"
    assert decide([row for row in rows if all(row.parts)], {"x": good}, Sweep())[0] == "holds"


# -- the repairs -------------------------------------------------------------------------------------------------------
def test_the_repairs_and_their_broken_variants() -> None:
    assert sweep(maintained_cases(2, 1)).is_repair and sweep(guarded_cases(1)).is_repair
    assert not sweep(maintained_cases(2, 1, "kept")).is_repair  # nobody maintains f_bc
    assert not sweep(maintained_cases(2, 1, "always")).is_repair  # the conflict is materialised: SI keeps I
    outside = (replace(case, inside=case.inside - {CACHE}) for case in guarded_cases(1))
    assert not sweep(outside).is_repair  # the pin does not cover f_bc


def test_a_pin_judged_as_si_would_be_no_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    def as_si(run: Run, level: str, inside: frozenset[str]) -> bool:
        return run_at(run, "SI" if level == PIN else level, inside)

    monkeypatch.setattr(belief_sweeps, "run_at", as_si)
    assert not sweep(maintained_cases(2, 1)).is_repair


def test_an_anomaly_of_the_repair_is_found_at_si_and_not_at_sr() -> None:
    found = first_anomaly(maintained_cases(2, 1))
    assert found is not None
    case, run = found
    assert run_shows(run, "N2", case.inside) and not case.consistent(run.final)
    assert first_anomaly(maintained_cases(2, 1), "SR") is None and first_anomaly(maintained_cases(2, 1), PIN) is None


# -- the lifted partition ----------------------------------------------------------------------------------------------
def test_one_item_is_a_lost_update_where_rows_are_serializable() -> None:
    rows = Schedule.parse("r1[al.home/x0] r2[al.home/y0] w1[al.home/x1] c1 w2[al.home/y1] c2")
    item = Schedule.parse("r1[al.home/pi0] r2[al.home/pi0] w1[al.home/pi1] c1 w2[al.home/pi2] c2")
    of_rows, of_item = Concrete(rows), Concrete(item)
    lifted_skew, serial_level = phenomenon("N2[lifted]").formula, parse_spec("SR").formula
    assert of_rows.holds(serial_level) and of_rows.holds(lifted_skew)
    assert of_item.holds(lifted_skew) and of_item.holds(phenomenon("P4").formula)
    assert not of_item.holds(parse_spec("SI").formula)
    _, order, skew = PINNED["C1.n2.lifted"]
    assert skew == lifted_skew and not of_rows.holds(order) and not of_item.holds(order)
    case = lifted((1, 0), F, "m2", 2, cache_inside=True)
    assert all(run_at(run, "RC", case.inside) and not run_at(run, "SI", case.inside) for run in concurrent(case))


def test_nothing_smaller_than_six_events_is_lifted_skew_at_sr() -> None:
    wanted = parse_spec("SR").formula & phenomenon("N2[lifted]").formula
    found = smallest(wanted, bounds=Bounds(events=6, transactions=2, items=2))
    assert found.schedule is not None and len(found.schedule.events) == 6


class NoProof(Cells):
    """Cells to which no solver answers."""

    def link(self, id: str, formula: object, statement: str) -> Decision:
        return Decision("undecided", Found("undecided", (), Bounds(), "not asked"))

    def cell(self, name: str, spec: str, family: str = "graph", seed: bool | None = None) -> Cell:
        return Cell(name, spec, family, "undecided")


def test_without_a_proof_nothing_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_drift, "repairs", dict)
    monkeypatch.setattr(belief_drift, "table", lambda: table({"x": next(iter(belief_readings.READINGS.values()))}))
    outcome = belief_drift.CLAIMS[0].decide(NoProof())
    assert outcome.verdict == "undecided" and outcome.counterexample is None


@pytest.mark.heavy
def test_the_claim_with_its_solvers() -> None:
    outcome = belief_drift.CLAIMS[0].decide(Cells())
    assert outcome.verdict == "depends" and {proof.id for proof in outcome.proofs} == set(PINNED)
    assert outcome.repair_verdict == "holds"
