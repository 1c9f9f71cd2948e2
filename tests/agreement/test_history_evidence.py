"""Orders as evidence: what `decide` finds is accepted, and some order is accepted if, and only if, the level holds."""

from __future__ import annotations

from itertools import chain, combinations, permutations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.histories.histories import histories, plain
from toki_verify.histories.columns import COMMITTED, UNKNOWN, History
from toki_verify.histories.from_schedule import history_of
from toki_verify.histories.sessions.evidence import check_order
from toki_verify.histories.sessions.verdict import ALL, decide
from toki_verify.notation import parse_text


def shown(history: History, level: str) -> bool:
    """Whether some order of the committed and some unknown transactions shows the level."""
    outcomes = history.outcome.tolist()
    sure = [txn for txn, outcome in enumerate(outcomes) if outcome == COMMITTED]
    open_ = [txn for txn, outcome in enumerate(outcomes) if outcome == UNKNOWN]
    subsets = chain.from_iterable(combinations(open_, size) for size in range(len(open_) + 1))
    orders = (order for others in subsets for order in permutations([*sure, *others]))
    return any(not check_order(history, level, order) for order in orders)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(histories(wild=False, transactions=4))
def test_some_order_shows_what_holds_and_none_what_does_not(history: History) -> None:
    found = decide(history)
    for level in ALL:
        holds = found[level].holds
        assert holds is shown(history, level), level
        order = found.order(level)
        assert (order is not None) is holds
        if order is not None:
            assert check_order(history, level, order) == ()


@settings(max_examples=60)
@given(histories(transactions=3))
def test_what_no_store_can_have_read_is_shown_by_no_order(history: History) -> None:
    found = decide(history)
    for level in ALL:
        if found[level].holds is False:
            assert not shown(history, level), level


@pytest.mark.heavy
@settings(max_examples=3_000, suppress_health_check=[HealthCheck.too_slow])
@given(histories(wild=False, transactions=5), st.sampled_from(ALL))
def test_many_histories(history: History, level: str) -> None:
    assert decide(history, levels=(level,))[level].holds is shown(history, level)


def of(text: str) -> History:
    return history_of(parse_text(f"schedule one\n{text}\n")[0])


@pytest.mark.parametrize(
    ("text", "level", "order"),
    [
        ("r1[x0] w2[x1] c2 c1", "SER", [1, 0]),
        ("w1[x1] c1 r2[x1] c2", "RC", [1, 0]),
        ("session s: 1 2\nw1[x1] c1 w2[y1] c2", "RC", [1, 0]),
        ("w1[x1] c1 w2[y1] c2", "RC", [0]),
        ("w1[x1] c1 w2[y1] a2", "RC", [0, 1]),
        ("w1[x1] c1 w2[y1] c2", "RC", [0, 0, 1]),
        ("w1[x1] w2[x2] c2 c1", "RC", [1, 0]),
        ("w1[x1] r2[x1] a1 c2", "RC", [1]),
        ("w1[x1] r2[x1] w1[x2] c1 c2", "RC", [0, 1]),
    ],
)
def test_a_wrong_order_is_refused(text: str, level: str, order: list[int]) -> None:
    assert check_order(of(text), level, order) != ()


@pytest.mark.parametrize("text", ["r1[x1]", "w1[x1] r1[x2] w2[x2]", "r1[x1] w1[x1]", "w1[x1] w2[x1]"])
def test_reads_that_are_wrong_by_themselves_are_refused(text: str) -> None:
    history = plain(text)
    assert check_order(history, "RC", list(range(len(history.session)))) != ()


BROKEN = {
    "RC": "session s: 2 3\nw1[x1] w1[y1] c1 r2[x1] r2[y0] c2 c3",
    "RA": "session s: 1 2\nw1[x1] c1 r2[x0] c2",
    "CC": "w1[x1] c1 r2[x1] w2[y1] c2 r3[y1] r3[x0] c3",
    "PC": "r3[x0] w1[x1] c1 w2[y1] c2 r3[y1] c3 r4[x1] r4[y0] c4",
    "PSI": "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1",
    "SI": "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1",
    "SER": "r1[x0] r2[y0] w2[x1] w1[y1] c1 c2",
}


@pytest.mark.parametrize("level", ALL)
def test_no_order_shows_what_does_not_hold(level: str) -> None:
    history = of(BROKEN[level])
    assert decide(history, levels=(level,))[level].holds is False
    assert not shown(history, level)


def test_an_order_of_a_large_history_is_checked_in_one_pass() -> None:
    """4,000 transactions in 8 sessions, one after the other."""
    count = 4_000
    text = " ".join(f"r{n}[{'xy'[n % 2]}{max(n - 2, 0)}] w{n}[{'xy'[n % 2]}{n}]" for n in range(1, count + 1))
    import re

    from toki_verify.histories.builder import assemble, committed

    found = re.findall(r"([rw])(\d+)\[([xy])(\d+)\]", text)
    history = assemble(
        format="text", source="", session=np.arange(count, dtype=np.int32) % 8, outcome=committed(count),
        txn=np.array([int(txn) - 1 for _, txn, _, _ in found], np.int32),
        kind=np.array(["rw".index(kind) for kind, *_ in found], np.int8),
        key=np.array(["xy".index(key) for _, _, key, _ in found], np.int32),
        value=np.array([int(value) for *_, value in found], np.int32),
        line=np.arange(len(found), dtype=np.int32), keys=["x", "y"], values=[str(n) for n in range(count + 1)],
        transactions=[str(n) for n in range(1, count + 1)], sessions=[str(n) for n in range(8)],
    )  # fmt: skip
    order = list(range(count))
    assert all(check_order(history, level, order) == () for level in ALL)
    order[7], order[9] = order[9], order[7]
    assert check_order(history, "SER", order)
