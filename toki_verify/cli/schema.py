"""`toki-verify schema`: the JSON Schema of the JSON form."""

from __future__ import annotations

import argparse
import json
import sys

from .common import use_utf8
from .main import OK


def arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Print the schema."""
    use_utf8()
    from ..jsonform.schema import schema

    sys.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")
    return OK
