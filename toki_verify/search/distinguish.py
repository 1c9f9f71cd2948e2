"""What one level allows and another forbids: the smallest such schedule, or a proof of none (SEMANTICS §4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..levels import DEFAULT_FAMILY, Family, Level, families, parse_spec
from .decide import Decision, decide
from .features import Features
from .witness import Bounds


@dataclass(frozen=True)
class Distinction:
    """The answer for two levels. `decision.verdict` "none": every schedule at `allowed` is at `forbidden` too."""

    allowed: Level
    forbidden: Level
    decision: Decision


def full_name(level: Level) -> str:
    """`family:id`."""
    return f"{level.family}:{level.id}"


def distinguish(
    allowed: str | Level,
    forbidden: str | Level,
    *,
    family: str = DEFAULT_FAMILY,
    user: Family | None = None,
    bounds: Bounds | None = None,
    features: Features | None = None,
    seconds: float | None = None,
    solver: str = "z3",
    progress: Callable[[str], None] = lambda text: None,
) -> Distinction:
    """The smallest schedule that `allowed` allows and `forbidden` forbids, or a proof that none exists.

    Levels are specifications such as "SI" (of `family`), "adya:PL-3", "SR@judge_log", or `Level` objects. Raises
    UnknownName, Unfit, SolverMissing.
    """
    one = parse_spec(allowed, default=family, user=user) if isinstance(allowed, str) else allowed
    other = parse_spec(forbidden, default=family, user=user) if isinstance(forbidden, str) else forbidden
    decision = decide(
        one.formula & ~other.formula,
        id=f"{full_name(one)}-implies-{full_name(other)}",
        statement=f"every schedule at {full_name(one)} is at {full_name(other)}",
        bounds=bounds,
        features=features,
        seconds=seconds,
        solver=solver,
        progress=progress,
    )
    return Distinction(one, other, decision)


def hierarchy(names: list[str] | None = None, *, user: Family | None = None) -> list[Level]:
    """The levels of a hierarchy: those of the families named, or of all of them."""
    known = {**families(), **({user.id: user} if user else {})}
    chosen = names or list(known)
    return [level for name in chosen for level in (known[name].levels if name in known else ())]
