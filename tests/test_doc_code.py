"""Every Python block in the documents runs, the blocks of one document one after another; tests in them pass."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
DOCUMENTS = ("README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
WITH_CODE = [name for name in DOCUMENTS if BLOCK.search((ROOT / name).read_text(encoding="utf-8"))]


def test_there_are_documents_with_code() -> None:
    assert {"README.md", "docs/algebra.md", "docs/designs.md", "docs/stores.md", "docs/testing.md"} <= set(WITH_CODE)


@pytest.mark.parametrize("name", WITH_CODE)
def test_code_in_a_document_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "document"}
    for number, block in enumerate(BLOCK.findall((ROOT / name).read_text(encoding="utf-8")), 1):
        exec(compile(block, f"{name}, block {number}", "exec", dont_inherit=True), names)
    for test in [value for name, value in names.items() if name.startswith("test_") and inspect.isfunction(value)]:
        if not inspect.signature(test).parameters:
            test()
