"""A cursor over one line of notation: names, references, values. Faults carry the column."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..events import DEFAULT_TABLE, INITIAL, Item, Partition
from ..events.limits import NAME_LENGTH
from ..events.names import normal_name
from ..events.values import JsonText, json_text
from .jsontext import NUMBER, JsonFault, parse_value
from .names import ASCII_RUN, is_name_character, is_plain


class Fault(Exception):
    """A fault in one line of text: the offset in the line, what it is, what was expected, the rule."""

    def __init__(self, at: int, what: str, expected: str, rule: str = "notation") -> None:
        super().__init__(what)
        self.at, self.what, self.expected, self.rule = at, what, expected, rule


class Piece(NamedTuple):
    """A run of name characters (of any length: it may be a name and a version, or two names), or a quoted name."""

    text: str
    quoted: bool
    at: int


class Reference(NamedTuple):
    """A parsed reference: the item, its version label (None: not stated), its partition if stated."""

    item: Item
    label: str | None
    partition: Partition | None
    quoted: bool


_TRAILING = re.compile(r"[0-9]+$")
_WORD = re.compile(r"[^\s,;\]\)\}\[\(\{#\"]+")


class Cursor:
    """Reads tokens of one line from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    # -- characters --------------------------------------------------------------------------------------------
    def peek(self, count: int = 1) -> str:
        return self.text[self.at : self.at + count]

    def done(self) -> bool:
        return self.at >= len(self.text)

    def skip_space(self) -> bool:
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at > start

    def take(self, literal: str) -> bool:
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def found(self) -> str:
        """What stands here, for messages."""
        words = self.text[self.at : self.at + 10].split()
        return "the end of the line" if self.done() else repr(words[0] if words else " ")

    def need(self, literal: str, what: str) -> None:
        if not self.take(literal):
            raise Fault(self.at, f"{self.found()} {what}", f"`{literal}`")

    # -- names -------------------------------------------------------------------------------------------------
    def piece(self) -> Piece | None:
        """A quoted name or a run of name characters; None if neither begins here."""
        start = self.at
        if self.peek() == '"':
            try:
                node, self.at = parse_value(self.text, self.at)
            except JsonFault as fault:
                raise Fault(fault.offset, fault.what, "a quoted name, closed on the same line", "quoting") from None
            return Piece(self._checked(str(node.value), start), True, start)
        while self.at < len(self.text) and is_name_character(self.text[self.at]):
            run = ASCII_RUN.match(self.text, self.at + 1)
            assert run is not None  # it may be empty
            self.at = run.end()
        if self.at == start:
            return None
        return Piece(normal_name(self.text[start : self.at]), False, start)

    @staticmethod
    def _checked(name: str, at: int) -> str:
        if len(name) > NAME_LENGTH:
            raise Fault(at, f"a name of {len(name)} characters", f"at most {NAME_LENGTH}", "limit-name")
        if not name:
            raise Fault(at, "an empty name", "at least one character", "name")
        if "\0" in name:
            raise Fault(at, "a name with a NUL character", "a name without NUL", "name")
        return normal_name(name)

    def name(self, what: str) -> str:
        """One name, plain or quoted. `what` completes "where … should stand"."""
        piece = self.piece()
        if piece is None:
            raise Fault(self.at, f"{self.found()} where {what} should stand", "a name; other characters need quotes")
        return self.plain(piece, what)

    @classmethod
    def plain(cls, piece: Piece, what: str) -> str:
        """The name that a piece is. Raises Fault where it needs quotes or is too long."""
        if not piece.quoted and not is_plain(piece.text):
            raise Fault(
                piece.at,
                f"{piece.text[:40]!r} as {what}",
                'a name that is not only digits and does not begin with "-" or "."; or quotes',
                "name",
            )
        return cls._checked(piece.text, piece.at)

    def txn(self) -> str:
        """A transaction id: a number without leading zeros, or T and a name."""
        start = self.at
        if self.take("T"):
            piece = self.piece()
            if piece is None:
                raise Fault(self.at, f"{self.found()} after T", "the name of a transaction")
            if not piece.quoted and piece.text.isascii() and piece.text.isdigit():
                return self._number(piece.text, start)
            return self.plain(piece, "a transaction name")
        while self.peek().isascii() and self.peek().isdigit():
            self.at += 1
        if self.at == start:
            raise Fault(start, f"{self.found()} where a transaction should stand", "a number, or T and a name")
        return self._number(self.text[start : self.at], start)

    def _number(self, digits: str, at: int) -> str:
        if len(digits) > 1 and digits[0] == "0":
            raise Fault(
                at, f"transaction {digits[:40]} with a leading zero", "a number without leading zeros", "leading-zero"
            )
        return self._checked(digits, at)

    def any_name(self, what: str) -> str:
        """One name; an unquoted one may also be only digits or begin with a mark."""
        piece = self.piece()
        if piece is None:
            raise Fault(self.at, f"{self.found()} where {what} should stand", "a name or a number")
        return self._checked(piece.text, piece.at)

    # -- references --------------------------------------------------------------------------------------------
    def segment(self) -> list[Piece]:
        """Adjacent pieces: a table, an item, or `subject.predicate`, as they stand."""
        pieces = []
        while (piece := self.piece()) is not None:
            pieces.append(piece)
        return pieces

    def reference(self, what: str, *, versions: bool = True, table: str | None = None) -> Reference:
        """`[table:][subject.predicate/]item[version]`. `table`: the table is known and not written."""
        start = self.at
        segments = [self.segment()]
        marks: list[str] = []
        while self.peek() == "/" or (self.peek() == ":" and self._table_colon(marks, table)):
            marks.append(self.peek())
            self.at += 1
            segments.append(self.segment())
        if not all(segments):
            raise Fault(
                self.at if not segments[-1] else start,
                f"{self.found()} where {what} should stand",
                "a name; other characters need quotes",
            )
        if marks.count("/") > 1 or (":" in marks and marks.index(":") > 0):
            raise Fault(start, "a reference with too many `/` or `:`", "table:subject.predicate/item, quoted per part")
        if ":" in marks:
            table = self.plain(self.single(segments.pop(0), "a table"), "a table")
        partition = self.partition(segments.pop(0)) if "/" in marks else None
        piece = self.single(segments[0], what)
        name, label = piece.text, None
        if versions and not piece.quoted:
            name, label = self._split(piece)
        if name and not piece.quoted:
            self.plain(Piece(name, False, piece.at), what)
        if self.peek() == "@" and versions:
            if label is not None:
                name, label = piece.text, None
                self.plain(piece, what)
            self.at += 1
            label = self.label()
        elif not name:
            raise Fault(piece.at, f"{piece.text[:40]!r} as {what}", "a name that is not only digits", "name")
        return Reference(Item(table or DEFAULT_TABLE, name), label, partition, piece.quoted)

    def _table_colon(self, marks: list[str], table: str | None) -> bool:
        after = self.text[self.at + 1 : self.at + 2]
        return not marks and table is None and (after == '"' or (after != "" and is_name_character(after)))

    def single(self, pieces: list[Piece], what: str) -> Piece:
        if len(pieces) != 1:
            raise Fault(pieces[0].at, f"{what} in several parts", "one name, quoted as a whole", "quoting")
        return pieces[0]

    def _split(self, piece: Piece) -> tuple[str, str | None]:
        """A plain name and its trailing version digits."""
        digits = _TRAILING.search(piece.text)
        if digits is None or self.peek() == "@":
            return piece.text, None
        label = digits.group()
        name = piece.text[: digits.start()]
        if name and len(label) > 1 and label[0] == "0":
            raise Fault(
                piece.at,
                f"version {label[:40]} with a leading zero",
                f"a version without leading zeros, or {piece.text[:40]}@… if {piece.text[:40]} is the item",
                "leading-zero",
            )
        return name, self._checked(label, piece.at)

    def label(self, where: str = "after @") -> str:
        """A version label: digits without leading zeros, or a name."""
        piece = self.piece()
        if piece is None:
            raise Fault(self.at, f"{self.found()} {where}", "a version label")
        if piece.quoted:
            return piece.text
        if piece.text.isascii() and piece.text.isdigit():
            if piece.text != INITIAL and piece.text[0] == "0":
                raise Fault(
                    piece.at,
                    f"version {piece.text[:40]} with a leading zero",
                    "a version without leading zeros",
                    "leading-zero",
                )
            return self._checked(piece.text, piece.at)
        return self.plain(piece, "a version label")

    def partition(self, pieces: list[Piece]) -> Partition:
        """`subject.predicate`, split at the first unquoted dot."""
        for index, piece in enumerate(pieces):
            if not piece.quoted and "." in piece.text:
                dot = piece.text.index(".")
                before = Piece(piece.text[:dot], False, piece.at)
                after = Piece(piece.text[dot + 1 :], False, piece.at + dot + 1)
                left = [*pieces[:index], *([before] if before.text else [])]
                right = [*([after] if after.text else []), *pieces[index + 1 :]]
                if left and right:
                    subject = self.plain(self.single(left, "a partition's subject"), "a partition's subject")
                    return Partition(
                        subject, self.plain(self.single(right, "a partition's predicate"), "a partition's predicate")
                    )
        raise Fault(pieces[0].at, "a partition without its two parts", "subject.predicate before the `/`", "partition")

    # -- values ------------------------------------------------------------------------------------------------
    def value(self) -> JsonText:
        """A JSON value or a bare word (a string)."""
        start = self.at
        if self.peek() and self.peek() in '"{[':
            try:
                node, self.at = parse_value(self.text, start)
            except JsonFault as fault:
                raise Fault(fault.offset, fault.what, fault.expected, fault.rule) from None
            return node.text()
        match = _WORD.match(self.text, start)
        if match is None:
            raise Fault(start, f"{self.found()} where a value should stand", "JSON or a bare word", "value")
        word, self.at = match.group(), match.end()
        if word in ("true", "false", "null"):
            return word
        if NUMBER.fullmatch(word):
            try:
                return parse_value(word, 0)[0].text()
            except JsonFault as fault:
                raise Fault(start, fault.what, fault.expected, fault.rule) from None
        if not is_plain(word):
            raise Fault(start, f"{word[:20]!r} as a value", "JSON or a bare word; other strings need quotes", "value")
        return json_text(self._checked(word, start))
