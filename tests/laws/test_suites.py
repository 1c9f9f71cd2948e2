"""The suites accept the reference, and every mutant is caught by the law that is named for it (docs/laws.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import SkipTest

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.laws.mutants import MODULES, MUTANTS
from tests.laws.mutants.table import DOCUMENT, SUITES, document
from toki_verify.algebra import OPERATORS, Pipeline
from toki_verify.algebra.carriers import CARRIERS, MULTIDEGREE
from toki_verify.stores import MemoryStore
from toki_verify.stores.sqlite import SqliteStore
from toki_verify.testing import (
    LAWS,
    carrier_suite,
    judge_log_suite,
    operator_suite,
    pipeline_suite,
    store_suite,
    write_path_machine,
)
from toki_verify.testing.profiles import adapted
from toki_verify.testing.suite import Suite

#: How many examples are tried of a law: fewer where one opens a database, and of carriers that are not the default.
EXAMPLES = {"multidegree": 50, "memory": 30, "sqlite": 6, "duckdb": 2}
FEW = 15
#: The carriers that the paper ships.
PAPERS = ("multilinear", "multidegree", "boolean")
#: Mutants whose fault it is what they raise.
RAISING = {"engine-error"}
#: Laws that do not apply to a reference, and why.
SKIPPED = {
    ("memory", "C1.durable"): "no reopen",
    ("memory", "H1.durable"): "no reopen",
}


def engines() -> list[str]:
    try:
        import duckdb as duckdb
    except ImportError:
        return ["memory", "sqlite"]
    return ["memory", "sqlite", "duckdb"]


class Files:
    """Stores of an engine, each on a file of its own."""

    def __init__(self, engine: str, directory: Path) -> None:
        self.engine, self.directory, self.count = engine, directory, 0

    def make(self, mode: str = "audit_row", busy_seconds: float = 5.0) -> Any:
        self.count += 1
        return self.open(self.directory / f"{self.count}.{self.engine}", mode=mode, busy_seconds=busy_seconds)

    def open(self, path: Path, **options: Any) -> Any:
        if self.engine == "memory":
            return MemoryStore(MULTIDEGREE, **options)
        if self.engine == "sqlite":
            return SqliteStore(path, MULTIDEGREE, **options)
        from toki_verify.stores.duckdb import DuckdbStore

        return DuckdbStore(path, MULTIDEGREE, **options)

    def reopen(self, store: Any) -> Any:
        path = Path(store.path)
        store.shut()
        return self.open(path)


def references() -> Iterator[tuple[str, str, Callable[[Files], type[Suite]]]]:
    """Suites of what is shipped: a name, what decides how many examples are tried, and the suite."""
    for name in CARRIERS:
        yield f"operators-{name}", name, lambda files, name=name: operator_suite(lambda: OPERATORS, carrier=name)
        yield f"carrier-{name}", name, lambda files, name=name: carrier_suite(name)
        yield f"pipelines-{name}", name, lambda files, name=name: pipeline_suite(Pipeline.of, carrier=name)
    for engine in engines():
        reopen = {} if engine == "memory" else {"reopen": True}
        yield f"log-{engine}", engine, lambda files, o=reopen: judge_log_suite(files.make, **_options(files, o))
        yield f"store-{engine}", engine, lambda files, o=reopen: store_suite(files.make, **_options(files, o))


def _options(files: Files, options: dict[str, Any]) -> dict[str, Any]:
    return {"reopen": files.reopen} if options else {}


REFERENCES = {name: (what, make) for name, what, make in references()}


def check_reference(name: str, directory: Path, examples: int) -> None:
    what, make = REFERENCES[name]
    made = make(Files(what, directory))
    for law in made.laws:
        try:
            made.check(law, settings(settings.get_profile("toki-ci"), max_examples=examples))
        except SkipTest as reason:
            assert (what, law) in SKIPPED, f"{law}: {reason}"


#: Operators and pipelines do the same in every carrier: `make test-all` has those that are not the paper's own.
SLOW = {f"{suite}-{name}" for suite in ("operators", "pipelines") for name in CARRIERS if name not in PAPERS}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.heavy) if name in SLOW else name for name in REFERENCES]
)
def test_the_reference_keeps_every_law(name: str, tmp_path: Path) -> None:
    check_reference(name, tmp_path, EXAMPLES.get(REFERENCES[name][0], FEW))


@pytest.mark.heavy
@pytest.mark.parametrize("name", REFERENCES)
def test_the_reference_keeps_every_law_on_many_examples(name: str, tmp_path: Path) -> None:
    check_reference(name, tmp_path, 20 * EXAMPLES.get(REFERENCES[name][0], FEW))


CONFIGURATIONS: dict[str, tuple[str, str, dict[str, str]]] = {
    "memory": ("memory", "audit_row", {}),
    "memory-accumulate": ("memory", "audit_row", {"duplicates": "accumulate"}),
    "memory-stamped": ("memory", "audit_row", {"incumbents": "stamped"}),
    "memory-base": ("memory", "base", {}),
    **{engine: (engine, "audit_row", {}) for engine in engines()[1:]},
}


def run_writers(name: str, directory: Path, examples: int, steps: int) -> None:
    engine, mode, options = CONFIGURATIONS[name]
    files = Files(engine, directory)
    machine = write_path_machine(lambda: files.make(mode, 0.0), **options)
    chosen = settings(settings.get_profile("toki-ci"), max_examples=examples, stateful_step_count=steps)
    run_state_machine_as_test(machine, settings=adapted(chosen))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_write_path_keeps_every_law(name: str, tmp_path: Path) -> None:
    run_writers(name, tmp_path, {"sqlite": 8, "duckdb": 2}.get(name, 25), 15)


@pytest.mark.heavy
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_write_path_keeps_every_law_for_long(name: str, tmp_path: Path) -> None:
    run_writers(name, tmp_path, {"sqlite": 200, "duckdb": 50}.get(name, 600), 40)


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mutant_is_caught_by_the_law_named_for_it(name: str) -> None:
    mutant = MUTANTS[name]
    found = mutant.caught()
    assert found is not None, f"{name} ({mutant.broken}) keeps {mutant.law}"
    assert found.law == mutant.law
    raises = found.__cause__ is not None
    assert raises is (name in RAISING), f"{name} raises, instead of being wrong: {found.__cause__!r}"


def test_every_law_has_a_mutant_in_each_of_its_suites() -> None:
    named = {(mutant.suite, mutant.law) for mutant in MUTANTS.values()}
    assert {(suite, law.id) for law in LAWS.values() for suite in law.suites} == named
    assert {suite for suite, _ in SUITES} == {suite for suite, _ in named}
    assert len(MUTANTS) == sum(len(module.MUTANTS) for module in MODULES), "two of one name"


def test_the_document_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run python -m tests.laws.mutants.table"
