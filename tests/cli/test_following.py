"""Bars of files that take long, and reports that come as the files are checked."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba")

from tests.cli.test_histories import LOST_UPDATE, SERIAL, put
from tests.cli.test_traces import LOST, large
from toki_verify.cli import following, history_input
from toki_verify.cli.main import main


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_says_the_rate_and_what_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, real, moved = Terminal(), time.monotonic, [0.0]
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(time, "monotonic", lambda: real() + moved[0])
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with following.following(2) as follow:
        tell = follow("one\x1b[7m.jsonl")
        tell("reading", 0, 400_000_000)
        assert terminal.getvalue() == ""
        moved[0] = 4.0
        tell("reading", 100_000_000, 400_000_000)
        time.sleep(0.2)
        tell = follow("two.jsonl")
        tell("phenomena", 0, 47)
        moved[0] = 6.0
        tell("phenomena", 12, 47)
        time.sleep(0.2)
    shown = terminal.getvalue()
    assert "one\\u001b[7m.jsonl (1 of 2): reading" in shown and "100/400 MB, 25.0 MB/s" in shown
    assert "two.jsonl (2 of 2): phenomena" in shown and "12/47, 6.0/s" in shown and "remaining" in shown


def test_without_a_terminal_there_is_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with following.following(1) as follow:
        follow("one.jsonl")("levels", 3, 30)
    assert capsys.readouterr().err == ""
    assert following.amount_text("levels", 0, 30, 0.0) == "0/30"
    assert following.amount_text("reading", 0, 3_000_000, 1.0) == "0/3 MB"


def test_what_is_printed_meanwhile_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar goes away, comes again when it is told of more, and not before, whatever thread tells it."""
    terminal, real, moved = Terminal(), time.monotonic, [0.0]
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(time, "monotonic", lambda: real() + moved[0])
    monkeypatch.setenv("TERM", "xterm")
    with following.following(1) as follow:
        tell = follow("one.jsonl")
        moved[0] = 4.0
        tell("levels", 1, 30)
        with follow.aside():
            before = terminal.getvalue()
            tell("levels", 2, 30)
            time.sleep(0.2)
            assert terminal.getvalue() == before
        assert "levels" in before and "3/30" not in before
        tell("levels", 3, 30)
        time.sleep(0.2)
    assert "3/30" in terminal.getvalue()[len(before) :]


@pytest.mark.parametrize("output", ["text", "jsonl", "json"])
@pytest.mark.parametrize("kind", ["history", "trace"])
def test_a_report_of_one_file_does_not_wait_for_the_next(
    kind: str, output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "history":
        paths = [put(tmp_path, f"{name}.txt", text) for name, text in (("one", LOST_UPDATE), ("two", SERIAL))]
    else:
        paths = [large(tmp_path, *LOST)]
        paths.append(paths[0].rename(tmp_path / "one.jsonl").with_name("two.jsonl"))
        paths[0] = tmp_path / "one.jsonl"
        paths[1].write_bytes(paths[0].read_bytes())
    real, printed = history_input.results, []

    def watched(*given: Any) -> Generator[Any, None, None]:
        for said in real(*given):
            printed.append(capsys.readouterr().out)
            yield said

    monkeypatch.setattr(history_input, "results", watched)
    code = main(["check", *map(str, paths), "-o", output])
    before, between, behind = *printed, capsys.readouterr().out
    assert code == 1 and before == ""
    if output == "json":
        assert between == "" and len(json.loads(behind)) == 2
    else:
        assert "one." in between and "two." not in between and "two." in behind
    if output == "jsonl":
        assert [len(part.splitlines()) for part in (between, behind)] == [1, 1]


def test_a_reader_that_has_gone_changes_no_exit_code(tmp_path: Path) -> None:
    """Nor does it end the checking of what comes behind."""
    for name in ("a", "b"):
        put(tmp_path, f"{name}.txt", SERIAL)
    lost = put(tmp_path, "c.txt", LOST_UPDATE)
    command = [
        sys.executable,
        "-m",
        "toki_verify",
        "check",
        str(tmp_path / "a.txt"),
        str(tmp_path / "b.txt"),
        str(lost),
    ]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")
