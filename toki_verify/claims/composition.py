"""Composition of operators (T4.*, L2.join, Tab10, C3.surface, Grid.compose)."""

from __future__ import annotations

from .allen_closure import ALLEN_CLAIMS
from .composition_grid import GRID_CLAIMS
from .joins import JOIN_CLAIMS
from .model import Claim
from .pair_table import PAIR_CLAIMS
from .pipelines import PIPELINE_CLAIMS

CLAIMS: tuple[Claim, ...] = (*PIPELINE_CLAIMS, *ALLEN_CLAIMS, *JOIN_CLAIMS, *PAIR_CLAIMS, *GRID_CLAIMS)
