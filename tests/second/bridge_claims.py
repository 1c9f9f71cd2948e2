"""L1.keys* and L1.transfer.own again: π_J written once more from SEMANTICS §6, its images judged by the oracle."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product

from tests.agreement.oracle import PHENOMENA, Facts, Region
from toki_verify.events import Abort, Callback, Commit, Event, Item, Judge, Read, Schedule, Write
from toki_verify.search.census import Alphabet, census

from .model import Found, all_of
from .registry import second

Key = tuple[str, str]
CLASSICAL = ("P0", "P1", "P2", "P3", "P4", "A5A", "A5B")
#: Names and decoder tuples with everything that a row's name is made of, transcribed.
NAMES = ("R", "R,", "R, t", "(R", "R)", '"R"', "1", "-", "a b", "é", "{}", '{"prompt":"p"}', "x" * 1024)
THETAS = (*NAMES, 1, {"prompt": "p"}, {"prompt": "p", "seed": 1}, ["t"])


def row_of(key: Key) -> Item:
    """The row `(R, θ)` of the judge log: both are written as JSON, so that it can be read back."""
    return Item("judge_log", f"({json.dumps(key[0])}, {key[1]})")


def key_of(row: Item) -> Key:
    """Whose row it is."""
    reads, end = json.JSONDecoder().raw_decode(row.name, 1)
    return reads, row.name[end + 2 : -1]


def callback_row(call: Callback) -> Item:
    """The row of a callback: `callback_log:h`."""
    return Item("callback_log", call.request)


class Log:
    """π_J event by event. `own`: a row is written by a transaction of its own, committed at once; `unlogged`: a call
    whose vote is not the row's touches none. `rows` are, by key, who wrote a version, and its vote."""

    def __init__(self, schedule: Schedule, *, own: bool = False, unlogged: bool = False) -> None:
        self.own, self.unlogged = own, unlogged
        self.rows: dict[Key, list[tuple[str, str | None]]] = {}
        self.gone: set[str] = set()
        self.events: list[Event] = []
        for event in schedule.events:
            if isinstance(event, Judge):
                self.call(event)
            elif isinstance(event, Callback):
                self.events.append(Read(event.txn, callback_row(event), "0"))
            else:
                self.events.append(event)
            if isinstance(event, Abort):
                self.gone.add(event.txn)

    def seen(self, call: Judge) -> int | None:
        """The number of the version that a call sees: the latest of an operator that is not gone, its own first."""
        found = [n for n, (by, _) in enumerate(self.rows.get(call.key, ()), 1) if by not in self.gone]
        mine = [n for n in found if self.rows[call.key][n - 1][0] == call.txn]
        return (mine or found or [None])[-1]  # type: ignore[list-item]

    def call(self, call: Judge) -> None:
        """The first call at a key writes its row; a later one that returned what the row says reads it, another one
        writes again."""
        row, number = row_of(call.key), self.seen(call)
        if number is not None:
            vote = self.rows[call.key][number - 1][1]
            if vote == call.vote or None in (vote, call.vote):
                self.events.append(Read(call.txn, row, str(number), call.vote))
                return
            if self.unlogged:
                return
        versions = self.rows.setdefault(call.key, [])
        writer = f"log{sum(map(len, self.rows.values())) + 1}" if self.own else call.txn
        versions.append((writer, call.vote))
        self.events.append(Write(writer, row, str(len(versions)), call.vote))
        if self.own:
            self.events.append(Commit(writer))


def image(schedule: Schedule, *, own: bool = False, unlogged: bool = False) -> Schedule:
    """π_J(S)."""
    return Schedule(Log(schedule, own=own, unlogged=unlogged).events)


# -- keys --------------------------------------------------------------------------------------------------------------
@second("L1.keys.rows")
def rows(id: str) -> Found:
    """No name is read back as another key; beside it, that a name joined without quotes is shared."""
    keys = [(reads, json.dumps(theta)) for reads, theta in product(NAMES, THETAS)]
    named = {row_of(key) for key in keys}
    read_back = all(key_of(row_of(key)) == key for key in keys)
    joined = {f"({reads}, {theta.strip(chr(34))})" for reads, theta in keys}
    assert len(joined) < len(keys)
    return Found("holds" if read_back else "refuted", (f"{len(keys)} keys have {len(named)} rows",))


