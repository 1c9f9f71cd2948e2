"""The histories of a system of tables as schedules, with their log transactions, judged by the checker alone.

Written apart from `judge_reach`: here a history is its events, bounded by a number of operators. The look at the log is
a read of judge_log and a fill a write, each in a transaction of its own unless the row belongs to the operator's. A
crash aborts the operator. TOKI 2026, Definitions 5 and 6, Lemma 1 (H1), B.1.1, B.2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from ..bridge.keys import judge_row
from ..events import Item, Schedule
from ..events.kinds import Commit, Judge, Write
from .judge_systems import Environment, System
from .judged import at, shows

#: Steps of an operator: not begun; looked at the log; has a vote; returned it; committed and owes the row; over.
_IDLE, _LOOKED, _VOTED, _RETURNED, _OWES, _OVER = range(6)


class _Doing(NamedTuple):
    step: int = _IDLE
    seen: int = 0
    votes: tuple[int, ...] = ()
    draws: int = 0


class Run(NamedTuple):
    """A history so far: the votes of the versions of the row, what every operator does, the events, and the votes that
    the oracle gave, in order."""

    versions: tuple[int, ...]
    doing: tuple[_Doing, ...]
    events: tuple[str, ...] = ()
    draws: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The history as a schedule."""
        return " ".join(self.events)


