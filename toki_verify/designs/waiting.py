"""Who waits for whom: the locks of rows and predicates, and those of a process's memory."""

from __future__ import annotations

from .machine import Machine
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
    Read,
    Select,
    Update,
    log_row,
)
from .rules import FREE, SNAPSHOT, Writing, fresh_key, newer
from .statements import Statements
from .store import Place, Txn
from .values import Row


def blockers(statements: Statements, machine: Machine, writer: int) -> tuple[int, ...]:
    """The writers that a writer's next operation waits for."""
    process, store = machine.processes[writer], machine.store
    operation = process.node.operation
    if isinstance(operation, Lock):
        owner = store.mutexes.get(operation.name)
        if owner == writer and operation.held:
            statements.wrong(machine, writer, f"takes the lock {operation.name!r} that it holds already")
        return () if owner is None or not operation.held or owner == writer else (owner,)
    apart = operation is not None and operation.own  # then its own open transaction is another one, too
    others = len(store.active) - (process.txn is not None and not apart)
    if not others or isinstance(operation, (Judge, Callback, Commit, Begin)):
        return ()
    name = process.txn if process.txn is not None and operation is not None and not operation.own else ""
    # One that is not open yet has no versions of its own; the initial ones are those of the transaction "".
    txn = store.active.get(name or "") or Txn(
        name or "not open", writer, "RC" if operation and operation.own else level_of(statements, machine, writer)
    )
    if isinstance(operation, Fill):
        place = (JUDGE_LOG, log_row(operation.reads, operation.theta))
        return holders(statements, machine, writer, txn, place, ())
    if (
        not isinstance(operation, (Read, Select, Insert, Update, Delete))
        or operation.table not in statements.described.tables
    ):
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
    level = statements.level(txn, operation.table, statements.partition(machine, place, columns))
    if isinstance(operation, Read):
        if level != "2PL":
            return ()
        holder = store.open_version(place, txn.name)
        return () if holder is None else (store.active[holder.txn].writer,)
    if level in FREE or (level in SNAPSHOT and newer(store, place, txn)):
        return ()
    base = statements.base(store, place, txn, level)
    old = None if base is None else base.row
    rows = [row for row in (old, prospect(statements, machine, writer, operation, place, old)) if row is not None]
    return holders(statements, machine, writer, txn, place, tuple(rows))


def prospect(
    statements: Statements, machine: Machine, writer: int, operation: Writing, place: Place, old: Row | None
) -> Row | None:
    """The row that a write would make, where there is one to write to."""
    if not isinstance(operation, Insert) and old is None:
        return None
    return statements.after(machine, writer, operation, place, old)


def holders(
    statements: Statements, machine: Machine, writer: int, txn: Txn, place: Place, rows: tuple[Row, ...]
) -> tuple[int, ...]:
    store = machine.store
    found: set[int] = set()
    open_ = store.open_version(place, txn.name)
    for other in store.active.values():
        if other.name == txn.name:
            continue
        holds = (open_ is not None and other.name == open_.txn) or place in other.locked
        guards = any(seen.table == place[0] and any(map(seen.matches, rows)) for seen in other.guarded)
        if holds or guards:
            found.add(other.writer)
    if writer in found:
        statements.wrong(
            machine, writer, f"waits for its own transaction: row {place[1]!r} is locked by it (alone() is another one)"
        )
    return tuple(sorted(found))


def level_of(statements: Statements, machine: Machine, writer: int) -> str:
    return machine.processes[writer].level or statements.described.isolation
