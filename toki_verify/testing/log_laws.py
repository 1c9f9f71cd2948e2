"""`judge_log_suite`: the laws of durable keyed judge logs (TOKI 2026, Corollary 2, Lemma 1, Appendix C.5)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..algebra.facts import Fact
from ..stores.protocol import JudgeKey, JudgeLog
from .failures import Broken
from .suite import Check, Suite, make_suite

_WINNERS: Final = ("f1", "f2", "f1=penicillin", "ü|\"'", "audit::f1::2026", "")
_KEYS: Final = tuple(
    JudgeKey(members, theta)
    for theta in ("default", "other", "")
    for members in (("f1", "f2"), ("f2", "f1"), ("f1", "f2", "f3"), ("f1,f2",), ("f1", "ü|"))
)
#: Concurrent first fills: how many keys are filled, by how many threads at once.
_ROUNDS: Final = 24
_THREADS: Final = 4
#: Seconds until a thread that waits for the others gives up.
_PATIENCE: Final = 30.0


@dataclass(frozen=True)
class Calls:
    """A sequence of calls of insert_if_absent."""

    calls: tuple[tuple[JudgeKey, str], ...]
    shown: Mapping[str, Fact[Any]] = field(default_factory=dict)

    @property
    def told(self) -> Sequence[str]:
        """For messages."""
        return tuple(f"insert_if_absent(({', '.join(k.members)}; {k.theta}), {w!r})" for k, w in self.calls)


@dataclass(frozen=True)
class Logs:
    """How the log under test is made, and opened again."""

    make: Callable[[], Any]
    reopen: Callable[[Any], Any] | None

    @contextmanager
    def fresh(self) -> Iterator[Any]:
        """An empty log, or the store that has it; shut in the end."""
        made = self.make()
        try:
            yield made
        finally:
            _shut(made)


def judge_log_suite(
    make_log: Callable[[], Any], *, reopen: Callable[[Any], Any] | None = None, settings: settings | None = None
) -> type[Suite]:
    """A test class for a judge log: `TestMyLog = judge_log_suite(make_log)`.

    `make_log()` returns an empty log (`stores.JudgeLog`), or a store that has one as `judge_log`. If it has `session()`
    the laws of concurrency use separate sessions, otherwise threads share the log. `reopen(made)` ends what `make_log`
    made and opens it again on the same data; without it durability is not tested. `shut()` is called if it is there.
    """
    return make_suite("JudgeLogSuite", CHECKS, lambda: Logs(make_log, reopen), settings)


def log_of(made: Any) -> JudgeLog:
    """The log of what `make_log` made."""
    found: JudgeLog = getattr(made, "judge_log", made)
    return found


def _session(made: Any) -> Any:
    return made.session() if hasattr(made, "session") else made


def _shut(made: Any) -> None:
    if hasattr(made, "shut"):
        made.shut()


def _calls(tested: Logs) -> SearchStrategy[Calls]:
    call = st.tuples(st.sampled_from(_KEYS), st.sampled_from(_WINNERS))
    return st.lists(call, min_size=1, max_size=6).map(lambda found: Calls(tuple(found)))


def first(tested: Logs, case: Calls) -> None:
    """H1.first."""
    key, winner = case.calls[0]
    with tested.fresh() as made:
        told = log_of(made).insert_if_absent(key, winner)
        if told != winner:
            raise Broken(f"the first call is told {told!r}")
        kept = log_of(made).get(key)
        if kept != winner:
            raise Broken(f"then the log has {kept!r}")


def later(tested: Logs, case: Calls) -> None:
    """H1.later."""
    model: dict[JudgeKey, str] = {}
    key = case.calls[0][0]
    with tested.fresh() as made:
        # All winners at the first key, and then the other calls.
        for at, winner in (*((key, winner) for _, winner in case.calls), (key, "another"), *case.calls):
            told, expected = log_of(made).insert_if_absent(at, winner), model.setdefault(at, winner)
            if told != expected:
                raise Broken(f"insert_if_absent({at}, {winner!r}) is told {told!r}, not {expected!r}")


def get(tested: Logs, case: Calls) -> None:
    """H1.get."""
    model: dict[JudgeKey, str] = {}
    with tested.fresh() as made:
        for key, winner in (*case.calls, (case.calls[0][0], "another")):
            if log_of(made).get(key) != model.get(key):
                raise Broken(f"get({key}) is {log_of(made).get(key)!r}, not {model.get(key)!r}")
            log_of(made).insert_if_absent(key, winner)
            model.setdefault(key, winner)
            if log_of(made).get(key) != model[key]:
                raise Broken(f"get({key}) is {log_of(made).get(key)!r}, not {model[key]!r}")


def other_key(tested: Logs, case: None) -> None:
    """H1.key."""
    with tested.fresh() as made:
        for number, key in enumerate(_KEYS):
            told = log_of(made).insert_if_absent(key, str(number))
            if told != str(number):
                raise Broken(f"{key} is told the winner of {_KEYS[int(told)]}")


def entries(tested: Logs, case: Calls) -> None:
    """H1.entries."""
    model: dict[JudgeKey, str] = {}
    with tested.fresh() as made:
        for key, winner in case.calls:
            log_of(made).insert_if_absent(key, winner)
            model.setdefault(key, winner)
            found = [(entry.key, entry.winner) for entry in log_of(made).entries()]
            if found != list(model.items()):
                raise Broken(f"the entries are {found}, not {list(model.items())}")


def linear(tested: Logs, case: None) -> None:
    """H1.linear: threads that begin together, many times, switching as often as Python can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with tested.fresh() as made:
            for number in range(_ROUNDS):
                _race(made, JudgeKey(("f1", f"f{number + 2}"), "default"))
    finally:
        sys.setswitchinterval(interval)


