"""Write down what the transactions of a test do: a recorded trace (README), without a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import EllipsisType, TracebackType

from ..events import Problem, Schedule, ScheduleError
from ..events.names import name_fault, normal_name
from ..jsonform import read_json_lines
from .collect_values import short

#: What a value is that was not told; None is JSON's null.
UNTOLD = ...


class Recorder:
    """A trace in the order in which its events are told. Threads may share it: tell an event when it has happened.

    Raises TypeError or ValueError for a name that no schedule can have.
    """

    def __init__(self, name: str = "recording") -> None:
        if not isinstance(name, str):
            raise TypeError(f"name: {short(name)}, expected a text")
        self.name = normal_name(name)
        fault = name_fault(self.name)
        if fault:
            raise ValueError(f"name: {short(name)} {fault}, expected a name such as 'two-agents'")
        self.lines: list[str] = []
        self._begun = 0

    def begin(self, txn: str | None = None, **more: object) -> Recorded:
        """Begin a transaction: whatever should be atomic. Its name is a number unless it is given one."""
        self._begun += 1
        found = Recorded(self, str(self._begun) if txn is None else txn)
        found.note("b", **more)
        return found

    @property
    def text(self) -> str:
        """The trace as JSON Lines, for a file that `toki-verify check` reads."""
        return "".join(line + "\n" for line in self.lines)

    def save(self, path: str | Path) -> None:
        """Write the trace to a file."""
        Path(path).write_text(self.text, encoding="utf-8")

    def schedule(self) -> Schedule:
        """What was recorded. Raises ScheduleError where nothing was, or where it is no well-formed schedule."""
        schedules, problems = read_json_lines(self.text, file=f"<{self.name}>", stem=self.name)
        if not self.lines:
            problems = [Problem("a recording without any event", "at least one", "empty", file=f"<{self.name}>")]
        if problems:
            raise ScheduleError(problems)
        return schedules[0]


class Recorded:
    """A transaction that is being recorded. As a context manager it commits, or aborts where an exception leaves it.

    Every method takes more keys of the trace form by name: `table`, `partition`, `session`, `t`, `prov`, `operator`.
    Versions are told of every read and write, or of none: then a read sees the latest write.
    """

    def __init__(self, recorder: Recorder, txn: str) -> None:
        self.txn, self._recorder, self._over = txn, recorder, False

    def note(self, op: str, **fields: object) -> None:
        """Add an event of any kind, with fields of the trace form.

        Raises ValueError after the end; ValueError or TypeError for what JSON cannot hold.
        """
        if self._over:
            raise ValueError(f"transaction {self.txn} has ended, expected no more of it")
        self._recorder.lines.append(_line({"op": op, "txn": self.txn, **fields}))
        self._over = op in ("c", "a")

    def read(self, item: str, value: object = UNTOLD, *, version: object = None, **more: object) -> None:
        """It read an item, in a version."""
        self.note("r", item=item, **_stated(version, value), **more)

    def read_where(self, predicate: str, matched: Mapping[str, object] | Iterable[str], **more: object) -> None:
        """It asked for the rows that match a predicate, and saw these: item to version, or items of unknown version."""
        rows = matched.items() if isinstance(matched, Mapping) else [(i, None) for i in _listed("matched", matched)]
        found = [{"item": item, **_stated(version, UNTOLD)} for item, version in rows]
        self.note("r", predicate=predicate, matched=found, **more)

    def write(
        self,
        item: str,
        value: object = UNTOLD,
        *,
        version: object = None,
        predicates: Iterable[str] = (),
        **more: object,
    ) -> None:
        """It wrote an item; `predicates` are those that the new row matches; `insert=True`, `delete=True`."""
        matching = _listed("predicates", predicates)
        self.note("w", item=item, **_stated(version, value), **({"predicates": matching} if matching else {}), **more)

    def judge(self, R: str, theta: object, vote: object = UNTOLD, **more: object) -> None:
        """It asked a judge about the read set R with the decoder theta, and was told the vote."""
        self.note("j", R=R, theta=theta, **({} if vote is UNTOLD else {"vote": vote}), **more)

    def callback(self, R: str, h: str, k: int, **more: object) -> None:
        """An external confirmation arrived."""
        self.note("cb", R=R, h=h, k=k, **more)

    def commit(self, **more: object) -> None:
        """It committed."""
        self.note("c", **more)

    def abort(self, **more: object) -> None:
        """It was rolled back."""
        self.note("a", **more)

    def __enter__(self) -> Recorded:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._over:
            self.note("c" if kind is None else "a")


def _stated(version: object, value: object | EllipsisType) -> dict[str, object]:
    told: dict[str, object] = {} if version is None else {"version": str(version)}
    return told if value is UNTOLD else {**told, "value": value}


def _listed(name: str, values: Iterable[str]) -> list[str]:
    """Several names. One text would be taken for a list of its letters. Raises TypeError."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name}: {short(values)}, expected a list")
    return list(values)


def _line(fields: dict[str, object]) -> str:
    """An event as a line of JSON. Raises ValueError or TypeError with the name of the argument that cannot be one."""
    try:
        return _json(fields)
    except Exception:
        for name, value in fields.items():
            try:
                _json(value)
            except Exception as error:  # also one of a __str__ of the value
                kind = TypeError if isinstance(error, TypeError) else ValueError
                raise kind(f"{name}: {short(value)}, expected what JSON can hold ({_reason(error)})") from None
        raise


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
    text.encode()  # a lone surrogate has no place in a file
    return text


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    if isinstance(error, UnicodeEncodeError):
        return f"U+{ord(error.object[error.start]):04X} is half of a surrogate pair"
    text = str(error)
    return f"{text[:1].lower()}{text[1:]}" or type(error).__name__
