"""Whether the completion of a Jepsen operation says the same as its invocation.

An invocation has the micro-operations that a transaction is to do, with nil for what it is to read; its completion has
the same ones, with what was read filled in (Kingsbury and Alvaro 2020, section 3). A completion with others is of
another transaction: which of the two the store did is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .edn import Exact, Keyword
from .gather import Shown

EXPECTED: Final = "the micro-operations of the invocation, with only the values of reads filled in"
RULE: Final = "contradiction"
#: Characters of a key or a value in a message.
_SHOWN: Final = 30
#: What an invocation surely may have for what is to be read.
_READ: Final = frozenset((type(None), int, float, bool, str, Keyword, Exact))
_Micro = tuple[str, str, Shown]


def shaped(value: object) -> bool:
    """Whether the value of an operation may be micro-operations; nil, words of an error and maps are none."""
    return value is not None and not isinstance(value, str | int | float | dict)


def same_micros(done: object, meant: object) -> bool:
    """Whether two vectors certainly agree, by a quick look; `done` is known to be of micro-operations. Where this does
    not say so, `contradiction` knows."""
    if type(done) is not list or type(meant) is not list or len(done) != len(meant):
        return False
    for one, other in zip(done, meant, strict=True):
        if type(other) is not list or len(other) != 3:
            return False
        name, key, value = one
        if other[0] != name or other[1] != key or type(other[1]) is not type(key):
            return False
        if name == "r":
            if type(other[2]) not in _READ:
                return False  # `contradiction` is not asked before the value is looked at
        elif other[2] != value or type(other[2]) is not type(value):
            return False
    return True


def contradiction(
    completed: Sequence[_Micro], invoked: Sequence[_Micro], line: int, invoked_line: int
) -> tuple[int | None, str] | None:
    """What a completion (in `line`) has that its invocation does not: the place of a micro-operation (None: there are
    fewer or more of them) and the words; None where both agree. What an invocation says of its reads does not count."""
    for place, (done, meant) in enumerate(zip(completed, invoked, strict=False)):
        if done[1] != meant[1] or done[0] != meant[0] or (done[2] != meant[2] and done[0] != "r"):
            return place, f"{_text(done)} completed in line {line} and {_text(meant)} invoked in line {invoked_line}"
    if len(completed) == len(invoked):
        return None
    count = f"{len(completed)} micro-operation{'s' * (len(completed) != 1)}"
    return None, f"{count} completed in line {line} and {len(invoked)} invoked in line {invoked_line}"


def _text(micro: _Micro) -> str:
    name, key, value = micro
    words = "nil" if value is None else value if isinstance(value, str) else f"[{' '.join(value)}]"
    return f"[:{name} {_cut(key)} {_cut(words)}]"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
