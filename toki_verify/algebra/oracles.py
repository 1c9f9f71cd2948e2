"""Oracles of ⊕? and ⊕c: callbacks and policies that elect a member of a conflict set (TOKI 2026, §3.2, Table 13)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from .errors import InvalidOption, OracleFailed, OracleTimedOut, VoteOutOfRange, shown
from .facts import Fact

#: The most seconds that an oracle may be given: a year, which every platform's threads can wait.
LONGEST: Final = 31_536_000.0
#: Given the members of a conflict set in order, the index of the winner.
Oracle = Callable[[Sequence[Fact[Any]]], int]


def ask(oracle: Oracle, members: Sequence[Fact[Any]], seconds: float | None = None) -> int:
    """What an oracle elects, checked. With `seconds` it runs in a thread of its own, which is left behind when time is
    up. Raises OracleFailed (its cause is what the oracle raised), OracleTimedOut, VoteOutOfRange.
    """
    patience(seconds)
    # A copy: whoever has the list may change it while the oracle thinks.
    given = tuple(members)
    try:
        vote: Any = oracle(given) if seconds is None else _within(oracle, given, seconds)
    except OracleTimedOut:
        raise
    except Exception as error:
        raise OracleFailed(f"the oracle raised {_told(error)}", "the index of the winner") from error
    # Of a subclass of int the comparisons below could say anything; True is one.
    if type(vote) is not int or not 0 <= vote < len(given):
        raise VoteOutOfRange(f"the oracle returned {shown(vote)}", f"an index from 0 to {len(given) - 1}")
    return vote


def patience(seconds: object) -> None:
    """Raises InvalidOption unless an oracle may be given so many seconds: a positive number, or None for no limit."""
    if seconds is None:
        return
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not number or not 0 < seconds <= LONGEST:  # type: ignore[operator]
        raise InvalidOption(f"seconds={shown(seconds)}", f"a positive number up to {LONGEST:g}, or None for no limit")


def _told(error: Exception) -> str:
    """An exception in words; of a foreign class they may fail."""
    try:
        said = str(error)
    except Exception:
        said = "(which cannot be shown)"
    return f"{type(error).__name__}: {said}"


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
