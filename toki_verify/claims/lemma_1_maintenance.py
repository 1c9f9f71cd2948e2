"""Equation (2) where the row of a key may change: maintenance writes it, too (TOKI 2026, Lemma 1, B.1.1; SEMANTICS §6).

The other rows of L1.n1 leave the log to judge calls. Here one transaction that calls no judge may overwrite the row: as
the witness of B.1.1 does. Formulas that are pulled back do not reach such schedules, so every small one is made and its
image is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from ..bridge.image import H1_COMMIT, H1_READ, H1_RETURN, Image, Logging, image
from ..events import Commit, Event, Judge, Schedule, Write, WriteKind
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete
from .cells import Cells
from .model import Claim, Outcome

#: One key; transactions that call the judge, and one that maintains the log.
CALLERS, MAINTENANCE = ("1", "2", "3"), "M"
EVENTS: Final = 7
_ROW: Final = "judge_log"


@dataclass(frozen=True)
class Judged:
    """A schedule, its image with rows in transactions of their own, and what the concrete reading says of them."""

    schedule: Schedule
    image: Image
    n1: bool
    p2: bool
    rc: bool

    @property
    def h1(self) -> bool:
        """Whether nothing breaks H1."""
        return not any(broken.hypothesis in (H1_RETURN, H1_READ, H1_COMMIT) for broken in self.image.broken)

    @property
    def refilled(self) -> bool:
        """Whether some call fills the row behind another one."""
        return any(step.role == "second fill" for step in self.image.steps)


def texts(events: int) -> Iterator[str]:
    """Every schedule of so many events in which a call is first, maintenance writes the row, and every transaction
    commits; callers are numbered as they come."""
    yield from _longer((), events)


def _longer(found: tuple[str, ...], left: int) -> Iterator[str]:
    begun = {text.split(" ")[1] for text in found}
    over = {text.split(" ")[1] for text in found if text.startswith("c")}
    running = begun - over
    if left == len(running) and found:
        if left == 0:
            if MAINTENANCE in over:
                yield _printed(found)
            return
    elif left < len(running) or left == 0:
        return
    for txn in sorted(running):
        yield from _longer((*found, f"c {txn}"), left - 1)
    if left > len(running):
        fresh = next((txn for txn in CALLERS if txn not in begun), None)
        callers = [txn for txn in CALLERS if txn in running] + ([fresh] if fresh else [])
        for vote in ("0", "1"):
            # The first vote is 0: the other half of the schedules is this one with the votes changed about.
            if found or vote == "0":
                yield from (text for txn in callers for text in _longer((*found, f"j {txn} {vote}"), left - 1))
            if found and MAINTENANCE not in over:
                yield from _longer((*found, f"w {MAINTENANCE} {vote}"), left - 1)


def _printed(found: tuple[str, ...]) -> str:
    words, label = [], 1
    for text in found:
        kind, txn, *vote = text.split(" ")
        if kind == "w":
            label += 1
            words.append(f'wTM[{_ROW}:"(R, theta)"@{label}={vote[0]}]')
        elif kind == "j":
            words.append(f"j{txn}(R, theta)={vote[0]}")
        else:
            words.append("cTM" if txn == MAINTENANCE else f"c{txn}")
    return " ".join(words)


def judged(text: str) -> Judged | None:
    """What is so of a schedule; None where its image is none (the log is touched as no writer of it can)."""
    schedule = Schedule.parse(text)
    made = image(schedule, Logging(writer="own"))
    if made.schedule is None:
        return None
    behind = Concrete(made.schedule)
    return Judged(
        schedule,
        made,
        Concrete(schedule).holds(phenomenon("N1").formula),
        behind.holds(phenomenon("P2").formula),
        behind.holds(parse_spec("RC").formula),
    )


def overwritten(found: Judged) -> bool:
    """Whether maintenance changes the row behind a committed call."""
    ended = [e.txn for e in found.schedule.events if isinstance(e, Commit)]
    events: tuple[Event, ...] = found.schedule.events
    for position, event in enumerate(events):
        if isinstance(event, Write) and event.kind is not WriteKind.DELETE:
            calls = [e for e in events[:position] if isinstance(e, Judge) and e.txn in ended]
            if any(e.vote != event.value for e in calls):
                return True
    return False


QUESTIONS: Final[dict[str, Callable[[Judged], bool]]] = {
    "N1 although nothing breaks H1": lambda found: found.n1 and found.h1,
    "N1 although nothing breaks H1, and no P2 on the row": lambda found: found.n1 and found.h1 and not found.p2,
    "N1 at RC on the log although no call fills the row a second time": (
        lambda found: found.n1 and found.rc and not found.refilled
    ),
    "the row is changed behind a committed call, at RC on the log, without N1": (
        lambda found: found.rc and overwritten(found) and not found.n1
    ),
}


@cache
def smallest(most: int = EVENTS) -> tuple[dict[str, Judged], int]:
    """By question the smallest schedule that answers it, and how many schedules were looked at."""
    found: dict[str, Judged] = {}
    looked = 0
    for events in range(3, most + 1):
        for text in texts(events):
            one = judged(text)
            looked += 1
            if one is not None:
                for words, holds in QUESTIONS.items():
                    if words not in found and holds(one):
                        found[words] = one
        if len(found) == len(QUESTIONS):
            break
    return found, looked


#: What follows where H1 is kept and N1 is there.
_WHY: Final = (
    " So 'later calls return the row' excludes N1 only where the row does not change, which Lemma 1 does not ask, and "
    "B.1.1's witness does not keep"
)


def _maintenance(cells: Cells) -> Outcome:
    found, looked = smallest()
    lines = [
        f"{words}: " + (f"S = {one.schedule}; π_J(S) = {one.image.schedule}" if one else "none")
        for words in QUESTIONS
        for one in [found.get(words)]
    ]
    first = found.get("N1 although nothing breaks H1, and no P2 on the row")
    broken = [words for words in QUESTIONS if words in found]
    return Outcome(
        "refuted" if first else "holds",
        "exhaustive",
        f"of {len(QUESTIONS)} ways in which a row that changes is beside the equation, or beside what is proved of "
        f"rows that only calls write, {len(broken)} are there." + ("" if first is None else _WHY),
        witnesses=tuple(dict.fromkeys(one.schedule for one in found.values() if one is not first)),
        counterexample=None if first is None else first.schedule,
        repair="rows are written by judge calls alone (then L1.n1.repaired)",
        bound=f"{looked} schedules of up to {max(len(one.schedule) for one in found.values()) if found else EVENTS} "
        "events, three callers and one maintenance transaction, one key; rows in transactions of their own",
        evidence=tuple(lines),
    )


MAINTENANCE_CLAIM: Final = Claim(
    "L1.n1.maintenance",
    "TOKI 2026, Lemma 1, equation (2); B.1.1",
    "the same under H1, where the row may also be written by others than calls",
    "π_J as in SEMANTICS §6 with rows in transactions of their own; H1[commit], H1[read] and H1[return]; rows "
    "that others write are rows for later calls",
    _maintenance,
)
