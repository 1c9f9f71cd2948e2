"""Terms and formulas of many-sorted first-order logic with equality, each kept once.

Equal terms are the same object (hash-consing), so equality is ``is`` and a proof of thousands of shared subterms stays
small. Only well-sorted terms can be made; every check of sorts is here. A variable is its name and its sort; a term
knows its free variables, so substitution can refuse to capture. All sorts are non-empty, as SMT-LIB says.

A *Skolem term* ``skolem(F, i)`` stands for the i-th component of a counterexample of the closed universal formula
``F`` if there is one, and of anything otherwise (Hilbert's choice): fixing it adds no consequence about other symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .errors import TermError
from .work import Work

BOOL = "Bool"
MAXIMAL_BINDERS = 100
"""How deeply quantifiers may be nested: substitution recurses once per quantifier, and only there."""

NARY = frozenset({"and", "or"})
QUANTIFIERS = frozenset({"forall", "exists"})
_ARITY = {"true": 0, "false": 0, "not": 1, "=>": 2, "=": 2, "xor": 2, "ite": 3}
CORE = frozenset(_ARITY) | NARY | QUANTIFIERS | {"distinct"}


@dataclass(eq=False, frozen=True, slots=True, repr=False)
class Term:
    """A term; make it with :class:`Terms`, which makes equal terms the same object.

    ``kind`` is ``variable``, ``symbol`` (declared; a constant has no arguments), ``core`` (a connective or ``=``,
    ``ite``, ``distinct``), ``quantifier`` or ``skolem``. ``number`` grows: a term's parts have smaller numbers.
    """

    kind: str
    name: str
    arguments: tuple[Term, ...]
    bound: tuple[Term, ...]
    sort: str
    free: frozenset[Term]
    number: int
    binders: int

    def is_core(self, name: str) -> bool:
        """Whether this is an application of the connective ``name``."""
        return self.kind == "core" and self.name == name

    def is_quantifier(self, name: str) -> bool:
        """Whether this is a formula quantified by ``name``: ``forall`` or ``exists``."""
        return self.kind == "quantifier" and self.name == name

    def __str__(self) -> str:
        """SMT-LIB text with the deeper, further and longer parts left out; for messages only."""
        return self._text(4)

    __repr__ = __str__

    def _text(self, depth: int) -> str:
        if self.kind == "skolem":
            return f"skolem.{self.arguments[0].number}.{self.name}"
        if not self.arguments:
            return _short(self.name)
        if depth == 0:
            return "…"
        bound = _listed([f"({_short(variable.name)} {_short(variable.sort)})" for variable in self.bound[:7]])
        shown = _listed([argument._text(depth - 1) for argument in self.arguments[:7]])
        return f"({' '.join([_short(self.name), *([f'({bound})'] if self.bound else []), shown])})"


def _short(name: str) -> str:
    """A name in a message: its first characters."""
    return name if len(name) <= 60 else name[:59] + "…"


def _listed(names: Sequence[str]) -> str:
    """Several names or texts in a message: the first six."""
    return " ".join([*names[:6], *(["…"] if len(names) > 6 else [])])


def _sorts(sorts: Sequence[str]) -> str:
    return f"({_listed([_short(sort) for sort in sorts[:7]])})"


@dataclass(frozen=True, slots=True)
class Signature:
    """The sorts and symbols an obligation declares: a symbol's argument sorts and its own sort."""

    sorts: set[str] = field(default_factory=lambda: {BOOL})
    symbols: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)


_Substituted = dict[tuple[Term, frozenset[tuple[Term, Term]]], Term]


