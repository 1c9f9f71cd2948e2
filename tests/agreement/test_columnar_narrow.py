"""Places are stored in 32 bits and products of two in 64: that no product is forgotten, shown with places of 8 bits.

A product that is not made wide first overflows silently where a trace is large, which no small schedule shows. So the
same schedules are read with places of 8 bits, in which products overflow already beyond 127, and with places of 64.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from columnar_cases import snapshot_schedule
from random_schedules import _Draft, annotated

from toki_verify.events import Item, Schedule, ScheduleError
from toki_verify.histories.columnar import (
    agent,
    arrays,
    cycles,
    engine,
    events,
    forks,
    graphs,
    index,
    missed,
    observed,
    pivots,
    reads,
    rows,
    stale,
    status,
)
from toki_verify.histories.columnar.cycles import alternating
from toki_verify.histories.columnar.decide import decide
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.trace import Trace, of_schedule

HOLD_NEVER = (arrays, agent, engine, forks, missed)
#: Modules that multiply places.
MULTIPLY = (agent, arrays, cycles, engine, events, forks, index, missed, observed, pivots, reads, rows, stale, status)


def broad_schedule(seed: int) -> Schedule:
    """A random schedule with so many transactions, items and events that products of two of them exceed 127."""
    rng = random.Random(f"broad {seed}")
    while True:
        draft = _Draft(rng)
        draft.txns = [str(number + 1) for number in range(rng.randint(12, 20))]
        draft.open = list(draft.txns)
        draft.items = [Item("facts", f"k{number}") for number in range(rng.choice((10, 12, 14)))]
        draft.names = ("P", "Q")
        draft.labelled = True
        draft.work(rng.randint(25, 45))
        try:
            found = annotated(draft.schedule(), rng)
        except ScheduleError:
            continue
        if fits(of_schedule(found)):
            return found


def fits(trace: Trace) -> bool:
    """Whether 8 bits number what is in it: accesses, versions, ends of edges, nodes of graphs with two layers."""
    if len(trace.kind) > 100 or len(trace.rank) > 120:
        return False
    reading = Reading(trace)
    ends = 2 * max(len(reading.everything.edges), len(alternating(reading).edges))
    return ends < 127 and 2 * len(trace.kind) - len(reading.index.writes) < 127


def cut(trace: Trace) -> Trace:
    """The trace with places of 8 bits."""
    found: dict[str, Any] = {field.name: getattr(trace, field.name) for field in fields(trace)}
    narrow: dict[str, Any] = {
        name: value.astype(np.int8)
        for name, value in found.items()
        if isinstance(value, np.ndarray) and value.dtype == np.int32
    }
    return replace(trace, **narrow)


def answers(trace: Trace) -> Mapping[str, bool | None]:
    decided = decide(trace)
    return {**decided.present, **decided.holds}


class Crowded(Exception):
    """More ends of edges and queries together than 8 bits can number: nothing is multiplied."""


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> Callable[[type[np.signedinteger[Any]], int], None]:
    """Store places in another type."""

    dense = graphs.dense

    def numbered(values: arrays.Ints) -> tuple[int, arrays.Ints]:
        if arrays.NARROW is np.int8 and len(values) > 127:
            raise Crowded
        return dense(values)

    monkeypatch.setattr(graphs, "dense", numbered)

    def store(kind: type[np.signedinteger[Any]], never: int) -> None:
        monkeypatch.setattr(arrays, "NARROW", kind)
        for module in HOLD_NEVER:
            monkeypatch.setattr(module, "NEVER", never)

    return store


def differing(schedules: list[Schedule], store: Callable[[type[np.signedinteger[Any]], int], None]) -> int:
    """How many schedules are answered otherwise with places of 8 bits than of 64."""
    traces = [of_schedule(schedule) for schedule in schedules]
    store(np.int64, 1 << 31)
    expected = [answers(trace) for trace in traces]
    store(np.int8, 127)
    wrong = crowded = 0
    for trace, theirs in zip(traces, expected, strict=True):
        try:
            wrong += answers(cut(trace)) != theirs
        except Crowded:
            crowded += 1
        except (IndexError, OverflowError, ValueError, FloatingPointError):
            wrong += 1
    assert crowded <= len(schedules) // 500, crowded
    return wrong


def test_no_product_of_places_overflows(stored: Callable[[type[np.signedinteger[Any]], int], None]) -> None:
    found = [broad_schedule(seed) for seed in range(50)]
    found += [snapshot_schedule(seed) for seed in range(20)]
    assert differing(found, stored) == 0


@pytest.mark.heavy
def test_no_product_of_places_overflows_in_many_schedules(
    stored: Callable[[type[np.signedinteger[Any]], int], None],
) -> None:
    assert differing([broad_schedule(seed) for seed in range(1_000, 9_000)], stored) == 0


def test_products_that_are_not_made_wide_are_found(
    stored: Callable[[type[np.signedinteger[Any]], int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in MULTIPLY:
        monkeypatch.setattr(module, "wide", arrays.ints)
    assert differing([broad_schedule(seed) for seed in range(20)], stored) > 10


#: What multiplies without `wide`: numbers of Python, which do not overflow.
PLAIN = {
    "2 * NEVER",
    "2 * power",
    "2 * size",
    "0 * at",
    "(txn + 1) * index.items",
    "64 * WORDS",
    "[full(0, 0)] * 4",
    "(full(0, 0),) * width",
    "[None] * (len(parts) - len(made.parts))",
}


def bare_products(text: str) -> list[str]:
    """The products in a source of which neither side is made wide, or is a scalar beside a wide one."""
    found = []
    tree = ast.parse(text)
    names = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name) and ast.unparse(node.value.func) in ("int", "len", "max", "wide")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            left, right = node.left, node.right
            sides = [ast.unparse(side) for side in (left, right)]
            is_wide = any(side.startswith("wide(") or "wide(" in side for side in sides) or sides[0] in names
            if not is_wide and ast.unparse(node) not in PLAIN:
                found.append(ast.unparse(node))
    return found


def test_every_product_is_made_wide() -> None:
    files = sorted(Path(arrays.__file__).parent.glob("*.py"))
    assert len(files) > 20
    assert {file.name: found for file in files if (found := bare_products(file.read_text("utf-8")))} == {}
    assert bare_products("a = txn * items + item") == ["txn * items"]
    assert bare_products("a = wide(txn) * items + (b[0] * c)") == ["b[0] * c"]
