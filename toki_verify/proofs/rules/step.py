"""What a rule is given, and the checks every rule makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..cpc import Argument
from ..errors import RuleError
from ..terms import Term, Terms


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule: the maker of terms, what is already proved, the rule's arguments.

    A formula with free variables is read as holding for all their values; local assumptions are closed.
    """

    terms: Terms
    premises: tuple[Term, ...]
    arguments: tuple[Argument, ...]

    def expect(self, premises: int | None, arguments: int) -> None:
        """Require so many premises (None: any number) and arguments."""
        if premises is not None and len(self.premises) != premises:
            raise RuleError(f"{len(self.premises)} premise(s), expected {premises}")
        if len(self.arguments) != arguments:
            raise RuleError(f"{len(self.arguments)} argument(s), expected {arguments}")

    def term(self, place: int) -> Term:
        """The argument at a place, which must be a term."""
        argument = self.arguments[place]
        if not isinstance(argument, Term):
            raise RuleError(f"argument {place + 1} is no term")
        return argument

    def formula(self, place: int) -> Term:
        """The argument at a place, which must be a formula."""
        argument = self.term(place)
        if argument.sort != "Bool":
            raise RuleError(f"argument {place + 1} has sort {argument.sort}, expected a formula")
        return argument

    def index(self, place: int) -> int:
        """The argument at a place, which must be an index."""
        argument = self.arguments[place]
        if not isinstance(argument, int):
            raise RuleError(f"argument {place + 1} is no index")
        return argument

    def listed(self, place: int) -> tuple[Term, ...]:
        """The argument at a place, which must be a list of terms."""
        argument = self.arguments[place]
        if not isinstance(argument, tuple):
            raise RuleError(f"argument {place + 1} is no list")
        return argument


Rule = Callable[[Step], Term]
"""A rule returns its conclusion, or raises RuleError or TermError."""


def operands(formula: Term, name: str) -> tuple[Term, ...]:
    """The arguments of an application of the connective ``name``; RuleError for anything else."""
    if not formula.is_core(name):
        raise RuleError(f"{formula}, expected an application of {name}")
    return formula.arguments


def pick(items: Sequence[Term], index: int) -> Term:
    """The item at an index from 0; RuleError outside."""
    if not 0 <= index < len(items):
        raise RuleError(f"index {index} of {len(items)} part(s)")
    return items[index]


def nary(terms: Terms, name: str, items: Sequence[Term]) -> Term:
    """``(name item …)``, the item itself if it is one, and true or false if there is none."""
    if not items:
        return terms.true if name == "and" else terms.false
    return items[0] if len(items) == 1 else terms.core(name, items)
