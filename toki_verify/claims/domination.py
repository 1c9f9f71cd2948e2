"""Theorem 2, soundness: under the audit-row schema every consumed loser is dominated (TOKI 2026, Theorem 2).

Its algebra is one line, proved for every K from the axioms (`semiring_axioms.py`); its "for every operator history" is
run: every small history through the write path, in each carrier. The paper gives an audit tuple no valid time: which
choices make the theorem true, at which instants, is a row of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import product
from typing import Any, Final

from ..algebra.audit import audit_id
from ..algebra.carriers import BOOLEAN, CARRIERS, MULTILINEAR, Carrier
from ..algebra.facts import Fact
from ..stores.write_path import Incumbents
from .carriers_of import SEEDS, SMALL, nonzero, tokens
from .cells import Cells
from .histories import DAY, PERIODS, VALID, Consumed, History, Ran, histories, odd, run, told
from .model import Claim, Outcome, conjunction
from .surfaces import undominated, valid_days

_WHERE = "TOKI 2026, Theorem 2 (soundness)"
HISTORY: Final = (
    "a history is a sequence of writes through Algorithm 1; what an operator step consumes is its loser, the closed "
    "incumbent or the rejected newcomer (a duplicate confirmation is no operator step)"
)
BOUND: Final = (
    "histories of up to 3 writes to one partition: all four operators, both outcomes, three valid periods that overlap "
    "in part (one, of 3 writes in carriers that the paper does not ship), fresh tokens; incumbents that win untouched "
    f"(Algorithm 1) and, on one valid period, stamped (§3.2); and of 2 writes with every pair of {SMALL} small "
    "annotations other than 0"
)
_SUM: Final = "semiring.dominates-loser"


@cache
def sound_in(carrier: Carrier[Any]) -> tuple[int, int, tuple[str, ...]]:
    """How many histories there are, how many losers they consume, and where no audit tuple dominates one."""
    cases: list[tuple[History, list[Any], Incumbents]] = []
    for writes in (2, 3):
        fresh = tokens(carrier, writes)
        periods = (0, 1, 2) if writes == 2 or carrier in SEEDS else (0,)
        cases += [(history, fresh, "untouched") for history in histories(writes, periods)]
        cases += [(history, fresh, "stamped") for history in histories(writes, (0,))]
    pairs = [list(pair) for pair in product(nonzero(carrier), repeat=2)]
    cases += [(history, pair, "untouched") for history in histories(2, (0,)) for pair in pairs]
    consumed, failures = 0, []
    for history, given, incumbents in cases:
        ran = run(history, carrier, given, incumbents=incumbents)
        consumed += len(ran.consumed)
        failures += [f"{told(history, carrier, given)}: {where}" for where in undominated(ran, carrier)]
    return len(cases), consumed, tuple(failures)


def sound(carrier: Carrier[Any], cells: Cells) -> Outcome:
    """Soundness in one carrier: the proof for every K, and every small history run in this one."""
    proof = cells.equation(_SUM)
    count, consumed, failures = sound_in(carrier)
    if failures:
        detail = f"{len(failures)} instants of {count} histories at which no audit tuple dominates a loser"
        return Outcome("refuted", "exhaustive", detail, bound=BOUND, evidence=failures[:3])
    if not proof.proved or not consumed:
        return Outcome("undecided", "proof", f"not proved: {_SUM if consumed else 'no loser was consumed'}")
    detail = (
        f"p_l ⪯ p_w ⊕ p_l is proved for every K; in all {count} histories an audit tuple dominates each of the "
        f"{consumed} losers, at every later system time and wherever the loser was valid"
    )
    return Outcome("holds", "exhaustive", detail, bound=BOUND, equational=(proof,))


def _sound_everywhere(cells: Cells) -> Outcome:
    parts = [(f"T2.sound.{name}", sound(carrier, cells)) for name, carrier in CARRIERS.items()]
    holds = "p_l ⪯ p_w ⊕ p_l is proved for every K, and every loser is dominated in every history of each carrier"
    found = conjunction(parts, holds, "exhaustive")
    counts = [
        f"{name} {count}, {lost}"
        for name, (count, lost, _) in zip(CARRIERS, map(sound_in, CARRIERS.values()), strict=True)
    ]
    evidence = found.evidence or (f"histories and losers: {'; '.join(counts)}",)
    return Outcome(
        found.verdict, found.method, found.detail, bound=BOUND, evidence=evidence, equational=found.equational
    )


# -- the valid time of audit rows --------------------------------------------------------------------------------------
Period = tuple[datetime, datetime]


def _shared(step: Consumed) -> Period:
    return max(step.loser.valid_from, step.winner.valid_from), min(step.loser.valid_to, step.winner.valid_to)


def _either(step: Consumed) -> Period:
    return min(step.loser.valid_from, step.winner.valid_from), max(step.loser.valid_to, step.winner.valid_to)


#: When an audit row is valid. Definition 1's tuple and Appendix C.3 do not say; ours is the first (`algebra/audit.py`).
CHOICES: Final[dict[str, Callable[[Consumed], Period]]] = {
    "the loser's": lambda step: (step.loser.valid_from, step.loser.valid_to),
    "the winner's": lambda step: (step.winner.valid_from, step.winner.valid_to),
    "what both share": _shared,
    "that of either": _either,
    "all of valid time": lambda step: (VALID, VALID + max(end for _, end in PERIODS) * DAY),
}
CURRENT: Final = "current-kind rows"


def _shared_days(step: Consumed) -> list[datetime]:
    begins, ends = _shared(step)
    return valid_days(replace(step.loser, valid_from=begins, valid_to=ends))


#: At which t_v a loser is to be dominated: wherever it was valid, or where it contradicted the winner.
WHEN: Final[dict[str, Callable[[Consumed], list[datetime]]]] = {
    "at every instant of the loser": lambda step: valid_days(step.loser),
    "at every instant where both are valid": _shared_days,
}


def retimed(ran: Ran, choice: str) -> list[Fact[Any]]:
    """The rows that AS OF looks at: the audit rows, valid as chosen; or those of kind current, as §2.1 defines it."""
    if choice == CURRENT:
        return [row for row in ran.rows if row.row_kind == "current"]
    periods = {audit_id(step.loser.fact_id, step.at): CHOICES[choice](step) for step in ran.consumed}
    audit = [row for row in ran.rows if row.row_kind == "audit"]
    return [replace(row, valid_from=periods[row.fact_id][0], valid_to=periods[row.fact_id][1]) for row in audit]


@cache
def first_failures() -> dict[tuple[str, str], str]:
    """In each reading the first history of two writes with a loser that is not dominated; "" where there is none."""
    cases = [
        (history, carrier, tokens(carrier, 2), run(history, carrier, tokens(carrier, 2)))
        for carrier in (MULTILINEAR, BOOLEAN)
        for history in sorted(histories(2), key=odd)
    ]
    found = {}
    for choice, when in product((*CHOICES, CURRENT), WHEN):
        failing = (
            f"{told(history, carrier, given)}: {where[0]}"
            for history, carrier, given, ran in cases
            if (where := undominated(ran, carrier, retimed(ran, choice), WHEN[when]))
        )
        found[choice, when] = next(failing, "")
    return found


def _readings(cells: Cells) -> Outcome:
    found = first_failures()
    named = {(choice, when): f"{_rows(choice)}, {when}" for choice, when in found}
    lines = [f"{named[key]}: false; {failing}" for key, failing in found.items() if failing]
    lines += [f"{named[key]}: true" for key, failing in found.items() if not failing]
    true = [key for key, failing in found.items() if not failing]
    false = [named[key] for key, failing in found.items() if failing]
    detail = (
        f"true in {len(true)} of {len(found)} readings, false in: {'; '.join(false) or 'none'}. The paper "
        "gives an audit tuple no valid time (Definition 1: provenance, strategy, system time; nor does Appendix C.3), "
        "yet Theorem 2 and Theorem 4(2) look for it at (t_v, t_s); and its AS OF (§2.1) returns rows of kind current, "
        "so it is not Rec_H. T2.sound is read with an audit row that is valid when its loser was"
    )
    verdict = "holds" if len(true) == len(found) else "depends" if true else "refuted"
    bound = "histories of 2 writes: all four operators, both outcomes, three valid periods; multilinear and boolean"
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines))


def _rows(choice: str) -> str:
    return f"{CURRENT} (§2.1)" if choice == CURRENT else f"audit rows whose valid period is {choice}"


STATEMENT: Final = "under the audit-row schema every loser that an operator consumes is dominated by an audit tuple"
_READING = (
    f"{HISTORY}; Rec_H(t_v, t_s) is AS OF of the audit rows, for each t_v of the loser's valid period and each t_s "
    "from the step on; an audit row is valid when its loser was, which the paper leaves open (T2.sound.reading)"
)


def _of(name: str) -> Claim:
    carrier = CARRIERS[name]
    return Claim(f"T2.sound.{name}", _WHERE, f"in {name}, {STATEMENT}", _READING, lambda cells: sound(carrier, cells))


CLAIMS = (
    Claim("T2.sound", _WHERE, f"{STATEMENT}, in every K", _READING, _sound_everywhere),
    *map(_of, CARRIERS),
    Claim(
        "T2.sound.reading",
        "ours (CLAIMS, T2.sound)",
        f"{STATEMENT}, in each reading of where and when it is looked for",
        f"{HISTORY}; Rec_H(t_v, t_s): AS OF of the audit rows, whose valid period is chosen, or of rows of kind "
        "current (§2.1); for each t_s from the step on, and each t_v where the loser was valid, or where both were",
        _readings,
    ),
)
