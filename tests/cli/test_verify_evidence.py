"""`verify-evidence` on reports that somebody forged or broke, and what is printed of names that somebody chose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toki_verify.cli import evidence_report, verify_evidence

from .conftest import Outcome, Run
from .test_histories import LOST_UPDATE, SERIAL, put
from .test_traces import SKEW, large

#: A colour, the same as one character, what reorders text, and what breaks a line.
CONTROLS = "\x1b[31m\u009b2J\u202e\n\u2028"


def is_plain(done: Outcome) -> bool:
    """Whether nothing printed has a character that hides, reorders or breaks text; line ends are ours."""
    return not set("\x1b\u009b\u202e\u2028\r\x07\0") & set(done.out + done.err)


def report_of(run: Run, file: Path, *options: str) -> dict[str, Any]:
    """What `check --evidence` says of a history."""
    [found] = json.loads(run("check", file, "--evidence", "-o", "json", *options).out)
    assert isinstance(found, dict)
    return found


# -- what cannot be checked --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [SERIAL, "w 1 0\n-----\nr 1 0\n-----\n"], ids=["plume", "awdit"])
def test_real_time_is_refused_where_a_format_has_no_times(tmp_path: Path, run: Run, text: str) -> None:
    file = put(tmp_path, "h.txt", text)
    report = put(tmp_path, "report.json", json.dumps(report_of(run, file)))
    assert run("verify-evidence", file, report).code == 0
    done, checked = run("verify-evidence", file, report, "--real-time"), run("check", file, "--real-time")
    assert (done.code, done.out, done.err) == (2, "", checked.err)
    assert "does not say when transactions began and ended" in done.err


def test_real_time_is_checked_where_a_format_has_times(tmp_path: Path, run: Run) -> None:
    """A writer that ends before another reads what it replaced: at every level, and not with real time."""
    stale = "".join(
        f"{{:type {kind} :f :txn :process {who} :value [{seen if kind == ':ok' else asked}]}}\n"
        for who, asked, seen in ((0, "[:w 1 1]", "[:w 1 1]"), (1, "[:r 1 nil]", "[:r 1 nil]"))
        for kind in (":invoke", ":ok")
    )
    file = put(tmp_path, "h.edn", stale)
    report = put(tmp_path, "report.json", json.dumps(report_of(run, file)))
    assert run("verify-evidence", file, report).code == 0
    done = run("verify-evidence", file, report, "--real-time")
    assert (done.code, "✗ SER" in done.out) == (1, True)


# -- names that somebody chose -----------------------------------------------------------------------------------------
def hostile(place: Path) -> Path:
    """A lost update whose key, values and session are called what a terminal would obey."""
    key = json.dumps(f"k{CONTROLS}")
    ops = [f"[:w {key} 1]", f"[:r {key} 1] [:w {key} 2]", f"[:r {key} 1] [:w {key} {json.dumps(CONTROLS)}]"]
    lines = [
        f"{{:type {kind} :f :txn :process {who} :value [{value}]}}\n"
        for kinds in ((":invoke", ":ok"),)
        for who, value in enumerate(ops)
        for kind in kinds
    ]
    return put(place, "h.edn", "".join(lines))


def test_names_of_a_history_and_of_a_report_are_written_out(tmp_path: Path, run: Run) -> None:
    file = hostile(tmp_path)
    found = report_of(run, file)
    levels = found["levels"]["session"]
    assert levels["SI"] == {"holds": False}
    order = levels["PC"]["commit_order"]
    for level, said, code, named in (
        ("SI", {"holds": True, "commit_order": order}, 1, True),  # the key is named
        ("PC", {"holds": True, "commit_order": [*order, f"T{CONTROLS}"]}, 1, True),  # a transaction of the report is
        (f"SER{CONTROLS}", False, 2, True),
        ("PC", {"holds": CONTROLS}, 2, False),
        ("SI", {"holds": True, CONTROLS: order}, 2, False),
        ("PC", levels["PC"], 0, False),
    ):
        forged = found | {"levels": {"session": levels | {level: said}}}
        done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(forged)))
        assert (done.code, is_plain(done), "\\u009b2J\\u202e" in done.out + done.err) == (code, True, named), said
        assert len(done.out.splitlines()) == (0 if code == 2 else 7)
    done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(found | {"file": CONTROLS})))
    assert is_plain(done) and "\\u009b2J\\u202e" in done.err
    done = run("verify-evidence", file, "--own-timestamps")
    assert is_plain(done) and "overlap" not in done.out and done.code == 1
    assert "\\u001b[31m" in done.out


@pytest.mark.parametrize(
    "given",
    [
        ("check", "FILE", "--level", CONTROLS),
        ("check", "FILE", "--format", CONTROLS),
        ("verify-evidence", "FILE", CONTROLS),
        ("verify-evidence", "FILE", "REPORT", "--format", CONTROLS),
        ("verify-evidence", "FILE", "REPORT", "--version-order", CONTROLS),
        ("verify-evidence", CONTROLS, "--own-timestamps"),
        ("convert", "FILE", "--to", CONTROLS),
        ("convert", "FILE", "--to", "plume"),
        ("convert", CONTROLS, "--to", "plume"),
    ],
    ids=" ".join,
)
def test_what_was_typed_and_what_is_refused_are_written_out(tmp_path: Path, run: Run, given: tuple[str, ...]) -> None:
    file = hostile(tmp_path)
    report = put(tmp_path, "report.json", json.dumps(report_of(run, file)))
    done = run(*({"FILE": str(file), "REPORT": str(report)}.get(one, one) for one in given))
    assert done.code == 2 and is_plain(done) and "\\u009b2J\\u202e" in done.err, done


# -- claims without evidence -------------------------------------------------------------------------------------------
MALFORMED: tuple[object, ...] = (
    1,
    "yes",
    [True],
    {},
    {"holds": 1},
    {"holds": "true"},
    {"holds": 0},
    {"serial_order": ["0"]},
    True,
    {"holds": True},
    {"holds": True, "serial_order": "0"},
    {"holds": True, "serial_order": ["1", "2"], "commit_order": ["2", "1"]},
    {"holds": True, "serial_order": ["1", "2"], "timestamps": {"1": [1, 2]}},
)


@pytest.mark.parametrize("said", MALFORMED, ids=json.dumps)
def test_a_claim_that_is_malformed_or_shown_by_nothing_is_refused(tmp_path: Path, run: Run, said: object) -> None:
    file = put(tmp_path, "h.txt", SERIAL)
    found = report_of(run, file)
    found["levels"]["session"]["SER"] = said
    report = put(tmp_path, "report.json", json.dumps([found], indent=1))
    done = run("verify-evidence", file, report)
    line = next(n for n, row in enumerate(report.read_text("utf-8").splitlines(), 1) if '"SER"' in row)
    assert (done.code, done.out) == (2, "") and "; expected " in done.err
    number = int(done.err.removeprefix(f"{report}:").split(":")[0])
    assert line <= number <= line + 9, done.err


def test_levels_of_other_families_are_no_levels_of_histories(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.txt", SERIAL)
    found = report_of(run, file)
    wrongs: tuple[dict[str, object], ...] = ({"adya": {"PL-3": True}}, {"session": {"PL-3": False}}, {"graph": []})
    for levels in wrongs:
        forged = found | {"levels": found["levels"] | levels}
        done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(forged)))
        assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize("said", [False, None, {"holds": False}, {"holds": None}, ...], ids=str)
def test_a_level_that_is_not_claimed_is_listed_as_such(tmp_path: Path, run: Run, said: object) -> None:
    file = put(tmp_path, "h.txt", SERIAL)
    found = report_of(run, file)
    levels = found["levels"]["session"]
    if said is ...:
        del levels["SER"]
    else:
        levels["SER"] = said
    done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(found)))
    assert (done.code, done.out.count("✓"), done.out.splitlines()[-1]) == (0, 6, "– SER  not claimed")


def test_the_report_on_another_file_is_warned_of(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.txt", SERIAL)
    found = report_of(run, file)
    for name, warned in (("h.txt", False), ("elsewhere/h.txt", False), ("<stdin>", False), ("other.txt", True)):
        report = put(tmp_path, "report.json", json.dumps(found | {"file": name}))
        done = run("verify-evidence", file, report)
        said = f"toki-verify verify-evidence: warning: the report is on {name}, and this is {file}\n" if warned else ""
        assert (done.code, done.err) == (0, said)
    two = json.dumps([found | {"file": "other.txt"}, found | {"file": "elsewhere/h.txt"}])
    done = run("verify-evidence", file, put(tmp_path, "report.json", two))
    assert (done.code, done.err) == (0, "")


def test_claims_on_a_large_trace_are_as_strict(tmp_path: Path, run: Run) -> None:
    file = large(tmp_path, *SKEW)
    [found] = json.loads(run("check", file, "-o", "json", "--evidence").out)
    report = put(tmp_path, "report.json", json.dumps(found | {"file": "another.jsonl"}))
    done = run("verify-evidence", file, report)
    assert done.code == 0 and "warning: the report is on another.jsonl" in done.err
    last = done.out.splitlines()[-1]
    assert last.startswith("– ") and "graph SR" in last and last.endswith("  not claimed")
    assert "graph SI" not in last and "graph RC" not in last
    levels = found["levels"]
    for family, level, said in (
        ("graph", "SR", {"holds": 1, "shown_by": "serial_order"}),
        ("graph", "SR", "yes"),
        ("graph", "XX", True),
        ("mine", "SR", False),
        ("graph", "RC", {"holds": "true"}),
    ):
        forged = found | {"levels": levels | {family: levels.get(family, {}) | {level: said}}}
        done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(forged)))
        assert (done.code, done.out) == (2, "") and f"{report}:1:" in done.err, (family, level, said)
    times = found["timestamps"] | {f"T{CONTROLS}": [1, 2]}
    done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(found | {"timestamps": times})))
    assert done.code == 1 and is_plain(done) and "no transaction T\\u001b[31m" in done.out


# -- reports that are none ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1: error: the end of the text where a JSON value should stand; expected a JSON value"),
        (
            '{"history": {},\n "levels": {"session": {"RC": false, "RC": true}}}',
            "2:38: error: the key 'RC' stands twice",
        ),
        ('{"history": {}\n "levels": 1}', """2:2: error: '"levels": 1}'; expected "," or "}\""""),
        ("[" * 100_000, "error: JSON nested more than "),
        ('{"a":' * 100_000, "error: JSON nested more than "),
        ("[1] 2", "1:5: error: '2' after the end of the JSON value; expected nothing more"),
        ("[NaN]", "1:2: error: 'NaN]' where a JSON value should stand"),
        (f"[{'9' * 10_000}]", "1:2: error: a number of 10000 characters"),
        ("[]", "1:1: error: 0 reports on "),
        ('\n\n{"history": {}, "levels": [1]}', "3:27: error: levels that are no object"),
        ('{"history": {}, "levels": {"session": {"RC": {"holds": 1}}}}', "1:56: error: RC is neither said to hold nor"),
    ],
    ids=range(11),
)
def test_a_fault_of_a_report_is_named_with_its_place(tmp_path: Path, run: Run, text: str, said: str) -> None:
    report = put(tmp_path, "report.json", text)
    done = run("verify-evidence", put(tmp_path, "h.txt", LOST_UPDATE), report)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"{report}:") and said in done.err, done.err


