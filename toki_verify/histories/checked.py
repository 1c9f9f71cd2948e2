"""A history, checked: its findings, its session levels, and the smallest part behind each level that it is not at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ..events import Problem, Schedule
from ..levels.session import FAMILY
from .columns import History
from .minimise import minimise
from .named import phenomena_of
from .parallel.joined import decide_in_parts
from .sessions.findings import Finding
from .sessions.verdict import INTERRUPTED, LevelOutcome, SessionVerdict, decide
from .sessions.words import lost_writes
from .to_schedule import schedule_of

#: The session levels, each behind those that it implies.
LEVELS: Final[tuple[str, ...]] = tuple(level.id for level in FAMILY.levels)
_BELOW: Final = {level.id: level.below for level in FAMILY.levels}
#: Histories of up to so many operations are made smaller as a whole; of larger ones only what is around the cycle is.
_WHOLE: Final = 2_000


@dataclass(frozen=True)
class Refuted:
    """A level that does not hold: why in words, the transactions of the cycle, the stronger levels that fall with it,
    the smallest part of the history that was found to show it, that part as a schedule, where there is one, and the
    phenomena that this shows (`named.py`)."""

    level: str
    text: str
    transactions: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    also: tuple[str, ...] = ()
    part: History | None = None
    schedule: Schedule | None = None
    phenomena: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """What is known of one history. `levels` is three-valued; `reasons` says why where it is None."""

    history: History
    verdict: SessionVerdict
    levels: dict[str, bool | None]
    reasons: dict[str, str]
    findings: tuple[Finding, ...]
    refuted: tuple[Refuted, ...] = ()
    declared: str | None = None
    problems: tuple[Problem, ...] = field(default=())
    #: Whether Ctrl-C came before everything was decided and made smaller.
    interrupted: bool = False

    @property
    def ok(self) -> bool | None:
        """Whether it is at the declared level, or, where none is, at all of them; and whether nothing is wrong with
        single reads."""
        if any(finding.refutes for finding in self.findings):
            return False
        asked = [self.levels[self.declared]] if self.declared else list(self.levels.values())
        return False if False in asked else None if None in asked else True

    @property
    def sessions(self) -> int:
        """How many sessions there are; a transaction of none is one by itself."""
        session = self.history.session
        return len(np.unique(session[session >= 0])) + int((session < 0).sum())

    def maximal(self) -> tuple[str, ...]:
        """The levels that hold and that no other level that holds implies."""
        held = {name for name, holds in self.levels.items() if holds}
        implied = {below for name in held for below in _all_below(name)}
        return tuple(name for name in self.levels if name in held - implied)


def _all_below(level: str) -> set[str]:
    found: set[str] = set()
    stack = list(_BELOW[level])
    while stack:
        name = stack.pop()
        found.add(name)
        stack += _BELOW[name]
    return found


def weakest(refuted: Iterable[str]) -> tuple[str, ...]:
    """Of refuted levels those that no other one of them lies below."""
    names = set(refuted)
    return tuple(name for name in LEVELS if name in names and not names & _all_below(name))


def check_history(
    history: History,
    *,
    levels: tuple[str, ...] = LEVELS,
    declared: str | None = None,
    seconds: float | None = None,
    realtime: bool = False,
    smallest: bool = True,
    tell: Callable[[str], None] | None = None,
    jobs: int = 1,
) -> Checked:
    """Decide the session levels of a history. `seconds` bounds what needs a solver, `smallest` looks for the smallest
    part that refutes each of the weakest levels that fail. `tell` is called with each level that is decided; then
    Ctrl-C leaves the other levels open (`sessions.verdict.decide`), and no smallest part is looked for.
    `jobs` processes decide independent parts (`parallel.joined.decide_in_parts`); nothing else depends on them."""
    verdict = decide_in_parts(history, levels=levels, seconds=seconds, realtime=realtime, tell=tell, jobs=jobs)
    interrupted = any(found.reason == INTERRUPTED for found in verdict.levels)
    results = {found.level: found.holds for found in verdict.levels}
    failed = [name for name, holds in results.items() if holds is False]
    findings = tuple(verdict.findings)
    refuted = []
    if not any(finding.refutes for finding in findings):
        for name in weakest(failed):
            found = verdict[name]
            also = tuple(other for other in failed if name in _all_below(other))
            told = _told(history, found)
            part = None
            try:
                part = _smallest(history, name, told.transactions, realtime) if smallest and not interrupted else None
            except KeyboardInterrupt:
                if tell is None:
                    raise
                interrupted = True
            if part is not None:
                told = _told_by(part, history, name, realtime) or told
            schedule = _as_schedule(part, realtime)
            names = () if schedule is None else phenomena_of(schedule)
            refuted.append(Refuted(name, told.text, told.transactions, told.lines, also, part, schedule, names))
    return Checked(
        history,
        verdict,
        results,
        {found.level: found.reason for found in verdict.levels if found.holds is None},
        findings,
        tuple(refuted),
        declared,
        interrupted=interrupted,
    )


@dataclass(frozen=True)
class _Told:
    """Why a level does not hold: in words, the transactions of it, the lines."""

    text: str
    transactions: tuple[int, ...]
    lines: tuple[int, ...]


def _told(history: History, found: LevelOutcome) -> _Told:
    operations = _operations(history, found)
    owners = np.searchsorted(history.first, operations, side="right") - 1
    ends = [txn for case in found.cases for edge in case for txn in (edge.source, edge.target) if txn >= 0]
    transactions = tuple(dict.fromkeys([*map(int, owners), *ends]))
    return _Told(found.reason, transactions, tuple(dict.fromkeys(int(history.line[at]) for at in operations)))


def _told_by(part: History, whole: History, level: str, realtime: bool) -> _Told | None:
    """What the smallest part says itself, so that words, lines and part are about the same transactions: a part has the
    names and lines of the whole. None where it is refuted without words of its own."""
    found = decide(part, levels=(level,), seconds=2.0, realtime=realtime)[level]
    if found.holds is not False or not found.reason or not _operations(part, found):
        return None
    told = _told(part, found)
    place = _places(part, whole)
    return _Told(told.text, tuple(place[txn] for txn in told.transactions), told.lines)


def _places(part: History, whole: History) -> list[int]:
    """The number that each transaction of a part has in the whole: `restrict` keeps their order, so that of several of
    one name the next one with a line of it is meant."""
    numbers: list[int] = []
    for txn, name in enumerate(part.transactions):
        at = np.flatnonzero(whole.line == part.line[part.first[txn]])
        owners = np.unique(np.searchsorted(whole.first, at, side="right") - 1).tolist()
        last = numbers[-1] if numbers else -1
        numbers.append(next(owner for owner in owners if owner > last and whole.transactions[owner] == name))
    return numbers


def _operations(history: History, found: LevelOutcome) -> list[int]:
    """The operations that refute a level."""
    lost = (*found.lost, *lost_writes(history, found.lost))
    of_cycles = [operation for case in found.cases for edge in case for operation in edge.operations]
    return list(dict.fromkeys(int(operation) for operation in (*lost, *of_cycles) if operation >= 0))


def _smallest(history: History, level: str, transactions: tuple[int, ...], realtime: bool) -> History | None:
    """The smallest part that is not at the level; None where none smaller than a large history was found."""

    def shows(part: History) -> bool:
        return decide(part, levels=(level,), seconds=2.0, realtime=realtime)[level].holds is False

    start = list(transactions)
    if history.size > _WHOLE:
        from .restrict import of_transactions, restrict

        history, start = restrict(history, of_transactions(history, start)), []
        if not shows(history):
            return None
    return minimise(history, shows, start=start, tests=400)


def _as_schedule(part: History | None, realtime: bool) -> Schedule | None:
    if part is None:
        return None
    try:
        return schedule_of(part, realtime=realtime)
    except ValueError:
        return None
