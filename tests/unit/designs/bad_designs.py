"""Designs that are wrong, each with the words that must be said of it, from the files `bad_*.txt`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

HEAD: Final = """\
import collections, functools, itertools, os, random, secrets, sys, time, uuid
import datetime as dates
from datetime import date, datetime
from toki_verify.designs import *

GLOBAL = []
CHANCE = itertools.count()
NUMBER = 0

class Bad(Design):
    def setup(self):
        return [row("facts", "m0", subject="alice", predicate="lives_in", object="Lyon", n=0, prov="p0")]
"""
#: What stands for itself in the TOML files.
SHORT: Final = {
    "<STEP>": '[[writers.w]]\ndo = "commit"',
    "<READ>": '[[writers.w]]\ndo = "read"\ntable = "facts"\nkey = "m0"\nas = "old"',
    "<ROW>": '[[rows]]\ntable = "facts"\nkey = "m0"\nsubject = "s"\npredicate = "p"\nobject = "o"',
}


class Case(NamedTuple):
    """A wrong design in Python: its name, what must be said, and the body of its writer, or of its class."""

    name: str
    says: str
    body: str
    writer: bool

    @property
    def source(self) -> str:
        """The design's file."""
        if not self.writer:
            return HEAD + self.body
        body = "\n".join("        " + line for line in self.body.splitlines())
        return f"{HEAD}\n    @writer\n    def remember(self, me):\n{body}\n"

    @property
    def lines(self) -> list[int]:
        """The lines of which one must be named; none where it is of no account."""
        return [number for number, line in enumerate(self.source.splitlines(), 1) if line.endswith("# HERE")]

    def matches(self, text: str) -> bool:
        """Whether a message says it."""
        return re.search(self.says, text) is not None


def _sections(name: str) -> list[tuple[str, str]]:
    """The heads and bodies of a file."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    parts = [part.partition("\n") for part in text.split("\n## ")[1:]]
    return [(head, body.rstrip("\n") + "\n" if body.strip() else "") for head, _, body in parts]


def cases(name: str) -> list[Case]:
    """The wrong designs of a file in Python."""
    found = []
    for head, body in _sections(name):
        title, _, says = head.partition(" => ")
        found.append(Case(title, says, body, name == "bad_steps.txt"))
    return found


def files(name: str) -> list[tuple[str, str]]:
    """The wrong files in TOML, each with the begin of its message."""
    found = []
    for head, body in _sections(name):
        for word, text in SHORT.items():
            body = body.replace(word, text)
        found.append((body, head))
    return found
