"""Write paths that have only `ingest`, as most have: right, and wrong in what happens between two of their calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.laws.mutants.base import Mutant
from tests.laws.mutants.stores import Store
from tests.laws.mutants.write_paths import ALL, ASKING
from toki_verify.algebra.audit import pack
from toki_verify.algebra.facts import contradicts
from toki_verify.algebra.operators import OPERATORS
from toki_verify.stores import JudgeKey, identities
from toki_verify.testing import write_path_machine


class Plain:
    """Algorithm 1, from top to bottom."""

    def __init__(self, store: Any, oracles: Any) -> None:
        self.store, self.oracles = store, oracles

    def begin(self, fact: Any) -> tuple[Any, list[Any]]:
        """A transaction, and the open rows of the partition."""
        transaction = self.store.begin()
        return transaction, transaction.open_rows(*fact.partition)

    def ingest(self, fact: Any, now: Any) -> None:
        voted: dict[Any, str] = {}
        while True:
            transaction, rows = self.begin(fact)
            try:
                asked = self.write(transaction, rows, fact, now, voted)
            finally:
                transaction.rollback()
            if asked is None:
                return
            key, members = asked
            voted[key] = self.elect(key, members, fact.resolution_strategy_id)

    def elect(self, key: Any, members: Any, strategy: str) -> str:
        elected = identities(members)[self.oracles[strategy](members)]
        return self.store.judge_log.insert_if_absent(key, elected)

    def write(self, transaction: Any, rows: Any, fact: Any, now: Any, voted: dict[Any, str]) -> Any:
        if any(row.object == fact.object and row.valid.overlaps(fact.valid) for row in rows):
            return None
        against = [row for row in rows if contradicts(row, fact)]
        if len(against) > 1:
            raise ValueError("it contradicts several rows")
        if not against:
            transaction.insert(fact)
            transaction.commit()
            return None
        members = (against[0], fact)
        operator = OPERATORS[fact.resolution_strategy_id]
        oracle = None
        if operator.asks:
            key = JudgeKey(tuple(sorted(identities(members))), "default", *fact.partition)
            vote = voted.get(key) or self.store.judge_log.get(key)
            if vote is None:
                return key, members
            oracle = lambda found: identities(found).index(vote)  # noqa: E731
        found = operator.resolve(*members, now=now, carrier=self.store.carrier, oracle=oracle)
        self.keep(transaction, found, against[0], now)
        return None

    def keep(self, transaction: Any, found: Any, incumbent: Any, now: Any) -> None:
        if found.loser is incumbent:
            transaction.close(incumbent, now)
            transaction.insert(found.winner)
        transaction.insert(pack(found.audit, found.loser))
        transaction.commit()


class ReadsFirst(Plain):
    """It reads the rows, and then begins: another writer may write in between."""

    def begin(self, fact: Any) -> tuple[Any, list[Any]]:
        rows = [row for row in self.store.rows() if row.row_kind == "current" and row.is_open]
        return self.store.begin(), [row for row in rows if row.partition == fact.partition]


class TwoTransactions(Plain):
    """The audit row is kept in a transaction of its own: the writer may die before it."""

    def keep(self, transaction: Any, found: Any, incumbent: Any, now: Any) -> None:
        if found.loser is incumbent:
            transaction.close(incumbent, now)
            transaction.insert(found.winner)
        transaction.commit()
        second = self.store.begin()
        second.insert(pack(found.audit, found.loser))
        second.commit()


class OwnWitness(Plain):
    """The object of the audit row is a text of its own, from which the conflict cannot be read back."""

    def keep(self, transaction: Any, found: Any, incumbent: Any, now: Any) -> None:
        if found.loser is incumbent:
            transaction.close(incumbent, now)
            transaction.insert(found.winner)
        text = f"{found.winner.object} | {found.loser.object}"
        transaction.insert(replace(pack(found.audit, found.loser), object=text))
        transaction.commit()


class AsksFirst(Plain):
    """It acts on the answer that it got, and not on what the log had when it came with it."""

    def elect(self, key: Any, members: Any, strategy: str) -> str:
        elected = identities(members)[self.oracles[strategy](members)]
        self.store.judge_log.insert_if_absent(key, elected)
        return elected


# law, name, what is broken, the write path
_ENTRIES: tuple[tuple[str, str, str, Any], ...] = (
    ("A1.one", "ingest-reads-first", "rows are read before the transaction begins (a write path with only ingest)",
     ReadsFirst),
    ("A1.pair", "ingest-in-two-transactions", "the audit row has its own transaction (a write path with only ingest)",
     TwoTransactions),
    ("A1.pair", "own-witness", "the object of the audit row is no JSON witness", OwnWitness),
    ("N1.verdict", "ingest-acts-on-answer", "a vote that comes second is acted on (a write path with only ingest)",
     AsksFirst),
)  # fmt: skip


def _machine(law: str, path: Any) -> Any:
    strategies = ASKING if law.startswith("N1") else ALL
    return lambda: write_path_machine(Store, make_writer=path, laws=(law,), strategies=strategies)


MUTANTS = tuple(
    Mutant(name, broken, "write_path_machine", law, _machine(law, path)) for law, name, broken, path in _ENTRIES
)
