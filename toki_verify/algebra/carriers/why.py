"""Why(X): the witness sets, each of tokens that together suffice (Buneman, Khanna, Tan 2001; Green 2011)."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from ..errors import UnparsableElement, shown
from ..laws import all_but
from ..semiring import Description
from .base import Carrier
from .texts import NAME, NotAnElement, composed, excerpt, is_token_name, offset, printable, token_name

Witnesses = frozenset[frozenset[str]]

_TOKEN: Final = re.compile(rf"({NAME})|[^ ]")
#: Where reading is after a token, by where it was.
_STEPS: Final = {
    ("begin", "{"): "witnesses",
    ("witnesses", "{"): "witness",
    ("witnesses", "}"): "end",
    ("witness", "name"): "named",
    ("witness", "}"): "after",
    ("named", ","): "name",
    ("named", "}"): "after",
    ("name", "name"): "named",
    ("after", ","): "next",
    ("after", "}"): "end",
    ("next", "{"): "witness",
}
_EXPECTED: Final = "a set of sets of tokens, like {{p1}, {p2, t1}}"
_SMALL: Final = (
    ("x",),
    ("y",),
    ("x y",),
    ("x", "y"),
    ("", "x"),
    ("x", "x y"),
    ("", "x y"),
    ("", "x", "y"),
    ("y", "x y"),
    ("", "x", "y", "x y"),
)


class Why(Carrier[Witnesses]):
    """(finite sets of finite sets of tokens, ∪, pairwise ∪, {}, {{}}). A token is the set of the one witness {x}.

    Isomorphic to `multilinear-collapsed`, by reading a witness as a monomial.
    """

    __slots__ = ()

    name = "why"
    zero: Witnesses = frozenset()
    one: Witnesses = frozenset({frozenset[str]()})
    description = Description(
        "finite sets of finite sets of tokens",
        ("a ⊕ b = a ∪ b", "a ⊗ b = {v ∪ w : v ∈ a, w ∈ b}", "0 = {}", "1 = {{}}", "a ⪯ b ⇔ a ⊆ b", "token(x) = {{x}}"),
        "Buneman, Khanna, Tan 2001; Green 2011",
        all_but(
            {
                "times-idempotent": ("{{x}, {y}}",),
                "absorption": ("{{}}", "{{x}}"),
                "plus-cancellative": ("{}", "{{}}", "{{}}"),
                "order-total": ("{{}}", "{{x}}"),
                "sums-count": (),
            }
        ),
    )

    def plus(self, left: Witnesses, right: Witnesses, /) -> Witnesses:
        return left | right

    def times(self, left: Witnesses, right: Witnesses, /) -> Witnesses:
        return frozenset(one | other for one in left for other in right)

    def leq(self, left: Witnesses, right: Witnesses, /) -> bool:
        return left <= right

    def difference(self, left: Witnesses, right: Witnesses, /) -> Witnesses | None:
        return right - left if left <= right else None

    def token(self, name: str, /) -> Witnesses:
        return frozenset({frozenset({token_name(name)})})

    def parse(self, text: str, /) -> Witnesses:
        state = "begin"
        found: list[set[str]] = []
        whole = composed(text)
        for token in _TOKEN.finditer(whole):
            state = _STEPS.get((state, "name" if token[1] else token[0]), "")
            if not state:
                raise UnparsableElement(excerpt(whole, token.start()), _EXPECTED, offset(text, token.start()))
            if state == "witness":
                found.append(set())
            elif state == "named":
                found[-1].add(token[1])
        if state != "end":
            raise UnparsableElement("the end of the text", _EXPECTED, len(text))
        return frozenset(map(frozenset, found))

    def text(self, element: Witnesses, /) -> str:
        self.require(element)
        ordered = sorted(map(sorted, element), key=lambda names: (len(names), names))
        return printable("{" + ", ".join("{" + ", ".join(names) + "}" for names in ordered) + "}")

    def require(self, element: object, /) -> None:
        if not isinstance(element, frozenset) or not all(
            isinstance(witness, frozenset) and all(map(is_token_name, witness)) for witness in element
        ):
            raise NotAnElement(shown(element), "a frozenset of frozensets of tokens, which are names in NFC")

    def small(self) -> tuple[Witnesses, ...]:
        return self.zero, self.one, *(frozenset(frozenset(names.split()) for names in found) for found in _SMALL)

    def sample(self, random: Random, /) -> Witnesses:
        def witness() -> frozenset[str]:
            return frozenset(random.choices(("x", "y", "p1", "t1"), k=random.randrange(4)))

        return frozenset(witness() for _ in range(random.randrange(5)))
