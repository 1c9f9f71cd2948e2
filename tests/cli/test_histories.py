"""`check` and `convert` on histories: by content or by name, exit codes, every output, what cannot be read."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from .conftest import Run
from .interrupts import interrupted

LOST = "r(x,nil,1,1)\nr(x,nil,2,2)\nw(x,1,1,1)\nw(x,2,2,2)\n"
SERIAL = "w(1,1,1,1)\nr(1,1,2,2)\nw(1,2,2,2)\n"
SKEW = "w 1 0\nw 2 0\n-----\n=====\nr 1 0\nw 2 1\n-----\n=====\nr 2 0\nw 1 1\n-----\n"
EDN = "".join(
    f"{{:type {kind}, :f :txn, :process {process}, :value {value}}}\n"
    for process, value in ((0, "[[:append 1 1]]"), (1, "[[:r 1 [1]] [:append 1 2]]"))
    for kind in (":invoke", ":ok")
)

#: Two readers that see two independent writes in opposite orders.
LONG_FORK = "w(1,1,1,1)\nw(2,1,2,2)\nr(1,1,3,3)\nr(2,nil,3,3)\nr(2,1,4,4)\nr(1,nil,4,4)\n"


def put(place: Path, name: str, text: str) -> Path:
    file = place / name
    file.write_text(text, encoding="utf-8")
    return file


LOST_UPDATE = "w(1,9,0,0)\nr(1,9,1,1)\nw(1,1,1,1)\nr(1,9,2,2)\nw(1,2,2,2)\n"


# -- check -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "code", "mark"), [(SERIAL, 0, "SER ✓"), (LOST_UPDATE, 1, "PSI ✗"), (SKEW, 1, "SER ✗"), (EDN, 0, "SER ✓")]
)
def test_a_history_is_known_by_its_content(tmp_path: Path, run: Run, text: str, code: int, mark: str) -> None:
    found = run("check", put(tmp_path, "history", text))
    assert (found.code, mark in found.out) == (code, True)


def test_schedules_and_traces_are_no_histories(tmp_path: Path, run: Run) -> None:
    for name, text in (
        ("one.txt", "r1[x0] w1[x1] c1"),
        ("two.txt", "# words\nschedule two\n  r1[x0] c1\n"),
        ("three.json", '{"schedule": "t", "events": [{"op": "c", "txn": "1"}]}'),
        ("four.jsonl", '{"op": "r", "txn": "1", "item": "x", "version": "0"}\n{"op": "c", "txn": "1"}\n'),
    ):
        found = run("check", put(tmp_path, name, text))
        assert (found.code, "graph" in run("check", "-v", tmp_path / name).out) == (0, True), (name, found)


def test_a_schedule_is_checked_without_what_histories_need(tmp_path: Path) -> None:
    """It starts fast, and it runs where the extra is not installed."""
    file = put(tmp_path, "one.sched", "schedule one\n  r1[x0] w1[x1] c1\n")
    code = (
        "import sys; from toki_verify.cli.main import main; main(sys.argv[1:]); "
        "names = ('numpy', 'numba', 'toki_verify.search', 'toki_verify.histories.formats'); "
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "check", str(file), "-q"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().endswith("[]")


def test_the_level_asked_for_decides(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "skew.txt", SKEW)
    assert run("check", file, "--level", "SI").code == 0
    assert run("check", file, "--level", "session:SER").code == 1
    found = run("check", file, "--level", "PL-3")
    assert (found.code, "PL-3 is no session level, expected one of RC, RA" in found.err) == (2, True)


@pytest.mark.parametrize("option", [("--no", "P4"), ("--levels", "mine.levels"), ("--family", "adya")])
def test_what_a_history_cannot_be_asked_is_refused(tmp_path: Path, run: Run, option: tuple[str, str]) -> None:
    found = run("check", put(tmp_path, "lost.txt", LOST_UPDATE), *option)
    assert (found.code, f"{option[0]} is for schedules and traces" in found.err) == (2, True)


def test_a_limit_is_no_negative_number(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "many.txt", "".join(f"r({key},7,1,{key})\n" for key in range(1, 6)))
    assert "lines 1, 2, …" in run("check", file, "--limit", "2").out
    found = run("check", file, "--limit", "-2")
    assert (found.code, found.err) == (2, "toki-verify check: --limit is -2, expected 0 or more\n")


def test_real_time_is_refused_where_a_format_has_none(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "lost.txt", LOST_UPDATE)
    found = run("check", file, "--real-time")
    assert found.code == 2 and f"{file}: error: plume does not say when transactions began and ended" in found.err


def test_problems_are_said_once(tmp_path: Path, run: Run) -> None:
    found = run("check", put(tmp_path, "bad", "w(1,1,1,1)\nr(1,1,2"), "-o", "github")
    assert (found.code, found.out.count("::error"), found.err) == (2, 1, "")


def test_every_output_says_it(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "lost.txt", LOST_UPDATE)
    [found] = json.loads(run("check", file, "-o", "json").out)
    assert found["levels"]["session"]["PSI"] is False and found["levels"]["session"]["PC"] is True
    assert found["refuted"]["PSI"]["also"] == ["SI", "SER"]
    assert json.loads(run("check", file, "-o", "jsonl").out) == found
    assert f"::error file={file},line=" in run("check", file, "-o", "github").out
    assert json.loads(run("check", file, "-o", "sarif").out)["runs"][0]["results"][0]["ruleId"] == "session:PSI"
    assert Xml.fromstring(run("check", file, "-o", "junit").out.encode()).find("testsuite/testcase/failure") is not None
    assert "| ✓ | ✓ | ✓ | ✓ | ✗ | ✗ | ✗ | none |" in run("check", file, "-o", "markdown").out


def test_a_packed_file_and_standard_input(tmp_path: Path, run: Run) -> None:
    packed = tmp_path / "lost.txt.gz"
    packed.write_bytes(gzip.compress(LOST_UPDATE.encode()))
    assert run("check", packed).code == 1
    assert run("check", "-", "--format", "plume", stdin=LOST_UPDATE.encode()).code == 1
    assert run("check", "-", "--format", "plume", stdin=gzip.compress(SERIAL.encode())).code == 0


def test_a_long_standard_input_is_read_to_its_end(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of schedule files cuts no history off: its last line is what is wrong with this one."""
    monkeypatch.setattr("toki_verify.inputs.FILE_BYTES", 40)
    text = "".join(f"w({key},1,1,{key})\n" for key in range(1, 30)) + "r(1,7,2,99)\n"
    found = run("check", "-", "--format", "plume", stdin=text.encode())
    assert (found.code, "line 30: T99 reads 1=7, which nobody wrote" in found.out) == (1, True)


