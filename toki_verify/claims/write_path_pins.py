"""When Algorithm 1 commits, at which isolation level it reads, and what ⊕? reads (TOKI 2026, Algorithm 1, Table 13)."""

from __future__ import annotations

from typing import Any, Final

from ..algebra import OPERATORS, Fact
from ..events import Schedule
from .cells import Cells
from .judged import at, shows, yes
from .model import Claim, Outcome
from .printed_algorithm import Memory, ingest
from .seed import CLASSICAL, GUARD
from .small_facts import fact, table, told
from .small_histories import histories
from .two_writers import contradicting, races, told_race

_WHERE = "TOKI 2026, Algorithm 1"
BOUND = "every history of one or two facts in one partition, as in the other rows"
#: Lines that read or write the table.
_TOUCHING: Final = (1, 7, 19, 21)


def traces() -> list[tuple[tuple[Fact[Any], ...], list[int], Memory]]:
    """Every small history, the lines that its last fact went through, and the memory then."""
    found = []
    for length in (1, 2):
        for history in histories(length):
            memory = Memory()
            lines: list[int] = []
            for each in history:
                lines = []
                memory, _ = ingest(memory, each, each.system_time_start, lines=lines)
            found.append((history, lines, memory))
    return found


def _numbers(lines: list[int]) -> str:
    return ", ".join(map(str, lines))


def _commit(cells: Cells) -> Outcome:
    every = traces()
    without = [each for each in every if 22 not in each[1]]
    if not without:
        return Outcome("holds", "exhaustive", "every return is behind line 22", bound=BOUND)
    history, lines, memory = without[0]
    believed = all(any(row.is_open and row.row_kind == "current" for row in memory.rows) for _, _, memory in every)
    detail = (
        "line 22 is the only commit, and lines 3 and 7 return before it: literally a fact that meets no incumbent is "
        f"never committed ({len(without)} of {len(every)} small histories end so). With Appendix C.3 ('the caller, not "
        "ingest, owns the surrounding transaction commit'), and Table 14, whose eight steps have no commit, the row is "
        f"there when the caller commits after every return: {yes(believed)}; then line 22 is not Algorithm 1's, and "
        "'the judge-log write of line 14 precedes the operator commit' speaks of what the caller does"
    )
    evidence = (
        *(f"write {told(each)}" for each in history),
        f"it goes through the lines {_numbers(lines)}",
        f"committed by then, literally: {table(())}; in the transaction that nobody ends: {table(memory.rows)}",
    )
    return Outcome(
        "depends" if believed else "refuted",
        "exhaustive",
        detail,
        repair="commit before every return, at the pin of strat(f)",
        bound=BOUND,
        evidence=evidence,
    )


def unpinned(lines: list[int]) -> list[int]:
    """The lines that touch the table before line 12 has selected an operator, and with it a level."""
    selected = lines.index(12) if 12 in lines else len(lines)
    return [line for line in lines[:selected] if line in _TOUCHING]


def _pin(cells: Cells) -> Outcome:
    every = traces()
    early = [each for each in every if unpinned(each[1])]
    left = [race for race in races() if contradicting(race)]
    if not early or not left:
        detail = "no line before line 12 touches the table" if not early else "no order of two writers shows it"
        return Outcome("holds", "exhaustive", detail, bound=BOUND)
    inserted = next(each for each in early if 7 in each[1])
    resolved = next((each for each in early if 12 in each[1]), inserted)
    excluded = not any(race.is_at("SR") for race in left)
    detail = (
        "the level comes with the operator, which line 12 selects after line 1 has read the partition; and line 7 "
        "inserts where no operator is selected at all. In the printed order neither runs at a pin. strat(f) is known "
        "before line 1 (Require), so the level can be set first, as Appendix C.4 does on PostgreSQL, where every "
        "transaction begins at SERIALIZABLE; but that is not the pin of the operator: at RC and SI, the pins of ⊕t and "
        "⊕p, two writers still both insert"
    )
    evidence = (
        f"write {told(inserted[0][0])}: lines {_numbers(inserted[1])}; at no pin: {_numbers(unpinned(inserted[1]))}",
        f"write {'; then '.join(map(told, resolved[0]))}: the second goes through the lines {_numbers(resolved[1])}; "
        f"at no pin: {_numbers(unpinned(resolved[1]))}",
        told_race(left[0]),
        f"it is at RC: {yes(left[0].is_at('RC'))}, SI: {yes(left[0].is_at('SI'))}, SR: {yes(left[0].is_at('SR'))}; "
        f"shows P3: {yes(left[0].phantom)}; open then: {table(left[0].rows)}",
    )
    return Outcome(
        "depends" if excluded else "refuted",
        "exhaustive",
        detail,
        witnesses=(Schedule.parse(left[0].schedule),),
        repair="set the level of strat(f) before line 1, and SR where a second open row must not come to be (P2.seam)",
        bound=f"{BOUND}; two writers: every order of read, insert and commit",
        evidence=evidence,
    )


