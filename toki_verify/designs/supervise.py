"""Ends what Python cannot interrupt: a design whose code does not come back from one call into C.

`sum(itertools.count())` looks for no signal and gives the interpreter to no other thread, so the only one who can end
it is another process. `supervised` runs a command in a child and watches it; inside, each run of the author's code says
when it begins and when it ends.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import re
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Final

from .limits import SECONDS

#: Seconds after which a run of the author's code that has not come back is ended from outside.
GRACE: Final = 2 * SECONDS
_LONGEST: Final = 2_000

_pipe: int | None = None


@contextlib.contextmanager
def beating(says: Callable[[], str]) -> Iterator[None]:
    """Code that may not come back runs: `says` is what is wrong where it does not."""
    if _pipe is None:
        yield
        return
    _tell(f"{os.getpid()} begin {says()}")
    try:
        yield
    finally:
        _tell(f"{os.getpid()} end")


def _tell(text: str) -> None:
    """One message, small enough that messages of several processes do not mix."""
    assert _pipe is not None
    with contextlib.suppress(OSError):
        os.write(_pipe, " ".join(text.split()).encode()[:_LONGEST] + b"\n")


def supervised(command: Callable[[], int], *, grace: float = GRACE) -> int:
    """The exit code of a command run in a child process; 2, and a message on stderr, where a design hangs in it.

    Where there is no `fork` the command runs here. Call it before any thread is started.
    """
    global _pipe
    if not hasattr(os, "fork") or sys.platform == "darwin" or _pipe is not None:
        return command()
    listen, tell = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(listen)
        _pipe = tell
        faulthandler.register(signal.SIGUSR1, file=tell, all_threads=False)  # answers from within a call into C
        code = 2
        try:
            code = command()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 0 if left.code is None else 2
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(BaseException):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
    os.close(tell)
    try:
        return _watch(child, listen, grace)
    finally:
        os.close(listen)


def _watch(child: int, listen: int, grace: float) -> int:
    runs: dict[int, tuple[float, str]] = {}
    kept = b""
    while True:
        try:
            ready = select.select([listen], [], [], 0.25)[0]
            data = os.read(listen, 65_536) if ready else None
        except KeyboardInterrupt:
            continue  # the child has it too, and ends
        if data == b"":
            break
        lines = (kept + (data or b"")).split(b"\n")
        kept = lines.pop()
        for line in lines:
            number, what, *text = line.decode(errors="replace").split(" ", 2)
            runs.pop(int(number), None)
            if what == "begin":
                runs[int(number)] = (time.monotonic() + grace, text[0] if text else "")
        late = next((text for at, text in runs.values() if at < time.monotonic()), None)
        if late is not None:
            late = _at_its_line(late, [number for number, (_, text) in runs.items() if text == late], listen)
            for process in {*runs, child}:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            os.waitpid(child, 0)
            print(f"{late} (ended after {grace:g} s)", file=sys.stderr)
            return 2
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _at_its_line(said: str, processes: list[int], listen: int) -> str:
    """The message with the line at which the process is now, in the file that the message names."""
    file, _, rest = said.partition(":")
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGUSR1)
    stack = b""
    while select.select([listen], [], [], 0.5)[0]:
        data = os.read(listen, 65_536)
        stack += data
        if not data:
            break
    found = re.search(rf'File "{re.escape(file)}", line (\d+)', stack.decode(errors="replace"))
    return said if found is None else f"{file}:{found[1]}:{rest.partition(':')[2]}"
