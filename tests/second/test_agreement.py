"""Every refutation and every exhaustive row is reached in two ways, and they agree (issue 5).

The first way is the claim's own; what it says is in the manifest, which `tests/test_proofs.py` ties to the code. The
second ways are here, or named in `registry.POINTERS`.
"""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

pytest.importorskip("z3")

from toki_verify.claims.registry import claims

from . import registry, schedule_claims
from .model import compare, stored
from .registry import NONE_YET, POINTERS, decider_of

registry.load()
TESTS = Path(__file__).resolve().parents[1]
DECIDED = [id for id in claims() if decider_of(id) is not None]


def needs_two(id: str) -> bool:
    """Whether a claim is refuted, depends on its reading, was repaired, or was decided exhaustively; or is not stored
    yet, so that nobody knows."""
    entry = stored().get(id)
    if entry is not None and entry.verdict == "out-of-scope":
        return False
    return entry is None or entry.verdict in ("refuted", "depends", "holds-repaired") or entry.method == "exhaustive"


def second_way(id: str) -> str:
    """Where a claim is decided again; "": nowhere."""
    if decider_of(id) is not None:
        return "here"
    pointed = [test for pattern, test in POINTERS.items() if fnmatchcase(id, pattern)]
    return pointed[0] if pointed else "no way yet" if id in NONE_YET else ""


def test_every_refutation_and_every_exhaustive_row_has_a_second_way() -> None:
    assert [id for id in claims() if needs_two(id) and not second_way(id)] == []
    assert sum(map(needs_two, claims())) > 140


def test_a_claim_without_a_second_way_is_found() -> None:
    assert needs_two("T9.new") and not second_way("T9.new")


@pytest.mark.parametrize("id", DECIDED)
def test_both_ways_agree(id: str) -> None:
    decide = decider_of(id)
    assert decide is not None
    assert compare(id, decide(id)) == []


def test_every_decider_decides_something() -> None:
    unused = [pattern for pattern in registry.DECIDERS if not any(fnmatchcase(id, pattern) for id in claims())]
    assert unused == []


#: What a test that compares two ways has in it.
COMPARING = (ast.Compare,)


@pytest.mark.parametrize("pattern", POINTERS)
def test_what_is_pointed_to_is_a_test_that_compares(pattern: str) -> None:
    file, _, name = POINTERS[pattern].partition("::")
    tree = ast.parse((TESTS.parent / file).read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
    assert len(found) == 1 and name.startswith("test_")
    asserted = [node for node in ast.walk(found[0]) if isinstance(node, ast.Assert)]
    assert any(isinstance(inner, COMPARING) for node in asserted for inner in ast.walk(node)), "nothing is compared"


def test_what_has_no_second_way_says_why() -> None:
    assert all(id in claims() and reason for id, reason in NONE_YET.items())


#: What a second way may use of the package: events and their notation, the enumerator of schedules, elements of
#: carriers as texts; of the store, of which Alg1.raises speaks, its interface. Nothing that decides a claim.
ALLOWED = {
    "toki_verify.events",
    "toki_verify.notation",
    "toki_verify.search.census",
    "toki_verify.algebra.carriers",
}
COMPARISON = {"toki_verify.claims.manifest", "toki_verify.claims.registry", "toki_verify.claims.stored"}
STORES = {"toki_verify.stores", "toki_verify.algebra"}
#: What runs a design. Not who explores it, which questions are asked, or the formulas.
ENGINE = {
    f"toki_verify.designs.{name}" for name in ("engine", "library", "machine", "model", "program", "review", "runs")
}


@pytest.mark.parametrize("file", sorted(Path(__file__).parent.glob("*.py")), ids=lambda file: file.name)
def test_second_ways_share_no_deciding_code(file: Path) -> None:
    more = {"model.py": COMPARISON, "lift_claims.py": STORES, "design_claims.py": ENGINE}.get(file.name, set())
    if file.name.startswith("test_"):
        more = COMPARISON
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        used = {name for name in names if name.startswith("toki_verify")}
        assert used <= ALLOWED | more, file.name


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(len(schedule_claims.HEAVY)))
def test_no_smaller_schedule_turns_up_among_more(number: int) -> None:
    """Deletes, callbacks, judge calls beside reads and writes; six events, three transactions: no cell has a schedule
    that is smaller than the stored one, and no cell that was proved empty has one."""
    found = schedule_claims.sizes((schedule_claims.HEAVY[number],))
    assert found
    for (name, level), size in found.items():
        known = schedule_claims.smallest(name, level, schedule_claims.id_of(name, level))
        assert known is not None and size >= known, (name, level)
