"""What one statement does to the store at each isolation level, what it waits for, and what it touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from ..events import WriteKind
from .faults import DesignError
from .footprint import Changed, Footprint, Looked, Matcher
from .machine import Call, Machine, Record, Step
from .model import LEVELS, Described
from .operations import (
    JUDGE_LOG,
    Begin,
    Callback,
    Commit,
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
from .store import Place, Seen, Store, Txn, Version, select_name
from .values import Row, ValueProblem, frozen

#: Statements that leave something behind.
DURABLE: Final = (Insert, Update, Delete, Fill)
_SNAPSHOT: Final = ("SI", "SR")
_FREE: Final = ("none", "RU")
Writing = Insert | Update | Delete


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

    # -- levels ---------------------------------------------------------------------------------------------------------
    def check_level(self, machine: Machine, writer: int, level: str) -> None:
        """Raises DesignError for a level that there is not."""
        if level not in LEVELS:
            self._wrong(machine, writer, f"isolation {level!r}, expected one of {', '.join(LEVELS)}")

    def level(self, txn: Txn, table: str, partition: tuple[str, str] | None) -> str:
        """The level of an access: the pin of its partition, of its table, or the transaction's."""
        pins = self.described.pins
        if pins:
            found = pins.get((table, partition)) if partition else None
            found = found or pins.get((table, None))
            if found:
                return found
        return txn.level

    def _partition(self, machine: Machine, place: Place, columns: Mapping[str, Any] | None) -> tuple[str, str] | None:
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

    def _wrong(self, machine: Machine, writer: int, problem: str) -> Any:
        raise machine.programs[writer].error(problem, machine.processes[writer].node)

    def _table(self, machine: Machine, writer: int, name: str) -> None:
        if name not in self.described.tables:
            known = ", ".join(self.described.tables)
            self._wrong(machine, writer, f"touches table {name!r}, which `tables` does not declare (it has {known})")

    def _snapshot(self, machine: Machine, txn: Txn, level: str, footprint: Footprint) -> Txn:
        if level in _SNAPSHOT:
            if txn.snapshot is None:
                txn = txn._replace(snapshot=machine.store.clock)
                machine.store.active[txn.name] = txn
                # what is published by whom, so that two who publish do not depend on each other by it
                footprint.shared.update(("published", other) for other in range(len(machine.processes)))
            if level == "SR":
                footprint.shared.add("ssi")
        return txn

    # -- statements -----------------------------------------------------------------------------------------------------
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
                machine.change(writer, asked=(*key, vote))
            else:
                machine.record(Record("j", txn.name, more=Call(*key, vote, process.attempt)))
            return vote
        if isinstance(operation, Callback):
            winner = step.choice[0]
            if winner is not None:
                machine.record(Record("cb", txn.name, more=(operation.reads, operation.request, winner)))
            return winner
        if isinstance(operation, Fill):
            answer = self._fill(machine, txn, operation, footprint)
            self._returned(machine, writer, txn, answer)
            return answer
        if not isinstance(operation, (Read, Select, Insert, Update, Delete)):
            return self._wrong(machine, writer, f"{type(operation).__name__} is no statement")
        self._table(machine, writer, operation.table)
        if isinstance(operation, Read):
            return self._read(machine, txn, operation, footprint)
        if isinstance(operation, Select):
            return self._select(machine, writer, txn, operation, footprint)
        row = self._write(machine, writer, txn, operation, footprint)
        if isinstance(operation, Insert) and machine.processes[writer].asked is not None:
            self._returned(machine, writer, txn, row.get("vote"))
        return row

    def _returned(self, machine: Machine, writer: int, txn: Txn, vote: Any) -> None:
        """A logged call returns: with the vote that the log has."""
        process = machine.processes[writer]
        if process.asked is not None:
            reads, theta, asked = process.asked
            name = process.txn or txn.name
            machine.record(Record("j", name, more=Call(reads, theta, vote, process.attempt, asked, process.node.step)))
            machine.change(writer, asked=None)

    def _read(self, machine: Machine, txn: Txn, operation: Read, footprint: Footprint) -> Row | None:
        place = (operation.table, operation.key)
        level = self.level(txn, operation.table, self._partition(machine, place, None))
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
            problem = f"selects by {operation.named!r}, which table {operation.table!r} does not declare (it has {known})"
            return self._wrong(machine, writer, problem)  # type: ignore[no-any-return]
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
            elif _told(machine.store, place, label, _unlisted(machine.store, place, txn.name, matches), matches):
                unmatched.append((place, label))
        rows.sort(key=lambda row: row.key)
        partial = operation.top is not None
        if partial:
            rows, unmatched = rows[: operation.top], []
        matched = [((row.table, row.key), row.version) for row in rows]
        machine.record(Record("p", txn.name, (operation.table, name), more=(tuple(matched), tuple(unmatched), partial, tuple(versions))))
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
        level = self.level(txn, operation.table, self._partition(machine, place, columns))
        txn = self._snapshot(machine, txn, level, footprint)
        footprint.look("c", *place)
        footprint.shared.add(("guard", operation.table))
        if level in _SNAPSHOT and _newer(store, place, txn):
            footprint.change("wl", *place, ())
            raise Refused("conflict")
        base = self._base(store, place, txn, level)
        label, old = ("0", None) if base is None else (base.label, base.row)
        observed = Record("r", txn.name, place, label)
        footprint.change("wl", *place, () if old is None else (old,))
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
        row = self._after(machine, writer, operation, place, old)
        kind = _KIND[type(operation)]
        if row is not None:
            footprint.changed.append(Changed(operation.table, "wl", (row,)))
        if level == "none":
            footprint.change("c", *place, tuple(found for found in (old, row) if found is not None))
            footprint.exclusive.add(("published", writer))
            machine.unisolated |= {txn.name}
        if level == "SR":
            txn = txn._replace(wrote_serializable=txn.wrote_serializable | {place})
        txn = store.install(place, txn, row, kind, level == "none")
        made = store.rows[place][-1]
        machine.record(Record("w", txn.name, place, made.label, (made.row, kind, operation.operator)))
        if isinstance(operation, Insert):
            return made.row
        return old if operation.returning else True

    def _reads(
        self, machine: Machine, txn: Txn, level: str, base: Version | None, place: Place, label: str
    ) -> Txn:
        """A write that looked at the row first has read it."""
        if level == "SR" and not (base is not None and base.txn == txn.name):
            txn = txn._replace(reads=(*txn.reads, (place, label)))
            machine.store.active[txn.name] = txn
        if level == "2PL":
            txn = txn._replace(locked=(*txn.locked, place))
            machine.store.active[txn.name] = txn
        return txn

    def _base(self, store: Store, place: Place, txn: Txn, level: str) -> Version | None:
        """The version that a write overwrites: the transaction's own, or what is current when it takes effect."""
        return store.visible(place, txn, level if level in _FREE else "RC")

    def _after(
        self, machine: Machine, writer: int, operation: Writing, place: Place, old: Row | None
    ) -> Row | None:
        """What the row is after a write. Raises DesignError for columns that cannot be computed, or a row that moves."""
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
            self._wrong(machine, writer, f"an update moves row {place[1]!r} to another partition; delete and insert it")
        return row

    def _value(self, machine: Machine, writer: int, name: str, of: Callable[[Row], Any], old: Row | None) -> Any:
        try:
            first, second = frozen(of(old)), frozen(of(old))  # type: ignore[arg-type]
        except DesignError:
            raise
        except ValueProblem as error:
            return self._wrong(machine, writer, f"column {name!r}: {error}")
        except Exception as error:
            return self._wrong(machine, writer, f"column {name!r} raised {type(error).__name__}: {error}")
        if first != second:
            return self._wrong(machine, writer, f"column {name!r} is another value each time it is computed")
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
            store.roll_back(store.active[name])
            machine.record(Record("a", name))
            machine.aborts += 1
            return Raised(refused.reason)
        txn = store.active[name]
        for place in txn.wrote:
            footprint.change("c", *place, store.contents(place, name))
            footprint.exclusive.add(("published", writer))
        store.publish(txn)
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


