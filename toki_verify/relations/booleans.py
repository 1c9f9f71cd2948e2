"""The Booleans over which the symbolic reading works: one interface, two implementations.

`Circuit` makes gates over unknown inputs: the bounded reading, solved by a SAT solver. `Lanes` makes whole numbers
whose bits are the same truth value in many schedules at once: the census. False is 0 in both, so that a relation
keeps only what is not plainly false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol


class Booleans(Protocol):
    """Truth values as whole numbers; 0 is false."""

    true: int

    def negate(self, one: int) -> int:
        """not one"""

    def both(self, one: int, other: int) -> int:
        """one and other"""

    def either(self, one: int, other: int) -> int:
        """one or other"""

    def all(self, values: Iterable[int]) -> int:
        """The conjunction; true of nothing."""

    def any(self, values: Iterable[int]) -> int:
        """The disjunction; false of nothing."""


class Lanes:
    """Truth values of `width` schedules at once: bit i is the value in schedule i."""

    def __init__(self, width: int) -> None:
        self.true = (1 << width) - 1

    def negate(self, one: int) -> int:
        return self.true ^ one

    def both(self, one: int, other: int) -> int:
        return one & other

    def either(self, one: int, other: int) -> int:
        return one | other

    def all(self, values: Iterable[int]) -> int:
        found = self.true
        for value in values:
            found &= value
        return found

    def any(self, values: Iterable[int]) -> int:
        found = 0
        for value in values:
            found |= value
        return found


class Circuit:
    """And-gates of any width over inputs, each distinct gate made once.

    A literal is `2 * node` or, negated, `2 * node + 1`; node 0 is false, so 0 is false and 1 is true. `gates[node]`
    is the tuple of literals it joins, or None for an input.
    """

    def __init__(self) -> None:
        self.true = 1
        self.gates: list[tuple[int, ...] | None] = [None]
        self._known: dict[tuple[int, ...], int] = {}

    def fresh(self) -> int:
        """A new input."""
        self.gates.append(None)
        return 2 * len(self.gates) - 2

    def negate(self, one: int) -> int:
        return one ^ 1

    def both(self, one: int, other: int) -> int:
        if one == 0 or other == 0 or one ^ other == 1:
            return 0
        if one == 1 or one == other:
            return other
        if other == 1:
            return one
        return self._gate((one, other) if one < other else (other, one))

    def either(self, one: int, other: int) -> int:
        return self.both(one ^ 1, other ^ 1) ^ 1

    def all(self, values: Iterable[int]) -> int:
        parts = set(values)
        parts.discard(1)
        if 0 in parts:
            return 0
        if not parts:
            return 1
        if len(parts) == 1:
            return parts.pop()
        if any(part ^ 1 in parts for part in parts):
            return 0
        return self._gate(tuple(sorted(parts)))

    def any(self, values: Iterable[int]) -> int:
        return self.all([value ^ 1 for value in values]) ^ 1

    def _gate(self, parts: tuple[int, ...]) -> int:
        found = self._known.get(parts)
        if found is None:
            self.gates.append(parts)
            found = self._known[parts] = 2 * len(self.gates) - 2
        return found

    def evaluate(self, values: list[bool]) -> None:
        """Extend the values of the first nodes, by node, to all: those of inputs beyond them are false."""
        for node in range(len(values), len(self.gates)):
            parts = self.gates[node]
            values.append(parts is not None and all(values[part >> 1] != bool(part & 1) for part in parts))

    def values(self, truth: Callable[[int], bool]) -> list[bool]:
        """The value of every node when `truth` gives those of the inputs, by node."""
        out: list[bool] = [False]
        for node in range(1, len(self.gates)):
            if self.gates[node] is None:
                out.append(truth(node))
            else:
                parts = self.gates[node] or ()
                out.append(all(out[part >> 1] != bool(part & 1) for part in parts))
        return out

    def clauses(self, roots: Iterable[int], kept: Iterable[int] = ()) -> tuple[list[list[int]], dict[int, int]]:
        """Clauses that make every root true, and the variable of each node in them.

        Variables are numbered from 1 in the order of their nodes; a gate says only the direction in which it is used
        (Plaisted and Greenbaum 1986), which changes neither satisfiability nor the values of inputs. `kept` literals
        get variables, in both directions, although no root uses them: they may be assumed or read later.
        """
        up: set[int] = set()  # nodes whose truth must imply their parts
        down: set[int] = set()  # nodes whose falsity must refute their parts
        stack = [root for root in roots if root != 1]
        refuted = 0 in stack
        tops = list(stack)
        stack += [lit for one in kept for lit in (one, one ^ 1)]
        while stack:
            lit = stack.pop()
            node, negated = lit >> 1, lit & 1
            seen = down if negated else up
            if node in seen:
                continue
            seen.add(node)
            for part in self.gates[node] or ():
                stack.append(part ^ negated)
        used = sorted((up | down) - {0})
        number = {node: place for place, node in enumerate(used, start=1)}

        def as_int(lit: int) -> int:
            return -number[lit >> 1] if lit & 1 else number[lit >> 1]

        out: list[list[int]] = [[]] if refuted else []
        out += [[as_int(lit)] for lit in tops if lit > 1]
        for node in used:
            parts = self.gates[node]
            if parts is None:
                continue
            if node in up:
                out += [[-number[node], as_int(part)] for part in parts]
            if node in down:
                out.append([number[node], *(-as_int(part) for part in parts)])
        return out, number
