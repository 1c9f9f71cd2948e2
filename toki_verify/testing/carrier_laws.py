"""`carrier_suite`: the laws of carriers of provenance: commutative semirings with a natural order, and their texts.

TOKI 2026, §2.2, Theorem 2.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..algebra.facts import Fact
from ..algebra.laws import AXIOMS, REQUIRED, NamedLaw
from ..algebra.laws import LAWS as EQUATIONS
from ..algebra.semiring import Described, Semiring
from ..search.strategies.bounds import BoundsError
from .carrier_sides import sides, text_of
from .failures import Broken
from .strategies import TOKENS, chosen_carrier, hostile_names
from .strategies import elements as default_elements
from .suite import Check, Suite, make_suite

_GARBAGE: Final = ("\x00", "((((", "x ⊕", "no element: \x7f")


@dataclass(frozen=True)
class Elements:
    """Elements on which a law is tried."""

    carrier: Semiring[Any]
    values: tuple[Any, ...]
    shown: Mapping[str, Fact[Any]] = field(default_factory=dict)

    @property
    def told(self) -> Sequence[str]:
        """For messages."""
        names = zip("abc", self.values, strict=False)
        return tuple(f"{name} = {text_of(self.carrier, value)}" for name, value in names)


@dataclass(frozen=True)
class Carried:
    """The carrier under test, and where its elements come from."""

    semiring: Semiring[Any]
    elements: SearchStrategy[Any]
    optional_laws: bool
    names: SearchStrategy[str]
    #: Whether the user says that tokens have these names: then none may be refused.
    declared: bool


@dataclass(frozen=True)
class Names:
    """Two names of tokens."""

    first: str
    second: str
    shown: Mapping[str, Fact[Any]] = field(default_factory=dict)

    @property
    def told(self) -> Sequence[str]:
        """For messages."""
        return f"x = token({self.first!r})", f"y = token({self.second!r})"


def carrier_suite(
    semiring: Semiring[Any] | str,
    *,
    elements: SearchStrategy[Any] | None = None,
    names: SearchStrategy[str] | Collection[str] | None = None,
    optional_laws: bool = True,
    settings: settings | None = None,
) -> type[Suite]:
    """A test class for a carrier: `TestMine = carrier_suite(MyCarrier())`.

    Its elements are sums and products of 0, 1 and tokens, or what `elements` draws. `names` are those that its tokens
    have, a collection or a strategy; without it any text is tried, and `token` may refuse it with a ValueError. That
    `leq` is exact is tried on small ones: those of its `small()` if it has one, with the evidence that its
    `difference(a, b)` gives or that is found among them. Where it has a `description` (`algebra.semiring.Described`)
    its laws are checked too, unless `optional_laws` is False. Raises UnknownCarrier, InvalidArgument.
    """
    found = chosen_carrier(semiring)
    drawn = default_elements(found) if elements is None else elements
    if isinstance(names, str) or not (names is None or isinstance(names, SearchStrategy | Collection)):
        raise BoundsError(f"names must be names of tokens, or a strategy that draws them, not {names!r}")
    named = names if isinstance(names, SearchStrategy) else hostile_names() if names is None else _one_of(names)
    subject = Carried(found, drawn, optional_laws, named, names is not None)
    return make_suite("CarrierSuite", CHECKS, lambda: subject, settings)


def _one_of(names: Collection[str]) -> SearchStrategy[str]:
    if not names:
        raise BoundsError("names must be some names, not none")
    return st.sampled_from(sorted(names))


def _some(arity: int) -> Callable[[Carried], SearchStrategy[Elements]]:
    return lambda tested: st.tuples(*[tested.elements] * arity).map(lambda found: Elements(tested.semiring, found))


def _equation(law: NamedLaw) -> Check:
    def holds(tested: Carried, case: Elements) -> None:
        if not law.check(tested.semiring, *case.values):
            raise Broken("its sides differ" if law in AXIOMS else "it is false").saying(
                sides(tested.semiring, law.name, case.values)
            )

    return Check(law.name, holds, _some(law.arity))


def small(semiring: Semiring[Any]) -> list[Any]:
    """Small elements: those the carrier names, or 0, 1, two tokens and their sums and products."""
    if hasattr(semiring, "small"):
        return list(semiring.small())
    leaves = [semiring.zero, semiring.one, *map(semiring.token, TOKENS[:2])]
    found: list[Any] = []
    for value in (*leaves, *(op(a, b) for op in (semiring.plus, semiring.times) for a, b in product(leaves, repeat=2))):
        if value not in found:
            found.append(value)
    return found


def order_exact(tested: Carried, case: None) -> None:
    """order-exact: every pair of small elements, with evidence both ways."""
    semiring, pool = tested.semiring, small(tested.semiring)
    sums: dict[int, list[tuple[Any, Any]]] = {at: [(c, semiring.plus(a, c)) for c in pool] for at, a in enumerate(pool)}
    for (at, a), b in product(enumerate(pool), pool):
        claimed = semiring.leq(a, b)
        evidence = next((c for c, found in sums[at] if found == b), None)
        lines = Elements(semiring, (a, b)).told
        if not claimed and evidence is not None:
            raise Broken(f"a ⪯ b is denied, but a ⊕ c = b for c = {text_of(semiring, evidence)}").saying(lines)
        if not claimed or evidence is not None or semiring.plus(a, b) == b:
            continue
        if not hasattr(semiring, "difference"):
            raise Broken(
                f"a ⪯ b is said, but a ⊕ c = b for none of {len(pool)} small c; a carrier whose evidence is larger "
                "shows it by a method `difference(a, b)`"
            ).saying(lines)
        evidence = semiring.difference(a, b)
        if evidence is None or semiring.plus(a, evidence) != b:
            raise Broken("a ⪯ b is said, but `difference(a, b)` is no c with a ⊕ c = b").saying(lines)


def round_trip(tested: Carried, case: Elements) -> None:
    """text-round-trip."""
    semiring, (a, b) = tested.semiring, case.values
    text = semiring.text(a)
    if not isinstance(text, str) or semiring.parse(text) != a:
        raise Broken(f"the text {text!r} of a is read as {text_of(semiring, semiring.parse(text))}, not as a")
    texts = [semiring.text(semiring.plus(*pair)) for pair in ((a, b), (b, a))]
    if texts[0] != texts[1]:
        raise Broken("a ⊕ b is written {} or {}".format(*texts))


def refused(tested: Carried, case: None) -> None:
    """text-refused."""
    for text in _GARBAGE:
        try:
            found = tested.semiring.parse(text)
        except ValueError:
            continue
        except Exception as error:
            what = f"parse({text!r}) raises {type(error).__name__}: {error}; expected a ValueError"
            raise Broken(what) from error
        raise Broken(f"parse({text!r}) is {text_of(tested.semiring, found)}; expected a ValueError")


def _names(tested: Carried) -> SearchStrategy[Names]:
    return st.builds(Names, tested.names, tested.names)


def token_names(tested: Carried, case: Names) -> None:
    """token-names: whatever the text form does to set names off, no name may take part in it."""
    semiring, tokens = tested.semiring, []
    for name in (case.first, case.second):
        try:
            tokens.append(semiring.token(name))
        except ValueError as error:
            if tested.declared:
                raise Broken(f"token({name!r}) is refused: {error}; expected a token, as names= has it") from error
            return
    for what, element in (
        ("x", tokens[0]),
        ("x ⊕ y", semiring.plus(*tokens)),
        ("x ⊗ y", semiring.times(*tokens)),
    ):
        text = semiring.text(element)
        try:
            found = semiring.parse(text)
        except ValueError as error:
            what = f"{what} is written {text!r}, and that is refused: {error}"
            raise Broken(f"{what}; expected to be read back, or that token refuses the name") from error
        if found != element:
            what = f"{what} is written {text!r}, and that is read as {found!r}, not {element!r}"
            raise Broken(f"{what}; expected to be read back, or that token refuses the name")


def annotates(tested: Carried, case: None) -> None:
    """token-annotates."""
    for name in (*TOKENS, "f1", "p12"):
        if tested.semiring.token(name) == tested.semiring.zero:
            raise Broken(f"the token {name} is zero")


def claimed(tested: Carried, case: Elements) -> None:
    """laws-claimed."""
    semiring: Any = tested.semiring
    for name, claim in semiring.description.laws.items():
        if name not in EQUATIONS:
            raise Broken(f"{name!r} is no law: one of {', '.join(EQUATIONS)}")
        law = EQUATIONS[name]
        if claim.holds and not law.check(semiring, *case.values[: law.arity]):
            raise Broken(f"{name} is said to hold ({law.statement})")
        if not claim.holds and len(claim.counterexample) != law.arity:
            raise Broken(f"the counterexample to {name} has {len(claim.counterexample)} elements, not {law.arity}")
        if not claim.holds and law.check(semiring, *map(semiring.parse, claim.counterexample)):
            raise Broken(f"{name} is true of its counterexample ({', '.join(claim.counterexample)})")


def _undescribed(tested: Carried) -> str:
    if not tested.optional_laws:
        return "optional_laws=False"
    return "" if isinstance(tested.semiring, Described) else "a carrier without a description"


CHECKS: Final = (
    *map(_equation, REQUIRED),
    Check("order-exact", order_exact),
    Check("text-round-trip", round_trip, _some(2)),
    Check("text-refused", refused),
    Check("token-names", token_names, _names),
    Check("token-annotates", annotates),
    Check("laws-claimed", claimed, _some(3), _undescribed),
)
