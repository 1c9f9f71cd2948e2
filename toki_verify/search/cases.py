"""A formula as cases, each a conjunction of parts: what a proof goes through one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..relations.formulas import Acyclic, And, Cycle, Formula, Irreflexive, Named, Not, Or, Region, Some, Within
from ..relations.printing import formula_text
from ..relations.terms import Definition, Join, Meet, Minus, Term, Union

#: At most so many cases, and so many alternatives of one term; what is left of a formula stays as it is.
CASES, ALTERNATIVES = 24, 4


@dataclass(frozen=True)
class Part:
    """A conjunct of a case: a formula or its negation, over the accesses of a region."""

    formula: Formula
    positive: bool
    region: Region | None

    @property
    def whole(self) -> Formula:
        """The part as one formula."""
        inner = self.formula if self.positive else Not(self.formula)
        return inner if self.region is None else Within(inner, self.region)

    @property
    def text(self) -> str:
        """The part in the notation of SEMANTICS §5."""
        return formula_text(self.whole)

    @property
    def universal(self) -> bool:
        """Whether it says that something does not exist: what is assumed rather than sought."""
        if isinstance(self.formula, (Acyclic, Irreflexive)):
            return self.positive
        return isinstance(self.formula, (Some, Cycle)) and not self.positive


def cases(formula: Formula) -> tuple[list[tuple[Part, ...]], list[tuple[Part, ...]]]:
    """The formula as a disjunction of conjunctions, names looked through: the cases, and those false by their form.

    Of a case that is false by its form only the part and its denial are left.
    """
    split = [(case, _contradiction(case)) for case in _cases(formula, True, None)]
    trivial = dict.fromkeys(pair for _, pair in split if pair is not None)
    return [case for case, pair in split if pair is None], list(trivial)


def _cases(formula: Formula, positive: bool, region: Region | None) -> list[tuple[Part, ...]]:
    if isinstance(formula, Named):
        return _cases(formula.of, positive, region)
    if isinstance(formula, Not):
        return _cases(formula.of, not positive, region)
    if isinstance(formula, Within):
        return _cases(formula.of, positive, formula.region)
    if isinstance(formula, (And, Or)):
        one, other = _cases(formula.one, positive, region), _cases(formula.other, positive, region)
        if isinstance(formula, Or) is positive:
            return one + other
        if len(one) * len(other) <= CASES:
            return [tuple(dict.fromkeys((*a, *b))) for a in one for b in other]
    if isinstance(formula, Some) and positive:
        return [(Part(Some(term), positive, region),) for term in alternatives(formula.of)]
    return [(Part(formula, positive, region),)]


def alternatives(term: Term, *, names: bool = False) -> list[Term]:
    """Terms whose union a term is, at most a few; with `names`, also where names of relations hide a union."""
    if type(term) is Union:
        found = [*alternatives(term.one, names=names), *alternatives(term.other, names=names)]
    elif isinstance(term, (Join, Meet)):
        others = alternatives(term.other, names=names)
        found = [type(term)(a, b) for a in alternatives(term.one, names=names) for b in others]
    elif isinstance(term, Minus):
        found = [Minus(a, term.other) for a in alternatives(term.one, names=names)]
    elif names and isinstance(term, Definition) and not term.is_edge:
        found = alternatives(term.of, names=names)
        found = found if len(found) > 1 else [term]
    else:
        return [term]
    return found if len(found) <= ALTERNATIVES else [term]


def refined(case: tuple[Part, ...]) -> list[tuple[Part, ...]]:
    """A case as several, by what the names in it hide; itself where they hide nothing."""
    found: list[tuple[Part, ...]] = [()]
    for part in case:
        split = [part]
        if part.positive and isinstance(part.formula, Some):
            split = [Part(Some(term), True, part.region) for term in alternatives(part.formula.of, names=True)]
        if len(found) * len(split) > CASES:
            split = [part]
        found = [(*before, one) for before in found for one in split]
    return found


def _contradiction(case: tuple[Part, ...]) -> tuple[Part, Part] | None:
    """A part of a case and the part that denies it, if there are such."""
    denied = {
        (formula, part.region): part
        for part in case
        if not part.positive
        for formula in (part.formula, *_alternatives(part.formula))
    }
    for part in case:
        if part.positive and (part.formula, part.region) in denied:
            return part, denied[part.formula, part.region]
    return None


def _alternatives(formula: Formula) -> Iterable[Formula]:
    return [Some(term) for term in alternatives(formula.of)] if isinstance(formula, Some) else ()


def common(found: list[tuple[Part, ...]]) -> tuple[Part, ...]:
    """The parts of every case."""
    return tuple(part for part in (found[0] if found else ()) if all(part in case for case in found))
