"""What transactions and sessions are called in a history that was written in another format: most forms count them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .columns import ABORTED, UNKNOWN, History
from .writers import Teller, events_of

#: What stands for a session in Jepsen's forms.
_WORD: Final = {"jepsen-edn": "process", "elle-json": "process"}
Pairs = list[tuple[str, str]]


def renamed(history: History, format: str) -> str | None:
    """Which transactions and sessions have another name in the history as `writers.write_history` writes it: the first
    of each and how many, in words; None: none has.

    A transaction of Jepsen's forms is called by the index of its completion, or of its invocation where it has none.
    Aborted transactions of Plume text have no name of their own. Raises ValueError as `write_history` does.
    """
    teller = Teller(history)
    transactions = _by_place(teller, format) if format in ("awdit", "dbcop-json") else _counted(teller, format)
    sessions = _sessions(teller, format)
    parts = [
        _first(pairs, word)
        for pairs, word in ((transactions, "transaction"), (sessions, _WORD.get(format, "session")))
        if pairs
    ]
    return "; ".join(parts) or None


def _first(pairs: Pairs, word: str) -> str:
    before, after = pairs[0]
    more = len(pairs) - 1
    others = f" (and {more:,} other {word}{'es' if word == 'process' else 's'})" if more > 1 else ""
    others = f" (and another {word})" if more == 1 else others
    return f"{word} {before} is {after}{others}"


def _changed(pairs: Iterable[tuple[str, str]]) -> Pairs:
    return [(before, after) for before, after in pairs if before != after]


def _counted(teller: Teller, format: str) -> Pairs:
    """Transactions of the forms that number them through."""
    history = teller.history
    names = {txn: str(txn) for txn in range(len(teller.sessions))}
    if format == "plume":
        empty = {txn for txn in names if teller.first[txn] == teller.first[txn + 1]}
        names = {t: name for t, name in names.items() if teller.outcomes[t] != ABORTED and t not in empty}
    elif format in ("jepsen-edn", "elle-json"):
        for index, (txn, done) in enumerate(events_of(teller)):
            if not done or teller.outcomes[txn] != UNKNOWN:
                names[txn] = str(index)
    return _changed((history.transactions[txn], name) for txn, name in names.items())


def _by_place(teller: Teller, format: str) -> Pairs:
    """Transactions of the forms in which they have no number: session and place."""
    history = teller.history
    awdit = format == "awdit"
    first = int(awdit and any(version < len(history.keys) for version in teller.versions))
    pairs = []
    number = first
    for session in teller.by_session():
        there = [txn for txn in session if not awdit or teller.first[txn] < teller.first[txn + 1]]
        pairs += [(history.transactions[txn], f"{number}.{place}") for place, txn in enumerate(there)]
        number += bool(there) if awdit else 1
    return _changed(pairs)


def _sessions(teller: Teller, format: str) -> Pairs:
    """Sessions; where places are names the transactions say them."""
    if format in ("awdit", "dbcop-json"):
        return []
    return _changed((name, str(number)) for number, name in enumerate(teller.history.sessions))


__all__ = ["renamed"]
