"""The fingerprints of the statements of this version, by the ids of their proofs and smallest schedules."""

from __future__ import annotations

from ..levels import families, parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.fingerprint import fingerprint
from .seed import GUARD, SIX, dominates


def current_definitions() -> dict[str, str]:
    """For `T1.sound.φ.L`, `T1.tight.φ.L` and the links of `T1.chain`: what their definitions are now."""
    found: dict[str, str] = {}
    for name, guard in GUARD.items():
        for spec in SIX:
            word = "sound" if dominates(spec, guard) else "tight"
            formula = parse_spec(spec).formula & phenomenon(name).formula
            found[f"T1.{word}.{name}.{spec}"] = fingerprint(formula)
    for id, (family, stronger, weaker) in links().items():
        known = families()[family]
        found[id] = fingerprint(known.level(stronger).formula & ~known.level(weaker).formula)
    return found


#: Per family the levels that stand for RC, SI and SR.
STANDS = {
    "graph": ("RC", "SI", "SR"),
    "berenson": ("RC", "RR", "SR"),
    "adya": ("PL-2", "PL-SI", "PL-3"),
    "session": ("RC", "SI", "SER"),
}


def links() -> dict[str, tuple[str, str, str]]:
    """The links of every chain: id -> family, stronger level, weaker level."""
    found = {}
    for family, stands in STANDS.items():
        for weaker, stronger in (stands[:2], stands[1:]):
            found[f"T1.chain.{family}.{stronger}-{weaker}"] = (family, stronger, weaker)
    return found
