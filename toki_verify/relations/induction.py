"""What first-order logic cannot say of a transitive closure, as candidates for induction.

A closure r⁺ lies inside a relation I if r ⊆ I (the base) and I ; r ⊆ I (the step): induction over the length of a
path. Both are first-order obligations. The candidates for I come from what a formula assumes: ranks that increase, and
other closures. Every candidate also has a form in the relational language, so that a proved lemma can be looked at
on a schedule: `rank(t) < rank(u)` for every rank that increases along q says (t, u) ∈ q⁺.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .base import concurrent, start
from .firstorder import Expression, Statement, Variable, conjunction, for_all, implication, negation
from .formulas import Acyclic, Formula, Irreflexive, Region, Some, Within, children
from .printing import term_text
from .structure import Closure, Ranking, earlier, snapshot_parts, time, unnamed
from .terms import Base, Definition, Identity, Join, Plus, Sort, Term, Union
from .unbounded import Unbounded


@dataclass(frozen=True)
class Candidate:
    """A relation that a closure may lie in: in words, as a statement about two elements of the closure's sort, and as
    a term `bound`, over the accesses of `region`, such that the lemma says: `inside` lies in `bound`."""

    words: str
    holds: Callable[[Expression, Expression], Statement]
    inside: Term
    bound: Term
    region: Region | None = None


def closures_in(node: Formula | Term) -> Iterator[Term]:
    """The terms whose transitive closure a formula speaks of, innermost first, each once."""
    yield from dict.fromkeys(_closures(node))


def _closures(node: Formula | Term) -> Iterator[Term]:
    for part in children(node):
        yield from _closures(part)
    if isinstance(node, (Plus, Acyclic)):
        yield node.of


def vocabulary(node: Formula | Term, *, opaque: bool = False) -> frozenset[str]:
    """The names of the base relations a formula mentions; with `opaque`, of edges by their own names instead."""
    if isinstance(node, Base) or (opaque and isinstance(node, Definition) and node.is_edge):
        return frozenset((node.name,))
    found: frozenset[str] = frozenset()
    for part in children(node):
        found |= vocabulary(part, opaque=opaque)
    return found


def trailing(node: Formula | Term) -> Iterator[Term]:
    """Every b of a subterm `a ; b?` between transactions, each once."""
    yield from dict.fromkeys(_trailing(node))


def _trailing(node: Formula | Term) -> Iterator[Term]:
    for part in children(node):
        yield from _trailing(part)
    pair = snapshot_parts(node) if isinstance(node, Join) else None
    if pair is not None:
        yield pair[1]


def rank_candidates(reading: Unbounded, closure: Closure, ranking: Ranking, formula: Formula) -> Iterator[Candidate]:
    """What a ranking suggests, the strongest first; of a closure on accesses nothing, since transactions have ranks."""
    if closure.of.left is not Sort.T:
        return
    inside = Plus(closure.of)
    pair = snapshot_parts(ranking.of)
    if pair is not None:
        st, ct = ranking.symbols
        a, b = pair
        steps = Join(a, b.opt).plus
        forms = {
            (ct, st): Union(a, Join(steps, a)),
            (ct, ct): steps,
            (st, st): Join(b.opt, Union(a, Join(steps, a))),
            (st, ct): Union(b, Join(b.opt, steps)),
        }
        for (lower, upper), bound in forms.items():
            yield Candidate(f"{lower}(t) < {upper}(u)", _increase(lower, upper), inside, bound, ranking.region)
        return
    (rank,) = ranking.symbols
    for b in trailing(formula):
        words = f"{rank}(t) < {rank}(v) for v = u and for every v with {term_text(b)}(u, v)"
        behind = _increase_behind(reading, rank, b, closure.region)
        yield Candidate(words, behind, Join(inside, b.opt), Plus(ranking.of), ranking.region)
    yield Candidate(f"{rank}(t) < {rank}(u)", _increase(rank, rank), inside, Plus(ranking.of), ranking.region)


def _increase(lower: str, upper: str) -> Callable[[Expression, Expression], Statement]:
    return lambda t, u: earlier(time(lower, t), time(upper, u))


def _increase_behind(
    reading: Unbounded, rank: str, b: Term, region: Region | None
) -> Callable[[Expression, Expression], Statement]:
    def holds(t: Expression, u: Expression) -> Statement:
        v = reading.fresh(Sort.T)
        further = reading.relation_within(b, u, v, region)
        behind = for_all((v,), implication(further, earlier(time(rank, t), time(rank, v))))
        return conjunction((earlier(time(rank, t), time(rank, u)), behind))

    return holds


def closure_candidates(closure: Closure, others: Iterable[Closure]) -> Iterator[Candidate]:
    """Other closures on the same sort, of relations that speak of at least as much: over the same accesses or all."""
    mine = vocabulary(closure.of, opaque=True)
    for other in others:
        fits = other.of.left is closure.of.left and other.region in (closure.region, None)
        if fits and other != closure and mine <= vocabulary(other.of, opaque=True):
            words = f"({term_text(other.of)})⁺"
            yield Candidate(words, other.holds, Plus(closure.of), Plus(other.of), other.region)


def interval_candidates(reading: Unbounded, closure: Closure, formula: Formula) -> Iterator[Candidate]:
    """That a transaction committed before another one did, said by start order alone: it committed before the start of
    a transaction that did not start after the other's commit. Real time is an interval order: this is transitive."""
    if closure.of.left is Sort.T and start.name in vocabulary(formula):
        bound = start >> (concurrent | start | Identity(Sort.T))
        words = "t committed before a transaction started that did not start after u"
        yield Candidate(words, _within_term(reading, bound, closure.region), Plus(closure.of), bound, closure.region)


