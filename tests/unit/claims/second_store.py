"""A second way to what levels allow: an operational store for programs, and conflict graphs built by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Any

from toki_verify.claims.serial_oracle import Program, Run
from toki_verify.events.kinds import Commit, Read, Write

Frozen = tuple[tuple[str, Any], ...]


def execute(program: Program, snapshot: Mapping[str, Any]) -> dict[str, Any]:
    """What a program writes if all of its reads see one state."""
    seen: dict[str, Any] = {}
    writes: dict[str, Any] = {}
    for step in program.steps:
        if step.value is None:
            seen[step.item] = writes.get(step.item, snapshot[step.item])
        elif (value := step.value(seen)) is not None:
            seen[step.item] = writes[step.item] = value
    return writes


def snapshot_isolation(programs: tuple[Program, ...], initial: Mapping[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The states after each commit of every history in which each transaction reads a snapshot of an earlier state
    and nobody overwrites what was committed since (first committer wins)."""
    for order in permutations(programs):
        for snapshots in product(*(range(place + 1) for place in range(len(order)))):
            states, written = [dict(initial)], []
            for program, taken in zip(order, snapshots, strict=True):
                writes = execute(program, states[taken])
                if any(set(writes) & set(other) for other in written[taken:]):
                    break
                written.append(writes)
                states.append({**states[-1], **writes})
            else:
                yield states


def serial(programs: tuple[Program, ...], initial: Mapping[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The states after each commit of every serial history."""
    for order in permutations(programs):
        states = [dict(initial)]
        for program in order:
            states.append({**states[-1], **execute(program, states[-1])})
        yield states


def finals(histories: Iterator[list[dict[str, Any]]]) -> set[Frozen]:
    """The final states."""
    return {tuple(sorted(states[-1].items())) for states in histories}


def edges(run: Run, inside: frozenset[str] | None = None) -> set[tuple[str, str, str, str]]:
    """wr, ww and rw as (kind, item, from, to), of the items `inside`, from the events alone. All transactions commit; a
    version is named by its writer, its place is that of the writer's last write."""
    last: dict[tuple[str, str], int] = {}
    for place, event in enumerate(run.events):
        if isinstance(event, Write):
            last[event.item.name, event.txn] = place
    found = {
        ("ww", item, one, two)
        for item, one in last
        for other, two in last
        if other == item and last[item, one] < last[item, two]
    }
    for event in run.events:
        if isinstance(event, Read) and event.version != event.txn:
            item, version = event.item.name, str(event.version)
            at = -1 if version == "0" else last[item, version]
            if version != "0":
                found.add(("wr", item, version, event.txn))
            found |= {
                ("rw", item, event.txn, w) for name, w in last if name == item and w != event.txn and last[item, w] > at
            }
    return {edge for edge in found if edge[2] != edge[3] and (inside is None or edge[1] in inside)}


def serializable(found: set[tuple[str, str, str, str]], count: int) -> bool:
    """Whether some order of the transactions respects every edge."""
    names = [str(number) for number in range(1, count + 1)]
    return any(all(order.index(one) < order.index(two) for _, _, one, two in found) for order in permutations(names))


def snapshots_exist(found: set[tuple[str, str, str, str]], count: int) -> bool:
    """Whether starts and commits can be ordered: each start before its commit, a commit before the start of what
    depends on it, and of an anti-dependency the start before the commit."""
    points = [(kind, str(number)) for number in range(1, count + 1) for kind in ("start", "commit")]
    for order in permutations(points):
        at = {point: place for place, point in enumerate(order)}
        if all(at["start", str(n)] < at["commit", str(n)] for n in range(1, count + 1)) and all(
            at["start", one] < at["commit", two] if kind == "rw" else at["commit", one] < at["start", two]
            for kind, _, one, two in found
        ):
            return True
    return False


def dirty(run: Run) -> bool:
    """Whether something uncommitted is overwritten or read; no program writes an item twice."""
    open_: dict[str, str] = {}
    for event in run.events:
        if isinstance(event, Commit):
            open_ = {item: txn for item, txn in open_.items() if txn != event.txn}
        elif isinstance(event, Write):
            if open_.get(event.item.name, event.txn) != event.txn:
                return True
            open_[event.item.name] = event.txn
        elif isinstance(event, Read) and event.version != event.txn and open_.get(event.item.name) == event.version:
            return True
    return False


def write_skew(found: set[tuple[str, str, str, str]]) -> bool:
    """Two anti-dependencies, there and back, on different items."""
    rw = [edge[1:] for edge in found if edge[0] == "rw"]
    return any(a == d and b == c and x != y for x, a, b in rw for y, c, d in rw)
