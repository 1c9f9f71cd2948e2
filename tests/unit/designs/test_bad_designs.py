"""Bad input: whatever is wrong with a design, the error names class, writer, step, file and line, and nothing hangs."""

from __future__ import annotations

from pathlib import Path

import pytest

from toki_verify.designs import Design, DesignError
from toki_verify.designs.engine import Engine
from toki_verify.designs.explore import Explorer
from toki_verify.designs.loading import load
from toki_verify.designs.model import describe
from toki_verify.designs.program import Program

from .bad_designs import Case, cases


def explored(design: type[Design], writers: int = 2) -> int:
    """The runs of a design's first write path."""
    described = describe(design)
    engine = Engine(described)
    programs = tuple(Program(described, described.writers[0], number) for number in range(1, writers + 1))
    explorer = Explorer(engine, lambda machine, steps: None)
    return explorer.explore(engine.start(programs, 0)).runs


def error_of(case: Case, directory: Path, monkeypatch: pytest.MonkeyPatch) -> DesignError:
    monkeypatch.chdir(directory)
    Path("bad.py").write_text(case.source, encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        explored(load("bad.py:Bad"))
    return caught.value


@pytest.mark.parametrize("case", [*cases("bad_steps.txt"), *cases("bad_classes.txt")], ids=lambda case: case.name)
def test_bad_design(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = error_of(case, tmp_path, monkeypatch)
    text = str(error)
    assert case.matches(text), text
    assert "\n" not in text
    assert error.file == "bad.py"
    assert error.line in (case.lines or [error.line]), text
    if case.writer:
        assert (error.design, error.writer) == ("Bad", "remember")
        assert error.step is not None
    assert capsys.readouterr() == ("", "")
