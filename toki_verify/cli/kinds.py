"""What each input of `toki-verify check` is, before anybody reads it: schedules, a trace, or a history.

Nothing that is named is left out: what cannot be read has a problem, which whoever checks the rest reports.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from shlex import quote

from ..events import Problem
from ..events.limits import EVENTS, LINE_LENGTH
from ..inputs import STDIN, find, problem_of
from ..report.plain import visible
from .opened import FAILURES, HEAD, Unreadable, head_in_utf16, head_of, lines_of, once, opened, shown


class Kind(Enum):
    """Who reads an input, and what several of it are called."""

    SCHEDULES = "schedules"
    TRACE = "traces"
    LARGE = f"traces that are packed or have more than {EVENTS} events"
    HISTORY = "histories"


@dataclass
class Input:
    """One input: what it is, or why it cannot be read; `data` is what was read of an input that can be read once."""

    path: str
    kind: Kind | None = None
    problem: Problem | None = None
    data: bytes | None = None

    @property
    def name(self) -> str:
        """How reports call it."""
        return shown(self.path)


#: What a directory is searched for: these by their names, those by their content, too.
_OURS = (".sched", ".jsonl", ".edn", ".plume", ".awdit", ".hist")
_PERHAPS = (".txt", ".json")
_OF_HISTORIES = (".edn", ".plume", ".awdit", ".hist")
# These are tried where a line may begin with many blanks, so none goes over the same blanks twice: lines that are blank
# are not begun at each of their line breaks, and what was taken is not given back.
#: How schedules in text, and traces and schedules in JSON begin; and what histories look like where numpy is missing.
_OTHER = re.compile(
    rb'(?:\s|#[^\n]*\n)*+(?:[rwbcaj](?:b)?\d|[rw]T|schedule\s|init\s|(?:\[\s*)?\{[^{}]*"(?:op|events|schedule)"\s*:)'
)
_LIKELY = re.compile(rb"\s*+(?:[rw]\s*\(|[rw][ \t]+\w|-{3}|={3}|[\[{#]*+[\s{]*+:|\[\[)")
#: What a history has near its beginning, and other text and JSON in a directory hardly.
_SURE = re.compile(
    rb"^[^\S\n]*(?:[rw](?:\s*\(|[ \t]+\S+[ \t]+\S)|\[\s*[\w.-]+(?::=|==))|:type\s+:(?:invoke|ok|fail|info)\b"
    rb'|"type"\s*:\s*":?(?:invoke|ok|fail|info)"|"ops"\s*:\s*\[|"(?:Write|Read)"\s*:|"write"\s*:\s*(?:true|false)'
    rb'|\[\s*"[rw]"\s*,',
    re.MULTILINE,
)
#: A first line that is an object of its own, as far as can be seen.
_LINE = re.compile(rb"\{[^\n]*(?:\}[ \t\r]*(?:\n|$)|$)")
#: How many inputs of a kind a message names.
_NAMED = 2


def look_at(paths: Iterable[str], *, as_histories: bool = False) -> list[Input]:
    """What paths name, directories searched (in order, as `inputs.find` does). `as_histories`: a format of histories
    was asked for, so files that are named are histories."""
    found: list[Input] = []
    for path in paths:
        before = next((one for one in found if one.path == path and one.data is not None), None)
        if before is not None:
            found.append(before)
        elif path and path != STDIN and Path(path).is_dir():
            found += _directory(path)
        else:
            found.append(_looked(Input(path), as_histories))
    return found


def _directory(path: str) -> list[Input]:
    found: list[Input] = []
    for file, problem in find(path, (*_OURS, *_PERHAPS, ".gz")):
        suffix = _suffix(file)
        if problem is not None and problem.rule == "empty-directory":
            continue
        if problem is not None:
            # A link to nowhere whose name is that of any text is left out; a folder that cannot be searched is not.
            if suffix in _OURS or Path(file).is_dir():
                found.append(Input(file, problem=problem))
        elif _is_wanted(file, suffix):
            found.append(_looked(Input(file), False))
    if not found:
        what = "a directory without schedules, traces or histories"
        ends = f"files that end in {', '.join((*_OURS, '.jsonl.gz'))}, or histories in {' or '.join(_PERHAPS)}"
        found.append(Input(path, problem=Problem(what, ends, "empty-directory", file=path)))
    return found


def _suffix(path: str) -> str:
    """The suffix of what is packed, where it is packed."""
    return Path(path.lower().removesuffix(".gz")).suffix


def _is_wanted(file: str, suffix: str) -> bool:
    """Whether a file in a directory is checked: by its name, or its content says so, or it cannot be looked into."""
    if suffix in _PERHAPS:
        return _holds(file, lambda head: _SURE.search(head) is not None and _is_history(head, file))
    if suffix != ".edn":
        return suffix in _OURS
    # Results of Jepsen are EDN, too, and stand beside the history.
    from ..histories.jepsen_store import holds_operations

    return _holds(file, holds_operations)


def _holds(file: str, what: Callable[[bytes], bool]) -> bool:
    """Whether the beginning of a file holds something, or cannot be looked into."""
    try:
        try:
            head, _ = head_of(file, None)
        except Unreadable:
            head = head_in_utf16(file, None)
            if not head:
                return True
    except FAILURES:
        return True
    return what(head)


def _looked(one: Input, as_histories: bool) -> Input:
    """The same, and what it is."""
    try:
        one.data = once(one.path)
        if as_histories:
            one.kind = Kind.HISTORY
        elif _suffix(one.path) == ".sched":
            with opened(one.path, one.data):
                one.kind = Kind.SCHEDULES
        else:
            one.kind = _kind(one)
    except Unreadable as error:
        one.problem = error.problem
    except FAILURES as error:
        one.problem = problem_of(one.name, error)
    return one


def _kind(one: Input) -> Kind:
    """What the content says. Raises Unreadable, FAILURES."""
    head, packed = head_of(one.path, one.data)
    suffix = _suffix(one.path)
    if suffix in _OF_HISTORIES or _is_history(head, one.path):
        return Kind.HISTORY
    from ..histories.jepsen_store import other_file

    other = other_file(head)
    if other is not None:
        raise Unreadable(Problem(*other, "format", file=one.name, line=1, column=1))
    if packed and not head and suffix != ".jsonl":
        return Kind.HISTORY  # which says what is wrong with it, be it only that there is too much of nothing
    text = head.lstrip()
    if suffix != ".jsonl" and (suffix == ".json" or not _LINE.match(text)):
        return Kind.SCHEDULES
    if _of_schedules(one, text, packed):
        return Kind.SCHEDULES
    return Kind.LARGE if packed or lines_of(one.path, one.data) > EVENTS else Kind.TRACE


def _is_history(head: bytes, path: str) -> bool:
    """Whether a beginning is that of a history. Schedules and traces are told apart without what histories need."""
    if _OTHER.match(head):
        return False
    try:
        from ..histories.formats import detect, likely
    except ModuleNotFoundError:
        return _LIKELY.match(head) is not None
    return (detect(head, path) or likely(head)) is not None


def _of_schedules(one: Input, text: bytes, packed: bool) -> bool:
    """Whether the first line of a file is a schedule object: then each line is one, and each may have expectations."""
    line, end, _ = text.partition(b"\n")
    if b'"events"' not in line:
        return False
    if not end and not packed:
        with opened(one.path, one.data) as stream:
            line = stream.read(HEAD + LINE_LENGTH).removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "events" in found


def mixed(inputs: Sequence[Input], events: bool) -> str | None:
    """Why inputs cannot be checked in one run, or None: what each kind is, and the way out. `events`: a schedule was
    given as text, too. Small traces go with schedules as with large traces."""
    named: dict[Kind, list[str]] = {kind: [] for kind in Kind}
    if events:
        named[Kind.SCHEDULES].append("-e")
    for one in inputs:
        if one.kind is not None:
            named[one.kind].append(one.name)
    groups = {kind: names for kind, names in named.items() if names}
    others = set(groups) - {Kind.TRACE}
    if len(others) < 2 and not (Kind.TRACE in groups and others == {Kind.HISTORY}):
        return None
    said = "; ".join(f"{kind.value}: {len(names)} ({_some(names)})" for kind, names in groups.items())
    apart = groups[Kind.HISTORY if Kind.HISTORY in groups else Kind.LARGE]
    example = quote(STDIN if apart[0] == shown(STDIN) else apart[0])
    more = " …" if len(apart) > 1 else ""
    return f"inputs of several kinds: {said}; check them apart: toki-verify check {visible(example)}{more}"


def _some(names: list[str]) -> str:
    return ", ".join([*(visible(name) for name in names[:_NAMED]), *(["…"] if len(names) > _NAMED else [])])


__all__ = ["Input", "Kind", "look_at", "mixed"]
