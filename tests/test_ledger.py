"""The committed ledger: every claim has a row, the rows are what the code decides, and every schedule is as it says.

`make recheck` decides every row again and compares the whole file; here the slow ones are compared with the manifest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")

from toki_verify.claims.deciding import decide, directories, units
from toki_verify.claims.ledger import METHODS, VERDICTS, Row, missing, required
from toki_verify.claims.manifest import ClaimEntry, Manifest
from toki_verify.claims.registry import claims
from toki_verify.claims.seed import CLASSICAL, GUARD, NINE, SIX, dominates
from toki_verify.events import Schedule, ScheduleError
from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.concrete import Concrete
from toki_verify.report.ledger import section, shown, without_times

ROOT = Path(__file__).resolve().parents[1]
PROOFS = ROOT / "proofs"
LEDGER = (PROOFS / "ledger.md").read_text(encoding="utf-8")
LIST = ROOT.parent / "shared" / "CLAIMS.md"
#: Claims that, with those that share histories with them, took longer than this are left to `make recheck`; but not
#: those about cells, whose searches are stored.
SLOW = 1.0
REGENERATE = "run `make ledger`"


@cache
def sections() -> dict[str, str]:
    """The sections of the committed ledger by id, without their times."""
    parts = re.split(r"^### ", without_times(LEDGER), flags=re.MULTILINE)[1:]
    found = {part.partition("\n")[0]: re.split(r"^## ", f"### {part}", flags=re.MULTILINE)[0] for part in parts}
    assert len(found) == len(parts)
    return found


@cache
def stored() -> dict[str, ClaimEntry]:
    return {id: entry for path in directories(PROOFS) for id, entry in Manifest.read(path).claims.items()}


@cache
def quick() -> dict[str, Row]:
    """The rows of the claims that are quick, decided now from the stored proofs."""
    shipped = [claim for id, claim in claims().items() if id in stored()]
    fast = [
        claims()[id]
        for unit in units(shipped, directories(PROOFS))
        for id in unit.ids
        if unit.directory == str(PROOFS) or sum(stored()[other].seconds for other in unit.ids) < SLOW
    ]
    return {row.id: row for row in decide(fast, proofs=directories(PROOFS))}


# -- the ids -----------------------------------------------------------------------------------------------------------
def expanded(name: str) -> Iterator[str]:
    """The ids that an entry of the list stands for."""
    if name in ("T1.sound.φ.L", "T1.tight.φ.L"):
        sound = "sound" in name
        yield f"T1.{'sound' if sound else 'tight'}"
        for of in NINE:
            yield from (name.replace("φ.L", f"{of}.{at}") for at in SIX if dominates(at, GUARD[of]) is sound)
    elif name == "W.P0 … W.A5B":
        yield from (f"W.{of}" for of in CLASSICAL)
        yield "Prop3"
    else:
        yield name


@pytest.mark.skipif(not LIST.exists(), reason="the list of claims is not at hand")
def test_the_required_ids_are_those_of_the_list() -> None:
    rows = re.findall(r"^\| ([^|]+) \|", LIST.read_text(encoding="utf-8"), re.MULTILINE)
    names = [name for row in rows for name in row.split(", ") if name != "id" and not name.startswith(("*ESR", "ESR."))]
    wanted = {id for name in names for id in expanded(name)}
    assert len(wanted) > 100
    assert wanted == set(required())


def test_no_claim_is_missing() -> None:
    assert missing(claims()) == []
    assert missing(sections()) == []
    without = [id for id in claims() if id not in ("T1.chain", "W.P3") and not id.startswith("Alg1.")]
    assert missing(without) == ["T1.chain", "W.P3", "Alg1.*"]


def test_the_ledger_has_a_row_for_every_claim_in_order() -> None:
    assert list(sections()) == list(claims()), REGENERATE


def verdicts_of(ledger: str) -> tuple[dict[str, str], dict[str, str], dict[str, int]]:
    """By id the verdicts of the sections and of the overview, and the counts of the first line."""
    parts = re.findall(r"^### (\S+)\n\n\*\*([a-z-]+)\*\*", ledger, re.MULTILINE)
    overview = re.findall(r"^\| \[([^\]]+)\]\(#[^)]*\) \| ([a-z-]+) \|", ledger, re.MULTILINE)
    line = re.search(r"^(\d+) claims: (.*)\.$", ledger, re.MULTILINE)
    assert line is not None
    counts = {name: int(count) for count, name in re.findall(r"(\d+) ([a-z-]+)", line[2])}
    assert sum(counts.values()) == int(line[1]) == len(parts)
    return dict(parts), dict(overview), counts


def test_the_overview_says_what_the_sections_say() -> None:
    parts, overview, counts = verdicts_of(LEDGER)
    assert list(parts) == list(claims())
    assert counts == {name: list(parts.values()).count(name) for name in counts}
    assert set(counts) == set(parts.values())
    # What is out of scope is neither as printed nor not.
    assert overview == {id: said for id, said in parts.items() if said not in ("holds", "out-of-scope")}, REGENERATE
    edited = LEDGER.replace("| refuted |", "| holds |", 1)
    assert verdicts_of(edited)[1] != overview


# -- the rows ----------------------------------------------------------------------------------------------------------
def test_the_ledger_says_what_the_code_says() -> None:
    wrong = [id for id, row in quick().items() if without_times(section(row)).strip() != sections()[id].strip()]
    assert len(quick()) > 110
    assert wrong == [], REGENERATE


def test_what_is_slow_says_what_the_manifest_says() -> None:
    """That the manifest says what the code says is what `make recheck` checks."""
    slow = [entry for id, entry in stored().items() if id not in quick()]
    assert len(slow) >= 5
    for entry in slow:
        text = sections()[entry.id]
        assert f"**{entry.verdict.replace('undecided', 'unknown')}**" in text, f"{entry.id}: {REGENERATE}"
        assert all(line in text for line in entry.evidence), f"{entry.id}: {REGENERATE}"
        assert entry.counterexample in text, f"{entry.id}: {REGENERATE}"


def test_every_artifact_is_there() -> None:
    manifests = [Manifest.read(path) for path in directories(PROOFS)]
    known = {id for found in manifests for id in (*found.proofs, *found.equations, *found.minimal)}
    named = {id: re.findall("`([^`]+)`", field(text, "artifact")) for id, text in sections().items() if id in stored()}
    assert sum(map(len, named.values())) > 150
    assert {
        id: [name for name in names if name not in known] for id, names in named.items() if set(names) - known
    } == {}


def field(text: str, name: str) -> str:
    found = re.search(rf"^- {name}(?: \([^)]*\))?: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else ""


def faults(text: str) -> list[str]:
    """What is wrong with a section, whatever its claim."""
    verdict = re.search(r"^\*\*([a-z-]+)\*\*: .", text, re.MULTILINE)
    word = verdict.group(1) if verdict else ""
    wrong = [f"verdict {word!r}"] if word not in VERDICTS else []
    method = field(text, "method")
    wrong += [f"method {method!r}"] if method not in METHODS else []
    wrong += [f"no {name}" for name in ("where", "reading", "found") if not field(text, name)]
    if word in ("holds", "holds-repaired"):
        by = {"proof": ("artifact",), "property": ("bound",), "exhaustive": ("bound", "artifact")}.get(method, ())
        wrong += [] if any(field(text, name) for name in by) else ["holds, and nothing shows it"]
    if word == "holds-repaired":
        wrong += [] if "\n- repair (holds" in text else ["repaired, and no repair that holds"]
    if word == "refuted":
        shows = "\n- counterexample:\n" in text or "\n- evidence:\n" in text or field(text, "artifact")
        wrong += [] if shows else ["refuted, and nothing to follow"]
    return wrong


def test_every_row_is_shown_by_something() -> None:
    assert {id: faults(text) for id, text in sections().items() if faults(text)} == {}


@pytest.mark.parametrize(
    ("id", "old", "new"),
    [
        ("T1.sound.A5B.SR", "- artifact:", "- artefact:"),
        ("T1.carrier", "- bound:", "- bounds:"),
        ("T1.sound.N1.SR", "- counterexample:", "- example:"),
        ("Tab10.run", "- repair (holds)", "- repair"),
        ("W.P0", "**holds**", "**true**"),
        ("W.P0", "- method: exhaustive", "- method: thought"),
    ],
)
def test_a_row_without_what_shows_it_is_a_fault(id: str, old: str, new: str) -> None:
    assert old in sections()[id]
    assert faults(sections()[id].replace(old, new))


# -- the schedules -----------------------------------------------------------------------------------------------------
BLOCK = re.compile(r"^```(sched|text)\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
EVENT = r"(?:[rw]\d+\[[^\[\]]*\]|r\d+\{[^{}]*\}|j\d+\([^()]*\)(?:=\d+)?|cb\d+\([^()]*\)|[abc]\d+)"
EVENTS = re.compile(rf"(?<![\w…] )(?<!\w){EVENT}(?: {EVENT})+(?! …)")


def test_every_schedule_parses() -> None:
    found = [text for kind, body in BLOCK.findall(LEDGER) if kind == "sched" for text in body.split("\n\n")]
    assert len(found) > 60
    for text in found:
        assert Schedule.parse(text).events


def test_under_a_counterexample_stands_what_a_check_says() -> None:
    found = 0
    for id, text in sections().items():
        if "\n- counterexample:\n" in text:
            (_, schedule), (_, said) = BLOCK.findall(text.partition("\n- counterexample:\n")[2])[:2]
            assert shown(schedule) == said.split("\n"), f"{id}: {REGENERATE}"
            found += 1
    assert found > 8


def test_another_schedule_shows_something_else() -> None:
    assert shown("r1[x0] w2[x1] c2 w1[x2] c1") != shown("r1[x0] c1 w2[x1] c2")


CELL = re.compile(r"T1\.(sound|tight)\.([A-Z0-9]+[AB]?)\.(RC|SI|SR)(\+cb)?")


def test_the_schedules_of_cells_are_at_their_level_and_show_their_phenomenon() -> None:
    found = 0
    for id, text in sections().items():
        cell = CELL.fullmatch(id)
        schedules = [body for kind, body in BLOCK.findall(text) if kind == "sched"]
        if cell is None or not schedules:
            continue
        (schedule,) = schedules
        concrete = Concrete(Schedule.parse(schedule))
        level = parse_spec(cell.group(3) + (cell.group(4) or ""))
        assert concrete.holds(level.formula & phenomenon(cell.group(2)).formula), id
        assert ("**refuted**" in text) is (cell.group(1) == "sound")
        found += 1
    assert found == 24


def test_schedules_in_the_lines_of_evidence_parse() -> None:
    lines = [line for kind, body in BLOCK.findall(LEDGER) if kind == "text" for line in body.split("\n")]
    found = {(text, "no schedule" in line) for line in lines for text in EVENTS.findall(line)}
    assert len(found) > 50
    assert {text: said for text, said in found if parses(text) is said} == {}


def parses(text: str) -> bool:
    try:
        Schedule.parse(text)
    except ScheduleError:
        return False
    return True


def test_the_pictures_are_what_the_code_draws() -> None:
    from toki_verify.claims.deciding import stored_cells
    from toki_verify.claims.guard_map import guard_map
    from toki_verify.report.plots import pictures

    drawn = pictures(guard_map(cells=stored_cells(str(PROOFS))[1]))
    assert len(drawn) == 3
    wrong = [name for name, text in drawn.items() if (ROOT / "docs" / name).read_text(encoding="utf-8") != text]
    assert wrong == [], REGENERATE


@pytest.mark.heavy
def test_the_whole_ledger_is_what_the_code_says() -> None:
    """`make recheck` does it, too, with as many processes as there are cores."""
    rows = {row.id: row for row in decide(list(claims().values()), proofs=directories(PROOFS))}
    wrong = [id for id in claims() if without_times(section(rows[id])).strip() != sections()[id].strip()]
    assert wrong == [], REGENERATE


@pytest.mark.heavy
def test_the_whole_ledger_from_nothing_has_the_same_verdicts() -> None:
    """Without proofs that were kept: every search is made again, every obligation asked. Ten minutes with one core."""
    found = {row.id: row for row in decide(list(claims().values()), jobs=2)}
    stored_verdicts = {id: text.split("**")[1] for id, text in sections().items()}
    assert {id: row.verdict for id, row in found.items()} == stored_verdicts
    nothing = {id for id, row in found.items() if row.verdict.startswith("holds") and not (row.artifact or row.bound)}
    assert nothing == set()