def test_the_initial_value_is_said(tmp_path: Path, run: Run) -> None:
    both = put(tmp_path, "both.txt", "w(1,0,0,0)\nr(1,0,1,1)\n")
    assert "value 0 of key 1 is taken for the version that somebody wrote" in run("check", both).out
    assert "value 0 of" not in run("check", both, "--initial", "written").out
    nobody = put(tmp_path, "nobody.txt", "r(1,0,1,1)\n")
    assert run("check", nobody).code == 0
    found = run("check", nobody, "--initial", "written")
    assert (found.code, "unwritten-read" in found.out) == (1, True)


@pytest.mark.parametrize(
    ("text", "format", "where"),
    [
        ("w(1,1,1,1)\nr(1,1,2", None, ":2:"),
        ("w(1,1,1,1)\nr 1 1\n", None, ":2:"),
        ("w 1 1\n", "plume", ":1:"),
        ("[{:type :never, :f :txn, :value [[:r 1 nil]]}]", None, ":1:"),
        ("", "plume", ":1:"),
    ],
)
def test_what_cannot_be_read_says_where(tmp_path: Path, run: Run, text: str, format: str | None, where: str) -> None:
    file = put(tmp_path, "bad", text)
    found = run("check", file, *(("--format", format) if format else ("--format", "plume") if not text else ()))
    assert found.code == 2
    assert f"{file}{where}" in found.err and "expected" in found.err


