"""`check` on large traces: judged as small ones are, every output, every option, Ctrl-C, the bar."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from tests.agreement.random_schedules import random_schedule
from toki_verify.cli.kinds import Kind, look_at
from toki_verify.events.limits import EVENTS
from toki_verify.jsonform import schedule_object, trace_objects
from toki_verify.notation import parse_text

from .conftest import Run
from .interrupts import interrupted


def event(op: str, txn: str, item: str | None = None, version: str | None = None, **more: object) -> str:
    named = {"item": item, "version": version}
    return json.dumps({"op": op, "txn": txn, **{key: one for key, one in named.items() if one is not None}, **more})


LOST = [
    event("r", "u", "z", "0"),
    event("r", "v", "z", "0"),
    event("w", "v", "z", "1"),
    event("c", "v"),
    event("w", "u", "z", "2"),
    event("c", "u"),
]
SKEW = [
    event("r", "u", "y", "0"),
    event("r", "v", "x", "0"),
    event("w", "u", "x", "1"),
    event("w", "v", "y", "1"),
    event("c", "u"),
    event("c", "v"),
]
CALM = [event("w", "n", "k", "1"), event("c", "n")]


def large(place: Path, *last: str, name: str = "large.jsonl") -> Path:
    """A trace of more events than a schedule may have, of which only these last ones are no serial run."""
    lines: list[str] = []
    for number in range(EVENTS // 2 + 1):
        lines += [event("w", f"n{number}", "k", str(number + 1), table="calm"), event("c", f"n{number}")]
    file = place / name
    file.write_text("".join(f"{line}\n" for line in (*lines, *last)), encoding="utf-8")
    return file


def put(place: Path, name: str, *lines: str) -> Path:
    file = place / name
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


@pytest.fixture
def columnar(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every trace is a large one."""
    monkeypatch.setattr("toki_verify.cli.kinds.EVENTS", 0)
    return monkeypatch


def test_a_large_trace_may_be_packed_or_come_from_standard_input(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, *LOST)
    data = Path(file).read_bytes()
    whole = run("check", file, "-o", "json")
    for name, stdin, code in (
        (str(tmp_path / "packed.jsonl.gz"), b"", whole.code),
        ("-", data, whole.code),
        ("-", gzip.compress(data), whole.code),
        (str(tmp_path / "cut.jsonl.gz"), b"", 2),
    ):
        (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(data))
        (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(data)[:-20])
        found = run("check", name, "-o", "json", stdin=stdin)
        assert found.code == code
        shown = "<stdin>" if name == "-" else name
        if code == 2:
            assert f"{shown}:1:1: error: a gzip file that is cut off; expected a whole one" in found.err
        else:
            assert found.out == whole.out.replace(json.dumps(str(file)), json.dumps(shown))


def test_a_large_trace_beside_a_schedule_is_refused_with_the_way_out(tmp_path: Path, run: Run) -> None:
    large(tmp_path, *LOST)
    put(tmp_path, "one.sched", "r1[x0] c1")
    found = run("check", tmp_path)
    assert found.code == 2 and "check them apart: toki-verify check" in found.err


def test_small_inputs_from_standard_input_are_told_apart(run: Run) -> None:
    assert "session levels" in run("check", "-", stdin=b"r(1,0,0,1)\nw(1,2,0,1)\n").out
    assert run("check", "-", stdin=b"r1[x0] w1[x1] c1").code == 0
    assert run("check", "-", stdin=b"").code == 2


@pytest.mark.parametrize(
    "option",
    [("--seconds", "3"), ("--real-time",), ("--initial", "nil"), ("--skip-bad",), ("--timestamps",), ("--jobs", "2")],
)
def test_what_is_for_histories_is_refused_of_schedules(option: tuple[str, ...], run: Run) -> None:
    found = run("check", "-e", "r1[x0] c1", *option)
    assert (found.code, found.out) == (2, "") and f"{option[0]} is for histories" in found.err


