"""Certificates: proofs that a small program of ours checks without the solvers that found them.

:func:`check_proof` is the kernel's door. This package imports nothing outside the standard library and nothing else of
the toolkit.
"""

from __future__ import annotations

from .errors import ProofError
from .kernel import Checked, check_proof

__all__ = ["Checked", "ProofError", "check_proof"]
