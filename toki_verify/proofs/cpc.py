"""Proofs in the Cooperating Proof Calculus (CPC), as cvc5 prints them: the commands and their terms.

A proof is a list in parentheses of ``declare-sort`` and ``declare-const`` (which must repeat the obligation's),
``define`` (an abbreviation without parameters), ``assume``, ``step``, and the pair ``assume-push`` … ``step-pop``
around a part with a local assumption. This module makes terms of them and checks nothing about the steps.

A definition abbreviates a term, and a variable is its name and its sort wherever it stands, as in Ethos: a quantifier
binds it also where a definition brings it in. The reader can read nothing wrongly by that: a proof has no scopes of
names, an abbreviation means the term it abbreviates, and every step is checked on the whole terms. Only the
obligation has scopes; its reader resolves them.

Source: the cvc5 documentation, "Proof format: CPC", and the Ethos user manual, which defines the commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .errors import ProofError, TermError
from .sexpr import Atom, Group, Node, Reading, read, run, symbol_text
from .smtlib_input import applied
from .terms import QUANTIFIERS, Term, Terms

Argument = Term | int | tuple[Term, ...]
"""What a rule may take: a term, an index, or a list of terms."""


@dataclass(frozen=True, slots=True)
class Command:
    """``assume``, ``assume-push``, ``step`` or ``step-pop``, and its place.

    ``formula`` is what is assumed, or the conclusion a step states (None if it states none).
    """

    kind: str
    name: str
    formula: Term | None
    rule: str
    premises: tuple[str, ...]
    arguments: tuple[Argument, ...]
    line: int
    column: int


def read_proof(text: str, terms: Terms, *, file: str | None = None) -> Iterator[Command]:
    """The commands of a proof, in order, over the obligation's terms.

    Raises :class:`ProofError` for text that is no such list, for a declaration the obligation does not make, and for
    ill-sorted terms.
    """
    top = read(text, file)
    if len(top) != 1 or not isinstance(top[0], Group):
        place = top[1] if len(top) > 1 else top[0] if top else Atom("", 1, 1)
        problem = f"{len(top)} expressions, expected one proof: a list of commands in parentheses"
        raise ProofError(problem, file=file, line=place.line, column=place.column)
    reader = _Reader(terms, file)
    for node in top[0].items:
        command = reader.command(node)
        if command is not None:
            yield command


class _Reader:
    def __init__(self, terms: Terms, file: str | None) -> None:
        self.terms = terms
        self.file = file
        self.defined: dict[str, Argument] = {}

    def fault(self, node: Node, problem: str) -> ProofError:
        return ProofError(problem, file=self.file, line=node.line, column=node.column)

    def command(self, node: Node) -> Command | None:
        if not isinstance(node, Group) or not node.head or len(node.items) < 3:
            raise self.fault(node, "not a command of a proof, expected (command name …)")
        kind, name, items = node.head, node.items[1], node.items[2:]
        if not isinstance(name, Atom):
            raise self.fault(name, f"a list after {kind}, expected a name")
        if kind in ("declare-sort", "declare-const") and len(items) == 1:
            self.declaration(kind, name, items[0])
            return None
        if kind == "define" and len(items) == 2 and isinstance(items[0], Group) and not items[0].items:
            if not name.text.startswith("@") or name.text in self.defined:
                raise self.fault(name, f"{name.text} defined, expected a new name that starts with @")
            self.defined[name.text] = self.argument(items[1])
            return None
        if kind in ("assume", "assume-push") and len(items) == 1:
            formula = self.formula(items[0])
            return Command(kind, name.text, formula, "assume", (), (), node.line, node.column)
        if kind in ("step", "step-pop"):
            return self.step(node, kind, name.text, items)
        raise self.fault(node, f"the command {kind} in this form, expected a command of CPC")

    def step(self, node: Group, kind: str, name: str, items: list[Node]) -> Command:
        stated = None
        if not (isinstance(items[0], Atom) and items[0].text.startswith(":")):
            stated, items = self.formula(items[0]), items[1:]
        fields: dict[str, Node] = {}
        for key, item in zip(items[::2], items[1::2], strict=False):
            if not isinstance(key, Atom) or key.text not in (":rule", ":premises", ":args") or key.text in fields:
                raise self.fault(key, "expected :rule, :premises or :args, each once")
            fields[key.text] = item
        rule = fields.get(":rule")
        if len(items) % 2 or not isinstance(rule, Atom):
            raise self.fault(node, "a step that is not complete, expected :rule name, :premises (…), :args (…)")
        premises = []
        for item in self.listed(fields.get(":premises")):
            if not isinstance(item, Atom):
                raise self.fault(item, "a list, expected the name of a premise")
            premises.append(item.text)
        arguments = tuple(self.argument(item) for item in self.listed(fields.get(":args")))
        return Command(kind, name, stated, rule.text, tuple(premises), arguments, node.line, node.column)

    def listed(self, node: Node | None) -> list[Node]:
        if node is not None and not isinstance(node, Group):
            raise self.fault(node, f"{node.text}, expected a list in parentheses")
        return node.items if node is not None else []

    def declaration(self, kind: str, name: Atom, item: Node) -> None:
        """The obligation declares the symbols; a proof may only repeat what it says."""
        signature = self.terms.signature
        if kind == "declare-sort":
            if name.text not in signature.sorts or not isinstance(item, Atom) or item.text != "0":
                raise self.fault(name, f"the sort {name.text}, expected a sort the obligation declares")
            return
        sorts = [item.text] if isinstance(item, Atom) else [part.text for part in item.items if isinstance(part, Atom)]
        arrow = isinstance(item, Group) and sorts[:1] == ["->"] and 2 < len(sorts) == len(item.items)
        found = (tuple(sorts[1:-1]), sorts[-1]) if arrow else ((), sorts[0] if isinstance(item, Atom) else "")
        if signature.symbols.get(name.text) != found:
            raise self.fault(name, f"{name.text} declared otherwise than in the obligation, or not declared there")

    def formula(self, node: Node) -> Term:
        found = self.argument(node)
        if not isinstance(found, Term) or found.sort != "Bool":
            raise self.fault(node, "expected a formula")
        return found

    def argument(self, node: Node) -> Argument:
        return run(self.reading(node))

    def reading(self, node: Node) -> Reading[Argument]:
        try:
            if isinstance(node, Atom):
                if node.text in self.defined:
                    return self.defined[node.text]
                if node.text.isdecimal() and len(node.text) < 10:
                    return int(node.text)
                return () if node.text == "@list.nil" else applied(self.terms, node.text, [])
            if node.head == "@var" and len(node.items) == 3:
                return self.variable(node)
            arguments: list[Argument] = []
            for item in node.items[1:]:
                arguments.append((yield self.reading(item)))
            return self.application(node.head, arguments)
        except TermError as error:
            raise self.fault(node, str(error)) from None

    def variable(self, node: Group) -> Term:
        name, sort = node.items[1], node.items[2]
        if not isinstance(name, Atom) or not isinstance(sort, Atom) or len(name.text) < 3 or name.text[0] != '"':
            raise TermError('a variable of another form, expected (@var "name" sort)')
        return self.terms.variable(symbol_text(name.text[1:-1].replace('""', '"')), sort.text)

    def application(self, head: str, arguments: list[Argument]) -> Argument:
        if head in QUANTIFIERS and len(arguments) == 2:
            bound, body = arguments
            if isinstance(bound, tuple) and isinstance(body, Term):
                return self.terms.quantified(head, bound, body)
            raise TermError(f"{head} of another form, expected ({head} (@list variable …) formula)")
        if head == "@quantifiers_skolemize" and len(arguments) == 2:
            formula, index = arguments
            if isinstance(formula, Term) and isinstance(index, int):
                return self.terms.skolem(formula, index)
            raise TermError("a Skolem term of another form, expected (@quantifiers_skolemize formula index)")
        parts = [argument for argument in arguments if isinstance(argument, Term)]
        if not head or len(parts) < len(arguments):
            raise TermError("a term of another form, expected (symbol term …)")
        return tuple(parts) if head == "@list" else applied(self.terms, head, parts)
