"""C4.tight: whether excluding N1 and being H1-compliant at SR on judge_log are the same (TOKI 2026, Corollary 4)."""

from __future__ import annotations

from typing import Final

from ..bridge.image import Logging, image
from ..events import Schedule
from ..events.kinds import Judge, Read, Write
from .cells import Cells
from .compliance import COMPLIANCE, asking, h1, one_name, reached, repaired_faults, smallest
from .judge_histories import finished, is_log_serializable, judging, smallest_n1, unpaired
from .judge_reach import Reached, reach
from .judge_systems import FULL, NAMED, Environment, System, has_hook, one_insert
from .judged import shows, yes
from .model import Claim, Outcome

_WHERE = "TOKI 2026, Corollary 4"
_BOUND = "histories of every length with at most two operators in flight"


def at_sr(system: System) -> Reached:
    """What a system reaches with the transactions on judge_log serializable."""
    return reach(one_name(system), FULL, serializable=True)


def compliant_at_sr(system: System, reading: str) -> bool:
    """H1 as an invariant of the histories at SR on judge_log, in one of its readings."""
    return has_hook(system) if reading == "hook" else bool(getattr(at_sr(system), reading))


#: The readings of H1, as in T5.bound.
READINGS: Final = dict(zip(("strict", "weak", "strict_return", "weak_return", "hook"), COMPLIANCE, strict=True))


def paired_at_sr(schedule: Schedule) -> bool:
    """Whether a history is at SR on judge_log, and every committed call has a row that was committed before it."""
    return is_log_serializable(str(schedule)) and not unpaired(schedule)


def admitted(reading: str) -> list[System]:
    """Asking systems against ⇐: compliant at SR, with a history at SR that shows N1."""
    return [system for system in asking() if compliant_at_sr(system, reading) and at_sr(system).n1]


def excluded(reading: str) -> list[System]:
    """Asking systems against ⇒: no history shows N1, at any level of the log, and not compliant at SR."""
    return [system for system in asking() if not reached(system).n1 and not compliant_at_sr(system, reading)]


def _if(cells: Cells) -> Outcome:
    found = {reading: admitted(reading) for reading in READINGS}
    lines: list[str] = []
    witness = None
    strict = found["strict"]
    if strict:
        witness = smallest_n1(NAMED_MUTABLE, FULL, only=paired_at_sr)
        said = (
            "none"
            if witness is None
            else f"{witness} (SR: {yes(shows_sr(witness))}, N1: {yes(shows(str(witness), 'N1'))}, {h1(witness)})"
        )
        lines.append(f"{NAMED_MUTABLE}: {said}; the second call saw no row, and returns its own, which overwrites one")
    if witness is not None:
        lines.append(
            f"of that history `bridge` reports, with rows in transactions of their own: {bridge_says(str(witness))} "
            "(it compares a call with the latest row alone); of its calls without the log: "
            f"{bridge_says(calls_alone(witness))}"
        )
    for layout, text in LAYOUTS.items():
        schedule = Schedule.parse(text)
        lines.append(
            f"{layout}: {schedule}: SR on judge_log {yes(shows_sr(schedule))}, N1 {yes(shows(text, 'N1'))}, "
            f"{h1(schedule)}"
        )
    for reading, words in READINGS.items():
        least = f"; the smallest: {smallest(found[reading])}" if found[reading] else ""
        lines.append(f"{words}: {len(found[reading])} compliant systems with N1 at SR{least}")
    without = [s for s in asking() if reached(s).weak_return and reached(s).n1]
    lines.append(f"{READINGS['weak_return']}: {len(without)} compliant systems with N1 without SR")
    edited = smallest_n1(NAMED["Corollary 2"], Environment(False, "none", True), only=paired_at_sr)
    if edited is not None:
        lines.append(f"rows are not said to be immutable: {NAMED['Corollary 2']}: {edited} ({h1(edited)})")
    drawn = smallest_n1(NAMED["Corollary 2"], FULL, as_drawn=True)
    if drawn is not None:
        lines.append(
            "if the vote of a call is what the oracle said, not what the call returned, a loser that adopts shows "
            f"N1: {drawn}"
        )
    saved = [system for system in strict if system.clash in ("adopt", "abort")]
    fails, true = ([w for r, w in READINGS.items() if bool(found[r]) == bad] for bad in (True, False))
    detail = (
        f"it fails where H1 is: {_or(fails)}; it holds where H1 is: {_or(true)}. Consulting the log and filling it are "
        "transactions of their own, each a single access, so SR on judge_log has nothing to order: two first calls "
        "fill one key twice, each row precedes its operator, N1. If H1 says that later calls return every row that was "
        "committed before them, that is excluded by H1 itself, without SR: of two calls with rows the later one would "
        "return the earlier one's (where a row is committed before its call returns, as in all systems here). With one "
        "transaction that checks the key and inserts (Corollary 2's linearizable insert-if-absent) systems that are "
        f"compliant in the weaker readings exclude it: {yes(not saved)}; Definition 6 and 'at SR on judge_log' do not "
        "say which"
    )
    wrong = any(found.values())
    verdict = "depends" if wrong and (true or not saved) else "refuted" if wrong else "holds"
    repair = "the look and the insert are one log transaction, the loser adopts the row or aborts, rows are immutable"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        (),
        () if witness is None else (witness,),
        witness,
        repair,
        f"all {len(asking())} asking systems; {_BOUND}",
        evidence=tuple(lines),
        repair_verdict="refuted" if saved else "holds",
        repair_artifact="C4.tight.if",
    )