def blockers(statements: Statements, machine: Machine, writer: int) -> tuple[int, ...]:
    """The writers that a writer's next operation waits for."""
    process, store = machine.processes[writer], machine.store
    operation = process.node.operation
    if isinstance(operation, Lock):
        owner = store.mutexes.get(operation.name)
        if owner == writer and operation.held:
            statements._wrong(machine, writer, f"takes the lock {operation.name!r} that it holds already")
        return () if owner is None or not operation.held or owner == writer else (owner,)
    apart = operation is not None and operation.own  # then its own open transaction is another one, too
    others = len(store.active) - (process.txn is not None and not apart)
    if not others or isinstance(operation, (Judge, Callback, Commit, Begin)):
        return ()
    name = process.txn if process.txn is not None and operation is not None and not operation.own else ""
    txn = store.active.get(name or "") or Txn(name or "", writer, "RC" if operation and operation.own else _level(statements, machine, writer))
    if isinstance(operation, Fill):
        place = (JUDGE_LOG, log_row(operation.reads, operation.theta))
        return _holders(statements, machine, writer, txn, place, ())
    if not isinstance(operation, (Read, Select, Insert, Update, Delete)) or operation.table not in statements.described.tables:
        return ()
    if isinstance(operation, Select):
        partition = statements.described.tables[operation.table].partition_of(dict(operation.columns))
        if statements.level(txn, operation.table, partition) != "2PL":
            return ()
        matches = statements.matcher(operation)
        found: set[int] = set()
        for place in store.places(operation.table):
            holder = store.open_version(place, txn.name)
            if holder is not None and any(matches(row) for row in store.contents(place, holder.txn)):
                found.add(store.active[holder.txn].writer)
        return tuple(sorted(found - {writer}))
    if operation.key is None:
        place = (operation.table, fresh_key(writer, process.fresh))
    else:
        place = (operation.table, operation.key)
    columns = dict(operation.columns) if isinstance(operation, (Insert, Update)) else None
    level = statements.level(txn, operation.table, statements._partition(machine, place, columns))
    if isinstance(operation, Read):
        if level != "2PL":
            return ()
        holder = store.open_version(place, txn.name)
        return () if holder is None else (store.active[holder.txn].writer,)
    if level in _FREE or (level in _SNAPSHOT and _newer(store, place, txn)):
        return ()
    base = statements._base(store, place, txn, level)
    old = None if base is None else base.row
    rows = [row for row in (old, _prospect(statements, machine, writer, operation, place, old)) if row is not None]
    return _holders(statements, machine, writer, txn, place, tuple(rows))


