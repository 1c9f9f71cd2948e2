"""The implications between phenomena as data: X at L implies Y (SEMANTICS §3). Tests check every small schedule.

`at` is a level of the default family (or `family:level`); None: on every well-formed schedule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Implication:
    """Every schedule at level `at` that shows `present` shows `implied`, too."""

    present: str
    implied: str
    at: str | None
    source: str


_DEF = "by definition"
_ADYA = "Adya 1999"


def _all(source: str, at: str | None, *pairs: str) -> list[Implication]:
    out = []
    for pair in pairs:
        present, implied = pair.split(" > ")
        out.append(Implication(present, implied, at, source))
    return out


IMPLICATIONS: Final[tuple[Implication, ...]] = tuple(
    _all(
        _DEF,
        None,
        "A1 > P1",
        "A1 > G1a",
        "G1a > P1",
        "G1b > P1",
        "G1a > G1",
        "G1b > G1",
        "G1c > G1",
        "A2 > P2",
        "P3[skew] > P3",
        "P2[G-single] > G-single",
        "G-single > G2",
        "G2-item > G2",
        "P3 > G2",
        "N1 > N1[observed]",
    )
    + _all(_ADYA, None, "G0 > G1c", "G-single > G-SIb", "G-monotonic > G-single")
    + _all(
        "Berenson et al. 1995, section 4",
        None,
        "P4 > P2[G-single]",
        "P4 > G2-item",
        "A5A > G-single",
        "A5A > G2-item",
        "A5B > G2-item",
    )
    + _all("Bailis et al. 2014", None, "OTV > G-monotonic", "OTV > A5A")
    # With a stated order a change and the change back may make a cycle of dependencies alone:
    # w1[x1] r2{P:} c1 r2{P:} w2[x2 in P] c2 with order x: 2 1.
    + _all("Bailis et al. 2014", "RC[G]", "PMP > G-single")
    + _all("Cerone, Bernardi and Gotsman 2015", None, "long-fork > G-nonadjacent", "long-fork > G2")
    + _all("Fekete, O'Neil and O'Neil 2004", None, "read-only-anomaly > G2")
    # Only in real start order are the transactions of such a cycle concurrent.
    + _all(
        "Fekete et al. 2005, section 2",
        "adya:PL-SI",
        "A5B > dangerous-structure",
        "P3[skew] > dangerous-structure",
        "read-only-anomaly > dangerous-structure",
    )
    + _all("TOKI 2026; SEMANTICS §3", None, "N2 > G2")
    + _all("SEMANTICS §3", "RC", "P2 > G-single")
    # N3 is on all that the store keeps, which is the largest of the four surfaces.
    + _all(
        "SEMANTICS §3",
        None,
        "N3 > N3[audit]",
        "N3[audit] > N3",
        "N3[audit] > N3[history]",
        "N3[history] > N3[closed]",
        "N3[closed] > N3[current]",
    )
)
