"""Level specifications: `SI`, `adya:PL-3`, `RC+SR@judge_log`, `SR@partition(alice,lives_in)` (SEMANTICS §4)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..events.names import normal_name
from ..phenomena.catalogue import UnknownName
from ..relations.formulas import Formula, Region, Within
from .lattice import DEFAULT_FAMILY, Family, Level, families, family

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PART = rf'({_QUOTED}|[^(),"@+\s]+)'
_PARTITION = re.compile(rf"partition\(\s*{_PART}\s*,\s*{_PART}\s*\)")
_TABLE = re.compile(rf'{_QUOTED}|[^+"(),\s]+')
#: Levels that one specification may join.
PARTS = 50


class SpecError(UnknownName):
    """A level specification that cannot be read."""

    def __init__(self, what: str, expected: str) -> None:
        self.name, self.what, self.expected = "", what, expected
        ValueError.__init__(self, f"{what}, expected {expected}")


@dataclass(frozen=True)
class Part:
    """A part of a specification: a level, and where it is pinned to, as written and as a region."""

    level: Level
    pin: str = ""
    region: Region | None = None

    @property
    def name(self) -> str:
        """The part as it is written."""
        return f"{self.level.id}@{self.pin}" if self.pin else self.level.id

    @property
    def formula(self) -> Formula:
        """What the part asks for."""
        return self.level.formula if self.region is None else Within(self.level.formula, self.region)


def parse_spec(text: str, *, default: str = DEFAULT_FAMILY, user: Family | None = None) -> Level:
    """The level a specification names: parts joined by `+`, each pinned to a table or partition by `@`; its family, if
    it says one, stands once in front and is that of all parts.

    `default` is the family of a bare name; `user` adds a family `user`, whose names come first. Raises UnknownName with
    the nearest names.
    """
    chosen, parts = spec_parts(text, default=default, user=user)
    if len(parts) == 1 and not parts[0].pin:
        return parts[0].level
    formula = parts[0].formula
    for part in parts[1:]:
        formula = formula & part.formula
    meaning = " and ".join(f"{part.name} ({part.level.meaning})" for part in parts)
    return Level("+".join(part.name for part in parts), chosen.id, formula, meaning, "SEMANTICS §4")


def spec_parts(
    text: str, *, default: str = DEFAULT_FAMILY, user: Family | None = None
) -> tuple[Family, tuple[Part, ...]]:
    """The family and the parts of a specification, read as `parse_spec` reads it. Raises UnknownName."""
    known: Mapping[str, Family] = {**families(), **({"user": user} if user else {})}
    prefix, colon, rest = text.partition(":")
    if colon and "@" not in prefix:
        if "+" in prefix:
            raise _second_family(prefix.rpartition("+")[2])
        chosen = known.get(prefix.casefold()) or family(prefix)
        candidates = list(chosen.levels)
    else:
        chosen, rest = known.get(default.casefold()) or family(default), text
        candidates = [*(user.levels if user else ()), *chosen.levels]
    parts: list[Part] = []
    at = 0
    while True:
        level, at = _level(chosen, candidates, rest, at)
        part = Part(level)
        if rest[at : at + 1] == "@":
            region, pin, at = _pin(rest, at + 1)
            part = Part(level, pin, region)
        parts.append(part)
        if at == len(rest):
            break
        if rest[at] != "+":
            raise SpecError(f"{rest[at:][:40]!r} behind {part.name[:40]}", "`+` and another level, or `@` and a table")
        if len(parts) == PARTS:
            raise SpecError(f"a specification of more than {PARTS} parts", f"at most {PARTS}")
        at += 1
    return chosen, tuple(parts)


def _second_family(name: str) -> SpecError:
    """That a family stands behind the first part: that of a specification stands in front, and is one."""
    return SpecError(f"the family {name[:40]!r} behind `+`", "one family, in front of all parts: adya:PL-2+PL-3@facts")


def _level(chosen: Family, candidates: list[Level], text: str, at: int) -> tuple[Level, int]:
    """The level whose name begins here: in this case before any case, longer names before shorter ones."""
    ordered = sorted(candidates, key=lambda level: -len(level.id))
    for fold in (str, str.casefold):
        for level in ordered:
            end = at + len(level.id)
            if fold(text[at:end]) == fold(level.id) and text[end : end + 1] in ("", "+", "@"):
                return level, end
    name = re.split(r"[+@]", text[at:])[0] or text[at:]
    if at and ":" in name:
        raise _second_family(name.partition(":")[0])
    raise UnknownName(f"level of family {chosen.id}", name, [level.id for level in candidates])


def _pin(text: str, at: int) -> tuple[Region, str, int]:
    match = _PARTITION.match(text, at)
    if match:
        subject, predicate = _name(match.group(1)), _name(match.group(2))
        return Region(partition=(subject, predicate)), match.group(), match.end()
    match = _TABLE.match(text, at)
    if not match:
        raise SpecError(
            f"{text[at:][:40]!r} behind `@`", "a table, or partition(subject,predicate), quoted where needed"
        )
    return Region(table=_name(match.group())), match.group(), match.end()


def _name(text: str) -> str:
    """A name, plain or as a JSON string, in the form in which names are compared."""
    if not text.startswith('"'):
        return normal_name(text)
    try:
        return normal_name(str(json.loads(text)))
    except ValueError:
        raise SpecError(f"the quoted name {text[:40]}", "a JSON string") from None
