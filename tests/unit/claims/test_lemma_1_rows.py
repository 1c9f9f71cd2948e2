"""Keys, their number, and rows of their own transactions (L1.keys, L1.transfer.own), each a second time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product

import pytest

pytest.importorskip("z3")

from tests.agreement.oracle import PHENOMENA, Facts, Region
from tests.second.bridge_claims import image as by_hand
from toki_verify.bridge import pullback
from toki_verify.bridge.image import Image, Logging, image
from toki_verify.bridge.keys import callback_row, judge_row
from toki_verify.bridge.pullback import JUDGE_LOG
from toki_verify.claims import lemma_1_keys, lemma_1_own
from toki_verify.claims.bridge_draws import drawn
from toki_verify.claims.cells import Cells
from toki_verify.claims.current import meaning_of
from toki_verify.claims.lemma_1_keys import NAMES, THETAS
from toki_verify.claims.lemma_1_own_questions import OWN_QUESTIONS, own
from toki_verify.claims.model import Outcome
from toki_verify.events import Abort, Begin, Callback, Judge, Schedule
from toki_verify.events.limits import NAME_LENGTH
from toki_verify.events.values import JsonText, json_text
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations import base
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula
from toki_verify.search.census import census
from toki_verify.search.decide import Decision
from toki_verify.search.witness import Bounds, Found

from .bridge_by_hand import CALLS, CLASSICAL, MIXED, PREDICATES, known

KEYS = [(reads, json_text(theta)) for reads, theta in product(NAMES, THETAS)]


def outcome(id: str) -> Outcome:
    found = {claim.id: claim for claim in (*lemma_1_keys.CLAIMS, *lemma_1_own.CLAIMS)}
    return found[id].decide(Cells())


# -- rows --------------------------------------------------------------------------------------------------------------
def read_back(name: str) -> set[tuple[str, JsonText]]:
    """The keys that a row's name could be of: it is read as the key of a judge call; a θ that no name is, as JSON."""
    found = set()
    texts: list[tuple[str, JsonText | None]] = [(name, None)]
    for place in range(len(name)):
        if name.startswith(", ", place):
            try:
                theta = json.loads(name[place + 2 : -1])
            except ValueError:
                continue
            if not isinstance(theta, str):
                texts.append((f"{name[:place]}, t)", json_text(theta)))
    for text, theta in texts:
        try:
            (event, _) = Schedule.parse(f"j1{text} c1").events
        except ValueError:
            continue
        if isinstance(event, Judge):
            found.add((event.reads, event.theta if theta is None else theta))
    return found


def unreadable(keys: Iterable[tuple[str, JsonText]], name: Callable[[tuple[str, JsonText]], str]) -> list[object]:
    """The keys that cannot be told from the name of their row."""
    return [key for key in keys if read_back(name(key)) != {key}]


def test_a_row_says_whose_it_is() -> None:
    """An inverse, where the claim compares pairs: no name is read back as another key, so no two keys share one."""
    short = [key for key in KEYS if not judge_row(key).name.startswith("sha256-")]
    assert unreadable(short, lambda key: judge_row(key).name) == []
    hashed = [judge_row(key).name for key in KEYS if key not in short]
    assert len(hashed) == len(set(hashed)) == len(KEYS) - len(short) > 0
    assert (len({judge_row(key) for key in KEYS}) == len(KEYS)) == (outcome("L1.keys.rows").verdict == "holds")


def test_rows_named_without_quotes_are_caught() -> None:
    def joined(key: tuple[str, JsonText]) -> str:
        theta = json.loads(key[1])
        return f"({key[0]}, {theta if isinstance(theta, str) else key[1]})"

    assert unreadable([key for key in KEYS if len(joined(key)) <= NAME_LENGTH], joined)
    assert len({joined(key) for key in KEYS}) < len(KEYS)


