"""What a census counted, as data: schedules per size, and per level and phenomenon how many have it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Final

from ..levels import DEFAULT_FAMILY, families
from ..levels import family as family_named
from ..phenomena.catalogue import catalogue
from ..relations.bounded import Bounded
from ..relations.formulas import Formula
from ..relations.symbolic import Symbolic
from ..relations.terms import Term
from .census_lanes import WIDTH, Share, lanes_of, shares
from .limits import Unfit

#: The least and most of each bound, and why not more.
LIMITS: Final = {
    "events": (
        2,
        10,
        "each further event multiplies the schedules by about twenty, and 10 have nearly two thousand million",
    ),
    "transactions": (1, 5, "each transaction has at least two events, and there are at most 10"),
    "items": (1, 4, "each further item multiplies the work, and the cycles of the catalogue need two"),
}


@dataclass(frozen=True)
class CensusBounds:
    """Up to how many events (`exactly`: just so many), transactions and items, and the families of the levels."""

    events: int
    transactions: int = 3
    items: int = 2
    exactly: bool = False
    families: tuple[str, ...] = (DEFAULT_FAMILY,)

    def checked(self) -> CensusBounds:
        """These bounds, with the families in the order of the lattice and each once.

        Raises Unfit for a bound without sense, UnknownName for a family that does not exist.
        """
        for name, (least, most, why) in LIMITS.items():
            value = getattr(self, name)
            if not least <= value <= most:
                reason = why if value > most else "a transaction does something on some item and then ends"
                raise Unfit(f"{value} {name}", f"{least} to {most}: {reason}")
        wanted = {family_named(name).id for name in self.families}
        ordered = tuple(name for name in families() if name in wanted)
        if not ordered:
            raise Unfit("no family", f"one of {', '.join(families())}")
        return CensusBounds(self.events, self.transactions, self.items, self.exactly, ordered)

    @property
    def sizes(self) -> range:
        """The numbers of events that schedules may have."""
        return range(self.events if self.exactly else 2, self.events + 1)

    def shares(self) -> list[Share]:
        """The work, in a fixed order."""
        return [share for size in self.sizes for share in shares(size, self.transactions, self.items)]

    def as_json(self) -> dict[str, object]:
        """The bounds as JSON data."""
        return {
            "events": self.events,
            "transactions": self.transactions,
            "items": self.items,
            "exactly": self.exactly,
            "families": list(self.families),
        }

    @staticmethod
    def from_json(data: object) -> CensusBounds:
        """The bounds of JSON data. Raises ValueError."""
        found = as_object(data, "bounds")
        names, exactly = found.get("families"), found.get("exactly")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("families: expected a list of names")
        if not isinstance(exactly, bool):
            raise ValueError("exactly: expected true or false")
        events, transactions, items = (as_number(found.get(name), name) for name in LIMITS)
        return CensusBounds(events, transactions, items, exactly, tuple(names)).checked()


@dataclass(frozen=True)
class Definitions:
    """The formulas whose schedules are counted, by name; those of levels as `family:level`."""

    levels: Mapping[str, Formula]
    phenomena: Mapping[str, Formula]

    @staticmethod
    def shipped(families_wanted: Iterable[str]) -> Definitions:
        """The levels of some families and the whole catalogue, but for N3: the schedules of a census state no
        provenance, so that every overwritten version would count."""
        levels = {level.full_id: level.formula for name in families_wanted for level in family_named(name).levels}
        counted = {entry.id: entry.formula for entry in catalogue().values() if not entry.annotated}
        return Definitions(levels, counted)

    def digest(self) -> str:
        """A digest of names and formulas: equal exactly where the same is counted."""
        found = hashlib.sha256()
        for kind in (self.levels, self.phenomena):
            for name, formula in kind.items():
                found.update(f"{name} {_digest(formula, {})}\n".encode())
        return found.hexdigest()[:16]


def _digest(node: object, known: dict[int, str]) -> str:
    """A digest of a term or formula by its structure; shared parts are digested once."""
    if isinstance(node, tuple):
        return "(" + ",".join(_digest(part, known) for part in node) + ")"
    if not isinstance(node, (Term, Formula)):
        return repr(node)
    if id(node) not in known:
        parts = [_digest(getattr(node, entry.name), known) for entry in fields(node)]  # type: ignore[arg-type]
        text = f"{type(node).__name__} {' '.join(parts)}"
        known[id(node)] = hashlib.sha256(text.encode()).hexdigest()
    return known[id(node)]


@dataclass
class Counts:
    """How many schedules there are, how many are at each level, show each phenomenon, and both (`cells`).

    What no schedule has is absent. Counts of different schedules add up.
    """

    schedules: int = 0
    levels: dict[str, int] = field(default_factory=dict)
    phenomena: dict[str, int] = field(default_factory=dict)
    cells: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, other: Counts) -> None:
        """Count other schedules, too."""
        self.schedules += other.schedules
        for mine, theirs in ((self.levels, other.levels), (self.phenomena, other.phenomena)):
            for name, count in theirs.items():
                mine[name] = mine.get(name, 0) + count
        for cell, count in other.cells.items():
            self.cells[cell] = self.cells.get(cell, 0) + count

    def as_json(self) -> dict[str, object]:
        """The counts as JSON data, in the order of their names' appearance; a cell that is absent is 0."""
        cells: dict[str, dict[str, int]] = {}
        for (level, phenomenon), count in self.cells.items():
            cells.setdefault(level, {})[phenomenon] = count
        return {"schedules": self.schedules, "levels": self.levels, "phenomena": self.phenomena, "cells": cells}

    @staticmethod
    def from_json(data: object, definitions: Definitions) -> Counts:
        """The counts of JSON data. Raises ValueError: names must be known, and nothing can exceed what holds it."""
        found = as_object(data, "counts")
        out = Counts(as_number(found.get("schedules"), "schedules"))
        for kind, mine, known in (
            ("levels", out.levels, definitions.levels),
            ("phenomena", out.phenomena, definitions.phenomena),
        ):
            for name, count in as_object(found.get(kind), kind).items():
                _known(name, kind, known)
                mine[name] = as_number(count, f"{kind} {name}", out.schedules)
        for level, row in as_object(found.get("cells"), "cells").items():
            _known(level, "cells", definitions.levels)
            for name, count in as_object(row, f"cells {level}").items():
                _known(name, f"cells {level}", definitions.phenomena)
                most = min(out.levels.get(level, 0), out.phenomena.get(name, 0))
                out.cells[level, name] = as_number(count, f"cells {level} {name}", most)
        return out.ordered(definitions)

    def ordered(self, definitions: Definitions) -> Counts:
        """The same counts in the order of the definitions, so that equal counts are written as equal text."""
        levels = {name: self.levels[name] for name in definitions.levels if self.levels.get(name)}
        phenomena = {name: self.phenomena[name] for name in definitions.phenomena if self.phenomena.get(name)}
        pairs = [(level, name) for level in levels for name in phenomena]
        return Counts(self.schedules, levels, phenomena, {p: self.cells[p] for p in pairs if self.cells.get(p)})


