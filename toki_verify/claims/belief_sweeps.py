"""Every small case of Corollary 1's programs, as printed and repaired: which executions break I at which level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

from .belief_programs import CACHE, FOLDS, Scenario, guarded, maintainers, query, rows, start
from .belief_readings import LEVELS
from .serial_oracle import executions, run_at, run_shows, serial_oracle


def _confidences(count: int, most: int) -> Iterator[tuple[int, ...]]:
    return product(range(most + 1), repeat=count)


def printed_cases(revisions: int, most: int) -> Iterator[Scenario]:
    """T_q and so many revisions of different rows, as printed, on every consistent partition of up to three rows with
    confidences up to `most`, with either meaning of ⊕p."""
    for fold, count in product(FOLDS.values(), range(revisions, 4)):
        for given, chosen in product(_confidences(count, most), combinations(rows(count), revisions)):
            for new in _confidences(revisions, most):
                found = maintainers(given, fold, tuple(zip(chosen, new, strict=True)), "kept")
                yield Scenario((query(count, fold), *found.programs), found.initial, found.inside, fold)


def maintained_cases(writers: int, most: int, cache: str = "on change") -> Iterator[Scenario]:
    """That many revisions, each of a row of its own, that re-derive f_bc (on change, or always)."""
    for fold, count in product(FOLDS.values(), range(writers, 4)):
        for given, new in product(_confidences(count, most), _confidences(writers, most)):
            yield maintainers(given, fold, tuple(zip(rows(count), new, strict=False)), cache)


def guarded_cases(most: int) -> Iterator[Scenario]:
    """T_q on any cache, and a T_w that is guarded by it; f_bc is a row of the partition."""
    for fold, count in product(FOLDS.values(), (1, 2, 3)):
        caches = dict.fromkeys(start(given, fold)[CACHE] for given in _confidences(count, most))
        for given, confidence, cold in product(_confidences(count, most), range(most + 1), caches):
            yield guarded(given, fold, rows(count)[-1], confidence, cold).with_cache_inside()


@dataclass
class Sweep:
    """What became of many cases: in how many some serial order breaks I; and of the others, in how many some execution
    does, how many of these executions are at each level, and how many of those at SI show A5B."""

    cases: int = 0
    broken_serially: int = 0
    anomalous: int = 0
    executions: int = 0
    at: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LEVELS, 0))
    skewed: int = 0

    def __add__(self, other: Sweep) -> Sweep:
        return Sweep(
            self.cases + other.cases,
            self.broken_serially + other.broken_serially,
            self.anomalous + other.anomalous,
            self.executions + other.executions,
            {level: self.at[level] + other.at[level] for level in LEVELS},
            self.skewed + other.skewed,
        )

    @property
    def is_repair(self) -> bool:
        """Whether every serial order keeps I, SI breaks it in some case, always by write skew, SR and its pin never."""
        *_, weaker, pinned, serial = (self.at[level] for level in LEVELS)
        return not self.broken_serially and weaker > 0 and self.skewed == weaker and pinned == serial == 0


def sweep(cases: Iterable[Scenario], invariant: str = "in the final state") -> Sweep:
    """Every execution of every case, at every level."""
    found = Sweep()
    for scenario in cases:
        keeps = scenario.invariants()[invariant]
        found.cases += 1
        if serial_oracle(scenario.programs, scenario.initial, keeps).broken:
            found.broken_serially += 1
            continue
        before = dict(found.at)
        for run in executions(scenario.programs, scenario.initial):
            found.executions += 1
            if keeps(run):
                continue
            for level in LEVELS:
                found.at[level] += run_at(run, level, scenario.inside)
            if run_at(run, "SI", scenario.inside):
                found.skewed += run_shows(run, "A5B", scenario.inside)
        found.anomalous += found.at != before
    return found