def test_callbacks_of_two_read_sets_share_a_row() -> None:
    found = outcome("L1.keys.callbacks")
    assert found.counterexample is not None
    calls = [event for event in found.counterexample.events if isinstance(event, Callback)]
    by_key = {(call.reads, call.request): callback_row(call.request) for call in calls}
    assert (len(set(by_key.values())) < len(by_key)) == (found.verdict == "refuted")
    behind = image(found.counterexample).schedule
    assert behind is not None
    # Two winners, one row, one version: the oracle sees two reads of the same.
    seen = Facts(behind).seen
    assert len({call.winner for call in calls}) == 2 and len({(row.item, row.version) for row in seen}) == 1
    # With R hashed into h, as the repair has it, they do not.
    repaired = {callback_row(f"{call.reads}/{call.request}") for call in calls}
    assert len(repaired) == len(by_key)


# -- as many accesses as calls -----------------------------------------------------------------------------------------
def counted(schedule: Schedule, logging: Logging) -> bool:
    """Whether each row is touched as often in π_J(S) as its key is asked in S."""
    behind = image(schedule, logging).schedule
    assert behind is not None
    asked = Counter(judge_row(event.key) for event in schedule.events if isinstance(event, Judge))
    facts = Facts(behind)
    touched = Counter(write.item for write in facts.writes.values()) + Counter(row.item for row in facts.item_reads)
    return all(touched[row] == number for row, number in asked.items())


LOGGINGS = {"operator": Logging(), "own": Logging("own"), "unlogged": Logging(mismatch="unlogged")}


def test_calls_are_counted_alike() -> None:
    schedules = sorted(known(6, CALLS), key=len)
    fewer: dict[str, Schedule] = {}
    for name, logging in LOGGINGS.items():
        lost = [schedule for schedule in schedules if not counted(schedule, logging)]
        assert lost == [schedule for schedule in schedules if not lemma_1_keys.multiplicity(schedule, logging)]
        if lost:
            fewer[name] = lost[0]
    assert list(fewer) == ["unlogged"]
    # A call is lost where it returns another vote than the row that it would have read, and not sooner.
    assert str(fewer["unlogged"]) == "j1(R, theta)=0 j1(R, theta)=1 c1"


@pytest.mark.heavy
def test_the_claim_about_keys_says_so() -> None:
    found = outcome("L1.keys.calls")
    assert found.verdict == "depends" and not counted(found.witnesses[0], LOGGINGS["unlogged"])
    assert len(found.witnesses[0]) == 3
    assert outcome("L1.keys").verdict == "depends"


class Finding(Cells):
    """Cells whose searches find one schedule for some ids, and nothing for the others."""

    def __init__(self, schedule: Schedule, *ids: str, gives_up: bool = False) -> None:
        super().__init__()
        self.schedule_, self.ids, self.gives_up = schedule, ids, gives_up

    def search(self, id: str, formula: Formula, statement: str, bounds: Bounds) -> Found:
        found = (self.schedule_,) if id in self.ids and not self.gives_up else ()
        return Found("found" if found else "undecided", found, bounds, gave_up=id in self.ids and self.gives_up)

    def link(self, id: str, formula: Formula, statement: str) -> Decision:
        found = self.search(id, formula, statement, Bounds())
        return Decision("found" if found.schedules else "undecided", found)


def test_other_answers_make_other_verdicts_of_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemma_1_keys, "EVENTS", 4)
    schedule = Schedule.parse("j1(R, theta)=0 j1(R, theta)=1 c1")
    decide = {claim.id: claim.decide for claim in lemma_1_keys.CLAIMS}["L1.keys.calls"]
    assert decide(Finding(schedule)).verdict == "depends"
    assert decide(Finding(schedule, "L1.keys.calls.rows")).verdict == "refuted"
    assert decide(Finding(schedule, "L1.keys.calls.accesses", gives_up=True)).verdict == "undecided"
    monkeypatch.setattr(lemma_1_keys, "LOGGINGS", (Logging(), Logging("own")))
    assert decide(Finding(schedule)).verdict == "holds"


