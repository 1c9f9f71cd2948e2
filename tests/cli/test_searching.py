"""witness, distinguish, matrix, prove: forms of output, exit codes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")

from tests.cli.conftest import Run
from toki_verify.events import Schedule
from toki_verify.notation import parse_text

LOST = "r1[x0] w2[x1] c2 w1[x2] c1"


def test_witness_prints_the_schedule_and_why(run: Run) -> None:
    found = run("witness", "P4", "--level", "RC")
    assert found.code == 0
    assert LOST in found.out
    assert "5 events, 2 transactions, 1 item" in found.out
    assert "lost update" in found.out


def test_witness_as_json_is_as_the_notation_has_it(run: Run) -> None:
    data = json.loads(run("witness", "P4", "--level", "RC", "-o", "json").out)
    assert {"formula", "level", "verdict", "size", "schedules"} <= set(data)
    assert (data["verdict"], data["size"], len(data["schedules"])) == ("found", 5, 1)


def test_witness_as_a_schedule_file_reads_back(run: Run) -> None:
    text = run("witness", "G-nonadjacent", "--level", "RC", "-o", "sched").out
    assert isinstance(parse_text(text)[0], Schedule)


def test_witness_of_what_no_schedule_has_is_a_proved_none(run: Run) -> None:
    found = run("witness", "A5B", "--level", "SR", "--max-events", "4")
    assert found.code == 1
    assert "proved by z3 and cvc5" in found.out
    data = json.loads(run("witness", "A5B", "--level", "SR", "--max-events", "4", "-o", "json").out)
    assert (data["verdict"], data["proved_by"]) == ("none", ["z3", "cvc5"])


def test_witness_that_bounds_do_not_reach_is_undecided(run: Run) -> None:
    for more in (["--no-proof"], ["--seconds", "4"]):
        found = run("witness", "A5B", "--level", "SI", "--max-events", "5", *more)
        assert found.code == 3
        assert "up to 5 events" in found.out


def test_all_and_not(run: Run) -> None:
    found = run("witness", "A5A", "--level", "RC", "--not", "P3[broad]", "--all", "--predicates", "0", "-o", "json")
    data = json.loads(found.out)
    assert data["complete"]
    assert len(data["schedules"]) > 1


def test_saved_schedules_are_as_expected_and_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    assert run("witness", "P4", "--level", "RC", "--save", str(tmp_path)).code == 0
    (file,) = tmp_path.glob("*.sched")
    assert run("check", str(file)).code == 0
    assert "expect P4" in file.read_text()
    assert run("witness", "P4", "--level", "RC", "--save", str(tmp_path)).code == 0
    file.write_text("# mine\n")
    refused = run("witness", "P4", "--level", "RC", "--save", str(tmp_path))
    assert refused.code == 2
    assert file.read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["P9"], "did you mean"),
        (["P4", "--level", "XX"], "unknown"),
        (["P4", "--max-events", "0"], "expected 1 to"),
        (["P4", "--max-events", "999"], "expected 1 to"),
        (["P4", "--transactions", "0"], "expected 1 to"),
        (["P4", "--items", "-1"], "expected 0 to"),
        (["P4", "--predicates", "77"], "expected 0 to"),
        (["P4", "--limit", "0"], "expected 1 to"),
        (["P4", "--seconds", "0"], "more than 0"),
        (["P0", "--level", "RC"], "asked for and excluded"),
        (["P4", "--not", "P4"], "asked for and excluded"),
        (["P4 and"], "expected"),
        (["P4", "--with", "r1[x1]"], "nothing writes it"),
        (["P4", "--levels", "missing.levels"], "missing.levels"),
        (["P4", "--family", "nope"], "nope"),
    ],
)
def test_witness_refuses(run: Run, arguments: list[str], said: str) -> None:
    found = run("witness", *arguments)
    assert found.code == 2
    assert said in found.err
    assert not found.out


def test_distinguish_finds_proves_and_refuses(run: Run) -> None:
    found = run("distinguish", "--allowed", "SI", "--forbidden", "SR")
    assert found.code == 0
    assert "r1[x0] r2[y0] w1[y1] c1 w2[x1] c2" in found.out
    none = run("distinguish", "--allowed", "SR", "--forbidden", "SI")
    assert none.code == 1
    assert "proved by z3 and cvc5" in none.out
    across = json.loads(run("distinguish", "--allowed", "adya:PL-3", "--forbidden", "graph:SI", "-o", "json").out)
    assert across["verdict"] == "found"
    for arguments in (
        ["--allowed", "SI"],
        ["--allowed", "SI", "--forbidden", "QQ"],
        ["-o", "markdown", "--allowed", "SI"],
    ):
        assert run("distinguish", *arguments).code == 2


def test_distinguish_with_a_level_of_ones_own(run: Run, tmp_path: Path) -> None:
    levels = tmp_path / "mine.levels"
    levels.write_text("level no-lost\n  needs RC\n  no P4\n")
    found = run("distinguish", "--levels", str(levels), "--allowed", "RC", "--forbidden", "no-lost", "-o", "sched")
    assert LOST in found.out


def test_a_hierarchy_with_a_level_of_ones_own(run: Run, tmp_path: Path) -> None:
    levels = tmp_path / "mine.levels"
    levels.write_text("level one\n  no P4\nlevel two\n  no P4\n  no P0\n")
    found = run("distinguish", "--levels", str(levels), "--matrix", "user")
    assert found.code == 0
    assert "user:two → user:one" in found.out
    assert "user:one ↛ user:two" in found.out


def test_matrix_of_some_cells(run: Run) -> None:
    found = run("matrix", "--phenomena", "A5B,N1", "--level", "SI", "--level", "SR")
    assert found.code == 0
    assert "3 of 4 cells agree" in found.out
    data = json.loads(run("matrix", "--phenomena", "A5B", "--level", "SR", "-o", "json").out)
    (cell,) = data["cells"]
    assert cell["verdict"] == "excluded"
    assert cell["proved_by"] == ["z3", "cvc5"]
    assert cell["agrees_with_seed"] is True
    assert run("matrix", "--phenomena", "A5B", "--level", "SR", "-o", "markdown").out.startswith("| phenomenon |")
    for arguments in (["--phenomena", "XX"], ["--level", "XX"], ["--family", "XX"], ["--max-events", "0"]):
        assert run("matrix", *arguments).code == 2


def test_prove_writes_and_checks_again(run: Run, tmp_path: Path) -> None:
    directory = str(tmp_path / "proofs")
    assert run("prove", "T1.sound.A5B.SR", "--proofs", directory).code == 0
    assert run("prove", "W.P4", "--proofs", directory).code == 1
    again = run("prove", "--recheck", "--proofs", directory)
    assert again.code == 0
    assert "ok" in again.out
    file = Path(directory) / "obligations" / "T1.sound.A5B.SR.smt2"
    file.write_text(file.read_text() + "\n")
    edited = run("prove", "--recheck", "--proofs", directory)
    assert edited.code == 2
    assert "changed since" in edited.err


def test_prove_refuses(run: Run, tmp_path: Path) -> None:
    assert run("prove").code == 2
    assert run("prove", "T1.nope").code == 2
    assert "name" in run("prove", "T1.sound", "--recheck").err
    assert run("prove", "--recheck", "--proofs", str(tmp_path)).code == 2
    assert run("prove", "W.P0", "--no-write", "--seconds", "0").code == 2
    assert "T1.sound.A5B.SR" in run("prove", "--list").out


def test_a_missing_solver_names_the_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "z3", None)
    found = run("witness", "P4", "--level", "RC")
    assert found.code == 2
    assert "toki-verify[solvers]" in found.err
