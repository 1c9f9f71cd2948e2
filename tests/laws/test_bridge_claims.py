"""What the claims of Lemma 1 say, on random schedules beyond what solvers and enumerations reach (issue 5).

Every law stands beside a neighbour that is false, the literal statement where the seed has one: Hypothesis must find a
counterexample to it, or the law could not have failed either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

pytest.importorskip("z3")

from tests.laws.bridge_strategies import with_calls
from toki_verify.bridge import pullback
from toki_verify.bridge.image import Logging, image
from toki_verify.bridge.keys import judge_row
from toki_verify.claims import lemma_1_own_questions
from toki_verify.claims import lemma_1_questions as asked
from toki_verify.claims.bridge_grid import edges_of, passed
from toki_verify.claims.lemma_1_keys import elsewhere, miscounted, multiplicity
from toki_verify.claims.lemma_1_own import ON_LOG, OWN, differing
from toki_verify.claims.seed import CHAIN, CLASSICAL
from toki_verify.events import Callback, Commit, Judge, Read, Schedule
from toki_verify.events.names import name_fault
from toki_verify.events.values import json_text
from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations import base
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula, Region, Within

SEEKING = settings(
    max_examples=5_000, database=None, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
NIGHTLY = settings(max_examples=3_000, deadline=None)
SHOWN = {name: phenomenon(name).formula for name in CLASSICAL}
ON_FACTS = {name: Within(SHOWN[name], Region(table="facts")) for name in CLASSICAL}
LEVELS = {spec: parse_spec(spec).formula for spec in CHAIN}
N1 = phenomenon("N1").formula
#: Narrow choices, where the neighbours of laws are found soon.
CALLS: dict[str, Any] = {"ops": "jjjjjca", "keys": "R", "txns": 3, "events": 10}
DENSE: dict[str, Any] = {"ops": "jjjrrwwc", "txns": 3, "events": 12}
SKEWED: dict[str, Any] = {**DENSE, "keys": "R", "items": 1, "txns": 2, "events": 9}
PHANTOM: dict[str, Any] = {"ops": "jjppicc", "keys": "R", "items": 1, "txns": 2, "events": 9}


def holding(schedule: Schedule, formulas: Mapping[str, Formula]) -> set[str]:
    """The names of the formulas that a schedule satisfies."""
    concrete = Concrete(schedule)
    return {name for name, formula in formulas.items() if concrete.holds(formula)}


def behind(schedule: Schedule, logging: Logging | None = None) -> Schedule:
    """π_J(S)."""
    made = image(schedule, logging).schedule
    assert made is not None, str(schedule)
    return made


def seek(
    strategy: SearchStrategy[Schedule], wanted: Formula | Callable[[Schedule], bool], *, small: bool = False
) -> Schedule:
    """The first schedule that is wanted, or as small as Hypothesis gets it. Raises NoSuchExample."""
    how = SEEKING if small else settings(SEEKING, phases=[Phase.generate])
    if isinstance(wanted, Formula):
        return find(strategy, lambda schedule: Concrete(schedule).holds(wanted), settings=how)
    return find(strategy, wanted, settings=how)


# -- L1.graph ----------------------------------------------------------------------------------------------------------
def keeps_edges(schedule: Schedule) -> None:
    """The edges between accesses of operand tables, by formulas, and event by event in π_J(S)."""
    concrete = Concrete(schedule)
    assert [kind for kind in asked.KINDS if concrete.holds(asked.edges_differ(kind))] == []
    made = image(schedule)
    assert made.schedule is not None
    place = {step.target: step.source for step in made.steps if step.target is not None and step.source is not None}
    assert edges_of(schedule, {n: n for n in range(len(schedule))}) == edges_of(made.schedule, place)


@given(with_calls())
def test_edges_of_operand_tables_are_kept(schedule: Schedule) -> None:
    keeps_edges(schedule)


@pytest.mark.parametrize("kind", ["wr", "ww", "rw"])
def test_edges_on_the_log_are_added(kind: str) -> None:
    """L1.graph of the whole graph, literally."""
    found = seek(with_calls(**CALLS), asked.edges_added(kind), small=kind == "wr")
    assert {type(event) for event in found.events} >= {Judge, Commit} and (kind != "wr" or len(found) == 4)


@pytest.fixture
def forgotten() -> Iterator[Callable[[], None]]:
    """Forgets formulas that were pulled back, now and afterwards."""

    def forget() -> None:
        for cached in (pullback._pulled, pullback.pulled, pullback.pulled_term, lemma_1_own_questions._own):
            cached.cache_clear()
        lemma_1_own_questions.own.cache_clear()

    yield forget
    forget()


@pytest.mark.parametrize("name", ["reads_from", "version_order", "write"])
def test_a_wrong_picture_of_the_bridge_loses_edges(
    name: str, monkeypatch: pytest.MonkeyPatch, forgotten: Callable[[], None]
) -> None:
    monkeypatch.setattr(pullback, "_BEHIND", pullback._BEHIND | {name: base.judge - base.judge})
    forgotten()
    kind = "ww" if name == "write" else "rw"
    assert seek(with_calls(**DENSE), asked.edges_differ(kind))


# -- L1.transfer -------------------------------------------------------------------------------------------------------
def transfers_on_facts(schedule: Schedule) -> None:
    """The repair; and that nothing is lost, of phenomena, or gained, of levels."""
    made = behind(schedule)
    assert holding(schedule, ON_FACTS) == holding(made, ON_FACTS)
    assert holding(schedule, SHOWN) <= holding(made, SHOWN)
    assert holding(schedule, LEVELS) >= holding(made, LEVELS)


@given(with_calls())
def test_verdicts_on_operand_tables_transfer(schedule: Schedule) -> None:
    transfers_on_facts(schedule)


#: What the literal statement gains, by strategies in which it is found soon.
GAINED = {
    **dict.fromkeys(("P0", "P1", "P2"), CALLS),
    "A5A": SKEWED,
    "P3": PHANTOM,
}


@pytest.mark.parametrize("name", GAINED)
def test_verdicts_on_all_tables_are_gained(name: str) -> None:
    """Literally: S ⇔ π_J(S)."""
    found = seek(with_calls(**GAINED[name]), asked.gained(name))
    assert name in holding(behind(found), SHOWN) - holding(found, SHOWN)


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "where"), [("P4", CALLS), ("A5B", {**SKEWED, "txns": 3, "events": 11})])
def test_rarer_ones_are_gained(name: str, where: dict[str, Any]) -> None:
    wanted, how = asked.gained(name), settings(SEEKING, max_examples=100_000)
    found = find(with_calls(**where), lambda schedule: Concrete(schedule).holds(wanted), settings=how)
    assert name in holding(behind(found), SHOWN)


@pytest.mark.parametrize("spec", CHAIN)
def test_levels_are_lost(spec: str) -> None:
    def lost(schedule: Schedule) -> bool:
        return spec in holding(schedule, LEVELS) - holding(behind(schedule), LEVELS)

    found = seek(with_calls(**CALLS), lost, small=spec == "RC")
    assert lost(found) and (spec != "RC" or len(found) == 4)


#: What the calls of S must do so that a phenomenon is not gained; A5A and P3 are.
UNDER = {**dict.fromkeys(("P0", "P2", "P4", "A5B"), asked.RETURN), "P1": asked.RETURN & asked.COMMIT}


def transfers_under_h1(schedule: Schedule) -> None:
    met = holding(schedule, UNDER)
    assert met & (holding(behind(schedule), SHOWN) - holding(schedule, SHOWN)) == set()


@given(with_calls(voting=("row", "first")))
def test_verdicts_transfer_where_rows_are_returned(schedule: Schedule) -> None:
    transfers_under_h1(schedule)


@pytest.mark.parametrize("name", ["A5A", "P3"])
def test_under_h1_two_are_gained_all_the_same(name: str) -> None:
    strategy = with_calls(voting=("row",), **(PHANTOM if name == "P3" else GAINED["A5A"]))
    found = seek(strategy, (asked.RETURN & asked.COMMIT) & asked.gained(name))
    assert name in holding(behind(found), SHOWN) - holding(found, SHOWN)
    assert not image(found).broken or {broken.hypothesis for broken in image(found).broken} <= {"H1[commit]"}


@pytest.mark.parametrize(("name", "hypothesis"), [("P0", asked.COMMIT), ("P1", asked.RETURN)])
def test_half_of_h1_does_not_do(name: str, hypothesis: Formula) -> None:
    assert seek(with_calls(**CALLS), hypothesis & asked.gained(name))


# -- L1.transfer.own ---------------------------------------------------------------------------------------------------
def transfers_from_own_rows(schedule: Schedule) -> None:
    assert differing(schedule) == ""
    assert holding(schedule, LEVELS) == holding(behind(schedule, OWN), LEVELS)


@given(with_calls(voting=("first",)))
def test_verdicts_and_levels_transfer_from_rows_of_their_own(schedule: Schedule) -> None:
    transfers_from_own_rows(schedule)


def shows_otherwise(logging: Logging) -> Callable[[Schedule], bool]:
    return lambda schedule: holding(schedule, SHOWN) != holding(behind(schedule, logging), SHOWN)


def test_rows_of_their_own_that_are_not_returned_make_a_difference() -> None:
    assert seek(with_calls(voting=("free",), **CALLS), shows_otherwise(OWN))


def test_rows_of_operators_make_a_difference_although_they_are_returned() -> None:
    found = seek(with_calls(voting=("first",), **CALLS), shows_otherwise(Logging()))
    assert differing(found) == ""


@pytest.mark.parametrize(("name", "where"), [("same_txn", SKEWED), ("committed_before", CALLS), ("final", CALLS)])
def test_a_wrong_picture_of_own_rows_is_noticed(
    name: str, where: dict[str, Any], monkeypatch: pytest.MonkeyPatch, forgotten: Callable[[], None]
) -> None:
    wrong = lemma_1_own_questions._BEHIND | {name: getattr(base, name)}
    monkeypatch.setattr(lemma_1_own_questions, "_BEHIND", wrong)
    forgotten()
    assert "the formulas say" in differing(seek(with_calls(voting=("first",), **where), lambda s: differing(s) != ""))


# -- L1.n1 -------------------------------------------------------------------------------------------------------------
RC_ON_LOG = parse_spec("RC@judge_log").formula
ON_ROW = {**ON_LOG, "RC": RC_ON_LOG}


def refilled(schedule: Schedule, *, committed: bool = True) -> bool:
    """A committed call fills the row behind a committed call at its key, by the steps of π_J."""
    done = schedule.resolved.committed
    calls = [(at, event) for at, event in enumerate(schedule.events) if isinstance(event, Judge)]
    fills = {step.source for step in image(schedule).steps if step.role in ("first fill", "second fill")}
    return any(
        at in fills
        and event.txn in done
        and earlier < at
        and other.key == event.key
        and (other.txn in done or not committed)
        for at, event in calls
        for earlier, other in calls
    )


def equation_is_repaired(schedule: Schedule) -> None:
    if Concrete(behind(schedule)).holds(RC_ON_LOG):
        assert Concrete(schedule).holds(N1) == refilled(schedule) == Concrete(schedule).holds(asked.REFILLED)
        # P2 on the row is one way to see it.
        assert not Concrete(behind(schedule)).holds(ON_LOG["P2"]) or refilled(schedule)


@given(with_calls(voting=("free",), ops="jjjjjjjrwkcca"))
def test_n1_is_a_committed_refill_where_the_log_is_at_rc(schedule: Schedule) -> None:
    equation_is_repaired(schedule)


def on_row(schedule: Schedule) -> set[str]:
    return holding(behind(schedule), ON_ROW)


#: Neighbours of the repair: what each says wrongly, and of which schedules.
NEIGHBOURS: dict[str, Callable[[Schedule], bool]] = {
    "N1 comes with P2 or P3 on the row": lambda s: Concrete(s).holds(N1) and not on_row(s) & {"P2", "P3"},
    "so it does at RC": lambda s: Concrete(s).holds(N1) and on_row(s) == {"RC"},
    "a refill is N1 below RC, too": lambda s: refilled(s) and not Concrete(s).holds(N1),
    "a fill behind a call that is rolled back is N1": lambda s: (
        "RC" in on_row(s) and refilled(s, committed=False) != Concrete(s).holds(N1)
    ),
    "there is none at RC": lambda s: "RC" in on_row(s) and Concrete(s).holds(N1) and refilled(s),
}


@pytest.mark.parametrize("words", NEIGHBOURS)
def test_neighbours_of_the_repair_are_false(words: str) -> None:
    assert seek(with_calls(voting=("free",), **CALLS), NEIGHBOURS[words])


def nothing_under_return(schedule: Schedule) -> None:
    concrete = Concrete(schedule)
    if concrete.holds(asked.PLAIN & asked.RETURN):
        assert not concrete.holds(N1)
        assert holding(behind(schedule), ON_LOG) == set()


@given(with_calls(voting=("row", "row", "free")))
def test_where_rows_are_returned_both_sides_are_empty(schedule: Schedule) -> None:
    nothing_under_return(schedule)


def test_both_sides_are_not_empty_elsewhere() -> None:
    free = with_calls(voting=("free",), **CALLS)
    assert seek(free, asked.PLAIN & asked.COMMIT & N1)
    assert seek(free, lambda schedule: "P2" in on_row(schedule))


# -- L1.keys -----------------------------------------------------------------------------------------------------------
def counts_calls(schedule: Schedule) -> None:
    assert not Concrete(schedule).holds(miscounted()) and not Concrete(schedule).holds(elsewhere())
    for logging in (Logging(), OWN):
        assert multiplicity(schedule, logging)
        rows = [event.item for event in behind(schedule, logging).events if hasattr(event, "item")]
        calls = [event.key for event in schedule.events if isinstance(event, Judge)]
        assert all(rows.count(judge_row(key)) == calls.count(key) for key in calls)


@given(with_calls())
def test_a_key_has_as_many_accesses_as_calls(schedule: Schedule) -> None:
    counts_calls(schedule)


def test_a_call_that_is_not_logged_has_none() -> None:
    found = seek(
        with_calls(**CALLS), lambda schedule: not multiplicity(schedule, Logging(mismatch="unlogged")), small=True
    )
    assert [type(event) for event in found.events] == [Judge, Judge, Commit]


#: Names made of what rows are made of, so that a clash is near.
_NAMES = st.text(alphabet=', ()"Rt', min_size=1, max_size=6).filter(lambda name: name_fault(name) is None)
_KEYS = st.tuples(_NAMES, st.one_of(_NAMES.map(json_text), st.builds(json_text, st.lists(_NAMES, max_size=2))))


@given(st.lists(_KEYS, min_size=10, max_size=16, unique=True))
def test_different_keys_have_different_rows(keys: list[tuple[str, str]]) -> None:
    assert len({judge_row(key) for key in keys}) == len(keys)


def test_rows_named_by_joining_clash() -> None:
    def clash(keys: list[tuple[str, str]]) -> bool:
        return len({f"({reads}, {theta.strip(chr(34))})" for reads, theta in keys}) < len(keys)

    short = st.tuples(st.sampled_from(("R", "R, t", "t", "R,")), st.sampled_from(("t", "t, t", "R")).map(json_text))
    found = find(st.lists(short, unique=True), clash, settings=SEEKING)
    assert len(found) == 2 and len({judge_row(key) for key in found}) == 2


def callback_rows(schedule: Schedule, key: Callable[[Callback], object]) -> bool:
    """Whether callbacks read one row of π_J(S) exactly where their keys are the same."""
    calls = [event for event in schedule.events if isinstance(event, Callback)]
    reads = [e for e in behind(schedule).events if isinstance(e, Read) and e.item.table == pullback.CALLBACK_LOG]
    assert len(calls) == len(reads)
    pairs = list(zip(calls, reads, strict=True))
    return all((key(a) == key(b)) == (x.item == y.item) for a, x in pairs for b, y in pairs)


@given(with_calls(ops="kkkjc"))
def test_callbacks_share_a_row_where_they_share_a_request(schedule: Schedule) -> None:
    assert callback_rows(schedule, lambda event: event.request)


def test_callbacks_of_two_read_sets_share_a_row() -> None:
    """L1.keys.callbacks, literally: (R, h) is the key."""
    found = seek(
        with_calls(ops="kkc"), lambda s: not callback_rows(s, lambda event: (event.reads, event.request)), small=True
    )
    assert [type(event) for event in found.events] == [Callback, Callback, Commit]


# -- Grid.bridge -------------------------------------------------------------------------------------------------------
def passes_the_grid(schedule: Schedule) -> None:
    alphabet, edges, keys, _ = passed(schedule)
    assert alphabet and edges and keys


@given(with_calls())
def test_structure_is_kept_as_the_grid_says(schedule: Schedule) -> None:
    passes_the_grid(schedule)


def test_the_equation_of_the_grid_fails_where_votes_are_free() -> None:
    found = seek(with_calls(voting=("free",), **CALLS), lambda schedule: not list(passed(schedule))[3])
    assert Concrete(found).holds(N1) != ("P2" in on_row(found))


# -- more --------------------------------------------------------------------------------------------------------------
LAWS: dict[str, tuple[SearchStrategy[Schedule], Callable[[Schedule], None]]] = {
    "graph": (with_calls(), keeps_edges),
    "facts": (with_calls(), transfers_on_facts),
    "H1": (with_calls(voting=("row", "first"), **DENSE), transfers_under_h1),
    "H1, phantoms": (with_calls(voting=("row", "first"), ops="jjjrwppiidc"), transfers_under_h1),
    "own": (with_calls(voting=("first",), ops="jjjrrwwpidca"), transfers_from_own_rows),
    "n1": (with_calls(voting=("free",), **{**CALLS, "keys": "RS", "txns": 5, "events": 16}), equation_is_repaired),
    "return": (with_calls(voting=("row",), **{**CALLS, "keys": "RS", "txns": 5, "events": 16}), nothing_under_return),
    "unfinished": (with_calls(complete=False), transfers_on_facts),
    "keys": (with_calls(), counts_calls),
    "grid": (with_calls(events=24), passes_the_grid),
}


@pytest.mark.heavy
@pytest.mark.parametrize("name", LAWS)
def test_many(name: str) -> None:
    strategy, law = LAWS[name]
    NIGHTLY(given(strategy)(law))()
