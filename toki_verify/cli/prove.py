"""`toki-verify prove`: decide claims of the paper (TOKI), write what shows their verdicts, and check it again."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from ..phenomena.catalogue import UnknownName
from .common import print_problems, show, use_utf8
from .main import BAD_INPUT, FOUND, OK, UNDECIDED
from .searching import MOST_SECONDS, refused, stage

if TYPE_CHECKING:
    from ..claims.model import Claim, Outcome
    from ..claims.recheck import Checked

DIRECTORY = "proofs"
#: Lines of evidence that the text form shows of a claim.
MOST_EVIDENCE = 6
EPILOG = """\
IDS are ids of claims, prefixes (`T1.sound` names all of `T1.sound.φ.L`) or globs. What shows a verdict is written to
proofs/: obligations as SMT-LIB, the proofs that our kernel checks, clauses with DRAT refutations, and manifest.toml.

examples:
  toki-verify prove --list
  toki-verify prove T1.sound
  toki-verify prove "W.*" Prop3 --no-write
  toki-verify prove T1.sound.A5B.SR --proofs /tmp/mine
  toki-verify prove --recheck

exit codes: 0 every claim holds (with --recheck: everything is accepted); 1 a claim is refuted, a certificate is not
accepted; 2 wrong usage, a file is missing, edited or cannot be read; 3 undecided
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("ids", nargs="*", metavar="IDS", help="claims, such as T1.sound, 'W.*' or Grid.iso")
    parser.add_argument("--list", action="store_true", help="list the claims of this version")
    parser.add_argument("--recheck", action="store_true", help="check everything in the directory of proofs again")
    parser.add_argument("--proofs", default=DIRECTORY, metavar="DIR", help=f"that directory (default: {DIRECTORY})")
    parser.add_argument("--no-write", action="store_true", help="decide only, write nothing")
    parser.add_argument(
        "--seconds", type=float, default=10.0, metavar="S", help="per obligation and solver (default: 10)"
    )
    parser.add_argument("--max-events", type=int, default=10, metavar="N", help="how far to search (default: 10)")
    parser.add_argument("--solver", choices=("z3", "cadical"), default="z3", help="who searches (default: z3)")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="with --recheck: every check, not only the failures"
    )
    parser.add_argument("-o", "--output", choices=("text", "json"), default="text", help="the form of the result")


def run(arguments: argparse.Namespace) -> int:
    """Prove or check again; the exit code."""
    from ..claims.manifest import ManifestError
    from ..search.limits import Unfit
    from ..search.solvers import SolverMissing

    if arguments.output != "text":
        use_utf8()
    try:
        if arguments.list:
            return _list(arguments)
        if not 0 < arguments.seconds <= MOST_SECONDS:
            raise Unfit(f"{arguments.seconds:g} seconds", f"more than 0, at most {MOST_SECONDS:g}")
        if arguments.recheck:
            if arguments.ids:
                return refused("prove", "--recheck checks everything in the directory: name no claims beside it")
            return _recheck(arguments)
        if not arguments.ids:
            return refused("prove", "name claims, such as T1.sound, or --list, or --recheck")
        return _prove(arguments)
    except ManifestError as error:
        print_problems([error.problem])
        return BAD_INPUT
    except (Unfit, UnknownName, SolverMissing) as error:
        return refused("prove", error)
    except OSError as error:
        if error.filename is None:
            raise  # of an output stream, which `main` knows
        return refused("prove", f"{error.filename}: {error.strerror}")


def _list(arguments: argparse.Namespace) -> int:
    from ..claims.registry import claims
    from ..report.line import line

    if arguments.output == "json":
        rows = [
            {"id": c.id, "where": c.where, "statement": c.statement, "reading": c.reading} for c in claims().values()
        ]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        return OK
    width = max(len(id) for id in claims())
    show([line(("What the paper (TOKI) claims; `toki-verify prove ID` says whether it is so.", "bold")), line()])
    show(line((claim.id.ljust(width + 2), "bold"), claim.statement) for claim in claims().values())
    return OK