class Terms:
    """The maker of terms over one signature. Every method raises :class:`TermError` for an ill-sorted request."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.work = Work()
        self._made: dict[tuple[object, ...], Term] = {}
        self.true = self.core("true", ())
        self.false = self.core("false", ())

    def _make(self, kind: str, name: str, arguments: tuple[Term, ...], bound: tuple[Term, ...], sort: str) -> Term:
        self.work.spend(1 + len(arguments) + len(bound))
        key = (kind, name, arguments, bound, sort)
        term = self._made.get(key)
        if term is None:
            # A Skolem term is closed, so substitution never looks inside it.
            below = [argument.binders for argument in arguments if kind != "skolem"]
            binders = max(below, default=0) + bool(bound)
            if binders > MAXIMAL_BINDERS:
                raise TermError(f"quantifiers nested more than {MAXIMAL_BINDERS} deep, a limit of this checker")
            free = self._union([argument.free for argument in arguments if argument.free])
            if bound:
                free -= frozenset(bound)
            term = Term(kind, name, arguments, bound, sort, free, len(self._made), binders)
            if kind == "variable":
                object.__setattr__(term, "free", frozenset({term}))
            self._made[key] = term
        return term

    def _union(self, sets: list[frozenset[Term]]) -> frozenset[Term]:
        if not sets:
            return frozenset()
        self.work.spend(sum(map(len, sets)))
        union, largest = frozenset().union(*sets), max(sets, key=len)
        return largest if len(largest) == len(union) else union

    def variable(self, name: str, sort: str) -> Term:
        """The variable of this name and sort."""
        if sort not in self.signature.sorts:
            raise TermError(f"the sort {_short(sort)} of the variable {_short(name)}: not declared")
        return self._make("variable", name, (), (), sort)

    def apply(self, name: str, arguments: Sequence[Term]) -> Term:
        """A declared symbol, applied to arguments of its sorts."""
        if name not in self.signature.symbols:
            raise TermError(f"the symbol {_short(name)}: not declared in the obligation")
        sorts, result = self.signature.symbols[name]
        found = tuple(argument.sort for argument in arguments)
        if found != sorts:
            raise TermError(f"{_short(name)} applied to {_sorts(found)}, expected {_sorts(sorts)}")
        return self._make("symbol", name, tuple(arguments), (), result)

    def core(self, name: str, arguments: Sequence[Term]) -> Term:
        """A connective, ``=``, ``ite`` or ``distinct``, applied.

        ``and`` and ``or`` take one argument or more; ``distinct`` two or more; the others take their number exactly.
        """
        sorts = [argument.sort for argument in arguments]
        fits, needs = len(sorts) == _ARITY.get(name), f"{_ARITY.get(name)} argument(s)"
        if name in NARY or name == "distinct":
            least = 2 if name == "distinct" else 1
            fits, needs = len(sorts) >= least, f"{least} argument(s) or more"
        if not fits:
            raise TermError(f"{name} with {len(sorts)} argument(s), expected {needs}")
        compared = sorts if name in ("=", "distinct") else sorts[1:] if name == "ite" else []
        logical = sorts[: len(sorts) - len(compared)]
        if any(sort != BOOL for sort in logical):
            raise TermError(f"{name} of {_sorts(sorts)}, expected Bool")
        if len(set(compared)) > 1:
            raise TermError(f"{name} of {_sorts(sorts)}, expected equal sorts")
        return self._make("core", name, tuple(arguments), (), sorts[1] if name == "ite" else BOOL)

    def quantified(self, name: str, bound: Sequence[Term], body: Term) -> Term:
        """``forall`` or ``exists``: over at least one variable, none of them twice."""
        if name not in QUANTIFIERS or not bound or any(variable.kind != "variable" for variable in bound):
            raise TermError(f"{name} over something that is no list of variables")
        if len(set(bound)) < len(bound):
            raise TermError(f"{name} binds one variable twice")
        if body.sort != BOOL:
            raise TermError(f"the body of {name} has sort {body.sort}, expected Bool")
        return self._make("quantifier", name, (body,), tuple(bound), BOOL)

    def skolem(self, formula: Term, index: int) -> Term:
        """The Skolem term for variable ``index`` (from 0) of a closed universal formula."""
        if not formula.is_quantifier("forall") or formula.free:
            raise TermError(f"a Skolem term for {formula}, expected a closed formula that starts with forall")
        if not 0 <= index < len(formula.bound):
            raise TermError(f"a Skolem term for variable {index} of {len(formula.bound)}")
        return self._make("skolem", str(index), (formula,), (), formula.bound[index].sort)

    def negation(self, formula: Term) -> Term:
        """``(not formula)``."""
        return self.core("not", (formula,))

    def equal(self, left: Term, right: Term) -> Term:
        """``(= left right)``."""
        return self.core("=", (left, right))

    def rebuild(self, term: Term, arguments: Sequence[Term]) -> Term:
        """The same operator with other arguments of the same sorts (for a quantifier: another body)."""
        if term.kind == "symbol":
            return self.apply(term.name, arguments)
        if term.kind == "core":
            return self.core(term.name, arguments)
        if term.kind == "quantifier" and len(arguments) == 1:
            return self.quantified(term.name, term.bound, arguments[0])
        raise TermError(f"{term} takes no arguments")

    def substitute(self, term: Term, values: Mapping[Term, Term]) -> Term:
        """Replace free variables by terms, all at once.

        Raises :class:`TermError` if a sort changes, or if a quantifier in ``term`` would bind a variable of a value
        (capture). Nothing is renamed: a proof that needs a renaming is not accepted.
        """
        self.work.spend(1 + len(values))
        for variable, value in values.items():
            if value.sort != variable.sort:
                raise TermError(f"{variable} of sort {_short(variable.sort)} replaced by {value}, of another sort")
        return self._substituted(term, values, {})

    def _substituted(self, term: Term, values: Mapping[Term, Term], known: _Substituted) -> Term:
        """The same for values of which those of variables that are not free in ``term`` are left out here.

        ``known`` is what this found before, for a term and the values that concern it: a formula that occurs under
        many quantifiers is done once for each way in which they hide its variables.
        """
        self.work.spend(min(len(values), len(term.free)) + 1)
        smaller, other = (values, term.free) if len(values) <= len(term.free) else (term.free, values)
        values = {variable: values[variable] for variable in smaller if variable in other}
        if not values:
            return term
        key = (term, frozenset(values.items()))
        if key not in known:
            done: dict[Term, Term] = {}
            names = frozenset(values)
            for part in parts_in_order([term], lambda part: part.kind == "quantifier" or part.free.isdisjoint(names)):
                self.work.spend(1 + len(part.arguments) + min(len(part.free), len(names)))
                if part.free.isdisjoint(names):
                    done[part] = part
                elif part.kind == "variable":
                    done[part] = values[part]
                elif part.kind == "quantifier":
                    done[part] = self._under_quantifier(part, values, known)
                else:
                    done[part] = self.rebuild(part, [done[argument] for argument in part.arguments])
            known[key] = done[term]
        return known[key]

    def _under_quantifier(self, formula: Term, values: Mapping[Term, Term], known: _Substituted) -> Term:
        bound = frozenset(formula.bound)
        inner = {variable: values[variable] for variable in formula.free & values.keys()}
        for variable, value in inner.items():
            self.work.spend(1 + min(len(value.free), len(bound)))
            if not value.free.isdisjoint(bound):
                raise TermError(f"{value} put for {variable} is captured by {formula.name}")
        return self.rebuild(formula, (self._substituted(formula.arguments[0], inner, known),))


def parts_in_order(roots: Iterable[Term], stop: Callable[[Term], bool]) -> list[Term]:
    """The roots and their parts, every part before what contains it; below a term at which ``stop`` holds, nothing."""
    seen: set[Term] = set()
    waiting = list(roots)
    while waiting:
        term = waiting.pop()
        if term not in seen:
            seen.add(term)
            if not stop(term):
                waiting.extend(term.arguments)
    return sorted(seen, key=lambda term: term.number)
