"""One line of events: both dialects of NOTATION, read into events with their columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from ..events import (
    DEFAULT_TABLE,
    OPERATORS,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Write,
    WriteKind,
)
from ..events.limits import GIVE_UP
from ..events.provenance import polynomial_fault
from ..events.values import json_text
from .cursor import Cursor, Fault, Reference
from .names import CLAUSES, is_plain

CLOSING = {"[": "]", "(": ")"}
_BRACKET = re.compile(r"[\[\](){}]")
_ADYA_PREDICATE = re.compile(r"\([^\[\](){}]*:[\s)]")

#: What a keyword line of a schedule file begins with.
KEYWORDS = ("schedule", "source", "init", "order", "session", "surface", "expect", "note")


@dataclass(slots=True)
class Placed:
    """An event with its column (from 0), and the partitions its references stated."""

    event: Event
    at: int
    partitions: list[tuple[Item, Partition]]
    #: a bare `r1[P]`, which is a predicate read if P occurs elsewhere as a predicate (`r1["P"]` reads the item P)
    bare: bool = False


class LineReader:
    """Reads the events of one line; a fault is reported and reading goes on at the next event."""

    def __init__(self, text: str, report: Callable[[Fault], None]) -> None:
        self.cursor = Cursor(text)
        self.report = report
        self.partitions: list[tuple[Item, Partition]] = []
        self.bare = False
        #: where the first bracket behind the last fault stands
        self.bracket = -1

    def read(self) -> list[Placed]:
        """Every event of the line that could be read."""
        placed: list[Placed] = []
        cursor = self.cursor
        faults = 0
        while True:
            cursor.skip_space()
            if cursor.done() or cursor.peek() == "#" or faults > GIVE_UP:
                return placed
            start = cursor.at
            self.partitions, self.bare = [], False
            try:
                event = self.event()
                self._boundary()
                placed.append(Placed(event, start, self.partitions, self.bare))
            except Fault as fault:
                faults += 1
                self.report(fault)
                cursor.at = self._resume(max(cursor.at, start + 1))

    def _boundary(self) -> None:
        cursor = self.cursor
        if not (
            cursor.done() or cursor.peek().isspace() or cursor.peek() == "#" or cursor.text[cursor.at - 1] in "])}"
        ):
            raise Fault(cursor.at, f"{cursor.found()} right after an event", "white space between events")

    def _resume(self, at: int) -> int:
        """Where reading goes on after a fault: behind the bracket that is open, or at the next white space."""
        text = self.cursor.text
        while at < len(text) and not text[at].isspace():
            if text[at] in "])}":
                return self._behind(at)
            at += 1
        if self.bracket < at:
            following = _BRACKET.search(text, at)
            self.bracket = following.start() if following else len(text)
        return self._behind(self.bracket) if text[self.bracket : self.bracket + 1] in ("]", ")", "}") else at

    def _behind(self, at: int) -> int:
        """Behind the closing brackets that begin here."""
        text = self.cursor.text
        while at < len(text) and text[at] in "])}":
            at += 1
        return at

    def event(self) -> Event:
        cursor = self.cursor
        start = cursor.at
        if cursor.text.startswith("cb", start):
            cursor.at += 2
            return self.callback(cursor.txn())
        letter = cursor.peek()
        if letter == "" or letter not in "bcarwj":
            what = f"{cursor.found()} where an event should stand"
            keyword = _keyword_meant(cursor)
            if keyword is not None:
                cursor.at = len(cursor.text)  # the rest of the line is no event either
                raise Fault(start, what, keyword, "event")
            raise Fault(start, what, _event_hint(cursor), "event")
        cursor.at += 1
        txn = cursor.txn()
        if letter in "bca":
            return {"b": Begin, "c": Commit, "a": Abort}[letter](txn)
        if letter == "j":
            return self.judge(txn)
        if letter == "w":
            return self.write(txn)
        if cursor.peek() == "{":
            return self.predicate_read(txn, "}")
        if _ADYA_PREDICATE.match(cursor.text, cursor.at):
            return self.predicate_read(txn, ")")
        return self.item_read(txn)

    def _open(self, kinds: str, what: str) -> str:
        """Take an opening bracket and the white space behind it; the bracket that closes it."""
        mark = self.cursor.peek()
        if not mark or mark not in kinds:
            raise Fault(self.cursor.at, f"{self.cursor.found()} after {what}", " or ".join(f"`{k}`" for k in kinds))
        self.cursor.at += 1
        self.cursor.skip_space()
        return CLOSING[mark]

    def _keep(self, reference: Reference) -> Item:
        if reference.partition is not None:
            self.partitions.append((reference.item, reference.partition))
        return reference.item

    def _value(self, closing: str) -> str | None:
        """`=value`, or in Adya's dialect `, value`."""
        cursor = self.cursor
        cursor.skip_space()
        if cursor.take("=") or (closing == ")" and cursor.take(",")):
            cursor.skip_space()
            return cursor.value()
        return None

    def item_read(self, txn: str) -> Event:
        cursor = self.cursor
        closing = self._open("[(", f"r{txn}")
        reference = cursor.reference("an item")
        value = self._value(closing)
        cursor.skip_space()
        cursor.need(closing, "in a read")
        needless = reference.quoted and is_plain(reference.item.name) and reference.item.name not in CLAUSES
        self.bare = reference.label is None and value is None and reference.partition is None and not needless
        return Read(txn, self._keep(reference), reference.label, value)

    def write(self, txn: str) -> Event:
        cursor = self.cursor
        closing = self._open("[(", f"w{txn}")
        kind = WriteKind.INSERT if cursor.take("+") else WriteKind.DELETE if cursor.take("-") else WriteKind.UPDATE
        item = cursor.reference("an item")
        value = self._value(closing)
        predicates: list[str] = []
        prov = operator = None
        while True:
            cursor.skip_space()
            if cursor.done() or cursor.peek() == closing:
                break
            start = cursor.at
            word = cursor.piece()
            clause = word.text if word is not None and not word.quoted else None
            if clause == "in" and not predicates and prov is None and operator is None:
                predicates.append(self._spaced("a predicate"))
                while cursor.take(","):
                    predicates.append(self._spaced("a predicate"))
            elif clause == "prov" and prov is None and operator is None:
                cursor.skip_space()
                prov = self._polynomial(closing)
            elif clause == "by" and operator is None:
                cursor.skip_space()
                at = cursor.at
                operator = cursor.name("an operator")
                if operator not in OPERATORS:
                    raise Fault(at, f"operator {operator!r}", f"one of {', '.join(OPERATORS)}", "operator")
            else:
                cursor.at = start
                raise Fault(
                    start,
                    f"{cursor.found()} in a write",
                    "the clauses `in P, Q`, `prov polynomial`, `by operator`, in this order, once each (a value with "
                    "blanks, or a name with other characters, is quoted)",
                    "clauses",
                )
        cursor.need(closing, "in a write")
        return Write(txn, self._keep(item), item.label, value, kind, tuple(predicates), prov, operator)

    def _spaced(self, what: str) -> str:
        self.cursor.skip_space()
        return self.cursor.name(what)

    def _polynomial(self, closing: str) -> str:
        cursor = self.cursor
        start = cursor.at
        while not cursor.done() and not cursor.peek().isspace() and cursor.peek() != closing:
            cursor.at += 1
        text = cursor.text[start : cursor.at]
        wrong = polynomial_fault(text)
        if wrong:
            raise Fault(start, wrong, "sums of products of numbers and names, such as p1+2*p2*t1", "provenance")
        return text

    def predicate_read(self, txn: str, closing: str) -> Event:
        cursor = self.cursor
        cursor.at += 1
        cursor.skip_space()
        predicate = self.predicate()
        if not cursor.take(":"):
            raise Fault(
                cursor.at,
                f"{cursor.found()} after the predicate",
                '`:` (a name with other characters is quoted, as in r1{"user=alice": x0})',
            )
        matched: list[Row] = []
        unmatched: list[Row] = []
        partial = False
        rows, comma = matched, False
        while True:
            cursor.skip_space()
            if cursor.take("..."):
                partial = True
                cursor.skip_space()
                break
            if rows is matched and not comma and cursor.take(";"):
                rows = unmatched
                continue
            if cursor.peek() == closing and (not rows or not comma):
                break
            reference = cursor.reference("a row", table=predicate.table)
            rows.append(Row(self._keep(reference), reference.label))
            cursor.skip_space()
            comma = cursor.take(",")
            if not comma and not (rows is matched and cursor.peek() == ";"):
                break
        if cursor.peek() != closing:
            raise Fault(cursor.at, f"{cursor.found()} among the rows of a predicate read", f"`,` or `{closing}`")
        cursor.at += 1
        return PredicateRead(txn, predicate, tuple(matched), tuple(unmatched), partial)

    def predicate(self) -> Predicate:
        """`P` or `table:P`, before the colon that opens the rows."""
        cursor = self.cursor
        first = cursor.name("a predicate")
        if cursor.peek() == ":" and not cursor.text[cursor.at + 1 : cursor.at + 2].isspace():
            start = cursor.at
            cursor.at += 1
            try:
                second = cursor.name("a predicate")
            except Fault:
                second = None
            if second is not None and cursor.peek() == ":":
                return Predicate(first, second)
            cursor.at = start
        return Predicate(DEFAULT_TABLE, first)

    def judge(self, txn: str) -> Event:
        cursor = self.cursor
        self._open("(", f"j{txn}")
        reads = cursor.name("a read set")
        self._comma("j1(R, theta)")
        theta = cursor.name("θ")
        cursor.skip_space()
        cursor.need(")", "in a judge call")
        vote = cursor.value() if cursor.take("=") else None
        return Judge(txn, reads, theta_text(theta), None if vote == "null" else vote)

    def callback(self, txn: str) -> Event:
        cursor = self.cursor
        self._open("(", f"cb{txn}")
        reads = cursor.name("a read set")
        self._comma("cb1(R, h, 1)")
        request = cursor.name("a request hash")
        self._comma("cb1(R, h, 1)")
        start = cursor.at
        while cursor.peek().isascii() and cursor.peek().isdigit():
            cursor.at += 1
        digits = cursor.text[start : cursor.at]
        if not digits or len(digits) > 9:
            raise Fault(start, f"{cursor.found()} as a winner index", "a number from 0, of at most nine digits")
        cursor.skip_space()
        cursor.need(")", "in a callback")
        return Callback(txn, reads, request, int(digits))

    def _comma(self, form: str) -> None:
        self.cursor.skip_space()
        self.cursor.need(",", f"where `{form}` has a comma")
        self.cursor.skip_space()


def _event_hint(cursor: Cursor) -> str:
    """What to write instead, for the slips that people make."""
    if cursor.peek(2) in ("//", "--"):
        return "an event; comments begin with #"
    if cursor.peek() in (",", ";"):
        return "an event; events are set apart by white space"
    if cursor.peek() in tuple("BCARWJ"):
        return "an event; the letters of events are lower case, as in r1[x0]"
    return "one of b c a r w j cb and a transaction, as in r1[x0]"


def _keyword_meant(cursor: Cursor) -> str | None:
    """What was expected of a line that begins with a word like a keyword's; None if it begins with none."""
    word = "" if cursor.text[: cursor.at].strip() or cursor.done() else cursor.text.split(None, 1)[0]
    near = get_close_matches(word, KEYWORDS, n=1, cutoff=0.7)
    if near:
        return f"an event, or a keyword (did you mean `{near[0]}`?)"
    return f"an event such as r1[x0], or a keyword: {', '.join(KEYWORDS)}" if word.isalpha() and len(word) > 2 else None


def theta_text(theta: str) -> str:
    """The canonical θ of a name; `θ` itself is accepted for `theta`."""
    return json_text("theta" if theta == "θ" else theta)
