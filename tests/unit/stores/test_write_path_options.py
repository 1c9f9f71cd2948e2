"""Options of the write path are checked, keys of the judge log tell conflicts apart, and an interrupt rolls back."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

import pytest

from toki_verify.algebra import Fact
from toki_verify.algebra.carriers import MULTIDEGREE
from toki_verify.algebra.errors import InvalidFact, InvalidOption, NoMember, UnknownStrategy
from toki_verify.stores import JudgeKey, MemoryStore, WritePath, identities


def fact(id: str, value: str, day: int, strategy: str = "lww", **more: Any) -> Fact[Any]:
    start = datetime(2026, 1, 1) + timedelta(days=day)
    given = {"subject": "alice", "predicate": "city", "valid_from": datetime(2026, 1, 1), **more}
    return Fact(
        fact_id=id,
        object=value,
        system_time_start=start,
        provenance=MULTIDEGREE.token("p"),
        resolution_strategy_id=strategy,
        **given,
    )


def store() -> MemoryStore[Any]:
    return MemoryStore(MULTIDEGREE, busy_seconds=0)


@pytest.mark.parametrize(
    "options",
    [
        {"duplicates": "retrun"},
        {"incumbents": "stampd"},
        {"consult": "no"},
        {"theta": 5},
        {"oracles": None},
        {"enabled": None},
        {"enabled": "lww"},
        {"seconds": math.inf},
        {"seconds": math.nan},
        {"seconds": 0},
        {"seconds": "5"},
        {"seconds": True},
    ],
)
def test_an_option_that_does_not_exist_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption, match=next(iter(options))):
        WritePath(store(), **options)


@pytest.mark.parametrize("options", [{"enabled": [[]]}, {"enabled": ["lw"]}, {"oracles": {"awai": lambda facts: 0}}])
def test_an_unknown_strategy_in_an_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UnknownStrategy):
        WritePath(store(), **options)


def test_strategies_may_come_from_an_iterator() -> None:
    path = WritePath(store(), enabled=iter(["lww", "evi"]))
    assert path.ingest(fact("f", "Oslo", 1)).kind == "inserted"
    assert path.ingest(fact("g", "Rome", 2, "evi")).kind == "resolved"


def test_what_is_no_fact_is_refused() -> None:
    with pytest.raises(InvalidFact, match="a Fact"):
        WritePath(store()).ingest("f")  # type: ignore[arg-type]


def test_a_vote_counts_in_its_own_partition_only() -> None:
    """Facts of another partition may have the same names: about them the judge is asked anew."""
    asked = []

    def judge(members: Any) -> int:
        asked.append([member.object for member in members])
        return 1

    path = WritePath(store(), oracles={"await": judge})
    path.ingest(fact("f1", "Oslo", 1, "await"))
    path.ingest(fact("f2", "Bergen", 2, "await"))
    other = {"subject": "bob", "predicate": "drink"}
    path.ingest(fact("f2", "tea", 3, "await", **other))
    assert path.ingest(fact("f1", "coffee", 4, "await", **other)).row.object == "coffee"
    assert asked == [["Oslo", "Bergen"], ["tea", "coffee"]]
    keys = [entry.key for entry in path.store.judge_log.entries()]
    assert [(key.subject, key.predicate) for key in keys] == [("alice", "city"), ("bob", "drink")]


def test_identities_tell_members_apart() -> None:
    """Whatever facts are called, no two pairs of a partition have one key."""
    pairs = [
        [fact("f", "a", 1), fact("f", "b", 2)],
        [fact("f=a", "x", 1), fact("f=b", "y", 2)],
        [fact('["f", "a"]', "x", 1), fact('["f", "b"]', "y", 2)],
        [fact("f", "x", 1), fact('["f"]', "y", 2)],
    ]
    keys = [tuple(sorted(identities(pair))) for pair in pairs]
    assert len(set(keys)) == len(keys)
    assert keys[0] == ('["f", "a"]', '["f", "b"]')
    assert keys[1] == ("f=a", "f=b")


def test_a_verdict_for_nobody_is_refused() -> None:
    path = WritePath(store(), oracles={"await": lambda members: 0})
    path.ingest(fact("f1", "Oslo", 1))
    path.store.judge_log.insert_if_absent(JudgeKey(("f1", "f2"), "default", "alice", "city"), "zzz")
    before = path.store.rows()
    with pytest.raises(NoMember, match="'zzz'"):
        path.ingest(fact("f2", "Bergen", 2, "await"))
    assert path.store.rows() == before
    assert path.ingest(fact("f3", "Rome", 3)).kind == "resolved"  # the store goes on


def test_an_interrupt_rolls_back_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even while somebody holds on to the traceback, which keeps the generator alive."""
    made = store()
    path = WritePath(made)
    path.ingest(fact("f1", "Oslo", 1))
    transaction = type(made.begin())
    made.shut()
    made = store()
    path = WritePath(made)
    path.ingest(fact("f1", "Oslo", 1))

    def interrupted(self: Any, row: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(transaction, "insert", interrupted)
        with pytest.raises(KeyboardInterrupt) as caught:
            path.ingest(fact("f2", "Bergen", 2))
    assert caught.traceback
    assert path.ingest(fact("f3", "Rome", 3)).kind == "resolved"
    assert [row.fact_id for row in made.rows() if row.is_open and row.row_kind == "current"] == ["f3"]
