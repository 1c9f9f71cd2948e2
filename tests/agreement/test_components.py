"""Histories decided by their independent parts: against the whole, against every commit order, and mutants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from history_cases import random_case
from history_evidence import objections
from history_oracle import LEVELS, Case, history_of, holds

from toki_verify.histories.columns import Garbage, History
from toki_verify.histories.parallel import joined
from toki_verify.histories.parallel.components import Numbers, Parts, components
from toki_verify.histories.parallel.joined import decide_in_parts
from toki_verify.histories.sessions.evidence import check_order
from toki_verify.histories.sessions.verdict import LevelOutcome, SessionVerdict, decide
from toki_verify.histories.sessions.words import cases_in_words, lost_in_words

KINDS: dict[str, dict[str, Any]] = {
    "registers": {},
    "updates": {"blind": 0.1},
    "blind writes": {"blind": 1, "keys": 3},
    "outcomes": {"outcomes": True},
    "known orders": {"orders": True},
    "orders known in part": {"orders": True, "outcomes": True},
    "lists": {"orders": True, "append": True},
    "lists with outcomes": {"orders": True, "append": True, "outcomes": True},
}


def beside(rng: Random, *cases: Case, shared: bool = False) -> Case:
    """Cases side by side, with keys and values of their own, mingled; `shared`: with common sessions."""
    txns, orders = [], []
    for number, case in enumerate(cases):
        session = 0 if shared else 10 * number
        for txn in case.txns:
            ops = tuple((kind, f"{key}{number}", value and value + 1000 * number) for kind, key, value in txn.ops)
            mine = None if txn.session is None else txn.session + session
            txns.append((number, replace(txn, ops=ops, session=mine)))
        orders += [(f"{key}{number}", tuple(value + 1000 * number for value in known)) for key, known in case.orders]
    turn = [number for number, _ in txns]
    rng.shuffle(turn)
    queues = {number: iter([txn for which, txn in txns if which == number]) for number in set(turn)}
    return Case(tuple(next(queues[number]) for number in turn), tuple(orders), cases[0].append)


def drawn(rng: Random, number: int, **more: Any) -> Case:
    """Two or three cases of one kind side by side; some with sessions in common."""
    kind = list(KINDS.values())[number % len(KINDS)] | more
    return beside(rng, *(random_case(rng, **kind) for _ in range(rng.choice([2, 2, 3]))), shared=rng.random() < 0.2)


def agree(history: History, share: int = 1) -> SessionVerdict:
    """Parts and whole say the same of all levels, and what the parts say is shown to be so."""
    whole, found = decide(history), decide_in_parts(history, share=share)
    assert (found.findings, found.left_out) == (whole.findings, whole.left_out)
    for level in LEVELS:
        ours, theirs = found[level], whole[level]
        assert (ours.holds, bool(ours.reason)) == (theirs.holds, bool(theirs.reason)), level
        if ours.holds:
            order = found.order(level)
            assert order is not None and check_order(history, level, order) == ()
        elif ours.holds is False and not found.prepared.refuted:
            assert objections(history, ours) == []
            assert (ours.of, ours.reason) == (theirs.of, words(history, ours))
        else:
            assert ours.reason == theirs.reason
    return found


def words(history: History, outcome: LevelOutcome) -> str:
    """What is to be said of a *no*, with the names of the whole."""
    if outcome.lost:
        return lost_in_words(history, outcome.lost)
    return cases_in_words(history, outcome.cases) or outcome.reason


@pytest.mark.parametrize("count", [70, pytest.param(6000, marks=pytest.mark.heavy)])
def test_parts_say_what_the_whole_says(count: int) -> None:
    rng = Random(7)
    seen: Counter[tuple[str, bool | None]] = Counter()
    for number in range(count):
        found = agree(history_of(drawn(rng, number)), share=rng.choice([1, 1, 8]))
        seen.update((level, found[level].holds) for level in LEVELS)
    assert all(seen[level, answer] > count // 20 for level in LEVELS for answer in (True, False)), seen


@pytest.mark.parametrize("count", [80, pytest.param(1500, marks=pytest.mark.heavy)])
def test_parts_have_the_levels_that_some_commit_order_of_the_whole_shows(count: int) -> None:
    rng = Random(11)
    seen: Counter[tuple[str, bool]] = Counter()
    for number in range(count):
        case = drawn(rng, number, transactions=3, operations=3)
        if len(case.txns) > 8:
            continue
        history = history_of(case)
        found = decide_in_parts(history, share=1)
        for level in LEVELS:
            wanted = holds(case, level)
            assert found[level].holds is wanted, f"{level}: {case}\n{found[level].reason}"
            seen[level, wanted] += 1
    assert all(seen[level, answer] for level in LEVELS for answer in (True, False)), seen


def test_with_doubt_a_level_that_holds_in_all_parts_is_not_known() -> None:
    rng = Random(3)
    twice = Case(random_case(rng, keys=1).txns)
    for number in range(60):
        history = history_of(beside(rng, random_case(rng, blind=1), random_case(rng), twice))
        writes = np.flatnonzero(history.kind == 1)
        one, two = rng.choice(writes.tolist()), rng.choice(writes.tolist())
        if one == two or history.key[one] != history.key[two]:
            continue
        history = with_duplicate(history, one, two)
        found = agree(history)
        assert found["SER"].holds is not True, number


def with_duplicate(history: History, one: int, two: int) -> History:
    """The history, in which a write is of the value of another one, too."""
    version = history.version.copy()
    version[version == version[two]] = version[one]
    writer = history.writer.copy()
    writer[version[one]] = min(one, two)
    found = Garbage("duplicate-write", (min(one, two), max(one, two)), int(history.key[one]), "written twice")
    return replace(history, version=version, writer=writer, garbage=(found,))


# -- mutants -----------------------------------------------------------------------------------------------------------
def _without_sessions(real: Any) -> Callable[..., Any]:
    return lambda history: real(replace(history, session=np.full_like(history.session, -1)))


def _without_keys(real: Any) -> Callable[..., Any]:
    def by_key(history: History) -> Any:
        return real(replace(history, key=np.arange(history.size, dtype=np.int32), keys=Numbers(history.size)))

    return by_key


def _first_verdict(real: Any) -> Callable[..., Any]:
    return lambda prepared, told, levels: real(prepared, told[:1] * len(told), levels)


def _last_verdict(real: Any) -> Callable[..., Any]:
    return lambda prepared, told, levels: real(prepared, told[-1:] * len(told), levels)


def _own_numbers(real: Any) -> Callable[..., Any]:
    return lambda part, edge: edge


def _words_of_the_part(real: Any) -> Callable[..., Any]:
    return lambda part, verdict, outcome: replace(real(part, verdict, outcome), reason=outcome.reason)


def _any_yes(real: Any) -> Callable[..., Any]:
    """A level holds of the whole if it holds of some part."""

    def lenient(prepared: Any, told: Any, levels: Any) -> Any:
        best = {level: next((one[level] for one in told if one[level].holds), told[0][level]) for level in levels}
        return real(prepared, [best], levels)

    return lenient


def _in_any_order(real: Any) -> Callable[..., Any]:
    """Transactions of a part stand in no order."""

    class Turned(Parts):
        def __init__(self, history: History, part: Any) -> None:
            super().__init__(history, part)
            for number in range(len(self)):
                begin, end = self._txn.first[number : number + 2]
                self._txn.order[begin:end] = self._txn.order[begin:end][::-1].copy()

    return Turned


def _no_doubt(real: Any) -> Callable[..., Any]:
    return lambda prepared, level, order: real(replace(prepared, doubt=None), level, order)


def _counted_apart(real: Any) -> Callable[..., Any]:
    """What a part leaves undecided is left out."""

    def kept(prepared: Any, told: Any, levels: Any) -> Any:
        return real(prepared, [one for one in told if all(one[level].holds for level in levels)] or told, levels)

    return kept


MUTANTS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "sessions connect nothing": ("components", _without_sessions),
    "keys connect nothing": ("components", _without_keys),
    "the first part decides": ("joined", _first_verdict),
    "the last part decides": ("joined", _last_verdict),
    "one part that has the level is enough": ("joined", _any_yes),
    "only parts that have all levels count": ("joined", _counted_apart),
    "evidence has the numbers of the part": ("_edge", _own_numbers),
    "words have the names of the part": ("_told", _words_of_the_part),
    "transactions of a part stand in another order": ("Parts", _in_any_order),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attribute, broken = MUTANTS[name]
    monkeypatch.setattr(joined, attribute, broken(getattr(joined, attribute)))
    rng = Random(5)
    for number in range(600):
        try:
            agree(history_of(drawn(rng, number)))
        except (AssertionError, IndexError, KeyError, ValueError):
            return
    pytest.fail(f"nothing showed that {name}")


def test_a_doubt_that_is_forgotten_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined, "_yes", _no_doubt(joined._yes))
    with pytest.raises(AssertionError):
        test_with_doubt_a_level_that_holds_in_all_parts_is_not_known()


def test_a_session_in_common_makes_one_part() -> None:
    rng = Random(1)
    one = random_case(rng, transactions=4)
    case = beside(rng, one, one, shared=True)
    bound = Case(tuple(replace(txn, session=0) for txn in case.txns))
    assert not components(history_of(bound)).any()
