"""claims: forms of output, exit codes, the cache, pictures, and what is refused."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")

from tests.cli.conftest import Outcome, Run
from tests.cli.test_attacks import shell
from toki_verify.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
PROOFS = str(ROOT / "proofs")


@pytest.fixture
def ledger(run: Run, tmp_path: Path) -> Run:
    """`claims` with the shipped proofs, in one process, with a cache of the test's own."""

    def go(*arguments: str, stdin: bytes = b"") -> Outcome:
        return run("claims", "--proofs", PROOFS, "--jobs", "1", "--cache", str(tmp_path / "cache"), *arguments)

    return go


def test_a_row_has_everything(ledger: Run) -> None:
    found = ledger("W.P4")
    assert found.code == 1
    for text in ("refuted", "r1[x0] w2[x1] w1[x2] c2 c1", "levels: graph RU", "repair (holds)", "one schedule"):
        assert text in found.out
    several = ledger("W.P0", "W.P4")
    assert "2 claims: 1 holds, 1 refuted" in several.out
    assert len(several.out.splitlines()) == 3
    assert len(ledger("W.P0", "W.P4", "-v").out.splitlines()) > 20


def test_exit_codes(ledger: Run) -> None:
    assert ledger("W.P0").code == 0
    assert ledger("Alg1.log").code == 0
    assert ledger("T1.sound.N1.SR").code == 1


def test_what_neither_is_proved_nor_found_is_unknown(run: Run, tmp_path: Path) -> None:
    few = ["--fresh", "--no-cache", "--jobs", "1", "--max-events", "2", "--seconds", "0.05", "--proofs", str(tmp_path)]
    found = run("claims", "T1.tight.A5B.RC", *few, "-o", "json")
    assert found.code == 3
    assert json.loads(found.out)[0]["verdict"] == "unknown"


def test_json(ledger: Run) -> None:
    (row,) = json.loads(ledger("W.P4", "-o", "json").out)
    assert (row["id"], row["verdict"], row["method"]) == ("W.P4", "refuted", "exhaustive")
    assert len(row["counterexample"]["events"]) == 5
    assert row["repair"]["verdict"] == "holds" and row["repair"]["artifact"] == "T1.tight.P4.RC"


def test_markdown(ledger: Run) -> None:
    text = ledger("W.P4", "-o", "markdown").out
    assert text.startswith("# What is true of the claims\n")
    assert "### W.P4\n" in text and "```sched\nr1[x0] w2[x1] w1[x2] c2 c1\n```" in text


