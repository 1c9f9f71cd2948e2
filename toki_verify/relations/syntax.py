"""The text form of terms and formulas, in the manner of herd7's `.cat`: parsed, never evaluated as code.

Terms, loosest first: `a | b` (∪), `a ; b`, `a - b` (\\, −), `a & b` (∩), then behind a term `^-1` (⁻¹), `^+` (⁺),
`^*`, `?`; `txn(a)`, `domain(a)`, `[set]`, `id`, `id_txn`; names of base relations, edges and `let` definitions.
Formulas: `acyclic a`, `irreflexive a`, `empty a`, `some a`, `cycle(a, b, …)`, `no P4`, `shows P4`, `not f`,
`f and g`, `f or g`, parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from .base import VOCABULARY, of_txn
from .edges import DEFINITIONS, EDGES
from .formulas import Formula, acyclic, children, cycle, irreflexive, some
from .terms import Base, Definition, Identity, Sort, SortError, Term, domain, txn

NESTING: Final = 50
#: How deep the tree of a term or formula may be, definitions looked through, and how many relations a cycle may name.
DEPTH: Final = 120
ARITY: Final = 6
_TOKEN = re.compile(
    r"\s*(?:(?P<post>\^-1|\^\+|\^\*|⁻¹|⁺|\?)|(?P<op>[|∪;&∩()\[\],−\\-])|(?P<name>[A-Za-z_][A-Za-z0-9_]*))"
)
_WORD = re.compile(r"\s*(\S+)")
_SPELLINGS = {"∪": "|", "∩": "&", "−": "-", "\\": "-"}

#: Every name a term may use.
NAMES: Final[dict[str, Term]] = {
    **{name: Base(name, sort, sort, is_set) for name, (_, is_set, sort) in VOCABULARY.items()},
    **EDGES,
    **{d.name: d for d in DEFINITIONS},
    "of_txn": of_txn,
    "id": Identity(Sort.A),
    "id_txn": Identity(Sort.T),
}


N = TypeVar("N", Term, Formula)


class SyntaxFault(ValueError):
    """A fault in a formula: the offset, what it is, what was expected."""

    def __init__(self, at: int, what: str, expected: str) -> None:
        super().__init__(f"{what}, expected {expected}")
        self.at, self.what, self.expected = at, what, expected


def depth(node: Term | Formula) -> int:
    """The depth of a tree; each node keeps its own, so that a growing tree costs one step a node."""
    found: int | None = node.__dict__.get("_depth")
    if found is None:
        found = 1 + max(map(depth, children(node)), default=0)
        node.__dict__["_depth"] = found
    return found


class Parser:
    """A recursive descent over one line. `lets` are the definitions so far, `absent` gives "no ID" its meaning."""

    def __init__(self, text: str, lets: Mapping[str, Term], absent: Callable[[str, int], Formula], at: int = 0) -> None:
        self.text, self.lets, self.absent, self.at = text, lets, absent, at
        self.depth = 0

    # -- tokens ----------------------------------------------------------------------------------------------------
    def _peek(self) -> tuple[str, str, int, int]:
        """The kind, spelling, start and end of the next token; kind "" at the end, "?" for a character of none."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            blank = len(self.text) - len(self.text[self.at :].lstrip())
            return ("?" if blank < len(self.text) else "", self.text[blank : blank + 1], blank, blank + 1)
        kind = str(match.lastgroup)
        spelling = match.group(kind)
        return kind, _SPELLINGS.get(spelling, spelling), match.start(kind), match.end()

    def _take(self, *spellings: str) -> str | None:
        kind, spelling, _, end = self._peek()
        if kind and kind != "?" and spelling in spellings:
            self.at = end
            return spelling
        return None

    def _need(self, spelling: str) -> None:
        if self._take(spelling) is None:
            self._fault(f"`{spelling}`")

    def _fault(self, expected: str) -> None:
        kind, spelling, at, _ = self._peek()
        raise SyntaxFault(at, repr(spelling) if kind else "the end of the line", expected)

    def _checked(self, node: N, at: int) -> N:
        """The node, unless its tree is too deep."""
        if depth(node) > DEPTH:
            raise SyntaxFault(at, "a formula too deep, definitions looked through", f"at most {DEPTH} levels")
        return node

    def end(self) -> None:
        """Nothing may follow."""
        if self._peek()[0]:
            self._fault("an operator, or the end of the line")

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > NESTING:
            raise SyntaxFault(self.at, f"a formula nested more than {NESTING} deep", f"at most {NESTING} levels")

    # -- terms -----------------------------------------------------------------------------------------------------
    def term(self) -> Term:
        """A term."""
        self._deeper()
        found = self._binary(0)
        self.depth -= 1
        return found

    _LEVELS: Final = ("|", ";", "-", "&")

    def _binary(self, level: int) -> Term:
        if level == len(self._LEVELS):
            return self._postfix()
        found = self._binary(level + 1)
        while True:
            at = self._peek()[2]
            if self._take(self._LEVELS[level]) is None:
                return found
            other = self._binary(level + 1)
            try:
                if level == 0:
                    found = found | other
                elif level == 1:
                    found = found >> other
                else:
                    found = found - other if level == 2 else found & other
            except SortError as error:
                raise SyntaxFault(at, str(error), "relations of fitting sorts") from None
            self._checked(found, at)

    def _postfix(self) -> Term:
        found = self._primary()
        while True:
            at = self._peek()[2]
            post = self._take("^-1", "⁻¹", "^+", "⁺", "^*", "?")
            if post is None:
                return found
            try:
                if post in ("^-1", "⁻¹"):
                    found = ~found
                else:
                    found = found.plus if post in ("^+", "⁺") else found.star if post == "^*" else found.opt
            except SortError as error:
                raise SyntaxFault(at, str(error), "a relation on one sort") from None
            self._checked(found, at)

    def _primary(self) -> Term:
        kind, spelling, at, end = self._peek()
        if self._take("("):
            found = self.term()
            self._need(")")
            return found
        if self._take("["):
            found = self.term()
            self._need("]")
            if not (isinstance(found, Base) and found.is_set):
                raise SyntaxFault(at, "a relation in brackets", "a set, such as [write] or [committed]")
            return found
        if kind != "name":
            self._fault("a relation: a name, `txn(…)`, `[set]` or parentheses")
        self.at = end
        if spelling in ("txn", "domain"):
            self._need("(")
            inner = self.term()
            self._need(")")
            try:
                return txn(inner) if spelling == "txn" else domain(inner)
            except SortError as error:
                raise SyntaxFault(at, str(error), "a relation of fitting sorts") from None
        found_name = self.lets.get(spelling, NAMES.get(spelling))
        if found_name is None:
            from difflib import get_close_matches

            near = get_close_matches(spelling, [*self.lets, *NAMES], n=4, cutoff=0.5)
            raise SyntaxFault(at, f"unknown relation {spelling!r}", "one of " + ", ".join(near or sorted(NAMES)))
        return found_name

    # -- formulas --------------------------------------------------------------------------------------------------
    def formula(self) -> Formula:
        """A formula."""
        self._deeper()
        found = self._conjunction()
        while self._take("or"):
            found = self._checked(found | self._conjunction(), self.at)
        self.depth -= 1
        return found

    def _conjunction(self) -> Formula:
        found = self._atom()
        while self._take("and"):
            found = self._checked(found & self._atom(), self.at)
        return found

    def _atom(self) -> Formula:
        at = self._peek()[2]
        if self._take("("):
            found = self.formula()
            self._need(")")
            return found
        if self._take("not"):
            self._deeper()
            negated = ~self._atom()
            self.depth -= 1
            return negated
        negative = self._take("no", "shows")
        if negative:
            word = _WORD.match(self.text, self.at)
            if word is None:
                self._fault("a phenomenon, such as `no P4`")
            assert word is not None
            name = word.group(1).rstrip(")") if word.group(1).count(")") > word.group(1).count("(") else word.group(1)
            self.at = word.start(1) + len(name)
            absent = self.absent(name, word.start(1))
            return absent if negative == "no" else ~absent
        for keyword, build in (("acyclic", acyclic), ("irreflexive", irreflexive), ("some", some)):
            if self._take(keyword):
                return self._sorted(at, lambda build=build: build(self.term()))  # type: ignore[misc]
        if self._take("empty"):
            return ~some(self.term())
        if self._take("cycle"):
            self._need("(")
            terms = [self.term()]
            while self._take(","):
                terms.append(self.term())
            self._need(")")
            if len(terms) > ARITY:
                raise SyntaxFault(at, f"a cycle of {len(terms)} relations", f"at most {ARITY}")
            return self._sorted(at, lambda: cycle(*terms))
        self._fault("`acyclic`, `irreflexive`, `empty`, `some`, `cycle(…)`, `no ID`, `not` or parentheses")
        raise AssertionError

    @staticmethod
    def _sorted(at: int, build: Callable[[], Formula]) -> Formula:
        try:
            return build()
        except SortError as error:
            raise SyntaxFault(at, str(error), "a relation of the right sort") from None


def definition(name: str, of: Term) -> Term:
    """A `let`: a term under a name."""
    return Definition(name, of)
