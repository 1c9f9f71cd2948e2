"""design: exit codes, every output, what is kept in files, and what is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from toki_verify.cli.exploring import CRASHES, WRITERS
from toki_verify.designs import supervise
from toki_verify.notation import parse_text

MEMORY = """
from toki_verify.designs import Design, Table, commit, judge, read, row, update, writer


class Memory(Design):
    tables = {"facts": Table()}
    isolation = "RC"
    surface = ("current",)

    def setup(self):
        return [row("facts", "m0", subject="alice", predicate="lives_in", object="Lyon", prov="p0")]

    @writer
    def remember(self, me):
        old = yield from read("facts", "m0")
        if (yield from judge((old["object"], me))):
            yield from update("facts", old, object=f"place {me}", prov=f"p{me}")
        yield from commit()
"""
ODD = """
from toki_verify.designs import Design, Table, commit, read, row, update, writer


class Odd(Design):
    title = 'it\\'s "odd" | <b>Ünïcødé 記憶</b> %0A `x`'
    tables = {'fa"cts | 事実': Table()}
    surface = ("current",)

    def setup(self):
        where = {"subject": 'al"ice', "predicate": "lives, in"}
        yield row('fa"cts | 事実', "m'0 \\u202e|`<i>", **where, object="Ly|on\\n<b>", prov="p0")

    @writer
    def remember(self, me):
        old = yield from read('fa"cts | 事実', "m'0 \\u202e|`<i>")
        yield from update('fa"cts | 事実', old, object=f"|{me}\\n# ]]> \\x1b[31m", prov=f"p{me}")
        yield from commit()
"""
FORMS = ["text", "json", "jsonl", "markdown", "github", "sarif", "junit"]


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams are captured in this process, so that the command does not get one of its own."""
    monkeypatch.setattr(supervise, "supervised", lambda command, **_: command())


@pytest.fixture
def memory(tmp_path: Path) -> str:
    file = tmp_path / "memory.py"
    file.write_text(MEMORY, encoding="utf-8")
    return f"{file}:Memory"


@pytest.fixture
def odd(tmp_path: Path) -> str:
    file = tmp_path / "odd.py"
    file.write_text(ODD, encoding="utf-8")
    return f"{file}:Odd"


SMALL = ("--crashes", "0", "--no-repair")

# -- exit codes --------------------------------------------------------------------------------------------------------


def test_without_an_assertion_a_review_is_done(run: Run, memory: str) -> None:
    found = run("design", memory, *SMALL)
    assert (found.code, found.err) == (0, "")
    assert "all runs of 2 writers, 2 votes" in found.out


@pytest.mark.parametrize(
    ("asserted", "code"), [("P0,CB", 0), ("P4", 1), ("p4,p0", 1), (" N3 , P4 ", 1), ("N2[state]", 3)]
)
def test_what_is_asserted_decides_the_exit_code(run: Run, memory: str, asserted: str, code: int) -> None:
    assert run("design", memory, *SMALL, "--assert", asserted).code == code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--assert", "N4"), "N4"),
        (("--assert", "invariant somebody"), "invariant somebody"),
        (("--assert", ","), "cell"),
        (("--only", "N3[contents]"), "did you mean N3[content]"),
        (("--writers", "0"), "--writers is 0"),
        (("--writers", str(WRITERS + 1)), f"expected 1 to {WRITERS}"),
        (("--crashes", str(CRASHES + 1)), f"expected 0 to {CRASHES}"),
        (("--seconds", "0"), "--seconds is 0"),
        (("--seconds", "nan"), "--seconds is nan"),
        (("--jobs", "0"), "--jobs is 0"),
        (("--resume", "/"), "/"),
    ],
)
def test_wrong_usage_is_refused(run: Run, memory: str, arguments: tuple[str, ...], said: str) -> None:
    found = run("design", memory, *SMALL, *arguments)
    assert (found.code, found.out) == (2, "")
    assert said in found.err


