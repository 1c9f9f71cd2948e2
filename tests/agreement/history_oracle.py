"""Black-box histories as plain tuples, and the session levels of them by trying every commit order.

The axioms are those of Biswas and Enea 2019 and of Cerone, Bernardi and Gotsman 2015 (PSI), word by word; nothing of
`toki_verify.histories.sessions` is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from toki_verify.histories.builder import assemble
from toki_verify.histories.columns import ABORTED, COMMITTED, READ, UNKNOWN, WRITE, History

LEVELS = ("RC", "RA", "CC", "PC", "PSI", "SI", "SER")
#: An operation: "r" or "w", a key, a value. Value 0 is the initial version.
Op = tuple[str, str, int]


@dataclass(frozen=True)
class Txn:
    """A transaction: operations, its session (None: of none), its outcome; begin and end, if there is real time."""

    ops: tuple[Op, ...]
    session: int | None = None
    outcome: int = COMMITTED
    begun: int = 0
    ended: int = -1


@dataclass(frozen=True)
class Case:
    """Transactions, those of one session in session order. `orders`: per key the values in version order, as far as it
    is known; values of lists that are left out stand behind them. `append`: keys are lists, and a read names the last
    element, or behind own appends the one before them (or the last of its own, which says nothing)."""

    txns: tuple[Txn, ...]
    orders: tuple[tuple[str, tuple[int, ...]], ...] = ()
    append: bool = False
    timed: bool = False

    def __str__(self) -> str:
        parts = []
        for number, txn in enumerate(self.txns, 1):
            ops = " ".join(f"{kind}({key},{value})" for kind, key, value in txn.ops)
            parts.append(f"T{number}[s{txn.session} {'acu'[txn.outcome]} {txn.begun}-{txn.ended}: {ops}]")
        return " ".join(parts) + (f" orders {dict(self.orders)}" if self.orders else "") + (" append" * self.append)


def history_of(case: Case) -> History:
    """The history of a case, through the builder of all readers."""
    rows = [(t, *op) for t, txn in enumerate(case.txns) for op in txn.ops]
    keys = sorted({key for _, _, key, _ in rows} | {key for key, _ in case.orders})
    values = sorted({value for *_, value in rows if value})
    sessions = sorted({txn.session for txn in case.txns if txn.session is not None})
    history = assemble(
        format="test",
        source="",
        session=np.array([-1 if t.session is None else sessions.index(t.session) for t in case.txns], np.int32),
        outcome=np.array([txn.outcome for txn in case.txns], np.int8),
        txn=np.array([t for t, *_ in rows], np.int32),
        kind=np.array([READ if kind == "r" else WRITE for _, kind, _, _ in rows], np.int8),
        key=np.array([keys.index(key) for _, _, key, _ in rows], np.int32),
        value=np.array([values.index(value) if value else -1 for *_, value in rows], np.int32),
        line=np.arange(1, len(rows) + 1, dtype=np.int32),
        keys=keys,
        values=[str(value) for value in values],
        transactions=[str(number) for number in range(1, len(case.txns) + 1)],
        sessions=[str(session) for session in sessions],
        initial="nil",
        begun=np.array([txn.begun for txn in case.txns], np.int64) if case.timed else None,
        ended=np.array([txn.ended for txn in case.txns], np.int64) if case.timed else None,
    )
    rank = history.rank.copy()
    for key, order in case.orders:
        for version in range(len(keys), len(rank)):
            if keys[history.version_key[version]] == key and int(history.values[version]) in order:
                rank[version] = 1 + order.index(int(history.values[version]))
    return replace(history, rank=rank, model="append" if case.append else "register")


def holds(case: Case, level: str, *, realtime: bool = False) -> bool:
    """Whether some set of the transactions of unknown outcome, with the committed ones, has a commit order that the
    level allows."""
    unknown = [t for t, txn in enumerate(case.txns) if txn.outcome == UNKNOWN]
    committed = [t for t, txn in enumerate(case.txns) if txn.outcome == COMMITTED]
    return any(
        _some_order(case, sorted([*committed, *more]), level, realtime)
        for count in range(len(unknown) + 1)
        for more in combinations(unknown, count)
    )


def _some_order(case: Case, txns: list[int], level: str, realtime: bool) -> bool:
    """Every order is tried, from its beginning on: what an axiom says of a reader, those before it decide."""
    found = _world(case, txns)
    if found is None:
        return False
    world = found

    def extends(order: tuple[int, ...]) -> bool:
        if len(order) == len(txns):
            return fits(case, order, whole=True)
        return any(
            extends((*order, t))
            for t in txns
            if t not in order
            and admits(case, world, (*order, t), level, realtime)
            and fits(case, (*order, t), whole=False)
        )

    return extends(())


@dataclass(frozen=True)
class World:
    """What a set of transactions did: reads (reader, place among its reads, key, writer or -1), who writes what, so."""

    reads: tuple[tuple[int, int, str, int], ...]
    writes: dict[int, frozenset[str]]
    so: frozenset[tuple[int, int]]


def _world(case: Case, txns: list[int]) -> World | None:
    """What the transactions did; None if a read saw what no level lets it see."""
    wrote = {(key, value): t for t in txns for kind, key, value in case.txns[t].ops if kind == "w"}
    final = {(t, key): value for t in txns for kind, key, value in case.txns[t].ops if kind == "w"}
    reads = []
    for t in txns:
        own: dict[str, int] = {}
        for place, (kind, key, value) in enumerate(case.txns[t].ops):
            if kind == "w":
                own[key] = value
            elif key in own and (not case.append or wrote.get((key, value)) == t):
                if own[key] != value:
                    return None
            elif value == 0:
                reads.append((t, place, key, -1))
            else:
                writer = wrote.get((key, value), t)
                if writer == t or final[writer, key] != value:
                    return None
                reads.append((t, place, key, writer))
    so = {(a, b) for a, b in combinations(txns, 2) if case.txns[a].session == case.txns[b].session is not None}
    writes = {t: frozenset(key for kind, key, _ in case.txns[t].ops if kind == "w") for t in txns}
    return World(tuple(reads), writes, frozenset(so))


def fits(case: Case, order: tuple[int, ...], *, whole: bool) -> bool:
    """Whether the versions of lists, in this commit order, begin with the order that is known, and those of registers
    have it among themselves; of a beginning of a commit order (`whole` is false), whether they may come to."""
    for key, known in case.orders:
        seen = [value for t in order for kind, k, value in case.txns[t].ops if kind == "w" and k == key]
        if not case.append:  # Only the last write of a transaction installs a version.
            seen = [dict((k, v) for kind, k, v in case.txns[t].ops if kind == "w").get(key, 0) for t in order]
            seen = [value for value in seen if value in known]
        if tuple(seen[: len(known)]) != (known if whole else known[: len(seen)]):
            return False
    return True


def admits(case: Case, world: World, order: tuple[int, ...], level: str, realtime: bool) -> bool:
    """Whether the last transaction may stand where it does: all that must come before it does, and what the axiom of
    the level says of each of its reads holds."""
    place = {t: at for at, t in enumerate(order)} | {-1: -1}
    t3 = order[-1]
    times = {
        (a, b) for a in world.writes for b in order if realtime and -1 < case.txns[a].ended < case.txns[b].begun
    }  # fmt: skip
    wr = {(writer, reader) for reader, _, _, writer in world.reads if writer >= 0}
    if any(b == t3 and a not in order for a, b in world.so | wr | times):
        return False
    seen_by = world.so | wr | (times if level in ("PC", "PSI", "SI", "SER") else set())
    visible = {(a, b) for a, b in seen_by if a in place and b in place}
    before = {(a, b) for at, b in enumerate(order) for a in order[:at]}
    ww = {(a, b) for a, b in before if world.writes[a] & world.writes[b]}
    for reader, at, key, t1 in world.reads:
        if reader != t3:
            continue
        if level == "RC":
            seen = {w for other, earlier, _, w in world.reads if other == t3 and earlier < at}
        elif level == "RA":
            seen = {a for a, b in visible if b == t3}
        elif level == "CC":
            seen = {a for a, b in closure(visible, order) if b == t3}
        elif level == "PSI":
            seen = {a for a, b in closure(visible | ww, order) if b == t3}
        elif level in ("PC", "SI"):
            direct = {a for a, b in visible | (ww if level == "SI" else set()) if b == t3}
            seen = direct | {a for a, b in before if b in direct}
        else:
            seen = set(order[:-1])
        if any(t2 not in (-1, t1) and key in world.writes[t2] and place[t2] > place[t1] for t2 in seen):
            return False
    return True


def closure(edges: set[tuple[int, int]] | frozenset[tuple[int, int]], nodes: tuple[int, ...]) -> set[tuple[int, int]]:
    """The transitive closure."""
    result = set(edges)
    for middle in nodes:
        result |= {(a, b) for a, m in result if m == middle for n, b in result if n == middle}
    return result


OUTCOMES = (ABORTED, COMMITTED, UNKNOWN)
