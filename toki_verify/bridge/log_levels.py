"""How far up the chain RU ⪯ RC ⪯ SI ⪯ SR a state of the protocol is, from its edges (SEMANTICS §2, §4).

Written for speed, so that a search can leave a history as soon as it falls below every level in question. It decides
nothing alone: what is reported is read again by the formulas of `levels/`, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .protocol import State

CHAIN: Final = ("RU", "RC", "SI", "SR")
Edge = tuple[str, str]


def edges(state: State) -> tuple[set[Edge], set[Edge]]:
    """Dependencies and anti-dependencies between committed transactions."""
    dep: set[Edge] = set()
    anti: set[Edge] = set()
    installed: dict[int, list[int]] = {}
    for number, version in enumerate(state.versions):
        if version.writer in state.committed:
            installed.setdefault(version.item, []).append(number)
    for numbers in installed.values():
        for place, number in enumerate(numbers):
            dep |= {(state.versions[number].writer, state.versions[later].writer) for later in numbers[place + 1 :]}
    for saw in state.saw:
        if saw.txn not in state.committed:
            continue
        seen_items = {state.versions[n].item for n in saw.rows if n >= 0}
        for seen in saw.rows:
            if seen < 0:
                anti |= {(saw.txn, state.versions[n].writer) for n in installed.get(0, ())}
                continue
            item, writer = state.versions[seen].item, state.versions[seen].writer
            if writer in state.committed and writer != saw.txn:
                dep.add((writer, saw.txn))
                anti |= {(saw.txn, state.versions[n].writer) for n in installed[item] if n > seen}
            if saw.predicate and writer in state.committed:  # the insert is what made the row match
                dep.add((state.versions[installed[item][0]].writer, saw.txn))
        if saw.predicate:
            for item, numbers in installed.items():
                if item not in seen_items:
                    anti |= {(saw.txn, state.versions[n].writer) for n in numbers}
    return {edge for edge in dep if edge[0] != edge[1]}, {edge for edge in anti if edge[0] != edge[1]}


def acyclic(found: Iterable[Edge]) -> bool:
    """Whether no transaction reaches itself."""
    after: dict[str, set[str]] = {}
    for one, other in found:
        if one == other:
            return False
        after.setdefault(one, set()).add(other)
    while after:
        last = [one for one, others in after.items() if not others & after.keys()]
        if not last:
            return False
        for one in last:
            del after[one]
    return True


def height(state: State, at_most: int = 3) -> int:
    """The number in `CHAIN` of the highest level of a state, if it is not above `at_most`."""
    if not at_most or state.dirty_write or state.dirty_read:
        return 0
    if at_most == 1:
        return 1
    dep, anti = edges(state)
    if at_most == 3 and acyclic(dep | anti):
        return 3
    timestamps = dep | {(one, end) for one, middle in dep for start, end in anti if start == middle}
    return 2 if acyclic(timestamps) else 1
