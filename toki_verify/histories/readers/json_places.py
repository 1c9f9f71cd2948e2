"""Where things stand in JSON that a fast reader has read, and whether that reader dropped a repeated key.

Of two equal keys in one object the fast readers keep the last, without a word. A value that is written as JSON again
has one colon for each key that was kept, and those in its strings; the text that it was read from has one more for each
key that was dropped. So two counts of a byte tell whether a key was dropped, whatever the keys are and however deep
they stand. Only colons that are written as an escape (`\\u003a`) would disturb that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Final, NamedTuple

import orjson

Path = tuple[str | int, ...]
_ESCAPED_COLON: Final = "\\u003"
_MARK: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s"{}\[\],:]+', re.DOTALL)


class Place(NamedTuple):
    """A key or a value of a JSON text: the path to it, its offset, whether it is a key, and whether its object has that
    key before it."""

    path: Path
    at: int
    key: bool
    repeated: bool


def may_repeat(text: str, begin: int, end: int, value: object) -> bool:
    """Whether a key may stand twice in an object of the text between two offsets, of which a reader that keeps the last
    one made `value`. False is certain; True is for `repeated` or a careful reader to find out."""
    there = text.count(":", begin, end)
    if type(value) is dict and len(value) == there:
        return False  # no other colon stands there, so no object is inside of this one
    return text.find(_ESCAPED_COLON, begin, end) >= 0 or _colons(value) != there


def _colons(value: object) -> int:
    """Colons of a value written as JSON; -1 where it cannot be."""
    try:
        return orjson.dumps(value).count(b":")
    except TypeError:
        pass  # an integer beyond 64 bits, or nested more than orjson writes
    try:
        return json.dumps(value).count(":")
    except (RecursionError, ValueError):
        return -1


def places(text: str, start: int) -> Iterator[Place]:
    """Each key and each value of the JSON value that begins at an offset, in the order of the text. The text has been
    read by a reader of JSON before; of one that is none, places are given up to where it ends or breaks off."""
    path: list[str | int] = []
    keys: list[set[str] | None] = []
    key_next = False
    for match in _MARK.finditer(text, start):
        mark, at = match.group(), match.start()
        if mark in ("}", "]"):
            if not keys:
                return
            path.pop()
            keys.pop()
        elif mark == ",":
            if not keys:
                return
            own, last = keys[-1], path[-1]
            key_next = own is not None
            if own is None and isinstance(last, int):
                path[-1] = last + 1
            continue
        elif mark == ":":
            continue
        elif key_next and mark[0] == '"':
            key, own = scanstring(text, at + 1, False)[0], keys[-1]
            assert own is not None
            path[-1] = key
            yield Place(tuple(path), at, True, key in own)
            own.add(key)
            key_next = False
            continue
        else:
            yield Place(tuple(path), at, False, False)
            if mark in ("{", "["):
                path.append("" if mark == "{" else 0)
                keys.append(set() if mark == "{" else None)
                key_next = mark == "{"
        if not keys:
            return


def repeated(text: str, start: int) -> list[Place]:
    """The keys that stand in their object for the second time or more often, in the JSON value that begins at an
    offset."""
    return [place for place in places(text, start) if place.repeated]


def locate(text: str, at: int, path: Path) -> int:
    """The offset of what a path leads to in the value that begins at an offset; of the last that is there."""
    return locate_all(text, at, [path])[0]


def locate_all(text: str, at: int, paths: Sequence[Path]) -> list[int]:
    """The offsets of what several paths lead to, as `locate` finds them. The text is gone through once."""
    found: dict[Path, int] = {path[:length]: -1 for path in paths for length in range(len(path) + 1)}
    for place in places(text, at):
        if not place.key and place.path in found:
            found[place.path] = place.at
    return [_deepest(found, path, at) for path in paths]


def _deepest(found: dict[Path, int], path: Path, at: int) -> int:
    """The offset of the longest beginning of a path that is there; `at` where none is."""
    return next((there for length in range(len(path), -1, -1) if (there := found[path[:length]]) >= 0), at)
