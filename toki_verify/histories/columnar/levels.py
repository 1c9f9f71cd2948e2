"""The levels of the families graph, berenson, adya and session (the formulas stand in `toki_verify/levels`)."""

from __future__ import annotations

import numpy as np

from .cycles import single
from .edges import Edges, joined
from .graphs import Graph
from .reading import LEVELS, Reading, level
from .stale import stale


def _without(name: str, *phenomena: str, below: str | None = None) -> None:
    """Register a level that is another level and the absence of phenomena."""

    def decide(reading: Reading) -> bool:
        return (below is None or reading.holds(below)) and all(reading.present(one) is None for one in phenomena)

    LEVELS[name] = decide


def layered(reading: Reading, both: Edges, alone: Edges | None = None) -> Graph:
    """The graph whose cycles are those of `(both ; anti?) | alone`.

    (t, 0): a step ended in t. (t, 1): behind `both`, before an anti-dependency. The reduced edges are enough where ww
    is in `both` or `alone`: what an anti-dependency reaches behind its first target, steps of ww reach from there.
    """
    size, anti = reading.index.txns, reading.edges.anti1
    parts = [
        both,
        Edges(both.source, both.target + size, both.source_access, both.target_access),
        Edges(anti.source + size, anti.target, anti.source_access, anti.target_access),
    ]
    end = reading.index.end
    return Graph((*parts, *([] if alone is None else [alone])), np.concatenate([end, end]))


def snapshot(reading: Reading) -> bool:
    """`dep ; anti?` has no cycle."""
    # A cycle of it is one of the conflict graph, which is cheaper to look at.
    return not reading.dsg.cyclic or not layered(reading, reading.edges.dep).cyclic


def serial(reading: Reading) -> bool:
    """The conflict graph has no cycle."""
    return not reading.dsg.cyclic


# -- graph -------------------------------------------------------------------------------------------------------------
LEVELS["graph:RU"] = lambda reading: True
_without("graph:RC", "P0", "P1")
_without("graph:RC[G]", "G0", "G1a", "G1b", "G1c")
_without("graph:cb", "CB")


@level("graph:SI")
def graph_si(reading: Reading) -> bool:
    """RC and snapshot timestamps."""
    return reading.holds("graph:RC") and snapshot(reading)


@level("graph:SR")
def graph_sr(reading: Reading) -> bool:
    """RC and a serial order."""
    return reading.holds("graph:RC") and serial(reading)


@level("graph:SI[G]")
def graph_si_g(reading: Reading) -> bool:
    """RC[G] and snapshot timestamps."""
    return reading.holds("graph:RC[G]") and snapshot(reading)


@level("graph:SR[G]")
def graph_sr_g(reading: Reading) -> bool:
    """RC[G] and a serial order."""
    return reading.holds("graph:RC[G]") and serial(reading)


# -- berenson ----------------------------------------------------------------------------------------------------------
_without("berenson:RU", "P0")
_without("berenson:RC", "P1[broad]", below="berenson:RU")
_without("berenson:RR", "P2[broad]", below="berenson:RC")
_without("berenson:SR", "P3[broad]", below="berenson:RR")

# -- adya --------------------------------------------------------------------------------------------------------------
_without("adya:PL-1", "G0")
_without("adya:PL-2", "G1a", "G1b", "G1c", below="adya:PL-1")
_without("adya:PL-2+", "G-single", below="adya:PL-2")
_without("adya:PL-2.99", "G2-item", below="adya:PL-2")
_without("adya:PL-SI", "G-SIa", "G-SIb", below="adya:PL-2")
_without("adya:PL-3", "G2", below="adya:PL-2")


# -- session -----------------------------------------------------------------------------------------------------------
def _sound(reading: Reading) -> bool:
    return reading.present("G1a") is None and reading.present("G1b") is None and not reading.ordered.cyclic


@level("session:RC")
def session_rc(reading: Reading) -> bool:
    """No read past a transaction that an earlier read of the same transaction observed."""
    return _sound(reading) and "read-past" not in stale(reading).answers


@level("session:RA")
def session_ra(reading: Reading) -> bool:
    """No anti-dependency on what was observed, or came before in the session."""
    return _sound(reading) and "fractured" not in stale(reading).answers


@level("session:CC")
def session_cc(reading: Reading) -> bool:
    """No anti-dependency on what happens before."""
    return _sound(reading) and stale(reading).unseen_past is None


@level("session:PC")
def session_pc(reading: Reading) -> bool:
    """`(observed ; anti?) | ww` has no cycle. Observed is reduced, too: pwr is steps of ww and pwr1."""
    if not _sound(reading) or not reading.everything.cyclic:
        return _sound(reading)
    both = joined(reading.edges.read_dependency, reading.edges.session1)
    return not layered(reading, both, reading.edges.ww1).cyclic


@level("session:PSI")
def session_psi(reading: Reading) -> bool:
    """No anti-dependency back along dependencies and sessions."""
    return _sound(reading) and single(reading.ordered, reading.edges.rw1, reading.edges.prw1) is None


@level("session:SI")
def session_si(reading: Reading) -> bool:
    """`(dependencies and sessions) ; anti?` has no cycle."""
    if not _sound(reading) or not reading.everything.cyclic:
        return _sound(reading)
    return not layered(reading, reading.edges.ordered).cyclic


@level("session:SER")
def session_ser(reading: Reading) -> bool:
    """Edges and sessions have no cycle."""
    return _sound(reading) and not reading.everything.cyclic
