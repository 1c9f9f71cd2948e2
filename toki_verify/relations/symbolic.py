"""The symbolic reading: the formulas over an unknown schedule, with any Booleans (SEMANTICS §5, readings 2 and 4).

What the base relations mean stands in `unknown.py`; this module interprets the constructors of the language, and
touches no definition. A relation is a sparse matrix `{row: {column: truth value}}` without entries that are plainly
false; each distinct term is evaluated once.
"""

from __future__ import annotations

from itertools import permutations
from typing import Protocol

from .booleans import Booleans
from .formulas import Acyclic, And, Cycle, Formula, Irreflexive, Named, Not, Or, Region, Some, Within
from .terms import Base, Converse, Definition, Identity, Join, Meet, Minus, Plus, Sort, Term, Txn, Union, number

Matrix = dict[int, dict[int, int]]


class Meaning(Protocol):
    """What the names of `base.VOCABULARY` mean: matrices over accesses and transactions."""

    booleans: Booleans
    txns: int
    #: The transaction of each access; -1: of none.
    txn_of: list[int]

    def matrix(self, name: str) -> Matrix:
        """The matrix of a base relation; a set is a part of the diagonal."""

    def exists(self) -> dict[int, int]:
        """For every access that may exist, whether it does."""

    def within(self, region: Region) -> Meaning:
        """The same schedule with only the accesses of a region."""


