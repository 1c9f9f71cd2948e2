"""Small finite structures: a second opinion on what the kernel accepts, written from the semantics alone."""

from __future__ import annotations

import random
from itertools import product

from toki_verify.proofs.kernel import Inference
from toki_verify.proofs.terms import Term, Terms

Environment = dict[Term, int | bool]


class Structure:
    """A structure with one or two elements in every sort; tables of functions are filled at random when asked."""

    def __init__(self, terms: Terms, seed: int) -> None:
        self.random = random.Random(seed)
        self.terms = terms
        self.sizes = {sort: self.random.choice((1, 2)) for sort in sorted(terms.signature.sorts)}
        self.tables: dict[tuple[object, ...], int | bool] = {}
        self.chosen: dict[Term, tuple[int | bool, ...]] = {}

    def domain(self, sort: str) -> tuple[int | bool, ...]:
        return (False, True) if sort == "Bool" else tuple(range(self.sizes[sort]))

    def value(self, term: Term, environment: Environment) -> int | bool:
        if term.kind == "variable":
            return environment[term]
        if term.kind == "skolem":
            return self.counterexample(term.arguments[0])[int(term.name)]
        if term.kind == "quantifier":
            found = (self.value(term.arguments[0], {**environment, **more}) for more in self.environments(term.bound))
            return all(found) if term.name == "forall" else any(found)
        values = [self.value(argument, environment) for argument in term.arguments]
        if term.kind == "symbol":
            key = (term.name, *values)
            if key not in self.tables:
                self.tables[key] = self.random.choice(self.domain(term.sort))
            return self.tables[key]
        return self.connective(term.name, values)

    def connective(self, name: str, values: list[int | bool]) -> int | bool:
        match name:
            case "true" | "false":
                return name == "true"
            case "not":
                return not values[0]
            case "and":
                return all(values)
            case "or":
                return any(values)
            case "=>":
                return not values[0] or values[1]
            case "=":
                return values[0] == values[1]
            case "xor":
                return values[0] != values[1]
            case "ite":
                return values[1] if values[0] else values[2]
            case _:
                return len(set(values)) == len(values)

    def environments(self, variables: tuple[Term, ...]) -> list[Environment]:
        return [
            dict(zip(variables, values, strict=True))
            for values in product(*(self.domain(variable.sort) for variable in variables))
        ]

    def counterexample(self, formula: Term) -> tuple[int | bool, ...]:
        """Values for the variables of a universal formula under which its body is false, or any values."""
        if formula not in self.chosen:
            every = self.environments(formula.bound)
            wrong = [environment for environment in every if not self.value(formula.arguments[0], environment)]
            self.chosen[formula] = tuple(self.random.choice(wrong or every).values())
        return self.chosen[formula]

    def holds(self, formula: Term) -> bool:
        """Whether a formula is true for all values of its free variables."""
        return all(self.value(formula, environment) for environment in self.environments(tuple(formula.free)))


def sound(terms: Terms, inference: Inference, structures: int = 24) -> bool:
    """Whether no structure of a sample makes all premises true and the conclusion false."""
    if inference.rule == "assume":
        return True
    sample = (Structure(terms, seed) for seed in range(structures))
    return all(
        structure.holds(inference.conclusion)
        for structure in sample
        if all(structure.holds(premise) for premise in inference.premises)
    )
