"""Levels with a version order from timestamps or from a file, and timestamps as evidence for SI: against brute force,
and mutants of both."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from history_cases import random_case
from history_oracle import LEVELS, Case, Txn, history_of, holds
from orders_oracle import Orders, behind_lists, finals, holds_with, of_times, shows_si

from toki_verify.histories import orders, orders_stated
from toki_verify.histories.builder import assemble, committed
from toki_verify.histories.columns import COMMITTED, UNKNOWN, History
from toki_verify.histories.orders import by_timestamps
from toki_verify.histories.orders_evidence import times_of
from toki_verify.histories.orders_stated import by_statement
from toki_verify.histories.sessions import evidence_times
from toki_verify.histories.sessions.evidence import check_order
from toki_verify.histories.sessions.evidence_times import check_times
from toki_verify.histories.sessions.verdict import decide

KINDS: dict[str, dict[str, Any]] = {
    "registers": {"transactions": 4},
    "blind writes": {"blind": 1, "keys": 2, "transactions": 4},
    "outcomes": {"outcomes": True, "transactions": 4},
    "lists": {"orders": True, "append": True, "transactions": 4, "blind": 0.9},
    "lists with outcomes": {"orders": True, "append": True, "outcomes": True, "transactions": 4, "blind": 0.9},
}


def timed(rng: Random, case: Case) -> Case:
    """The case with an end for each committed transaction, all of them different: in its order, nearly, or in any."""
    ends = list(range(10, 10 + len(case.txns)))
    how = rng.random()
    if how < 0.3:
        rng.shuffle(ends)
    elif how < 0.7:
        at = rng.randrange(len(ends) - 1)
        ends[at : at + 2] = ends[at : at + 2][::-1]
    txns = [
        replace(txn, begun=rng.randrange(end), ended=end if txn.outcome == COMMITTED else -1)
        for txn, end in zip(case.txns, ends, strict=True)
    ]
    return replace(case, txns=tuple(txns), timed=True)


def agree(case: Case, history: History, given: Orders) -> tuple[bool, ...]:
    """Decider and oracle say the same of all levels, and each *yes* is shown by an order; the answers."""
    found = decide(history)
    answers = tuple(holds_with(case, level, given) for level in LEVELS)
    for level, wanted in zip(LEVELS, answers, strict=True):
        outcome = found[level]
        assert outcome.holds is wanted, f"{level}: {case} {given}\n{outcome.reason}"
        order = found.order(level)
        assert (order is not None) is wanted
        if order is not None:
            assert check_order(history, level, order) == (), f"{level}: {case}"
    return answers


def with_times(rng: Random, kind: str) -> tuple[Case, History]:
    case = timed(rng, random_case(rng, **KINDS[kind]))
    history, problems = by_timestamps(history_of(case))
    assert problems == [] and history is not None and history.version_order == "timestamps"
    return case, history


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kind", KINDS)
def test_levels_with_the_order_of_timestamps_are_those_that_some_commit_order_with_it_shows(
    kind: str, count: int
) -> None:
    rng = Random(kind)
    seen: Counter[tuple[bool, ...]] = Counter()
    for _ in range(count):
        case, history = with_times(rng, kind)
        seen[agree(case, history, of_times(case))] += 1
    assert len(seen) > 3


def stated(rng: Random, case: Case) -> tuple[Case, Orders]:
    """An order of each key, of the committed and some of the unknown transactions, which then are committed."""
    shown = {(key, value) for key, values in case.orders for value in values}
    txns = []
    for t, txn in enumerate(case.txns):
        made = {(key, value) for key, values in finals(case, t).items() for value in values}
        # What a list shows has to be stated, and so has the rest of its transaction.
        open_ = txn.outcome == UNKNOWN and (rng.random() < 0.5 or (case.append and shown & made))
        txns += [t] if made and (txn.outcome == COMMITTED or open_) else []
    if rng.random() < 0.5:
        rng.shuffle(txns)
    orders_: Orders = {key: list(values) for key, values in case.orders} if case.append else {}
    for t in txns:
        for key, values in finals(case, t).items():
            orders_[key] = orders_.get(key, []) + [v for v in values if v not in orders_.get(key, [])]
    changed = [replace(txn, outcome=COMMITTED) if t in txns else txn for t, txn in enumerate(case.txns)]
    return replace(case, txns=tuple(changed)), orders_


def text_of(rng: Random, given: Orders) -> bytes:
    """A file that states the orders, in one of its forms."""
    values: dict[str, list[int | None]] = {key: list(order) for key, order in given.items()}
    if rng.random() < 0.3:
        values = {key: [None, *order] for key, order in values.items()}
    if rng.random() < 0.5:
        return json.dumps(values, indent=rng.choice([None, 1])).encode()
    lines = [{"key": key, "order": order} if rng.random() < 0.7 else {key: order} for key, order in values.items()]
    return "\n".join(json.dumps(line) for line in lines).encode()


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kind", KINDS)
def test_levels_with_a_stated_order_are_those_that_some_commit_order_with_it_shows(kind: str, count: int) -> None:
    rng = Random(kind)
    seen: Counter[tuple[bool, ...]] = Counter()
    for _ in range(count):
        case = random_case(rng, **KINDS[kind])
        then, given = stated(rng, case)
        if not given:
            continue
        history, problems = by_statement(history_of(case), text_of(rng, given), "orders.json")
        assert history is not None and problems == [], f"{problems} {case} {given}"
        assert history.version_order == "stated"
        seen[agree(then, history, behind_lists(then, given))] += 1
    assert len(seen) > 3


def test_a_given_order_refutes_more_and_shows_no_more() -> None:
    """What holds with an order holds with some order."""
    rng = Random(1)
    fewer = 0
    for _ in range(80):
        case, history = with_times(rng, "blind writes")
        found, some = decide(history), decide(history_of(case))
        for level in LEVELS:
            assert some[level].holds or not found[level].holds
            fewer += bool(some[level].holds and not found[level].holds)
    assert fewer > 20


def test_two_writers_at_one_time_are_refused_or_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(3)
    refused = 0
    for number in range(60):
        case = timed(rng, random_case(rng, **KINDS[["blind writes", "lists"][number % 2]]))
        txns = [replace(txn, ended=txn.ended // 2) for txn in case.txns]
        case = replace(case, txns=tuple(txns))
        shown = {(key, value) for key, values in case.orders for value in values} if case.append else set()
        tied: Orders = {}
        for a, b in combinations(range(len(txns)), 2):
            for key, made in finals(case, a).items() if txns[a].ended == txns[b].ended >= 0 else ():
                both = [v for v in (*made, *finals(case, b).get(key, ())) if (key, v) not in shown]
                if len({v in made for v in both}) == 2:
                    tied[key] = [*tied.get(key, []), *both]
        history, problems = by_timestamps(history_of(case))
        assert (history is None) is bool(problems) is bool(tied), case
        history, problems = by_timestamps(history_of(case), skip_bad=True)
        assert history is not None and problems == []
        given = {key: [v for v in values if v not in tied.get(key, [])] for key, values in of_times(case).items()}
        if case.append:  # Behind an element that may stand anywhere nothing has a place.
            given = {key: list(dict(case.orders).get(key, ())) if key in tied else given[key] for key in given}
        agree(case, history, given)
        refused += bool(tied)
    assert refused > 20
    monkeypatch.setattr(orders, "_tied", lambda history, txn, placed: np.zeros(len(placed), bool))
    twice = Case(tuple(Txn((("w", "x", value),), ended=5) for value in (1, 2)), timed=True)
    assert by_timestamps(history_of(twice))[0] is not None


# -- timestamps as evidence
def drawn_times(rng: Random, case: Case) -> tuple[list[int], list[int]]:
    """Times that may show SI: the place of each transaction, its start some places before, at times with ties."""
    step = rng.choice([1, 2, 4])
    begun, ended = [], []
    for t, txn in enumerate(case.txns):
        end = step * t + rng.choice([1, 1, 1, 2, step])
        start = max(0, end - rng.choice([0, 0, 1, 1, 2, step, 2 * step]))
        start = end + 1 if rng.random() < 0.02 else start
        begun.append(start)
        ended.append(-1 if txn.outcome != COMMITTED and rng.random() < 0.7 else end)
    return begun, ended


@pytest.mark.parametrize("count", [3000, pytest.param(30_000, marks=pytest.mark.heavy)])
def test_timestamps_are_accepted_if_and_only_if_each_two_transactions_agree_with_them(count: int) -> None:
    rng = Random(count)
    kinds = [*KINDS.values(), {"orders": True, "transactions": 4}]
    seen: Counter[tuple[int, bool]] = Counter()
    for number in range(count):
        case = random_case(rng, **kinds[number % len(kinds)], timed=True)
        begun, ended = drawn_times(rng, case)
        realtime = number % 3 == 0
        wanted = shows_si(case, begun, ended, realtime=realtime)
        seen[number % len(kinds), wanted] += 1
        found = check_times(history_of(case), begun, ended, realtime=realtime)
        assert (found == ()) is wanted, f"{case} {begun} {ended} {found}"
        if wanted:
            assert holds(case, "SI", realtime=realtime), case
    assert len(seen) == 2 * len(kinds) and min(seen.values()) > 20


@pytest.mark.parametrize("realtime", [False, True])
def test_each_order_that_shows_si_gives_timestamps_that_show_it(realtime: bool) -> None:
    rng = Random(2)
    shown = later = 0
    for number in range(200):
        case = random_case(rng, **list(KINDS.values())[number % len(KINDS)], timed=True)
        history = history_of(case)
        found = decide(history, levels=("SI",), realtime=realtime)
        order = found.order("SI")
        if order is None:
            continue
        begun, ended = times_of(history, order, realtime=realtime)
        assert check_times(history, begun.tolist(), ended.tolist(), realtime=realtime) == (), case
        shown += 1
        wrong = begun.tolist()
        for t in order:  # A start that is earlier by one commit is too early for somebody.
            wrong[t] = max(0, wrong[t] - 2)
        later += check_times(history, wrong, ended.tolist(), realtime=realtime) != ()
    assert shown > 60 and later > 20


# -- mutants: each forgets one thing, and some case shows it
def _by_start(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda history, txn, versions: real(replace(history, ended=history.begun), txn, versions)


def _not_the_last(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda history, txn, placed, unplaced: real(history, txn, placed[:-1], unplaced)


def _any_list(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda history, txn: np.zeros(len(history.session), bool)


MUTANTS: dict[str, tuple[Any, str, Callable[[Any], Any]]] = {
    "ordered by the start": (orders, "times", _by_start),
    "a version has no place": (orders, "ranked", _not_the_last),
    "unknown elements stand last": (orders, "_may_count", _any_list),
    "unknown transactions commit at their start": (
        orders,
        "times",
        lambda real: (
            lambda history, txn, versions: np.where(
                real(history, txn, versions) < 0,
                history.begun[txn[history.writer[versions]]],
                real(history, txn, versions),
            )
        ),
    ),
}
SHOWN_BY = {
    "unknown elements stand last": "lists with outcomes",
    "unknown transactions commit at their start": "outcomes",
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_of_the_order_of_timestamps_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, attribute, broken = MUTANTS[name]
    monkeypatch.setattr(module, attribute, broken(getattr(module, attribute)))
    rng = Random(4)
    for _ in range(3000):
        case = timed(rng, random_case(rng, **KINDS[SHOWN_BY.get(name, "registers")]))
        history, _ = by_timestamps(history_of(case))
        if history is None:
            return
        found = decide(history)
        if any(found[level].holds is not holds_with(case, level, of_times(case)) for level in LEVELS):
            return
    pytest.fail(f"nothing showed that {name}")


def test_a_mutant_that_takes_a_missing_value_or_does_not_commit_what_is_stated_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost = history_of(Case((Txn((("w", "x", 1),)), Txn((("w", "x", 2),)), Txn((("w", "x", 3),)))))
    assert by_statement(lost, b'{"x": [1, 2]}', "f")[0] is None
    monkeypatch.setattr(orders_stated._Stated, "_missing", lambda self: None)
    assert by_statement(lost, b'{"x": [1, 2]}', "f")[0] is not None
    monkeypatch.undo()
    open_ = Case((Txn((("w", "x", 1), ("w", "y", 1))), Txn((("w", "x", 2), ("w", "y", 2)), outcome=UNKNOWN)))
    given = b'{"x": [1, 2], "y": [2, 1]}'
    history, _ = by_statement(history_of(open_), given, "f")
    assert history is not None and decide(history)["RC"].holds is False
    monkeypatch.setattr(orders_stated._Stated, "_outcome", lambda self: self.history.outcome)
    history, _ = by_statement(history_of(open_), given, "f")
    assert history is not None and decide(history)["RC"].holds is True


def _forgets(name: str, *values: Any) -> Callable[[Any], None]:
    def broken(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(evidence_times._Check, name, lambda self, *arguments: None)

    return broken


def _commits_last(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(evidence_times, "_COMMIT", 3)


TIME_MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "reads see anything": _forgets("_start"),
    "no session order": _forgets("sessions"),
    "no real time": _forgets("real_time"),
    "single transactions are not looked at": _forgets("alone"),
    "what commits at the start is not seen": _commits_last,
    "no known order": lambda patch: patch.setattr(
        evidence_times._Check, "_install", lambda self, t, key, at: self.current.__setitem__(key, self.version[at])
    ),
    "overlapping writers": lambda patch: patch.setattr(
        evidence_times._Check, "_commit", _careless_commit(evidence_times._Check._commit)
    ),
}


def _careless_commit(real: Callable[..., None]) -> Callable[..., None]:
    def commit(self: Any, t: int) -> None:
        count = len(self.found)
        real(self, t)
        self.found[count:] = [one for one in self.found[count:] if "overlap" not in one.text]

    return commit


@pytest.mark.parametrize("name", TIME_MUTANTS)
def test_a_mutant_of_the_checker_of_timestamps_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    TIME_MUTANTS[name](monkeypatch)
    rng = Random(6)
    kinds = [*KINDS.values(), {"orders": True, "transactions": 4}]
    for number in range(20_000):
        case = random_case(rng, **kinds[number % len(kinds)], timed=True)
        begun, ended = drawn_times(rng, case)
        found = check_times(history_of(case), begun, ended, realtime=number % 2 == 0)
        if (found == ()) is not shows_si(case, begun, ended, realtime=number % 2 == 0):
            return
    pytest.fail(f"nothing showed that {name}")


# -- size
def large(count: int) -> tuple[History, list[int], list[int]]:
    """So many transactions in 16 sessions, four operations each on 1,000 keys, as snapshot isolation lets them be."""
    rng = Random(0)
    versions: dict[int, list[tuple[int, int]]] = {}
    rows: list[tuple[int, int, int, int]] = []
    begun, ended, session = [], [], []
    free = [0] * 16
    made = 0
    for t in range(count):
        end, own = 4 * t + 4, t % 16
        start = max(free[own], end - rng.choice([2, 6, 20, 60]))
        keys = rng.sample(range(1_000), 3)
        for k in keys:
            rows.append((t, 0, k, next((v for c, v in reversed(versions.get(k, [])) if c <= start), -1)))
        past = versions.setdefault(keys[0], [])
        if not past or past[-1][0] <= start:
            rows.append((t, 1, keys[0], made))
            past.append((end, made))
            made += 1
        begun.append(start)
        ended.append(end)
        session.append(own)
        free[own] = end
    txn, kind, key, value = zip(*rows, strict=True)
    history = assemble(
        format="timekiller", source="large", session=np.array(session, np.int32), outcome=committed(count),
        txn=np.array(txn, np.int32), kind=np.array(kind, np.int8), key=np.array(key, np.int32),
        value=np.array(value, np.int32), line=np.array(txn, np.int32) + 1, keys=[str(k) for k in range(1_000)],
        values=[str(v + 1) for v in range(made)], transactions=[str(t) for t in range(count)],
        sessions=[str(s) for s in range(16)], begun=np.array(begun, np.int64), ended=np.array(ended, np.int64),
    )  # fmt: skip
    return history, begun, ended


@pytest.mark.parametrize("count", [10_000, pytest.param(100_000, marks=pytest.mark.heavy)])
def test_timestamps_of_many_transactions_are_checked_in_about_a_second(count: int) -> None:
    history, begun, ended = large(count)
    start = time.process_time()
    assert check_times(history, begun, ended) == ()
    assert time.process_time() - start < 3 * count / 100_000 + 0.5
    begun[count // 2] -= 4_000
    assert check_times(history, begun, ended) != ()
    start = time.process_time()
    found, problems = by_timestamps(history)
    assert found is not None and problems == []
    assert time.process_time() - start < 1
    assert decide(found, levels=("SI",))["SI"].holds is True
