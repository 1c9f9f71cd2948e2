"""The session levels of black-box histories against every commit order, against the formulas over schedules, and
against the verdicts of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from history_cases import random_case, small_cases
from history_evidence import objections
from history_oracle import LEVELS, Case, Txn, history_of, holds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toki_verify.events import Schedule, Write
from toki_verify.histories.columns import ABORTED, COMMITTED, UNKNOWN
from toki_verify.histories.from_schedule import history_of as history_of_schedule
from toki_verify.histories.sessions import choices, polygraph, prepared, saturate, strong, verdict, weak
from toki_verify.histories.sessions.choices import Search
from toki_verify.histories.sessions.edges import Block, session_block
from toki_verify.histories.sessions.evidence import check_order
from toki_verify.histories.sessions.graph import adjacency, topological
from toki_verify.histories.sessions.kernels import forced_rc
from toki_verify.histories.sessions.prepared import prepare
from toki_verify.histories.sessions.verdict import decide
from toki_verify.levels import families
from toki_verify.relations.concrete import Concrete
from toki_verify.search.census import Alphabet, census

KINDS: dict[str, dict[str, Any]] = {
    "registers": {},
    "updates": {"blind": 0.1},
    "blind writes": {"blind": 1, "keys": 3},
    "one key": {"keys": 1},
    "outcomes": {"outcomes": True},
    "known orders": {"orders": True},
    "orders known in part": {"orders": True, "outcomes": True},
    "lists": {"orders": True, "append": True},
    "lists with outcomes": {"orders": True, "append": True, "outcomes": True},
    "real time": {"timed": True},
    "lists in real time": {"orders": True, "append": True, "timed": True, "blind": 0.9},
}


def agree(case: Case) -> tuple[bool, ...]:
    """Decider and oracle say the same of all levels, and every answer is shown; the answers."""
    history = history_of(case)
    found = decide(history, realtime=case.timed)
    answers = tuple(holds(case, level, realtime=case.timed) for level in LEVELS)
    for level, wanted in zip(LEVELS, answers, strict=True):
        outcome = found[level]
        assert outcome.holds is wanted, f"{level}: {case}\n{outcome.reason}"
        if wanted:
            order = found.order(level)
            assert order is not None
            assert check_order(history, level, order, realtime=case.timed) == (), f"{level}: {case}"
        else:
            assert found.order(level) is None and outcome.reason
            if not found.prepared.refuted:
                assert objections(history, outcome, case.timed) == [], f"{level}: {case}\n{outcome.reason}"
    return answers


@pytest.mark.parametrize(
    "operations, step",
    [(3, 3), (4, 23), pytest.param(4, 1, marks=pytest.mark.heavy), pytest.param(5, 5, marks=pytest.mark.heavy)],
)
def test_small_histories_have_the_levels_that_some_commit_order_shows(operations: int, step: int) -> None:
    seen = Counter(agree(case) for case in islice(small_cases(operations), 0, None, step))
    assert len(seen) >= (3 if operations == 3 else 4)


@pytest.mark.parametrize("kind", KINDS)
def test_random_histories_have_the_levels_that_some_commit_order_shows(kind: str) -> None:
    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**32))
    def agrees(seed: int) -> None:
        agree(random_case(Random(seed), **KINDS[kind]))

    agrees()


@pytest.mark.parametrize("asked", [("RC",), ("RA", "RC"), ("RC", "RA", "CC"), ("CC",), ("CC", "SER"), ("PSI",)])
def test_levels_are_the_same_whatever_else_is_asked(asked: tuple[str, ...]) -> None:
    rng = Random(str(asked))
    seen = set()
    for number in range(150):
        case = random_case(rng, **list(KINDS.values())[number % len(KINDS)])
        history = history_of(case)
        found = decide(history, levels=asked, realtime=case.timed)
        for level in asked:
            wanted = holds(case, level, realtime=case.timed)
            assert found[level].holds is wanted, f"{level}: {case}"
            seen.add((level, wanted))
            order = found.order(level)
            if order is not None:
                assert check_order(history, level, order, realtime=case.timed) == (), f"{level}: {case}"
            assert (order is not None) is wanted
    assert len(seen) == 2 * len(asked)


def no_run(*arguments: Any) -> Any:
    """No serial order is found by running."""
    return np.zeros(0, np.int32)


@pytest.mark.parametrize("way", ["inferences", "pruning", "search"])
@pytest.mark.parametrize("count", [200, pytest.param(5000, marks=pytest.mark.heavy)])
def test_each_way_to_decide_a_level_is_right_alone(count: int, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saturate, "serial_order", no_run)
    if way == "search":
        monkeypatch.setattr(choices, "_PRUNED", 0)
    rng = Random(way)
    seen = set()
    for number in range(count):
        case = random_case(rng, **(list(KINDS.values())[number % len(KINDS)] | {"blind": 0.9}))
        found = prepare(history_of(case))
        start = weak.base(found, realtime=case.timed)
        if found.refuted:
            continue
        for low in weak.WEAK:
            order = weak.decide_weak(start, low).order
            assert (order is not None) is holds(case, low, realtime=case.timed), f"{low}: {case}"
            if order is not None:
                assert check_order(found.history, low, found.txn[order].tolist(), realtime=case.timed) == ()
        if order is None:
            continue
        rows = weak.forced(start, "CC")
        for level in polygraph.STRONG:
            answer = strong.decide_strong(start, level, rows, infer=way == "inferences")
            wanted = holds(case, level, realtime=case.timed)
            seen.add((level, wanted))
            assert answer.holds is wanted, f"{level}: {case}"
            if wanted:
                assert answer.order is not None
                shown = found.txn[answer.order].tolist()
                assert check_order(found.history, level, shown, realtime=case.timed) == (), f"{level}: {case}"
    assert len(seen) == 8


@pytest.mark.parametrize("count", [60, pytest.param(2000, marks=pytest.mark.heavy)])
def test_on_larger_histories_inferences_and_pruning_say_the_same(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(count)
    real = getattr(saturate, "serial_order")  # noqa: B009
    for number in range(count):
        size: dict[str, Any] = {"transactions": rng.choice([10, 20, 40]), "keys": 3, "blind": rng.choice([0.2, 0.9, 1])}
        case = random_case(rng, **size, timed=number % 3 == 0, orders=number % 4 == 0)
        found = prepare(history_of(case))
        start = weak.base(found, realtime=case.timed)
        if found.refuted or weak.decide_weak(start, "CC").order is None:
            continue
        monkeypatch.setattr(saturate, "serial_order", real if number % 2 else no_run)
        rows = weak.forced(start, "CC")
        for level in polygraph.STRONG:
            one, other = (strong.decide_strong(start, level, rows, infer=infer) for infer in (True, False))
            assert one.holds is other.holds is not None, f"{level}: {case}"
            for decision in (one, other):
                if decision.order is not None:
                    order = found.txn[decision.order].tolist()
                    assert check_order(found.history, level, order, realtime=case.timed) == (), f"{level}: {case}"


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_histories_have_the_levels_that_some_commit_order_shows(kind: str) -> None:
    rng = Random(kind)
    seen = Counter(agree(random_case(rng, **KINDS[kind])) for _ in range(4000))
    assert len(seen) >= 4


def test_the_random_histories_separate_the_levels() -> None:
    rng = Random(7)
    seen = {agree(random_case(rng, blind=0.5)) for _ in range(400)}
    apart = {(one, other) for row in seen for one, a in zip(LEVELS, row, strict=True)
             for other, b in zip(LEVELS, row, strict=True) if a and not b}  # fmt: skip
    under = {("RA", "RC"), ("PC", "PSI"), ("PSI", "PC"), ("PC", "SI"), ("PSI", "SI"), ("SI", "SER"), ("CC", "PC")}
    assert {("RC", "RA"), ("RA", "CC")} | (under - {("RA", "RC")}) <= apart


@pytest.mark.parametrize("count", [40, pytest.param(1500, marks=pytest.mark.heavy)])
def test_histories_of_eight_transactions_have_the_levels_that_some_commit_order_shows(count: int) -> None:
    rng = Random(11)
    seen = Counter(agree(random_case(rng, transactions=8, keys=rng.choice([1, 2, 3]), blind=0.8)) for _ in range(count))
    assert len(seen) >= 2


def complete(size: int) -> Iterator[Schedule]:
    """Small schedules whose transactions all end, each without sessions, and with two of its transactions in one."""
    for schedule in census(size, Alphabet(aborts=size < 6), complete=True, orders=size < 6):
        yield schedule
        txns = schedule.resolved.txns
        for pair in (txns[:2], txns[:2][::-1], txns[-2:]) if len(txns) > 1 else ():
            yield Schedule(schedule.events, order=schedule.order, sessions={"s": tuple(pair)})


@pytest.mark.parametrize("size, step", [(5, 17), pytest.param(6, 23, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("model", ["register", "append"])
def test_where_the_version_order_is_known_the_levels_are_those_of_the_schedule(
    size: int, step: int, model: Any
) -> None:
    levels = families()["session"].levels
    seen = set()
    for schedule in islice(complete(size), 0, None, step):
        try:
            history = history_of_schedule(schedule, model)
        except ValueError:  # A list cannot show a version that is in no order.
            continue
        if model == "append" and own_overwritten(schedule):
            continue
        found, concrete = decide(history), Concrete(schedule)
        for level in levels:
            wanted = concrete.holds(level.formula)
            seen.add((level.id, wanted))
            assert found[level.id].holds is wanted, f"{level.id}: {schedule} {dict(schedule.sessions)}"
    assert len(seen) == 14 or model == "append"


def own_overwritten(schedule: Schedule) -> bool:
    """Whether a transaction writes an item twice: the first of the versions is in no order, and in every list."""
    writes = [(event.txn, event.item) for event in schedule.events if isinstance(event, Write)]
    return len(writes) > len(set(writes))


# -- mutants: each forgets one thing, and some case shows it


def _nothing(real: Any) -> Callable[..., Any]:
    return lambda *arguments: real(*arguments)[:0]


def _no_sessions(real: Any) -> Callable[..., Any]:
    return lambda prepared: Block("so", np.zeros(0, np.int32), np.zeros(0, np.int32), lambda _: (-1, ()))


def _always_overwriting(real: Any) -> Callable[..., Any]:
    return lambda prepared, found, *, overwriting: real(prepared, found, overwriting=True)


def _never_lost(real: Any) -> Callable[..., Any]:
    return lambda prepared, found, *, overwriting: replace(real(prepared, found, overwriting=overwriting), lost=None)


def _no_anti(real: Any) -> Callable[..., Any]:
    return lambda prepared, reader, reads, writes, *, chosen=False: real(
        prepared, reader, reads[:0], writes[:0], chosen=chosen
    )


def _careless_run(real: Any) -> Callable[..., Any]:
    """Runs along the known edges only, whoever still has to read."""

    def run(prepared: Any, found: Any, size: int, source: Any, target: Any) -> Any:
        first, targets, _ = adjacency(size, source, target)
        order, _ = topological(first, targets)
        return order[order < prepared.size]

    return run


def _unknown_is_aborted(real: Any) -> Callable[..., Any]:
    return lambda history: real(
        replace(history, outcome=np.where(history.outcome == UNKNOWN, ABORTED, history.outcome).astype(np.int8))
    )


#: What is forgotten, where it is, and how the broken version is made of the real one.
MUTANTS: dict[str, tuple[Any, str, Callable[[Any], Any]]] = {
    "RC forces nothing": (weak, "forced_rc", _nothing),
    "RA forces nothing": (weak, "forced_ra", _nothing),
    "CC forces nothing": (weak, "forced_cc", _nothing),
    "RA forces what RC does": (weak, "forced_ra", lambda real: lambda *arguments: forced_rc(*arguments[:6])),
    "no session order": (weak, "session_block", _no_sessions),
    "the initial versions may come late": (weak, "initial_block", lambda real: lambda p, rows: session_block(p)),
    "no known version orders": (weak, "_known", lambda real: lambda prepared: ()),
    "no update is lost at PC": (polygraph, "segments", _always_overwriting),
    "updates may be lost": (polygraph, "segments", _never_lost),
    "no rw": (polygraph, "anti_block", _no_anti),
    "SI is SER": (polygraph, "_LAYERS", lambda real: {"PC": real["PC"]}),
    "PC is SI": (polygraph, "_LAYERS", lambda real: {"SI": real["SI"], "PC": real["SI"]}),
    "a serial run overwrites what is still read": (saturate, "serial_order", _careless_run),
    "PSI looks at no rw": (Search, "_anti_cycles", lambda real: lambda *arguments: []),
    "unknown transactions never count": (verdict, "prepare", _unknown_is_aborted),
    "lists say nothing of what they begin with": (
        prepared,
        "_steps",
        lambda real: lambda *a: np.zeros((2, 0), np.int64),
    ),
    "appends may be shown in any order": (prepared, "_own_order", lambda real: lambda *arguments: None),
    "what shows CC shows all": (
        verdict._Judge,
        "_settle",
        lambda real: lambda self, _, order: real(self, LEVELS, order),
    ),
    "no pair of versions is open": (strong, "undecided", lambda real: lambda *_: (np.zeros(0, int), np.zeros(0, int))),
}


#: Where a mutant shows soonest, if not anywhere.
SHOWN_BY: dict[str, dict[str, Any]] = {
    "no pair of versions is open": {"blind": 0.9, "transactions": 7, "operations": 3},
    "lists say nothing of what they begin with": KINDS["lists"],
    "appends may be shown in any order": KINDS["lists"],
    "a serial run overwrites what is still read": {"blind": 1, "transactions": 6},
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, attribute, broken = MUTANTS[name]
    monkeypatch.setattr(module, attribute, broken(getattr(module, attribute)))
    rng = Random(3)
    for number in range(4000):
        case = random_case(rng, **SHOWN_BY.get(name, list(KINDS.values())[number % len(KINDS)]))
        try:
            found = decide(history_of(case), realtime=case.timed)
        except (AssertionError, IndexError, ValueError):
            return
        if any(found[level].holds is not holds(case, level, realtime=case.timed) for level in LEVELS):
            return
    pytest.fail(f"nothing showed that {name}")


def test_a_wrong_order_is_not_evidence() -> None:
    """No order that the deciders gave for one level is accepted for a level that does not hold."""
    rng = Random(5)
    tried = 0
    for number in range(300):
        case = random_case(rng, **list(KINDS.values())[number % len(KINDS)])
        history = history_of(case)
        found = decide(history, realtime=case.timed)
        orders = [order for level in LEVELS if (order := found.order(level)) is not None]
        orders.append([t for t, txn in enumerate(case.txns) if txn.outcome == COMMITTED])
        for level in LEVELS:
            for order in orders if found[level].holds is False else ():
                tried += 1
                assert check_order(history, level, order, realtime=case.timed), f"{level}: {order} {case}"
    assert tried > 200


def test_a_long_fork_is_psi_only() -> None:
    reads = [Txn((("r", "x", 1), ("r", "y", 0))), Txn((("r", "y", 2), ("r", "x", 0)))]
    case = Case((Txn((("w", "x", 1),)), Txn((("w", "y", 2),)), *reads))
    assert agree(case) == (True, True, True, False, True, False, False)


def test_a_serial_order_is_found_where_there_is_one_step_after_the_other() -> None:
    history = history_of(Case(tuple(Txn((("r", "x", t), ("w", "x", t + 1)), t % 3) for t in range(50))))
    start = weak.base(prepare(history))
    order = strong.decide_strong(start, "SER", weak.forced(start, "CC")).order
    assert order is not None and order.tolist() == list(range(50))
