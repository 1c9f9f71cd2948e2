"""What a design may say: its declarations, its initial rows, and each operation that it yields, checked before anything
runs on them. What the notation cannot hold is refused here, with the words for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from ..events.names import name_fault
from ..events.provenance import polynomial_fault
from ..events.values import json_text
from .guard import shown
from .limits import COLUMNS, VALUE, VOTES
from .operations import (
    Begin,
    Callback,
    Delete,
    Fill,
    Insert,
    Judge,
    Lock,
    Operation,
    Read,
    Select,
    Update,
)
from .values import ValueProblem, frozen

#: The operators of the algebra, as a write may name them (NOTATION: `by await`).
OPERATORS = ("lww", "evi", "await", "rule")


def near(name: object, known: Iterable[str]) -> str:
    """`, did you mean …?`, or which there are."""
    names = list(known)
    close = get_close_matches(str(name), names, 1)
    return f"; did you mean {close[0]!r}?" if close else f" (it has {', '.join(names) or 'none'})"


def column_value(value: object) -> Any:
    """A value as a column holds it. Raises ValueProblem for one that it cannot hold."""
    found = frozen(value)
    try:
        text = found if isinstance(found, str) and len(found) > VALUE else json_text(found)
    except ValueError as error:
        raise ValueProblem(f"{error}: a value must be JSON") from None
    if len(text) > VALUE:
        raise ValueProblem(f"a value of {len(text)} characters, more than the limit of {VALUE}")
    return found


def columns_fault(columns: Iterable[tuple[object, object]], partition: tuple[str, str] | None) -> str | None:
    """What is wrong with the columns of a row. Functions of the row are checked when they are computed."""
    pairs = list(columns)
    if len(pairs) > COLUMNS:
        return f"a row of {len(pairs)} columns, more than the limit of {COLUMNS}"
    for name, value in pairs:
        if not isinstance(name, str) or name_fault(name):
            return f"column {shown(name)}: its name {name_fault(name) or 'is no text'}"
        if callable(value):
            continue
        try:
            column_value(value)
        except ValueProblem as error:
            return f"column {name!r}: {error}"
        if partition and name in partition and name_fault(str(value)):
            return f"column {name!r} is part of the partition's name and {name_fault(str(value))}"
    return None


def operation_fault(operation: Operation[Any], tables: Mapping[str, Any]) -> str | None:
    """What is wrong with an operation, or None. `tables` are the declared ones."""
    if isinstance(operation, (Read, Select, Insert, Update, Delete)):
        if not isinstance(operation.table, str):
            return f"touches table {shown(operation.table)}, expected the name of a table, a text"
        if operation.table not in tables:
            return f"touches table {operation.table!r}, which `tables` does not declare{near(operation.table, tables)}"
        return _statement_fault(operation, tables[operation.table])
    if isinstance(operation, (Judge, Fill)):
        fault = _text_fault("the read set R", operation.reads) or _theta_fault(operation.theta)
        if fault:
            return fault
        for vote in operation.votes if isinstance(operation, Judge) else (operation.vote,):
            try:
                column_value(vote)
            except ValueProblem as error:
                return f"the vote {shown(vote)}: {error}"
        return votes_fault(operation.votes) if isinstance(operation, Judge) and operation.votes else None
    if isinstance(operation, Callback):
        fault = _text_fault("the read set R", operation.reads) or _text_fault("the request", operation.request)
        winners = operation.winners
        if not all(type(winner) is int and winner >= 0 for winner in winners) or len(set(winners)) < len(winners):
            return f"winners are {shown(winners)}, expected indices from 0, each once"
        if len(winners) > VOTES:
            return f"has {len(winners)} winners, more than the limit of {VOTES}"
        return fault
    if isinstance(operation, Begin) and not isinstance(operation.isolation, str):
        return f"isolation {shown(operation.isolation)}, expected the name of a level"
    if isinstance(operation, Lock) and not isinstance(operation.name, str):
        return f"takes the lock {shown(operation.name)}, expected a name, a text"
    return None


def votes_fault(votes: tuple[Any, ...]) -> str | None:
    """What is wrong with the votes that a judge may answer. Votes that Python holds for equal (0 and False) are one."""
    if len(votes) > VOTES:
        return f"has {len(votes)} votes, more than the limit of {VOTES}"
    for index, vote in enumerate(votes):
        if vote in votes[:index]:
            other = votes[votes.index(vote)]
            return f"votes {shown(other)} and {shown(vote)} are equal, expected each vote once"
    return None


def _statement_fault(operation: Read | Select | Insert | Update | Delete, table: Any) -> str | None:
    key = None if isinstance(operation, Select) else operation.key
    if key is not None and name_fault(key):
        return f"the key {shown(key)} {name_fault(key)}"
    if isinstance(operation, Select):
        if operation.named is not None and operation.named not in table.predicates:
            return (
                f"selects by {shown(operation.named)}, which table {operation.table!r} does not declare as a predicate"
                f"{near(operation.named, table.predicates)}"
            )
        if operation.top is not None and (type(operation.top) is not int or operation.top < 1):
            return f"top is {shown(operation.top)}, expected a number from 1"
        from .store import select_name

        name = select_name(operation, table)
        if name_fault(name):
            return f"what it selects by is the name of a predicate, which {name_fault(name)}"
        return None
    if isinstance(operation, (Update, Delete)) and not isinstance(operation.expect, str | None):
        return f"expects version {shown(operation.expect)}, expected a row that was read, or its version"
    if isinstance(operation, (Insert, Update, Delete)) and operation.operator not in (None, *OPERATORS):
        return f"operator {shown(operation.operator)}, expected one of {', '.join(OPERATORS)}"
    if isinstance(operation, (Insert, Update)):
        if operation.prov is not None:
            fault = prov_fault(operation.prov)
            if fault:
                return fault
        if isinstance(operation, Insert) and any(callable(value) for _, value in operation.columns):
            return "inserts a column that is a function: only an update has a row to compute it from"
        return columns_fault(operation.columns, table.partition)
    return None


def prov_fault(prov: object) -> str | None:
    """What is wrong with a provenance, which is a polynomial over source tokens (SEMANTICS §1)."""
    if not isinstance(prov, str):
        return f"prov {shown(prov)}, expected a text: a polynomial over sources, as p1+p2"
    fault = polynomial_fault(prov)
    return None if fault is None else f"prov {shown(prov)} is no polynomial over sources: {fault}"


def _text_fault(what: str, text: object) -> str | None:
    fault = name_fault(text)
    return None if fault is None else f"{what} {fault}"


def _theta_fault(theta: object) -> str | None:
    try:
        column_value(theta)
    except ValueProblem as error:
        return f"the decoder θ: {error}"
    return None if isinstance(theta, str) else f"the decoder θ is {shown(theta)}, expected a value"
