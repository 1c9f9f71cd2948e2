"""C4.tight: whether excluding N1 and being H1-compliant at SR on judge_log are the same (TOKI 2026, Corollary 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..events import Schedule
from .cells import Cells
from .compliance import asking, reached, repaired_faults, smallest
from .judge_histories import is_log_serializable, smallest_n1, unpaired
from .judge_reach import Reached, reach
from .judge_systems import FULL, NAMED, Environment, System, has_hook, one_insert
from .judged import shows, yes
from .model import Claim, Outcome

_WHERE = "TOKI 2026, Corollary 4"
_BOUND = "histories of every length with at most two operators in flight"


def at_sr(system: System) -> Reached:
    """What a system reaches with the transactions on judge_log serializable."""
    return reach(replace(system, store="judge_log"), FULL, serializable=True)


def compliant_at_sr(system: System, reading: str) -> bool:
    """H1 as an invariant of the histories at SR on judge_log, in one of its readings."""
    found = at_sr(system)
    return {"strict": found.strict, "weak": found.weak, "hook": has_hook(system)}[reading]


#: The readings of H1, as in T5.bound.
READINGS: Final = {
    "strict": "row before the operator's commit",
    "weak": "row by the operator's commit",
    "hook": "the surface has the hook",
}


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
            else f"{witness} (SR: {yes(shows_sr(witness))}, N1: {yes(shows(str(witness), 'N1'))})"
        )
        lines.append(f"{NAMED_MUTABLE}: {said}; each call has its row, committed before its operator, and reads none")
    inside = Schedule.parse(LOOKS_INSIDE)
    lines.append(
        f"with the look in the operator's transaction and the insert before it in its own: {inside}: SR on judge_log "
        f"{yes(shows_sr(inside))}, N1 {yes(shows(str(inside), 'N1'))}, a row before each commit "
        f"{yes(not unpaired(inside))}"
    )
    for reading, words in READINGS.items():
        least = f"; the smallest: {smallest(found[reading])}" if found[reading] else ""
        lines.append(f"{words}: {len(found[reading])} compliant systems with N1 at SR{least}")
    edited = smallest_n1(NAMED["Corollary 2"], Environment(False, "none", True), only=paired_at_sr)
    if edited is not None:
        lines.append(f"rows are not said to be immutable: {NAMED['Corollary 2']}: {edited}")
    drawn = smallest_n1(NAMED["Corollary 2"], FULL, as_drawn=True)
    if drawn is not None:
        lines.append(
            "if the vote of a call is what the oracle said, not what the call returned, a loser that adopts shows "
            f"N1: {drawn}"
        )
    saved = [system for system in strict if system.clash in ("adopt", "abort")]
    detail = (
        "consulting the log and filling it are transactions of their own, each a single access, so SR on judge_log has "
        "nothing to order: two first calls fill one key twice, each row precedes its operator, N1. With one "
        "transaction "
        "that checks the key and inserts (Corollary 2's linearizable insert-if-absent) compliant systems exclude it: "
        f"{yes(not saved)}; Definition 6 and 'at SR on judge_log' do not say which"
    )
    wrong = any(found.values())
    verdict = "depends" if wrong and not saved else "refuted" if wrong else "holds"
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


#: Rows that are consulted, filled before the operator commits, and overwritten by a second fill.
NAMED_MUTABLE: Final = System("ask", "read", "read", "before", "overwrite")


#: The same where an operator looks at the log in its own transaction, which then runs on.
LOOKS_INSIDE: Final = (
    "r1[judge_log:k@0] r2[judge_log:k@0] wTlog1[+judge_log:k@1=0] cTlog1 wTlog2[judge_log:k@2=1] cTlog2 "
    "j1(k, theta)=0 j2(k, theta)=1 c1 c2"
)


def shows_sr(schedule: Schedule) -> bool:
    """Whether a history is at SR on judge_log, by the checker."""
    return is_log_serializable(str(schedule))


def _only_if(cells: Cells) -> Outcome:
    found = {reading: excluded(reading) for reading in READINGS}
    lines = []
    for reading, words in READINGS.items():
        if found[reading]:
            lines.append(
                f"{words}: {smallest(found[reading])} excludes N1, is not compliant; one of {len(found[reading])}"
            )
    named = {
        "asks past the row, a unique key makes it win": System("ask", "ask", "ask", "before", "adopt"),
        "the row in the operator's own transaction, the loser aborts": System("ask", "read", "read", "with", "abort"),
    }
    for words, system in named.items():
        compliant = [reading for reading in READINGS if compliant_at_sr(system, reading)]
        lines.append(
            f"{words}: {system}: N1 {yes(reached(system).n1)}; compliant: {', '.join(compliant) or 'in no reading'}"
        )
    changed = [system for system in asking() if reached(system).n1 and not at_sr(system).n1]
    places = sorted({system.place for system in changed})
    lines.append(
        f"SR on judge_log makes a difference to {len(changed)} systems, all with the row committed "
        f"{', '.join(places)} the "
        "operator's transaction; H1 asks for a row that precedes it"
    )
    detail = (
        "its own next sentence names other means: a unique key, a key-value store, a cache; and a row in the "
        "operator's "
        "transaction under a unique key excludes N1, though it does not precede the operator's commit"
    )
    verdict = "refuted" if all(found.values()) else "depends" if any(found.values()) else "holds"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        repair="H1 or any other means by which one insert per key decides the vote",
        bound=f"all {len(asking())} asking systems; {_BOUND}",
        evidence=tuple(lines),
    )


def _tight(cells: Cells) -> Outcome:
    parts = [(claim.id, claim.decide(cells)) for claim in _PARTS]
    faults = repaired_faults()
    true = {id: outcome.verdict for id, outcome in parts}
    literal = all(verdict == "holds" for verdict in true.values())
    sides = sum(one_insert(system) for system in asking()), sum(not reached(system).n1 for system in asking())
    lines = [f"{id}: {outcome.verdict}; {outcome.evidence[0]}" for id, outcome in parts if outcome.evidence]
    lines.append(
        f"repaired: {sides[0]} of {len(asking())} asking systems have the insert, {sides[1]} exclude N1, differing: "
        f"{len(faults)}"
    )
    detail = (
        "neither side implies the other as printed. A condition on the system's table that is equivalent to "
        "excluding N1, "
        "with a history for each failure and an invariant otherwise, is one insert per key; SR and consulting are "
        "not in it"
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
