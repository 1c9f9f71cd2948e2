"""Checking a directory of proofs again, from its files alone.

Nothing that was found before is believed, and nothing that a file says of itself. Every id has a meaning by the
definitions as they are now. An obligation is solved again, its certificate is checked against its text, and its text
must be what the definitions make of the statement (`search/prove.py`, `replay`); clauses must be those of the frames
below the size, and their DRAT proofs refute them; schedules are judged by the concrete reading; and the claims are
decided again from what has passed (`stored.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..events import Problem, Schedule, ScheduleError
from ..proofs import ProofError, check_proof
from ..relations.concrete import Concrete
from ..relations.edges import anti_dependency, dependency
from ..relations.fingerprint import fingerprint
from ..relations.formulas import some
from ..search.drat import DratError, check_drat, dimacs_text
from ..search.propositional import skeleton
from ..search.prove import Proof, hypotheses_hold, replay
from ..search.solvers import answers
from .current import Meaning, meaning_of
from .equational import EquationalProof, question_of, with_answers
from .manifest import (
    EquationEntry,
    Manifest,
    ManifestError,
    MinimalEntry,
    ObligationEntry,
    ProofEntry,
    digest,
    read_regular,
)
from .minimality import smaller
from .stored import answered_equation
from .verdicts import check_claims

SOLVERS = ("z3", "cvc5")


@dataclass(frozen=True)
class Checked:
    """One file or entry that was checked again. `status`: "ok"; "failed": it does not show what it is to show;
    "corrupt": it is missing, was edited or cannot be read (`problem`); "undecided": a solver gave up, or there is no
    certificate."""

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
    proofs: dict[str, Proof] = {}
    least: dict[str, Schedule] = {}
    equations: dict[str, EquationalProof] = {}
    for proof in manifest.proofs.values():
        progress(proof.id)
        listed |= {part.file for part in proof.obligations} | {part.certificate for part in proof.obligations}
        found = list(_proof(directory, proof, seconds, proofs))
        yield from found
    for equation in manifest.equations.values():
        progress(equation.id)
        listed |= {part.file for part in equation.obligations} | {part.certificate for part in equation.obligations}
        yield from _equation(directory, equation, seconds, equations)
    for minimal in manifest.minimal.values():
        progress(f"nothing smaller: {minimal.id}")
        listed |= {file.path for file in (*minimal.cnf, *minimal.drat)}
        yield from _minimal(directory, minimal, least)
    progress("claims")
    for id, wrong in check_claims(manifest, proofs, least, equations):
        yield Checked(id, "failed" if wrong else "ok", wrong or "its verdict follows from what was checked")
    others = [path.parent for path in directory.glob("*/manifest.toml")]
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if any(path.is_relative_to(other) for other in others):
            continue  # a directory of proofs of its own
        if path.is_file() and name not in listed and path.suffix in (".smt2", ".cpc", ".cnf", ".drat"):
            yield _corrupt(
                str(path), "a file that the manifest does not list", "the files of `toki-verify prove` alone"
            )


def _corrupt(file: str, what: str, expected: str) -> Checked:
    return Checked(file, "corrupt", what, Problem(what, expected, "proofs", file=file))


def _read(directory: Path, name: str, sha256: str) -> str | Checked:
    """The text of a file, if it is the one that the manifest means."""
    path = directory / name
    try:
        if not path.resolve().is_relative_to(directory.resolve()):
            return _corrupt(str(path), "a path outside the directory", "a file below it")
        text = read_regular(path)
    except FileNotFoundError:
        return _corrupt(str(path), "the file is missing", "the file that the manifest lists")
    except ManifestError as error:
        return _corrupt(str(path), error.problem.what, error.problem.expected)
    except (OSError, ValueError, RuntimeError) as error:
        return _corrupt(str(path), f"the file cannot be read ({error})", "a text in UTF-8")
    if digest(text) != sha256:
        what = "the file was changed since it was proved: its hash is another one"
        return _corrupt(str(path), what, f"sha256 {sha256[:80]}")
    return text


def _meaning(id: str, statement: str, definitions: str, prefix: str = "") -> tuple[Meaning | None, str]:
    """What an id means now, and what is wrong with what an entry says of it."""
    meaning = meaning_of(id)
    if meaning is None:
        return None, "an id that means nothing in this version"
    if definitions != fingerprint(meaning.formula):
        return meaning, "stale: a definition has changed since; run `toki-verify prove` again"
    if statement != prefix + meaning.statement:
        return meaning, f"it says {statement[:80]!r}, but its id means {prefix + meaning.statement!r}"
    return meaning, ""


# -- proofs ----------------------------------------------------------------------------------------------------------
def _proof(directory: Path, proof: ProofEntry, seconds: float, proofs: dict[str, Proof]) -> Iterator[Checked]:
    meaning, wrong = _meaning(proof.id, proof.statement, proof.definitions)
    if meaning is None or wrong:
        yield Checked(proof.id, "failed", wrong)
        return
    found = [_read(directory, part.file, part.sha256) for part in proof.obligations]
    texts = [text for text in found if isinstance(text, str)]
    if len(texts) < len(found):
        yield from (text for text in found if isinstance(text, Checked))
        return
    # Nobody is given a text that the definitions do not make: it could say anything, to a solver, too.
    derived = replay(meaning.formula, id=proof.id, statement=proof.statement, texts=texts)
    by_definition = [skeleton(meaning.formula, id=proof.id, statement=proof.statement)]
    if not derived.proved or (len(derived.obligations) != len(texts) and texts != by_definition):
        why = derived.reason or f"{len(texts)} obligations, of which it needs {len(derived.obligations)}"
        yield Checked(proof.id, "failed", f"its obligations are not those of the statement ({why})")
        return
    good = True
    for part, text in zip(proof.obligations, texts, strict=True):
        for checked in _obligation(directory, part, text, seconds):
            good = good and checked.status not in ("failed", "corrupt")
            yield checked
    if not good:
        return
    yield Checked(proof.id, "ok", f"{len(texts)} obligations make the statement by the definitions as they are")
    instances = [checked for checked in _instances(proof, meaning, derived)]
    yield from instances
    if all(checked.status == "ok" for checked in instances):
        proofs[proof.id] = derived


def _obligation(directory: Path, part: ObligationEntry, text: str, seconds: float) -> Iterator[Checked]:
    for answer in answers(text, seconds, SOLVERS):
        status = {"unsat": "ok", "sat": "failed"}.get(answer.status, "undecided")
        yield Checked(part.file, status, f"{answer.solver} {answer.version}: {answer.status} {answer.reason}".rstrip())
    if not part.certificate:
        yield Checked(part.file, "undecided", "no certificate: two solvers are all that accepts it")
        return
    certificate = _read(directory, part.certificate, part.certificate_sha256)
    if isinstance(certificate, Checked):
        yield certificate
        return
    path = str(directory / part.certificate)
    try:
        found = check_proof(text, certificate, file=path, obligation_file=str(directory / part.file))
    except ProofError as error:
        yield Checked(path, "failed", str(error))
    else:
        yield Checked(part.certificate, "ok", f"the kernel accepts {found.steps} steps")


def _instances(entry: ProofEntry, meaning: Meaning, derived: Proof) -> Iterator[Checked]:
    """The hypotheses can be met: one schedule with a dependency and an anti-dependency meets the one half, another the
    other, and all axioms and lemmas that the proof uses are true of both."""
    halves = (meaning.one & some(dependency) & some(anti_dependency), meaning.other)
    if len(entry.instances) != len(halves):
        yield Checked(entry.id, "failed", "no two schedules that show that its hypotheses can be met")
        return
    for text, half, name in zip(entry.instances, halves, ("one", "other"), strict=True):
        try:
            schedule = Schedule.parse(text)
        except ScheduleError as error:
            yield Checked(entry.id, "corrupt", str(error), error.problems[0])
            continue
        held = hypotheses_hold(schedule, derived)
        if not Concrete(schedule).holds(half):
            yield Checked(entry.id, "failed", f"the {name} half of its hypotheses does not hold of {schedule}")
        elif not held:
            yield Checked(entry.id, "failed", f"of {schedule}: {'; '.join(held.explanation)}")
        else:
            yield Checked(entry.id, "ok", f"the {name} half of its hypotheses can be met: {schedule}")


# -- statements of one obligation --------------------------------------------------------------------------------------
def _equation(
    directory: Path, entry: EquationEntry, seconds: float, accepted: dict[str, EquationalProof]
) -> Iterator[Checked]:
    question = question_of(entry.id)
    if question is None:
        yield Checked(entry.id, "failed", "an id that means nothing in this version")
        return
    derived = with_answers(entry.id, ())
    if entry.statement != question.statement:
        yield Checked(entry.id, "failed", f"it says {entry.statement[:80]!r}, but its id means {question.statement!r}")
        return
    if entry.models != list(derived.models):
        yield Checked(entry.id, "failed", f"its hypotheses hold in {', '.join(derived.models)}, not in {entry.models}")
        return
    if len(entry.obligations) != 1:
        yield Checked(entry.id, "failed", f"{len(entry.obligations)} obligations, of which it needs 1")
        return
    part = entry.obligations[0]
    text = _read(directory, part.file, part.sha256)
    if isinstance(text, Checked):
        yield text
        return
    # As with proofs: nobody is given a text that the axioms as they are now do not make.
    if text != question.text:
        yield Checked(entry.id, "failed", "its obligation is not that of the statement")
        return
    good = True
    for checked in _obligation(directory, part, text, seconds):
        good = good and checked.status not in ("failed", "corrupt")
        yield checked
    if good:
        accepted[entry.id] = answered_equation(entry)
        yield Checked(entry.id, "ok", f"its hypotheses hold in {', '.join(derived.models)}")


# -- smallest schedules ----------------------------------------------------------------------------------------------
def _minimal(directory: Path, entry: MinimalEntry, least: dict[str, Schedule]) -> Iterator[Checked]:
    meaning, wrong = _meaning(entry.id, entry.statement, entry.definitions, "no smaller schedule: ")
    if meaning is None or wrong:
        yield Checked(entry.id, "failed", wrong)
        return
    try:
        schedule = Schedule.parse(entry.schedule)
    except ScheduleError as error:
        yield Checked(entry.id, "corrupt", str(error), error.problems[0])
        return
    size = (len(schedule.events), len(schedule.resolved.txns), len(schedule.resolved.items))
    if not Concrete(schedule).holds(meaning.formula) or size != (entry.events, entry.transactions, entry.items):
        yield Checked(entry.id, "failed", f"{schedule} is no schedule of this size that has it")
        return
    frames = list(smaller(meaning.formula, *size))
    if not len(frames) == len(entry.cnf) == len(entry.drat):
        yield Checked(entry.id, "failed", f"{len(entry.cnf)} refutations, of {len(frames)} smaller frames")
        return
    good = True
    for frame, cnf, drat in zip(frames, entry.cnf, entry.drat, strict=True):
        texts = [_read(directory, file.path, file.sha256) for file in (cnf, drat)]
        bad = [text for text in texts if isinstance(text, Checked)]
        if bad:
            yield from bad
            good = False
        elif texts[0] != dimacs_text(frame.clauses):
            yield Checked(cnf.path, "failed", f"these are not the clauses of {frame.name}")
            good = False
        else:
            checked = _refutation(drat.path, str(texts[0]), str(texts[1]))
            good = good and checked.status == "ok"
            yield checked
    if good:
        least[entry.id] = schedule


def _refutation(path: str, cnf: str, drat: str) -> Checked:
    try:
        found = check_drat(cnf, drat)
    except DratError as error:
        return Checked(path, "failed", str(error))
    return Checked(path, "ok", f"{found.steps} steps refute {found.clauses} clauses")