def test_what_is_skipped_is_counted(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "bad.txt", "w(1,1,1,1)\nhalf a li\nr(1,1,2,2)\n")
    assert run("check", file).code == 2
    found = run("check", file, "--skip-bad")
    assert found.code == 0
    assert "1 " in found.out and "left out" in found.out


def test_a_format_that_is_none_and_a_file_that_is_not_there(tmp_path: Path, run: Run) -> None:
    found = run("check", put(tmp_path, "a", SERIAL), "--format", "csv")
    assert (found.code, "csv" in found.err, "plume" in found.err) == (2, True, True)
    missing = run("check", tmp_path / "missing", "--format", "plume")
    assert (missing.code, "no such file" in missing.err) == (2, True)


# -- convert -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", ["plume", "awdit", "jepsen-edn", "elle-json", "dbcop-json"])
def test_a_history_in_another_form_is_at_the_same_levels(tmp_path: Path, run: Run, target: str) -> None:
    file = put(tmp_path, "lost.txt", LOST_UPDATE)
    done = run("convert", file, "--to", target)
    assert done.code == 0, done.err
    again = put(tmp_path, "again", done.out)
    before, after = (json.loads(run("check", one, "-o", "json").out)[0]["levels"] for one in (file, again))
    assert before == after


def test_a_history_as_a_schedule(tmp_path: Path, run: Run) -> None:
    done = run("convert", put(tmp_path, "lost.txt", LOST_UPDATE), "--to", "sched")
    assert done.code == 0
    found = run("check", put(tmp_path, "lost.sched", done.out), "--level", "session:SI")
    assert (found.code, "P4" in found.out) == (1, True)


def test_a_schedule_on_standard_input_is_converted(run: Run) -> None:
    done = run("convert", "-", "--to", "plume", stdin=b"schedule one\n  w1[x1] c1 r2[x1] c2\n")
    assert (done.code, done.out) == (0, "w(x,1,0,0)\nr(x,1,1,1)\n"), done


def test_the_image_of_the_bridge_for_other_tools(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "judge.sched", "schedule judge\n  j1(R, theta)=0 c1 j2(R, theta)=0 c2\n")
    plain = run("convert", file, "--to", "plume")
    assert "2 judge calls are left out" in plain.err
    assert "`--numbers` writes keys" in run("convert", file, "--bridge", "--to", "plume").err
    done = run("convert", file, "--bridge", "--numbers", "--to", "plume")
    assert done.code == 0, done.err
    assert [line[:2] for line in done.out.splitlines()] == ["w(", "r("]
    listed = run("convert", file, "--bridge", "--model", "append", "--to", "jepsen-edn")
    assert ":append" in listed.out and run("check", put(tmp_path, "judge.edn", listed.out)).code == 0


def test_what_a_form_cannot_hold_is_refused(tmp_path: Path, run: Run) -> None:
    found = run("convert", put(tmp_path, "a.edn", EDN), "--to", "plume")
    assert (found.code, found.out) == (2, "")
    assert run("convert", put(tmp_path, "b.txt", SERIAL), "--to", "csv").code == 2
    several = put(tmp_path, "two.sched", "schedule a\n  c1\nschedule b\n  c1\n")
    assert "2 schedules" in run("convert", several, "--to", "plume").err


