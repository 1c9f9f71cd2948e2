"""designs: the library by name, in every output, and what is refused."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run
from tests.cli.test_design import checked
from toki_verify.designs import supervise
from toki_verify.designs.library import PLACES


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams are captured in this process."""
    monkeypatch.setattr(supervise, "supervised", lambda command, **_: command())


def test_the_library_is_listed(run: Run) -> None:
    lines = run("designs", "--list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(PLACES)
    assert [line.split()[0] for line in run("designs", "--list", "letta*", "zep").out.splitlines()] == [
        name for name in PLACES if name.startswith("letta") or name == "zep"
    ]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "markdown"])
def test_some_designs_of_the_library(run: Run, form: str) -> None:
    found = run("designs", "worlddb", "last-writer-wins", "--crashes", "0", "-o", form)
    assert (found.code, found.err) == (0, "")
    if form in ("json", "jsonl"):
        data = json.loads(found.out) if form == "json" else [json.loads(line) for line in found.out.splitlines()]
        assert [checked(entry)["name"] for entry in data] == ["worlddb", "last-writer-wins"]
        assert data[0]["cells"]["N1"]["seed"] in ("A", "X", "-", "P")
    else:
        assert "WorldDB" in found.out and "last writer wins" in found.out


def test_designs_that_are_not_there_are_refused(run: Run) -> None:
    found = run("designs", "leta")
    assert found.code == 2
    assert "did you mean letta" in found.err
    assert run("designs", "--writers", "99").code == 2
    assert run("designs", "worlddb", "--seconds", "0.000001").code == 3