def _prospect(
    statements: Statements, machine: Machine, writer: int, operation: Writing, place: Place, old: Row | None
) -> Row | None:
    """The row that a write would make, where there is one to write to."""
    if not isinstance(operation, Insert) and old is None:
        return None
    return statements._after(machine, writer, operation, place, old)


def _holders(
    statements: Statements, machine: Machine, writer: int, txn: Txn, place: Place, rows: tuple[Row, ...]
) -> tuple[int, ...]:
    store = machine.store
    found: set[int] = set()
    open_ = store.open_version(place, txn.name)
    for other in store.active.values():
        if other.name == txn.name:
            continue
        if (open_ is not None and other.name == open_.txn) or place in other.locked:
            found.add(other.writer)
        elif any(seen.table == place[0] and any(seen.matches(row) for row in rows) for seen in other.guarded):
            found.add(other.writer)
    if writer in found:
        statements._wrong(
            machine, writer, f"waits for its own transaction: row {place[1]!r} is locked by it (alone() is another one)"
        )
    return tuple(sorted(found))


def _level(statements: Statements, machine: Machine, writer: int) -> str:
    return machine.processes[writer].level or statements.described.isolation


def logs_call(operation: Operation[Any] | None, reads: str, theta: str) -> bool:
    """Whether an operation inserts into the judge log, unless there is one, the vote of a call at (R, θ)."""
    if isinstance(operation, Fill):
        return (operation.reads, operation.theta) == (reads, theta)
    if isinstance(operation, Insert):
        return operation.table == JUDGE_LOG and operation.absent and operation.key == log_row(reads, theta)
    return False


def fresh_key(writer: int, count: int) -> str:
    """The key of a writer's next row without a key: w1a, w1b, … It ends in a letter, so `w1a1` is its version 1."""
    letters = ""
    count += 1
    while count:
        count, rest = divmod(count - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return f"w{writer + 1}{letters}"


def _newer(store: Store, place: Place, txn: Txn) -> bool:
    """Whether another transaction has committed a version of the row since the snapshot."""
    latest = store.latest(place)
    return (
        txn.snapshot is not None
        and latest is not None
        and latest.txn != txn.name
        and latest.time is not None
        and latest.time > txn.snapshot
    )


def _unlisted(store: Store, place: Place, txn: str, matches: Matcher) -> str:
    """The version that a predicate read is taken to have seen of a row that it does not list (SEMANTICS §1)."""
    versions = store.rows.get(place, ())
    for version in reversed(versions):
        if version.txn == txn:
            return version.label
    final = {version.txn: version for version in versions}
    first = "" if versions and versions[0].label == "0" and versions[0].row is not None and matches(versions[0].row) else "0"
    alive = ""
    for version in versions:
        if version.row is not None and matches(version.row):
            continue
        alive = version.label
        if version.txn not in store.active and final[version.txn] is version:
            first = version.label
    return first or alive


def _told(store: Store, place: Place, seen: str, unlisted: str, matches: Matcher) -> bool:
    """Whether a predicate read must list a row that it saw as not matching: the version that it would be taken to have
    seen is another one, and one between the two matches. Otherwise both make the same edges."""
    if seen == unlisted or not unlisted:
        return seen != unlisted
    low, high = sorted((int(seen), int(unlisted)))
    return any(
        version.row is not None and matches(version.row)
        for version in store.rows.get(place, ())
        if low <= int(version.label) <= high
    )


_KINDS: Final = {"none": "wc", "RU": "wc", "RC": "c", "SI": "", "SR": "", "2PL": "lc"}
_KIND: Final[Mapping[type, WriteKind]] = {Insert: WriteKind.INSERT, Update: WriteKind.UPDATE, Delete: WriteKind.DELETE}
