"""The session levels of a history decided by independent parts (`components.py`), in this process or in several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...processes import Died, seconds_to_start, work
from ..columns import History, Int32
from ..sessions.edges import Edge
from ..sessions.prepared import Prepared, prepare
from ..sessions.strong import MOST, run_serially
from ..sessions.verdict import ALL, INTERRUPTED, UNDER, LevelOutcome, SessionVerdict, decide
from ..sessions.weak import base
from ..sessions.words import cases_in_words, lost_in_words
from .components import Part, Parts, components, parts

#: Operations of a part, as far as components are small: fewer of them cost more in calls than they save.
SHARE: Final = 5_000
#: Parts that there may be.
_PARTS: Final = 256


@dataclass(frozen=True)
class _Question:
    """What is asked of a part. `until` is by the clock of the machine, which all its processes share."""

    part: Part
    levels: tuple[str, ...]
    until: float | None
    most: int


@dataclass(frozen=True)
class _Told:
    """What one level of a part came to, in numbers of the whole. `reason` None: the words for `cases` or `lost`.
    `order`: transactions."""

    holds: bool | None
    reason: str | None
    of: str = ""
    cases: tuple[tuple[Edge, ...], ...] = ()
    lost: tuple[int, ...] = ()
    order: Int32 | None = None


def decide_in_parts(
    history: History,
    *,
    levels: Iterable[str] = ALL,
    seconds: float | None = None,
    realtime: bool = False,
    most: int = MOST,
    tell: Callable[[str], None] | None = None,
    jobs: int = 1,
    share: int = SHARE,
) -> SessionVerdict:
    """What `sessions.verdict.decide` says, with its arguments, but part by part where the history has independent ones;
    `jobs` parts at once. Levels and findings are the same; `most` is for each part, and a *no* is shown by the first
    part that has it, so nothing depends on `jobs`. A part whose process dies time after time is undecided. Raises what
    `decide` raises, and OSError where no process can be started."""
    asked = tuple(levels)
    share = max(share, history.size // _PARTS)
    if realtime or history.size <= share or any(level not in UNDER for level in asked):
        return decide(history, levels=asked, seconds=seconds, realtime=realtime, most=most, tell=tell)
    until = None if seconds is None else time.time() + seconds
    part = parts(history, components(history), share)
    prepared = prepare(history) if part.any() else None
    if prepared is None or prepared.refuted:
        return decide(history, levels=asked, seconds=seconds, realtime=realtime, most=most, tell=tell)
    start = base(prepared)
    order = run_serially(start) if start.order is not None else None
    if order is not None:  # All levels hold: that is sooner found of the whole.
        outcomes = {level: _yes(prepared, level, order) for level in asked}
    else:
        pieces, wanted = Parts(history, part), closed(asked)
        outcomes = joined(prepared, _ask(pieces, wanted, until, most, jobs, quiet=tell is not None), wanted)
    if tell is not None:
        for level in asked:
            tell(level)
    left_out = len(history.session) - prepared.size
    shown = tuple(outcomes[level] for level in asked)
    return SessionVerdict(history, prepared.findings, left_out, realtime, shown, prepared)


def closed(levels: tuple[str, ...]) -> tuple[str, ...]:
    """The levels and all that lie under them, those that are implied first."""
    found = set(levels)
    while more := {under for level in found for under in UNDER[level]} - found:
        found |= more
    return tuple(level for level in ALL if level in found)


def joined(prepared: Prepared, told: list[dict[str, _Told]], levels: tuple[str, ...]) -> dict[str, LevelOutcome]:
    """The levels of the whole, from those of its parts: no, if a part says no (the first that does shows it); not
    known, if one does not know; else yes, in the orders of the parts one behind the other."""
    history = prepared.history
    found: dict[str, LevelOutcome] = {}
    for level in levels:
        below = next((found[under] for under in UNDER[level] if found[under].holds is False), None)
        if below is not None:
            found[level] = replace(below, level=level)
            continue
        answers = [one[level] for one in told]
        refuting = next((one for one in answers if one.holds is False), None)
        unknown = next((one for one in answers if one.holds is None), None)
        if refuting is not None:
            words = lost_in_words(history, refuting.lost) if refuting.lost else cases_in_words(history, refuting.cases)
            reason = words if refuting.reason is None else refuting.reason
            found[level] = LevelOutcome(level, False, reason, refuting.of, refuting.cases, refuting.lost)
        elif unknown is not None:
            found[level] = LevelOutcome(level, None, unknown.reason or "")
        else:
            order = np.concatenate([one.order for one in answers if one.order is not None] or [np.zeros(0, np.int32)])
            found[level] = _yes(prepared, level, np.searchsorted(prepared.txn, order).astype(np.int32))
    return found


def _yes(prepared: Prepared, level: str, order: Int32) -> LevelOutcome:
    """A *yes*, if the history leaves no doubt of it. `order`: nodes."""
    if prepared.doubt is not None:
        return LevelOutcome(level, None, prepared.doubt)
    return LevelOutcome(level, True, _order=order)


def _ask(
    pieces: Parts, levels: tuple[str, ...], until: float | None, most: int, jobs: int, *, quiet: bool
) -> list[dict[str, _Told]]:
    """What the parts come to. `quiet`: Ctrl-C ends it, and parts without an answer are INTERRUPTED."""
    told = [dict.fromkeys(levels, _Told(None, INTERRUPTED)) for _ in range(len(pieces))]
    try:
        for number, found in _answers(pieces, levels, until, most, jobs):
            told[number] = found
    except KeyboardInterrupt:
        if not quiet:
            raise
    return told


def _answers(
    pieces: Parts, levels: tuple[str, ...], until: float | None, most: int, jobs: int
) -> Iterator[tuple[int, dict[str, _Told]]]:
    """What each part comes to: here, part after part, and with `jobs` the others in processes once that takes longer
    than starting them. What a part refutes need not be asked of those behind it; there it says yes."""
    left, begun = levels, time.monotonic()
    nothing = dict.fromkeys(levels, _Told(True, None))
    number, patience = 0, seconds_to_start()
    while number < len(pieces) and (jobs <= 1 or time.monotonic() - begun < patience):
        found = _decide(_Question(pieces[number], left, until, most)) if left else {}
        yield number, nothing | found
        left = tuple(level for level in left if found[level].holds is not False)
        number += 1
    questions = _Questions(pieces, number, left, until, most)
    for place, answer in work(_decide, questions, jobs) if len(questions) else ():
        if isinstance(answer, Died):
            answer = dict.fromkeys(left, _Told(None, f"a part of the history was given up: {answer}"))
        yield questions.turn[place], nothing | answer


class _Questions:
    """The questions to the parts from `begin` on, each made when a process is free to answer it; the largest first, so
    that none ends late."""

    def __init__(self, pieces: Parts, begin: int, levels: tuple[str, ...], until: float | None, most: int) -> None:
        self.pieces, self.levels, self.until, self.most = pieces, levels, until, most
        self.turn = sorted(range(begin, len(pieces)), key=lambda number: -pieces.size(number))

    def __len__(self) -> int:
        return len(self.turn)

    def __getitem__(self, place: int, /) -> _Question:
        return _Question(self.pieces[self.turn[place]], self.levels, self.until, self.most)


def _decide(question: _Question) -> dict[str, _Told]:
    """What each level of a part comes to."""
    part = question.part
    left = None if question.until is None else max(0.0, question.until - time.time())
    verdict = decide(part.history, levels=question.levels, seconds=left, most=question.most)
    return {outcome.level: _told(part, verdict, outcome) for outcome in verdict.levels}


def _told(part: Part, verdict: SessionVerdict, outcome: LevelOutcome) -> _Told:
    """An outcome in numbers of the whole; words that are made of numbers of the part are left to be made anew."""
    if outcome.holds is None:
        return _Told(None, outcome.reason)
    if outcome.holds:
        order = verdict.order(outcome.level)
        return _Told(
            True, None, order=None if order is None else part.txn[np.asarray(order, np.int64)].astype(np.int32)
        )
    lost, cases = outcome.lost, outcome.cases
    words = lost_in_words(part.history, lost) if lost else cases_in_words(part.history, cases)
    return _Told(
        False,
        None if words == outcome.reason else outcome.reason,
        outcome.of,
        tuple(tuple(_edge(part, edge) for edge in case) for case in cases),
        tuple(int(part.operation[at]) for at in lost),
    )


def _edge(part: Part, edge: Edge) -> Edge:
    return replace(
        edge,
        source=int(part.txn[edge.source]) if edge.source >= 0 else -1,
        target=int(part.txn[edge.target]) if edge.target >= 0 else -1,
        key=int(part.key[edge.key]) if edge.key >= 0 else -1,
        operations=tuple(int(part.operation[at]) for at in edge.operations),
    )


__all__ = ["SHARE", "closed", "decide_in_parts", "joined"]
