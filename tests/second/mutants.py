"""How second ways are broken: another constant, function, carrier, or setting of the machine; and what is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from . import (
    algebra_claims,
    algorithm_claims,
    conflict_claims,
    design_claims,
    draw_claims,
    level_claims,
    lift_claims,
    log_programs,
    oracles,
    races,
    recovery_claims,
    schedule_claims,
    summand_claims,
    vote_claims,
    vote_machines,
)
from .carriers import RINGS
from .machine import Machine
from .model import compare
from .registry import decider_of

CACHING = (
    algebra_claims,
    algorithm_claims,
    conflict_claims,
    design_claims,
    draw_claims,
    level_claims,
    lift_claims,
    log_programs,
    oracles,
    races,
    recovery_claims,
    schedule_claims,
    summand_claims,
    vote_claims,
    vote_machines,
)
Patch = Callable[[pytest.MonkeyPatch], None]


class Mutant(NamedTuple):
    """What is broken, how, and the claims whose comparison turns red."""

    words: str
    red: tuple[str, ...]
    patches: tuple[Patch, ...]


def forget() -> None:
    """Forget what was decided."""
    for module in CACHING:
        for found in vars(module).values():
            if hasattr(found, "cache_clear"):
                found.cache_clear()


def disagree(id: str) -> bool:
    """Whether a claim's two ways differ; a counterexample that is not as small as the stored one is a difference."""
    decide = decider_of(id)
    assert decide is not None
    try:
        return compare(id, decide(id)) != []
    except AssertionError:
        return True


def item(owner: dict[Any, Any], name: Any, value: Any) -> Patch:
    """Another entry of a mapping."""
    return lambda monkeypatch: monkeypatch.setitem(owner, name, value)


def attribute(owner: Any, name: str, value: Any) -> Patch:
    """Another function, constant or method."""
    return lambda monkeypatch: monkeypatch.setattr(owner, name, value)


def wrapped(owner: Any, name: str, change: Callable[[Any], Any]) -> Patch:
    """A function made of the one that is there."""
    return attribute(owner, name, change(getattr(owner, name)))


def forced(**settings: Any) -> Patch:
    """Machines that have other settings than they are given."""

    def change(write: Any) -> Any:
        def written(self: Machine, *given: Any) -> Any:
            for name, value in settings.items():
                setattr(self, name, value)
            return write(self, *given)

        return written

    return wrapped(Machine, "write", change)


def ring(name: str, **changes: Any) -> Patch:
    """Another carrier of a name."""
    return item(RINGS, name, replace(RINGS[name], **changes))
