"""Operators that are wrong in one way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from tests.laws.mutants.base import Mutant
from toki_verify.algebra.facts import contradicts
from toki_verify.algebra.operators import AWAIT, EVIDENCE, LWW, RULE, Operator, Resolution
from toki_verify.algebra.periods import Period
from toki_verify.testing import operator_suite


@dataclass(frozen=True)
class After:
    """An operator whose conclusion is changed afterwards, by a function of the conclusion and the arguments."""

    operator: Operator
    change: Any
    sets: bool = False

    def resolve(self, first: Any, second: Any, **options: Any) -> Resolution[Any]:
        return self.change(self.operator.resolve(first, second, **options), (first, second), options)

    def resolve_set(self, members: Any, **options: Any) -> Resolution[Any]:
        found = self.operator.resolve_set(members, **options)
        return self.change(found, members, options) if self.sets else found


class Before(After):
    """An operator that is given something else: `change` makes (members, options) of those."""

    def resolve(self, first: Any, second: Any, **options: Any) -> Resolution[Any]:
        (first, second), options = self.change((first, second), options)
        return self.operator.resolve(first, second, **options)


def _audit(**values: Any) -> Any:
    """Audit tuples with other values, each a function of (given winner, given loser, options, conclusion)."""

    def change(found: Any, members: Any, options: Any) -> Any:
        first = members[0].object == found.winner.object
        pair = members if first else members[::-1]
        made = {name: value(*pair, options, found) for name, value in values.items()}
        return replace(found, audit=replace(found.audit, **made))

    return change


def _winner(**values: Any) -> Any:
    def change(found: Any, members: Any, options: Any) -> Any:
        given = next(member for member in members if member.object == found.winner.object)
        made = {name: value(given, found.loser, options) for name, value in values.items()}
        return replace(found, winner=replace(found.winner, **made))

    return change


def _product(winner: Any, loser: Any, options: Any, found: Any) -> Any:
    return options["carrier"].times(winner.provenance, loser.provenance)


def _larger(winner: Any, loser: Any, options: Any, found: Any) -> Any:
    leq = options["carrier"].leq
    for one, other in ((winner, loser), (loser, winner)):
        if leq(one.provenance, other.provenance):
            return other.provenance
    return found.audit.provenance


def _restamped(found: Any, members: Any, options: Any) -> Any:
    return replace(found, losers=(replace(found.loser, provenance=found.audit.provenance),))


def _lenient(found: Operator, accepts: Any) -> Any:
    """An operator that resolves what it should refuse, by pretending that the second fact is a contradicting one."""

    def change(members: Any, options: Any) -> Any:
        first, second = members
        if not contradicts(first, second) and accepts(first, second):
            second = replace(first, fact_id="f9", object="pretended")
        return (first, second), options

    return Before(found, change)


def _meets(first: Any, second: Any) -> bool:
    if first.partition != second.partition or first.object == second.object:
        return False
    tick = timedelta(microseconds=1)
    starts = (Period(fact.valid_from - tick, fact.valid_to) for fact in (first, second))
    one, other = starts
    return one.overlaps(second.valid) or other.overlaps(first.valid)


class Moody:
    """Each call, the other one wins."""

    def __init__(self) -> None:
        self.calls = 0

    def resolve(self, first: Any, second: Any, **options: Any) -> Any:
        self.calls += 1
        pair = (first, second) if self.calls % 2 else (second, first)
        return AWAIT.resolve(*pair, **{**options, "oracle": lambda members: 0})


def _spoiling(members: Any, options: Any) -> Any:
    object.__setattr__(members[0], "confidence", 0.25)
    return members, options


def _asking(change: Any) -> Any:
    """Operators of an oracle that is changed by a function of the oracle and the members."""

    def changed(members: Any, options: Any) -> Any:
        oracle = options.get("oracle")
        return members, {**options, "oracle": change(oracle, members)}

    return changed


def _fallback(oracle: Any, members: Any) -> Any:
    def asked(given: Any) -> Any:
        try:
            return oracle(given)
        except RuntimeError:
            return 0

    return asked


class Fold:
    """A set by folding pairs, each winner stamped before it meets the next."""

    def __init__(self, operator: Operator, oracle_set: bool = False) -> None:
        self.operator = operator
        self.resolve = operator.resolve

    def resolve_set(self, members: Any, **options: Any) -> Any:
        best, losers = members[0], ()
        for member in members[1:]:
            found = self.operator.resolve(best, member, **options)
            best, losers = found.winner, (*losers, *found.losers)
        return replace(found, losers=losers)


class Last(After):
    """Of a set the one given last wins."""

    def resolve_set(self, members: Any, **options: Any) -> Any:
        found = AWAIT.resolve_set(members, **{**options, "oracle": lambda given: len(given) - 1})
        stamped = replace(found.winner, resolution_strategy_id="lww")
        return replace(found, winner=stamped, audit=replace(found.audit, strategy="lww"))


def _first_loser_only(found: Any, members: Any, options: Any) -> Any:
    winner = next(member for member in members if member.object == found.winner.object)
    merged = options["carrier"].plus(winner.provenance, found.losers[0].provenance)
    return replace(found, audit=replace(found.audit, provenance=merged))


def _set_strategy(found: Any, members: Any, options: Any) -> Any:
    return replace(found, audit=replace(found.audit, strategy="lww-set"))


class SetOnly(After):
    """Wrong on sets only."""

    def resolve(self, first: Any, second: Any, **options: Any) -> Any:
        return self.operator.resolve(first, second, **options)


def _backwards(text: str) -> tuple[int, ...]:
    return tuple(-ord(letter) for letter in text)


def _preferring(operator: Operator, preference: Any) -> Operator:
    return replace(operator, preference=preference)


# law, name, what is broken, the operator and its strategy id
_ENTRIES: tuple[tuple[str, str, str, str, Any], ...] = (
    ("Tab13.lww", "lww-tie-first", "a tie of time goes to the fact given first", "lww",
     lambda: _preferring(LWW, lambda f: (f.system_time_start,))),
    ("Tab13.lww", "lww-tie-smaller-id", "a tie of time goes to the smaller id", "lww",
     lambda: _preferring(LWW, lambda f: (f.system_time_start, _backwards(f.fact_id)))),
    ("Tab13.lww", "lww-valid-time", "the later valid time wins, not the later system time", "lww",
     lambda: _preferring(LWW, lambda f: (f.valid_from, f.fact_id))),
    ("Tab13.evi", "evi-tie-id", "a tie of confidence is broken by id only", "evi",
     lambda: _preferring(EVIDENCE, lambda f: (f.confidence, f.fact_id))),
    ("Tab13.evi", "evi-time-first", "time counts before confidence", "evi",
     lambda: _preferring(EVIDENCE, lambda f: (f.system_time_start, f.confidence, f.fact_id))),
    ("C2.order", "evi-tie-first", "a tie of confidence goes to the fact given first", "evi",
     lambda: _preferring(EVIDENCE, lambda f: (f.confidence,))),
    ("C2.order", "first-come", "an operator of its own name takes the fact given first", "mine",
     lambda: replace(LWW, id="mine", preference=lambda f: 0)),
    ("T2.sound", "audit-without-loser", "the audit tuple has the provenance of the winner only", "lww",
     lambda: After(LWW, _audit(provenance=lambda w, loser, o, f: w.provenance))),
    ("T2.sound", "audit-without-winner", "the audit tuple has the provenance of the loser only", "lww",
     lambda: After(LWW, _audit(provenance=lambda w, loser, o, f: loser.provenance))),
    ("Def1.audit", "audit-product", "provenance is merged by ⊗", "evi",
     lambda: After(EVIDENCE, _audit(provenance=_product))),
    ("Def1.audit", "audit-larger", "the larger provenance is kept instead of the sum", "lww",
     lambda: After(LWW, _audit(provenance=_larger))),
    ("Def1.audit", "audit-loser-strategy", "the audit tuple has the strategy that the loser asked for", "await",
     lambda: After(AWAIT, _audit(strategy=lambda w, loser, o, f: loser.resolution_strategy_id))),
    ("Def1.audit", "audit-old-time", "the audit tuple has the old system time of the winner", "lww",
     lambda: After(LWW, _audit(system_time=lambda w, loser, o, f: w.system_time_start))),
    ("Def1.audit", "audit-swapped", "the audit tuple takes the loser for the winner", "rule",
     lambda: After(RULE, _audit(winner_id=lambda w, loser, o, f: loser.fact_id))),
    ("C2.stamp", "stamp-old-time", "the winner keeps its old system time", "lww",
     lambda: After(LWW, _winner(system_time_start=lambda w, loser, o: w.system_time_start))),
    ("C2.stamp", "stamp-own-provenance", "the winner keeps its own provenance", "evi",
     lambda: After(EVIDENCE, _winner(provenance=lambda w, loser, o: w.provenance))),
    ("C2.stamp", "stamp-loser-strategy", "the winner is stamped with the strategy of the loser", "lww",
     lambda: After(LWW, _winner(resolution_strategy_id=lambda w, loser, o: loser.resolution_strategy_id))),
    ("C2.stamp", "stamp-confidence", "the winner takes the larger confidence", "lww",
     lambda: After(LWW, _winner(confidence=lambda w, loser, o: max(w.confidence, loser.confidence)))),
    ("C2.loser", "loser-restamped", "the loser gets the merged provenance, too", "lww",
     lambda: After(LWW, _restamped)),
    ("C2.loser", "loser-closed", "the loser comes back closed", "await",
     lambda: After(AWAIT, lambda f, m, o: replace(f, losers=(f.loser.closed(f.loser.valid_to),)
                                                  if f.loser.system_time_start < f.loser.valid_to else ()))),
    ("C2.contradiction", "meets-is-overlap", "periods that meet count as overlapping", "lww",
     lambda: _lenient(LWW, _meets)),
    ("C2.contradiction", "anything-goes", "facts that do not contradict are resolved", "evi",
     lambda: _lenient(EVIDENCE, lambda first, second: True)),
    ("C2.contradiction", "other-subjects", "the subject is not looked at", "rule",
     lambda: _lenient(RULE, lambda first, second: first.subject != second.subject)),
    ("C2.pure", "moody", "each call the other one wins", "mine", Moody),
    ("C2.pure", "spoils-its-input", "the first fact is changed by the call", "lww", lambda: Before(LWW, _spoiling)),
    ("Tab13.await", "asks-twice", "the callback is asked twice", "await",
     lambda: Before(AWAIT, _asking(lambda oracle, members: lambda given: (oracle(given), oracle(given))[1]))),
    ("Tab13.await", "asks-in-other-order", "the callback is given the facts in another order", "await",
     lambda: Before(AWAIT, _asking(lambda oracle, members: lambda given: oracle(given[::-1])))),
    ("Tab13.await", "counts-from-one", "the index is taken to begin at one", "await",
     lambda: Before(AWAIT, _asking(lambda oracle, members: lambda given: (oracle(given) - 1) % 2))),
    ("Tab13.rule", "ignores-policy", "the policy is asked, and the later fact wins", "rule",
     lambda: Before(RULE, _asking(lambda oracle, members: lambda given: (
         oracle(given), given.index(max(given, key=lambda f: (f.system_time_start, f.fact_id))))[1]))),
    ("C2.range", "clamps", "an index out of range is moved into it", "await",
     lambda: Before(AWAIT, _asking(lambda oracle, members: oracle and (lambda given: min(max(oracle(given), 0), 1))))),
    ("C2.range", "negative-index", "negative indices count from the end", "rule",
     lambda: Before(RULE, _asking(lambda oracle, members: oracle and (
         lambda given: (lambda vote: vote % 2 if vote < 0 else vote)(oracle(given)))))),
    ("C2.oracle", "falls-back", "the first fact wins when the callback raises", "await",
     lambda: Before(AWAIT, _asking(lambda oracle, members: oracle and _fallback(oracle, members)))),
    ("C2.oracle", "no-oracle-needed", "without a policy the first fact wins", "rule",
     lambda: Before(RULE, _asking(lambda oracle, members: oracle or (lambda given: 0)))),
    ("P2.confluence", "folds", "a set is folded pair by pair, each winner stamped before the next", "lww",
     lambda: Fold(LWW)),
    ("P2.argmax", "last-of-set", "of a set the member given last wins", "lww", lambda: Last(LWW, None)),
    ("P2.complete", "first-loser-only", "of the losers of a set only the first is merged", "evi",
     lambda: After(EVIDENCE, _first_loser_only, sets=True)),
    ("P2.binary", "set-strategy", "sets are stamped with a strategy of their own", "lww",
     lambda: SetOnly(LWW, _set_strategy, sets=True)),
    ("R3.selection", "asks-pairwise", "the callback is asked for every pair of a set", "await", lambda: Fold(AWAIT)),
)  # fmt: skip


def _suite(strategy: str, make: Any) -> Any:
    return lambda: operator_suite(lambda: {strategy: make()})


MUTANTS = tuple(
    Mutant(name, broken, "operator_suite", law, _suite(strategy, make))
    for law, name, broken, strategy, make in _ENTRIES
)
