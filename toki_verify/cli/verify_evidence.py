"""`toki-verify verify-evidence`: whether the commit orders and timestamps of a report show the levels that they are
given for, and whether a history's own timestamps show snapshot isolation."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .common import print_problems, refused
from .history_input import add_format, read_path, with_extra
from .main import BAD_INPUT, FOUND, OK
from .version_order import add_version_order

if TYPE_CHECKING:
    from ..histories.columns import History

EPILOG = """\
The report is what `toki-verify check HISTORY --evidence -o json` printed; of each level that holds it has an order of
the commits, and with `--timestamps` of SI a start and a commit number of each transaction. Each is checked from the
axioms of its level in one pass, by code that shares nothing with what found it. A report that was made with
--version-order is checked with the same.

--own-timestamps needs no report: start and commit timestamps that the history has (TimeKiller) are evidence for SI if
every read sees the last version committed at or before its start, no two transactions that overlap write one key, and
each transaction of a session starts when the one before has committed. If not, the first that contradicts is named.

Of a large trace (`check run.jsonl --evidence -o json`) the serial order and the timestamps are replayed: every read and
row saw the state that it would have seen, and versions were installed in their order. What a level forbids besides (the
`absent` of the report, such as P0) is not looked at.

examples:
  toki-verify check history.edn --evidence -o json > report.json
  toki-verify verify-evidence history.edn report.json
  toki-verify verify-evidence history.json --own-timestamps

exit codes: 0 everything shows its level; 1 something does not; 2 unreadable input, or a report without orders
"""
#: Formats whose times are those of the store; in the others they are places of invocations and completions.
_OF_STORE = ("timekiller",)
#: Contradictions that are printed.
_SHOWN = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("history", metavar="HISTORY", help="the history, in any format that `check` reads")
    parser.add_argument("report", metavar="REPORT", nargs="?", help="the JSON of `check --evidence`")
    parser.add_argument("--own-timestamps", action="store_true", help="check the history's own timestamps as evidence")
    parser.add_argument("--real-time", action="store_true", help="the report was made with --real-time")
    add_version_order(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check the evidence; the exit code."""
    if arguments.report is None and not arguments.own_timestamps:
        return refused(
            "verify-evidence", "no evidence, expected a REPORT of `check --evidence -o json`, or --own-timestamps"
        )
    return with_extra(arguments, _run)


def _run(arguments: argparse.Namespace) -> int:
    from ..histories.formats import read_history
    from ..histories.orders_choice import in_version_order

    if arguments.report is not None:
        try:
            entry = _entry(_loaded(arguments), arguments.history)
        except (_Unread, ValueError) as error:
            return refused("verify-evidence", error if isinstance(error, _Unread) else f"{arguments.report}: {error}")
        if "trace" in entry:
            return _of_trace(arguments, entry)
    data, name, problem = read_path(arguments.history)
    if problem is not None:
        print_problems([problem])
        return BAD_INPUT
    history, problems = read_history(data, source=name, format=arguments.format, initial=arguments.initial)
    if history is not None:
        history, problems = in_version_order(history, arguments.version_order)
    if history is None:
        print_problems(problems)
        return BAD_INPUT
    codes = [_own(history)] if arguments.own_timestamps else []
    if arguments.report is not None and BAD_INPUT not in codes:
        codes.append(_of_report(history, arguments))
    return max(codes)


def _of_trace(arguments: argparse.Namespace, entry: dict[str, Any]) -> int:
    """Check the evidence on a large trace, to which the options of histories say nothing."""
    from .verify_trace import verify_trace

    for option, given in (
        ("--own-timestamps", arguments.own_timestamps),
        ("--real-time", arguments.real_time),
        ("--version-order", arguments.version_order != "auto"),
        ("--format", arguments.format is not None),
        ("--initial", arguments.initial != "auto"),
    ):
        if given:
            return refused("verify-evidence", f"{option} is for histories, and the report is on a trace")
    return verify_trace(arguments, entry)


class _Unread(Exception):
    """Why the report cannot be read."""


