"""What a reader of a large trace should know though no rule forbids it: `recording.py`, for arrays.

Values and unknown keys are not kept of a large trace, so nothing is said of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

import numpy as np

from ..explain.words import txn_name
from ..levels.spec import Part
from .columnar.region import items_in
from .columns import UNKNOWN
from .trace import Trace

#: Transactions that are named.
_NAMED = 5


def warnings_of(trace: Trace, parts: tuple[Part, ...] = ()) -> tuple[str, ...]:
    """Transactions that do not end; pins of a specification that cover no access."""
    return (*_unfinished(trace), *_pins(trace, parts))


def _unfinished(trace: Trace) -> Iterator[str]:
    works = np.zeros(len(trace.start), bool)
    works[trace.txn] = True
    found = np.flatnonzero(works & (trace.outcome == UNKNOWN)).tolist()
    if found:
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        names = ", ".join(txn_name(trace.transactions[txn]) for txn in found[:_NAMED]) + more
        verb = "has" if len(found) == 1 else "have"
        yield f"{names} {verb} neither commit nor abort: uncommitted, so no conflict edge leads there"


def _pins(trace: Trace, parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        # Every item of a trace has its initial version, which is an access of the concrete reading, too.
        if part.region is not None and not items_in(trace, part.region).any():
            place = part.region.table or "partition({},{})".format(*(part.region.partition or ("", "")))
            near = get_close_matches(part.region.table or "", sorted(trace.tables), n=1, cutoff=0.5)
            hint = f"; did you mean @{near[0]}?" if near else ""
            lack = "so that part of the level holds for lack of any"
            yield f"the pin @{place} covers no access of this schedule, {lack}{hint}"
