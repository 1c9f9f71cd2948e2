"""N1 of a whole trace: how many keys returned different votes, which ones first, who called them and when.

N1 is two judge calls at one key κ = (R, θ) with different votes (TOKI 2026, section 2.3; SEMANTICS §3): of committed
transactions, and of any for N1[observed]. A call whose vote is not known differs from none, and leaves a key open that
was called more than once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..trace import J
from .arrays import Bools, Ints, ints, ordered, starts
from .reading import Reading

#: Different votes of one key that are listed; `VoteGroup.different` counts them all.
LISTED: Final = 20


@dataclass(frozen=True)
class Call:
    """A judge call: its transaction, the session of that (None: of none), its event, its line (None: no file)."""

    transaction: str
    session: str | None
    event: int
    line: int | None


@dataclass(frozen=True)
class Vote:
    """A vote (canonical JSON text) that calls at a key returned: how many did, the first one and the last one."""

    vote: object
    count: int
    first: Call
    last: Call


@dataclass(frozen=True)
class VoteGroup:
    """A key (R, θ) at which calls returned different votes. `unknown` of its calls have no known vote; `different` is
    how many different votes there are, and `votes` the first ones of them (at most `LISTED`), as they came."""

    key: object
    calls: int
    unknown: int
    different: int
    votes: tuple[Vote, ...]


@dataclass(frozen=True)
class Votes:
    """The judge calls of a trace.

    `calls`, `keys`, `repeated` (keys called more than once), `differing` (keys with N1), `unknown` (calls without a
    known vote), `undecided` (repeated keys with such a call, and without N1) and `first` are of committed transactions.
    `observed_calls`, `differing_observed`, `undecided_observed` and `first_observed` are of all, as N1[observed] is.
    The groups are those whose second different vote came first, in that order.
    """

    calls: int
    keys: int
    repeated: int
    differing: int
    differing_observed: int
    unknown: int
    undecided: int
    observed_calls: int
    undecided_observed: int
    first: tuple[VoteGroup, ...]
    first_observed: tuple[VoteGroup, ...]


def votes_of(reading: Reading, limit: int = 3) -> Votes | None:
    """What judge calls returned, with the first `limit` keys of each kind; None where nobody called a judge.

    One sort of the calls by key.
    """
    calls = ints(np.flatnonzero(reading.index.kind == J))
    if not len(calls):
        return None
    calls = calls[ordered(reading.trace.key[calls])]
    observed = _Keys(reading, calls)
    kept = reading.index.committed[reading.index.txn[calls]]
    committed = observed if kept.all() else _Keys(reading, calls[kept])
    return Votes(
        calls=len(committed.calls),
        keys=len(committed.begin),
        repeated=int((committed.size > 1).sum()),
        differing=len(committed.second),
        differing_observed=len(observed.second),
        unknown=int(committed.unknown.sum()),
        undecided=committed.undecided,
        observed_calls=len(observed.calls),
        undecided_observed=observed.undecided,
        first=committed.groups(limit),
        first_observed=observed.groups(limit),
    )


class _Keys:
    """Some calls, sorted by key and those of one key as they came. Groups are numbered by key."""

    def __init__(self, reading: Reading, calls: Ints) -> None:
        self.reading, self.calls = reading, calls
        key, self.vote = reading.trace.key[calls], reading.trace.vote[calls]
        self.begin = starts(key)
        self.size = ints(np.diff(np.append(self.begin, len(calls))))
        known = self.vote >= 0
        self.unknown = ints(np.add.reduceat(~known, self.begin, dtype=np.int64)) if len(calls) else self.size
        #: Where in each key with different votes the second one came: places in `calls`.
        self.second = self._second(key, known)

    def _second(self, key: Ints, known: Bools) -> Ints:
        places = ints(np.flatnonzero(known))
        begin = starts(key[places])
        vote = self.vote[places]
        lead = np.repeat(vote[begin], np.diff(np.append(begin, len(places))))
        other = places[vote != lead]
        return ints(other[starts(key[other])])

    def _groups_of(self, places: Ints) -> Ints:
        return ints(np.searchsorted(self.begin, places, side="right") - 1)

    @property
    def undecided(self) -> int:
        """How many groups of several calls have one without a known vote, and no different votes."""
        open_ = (self.size > 1) & (self.unknown > 0)
        open_[self._groups_of(self.second)] = False
        return int(open_.sum())

    def groups(self, limit: int) -> tuple[VoteGroup, ...]:
        """The groups with different votes whose second one came first; accesses ascend as events do."""
        by_time = self.second[np.argsort(self.calls[self.second], kind="stable")[: max(limit, 0)]]
        return tuple(map(self._group, self._groups_of(by_time).tolist()))

    def _group(self, number: int) -> VoteGroup:
        begin, size = int(self.begin[number]), int(self.size[number])
        calls, vote = self.calls[begin : begin + size], self.vote[begin : begin + size]
        trace = self.reading.trace
        calls, vote = calls[vote >= 0], vote[vote >= 0]
        different, first, count = np.unique(vote, return_index=True, return_counts=True)
        by_time = np.argsort(first)[:LISTED]
        # The last call of each vote is its first one from behind.
        last = len(vote) - 1 - np.unique(vote[::-1], return_index=True)[1]
        return VoteGroup(
            key=trace.keys[int(trace.key[calls[0]])],
            calls=size,
            unknown=int(self.unknown[number]),
            different=len(different),
            votes=tuple(
                Vote(
                    trace.votes[int(different[place])],
                    int(count[place]),
                    self._call(int(calls[first[place]])),
                    self._call(int(calls[last[place]])),
                )
                for place in by_time.tolist()
            ),
        )

    def _call(self, access: int) -> Call:
        trace = self.reading.trace
        txn = int(trace.txn[access])
        session = int(trace.session[txn])
        return Call(
            trace.transactions[txn],
            None if session < 0 else trace.sessions[session],
            int(trace.event[access]),
            None if trace.line is None else int(trace.line[access]),
        )