def test_bytes_that_are_no_text_and_a_report_that_is_not_there_are_named(tmp_path: Path, run: Run) -> None:
    report = tmp_path / "report.json"
    report.write_bytes(b'[\n "\xff"]')
    file = put(tmp_path, "h.txt", LOST_UPDATE)
    assert f"{report}:2:3: error: the byte 0xff, which is not UTF-8" in run("verify-evidence", file, report).err
    done = run("verify-evidence", file, tmp_path / "nowhere.json")
    assert done.code == 2 and f"{tmp_path / 'nowhere.json'}: error: no such file" in done.err


def test_a_fault_of_a_very_large_report_is_named_as_far_as_it_is_known(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_report, "_PLACES", 0)
    file, report = put(tmp_path, "h.txt", LOST_UPDATE), tmp_path / "report.json"
    for text, said in (
        ("[\n {]", ":2:3: error: no JSON (Expecting property name enclosed in double quotes); expected the JSON of"),
        ("[" * 100_000, ": error: JSON that is nested too deeply; expected the JSON of"),
        ('{"a": 1, "a": 2}', ": error: a key that stands twice in one object; expected"),
        ("{}", ": error: 0 reports on "),
    ):
        done = run("verify-evidence", file, put(tmp_path, "report.json", text))
        assert done.code == 2 and done.err.startswith(f"{report}{said}"), done.err


