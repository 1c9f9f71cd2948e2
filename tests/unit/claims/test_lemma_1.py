"""Lemma 1 a second time: every question that its claims ask, answered by hand on every small schedule.

The first way pulls formulas back along π_J and asks a solver about S; the second makes π_J(S) and judges it with loops
over events (`bridge_by_hand`, `tests/agreement/oracle.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

pytest.importorskip("z3")

from tests.agreement.random_schedules import random_schedule
from toki_verify.bridge.image import without_logs
from toki_verify.claims import lemma_1_questions as asked
from toki_verify.claims.bridge_draws import drawn
from toki_verify.claims.cells import Cells
from toki_verify.claims.lemma_1 import CLAIMS
from toki_verify.claims.manifest import Manifest
from toki_verify.claims.model import Outcome
from toki_verify.events import Abort, Commit, Judge, Schedule
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula
from toki_verify.search.census import Alphabet
from toki_verify.search.decide import Decision
from toki_verify.search.witness import Bounds, Found, smallest

from .bridge_by_hand import CALLS, KINDS, MIXED, PREDICATES, Case, Scan, known, questions, unknown

BY_HAND = questions()
CLAIM = {claim.id: claim for claim in CLAIMS}
STORED = Path(__file__).parents[3] / "proofs" / "bridge"


class Answering(Cells):
    """Cells that search nothing: they note what is asked, and answer from a table of schedules by id."""

    def __init__(self, table: dict[str, Schedule] | None = None, proved: bool = False, gives_up: str = "") -> None:
        super().__init__()
        self.table, self.proved, self.gives_up = table or {}, proved, gives_up
        self.formulas: dict[str, Formula] = {}

    def search(self, id: str, formula: Formula, statement: str, bounds: Bounds) -> Found:
        self.formulas[id] = formula
        if id in self.table:
            return Found("found", (self.table[id],), bounds)
        return Found("undecided", (), bounds, gave_up=id == self.gives_up)

    def link(self, id: str, formula: Formula, statement: str) -> Decision:
        found = self.search(id, formula, statement, Bounds())
        verdict = "found" if found.schedules else "none" if self.proved and id != self.gives_up else "undecided"
        return Decision(verdict, found)


@cache
def formulas() -> dict[str, Formula]:
    """What the claims ask, by id."""
    cells = Answering()
    for claim in CLAIMS:
        claim.decide(cells)
    return cells.formulas


@cache
def schedules(name: str) -> list[Schedule]:
    """Small schedules, shorter ones first."""
    found: Iterable[Schedule]
    match name:
        case "calls":
            found = known(6, CALLS)
        case "calls and an item":
            found = known(5, MIXED)
        case "calls and a predicate":
            found = known(5, PREDICATES)
        case "unknown votes":
            found = unknown(4, CALLS)
        case "drawn":
            found = (drawn(seed, obedient=obedient) for seed in range(150) for obedient in (False, True))
        case _:
            odd = (random_schedule(f"lemma 1 {seed}") for seed in range(600))
            found = (s for s in odd if without_logs(s) and any(isinstance(event, Judge) for event in s))
    return sorted(found, key=len)


#: The lists in which a smallest schedule is one of all complete ones.
COMPLETE = ("calls", "calls and an item", "calls and a predicate")
LISTS = {
    "calls": 1_500,
    "calls and an item": 1_500,
    "calls and a predicate": 1_500,
    "unknown votes": 1_500,
    "drawn": 300,
    "odd": 50,
}


def disagreements(found: Iterable[Schedule], table: dict[str, Formula]) -> dict[str, str]:
    """The ids of which a formula says something else of a schedule than the second way does, with the first one."""
    wrong: dict[str, str] = {}
    for schedule in found:
        case, concrete = Case(schedule), Concrete(schedule)
        for id, formula in table.items():
            if id not in wrong and concrete.holds(formula) != BY_HAND[id](case):
                wrong[id] = str(schedule)
    return wrong


@cache
def by_hand(name: str) -> dict[str, Schedule]:
    """Of a list, the first (so a smallest) schedule that is, by hand, what is looked for, by id."""
    first: dict[str, Schedule] = {}
    for schedule in schedules(name):
        case = Case(schedule)
        first |= {id: schedule for id, question in BY_HAND.items() if id not in first and question(case)}
    return first


# -- the two ways ------------------------------------------------------------------------------------------------------
def test_every_question_is_asked_by_hand() -> None:
    assert formulas().keys() == BY_HAND.keys()


@pytest.mark.parametrize("name", LISTS)
def test_both_ways_answer_every_question_alike(name: str) -> None:
    assert len(schedules(name)) >= LISTS[name]
    assert disagreements(schedules(name), formulas()) == {}


@pytest.mark.heavy
@pytest.mark.parametrize(
    "alphabet",
    [Alphabet(reads=False, writes=False, judges=True), Alphabet(items=1, judges=True, transactions=2)],
    ids=("calls", "calls and an item"),
)
def test_both_ways_answer_alike_at_length(alphabet: Alphabet) -> None:
    assert disagreements(known(7 if not alphabet.reads else 6, alphabet), formulas()) == {}


#: The hypotheses of Lemma 1 and their repairs, as formulas and as scans.
HYPOTHESES: dict[str, tuple[Formula, Callable[[Scan], bool]]] = {
    "RETURN": (asked.RETURN, lambda scan: scan.returned),
    "COMMIT": (asked.COMMIT, lambda scan: scan.read_committed),
    "CLEAN": (asked.CLEAN, lambda scan: scan.all_committed),
    "LITERAL": (asked.LITERAL, lambda scan: scan.literal),
    "PLAIN": (asked.PLAIN, lambda scan: scan.plain),
    "REFILLED": (asked.REFILLED, lambda scan: scan.refilled),
    "OVERRULED": (asked.OVERRULED, lambda scan: scan.overruled),
}


def answers(name: str, *, formula: Formula | None = None, rolled_back: bool = False) -> list[tuple[bool, bool]]:
    """What formula and scan say of every small schedule."""
    shipped, by_hand = HYPOTHESES[name]
    found = chain(schedules("calls"), schedules("unknown votes"), schedules("drawn"), schedules("odd"))
    return [(Concrete(s).holds(formula or shipped), by_hand(Scan(s, sees_rolled_back=rolled_back))) for s in found]


@pytest.mark.parametrize("name", HYPOTHESES)
def test_hypotheses_agree_with_a_scan_over_events(name: str) -> None:
    said = answers(name)
    assert [one for one, _ in said] == [other for _, other in said]
    assert {one for one, _ in said} == {True, False}  # neither always nor never


def test_plain_knows_rows_of_the_schedule() -> None:
    for text in ('w1[judge_log:"(R, t)"@1=0] c1', 'r1[judge_log:"(R, t)"@0] c1', "r1{judge_log:P: k@0} c1"):
        schedule = Schedule.parse(f"j2(R, t)=0 {text} c2")
        assert Concrete(schedule).holds(asked.PLAIN) == Scan(schedule).plain == False  # noqa: E712
    assert Scan(Schedule.parse("j2(R, t)=0 r1[x0] c1 c2")).plain


def image_reads(case: Case) -> list[tuple[int, int]]:
    """The calls that read in π_J(S), each with its row."""
    return [(s.row, s.source) for s in case.made.steps if s.role == "read" and None not in (s.row, s.source)]  # type: ignore[misc]


@pytest.mark.parametrize("name", LISTS)
def test_image_and_scan_read_the_same_rows(name: str) -> None:
    found = [Case(schedule) for schedule in schedules(name)]
    assert [str(case.schedule) for case in found if image_reads(case) != case.scan.reads] == []
    assert any(case.scan.reads for case in found)


# -- nothing smaller ---------------------------------------------------------------------------------------------------
#: The questions that a schedule of up to six events, calls alone, answers.
SMALL = (
    *("L1.graph.log.wr", "L1.graph.log.ww", "L1.graph.log.rw", "L1.n1.literal.if", "L1.n1.H1", "L1.n1.commit.if"),
    *("L1.transfer.P0.gained", "L1.transfer.P1.gained", "L1.transfer.P2.gained"),
    *(f"L1.transfer.level.{spec}" for spec in ("RC", "SI", "SR")),
)


@pytest.mark.parametrize("id", SMALL)
def test_the_solver_finds_schedules_of_the_same_size(id: str) -> None:
    found = smallest(formulas()[id], bounds=Bounds(6, 3)).schedule
    assert found is not None
    assert len(found) == len(by_hand("calls")[id])
    assert BY_HAND[id](Case(found))


#: What is too large for the enumeration above: as printed, judged by hand.
LARGE = {
    "L1.n1.literal.only-if": "j1(R, t)=0 j2(R, t)=0 j1(R, t)=1 j1(R, t)=0 j2(R, t)=0 a1 c2",
    "L1.n1.commit.only-if": "j1(R, t)=0 c1 j2(R, t)=0 j3(R, t)=1 j4(R, t)=0 c4 j2(R, t)=0 c2 a3",
    "L1.transfer.P3.gained": "j1(R, t)=0 j2(R, t)=0 r2{P:} w1[x1 in P] c1 c2",
    "L1.transfer.P3.H1": "j1(R, t)=0 r2{P:} w1[x1 in P] c1 j2(R, t)=0 c2",
    "L1.transfer.P4.gained": "j1(R, t)=0 j2(R, t)=0 j3(R, t)=1 j2(R, t)=0 c2 c1 c3",
    "L1.transfer.A5A.gained": "r1[x0] w2[x1] j2(R, t)=0 j1(R, t)=0 c1 c2",
    "L1.transfer.A5A.H1": "r1[x0] w2[x1] j2(R, t)=0 c2 j1(R, t)=0 c1",
    "L1.transfer.A5B.gained": "r1[x0] w2[x1] j3(R, t)=1 j2(R, t)=1 j1(R, t)=0 c1 c2 c3",
    "L1.transfer.level.SI.H1": "r1[x0] w2[x1] j2(R, t)=0 c2 j1(R, t)=0 c1",
    "L1.transfer.level.SR.H1": "r1[x0] w2[x1] j2(R, t)=0 c2 j1(R, t)=0 c1",
}


@pytest.mark.parametrize("id", LARGE)
def test_larger_examples_are_what_they_are_printed_for(id: str) -> None:
    schedule = Schedule.parse(LARGE[id])
    assert BY_HAND[id](Case(schedule)) and Concrete(schedule).holds(formulas()[id])
    # No call or access can be left out, no transaction either, and nothing smaller turns up in the lists. (Where a
    # transaction may stay unfinished, the abort of one can be left out: the search is for complete schedules.)
    for position, event in enumerate(schedule.events):
        if not isinstance(event, Abort | Commit):
            assert not BY_HAND[id](Case(Schedule([e for e in schedule.events if e is not event]))), position
    for txn in schedule.resolved.txns:
        assert not BY_HAND[id](Case(Schedule([e for e in schedule.events if e.txn != txn]))), txn
    for name in COMPLETE:
        assert len(by_hand(name).get(id, schedule)) >= len(schedule)


def test_an_unfinished_transaction_does_for_a_rolled_back_one() -> None:
    """The smallest of *complete* schedules have nine and seven events; without the abort it is one event less."""
    for id in ("L1.n1.commit.only-if", "L1.n1.literal.only-if"):
        schedule = Schedule.parse(LARGE[id])
        less = Schedule([event for event in schedule.events if not isinstance(event, Abort)])
        assert BY_HAND[id](Case(less)) and Concrete(less).holds(formulas()[id]) and len(less) == len(schedule) - 1


def test_p2_without_n1_although_every_row_that_is_read_is_committed() -> None:
    """The nine events: the vote that is filled over is rolled back, so it is nobody's, and the row was changed."""
    case = Case(Schedule.parse(LARGE["L1.n1.commit.only-if"]))
    assert case.on_log("P2") and not case.shows("N1") and case.shows("N1[observed]")
    assert case.scan.read_committed and not case.scan.all_committed and not case.scan.returned
    assert str(case.made.schedule).replace('judge_log:"(R, t)"', "k") == (
        "w1[k@1=0] c1 r2[k@1=0] w3[k@2=1] w4[k@3=0] c4 r2[k@3=0] c2 a3"
    )
    # With T3 committed there is an N1.
    assert Case(Schedule.parse(LARGE["L1.n1.commit.only-if"].replace("a3", "c3"))).shows("N1")


