"""`toki-verify verify-evidence`: whether the commit orders of a report show the levels that they are given for."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from .common import print_problems, refused
from .history_input import add_format, read_path, with_extra
from .main import BAD_INPUT, FOUND, OK

EPILOG = """\
The report is what `toki-verify check HISTORY --evidence -o json` printed; of each level that holds it has an order of
the commits. Each is checked from the axioms of its level in one pass, by code that shares nothing with what found it.

examples:
  toki-verify check history.edn --evidence -o json > report.json
  toki-verify verify-evidence history.edn report.json

exit codes: 0 every order shows its level; 1 one does not; 2 unreadable input, or a report without orders
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("history", metavar="HISTORY", help="the history, in any format that `check` reads")
    parser.add_argument("report", metavar="REPORT", help="the JSON of `check --evidence`")
    parser.add_argument("--real-time", action="store_true", help="the report was made with --real-time")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check the orders of a report; the exit code."""
    return with_extra(arguments, _run)


def _run(arguments: argparse.Namespace) -> int:
    from ..histories.formats import read_history
    from ..histories.sessions.evidence import check_order

    data, name, problem = read_path(arguments.history)
    if problem is not None:
        print_problems([problem])
        return BAD_INPUT
    history, problems = read_history(data, source=name, format=arguments.format, initial=arguments.initial)
    if history is None:
        print_problems(problems)
        return BAD_INPUT
    try:
        orders = _orders(json.loads(Path(arguments.report).read_text(encoding="utf-8")), arguments.history)
    except OSError as error:
        return refused("verify-evidence", f"{arguments.report}: {error.strerror}")
    except (ValueError, RecursionError) as error:
        return refused("verify-evidence", f"{arguments.report}: {error}")
    numbers = {name: number for number, name in enumerate(history.transactions)}
    code = OK
    for level, names in orders.items():
        unknown = [one for one in names if one not in numbers]
        if unknown:
            found = [f"the history has no transaction {unknown[0]}"]
        elif len(numbers) < len(history.transactions):
            return refused("verify-evidence", "the history has two transactions of one name")
        else:
            found = list(check_order(history, level, [numbers[one] for one in names], realtime=arguments.real_time))
        print(f"{'✗' if found else '✓'} {level}  {found[0] if found else f'shown by an order of {len(names)} commits'}")
        code = FOUND if found else code
    return code


def _orders(report: Any, file: str) -> dict[str, list[str]]:
    """The orders of a report on a file, by level. Raises ValueError for a report that has none."""
    from ..histories.checked import LEVELS

    entries = report if isinstance(report, list) else [report]
    entries = [one for one in entries if isinstance(one, dict) and "history" in one]
    named = [one for one in entries if one.get("file") == file] or entries
    if len(named) != 1:
        raise ValueError(f"{len(named)} reports on {file}, expected one object of `check --evidence -o json`")
    levels = named[0].get("levels", {}).get("session", {})
    found: dict[str, list[str]] = {}
    for level, said in levels.items() if isinstance(levels, dict) else ():
        if not isinstance(said, dict) or said.get("holds") is not True:
            continue
        names = said.get("serial_order", said.get("commit_order"))
        if level not in LEVELS or not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"the order of {level} is no list of names of transactions")
        found[level] = names
    if not found:
        raise ValueError("no order of commits in it: is it the JSON of `check --evidence`?")
    return found
