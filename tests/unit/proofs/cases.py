"""Terms and steps from short texts, for the tests of the rules."""

from __future__ import annotations

from toki_verify.proofs.cpc import Argument, _Reader
from toki_verify.proofs.rules import RULES
from toki_verify.proofs.rules.step import Step
from toki_verify.proofs.sexpr import read
from toki_verify.proofs.smtlib_input import read_obligation
from toki_verify.proofs.terms import Term, Terms

DECLARATIONS = """
(declare-sort A 0) (declare-sort B 0)
(declare-const p Bool) (declare-const q Bool) (declare-const r Bool) (declare-const s Bool)
(declare-const a A) (declare-const b A) (declare-const c A) (declare-const k B)
(declare-fun f (A) A) (declare-fun g (A A) A) (declare-fun h (A) B) (declare-fun P (A) Bool) (declare-fun Q (A A) Bool)
(check-sat)
"""


def make() -> tuple[Terms, _Reader]:
    """The maker and the reader of terms over the declarations above; ``x``, ``y``, ``z`` are variables, ``v`` of B."""
    terms = read_obligation(DECLARATIONS).terms
    reader = _Reader(terms, "case")
    for name in "xyz":
        reader.defined[name] = terms.variable(name, "A")
    reader.defined["v"] = terms.variable("v", "B")
    return terms, reader


def arguments(reader: _Reader, text: str) -> tuple[Argument, ...]:
    """The arguments written in a text."""
    return tuple(reader.argument(node) for node in read(text, "case"))


def step(terms: Terms, reader: _Reader, premises: str, args: str) -> Step:
    """A step with the premises and arguments written in two texts."""
    found = arguments(reader, premises)
    assert all(isinstance(premise, Term) for premise in found)
    return Step(terms, found, arguments(reader, args))  # type: ignore[arg-type]


def conclude(rule: str, given: Step) -> Term:
    """What the rule concludes; RuleError or TermError."""
    return RULES[rule](given)
