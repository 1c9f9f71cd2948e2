"""The shipped proofs: every claim has its artifacts, and everything in `proofs/` is accepted again."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")

from toki_verify.checker import check
from toki_verify.claims.cells import Cells
from toki_verify.claims.current import meaning_of
from toki_verify.claims.manifest import Manifest
from toki_verify.claims.model import VERDICTS
from toki_verify.claims.recheck import recheck
from toki_verify.claims.registry import claims
from toki_verify.events import Schedule
from toki_verify.notation import parse_text
from toki_verify.relations.fingerprint import fingerprint

PROOFS = Path(__file__).resolve().parents[1] / "proofs"
MANIFEST = Manifest.read(PROOFS)
READINGS = Manifest.read(PROOFS / "readings")
ALGEBRA = Manifest.read(PROOFS / "algebra")
BRIDGE = Manifest.read(PROOFS / "bridge")
DESIGNS = Manifest.read(PROOFS / "designs")


@pytest.mark.heavy
def test_everything_is_accepted_again() -> None:
    """`make recheck`, which CI runs, does it, too."""
    wrong = [(checked.what, checked.status, checked.detail) for checked in recheck(PROOFS) if checked.status != "ok"]
    assert wrong == []


@pytest.mark.heavy
def test_the_readings_are_accepted_again() -> None:
    found = list(recheck(PROOFS / "readings"))
    assert [(checked.what, checked.status, checked.detail) for checked in found if checked.status != "ok"] == []


def test_every_claim_has_a_verdict_with_its_artifact() -> None:
    shipped = MANIFEST.claims | READINGS.claims | ALGEBRA.claims | BRIDGE.claims | DESIGNS.claims
    assert set(shipped) == set(claims())
    assert {entry.verdict for entry in shipped.values()} <= set(VERDICTS) - {"undecided"}
    for id, entry in shipped.items():
        shown = entry.proofs or entry.witnesses or entry.counterexample or entry.evidence or entry.equations
        assert shown or entry.method == "property" or entry.bound or entry.verdict == "out-of-scope", id
        assert entry.verdict != "holds-repaired" or entry.repair, id


@pytest.mark.heavy
def test_the_claims_of_the_algebra_are_accepted_again() -> None:
    """`make recheck` does it, too."""
    found = list(recheck(PROOFS / "algebra"))
    assert [(checked.what, checked.status, checked.detail) for checked in found if checked.status != "ok"] == []


@pytest.mark.heavy
def test_the_claims_of_the_bridge_are_accepted_again() -> None:
    """`make recheck` does it, too."""
    found = list(recheck(PROOFS / "bridge"))
    assert [(checked.what, checked.status, checked.detail) for checked in found if checked.status != "ok"] == []


@pytest.mark.heavy
def test_the_claims_of_designs_are_accepted_again() -> None:
    """`make recheck` does it, too."""
    found = list(recheck(PROOFS / "designs"))
    assert [(checked.what, checked.status, checked.detail) for checked in found if checked.status != "ok"] == []


def test_every_obligation_has_both_solvers_and_a_certificate() -> None:
    obligations = [part for proof in MANIFEST.proofs.values() for part in proof.obligations]
    assert len(obligations) > 30
    for part in obligations:
        assert [answer.split()[0] for answer in part.answers] == ["z3", "cvc5"]
        assert all(answer.endswith("unsat") for answer in part.answers)
        assert part.certificate, part.id


def test_proofs_are_of_the_definitions_as_they_are() -> None:
    entries = [*MANIFEST.proofs.values(), *MANIFEST.minimal.values(), *READINGS.proofs.values()]
    assert len(entries) > 50
    for entry in entries:
        meaning = meaning_of(entry.id)
        assert meaning is not None
        assert entry.definitions == fingerprint(meaning.formula), f"{entry.id}: run `make prove`"


@pytest.mark.parametrize("id", ["W.P0", "W.P3", "W.P4", "T1.tight.P4.RC", "T1.sound.N1.SR", "T1.sound.P4.SI"])
def test_what_the_manifest_says_is_what_is_decided(id: str) -> None:
    outcome = claims()[id].decide(Cells())
    entry = MANIFEST.claims[id]
    assert (outcome.verdict, outcome.detail, outcome.repair) == (entry.verdict, entry.detail, entry.repair)


def test_the_printed_witnesses_are_those_of_the_library() -> None:
    """What the package holds for the claims W.* is what `schedules/` has with all that is true of it."""
    from toki_verify.claims.printed import PRINTED

    file = PROOFS.parent / "schedules" / "tightness" / "printed.sched"
    shipped = {schedule.name: schedule for schedule in parse_text(file.read_text(encoding="utf-8"))}
    for name, printed in PRINTED.items():
        assert Schedule.parse(printed.text).events == shipped[f"toki-W-{name}"].events


def test_the_smallest_schedules_are_shipped() -> None:
    file = PROOFS.parent / "schedules" / "tightness" / "guard-map.sched"
    shipped = parse_text(file.read_text(encoding="utf-8"))
    assert all(check(schedule).ok for schedule in shipped)
    texts = {str(schedule) for schedule in shipped}
    assert {str(Schedule.parse(entry.schedule)) for entry in MANIFEST.minimal.values()} <= texts
