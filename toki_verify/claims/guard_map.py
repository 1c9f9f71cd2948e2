"""The guard map (TOKI 2026: Theorem 1, Table 3, Table 23): which level excludes which phenomenon, in which reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..levels import Family, Level, families
from ..phenomena.catalogue import catalogue, phenomenon
from ..search.witness import Bounds
from .cells import Cell, Cells
from .seed import NINE, SIX, says_excluded


@dataclass(frozen=True)
class GuardMap:
    """The cells of phenomena × levels of one family, row by row."""

    family: str
    phenomena: tuple[str, ...]
    levels: tuple[str, ...]
    cells: tuple[Cell, ...]

    def cell(self, name: str, level: str) -> Cell:
        """One cell."""
        return next(cell for cell in self.cells if (cell.phenomenon, cell.level) == (name, level))

    def guards(self, name: str) -> tuple[str, ...] | None:
        """The weakest levels that exclude a phenomenon; none of them: (); None while a cell is undecided."""
        row = {cell.level: cell for cell in self.cells if cell.phenomenon == name}
        known = families().get(self.family)
        ids = _ids(self.family) if known else set()
        variants = {level.id for level in known.levels if level.variant} if known else set()
        if any(cell.verdict == "undecided" for level, cell in row.items() if level not in variants):
            return None
        excluding = [level for level, cell in row.items() if cell.verdict == "excluded"]
        # A joined level such as SR+cb is above its parts.
        kept = [level for level in excluding if level in ids or not set(level.split("+")) & set(excluding)]
        if known is None:
            return tuple(kept)
        # The variants of a level ([G]) say where else it is excluded; the guard is a level proper where there is one.
        kept = [level for level in kept if level not in variants] or kept
        return tuple(
            level
            for level in kept
            if not any(
                other in ids and level in ids and other in known.under(known.level(level))
                for other in kept
                if other != level
            )
        )

    @property
    def agreeing(self) -> tuple[int, int]:
        """How many cells agree with the seed, and how many it speaks of."""
        said = [cell for cell in self.cells if cell.seed is not None]
        return sum(cell.agrees is True for cell in said), len(said)


def _ids(family: str) -> set[str]:
    return {level.id for level in families()[family].levels}


def guard_map(
    family: str = "graph",
    *,
    phenomena: Iterable[str] = NINE,
    levels: Iterable[str] | None = None,
    bounds: Bounds | None = None,
    solver: str = "z3",
    proof_seconds: float = 5.0,
    user: Family | None = None,
    cells: Cells | None = None,
    jobs: int = 1,
    progress: Callable[[str], None] = lambda text: None,
) -> GuardMap:
    """Decide every cell. By default the 9 × 6 cells of Grid.iso in the default family; in another family its levels.

    With several `jobs` rows are decided in that many processes; the result is the same.

    Raises UnknownName, Unfit, SolverMissing.
    """
    names = tuple(phenomenon(name).id for name in phenomena)
    if levels is None:
        levels = SIX if family == "graph" else [level.id for level in _levels(family, user)]
    specs = tuple(levels)
    checked = (bounds or Bounds()).checked()
    if jobs > 1 and cells is None:
        found = _rows_in_parallel(names, specs, family, (checked, solver, proof_seconds, user), jobs, progress)
    else:
        decider = cells or Cells(checked, solver=solver, proof_seconds=proof_seconds, user=user, progress=progress)
        found = [cell for name in names for cell in _row(decider, name, specs, family)]
    return GuardMap(family, names, specs, tuple(found))


def _row(cells: Cells, name: str, specs: tuple[str, ...], family: str) -> list[Cell]:
    return [cells.cell(name, spec, family, says_excluded(name, spec) if family == "graph" else None) for spec in specs]


Settings = tuple[Bounds, str, float, "Family | None"]


def _row_alone(name: str, specs: tuple[str, ...], family: str, settings: Settings) -> list[Cell]:
    bounds, solver, proof_seconds, user = settings
    return _row(Cells(bounds, solver=solver, proof_seconds=proof_seconds, user=user), name, specs, family)


def _rows_in_parallel(
    names: tuple[str, ...],
    specs: tuple[str, ...],
    family: str,
    settings: Settings,
    jobs: int,
    progress: Callable[[str], None],
) -> list[Cell]:
    """Rows share nothing but the instances of levels, so each is decided on its own."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    with ProcessPoolExecutor(jobs) as pool:
        rows = [pool.submit(_row_alone, name, specs, family, settings) for name in names]
        found = []
        try:
            for name, row in zip(names, rows, strict=True):
                progress(name)
                found += row.result()
        except KeyboardInterrupt:
            # A process in a solver would be waited for.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise
    return found


def _levels(family: str, user: Family | None) -> tuple[Level, ...]:
    known = {**families(), **({"user": user} if user else {})}
    return known[family].levels


def levels_of(family: str) -> list[str]:
    """The levels of a family that exclude anything: all but the one that every schedule has."""
    return [level.id for level in families()[family].levels if (family, level.id) != ("graph", "RU")]


def readings(name: str) -> list[str]:
    """Every reading of a phenomenon: the id itself, its variants in brackets, and what SEMANTICS §3 lists beside it."""
    listed = VARIANTS.get(name, ())
    return [name, *(other for other in catalogue() if other.startswith(f"{name}[")), *listed]


#: The variants of SEMANTICS §3 that have names of their own.
VARIANTS = {
    "P0": ("G0",),
    "P1": ("A1", "G1a", "G1b", "G1c"),
    "P2": ("A2",),
    "P3": ("A3", "G2"),
    "A5A": ("G-single",),
    "A5B": ("G2-item",),
}
