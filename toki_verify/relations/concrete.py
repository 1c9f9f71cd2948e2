"""Reading 1, concrete: the formulas over one schedule, with bitsets. The specification for small schedules.

Every distinct term is evaluated once per schedule. `Concrete` also keeps what an explanation needs: which accesses
there are and what each term relates.
"""

from __future__ import annotations

from ..events import Schedule
from .accesses import accesses_of
from .bits import Rows, bits, closure, converse, join, order
from .formulas import (
    Acyclic,
    And,
    Cycle,
    Formula,
    Irreflexive,
    Named,
    Not,
    Or,
    Region,
    Some,
    Within,
)
from .meaning import Meaning
from .provenance import Below, below
from .terms import (
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


class Concrete:
    """The formulas of the language over one schedule.

    `accesses` and `txns` are what positions in rows mean; `term(t)` gives rows of bits, `holds(f)` a truth value.
    With a region, only the accesses in it exist (SEMANTICS §4, pins). `below` is the order of provenance texts,
    by default that of the default carrier.
    """

    def __init__(self, schedule: Schedule, region: Region | None = None, below: Below = below) -> None:
        self.schedule, self.below = schedule, below
        self.accesses = accesses_of(schedule, region)
        self.txns = schedule.resolved.txns
        self._meaning = Meaning(schedule, self.accesses, below)
        self._terms: dict[int, Rows] = {}
        self._formulas: dict[int, bool] = {}
        self._regions: dict[Region, Concrete] = {}
        index = {txn: position for position, txn in enumerate(self.txns)}
        self.txn_of = [-1 if access.txn is None else index[access.txn] for access in self.accesses]
        self._lift: list[int] = [0] * len(self.txns)
        for position, txn in enumerate(self.txn_of):
            if txn >= 0:
                self._lift[txn] |= 1 << position

    def size(self, sort: Sort) -> int:
        """How many accesses or transactions there are."""
        return len(self.accesses) if sort is Sort.A else len(self.txns)

    def term(self, term: Term) -> Rows:
        """The rows of a term; do not change them."""
        key = term.__dict__.get("_number")
        if key is None:
            key = number(term)
        found = self._terms.get(key)
        if found is None:
            found = self._evaluate(term)
            self._terms[key] = found
        return found

    def _evaluate(self, term: Term) -> Rows:
        if isinstance(term, Base):
            return self._meaning.rows(term.name)
        if isinstance(term, Definition):
            return self.term(term.of)
        if isinstance(term, Union):
            one = self.term(term.one)
            if isinstance(term, (Meet, Minus)) and not any(one):
                return one
            other = self.term(term.other)
            if isinstance(term, Meet):
                return [a & b for a, b in zip(one, other, strict=True)]
            if isinstance(term, Minus):
                return [a & ~b for a, b in zip(one, other, strict=True)]
            return [a | b for a, b in zip(one, other, strict=True)]
        if isinstance(term, Join):
            return self._join(term)
        if isinstance(term, Converse):
            return converse(self.term(term.of), self.size(term.of.right))
        if isinstance(term, Plus):
            return closure(self.term(term.of))
        if isinstance(term, Identity):
            return [1 << position for position in range(self.size(term.sort))]
        if isinstance(term, Txn):
            return self._txn(self.term(term.of))
        raise TypeError(f"no concrete reading of {type(term).__name__}")

    def _join(self, term: Join) -> Rows:
        one, other = term.one, term.other
        left = self.term(one)
        if not any(left):
            return left
        right = self.term(other)
        # Sets are subsets of the identity: joining with one filters rows or columns.
        if isinstance(one, Base) and one.is_set:
            return [row if kept else 0 for kept, row in zip(left, right, strict=True)]
        if isinstance(other, Base) and other.is_set:
            mask = 0
            for row in right:
                mask |= row
            return [row & mask for row in left]
        return join(left, right)

    def _txn(self, rows: Rows) -> Rows:
        if not any(rows):
            return [0] * len(self._lift)
        out = []
        for position, mask in enumerate(self._lift):
            reached = 0
            for access in bits(mask):
                reached |= rows[access]
            found = 0
            for other, members in enumerate(self._lift):
                if reached & members and other != position:
                    found |= 1 << other
            out.append(found)
        return out

    def holds(self, formula: Formula) -> bool:
        """Whether the formula is true of the schedule."""
        key = formula.__dict__.get("_number")
        if key is None:
            key = number(formula)
        found = self._formulas.get(key)
        if found is None:
            found = self._decide(formula)
            self._formulas[key] = found
        return found

    def _decide(self, formula: Formula) -> bool:
        if isinstance(formula, Some):
            return any(self.term(formula.of))
        if isinstance(formula, Named):
            return self.holds(formula.of)
        if isinstance(formula, Not):
            return not self.holds(formula.of)
        if isinstance(formula, And):
            return self.holds(formula.one) and self.holds(formula.other)
        if isinstance(formula, Or):
            return self.holds(formula.one) or self.holds(formula.other)
        if isinstance(formula, Acyclic):
            return order(self.term(formula.of)) is not None
        if isinstance(formula, Irreflexive):
            return not any(row >> position & 1 for position, row in enumerate(self.term(formula.of)))
        if isinstance(formula, Cycle):
            return self.find_cycle(formula) is not None
        if isinstance(formula, Within):
            return self.within(formula.region).holds(formula.of)
        raise TypeError(f"no concrete reading of {type(formula).__name__}")

    def within(self, region: Region) -> Concrete:
        """The reading of the same schedule with only the accesses of a region."""
        if region not in self._regions:
            self._regions[region] = Concrete(self.schedule, region, self.below)
        return self._regions[region]

    def find_cycle(self, formula: Cycle) -> list[int] | None:
        """Different transactions t1 … tk on the cycle, or None."""
        relations = [self.term(term) for term in formula.of]
        into_first = converse(relations[-1], len(self.txns))

        def extend(found: list[int], used: int) -> list[int] | None:
            step = len(found) - 1
            if step == len(relations) - 1:
                return found if relations[-1][found[-1]] >> found[0] & 1 else None
            reach = relations[step][found[-1]] & ~used
            if step == len(relations) - 2:
                reach &= into_first[found[0]]
            for position in bits(reach):
                whole = extend([*found, position], used | 1 << position)
                if whole is not None:
                    return whole
            return None

        for position in range(len(self.txns)):
            whole = extend([position], 1 << position)
            if whole is not None:
                return whole
        return None
