"""Random schedules over Σ⁺ for the bridge (TOKI 2026, Table 23, Lemma bridge: 1,000 schedules of length 12)."""

from __future__ import annotations

from random import Random
from typing import Final

from ..events import INITIAL, Abort, Callback, Commit, Event, Item, Judge, Read, Schedule, Write
from ..events.values import json_text

LENGTH: Final = 12
_ITEMS: Final = (Item("facts", "x"), Item("facts", "y"))
_THETA: Final = json_text("theta")


def drawn(seed: int, *, obedient: bool, length: int = LENGTH) -> Schedule:
    """A schedule of so many events: three transactions, two items, two keys, votes 0 and 1; the same for a seed always.

    Reads see the latest write that is not of an aborted transaction, and their own before any other. With `obedient` a
    repeated call returns the first vote at its key (later calls return the row); else every vote is drawn.
    """
    random = Random(f"bridge {seed} {obedient}")
    open_ones = ["1", "2", "3"]
    events: list[Event] = []
    votes: dict[str, str] = {}
    writes: dict[Item, list[tuple[str, str]]] = {item: [] for item in _ITEMS}
    aborted: set[str] = set()
    while len(events) < length and open_ones:
        room = length - len(events)
        txn = random.choice(open_ones)
        if room <= len(open_ones) or random.random() < 0.08:
            if random.random() < 0.15:
                aborted.add(txn)
            events.append(Abort(txn) if txn in aborted else Commit(txn))
            open_ones.remove(txn)
            continue
        kind = random.random()
        item = random.choice(_ITEMS)
        if kind < 0.3:
            alive = [(by, label) for by, label in writes[item] if by not in aborted]
            own = [(by, label) for by, label in alive if by == txn]
            events.append(Read(txn, item, (own or alive or [("", INITIAL)])[-1][1]))
        elif kind < 0.55:
            writes[item].append((txn, str(len(writes[item]) + 1)))
            events.append(Write(txn, item, writes[item][-1][1]))
        elif kind < 0.95:
            key = random.choice(("R", "S"))
            vote = random.choice(("0", "1"))
            events.append(Judge(txn, key, _THETA, votes.setdefault(key, vote) if obedient else vote))
        else:
            events.append(Callback(txn, "R", "h", random.choice((0, 1))))
    return Schedule(events)