def _loaded(arguments: argparse.Namespace) -> Any:
    """The report. Raises _Unread."""
    try:
        return json.loads(Path(arguments.report).read_text(encoding="utf-8"))
    except OSError as error:
        raise _Unread(f"{arguments.report}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise _Unread(f"{arguments.report}: {error}") from error


def _own(history: History) -> int:
    """Whether the history's own timestamps show SI."""
    if history.begun is None or history.ended is None:
        expected = "one with timestamps, such as TimeKiller's"
        return refused("verify-evidence", f"no timestamps in the format {history.format}, expected {expected}")
    words = "own timestamps" if history.format in _OF_STORE else "places of invocations and completions"
    return _times(history, history.begun.tolist(), history.ended.tolist(), words)


def _times(history: History, begun: list[int], ended: list[int], words: str, *, realtime: bool = False) -> int:
    """Say whether times show SI."""
    from ..histories.sessions.evidence_times import MOST, check_times

    found = check_times(history, begun, ended, realtime=realtime)
    if not found:
        print(f"✓ SI  shown by the {words} of {sum(end >= 0 for end in ended)} transactions")
        return OK
    print(f"✗ SI  not shown by the {words}: {'at least ' * (len(found) >= MOST)}{len(found)} contradict")
    for one in found[:_SHOWN]:
        lines = f"line{'s' * (len(one.lines) > 1)} {', '.join(map(str, one.lines))}: " if one.lines else ""
        print(f"  {lines}{one.text}")
    return FOUND


def _of_report(history: History, arguments: argparse.Namespace) -> int:
    """Whether the orders and timestamps of the report show their levels."""
    from ..histories.sessions.evidence import check_order

    try:
        report = _entry(_loaded(arguments), arguments.history)
        orders, times = _orders(report), _timestamps(report)
    except _Unread as error:
        return refused("verify-evidence", error)
    except ValueError as error:
        return refused("verify-evidence", f"{arguments.report}: {error}")
    numbers = {name: number for number, name in enumerate(history.transactions)}
    if len(numbers) < len(history.transactions):
        return refused("verify-evidence", "the history has two transactions of one name")
    code = OK
    for level, names in orders.items():
        unknown = [one for one in names if one not in numbers]
        if unknown:
            found = [f"the history has no transaction {unknown[0]}"]
        else:
            found = list(check_order(history, level, [numbers[one] for one in names], realtime=arguments.real_time))
        print(f"{'✗' if found else '✓'} {level}  {found[0] if found else f'shown by an order of {len(names)} commits'}")
        code = FOUND if found else code
    if times is not None:
        unknown = [one for one in times if one not in numbers]
        if unknown:
            print(f"✗ SI  the history has no transaction {unknown[0]}")
            return FOUND
        begun, ended = [-1] * len(numbers), [-1] * len(numbers)
        for one, (start, commit) in times.items():
            begun[numbers[one]], ended[numbers[one]] = start, commit
        words = "start and commit numbers"
        code = max(code, _times(history, begun, ended, words, realtime=arguments.real_time))
    return code


def _entry(report: Any, file: str) -> dict[str, Any]:
    """What the report says of a file. Raises ValueError where it does not."""
    entries = report if isinstance(report, list) else [report]
    entries = [one for one in entries if isinstance(one, dict) and ("history" in one or "trace" in one)]
    named = [one for one in entries if one.get("file") == file] or entries
    if len(named) != 1:
        raise ValueError(f"{len(named)} reports on {file}, expected one object of `check --evidence -o json`")
    entry: dict[str, Any] = named[0]
    return entry


def _orders(report: dict[str, Any]) -> dict[str, list[str]]:
    """The orders of a report, by level. Raises ValueError for a report that has none."""
    from ..histories.checked import LEVELS

    levels = report.get("levels")
    levels = levels.get("session") if isinstance(levels, dict) else None
    found: dict[str, list[str]] = {}
    for level, said in levels.items() if isinstance(levels, dict) else ():
        if said is True:
            raise ValueError(f"{level} is said to hold, and nothing shows it: is it the JSON of `check --evidence`?")
        if not isinstance(said, dict) or said.get("holds") is not True:
            continue
        names = said.get("serial_order", said.get("commit_order"))
        if level not in LEVELS or not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"the order of {level} is no list of names of transactions")
        found[level] = names
    if not found:
        raise ValueError("no order of commits in it: is it the JSON of `check --evidence`?")
    return found


def _timestamps(report: dict[str, Any]) -> dict[str, tuple[int, int]] | None:
    """The timestamps of SI in a report with orders, if it has them. Raises ValueError if they are none."""
    said = report["levels"]["session"].get("SI")
    times = said.get("timestamps") if isinstance(said, dict) and said.get("holds") is True else None
    if times is None:
        return None
    if not isinstance(times, dict) or not all(map(_pair, times.values())):
        raise ValueError('the timestamps of SI are no object {"transaction": [start, commit]} of whole numbers from 0')
    return {name: (pair[0], pair[1]) for name, pair in times.items()}


def _pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) is int and 0 <= one < 1 << 63 for one in value)