def _or(words: list[str]) -> str:
    """Readings in a row."""
    return "; or: ".join(f"'{word}'" for word in words) or "(in no reading)"


def bridge_says(text: str) -> str:
    """Which hypotheses of Lemma 1 π_J finds broken in a schedule, if rows are written in transactions of their own."""
    made = image(Schedule.parse(text), Logging("own"))
    return ", ".join(dict.fromkeys(broken.hypothesis for broken in made.broken)) or "nothing"


def calls_alone(schedule: Schedule) -> str:
    """A history without its accesses to the log: calls and commits of the operators."""
    kept = {event.txn for event in schedule.events if isinstance(event, Judge)}
    events = [e for e in schedule.events if e.txn in kept and not isinstance(e, Read | Write)]
    return str(Schedule(events))


#: Rows that are consulted, filled before the operator commits, and overwritten by a second fill.
NAMED_MUTABLE: Final = System("ask", "read", "read", "before", "overwrite")


_ROW: Final = 'judge_log:"(R, theta)"'
#: Histories that no table here has: another place for the look, and a row that follows the call's return.
LAYOUTS: Final = {
    "with the look in the operator's transaction and the insert before its call in its own": (
        f"r1[{_ROW}@0] r2[{_ROW}@0] wTlog1[+{_ROW}@1=0] cTlog1 wTlog2[{_ROW}@2=1] cTlog2 "
        "j1(R, theta)=0 j2(R, theta)=1 c1 c2"
    ),
    "where a call returns first and is logged then, before its operator commits": (
        f"r1[{_ROW}@0] r2[{_ROW}@0] j1(R, theta)=0 j2(R, theta)=1 wTlog1[+{_ROW}@1=0] cTlog1 wTlog2[{_ROW}@2=1] cTlog2 "
        "c1 c2"
    ),
}


def shows_sr(schedule: Schedule) -> bool:
    """Whether a history is at SR on judge_log, by the checker."""
    return is_log_serializable(str(schedule))


