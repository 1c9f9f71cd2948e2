"""`toki-verify rule`: the page of a phenomenon, or the list of all."""

from __future__ import annotations

import argparse
import json
import sys

from ..phenomena.catalogue import UnknownName, catalogue, phenomenon
from .main import BAD_INPUT, OK

EPILOG = """\
examples:
  toki-verify rule P4
  toki-verify rule "lost update"
  toki-verify rule --all
  toki-verify rule A5B -o json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="an id such as P4 or G-single, or an alias")
    parser.add_argument("--all", action="store_true", help="list every phenomenon")
    parser.add_argument("-o", "--output", choices=("text", "json", "markdown"), default="text",
                        help="the form of the page (default: text)")


def run(arguments: argparse.Namespace) -> int:
    """Print the pages; the exit code."""
    from ..report.rule_page import listing, page_data, page_markdown, page_text

    if not arguments.names and not arguments.all:
        print("toki-verify rule: name a phenomenon, or --all", file=sys.stderr)
        return BAD_INPUT
    chosen = []
    for name in arguments.names:
        try:
            chosen.append(phenomenon(name))
        except UnknownName as error:
            print(f"toki-verify rule: {error}", file=sys.stderr)
            return BAD_INPUT
    if arguments.all:
        chosen = list(catalogue().values())
    if arguments.output == "json":
        data = [page_data(entry) for entry in chosen]
        sys.stdout.write(json.dumps(data if arguments.all or len(data) > 1 else data[0], ensure_ascii=False, indent=1)
                         + "\n")
    elif arguments.output == "markdown":
        sys.stdout.write("\n".join(map(page_markdown, chosen)))
    elif arguments.all:
        sys.stdout.write(listing(chosen))
    else:
        sys.stdout.write("\n".join(map(page_text, chosen)))
    return OK
