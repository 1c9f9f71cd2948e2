"""A bar on stderr for files that take long: what is done of each, its rate, what remains."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

#: Seconds that pass before a bar is shown.
_PATIENCE = 1.0
#: What is done, how much of it, of how much.
Tell = Callable[[str, int, int], None]


class Following:
    """Called with the name of a file it gives the function that is told how far that one is. "reading" counts bytes,
    anything else steps; the rate and what remains are of what is done at the time. This one shows nothing."""

    def __call__(self, name: str) -> Tell:
        """The function for a file."""
        return lambda what, done, total: None

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While something else is printed, nothing is shown."""
        yield


class _Bar(Following):
    """One bar, which is told from any thread, and goes away at the end."""

    def __init__(self, files: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[amount]}"),
            TimeElapsedColumn(),
            TextColumn("remaining"),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            transient=True,
        )
        self.task = self.bar.add_task("", total=None, amount="")
        self.files, self.number = files, 0
        self.begun = time.monotonic()
        self.shown = False
        self.lock = Lock()

    def __call__(self, name: str) -> Tell:
        from ..report.plain import visible

        self.number += 1
        label = visible(name) if self.files == 1 else f"{visible(name)} ({self.number} of {self.files})"
        stage, since = "", self.begun

        def tell(what: str, done: int, total: int) -> None:
            nonlocal stage, since
            if not self.lock.acquire(blocking=False):  # something else is printed: the next one will tell
                return
            try:
                now = time.monotonic()
                if what != stage:
                    stage, since = what, now
                    self.bar.reset(self.task, total=total)
                if not self.shown and now - self.begun > _PATIENCE:
                    self.bar.start()
                    self.shown = True
                amount = amount_text(what, done, total, now - since)
                text = f"{label}: {what}"
                self.bar.update(self.task, description=text, completed=done, total=total, amount=amount)
            finally:
                self.lock.release()

        return tell

    @contextmanager
    def aside(self) -> Iterator[None]:
        with self.lock:
            self.hide()
            yield

    def hide(self) -> None:
        """Take the bar away until it is told of more."""
        if self.shown:
            self.bar.stop()
            self.shown = False


@contextmanager
def following(files: int) -> Iterator[Following]:
    """A bar for so many files, after a second and on a terminal only."""
    if not sys.stderr.isatty():
        yield Following()
        return
    bar = _Bar(files)
    try:
        yield bar
    finally:
        bar.hide()


def amount_text(what: str, done: int, total: int, seconds: float) -> str:
    """How much is done, and how much of it in a second: `12/345 MB, 6.0 MB/s`, `12/47, 3.0/s`."""
    rate = done / seconds if seconds > 0 else 0.0
    if what != "reading":
        return f"{done}/{total}, {rate:,.1f}/s" if done and rate else f"{done}/{total}"
    size = f"{done / 1e6:,.0f}/{total / 1e6:,.0f} MB"
    return f"{size}, {rate / 1e6:,.1f} MB/s" if done and rate else size
