"""Equality: reflexivity, symmetry, transitivity, congruence."""

from __future__ import annotations

from ..errors import RuleError
from ..terms import NARY, Term
from .step import Rule, Step, operands


def refl(step: Step) -> Term:
    """Argument t: ``(= t t)``."""
    step.expect(0, 1)
    return step.terms.equal(step.term(0), step.term(0))


def symm(step: Step) -> Term:
    """From ``(= t s)``: ``(= s t)``; from ``(not (= t s))``: ``(not (= s t))``."""
    step.expect(1, 0)
    premise = step.premises[0]
    if premise.is_core("not"):
        left, right = operands(premise.arguments[0], "=")
        return step.terms.negation(step.terms.equal(right, left))
    left, right = operands(premise, "=")
    return step.terms.equal(right, left)


def trans(step: Step) -> Term:
    """From ``(= t1 t2)``, ``(= t2 t3)``, …, ``(= tn-1 tn)``: ``(= t1 tn)``."""
    step.expect(None, 0)
    if not step.premises:
        raise RuleError("no premises, expected one or more equalities")
    first, last = operands(step.premises[0], "=")
    for premise in step.premises[1:]:
        left, right = operands(premise, "=")
        if left is not last:
            raise RuleError(f"{premise} after an equality that ends in {last}")
        last = right
    return step.terms.equal(first, last)


def _congruent(step: Step, term: Term, kept: int = 0) -> Term:
    """``(= term t')``: t' has the right sides of the premises for the arguments after the first ``kept``."""
    changed = term.arguments[kept:]
    if len(step.premises) != len(changed) or not changed:
        raise RuleError(f"{len(step.premises)} premise(s) for the {len(term.arguments)} argument(s) of {term}")
    sides = [operands(premise, "=") for premise in step.premises]
    for (left, _), argument in zip(sides, changed, strict=True):
        if left is not argument:
            raise RuleError(f"an equality about {left}, expected one about {argument}")
    return step.terms.equal(term, step.terms.rebuild(term, [*term.arguments[:kept], *(right for _, right in sides)]))


def cong(step: Step) -> Term:
    """Argument ``t = (f t1 … tn)``, from ``(= ti si)`` for each i: ``(= t (f s1 … sn))``.

    Premises may be left out for the first arguments, which then stay as they are. For ``(forall xs F)`` and
    ``(exists xs F)`` the one premise is ``(= F G)``: it holds for all values of its free variables, because no local
    assumption has any.
    """
    step.expect(None, 1)
    term = step.term(0)
    if term.kind not in ("symbol", "core", "quantifier") or (term.name in NARY and term.kind == "core"):
        raise RuleError(f"{term}, expected a function, a predicate, a quantifier or a connective other than and, or")
    return _congruent(step, term, max(0, len(term.arguments) - len(step.premises)))


def nary_cong(step: Step) -> Term:
    """Argument ``t = (and F1 … Fn)`` or ``(or F1 … Fn)``, from ``(= Fi Gi)`` for each i: ``(= t (and G1 … Gn))``."""
    step.expect(None, 1)
    term = step.term(0)
    if term.kind != "core" or term.name not in NARY:
        raise RuleError(f"{term}, expected an application of and, or")
    return _congruent(step, term)


def pairwise_cong(step: Step) -> Term:
    """Argument ``t = (distinct t1 … tn)``, from ``(= ti si)`` for each i: ``(= t (distinct s1 … sn))``."""
    step.expect(None, 1)
    operands(step.term(0), "distinct")
    return _congruent(step, step.term(0))


EQUALITY_RULES: dict[str, Rule] = {
    "refl": refl,
    "symm": symm,
    "trans": trans,
    "cong": cong,
    "nary_cong": nary_cong,
    "pairwise_cong": pairwise_cong,
}
