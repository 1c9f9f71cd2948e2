"""What stores are made with and asked for is checked: a typed error, that says what would do."""

from __future__ import annotations

from datetime import datetime
from math import inf, nan
from typing import Any

import pytest

from toki_verify.algebra.errors import InvalidFact, InvalidOption
from toki_verify.stores import JudgeKey
from toki_verify.stores.arguments import LONGEST
from toki_verify.stores.errors import StoreClosed

from .conftest import Opener
from .samples import CARRIER, T0, at, fact
from .test_contract import put
from .test_elements import Numbers


@pytest.mark.parametrize("seconds", [nan, inf, 1e10, LONGEST + 1, -2, -1e-9, "5", None, True, [], 10**400])
def test_a_time_that_nobody_can_wait(make: Opener, seconds: Any) -> None:
    with pytest.raises(InvalidOption, match=r"expected a number from 0 to 1,000,000") as refused:
        make(busy_seconds=seconds)
    assert "busy_seconds" in refused.value.what


@pytest.mark.parametrize("seconds", [0, 0.0, 1, LONGEST])
def test_a_time_that_one_can_wait(make: Opener, seconds: float) -> None:
    store = make(busy_seconds=seconds)
    put(store, fact("f"))
    assert store.session().busy_seconds == seconds


@pytest.mark.parametrize("name", [5, None, "", "a\0b", "\ud800", b"counting"])
def test_a_carrier_has_a_name(make: Opener, name: Any) -> None:
    carrier = Numbers()
    carrier.name = name
    with pytest.raises(InvalidOption, match="name"):
        make(carrier=carrier)


def test_what_is_no_carrier(make: Opener) -> None:
    with pytest.raises(InvalidOption, match="carrier"):
        make(carrier="counting")


def test_a_session_of_a_session_that_was_shut(store: Any) -> None:
    store.shut()
    with pytest.raises(StoreClosed):
        store.session()


@pytest.mark.parametrize("column", ["subject", "predicate"])
@pytest.mark.parametrize("value", [5, [], b"s", "\ud800"])
def test_what_is_no_text_is_not_asked_for(store: Any, column: str, value: Any) -> None:
    put(store, fact("f"))
    for more in ({}, {"subject": "s"}, {"predicate": "p"}):
        with pytest.raises(InvalidFact, match=column):
            store.asof(T0, T0, **(more | {column: value}))


@pytest.mark.parametrize(
    "key",
    [
        "k",
        None,
        ("a", "b"),
        JudgeKey("ab", "t"),  # type: ignore[arg-type]
        JudgeKey(["a", "b"], "t"),  # type: ignore[arg-type]
        JudgeKey(("a", 5), "t"),  # type: ignore[arg-type]
        JudgeKey(("a", "b"), 5),  # type: ignore[arg-type]
        JudgeKey(("a", "b"), "t", None),  # type: ignore[arg-type]
        JudgeKey(("a", "b"), "t", "s", 5),  # type: ignore[arg-type]
        JudgeKey(("a", "\ud800"), "t"),
    ],
)
def test_what_is_no_key_of_the_log(store: Any, key: Any) -> None:
    for use in (lambda: store.judge_log.get(key), lambda: store.judge_log.insert_if_absent(key, "a")):
        with pytest.raises(InvalidFact):
            use()
    assert list(store.judge_log.entries()) == []


@pytest.mark.parametrize("winner", [5, None, "\ud800"])
def test_what_is_no_winner(store: Any, winner: Any) -> None:
    with pytest.raises(InvalidFact, match="winner"):
        store.judge_log.insert_if_absent(JudgeKey(("a", "b"), "t"), winner)
    assert list(store.judge_log.entries()) == []


class Odd(datetime):
    """An instant that prints, compares and hashes as it likes."""

    def isoformat(self, *_: Any, **__: Any) -> str:  # type: ignore[override]
        return "sometime"

    def __hash__(self) -> int:
        return 1

    def replace(self, *_: Any, **__: Any) -> Any:  # type: ignore[override]
        return self


def test_instants_of_other_classes_are_stored_as_what_they_are(store: Any) -> None:
    odd = Odd(2024, 1, 1, 5)
    put(store, fact("f", system_time_start=odd))
    (row,) = store.rows()
    assert row.system_time_start == at(5) and type(row.system_time_start) is datetime
    transaction = store.begin()
    transaction.close(row, Odd(2024, 1, 1, 7))
    transaction.commit()
    assert store.rows()[0].system_time_end == at(7)
    assert store.asof(odd, odd) == store.rows() and store.carrier is CARRIER
