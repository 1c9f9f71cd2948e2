"""The declarative form: the same schedules as the design in Python, and every wrong file told where and what."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from toki_verify.designs import Design, DesignError
from toki_verify.designs.declarative import load_toml
from toki_verify.designs.emit import schedule_of
from toki_verify.designs.engine import Engine
from toki_verify.designs.explore import Explorer
from toki_verify.designs.machine import Machine
from toki_verify.designs.model import describe
from toki_verify.designs.program import Program
from toki_verify.designs.toml_steps import DOES

from .bad_designs import files
from .declared_designs import LAST_WRITER_WINS, PAIRS, CompareAndSet


def design_of(text: str) -> type[Design]:
    return load_toml(text.encode(), "mine.toml")


def schedules(of: type[Design], level: str, crashes: int) -> list[str]:
    """The schedules of every pair of write paths, as they come."""
    described = replace(describe(of), isolation=level)
    found: list[str] = []
    for workload in combinations_with_replacement(described.writers, 2):
        engine = Engine(described)

        def visit(machine: Machine, steps: object, engine: Engine = engine) -> None:
            found.append(str(schedule_of(described, engine.statements, machine)))

        programs = tuple(Program(described, chosen, me) for me, chosen in enumerate(workload, 1))
        Explorer(engine, visit).explore(engine.start(programs, crashes))
    return found


@pytest.mark.parametrize(
    ("python", "toml", "level", "crashes"),
    [
        *(pytest.param(*pair, level, 0, id=f"{pair[0].__name__}-{level}") for pair in PAIRS for level in ("RC", "SI")),
        *(pytest.param(*pair, "RC", 1, id=f"{pair[0].__name__}-crash") for pair in PAIRS if pair[0] is CompareAndSet),
    ],
)
def test_both_forms_have_the_same_schedules(python: type[Design], toml: str, level: str, crashes: int) -> None:
    expected = schedules(python, level, crashes)
    assert len(expected) > 5
    assert schedules(design_of(toml), level, crashes) == expected


@pytest.mark.parametrize(("python", "toml"), PAIRS, ids=[pair[0].__name__ for pair in PAIRS])
def test_both_forms_declare_the_same(python: type[Design], toml: str) -> None:
    one, other = describe(python), describe(design_of(toml))
    for name in ("initial", "isolation", "retries", "recovers", "votes", "deterministic", "surface", "pins"):
        assert getattr(one, name) == getattr(other, name), name
    assert list(one.tables) == list(other.tables)
    for name, table in one.tables.items():
        declared = other.tables[name]
        assert (table.partition, table.part, table.content) == (declared.partition, declared.part, declared.content)
        for entry in one.initial:
            if entry.table == name:
                assert (table.closed and table.closed(entry.row)) == (declared.closed and declared.closed(entry.row))
    assert [writer.name for writer in one.writers] == [writer.name for writer in other.writers]


@pytest.mark.parametrize(("text", "message"), files("bad_reading.txt"))
def test_what_is_no_design_is_told_when_it_is_read(text: str, message: str) -> None:
    with pytest.raises(DesignError) as caught:
        design_of(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("text", "message"), files("bad_running.txt"))
def test_what_a_step_cannot_do_is_told_with_its_line(text: str, message: str) -> None:
    design = design_of(text)
    with pytest.raises(DesignError) as caught:
        schedules(design, "RC", 0)
    assert str(caught.value).startswith(message)


def test_a_file_that_is_no_utf8() -> None:
    with pytest.raises(DesignError, match=r"mine\.toml:2: it is not UTF-8"):
        load_toml(b"# \n\xff\n", "mine.toml")


def test_the_declared_example_has_no_code() -> None:
    """What a step would do as code is text: nothing of a file is run."""
    text = LAST_WRITER_WINS.replace('object = "place $me"', 'object = "{__import__(1)} ${me}x $$me"')
    found = "\n".join(schedules(design_of(text), "RC", 0))
    assert "{__import__(1)} 1x $me" in found


ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = (ROOT / "docs" / "designs-toml.md").read_text(encoding="utf-8")


def test_the_example_of_the_document_is_last_writer_wins() -> None:
    example = DOCUMENT.split("```toml\n")[1].split("```")[0]
    assert schedules(design_of(example), "RC", 0) == schedules(PAIRS[0][0], "RC", 0)


def test_the_document_names_every_key() -> None:
    words = set(re.findall(r"`([a-z_]+)`", DOCUMENT))
    steps = {key for needed, more in DOES.values() for key in (*needed, *more)} - {"*", "columns"}
    assert steps | set(DOES) <= words
    assert {"name", "isolation", "retries", "recovers", "votes", "deterministic", "surface", "sources"} <= words
    assert {"partition", "part", "content", "pins", "predicates", "closed"} <= words


def test_the_errors_of_the_document_are_said() -> None:
    example = DOCUMENT.split("```toml\n")[1].split("```")[0]
    said = DOCUMENT.split("## Errors")[1].split("```")[1].strip().splitlines()
    for text in (example.replace("$vote = 1", "$vot = 1"), example.replace('"place $me"', '"$old.objct"')):
        with pytest.raises(DesignError) as caught:
            schedules(design_of(text), "RC", 0)
        assert str(caught.value) == said.pop(0)
