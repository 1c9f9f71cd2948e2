"""Operators that call a judge at one key κ through a log, as a transition system (SEMANTICS §6; TOKI 2026, Cor. 2).

A call is: consult the log in the operator's transaction; return the vote of a row that is seen, or ask the oracle,
which may vote either way, and fill the log as the discipline says. A read may see any version of a transaction that
has not aborted: which of them an isolation level allows is judged afterwards. The engine that checks a unique key is
no matter of levels: at an insert it looks, in real order, at every row whose writer has not aborted. A row of another
running transaction makes the insert wait until that ends; a committed row, or one of its own, makes it fail. In a log
transaction that wait is short and a rollback of the operator takes nothing along; in the operator's it lasts until the
operator ends.

Histories that differ only in what no definition can tell apart are one `State`: who read and wrote which version, in
which version order, who ended how, which votes were returned, and whether P0 or P1 has happened. Two votes are enough:
nothing in the protocol looks at a vote, and N1 asks for two that differ.

A judge event stands for a call and its vote. `returned`: one event a call, with the vote that the call returns.
`asked`: every answer of the oracle is an event as well, also one that a losing fill discards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from .disciplines import LINEARIZABLE, RECHECKING, REPLACING, Discipline

#: The key κ and its name in the log.
KEY: Final = '"(R, theta)"'
READINGS: Final = ("returned", "asked")
IDLE, ASKED, WRITTEN = range(3)


class Operator(NamedTuple):
    """An operator's transaction: how it ended ("" while it runs), where its current call stands, how many calls have
    returned, and the vote that the current call got from the oracle."""

    end: str = ""
    phase: int = IDLE
    calls: int = 0
    vote: int = -1


class Version(NamedTuple):
    """A version of a row: the item, who wrote it, the vote in it."""

    item: int
    writer: str
    vote: int


class Saw(NamedTuple):
    """What a read saw: an item read (`rows` has one version, -1 for the absence) or a predicate read of the key
    (`rows` are the versions seen; all other rows were seen as absent)."""

    txn: str
    predicate: bool
    rows: tuple[int, ...]


class State(NamedTuple):
    """A history, up to what no definition can tell apart."""

    operators: tuple[Operator, ...]
    versions: tuple[Version, ...] = ()
    saw: frozenset[Saw] = frozenset()
    votes: frozenset[tuple[str, int]] = frozenset()
    committed: frozenset[str] = frozenset()
    aborted: frozenset[str] = frozenset()
    dirty_write: bool = False
    dirty_read: bool = False
    aborts: int = 0

    def ended(self, txn: str) -> bool:
        """Whether a transaction has ended."""
        return txn in self.committed or txn in self.aborted


class Step(NamedTuple):
    """Events that happen together, and what is so afterwards."""

    events: tuple[str, ...]
    state: State


@dataclass(frozen=True)
class Bound:
    """How much may happen: operators at first, calls of each, aborts out of the blue (crashes), transactions that may
    replay an aborted operator, maintenance transactions."""

    operators: int
    calls: int
    aborts: int
    replays: int
    maintenance: int

    def __str__(self) -> str:
        def several(count: int, word: str) -> str:
            return f"{count} {word}{'' if count == 1 else 's'}"

        return (
            f"{several(self.operators, 'operator')} with up to {several(self.calls, 'call')} each, "
            f"{several(self.aborts, 'crash')}, {several(self.replays, 'replay')}, "
            f"{several(self.maintenance, 'maintenance transaction')}"
        )


class Protocol:
    """The steps of a discipline within a bound."""

    def __init__(self, discipline: Discipline, bound: Bound, reading: str = "returned") -> None:
        self.discipline, self.bound, self.reading = discipline, bound, reading

    def start(self) -> State:
        """Before anything has happened."""
        return State((Operator(),) * (self.bound.operators + self.bound.replays))

    # -- what is there -------------------------------------------------------------------------------------------
    def rows(self, state: State) -> list[int]:
        """The versions of writers that have not aborted."""
        return [n for n, version in enumerate(state.versions) if version.writer not in state.aborted]

    def found(self, state: State, txn: str) -> list[int]:
        """The versions that make the engine refuse an insert of a transaction: committed ones, and its own."""
        rows = self.rows(state)
        return [n for n in rows if state.versions[n].writer in state.committed or state.versions[n].writer == txn]

    def waits(self, state: State, txn: str) -> bool:
        """Whether an insert waits: a running transaction other than its own has a row at the key."""
        writers = {state.versions[n].writer for n in self.rows(state)}
        return any(writer != txn and writer not in state.committed for writer in writers)

    # -- text ------------------------------------------------------------------------------------------------------
    def label(self, state: State, number: int) -> int:
        """The label of a version: its place among the versions of its item."""
        item = state.versions[number].item
        return sum(version.item == item for version in state.versions[: number + 1])

    def item(self, number: int) -> str:
        """The name of a row."""
        return KEY if self.discipline.keyed else f"row{chr(ord('a') + number)}"

    def read_text(self, state: State, saw: Saw) -> str:
        """A read, with the version of every row that it saw."""
        if not saw.predicate:
            (seen,) = saw.rows
            if seen < 0:
                return f"r{saw.txn}[judge_log:{KEY}@0]"
            return f"r{saw.txn}[judge_log:{KEY}@{self.label(state, seen)}={state.versions[seen].vote}]"
        seen_items = {state.versions[n].item for n in saw.rows}
        absent = sorted({version.item for version in state.versions} - seen_items)
        matched = ", ".join(f"{self.item(state.versions[n].item)}@{self.label(state, n)}" for n in saw.rows)
        unmatched = ", ".join(f"{self.item(item)}@0" for item in absent)
        return f"r{saw.txn}{{judge_log:{KEY}: {matched}{'; ' if unmatched else ''}{unmatched}}}"

    def write_text(self, state: State, sign: str) -> str:
        """The latest write."""
        number = len(state.versions) - 1
        version = state.versions[number]
        within = "" if self.discipline.keyed else f" in {KEY}"
        label = self.label(state, number)
        return f"w{version.writer}[{sign}judge_log:{self.item(version.item)}@{label}={version.vote}{within}]"

    # -- changes ---------------------------------------------------------------------------------------------------
    def with_operator(self, state: State, number: int, operator: Operator) -> State:
        """The state with another state of an operator."""
        found = (*state.operators[:number], operator, *state.operators[number + 1 :])
        return state._replace(operators=found)

    def seeing(self, state: State, saw: Saw) -> State:
        """After a read: it is dirty if a version it saw is of another transaction that has not committed."""
        writers = {state.versions[n].writer for n in saw.rows if n >= 0} - {saw.txn}
        dirty = state.dirty_read or not writers <= state.committed
        return state._replace(saw=state.saw | {saw}, dirty_read=dirty)

    def writing(self, state: State, version: Version) -> State:
        """After a write: it is dirty if another transaction that has not ended wrote the item."""
        dirty = state.dirty_write or any(
            found.item == version.item and found.writer != version.writer and not state.ended(found.writer)
            for found in state.versions
        )
        return state._replace(versions=(*state.versions, version), dirty_write=dirty)

    def voting(self, state: State, txn: str, vote: int) -> State:
        """After a judge event."""
        return state._replace(votes=state.votes | {(txn, vote)})

    def committing(self, state: State, txn: str) -> State:
        """After a commit."""
        return state._replace(committed=state.committed | {txn})

    # -- steps -----------------------------------------------------------------------------------------------------
    def steps(self, state: State) -> Iterator[Step]:
        """Everything that can happen next, operators in their order, maintenance last."""
        for number, operator in enumerate(state.operators):
            if operator.end:
                continue
            if not self.may_start(state, number):
                break
            yield from self.operator_steps(state, number, operator)
        yield from self.maintenance(state)

    def may_start(self, state: State, number: int) -> bool:
        """Operators start in the order of their numbers, since they are alike; replays once that many have aborted."""
        before = state.operators[number - 1] if number else None
        if before is not None and before == Operator():
            return False
        replay = number - self.bound.operators + 1
        return replay <= sum(operator.end == "a" for operator in state.operators[:number])

    def operator_steps(self, state: State, number: int, operator: Operator) -> Iterator[Step]:
        """What an operator can do next."""
        txn, log = str(number + 1), self.log_of(number, operator)
        if operator.phase == IDLE:
            if operator.calls < self.bound.calls:
                yield from self.call(state, number, operator)
            if operator.calls:
                yield Step((f"c{txn}",), self.committing(self.with_operator(state, number, Operator("c")), txn))
        elif operator.phase == ASKED:
            yield from self.fill(state, number, operator)
        else:
            done = self.with_operator(state, number, operator._replace(phase=IDLE, calls=operator.calls + 1, vote=-1))
            done, events = self.returning(self.committing(done, log), txn, operator.vote)
            yield Step((f"c{log}", *events), done)
        if operator != Operator() and state.aborts < self.bound.aborts:
            running = (log, txn) if operator.phase == WRITTEN else (txn,)
            yield self.abort(state._replace(aborts=state.aborts + 1), number, running)

    def log_of(self, number: int, operator: Operator) -> str:
        """The log transaction of an operator's current call."""
        return f"TL{number + 1}" if not operator.calls else f"TL{number + 1}.{operator.calls + 1}"

    def abort(self, state: State, number: int, running: tuple[str, ...]) -> Step:
        """An operator ends without effect, with the log transaction that it runs."""
        state = self.with_operator(state, number, Operator("a"))
        events = tuple(f"a{txn}" for txn in running)
        return Step(events, state._replace(aborted=state.aborted | set(running)))

    def consultations(self, state: State, txn: str) -> Iterator[Saw]:
        """Every read of the log that a transaction can make: one version of the row, or a set of rows at the key."""
        rows = self.rows(state)
        own = [n for n in rows if state.versions[n].writer == txn]
        if self.discipline.keyed:
            for seen in own[-1:] or [-1, *rows]:
                yield Saw(txn, False, (seen,))
            return
        choices: list[tuple[int, ...]] = [()]
        for item in sorted({state.versions[n].item for n in rows}):
            of_item = [n for n in rows if state.versions[n].item == item]
            mine = [n for n in of_item if n in own]
            options: list[tuple[int, ...]] = [(n,) for n in mine] or [(), *((n,) for n in of_item)]
            choices = [(*chosen, *option) for chosen in choices for option in options]
        for chosen in choices:
            yield Saw(txn, True, chosen)

    def call(self, state: State, number: int, operator: Operator) -> Iterator[Step]:
        """Consult, and return what is logged or ask. Nothing can tell what happens in between, so it is one step."""
        txn = str(number + 1)
        if not self.discipline.consults:
            yield from self.ask(state, number, operator, ())
            return
        for saw in self.consultations(state, txn):
            seen = self.seeing(state, saw)
            text = self.read_text(state, saw)
            if any(n >= 0 for n in saw.rows):
                answered = self.with_operator(seen, number, operator._replace(calls=operator.calls + 1))
                for vote in sorted({state.versions[n].vote for n in saw.rows}):
                    yield Step((text, f"j{txn}(R, theta)={vote}"), self.voting(answered, txn, vote))
            elif self.discipline.fill == "claim":
                yield Step((text,), self.with_operator(seen, number, operator._replace(phase=ASKED)))
            else:
                yield from self.ask(seen, number, operator, (text,))

    def ask(self, state: State, number: int, operator: Operator, before: tuple[str, ...]) -> Iterator[Step]:
        """The oracle votes, either way; the first vote of a history is 0, since votes are alike."""
        txn = str(number + 1)
        for vote in self.oracle(state):
            asked = self.with_operator(state, number, operator._replace(phase=ASKED, vote=vote))
            if self.reading == "asked":
                yield Step((*before, f"j{txn}(R, theta)={vote}"), self.voting(asked, txn, vote))
            else:
                yield Step(before or (), asked)

    def oracle(self, state: State) -> tuple[int, ...]:
        """The votes that an oracle may return."""
        fresh = not state.versions and not state.votes and all(found.vote < 0 for found in state.operators)
        return (0,) if fresh else (0, 1)

    def returning(self, state: State, txn: str, vote: int) -> tuple[State, tuple[str, ...]]:
        """A call returns the vote that the oracle gave it."""
        if self.reading == "asked":
            return state, ()
        return self.voting(state, txn, vote), (f"j{txn}(R, theta)={vote}",)

    def fill(self, state: State, number: int, operator: Operator) -> Iterator[Step]:
        """The fill, as the discipline has it."""
        txn = str(number + 1)
        writer = self.log_of(number, operator) if self.discipline.place == "own" else txn
        if self.discipline.unique:
            if self.waits(state, writer):
                return
            if self.found(state, writer):
                for seen in self.refusing(state, writer):
                    yield from self.lose(state, number, operator, Saw(writer, False, (seen,)))
                return
        if self.discipline.fill in RECHECKING:
            for saw in self.consultations(state, writer):
                looked, text = self.seeing(state, saw), self.read_text(state, saw)
                if any(n >= 0 for n in saw.rows):
                    yield from self.lose(state, number, operator, saw)
                else:
                    yield from self.insert(looked, number, operator, writer, (text,))
            return
        yield from self.insert(state, number, operator, writer, ())

    def insert(
        self, state: State, number: int, operator: Operator, writer: str, before: tuple[str, ...]
    ) -> Iterator[Step]:
        """The fill inserts, or replaces, a row; with a claim, the oracle is asked now, while the key is held."""
        txn = str(number + 1)
        claimed = operator.vote < 0
        item = 0 if self.discipline.keyed else len({version.item for version in state.versions})
        sign = "" if self.discipline.fill in REPLACING and state.versions else "+"
        for vote in self.oracle(state) if claimed else (operator.vote,):
            written = self.writing(state, Version(item, writer, vote))
            events = (*before, self.write_text(written, sign))
            if claimed and self.reading == "asked":
                written, events = self.voting(written, txn, vote), (f"j{txn}(R, theta)={vote}", *events)
            if self.discipline.place == "own" and self.discipline.fill not in LINEARIZABLE:
                yield Step(events, self.with_operator(written, number, operator._replace(phase=WRITTEN, vote=vote)))
                continue
            if writer != txn:  # linearizable: it takes effect at once
                written, events = self.committing(written, writer), (*events, f"c{writer}")
            done = operator._replace(phase=IDLE, calls=operator.calls + 1, vote=-1)
            written, returned = self.returning(self.with_operator(written, number, done), txn, vote)
            yield Step((*events, *returned), written)

    def lose(self, state: State, number: int, operator: Operator, saw: Saw) -> Iterator[Step]:
        """A fill that finds another row at the key: the engine refuses the insert, which tells the transaction in which
        it is made that the row is there, or its own look at the log says so. Either is a read, `saw`, whatever the call
        does then."""
        txn, text = str(number + 1), self.read_text(state, saw)
        own = (saw.txn,) if saw.txn != txn else ()
        state = self.seeing(state, saw)
        if self.discipline.loser == "abort":
            found = self.abort(state, number, (*own, txn))
            yield Step((text, *found.events), found.state)
            return
        done = self.with_operator(state, number, operator._replace(phase=IDLE, calls=operator.calls + 1, vote=-1))
        for log in own:
            done = self.committing(done, log)
        looked = (text, *(f"c{log}" for log in own))
        if self.discipline.loser == "adopt":
            for vote in sorted({state.versions[n].vote for n in saw.rows}):
                yield Step((*looked, f"j{txn}(R, theta)={vote}"), self.voting(done, txn, vote))
            return
        # A claim that is lost has not asked yet: it asks then.
        for vote in self.oracle(state) if operator.vote < 0 else (operator.vote,):
            kept, events = self.returning(done, txn, vote)
            if operator.vote < 0 and self.reading == "asked":
                kept, events = self.voting(done, txn, vote), (f"j{txn}(R, theta)={vote}",)
            yield Step((*looked, *events), kept)

    def refusing(self, state: State, txn: str) -> list[int]:
        """The versions that a refused insert may see: with insert-if-absent the latest, which it returns; with a key,
        any, since the refusal says no more than that the row is there, and a read that follows sees what it sees."""
        if self.discipline.fill not in LINEARIZABLE:
            return self.rows(state)
        found = self.found(state, txn)
        own = [n for n in found if state.versions[n].writer == txn]
        return (own or found)[-1:]

    def maintenance(self, state: State) -> Iterator[Step]:
        """Maintenance overwrites a row with the other vote."""
        if self.discipline.row != "mutable":
            return
        for turn in range(self.bound.maintenance):
            txn = f"TM{turn + 1 if turn else ''}"
            if state.ended(txn):
                continue
            if any(version.writer == txn for version in state.versions):
                yield Step((f"c{txn}",), self.committing(state, txn))
                return
            latest = {state.versions[n].item: n for n in self.rows(state)}
            for item, number in latest.items():
                written = self.writing(state, Version(item, txn, 1 - state.versions[number].vote))
                yield Step((self.write_text(written, ""),), written)
            return
