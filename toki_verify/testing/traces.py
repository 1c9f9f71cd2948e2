"""What a law did with a store or a judge log, written down for the message of its failure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from ..algebra.facts import Fact
from ..stores.protocol import JudgeKey
from .failures import moment_text

#: How many lines are told: the last ones.
_MOST: Final = 24


class Trace:
    """The calls so far, a line each."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._transactions = 0

    @property
    def lines(self) -> list[str]:
        """For messages."""
        left = len(self._lines) - _MOST
        return ([f"… {left} calls before"] if left > 0 else []) + self._lines[-_MOST:]

    def add(self, line: str) -> None:
        """A call."""
        self._lines.append(line)

    def transaction(self) -> str:
        """A name for the next transaction."""
        self._transactions += 1
        return f"t{self._transactions}"


class Traced:
    """A store, session, transaction or log whose calls are written down. `raw` is what it stands for."""

    def __init__(self, raw: Any, name: str, trace: Trace) -> None:
        self.raw, self._name, self._trace = raw, name, trace

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.raw, name)
        if name == "judge_log":
            return Traced(found, f"{self._name}.judge_log", self._trace)
        return self._calling(name, found) if callable(found) and name != "carrier" else found

    def _calling(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def traced(*arguments: Any, **options: Any) -> Any:
            told = [*map(_told, arguments), *(f"{key}={_told(value)}" for key, value in options.items())]
            text = f"{self._name}.{name}({', '.join(told)})"
            try:
                found = call(*arguments, **options)
            except Exception as error:
                self._trace.add(f"{text} raises {type(error).__name__}: {error}")
                raise
            if name not in ("begin", "session"):
                self._trace.add(text + _result(found))
                return found
            named = self._trace.transaction() if name == "begin" else "other"
            self._trace.add(f"{named} = {text}")
            return Traced(found, named, self._trace)

        return traced


def raw_of(found: Any) -> Any:
    """What something traced stands for."""
    return found.raw if isinstance(found, Traced) else found


def key_text(key: JudgeKey) -> str:
    """A key of a judge log, short."""
    partition = f"{key.subject}.{key.predicate}: " if key.subject or key.predicate else ""
    return f"({partition}{', '.join(key.members)}; {key.theta})"


def _told(value: Any) -> str:
    if isinstance(value, Fact):
        audit = "audit row " if value.row_kind == "audit" else ""
        return f"{audit}{value.fact_id} {value.object!r} of {moment_text(value.system_time_start)}"
    if isinstance(value, datetime):
        return moment_text(value)
    return key_text(value) if isinstance(value, JudgeKey) else repr(value)


def _result(found: Any) -> str:
    if isinstance(found, list | tuple):
        return f" → {len(found)}"
    return "" if found is None else f" → {found!r}"
