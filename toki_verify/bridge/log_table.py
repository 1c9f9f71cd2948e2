"""The table of N1 by logging discipline and level (SEMANTICS §6): every combination, decided, and what excludes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from ..events import Schedule
from ..search.solvers import answers
from .disciplines import disciplines
from .log_invariants import Argument, argument, arguments
from .log_levels import CHAIN
from .log_search import FULL, PHENOMENA, REDUCED, Decided, decide_discipline
from .protocol import Bound

#: Bounds by name. `full` is what is reported; `reduced` is what tests compare with a second decider.
SIZES: Final = {"full": FULL, "reduced": REDUCED}
SECONDS: Final = 10.0
SOLVERS: Final = ("z3", "cvc5")


@cache
def checked(name: str) -> bool:
    """Whether no obligation of an argument has a model, say both solvers."""
    return all(
        answer.status == "unsat"
        for text in arguments()[name].obligations.values()
        for answer in answers(text, SECONDS, SOLVERS)
    )


@dataclass(frozen=True)
class Table:
    """Every discipline that does not contradict itself, in one reading of what a judge event stands for; and who is
    asked whether the obligations of an argument, by its name, have been proved."""

    reading: str
    bounds: dict[str, Bound]
    rows: dict[str, Decided]
    accepts: Callable[[str], bool] = field(default=checked, compare=False)

    def admits(self, spec: str, name: str = "N1", level: str = "SR") -> bool:
        """Whether a discipline admits a phenomenon at a level."""
        return self.rows[spec].admits(name, level)

    def witness(self, spec: str, name: str = "N1", level: str = "SR") -> Schedule | None:
        """The smallest history of a discipline that shows a phenomenon at a level."""
        return self.rows[spec].cells[name, level].schedule

    def highest(self, spec: str, name: str = "N1") -> str:
        """The highest level at which a discipline admits a phenomenon, or ""."""
        admitting = [level for level in CHAIN if self.admits(spec, name, level)]
        return admitting[-1] if admitting else ""

    def chosen(self, **choices: str) -> list[str]:
        """The specs with these choices."""
        return [
            spec
            for spec, row in self.rows.items()
            if all(getattr(row.discipline, name) == choice for name, choice in choices.items())
        ]

    def smallest(self, specs: Iterable[str], name: str = "N1", level: str = "SR") -> tuple[str, Schedule] | None:
        """The smallest history among several disciplines: fewest events, then transactions, then text."""
        found = [(spec, schedule) for spec in specs if (schedule := self.witness(spec, name, level)) is not None]
        if not found:
            return None
        return min(found, key=lambda pair: (len(pair[1]), len(pair[1].resolved.txns), str(pair[1]), pair[0]))

    def bound_text(self, recurs: str | None = None) -> str:
        """The bounds in words."""
        chosen = self.bounds if recurs is None else {recurs: self.bounds[recurs]}
        return "; ".join(f"{name}: {bound}" for name, bound in chosen.items())

    def proved(self, spec: str) -> Argument | None:
        """The invariant that excludes N1 of a discipline in histories of every size, if it has been proved."""
        reason = argument(self.rows[spec].discipline)
        return reason if reason is not None and self.accepts(reason.name) else None

    def how(self, spec: str, name: str, level: str) -> str:
        """How it is known that a discipline excludes N1 at a level, `proof` or `exhaustive`; "" if it does not."""
        if self.admits(spec, name, level):
            return ""
        reason = self.proved(spec) if self.reading == "returned" else None
        covers = (
            reason is not None
            and CHAIN.index(level) >= CHAIN.index(reason.level)
            and (reason.observed or name == PHENOMENA[0])
        )
        return "proof" if covers else "exhaustive"

    @property
    def states(self) -> int:
        """How many histories were looked at, up to what no definition can tell apart."""
        return sum(row.states for row in self.rows.values())


@cache
def table(reading: str = "returned", size: str = "full") -> Table:
    """The table in a reading within a bound; some ten seconds where the bound is `full`."""
    bounds = SIZES[size]
    rows = {str(found): decide_discipline(found, bounds[found.recurs], reading) for found in disciplines()}
    return Table(reading, bounds, rows)
