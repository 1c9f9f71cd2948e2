"""A large trace, checked: every phenomenon and level by the columnar reading, what is present by the concrete one.

Of each phenomenon that is present the transactions that show it are taken out as a schedule of their own, as small as
delta debugging makes it (`smallest.py`), and the concrete reading finds it there again: that is the evidence, and a
check of this reading on the way. N3 is told by its events alone: a row that keeps what was lost may be in another
transaction.

What is asked of a trace is judged as `checker.check` judges a schedule, in the same words. A `CheckedTrace` holds no
arrays and no formulas, so that another process can send it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..checker import check
from ..events import Schedule
from ..explain.evidence import Evidence
from ..levels.lattice import DEFAULT_FAMILY, families
from ..levels.spec import parse_spec, spec_parts
from ..phenomena.catalogue import Phenomenon, catalogue, phenomenon
from ..relations.concrete import Concrete
from ..verdict import Judged
from .columnar.counting import Counted
from .columnar.decide import Decided, Tell, decide, speaks_of_recovery
from .columnar.found import Found
from .of_trace import part_of
from .smallest import smallest
from .trace import Trace
from .trace_warnings import warnings_of

#: Why something is open that was not decided when Ctrl-C came.
INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Place:
    """Where something is: events by their numbers from 0 on, and the lines of the file at which they stand."""

    events: tuple[int, ...]
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Count:
    """How often a phenomenon is there, in its unit, `exact` or at least so often, and the first ones by time."""

    number: int
    unit: str
    exact: bool
    first: tuple[Place, ...]


@dataclass(frozen=True)
class Shown:
    """A phenomenon that is present: where, a schedule of the transactions that show it, what the concrete reading says
    of it there, and which phenomena are anomalies of that schedule (None for N3, where there are too many, and where
    the concrete reading needs more than these transactions). `refuted`: the levels that this schedule refutes, as
    `family:id`, and why, where that was asked for."""

    id: str
    place: Place
    part: Schedule | None = None
    evidence: Evidence | None = None
    anomalies: tuple[str, ...] = ()
    refuted: tuple[tuple[str, Evidence], ...] = ()

    @property
    def phenomenon(self) -> Phenomenon:
        """Its entry in the catalogue."""
        return catalogue()[self.id]

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of the file."""
        return self.place.lines


@dataclass(frozen=True)
class CheckedTrace:
    """What is known of a trace. `told` are the phenomena that are explained, `also` the ids of those that the same
    schedules show; `places` says where each present one is, `counts` how often; `judged` what was asked for, and
    whether it is so (None: undecided); `declared` the level among it, as `family:id`. `interrupted`: Ctrl-C came, and
    what was not decided by then is open."""

    source: str
    events: int
    transactions: int
    items: int
    decided: Decided
    told: tuple[Shown, ...]
    also: tuple[str, ...]
    places: dict[str, Place]
    counts: dict[str, Count]
    judged: tuple[Judged, ...] = ()
    declared: str | None = None
    warnings: tuple[str, ...] = ()
    interrupted: bool = False
    #: With `evidence`: a serial order of the committed transactions, and their start and commit numbers.
    serial_order: tuple[str, ...] | None = None
    timestamps: tuple[tuple[str, int, int], ...] | None = None

    @property
    def ok(self) -> bool | None:
        """Whether all that was asked for is so; where nothing was, whether there is no anomaly."""
        if self.judged:
            outcomes = {one.met for one in self.judged}
            return False if False in outcomes else None if None in outcomes else True
        return False if self.told else None if self.undecided() else True

    def failed(self) -> list[str]:
        """What was asked for and is not so, as `report/json.py` says it."""
        return [f"{one.text}: {one.detail}" if one.detail else one.text for one in self.judged if one.met is False]

    def undecided(self) -> list[Phenomenon]:
        """Phenomena of a default reading that could not be decided."""
        return [entry for entry in self.open() if "[" not in entry.id]

    def open(self) -> list[Phenomenon]:
        """Phenomena of any reading that could not be decided."""
        return [entry for name, entry in catalogue().items() if self.decided.present[name] is None]

    def why_open(self, entry: Phenomenon) -> str:
        """Why a phenomenon is undecided."""
        return INTERRUPTED if entry.id in self.decided.unreached else entry.reason

    def maximal(self, family: str) -> tuple[str, ...]:
        """The strongest levels of a family that hold."""
        found = families()[family]
        return tuple(found.maximal(level.id for level in found.levels if self.decided.holds[level.full_id]))

    def refutation(self, level: str) -> tuple[Shown, Evidence] | None:
        """What refutes a level (`family:id`), and the phenomenon in whose schedule; None where no schedule does."""
        return next(((shown, why) for shown in self.told for name, why in shown.refuted if name == level), None)


