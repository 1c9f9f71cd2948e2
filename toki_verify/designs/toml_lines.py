"""Where in a TOML file a key stands: tomllib says nothing of it, so the headers and keys are found by a scan."""

from __future__ import annotations

import re
from typing import Final

#: A place in a document: the keys and indices that lead there.
Path = tuple[str | int, ...]

_HEADER: Final = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY: Final = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=\s*(.*)""")
_PART: Final = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


def lines_of(text: str) -> dict[Path, int]:
    """The line of each table, array entry and key. Keys within inline tables have none: their key's line is nearest."""
    found: dict[Path, int] = {(): 1}
    counts: dict[Path, int] = {}
    at: Path = ()
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        if inside:  # a text of several lines
            if line.count(inside) % 2:
                inside = ""
            continue
        header = _HEADER.fullmatch(line)
        if header:
            at = ()
            parts = _parts(header[2])
            for index, part in enumerate(parts):
                at = (*at, part)
                last = index == len(parts) - 1
                if last and header[1] == "[[":
                    counts[at] = counts.get(at, -1) + 1
                if at in counts:
                    found.setdefault(at, number)
                    at = (*at, counts[at])
                found.setdefault(at, number)
            continue
        key = _KEY.match(line)
        if key:
            here = at
            for part in _parts(key[1]):
                here = (*here, part)
                found.setdefault(here, number)
        for quotes in ('"""', "'''"):
            if line.count(quotes) % 2:
                inside = quotes
    return found


def _parts(text: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(text)]


def line_of(lines: dict[Path, int], path: Path) -> int:
    """The line of a place, or of the nearest one that it is in."""
    while path not in lines:
        path = path[:-1]
    return lines[path]


def path_text(path: Path) -> str:
    """A place in words: `writers.remember[2].when`. Entries count from 1."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text