# -- judged as small ones are ------------------------------------------------------------------------------------------
ASKED = (
    (),
    ("--level", "SI"),
    ("--level", "adya:PL-2+", "--no", "N1"),
    ("--level", "RC+SR@memories"),
    ("--level", "RU+SI@partition(s,p)+cb", "--no", "lost update"),
    ("--level", "RR", "--family", "berenson"),
    ("--no", "P2[broad]", "--no", "N1"),
)


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_a_trace_is_judged_alike_by_both_readings(
    tmp_path: Path, run: Run, columnar: pytest.MonkeyPatch, asked: tuple[str, ...]
) -> None:
    files = []
    for seed in range(12):
        lines = [json.dumps(one) for one in trace_objects(random_schedule(seed))]
        files.append(put(tmp_path, f"{seed}.jsonl", *lines))
    by_columns = json.loads(run("check", *files, *asked, "-o", "json").out)
    codes = [run("check", file, *asked).code for file in files]
    columnar.undo()
    by_objects = json.loads(run("check", *files, *asked, "-o", "json").out)
    assert codes == [run("check", file, *asked).code for file in files]
    assert {0, 1} <= set(codes)
    for one, other in zip(by_columns, by_objects, strict=True):
        assert one["format"] == "toki-trace/1" and other["format"] == "toki-schedule/1"
        assert one["expected"]["failed"] == other.get("expected", {}).get("failed", [])
        assert one.get("warnings", []) == [text for text in other.get("warnings", []) if not text.startswith("event ")]
        assert {name: one["phenomena"][name]["present"] for name in one["phenomena"]} == {
            name: found["present"] for name, found in other["phenomena"].items()
        }
        assert (one["levels"], one["maximal_levels"]) == (other["levels"], other["maximal_levels"])
        assert one.get("reasons") == other.get("reasons")
        assert [one.get("declared", {}).get(key) for key in ("level", "holds")] == [
            other.get("declared", {}).get(key) for key in ("level", "holds")
        ]


def test_lines_of_schedules_are_no_large_trace(tmp_path: Path, run: Run) -> None:
    """A line that is a schedule may expect something, and that is judged."""
    [schedule] = parse_text("schedule one\n  r1[x0] r2[x0] w2[x1] c2 w1[x2] c1\n  expect not P4\n")
    line = json.dumps(schedule_object(schedule))
    done = run("check", put(tmp_path, "one.jsonl", line, *[""] * EVENTS, " " * 20 * EVENTS))
    assert (done.code, "expect not P4" in done.out) == (1, True)


def test_a_last_line_without_an_end_counts(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path)
    lines = [*file.read_text(encoding="utf-8").splitlines()[: EVENTS - 1], event("b", "last"), event("c", "last")]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert run("check", file).code == 0
    assert [one.kind for one in look_at([str(file)])] == [Kind.LARGE]
    file.write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")
    assert [one.kind for one in look_at([str(file)])] == [Kind.TRACE]


def test_small_traces_beside_a_large_one_are_read_as_it_is(tmp_path: Path, run: Run) -> None:
    small, big = put(tmp_path, "small.jsonl", *LOST), large(tmp_path)
    done = run("check", small, big, tmp_path / "missing.jsonl", "-o", "jsonl")
    one, other = map(json.loads, done.out.splitlines())
    assert (done.code, one["format"], one["phenomena"]["P4"]["present"], other["expected"]["ok"]) == (
        2,
        "toki-trace/1",
        True,
        True,
    )
    assert "missing.jsonl" in done.err and "expected a readable file" in done.err
    written = put(tmp_path, "one.sched", "schedule one", "  r1[x0] c1")
    done = run("check", written, big)
    assert (done.code, f"check them apart: toki-verify check {big}\n" in done.err) == (2, True)


# -- outputs -----------------------------------------------------------------------------------------------------------
def test_every_output_says_it(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, *LOST)
    at = EVENTS + 2 + 5
    found = run("check", file, "-o", "github")
    assert (found.code, found.out.split(",title=")[0]) == (1, f"::error file={file},line={at}")
    assert "P4 lost update" in found.out and found.err == ""
    log = json.loads(run("check", file, "-o", "sarif").out)["runs"][0]
    [result] = log["results"]
    assert log["tool"]["driver"]["rules"][result["ruleIndex"]]["shortDescription"]["text"] == "lost update"
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    places = [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps]
    assert places == [at - 4, at - 2, at] and result["ruleId"] == "P4"
    suite = Xml.fromstring(run("check", file, "-o", "junit").out.encode()).find("testsuite")
    assert suite is not None and (suite.get("failures"), suite.get("tests")) == ("1", "1")
    assert "| **not** | P4 lost update" in run("check", file, "-o", "markdown").out


def test_what_is_asked_is_a_case_and_the_rest_a_note(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, *LOST, event("r", "open", "z", "2"))
    asked = ("--level", "SI", "--no", "N2", "--no", "P4")
    suite = Xml.fromstring(run("check", file, *asked, "-o", "junit").out.encode()).find("testsuite")
    assert suite is not None
    assert [(case.get("name"), case.find("failure") is None) for case in suite] == [
        ("level graph:SI", False),
        ("no N2", True),
        ("no P4", False),
    ]
    assert "Topen has neither commit nor abort" in (suite[0].findtext("system-out") or "")
    said = run("check", file, "--level", "SI", "-o", "github").out
    assert said.count("::error") == 1 and "title=not level graph%3ASI%3A P4 lost update" in said
    assert said.count("::warning") == 1
    levels = [
        one["level"] for one in json.loads(run("check", file, "--level", "SI", "-o", "sarif").out)["runs"][0]["results"]
    ]
    assert levels == ["error", "warning", "note"]