def test_under_return_there_is_neither_n1_nor_p2() -> None:
    obeying = [c for name in LISTS for s in schedules(name) if (c := Case(s)).scan.returned and c.scan.plain]
    assert len(obeying) > 300 and any(len(case.scan.reads) > 1 for case in obeying)
    assert [str(c.schedule) for c in obeying if c.shows("N1") or c.on_log("P2") or c.on_log("P3")] == []


def test_what_is_proved_has_no_small_counterexample_by_hand() -> None:
    for name in LISTS:
        assert asked.LEMMA_1.keys() & by_hand(name).keys() == set()


# -- what the claims make of answers -----------------------------------------------------------------------------------
def outcome(id: str, **cells: object) -> Outcome:
    return CLAIM[id].decide(Answering(**cells))  # type: ignore[arg-type]


def test_verdicts_follow_from_what_is_found_by_hand() -> None:
    """With the schedules of the second way in place of the solver's, and statements that none of them meets proved."""
    table = {id: Schedule.parse(text) for id, text in LARGE.items()}
    for name in COMPLETE:
        table = by_hand(name) | table
    found = {id: CLAIM[id].decide(Answering(table, proved=True)) for id in CLAIM}
    verdicts = {id: outcome.verdict for id, outcome in found.items()}
    edges = {kind for kind in KINDS if f"L1.graph.{kind}" in table}
    assert verdicts["L1.graph"] == ("refuted" if edges else "holds")
    for name in ("P0", "P1", "P2", "P3", "P4", "A5A", "A5B"):
        gained = f"L1.transfer.{name}.gained" in table
        assert verdicts[f"L1.transfer.{name}"] == ("holds-repaired" if gained else "holds")
    level = found["L1.transfer.level"]
    assert level.verdict == "holds-repaired" and level.counterexample in table.values()
    assert verdicts["L1.n1.literal"] == verdicts["L1.n1.H1"] == verdicts["L1.n1.commit"] == "refuted"
    assert verdicts["L1.n1.return"] == "vacuous" and verdicts["L1.n1.repaired"] == "holds"
    assert verdicts["L1.n1"] == "holds-repaired"


