"""Whether what a suite is given can be tested at all: looked at before the first example, and said once, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from inspect import signature
from typing import Any, Final

#: The attributes of a Semiring.
CARRIER: Final = ("name", "zero", "one", "plus", "times", "leq", "token", "parse", "text")
_STORE: Final = ("carrier", "mode", "judge_log", "begin", "session", "rows", "asof", "shut")
_TRANSACTION: Final = ("open_rows", "insert", "close", "commit", "rollback")
_LOG: Final = ("get", "insert_if_absent", "entries")
_RESULT: Final = ("winner", "losers", "audit")
#: The attributes of an AuditTuple.
AUDIT: Final = ("provenance", "strategy", "system_time", "winner_id", "winner_object", "loser_ids", "loser_objects")


class Untestable(TypeError):
    """What a suite was given lacks something that the suite calls: no law of it can be tried. docs/your-own.md has what
    each suite wants."""


def require(found: Any, names: Iterable[str], what: str, wanted: str) -> None:
    """Raises Untestable, naming the attributes that something lacks."""
    missing = [name for name in names if not hasattr(found, name)]
    if missing:
        raise Untestable(f"{what} ({type(found).__name__}) lacks {', '.join(missing)}; expected {wanted}")


def require_carrier(found: Any, what: str = "the carrier") -> None:
    """Raises Untestable."""
    require(found, CARRIER, what, "an algebra.Semiring")


def require_log(found: Any, what: str = "the judge log") -> None:
    """Raises Untestable."""
    require(found, _LOG, what, "a stores.JudgeLog")


def require_store(store: Any) -> None:
    """Raises Untestable. What else is wrong with the store is for its laws."""
    require(store, _STORE, "the store", "a stores.Store")
    require_carrier(store.carrier, "the carrier of the store")
    require_log(store.judge_log, "the judge log of the store")
    try:
        transaction = store.begin()
    except Exception:
        return
    require(transaction, _TRANSACTION, "a transaction of the store", "a stores.Transaction")
    with suppress(Exception):
        transaction.rollback()


def require_operators(operators: Any) -> None:
    """Raises Untestable."""
    if not isinstance(operators, Mapping) or not operators:
        shown = "an empty mapping" if isinstance(operators, Mapping) else repr(operators)
        raise Untestable(f"make_operators() returned {shown}; expected a mapping from strategy ids to operators")
    wanted = "resolve(first, second, *, now, carrier, oracle=None)"
    for name, operator in operators.items():
        require(operator, ("resolve",), f"the operator {name!r}", wanted)
        try:
            signature(operator.resolve).bind(None, None, now=None, carrier=None, oracle=None)
        except TypeError as error:
            raise Untestable(f"the operator {name!r} cannot be called as {wanted}: {error}") from None
        except ValueError:  # written in C
            continue


def require_resolution(found: Any, name: str) -> None:
    """Raises Untestable for what an operator returned."""
    require(found, _RESULT, f"what the operator {name!r} returned", "what algebra.Resolution has")
    require(found.audit, AUDIT, f"the audit tuple of the operator {name!r}", "what algebra.AuditTuple has")
