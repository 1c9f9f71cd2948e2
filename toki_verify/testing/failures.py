"""How a broken law is told: the law, its source, and the smallest counterexample as a table of facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self

from ..algebra.facts import ALL_COLUMNS, Fact
from ..algebra.periods import open_end
from ..algebra.semiring import Semiring
from .laws import LAWS

_WIDTH: Final = 40
_HERE: Final = str(Path(__file__).parent)


class Broken(Exception):
    """Raised by the check of a law: what is wrong, and facts (by the part they play) that show it.

    `lines` say more; `case` is what the law was checked on, which whoever runs it fills in, unless it is said.
    """

    def __init__(self, what: str, **facts: Fact[Any]) -> None:
        super().__init__(what)
        self.what, self.facts = what, facts
        self.lines: tuple[str, ...] = ()
        self.case: Any = None

    def saying(self, lines: Iterable[str]) -> Self:
        """The same with lines."""
        self.lines = tuple(lines)
        return self

    def of(self, case: Any) -> Self:
        """The same of another case than that which was drawn."""
        self.case = case
        return self


class LawBroken(AssertionError):
    """A law of `LAWS` that does not hold: `law` is its id, `counterexample` the text that shows it."""

    def __init__(self, law: str, what: str, counterexample: str = "") -> None:
        self.law, self.what, self.counterexample = law, what, counterexample
        entry = LAWS[law]
        parts = [
            f"{law} is broken: {what}",
            f"  law     {entry.statement}\n  source  TOKI 2026, {entry.source}",
            counterexample,
        ]
        super().__init__("\n\n".join(part for part in parts if part))

    def __reduce__(self) -> tuple[type[LawBroken], tuple[str, str, str]]:
        return type(self), (self.law, self.what, self.counterexample)


def instant_text(value: datetime) -> str:
    """A timestamp as short as it can be told: a date where it is midnight, `open` for the sentinel."""
    if value == open_end(value):
        return "open"
    return moment_text(value)


def moment_text(value: datetime) -> str:
    """A timestamp as short as it can be told, where it is asked for: the sentinel is an instant as any other."""
    text = value.isoformat(sep=" ")
    return text.replace(" 00:00:00", "", 1)


def cell(fact: Fact[Any], column: str, carrier: Semiring[Any] | None = None) -> str:
    """A column of a fact as text; provenance in the text form of the carrier if there is one."""
    if column == "provenance_id":
        try:
            text = repr(fact.provenance) if carrier is None else carrier.text(fact.provenance)
        except Exception as error:  # what cannot be printed may be what is wrong
            text = f"{fact.provenance!r} ({type(error).__name__})"
    else:
        value = getattr(fact, column)
        text = instant_text(value) if isinstance(value, datetime) else str(value)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def facts_table(
    facts: Mapping[str, Fact[Any]], carrier: Semiring[Any] | None = None, columns: Collection[str] = ()
) -> str:
    """An aligned table, a row a fact: its id, object, the columns asked for, and every column in which they differ."""
    if not facts:
        return ""
    cells = {column: [cell(fact, column, carrier) for fact in facts.values()] for column in ALL_COLUMNS}
    shown = [c for c in ALL_COLUMNS if c in ("fact_id", "object", *columns) or len(set(cells[c])) > 1]
    grid = [["", *shown], *([name, *(cells[c][row] for c in shown)] for row, name in enumerate(facts))]
    widths = [max(len(line[at]) for line in grid) for at in range(len(grid[0]))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in grid]
    return "\n".join(f"  {line}".rstrip() for line in lines)


def theirs(error: BaseException | None) -> BaseException | None:
    """An exception without the frames of this package before those of what is tested."""
    if error is None:
        return None
    at = error.__traceback__
    while at is not None and at.tb_next is not None and at.tb_frame.f_code.co_filename.startswith(_HERE):
        at = at.tb_next
    return error.with_traceback(at)
