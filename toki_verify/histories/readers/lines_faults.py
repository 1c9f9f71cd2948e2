"""Broken rules of large traces in words, with the line and the column: the words of `events/resolve.py`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ...events import Item, Problem
from ...events.limits import PROBLEMS
from ...jsonform.files import Places
from ...notation.jsontext import parse_json
from ..columns import ABORTED
from .lines_walk import (
    AFTER_END,
    BEGIN_FIRST,
    KEYS_OF_OTHER,
    OMITTED,
    ONE_END,
    OWN_WRITE,
    PARTITIONS,
    PREDICATE_TWICE,
    ROW_MATCH,
    ROW_TWICE,
    SESSION,
    UNIQUE,
    UNWRITTEN,
    VERSION_0,
)

_EARLIER = "a version written earlier, or 0"
Words = Callable[[int], str]


def in_words(
    rule: int,
    about: int,
    *,
    txn: str,
    label: str,
    item: Callable[[int], Item],
    session: Words,
    version: Words,
    row: Words,
) -> tuple[str, str, str]:
    """What is wrong, what was expected, and the name of the rule. `txn` and `label` are those of the event; `about` is
    the number of an item, a session, a version or a row."""
    if rule in (ONE_END, AFTER_END):
        how = f"T{txn} has already {'aborted' if about == ABORTED else 'committed'}"
        if rule == ONE_END:
            return how, "one commit or abort per transaction", "one-end"
        return how, "no event of a transaction after its end", "after-end"
    if rule == BEGIN_FIRST:
        return f"T{txn} has already begun", "begin as the first event of its transaction", "begin-first"
    if rule == VERSION_0:
        what = f"a write of version 0 of {item(about).name}"
        return what, "any label but 0, which is the initial version", "version-0"
    if rule == UNIQUE:
        what = f"version {label} of {item(about).name} is written twice"
        return what, "a fresh label for each write", "unique-version"
    if rule == UNWRITTEN:
        what = f"{row(-1 - about) if about < 0 else f'version {label} of {item(about).name}'} is read"
        return f"{what} but nothing has written it before", _EARLIER, "read-after-write"
    if rule == OWN_WRITE:
        what = f"T{txn} has written an item and reads another version of it"
        return what, f"its own latest version, {version(about)}", "own-write"
    if rule == ROW_TWICE:
        what = f"row {item(about).name} is listed twice in one predicate read"
        return what, "at most one version of a row", "one-version-per-row"
    if rule == SESSION:
        return f"T{txn} in another session", f"session {session(about)}, as at its first event", "session"
    if rule == KEYS_OF_OTHER:
        return "a read with keys of the other kind of read", "an item read or a predicate read", "type"
    if rule == PREDICATE_TWICE:
        return "a predicate is named twice in one write", "each predicate once", "predicate-twice"
    if rule == PARTITIONS:
        return f"{item(about).name} in another partition", "the partition of its first mention", "partition"
    if rule == ROW_MATCH:
        what = f"{row(about)} is listed on the wrong side of a predicate read"
        return what, "matching versions among `matched`, the others among `unmatched`", "predicate-match"
    assert rule == OMITTED
    what = f"a predicate read does not list row {item(about).name}, whose every version it could have seen matches"
    return what, "the row among `matched`, a version that does not match among `unmatched`, or `partial`", "omitted-row"


_LINE = re.compile(rb"\r\n|\n|\r")


def lines_of(data: bytes, numbers: Iterable[int]) -> dict[int, str]:
    """The text of lines, by their numbers (from 1), found in one pass."""
    wanted = set(numbers)
    last = max(wanted, default=0)
    out: dict[int, str] = {}
    at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    number = 1
    for match in _LINE.finditer(data):
        if number > last:
            return out
        if number in wanted:
            out[number] = data[at : match.start()].decode()
        at = match.end()
        number += 1
    if number in wanted:
        out[number] = data[at:].decode()
    return out


def located(problem: Problem, rule: int, text: str, line: int, file: str) -> Problem:
    """A problem of the event object that a line holds, at the object or at the member that is wrong."""
    node = parse_json(text)
    at = node.at
    if isinstance(node.value, dict) and rule == SESSION:
        at = node.keys.get("session", at)
    elif isinstance(node.value, dict) and rule == PARTITIONS and "partition" in node.value:
        at = node.value["partition"].at
    return Places(text, line).located(problem, at, file)


def in_file(problem: Problem) -> tuple[int, int]:
    """The place of a problem, for sorting."""
    return problem.line or 0, problem.column or 0


def capped(problems: list[Problem], count: int) -> list[Problem]:
    """The first problems, and how many more there are."""
    if count <= PROBLEMS:
        return problems
    first = problems[:PROBLEMS]
    last = first[-1]
    more = count - len(first)
    what = f"{more} more problem{'s' * (more > 1)} after this one"
    rest = Problem(what, "a file without problems", "many", file=last.file, line=last.line, column=last.column)
    return [*first, rest]
