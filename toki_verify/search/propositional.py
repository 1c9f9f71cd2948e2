"""The obligation of what holds by definition: a combination whose propositional skeleton has no model.

`P0 and RC` needs no theory of schedules, because RC is *no P0 and no P1*. It is still an obligation that solvers and
the kernel read: the named formulas are propositional constants.
"""

from __future__ import annotations

from ..relations.formulas import And, Formula, Named, Not, Or
from ..relations.printing import formula_text
from ..relations.terms import number


def skeleton(formula: Formula, *, id: str, statement: str) -> str:
    """The propositional skeleton of a formula as an SMT-LIB text: formulas that are no combination are constants."""
    constants: dict[int, tuple[str, Formula]] = {}
    text = _expression(formula, constants)
    lines = [f"; {id}", f"; {statement}", "; by definition: the named formulas alone contradict each other"]
    lines += ["(set-logic UF)"]
    for name, atom in constants.values():
        lines += [f"; {name}: {formula_text(atom)}", f"(declare-const {name} Bool)"]
    return "\n".join([*lines, f"(assert {text})", "(check-sat)", ""])


def _expression(formula: Formula, constants: dict[int, tuple[str, Formula]]) -> str:
    if isinstance(formula, Named):
        return _expression(formula.of, constants)
    if isinstance(formula, Not):
        return f"(not {_expression(formula.of, constants)})"
    if isinstance(formula, (And, Or)):
        word = "and" if isinstance(formula, And) else "or"
        return f"({word} {_expression(formula.one, constants)} {_expression(formula.other, constants)})"
    key = number(formula)
    if key not in constants:
        constants[key] = (f"holds_{len(constants) + 1}", formula)
    return constants[key][0]
