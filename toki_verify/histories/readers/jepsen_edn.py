"""Jepsen histories in EDN: operation maps, one a line or in one vector (`history.edn`); what they mean says `jepsen`.

A map as Jepsen prints it, with integers and keywords only, is read by one regular expression, and any other by the
reader of EDN. A map that does not end before the next line that begins with `{` is cut off there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ...notation.jsontext import Node
from ..builder import Initial
from ..columns import History
from .completions import same_micros
from .edn import OPEN_STRING, Reader
from .faults import Fault, Faults, Text
from .jepsen import Micro, Misfit, Operation, Pairing, Path, micros, operation

FORMAT: Final = "jepsen-edn"
#: Keywords with a word each, which is no number with zeros before it.
_PLAIN: Final = r"(?:[ \t,]*+:[A-Za-z][\w-]*+[ \t,]++(?![+-]?0[0-9])[\w.:/+*<>=!?&%$'|-]++)*+[ \t,]*+"
_GAP: Final = r"[ \t,]++"
_INT: Final = r"(?:0|-?[1-9][0-9]{0,30})(?![^\s,\]])"
_KEY: Final = rf"(?:{_INT}|:[A-Za-z_][\w.-]*+)"
_ELEMENTS: Final = r"(?:(?:0|-?[1-9][0-9]{0,30}+)(?:[ \t,]++|(?=\])))*+"
_MICRO: Final = (
    rf"\[:(?:(?:append|w){_GAP}{_KEY}{_GAP}{_KEY}|r{_GAP}{_KEY}{_GAP}(?:nil|{_KEY}|\[{_ELEMENTS}\]))\][ \t,]*+"
)
#: A whole operation as Jepsen prints it: what stands before :value, its micro-operations, and what stands behind.
_QUICK: Final = re.compile(
    rf"(?:#jepsen\.history\.Op[ \t]*)?\{{({_PLAIN}):value[ \t,]+\[((?:{_MICRO})*+)\]({_PLAIN})\}}", re.ASCII
)
_MICROS: Final = re.compile(r"\[:(append|w|r)[ \t,]+([^ \t,]+)[ \t,]+(?:([^\[\]]+)|\[([^\]]*)\])\]", re.ASCII)
_READS: Final = re.compile(r"(\[:r[ \t,]+[^ \t,]+)[ \t,]+(?:[^\[\]]+|\[[^\]]*\])\]", re.ASCII)
_BLANK: Final = re.compile(r"(?:[\s,]+|;[^\n]*)*")
_NEXT: Final = re.compile(r"\n(?=[ \t]*(?:#jepsen[\w.]*[ \t]*)?\{)")
#: Forms that are read over lines that begin with `{` before the file is taken to have one a line.
_PATIENCE: Final = 3


def read(text: Text, faults: Faults, initial: Initial = "auto") -> History | None:
    """The history of an EDN file, or None with faults."""

    def locate(one: Operation, path: Path) -> int:
        return _locate(text.text, one.at, path)

    pairing = Pairing(FORMAT, text, faults, _look, locate, ":invoke" in text.text, _same)
    for one in _operations(text.text, faults, pairing):
        pairing.take(one)
        if faults.over:
            return None
    return pairing.history(initial)


def _look(value: object) -> Sequence[Micro]:
    """The micro-operations of a :value: of the match that `_QUICK` found, or of a form."""
    if not isinstance(value, re.Match):
        return micros(value)
    return [
        (name, key, tuple(elements.replace(",", " ").split()) if not scalar else None if scalar == "nil" else scalar)
        for name, key, scalar, elements in _MICROS.findall(value[2])
    ]


def _same(done: object, meant: object) -> bool:
    """Whether two values certainly agree but for what was read: of matches, what stands around the values of reads."""
    if isinstance(done, re.Match) and isinstance(meant, re.Match):
        return bool(done[2] == meant[2] or _READS.split(done[2]) == _READS.split(meant[2]))
    return same_micros(done, meant)


def _operations(text: str, faults: Faults, pairing: Pairing) -> Iterator[Operation]:
    """The operations of the file, in order; forms at fault are collected."""
    at, line, counted, depth = 0, 1, 0, 0
    forms = _Forms(text, faults)
    while not faults.over:
        blank = _BLANK.match(text, at)
        at = at if blank is None else blank.end()
        if at >= len(text):
            if depth:
                faults.add(Fault(at, "the end inside of `[`", "`]`", "edn"))
            return
        line += text.count("\n", counted, at)
        counted = at
        match = _QUICK.match(text, at)
        one = None if match is None else _quick(match, at, line)
        if one is not None and match is not None:
            at = match.end()
            yield one
        elif (text[at] == "[" and depth == 0) or (text[at] == "]" and depth == 1):
            depth += 1 if text[at] == "[" else -1
            at += 1
        else:
            left_out = text.startswith("#_", at)
            node, at = forms.next(at + 2 if left_out else at)
            try:
                if node is not None and not left_out:
                    yield operation(counted, line, _plain(node))
            except Misfit as misfit:
                pairing.bad(Operation(counted, line, None, None, None, None, None), misfit)


def _quick(match: re.Match[str], at: int, line: int) -> Operation | None:
    """The operation that `_QUICK` has found, or None if a field is not as it usually is."""
    words = f"{match[1]} {match[3]}".replace(",", " ").split()
    fields = dict(zip(words[::2], words[1::2], strict=True))
    get = fields.get
    kind, process, f, index = get(":type", "nil"), get(":process", "nil"), get(":f", ":txn"), get(":index")
    if (
        len(fields) * 2 != len(words)
        or ":value" in fields
        or kind[0] != ":"
        or not (process.isdigit() or process in ("nil", ":nemesis"))
        or f != ":txn"
    ):
        return None
    if index is not None and not index.isdigit():
        index = None
    return Operation(at, line, kind[1:], None if process == "nil" else process.lstrip(":"), "txn", index, match)


class _Forms:
    """Reads the forms that `_QUICK` does not take."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.text, self.faults = text, faults
        self.patience = _PATIENCE
        self.boundary = -1

    def next(self, at: int) -> tuple[Node | None, int]:
        """The form that begins at an offset, or None if it is at fault; and where it ends or is cut off."""
        if self.boundary <= at:
            found = _NEXT.search(self.text, at)
            self.boundary = len(self.text) if found is None else found.start()
        end = self.boundary
        try:
            return Reader(self.text, end).form(at)
        except Fault as fault:
            if fault.at == end < len(self.text) or fault.what == OPEN_STRING:
                if self.patience:
                    try:
                        return Reader(self.text).form(at)
                    except Fault:
                        self.patience -= 1
                fault.what = fault.what.replace("the end", "the end of the line", 1)
            elif fault.at == end:
                fault.what += " (the file may be cut off)"
            if fault.at == end:
                fault.at = at + len(self.text[at:end].rstrip())
            self.faults.add(fault)
            return None, end


def _plain(node: Node) -> object:
    """The value of a node without positions; of a map the fields that Jepsen names."""
    if not isinstance(node.value, dict):
        return node.plain()
    return {name: member.plain() for name, member in node.value.items() if name[:1] == ":"}


def _locate(text: str, at: int, path: Path) -> int:
    """The offset of what a path leads to in the form that begins at an offset; of the last that is there."""
    try:
        node = Reader(text).form(at)[0]
    except Fault:
        return at
    for step in path:
        value = node.value
        if isinstance(value, dict) and f":{step}" in value:
            node = value[f":{step}"]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            node = value[step]
        else:
            break
    return node.at
