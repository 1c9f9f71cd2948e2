"""The smallest run of writers that breaks a law: steps are left out and simplified as long as the same law breaks.

Hypothesis hardly ever leaves a step out of a run (a step is several draws, and rules have flags), so it is done here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import combinations
from time import monotonic
from typing import Any, Final

from .failures import LawBroken

#: A rule of the machine and its arguments.
Action = tuple[str, dict[str, Any]]
#: How many runs are tried, and for how many seconds: stores on files are slow.
TRIES: Final = 2_000
SECONDS: Final = 30.0


def replay(machine: type[Any], actions: Sequence[Action]) -> LawBroken | None:
    """Run a machine through some steps: the law that breaks first, or None. Steps that nobody can do are left out."""
    made = machine()
    try:
        made.open()
        for name, arguments in actions:
            if made.can(name):
                getattr(made, name)(**arguments)
                made.laws_hold()
    except LawBroken as broken:
        return broken
    finally:
        made.teardown()
    return None


def minimal(machine: type[Any], broken: LawBroken) -> LawBroken:
    """The failure of the same law by as few and as simple steps as are found."""
    best = broken
    actions: list[Action] = list(getattr(broken, "actions", ()))
    tries, changed, until = 0, True, monotonic() + SECONDS
    while changed and tries < TRIES:
        changed = False
        for smaller in _smaller(actions, machine.simplest):
            tries += 1
            found = replay(machine, smaller)
            if found is not None and found.law == broken.law:
                best, actions, changed = found, list(getattr(found, "actions", smaller)), True
                break
            if monotonic() > until:
                return best
            if tries >= TRIES:
                break
    return best


def _smaller(actions: Sequence[Action], simplest: dict[str, Any]) -> Iterator[list[Action]]:
    """Runs with half of the steps, a step, or an argument simplified; large changes first."""
    size = len(actions) // 2
    while size:
        for at in range(len(actions) - size, -1, -1):
            yield [*actions[:at], *actions[at + size :]]
        size //= 2
    for given, done in combinations(range(len(actions)), 2):
        if (actions[given][0], actions[done][0]) == ("give", "finish"):
            whole = {**actions[given][1], "vote": actions[done][1]["vote"]}
            del whole["number"]
            yield [*actions[:given], *actions[given + 1 : done], ("write", whole), *actions[done + 1 :]]
    # A partition or period is told by every step about it, and changes in all of them at once or not at all.
    for value in dict.fromkeys(arguments["when"] for _, arguments in actions if "when" in arguments):
        for simpler in _simpler(value, simplest["when"]):
            yield [
                (name, {**arguments, "when": simpler} if arguments.get("when") == value else arguments)
                for name, arguments in actions
            ]
    for at, (name, arguments) in enumerate(actions):
        for other in _wholes(name, arguments):
            yield [*actions[:at], other, *actions[at + 1 :]]
        if name == "step" and at + 1 < len(actions) and actions[at + 1][0] == "step":
            count = arguments["count"] + actions[at + 1][1]["count"]
            yield [*actions[:at], (name, {**actions[at + 1][1], "count": count}), *actions[at + 2 :]]
        for argument, value in arguments.items():
            for simpler in _simpler(value, simplest[argument]):
                yield [*actions[:at], (name, {**arguments, argument: simpler}), *actions[at + 1 :]]


def _wholes(name: str, arguments: dict[str, Any]) -> Iterator[Action]:
    """Rules that do at once what others do in several steps."""
    if name == "give":
        for vote in (0, 1):
            yield "write", {"what": arguments["what"], "when": arguments["when"], "vote": vote}
    elif name == "step":
        yield "finish", {"vote": arguments["vote"], "number": arguments["number"]}


def _simpler(value: Any, simplest: Any) -> Iterator[Any]:
    if value == simplest:
        return
    yield simplest
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if getattr(value, field.name) != getattr(simplest, field.name):
                yield replace(value, **{field.name: getattr(simplest, field.name)})


def steps_text(actions: Sequence[Action], strategies: Sequence[str]) -> list[str]:
    """The steps of a run, a line each."""
    return [
        f"{name}({', '.join(f'{key}: {_told(value, strategies)}' for key, value in arguments.items())})"
        for name, arguments in actions
    ]


def _told(value: Any, strategies: Sequence[str]) -> str:
    return str(value.told(strategies)) if hasattr(value, "told") else str(value)
