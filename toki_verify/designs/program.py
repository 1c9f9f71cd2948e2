"""What a writer does, as a tree: the operation it yields, and for each answer the operation that follows.

A generator cannot be copied, so a node of the tree is found by running the generator anew with the answers that lead
there. It is run twice and must yield the same operation both times, with no call of a clock or of a source of
randomness; afterwards the tree is all that exploration needs, and a writer's whole state is its node.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FrameType, GeneratorType
from typing import Any, Final

from .faults import DesignError
from .model import Described, Writer
from .operations import Aborted, Operation

#: Operations that a writer may yield in one attempt.
STEPS: Final = 64
#: Lines of Python that it may run between two of them.
LINES: Final = 100_000
#: Modules whose functions give another answer each time.
_CLOCKS: Final = frozenset({"time", "_random", "secrets", "_uuid"})
_METHODS: Final = frozenset({"datetime.now", "datetime.today", "datetime.utcnow", "date.today", "urandom", "getrandbits"})


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


class Program:
    """The tree of one writer."""

    def __init__(self, described: Described, of: Writer, me: int) -> None:
        self.described, self.of, self.me = described, of, me
        self.root = self._find(())

    def after(self, node: Node, answer: Any) -> Node:
        """The node that follows an answer. The answer must be hashable. Raises DesignError for what the code does wrong."""
        found = node.children.get(answer)
        if found is None:
            found = node.children[answer] = self._find((*node.answers, answer))
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
        if len(answers) >= STEPS:
            raise self.error(f"it has done {STEPS} operations in one attempt and goes on: a writer must end", here)
        first = self._run(answers)
        second = self._run(answers)
        if _fingerprint(first.operation) != _fingerprint(second.operation):
            raise self.error(
                f"run twice with the same answers it did two things, {_shown(first.operation)} and "
                f"{_shown(second.operation)}: a writer must not use randomness, a clock or state that it changes",
                here,
                first.line,
            )
        return first

    def _run(self, answers: tuple[Any, ...]) -> Node:
        """The generator from its start through the answers."""
        node = Node(None, answers, None)
        watch = _Watch(self, node)
        generator: Any = None
        with watch:
            try:
                generator = self.of.start(self.me)
                operation = next(generator)
                for answer in answers:
                    watch.lines = 0
                    if isinstance(answer, Raised):
                        operation = generator.throw(Aborted(answer.reason))
                    else:
                        operation = generator.send(answer)
            except StopIteration:
                return node
            except Aborted as aborted:
                return Node(Uncaught(aborted.reason), answers, None)
            except DesignError:
                raise
            except Exception as error:
                line = _raised_at(error, self.of.file)
                raise self.error(f"raised {type(error).__name__}: {error}", node, line) from error
        node.line = _line_of(generator, self.of.file)
        node.operation = operation
        if not isinstance(operation, Operation):
            raise self.error(
                f"yielded {operation!r:.80}, expected an operation (read, select, insert, update, delete, judge, "
                "callback, commit, …)",
                node,
            )
        generator.close()
        return node


@dataclass(frozen=True)
class Uncaught(Operation[None]):
    """The attempt is over: the writer did not catch that its transaction was aborted."""

    reason: str = ""


class _Watch:
    """Looks over the shoulder of a writer's code: counts its lines, and refuses clocks and randomness."""

    def __init__(self, program: Program, node: Node) -> None:
        self.program, self.node, self.lines = program, node, 0
        self.before: tuple[Any, Any] = (None, None)

    def __enter__(self) -> None:
        self.before = (sys.gettrace(), sys.getprofile())
        sys.settrace(self.trace)
        sys.setprofile(self.profile)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self.before[1])
        sys.settrace(self.before[0])

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines > LINES:
                sys.settrace(None)
                raise self.program.error(
                    f"it ran {LINES} lines without doing an operation: a step must end", self.node, frame.f_lineno
                )
        return self.trace

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "c_call":
            return
        module = getattr(argument, "__module__", None)
        name = getattr(argument, "__qualname__", "")
        owner = getattr(argument, "__self__", None)
        if (
            module in _CLOCKS
            or type(owner).__module__ in ("random", "_random")
            or name in _METHODS
            or (isinstance(owner, type) and f"{owner.__name__}.{argument.__name__}" in _METHODS)
        ):
            sys.setprofile(None)
            inner = frame
            while inner.f_code.co_filename != self.program.of.file and inner.f_back is not None:
                inner = inner.f_back
            raise self.program.error(
                f"it calls {name}: a writer must do the same each time, so no clock and no randomness "
                "(take what varies from judge, callback or `me`)",
                self.node,
                inner.f_lineno,
            )


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


def _raised_at(error: BaseException, file: str | None) -> int | None:
    line, at = None, error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == file:
            line = at.tb_lineno
        at = at.tb_next
    return line


def _fingerprint(operation: Operation[Any] | None) -> Any:
    """An operation, functions in it by their code: they are made anew by each run."""
    if operation is None:
        return None
    return type(operation), tuple((name, _plain(value)) for name, value in vars(operation).items())


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    if not callable(value):
        return value
    code: CodeType | None = getattr(value, "__code__", None)
    cells = tuple(_plain(_cell(cell)) for cell in getattr(value, "__closure__", None) or ())
    return (code.co_code, code.co_consts, cells) if code else repr(type(value))


def _cell(cell: Any) -> Any:
    try:
        held = cell.cell_contents
    except ValueError:
        return None
    try:
        hash(held)
    except TypeError:
        return repr(held)
    return held if not callable(held) else repr(type(held))


def _shown(operation: Operation[Any] | None) -> str:
    return "its end" if operation is None else f"{operation!r:.80}"


#: What a program does with an operation before the engine sees it: a repair (`repairs.py`).
Rewrite = Callable[[Any], Any]
