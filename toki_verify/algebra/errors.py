"""Everything that the algebra refuses, as typed errors: what was found, and what was expected."""

from __future__ import annotations


def shown(value: object) -> str:
    """A value that was refused, for a message: not every object has a `repr`, and some have a long one."""
    try:
        text = repr(value)
    except Exception:  # whatever a foreign `__repr__` does; of large integers `int` itself refuses
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else f"{text[:80]}…"


class AlgebraError(ValueError):
    """Something the algebra refuses. `what` was found, `expected` says the way out."""

    def __init__(self, what: str, expected: str) -> None:
        self.what, self.expected = what, expected
        super().__init__(f"{what}, expected {expected}")

    def __reduce__(self) -> tuple[type[AlgebraError], tuple[str, str]]:
        return type(self), (self.what, self.expected)


class InvalidOption(AlgebraError):
    """An option of an operator, pipeline or write path with a value it does not have: never taken for another one."""


class InvalidFact(AlgebraError):
    """A fact whose columns do not fit together, or a column of another type."""


class InvalidConfidence(InvalidFact):
    """A confidence outside [0, 1], or not a number."""


class InvalidPeriod(InvalidFact):
    """A period that is empty or reversed: closed-open periods begin before they end (TOKI 2026, Table 12)."""


class MixedTimestamps(InvalidFact):
    """Naive and aware timestamps where only one kind can be compared."""


class NotContradicting(AlgebraError):
    """Facts given to an operator that do not contradict (TOKI 2026, Appendix C.2, step 1)."""


class UnknownStrategy(AlgebraError):
    """A resolution strategy id that names no operator: never rerouted (TOKI 2026, §3.4)."""


class StrategyNotEnabled(AlgebraError):
    """A known strategy that this write path has switched off (TOKI 2026, Table 14, step 5)."""


class OracleMissing(AlgebraError):
    """An operator that selects by an oracle (await, rule) was given none."""


class VoteOutOfRange(AlgebraError):
    """A callback or policy returned something that is no index of a member of the conflict set."""


class NoMember(AlgebraError):
    """The judge log names a winner that is no member of the conflict set."""


class OracleFailed(AlgebraError):
    """A callback or policy raised; its exception is the `__cause__`."""


class OracleTimedOut(OracleFailed):
    """A callback or policy gave no answer in the time it had."""


class SeveralIncumbents(AlgebraError):
    """More than one open row contradicts the incoming fact: binary operators need one (Algorithm 1, line 9)."""


def chosen(option: str, value: object, known: tuple[str, ...]) -> None:
    """Raises InvalidOption unless a value is one of those that an option has."""
    if not isinstance(value, str) or value not in known:
        raise InvalidOption(f"{option}={shown(value)}", f"one of {', '.join(map(repr, known))}")


class UnparsableElement(AlgebraError):
    """A text that is no element of the carrier; `at` is the offset of what is wrong in it."""

    def __init__(self, what: str, expected: str, at: int = 0) -> None:
        super().__init__(what, expected)
        self.at = at

    def __reduce__(self) -> tuple[type[AlgebraError], tuple[str, str, int]]:  # type: ignore[override]
        return type(self), (self.what, self.expected, self.at)
