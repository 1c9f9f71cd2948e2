"""`toki-verify fmt`: `.sched` files in canonical notation; comments, line breaks and blank lines stay."""

from __future__ import annotations

import argparse
import os
import stat
import sys
import tempfile
from pathlib import Path

from ..inputs import decode, find, read_bytes, read_stdin
from ..notation.formatter import format_text
from .common import print_problems, tell, use_utf8
from .main import BAD_INPUT, FOUND, OK

EPILOG = """\
examples:
  toki-verify fmt schedules/            rewrite every .sched file below a directory
  toki-verify fmt --check mine.sched    exit 1 if the file would change
  toki-verify fmt - < mine.sched        from standard input to standard output
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a .sched file, a directory, or -")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file would change")


def run(arguments: argparse.Namespace) -> int:
    """Format everything named; the exit code. A file with a problem is left as it is."""
    outcomes: list[bool | None] = []
    for path in arguments.paths:
        if path == "-":
            outcomes.append(_stream(arguments.check))
            continue
        found = find(path, (".sched",)) if path and Path(path).is_dir() else iter([(path, None)])
        for file, problem in found:
            if problem is not None:
                print_problems([problem])
                outcomes.append(None)
                continue
            try:
                outcomes.append(_one(file, arguments.check))
            except (OSError, ValueError) as error:
                tell(f"{file}: {getattr(error, 'strerror', None) or error}")
                outcomes.append(None)
    return BAD_INPUT if None in outcomes else FOUND if True in outcomes and arguments.check else OK


def _formatted(data: bytes, name: str) -> str | None:
    """The canonical text; None after a message if there is none."""
    text, problem = decode(data, name)
    result, problems = ("", [problem]) if problem else format_text(text, file=name)
    print_problems([found for found in problems if found is not None])
    return None if problems else result


def _stream(check: bool) -> bool | None:
    data, problem = read_stdin()
    if problem is not None:
        print_problems([problem])
        return None
    result = _formatted(data, "<stdin>")
    if result is None:
        return None
    if not check:
        use_utf8()
        sys.stdout.write(result)
    return result.encode() != data


def _one(file: str, check: bool) -> bool | None:
    """Whether the file changes; None if it cannot be formatted."""
    if file.endswith((".json", ".jsonl")):
        tell(f"{file}: fmt is for .sched files")
        return None
    data = read_bytes(file)
    result = _formatted(data, file)
    if result is None or result.encode() == data:
        return None if result is None else False
    if not check:
        _replace(Path(file).resolve(), result)
    tell(f"{'would rewrite' if check else 'rewrote'} {file}")
    return True


def _replace(file: Path, text: str) -> None:
    """Write a file anew: into a new file beside it, moved over it, so that a crash leaves the old text or the new."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if not mode & 0o222:
        raise PermissionError(0, "the file is write-protected and stays as it is")
    handle, beside = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode())
        Path(beside).chmod(mode)
        Path(beside).replace(file)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
