"""What an attacker found, each with the right outcome."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LOST = "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1"
TOOL = [sys.executable, "-m", "toki_verify"]


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command line of bash in which `T` is the tool."""
    script = f'T() {{ {sys.executable} -m toki_verify "$@"; }}; set -o pipefail; {command}'
    return subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


def test_fmt_touches_no_file_but_its_own(tmp_path: Path, run: Run) -> None:
    other = tmp_path / "other.txt"
    other.write_text("SECRET")
    (tmp_path / "a.sched.tmp").symlink_to(other)
    (tmp_path / ".a.sched.tmp").symlink_to(other)
    (tmp_path / "a.sched").write_text("r1(x0)  c1\n")
    assert run("fmt", tmp_path / "a.sched").code == 0
    assert other.read_text() == "SECRET"
    assert (tmp_path / "a.sched").read_text() == "r1[x0] c1\n" and not (tmp_path / "a.sched").is_symlink()


def test_fmt_leaves_a_write_protected_file_alone(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "a.sched"
    file.write_text("r1(x0)  c1\n")
    file.chmod(0o444)
    outcome = run("fmt", file)
    assert outcome.code == 2 and "write-protected" in outcome.err and "rewrote" not in outcome.err
    assert file.read_text() == "r1(x0)  c1\n"


@pytest.mark.parametrize(("before", "after"), [
    ("schedule g#c\n  r1[x0]\n", "schedule g  #c\n  r1[x0]\n"),
    ("w1[x1] c1\norder x: 0 1#c\n", "w1[x1] c1\norder x: 0 1  #c\n"),
    ('init x0="a\\\\"   # why x\nr1[x0]\n', 'init x0="a\\\\"  # why x\nr1[x0]\n'),
    ('init y0="b\\\\" z0="c # d"\nr1[y0]\n', 'init y0="b\\\\" z0="c # d"\nr1[y0]\n'),
    ("r1[x0]\nexpect not P4#c\n", "r1[x0]\nexpect not P4  #c\n"),
])  # fmt: skip
def test_fmt_neither_loses_nor_invents_comments(before: str, after: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "a.sched"
    file.write_text(before)
    assert run("fmt", file).code == 0
    assert file.read_text() == after


def test_fmt_check_of_standard_input(run: Run) -> None:
    assert run("fmt", "--check", "-", stdin=b"r1(x0)") == type(run("--version"))(1, "", "")
    assert run("fmt", "--check", "-", stdin=b"r1[x0]\n").code == 0


def test_items_count_against_the_limit(run: Run) -> None:
    init = {f"i{number}x": 1 for number in range(20_000)}
    text = json.dumps({"init": init, "events": [{"op": "c", "txn": "1"}]})
    outcome = run("check", "-", stdin=text.encode())
    assert outcome.code == 2 and "limit-accesses" in outcome.err


@pytest.mark.parametrize("level", ["cb", "cb@facts", "SR+cb@facts", "SR@facts+cb"])
def test_a_pin_never_makes_a_level_stronger(level: str, run: Run) -> None:
    assert run("check", "-e", "r1[x0] cb1(R, h, 1) w1[x1 by await] c1", "--level", level).code == 0


def test_a_level_that_hangs_on_an_unknown_vote_is_undecided(tmp_path: Path, run: Run) -> None:
    levels = tmp_path / "a.levels"
    levels.write_text(
        "level a\n  no N1\nlevel b\n  needs a\n  no P4\nlevel c\n  no P4\nlevel d\n  require no N1 or no N1[observed]\n"
    )
    unknown = "j1(R, t) c1 j2(R, t)=1 c2"
    assert run("check", "-e", unknown, "--levels", levels, "--level", "a").code == 3
    assert run("check", "-e", unknown, "--levels", levels, "--level", "b").code == 3
    assert run("check", "-e", unknown, "--levels", levels, "--level", "c").code == 0
    assert run("check", "-e", unknown, "--levels", levels, "--level", "d").code == 3
    assert (
        run(
            "check",
            "-e",
            f"{unknown} {LOST.replace('1[', '3[').replace('c1', 'c3').replace('2[', '4[').replace('c2', 'c4')}",
            "--levels",
            levels,
            "--level",
            "b",
        ).code
        == 1
    )
    data = json.loads(run("check", "-e", unknown, "--levels", levels, "--level", "a", "-o", "json").out)[0]
    assert data["levels"]["user"] == {"a": None, "b": None, "c": True, "d": None} and "N1" in data["reasons"]["user.a"]


@pytest.mark.parametrize("level", ['SR@partition("alice",lives_in)', "SR@partition(alice,lives_in)", 'SR@"facts"'])
def test_pins_name_what_the_notation_names(level: str, run: Run) -> None:
    skew = "r1[alice.lives_in/x0] r2[alice.lives_in/y0] w1[alice.lives_in/y1] c1 w2[alice.lives_in/x1] c2"
    assert run("check", "-e", skew, "--level", level).code == 1


def test_pins_are_compared_in_nfc_and_may_be_quoted(run: Run) -> None:
    skew = 'r1["té st":x@0] r2["té st":y@0] w1["té st":y@1] c1 w2["té st":x@1] c2'
    assert run("check", "-e", skew, "--level", 'SR@"te\u0301 st"').code == 1
    assert run("check", "-e", f'{skew}\nexpect level SI@"té st"').code == 0
    assert run("check", "-e", f'{skew}\nexpect level SR@"té st"').code == 1


def test_levels_of_a_user_mix_with_the_others_and_keep_their_case(tmp_path: Path, run: Run) -> None:
    levels = tmp_path / "a.levels"
    levels.write_text("level a\n  no P0\nlevel A\n  no P4\nlevel SI\n  no P0\n")
    for spec, code in (("a", 0), ("A", 1), ("SI", 0), ("RC+SI", 0), ("SI@facts", 0), ("graph:SI", 1), ("a+SR", 1),
                       ("A@nowhere", 0), ("user:A", 1)):  # fmt: skip
        assert run("check", "-e", LOST, "--levels", levels, "--level", spec).code == code, spec


@pytest.mark.parametrize("text", [
    "level a\n" + "  no P4\n" * 3000, "level a\n  acyclic txn(" + "wr | " * 3000 + "ww)",
    "level a\n  empty wr" + "^+" * 20_000,
    "level a\n" + "".join(f"  let n{i} = {f'n{i - 1}' if i else 'wr'} | ww\n" for i in range(3000)) + "  empty n2999\n",
    "level a\n  require " + "no P4 and " * 3000 + "no P4", "level a\n  cycle(" + "txn(rw), " * 30 + "txn(rw))",
])  # fmt: skip
def test_formulas_of_any_size_end_in_a_verdict_or_a_message(text: str, tmp_path: Path, run: Run) -> None:
    levels = tmp_path / "a.levels"
    levels.write_text(text)
    outcome = run("check", "-e", "r1[x0] c1", "--levels", levels, "--level", "a")
    assert outcome.code in (0, 2) and (outcome.code == 0 or "error" in outcome.err)


def test_a_specification_of_many_parts(run: Run) -> None:
    assert run("check", "-e", LOST, "--level", "+".join(["SI"] * 500)).code == 2


def test_a_reader_that_goes_away_does_not_change_the_exit_code() -> None:
    assert shell(f"T check -e '{LOST}' -v | (exec 0<&-; sleep 1)").returncode == 1
    assert shell("T check schedules -v | head -1").returncode == 0


@pytest.mark.parametrize("command", ["check -", "fmt -"])
def test_closed_standard_input(command: str) -> None:
    done = shell(f"T {command} <&-")
    assert done.returncode == 2 and "Traceback" not in done.stderr


@pytest.mark.parametrize(("command", "code"), [
    (f"T check -e '{LOST}' >&-", 2), ("T check -e 'r1[x0 c1' 2>&-", 2), ("T schema >&-", 2), ("T --help >&-", 2),
    ("T --version > /dev/full", 2), ("T check --help > /dev/full", 2), ("T schema > /dev/full 2> /dev/full", 2),
    ("T schema >&- 2>&-", 2),
    (f"T check -e '{LOST}' > /dev/full", 2), ("T schema > /dev/full", 2), ("T rule P4 > /dev/full", 2),
])  # fmt: skip
def test_closed_and_full_output(command: str, code: int) -> None:
    done = shell(command)
    assert done.returncode == code and "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [
    "check -e 'r1[x0] c1'", "show -e 'r1[x0] c1'", "fmt - <<< 'r1(x0)'", "rule P4", "census --events 2",
    "bridge -e 'r1[x0] c1'", "schema", "hunt P0 --max-events 4", "prove --list", "witness P0",
    "distinguish --allowed RC --forbidden SI", "--version",
])  # fmt: skip
def test_a_result_that_nobody_can_get_is_an_error(command: str) -> None:
    """With stdout closed, as with a full one: what the command found is lost, and it says so."""
    lost = shell(f"T {command} >&-")
    assert lost.returncode == 2
    assert lost.stderr.endswith("toki-verify: writing the result failed: Bad file descriptor\n")
    assert "Traceback" not in lost.stderr
    assert shell(f"T {command}").returncode in (0, 1)


