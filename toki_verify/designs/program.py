"""What a writer does, as a tree: the operation it yields, and for each answer the operation that follows.

A generator cannot be copied, so a node of the tree is found by running the generator anew with the answers that lead
there. It is run twice, under guard (`guard.py`), and must yield the same operation both times and leave nothing behind;
afterwards the tree is all that exploration needs, and a writer's whole state is its node.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass, field, replace
from types import GeneratorType
from typing import Any

from .checks import column_value, operation_fault
from .faults import DesignError
from .guard import Guard, Pure, code_of, raised_at, saying, shown
from .leftovers import State, changed, state_of
from .limits import STEPS
from .model import Described, Writer
from .operations import Aborted, Insert, Operation, Update


@dataclass
class Node:
    """A point of a writer's code. `operation` is what it does next; None where it has ended."""

    operation: Operation[Any] | None
    answers: tuple[Any, ...]
    line: int | None
    children: dict[Any, Node] = field(default_factory=dict)

    @property
    def step(self) -> int:
        """How many operations came before, and one."""
        return len(self.answers) + 1


@dataclass(frozen=True)
class Raised:
    """An answer that is raised: the store has aborted the transaction. `outcome` is None for the exception itself."""

    reason: str


@dataclass(frozen=True)
class Uncaught(Operation[None]):
    """The attempt is over: the writer did not catch that its transaction was aborted."""

    reason: str = ""


class Program:
    """The tree of one writer."""

    def __init__(self, described: Described, of: Writer, me: int) -> None:
        self.described, self.of, self.me = described, of, me
        self.root = self._find(())

    def after(self, node: Node, answer: Any) -> Node:
        """The node that follows an answer, which is hashable. Raises DesignError for what the code does wrong."""
        # True and 1 are one key for a dict, and two answers for a writer.
        key = ("", answer) if answer is True or answer is False else answer
        found = node.children.get(key)
        if found is None:
            found = node.children[key] = self._find((*node.answers, answer))
        return found

    def error(self, problem: str, node: Node | None = None, line: int | None = None) -> DesignError:
        """What is wrong at a node."""
        return DesignError(
            problem,
            design=type(self.described.design).__name__,
            writer=self.of.name,
            step=None if node is None else node.step,
            file=self.of.file,
            line=line or (node.line if node else None) or self.of.line,
        )

    def _find(self, answers: tuple[Any, ...]) -> Node:
        here = Node(None, answers, None)
        before = state_of(self.described.design, self.of.function)
        first = self._run(answers, watched=True)
        self._unchanged(before, first)
        if len(answers) >= STEPS and first.operation is not None:
            raise self.error(
                f"it has done {STEPS} operations in one attempt and goes on: a writer must end", here, first.line
            )
        second = self._run(answers, watched=False)
        if fingerprint(first.operation) != fingerprint(second.operation):
            raise self.error(
                f"run twice with the same answers it did two things, {_shown(first.operation)} and "
                f"{_shown(second.operation)}: a writer must not use randomness, a clock or state that it changes",
                here,
                first.line,
            )
        if isinstance(first.operation, (Insert, Update)):
            first.operation = self._guarded(first.operation, first)
        return first

    def _unchanged(self, before: State, node: Node) -> None:
        name = changed(before, state_of(self.described.design, self.of.function))
        if name:
            raise self.error(
                f"it changes {name}: a writer keeps what it knows in its own variables and in tables, because every "
                "run of it must begin the same",
                node,
            )

    def _guarded(self, operation: Insert | Update, node: Node) -> Operation[Any]:
        """The operation with its computed columns under guard."""
        columns = tuple(
            (name, self._pure(name, value, node) if callable(value) else value) for name, value in operation.columns
        )
        return replace(operation, columns=columns)

    def _pure(self, name: str, function: Any, node: Node) -> Pure:
        def fault(problem: str, line: int | None) -> DesignError:
            return self.error(f"column {name!r}: {problem}", node, line)

        return Pure(fault, function, column_value)

    def _run(self, answers: tuple[Any, ...], *, watched: bool) -> Node:
        """The generator from its start through the answers; what it does before the last was watched earlier."""
        node = Node(None, answers, None)
        held: list[Any] = []
        with Guard(lambda problem, line: self.error(problem, node, line), self.of.file, traced=False) as guard:
            try:
                if watched and not answers:
                    guard.watch()
                held.append(self.of.start(self.me))
                operation = next(held[0])
                for index, answer in enumerate(answers, 1):
                    if watched and index == len(answers):
                        guard.watch()
                    if isinstance(answer, Raised):
                        operation = held[0].throw(Aborted(answer.reason))
                    else:
                        operation = held[0].send(answer)
            except StopIteration:
                return node
            except Aborted as aborted:
                node.operation, node.line = Uncaught(str(aborted.reason)), raised_at(aborted, self.of.file)
                return node
            node.line = _line_of(held[0], self.of.file)
            guard.rest()
            self._close(held, node)
            if not isinstance(operation, Operation):
                hint = (
                    "; `yield from` performs one" if operation is None or isinstance(operation, GeneratorType) else ""
                )
                raise self.error(
                    f"yielded {shown(operation)}, expected an operation (read, select, insert, update, delete, judge, "
                    f"callback, commit, …){hint}",
                    node,
                )
        try:
            problem = operation_fault(operation, self.described.tables)
        except Exception as error:  # an operation that was made by other means than the functions
            problem = saying(error)
        if problem:
            raise self.error(problem, node)
        node.operation = operation
        return node

    def _close(self, held: list[Any], node: Node) -> None:
        """Ends a run that has shown its next operation. What the code does in answer (`finally`) is of no account, as
        nothing of it happens in a crash either; but it must come to an end."""
        for _ in range(STEPS):
            try:
                held[0].close()
            except RuntimeError:  # it yielded once more
                continue
            except Exception:
                return
            return
        hook = sys.unraisablehook
        sys.unraisablehook = lambda _: None
        try:
            held.clear()  # the only reference: it must not be told of later, when it is collected
        finally:
            sys.unraisablehook = hook
        raise self.error("it goes on when it is ended: a bare `except:` swallows GeneratorExit; catch Aborted", node)


