"""Our own printer of SMT-LIB 2.6: the one text that every solver reads, and that people can read, too.

The text depends on the hypotheses alone: declarations in the order of first use, one assertion for each hypothesis
under a comment that says where it comes from. Nothing in it is particular to a solver.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..relations.firstorder import (
    Application,
    Apply,
    Conjunction,
    Disjunction,
    Equal,
    Equivalence,
    Existential,
    Expression,
    Holds,
    Implication,
    Negation,
    Statement,
    Universal,
    Variable,
    walk,
)
from ..relations.structure import Hypothesis

_WIDTH = 110
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*")
_RESERVED = frozenset(
    ["let", "forall", "exists", "match", "par", "as", "not", "and", "or", "xor", "true", "false", "distinct", "ite"]
)


@lru_cache(maxsize=10_000)
def symbol(name: str) -> str:
    """A name as a symbol of SMT-LIB 2.6: as it is, or between bars where it is not simple.

    Symbols are ASCII: other characters are written as their code points, and bars and backslashes are, too.
    """
    if _SIMPLE.fullmatch(name) and name not in _RESERVED:
        return name
    plain = "".join(c if " " <= c <= "~" and c not in "|\\" else _ASCII.get(c, f"<{ord(c):x}>") for c in name)
    return f"|{plain}|"


_ASCII = {"∪": "or", "∩": "and", "−": "-", "⁻": "^-", "¹": "1", "⁺": "+", "≪": "<<", "→": "->", "⇒": "=>"}


def expression(node: Expression) -> str:
    """An expression as text."""
    if isinstance(node, Variable):
        return symbol(node.name)
    arguments = (node.argument,) if isinstance(node, Apply) else node.arguments
    if not arguments:
        return symbol(node.function)
    return f"({symbol(node.function)} {' '.join(map(expression, arguments))})"


def statement(node: Statement, indent: int = 0) -> str:
    """A statement as text, on several lines where one would be long."""
    return _lines(node, indent, {})


def _lines(node: Statement, indent: int, flats: dict[int, str]) -> str:
    flat = _flat(node, flats)
    if len(flat) + indent <= _WIDTH:
        return flat

    def line(part: Statement) -> str:
        return " " * (indent + 2) + _lines(part, indent + 2, flats)

    if isinstance(node, (Universal, Existential)):
        return f"{_head(node)}\n{line(node.of)})"
    if isinstance(node, (Conjunction, Disjunction)):
        return f"({_OPERATORS[type(node)]}\n" + "\n".join(map(line, node.of)) + ")"
    if isinstance(node, (Implication, Equivalence)):
        return f"({_OPERATORS[type(node)]}\n{line(node.one)}\n{line(node.other)})"
    if isinstance(node, Negation):
        return f"(not\n{line(node.of)})"
    return flat


_OPERATORS: dict[type, str] = {Conjunction: "and", Disjunction: "or", Implication: "=>", Equivalence: "="}


def _head(node: Universal | Existential) -> str:
    kind = "forall" if isinstance(node, Universal) else "exists"
    bound = " ".join(f"({symbol(variable.name)} {symbol(variable.sort)})" for variable in node.variables)
    return f"({kind} ({bound})"


def _flat(node: Statement, flats: dict[int, str]) -> str:
    # A part is asked for once for each level of indentation above it: it is written once. The statement that is being
    # printed keeps its parts alive, so that no two have one id.
    found = flats.get(id(node))
    if found is None:
        found = flats[id(node)] = _on_one_line(node, flats)
    return found


def _on_one_line(node: Statement, flats: dict[int, str]) -> str:
    if isinstance(node, Holds):
        return f"({symbol(node.predicate)} {' '.join(map(expression, node.arguments))})"
    if isinstance(node, Equal):
        return f"(= {expression(node.one)} {expression(node.other)})"
    if isinstance(node, Negation):
        return f"(not {_flat(node.of, flats)})"
    if isinstance(node, (Conjunction, Disjunction)):
        if not node.of:
            return "true" if isinstance(node, Conjunction) else "false"
        return f"({_OPERATORS[type(node)]} {' '.join(_flat(part, flats) for part in node.of)})"
    if isinstance(node, (Implication, Equivalence)):
        return f"({_OPERATORS[type(node)]} {_flat(node.one, flats)} {_flat(node.other, flats)})"
    if isinstance(node, (Universal, Existential)):
        return f"{_head(node)} {_flat(node.of, flats)})"
    raise TypeError(f"no SMT-LIB text of {type(node).__name__}")


@lru_cache(maxsize=1_000)
def assertion(hypothesis: Hypothesis) -> str:
    """The command that asserts a hypothesis; it depends on nothing else."""
    return f"(assert {statement(hypothesis.statement, 8)})"


def without_header(text: str) -> str:
    """A script without the comment it begins with."""
    lines = text.split("\n")
    while lines and lines[0].startswith(";"):
        lines.pop(0)
    return "\n".join(lines)


def script(hypotheses: Iterable[Hypothesis], header: Iterable[str] = ()) -> str:
    """The question whether the hypotheses have a model, as SMT-LIB 2.6; `header` is a comment, a line each."""
    hypotheses = list(hypotheses)
    lines = [f"; {_comment(line)}" for line in header]
    lines += ["(set-info :smt-lib-version 2.6)", "(set-logic UF)"]
    lines += _declarations(hypotheses)
    for hypothesis in hypotheses:
        lines += [f"; {_comment(hypothesis.origin)}", assertion(hypothesis)]
    return "\n".join([*lines, "(check-sat)", ""])


def _comment(text: str) -> str:
    return " ".join(text.split())


def _declarations(hypotheses: list[Hypothesis]) -> list[str]:
    """Sorts, functions and predicates, in the order in which they are first used."""
    sorts: dict[str, None] = {}
    functions: dict[str, str] = {}
    for hypothesis in hypotheses:
        for node in walk(hypothesis.statement):
            if isinstance(node, (Universal, Existential)):
                sorts.update(dict.fromkeys(variable.sort for variable in node.variables))
            elif isinstance(node, (Apply, Application)):
                sorts[node.sort] = None
                arguments = (node.argument,) if isinstance(node, Apply) else node.arguments
                of = " ".join(symbol(argument.sort) for argument in arguments)
                functions.setdefault(node.function, f"({of}) {symbol(node.sort)}")
            elif isinstance(node, Holds):
                signature = " ".join(symbol(argument.sort) for argument in node.arguments)
                functions.setdefault(node.predicate, f"({signature}) Bool")
    return [f"(declare-sort {symbol(sort)} 0)" for sort in sorts] + [
        f"(declare-fun {symbol(name)} {signature})" for name, signature in functions.items()
    ]
