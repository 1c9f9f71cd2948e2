"""Reading 3, unbounded: the formulas as first-order ones over uninterpreted sorts, for proofs about every schedule.

A schedule is read as a structure: its accesses and its transactions are the elements of two sorts, base relations are
predicates, and what accesses share (a transaction, an item, an event …) is a function that gives it. `Unbounded`
interprets the constructors of terms and formulas, once each; it re-writes no definition. Whatever a translated formula
mentions is introduced by `background`: definitions by equivalences, closures, rankings.

*Soundness.* Every finite schedule that satisfies a formula is a model of its translation and of the background: the
definitions say what the named relations are; the predicate of a closure is read as the real closure, which satisfies
its axioms; a ranking exists for every relation assumed acyclic (below). So a translation without models has no
schedule, of any size. A model is no schedule (closures may be too large, orders infinite): `sat` refutes nothing.
The one structure first-order logic knows no reading of is a schedule without accesses, since no sort is empty; so
`Unbounded(accesses=False)` reads a formula over those: relations between accesses are empty there.

*Acyclicity.* A relation on finitely many transactions has no cycle iff a rank in a linear order increases along it (a
topological order; conversely ranks along a cycle would increase for ever). `a ; b?` has no cycle iff st and ct exist
with st(t) < ct(t), a(t,u) ⇒ ct(t) < st(u) and b(t,u) ⇒ st(t) < ct(u): draw these three constraints as arrows between
two nodes S(t), C(t) per transaction. From S nodes arrows lead to C nodes only, from C to S only along a; so a cycle of
arrows alternates a with nothing or one b, and is a cycle of `a ; b?`; a graph of arrows without a cycle has a
topological order. Conversely each step of `a ; b?` increases ct. A cycle that is *sought* is a transaction that the
closure relates to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from .base import VOCABULARY
from .firstorder import (
    ACCESS,
    FALSE,
    TIME,
    TRANSACTION,
    TRUE,
    Apply,
    Equivalence,
    Expression,
    Holds,
    Statement,
    Variable,
    conjunction,
    disjunction,
    equal,
    exists,
    for_all,
    implication,
    negation,
    occurrences,
)
from .formulas import Acyclic, And, Cycle, Formula, Irreflexive, Named, Not, Or, Region, Some, Within
from .printing import term_text
from .structure import (
    SHARED,
    Closure,
    Hypothesis,
    Ranking,
    earlier,
    is_absolute,
    is_diagonal,
    is_taken,
    region_axioms,
    snapshot_parts,
    time,
    time_order,
    transaction,
)
from .terms import Base, Converse, Definition, Identity, Join, Meet, Minus, Plus, Sort, Term, Txn, Union

_Built = TypeVar("_Built")
_SORTS = {Sort.A: ACCESS, Sort.T: TRANSACTION}
_LETTERS = {ACCESS: "a", TRANSACTION: "t", TIME: "s"}


class Unbounded:
    """The first-order reading. `statement(f)` translates a formula; `background()` says what it mentions.

    With `accesses=False` a schedule without accesses is meant: relations between accesses are empty, and what is left
    of a formula are the relations between transactions alone.
    """

    def __init__(self, *, accesses: bool = True) -> None:
        self.accesses = accesses
        self.closures: dict[tuple[Term, Region | None], Closure] = {}
        self.rankings: dict[tuple[Term, Region | None], Ranking] = {}
        self.definitions: dict[tuple[Term, Region | None], str] = {}
        self.regions: dict[Region, str] = {}
        self._region: Region | None = None
        self._introduced: dict[str, tuple[Term, Region | None]] = {}
        self.axioms: dict[str, Statement] = {}  # translated, by their names
        self._count = 0

    # -- formulas ------------------------------------------------------------------------------------------------------
    def statement(self, formula: Formula, positive: bool = True, region: Region | None = None) -> Statement:
        """The translation of a formula, or of its negation, over the accesses of a region."""
        self._count = 0
        return self.inside_of(region, lambda: self._formula(formula, positive))

    def inside_of(self, region: Region | None, build: Callable[[], _Built]) -> _Built:
        """What is built while accesses are those of a region."""
        outer, self._region = self._region, region
        try:
            return build()
        finally:
            self._region = outer

    def _formula(self, formula: Formula, positive: bool) -> Statement:
        if isinstance(formula, Named):
            return self._formula(formula.of, positive)
        if isinstance(formula, Not):
            return self._formula(formula.of, not positive)
        if isinstance(formula, (And, Or)):
            parts = (self._formula(formula.one, positive), self._formula(formula.other, positive))
            return conjunction(parts) if isinstance(formula, And) is positive else disjunction(parts)
        if isinstance(formula, Within):
            return self.inside_of(formula.region, lambda: self._formula(formula.of, positive))
        if isinstance(formula, Acyclic):
            return self._ranked(formula.of) if positive else self._cyclic(formula.of)
        found = self._atom(formula)
        return found if positive else negation(found)

    def _atom(self, formula: Formula) -> Statement:
        if isinstance(formula, Some):
            one = self.fresh(formula.of.left)
            if is_diagonal(formula.of):
                return self.some((one,), self.at(formula.of, one))
            other = self.fresh(formula.of.right)
            return self.some((one, other), self.relation(formula.of, one, other))
        if isinstance(formula, Irreflexive):
            one = self.fresh(formula.of.left)
            return self.every((one,), negation(self.relation(formula.of, one, one)))
        if isinstance(formula, Cycle):
            txns = [self.fresh(Sort.T) for _ in formula.of]
            different = [negation(equal(t, u)) for i, t in enumerate(txns) for u in txns[i + 1 :]]
            steps = [
                self.relation(term, t, u) for term, t, u in zip(formula.of, txns, txns[1:] + txns[:1], strict=True)
            ]
            return self.some(tuple(txns), conjunction([*steps, *different]))
        raise TypeError(f"no unbounded reading of {type(formula).__name__}")

    def _cyclic(self, term: Term) -> Statement:
        one = self.fresh(Sort.T)
        return self.some((one,), self.relation(Plus(term), one, one))

    def _ranked(self, term: Term) -> Statement:
        key = (term, self._region)
        ranking = self.rankings.get(key)
        pair = snapshot_parts(term)
        if ranking is None:
            place = len(self.rankings) + 1
            symbols = (f"st{place}", f"ct{place}") if pair else (f"rank{place}",)
            ranking = self.rankings[key] = Ranking(symbols, term, self._region)
        one, other = self.fresh(Sort.T), self.fresh(Sort.T)

        def increases(along: Term, lower: str, upper: str) -> Statement:
            return self.every(
                (one, other),
                implication(self.relation(along, one, other), earlier(time(lower, one), time(upper, other))),
            )

        if pair is None:
            return increases(term, *ranking.symbols * 2)
        st, ct = ranking.symbols
        return conjunction(
            (
                self.every((one,), earlier(time(st, one), time(ct, one))),
                increases(pair[0], ct, st),
                increases(pair[1], st, ct),
            )
        )

    # -- terms ---------------------------------------------------------------------------------------------------------
    def relation(self, term: Term, x: Expression, y: Expression) -> Statement:
        """The term relates x to y."""
        if not self.accesses and Sort.A in (term.left, term.right):
            return FALSE
        if is_diagonal(term) and x != y:
            return conjunction((equal(x, y), self.at(term, x)))
        if isinstance(term, Base):
            return self._base(term, x, y)
        if isinstance(term, Definition):
            # Without accesses nearly every relation is empty, which shows once the names are looked through.
            named = self.accesses and not is_diagonal(term) and not isinstance(term.of, Base)
            return self._defined(term, term.name, x, y) if named else self.relation(term.of, x, y)
        if isinstance(term, Union):
            one = self.relation(term.one, x, y)
            other = self.relation(term.other, x, y)
            if isinstance(term, Meet):
                return conjunction((one, other))
            return conjunction((one, negation(other))) if isinstance(term, Minus) else disjunction((one, other))
        if isinstance(term, Join):
            return self._join(term, x, y)
        if isinstance(term, Converse):
            return self.relation(term.of, y, x)
        if isinstance(term, Plus):
            empty = not self.accesses and self.relation(term.of, *map(self.fresh, (term.left, term.right))) == FALSE
            return FALSE if empty else self.closure(term.of, self._region).holds(x, y)
        if isinstance(term, Identity):
            return equal(x, y)
        if isinstance(term, Txn):
            return self._defined(term, term_text(term), x, y) if self.accesses else FALSE
        raise TypeError(f"no unbounded reading of {type(term).__name__}")

    def relation_within(self, term: Term, x: Expression, y: Expression, region: Region | None) -> Statement:
        """The term relates x to y over the accesses of a region."""
        return self.inside_of(region, lambda: self.relation(term, x, y))

    def at(self, term: Term, x: Expression) -> Statement:
        """x is in the set."""
        return self.relation(term, x, x)

    def _join(self, term: Join, x: Expression, y: Expression) -> Statement:
        # One-point rules: a set filters, and an access has one transaction. They save a quantifier each.
        if is_diagonal(term.one):
            return conjunction((self.at(term.one, x), self.relation(term.other, x, y)))
        if is_diagonal(term.other):
            return conjunction((self.relation(term.one, x, y), self.at(term.other, y)))
        if isinstance(term.one, Base) and term.one.name == "of_txn":
            return conjunction((self._has_txn(x), self.relation(term.other, transaction(x), y)))
        if isinstance(term.other, Converse) and isinstance(term.other.of, Base) and term.other.of.name == "of_txn":
            return conjunction((self.relation(term.one, x, transaction(y)), self._has_txn(y)))
        middle = self.fresh(term.one.right)
        return self.some(
            (middle,), conjunction((self.relation(term.one, x, middle), self.relation(term.other, middle, y)))
        )

    def _base(self, term: Base, x: Expression, y: Expression) -> Statement:
        if term.name not in VOCABULARY and term.name != "of_txn":
            raise TypeError(f"no unbounded reading of the base relation {term.name!r}")
        if term.name == "of_txn":
            return self._of_txn(x, y)
        if term.name == "same_txn":
            alike = Equivalence(Holds("initial", (x,)), Holds("initial", (y,)))
            same = equal(transaction(x), transaction(y))
            return TRUE if x == y else conjunction((alike, disjunction((Holds("initial", (x,)), same))))
        if term.name in SHARED:
            function, sort, domain = SHARED[term.name]
            on = () if domain is None else (Holds(domain, (x,)), Holds(domain, (y,)))
            return conjunction((*on, equal(Apply(function, x, sort), Apply(function, y, sort))))
        # The last write of a partition is another one where only some of its items are looked at.
        local = self._region is not None and term.name == "partition_final"
        symbol = f"{term.name}@{self.region_symbol(self._region)}" if local and self._region else term.name
        return Holds(symbol, (x,) if term.is_set else (x, y))

    def _of_txn(self, access: Expression, txn: Expression) -> Statement:
        return conjunction((self._has_txn(access), equal(transaction(access), txn)))

    def _has_txn(self, access: Expression) -> Statement:
        return negation(Holds("initial", (access,)))

    def _defined(self, term: Term, name: str, x: Expression, y: Expression) -> Statement:
        key = (term, None if is_absolute(term) else self._region)  # one relation, where no region changes it
        symbol = self.definitions.get(key)
        if symbol is None:
            symbol = self.definitions[key] = self._symbol(name, key)
        return Holds(symbol, (x, y))

    def closure(self, term: Term, region: Region | None = None) -> Closure:
        """The predicate of the transitive closure of a term."""
        key = (term, region)
        if key not in self.closures:
            self.closures[key] = Closure(self._symbol(f"plus {term_text(term)}", key), term, region)
        return self.closures[key]

    def _symbol(self, name: str, key: tuple[Term, Region | None]) -> str:
        """A predicate for what is introduced: two definitions of one name stay apart."""
        first = name if key[1] is None else f"{name}@{self.region_symbol(key[1])}"
        place, symbol = 2, first
        while symbol in self._introduced or symbol in VOCABULARY or is_taken(symbol):
            symbol, place = f"{first}#{place}", place + 1
        self._introduced[symbol] = key
        return symbol

    def region_symbol(self, region: Region) -> str:
        """The predicate of the accesses in a region."""
        return self.regions.setdefault(region, f"region{len(self.regions) + 1}")

    # -- quantifiers ---------------------------------------------------------------------------------------------------
    def fresh(self, sort: Sort) -> Variable:
        """A variable that this statement does not use yet."""
        self._count += 1
        return Variable(f"{_LETTERS[_SORTS[sort]]}{self._count}", _SORTS[sort])

    def restart(self) -> None:
        """Begin a statement of its own: its variables are numbered from one."""
        self._count = 0

    def some(self, variables: tuple[Variable, ...], of: Statement) -> Statement:
        """For some elements; of accesses, some that exist and lie in the region."""
        if not self.accesses and any(variable.sort == ACCESS for variable in variables):
            return FALSE
        return exists(variables, conjunction((*self._inside(variables), of)))

    def every(self, variables: tuple[Variable, ...], of: Statement) -> Statement:
        """For all elements; of accesses, all that exist and lie in the region."""
        if not self.accesses and any(variable.sort == ACCESS for variable in variables):
            return TRUE
        return for_all(variables, implication(conjunction(self._inside(variables)), of))

    def _inside(self, variables: tuple[Variable, ...]) -> tuple[Statement, ...]:
        if self._region is None:
            return ()
        symbol = self.region_symbol(self._region)
        return tuple(Holds(symbol, (variable,)) for variable in variables if variable.sort == ACCESS)

    # -- what is mentioned ---------------------------------------------------------------------------------------------
    def background(
        self, statements: Iterable[Statement], *, opaque: bool = False, unfold: bool = False
    ) -> Iterator[Hypothesis]:
        """What statements mention, and what that mentions: definitions, closures, the order of ranks, regions.

        With `opaque`, edges are names that nothing is said of. With `unfold`, a closure is a step, or a step and a
        closure, at either end: true of it, and rarely needed.
        """
        # A definition is needed in the direction in which it is used: from the name to what it means where the name is
        # said to hold, and from there to the name where it is said not to (Plaisted and Greenbaum 1986).
        pending = list(statements)
        seen: dict[tuple[str, bool], None] = {}
        while pending:
            found = dict.fromkeys(use for statement in pending for use in occurrences(statement))
            pending = []
            for symbol, positive in found:
                if (symbol, positive) not in seen:
                    first = (symbol, not positive) not in seen
                    seen[symbol, positive] = None
                    for hypothesis, follow in self._about(symbol, positive, first, opaque, unfold):
                        yield hypothesis
                        pending += follow

    def _about(
        self, symbol: str, positive: bool, first: bool, opaque: bool, unfold: bool
    ) -> Iterator[tuple[Hypothesis, tuple[Statement, ...]]]:
        """What is said of a symbol where it is used in a direction, each with the statements to look at in turn."""
        self._count = 0
        key = self._introduced.get(symbol)
        if key is None:
            if first:
                order = time_order() if symbol == "earlier" else ()
                regions = [h for r, name in self.regions.items() if name == symbol for h in region_axioms(r, name)]
                for hypothesis in (*order, *regions):
                    yield hypothesis, ()
            return
        closure = self.closures.get(key)
        if closure is not None and closure.symbol == symbol:
            for hypothesis in self.inside_of(closure.region, lambda: self._closure_axioms(closure, positive, unfold)):
                yield hypothesis, (hypothesis.statement,)
        elif not (opaque and isinstance(key[0], Definition) and key[0].is_edge):
            yield self._definition_axiom(key, positive)

    def _definition_axiom(
        self, key: tuple[Term, Region | None], positive: bool
    ) -> tuple[Hypothesis, tuple[Statement, ...]]:
        term, region = key
        return self.inside_of(region, lambda: self._direction(term, self.definitions[key], positive))

    def _direction(self, term: Term, symbol: str, positive: bool) -> tuple[Hypothesis, tuple[Statement, ...]]:
        body = term.of if isinstance(term, Definition) else term
        what = f"definition: {symbol} is {term_text(body)}"
        if isinstance(body, Txn):
            a, b = self.fresh(Sort.A), self.fresh(Sort.A)
            inner = conjunction((self._has_txn(a), self._has_txn(b), self.relation(body.of, a, b)))
            if not positive:
                # Said of accesses and their transactions, this direction needs no transaction of its own.
                one, other = transaction(a), transaction(b)
                inner = conjunction((inner, negation(equal(one, other))))
                found = self.every((a, b), implication(inner, Holds(symbol, (one, other))))
                return Hypothesis(found, f"{what} (if)"), (negation(inner),)
            t, u = self.fresh(Sort.T), self.fresh(Sort.T)
            named = (equal(transaction(a), t), equal(transaction(b), u))
            meaning = conjunction((self.some((a, b), conjunction((inner, *named))), negation(equal(t, u))))
            variables = (t, u)
        else:
            variables = (self.fresh(term.left), self.fresh(term.right))
            meaning = self.relation(body, *variables)
        holds = Holds(symbol, variables)
        if positive:
            return Hypothesis(self.every(variables, implication(holds, meaning)), f"{what} (only if)"), (meaning,)
        return Hypothesis(self.every(variables, implication(meaning, holds)), f"{what} (if)"), (negation(meaning),)

    def _closure_axioms(self, closure: Closure, positive: bool, unfold: bool) -> list[Hypothesis]:
        t, u, v = (self.fresh(closure.of.left) for _ in range(3))
        what = f"closure of {term_text(closure.of)}"

        def step(one: Expression, other: Expression) -> Statement:
            return self.relation(closure.of, one, other)

        found: list[Hypothesis] = []
        if not positive:
            once = implication(step(t, u), closure.holds(t, u))
            found.append(Hypothesis(self.every((t, u), once), f"{what}: it holds a step"))
            both = implication(conjunction((closure.holds(t, u), closure.holds(u, v))), closure.holds(t, v))
            found.append(Hypothesis(self.every((t, u, v), both), f"{what}: it is transitive"))
        elif unfold:
            first = self.some((v,), conjunction((step(t, v), closure.holds(v, u))))
            last = self.some((v,), conjunction((closure.holds(t, v), step(v, u))))
            for name, more in (("first", first), ("last", last)):
                unfolded = implication(closure.holds(t, u), disjunction((step(t, u), more)))
                found.append(Hypothesis(self.every((t, u), unfolded), f"{what}: it has a {name} step"))
        return found
