"""Table 9: the histories found by enumeration are those that the solver finds, and other pins give other verdicts."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from tests.agreement.oracle import PHENOMENA, Facts
from tests.second.oracles import is_at
from toki_verify.checker import check
from toki_verify.claims import weakenings
from toki_verify.claims.access_programs import Program, everywhere, exhibits, first, holds_at, interleavings
from toki_verify.claims.cells import Cells
from toki_verify.claims.weakenings import AWAIT_NOCB, BROAD, CLAIMS, EVI_RC, LWW_RU, RULE_PIN, SHAPES, THIRD, Weakening
from toki_verify.events import Schedule, ScheduleError
from toki_verify.levels import parse_spec
from toki_verify.notation import parse_text
from toki_verify.relations.algebra import Identity, Sort, domain, some, txn
from toki_verify.relations.base import item_read, matched, same_txn, unmatched
from toki_verify.relations.edges import dsg, prw
from toki_verify.search.prove import prove
from toki_verify.search.witness import Bounds, smallest, witness

#: What is proved about cells is the same for every test: rows and pins vary.
CELLS = Cells()
KNOWN = {claim.id: claim for claim in CLAIMS}
SHIPPED = Path(__file__).parents[3] / "schedules" / "bridge" / "weakening.sched"
#: The accesses of the rows, without operators' tags, which no formula sees; the solver adds what is missing.
DESCRIBED = {
    "P0": ("RU", "w1[x1] w2[x2]"),
    "P1": ("RU", "w1[x1] r2[x] w2[x2]"),
    "A5A": ("RC", "r1[x0] w2[x2] w1[z1]"),
    "CB": ("RC", "w1[x1 by await]"),
}
ROWS = {"P0": LWW_RU, "P1": LWW_RU, "A5A": EVI_RC, "CB": AWAIT_NOCB}


def verdict(id: str) -> str:
    """What a claim says now."""
    return KNOWN[id].decide(CELLS).verdict


@pytest.mark.parametrize(
    ("id", "said"),
    [("W.LWW-RU", "depends"), ("W.EVI-RC", "depends"), ("W.AWAIT-NOCB", "holds"), ("W.RULE-SI", "depends")],
)
def test_what_the_rows_say(id: str, said: str) -> None:
    assert verdict(id) == said


@pytest.mark.parametrize("name", DESCRIBED)
def test_the_solver_finds_histories_of_the_same_size(name: str) -> None:
    level, accesses = DESCRIBED[name]
    row = ROWS[name]
    enumerated = first(list(row.families), row.below, name)
    solved = witness(name, level=level, partial=Schedule.parse(accesses)).schedule
    assert enumerated is not None and solved is not None
    assert len(solved.events) == len(enumerated.events)
    for found in (enumerated, solved):
        assert holds_at(str(found), row.below) and exhibits(str(found), name) and not holds_at(str(found), row.pin)


def test_interleavings_are_all_there() -> None:
    # Six events of three and three: 20 orders; the read of T2 sees 0 in all, and T1's version where that is there.
    texts = list(interleavings((("r:x", "w:x"), ("r:y", "w:y"))))
    assert len(texts) == len(set(texts)) == 20
    written_first = sum(text.index("w1[x1]") < text.index("r2[x") for text in interleavings((("w:x",), ("r:x",))))
    assert len(list(interleavings((("w:x",), ("r:x",))))) == 6 + written_first // 2


def test_the_safe_order_of_a_callback_is_one() -> None:
    safe = [text for each in AWAIT_NOCB.families for text in interleavings(each) if holds_at(text, "RC+cb")]
    assert safe == ["r1[x0] cb1(R, h, 1) w1[x1 by await] c1"]
    assert all(holds_at(text, "SR") for each in AWAIT_NOCB.families for text in interleavings(each))


@pytest.mark.heavy
def test_a_bare_policy_phantom_is_at_no_si_schedule_of_any_size() -> None:
    """What the enumeration leaves empty, proved: two transactions, and the writer of the phantom reads nothing."""
    reading = domain(same_txn >> (item_read | matched | unmatched))
    blind = prw >> (Identity(Sort.A) - reading)
    bare = some((txn(blind) >> dsg) & Identity(Sort.T))
    assert smallest(parse_spec("RC").formula & bare).schedule is not None
    formula = parse_spec("SI").formula & bare
    assert prove(formula, id="bare", statement="no bare policy phantom").proved
    assert not everywhere(list(SHAPES["it reads nothing"]), "SI", "P3")
    assert everywhere(list(SHAPES["it reads nothing"]), "RC", "P3[broad]")


def test_the_solver_finds_the_phantom_that_the_pin_leaves() -> None:
    accesses = Schedule.parse("r1{policy:active:} w2[+policy:n1 in active]")
    left = witness("P3", level=RULE_PIN, partial=accesses).schedule
    found = first(list(SHAPES["it reads a fact"]), RULE_PIN, "P3")
    assert left is not None and found is not None and len(left.events) == len(found.events) == 6
    assert check(found).findings["P3"].present


def test_the_solver_finds_no_phantom_that_stays_inside_the_policy_table() -> None:
    both = "r1{policy:active:} r2{policy:active:} w1[+policy:k1 in active] w2[+policy:m2 in active]"
    size = Bounds(events=6, transactions=2)
    assert witness("P3", level="SI", partial=Schedule.parse(both), bounds=size).schedule is not None
    assert witness("P3", level=RULE_PIN, partial=Schedule.parse(both), bounds=size).schedule is None
    assert not everywhere(list(SHAPES["both read and change the policy"]), RULE_PIN, "P3")


def test_the_solver_finds_the_phantom_of_a_third_that_only_reads() -> None:
    accesses = Schedule.parse("r1{policy:active:} w1[x1] w2[+policy:m2 in active] r3[x0]")
    solved = witness("P3", level="SI", partial=accesses).schedule
    listed = everywhere(list(THIRD), "SI", "P3", clean=True)
    assert solved is not None and len(solved.events) == len(Schedule.parse(listed[0]).events)
    assert all(not holds_at(text, "SR") for text in listed[::20])


def judged(families: list[tuple[Program, ...]], name: str, specs: tuple[str, ...]) -> list[str]:
    """The histories at SI that show a phenomenon, and at which further levels they are, by the brute-force oracle."""
    found = []
    for text in (text for programs in families for text in interleavings(programs, clean=True)):
        try:
            facts = Facts(Schedule.parse(text))
        except ScheduleError:
            continue
        if PHENOMENA[name](facts) and is_at(facts, "SI"):
            found.append(f"{text} {[spec for spec in specs if is_at(facts, spec)]}")
    return sorted(found)


@pytest.mark.parametrize(
    ("families", "name"), [(SHAPES["it reads nothing"], BROAD), pytest.param(THIRD[:1], "P3", marks=pytest.mark.heavy)]
)
def test_the_oracle_finds_the_same_histories(families: tuple[tuple[Program, ...], ...], name: str) -> None:
    specs = (RULE_PIN, "SR")
    listed = everywhere(list(families), "SI", name)
    assert listed
    assert judged(list(families), name, specs) == sorted(
        f"{text} {[spec for spec in specs if holds_at(text, spec)]}" for text in listed
    )


def test_reads_of_uncommitted_versions_are_left_out_and_nothing_else() -> None:
    every = list(interleavings((("w:x", "w:y"), ("r:x", "r:y"))))
    clean = list(interleavings((("w:x", "w:y"), ("r:x", "r:y")), clean=True))
    assert set(clean) < set(every)
    assert {text for text in every if holds_at(text, "RC")} == {text for text in clean if holds_at(text, "RC")}
    assert not any(exhibits(text, "P1") for text in clean)


def test_rows_that_name_what_their_signature_names_would_hold() -> None:
    assert weakenings.decide(CELLS, replace(LWW_RU, signature="P0"), "").verdict == "holds"
    assert weakenings.decide(CELLS, replace(EVI_RC, signature="A5A"), "").verdict == "holds"


@pytest.mark.parametrize(
    "broken",
    [
        replace(LWW_RU, below="RC"),
        replace(LWW_RU, failures=("P4",)),
        replace(EVI_RC, failures=("A5B",)),
        replace(EVI_RC, families=tuple(product((("r:x", "w:z:evi"),), (("w:x", "w:y"),)))),
        replace(AWAIT_NOCB, pin="SR"),
        replace(AWAIT_NOCB, families=((("r:x", "cb", "w:x:await"),),)),
    ],
)
def test_a_broken_row_is_refuted(broken: Weakening) -> None:
    assert weakenings.decide(CELLS, broken, "").verdict == "refuted"


def test_a_pin_on_every_table_would_exclude_the_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the event pattern, which has a serial order."""
    monkeypatch.setattr(weakenings, "RULE_PIN", "SR")
    shapes = {words: families for words, families in SHAPES.items() if words != "it reads nothing"}
    monkeypatch.setattr(weakenings, "SHAPES", {**shapes, "it reads nothing": shapes["it reads a fact"]})
    assert verdict("W.RULE-SI") == "depends"
    monkeypatch.setattr(weakenings, "BROAD", "P3")
    assert verdict("W.RULE-SI") == "holds"


