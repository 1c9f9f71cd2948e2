"""What a name may be: not empty, not too long, whole characters, compared in NFC."""

from __future__ import annotations

import unicodedata

from .limits import NAME_LENGTH
from .values import has_surrogate


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


