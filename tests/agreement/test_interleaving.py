"""The schedule that is made of a history invents nothing: no dirty writes or reads, and the levels of the history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice, pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest
from history_cases import random_case, small_cases
from history_oracle import Case, Txn, history_of, holds

from tests.unit.histories.histories import plain
from toki_verify.events import Commit, Item, Read, Schedule, ScheduleError, Write
from toki_verify.histories import interleaving, to_schedule
from toki_verify.histories.columns import ABORTED, COMMITTED, UNKNOWN, History
from toki_verify.histories.to_schedule import schedule_of
from toki_verify.levels import families
from toki_verify.notation.printer import print_events
from toki_verify.relations.concrete import Concrete

#: From the strongest on; what holds in the commit order that shows one holds of all under it.
LEVELS = ("SER", "SI", "PSI", "PC", "CC", "RA", "RC")
#: What the levels of interleaved schedules ask of version orders, by session level.
OTHERS = {"SER": ("graph:SR", "graph:SI", "adya:PL-3"), "SI": ("graph:SI", "adya:PL-SI")}
KINDS: dict[str, dict[str, Any]] = {
    "registers": {},
    "updates": {"blind": 0.1},
    "blind writes": {"blind": 1, "keys": 3},
    "known orders": {"orders": True},
    "outcomes": {"outcomes": True},
    "lists": {"append": True},
    "short lists": {"append": True, "operations": 2, "blind": 1},
    "lists and outcomes": {"append": True, "outcomes": True, "operations": 3},
}


def formulas() -> dict[str, Any]:
    return {level.full_id: level.formula for family in families().values() for level in family.levels}


def drawn(history: History) -> Schedule | None:
    """The schedule; None where no schedule can be: a read behind an own write of another version, or one that is
    behind no write."""
    try:
        return schedule_of(history)
    except ScheduleError as error:
        assert {problem.rule for problem in error.problems} <= {"own-write"}
        assert history.model == "register", "of lists what an own append hides is read before it"
    except ValueError as error:
        assert "no order of the events" in str(error)
    return None


def stale(schedule: Schedule) -> list[str]:
    """Reads of others' versions that are not current at that time, by transactions that committed."""
    current: dict[Item, str | None] = {}
    written: dict[str, dict[Item, str | None]] = {}
    found = []
    for event in schedule.events:
        if isinstance(event, Read) and event.txn in schedule.resolved.committed:
            seen = (written.get(event.txn, {}).get(event.item), current.get(event.item, "0"))
            found += [f"stale {event}"] if event.version not in seen else []
        elif isinstance(event, Write):
            written.setdefault(event.txn, {})[event.item] = event.version
        elif isinstance(event, Commit):
            current |= written.get(event.txn, {})
    return found


def torn(schedule: Schedule) -> list[str]:
    """Transactions that committed and do not stand in one piece."""
    txns = [event.txn for event in schedule.events if event.txn in schedule.resolved.committed]
    pieces = Counter(txn for at, txn in enumerate(txns) if at == 0 or txns[at - 1] != txn)
    return [f"{txn} is torn" for txn, count in pieces.items() if count > 1]


def out_of_session(schedule: Schedule) -> list[str]:
    """Transactions that begin before the one before them in their session has ended."""
    places: dict[str, list[int]] = {}
    for at, event in enumerate(schedule.events):
        places.setdefault(event.txn, []).append(at)
    pairs = [pair for members in schedule.sessions.values() for pair in pairwise(members)]
    return [f"{other} begins too early" for one, other in pairs if places[one][-1] > places[other][0]]


def faults(case: Case, seen: Counter[str]) -> list[str]:
    """What the schedule of a history that is at a level says besides."""
    history = history_of(case)
    schedule = drawn(history)
    if schedule is None:
        return []
    held = [level for level in LEVELS if holds(case, level)]
    concrete, every = Concrete(schedule), formulas()
    found = out_of_session(schedule)
    if held and UNKNOWN in (txn.outcome for txn in case.txns):  # some stay without an end, and hold what they wrote
        found += [] if concrete.holds(every[f"session:{held[0]}"]) else [f"not session:{held[0]}"]
        seen["unknown"] += 1
    elif held and not dirty(case):  # of aborted ones no level speaks
        wanted = [f"session:{held[0]}", "session:RC", "graph:RC", *OTHERS.get(held[0], ())]
        found += [f"not {name}" for name in wanted if not concrete.holds(every[name])]
        found += stale(schedule) if held[0] in ("SER", "SI") else []
        found += torn(schedule) if held[0] == "SER" else []
        seen[held[0]] += 1
    found += [f"session:{level}" for level in LEVELS if level not in held and concrete.holds(every[f"session:{level}"])]
    return found