def test_other_answers_make_other_verdicts() -> None:
    some_schedule = schedules("calls")[0]
    assert outcome("L1.graph", table={"L1.graph.rw": some_schedule}).verdict == "refuted"
    assert outcome("L1.graph", gives_up="L1.graph.pwr").verdict == "undecided"
    assert outcome("L1.n1.return", proved=True, table={"L1.n1.no-P2": some_schedule}).verdict == "refuted"
    assert outcome("L1.n1.return").verdict == "undecided"
    assert outcome("L1.n1.repaired", proved=True, table={"L1.n1.refill-differs": some_schedule}).verdict == "refuted"
    assert outcome("L1.n1.commit").verdict == "holds"
    assert outcome("L1.n1.H1").verdict == "vacuous"
    assert outcome("L1.transfer.P0", proved=True).verdict == "holds"
    assert outcome("L1.transfer.level").verdict == "holds"


def test_stored_schedules_are_what_they_are_stored_for() -> None:
    if not STORED.exists():
        pytest.skip("proofs/bridge is not written yet")
    looked = 0
    for id, entry in Manifest.read(STORED).claims.items():
        questions_of = [question for question in BY_HAND if question.startswith(f"{id}.") or question == id]
        if entry.counterexample and questions_of:
            looked += 1
            case = Case(Schedule.parse(entry.counterexample))
            assert any(BY_HAND[question](case) for question in questions_of), (id, entry.counterexample)
    assert looked > 5


@pytest.mark.heavy
def test_decided_from_nothing() -> None:
    """Every search and every proof made anew: what is found is what is looked for, and nothing smaller is."""
    cells = Cells()
    verdicts = {claim.id: claim.decide(cells).verdict for claim in CLAIMS}
    assert "undecided" not in verdicts.values()
    for id, found in cells._searches.items():
        if found.schedule is not None:
            assert BY_HAND[id](Case(found.schedule)), id
        for name in COMPLETE:
            smaller = by_hand(name).get(id)
            assert smaller is None or (found.schedule is not None and len(found.schedule) <= len(smaller)), id
    assert {id: link.verdict for id, link in cells._links.items()} == dict.fromkeys(asked.LEMMA_1, "none")