#: What the lines of an election are as events; the operand is x, version 0 the incumbent.
_EVENTS: Final = {1: "r1[x0]", 19: "w1[x1 by await]", 22: "c1"}
#: Line 14: a judge call, whose row is the judge log's; or the delivered callback, whose row is the callback log's.
ASKING: Final = {"judge_log": "j1(R, theta)=1", "callback_log": "cb1(R, h, 1)"}


def election(asking: str) -> tuple[tuple[Fact[Any], ...], str]:
    """Two facts, the second by ⊕? and elected, and the second's lines as a schedule."""
    pair = fact("a", "x", at=1), fact("b", "y", at=2, strategy="await")
    memory, _ = ingest(Memory(), pair[0], pair[0].system_time_start)
    lines: list[int] = []
    ingest(memory, pair[1], pair[1].system_time_start, oracles={"await": lambda members: 1}, lines=lines)
    events = {**_EVENTS, 14: ASKING[asking]}
    return pair, " ".join(events[line] for line in lines if line in events)


def _callback(cells: Cells) -> Outcome:
    pair, printed = election("judge_log")
    _, delivered = election("callback_log")
    fine = {text: at(text, "RC+cb") and not shows(text, "CB") for text in (printed, delivered)}
    bound = "one election between two facts"
    evidence = (
        *(f"write {told(each)}" for each in pair),
        *(
            f"line 14 as a row of {log}: {text}; at RC+cb: {yes(at(text, 'RC+cb'))}, shows CB: {yes(shows(text, 'CB'))}"
            for log, text in (("judge_log", printed), ("callback_log", delivered))
        ),
    )
    if fine[printed] or not fine[delivered]:
        verdict = "holds" if fine[printed] else "refuted"
        return Outcome(verdict, "exhaustive", "the same of both logs", bound=bound, evidence=evidence)
    detail = (
        "line 14 and Appendix C.5 (dispatch_await) put the vote of ⊕? into judge_log, and no line of Algorithm 1 reads "
        "callback_log: so the write that line 12 pins to RC+cb is not at RC+cb. Lemma 1, §3.2 ('from a delivered "
        "callback row') and Appendix B.8 ('callback-log read precedes operator write') want a delivered row of "
        "callback_log read between line 1 and line 19; with ρ(r, f) of line 14 read as that read it is. The paper has "
        "both, and Lemma 1 maps j and cb to different tables"
    )
    return Outcome(
        "depends",
        "exhaustive",
        detail,
        witnesses=(Schedule.parse(printed),),
        repair="line 14, for ⊕?: read the delivered row of callback_log, and log its k; leave judge_log to ⊕c",
        bound=bound,
        evidence=evidence,
    )


_LOST_UPDATE: Final = "r1[x0] w2[x1] c2 w1[x2] c1"
_WRITE_SKEW: Final = "r1[x0] r2[y0] w1[y1] w2[x1] c1 c2"
#: The pins of the operators, and schedules of two kinds. At a pin: what it admits. Below a pin: the phenomenon that
#: §3.2 has for exposes, the level, and a schedule there that is not at the pin.
PIN_OF: Final = {"lww": "RC", "evi": "SI", "await": "RC+cb", "rule": "SI+SR@policy"}
AT_THE_PIN: Final = {"lww": ("P4", _LOST_UPDATE), "evi": ("A5B", _WRITE_SKEW), "await": ("P4", _LOST_UPDATE)}
WEAKENED: Final = {
    "lww": ("P4", "RU", "r1[x0] w2[x1] w1[x2] c2 c1"),
    "evi": ("A5B", "RC", "r1[x0] r2[y0] w2[x1] c2 r1[x1] w1[y1] c1"),
    "await": ("CB", "RC", "r1[x0] w1[x1 by await] c1"),
    "rule": (
        "P3",
        "SI",
        'r1{policy:"active":} r2{policy:"active":} w1[+policy:m1 in "active"] w2[+policy:n1 in "active"] c1 c2',
    ),
}


