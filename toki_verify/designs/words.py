"""Why a run shows what a cell asks: in words, and the events that make it so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..checker import check
from ..events import Schedule
from ..explain.words import txn_name
from ..phenomena.catalogue import catalogue
from ..relations.concrete import Concrete
from ..search.shrink import shrink
from ..verdict import Verdict as Checked
from .cells import FINAL, HANG, broken_beliefs
from .facets import FACETS, erased
from .model import PARTS
from .review import CellResult
from .runs import Lost, Run
from .values import Row

#: Candidates that are tried to shrink a run to its core.
CORE: Final = 2_000


@dataclass(frozen=True)
class Told:
    """The words, and positions of events in the run's schedule. `what` ends the text where several cells can be told in
    one sentence that differs in it alone."""

    text: str
    events: tuple[int, ...] = ()
    what: str = ""


class Teller:
    """Explains cells; a schedule is checked once."""

    def __init__(self) -> None:
        self._checked: dict[int, Checked] = {}

    def checked(self, run: Run) -> Checked:
        """The verdict of the one checker on the run's schedule."""
        found = self._checked.get(id(run))
        if found is None:
            found = self._checked[id(run)] = check(run.schedule)
        return found

    def core(self, result: CellResult) -> Schedule | None:
        """The events alone that make an admitted phenomenon, shrunk as far as single simplifications go: no run of the
        design any more, but what is the matter with it. None for what is no formula over schedules."""
        if result.found is None or result.cell.id not in catalogue():
            return None
        formula = catalogue()[result.cell.id].formula
        return shrink(
            result.found.straight.schedule, lambda schedule: Concrete(schedule).holds(formula), candidates=CORE
        )

    def tell(self, result: CellResult) -> Told:
        """Why an admitted cell is admitted. Raises ValueError for another one."""
        if result.found is None:
            raise ValueError(f"{result.cell.id} is not admitted")
        name, run = result.cell.id, result.found.straight
        if name in catalogue():
            evidence = self.checked(run).findings[name].evidence
            if evidence is None:
                raise AssertionError(f"{name} is not present in the run that was kept for it")
            return Told(evidence.text, tuple(evidence.events))
        if name == "N1[replay]":
            return _replay(run)
        if name.startswith("N3["):
            return _erasure(run, name)
        if name == FINAL:
            return Told(f"it ends with {_state(run)}; no serial execution of the same writers does")
        if name == HANG:
            return Told(f"{run.machine.hung}. The run goes on here as if one of them had been aborted; yours would not")
        if name == "N2[state]":
            broken = ", ".join(broken_beliefs(run))
            return Told(f"{broken} is false at the end, with {_state(run)}; after every serial execution it is true")
        return Told(f"it is false at the end, with {_state(run)}")


def _replay(run: Run) -> Told:
    calls: dict[tuple[str, str, str], list[tuple[int, object]]] = {}
    for position, record in enumerate(run.history):
        if record.what == "j":
            writer = record.txn.split(".")[0]
            calls.setdefault((writer, *record.more[:2]), []).append((position, record.more.vote))
    for (writer, reads, theta), found in calls.items():
        votes = [vote for _, vote in found]
        if len(set(votes)) > 1:
            answers = ", then ".join(map(str, votes))
            return Told(
                f"writer {writer} asked at ({reads}, {theta}), had to begin anew, and asked again though the facts "
                f"were the same: the judge said {answers}",
                tuple(position for position, _ in found),
            )
    raise AssertionError("no call is repeated in the run that was kept for it")


def _erasure(run: Run, name: str) -> Told:
    facet, _, part = name[3:].partition("]@")
    facet = facet.removesuffix("]")
    surface = part or PARTS[-1]
    lost = erased(run, facet, surface)
    if lost is None:
        raise AssertionError(f"nothing is lost in the run that was kept for {name}")
    rows = "no row that the store keeps" if not part else f"no row up to {part} ones"
    return Told(f"{_lost(run, lost)}; {rows} says ", _events(run, lost), FACETS[facet])


def _lost(run: Run, lost: Lost) -> str:
    winners = ", ".join(_row(run, row) for row in lost.winners)
    return f"{txn_name(lost.txn)} replaced {_row(run, lost.row)}" + (f" by {winners}" if winners else "")


def _events(run: Run, lost: Lost) -> tuple[int, ...]:
    return tuple(
        position
        for position, record in enumerate(run.history)
        if record.what == "w" and record.txn == lost.txn and record.place == (lost.row.table, lost.row.key)
    )


def _row(run: Run, row: Row) -> str:
    table = run.described.tables[row.table]
    said = ", ".join(f"{name}={value}" for name, value in table.content_of(row).items())
    where = table.partition_of(row)
    return f"{'' if where is None else '.'.join(where) + '/'}{row.key}@{row.version} ({said})"


def _state(run: Run) -> str:
    rows = [
        _row(run, row)
        for name, found in run.state.items()
        if run.described.tables[name].part == "current"
        for row in found.values()
    ]
    return " and ".join(rows) or "no fact at all"