def test_a_second_run_decides_nothing(ledger: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from toki_verify.claims import deciding

    first = ledger("W.P4", "W.P0", "-o", "json")

    def refuse(*arguments: object, **named: object) -> None:
        raise AssertionError("decided again")

    monkeypatch.setattr(deciding, "run_unit", refuse)
    assert ledger("W.P4", "W.P0", "-o", "json") == first
    with pytest.raises(AssertionError):
        ledger("W.P1")
    with pytest.raises(AssertionError):
        ledger("W.P4", "--no-cache")
    with pytest.raises(AssertionError):
        ledger("W.P4", "--fresh")


def test_a_damaged_cache_is_written_anew(ledger: Run, tmp_path: Path) -> None:
    first = ledger("W.P4", "-o", "json")
    (file,) = (tmp_path / "cache").iterdir()
    file.write_text("{")
    assert ledger("W.P4", "-o", "json") == first
    assert json.loads(file.read_text())["rows"]


def edited(file: Path, change: Callable[[dict[str, Any]], None], *, forged: bool = False) -> None:
    """Change the first row of a cache; `forged` with a digest that fits."""
    from toki_verify.claims import cache

    data = json.loads(file.read_text())
    change(data["rows"][0])
    if forged:
        data["digest"] = cache._digest(data["rows"])
    file.write_text(json.dumps(data))


def test_a_verdict_that_was_edited_in_the_cache_is_decided_anew(ledger: Run, tmp_path: Path) -> None:
    first = ledger("W.P4", "-o", "json")
    (file,) = (tmp_path / "cache").iterdir()
    edited(file, lambda row: row.update(verdict="holds"))
    again = ledger("W.P4", "-o", "json")
    assert again.code == first.code == 1
    assert [row["verdict"] for row in json.loads(again.out)] == ["refuted"]
    # A digest has no secret: this is what docs/claims.md admits, and why --check reads no cache.
    edited(file, lambda row: row.update(verdict="holds"), forged=True)
    assert ledger("W.P4").code == 0


@pytest.mark.parametrize("name", ["counterexample", "witnesses"])
@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_a_row_whose_schedule_is_none_is_decided_anew(name: str, form: str, ledger: Run, tmp_path: Path) -> None:
    first = ledger("W.P4")
    (file,) = (tmp_path / "cache").iterdir()
    edited(file, lambda row: row.update({name: "r1[" if name == "counterexample" else ["r1["]}), forged=True)
    assert ledger("W.P4", "-o", form).code == first.code
    assert ledger("W.P4") == first


def test_a_cache_that_cannot_be_written_is_said_and_no_more(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = run("claims", "W.P0", "--proofs", PROOFS, "--jobs", "1", "--cache", str(tmp_path / "file"))
    assert found.code == 0
    assert "rows are not kept" in found.err


def test_several_processes_say_what_one_says(run: Run) -> None:
    more = ["W.P4", "Tab10.run", "Alg1.strategy", "--proofs", PROOFS, "--no-cache", "-o", "json"]
    assert run("claims", *more, "--jobs", "2") == run("claims", *more, "--jobs", "1")


def test_pictures(ledger: Run, tmp_path: Path) -> None:
    from xml.etree import ElementTree

    found = ledger("W.P0", "--plots", str(tmp_path / "pictures"))
    assert found.code == 0
    names = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert names == ["admit-rate.svg", "guard_map.svg", "requery-decay.svg"]
    guards = (tmp_path / "pictures" / "guard_map.svg").read_text()
    words = [element.text for element in ElementTree.fromstring(guards).iter("{http://www.w3.org/2000/svg}text")]
    assert (words.count("excluded"), words.count("admitted")) == (30, 24)
    assert guards.count('class="tv-edge tv-hot"') == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["T1.nope"], "unknown claim"),
        (["T1.nope"], "`toki-verify claims` has them"),
        (["T1.soud"], "did you mean"),
        (["W.P0", "--jobs", "0"], "expected 1 to"),
        (["W.P0", "--jobs", "-3"], "expected 1 to"),
        (["W.P0", "--jobs", "many"], "invalid int"),
        (["W.P0", "--max-events", "0"], "expected 1 to"),
        (["W.P0", "--seconds", "0"], "more than 0"),
        (["W.P0", "--check", "x"], "name no claims"),
        (["--check", "missing.md"], "missing.md"),
        (["W.P0", "--plots", "/dev/null/x"], "/dev/null/x"),
        (["W.P0", "-o", "xml"], "invalid choice"),
    ],
)
def test_refused(ledger: Run, arguments: list[str], said: str) -> None:
    found = ledger(*arguments)
    assert found.code == 2
    assert said in found.err
    assert not found.out


