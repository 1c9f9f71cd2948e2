"""Conflict sets (P2.*, Grid.confluence)."""

from __future__ import annotations

from .model import Claim

CLAIMS: tuple[Claim, ...] = ()