@pytest.mark.parametrize(
    "name",
    ["missing.py:Memory", "library:toki", "library:", "nothing", "tests", "json:JSONDecoder", "no.such.module:X"],
)
def test_a_design_that_is_not_there_is_refused(run: Run, name: str) -> None:
    found = run("design", name)
    assert (found.code, found.out) == (2, "")
    assert found.err.count("\n") == 1


def test_a_design_that_raises_is_refused_with_its_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "memory.py"
    file.write_text(MEMORY.replace("if (yield", 'raise KeyError("gone")\n        if (yield'), encoding="utf-8")
    line = file.read_text().split("\n").index('        raise KeyError("gone")') + 1
    found = run("design", f"{file}:Memory")
    assert found.code == 2
    assert f"{file}:{line}: Memory.remember, step 2: " in found.err


def test_a_time_that_is_over_leaves_what_is_open_undecided(run: Run, memory: str) -> None:
    found = run("design", memory, "--seconds", "0.000001")
    assert found.code == 3
    assert "undecided" in found.out
    assert "stopped" in found.out
    data = json.loads(run("design", memory, "--seconds", "0.000001", "-o", "json").out)[0]
    assert "the time was over" in data["stopped"]
    assert {cell["verdict"] for cell in data["cells"].values()} == {"undecided", "undefined"}
    assert run("design", memory, "--seconds", "0.000001", "--assert", "N1").code == 3


def test_a_time_is_kept_on_the_way_to_a_large_bound(run: Run) -> None:
    """Preparing a bound takes time, too."""
    found = run("design", "library:mem0-v2", "--writers", "4", "--seconds", "1", "--no-repair", "-o", "json")
    assert found.code == 3


# -- outputs -----------------------------------------------------------------------------------------------------------
VERDICTS = {"admits", "excludes", "undefined", "undecided"}


def checked(data: dict[str, Any]) -> dict[str, Any]:
    """A design object, as NOTATION has it."""
    assert {"design", "cells"} <= set(data)
    assert isinstance(data["design"], str)
    for name, cell in data["cells"].items():
        assert cell["verdict"] in VERDICTS, name
        if cell["verdict"] == "admits":
            assert {"bound", "schedule", "evidence", "workload"} <= set(cell)
            assert len(cell["schedule"]["events"]) > max(cell["evidence"]["events"], default=0)
        elif cell["verdict"] == "excludes":
            assert cell["bound"]
        else:
            assert cell["note"]
    return data


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_is_as_the_notation_has_it(run: Run, memory: str, form: str) -> None:
    out = run("design", memory, "--crashes", "0", "-o", form).out
    assert (out.count("\n") == 1) is (form == "jsonl")
    data = checked(json.loads(out)[0] if form == "json" else json.loads(out))
    assert data["design"] == "Memory"
    assert data["cells"]["P4"]["verdict"] == "admits"
    repairs = {entry["cell"]: entry["repairs"] for entry in data["repairs"]}
    assert set(repairs) == {
        name for name, cell in data["cells"].items() if cell["verdict"] == "admits" and "@" not in name
    }
    assert {"disciplines", "words", "excludes", "introduces", "cost"} <= set(repairs["P4"][0])


def test_junit_has_a_case_a_cell(run: Run, memory: str) -> None:
    root = ElementTree.fromstring(run("design", memory, *SMALL, "-o", "junit").out)
    cases = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert cases["P4"] == ["failure"]
    assert cases["P0"] == []
    assert cases["N2[state]"] == ["skipped"]
    suite = next(root.iter("testsuite"))
    assert int(suite.get("tests", "")) == len(cases)
    assert int(suite.get("failures", "")) == sum("failure" in tags for tags in cases.values())
    asserted = ElementTree.fromstring(run("design", memory, *SMALL, "-o", "junit", "--assert", "P4,P0").out)
    assert {case.get("name") for case in asserted.iter("testcase")} == {"P4", "P0"}


