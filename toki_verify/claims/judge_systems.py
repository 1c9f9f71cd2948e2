"""Contradiction-resolution systems, as tables: what one does at a judge call, by what it sees at the key.

A system answers a contradiction at κ = (R, θ) with one judge invocation. What it does there is a function of the row
that it finds in its keyed store (Definition 6): three entries, for no row, vote 0 and vote 1. The rest says when the
row of a vote is committed and what becomes of a fill that finds the key taken (SEMANTICS §6). TOKI 2026, Definition 6,
Theorem 5, Corollary 4, Remark 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

#: Where no row is found: ask the oracle; ask it twice, both as judge events, and act on the later vote; return a vote
#: that was settled offline; abort the operator; resolve without a judge (by time, say).
ABSENT: Final = ("skip", "abort", "0", "1", "ask", "twice")
#: Where a row is found: return its vote; ask the oracle; return the other vote; abort; resolve without a judge.
PRESENT: Final = ("read", "skip", "abort", "flip", "ask")
#: When the row of a vote that was not read is committed: never; before the operator, in a transaction of its own; in
#: the operator's transaction; after the operator's commit.
PLACES: Final = ("never", "before", "with", "after")
#: A fill that finds the key taken: acts on the row's vote; aborts the operator; keeps its own vote and leaves the row;
#: overwrites the row (no unique key, or a mutable row). The first three are inserts that check the key when they
#: insert.
CLASHES: Final = ("adopt", "abort", "keep", "overwrite")


@dataclass(frozen=True)
class System:
    """A system at one key. `key`: whether a second question finds the key of the first ("recurs") or each call makes a
    key of its own ("nonce"). `store`: whether the keyed rows are in judge_log, or elsewhere (a cache, a key-value
    store).
    """

    absent: str
    row_0: str
    row_1: str
    place: str
    clash: str
    key: str = "recurs"
    store: str = "judge_log"

    def action(self, row: int | None) -> str:
        """What it does when it sees a row's vote, or no row."""
        return self.absent if row is None else self.row_1 if row else self.row_0

    @property
    def renamed(self) -> System:
        """The system with the votes 0 and 1 exchanged: its histories are those of this one, renamed."""
        absent = {"0": "1", "1": "0"}.get(self.absent, self.absent)
        return replace(self, absent=absent, row_0=self.row_1, row_1=self.row_0)

    @property
    def writes(self) -> bool:
        """Whether it ever logs a vote."""
        return self.place != "never"

    @property
    def size(self) -> int:
        """How many entries do something, beyond resolving without a judge and keeping nothing."""
        live = (self.absent, self.row_0, self.row_1)
        written = 2 * self.writes + (self.key == "nonce") + (self.store != "judge_log")
        return sum(action != "skip" for action in live) + written

    def __str__(self) -> str:
        rows = f"; row 0: {self.row_0}; row 1: {self.row_1}" if self.writes and self.key == "recurs" else ""
        place = {"never": "no row", "before": "row committed before", "with": "row in its transaction"}
        kept = place.get(self.place, "row committed after it")
        taken = f"; key taken: {self.clash}" if self.writes and self.key == "recurs" else ""
        key = "; a nonce in the key" if self.key == "nonce" else ""
        where = "" if self.store == "judge_log" or not self.writes else "; rows not in judge_log"
        return f"[no row: {self.absent}{rows}; {kept}{taken}{key}{where}]"


@dataclass(frozen=True)
class Environment:
    """What histories may do: let two operators overlap; let one crash after any step, its store durable or lost with
    it; let another transaction change the row. Serial and faultless: Environment(False, "none")."""

    overlap: bool = True
    crash: str = "durable"
    edit: bool = False

    def __str__(self) -> str:
        crash = {"none": "no crashes", "durable": "crashes", "volatile": "crashes that lose the store"}[self.crash]
        edit = ", rows edited by others" if self.edit else ""
        return f"{'overlapping' if self.overlap else 'serial'} operators, {crash}{edit}"


#: Any number of operators, two at a time, and crashes that the store survives: what Theorem 5 may be fairly given.
FULL: Final = Environment()
#: The oracle's votes at a key: both (boundedly nondeterministic there), or one.
BOTH: Final = frozenset({0, 1})
NAMED: Final = {
    "Corollary 2": System("ask", "read", "read", "before", "adopt"),
    "Algorithm 1, line 14": System("ask", "ask", "ask", "before", "overwrite"),
    "no log": System("ask", "skip", "skip", "never", "adopt"),
}


def family() -> Iterator[System]:
    """Every system: each behaviour once, entries that can never be used at their first value."""
    for absent in ABSENT:
        yield System(absent, "skip", "skip", "never", "adopt")
    for place, absent, row_0, row_1 in product(PLACES[1:], ABSENT, PRESENT, PRESENT):
        for clash in CLASHES if place != "after" else ("keep", "overwrite"):
            yield System(absent, row_0, row_1, place, clash)


def extended() -> Iterator[System]:
    """The family, with nonces in the key, and with the rows kept elsewhere."""
    for system in family():
        yield system
        if system.writes:
            yield replace(system, store="elsewhere")
        if system.row_0 == system.row_1 == "skip" and system.clash in ("adopt", "keep"):
            yield replace(system, key="nonce")


def one_insert(system: System) -> bool:
    """The condition of the repaired Corollary 4, on the table alone: a vote is committed no later than its operator, by
    an insert that checks the key as it inserts; whoever comes second takes the row's vote or aborts; and a call asks
    once. Whether a row is looked for before asking does not matter."""
    once = system.place in ("before", "with") and system.clash in ("adopt", "abort")
    return once and system.absent != "twice" and system.key == "recurs"


def has_hook(system: System) -> bool:
    """Definition 6 read as a hook of the surface: the log is consulted, a row is returned, a vote is logged before."""
    reads = system.row_0 == system.row_1 == "read"
    return reads and system.place == "before" and system.store == "judge_log" and system.key == "recurs"
