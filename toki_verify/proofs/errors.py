"""What the certificate checker says when it does not accept."""

from __future__ import annotations


class ProofError(ValueError):
    """A proof or an obligation was not accepted: what is wrong, and where.

    ``file``, ``line`` and ``column`` (from 1) point at the text; ``problem`` says what was found and what was expected.
    """

    def __init__(self, problem: str, *, file: str | None = None, line: int = 1, column: int = 1) -> None:
        self.problem = problem
        self.file = file if file is not None else "<text>"
        self.line = line
        self.column = column
        super().__init__(f"{self.file}:{line}:{column}: {problem}")


class TermError(ValueError):
    """A term cannot be formed (sorts, arity, capture). Readers add the place and raise :class:`ProofError`."""


class WorkError(TermError):
    """The limit on the work for one text is exceeded; :mod:`.work` says what counts."""


class RuleError(ValueError):
    """A step does not follow by its rule. The kernel adds the rule and the place and raises :class:`ProofError`."""
