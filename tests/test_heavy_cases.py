"""The list of heavy cases names tests that there are, and no test loses all of its cases to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .heavy_cases import HEAVY, is_heavy

ROOT = Path(__file__).resolve().parents[1]


def test_a_case_is_marked_by_its_id() -> None:
    assert is_heavy("tests/agreement/test_oracle.py::test_census[predicates]")
    assert not is_heavy("tests/agreement/test_oracle.py::test_census[callbacks]")
    assert not is_heavy("tests/nowhere.py::test_census[predicates]")


@pytest.mark.parametrize("file", HEAVY)
def test_a_file_of_heavy_cases_is_there(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    missing = [name for name in HEAVY[file] if f"def {name.partition('[')[0]}(" not in text]
    assert missing == []


@pytest.mark.heavy
def test_every_heavy_case_is_collected() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-n", "0", "-m", "heavy", *HEAVY]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = {f"{file}::{name}" for file, names in HEAVY.items() for name in names}
    assert wanted - set(found) == set()
