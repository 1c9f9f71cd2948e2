"""What a carrier of provenance is: a commutative semiring, with a natural order and a text form (TOKI 2026, §2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

K = TypeVar("K")


@runtime_checkable
class Semiring(Protocol[K]):
    """⟨K, ⊕, ⊗, 0, 1⟩ with elements that compare with `==`. What users bring needs no more than this.

    `leq` decides the natural order a ⪯ b ⇔ ∃c. a ⊕ c = b exactly. `parse(text(a)) == a`; `parse` raises
    UnparsableElement. `token` is the annotation of a write event of a name.
    """

    @property
    def name(self) -> str: ...
    @property
    def zero(self) -> K: ...
    @property
    def one(self) -> K: ...
    def plus(self, left: K, right: K, /) -> K: ...
    def times(self, left: K, right: K, /) -> K: ...
    def leq(self, left: K, right: K, /) -> bool: ...
    def token(self, name: str, /) -> K: ...
    def parse(self, text: str, /) -> K: ...
    def text(self, element: K, /) -> str: ...


@dataclass(frozen=True)
class Law:
    """A law that may hold of a carrier, by its name in `laws.LAWS`. Where it fails, `counterexample` are elements, as
    texts, for which its equation is false."""

    holds: bool
    counterexample: tuple[str, ...] = ()


@dataclass(frozen=True)
class Description:
    """What a carrier says of itself. `equations` are its operations; `laws` has every law of `laws.LAWS`."""

    carrier: str
    equations: tuple[str, ...]
    source: str
    laws: Mapping[str, Law] = field(default_factory=dict)


@runtime_checkable
class Described(Protocol):
    """A carrier with a description: all that this package ships, and users' own that want their laws checked."""

    @property
    def description(self) -> Description: ...


def total(semiring: Semiring[Any], elements: list[Any]) -> Any:
    """The sum of some elements, zero for none."""
    found = semiring.zero
    for element in elements:
        found = semiring.plus(found, element)
    return found
