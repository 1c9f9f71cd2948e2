"""Where the version order of a history comes from, if somebody says it: commit timestamps, or a stated order.

A `History` has as much of the version order as its reads show (lists: `appends.py`), and what is open then is looked
for: a level holds if it does with some order. With an order from elsewhere (`History.version_order`) a level is judged
with that order, so that its *no* is one for this order, and no other.

Timestamps: the versions of a key stand in the order of the commit timestamps of their transactions (Adya 2000, section
4.1: the order of commits; Li et al. 2025: Chronos). A transaction of unknown outcome has none: what it wrote may stand
anywhere. What lists show is certain: timestamps that say otherwise are a finding, and lists have the last word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..events import Problem
from .columns import ABORTED, COMMITTED, INITIAL, READ, WRITE, Garbage, History, Int32, Int64
from .readers.faults import SAID
from .sessions.names import transaction

Mask = NDArray[np.bool_]
Origin = Literal["reads", "some", "known", "timestamps", "stated"]
#: The kind of the finding that timestamps and list reads say different things. It refutes no level.
TIMESTAMP_ORDER: Final = "timestamp-order"
#: Findings that are named one by one, and keys that a warning names.
_NAMED: Final = 1_000
_KEYS: Final = 3
#: Formats whose times are taken by the store. In the others a client took them, at begin and completion.
_OF_STORE: Final = ("timekiller",)


def origin(history: History) -> Origin:
    """Where the version order comes from that a verdict on the history is about: `timestamps`, `stated`; `reads`: what
    lists show; `known`: the history came with it (a schedule); `some`: it is looked for, any will do."""
    if history.version_order is not None:
        return history.version_order
    if history.model == "append":
        return "reads"
    return "known" if (history.rank > 0).any() else "some"


def by_reads(history: History) -> tuple[History | None, list[Problem]]:
    """The history with the order that its lists show, which it has; a problem where it has none (registers)."""
    if history.model == "append":
        return history, []
    expected = "a history of lists; of registers `auto` looks for an order, `timestamps` or a file states it"
    return None, [_problem(history, "no order of versions in reads of registers", expected)]


def by_timestamps(history: History, *, skip_bad: bool = False) -> tuple[History | None, list[Problem]]:
    """The history with its versions in the order of the commit timestamps, O(N log N); or None and what is wrong.

    Two writers of a key with one timestamp are a problem; with `skip_bad` these versions may stand anywhere, and a
    warning counts them. Of lists the timestamps order what no list shows; if they contradict the lists that is garbage
    of kind TIMESTAMP_ORDER.
    """
    if history.ended is None:
        expected = "a format with times (TimeKiller; Jepsen with invocations), or a file that states the order"
        return None, [_problem(history, f"no commit timestamps in {history.format}", expected)]
    txn = history.txn_of()
    versions = installed(history, txn)
    if history.model == "append":
        versions = versions[history.rank[versions] < 0]
    time = times(history, txn, versions)
    placed = versions[time >= 0]
    placed = placed[np.lexsort((history.writer[placed], times(history, txn, placed), history.version_key[placed]))]
    tied = _tied(history, txn, placed)
    problems = [] if skip_bad else list(_ties(history, txn, placed, tied))
    if problems:
        return None, problems
    rank, open_ = ranked(history, txn, placed[~tied], np.concatenate([versions[time < 0], placed[tied]]))
    garbage = (*history.garbage, *_contradictions(history, txn))
    return ordered(history, rank, "timestamps", garbage, (_meaning(history), *said_open(history, open_))), []


def ordered(
    history: History,
    rank: Int32,
    origin: Literal["timestamps", "stated"],
    garbage: tuple[Garbage, ...],
    warnings: tuple[str, ...],
) -> History:
    """The history with other ranks (V,), garbage, and more warnings."""
    return replace(history, rank=rank, garbage=garbage, warnings=(*history.warnings, *warnings), version_order=origin)


def installed(history: History, txn: Int32) -> Int64:
    """The versions that have a place in the version order: written by a transaction that is not known to have aborted;
    of registers only the last one of a transaction."""
    versions = np.flatnonzero(history.writer >= 0)
    writer = history.writer[versions]
    keep = history.outcome[txn[writer]] != ABORTED
    if history.model == "register":
        writes = np.flatnonzero(history.kind == WRITE)
        group = txn[writes].astype(np.int64) * max(1, len(history.keys)) + history.key[writes]
        by_group = np.argsort(group, kind="stable")
        last = np.zeros(history.size, bool)
        ends = np.append(group[by_group][1:] != group[by_group][:-1], True)[: len(writes)]
        last[writes[by_group[ends]]] = True
        keep &= last[writer]
    result: Int64 = versions[keep]
    return result


def times(history: History, txn: Int32, versions: Int64) -> Int64:
    """The commit timestamps of the transactions that wrote the versions, -1 where it is not known."""
    assert history.ended is not None
    owner = txn[history.writer[versions]]
    return np.where(history.outcome[owner] == COMMITTED, history.ended[owner], -1)


def ranked(history: History, txn: Int32, placed: Int64, unplaced: Int64) -> tuple[Int32, Int64]:
    """Ranks (V,) for versions `placed` in order, sorted by key; and of the `unplaced` ones those whose place is open.

    Of registers an unplaced version may stand anywhere, which ranks of the others say (`prepared.py`). Of a list it
    would stand behind all that have a rank: so a key that has one of a transaction that may count gets no more than
    its reads show.
    """
    key = history.version_key
    unplaced = unplaced[_may_count(history, txn)[txn[history.writer[unplaced]]]]
    base = np.zeros(len(history.keys), np.int32)
    if history.model == "append":
        doubtful = np.zeros(len(history.keys), bool)
        doubtful[key[unplaced]] = True
        unplaced = np.concatenate([unplaced, placed[doubtful[key[placed]]]])
        placed = placed[~doubtful[key[placed]]]
        rank = history.rank.copy()
        np.maximum.at(base, key, rank)
    else:
        rank = np.where(history.writer == INITIAL, 0, -1).astype(np.int32)
    first = np.searchsorted(key[placed], key[placed])
    rank[placed] = base[key[placed]] + 1 + (np.arange(len(placed)) - first).astype(np.int32)
    return rank, unplaced


def _may_count(history: History, txn: Int32) -> Mask:
    """Which transactions committed, or may have, since somebody saw something of them: (T,)."""
    seen = history.rank > 0
    seen[history.version[history.kind == READ]] = True
    result: Mask = history.outcome == COMMITTED
    result[txn[history.writer[seen & (history.writer >= 0)]]] = True
    result &= history.outcome != ABORTED
    return result


def said_open(history: History, versions: Int64) -> tuple[str, ...]:
    """A warning that the place of some versions is open."""
    if not len(versions):
        return ()
    names = [history.keys[key] for key in np.unique(history.version_key[versions])[: _KEYS + 1].tolist()]
    shown = ", ".join(names[:_KEYS]) + (", …" if len(names) > _KEYS else "")
    count = f"the place of {len(versions):,} version{'s' * (len(versions) > 1)}"
    return (f"{count} in the version order is open (keys {shown}): a level holds if it does with some place of them",)


def _tied(history: History, txn: Int32, placed: Int64) -> Mask:
    """Which of the versions, in order, have the timestamp of another transaction's version of the key."""
    time, key = times(history, txn, placed), history.version_key[placed]
    owner = txn[history.writer[placed]]
    same = (time[1:] == time[:-1]) & (key[1:] == key[:-1])
    run = np.cumsum(np.append(True, ~same)[: len(placed)]) if len(placed) else np.zeros(0, np.int64)
    several = np.zeros(len(placed) + 1, bool)
    several[run[1:][same & (owner[1:] != owner[:-1])]] = True
    return several[run]


