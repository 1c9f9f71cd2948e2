"""The claims decided again from the files of a directory of proofs, without a solver.

What the directory holds takes the place of searches and proofs: so a verdict that does not follow from it, or an
artifact that a verdict needs and that is not there, comes out as another verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..events import Schedule, ScheduleError
from ..levels import Level
from ..phenomena.catalogue import Phenomenon
from ..relations.concrete import Concrete
from ..relations.formulas import Formula, conjuncts
from ..relations.terms import number
from ..search.decide import Decision
from ..search.prove import Proof, replay
from ..search.solvers import Answer
from ..search.witness import Bounds, Found
from .cells import Cells, Known
from .current import meaning_of
from .equational import EquationalProof, question_of, with_answers
from .manifest import ClaimEntry, EquationEntry, Manifest, ProofEntry


@dataclass
class StoredCells(Cells):
    """Cells of which `found` are the proofs and `least` the smallest schedules, by id; `seen` are further schedules."""

    found: Mapping[str, Proof] = field(default_factory=dict)
    least: Mapping[str, Schedule] = field(default_factory=dict)
    seen: tuple[Schedule, ...] = ()
    stored_instances: Mapping[str, tuple[Schedule, ...]] = field(default_factory=dict)
    equations: Mapping[str, EquationalProof] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for id in sorted((*self.found, *self.least)):
            meaning = meaning_of(id)
            if meaning is None or meaning.cell is None:
                continue
            of, level = meaning.cell
            parts = frozenset(number(part) for part in conjuncts(level.formula))
            place = id.removeprefix("T1.sound.").removeprefix("T1.tight.")
            known = Known(parts, self._decision(id), place, meaning.formula, f"{of.id} at {level.id}", level)
            self._known.setdefault(of.id, []).append(known)
        for known_of in self._known.values():
            known_of.sort(key=lambda known: len(known.parts))

    def _decision(self, id: str) -> Decision:
        schedule = self.least.get(id)
        if schedule is not None:
            return Decision("found", Found("found", (schedule,), Bounds()))
        return Decision("none", Found("undecided", (), Bounds()), self.found[id])

    def instances(self, proof: Proof) -> tuple[Schedule, ...]:
        """Instances are checked where they stand, with the proof."""
        return self.stored_instances.get(proof.id, ())

    def equation(self, id: str) -> EquationalProof:
        """The stored proof; one to which nobody answers where there is none."""
        return self.equations.get(id) or with_answers(id, (), ())

    def link(self, id: str, formula: Formula, statement: str) -> Decision:
        return self._decision(id) if id in self.found else self._among_the_seen(formula)

    def search(self, id: str, formula: Formula, statement: str, bounds: Bounds) -> Found:
        """A stored schedule. Where there is none, nothing is said: the search is not made again."""
        return self._among_the_seen(formula).found

    def _above(self, stronger: Level, weaker: Level) -> Proof | None:
        key = self._inclusion(stronger, weaker)
        return None if key is None else self.found.get(key)

    def _solve(self, of: Phenomenon, level: Level, wanted: Formula, id: str, least: int) -> Decision:
        return self._among_the_seen(wanted)

    def _among_the_seen(self, formula: Formula) -> Decision:
        for schedule in self.seen:
            if Concrete(schedule).holds(formula):
                return Decision("found", Found("found", (schedule,), Bounds()))
        return Decision("undecided", Found("undecided", (), Bounds(), "neither a proof nor a schedule is there"))


def from_directory(directory: Path) -> StoredCells:
    """What a directory of proofs says, taken at its word: no solver is asked, no certificate checked (`recheck` does).

    Raises ManifestError, OSError; ValueError for obligations that do not make their statements.
    """
    manifest = Manifest.read(directory)
    found: dict[str, Proof] = {}
    for id, entry in manifest.proofs.items():
        meaning = meaning_of(id)
        texts = [(directory / part.file).read_text(encoding="utf-8") for part in entry.obligations]
        proof = None if meaning is None else replay(meaning.formula, id=id, statement=entry.statement, texts=texts)
        if proof is None or not proof.proved:
            raise ValueError(f"{id}: its obligations are not those of the statement")
        found[id] = answered(proof, entry)
    return StoredCells(
        found=found,
        seen=schedules(manifest),
        least={id: Schedule.parse(entry.schedule) for id, entry in manifest.minimal.items()},
        stored_instances={id: tuple(map(Schedule.parse, entry.instances)) for id, entry in manifest.proofs.items()},
        equations={id: answered_equation(entry) for id, entry in manifest.equations.items() if question_of(id)},
    )


def answered(proof: Proof, entry: ProofEntry) -> Proof:
    """The proof as replayed, with the solvers that answered for its obligations."""
    said = _said(entry)
    return replace(proof, obligations=tuple(replace(part, answers=said) for part in proof.obligations))


def answered_equation(entry: EquationEntry) -> EquationalProof:
    """The proof of a question, with the solvers that answered and the models that are named. Raises KeyError."""
    return with_answers(entry.id, _said(entry), entry.models)


def _said(entry: ProofEntry | EquationEntry) -> tuple[Answer, ...]:
    names = [answer.split()[0] for part in entry.obligations[:1] for answer in part.answers]
    return tuple(Answer("unsat", "", 0.0, name, "") for name in names)


def schedules(manifest: Manifest) -> tuple[Schedule, ...]:
    """Every schedule that a claim names, smaller ones first; one that is none is left to the comparison."""
    texts = {text for entry in manifest.claims.values() for text in (*entry.witnesses, *listed(entry))}
    return tuple(sorted(parsed(sorted(texts)), key=lambda schedule: len(schedule.events)))


def parsed(texts: list[str]) -> tuple[Schedule, ...]:
    """The texts that are schedules."""
    found = []
    for text in texts:
        try:
            found.append(Schedule.parse(text))
        except ScheduleError:
            continue
    return tuple(found)


def listed(entry: ClaimEntry) -> list[str]:
    """The counterexample of a claim, if it has one."""
    return [entry.counterexample] if entry.counterexample else []
