"""Level specifications: `SI`, `adya:PL-3`, `RC+SR@judge_log`, `SR@partition(alice,lives_in)` (SEMANTICS §4)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..phenomena.catalogue import UnknownName
from ..relations.formulas import Formula, Region, Within
from .lattice import DEFAULT_FAMILY, Family, Level, families, family

_PARTITION = re.compile(r"partition\(\s*([^(),]+?)\s*,\s*([^(),]+?)\s*\)")
_TABLE = re.compile(r'"[^"]+"|[^+"()\s]+')


class SpecError(UnknownName):
    """A level specification that cannot be read."""

    def __init__(self, what: str, expected: str) -> None:
        self.name, self.what, self.expected = "", what, expected
        ValueError.__init__(self, f"{what}, expected {expected}")


def parse_spec(text: str, *, default: str = DEFAULT_FAMILY, user: Family | None = None) -> Level:
    """The level a specification names: parts joined by `+`, each pinned to a table or partition by `@`.

    `default` is the family of a bare name; `user` adds a family `user`. Raises UnknownName with the nearest names.
    """
    known: Mapping[str, Family] = {**families(), **({"user": user} if user else {})}
    prefix, colon, rest = text.partition(":")
    if colon and "@" not in prefix:
        chosen = known.get(prefix.casefold()) or family(prefix)
    else:
        chosen, rest = known.get(default.casefold()) or family(default), text
        if user is not None and any(level.id == text for level in user.levels):
            chosen = user
    formula: Formula | None = None
    names: list[str] = []
    parts: list[Level] = []
    at = 0
    while True:
        level, at = _level(chosen, rest, at)
        parts.append(level)
        part, name = level.formula, level.id
        if rest[at : at + 1] == "@":
            region, pin, at = _pin(rest, at + 1)
            part, name = Within(part, region), f"{name}@{pin}"
        names.append(name)
        formula = part if formula is None else formula & part
        if at == len(rest):
            break
        if rest[at] != "+":
            raise SpecError(f"{rest[at:]!r} behind {name}", "`+` and another level, or `@` and a table")
        at += 1
    if names == [parts[0].id]:
        return parts[0]
    meaning = " and ".join(f"{name} ({level.meaning})" for name, level in zip(names, parts, strict=True))
    return Level("+".join(names), chosen.id, formula, meaning, "SEMANTICS §4")


def _level(chosen: Family, text: str, at: int) -> tuple[Level, int]:
    for level in sorted(chosen.levels, key=lambda level: -len(level.id)):
        end = at + len(level.id)
        if text[at:end].casefold() == level.id.casefold() and text[end : end + 1] in ("", "+", "@"):
            return level, end
    name = re.split(r"[+@]", text[at:])[0] or text[at:]
    return chosen.level(name), len(text)


def _pin(text: str, at: int) -> tuple[Region, str, int]:
    match = _PARTITION.match(text, at)
    if match:
        return Region(partition=(match.group(1), match.group(2))), match.group(), match.end()
    match = _TABLE.match(text, at)
    if not match:
        raise SpecError(f"{text[at:]!r} behind `@`", "a table, or partition(subject,predicate)")
    return Region(table=match.group().strip('"')), match.group(), match.end()
