"""Quantifiers: instances, Skolem terms, and rewritings of quantified formulas."""

from __future__ import annotations

from ..errors import RuleError
from ..terms import Term
from .step import Rule, Step, operands


def _quantified(formula: Term, name: str) -> Term:
    if not formula.is_quantifier(name):
        raise RuleError(f"{formula}, expected a formula that starts with {name}")
    return formula


def instantiate(step: Step) -> Term:
    """From ``(forall x1 … xn. F)``, argument the list t1 … tn: F with each ``ti`` for ``xi``, without capture."""
    step.expect(1, 1)
    formula, values = _quantified(step.premises[0], "forall"), step.listed(0)
    if len(values) != len(formula.bound):
        raise RuleError(f"{len(values)} term(s) for {len(formula.bound)} variable(s)")
    return step.terms.substitute(formula.arguments[0], dict(zip(formula.bound, values, strict=True)))


def skolemize(step: Step) -> Term:
    """From a closed ``(not (forall x1 … xn. F))``: ``(not F)`` with the i-th Skolem term of the formula for ``xi``."""
    step.expect(1, 0)
    formula = _quantified(operands(step.premises[0], "not")[0], "forall")
    values = {variable: step.terms.skolem(formula, place) for place, variable in enumerate(formula.bound)}
    return step.terms.negation(step.terms.substitute(formula.arguments[0], values))


def exists_elim(step: Step) -> Term:
    """Argument ``(= (exists xs F) (not (forall xs (not F))))``: itself."""
    step.expect(0, 1)
    left, right = operands(step.formula(0), "=")
    formula, terms = _quantified(left, "exists"), step.terms
    if right is not terms.negation(terms.quantified("forall", formula.bound, terms.negation(formula.arguments[0]))):
        raise RuleError(f"{right} is not the dual of {left}")
    return step.formula(0)


def quant_unused_vars(step: Step) -> Term:
    """Argument ``(= (Q xs F) G)``: itself, if G is ``(Q ys F)`` and ys are those of xs free in F, or F if none is.

    Sound because no sort is empty.
    """
    step.expect(0, 1)
    left, right = operands(step.formula(0), "=")
    if left.kind != "quantifier":
        raise RuleError(f"{left}, expected a quantified formula")
    body = left.arguments[0]
    used = [variable for variable in left.bound if variable in body.free]
    if right is not (step.terms.quantified(left.name, used, body) if used else body):
        raise RuleError(f"{right} is not {left} without its unused variables")
    return step.formula(0)


def quant_merge_prenex(step: Step) -> Term:
    """Argument ``(= (Q xs (Q ys … F)) (Q xs ys … F))``: itself, if all the variables are different."""
    step.expect(0, 1)
    left, right = operands(step.formula(0), "=")
    if left.kind != "quantifier":
        raise RuleError(f"{left}, expected a quantified formula")
    bound, body = list[Term](), left
    while body.is_quantifier(left.name):
        bound += body.bound
        body = body.arguments[0]
        if right.is_quantifier(left.name) and right.bound == tuple(bound) and right.arguments[0] is body:
            # `quantified` has refused a repeated variable when it made the right side.
            return step.formula(0)
    raise RuleError(f"{right} is not {left} with its quantifiers merged")


QUANTIFIER_RULES: dict[str, Rule] = {
    "instantiate": instantiate,
    "skolemize": skolemize,
    "exists-elim": exists_elim,
    "quant-unused-vars": quant_unused_vars,
    "quant-merge-prenex": quant_merge_prenex,
}
