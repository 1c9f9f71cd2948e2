"""What a name may be: not empty, not too long, whole characters, compared in NFC."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .limits import NAME_LENGTH
from .values import has_surrogate

#: Line breaks in every convention; form feeds and Unicode separators are white space inside a line.
LINE_BREAK: Final = re.compile(r"\r\n|\n|\r")


def normal_name(name: str) -> str:
    """The name in Unicode normal form C, in which names are compared."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def name_fault(name: object) -> str | None:
    """What is wrong with a name, as the end of a sentence, or None if nothing is."""
    if not isinstance(name, str):
        return f"is not a string but {type(name).__name__}"
    if not name:
        return "is empty"
    if len(name) > NAME_LENGTH:
        return f"has {len(name)} characters, more than the limit of {NAME_LENGTH}"
    if has_surrogate(name):
        return "holds a lone surrogate"
    if "\0" in name:
        return "holds a NUL character"
    if normal_name(name) != name:
        return "is not in Unicode normal form C"
    return None


def text_lines(text: str | None) -> str | None:
    """Free text as keyword lines hold it: no white space around its lines, and no line empty; None for nothing."""
    kept = [line.strip() for line in LINE_BREAK.split(text or "") if line.strip()]
    return "\n".join(kept) or None


def text_fault(text: str) -> str | None:
    """What is wrong with free text, as the end of a sentence, or None if nothing is."""
    if has_surrogate(text):
        return "holds a lone surrogate"
    return "holds a NUL character" if "\0" in text else None
