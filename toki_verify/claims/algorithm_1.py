"""Algorithm 1 and Table 14 (Alg1.*)."""

from __future__ import annotations

from .model import Claim

CLAIMS: tuple[Claim, ...] = ()
