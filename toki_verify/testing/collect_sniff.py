"""Whether a file that was found, not named, is a schedule or a trace: other programs write `.jsonl` and `.sched`, too.

Imports nothing of ours: a run of pytest that meets only other people's data loads nothing but this.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import BinaryIO, Final

#: How many bytes are looked at, of a line or of a schedule file: a longer line is over the limit of lines.
HEAD: Final = 1_000_001
#: What no schedule file lacks: a `schedule` line, or a line that begins with an event.
_LINE: Final = re.compile(
    r"\s*(?:schedule\s+\S|[bca](?:[1-9]\d*|T\S+)(?:\s|$)|[rw](?:\d|T)\S*[\[({]|(?:j|cb)(?:\d|T)\S*\()"
)
_BREAK: Final = re.compile(r"[\r\n]+")
#: Bytes that do not make a line: white space, and what UTF-8 and UTF-16 put around it.
_BLANK: Final = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
#: What an event or a schedule object cannot do without, where no JSON can be read: in either kind of quotes.
_MENTIONS: Final = (re.compile(r"""["']op["']"""), re.compile(r"""["']txn["']"""))
_FORMAT: Final = "toki-schedule/"
#: How far behind a first line that is no JSON the keys may stand: somebody may have broken the object over lines.
BEHIND: Final = 2_000


def is_ours(path: Path) -> bool:
    """Whether the content looks like ours, also where it is faulty: then it is to be reported, not passed over. A file
    that cannot be opened does not."""
    try:
        with path.open("rb") as stream:
            if path.suffix.lower() == ".sched":
                return any(map(_LINE.match, _BREAK.split(_text(stream.read(HEAD)))))
            data = b"\n"
            while data and not data.strip(_BLANK):
                data = stream.readline(HEAD)
            return _is_record(_text(data), stream)
    except OSError:
        return False


def _text(data: bytes) -> str:
    """What can be read of it. UTF-16 and UTF-32, which the loader refuses, are the letters between NUL bytes."""
    return data.decode("utf-8", "replace").replace("\0", "").lstrip("\ufeff\ufffd").strip()


def _is_record(text: str, rest: BinaryIO) -> bool:
    """A trace begins with an event object, JSON Lines of schedules with a schedule object. A line that is no JSON for
    json (a slip, a number of 5,000 digits, a nesting that is too deep) is ours if it mentions the keys of one."""
    if not text:
        return False
    try:
        found = json.loads(_BREAK.split(text)[0])
    except (ValueError, RecursionError):
        text += _text(rest.read(BEHIND))
        return _FORMAT in text or all(key.search(text) for key in _MENTIONS)
    if isinstance(found, list) and found:  # an array of events, which belongs into a `.json` file
        found = found[0]
    if not isinstance(found, dict):
        return False
    return {"op", "txn"} <= found.keys() or ("events" in found and str(found.get("format")).startswith(_FORMAT))
