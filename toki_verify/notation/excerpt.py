"""The text around a fault, on one line, and where in it the fault is."""

from __future__ import annotations

WIDTH = 60


def excerpt(line: str, at: int) -> tuple[str, int]:
    """A piece of a line around an offset, and the offset in it. What is cut off is marked; control characters and tabs
    become blanks, so that a caret set under it stands right."""
    at = max(0, min(at, len(line)))
    start = 0 if len(line) <= WIDTH else max(0, min(at - WIDTH // 2, len(line) - WIDTH))
    piece = line[start : start + WIDTH]
    if start:
        piece = "…" + piece[1:]
    if start + WIDTH < len(line):
        piece = piece[:-1] + "…"
    piece = "".join(character if character.isprintable() else " " for character in piece)
    caret = at - start
    stripped = piece.lstrip()
    return stripped.rstrip(), max(0, caret - (len(piece) - len(stripped)))
