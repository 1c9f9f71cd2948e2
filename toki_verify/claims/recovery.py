"""Recoverability (T3.iff, B32.recover)."""

from __future__ import annotations

from .model import Claim

CLAIMS: tuple[Claim, ...] = ()
