"""Which session levels a black-box history has: `decide`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from ..columns import History, Int32
from .edges import Edge
from .findings import Finding
from .polygraph import STRONG, Strong
from .prepared import Prepared, prepare
from .strong import MOST, Decision, decide_strong, run_serially
from .weak import WEAK, Base, OutOfTime, Weak, base, decide_weak, forced
from .words import cases_in_words, lost_in_words, told

#: The levels, each behind those that it implies.
ALL: Final = (*WEAK, *STRONG)
#: Why a level is open that was not decided when Ctrl-C came.
INTERRUPTED: Final = "interrupted"
#: The levels right under a level: what it implies.
UNDER: Final[dict[str, tuple[str, ...]]] = {
    "RC": (),
    "RA": ("RC",),
    "CC": ("RA",),
    "PC": ("CC",),
    "PSI": ("CC",),
    "SI": ("PC", "PSI"),
    "SER": ("SI",),
}


#: With more chains of transactions a serial run is tried before causal edges are made.
_CHAINS: Final = 256


@dataclass(frozen=True)
class LevelOutcome:
    """What one level came to: `holds`, None if that is not known and `reason` says why. Of a *no*: `reason` in words,
    and `cases`, cycles one of which every version order closes (one cycle, if the order matters not), or `lost`, the
    two reads (operations) of a lost update; `of` is the level that these refute, the level itself or one under it."""

    level: str
    holds: bool | None
    reason: str = ""
    of: str = ""
    cases: tuple[tuple[Edge, ...], ...] = ()
    lost: tuple[int, ...] = ()
    _order: Int32 | None = field(default=None, repr=False)


@dataclass(frozen=True)
class SessionVerdict:
    """All levels of a history. `findings`: what is wrong with single operations; `left_out`: how many transactions do
    not count (aborted, or of unknown outcome and seen by nobody)."""

    history: History
    findings: tuple[Finding, ...]
    left_out: int
    realtime: bool
    levels: tuple[LevelOutcome, ...]
    prepared: Prepared = field(repr=False)

    def __getitem__(self, level: str) -> LevelOutcome:
        """The outcome of a level. Raises KeyError if it was not asked for."""
        for outcome in self.levels:
            if outcome.level == level:
                return outcome
        raise KeyError(level)

    def order(self, level: str) -> Sequence[int] | None:
        """A commit order that shows a *yes*, as transactions of the history; None of a level that does not hold."""
        nodes = self[level]._order
        return None if nodes is None else cast("list[int]", self.prepared.txn[nodes].tolist())


def decide(
    history: History,
    *,
    levels: Iterable[str] = ALL,
    seconds: float | None = None,
    realtime: bool = False,
    most: int = MOST,
    tell: Callable[[str], None] | None = None,
) -> SessionVerdict:
    """Which of the levels the history has (Biswas and Enea 2019; PSI: Cerone, Bernardi and Gotsman 2015).

    `seconds`: how long to try; a level that is not decided by then has no answer. `most`: pairs of versions whose order
    may be open at PC, PSI, SI and SER. `realtime`: a transaction that ended before another began comes before it, in
    the commit order of RC, RA and CC, and at the other levels as in session order. Raises ValueError for an unknown
    level, and if real time is wanted of a history without times. Where orders are open and there is no SAT solver
    (python-sat), the level has no answer. `tell` is called with each level that is decided; then Ctrl-C ends the
    deciding, too: the levels that are open have the reason INTERRUPTED.
    """
    asked = tuple(levels)
    for level in asked:
        if level not in UNDER:
            raise ValueError(f"no session level is called {level!r}: there are {', '.join(ALL)}")
    prepared = prepare(history)
    judge = _Judge(prepared, None if seconds is None else time.monotonic() + seconds, realtime, most)
    try:
        judge.ahead(asked)
        for level in asked:
            judge.outcome(level)
            if tell is not None:
                tell(level)
    except KeyboardInterrupt:
        if tell is None:
            raise
    outcomes = tuple(judge.known(level) for level in asked)
    left_out = len(history.session) - prepared.size
    return SessionVerdict(history, prepared.findings, left_out, realtime, outcomes, prepared)


class _Judge:
    """The levels of one history, each decided once, those under it first."""

    def __init__(self, prepared: Prepared, deadline: float | None, realtime: bool, most: int) -> None:
        self.prepared, self.deadline, self.most = prepared, deadline, most
        self.done: dict[str, LevelOutcome] = {}
        self.base: Base | None = None
        self.forced: Int32 | None = None
        self.serial: Decision | None = None
        if not prepared.refuted:
            self.base = base(prepared, realtime=realtime)

    def ahead(self, asked: tuple[str, ...]) -> None:
        """Decide at once what one order shows: every level, where a run finds a serial one; CC and what is under it,
        since what CC asks of an order the others ask in fewer cases."""
        if self.base is None or self.base.order is None or not set(asked) - {"RC", "RA"}:
            return
        # Causal edges take long where there are many chains; a run takes its time where it is not needed.
        few = self.base.chains is not None and len(self.base.chains.members) <= _CHAINS
        order = None if few and set(asked) <= set(WEAK) else run_serially(self.base)
        if order is not None:
            self.serial = Decision(True, order=order)
            self._settle(ALL, order)
            return
        try:
            order = decide_weak(self.base, "CC", self._causal(), self.deadline).order
        except OutOfTime:
            return
        if order is not None:
            self._settle(("RC", "RA", "CC"), order)

    def _settle(self, levels: tuple[str, ...], order: Int32) -> None:
        for level in levels:
            self._done(LevelOutcome(level, True, _order=order))

    def _causal(self) -> Int32:
        """CC's forced edges, made once."""
        assert self.base is not None
        if self.forced is None:
            self.forced = forced(self.base, "CC", self.deadline)
        return self.forced

    def outcome(self, level: str) -> LevelOutcome:
        """The outcome of a level, with the doubts that the history itself leaves."""
        return self.done.get(level) or self._done(self._decide(level))

    def _done(self, found: LevelOutcome) -> LevelOutcome:
        if found.holds and self.prepared.doubt is not None:
            found = LevelOutcome(found.level, None, self.prepared.doubt)
        self.done[found.level] = found
        return found

    def known(self, level: str) -> LevelOutcome:
        """The outcome of a level if it is decided, itself or by one under it; else INTERRUPTED."""
        if level not in self.done:
            for below in map(self.known, UNDER[level]):
                if below.holds is False:
                    return LevelOutcome(level, False, below.reason, below.of, below.cases, below.lost)
        return self.done.get(level) or LevelOutcome(level, None, INTERRUPTED)

    def _decide(self, level: str) -> LevelOutcome:
        if self.base is None:
            first = next(finding for finding in self.prepared.findings if finding.refutes)
            return LevelOutcome(level, False, first.text, of="RC")
        for under in UNDER[level]:
            below = self.outcome(under)
            if below.holds is False:
                return LevelOutcome(level, False, below.reason, below.of, below.cases, below.lost)
        try:
            return self._weak(level) if level in WEAK else self._strong(level)
        except OutOfTime as late:
            return LevelOutcome(level, None, f"the time was over: {late}")

    def _weak(self, level: str) -> LevelOutcome:
        assert self.base is not None
        rows = self._causal() if level == "CC" and self.base.order is not None else None
        result = decide_weak(self.base, cast(Weak, level), rows, self.deadline)
        if result.order is not None:
            return LevelOutcome(level, True, _order=result.order)
        cases = told(self.prepared.history, (result.cycle,))
        return LevelOutcome(level, False, cases_in_words(self.prepared.history, cases), level, cases)

    def _strong(self, level: str) -> LevelOutcome:
        assert self.base is not None
        self.outcome("CC")
        if self.serial is None and self.forced is None:
            return LevelOutcome(level, None, self.done["CC"].reason)
        # A serial order shows all these levels, and is the easiest to find.
        if self.serial is None and self.forced is not None:
            self.serial = decide_strong(self.base, "SER", self.forced, deadline=self.deadline, most=self.most)
        assert self.serial is not None
        result = self.serial
        if not result.holds and level != "SER" and self.forced is not None:
            result = decide_strong(self.base, cast(Strong, level), self.forced, deadline=self.deadline, most=self.most)
        history, realtime = self.prepared.history, bool(self.base.times)
        reason, cases = result.reason, told(history, result.cases, realtime=realtime)
        if result.lost:
            reason = lost_in_words(history, result.lost)
        elif cases and not reason:
            reason = cases_in_words(history, cases, realtime=realtime)
        of = level if result.holds is False else ""
        return LevelOutcome(level, result.holds, reason, of, cases, result.lost, result.order)


__all__ = ["ALL", "INTERRUPTED", "UNDER", "LevelOutcome", "SessionVerdict", "decide"]
