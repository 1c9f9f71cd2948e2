"""What a store refuses or fails at, as typed errors. Whatever is raised, the transaction is rolled back."""

from __future__ import annotations


class StoreError(Exception):
    """A store that cannot do what it was asked. `what` happened, `expected` says the way out."""

    def __init__(self, what: str, expected: str) -> None:
        self.what, self.expected = what, expected
        super().__init__(f"{what}, expected {expected}")

    def __reduce__(self) -> tuple[type[StoreError], tuple[str, str]]:
        return type(self), (self.what, self.expected)


class ConstraintViolated(StoreError):
    """A row that one of the integrity constraints of Table 12 forbids; `constraint` is its name in `CONSTRAINTS`."""

    def __init__(self, constraint: str, what: str, expected: str) -> None:
        super().__init__(what, expected)
        self.constraint = constraint

    def __reduce__(self) -> tuple[type[ConstraintViolated], tuple[str, str, str]]:  # type: ignore[override]
        return type(self), (self.constraint, self.what, self.expected)


class NoOpenRow(StoreError, LookupError):
    """No open current row has the fact_id that is to be closed: never a silent no-op (Appendix C.1)."""


class UnknownMode(StoreError, ValueError):
    """A schema mode that is none of audit_row, dual_row, base (Appendix C.1)."""


class NotAStore(StoreError):
    """A file that holds something else: another program's tables, another carrier or mode, or no database at all."""


class NewerVersion(NotAStore):
    """A store file of a version of the format that this version does not know."""


class StoreLocked(StoreError):
    """Another transaction has the store, or won a conflict: nothing was written, try again."""


class StoreFull(StoreError):
    """No room for the row: nothing of the transaction was written."""


class StoreClosed(StoreError):
    """A store or transaction used after it was closed, committed or rolled back."""


class EngineMissing(StoreError, ImportError):
    """A store whose engine is not installed; the message names the extra that brings it."""


class StoreFailed(StoreError):
    """Any other failure of the engine; its exception is the `__cause__`."""
