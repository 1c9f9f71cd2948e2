"""Small forms of the ledger."""

from __future__ import annotations

import pytest

from toki_verify.report.ledger import _runs


@pytest.mark.parametrize(
    ("ids", "told"),
    [
        ((), []),
        (("a.1", "a.2", "a.3", "b.1"), ["a.1 … a.3", "b.1"]),
        (("a.1", "a.2"), ["a.1", "a.2"]),
        (("a.1", "a.3", "a.4", "a.5"), ["a.1", "a.3 … a.5"]),
        (("a.9", "a.10", "a.11", "T1.sound.A5B.SR"), ["a.9 … a.11", "T1.sound.A5B.SR"]),
        (("x", "y"), ["x", "y"]),
    ],
)
def test_runs_of_numbered_artifacts_are_folded(ids: tuple[str, ...], told: list[str]) -> None:
    assert list(_runs(ids)) == told
