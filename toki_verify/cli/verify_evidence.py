"""`toki-verify verify-evidence`: whether the commit orders and timestamps of a report show the levels that they are
given for, and whether a history's own timestamps show snapshot isolation."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..events import Problem
from .common import print_problems, refused
from .evidence_report import (
    MADE,
    Json,
    Path,
    Report,
    ReportFault,
    are_names,
    are_pairs,
    brief,
    claimed,
    levels_of,
    load_report,
    say,
    warn_of_another,
)
from .history_input import add_format, read_path, with_extra
from .main import BAD_INPUT, FOUND, OK
from .version_order import add_version_order

if TYPE_CHECKING:
    from ..histories.columns import History

EPILOG = """\
The report is what `toki-verify check HISTORY --evidence -o json` printed; of each level that holds it has an order of
the commits, and with `--timestamps` of SI a start and a commit number of each transaction. Each is checked from the
axioms of its level in one pass, by code that shares nothing with what found it. A report that was made with
--version-order is checked with the same. A level that the report does not claim is listed as such (–).

--own-timestamps needs no report: start and commit timestamps that the history has (TimeKiller) are evidence for SI if
every read sees the last version committed at or before its start, no two transactions that overlap write one key, and
each transaction of a session starts when the one before has committed. If not, the first that contradicts is named.

Of a large trace (`check run.jsonl --evidence -o json`) the serial order and the timestamps are replayed: every read and
row saw the state that it would have seen, and versions were installed in their order. What a level forbids besides (the
`absent` of the report, such as P0) is not looked at.
Each committed transaction has a start and a commit number, the start not behind the commit, and no two have the same
commit number, also where they have nothing to do with each other. Equal start and commit numbers of a transaction mean
one place, as in a serial order.

examples:
  toki-verify check history.edn --evidence -o json > report.json
  toki-verify verify-evidence history.edn report.json
  toki-verify verify-evidence history.json --own-timestamps

exit codes: 0 everything shows its level; 1 something does not; 2 unreadable input, or a report without orders
"""
#: Formats whose times are those of the store; in the others they are places of invocations and completions.
_OF_STORE = ("timekiller",)
#: What an order of a report is called: that of SER, and those of the others.
_ORDERS = ("serial_order", "commit_order")
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

    report: Report | None = None
    if arguments.report is not None:
        report, problem = load_report(arguments.report, arguments.history)
        if report is None:
            print_problems([] if problem is None else [problem])
            return BAD_INPUT
        warn_of_another(report.entry, arguments.history)
        if "trace" in report.entry:
            return _of_trace(arguments, report)
    data, name, problem = read_path(arguments.history)
    if problem is not None:
        print_problems([problem])
        return BAD_INPUT
    history, problems = read_history(data, source=name, format=arguments.format, initial=arguments.initial)
    if history is not None:
        history, problems = in_version_order(history, arguments.version_order)
    if history is not None and arguments.real_time and (history.begun is None or history.ended is None):
        what = f"{history.format} does not say when transactions began and ended"
        problems = [Problem(what, "a format that does, for --real-time", "real-time", file=name)]
        history = None
    if history is None:
        print_problems(problems)
        return BAD_INPUT
    told = _Told(history, arguments.real_time)
    codes = [_own(told)] if arguments.own_timestamps else []
    if report is not None and BAD_INPUT not in codes:
        codes.append(_of_report(told, report))
    return max(codes)


def _of_trace(arguments: argparse.Namespace, report: Report) -> int:
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
    return verify_trace(arguments.history, report)


class _Told:
    """A history, and what is said of it: names that are long are cut."""

    def __init__(self, history: History, realtime: bool) -> None:
        from ..report.history import Shortened

        self.history, self.realtime = history, realtime
        self.short = Shortened(history)

    def say(self, text: str) -> None:
        """Print one line."""
        say(self.short(text))


def _own(told: _Told) -> int:
    """Whether the history's own timestamps show SI."""
    history = told.history
    if history.begun is None or history.ended is None:
        expected = "one with timestamps, such as TimeKiller's"
        return refused("verify-evidence", f"no timestamps in the format {history.format}, expected {expected}")
    words = "own timestamps" if history.format in _OF_STORE else "places of invocations and completions"
    return _times(told, history.begun.tolist(), history.ended.tolist(), words)


