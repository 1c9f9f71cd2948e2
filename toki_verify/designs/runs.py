"""A finished run, looked at: its schedule, its final state, what was lost in it, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations, product
from math import factorial, prod
from typing import Any, Final

from ..events import Schedule
from ..relations.concrete import Concrete
from .emit import schedule_of
from .machine import Machine, Record, Step
from .model import Described, State
from .operations import JUDGE_LOG
from .program import Uncaught
from .returned import settled
from .statements import Statements
from .values import Row

#: Records that no version depends on.
_CALLS = frozenset({"j", "cb"})


@dataclass(frozen=True)
class Lost:
    """A fact version that a committed transaction overwrote, closed or deleted: what it was, what the transaction put
    in its place (the new version, or rows of the same partition that it inserted), which judge calls it had made."""

    row: Row
    winners: tuple[Row, ...]
    decisions: tuple[tuple[str, str, Any], ...]
    txn: str


@dataclass
class Run:
    """A run of a design to its end: the last state of the machine, and the steps that led there."""

    described: Described
    statements: Statements
    machine: Machine
    steps: tuple[Step, ...]

    @cached_property
    def history(self) -> list[Record]:
        """What happened, each logged call with the vote that it returned."""
        return settled(self.machine, self.machine.history())

    @cached_property
    def schedule(self) -> Schedule:
        """The run as a schedule."""
        return schedule_of(self.described, self.statements, self.machine, self.history)

    @cached_property
    def concrete(self) -> Concrete:
        """The concrete reading of the schedule."""
        return Concrete(self.schedule)

    @cached_property
    def state(self) -> State:
        """The committed rows at the end."""
        return self.machine.store.state()

    @cached_property
    def committed(self) -> frozenset[str]:
        """The transactions that committed."""
        return frozenset(record.txn for record in self.history if record.what == "c")

    @cached_property
    def essence(self) -> Hashable:
        """What the run's graph, its losses and its final state are made of, whatever order it happened in: what each
        committed transaction did and saw, version by version (versions of an item are numbered in the order of their
        writes), and which versions were taken back. Runs of one essence agree on every question about these."""
        did: dict[str, list[Record]] = {}
        for record in self.history:
            if record.what not in _CALLS:
                did.setdefault(record.txn, []).append(record)
        committed = self.committed
        gone = frozenset(
            (record.place, record.label)
            for txn, records in did.items()
            if txn not in committed
            for record in records
            if record.what == "w"
        )
        return frozenset((txn, tuple(records)) for txn, records in did.items() if txn in committed), gone

    @cached_property
    def calls(self) -> tuple[Record, ...]:
        """The judge calls, in their order."""
        return tuple(record for record in self.history if record.what == "j")

    @cached_property
    def size(self) -> tuple[int, int, int]:
        """What is compared to find the smallest run: crashes, repeated attempts, events."""
        crashes = sum(step.choice == "crash" for step in self.steps)
        attempts = sum(process.attempt - 1 for process in self.machine.processes)
        return (crashes, attempts, len(self.history))

    @cached_property
    def gave_up(self) -> frozenset[int]:
        """The writers whose last attempt was aborted, so that they had no part in the run. One that had done all that
        it does, crashed, and was aborted when it was asked again, had its part before."""
        done = {number for number, _, node, _ in self.machine.ended if node.operation is None}
        return frozenset(
            number
            for number, process in enumerate(self.machine.processes)
            if isinstance(process.node.operation, Uncaught) and number not in done
        )

    @cached_property
    def belief_state(self) -> tuple[Any, ...]:
        """What the tables of facts say, up to the names of fresh keys: two runs are compared by it."""
        tables = [name for name, table in self.described.tables.items() if table.part == "current"]
        rows = [row for name in tables for row in self.state.get(name, {}).values()]
        return canonical(rows, self._fresh)

    @cached_property
    def _fresh(self) -> frozenset[str]:
        return frozenset(key for (_, key) in self.machine.store.rows if _is_fresh(key) and key not in self._initial)

    @cached_property
    def _initial(self) -> frozenset[str]:
        return frozenset(entry.key for entry in self.described.initial)

    @cached_property
    def lost(self) -> tuple[Lost, ...]:
        """The fact versions that were there, and that a committed transaction replaced."""
        return tuple(_losses(self))


def canonical(rows: list[Row], fresh: frozenset[str]) -> tuple[Any, ...]:
    """Rows, with fresh keys named by what the rows say: colours are refined until they tell no more apart, and of keys
    of one colour the least order is taken (beyond `_ORDERS` orders they are one)."""

    def plain(value: Any, colour: dict[str, str]) -> Any:
        if isinstance(value, tuple):
            return tuple(plain(part, colour) for part in value)
        return ("fresh", colour[value]) if isinstance(value, str) and value in colour else value

    def line(row: Row, colour: dict[str, str]) -> str:
        said = tuple((name, plain(value, colour)) for name, value in row.content)
        return repr((row.table, plain(row.key, colour), said))

    def lines(colour: dict[str, str]) -> tuple[str, ...]:
        return tuple(sorted(line(row, colour) for row in rows))

    colour = dict.fromkeys(sorted({name for row in rows for name in _named(row) if name in fresh}), "")
    while True:
        # What is said of a key: its own row, and in which places of which rows it is named.
        said = {key: repr(sorted(line(row, {**colour, key: "this"}) for row in rows)) for key in colour}
        ranked = {text: str(rank) for rank, text in enumerate(sorted(set(said.values())))}
        before, colour = colour, {key: ranked[said[key]] for key in colour}
        if len(set(colour.values())) == len(set(before.values())):
            break
    tied = [[key for key in colour if colour[key] == name] for name in sorted(set(colour.values()))]
    orders = prod(factorial(len(keys)) for keys in tied)
    if orders == 1 or orders > _ORDERS:
        return lines(colour)
    return min(
        lines({key: f"{colour[key]}.{place}" for keys in order for place, key in enumerate(keys)})
        for order in product(*map(permutations, tied))
    )


def _named(row: Row) -> Iterator[str]:
    """The texts in a row, its key among them."""
    stack: list[Any] = [row.key, *row.values()]
    while stack:
        value = stack.pop()
        if isinstance(value, tuple):
            stack += value
        elif isinstance(value, str):
            yield value


#: Orders of fresh keys that rows do not tell apart, of which the least one is looked for.
_ORDERS: Final = 720


def _is_fresh(key: str) -> bool:
    return len(key) > 2 and key[0] == "w" and key[1].isdigit() and key.lstrip("w0123456789").isalpha()


def _losses(run: Run) -> list[Lost]:
    described, store = run.described, run.machine.store
    by_txn: dict[str, list[Row]] = {}
    found: list[Lost] = []
    for (table, _), versions in store.rows.items():
        for version in versions:
            if version.row is not None and version.txn in run.committed and described.tables[table].part == "current":
                by_txn.setdefault(version.txn, []).append(version.row)
    for (table, _), versions in store.rows.items():
        declared = described.tables[table]
        if declared.part != "current":
            continue
        final = {version.txn: version for version in versions}
        installed = [
            version
            for version in versions
            if final[version.txn] is version and (version.label == "0" or version.txn in run.committed)
        ]
        for before, after in pairwise(installed):
            old = before.row
            if old is None:
                continue
            if declared.closed is not None and declared.closed(old):  # replaced before: what it said may be lost now
                found.append(Lost(old, (), (), after.txn))
                continue
            in_place = after.row is not None and not (declared.closed is not None and declared.closed(after.row))
            if in_place and after.row is not None:
                winners: tuple[Row, ...] = (after.row,)
            else:
                partition = declared.partition_of(old)
                winners = tuple(
                    row
                    for row in by_txn.get(after.txn, ())
                    if row.table == table and row.key != old.key and declared.partition_of(row) == partition
                )
            found.append(Lost(old, winners, _decisions(run, after.txn), after.txn))
    return found


def _decisions(run: Run, txn: str) -> tuple[tuple[str, str, Any], ...]:
    """The judge keys that the request asked, or read from the log, in this attempt until the transaction ended, with
    the votes."""
    from .operations import log_row

    writer = txn.split(".")[0]
    found: list[tuple[str, str, Any]] = []
    begins = {at for number, _, _, at in run.machine.ended if str(number + 1) == writer}
    for position, record in enumerate(run.history):
        if record.what == "c" and record.txn == txn:  # at `none` a crash is what ends it, and begins the next attempt
            break
        if position in begins:
            found.clear()
        if record.txn.split(".")[0] != writer:
            continue
        if record.what == "j":
            reads, theta, vote = record.more[:3]
            found.append((reads, log_row(reads, theta), vote))
        elif record.what in "rw" and record.place is not None and record.place[0] == JUDGE_LOG:
            row = next((v.row for v in run.machine.store.rows.get(record.place, ()) if v.label == record.label), None)
            if row is not None:
                found.append(("", record.place[1], row.get("vote")))
    return tuple(found)
