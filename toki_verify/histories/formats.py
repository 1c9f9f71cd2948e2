"""The formats in which testers record black-box histories: which there are, which one a file is in, and reading it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..events import Problem
from .builder import Initial
from .columns import History
from .readers import awdit, dbcop_json, dbcop_text, elle_json, jepsen_edn, plume, timekiller
from .readers.faults import Faults, Text

#: Bytes of a history file, unpacked. (Columns number operations in 32 bits; ten million of them take 200 MB of text.)
BYTES: Final = 2_000_000_000
#: A gzip file may unpack to this, and to so many times its own size; beyond it is taken for a bomb.
GZIP_BYTES: Final = 64_000_000
GZIP_RATIO: Final = 200
#: Bytes from the beginning of a file that tell its format.
HEAD: Final = 65_536
_GZIP: Final = b"\x1f\x8b"
_SPACE: Final = b" \t\r\n,"


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
_HIST: Final = re.compile(r"^\s*\[\s*[\w.-]+(?::=|==)|^\s*//", re.MULTILINE)
_EDN: Final = re.compile(r"\[?[\s,]*(?:#jepsen|\{[\s,]*:)")
_SESSIONS: Final = re.compile(r'\[\s*\[\s*(?:\]|\{\s*")|\{\s*"(?:params|data)"\s*:')
_OBJECT: Final = re.compile(r'\[?\s*\{\s*"')
_KEYS: Final = re.compile(r'"(\w+)"\s*:')
#: Characters of an object among whose keys those that tell its format are sought.
_KEYS_IN: Final = 8_192


def detect(head: bytes, name: str = "") -> str | None:
    """The format of a file, by the bytes at its beginning (HEAD are enough), by its name where they do not tell.

    None: no history of these formats. That is said of schedules in text and in JSON, and of JSON Lines traces, too.
    """
    if head.startswith(_GZIP):
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
    problem = problem or _binary(data, source)
    if problem is not None:
        return None, [problem]
    data = data.removeprefix(b"\xef\xbb\xbf")
    found = detect(data[:HEAD], source)
    name = format or found
    if name is None:
        expected = f"one of the formats {', '.join(FORMATS)}"
        what = "an empty file" if not data.strip(_SPACE) else "a file in no known format of histories"
        return None, [Problem(what, expected, "format", file=source, line=1, column=1)]
    text = Text(data, source)
    faults = Faults(text, skip_bad, FORMATS[name].unit)
    history = FORMATS[name].read(text, faults, initial)
    if history is not None:
        return history, []
    if found not in (None, name):
        what, expected = f"a file that begins as {found} does", f"{name} ({FORMATS[name].description})"
        return None, [Problem(what, expected, "format", file=source, line=1, column=1)]
    return None, faults.problems()


def unpacked(data: bytes, source: str) -> tuple[bytes, Problem | None]:
    """The bytes of a file, unpacked if they are packed by gzip, and whether they are too many or broken."""
    most = BYTES
    if data.startswith(_GZIP):
        most = min(BYTES, GZIP_BYTES + GZIP_RATIO * len(data))
        parts: list[bytes] = []
        size, rest = 0, data
        try:
            # A gzip file may have several members.
            while rest.startswith(_GZIP) and size <= most:
                member = zlib.decompressobj(31)
                parts.append(member.decompress(rest, most + 1 - size))
                size += len(parts[-1])
                if not member.eof and size <= most:
                    what, expected = "a gzip file that is cut off", "a whole one"
                    return b"", Problem(what, expected, "encoding", file=source, line=1, column=1)
                # Behind a member may stand another, and zeros that fill a block up; what else stands there is lost.
                rest = member.unused_data.lstrip(b"\0")
        except zlib.error as error:
            what = f"a broken gzip file ({error})"
            return b"", Problem(what, "a whole one", "encoding", file=source, line=1, column=1)
        data = b"".join(parts)
        if rest and size <= most:
            expected = "another member, zeros, or the end of the file"
            what = f"{len(rest)} byte{'s' * (len(rest) > 1)} behind the gzip member"
            return b"", Problem(what, expected, "encoding", file=source, line=1, column=1)
        if size > most:
            what = f"a gzip file that unpacks to more than {most} bytes"
            return b"", Problem(what, f"at most {most}", "limit-file", file=source, line=1, column=1)
    if len(data) > most:
        what = f"more than {most} bytes"
        return b"", Problem(what, f"at most {most}", "limit-file", file=source, line=1, column=1)
    return data, None


def _binary(data: bytes, source: str) -> Problem | None:
    """Why bytes are no text in UTF-8, if they are none."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
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
