"""Levels under a version order that is given, and timestamps of snapshot isolation, once more: by trying every commit
order, and by comparing every two transactions. Nothing of `histories.orders*` or of `evidence_times` is used."""

from __future__ import annotations

from itertools import combinations, permutations

from history_oracle import Case, _world, admits

from toki_verify.histories.columns import ABORTED, COMMITTED, UNKNOWN

#: Of each key the values whose order among themselves is given.
Orders = dict[str, list[int]]


def finals(case: Case, t: int) -> dict[str, list[int]]:
    """The values that a transaction installs: the last of each key, of lists all."""
    made: dict[str, list[int]] = {}
    for kind, key, value in case.txns[t].ops:
        if kind == "w":
            made[key] = [*made.get(key, []), value] if case.append else [value]
    return made


def of_times(case: Case) -> Orders:
    """What is installed, by the end of its transaction; of lists behind what reads show."""
    orders: Orders = {key: [] for txn in case.txns for _, key, _ in txn.ops}
    committed = [t for t, txn in enumerate(case.txns) if txn.outcome == COMMITTED]
    for t in sorted(committed, key=lambda t: case.txns[t].ended):
        for key, values in finals(case, t).items():
            orders[key] += values
    return behind_lists(case, orders)


def behind_lists(case: Case, orders: Orders) -> Orders:
    """The orders, behind what lists show; of a list with an element that no list shows, of a transaction of unknown
    outcome of which something was seen, only what lists show."""
    if not case.append:
        return orders
    shown = dict(case.orders)
    seen = {(key, value) for txn in case.txns for kind, key, value in txn.ops if kind == "r"}
    seen |= {(key, value) for key, values in shown.items() for value in values}
    result: Orders = {}
    for key, values in orders.items():
        known = list(shown.get(key, ()))
        rest = [value for value in values if value not in known]
        for t, txn in enumerate(case.txns):
            own = [(k, v) for k, made in finals(case, t).items() for v in made]
            loose = any(k == key and v not in known and v not in values for k, v in own)
            if txn.outcome == UNKNOWN and loose and seen & set(own):
                rest = []
        result[key] = known + rest
    return result


def holds_with(case: Case, level: str, orders: Orders) -> bool:
    """Whether some set of the transactions of unknown outcome, with the committed ones, has a commit order that the
    level allows and that puts the versions in the orders."""
    unknown = [t for t, txn in enumerate(case.txns) if txn.outcome == UNKNOWN]
    committed = [t for t, txn in enumerate(case.txns) if txn.outcome == COMMITTED]
    return any(
        _some_order(case, sorted([*committed, *more]), level, orders)
        for count in range(len(unknown) + 1)
        for more in combinations(unknown, count)
    )


def _some_order(case: Case, txns: list[int], level: str, orders: Orders) -> bool:
    found = _world(case, txns)
    if found is None:
        return False
    world = found

    def extends(order: tuple[int, ...]) -> bool:
        if len(order) == len(txns):
            return _agrees(case, order, orders)
        return any(
            extends((*order, t))
            for t in txns
            if t not in order and admits(case, world, (*order, t), level, realtime=False)
        )

    return extends(())


def _agrees(case: Case, order: tuple[int, ...], orders: Orders) -> bool:
    """Whether a commit order puts the versions in the orders; a list begins with what reads show, and what is not in
    its order stands behind that."""
    for key, known in orders.items():
        made = [value for t in order for value in finals(case, t).get(key, [])]
        among = [value for value in made if value in known]
        if among != [value for value in known if value in among]:
            return False
        shown = dict(case.orders).get(key, ()) if case.append else ()
        if tuple(made[: len(shown)]) != tuple(shown):
            return False
    return True


def shows_si(case: Case, begun: list[int], ended: list[int], *, realtime: bool = False) -> bool:
    """Whether start and commit times show SI, each two transactions compared: Li et al. 2025, definitions of INT, EXT,
    NOCONFLICT and SESSION, with `committed at or before the start` for what a transaction sees."""
    there = [t for t, txn in enumerate(case.txns) if ended[t] >= 0]

    def place(t: int) -> tuple[int, int]:
        return ended[t], begun[t]  # What starts when others commit sees them, so it is behind them.

    if any((txn.outcome == COMMITTED) > (t in there) for t, txn in enumerate(case.txns)):
        return False
    if any(case.txns[t].outcome == ABORTED or not 0 <= begun[t] <= ended[t] for t in there):
        return False
    wrote = {(key, value): t for t, txn in enumerate(case.txns) for kind, key, value in txn.ops if kind == "w"}
    for a, b in combinations(there, 2):
        if case.txns[a].session == case.txns[b].session is not None and ended[a] > begun[b]:
            return False
        apart = ended[a] <= begun[b] or ended[b] <= begun[a]
        if not apart and finals(case, a).keys() & finals(case, b).keys():
            return False
        at_once = begun[a] == ended[a] == begun[b] == ended[b]  # Each sees the other.
        same = case.txns[a].session == case.txns[b].session is not None
        if at_once and finals(case, b) and (finals(case, a) or same):
            return False
    for a, b in permutations(there, 2) if realtime else ():
        if -1 < case.txns[a].ended < case.txns[b].begun and (
            ended[a] > begun[b] or (begun[a] == ended[a] == ended[b] and finals(case, b))
        ):
            return False
    for t in there:
        own: dict[str, int] = {}
        for kind, key, value in case.txns[t].ops:
            if kind == "w":
                own[key] = value
            elif key in own and (not case.append or wrote.get((key, value)) == t):
                if own[key] != value:
                    return False
            else:
                seen = [u for u in there if u != t and key in finals(case, u) and ended[u] <= begun[t]]
                last = max(seen, key=place, default=-1)
                if value != (finals(case, last)[key][-1] if last >= 0 else 0):
                    return False
    for key, known in case.orders:
        made = [v for t in sorted(there, key=place) for v in finals(case, t).get(key, [])]
        among = made[: len(known)] if case.append else [value for value in made if value in known]
        if among != (list(known) if case.append else [value for value in known if value in among]):
            return False
    return True
