"""`toki-verify fmt`: `.sched` files in canonical notation; comments, line breaks and blank lines stay."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from shutil import copymode

from ..inputs import SUFFIXES, decode
from ..notation.formatter import format_text
from .common import print_problems
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
    changed = False
    bad = False
    for path in arguments.paths:
        if path == "-":
            text, problem = decode(sys.stdin.buffer.read(), "<stdin>")
            result, problems = ("", [problem]) if problem else format_text(text, file="<stdin>")
            print_problems([p for p in problems if p is not None])
            bad |= bool(problems)
            if not problems:
                sys.stdout.write(result)
            continue
        place = Path(path)
        files = sorted(place.rglob(f"*{SUFFIXES[0]}")) if place.is_dir() else [place]
        if not files:
            print(f"{path}: a directory without {SUFFIXES[0]} files", file=sys.stderr)
            bad = True
        for file in files:
            try:
                outcome = _one(file, arguments.check)
            except OSError as error:
                print(f"{file}: {error.strerror}", file=sys.stderr)
                outcome = None
            bad |= outcome is None
            changed |= bool(outcome)
    return BAD_INPUT if bad else FOUND if changed and arguments.check else OK


def _one(file: Path, check: bool) -> bool | None:
    """Whether the file changes; None if it cannot be read."""
    data = file.read_bytes()
    text, problem = decode(data, str(file))
    result, problems = ("", [problem]) if problem else format_text(text, file=str(file))
    if problems:
        print_problems([p for p in problems if p is not None])
        return None
    if result.encode() == data:
        return False
    print(f"{'would rewrite' if check else 'rewrote'} {file}", file=sys.stderr)
    if not check:
        _replace(file.resolve(), result)
    return True


def _replace(file: Path, text: str) -> None:
    """Write a file anew: beside it and moved over it, so that a crash leaves the old text or the new one."""
    beside = file.with_name(f".{file.name}.tmp")
    beside.write_bytes(text.encode())
    copymode(file, beside)
    beside.replace(file)