def _line_of(generator: GeneratorType[Any, Any, Any], file: str | None) -> int | None:
    """The line of the design's file at which a generator waits: of the innermost generator that stands in it."""
    line = None
    inner: Any = generator
    while isinstance(inner, GeneratorType):
        frame = inner.gi_frame
        if frame is not None and frame.f_code.co_filename == file:
            line = frame.f_lineno
        inner = inner.gi_yieldfrom
    return line


def fingerprint(operation: Operation[Any] | None) -> Any:
    """An operation, functions in it by their code: they are made anew by each run."""
    if operation is None:
        return None
    return type(operation), tuple((name, _plain(value)) for name, value in vars(operation).items())


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    if isinstance(value, Pure):
        return _plain(value.function)
    if not callable(value):
        return (type(value).__name__, value)
    if isinstance(value, functools.partial):
        return (_plain(value.func), _plain(value.args), _plain(tuple(sorted(value.keywords.items()))))
    code = code_of(value)
    if code is None:
        return type(value).__name__
    held = tuple(_held(cell) for cell in getattr(value, "__closure__", None) or ())
    given = tuple(_hashed(default) for default in getattr(value, "__defaults__", None) or ())
    return (code.co_code, code.co_names, tuple(map(_hashed, code.co_consts)), held, given)


def _held(cell: Any) -> Any:
    try:
        return _hashed(cell.cell_contents)
    except ValueError:
        return None


def _hashed(held: Any) -> Any:
    if callable(held) or code_of(held) or type(held).__name__ == "code":
        return getattr(held, "__qualname__", type(held).__name__)
    if getattr(type(held), "__hash__", None) is object.__hash__:  # told apart only by where it is in memory
        return type(held).__name__
    try:
        hash(held)
    except TypeError:
        return shown(held, 10_000)
    return (type(held).__name__, held)


def _shown(operation: Operation[Any] | None) -> str:
    return "its end" if operation is None else shown(operation)
