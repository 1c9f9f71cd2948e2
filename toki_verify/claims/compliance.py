"""H1 compliance of the systems of tables, in its readings, and what Theorem 5 asks of a system without saying so.

A hypothesis is needed where a system that fails it alone is not compliant and never shows N1; a list of them is
complete where no such system meets them all. TOKI 2026, Theorem 5, Definition 6, Corollary 4, Remark 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Final

from ..events import Schedule
from .judge_histories import returned_other, unpaired
from .judge_reach import Reached, invariant, reach
from .judge_systems import BOTH, FULL, NAMED, Environment, System, extended, family, has_hook, one_insert
from .judged import yes

Predicate = Callable[[System], bool]


def reached(system: System, environment: Environment = FULL) -> Reached:
    """What a system reaches; where its rows are kept makes no difference to that, nor which vote is called 0."""
    return reach(one_name(system), environment)


@cache
def one_name(system: System) -> System:
    """One of the systems that reach the same: with rows in judge_log, and the votes named either way."""
    kept = replace(system, store="judge_log")
    return min(kept, kept.renamed, key=str)


def _in_log(system: System) -> bool:
    """Whether its votes are logged in judge_log, if it has any."""
    return system.store == "judge_log" or not system.writes or not reached(system).judged


#: Definition 6, read as an invariant of histories (with the row committed before the operator, or with it at the
#: latest; and of later calls: that they return the row that they saw, or every row that was committed before them), or
#: as a hook of the operator surface.
COMPLIANCE: Final[dict[str, Predicate]] = {
    "row before the operator's commit": lambda system: reached(system).strict and _in_log(system),
    "row by the operator's commit": lambda system: reached(system).weak and _in_log(system),
    "row before the operator's commit, later calls return it": lambda system: (
        reached(system).strict_return and _in_log(system)
    ),
    "row by the operator's commit, later calls return it": lambda system: (
        reached(system).weak_return and _in_log(system)
    ),
    "the surface has the hook": has_hook,
}


def _own_insert(system: System, means: str) -> bool:
    """Whether one insert per key is what a system has, and by which means."""
    if not one_insert(system) or system.absent != "ask":
        return False
    if system.store == "elsewhere":
        return means == "elsewhere"
    if {system.row_0, system.row_1} & {"ask", "flip"}:
        return means == "unconsulted"
    return means == ("with" if system.place == "with" else "hook")


@dataclass(frozen=True)
class Hypothesis:
    """Something that Theorem 5 needs: `said` tells where the paper states it, if it does."""

    name: str
    words: str
    said: str
    met: Predicate


HYPOTHESES: Final = (
    Hypothesis(
        "judges",
        "every contradiction is put to the judge and acted on",
        "",
        lambda s: s.absent not in ("skip", "abort"),
    ),
    Hypothesis(
        "online", "the vote is the oracle's, asked in the call", "Remark 4", lambda s: s.absent not in ("0", "1")
    ),
    Hypothesis(
        "recurs",
        "a second call finds the key of the first: no nonce or time in (R, θ)",
        "",
        lambda s: s.key == "recurs",
    ),
    Hypothesis(
        "nowhere else", "no keyed store but judge_log", "Corollary 4", lambda s: not _own_insert(s, "elsewhere")
    ),
    Hypothesis(
        "consults",
        "no unique key that makes the row win although the oracle was asked again",
        "Corollary 4",
        lambda s: not _own_insert(s, "unconsulted"),
    ),
    Hypothesis(
        "not within",
        "no unique-key row in the operator's own transaction, whose loser aborts or adopts",
        "",
        lambda s: not _own_insert(s, "with"),
    ),
    Hypothesis(
        "serves",
        "no operator surface that judges a key once, by one insert, and refuses it afterwards",
        "",
        lambda s: not (_own_insert(s, "hook") and {s.row_0, s.row_1} & {"skip", "abort"}),
    ),
)


def smallest(systems: list[System]) -> System:
    """The system with the fewest entries that do something; of these the first by name."""
    return min(systems, key=lambda system: (system.size, str(system)))


@cache
def refuters(reading: str) -> tuple[System, ...]:
    """The systems that are not H1-compliant in a reading, and show N1 in no history."""
    compliant = COMPLIANCE[reading]
    return tuple(s for s in extended() if not compliant(s) and not reached(s).n1)


def needed(reading: str) -> dict[str, System]:
    """By hypothesis: the smallest refuter that fails it alone. A hypothesis that no refuter fails alone is missing."""
    found: dict[str, System] = {}
    for hypothesis in HYPOTHESES:
        alone = [s for s in refuters(reading) if [h for h in HYPOTHESES if not h.met(s)] == [hypothesis]]
        if alone:
            found[hypothesis.name] = smallest(alone)
    return found


def left_over(reading: str) -> list[System]:
    """Refuters that meet every hypothesis: none, if the list of hypotheses is complete."""
    return [system for system in refuters(reading) if all(hypothesis.met(system) for hypothesis in HYPOTHESES)]


def asking() -> list[System]:
    """Systems that ask the oracle where no row is, at a key that recurs."""
    return [system for system in family() if system.absent in ("ask", "twice")]


@dataclass(frozen=True)
class TwoKeys:
    """A system at two keys, and the oracle's votes there: a function of what it sees at κ is one at each κ."""

    systems: tuple[System, System]
    votes: tuple[frozenset[int], frozenset[int]]

    @property
    def bounded(self) -> bool:
        """Definition 5: some input has two votes."""
        return BOTH in self.votes

    def at(self, key: int) -> Reached:
        """What it reaches at one of the keys."""
        return reach(self.systems[key], FULL, self.votes[key])

    @property
    def compliant(self) -> bool:
        """H1 with rows before commits, at both keys, whatever the oracle says there."""
        return all(reach(system, FULL).strict for system in self.systems)


def two_keys() -> list[TwoKeys]:
    """The three named systems at each of two keys, and the oracles with one or both votes at each."""
    oracles = list(product((frozenset({0}), frozenset({1}), BOTH), repeat=2))
    pairs = list(product(NAMED.values(), repeat=2))
    return [TwoKeys((one, other), (votes, more)) for one, other in pairs for votes, more in oracles]


def h1(schedule: Schedule) -> str:
    """What a history has of H1, in words."""
    return (
        f"a row before each commit: {yes(not unpaired(schedule))}, by it: {yes(not unpaired(schedule, by=True))}, "
        f"returned by later calls: {yes(not returned_other(schedule))}"
    )


def repaired_faults() -> list[System]:
    """Asking systems at which the repaired statement, or its converse, is false; or the invariant says other than
    it."""
    return [s for s in asking() if len({one_insert(s), not reached(s).n1, invariant(s)}) > 1]
