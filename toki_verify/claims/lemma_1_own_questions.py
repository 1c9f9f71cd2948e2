"""Lemma 1 with rows in transactions of their own, as formulas about S (TOKI 2026, Lemma 1 under H1; SEMANTICS §6).

Where every later call returns the first vote at its key, π_J writes one row a key, by a transaction that commits at
once, at the place of the first call; every other call reads it. So `own` replaces base relations, as `bridge.pullback`
does for rows in the operator's transaction: the first call at a key is a write of a transaction of its own, which is
none of S. A log transaction reads nothing and overwrites nothing; L1.transfer.own.enters says that no edge ends at
one. A relation between transactions therefore is kept to those of S: no cycle runs through any other.

`tests/unit/claims/test_lemma_1_rows.py` holds it against `bridge.image`, which makes π_J(S).
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Any, Final, cast

from ..phenomena.catalogue import phenomenon
from ..relations import base
from ..relations.algebra import Base, Definition, Formula, Identity, Named, Sort, Term, Within, domain, some
from ..relations.edges import EDGES
from ..relations.formulas import Region
from ..relations.terms import Txn
from .lemma_1_questions import KINDS, N1, PLAIN
from .seed import CLASSICAL

_later: Final = base.before & base.same_key
#: The first call at its key, rolled back or not: it fills the row.
FIRST: Final = Definition("first_call", base.judge - domain(~_later))
_row_from: Final = Definition("own_log_from", FIRST >> _later)
_others: Final = Identity(Sort.A) - FIRST
_none: Final = base.judge - base.judge

#: What the base relations mean behind the bridge, where they mean something else.
_BEHIND: Final[dict[str, Term]] = {
    **dict.fromkeys(("judge", "callback", "same_key", "other_vote", "unknown_vote", "log_fill"), _none),
    "item_read": base.item_read | domain(~_row_from),
    "write": base.write | FIRST,
    "final": base.final | FIRST,
    "installed": base.installed | FIRST,
    "committed": base.committed | FIRST,
    "aborted": base.aborted - FIRST,
    "same_txn": ((base.same_txn - (FIRST >> base.same_txn)) - (base.same_txn >> FIRST)) | FIRST,
    "same_item": base.same_item | (base.judge >> base.same_key >> base.judge),
    "reads_from": base.reads_from | _row_from,
    "ended_before": base.ended_before | (FIRST >> base.before),
    "committed_before": base.committed_before | (FIRST >> base.before),
}


@cache
def own(node: Formula) -> Formula:
    """The formula that S satisfies iff π_J(S), with rows of their own, satisfies this one.

    Of an S that keeps H1 and leaves the logs to judge calls and callbacks; of formulas that speak of accesses, and of
    transactions by `txn(…)` alone.
    """
    return cast(Formula, _own(node))


@cache
def _own(node: Term | Formula) -> Term | Formula:
    if isinstance(node, Base):
        return _BEHIND.get(node.name, node)
    if isinstance(node, Txn):
        return Txn(_others >> cast(Term, _own(node.of)) >> _others)
    changed: dict[str, Any] = {
        entry.name: tuple(_own(part) for part in value) if isinstance(value, tuple) else _own(value)
        for entry in fields(node)  # type: ignore[arg-type]
        if isinstance(value := getattr(node, entry.name), (Term, Formula, tuple))
    }
    if not changed or all(changed[name] == getattr(node, name) for name in changed):
        return node
    if isinstance(node, (Definition, Named)):
        changed["name"] = f"{node.name} in π_J"
    return replace(node, **changed)  # type: ignore[type-var]


#: H1 to the letter, rows in transactions of their own: votes are known, and every call returns the first at its key.
KEPT: Final = PLAIN & ~some(base.same_key & base.other_vote)
_LOG: Final = Region(table="judge_log")
_H1: Final = "under H1, rows in transactions of their own,"


def _edges() -> dict[str, tuple[str, Formula]]:
    found = {}
    entering: Term = _none
    for kind in KINDS:
        edge = EDGES[kind]
        behind = cast(Term, _own(edge))
        entering = entering | (behind >> FIRST)
        differ = some(((_others >> behind) - edge) | (edge - behind))
        found[f"L1.transfer.own.{kind}"] = (
            f"{_H1} a {kind} edge of S is lost, or one is made that starts at no row",
            KEPT & differ,
        )
    return {"L1.transfer.own.enters": (f"{_H1} an edge ends at a row", KEPT & some(entering)), **found}


def _phenomenon(name: str) -> tuple[Formula, Formula]:
    formula = phenomenon(name).formula
    return formula, own(formula)


#: Of these no proof was found: P3 asks for a cycle of any length. It is searched, and follows from `_edges`.
SEARCHED_ONLY: Final = frozenset({"P3"})
#: What is searched: by id, in words, a formula that no schedule of the bound satisfies.
OWN_SEARCHES: Final[dict[str, tuple[str, Formula]]] = {
    **_edges(),
    **{
        f"L1.transfer.own.{name}": (f"{_H1} {name} is lost or gained", KEPT & ((one & ~other) | (other & ~one)))
        for name in CLASSICAL
        for one, other in [_phenomenon(name)]
        if name in SEARCHED_ONLY
    },
    **{
        f"L1.transfer.own.log.{name}": (
            f"{_H1} π_J(S) shows {name} on the judge log",
            KEPT & own(Within(phenomenon(name).formula, _LOG)),
        )
        for name in ("P2", "P3")
    },
}


def _proofs() -> dict[str, tuple[str, Formula, Formula]]:
    found: dict[str, tuple[str, Formula, Formula]] = {
        "L1.transfer.own.no-N1": (f"{_H1} no schedule shows N1", KEPT, N1),
    }
    for name in CLASSICAL:
        if name not in SEARCHED_ONLY:
            one, other = _phenomenon(name)
            lost, gained = (
                f"no schedule shows {name} whose image does not",
                f"no image shows {name} whose schedule does not",
            )
            found[f"L1.transfer.own.{name}.lost"] = (f"{_H1} {lost}", KEPT & one, ~other)
            found[f"L1.transfer.own.{name}.gained"] = (f"{_H1} {gained}", KEPT & other, ~one)
    return found


#: What is proved for schedules of every size: what is stated, and two formulas that none satisfies together.
OWN_QUESTIONS: Final[dict[str, tuple[str, Formula, Formula]]] = _proofs()
