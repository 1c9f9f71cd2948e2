"""`toki-verify rule`: the page of a phenomenon or of a level, or the list of all phenomena."""

from __future__ import annotations

import argparse
import json
import sys

from ..levels import Level, families, parse_spec
from ..phenomena.catalogue import Phenomenon, UnknownName, catalogue, phenomenon
from .common import tell, use_utf8
from .main import BAD_INPUT, OK

EPILOG = """\
examples:
  toki-verify rule P4
  toki-verify rule "lost update"
  toki-verify rule SI session:PC
  toki-verify rule SR+cb SI+SR@judge_log
  toki-verify rule --all
  toki-verify rule A5B -o json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="an id such as P4 or G-single, an alias, or a level such as SI, adya:PL-2+ or SI+SR@judge_log",
    )
    parser.add_argument("--all", action="store_true", help="list every phenomenon")
    parser.add_argument(
        "-o",
        "--output",
        choices=("text", "json", "markdown"),
        default="text",
        help="the form of the page (default: text)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the pages; the exit code."""
    if arguments.output != "text":
        use_utf8()
    from ..report.level_page import level_data, level_markdown, level_text
    from ..report.rule_page import listing, page_data, page_markdown, page_text

    if not arguments.names and not arguments.all:
        print("toki-verify rule: name a phenomenon, or --all", file=sys.stderr)
        return BAD_INPUT
    chosen: list[Phenomenon] = []
    levels: list[Level] = []
    for name in arguments.names:
        try:
            chosen.append(phenomenon(name))
        except UnknownName as error:
            try:
                found = levels_named(name)
            except UnknownName as of_levels:
                tell(f"toki-verify rule: {of_levels}")
                return BAD_INPUT
            if not found:
                tell(f"toki-verify rule: {error}")
                return BAD_INPUT
            levels += found
    if arguments.all:
        chosen = list(catalogue().values())
    if arguments.output == "json":
        data = [page_data(entry) for entry in chosen] + [level_data(level) for level in levels]
        sys.stdout.write(
            json.dumps(data if arguments.all or len(data) > 1 else data[0], ensure_ascii=False, indent=1) + "\n"
        )
    elif arguments.output == "markdown":
        sys.stdout.write("\n".join([*map(page_markdown, chosen), *map(level_markdown, levels)]))
    elif arguments.all:
        sys.stdout.write(listing(chosen))
    else:
        sys.stdout.write("\n".join([*map(page_text, chosen), *map(level_text, levels)]))
    return OK


def levels_named(name: str) -> list[Level]:
    """The levels of a name: of every family, for a bare one; of a specification, its own. Raises UnknownName for a
    specification that names none."""
    found = [level for group in families().values() for level in group.levels if level.id.casefold() == name.casefold()]
    return [parse_spec(name)] if not found and any(sign in name for sign in ":+@") else found
