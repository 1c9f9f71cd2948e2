"""The text around a fault, on one line, and where in it the fault is."""

from __future__ import annotations

WIDTH = 60


def excerpt(text: str, at: int, begin: int = 0, end: int | None = None) -> tuple[str, int]:
    """A piece of the line `text[begin:end]` around an offset of the text, and the offset in the piece.

    What is cut off is marked; control characters and tabs become blanks, so that a caret set under it stands right.
    The line is not copied.
    """
    last = len(text) if end is None else end
    at = max(begin, min(at, last))
    start = begin if last - begin <= WIDTH else max(begin, min(at - WIDTH // 2, last - WIDTH))
    piece = text[start : min(start + WIDTH, last)]
    if start > begin:
        piece = "…" + piece[1:]
    if start + WIDTH < last:
        piece = piece[:-1] + "…"
    piece = "".join(character if character.isprintable() else " " for character in piece)
    caret = at - start
    stripped = piece.lstrip()
    return stripped.rstrip(), max(0, caret - (len(piece) - len(stripped)))
