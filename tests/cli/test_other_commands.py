"""show, fmt, rule, schema, help."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from toki_verify import __version__
from toki_verify.notation import parse_text
from toki_verify.phenomena.catalogue import catalogue

LOST = "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1"


def test_version_and_help(run: Run) -> None:
    assert run("--version").out == f"toki-verify {__version__}\n"
    for command in ("check", "show", "fmt", "rule"):
        assert "examples:" in run(command, "--help").out
    assert "exit codes" in run("--help").out


@pytest.mark.parametrize("name", list(catalogue()))
def test_every_rule_has_a_page(name: str, run: Run) -> None:
    out = run("rule", name).out
    for section in ("formula", "meaning", "why it hurts an agent memory", "example", "guard", "references"):
        assert f"\n{section}\n" in out, section


def test_rule_by_alias_list_and_json(run: Run) -> None:
    assert run("rule", "lost update").out.startswith("P4")
    assert len(run("rule", "--all").out.splitlines()) == len(catalogue())
    assert json.loads(run("rule", "P4", "-o", "json").out)["id"] == "P4"
    assert run("rule", "P4", "-o", "markdown").out.startswith("## P4")


@pytest.mark.parametrize(
    ("spec", "level", "adds"),
    [
        ("SR+cb", "graph:SR+cb", ["+cb: the other axis"]),
        ("rc+CB", "graph:RC+cb", ["+cb: the other axis"]),
        ("SR@judge_log", "graph:SR@judge_log", ["over the accesses of table judge_log only"]),
        ("SI+SR@judge_log", "graph:SI+SR@judge_log", ["+SR@judge_log: the condition of SR over the accesses of table"]),
        ("SR@partition(al, home)", "graph:SR@partition(al, home)", ["over the accesses of partition(al, home) only"]),
        ("adya:PL-2+PL-3@log", "adya:PL-2+PL-3@log", ["+PL-3@log: the condition of PL-3"]),
        ("RC+SI", "graph:RC+SI", ["+SI: SI, too"]),
        ("RC@a+cb@b", "graph:RC@a+cb@b", ["RC@a: the condition of RC", "+cb@b: the condition of cb over"]),
    ],
)
def test_a_specification_has_a_page(spec: str, level: str, adds: list[str], run: Run) -> None:
    (data, whole) = json.loads(run("rule", spec, "SR", "-o", "json").out)[:2]
    assert data["id"] == level and not whole["adds"]
    assert len(data["adds"]) == len(adds)
    for told, wanted in zip(data["adds"], adds, strict=True):
        assert wanted in told
    text = run("rule", spec).out
    assert text.startswith(f"{level}\n") and "\nadds\n  " in text and "\nformula\n" in text
    assert run("rule", spec, "-o", "markdown").out.startswith(f"## {level}\n")
    assert "\nadds\n" not in run("rule", "SR").out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("SR+", "unknown level of family graph ''"),
        ("SR+nope", "unknown level of family graph 'nope'"),
        ("SR@", "expected a table, or partition"),
        ("P4+cb", "unknown level of family graph 'P4'"),
        ("H1", "docs/bridge.md"),
        ("H1[commit]", "docs/bridge.md"),
        ("h2", "docs/bridge.md"),
        ("pi_J", "docs/bridge.md"),
        ("π_J", "docs/bridge.md"),
    ],
)
def test_what_is_no_rule_is_told_apart(name: str, said: str, run: Run) -> None:
    found = run("rule", name)
    assert found.code == 2 and said in found.err and "did you mean P1" not in found.err


@pytest.mark.parametrize("name", list(catalogue()))
def test_a_page_says_nothing_twice(name: str, run: Run) -> None:
    lines = run("rule", name).out.split("\n")
    title = lines[0].split("  ", 1)[1]
    also = lines[1].removeprefix("also: ").split(", ") if lines[1].startswith("also: ") else []
    assert title not in also
    references = [told.strip() for told in lines[lines.index("references") + 1 :] if told]
    assert references and not any("; " in told for told in references)
    assert [one for one in references for other in references if other.startswith((f"{one} ", f"{one},"))] == []
    assert len(set(references)) == len(references)
    (last,) = (told for told in run("rule", name, "-o", "markdown").out.split("\n") if "**References.**" in told)
    assert last == f"**References.** {'; '.join(references)}"


def test_the_generated_docs_are_what_the_catalogue_says() -> None:
    from toki_verify.report.docs import documents

    for path, text in documents().items():
        assert Path(path).read_text(encoding="utf-8") == text, f"{path}: run `make docs`"


def test_show(run: Run) -> None:
    ElementTree.fromstring(run("show", "-e", LOST, "-o", "svg").out)
    assert "flowchart" in run("show", "-e", LOST, "-o", "mermaid").out
    assert "digraph" in run("show", "-e", LOST, "-o", "dot").out
    assert "<svg" in run("show", "-e", LOST, "-o", "html").out
    assert "T1  r1[x0]" in run("show", "-e", LOST).out
    outcome = run("show", "schedules/berenson/histories.sched", "-o", "svg")
    assert outcome.code == 2 and "--name" in outcome.err
    assert run("show", "schedules/berenson/histories.sched", "--name", "berenson-H1", "-o", "svg").code == 0


UGLY = """\
# a file
schedule   ugly   # the first
   source  somewhere
  init x0=100   y0 in P
 r1(x0)    r2[x0=100]w2[x1 = 120]  c2   # lost
   w1[x2]     c1


  expect    P4   not-a-comment#x
"""


def test_fmt_is_canonical_keeps_comments_and_is_a_fixpoint(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "a.sched"
    file.write_text(UGLY.replace("   not-a-comment#x", ""))
    before = parse_text(file.read_text())
    assert run("fmt", "--check", file).code == 1
    assert run("fmt", file).code == 0
    text = file.read_text()
    assert text == (
        "# a file\nschedule ugly  # the first\n  source somewhere\n  init x0=100 y0 in P\n"
        "  r1[x0] r2[x0=100] w2[x1=120] c2  # lost\n  w1[x2] c1\n\n  expect P4\n"
    )
    assert parse_text(text) == before
    assert run("fmt", "--check", file).code == 0


def test_fmt_leaves_a_file_with_a_problem_alone(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "a.sched"
    file.write_text("r1[x0]   w1[")
    assert run("fmt", file).code == 2
    assert file.read_text() == "r1[x0]   w1["
    assert run("fmt", tmp_path / "nowhere.sched").code == 2


def test_the_shipped_library_is_formatted(run: Run) -> None:
    outcome = run("fmt", "--check", "schedules")
    assert outcome.code == 0, outcome.err


def test_schema_is_json(run: Run) -> None:
    assert json.loads(run("schema").out)["$schema"].startswith("https://json-schema.org/")


def test_fmt_keeps_links_and_modes(tmp_path: Path, run: Run) -> None:
    real, link = tmp_path / "real.sched", tmp_path / "link.sched"
    real.write_text("r1[x0]   c1")
    real.chmod(0o640)
    link.symlink_to(real)
    assert run("fmt", link).code == 0
    assert link.is_symlink() and real.read_text() == "r1[x0] c1\n" and real.stat().st_mode & 0o777 == 0o640
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["link.sched", "real.sched"]


def test_mermaid_draws_the_cycle_in_red(run: Run) -> None:
    out = run("show", "-e", LOST, "-o", "mermaid").out
    edges = [line for line in out.splitlines() if "-->" in line]
    red = next(line for line in out.splitlines() if "linkStyle" in line).split()[1].split(",")
    assert {edges[int(index)].split("|")[1] for index in red} == {'"rw x"', '"ww x"'}
