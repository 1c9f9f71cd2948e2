"""Transactions and operations as a reader meets them, one by one; then a History."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..appends import assemble_lists
from ..builder import NIL, Initial, assemble
from ..columns import READ, WRITE, History, Model
from .faults import Faults, Text, empty

#: What an operation wrote (the name of a value) or read: a value, a list of values, or nil.
Shown = str | tuple[str, ...] | None


@dataclass
class Gather:
    """The columns of a history, growing. A session or a key is known by its name."""

    session: array[int] = field(default_factory=lambda: array("i"))
    outcome: array[int] = field(default_factory=lambda: array("b"))
    begun: array[int] = field(default_factory=lambda: array("q"))
    ended: array[int] = field(default_factory=lambda: array("q"))
    transactions: list[str] = field(default_factory=list)
    sessions: dict[str, int] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    txn: array[int] = field(default_factory=lambda: array("i"))
    kind: array[int] = field(default_factory=lambda: array("b"))
    key: array[int] = field(default_factory=lambda: array("i"))
    line: array[int] = field(default_factory=lambda: array("i"))
    shown: list[Shown] = field(default_factory=list)

    def transaction(self, session: str | None, outcome: int, name: str, begun: int = -1, ended: int = -1) -> int:
        """A transaction more, of a session (None: of none); its number."""
        sessions = self.sessions
        self.session.append(-1 if session is None else sessions.setdefault(session, len(sessions)))
        self.outcome.append(outcome)
        self.transactions.append(name)
        self.begun.append(begun)
        self.ended.append(ended)
        return len(self.transactions) - 1

    def read(self, txn: int, key: str, shown: Shown, line: int) -> None:
        """A read of a transaction: of a value, a list or nil."""
        self._operation(txn, READ, key, shown, line)

    def write(self, txn: int, key: str, value: str, line: int) -> None:
        """A write or append of a transaction."""
        self._operation(txn, WRITE, key, value, line)

    def _operation(self, txn: int, kind: int, key: str, shown: Shown, line: int) -> None:
        keys = self.keys
        self.txn.append(txn)
        self.kind.append(kind)
        self.key.append(keys.setdefault(key, len(keys)))
        self.shown.append(shown)
        self.line.append(line)

    def add(self, txn: int, micros: Sequence[tuple[str, str, Shown]], line: int) -> None:
        """Operations of a transaction: `r`, or a name of a write; key; what it wrote or showed."""
        keys, count = self.keys, len(micros)
        self.txn.extend([txn] * count)
        self.line.extend([line] * count)
        self.kind.extend([READ if name == "r" else WRITE for name, _, _ in micros])
        self.key.extend([keys.setdefault(key, len(keys)) for _, key, _ in micros])
        self.shown.extend([one for _, _, one in micros])

    def of_lines(
        self, text: Text, faults: Faults, *, format: str, expected: str, initial: Initial, resumed: tuple[str, ...] = ()
    ) -> History | None:
        """The history of a file of lines that was read to its end; None where there were faults, or no operation."""
        if not self.txn and not faults.found:
            faults.add(empty(text, expected), fatal=True)
        if faults.found:
            return None
        return self.history(format=format, source=text.source, initial=initial, warnings=(*faults.warnings(), *resumed))

    def _lookalikes(self) -> tuple[str, ...]:
        """That a text and a number (or nil) look alike and are different, of a key and of a value, the first of each.
        Of lists the last elements are looked at, which is what nearly every element is once."""
        values = {one[-1] if isinstance(one, tuple) else one for one in self.shown if one}
        warned = []
        for kind, names in (("keys", self.keys.keys()), ("values", values)):
            for name in names:
                if name is not None and name[0:1] == '"' and name[1:-1] in names and name[1:-1]:
                    warned.append(f"{kind} {name[1:-1]} and {name} (a text) are different")
                    break
        return tuple(warned)

    def history(
        self,
        *,
        format: str,
        source: str,
        model: Model = "register",
        initial: Initial = "auto",
        timed: bool = False,
        warnings: tuple[str, ...] = (),
    ) -> History:
        """The history. `timed`: begin and end of the transactions are known; -1 for an end that is not."""
        session, outcome = np.array(self.session, np.int32), np.array(self.outcome, np.int8)
        txn, kind = np.array(self.txn, np.int32), np.array(self.kind, np.int8)
        key, line = np.array(self.key, np.int32), np.array(self.line, np.int32)
        begun = np.array(self.begun, np.int64) if timed else None
        ended = np.array(self.ended, np.int64) if timed else None
        keys, sessions = list(self.keys), list(self.sessions)
        warnings = (*warnings, *self._lookalikes())
        if model == "append":
            return assemble_lists(
                format=format,
                source=source,
                session=session,
                outcome=outcome,
                txn=txn,
                kind=kind,
                key=key,
                shown=self.shown,
                line=line,
                keys=keys,
                transactions=self.transactions,
                sessions=sessions,
                begun=begun,
                ended=ended,
                warnings=warnings,
            )
        values: dict[str, int] = {}
        codes = [NIL if one is None else values.setdefault(str(one), len(values)) for one in self.shown]
        return assemble(
            format=format,
            source=source,
            session=session,
            outcome=outcome,
            txn=txn,
            kind=kind,
            key=key,
            value=np.array(codes, np.int32),
            line=line,
            keys=keys,
            values=list(values),
            transactions=self.transactions,
            sessions=sessions,
            initial=initial,
            begun=begun,
            ended=ended,
            warnings=warnings,
        )
