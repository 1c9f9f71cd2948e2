"""Every rule: an instance is accepted with its conclusion, wrong instances are not, and changed ones stay sound."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from toki_verify.proofs.errors import RuleError, TermError
from toki_verify.proofs.kernel import Inference
from toki_verify.proofs.rules import RULES
from toki_verify.proofs.rules.schemata import SCHEMATA
from toki_verify.proofs.rules.step import Step
from toki_verify.proofs.sexpr import Atom, Node, read
from toki_verify.proofs.terms import Term

from .cases import conclude, make, step
from .structures import sound

# rule, premises, arguments, conclusion
VALID = [
    ("split", "", "p", "(or p (not p))"),
    ("eq_resolve", "p (= p q)", "", "q"),
    ("modus_ponens", "p (=> p q)", "", "q"),
    ("not_not_elim", "(not (not p))", "", "p"),
    ("contra", "p (not p)", "", "false"),
    ("implies_elim", "(=> p q)", "", "(or (not p) q)"),
    ("not_implies_elim1", "(not (=> p q))", "", "p"),
    ("not_implies_elim2", "(not (=> p q))", "", "(not q)"),
    ("equiv_elim1", "(= p q)", "", "(or (not p) q)"),
    ("equiv_elim2", "(= p q)", "", "(or p (not q))"),
    ("not_equiv_elim1", "(not (= p q))", "", "(or p q)"),
    ("not_equiv_elim2", "(not (= p q))", "", "(or (not p) (not q))"),
    ("xor_elim1", "(xor p q)", "", "(or p q)"),
    ("xor_elim2", "(xor p q)", "", "(or (not p) (not q))"),
    ("not_xor_elim1", "(not (xor p q))", "", "(or p (not q))"),
    ("not_xor_elim2", "(not (xor p q))", "", "(or (not p) q)"),
    ("cnf_xor_pos1", "", "(xor p q)", "(or (not (xor p q)) p q)"),
    ("cnf_xor_pos2", "", "(xor p q)", "(or (not (xor p q)) (not p) (not q))"),
    ("cnf_xor_neg1", "", "(xor p q)", "(or (xor p q) (not p) q)"),
    ("cnf_xor_neg2", "", "(xor p q)", "(or (xor p q) p (not q))"),
    ("cnf_implies_pos", "", "(=> p q)", "(or (not (=> p q)) (not p) q)"),
    ("cnf_implies_neg1", "", "(=> p q)", "(or (=> p q) p)"),
    ("cnf_implies_neg2", "", "(=> p q)", "(or (=> p q) (not q))"),
    ("cnf_equiv_pos1", "", "(= p q)", "(or (not (= p q)) (not p) q)"),
    ("cnf_equiv_pos2", "", "(= p q)", "(or (not (= p q)) p (not q))"),
    ("cnf_equiv_neg1", "", "(= p q)", "(or (= p q) p q)"),
    ("cnf_equiv_neg2", "", "(= p q)", "(or (= p q) (not p) (not q))"),
    ("true_intro", "p", "", "(= p true)"),
    ("true_elim", "(= p true)", "", "p"),
    ("false_intro", "(not p)", "", "(= p false)"),
    ("false_elim", "(= p false)", "", "(not p)"),
    ("eq-refl", "", "a", "(= (= a a) true)"),
    ("eq-symm", "", "a b", "(= (= a b) (= b a))"),
    ("distinct-binary-elim", "", "a b", "(= (distinct a b) (not (= a b)))"),
    ("bool-double-not-elim", "", "p", "(= (not (not p)) p)"),
    ("bool-not-true", "(= p false)", "p", "(= (not p) true)"),
    ("bool-not-false", "(= p true)", "p", "(= (not p) false)"),
    ("bool-eq-true", "", "p", "(= (= p true) p)"),
    ("bool-eq-false", "", "p", "(= (= p false) (not p))"),
    ("bool-eq-nrefl", "", "p", "(= (= p (not p)) false)"),
    ("bool-impl-false1", "", "p", "(= (=> p false) (not p))"),
    ("bool-impl-false2", "", "p", "(= (=> false p) true)"),
    ("bool-impl-true1", "", "p", "(= (=> p true) true)"),
    ("bool-impl-true2", "", "p", "(= (=> true p) p)"),
    ("bool-impl-elim", "", "p q", "(= (=> p q) (or (not p) q))"),
    ("bool-or-true", "", "(or p) false", "(= (or p true) true)"),
    ("bool-or-flatten", "", "(or p) q (or r) (or s)", "(= (or p (or q r) s) (or p q r s))"),
    ("bool-and-false", "", "(and p q) true", "(= (and p q false) false)"),
    ("bool-and-flatten", "", "true p (and q) (and s)", "(= (and (and p q) s) (and p q s))"),
    ("bool-and-conf", "", "(and p) q true (and r)", "(= (and p q (not q) r) false)"),
    ("bool-and-conf2", "", "(and p) q true (and r)", "(= (and p (not q) q r) false)"),
    ("bool-or-taut", "", "(or p) q false (or r)", "(= (or p q (not q) r) true)"),
    ("bool-or-taut2", "", "(or p) q false (or r)", "(= (or p (not q) q r) true)"),
    ("bool-or-de-morgan", "", "p q (or r)", "(= (not (or p q r)) (and (not p) (not (or q r))))"),
    ("bool-and-de-morgan", "", "p q true", "(= (not (and p q)) (or (not p) (not q)))"),
    ("bool-implies-de-morgan", "", "p q", "(= (not (=> p q)) (and p (not q)))"),
    ("bool-or-and-distrib", "", "p q true (or r)", "(= (or (and p q) r) (and (or p r) (or q r)))"),
    ("bool-xor-refl", "", "p", "(= (xor p p) false)"),
    ("bool-xor-nrefl", "", "p", "(= (xor p (not p)) true)"),
    ("bool-xor-false", "", "p", "(= (xor p false) p)"),
    ("bool-xor-true", "", "p", "(= (xor p true) (not p))"),
    ("bool-xor-comm", "", "p q", "(= (xor p q) (xor q p))"),
    ("bool-xor-elim", "", "p q", "(= (xor p q) (= (not p) q))"),
    ("bool-not-xor-elim", "", "p q", "(= (not (xor p q)) (= p q))"),
    ("bool-not-eq-elim1", "", "p q", "(= (not (= p q)) (= (not p) q))"),
    ("bool-not-eq-elim2", "", "p q", "(= (not (= p q)) (= p (not q)))"),
    ("and_elim", "(and p q r)", "1", "q"),
    ("and_intro", "p q", "", "(and p q)"),
    ("not_or_elim", "(not (or p q r))", "2", "(not r)"),
    ("not_and", "(not (and p q))", "", "(or (not p) (not q))"),
    ("cnf_and_pos", "", "(and p q) 1", "(or (not (and p q)) q)"),
    ("cnf_and_neg", "", "(and p q)", "(or (and p q) (not p) (not q))"),
    ("cnf_or_pos", "", "(or p q)", "(or (not (or p q)) p q)"),
    ("cnf_or_neg", "", "(or p q) 0", "(or (or p q) (not p))"),
    ("process_scope", "(=> p (=> q r))", "r", "(=> (and p q) r)"),
    ("process_scope", "(=> p q)", "q", "(=> p q)"),
    ("process_scope", "(=> p (=> q false))", "false", "(not (and p q))"),
    ("evaluate", "", "(not true)", "(= (not true) false)"),
    ("absorb", "", "(= (and p (and q false)) false)", "(= (and p (and q false)) false)"),
    ("distinct-false", "", "(= (distinct a b a) false)", "(= (distinct a b a) false)"),
    ("aci_norm", "", "(= (or p (or q p) false) (or q p))", "(= (or p (or q p) false) (or q p))"),
    ("aci_norm", "", "(= (and p true) p)", "(= (and p true) p)"),
    (
        "distinct-elim",
        "",
        "(= (distinct a b c) (and (not (= a b)) (not (= a c)) (not (= b c))))",
        "(= (distinct a b c) (and (not (= a b)) (not (= a c)) (not (= b c))))",
    ),
    ("resolution", "(or p q) (or r (not q))", "true q", "(or p r)"),
    ("resolution", "(or p (not q)) (or q r)", "false q", "(or p r)"),
    ("resolution", "p (not p)", "true p", "false"),
    ("chain_m_resolution", "(or p q) (not q) (not p)", "false (@list true true) (@list q p)", "false"),
    ("chain_m_resolution", "(or (or p q) r) (not (or p q))", "r (@list true) (@list (or p q))", "r"),
    ("chain_m_resolution", "(or p q) (or (not q) p)", "p (@list true) (@list q)", "p"),
    ("chain_m_resolution", "(not (or p q)) (or p q)", "false (@list false) (@list (or p q))", "false"),
    ("reordering", "(or p q r)", "(or r p q)", "(or r p q)"),
    ("factoring", "(or p q p)", "", "(or p q)"),
    ("refl", "", "(f a)", "(= (f a) (f a))"),
    ("symm", "(= a b)", "", "(= b a)"),
    ("symm", "(not (= a b))", "", "(not (= b a))"),
    ("trans", "(= a b) (= b c)", "", "(= a c)"),
    ("cong", "(= a b) (= b c)", "(g a b)", "(= (g a b) (g b c))"),
    ("cong", "(= b c)", "(g a b)", "(= (g a b) (g a c))"),
    ("cong", "(= p q)", "(not p)", "(= (not p) (not q))"),
    (
        "cong",
        "(= (P x) (Q x x))",
        "(forall (@list x) (P x))",
        "(= (forall (@list x) (P x)) (forall (@list x) (Q x x)))",
    ),
    ("nary_cong", "(= p q) (= q r)", "(and p q)", "(= (and p q) (and q r))"),
    ("pairwise_cong", "(= a b) (= b c)", "(distinct a b)", "(= (distinct a b) (distinct b c))"),
    ("instantiate", "(forall (@list x y) (Q x y))", "(@list (f y) x)", "(Q (f y) x)"),
    (
        "instantiate",
        "(forall (@list x) (and (P x) (forall (@list x y) (Q x y))))",
        "(@list (f y))",
        "(and (P (f y)) (forall (@list x y) (Q x y)))",
    ),
    (
        "skolemize",
        "(not (forall (@list x) (P x)))",
        "",
        "(not (P (@quantifiers_skolemize (forall (@list x) (P x)) 0)))",
    ),
    (
        "exists-elim",
        "",
        "(= (exists (@list x) (P x)) (not (forall (@list x) (not (P x)))))",
        "(= (exists (@list x) (P x)) (not (forall (@list x) (not (P x)))))",
    ),
    (
        "quant-unused-vars",
        "",
        "(= (forall (@list x y) (P x)) (forall (@list x) (P x)))",
        "(= (forall (@list x y) (P x)) (forall (@list x) (P x)))",
    ),
    ("quant-unused-vars", "", "(= (exists (@list x) p) p)", "(= (exists (@list x) p) p)"),
    (
        "quant-merge-prenex",
        "",
        "(= (forall (@list x) (forall (@list y) (Q x y))) (forall (@list x y) (Q x y)))",
        "(= (forall (@list x) (forall (@list y) (Q x y))) (forall (@list x y) (Q x y)))",
    ),
]

# rule, premises, arguments: what a careless checker might let pass
INVALID = [
    ("eq_resolve", "q (= p q)", ""),
    ("modus_ponens", "q (=> p q)", ""),
    ("contra", "p (not q)", ""),
    ("implies_elim", "(=> p q) p", ""),
    ("equiv_elim1", "(= a b)", ""),
    ("true_elim", "(= p false)", ""),
    ("bool-not-true", "(= p true)", "p"),
    ("bool-not-true", "(= q false)", "p"),
    ("eq-symm", "", "a k"),
    ("bool-or-true", "", "(and p) false"),
    ("bool-and-de-morgan", "", "p q (or r)"),
    ("and_elim", "(and p q)", "2"),
    ("and_elim", "(or p q)", "0"),
    ("not_or_elim", "(not (and p q))", "0"),
    ("not_and", "(not (or p q))", ""),
    ("cnf_and_pos", "", "(or p q) 0"),
    ("cnf_or_neg", "", "(or p q) 2"),
    ("process_scope", "(=> p (=> q r))", "s"),
    ("evaluate", "", "(or p q)"),
    ("absorb", "", "(= (or p false) false)"),
    ("absorb", "", "(= (and p false) true)"),
    ("distinct-false", "", "(= (distinct a b c) false)"),
    ("aci_norm", "", "(= (or p q) (and p q))"),
    ("aci_norm", "", "(= (or p (and q r)) (or p q r))"),
    ("aci_norm", "", "(= a b)"),
    ("distinct-elim", "", "(= (distinct a b c) (and (not (= a b)) (not (= b c))))"),
    ("resolution", "(or p q) (or r q)", "true q"),
    ("resolution", "(or p q) (or r (not q))", "false q"),
    ("resolution", "(or p q) (or r (not q))", "true s"),
    ("resolution", "(or p q) (or r (not q))", "p q"),
    ("chain_m_resolution", "(or p q) (not q)", "false (@list true) (@list q)"),
    ("chain_m_resolution", "(or p q) (not q)", "p (@list false) (@list q)"),
    ("chain_m_resolution", "(or p q) (not q)", "p (@list true true) (@list q q)"),
    ("chain_m_resolution", "(or p q)", "(or p q) @list.nil @list.nil"),
    ("reordering", "(or p q)", "(or p r)"),
    ("reordering", "(or p q)", "p"),
    ("symm", "(=> p q)", ""),
    ("trans", "(= a b) (= c b)", ""),
    ("trans", "", ""),
    ("cong", "(= b c) (= b c)", "(g a b)"),
    ("cong", "(= p q) (= q r)", "(and p q)"),
    ("cong", "", "(f a)"),
    ("cong", "(= x y)", "(forall (@list x) (P x))"),
    ("nary_cong", "(= p q)", "(and p q)"),
    ("nary_cong", "(= p q) (= q r)", "(=> p q)"),
    ("pairwise_cong", "(= a b)", "(distinct a b)"),
    ("instantiate", "(forall (@list x y) (Q x y))", "(@list a)"),
    ("instantiate", "(exists (@list x) (P x))", "(@list a)"),
    ("instantiate", "(forall (@list x) (P x))", "(@list k)"),
    ("instantiate", "(forall (@list x) (exists (@list y) (not (= x y))))", "(@list y)"),
    ("instantiate", "(forall (@list x) (exists (@list y) (not (= x y))))", "(@list (f y))"),
    ("skolemize", "(not (exists (@list x) (P x)))", ""),
    ("skolemize", "(forall (@list x) (P x))", ""),
    ("skolemize", "(not (forall (@list x) (Q x y)))", ""),
    ("exists-elim", "", "(= (exists (@list x) (P x)) (not (forall (@list x) (P x))))"),
    ("exists-elim", "", "(= (exists (@list x) (Q x y)) (not (forall (@list y) (not (Q x y)))))"),
    ("quant-unused-vars", "", "(= (forall (@list x y) (Q x y)) (forall (@list x) (Q x y)))"),
    ("quant-unused-vars", "", "(= (forall (@list x y) (P x)) (exists (@list x) (P x)))"),
    ("quant-merge-prenex", "", "(= (forall (@list x) (exists (@list y) (Q x y))) (forall (@list x y) (Q x y)))"),
    ("quant-merge-prenex", "", "(= (forall (@list x) (P x)) (forall (@list y) (P x)))"),
]


def _is_list(pattern: Node) -> bool:
    return isinstance(pattern, Atom) and pattern.text.endswith("…")


def _name(case: object) -> str:
    return str(case).replace(" ", "_")[:40]


@pytest.mark.parametrize(("rule", "premises", "args", "conclusion"), VALID, ids=_name)
def test_a_valid_instance_is_accepted_with_its_conclusion(rule: str, premises: str, args: str, conclusion: str) -> None:
    terms, reader = make()
    assert conclude(rule, step(terms, reader, premises, args)) is reader.argument(_node(conclusion))


@pytest.mark.parametrize(("rule", "premises", "args"), INVALID, ids=_name)
def test_a_wrong_instance_is_not_accepted(rule: str, premises: str, args: str) -> None:
    terms, reader = make()
    given = step(terms, reader, premises, args)
    with pytest.raises((RuleError, TermError)):
        conclude(rule, given)


@pytest.mark.parametrize(("rule", "premises", "args", "conclusion"), VALID, ids=_name)
def test_a_changed_instance_is_refused_or_concludes_something_true(
    rule: str, premises: str, args: str, conclusion: str
) -> None:
    terms, reader = make()
    given = step(terms, reader, premises, args)
    pool = [reader.argument(_node(text)) for text in ("p", "(not q)", "(or p q)", "(and q r)", "a", "x", "(= p q)")]
    pool += [reader.argument(_node(text)) for text in ("(= b a)", "(forall (@list x) (P x))", "true", "0", "7")]
    for changed in _changes(given, pool):
        try:
            found = conclude(rule, changed)
        except (RuleError, TermError):
            continue
        assert sound(terms, Inference("", rule, changed.premises, changed.arguments, found)), (changed, found)


def _changes(given: Step, pool: list[object]) -> list[Step]:
    found = []
    for name in ("premises", "arguments"):
        items = getattr(given, name)
        formulas = [item for item in pool if name == "arguments" or (isinstance(item, Term) and item.sort == "Bool")]
        found.append(replace(given, **{name: (*items, formulas[0])}))
        for place in range(len(items)):
            before, after = items[:place], items[place + 1 :]
            found.append(replace(given, **{name: before + after}))
            found.append(replace(given, **{name: after + before + (items[place],)}))
            found += [replace(given, **{name: (*before, item, *after)}) for item in formulas]
    return found


def test_every_rule_has_a_valid_instance_here() -> None:
    assert set(RULES) == {case[0] for case in VALID}


LISTS = ("true", "false", *(f"({name} {' '.join('pqr'[:size])})" for name in ("and", "or") for size in (1, 2, 3)))


@pytest.mark.parametrize("rule", [rule for rule in SCHEMATA if any(map(_is_list, SCHEMATA[rule].arguments))])
def test_schemata_hold_with_lists_of_every_small_length(rule: str) -> None:
    terms, reader = make()
    choices = [LISTS if _is_list(pattern) else ("s",) for pattern in SCHEMATA[rule].arguments]
    accepted = 0
    for args in product(*choices):
        try:
            found = conclude(rule, step(terms, reader, "", " ".join(args)))
        except (RuleError, TermError):
            continue
        accepted += 1
        assert sound(terms, Inference("", rule, (), (), found))
    # Each list has its own connective: four of the eight texts are lists of it.
    assert accepted == 4 ** sum(map(_is_list, SCHEMATA[rule].arguments))


def _node(text: str) -> Node:
    return read(text)[0]
