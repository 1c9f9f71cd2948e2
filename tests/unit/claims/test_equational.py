"""Statements about every carrier: proved by two solvers and the kernel, met by carriers, checked again from files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")

from toki_verify.claims.cells import Cells
from toki_verify.claims.equational import prove_equation, with_answers
from toki_verify.claims.files import Writer
from toki_verify.claims.manifest import Manifest, digest
from toki_verify.claims.recheck import Checked, recheck
from toki_verify.claims.registry import chosen
from toki_verify.claims.semiring_axioms import AXIOMS, QUESTIONS, A, B, Question, below, plus
from toki_verify.claims.semiring_models import CHAIN, CUT, MODELS, RING, models_of
from toki_verify.relations.firstorder import for_all
from toki_verify.search.certify import certified
from toki_verify.search.solvers import answers


@pytest.mark.parametrize("id", QUESTIONS)
def test_every_statement_is_proved_twice_and_by_the_kernel(id: str) -> None:
    proof = prove_equation(id)
    assert proof.proved
    assert certified(proof.text)[1].steps > 0


@pytest.mark.parametrize(("id", "name"), [(q.id, name) for q in QUESTIONS.values() for name in q.hypotheses])
def test_no_hypothesis_can_be_left_out(id: str, name: str) -> None:
    question = QUESTIONS[id]
    fewer = tuple(other for other in question.hypotheses if other != name)
    text = Question(id, question.words, fewer, question.conclusion).text
    assert "unsat" not in {answer.status for answer in answers(text, 0.5, ("z3", "cvc5"))}


def test_a_statement_that_is_false_in_a_carrier_is_found() -> None:
    wrong = Question("wrong", "a ⊕ b ⪯ a", (), for_all((A, B), below(plus(A, B), A)))
    with pytest.raises(AssertionError, match="wrong is false in"):
        models_of(wrong)


def test_nobody_who_answers_is_no_proof() -> None:
    assert not with_answers("semiring.sum-step", ()).proved


def test_the_ring_is_the_carrier_without_natural_order() -> None:
    assert not RING.holds(AXIOMS["order-antisymmetric"][1])
    for model in (*MODELS[:8], CHAIN, CUT):
        assert model.holds(AXIOMS["order-antisymmetric"][1])


@pytest.mark.parametrize("model", [model for model in MODELS if model.finite], ids=lambda model: str(model.name))
def test_the_order_of_finite_models_is_that_of_their_sums(model: object) -> None:
    for one, other in product(model.elements, repeat=2):  # type: ignore[attr-defined]
        wanted = any(model.plus(one, rest) == other for rest in model.elements)  # type: ignore[attr-defined]
        assert model.holds(below(A, B), {A: one, B: other}) is wanted  # type: ignore[attr-defined]


# -- files ------------------------------------------------------------------------------------------------------------
ID = "semiring.sum-forgets"
SMT2, CPC = f"obligations/{ID}.smt2", f"certificates/{ID}.cpc"


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("proofs")
    writer, cells = Writer(directory), Cells()
    for claim in chosen(["B32.recover", "W.N3"]):
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
    assert sum("kernel" in checked.detail for checked in found) == 6
    text = (proved / "manifest.toml").read_text()
    assert Manifest.read(proved).text() == text


@pytest.mark.parametrize("name", [SMT2, CPC])
def test_edited_and_missing_files_are_found(copy: Path, name: str) -> None:
    (copy / name).write_text((copy / name).read_text() + " ")
    assert "corrupt" in {checked.status for checked in bad(copy)}
    (copy / name).unlink()
    assert any(checked.problem and name in str(checked.problem.file) for checked in bad(copy))


def resigned(directory: Path, name: str, text: str) -> None:
    old, manifest = digest((directory / name).read_text()), directory / "manifest.toml"
    (directory / name).write_text(text)
    manifest.write_text(manifest.read_text().replace(old, digest(text)))


@pytest.mark.parametrize("text", ["(set-logic UF)\n(assert false)\n(check-sat)\n", "other"])
def test_an_obligation_that_the_axioms_do_not_make_is_refused_even_with_its_hash(copy: Path, text: str) -> None:
    text = QUESTIONS["semiring.sum-step"].text if text == "other" else text
    resigned(copy, SMT2, text)
    found = [checked.detail for checked in bad(copy) if checked.what == ID]
    assert found == ["its obligation is not that of the statement"]
    assert "B32.recover" in [checked.what for checked in bad(copy)]


def test_a_certificate_of_something_else_is_refused_even_with_its_hash(copy: Path) -> None:
    resigned(copy, CPC, (copy / "certificates/semiring.dominates-winner.cpc").read_text())
    assert "failed" in {checked.status for checked in bad(copy)}


#: What somebody could write into the manifest, and of what it is then said that it is wrong.
LIES: dict[str, tuple[Callable[[Manifest], object], str]] = {
    "a statement": (lambda m: setattr(m.equations[ID], "statement", "a ⪯ b"), ID),
    "a model more": (lambda m: m.equations[ID].models.append("ℤ"), ID),
    "a proof of another id": (lambda m: setattr(m.equations[ID], "id", "semiring.sum-step"), "semiring.sum-step"),
    "an id of nothing": (lambda m: setattr(m.equations[ID], "id", "semiring.false"), "semiring.false"),
    "no certificate": (lambda m: setattr(m.equations[ID].obligations[0], "certificate", ""), SMT2),
    "no obligation": (lambda m: m.equations[ID].obligations.clear(), ID),
    "nobody answered": (lambda m: m.equations[ID].obligations[0].answers.clear(), "B32.recover"),
    "no equations": (lambda m: m.equations.clear(), "B32.recover"),
    "a claim without them": (lambda m: m.claims["W.N3"].equations.clear(), "W.N3"),
    "a claim of others": (lambda m: m.claims["W.N3"].equations.append(ID), "W.N3"),
    "a verdict": (lambda m: setattr(m.claims["W.N3"], "verdict", "holds"), "W.N3"),
    "a bound": (lambda m: setattr(m.claims["B32.recover"], "bound", "everything"), "B32.recover"),
    "evidence": (lambda m: m.claims["W.N3"].evidence.reverse(), "W.N3"),
    "a repair": (lambda m: setattr(m.claims["W.N3"], "repair", ""), "W.N3"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_in_the_manifest_is_found(copy: Path, lie: str) -> None:
    edit, about = LIES[lie]
    manifest = Manifest.read(copy)
    edit(manifest)
    (copy / "manifest.toml").write_text(manifest.text())
    assert about in [checked.what for checked in bad(copy)]
