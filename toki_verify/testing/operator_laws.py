"""`operator_suite`: the laws of operators of two facts (TOKI 2026, Definition 1, Theorem 2, Table 13, Appendix C.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..algebra.facts import ALL_COLUMNS, Fact
from ..algebra.periods import open_end
from ..algebra.semiring import Semiring
from .cases import Asked, Pair
from .failures import Broken
from .operators_tested import ASKING, FOLDING, PREFERENCES, Operators, Recorded, refusal
from .set_laws import SET_CHECKS
from .strategies import chosen_carrier, compatible_pairs, contradicting_pairs
from .suite import Check, Suite, make_suite

_OUT_OF_RANGE: Final = (2, -1, -2, 99)


def operator_suite(
    make_operators: Callable[[], Mapping[str, Any]],
    *,
    carrier: Semiring[Any] | str | None = None,
    settings: settings | None = None,
) -> type[Suite]:
    """A test class for operators: `TestMine = operator_suite(lambda: {"lww": MyOperator()})`.

    `make_operators()` maps strategy ids to objects with `resolve(first, second, *, now, carrier, oracle=None)`, and
    perhaps `resolve_set(members, *, now, carrier, oracle=None)`, which return what `algebra.Resolution` has: winner,
    losers, audit. Ids besides lww, evi, await and rule are checked by the laws that hold of every operator; that the
    order of the two changes nothing is one of them where no oracle is asked. `carrier` is that of the facts (default:
    multidegree). Raises UnknownCarrier.
    """
    found = chosen_carrier(carrier)
    return make_suite("OperatorSuite", CHECKS, lambda: Operators(make_operators(), found), settings)


def _pairs(tested: Operators) -> SearchStrategy[Pair[Any]]:
    return st.one_of(contradicting_pairs(tested.carrier), contradicting_pairs(tested.carrier, aware=True))


def _asked(only: Sequence[str] | None = None) -> Callable[[Operators], SearchStrategy[Asked]]:
    """Cases for some of the ids, or for all of them."""

    def cases(tested: Operators) -> SearchStrategy[Asked]:
        ids = [name for name in tested.operators if only is None or name in only]
        return st.builds(Asked, st.sampled_from(ids), _pairs(tested), st.integers(0, 1))

    return cases


def _compatible(tested: Operators) -> SearchStrategy[Asked]:
    return st.builds(Asked, st.sampled_from(list(tested.operators)), compatible_pairs(tested.carrier))


def audit(tested: Operators, asked: Asked) -> None:
    """Def1.audit."""
    pair, found = asked.case, tested.resolve(asked)
    winner, loser = elected(pair, found)
    expected = {
        "provenance": tested.carrier.plus(winner.provenance, loser.provenance),
        "strategy": asked.strategy,
        "system_time": pair.now,
        "winner_id": winner.fact_id,
        "winner_object": winner.object,
        "loser_ids": (loser.fact_id,),
        "loser_objects": (loser.object,),
    }
    for name, value in expected.items():
        has = getattr(found.audit, name)
        if has != value:
            texts = (tested.carrier.text(v) if name == "provenance" else repr(v) for v in (has, value))
            raise Broken("the {} of the audit tuple is {}, not {}".format(name, *texts))


def sound(tested: Operators, asked: Asked) -> None:
    """T2.sound."""
    found = tested.resolve(asked)
    for fact in asked.case.facts:
        tested.require_below(fact, found.audit.provenance, "the audit tuple")


def contradiction(tested: Operators, asked: Asked) -> None:
    """C2.contradiction."""
    if refusal(lambda: tested.resolve(asked)) is None:
        raise Broken(f"{asked.strategy} resolves two facts that do not contradict")


def stamp(tested: Operators, asked: Asked) -> None:
    """C2.stamp."""
    pair, found = asked.case, tested.resolve(asked)
    winner, loser = elected(pair, found)
    expected = replace(
        winner,
        system_time_start=pair.now,
        system_time_end=open_end(pair.now),
        provenance=tested.carrier.plus(winner.provenance, loser.provenance),
        resolution_strategy_id=asked.strategy,
        row_kind="current",
    )
    if found.winner != expected:
        differing = [c for c in ALL_COLUMNS if _column(found.winner, c) != _column(expected, c)]
        what = f"the winner is not stamped as it should be: {', '.join(differing) or 'its type'}"
        raise Broken(what, expected=expected, found=found.winner)


def _column(fact: Any, column: str) -> Any:
    return getattr(fact, "provenance" if column == "provenance_id" else column, None)


def loser(tested: Operators, asked: Asked) -> None:
    """C2.loser."""
    pair, found = asked.case, tested.resolve(asked)
    if len(found.losers) != 1:
        raise Broken(f"{len(found.losers)} losers of two facts")
    _, other = elected(pair, found)
    if found.losers[0] != other:
        raise Broken("the loser is not returned as it was given", expected=other, found=found.losers[0])


def pure(tested: Operators, asked: Asked) -> None:
    """C2.pure."""
    pair = asked.case
    before = [(replace(fact), tested.carrier.text(fact.provenance)) for fact in pair.facts]
    found, again = tested.resolve(asked), tested.resolve(asked)
    if found != again:
        raise Broken("a second call concludes something else", once=found.winner, again=again.winner)
    for fact, (was, provenance) in zip(pair.facts, before, strict=True):
        if fact != was or tested.carrier.text(fact.provenance) != provenance:
            raise Broken(f"{fact.fact_id} was changed by the call", was=was)


def order(tested: Operators, asked: Asked) -> None:
    """C2.order. Of another operator that asks an oracle nobody says what a vote means in another order."""
    votes = Recorded(asked.vote), Recorded(1 - asked.vote)
    oracles = (None, None) if asked.strategy in FOLDING else votes
    found = tested.resolve(asked, oracles[0])
    other = tested.resolve(replace(asked, case=asked.case.swapped), oracles[1])
    if asked.strategy not in FOLDING + ASKING and any(oracle.calls for oracle in votes):
        return
    if found != other:
        raise Broken("given in the other order they conclude something else", winner=found.winner, other=other.winner)


def _preferring(strategy: str) -> Callable[[Operators, Asked], None]:
    def prefers(tested: Operators, asked: Asked) -> None:
        best = max(asked.case.facts, key=PREFERENCES[strategy])
        winner, _ = elected(asked.case, tested.resolve(asked))
        if winner is not best:
            raise Broken(f"{name_of(winner)} wins, not {name_of(best)}")

    return prefers


def elects(tested: Operators, asked: Asked) -> None:
    """Tab13.await, Tab13.rule."""
    pair, oracle = asked.case, Recorded(asked.vote)
    winner, _ = elected(pair, tested.resolve(asked, oracle))
    if winner is not pair.facts[asked.vote]:
        raise Broken(f"{name_of(winner)} wins, not {name_of(pair.facts[asked.vote])}")
    if len(oracle.calls) != 1:
        raise Broken(f"the oracle was asked {len(oracle.calls)} times")
    if oracle.calls[0] != pair.facts:
        raise Broken("the oracle was not given the two facts in their order")


def out_of_range(tested: Operators, asked: Asked) -> None:
    """C2.range."""
    for vote in _OUT_OF_RANGE:
        case = replace(asked, vote=vote)
        try:
            found = tested.resolve(case)
        except ValueError:
            continue
        except Exception as error:
            what = f"the index {vote} raises {type(error).__name__}: {error}; expected a ValueError"
            raise Broken(what).of(case) from error
        raise Broken(f"the index {vote} is accepted; expected a ValueError", found=found.winner).of(case)


def oracle_failing(tested: Operators, asked: Asked) -> None:
    """C2.oracle."""
    failing = RuntimeError("no answer")
    for what, vote, oracle in (("raises", failing, Recorded(failing)), ("is not there", None, None)):
        try:
            found = tested.resolve(asked, oracle, given=True)
        except Exception:
            continue
        what = f"an oracle that {what} elects {name_of(found.winner)}; expected that the operator raises"
        raise Broken(what).of(replace(asked, vote=vote))


def elected(pair: Pair[Any], found: Any) -> tuple[Fact[Any], Fact[Any]]:
    """Winner and loser as they were given. Raises Broken where the winner is neither of the two."""
    for winner, other in (pair.facts, pair.facts[::-1]):
        # Objects of facts that contradict differ: the object tells which of the two it is.
        if (found.winner.fact_id, found.winner.object) == (winner.fact_id, winner.object):
            return winner, other
    raise Broken("the winner is neither of the two facts", found=found.winner)


def name_of(fact: Fact[Any]) -> str:
    """A fact in messages: two versions of one fact have one id."""
    return f"{fact.fact_id} ({fact.object})"


def _missing(*ids: str) -> Callable[[Operators], str]:
    return lambda tested: "" if tested.operators.keys() & set(ids) else f"no operator {' or '.join(ids)}"


CHECKS: Final = (
    Check("Def1.audit", audit, _asked()),
    Check("T2.sound", sound, _asked()),
    Check("C2.contradiction", contradiction, _compatible),
    Check("C2.stamp", stamp, _asked()),
    Check("C2.loser", loser, _asked()),
    Check("C2.pure", pure, _asked()),
    Check("C2.order", order, _asked()),
    *(Check(f"Tab13.{name}", _preferring(name), _asked((name,)), _missing(name)) for name in FOLDING),
    *(Check(f"Tab13.{name}", elects, _asked((name,)), _missing(name)) for name in ASKING),
    Check("C2.range", out_of_range, _asked(ASKING), _missing(*ASKING)),
    Check("C2.oracle", oracle_failing, _asked(ASKING), _missing(*ASKING)),
    *SET_CHECKS,
)
