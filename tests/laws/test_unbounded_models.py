"""Every schedule that satisfies a formula is a model of its first-order translation, and of all that is said with it.

That is the soundness of the unbounded reading, here looked at on small schedules: the statements are evaluated over the
structure of a schedule by a small evaluator that knows nothing of how they were made.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import pytest

from toki_verify.events import Schedule
from toki_verify.levels.lattice import families
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations import unbounded
from toki_verify.relations.axioms import AXIOMS
from toki_verify.relations.base import VOCABULARY, before, same_event, same_txn
from toki_verify.relations.bits import closure, order
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.firstorder import (
    Apply,
    Conjunction,
    Disjunction,
    Equal,
    Equivalence,
    Existential,
    Expression,
    Holds,
    Implication,
    Negation,
    Statement,
    Universal,
    Variable,
)
from toki_verify.relations.formulas import Formula, Irreflexive, Region, Within, irreflexive, some
from toki_verify.relations.structure import SHARED, snapshot_parts
from toki_verify.relations.terms import Base, Sort, Term
from toki_verify.relations.unbounded import Unbounded
from toki_verify.search.census import Alphabet, census

FORMULAS: dict[str, Formula] = {
    **{name: phenomenon.formula for name, phenomenon in catalogue().items()},
    **{level.full_id: level.formula for family in families().values() for level in family.levels},
}


class Structure:
    """A schedule as a first-order structure: the closures are the real ones, ranks come from a topological order."""

    def __init__(self, concrete: Concrete, reading: Unbounded) -> None:
        self.concrete, self.reading = concrete, reading
        self.sizes = {"Access": concrete.size(Sort.A), "Transaction": concrete.size(Sort.T), "Time": 6}
        self.functions: dict[str, list[int]] = {"transaction": [max(txn, 0) for txn in concrete.txn_of]}
        self.rows: dict[str, list[int]] = {}
        for name, (function, _, domain) in SHARED.items():
            rows = concrete.term(Base(name))
            self.functions[function] = [(row & -row).bit_length() for row in rows]
            if domain is not None:
                self.rows[domain] = [1 << at if row else 0 for at, row in enumerate(rows)]
        for ranking in reading.rankings.values():
            self._rank(ranking.symbols, ranking.of, ranking.region)

    def _rank(self, symbols: tuple[str, ...], of: Term, region: Region | None) -> None:
        concrete = self.concrete if region is None else self.concrete.within(region)
        count = self.sizes["Transaction"]
        pair = snapshot_parts(of)
        if pair is None:
            rows = concrete.term(of)
        else:
            along, against = (concrete.term(term) for term in pair)
            rows = [1 << count + t | against[t] << count for t in range(count)] + list(along)
        found = order(rows)
        if found is not None:
            place = {node: at for at, node in enumerate(found)}
            for number, symbol in enumerate(symbols):
                self.functions[symbol] = [place[number * count + t] for t in range(count)]

    def relation(self, symbol: str) -> list[int]:
        if symbol not in self.rows:
            if symbol in VOCABULARY:
                _, is_set, sort = VOCABULARY[symbol]
                self.rows[symbol] = self.concrete.term(Base(symbol, sort, sort, is_set))
            else:
                self.rows[symbol] = self._introduced(symbol)
        return self.rows[symbol]

    def _introduced(self, symbol: str) -> list[int]:
        for region, name in self.reading.regions.items():
            if symbol == name:
                inside = self.concrete.within(region).accesses
                return [1 << at if access in inside else 0 for at, access in enumerate(self.concrete.accesses)]
            if symbol == f"partition_final@{name}":
                return self._spread(Base("partition_final", Sort.A, Sort.A, True), region)
        term, region_of = self.reading._introduced[symbol]
        rows = self.concrete.term(term) if region_of is None else self._spread(term, region_of)
        known = self.reading.closures.get((term, region_of))
        return closure(rows) if known is not None and known.symbol == symbol else rows

    def _spread(self, term: Term, region: Region) -> list[int]:
        """What a term relates among the accesses of a region, in the numbers of all accesses."""
        within = self.concrete.within(region)
        if term.left is Sort.T:
            return list(within.term(term))
        places = [self.concrete.accesses.index(access) for access in within.accesses]
        rows = [0] * len(self.concrete.accesses)
        for at, row in zip(places, within.term(term), strict=True):
            rows[at] = sum(1 << place for number, place in enumerate(places) if row >> number & 1)
        return rows

    def value(self, node: Expression, at: dict[Variable, int]) -> int:
        if isinstance(node, Variable):
            return at[node]
        assert isinstance(node, Apply)
        return self.functions[node.function][self.value(node.argument, at)]

    def true(self, node: Statement, at: dict[Variable, int]) -> bool:
        if isinstance(node, Holds):
            values = [self.value(argument, at) for argument in node.arguments]
            if node.predicate == "earlier":
                return values[0] < values[1]
            return bool(self.relation(node.predicate)[values[0]] >> values[-1] & 1)
        if isinstance(node, Equal):
            return self.value(node.one, at) == self.value(node.other, at)
        if isinstance(node, Negation):
            return not self.true(node.of, at)
        if isinstance(node, Conjunction):
            return all(self.true(part, at) for part in node.of)
        if isinstance(node, Disjunction):
            return any(self.true(part, at) for part in node.of)
        if isinstance(node, Implication):
            return not self.true(node.one, at) or self.true(node.other, at)
        if isinstance(node, Equivalence):
            return self.true(node.one, at) is self.true(node.other, at)
        assert isinstance(node, (Universal, Existential))
        choose = all if isinstance(node, Universal) else any
        ranges = [range(self.sizes[variable.sort]) for variable in node.variables]
        return choose(
            self.true(node.of, {**at, **dict(zip(node.variables, values, strict=True))}) for values in product(*ranges)
        )


def failures(schedule: Schedule, formulas: dict[str, Formula]) -> Iterator[str]:
    """The statements that should be true of a schedule, by the concrete reading, and are not."""
    concrete = Concrete(schedule)
    for name, formula in formulas.items():
        reading = Unbounded(accesses=bool(concrete.accesses))
        said = reading.statement(formula, concrete.holds(formula))
        background = [*reading.background([said]), *reading.background([said], unfold=True)]
        structure = Structure(concrete, reading)
        if not structure.true(said, {}):
            yield f"{name} of {schedule}"
        for hypothesis in background:
            if not structure.true(hypothesis.statement, {}):
                yield f"{name} of {schedule}: {hypothesis.origin}"


SHAPES = {
    "classical": (Alphabet(transactions=2), True, 5, 301),
    "predicates": (Alphabet(transactions=2, items=1, predicates=True, deletes=True, unmatched=True), True, 5, 101),
    "judges": (Alphabet(transactions=2, writes=False, items=1, judges=True, callbacks=True), False, 3, 41),
}
PINNED = (
    "w1[x.a1] w2[y.a2] r1[y.a2] r2[x.a1] w2[x.b2] c1 c2",
    "r1[x.a0] r2[y.a0] w1[y.a1] w2[x.a2] c1 c2",
    "w1[x.a1] r2[y.a0] w1[y.b1] r2[x.a1] w1[x.b1] c1 c2",
)
NAMED = ("w1[x1] c1 r2[x1] c2\nsession s: 1 2", "b1 c1", "w1[x1] r2[x0] w2[y2] c1 c2 r3[y0] r3[x1] c3")


@pytest.mark.parametrize("shape", SHAPES)
def test_small_schedules_are_models_of_what_they_satisfy(shape: str) -> None:
    alphabet, complete, size, step = SHAPES[shape]
    schedules = islice(census(size, alphabet, complete=complete, orders=True), 0, 12 * step, step)
    assert [fault for schedule in schedules for fault in failures(schedule, FORMULAS)] == []


@pytest.mark.parametrize("text", NAMED)
def test_named_schedules_are_models_of_what_they_satisfy(text: str) -> None:
    assert list(failures(Schedule.parse(text), FORMULAS)) == []


#: Closures on accesses that go through all items, so that a region changes them.
ACROSS = {
    "irreflexive": irreflexive((before | same_txn | same_event).plus - same_event),
    "cycle": ~Irreflexive((before - same_txn | (same_txn & ~before)).plus),
    "joined": ~some((before >> ~before) - same_txn),
}


@pytest.mark.parametrize("table", ["x", "y", "z"])
def test_schedules_are_models_within_a_region(table: str) -> None:
    """Only the accesses of a region are there, in closures, too: what lies outside closes no cycle inside."""
    pinned = {name: Within(formula, Region(table=table)) for name, formula in {**FORMULAS, **ACROSS}.items()}
    for text in PINNED:
        assert list(failures(Schedule.parse(text), pinned)) == []


def test_axioms_are_true_as_translated() -> None:
    axioms = {axiom.name: axiom.formula for axiom in AXIOMS}
    for text in NAMED:
        assert list(failures(Schedule.parse(text), axioms)) == []


def test_a_wrong_translation_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite can fail: with the two parts of `dependency ; anti-dependency?` mixed up, the ranks are wrong."""

    def mixed(term: Term) -> tuple[Term, Term] | None:
        pair = snapshot_parts(term)
        return None if pair is None else (pair[1], pair[0])

    monkeypatch.setattr(unbounded, "snapshot_parts", mixed)
    skew = Schedule.parse("r1[x0] r2[y0] w1[y1] w2[x2] c1 c2")
    assert [fault.partition(" of ")[0] for fault in failures(skew, {"SI": FORMULAS["graph:SI"]})] == ["SI"]
