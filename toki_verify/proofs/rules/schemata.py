"""Propositional rules of a fixed shape, as a table.

The table only says what a step *claims*; it is not trusted. Every instance is put to the judge of propositional
entailment (:mod:`..entailment`) with the matched parts as atoms, so a wrong line rejects good proofs and accepts none.

A line is ``name: arguments; premises; conclusion``. A letter stands for any term. A name with ``…`` stands for several
operands of the connective around it; as an argument it is written as an application of that connective, or as its
neutral element if there are none. ``(and! …)`` and ``(or! …)`` are the operand itself if there is one, and the
neutral element if there is none.

Source: cvc5's rule documentation (ProofRule, ProofRewriteRule); the names are its names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ..entailment import entails
from ..errors import RuleError
from ..sexpr import Atom, Group, Node, read
from ..terms import NARY, Term
from .step import Rule, Step, nary, operands

TABLE = """
split: p; ; (or p (not p))
eq_resolve: ; p (= p q); q
modus_ponens: ; p (=> p q); q
not_not_elim: ; (not (not p)); p
contra: ; p (not p); false
implies_elim: ; (=> p q); (or (not p) q)
not_implies_elim1: ; (not (=> p q)); p
not_implies_elim2: ; (not (=> p q)); (not q)
equiv_elim1: ; (= p q); (or (not p) q)
equiv_elim2: ; (= p q); (or p (not q))
not_equiv_elim1: ; (not (= p q)); (or p q)
not_equiv_elim2: ; (not (= p q)); (or (not p) (not q))
xor_elim1: ; (xor p q); (or p q)
xor_elim2: ; (xor p q); (or (not p) (not q))
not_xor_elim1: ; (not (xor p q)); (or p (not q))
not_xor_elim2: ; (not (xor p q)); (or (not p) q)
cnf_implies_pos: (=> p q); ; (or (not (=> p q)) (not p) q)
cnf_implies_neg1: (=> p q); ; (or (=> p q) p)
cnf_implies_neg2: (=> p q); ; (or (=> p q) (not q))
cnf_equiv_pos1: (= p q); ; (or (not (= p q)) (not p) q)
cnf_equiv_pos2: (= p q); ; (or (not (= p q)) p (not q))
cnf_equiv_neg1: (= p q); ; (or (= p q) p q)
cnf_equiv_neg2: (= p q); ; (or (= p q) (not p) (not q))
cnf_xor_pos1: (xor p q); ; (or (not (xor p q)) p q)
cnf_xor_pos2: (xor p q); ; (or (not (xor p q)) (not p) (not q))
cnf_xor_neg1: (xor p q); ; (or (xor p q) (not p) q)
cnf_xor_neg2: (xor p q); ; (or (xor p q) p (not q))
true_intro: ; p; (= p true)
true_elim: ; (= p true); p
false_intro: ; (not p); (= p false)
false_elim: ; (= p false); (not p)
eq-refl: t; ; (= (= t t) true)
eq-symm: t s; ; (= (= t s) (= s t))
distinct-binary-elim: t s; ; (= (distinct t s) (not (= t s)))
bool-double-not-elim: p; ; (= (not (not p)) p)
bool-not-true: p; (= p false); (= (not p) true)
bool-not-false: p; (= p true); (= (not p) false)
bool-eq-true: p; ; (= (= p true) p)
bool-eq-false: p; ; (= (= p false) (not p))
bool-eq-nrefl: p; ; (= (= p (not p)) false)
bool-impl-false1: p; ; (= (=> p false) (not p))
bool-impl-false2: p; ; (= (=> false p) true)
bool-impl-true1: p; ; (= (=> p true) true)
bool-impl-true2: p; ; (= (=> true p) p)
bool-impl-elim: p q; ; (= (=> p q) (or (not p) q))
bool-or-true: xs… ys…; ; (= (or! xs… true ys…) true)
bool-or-flatten: xs… b ys… zs…; ; (= (or! xs… (or! b ys…) zs…) (or! xs… b ys… zs…))
bool-and-false: xs… ys…; ; (= (and! xs… false ys…) false)
bool-and-flatten: xs… b ys… zs…; ; (= (and! xs… (and! b ys…) zs…) (and! xs… b ys… zs…))
bool-and-conf: xs… w ys… zs…; ; (= (and xs… w ys… (not w) zs…) false)
bool-and-conf2: xs… w ys… zs…; ; (= (and xs… (not w) ys… w zs…) false)
bool-or-taut: xs… w ys… zs…; ; (= (or xs… w ys… (not w) zs…) true)
bool-or-taut2: xs… w ys… zs…; ; (= (or xs… (not w) ys… w zs…) true)
bool-or-de-morgan: p q zs…; ; (= (not (or p q zs…)) (and (not p) (not (or! q zs…))))
bool-and-de-morgan: p q zs…; ; (= (not (and p q zs…)) (or (not p) (not (and! q zs…))))
bool-implies-de-morgan: p q; ; (= (not (=> p q)) (and p (not q)))
bool-or-and-distrib: p q rs… zs…; ; (= (or! (and p q rs…) zs…) (and (or! p zs…) (or! (and! q rs…) zs…)))
bool-xor-refl: p; ; (= (xor p p) false)
bool-xor-nrefl: p; ; (= (xor p (not p)) true)
bool-xor-false: p; ; (= (xor p false) p)
bool-xor-true: p; ; (= (xor p true) (not p))
bool-xor-comm: p q; ; (= (xor p q) (xor q p))
bool-xor-elim: p q; ; (= (xor p q) (= (not p) q))
bool-not-xor-elim: p q; ; (= (not (xor p q)) (= p q))
bool-not-eq-elim1: p q; ; (= (not (= p q)) (= (not p) q))
bool-not-eq-elim2: p q; ; (= (not (= p q)) (= p (not q)))
"""

Bindings = dict[str, Term]


@dataclass(frozen=True, slots=True)
class Schema:
    """A line of the table."""

    arguments: list[Node]
    premises: list[Node]
    conclusion: Node


def read_schema(line: str) -> tuple[str, Schema]:
    """A line of the table: the name of the rule and its shape."""
    name, _, shape = line.partition(": ")
    arguments, premises, conclusion = (read(part) for part in shape.split(";"))
    return name, Schema(arguments, premises, conclusion[0])


def apply_schema(schema: Schema, step: Step) -> Term:
    """Match arguments and premises, build the conclusion, and have the judge confirm it."""
    step.expect(len(schema.premises), len(schema.arguments))
    found: Bindings = {}
    for place, pattern in enumerate(schema.arguments):
        _match(pattern, step.term(place), found)
    for pattern, premise in zip(schema.premises, step.premises, strict=True):
        _match(pattern, premise, found)
    conclusion = _build(schema.conclusion, step, found)
    # Cutting below negations keeps (not p) related to p where both are matched.
    parts = {_positive(part, step) for name, term in found.items() for part in _atoms_of(name, term)}
    if not entails(step.premises, conclusion, parts, step.terms.work):
        raise RuleError(f"{conclusion} does not follow propositionally")
    return conclusion


def _match(pattern: Node, term: Term, found: Bindings) -> None:
    if isinstance(pattern, Group):
        parts = operands(term, pattern.head)
        if len(parts) != len(pattern.items) - 1:
            raise RuleError(f"{term}, expected {pattern.head} of {len(pattern.items) - 1}")
        for inner, part in zip(pattern.items[1:], parts, strict=True):
            _match(inner, part, found)
    elif pattern.text in ("true", "false"):
        operands(term, pattern.text)
    elif found.setdefault(pattern.text, term) is not term:
        raise RuleError(f"{term}, expected {found[pattern.text]} as elsewhere in the step")


def _build(pattern: Node, step: Step, found: Bindings) -> Term:
    if isinstance(pattern, Atom):
        return step.terms.core(pattern.text, ()) if pattern.text in ("true", "false") else found[pattern.text]
    name = pattern.head.removesuffix("!")
    parts: list[Term] = []
    for item in pattern.items[1:]:
        if isinstance(item, Atom) and item.text.endswith("…"):
            parts += _several(name, found[item.text], step)
        else:
            parts.append(_build(item, step, found))
    return nary(step.terms, name, parts) if pattern.head.endswith("!") else step.terms.core(name, parts)


def _several(name: str, term: Term, step: Step) -> tuple[Term, ...]:
    return () if term is nary(step.terms, name, ()) else operands(term, name)


def _atoms_of(name: str, term: Term) -> tuple[Term, ...]:
    return term.arguments if name.endswith("…") and term.kind == "core" and term.name in NARY else (term,)


def _positive(term: Term, step: Step) -> Term:
    while term.is_core("not"):
        step.terms.work.spend(1)
        term = term.arguments[0]
    return term


SCHEMATA: dict[str, Schema] = dict(read_schema(line) for line in TABLE.strip().splitlines())
SCHEMA_RULES: dict[str, Rule] = {name: partial(apply_schema, schema) for name, schema in SCHEMATA.items()}