#: Wrong pictures of calls behind the bridge, and which statement notices.
@pytest.mark.parametrize("name", ["write", "item_read", "same_item"])
def test_a_bridge_that_loses_calls_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def forget() -> None:
        for cached in (pullback._pulled, pullback.pulled, pullback.pulled_term):
            cached.cache_clear()

    monkeypatch.setattr(pullback, "_BEHIND", pullback._BEHIND | {name: getattr(base, name)})
    forget()
    try:
        wrong = lemma_1_keys.elsewhere() if name == "same_item" else lemma_1_keys.miscounted()
        schedule = Concrete(Schedule.parse("j1(R, theta)=0 j2(R, theta)=0 c1 c2"))
        assert schedule.holds(wrong)
    finally:
        monkeypatch.undo()
        forget()
    assert not schedule.holds(lemma_1_keys.elsewhere() | lemma_1_keys.miscounted())


# -- π_J twice ---------------------------------------------------------------------------------------------------------
def told(schedule: Schedule) -> list[tuple[object, ...]]:
    """The events of an image, but for how it names rows of keys and log transactions, and for begins that it adds."""
    found: list[tuple[object, ...]] = []
    for event in schedule.events:
        if not isinstance(event, Begin):
            item = getattr(event, "item", None)
            row = "a row" if item is not None and item.table == JUDGE_LOG else item
            txn = "log" if event.txn.startswith("log") else event.txn
            found.append((event.op, txn, row, getattr(event, "version", None), getattr(event, "value", None)))
    return found


def differ(schedules: Iterable[Schedule], logging: Logging) -> list[str]:
    """The schedules of which `bridge.image` makes something else than `bridge_claims`, written apart from it."""
    ways = {"own": logging.writer == "own", "unlogged": logging.mismatch == "unlogged"}
    wrong = []
    for schedule in schedules:
        behind = image(schedule, logging).schedule
        if behind is None or told(behind) != told(by_hand(schedule, **ways)):
            wrong.append(str(schedule))
    return wrong


@pytest.mark.parametrize("name", LOGGINGS)
def test_the_bridge_is_the_one_that_is_written_by_hand(name: str) -> None:
    schedules = [*known(5, CALLS), *known(4, MIXED), *(drawn(seed, obedient=seed % 2 == 0) for seed in range(150))]
    assert differ(schedules, LOGGINGS[name]) == []
    others = [logging for logging in LOGGINGS.values() if logging != LOGGINGS[name]]
    ways = {"own": name == "own", "unlogged": name == "unlogged"}
    assert any(told(image(s, other).schedule) != told(by_hand(s, **ways)) for other in others for s in schedules)  # type: ignore[arg-type]


# -- rows in transactions of their own ---------------------------------------------------------------------------------
def first_vote(schedule: Schedule) -> bool:
    """H1 to the letter, rows committed at once: every call returns the first vote at its key, rolled back or not."""
    votes: dict[object, object] = {}
    return all(votes.setdefault(e.key, e.vote) == e.vote for e in schedule.events if isinstance(e, Judge))


def wrong_ones(
    schedules: Iterable[Schedule], logging: Logging, obeys: Callable[[Image], bool]
) -> tuple[list[str], int]:
    """Where S and its image show other classical phenomena, or N1, or P2 or P3 on the log; and how many were tried."""
    tried, wrong = 0, []
    for schedule in schedules:
        made = image(schedule, logging)
        if not obeys(made):
            continue
        assert made.schedule is not None
        tried += 1
        before, behind = Facts(schedule), Facts(made.schedule)
        log = behind.within(Region("judge_log", None))
        same = [PHENOMENA[name](before) for name in CLASSICAL] == [PHENOMENA[name](behind) for name in CLASSICAL]
        if not same or PHENOMENA["N1"](before) or PHENOMENA["P2"](log) or PHENOMENA["P3"](log):
            wrong.append(str(schedule))
    return wrong, tried


