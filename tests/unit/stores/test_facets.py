"""What of a loser can still be read: the three schema modes, and stores that each forget one facet."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from toki_verify.algebra.facts import Fact
from toki_verify.stores import JudgeKey, LogEntry, MemoryStore, WritePath
from toki_verify.stores.facets import FACETS, PARTS, Decision, Facets, Record, facets, ingested

from .conftest import KINDS, opener
from .samples import CARRIER, fact

MODES = ("base", "dual_row", "audit_row")
JUDGED = {"resolution_strategy_id": "await"}


def newcomer_wins(members: Sequence[Fact[Any]]) -> int:
    return 1


def written(store: Any, *facts: Fact[Any], oracle: Callable[..., int] = newcomer_wins) -> list[Decision[Any]]:
    return ingested(WritePath(store, oracles={"await": oracle, "rule": oracle}), facts)


def values(found: Facets, part: str) -> tuple[bool | None, ...]:
    """The verdicts of a surface in the order of FACETS."""
    of_part = found[part]  # type: ignore[index]
    return tuple(of_part[facet].value for facet in FACETS)


def told(store: Any, decisions: list[Decision[Any]], history: Sequence[Record[Any]] = ()) -> Facets:
    (found,) = facets(store, decisions, history)
    assert list(found) == list(PARTS) and all(list(of_part) == list(FACETS) for of_part in found.values())
    return found


PAIR = (fact("a", start=0), fact("b", start=1, **JUDGED))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_overwritten_incumbent(kind: str, mode: str, tmp_path: Any) -> None:
    """Closing keeps the loser as a row, so only the link is missing without an audit row; the winner is stamped."""
    opened: list[Any] = []
    store = opener(kind, tmp_path, opened)(mode=mode)
    try:
        found = told(store, written(store, *PAIR))
    finally:
        for one in opened:
            one.shut()
    assert values(found, "current") == (False, True, False, True)
    assert values(found, "closed") == values(found, "history") == (True, True, None, True)
    assert values(found, "audit") == (True, True, True if mode == "audit_row" else None, True)


@pytest.mark.parametrize("mode", MODES)
def test_a_rejected_newcomer_is_in_no_row_but_the_audit_row(mode: str) -> None:
    store = MemoryStore(CARRIER, mode=mode)
    found = told(store, written(store, *PAIR, oracle=lambda members: 0))
    kept = mode == "audit_row"
    for part in PARTS[:-1]:
        assert values(found, part) == (False, False, False, True)
    assert values(found, "audit") == (kept, kept, kept, True)
    row = found["audit"]["content"].row
    assert (isinstance(row, Fact) and row.row_kind == "audit") is kept


def test_who_asks_no_judge_has_no_decision_to_record() -> None:
    store = MemoryStore(CARRIER)
    found = told(store, written(store, fact("a"), fact("b", start=1)))
    verdict = found["audit"]["decision record"]
    assert verdict.value is None and verdict.reason == "lww asked no judge" and verdict.row is None


def test_verdicts_show_their_rows() -> None:
    store = MemoryStore(CARRIER)
    found = told(store, written(store, *PAIR))
    closed = found["closed"]
    assert isinstance(closed["content"].row, Fact) and closed["content"].row.fact_id == "a"
    assert isinstance(closed["source provenance"].row, Fact)
    assert isinstance(closed["winner link"].row, Fact) and closed["winner link"].row.fact_id == "b"
    assert isinstance(closed["decision record"].row, LogEntry)
    assert "no row says that it replaced it" in closed["winner link"].reason


def test_a_vote_that_the_log_had_before_is_a_record_and_another_one_is_not() -> None:
    store = MemoryStore(CARRIER)
    key = JudgeKey(("a", "b"), "default", "s", "p")
    store.judge_log.insert_if_absent(key, "b")
    (decision,) = written(store, *PAIR, oracle=lambda members: 0)
    assert (decision.key, decision.vote) == (key, "b")
    assert told(store, [decision])["current"]["decision record"].value is True
    deaf = MemoryStore(CARRIER)
    deaf.judge_log.insert_if_absent(key, "b")
    (decision,) = ingested(WritePath(deaf, oracles={"await": lambda members: 0}, consult=False), PAIR)
    verdict = told(deaf, [decision])["audit"]["decision record"]
    assert verdict.value is False and "another vote" in verdict.reason


def test_a_provenance_of_0_and_a_row_of_another_valid_period_decide_nothing() -> None:
    store = MemoryStore(CARRIER, mode="base")
    nothing = written(store, fact("a", provenance=CARRIER.zero), fact("b", start=1))
    assert told(store, nothing)["audit"]["source provenance"].value is None
    store = MemoryStore(CARRIER, mode="base")
    decisions = written(store, fact("a", valid=(0, 2)), fact("b", start=1, valid=(0, 2)))
    written(store, fact("c", "a", start=2, valid=(5, 6)))
    verdict = told(store, decisions)["current"]["content"]
    assert verdict.value is None and "of another valid period" in verdict.reason


def test_many_losers_have_verdicts_of_their_own() -> None:
    store = MemoryStore(CARRIER, mode="base")
    decisions = written(store, fact("a"), fact("b", start=1), fact("c", start=2, **JUDGED))
    found = facets(store, decisions)
    assert [decision.loser.fact_id for decision in decisions] == ["a", "b"]
    assert [of_loser["current"]["decision record"].value for of_loser in found] == [None, True]


# -- stores that forget ------------------------------------------------------------------------------------------------


class Forgetful:
    """A store that shows other rows and another log than it holds."""

    def __init__(
        self, store: Any, rows: Callable[[Fact[Any]], Fact[Any] | None], log: Sequence[LogEntry] | None = None
    ) -> None:
        self.store, self.change, self.carrier, self.mode = store, rows, store.carrier, store.mode
        self.log = log

    def rows(self) -> list[Fact[Any]]:
        return [found for row in self.store.rows() if (found := self.change(row)) is not None]

    @property
    def judge_log(self) -> Any:
        return self.store.judge_log if self.log is None else self

    def entries(self) -> Sequence[LogEntry]:
        return self.log or ()


def current_only(row: Fact[Any]) -> Fact[Any] | None:
    return row if row.row_kind == "current" and row.is_open else None


def unstamped(row: Fact[Any]) -> Fact[Any] | None:
    """The winner keeps its own provenance, and nothing of the loser's."""
    found = current_only(row)
    return None if found is None else replace(found, provenance=CARRIER.token("own"))


