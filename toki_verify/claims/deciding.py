"""Every claim decided, by as many processes as there are cores: again from stored proofs, or from nothing.

From stored proofs no solver is asked: what a directory of proofs holds takes the place of searches, as in
`prove --recheck`, which alone checks the certificates. From nothing the map of all readings is the long part; its rows
share nothing, so each is a unit of work. Claims that share cells, or histories that a module keeps, are one unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final

from ..events import Problem
from ..levels import families
from ..search.witness import Bounds
from .cells import Cell, Cells
from .current import STANDS
from .guard_map import levels_of, readings
from .ledger import Row, row_of
from .manifest import Manifest, ManifestError, digest, read_regular
from .model import Claim
from .registry import claims
from .seed import NINE
from .stored import StoredCells, from_directory, listed, parsed, schedules

#: Up to how many events the readings of phenomena are searched: those that nothing excludes or shows stay undecided.
READING_EVENTS: Final = 8
#: Claims about the cells of the guard map: one unit, since they share them.
_CELLS: Final = ("T1", "W", "Prop3", "Grid.iso", "T4.iso", "L2")
_READING: Final = "T1.reading"
#: Claims that take half a minute or more each, and how many others are a handful.
_MINUTES: Final = frozenset({"L1.n1", "L1.transfer"})
_HANDFUL: Final = 5
#: Readings and claims that take longest from nothing, the longest first: begun first, so that none is left at the end.
_LONG: Final = (
    "N2[lifted]",
    "N2",
    "N2[printed]",
    "P3[skew]",
    "A2",
    "A3",
    "G-single",
    "P2[G-single]",
    "G2",
    "A5A",
    "T1",
)


@dataclass(frozen=True)
class Settings:
    """How claims are decided: up to how many events, for how many seconds per obligation and solver, by whom."""

    events: int = 10
    seconds: float = 10.0
    solver: str = "z3"


@dataclass(frozen=True)
class Unit:
    """Claims that one process decides; `directory` is where their proofs are, "" where there are none. A `reading` is a
    row of the map of readings, in every family."""

    name: str
    ids: tuple[str, ...] = ()
    directory: str = ""
    reading: str = ""


@dataclass
class DecidedCells(Cells):
    """Cells that were decided elsewhere, by phenomenon, level and family."""

    decided: Mapping[tuple[str, str, str], Cell] = field(default_factory=dict)

    def cell(self, name: str, spec: str, family: str = "graph", seed: bool | None = None) -> Cell:
        found = self.decided.get((name, spec, family))
        return super().cell(name, spec, family, seed) if found is None else replace(found, seed=seed)


def directories(proofs: Path) -> list[Path]:
    """The directories of proofs at and directly below a path."""
    return [
        path.parent for path in (proofs / "manifest.toml", *sorted(proofs.glob("*/manifest.toml"))) if path.exists()
    ]


def takes_long(ids: Iterable[str]) -> bool:
    """Whether to decide these claims from nothing may take minutes: unless they are a handful, none of them over all
    readings or among the few that search for long by themselves."""
    found = list(ids)
    return len(found) > _HANDFUL or any(_is_reading(id) or id in _MINUTES for id in found)


def units(wanted: Iterable[Claim], proofs: Iterable[Path] = ()) -> list[Unit]:
    """What is to be done, the longest first. Claims that no directory of proofs has are decided from nothing.

    Raises ManifestError, OSError.
    """
    left = {claim.id: claim for claim in wanted}
    found: list[Unit] = []
    for directory in proofs:
        manifest = Manifest.read(directory)
        groups: dict[str, list[str]] = {}
        for id in [id for id in left if id in manifest.claims]:
            # To read the proofs of the map of readings takes longer than to decide its claims.
            groups.setdefault(_READING if id.startswith(_READING) else _group(id), []).append(id)
            del left[id]
        found += [Unit(f"{name} of {directory}", tuple(ids), str(directory)) for name, ids in groups.items()]
    if any(_is_reading(id) for id in left):
        names = [reading for name in NINE for reading in readings(name)]
        found += [Unit(f"{_READING} {name}", reading=name) for name in names]
    rest: dict[str, list[str]] = {}
    for id in left:
        if not _is_reading(id):
            rest.setdefault(_group(id), []).append(id)
    found += [Unit(name, tuple(ids)) for name, ids in rest.items()]
    return sorted(found, key=_order)


def _is_reading(id: str) -> bool:
    return id == _READING or id.startswith(f"{_READING}.")


def _group(id: str) -> str:
    if any(id == name or id.startswith(f"{name}.") for name in _CELLS):
        return "W.N3" if id.startswith("W.N3") else "T1"
    return id if id.startswith("Grid.") else id.split(".")[0]


def _order(unit: Unit) -> tuple[int, int]:
    name = unit.reading or unit.name
    return (_LONG.index(name) if name in _LONG else len(_LONG), -len(unit.ids))


def decide(
    wanted: Sequence[Claim],
    *,
    proofs: Iterable[Path] = (),
    settings: Settings | None = None,
    jobs: int = 1,
    progress: Callable[[str], None] = lambda text: None,
) -> Iterator[Row]:
    """The rows of claims, in the order in which they are done; with several `jobs` in that many processes.

    Raises ManifestError, OSError, SolverMissing.
    """
    how = settings or Settings()
    work = units(wanted, proofs)
    stored = {id for unit in work if unit.directory for id in unit.ids}
    cells: dict[tuple[str, str, str], Cell] = {}
    for done, (unit, found) in enumerate(_run(work, how, jobs), 1):
        progress(f"{done} of {len(work)}: {unit.name}")
        for entry in found:
            if isinstance(entry, Row):
                yield entry
            else:
                cells[entry.phenomenon, entry.level, entry.family] = entry
    if cells:
        took = sum(cell.seconds for cell in cells.values())
        decided = DecidedCells(Bounds(READING_EVENTS), decided=cells)
        for claim in wanted:
            if _is_reading(claim.id) and claim.id not in stored:
                family = claim.id.removeprefix(f"{_READING}.")
                of_family = sum(cell.seconds for cell in cells.values() if cell.family == family)
                yield row_of(claim, claim.decide(decided), of_family if family in families() else took)


def _run(work: list[Unit], settings: Settings, jobs: int) -> Iterator[tuple[Unit, list[Row | Cell]]]:
    if jobs == 1 or len(work) < 2:
        for unit in work:
            yield unit, run_unit(unit, settings)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import active_children, get_context

    # Spawned, not forked: a fork copies the threads' locks of the solvers, but not their threads.
    with ProcessPoolExecutor(min(jobs, len(work)), mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(run_unit, unit, settings): unit for unit in work}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            # A process in a solver would be waited for.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def run_unit(unit: Unit, settings: Settings) -> list[Row | Cell]:
    """One unit of work; the cells of a process are kept for the next one."""
    if unit.reading:
        return _reading(unit.reading, settings)
    if unit.directory:
        return _stored(unit)
    cells = _cells(settings)
    found: list[Row | Cell] = []
    for id in unit.ids:
        begun = monotonic()
        outcome = claims()[id].decide(cells)
        found.append(row_of(claims()[id], outcome, monotonic() - begun))
    return found


@cache
def _cells(settings: Settings, events: int | None = None) -> Cells:
    return Cells(Bounds(events or settings.events), solver=settings.solver, proof_seconds=settings.seconds)


def _reading(name: str, settings: Settings) -> list[Row | Cell]:
    cells = _cells(settings, READING_EVENTS)
    found: list[Row | Cell] = []
    for family in STANDS:
        for spec in levels_of(family):
            begun = monotonic()
            cell = cells.cell(name, spec, family)
            found.append(replace(cell, seconds=monotonic() - begun))
    return found


@cache
def stored_cells(directory: str) -> tuple[Manifest, StoredCells]:
    """What a directory of proofs holds, if its files are those that it lists. Raises ManifestError, OSError."""
    path = Path(directory)
    manifest = Manifest.read(path)
    _intact(path, manifest)
    try:
        return manifest, from_directory(path)
    except (ValueError, KeyError) as error:
        expected = "what `toki-verify prove` of this version writes: run it again"
        raise ManifestError(Problem(str(error)[:200], expected, "proofs", file=str(path / "manifest.toml"))) from None


def _stored(unit: Unit) -> list[Row | Cell]:
    """Claims decided again. Of several schedules of one size any may refute a claim: its own are tried first."""
    manifest, cells = stored_cells(unit.directory)
    pool = schedules(manifest)
    found: list[Row | Cell] = []
    for id in unit.ids:
        entry = manifest.claims[id]
        cells.seen = (*parsed([*listed(entry), *entry.witnesses]), *pool)
        found.append(row_of(claims()[id], claims()[id].decide(cells), entry.seconds))
    return found


def _intact(directory: Path, manifest: Manifest) -> None:
    """Every listed file is there, as it was written. Raises ManifestError."""
    for name, sha256 in _files(manifest):
        path = directory / name
        expected = f"the file of sha256 {sha256[:16]}… that the manifest lists"
        try:
            inside = path.resolve().is_relative_to(directory.resolve())
            what = "" if inside and digest(read_regular(path)) == sha256 else "it was changed since it was written"
        except OSError as error:
            what = error.strerror or "it cannot be read"
        if what:
            raise ManifestError(Problem(what, expected, "proofs", file=str(path)))


def _files(manifest: Manifest) -> Iterator[tuple[str, str]]:
    stored = [entry.obligations for entry in manifest.proofs.values()]
    stored += [entry.obligations for entry in manifest.equations.values()]
    for obligations in stored:
        for part in obligations:
            yield part.file, part.sha256
            if part.certificate:
                yield part.certificate, part.certificate_sha256
    for minimal in manifest.minimal.values():
        for file in (*minimal.cnf, *minimal.drat):
            yield file.path, file.sha256
