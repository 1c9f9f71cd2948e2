"""A large trace, checked: every phenomenon and level by the columnar reading, what is present by the concrete one.

Of each phenomenon that is present the transactions that show it are taken out as a schedule of their own, and the
concrete reading finds it there again: that is the evidence, and a check of this reading on the way. N3 is told by its
events alone: a row that keeps what was lost may be in another transaction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..checker import check
from ..explain.evidence import Evidence
from ..levels.lattice import families
from ..phenomena.catalogue import Phenomenon, catalogue
from ..verdict import Verdict
from .columnar.decide import Decided, decide
from .columnar.found import Found
from .of_trace import schedule_of_part
from .trace import Trace


@dataclass(frozen=True)
class Shown:
    """A phenomenon that is present: the lines of the file that show it, and a schedule of their transactions in which
    the concrete reading finds it (None for N3, and where there are too many)."""

    phenomenon: Phenomenon
    lines: tuple[int, ...]
    part: Verdict | None = None

    @property
    def evidence(self) -> Evidence | None:
        """What the concrete reading says of it."""
        return None if self.part is None else self.part.findings[self.phenomenon.id].evidence


@dataclass(frozen=True)
class CheckedTrace:
    """What is known of a trace. `told` are the phenomena that are explained, `also` the ids of those that the same
    schedules show; `judged` says of each thing that was asked for whether it is so (None: undecided)."""

    trace: Trace
    decided: Decided
    told: tuple[Shown, ...]
    also: tuple[str, ...]
    judged: dict[str, bool | None]

    @property
    def ok(self) -> bool | None:
        """Whether all that was asked for is so."""
        outcomes = set(self.judged.values())
        return False if False in outcomes else None if None in outcomes else True

    def maximal(self, family: str) -> tuple[str, ...]:
        """The strongest levels of a family that hold."""
        found = families()[family]
        return tuple(found.maximal(level.id for level in found.levels if self.decided.holds[level.full_id]))


def anomalies(present: Iterable[str]) -> list[Phenomenon]:
    """The phenomena among these that are anomalies by themselves, core ones first."""
    found = [entry for name, entry in catalogue().items() if name in set(present) and "[" not in name]
    return sorted((entry for entry in found if not entry.pattern), key=lambda entry: not entry.core)


def check_trace(
    trace: Trace, *, level: str | None = None, absent: tuple[str, ...] = (), annotated: bool | None = None
) -> CheckedTrace:
    """Decide everything about a trace. `level` is `family:id`, `absent` are phenomena that must be absent; with neither
    every anomaly counts. N3 is one only of a trace that states a provenance (`annotated` overrides that)."""
    decided = decide(trace)
    counts = bool((trace.prov >= 0).any() or trace.surface) if annotated is None else annotated
    present = [name for name, holds in decided.present.items() if holds]
    told: list[Shown] = []
    also: list[str] = []
    covered: set[str] = set()
    for entry in anomalies(present):
        if entry.annotated and not counts:
            continue
        if entry.id in covered and not entry.core:
            also.append(entry.id)
            continue
        shown = _shown(trace, entry, decided.found[entry.id])
        told.append(shown)
        if shown.part is not None:
            covered |= {finding.phenomenon.id for finding in shown.part.anomalies()}
    judged: dict[str, bool | None] = {}
    if level is not None:
        judged[f"level {level}"] = decided.holds[level]
    for name in absent:
        answer = decided.present[name]
        judged[f"no {name}"] = None if answer is None else not answer
    if level is None and not absent:
        judged = {f"no {shown.phenomenon.id}": False for shown in told} | {
            f"no {name}": None for name, answer in decided.present.items() if answer is None and "[" not in name
        }
    return CheckedTrace(trace, decided, tuple(told), tuple(also), judged)


def _shown(trace: Trace, entry: Phenomenon, found: Found) -> Shown:
    lines = () if trace.line is None else tuple(sorted({int(trace.line[access]) for access in found.accesses}))
    if entry.id.startswith("N3"):
        return Shown(entry, lines)
    versions = [int(trace.version[access]) for access in found.accesses if trace.version[access] >= 0]
    writers = [int(trace.txn[trace.writer[version]]) for version in versions if trace.writer[version] >= 0]
    txns = {*(int(trace.txn[access]) for access in found.accesses), *writers}
    try:
        part = check(schedule_of_part(trace, txns))
    except ValueError:
        return Shown(entry, lines)
    # Where reads of left-out transactions were needed the concrete reading does not find it: then the lines are all.
    return Shown(entry, lines, part if part.findings[entry.id].present else None)