def _ties(history: History, txn: Int32, placed: Int64, tied: Mask) -> Iterator[Problem]:
    """A problem for each two writers of a key that commit at one time: the first SAID, and how many more."""
    at = np.flatnonzero(tied[1:] & tied[:-1])
    one, two = placed[at], placed[at + 1]
    same = (history.version_key[one] == history.version_key[two]) & (
        times(history, txn, one) == times(history, txn, two)
    )
    same &= txn[history.writer[one]] != txn[history.writer[two]]
    one, two = one[same], two[same]
    for first, second in zip(one[:SAID].tolist(), two[:SAID].tolist(), strict=True):
        time = int(times(history, txn, np.array([first], np.int64))[0])
        what = (
            f"{_write(history, txn, first)} (line {_line(history, first)}) and {_write(history, txn, second)} commit "
            f"at one time, {time}"
        )
        yield _problem(history, what, "one timestamp a writer of a key", "timestamps", _line(history, second))
    if len(one) > SAID:
        more = len(one) - SAID
        what = f"{more} more such pair{'s' * (more > 1)}"
        yield _problem(history, what, "none (--skip-bad leaves their order open)", "many")


def _contradictions(history: History, txn: Int32) -> list[Garbage]:
    """Where lists show another order than that of the timestamps: a list has an element before one that is older, or
    does not have one that is older than its last."""
    if history.model != "append":
        return []
    versions = installed(history, txn)
    unproven = [found.key for found in history.garbage if found.kind in ("incompatible-order", "duplicate-element")]
    versions = versions[(times(history, txn, versions) >= 0) & ~np.isin(history.version_key[versions], unproven)]
    place = np.where(history.rank[versions] > 0, history.rank[versions], np.iinfo(np.int32).max)
    versions = versions[np.lexsort((history.writer[versions], place, history.version_key[versions]))]
    found: list[Garbage] = []
    key, latest, latest_time = -1, -1, -1
    columns = (versions, history.version_key[versions], times(history, txn, versions), history.rank[versions])
    for version, own_key, time, rank in zip(*(column.tolist() for column in columns), strict=True):
        if own_key != key:
            key, latest, latest_time = own_key, -1, -1
        if time < latest_time and len(found) < _NAMED:
            found.append(_contradiction(history, txn, latest, latest_time, version, time))
        if rank > 0 and time >= latest_time:  # What no list shows is ordered by timestamps alone.
            latest, latest_time = version, time
    return found