@second("L1.keys.callbacks")
def callbacks(id: str) -> Found:
    """Every two callbacks of two read sets, two requests and two winners."""
    texts = [f"cb1({reads}, {h}, {k})" for reads, h, k in product("RS", "hg", "01")]
    clashing = []
    for one, other in product(texts, repeat=2):
        schedule = Schedule.parse(f"{one} {other} c1")
        a, b = (event for event in schedule.events if isinstance(event, Callback))
        x, y = (event for event in image(schedule).events if isinstance(event, Read))
        if (a.reads, a.request) != (b.reads, b.request) and x.item == y.item and a.winner != b.winner:
            clashing.append(schedule)
    says = (str(clashing[0]), str(image(clashing[0]))) if clashing else ()
    return Found("refuted" if clashing else "holds", says)


CALLS = (5, Alphabet(reads=False, writes=False, judges=True, votes=("0", "1")))


def counted(schedule: Schedule, behind: Schedule) -> bool:
    """Whether each row is touched as often in the image as its key is asked."""
    asked = Counter(row_of(event.key) for event in schedule.events if isinstance(event, Judge))
    return Counter(event.item for event in behind.events if isinstance(event, Read | Write)) == asked


def miscounted(*, own: bool, unlogged: bool) -> Schedule | None:
    """The smallest schedule of calls alone in which a call is lost."""
    size, alphabet = CALLS
    found = sorted(census(size, alphabet, complete=True), key=lambda schedule: len(schedule.events))
    return next((s for s in found if not counted(s, image(s, own=own, unlogged=unlogged))), None)


@second("L1.keys.calls")
def calls(id: str) -> Found:
    """The three ways to log; what is lost where a call is not logged."""
    lost = [miscounted(own=own, unlogged=unlogged) for own, unlogged in ((False, False), (True, False), (False, True))]
    return Found(all_of([found is None for found in lost]), tuple(str(found) for found in lost if found is not None))


@second("L1.keys")
def keys(id: str) -> Found:
    """The three statements."""
    parts = {"rows": rows(id), "callbacks": callbacks(id), "calls": calls(id)}
    verdicts = {part.verdict for part in parts.values()}
    says = "; ".join(f"{name}: {part.verdict}" for name, part in parts.items())
    return Found("depends" if len(verdicts) > 1 else verdicts.pop(), (says,))


# -- rows in transactions of their own ---------------------------------------------------------------------------------
SMALL = (
    (6, Alphabet(reads=False, writes=False, judges=True, votes=("0",))),
    (5, Alphabet(items=1, judges=True, votes=("0",))),
    (5, Alphabet(items=1, judges=True, votes=("0",), transactions=2, predicates=True, aborts=False)),
)


def small(bounds: tuple[tuple[int, Alphabet], ...]) -> Iterator[Schedule]:
    """Schedules in which every call returns the same vote."""
    for size, alphabet in bounds:
        yield from (s for s in census(size, alphabet, complete=True) if any(isinstance(e, Judge) for e in s.events))


def transfers(schedule: Schedule) -> bool:
    """Whether S and its image show the same, S no N1, and the log nothing."""
    before, behind = Facts(schedule), Facts(image(schedule, own=True))
    log = behind.within(Region("judge_log", None))
    same = all(PHENOMENA[name](before) == PHENOMENA[name](behind) for name in CLASSICAL)
    return same and not (PHENOMENA["N1"](before) or PHENOMENA["P2"](log) or PHENOMENA["P3"](log))


@second("L1.transfer.own")
def own_rows(id: str) -> Found:
    """Every small schedule of three transactions, with a predicate of two."""
    return Found("holds" if all(map(transfers, small(SMALL))) else "refuted")
