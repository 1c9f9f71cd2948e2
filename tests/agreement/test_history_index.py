"""Every public history has the verdicts that its index gives (../shared/histories/INDEX.md says who decided them)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toki_verify.histories.checked import check_history
from toki_verify.histories.formats import read_history

HISTORIES = Path(__file__).resolve().parents[3] / "shared" / "histories"
INDEX = HISTORIES / "INDEX.md"
#: The columns of the index.
COLUMNS = ("RC", "RA", "CC", "SI", "SER")
pytestmark = pytest.mark.skipif(not INDEX.exists(), reason="the public histories are not at hand")


def rows() -> list[tuple[str, dict[str, bool]]]:
    """File and verdicts of each row; `.edn, .json` is two files."""
    found = []
    for line in INDEX.read_text(encoding="utf-8").split("\n") if INDEX.exists() else ():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 8 and "/" in cells[0] and not cells[1].startswith("Isolde"):
            said = {level: cell == "yes" for level, cell in zip(COLUMNS, cells[2:7], strict=True) if cell}
            first, *others = re.split(r",\s*", cells[0])
            found += [(name, said) for name in (first, *(first.rsplit(".", 1)[0] + one for one in others))]
    return found


def test_the_index_is_read() -> None:
    assert len(rows()) >= 14
    assert sum(len(said) for _, said in rows()) >= 60


@pytest.mark.parametrize(("name", "said"), rows(), ids=[name for name, _ in rows()])
def test_the_verdicts_are_those_of_the_index(name: str, said: dict[str, bool]) -> None:
    history, problems = read_history((HISTORIES / name).read_bytes(), source=name)
    assert problems == [] and history is not None
    found = check_history(history, smallest=False)
    assert {level: found.levels[level] for level in said} == said


@pytest.mark.parametrize(
    ("name", "level"),
    [("plume/galera-galera.txt", "PSI"), ("awdit/causal-long-fork.txt", "PC"), ("plume/pg_ser_bug.txt", "SER")],
)
def test_read_with_another_initial_value_they_are_not_accepted(name: str, level: str) -> None:
    """0 is a real write in two of them. Taken for the initial value it is a write of what is there: undecided."""
    data = (HISTORIES / name).read_bytes()
    right, _ = read_history(data, source=name)
    wrong, _ = read_history(data, source=name, initial="zero")
    assert right is not None and wrong is not None
    assert check_history(right, smallest=False).levels[level] is False
    assert check_history(wrong, smallest=False).levels[level] is not True
