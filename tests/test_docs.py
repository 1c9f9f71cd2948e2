"""What the documents say is so: schedules parse, names exist, links lead somewhere, limits hold."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from toki_verify.checker import check
from toki_verify.cli.main import COMMANDS, main
from toki_verify.designs.facets import FACETS
from toki_verify.events import Predicate, Schedule, Write, limits
from toki_verify.inputs import load
from toki_verify.jsonform import read_json, read_json_lines
from toki_verify.levels import families, family, parse_spec
from toki_verify.levels.user import parse_levels
from toki_verify.notation.files import parse_text
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.phenomena.pages import pages

ROOT = Path(__file__).resolve().parents[1]
README, NOTATION, SEMANTICS = "README.md", "docs/notation.md", "docs/semantics.md"
SEARCH = "docs/search.md"
PROSE = (README, NOTATION, SEMANTICS, "docs/levels.md", SEARCH, "docs/designs.md")
LINKED = (
    README,
    "ARCHITECTURE.md",
    "examples/README.md",
    "examples/designs/review/README.md",
    *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))),
)

FENCE = re.compile(r"^```([\w-]*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
#: How a block without an info string begins, and what it is then.
BEGINS = {"schedule ": "sched", '{"op"': "jsonl", "level ": "levels", "$ toki-verify": "session"}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def flat(text: str) -> str:
    return " ".join(text.split())


class Block(NamedTuple):
    file: str
    line: int
    kind: str
    body: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


def blocks_of(file: str) -> Iterator[Block]:
    text = text_of(file)
    for match in FENCE.finditer(text):
        info, body = match.groups()
        kind = info or next((kind for begin, kind in BEGINS.items() if body.startswith(begin)), "")
        yield Block(file, text.count("\n", 0, match.start()) + 1, kind, body)


BLOCKS = [block for file in PROSE for block in blocks_of(file)]


def blocks(*kinds: str) -> pytest.MarkDecorator:
    chosen = [block for block in BLOCKS if block.kind in kinds]
    return pytest.mark.parametrize("block", chosen, ids=[block.place for block in chosen])


# -- blocks ------------------------------------------------------------------------------------------------------------
def test_there_are_blocks_of_every_kind() -> None:
    kinds = {(block.file, block.kind) for block in BLOCKS}
    assert {
        (NOTATION, "sched"),
        (NOTATION, "jsonl"),
        (NOTATION, "json"),
        (SEMANTICS, "sched"),
        (README, "sched"),
        (README, "jsonl"),
        (README, "session"),
        ("docs/levels.md", "levels"),
    } <= kinds


@blocks("sched")
def test_a_schedule_in_a_document_parses_and_is_as_expected(block: Block) -> None:
    for schedule in parse_text(block.body, file=block.place):
        assert [f"{judged.text}: {judged.detail}" for judged in check(schedule).judged if not judged.met] == []


@blocks("jsonl", "json")
def test_a_trace_in_a_document_reads(block: Block) -> None:
    reader = read_json_lines if block.kind == "jsonl" else read_json
    schedules, problems = reader(block.body, file=block.place)
    assert [str(problem) for problem in problems] == []
    assert len(schedules) == 1
    verdict = check(schedules[0])
    assert not verdict.failed()
    assert not any("key" in warning for warning in verdict.warnings)


@blocks("levels")
def test_levels_in_a_document_parse(block: Block) -> None:
    assert parse_levels(block.body, file=block.place).levels


@blocks("session")
def test_the_verdict_in_the_readme_is_what_the_command_prints(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    command, _, shown = block.body.partition("\n")
    words = shlex.split(command.removeprefix("$ "))
    assert words[0] == "toki-verify"
    main(words[1:])
    assert capsys.readouterr().out.strip("\n").split("\n") == shown.strip("\n").split("\n")


# -- names -------------------------------------------------------------------------------------------------------------
def helps(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    found = {}
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
        found[command] = capsys.readouterr().out
    return found


@pytest.mark.parametrize("file", PROSE)
def test_options_named_exist(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = " ".join(helps(capsys).values()) + " --version"
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text_of(file)))
    assert named - set(re.findall(r"--[a-z][a-z-]*", known)) == set()


@pytest.mark.parametrize("file", PROSE)
def test_commands_and_output_forms_named_exist(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = text_of(file)
    assert set(re.findall(r"(?:^|[`/ ])toki-verify ([a-z]+)\b", text, re.MULTILINE)) - set(COMMANDS) == set()
    choices = {
        word
        for page in helps(capsys).values()
        for group in re.findall(r"\{([a-z,]+)\}", page)
        for word in group.split(",")
    }
    assert set(re.findall(r"(?<!\w)-o ([a-z]+)", text)) - choices == set()


ID = re.compile(r"(?<![\w\[-])(?:[PAGN][0-9][A-Za-z]?(?:-[a-z]+)?|G-[A-Za-z]+|OTV|PMP|CB)(?:\[[A-Za-z-]+\])?(?![\w-])")


@pytest.mark.parametrize("file", PROSE)
def test_phenomena_named_exist(file: str) -> None:
    absent = set(pages().get("_absent", {}))
    named = set(ID.findall(text_of(file)))
    assert named or file == "docs/levels.md"
    facets = {f"N3[{facet}]" for facet in FACETS}
    designs = {"N1[replay]", "N2[state]"}  # cells of a design's matrix, and no phenomena of schedules
    assert sorted(named - set(catalogue()) - absent - facets - designs) == []
    missing = named & absent
    assert not missing or "not in this version" in flat(text_of(file)), missing


def test_the_semantics_names_every_phenomenon() -> None:
    text = text_of(SEMANTICS)
    assert [name for name in catalogue() if name not in text] == []


def test_the_semantics_names_exactly_the_patterns() -> None:
    text = flat(text_of(SEMANTICS))
    sentence = re.search(r"\*\*Patterns\*\* also occur.*?no anomaly: (.*?)\. They are reported", text)
    assert sentence is not None
    assert set(sentence.group(1).split(", ")) == {entry.id for entry in catalogue().values() if entry.pattern}


@pytest.mark.parametrize("file", PROSE)
def test_levels_named_exist(file: str) -> None:
    text = text_of(file)
    specs = [
        next(filter(None, groups))
        for line in text.split("\n")
        if "--levels" not in line
        for groups in re.findall(r"""--level (?:"([^"]+)"|'([^']+)'|([^\s`"'.,]+))""", line)
    ]
    specs += re.findall(r"\b(?:graph|berenson|adya|session|engine):[A-Z][\w.+-]*(?:\[G\])?", text)
    for spec in specs:
        parse_spec(spec.rstrip("."))
    for chain in re.findall(r"\b[A-Z]+(?: < [A-Z]+)+", text):
        for name in chain.split(" < "):
            family("graph").level(name)
    for name in re.findall(r"\bPL-(?:[0-9](?:\.[0-9]+)?\+?|[A-Z]+)", text):
        family("adya").level(name)
    for chosen, names in re.findall(r"^\s*expect level(\[\w+\])? ([^#`\n]+)", text, re.MULTILINE):
        for name in names.split():
            family(chosen.strip("[]") or "graph").level(name)


