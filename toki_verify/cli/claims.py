"""`toki-verify claims`: the ledger: what each claim of the paper (TOKI) says, whether it is so, and what shows it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..phenomena.catalogue import UnknownName
from .common import print_problems, show, tell, use_utf8, width
from .main import BAD_INPUT, FOUND, OK, UNDECIDED
from .searching import MOST_SECONDS, refused, stage

if TYPE_CHECKING:
    from ..claims.deciding import Settings
    from ..claims.ledger import Row
    from ..claims.model import Claim

PROOFS = "proofs"
EPILOG = """\
IDS are ids of claims, prefixes (`T1.sound` names all of `T1.sound.φ.L`) or globs; without any, all claims. Claims that
the directory of proofs has are decided again from its proofs and schedules (`toki-verify prove --recheck` checks the
certificates, too); others, and with --fresh all, from nothing. Rows are kept in a cache until the code, the solvers or
the proofs change; --check uses no cache.

examples:
  toki-verify claims
  toki-verify claims T1.sound.N1.SR
  toki-verify claims "P2.*" -o json
  toki-verify claims --plots pictures/
  toki-verify claims --fresh --jobs 2 -o markdown > ledger.md
  toki-verify claims --check proofs/ledger.md

exit codes: 0 no claim that was asked for is refuted, or unknown (with --check: the file is the ledger, with every id);
1 one is refuted (with --check: it is not); 2 wrong usage, an input that cannot be read; 3 one is unknown
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("ids", nargs="*", metavar="IDS", help="claims, such as T1.sound, 'W.*' or Grid.iso")
    parser.add_argument(
        "-o", "--output", choices=("text", "json", "markdown"), default="text", help="the form of the result"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="text: everything that a row has")
    parser.add_argument(
        "--plots", metavar="DIR", help="write guard_map.svg, admit-rate.svg and requery-decay.svg there"
    )
    parser.add_argument(
        "--check", metavar="FILE", help="is this file the ledger (-o markdown), with every required id?"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="so many processes (default: one a core)")
    parser.add_argument("--fresh", action="store_true", help="decide from nothing: no stored proofs, no cached rows")
    parser.add_argument("--proofs", metavar="DIR", help=f"the directory of proofs (default: {PROOFS}, if it is there)")
    parser.add_argument("--cache", metavar="DIR", help="where rows are kept (default: in the user's cache directory)")
    parser.add_argument("--no-cache", action="store_true", help="keep no rows, and use none that were kept")
    parser.add_argument(
        "--seconds", type=float, default=10.0, metavar="S", help="per obligation and solver (default: 10)"
    )
    parser.add_argument("--max-events", type=int, default=10, metavar="N", help="how far to search (default: 10)")
    parser.add_argument("--solver", choices=("z3", "cadical"), default="z3", help="who searches (default: z3)")


def run(arguments: argparse.Namespace) -> int:
    """Decide claims; the exit code."""
    from ..claims.manifest import ManifestError
    from ..search.limits import Unfit
    from ..search.solvers import SolverMissing

    if arguments.output != "text":
        use_utf8()
    try:
        return _claims(arguments)
    except ManifestError as error:
        print_problems([error.problem])
        return BAD_INPUT
    except (Unfit, UnknownName, SolverMissing) as error:
        return refused("claims", error)
    except OSError as error:
        if error.filename is None:
            raise  # of an output stream, which `main` knows
        return refused("claims", f"{error.filename}: {error.strerror}")


def _claims(arguments: argparse.Namespace) -> int:
    from ..claims.deciding import Settings, directories
    from ..claims.ledger import missing
    from ..claims.registry import chosen, claims
    from ..search.limits import Unfit, within

    wanted = chosen(arguments.ids) if arguments.ids else list(claims().values())
    within("events", arguments.max_events)
    if not 0 < arguments.seconds <= MOST_SECONDS:
        raise Unfit(f"{arguments.seconds:g} seconds", f"more than 0, at most {MOST_SECONDS:g}")
    if arguments.check and arguments.ids:
        return refused("claims", "--check compares the whole ledger: name no claims beside it")
    jobs = within("jobs", min(os.cpu_count() or 1, 64) if arguments.jobs is None else arguments.jobs)
    if arguments.plots:
        Path(arguments.plots).mkdir(parents=True, exist_ok=True)
    written = Path(arguments.check).read_bytes() if arguments.check else b""
    stored = [] if arguments.fresh or arguments.proofs == "" else directories(Path(arguments.proofs or PROOFS))
    if arguments.proofs is not None and not arguments.fresh and not stored:
        return refused("claims", _no_proofs(arguments.proofs))
    settings = Settings(arguments.max_events, arguments.seconds, arguments.solver)
    rows = _rows(arguments, wanted, stored, settings, jobs)
    if arguments.plots:
        _plots(Path(arguments.plots), stored, settings, jobs)
    lacking = missing(claims()) if not arguments.ids else []
    if lacking:
        tell(f"toki-verify claims: no row for {', '.join(lacking)}")
    if arguments.check:
        return _check(arguments.check, written, rows) or (FOUND if lacking else OK)
    _print(arguments, rows)
    verdicts = {row.verdict for row in rows}
    return FOUND if "refuted" in verdicts or lacking else UNDECIDED if "unknown" in verdicts else OK


