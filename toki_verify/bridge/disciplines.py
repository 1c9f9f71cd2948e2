"""How a system logs the votes of its judge: every combination of the choices that the seed leaves open (SEMANTICS §6).

A `Discipline` is one combination, written `own/immutable/if-absent/adopt/across`. A combination that contradicts itself
is kept, and `contradiction` says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

#: Where the row is written: `own`, a transaction of its own, which ends before the operator goes on; `operator`, the
#: operator's own transaction, whose rollback takes the row along.
PLACES: Final = {
    "own": "the log row is written in a transaction of its own",
    "operator": "the log row is written in the operator's transaction",
}
ROWS: Final = {
    "immutable": "a row is never changed once inserted",
    "replaceable": "a later fill may replace the row, nothing else does",
    "mutable": "maintenance may overwrite a row with another vote",
}
FILLS: Final = {
    "blind": "Algorithm 1, line 14, as printed: ask, append a row, consult nothing",
    "check": "consult; where nothing is seen ask and insert a row; no unique key, so rows at a key are several items",
    "recheck": "as check, and the log's transaction reads the key again and inserts only where it sees nothing",
    "upsert": "consult; where nothing is seen ask and insert or replace the one row of the key",
    "recheck-upsert": "as upsert, and the log's transaction reads the row again and writes only where it sees none",
    "unique-log": "consult, ask, insert under a unique key that the engine checks in the log's own transaction",
    "unique-operator": "consult, ask, insert under a unique key that the engine checks in the operator's transaction",
    "if-absent": "consult, ask, one linearizable insert-if-absent that returns the row there is then",
    "ask-if-absent": "consult nothing: ask, then one linearizable insert-if-absent, which returns the row, too",
    "claim": "consult; claim the unique key first, and ask while it is held",
}
LOSERS: Final = {
    "keep": "a call whose fill comes too late returns its own vote, whether or not it has learnt of the other row",
    "adopt": "it returns the vote of the row that is there",
    "abort": "it aborts the operator, which may be run again",
}
#: What is learnt from a fill that loses under a key (`KEYED`).
REFUSAL: Final = (
    "A losing insert under a unique key is a read of the row by the transaction in which it is made, whatever the call "
    "does then: an insert-if-absent returns the row, and a key that refuses an insert says that the row is there"
)
RECURRENCES: Final = {
    "within": "the key recurs only within one transaction",
    "across": "the key recurs across transactions too: another operator, a retry, a replay after a crash",
}

#: Fills under a unique key: the engine refuses a second row, and the transaction learns that there is one (`REFUSAL`).
KEYED: Final = frozenset({"unique-log", "unique-operator", "if-absent", "ask-if-absent", "claim"})
#: Fills that take effect, and find what is there, at one instant.
LINEARIZABLE: Final = frozenset({"if-absent", "ask-if-absent"})
#: Fills without a key: each fill is a row of its own.
APPENDING: Final = frozenset({"blind", "check", "recheck"})
#: Fills that replace the row that is there.
REPLACING: Final = frozenset({"upsert", "recheck-upsert"})
#: Fills whose transaction looks at the log itself.
RECHECKING: Final = frozenset({"recheck", "recheck-upsert"})


@dataclass(frozen=True)
class Discipline:
    """One combination of logging choices; `PLACES`, `ROWS`, `FILLS`, `LOSERS`, `RECURRENCES` say what each means."""

    place: str
    row: str
    fill: str
    loser: str
    recurs: str

    def __post_init__(self) -> None:
        known = ((PLACES, self.place), (ROWS, self.row), (FILLS, self.fill), (LOSERS, self.loser))
        for names, name in (*known, (RECURRENCES, self.recurs)):
            if name not in names:
                raise ValueError(f"unknown choice {name!r}, expected one of {', '.join(names)}")

    def __str__(self) -> str:
        return "/".join((self.place, self.row, self.fill, self.loser, self.recurs))

    @classmethod
    def parse(cls, spec: str) -> Discipline:
        """The combination a spec names. Raises ValueError with what was expected."""
        parts = spec.split("/")
        if len(parts) != 5:
            raise ValueError(f"{spec!r}, expected place/row/fill/loser/recurrence")
        return cls(*parts)

    @property
    def consults(self) -> bool:
        """Whether every call reads the log before it asks."""
        return self.fill not in ("blind", "ask-if-absent")

    @property
    def keyed(self) -> bool:
        """Whether the row of a key is one item."""
        return self.fill not in APPENDING

    @property
    def unique(self) -> bool:
        """Whether the engine refuses a second row."""
        return self.fill in KEYED

    @property
    def meaning(self) -> str:
        """The choices in words."""
        words = (PLACES[self.place], ROWS[self.row], FILLS[self.fill], LOSERS[self.loser], RECURRENCES[self.recurs])
        return "; ".join(words)


def contradiction(found: Discipline) -> str:
    """Why a combination contradicts itself, or "" where it does not."""
    if found.fill == "unique-log" and found.place == "operator":
        return "the log has no transaction of its own in which the key could be checked: it is unique-operator"
    if found.fill == "unique-operator" and found.place == "own":
        return (
            "an engine checks a key where the row is inserted, which is the log's transaction (unique-log); looked at "
            "from the operator's it is a read and no key (check)"
        )
    if found.fill in RECHECKING and found.place == "operator":
        return "the operator's transaction has looked already, in its consultation: it is the fill without the recheck"
    if found.fill in REPLACING and found.row == "immutable":
        return "an upsert replaces the row that it finds"
    if found.fill not in REPLACING and found.row == "replaceable":
        return "this fill inserts and never replaces, so nothing changes a row: it is immutable"
    if not found.unique and found.fill not in RECHECKING and found.loser != "keep":
        return "a fill that looks at nothing and has no unique key never learns that it lost: nothing can be done then"
    if found.fill == "ask-if-absent" and found.loser == "abort":
        return "without a consultation every retry loses again: nobody but the first ever gets a vote"
    return ""


def combinations() -> Iterator[Discipline]:
    """Every combination, those that contradict themselves too."""
    for choices in product(PLACES, ROWS, FILLS, LOSERS, RECURRENCES):
        yield Discipline(*choices)


def disciplines() -> list[Discipline]:
    """The combinations that do not contradict themselves."""
    return [found for found in combinations() if not contradiction(found)]
