"""Propositional rules about lists of formulas. As in the table of schemata, the judge confirms every conclusion."""

from __future__ import annotations

from collections.abc import Sequence

from ..entailment import entails, value
from ..errors import RuleError
from ..terms import NARY, Term
from .step import Rule, Step, nary, operands, pick


def _confirmed(step: Step, conclusion: Term, atoms: Sequence[Term]) -> Term:
    if not entails(step.premises, conclusion, atoms, step.terms.work):
        raise RuleError(f"{conclusion} does not follow propositionally")
    return conclusion


def and_elim(step: Step) -> Term:
    """From ``(and F0 … Fn)``, argument i: ``Fi``."""
    step.expect(1, 1)
    parts = operands(step.premises[0], "and")
    return _confirmed(step, pick(parts, step.index(0)), parts)


def and_intro(step: Step) -> Term:
    """From ``F0``, …, ``Fn``: ``(and F0 … Fn)``, or ``F0`` alone."""
    step.expect(None, 0)
    return _confirmed(step, nary(step.terms, "and", step.premises), step.premises)


def not_or_elim(step: Step) -> Term:
    """From ``(not (or F0 … Fn))``, argument i: ``(not Fi)``."""
    step.expect(1, 1)
    parts = operands(operands(step.premises[0], "not")[0], "or")
    return _confirmed(step, step.terms.negation(pick(parts, step.index(0))), parts)


def not_and(step: Step) -> Term:
    """From ``(not (and F0 … Fn))``: ``(or (not F0) … (not Fn))``."""
    step.expect(1, 0)
    parts = operands(operands(step.premises[0], "not")[0], "and")
    return _confirmed(step, step.terms.core("or", [step.terms.negation(part) for part in parts]), parts)


def cnf_and_pos(step: Step) -> Term:
    """Arguments ``F = (and F0 … Fn)`` and i: ``(or (not F) Fi)``."""
    step.expect(0, 2)
    formula, parts = step.formula(0), operands(step.formula(0), "and")
    clause = [step.terms.negation(formula), pick(parts, step.index(1))]
    return _confirmed(step, step.terms.core("or", clause), parts)


def cnf_and_neg(step: Step) -> Term:
    """Argument ``F = (and F0 … Fn)``: ``(or F (not F0) … (not Fn))``."""
    step.expect(0, 1)
    formula, parts = step.formula(0), operands(step.formula(0), "and")
    clause = [formula, *(step.terms.negation(part) for part in parts)]
    return _confirmed(step, step.terms.core("or", clause), parts)


def cnf_or_pos(step: Step) -> Term:
    """Argument ``F = (or F0 … Fn)``: ``(or (not F) F0 … Fn)``."""
    step.expect(0, 1)
    formula, parts = step.formula(0), operands(step.formula(0), "or")
    return _confirmed(step, step.terms.core("or", [step.terms.negation(formula), *parts]), parts)


def cnf_or_neg(step: Step) -> Term:
    """Arguments ``F = (or F0 … Fn)`` and i: ``(or F (not Fi))``."""
    step.expect(0, 2)
    formula, parts = step.formula(0), operands(step.formula(0), "or")
    clause = [formula, step.terms.negation(pick(parts, step.index(1)))]
    return _confirmed(step, step.terms.core("or", clause), parts)


def process_scope(step: Step) -> Term:
    """From ``(=> F1 (=> F2 … (=> Fn G)))``, argument G: ``(=> (and F1 … Fn) G)``, or ``(not (and F1 … Fn))`` for false.

    With n = 1 there is no ``and``.
    """
    step.expect(1, 1)
    goal, rest, antecedents = step.formula(0), step.premises[0], list[Term]()
    while rest is not goal:
        antecedent, rest = operands(rest, "=>")
        antecedents.append(antecedent)
    both = nary(step.terms, "and", antecedents)
    conclusion = step.terms.negation(both) if goal is step.terms.false else step.terms.core("=>", (both, goal))
    return _confirmed(step, conclusion, [*antecedents, goal])


def evaluate(step: Step) -> Term:
    """Argument F: ``(= F true)`` or ``(= F false)``, if F has that value whatever its atoms are."""
    step.expect(0, 1)
    formula = step.formula(0)
    found = value(formula, step.terms.work)
    if found is None:
        raise RuleError(f"{formula} has no value of its own")
    return step.terms.equal(formula, step.terms.true if found else step.terms.false)


def has_value(step: Step) -> Term:
    """Argument ``(= F true)`` or ``(= F false)``: itself, if F has that value whatever its atoms are.

    ``absorb`` states it of an ``and`` with a member false or an ``or`` with a member true; ``distinct-false`` of a
    ``distinct`` with a repetition.
    """
    step.expect(0, 1)
    left, right = operands(step.formula(0), "=")
    found = value(left, step.terms.work)
    if found is None or right is not (step.terms.true if found else step.terms.false):
        raise RuleError(f"the value of {left}: found {found}, expected {right}")
    return step.formula(0)


def aci_norm(step: Step) -> Term:
    """Argument ``(= F G)``: itself, if F and G are one conjunction (disjunction) up to nesting, order and repetition.

    Neutral elements count for nothing.
    """
    step.expect(0, 1)
    left, right = operands(step.formula(0), "=")
    if left.sort != "Bool" or not any(_members(left, name, step) == _members(right, name, step) for name in NARY):
        raise RuleError(f"{left} and {right} have different members")
    return step.formula(0)


def _members(formula: Term, name: str, step: Step) -> set[Term]:
    """The members of nested conjunctions (disjunctions), without neutral elements."""
    members: set[Term] = set()
    waiting, seen = [formula], set[Term]()
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        step.terms.work.spend(1 + len(part.arguments))
        if part.is_core(name):
            waiting.extend(part.arguments)
        elif not part.is_core("true" if name == "and" else "false"):
            members.add(part)
    return members


def distinct_elim(step: Step) -> Term:
    """Argument ``(= (distinct t1 … tn) G)``: itself, if G is the conjunction of all ``(not (= ti tj))``, i < j."""
    step.expect(0, 1)
    left, right = operands(step.formula(0), "=")
    items, terms = operands(left, "distinct"), step.terms
    terms.work.spend(len(items) ** 2)
    pairs = [(first, second) for place, first in enumerate(items) for second in items[place + 1 :]]
    expected = nary(terms, "and", [terms.negation(terms.equal(first, second)) for first, second in pairs])
    if right is not expected:
        raise RuleError(f"{right}, expected {expected}")
    return step.formula(0)


PROPOSITIONAL_RULES: dict[str, Rule] = {
    "and_elim": and_elim,
    "and_intro": and_intro,
    "not_or_elim": not_or_elim,
    "not_and": not_and,
    "cnf_and_pos": cnf_and_pos,
    "cnf_and_neg": cnf_and_neg,
    "cnf_or_pos": cnf_or_pos,
    "cnf_or_neg": cnf_or_neg,
    "process_scope": process_scope,
    "evaluate": evaluate,
    "aci_norm": aci_norm,
    "distinct-elim": distinct_elim,
    "distinct-false": has_value,
    "absorb": has_value,
}
