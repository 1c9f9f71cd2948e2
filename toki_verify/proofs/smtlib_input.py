"""Obligations: the part of SMT-LIB in which first-order statements over uninterpreted sorts are written.

Commands: ``set-logic`` and ``set-info`` (both without effect), ``declare-sort`` (of arity 0), ``declare-fun``,
``declare-const``, ``assert``, and one ``check-sat``, behind which there is nothing. Terms: declared symbols and ``true
false not and or => = xor ite distinct forall exists``.

There is no ``let``: a term with free variables, put for a name under a quantifier over the same variables, would be
captured, and without ``let`` every variable in the text is bound by the innermost quantifier over its name. There are
no annotations ``!``, because they can name terms.

Source: the SMT-LIB standard, version 2.6, sections 3.6, 3.9 and 4.2. This reader is not the solvers': that it reads
what they read is why a proof's assumptions are compared with *these* assertions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .errors import ProofError, TermError
from .sexpr import Atom, Group, Node, Reading, read, run
from .terms import CORE, QUANTIFIERS, Signature, Term, Terms

_IGNORED = {"set-logic": 1, "set-info": 2}
"""Commands without effect, and how many items they take: a name first."""

_RESERVED = CORE | {"let", "!", "_", "as", "par", "match"}


@dataclass(frozen=True, slots=True)
class Obligation:
    """What an obligation declares and asserts; it is *met* when its assertions have no model."""

    terms: Terms
    assertions: tuple[Term, ...]


def read_obligation(text: str, *, file: str | None = None) -> Obligation:
    """Read an obligation.

    Raises :class:`ProofError` for anything outside the subset in the module's docstring, for ill-sorted terms, and for
    a text that does not end with its ``(check-sat)``.
    """
    reader = _Reader(file)
    for command in read(text, file):
        reader.command(command)
    if not reader.asked:
        line = text.count("\n") + 1
        raise ProofError("the end of the text, expected (check-sat)", file=file, line=line)
    return Obligation(reader.terms, tuple(reader.assertions))


class _Reader:
    def __init__(self, file: str | None) -> None:
        self.file = file
        self.terms = Terms(Signature())
        self.assertions: list[Term] = []
        self.asked = False
        self.scope: dict[str, list[Term]] = {}

    def fault(self, node: Node, problem: str) -> ProofError:
        return ProofError(problem, file=self.file, line=node.line, column=node.column)

    def command(self, node: Node) -> None:
        if not isinstance(node, Group) or not node.head:
            raise self.fault(node, "not a command, expected (command …)")
        name, items = node.head, node.items[1:]
        if self.asked:
            raise self.fault(node, f"{name} after (check-sat), expected the end of the text")
        if name == "check-sat" and not items:
            self.asked = True
        elif name == "assert" and len(items) == 1:
            formula = self.term(items[0])
            if formula.sort != "Bool":
                raise self.fault(items[0], f"an assertion of sort {formula.sort}, expected Bool")
            self.assertions.append(formula)
        elif name == "declare-sort" and len(items) in (1, 2):
            sort = self.fresh(items[0], self.terms.signature.sorts)
            if len(items) == 2 and not (isinstance(items[1], Atom) and items[1].text == "0"):
                raise self.fault(items[1], "a sort with parameters, expected arity 0")
            self.terms.signature.sorts.add(sort)
        elif name in ("declare-fun", "declare-const") and len(items) == (3 if name == "declare-fun" else 2):
            symbol = self.fresh(items[0], self.terms.signature.symbols)
            listed = items[1] if name == "declare-fun" else Group([], node.line, node.column)
            if not isinstance(listed, Group):
                raise self.fault(listed, "no list of argument sorts, expected (sort …)")
            sorts = tuple(self.sort(item) for item in listed.items)
            self.terms.signature.symbols[symbol] = (sorts, self.sort(items[-1]))
        elif not (name in _IGNORED and isinstance(items[0] if items else node, Atom) and len(items) <= _IGNORED[name]):
            raise self.fault(node, f"the command {name} in this form is not in the subset this checker reads")

    def fresh(self, node: Node, taken: Mapping[str, object] | set[str]) -> str:
        if not isinstance(node, Atom):
            raise self.fault(node, "a list, expected a name")
        if node.text in _RESERVED or node.text[0] in '@."0123456789:':
            raise self.fault(node, f"{node.text} declared, which is no name for a declared symbol")
        if node.text in taken:
            raise self.fault(node, f"{node.text} declared twice")
        return node.text

    def sort(self, node: Node) -> str:
        if not isinstance(node, Atom) or node.text not in self.terms.signature.sorts:
            raise self.fault(node, f"{node.text if isinstance(node, Atom) else 'a list'}, expected a declared sort")
        return node.text

    def term(self, node: Node) -> Term:
        return run(self.reading(node))

    def reading(self, node: Node) -> Reading[Term]:
        try:
            if isinstance(node, Atom):
                inside = self.scope.get(node.text)
                return inside[-1] if inside else applied(self.terms, node.text, [])
            if not node.head:
                raise TermError("a term without a symbol at its head, expected (symbol term …)")
            if node.head in ("let", "!"):
                raise TermError(f"{node.head}, expected a term without let and without annotations")
            if node.head in QUANTIFIERS and len(node.items) == 3:
                bound = self.bound(node.items[1])
                for variable in bound:
                    self.scope.setdefault(variable.name, []).append(variable)
                body = yield self.reading(node.items[2])
                for variable in bound:
                    self.scope[variable.name].pop()
                return self.terms.quantified(node.head, bound, body)
            if node.head in QUANTIFIERS:
                raise TermError(f"{node.head} without its list of variables and its body, or with more than them")
            if self.scope.get(node.head):
                raise TermError(f"the variable {node.head} applied as a function")
            arguments = []
            for item in node.items[1:]:
                arguments.append((yield self.reading(item)))
            return applied(self.terms, node.head, arguments)
        except TermError as error:
            raise self.fault(node, str(error)) from None

    def bound(self, node: Node) -> list[Term]:
        """The variables of ``((name sort) …)``; no name twice."""
        found: dict[str, Term] = {}
        for item in node.items if isinstance(node, Group) else []:
            if not isinstance(item, Group) or len(item.items) != 2:
                raise self.fault(item, "expected (name item)")
            if not isinstance(item.items[0], Atom) or item.head in _RESERVED or item.head[0] in '@."0123456789:':
                raise self.fault(item, "expected a name that can be bound")
            if item.head in found:
                raise self.fault(item, f"{item.head} bound twice")
            found[item.head] = self.terms.variable(item.head, self.sort(item.items[1]))
        if not found:
            raise self.fault(node, "expected ((name item) …)")
        return list(found.values())


def applied(terms: Terms, name: str, arguments: list[Term]) -> Term:
    """A connective or a declared symbol, applied."""
    if name in QUANTIFIERS:
        raise TermError(f"{name} without its list of variables and its body")
    return terms.core(name, arguments) if name in CORE else terms.apply(name, arguments)