def anomalies(present: Iterable[str]) -> list[Phenomenon]:
    """The phenomena among these that are anomalies by themselves, core ones first."""
    found = [entry for name, entry in catalogue().items() if name in set(present) and "[" not in name]
    return sorted((entry for entry in found if not entry.pattern), key=lambda entry: not entry.core)


def check_trace(
    trace: Trace,
    *,
    level: str | None = None,
    absent: Iterable[str] = (),
    family: str = DEFAULT_FAMILY,
    annotated: bool | None = None,
    evidence: bool = False,
    limit: int = 3,
    tell: Tell | None = None,
) -> CheckedTrace:
    """Decide everything about a trace, and judge what is asked of it as `checker.check` does.

    `level` is a specification of built-in levels (`SI`, `RC+SR@judge_log`), of `family` unless it names one; `absent`
    are phenomena that must not be there, by id or alias; with neither every anomaly counts. N3 is one only of a trace
    that states a provenance (`annotated` overrides that). With `evidence` every level that a part refutes is explained,
    and not the declared one alone. Of each phenomenon the first `limit` by time are listed. `tell` hears how far it is;
    then Ctrl-C ends it, and what is known is kept.
    Raises UnknownName for names that are in no catalogue.
    """
    parts = () if level is None else spec_parts(level, default=family)[1]
    declared = None if level is None else parse_spec(level, default=family).full_id
    forbidden = [phenomenon(name) for name in absent]
    decided = decide(trace, parts=parts, limit=limit, evidence=evidence, tell=tell)
    speaks = speaks_of_recovery(trace) if annotated is None else annotated
    telling = _Telling(trace, declared, evidence, decided, tell)
    telling.tell_all([entry for entry in anomalies(decided.found) if speaks or not entry.annotated])
    found = CheckedTrace(
        trace.source,
        trace.events,
        len(trace.start),
        len(trace.table),
        decided,
        tuple(telling.told),
        tuple(telling.also),
        {name: place_of(trace, candidates(decided, name)[0]) for name in decided.found}
        | {shown.id: shown.place for shown in telling.told},
        {name: count_of(trace, counted) for name, counted in decided.counts.items()},
        declared=declared,
        warnings=(*trace.warnings, *warnings_of(trace, parts)),
        interrupted=telling.interrupted,
        serial_order=_serial_order(trace, decided),
        timestamps=_timestamps(trace, decided),
    )
    found = replace(found, decided=replace(decided, shows=None))
    judged = [] if declared is None else [_judged_level(declared, decided)]
    judged += [_judged_absent(found, entry) for entry in forbidden]
    return replace(found, judged=tuple(judged))


def _serial_order(trace: Trace, decided: Decided) -> tuple[str, ...] | None:
    if decided.shows is None or decided.shows.serial is None:
        return None
    return tuple(trace.transactions[txn] for txn in decided.shows.serial.tolist())


def _timestamps(trace: Trace, decided: Decided) -> tuple[tuple[str, int, int], ...] | None:
    if decided.shows is None or decided.shows.start is None or decided.shows.commit is None:
        return None
    both = zip(decided.shows.start.tolist(), decided.shows.commit.tolist(), strict=True)
    return tuple((trace.transactions[txn], one, other) for txn, (one, other) in enumerate(both) if other >= 0)


def _judged_level(declared: str, decided: Decided) -> Judged:
    holds = decided.declared
    why = "" if holds else INTERRUPTED if holds is None else "the schedule is not at this level"
    return Judged(f"level {declared}", holds, why)


def _judged_absent(found: CheckedTrace, entry: Phenomenon) -> Judged:
    present = found.decided.present[entry.id]
    why = found.why_open(entry) if present is None else "it is present" if present else ""
    return Judged(f"no {entry.id}", None if present is None else not present, why)