def newly(level: str) -> str:
    """The predicates whose guard a level is: what the level below admits and it does not."""
    return ", ".join(name for name in CLASSICAL if GUARD[name] == level)


def _exposes(cells: Cells) -> Outcome:
    lines, below, admitted = [], {}, {}
    for id, (name, text) in AT_THE_PIN.items():
        admitted[id] = at(text, PIN_OF[id]) and shows(text, name)
        lines.append(f"{OPERATORS[id].glyph}, {name} at its pin {PIN_OF[id]}: {text}: {yes(admitted[id])}")
    for id, (name, level, text) in WEAKENED.items():
        below[id] = at(text, level) and shows(text, name) and not at(text, PIN_OF[id])
        lines.append(f"{OPERATORS[id].glyph}, {name} at {level}, below its pin {PIN_OF[id]}: {text}: {yes(below[id])}")
    bound = "one schedule for each operator and place"
    excluded = not any(admitted[id] for id in admitted if AT_THE_PIN[id][0] == WEAKENED[id][0])
    if not all(below.values()) or (excluded and not admitted["await"]):
        verdict = "holds" if all(below.values()) else "undecided"
        return Outcome(verdict, "exhaustive", "of every pin", bound=bound, evidence=tuple(lines))
    detail = (
        "as 'some schedule below the pin shows it' each of the four is exposed. As Definition 1 has it, 'the failure "
        f"mode exposed by weakening' what the pin excludes, all are: {yes(excluded)}; RC admits P4 and SI admits A5B, "
        "so weakening the pins of ⊕t and ⊕p does not expose them. Table 9 weakens other things (P0/P1 for ⊕t, a split "
        "snapshot for ⊕p). Table 13 gives what the level admits, for ⊕t and ⊕p; in that reading 'no admitted anomaly' "
        f"of ⊕? at RC+cb is so: {yes(not admitted['await'])}, since RC+cb does not dominate the guard SI of P4. §3.2, "
        "Table 9 and Table 13 have three readings of one column"
    )
    return Outcome(
        "depends",
        "exhaustive",
        detail,
        witnesses=tuple(dict.fromkeys(Schedule.parse(text) for _, text in AT_THE_PIN.values())),
        repair=f"exposes(⊕t) = {newly('RC')}; exposes(⊕p) = {newly('SI')}; in Table 13, for ⊕? what RC admits",
        bound=bound,
        evidence=tuple(lines),
    )


PIN_CLAIMS: Final = (
    Claim(
        "Alg1.commit",
        f"{_WHERE}, Ensure, lines 3, 7 and 22; Appendix C.3; Table 14",
        "when Algorithm 1 returns, the current row is committed",
        "by line 22, or by the caller, who owns the transaction in Appendix C.3",
        _commit,
    ),
    Claim(
        "Alg1.pin",
        f"{_WHERE}, lines 1, 7, 12 and 22; §3.4, Appendix C.4",
        "every read and write of Algorithm 1 is made at the isolation pin of the operator",
        "in the printed order, or with the level set before line 1, to the operator's pin or to SERIALIZABLE",
        _pin,
    ),
    Claim(
        "Alg1.callback",
        f"{_WHERE}, lines 12 and 14; Lemma 1, §3.2 (Await), Appendix B.8, C.5",
        "a write by ⊕? is made at RC+cb: a delivered callback row is read between the candidate read and the write",
        "line 14 for ⊕? as a judge call, which is what it logs, or as the read of a row of callback_log",
        _callback,
    ),
    Claim(
        "Alg1.exposes",
        "TOKI 2026, §3.2, Definition 1, Table 1; Table 9; Table 13",
        "exposes(a) is the failure mode that weakening req(a) exposes: P4, A5B, the callback boundary, P3",
        "shown by some schedule below the pin; or excluded at the pin, too; or, as Table 13 has it, admitted there",
        _exposes,
    ),
)
