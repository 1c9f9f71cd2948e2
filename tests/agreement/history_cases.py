"""Histories to try: all small ones, and random ones that come near the borders between the session levels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

from history_oracle import Case, Op, Txn

from toki_verify.histories.columns import ABORTED, COMMITTED, UNKNOWN


def small_cases(operations: int) -> Iterator[Case]:
    """All histories of so many operations in up to three transactions, two keys, two sessions; named alike up to the
    names of keys. Reads see any version of the key, the initial one included."""
    for sizes in _compositions(operations):
        for sessions in _sessions(len(sizes)):
            for shape in product(("rx", "wx", "ry", "wy"), repeat=operations):
                touched = [kind[1] for kind in shape]
                if touched[0] != "x":  # The first key that is touched is called x.
                    continue
                values = [at + 1 if kind[0] == "w" else 0 for at, kind in enumerate(shape)]
                choices = [
                    [values[at]]
                    if kind[0] == "w"
                    else [0, *(other + 1 for other, k in enumerate(shape) if k == "w" + kind[1])]
                    for at, kind in enumerate(shape)
                ]
                for seen in product(*choices):
                    ops = [(kind[0], kind[1], value) for kind, value in zip(shape, seen, strict=True)]
                    yield Case(tuple(Txn(part, session) for part, session in
                                     zip(_split(ops, sizes), sessions, strict=True)))  # fmt: skip


def _compositions(total: int) -> Iterator[tuple[int, ...]]:
    yield (total,)
    for first in range(1, total):
        yield (first, total - first)
        for second in range(1, total - first):
            yield (first, second, total - first - second)


def _sessions(count: int) -> Iterator[tuple[int | None, ...]]:
    yield tuple([None] * count)
    if count > 1:
        yield tuple([0] * count)
    if count > 2:
        yield from [(0, 0, 1), (0, 1, 0), (1, 0, 0)]


def _split(ops: list[Op], sizes: tuple[int, ...]) -> Iterator[tuple[Op, ...]]:
    begin = 0
    for size in sizes:
        yield tuple(ops[begin : begin + size])
        begin += size


def random_case(
    rng: Random,
    *,
    transactions: int = 5,
    keys: int = 2,
    operations: int = 4,
    outcomes: bool = False,
    orders: bool = False,
    append: bool = False,
    timed: bool = False,
    blind: float = 0.5,
) -> Case:
    """A history that some store might show: transactions commit one after another, and each reads from a prefix of
    those before it, from a causally closed set, or from any; sometimes a read is then changed. `blind`: how often a
    write is not preceded by a read of its key."""
    mode = rng.choice(["all", "prefix", "prefix", "closed", "fork", "any", "read"])
    if mode == "fork":
        return replace(_fork(rng, max(4, transactions), keys, append), timed=timed)
    count = rng.randint(2, transactions)
    sessions = rng.choice([0, 1, 2, 2, 3])
    session = [rng.randrange(sessions) if sessions and rng.random() < 0.9 else None for _ in range(count)]
    sees: list[set[int]] = []
    installed: list[dict[str, int]] = []
    lists: dict[str, list[int]] = {}
    txns: list[Txn] = []
    value = 0
    for t in range(count):
        visible = _visible(rng, mode, t, session, sees)
        ops: list[Op] = []
        own: dict[str, int] = {}
        for _ in range(rng.randint(1, operations)):
            key = "xyz"[rng.randrange(keys)]
            if mode == "read":
                visible = _visible(rng, "prefix", t, session, sees) | visible
            seen = next((installed[u][key] for u in sorted(visible, reverse=True) if key in installed[u]), 0)
            if key in own and not (append and rng.random() < 0.5):
                seen = own[key]
            if rng.random() < 0.5:
                if rng.random() >= blind:
                    ops.append(("r", key, seen))
                value += 1
                ops.append(("w", key, value))
                own[key] = value
                lists.setdefault(key, []).append(value)
            else:
                ops.append(("r", key, seen))
        sees.append({*visible, *(w for u in visible for w in sees[u])} if mode == "closed" else set(visible))
        installed.append(own)
        begun = 2 * t - rng.choice([0, 0, 1, 3, 5])
        txns.append(Txn(tuple(ops), session[t], COMMITTED, max(0, begun), 2 * t + rng.choice([0, 1, 1, 3, 5])))
    if rng.random() < 0.2:
        txns = _changed(rng, txns, lists)
    if outcomes:
        txns = [Txn(x.ops, x.session, rng.choice([COMMITTED, COMMITTED, COMMITTED, UNKNOWN, UNKNOWN, ABORTED]), x.begun,
                    x.ended) for x in txns]  # fmt: skip
    known: list[tuple[str, tuple[int, ...]]] = []
    if orders:
        known = _orders(rng, txns, lists, append)
    order = list(range(count))
    if rng.random() < 0.5:  # Numbers of transactions say nothing, but session order has to stay.
        rng.shuffle(order)
        for number in set(session):
            places = [at for at, t in enumerate(order) if session[t] == number]
            if number is not None:
                for at, t in zip(places, sorted(order[at] for at in places), strict=True):
                    order[at] = t
    return Case(tuple(txns[t] for t in order), tuple(known), append, timed)


def _fork(rng: Random, count: int, keys: int, append: bool) -> Case:
    """Writers of single keys, and readers of all keys that each see some of them: near long forks."""
    written: dict[str, list[int]] = {}
    txns = []
    for t in range(count):
        key = "xyz"[t % keys]
        if t < count // 2:
            written.setdefault(key, []).append(t + 1)
            txns.append(Txn((("w", key, t + 1),), None if rng.random() < 0.8 else 0, COMMITTED, 2 * t, 2 * t + 1))
        else:
            ops = tuple(("r", k, rng.choice([0, *written.get(k, [])])) for k in "xyz"[:keys])
            more = (("w", rng.choice("xyz"[:keys]), t + 1),) if rng.random() < 0.2 else ()
            txns.append(Txn(ops + more, rng.choice([None, None, 0, 1]), COMMITTED, rng.randint(0, 2 * t), 2 * t + 1))
    if not append:
        return Case(tuple(txns))
    seen = [(key, value) for txn in txns for kind, key, value in txn.ops if kind == "r" and value]
    shown = {k: max((values.index(v) + 1 for q, v in seen if q == k), default=0) for k, values in written.items()}
    return Case(tuple(txns), tuple((k, tuple(written[k][:n])) for k, n in shown.items()), append)


def _visible(rng: Random, mode: str, t: int, session: list[int | None], sees: list[set[int]]) -> set[int]:
    before = {u for u in range(t) if session[u] == session[t] is not None}
    if mode in ("prefix", "read"):
        return set(range(rng.randint(max(before, default=-1) + 1, t)))
    if mode == "all":
        return set(range(t))
    chosen = {u for u in range(t) if rng.random() < 0.5} | (before if rng.random() < 0.9 else set())
    if mode == "closed":
        chosen |= {w for u in chosen for w in sees[u]}
    return chosen


def _changed(rng: Random, txns: list[Txn], lists: dict[str, list[int]]) -> list[Txn]:
    t = rng.randrange(len(txns))
    at = rng.randrange(len(txns[t].ops))
    kind, key, _ = txns[t].ops[at]
    if kind == "w":
        return txns
    ops = list(txns[t].ops)
    ops[at] = (kind, key, rng.choice([0, *lists.get(key, [])]))
    return [*txns[:t], Txn(tuple(ops), txns[t].session, txns[t].outcome, txns[t].begun, txns[t].ended), *txns[t + 1 :]]


def _orders(
    rng: Random, txns: list[Txn], lists: dict[str, list[int]], append: bool
) -> list[tuple[str, tuple[int, ...]]]:
    """Version orders: of registers of the last writes of committed transactions, of lists as far as somebody read."""
    known = []
    for key, values in lists.items():
        order = list(values)
        if rng.random() < 0.2:
            rng.shuffle(order)
        if append:
            counted = {v for x in txns if x.outcome == COMMITTED for kind, k, v in x.ops if (kind, k) == ("r", key)}
            longest = max((order.index(v) + 1 for v in counted if v in order), default=0)
            known.append((key, tuple(order[:longest])))
        else:
            last = {
                dict((k, v) for kind, k, v in x.ops if kind == "w").get(key) for x in txns if x.outcome == COMMITTED
            }
            known.append((key, tuple(v for v in order if v in last)))
    return known
