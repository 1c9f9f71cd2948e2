"""Writing a directory of proofs: obligations, certificates, clauses, and the manifest that binds them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..events import Schedule
from ..proofs import ProofError, check_proof
from ..relations.fingerprint import fingerprint
from ..search.certify import NoProof, cpc_proof
from ..search.drat import refute
from ..search.prove import Proof
from ..search.solvers import Answer
from .equational import EquationalProof
from .manifest import ClaimEntry, EquationEntry, File, Manifest, MinimalEntry, ObligationEntry, ProofEntry, digest
from .minimality import smaller
from .model import Claim, Outcome, Smallest

OBLIGATIONS, CERTIFICATES = "obligations", "certificates"
#: Seconds for cvc5 to find a proof that the kernel reads.
CERTIFICATE_SECONDS = 60.0


def versions() -> dict[str, str]:
    """The versions of what proves and checks."""
    from .. import __version__

    found = {"toki-verify": __version__}
    for name in ("z3-solver", "cvc5", "python-sat", "dratify"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found


class Writer:
    """Writes into one directory and keeps what other claims have there."""

    def __init__(self, directory: Path, *, progress: Callable[[str], None] = lambda text: None) -> None:
        self.directory = directory
        self.progress = progress
        self.manifest = Manifest.read(directory) if (directory / "manifest.toml").exists() else Manifest()
        self.manifest.versions = versions()
        self.written: set[str] = set()

    def add(self, claim: Claim, outcome: Outcome, seconds: float) -> None:
        """A claim with everything that shows its verdict."""
        for proof in outcome.proofs:
            self._proof(proof, outcome)
        for equation in outcome.equational:
            self._equation(equation)
        for id, smallest in outcome.smallest.items():
            self._minimal(id, smallest)
        self.manifest.claims[claim.id] = ClaimEntry(
            claim.id,
            claim.where,
            claim.statement,
            claim.reading,
            outcome.verdict,
            outcome.method,
            outcome.detail,
            [proof.id for proof in outcome.proofs],
            [_text(schedule) for schedule in outcome.witnesses],
            "" if outcome.counterexample is None else _text(outcome.counterexample),
            outcome.repair,
            round(seconds, 3),
            outcome.bound,
            list(outcome.evidence),
            [equation.id for equation in outcome.equational],
        )

    def finish(self) -> Path:
        """Write the manifest; its path."""
        path = self.directory / "manifest.toml"
        self._write("manifest.toml", self.manifest.text())
        return path

    def _write(self, name: str, text: str) -> None:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _proof(self, proof: Proof, outcome: Outcome) -> None:
        if proof.id in self.written:
            return
        self.written.add(proof.id)
        entry = ProofEntry(
            proof.id,
            proof.statement,
            fingerprint(proof.formula),
            proof.stage,
            list(proof.axioms),
            proof.seconds,
            [_text(schedule) for schedule in outcome.instances.get(proof.id, ())],
        )
        for part in proof.obligations:
            entry.obligations.append(self._obligation(part.id, part.role, part.shows, part.text, part.answers))
        self.manifest.proofs[proof.id] = entry

    def _equation(self, proof: EquationalProof) -> None:
        if proof.id in self.written:
            return
        self.written.add(proof.id)
        obligation = self._obligation(proof.id, "main", proof.statement, proof.text, proof.answers)
        self.manifest.equations[proof.id] = EquationEntry(proof.id, proof.statement, list(proof.models), [obligation])

    def _obligation(self, id: str, role: str, shows: str, text: str, said: tuple[Answer, ...]) -> ObligationEntry:
        """Write an obligation and its certificate."""
        self.progress(f"certificate of {id}")
        name = f"{OBLIGATIONS}/{id}.smt2"
        self._write(name, text)
        found = [f"{answer.solver} {answer.version} {answer.status}" for answer in said]
        made = ObligationEntry(id, role, shows, name, digest(text), found)
        certificate = certified(text)
        if certificate is not None:
            made.certificate = f"{CERTIFICATES}/{id}.cpc"
            made.certificate_sha256 = digest(certificate[0])
            made.steps = certificate[1]
            self._write(made.certificate, certificate[0])
        return made

    def _minimal(self, id: str, smallest: Smallest) -> None:
        if id in self.written:
            return
        self.written.add(id)
        schedule = smallest.schedule
        size = (len(schedule.events), len(schedule.resolved.txns), len(schedule.resolved.items))
        entry = MinimalEntry(
            id, f"no smaller schedule: {smallest.statement}", fingerprint(smallest.formula), _text(schedule), *size
        )
        for frame in smaller(smallest.formula, *size):
            self.progress(f"nothing smaller: {id}, {frame.name}")
            refutation = refute(frame.clauses)
            if refutation is None:
                raise AssertionError(f"{id}: a schedule of frame {frame.name} is smaller than {schedule}")
            for kind, text, files in (("cnf", refutation.dimacs, entry.cnf), ("drat", refutation.drat, entry.drat)):
                name = f"{CERTIFICATES}/{id}/{frame.name}.{kind}"
                self._write(name, text)
                files.append(File(name, digest(text)))
        self.manifest.minimal[id] = entry


def certified(text: str) -> tuple[str, int] | None:
    """A proof by cvc5 that the kernel accepts, with its number of steps; None where there is none."""
    try:
        proof = cpc_proof(text, CERTIFICATE_SECONDS)
        return proof, check_proof(text, proof).steps
    except (NoProof, ProofError):
        return None


def _text(schedule: Schedule) -> str:
    from ..notation.printer import print_schedule

    return print_schedule(schedule).rstrip()