def test_sarif_points_at_the_write_path(run: Run, memory: str) -> None:
    data = json.loads(run("design", memory, *SMALL, "-o", "sarif", "--assert", "P4,P0").out)
    assert (data["version"], len(data["runs"])) == ("2.1.0", 1)
    rules = data["runs"][0]["tool"]["driver"]["rules"]
    result = data["runs"][0]["results"][0]
    assert (len(data["runs"][0]["results"]), result["level"], result["ruleId"]) == (1, "error", "P4")
    assert rules[result["ruleIndex"]]["id"] == "P4"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("memory.py")
    assert "@writer" in MEMORY.split("\n")[place["region"]["startLine"] - 1]


def test_github_says_errors_for_what_is_asserted(run: Run, memory: str) -> None:
    lines = run("design", memory, *SMALL, "-o", "github", "--assert", "P4,P0,N2[state]").out.splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::error", "::warning"]
    assert "title=Memory admits P4" in lines[0]
    plain = run("design", memory, *SMALL, "-o", "github").out.splitlines()
    assert plain and all(line.startswith("::warning ") for line in plain)


def test_markdown_is_one_table(run: Run, memory: str) -> None:
    out = run("design", memory, "--crashes", "0", "-o", "markdown").out
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in rows}) == 1
    repaired = re.compile(r"\| P4 \| \*\*admits\*\* \| `.*` \| (expected version|raise to \w+|SR@[^|]+) \|")
    assert any(map(repaired.fullmatch, rows))


def test_only_decides_some_cells(run: Run, memory: str) -> None:
    data = json.loads(run("design", memory, *SMALL, "--only", "p4,N3", "--assert", "P0", "-o", "json").out)[0]
    assert set(data["cells"]) == {"P4", "N3", "P0"}
    found = run("design", memory, *SMALL, "--only", "P4")
    assert "by facet" not in found.out
    assert "in short" in found.out


@pytest.mark.parametrize("form", FORMS)
def test_odd_names_break_no_output(run: Run, odd: str, form: str) -> None:
    found = run("design", odd, "--crashes", "0", "-o", form)
    assert (found.code, found.err) == (0, "")
    out = found.out
    assert "\x1b" not in out
    assert "\u202e" not in out or form in ("json", "jsonl", "sarif")  # data keeps what there is
    assert "記憶" in out or form == "sarif"
    if form in ("json", "sarif"):
        json.loads(out)
    elif form == "jsonl":
        assert out.count("\n") == 1 and checked(json.loads(out))
    elif form == "junit":
        assert ElementTree.fromstring(out).tag == "testsuites"
    elif form == "github":
        assert all(line.startswith(("::error ", "::warning ")) for line in out.splitlines())
    elif form == "markdown":
        rows = [line for line in out.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in rows}) == 1
        assert len(rows) == len(out.splitlines()) - 2


def test_odd_names_are_kept_and_read_back(run: Run, odd: str, tmp_path: Path) -> None:
    file = tmp_path / "found.sched"
    assert run("design", odd, *SMALL, "--save", str(file)).code == 0
    assert {item.table for schedule in parse_text(file.read_text(encoding="utf-8")) for item in schedule.init} == {
        'fa"cts | 事実'
    }
    assert run("check", str(file)).code == 0


def test_saved_runs_meet_their_expectations(run: Run, memory: str, tmp_path: Path) -> None:
    file = tmp_path / "found.sched"
    assert run("design", memory, *SMALL, "--save", str(file)).code == 0
    names = {name for schedule in parse_text(file.read_text()) for one in schedule.expect for name in one.names}
    assert {"P4", "N3"} <= names
    assert run("check", str(file)).code == 0
    directory = tmp_path / "runs"
    directory.mkdir()
    assert run("design", memory, *SMALL, "--save", str(directory)).code == 0
    assert sum(len(parse_text(one.read_text())) for one in directory.iterdir()) == len(parse_text(file.read_text()))
    refused = run("design", memory, *SMALL, "--save", str(tmp_path / "memory.py" / "where.sched"))
    assert refused.code == 2
    assert "where.sched" in refused.err


