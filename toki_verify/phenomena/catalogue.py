"""The catalogue: what a phenomenon is as data, and the register of all of them (SEMANTICS §3)."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from ..relations.formulas import Formula, Named


@dataclass(frozen=True)
class Phenomenon:
    """A phenomenon: one formula and its name in the literature.

    `core` phenomena are the default readings of Theorem 1's nine and the callback boundary. A `pattern` also
    occurs in schedules that the default family calls serializable (the broad readings, dangerous structures, Adya's
    real start order): it is reported and can be expected, but is no anomaly by itself. An `annotated` one compares
    provenances with what the store keeps: it is an anomaly by itself only of a schedule that states one of them. Where
    `undecided` holds and `formula` does not, the answer is undecided, for `reason`.
    """

    id: str
    title: str
    formula: Formula
    source: str
    conclusion: str
    aliases: tuple[str, ...] = ()
    core: bool = False
    pattern: bool = False
    annotated: bool = False
    undecided: Formula | None = None
    reason: str = ""

    @property
    def named(self) -> Formula:
        """The formula under its id, for use in other definitions."""
        return Named(self.id, self.formula)

    @property
    def base_id(self) -> str:
        """The id without a reading in brackets."""
        return self.id.partition("[")[0]


class UnknownName(ValueError):
    """A name that is in no catalogue; the message names the nearest ones."""

    def __init__(self, kind: str, name: str, known: list[str], what: str | None = None) -> None:
        near = nearest(name, known)
        self.name = name
        told = name if len(name) <= 60 else f"{name[:60]}…"
        self.what = what or f"unknown {kind} {told!r}"
        if what is not None:
            self.expected = f"a {kind} of this version (`toki-verify rule --all`)"
        elif near:
            self.expected = f"a known one (did you mean {' or '.join(near)}?)"
        else:
            self.expected = f"one of {', '.join(known)}"
        super().__init__(f"{self.what}, expected {self.expected}")


def nearest(name: str, known: list[str]) -> list[str]:
    """The names most like a misspelt one, at most four."""
    folded = {candidate.casefold(): candidate for candidate in reversed(known)}
    return [folded[match] for match in get_close_matches(name.casefold(), list(folded), n=4, cutoff=0.5)]


@cache
def catalogue() -> dict[str, Phenomenon]:
    """Every phenomenon by id, in the order in which they are reported."""
    from . import adya, agent, berenson, erasure

    found: dict[str, Phenomenon] = {}
    for module in (berenson, adya, agent, erasure):
        for phenomenon in module.PHENOMENA:
            if phenomenon.id in found:
                raise ValueError(f"two phenomena named {phenomenon.id}")
            found[phenomenon.id] = phenomenon
    return found


def phenomenon(name: str) -> Phenomenon:
    """The phenomenon of an id or alias, in any case. Raises UnknownName."""
    known = catalogue()
    if name in known:
        return known[name]
    wanted = name.casefold()
    for candidate in known.values():
        if wanted in (candidate.id.casefold(), *(alias.casefold() for alias in candidate.aliases)):
            return candidate
    from .pages import pages

    others = pages().get("_elsewhere", {})
    elsewhere = others.get(wanted) or others.get(wanted.partition("[")[0])
    if elsewhere:
        raise UnknownName("phenomenon", name, list(known), f"{name} is no phenomenon but {elsewhere}")
    table = pages().get("_absent", {})
    absent = table.get(name) or table.get(name.partition("[")[0])
    if absent:
        raise UnknownName("phenomenon", name, list(known), f"{name} is not in this version ({absent.rstrip('.')})")
    raise UnknownName("phenomenon", name, list(known))
