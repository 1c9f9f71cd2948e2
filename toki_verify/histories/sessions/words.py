"""Why a session level fails, in sentences: transactions by name, values, and lines of the file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..columns import READ, History
from .edges import Edge
from .names import brief, transaction


def operation(history: History, number: int, txn: int) -> str:
    """One operation of a transaction: "T1 reads x=3 (line 7)"."""
    verb = "reads" if history.kind[number] == READ else "appends" if history.model == "append" else "writes"
    key, value = brief(history.keys[int(history.key[number])]), brief(history.values[int(history.version[number])])
    line = f" (line {int(history.line[number])})" if history.line[number] > 0 else ""
    return f"{transaction(history, txn)} {verb} {key}={value}{line}"


def edge_in_words(history: History, edge: Edge) -> str:
    """One edge as a sentence without a full stop, that ends in what it puts before what."""
    source, target = transaction(history, edge.source), transaction(history, edge.target)
    last = f": {source} before {target}"
    key = brief(history.keys[edge.key]) if edge.key >= 0 else ""
    if edge.kind == "so":
        return f"{source} comes before {target} in session {_session(history, edge)}"
    if edge.kind == "initial":
        return f"the initial version of every key comes before {target}"
    if edge.kind == "rt":
        return f"{source} ended before {target} began"
    if edge.kind == "wr":
        return f"{operation(history, edge.operations[-1], edge.target)}, which {source} wrote{last}"
    if edge.kind == "ww":
        writes = [operation(history, number, txn) for number, txn in
                  zip(edge.operations, (edge.source, edge.target), strict=True)]  # fmt: skip
        if edge.chosen:
            return f"if {writes[0]} and {writes[1]} in this order{last}"
        return f"{writes[0]}, and {writes[1]} over it or later{last}"
    if edge.kind == "rw":
        read = operation(history, edge.operations[0], edge.source)
        write = operation(history, edge.operations[1], edge.target)
        condition = ", if this version is the later one" if edge.chosen else ""
        return f"{read}, which {write} replaces{condition}: {source} did not see {target}"
    seen = edge.operations[0]
    reads = operation(history, seen, _owner(history, seen))
    return f"{reads}, which {target} wrote, and must have seen {source}, which writes {key}, too{last}"


def cycle_in_words(history: History, cycle: Sequence[Edge]) -> str:
    """A cycle as one sentence."""
    return "; ".join(edge_in_words(history, edge) for edge in cycle) + ". That is a cycle."


def cases_in_words(history: History, cases: Sequence[Sequence[Edge]]) -> str:
    """Cycles, one of which every order of the versions closes."""
    if not cases:
        return ""
    if len(cases) == 1:
        return cycle_in_words(history, cases[0])
    head = f"Every order of the versions closes one of {len(cases)} cycles."
    return "\n".join([head, *(f"{at}. {cycle_in_words(history, case)}" for at, case in enumerate(cases, 1))])


def lost_in_words(history: History, reads: Sequence[int]) -> str:
    """Two reads of one version whose transactions both overwrite it."""
    one, two = (_owner(history, read) for read in reads)
    return (
        f"{operation(history, reads[0], one)}, and {operation(history, reads[1], two)}; both write the key. "
        "Whichever commits second overwrites a version that it did not see: a lost update."
    )


def _session(history: History, edge: Edge) -> str:
    return brief(str(history.sessions[int(history.session[edge.source])]))


def _owner(history: History, number: int) -> int:
    """The transaction of an operation."""
    return int(np.searchsorted(history.first, number, side="right")) - 1
