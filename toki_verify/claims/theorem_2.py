"""Theorem 2 (audit-erasure schema lift) and what goes with it (TOKI 2026: Theorem 2, Appendix B.5.2, Proposition 1).

Soundness is in `domination.py`, tightness in `erasure.py`, B.5.2's witness and the schema grid in `audit_erasure.py`,
Proposition 1 in `proposition_1.py`.
"""

from __future__ import annotations

from . import audit_erasure, domination, erasure, proposition_1

CLAIMS = (*domination.CLAIMS, *erasure.CLAIMS, *audit_erasure.CLAIMS, *proposition_1.CLAIMS)
