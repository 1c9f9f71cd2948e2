"""`toki-verify bridge`: what it prints, what it refuses, what others can do with it."""

from __future__ import annotations

import json

import pytest

from toki_verify.cli.main import main
from toki_verify.notation import parse_text

RACE = "j1(R, theta)=0 j2(R, theta)=1 c1 c2"


def out(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["bridge", *arguments]) == code
    return capsys.readouterr().out


def test_both_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    shown = out(capsys, "-e", RACE)
    assert 'j2(R, theta)=1  second fill  w2[judge_log:"(R, theta)"@2=1]  its vote is not the row\'s' in shown
    assert "H1[return] is broken at j2(R, theta)=1" in shown
    moves = [row.split() for row in shown.splitlines() if "absent → present" in row]
    assert len(moves) == 1
    assert "P0" in moves[0]


def test_json_has_both_and_the_trace(capsys: pytest.CaptureFixture[str]) -> None:
    [found] = json.loads(out(capsys, "-e", RACE, "-o", "json"))
    assert found["format"] == "toki-bridge/1"
    assert [step["role"] for step in found["trace"]] == ["first fill", "second fill", "kept", "kept"]
    assert {"phenomenon": "N1", "before": True, "after": False} in found["moved"]
    assert {"level": "graph.RC", "before": True, "after": False} in found["moved"]
    assert found["image"]["events"][1]["version"] == "2"
    [line] = out(capsys, "-e", RACE, "-o", "jsonl").splitlines()
    assert json.loads(line) == found


def test_images_can_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "-e", RACE, "-o", "sched", "--writer", "own")
    [schedule] = parse_text(text, file="image")
    assert str(schedule).startswith("b1 wTlog1[")
    assert schedule.resolved.committed == {"1", "2", "log1", "log2"}


def test_the_options_change_the_image(capsys: pytest.CaptureFixture[str]) -> None:
    assert "unlogged call" in out(capsys, "-e", RACE, "--mismatch", "unlogged")
    assert "unlogged call" not in out(capsys, "-e", RACE)


def test_an_image_that_is_no_schedule_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    text = 'j1(R, theta)=0 r1[judge_log:"(R, theta)"@0] c1'
    assert "π_J(S) is no well-formed schedule" in out(capsys, "-e", text)
    [found] = json.loads(out(capsys, "-e", text, "-o", "json"))
    assert found["image"] is None
    assert found["problems"][0]["rule"] == "own-write"
    assert main(["bridge", "-e", text, "-o", "sched"]) == 2
    assert "is no well-formed schedule" in capsys.readouterr().err


def test_both_names_of_theta_are_one_row(capsys: pytest.CaptureFixture[str]) -> None:
    text = 'j1(R, theta)=0 c1 r2[judge_log:"(R, θ)"] c2'
    shown = out(capsys, "-e", text)
    assert 'w1[judge_log:"(R, θ)"@1=0]' in shown
    assert 'theta)"@' not in shown


def test_bad_input_has_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bridge", "-e", "j1(R, theta)=0 q1"]) == 2
    assert "<events>:1:16" in capsys.readouterr().err
    assert main(["bridge"]) == 2
    assert "nothing to read" in capsys.readouterr().err
    assert main(["bridge", "-e", "c1", "--writer", "nobody"]) == 2
    assert main(["bridge", "no-such-file.sched"]) == 2


def test_a_bad_schedule_does_not_hide_a_good_one(capsys: pytest.CaptureFixture[str]) -> None:
    shown = out(capsys, "-e", "c1 c1", "-e", RACE, code=2)
    assert "second fill" in shown
