"""Ways to log votes: their names, the invariants that exclude N1, the claims made of the table, the document."""

from __future__ import annotations

from pathlib import Path

import pytest

from toki_verify.bridge.disciplines import Discipline, combinations, contradiction, disciplines
from toki_verify.bridge.log_invariants import Argument, argument, arguments
from toki_verify.bridge.log_levels import CHAIN
from toki_verify.bridge.log_search import PHENOMENA, REDUCED, _Search, decide_discipline, judged
from toki_verify.bridge.log_table import Table, table
from toki_verify.bridge.protocol import Protocol
from toki_verify.checker import check
from toki_verify.claims import judge_log
from toki_verify.events import Schedule
from toki_verify.inputs import load
from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.concrete import Concrete
from toki_verify.report.docs import slow_documents
from toki_verify.report.judge_log import judge_log_markdown
from toki_verify.search.solvers import answers

ARGUMENTS = arguments()


def reduced(reading: str = "returned") -> Table:
    return table(reading, "reduced")


def status(text: str) -> set[str]:
    return {answer.status for answer in answers(text, 10, ("z3", "cvc5"))}


def test_every_combination_is_decided_or_contradicts_itself() -> None:
    whole = list(combinations())
    assert len(whole) == len({str(found) for found in whole})
    assert {str(found) for found in whole if not contradiction(found)} == set(reduced().rows)
    assert all(Discipline.parse(str(found)) == found for found in whole)


@pytest.mark.parametrize("spec", ["own/immutable/if-absent/adopt", "own/immutable/if-absent/adopt/sometimes"])
def test_an_unknown_spec_is_refused(spec: str) -> None:
    with pytest.raises(ValueError, match=r"expected"):
        Discipline.parse(spec)


@pytest.mark.parametrize("found", ARGUMENTS.values(), ids=ARGUMENTS)
def test_no_obligation_of_an_invariant_has_a_model(found: Argument) -> None:
    for text in found.obligations.values():
        assert status(text) == {"unsat"}


@pytest.mark.parametrize("found", ARGUMENTS.values(), ids=ARGUMENTS)
def test_what_an_obligation_assumes_can_be(found: Argument) -> None:
    """Without what is to be refuted, every obligation has a model: no invariant and no transition is empty."""
    for text in found.obligations.values():
        lines = text.rstrip().split("\n")
        assert lines[-2].startswith("(assert ")
        weaker = "\n".join([*lines[:-2], lines[-1]])
        assert {answer.status for answer in answers(weaker, 10, ("z3",))} == {"sat"}


@pytest.mark.parametrize(
    ("name", "obligation", "guard"),
    [
        ("one row", "kept by an insert", "(assert (forall ((v V)) (not (alive v))))"),
        (
            "one row by SR",
            "kept by the commit of the row, after which the call returns",
            "(assert (forall ((v V)) (=> (com v) (= v x))))",
        ),
        ("row at once", "kept by a call that returns a vote it sees, committed or not", "(assert (alive x))"),
        ("own row", "kept by a call that reads its own row", "(assert (and (alive x) (= (writer x) o)))"),
        (
            "one row of operators by SI",
            "kept by a commit",
            "(assert (forall ((v V) (w V)) (not (and (alive v) (= (writer v) o) (com w)))))",
        ),
        (
            "one row of operators that keep",
            "kept by a call whose fill loses, or a later one of its operator",
            "(assert (forall ((e T)) (= (gone1 e) (or (gone e) (= e o)))))",
        ),
        (
            "one row of operators that keep",
            "kept by a commit",
            "(assert (and (not (done o)) (not (gone o))))",
        ),
        (
            "one row of operators that keep",
            "an operator that saw no row, and then another's, has no timestamps",
            "(assert (forall ((a T) (b T)) (=> (and (saw a b) (installed b) (not (= a b))) (wr b a))))",
        ),
    ],
)
def test_an_invariant_needs_its_guards(name: str, obligation: str, guard: str) -> None:
    """An engine that forgets the key, a level that lets two fills commit, a read of a row that is not there, an
    operator whose fill lost and who commits, a refusal that is no read."""
    text = ARGUMENTS[name].obligations[obligation]
    assert guard in text
    assert {answer.status for answer in answers(text.replace(guard, ""), 10, ("z3",))} == {"sat"}


