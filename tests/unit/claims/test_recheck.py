"""Proof directories: everything in them is checked again, and whatever was changed in them is found."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")
pytest.importorskip("pysat")

from toki_verify.claims.cells import Cells
from toki_verify.claims.files import Writer
from toki_verify.claims.manifest import Manifest, ManifestError, digest
from toki_verify.claims.recheck import Checked, recheck
from toki_verify.claims.registry import chosen, claims
from toki_verify.phenomena.catalogue import UnknownName


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with an unbounded proof, a proof by definition, and a smallest schedule."""
    directory = tmp_path_factory.mktemp("proofs")
    writer, cells = Writer(directory), Cells()
    for claim in chosen(["T1.sound.A5B.SR", "T1.sound.P1.RC", "T1.tight.P4.RC", "W.P4"]):
        writer.add(claim, claim.decide(cells), 0.1)
    writer.finish()
    return directory


@pytest.fixture
def copy(proved: Path, tmp_path: Path) -> Path:
    shutil.copytree(proved, tmp_path / "proofs")
    return tmp_path / "proofs"


def bad(directory: Path) -> list[Checked]:
    return [checked for checked in recheck(directory) if checked.status != "ok"]


def statuses(directory: Path) -> set[str]:
    """What is said of the files and proofs; claims that depend on them fail with them."""
    return {checked.status for checked in bad(directory) if checked.what not in claims()}


def test_what_was_written_is_accepted(proved: Path) -> None:
    found = list(recheck(proved))
    assert {checked.status for checked in found} == {"ok"}
    assert sum("kernel" in checked.detail for checked in found) == 3
    assert sum("refute" in checked.detail for checked in found) > 3
    assert {"T1.sound.A5B.SR", "T1.tight.P4.RC", "W.P4"} <= {checked.what for checked in found}


A5B, P4 = "T1.sound.A5B.SR", "T1.tight.P4.RC"
FILES = (
    f"obligations/{A5B}.smt2",
    f"certificates/{A5B}.cpc",
    f"certificates/{P4}/events-2-2-items-3.cnf",
    f"certificates/{P4}/events-2-2-items-3.drat",
)


@pytest.mark.parametrize("name", FILES)
def test_an_edited_file_is_found_by_its_hash(copy: Path, name: str) -> None:
    path = copy / name
    path.write_text(path.read_text() + " ")
    assert "corrupt" in statuses(copy)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_found(copy: Path, name: str) -> None:
    (copy / name).unlink()
    assert any(checked.problem and name in str(checked.problem.file) for checked in bad(copy))


def resigned(directory: Path, name: str, text: str) -> None:
    """Write a file and make the manifest say its new hash: somebody who wants to deceive."""
    old = digest((directory / name).read_text())
    (directory / name).write_text(text)
    manifest = directory / "manifest.toml"
    assert old in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(old, digest(text)))


def change(directory: Path, edit: Callable[[Manifest], None]) -> None:
    """Rewrite the manifest."""
    manifest = Manifest.read(directory)
    edit(manifest)
    (directory / "manifest.toml").write_text(manifest.text())


SMT2 = f"obligations/{A5B}.smt2"


@pytest.mark.parametrize(
    "text",
    [
        "(set-logic UF)\n(assert false)\n(check-sat)\n",
        "(set-logic UF)\n(check-sat)\n",
        "(assert",
        "(not " * 200_000,
        '(set-option :regular-output-channel "victim")\n(assert false)\n(check-sat)\n',
    ],
    ids=["another", "weakened", "malformed", "deep", "an option"],
)
def test_an_obligation_that_the_definitions_do_not_make_reaches_no_solver(
    copy: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy)
    resigned(copy, SMT2, text)
    found = [checked for checked in bad(copy) if checked.what == A5B]
    assert any("not those of the statement" in checked.detail for checked in found)
    assert not (copy / "victim").exists()


def test_an_obligation_with_an_assertion_more_is_refused(copy: Path) -> None:
    text = (copy / SMT2).read_text()
    resigned(copy, SMT2, text.replace("(check-sat)", "(assert false)\n(check-sat)"))
    assert any("not those of the statement" in checked.detail for checked in bad(copy))


@pytest.mark.parametrize("keep", [0.3, 0.9])
def test_a_truncated_certificate_is_not_accepted_even_with_its_hash(copy: Path, keep: float) -> None:
    name = f"certificates/{A5B}.cpc"
    text = (copy / name).read_text()
    resigned(copy, name, text[: int(len(text) * keep)])
    assert "failed" in statuses(copy)


def test_clauses_of_something_else_are_refused_even_with_their_hash(copy: Path) -> None:
    name = f"certificates/{P4}/events-2-2-items-3"
    resigned(copy, f"{name}.cnf", "p cnf 1 1\n0\n")
    resigned(copy, f"{name}.drat", "")
    assert any("not the clauses" in checked.detail for checked in bad(copy))


def test_a_refutation_that_refutes_nothing_is_not_accepted_even_with_its_hash(copy: Path) -> None:
    resigned(copy, f"certificates/{P4}/events-2-2-items-3.drat", "")
    assert "failed" in statuses(copy)


