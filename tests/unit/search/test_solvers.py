"""Solvers that are not there, and formulas that go to other processes."""

from __future__ import annotations

import pickle

from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.terms import number
from toki_verify.search.solvers import SolverMissing


def test_a_missing_solver_is_the_same_in_another_process() -> None:
    missing = SolverMissing("z3")
    assert str(pickle.loads(pickle.dumps(missing))) == str(missing)
    assert str(missing).count("pip install") == 1


def test_a_formula_arrives_without_the_numbers_of_its_process() -> None:
    """Hashes and numbers differ between processes; what is sent is the formula alone, and it is equal."""
    for formula in (*(p.formula for p in catalogue().values()), parse_spec("SR@judge_log").formula):
        number(formula)
        hash(formula)
        sent = pickle.dumps(formula)
        assert b"_number" not in sent
        assert b"_hash" not in sent
        arrived = pickle.loads(sent)
        assert arrived == formula
        assert number(arrived) == number(formula)
