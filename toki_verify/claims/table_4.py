"""Table 4: the verdict matrix over eight systems, beside what exploring their write paths finds (TOKI 2026, D.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from ..designs.library import design
from ..designs.review import CellResult, Review
from ..designs.verify import Verifier
from ..designs.words import Teller
from .cells import Cells
from .model import Claim, Outcome

_WHERE: Final = "TOKI 2026, Table 4, Table 16 (D.3)"
ANOMALIES: Final = ("N1", "N2", "N3")
LETTERS: Final = {"A": "admits", "X": "excludes", "-": "abstains"}
#: The bound at which the claim is decided.
WRITERS, CRASHES = 2, 1


@dataclass(frozen=True)
class SeedRow:
    """A row of Table 4: the system, its layer (T: the published logic transcribed; I: the shipped code), and per
    anomaly the letters of Claim and Wire."""

    system: str
    layer: str
    cells: tuple[tuple[str, str], tuple[str, str], tuple[str, str]]

    def letters(self, anomaly: str) -> tuple[str, str]:
        """Claim and Wire of an anomaly."""
        return self.cells[ANOMALIES.index(anomaly)]


def _row(text: str) -> SeedRow:
    system, layer, *letters = text.rsplit(maxsplit=7)
    one, two, three = zip(letters[::2], letters[1::2], strict=True)
    return SeedRow(system, layer, (one, two, three))


#: What the paper says: Claim and Wire of N1, of N2, of N3.
SEED: Final = tuple(
    map(
        _row,
        (
            "mem0 v2   T  - -  - -  A A",
            "mem0 v3   T  A A  A A  A A",
            "mem0 v3   I  A -  A X  A A",
            "Graphiti  T  A A  - -  A A",
            "Graphiti  I  A -  - -  A A",
            "Letta     T  - -  A A  A A",
            "Letta     I  - -  A -  A A",
            "Zep       T  - -  A A  A A",
            "Zep       I  - -  A A  A A",
            "MIRIX     T  A A  A A  - -",
            "WorldDB   T  X X  X X  X X",
            "Toki      I  X X  X X  X X",
        ),
    )
)

#: Which designs of the library are a system of the table: the first one as it is delivered, then its configurations.
DESIGNS: Final[dict[str, tuple[str, ...]]] = {
    "mem0 v2": ("mem0-v2",),
    "mem0 v3": ("mem0-v3",),
    "Graphiti": ("graphiti", "graphiti-cache"),
    "Letta": ("letta", "letta-serializable", "letta-git"),
    "Zep": ("zep", "zep-replicas"),
    "MIRIX": ("mirix",),
    "WorldDB": ("worlddb",),
    "Toki": ("toki-keyed", "toki-printed"),
}


def rows_of(slug: str) -> tuple[SeedRow, ...]:
    """The rows of the table that a design of the library stands for; none for the textbook designs."""
    systems = {system for system, slugs in DESIGNS.items() if slug in slugs}
    return tuple(row for row in SEED if row.system in systems)


def seed_letters(slug: str, anomaly: str) -> str:
    """What the table says of a design, a row a pair of letters: `T A/A, I A/X`."""
    return ", ".join(f"{row.layer} {'/'.join(row.letters(anomaly))}" for row in rows_of(slug))


def disagreements(row: SeedRow, anomaly: str, found: CellResult) -> list[str]:
    """Where a row says something else than was found, a line for Claim and Wire. An abstention says nothing."""
    lines = []
    for column, letter in zip(("Claim", "Wire"), row.letters(anomaly), strict=True):
        if letter != "-" and LETTERS[letter] != found.verdict:
            lines.append(f"{column} of {row.system} ({row.layer}) {LETTERS[letter]} {anomaly}")
    return lines


@cache
def reviewed(slug: str) -> Review:
    """The three anomalies of a design, at the bound of the claim."""
    return Verifier(design(slug), only=ANOMALIES).verify(WRITERS, CRASHES)


def _said(slug: str, found: CellResult) -> str:
    name = reviewed(slug).described.name
    if found.found is None:
        return f"{name} {found.verdict} {found.cell.id} {found.reason}"
    told = Teller().tell(found)
    return f"{name} {found.verdict} {found.cell.id}: {told.text}{told.what}"


def _system(system: str, anomaly: str) -> Outcome:
    slugs = DESIGNS[system]
    found = {slug: reviewed(slug).results[anomaly] for slug in slugs}
    rows = [row for row in SEED if row.system == system]
    wrong = {slug: [text for row in rows for text in disagreements(row, anomaly, found[slug])] for slug in slugs}
    evidence = tuple(_said(slug, found[slug]) for slug in slugs)
    letters = [letter for row in rows for letter in row.letters(anomaly)]
    bound = f"{WRITERS} writers, {CRASHES} crash, 2 votes"
    runs = sum(reviewed(slug).runs for slug in slugs)
    if any(result.verdict in ("undecided", "undefined") for result in found.values()):
        return Outcome("undecided", "exhaustive", "a cell could not be decided", evidence=evidence, bound=bound)
    if set(letters) == {"-"}:
        said = "; ".join(f"{reviewed(slug).described.name} {found[slug].verdict} it" for slug in slugs)
        return Outcome(
            "vacuous", "exhaustive", f"the paper abstains; decided here: {said}", evidence=evidence, bound=bound
        )
    first = found[slugs[0]]
    detail = f"{runs:,} schedules up to equivalence, {len(slugs)} configuration{'s' if len(slugs) > 1 else ''}"
    if not wrong[slugs[0]]:
        others = [slug for slug in slugs if wrong[slug]]
        verdict = "depends" if others else "holds"
        more = f"; otherwise in {', '.join(reviewed(slug).described.name for slug in others)}" if others else ""
        return Outcome(
            verdict, "exhaustive", detail + more, evidence=evidence, bound=bound, witnesses=_schedules(first)
        )
    text = "; ".join(dict.fromkeys(wrong[slugs[0]]))
    counterexample = first.found.straight.schedule if first.found is not None else None
    return Outcome(
        "refuted",
        "exhaustive",
        f"{detail}. The paper: {text}. {evidence[0]}",
        evidence=evidence,
        bound=bound,
        counterexample=counterexample,
    )


def _schedules(found: CellResult) -> tuple:  # type: ignore[type-arg]
    return () if found.found is None else (found.found.straight.schedule,)


def _whole(cells: Cells) -> Outcome:
    parts = [(f"Tab4.{_slug(system)}.{name}", _system(system, name)) for system in DESIGNS for name in ANOMALIES]
    counts = {
        verdict: sum(part.verdict == verdict for _, part in parts)
        for verdict in ("holds", "depends", "refuted", "vacuous")
    }
    refuted = [id for id, part in parts if part.verdict == "refuted"]
    detail = (
        f"of {len(parts)} cells (system, anomaly) {counts['holds']} agree with the table, {counts['depends']} agree in "
        f"the configuration that is delivered and not in another, {counts['refuted']} disagree, and on "
        f"{counts['vacuous']} the table abstains"
    )
    evidence = tuple(f"{id}: {part.detail}" for id, part in parts if part.verdict in ("refuted", "vacuous", "depends"))
    first = next((part.counterexample for _, part in parts if part.counterexample is not None), None)
    verdict = "refuted" if refuted else "holds"
    bound = f"{WRITERS} writers, {CRASHES} crash, 2 votes"
    return Outcome(
        verdict, "exhaustive", detail, evidence=evidence, counterexample=first, bound=bound, parts=tuple(parts)
    )


def _slug(system: str) -> str:
    return system.lower().replace(" ", "-")


_READING: Final = (
    "a system is its write path as SYSTEMS.md has it, run by two writers that contradict each other and one crash; "
    "N1, N2, N3 are the default readings; an abstention (-) claims nothing"
)

CLAIMS: Final = (
    Claim(
        "Tab4", _WHERE, "Claim and Wire of Table 4 are what the write paths of the eight systems do", _READING, _whole
    ),
    *(
        Claim(
            f"Tab4.{_slug(system)}.{name}",
            _WHERE,
            f"{system}, {name}: "
            + "; ".join(
                f"{row.layer} {LETTERS[row.letters(name)[0]]} by Claim, {LETTERS[row.letters(name)[1]]} by Wire"
                for row in SEED
                if row.system == system
            ),
            _READING,
            lambda cells, system=system, name=name: _system(system, name),  # type: ignore[misc]
        )
        for system in DESIGNS
        for name in ANOMALIES
    ),
)
