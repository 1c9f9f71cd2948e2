"""Lines of styled text as plain data: printed with rich on a terminal, and without importing it elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces of text, each with a style of rich ("" for none)."""

    pieces: tuple[tuple[str, str], ...] = ()

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.pieces)

    def rich(self) -> object:
        """The line as a rich Text."""
        from rich.text import Text

        return Text.assemble(*self.pieces)


def line(*parts: tuple[str, str] | str) -> Line:
    """A line of plain strings and (string, style) pairs."""
    return Line(tuple((part, "") if isinstance(part, str) else part for part in parts))


def folded(text: str, indent: str, width: int, style: str = "", hang: str = "") -> Iterator[Line]:
    """A text in lines of a width, all of them indented, those behind the first one by `hang`, too."""
    from textwrap import wrap

    rows = wrap(text, max(width, 40), initial_indent=indent, subsequent_indent=indent + hang, break_on_hyphens=False)
    return (line((row, style)) for row in rows)


def plain(lines: Iterable[Line]) -> str:
    """Lines as text, each with a newline and without blanks at its end."""
    return "".join(entry.plain.rstrip() + "\n" for entry in lines)
