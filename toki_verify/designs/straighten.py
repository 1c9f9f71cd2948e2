"""The most readable run of an equivalence class: each writer goes on as long as it can."""

from __future__ import annotations

from .engine import Engine
from .explore import Event, happened_before
from .machine import Machine, Step


def straighten(engine: Engine, start: Machine, steps: tuple[Step, ...]) -> tuple[Machine, tuple[Step, ...]]:
    """The state that the steps lead to, and an equivalent order of them in which writers alternate as little as a
    greedy choice can make them: the writer that was on goes on, else the first that can."""
    events: list[Event] = []
    machine = start
    for step in steps:
        done = engine.step(machine, step)
        events.append(Event(step, done.footprint, happened_before(events, step, done.footprint, done.behind)))
        machine = done.machine
    left = list(range(len(steps)))
    taken = 0
    order: list[int] = []
    writer = steps[0].writer if steps else 0
    while left:
        ready = [index for index in left if not events[index].before & ~taken]
        chosen = next((index for index in ready if steps[index].writer == writer), None)
        if chosen is None:
            chosen = min(ready, key=lambda index: (steps[index].writer, index))
        writer = steps[chosen].writer
        left.remove(chosen)
        taken |= 1 << chosen
        order.append(chosen)
    found = tuple(steps[index] for index in order)
    machine = start
    for step in found:
        machine = engine.step(machine, step).machine
    return machine, found
