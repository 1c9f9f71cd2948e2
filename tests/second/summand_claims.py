"""B32.* again: what is recovered from a sum, by all of its decompositions in the whole carrier (Appendix B.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

from .carriers import RINGS, Ring, small
from .model import Found, after_repair, all_of
from .registry import second


def parts(ring: Ring, whole: Any) -> list[tuple[Any, Any]]:
    """Every (a, b) of the whole carrier with a ⊕ b = whole: in 𝔹, or of the finitely many polynomials below."""
    below: list[Any]
    if ring.name == "boolean":
        below = [False, True]
    else:
        below = [frozenset()]
        for monomial, number in whole:
            below = [frozenset((*some, *([(monomial, n)] if n else []))) for some in below for n in range(number + 1)]
    return [(a, b) for a, b in product(below, repeat=2) if ring.plus(a, b) == whole]


def monomials(ring: Ring) -> list[Any]:
    """x, y, x⊗y, x⊗x, as the carrier has them, each once."""
    x, y = ring.token("x"), ring.token("y")
    found: list[Any] = []
    for element in (x, y, ring.times(x, y), ring.times(x, x)):
        found += [] if element in found else [element]
    return found


#: What else has to agree, and what then has to be the same.
SOUGHT: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "(b)": (lambda a, b: None, lambda a, b: a),
    "(c)": (lambda a, b: b, lambda a, b: a),
    "(d)": (lambda a, b: None, lambda a, b: frozenset((a, b))),
}
DOMAINS = ("any elements", "monomials", "monomials or 0")


@cache
def recovered(name: str, recovers: str, domain: str) -> dict[tuple[Any, Any], bool]:
    """Of every pair of summands whether p_a is recovered: all ways to make the sum in the domain are looked at."""
    ring = RINGS[name]
    some = monomials(ring)
    elements = {"any elements": small(ring), "monomials": some, "monomials or 0": [ring.zero, *some]}[domain]
    pairs = list(product(elements, repeat=2))
    if recovers == "(a)":
        return {(a, b): ring.leq(a, ring.plus(a, b)) for a, b in pairs}
    same, sought = SOUGHT[recovers]
    out = {}
    for a, b in pairs:
        whole = ring.plus(a, b)
        ways = parts(ring, whole) if domain == "any elements" else [p for p in pairs if ring.plus(*p) == whole]
        out[a, b] = len({sought(*way) for way in ways if same(*way) == same(a, b)}) == 1
    return out


def sentence(which: str, ring: Ring, found: dict[tuple[Any, Any], bool]) -> bool | None:
    """Whether what B.3 says of a carrier is so; None where it speaks of no pair."""
    nonzero = {pair: can for pair, can in found.items() if ring.zero not in pair}
    if which == "multidegree":
        return all(found.values())
    if which.startswith("multilinear"):
        return (
            (not any(can and a == b for (a, b), can in nonzero.items()) and len(set(nonzero.values())) == 2)
            if nonzero
            else None
        )
    if which == "boolean":
        meant = [can for (a, b), can in found.items() if a != b]
    else:
        meant = [can for (a, b), can in nonzero.items() if a == b]
    return not any(meant) if meant else None


NAMED = {
    "multidegree": "multidegree",
    "multilinear": "multilinear",
    "multilinear-collapsed": "multilinear-collapsed",
    "boolean": "boolean",
    "boolean-B33": "boolean",
}


def judged(which: str) -> dict[tuple[str, str], bool | None]:
    """The sentence about a carrier in every reading."""
    name = NAMED[which]
    return {
        (recovers, domain): sentence(which, RINGS[name], recovered(name, recovers, domain))
        for recovers, domain in product(("(a)", *SOUGHT), DOMAINS)
    }


@second("B32.recover.*")
def of_carrier(id: str) -> Found:
    """Twelve readings of one sentence, and how many pairs are recovered in each."""
    which = id.rpartition("recover.")[2]
    readings = judged(which)
    true = [f"{recovers} of {domain}" for (recovers, domain), so in readings.items() if so]
    says = [f"true in {len(true)} of {len(readings)} readings: {', '.join(true) or 'none'}"]
    for (recovers, domain), so in readings.items():
        found = recovered(NAMED[which], recovers, domain)
        word = {True: "true", False: "false", None: "vacuous"}[so]
        says.append(f"{recovers} of {domain}: {word}; {sum(found.values())} of {len(found)} pairs")
    return Found(all_of(so is True for so in readings.values()), tuple(says))


def together(boolean: str) -> Iterator[str]:
    """The readings in which all three sentences are true."""
    tables = {which: judged(which) for which in NAMED}
    for recovers, domain in product(("(a)", *SOUGHT), DOMAINS):
        for name in ("multilinear", "multilinear-collapsed"):
            if all(tables[which][recovers, domain] is True for which in ("multidegree", name, boolean)):
                yield f"{recovers} of {domain}, {name}"


@second("B32.recover")
def recover(id: str) -> Found:
    """All three sentences at once, in 4 · 3 · 2 readings."""
    good, better = list(together("boolean")), list(together("boolean-B33"))
    total = 4 * len(DOMAINS) * 2
    says = (f"in {len(good)} of {total} readings ({'; '.join(good)})", f"in {len(better)} ({'; '.join(better)})")
    verdict = "holds" if len(good) == total else "depends" if good else after_repair(False, bool(better))
    return Found(verdict, says)


@second("B32.recover.order")
def summand_order(id: str) -> Found:
    """Where two monomials collapse, whether the first is below the sum."""

    def collapsing(ring: Ring) -> Iterable[tuple[Any, Any]]:
        return [(a, b) for a, b in product(monomials(ring), repeat=2) if ring.plus(a, b) in (a, b)]

    found = {
        name: all(ring.leq(a, ring.plus(a, b)) for a, b in collapsing(ring))
        for name, ring in RINGS.items()
        if collapsing(ring)
    }
    says = (f"{sum(found.values())} shipped carriers that collapse", *(f"{name}: p_a = " for name in found))
    return Found("holds" if not any(found.values()) else "depends" if not all(found.values()) else "refuted", says)
