"""Graphviz text: quoted strings hold, red is the cycle of the evidence and nothing else."""

from __future__ import annotations

import re

from report_samples import LOST_UPDATE, SERIAL, verdict

from toki_verify.conflict_graph import edges_of
from toki_verify.events import Schedule
from toki_verify.report.dot import dot, escaped
from toki_verify.report.edges import DRAWN
from toki_verify.report.issues import focus
from toki_verify.report.plain import kind_name
from toki_verify.verdict import Verdict

STRING = r'"(?:[^"\\\n]|\\[\\"])*"'
NODE = re.compile(rf"  (t\d+) \[label=({STRING})(, color=red)?\];")
RED = ", color=red, fontcolor=red, penwidth=2"
EDGE = re.compile(rf"  (t\d+) -> (t\d+) \[label=({STRING})(, style=dashed)?({RED})?\];")
OTHER = re.compile(rf"digraph {STRING} {{|  rankdir=LR;|  label={STRING}; labelloc=b;|  (?:node|edge) \[[^\]]*\];|}}")


def read(text: str, schedule: Schedule) -> tuple[set[tuple[str, str, str]], set[tuple[str, str, str]]]:
    """Every edge and the red ones: source, target, kind; every line is of a known form."""
    every, red = set(), set()
    txns = schedule.resolved.txns
    for line in text.splitlines():
        edge = EDGE.fullmatch(line)
        assert edge or NODE.fullmatch(line) or OTHER.fullmatch(line), line
        if edge:
            kind = edge[3].strip('"').split(" ")[0]
            key = (txns[int(edge[1][1:])], txns[int(edge[2][1:])], kind)
            assert bool(edge[4]) == (kind in ("rw", "prw"))
            every.add(key)
            if edge[5]:
                red.add(key)
    return every, red


def test_lost_update_is_red() -> None:
    found = verdict(LOST_UPDATE)
    every, red = read(dot(found.schedule, found), found.schedule)
    assert every == {("1", "2", "rw"), ("2", "1", "ww"), ("2", "1", "rw")}
    assert red == {("1", "2", "rw"), ("2", "1", "ww")}


def test_nothing_is_red_without_a_verdict_or_an_anomaly() -> None:
    assert "red" not in dot(Schedule.parse(LOST_UPDATE))
    found = verdict(SERIAL)
    assert "red" not in dot(found.schedule, found)


def test_escaping() -> None:
    assert escaped('a"b\\c&lt;\n') == '"a\\"b\\\\c&amp;lt;\\\\u000a"'


def test_hostile_names(hostile: Verdict) -> None:
    every, red = read(dot(hostile.schedule, hostile), hostile.schedule)
    assert every and red


def test_the_whole_library(library: list[Verdict]) -> None:
    for found in library:
        every, red = read(dot(found.schedule, found), found.schedule)
        shown = focus(found)
        cycle = {(edge.source, edge.target, kind_name(edge.kind)) for edge in shown.evidence.cycle} if shown else set()
        assert red == cycle
        assert every >= {(edge.source, edge.target, kind_name(edge.kind)) for edge in edges_of(found.schedule, DRAWN)}
        assert dot(found.schedule, found) == dot(found.schedule, found)