class _Telling:
    """Takes out the parts that show what is present, until Ctrl-C."""

    def __init__(self, trace: Trace, declared: str | None, evidence: bool, decided: Decided, tell: Tell | None) -> None:
        self.trace, self.declared, self.evidence, self.decided, self.tell = trace, declared, evidence, decided, tell
        self.interrupted = decided.interrupted
        self.told: list[Shown] = []
        self.also: list[str] = []

    def tell_all(self, present: list[Phenomenon]) -> None:
        """Tell anomalies, core ones first: those that an earlier part has shown already are only named."""
        covered: set[str] = set()
        for number, entry in enumerate(present):
            if self.tell is not None:
                self.tell("evidence", number, len(present))
            if entry.id in covered and not entry.core:
                self.also.append(entry.id)
                continue
            shown = self._shown(entry)
            self.told.append(shown)
            covered |= set(shown.anomalies)

    def _shown(self, entry: Phenomenon) -> Shown:
        """The first of its candidates; if no schedule of those transactions shows it again, then another."""
        places = candidates(self.decided, entry.id)
        bare = Shown(entry.id, place_of(self.trace, places[0]))
        if entry.id.startswith("N3"):
            return bare
        try:
            for place in places if not self.interrupted else ():
                shown = self._explained(entry, place)
                if shown is not None:
                    return shown
        except KeyboardInterrupt:
            if self.tell is None:
                raise
            self.interrupted = True
        return bare

    def _explained(self, entry: Phenomenon, found: Found) -> Shown | None:
        """The smallest schedule of these transactions that shows it and refutes what they refute; None where they are
        too many, and where reads of transactions that are left out were needed."""
        try:
            whole, numbers = part_of(self.trace, transactions_of(self.trace, found))
        except ValueError:
            return None
        asked = [] if self.declared is None else [parse_spec(self.declared)]
        asked += [level for family in families().values() for level in family.levels] if self.evidence else []
        reading = Concrete(whole)
        if not reading.holds(entry.formula):
            return None
        refuted = [level for level in asked if not reading.holds(level.formula)]

        def shows(part: Schedule) -> bool:
            reading = Concrete(part)
            return reading.holds(entry.formula) and not any(reading.holds(level.formula) for level in refuted)

        events = {int(self.trace.event[access]) for access in found.accesses}
        part = smallest(whole, shows, keep=[at for at, number in enumerate(numbers) if number in events])
        verdict = check(part, level=self.declared)
        levels = {one.level.full_id: one for family in verdict.levels.values() for one in family.values()}
        levels = levels if self.evidence else {}
        if verdict.declared is not None:
            levels = levels | {verdict.declared.level.full_id: verdict.declared}
        refutations = [(name, one.refutation) for name, one in levels.items()]
        return Shown(
            entry.id,
            place_of(self.trace, found),
            part=part,
            evidence=verdict.findings[entry.id].evidence,
            anomalies=tuple(one.phenomenon.id for one in verdict.anomalies()),
            refuted=tuple((name, why) for name, why in refutations if why is not None),
        )


def candidates(decided: Decided, name: str) -> list[Found]:
    """Where a phenomenon that is present is, the example to tell first: of the first ones that were counted, by time,
    and behind them of what was found, those with the fewest accesses first. All forms of a report tell this example.

    N3 is not explained by a part, so that fewer accesses make it no plainer: its first one by time is told."""
    counted = decided.counts.get(name)
    found = [*(counted.first if counted else ()), decided.found[name]]
    return found if name.startswith("N3") else sorted(found, key=lambda one: len(one.accesses))


def place_of(trace: Trace, found: Found) -> Place:
    """Where the accesses of something that was found stand: events and lines, ascending."""
    lines = () if trace.line is None else sorted({int(trace.line[access]) for access in found.accesses})
    return Place(tuple(sorted({int(trace.event[access]) for access in found.accesses})), tuple(lines))


def count_of(trace: Trace, counted: Counted) -> Count:
    """How often something is there, with places for accesses."""
    first = tuple(place_of(trace, found) for found in counted.first)
    return Count(counted.number, counted.unit, counted.exact, first)


def transactions_of(trace: Trace, found: Found) -> set[int]:
    """The transactions of what was found, and those that wrote what it saw."""
    versions = [int(trace.version[access]) for access in found.accesses if trace.version[access] >= 0]
    writers = [int(trace.txn[trace.writer[version]]) for version in versions if trace.writer[version] >= 0]
    return {*(int(trace.txn[access]) for access in found.accesses), *writers}
