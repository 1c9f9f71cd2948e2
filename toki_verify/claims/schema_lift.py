"""Schema-lift conservatism (Prop5)."""

from __future__ import annotations

from .model import Claim

CLAIMS: tuple[Claim, ...] = ()
