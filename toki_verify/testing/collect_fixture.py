"""The fixture `toki`: judge schedules, files and recordings inside a test, and fail it with the explanation."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from ..events import Problem, Schedule, ScheduleError
from ..inputs import Source, load_file, load_text
from ..report.plain import visible
from ..verdict import Verdict
from .collect_recorder import Recorder
from .collect_report import headline, verdict_report
from .collect_settings import Settings
from .collect_values import short
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


@dataclass
class _Kept:
    """A recorder, what it is judged by, and how many of its lines have been judged (None: it has not been)."""

    recorder: Recorder
    settings: Settings
    judged: int | None = None


class Toki:
    """What the fixture gives a test."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._kept: list[_Kept] = []
        self._closed = False

    def __repr__(self) -> str:
        level = self.settings.level
        return "<toki>" if level is None else f"<toki: {level.full_id}>"

    def check(
        self, subject: Subject, level: str | None = None, no: Iterable[str] | str = (), family: str | None = None
    ) -> Verdict:
        """Judge one schedule: itself, its text, the path of a file that has one, or a recorder.

        It is judged by its expectations, by `level` (otherwise the marker's, the option's, the ini file's) and by `no`,
        as `toki-verify check` does. Raises UnexpectedVerdict, an AssertionError, if it is not as expected or undecided;
        ScheduleError for what cannot be read; UnknownName for a wrong name; TypeError for what is none of these.
        """
        __tracebackhide__ = True
        settings = self.settings.with_names(level, family, no)
        for entry in self._kept:
            if entry.recorder is subject:  # judged as far as it goes, and by this if it goes on
                entry.settings, entry.judged = settings, len(entry.recorder.lines)
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
        if self._closed:
            raise RuntimeError("toki.recorder: the test of this fixture is over, and nothing would judge the recording")
        settings = self.settings.with_names(level, family, no)
        found = Recorder(name)
        self._kept.append(_Kept(found, settings))
        return found

    def finish(self) -> None:
        """Judge the recordings, or what was added to them since they were judged. The plugin calls it when the test has
        ended, and again at the teardown of the fixture: other fixtures may still record."""
        reasons: list[str] = []
        for entry in list(self._kept):
            count = len(entry.recorder.lines)
            if entry.judged == count:
                continue
            entry.judged = count
            try:
                _judged(entry.recorder.schedule(), entry.settings, None, None)
            except (UnexpectedVerdict, ScheduleError) as error:
                reasons.append(str(error))
        if reasons:  # out here, or pytest would tell the same twice: as the failure and as its cause
            self.drop()
            pytest.fail("\n\n".join(reasons), pytrace=False)

    def drop(self) -> None:
        """Judge none of these: the test has not passed anyway, and has said why."""
        self._kept.clear()

    def close(self) -> None:
        """Judge what is left, and refuse to record more. Called at the teardown of the fixture."""
        self._closed = True
        self.finish()


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
    if not isinstance(subject, str | os.PathLike):
        raise TypeError(
            f"toki.check: {short(subject)}, expected a Schedule, its text, the path of a file or a recorder"
        )
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
    name = os.fsdecode(subject)
    try:
        return load_file(Path(name), name)
    except (OSError, ValueError) as error:  # ValueError: no system has a file of this name
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        return Source(name, problems=[Problem(visible(reason), "a readable file", "file", file=visible(name))])


def _is_path(text: str) -> bool:
    """No schedule is one line that ends like the name of a file."""
    return "\n" not in text and text.lower().endswith((*SUFFIXES, ".json"))
