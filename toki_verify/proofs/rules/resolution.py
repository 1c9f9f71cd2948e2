"""Resolution and rearrangement of clauses.

A *clause* is a disjunction read as the set of its members; a formula that is no disjunction is a clause of one
member, and so is a disjunction that is itself the literal resolved upon.
"""

from __future__ import annotations

from ..errors import RuleError
from ..terms import Term
from .step import Rule, Step, nary


def _literals(formula: Term, pivot: Term | None = None) -> list[Term]:
    if formula.is_core("false"):
        return []
    return list(formula.arguments) if formula.is_core("or") and formula is not pivot else [formula]


def _pair(step: Step, polarity: Term, pivot: Term) -> tuple[Term, Term]:
    """The literal to remove on the left and on the right: the pivot and its negation, exchanged for false."""
    if polarity not in (step.terms.true, step.terms.false) or pivot.sort != "Bool":
        raise RuleError(f"polarity {polarity} and pivot {pivot}, expected true or false and a formula")
    negated = step.terms.negation(pivot)
    return (pivot, negated) if polarity is step.terms.true else (negated, pivot)


def _without(literals: list[Term], literal: Term) -> list[Term]:
    if literal not in literals:
        raise RuleError(f"the literal {literal} is not in the clause it is to be removed from")
    return [other for other in literals if other is not literal]


def resolution(step: Step) -> Term:
    """From clauses C and D, arguments polarity and pivot L: all of C but one L and all of D but one ``(not L)``.

    Polarity false exchanges L and ``(not L)``. Order and repetition of the other members are kept.
    """
    step.expect(2, 2)
    left, right = _pair(step, step.term(0), step.term(1))
    members: list[Term] = []
    for premise, literal in zip(step.premises, (left, right), strict=True):
        literals = _literals(premise, literal)
        if literal not in literals:
            raise RuleError(f"the literal {literal} is not in {premise}")
        literals.remove(literal)
        members += literals
    return nary(step.terms, "or", members)


def chain_m_resolution(step: Step) -> Term:
    """From clauses C0 … Cn, arguments goal, polarities and pivots (n of each): the goal, a clause.

    C0 is resolved with C1, the result with C2, and so on, repetitions dropped; the result must be among the goal's
    members. Each pivot must occur on both sides.
    """
    step.expect(None, 3)
    goal, polarities, pivots = step.formula(0), step.listed(1), step.listed(2)
    if not len(step.premises) - 1 == len(polarities) == len(pivots) or not pivots:
        raise RuleError(f"{len(step.premises)} clauses, {len(polarities)} polarities, {len(pivots)} pivots")
    pairs = [_pair(step, polarity, pivot) for polarity, pivot in zip(polarities, pivots, strict=True)]
    resolvent = _literals(step.premises[0], pairs[0][0])
    for clause, (left, right) in zip(step.premises[1:], pairs, strict=True):
        step.terms.work.spend(1 + len(resolvent) + len(clause.arguments))
        resolvent = _without(resolvent, left) + _without(_literals(clause, right), right)
    if not set(resolvent) <= set(_literals(goal)) and set(resolvent) != {goal}:
        raise RuleError(f"the resolvent is {nary(step.terms, 'or', resolvent)}, expected {goal}")
    return goal


def reordering(step: Step) -> Term:
    """From a clause, argument goal: the goal, a clause with the same members in any order."""
    step.expect(1, 1)
    goal = step.formula(0)
    if set(_literals(step.premises[0])) != set(_literals(goal)):
        raise RuleError(f"{goal}, expected the members of {step.premises[0]}")
    return goal


def factoring(step: Step) -> Term:
    """From a clause: the clause of its members, each once, in the order of their first places."""
    step.expect(1, 0)
    return nary(step.terms, "or", list(dict.fromkeys(_literals(step.premises[0]))))


RESOLUTION_RULES: dict[str, Rule] = {
    "resolution": resolution,
    "chain_m_resolution": chain_m_resolution,
    "reordering": reordering,
    "factoring": factoring,
}