def test_no_pin_at_all_would_refute_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weakenings, "RULE_PIN", "SI")
    assert verdict("W.RULE-SI") == "refuted"


def test_the_split_makes_a_winner_of_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    found = weakenings.split_winner()
    assert found is not None
    (x, y), (later_x, later_y) = found
    # By hand: more confidence wins.
    assert (x > y, later_x > later_y, x > later_y) == (True, True, False)
    monkeypatch.setattr(weakenings, "elected", lambda x, y: "x")
    assert weakenings.split_winner() is None


def test_the_shipped_histories_are_of_the_size_of_those_found() -> None:
    shipped = {schedule.name: schedule for schedule in parse_text(SHIPPED.read_text(encoding="utf-8"))}
    wanted = {
        "toki-W-LWW-RU": first(list(LWW_RU.families), "RU", "P0"),
        "toki-W-LWW-RU-dirty-incumbent": first(list(LWW_RU.families), "RU", "P1"),
        "toki-W-EVI-RC": first(list(EVI_RC.families), "RC", "A5A"),
        "toki-W-AWAIT-NOCB": first([(("r:x", "w:x:await", "cb"),)], "RC", "CB"),
        "toki-W-RULE-SI": first(list(SHAPES["it reads a fact"]), "SI", "P3"),
        "toki-W-RULE-SI-both": first(list(SHAPES["both read and change the policy"]), "SI", "P3"),
    }
    for name, found in wanted.items():
        assert found is not None and len(shipped[name].events) == len(found.events), name
