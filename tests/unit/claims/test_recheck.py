"""Proof directories: everything in them is checked again, and whatever was changed in them is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")
pytest.importorskip("pysat")

from toki_verify.claims.cells import Cells
from toki_verify.claims.files import Writer
from toki_verify.claims.manifest import Manifest, ManifestError
from toki_verify.claims.recheck import Checked, recheck
from toki_verify.claims.registry import chosen, claims
from toki_verify.phenomena.catalogue import UnknownName


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with an unbounded proof, a proof by definition, and a smallest schedule."""
    directory = tmp_path_factory.mktemp("proofs")
    writer, cells = Writer(directory), Cells()
    for claim in chosen(["T1.sound.A5B.SR", "T1.sound.P1.RC", "T1.tight.P4.RC"]):
        writer.add(claim, claim.decide(cells), 0.1)
    writer.finish()
    return directory


@pytest.fixture
def copy(proved: Path, tmp_path: Path) -> Path:
    shutil.copytree(proved, tmp_path / "proofs")
    return tmp_path / "proofs"


def bad(directory: Path) -> list[Checked]:
    return [checked for checked in recheck(directory) if checked.status != "ok"]


def test_what_was_written_is_accepted(proved: Path) -> None:
    found = list(recheck(proved))
    assert {checked.status for checked in found} == {"ok"}
    assert sum("kernel" in checked.detail for checked in found) == 2
    assert sum("refute" in checked.detail for checked in found) > 3


def files() -> list[str]:
    return [
        "obligations/T1.sound.A5B.SR.smt2",
        "certificates/T1.sound.A5B.SR.cpc",
        "certificates/T1.tight.P4.RC/events-2-2-items-3.cnf",
        "certificates/T1.tight.P4.RC/events-2-2-items-3.drat",
    ]


@pytest.mark.parametrize("name", files())
def test_an_edited_file_is_found_by_its_hash(copy: Path, name: str) -> None:
    path = copy / name
    path.write_text(path.read_text() + " ")
    assert [checked.status for checked in bad(copy)] == ["corrupt"]


@pytest.mark.parametrize("name", files())
def test_a_missing_file_is_found(copy: Path, name: str) -> None:
    (copy / name).unlink()
    found = bad(copy)
    assert [checked.status for checked in found] == ["corrupt"]
    assert found[0].problem is not None
    assert name in str(found[0].problem.file)


def resigned(directory: Path, name: str, text: str) -> None:
    """Write a file and make the manifest say its new hash: somebody who wants to deceive."""
    from toki_verify.claims.manifest import digest

    old = digest((directory / name).read_text())
    (directory / name).write_text(text)
    manifest = directory / "manifest.toml"
    assert old in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(old, digest(text)))


def test_a_weakened_obligation_is_not_accepted_even_with_its_hash(copy: Path) -> None:
    """Without one of its hypotheses the obligation has a model, and its certificate assumes what is not there."""
    name = "obligations/T1.sound.A5B.SR.smt2"
    lines = (copy / name).read_text().split("\n")
    last = max(place for place, line in enumerate(lines) if line.startswith("(assert"))
    resigned(copy, name, "\n".join([*lines[:last], "(check-sat)", ""]))
    found = bad(copy)
    assert any("sat" in checked.detail for checked in found)
    assert any(checked.what.endswith(".cpc") for checked in found)


@pytest.mark.parametrize("keep", [0.3, 0.9])
def test_a_truncated_certificate_is_not_accepted_even_with_its_hash(copy: Path, keep: float) -> None:
    name = "certificates/T1.sound.A5B.SR.cpc"
    text = (copy / name).read_text()
    resigned(copy, name, text[: int(len(text) * keep)])
    assert [checked.status for checked in bad(copy)] == ["failed"]


def test_a_refutation_that_refutes_nothing_is_not_accepted_even_with_its_hash(copy: Path) -> None:
    name = "certificates/T1.tight.P4.RC/events-2-2-items-3.drat"
    resigned(copy, name, "")
    assert [checked.status for checked in bad(copy)] == ["failed"]


def test_a_proof_without_instances_is_not_accepted(copy: Path) -> None:
    manifest = Manifest.read(copy)
    manifest.proofs["T1.sound.A5B.SR"].instances = []
    (copy / "manifest.toml").write_text(manifest.text())
    assert ["hypotheses" in checked.detail for checked in bad(copy)] == [True]


def test_a_definition_that_changed_makes_a_proof_stale(copy: Path) -> None:
    manifest = Manifest.read(copy)
    manifest.proofs["T1.sound.A5B.SR"].definitions = "0" * 64
    (copy / "manifest.toml").write_text(manifest.text())
    assert ["stale" in checked.detail for checked in bad(copy)] == [True]


def test_a_file_that_nobody_lists_is_found(copy: Path) -> None:
    (copy / "obligations" / "mine.smt2").write_text("(check-sat)\n")
    assert [checked.status for checked in bad(copy)] == ["corrupt"]


def test_a_path_out_of_the_directory_is_refused(copy: Path) -> None:
    manifest = copy / "manifest.toml"
    manifest.write_text(manifest.read_text().replace("obligations/T1.sound.A5B.SR.smt2", "../../etc/passwd"))
    assert any("outside" in checked.detail for checked in bad(copy))


@pytest.mark.parametrize(
    "text", ["", "format = 1", "not toml [", 'format = "toki-proofs/1"\n[[proof]]\nid = "x"\n', 'format = "other"\n']
)
def test_a_manifest_that_cannot_be_read_says_why(copy: Path, text: str) -> None:
    (copy / "manifest.toml").write_text(text)
    with pytest.raises(ManifestError, match="expected"):
        list(recheck(copy))


def test_a_manifest_reads_back(proved: Path) -> None:
    text = (proved / "manifest.toml").read_text()
    assert Manifest.read(proved).text() == text


def test_claims_are_chosen_by_id_prefix_and_glob() -> None:
    assert [claim.id for claim in chosen(["T1.sound.A5B.SR"])] == ["T1.sound.A5B.SR"]
    assert len(chosen(["T1.sound"])) == 33
    assert len(chosen(["T1.tight"])) == 23
    assert {claim.id for claim in chosen(["W.*"])} == {id for id in claims() if id.startswith("W.")}
    with pytest.raises(UnknownName, match="T1"):
        chosen(["T1.sond"])
