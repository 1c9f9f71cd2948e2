"""The JSON Schema (draft 2020-12) of the JSON form, as it is shipped."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def schema(part: str | None = None) -> dict[str, Any]:
    """The schema of a document: a schedule object or an array of them, with or without verdicts.

    `part` names a definition to validate against instead: `schedule`, `schedules`, `event` (a line of a trace) or
    another key of `$defs`. Raises KeyError for a name that is none.
    """
    whole: dict[str, Any] = json.loads(files(__package__).joinpath("schema.json").read_text(encoding="utf-8"))
    if part is None:
        return whole
    if part not in whole["$defs"]:
        raise KeyError(part)
    return {
        "$schema": whole["$schema"],
        "$id": f"{whole['$id']}:{part}",
        "$ref": f"#/$defs/{part}",
        "$defs": whole["$defs"],
    }