@pytest.mark.parametrize("file", (README, SEMANTICS, "docs/levels.md"))
def test_every_family_is_named(file: str) -> None:
    assert [name for name in families() if f"`{name}`" not in text_of(file)] == []


def test_level_tables_list_the_levels_of_their_family() -> None:
    listed = 0
    for file in (SEMANTICS, "docs/levels.md"):
        for name, levels in re.findall(r"^\| `(\w+)`[^|]*\| ([^|]+) \|", text_of(file), re.MULTILINE):
            if name in families():
                listed += 1
                plain = [level.strip() for level in levels.split(";")[0].split(",")]
                assert plain == [level.id for level in family(name).ordered()]
    assert listed == 9


# -- links, limits, numbers --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("file", LINKED)
def test_links_lead_to_files(file: str) -> None:
    found = re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text_of(file)))  # code has brackets, too
    relative = [link.split("#")[0] for link in found if not re.match(r"[a-z]+:|#", link)]
    assert [link for link in relative if not ((ROOT / file).parent / link).exists()] == []


LIMITS = {
    r"([\d,]+) events": limits.EVENTS,
    r"([\d,]+) accesses": limits.ACCESSES,
    r"line (?:has )?([\d,]+) characters": limits.LINE_LENGTH,
    r"name ([\d,]+)": limits.NAME_LENGTH,
    r"number ([\d,]+) digits": limits.NUMBER_DIGITS,
    r"JSON ([\d,]+) levels": limits.JSON_DEPTH,
    r"file ([\d,]+) MB": limits.FILE_BYTES // 1_000_000,
}


@pytest.mark.parametrize("file", (README, NOTATION))
def test_limits_stated_are_the_limits(file: str) -> None:
    section = flat(text_of(file).partition("\n## Limits")[2].partition("\n## ")[0])
    for pattern, limit in LIMITS.items():
        assert [int(number.replace(",", "")) for number in re.findall(pattern, section)] == [limit], pattern
    assert limits.FILE_BYTES % 1_000_000 == 0
    if file == NOTATION:
        assert f"at most {limits.PROBLEMS} a file" in section


def test_the_readme_counts_the_shipped_schedules() -> None:
    shipped = sum(len(source.schedules) for source in load([str(ROOT / "schedules")]))
    assert re.findall(r"([\d,]+) shipped schedules", text_of(README)) == [f"{shipped:,}"]


# -- what docs/notation.md and docs/semantics.md say -----------------------------------------------------------------
def table(file: str, heading: str) -> list[list[str]]:
    """The rows of the table that has this header row."""
    lines = text_of(file).split("\n")
    start = lines.index(heading) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