def _prove(arguments: argparse.Namespace) -> int:
    from ..claims.cells import Cells
    from ..claims.files import Writer
    from ..claims.registry import chosen
    from ..search.limits import within
    from ..search.witness import Bounds

    wanted = chosen(arguments.ids, "toki-verify prove --list")
    within("events", arguments.max_events)
    writer = None
    found: list[tuple[Claim, Outcome, float]] = []
    with stage("proving") as progress:
        if not arguments.no_write:
            writer = Writer(Path(arguments.proofs), progress=progress)
        cells = Cells(
            Bounds(arguments.max_events), solver=arguments.solver, proof_seconds=arguments.seconds, progress=progress
        )
        for claim in wanted:
            begun = monotonic()
            outcome = claim.decide(cells)
            seconds = monotonic() - begun
            found.append((claim, outcome, seconds))
            if writer is not None:
                writer.add(claim, outcome, seconds)
    if writer is not None:
        print(f"wrote {writer.finish()}", file=sys.stderr)
    _report(arguments, found)
    verdicts = {outcome.verdict for _, outcome, _ in found}
    return FOUND if "refuted" in verdicts else UNDECIDED if "undecided" in verdicts else OK


_COLOURS = {"holds": "green", "refuted": "red", "undecided": "yellow"}


def _report(arguments: argparse.Namespace, found: list[tuple[Claim, Outcome, float]]) -> None:
    from ..jsonform import schedule_object
    from ..report.line import line
    from ..search.witness import Bounds

    if arguments.output == "json":
        rows = [
            {
                "id": claim.id,
                "where": claim.where,
                "statement": claim.statement,
                "reading": claim.reading,
                "verdict": outcome.verdict,
                "method": outcome.method,
                "bound": outcome.bound
                or (str(Bounds(arguments.max_events)) if outcome.method == "exhaustive" else None),
                "detail": outcome.detail,
                "counterexample": None if outcome.counterexample is None else schedule_object(outcome.counterexample),
                "evidence": list(outcome.evidence),
                "repair": outcome.repair or None,
                "artifact": [
                    *(proof.id for proof in outcome.proofs),
                    *(equation.id for equation in outcome.equational),
                    *outcome.smallest,
                ],
                "seconds": round(seconds, 3),
            }
            for claim, outcome, seconds in found
        ]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        return
    for claim, outcome, _ in found:
        show([line((f"{outcome.verdict} ".ljust(11), _COLOURS.get(outcome.verdict, "yellow")), (claim.id, "bold"))])
        show([line(f"           {claim.statement}"), line((f"           {outcome.detail}", "dim"))])
        shown = outcome.evidence[:MOST_EVIDENCE]
        show(line((f"           {text}", "dim")) for text in shown)
        if len(outcome.evidence) > len(shown):
            show([line((f"           … {len(outcome.evidence) - len(shown)} lines more with -o json", "dim"))])
        if outcome.repair:
            show([line((f"           {outcome.repair}", "dim"))])


def _recheck(arguments: argparse.Namespace) -> int:
    from collections import Counter

    from ..claims.manifest import Manifest
    from ..claims.recheck import recheck
    from ..report.line import line

    directory = Path(arguments.proofs)
    if not (directory / "manifest.toml").exists():
        return refused(
            "prove", f"{directory}/manifest.toml does not exist: name the directory with --proofs, or prove first"
        )
    found: list[Checked] = []
    with stage("checking again") as progress:
        for checked in recheck(directory, seconds=arguments.seconds, progress=progress):
            found.append(checked)
    counts = {status: sum(c.status == status for c in found) for status in ("ok", "failed", "corrupt", "undecided")}
    if arguments.output == "json":
        rows = [{"what": c.what, "status": c.status, "detail": c.detail} for c in found]
        sys.stdout.write(json.dumps({"counts": counts, "checks": rows}, ensure_ascii=False, indent=1) + "\n")
    else:
        for checked in found:
            if checked.problem is None and (arguments.verbose or checked.status != "ok"):
                show([line((checked.status.ljust(11), _STATUS[checked.status]), f"{checked.what}: {checked.detail}")])
        total = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
        show([line(f"{directory}: {len(found)} checks: {total or 'nothing to check'}")])
        verdicts = Counter(claim.verdict for claim in Manifest.read(directory).claims.values())
        if verdicts:
            said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
            show([line(f"{sum(verdicts.values())} claims: {said}")])
    print_problems([checked.problem for checked in found if checked.problem is not None])
    if counts["corrupt"] or not found:
        return BAD_INPUT
    return FOUND if counts["failed"] else UNDECIDED if counts["undecided"] else OK


_STATUS = {"ok": "green", "failed": "red", "corrupt": "red", "undecided": "yellow"}
