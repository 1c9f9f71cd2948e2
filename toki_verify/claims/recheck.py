"""Checking a directory of proofs again, from its files alone: hashes, both solvers, the kernel, DRAT, the instances.

Nothing that was found before is believed: an obligation is solved again, and its certificate is checked against its
text; clauses are refuted by their DRAT proofs; schedules are judged by the concrete reading. What was proved of
definitions that have changed since is reported as stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..events import Problem, Schedule, ScheduleError
from ..proofs import ProofError, check_proof
from ..relations.axioms import AXIOMS
from ..relations.concrete import Concrete
from ..search.drat import DratError, check_drat
from ..search.solvers import answers
from .manifest import File, Manifest, MinimalEntry, ObligationEntry, ProofEntry, digest

SOLVERS = ("z3", "cvc5")


@dataclass(frozen=True)
class Checked:
    """One file or entry that was checked again. `status`: "ok"; "failed": it does not show what it is to show;
    "corrupt": it is missing, was edited or cannot be read (`problem`); "undecided": a solver gave up."""

    what: str
    status: str
    detail: str = ""
    problem: Problem | None = None


def recheck(
    directory: Path, *, seconds: float = 30.0, progress: Callable[[str], None] = lambda text: None
) -> Iterator[Checked]:
    """Check everything in a directory of proofs. Raises ManifestError, OSError, SolverMissing."""
    manifest = Manifest.read(directory)
    listed = {"manifest.toml"}
    for proof in manifest.proofs.values():
        progress(proof.id)
        listed |= {part.file for part in proof.obligations} | {part.certificate for part in proof.obligations}
        yield from _proof(directory, proof, seconds)
    for minimal in manifest.minimal.values():
        progress(f"nothing smaller: {minimal.id}")
        listed |= {file.path for file in (*minimal.cnf, *minimal.drat)}
        yield from _minimal(directory, minimal)
    yield from _claims(manifest)
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_file() and name not in listed and path.suffix in (".smt2", ".cpc", ".cnf", ".drat"):
            yield _corrupt(
                str(path), "a file that the manifest does not list", "the files of `toki-verify prove` alone"
            )


def _corrupt(file: str, what: str, expected: str) -> Checked:
    return Checked(file, "corrupt", what, Problem(what, expected, "proofs", file=file))


def _read(directory: Path, name: str, sha256: str) -> str | Checked:
    """The text of a file, if it is the one that the manifest means."""
    path = directory / name
    if not path.resolve().is_relative_to(directory.resolve()):
        return _corrupt(str(path), "a path outside the directory", "a file below it")
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        return _corrupt(str(path), "the file is missing", "the file that the manifest lists")
    except (OSError, UnicodeDecodeError) as error:
        return _corrupt(str(path), f"the file cannot be read ({error})", "a text in UTF-8")
    if digest(text) != sha256:
        return _corrupt(
            str(path), "the file was changed since it was proved: its hash is another one", f"sha256 {sha256}"
        )
    return text


def _proof(directory: Path, proof: ProofEntry, seconds: float) -> Iterator[Checked]:
    if not proof.obligations:
        yield Checked(proof.id, "failed", "a proof without an obligation")
    for part in proof.obligations:
        yield from _obligation(directory, part, seconds)
    yield from _instances(proof)


def _obligation(directory: Path, part: ObligationEntry, seconds: float) -> Iterator[Checked]:
    text = _read(directory, part.file, part.sha256)
    if isinstance(text, Checked):
        yield text
        return
    for answer in answers(text, seconds, SOLVERS):
        status = {"unsat": "ok", "sat": "failed"}.get(answer.status, "undecided")
        yield Checked(part.file, status, f"{answer.solver} {answer.version}: {answer.status} {answer.reason}".rstrip())
    if not part.certificate:
        return
    certificate = _read(directory, part.certificate, part.certificate_sha256)
    if isinstance(certificate, Checked):
        yield certificate
        return
    path = str(directory / part.certificate)
    try:
        found = check_proof(text, certificate, file=path)
    except ProofError as error:
        yield Checked(path, "failed", str(error))
    else:
        yield Checked(part.certificate, "ok", f"the kernel accepts {found.steps} steps")


def _instances(proof: ProofEntry) -> Iterator[Checked]:
    """The hypotheses can be met: each schedule is well-formed, and every axiom used holds of it."""
    known = {axiom.name: axiom.formula for axiom in AXIOMS}
    if len(proof.instances) < 2:
        yield Checked(proof.id, "failed", "no schedules that show that its hypotheses can be met")
    for text in proof.instances:
        try:
            concrete = Concrete(Schedule.parse(text))
        except ScheduleError as error:
            yield Checked(proof.id, "corrupt", str(error), error.problems[0])
            continue
        wrong = [name for name in proof.axioms if name not in known or not concrete.holds(known[name])]
        yield Checked(
            proof.id,
            "failed" if wrong else "ok",
            f"axioms that are not true of {text}: {', '.join(wrong)}" if wrong else "its hypotheses can be met",
        )


def _minimal(directory: Path, entry: MinimalEntry) -> Iterator[Checked]:
    pairs: list[tuple[File, File]] = list(zip(entry.cnf, entry.drat, strict=False))
    if len(entry.cnf) != len(entry.drat):
        yield Checked(entry.id, "failed", "clauses without a refutation")
    for cnf, drat in pairs:
        texts = [_read(directory, file.path, file.sha256) for file in (cnf, drat)]
        bad = [text for text in texts if isinstance(text, Checked)]
        if bad:
            yield from bad
            continue
        try:
            found = check_drat(str(texts[0]), str(texts[1]))
        except DratError as error:
            yield Checked(drat.path, "failed", str(error))
        else:
            yield Checked(drat.path, "ok", f"{found.steps} steps refute {found.clauses} clauses")


def _claims(manifest: Manifest) -> Iterator[Checked]:
    """What claims refer to is there, and was shown of the definitions as they are now."""
    from .current import current_definitions

    now = current_definitions()
    for claim in manifest.claims.values():
        missing = [id for id in claim.proofs if id not in manifest.proofs]
        if missing:
            yield Checked(claim.id, "failed", f"it refers to proofs that are not there: {', '.join(missing)}")
    entries = [(proof.id, proof.definitions) for proof in manifest.proofs.values()]
    entries += [(minimal.id, minimal.definitions) for minimal in manifest.minimal.values()]
    for id, definitions in entries:
        if id in now and now[id] != definitions:
            yield Checked(id, "failed", "stale: a definition has changed since; run `toki-verify prove` again")
