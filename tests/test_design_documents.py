"""What the documents show of designs is what the commands print, and the examples of designs are what they say."""

from __future__ import annotations

import pytest

from toki_verify.designs.library import PLACES
from toki_verify.designs.loading import load
from toki_verify.designs.model import describe
from toki_verify.designs.repairs import cost, under
from toki_verify.designs.verify import verify

from .design_documents import (
    README,
    REVIEW,
    ROOT,
    blocks,
    example_block,
    finding_blocks,
    matrix_rows,
    repaired_block,
    review_of,
    shortened,
    shown_rows,
)

#: Designs of the library that are explored in a second; the others are compared in the heavy suite.
QUICK = ("last-writer-wins", "toki-evi", "worlddb")
REVIEW_TEXT = (REVIEW / "README.md").read_text(encoding="utf-8")


# -- the README --------------------------------------------------------------------------------------------------------
def test_the_example_of_the_readme_is_the_file() -> None:
    example = (ROOT / "examples/designs/first.py").read_text(encoding="utf-8")
    assert f"```python\n{example}```" in README.read_text(encoding="utf-8")
    assert len(example.split("\n")) < 30


def test_the_report_in_the_readme_is_what_the_command_prints() -> None:
    assert blocks(README.read_text(encoding="utf-8")) == [example_block()]


def test_what_is_left_out_of_a_report_is_marked() -> None:
    whole = ["a 1", "b", "c", "a 2", "d", ""]
    assert shortened(whole, (("a", "b"), ("a", "\0"))) == "a 1\n…\na 2\nd\n"
    assert shortened(whole, (("a", "c"), ("c", "d"))) == "a 1\nb\nc\na 2\n"


def _slug(row: str) -> str:
    return row.split("`")[1]


def test_the_matrix_in_the_readme_has_every_design() -> None:
    assert [_slug(row) for row in shown_rows()] == list(PLACES)


def test_the_matrix_in_the_readme_is_what_exploring_finds() -> None:
    assert [row for row in shown_rows() if _slug(row) in QUICK] == matrix_rows(
        [slug for slug in PLACES if slug in QUICK]
    )


@pytest.mark.heavy
def test_the_whole_matrix_in_the_readme_is_what_exploring_finds() -> None:
    assert shown_rows() == matrix_rows(list(PLACES))


# -- the worked review -------------------------------------------------------------------------------------------------
def test_the_report_of_the_review_is_what_the_command_prints() -> None:
    report = review_of("candidate")
    assert (REVIEW / "report.txt").read_text(encoding="utf-8").split("\n") == report
    assert blocks(REVIEW_TEXT)[:-1] == finding_blocks(report)


def test_the_repaired_design_excludes_what_was_found() -> None:
    report = review_of("repaired")
    assert blocks(REVIEW_TEXT)[-1] == repaired_block(report)
    assert [line for line in report if line.startswith("  ✗")] == []
    costs = cost(describe(load(str(REVIEW / "repaired.py:PromptMemory"))), 2)
    assert str(costs) in " ".join(REVIEW_TEXT.split())


@pytest.mark.heavy
def test_the_repairs_that_the_report_names_do_what_the_repaired_design_does() -> None:
    candidate = describe(load(str(REVIEW / "candidate.py:PromptMemory")))
    chosen = ("keyed log", "SR@partition(alice,likes)", "audit row")
    assert verify(under(candidate, chosen)).admitted() == ()
    for left_out in chosen:
        assert verify(under(candidate, tuple(name for name in chosen if name != left_out))).admitted() != ()
