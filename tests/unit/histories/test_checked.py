"""A checked history: the weakest level that fails is explained, by a part of it that the concrete reading refutes, too;
reports say what was found."""

from __future__ import annotations

import json
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
from hypothesis import given, settings

from toki_verify.histories.checked import LEVELS, Checked, check_history, weakest
from toki_verify.histories.columns import History
from toki_verify.histories.from_schedule import history_of
from toki_verify.histories.sessions.verdict import decide
from toki_verify.levels import families
from toki_verify.notation import parse_text
from toki_verify.relations.concrete import Concrete
from toki_verify.report import history_ci
from toki_verify.report.history import history_lines
from toki_verify.report.history_data import history_object

from .histories import histories, plain

LOST = "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1 r3[x2] w3[y1] c3"
SKEW = "r1[x0] r1[y0] r2[x0] r2[y0] w1[x1] w2[y1] c1 c2 r5[x1] c5 w7[q1] c7"
FRACTURED = "session s: 1 2\nw1[x1] w1[y1] c1 r2[x1] r2[y1] c2 r3[x1] r3[y0] c3"
SERIAL = "r1[x0] w1[x1] c1 r2[x1] w2[x2] c2"


def checked(text: str, declared: str | None = None) -> Checked:
    return check_history(history_of(parse_text(f"schedule one\n{text}\n")[0]), declared=declared)


def shown(found: Checked) -> str:
    return "\n".join(line.plain for line in history_lines(found, 100))


# -- what is found -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "level", "also", "size", "maximal"),
    [
        (LOST, "PSI", ("SI", "SER"), 3, ("PC",)),
        (SKEW, "SER", (), 4, ("SI",)),
        (FRACTURED, "RC", ("RA", "CC", "PC", "PSI", "SI", "SER"), 4, ()),
    ],
)
def test_the_weakest_level_that_fails_is_explained(
    text: str, level: str, also: tuple[str, ...], size: int, maximal: tuple[str, ...]
) -> None:
    found = checked(text)
    [refuted] = found.refuted
    assert (refuted.level, refuted.also) == (level, also)
    assert refuted.part is not None and refuted.part.size == size
    assert found.maximal() == maximal
    assert found.ok is False
    assert refuted.lines and set(refuted.lines) <= set(found.history.line.tolist())


def test_what_is_at_all_levels_is_as_it_should_be() -> None:
    found = checked(SERIAL)
    assert found.ok is True
    assert found.maximal() == ("SER",)
    assert found.refuted == ()


def test_a_declared_level_is_what_counts() -> None:
    assert checked(SKEW, "SI").ok is True
    assert checked(SKEW, "SER").ok is False


def test_the_weakest_are_those_above_no_other() -> None:
    assert weakest(("SER", "SI", "PC")) == ("PC",)
    assert weakest(("SER", "SI", "PC", "PSI")) == ("PC", "PSI")
    assert weakest(()) == ()


@settings(max_examples=60)
@given(histories(wild=False))
def test_the_part_that_is_shown_is_refuted_by_the_concrete_reading_too(history: History) -> None:
    """Whatever order of versions the schedule takes: a part that fails does so under every one."""
    found = check_history(history)
    formulas = {level.id: level.formula for level in families()["session"].levels}
    for refuted in found.refuted:
        assert refuted.part is not None
        assert decide(refuted.part, levels=(refuted.level,))[refuted.level].holds is False
        if refuted.schedule is not None:
            assert not Concrete(refuted.schedule).holds(formulas[refuted.level])


@settings(max_examples=60)
@given(histories())
def test_a_finding_that_refutes_leaves_no_level(history: History) -> None:
    found = check_history(history)
    if any(finding.refutes for finding in found.findings):
        assert set(found.levels.values()) == {False}
        assert found.ok is False


# -- what is said ------------------------------------------------------------------------------------------------------
def test_people_read_the_levels_and_the_reason() -> None:
    text = shown(checked(LOST))
    assert "one  schedule: 3 transactions in 3 sessions, 6 operations on 2 keys" in text
    assert "RC ✓  RA ✓  CC ✓  PC ✓  PSI ✗  SI ✗  SER ✗" in text
    assert "Not PSI (so not SI, SER either)" in text
    assert "The smallest part found that shows it: 2 transactions, 3 operations" in text
    assert "T1  r1[x0]───────────w1[x2]─c1" in text  # nothing that nobody did: T2 has committed by then


def test_machines_read_the_same() -> None:
    found = checked(LOST)
    out = history_object(found)
    assert json.loads(json.dumps(out)) == out
    assert out["levels"]["session"] == dict(zip(LEVELS, (True, True, True, True, False, False, False), strict=True))
    assert out["refuted"]["PSI"]["also"] == ["SI", "SER"]
    assert set(out["refuted"]["PSI"]["transactions"]) == {"1", "2"}
    assert "r1[x0]" in out["refuted"]["PSI"]["smallest_text"]


def test_builds_read_errors_where_the_history_fails() -> None:
    found = [checked(LOST), checked(SERIAL)]
    assert history_ci.github(found, []).count("::error") == 1
    run = json.loads(history_ci.sarif(found, []))["runs"][0]
    assert [result["ruleId"] for result in run["results"]] == ["session:PSI"]
    suites = Xml.fromstring(history_ci.junit(found, []).encode()).findall("testsuite")
    assert [(suite.get("tests"), suite.get("failures")) for suite in suites] == [("8", "3"), ("8", "0")]
    assert history_ci.markdown(found, []).split("\n")[2:4] == [
        "| one | ✓ | ✓ | ✓ | ✓ | ✗ | ✗ | ✗ | none |",
        "| one | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | none |",
    ]


def test_a_level_that_was_not_declared_is_a_note() -> None:
    found = [checked(SKEW, "SI")]
    assert "::error" not in history_ci.github(found, [])
    assert [one.level for one in history_ci.messages(found[0])] == ["note"]
    assert Xml.fromstring(history_ci.junit(found, []).encode())[0].get("failures") == "0"


def test_single_reads_are_named_with_their_lines() -> None:
    history = plain("w1[x1] r2[x1] r2[y7] r3[y7]")
    found = check_history(history)
    assert "unwritten-read  2 times" in shown(found)
    assert history_object(found)["findings"][0]["lines"] == [3, 4]
    assert np.array_equal(np.unique(list(found.levels.values())), [False])
