"""Evidence on a large trace, checked without the deciders: that a serial order, or timestamps, show a level.

Everything is read from the columns of the trace again, in plain loops; nothing of `columnar/` is used. With timestamps
a transaction sees the state of its start and installs at its commit; with a serial order both are one place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from .columns import COMMITTED
from .trace import M, N, R, Trace, W

#: Contradictions that are told.
MOST = 20


@dataclass
class _Facts:
    """The columns as lists, which plain loops read faster, and what the store held when."""

    trace: Trace
    start: Sequence[int]
    commit: Sequence[int]
    found: list[str] = field(default_factory=list)
    #: Per item the commits of its installed versions, in version order, and the versions.
    commits: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    versions: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    #: Per item and predicate the places in version order whose versions match.
    matching: dict[tuple[int, int], list[int]] = field(default_factory=lambda: defaultdict(list))

    def say(self, text: str) -> None:
        if len(self.found) < MOST:
            self.found.append(text)

    def name(self, txn: int) -> str:
        return f"T{self.trace.transactions[txn]}"


def check_serial(trace: Trace, order: Sequence[int], *, sessions: bool = False) -> list[str]:
    """What contradicts that the committed transactions, one after the other in this order, give the trace: every read
    and row saw the state that it would have seen, and versions were installed in their order. [] : nothing does.

    With `sessions` the transactions of each session stand in its order. Linear, but for looking up places by halving.
    """
    place = dict.fromkeys(range(len(trace.start)), -1)
    for at, txn in enumerate(order):
        if not 0 <= txn < len(trace.start) or place[txn] >= 0:
            return [f"place {at + 1} of the order names no transaction, or one that stands in it already"]
        place[txn] = at
    times = [place[txn] for txn in range(len(trace.start))]
    return check_times(trace, times, times, sessions=sessions)


def check_times(trace: Trace, start: Sequence[int], commit: Sequence[int], *, sessions: bool = False) -> list[str]:
    """What contradicts that the transactions ran on snapshots with these start and commit numbers (-1: none).

    Every read and row saw the last version committed before its transaction's start, versions were installed in the
    order of commits, and no two transactions that overlap installed versions of one item. Equal start and commit
    numbers mean one place, as in a serial order.
    """
    facts = _Facts(trace, start, commit)
    outcome = trace.outcome.tolist()
    for txn in range(len(outcome)):
        if (outcome[txn] == COMMITTED) != (commit[txn] >= 0) or start[txn] > commit[txn]:
            facts.say(f"{facts.name(txn)} has numbers and did not commit, or none and did, or starts behind its commit")
    committed = [one for one in commit if one >= 0]
    if len(set(committed)) != len(committed):
        facts.say("two transactions have one commit number")
    if facts.found:
        return facts.found
    _install(facts)
    _reads(facts)
    if sessions:
        _sessions(facts)
    return facts.found


def _install(facts: _Facts) -> None:
    """Each item's versions in their order: committed in that order, each writer started behind the one before."""
    trace = facts.trace
    rank, item_of, writer, txn = (
        trace.rank.tolist(),
        trace.version_item.tolist(),
        trace.writer.tolist(),
        trace.txn.tolist(),
    )
    first, matches = trace.first_match.tolist(), trace.matches.tolist()
    for version in sorted((one for one in range(len(rank)) if rank[one] >= 0), key=lambda one: rank[one]):
        item = item_of[version]
        owner = txn[writer[version]] if writer[version] >= 0 else -1
        at = facts.commit[owner] if owner >= 0 else -1
        before = facts.commits[item]
        if before and at <= before[-1]:
            facts.say(f"{facts.name(owner)} wrote over a version that is committed behind its own")
        elif before and before[-1] >= facts.start[owner] and facts.start[owner] != at:
            facts.say(f"{facts.name(owner)} wrote over a version that was committed while it ran")
        for predicate in matches[first[version] : first[version + 1]]:
            facts.matching[item, predicate].append(len(before))
        before.append(at)
        facts.versions[item].append(version)


def _reads(facts: _Facts) -> None:
    trace = facts.trace
    kind, txn, item = trace.kind.tolist(), trace.txn.tolist(), trace.item.tolist()
    version, writer, rank = trace.version.tolist(), trace.writer.tolist(), trace.rank.tolist()
    predicate = trace.predicate.tolist()
    written: set[tuple[int, int]] = set()
    for access in range(len(kind)):
        one = txn[access]
        if kind[access] == W:
            written.add((one, item[access]))
            continue
        if kind[access] not in (R, M, N) or facts.commit[one] < 0:
            continue
        seen = version[access]
        if writer[seen] >= 0 and txn[writer[seen]] == one:
            continue
        if rank[seen] < 0:
            facts.say(f"{facts.name(one)} saw a version that was never installed (aborted, or not the last)")
            continue
        # Its snapshot: what was committed before its start; after an own write of the item nothing else is seen.
        held = bisect_left(facts.commits[item[access]], facts.start[one]) - 1
        if kind[access] != N:
            if facts.versions[item[access]][held] != seen or (one, item[access]) in written:
                facts.say(f"{facts.name(one)} saw another version than the one that was there at its place")
            continue
        # A row that did not match may have seen another version: between the two none matches.
        matching = facts.matching.get((item[access], predicate[access]), [])
        low, high = sorted((held, rank[seen]))
        if bisect_right(matching, high) > bisect_left(matching, low):
            facts.say(f"{facts.name(one)} saw a row that did not match where one that matched was there")


def _sessions(facts: _Facts) -> None:
    """Each transaction of a session starts behind the commit of the one before."""
    trace = facts.trace
    session, place = trace.session.tolist(), trace.place.tolist()
    members = sorted((session[txn], place[txn], txn) for txn in range(len(session)) if session[txn] >= 0)
    last: tuple[int, int] | None = None
    for of, _, txn in members:
        if facts.commit[txn] < 0:
            continue
        if last is not None and last[0] == of:
            before = facts.commit[last[1]]
            if before >= facts.start[txn] and (before >= facts.commit[txn] or facts.start[txn] != facts.commit[txn]):
                facts.say(f"{facts.name(txn)} does not stand behind {facts.name(last[1])}, which its session has first")
        last = (of, txn)