def test_a_command_without_a_result_needs_no_stdout(tmp_path: Path) -> None:
    file = tmp_path / "a.sched"
    file.write_text("r1(x0)  c1\n")
    done = shell(f"T fmt {file} >&-")
    assert done.returncode == 0 and file.read_text() == "r1[x0] c1\n"


def test_machine_formats_are_utf8_whatever_the_locale() -> None:
    text = 'r1["é😀"@0] c1'
    for encoding in ("ascii", "latin-1"):
        for form in ("json", "jsonl", "sarif", "junit"):
            arguments = [*TOOL, "check", "-e", text, "-o", form]
            done = subprocess.run(
                arguments, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": encoding}
            )
            done.stdout.decode("utf-8")
            if form == "json":
                assert json.loads(done.stdout)[0]["events"][0]["item"] == "é😀"
    done = subprocess.run([*TOOL, "fmt", "-"], input="r1[Ω0] c1".encode(), capture_output=True, check=False,
                          env={**os.environ, "PYTHONIOENCODING": "ascii:surrogateescape"})  # fmt: skip
    assert done.stdout.decode() == "r1[Ω0] c1\n"


def test_terminal_escapes_are_not_passed_on(run: Run) -> None:
    outcome = run("check", "-e", 'schedule "\\u001b[31mEVIL"\n  r1[x0]\n  q1\x1b[31m')
    outcome_good = run("check", "-e", 'schedule "\\u001b[31mEVIL"\n  r1[x0]\n')
    assert "\x1b" not in outcome.err + outcome.out + outcome_good.out and "EVIL" in outcome_good.out


