"""Carriers in which the statements of `semiring_axioms` are evaluated: whether their hypotheses can be met.

In a finite carrier that decides a statement. In an infinite one its quantifiers range over small elements, but for ⪯,
which the carrier decides: that tries it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from ..algebra.carriers import CARRIERS, Carrier
from ..relations.firstorder import (
    Application,
    Conjunction,
    Disjunction,
    Equal,
    Existential,
    Expression,
    Implication,
    Negation,
    Statement,
    Universal,
    Variable,
)
from .semiring_axioms import AXIOMS, Question


@dataclass(frozen=True)
class Model:
    """What the symbols mean. `elements` are all there are where `leq` is None: then ⪯ is looked for, too."""

    name: str
    elements: tuple[Any, ...]
    plus: Callable[[Any, Any], Any]
    zero: Any
    one: Any
    leq: Callable[[Any, Any], bool] | None = None

    @property
    def finite(self) -> bool:
        """Whether evaluation decides."""
        return self.leq is None

    def holds(self, statement: Statement, values: Mapping[Variable, Any] | None = None) -> bool:
        """Whether a statement is true here. The sort L and the map h are 𝔹 and a ↦ (a ≠ 0)."""
        given = dict(values or {})
        match statement:
            case Equal():
                return bool(self._value(statement.one, given) == self._value(statement.other, given))
            case Negation():
                return not self.holds(statement.of, given)
            case Conjunction():
                return all(self.holds(part, given) for part in statement.of)
            case Disjunction():
                return any(self.holds(part, given) for part in statement.of)
            case Implication():
                return self.holds(statement.other, given) or not self.holds(statement.one, given)
            case Universal():
                return all(self.holds(statement.of, given | found) for found in self._choices(statement.variables))
            case Existential():
                order = self._order(statement)
                if order is not None and self.leq is not None:
                    return self.leq(self._value(order[0], given), self._value(order[1], given))
                return any(self.holds(statement.of, given | found) for found in self._choices(statement.variables))
        raise TypeError(f"no meaning of {type(statement).__name__}")

    def _order(self, statement: Existential) -> tuple[Expression, Expression] | None:
        """The two sides of ∃rest. left ⊕ rest = right in K."""
        of = statement.of
        if len(statement.variables) == 1 and isinstance(of, Equal) and isinstance(of.one, Application):
            left, *rest = of.one.arguments
            if of.one.function == "plus" and rest == [statement.variables[0]]:
                return left, of.other
        return None

    def _choices(self, variables: tuple[Variable, ...]) -> list[dict[Variable, Any]]:
        domains = [(False, True) if variable.sort == "L" else self.elements for variable in variables]
        return [dict(zip(variables, chosen, strict=True)) for chosen in product(*domains)]

    def _value(self, of: Expression, given: Mapping[Variable, Any]) -> Any:
        if isinstance(of, Variable):
            return given[of]
        assert isinstance(of, Application)
        found = [self._value(argument, given) for argument in of.arguments]
        match of.function:
            case "zero":
                return self.zero
            case "one":
                return self.one
            case "plus":
                return self.plus(*found)
            case "plus-L":
                return found[0] or found[1]
            case "h":
                return found[0] != self.zero
        raise TypeError(f"no meaning of {of.function}")


def _shipped(carrier: Carrier[Any]) -> Model:
    finite = carrier.name == "boolean"
    return Model(
        carrier.name, carrier.small(), carrier.plus, carrier.zero, carrier.one, None if finite else carrier.leq
    )


#: Finite carriers that are not shipped: a chain of three, where ⊕ is max; ℕ cut off at 2; a ring, which is not
#: naturally ordered.
CHAIN: Final = Model("the chain 0 < 1/2 < 1", (0.0, 0.5, 1.0), max, 0.0, 1.0)
CUT: Final = Model("ℕ up to 2", (0, 1, 2), lambda a, b: min(2, a + b), 0, 1)
RING: Final = Model("the ring ℤ/2", (0, 1), lambda a, b: (a + b) % 2, 0, 1)
MODELS: Final = (*map(_shipped, CARRIERS.values()), CHAIN, CUT, RING)
FINITE: Final = frozenset(model.name for model in MODELS if model.finite)


def models_of(question: Question) -> tuple[str, ...]:
    """The names of the carriers in which all hypotheses of a question hold; its conclusion holds there, too.

    Raises AssertionError where it does not: a statement that is false in a carrier was not proved of all.
    """
    found = []
    for model in MODELS:
        if all(model.holds(AXIOMS[name][1]) for name in question.hypotheses):
            if not model.holds(question.conclusion):
                raise AssertionError(f"{question.id} is false in {model.name}")
            found.append(model.name)
    return tuple(found)
