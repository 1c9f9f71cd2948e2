"""What the ids of proofs and smallest schedules mean, by the definitions as they are now."""

from __future__ import annotations

from dataclasses import dataclass

from ..levels import Level, families, parse_spec
from ..phenomena.catalogue import Phenomenon, UnknownName, phenomenon
from ..relations.formulas import Formula
from .lemma_1_own_questions import OWN_QUESTIONS
from .lemma_1_questions import LEMMA_1
from .partition_pins import PINNED

#: Per family the levels that stand for RC, SI and SR. (`engine` is no reading of the paper: it is what one store does.)
STANDS = {
    "graph": ("RC", "SI", "SR"),
    "berenson": ("RC", "RR", "SR"),
    "adya": ("PL-2", "PL-SI", "PL-3"),
    "session": ("RC", "SI", "SER"),
}


@dataclass(frozen=True)
class Meaning:
    """What an id asks: that no schedule satisfies `formula`, which is `one` and `other`, or which is the smallest that
    does. Of a cell `cell` is the phenomenon and the level; of a link of a chain there is none."""

    statement: str
    formula: Formula
    one: Formula
    other: Formula
    cell: tuple[Phenomenon, Level] | None = None


def meaning_of(id: str) -> Meaning | None:
    """The meaning of `T1.sound.φ.L`, `T1.tight.φ.L` (of another family: `φ.family.L`) and `T1.chain.family.L-M`; None
    for an id that means nothing in this version. `C1.n2.…` are the pins of Corollary 1,
    `L1.…` the questions of Lemma 1."""
    if id in PINNED or id in LEMMA_1 or id in OWN_QUESTIONS:
        statement, one, other = PINNED.get(id) or LEMMA_1.get(id) or OWN_QUESTIONS[id]
        return Meaning(statement, one & other, one, other)
    try:
        kind, rest = id.removeprefix("T1.").split(".", 1)
        if not id.startswith("T1."):
            return None
        return _link(rest) if kind == "chain" else _cell(kind, rest) if kind in ("sound", "tight") else None
    except (ValueError, UnknownName):
        return None


def _cell(kind: str, rest: str) -> Meaning:
    name, _, place = rest.partition(".")
    # Ids of phenomena hold no dot; levels may (PL-2.99).
    family, _, spec = place.partition(".")
    if family not in families() or family == "graph" or not spec:
        family, spec = "graph", place
    of, level = phenomenon(name), parse_spec(spec, default=family)
    said = f"no schedule at {level.id} shows {of.id}" if kind == "sound" else f"{of.id} at {level.id}"
    return Meaning(said, level.formula & of.formula, level.formula, of.formula, (of, level))


def _link(rest: str) -> Meaning:
    family, _, levels = rest.partition(".")
    known = families().get(family)
    for stronger in known.levels if known else ():
        for weaker in known.levels if known else ():
            if levels == f"{stronger.id}-{weaker.id}":
                statement = f"every schedule at {family}:{stronger.id} is at {family}:{weaker.id}"
                one, other = stronger.formula, ~weaker.formula
                return Meaning(statement, one & other, one, other)
    raise ValueError(rest)
