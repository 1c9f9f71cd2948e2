"""The files of a Jepsen store directory: `history.edn` is a history, and what lies beside it is none (results.edn,
test.edn, history.txt, jepsen.log: `jepsen.store`). They are told by how they begin.

Nothing here needs numpy: files are told apart where it is missing, too.
"""

from __future__ import annotations

import re
from typing import Final

#: What stands between forms of EDN, and in front of a map: comments, the tag of a record, the vector of operations.
_BEFORE: Final = re.compile(r"(?:[\s,\[(]+|;[^\n]*(?:\n|$)|#[\w./-]+)*")
#: How a map of EDN with keywords begins; one of JSON has a string there.
_MAP: Final = re.compile(r"\{[\s,]*:")
#: Pieces of EDN: strings and characters (in which brackets are none), comments, keywords, and brackets.
_PIECE: Final = re.compile(r'"(?:[^"\\]|\\.)*(?:"|$)|\\.|;[^\n]*|:[^\s,;"\[\](){}\\]+|[\[({]|[\])}]', re.DOTALL)
#: Fields that only operations have.
_OF_OPERATIONS: Final = frozenset([":type", ":process", ":f", ":value"])
_OPERATION: Final = re.compile(r":type\s+:(?:invoke|ok|fail|info)\b")
#: An operation that is not the first form of its file. (What a map of results holds is in its line, or indented.)
_LATER: Final = re.compile(r"\n(?:#[\w./-]+)?\{[^\n]*:type\s+:(?:invoke|ok|fail|info)\b")
#: A line of history.txt: process, type, function, value, with tabs or spaces between.
_TEXT_LINE: Final = re.compile(r"\s*:?[\w-]+\s+:(?:invoke|ok|fail|info)\s+:\S+")
#: A line of jepsen.log: date, time, level, thread.
_LOG_LINE: Final = re.compile(r"\s*\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*\s+(?:TRACE|DEBUG|INFO|WARN|ERROR)\b")
_EXPECTED: Final = "a history; check the history.edn beside it"


def fields(text: str) -> set[str]:
    """The keywords that stand in the first map of EDN itself, and not in what it holds; of as much as there is."""
    before = _BEFORE.match(text)
    at = 0 if before is None else before.end()
    found: set[str] = set()
    if not _MAP.match(text, at):
        return found
    depth = 0
    for piece in _PIECE.finditer(text, at):
        mark = piece[0]
        if mark in "[({":
            depth += 1
        elif mark in "])}":
            depth -= 1
            if not depth:
                break
        elif depth == 1 and mark[0] == ":":
            found.add(mark)
    return found


def holds_operations(head: bytes) -> bool:
    """Whether the beginning of an EDN file is one of operations, something else in front of them or not, or of nothing:
    a file that somebody left empty."""
    text = _text(head)
    return not text.strip() or bool(fields(text) & _OF_OPERATIONS) or _LATER.search(text) is not None


def other_file(head: bytes) -> tuple[str, str] | None:
    """What a file of a store directory is that is no history, by its beginning, and what was expected; None: none of
    those that are known."""
    text = _text(head)
    if _TEXT_LINE.match(text):
        return "Jepsen's history.txt, which is made for people", _EXPECTED
    if _LOG_LINE.match(text):
        return "a log of Jepsen", _EXPECTED
    named = fields(text)
    if not named or named & _OF_OPERATIONS:
        return None
    if ":valid?" in text:  # In a large file the field of the whole may stand beyond what was seen.
        return "what Jepsen found in a history (results.edn)", _EXPECTED
    if _OPERATION.search(text):
        return None
    return f"a map with {_some(named, text)}", "operations: maps with :type and :value, as in Jepsen's history.edn"


def _some(named: set[str], text: str) -> str:
    """The first fields, in the order of the file."""
    return ", ".join(name[:40] for name in sorted(named, key=text.find)[:3])


def _text(head: bytes) -> str:
    return head.decode("utf-8", "ignore").removeprefix("\ufeff")
