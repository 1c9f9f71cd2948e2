"""The fixture `toki`: judge schedules, files and recordings inside a test, and fail it with the explanation."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from ..events import Problem, Schedule, ScheduleError
from ..inputs import Source, load_file, load_text
from ..verdict import Verdict
from .collect_recorder import Recorder
from .collect_report import headline, verdict_report
from .collect_settings import Settings
from .pytest_plugin import SUFFIXES, TokiWarning

#: What stands for the file of a schedule given as text.
_TEXT: Final = "<schedule>"
#: What `check` takes.
Subject = Schedule | Recorder | str | os.PathLike[str]


class UnexpectedVerdict(AssertionError):
    """A schedule that is not as expected, or undecided; the message is the report."""

    __module__ = "builtins"  # as pytest does it for its own: the name that a short summary prints has no path

    def __init__(self, verdict: Verdict, text: str) -> None:
        self.verdict = verdict
        super().__init__(text)


class Toki:
    """What the fixture gives a test."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._open: list[tuple[Recorder, Settings]] = []

    def __repr__(self) -> str:
        level = self.settings.level
        return "<toki>" if level is None else f"<toki: {level.full_id}>"

    def check(
        self, subject: Subject, level: str | None = None, no: Iterable[str] | str = (), family: str | None = None
    ) -> Verdict:
        """Judge one schedule: itself, its text, the path of a file that has one, or a recorder.

        It is judged by its expectations, by `level` (otherwise the marker's, the option's, the ini file's) and by `no`,
        as `toki-verify check` does. Raises UnexpectedVerdict, an AssertionError, if it is not as expected or undecided;
        ScheduleError for what cannot be read; UnknownName for a wrong name.
        """
        __tracebackhide__ = True
        settings = self.settings.with_names(level, family, (no,) if isinstance(no, str) else tuple(no))
        if isinstance(subject, Recorder):
            self._open = [entry for entry in self._open if entry[0] is not subject]
        schedule, file, line = _one(subject)
        return _judged(schedule, settings, file, line)

    def recorder(
        self,
        name: str = "recording",
        level: str | None = None,
        no: Iterable[str] | str = (),
        family: str | None = None,
    ) -> Recorder:
        """A recorder whose trace is judged when the test ends, unless `check` has judged it before."""
        settings = self.settings.with_names(level, family, (no,) if isinstance(no, str) else tuple(no))
        found = Recorder(name)
        self._open.append((found, settings))
        return found

    def finish(self) -> None:
        """Judge the recordings that are left; the plugin calls it when the test function has returned."""
        while self._open:
            recorder, settings = self._open.pop(0)
            reason = ""
            try:
                _judged(recorder.schedule(), settings, None, None)
            except (UnexpectedVerdict, ScheduleError) as error:
                reason = str(error)
            if reason:  # out here, or pytest would tell the same twice: as the failure and as its cause
                pytest.fail(reason, pytrace=False)


def _judged(schedule: Schedule, settings: Settings, file: str | None, line: int | None) -> Verdict:
    __tracebackhide__ = True
    verdict = settings.judge(schedule, file, line)
    if verdict.ok is not True:
        raise UnexpectedVerdict(verdict, f"{headline(verdict)}\n{verdict_report(verdict, settings.shown_family)}")
    for warning in verdict.warnings:
        warnings.warn(TokiWarning(warning), stacklevel=3)
    return verdict


def _one(subject: Subject) -> tuple[Schedule, str | None, int | None]:
    """The one schedule, with its place in a file. Raises ScheduleError."""
    __tracebackhide__ = True
    if isinstance(subject, Schedule):
        return subject, None, None
    if isinstance(subject, Recorder):
        return subject.schedule(), None, None
    source = _source(subject)
    problems = list(source.problems)
    if not problems and len(source.schedules) != 1:
        what, expected = f"{len(source.schedules)} schedules", "one (as tests, pytest collects all of a file)"
        problems.append(Problem(what, expected, "one-schedule", file=source.file))
    if problems:
        raise ScheduleError(problems)
    schedule, line = source.schedules[0]
    return (schedule, None, None) if source.file == _TEXT else (schedule, source.file, line)


def _source(subject: str | os.PathLike[str]) -> Source:
    if isinstance(subject, str) and not _is_path(subject):
        return load_text(subject, _TEXT)
    path = Path(subject)
    try:
        return load_file(path, str(subject))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Source(str(subject), problems=[Problem(reason, "a readable file", "file", file=str(subject))])


def _is_path(text: str) -> bool:
    """No schedule is one line that ends like the name of a file."""
    return "\n" not in text and text.lower().endswith((*SUFFIXES, ".json"))