def _contradiction(
    history: History, txn: Int32, before: int, before_time: int, behind: int, behind_time: int
) -> Garbage:
    """That lists have version `before` in front of `behind`, and it is committed later."""
    place = "stands behind it in a list" if history.rank[behind] > 0 else "is missing in a list that shows it"
    of_store = history.format in _OF_STORE
    blame = "the clock or the store is wrong" if of_store else "transactions completed in another order than committed"
    text = (
        f"line {_line(history, before)}: {_write(history, txn, before)} at {before_time}; "
        f"{_write(history, txn, behind)} (line {_line(history, behind)}) at {behind_time} {place}: {blame}"
    )
    operations = (int(history.writer[before]), int(history.writer[behind]))
    return Garbage(TIMESTAMP_ORDER, operations, int(history.version_key[before]), text)


def _meaning(history: History) -> str:
    """What a verdict with the order says."""
    said = "commit timestamps" if history.format in _OF_STORE else "the places of completions in the file"
    rest = "" if history.format in _OF_STORE else ", which need not be the order of the commits"
    return f"versions are ordered by {said}{rest}: a level that fails does so with it, and may hold with another order"


def _write(history: History, txn: Int32, version: int) -> str:
    """`T3's x=4`: whose version it is."""
    name = transaction(history, int(txn[history.writer[version]]))
    return f"{name}'s {history.keys[int(history.version_key[version])]}={history.values[version]}"


def _line(history: History, version: int) -> int:
    return int(history.line[history.writer[version]])


def _problem(history: History, what: str, expected: str, rule: str = "version-order", line: int = 0) -> Problem:
    return Problem(what, expected, rule, file=history.source, line=line or None)
