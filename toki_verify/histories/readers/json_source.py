"""JSON as histories use it: one object a line, or one array of objects; each with the offset at which it begins.

A line is read by orjson and an element of an array by the standard library, neither of which knows positions, and which
keep the last of two equal keys of one object. Where one fails, where a position is wanted, or where a key may have been
dropped (`json_places.may_repeat`), the careful reader of `notation.jsontext` reads that object once more; it refuses
such keys.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

import orjson

from ...notation.jsontext import JsonFault, Node, is_lost, parse_value
from .faults import LONG_NUMBER, Fault, Faults, Text
from .json_places import locate as locate
from .json_places import may_repeat

_BLANK: Final = re.compile(r"\s*")
_NEXT: Final = re.compile(r"\n(?=[ \t]*\{)")
#: Objects that are read over several lines before a file is taken to have one a line.
_PATIENCE: Final = 3


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _double(word: str) -> float:
    value = float(word)
    if not math.isfinite(value) or is_lost(word, value):
        raise ValueError(f"{word} is no double")
    return value


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, parse_float=_double)


def _blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()


def objects(source: Text, faults: Faults, once: Sequence[str] = ()) -> Iterator[tuple[int, object]]:
    """Each object and its offset. Faults are collected, and the object left out; a key that stands twice in one object,
    at any depth, is a fault. (`once`, keys that each object has once, is no longer needed to find that out.)"""
    text = source.text
    start = _blank(text, 0)
    if text[start : start + 1] == "[":
        yield from _array(text, start, faults, source.has_long)
    else:
        yield from _lines(text, start, faults, source.inexact, source.has_long)


def _lines(text: str, at: int, faults: Faults, exact: bool, long: bool) -> Iterator[tuple[int, object]]:
    patience = _PATIENCE
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        try:
            if exact:
                value, after = decode(text, at)
                if after > end or text[after:end].strip():
                    raise ValueError
            else:
                value = orjson.loads(text[at:end])
            if may_repeat(text, at, end, value) or (long and LONG_NUMBER.search(text, at, end)):
                raise ValueError
        except ValueError:
            found, end, patience = _line(text, at, end, faults, patience)
            if found is not None:
                yield at, found.plain()
            if faults.over:
                return
        else:
            yield at, value
        at = _blank(text, end)


def _line(text: str, at: int, end: int, faults: Faults, patience: int) -> tuple[Node | None, int, int]:
    """What the careful reader makes of a line; of several lines, where an object does not end in its own."""
    line = text[at:end]
    try:
        node, after = parse_value(line, 0)
        if line[after:].strip():
            after = _blank(line, after)
            raise JsonFault(after, f"{line[after : after + 12]!r} behind an object", "the end of the line")
        node.at = at
        return node, end, patience
    except JsonFault as fault:
        if fault.offset >= len(line.rstrip()) and end < len(text) and patience:
            try:
                node, after = parse_value(text, at)
                return node, after, patience
            except JsonFault:
                patience -= 1
        what = fault.what
        if fault.offset >= len(line.rstrip()):
            if end == len(text):
                what += " (the file may be cut off)"
            else:
                what = what.replace("the end of the text", "the end of the line")
        faults.add(Fault(at + fault.offset, what, fault.expected, fault.rule))
        return None, end, patience


def decode(text: str, at: int) -> tuple[object, int]:
    """The value at an offset, and the offset behind it. Raises ValueError."""
    try:
        value, after = _DECODER.raw_decode(text, at)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value, after


def _array(text: str, start: int, faults: Faults, long: bool) -> Iterator[tuple[int, object]]:
    at = _blank(text, start + 1)
    if text[at : at + 1] == "]":
        at += 1
    else:
        while True:
            begin = at
            try:
                try:
                    value, at = decode(text, begin)
                    if may_repeat(text, begin, at, value) or (long and LONG_NUMBER.search(text, begin, at)):
                        raise ValueError
                except ValueError:
                    at = begin
                    node, at = parse_value(text, at)
                    value = node.plain()
                at = _blank(text, at)
                mark = text[at : at + 1]
                if mark not in (",", "]") or not mark:
                    what = f"{text[at : at + 12]!r}" if mark else "the end of the text"
                    raise JsonFault(at, what + ("" if mark else " (the file may be cut off)"), '"," or "]"')
            except JsonFault as fault:
                boundary = _NEXT.search(text, begin + 1)
                offset, what, expected = fault.offset, fault.what, fault.expected
                if boundary is not None and offset > boundary.start():
                    offset, what, expected = boundary.start(), "the end of the line inside an object", "a whole object"
                faults.add(Fault(offset, what, expected, fault.rule), fatal=boundary is None)
                if boundary is None or faults.over:
                    return
                at = boundary.end()
                continue
            yield begin, value
            at = _blank(text, at + 1)
            if mark == "]":
                break
    at = _blank(text, at)
    if at < len(text):
        faults.add(Fault(at, f"{text[at : at + 12]!r} behind the array", "nothing more", "json"), fatal=True)


def find_repeated(text: str, begins: Sequence[int], faults: Faults) -> None:
    """Collect keys that stand twice in one object: of the objects that begin at offsets, read carefully."""
    for at in begins:
        try:
            parse_value(text, at)
        except JsonFault as fault:
            faults.add(Fault(fault.offset, fault.what, fault.expected, fault.rule), fatal=True)