def split_candidates(reading: Unbounded, closure: Closure) -> Iterator[tuple[Term, Candidate]]:
    """Of a closure of `a ∪ b`: a path is one of a alone, or it passes through b. With each, the a.

    What an excluded cycle through b needs: `(a ∪ b)⁺` lies in `a⁺ ∪ (a ∪ b)* ; b ; (a ∪ b)*`.
    """
    whole = closure.of
    body = unnamed(whole)
    if type(body) is not Union:
        return
    for alone, through in ((body.one, body.other), (body.other, body.one)):
        bound = Union(Plus(alone), whole.plus.opt >> through >> whole.plus.opt)
        words = f"({term_text(alone)})⁺ or a path through {term_text(through)}"
        yield alone, Candidate(words, _within_term(reading, bound, closure.region), Plus(whole), bound, closure.region)


def _within_term(
    reading: Unbounded, bound: Term, region: Region | None
) -> Callable[[Expression, Expression], Statement]:
    return lambda t, u: reading.relation_within(bound, t, u, region)


def base_case(reading: Unbounded, closure: Closure, candidate: Candidate) -> Statement:
    """A step of the relation that the candidate does not hold of: without a model, the base of the induction holds."""
    t, u = _elements(reading, closure, 2)
    step = reading.relation_within(closure.of, t, u, closure.region)
    leaves = conjunction((step, negation(candidate.holds(t, u))))
    return reading.inside_of(closure.region, lambda: reading.some((t, u), leaves))


def step_case(reading: Unbounded, closure: Closure, candidate: Candidate) -> Statement:
    """A pair of the candidate and a step behind it that leave the candidate."""
    t, u, v = _elements(reading, closure, 3)
    step = reading.relation_within(closure.of, u, v, closure.region)
    leaves = conjunction((candidate.holds(t, u), step, negation(candidate.holds(t, v))))
    return reading.inside_of(closure.region, lambda: reading.some((t, u, v), leaves))


def lemma(reading: Unbounded, closure: Closure, candidate: Candidate) -> Statement:
    """The closure lies in the candidate."""
    t, u = _elements(reading, closure, 2)
    found = implication(closure.holds(t, u), candidate.holds(t, u))
    return reading.inside_of(closure.region, lambda: reading.every((t, u), found))


def _elements(reading: Unbounded, closure: Closure, count: int) -> tuple[Variable, ...]:
    """Variables of the sort that a closure is on, the first of a statement."""
    reading.restart()
    return tuple(reading.fresh(closure.of.left) for _ in range(count))


def lemma_formula(closure: Closure, candidate: Candidate) -> Formula:
    """The lemma in the relational language: for the concrete reading, on schedules that satisfy what it assumes.

    Where the two sides are over the accesses of different regions no term says it, and this is what follows from it:
    if the bound relates nothing to itself, what lies in it does not.
    """
    if candidate.region == closure.region:
        return over(~Some(candidate.inside - candidate.bound), closure.region)
    bound = over(Irreflexive(candidate.bound), candidate.region)
    return ~bound | over(Irreflexive(candidate.inside), closure.region)


def over(formula: Formula, region: Region | None) -> Formula:
    """The formula over the accesses of a region; of all of them where there is none."""
    return formula if region is None else Within(formula, region)
