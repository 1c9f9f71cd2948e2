"""Write paths that are wrong in one way, and stores on which a right one goes wrong."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from tests.laws.mutants.base import Mutant
from tests.laws.mutants.logs import Overwrites
from tests.laws.mutants.stores import Store, Unchecked
from toki_verify.algebra.audit import pack
from toki_verify.algebra.facts import contradicts
from toki_verify.stores import JudgeKey, WritePath
from toki_verify.stores.write_path import Step, identities
from toki_verify.testing import write_path_machine
from toki_verify.testing.stores_tested import forged


class Path(WritePath[Any]):
    """Algorithm 1, with its persistence said in one place."""

    def _persist(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        if resolution.loser is incumbent:
            transaction.close(incumbent, at)
            yield Step("closed")
            transaction.insert(resolution.winner)
            yield Step("inserted")
        yield from self.keep(transaction, resolution, incumbent, at)

    def keep(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        transaction.insert(pack(resolution.audit, resolution.loser))
        yield Step("audited")


class NoAudit(Path):
    def keep(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        yield Step("audited")


class WinnerAudit(Path):
    """The audit row has the winner's provenance, as it came."""

    def keep(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        audit = replace(resolution.audit, provenance=self.store.carrier.token("winner"))
        transaction.insert(pack(audit, resolution.loser))
        yield Step("audited")


class CurrentAudit(Path):
    def keep(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        transaction.insert(replace(pack(resolution.audit, resolution.loser), row_kind="current", predicate="audit"))
        yield Step("audited")


class SecondTransaction(Path):
    """The audit row is written in a transaction of its own, after the resolution is committed."""

    def steps(self, fact: Any, now: Any = None) -> Any:
        object.__setattr__(self, "later", [])
        written = yield from super().steps(fact, now)
        for row in self.later:  # type: ignore[attr-defined]
            transaction = self.store.begin()
            yield Step("begun")
            transaction.insert(row)
            transaction.commit()
        return written

    def keep(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        self.later.append(pack(resolution.audit, resolution.loser))  # type: ignore[attr-defined]
        yield Step("audited")


class OpenIncumbent(Path):
    """The winner is inserted, the incumbent stays open."""

    def _persist(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        if resolution.loser is incumbent:
            transaction.insert(resolution.winner)
            yield Step("inserted")
        yield from self.keep(transaction, resolution, incumbent, at)


class InsertsLoser(Path):
    """A newcomer that lost is inserted all the same."""

    def _persist(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        yield from super()._persist(transaction, resolution, incumbent, at)
        if resolution.loser is not incumbent:
            transaction.insert(resolution.loser)


class Unstamped(Path):
    """The newcomer is inserted as it came."""

    def _persist(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        if resolution.loser is incumbent:
            transaction.close(incumbent, at)
            yield Step("closed")
            came = self.store.carrier.token("came")
            transaction.insert(replace(resolution.winner, provenance=came))
        yield from self.keep(transaction, resolution, incumbent, at)


class SureAudit(Path):
    """The audit row adds up the confidences: more than 1."""

    def keep(self, transaction: Any, resolution: Any, incumbent: Any, at: Any) -> Generator[Step, None, None]:
        row = pack(resolution.audit, resolution.loser)
        transaction.insert(forged(row, confidence=resolution.winner.confidence + resolution.loser.confidence + 0.5))
        yield Step("audited")


class FirstIncumbent(Path):
    """Of several incumbents it takes the first."""

    def steps(self, fact: Any, now: Any = None) -> Any:
        return replace(self, store=FewRows(self.store, fact))._plain(fact, now)

    def _plain(self, fact: Any, now: Any) -> Any:
        return WritePath.steps(self, fact, now)


class Duplicating(Path):
    """A confirmation is inserted as another row."""

    def steps(self, fact: Any, now: Any = None) -> Any:
        return WritePath.steps(replace(self, store=FewRows(self.store, fact, duplicates=False)), fact, now)


class FewRows:
    """A store whose transactions do not show all open rows: only one incumbent, or no duplicates."""

    def __init__(self, store: Any, fact: Any, duplicates: bool = True) -> None:
        self._store, self._fact, self._duplicates = store, fact, duplicates

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def begin(self) -> Any:
        transaction, fact = self._store.begin(), self._fact
        whole = transaction.open_rows

        def open_rows(subject: str, predicate: str) -> Any:
            rows = whole(subject, predicate)
            if not self._duplicates:
                return [row for row in rows if row.object != fact.object]
            hidden = [row for row in rows if contradicts(row, fact)][1:]
            return [row for row in rows if row not in hidden]

        transaction.open_rows = open_rows
        return transaction


class OrderedKey(Path):
    """The key of the log has the incumbent first, and not the members as a set."""

    def _attempt(self, transaction: Any, fact: Any, at: Any, found: Any, asked: dict[JudgeKey, str]) -> Any:
        for key in list(asked):
            asked[replace(key, members=tuple(sorted(key.members)))] = asked[key]
        written = yield from super()._attempt(transaction, fact, at, found, asked)
        if isinstance(written, tuple):
            members, key = written
            return members, replace(key, members=tuple(identities(members)))
        return written


class LateLog:
    """A store for a writer that writes its verdicts to the log when it has committed."""

    def __init__(self, store: Any) -> None:
        self._store, self._votes = store, {}
        self.judge_log = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def get(self, key: JudgeKey) -> str | None:
        return self._votes.get(key) or self._store.judge_log.get(key)

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        return self.get(key) or self._votes.setdefault(key, winner)

    def begin(self) -> Any:
        transaction = self._store.begin()
        commit = transaction.commit

        def then_log() -> None:
            commit()
            for key, winner in self._votes.items():
                self._store.judge_log.insert_if_absent(key, winner)

        transaction.commit = then_log
        return transaction


class ShutCommits(Store):
    """A session that ends commits what is open."""

    def shut(self) -> None:
        if self._open is not None and not self._open._over:
            self._open.commit()
        super().shut()


class DeadWriter(WritePath[Any]):
    """A write path whose end does not roll back: it dies as a process does."""

    def steps(self, fact: Any, now: Any = None) -> Any:
        return Dying(super().steps(fact, now))


class Dying:
    """Steps that are left where they are."""

    def __init__(self, steps: Any) -> None:
        self._steps = steps
        self._left: list[Any] = []

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return next(self._steps)

    def close(self) -> None:
        _LEFT.append(self._steps)  # so that it is not closed as garbage, which would roll back


_LEFT: list[Any] = []


class OverwritingStore(Store):
    @property
    def judge_log(self) -> Any:
        if not hasattr(self._data, "other_log"):
            self._data.other_log = Overwrites()  # type: ignore[attr-defined]
        return self._data.other_log  # type: ignore[attr-defined]


ASKING = ("await", "rule")
ALL = ("lww", "evi", "await", "rule")


def _machine(law: str, path: Any, store: Any = Store, strategies: tuple[str, ...] = ALL) -> Any:
    def make_writer(session: Any, oracles: Any) -> Any:
        return path(session, oracles=oracles)

    return lambda: write_path_machine(store, make_writer=make_writer, laws=(law,), strategies=strategies)


def _blind(store: Any, oracles: Any) -> Any:
    return WritePath(store, oracles=oracles, consult=False)


def _late(store: Any, oracles: Any) -> Any:
    return WritePath(LateLog(store), oracles=oracles)  # type: ignore[arg-type]


# law, name, what is broken, the machine
_ENTRIES: tuple[tuple[str, str, str, Any], ...] = (
    ("T2.sound", "no-audit-row", "no audit row is written", _machine("T2.sound", NoAudit)),
    ("T2.sound", "audit-row-of-winner", "the audit row lacks the provenance of the loser",
     _machine("T2.sound", WinnerAudit)),
    ("A1.pair", "audit-in-second-transaction", "the audit row is written in a transaction of its own",
     _machine("A1.pair", SecondTransaction)),
    ("A1.model", "audit-row-is-current", "the audit row has row_kind current", _machine("A1.model", CurrentAudit)),
    ("A1.model", "newcomer-unstamped", "the winner is inserted without the merged provenance",
     _machine("A1.model", Unstamped)),
    ("A1.model", "duplicate-inserted", "a confirmation is inserted as another row", _machine("A1.model", Duplicating)),
    ("A1.one", "incumbent-left-open", "the incumbent that lost stays open", _machine("A1.one", OpenIncumbent)),
    ("A1.one", "loser-inserted", "a newcomer that lost is inserted all the same", _machine("A1.one", InsertsLoser)),
    ("A1.refused", "first-incumbent", "of several incumbents the first is taken",
     _machine("A1.refused", FirstIncumbent, strategies=("lww",))),
    ("A1.rows", "audit-too-sure", "the audit row adds up confidences", _machine("A1.rows", SureAudit, Unchecked)),
    ("A1.crash", "dying-commits", "what a dead session has open is committed",
     _machine("A1.crash", DeadWriter, ShutCommits)),
    ("H1.before", "logged-after-commit", "the verdict is logged after the commit",
     lambda: write_path_machine(Store, make_writer=_late, laws=("H1.before",), strategies=ASKING)),
    ("H1.append", "log-overwritten", "the log keeps the last verdict",
     lambda: write_path_machine(OverwritingStore, make_writer=_blind, laws=("H1.append",), strategies=ASKING)),
    ("N1.verdict", "log-not-consulted", "every resolution asks again and acts on the answer (Algorithm 1 as printed)",
     lambda: write_path_machine(Store, make_writer=_blind, laws=("N1.verdict",), strategies=ASKING)),
    ("N1.key", "key-is-a-pair", "the key of the log has the incumbent first",
     _machine("N1.key", lambda store, oracles: OrderedKey(store, oracles=oracles, consult=False), strategies=ASKING)),
)  # fmt: skip

MUTANTS = tuple(Mutant(name, broken, "write_path_machine", law, make) for law, name, broken, make in _ENTRIES)
