"""census: what it prints, what it refuses, how it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.cli.conftest import Run
from toki_verify.search.census_counts import CensusResult


def test_text(run: Run) -> None:
    outcome = run("census", "--events", 5)
    assert outcome.code == 0 and outcome.err.endswith(" seconds\n")
    assert " ".join(outcome.out.splitlines()[:2]) == (
        "2,036 schedules: every complete schedule of 2 to 5 events, with at most 3 transactions and 2 items, once up "
        "to renaming"
    )
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["events", "RU", "RC", "SI", "SR", "RC[G]", "SI[G]", "SR[G]", "cb"] in lines
    assert ["5", "1,844", "1,378", "1,371", "1,371", "1,761", "1,743", "1,743", "1,844"] in lines
    assert ["total", "2,036", "1,552", "1,545", "1,545", "1,950", "1,932", "1,932", "2,036"] in lines
    assert ["P4", "7", "3", "0", "0", "7", "0", "0", "7"] in lines
    assert "no schedule shows P3, A5A, A5B, " in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 110


def test_every_run_prints_the_same(run: Run, tmp_path: Path) -> None:
    options = ("census", "--events", 5, "--family", "session", "--family", "Berenson", "-o")
    for form in ("text", "json", "markdown"):
        once = run(*options, form).out
        assert run(*options, form, "--jobs", 2, "--resume", tmp_path / form).out == once
        assert run(*options, form, "--resume", tmp_path / form).out == once


def test_one_size_and_a_family_without_a_level_for_all(run: Run) -> None:
    out = run("census", "--events", 4, "--exactly", "--transactions", 1, "--items", 1, "--family", "berenson").out
    assert out.startswith(
        "16 schedules: every complete schedule of 4 events, with at most 1 transaction and 1 item, once"
    )
    assert "total" not in out and "those that show" not in out
    out = run("census", "--events", 4, "--exactly", "--family", "berenson").out
    assert ["events", "all", "RU", "RC", "RR", "SR"] in [line.split() for line in out.splitlines()]
    assert ["P1[broad]", "16", "16", "0", "0", "0"] in [line.split() for line in out.splitlines()]


def test_json(run: Run) -> None:
    outcome = run("census", "--events", 5, "-o", "json")
    data = json.loads(outcome.out)
    assert data["census"] == {"events": 5, "transactions": 3, "items": 2, "exactly": False, "families": ["graph"]}
    assert data["total"]["schedules"] == 2036 and data["total"]["cells"]["graph:RC"]["P4"] == 3
    assert [size["events"] for size in data["sizes"]] == [2, 3, 4, 5]
    assert CensusResult.from_json(data).total.schedules == 2036
    assert outcome.err == ""


def test_markdown(run: Run) -> None:
    out = run("census", "--events", 5, "-o", "markdown").out
    assert "| P4 | 7 | 3 | 0 | 0 | 7 | 0 | 0 | 7 |\n" in out
    assert "| --- | ---: |" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "required: --events"),
        (("--events", "x"), "invalid int value"),
        (("--events", "0"), "0 events, expected 2 to 10: a transaction does something"),
        (("--events", "-4"), "-4 events, expected 2 to 10"),
        (("--events", "11"), "11 events, expected 2 to 10: each further event multiplies the schedules"),
        (("--events", "4", "--transactions", "0"), "0 transactions, expected 1 to 5"),
        (
            ("--events", "4", "--transactions", "6"),
            "6 transactions, expected 1 to 5: each transaction has at least two",
        ),
        (("--events", "4", "--items", "0"), "0 items, expected 1 to 4"),
        (("--events", "4", "--items", "5"), "5 items, expected 1 to 4"),
        (("--events", "4", "--jobs", "0"), "0 jobs, expected 1 to 256"),
        (("--events", "4", "--family", "grahp"), "did you mean graph?"),
        (("--events", "4", "-o", "xml"), "invalid choice"),
        (("--events", "4", "--resume", "/nowhere/at/all"), "/nowhere/at/all: No such file or directory"),
        (("--events", "4", "--resume", "/"), "/: Is a directory"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str, run: Run) -> None:
    outcome = run("census", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.fixture
def checkpoint(tmp_path: Path, run: Run) -> Path:
    file = tmp_path / "census.jsonl"
    assert run("census", "--events", 4, "--resume", file).code == 0
    return file


def refused(run: Run, file: Path, message: str, *arguments: str) -> None:
    before = file.read_bytes()
    outcome = run("census", *(arguments or ("--events", "4")), "--resume", file)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--events", "5"), "another census: events 4, not 5"),
        (("--events", "4", "--exactly"), "another census: exactly false, not true"),
        (("--events", "4", "--items", "1"), "another census: items 2, not 1"),
        (("--events", "4", "--family", "adya"), "another census: definitions"),
    ],
)
def test_a_checkpoint_of_another_census(arguments: tuple[str, ...], message: str, run: Run, checkpoint: Path) -> None:
    refused(run, checkpoint, f"{checkpoint}:1: the checkpoint is of {message}", *arguments)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "not a line of a census checkpoint"),
        ("nonsense", "not a line of a census checkpoint"),
        ("[1]", "not a line of a census checkpoint"),
        ("[" * 100_000, "not a line of a census checkpoint"),
        ("\0", "not a line of a census checkpoint"),
        ("{}", "sizes: expected a list of whole numbers"),
        ('{"sizes":[9],"items":[0],"schedules":1}', "a share that this census does not have"),
        ('{"sizes":[2],"items":[0],"schedules":1}', "levels: expected an object"),
        ('{"sizes":[2],"items":[0],"schedules":-1}', "schedules: expected a whole number, not -1"),
        (
            '{"sizes":[2],"items":[0],"schedules":1,"levels":{"graph:XX":1},"phenomena":{},"cells":{}}',
            "levels: unknown name 'graph:XX'",
        ),
        (
            '{"sizes":[2],"items":[0],"schedules":99999999999999999999,"levels":{},"phenomena":{},"cells":{}}',
            "99999999999999999999 schedules in a share that has 4",
        ),
        (
            '{"sizes":[2],"items":[0],"schedules":4,"levels":{},"phenomena":{},"cells":{}}',
            "a share that an earlier line counts otherwise, which is to be deleted, too",
        ),
        (
            '{"sizes":[2],"items":[0],"schedules":1,"levels":{"graph:SI":2},"phenomena":{},"cells":{}}',
            "levels graph:SI: 2 is more than the 1 there can be",
        ),
    ],
)
def test_a_line_that_is_none(line: str, message: str, run: Run, checkpoint: Path) -> None:
    lines = checkpoint.read_text().splitlines()
    checkpoint.write_text("\n".join([*lines, line]) + "\n")
    refused(run, checkpoint, f"{checkpoint}:{len(lines) + 1}: {message}; delete the line to count its share again")


def test_a_file_that_ends_within_a_line(run: Run, checkpoint: Path) -> None:
    whole = run("census", "--events", 4).out
    checkpoint.write_bytes(checkpoint.read_bytes()[:-20])
    lines = checkpoint.read_text().splitlines(keepends=True)
    refused(run, checkpoint, f"{checkpoint}:{len(lines)}: the file ends within the line; delete the line")
    checkpoint.write_text("".join(lines[:-1]))
    assert run("census", "--events", 4, "--resume", checkpoint).out == whole


def test_other_files_stay_as_they_are(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    for text in ("my notes\n", "my notes", '{"schedules": []}\n', "\n"):
        file.write_text(text)
        refused(run, file, f"{file}:1: ")
    file.write_text("")
    assert run("census", "--events", 3, "--resume", file).code == 0


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_says_how_to_go_on(jobs: str, tmp_path: Path) -> None:
    file = tmp_path / "census.jsonl"
    command = [sys.executable, "-m", "toki_verify", "census", "--events", "9", "--jobs", jobs, "--resume", str(file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        deadline = monotonic() + 60
        while monotonic() < deadline and not (file.exists() and len(file.read_bytes().splitlines()) > 2):
            sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == f"interrupted; run the same command again to go on from {file}\n"
    assert file.read_bytes().endswith(b"\n")