def _only_if(cells: Cells) -> Outcome:
    found = {reading: excluded(reading) for reading in READINGS}
    lines, histories = [], []
    for reading, words in READINGS.items():
        if found[reading]:
            least = smallest(found[reading])
            lines.append(f"{words}: {least} excludes N1, is not compliant; one of {len(found[reading])}")
    named = {
        "the row in the operator's own transaction, the loser adopts": System("ask", "read", "read", "with", "adopt"),
        "asks past the row, a unique key makes it win": System("ask", "ask", "ask", "before", "adopt"),
    }
    for words, system in named.items():
        compliant = [READINGS[reading] for reading in READINGS if compliant_at_sr(system, reading)]
        history, every = judging(system, FULL), list(finished(system, FULL))
        shown = sum(shows(str(schedule), "N1") for schedule in every)
        if history is not None and system in found["strict"]:
            histories.append(history)
        lines.append(
            f"{words}: {system}: {history} ({'' if history is None else h1(history)}); N1 in {shown} of all "
            f"{len(every)} histories of two operators, at any level, and of every length: {yes(reached(system).n1)}; "
            f"compliant where H1 is: {_or(compliant)}"
        )
    changed = [system for system in asking() if reached(system).n1 and not at_sr(system).n1]
    places = sorted({system.place for system in changed})
    lines.append(
        f"SR on judge_log makes a difference to {len(changed)} systems, all with the row committed "
        f"{', '.join(places)} the operator's transaction; H1 asks for a row that precedes it"
    )
    left = [s for s in asking() if not reached(s).n1 and not one_insert(s)]
    lines.append(f"systems that exclude N1 by other means than one insert per key: {len(left)} of {len(asking())}")
    fails, true = ([w for r, w in READINGS.items() if bool(found[r]) == bad] for bad in (True, False))
    detail = (
        f"it fails where H1 is: {_or(fails)}; it holds where H1 is: {_or(true)}. Its own next sentence names other "
        "means: a unique key, a key-value store, a cache; and a row in the operator's transaction under a unique key "
        "excludes N1, though it does not precede the operator's commit"
    )
    verdict = "refuted" if not true else "depends" if fails else "holds"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=tuple(histories[1:]),
        counterexample=histories[0] if histories else None,
        repair="a system that excludes N1 decides the vote of a key by one insert, by whatever means",
        bound=f"all {len(asking())} asking systems; {_BOUND}",
        evidence=tuple(lines),
        repair_verdict="refuted" if left else "holds",
        repair_artifact="C4.tight.only-if",
    )


def _tight(cells: Cells) -> Outcome:
    parts = [(claim.id, claim.decide(cells)) for claim in _PARTS]
    faults = repaired_faults()
    true = {id: outcome.verdict for id, outcome in parts}
    literal = all(verdict == "holds" for verdict in true.values())
    sides = sum(one_insert(system) for system in asking()), sum(not reached(system).n1 for system in asking())
    lines = [f"{id}: {outcome.verdict}; {outcome.evidence[0]}" for id, outcome in parts if outcome.evidence]
    lines += [
        f"H1 as '{words}': ⇐ {yes(not admitted(reading))}, ⇒ {yes(not excluded(reading))}"
        for reading, words in READINGS.items()
    ]
    both = [words for reading, words in READINGS.items() if not admitted(reading) and not excluded(reading)]
    lines.append(
        f"repaired: {sides[0]} of {len(asking())} asking systems have the insert, {sides[1]} exclude N1, differing: "
        f"{len(faults)}"
    )
    detail = (
        f"both directions hold where H1 is: {_or(both)}. {parts[0][0]}: {parts[0][1].verdict}, "
        f"{parts[1][0]}: {parts[1][1].verdict}; where H1 itself makes later calls return every row before them, ⇐ says "
        "nothing of SR. A condition on the system's table that is equivalent to excluding N1, with a history for each "
        "failure and an invariant otherwise, is one insert per key; SR and consulting are not in it"
    )
    verdict = "holds" if literal else "refuted" if faults else "holds-repaired"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        (),
        tuple(s for _, o in parts for s in o.witnesses),
        parts[0][1].counterexample,
        REPAIR,
        f"all {len(asking())} asking systems; {_BOUND}",
        tuple(parts),
        tuple(lines),
        repair_verdict="refuted" if faults else "holds",
        repair_artifact="T5.bound.repaired",
    )


REPAIR: Final = (
    "a system that asks where it finds no row, at a key that recurs, with a durable store whose rows nobody else "
    "changes, "
    "excludes N1 if and only if each call asks once and its vote is inserted, no later than its operator commits, "
    "by an "
    "insert that checks the key as it inserts and whose loser adopts the row or aborts"
)

_PARTS: Final = (
    Claim(
        "C4.tight.if",
        f"{_WHERE} ⇐",
        "a system that is H1-compliant at SR on judge_log excludes N1",
        "SR on judge_log: of histories, by the transactions that read and write it; H1 as in T5.bound",
        _if,
    ),
    Claim(
        "C4.tight.only-if",
        f"{_WHERE} ⇒",
        "a system that excludes N1 is H1-compliant at SR on judge_log",
        "of systems that ask the oracle where they find no row, at a key that recurs; H1 as in T5.bound",
        _only_if,
    ),
)
CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "C4.tight",
        _WHERE,
        "a system excludes N1 if and only if it is H1-compliant at SR on judge_log",
        "both directions, each a part; H1 as an invariant of histories or as a hook; SR as a level of histories",
        _tight,
    ),
    *_PARTS,
)
