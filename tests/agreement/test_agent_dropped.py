"""Who dropped the source of a version that N3 tells: counted over arrays and by hand, and in plain cases."""

from __future__ import annotations

from typing import Any

import pytest
from test_agent_report import assert_agree, drawn

from toki_verify.events import Schedule, Write
from toki_verify.histories.columnar import agent_erasure
from toki_verify.notation import parse_text


@pytest.mark.parametrize(
    ("text", "overwriter", "dropped_by"),
    [
        ("w1[x1 prov p] c1 w2[x2 prov p+q] c2 w3[x3 prov q] c3", "2", "3"),
        ("w1[x1 prov p] c1 w2[x2 prov p+q] c2 w3[x3] c3 w4[x4 prov q] c4", "2", "3"),
        ("w1[x1 prov p] c1 w2[x2 prov p+q] c2 w3[-x3] c3", "2", "3"),
        ("w1[x1 prov p] c1 w2[x2 prov q] c2 w3[x3 prov r] c3", "2", "2"),
        ("w1[x1] c1 w2[x2 prov q] c2", "2", "2"),
        ("w1[x1 prov 0] c1 w2[x2] c2 w3[-x3] c3", "2", "3"),
        ("order x: 1 3 2\nw1[x1 prov p] c1 w2[x2 prov q] c2 w3[x3 prov p+q] c3", "3", "2"),
    ],
)
def test_who_dropped_a_source_is_not_who_overwrote_the_version(text: str, overwriter: str, dropped_by: str) -> None:
    schedule = parse_text(f"schedule one\n{text}\n")[0]
    erasure = assert_agree(schedule).erasure
    assert erasure is not None
    found = next(one for one in erasure.surface("audit").first if one.version == "1")
    assert (found.overwriter, found.dropped_by) == (overwriter, dropped_by)
    assert isinstance(schedule.events[found.dropped or 0], Write)
    assert schedule.events[found.dropped or 0].txn == dropped_by


def test_random_versions_are_overwritten_by_one_and_dropped_by_another() -> None:
    apart = 0
    for schedule in drawn(300, 308):
        erasure = assert_agree(schedule).erasure
        for surface in erasure.surfaces if erasure is not None else ():
            apart += sum(one.dropped not in (None, one.overwritten) for one in surface.first)
    assert apart > 0


@pytest.mark.parametrize("broken", [lambda *_: None, lambda reading, slot: slot], ids=["nobody", "a wrong write"])
def test_who_dropped_a_source_is_checked(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_erasure, "_dropping", broken)

    def agrees(schedule: Schedule) -> bool:
        try:
            assert_agree(schedule)
        except (AssertionError, IndexError, TypeError, ValueError):
            return False
        return True

    assert not all(map(agrees, drawn(300, 310)))


def test_a_row_that_keeps_the_source_is_told_from_one_that_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "w1[x1 prov p] c1 w2[x2 prov p+q] c2 w3[x3 prov q] c3"
    monkeypatch.setattr(agent_erasure, "_says", lambda *_: False)
    with pytest.raises(AssertionError):
        assert_agree(Schedule.parse(text))
