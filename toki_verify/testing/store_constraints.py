"""The laws of the five constraints of Table 12, each by its name (TOKI 2026, Appendix C.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from ..algebra.facts import Fact
from .failures import Broken, moment_text
from .stores_tested import TICK, Contents, Stores, contents, fill, forged, require_rows
from .suite import Check


def _contents(tested: Stores) -> SearchStrategy[Contents]:
    return contents(tested.carrier)


def _must_refuse(store: Any, row: Fact[Any], what: str) -> None:
    """Raises Broken unless a row cannot be inserted and committed; then nothing else may have changed."""
    before = store.rows()
    transaction = store.begin()
    try:
        transaction.insert(row)
        transaction.commit()
    except Exception:
        transaction.rollback()  # it has ended by itself, says another law
        require_rows(store.rows(), before, f"after {what} was refused, the rows are others")
        return
    raise Broken(f"{what} is accepted", inserted=row)


def _forbids(*variants: tuple[str, Callable[[Fact[Any]], dict[str, Any]]]) -> Callable[[Stores, Contents], None]:
    def check(tested: Stores, case: Contents) -> None:
        with tested.fresh() as store:
            fill(store, case)
            for what, values in variants:
                fact = replace(case.facts[0], fact_id="another", row_kind="current")
                _must_refuse(store, forged(fact, **values(fact)), what)

    return check


def key(tested: Stores, case: Contents) -> None:
    """Tab12.key."""
    row = case.facts[0]
    second = replace(row, object="another object", row_kind="current")
    with tested.fresh() as store:
        transaction = store.begin()
        transaction.insert(row)
        transaction.insert(replace(row, system_time_start=row.system_time_start + TICK))  # another version: fine
        transaction.commit()
        _must_refuse(store, second, "a second row of one fact_id and system_time_start")
        _must_refuse(store, replace(second, row_kind="audit"), "an audit row with the primary key of a current row")
    with tested.fresh() as store:
        transaction = store.begin()
        transaction.insert(row)
        try:
            transaction.insert(second)
            transaction.commit()
        except Exception:
            transaction.rollback()
            return
    raise Broken("two rows of one primary key are accepted in one transaction", inserted=second)


def closing(tested: Stores, case: Contents) -> None:
    """Tab12.system: an instant that is not after the start ends nothing, whatever the row is."""
    row = replace(case.facts[0], row_kind="current")
    with tested.fresh() as store:
        for at in (row.system_time_start, row.system_time_start - TICK):
            transaction = store.begin()
            if at == row.system_time_start:
                transaction.insert(row)
                transaction.commit()
                transaction = store.begin()
            try:
                transaction.close(row, at)
                transaction.commit()
            except Exception:
                transaction.rollback()
                require_rows(store.rows(), [row], "after a refused close the rows are others")
            else:
                raise Broken(f"closing at {moment_text(at)} a row of {moment_text(row.system_time_start)} is accepted")
    if tested.forged:
        _BACKWARDS(tested, case)


_BACKWARDS: Final = _forbids(
    ("a row that ends when it begins", lambda fact: {"system_time_end": fact.system_time_start}),
    ("a row that ends before it begins", lambda fact: {"system_time_end": fact.system_time_start - TICK}),
)


def _untried(tested: Stores) -> str:
    return "" if tested.forged else "forged=False: nothing but a Fact can be inserted"


CONSTRAINT_CHECKS: Final = (
    Check(
        "Tab12.confidence",
        _forbids(
            ("confidence 1.5", lambda fact: {"confidence": 1.5}),
            ("confidence -0.1", lambda fact: {"confidence": -0.1}),
        ),
        _contents,
        _untried,
    ),
    Check(
        "Tab12.row_kind",
        _forbids(("row_kind 'loser'", lambda fact: {"row_kind": "loser"})),
        _contents,
        _untried,
    ),
    Check("Tab12.key", key, _contents),
    Check(
        "Tab12.valid",
        _forbids(
            ("an empty valid period", lambda fact: {"valid_to": fact.valid_from}),
            ("a reversed valid period", lambda fact: {"valid_to": fact.valid_from - TICK}),
        ),
        _contents,
        _untried,
    ),
    Check("Tab12.system", closing, _contents),
)
