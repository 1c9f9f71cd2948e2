"""--version-order: where the order of the versions of a history comes from."""

from __future__ import annotations

import argparse

HELP = (
    "where the order of versions comes from: what lists show, else any order will do (auto, default); lists alone "
    '(reads); commit timestamps (timestamps); a FILE of JSON that states it, {"x": [1, 2]} (docs/histories.md)'
)


def add_version_order(parser: argparse._ActionsContainer) -> None:
    """The option."""
    parser.add_argument("--version-order", default="auto", metavar="ORDER", help=HELP)
