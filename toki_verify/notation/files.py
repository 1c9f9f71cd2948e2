"""Schedule files (`.sched`): keyword lines and events, several schedules a file (NOTATION, "Schedule files")."""

from __future__ import annotations

from ..events import Problem, Schedule, ScheduleError
from ..events.limits import GIVE_UP, LINE_LENGTH, PROBLEMS, SCHEDULES
from ..events.names import LINE_BREAK
from .draft import Draft, Line


def parse_text(text: str, *, file: str | None = None, stem: str | None = None) -> list[Schedule]:
    """Every schedule of a schedule file.

    `file` names the file in messages; `stem` names a schedule that no `schedule` line names. Raises ScheduleError
    with every problem of the file (up to a limit, then their number).
    """
    schedules, problems = read_text(text, file=file, stem=stem)
    if problems:
        raise ScheduleError(problems)
    return schedules


def read_text(text: str, *, file: str | None = None, stem: str | None = None) -> tuple[list[Schedule], list[Problem]]:
    """The schedules of a file that are sound, and the problems of the others."""
    drafts, problems = split(text, file)
    schedules: list[Schedule] = []
    names: dict[str, int] = {}
    for draft in drafts:
        schedule, found = draft.build(stem)
        problems += found
        if schedule is not None:
            schedules.append(schedule)
        name = draft.name or stem
        if name is not None:
            if name in names:
                what, first = f"a second schedule named {name}", f"unique names; the first is in line {names[name]}"
                problems.append(Problem(what, first, "schedule-name", file=file, line=draft.line, column=1))
            names.setdefault(name, draft.line)
    if not drafts and not problems:
        problems.append(
            Problem(
                "a file without any schedule", "events such as `r1[x0] w1[x1] c1`", "empty", file=file, line=1, column=1
            )
        )
    problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))
    if len(problems) > PROBLEMS:
        rest = len(problems) - PROBLEMS
        last = problems[PROBLEMS - 1]
        problems = problems[:PROBLEMS]
        problems.append(
            Problem(
                f"{rest} more problems after this one",
                "a file without problems",
                "many",
                file=last.file,
                line=last.line,
                column=last.column,
            )
        )
    return schedules, problems


def split(text: str, file: str | None) -> tuple[list[Draft], list[Problem]]:
    """The lines of a file, dealt out to the schedules they belong to."""
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for number, content in enumerate(LINE_BREAK.split(text), start=1):
        if not content or content.isspace():
            continue
        if len(content) > LINE_LENGTH:
            problems.append(
                Problem(
                    f"a line of {len(content)} characters",
                    f"at most {LINE_LENGTH}",
                    "limit-line",
                    file=file,
                    line=number,
                    column=1,
                )
            )
            continue
        line = Line(content, number, file)
        if line.blank:
            continue
        if line.keyword == "schedule" or not drafts:
            if len(drafts) == SCHEDULES:
                what = f"more than {SCHEDULES} schedules; the rest of the file is not read"
                problems.append(
                    Problem(what, f"at most {SCHEDULES}", "limit-schedules", file=file, line=number, column=1)
                )
                break
            drafts.append(Draft(file, number))
        drafts[-1].add(line)
        found = len(drafts[-1].problems)
        if found > GIVE_UP:
            problems.append(
                Problem(
                    "the rest of the file is not read", "fewer faults", "give-up", file=file, line=number + 1, column=1
                )
            )
            break
    return drafts, problems


def parse_one(text: str) -> Schedule:
    """The one schedule of a text. Raises ScheduleError when there is none or there are several."""
    schedules = parse_text(text.removeprefix("\ufeff"))
    if len(schedules) != 1:
        raise ScheduleError([Problem(f"{len(schedules)} schedules", "one schedule", "one-schedule", line=1, column=1)])
    return schedules[0]


__all__ = ["LINE_BREAK", "parse_one", "parse_text", "read_text", "split"]
