"""What others call the levels of histories, for whoever names one as they do (docs/histories.md has the table)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

_MORE: Final = "asks for more than that of Elle and Adya"
#: Names of the literature and of other tools, in lower case with `-` for spaces, and what they are here.
_CALLED: Final[dict[str, str]] = {
    "sr": "SR is SER here",
    "serializable": "that is SER, which has session order, too",
    "serializability": "that is SER, which has session order, too",
    "pl-3": "that is SER, which has session order, too",
    "strong-session-serializable": "that is SER",
    "strong-session-serializability": "that is SER",
    "strict-serializable": "that is SER with --real-time",
    "strict-serializability": "that is SER with --real-time",
    "strong-serializable": "that is SER with --real-time",
    "strong-serializability": "that is SER with --real-time",
    "pl-ss": "that is SER with --real-time",
    "snapshot-isolation": "that is SI, which has session order, too",
    "pl-si": "the nearest is SI: docs/histories.md",
    "strong-session-snapshot-isolation": "that is SI",
    "strong-snapshot-isolation": "that is SI with --real-time",
    "parallel-snapshot-isolation": "that is PSI",
    "prefix": "that is PC",
    "prefix-consistency": "that is PC",
    "consistent-prefix": "that is PC",
    "causal": "that is CC",
    "causal-consistency": "that is CC",
    "read-atomic": "that is RA",
    "read-atomicity": "that is RA",
    "read-committed": f"that is RC, which {_MORE}: docs/histories.md",
    "pl-2": f"the nearest is RC, which {_MORE}: docs/histories.md",
}
#: Names up to this length are too short to be guessed at.
_SHORT: Final = 4
#: Levels of others that are none of histories.
_NONE: Final = ("ru", "rr", "read-uncommitted", "repeatable-read", "pl-1", "pl-2+", "pl-2.99")


def hint(level: str) -> str:
    """What to say of a name that is no session level, in brackets behind the names of those; empty: nothing."""
    from ..histories.checked import LEVELS

    name = level.rpartition(":")[2].strip().casefold().replace(" ", "-").replace("_", "-")
    if name in _CALLED:
        return f" ({_CALLED[name]})"
    if name in _NONE:
        return f" (no level of histories is {level})"
    if name.upper() in LEVELS:
        return f" (did you mean {name.upper()}?)"
    near = get_close_matches(name, [one for one in _CALLED if len(one) > _SHORT], n=1, cutoff=0.8)
    return f" (if {near[0]} is meant: {_CALLED[near[0]]})" if near else ""