def as_object(data: object, what: str) -> dict[str, object]:
    """JSON data that must be an object. Raises ValueError."""
    if not isinstance(data, dict):
        raise ValueError(f"{what}: expected an object")
    return data


def as_number(data: object, what: str, most: int | None = None) -> int:
    """JSON data that must be a whole number, at most so large. Raises ValueError."""
    if not isinstance(data, int) or isinstance(data, bool) or data < 0:
        raise ValueError(f"{what}: expected a whole number, not {data!r}")
    if most is not None and data > most:
        raise ValueError(f"{what}: {data} is more than the {most} there can be")
    return data


def _known(name: str, what: str, known: Mapping[str, Formula]) -> None:
    if name not in known:
        raise ValueError(f"{what}: unknown name {name!r}")


def count_share(share: Share, definitions: Definitions, width: int = WIDTH) -> Counts:
    """Count the schedules of a share."""
    out = Counts()
    for unknown, number in lanes_of(share, width):
        reading = Symbolic(Bounded(unknown))
        levels = {name: value for name, f in definitions.levels.items() if (value := reading.holds(f))}
        shown = {name: value for name, f in definitions.phenomena.items() if (value := reading.holds(f))}
        found = Counts(
            number,
            {name: value.bit_count() for name, value in levels.items()},
            {name: value.bit_count() for name, value in shown.items()},
        )
        for level, at in levels.items():
            for name, value in shown.items():
                if both := (at & value).bit_count():
                    found.cells[level, name] = both
        out.add(found)
    return out.ordered(definitions)


@dataclass(frozen=True)
class CensusResult:
    """The counts of a census per number of events."""

    bounds: CensusBounds
    sizes: Mapping[int, Counts]

    @cached_property
    def total(self) -> Counts:
        """The counts of all sizes together."""
        out = Counts()
        for counts in self.sizes.values():
            out.add(counts)
        return out.ordered(self.definitions)

    @property
    def definitions(self) -> Definitions:
        """What was counted."""
        return Definitions.shipped(self.bounds.families)

    @property
    def never(self) -> list[str]:
        """The phenomena that no schedule shows."""
        return [name for name in self.definitions.phenomena if name not in self.total.phenomena]

    def as_json(self) -> dict[str, object]:
        """The result as JSON data: `bounds`, `total`, and `sizes` with the number of events beside the counts."""
        sizes = [{"events": events, **counts.as_json()} for events, counts in self.sizes.items()]
        return {"census": self.bounds.as_json(), "total": self.total.as_json(), "sizes": sizes}

    @staticmethod
    def from_json(data: object) -> CensusResult:
        """The result of JSON data, as `as_json` makes it. Raises ValueError for anything else."""
        found = as_object(data, "census")
        bounds = CensusBounds.from_json(found.get("census"))
        definitions = Definitions.shipped(bounds.families)
        listed = found.get("sizes")
        if not isinstance(listed, list):
            raise ValueError("sizes: expected a list")
        sizes = {
            as_number(as_object(entry, "sizes").get("events"), "events"): Counts.from_json(entry, definitions)
            for entry in listed
        }
        if list(sizes) != list(bounds.sizes):
            raise ValueError(f"sizes: expected those from {bounds.sizes[0]} to {bounds.sizes[-1]} events")
        result = CensusResult(bounds, sizes)
        if Counts.from_json(found.get("total"), definitions) != result.total:
            raise ValueError("total: not the sum of the sizes")
        return result


__all__ = ["LIMITS", "CensusBounds", "CensusResult", "Counts", "Definitions", "count_share"]
