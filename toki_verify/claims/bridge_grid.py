"""Grid.bridge: random schedules over Σ⁺ and their images (TOKI 2026, Table 23, Lemma bridge)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..bridge.image import image
from ..bridge.keys import judge_row
from ..bridge.pullback import CALLBACK_LOG, JUDGE_LOG
from ..events import Callback, Judge, Schedule
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete
from ..relations.edges import EDGES
from ..relations.formulas import Region, Within
from .bridge_draws import LENGTH, drawn
from .cells import Cells
from .lemma_1_questions import KINDS
from .model import Claim, Outcome

_TRIALS: Final = 1_000
_CHECKS: Final = ("alphabet", "edges", "keys", "N1 ⇔ P2 on the row")
_P2_ON_LOG: Final = Within(phenomenon("P2").formula, Region(table=JUDGE_LOG))


def edges_of(schedule: Schedule, place: dict[int, int]) -> set[tuple[object, ...]]:
    """The edges between operand accesses, by kind, as pairs of events of S (`place` maps events to those) and items."""
    concrete = Concrete(schedule)
    found: set[tuple[object, ...]] = set()
    for kind in KINDS:
        for i, row in enumerate(concrete.term(EDGES[kind])):
            for j in range(len(concrete.accesses)):
                one, other = concrete.accesses[i], concrete.accesses[j]
                tables = {access.item.table for access in (one, other) if access.item is not None}
                if row >> j & 1 and not tables & {JUDGE_LOG, CALLBACK_LOG}:
                    found.add((kind, place.get(one.event), place.get(other.event), one.item, other.item))
    return found


def passed(schedule: Schedule) -> Iterator[bool]:
    """Which of the four checks of Table 23 a schedule passes."""
    made = image(schedule)
    if made.schedule is None:
        raise ValueError(f"no image: {schedule}")
    yield not any(isinstance(event, (Judge, Callback)) for event in made.schedule.events)
    place = {step.target: step.source for step in made.steps if step.target is not None and step.source is not None}
    yield edges_of(schedule, {n: n for n in range(len(schedule))}) == edges_of(made.schedule, place)
    calls = [event for event in schedule.events if isinstance(event, Judge)]
    rows = [event.item for event in made.schedule.events if not isinstance(event, Callback) and hasattr(event, "item")]
    keys = {event.key for event in calls}
    yield all(rows.count(judge_row(key)) == sum(event.key == key for event in calls) for key in keys)
    n1 = Concrete(schedule).holds(phenomenon("N1").formula)
    yield n1 == Concrete(made.schedule).holds(_P2_ON_LOG)


def _grid(cells: Cells) -> Outcome:
    lines, rates, witnesses = [], {}, []
    for obedient in (False, True):
        schedules = [drawn(seed, obedient=obedient) for seed in range(_TRIALS)]
        results = [tuple(passed(schedule)) for schedule in schedules]
        counts = [sum(column) for column in zip(*results, strict=True)]
        shown = sum(Concrete(schedule).holds(phenomenon("N1").formula) for schedule in schedules)
        model = "later calls return the first vote" if obedient else "every vote is drawn"
        rates[obedient] = counts
        said = ", ".join(f"{name} {count}" for name, count in zip(_CHECKS, counts, strict=True))
        lines.append(f"{model}: of {_TRIALS} pass {said}; {shown} show N1")
        failing = [schedule for schedule, result in zip(schedules, results, strict=True) if not all(result)]
        witnesses += failing[:1]
    structural = all(counts[:3] == [_TRIALS] * 3 for counts in rates.values())
    equation = [counts[3] == _TRIALS for counts in rates.values()]
    detail = (
        f"alphabet, edges of operand tables and keys: {'all' if structural else 'not all'} pass. N1 ⇔ P2 on the row: "
        f"{rates[False][3]} of {_TRIALS} where votes are drawn freely; {rates[True][3]} where later calls return the "
        "first vote, and there N1 never comes, so that rate says nothing of the equation"
    )
    verdict = "refuted" if not structural or not any(equation) else "holds" if all(equation) else "depends"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=tuple(witnesses),
        bound=f"{_TRIALS} drawn schedules of length {LENGTH}, seeds 0 to {_TRIALS - 1}, in each of two models of votes",
        evidence=tuple(lines),
    )


CLAIMS: Final = (
    Claim(
        "Grid.bridge",
        "TOKI 2026, Table 23 (Lemma bridge)",
        f"of {_TRIALS} random schedules over Σ⁺ of length {LENGTH}, π_J keeps alphabet, edges and keys, and N1 ⇔ P2 on "
        "the row",
        "the generator is not printed: three transactions, two items, two keys; votes drawn, or those of the row",
        _grid,
    ),
)

__all__ = ["CLAIMS", "edges_of", "passed"]