def test_small_histories_are_drawn_at_their_levels() -> None:
    seen: Counter[str] = Counter()
    for case in islice(small_cases(4), 0, None, 101):
        assert faults(case, seen) == [], case
    assert min(seen[level] for level in ("SER", "RC")) > 3, seen


@pytest.mark.parametrize("kind", KINDS)
def test_random_histories_are_drawn_at_their_levels(kind: str) -> None:
    rng, seen = Random(kind), Counter[str]()
    for _ in range(60):
        case = random_case(rng, **KINDS[kind])
        assert faults(case, seen) == [], case
    assert sum(seen.values()) > 10 and len(seen) > 1, seen


def dirty(case: Case) -> bool:
    """Whether a transaction read what another one wrote that did not commit, or no last write of another one."""
    writer = {(key, value): t for t, txn in enumerate(case.txns) for kind, key, value in txn.ops if kind == "w"}
    last = {(t, key): value for t, txn in enumerate(case.txns) for kind, key, value in txn.ops if kind == "w"}
    return any(
        kind == "r"
        and (source := writer.get((key, value), t)) != t
        and (case.txns[source].outcome != COMMITTED or last[source, key] != value)
        for t, txn in enumerate(case.txns)
        for kind, key, value in txn.ops
    )


def circular(case: Case) -> bool:
    """Whether reads and sessions leave no order of the transactions: found by taking away one that waits for none."""
    writer = {(key, value): t for t, txn in enumerate(case.txns) for kind, key, value in txn.ops if kind == "w"}
    waits: dict[int, set[int]] = {}
    for t, txn in enumerate(case.txns):
        sources = {writer.get((key, value), t) for kind, key, value in txn.ops if kind == "r"}
        before = {u for u in range(t) if txn.session is not None and case.txns[u].session == txn.session}
        waits[t] = (sources | before) - {t}
    while free := [t for t, of in waits.items() if not of & waits.keys()]:
        del waits[free[0]]
    return bool(waits)


@pytest.mark.parametrize("kind", ["registers", "outcomes"])
def test_read_committed_fails_exactly_where_what_was_read_was_not_committed(kind: str) -> None:
    """Unless reads are circular, which no store shows that keeps uncommitted writes to itself."""
    rng, seen = Random(7), Counter[bool]()
    every = formulas()
    for _ in range(120):
        case = random_case(rng, **KINDS[kind])
        schedule = drawn(history_of(case))
        if schedule is None or circular(case) or any(txn.outcome == UNKNOWN for txn in case.txns):
            continue
        clean = Concrete(schedule).holds(every["graph:RC"])
        seen[clean] += 1
        assert clean is not dirty(case), case
    assert seen[True] > 20 and (kind == "registers" or seen[False] > 3), seen


@pytest.mark.parametrize("append", [False, True])
def test_in_real_time_what_ended_first_stands_first(append: bool) -> None:
    rng, pairs = Random(17), 0
    for _ in range(60):
        history = history_of(random_case(rng, timed=True, append=append))
        try:
            schedule = schedule_of(history, realtime=True)
        except (ValueError, ScheduleError):
            continue
        assert history.begun is not None and history.ended is not None
        first, last = schedule.resolved.start, {event.txn: at for at, event in enumerate(schedule.events)}
        for one, other in product(range(len(history.session)), repeat=2):
            names = history.transactions[one], history.transactions[other]
            if 0 <= history.ended[one] < history.begun[other] and set(names) <= set(first):
                assert last[names[0]] < first[names[1]]
                pairs += 1
    assert pairs > 100


