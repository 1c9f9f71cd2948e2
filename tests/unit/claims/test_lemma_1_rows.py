"""Keys, their number, and rows of their own transactions (L1.keys, L1.transfer.own), each a second time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product

import pytest

pytest.importorskip("z3")

from tests.agreement.oracle import PHENOMENA, Facts, Region
from toki_verify.bridge.image import Image, Logging, image
from toki_verify.bridge.keys import callback_row, judge_row
from toki_verify.claims import lemma_1_keys, lemma_1_own
from toki_verify.claims.bridge_draws import drawn
from toki_verify.claims.cells import Cells
from toki_verify.claims.lemma_1_keys import NAMES, THETAS
from toki_verify.claims.model import Outcome
from toki_verify.events import Abort, Callback, Judge, Schedule
from toki_verify.events.limits import NAME_LENGTH
from toki_verify.events.values import JsonText, json_text

from .bridge_by_hand import CALLS, CLASSICAL, MIXED, known

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


@pytest.mark.heavy
def test_the_claim_about_rows_of_their_own_says_so() -> None:
    found = outcome("L1.transfer.own")
    assert found.verdict == "holds" and found.counterexample is None