def without(*names: str) -> Callable[[Fact[Any]], Fact[Any] | None]:
    """Audit rows beside current ones, whose witness lacks some names."""

    def change(row: Fact[Any]) -> Fact[Any] | None:
        if row.row_kind == "current":
            return unstamped(row)
        said = {name: text for name, text in json.loads(row.object).items() if name not in names}
        return replace(row, object=json.dumps(said))

    return change


def no_source(row: Fact[Any]) -> Fact[Any] | None:
    found = unstamped(row) if row.row_kind == "current" else row
    return None if found is None else replace(found, provenance=CARRIER.token("own"))


def text_only(row: Fact[Any]) -> Fact[Any] | None:
    return unstamped(row)


def whole(row: Fact[Any]) -> Fact[Any] | None:
    return row if row.row_kind == "audit" else unstamped(row)


TEXT: tuple[Record[Any], ...] = (Record("history", "a: a → b", fact_id="a", object="a"),)
BROKEN: dict[str, tuple[Any, Any, Any, tuple[bool | None, ...]]] = {
    "none: the audit row says everything": (whole, None, (), (True, True, True, True)),
    "history of texts": (text_only, None, TEXT, (True, False, False, True)),
    "history of texts of nobody": (text_only, None, (replace(TEXT[0], fact_id=None),), (None, False, False, True)),
    "no history": (text_only, None, (), (False, False, False, True)),
    "no source": (no_source, None, (), (True, False, True, True)),
    "no winner": (without("winner", "winner_object"), None, (), (True, True, False, True)),
    "no loser": (without("loser"), None, (), (True, True, False, True)),
    "no content": (without("loser_object"), None, (), (False, True, True, True)),
    "no vote": (whole, (), (), (True, True, True, False)),
    "another key's vote": (
        whole,
        (LogEntry(JudgeKey(("a", "b"), "other", "s", "p"), "b"),),
        (),
        (True, True, True, False),
    ),
    "another partition's vote": (
        whole,
        (LogEntry(JudgeKey(("a", "b"), "default", "s", "q"), "b"),),
        (),
        (True, True, True, False),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_each_broken_store_loses_its_facet_and_no_other(name: str) -> None:
    rows, log, history, wanted = BROKEN[name]
    store = MemoryStore(CARRIER)
    decisions = written(store, *PAIR)
    assert values(told(Forgetful(store, rows, log), decisions, history), "audit") == wanted


def test_a_history_row_may_say_everything() -> None:
    store = MemoryStore(CARRIER)
    (decision,) = written(store, *PAIR)
    entry = Record(
        "history", "log 1", "a", ("s", "p"), "a", PAIR[0].valid, PAIR[0].provenance, "b", None, decision.key, "b"
    )
    found = told(Forgetful(store, text_only, ()), [decision], [entry])
    assert values(found, "closed") == (False, False, False, False)
    assert values(found, "history") == (True, True, True, True)
    assert {kept.row for kept in found["history"].values()} == {"log 1"}


def test_source_provenance_is_the_condition_of_n3() -> None:
    """A second definition: is some row of the surface ⪰ the loser's provenance."""
    store = MemoryStore(CARRIER)
    decisions = written(store, fact("a"), fact("b", start=1), fact("c", start=2, **JUDGED), fact("d", start=3))
    seen = set()
    for change in (whole, text_only, no_source, lambda row: row):
        shown: Any = Forgetful(store, change)
        for decision, of_loser in zip(decisions, facets(shown, decisions), strict=True):
            rows = [row for row in shown.rows() if row.row_kind == "audit" or row.is_open]
            above = any(CARRIER.leq(decision.loser.provenance, row.provenance) for row in shown.rows())
            assert of_loser["audit"]["source provenance"].value is above
            seen.add((above, bool(rows)))
    assert {above for above, _ in seen} == {True, False}
