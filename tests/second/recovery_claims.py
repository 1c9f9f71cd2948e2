"""T3.* again: answers in closed form instead of by a carrier's operations, neighbours instead of groups."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from .algebra_claims import image
from .carriers import RINGS, SEEDS, small
from .model import Found, after_repair, all_of
from .registry import second

ROWS, MOST = "rst", 4
FREE = RINGS["multidegree"]
#: A join as how often it names r, s, t; a query as one or two joins; a log as how often it has r, s, t.
Join = tuple[int, int, int]
Query = tuple[Join, ...]
Log = tuple[int, int, int]
Instance = tuple[Query, Log]


def joins(most: int) -> list[Join]:
    """Joins of one to some rows."""
    return [j for j in product(range(most + 1), repeat=3) if 1 <= sum(j) <= most]  # type: ignore[misc]


@cache
def queries() -> list[Query]:
    """Joins of up to three rows, unions of two of up to two."""
    return [(join,) for join in joins(3)] + list(combinations_with_replacement(joins(2), 2))


@cache
def instances() -> list[Instance]:
    """Every query with every log of up to four of each row that has r."""
    return [(q, log) for q in queries() for log in product(range(MOST + 1), repeat=3) if log[0]]  # type: ignore[misc]


def free_answer(query: Query, log: Log, reading: str) -> Any:
    """π in ℕ[X], written down: a join of cᵢ times the row i, which is there kᵢ times, is ∏ Xᵢ^(kᵢcᵢ), as a power, or
    ∏ (kᵢXᵢ)^cᵢ, as a sum; 0 where a row is absent, unless absence is X⁰."""
    terms: dict[Any, int] = {}
    for join in query:
        if reading != "unit" and any(c and not k for c, k in zip(join, log, strict=True)):
            continue
        number = 1
        powers = []
        for row, c, k in zip(ROWS, join, log, strict=True):
            if reading == "sum":
                number *= k**c
            power = c if reading == "sum" else c * k
            if power:
                powers.append((row, power))
        monomial = frozenset(powers)
        terms[monomial] = terms.get(monomial, 0) + number
    return frozenset(terms.items())


@cache
def table(name: str, reading: str) -> dict[Instance, tuple[Any, Any]]:
    """Of every instance its answer, and its answer without one r, in a carrier."""
    ring = RINGS[name]
    images: dict[Any, Any] = {}

    def there(element: Any) -> Any:
        if element not in images:
            images[element] = element if name == "multidegree" else image(ring, element)
        return images[element]

    return {
        (query, log): (
            there(free_answer(query, log, reading)),
            there(free_answer(query, (log[0] - 1, *log[1:]), reading)),
        )
        for query, log in instances()
    }


def degree(name: str, element: Any) -> int | None:
    """deg X_r (Definition 4): the highest power of r; at most one where powers collapse; None without monomials."""
    if name in ("counting", "tropical", "viterbi"):
        return None
    if name == "boolean":
        return 1 if element else 0
    if name == "why":
        return 1 if any("r" in witness for witness in element) else 0
    return max((power for monomial, _ in element for row, power in monomial if row == "r"), default=0)


KNOWS: dict[str, Callable[[Instance], Any]] = {
    "the query": lambda one: one[0],
    "the query and k_r": lambda one: (one[0], one[1][0]),
    "π alone": lambda one: None,
}


@cache
def recoverable(name: str, reading: str = "power", knows: str = "the query") -> frozenset[Instance]:
    """The instances of which no other with the same answer, as far as is known, has another counterfactual.

    Found by the pairs that spoil each other, not by grouping: neighbours in a sorted order.
    """
    known = KNOWS[knows]
    rows = sorted(
        (repr((known(one), _sorted(answer))), repr(_sorted(without)), one)
        for one, (answer, without) in table(name, reading).items()
    )
    spoilt, start = set(), 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or rows[end][0] != rows[start][0]:
            if rows[start][1] != rows[end - 1][1]:  # sorted: the first and the last differ if any two do
                spoilt |= {row[2] for row in rows[start:end]}
            start = end
    return frozenset(instances()) - spoilt


def _sorted(element: Any) -> Any:
    """An element in an order of its own, so that equal ones have equal texts."""
    if isinstance(element, frozenset):
        return sorted((_sorted(part) for part in element), key=repr)
    if isinstance(element, tuple):
        return tuple(_sorted(part) for part in element)
    return element


def against(name: str, reading: str = "power", knows: str = "the query") -> dict[Instance, bool]:
    """The instances at which 'recoverable' and 'of degree at least 2' are not the same, and which of both it is."""
    can = recoverable(name, reading, knows)
    return {
        one: one in can
        for one, (answer, _) in table(name, reading).items()
        if (one in can) != ((degree(name, answer) or 0) >= 2)
    }


# -- classes in which the equivalence holds ----------------------------------------------------------------------------


def _there(join: Join, log: Log) -> bool:
    return all(k for c, k in zip(join, log, strict=True) if c)


def _needs(query: Query) -> bool:
    """Some join that names r has no join without r inside it, as sets of rows."""
    rows = [{i for i in range(3) if join[i]} for join in query]
    return any(0 in mine and not any(0 not in other and other <= mine for other in rows) for mine in rows)


CONDITIONS: dict[str, Callable[[Instance], bool]] = {
    "π ≠ 0": lambda one: any(_there(join, one[1]) for join in one[0]),
    "r contributes to π": lambda one: any(join[0] and _there(join, one[1]) for join in one[0]),
    "k_r ≥ 2": lambda one: one[1][0] >= 2,
    "a join that contributes names r, twice or with k_r ≥ 2": lambda one: any(
        join[0] * one[1][0] >= 2 and _there(join, one[1]) for join in one[0]
    ),
    "some join that names r contains no join without r": lambda one: _needs(one[0]),
}


@cache
def members() -> dict[str, frozenset[Instance]]:
    """Per condition the instances that meet it."""
    return {words: frozenset(filter(meets, instances())) for words, meets in CONDITIONS.items()}


def largest(good: Callable[[frozenset[Instance]], bool]) -> tuple[frozenset[Instance], tuple[str, ...]] | None:
    """The largest class of instances that meet some conditions, and in which something holds."""
    every = [
        (frozenset(instances()).intersection(*(members()[words] for words in chosen)), chosen)
        for size in range(len(CONDITIONS) + 1)
        for chosen in combinations(CONDITIONS, size)
    ]
    fitting = [found for found in every if found[0] and good(found[0])]
    return max(fitting, key=lambda found: (len(found[0]), -len(found[1])), default=None)


@second("T3.iff.*")
def iff(id: str) -> Found:
    """In one carrier."""
    name = id.rpartition(".")[2]
    total, can = len(instances()), recoverable(name)
    if degree(name, table(name, "power")[instances()[0]][0]) is None:
        return Found("out-of-scope", (f"it recovers {len(can)} of {total} instances",))
    wrong = against(name)
    found = largest(lambda chosen: not chosen & wrong.keys())
    low = sum(wrong.values())
    says = [
        f"false in {len(wrong)} of {total} instances: {low} recoverable of degree below 2, "
        f"{len(wrong) - low} of degree",
        f"it recovers {len(can)}",
    ]
    if found:
        says.append(f"{len(found[0])} instances, of which {len(found[0] & can)} recoverable")
        says.append(
            f"fails in each of the other {total - len(found[0])}" if len(wrong) + len(found[0]) == total else ""
        )
    return Found(after_repair(not wrong, found is not None), tuple(says))


@second("T3.iff")
def iff_everywhere(id: str) -> Found:
    """In the seed's three."""
    wrong = set().union(*(against(name) for name in SEEDS))
    found = largest(lambda chosen: not chosen & wrong)
    says = [f"{name}: false in {len(against(name))} of" for name in SEEDS]
    if found:
        says.append(f"{len(found[0])} of {len(instances())} instances")
        says += [f"{name} recovers {len(found[0] & recoverable(name))}" for name in SEEDS]
        says += [words for words in found[1]]
    # What is said to be recovered exactly, by conditions on the query and the log alone.
    no_r = frozenset(instances()) - members()["r contributes to π"]
    no_need = frozenset(instances()) - (
        members()["π ≠ 0"] & members()["some join that names r contains no join without r"]
    )
    exact = {"multidegree": frozenset(instances()), "multilinear": no_r, "boolean": no_need}
    says += [
        f"{name} recovers {'every instance' if name == 'multidegree' else 'exactly those'}"
        for name in SEEDS
        if recoverable(name) == exact[name]
    ]
    return Found(after_repair(not wrong, found is not None), tuple(says))


