"""What a provenance annotation may be: a polynomial, kept as text."""

from __future__ import annotations

import re

_FACTOR = re.compile(r"[0-9]+|[^\W\d][\w.]*(\^[0-9]+)?")


def polynomial_fault(text: str) -> str | None:
    """What is wrong with a provenance polynomial (sums of products of naturals and names with powers), or None."""
    for term in text.split("+"):
        for factor in term.split("*"):
            if not _FACTOR.fullmatch(factor):
                return f"{factor[:40]!r} in a provenance polynomial" if factor else "an empty term in a polynomial"
    return None
