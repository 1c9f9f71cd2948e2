"""The engine: what the next step of each writer can be, and what it does to the store.

A writer whose next operation must wait is not enabled; writers that wait for each other in a circle can only be the
victim of the deadlock. Everything an operation does happens at one instant, `footprint.py` says what it touched.
"""

from __future__ import annotations

from typing import Any

from ..events import WriteKind
from .calls import unanswered
from .footprint import Footprint
from .machine import Done, Machine, Process, Record, Step
from .model import Described
from .operations import Abort, Begin, Callback, Commit, Judge, Lock, Operation, Read, Select
from .program import Program, Raised, Uncaught
from .ssi import refuses
from .statements import DURABLE, Refused, Statements
from .store import Store, Txn, Version
from .waiting import blockers


class Engine:
    """Runs writers of a design. `start` gives the first state, `options` what can happen, `step` what comes of it."""

    def __init__(self, described: Described) -> None:
        self.described = described
        self.statements = Statements(described)
        self.steps = 0

    def start(self, programs: tuple[Program, ...], crashes: int = 0) -> Machine:
        """The initial state."""
        store = Store()
        for entry in self.described.initial:
            version = Version("0", "", entry.row, WriteKind.INSERT, 0)
            store.rows[entry.table, entry.key] = (version,)
        machine = Machine(programs, [Process(program.root) for program in programs], store, crashes, crashes > 0)
        for writer in range(len(programs)):
            self._settle(machine, writer, Footprint())
        return machine

    # -- what can happen -----------------------------------------------------------------------------------------------
    def options(self, machine: Machine, writer: int) -> list[Step]:
        """The ways in which a writer can go on now; none where it has ended or waits."""
        process = machine.processes[writer]
        if process.finished:
            return []
        operation = process.node.operation
        if operation is None:
            return [Step(writer), Step(writer, "crash")] if machine.crashes else [Step(writer)]
        # Whether a crash here may make a difference is for the writer's own steps to say, and not for whether it has to
        # wait: else another writer's lock would take a crash away that is independent of it.
        begun = process.node.answers or process.attempt > 1
        crashes = bool(machine.crashes and ((begun and self._durable(process, operation)) or process.durable))
        if blockers(self.statements, machine, writer):
            waiting = [Step(writer, "deadlock")] if self._in_circle(machine, writer) else []
            return [*waiting, Step(writer, "crash")] if crashes else waiting
        found: list[Step]
        if isinstance(operation, Judge):
            key = (operation.reads, operation.theta)
            if self.described.deterministic and key in machine.votes:
                found = [Step(writer, (machine.votes[key],))]
            else:
                found = [Step(writer, (vote,)) for vote in operation.votes or self.described.votes]
        elif isinstance(operation, Callback):
            found = [Step(writer, (winner,)) for winner in (*operation.winners, None)]
        else:
            found = [Step(writer)]
        if crashes:
            found.append(Step(writer, "crash"))
        return found

    def _durable(self, process: Process, operation: Operation[Any]) -> bool:
        """Whether something of the operation outlives a crash that comes right after it."""
        if operation.own and not isinstance(operation, (Read, Select)):
            return True
        level = process.level or self.described.isolation
        # An abort leaves nothing behind, but it is where what was asked in vain comes to an end.
        return isinstance(operation, (Commit, Abort)) or (level == "none" and isinstance(operation, DURABLE))

    def _in_circle(self, machine: Machine, writer: int) -> tuple[int, ...]:
        """The writers that wait for each other, this one among them; () where it does not wait for itself."""
        waits = {number: blockers(self.statements, machine, number) for number in machine.writers()}
        reach, stack = set[int](), list(waits[writer])
        while stack:
            number = stack.pop()
            if number not in reach:
                reach.add(number)
                stack += waits.get(number, ())
        return tuple(sorted(reach)) if writer in reach else ()

    @staticmethod
    def _hang(machine: Machine, circle: tuple[int, ...]) -> str:
        """What the writers of a circle wait for: `W1 for the lock 'a', W2 for a row that is locked`."""
        wanted = ((number, machine.processes[number].node.operation) for number in circle)
        return ", ".join(
            f"W{number + 1} for {f'the lock {found.name!r}' if isinstance(found, Lock) else 'a row that is locked'}"
            for number, found in wanted
        )

    # -- what it does --------------------------------------------------------------------------------------------------
    def step(self, before: Machine, step: Step) -> Done:
        """The state after a step. Raises DesignError for an operation that the design must not do."""
        self.steps += 1
        machine, footprint = before.copy(), Footprint()
        writer = step.writer
        process = machine.processes[writer]
        operation = process.node.operation
        behind: tuple[int, ...] = ()
        if step.choice == "crash":
            self._crash(machine, writer, footprint)
            return Done(machine, footprint)
        if step.choice == "deadlock":
            behind = self._in_circle(before, writer)
            self.statements.wanted(machine, writer, footprint)
            if isinstance(operation, Lock):
                machine.hung = self._hang(before, behind)
            answer: Any = self._abort(machine, writer, footprint, "deadlock")
        elif operation is None:
            machine.change(writer, finished=True)
            return Done(machine, footprint)
        else:
            answer = self._do(machine, writer, operation, step, footprint)
        durable = self._durable(process, operation) if operation is not None else False
        process = machine.processes[writer]
        machine.change(writer, node=machine.programs[writer].after(process.node, answer), durable=durable)
        self._settle(machine, writer, footprint)
        return Done(machine, footprint, behind)

    def _settle(self, machine: Machine, writer: int, footprint: Footprint) -> None:
        """Ends, repeats or goes on with an attempt, where that is no step."""
        process, program = machine.processes[writer], machine.programs[writer]
        operation = process.node.operation
        if isinstance(operation, Uncaught):
            if process.txn is not None:
                self._abort(machine, writer, footprint, None)
            self._release(machine, writer, footprint)
            machine.ended = (*machine.ended, (writer, process.attempt, process.node, machine.happened))
            if process.retries < self.described.retries:
                machine.change(
                    writer,
                    node=program.root,
                    retries=process.retries + 1,
                    attempt=process.attempt + 1,
                    level=None,
                    asked=None,
                )
                self._settle(machine, writer, footprint)
            else:
                machine.change(writer, finished=True)
        elif operation is None:
            if process.txn is not None:
                raise program.error(
                    "it ends with an open transaction: end it with `yield from commit()` or `yield from abort()`",
                    process.node,
                )
            self._release(machine, writer, footprint)
            # A crash may still come before the caller hears of the end.
            if not (machine.crashable and process.durable and self.described.recovers):
                machine.change(writer, finished=True)

    def _do(self, machine: Machine, writer: int, operation: Operation[Any], step: Step, footprint: Footprint) -> Any:
        process = machine.processes[writer]
        if isinstance(operation, Begin):
            if process.txn is not None:
                raise self._wrong(machine, writer, "begin within an open transaction")
            self.statements.check_level(machine, writer, operation.isolation)
            machine.change(writer, level=operation.isolation)
            return None
        if isinstance(operation, Lock):
            return self._lock(machine, writer, operation, footprint)
        if isinstance(operation, Commit):
            return self._commit(machine, writer, footprint)
        if isinstance(operation, Abort):
            self._abort(machine, writer, footprint, None)
            return None
        if operation.own:
            return self.statements.alone(machine, writer, operation, step, footprint)
        txn = self._open(machine, writer)
        try:
            return self.statements.do(machine, writer, txn, operation, step, footprint)
        except Refused as refused:
            return self._abort(machine, writer, footprint, refused.reason)

    def _open(self, machine: Machine, writer: int) -> Txn:
        process = machine.processes[writer]
        if process.txn is not None:
            return machine.store.active[process.txn]
        names = process.names + 1
        name = str(writer + 1) if names == 1 else f"{writer + 1}.{names}"
        txn = Txn(name, writer, process.level or self.described.isolation)
        machine.store.active[name] = txn
        machine.change(writer, txn=name, names=names)
        return txn

    def _commit(self, machine: Machine, writer: int, footprint: Footprint) -> Any:
        process = machine.processes[writer]
        if process.txn is None:
            return None  # nothing was done since the last end
        txn = machine.store.active[process.txn]
        if refuses(machine.store, txn):
            self._ending(machine, txn, footprint, commits=True)
            return self._abort(machine, writer, footprint, "dangerous structure")
        self._ending(machine, txn, footprint, commits=True)
        machine.store.publish(txn)
        machine.record(Record("c", txn.name))
        machine.change(writer, txn=None, level=None)
        return None

    def _ending(self, machine: Machine, txn: Txn, footprint: Footprint, *, commits: bool = False) -> None:
        """What the end of a transaction touches: the rows it wrote and locked, all snapshots, and what SSI decides."""
        for place in txn.wrote:
            footprint.change("c", *place, machine.store.contents(place, txn.name))
        for place in txn.locked:
            footprint.exclusive.add(("c", *place))
        for seen in txn.guarded:
            footprint.exclusive.add(("guard", seen.table))
        if txn.wrote:
            footprint.exclusive.add(("published", txn.writer))
        if commits and (txn.reads or txn.seen or txn.wrote_serializable):
            footprint.exclusive.add("ssi")

    def _abort(self, machine: Machine, writer: int, footprint: Footprint, reason: str | None) -> Any:
        """The store (or, for reason None, the writer) takes the transaction back."""
        process = machine.processes[writer]
        if process.txn is not None:
            txn = machine.store.active[process.txn]
            self._ending(machine, txn, footprint)
            if reason is not None:
                unanswered(machine, writer, txn.name)
            if txn.level == "none":
                machine.store.publish(txn)
                machine.record(Record("c", txn.name))
            else:
                machine.store.roll_back(txn)
                machine.record(Record("a", txn.name))
        machine.change(writer, txn=None, level=None)
        if reason is None:
            return None
        machine.aborts += 1
        return Raised(reason)

    def _crash(self, machine: Machine, writer: int, footprint: Footprint) -> None:
        process = machine.processes[writer]
        footprint.exclusive.add("crash")
        machine.ended = (*machine.ended, (writer, process.attempt, process.node, machine.happened))
        machine.crashed = (*machine.crashed, (machine.happened, writer))
        machine.crashes -= 1
        self._abort(machine, writer, footprint, None)
        self._release(machine, writer, footprint)
        if self.described.recovers:
            machine.change(
                writer,
                node=machine.programs[writer].root,
                attempt=process.attempt + 1,
                crashed=True,
                durable=False,
                level=None,
                asked=None,
            )
            self._settle(machine, writer, footprint)
        else:
            machine.change(writer, finished=True)

    def _lock(self, machine: Machine, writer: int, operation: Lock, footprint: Footprint) -> None:
        footprint.exclusive.add(("mutex", operation.name))
        mutexes = machine.store.mutexes
        if operation.held:
            mutexes[operation.name] = writer
            machine.locked = True
        elif mutexes.get(operation.name) != writer:
            raise self._wrong(machine, writer, f"gives back the lock {operation.name!r}, which it does not hold")
        else:
            del mutexes[operation.name]

    def _release(self, machine: Machine, writer: int, footprint: Footprint) -> None:
        for name in [name for name, owner in machine.store.mutexes.items() if owner == writer]:
            footprint.exclusive.add(("mutex", name))
            del machine.store.mutexes[name]

    def _wrong(self, machine: Machine, writer: int, problem: str) -> Exception:
        return machine.programs[writer].error(problem, machine.processes[writer].node)
