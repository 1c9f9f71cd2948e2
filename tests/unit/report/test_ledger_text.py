"""Small forms of the ledger."""

from __future__ import annotations

import pytest

from toki_verify.claims.ledger import Row
from toki_verify.report.ledger import _runs, ledger_text


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


SAYS = (
    "a version that was overwritten is kept by no row of the surface, in every carrier and whatever the operators are"
)


def row(id: str, statement: str = SAYS) -> Row:
    return Row(id, "w", statement, "r", "holds", "proof", None, "d", None, (), (), None, ("a",), 0.0)


def table(width: int, *rows: Row) -> list[str]:
    return [entry.plain for entry in ledger_text(list(rows), width, whole=False)][:-1]


LONG = "Tab10.idempotent.multilinear-collapsed"


@pytest.mark.parametrize("width", [40, 60, 80, 100, 110, 200])
def test_ids_take_what_they_need_and_statements_the_rest(width: int) -> None:
    lines = table(width, row("W.P4"), row(LONG), row("P1", "short"))
    assert max(map(len, lines)) <= max(width, 15 + len(LONG))
    kept = " ".join(" ".join(lines).split())
    assert kept.count("a version that was overwritten") == 2
    assert all(id in kept for id in ("W.P4", LONG, "P1"))


def test_on_a_terminal_of_80_columns_the_longest_id_does_not_cut_the_others() -> None:
    lines = table(80, row("W.P4"), row(LONG))
    assert len(lines) == 5 and lines[0].startswith("holds          W.P4 ")
    shown = " ".join(told[37:].strip() for told in (lines[0], lines[1]))
    assert len(shown) > 75 and SAYS.startswith(shown.rstrip("…"))
    assert lines[2] == f"holds          {LONG}"
    assert [told[37:] for told in lines[3:]] == [told[37:] for told in lines[:2]]


def test_a_wide_report_has_a_line_a_row() -> None:
    lines = table(110, row("W.P4"), row(LONG))
    assert len(lines) == 2 and all(len(told) <= 110 and told.endswith("…") for told in lines)
    assert len(table(110, row("W.P4"), row("W.P0"))[0]) == 110