def test_a_fault_in_a_report_that_is_nested_deeply_has_no_place(tmp_path: Path, run: Run) -> None:
    """The reader of places goes less deep than the one of values."""
    text = f'{{"history": {"[" * 200}{"]" * 200}, "levels": []}}'
    report = put(tmp_path, "report.json", text)
    done = run("verify-evidence", put(tmp_path, "h.txt", LOST_UPDATE), report)
    assert done.code == 2 and done.err.startswith(f"{report}: error: levels that are no object")


# -- mutants: each forgets one thing, and one of the reports above shows it --------------------------------------------
FORGED: dict[str, tuple[str, str]] = {
    "visible": ("levels", json.dumps({"session": {f"X{CONTROLS}": False}})),
    "_once": ("levels", '{"session": {"RC": {"holds": true, "commit_order": ["1", "2"]}, "RA": true, "RA": false}}'),
    "claimed": ("levels", '{"session": {"RC": {"holds": true, "commit_order": ["1", "2"]}, "SER": {"holds": 1}}}'),
    "_base": ("file", '"other.txt"'),
}
BROKEN: dict[str, Any] = {
    "visible": lambda text: text,
    "_once": dict,
    "claimed": lambda family, name, said: isinstance(said, dict) and said.get("holds") is True,
    "_base": lambda file: "",
}


