"""What one statement does to the store at each isolation level, what it waits for, and what it touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from ..events import WriteKind
from .calls import logs_call, returned, unanswered
from .faults import DesignError
from .footprint import Changed, Footprint, Looked, Matcher
from .machine import Call, Machine, Record, Step
from .model import LEVELS, Described
from .operations import (
    JUDGE_LOG,
    Callback,
    Delete,
    Fill,
    Insert,
    Judge,
    Lock,
    Operation,
    Read,
    Select,
    Update,
    log_row,
)
from .program import Raised
from .rules import FREE, SNAPSHOT, Writing, fresh_key, newer, told, unlisted
from .store import Place, Seen, Store, Txn, Version, select_name
from .values import Row, ValueProblem, frozen

#: Statements that leave something behind.
DURABLE: Final = (Insert, Update, Delete, Fill)


class Refused(Exception):
    """The store aborts the transaction, for a reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Statements:
    """The statements of one design's operations."""

    def __init__(self, described: Described) -> None:
        self.described = described
        self._matchers: dict[Select, Matcher] = {}
        self._names: dict[Select, str] = {}
        #: Every predicate that was read, by its name in the notation, per table: for the schedule (`emit.py`).
        self.predicates: dict[tuple[str, str], Matcher] = {}

    # -- levels
    def check_level(self, machine: Machine, writer: int, level: str) -> None:
        """Raises DesignError for a level that there is not."""
        if level not in LEVELS:
            self.wrong(machine, writer, f"isolation {level!r}, expected one of {', '.join(LEVELS)}")

    def level(self, txn: Txn, table: str, partition: tuple[str, str] | None) -> str:
        """The level of an access: the pin of its partition, of its table, or the transaction's."""
        pins = self.described.pins
        if pins:
            found = pins.get((table, partition)) if partition else None
            found = found or pins.get((table, None))
            if found:
                return found
        return txn.level

    def partition(self, machine: Machine, place: Place, columns: Mapping[str, Any] | None) -> tuple[str, str] | None:
        table = self.described.tables[place[0]]
        for version in machine.store.rows.get(place, ()):
            if version.row is not None:
                return table.partition_of(version.row)
        return None if columns is None else table.partition_of(columns)

    def matcher(self, of: Select) -> Matcher:
        """The predicate of a select as a function of a row."""
        found = self._matchers.get(of)
        if found is None:
            named = self.described.tables[of.table].predicates[of.named] if of.named else None
            columns = of.columns

            def found(row: Row) -> bool:
                if any(name not in row or row[name] != value for name, value in columns):
                    return False
                return named is None or bool(named(row))

            self._matchers[of] = found
        return found

    def _name(self, of: Select) -> str:
        """What the notation calls a predicate: `alice.lives_in` for a partition, else its columns."""
        of = replace(of, top=None) if of.top is not None else of
        found = self._names.get(of)
        if found is None:
            found = select_name(of, self.described.tables[of.table])
            while (of.table, found) in self.predicates:
                found += "'"
            self._names[of] = found
            self.predicates[of.table, found] = self.matcher(of)
        return found

    def wrong(self, machine: Machine, writer: int, problem: str) -> Any:
        raise machine.programs[writer].error(problem, machine.processes[writer].node)

    def _table(self, machine: Machine, writer: int, name: str) -> None:
        if name not in self.described.tables:
            known = ", ".join(self.described.tables)
            self.wrong(machine, writer, f"touches table {name!r}, which `tables` does not declare (it has {known})")

    def _snapshot(self, machine: Machine, txn: Txn, level: str, footprint: Footprint) -> Txn:
        if level in SNAPSHOT:
            if txn.snapshot is None:
                txn = txn._replace(snapshot=machine.store.clock)
                machine.store.active[txn.name] = txn
                # what is published by whom, so that two who publish do not depend on each other by it
                footprint.shared.update(("published", other) for other in range(len(machine.processes)))
            if level == "SR":
                footprint.shared.add("ssi")
        return txn

    # -- statements
    def do(
        self, machine: Machine, writer: int, txn: Txn, operation: Operation[Any], step: Step, footprint: Footprint
    ) -> Any:
        """Do a statement in a transaction; its answer. Raises Refused where the store aborts the transaction."""
        if isinstance(operation, Judge):
            vote = step.choice[0]
            key = (operation.reads, operation.theta)
            if self.described.deterministic:
                (footprint.shared if key in machine.votes else footprint.exclusive).add(("vote", key))
                machine.votes[key] = vote
            process = machine.processes[writer]
            following = machine.programs[writer].after(process.node, vote).operation
            if logs_call(following, *key):  # the call and its insert are one logged call, which returns there
                machine.change(writer, asked=(*key, vote, operation.own, len(process.node.answers)))
            else:
                machine.record(Record("j", txn.name, more=Call(*key, vote, process.attempt, len(process.node.answers))))
            return vote
        if isinstance(operation, Callback):
            winner = step.choice[0]
            if winner is not None:
                machine.record(Record("cb", txn.name, more=(operation.reads, operation.request, winner)))
            return winner
        if isinstance(operation, Fill):
            answer = self._fill(machine, txn, operation, footprint)
            returned(machine, writer, txn, answer)
            return answer
        if not isinstance(operation, (Read, Select, Insert, Update, Delete)):
            return self.wrong(machine, writer, f"{type(operation).__name__} is no statement")
        self._table(machine, writer, operation.table)
        if isinstance(operation, Read):
            return self._read(machine, txn, operation, footprint)
        if isinstance(operation, Select):
            return self._select(machine, writer, txn, operation, footprint)
        row = self._write(machine, writer, txn, operation, footprint)
        if isinstance(operation, Insert) and machine.processes[writer].asked is not None:
            returned(machine, writer, txn, row.get("vote"))
        return row

    def _read(self, machine: Machine, txn: Txn, operation: Read, footprint: Footprint) -> Row | None:
        place = (operation.table, operation.key)
        level = self.level(txn, operation.table, self.partition(machine, place, None))
        txn = self._snapshot(machine, txn, level, footprint)
        version = machine.store.visible(place, txn, level)
        footprint.look(_KINDS[level], *place)
        label = "0" if version is None else version.label
        machine.record(Record("r", txn.name, place, label))
        own = version is not None and version.txn == txn.name
        if level == "SR" and not own:
            machine.store.active[txn.name] = txn._replace(reads=(*txn.reads, (place, label)))
        if level == "2PL":
            machine.store.active[txn.name] = txn._replace(locked=(*txn.locked, place))
        return None if version is None else version.row

    def _select(
        self, machine: Machine, writer: int, txn: Txn, operation: Select, footprint: Footprint
    ) -> tuple[Row, ...]:
        declared = self.described.tables[operation.table]
        if operation.named and operation.named not in declared.predicates:
            known = ", ".join(declared.predicates) or "none"
            problem = (
                f"selects by {operation.named!r}, which table {operation.table!r} does not declare (it has {known})"
            )
            return self.wrong(machine, writer, problem)  # type: ignore[no-any-return]
        matches = self.matcher(operation)
        level = self.level(txn, operation.table, declared.partition_of(dict(operation.columns)))
        txn = self._snapshot(machine, txn, level, footprint)
        if _KINDS[level]:
            footprint.looked.append(Looked(operation.table, _KINDS[level], matches))
        name = self._name(operation)
        rows: list[Row] = []
        unmatched: list[tuple[Place, str]] = []
        versions: list[tuple[Place, str]] = []
        for place in machine.store.places(operation.table):
            seen = machine.store.visible(place, txn, level)
            label = "0" if seen is None else seen.label
            if seen is None or seen.txn != txn.name:
                versions.append((place, label))
            if seen is not None and seen.row is not None and matches(seen.row):
                rows.append(seen.row)
            elif told(machine.store, place, label, unlisted(machine.store, place, txn.name, matches), matches):
                unmatched.append((place, label))
        rows.sort(key=lambda row: row.key)
        partial = operation.top is not None
        if partial:
            rows, unmatched = rows[: operation.top], []
        matched = [((row.table, row.key), row.version) for row in rows]
        machine.record(
            Record(
                "p",
                txn.name,
                (operation.table, name),
                more=(tuple(matched), tuple(unmatched), partial, tuple(versions)),
            )
        )
        seen_here = Seen(operation.table, matches)
        if level == "SR":
            reads = tuple(entry for entry in versions if entry in matched)
            machine.store.active[txn.name] = txn._replace(
                reads=(*txn.reads, *reads), seen=(*txn.seen, (seen_here, tuple(versions)))
            )
        if level == "2PL":
            # A row locked here may be deleted later; whoever waits for it then races with this step.
            for place, _ in matched:
                footprint.look("l", *place)
            machine.store.active[txn.name] = txn._replace(
                locked=(*txn.locked, *(place for place, _ in matched)), guarded=(*txn.guarded, seen_here)
            )
        return tuple(rows)

    def _write(self, machine: Machine, writer: int, txn: Txn, operation: Writing, footprint: Footprint) -> Any:
        store = machine.store
        process = machine.processes[writer]
        if operation.key is None:
            machine.change(writer, fresh=process.fresh + 1)
            operation = replace(operation, key=fresh_key(writer, process.fresh))
        assert operation.key is not None
        place = (operation.table, operation.key)
        columns = dict(operation.columns) if isinstance(operation, (Insert, Update)) else None
        level = self.level(txn, operation.table, self.partition(machine, place, columns))
        txn = self._snapshot(machine, txn, level, footprint)
        footprint.look("c", *place)
        footprint.shared.add(("guard", operation.table))
        if level in SNAPSHOT and newer(store, place, txn):
            footprint.change("wl", *place, ())
            raise Refused("conflict")
        base = self.base(store, place, txn, level)
        label, old = ("0", None) if base is None else (base.label, base.row)
        observed = Record("r", txn.name, place, label)
        footprint.change("wl", *place, () if old is None else (old,))
        if level in FREE:  # a read may see any of the writes since; which of them is its transaction's last one counts
            footprint.changed.append(Changed(operation.table, "wl", store.contents(place, txn.name)))
        if isinstance(operation, Insert):
            if old is not None:
                machine.record(observed)
                self._reads(machine, txn, level, base, place, label)
                if operation.absent:
                    return old
                raise Refused("duplicate key")
        elif old is None or (operation.expect is not None and operation.expect != label):
            machine.record(observed)
            self._reads(machine, txn, level, base, place, label)
            return None if operation.returning else False
        looks = isinstance(operation, Update) and any(callable(value) for _, value in operation.columns)
        if not isinstance(operation, Insert):
            looks = looks or operation.returning or operation.expect is not None
        if looks:
            machine.record(observed)
            txn = self._reads(machine, txn, level, base, place, label)
        row = self.after(machine, writer, operation, place, old)
        kind = _KIND[type(operation)]
        if row is not None:
            footprint.changed.append(Changed(operation.table, "wl", (row,)))
        if level == "none":
            footprint.change("c", *place, tuple(found for found in (old, row) if found is not None))
            footprint.exclusive.add(("published", writer))
        if level == "SR":
            txn = txn._replace(wrote_serializable=txn.wrote_serializable | {place})
        txn = store.install(place, txn, row, kind, level == "none")
        made = store.rows[place][-1]
        machine.record(Record("w", txn.name, place, made.label, (made.row, kind, operation.operator)))
        if isinstance(operation, Insert):
            return made.row
        return old if operation.returning else True

    def _reads(self, machine: Machine, txn: Txn, level: str, base: Version | None, place: Place, label: str) -> Txn:
        """A write that looked at the row first has read it."""
        if level == "SR" and not (base is not None and base.txn == txn.name):
            txn = txn._replace(reads=(*txn.reads, (place, label)))
            machine.store.active[txn.name] = txn
        if level == "2PL":
            txn = txn._replace(locked=(*txn.locked, place))
            machine.store.active[txn.name] = txn
        return txn

    def base(self, store: Store, place: Place, txn: Txn, level: str) -> Version | None:
        """The version that a write overwrites: the transaction's own, or what is current when it takes effect."""
        return store.visible(place, txn, level if level in FREE else "RC")

    def after(self, machine: Machine, writer: int, operation: Writing, place: Place, old: Row | None) -> Row | None:
        """What a row is after a write. Raises DesignError for columns that cannot be computed, or a row that moves."""
        if isinstance(operation, Delete):
            return None
        columns: dict[str, Any] = {}
        for name, value in operation.columns:
            columns[name] = self._value(machine, writer, name, value, old) if callable(value) else value
        if old is None or isinstance(operation, Insert):
            return Row(*place, columns, "", operation.prov)
        whole = {} if operation.whole else dict(old)
        table = self.described.tables[place[0]]
        row = Row(*place, {**whole, **columns}, "", operation.prov)
        if operation.prov is None and table.keeps_source(old, row):
            row = Row(*place, dict(row), "", old.prov)
        if table.partition_of(row) != table.partition_of(old):
            self.wrong(machine, writer, f"an update moves row {place[1]!r} to another partition; delete and insert it")
        return row

    def _value(self, machine: Machine, writer: int, name: str, of: Callable[[Row], Any], old: Row | None) -> Any:
        try:
            first, second = frozen(of(old)), frozen(of(old))  # type: ignore[arg-type]
        except DesignError:
            raise
        except ValueProblem as error:
            return self.wrong(machine, writer, f"column {name!r}: {error}")
        except Exception as error:
            return self.wrong(machine, writer, f"column {name!r} raised {type(error).__name__}: {error}")
        if first != second:
            return self.wrong(machine, writer, f"column {name!r} is another value each time it is computed")
        return first

    def _fill(self, machine: Machine, txn: Txn, operation: Fill, footprint: Footprint) -> Any:
        place = (JUDGE_LOG, log_row(operation.reads, operation.theta))
        footprint.look("c", *place)
        footprint.change("wl", *place, ())
        there = machine.store.latest(place)
        if there is not None and there.row is not None:
            machine.record(Record("r", txn.name, place, there.label))
            return there.row["vote"]
        row = Row(*place, {"vote": operation.vote}, "", None)
        machine.store.install(place, txn, row, WriteKind.INSERT, False)
        made = machine.store.rows[place][-1]
        machine.record(Record("w", txn.name, place, made.label, (made.row, WriteKind.INSERT, None)))
        return operation.vote

    def alone(self, machine: Machine, writer: int, operation: Operation[Any], step: Step, footprint: Footprint) -> Any:
        """A statement in a transaction of its own."""
        process = machine.processes[writer]
        name = f"{writer + 1}.own{process.own + 1}"
        machine.change(writer, own=process.own + 1)
        txn = Txn(name, writer, "RC")
        store = machine.store
        store.active[name] = txn
        try:
            answer = self.do(machine, writer, txn, operation, step, footprint)
        except Refused as refused:
            unanswered(machine, writer, process.txn or name)
            store.roll_back(store.active[name])
            machine.record(Record("a", name))
            machine.aborts += 1
            return Raised(refused.reason)
        txn = store.active[name]
        for place in txn.wrote:
            footprint.change("c", *place, store.contents(place, name))
            footprint.exclusive.add(("published", writer))
        store.publish(txn)
        if isinstance(operation, Judge) and machine.processes[writer].asked is not None:
            machine.change(writer, own=process.own)  # the call returns in the transaction of its insert: here is none
        else:
            machine.record(Record("c", name))
        return answer

    def wanted(self, machine: Machine, writer: int, footprint: Footprint) -> None:
        """What a statement that waits would touch: so its being refused depends on whoever holds it."""
        operation = machine.processes[writer].node.operation
        if isinstance(operation, Lock):
            footprint.exclusive.add(("mutex", operation.name))
        elif isinstance(operation, Select):
            footprint.looked.append(Looked(operation.table, "wcl", self.matcher(operation)))
        elif isinstance(operation, Fill):
            footprint.look("wcl", JUDGE_LOG, log_row(operation.reads, operation.theta))
        elif isinstance(operation, (Read, Insert, Update, Delete)) and operation.key is not None:
            footprint.look("wcl", operation.table, operation.key)
        if isinstance(operation, (Insert, Update, Delete)):
            footprint.shared.add(("guard", operation.table))


_KINDS: Final = {"none": "wc", "RU": "wc", "RC": "c", "SI": "", "SR": "", "2PL": "lc"}
_KIND: Final[Mapping[type, WriteKind]] = {Insert: WriteKind.INSERT, Update: WriteKind.UPDATE, Delete: WriteKind.DELETE}
