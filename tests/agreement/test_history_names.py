"""What the smallest part behind a refuted level is called: the phenomena that do not hang on how events lay between
each other, and none that does."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from history_cases import random_case
from history_oracle import history_of

from toki_verify.checker import check
from toki_verify.events import INIT, Event, Item, Schedule, ScheduleError, Write
from toki_verify.histories import named
from toki_verify.histories.checked import Refuted, check_history
from toki_verify.histories.formats import read_history
from toki_verify.histories.named import in_words, namable, phenomena_of, telling
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.report.history_ci import messages
from toki_verify.report.history_data import history_object


def refuted(text: str) -> Refuted:
    """The one level that a Plume history does not reach."""
    history, problems = read_history(text.encode(), source="h.txt", format="plume", initial="zero")
    assert history is not None and problems == []
    [found] = check_history(history).refuted
    return found


def plume(*txns: str) -> str:
    """Transactions such as "x0 y0 x=1", of a session each."""
    lines = []
    for txn, text in enumerate(txns, start=1):
        for step in text.split():
            key, kind, value = "xyz".index(step[0]) + 1, "w" if "=" in step else "r", step[1:].lstrip("=")
            lines.append(f"{kind}({key},{value},{txn},{txn})")
    return "\n".join(lines) + "\n"


#: What each history shows, worked out by hand.
NAMED = {
    "PSI lost update": (plume("x0 x=1", "x0 x=2"), "P4 (lost update), G-single"),
    "SER write skew": (plume("x0 y0 x=1", "x0 y0 y=2"), "A5B (write skew), G2-item"),
    "RA read skew": (plume("x=1 y=1", "y0 x1"), "A5A (read skew), causality-violation (causality violation), G-single"),
    "PC long fork": (plume("x=1", "y=1", "x1 y0", "x0 y1"), "long-fork (long fork), G-nonadjacent"),
    "CC causality": (plume("x=1", "x1 y=1", "y1 x0"), "causality-violation (causality violation), G-single"),
}


@pytest.mark.parametrize("name", NAMED)
def test_what_is_known_by_a_name_gets_it(name: str) -> None:
    text, words = NAMED[name]
    found = refuted(text)
    assert found.level == name.split()[0]
    assert in_words(found.phenomena) == words


def test_every_form_of_a_report_has_the_names() -> None:
    history, _ = read_history(NAMED["PSI lost update"][0].encode(), source="h.txt", format="plume", initial="zero")
    assert history is not None
    found = check_history(history)
    assert {"P4", "G-single"} <= set(history_object(found)["refuted"]["PSI"]["phenomena"])
    assert any("The smallest part found shows P4 (lost update), G-single." in one.text for one in messages(found))


def test_without_a_smallest_part_nothing_is_named() -> None:
    history, _ = read_history(NAMED["PSI lost update"][0].encode(), source="h.txt", format="plume", initial="zero")
    assert history is not None
    found = check_history(history, smallest=False)
    assert [one.phenomena for one in found.refuted] == [()]
    assert "phenomena" not in history_object(found)["refuted"]["PSI"]


def test_of_several_names_the_telling_ones_are_said() -> None:
    assert telling(("P4", "P2[G-single]", "G-single", "G2-item", "G2")) == ("P4", "G-single")
    assert telling(("G0", "G1c", "G1")) == ("G0",)
    assert telling(("P2", "P2[G-single]", "G-single")) == ("P2", "G-single")
    assert telling(()) == () and in_words(()) == ""


def shuffled(schedule: Schedule, rng: Random) -> Schedule | None:
    """The transactions in another order of events, with the same versions, reads and version order."""
    left: dict[str, list[Event]] = {}
    for event in schedule.events:
        left.setdefault(event.txn, []).append(event)
    events = []
    while left:
        txn = rng.choice(list(left))
        events.append(left[txn].pop(0))
        if not left[txn]:
            del left[txn]
    try:
        return Schedule(
            events, init=schedule.init, order=order_of(schedule), sessions=schedule.sessions, surface=schedule.surface
        )
    except ScheduleError:
        return None


def order_of(schedule: Schedule) -> dict[Item, tuple[str, ...]]:
    """The version order, stated."""
    out = {}
    for item, places in schedule.resolved.order.items():
        writes = [schedule.events[place] for place in places if place != INIT]
        out[item] = tuple(str(write.version) for write in writes if isinstance(write, Write))
    return {item: labels for item, labels in out.items() if labels}


def changing(names: tuple[str, ...], count: int) -> set[str]:
    """Of phenomena those that are there or not as the events of a history lie."""
    rng, wrong, tried = Random(5), set(), 0
    while tried < count:
        history = history_of(random_case(rng, transactions=4, keys=2, blind=0.3))
        for found in check_history(history).refuted:
            other = None if found.schedule is None else shuffled(found.schedule, rng)
            if found.schedule is None or other is None:
                continue
            one, two = check(found.schedule).findings, check(other).findings
            wrong |= {name for name in names if one[name].present != two[name].present}
            tried += 1
    return wrong


def test_what_is_named_does_not_hang_on_how_events_lay() -> None:
    assert changing(namable(), 30) == set()


def test_what_hangs_on_it_is_noticed() -> None:
    others = tuple(name for name in catalogue() if name not in namable())
    assert {"P1[broad]", "P2[broad]"} <= changing(others, 30)


def test_long_schedules_are_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = refuted(NAMED["SER write skew"][0]).schedule
    assert schedule is not None and "A5B" in phenomena_of(schedule)
    monkeypatch.setattr(named, "EVENTS", len(schedule) - 1)
    assert phenomena_of(schedule) == ()


def test_random_parts_have_names() -> None:
    met: Counter[str] = Counter()
    rng = Random(3)
    for _ in range(120):
        for found in check_history(history_of(random_case(rng, transactions=5, keys=2, blind=0.2))).refuted:
            met.update(telling(found.phenomena))
    assert {"P4", "causality-violation", "read-only-anomaly", "G-single", "G2-item"} <= set(met)
