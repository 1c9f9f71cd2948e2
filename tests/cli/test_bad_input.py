"""Bad input: a clear message with file, line and column on stderr, exit 2, and the other files still checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOOD = "schedule good\n  r1[x0] w1[x1] c1\n  expect level SR\n"

#: name of the file, its bytes, where the message points, words it must have
CASES: dict[str, tuple[str, bytes, str, str]] = {
    "unknown op": ("a.sched", b"r1[x0] q1[x]\n", ":1:8", "one of b c a r w j cb"),
    "unknown keyword": ("a.sched", b"shedule x\n  r1[x0]\n", ":1:1", "where an event should stand"),
    "read before write": ("a.sched", b"r1[x1] w2[x1]\n", ":1:1", "before it is written"),
    "read of nothing": ("a.sched", b"r1[x7]\n", ":1:1", "nothing writes it"),
    "two commits": ("a.sched", b"w1[x1] c1 c1\n", ":1:11", "already committed"),
    "event after commit": ("a.sched", b"w1[x1] c1\n r1[x1]\n", ":2:2", "no event of a transaction after its end"),
    "duplicate version": ("a.sched", b"w1[x1] w2[x1]\n", ":1:8", "written twice"),
    "own write": ("a.sched", b"w1[x1] r1[x0]\n", ":1:8", "its own latest version"),
    "unknown phenomenon": ("a.sched", b"schedule a\n  r1[x0]\n  expect P44\n", ":3:", "P4"),
    "unknown level": ("a.sched", b"schedule a\n  r1[x0]\n  expect level SSI\n", ":3:", "SI"),
    "unknown family": ("a.sched", b"schedule a\n  r1[x0]\n  expect level[adja] PL-2\n", ":3:", "adya"),
    "empty": ("a.sched", b"", ":1:1", "without any schedule"),
    "only comments": ("a.sched", b"# nothing\n\n", ":1:1", "without any schedule"),
    "empty trace": ("a.jsonl", b"\n", ":1:1", "without any event"),
    "empty json": ("a.json", b"", ":1:1", "a JSON value"),
    "empty array": ("a.json", b"[]", ":1:1", "an empty array"),
    "binary": ("a.sched", b"\x7fELF\x02\x01\x00\x00", ":1:7", "binary"),
    "nul": ("a.sched", b"r1[x0]\nc1\x00\n", ":2:3", "NUL"),
    "utf-16": ("a.sched", "r1[x0]".encode("utf-16"), ":1:1", "UTF-16"),
    "gzip": ("a.jsonl", b"\x1f\x8b\x08\x00", ":1:1", "gzip"),
    "broken utf-8": ("a.sched", b"r1[x0]\nw1[\xff1]\n", ":2:4", "not UTF-8"),
    "long line": ("a.sched", b"r1[x0] " * 7_000_000, ":1:1", "at most 1000000"),
    "long json line": ("a.jsonl", b'{"op":"b","txn":"' + b"1" * 50_000_000 + b'"}', ":1:1", "at most 1000000"),
    "duplicate key": ("a.jsonl", b'{"op":"b","txn":"1"}\n{"op":"c","txn":"1","txn":"2"}\n', ":2:21", "twice"),
    "huge integer": ("a.jsonl", b'{"op":"r","txn":"1","item":"x","value":' + b"9" * 5000 + b"}\n", ":1:40", "digits"),
    "not finite": ("a.jsonl", b'{"op":"r","txn":"1","item":"x","value":1e999}\n', ":1:40", "not finite"),
    "deep nesting": ("a.json", b"[" * 100_000, ":1:", "nested more than"),
    "deep value": (
        "a.jsonl",
        b'{"op":"r","txn":"1","item":"x","value":' + b"[" * 9999 + b"]" * 9999 + b"}",
        ":1:",
        "nested more than",
    ),
    "lone surrogate": ("a.jsonl", b'{"op":"r","txn":"1","item":"\\ud800"}\n', ":1:28", "surrogate"),
    "no op": ("a.jsonl", b'{"txn":"1"}\n', ":1:1", "'op'"),
    "wrong op": ("a.jsonl", b'{"op":"read","txn":"1"}\n', ":1:7", "one of b, r, w, c, a, j, cb"),
    "no json": ("a.jsonl", b"hello\n", ":1:1", "a JSON value"),
    "truncated": ("a.jsonl", b'{"op":"b","txn":"1"}\n{"op":"c","tx', ":2:", "string"),
    "unclosed": ("a.sched", b"r1[x0\n", ":1:6", "`]`"),
    "omitted row": ("a.sched", b"w1[y1 in P] c1 r2{P: y1} r3{P:} r4{P: y0}\n", ":1:26", "does not list row y"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_is_a_clear_message_and_exit_2(name: str, tmp_path: Path, run: Run) -> None:
    file, data, place, words = CASES[name]
    (tmp_path / file).write_bytes(data)
    (tmp_path / "good.sched").write_text(GOOD)
    outcome = run("check", tmp_path / file, tmp_path / "good.sched")
    assert outcome.code == 2
    assert f"{file}{place}" in outcome.err, outcome.err[:500]
    assert words in outcome.err, outcome.err[:500]
    assert "good" in outcome.out and "no anomaly" in outcome.out
    assert len(outcome.err) < 10_000


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("\n", "\r").encode(),
        GOOD.replace("  ", "\t").encode(),
        GOOD.replace(" w1", "\u00a0w1").encode(),
        GOOD.rstrip().encode(),
    ],
    ids=["bom", "crlf", "cr", "tabs", "nbsp", "no final newline"],
)
def test_harmless_encodings_are_read(data: bytes, tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.sched").write_bytes(data)
    assert run("check", tmp_path / "a.sched").code == 0


def test_missing_file_and_directory_without_schedules(tmp_path: Path, run: Run) -> None:
    outcome = run("check", tmp_path / "nowhere.sched", tmp_path)
    assert outcome.code == 2
    assert "nowhere.sched: error: no such file" in outcome.err
    assert "a directory without schedules" in outcome.err and ".jsonl" in outcome.err


def test_several_problems_are_reported_at_once(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.sched").write_text(
        "schedule a\n  r1[x00] w1[y1\n  c1 c1\nschedule b\n  r1[q5]\nschedule b\n  w1[x1]\n"
    )
    outcome = run("check", tmp_path / "a.sched")
    places = [line.split(": error")[0].rsplit("a.sched", 1)[1] for line in outcome.err.splitlines() if "error" in line]
    assert places == [":2:6", ":2:16", ":5:3", ":6:1"]


def test_a_bad_file_in_a_directory_does_not_hide_the_others(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.sched").write_text(GOOD)
    (tmp_path / "b.sched").write_text("r1[")
    (tmp_path / "c.sched").write_text("schedule bad\n  r1[x0] r2[x0] w2[x1] c2 w1[x2] c1\n  expect not P4\n")
    outcome = run("check", tmp_path)
    assert outcome.code == 2
    assert "P4 is present" in outcome.out and "b.sched:1:4" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["chek", "x"],
        ["check", "x", "--level"],
        ["check", "-e", "r1[x0]", "--level", "SII"],
        ["check", "-e", "r1[x0]", "--family", "adja"],
        ["check", "-e", "r1[x0]", "--levels", "nowhere.levels"],
        ["rule"],
        ["rule", "P9"],
        ["rule", "P4C"],
        ["show"],
        ["fmt"],
        ["show", "-e", "r1[x0]", "--name", "y"],
        [],
        ["check", "-e", "r1[x0]", "-o", "yaml"],
        ["check", "--nonsense", "-e", "r1[x0]"],
    ],
)
def test_wrong_usage_is_exit_2_with_a_way_out(arguments: list[str], run: Run) -> None:
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.out == "" and outcome.err.strip()


def test_unknown_names_name_the_nearest(run: Run) -> None:
    assert "did you mean `check`" in run("chekc", "x").err
    assert "P4" in run("rule", "P44").err
    assert "cursor reads" in run("rule", "P4C").err
    assert "SI" in run("check", "-e", "r1[x0]", "--level", "SII").err