def test_an_undecided_trace_is_skipped(tmp_path: Path, run: Run, columnar: pytest.MonkeyPatch) -> None:
    file = put(
        tmp_path, "votes.jsonl", *(event("j", txn, R="R", theta="t") for txn in "ab"), event("c", "a"), event("c", "b")
    )
    done = run("check", file, "-o", "junit")
    case = Xml.fromstring(done.out.encode()).find("testsuite/testcase/skipped")
    assert done.code == 3 and case is not None and "N1 undecided" in (case.get("message") or "")
    assert "::warning" in run("check", file, "-o", "github").out
    assert "? N1 is undecided" in run("check", file).out
    assert "N1 undecided" in run("check", file, "-o", "markdown").out
    assert "N1" in json.loads(run("check", file, "-o", "json").out)[0]["reasons"]


def test_a_trace_that_cannot_be_read_is_an_error_of_each_output(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, event("r", "z", "x", "7"))
    done = run("check", file, "-o", "github")
    assert (done.code, done.out.startswith("::error file="), done.err) == (2, True, "")
    log = json.loads(run("check", file, "-o", "sarif").out)["runs"][0]["invocations"][0]
    assert log["executionSuccessful"] is False and len(log["toolExecutionNotifications"]) == 1
    root = Xml.fromstring(run("check", file, "-o", "junit").out.encode())
    assert root.get("errors") == "1" and root.find("testsuite/testcase/error") is not None
    assert f"- {file}" in run("check", file, "-o", "markdown").out


def test_quiet_says_only_what_is_not_as_expected(tmp_path: Path, run: Run) -> None:
    good, bad = large(tmp_path, event("r", "open", "k", "1", table="calm"), name="good.jsonl"), large(tmp_path, *LOST)
    done = run("check", good, bad, "-q")
    assert done.code == 1 and str(good) not in done.out and done.out.startswith(f"✗ {bad}")
    assert done.err.startswith(f"{good}: warning: Topen has neither")
    assert str(good) in run("check", good, bad).out


def test_evidence_is_what_refutes_a_level(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, *LOST)
    [found] = json.loads(run("check", file, "-o", "json", "--evidence").out)
    levels = found["levels"]
    assert levels["graph"]["RC"] == {"holds": True, "absent": ["P0", "P1"]}
    assert levels["adya"]["PL-2+"]["phenomenon"] == "G-single"
    assert levels["graph"]["SI"]["evidence"]["lines"] == [EVENTS + 3, EVENTS + 5, EVENTS + 7]
    assert levels["graph"]["SI"]["evidence"]["schedule"] == "rTu[z0] wTv[z1] cTv wTu[z2] cTu"
    assert all(
        found["holds"] is (name in ("RU", "RC", "RC[G]", "cb")) and ("evidence" in found) is not found["holds"]
        for name, found in levels["graph"].items()
    )


def test_what_shows_a_level_is_verified_and_forgeries_are_not(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, *SKEW)
    made = run("check", file, "-o", "json", "--evidence")
    [found] = json.loads(made.out)
    assert found["levels"]["graph"]["SI"] == {"holds": True, "shown_by": "timestamps", "absent": ["P0", "P1"]}
    assert "serial_order" not in found and found["timestamps"]["u"][1] > found["timestamps"]["u"][0]
    report = tmp_path / "report.json"
    report.write_text(made.out, encoding="utf-8")
    done = run("verify-evidence", file, report)
    assert done.code == 0 and done.out.startswith("✓ graph SI, graph SI[G], adya PL-SI, engine SI  shown by the times")
    for name, times in (("u", [0, 1]), ("u", found["timestamps"]["v"]), ("nobody", [1, 2])):
        forged = json.dumps([found | {"timestamps": found["timestamps"] | {name: times}}])
        report.write_text(forged, encoding="utf-8")
        done = run("verify-evidence", file, report)
        assert done.code == 1 and "not shown by the timestamps" in done.out, name
    said = found["levels"]
    for family, level, claim in (
        ("graph", "SR", True),
        ("graph", "SR", {"holds": True}),
        ("adya", "PL-3", {"holds": True, "shown_by": "timestamps"}),
        ("session", "SER", {"holds": True, "shown_by": "serial_order"}),
        ("graph", "SI", {"holds": True}),
    ):
        forged = found | {"levels": said | {family: said[family] | {level: claim}}}
        report.write_text(json.dumps(forged), encoding="utf-8")
        assert run("verify-evidence", file, report).code == 2, (family, level, claim)
    for wrong in ({"timestamps": {"u": [1]}}, {"timestamps": None}, {"levels": {}}, {"levels": None}):
        report.write_text(json.dumps(found | wrong), encoding="utf-8")
        assert run("verify-evidence", file, report).code == 2, wrong
    report.write_text(made.out, encoding="utf-8")
    assert "--real-time is for histories" in run("verify-evidence", file, report, "--real-time").err