def small() -> list[Schedule]:
    return [*known(6, CALLS), *known(5, MIXED), *(drawn(seed, obedient=True) for seed in range(100))]


def test_verdicts_transfer_from_rows_of_their_own() -> None:
    schedules = small()
    for schedule in schedules:
        assert first_vote(schedule) == lemma_1_own.obeys(image(schedule, lemma_1_own.OWN)), str(schedule)
    wrong, tried = wrong_ones(schedules, lemma_1_own.OWN, lambda made: first_vote(made.source))
    assert wrong == [] and tried > 600
    assert any(isinstance(e, Abort) for s in schedules if first_vote(s) for e in s.events)


def test_neither_half_of_h1_can_be_left_out() -> None:
    """Mutants: rows in the operator's transaction although later calls return them; rows that are not returned."""
    schedules = small()
    assert wrong_ones(schedules, Logging(), lambda made: first_vote(made.source))[0]
    assert wrong_ones(schedules, lemma_1_own.OWN, lambda made: True)[0]


def test_formulas_say_what_images_show() -> None:
    """`own` of `lemma_1_own_questions`, on schedules of three transactions that keep H1, with predicates too."""
    assert [str(s) for s in kept(5, 4, 5) if lemma_1_own.differing(s)] == []


@pytest.mark.heavy
def test_formulas_say_what_images_show_up_to_nine_events() -> None:
    assert [str(s) for s in kept(9, 6, 6) if lemma_1_own.differing(s)] == []


def kept(calls: int, mixed: int, predicates: int) -> Iterator[Schedule]:
    """Schedules in which every call returns the same vote, up to so many events."""
    for size, alphabet in ((calls, CALLS), (mixed, replace(MIXED, transactions=3)), (predicates, PREDICATES)):
        for schedule in census(size, replace(alphabet, votes=("0",)), complete=True):
            if any(isinstance(event, Judge) for event in schedule):
                yield schedule


def test_what_is_asked_of_rows_of_their_own_is_false_of_rows_of_operators() -> None:
    """A row that is read before its operator commits: dirty in the operator's transaction, not in one of its own."""
    dirty = Schedule.parse("j1(R, theta)=0 j2(R, theta)=0 c2 c1")
    assert PHENOMENA["P1"](Facts(image(dirty).schedule)) and not lemma_1_own.differing(dirty)  # type: ignore[arg-type]
    assert Concrete(dirty).holds(pullback.pulled(phenomenon("P1").formula))
    assert not Concrete(dirty).holds(own(phenomenon("P1").formula))


def test_other_answers_make_other_verdicts_of_rows_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemma_1_own, "CALLS", 4)
    monkeypatch.setattr(lemma_1_own, "MIXED", 3)
    monkeypatch.setattr(lemma_1_own, "_SEEDS", 5)
    schedule = Schedule.parse("j1(R, theta)=0 j2(R, theta)=0 c2 c1")
    decide = lemma_1_own.CLAIMS[0].decide
    assert decide(Finding(schedule)).verdict == "undecided"  # nothing is proved
    assert decide(Finding(schedule, "L1.transfer.own.enters")).verdict == "refuted"
    found = decide(Finding(schedule, "L1.transfer.own.P2.lost"))
    assert found.verdict == "refuted" and found.counterexample == schedule
    monkeypatch.setattr(lemma_1_own, "OWN", Logging())
    monkeypatch.setattr(lemma_1_own, "obeys", lambda made: True)
    assert lemma_1_own._images().verdict == "refuted"


@pytest.mark.heavy
def test_the_claim_about_rows_of_their_own_says_so() -> None:
    found = outcome("L1.transfer.own")
    assert found.verdict == "holds" and found.counterexample is None
    assert {proof.id for proof in found.proofs} == set(OWN_QUESTIONS)
    assert all(meaning_of(id) is not None for id in OWN_QUESTIONS)
