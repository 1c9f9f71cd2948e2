"""Mermaid text: only lines of the known forms, whatever is in names."""

from __future__ import annotations

import re
from itertools import chain

from report_samples import LOST_UPDATE

from toki_verify.conflict_graph import edges_of
from toki_verify.events import Schedule
from toki_verify.report.edges import DRAWN
from toki_verify.report.mermaid import escaped, mermaid, sequence
from toki_verify.report.plain import kind_name
from toki_verify.verdict import Verdict

LABEL = r"(?:[A-Za-z0-9 ,]|#\d+;|[^\x00-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029])*"
NODE = re.compile(rf'  (t\d+)\["({LABEL})"\]')
EDGE = re.compile(rf'  (t\d+) -->\|"({LABEL})"\| (t\d+)')
MESSAGE = re.compile(rf"  (t\d+)->>store: ({LABEL})")


def read(text: str) -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Nodes and edges of a flowchart; every line is one of them."""
    head, *lines = text.splitlines()
    assert head == "flowchart LR"
    nodes, edges = {}, []
    for line in lines:
        node, edge = NODE.fullmatch(line), EDGE.fullmatch(line)
        assert node or edge, line
        if node:
            nodes[node[1]] = node[2]
        elif edge:
            edges.append((edge[1], edge[2], edge[3]))
    assert set(chain.from_iterable((a, b) for a, _, b in edges)) <= set(nodes)
    return nodes, edges


def test_lost_update() -> None:
    assert mermaid(Schedule.parse(LOST_UPDATE)) == (
        'flowchart LR\n  t0["T1"]\n  t1["T2"]\n  t1 -->|"ww x"| t0\n  t0 -->|"rw x"| t1\n  t1 -->|"rw x"| t0\n'
    )


def test_parallel_edges_are_merged() -> None:
    _, edges = read(mermaid(Schedule.parse("w1[x1] w1[y1] w1[z1] c1 r2[x1] r2[y1] r2[z1] r2[x1] c2")))
    assert edges == [("t0", "wr x, y, z", "t1")]


def test_write_dependencies_are_drawn_between_successive_versions() -> None:
    _, edges = read(mermaid(Schedule.parse("w1[x1] c1 w2[x2] c2 w3[x3] c3")))
    assert edges == [("t0", "ww x", "t1"), ("t1", "ww x", "t2")]


def test_many_items_are_counted() -> None:
    items = "abcdefg"
    text = " ".join(f"w1[{item}1]" for item in items) + " c1 " + " ".join(f"r2[{item}1]" for item in items) + " c2"
    assert read(mermaid(Schedule.parse(text)))[1] == [("t0", "wr a, b, c, d and 3 more", "t1")]


def test_nothing_committed() -> None:
    assert mermaid(Schedule.parse("w1[x1] a1")) == 'flowchart LR\n  none["no committed transaction"]\n'


def test_escaping() -> None:
    assert escaped('a"|#;`') == "a#34;#124;#35;#59;#96;"
    assert escaped("é漢\u202e") == "é漢#92;u202e"


def test_hostile_names(hostile: Verdict) -> None:
    nodes, edges = read(mermaid(hostile.schedule))
    assert len(nodes) == 2 and edges
    head, *lines = sequence(hostile.schedule).splitlines()
    assert head == "sequenceDiagram"
    assert sum(MESSAGE.fullmatch(line) is not None for line in lines) == len(hostile.schedule)
    assert all(line.startswith("  participant ") or MESSAGE.fullmatch(line) for line in lines)


def test_the_whole_library_has_every_conflict(library: list[Verdict]) -> None:
    for verdict in library:
        schedule = verdict.schedule
        nodes, edges = read(mermaid(schedule)) if schedule.resolved.committed else ({}, [])
        assert len(nodes) == len(schedule.resolved.committed)
        wanted = {(edge.source, edge.target, kind_name(edge.kind)) for edge in edges_of(schedule, DRAWN)}
        ids = {f"t{position}": txn for position, txn in enumerate(schedule.resolved.txns)}
        assert {(ids[a], ids[b], label.split(" ")[0]) for a, label, b in edges} == wanted
        assert len(edges) == len(wanted)