@pytest.mark.parametrize("name", FORGED)
def test_a_mutant_of_what_reads_and_prints_reports_is_caught(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = put(tmp_path, "h.txt", SERIAL)
    key, value = FORGED[name]
    found = report_of(run, file)
    found[key] = "HERE"
    report = put(tmp_path, "report.json", json.dumps(found).replace('"HERE"', value))

    def is_right() -> bool:
        done = run("verify-evidence", file, report)
        if name == "_base":
            return done.code == 0 and "warning" in done.err
        return done.code == 2 and is_plain(done)

    assert is_right()
    if name == "visible":  # of print_problems, which every fault goes through
        monkeypatch.setattr("toki_verify.report.plain.visible", BROKEN[name])
    elif name == "claimed":
        monkeypatch.setattr(verify_evidence, name, BROKEN[name])
    else:
        monkeypatch.setattr(evidence_report, name, BROKEN[name])
    assert not is_right()


# -- words -------------------------------------------------------------------------------------------------------------
def test_transactions_are_called_as_elsewhere(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.txt", SERIAL)
    found = report_of(run, file)
    found["levels"]["session"]["SER"]["serial_order"] = ["2"]
    done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(found)))
    assert "✗ SER  T1 is missing in the order" in done.out
    found["levels"]["session"]["SER"]["serial_order"] = ["2", "1"]
    done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(found)))
    assert "✗ SER  T2 reads from T1, which stands behind it" in done.out
    lost = put(tmp_path, "h.txt", "w(1,1,1,1)\nr(1,7,2,2)\n")
    done = run("verify-evidence", lost, put(tmp_path, "report.json", json.dumps(found)))
    assert "✗ SER  T2 reads 1=7, which nobody in the order wrote" in done.out


def test_a_long_name_is_cut_where_people_read(tmp_path: Path, run: Run) -> None:
    value = "v " * 500_000
    text = "".join(
        f"{{:type {kind} :f :txn :process {who} :value [{ops}]}}\n"
        for who, ops in enumerate(("[:w 1 1]", f"[:r 1 {json.dumps(value)}]"))
        for kind in (":invoke", ":ok")
    )
    file = put(tmp_path, "h.edn", text)
    done = run("check", file)
    assert done.code == 1 and "v v v" in done.out and "…, which nobody wrote" in done.out
    assert len(done.out) < 2_000
    done = run("convert", file, "--to", "plume")
    assert done.code == 2 and "…" in done.err and len(done.err) < 500
    levels = {"session": {"RC": {"holds": True, "commit_order": ["#1", "#3"]}}}
    found = {"history": {}, "levels": levels}
    done = run("verify-evidence", file, put(tmp_path, "report.json", json.dumps(found)))
    assert done.code == 1 and "…" in done.out and len(done.out) < 2_000, len(done.out)
