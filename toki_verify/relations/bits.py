"""Relations as rows of bits: row i is an integer whose bit j says that i is related to j."""

from __future__ import annotations

from collections.abc import Iterator

Rows = list[int]


def bits(mask: int) -> Iterator[int]:
    """The positions of the set bits, from the lowest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def join(one: Rows, other: Rows) -> Rows:
    """Composition."""
    alive = 0
    for position, row in enumerate(other):
        if row:
            alive |= 1 << position
    out = []
    for row in one:
        found = 0
        row &= alive
        while row:
            low = row & -row
            found |= other[low.bit_length() - 1]
            row ^= low
        out.append(found)
    return out


def converse(rows: Rows, width: int) -> Rows:
    """The converse; `width` is the number of columns."""
    out = [0] * width
    for position, row in enumerate(rows):
        mark = 1 << position
        while row:
            low = row & -row
            out[low.bit_length() - 1] |= mark
            row ^= low
    return out


def closure(rows: Rows) -> Rows:
    """The transitive closure (Warshall)."""
    out = list(rows)
    if not any(out):
        return out
    for middle in range(len(out)):
        through, mark = out[middle], 1 << middle
        if through:
            for position, row in enumerate(out):
                if row & mark:
                    out[position] = row | through
    return out


def order(rows: Rows) -> list[int] | None:
    """The positions in an order that every pair of the relation respects, smallest first; None if there is a cycle."""
    incoming = [0] * len(rows)
    for row in rows:
        for position in bits(row):
            incoming[position] += 1
    from heapq import heapify, heappop, heappush

    ready = [position for position, count in enumerate(incoming) if not count]
    heapify(ready)
    out = []
    while ready:
        position = heappop(ready)
        out.append(position)
        for later in bits(rows[position]):
            incoming[later] -= 1
            if not incoming[later]:
                heappush(ready, later)
    return out if len(out) == len(rows) else None


def path(rows: Rows, source: int, target: int) -> list[int] | None:
    """A shortest path of at least one step from source to target, as the positions on it; None if there is none."""
    before: dict[int, int] = {}
    frontier = [source]
    seen = 0
    while frontier:
        following = []
        for position in frontier:
            new = rows[position] & ~seen
            seen |= new
            for later in bits(new):
                before[later] = position
                if later == target:
                    out = [target]
                    while True:
                        out.append(before[out[-1]])
                        if out[-1] == source:
                            return out[::-1]
                following.append(later)
        frontier = following
    return None


def shortest_cycle(rows: Rows) -> list[int] | None:
    """A shortest cycle, as positions with the first repeated at the end; None if there is none."""
    best: list[int] | None = None
    for position, row in enumerate(rows):
        if row:
            found = path(rows, position, position)
            if found is not None and (best is None or len(found) < len(best)):
                best = found
    return best