def test_what_the_table_of_names_says_to_write_parses() -> None:
    rows = table(NOTATION, "| you mean | write |")
    assert len(rows) >= 10
    for _, written in rows:
        text = written.strip("` ")
        assert Schedule.parse(text).events, text
    assert Schedule.parse("w1[m12]").events[0] == Schedule.parse("w1[m@12]").events[0]


def test_the_trap_of_a_value_with_spaces_is_as_described() -> None:
    (good, _), (trap, _) = table(NOTATION, "| written | read |")
    quoted, bare = (Schedule.parse(cell.strip("`")).events[0] for cell in (good, trap))
    assert isinstance(quoted, Write) and isinstance(bare, Write)
    assert (quoted.value, quoted.predicates) == ('"lives in Rome"', ())
    assert (bare.value, bare.predicates) == ('"lives"', ("Rome",))
    assert bare.matches(Predicate("facts", "Rome"))


@pytest.mark.parametrize(("predicates", "phantom"), [("", False), ('"predicates": ["user=alice"], ', True)])
def test_without_predicates_on_a_write_there_is_no_phantom(predicates: str, phantom: bool) -> None:
    search = '{"op": "r", "txn": "%s", "table": "memories", "predicate": "user=alice", "matched": []}\n'
    insert = '{"op": "w", "txn": "%s", "table": "memories", "item": "m%s", "version": "1", %s"insert": true}\n'
    lines = search % 1 + search % 2 + insert % (1, 1, predicates) + insert % (2, 2, predicates)
    (schedule,), _ = read_json_lines(lines + '{"op": "c", "txn": "1"}\n{"op": "c", "txn": "2"}\n')
    verdict = check(schedule)
    assert verdict.findings["P3"].present is phantom
    assert verdict.maximal("graph") == (("SI",) if phantom else ("SR",))


@pytest.mark.parametrize(
    ("line", "erased"),
    [
        ("", False),
        ("surface closed:memories audit", False),
        ("surface closed:memories", True),
        ("surface current", True),
    ],
)
def test_tables_of_records_that_a_surface_line_does_not_name(line: str, erased: bool) -> None:
    """They keep nothing, and what is overwritten in them is no fact."""
    assert "tables called `history` or `audit` hold neither facts nor recovery rows" in flat(text_of(SEMANTICS))
    lost = f"{line}\nw1[x1 prov p] c1 w2[x2 prov q] w2[+audit:e1 prov p+q] c2"
    assert check(Schedule.parse(lost)).findings["N3"].present is erased
    within = f"{line}\nw1[audit:e1 prov p] c1 w2[audit:e2 prov q] c2"
    assert check(Schedule.parse(within)).findings["N3"].present is False


def test_the_surface_line_is_used_as_the_notation_says() -> None:
    assert "does not use" not in text_of(NOTATION)
    lost = "w1[x1 prov p] c1 w2[x2 prov q] c2"
    present = [check(Schedule.parse(f"{line}{lost}")).findings["N3"].present for line in ("", "surface closed\n")]
    assert present == [True, False]


def test_nobody_has_to_know_what_the_seed_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Documents and helps say "the paper"; a seed is one of a random search, or of a judge."""
    said = {file: text_of(file) for file in LINKED} | helps(capsys)
    said |= {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.svg")}
    said["toki-verify --help"] = helped(capsys)
    found = {name for name, text in said.items() if re.search(r"\bthe seed('s)?\b", text) and name != "ARCHITECTURE.md"}
    assert found == set()


def helped(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["--help"]) == 0
    return capsys.readouterr().out


def test_references_to_the_semantics_have_a_section() -> None:
    text = text_of(SEMANTICS)
    sections = set(re.findall(r"^## §([0-9]+) ", text, re.MULTILINE))
    sources = [
        *(ROOT / "toki_verify").rglob("*.py"),
        *(ROOT / "toki_verify").rglob("*.toml"),
        ROOT / "ARCHITECTURE.md",
        *(ROOT / "docs").glob("*.md"),
    ]
    named = {
        number
        for path in sources
        for group in re.findall(r"SEMANTICS ((?:§[0-9]+(?:, )?)+)", path.read_text(encoding="utf-8"))
        for number in re.findall(r"[0-9]+", group)
    }
    assert named and named <= sections


# -- what is computed --------------------------------------------------------------------------------------------------
def test_the_guard_map_in_the_readme_is_what_the_proofs_say() -> None:
    """`proofs/` is checked by `test_proofs.py`; that the command says the same is a test of the command."""
    from toki_verify.claims.guard_map import guard_map
    from toki_verify.claims.stored import from_directory
    from toki_verify.report.guard_map import guard_map_markdown

    shown = re.search(r"<!-- guard map: .*? -->\n(.*?)<!-- end -->", text_of(README), re.DOTALL)
    assert shown is not None
    assert shown.group(1).strip() == guard_map_markdown(guard_map(cells=from_directory(ROOT / "proofs"))).strip()
