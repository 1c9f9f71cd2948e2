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
    """The positions in an order that every pair of the relation respects; None if there is a cycle.

    Depth first; every position is entered once and sees its successors as one mask, so that dense relations cost no
    more than their rows.
    """
    new = (1 << len(rows)) - 1
    open_ = 0
    out: list[int] = []
    for root in range(len(rows) - 1, -1, -1):
        if not new >> root & 1:
            continue
        stack = [root]
        new ^= 1 << root
        open_ |= 1 << root
        while stack:
            position = stack[-1]
            row = rows[position]
            if row & open_:
                return None
            following = row & new
            if following:
                later = following.bit_length() - 1
                new ^= 1 << later
                open_ |= 1 << later
                stack.append(later)
            else:
                stack.pop()
                open_ ^= 1 << position
                out.append(position)
    return out[::-1]


def path(rows: Rows, source: int, target: int, steps: int | None = None) -> list[int] | None:
    """A shortest path of at least one step from source to target, as the positions on it; None if there is none, or
    none of at most `steps` steps."""
    left = len(rows) + 1 if steps is None else steps
    before: dict[int, int] = {}
    frontier = [source]
    seen = 0
    while frontier and left:
        left -= 1
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
    # Nothing is shorter than a loop, and without loops nothing than a pair.
    least = 2 if any(row >> position & 1 for position, row in enumerate(rows)) else 3
    for position, row in enumerate(rows):
        if row:
            found = path(rows, position, position)
            if found is not None and (best is None or len(found) < len(best)):
                best = found
                if len(best) <= least:
                    break
    return best