def _times(told: _Told, begun: list[int], ended: list[int], words: str) -> int:
    """Say whether times show SI."""
    from ..histories.sessions.evidence_times import MOST, check_times

    found = check_times(told.history, begun, ended, realtime=told.realtime)
    if not found:
        told.say(f"✓ SI  shown by the {words} of {sum(end >= 0 for end in ended)} transactions")
        return OK
    told.say(f"✗ SI  not shown by the {words}: {'at least ' * (len(found) >= MOST)}{len(found)} contradict")
    for one in found[:_SHOWN]:
        lines = f"line{'s' * (len(one.lines) > 1)} {', '.join(map(str, one.lines))}: " if one.lines else ""
        told.say(f"  {lines}{one.text}")
    return FOUND


def _of_report(told: _Told, report: Report) -> int:
    """Whether the orders and timestamps of the report show their levels."""
    from ..histories.checked import LEVELS
    from ..histories.sessions.evidence import check_order

    try:
        orders, times = _claims(report.entry, LEVELS)
    except ReportFault as fault:
        print_problems([report.problem(fault)])
        return BAD_INPUT
    history = told.history
    numbers = {name: number for number, name in enumerate(history.transactions)}
    if len(numbers) < len(history.transactions):
        return refused("verify-evidence", "the history has two transactions of one name")
    code = OK
    for level in LEVELS:
        names = orders.get(level)
        if names is None:
            told.say(f"– {level}  not claimed")
            continue
        unknown = [one for one in names if one not in numbers]
        if unknown:
            found = [f"the history has no transaction {brief(unknown[0])}"]
        else:
            found = list(check_order(history, level, [numbers[one] for one in names], realtime=told.realtime))
        shown = found[0] if found else f"shown by an order of {len(names)} commits"
        told.say(f"{'✗' if found else '✓'} {level}  {shown}")
        code = FOUND if found else code
    if times is not None:
        unknown = [one for one in times if one not in numbers]
        if unknown:
            told.say(f"✗ SI  the history has no transaction {brief(unknown[0])}")
            return FOUND
        begun, ended = [-1] * len(numbers), [-1] * len(numbers)
        for one, (start, commit) in times.items():
            begun[numbers[one]], ended[numbers[one]] = start, commit
        code = max(code, _times(told, begun, ended, "start and commit numbers"))
    return code


def _claims(entry: Json, known: tuple[str, ...]) -> tuple[dict[str, list[str]], dict[str, list[int]] | None]:
    """The orders of a report by the levels that they are to show, and the timestamps of SI, if it has them. Raises
    ReportFault for a claim that nothing in it shows, for one that is malformed, and where there are none."""
    orders: dict[str, list[str]] = {}
    times: dict[str, list[int]] | None = None
    for family, level, said in levels_of(entry):
        where: Path = ("levels", family, level)
        if family != "session" or level not in known:
            raise ReportFault(
                where, f"{brief(family)} {brief(level)}, no level of histories", f"session levels: {', '.join(known)}"
            )
        if not claimed(family, level, said):
            continue
        if not isinstance(said, dict):
            what = f"{level} is said to hold, and nothing shows it: {MADE}"
            raise ReportFault(where, what, "an order of the commits")
        found = [name for name in _ORDERS if name in said]
        if len(found) != 1 or not are_names(said[found[0]]):
            at = (*where, *found[:1])
            raise ReportFault(at, f"the order of {level} is no list of names of transactions", "one, as `check` gives")
        orders[level] = said[found[0]]
        if "timestamps" in said:
            stamps = said["timestamps"]
            at = (*where, "timestamps")
            if level != "SI":
                raise ReportFault(at, f"timestamps of {level}", "none: they show SI")
            if not are_pairs(stamps):
                expected = 'an object {"transaction": [start, commit]} of whole numbers from 0'
                raise ReportFault(at, "the timestamps of SI are no object of pairs", expected)
            times = stamps
    if not orders:
        raise ReportFault(("levels",), f"no order of commits in it: {MADE}", "a level with an order that shows it")
    return orders, times
