"""The schedule library keeps its promises: size, sources, a boundary for every edge, a witness for every id."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from toki_verify.checker import check
from toki_verify.events import Schedule
from toki_verify.levels import families
from toki_verify.notation import parse_text
from toki_verify.phenomena.catalogue import catalogue, phenomenon
from toki_verify.verdict import Verdict


@cache
def library() -> dict[str, Verdict]:
    found: dict[str, Verdict] = {}
    for file in sorted(Path("schedules").rglob("*.sched")):
        for schedule in parse_text(file.read_text(encoding="utf-8"), file=str(file)):
            assert schedule.name is not None and schedule.name not in found, f"{schedule.name} twice"
            found[schedule.name] = check(schedule, file=str(file))
    return found


def schedules() -> list[Schedule]:
    return [verdict.schedule for verdict in library().values()]


def test_every_expectation_is_met() -> None:
    failed = {name: [f"{j.text}: {j.detail}" for j in v.judged if j.met is not True] for name, v in library().items()}
    assert {name: wrong for name, wrong in failed.items() if wrong} == {}


def test_size_sources_notes_and_expectations() -> None:
    assert len(library()) >= 150
    for schedule in schedules():
        assert schedule.source and schedule.note and schedule.expect, schedule.name


@pytest.mark.parametrize("family", list(families()))
def test_a_boundary_schedule_for_every_edge_of_every_hierarchy(family: str) -> None:
    """One schedule that has the weaker level and not the stronger, for each pair level / level directly below."""
    group = families()[family]
    for level in group.levels:
        for below in level.below:
            assert any(
                v.levels[family][below].holds and not v.levels[family][level.id].holds for v in library().values()
            ), f"{family}: {below} without {level.id}"


@pytest.mark.parametrize("name", list(catalogue()))
def test_every_phenomenon_is_expected_present_and_absent_somewhere(name: str) -> None:
    present = [s.name for s in schedules() for e in s.expect if e.kind == "present" and name in e.names]
    absent = [s.name for s in schedules() for e in s.expect if e.kind == "absent" and name in e.names]
    assert present, f"no schedule expects {name}"
    assert absent, f"no schedule expects {name} not"


def test_expectations_use_the_canonical_ids() -> None:
    for schedule in schedules():
        for expectation in schedule.expect:
            if expectation.kind != "level":
                assert all(phenomenon(name).id == name for name in expectation.names), schedule.name


@pytest.mark.parametrize(
    "prefix",
    [
        *[f"berenson-H{n}" for n in range(1, 6)],
        *[f"berenson-{p}" for p in ("P0", "P1", "P2", "P3", "P4", "A5A", "A5B")],
        *[f"toki-W-{p}" for p in ("P0", "P1", "P2", "P3", "P4", "A5A", "A5B", "N3")],
        *[f"field-F{n:02}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 23, 24)],
        *[f"hermitage-{t}" for t in ("g0", "g1a", "g1b", "g1c", "otv", "pmp", "p4", "g-single", "g2-item", "g2")],
        "adya-H-phantom",
        "adya-H-wcycle",
        "adya-H-pred-read",
        "fekete-",
    ],
)
def test_the_literature_is_there(prefix: str) -> None:
    assert any(name.startswith(prefix) for name in library()), prefix


def test_incomparable_levels_have_witnesses_of_both_directions() -> None:
    for one, other in (
        (("adya", "PL-SI"), ("adya", "PL-3")),
        (("adya", "PL-2+"), ("adya", "PL-2.99")),
        (("graph", "SI"), ("adya", "PL-SI")),
        (("graph", "RC"), ("graph", "RC[G]")),
        (("session", "PC"), ("session", "PSI")),
    ):
        for holds, fails in ((one, other), (other, one)):
            assert any(
                v.levels[holds[0]][holds[1]].holds and not v.levels[fails[0]][fails[1]].holds
                for v in library().values()
            ), f"{holds} without {fails}"


def test_no_two_schedules_are_the_same_history_under_one_expectation() -> None:
    seen = Counter((str(s), str(dict(s.order)), str(dict(s.sessions)), str(dict(s.init))) for s in schedules())
    repeated = [text for (text, *_), count in seen.items() if count > 3]
    assert not repeated
