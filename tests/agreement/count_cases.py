"""How two counters are compared, and schedules that are written down with their numbers."""

from __future__ import annotations

from collections.abc import Mapping

from count_relations import Counts

from toki_verify.histories.columnar.counting import Instances

#: Of these the second counter says when they are complete, and no place: one event completes one group.
GROUPS = {"G0", "G1c", "G2", "G2-item", "G-nonadjacent", "G1"}
#: Of these it says who they are.
UNTIMED = {"N2[lifted]"}
LIMIT = 3


def found_by_time(made: Instances, limit: int) -> list[tuple[int, int]]:
    return [(int(made.time[i]), int(made.place[i])) for i in made.by_time(limit)]


def differences(name: str, made: Instances, expected: Counts) -> str | None:
    """What the two counters say differently of a phenomenon."""
    if made.number != len(expected):
        return f"{made.number} instances, expected {len(expected)}"
    whole, some = found_by_time(made, made.number), found_by_time(made, LIMIT)
    if whole != sorted(whole) or some != whole[:LIMIT]:
        return f"not by time: {some} of {whole}"
    if name in UNTIMED:
        return None
    ours, theirs = whole, sorted(expected.values())
    if name in GROUPS:
        ours, theirs = [(time, 0) for time, _ in ours], [(time, 0) for time, _ in theirs]
    return None if ours == theirs else f"complete at {ours}, expected {theirs}"


#: What is counted in schedules that are written down.
WRITTEN: Mapping[str, Mapping[str, int]] = {
    # Three reads of what T1 wrote before it commits, one of them of a version that is not its last.
    "w1[x1] r2[x1] w1[x2] w1[y1] r2[y1] r3[y1] c1 c2 c3": {"P1": 3, "G1b": 1, "P1[broad]": 3, "P4": 0},
    # T2 and T3 read what T1 wrote, which aborts; T4 does not commit.
    "w1[x1] r2[x1] r3[x1] r4[x1] a1 c2 c3": {"G1a": 2, "A1": 2, "P1": 3},
    # Two lost updates on x, by two transactions.
    "r1[x0] r2[x0] r3[x0] w1[x1] c1 w2[x2] c2 w3[x3] c3": {"P4": 2, "G-single": 2, "G2-item": 1, "P2[broad]": 2},
    # T1 loses an update of x and one of y.
    "r1[x0] r1[y0] w2[x2] w2[y2] c2 w1[x1] w1[y1] c1": {"P4": 2, "P2[G-single]": 2, "G2": 1, "P4[event]": 2},
    # Two write skews, apart from each other.
    "r1[x0] r2[y0] w1[y1] w2[x2] c1 c2 r3[u0] r4[v0] w3[v3] w4[u4] c3 c4": {
        "A5B": 2,
        "G2": 2,
        "G2-item": 2,
        "A5B[event]": 2,
        "dangerous-structure": 4,
        "G-single": 0,
    },
    # Three transactions, of which each two skew: three pairs, one group.
    "r1[x0] r1[y0] r2[x0] r2[z0] r3[y0] r3[z0] w1[z1] w2[y2] w3[x3] c1 c2 c3": {"A5B": 3, "G2-item": 1},
    # Two readers of two writers in opposite orders; and a third one.
    "w1[x1] c1 w2[y2] c2 r3[x1] r3[y0] r4[x0] r4[y2] c3 c4": {"long-fork": 1, "G-nonadjacent": 1, "G2": 1},
    "w1[x1] c1 w2[y2] c2 r3[x1] r3[y0] r4[x0] r4[y2] r5[x0] r5[y2] c3 c4 c5": {"long-fork": 2, "G-nonadjacent": 1},
    # T1 and T2 wrote two items in opposite orders.
    "w1[x1] w2[x2] w2[y2] w1[y1] c1 c2": {"P0": 2, "G0": 1, "G1c": 1},
    "w1[x1] c1 w2[y1] c2 r3[x1] r3[y0] r3[x1] r3[y1] c3": {"P2": 1, "A2": 0},
    "j1(R, t)=0 c1 j2(R, t)=1 c2 j3(R, t)=1 j3(S, t)=0 c3 j4(S, t)=1": {"N1": 1, "N1[observed]": 2},
}
