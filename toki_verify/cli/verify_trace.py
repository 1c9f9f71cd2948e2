"""`toki-verify verify-evidence` on a large trace: whether the serial order and the timestamps of a report show the
levels that they are given for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..levels.lattice import families
from .common import print_problems
from .evidence_report import MADE, Json, Report, ReportFault, are_names, are_pairs, brief, claimed, levels_of, say
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


def verify_trace(history: str, report: Report) -> int:
    """Check what a report says of a trace (`history`: its path, or - for standard input); the exit code."""
    from ..histories.formats import unpacked
    from ..histories.readers.lines import read_trace

    data, name, problem = read_path(history)
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
        claims, rest = _claims(report.entry)
        found = {claim: _contradictions(trace, report.entry, *claim) for claim in claims}
    except ReportFault as fault:
        print_problems([report.problem(fault)])
        return BAD_INPUT
    code = OK
    for (what, with_sessions), levels in claims.items():
        wrong = found[what, with_sessions]
        said = f"{what.replace('_', ' ')}{', with sessions' if with_sessions else ''}"
        if wrong:
            code = FOUND
            say(f"✗ {', '.join(levels)}  not shown by the {said}")
            for text in wrong[:_SHOWN]:
                say(f"  {text}")
        else:
            say(f"✓ {', '.join(levels)}  shown by the {said}, of {int((trace.outcome == 1).sum()):,} transactions")
    if rest:
        say(f"– {', '.join(rest)}  not claimed")
    return code


def _claims(entry: Json) -> tuple[dict[tuple[str, bool], list[str]], list[str]]:
    """The levels that each order is said to show, those with sessions apart, and the levels that an order would show
    and that are not said to hold. Raises ReportFault where there are none of the first, and for what is malformed."""
    claims: dict[tuple[str, bool], list[str]] = {}
    known = {level.full_id: level for family in families().values() for level in family.levels}
    rest = {f"{level.family} {level.id}": None for level in known.values() if level.evidence in ORDERS}
    for family, name, said in levels_of(entry):
        level = known.get(f"{family}:{name}")
        where = ("levels", family, name)
        if level is None:
            raise ReportFault(where, f"{brief(family)} {brief(name)}, which is no level", "levels as `check` has them")
        if not claimed(family, name, said) or level.evidence not in ORDERS:
            continue
        shown_by = said.get("shown_by") if isinstance(said, dict) else None
        if shown_by != level.evidence:
            order = level.evidence.replace("_", " ")
            what = f"{family} {name} is said to hold, and no {order} shows it: {MADE}"
            raise ReportFault(where, what, f'"shown_by": "{level.evidence}"')
        claims.setdefault((shown_by, family in _SESSIONS), []).append(f"{family} {name}")
        del rest[f"{family} {name}"]
    if not claims:
        raise ReportFault(("levels",), f"no level in it is shown by an order: {MADE}", "one that is")
    return claims, list(rest)


def _contradictions(trace: Trace, entry: Json, what: str, sessions: bool) -> list[str]:
    """What contradicts an order of the report. Raises ReportFault for one that is none."""
    from ..histories.trace_evidence import check_serial, check_times

    numbers = {name: number for number, name in enumerate(trace.transactions)}
    said = entry.get(what)
    if what == "serial_order":
        if not are_names(said):
            raise ReportFault((what,), "the serial order is no list of names of transactions", "one")
        unknown = [name for name in said if name not in numbers]
        if unknown:
            return [f"the trace has no transaction {brief(unknown[0])}"]
        return check_serial(trace, [numbers[name] for name in said], sessions=sessions)
    if not are_pairs(said):
        expected = 'an object {"transaction": [start, commit]} of whole numbers from 0'
        raise ReportFault((what,), "the timestamps are no object of pairs", expected)
    unknown = [name for name in said if name not in numbers]
    if unknown:
        return [f"the trace has no transaction {brief(unknown[0])}"]
    start, commit = [-1] * len(numbers), [-1] * len(numbers)
    for name, (begun, ended) in said.items():
        start[numbers[name]], commit[numbers[name]] = begun, ended
    return check_times(trace, start, commit, sessions=sessions)