# -- evidence ----------------------------------------------------------------------------------------------------------
def test_the_orders_of_a_report_are_checked_again(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "lost.txt", LOST_UPDATE)
    [found] = json.loads(run("check", file, "--evidence", "-o", "json").out)
    assert found["levels"]["session"]["SER"] == {"holds": False}
    report = put(tmp_path, "report.json", json.dumps([found]))
    done = run("verify-evidence", file, report)
    assert (done.code, done.out.count("✓")) == (0, 4)
    order = found["levels"]["session"]["PC"]["commit_order"]
    found["levels"]["session"]["PC"]["commit_order"] = order[::-1]
    done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps([found])))
    assert (done.code, "✗ PC" in done.out) == (1, True)
    found["levels"]["session"]["PC"]["commit_order"] = [*order, "nobody"]
    done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(found)))
    assert (done.code, "no transaction nobody" in done.out) == (1, True)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[1]", '[{"history": {}, "levels": {"session": {"SER": {"holds": true}}}}]']
)
def test_a_report_without_orders_is_refused(tmp_path: Path, run: Run, text: str) -> None:
    done = run("verify-evidence", put(tmp_path, "lost.txt", LOST_UPDATE), put(tmp_path, "report.json", text))
    assert done.code == 2 and "report.json" in done.err


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------
AT_PSI = """
from toki_verify.histories.sessions.verdict import _Judge
real = _Judge._decide
_Judge._decide = lambda self, level: wait() if level == "PSI" and self.prepared.history.size > 3 else real(self, level)
"""


def test_ctrl_c_tells_the_levels_that_are_known(tmp_path: Path) -> None:
    first, second = put(tmp_path, "serial.txt", SERIAL), put(tmp_path, "lost.txt", LOST_UPDATE)
    done = interrupted([str(first), str(second), "-o", "json"], AT_PSI)
    assert (done.code, done.err) == (130, "interrupted\n")
    one, other = json.loads(done.out)
    assert set(one["levels"]["session"].values()) == {True} and "interrupted" not in one
    assert other["levels"]["session"] == dict.fromkeys(("RC", "RA", "CC", "PC"), True) | dict.fromkeys(
        ("PSI", "SI", "SER")
    )
    assert other["interrupted"] is True and other["ok"] is None
    assert other["reasons"] == dict.fromkeys(("session.PSI", "session.SI", "session.SER"), "interrupted")


def test_ctrl_c_keeps_what_follows_from_what_is_known(tmp_path: Path) -> None:
    """A history that is not at PC is not at SI, whatever PSI comes to; and nothing smaller is looked for."""
    done = interrupted([str(put(tmp_path, "skew.txt", LONG_FORK)), "--level", "SI"], AT_PSI)
    assert (done.code, done.err) == (130, "interrupted\n")
    assert "PC ✗  PSI ?  SI ✗  SER ✗" in done.out and "? PSI is undecided: interrupted" in done.out


def test_ctrl_c_while_something_smaller_is_looked_for_or_the_second_file_is_read(tmp_path: Path) -> None:
    first, second = put(tmp_path, "lost.txt", LOST_UPDATE), put(tmp_path, "serial.txt", SERIAL)
    smaller = "from toki_verify.histories import checked\nchecked._smallest = lambda *given: wait()\n"
    done = interrupted([str(first), str(second)], smaller)
    assert (done.code, done.err) == (130, "interrupted; 1 file not checked\n")
    assert "Not PSI" in done.out and "smallest part" not in done.out
    reading = (
        "from toki_verify.histories import one_file\n"
        "real = one_file.read_history\n"
        "one_file.read_history = lambda data, **given: real(data, **given) if 'lost' in given['source'] else wait()\n"
    )
    done = interrupted([str(first), str(second), "-o", "markdown"], reading)
    assert (done.code, done.err) == (130, "interrupted; 1 file not checked\n")
    assert "lost.txt" in done.out and "serial.txt" not in done.out


# -- streams -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("output", ["text", "json", "markdown"])
def test_a_reader_that_goes_away_does_not_change_the_exit_code(tmp_path: Path, output: str) -> None:
    file = put(tmp_path, "lost.txt", LOST_UPDATE)
    command = [sys.executable, "-m", "toki_verify", "check", str(file), "-o", output]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (1, b"")