@pytest.mark.parametrize("text", ["", "format = 1", "[[claim]]", "\x00", 'format = "toki-proofs/1"\n[[claim]]\nid = 1'])
def test_a_corrupt_manifest(run: Run, text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.toml").write_text(text)
    found = run("claims", "W.P0", "--proofs", str(tmp_path), "--no-cache", "--jobs", "1")
    assert found.code == 2
    assert "manifest" in found.err


def test_a_manifest_with_a_proof_that_is_none(run: Run, tmp_path: Path) -> None:
    from shutil import copytree

    mine = tmp_path / "mine"
    copytree(ROOT / "proofs" / "algebra", mine)
    obligation = next((mine / "obligations").iterdir())
    obligation.write_text("(check-sat)\n")
    found = run("claims", "T2.sound.why", "--proofs", str(mine), "--no-cache", "--jobs", "1")
    assert found.code == 2
    assert "changed since" in found.err


def test_check(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With two claims for all: that the whole file is compared, and that a missing id is a failure."""
    from toki_verify.claims import ledger as rows
    from toki_verify.claims import registry

    two = {id: registry.claims()[id] for id in ("W.P0", "W.P4")}
    monkeypatch.setattr(registry, "claims", lambda: two)
    monkeypatch.setattr(rows, "required", lambda: ("W.P0",))
    options = ["--proofs", PROOFS, "--no-cache", "--jobs", "1"]
    file = tmp_path / "ledger.md"
    file.write_text(run("claims", *options, "-o", "markdown").out)
    same = run("claims", *options, "--check", str(file))
    assert (same.code, same.out) == (0, f"{file}: 2 rows, as the code has them\n")
    file.write_text(file.read_text().replace("- time: below 0.1 s", "- time: 99 s"))
    assert run("claims", *options, "--check", str(file)).code == 0
    file.write_text(file.read_text().replace("**refuted**", "**holds**"))
    other = run("claims", *options, "--check", str(file))
    assert other.code == 1
    assert "-**holds**" in other.out and "make ledger" in other.err
    file.write_text(run("claims", *options, "-o", "markdown").out)
    monkeypatch.setattr(rows, "required", lambda: ("W.P0", "X.y"))
    lacking = run("claims", *options, "--check", str(file))
    assert lacking.code == 1
    assert "no row for X.y" in lacking.err


def test_check_neither_reads_nor_needs_the_cache(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from toki_verify.claims import ledger as rows
    from toki_verify.claims import registry

    two = {id: registry.claims()[id] for id in ("W.P0", "W.P4")}
    monkeypatch.setattr(registry, "claims", lambda: two)
    monkeypatch.setattr(rows, "required", lambda: ("W.P0",))
    cache, file = tmp_path / "cache", tmp_path / "ledger.md"
    options = ["--proofs", PROOFS, "--cache", str(cache), "--jobs", "1"]
    file.write_text(run("claims", *options, "-o", "markdown").out)
    (kept,) = cache.iterdir()
    edited(kept, lambda row: row.update(statement="something else"), forged=True)
    file.write_text(run("claims", *options, "-o", "markdown").out)
    assert "something else" in file.read_text(), "the cache is read without --check"
    before = kept.read_bytes()
    found = run("claims", *options, "--check", str(file))
    assert found.code == 1 and "something else" in found.out
    assert kept.read_bytes() == before
    kept.unlink()
    cache.rmdir()
    cache.write_text("no directory")
    assert "rows are not kept" not in run("claims", *options, "--check", str(file)).err


@pytest.mark.parametrize("named", ["missing", "", "file", "empty"])
def test_proofs_that_are_named_and_are_none(named: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    path = str(tmp_path / named) if named else ""
    found = run("claims", "W.P0", "--no-cache", "--jobs", "1", "--proofs", path)
    assert (found.code, found.out) == (2, "")
    assert found.err.count("\n") == 1 and "name" in found.err
    assert (f"{path}/manifest.toml does not exist" if named else "names no directory") in found.err


class Stopped(Exception):
    """The first claim would be decided now."""


def test_without_proofs_it_is_said_that_it_takes_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from toki_verify.claims import deciding

    def stop(*arguments: object) -> None:
        raise Stopped

    monkeypatch.setattr(deciding, "run_unit", stop)
    said = "no proofs here: deciding from nothing, about eight minutes for all claims; --proofs DIR"
    for arguments, told in (([], True), (["T1"], True), (["T1.reading.graph"], True), (["W.P0", "W.P4"], False)):
        for here, options in ((tmp_path, []), (tmp_path, ["--fresh"]), (ROOT, [])):
            monkeypatch.chdir(here)
            with pytest.raises(Stopped):
                main(["claims", *arguments, "--no-cache", "--jobs", "1", *options])
            assert (said in capsys.readouterr().err) is (told and here == tmp_path and not options)


def test_closed_and_full_output() -> None:
    tool = f"T claims W.P0 --no-cache --jobs 1 --proofs {PROOFS}"
    for command, code in ((f"{tool} -o json > /dev/full", 2), (f"{tool} >&-", 2)):
        done: subprocess.CompletedProcess[str] = shell(command)
        assert done.returncode == code and "Traceback" not in done.stderr
