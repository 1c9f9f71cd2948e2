"""What a system of tables can reach at one key: a fixed point over its finitely many states.

States forget everything but the row, the votes of committed calls, and the operators in flight (at most two), so the
answer is about histories of every length. The other decider, `judge_histories`, builds schedules and asks the checker.
TOKI 2026, Definitions 5 and 6, Theorem 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from .judge_systems import BOTH, FULL, Environment, System

Votes = frozenset[int]
NONE: Final[Votes] = frozenset()


class Operator(NamedTuple):
    """An operator in flight: at "asked" it has a vote that is not logged yet, at "ready" it can commit, at "late" it is
    committed and owes the row. `drawn` are the oracle's answers, `paired` whether a committed row records its votes."""

    at: str
    seen: int | None = None
    vote: int | None = None
    returned: Votes = NONE
    drawn: Votes = NONE
    paired: bool = False


class State(NamedTuple):
    """The row at κ; the votes that committed calls returned, and those that the oracle gave them; operators in flight;
    the votes of all versions of the row that were ever committed."""

    row: int | None = None
    returned: Votes = NONE
    drawn: Votes = NONE
    flight: tuple[Operator, ...] = ()
    rows: Votes = NONE


@dataclass(frozen=True)
class Reached:
    """What some history of a system shows.

    `n1`: two committed calls returned different votes. `drawn`: the oracle gave committed calls different votes,
    whatever they returned. `unpaired`: an operator committed with a vote that no row records, committed before it
    (`before`), or before or with it (`by`). `fresh`: a call did not return the row that it saw. `other`: a call
    returned another vote than a row of its key that was committed before it. `judged`: a call was committed at all.
    `pair`: one prefix with nobody in flight, two votes of the next call; `pair_after`: and a committed call in the
    prefix; `pair_beside`: a committed call in the prefix, and others may be in flight, one of which may be the next.
    """

    n1: bool
    drawn: bool
    unpaired_before: bool
    unpaired_by: bool
    fresh: bool
    other: bool
    judged: bool
    pair: bool
    pair_after: bool
    pair_beside: bool
    states: int

    @property
    def strict(self) -> bool:
        """H1 as an invariant, word for word: every call has a row committed before its operator, and rows are read."""
        return not (self.unpaired_before or self.fresh)

    @property
    def weak(self) -> bool:
        """H1 with a row that may be committed in the operator's own transaction."""
        return not (self.unpaired_by or self.fresh)

    @property
    def strict_return(self) -> bool:
        """H1 word for word, and later calls return the row (SEMANTICS §6)."""
        return self.strict and not self.other

    @property
    def weak_return(self) -> bool:
        """H1 with a row by the operator's commit, and later calls return the row."""
        return self.weak and not self.other


def _asked(system: System, operator: Operator, votes: Votes) -> Iterator[tuple[Operator | None, bool]]:
    """The judge call after the look at the store, and whether it passed a row by; None: the operator ends without
    one."""
    action, row = system.action(operator.seen), operator.seen
    past = row is not None and action in ("ask", "flip")
    if action in ("skip", "abort"):
        yield None, False
    elif action == "read":
        assert row is not None
        yield Operator("ready", row, row, frozenset({row}), NONE, True), False
    elif action == "twice":
        for first in votes:
            for second in votes:
                drawn = frozenset({first, second})
                yield Operator("asked", row, second, drawn - {second}, drawn), past
    else:
        chosen = votes if action == "ask" else frozenset({1 - (row or 0) if action == "flip" else int(action)})
        for vote in chosen:
            yield Operator("asked", row, vote, NONE, frozenset({vote}) if action == "ask" else NONE), past


