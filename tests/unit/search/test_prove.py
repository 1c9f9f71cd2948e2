"""Proofs for schedules of every size: what is proved, what stays undecided, and that wrong definitions break proofs."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from toki_verify.events import Schedule
from toki_verify.levels import parse_spec
from toki_verify.levels.graph import RC, SI, SR
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.algebra import (
    Definition,
    Formula,
    Identity,
    Region,
    Sort,
    Within,
    acyclic,
    irreflexive,
    some,
    txn,
)
from toki_verify.relations.base import before, same_item, same_txn, session, version_order, write
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import anti, anti_dependency, dep, dsg, program_order, prw, rw, wr
from toki_verify.relations.firstorder import FALSE, TRUE
from toki_verify.relations.structure import Hypothesis
from toki_verify.search import obligations as module
from toki_verify.search.cases import alternatives, cases, refined
from toki_verify.search.obligations import enough
from toki_verify.search.prove import Proof, hypotheses_hold, prove
from toki_verify.search.solvers import Answer, SolverMissing, answers, cvc5_answer, z3_answer

pytest.importorskip("z3")
pytest.importorskip("cvc5")

KNOWN = {id: phenomenon.formula for id, phenomenon in catalogue().items()}
PINNED = Schedule.parse("w1[log.a1] w2[y2] w1[y1] r2[log.a1] c1 c2")
CORE = [
    *[(phenomenon, level) for phenomenon in ("P0", "P1") for level in ("RC", "SI", "SR")],
    *[(phenomenon, level) for phenomenon in ("P2", "P4", "A5A") for level in ("SI", "SR")],
    *[(phenomenon, "SR") for phenomenon in ("P3", "A5B", "N2")],
]


def cell(phenomenon: str, level: str, **options: float) -> Proof:
    formula = parse_spec(level).formula & KNOWN[phenomenon]
    name = f"no schedule at {level} shows {phenomenon}"
    return prove(formula, id=f"T1.sound.{phenomenon}.{level}", statement=name, **options)  # type: ignore[arg-type]


def attempt(formula: Formula, seconds: float = 2.0) -> Proof:
    return prove(formula, id="a-test", statement="a test", seconds=seconds)


@pytest.mark.parametrize(("phenomenon", "level"), CORE)
def test_the_excluded_cells_of_the_core_are_proved(phenomenon: str, level: str) -> None:
    proof = cell(phenomenon, level)
    assert proof.proved, proof.reason
    for obligation in proof.obligations:
        assert [(answer.solver, answer.status) for answer in obligation.answers] == [("z3", "unsat"), ("cvc5", "unsat")]


@pytest.mark.parametrize(("upper", "lower"), [("SR", "SI"), ("SI", "RC"), ("SR[G]", "SI[G]"), ("SI", "adya:PL-2+")])
def test_inclusions_of_levels_are_proved(upper: str, lower: str) -> None:
    formula = parse_spec(upper).formula & ~parse_spec(lower).formula
    proof = prove(formula, id=f"T1.chain.{upper}.{lower}", statement=f"{upper} is in {lower}")
    assert proof.proved, proof.reason


@pytest.mark.parametrize(
    ("upper", "lower"),
    [("SER", "SI"), ("SI", "PSI"), ("PSI", "CC"), ("CC", "RA"), ("RA", "RC"), ("SI", "PC"), ("PC", "CC")],
)
def test_inclusions_of_session_levels_are_proved(upper: str, lower: str) -> None:
    formula = parse_spec(f"session:{upper}").formula & ~parse_spec(f"session:{lower}").formula
    assert attempt(formula).proved


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("phenomenon", "level"),
    [
        *[(p, "SI") for p in ("A2", "A3", "G-single", "G-nonadjacent", "G-monotonic", "OTV", "PMP", "long-fork")],
        *[(p, "SR") for p in ("G2", "G2-item", "P3[skew]", "read-only-anomaly")],
        *[(p, "adya:PL-3") for p in ("G2", "N2", "A5B", "P3")],
    ],
)
def test_more_cells(phenomenon: str, level: str) -> None:
    assert cell(phenomenon, level).proved


@pytest.mark.parametrize(("phenomenon", "level"), [("N1", "SR"), ("A5B", "SI"), ("P4", "RC")])
def test_what_is_not_excluded_stays_undecided(phenomenon: str, level: str) -> None:
    proof = cell(phenomenon, level, seconds=0.3)
    assert proof.status == "undecided"
    assert "no proof found" in proof.reason


def test_induction_has_obligations_of_its_own() -> None:
    proof = cell("P3", "SR")
    assert [(o.id, o.role) for o in proof.obligations] == [
        ("T1.sound.P3.SR.induction-1-base", "induction base"),
        ("T1.sound.P3.SR.induction-1-step", "induction step"),
        ("T1.sound.P3.SR.case-1", "main"),
        ("T1.sound.P3.SR.case-2", "main"),
    ]
    assert [lemma.words for lemma in proof.lemmas] == ["(dsg)⁺(t, u) implies rank1(t) < rank1(u)"]
    assert "induction lemma" in proof.obligations[2].text + proof.obligations[3].text


def test_proofs_are_the_same_each_time() -> None:
    one, other = cell("P4", "SI"), cell("P4", "SI")
    assert [o.text for o in one.obligations] == [o.text for o in other.obligations]
    assert one.obligations[0].text.startswith("; T1.sound.P4.SI\n; statement: no schedule at SI shows P4\n")


# -- wrong definitions break proofs ------------------------------------------------------------------------------------
MUTANTS: dict[str, Formula] = {
    "SI without the anti-dependency": RC.formula & acyclic(dep) & KNOWN["P4"],
    "SI without the reflexive step": RC.formula & acyclic(dep >> anti) & ~SI.formula,
    "SR of dependencies alone": RC.formula & acyclic(dep) & KNOWN["A5B"],
    "SR without predicate anti-dependencies": RC.formula & acyclic(dep | txn(rw)) & KNOWN["P3"],
    "P2 at SI without P1": ~KNOWN["P0"] & acyclic(dep >> anti.opt) & KNOWN["P2"],
    "P1 one step too far": RC.formula & some((write >> Definition("seen", version_order)) - same_txn),
    "ww of any two writes of an item": SR.formula & some((rw >> ((write >> same_item >> write) - same_txn)) & same_txn),
    "A5B of the transactions of any session": SR.formula & some(txn(rw) >> session.opt >> txn(wr)),
    "a level that is no level": acyclic(session) & KNOWN["G0"],
}


@pytest.mark.parametrize("name", MUTANTS)
def test_wrong_definitions_break_the_proof(name: str) -> None:
    assert attempt(MUTANTS[name], 0.5).status == "undecided"


def test_a_weaker_phenomenon_is_still_excluded() -> None:
    """Write skew without its clause on items is excluded, too: the clause is no part of the reason."""
    assert attempt(SR.formula & some((rw >> same_txn >> rw) & same_txn)).proved


def test_pinned_levels_exclude_within_their_region() -> None:
    region, other = Region(table="log"), Region(table="facts")
    level = Within(SR.formula, region)
    assert attempt(level & Within(KNOWN["A5B"], region)).proved
    assert not attempt(level & Within(KNOWN["P0"], other), 0.2).proved


@pytest.mark.heavy
def test_pinned_levels_exclude_nothing_outside_their_region() -> None:
    level = Within(SR.formula, Region(table="log"))
    assert not attempt(level & Within(KNOWN["A5B"], Region(table="facts")), 0.5).proved
    assert not attempt(level & KNOWN["A5B"], 0.5).proved


@pytest.mark.parametrize("pin", ["judge_log", "partition(a,b)"])
@pytest.mark.parametrize(("upper", "lower"), [("RC", "RC"), ("SI", "SI"), ("SR", "SR"), ("SR", "SI"), ("SI", "RC")])
def test_a_level_holds_within_every_region(upper: str, lower: str, pin: str) -> None:
    began = time.perf_counter()
    proof = attempt(parse_spec(upper).formula & ~parse_spec(f"{lower}@{pin}").formula)
    assert proof.proved, proof.reason
    assert time.perf_counter() - began < 10
    for lemma in proof.lemmas:
        assert f"⁺(t, u) within {pin} implies" in lemma.words
        for text in ("r1[judge_log.a0] r2[y0] w1[y1] w2[judge_log.a2] c1 c2", "w1[x1] c1 r2[x1] c2"):
            assert hypotheses_hold(Schedule.parse(text), proof)


def test_a_level_within_a_region_is_not_the_level() -> None:
    for level in ("RC", "SR"):
        assert not attempt(parse_spec(f"{level}@log").formula & ~parse_spec(level).formula, 0.3).proved


def test_cycles_outside_a_region_close_none_inside() -> None:
    """A closure within a region does not pass through what is outside: no proof may say that it does."""
    there = some((write >> before >> (~before & same_txn)) & same_txn)
    log = Region(table="log")
    onward = irreflexive(((before - same_txn) | (~before & same_txn)).plus)
    assert Concrete(PINNED).holds(Within(onward, log) & ~onward & there)
    assert not attempt(Within(onward, log) & ~onward & there, 0.3).proved


def test_schedules_without_accesses_are_not_forgotten() -> None:
    """`b1 c1` has no access; first-order logic alone would say that there is one."""
    nothing = ~some(write >> write.opt) & ~some(same_txn)
    assert not attempt(nothing, 0.5).proved
    assert attempt(some(session) & ~some(session)).proved


# -- honesty -----------------------------------------------------------------------------------------------------------
def test_solvers_that_disagree_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (Answer("unsat", "", 0.0, "z3", "1"), Answer("sat", "", 0.0, "cvc5", "1"))
    monkeypatch.setattr(module, "answers", lambda *_: said)
    proof = cell("A5B", "SR")
    assert proof.status == "undecided"
    assert "solvers disagree (z3: unsat, cvc5: sat)" in proof.reason
    assert proof.obligations[0].answers == said


def test_one_solver_that_does_not_know_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (Answer("unsat", "", 0.0, "z3", "1"), Answer("unknown", "no answer within 1 s", 1.0, "cvc5", "1"))
    monkeypatch.setattr(module, "answers", lambda *_: said)
    proof = cell("P0", "RC", seconds=0.5)
    assert proof.status == "undecided"
    assert "cvc5: unknown (no answer within 1 s)" in proof.reason


def test_the_hypotheses_hold_of_schedules() -> None:
    proofs = [cell("P2", "SI"), cell("P3", "SR")]
    for text in ("w1[x1] c1 r2[x1] c2", "r1[x0] w2[x2] c2 r1[x2] c1", "b1 c1"):
        for proof in proofs:
            held = hypotheses_hold(Schedule.parse(text), proof)
            assert held and held.explanation == ()


def test_a_wrong_lemma_is_noticed_on_a_schedule() -> None:
    proof = cell("P3", "SR")
    wrong = replace(proof.lemmas[0], given=(), then=~some(dsg), words="no edges")
    held = hypotheses_hold(Schedule.parse("w1[x1] c1 r2[x1] c2"), replace(proof, lemmas=(wrong,)))
    assert not held
    assert held.explanation == ("lemma no edges does not hold",)


# -- closures on accesses ----------------------------------------------------------------------------------------------
def test_induction_over_a_closure_on_accesses() -> None:
    """What is before nothing else is, step by step, is so of any number of steps: paths lie in other paths."""
    proof = attempt(irreflexive((program_order | before).plus) & some(program_order.plus & Identity(Sort.A)))
    assert proof.proved, proof.reason
    assert "(program_order)⁺(t, u) implies (program_order ∪ before)⁺" in [lemma.words for lemma in proof.lemmas]


def test_an_obligation_that_is_not_read_is_no_proof_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "script", lambda *_: "(set-logic UF)\n(assert (p x))\n(check-sat)\n")
    proof = cell("A5B", "SR")
    assert proof.status == "undecided"
    assert "z3: unknown (could not read the obligation: " in proof.reason


# -- time --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("deadline", [0.0, 0.5, 2.0])
def test_a_deadline_is_for_the_whole_proof(deadline: float) -> None:
    began = time.perf_counter()
    proof = cell("A5B", "SI", deadline=deadline)
    assert time.perf_counter() - began < deadline + 2
    assert proof.status == "undecided"
    assert proof.reason.endswith(f": no proof found: the time limit of {deadline:g} s for the whole proof")


def test_a_proof_before_the_deadline_is_the_same() -> None:
    one, other = cell("P4", "SI"), cell("P4", "SI", deadline=60.0)
    assert other.proved and [o.text for o in one.obligations] == [o.text for o in other.obligations]


def test_past_the_deadline_what_was_enough_is_left_as_it_is() -> None:
    false = Hypothesis(FALSE, "false")
    clock = module.Clock(5.0)
    assert enough([false, Hypothesis(TRUE, "true")], 5.0, clock) == [false]
    assert enough([false], 5.0, module.Clock(5.0, 0.0)) == [false]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_a_proof() -> None:
    code = (
        "import sys\n"
        "from toki_verify.search.solvers import z3_answer\n"
        "print('begun', flush=True)\n"
        "try:\n"
        "    for _ in range(100):\n"
        "        z3_answer(sys.argv[1], 1.5)\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(130)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, HARD], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stdout.readline() == "begun\n"
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=10) == 130


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_the_command() -> None:
    command = [sys.executable, "-m", "toki_verify", "prove", "T1", "--no-write"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        # Python drops an interrupt that comes while an object is finalized; whoever presses Ctrl-C presses it again.
        for _ in range(3):
            time.sleep(2)
            running.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                _, said = running.communicate(timeout=10)
                break
        else:
            running.kill()
    assert running.returncode == 130 and "interrupted" in said


# -- solvers -----------------------------------------------------------------------------------------------------------
HARD = """(set-logic UF)
(declare-sort S 0)
(declare-fun f (S S) S)
(assert (forall ((x S) (y S) (z S)) (= (f x (f y z)) (f (f x y) z))))
(assert (forall ((x S)) (exists ((y S) (z S)) (and (not (= (f x y) (f y z))) (not (= (f y x) (f z y)))))))
(assert (forall ((x S) (y S)) (exists ((z S)) (not (= (f (f x z) y) (f x (f y z)))))))
(check-sat)
"""


@pytest.mark.parametrize("answer", [z3_answer, cvc5_answer])
def test_a_time_limit_is_unknown_and_is_kept(answer: object) -> None:
    began = time.perf_counter()
    found = answer(HARD, 0.3)  # type: ignore[operator]
    assert time.perf_counter() - began < 3
    assert found.status == "unknown" and found.reason
    assert found.version


@pytest.mark.parametrize(("name", "answer"), [("z3", z3_answer), ("cvc5", cvc5_answer)])
def test_a_missing_solver_names_the_extra(name: str, answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SolverMissing, match=r"pip install 'toki-verify\[solvers\]'"):
        answer("(check-sat)", 1.0)  # type: ignore[operator]


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown solver 'vampire', expected one of z3, cvc5"):
        answers("(check-sat)", 1.0, ("vampire",))


# -- cases -------------------------------------------------------------------------------------------------------------
def test_cases_false_by_their_form_are_kept_apart() -> None:
    left, trivial = cases(SR.formula & ~SI.formula)
    assert [part.text for case in left for part in case if not part.universal] == ["not acyclic dep ; anti?"]
    assert len(trivial) == 3  # P0, and the two alternatives of P1, each with its denial
    assert cases(RC.formula & KNOWN["P0"])[0] == []


def test_alternatives_are_the_parts_of_a_union() -> None:
    one, other = alternatives(write >> (rw | wr))
    assert (one, other) == (write >> rw, write >> wr)
    assert alternatives(anti_dependency) == [anti_dependency]
    assert alternatives(anti_dependency, names=True) == [rw, prw]
    (case,), _ = cases(some(write >> anti_dependency))
    assert [part.text for parts in refined(case) for part in parts] == ["some [write] ; rw", "some [write] ; prw"]
