"""The author's code is run under guard: it ends, does the same each time, and what is wrong with it names its line.

What ends it: a count of lines (`limits.LINES`), and in the main thread of a system with SIGALRM a wall clock
(`limits.SECONDS`). Not ended is a single call into C that never looks for signals, as `sum(itertools.count())`:
`supervise.py` ends the process then.

What is refused: calls of clocks, of randomness, of `id` and `hash` (which differ from process to process), of input,
threads and the network. Not noticed are an order that differs from process to process only (iteration over a set of
texts: sort it), chance within a library in C that comes out the same twice, and memory that is asked for in one call.
What the code prints goes to stderr.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

from .faults import DesignError
from .limits import LINES, SECONDS
from .supervise import beating

#: Makes the error of a problem at a line of the author's file.
Fault = Callable[[str, int | None], DesignError]

#: Modules whose functions give another answer each time, or reach outside.
_MODULES: Final = frozenset(
    {"time", "_random", "random", "secrets", "_uuid", "_socket", "socket", "select", "_posixsubprocess"}
)
_NAMES: Final = frozenset(
    {"datetime.now", "datetime.today", "datetime.utcnow", "date.today", "urandom", "getrandbits", "getrandom"}
    | {"start_new_thread", "fork", "input", "getpid"}
)
_BUILTINS: Final = frozenset({"id", "hash"})
_PACKAGE: Final = str(Path(__file__).parents[1])
#: Seconds between two tries to end code that swallows what is raised into it.
_AGAIN: Final = 0.01


class Guard:
    """A context in which the author's code runs. `fault` makes errors, `file` is where the code stands.

    What goes wrong is raised inside the code and, where the code swallows it, again at the end. `rest` begins a new
    count of lines.
    """

    def __init__(self, fault: Fault, file: str | None, *, traced: bool = True, seconds: float = SECONDS) -> None:
        self.fault, self.file, self.traced, self.seconds = fault, file, traced, seconds
        self.lines = 0
        self.found: DesignError | None = None
        self._stack = contextlib.ExitStack()
        self._around: FrameType | None = None
        self._rings = False

    def watch(self) -> None:
        """From here on count lines and look at calls."""
        sys.settrace(self._trace)
        sys.setprofile(self._profile)

    def rest(self) -> None:
        """The code has come to an operation: its next lines are counted anew."""
        self.lines = 0

    def __enter__(self) -> Guard:
        self._around = sys._getframe(1)
        if gc.isenabled():  # callbacks of a collection run in the author's frame, and may well look at a clock
            gc.disable()
            self._stack.callback(gc.enable)
        self._stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        self._stack.enter_context(beating(lambda: str(self.fault("it does not come back from one call", None))))
        self._rings = self._stack.enter_context(_alarm(self.seconds, self._late))
        self._stack.callback(sys.settrace, sys.gettrace())
        self._stack.callback(sys.setprofile, sys.getprofile())
        if self.traced:
            self.watch()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        sys.setprofile(None)
        sys.settrace(None)
        self._stack.close()
        self._around = None
        if self.found is not None and not isinstance(error, KeyboardInterrupt):
            raise self.found from None
        if error is None or isinstance(error, (DesignError, KeyboardInterrupt)):
            return
        raise self.fault(saying(error), raised_at(error, self.file)) from error

    def _raise(self, problem: str, frame: FrameType | None) -> DesignError:
        if self.found is None:
            self.found = self.fault(problem, _line_in(frame, self.file))
            if self._rings:  # the code may swallow it
                signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
        return self.found.with_traceback(None)

    def _late(self, frame: FrameType | None) -> None:
        """Ends the code. Where an `except` swallows it, the next line (the one behind `except`) raises it once more."""
        frames: list[FrameType] = []
        inner = frame
        while inner is not None and inner is not self._around:
            if inner.f_code in _OWN:  # the code has ended already
                return
            frames.append(inner)
            inner = inner.f_back
        late = self._raise(f"it ran for more than {self.seconds:g} s: a step must end", frame)
        for running in frames:
            running.f_trace = self._trace
        sys.settrace(self._trace)
        raise late

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        if file.startswith(_PACKAGE) and file != self.file:
            return None  # the toolkit's own lines end
        if event == "line":
            self.lines += 1
            if self.found is not None or self.lines > LINES:
                raise self._raise(f"it ran {LINES} lines without doing an operation: a step must end", frame)
        return self._trace

    def _profile(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "c_call" and _forbidden(argument, frame, self.file) and not _imports(frame):
            name = getattr(argument, "__qualname__", "a clock")
            raise self._raise(
                f"it calls {name}: a design must do the same each time, so no clock, no randomness and nothing outside "
                "(take what varies from judge, callback or `me`)",
                frame,
            )


_OWN: Final = frozenset({Guard.__enter__.__code__, Guard.__exit__.__code__})


def guarded(fault: Fault, file: str | None, function: Callable[..., Any], *arguments: Any) -> Any:
    """What an author's function returns for these arguments. Raises DesignError for all that it does wrong."""
    with Guard(fault, file):
        return function(*arguments)


