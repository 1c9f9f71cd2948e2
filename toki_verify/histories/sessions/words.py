"""Why a session level fails, in sentences: transactions by name, values, and lines of the file.

Every sentence is true of the whole history, also where it is said of a part: what lies between two versions is not
said, since a part does not show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..columns import READ, History
from .edges import Edge
from .names import brief, transaction
from .reasons import Reasons

#: Steps of a chain that a sentence has; the rest is counted.
STEPS: Final = 6
#: In place of a reason that is too long to be told: an order of versions follows from others.
_INFERRED: Final = ", as the version orders that are left have it"


def operation(history: History, number: int, txn: int) -> str:
    """One operation of a transaction: "T1 reads x=3 (line 7)"."""
    return f"{transaction(history, txn)} {_done(history, number)}"


def told(history: History, cases: Iterable[Sequence[Edge]], *, realtime: bool = False) -> tuple[tuple[Edge, ...], ...]:
    """The cycles, their edges with all operations that the sentences about them mention, or count: of `forced` behind
    the read the write that it saw, the write of the source, and what makes the reader see the source."""
    reasons = Reasons(history, realtime=realtime)
    return tuple(tuple(_told(reasons, edge) for edge in case) for case in cases)


def _told(reasons: Reasons, edge: Edge) -> Edge:
    if edge.kind in ("ww", "rw") and not edge.chosen:
        read = reasons.overwriting(_first(reasons, edge), edge.operations[1])
        more = [] if read is None or read < 0 else [read]
        if more and edge.kind == "rw":
            more.append(_first(reasons, edge))
        return replace(edge, operations=tuple(dict.fromkeys((*edge.operations, *more))))
    if edge.kind != "forced":
        return edge
    read = edge.operations[0]
    writes = (int(reasons.history.writer[reasons.history.version[read]]), reasons.last_write(edge.source, edge.key))
    steps = [operation for step in reasons.steps(edge.source, read) for operation in reversed(step.operations)]
    more = [operation for operation in (*writes, *steps) if operation >= 0]
    return replace(edge, operations=tuple(dict.fromkeys((read, *more))))


def _first(reasons: Reasons, edge: Edge) -> int:
    """The write of the version that a ww or rw edge is about, -1 for the initial one."""
    if edge.kind == "ww":
        return edge.operations[0]
    return int(reasons.history.writer[reasons.history.version[edge.operations[0]]])


def edge_in_words(reasons: Reasons, edge: Edge) -> str:
    """One edge as a sentence without a full stop, that ends in what it puts before what."""
    history = reasons.history
    source, target = transaction(history, edge.source), transaction(history, edge.target)
    last = f": {source} before {target}"
    if edge.kind == "so":
        return f"{source} comes before {target} in session {_session(history, edge)}"
    if edge.kind == "initial":
        return f"the initial version of every key comes before {target}"
    if edge.kind == "rt":
        return f"{source} ended before {target} began"
    if edge.kind == "wr":
        return f"{_read(history, edge.operations[1], edge.target)}{last}"
    if edge.kind == "forced":
        return f"{_forced(reasons, edge)}{last}"
    first = operation(history, edge.operations[0], edge.source)
    write = operation(history, edge.operations[1], edge.target)
    behind = "behind it" if history.model == "append" else "over it or later"
    if not edge.chosen:
        behind += _overwriting(reasons, edge)
    if edge.kind == "ww":
        return f"if {first} and {write} in this order{last}" if edge.chosen else f"{first}, and {write} {behind}{last}"
    condition = ", if this version is the later one" if edge.chosen else f" {behind}"
    return f"{first}, and {write}{condition}: {source} did not see {target}"


def cycle_in_words(reasons: Reasons, cycle: Sequence[Edge]) -> str:
    """A cycle as one sentence."""
    return "; ".join(edge_in_words(reasons, edge) for edge in cycle) + ". That is a cycle."


def cases_in_words(history: History, cases: Sequence[Sequence[Edge]], *, realtime: bool = False) -> str:
    """Cycles, one of which every order of the versions closes; `realtime`: real time was asked for."""
    reasons = Reasons(history, realtime=realtime)
    if not cases:
        return ""
    if len(cases) == 1:
        return cycle_in_words(reasons, cases[0])
    head = f"Every order of the versions closes one of {len(cases)} cycles."
    return "\n".join([head, *(f"{at}. {cycle_in_words(reasons, case)}" for at, case in enumerate(cases, 1))])


def lost_in_words(history: History, reads: Sequence[int]) -> str:
    """Two reads of one version whose transactions both overwrite it."""
    reasons = Reasons(history)
    parts = []
    for read, write in zip(reads, lost_writes(history, reads), strict=True):
        parts.append(f"{operation(history, read, reasons.owner(read))} and {_done(history, write)}")
    return f"{', and '.join(parts)}. Whichever commits second overwrites a version that it did not see: a lost update."


def lost_writes(history: History, reads: Sequence[int]) -> tuple[int, ...]:
    """Of each of the reads of a lost update the write with which its transaction overwrites what it read."""
    reasons = Reasons(history)
    return tuple(reasons.last_write(reasons.owner(read), int(history.key[read])) for read in reads)


def _forced(reasons: Reasons, edge: Edge) -> str:
    """The read behind a forced edge, and why its transaction sees the source of the edge."""
    history, read = reasons.history, edge.operations[0]
    reader = reasons.owner(read)
    write = reasons.last_write(edge.source, edge.key)
    seen = f"{transaction(history, edge.source)}, which {_done(history, write)}"
    steps = reasons.steps(edge.source, read)
    why = f", because {_chain(history, steps, read)}" if steps else _INFERRED
    return f"{_read(history, read, reader)}, and must have seen {seen}{why}"


def _overwriting(reasons: Reasons, edge: Edge) -> str:
    """Why one version stands behind another, where no list and no order says it."""
    history, write = reasons.history, _first(reasons, edge)
    read = reasons.overwriting(write, edge.operations[1])
    if read is None:
        return _INFERRED
    if read < 0:
        return ""
    seen = f"{transaction(history, reasons.owner(read))} has read {_value(history, read)}"
    if reasons.owner(read) == edge.target:
        return f", since {seen}{'' if edge.kind == 'ww' else f', {_writer(history, read)}'}"
    if edge.kind == "ww":
        return f", since {seen}, and no version may stand between that and its own"
    return f", since {seen}, then wrote {_value(history, write)}, and no version may stand between the two"


def _chain(history: History, steps: Sequence[Edge], read: int) -> str:
    """Why a transaction sees another one: from the reader of `read` back, step by step."""
    parts = []
    for number, step in enumerate(steps[:STEPS]):
        source, target = (transaction(history, txn) for txn in (step.source, step.target))
        if step.kind == "so":
            parts.append(f"{source} is before {target} in session {_session(history, step)}")
        elif step.kind == "rt":
            parts.append(f"{source} ended before {target} began")
        else:
            earlier = not number and step.operations[1] < read
            verb = "has read" if earlier else "reads"
            seen = _value(history, step.operations[1])
            parts.append(f"{target} {verb} {seen}, {_writer(history, step.operations[1])}")
    more = len(steps) - STEPS
    if more > 0:
        end = transaction(history, steps[-1].source)
        parts.append(f"… and {more} more step{'s' * (more > 1)} of this kind, back to {end}")
    return ", and ".join(parts) if more <= 0 else f"{', and '.join(parts[:-1])}, {parts[-1]}"


def _read(history: History, number: int, txn: int) -> str:
    """A read with the write that it saw: "T2 reads x=3 (line 7), which T1 wrote (line 2)"."""
    return f"{operation(history, number, txn)}, {_writer(history, number)}"


def _writer(history: History, read: int) -> str:
    """Who wrote what a read saw: "which T1 wrote (line 2)"."""
    write = int(history.writer[history.version[read]])
    if write < 0:
        return f"which {transaction(history, -1)} wrote"
    return f"which {transaction(history, Reasons(history).owner(write))} wrote{_line(history, write)}"


def _done(history: History, number: int) -> str:
    """What an operation does: "reads x=3 (line 7)"."""
    verb = "reads" if history.kind[number] == READ else "appends" if history.model == "append" else "writes"
    return f"{verb} {_value(history, number)}"


def _value(history: History, number: int) -> str:
    """The key and the value of an operation, and its line: "x=3 (line 7)"."""
    key, value = brief(history.keys[int(history.key[number])]), brief(history.values[int(history.version[number])])
    return f"{key}={value}{_line(history, number)}"


def _line(history: History, number: int) -> str:
    return f" (line {int(history.line[number])})" if history.line[number] > 0 else ""


def _session(history: History, edge: Edge) -> str:
    return brief(str(history.sessions[int(history.session[edge.source])]))
