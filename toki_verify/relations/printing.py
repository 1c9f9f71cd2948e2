"""Formulas as text, in the notation of SEMANTICS §5 (for rule pages) that `syntax.py` also reads."""

from __future__ import annotations

from .formulas import (
    Acyclic,
    And,
    Cycle,
    Formula,
    Irreflexive,
    Named,
    Not,
    Or,
    Some,
    Within,
)
from .terms import (
    Base,
    Converse,
    Definition,
    Identity,
    Join,
    Meet,
    Minus,
    Plus,
    Sort,
    Term,
    Txn,
    Union,
)

#: Precedence, loosest first.
_UNION, _JOIN, _MINUS, _MEET, _POST = range(5)


def term_text(term: Term, *, expand: bool = False) -> str:
    """A term as text; definitions by name, or with `expand` the top one by its body."""
    if expand and isinstance(term, Definition):
        return term_text(term.of)
    return _term(term)[0]


def _wrap(term: Term, least: int) -> str:
    """A part, in parentheses where it binds less, and where two different operators would stand side by side."""
    text, strength = _term(term)
    if strength < least or (strength < _POST and strength != least):
        return f"({text})"
    return text


def _term(term: Term) -> tuple[str, int]:
    if isinstance(term, Base):
        return (f"[{term.name}]" if term.is_set else term.name), _POST
    if isinstance(term, Definition):
        return term.name, _POST
    if isinstance(term, Identity):
        return ("id" if term.sort is Sort.A else "id_txn"), _POST
    if isinstance(term, Txn):
        return f"txn({term_text(term.of)})", _POST
    if isinstance(term, Meet):
        if (
            isinstance(term.one, Identity)
            and isinstance(term.other, Join)
            and term.other.other == Converse(term.other.one)
        ):
            return f"domain({term_text(term.other.one)})", _POST
        return f"{_wrap(term.one, _MEET)} ∩ {_wrap(term.other, _MEET + 1)}", _MEET
    if isinstance(term, Minus):
        return f"{_wrap(term.one, _MINUS)} − {_wrap(term.other, _MINUS + 1)}", _MINUS
    if isinstance(term, Union):
        if isinstance(term.other, Identity):
            if isinstance(term.one, Plus):
                return f"{_wrap(term.one.of, _POST)}^*", _POST
            return f"{_wrap(term.one, _POST)}?", _POST
        return f"{_wrap(term.one, _UNION)} ∪ {_wrap(term.other, _UNION + 1)}", _UNION
    if isinstance(term, Join):
        return f"{_wrap(term.one, _JOIN)} ; {_wrap(term.other, _JOIN + 1)}", _JOIN
    if isinstance(term, Converse):
        return f"{_wrap(term.of, _POST)}⁻¹", _POST
    assert isinstance(term, Plus)
    return f"{_wrap(term.of, _POST)}⁺", _POST


def formula_text(formula: Formula) -> str:
    """A formula as text."""
    return _formula(formula)[0]


def _formula(formula: Formula) -> tuple[str, int]:
    if isinstance(formula, Named):
        return f"shows {formula.name}", 3
    if isinstance(formula, Not):
        if isinstance(formula.of, Named):
            return f"no {formula.of.name}", 3
        if isinstance(formula.of, Some):
            return f"empty {term_text(formula.of.of)}", 3
        inner, strength = _formula(formula.of)
        return f"not {inner}" if strength >= 3 else f"not ({inner})", 3
    if isinstance(formula, Some):
        return f"some {term_text(formula.of)}", 3
    if isinstance(formula, Acyclic):
        return f"acyclic {term_text(formula.of)}", 3
    if isinstance(formula, Irreflexive):
        return f"irreflexive {term_text(formula.of)}", 3
    if isinstance(formula, Cycle):
        return f"cycle({', '.join(map(term_text, formula.of))})", 3
    if isinstance(formula, Within):
        place = formula.region.table or "partition({},{})".format(*(formula.region.partition or ("", "")))
        return f"within {place}: ({_formula(formula.of)[0]})", 3
    if isinstance(formula, And):
        parts = [(_formula(part)) for part in (formula.one, formula.other)]
        return " and ".join(text if strength >= 2 else f"({text})" for text, strength in parts), 2
    assert isinstance(formula, Or)
    return " or ".join(_formula(part)[0] for part in (formula.one, formula.other)), 1