READINGS = {
    "power": ("power", "the query"),
    "sum": ("sum", "the query"),
    "unit": ("unit", "the query"),
    "one-map": ("power", "π alone"),
    "multiplicity": ("power", "the query and k_r"),
}


@second("T3.reading.*")
def reading(id: str) -> Found:
    """Another reading, in the seed's three."""
    of, knows = READINGS[id.rpartition(".")[2]]
    says, wrong = [], 0
    for name in SEEDS:
        bad = against(name, of, knows)
        wrong += len(bad)
        says.append(f"{name} recovers {len(recoverable(name, of, knows))}, {len(bad)} against it")
    claimed = of_degree_2(of)
    right = sum(mapped(shift, table("multidegree", of)[one]) for one in claimed)
    says.append(f"the shift is right in {right} of the {len(claimed)} of degree")
    return Found("refuted" if wrong else "holds", tuple(says))


# -- maps --------------------------------------------------------------------------------------------------------------


def shift(power: int) -> tuple[int, int]:
    """Xⁱ ↦ Xⁱ⁻¹, where there is an X."""
    return (1, power - 1) if power else (1, 0)


def derivative(power: int) -> tuple[int, int]:
    """Xⁱ ↦ i·Xⁱ⁻¹."""
    return power, power - 1


def without(power: int) -> tuple[int, int]:
    """X ↦ 0."""
    return (0, 0) if power else (1, 0)


