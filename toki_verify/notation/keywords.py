"""The keyword lines of a schedule file: schedule, source, init, order, session, surface, expect, note."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..events import INITIAL, SURFACE_PARTS, Expectation, InitialVersion, Surface
from ..events.names import text_fault
from ..events.provenance import polynomial_fault
from ..events.wellformed import expectation_fault
from .cursor import Cursor, Fault
from .names import is_plain

if TYPE_CHECKING:
    from .draft import Draft, Line


#: A word of an `expect` line: white space and `#` end it, outside the quotes of a pinned name.
_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s#])+')


def read_keyword(draft: Draft, line: Line) -> None:
    """Take one keyword line into the draft. Raises Fault."""
    assert line.keyword is not None
    _READERS[line.keyword](draft, line)


def _cursor(line: Line) -> Cursor:
    cursor = Cursor(line.content)
    cursor.at = line.rest_at
    cursor.skip_space()
    if _ended(cursor):
        raise Fault(cursor.at, f"nothing after `{line.keyword}`", _FORMS[line.keyword or ""], "keyword-line")
    return cursor


def _ended(cursor: Cursor) -> bool:
    """White space is skipped; whether the line, or what of it is no comment, ends here."""
    cursor.skip_space()
    return cursor.done() or cursor.peek() == "#"


def _text(line: Line) -> str:
    text = line.content[line.rest_at :].strip()
    if not text:
        raise Fault(line.rest_at, f"nothing after `{line.keyword}`", "a text", "keyword-line")
    wrong = text_fault(text)
    if wrong:
        raise Fault(line.rest_at, f"a text that {wrong}", "text of whole characters", "text")
    return text


def _schedule(draft: Draft, line: Line) -> None:
    cursor = _cursor(line)
    draft.name = cursor.name("the name of a schedule")
    _end(cursor)


def _end(cursor: Cursor) -> None:
    if not _ended(cursor):
        raise Fault(
            cursor.at,
            f"{cursor.found()} at the end of a keyword line",
            "the end of the line, or a comment",
            "keyword-line",
        )


def _source(draft: Draft, line: Line) -> None:
    draft.sources.append(_text(line))


def _note(draft: Draft, line: Line) -> None:
    draft.notes.append(_text(line))


def _init(draft: Draft, line: Line) -> None:
    cursor = _cursor(line)
    while not _ended(cursor):
        start = cursor.at
        reference = cursor.reference("an item")
        if reference.label != INITIAL:
            raise Fault(
                start,
                "an init entry that is not about version 0",
                f"version 0, such as x0=100 or {reference.item.name}@0 (a value with blanks is quoted)",
                "init",
            )
        if reference.item in draft.init:
            raise Fault(start, f"a second init entry for {reference.item.name}", "one entry per item", "init")
        value = cursor.value() if cursor.take("=") else None
        predicates: list[str] = []
        prov = None
        while True:
            cursor.skip_space()
            mark = cursor.at
            word = cursor.piece() if not _ended(cursor) else None
            clause = word.text if word is not None and not word.quoted else None
            if clause == "in" and not predicates and prov is None:
                cursor.skip_space()
                predicates.append(cursor.name("a predicate"))
                while cursor.take(","):
                    cursor.skip_space()
                    predicates.append(cursor.name("a predicate"))
            elif clause == "prov" and prov is None:
                cursor.skip_space()
                begin = cursor.at
                while not cursor.done() and not cursor.peek().isspace() and cursor.peek() != "#":
                    cursor.at += 1
                prov = cursor.text[begin : cursor.at]
                wrong = polynomial_fault(prov)
                if wrong:
                    raise Fault(begin, wrong, "sums of products of numbers and names", "provenance")
            else:
                cursor.at = mark
                break
        draft.mention(line, start, reference.item, reference.partition)
        draft.init[reference.item] = InitialVersion(value, tuple(predicates), prov)


def _order(draft: Draft, line: Line) -> None:
    cursor = _cursor(line)
    start = cursor.at
    reference = cursor.reference("an item", versions=False)
    cursor.need(":", "after the item of an order")
    labels: list[str] = []
    while not _ended(cursor):
        at = cursor.at
        label = cursor.label("where a version should stand")
        if label == INITIAL and labels:
            raise Fault(at, "version 0 behind another version", "0 first, or left out", "order")
        labels.append(label)
    if labels[:1] == [INITIAL]:
        del labels[0]
    if reference.item in draft.order:
        raise Fault(start, f"a second order of {reference.item.name}", "one order per item", "order")
    draft.mention(line, start, reference.item, reference.partition)
    draft.order[reference.item] = tuple(labels)
    draft.parts["order", reference.item] = (line, start)


def _session(draft: Draft, line: Line) -> None:
    cursor = _cursor(line)
    start = cursor.at
    session = cursor.any_name("a session")
    cursor.need(":", "after the name of a session")
    txns: list[str] = []
    while not _ended(cursor):
        txns.append(cursor.txn())
    if session in draft.sessions:
        raise Fault(start, f"a second line for session {session}", "one line per session", "session")
    draft.sessions[session] = tuple(txns)
    draft.parts["session", session] = (line, start)


def _surface(draft: Draft, line: Line) -> None:
    cursor = _cursor(line)
    while not _ended(cursor):
        at = cursor.at
        part = cursor.name("a part of the recovery surface")
        if part not in SURFACE_PARTS:
            raise Fault(
                at, f"surface {part!r}", f"one of {', '.join(SURFACE_PARTS)}, with :table where it has one", "surface"
            )
        table = cursor.name("a table") if cursor.take(":") else None
        if Surface(part, table) not in draft.surface:
            draft.surface.append(Surface(part, table))


def _expect(draft: Draft, line: Line) -> None:
    cursor = _cursor(line)
    start = cursor.at
    words: list[tuple[int, str]] = []
    while not _ended(cursor):
        at = cursor.at
        match = _WORD.match(cursor.text, at)
        cursor.at = match.end() if match else at + 1
        words.append((at, cursor.text[at : cursor.at]))
    kind, family = "present", None
    first = words[0][1]
    if first == "not":
        kind = "absent"
    elif first == "level" or (first.startswith("level[") and first.endswith("]")):
        kind, family = "level", None if first == "level" else first[6:-1]
    if kind != "present":
        words = words[1:]
    if not words:
        raise Fault(cursor.at, f"nothing after `expect {first}`", _FORMS["expect"], "keyword-line")
    for at, word in words:
        if word.endswith(","):
            raise Fault(at, f"{word!r} with a comma", "names set apart by white space alone", "expectation")
    if kind == "present" and first.casefold() in ("no", "absent", "never", "without"):
        raise Fault(words[0][0], f"`expect {first}`", "`expect not` and the phenomena", "expectation")
    if kind == "present" and first.startswith("level"):
        raise Fault(
            words[0][0],
            f"`expect {first}`",
            "`expect level` or `expect level[family]`, and the strongest levels",
            "expectation",
        )
    columns = (*(at + 1 for at, _ in words), start + len("level[") + 1)
    expectation = Expectation(kind, tuple(word for _, word in words), family, line.number, columns)
    wrong = expectation_fault(expectation)
    if wrong:
        raise Fault(start, wrong, _FORMS["expect"], "expectation")
    draft.expect.append(expectation)


_FORMS = {
    "schedule": "a name",
    "init": "entries such as `x0=100 y0 in P z0 prov p1`",
    "order": "an item and its installed versions, such as x: 0 1 2",
    "session": "a session and its transactions, such as s1: 1 3",
    "surface": "parts such as closed history:log",
    "expect": "phenomena, `not` and phenomena, or `level` and levels",
}

_READERS: dict[str, Callable[[Draft, Line], None]] = {
    "schedule": _schedule,
    "source": _source,
    "note": _note,
    "init": _init,
    "order": _order,
    "session": _session,
    "surface": _surface,
    "expect": _expect,
}

__all__ = ["is_plain", "read_keyword"]
