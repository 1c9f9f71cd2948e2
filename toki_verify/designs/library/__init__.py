"""The library: the systems of the seed's Table 4 and the textbook designs, as designs.

A module per system; it is imported when the design is asked for. What a design does is written down here and nowhere
else, and what follows from it is nowhere written down: `toki-verify designs` finds it out.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ..model import Design

#: Slug to module and class, in the order of the matrix.
PLACES: Final[dict[str, tuple[str, str]]] = {
    "mem0-v2": ("mem0", "Mem0V2"),
    "mem0-v3": ("mem0", "Mem0V3"),
    "graphiti": ("graphiti", "Graphiti"),
    "graphiti-cache": ("graphiti", "GraphitiCached"),
    "letta": ("letta", "Letta"),
    "letta-serializable": ("letta", "LettaSerializable"),
    "letta-git": ("letta", "LettaGit"),
    "zep": ("zep", "Zep"),
    "zep-replicas": ("zep", "ZepReplicas"),
    "mirix": ("mirix", "Mirix"),
    "worlddb": ("worlddb", "WorldDB"),
    "toki-keyed": ("toki", "TokiKeyed"),
    "toki-lww": ("toki", "Toki"),
    "toki-printed": ("toki", "TokiPrinted"),
    "toki-evi": ("toki", "TokiEvidence"),
    "toki-await": ("toki", "TokiAwait"),
    "toki-await-keyed": ("toki", "TokiAwaitKeyed"),
    "toki-rule": ("toki", "TokiRule"),
    "toki-rule-keyed": ("toki", "TokiRuleKeyed"),
    "last-writer-wins": ("textbook", "LastWriterWins"),
    "compare-and-set": ("textbook", "CompareAndSet"),
    "two-phase-locking": ("textbook", "TwoPhaseLocking"),
    "optimistic": ("textbook", "OptimisticValidation"),
    "event-sourcing": ("textbook", "EventSourcing"),
}


def design(slug: str) -> type[Design]:
    """One design of the library. Raises KeyError for a slug that there is not."""
    module, name = PLACES[slug]
    found: type[Design] = getattr(import_module(f".{module}", __name__), name)
    return found


def designs() -> dict[str, type[Design]]:
    """Every design by its slug, in the order of the matrix."""
    return {slug: design(slug) for slug in PLACES}