def mapped(mapping: Callable[[int], tuple[int, int]], found: tuple[Any, Any]) -> bool:
    """Whether a map of powers of r takes the answer to the counterfactual one."""
    terms: dict[Any, int] = {}
    for monomial, number in found[0]:
        powers = dict(monomial)
        factor, power = mapping(powers.get("r", 0))
        key = frozenset(
            (*((row, p) for row, p in powers.items() if row != "r"), *([("r", power)] if power > 0 else []))
        )
        terms[key] = terms.get(key, 0) + factor * number
    return bool(frozenset((m, n) for m, n in terms.items() if n) == found[1])


def of_degree_2(of: str = "power") -> list[Instance]:
    """Instances of degree at least 2 in multidegree."""
    return [one for one, (answer, _) in table("multidegree", of).items() if (degree("multidegree", answer) or 0) >= 2]


@second("T3.shift")
def shifts(id: str) -> Found:
    """Where the shift is right."""
    claimed, answers = of_degree_2(), table("multidegree", "power")
    bad = [one for one in claimed if not mapped(shift, answers[one])]
    simple = [one for one in claimed if one[1][0] >= 2 and all(j[0] < 2 for j in one[0] if _there(j, one[1]))]
    single = [one for one in instances() if one[1][0] == 1]
    says = [f"wrong in {len(bad)} of the {len(claimed)} instances", f"all {len(simple)} of these"]
    if all(mapped(without, answers[one]) for one in single):
        says.append(f"each of the {len(single)} instances with k_r = 1")
    return Found(after_repair(not bad, all(mapped(shift, answers[one]) for one in simple)), tuple(says))


@second("T3.derivative")
def derivatives(id: str) -> Found:
    """Wrong at every degree from 2; where r contributes with degree 1, sometimes right."""
    answers = table("multidegree", "power")
    claimed = of_degree_2()
    good = [one for one in claimed if mapped(derivative, answers[one])]
    lucky = [
        one for one in members()["r contributes to π"] if one not in set(claimed) and mapped(derivative, answers[one])
    ]
    halves = [element for element in small(FREE) if FREE.plus(element, element) == FREE.token("r")]
    says = [f"wrong in all {len(claimed) - len(good)} instances", f"of degree 1 it is right in {len(lucky)} instances"]
    return Found(
        "refuted" if good else "holds", (*says, "no element doubles to r" if not halves else "an element doubles to r")
    )


BY_RICHNESS = ("boolean", "multilinear", "multidegree")


@second("T3.order")
def order(id: str) -> Found:
    """By the condition, and by what is recovered."""
    meeting = {
        name: frozenset(one for one, (a, _) in table(name, "power").items() if (degree(name, a) or 0) >= 2)
        for name in SEEDS
    }
    can = {name: recoverable(name) for name in SEEDS}

    def ordered(of: dict[str, frozenset[Instance]], chosen: frozenset[Instance]) -> bool:
        return (
            of["boolean"] & chosen == of["multilinear"] & chosen
            and of["multilinear"] & chosen < of["multidegree"] & chosen
        )

    every = frozenset(instances())
    found = largest(lambda chosen: ordered(can, chosen))
    says = [
        f"boolean and not multilinear recovers {len(can['boolean'] - can['multilinear'])} instances",
        f"multilinear and not boolean recovers {len(can['multilinear'] - can['boolean'])} instances",
        f"multidegree and not multilinear recovers {len(can['multidegree'] - can['multilinear'])} instances",
        "; ".join(f"{'𝔹' if name == 'boolean' else name} {len(meeting[name])}" for name in BY_RICHNESS),
    ]
    says += [f"{len(found[0])} instances"] if found else []
    return Found(all_of([ordered(meeting, every), ordered(can, every)]), tuple(says))


#: Appendix B.3.4 and Table 22: of 375 instances.
COUNTS = {"boolean": 0, "multilinear": 106, "multidegree": 375}


@second("T3.order.printed")
def printed(id: str) -> Found:
    """Of equivalent carriers the counts would be equal."""
    right = COUNTS["boolean"] == COUNTS["multilinear"] != COUNTS["multidegree"]
    return Found("holds" if right else "refuted", tuple(f"{name} {number} of 375" for name, number in COUNTS.items()))
