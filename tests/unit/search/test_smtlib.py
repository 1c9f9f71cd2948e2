"""The printer: the same text each time, symbols and comments that every solver reads."""

from __future__ import annotations

import random

import pytest

from toki_verify.levels import parse_spec
from toki_verify.levels.user import parse_levels
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.algebra import Formula, acyclic
from toki_verify.relations.edges import dsg
from toki_verify.relations.firstorder import FALSE, TRUE, Apply, Equivalence, Holds, Universal, Variable
from toki_verify.relations.printing import formula_text
from toki_verify.relations.structure import Hypothesis
from toki_verify.relations.unbounded import Unbounded
from toki_verify.search import prove as proving
from toki_verify.search.obligations import Obligation
from toki_verify.search.smtlib import script, statement, symbol
from toki_verify.search.solvers import UNREAD, Answer, answers, cvc5_answer, z3_answer
from toki_verify.search.stages import STAGES


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


# -- what solvers read -------------------------------------------------------------------------------------------------
class Random:
    """Formulas of the language at random, over both sorts, with closures, names and regions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lets = {
            "item": "rw",
            "a1": "before",
            "ite": "ww",
            "t2": "txn(wr)",
            "rank1": "dsg",
            "implies": "anti",
        }

    def accesses(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.2:
            return pick(["before", "same_txn", "rw", "ww1", "prw", "same_event", "id", "[write]", "item", "a1", "ite"])
        one, other = self.accesses(depth - 1), self.accesses(depth - 1)
        return pick([f"({one} {op} {other})" for op in "|;&-"] + [f"({one}){post}" for post in _POST])

    def txns(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.3:
            return pick(
                [f"txn({self.accesses(2)})", "dsg", "dep", "start", "session", "concurrent", "t2", "rank1", "implies"]
            )
        one, other = self.txns(depth - 1), self.txns(depth - 1)
        return pick([f"({one} {op} {other})" for op in "|;&-"] + [f"({one}){post}" for post in _POST])

    def condition(self) -> str:
        pick = self.random.choice
        either = pick([self.accesses, self.txns])(3)
        return pick(
            [
                f"acyclic {self.txns(2)}",
                f"acyclic {pick(['start', 'dsg', '(dep ; anti?)'])}",
                f"irreflexive {either}",
                f"empty {either}",
                f"some {either}",
                f"require not cycle({self.txns(1)}, {self.txns(1)})",
            ]
        )

    def formula(self) -> Formula:
        lets = "".join(f"  let {name} = {of}\n" for name, of in self.lets.items())
        conditions = "".join(f"  {self.condition()}\n" for _ in range(self.random.choice([1, 2, 3])))
        pin = self.random.choice(["", "", "", "@log"])
        found = parse_spec(f"user:my{pin}", user=parse_levels(f"level my\n{lets}{conditions}")).formula
        return found & acyclic(dsg) if self.random.random() < 0.3 else found


_POST = ("^+", "^+", "^+", "^*", "?", "^-1")
WITH_CLOSURES_ON_ACCESSES = (
    "some (rw ; (program_order | [installed])^+)\n empty rw\n acyclic start",
    "empty id\n cycle((txn(((rw)^+)^+))^+, (txn((wr ; (same_event | wr))))^+)",
)


def questions(formula: Formula, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that a proof may ask, where every lemma is found and no case is proved: a text for each of its readings."""
    asked: dict[str, dict[Hypothesis, None]] = {}

    def collect(
        id: str, role: str, shows: str, hypotheses: list[Hypothesis], *_: object, **__: object
    ) -> Obligation | None:
        asked.setdefault(str("without-accesses" in id), {}).update(dict.fromkeys(hypotheses))
        said = (Answer("unsat", "", 0.0, "z3", ""),)
        return None if role == "main" else Obligation(id, role, shows, "", said, "", ())

    monkeypatch.setattr(proving, "ask", collect)
    monkeypatch.setattr(proving, "STAGES", [stage for stage in STAGES if stage.unfold])
    monkeypatch.setattr(proving, "LEMMA_STAGES", STAGES[:1])
    proving.prove(formula, id="a-test", statement="a test")
    return [script(hypotheses) for hypotheses in asked.values()]


def unread(text: str) -> str:
    """What is wrong with a text, for both solvers; that it has a model or none is not asked."""
    z3 = pytest.importorskip("z3")
    reading = text.replace("(check-sat)", "")
    said = [answer.reason for answer in answers(reading, 1.0, ("cvc5",)) if answer.reason.startswith(UNREAD)]
    try:
        z3.Solver(ctx=z3.Context()).from_string(reading)
    except z3.Z3Exception as fault:
        said.append(str(fault))
    return "; ".join(said)


def test_all_that_is_printed_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cvc5")
    chance = Random(7)
    known = [parse_levels(f"level my\n {text}\n").level("my").formula for text in WITH_CLOSURES_ON_ACCESSES]
    for formula in [*known, *(chance.formula() for _ in range(150))]:
        for text in questions(formula, monkeypatch):
            assert unread(text) == "", formula_text(formula)


@pytest.mark.parametrize("answer", [z3_answer, cvc5_answer])
@pytest.mark.parametrize("text", ["(assert (p x))", "(((", "(set-logic UF)\n(declare-fun not (Bool) Bool)", ")"])
def test_a_text_that_is_not_read_is_unknown(answer: object, text: str) -> None:
    pytest.importorskip("z3")
    pytest.importorskip("cvc5")
    found = answer(f"{text}\n(check-sat)\n", 1.0)  # type: ignore[operator]
    assert found.status == "unknown" and found.reason.startswith("could not read the obligation: "), found
