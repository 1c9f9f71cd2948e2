"""Whether a file that was found, not named, is a schedule or a trace: other programs write `.jsonl` and `.sched`, too.

Imports nothing of ours: a run of pytest that meets only other people's data loads nothing but this.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

#: How many bytes are looked at, of a line or of a schedule file: a longer line is over the limit of lines.
HEAD: Final = 1_000_001
#: What no schedule file lacks: a `schedule` line, or a line that begins with an event.
_LINE: Final = re.compile(
    r"\s*(?:schedule\s+\S|[bca](?:[1-9]\d*|T\S+)(?:\s|$)|[rw](?:\d|T)\S*[\[({]|(?:j|cb)(?:\d|T)\S*\()"
)
_BREAK: Final = re.compile(r"[\r\n]+")


def is_ours(path: Path) -> bool:
    """Whether the content looks like ours. A file that cannot be read does not."""
    try:
        if path.suffix.lower() == ".sched":
            return any(map(_LINE.match, _BREAK.split(_head(path, first_line=False))))
        return _is_record(_head(path, first_line=True))
    except OSError:
        return False


def _head(path: Path, *, first_line: bool) -> str:
    """The beginning of a file, or its first line that is not blank."""
    with path.open("rb") as stream:
        if first_line:
            data = b"\n"
            while data and not data.strip(b"\xef\xbb\xbf \t\r\n"):
                data = stream.readline(HEAD)
        else:
            data = stream.read(HEAD)
    return data.decode("utf-8", "replace").removeprefix("\ufeff").strip()


def _is_record(text: str) -> bool:
    """A trace begins with an event object, JSON Lines of schedules with a schedule object."""
    if not text.startswith(("{", "[")):
        return False
    try:
        found = json.loads(_BREAK.split(text)[0])
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict):
        return False
    return {"op", "txn"} <= found.keys() or (
        "events" in found and str(found.get("format")).startswith("toki-schedule/")
    )
