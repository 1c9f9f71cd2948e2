"""Pipelines that are wrong in one way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.laws.mutants.base import Mutant
from toki_verify.algebra import Pipeline, Precondition, operator
from toki_verify.testing import pipeline_suite


class LastStep(Pipeline[Any]):
    def precondition(self, policy: Any = "pin") -> Precondition:
        return self.steps[-1].precondition


class Without(Pipeline[Any]):
    """Without the callback axis."""

    def precondition(self, policy: Any = "pin") -> Precondition:
        return replace(super().precondition(), cb=False)


class Repeats(Pipeline[Any]):
    def precondition(self, policy: Any = "pin") -> Precondition:
        found = super().precondition()
        return replace(found, iso="SR") if len(self.steps) > len(set(self.steps)) else found


class PinInIso(Pipeline[Any]):
    def precondition(self, policy: Any = "pin") -> Precondition:
        return super().precondition("level")


class PinRaises(Pipeline[Any]):
    """Keeps the pin, and raises the other tables."""

    def precondition(self, policy: Any = "pin") -> Precondition:
        found = super().precondition()
        return replace(found, iso="SR") if found.pins else found


class Base(Pipeline[Any]):
    def precondition(self, policy: Any = "pin") -> Precondition:
        return replace(super().precondition(), schema="base")


class SamePair(Pipeline[Any]):
    def run(self, first: Any, second: Any, **options: Any) -> list[Any]:
        return [Pipeline((step,)).run(first, second, **options)[0] for step in self.steps]


class OnlyLast(Pipeline[Any]):
    def run(self, first: Any, second: Any, **options: Any) -> list[Any]:
        return super().run(first, second, **options)[-1:]


class WinnerOnly(Pipeline[Any]):
    """Audit tuples with the provenance that the winner came with."""

    def run(self, first: Any, second: Any, **options: Any) -> list[Any]:
        chain = super().run(first, second, **options)
        given = {fact.object: fact.provenance for fact in (first, second)}
        return [replace(one, audit=replace(one.audit, provenance=given[one.winner.object])) for one in chain]


class Resets(Pipeline[Any]):
    """Winners with the provenance that they came with, after the first step."""

    def run(self, first: Any, second: Any, **options: Any) -> list[Any]:
        chain = super().run(first, second, **options)
        given = {fact.object: fact.provenance for fact in (first, second)}
        later = (replace(one, winner=replace(one.winner, provenance=given[one.winner.object])) for one in chain[1:])
        return [chain[0], *later]


# law, name, what is broken, the pipeline
_ENTRIES: tuple[tuple[str, str, str, type[Pipeline[Any]]], ...] = (
    ("L2.join", "last-step-only", "asks for what its last step asks for", LastStep),
    ("L2.join", "without-callback", "the callback axis is forgotten", Without),
    ("L2.order", "repeats-raise", "a step that is repeated asks for SR", Repeats),
    ("T4.policy", "pin-in-iso", "the pin of the policy table is SR in L", PinInIso),
    ("T4.policy", "pin-raises-others", "with a pin every table is to be at SR", PinRaises),
    ("T4.mode", "base-will-do", "the schema base is enough", Base),
    ("T4.chain", "same-pair", "every step gets the original pair", SamePair),
    ("T4.chain", "only-last", "only the last emission is kept", OnlyLast),
    ("T4.schema", "chain-without-losers", "audit tuples have the provenance of the winner only", WinnerOnly),
    ("T4.grows", "chain-resets", "winners fall back to the provenance they came with", Resets),
)


def _suite(kind: type[Pipeline[Any]]) -> Any:
    return lambda: pipeline_suite(lambda *names: kind(tuple(map(operator, names))))


MUTANTS = tuple(Mutant(name, broken, "pipeline_suite", law, _suite(kind)) for law, name, broken, kind in _ENTRIES)