@pytest.mark.parametrize("row", ["immutable", "replaceable", "mutable"])
def test_the_protocol_keeps_the_invariants(row: str) -> None:
    """On every state within a bound at the level of its argument: rows are unique and hold the votes returned."""
    looked_at = 0
    for found in disciplines():
        reason = argument(found)
        if found.row != row or reason is None or found.recurs != "across":
            continue
        search = _Search(Protocol(found, REDUCED["across"]), judged, False)
        search.run()
        for state, visit in search.visits.items():
            if visit.height < CHAIN.index(reason.level):
                continue
            looked_at += 1
            committed = {n for n, version in enumerate(state.versions) if version.writer in state.committed}
            assert len(committed) <= 1
            held = {state.versions[n].vote for n in committed}
            if reason.observed:
                assert {vote for _, vote in state.votes} <= held
            else:
                assert {vote for txn, vote in state.votes if txn in state.committed} <= held
    assert bool(looked_at) == (row != "mutable")


def test_what_is_proved_is_what_the_search_excludes() -> None:
    proofs = 0
    for spec, row in reduced().rows.items():
        reason = argument(row.discipline)
        if reason is None:
            continue
        for level in CHAIN[CHAIN.index(reason.level) :]:
            for name in PHENOMENA if reason.observed else PHENOMENA[:1]:
                proofs += 1
                assert not row.admits(name, level)
                assert reduced().how(spec, name, level) == "proof"
    assert proofs


def test_a_pin_of_the_log_holds_where_the_level_does() -> None:
    checked = set()
    for row in reduced().rows.values():
        for cell in row.cells.values():
            if cell.schedule is None or str(cell.schedule) in checked:
                continue
            checked.add(str(cell.schedule))
            alone = Concrete(cell.schedule)
            beside = Concrete(Schedule.parse(f"{cell.schedule} r9[x0] w8[x1] c8 r9[x1] w9[x2] c9"))
            for level in CHAIN:
                holds = alone.holds(parse_spec(level).formula)
                assert alone.holds(parse_spec(f"{level}@judge_log").formula) == holds
                assert beside.holds(parse_spec(f"{level}@judge_log").formula) == holds
    assert checked


def test_the_corollary_depends_and_its_repair_holds() -> None:
    outcome = judge_log.whole(reduced)
    assert outcome.verdict == "depends"
    assert {part.verdict for _, part in outcome.parts} == {"depends"}
    missing = {words for words, *_ in judge_log.hypotheses(reduced)}
    assert missing >= set(judge_log.OTHERWISE)
    assert outcome.counterexample is not None
    assert check(outcome.counterexample).findings["N1"].present


def test_a_repair_that_is_none_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_log, "REPAIRED", Discipline.parse("own/immutable/if-absent/keep/across"))
    assert judge_log.insert_if_absent(reduced).verdict == "refuted"


def test_the_known_guards() -> None:
    """One row that is replaced: a lost update, which SI excludes. Rows found by the key: a phantom, which needs SR."""
    upsert = decide_discipline(Discipline.parse("operator/replaceable/upsert/keep/across"), REDUCED["across"])
    check_then_insert = decide_discipline(Discipline.parse("operator/immutable/check/keep/across"), REDUCED["across"])
    lost, phantom = upsert.cells["N1", "RC"].schedule, check_then_insert.cells["N1", "SI"].schedule
    assert lost is not None
    assert phantom is not None
    assert (upsert.guard(), check(lost).findings["P4"].present) == ("SI", True)
    assert (check_then_insert.guard(), check(phantom).findings["P3"].present) == ("SR", True)


def test_the_document_names_every_discipline_and_its_schedules_can_be_read() -> None:
    text = judge_log_markdown(reduced(), reduced("asked"))
    assert all(f"| `{spec}` |" in text for spec in reduced().rows)
    schedules = [line.strip() for line in text.split("\n") if line.startswith("  ") and "judge_log" in line]
    schedules = [line for line in schedules if not line.startswith("#")]
    assert schedules
    for line in schedules:
        assert Concrete(Schedule.parse(line)).holds(phenomenon("N1[observed]").formula)


def shipped() -> list[tuple[str, str, str, str, str]]:
    found = []
    for schedule, _ in next(load(["schedules/bridge/disciplines.sched"])).schedules:
        assert schedule.source is not None
        parts = [part.strip() for part in schedule.source.split(";")]
        name, level = parts[-1].split(" at ")
        found.append((parts[1], "asked" if len(parts) > 3 else "returned", name, level, str(schedule)))
    assert found
    return found


@pytest.mark.heavy
def test_the_shipped_schedules_are_the_smallest() -> None:
    for spec, reading, name, level, text in shipped():
        cell = decide_discipline(Discipline.parse(spec), None, reading).cells[name, level]
        assert str(cell.schedule) == text


@pytest.mark.heavy
def test_the_document_is_up_to_date() -> None:
    for path, text in slow_documents().items():
        assert Path(path).read_text(encoding="utf-8") == text


@pytest.mark.heavy
def test_the_claims_of_the_whole_table() -> None:
    assert judge_log.whole(table).verdict == "depends"
    assert judge_log.rows(table).verdict == "holds"
