"""Oracles of ⊕? and ⊕c: callbacks and policies that elect a member of a conflict set (TOKI 2026, §3.2, Table 13)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import OracleFailed, OracleTimedOut, VoteOutOfRange, shown
from .facts import Fact

#: Given the members of a conflict set in order, the index of the winner.
Oracle = Callable[[Sequence[Fact[Any]]], int]


def ask(oracle: Oracle, members: Sequence[Fact[Any]], seconds: float | None = None) -> int:
    """What an oracle elects, checked. With `seconds` it runs in a thread of its own, which is left behind when time is
    up. Raises OracleFailed (its cause is what the oracle raised), OracleTimedOut, VoteOutOfRange.
    """
    # A copy: whoever has the list may change it while the oracle thinks.
    given = tuple(members)
    try:
        vote: Any = oracle(given) if seconds is None else _within(oracle, given, seconds)
    except OracleTimedOut:
        raise
    except Exception as error:
        raise OracleFailed(f"the oracle raised {type(error).__name__}: {error}", "the index of the winner") from error
    if isinstance(vote, bool) or not isinstance(vote, int) or not 0 <= vote < len(given):
        raise VoteOutOfRange(f"the oracle returned {shown(vote)}", f"an index from 0 to {len(given) - 1}")
    return vote


def _within(oracle: Oracle, members: tuple[Fact[Any], ...], seconds: float) -> object:
    answer: list[object] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            answer.append(oracle(members))
        except BaseException as error:  # given to the thread that waits
            failure.append(error)

    thread = threading.Thread(target=run, name="toki-oracle", daemon=True)
    thread.start()
    thread.join(seconds)
    if failure:
        raise failure[0]
    if not answer:
        raise OracleTimedOut(f"no answer of the oracle within {seconds:g} s", "the index of the winner")
    return answer[0]


def policy(rows: Mapping[frozenset[str], str]) -> Oracle:
    """The oracle of a policy table: rows keyed by the unordered set of identities, each naming its winner (§3.2)."""

    def elect(members: Sequence[Fact[Any]]) -> int:
        ids = [member.fact_id for member in members]
        return ids.index(rows[frozenset(ids)])

    return elect
