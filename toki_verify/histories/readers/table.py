"""Text of columns of integers, parsed by arrays; and what the readers of such text share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ...events.limits import NUMBER_DIGITS
from ..columns import Int32, Int64
from .faults import Fault, shown
from .numbers import INTEGER, first_places, integer_name, string_name

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

#: White space within lines; other white space, such as a no-break space, is none in these formats, and is shown.
BLANKS: Final = " \t\r\f\v"
#: A word that is a key, a value, a session or a transaction: an integer, or a name.
WORD: Final = r"(?:-?[0-9]+|[A-Za-z_:][\w.:/+-]*)"


def parse_columns(data: bytes, names: Sequence[str], kinds: Sequence[str], separator: str) -> pa.Table | None:
    """Columns of the given kinds (Arrow's names of types), or None if something does not fit. The empty word, and no
    other, is null.

    One thread: a process that ends while others of Arrow's are about may be aborted.
    """
    import pyarrow as pa
    import pyarrow.csv as csv  # type: ignore[import-untyped]

    try:
        return csv.read_csv(
            pa.BufferReader(data),
            read_options=csv.ReadOptions(use_threads=False, column_names=list(names), block_size=1 << 24),
            parse_options=csv.ParseOptions(delimiter=separator, quote_char=False, escape_char=False),
            convert_options=csv.ConvertOptions(
                column_types=dict(zip(names, map(pa.type_for_alias, kinds), strict=True)),
                null_values=[""],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowException:
        return None


def integers(table: pa.Table, names: Sequence[str]) -> list[Int64] | None:
    """Columns of integers, or None if a number is missing."""
    columns = [table[name] for name in names]
    if any(column.null_count for column in columns):
        return None
    return [np.array(column.to_numpy(), np.int64) for column in columns]


def by_appearance(codes: Int32, count: int) -> tuple[Int32, Int64]:
    """The codes 0 … count-1 numbered anew in the order in which they first occur: (N,); and the old one of each new
    one: (count,)."""
    order = np.argsort(first_places(codes, count), kind="stable")
    number = np.empty(count, np.int32)
    number[order] = np.arange(count, dtype=np.int32)
    return number[codes], order


def stable_order(codes: Int32, count: int) -> NDArray[np.intp]:
    """A stable argsort of codes below count; by radix where they are short."""
    return np.argsort(codes.astype(np.int16) if count < 1 << 15 else codes, kind="stable")


def resumed(count: int) -> tuple[str, ...]:
    """The warning that transactions go on after others of their session have begun."""
    if not count:
        return ()
    which = "a transaction goes" if count == 1 else f"{count} transactions go"
    return (f"{which} on after another one of the same session has begun; session order is that of their first lines",)


def word(text: str, at: int) -> str:
    """The name that a word at an offset is: an integer without zeros before it, or the word. Raises Fault."""
    if not INTEGER.fullmatch(text):
        return string_name(text) if text != "nil" else text
    if len(text) > NUMBER_DIGITS:
        most = f"at most {NUMBER_DIGITS} digits"
        raise Fault(at, f"a number of {len(text)} characters", most, "limit-digits")
    return integer_name(text)


def misfit(line: str, at: int, pieces: Sequence[str], names: Sequence[str]) -> Fault:
    """How far a line fits pieces in turn, white space between them; the name of the one that should come next."""
    place = 0
    for piece, name in zip(pieces, names, strict=True):
        place = len(line) - len(line[place:].lstrip(BLANKS))
        match = re.compile(piece, re.ASCII).match(line, place)
        if match is None:
            found = shown(line[place:].rstrip(BLANKS)) if place < len(line) else "the end of the line"
            return Fault(at + place, found, name, "line")
        place = match.end()
    place = len(line) - len(line[place:].lstrip(BLANKS))
    return Fault(at + place, shown(line[place:].rstrip(BLANKS)), "the end of the line", "line")


def cut_off(fault: Fault, text: str, end: int) -> Fault:
    """The fault; at the end of a file whose last line does not end it says that the file may be cut off."""
    if fault.rule == "line" and fault.at >= end == len(text):
        fault.what += " (the file may be cut off)"
    return fault
