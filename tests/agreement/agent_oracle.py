"""What agents did, counted by hand: on a `Schedule`, from the relations of the concrete reading, pair by pair.

The second implementation of `histories/columnar/by_agent.py`. It makes the same data, so that the two compare as a
whole; how it counts is only loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from toki_verify.events import SURFACE_PARTS, Judge, Partition, Schedule, Write, WriteKind
from toki_verify.histories.columnar.agent_drift import Drift, PartitionDrift, Skew
from toki_verify.histories.columnar.agent_erasure import (
    ErasedVersion,
    Erasure,
    Kept,
    SurfaceErasure,
    TableErasure,
)
from toki_verify.histories.columnar.agent_votes import LISTED, Call, Vote, VoteGroup, Votes
from toki_verify.histories.columnar.by_agent import AgentReport
from toki_verify.phenomena.agent import lifted_anti_dependency
from toki_verify.relations.base import dominated_by, fact, kept_audit, kept_closed, kept_current, kept_history
from toki_verify.relations.bits import bits
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import anti_dependency, next_version
from toki_verify.relations.surface import speaks_of_recovery
from toki_verify.relations.terms import Term

#: A pair: its four accesses (read of the one, write of the other, read of the other, write of the one).
Four = tuple[int, int, int, int]


def counted(schedule: Schedule, limit: int = 3) -> AgentReport:
    """The report of a schedule, without lines."""
    concrete = Concrete(schedule)
    return AgentReport(_votes(schedule, limit), _drift(concrete), _erasure(concrete, limit))


# -- N1 ----------------------------------------------------------------------------------------------------------------
def _votes(schedule: Schedule, limit: int) -> Votes | None:
    every = [(at, event) for at, event in enumerate(schedule.events) if isinstance(event, Judge)]
    if not every:
        return None
    committed = [(at, event) for at, event in every if event.txn in schedule.resolved.committed]
    ours, all_ = _by_key(committed), _by_key(every)
    return Votes(
        calls=len(committed),
        keys=len(ours),
        repeated=sum(len(calls) > 1 for calls in ours.values()),
        differing=sum(_differ(calls) for calls in ours.values()),
        differing_observed=sum(_differ(calls) for calls in all_.values()),
        unknown=sum(event.vote is None for _, event in committed),
        undecided=sum(map(_open, ours.values())),
        observed_calls=len(every),
        undecided_observed=sum(map(_open, all_.values())),
        first=_groups(schedule, ours, limit),
        first_observed=_groups(schedule, all_, limit),
    )


Calls = list[tuple[int, Judge]]


def _by_key(calls: Calls) -> dict[tuple[str, str], Calls]:
    out: dict[tuple[str, str], Calls] = {}
    for at, event in calls:
        out.setdefault((event.reads, event.theta), []).append((at, event))
    return out


def _differ(calls: Calls) -> bool:
    return any(
        a.vote is not None and b.vote is not None and a.vote != b.vote for (_, a), (_, b) in product(calls, calls)
    )


def _open(calls: Calls) -> bool:
    return len(calls) > 1 and any(event.vote is None for _, event in calls) and not _differ(calls)


def _groups(schedule: Schedule, by_key: dict[tuple[str, str], Calls], limit: int) -> tuple[VoteGroup, ...]:
    session = {txn: name for name, members in schedule.sessions.items() for txn in members}
    found: list[tuple[int, VoteGroup]] = []
    for key, calls in by_key.items():
        if not _differ(calls):
            continue
        second = next(at for n, (at, event) in enumerate(calls) if event.vote and _differ([*calls[:n], (at, event)]))
        votes: dict[str, list[Call]] = {}
        for at, event in calls:
            if event.vote is not None:
                votes.setdefault(event.vote, []).append(Call(event.txn, session.get(event.txn), at, None))
        listed = tuple(Vote(vote, len(of), of[0], of[-1]) for vote, of in votes.items())[:LISTED]
        unknown = sum(event.vote is None for _, event in calls)
        found.append((second, VoteGroup(key, len(calls), unknown, len(votes), listed)))
    return tuple(group for _, group in sorted(found, key=lambda pair: pair[0]))[:limit]


# -- N2 ----------------------------------------------------------------------------------------------------------------
def _drift(concrete: Concrete) -> Drift | None:
    schedule = concrete.schedule
    partitions = {schedule.partitions[item] for item in schedule.resolved.items if item in schedule.partitions}
    if not partitions:
        return None
    plain, lifted = _pairs(concrete, anti_dependency, True), _pairs(concrete, lifted_anti_dependency, False)
    by_time = sorted(plain, key=lambda one: _time(concrete, plain[one]))
    by_time += sorted(lifted.keys() - plain.keys(), key=lambda one: _time(concrete, lifted[one]))
    return Drift(
        len(partitions),
        len(plain),
        len(lifted),
        len(plain.keys() | lifted.keys()),
        sum(len(_transactions(concrete, of)) for of in plain.values()),
        sum(len(_transactions(concrete, of)) for of in lifted.values()),
        tuple(
            PartitionDrift(
                one,
                len(_members(concrete, one, "RMN")),
                len(_members(concrete, one, "W")),
                *_tell(concrete, plain.get(one, [])),
                *_tell(concrete, lifted.get(one, [])),
            )
            for one in by_time
        ),
    )


def _pairs(concrete: Concrete, edge: Term, two_rows: bool) -> dict[Partition, list[Four]]:
    """Edges both ways between two transactions in one partition, on two rows where it is asked for."""
    rows, accesses = concrete.term(edge), concrete.accesses
    partition = concrete.schedule.partitions
    edges = [(a, b) for a, row in enumerate(rows) for b in bits(row)]
    out: dict[Partition, list[Four]] = {}
    for (a, b), (c, d) in product(edges, edges):
        one, other = concrete.txn_of[a], concrete.txn_of[c]
        if one >= other or concrete.txn_of[b] != other or concrete.txn_of[d] != one:
            continue
        x, y = accesses[b].item, accesses[c].item
        assert x is not None and y is not None
        if partition.get(x) is not None and partition.get(x) == partition.get(y) and not (two_rows and x == y):
            out.setdefault(partition[x], []).append((a, b, c, d))
    return out


def _time(concrete: Concrete, fours: list[Four]) -> tuple[object, ...]:
    return min(_when(concrete, four) for four in fours)


def _when(concrete: Concrete, four: Four) -> tuple[object, ...]:
    read, write, back, mine = (concrete.accesses[access].event for access in four)
    return (*sorted((write, mine), reverse=True), *sorted((read, back), reverse=True), four)


def _transactions(concrete: Concrete, fours: list[Four]) -> set[tuple[int, int]]:
    return {(concrete.txn_of[four[0]], concrete.txn_of[four[2]]) for four in fours}


def _members(concrete: Concrete, partition: Partition, kinds: str) -> set[str | None]:
    schedule = concrete.schedule
    return {
        access.txn
        for access in concrete.accesses
        if access.kind in kinds
        and access.item is not None
        and schedule.partitions.get(access.item) == partition
        and access.txn in schedule.resolved.committed
    }


def _tell(concrete: Concrete, fours: list[Four]) -> tuple[int, int, Skew | None]:
    pairs = _transactions(concrete, fours)
    if not fours:
        return 0, 0, None
    four = min(fours, key=lambda one: _when(concrete, one))
    items = (concrete.accesses[four[0]].item, concrete.accesses[four[2]].item)
    one, other = (concrete.txns[concrete.txn_of[access]] for access in (four[0], four[2]))
    events = tuple(concrete.accesses[access].event for access in four)
    return len(pairs), len({txn for pair in pairs for txn in pair}), Skew((one, other), items, events, ())


# -- N3 ----------------------------------------------------------------------------------------------------------------
_KEPT = dict(zip(SURFACE_PARTS, (kept_current, kept_closed, kept_history, kept_audit), strict=True))


def _set(concrete: Concrete, term: Term) -> set[int]:
    return {access for access, row in enumerate(concrete.term(term)) if row}


def _erasure(concrete: Concrete, limit: int) -> Erasure | None:
    schedule, accesses = concrete.schedule, concrete.accesses
    facts = _set(concrete, fact)
    following = {a: b for a, row in enumerate(concrete.term(next_version)) for b in bits(row) if a in facts}
    annotated = speaks_of_recovery(schedule)
    if not following and not annotated:
        return None
    kept: set[int] = set()
    parts: list[Kept] = []
    surfaces = []
    for part, term in _KEPT.items():
        more = _set(concrete, term) - kept
        kept |= more
        for table in _tables(concrete):
            rows = sum(_table(concrete, access) == table for access in more)
            parts += [Kept(part, table, rows)] if rows else []
        above = concrete.term(dominated_by)
        lost = {a for a in following if not any(b in kept for b in bits(above[a]))}
        by_time = sorted(lost, key=lambda a: accesses[following[a]].event)
        surfaces.append(
            SurfaceErasure(
                part,
                len(following),
                len(lost),
                tuple(_by_table(concrete, set(following), lost)),
                tuple(_version(concrete, a, following) for a in by_time[:limit]),
            )
        )
    return Erasure(len(following), annotated, tuple(parts), tuple(surfaces))


def _table(concrete: Concrete, access: int) -> str:
    item = concrete.accesses[access].item
    assert item is not None
    return item.table


def _tables(concrete: Concrete) -> list[str]:
    return list(dict.fromkeys(item.table for item in concrete.schedule.resolved.items))


def _by_table(concrete: Concrete, overwritten: set[int], lost: set[int]) -> Iterator[TableErasure]:
    found = [
        TableErasure(name, *(sum(_table(concrete, a) == name for a in of) for of in (overwritten, lost)))
        for name in _tables(concrete)
    ]
    yield from sorted((one for one in found if one.overwritten), key=lambda one: (-one.erased, -one.overwritten))


def _dropping(concrete: Concrete, one: int, following: dict[int, int]) -> tuple[str, int] | None:
    """Who wrote the first version behind it that is no row dominating it, and by which event: one step of the version
    order after the other."""
    says = set(bits(concrete.term(dominated_by)[one]))
    at = following[one]
    while True:
        write = concrete.schedule.events[concrete.accesses[at].event]
        assert isinstance(write, Write)
        if at not in says or write.kind is WriteKind.DELETE:
            return write.txn, concrete.accesses[at].event
        if at not in following:
            return None
        at = following[at]


def _version(concrete: Concrete, one: int, following: dict[int, int]) -> ErasedVersion:
    events, access, other = concrete.schedule.events, concrete.accesses[one], concrete.accesses[following[one]]
    over, dropping = events[other.event], _dropping(concrete, one, following)
    assert isinstance(over, Write) and access.item is not None
    if access.kind == "I":
        about = concrete.schedule.init.get(access.item)
        written: tuple[str, str | None, str | None, int | None] = ("0", about and about.prov, None, None)
    else:
        write = events[access.event]
        assert isinstance(write, Write)
        written = (write.version or "", write.prov, write.txn, access.event)
    version, prov, writer, event = written
    return ErasedVersion(
        access.item,
        version,
        prov,
        writer,
        over.txn,
        over.kind is WriteKind.DELETE,
        event,
        other.event,
        None if dropping is None else dropping[0],
        None if dropping is None else dropping[1],
        (None, None, None),
    )
