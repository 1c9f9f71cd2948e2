"""DRAT refutations are written as text and checked from the text alone."""

from __future__ import annotations

import random
import sys
from itertools import combinations, product

import pytest

from toki_verify.search.drat import DratError, check_drat, dimacs_text, refute
from toki_verify.search.solvers import SolverMissing

SQUARE = [[1, 2], [-1, 2], [1, -2], [-1, -2]]


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon more than holes, each in a hole, no two in one."""
    place = {pair: number for number, pair in enumerate(product(range(holes + 1), range(holes)), 1)}
    clauses = [[place[pigeon, hole] for hole in range(holes)] for pigeon in range(holes + 1)]
    for hole in range(holes):
        clauses += [[-place[one, hole], -place[other, hole]] for one, other in combinations(range(holes + 1), 2)]
    return clauses


@pytest.fixture
def solvers() -> None:
    pytest.importorskip("pysat.solvers")
    pytest.importorskip("dratify")


@pytest.mark.parametrize(("module", "package"), [("pysat.solvers", "python-sat"), ("dratify", "dratify")])
def test_a_missing_module_names_the_extra(monkeypatch: pytest.MonkeyPatch, module: str, package: str) -> None:
    if module == "dratify":
        pytest.importorskip("pysat.solvers")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SolverMissing, match=rf"{package} .*pip install 'toki-verify\[solvers\]'"):
        refute(SQUARE)


def test_dimacs_text() -> None:
    assert dimacs_text([[1, -3], []]) == "p cnf 3 2\n1 -3 0\n0\n"
    assert dimacs_text([]) == "p cnf 0 0\n"
    with pytest.raises(DratError, match="0 in a clause"):
        dimacs_text([[1, 0]])


@pytest.mark.usefixtures("solvers")
@pytest.mark.parametrize("clauses", [SQUARE, [[1], [-1]], [[]], [[1], []], [[1, -1], [2], [-2]], pigeons(4)], ids=len)
def test_refutations_are_checked_again_from_their_texts(clauses: list[list[int]]) -> None:
    found = refute(clauses)
    assert found is not None
    assert check_drat(found.dimacs, found.drat) == found.checked
    assert found.checked.clauses == len(clauses)


@pytest.mark.usefixtures("solvers")
@pytest.mark.parametrize("clauses", [[], [[1]], SQUARE[:3]], ids=len)
def test_clauses_with_a_model_have_no_refutation(clauses: list[list[int]]) -> None:
    assert refute(clauses) is None


@pytest.mark.usefixtures("solvers")
@pytest.mark.parametrize("seed", range(40))
def test_refutes_exactly_what_has_no_model(seed: int) -> None:
    choose = random.Random(seed)
    clauses = [
        [choose.choice((1, -1)) * v for v in choose.sample(range(1, 6), 3)] for _ in range(choose.randint(15, 45))
    ]
    models = product((False, True), repeat=5)
    satisfiable = any(all(any((lit > 0) is m[abs(lit) - 1] for lit in clause) for clause in clauses) for m in models)
    assert (refute(clauses) is None) is satisfiable


@pytest.mark.usefixtures("solvers")
def test_a_proof_is_refused_when_a_needed_clause_is_missing() -> None:
    found = refute(SQUARE)
    assert found is not None
    for place in range(4):
        with pytest.raises(DratError, match="does not show"):
            check_drat(dimacs_text(SQUARE[:place] + SQUARE[place + 1 :]), found.drat)


@pytest.mark.usefixtures("solvers")
def test_texts_cut_short_are_refused() -> None:
    found = refute(pigeons(4))
    assert found is not None
    for length in range(len(found.dimacs.rstrip()) - 1):
        with pytest.raises(DratError):
            check_drat(found.dimacs[:length], found.drat)
    empty = found.drat.index("\n0\n")
    for length in range(0, empty, 5):
        with pytest.raises(DratError):
            check_drat(found.dimacs, found.drat[:length])


@pytest.mark.usefixtures("solvers")
@pytest.mark.parametrize(
    ("dimacs", "drat", "problem"),
    [
        ("", "0\n", "expected what the header says"),
        ("1 0\n", "0\n", "expected the header"),
        ("p cnf x 1\n1 0\n", "0\n", "expected integers"),
        ("p cnf 1 1\n1 y 0\n", "0\n", "expected integers"),
        ("p cnf 1 1\n2 0\n", "0\n", "expected what the header says"),
        ("p cnf 1 2\n1 0\n", "0\n", "expected what the header says"),
        ("p cnf 1 1\n1\n", "0\n", "expected what the header says"),
        ("p cnf 1 2\n1 0\n-1 0\n", "1 x 0\n", "cannot be read"),
        ("p cnf 2 2\n1 0\n2 0\n", "0\n", "does not show"),
        ("p cnf 2 1\n1 2 0\n", "-1 0\n-2 0\n0\n", "does not show"),
    ],
)
def test_malformed_texts_and_wrong_proofs_are_refused(dimacs: str, drat: str, problem: str) -> None:
    with pytest.raises(DratError, match=problem):
        check_drat(dimacs, drat)
