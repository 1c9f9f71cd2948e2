"""The entry point: finds the command, imports only what it needs, turns every fault into a message and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn, TextIO

from .. import __version__

#: command -> (module under cli/, one line of help)
COMMANDS = {
    "check": ("check", "decide the phenomena and levels of schedules, traces and histories, and explain each verdict"),
    "show": ("show", "draw a schedule: swim lanes (text, SVG, HTML), conflict graph (Mermaid, DOT)"),
    "convert": ("convert", "write a history, a schedule or π_J(S) in another format"),
    "verify-evidence": ("verify_evidence", "check the commit orders and timestamps that show the levels of a history"),
    "fmt": ("fmt", "rewrite .sched files in canonical notation"),
    "rule": ("rule", "explain a phenomenon: formula, meaning, example, guard, relatives, references"),
    "witness": (
        "witness",
        "find the smallest schedule with a combination of phenomena and levels, or prove there is none",
    ),
    "census": ("census", "count every small schedule: level × phenomenon, up to renaming"),
    "hunt": ("hunt", "look for a schedule with a combination of phenomena and levels at random, and shrink it"),
    "distinguish": (
        "distinguish",
        "tell two levels apart by the smallest schedule, or prove that one implies the other",
    ),
    "matrix": (
        "matrix",
        "print the guard map: every phenomenon at every level, excluded by proof or admitted by a schedule",
    ),
    "prove": ("prove", "decide claims of the paper (TOKI), write proofs and certificates, and check them again"),
    "claims": ("claims", "print the ledger: what the paper (TOKI) claims, whether it is so, and what shows it"),
    "bridge": ("bridge", "print π_J(S) beside S: judge calls as rows of a log, and the verdicts that moved"),
    "design": (
        "design",
        "explore a memory's write path: what its runs admit, the smallest of them, and what would repair it",
    ),
    "designs": (
        "designs",
        "explore the library of designs: eight memory systems and the textbook, beside the paper's table",
    ),
    "schema": ("schema", "print the JSON Schema of the JSON form"),
}

#: Exit codes (NOTATION): 2 before 1 before 3.
OK, FOUND, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
#: The exit code behind Ctrl-C, as shells have it.
INTERRUPTED = 130

EPILOG = """\
examples:
  toki-verify check schedules/                      every schedule below a directory, judged by its expect lines
  toki-verify check trace.jsonl --level SI          a recorded trace against a declared level
  toki-verify check -e "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1"
  toki-verify rule P4                               what a lost update is and what excludes it
  toki-verify show -e "r1[x0] w2[x1] c2 r1[x1] c1" -o svg > picture.svg

exit codes: 0 as expected; 1 an anomaly, a failed expectation; 2 unreadable input or wrong usage; 3 undecided
"""


class Parser(argparse.ArgumentParser):
    """Usage errors in the house style: what is wrong, and where help is. Options are written out."""

    #: The command that the parser of all commands was made for: what that does not know is left to this parser.
    command: str | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **{"allow_abbrev": False, **named})

    def error(self, message: str) -> None:  # type: ignore[override]
        from ..report.plain import visible

        name = self.prog if self.command is None else f"{self.prog} {self.command}"
        self.exit(BAD_INPUT, f"{name}: {visible(message)}\ntry `{name} --help`\n")

    def _print_message(self, message: str, file: TextIO | None = None) -> None:  # type: ignore[override]
        # argparse keeps to itself that a stream cannot be written.
        (file or sys.stderr).write(message)


def build_parser(command: str | None) -> Parser:
    """The parser; only the module of the command that is asked for is imported."""
    parser = Parser(
        prog="toki-verify",
        description="Check transaction schedules and agent-memory traces for "
        "isolation anomalies, with evidence for every verdict.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"toki-verify {__version__}")
    parser.command = command
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, (module, text) in COMMANDS.items():
        if command in (None, name):
            loaded = import_module(f".{module}", __package__) if command == name else None
            sub = commands.add_parser(
                name,
                help=text,
                description=text[0].upper() + text[1:] + ".",
                epilog=getattr(loaded, "EPILOG", None),
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
            if loaded is not None:
                loaded.arguments(sub)
                sub.set_defaults(run=loaded.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    try:
        arguments = list(sys.argv[1:] if argv is None else argv)
        _streams()
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        to_nowhere(sys.stdout)
        return OK
    except OSError as error:
        to_nowhere(sys.stdout)
        try:
            print(f"toki-verify: writing the result failed: {error.strerror or error}", file=sys.stderr)
        except OSError:
            to_nowhere(sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def command() -> NoReturn:
    """The program: run the command line and end the process.

    Where Arrow has been loaded, without the end of the interpreter: threads of its own that are about then may abort
    the process, whatever the exit code was to be. So, too, after Ctrl-C: where that came while text was run as code
    (dataclasses do that) the interpreter ends itself by SIGINT in place of the exit code, though it was caught.
    """
    code = main()
    if "pyarrow" in sys.modules or code == INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    """The command that was asked for; the exit code."""
    if arguments == ["--version"]:
        print(f"toki-verify {__version__}")
        return OK
    words = [word for word in arguments if not word.startswith("-")]
    command = next((word for word in words if word in COMMANDS), words[0] if words else None)
    if command is not None and command not in COMMANDS:
        from ..phenomena.catalogue import nearest

        near = nearest(command, list(COMMANDS))
        hint = f"; did you mean `{near[0]}`?" if near else ""
        print(
            f"toki-verify: unknown command {command!r}{hint}\nthe commands are {', '.join(COMMANDS)}; "
            "try `toki-verify --help`",
            file=sys.stderr,
        )
        return BAD_INPUT
    try:
        parsed = build_parser(command).parse_args(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    if parsed.command is None:
        build_parser(None).print_help(sys.stderr)
        return BAD_INPUT
    code: int = parsed.run(parsed)
    return code


def _streams() -> None:
    """A closed stderr swallows what is written to it, a closed stdout refuses it: a result that is lost is an error.
    Characters that an encoding lacks are escaped."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # What is open for reading alone fails when it is written, and not before.
            closed = os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_WRONLY)
            setattr(sys, name, os.fdopen(closed, "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def to_nowhere(stream: TextIO) -> None:
    """What is still in the buffer of a stream that cannot be written goes nowhere, instead of failing at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
