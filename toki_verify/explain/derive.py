"""Why a formula is true of a schedule: the accesses and edges behind it, found by following its structure.

It works on every formula of the language, so a phenomenon, a level and a user's own condition are explained alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from ..relations.accesses import Access
from ..relations.bits import Rows, bits, path, shortest_cycle
from ..relations.concrete import Concrete
from ..relations.formulas import (
    Acyclic,
    And,
    Cycle,
    Formula,
    Irreflexive,
    Named,
    Not,
    Or,
    Some,
    Within,
)
from ..relations.terms import (
    Base,
    Converse,
    Definition,
    Identity,
    Join,
    Meet,
    Minus,
    Plus,
    Sort,
    Term,
    Txn,
    Union,
    number,
)

#: How many candidates are looked at where several pairs make a formula true; the smallest of these is shown.
CANDIDATES = 64
_MIDDLES = 6


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: a named edge, or a base relation, between accesses or (start, session) transactions."""

    kind: str
    source: str | None
    target: str | None
    one: Access | None = None
    other: Access | None = None
    edge: bool = False


Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Derivation:
    """A derivation: its steps, the transactions it begins and ends with, and the phenomenon it is of, if it has one."""

    steps: Steps
    first: str | None
    last: str | None
    events: frozenset[int]
    name: str | None = None

    @property
    def size(self) -> tuple[int, int, int]:
        """Fewer edges, fewer events, earlier events first."""
        return (sum(step.edge for step in self.steps), len(self.events), max(self.events, default=0))