def _filled(system: System, row: int | None, operator: Operator) -> tuple[int | None, Operator | None]:
    """The row and the operator after its insert; None: it aborts."""
    vote = operator.vote
    if row is not None and system.key == "recurs" and system.clash != "overwrite":
        if system.clash == "abort":
            return row, None
        if system.clash == "adopt":
            vote = row
    else:
        row = vote
    assert vote is not None
    returned = operator.returned | {vote}
    return row, operator._replace(at="ready", vote=vote, returned=returned, paired=returned == {row})


class _Search:
    """One exploration, and the flags that it raises."""

    def __init__(
        self, system: System, environment: Environment, votes: Votes = BOTH, *, serializable: bool = False
    ) -> None:
        self.system, self.environment, self.votes = system, environment, votes
        self.serializable = serializable and system.place == "with"
        self.fresh = self.other = self.unpaired_before = self.unpaired_by = False
        self.recurs = system.key == "recurs"

    def commit(self, state: State, rest: tuple[Operator, ...], done: Operator, *, row: int | None, owed: bool) -> State:
        self.unpaired_before |= not done.paired and {state.row if self.recurs else None} != set(done.returned)
        self.unpaired_by |= not done.paired and {row} != set(done.returned)
        late = (Operator("late", None, done.vote),) if owed else ()
        kept = state.returned if self.recurs or len(done.returned) > 1 else NONE
        drawn = state.drawn if self.recurs or len(done.drawn) > 1 else NONE
        rows = self.logged(state.rows, row)
        return State(row if self.recurs else None, kept | done.returned, drawn | done.drawn, rest + late, rows)

    def logged(self, rows: Votes, row: int | None) -> Votes:
        """The versions of the row, and one more."""
        return rows if row is None or not self.recurs else rows | {row}

    def returns(self, rows: Votes, returned: Votes) -> None:
        """A call returns votes where so many versions of the row were committed."""
        self.other |= bool(rows) and len(rows | returned) > 1

    def moves(self, state: State, place: int) -> Iterator[State]:
        """Everything that the operator at a place may do next."""
        system, mine = self.system, state.flight[place]
        rest = state.flight[:place] + state.flight[place + 1 :]
        if mine.at == "looked":
            for asked, past in _asked(system, mine, self.votes):
                self.fresh |= past
                if asked is not None and asked.at == "asked" and system.place in ("never", "after"):
                    returned = asked.returned | {asked.vote if asked.vote is not None else 0}
                    asked = asked._replace(at="ready", returned=returned)
                if asked is not None and asked.at == "ready":
                    self.returns(state.rows, asked.returned)
                yield state._replace(flight=(*rest, asked) if asked else rest)
        elif mine.at == "asked":
            row, filled = _filled(system, state.row, mine)
            if filled is None or (self.serializable and state.row != mine.seen):
                yield state._replace(flight=rest)
            elif system.place == "before":
                rows = self.logged(state.rows, row)
                own = NONE if row is None else frozenset({row})
                self.returns(rows if self.recurs else own, filled.returned)
                yield state._replace(row=row if self.recurs else None, flight=(*rest, filled), rows=rows)
            else:
                self.returns(state.rows, filled.returned)
                # In one transaction: the row is no earlier than the commit, unless it was there and says the same.
                earlier = filled.returned == {state.row}
                yield self.commit(state, rest, filled._replace(paired=earlier), row=row, owed=False)
        elif mine.at == "ready":
            fresh_vote = mine.seen is None or system.action(mine.seen) != "read"
            yield self.commit(state, rest, mine, row=state.row, owed=system.place == "after" and fresh_vote)
        else:
            taken = state.row is not None and system.clash != "overwrite"
            row = state.row if taken else mine.vote
            rows = self.logged(state.rows, row)
            yield state._replace(row=row if self.recurs else None, flight=rest, rows=rows)

    def successors(self, state: State) -> Iterator[State]:
        if len(state.flight) < (2 if self.environment.overlap else 1):
            yield state._replace(flight=(*state.flight, Operator("looked", state.row)))
        if self.environment.edit and state.row is not None:
            yield state._replace(row=1 - state.row, rows=state.rows | {1 - state.row})
        for place in range(len(state.flight)):
            yield from self.moves(state, place)
            if self.environment.crash == "durable":
                yield state._replace(flight=state.flight[:place] + state.flight[place + 1 :])
        if self.environment.crash == "volatile":
            yield state._replace(row=None, flight=())

    def alone(self, state: State, operator: Operator | None = None) -> Votes:
        """The votes that an operator, in flight or one more, may return and commit after a prefix, run by itself to its
        end."""
        found: set[int] = set()
        runs = operator or Operator("looked", state.row)
        pending = [state._replace(returned=NONE, drawn=NONE, flight=(runs,))]
        while pending:
            now = pending.pop()
            found |= now.returned
            pending += [after for place in range(len(now.flight)) for after in self.moves(now, place)]
        return frozenset(found)


