"""The printer: the same text each time, symbols and comments that every solver reads."""

from __future__ import annotations

import pytest

from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.firstorder import FALSE, TRUE, Apply, Equivalence, Holds, Universal, Variable
from toki_verify.relations.structure import Hypothesis
from toki_verify.relations.unbounded import Unbounded
from toki_verify.search.smtlib import script, statement, symbol
from toki_verify.search.solvers import answers


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("before", "before"),
        ("a1", "a1"),
        ("rw#2", "|rw#2|"),
        ("plus dep ∪ start", "|plus dep or start|"),
        ("not", "|not|"),
        ("1x", "|1x|"),
        ("a|b\\c", "|a<7c>b<5c>c|"),
        ("é", "|<e9>|"),
    ],
)
def test_symbols(name: str, shown: str) -> None:
    assert symbol(name) == shown


def test_a_small_script() -> None:
    a, b = Variable("a1", "Access"), Variable("a2", "Access")
    same = Universal((a, b), Equivalence(Holds("near", (a, b)), Holds("far", (Apply("mirror", a, "Access"), b))))
    assert script([Hypothesis(same, "why\nnot"), Hypothesis(TRUE, "nothing")], ["T1", "no\nmore"]) == (
        "; T1\n"
        "; no more\n"
        "(set-info :smt-lib-version 2.6)\n"
        "(set-logic UF)\n"
        "(declare-sort Access 0)\n"
        "(declare-fun near (Access Access) Bool)\n"
        "(declare-fun far (Access Access) Bool)\n"
        "(declare-fun mirror (Access) Access)\n"
        "; why not\n"
        "(assert (forall ((a1 Access) (a2 Access)) (= (near a1 a2) (far (mirror a1) a2))))\n"
        "; nothing\n"
        "(assert true)\n"
        "(check-sat)\n"
    )
    assert statement(FALSE) == "false"


def _script() -> str:
    reading = Unbounded()
    parts = [reading.statement(parse_spec("SR").formula), reading.statement(catalogue()["A5B"].formula)]
    found = [Hypothesis(part, "a part") for part in parts]
    return script([*found, *reading.background(parts)], ["a test"])


def test_the_text_is_deterministic_ascii_where_solvers_read_it_and_narrow() -> None:
    text = _script()
    assert text == _script()
    assert all(line.isascii() for line in text.splitlines() if not line.startswith(";"))
    assert max(map(len, text.splitlines())) < 300


def test_both_solvers_read_it() -> None:
    pytest.importorskip("z3")
    pytest.importorskip("cvc5")
    cut = _script().partition("; definition")[0] + "(check-sat)\n"
    assert all(a.status in ("sat", "unknown") for a in answers(cut, 5, ("z3", "cvc5")))
    false = script([Hypothesis(FALSE, "false")])
    assert [a.status for a in answers(false, 5, ("z3", "cvc5"))] == ["unsat", "unsat"]
