"""Verdicts as data: what a check found. Reports are pure functions of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .events import Expectation, Schedule
from .explain.evidence import Evidence, Support
from .levels.lattice import Level
from .phenomena.catalogue import Phenomenon
from .relations.surface import speaks_of_recovery


@dataclass
class Finding:
    """A phenomenon in a schedule: present, absent, or undecided (None, for `reason`).

    Evidence is made when it is asked for.
    """

    phenomenon: Phenomenon
    present: bool | None
    reason: str = ""
    make_evidence: Callable[[], Evidence | None] = field(default=lambda: None, repr=False)
    _evidence: Evidence | None = field(default=None, repr=False)

    @property
    def evidence(self) -> Evidence | None:
        """The events and the cycle that make it present; None unless it is."""
        if self._evidence is None and self.present:
            self._evidence = self.make_evidence()
        return self._evidence


@dataclass
class LevelFinding:
    """A level of a schedule: holds (then `support` shows it), does not (then `refutation` does), or undecided."""

    level: Level
    holds: bool | None
    reason: str = ""
    make_support: Callable[[], Support] = field(default=lambda: Support("absence"), repr=False)
    make_refutation: Callable[[], Evidence | None] = field(default=lambda: None, repr=False)
    _support: Support | None = field(default=None, repr=False)
    _refutation: Evidence | None = field(default=None, repr=False)

    @property
    def support(self) -> Support | None:
        """The serial order, commit order or timestamps of a level that holds."""
        if self._support is None and self.holds:
            self._support = self.make_support()
        return self._support

    @property
    def refutation(self) -> Evidence | None:
        """The smallest reason why a level does not hold."""
        if self._refutation is None and self.holds is False:
            self._refutation = self.make_refutation()
        return self._refutation


@dataclass(frozen=True)
class Judged:
    """An expectation, or the declared level, and whether it was met (None: undecided)."""

    text: str
    met: bool | None
    detail: str = ""
    line: int | None = None
    expectation: Expectation | None = None


@dataclass(repr=False)
class Verdict:
    """Everything a check found out about one schedule. `str()` is the report that people read."""

    schedule: Schedule
    findings: Mapping[str, Finding]
    levels: Mapping[str, Mapping[str, LevelFinding]]
    judged: tuple[Judged, ...] = ()
    declared: LevelFinding | None = None
    warnings: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None

    @property
    def name(self) -> str:
        """The schedule's name, or its file, or `schedule`."""
        return self.schedule.name or self.file or "schedule"

    def __repr__(self) -> str:
        present = ", ".join(finding.phenomenon.id for finding in self.anomalies()) or "no anomaly"
        return f"<Verdict on {self.name}: {present}; {' '.join(self.maximal('graph')) or 'no level'}; ok={self.ok}>"

    def __str__(self) -> str:
        from .report.line import plain
        from .report.text import details

        return plain(details(self))

    def _repr_html_(self) -> str:
        """For notebooks: the picture and the verdict."""
        from .report.html import notebook

        return notebook(self.schedule)

    def present(self) -> list[Finding]:
        """Every phenomenon that is present, in catalogue order."""
        return [finding for finding in self.findings.values() if finding.present]

    def anomalies(self) -> list[Finding]:
        """The present phenomena that are anomalies by themselves: default readings that are no mere patterns.

        N3 is one where the schedule states provenances or a surface; otherwise every overwritten version would be one.
        """
        return [f for f in self.present() if "[" not in f.phenomenon.id and self._counts(f.phenomenon)]

    def _counts(self, phenomenon: Phenomenon) -> bool:
        return not phenomenon.pattern and (not phenomenon.annotated or speaks_of_recovery(self.schedule))

    def told(self) -> tuple[list[Finding], list[Finding]]:
        """The anomalies to tell, core ones first, and those that the same events make (G2 beside P4, say)."""
        told: list[Finding] = []
        also: list[Finding] = []
        for finding in sorted(self.anomalies(), key=lambda f: not f.phenomenon.core):
            covered = any(_covers(other, finding) for other in told)
            (also if covered and not finding.phenomenon.core else told).append(finding)
        return told, also

    def line_of(self, evidence: Evidence | None) -> int | None:
        """The line of the file at which the last event of the evidence stands, or where the schedule begins."""
        lines = self.schedule.lines
        return lines[evidence.events[-1]] if evidence is not None and evidence.events and lines else self.line

    def undecided(self) -> list[Finding]:
        """Phenomena of a default reading that could not be decided."""
        return [f for f in self.findings.values() if f.present is None and "[" not in f.phenomenon.id]

    def failed(self) -> list[Judged]:
        """Expectations and declarations that were not met."""
        return [judged for judged in self.judged if judged.met is False]

    @property
    def ok(self) -> bool | None:
        """True: as expected; False: not; None: it hangs on something undecided (NOTATION, exit codes)."""
        if self.judged:
            if self.failed():
                return False
            return None if any(judged.met is None for judged in self.judged) else True
        if self.anomalies():
            return False
        return None if self.undecided() else True

    def maximal(self, family: str) -> tuple[str, ...]:
        """The maximal levels of a family that hold."""
        from .levels.lattice import families

        found = self.levels[family]
        return families()[family].maximal(name for name, level in found.items() if level.holds)

    def weakest_refuted(self, family: str) -> list[LevelFinding]:
        """The refuted levels of a family all of whose lower levels hold."""
        from .levels.lattice import families

        found = self.levels[family]
        ordered = families()[family]
        return [
            finding
            for finding in found.values()
            if finding.holds is False
            and not finding.level.variant
            and all(
                found[level.id].holds
                for level in ordered.ordered()
                if level.id != finding.level.id and level.id in ordered.under(finding.level)
            )
        ]


def _covers(told: Finding, finding: Finding) -> bool:
    one, other = told.evidence, finding.evidence
    return one is not None and other is not None and set(other.events) <= set(one.events)
