"""`judge_log_suite`: the laws of durable keyed judge logs (TOKI 2026, Corollary 2, Lemma 1, Appendix C.5)."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..stores.errors import StoreLocked
from ..stores.protocol import JudgeKey, JudgeLog
from .factories import fresh, placed, shut
from .failures import Broken
from .protocols import require_log
from .suite import Check, Suite, make_suite
from .traces import Trace, Traced, key_text, raw_of

_WINNERS: Final = ("f1", "f2", "f1=penicillin", "ü|\"'", "audit::f1::2026", "")
_KEYS: Final = (
    *(
        JudgeKey(members, theta)
        for theta in ("default", "other", "")
        for members in (("f1", "f2"), ("f2", "f1"), ("f1", "f2", "f3"), ("f1,f2",), ("f1", "ü|"))
    ),
    # Facts of the same names in other partitions are other facts.
    JudgeKey(("f1", "f2"), "default", "alice", "city"),
    JudgeKey(("f1", "f2"), "default", "city", "alice"),
    JudgeKey(("f1", "f2"), "default", "alice"),
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


@dataclass
class Logs:
    """How the log under test is made, and opened again. `trace` has what was done with the latest one."""

    make: Callable[..., Any]
    reopen: Callable[[Any], Any] | None
    trace: Trace = field(default_factory=Trace)

    def __post_init__(self) -> None:
        """Raises Untestable."""
        with fresh(self.make) as made:
            require_log(log_of(made))
            self.has_sessions = hasattr(made, "session")

    @contextmanager
    def fresh(self) -> Iterator[Any]:
        """An empty log, or the store that has it, whose calls are traced; shut in the end."""
        with fresh(self.make) as found:
            self.trace = Trace()
            yield Traced(found, "store" if hasattr(found, "judge_log") else "log", self.trace)


def judge_log_suite(
    make_log: Callable[..., Any], *, reopen: Callable[[Any], Any] | None = None, settings: settings | None = None
) -> type[Suite]:
    """A test class for a judge log: `TestMyLog = judge_log_suite(make_log)`.

    `make_log()` returns an empty log (`stores.JudgeLog`), or a store that has one as `judge_log`; if it has a parameter
    `directory` it is given an empty one (a Path), which is removed afterwards. If there is `session()` the laws of
    concurrency use separate sessions, otherwise threads share the log; StoreLocked makes them try again. `reopen(made)`
    ends what `make_log` made and opens it again on the same data; without it durability is not tested. `shut()` is
    called if it is there.
    """
    return make_suite("JudgeLogSuite", CHECKS, lambda: Logs(make_log, reopen), settings)


def log_of(made: Any) -> JudgeLog:
    """The log of what `make_log` made."""
    found: JudgeLog = getattr(made, "judge_log", made)
    return found


def _session(made: Any) -> Any:
    return made.session() if hasattr(made, "session") else made


def _filled(log: Any, key: JudgeKey, winner: str) -> str:
    """insert_if_absent, again while another session has the log: StoreLocked is a documented outcome of it."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            told: str = log.insert_if_absent(key, winner)
            return told
        except StoreLocked:
            if time.monotonic() > until:
                raise
            time.sleep(0.001)


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
                raise Broken(f"insert_if_absent({key_text(at)}, {winner!r}) is told {told!r}, not {expected!r}")


def get(tested: Logs, case: Calls) -> None:
    """H1.get."""
    model: dict[JudgeKey, str] = {}
    with tested.fresh() as made:
        for key, winner in (*case.calls, (case.calls[0][0], "another")):
            if log_of(made).get(key) != model.get(key):
                raise Broken(f"get({key_text(key)}) is {log_of(made).get(key)!r}, not {model.get(key)!r}")
            log_of(made).insert_if_absent(key, winner)
            model.setdefault(key, winner)
            if log_of(made).get(key) != model[key]:
                raise Broken(f"get({key_text(key)}) is {log_of(made).get(key)!r}, not {model[key]!r}")


def other_key(tested: Logs, case: None) -> None:
    """H1.key."""
    with tested.fresh() as made:
        for number, key in enumerate(_KEYS):
            told = log_of(made).insert_if_absent(key, str(number))
            if told != str(number):
                raise Broken(f"{key_text(key)} is told the winner of {key_text(_KEYS[int(told)])}")


def entries(tested: Logs, case: Calls) -> None:
    """H1.entries."""
    model: dict[JudgeKey, str] = {}
    with tested.fresh() as made:
        for key, winner in case.calls:
            log_of(made).insert_if_absent(key, winner)
            model.setdefault(key, winner)
            found = [(entry.key, entry.winner) for entry in log_of(made).entries()]
            if found != list(model.items()):
                raise Broken(f"the entries are {_list(found)}, not {_list(model.items())}")


def linear(tested: Logs, case: None) -> None:
    """H1.linear: threads that begin together, many times, switching as often as Python can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with tested.fresh() as made:
            for number in range(_ROUNDS):
                _race(raw_of(made), JudgeKey(("f1", f"f{number + 2}"), "default"))
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
            told[name] = _filled(log_of(session), key, name)
        except threading.BrokenBarrierError:
            pass  # another thread could not open its session, and says why
        except Exception as error:  # told by the thread that waits
            barrier.abort()
            raised.append(error)
        finally:
            if session is not None and session is not made:
                shut(session)

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
                told, expected = _filled(log, key, f"{winner}{number}"), f"{winner}{number}"
                if told != model.setdefault(key, expected):
                    raise Broken(f"the other session has {model[key]!r} at {key_text(key)}, this one is told {told!r}")
        finally:
            if other is not made:
                shut(other)


def durable(tested: Logs, case: Calls) -> None:
    """H1.durable."""
    assert tested.reopen is not None
    with placed(tested.make) as found:
        tested.trace = Trace()
        traced = log_of(Traced(found, "store" if hasattr(found, "judge_log") else "log", tested.trace))
        try:
            for key, winner in case.calls:
                traced.insert_if_absent(key, winner)
            before = list(log_of(found).entries())
            tested.trace.add("reopen")
            found = tested.reopen(found)
            after = list(log_of(found).entries())
        finally:
            shut(found)
    if after != before:
        raise Broken(f"opened again it has {after}, not {before}")


def _list(entries: Any) -> str:
    return "[" + ", ".join(f"{key_text(key)}: {winner!r}" for key, winner in entries) + "]"


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
        lambda tested: "" if tested.has_sessions else "a log without session()",
    ),
    Check("H1.durable", durable, _calls, lambda tested: "" if tested.reopen else "no reopen= was given"),
)
