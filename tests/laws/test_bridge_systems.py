"""Claims of the bridge about systems, beyond their bounds: logging disciplines, partitions, policies, configurations.

As in `test_bridge_claims`, every law has a neighbour that is false, of which Hypothesis finds a counterexample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

pytest.importorskip("z3")

from tests.laws.bridge_strategies import PARTITIONS, Walk, partitioned, walks, with_calls
from toki_verify.bridge.disciplines import Discipline, disciplines
from toki_verify.bridge.log_invariants import argument
from toki_verify.bridge.log_levels import CHAIN, height
from toki_verify.bridge.log_search import shown
from toki_verify.bridge.protocol import Bound, Protocol, State
from toki_verify.claims.belief_drift import FINAL, at_level
from toki_verify.claims.belief_programs import FOLDS, Scenario, maintainers, rows
from toki_verify.claims.judge_log import OTHERWISE, REPAIRED
from toki_verify.claims.partition_pins import PINNED, SPEC
from toki_verify.claims.prompt_sensitivity import achieved_literally, achieved_repaired, bounded, image, reachable
from toki_verify.claims.serial_oracle import PARTITION, PIN
from toki_verify.claims.weakenings import RULE_PIN
from toki_verify.claims.wire_models import (
    COMPOSITES,
    Table,
    always_def,
    def_everywhere,
    depends,
    every_verdict,
    every_verdict_and_state,
)
from toki_verify.events import Commit, Event, Item, Predicate, PredicateRead, Read, Schedule, Write, WriteKind
from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Region, Within
from toki_verify.search.strategies import interleavings, programs

FIRST = settings(
    max_examples=5_000,
    database=None,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
NIGHTLY = settings(max_examples=2_000, deadline=None, suppress_health_check=list(HealthCheck))
T = TypeVar("T")


def seek(strategy: SearchStrategy[T], wanted: Callable[[T], bool]) -> T:
    """Something that is wanted. Raises NoSuchExample."""
    return find(strategy, wanted, settings=FIRST)


def at(schedule: Schedule, spec: str) -> bool:
    return Concrete(schedule).holds(parse_spec(spec).formula)


def shows(schedule: Schedule, name: str, region: Region | None = None) -> bool:
    formula = phenomenon(name).formula
    return Concrete(schedule).holds(formula if region is None else Within(formula, region))


# -- C2.n1 -------------------------------------------------------------------------------------------------------------
#: Beyond the bound of the table (two operators, two calls each, one crash).
BEYOND = {"across": Bound(3, 3, 2, 1, 1), "within": Bound(1, 5, 2, 0, 2)}


def level_of(found: Discipline) -> str:
    """From which level on an invariant excludes N1; "": there is none."""
    reason = argument(found)
    return "" if reason is None else reason.level


ARGUED = [found for found in disciplines() if level_of(found)]


def walking(found: Discipline, protocol: type[Protocol] = Protocol) -> SearchStrategy[Walk]:
    return walks(found, BEYOND[found.recurs], protocol=protocol)


def texts(walk: Walk) -> list[Schedule]:
    """The history, and where it stands at two thirds."""
    return [Schedule.parse(text) for text in (walk.events[-1], walk.events[2 * len(walk.events) // 3]) if text]


def consistent(walk: Walk) -> None:
    """The repaired discipline: no N1 at any level, of uncommitted calls neither; by the definitions, too."""
    assert [state for state in walk.states if any(shown(state))] == []
    assert not any(shows(schedule, name) for schedule in texts(walk) for name in ("N1", "N1[observed]"))


@given(walking(REPAIRED))
def test_the_repaired_discipline_shows_n1_at_no_level(walk: Walk) -> None:
    consistent(walk)


def argued() -> SearchStrategy[tuple[Discipline, Walk]]:
    return st.sampled_from(ARGUED).flatmap(lambda found: st.tuples(st.just(found), walking(found)))


def obeys_its_argument(given_: tuple[Discipline, Walk]) -> None:
    """From the level of its invariant on a discipline shows no N1; and no N1[observed] where the invariant says so."""
    found, walk = given_
    reason = argument(found)
    assert reason is not None
    for state in walk.states:
        n1, observed = shown(state)
        if n1 or (observed and reason.observed):
            assert height(state) < CHAIN.index(reason.level), walk.events[-1]


@given(argued())
def test_a_discipline_with_an_invariant_shows_no_n1_from_its_level_on(found: tuple[Discipline, Walk]) -> None:
    obeys_its_argument(found)


@pytest.mark.parametrize("words", OTHERWISE)
def test_without_one_of_its_choices_the_discipline_shows_n1(words: str) -> None:
    other = replace(REPAIRED, **OTHERWISE[words])
    # In the operator's transaction only a call that is rolled back is another one, or one of a dirty row.
    place = int(other.place == "operator")
    walk = seek(walking(other), lambda walk: any(shown(state)[place] for state in walk.states))
    assert any(shows(Schedule.parse(text), ("N1", "N1[observed]")[place]) for text in walk.events if text)


class ForgetsTheKey(Protocol):
    """An engine that lets a second row in."""

    def found(self, state: State, txn: str) -> list[int]:
        return []

    def waits(self, state: State, txn: str) -> bool:
        return False


def test_an_engine_without_the_key_is_noticed() -> None:
    walk = seek(walking(REPAIRED, ForgetsTheKey), lambda walk: any(shown(state)[0] for state in walk.states))
    with pytest.raises(AssertionError):
        consistent(walk)


@pytest.mark.parametrize("level", ["RC", "SI", "SR"])
def test_below_its_level_an_invariant_says_nothing(level: str) -> None:
    """So the level is needed: N1 one step below, for some discipline."""
    below = CHAIN.index(level) - 1
    found = [each for each in ARGUED if each.recurs == "across" and level_of(each) == level]
    strategy = st.sampled_from(found).flatmap(walking)
    walk = seek(strategy, lambda walk: any(shown(state)[0] and height(state) == below for state in walk.states))
    assert any(shows(schedule, "N1") for schedule in map(Schedule.parse, walk.events[1:]))


# -- C1.n2 -------------------------------------------------------------------------------------------------------------
INSIDE = Region(partition=(PARTITION.subject, PARTITION.predicate))


def in_partitions(stores: tuple[str, ...]) -> SearchStrategy[Schedule]:
    """Programs of up to four transactions in a store, their items in partitions."""
    made = interleavings(programs(min_txns=2, max_txns=4, max_ops=3, max_items=3), store=st.sampled_from(stores))
    numbers = st.lists(st.integers(0, len(PARTITIONS) - 1), min_size=3, max_size=3)
    return st.builds(lambda schedule, chosen: partitioned(schedule.events, chosen), made, numbers)


STORED = in_partitions(("free", "stale", "snapshot", "locking"))


def keeps_partitions(schedule: Schedule) -> None:
    concrete = Concrete(schedule)
    for statement, one, other in PINNED.values():
        assert not (concrete.holds(one) and concrete.holds(other)), statement
    assert not (at(schedule, "SR") and shows(schedule, "N2"))
    if at(schedule, PIN):
        assert not shows(schedule, "N2", INSIDE)


@given(st.one_of(STORED, with_calls(ops="rrrwwpidc", items=3)))
def test_pins_exclude_belief_drift_in_their_partition(schedule: Schedule) -> None:
    keeps_partitions(schedule)


def test_snapshots_show_belief_drift() -> None:
    found = seek(in_partitions(("snapshot",)), lambda schedule: shows(schedule, "N2"))
    assert at(found, "SI") and not at(found, "SR")


def test_a_pin_leaves_other_partitions() -> None:
    found = seek(in_partitions(("snapshot",)), lambda schedule: shows(schedule, "N2") and at(schedule, SPEC))
    assert not shows(found, "N2", INSIDE)


def test_rows_at_sr_show_drift_of_the_partition_as_one_item() -> None:
    found = seek(in_partitions(("stale",)), lambda schedule: shows(schedule, "N2[lifted]") and at(schedule, "SR"))
    assert not shows(found, "N2")


@st.composite
def _revisions(draw: DrawFn, cache: str = "on change") -> Scenario:
    """Two revisions of a partition of three or four rows, confidences beyond those that are swept."""
    given_ = tuple(draw(st.lists(st.integers(0, 9), min_size=3, max_size=4)))
    chosen = draw(st.permutations(rows(len(given_))))[:2]
    revised = tuple((row, draw(st.integers(0, 9))) for row in chosen)
    return maintainers(given_, draw(st.sampled_from(list(FOLDS.values()))), revised, cache)


def keeps_the_invariant(scenario: Scenario) -> None:
    for level in ("SR", PIN):
        assert at_level(scenario, FINAL, level).violation is None, level


@settings(max_examples=max(10, settings().max_examples // 10))
@given(_revisions())
def test_repaired_revisions_keep_the_invariant_at_sr(scenario: Scenario) -> None:
    keeps_the_invariant(scenario)


def test_repaired_revisions_break_it_at_si() -> None:
    assert seek(_revisions(), lambda scenario: bool(at_level(scenario, FINAL, "SI").anomaly))


# -- W.RULE-SI ---------------------------------------------------------------------------------------------------------
ACTIVE = Predicate("policy", "active")
X, Y = Item("facts", "x"), Item("facts", "y")


@st.composite
def _policies(draw: DrawFn, third: bool, store: str) -> Schedule:
    """T1 reads the policies and applies them, T2 issues one and reads nothing, T3 only reads."""
    look = PredicateRead("1", ACTIVE)
    one: list[Event] = [look, *draw(st.lists(st.sampled_from((Read("1", X), look)), max_size=2))]
    one.append(Write("1", draw(st.sampled_from((X, Y))), operator="rule"))
    issue = Write("2", Item("policy", "m"), kind=WriteKind.INSERT, predicates=(ACTIVE.name,))
    writes = [Write("2", item) for item in draw(st.lists(st.sampled_from((X, Y)), max_size=2, unique=True))]
    two: list[Event] = list(draw(st.permutations([issue, *writes])))
    looks = (Read("3", X), Read("3", Y), PredicateRead("3", ACTIVE))
    three: list[Event] = list(draw(st.lists(st.sampled_from(looks), min_size=1, max_size=3, unique=True)))
    made = [(*events, Commit(events[0].txn)) for events in (one, two, *([three] if third else []))]
    return draw(interleavings(st.just(made), store=store))


POLICY = Region(table="policy")
HISTORIES = st.sampled_from((True, False)).flatmap(
    lambda third: st.sampled_from(("free", "stale", "snapshot")).flatmap(lambda store: _policies(third, store))
)


def policies_are_kept(schedule: Schedule) -> None:
    if shows(schedule, "P3"):
        assert not at(schedule, "SR")
        assert len(schedule.resolved.txns) > 2 or not at(schedule, "SI"), "a bare phantom of two transactions"
    if at(schedule, RULE_PIN):
        assert not shows(schedule, "P3", POLICY)


@given(HISTORIES)
def test_pins_and_snapshots_and_the_bare_phantom(schedule: Schedule) -> None:
    policies_are_kept(schedule)


def test_a_third_that_only_reads_makes_a_phantom_at_si_that_the_pin_leaves() -> None:
    found = seek(_policies(True, "stale"), lambda schedule: shows(schedule, "P3") and at(schedule, "SI"))
    assert len(found.resolved.txns) == 3
    assert seek(_policies(True, "stale"), lambda schedule: shows(schedule, "P3") and at(schedule, RULE_PIN))


def test_the_broad_phantom_is_at_si_and_at_sr() -> None:
    found = seek(_policies(False, "snapshot"), lambda schedule: shows(schedule, "P3[broad]") and at(schedule, "SR"))
    assert at(found, "SI") and at(found, RULE_PIN) and not shows(found, "P3")


# -- L4 and Proposition 4 ----------------------------------------------------------------------------------------------
STATES = 4


@st.composite
def _operator(draw: DrawFn, verdict_varies: bool, state_varies: bool) -> Table:
    """An operator over four states, whose verdict or state may vary with the configuration."""
    entries: list[tuple[int, int]] = []
    for _ in range(STATES):
        one, other = ((draw(st.integers(0, STATES - 1)), draw(st.integers(0, 1))) for _ in range(2))
        entries += [one, (other[0] if state_varies else one[0], other[1] if verdict_varies else one[1])]
    return tuple(entries)


def _chains(verdict_varies: bool, state_varies: bool) -> SearchStrategy[tuple[Table, ...]]:
    return st.lists(_operator(verdict_varies, state_varies), min_size=2, max_size=7).map(tuple)


def composes(chain: tuple[Table, ...]) -> None:
    assert all(map(every_verdict_and_state, chain))
    assert not any(depends(chain, composite) for composite in COMPOSITES)


@given(_chains(False, False))
def test_operators_that_store_alike_compose(chain: tuple[Table, ...]) -> None:
    composes(chain)


@pytest.mark.parametrize("composite", COMPOSITES)
def test_operators_that_vote_alike_do_not(composite: str) -> None:
    """L4.read, literally."""
    chain = seek(_chains(False, True), lambda chain: depends(chain, composite))
    assert all(map(every_verdict, chain)) and not all(map(every_verdict_and_state, chain))


@given(_chains(False, True))
def test_operators_that_are_def_from_every_state_stay_def(chain: tuple[Table, ...]) -> None:
    quiet = tuple(tuple((after, 0) for after, _ in table) for table in chain)
    assert all(map(def_everywhere, quiet)) and not any(depends(quiet, composite) for composite in COMPOSITES)


def test_operators_that_are_def_alone_may_depend_together_or_not() -> None:
    """L4.write: both happen, and a dependent operator may be masked."""
    chains = _chains(True, True).filter(lambda chain: all(map(always_def, chain[:2])))
    assert seek(chains, lambda chain: depends(chain[:2], "last"))
    assert seek(chains, lambda chain: not depends(chain[:2], "last"))
    assert seek(_chains(True, True), lambda chain: not every_verdict(chain[0]) and not depends(chain, "last"))


_VOTES = st.lists(st.integers(0, 1), max_size=60).map(tuple)


@given(_VOTES)
def test_images_of_prompt_families_are_bounded(votes: tuple[int, ...]) -> None:
    size, found = len(votes), image(votes)
    assert bounded(size, found) and achieved_repaired(size, found)
    assert (min(size, 2), found) in reachable()


def test_one_prompt_achieves_the_bound_with_one_vote() -> None:
    """Proposition 4, literally; and the bound itself with three votes."""
    small = settings(FIRST, phases=[Phase.generate, Phase.shrink])
    assert find(_VOTES.filter(bool), lambda v: not achieved_literally(len(v), image(v)), settings=small) == (0,)
    three = st.lists(st.integers(0, 2)).map(tuple)
    assert len(find(three, lambda votes: not bounded(len(votes), image(votes)), settings=small)) == 3


# -- more --------------------------------------------------------------------------------------------------------------
@pytest.mark.heavy
def test_many() -> None:
    for strategy, law in (
        (walking(REPAIRED), consistent),
        (argued(), obeys_its_argument),
        (STORED, keeps_partitions),
        (HISTORIES, policies_are_kept),
        (_chains(False, False), composes),
    ):
        NIGHTLY(given(strategy)(law))()
    settings(NIGHTLY, max_examples=150)(given(_revisions())(keeps_the_invariant))()
