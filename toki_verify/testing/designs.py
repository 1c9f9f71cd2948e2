"""Designs in tests: `assert_design(MyMemory).excludes("N1", "N3")`."""

from __future__ import annotations

from ..designs.model import Described, Design
from ..designs.review import CellResult, Review
from ..designs.verify import Verifier
from ..phenomena.catalogue import UnknownName


class DesignAssertion:
    """A design whose runs have been explored. `review` is everything that is known of it."""

    def __init__(self, review: Review) -> None:
        self.review = review

    def excludes(self, *names: str) -> DesignAssertion:
        """Every one of these cells is excluded, in all runs of the bound.

        Raises AssertionError with the smallest run that shows one that is not, UnknownName for a name that is no cell.
        A cell that is undefined or undecided is not excluded.
        """
        __tracebackhide__ = True
        wrong = [found for found in self._results(names) if found.verdict != "excludes"]
        if wrong:
            raise AssertionError("\n".join(self._said(found) for found in wrong))
        return self

    def admits(self, *names: str) -> DesignAssertion:
        """Every one of these cells is admitted: some run shows it. Raises as `excludes` does."""
        __tracebackhide__ = True
        wrong = [found for found in self._results(names) if found.verdict != "admits"]
        if wrong:
            raise AssertionError("\n".join(self._said(found) for found in wrong))
        return self

    def _results(self, names: tuple[str, ...]) -> list[CellResult]:
        if not names:
            raise ValueError("no cell is named: excludes('N1', 'N3')")
        known = {name.casefold(): found for name, found in self.review.results.items()}
        for name in names:
            if name.casefold() not in known:
                raise UnknownName("cell", name, list(self.review.results))
        return [known[name.casefold()] for name in names]

    def _said(self, result: CellResult) -> str:
        from ..designs.words import Teller

        head = f"{self.review.described.name} {result.verdict} {result.cell.id} ({result.cell.title})"
        if result.found is None:
            return f"{head}: {result.reason}"
        from ..report.design_lanes import design_lanes

        told = Teller().tell(result)
        schedule = result.found.straight.schedule
        marks = {position: result.cell.id for position in told.events}
        picture = design_lanes(schedule, 96, marks, result.found.straight.machine.crashed)
        return "\n".join([f"{head}: {told.text}{told.what}", *(f"  {row}" for row in picture)])


def assert_design(
    of: type[Design] | Design | Described, *, writers: int = 2, crashes: int = 1, seconds: float | None = None
) -> DesignAssertion:
    """Explore every run of a design up to so many writers and crashes; then say what it must exclude.

    Raises DesignError for a design that cannot be explored. Where `seconds` are over what is open is undecided.
    """
    return DesignAssertion(Verifier(of, seconds=seconds).verify(writers, crashes))
