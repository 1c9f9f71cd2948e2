"""Paths -> schedules: files, directories and standard input, decoded and told apart, never with a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .events import Problem, Schedule
from .events.limits import FILE_BYTES
from .events.names import name_fault, normal_name
from .jsonform import read_json, read_json_lines
from .notation.files import LINE_BREAK, read_text, split

#: What a directory is searched for; other files are read when they are named.
SUFFIXES = (".sched", ".jsonl")
STDIN = "-"


@dataclass
class Source:
    """What one file held: its schedules (each with the line it begins at), and what is wrong with it."""

    file: str
    schedules: list[tuple[Schedule, int]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def load(paths: Iterable[str]) -> Iterator[Source]:
    """The sources that paths name: a file, a directory (searched for .sched and .jsonl), or `-`."""
    for path in paths:
        if path == STDIN:
            data, problem = read_stdin()
            yield Source("<stdin>", problems=[problem]) if problem else _read("<stdin>", data, "", None)
        elif path and Path(path).is_dir():
            for file, problem in find(path, SUFFIXES):
                yield Source(file, problems=[problem]) if problem else _load(file)
        else:
            yield _load(path)


def find(path: str, suffixes: tuple[str, ...]) -> Iterator[tuple[str, Problem | None]]:
    """The files below a directory with one of the suffixes, in order; with a problem what cannot be looked into."""
    found: list[tuple[str, Problem | None]] = []

    def unreadable(error: OSError) -> None:
        name = str(error.filename or path)
        found.append((name, problem_of(name, error)))

    for folder, folders, files in os.walk(path, onerror=unreadable):
        folders.sort()
        for name in files:
            if Path(name).suffix.lower() in suffixes:
                file = str(Path(folder) / name)
                odd = None
                if not Path(file).is_file():
                    what = "a link to nothing" if Path(file).is_symlink() else "no regular file"
                    odd = Problem(what, "a file", "file", file=file)
                found.append((file, odd))
    if not found:
        what = "a directory without schedules"
        found.append((path, Problem(what, f"files that end in {' or '.join(suffixes)}", "empty-directory", file=path)))
    yield from sorted(found, key=lambda entry: entry[0])


def problem_of(path: str, error: Exception) -> Problem:
    """Why a file cannot be read, as a problem."""
    reason = getattr(error, "strerror", None) or str(error)
    return Problem(reason[:1].lower() + reason[1:], "a readable file or directory", "file", file=path)


def read_stdin() -> tuple[bytes, Problem | None]:
    """Standard input up to the limit, or why it cannot be read."""
    if sys.stdin is None:
        return b"", Problem("standard input is closed", "something to read", "file", file="<stdin>")
    try:
        return sys.stdin.buffer.read(FILE_BYTES + 1), None
    except OSError as error:
        return b"", problem_of("<stdin>", error)


def read_bytes(path: str) -> bytes:
    """A file up to the limit (decode reports what is beyond). Raises OSError or ValueError."""
    if not path:
        raise ValueError("an empty path")
    with Path(path).open("rb") as stream:
        return stream.read(FILE_BYTES + 1)


def _load(path: str) -> Source:
    try:
        return load_file(Path(path), path)
    except (OSError, ValueError) as error:
        return Source(path, problems=[problem_of(path, error)])


def load_file(place: Path, name: str) -> Source:
    """One file. Raises OSError if it cannot be opened."""
    return _read(name, read_bytes(str(place) if name else name), place.suffix.lower(), _stem(place.stem))


def _stem(stem: str) -> str | None:
    """The name of a file as the name of a schedule that has none, where it can be one."""
    name = normal_name(stem)
    return None if name_fault(name) else name


def load_text(text: str, name: str = "<events>") -> Source:
    """Schedules given as text."""
    return _parse(name, text, ".sched", None)


def load_bytes(data: bytes, name: str) -> Source:
    """What was read already, from standard input say: told apart by its content."""
    return _read(name, data, "", None)


def _read(name: str, data: bytes, suffix: str, stem: str | None) -> Source:
    text, problem = decode(data, name)
    if problem is not None:
        return Source(name, problems=[problem])
    return _parse(name, text, suffix, stem)


def decode(data: bytes, name: str) -> tuple[str, Problem | None]:
    """The text of a file, or why it is none: too large, binary, or not UTF-8."""
    if len(data) > FILE_BYTES:
        return "", Problem(f"more than {FILE_BYTES} bytes", f"at most {FILE_BYTES}", "limit-file", file=name)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "", Problem("text in UTF-16", "UTF-8", "encoding", file=name, line=1, column=1)
    if data.startswith(b"\x1f\x8b"):
        return "", Problem("a gzip file", "plain text; unpack it first", "encoding", file=name, line=1, column=1)
    zero = data.find(b"\0")
    if zero >= 0:
        line, column = _place(data, zero)
        return "", Problem("a NUL byte: a binary file?", "text", "binary", file=name, line=line, column=column)
    try:
        return data.decode("utf-8").removeprefix("\ufeff"), None
    except UnicodeDecodeError as error:
        line, column = _place(data, error.start)
        return "", Problem(
            f"the byte 0x{data[error.start]:02x}, which is not UTF-8",
            "text in UTF-8",
            "encoding",
            file=name,
            line=line,
            column=column,
        )


def _place(data: bytes, offset: int) -> tuple[int, int]:
    lines = LINE_BREAK.split(data[:offset].decode("utf-8", "replace"))
    return len(lines), len(lines[-1]) + 1


def _parse(name: str, text: str, suffix: str, stem: str | None) -> Source:
    kind = suffix if suffix in (".sched", ".json", ".jsonl") else _sniff(text)
    if kind == ".sched":
        schedules, problems = read_text(text, file=name, stem=stem)
        lines = {draft.name: draft.line for draft in split(text, name)[0]} if schedules else {}
        return Source(name, [(s, lines.get(s.name, lines.get(None, 1))) for s in schedules], problems)
    reader = read_json_lines if kind == ".jsonl" else read_json
    schedules, problems = reader(text, file=name, stem=stem)
    return Source(name, [(schedule, schedule.lines[0]) for schedule in schedules], problems)


def _sniff(text: str) -> str:
    """Text or JSON or JSON Lines, by how it begins."""
    head = text.lstrip()[:1]
    if head == "[":
        return ".json"
    if head != "{":
        return ".sched"
    lines = [line for line in LINE_BREAK.split(text) if line.strip()]
    return ".jsonl" if len(lines) > 1 and all(line.lstrip().startswith("{") for line in lines[:3]) else ".json"
