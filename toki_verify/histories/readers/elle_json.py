"""Jepsen histories in JSON, as elle-cli takes them: objects, one a line or in one array, with strings for keywords.

What they mean says `jepsen`. A key or value that is a string here and a keyword in EDN is not taken for the same.
"""

from __future__ import annotations

from typing import Final

from ..builder import Initial
from ..columns import History
from .faults import Faults, Text
from .jepsen import Misfit, Operation, Pairing, Path, micros, operation
from .json_source import locate, objects

FORMAT: Final = "elle-json"


def read(text: Text, faults: Faults, initial: Initial = "auto") -> History | None:
    """The history of a JSON file, or None with faults."""

    def find(one: Operation, path: Path) -> int:
        return locate(text.text, one.at, path)

    pairing = Pairing(FORMAT, text, faults, micros, find, '"invoke"' in text.text)
    line, counted = 1, 0
    for at, plain in objects(text, faults):
        line += text.text.count("\n", counted, at)
        counted = at
        try:
            one = operation(at, line, plain, str)
        except Misfit as misfit:
            pairing.bad(Operation(at, line, None, None, None, None, None), misfit)
        else:
            pairing.take(one)
        if faults.over:
            return None
    return pairing.history(initial)