def _unordered(state: State) -> State:
    """The state with its operators in an order that does not tell who began first: nothing depends on it."""
    if len(state.flight) == 2 and hash(state.flight[0]) > hash(state.flight[1]):
        return state._replace(flight=state.flight[::-1])
    return state


@cache
def reach(system: System, environment: Environment, votes: Votes = BOTH, *, serializable: bool = False) -> Reached:
    """Everything that histories of a system show, of every length, with at most two operators in flight.

    `serializable`: the transactions on judge_log are serializable. It changes those alone that read the key and write
    it, or read it twice, in one transaction: an operator that logs in its own aborts if the row changed meanwhile.
    """
    search = _Search(system, environment, votes, serializable=serializable)
    seen = {State()}
    pending = [State()]
    while pending:
        for found in search.successors(pending.pop()):
            state = _unordered(found)
            if state not in seen:
                seen.add(state)
                pending.append(state)
    flags = (search.unpaired_before, search.unpaired_by, search.fresh, search.other)
    after: dict[tuple[int | None, Operator | None], bool] = {}
    for row, mine in {(state.row, mine) for state in seen for mine in (*state.flight, None)}:
        after[row, mine] = len(search.alone(State(row), mine)) > 1
    pairs = [state for state in seen if not state.flight and after[state.row, None]]
    beside = (after[state.row, mine] for state in seen if state.returned for mine in (*state.flight, None))
    return Reached(
        any(len(state.returned) > 1 for state in seen),
        any(len(state.drawn) > 1 for state in seen),
        *flags,
        any(state.returned for state in seen),
        bool(pairs),
        any(state.returned for state in pairs),
        any(beside),
        len(seen),
    )


def invariant(system: System, environment: Environment = FULL) -> bool:
    """Whether "every vote returned is the row's, and a row stays" survives each step of an operator from *every* state
    that obeys it. Then it holds however many operators are in flight, and there is no N1: a proof by induction.

    The other operators are not in the state: a step changes nothing of theirs but the row, and that stays.
    """
    search = _Search(system, environment)

    def obeys(state: State) -> bool:
        mine = [operator.returned <= {state.row} for operator in state.flight if operator.returned]
        looked = [operator.seen in (None, state.row) for operator in state.flight]
        return state.returned <= {state.row} and all(mine) and all(looked)

    starts = []
    for row in (None, 0, 1):
        kept = NONE if row is None else frozenset({row})
        operators = [Operator("looked", seen) for seen in {None, row}]
        operators += [Operator("asked", seen, vote) for seen in {None, row} for vote in (0, 1)]
        operators += [Operator("ready", seen, row, kept) for seen in {None, row} if row is not None]
        operators += [Operator("late", None, vote) for vote in (0, 1)]
        starts += [State(row, NONE, NONE, ()), State(row, kept, NONE, ())]
        starts += [State(row, kept, NONE, (operator,)) for operator in operators]
    steps = [(state, after) for state in starts if obeys(state) for after in search.successors(state)]
    return all(obeys(after) and state.row in (None, after.row) for state, after in steps)