class Deriver:
    """Derivations over one concrete reading."""

    def __init__(self, concrete: Concrete) -> None:
        self.concrete = concrete
        self._known: dict[tuple[int, bool], Derivation | None] = {}

    # -- formulas --------------------------------------------------------------------------------------------------
    def witness(self, formula: Formula) -> Derivation | None:
        """Why the formula holds, or None where it holds for lack of something."""
        key = (number(formula), True)
        if key not in self._known:
            self._known[key] = self._witness(formula)
        return self._known[key]

    def refutation(self, formula: Formula) -> Derivation | None:
        """Why the formula does not hold."""
        key = (number(formula), False)
        if key not in self._known:
            self._known[key] = self._refutation(formula)
        return self._known[key]

    def _witness(self, formula: Formula) -> Derivation | None:
        if isinstance(formula, Named):
            found = self.witness(formula.of)
            return found and _named(found, formula.name)
        if isinstance(formula, Some):
            return self._smallest(self._pair(formula.of, a, b) for a, b in self._pairs(formula.of))
        if isinstance(formula, Or):
            return self._smallest(self.witness(f) for f in (formula.one, formula.other) if self.concrete.holds(f))
        if isinstance(formula, And):
            one, other = self.witness(formula.one), self.witness(formula.other)
            return one or other
        if isinstance(formula, Cycle):
            return self._cycle(formula)
        if isinstance(formula, Not):
            return self.refutation(formula.of)
        if isinstance(formula, Within):
            return Deriver(self.concrete.within(formula.region)).witness(formula.of)
        return None

    def _refutation(self, formula: Formula) -> Derivation | None:
        if isinstance(formula, Named):
            found = self.refutation(formula.of)
            return found and (found if found.name else _named(found, formula.name))
        if isinstance(formula, Not):
            return self.witness(formula.of)
        if isinstance(formula, And):
            return self._smallest(
                self.refutation(f) for f in (formula.one, formula.other) if not self.concrete.holds(f)
            )
        if isinstance(formula, Or):
            return self.refutation(formula.one) or self.refutation(formula.other)
        if isinstance(formula, Acyclic):
            return self._loop(formula.of)
        if isinstance(formula, Irreflexive):
            rows = self.concrete.term(formula.of)
            return self._smallest(self._pair(formula.of, i, i) for i in range(len(rows)) if rows[i] >> i & 1)
        if isinstance(formula, Within):
            return Deriver(self.concrete.within(formula.region)).refutation(formula.of)
        return None

    @staticmethod
    def _smallest(found: Iterable[Derivation | None]) -> Derivation | None:
        return min((d for d in islice(found, CANDIDATES) if d is not None), key=lambda d: d.size, default=None)

    def _pairs(self, term: Term) -> Iterator[tuple[int, int]]:
        for position, row in enumerate(self.concrete.term(term)):
            for other in bits(row):
                yield position, other

    def _pair(self, term: Term, one: int, other: int) -> Derivation:
        steps = self.steps(term, one, other)
        ends = [self._end(term.left, one), self._end(term.right, other)]
        events = {
            access.event
            for step in steps
            for access in (step.one, step.other)
            if access is not None and access.event >= 0
        }
        events |= {access.event for access, _ in ends if access is not None and access.event >= 0}
        return Derivation(steps, ends[0][1], ends[1][1], frozenset(events))

    def _end(self, sort: Sort, position: int) -> tuple[Access | None, str | None]:
        if sort is Sort.T:
            return None, self.concrete.txns[position]
        access = self.concrete.accesses[position]
        return access, access.txn

    def _loop(self, term: Term) -> Derivation | None:
        """A smallest cycle of a relation between transactions: one shortest per start, the smallest of these."""
        rows = self.concrete.term(term)
        shortest = shortest_cycle(rows)
        if shortest is None:
            return None
        steps = len(shortest) - 1
        loops = (path(rows, start, start, steps) for start, row in enumerate(rows) if row)
        fitting = (loop for loop in loops if loop is not None and len(loop) == len(shortest))
        return self._smallest(self._along(loop, [term] * (len(loop) - 1)) for loop in fitting)

    def _along(self, positions: list[int], terms: list[Term]) -> Derivation:
        parts = [self._pair(term, a, b) for term, a, b in zip(terms, positions, positions[1:], strict=False)]
        return Derivation(
            tuple(step for part in parts for step in part.steps),
            parts[0].first,
            parts[-1].last,
            frozenset().union(*(part.events for part in parts)),
        )

    def _cycle(self, formula: Cycle) -> Derivation | None:
        found = self.concrete.find_cycle(formula)
        return None if found is None else self._along([*found, found[0]], list(formula.of))

    # -- terms -----------------------------------------------------------------------------------------------------
    def steps(self, term: Term, one: int, other: int) -> Steps:
        """The steps behind a pair that the term relates."""
        if isinstance(term, Base):
            return () if term.is_set else (self._step(term.name, term, one, other, False),)
        if isinstance(term, Definition):
            if term.is_edge:
                return (self._step(term.name, term, one, other, True),)
            return self.steps(term.of, one, other)
        if isinstance(term, Meet):
            left, right = self.steps(term.one, one, other), self.steps(term.other, one, other)
            return left if any(step.edge for step in left) or not any(step.edge for step in right) else right
        if isinstance(term, Minus):
            return self.steps(term.one, one, other)
        if isinstance(term, Union):
            return min(
                (
                    self.steps(part, one, other)
                    for part in (term.one, term.other)
                    if self.concrete.term(part)[one] >> other & 1
                ),
                key=_cost,
            )
        if isinstance(term, Join):
            return self._join(term, one, other)
        if isinstance(term, Converse):
            return self.steps(term.of, other, one)
        if isinstance(term, Plus):
            found = path(self.concrete.term(term.of), one, other)
            assert found is not None
            return tuple(step for a, b in pairwise(found) for step in self.steps(term.of, a, b))
        if isinstance(term, Txn):
            return self._txn(term, one, other)
        assert isinstance(term, Identity)
        return ()

    def _join(self, term: Join, one: int, other: int) -> Steps:
        right: Rows = self.concrete.term(term.other)
        middles = (m for m in bits(self.concrete.term(term.one)[one]) if right[m] >> other & 1)
        return min(
            (self.steps(term.one, one, m) + self.steps(term.other, m, other) for m in islice(middles, _MIDDLES)),
            key=_cost,
        )

    def _txn(self, term: Txn, one: int, other: int) -> Steps:
        rows, txn_of = self.concrete.term(term.of), self.concrete.txn_of
        pairs = (
            (a, b) for a, row in enumerate(rows) if row and txn_of[a] == one for b in bits(row) if txn_of[b] == other
        )
        return min((self.steps(term.of, a, b) for a, b in islice(pairs, _MIDDLES)), key=_cost)

    def _step(self, kind: str, term: Term, one: int, other: int, edge: bool) -> Step:
        (a, source), (b, target) = self._end(term.left, one), self._end(term.right, other)
        return Step(kind, source, target, a, b, edge)


def _named(found: Derivation, name: str) -> Derivation:
    return Derivation(found.steps, found.first, found.last, found.events, name)


def _cost(steps: Steps) -> tuple[int, int, int]:
    events = [a.event for step in steps for a in (step.one, step.other) if a is not None]
    return (sum(step.edge for step in steps), len(steps), max(events, default=0))
