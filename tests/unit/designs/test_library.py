"""The library: every design can be explored, says where each step comes from, and says nothing of what comes of it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from toki_verify.designs import Design, Steps, commit, delete, read, update, writer
from toki_verify.designs.emit import schedule_of
from toki_verify.designs.engine import Engine
from toki_verify.designs.explore import Explorer
from toki_verify.designs.library import PLACES, design, designs
from toki_verify.designs.library.letta import Letta, LettaSerializable
from toki_verify.designs.library.mem0 import Mem0V2, Mem0V3
from toki_verify.designs.library.mirix import Mirix
from toki_verify.designs.library.textbook import CompareAndSet
from toki_verify.designs.library.toki import Toki, TokiPrinted, TokiRule, TokiRuleKeyed
from toki_verify.designs.library.worlddb import WorldDB
from toki_verify.designs.library.zep import Zep, ZepReplicas
from toki_verify.designs.machine import Machine, Record
from toki_verify.designs.model import describe
from toki_verify.designs.program import Program
from toki_verify.events import Schedule
from toki_verify.notation import parse_one, print_schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "toki_verify/designs/library").glob("*.py"))


def runs(cls: type[Design], *, only: str | None = None) -> Iterator[tuple[Machine, Schedule]]:
    """Every run of two writers without crashes, as it ends and as a schedule."""
    described = describe(cls)
    writers = [found for found in described.writers if only in (None, found.name)]
    for workload in combinations_with_replacement(writers, 2):
        engine = Engine(described)
        ends: list[Machine] = []
        explorer = Explorer(engine, lambda machine, steps, ends=ends: ends.append(machine))  # type: ignore[misc]
        explorer.explore(engine.start(tuple(Program(described, of, me) for me, of in enumerate(workload, 1))))
        for machine in ends:
            yield machine, schedule_of(described, engine.statements, machine)


def shown(cls: type[Design], *phenomena: str, only: str | None = None) -> set[str]:
    """Which of some phenomena the runs of a design show."""
    asked = {name: catalogue()[name].formula for name in phenomena}
    found: set[str] = set()
    for _, schedule in runs(cls, only=only):
        concrete = Concrete(schedule)
        found |= {name for name, formula in asked.items() if name not in found and concrete.holds(formula)}
    return found


@pytest.mark.parametrize("slug", PLACES)
def test_every_design_is_explored_and_every_run_of_it_is_a_schedule(slug: str) -> None:
    seen = 0
    for machine, schedule in runs(design(slug)):
        seen += 1
        assert machine.finished
        assert parse_one(print_schedule(schedule)) == schedule
    assert seen > 1


@pytest.mark.parametrize("slug", PLACES)
def test_every_design_says_what_it_is_and_where_its_steps_come_from(slug: str) -> None:
    cls = design(slug)
    assert cls.title and "title" in vars(cls)
    assert cls.__doc__ and "__doc__" in vars(cls) and cls.__doc__ != Design.__doc__
    assert cls.sources
    known = r"SYSTEMS\.md|TOKI 2026|Algorithm 1|Table \d|§|Corollary|FIELD\.md|traces/| (19|20)\d\d"
    assert all(re.search(known, source) for source in cls.sources.values()), cls.sources


def test_the_matrix_has_every_system_once() -> None:
    found = designs()
    assert list(found) == list(PLACES)
    titles = [cls.title for cls in found.values()]
    assert len(set(titles)) == len(titles)
    assert len(set(found.values())) == len(found)


# -- no verdict is written down ----------------------------------------------------------------------------------------
VERDICTS = re.compile(r"admit|exclud|\bN[123]\b|n[123]_|verdict", re.IGNORECASE)


def texts(source: str) -> Iterator[str]:
    """Every name and every text of a program, docstrings left out."""
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and ast.get_docstring(node) and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        for name in ("id", "attr", "arg", "name"):
            if isinstance(value := getattr(node, name, None), str):
                yield value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_library_has_no_table_of_expected_answers(path: Path) -> None:
    assert [text for text in texts(path.read_text(encoding="utf-8")) if VERDICTS.search(text)] == []


@pytest.mark.parametrize(
    "planted",
    [
        'class A:\n    expected = {"P4": "admits"}',
        'class A:\n    "About."\n    cells = ["N2"]',
        "def f(excludes):\n    return excludes",
        "N1 = True",
        'x = f"admits {1}"',
    ],
)
def test_a_table_of_expected_answers_would_be_found(planted: str) -> None:
    assert any(VERDICTS.search(text) for text in texts(planted))


# -- what is explored is the write path --------------------------------------------------------------------------------
def test_letta_one_level_up_loses_no_update() -> None:
    assert shown(Letta, "P4", "A5B") == {"P4", "A5B"}
    assert shown(LettaSerializable, "P4", "A5B") == set()


def test_a_second_replica_is_a_second_queue() -> None:
    assert shown(Zep, "P4", only="add_episode") == set()
    assert shown(ZepReplicas, "P4", only="add_episode") == {"P4"}


def test_a_close_that_looks_at_the_row_loses_no_update() -> None:
    assert shown(Toki, "P4") == set()
    assert shown(TokiPrinted, "P4") == {"P4"}


def test_a_keyed_log_gives_one_answer_where_an_appended_one_gives_two() -> None:
    assert shown(TokiRule, "N1") == {"N1"}
    assert shown(TokiRuleKeyed, "N1") == set()


class Careless(CompareAndSet):
    """Compare-and-set that does not compare."""

    @writer
    def remember(self, me: int) -> Steps[None]:
        """Write a fact."""
        old = yield from read("facts", "m0")
        yield from update("facts", "m0", object=f"after {old['object'] if old else ''}", prov=f"p{me}")
        yield from commit()


def test_leaving_the_comparison_out_loses_an_update() -> None:
    assert shown(CompareAndSet, "P4") == set()
    assert shown(Careless, "P4") == {"P4"}


class Forgetful(WorldDB):
    """WorldDB with a way to take a node away."""

    @writer
    def forget(self) -> Steps[None]:
        """Delete the node that is there."""
        yield from delete("facts", "hash(Alice lives in LA)")
        yield from commit()


def test_a_write_path_that_deletes_erases() -> None:
    assert shown(WorldDB, "N3") == set()
    assert shown(Forgetful, "N3") == {"N3"}


def test_an_agent_whose_tool_never_updates_erases_nothing() -> None:
    class Inserting(Mirix):
        """MIRIX whose agents only insert."""

        votes = ("insert",)

    assert shown(Mirix, "N3") == {"N3"}
    assert shown(Inserting, "N3") == set()


# -- the recorded traces are runs of the designs -----------------------------------------------------------------------
TRACES = {
    "mem0_0.1.118_concurrent_merge-merge": (Mem0V2, "UPDATE"),
    "mem0_2.2.1_concurrent_same_fact_twice": (Mem0V3, "store"),
}


def recorded(name: str) -> list[tuple[int, str, str, str]]:
    """A trace: writer, letter, table, kind of write. The item reads right before a write are part of the search."""
    found = []
    for line in (ROOT / "examples/traces" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        event: dict[str, Any] = json.loads(line)
        letter = "p" if event["op"] == "r" and "predicate" in event else event["op"]
        kind = next((kind for kind in ("insert", "delete") if event.get(kind)), "update") if letter == "w" else ""
        if letter not in ("b", "r"):
            table = event.get("table", "").replace("memories", "facts")
            found.append((int(event["txn"]), letter, table, kind))
    return found


def done(record: Record) -> tuple[int, str, str, str]:
    """A record of the engine, in the same words."""
    kind = record.more[1].name.lower() if record.what == "w" else ""
    return int(record.txn.split(".")[0]), record.what, record.place[0] if record.place else "", kind


@pytest.mark.parametrize("name", TRACES)
def test_a_recorded_trace_is_a_run(name: str) -> None:
    cls, vote = TRACES[name]
    described = describe(cls)
    engine = Engine(described)
    machine = engine.start(tuple(Program(described, described.writers[0], me) for me in (1, 2)))
    for event in recorded(name):
        happened: list[tuple[int, str, str, str]] = []
        while not happened:
            options = engine.options(machine, event[0] - 1)
            step = next((found for found in options if found.choice == (vote,)), options[0])
            before = len(machine.history())
            machine = engine.step(machine, step).machine
            happened = [done(record) for record in machine.history()[before:]]
            happened = [found for found in happened if found[2] != "messages"]  # a table that was not recorded
        assert happened == [event]
    assert machine.finished