def _rows(
    arguments: argparse.Namespace, wanted: list[Claim], stored: list[Path], settings: Settings, jobs: int
) -> list[Row]:
    """The rows in the order of the claims: those that are kept, and the others decided, and kept as they come."""
    from dataclasses import asdict

    from ..claims.cache import Cache, default_directory, state
    from ..claims.deciding import decide, takes_long

    cache, rows = None, {}
    if not arguments.no_cache and not arguments.check:
        directory = Path(arguments.cache) if arguments.cache else default_directory()
        cache = Cache(directory, state({"fresh": arguments.fresh, **asdict(settings)}, stored))
        rows = {} if arguments.fresh else cache.read()
    left = [claim for claim in wanted if claim.id not in rows]
    if not stored and not arguments.fresh and takes_long(claim.id for claim in left):
        text = "no proofs here: deciding from nothing, about eight minutes for all claims; --proofs DIR"
        tell(f"toki-verify claims: {text}")
    if left:
        with stage("deciding") as progress:
            for row in decide(left, proofs=stored, settings=settings, jobs=jobs, progress=progress):
                rows[row.id] = row
        if cache is not None:
            try:
                cache.write(rows.values())
            except OSError as error:
                tell(f"toki-verify claims: rows are not kept: {cache.path}: {error.strerror}")
    return [rows[claim.id] for claim in wanted]


def _no_proofs(directory: str) -> str:
    """Why a directory of proofs that was named is none."""
    if not directory:
        return "--proofs '' names no directory: name one that has a manifest.toml, or decide from nothing with --fresh"
    return (
        f"{directory}/manifest.toml does not exist, nor does {directory}/*/manifest.toml: name the directory with "
        "--proofs, or decide from nothing with --fresh"
    )


def _plots(directory: Path, stored: list[Path], settings: Settings, jobs: int) -> None:
    from ..claims.deciding import stored_cells
    from ..claims.guard_map import guard_map
    from ..claims.manifest import Manifest
    from ..report.plots import pictures
    from ..search.witness import Bounds

    of_cells = next((path for path in stored if "Grid.iso" in Manifest.read(path).claims), None)
    with stage("deciding the guard map") as progress:
        found = guard_map(
            cells=None if of_cells is None else stored_cells(str(of_cells))[1],
            bounds=Bounds(settings.events),
            solver=settings.solver,
            proof_seconds=settings.seconds,
            jobs=jobs,
            progress=progress,
        )
    for name, text in pictures(found).items():
        (directory / name).write_text(text, encoding="utf-8")
        tell(f"wrote {directory / name}")


def _check(file: str, written: bytes, rows: list[Row]) -> int:
    from difflib import unified_diff

    from ..report.ledger import ledger_markdown, without_times

    now = without_times(ledger_markdown(rows)).split("\n")
    then = without_times(written.decode("utf-8", errors="replace")).split("\n")
    difference = list(unified_diff(then, now, file, "the ledger", lineterm="", n=1))
    if not difference:
        print(f"{file}: {len(rows)} rows, as the code has them")
        return OK
    print("\n".join(difference[:40]))
    tell(f"toki-verify claims: {file} is not what the code says: run `make ledger`")
    return FOUND


def _print(arguments: argparse.Namespace, rows: list[Row]) -> None:
    from ..report.ledger import ledger_json, ledger_markdown, ledger_text

    if arguments.output == "json":
        sys.stdout.write(ledger_json(rows))
    elif arguments.output == "markdown":
        sys.stdout.write(ledger_markdown(rows))
    else:
        show(ledger_text(rows, width(), whole=arguments.verbose or len(rows) == 1))
