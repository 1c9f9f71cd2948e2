"""The prose of the rule pages: meaning, why it hurts, examples, guard. Data, read when a page is asked for."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def pages() -> dict[str, dict[str, Any]]:
    """Every page by phenomenon id; `_absent` explains names that the catalogue leaves out, `_elsewhere` names
    (in lower case) that are no phenomena and stand in another document."""
    import tomllib
    from importlib.resources import files

    text = files(__package__).joinpath("pages.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def page(name: str) -> dict[str, Any] | None:
    """The page of a phenomenon, or None."""
    return pages().get(name)
