"""The document for strangers (docs/your-own.md): every suite in it runs, and accepts what is built there."""

from __future__ import annotations

import unittest
from pathlib import Path
from typing import Any
from unittest import SkipTest

import pytest
from hypothesis import settings

from tests.test_doc_code import BLOCK, ROOT
from toki_verify.testing.suite import Suite

FEW = settings(settings.get_profile("toki-ci"), max_examples=4, stateful_step_count=12)
SKIPPED = {"laws-claimed", "C1.mode"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "document"}
    for block in BLOCK.findall((ROOT / "docs" / "your-own.md").read_text(encoding="utf-8")):
        exec(compile(block, "your-own.md", "exec"), names)
    return names


SUITES = ("TestOperators", "TestSources", "TestPipelines", "TestVotes", "TestMemory")


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_of_the_document_passes(name: str, document: dict[str, Any]) -> None:
    suite: type[Suite] = document[name]
    skipped = set()
    for law in suite.laws:
        try:
            suite.check(law, FEW)
        except SkipTest:
            skipped.add(law)
    assert skipped <= SKIPPED


def test_the_write_path_of_the_document_passes(document: dict[str, Any]) -> None:
    case = document["TestWrites"]
    case.settings = settings(case.settings, max_examples=8, stateful_step_count=12)
    case().runTest()


def test_these_are_all_of_them_and_files_go(document: dict[str, Any], tmp_path: Path) -> None:
    found = {name for name, value in document.items() if name.startswith("Test") and isinstance(value, type)}
    assert {name for name in found if issubclass(document[name], (Suite, unittest.TestCase))} == {*SUITES, "TestWrites"}
    made: list[Path] = []

    def make_store(directory: Path) -> Any:
        made.append(directory)
        return document["make_store"](directory)

    from toki_verify.testing import store_suite

    store_suite(make_store).check("C1.rows", FEW)
    assert made and not any(directory.exists() for directory in made)
