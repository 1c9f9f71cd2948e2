"""Formulas about π_J(S) as formulas about S, so that every reading of the language is a reading of the bridge.

π_J makes a judge call a write or a read of the row of its key (SEMANTICS §6). So what a base relation means over π_J(S)
can be said over S: a fill is a write, a call that reads is an item read, calls at one key are on one item. `pulled`
replaces the base relations of a formula by what they mean behind the bridge:

    π_J(S) ⊨ φ  ⇔  S ⊨ pulled(φ)

for every S that leaves the judge log and the callback log to judge events and callbacks; `tests/agreement/test_bridge`
holds it against `image`, which makes π_J(S). A callback becomes a read of a row that nothing in S writes. Such a read
has no conflict with anything, so `pulled` leaves it out; but it can be its transaction's first access to a row, by
which the levels `engine:SI` and `engine:SR` take the snapshot, so it counts there. Of formulas of one's own, those
that ask whether there is a read at all, of anything, do not see it.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Any, Final, cast

from ..levels.engine import row_access
from ..relations import base
from ..relations.algebra import (
    Base,
    Definition,
    Formula,
    Identity,
    Named,
    Region,
    Sort,
    Term,
    Within,
    domain,
)
from ..relations.edges import log_from, program_order

#: The tables that the log rows are in (SEMANTICS §6).
JUDGE_LOG, CALLBACK_LOG = "judge_log", "callback_log"

_none: Final = base.judge - base.judge
_again: Final = base.log_fill >> (program_order & base.same_key) >> base.log_fill
_final_fill: Final = Definition("final_fill", base.log_fill - domain(_again))
_installed_fill: Final = Definition("installed_fill", _final_fill >> base.committed)
_in_log: Final = base.judge >> base.same_key >> base.judge
_filler: Final = Identity(Sort.T) & (~base.of_txn >> base.log_fill >> base.of_txn)

#: What only π_J takes away: the events of Σ⁺ that Σ has not.
_GONE: Final[dict[str, Term]] = {
    "judge": _none,
    "callback": _none,
    "same_key": _none,
    "other_vote": _none,
    "unknown_vote": _none,
    "log_fill": _none,
}
#: What the base relations mean behind the bridge.
_BEHIND: Final[dict[str, Term]] = _GONE | {
    "item_read": base.item_read | domain(~log_from),
    "write": base.write | base.log_fill,
    "final": base.final | _final_fill,
    "installed": base.installed | _installed_fill,
    "same_item": base.same_item | _in_log,
    "reads_from": base.reads_from | log_from,
    "version_order": base.version_order | (_installed_fill >> (base.same_key & base.before) >> _installed_fill),
    "writer": base.writer | _filler,
}


@cache
def pulled(of: Formula) -> Formula:
    """The formula that S satisfies iff π_J(S) satisfies this one."""
    return cast(Formula, _pulled(of, True, True))


@cache
def pulled_term(of: Term) -> Term:
    """What a relation of π_J(S) is over S."""
    return cast(Term, _pulled(of, True, True))


@cache
def _pulled(node: Term | Formula, log: bool, callbacks: bool) -> Term | Formula:
    """With the rows of the judge log, and of the callback log, or without those that the region has not."""
    if callbacks and node == row_access:
        return cast(Term, _pulled(row_access, log, False)) | base.callback
    if isinstance(node, Base):
        return (_BEHIND if log else _GONE).get(node.name, node)
    if isinstance(node, Within):
        inner = _pulled(node.of, log and _holds_log(node.region), callbacks and node.region == Region())
        return Within(cast(Formula, inner), node.region)
    changed: dict[str, Any] = {
        entry.name: tuple(_pulled(part, log, callbacks) for part in value)
        if isinstance(value, tuple)
        else _pulled(value, log, callbacks)
        for entry in fields(node)  # type: ignore[arg-type]
        if isinstance(value := getattr(node, entry.name), (Term, Formula, tuple))
    }
    if not changed or all(changed[name] == getattr(node, name) for name in changed):
        return node
    if isinstance(node, (Definition, Named)):
        changed["name"] = f"{node.name} in π_J"
    return replace(node, **changed)  # type: ignore[type-var]


def _holds_log(region: Region) -> bool:
    """Whether rows of the judge log lie in a region; they are in no partition."""
    return region.partition is None and region.table in (None, JUDGE_LOG)
