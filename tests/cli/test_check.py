"""`toki-verify check`: exit codes, what is judged, streams, output forms."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LOST = "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1"
SKEW = "r1[x0] r2[y0] w1[y1] c1 w2[x1] c2"
UNKNOWN = "j1(R, theta) j2(R, theta)=1 c1 c2"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["-e", "r1[x0] w1[x1] c1"], 0),
        (["-e", LOST], 1),
        (["-e", SKEW, "--level", "SI"], 0),
        (["-e", SKEW, "--level", "SR"], 1),
        (["-e", LOST, "--level", "RC"], 0),
        (["-e", LOST, "--level", "PL-2", "--family", "adya"], 0),
        (["-e", LOST, "--level", "adya:PL-2+"], 1),
        (["-e", UNKNOWN], 3),
        (["-e", UNKNOWN, "-e", LOST], 1),
        (["-e", UNKNOWN, "-e", "r1["], 2),
        (["-e", LOST, "-e", "r1["], 2),
        (["-e", f"{LOST}\nexpect P4"], 0),
        (["-e", f"{LOST}\nexpect not P4"], 1),
        (["-e", f"{LOST}\nexpect P4\nexpect level RC"], 0),
        (["-e", f"{LOST}\nexpect level SI"], 1),
        (["-e", f"{UNKNOWN}\nexpect N1"], 3),
        (["-e", f"{UNKNOWN}\nexpect not N1 P0"], 3),
        (["-e", f"{UNKNOWN}\nexpect not P0"], 0),
        (["-e", f"{LOST}\nexpect P4", "--level", "SI"], 1),
        (["-e", "r1[x0] w2[x1] c2 c1"], 0),
        (["-e", "r1[x0] w1[x1 by await] c1"], 1),
        (["-e", "r1[x0] w1[x1 by await] c1", "--level", "SR"], 0),
        (["-e", "r1[x0] w1[x1 by await] c1", "--level", "SR+cb"], 1),
    ],
)
def test_exit_codes(arguments: list[str], code: int, run: Run) -> None:
    assert run("check", *arguments).code == code


def test_results_go_to_stdout_and_problems_to_stderr(run: Run) -> None:
    outcome = run("check", "-e", LOST, "-e", "r1[", "-o", "json")
    assert outcome.code == 2
    assert len(json.loads(outcome.out)) == 1
    assert "<events 2>:1:4: error" in outcome.err


def test_the_json_form_of_the_notation(run: Run) -> None:
    text = f"schedule H4\n  source Berenson\n  {LOST}\n  expect P4 G-single\n  expect level RC\n"
    data = json.loads(run("check", "-e", text, "-o", "json").out)[0]
    assert data["format"] == "toki-schedule/1" and data["schedule"] == "H4" and data["source"] == "Berenson"
    assert data["events"][0] == {"op": "r", "txn": "1", "table": "facts", "item": "x", "version": "0"}
    assert {k: data["levels"]["graph"][k] for k in ("RC", "SI", "SR")} == {"RC": True, "SI": False, "SR": False}
    assert data["phenomena"]["P0"] == {"present": False}
    p4 = data["phenomena"]["P4"]
    assert p4["present"] is True and p4["evidence"]["events"] == [0, 2, 4]
    assert p4["evidence"]["cycle"][0] == {"from": "1", "to": "2", "kind": "rw", "item": "x", "events": [0, 2]}
    assert p4["evidence"]["cycle"][1] == {"from": "2", "to": "1", "kind": "ww", "item": "x", "events": [2, 4]}
    assert data["expected"] == {"ok": True, "failed": []}


def test_json_out_is_json_in(run: Run, tmp_path: Path) -> None:
    out = run("check", "-e", LOST, "-o", "json").out
    (tmp_path / "a.json").write_text(out)
    assert json.loads(run("check", tmp_path / "a.json", "-o", "json").out)[0]["events"] == json.loads(out)[0]["events"]
    lines = run("check", "-e", LOST, "-e", SKEW, "-o", "jsonl").out
    (tmp_path / "b.jsonl").write_text(lines)
    assert len(lines.splitlines()) == 2 == len(run("check", tmp_path / "b.jsonl", "-o", "jsonl").out.splitlines())


def test_undecided_is_null_with_a_reason(run: Run) -> None:
    data = json.loads(run("check", "-e", UNKNOWN, "-o", "json").out)[0]
    assert data["phenomena"]["N1"] == {"present": None}
    assert "vote" in data["reasons"]["N1"]


def test_evidence_for_levels(run: Run) -> None:
    levels = json.loads(run("check", "-e", SKEW, "-o", "json", "--evidence").out)[0]["levels"]["graph"]
    stamps = levels["SI"]["timestamps"]
    assert levels["SI"]["holds"] is True and stamps["1"][0] < stamps["2"][1] and stamps["2"][0] < stamps["1"][1]
    assert levels["SR"]["holds"] is False and len(levels["SR"]["evidence"]["cycle"]) == 2
    serial = json.loads(run("check", "-e", "w1[x1] c1 r2[x1] c2", "-o", "json", "--evidence").out)[0]
    assert serial["levels"]["graph"]["SR"]["serial_order"] == ["1", "2"]


def test_the_weakest_level_refuted_and_all_that_follow(run: Run) -> None:
    assert "Not graph:SI (so not SR either)" in run("check", "-e", LOST).out
    assert "Not graph:SR" in run("check", "-e", SKEW).out
    assert "adya:PL-2+ (so not PL-SI, PL-3 either)" in run("check", "-e", LOST, "--family", "adya").out


def test_standard_input_is_read_and_sniffed(run: Run) -> None:
    assert run("check", "-", stdin=LOST.encode()).code == 1
    assert run("check", "-", stdin=b'{"op":"w","txn":"1","item":"x"}\n{"op":"c","txn":"1"}\n').code == 0
    assert run("check", "-", stdin=b'{"events": [{"op":"c","txn":"1"}]}').code == 0
    assert run("check", "-", stdin=b"").code == 2


def test_a_value_that_nobody_wrote_is_no_silent_accept(run: Run) -> None:
    outcome = run("check", "-e", "w1[x1=50] c1 r2[x1=60] c2")
    assert "read x = 60, but the version it saw has the value 50" in outcome.out


def test_directories_print_a_summary_table(run: Run) -> None:
    outcome = run("check", "schedules/berenson")
    assert outcome.code == 0
    assert "as expected" in outcome.out and "3 files" in outcome.out


def test_colour_only_where_wanted(tmp_path: Path) -> None:
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "toki_verify", "check", "-e", LOST],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 1 and "\x1b" not in done.stdout


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_output_survives_an_ascii_terminal(locale: str) -> None:
    environment = {**os.environ, "LC_ALL": locale, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "toki_verify", "check", "-e", LOST],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 1 and "P4" in done.stdout and "Traceback" not in done.stderr


def test_a_closed_pipe_is_no_traceback() -> None:
    done = subprocess.run(
        f"{sys.executable} -m toki_verify check -v schedules | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr


def test_output_is_stable(run: Run) -> None:
    for form in ("text", "json", "jsonl", "github", "sarif", "junit"):
        arguments = ("check", "schedules/field", "-e", LOST, "-e", SKEW, "-o", form)
        first = run(*arguments).out
        assert first and first == run(*arguments).out


def test_no_names_what_must_be_absent(run: Run) -> None:
    flip = "j1(R, theta)=0 j2(R, theta)=1 c1 c2"
    assert run("check", "-e", flip, "--level", "SR").code == 0
    assert run("check", "-e", flip, "--level", "SR", "--no", "N1").code == 1
    assert run("check", "-e", UNKNOWN, "--no", "N1").code == 3
    assert run("check", "-e", SKEW, "--no", "P4", "--no", "N1").code == 0
    outcome = run("check", "-e", SKEW, "--no", "P44")
    assert outcome.code == 2 and "P4" in outcome.err


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('{"op":"w","txn":"1","item":"x","predicate":"P"}\n{"op":"c","txn":"1"}', "did you mean 'predicates'?"),
        ('{"op":"w","txn":"1","item":"x","versoin":"1"}\n{"op":"c","txn":"1"}', "did you mean 'version'?"),
        ('{"op":"r","txn":"1","item":"x","vote":"1"}\n{"op":"c","txn":"1"}', "it belongs to a judge call"),
        ('{"op":"w","txn":"1","item":"x"}', "T1 has neither commit nor abort"),
    ],
)
def test_recordings_that_go_wrong_in_silence_are_warned_about(lines: str, words: str, run: Run) -> None:
    outcome = run("check", "-", stdin=lines.encode())
    assert outcome.code == 0 and words in outcome.out
    data = json.loads(run("check", "-", "-o", "json", stdin=lines.encode()).out)
    assert any(words in warning for warning in data[0]["warnings"])
    assert words.replace("'", "'") in run("check", "-", "-o", "github", stdin=lines.encode()).out


def test_harmless_recordings_are_not_warned_about(run: Run) -> None:
    for file in sorted(Path("examples/traces").glob("*.jsonl")):
        assert "warnings" not in json.loads(run("check", file, "-o", "json").out)[0]


def test_a_pin_that_covers_nothing_is_warned_about(run: Run) -> None:
    assert "the pin @fatcs covers no access" in run("check", "-e", LOST, "--level", "SR@fatcs").out
    assert "covers no access" not in run("check", "-e", LOST, "--level", "SR@facts").out


def test_findings_point_at_the_line_of_the_event(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.sched").write_text("schedule a\n  r1[x0]\n  r2[x0]\n  w2[x1] c2\n  w1[x2]\n  c1\n")
    assert ",line=5,title=P4" in run("check", tmp_path / "a.sched", "-o", "github").out
    sarif = json.loads(run("check", tmp_path / "a.sched", "-o", "sarif").out)
    result = sarif["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps] == [2, 4, 5]


def test_a_predicate_read_says_what_it_matched(run: Run) -> None:
    outcome = run("check", "-", stdin=b'{"op":"r","txn":"1","predicate":"P","rows":["x"]}\n')
    assert outcome.code == 2 and "'matched'" in outcome.err


def test_a_table_in_markdown(run: Run) -> None:
    out = run(
        "check", "-e", f'schedule "a|b"\n  {LOST}', "-e", "r1[x0] c1", "-e", "r1[", "-o", "markdown"
    ).out.splitlines()
    assert out[0].count("|") == 7 and out[2] == "| a\\|b | **not** | P4 lost update | RC | PL-2 | PC |"
    assert out[3].startswith("| \\<events 2\\> | as expected | none | SR |") and out[-1].startswith(
        "- \\<events 3\\>:1:4"
    )