# -- options -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--initial", "zero"), "--initial is for histories"),
        (("--seconds", "3"), "--seconds is for histories"),
        (("--real-time",), "--real-time is for histories"),
        (("--no-smallest",), "--no-smallest is for histories"),
        (("--version-order", "timestamps"), "--version-order is for histories"),
        (("--timestamps",), "--timestamps is for histories"),
        (("--levels", "mine.levels"), "--levels is for schedules and traces of up to 5000 events"),
        (("--family", "postgres"), "unknown family 'postgres'"),
        (("--family", "nothing", "--level", "graph:SI"), "unknown family 'nothing'"),
        (("--level", "user:mine"), "unknown family 'user'"),
        (("--level", "SI+"), "unknown level"),
        (("--level", "SI@"), "expected a table"),
        (("--no", "P9"), "P9"),
        (("--limit", "-1"), "--limit is -1, expected 0 or more"),
        (("--format", "plume"), "expected `r` or `w`"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_a_large_trace_cannot_be_asked_is_refused(
    tmp_path: Path, run: Run, option: tuple[str, ...], said: str
) -> None:
    done = run("check", large(tmp_path), *option)
    assert (done.code, done.out, said in done.err) == (2, "", True), done.err


def test_a_family_is_that_of_a_bare_level(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, *LOST)
    assert "✗ level adya:PL-SI" in run("check", file, "--family", "adya", "--level", "PL-SI").out
    assert run("check", file, "--family", "berenson", "--level", "RC", "-v").code == 0


def test_a_level_is_pinned_to_a_table(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, *LOST)
    assert run("check", file, "--level", "RC+SR@calm").code == 0
    done = run("check", file, "--level", "RC+SR@facts")
    assert (done.code, "✗ level graph:RC+SR@facts: the schedule is not at this level" in done.out) == (1, True)
    assert "Not graph:RC+SR@facts: the transactions under P4 refute it" in done.out
    assert "the pin @calms covers no access of this schedule" in run("check", file, "--level", "RC+SR@calms").out


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------
IN_A_PHENOMENON = """
import toki_verify.histories.columnar.decide
from toki_verify.histories.columnar.reading import PHENOMENA
PHENOMENA["G2-item"] = lambda reading: wait()
"""


def test_ctrl_c_tells_what_is_known_of_a_trace_and_of_the_files_before(tmp_path: Path) -> None:
    first, second = large(tmp_path, name="first.jsonl"), large(tmp_path, *LOST)
    third = large(tmp_path, name="third.jsonl")
    patch = IN_A_PHENOMENON.replace("wait()", "wait() if reading.trace.source.endswith('large.jsonl') else None")
    done = interrupted([str(first), str(second), str(third), "-o", "json"], patch)
    assert (done.code, done.err) == (130, "interrupted; 1 file not checked\n")
    one, other = json.loads(done.out)
    assert "interrupted" not in one and one["expected"]["ok"] is True
    assert other["interrupted"] is True and other["expected"] == {"ok": False, "failed": []}
    known = {name for name, found in other["phenomena"].items() if found["present"] is not None}
    assert "P4" in known and "G2-item" not in known
    assert other["phenomena"]["P4"]["evidence"]["lines"] == [EVENTS + 3, EVENTS + 5, EVENTS + 7]
    assert {holds for family in other["levels"].values() for holds in family.values()} == {None}
    assert set(other["reasons"].values()) == {"interrupted"} and "graph.SI" in other["reasons"]


def test_ctrl_c_while_a_trace_is_read_or_explained(tmp_path: Path) -> None:
    file = large(tmp_path, *LOST)
    reading = "from toki_verify.histories.readers import lines_table as table\ntable.scan = lambda *given: wait()\n"
    done = interrupted([str(file), "-o", "json"], reading)
    assert (done.code, done.out, done.err) == (130, "[]\n", "interrupted; 1 file not checked\n")
    explaining = "from toki_verify.histories import checked_trace\nchecked_trace.part_of = lambda *given: wait()\n"
    done = interrupted([str(file)], explaining)
    assert (done.code, done.err) == (130, "interrupted\n")
    assert "interrupted: every phenomenon and level is decided, and not everything is explained" in done.out
    assert "P4  lost update" in done.out and "graph RC; " in done.out
