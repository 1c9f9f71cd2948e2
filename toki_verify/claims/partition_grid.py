"""The N2 grid of Table 23: three levels, four sizes of a partition, three degrees of contention: Grid.n2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ..events import Schedule
from ..events.kinds import INITIAL, Event, Item, Read, Write
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete
from .belief_drift import pinned
from .belief_programs import FOLDS, maintainers, rows
from .cells import Cell, Cells
from .model import Claim, Outcome, conjunction
from .partition_rates import CONTENTION, MEANS, MODELS, SCHEDULES, SIZES, counts, fits, half_tail
from .serial_oracle import PIN, executions, run_at, run_shows

LEVELS: Final = ("RC", "SI", "SR")
#: The grid says SR and means SR on the partition; both are decided.
BOTH: Final = (*LEVELS, PIN)


def padded(schedule: Schedule, size: int) -> Schedule:
    """The schedule in a partition of `size` rows: each transaction that reads or writes begins by reading the rows that
    nobody writes. Raises ValueError where the schedule has more rows, or rows of several partitions."""
    partitions = set(schedule.partitions.values())
    missing = size - len(schedule.partitions)
    if len(partitions) != 1 or missing < 0:
        raise ValueError(f"no partition of {size} rows: {schedule}")
    added = [Item("facts", f"more{number}") for number in range(1, missing + 1)]
    seen: set[str] = set()
    events: list[Event] = []
    for event in schedule.events:
        if isinstance(event, (Read, Write)) and event.txn not in seen:
            seen.add(event.txn)
            events += [Read(event.txn, item, INITIAL) for item in added]
        events.append(event)
    (partition,) = partitions
    return Schedule(events, partitions={**schedule.partitions, **dict.fromkeys(added, partition)})


@dataclass(frozen=True)
class Census:
    """Every execution of two revisions that read a whole partition and write a row each: how many, and how many of them
    are at a level, and at it and show N2."""

    executions: int
    at: tuple[tuple[str, int, int], ...]

    def __str__(self) -> str:
        levels = ", ".join(f"{level} {shown} of {count}" for level, count, shown in self.at)
        return f"{self.executions} executions; N2 at {levels}"


def census(size: int, written: tuple[str, str] | None = None) -> Census:
    """The two revisions in a partition of some size; `written` are their rows, by default the first two."""
    one, other = written or rows(2)
    fold = FOLDS["the winning belief"]
    scenario = maintainers((0,) * size, fold, ((one, 1), (other, 1)), "kept")
    found = list(executions(scenario.programs, scenario.initial))
    table = []
    for level in BOTH:
        at = [run for run in found if run_at(run, level, scenario.inside)]
        table.append((level, len(at), sum(run_shows(run, "N2", scenario.inside) for run in at)))
    return Census(len(found), tuple(table))


def embeds(cell: Cell) -> dict[int, bool]:
    """Whether the smallest schedule of a cell, in a partition of each size, is at the level and shows N2."""
    found = {}
    for size in SIZES if cell.witness is not None else ():
        assert cell.witness is not None
        reading = Concrete(padded(cell.witness, size))
        found[size] = reading.holds(parse_spec(cell.level).formula) and reading.holds(phenomenon("N2").formula)
    return found


@dataclass(frozen=True)
class GridCell:
    """One of the 36: whether some schedule at the level shows N2: "some", "never" or "undecided"."""

    level: str
    size: int
    contention: Fraction
    found: str

    @property
    def agrees(self) -> bool:
        """Whether it is as the grid has it: none at SR, some at RC and SI."""
        return self.found == ("never" if self.level == "SR" else "some")


def grid(decided: dict[str, Cell], pin: Outcome) -> Iterator[GridCell]:
    """The 36 cells. Where N2 is excluded, it is so by a proof for every size; where it is admitted, a schedule of every
    size shows it, and any contention above none has such a schedule among its own."""
    for level in LEVELS:
        cell = decided[level]
        sizes = embeds(cell)
        for size in SIZES:
            if cell.verdict == "excluded" and (level != "SR" or pin.verdict == "holds"):
                found = "never"
            elif sizes.get(size):
                found = "some"
            else:
                found = "undecided"
            for contention in CONTENTION:
                yield GridCell(level, size, contention, found)


def _grid(cells: Cells) -> Outcome:
    decided = {level: cells.cell("N2", level) for level in LEVELS}
    pin = pinned(cells, "C1.n2.pin")
    found = list(grid(decided, pin))
    agreeing = sum(cell.agrees for cell in found)
    lifted = cells.cell("N2[lifted]", "SR")
    whole = pinned(cells, "C1.n2.lifted")
    models = {name: fits(model) for name, model in MODELS.items()}
    fitting = [name for name, (fit, _) in models.items() if fit]
    every = len(SIZES) * len(CONTENTION) * SCHEDULES
    below = {level: mean for level, mean in MEANS.items() if mean < 1}
    evidence = (
        *(
            f"{level}: {cell.found} at each size {', '.join(map(str, SIZES))} and each contention"
            if all(other.found == cell.found for other in found if other.level == level)
            else f"{level}: {', '.join(f'{other.size}: {other.found}' for other in found if other.level == level)}"
            for level, cell in {cell.level: cell for cell in found}.items()
        ),
        *(f"the smallest at {level}: {cell.witness}" for level, cell in decided.items() if cell.witness is not None),
        *(f"two revisions of different rows, {size} rows: {census(size)}" for size in SIZES),
        f"two revisions of one row, 2 rows: {census(2, ('m1', 'm1'))}",
        "on paper: a row that nobody writes has one version, so it makes no edge, whatever the size",
        f"C1.n2.pin: {pin.verdict}: {pin.detail}",
        f"N2[lifted] at SR on rows: {lifted.verdict}"
        + ("" if lifted.witness is None else f" by {lifted.witness}")
        + f"; with the partition as the item: {whole.verdict}",
        *(f"RC and SI, where {name}: {said}" for name, (_, said) in models.items()),
        *(
            f"the printed mean {float(mean)} of {level} is {' or '.join(map(str, counts(mean)))} of {every}; a "
            f"census with shares 1/2, 3/4, 1 would be {sum(CONTENTION, Fraction(0)) / len(CONTENTION) * every}"
            for level, mean in MEANS.items()
        ),
        f"RC, size 2, half contention, 104 of 200: so far from 100 or farther with probability {half_tail():.3f} if "
        "each schedule has N2 with probability 1/2; a census of exact halves has 100",
        "left open: what contention is, which schedules are enumerated, what a seed does in a census; Table 23 names "
        "Corollary 2 for this grid, N2 is Corollary 1",
    )
    detail = (
        f"{agreeing} of 36 cells are as printed, read as: some schedule of the cell shows N2, or none does: "
        "SR by proofs for every size, RC and SI by schedules of every size. Rates: printed means below 1.00 at "
        f"{', '.join(below)} are no 'exact 0.00/1.00 admit boundary' (Table 23), and no census 'without sampling "
        f"error' has 104 of 200 at one half; as a sample they fit: {'; '.join(fitting) or 'no model tried'}"
    )
    undecided = [cell for cell in found if cell.found == "undecided"]
    if undecided or "undecided" in (lifted.verdict, whole.verdict):
        verdict = "undecided"
    elif agreeing < len(found):
        verdict = "refuted"
    else:
        verdict = "depends" if below else "holds"
    parts = conjunction([("C1.n2.pin", pin), ("C1.n2.lifted", whole)], "")
    used = (*decided.values(), lifted)
    proofs = {proof.id: proof for cell in used for proof in cell.proofs} | {proof.id: proof for proof in parts.proofs}
    instances = dict(parts.instances)
    for cell in used:
        instances |= dict(cell.instances)
    return Outcome(
        verdict,
        "proof",
        detail,
        tuple(proofs.values()),
        tuple(dict.fromkeys(cell.witness for cell in used if cell.witness is not None)),
        repair="read 0.00 and 1.00 as 'none' and 'some'; define contention, and print counts with their intervals",
        bound="none at SR: every size; at RC and SI: schedules of the four sizes",
        evidence=evidence,
        instances=instances,
        smallest=dict(cell.smallest for cell in used if cell.smallest is not None),
    )


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "Grid.n2",
        "TOKI 2026, Table 23 (N2 partition), Appendix E.4",
        "3 levels × partitions of 2, 4, 8, 16 rows × contention 1/2, 3/4, 1: no schedule at SR on the partition shows "
        "N2, schedules at RC and SI do",
        "a cell as the statement that some schedule of it shows N2, or none; N2 in the default reading, in the "
        "pinned partition; rates as the probability that a schedule has the pattern, in several models of contention",
        _grid,
    ),
)