class Pure:
    """An author's function of one row, as a function: called twice for each row, under guard, and remembered.

    `check` turns what it returns into what it stands for, and raises ValueError or TypeError for what it must not be.
    """

    def __init__(self, fault: Fault, function: Callable[[Any], Any], check: Callable[[Any], Any]) -> None:
        code = getattr(function, "__code__", None)
        self.file = code.co_filename if code else None
        self.fault, self.function, self.check = fault, function, check
        self._known: dict[Any, Any] = {}

    def __call__(self, row: Any) -> Any:
        known = self._known
        if row in known:
            return known[row]
        with Guard(self.fault, self.file):
            first, second = self.check(self.function(row)), self.check(self.function(row))
        if first != second or type(first) is not type(second):
            line = getattr(getattr(self.function, "__code__", None), "co_firstlineno", None)
            raise self.fault(f"it is another value each time for one row, {shown(first)} and {shown(second)}", line)
        known[row] = first
        return first


@contextlib.contextmanager
def _alarm(seconds: float, late: Callable[[FrameType | None], None]) -> Iterator[bool]:
    """Calls `late` after some time, and again and again; an alarm that someone else has set comes after that.
    Says whether it can."""
    handler = signal.getsignal(signal.SIGALRM) if hasattr(signal, "SIGALRM") else None
    if handler is None or threading.current_thread() is not threading.main_thread():
        yield False
        return
    began = time.monotonic()
    signal.signal(signal.SIGALRM, lambda number, frame: late(frame))
    remaining, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if remaining:
            signal.setitimer(signal.ITIMER_REAL, max(remaining - (time.monotonic() - began), 0.001), interval)


#: What is known of functions written in C, by owner and name: not to be called, or not by the author.
_known: dict[tuple[Any, str], tuple[bool, bool]] = {}


def _forbidden(called: Any, frame: FrameType, file: str | None) -> bool:
    owner = getattr(called, "__self__", None)
    kind = owner if isinstance(owner, (type, types.ModuleType)) else type(owner)
    key = (kind, getattr(called, "__name__", ""))
    found = _known.get(key)
    if found is None:
        found = _known[key] = _refused(called, owner)
    return found[0] or (found[1] and frame.f_code.co_filename == file)


def _refused(called: Any, owner: Any) -> tuple[bool, bool]:
    name = getattr(called, "__qualname__", "")
    if isinstance(owner, types.ModuleType) and owner.__name__ == "builtins" and name in _BUILTINS:
        return False, True
    if isinstance(owner, type):
        name = getattr(called, "__name__", "")
        return any(f"{base.__name__}.{name}" in _NAMES for base in owner.__mro__), False
    return (
        getattr(called, "__module__", None) in _MODULES or type(owner).__module__ in _MODULES or name in _NAMES
    ), False


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being imported: what it does then happens once."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _line_in(frame: FrameType | None, file: str | None) -> int | None:
    while frame is not None:
        if frame.f_code.co_filename == file:
            return frame.f_lineno
        frame = frame.f_back
    return None


def raised_at(error: BaseException, file: str | None) -> int | None:
    """The line of a file at which an exception was raised: of the innermost frame in it."""
    line, at = None, error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == file:
            line = at.tb_lineno
        at = at.tb_next
    return line


def saying(error: BaseException) -> str:
    """What an exception says, in one line: its type and its text, which may be broken itself."""
    from .values import ValueProblem

    try:
        text = " ".join(str(error).split())
    except Exception:
        text = "(its text cannot be made)"
    if isinstance(error, ValueProblem):
        return text
    return f"raised {type(error).__name__}" + (f": {text:.300}" if text else "")


def shown(value: object, limit: int = 80) -> str:
    """A value for messages, in one line and cut."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def code_of(function: Any) -> types.CodeType | None:
    """The code of a function, method or partial; None for other callables."""
    while isinstance(function, functools.partial):
        function = function.func
    found = getattr(function, "__code__", None)
    return found if isinstance(found, types.CodeType) else None
