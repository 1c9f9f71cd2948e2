"""The laws of transactions that fail, and of sessions that want the store at once (TOKI 2026, Appendix C.3, C.4)."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from ..stores.errors import StoreLocked
from .failures import Broken
from .stores_tested import Contents, Stores, contents, require_rows
from .strategies import running_example
from .suite import Check
from .traces import raw_of

#: Seconds for which a second `begin` is watched before the transaction that it waits for ends, and after that.
_WATCHED: Final = 0.05
_PATIENCE: Final = 60.0


def _contents(tested: Stores) -> SearchStrategy[Contents]:
    return contents(tested.carrier)


def failed(tested: Stores, case: Contents) -> None:
    """C1.failed: a primary key twice is what every store refuses."""
    row = replace(case.facts[0], row_kind="current")
    first = replace(row, fact_id="before the failure")
    with tested.fresh() as store:
        transaction = store.begin()
        transaction.insert(row)
        transaction.commit()
        transaction = store.begin()
        transaction.insert(first)
        try:
            transaction.insert(replace(row, object="another object"))
            transaction.commit()
        except Exception:
            pass
        else:
            return  # another law says what is wrong
        try:
            transaction.commit()
        except Exception:
            pass
        else:
            require_rows(store.rows(), [row], "after a transaction that failed was committed all the same")
        try:
            transaction = store.begin()  # without a rollback of the one that failed
            transaction.insert(first)
            transaction.commit()
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise Broken(f"after a method raised, without a rollback(), the next transaction raises {told}") from error


def turns(tested: Stores, case: None) -> None:
    """C1.turns: in threads, since the second may wait for the first. Which may be at a read, or have written."""
    for what in ("reads", "writes"):
        with tested.fresh() as store:
            _two(store, what)


def _two(store: Any, what: str) -> None:
    row = running_example(store.carrier).first
    raised: list[BaseException] = []
    begun = threading.Event()

    def second() -> None:
        session = None
        try:
            session = raw_of(store).session()  # in its thread: connections of some engines stay in theirs
            transaction = session.begin()
            begun.set()
            transaction.open_rows(*row.partition)
            transaction.insert(replace(row, fact_id="of the second"))
            transaction.commit()
        except StoreLocked:
            pass
        except BaseException as error:  # told by the thread that waits
            raised.append(error)
        finally:
            if session is not None:
                session.shut()

    transaction = store.begin()
    transaction.open_rows(*row.partition)
    if what == "writes":
        transaction.insert(row)
    other = threading.Thread(target=second, daemon=True)
    other.start()
    other.join(_WATCHED)
    try:
        transaction.commit()
    except StoreLocked:  # the second came first
        transaction.rollback()
    other.join(_PATIENCE)
    if other.is_alive():
        raise Broken("begin() of a second session does not return, though the transaction that it waited for has ended")
    if raised:
        told = f"{type(raised[0]).__name__}: {raised[0]}"
        at = "a transaction of it" if begun.is_set() else "begin()"
        where = f"while one of another {what}" if begun.is_set() else f"beside a transaction of another that {what}"
        raise Broken(f"{at} of a session raises {told} {where}; expected StoreLocked") from raised[0]
    transaction = store.begin()  # both have ended
    transaction.rollback()


TURN_CHECKS: Final = (
    Check("C1.failed", failed, _contents),
    Check("C1.turns", turns),
)