def test_directories_report_what_they_cannot_read(tmp_path: Path, run: Run) -> None:
    (tmp_path / "UP.SCHED").write_text("r1[x0] c1")
    (tmp_path / "dangling.sched").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "fifo.sched")
    for command in ("check", "fmt"):
        outcome = run(command, tmp_path)
        assert outcome.code == 2
        assert "a link to nothing" in outcome.err and "no regular file" in outcome.err
    assert "UP" in run("check", tmp_path).out


def test_names_of_files_are_no_obstacle(tmp_path: Path, run: Run) -> None:
    for name in ("e\u0301.sched", os.fsdecode(b"\xff.sched")):
        (tmp_path / name).write_text("r1[x0] c1")
        assert run("check", tmp_path / name).code == 0
    assert run("check", "").code == 2


def test_two_schedules_of_one_name(tmp_path: Path, run: Run) -> None:
    (tmp_path / "A.sched").write_text("r1[x0]\nschedule A\n  r1[x0]\n")
    entry = {"schedule": "A", "events": [{"op": "c", "txn": "1"}]}
    (tmp_path / "b.json").write_text(json.dumps([entry, entry]))
    for file in ("A.sched", "b.json"):
        outcome = run("check", tmp_path / file)
        assert outcome.code == 2 and "a second schedule named A" in outcome.err


def test_an_unknown_key_of_an_init_entry_is_no_value(run: Run) -> None:
    entry = {"init": {"y": {"value": 1, "comment": "x"}}, "events": [{"op": "c", "txn": "1"}]}
    assert run("check", "-", stdin=json.dumps(entry).encode()).code == 2


@pytest.mark.parametrize(
    "data", [b"schedule a\n" * 200_000, b"r1[x0 " * 150_000, b"\n" * 8_000_000], ids=["names", "open", "blank"]
)
def test_rubbish_is_refused_quickly(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.sched").write_bytes(data)
    done = subprocess.run([*TOOL, "check", str(tmp_path / "a.sched")], capture_output=True, check=False, timeout=45)
    assert done.returncode == 2


@pytest.mark.parametrize(
    "command",
    [
        ("fmt", "{}.sched"),
        ("show", "{}.sched"),
        ("check", "{}.sched"),
        ("check", "-e", "w1[x1] c1", "--levels", "{}.sched"),
        ("rule", "{}"),
        ("convert", "{}.edn", "--to", "plume"),
        ("verify-evidence", "{}.edn", "{}.json"),
    ],
)
def test_names_of_files_cannot_paint_a_terminal(command: tuple[str, ...], run: Run) -> None:
    done = run(*(part.format("no\x1b[31m\u202ename") for part in command))
    assert done.code == 2 and "no" in done.err
    assert "\x1b" not in done.out + done.err and "\u202e" not in done.out + done.err
