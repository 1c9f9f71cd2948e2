"""Algorithm 1: the write path that every fact goes through (TOKI 2026, §3.4, Table 14).

It is written as a generator of steps, so that tests can stop, crash or interleave writers at every one of them;
`ingest` runs it to its end. An oracle is asked outside of transactions, and its verdict is committed to the judge log
before the transaction that acts on it begins: that transaction finds it in the log (H1), or asks again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Generic, Literal, TypeVar, get_args

from ..algebra.audit import pack
from ..algebra.errors import (
    InvalidFact,
    InvalidOption,
    NoMember,
    OracleMissing,
    SeveralIncumbents,
    StrategyNotEnabled,
    chosen,
    shown,
)
from ..algebra.facts import Fact, contradicts
from ..algebra.operators import OPERATORS, Operator, Resolution, operator
from ..algebra.oracles import Oracle, ask, patience
from ..algebra.periods import instant, open_end, same_kind
from .errors import StoreLocked
from .protocol import JudgeKey, Store, Transaction

K = TypeVar("K")

#: What a repeated confirmation of the same fact does: nothing (Algorithm 1, line 3), or it adds its provenance to the
#: surviving row (§3.4: "accumulates").
Duplicates = Literal["return", "accumulate"]
#: What happens to an incumbent that wins: nothing (Algorithm 1, line 18), or it is stamped as §3.2 says of winners.
Incumbents = Literal["untouched", "stamped"]

#: How often an election is repeated because the incumbent changed meanwhile.
ATTEMPTS: Final = 16


@dataclass(frozen=True, slots=True)
class Step:
    """Something that the write path has just done: `begun`, `read`, `asked`, `logged`, `closed`, `inserted`,
    `audited`, `committed`, `rolled back`; and with what."""

    name: str
    facts: tuple[Fact[Any], ...] = ()
    key: JudgeKey | None = None
    winner: str = ""


@dataclass(frozen=True, slots=True)
class Written(Generic[K]):
    """What became of a fact: inserted as it is, a duplicate, or resolved against an incumbent.

    `row` is the current row that stands for the partition's belief now; `resolution` what the operator concluded.
    """

    kind: Literal["inserted", "duplicate", "resolved"]
    row: Fact[K]
    resolution: Resolution[K] | None = None


def identities(members: Collection[Fact[K]]) -> list[str]:
    """A stable identity for each member: its fact_id, or with its object where two versions of one fact contradict.

    Two facts of a partition never have one identity: what is no bare fact_id is JSON, and so is a fact_id that looks
    like it.
    """
    ids = [member.fact_id for member in members]
    if len(set(ids)) < len(ids):
        return [json.dumps([member.fact_id, member.object], ensure_ascii=False) for member in members]
    return [json.dumps([id], ensure_ascii=False) if id.startswith("[") else id for id in ids]


@dataclass(frozen=True)
class WritePath(Generic[K]):
    """Algorithm 1 over a store.

    `oracles` elect for `await` and `rule`; `theta` pins their decoder; `seconds` is how long they may take.
    `enabled` are the strategies that may be used. `duplicates` and `incumbents` choose where the paper says two
    things. `consult` is whether the judge log is read before an oracle is asked; without it, as Algorithm 1 is
    printed, every call asks again and acts on the answer, whatever the log has.
    """

    store: Store[K]
    oracles: Mapping[str, Oracle] = field(default_factory=dict)
    theta: str = "default"
    seconds: float | None = None
    enabled: Collection[str] = tuple(OPERATORS)
    duplicates: Duplicates = "return"
    incumbents: Incumbents = "untouched"
    consult: bool = True

    def __post_init__(self) -> None:
        """Raises InvalidOption, UnknownStrategy: an option that is misspelt must not mean another one."""
        for name, known in (("duplicates", get_args(Duplicates)), ("incumbents", get_args(Incumbents))):
            chosen(name, getattr(self, name), known)
        if not isinstance(self.consult, bool):
            raise InvalidOption(f"consult={shown(self.consult)}", "True or False")
        if not isinstance(self.theta, str):
            raise InvalidOption(f"theta={shown(self.theta)}", "the decoder's parameters as a text")
        if not isinstance(self.oracles, Mapping):
            raise InvalidOption(f"oracles={shown(self.oracles)}", "a mapping from strategy ids to oracles")
        patience(self.seconds)
        if isinstance(self.enabled, str) or not isinstance(self.enabled, Iterable):
            raise InvalidOption(f"enabled={shown(self.enabled)}", "strategy ids")
        object.__setattr__(self, "enabled", tuple(self.enabled))  # an iterator could be read but once
        for strategy in (*self.enabled, *self.oracles):
            operator(strategy)

    def ingest(self, fact: Fact[K], now: datetime | None = None) -> Written[K]:
        """Write a fact at a time (default: its system_time_start). On every error the transaction is rolled back.

        Raises InvalidFact, UnknownStrategy, StrategyNotEnabled, SeveralIncumbents, OracleMissing, OracleFailed,
        VoteOutOfRange, and what the store raises.
        """
        with closing(self.steps(fact, now)) as steps:  # rolled back at once, whatever interrupts it
            while True:
                try:
                    next(steps)
                except StopIteration as end:
                    written: Written[K] = end.value
                    return written

    def steps(self, fact: Fact[K], now: datetime | None = None) -> Generator[Step, None, Written[K]]:
        """The steps of `ingest`, each yielded when it is done. Closing the generator rolls back."""
        if not isinstance(fact, Fact):
            raise InvalidFact(shown(fact), "a Fact")
        at = fact.system_time_start if now is None else instant(now, "now")
        found = self._validated(fact, at)
        asked: dict[JudgeKey, str] = {}
        for _ in range(ATTEMPTS):
            transaction = self.store.begin()
            try:
                yield Step("begun")
                written = yield from self._attempt(transaction, fact, at, found, asked)
            finally:
                transaction.rollback()  # without effect after a commit
            if isinstance(written, Written):
                return written
            yield Step("rolled back")
            members, key = written
            elected = identities(members)[ask(self._oracle(found), members, self.seconds)]
            yield Step("asked", members, key, elected)
            logged = self.store.judge_log.insert_if_absent(key, elected)
            asked[key] = logged if self.consult else elected
            yield Step("logged", members, key, logged)
        raise StoreLocked(f"the incumbent of {fact.partition} changed {ATTEMPTS} times", "fewer writers at once")

    def _validated(self, fact: Fact[K], at: datetime) -> Operator:
        """Steps 1, 5 and 6 of Table 14: everything that can be refused before anything is read."""
        same_kind(f"fact {fact.fact_id!r} and now", fact.valid_from, at)
        if fact.row_kind != "current" or not fact.is_open:
            raise InvalidFact(f"fact {fact.fact_id!r}", "an open current row")
        found = operator(fact.resolution_strategy_id)
        if found.id not in self.enabled:
            raise StrategyNotEnabled(f"strategy {found.id!r}", f"one that is enabled: {', '.join(self.enabled)}")
        return found

    def _oracle(self, found: Operator) -> Oracle:
        if found.id not in self.oracles:
            raise OracleMissing(f"{found.id} without an oracle", f"oracles={{{found.id!r}: …}}")
        return self.oracles[found.id]

    def _attempt(
        self, transaction: Transaction[K], fact: Fact[K], at: datetime, found: Operator, asked: dict[JudgeKey, str]
    ) -> Generator[Step, None, Written[K] | tuple[tuple[Fact[K], Fact[K]], JudgeKey]]:
        """One transaction: what was written, or whom an oracle has to choose between first, and at which key."""
        rows = transaction.open_rows(*fact.partition)
        yield Step("read", tuple(rows))
        for row in rows:
            same_kind(f"facts {row.fact_id!r} and {fact.fact_id!r}", row.valid_from, fact.valid_from)
        for row in rows:
            if row.object == fact.object and row.valid.overlaps(fact.valid):
                return (yield from self._duplicate(transaction, row, fact, at))
        incumbents = [row for row in rows if contradicts(row, fact)]
        if not incumbents:
            transaction.insert(fact)
            yield Step("inserted", (fact,))
            transaction.commit()
            yield Step("committed")
            return Written("inserted", fact)
        if len(incumbents) > 1:
            names = ", ".join(repr(row.fact_id) for row in incumbents)
            raise SeveralIncumbents(f"{len(incumbents)} open rows contradict {fact.fact_id!r} ({names})", "one")
        incumbent = incumbents[0]
        members = (incumbent, fact)
        vote: int | None = None
        if found.asks:
            names_of = identities(members)
            key = JudgeKey(tuple(sorted(names_of)), self.theta, *fact.partition)
            elected = asked.get(key)
            if elected is None and self.consult:
                elected = self.store.judge_log.get(key)
            if elected is None:
                return members, key
            if elected not in names_of:
                raise NoMember(f"the judge log elects {elected[:80]!r}", f"one of {', '.join(names_of)}"[:200])
            vote = names_of.index(elected)
        resolution = found.resolve(
            incumbent, fact, now=at, carrier=self.store.carrier, oracle=None if vote is None else _told(vote)
        )
        yield from self._persist(transaction, resolution, incumbent, at)
        transaction.commit()
        yield Step("committed")
        lost = resolution.loser is incumbent
        row = resolution.winner if lost or self.incumbents == "stamped" else incumbent
        return Written("resolved", row, resolution)

    def _persist(
        self, transaction: Transaction[K], resolution: Resolution[K], incumbent: Fact[K], at: datetime
    ) -> Generator[Step, None, None]:
        """Close the incumbent and insert the winner where that changes something, then keep the audit half."""
        if resolution.loser is incumbent or self.incumbents == "stamped":
            transaction.close(incumbent, at)
            yield Step("closed", (incumbent,))
            transaction.insert(resolution.winner)
            yield Step("inserted", (resolution.winner,))
        if self.store.mode == "audit_row":
            row = pack(resolution.audit, resolution.loser)
            transaction.insert(row)
            yield Step("audited", (row,))

    def _duplicate(
        self, transaction: Transaction[K], row: Fact[K], fact: Fact[K], at: datetime
    ) -> Generator[Step, None, Written[K]]:
        if self.duplicates == "return":
            return Written("duplicate", row)
        merged = replace(
            row,
            provenance=self.store.carrier.plus(row.provenance, fact.provenance),
            system_time_start=at,
            system_time_end=open_end(at),
        )
        transaction.close(row, at)
        yield Step("closed", (row,))
        transaction.insert(merged)
        yield Step("inserted", (merged,))
        transaction.commit()
        yield Step("committed")
        return Written("duplicate", merged)


def _told(vote: int) -> Oracle:
    """The oracle that repeats what the log has."""
    return lambda members: vote
