"""Which law holds of which carrier, as the table of docs/carriers.md."""

from __future__ import annotations

from ..laws import LAWS
from . import CARRIERS


def laws_table() -> str:
    """A table in Markdown: a row a law, a column a carrier; ✓, or the smallest counterexample."""
    rows = [["law", *CARRIERS], ["---"] * (1 + len(CARRIERS))]
    for name, law in LAWS.items():
        claims = [found.description.laws[name] for found in CARRIERS.values()]
        texts = [", ".join(f"`{text}`" for text in claim.counterexample) or "✗" for claim in claims]
        cells = ["✓" if claim.holds else text for claim, text in zip(claims, texts, strict=True)]
        rows.append([f"{name}: {law.statement}", *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
