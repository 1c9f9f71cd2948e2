"""Files of schedules and traces as pytest collects them: a file is a collector, each of its schedules a test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from ..events import Problem, Schedule
from ..inputs import Source, load_file
from ..phenomena.catalogue import UnknownName
from ..report.plain import visible
from ..verdict import Verdict
from .collect_report import Report, problem_report, verdict_report
from .collect_settings import settings_of
from .pytest_plugin import TokiWarning

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr


class Malformed(pytest.Collector.CollectError):
    """A file, or an expectation of a schedule, that cannot be read."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


class NotAsExpected(AssertionError):
    """A verdict that is not as expected, or undecided."""

    def __init__(self, verdict: Verdict, family: str) -> None:
        self.verdict, self.family = verdict, family
        super().__init__(str(verdict))


class ScheduleFile(pytest.File):
    """A schedule file or a trace."""

    def collect(self) -> Iterator[ScheduleItem]:
        """Its schedules. Raises Malformed with every problem of the file."""
        source = _load(self.path, _shown(self.path, self.config.invocation_params.dir))
        if source.problems:
            raise Malformed(source.problems)
        taken: set[str] = set()
        for schedule, line in source.schedules:
            name = _item_name(schedule.name, line)
            while name in taken:  # two names that are written alike
                name += f" (line {line})"
            taken.add(name)
            yield ScheduleItem.from_parent(self, name=name, schedule=schedule, file=source.file, line=line)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """Problems as the command prints them."""
        if isinstance(excinfo.value, Malformed):
            return _shaped(problem_report(excinfo.value.problems))
        return super().repr_failure(excinfo)


class ScheduleItem(pytest.Item):
    """A schedule as a test: it passes where `toki-verify check` finds it as expected."""

    def __init__(self, *, schedule: Schedule, file: str, line: int, **more: Any) -> None:
        super().__init__(**more)
        self.schedule, self.file, self.line = schedule, file, line
        self.add_marker("toki")

    def runtest(self) -> None:
        """Judge it. Raises NotAsExpected, also where it is undecided; Malformed for a name it expects that is none."""
        settings = settings_of(self.config)
        try:
            verdict = settings.judge(self.schedule, self.file, self.line)
        except UnknownName as error:
            raise Malformed([_unknown(self.schedule, error, self.file, self.line)]) from None
        if verdict.ok is not True:
            raise NotAsExpected(verdict, settings.shown_family)
        for warning in verdict.warnings:
            self.warn(TokiWarning(visible(warning)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """The explanation of the verdict, as the command prints it."""
        error = excinfo.value
        if isinstance(error, NotAsExpected):
            return _shaped(verdict_report(error.verdict, error.family))
        if isinstance(error, Malformed):
            return _shaped(problem_report(error.problems))
        if isinstance(error, TokiWarning):  # with -W error
            return str(error)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the schedule stands."""
        return self.path, self.line - 1, self.name


def _shaped(report: Report) -> TerminalRepr:
    """pytest asks for its own class by name and for no more than `toterminal` in fact; the class is private."""
    return cast("TerminalRepr", report)


def _load(path: Path, name: str) -> Source:
    try:
        return load_file(path, name)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        return Source(name, problems=[Problem(what, "a readable file", "file", file=name)])


def _shown(path: Path, base: Path) -> str:
    """A path as it would be typed: from the folder in which pytest was started, where the file is below it."""
    return os.path.relpath(path, base) if path.is_relative_to(base) else str(path)


def _item_name(name: str | None, line: int) -> str:
    """A name for node ids. There `::` separates and a bracket may only enclose the end: `a::b [c] d` becomes
    `a:b (c) d`, as pytest could not be asked for the other."""
    shown = visible(name or f"line {line}")
    while "::" in shown:
        shown = shown.replace("::", ":")
    head, bracket, _ = shown.partition("[")
    enclosed = head and shown.endswith("]")
    return shown if enclosed or not bracket else shown.replace("[", "(").replace("]", ")")


def _unknown(schedule: Schedule, error: UnknownName, file: str, line: int) -> Problem:
    """An expectation with a name that no catalogue has, where it stands."""
    column = 1
    for expectation in schedule.expect:
        for index, name in enumerate((*expectation.names, expectation.family or "")):
            if name == error.name:
                line = expectation.line or line
                column = expectation.columns[index] if index < len(expectation.columns) else 1
    return Problem(error.what, error.expected, "unknown-name", file=file, line=line, column=column)
