"""The report on what agents did: what it says, that it fits, and that names cannot break out of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, cast

import pytest
from report_samples import HOSTILE

from toki_verify.events import SURFACE_PARTS, Item, Partition
from toki_verify.histories.columnar.agent_drift import Drift, PartitionDrift, Skew
from toki_verify.histories.columnar.agent_erasure import ErasedVersion, Erasure, Kept, SurfaceErasure, TableErasure
from toki_verify.histories.columnar.agent_votes import Call, Vote, VoteGroup, Votes
from toki_verify.histories.columnar.by_agent import AgentReport
from toki_verify.report.agents import PARTITIONS, TABLES, VOTES, agent_lines, agent_object
from toki_verify.report.line import plain
from toki_verify.report.plain import visible

FULL = 1_234_567


def sample(name: str = "m", partitions: int = 2, tables: int = 2, lines: bool = True, many: int = FULL) -> AgentReport:
    """A report in which everything that has a name has this one."""

    def call(event: int) -> Call:
        return Call(name, name, event, event + 1 if lines else None)

    votes = tuple(Vote(json.dumps(f"{name}{n}"), many, call(n), call(n + 9)) for n in range(VOTES + 2))
    group = VoteGroup((name, json.dumps(name)), many, 3, VOTES + 2, votes)
    structured = replace(group, key=(name, json.dumps({"prompt": name, "seed": 1})), unknown=0)
    skew = Skew((name, "1"), (Item("facts", name), Item(name, "y")), (5, 8, 6, 7), (6, 9, 7, 8) if lines else ())
    row = PartitionDrift(Partition(name, name), many, many, many, 2, skew, many, 2, skew)
    at = (5, 9, 12) if lines else (None, None, None)
    lost = ErasedVersion(Item(name, name), name, name, name, "2", False, 4, 8, name, 11, at)
    first = replace(lost, writer=None, version="0", provenance=None, deleted=True, written=None, lines=(None,) * 3)
    of_tables = tuple(TableErasure(f"{name}{n}", many, 7) for n in range(tables))
    surfaces = [SurfaceErasure(part, 2 * many, many, of_tables, (lost, first)) for part in SURFACE_PARTS]
    surfaces[-1] = replace(surfaces[-1], erased=7)
    return AgentReport(
        Votes(many, many, many - 1, 2, 3, 5, 1, many, 1, (group, structured), (group,)),
        Drift(4 * many, partitions, partitions, partitions, many, many, (row,) * partitions),
        Erasure(2 * many, True, tuple(Kept("audit", f"{name}{n}", 4) for n in range(tables)), tuple(surfaces)),
    )


def text(report: AgentReport, width: int = 100) -> str:
    return plain(agent_lines(report, width))


def none_found(report: AgentReport) -> AgentReport:
    """The same without anything found."""
    assert report.votes is not None and report.drift is not None and report.erasure is not None
    clean = tuple(replace(surface, erased=0, first=()) for surface in report.erasure.surfaces)
    return AgentReport(
        replace(report.votes, differing=0, differing_observed=0, undecided=0, unknown=0, first=(), first_observed=()),
        replace(report.drift, affected=0, affected_lifted=0, affected_any=0, pairs=0, lifted_pairs=0, rows=()),
        replace(report.erasure, surfaces=clean),
    )


def test_it_says_who_what_and_when() -> None:
    said = " ".join(text(sample("ab", many=50)).split())  # however it is folded
    for words in (
        "N1  judge-replay inconsistency, by key",
        "50 committed judge calls at 50 keys, 49 of them called more than once; the vote of 5 calls is not known",
        "2 keys with different votes (4.1% of those called more than once)",
        "1 more key called more than once without all votes known: undecided",
        "3 keys if all calls count, committed or not (N1[observed])",
        "(ab, ab)  50 calls, 3 of them unknown, 7 different votes",
        '"ab0": 50 ×, first by Tab of session ab (line 1), last by Tab of session ab (line 10)',
        "and 2 more votes",
        "200 partitions (subject, predicate)",
        "2 partitions with N2, 50 pairs of transactions",
        "partition  read by  written by  pairs  lifted",
        "ab.ab           50          50     50      50",
        "First in ab.ab: Tab read ab (line 6), T1 overwrote it (line 9); T1 read ab:y (line 7), Tab "
        "overwrote it (line 8).",
        "100 fact versions overwritten or deleted",
        "on current rows   50    50.0%  ██████████",
        "on + audit rows    7     7.0%  █",
        "Erased, by table: ab0 7 of 50, ab1 7 of 50",
        "Rows kept, by table: ab0 (audit) 4, ab1 (audit) 4",
        "ab:ab@ab of Tab (line 5), prov ab, was overwritten by T2 (line 9), which kept its source, and dropped by "
        "Tab (line 12)",
        "ab:ab@0 of the initial state was deleted by T2 (event 8)",
    ):
        assert " ".join(words.split()) in said, words


def test_without_lines_events_are_named() -> None:
    said = text(sample("ab", lines=False))
    assert "(event 0)" in said and "(event 5)" in said and "line" not in said


def test_nothing_found_is_green_and_short() -> None:
    found = list(agent_lines(none_found(sample()), 100))
    styles = {piece: style for line in found for piece, style in line.pieces}
    assert [styles[name] for name in ("N1", "N2", "N3")] == ["bold green"] * 3
    assert len(found) < 20 and "█" not in plain(found)


def test_what_is_found_is_red_and_what_is_open_yellow() -> None:
    report = sample()
    styles = {piece: style for line in agent_lines(report, 100) for piece, style in line.pieces}
    assert [styles[name] for name in ("N1", "N2", "N3")] == ["bold red"] * 3
    assert report.votes is not None
    open_ = replace(report.votes, differing=0, first=())
    found = [line.pieces for line in agent_lines(AgentReport(open_, None, None), 100)]
    assert ("N1", "bold yellow") in found[1]
    assert "1 key called more than once without all votes known" in text(AgentReport(open_, None, None))
    # No key of committed calls differs: then those of N1[observed] are told.
    assert '"m0"' in text(AgentReport(open_, None, None))


def test_only_what_there_is_has_a_section() -> None:
    report = sample()
    assert text(AgentReport(None, None, None)) == ""
    assert "N2" not in text(replace(report, drift=None))
    assert report.erasure is not None
    unstated = replace(report, erasure=replace(report.erasure, annotated=False))
    assert "N3" not in text(unstated)
    assert agent_object(unstated)["erasure"]["annotated"] is False


def test_long_lists_are_cut_and_counted() -> None:
    said = text(sample(partitions=PARTITIONS + 3, tables=TABLES + 2))
    assert "and 3 more partitions" in said and said.count("m.m ") == PARTITIONS
    assert said.count("and 2 more") == 4  # votes of two keys, tables twice


@pytest.mark.parametrize("width", [0, 60, 79, 100, 200])
@pytest.mark.parametrize("many", [1, FULL])
def test_lines_fit(width: int, many: int) -> None:
    long = "a long name with blanks " * 9
    for report in (sample(many=many), sample(long, many=many), sample("x" * 300, 30, 30, False, many)):
        for found in (report, none_found(report)):
            for row in text(found, width).splitlines():
                assert len(row) <= max(width, 60), row


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("width", [60, 100])
def test_names_cannot_break_out(name: str, width: int) -> None:
    entries = list(agent_lines(sample(name), width))
    assert len(plain(entries).splitlines()) == len(entries)
    for entry in entries:
        assert visible(entry.plain) == entry.plain
    # As many lines as with a harmless name, but for those that are folded.
    assert len(entries) <= 2 * len(list(agent_lines(sample("m" * 28), width)))


def test_shares_that_are_not_all_or_nothing_do_not_look_so() -> None:
    report = sample()
    assert report.votes is not None
    for differing, shown in ((1, "< 0.1%"), (FULL - 2, "> 99.9%"), (FULL - 1, "100.0%"), ((FULL - 1) // 2, "50.0%")):
        said = text(AgentReport(replace(report.votes, differing=differing), None, None))
        assert f"({shown} of those" in said


@pytest.mark.parametrize("name", ["m", *HOSTILE])
def test_the_object_is_json_and_says_names_as_they_are(name: str) -> None:
    report = sample(name)
    found = agent_object(report)
    assert json.loads(json.dumps(found)) == found
    group = found["votes"]["N1"]["first"][0]
    assert (group["R"], group["theta"], group["votes"][0]["vote"]) == (name, name, f"{name}0")
    assert group["votes"][0]["first"] == {"txn": name, "session": name, "event": 0, "line": 1}
    assert found["votes"]["N1"]["first"][1]["theta"] == {"prompt": name, "seed": 1}
    row = found["drift"]["by_partition"][0]
    assert row["N2"]["first"]["txns"] == [name, "1"] and row["N2"]["first"]["lines"] == [6, 9, 7, 8]
    lost = found["erasure"]["surfaces"]["N3[audit]"]
    assert lost["erased"] == 7 and lost["first"][0]["writer"] == name and lost["first"][1]["writer"] is None
    assert set(found["erasure"]["surfaces"]) == {f"N3[{part}]" for part in SURFACE_PARTS}


def test_every_number_of_a_report_is_in_the_object() -> None:
    """Whatever number of the report is changed, the object is another one."""

    def numbers(value: Any) -> list[str]:
        return re.findall(r"\d+", json.dumps(value))

    report = sample(many=77)
    assert report.votes is not None and report.drift is not None and report.erasure is not None
    for part, names in (
        (report.votes, ("calls", "keys", "repeated", "differing", "differing_observed", "unknown", "undecided")),
        (report.votes, ("observed_calls", "undecided_observed")),
        (report.drift, ("partitions", "affected", "affected_lifted", "affected_any", "pairs", "lifted_pairs")),
        (report.erasure, ("overwritten",)),
    ):
        field = next(name for name in ("votes", "drift", "erasure") if getattr(report, name) is part)
        for name in names:
            more: dict[str, Any] = {field: replace(part, **cast(Any, {name: 987_654}))}
            changed = replace(report, **more)
            assert "987654" in numbers(agent_object(changed)), name
    for name in ("readers", "writers", "pairs", "transactions", "lifted_pairs", "lifted_transactions"):
        row = replace(report.drift.rows[0], **cast(Any, {name: 987_654}))
        assert "987654" in numbers(agent_object(replace(report, drift=replace(report.drift, rows=(row,))))), name
    assert agent_object(AgentReport(None, None, None)) == {"votes": None, "drift": None, "erasure": None}
