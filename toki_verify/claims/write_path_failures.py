"""Every failure of Table 14, provoked (TOKI 2026, Table 14, §3.2, Appendix C.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any, Final

from ..algebra import Fact
from ..stores import MemoryStore, WritePath
from .small_facts import MULTIDEGREE, day, fact


@dataclass(frozen=True)
class Failure:
    """`what` goes wrong at which `step`; `act` does it on a store with some rows; the `expected` errors by name."""

    what: str
    step: str
    act: Callable[[MemoryStore[Any]], object]
    expected: tuple[str, ...]
    rows: tuple[Fact[Any], ...] = (fact("a", "x", (0, 1), at=1),)


def _write(
    strategy: str = "lww", *, at: int = 3, name: str = "b", valid: tuple[int, int] = (0, 2), **settings: Any
) -> Any:
    def act(store: MemoryStore[Any]) -> object:
        return WritePath(store, **settings).ingest(fact(name, "y", valid, at=at, strategy=strategy))

    return act


def _vote(vote: Any) -> dict[str, Any]:
    return {"oracles": {"await": lambda members: vote, "rule": lambda members: vote}}


def _raising(members: Sequence[Fact[Any]]) -> int:
    raise RuntimeError("no answer")


def _silent(members: Sequence[Fact[Any]]) -> int:
    Event().wait(0.2)
    return 0


def _close_twice(store: MemoryStore[Any]) -> object:
    transaction = store.begin()
    try:
        row = store.rows()[0]
        transaction.close(row, day(2))
        transaction.close(row, day(3))
    finally:
        transaction.rollback()
    return None


_TWO: Final = (fact("a", "x", (0, 1), at=1), fact("a2", "x", (1, 2), at=2))
FAILURES: Final = (
    Failure("an unknown schema mode", "step 1, C.1", lambda _: MemoryStore(MULTIDEGREE, mode="row"), ("UnknownMode",)),
    Failure("an unknown operator in operators_on", "step 1", _write(enabled=("lww", "newest")), ("UnknownStrategy",)),
    Failure("two incumbents", "step 4", _write(), ("SeveralIncumbents",), _TWO),
    Failure("a strategy that is switched off", "step 5", _write("evi", enabled=("lww",)), ("StrategyNotEnabled",)),
    Failure("an unknown strategy", "step 6", _write("newest"), ("UnknownStrategy",)),
    Failure("await without a callback", "step 6", _write("await"), ("OracleMissing",)),
    Failure("rule without a policy", "step 6", _write("rule"), ("OracleMissing",)),
    *(
        Failure(f"a vote {vote!r}", "C.2", _write(strategy, **_vote(vote)), ("VoteOutOfRange",))
        for strategy, vote in (("await", 2), ("rule", -1), ("rule", True), ("await", None))
    ),
    Failure("an oracle that raises", "C.2", _write("rule", oracles={"rule": _raising}), ("OracleFailed",)),
    Failure(
        "an oracle that gives no answer",
        "C.2",
        _write("await", oracles={"await": _silent}, seconds=0.01),
        ("OracleTimedOut",),
    ),
    Failure("a write at the incumbent's instant that wins", "step 7", _write(at=1), ("ConstraintViolated",)),
    Failure("a row closed twice", "step 7, C.1", _close_twice, ("NoOpenRow",)),
    Failure(
        "a second row of one fact_id and system_time_start",
        "Table 12",
        _write(name="a", at=1, valid=(1, 2)),
        ("ConstraintViolated",),
    ),
)


def attempt(failure: Failure) -> tuple[str, bool, bool]:
    """The name of what was raised; whether the rows are as they were; whether the store can be written to after it."""
    store: MemoryStore[Any] = MemoryStore(MULTIDEGREE)
    for row in failure.rows:
        WritePath(store).ingest(row)
    before = store.rows()
    raised = "nothing"
    try:
        failure.act(store)
    except Exception as error:  # whatever it is, its name is compared
        raised = type(error).__name__
    unchanged = store.rows() == before
    try:
        usable = WritePath(store).ingest(fact("z", "z", (5, 6), at=9)).kind == "inserted"
    except Exception:
        usable = False
    return raised, unchanged, usable
