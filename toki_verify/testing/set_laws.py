"""The laws of operators of conflict sets, for those that have `resolve_set` (TOKI 2026, Proposition 2, Remark 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ..algebra.facts import Fact
from .cases import Asked, ConflictSet
from .failures import Broken
from .operators_tested import ASKING, FOLDING, PREFERENCES, Operators, Recorded
from .strategies import conflict_sets, contradicting_pairs
from .suite import Check


def _ids(tested: Operators, only: Sequence[str] | None = None) -> list[str]:
    found = (name for name, operator in tested.operators.items() if hasattr(operator, "resolve_set"))
    return [name for name in found if only is None or name in only]


def _missing(only: Sequence[str] | None = None) -> Callable[[Operators], str]:
    named = f" {' or '.join(only)}" if only else ""
    return lambda tested: "" if _ids(tested, only) else f"no operator{named} with resolve_set"


def _asked(only: Sequence[str] | None = None) -> Callable[[Operators], SearchStrategy[Asked]]:
    return lambda tested: _draw_asked(tested, _ids(tested, only))


@st.composite
def _draw_asked(draw: DrawFn, tested: Operators, ids: list[str]) -> Asked:
    strategy, case = draw(st.sampled_from(ids)), draw(conflict_sets(carrier=tested.carrier))
    places = range(len(case.members))
    return Asked(strategy, case, draw(st.sampled_from(places)), tuple(draw(st.permutations(places))))


def _two(tested: Operators) -> SearchStrategy[Asked]:
    pairs = contradicting_pairs(tested.carrier)
    return st.builds(Asked, st.sampled_from(_ids(tested)), pairs, st.integers(0, 1))


def binary(tested: Operators, asked: Asked) -> None:
    """P2.binary."""
    pair = asked.case
    found = tested.resolve(asked)
    as_set = tested.resolve(replace(asked, case=ConflictSet(pair.facts, pair.now, pair.carrier)))
    if found != as_set:
        raise Broken("as a set the two conclude something else", of_pair=found.winner, of_set=as_set.winner)


def argmax(tested: Operators, asked: Asked) -> None:
    """P2.argmax."""
    best = max(asked.case.members, key=PREFERENCES[asked.strategy])
    _require(_winner(tested.resolve(asked)), best)


def confluence(tested: Operators, asked: Asked) -> None:
    """P2.confluence."""
    case: ConflictSet[Any] = asked.case
    shuffled = replace(case, members=tuple(case.members[place] for place in asked.order))
    found, other = tested.resolve(asked), tested.resolve(replace(asked, case=shuffled))
    if found.winner != other.winner:
        raise Broken("another order has another winner", winner=found.winner, other=other.winner)
    if found.audit.provenance != other.audit.provenance:
        texts = tested.carrier.text(found.audit.provenance), tested.carrier.text(other.audit.provenance)
        raise Broken("the merged provenance is {}, in another order {}".format(*texts))


def complete(tested: Operators, asked: Asked) -> None:
    """P2.complete."""
    found = tested.resolve(asked)
    for member in asked.case.members:
        tested.require_below(member, found.audit.provenance, "the audit tuple")


def selection(tested: Operators, asked: Asked) -> None:
    """R3.selection."""
    oracle = Recorded(asked.vote)
    _require(_winner(tested.resolve(asked, oracle)), asked.case.members[asked.vote])
    if oracle.calls != [asked.case.members]:
        raise Broken(f"the oracle was asked {len(oracle.calls)} times, and not once with all members in their order")


def _winner(found: Any) -> tuple[str, str]:
    return found.winner.fact_id, found.winner.object


def _require(winner: tuple[str, str], best: Fact[Any]) -> None:
    if winner != (best.fact_id, best.object):
        raise Broken(f"{winner[0]} ({winner[1]}) wins, not {best.fact_id} ({best.object})")


SET_CHECKS: Final = (
    Check("P2.binary", binary, _two, _missing()),
    Check("P2.argmax", argmax, _asked(FOLDING), _missing(FOLDING)),
    Check("P2.confluence", confluence, _asked(FOLDING), _missing(FOLDING)),
    Check("P2.complete", complete, _asked(), _missing()),
    Check("R3.selection", selection, _asked(ASKING), _missing(ASKING)),
)
