"""Locks of one process that wait for each other: no database ends that, so it is a finding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest

from toki_verify.designs import Design, Initial, Steps, Table, commit, lock, row, unlock, update, writer
from toki_verify.designs.model import describe
from toki_verify.designs.review import Review
from toki_verify.designs.verify import Verifier
from toki_verify.designs.words import Teller
from toki_verify.report.design import review_lines


class Base(Design):
    isolation = "RC"
    tables: ClassVar = {"facts": Table()}

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "k", subject="alice", predicate="likes", says=0)

    def under(self, me: int, *names: str) -> Steps[None]:
        """One update under locks, taken in the order given."""
        for name in names:
            yield from lock(name)
        yield from update("facts", "k", says=me)
        yield from commit()
        for name in names:
            yield from unlock(name)


class Crossed(Base):
    """Two locks in two orders."""

    @writer
    def remember(self, me: int) -> Steps[None]:
        yield from self.under(me, *("ab" if me == 1 else "ba"))


class Ordered(Base):
    """Two locks in one order."""

    @writer
    def remember(self, me: int) -> Steps[None]:
        yield from self.under(me, "a", "b")


class Mixed(Base):
    """A lock of the process, then a lock of a row; and the other way round."""

    @writer
    def remember(self, me: int) -> Steps[None]:
        if me == 1:
            yield from self.under(me, "a")
        else:
            yield from update("facts", "k", says=me)
            yield from lock("a")
            yield from commit()


class Rows(Base):
    """No lock of the process: the deadlock of two rows is the database's to end."""

    def setup(self) -> Iterator[Initial]:
        yield from super().setup()
        yield row("facts", "l", subject="alice", predicate="likes", says=0)

    @writer
    def remember(self, me: int) -> Steps[None]:
        for key in "kl" if me == 1 else "lk":
            yield from update("facts", key, says=me)
        yield from commit()


def reviewed(design: type[Design]) -> Review:
    return Verifier(describe(design), only=("hang",)).verify(2, 0)


def shown(review: Review) -> str:
    return "\n".join(line.plain for line in review_lines(review))


@pytest.mark.parametrize(
    ("design", "waits"),
    [
        (Crossed, "W1 for the lock 'b', W2 for the lock 'a'"),
        (Mixed, "W1 for a row that is locked, W2 for the lock 'a'"),
    ],
)
def test_a_circle_with_a_lock_of_the_process_hangs(design: type[Design], waits: str) -> None:
    review = reviewed(design)
    assert review["hang"].verdict == "admits"
    assert waits in Teller().tell(review["hang"]).text
    assert "✗ hang" in shown(review)


def test_locks_in_one_order_do_not() -> None:
    review = reviewed(Ordered)
    assert (review["hang"].verdict, review["hang"].vacuous) == ("excludes", False)
    assert "✓ hang" in shown(review)


def test_a_deadlock_of_rows_is_none() -> None:
    review = reviewed(Rows)
    assert (review["hang"].verdict, review["hang"].vacuous) == ("excludes", True)
    assert "hang  " not in shown(review)
