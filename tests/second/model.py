"""What a second decider finds, and how it is compared with the stored outcome of a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from toki_verify.claims.manifest import ClaimEntry, Manifest
from toki_verify.claims.registry import claims
from toki_verify.claims.stored import from_directory

PROOFS = Path(__file__).resolve().parents[2] / "proofs"


@dataclass(frozen=True)
class Found:
    """A verdict, and computed phrases (counts, smallest counterexamples) that the stored outcome must have, too."""

    verdict: str
    says: tuple[str, ...] = ()


#: Decides the claim of an id again.
Decider = Callable[[str], Found]


def _read() -> dict[str, ClaimEntry]:
    found: dict[str, ClaimEntry] = {}
    for directory in (PROOFS, PROOFS / "readings", PROOFS / "algebra", PROOFS / "bridge", PROOFS / "designs"):
        found |= Manifest.read(directory).claims
    return found


#: Read when the first claim is asked for, and kept: mutants forget what was decided, not what the files say.
_FILES: list[dict[str, ClaimEntry]] = []


def stored() -> dict[str, ClaimEntry]:
    """Every claim of the shipped manifests."""
    if not _FILES:
        _FILES.append(_read())
    return _FILES[0]


@cache
def entry_of(id: str) -> ClaimEntry:
    """The stored outcome of a claim; of one that is not stored yet, what the code says now, over the stored proofs."""
    if id in stored():
        return stored()[id]
    directory = PROOFS / "readings" if id.startswith("T1.reading") else PROOFS
    claim = claims()[id]
    found = claim.decide(from_directory(directory))
    example = "" if found.counterexample is None else str(found.counterexample)
    witnesses = [str(schedule) for schedule in found.witnesses]
    return ClaimEntry(
        id,
        claim.where,
        claim.statement,
        claim.reading,
        found.verdict,
        found.method,
        found.detail,
        [proof.id for proof in found.proofs],
        witnesses,
        example,
        found.repair,
        0.0,
        found.bound,
        list(found.evidence),
    )


def text_of(entry: ClaimEntry) -> str:
    """Everything that an outcome says."""
    parts = [entry.detail, entry.repair, entry.bound, entry.counterexample, *entry.evidence, *entry.witnesses]
    return "\n".join(parts)


def compare(id: str, found: Found) -> list[str]:
    """Where the second way and the stored outcome disagree, a line each."""
    entry = entry_of(id)
    wrong = [] if entry.verdict == found.verdict else [f"{id}: stored {entry.verdict}, second way {found.verdict}"]
    text = text_of(entry)
    return wrong + [f"{id}: the second way says {said!r}" for said in found.says if said not in text]


def all_of(readings: Iterable[bool]) -> str:
    """The verdict of a claim with several readings: true in all, in none, or in some."""
    values = list(readings)
    return "holds" if all(values) else "depends" if any(values) else "refuted"


def after_repair(literally: bool, repaired: bool) -> str:
    """The verdict of a claim that is checked literally, and then with its repair."""
    return "holds" if literally else "holds-repaired" if repaired else "refuted"


def yes(value: bool) -> str:
    """As outcomes say it."""
    return "yes" if value else "no"
