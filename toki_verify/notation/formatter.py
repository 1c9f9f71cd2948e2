"""Formatting `.sched` text: each line canonical, comments and the grouping of events on lines kept."""

from __future__ import annotations

from collections.abc import Container

from ..events import Predicate, Problem
from ..events.names import LINE_BREAK
from .cursor import Fault
from .draft import Line
from .files import read_text, split
from .jsontext import JsonFault, parse_value
from .names import name_text
from .printer import event_text, expectation_text, keyword_lines
from .reader import LineReader
from .single_version import predicates_of


def format_text(text: str, *, file: str | None = None) -> tuple[str, list[Problem]]:
    """The text in canonical notation, and the problems that keep it from being formatted (then the text is "").

    Formatting changes how a schedule is written, never which schedule it is: the result reads back as the same
    schedules. A bare `r1[P]` that is a predicate read stays as it stands, since writing it out needs the whole file.
    """
    schedules, problems = read_text(text, file=file)
    if problems:
        return "", problems
    predicates = set().union(*(predicates_of(schedule.events, schedule.init) for schedule in schedules))
    named = any(draft.name is not None for draft in split(text, file)[0])
    out: list[str] = []
    for number, content in enumerate(LINE_BREAK.split(text), start=1):
        line = Line(content, number, file)
        if not content.strip():
            if out and out[-1] != "":
                out.append("")
        elif line.keyword == "schedule":
            if out and out[-1] != "" and not out[-1].startswith("#"):
                out.append("")
            out.append(_with_comment(_keyword(line, file), content, line))
        elif line.blank:
            comment = content.strip()
            out.append(comment if content[0] == "#" or not named else "  " + comment)
        elif line.keyword is not None:
            out.append(("  " if named else "") + _with_comment(_keyword(line, file), content, line))
        else:
            out.append(("  " if named else "") + _events(content, predicates))
    while out and out[-1] == "":
        out.pop()
    result = "\n".join(out) + "\n"
    again, problems = read_text(result, file=file)
    if problems or again != schedules:
        return "", problems or [
            Problem("formatting would change a schedule", "the same schedules", "fmt", file=file, line=1, column=1)
        ]
    return result, []


def _with_comment(formatted: str, content: str, line: Line) -> str:
    if line.keyword in ("source", "note"):
        return formatted
    comment = _comment(content)
    return f"{formatted}  {comment}" if comment else formatted


def _comment(content: str) -> str:
    """The comment at the end of a keyword line: what stands from the first `#` outside a quoted name or JSON string."""
    at = 0
    while at < len(content):
        if content[at] == '"':
            try:
                _, at = parse_value(content, at)
                continue
            except JsonFault:
                return ""
        if content[at] == "#":
            return content[at:].strip()
        at += 1
    return ""


def _keyword(line: Line, file: str | None) -> str:
    """One keyword line, read on its own and printed again."""
    from .draft import Draft

    keyword = line.keyword
    rest = line.content[line.rest_at :].strip()
    if keyword in ("source", "note"):
        return f"{keyword} {rest}"
    draft = Draft(file, line.number)
    draft.add(line)
    if keyword == "schedule":
        return f"schedule {name_text(draft.name or '')}"
    if keyword == "expect":
        return f"expect {expectation_text(draft.expect[0])}"
    if keyword == "session":
        from .names import txn_text

        session, txns = next(iter(draft.sessions.items()))
        name = session if session.isdigit() and session.isascii() else name_text(session)
        return " ".join([f"session {name}:", *map(txn_text, txns)])
    if keyword == "surface":
        parts = [part.part + (f":{name_text(part.table)}" if part.table else "") for part in draft.surface]
        return "surface " + " ".join(parts)
    before, _ = keyword_lines(_Bare(draft))  # type: ignore[arg-type]
    return f"{keyword} " + " ".join(text.split(" ", 1)[1] for text in before if text.startswith(f"{keyword} "))


class _Bare:
    """What `keyword_lines` looks at, of a draft with one init or order line."""

    def __init__(self, draft: object) -> None:
        self.init = draft.init  # type: ignore[attr-defined]
        self.order = draft.order  # type: ignore[attr-defined]
        self.partitions = draft.book.partitions  # type: ignore[attr-defined]
        self.sessions: dict[str, tuple[str, ...]] = {}
        self.surface = ()
        self.source = self.note = None
        self.expect = ()


def _events(content: str, predicates: Container[Predicate]) -> str:
    faults: list[Fault] = []
    reader = LineReader(content, faults.append)
    placed = reader.read()
    partitions = {item: partition for entry in placed for item, partition in entry.partitions}
    words = [event_text(entry.event, partitions, () if entry.bare else predicates) for entry in placed]
    at = reader.cursor.at
    comment = content[at:].strip() if at < len(content) else ""
    return " ".join(words) + (f"  {comment}" if comment else "")
