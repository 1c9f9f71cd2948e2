"""Algorithm 1 line by line as the seed prints it (TOKI 2026, §3.4), on rows in a tuple and a log in another.

Nothing is added: no check before line 1, the duplicate check first, the log appended to and never read, a winning
incumbent untouched. `stores/write_path.py` is the write path that people use; the two are compared on small histories.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..algebra import Fact, Resolution, Semiring, contradicts, operator
from ..algebra.audit import pack
from ..algebra.errors import SeveralIncumbents
from ..algebra.oracles import Oracle, ask
from .small_facts import MULTIDEGREE


@dataclass(frozen=True)
class Memory:
    """The table and the judge log."""

    rows: tuple[Fact[Any], ...] = ()
    #: ((R, θ), v) in the order in which they were appended; R is the pair of ids in its order (Appendix C.5).
    log: tuple[tuple[tuple[str, ...], int], ...] = ()


def ingest(
    memory: Memory,
    f: Fact[Any],
    ts: datetime,
    *,
    carrier: Semiring[Any] = MULTIDEGREE,
    oracles: Mapping[str, Oracle] | None = None,
    mode: str = "audit_row",
    lines: list[int] | None = None,
) -> tuple[Memory, Resolution[Any] | None]:
    """What lines 1 to 23 make of a fact; comments are their numbers, and `lines` gets those that read, ask, write,
    commit or return. Raises what an operator raises, SeveralIncumbents, and InvalidPeriod where line 19 would close a
    row at or before its start."""
    trace = [] if lines is None else lines
    partition = (row for row in memory.rows if row.partition == f.partition)
    trace.append(1)
    o = [row for row in partition if row.row_kind == "current" and row.is_open]  # 1
    if any(r.object == f.object and r.valid.overlaps(f.valid) for r in o):  # 2
        trace.append(3)
        return memory, None  # 3
    c = [r for r in o if contradicts(r, f)]  # 5
    if not c:  # 6
        trace.append(7)
        return Memory((*memory.rows, f), memory.log), None  # 7
    if len(c) > 1:  # 8
        trace.append(9)
        raise SeveralIncumbents(f"{len(c)} incumbents", "one")  # 9
    r = c[0]  # 11
    trace.append(12)
    op = operator(f.resolution_strategy_id)  # 12
    log, vote = memory.log, None
    if op.asks:  # 13
        trace.append(14)
        v = ask((oracles or {})[op.id], (r, f))  # 14: always asked,
        log = (*log, ((r.fact_id, f.fact_id), v))  # and appended
        vote = v
    resolution = op.resolve(r, f, now=ts, carrier=carrier, oracle=lambda members: vote or 0)  # 16, 17
    rows = list(memory.rows)
    if resolution.loser is r:  # 18
        trace.append(19)
        rows[rows.index(r)] = r.closed(ts)  # 19
        rows.append(resolution.winner)
    if mode == "audit_row":
        trace.append(21)
        rows.append(pack(resolution.audit, resolution.loser))  # 21
    trace += [22, 23]
    return Memory(tuple(rows), log), resolution  # 22, 23
