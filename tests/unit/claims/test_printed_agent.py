"""The printed N1 schedules: agreement with the bridge, the shipped schedules and a second N1, and broken variants."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from toki_verify.bridge.image import image
from toki_verify.claims import printed_agent
from toki_verify.claims.cells import Cells
from toki_verify.claims.printed_agent import CLAIMS, VOTES, bridge, images, lower, n1, smallest_replays
from toki_verify.events import Commit, Judge, Schedule
from toki_verify.notation import parse_text, print_events

CELLS = Cells()
KNOWN = {claim.id: claim for claim in CLAIMS}
SHIPPED = Path(__file__).parents[3] / "schedules" / "bridge" / "n1-printed.sched"


def verdict(id: str) -> str:
    """What a claim says now."""
    return KNOWN[id].decide(CELLS).verdict


def by_hand(text: str) -> bool | None:
    """N1 without the definition: the votes of the committed calls at each key."""
    events = Schedule.parse(text).events
    committed = {event.txn for event in events if isinstance(event, Commit)}
    votes: dict[object, list[object]] = {}
    for event in events:
        if isinstance(event, Judge) and event.txn in committed:
            votes.setdefault(event.key, []).append(event.vote)
    stated = [{vote for vote in found if vote is not None} for found in votes.values()]
    if any(len(found) > 1 for found in stated):
        return True
    return None if any(None in found and len(found) > 1 for found in votes.values()) else False


def test_what_the_printed_schedules_say() -> None:
    assert {id: verdict(id) for id in KNOWN} == {"W.N1-bridge": "depends", "W.N1-lower": "depends"}


def test_both_ways_of_finding_n1_agree() -> None:
    texts = [bridge(*votes) for votes in product(VOTES, repeat=3)]
    thetas = (("theta", "theta"), ("theta1", "theta2"))
    texts += [lower(votes, each) for votes in product(VOTES, repeat=2) for each in thetas]
    assert len(texts) == 45 and {n1(text) for text in texts} == {True, False, None}
    assert [n1(text) for text in texts] == [by_hand(text) for text in texts]


def test_the_shipped_schedules_are_those_that_are_decided() -> None:
    shipped = {schedule.name: schedule for schedule in parse_text(SHIPPED.read_text(encoding="utf-8"))}
    for name, votes in (("toki-W-N1-lower", (None, None)), ("toki-W-N1-lower-votes", (0, 1))):
        assert shipped[name].events == Schedule.parse(lower(votes, ("theta", "theta"))).events
    through = [found for found in images() if found.well_formed]
    for name, phenomena in (("toki-W-N1-bridge-write-image", ("P0",)), ("toki-W-N1-bridge-read-image", ("P2",))):
        fitting = [found for found in through if found.phenomena == phenomena]
        assert len(fitting) == 1 and len(Schedule.parse(fitting[0].text).events) == len(shipped[name].events)


def test_the_bridge_of_the_library_makes_the_image_of_lemma_1() -> None:
    made = image(Schedule.parse(bridge(0, 1, 0))).schedule
    assert made is not None
    kinds = [(type(event).__name__, event.txn) for event in made.events]
    lemma = next(found for found in images() if found.reading.startswith("Lemma 1") and found.well_formed)
    assert kinds == [(type(event).__name__, event.txn) for event in Schedule.parse(lemma.text).events]
    levels = [level for level in printed_agent.LEVELS if printed_agent.at(print_events(made), level)]
    assert levels == ["RU"]


def test_the_replay_cannot_read_past_its_own_row() -> None:
    assert [(found.replayed, found.well_formed) for found in images()] == [(1, True), (2, False), (0, True), (2, True)]


def test_the_minimal_witness_is_of_one_transaction() -> None:
    found = smallest_replays()
    assert len(found) == 2 and all(len(Schedule.parse(text).events) == 3 for text in found)
    cell = CELLS.cell("N1", "SR")
    assert cell.witness is not None and str(cell.witness) in found


def test_a_pin_that_excludes_calls_would_not_refute(monkeypatch: pytest.MonkeyPatch) -> None:
    at = printed_agent.at
    monkeypatch.setattr(printed_agent, "at", lambda text, level: "=" not in text and at(text, level))
    assert verdict("W.N1-bridge") == "holds"


def test_without_the_second_image_nothing_saves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [each for each in images() if each.reading.startswith("Lemma 1")]
    monkeypatch.setattr(printed_agent, "images", lambda: found)
    assert verdict("W.N1-bridge") == "refuted"


def test_an_n1_across_keys_or_of_equal_votes_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed_agent, "n1", lambda text: "=" in text)
    assert verdict("W.N1-lower") == "refuted"
    monkeypatch.setattr(printed_agent, "n1", lambda text: False)
    assert verdict("W.N1-lower") == "refuted"
