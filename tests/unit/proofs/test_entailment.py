"""The judge of propositional entailment agrees with truth tables."""

from __future__ import annotations

import random
from itertools import product

import pytest

from toki_verify.proofs import entailment
from toki_verify.proofs.entailment import entails, value
from toki_verify.proofs.errors import RuleError
from toki_verify.proofs.terms import Term, Terms

from .cases import arguments, make
from .structures import Structure

SHAPES = (
    "(not {0})",
    "(and {0} {1} {2})",
    "(or {0} {1})",
    "(=> {0} {1})",
    "(= {0} {1})",
    "(xor {0} {1})",
    "(ite {0} {1} {2})",
)


def _random_formula(choose: random.Random, depth: int) -> str:
    if depth == 0 or choose.random() < 0.2:
        return choose.choice(["p", "q", "r", "true", "false"])
    parts = [_random_formula(choose, depth - 1) for _ in range(3)]
    return choose.choice(SHAPES).format(*parts)


def _by_table(terms: Terms, premises: list[Term], conclusion: Term) -> bool:
    structure = Structure(terms, 0)
    for values in product((False, True), repeat=3):
        structure.tables.update({(name,): chosen for name, chosen in zip("pqr", values, strict=True)})
        if all(structure.value(premise, {}) for premise in premises) and not structure.value(conclusion, {}):
            return False
    return True


@pytest.mark.parametrize("seed", range(300))
def test_agrees_with_truth_tables(seed: int) -> None:
    choose = random.Random(seed)
    terms, reader = make()
    premise, conclusion, part = arguments(reader, " ".join(_random_formula(choose, 3) for _ in range(3)))
    assert isinstance(premise, Term) and isinstance(conclusion, Term) and isinstance(part, Term)
    expected = _by_table(terms, [premise], conclusion)
    assert entails([premise], conclusion) is expected
    assert entails([premise], conclusion, [part, *premise.arguments]) is expected
    if value(conclusion) is not None:
        assert _by_table(terms, [], conclusion if value(conclusion) else terms.negation(conclusion))


@pytest.mark.parametrize(
    ("premise", "conclusion", "expected"),
    [
        ("(= a b)", "(= b a)", True),
        ("true", "(= a a)", True),
        ("(distinct a b c)", "(not (= c a))", True),
        ("(and (not (= a b)) (not (= c b)) (not (= a c)))", "(distinct a b c)", True),
        ("(and (= a b) (= b c))", "(= a c)", False),
        ("(= a b)", "(= (f a) (f b))", False),
        ("(forall (@list x) (P x))", "(P a)", False),
        ("(forall (@list x) (P x))", "(forall (@list x) (P x))", True),
    ],
)
def test_of_equality_only_symmetry_and_reflexivity_are_used(premise: str, conclusion: str, expected: bool) -> None:
    _, reader = make()
    left, right = arguments(reader, f"{premise} {conclusion}")
    assert isinstance(left, Term) and isinstance(right, Term)
    assert entails([left], right) is expected


def test_gives_up_with_a_message_after_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entailment, "MAXIMAL_CASES", 3)
    _, reader = make()
    left, right = arguments(reader, "(xor p (xor q r)) (xor r (xor q p))")
    assert isinstance(left, Term) and isinstance(right, Term)
    with pytest.raises(RuleError, match="not decided within 3 cases"):
        entails([left], right)


def test_wide_formulas_are_decided_quickly() -> None:
    terms, reader = make()
    [x] = arguments(reader, "a")
    atoms = []
    for _ in range(300):
        x = terms.apply("f", [x])  # type: ignore[list-item]
        atoms.append(terms.apply("P", [x]))
    left = terms.negation(terms.core("and", atoms))
    assert entails([left], terms.core("or", [terms.negation(atom) for atom in atoms]))
    assert not entails([left], terms.core("or", [terms.negation(atom) for atom in atoms[1:]]))
