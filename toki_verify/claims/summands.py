"""B.3: from which carriers a loser's provenance can be got back out of the audit row's sum (TOKI 2026, Appendix B.3).

"Recovers" has four readings, "monomials" three, "multilinear" two; each sentence is decided in each, by comparing all
pairs of summands of which the same is known. What is true of every K is proved (`semiring_axioms.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Final

from ..algebra.carriers import BOOLEAN, MULTIDEGREE, MULTILINEAR, MULTILINEAR_COLLAPSED, Carrier
from .cells import Cells
from .model import Claim, Outcome

_WHERE = "TOKI 2026, Appendix B.3.2"

#: What p_a is to be a function of: a key of (carrier, p_a, p_b) and what is to follow from it. The first asks for none.
RECOVERS: Final[dict[str, str]] = {
    "(a)": "p_a ⪯ p_a ⊕ p_b (B.3.1, B.5.2)",
    "(b)": "p_a is a function of the sum alone",
    "(c)": "p_a is a function of the sum and p_b: subtraction (B.3.3)",
    "(d)": "the unordered pair of p_a and p_b is a function of the sum",
}
SUMMANDS: Final[dict[str, Callable[[Carrier[Any]], list[Any]]]] = {
    "any elements": lambda carrier: list(carrier.small()),
    "monomials": lambda carrier: monomials(carrier),
    "monomials or 0": lambda carrier: [carrier.zero, *monomials(carrier)],
}
Pair = tuple[Any, Any]


def monomials(carrier: Carrier[Any]) -> list[Any]:
    """Products of up to two tokens, as the carrier has them."""
    x, y = carrier.token("x"), carrier.token("y")
    return list(dict.fromkeys((x, y, carrier.times(x, y), carrier.times(x, x))))


@cache
def split(carrier: Carrier[Any], recovers: str, summands: str) -> tuple[dict[Pair, bool], dict[Pair, Pair]]:
    """Of every pair (p_a, p_b) whether p_a is recovered; and where it is not, a pair that looks the same."""
    pairs = list(product(SUMMANDS[summands](carrier), repeat=2))
    if recovers == "(a)":
        return {pair: carrier.leq(pair[0], carrier.plus(*pair)) for pair in pairs}, {}
    groups: dict[Any, dict[Any, Pair]] = {}
    for pair in (*pairs, *(_further(carrier, pairs) if summands == "any elements" else ())):
        groups.setdefault(_known(carrier, recovers, pair), {}).setdefault(_sought(recovers, pair), pair)
    found, alike = {}, {}
    for pair in pairs:
        group = groups[_known(carrier, recovers, pair)]
        found[pair] = len(group) == 1
        other = next((seen for sought, seen in group.items() if sought != _sought(recovers, pair)), None)
        if other is not None:
            alike[pair] = other
    return found, alike


def _further(carrier: Carrier[Any], pairs: list[Pair]) -> Iterator[Pair]:
    """Pairs beside the small ones that may look like one of them, so that what is recovered is recovered in all of K:
    the greatest and the least other summand of p_b, and all of the sum with 0."""
    for one, other in pairs:
        whole = carrier.plus(one, other)
        yield from (
            (whole, other),
            (carrier.difference(other, whole), other),
            (whole, carrier.zero),
            (carrier.zero, whole),
        )


def _known(carrier: Carrier[Any], recovers: str, pair: Pair) -> Any:
    whole = carrier.plus(*pair)
    return (whole, pair[1]) if recovers == "(c)" else whole


def _sought(recovers: str, pair: Pair) -> Any:
    return frozenset(pair) if recovers == "(d)" else pair[0]


@dataclass(frozen=True)
class Sentence:
    """What the seed says of a carrier. `about` are the pairs that it speaks of, `against` those that refute it, given
    whether p_a is recovered; with `some`, p_a is to be recovered for some pairs and not for all."""

    words: str
    about: Callable[[Carrier[Any], Pair], bool]
    against: Callable[[Pair, bool], bool]
    some: bool = False

    def verdict(self, carrier: Carrier[Any], found: dict[Pair, bool]) -> tuple[str, Pair | None]:
        """true, false or vacuous, and the first pair against it."""
        meant = {pair: can for pair, can in found.items() if self.about(carrier, pair)}
        bad = next((pair for pair, can in meant.items() if self.against(pair, can)), None)
        wrong = bad is not None or (self.some and len(set(meant.values())) < 2)
        return ("false" if wrong else "true") if meant else "vacuous", bad


def _nonzero(carrier: Carrier[Any], pair: Pair) -> bool:
    return carrier.zero not in pair


SENTENCES: Final[dict[str, Sentence]] = {
    "multidegree": Sentence("recovers p_a on every instance", lambda carrier, pair: True, lambda pair, can: not can),
    "multilinear": Sentence(
        "recovers p_a only where the two monomials do not coincide after multilinear collapse (on some instances, not "
        "on all)",
        _nonzero,
        lambda pair, can: can and pair[0] == pair[1],
        some=True,
    ),
    "boolean": Sentence(
        "recovers p_a on no instance where p_a ≠ p_b",
        lambda carrier, pair: pair[0] != pair[1],
        lambda pair, can: can,
    ),
    "boolean-B33": Sentence(
        "does not recover p_a where p_a and p_b are the same truth value, for facts that are there",
        lambda carrier, pair: pair[0] == pair[1] and _nonzero(carrier, pair),
        lambda pair, can: can,
    ),
}
NAMED: Final[dict[str, tuple[Carrier[Any], str]]] = {
    "multidegree": (MULTIDEGREE, "multidegree"),
    "multilinear": (MULTILINEAR, "multilinear"),
    "multilinear-collapsed": (MULTILINEAR_COLLAPSED, "multilinear"),
    "boolean": (BOOLEAN, "boolean"),
    "boolean-B33": (BOOLEAN, "boolean-B33"),
}


def judged(name: str) -> Iterator[tuple[str, str, str, str]]:
    """In every reading: whether the sentence about a carrier is true, and how much is recovered; where it is false the
    first pair against it, and what looks the same as a pair that is not recovered."""
    carrier, sentence = NAMED[name]
    for recovers, summands in product(RECOVERS, SUMMANDS):
        found, alike = split(carrier, recovers, summands)
        said, bad = SENTENCES[sentence].verdict(carrier, found)
        words = f"{sum(found.values())} of {len(found)} pairs"
        pair = bad or next(iter(alike), None)
        if pair is not None:
            whole = carrier.text(carrier.plus(*pair))
            same = f"looks like {_text(carrier, alike[pair])}: sum {whole}" if pair in alike else "is recovered"
            words += f"; {_text(carrier, pair)} {same}"
        yield recovers, summands, said, words


def _text(carrier: Carrier[Any], pair: Pair) -> str:
    return f"({carrier.text(pair[0])}, {carrier.text(pair[1])})"


def of_carrier(name: str) -> Outcome:
    """The sentence about one carrier, in every reading."""
    rows = list(judged(name))
    true = [f"{recovers} of {summands}" for recovers, summands, said, _ in rows if said == "true"]
    lines = [f"{recovers} of {summands}: {said}; {recovered}" for recovers, summands, said, recovered in rows]
    lines.sort(key=lambda line: ": false" not in line)
    verdict = "holds" if len(true) == len(rows) else "depends" if true else "refuted"
    detail = f"true in {len(true)} of {len(rows)} readings: {', '.join(true) or 'none'}"
    return Outcome(verdict, "exhaustive", detail, bound=BOUND, evidence=tuple(lines))


def consistent(boolean: str = "boolean") -> list[tuple[str, str, str]]:
    """The readings in which all three sentences are true, with that of multilinear; that about 𝔹 as B.3.2 or B.3.3."""
    tables = {name: {row[:2]: row[2] for row in judged(name)} for name in NAMED}
    return [
        (recovers, summands, name)
        for recovers, summands in product(RECOVERS, SUMMANDS)
        for name in ("multilinear", "multilinear-collapsed")
        if all(tables[which][recovers, summands] == "true" for which in ("multidegree", name, boolean))
    ]


def _recover(cells: Cells) -> Outcome:
    names = ("dominates-winner", "sum-forgets", "idempotent-forgets")
    proofs = tuple(cells.equation(f"semiring.{name}") for name in names)
    if not all(proof.proved for proof in proofs):
        return Outcome("undecided", "proof", "not proved")
    good, better = consistent(), consistent("boolean-B33")
    lines = [f"{name} {SENTENCES[NAMED[name][1]].words}: {of_carrier(name).detail}" for name in NAMED]
    lines.append("every K: (a) always holds; (b) never where p_a ≠ p_b; (c) not everywhere where a ⊕ a = a (proved)")
    said, instead = (
        "; ".join(f"{recovers} of {summands}, {name}" for recovers, summands, name in rows) or "none"
        for rows in (good, better)
    )
    total = len(RECOVERS) * len(SUMMANDS) * 2
    detail = (
        f"the three sentences of B.3.2 are true together in {len(good)} of {total} readings ({said}); with what B.3.3 "
        f"says of 𝔹 instead, in {len(better)} ({instead}). B.3.3 subtracts, (c); B.3.1 and B.5.2 ask for (a), where "
        "every carrier recovers everything (B32.recover.order)"
    )
    if all(split(MULTILINEAR, "(c)", "any elements")[0].values()):
        detail += "; B.5.2 has 'coefficient dominance', so coefficients survive: then multilinear subtracts everywhere"
    if len(good) == total:
        return Outcome("holds", "exhaustive", detail, bound=BOUND, evidence=tuple(lines), equational=proofs)
    verdict = "depends" if good else "holds-repaired" if better else "refuted"
    repair = f"with 𝔹 as in B.3.3 ({SENTENCES['boolean-B33'].words}), read as {instead}" if better and not good else ""
    return Outcome(verdict, "exhaustive", detail, bound=BOUND, evidence=tuple(lines), repair=repair, equational=proofs)


BOUND: Final = (
    "p_a and p_b of the small elements of a carrier, or of the monomials x, y, x⊗y, x⊗x; the proofs are of every K"
)
_READING = (
    f"'recovers': {'; '.join(f'{key} {words}' for key, words in RECOVERS.items())}; summands are any elements, "
    "monomials, or monomials or 0"
)
CLAIMS = (
    Claim(
        "B32.recover",
        _WHERE,
        "from p_a ⊕ p_b multidegree recovers p_a on every instance, multilinear only where the two monomials do not "
        "coincide after multilinear collapse, 𝔹 on none where p_a ≠ p_b as Boolean values",
        f"{_READING}; p_a and p_b are elements of the carrier, so after its collapse; multilinear with coefficients "
        "that survive or collapse",
        _recover,
    ),
    *(
        Claim(
            f"B32.recover.{name}",
            "TOKI 2026, Appendix B.3.3" if name.endswith("B33") else _WHERE,
            f"{NAMED[name][0].name} {SENTENCES[NAMED[name][1]].words}",
            _READING,
            lambda cells, name=name: of_carrier(name),  # type: ignore[misc]
        )
        for name in NAMED
    ),
)
