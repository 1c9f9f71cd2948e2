"""Composition of operators (T4.*, L2.join, Tab10, C3.surface, Grid.compose)."""

from __future__ import annotations

from .model import Claim

CLAIMS: tuple[Claim, ...] = ()
