"""The formats in which testers record black-box histories: which there are, which one a file is in, and reading it."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..events import Problem
from .beginning import HEAD, beginning
from .builder import Initial
from .columns import History
from .jepsen_store import other_file
from .packed import unpacked as unpacked
from .raw import GZIP
from .readers import awdit, dbcop_json, dbcop_text, elle_json, jepsen_edn, plume, timekiller
from .readers.blots import blotted
from .readers.faults import Faults, Text

_SPACE: Final = b" \t\r\n,"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Format:
    """A format: how its files are called, what it is, its reader, and what a fault leaves out with `skip_bad`."""

    suffixes: tuple[str, ...]
    description: str
    read: Callable[[Text, Faults, Initial], History | None]
    unit: str


FORMATS: Final[dict[str, Format]] = {
    plume.FORMAT: Format((".txt", ".plume"), f"Plume text: {plume.EXPECTED}", plume.read, "line"),
    awdit.FORMAT: Format((".txt", ".awdit"), f"AWDIT test text: {awdit.EXPECTED}", awdit.read, "line"),
    jepsen_edn.FORMAT: Format((".edn",), "Jepsen EDN: maps {:type :invoke …}", jepsen_edn.read, "operation"),
    elle_json.FORMAT: Format(
        (".json", ".jsonl"), 'Jepsen operations in JSON: {"type": "invoke", …}', elle_json.read, "operation"
    ),
    dbcop_json.FORMAT: Format((".json",), f"dbcop JSON: {dbcop_json.EXPECTED}", dbcop_json.read, "transaction"),
    dbcop_text.FORMAT: Format((".hist",), f"dbcop text: {dbcop_text.EXPECTED}", dbcop_text.read, "line"),
    timekiller.FORMAT: Format(
        (".json", ".jsonl"), f"TimeKiller JSON: {timekiller.EXPECTED}", timekiller.read, "transaction"
    ),
}

_COMMENTS: Final = re.compile(r"(?:[\s,]+|;[^\n]*(?:\n|$))*")
_PLUME: Final = re.compile(r"[rw]\s*\(")
_AWDIT: Final = re.compile(r"[rw][ \t]+[\w:-]|={3,}[ \t\r]*(?:\n|$)")
_DASHES: Final = re.compile(r"-+[ \t\r]*(?:\n|$)")
_HIST: Final = re.compile(r"^[^\S\n]*(?:\[\s*[\w.-]+(?::=|==)|//)", re.MULTILINE)
_EDN: Final = re.compile(r"\[?[\s,]*(?:#jepsen|\{[\s,]*:)")
_SESSIONS: Final = re.compile(r'\[\s*\[\s*(?:\]|\{\s*")|\{\s*"(?:params|data)"\s*:')
_OBJECT: Final = re.compile(r'\[?\s*\{\s*"')
_KEYS: Final = re.compile(r'"(\w+)"\s*:')
#: Lines, and characters of each, that tell the format of a file whose beginning does not.
_LINES: Final = 200
_LINE: Final = 2_000
#: Characters of an object among whose keys those that tell its format are sought.
_KEYS_IN: Final = 8_192


def detect(head: bytes, name: str = "") -> str | None:
    """The format of a file, by the bytes at its beginning (HEAD are enough), by its name where they do not tell.

    None: no history of these formats. That is said of schedules in text and in JSON, and of JSON Lines traces, too.
    """
    if head.startswith(GZIP):
        try:
            head = zlib.decompressobj(31).decompress(head, HEAD)
        except zlib.error:
            return None
    text = head[:HEAD].decode("utf-8", "ignore").removeprefix("\ufeff")
    start = _COMMENTS.match(text)
    text = text if start is None else text[start.end() :]
    if _PLUME.match(text):
        return plume.FORMAT
    if _EDN.match(text):
        return jepsen_edn.FORMAT
    if _HIST.match(text) or (_DASHES.match(text) and _HIST.search(text)):
        return dbcop_text.FORMAT
    if _AWDIT.match(text) or _DASHES.match(text):
        return awdit.FORMAT
    if _SESSIONS.match(text):
        return dbcop_json.FORMAT
    if _OBJECT.match(text):
        return _by_keys(set(_KEYS.findall(text[:_KEYS_IN])))
    lower = name.lower().removesuffix(".gz")
    return next((one.FORMAT for one in (jepsen_edn, dbcop_text) if lower.endswith(FORMATS[one.FORMAT].suffixes)), None)


def likely(head: bytes) -> str | None:
    """The format that most of the first lines of a file are in whose beginning is that of no history; None: none.

    Such a file has something in front of its history, a comment perhaps, which no format but EDN and dbcop's text has.
    """
    text = head[:HEAD].decode("utf-8", "ignore").removeprefix("\ufeff")
    lines = [line[:_LINE] for line in text.split("\n") if line.strip()][:_LINES]
    found = Counter(detect(line.encode()) for line in lines)
    name, count = max(found.items(), key=lambda item: item[1], default=(None, 0))
    return name if count * 2 > len(lines) else None


def _by_keys(keys: set[str]) -> str | None:
    """The format of JSON objects with these keys."""
    if keys & {"op", "events", "schedules"}:
        return None
    if "ops" in keys and keys & {"tid", "sid", "sts", "cts", "t"}:
        return timekiller.FORMAT
    return elle_json.FORMAT if keys & {"type", "value"} and keys & {"value", "process", "f", "index"} else None


def read_history(
    data: bytes, *, source: str, format: str | None = None, initial: Initial = "auto", skip_bad: bool = False
) -> tuple[History | None, list[Problem]]:
    """The history that a file holds, or None with what is wrong with it: up to twenty problems, and how many more.

    `data` may be packed by gzip; `source` names the file; `format` is one of FORMATS, and found by `detect` if it is
    None; `initial` says what reads of nil and 0 saw (`builder.Initial`; lists begin empty, whatever it is). With
    `skip_bad`, lines and transactions at fault are left out and counted in `warnings`. Nothing is raised for anything
    that `data` may be. Raises ValueError for a format that is none.
    """
    if format is not None and format not in FORMATS:
        raise ValueError(f"no format {format!r}; there are {', '.join(FORMATS)}")
    data, problem = unpacked(data, source)
    if problem is not None:
        return None, [problem]
    problem = _binary(data, source)
    if problem is not None and (not skip_bad or data.startswith(_UTF_16)):
        return None, [problem]
    data = data.removeprefix(b"\xef\xbb\xbf")
    found = detect(beginning([data]), source)
    name = format or found
    if name is None:
        return None, [problem or _unknown(data, source)]
    text = Text(data, source) if problem is None else blotted(data, source)
    faults = Faults(text, skip_bad, FORMATS[name].unit)
    history = FORMATS[name].read(text, faults, initial)
    if history is not None:
        return history, []
    other = other_file(data[:HEAD])
    if other is not None:
        return None, [Problem(*other, "format", file=source, line=1, column=1)]
    if found not in (None, name):
        what, expected = f"a file that begins as {found} does", f"{name} ({FORMATS[name].description})"
        return None, [Problem(what, expected, "format", file=source, line=1, column=1)]
    return None, faults.problems()


def _unknown(data: bytes, source: str) -> Problem:
    """What is wrong with a file whose beginning is that of no history."""
    what = "an empty file" if not data.strip(_SPACE) else "a file in no known format of histories"
    expected = f"one of the formats {', '.join(FORMATS)}"
    other, close = other_file(data[:HEAD]), likely(data[:HEAD])
    if other is not None:
        what, expected = other
    elif close is not None:
        what = f"a file whose first line is in no known format of histories, and most of its lines are in {close}"
        expected = f"such lines from the beginning; `--format {close}` names every line that is none"
    return Problem(what, expected, "format", file=source, line=1, column=1)


def _binary(data: bytes, source: str) -> Problem | None:
    """Why bytes are no text in UTF-8, if they are none."""
    if data.startswith(_UTF_16):
        return Problem("text in UTF-16", "UTF-8", "encoding", file=source, line=1, column=1)
    at, what, expected = data.find(b"\0"), "a NUL byte: a binary file?", "text"
    if at < 0:
        if data.isascii():
            return None
        try:
            data.decode("utf-8")
            return None
        except UnicodeDecodeError as error:
            at, what, expected = error.start, f"the byte 0x{data[error.start]:02x}, which is not UTF-8", "text in UTF-8"
    before = data[:at]
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    rule = "binary" if expected == "text" else "encoding"
    return Problem(what, expected, rule, file=source, line=before.count(b"\n") + 1, column=column)
