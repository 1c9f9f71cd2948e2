"""Several writers on one store, over every store."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from toki_verify.algebra.audit import unpack
from toki_verify.stores import WritePath
from toki_verify.stores.errors import ConstraintViolated, StoreLocked

from .conftest import Opener
from .samples import fact
from .test_contract import put


def test_an_incumbent_that_changes_during_an_election(store: Any) -> None:
    """The vote about (f, g) is kept, and one about (h, g) is asked for."""
    put(store, fact("f"))
    other = WritePath(store.session())
    asked: list[list[str]] = []

    def oracle(members: Any) -> int:
        asked.append([member.fact_id for member in members])
        if len(asked) == 1:
            other.ingest(fact("h", start=1))
        return 1

    written = WritePath(store, {"await": oracle}).ingest(fact("g", start=2, resolution_strategy_id="await"))
    assert asked == [["f", "g"], ["h", "g"]] and written.row.fact_id == "g"
    assert [entry.winner for entry in store.judge_log.entries()] == ["g", "g"]
    assert [row.fact_id for row in store.rows() if row.row_kind == "current" and row.is_open] == ["g"]


def test_writers_of_one_partition_leave_one_belief(make: Opener) -> None:
    """Eight threads, each with a session, write six facts each: nothing is lost, and no two open rows contradict."""
    store = make(busy_seconds=60.0)
    ticks = iter(range(1, 10_000))
    lock = threading.Lock()
    failed: list[Exception] = []

    def run(session: Any, number: int) -> None:
        path = WritePath(session)
        for index in range(6):
            name = f"t{number}i{index}"
            while True:
                with lock:
                    now = next(ticks)
                try:
                    path.ingest(fact(name, start=now))
                    break
                except ConstraintViolated:  # another writer had a later tick: take a new one
                    continue
                except Exception as error:
                    failed.append(error)
                    return

    sessions = [store.session() for _ in range(8)]
    threads = [threading.Thread(target=run, args=(session, number)) for number, session in enumerate(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    rows = store.rows()
    current = [row for row in rows if row.row_kind == "current"]
    assert len([row for row in current if row.is_open]) == 1
    # Each fact is a current row, or has lost to a later one and lives in an audit row.
    losers = {loser for row in rows if row.row_kind == "audit" for loser in unpack(row).loser_ids}
    assert losers | {row.fact_id for row in current} == {f"t{n}i{i}" for n in range(8) for i in range(6)}


def test_two_first_facts_do_not_both_find_the_partition_empty(store: Any) -> None:
    """Under plain snapshot isolation (DuckDB) both would commit: two open rows that contradict."""
    path, other = WritePath(store), WritePath(store.session())
    steps = path.steps(fact("f"))
    while next(steps).name != "inserted":
        pass
    with pytest.raises(StoreLocked):
        other.ingest(fact("g", start=1))
    assert [step.name for step in steps] == ["committed"]
    assert other.ingest(fact("g", start=1)).kind == "resolved"
