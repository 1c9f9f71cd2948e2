"""The level formulas against the definitions they stand for: timestamps, serial orders and commit orders that exist.

The formulas say "no cycle"; the definitions (SEMANTICS §4; Biswas and Enea 2019) say "some order exists". Here every
order is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from toki_verify.checker import check
from toki_verify.conflict_graph import edges_of
from toki_verify.events import INIT, PredicateRead, Read, Schedule
from toki_verify.levels import families
from toki_verify.notation import parse_text
from toki_verify.relations.concrete import Concrete
from toki_verify.search.census import Alphabet, census
from toki_verify.verdict import Verdict

DEPENDENCIES = {"wr", "ww", "pwr"}


def library() -> Iterator[Schedule]:
    for file in sorted(Path("schedules").rglob("*.sched")):
        yield from parse_text(file.read_text(encoding="utf-8"), file=str(file))


def with_sessions(schedules: Iterator[Schedule]) -> Iterator[Schedule]:
    """Each schedule without sessions, and with its first two and last two transactions in one."""
    for schedule in schedules:
        yield schedule
        txns = schedule.resolved.txns
        for pair in (txns[:2], txns[:2][::-1], txns[-2:]) if len(txns) > 1 else ():
            yield Schedule(
                schedule.events, order=schedule.order, partitions=schedule.partitions, sessions={"s": tuple(pair)}
            )


def small(size: int) -> Iterator[Schedule]:
    yield from census(size, Alphabet(), complete=True, orders=True)
    yield from census(size, Alphabet(transactions=2, items=1, predicates=True, deletes=True), complete=True)


def edges(schedule: Schedule) -> list[tuple[str, str, str]]:
    return [(edge.source, edge.target, edge.kind) for edge in edges_of(schedule)]


def timestamps_exist(schedule: Schedule) -> bool:
    txns = [t for t in schedule.resolved.txns if t in schedule.resolved.committed]
    found = edges(schedule)
    for order in permutations([(t, end) for t in txns for end in (0, 1)]):
        place = {node: position for position, node in enumerate(order)}
        if all(place[t, 0] < place[t, 1] for t in txns) and all(
            (place[t, 1] < place[u, 0]) if kind in DEPENDENCIES else (place[t, 0] < place[u, 1]) for t, u, kind in found
        ):
            return True
    return False


def serial_order_exists(schedule: Schedule) -> bool:
    txns = [t for t in schedule.resolved.txns if t in schedule.resolved.committed]
    return any(all(order.index(t) < order.index(u) for t, u, _ in edges(schedule)) for order in permutations(txns))


@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.heavy)])
def test_si_and_sr_are_the_existence_of_timestamps_and_of_a_serial_order(size: int) -> None:
    graph = families()["graph"]
    seen = set()
    for schedule in small(size):
        concrete = Concrete(schedule)
        committed_reads = concrete.holds(graph.level("RC").formula)
        holds = (concrete.holds(graph.level("SI").formula), concrete.holds(graph.level("SR").formula))
        seen.add((committed_reads, *holds))
        assert holds[0] == (committed_reads and timestamps_exist(schedule)), str(schedule)
        assert holds[1] == (committed_reads and serial_order_exists(schedule)), str(schedule)
    assert {(True, True, True), (False, False, False)} <= seen
    if size > 4:
        assert (True, False, False) in seen
    if size > 5:
        assert (True, True, False) in seen


def session_holds(schedule: Schedule, level: str) -> bool:
    """Biswas and Enea's axioms, literally: some total commit order that extends session order and wr and fits the
    version order, and in which each axiom puts the overwriter of a read behind the version read."""
    resolved = schedule.resolved
    txns = [t for t in resolved.txns if t in resolved.committed]
    so = {(a, b) for members in schedule.sessions.values() for i, a in enumerate(members) for b in members[i + 1 :]}
    so = {(a, b) for a, b in so if a in txns and b in txns}
    ww = {(e.source, e.target) for e in edges_of(schedule, ["ww"])}
    wr = {(e.source, e.target, e.events[1]) for e in edges_of(schedule, ["wr"])}
    read_from = {(a, b) for a, b, _ in wr}
    overwritten = {(e.source, e.target, e.events[0]) for e in edges_of(schedule, ["rw"])}
    for position, event in enumerate(schedule.events):
        if isinstance(event, Read) and event.txn in txns:
            source = resolved.saw[position]
            if (
                source != INIT
                and schedule.events[source].txn != event.txn
                and (source not in resolved.final or schedule.events[source].txn not in txns)
            ):
                return False

    def observed(order: tuple[str, ...], reader: str, at: int) -> set[str]:
        """The transactions whose writes the axiom puts before what `reader` read at its event `at`."""
        base = so | read_from
        co = {(a, b) for i, a in enumerate(order) for b in order[i + 1 :]}
        if level == "RC":
            return {a for a, b, position in wr if b == reader and position < at}
        if level == "RA":
            return {a for a, b in base if b == reader}
        closure = set(base)
        while True:
            more = {(a, d) for a, b in closure for c, d in closure if b == c} - closure
            if not more:
                break
            closure |= more
        if level == "CC":
            return {a for a, b in closure if b == reader}
        if level == "PC":
            direct = {a for a, b in base if b == reader}
            return direct | {a for a, b in co if b in direct}
        if level == "SI":
            direct = {a for a, b in base if b == reader} | {a for a, b in ww if b == reader}
            return direct | {a for a, b in co if b in direct}
        return {a for a, b in co if b == reader}

    for order in permutations(txns):
        place = {t: i for i, t in enumerate(order)}
        if any(place[a] > place[b] for a, b in so | read_from | ww):
            continue
        # The version read is ≪ the overwriter, so the commit order cannot put the overwriter before it.
        if all(writer not in observed(order, reader, at) for reader, writer, at in overwritten):
            return True
    return False


@pytest.mark.parametrize("size", [5, pytest.param(6, marks=pytest.mark.heavy)])
def test_session_levels_are_the_axioms_of_biswas_and_enea(size: int) -> None:
    group = families()["session"]
    seen = set()
    schedules = [
        *with_sessions(census(size, Alphabet(aborts=size < 6), complete=True, orders=size < 6)),
        *[
            s
            for s in library()
            if len(s.resolved.txns) <= 5 and not any(isinstance(e, PredicateRead) for e in s.events)
        ],
    ]
    for schedule in schedules:
        concrete = Concrete(schedule)
        for level in ("RC", "RA", "CC", "PC", "SI", "SER"):
            holds = concrete.holds(group.level(level).formula)
            seen.add((level, holds))
            assert holds == session_holds(schedule, level), f"{level}: {schedule} {dict(schedule.sessions)}"
    assert len(seen) == 12


def test_families_are_ordered_as_they_say() -> None:
    """Every level implies the levels under it, and no level is equal to another: on small schedules and the library."""
    apart = set()
    schedules = [*with_sessions(census(5, Alphabet(), complete=True, orders=True)), *census(3, Alphabet()), *library()]
    for schedule in schedules:
        concrete = Concrete(schedule)
        for group in families().values():
            holds = {level.id: concrete.holds(level.formula) for level in group.levels}
            for level in group.levels:
                for under in group.under(level):
                    assert holds[under] or not holds[level.id], f"{group.id}: {level.id} without {under}: {schedule}"
                for other in group.levels:
                    if holds[level.id] and not holds[other.id]:
                        apart.add((group.id, level.id, other.id))
    for group in families().values():
        for level in group.levels:
            for other in group.levels:
                strict = level.id not in group.under(other)
                assert not strict or (group.id, other.id, level.id) in apart or other.id == level.id, (
                    f"nothing of {group.id}:{other.id} lacks {level.id}"
                )


def verify_support(verdict: Verdict) -> int:
    """Check all evidence for "holds" without the code that made it; how much there was."""
    schedule = verdict.schedule
    committed = schedule.resolved.committed
    found = edges(schedule)
    sessions = {
        (a, b, "session")
        for m in schedule.sessions.values()
        for i, a in enumerate(m)
        for b in m[i + 1 :]
        if a in committed and b in committed
    }
    checked = 0
    for family, levels in verdict.levels.items():
        for name, level in levels.items():
            support = level.support
            if support is None or support.kind == "absence":
                continue
            checked += 1
            ordered = {*found, *sessions} if family == "session" else set(found)
            if support.kind == "timestamps":
                start = {t: s for t, s, _ in support.timestamps}
                commit = {t: c for t, _, c in support.timestamps}
                assert set(start) == committed
                assert all(start[t] < commit[t] for t in committed)
                for t, u, kind in ordered:
                    if kind in DEPENDENCIES or kind == "session":
                        assert commit[t] < start[u], (name, str(schedule))
                    else:
                        assert start[t] < commit[u], (name, str(schedule))
                continue
            assert sorted(support.order) == sorted(committed)
            place = {t: i for i, t in enumerate(support.order)}
            wanted = {
                "serial_order": {*DEPENDENCIES, "rw", "prw", "session"},
                "write_order": {"ww"},
                "item_order": {*DEPENDENCIES, "rw"},
                "dependency_order": DEPENDENCIES,
                "commit_order": {*DEPENDENCIES, "session"},
            }[support.kind]
            for t, u, kind in ordered:
                assert kind not in wanted or place[t] < place[u], (family, name, str(schedule))
    return checked


def test_every_yes_carries_evidence_that_an_independent_check_accepts() -> None:
    total = 0
    for schedule in [*library(), *with_sessions(census(4, Alphabet(), complete=True, orders=True))]:
        bare = Schedule(
            schedule.events,
            init=schedule.init,
            order=schedule.order,
            sessions=schedule.sessions,
            partitions=schedule.partitions,
        )
        total += verify_support(check(bare))
    assert total > 3000


def test_every_no_carries_a_reason() -> None:
    for schedule in library():
        verdict = check(schedule)
        for levels in verdict.levels.values():
            for level in levels.values():
                if level.holds is False:
                    assert level.refutation is not None and level.refutation.text, (schedule.name, level.level.id)
                    assert level.refutation.events