def _race(made: Any, key: JudgeKey) -> None:
    barrier = threading.Barrier(_THREADS)
    told: dict[str, str] = {}
    raised: list[Exception] = []

    def fill(name: str) -> None:
        session = None
        try:
            session = _session(made)  # in its thread: connections of some engines stay in theirs
            barrier.wait(_PATIENCE)  # opened before: to open a session takes longer than to fill a key
            told[name] = log_of(session).insert_if_absent(key, name)
        except threading.BrokenBarrierError:
            pass  # another thread could not open its session, and says why
        except Exception as error:  # told by the thread that waits
            barrier.abort()
            raised.append(error)
        finally:
            if session is not None and session is not made:
                _shut(session)

    threads = [threading.Thread(target=fill, args=(f"by {number}",)) for number in range(_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise Broken(f"a concurrent first fill raises {type(raised[0]).__name__}: {raised[0]}") from raised[0]
    kept = log_of(made).get(key)
    if set(told.values()) != {kept} or kept not in told:
        raise Broken(f"{_THREADS} concurrent first fills are told {told}; the log has {kept!r}")


def sessions(tested: Logs, case: Calls) -> None:
    """H1.sessions."""
    model: dict[JudgeKey, str] = {}
    with tested.fresh() as made:
        other = _session(made)
        try:
            for number, (key, winner) in enumerate((*case.calls, *case.calls)):
                log = log_of((made, other)[number % 2])
                told, expected = log.insert_if_absent(key, f"{winner}{number}"), f"{winner}{number}"
                if told != model.setdefault(key, expected):
                    raise Broken(f"the other session has {model[key]!r} at {key}, this one is told {told!r}")
        finally:
            if other is not made:
                _shut(other)


def durable(tested: Logs, case: Calls) -> None:
    """H1.durable."""
    assert tested.reopen is not None
    made = tested.make()
    try:
        for key, winner in case.calls:
            log_of(made).insert_if_absent(key, winner)
        before = list(log_of(made).entries())
        made = tested.reopen(made)
        after = list(log_of(made).entries())
    finally:
        _shut(made)
    if after != before:
        raise Broken(f"opened again it has {after}, not {before}")


CHECKS: Final = (
    Check("H1.first", first, _calls),
    Check("H1.later", later, _calls),
    Check("H1.get", get, _calls),
    Check("H1.key", other_key),
    Check("H1.entries", entries, _calls),
    Check("H1.linear", linear),
    Check(
        "H1.sessions",
        sessions,
        _calls,
        lambda tested: "" if hasattr(tested.make(), "session") else "a log without session()",
    ),
    Check("H1.durable", durable, _calls, lambda tested: "" if tested.reopen else "no reopen= was given"),
)
