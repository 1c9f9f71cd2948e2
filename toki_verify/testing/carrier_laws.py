"""`carrier_suite`: the laws of carriers of provenance: commutative semirings with a natural order, and their texts.

TOKI 2026, §2.2, Theorem 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..algebra.facts import Fact
from ..algebra.laws import LAWS as EQUATIONS
from ..algebra.laws import REQUIRED, NamedLaw
from ..algebra.semiring import Described, Semiring
from .failures import Broken
from .operators_tested import refusal
from .strategies import TOKENS, chosen_carrier
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


def carrier_suite(
    semiring: Semiring[Any] | str,
    *,
    elements: SearchStrategy[Any] | None = None,
    optional_laws: bool = True,
    settings: settings | None = None,
) -> type[Suite]:
    """A test class for a carrier: `TestMine = carrier_suite(MyCarrier())`.

    Its elements are sums and products of 0, 1 and tokens, or what `elements` draws. That `leq` is exact is tried on
    small ones: those of its `small()` if it has one, with the evidence that its `difference(a, b)` gives or that is
    found among them. Where it has a `description` (`algebra.semiring.Described`) its laws are checked too, unless
    `optional_laws` is False. Raises UnknownCarrier, InvalidArgument.
    """
    found = chosen_carrier(semiring)
    drawn = default_elements(found) if elements is None else elements
    return make_suite("CarrierSuite", CHECKS, lambda: Carried(found, drawn, optional_laws), settings)


def text_of(carrier: Semiring[Any], value: Any) -> str:
    """An element in messages: its text, or its repr where even that fails."""
    try:
        return str(carrier.text(value))
    except Exception as error:  # what is tested may be broken here, too
        return f"{value!r} (text raises {type(error).__name__})"


def _some(arity: int) -> Callable[[Carried], SearchStrategy[Elements]]:
    return lambda tested: st.tuples(*[tested.elements] * arity).map(lambda found: Elements(tested.semiring, found))


def _equation(law: NamedLaw) -> Check:
    def holds(tested: Carried, case: Elements) -> None:
        if not law.check(tested.semiring, *case.values):
            raise Broken("false of these elements" if law.arity else "false")

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
        raise Broken(f"the text {text!r} of a is read as {text_of(semiring, semiring.parse(text))}")
    texts = [semiring.text(semiring.plus(*pair)) for pair in ((a, b), (b, a))]
    if texts[0] != texts[1]:
        raise Broken("a ⊕ b is written {} or {}".format(*texts))


def refused(tested: Carried, case: None) -> None:
    """text-refused."""
    for text in _GARBAGE:
        if refusal(lambda text=text: tested.semiring.parse(text)) is None:  # type: ignore[misc]
            raise Broken(f"the text {text!r} is read as {text_of(tested.semiring, tested.semiring.parse(text))}")


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
    Check("token-annotates", annotates),
    Check("laws-claimed", claimed, _some(3), _undescribed),
)
