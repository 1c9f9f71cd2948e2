"""Deliberately broken operators, carriers, logs, stores, pipelines and write paths: each is caught by a named law."""

from __future__ import annotations

from tests.laws.mutants import carriers, logs, operators, pipelines, stores, write_paths, write_paths_plain
from tests.laws.mutants.base import Mutant

MODULES = (operators, carriers, logs, stores, pipelines, write_paths, write_paths_plain)
MUTANTS: dict[str, Mutant] = {mutant.name: mutant for module in MODULES for mutant in module.MUTANTS}