class Symbolic:
    """The formulas of the language over a `Meaning`: `holds(f)` is a truth value of its Booleans."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning
        self.booleans = meaning.booleans
        self._terms: dict[int, Matrix] = {}
        self._formulas: dict[int, int] = {}
        self._regions: dict[Region, Symbolic] = {}

    # -- terms -------------------------------------------------------------------------------------------------------
    def term(self, term: Term) -> Matrix:
        """The matrix of a term; do not change it."""
        key = number(term)
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = self._evaluate(term)
        return found

    def _evaluate(self, term: Term) -> Matrix:
        if isinstance(term, Base):
            return self.meaning.matrix(term.name)
        if isinstance(term, Definition):
            return self.term(term.of)
        if isinstance(term, Meet):
            return self._meet(self.term(term.one), self.term(term.other))
        if isinstance(term, Minus):
            return self._minus(self.term(term.one), self.term(term.other))
        if isinstance(term, Union):
            return self._union(self.term(term.one), self.term(term.other))
        if isinstance(term, Join):
            return self._join(self.term(term.one), self.term(term.other))
        if isinstance(term, Converse):
            return _converse(self.term(term.of))
        if isinstance(term, Plus):
            return self._closure(self.term(term.of))
        if isinstance(term, Identity):
            if term.sort is Sort.T:
                return {txn: {txn: self.booleans.true} for txn in range(self.meaning.txns)}
            return {access: {access: value} for access, value in self.meaning.exists().items()}
        if isinstance(term, Txn):
            return self._txn(self.term(term.of))
        raise TypeError(f"no symbolic reading of {type(term).__name__}")

    def _meet(self, one: Matrix, other: Matrix) -> Matrix:
        both = self.booleans.both
        out: Matrix = {}
        for i, row in one.items():
            against = other.get(i)
            if against:
                found = {j: v for j, a in row.items() if j in against and (v := both(a, against[j]))}
                if found:
                    out[i] = found
        return out

    def _minus(self, one: Matrix, other: Matrix) -> Matrix:
        both, negate = self.booleans.both, self.booleans.negate
        out: Matrix = {}
        for i, row in one.items():
            against = other.get(i)
            if not against:
                out[i] = row
                continue
            found = {j: v for j, a in row.items() if (v := both(a, negate(against[j])) if j in against else a)}
            if found:
                out[i] = found
        return out

    def _union(self, one: Matrix, other: Matrix) -> Matrix:
        either = self.booleans.either
        out = dict(one)
        for i, row in other.items():
            mine = out.get(i)
            if mine is None:
                out[i] = row
                continue
            found = dict(mine)
            for j, value in row.items():
                found[j] = either(found[j], value) if j in found else value
            out[i] = found
        return out

    def _join(self, one: Matrix, other: Matrix) -> Matrix:
        both, union = self.booleans.both, self.booleans.any
        out: Matrix = {}
        for i, row in one.items():
            ways: dict[int, list[int]] = {}
            for k, a in row.items():
                for j, b in other.get(k, _NONE).items():
                    value = both(a, b)
                    if value:
                        ways.setdefault(j, []).append(value)
            if ways:
                out[i] = {j: values[0] if len(values) == 1 else union(values) for j, values in ways.items()}
        return out

    def _closure(self, of: Matrix) -> Matrix:
        """Warshall 1962: the paths through more and more intermediate nodes."""
        both, either = self.booleans.both, self.booleans.either
        out = {i: dict(row) for i, row in of.items()}
        for k in list(out):
            through = dict(out[k])
            for row in out.values():
                into = row.get(k)
                if into:
                    for j, b in through.items():
                        value = both(into, b)
                        if value:
                            row[j] = either(row[j], value) if j in row else value
        return out

    def _txn(self, of: Matrix) -> Matrix:
        txn_of = self.meaning.txn_of
        ways: dict[tuple[int, int], list[int]] = {}
        for i, row in of.items():
            source = txn_of[i]
            if source >= 0:
                for j, value in row.items():
                    target = txn_of[j]
                    if target >= 0 and target != source:
                        ways.setdefault((source, target), []).append(value)
        out: Matrix = {}
        for (source, target), values in ways.items():
            out.setdefault(source, {})[target] = self.booleans.any(values)
        return out

    # -- formulas ----------------------------------------------------------------------------------------------------
    def holds(self, formula: Formula) -> int:
        """The truth value of a formula."""
        key = number(formula)
        found = self._formulas.get(key)
        if found is None:
            found = self._formulas[key] = self._decide(formula)
        return found

    def _decide(self, formula: Formula) -> int:
        booleans = self.booleans
        if isinstance(formula, Some):
            return booleans.any(value for row in self.term(formula.of).values() for value in row.values())
        if isinstance(formula, Named):
            return self.holds(formula.of)
        if isinstance(formula, Not):
            return booleans.negate(self.holds(formula.of))
        if isinstance(formula, And):
            return booleans.both(self.holds(formula.one), self.holds(formula.other))
        if isinstance(formula, Or):
            return booleans.either(self.holds(formula.one), self.holds(formula.other))
        if isinstance(formula, Irreflexive):
            return booleans.negate(booleans.any(_diagonal(self.term(formula.of))))
        if isinstance(formula, Acyclic):
            return booleans.negate(booleans.any(_diagonal(self.term(Plus(formula.of)))))
        if isinstance(formula, Cycle):
            return self._cycle(formula)
        if isinstance(formula, Within):
            if formula.region not in self._regions:
                self._regions[formula.region] = Symbolic(self.meaning.within(formula.region))
            return self._regions[formula.region].holds(formula.of)
        raise TypeError(f"no symbolic reading of {type(formula).__name__}")

    def _cycle(self, formula: Cycle) -> int:
        steps = [self.term(term) for term in formula.of]
        found = []
        for txns in permutations(range(self.meaning.txns), len(steps)):
            edges = []
            for place, step in enumerate(steps):
                value = step.get(txns[place], _NONE).get(txns[(place + 1) % len(steps)], 0)
                if not value:
                    break
                edges.append(value)
            else:
                found.append(self.booleans.all(edges))
        return self.booleans.any(found)


_NONE: dict[int, int] = {}


def _converse(of: Matrix) -> Matrix:
    out: Matrix = {}
    for i, row in of.items():
        for j, value in row.items():
            out.setdefault(j, {})[i] = value
    return out


def _diagonal(of: Matrix) -> list[int]:
    return [row[i] for i, row in of.items() if i in row]
