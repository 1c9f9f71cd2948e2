"""What a write path did, beside what Algorithm 1 makes of the same facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..algebra.facts import Fact
from .write_expected import key_text, log_text
from .write_model import Outcome, Resolved, Rules, Verdicts, algorithm_1
from .write_recorder import Account

#: Rows and judge log of a store, as an observer reads them.
State = tuple[list[Fact[Any]], list[tuple[Any, str]]]


@dataclass(frozen=True)
class Fault:
    """Something that went otherwise than it should, of which a law speaks when it is asked."""

    law: str
    what: str
    facts: dict[str, Fact[Any]] = field(default_factory=dict)
    cause: BaseException | None = None


@dataclass
class History:
    """A store as an observer sees it, the account of its writers, and the model: `rows` are the current rows that
    Algorithm 1 makes, `resolved` its resolutions. `faults` are what was noticed on the way."""

    store: Any
    rules: Rules
    rows: tuple[Fact[Any], ...] = ()
    resolved: list[Resolved] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    log: list[tuple[Any, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.account = Account(self.verdicts)
        self.seen: list[Fact[Any]] = []
        self.entries: list[tuple[Any, str]] = []
        self._looked = 0
        # By writer: the rows of the model when it last read, and the outcome once it has committed.
        self._read: dict[int, tuple[Fact[Any], ...]] = {}
        self._committed: dict[int, Outcome] = {}

    def verdicts(self) -> Verdicts:
        """The judge log now."""
        return {entry.key: entry.winner for entry in self.store.judge_log.entries()}

    def state(self) -> State:
        """Everything there is now."""
        return list(self.store.rows()), [(entry.key, entry.winner) for entry in self.store.judge_log.entries()]

    def look(self) -> None:
        """Read the store, for the laws."""
        self.seen, self.entries = self.state()

    @property
    def known(self) -> Any:
        """All that laws speak of."""
        return self.seen, self.entries, self.rows, len(self.resolved), len(self.faults)

    def current(self) -> list[Fact[Any]]:
        """The current rows that were read, open and closed."""
        return [row for row in self.seen if row.row_kind == "current"]

    def audit(self) -> list[Fact[Any]]:
        """The audit rows that were read."""
        return [row for row in self.seen if row.row_kind == "audit"]

    def observe(self, writer: int, fact: Fact[Any]) -> None:
        """Take in what a writer of a fact has done since the last look."""
        new, self._looked = self.account.done[self._looked :], len(self.account.done)
        for done in new:
            if done.what == "read":
                self._read[writer] = self.rows
            elif done.what == "commit" and writer not in self._committed:
                self._commit(writer, fact, done.verdicts)

    def _commit(self, writer: int, fact: Fact[Any], verdicts: Verdicts) -> None:
        found = algorithm_1(self.rows, fact, verdicts, self.rules, self._audited())
        self._committed[writer] = found
        if found.kind == "undecided":
            rival = found.rival
            assert rival is not None
            at = f"expected one at {key_text(rival, fact)}, the log had {log_text(list(verdicts.items()))}"
            what = f"a resolution is committed before its verdict is in the log: {at}"
            self._fault("H1.before", what, incumbent=rival, newcomer=fact)
        elif found.kind == "refused":
            self._fault("A1.refused", f"committed, and expected to be refused: {found.why}", newcomer=fact)
        self.rows = found.rows
        if found.resolved is not None:
            self.resolved.append(found.resolved)

    def finished(self, writer: int, fact: Fact[Any]) -> None:
        """A writer says that it has written a fact: it has committed, or there was nothing to write."""
        self._end(writer)
        if self._committed.pop(writer, None) is not None:
            return
        kinds = self._outcomes(writer, fact)
        if "duplicate" not in kinds:
            what = f"the writer is done and has committed nothing; expected the fact {kinds[-1]}"
            self._fault("A1.model", what, newcomer=fact)

    def refused(self, writer: int, fact: Fact[Any], error: Exception, hint: str = "") -> None:
        """A writer raised."""
        self._end(writer)
        if self._committed.pop(writer, None) is not None:
            self._fault("A1.refused", f"it was committed, and then raised {_told(error)}", error, newcomer=fact)
        elif "refused" not in self._outcomes(writer, fact):
            self._fault("A1.refused", f"{_told(error)}, and nothing is wrong with the fact{hint}", error, newcomer=fact)

    def crashed(self, writer: int, before: State) -> None:
        """A writer died. `before` is what there was."""
        self._end(writer)
        self._committed.pop(writer, None)
        after = self.state()
        pairs: list[tuple[str, list[Any], list[Any]]] = [
            ("rows", before[0], after[0]),
            ("judge log", before[1], after[1]),
        ]
        for what, was, is_ in pairs:
            if was != is_:
                lost, new = (sum(x not in there for x in here) for here, there in ((was, is_), (is_, was)))
                self._fault("A1.crash", f"the {what} changed when a writer died: {lost} lost, {new} new")

    def _end(self, writer: int) -> None:
        self.account.note(writer, "end")
        self._looked = len(self.account.done)

    def _outcomes(self, writer: int, fact: Fact[Any]) -> list[str]:
        """What Algorithm 1 makes of a fact: on the rows that the writer last read, and on those of now."""
        verdicts, audited = self.verdicts(), self._audited()
        seen = (self._read.get(writer, self.rows), self.rows)
        return [algorithm_1(rows, fact, verdicts, self.rules, audited).kind for rows in seen]

    def _audited(self) -> set[tuple[str, datetime]]:
        return {(found.loser.fact_id, found.newcomer.system_time_start) for found in self.resolved}

    def _fault(self, law: str, what: str, cause: BaseException | None = None, **facts: Fact[Any]) -> None:
        self.faults.append(Fault(law, what, facts, cause))


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
