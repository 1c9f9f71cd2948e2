"""The Python interface: parse, check, explain, and look at the conflict graph."""

from __future__ import annotations

from toki_verify import Schedule, check
from toki_verify.conflict_graph import conflict_graph, shortest_cycle


def main() -> None:
    schedule = Schedule.parse("""
        r1[alice.lives_in/m1@0] r2[alice.lives_in/m2@0]
        w1[alice.lives_in/m2@1=Paris] c1
        w2[alice.lives_in/m1@1=Berlin] c2
    """)
    verdict = check(schedule, level="SI")
    print("judged against SI:", verdict.ok)
    for finding in verdict.anomalies():
        assert finding.evidence is not None
        print(f"{finding.phenomenon.id} ({finding.phenomenon.title}): {finding.evidence.text}")
    stamps = verdict.levels["graph"]["SI"].support
    assert stamps is not None
    for txn, start, commit in stamps.timestamps:
        print(f"SI: T{txn} has snapshot time {start} and commit time {commit}")
    graph = conflict_graph(schedule)
    for source, target, data in graph.edges(data=True):
        print(f"T{source} -{data['kind']}({data['item'].name})-> T{target}, events {data['events']}")
    cycle = shortest_cycle(graph)
    assert cycle is not None
    print("shortest cycle:", " ".join(f"T{edge.source} -{edge.kind}->" for edge in cycle), f"T{cycle[0].source}")


if __name__ == "__main__":
    main()