class Histories:
    """All runs of a system with `count` operators in an environment. `as_drawn`: a judge event states what the oracle
    said, even where the operator took the row's vote instead."""

    #: The read set of the key κ = (R, θ).
    reads: Final = "R"

    def __init__(self, system: System, count: int, environment: Environment, *, as_drawn: bool = False) -> None:
        self.system, self.environment, self.as_drawn = system, environment, as_drawn
        self.start = Run((), (_Doing(),) * count)

    def _key(self, number: int) -> str:
        return self.reads if self.system.key == "recurs" else f"{self.reads}{number}"

    def _row(self, number: int) -> str:
        """The row of the key, by the name that π_J gives it (`bridge.keys`)."""
        return f'judge_log:"({self._key(number)}, theta)"'

    def _judged(self, number: int, votes: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(f"j{number}({self._key(number)}, theta)={vote}" for vote in votes)

    def _visible(self, run: Run) -> int:
        return len(run.versions) if self.system.key == "recurs" else 0

    def _put(self, run: Run, number: int, who: str, vote: int) -> tuple[tuple[int, ...], str]:
        version = self._visible(run) + 1
        sign = "+" if version == 1 else ""
        return (*run.versions, vote), f"w{who}[{sign}{self._row(number)}@{version}={vote}]"

    def _look(self, run: Run, number: int) -> Run:
        seen = self._visible(run)
        if not self.system.writes:
            return self._next(run, number, _Doing(_LOOKED))
        own = self.system.place == "with"
        who = str(number) if own else f"Tlook{number}"
        events = (f"r{who}[{self._row(number)}@{seen}]", *(() if own else (f"c{who}",)))
        return self._next(run, number, _Doing(_LOOKED, seen), *events)

    def _next(self, run: Run, number: int, doing: _Doing, *events: str, draws: tuple[int, ...] = ()) -> Run:
        after = (*run.doing[: number - 1], doing, *run.doing[number:])
        return Run(run.versions, after, run.events + events, run.draws + draws)

    def _act(self, run: Run, number: int) -> Iterator[Run]:
        mine = run.doing[number - 1]
        row = run.versions[mine.seen - 1] if mine.seen else None
        action = self.system.action(row)
        if action in ("skip", "abort"):
            yield self._next(run, number, _Doing(_OVER), f"{'c' if action == 'skip' else 'a'}{number}")
        elif action == "read":
            assert row is not None
            yield self._next(run, number, _Doing(_RETURNED, mine.seen, (row,)), *self._judged(number, (row,)))
        else:
            drawn = {"ask": 1, "twice": 2}.get(action, 0)
            settled = () if drawn else (1 - (row or 0) if action == "flip" else int(action),)
            for draws in product((0, 1), repeat=drawn):
                votes = draws or settled
                doing = _Doing(_VOTED, mine.seen, votes)
                if self.system.place in ("never", "after"):
                    step = doing._replace(step=_RETURNED, draws=1)
                    yield self._next(run, number, step, *self._judged(number, votes), draws=draws)
                else:
                    yield self._next(run, number, doing, draws=draws)

    def _fill(self, run: Run, number: int) -> Run:
        mine, system = run.doing[number - 1], self.system
        own = system.place == "with"
        who = str(number) if own else f"Tlog{number}"
        visible, votes = self._visible(run), mine.votes
        ending = () if own else (f"c{who}",)
        end = (f"c{number}",) if own else ()
        if visible and system.clash != "overwrite":
            read = (f"r{who}[{self._row(number)}@{visible}]", *ending)
            if system.clash == "abort":
                return self._next(run, number, _Doing(_OVER), *read, f"a{number}")
            if system.clash == "adopt":
                votes = votes if self.as_drawn else (*votes[:-1], run.versions[-1])
            events = (*read, *self._judged(number, votes), *end)
        else:
            versions, write = self._put(run, number, who, votes[-1])
            run = run._replace(versions=versions)
            events = (write, *ending, *self._judged(number, votes), *end)
        return self._next(run, number, _Doing(_OVER if own else _RETURNED, mine.seen, votes), *events)

    def _late(self, run: Run, number: int) -> Run:
        visible, votes = self._visible(run), run.doing[number - 1].votes
        if visible and self.system.clash != "overwrite":
            return self._next(run, number, _Doing(_OVER))
        versions, write = self._put(run, number, f"Tlog{number}", votes[-1])
        return self._next(run._replace(versions=versions), number, _Doing(_OVER), write, f"cTlog{number}")

    def steps(self, run: Run, number: int) -> list[Run]:
        """What an operator may do next."""
        mine = run.doing[number - 1]
        if mine.step == _IDLE:
            return [self._look(run, number)]
        if mine.step == _LOOKED:
            return list(self._act(run, number))
        if mine.step == _VOTED:
            return [self._fill(run, number)]
        if mine.step == _RETURNED:
            owes = self.system.place == "after" and mine.draws
            done = mine._replace(step=_OWES) if owes else _Doing(_OVER)
            return [self._next(run, number, done, f"c{number}")]
        return [self._late(run, number)] if mine.step == _OWES else []

    def successors(self, run: Run) -> Iterator[Run]:
        """Every next step: of an operator, of a crash, of another writer of the row."""
        flying = [n for n, mine in enumerate(run.doing, 1) if mine.step not in (_IDLE, _OVER)]
        idle = [n for n, mine in enumerate(run.doing, 1) if mine.step == _IDLE]
        for number in flying + (idle[:1] if self.environment.overlap or not flying else []):
            yield from self.steps(run, number)
        if self.environment.crash == "durable":
            for number in flying:
                committed = run.doing[number - 1].step == _OWES
                yield self._next(run, number, _Doing(_OVER), *(() if committed else (f"a{number}",)))
        if self.environment.edit and self._visible(run) and not any("Tedit" in event for event in run.events):
            versions, write = self._put(run, 1, "Tedit", 1 - run.versions[-1])
            yield run._replace(versions=versions, events=(*run.events, write, "cTedit"))

    def layers(self) -> Iterator[list[Run]]:
        """Every run, unfinished ones too, each once, those of one number of steps together, shorter ones first."""
        layer: dict[Run, None] = {self.start: None}
        while layer:
            yield list(layer)
            layer = {after: None for run in layer for after in self.successors(run)}


def finished(system: System, environment: Environment, count: int = 2) -> Iterator[Schedule]:
    """The histories in which every operator has ended, those with fewer steps first."""
    for layer in Histories(system, count, environment).layers():
        for run in layer:
            if all(mine.step == _OVER for mine in run.doing):
                yield Schedule.parse(run.text)


def judging(system: System, environment: Environment) -> Schedule | None:
    """A shortest history of two operators that both commit a call, or None: with different votes, and the second
    operator as late, as there are."""
    both = [schedule for schedule in finished(system, environment) if len(committed_votes(schedule)) == 2]

    def first(schedule: Schedule) -> tuple[bool, int, int, str]:
        begins = next(place for place, event in enumerate(schedule.events) if event.txn.endswith("2"))
        return len(set(committed_votes(schedule))) == 1, len(schedule.events), -begins, str(schedule)

    return min(both, key=first, default=None)


def committed_votes(schedule: Schedule) -> tuple[str | None, ...]:
    """The votes that committed calls returned, in order."""
    commits = {event.txn for event in schedule.events if isinstance(event, Commit)}
    return tuple(event.vote for event in schedule.events if isinstance(event, Judge) and event.txn in commits)


@cache
def is_n1(text: str) -> bool:
    """Whether a history shows N1, by the checker."""
    return shows(text, "N1")


@cache
def is_log_serializable(text: str) -> bool:
    """Whether a history is at SR on judge_log, by the checker."""
    return at(text, "RC+SR@judge_log")


def _worth_judging(run: Run) -> bool:
    """Whether a history ends in a commit of an operator and has two judge calls: no other is the first to show N1."""
    return run.events[-1][:1] == "c" and sum(event[0] == "j" for event in run.events) > 1


def _first_n1(layer: list[Run]) -> Iterator[Schedule]:
    for run in layer:
        if run.events and _worth_judging(run) and is_n1(run.text):
            yield Schedule.parse(run.text)


def n1_histories(
    system: System, environment: Environment, count: int = 2, *, as_drawn: bool = False
) -> Iterator[Schedule]:
    """The histories that show N1, those with fewer steps first."""
    for layer in Histories(system, count, environment, as_drawn=as_drawn).layers():
        yield from _first_n1(layer)


def smallest_n1(
    system: System,
    environment: Environment,
    count: int = 2,
    *,
    as_drawn: bool = False,
    only: Callable[[Schedule], bool] = lambda schedule: True,
) -> Schedule | None:
    """A history with the fewest steps among those that show N1 (and `only`), or None."""
    for layer in Histories(system, count, environment, as_drawn=as_drawn).layers():
        found = [schedule for schedule in _first_n1(layer) if only(schedule)]
        if found:
            return min(found, key=lambda schedule: (len(schedule.events), str(schedule)))
    return None


def unpaired(schedule: Schedule, *, by: bool = False) -> bool:
    """Whether a committed judge call has no row with its vote at its key in judge_log that was committed before its
    operator (`by`: before or with it), read off the events."""
    commits = {event.txn: place for place, event in enumerate(schedule.events) if isinstance(event, Commit)}
    rows = _rows(schedule)
    for event in schedule.events:
        if isinstance(event, Judge) and event.txn in commits:
            end, said = commits[event.txn], (judge_row(event.key), event.vote)
            found = [when for item, vote, when in rows if (item, vote) == said]
            if not any(when < end or (by and when == end) for when in found):
                return True
    return False


def _rows(schedule: Schedule) -> list[tuple[Item, str | None, int]]:
    """Every committed row of judge_log: its item, its vote, and where its transaction commits."""
    commits = {event.txn: place for place, event in enumerate(schedule.events) if isinstance(event, Commit)}
    return [
        (event.item, event.value, commits[event.txn])
        for event in schedule.events
        if isinstance(event, Write) and event.item.table == "judge_log" and event.txn in commits
    ]


def returned_other(schedule: Schedule) -> bool:
    """Whether a call, committed or not, returned another vote than a row of its key that was committed before it, read
    off the events: "later calls return it" (H1, SEMANTICS §6) is broken."""
    rows = _rows(schedule)
    return any(
        isinstance(event, Judge)
        and any(item == judge_row(event.key) and when < place and vote != event.vote for item, vote, when in rows)
        for place, event in enumerate(schedule.events)
    )


#: The schedule of B.2.1, as printed, with votes that differ.
PRINTED: Final = "j1(R, theta)=0 j2(R, theta)=1 c1 c2"