def test_help_has_examples_and_exit_codes(run: Run) -> None:
    for command in ("design", "designs"):
        found = run(command, "--help")
        assert found.code == 0
        assert "examples:" in found.out and "exit codes:" in found.out
        assert f"toki-verify {command} " in found.out


# -- checkpoints -------------------------------------------------------------------------------------------------------


def test_an_exploration_is_kept_and_goes_on(run: Run, memory: str, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    first = run("design", memory, *SMALL, "--resume", str(file), "-o", "json")
    assert first.code == 0
    text = file.read_text()
    lines = text.splitlines()
    file.write_text("\n".join(lines[:-3]) + "\n" + lines[-3][:17])
    assert run("design", memory, *SMALL, "--resume", str(file), "-o", "json").out == first.out
    assert sorted(file.read_text().splitlines()) == sorted(lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [("schedule x\n", ":1: no JSON"), ('{"format": "other"}\n', ":1: no checkpoint"), ("\x00\xff", "no JSON")],
)
def test_what_is_no_checkpoint_is_refused(run: Run, memory: str, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(text)
    found = run("design", memory, *SMALL, "--resume", str(file))
    assert (found.code, found.out) == (2, "")
    assert str(file) in found.err and said in found.err
    assert file.read_text() == text


def test_a_checkpoint_of_another_text_of_the_design_is_refused(run: Run, memory: str, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    assert run("design", memory, *SMALL, "--resume", str(file)).code == 0
    (tmp_path / "memory.py").write_text(MEMORY.replace("Lyon", "Lille"))
    found = run("design", memory, *SMALL, "--resume", str(file))
    assert found.code == 2
    assert "another design" in found.err
    assert run("design", memory, *SMALL, "--resume", str(tmp_path / "bytes")).code == 0
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    found = run("design", memory, *SMALL, "--resume", str(tmp_path / "bytes"))
    assert found.code == 2
    assert "bytes" in found.err


# -- in a process of its own -------------------------------------------------------------------------------------------


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "toki_verify", *arguments], capture_output=True, text=True, timeout=120, **options
    )


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a process writes on a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {**{name: value for name, value in os.environ.items() if name != "NO_COLOR"}, "TERM": "xterm", **environment}
    with subprocess.Popen([sys.executable, "-m", "toki_verify", *arguments], stdout=theirs, stderr=theirs, env=env):
        os.close(theirs)
        found = b""
        while True:
            try:
                piece = os.read(ours, 65_536)
            except OSError:  # Linux says so where the other end is closed
                piece = b""
            if not piece:
                break
            found += piece
    os.close(ours)
    return found.decode()


def test_a_terminal_has_colours_unless_they_are_not_wanted(memory: str) -> None:
    assert "\x1b[" in on_a_terminal("design", memory, *SMALL)
    assert "\x1b[" not in on_a_terminal("design", memory, *SMALL, NO_COLOR="1")


def test_a_version_imports_no_designs() -> None:
    code = "import sys; from toki_verify.cli.main import main; main(['--version']); print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.startswith("toki-verify")
    assert not [name for name in found.stdout.split() if name.startswith("toki_verify.designs")]


@pytest.mark.heavy
def test_a_design_that_hangs_ends_with_a_message(tmp_path: Path) -> None:
    file = tmp_path / "memory.py"
    hang = "import itertools\n" + MEMORY.replace("if (yield", "sum(itertools.count())\n        if (yield")
    file.write_text(hang, encoding="utf-8")
    found = process("design", f"{file}:Memory")
    assert (found.returncode, found.stdout) == (2, "")
    assert "memory.py" in found.stderr and "Traceback" not in found.stderr


def test_a_reader_that_goes_away_is_no_error(memory: str) -> None:
    command = f"{sys.executable} -m toki_verify design {memory} --crashes 0 --no-repair -o json | head -c 10"
    found = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stderr) == (0, "")
    assert len(found.stdout) == 10
