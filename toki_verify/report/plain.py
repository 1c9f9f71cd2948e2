"""Text that is safe to show: characters that would hide, reorder or break it are written out, long text is cut."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from ..events import Schedule
from ..explain.evidence import Edge
from ..notation.names import item_text, predicate_text

#: Categories that no label needs: controls, formats (joiners apart), surrogates, line and paragraph separators.
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINERS = "\u200c\u200d"


def visible(text: str, keep: str = "") -> str:
    """The text with every control, bidirectional override and non-character as `\\uXXXX`; those in `keep` stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in keep or not _hidden(c) else f"\\u{ord(c):04x}" for c in text)


def _hidden(character: str) -> bool:
    code = ord(character)
    return (unicodedata.category(character) in _HIDDEN and character not in _JOINERS) or code & 0xFFFE == 0xFFFE


def xml(text: str, keep: str = "") -> str:
    """The text for XML and HTML, in content or between double quotes; right-to-left runs stay where they stand."""
    shown = _isolated(visible(text, keep))
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        shown = shown.replace(character, entity)
    return shown


def _isolated(text: str) -> str:
    """Each right-to-left run between isolates, so that it cannot reorder the signs around it."""
    if text.isascii():
        return text
    out, run = [], ""
    for character in f"{text}\0":
        kind = unicodedata.bidirectional(character)
        if kind in ("R", "AL") or (run and (kind == "NSM" or character.isspace())):
            run += character
            continue
        if run:
            word = run.rstrip()
            out.append(f"\u2067{word}\u2069{run[len(word) :]}")
            run = ""
        out.append(character)
    return "".join(out[:-1])


def columns(text: str) -> float:
    """How many monospace columns a text takes, roughly: wide characters and emoji two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0.0
        if unicodedata.combining(c) or c in _JOINERS or "\ufe00" <= c <= "\ufe0f"
        else 1.0
        if c.isascii()
        else 2.0
        if unicodedata.east_asian_width(c) in "WF"
        else 1.3
        for c in text
    )


def cut(text: str, limit: int) -> str:
    """The text cut to `limit` columns, with an ellipsis where something is left out."""
    if columns(text) <= limit:
        return text
    used, out = 1.0, []
    for character in text:
        used += columns(character)
        if used > limit:
            break
        out.append(character)
    return "".join(out) + "…"


def subject(edge: Edge, schedule: Schedule) -> str:
    """The item or predicate an edge is about, in notation; empty for session and start edges."""
    if edge.predicate is not None:
        return predicate_text(edge.predicate)
    return "" if edge.item is None else item_text(edge.item, schedule.partitions.get(edge.item))


def kind_name(kind: str) -> str:
    """The kind as the literature writes it: an immediate write dependency is `ww`."""
    return "ww" if kind == "ww1" else kind


def listed(names: Iterable[str], limit: int = 4) -> str:
    """Names without repetition: `x, y, z, w and 3 more`."""
    found = list(dict.fromkeys(names))
    more = f" and {len(found) - limit} more" if len(found) > limit else ""
    return ", ".join(found[:limit]) + more


def edge_label(kind: str, subjects: Iterable[str], width: int = 32) -> str:
    """`rw x`, or `rw x, y` for several."""
    return f"{kind_name(kind)} {listed(cut(visible(name), width) for name in subjects if name)}".rstrip()
