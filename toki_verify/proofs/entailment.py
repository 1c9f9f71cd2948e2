"""Propositional entailment, decided by cases: the one judge of every propositional step.

Connectives are followed down to *atoms*: anything else of sort Bool, with a quantified formula as one atom. Of
equality between terms only symmetry and reflexivity are used: ``(= a b)`` and ``(= b a)`` are one atom and ``(= a a)``
is true; ``distinct`` is the conjunction of its disequalities. Each atom may be true or false, so what is found
entailed is so in every structure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from .errors import RuleError
from .terms import BOOL, Term, parts_in_order
from .work import Work

MAXIMAL_CASES = 4_000
"""After so many partial assignments the judge gives up, and the step is not accepted."""

Key = Term | tuple[int, int]


def entails(premises: Sequence[Term], conclusion: Term, whole: Collection[Term] = (), work: Work | None = None) -> bool:
    """Whether the conclusion is true under every assignment to the atoms that makes the premises true.

    Terms in ``whole`` count as atoms even where they are connectives; that can lose an entailment and never adds one,
    so if it fails the question is asked again without ``whole``. Raises :class:`RuleError` after
    :data:`MAXIMAL_CASES` cases, and :class:`WorkError` if ``work`` is used up.
    """
    cuts, counted = frozenset(whole), work or Work()
    if _entails(premises, conclusion, cuts, counted):
        return True
    return bool(cuts) and _entails(premises, conclusion, frozenset(), counted)


def value(formula: Term, work: Work | None = None) -> bool | None:
    """The truth value that holds whatever the atoms are, as far as evaluation finds it; None if it depends."""
    nodes = _skeleton([formula], frozenset())
    (work or Work()).spend(_cost(nodes))
    return _evaluate(nodes, {}, frozenset())[formula]


def _is_atom(term: Term, cuts: frozenset[Term]) -> bool:
    if term.kind != "core" or term in cuts or term.sort != BOOL or term.name == "distinct":
        return True
    return term.name == "=" and term.arguments[0].sort != BOOL


def _skeleton(roots: Sequence[Term], cuts: frozenset[Term]) -> list[Term]:
    return parts_in_order(roots, lambda term: _is_atom(term, cuts))


def _cost(nodes: Sequence[Term]) -> int:
    """The units for one evaluation of the nodes; ``distinct`` compares every two of its arguments."""
    return sum(1 + len(node.arguments) ** (2 if node.is_core("distinct") else 1) for node in nodes)


def _pair(left: Term, right: Term) -> tuple[int, int]:
    return (min(left.number, right.number), max(left.number, right.number))


def _entails(premises: Sequence[Term], conclusion: Term, cuts: frozenset[Term], work: Work) -> bool:
    nodes = _skeleton([*premises, conclusion], cuts)
    cost = _cost(nodes) + len(premises)
    assignment: dict[Key, bool] = {}
    trail: list[Key] = []
    for _ in range(MAXIMAL_CASES):
        work.spend(cost)
        values = _evaluate(nodes, assignment, cuts)
        if values[conclusion] is True or any(values[premise] is False for premise in premises):
            while trail and assignment[trail[-1]]:
                del assignment[trail.pop()]
            if not trail:
                return True
            assignment[trail[-1]] = True
            continue
        open_formula = next((formula for formula in (*premises, conclusion) if values[formula] is None), None)
        if open_formula is None:
            return False
        trail.append(_open_atom(open_formula, values, assignment, cuts))
        assignment[trail[-1]] = False
    raise RuleError(f"not decided within {MAXIMAL_CASES} cases, a limit of this checker")


def _evaluate(nodes: Sequence[Term], assignment: dict[Key, bool], cuts: frozenset[Term]) -> dict[Term, bool | None]:
    """Kleene's three-valued evaluation of all nodes, parts first."""
    values: dict[Term, bool | None] = {}
    for node in nodes:
        arguments = node.arguments
        if node.kind == "core" and node not in cuts and node.name in ("=", "distinct"):
            if node.name == "=" and arguments[0].sort == BOOL:
                left, right = values[arguments[0]], values[arguments[1]]
                same = arguments[0] is arguments[1]
                values[node] = True if same else None if left is None or right is None else left == right
                continue
            equal = [_equality(left, right, assignment) for left, right in combinations(arguments, 2)]
            values[node] = equal[0] if node.name == "=" else _negated(_any(equal))
        elif _is_atom(node, cuts):
            values[node] = assignment.get(node)
        else:
            values[node] = _connective(node.name, [values[argument] for argument in arguments])
    return values


def _equality(left: Term, right: Term, assignment: dict[Key, bool]) -> bool | None:
    return True if left is right else assignment.get(_pair(left, right))


def _connective(name: str, values: list[bool | None]) -> bool | None:
    if name in ("true", "false"):
        return name == "true"
    if name == "not":
        return _negated(values[0])
    if name == "or":
        return _any(values)
    if name == "and":
        return _negated(_any([_negated(item) for item in values]))
    if name == "=>":
        return _any([_negated(values[0]), values[1]])
    if name == "xor":
        return None if values[0] is None or values[1] is None else values[0] != values[1]
    if name == "ite":
        if values[0] is not None:
            return values[1] if values[0] else values[2]
        return values[1] if values[1] == values[2] else None
    raise RuleError(f"no truth table for {name}")


def _negated(item: bool | None) -> bool | None:
    return None if item is None else not item


def _any(values: Sequence[bool | None]) -> bool | None:
    return True if True in values else None if None in values else False


def _open_atom(
    formula: Term, values: dict[Term, bool | None], assignment: dict[Key, bool], cuts: frozenset[Term]
) -> Key:
    """An atom without a value on which the formula, which has none, still depends."""
    while not _is_atom(formula, cuts):
        formula = next(argument for argument in formula.arguments if values[argument] is None)
    if formula.kind == "core" and formula not in cuts and formula.name in ("=", "distinct"):
        pairs = [(left, right) for left, right in combinations(formula.arguments, 2) if left is not right]
        return next(_pair(left, right) for left, right in pairs if _pair(left, right) not in assignment)
    return formula
