"""The bound on the work for one text: no certificate, however it is written, takes unbounded time.

A text of a few lines can stand for exponentially many terms (an instance of formulas that share their parts under
different quantifiers) or for very long comparisons (a list that is named once and used everywhere). Whatever can take
more time than its share of the text counts its units here, before it spends the time.
"""

from __future__ import annotations

from .errors import WorkError

MAXIMAL_WORK = 10_000_000
"""Units for an obligation, and again for a proof. A unit is a part of a term made, replaced, compared or evaluated.

The largest proof that ships with the toolkit needs less than a hundredth of it.
"""


class Work:
    """A count of units up to a limit."""

    __slots__ = ("limit", "spent")

    def __init__(self, limit: int | None = None) -> None:
        self.limit = MAXIMAL_WORK if limit is None else limit
        self.spent = 0

    def restart(self) -> None:
        """Count from zero: a new text begins."""
        self.spent = 0

    def spend(self, units: int) -> None:
        """Count units; :class:`WorkError` beyond the limit."""
        self.spent += units
        if self.spent > self.limit:
            raise WorkError(f"more than {self.limit} units of work on one text, a limit of this checker")