#: What somebody could write into the manifest, and of what it is then said that it is wrong.
LIES: dict[str, tuple[Callable[[Manifest], object], str]] = {
    "a statement": (lambda m: setattr(m.proofs[A5B], "statement", "no schedule at RU shows A5B"), A5B),
    "a claim's statement": (lambda m: setattr(m.claims[A5B], "statement", "no schedule at RU shows A5B"), A5B),
    "a refuted claim that holds": (lambda m: setattr(m.claims["W.P4"], "verdict", "holds"), "W.P4"),
    "no instances": (lambda m: setattr(m.proofs[A5B], "instances", []), A5B),
    "instances that meet nothing": (lambda m: setattr(m.proofs[A5B], "instances", ["r1[x0] c1", "r1[x0] c1"]), A5B),
    "old definitions": (lambda m: setattr(m.proofs[A5B], "definitions", "0" * 64), A5B),
    "no certificate": (lambda m: setattr(m.proofs[A5B].obligations[0], "certificate", ""), SMT2),
    "no obligations": (lambda m: setattr(m.proofs[A5B], "obligations", []), A5B),
    "no proofs": (lambda m: m.proofs.clear(), A5B),
    "a proof of another id": (lambda m: setattr(m.proofs[A5B], "id", "T1.sound.N1.SR"), "T1.sound.N1.SR"),
    "an id of nothing": (lambda m: setattr(m.proofs[A5B], "id", "T9"), "T9"),
    "a witness that is none": (lambda m: setattr(m.claims[P4], "witnesses", ["r1[x0] c1"]), P4),
    "a smallest schedule that is none": (lambda m: setattr(m.minimal[P4], "schedule", "r1[x0] c1"), P4),
    "a smaller size": (lambda m: setattr(m.minimal[P4], "events", 4), P4),
    "no refutations": (lambda m: (m.minimal[P4].cnf.clear(), m.minimal[P4].drat.clear()), P4),
    "a frame less": (lambda m: (m.minimal[P4].cnf.pop(), m.minimal[P4].drat.pop()), P4),
    "no smallest schedules": (lambda m: m.minimal.clear(), P4),
    "no counterexample": (lambda m: setattr(m.claims["W.P4"], "counterexample", ""), "W.P4"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_in_the_manifest_is_found(copy: Path, lie: str) -> None:
    edit, about = LIES[lie]
    change(copy, lambda manifest: edit(manifest) and None)
    assert about in [checked.what for checked in bad(copy)]


def test_a_file_that_nobody_lists_is_found(copy: Path) -> None:
    (copy / "obligations" / "mine.smt2").write_text("(check-sat)\n")
    assert [checked.status for checked in bad(copy)] == ["corrupt"]


def test_a_path_out_of_the_directory_is_refused(copy: Path) -> None:
    manifest = copy / "manifest.toml"
    manifest.write_text(manifest.read_text().replace(SMT2, "../../etc/passwd"))
    assert any("outside" in checked.detail for checked in bad(copy))


def test_what_is_no_regular_file_is_refused(copy: Path) -> None:
    (copy / SMT2).unlink()
    os.mkfifo(copy / SMT2)
    assert any("no regular file" in checked.detail for checked in bad(copy))
    (copy / SMT2).unlink()
    (copy / SMT2).symlink_to(copy / SMT2)
    assert "corrupt" in statuses(copy)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "format = 1",
        "not toml [",
        'format = "toki-proofs/1"\n[[proof]]\nid = "x"\n',
        'format = "other"\n',
        "a = " + "[" * 5000,
        "a = " + "9" * 6000,
    ],
)
def test_a_manifest_that_cannot_be_read_says_why(copy: Path, text: str) -> None:
    (copy / "manifest.toml").write_text(text)
    with pytest.raises(ManifestError, match="expected"):
        list(recheck(copy))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('file = "', "file = 1 #"),
        ("instances = [", "instances = [1, "),
        ('certificate = "', "certificate = 1 #"),
        ("axioms = [", "axioms = 1 #"),
        ("proofs = [", "proofs = [[]] #"),
        ("steps = ", 'steps = "x" #'),
        ("events = ", "events = true #"),
        ('sha256 = "', "sha256 = 1 #"),
    ],
)
def test_a_value_of_a_wrong_type_is_refused(copy: Path, old: str, new: str) -> None:
    manifest = copy / "manifest.toml"
    assert old in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(old, new, 1))
    with pytest.raises(ManifestError, match="does not fit"):
        list(recheck(copy))


def test_a_manifest_reads_back(proved: Path) -> None:
    text = (proved / "manifest.toml").read_text()
    assert Manifest.read(proved).text() == text


def test_claims_are_chosen_by_id_prefix_and_glob() -> None:
    assert [claim.id for claim in chosen(["T1.sound.A5B.SR"])] == ["T1.sound.A5B.SR"]
    assert len(chosen(["T1.sound"])) == 33
    assert len(chosen(["T1.tight"])) == 23
    assert {claim.id for claim in chosen(["W.*"])} == {id for id in claims() if id.startswith("W.")}
    with pytest.raises(UnknownName, match=r"T1\.sound"):
        chosen(["T1.sond"])
