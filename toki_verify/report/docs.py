"""`python -m toki_verify.report.docs`: write the generated documents (`make docs`)."""

from __future__ import annotations

from pathlib import Path

from ..phenomena.catalogue import catalogue
from .rule_page import docs


def main() -> None:
    """Write docs/phenomena.md below the current directory."""
    target = Path("docs/phenomena.md")
    target.parent.mkdir(exist_ok=True)
    target.write_text(docs(catalogue().values()), encoding="utf-8")


if __name__ == "__main__":
    main()
