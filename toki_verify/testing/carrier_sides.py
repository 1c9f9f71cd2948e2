"""What the two sides of an equation come to, for messages of `carrier_suite`: a law alone only says that it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..algebra.semiring import Semiring

S = Semiring[Any]
#: The terms of a law's equation or implication, as they are said, with their values; of elements a, b, c.
_Terms = Callable[..., dict[str, Any]]


def _associative(symbol: str, name: str) -> _Terms:
    def terms(s: S, a: Any, b: Any, c: Any) -> dict[str, Any]:
        op = getattr(s, name)
        return {f"(a {symbol} b) {symbol} c": op(op(a, b), c), f"a {symbol} (b {symbol} c)": op(a, op(b, c))}

    return terms


def _both(symbol: str, name: str, neutral: str = "") -> _Terms:
    def terms(s: S, a: Any, b: Any = None) -> dict[str, Any]:
        op, other = getattr(s, name), {"0": s.zero, "1": s.one}.get(neutral, b)
        right = neutral or "b"
        found = {f"a {symbol} {right}": op(a, other), f"{right} {symbol} a": op(other, a)}
        return {**found, neutral: other} if neutral else found

    return terms


def _distributive(s: S, a: Any, b: Any, c: Any) -> dict[str, Any]:
    return {"a ⊗ (b ⊕ c)": s.times(a, s.plus(b, c)), "a ⊗ b ⊕ a ⊗ c": s.plus(s.times(a, b), s.times(a, c))}


def _monotone(s: S, a: Any, b: Any, c: Any) -> dict[str, Any]:
    sums = {"a ⪯ b": s.leq(a, b), "a ⊕ c": s.plus(a, c), "b ⊕ c": s.plus(b, c)}
    sums["a ⊕ c ⪯ b ⊕ c"] = s.leq(sums["a ⊕ c"], sums["b ⊕ c"])
    products = {"a ⊗ c": s.times(a, c), "b ⊗ c": s.times(b, c)}
    return {**sums, **products, "a ⊗ c ⪯ b ⊗ c": s.leq(products["a ⊗ c"], products["b ⊗ c"])}


TERMS: Final[dict[str, _Terms]] = {
    "plus-associative": _associative("⊕", "plus"),
    "plus-commutative": _both("⊕", "plus"),
    "plus-identity": _both("⊕", "plus", "0"),
    "times-associative": _associative("⊗", "times"),
    "times-commutative": _both("⊗", "times"),
    "times-identity": _both("⊗", "times", "1"),
    "distributive": _distributive,
    "zero-annihilates": _both("⊗", "times", "0"),
    "order-reflexive": lambda s, a: {"a ⪯ a": s.leq(a, a)},
    "order-transitive": lambda s, a, b, c: {"a ⪯ b": s.leq(a, b), "b ⪯ c": s.leq(b, c), "a ⪯ c": s.leq(a, c)},
    "order-antisymmetric": lambda s, a, b: {"a ⪯ b": s.leq(a, b), "b ⪯ a": s.leq(b, a), "a = b": a == b},
    "order-of-sums": lambda s, a, b: {"a ⊕ b": s.plus(a, b), "a ⪯ a ⊕ b": s.leq(a, s.plus(a, b))},
    "order-monotone": _monotone,
}


def text_of(carrier: S, value: Any) -> str:
    """An element in messages: its text, as one line that can be read, or its repr where even that fails."""
    try:
        text = str(carrier.text(value))
    except Exception as error:  # what is tested may be broken here, too
        return f"{value!r} (text raises {type(error).__name__})"
    return text if text.isprintable() else repr(text)


def sides(carrier: S, law: str, values: tuple[Any, ...]) -> list[str]:
    """The terms of a law and their values, a line each."""
    found = TERMS[law](carrier, *values)
    # In orders, False and True are what `leq` says; elsewhere they may be elements.
    return [
        f"{term} = {value}" if "⪯" in term or " = " in term else f"{term} = {text_of(carrier, value)}"
        for term, value in found.items()
    ]
