"""`toki-verify verify-evidence` on a large trace: whether the serial order and the timestamps of a report show the
levels that they are given for."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..levels.lattice import families
from .common import print_problems, refused
from .history_input import read_path
from .main import BAD_INPUT, FOUND, OK

if TYPE_CHECKING:
    from ..histories.trace import Trace

#: The families whose levels order the transactions of sessions, too.
_SESSIONS = ("session",)
#: What shows levels.
ORDERS = ("serial_order", "timestamps")
#: Contradictions that are printed.
_SHOWN = 3


def verify_trace(arguments: argparse.Namespace, entry: dict[str, Any]) -> int:
    """Check what the object of a report says of a trace; the exit code."""
    from ..histories.formats import unpacked
    from ..histories.readers.lines import read_trace

    data, name, problem = read_path(arguments.history)
    if problem is None:
        data, problem = unpacked(data, name)
    if problem is not None:
        print_problems([problem])
        return BAD_INPUT
    trace, problems = read_trace(data, name)
    if trace is None:
        print_problems(problems)
        return BAD_INPUT
    try:
        claims = _claims(entry)
        found = {claim: _contradictions(trace, entry, *claim) for claim in claims}
    except ValueError as error:
        return refused("verify-evidence", f"{arguments.report}: {error}")
    code = OK
    for (what, with_sessions), levels in claims.items():
        wrong = found[what, with_sessions]
        said = f"{what.replace('_', ' ')}{', with sessions' if with_sessions else ''}"
        if wrong:
            code = FOUND
            print(f"✗ {', '.join(levels)}  not shown by the {said}")
            for text in wrong[:_SHOWN]:
                print(f"  {text}")
        else:
            print(f"✓ {', '.join(levels)}  shown by the {said}, of {int((trace.outcome == 1).sum()):,} transactions")
    return code


def _claims(entry: dict[str, Any]) -> dict[tuple[str, bool], list[str]]:
    """The levels that each order is said to show, those with sessions apart. Raises ValueError where there are none."""
    claims: dict[tuple[str, bool], list[str]] = {}
    known = {level.full_id: level for family in families().values() for level in family.levels}
    levels = entry.get("levels")
    for family, group in levels.items() if isinstance(levels, dict) else ():
        for name, said in group.items() if isinstance(group, dict) else ():
            level = known.get(f"{family}:{name}")
            if level is None or level.evidence not in ORDERS or not (said is True or _holds(said)):
                continue
            shown_by = said.get("shown_by") if isinstance(said, dict) else None
            if shown_by != level.evidence:
                raise ValueError(
                    f"{family} {name} is said to hold, and no {level.evidence.replace('_', ' ')} shows it: is it the "
                    "JSON of `check --evidence`?"
                )
            claims.setdefault((shown_by, family in _SESSIONS), []).append(f"{family} {name}")
    if not claims:
        raise ValueError("no level in it is shown by an order: is it the JSON of `check --evidence`?")
    return claims


def _holds(said: object) -> bool:
    return isinstance(said, dict) and said.get("holds") is True


def _contradictions(trace: Trace, entry: dict[str, Any], what: str, sessions: bool) -> list[str]:
    """What contradicts an order of the report. Raises ValueError for one that is none."""
    from ..histories.trace_evidence import check_serial, check_times

    numbers = {name: number for number, name in enumerate(trace.transactions)}
    said = entry.get(what)
    if what == "serial_order":
        if not isinstance(said, list) or not all(isinstance(name, str) for name in said):
            raise ValueError("the serial order is no list of names of transactions")
        unknown = [name for name in said if name not in numbers]
        if unknown:
            return [f"the trace has no transaction {unknown[0]}"]
        return check_serial(trace, [numbers[name] for name in said], sessions=sessions)
    if not isinstance(said, dict) or not all(map(_pair, said.values())):
        raise ValueError('the timestamps are no object {"transaction": [start, commit]} of whole numbers from 0')
    unknown = [name for name in said if name not in numbers]
    if unknown:
        return [f"the trace has no transaction {unknown[0]}"]
    start, commit = [-1] * len(numbers), [-1] * len(numbers)
    for name, (begun, ended) in said.items():
        start[numbers[name]], commit[numbers[name]] = begun, ended
    return check_times(trace, start, commit, sessions=sessions)


def _pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) is int and 0 <= one < 1 << 63 for one in value)