# -- what it looks like ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("history", "events"),
    [
        ("r1[x0] w1[x1] r2[x1] w2[x2]", "r1[x0] w1[x1] c1 r2[x1] w2[x2] c2"),  # one behind the other
        ("r1[x0] w1[x1] r2[x0] w2[x2]", "r2[x0] r1[x0] w1[x1] c1 w2[x2] c2"),  # a lost update: both read before
        ("r1[x0] r1[y0] w1[x1] r2[x0] r2[y0] w2[y2]", "r2[x0] r2[y0] r1[x0] r1[y0] w1[x1] c1 w2[y2] c2"),
        ("w1[x1] w1[y1] r2[x1] r2[y0]", "w1[x1] w1[y1] c1 r2[x1] r2[y0] c2"),  # no moment at which both were current
        ("w1[x1] w1[x2] r2[x1]", "w1[x1] w1[x2] c1 r2[x1] c2"),
        ("w1[x1] r1[y0] w2[y2] r2[x0]", "w2[y2] r2[x0] w1[x1] r1[y0] c1 c2"),  # both began before the other ended
        # T2 may not begin before T1 has ended: both write x first.
        ("w1[x1] r1[y0] w1[y1] w2[x2] r2[y0] w2[y2]", "w1[x1] r1[y0] w1[y1] c1 w2[x2] r2[y0] w2[y2] c2"),
        ("r1[y2] w1[x1] r2[x1] w2[y2]", ""),
    ],
)
def test_a_transaction_begins_as_late_as_what_it_read_was_current(history: str, events: str) -> None:
    if events:
        found = print_events(schedule_of(plain(history))).split()
        assert sorted(found) == sorted(events.split())
        assert found == events.split()
    else:
        with pytest.raises(ValueError, match="no order of the events"):
            schedule_of(plain(history))


def test_a_read_of_what_was_not_committed_is_drawn_as_the_operations_stand() -> None:
    case = Case((Txn((("w", "x", 1),), None, ABORTED), Txn((("r", "x", 1), ("w", "y", 2)))))
    schedule = schedule_of(history_of(case))
    assert Concrete(schedule).holds(formulas()["graph:RC"]) is False and dirty(case)


# -- mutants -----------------------------------------------------------------------------------------------------------
def _all_read(real: Callable[..., Any]) -> Callable[..., Any]:
    """Orders of lists of which every element was read."""

    def broken(history: History, texts: list[str], found: list[int]) -> Any:
        unread = {history.keys[history.version_key[one]] for one in np.flatnonzero(history.rank < 0)}
        return {item: labels for item, labels in real(history, texts, found).items() if item.name not in unread}

    return broken


#: What is forgotten, where it is, and how the broken version is made of the real one.
MUTANTS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "as the operations stand": ("_in_pieces", lambda real: lambda history, before: None),
    "no commit order is asked for": ("_shown", lambda real: lambda history: []),
    "sessions are not kept": ("_sessions", lambda real: lambda history: []),
    "nobody else writes": ("_writes", lambda real: lambda history, txn: []),
    "nothing is overwritten": ("_overwritten", lambda real: lambda history, place: {}),
    "what is unknown is never committed": (
        "to_schedule.counting",
        lambda real: lambda history: history.outcome == COMMITTED,
    ),
    "lists are read behind own appends": ("to_schedule.reads_first", lambda real: lambda history: history),
    "no version order is known": ("to_schedule._order", lambda real: lambda history, texts, found: {}),
    "elements that nobody read stand anywhere": ("to_schedule._order", _all_read),
    "all is overwritten at once": (
        "_overwritten",
        lambda real: lambda history, place: dict.fromkeys(range(len(history.version_key)), 0),
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attribute, broken = MUTANTS[name]
    module = to_schedule if "." in attribute else interleaving
    attribute = attribute.rpartition(".")[2]
    monkeypatch.setattr(module, attribute, broken(getattr(module, attribute)))
    rng, seen = Random(3), Counter[str]()
    for number in range(800):
        case = random_case(rng, **list(KINDS.values())[number % len(KINDS)])
        try:
            if faults(case, seen):
                return
        except AssertionError:
            return
    pytest.fail(f"nothing showed that {name}")
