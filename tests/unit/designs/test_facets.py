"""Facets of erasure: one of them is N3 itself, they grow with the surface, and a tiny design loses or keeps each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import pytest

from toki_verify.designs import (
    Design,
    Initial,
    Row,
    Steps,
    Table,
    commit,
    delete,
    insert,
    judge,
    log_insert_if_absent,
    read,
    row,
    update,
    writer,
)
from toki_verify.designs import facets as module
from toki_verify.designs.facets import FACETS, erased, surface_rows
from toki_verify.designs.library import PLACES, design
from toki_verify.designs.model import PARTS, Described, describe
from toki_verify.designs.runs import Run
from toki_verify.designs.verify import Verifier
from toki_verify.phenomena.catalogue import catalogue

from .drawn_designs import WHERE, drawn, runs_of

N3 = catalogue()["N3"].formula
#: Surfaces of which a schedule says the same as the design.
PART = {part: catalogue()[f"N3[{part}]"].formula for part in ("closed", "history", "audit")}


def of_source(run: Run) -> list[str]:
    """Where the facet of the source is something else than N3 on the schedule."""
    wrong = ["N3"] if (erased(run, "source") is not None) is not run.concrete.holds(N3) else []
    for part, formula in PART.items():
        # A table of closed rows is a history in the notation.
        whole = part != "closed" or all(table.part != "closed" for table in run.described.tables.values())
        if whole and (erased(run, "source", part) is not None) is not run.concrete.holds(formula):
            wrong.append(part)
    return wrong


def of_surfaces(run: Run) -> list[str]:
    """The facets that a smaller surface keeps and a larger one does not; surfaces that are smaller than a part."""
    wrong = []
    for facet in FACETS:
        lost = [erased(run, facet, part) is not None for part in PARTS]
        wrong += [facet] if lost != sorted(lost, reverse=True) else []
    rows = [list(surface_rows(run, part)) for part in PARTS]
    return wrong + ["rows" for less, more in zip(rows, rows[1:], strict=False) if not {*less} <= {*more}]


def problems(described: Described, crashes: int = 0) -> list[str]:
    """What is wrong with the facets of a design's runs."""
    found, seen = [], set()
    for run, _ in runs_of(described, 2, crashes):
        said = str(run.schedule)
        if said not in seen:
            seen.add(said)
            found += [f"{wrong}: {said}" for wrong in (*of_source(run), *of_surfaces(run))]
    return found


#: Words that write, so that small designs lose something.
WORDS = (
    *("write", "unsaid", "merge", "close", "open", "same", "delete", "new", "note", "log", "shelve", "count"),
    *("forget", "alone"),
)


def stress(seeds: Iterable[int]) -> list[str]:
    return [f"{seed}: {problem}" for seed in seeds for problem in problems(drawn(seed, words=WORDS))]


def test_the_source_facet_is_n3() -> None:
    assert stress(range(60)) == []


@pytest.mark.heavy
def test_the_source_facet_is_n3_of_many() -> None:
    assert stress(range(1_000, 2_500)) == []


@pytest.mark.parametrize("slug", PLACES)
def test_the_source_facet_of_the_library_is_n3(slug: str) -> None:
    assert problems(describe(design(slug))) == []
