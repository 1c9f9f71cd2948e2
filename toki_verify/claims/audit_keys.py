"""The key of an audit row (TOKI 2026, Appendix C.2 step 5, C.3: `audit::{loser}::{system_time}`): Alg1.audit-key, and
what the current rows owe to it (Prop5.write-path)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..algebra import Fact
from ..stores.errors import ConstraintViolated
from .cells import Cells
from .judged import yes
from .model import Claim, Outcome
from .small_facts import fact, table, told
from .small_histories import BOUND, NAMED_BOUND, Run, every_named_run, every_run, run

#: One fact_id in two partitions: both rows lose at one instant.
TWO_PARTITIONS: Final = (
    fact("a", "x", (0, 1), at=1),
    fact("a", "x", (0, 1), at=2, subject="bob"),
    fact("b", "y", (0, 1), at=3),
    fact("c", "y", (0, 1), at=3, subject="bob"),
)


def current(rows: Sequence[Fact[Any]]) -> list[Fact[Any]]:
    """The current rows, open or closed."""
    return [row for row in rows if row.row_kind == "current"]


def refused_for_its_key(found: Run) -> bool:
    """Whether a write was refused because a row with its primary key was there."""
    return any(isinstance(error, ConstraintViolated) and error.constraint == "primary key" for error in found.errors)


def paired(*, rising: bool) -> list[tuple[Run, Run]]:
    """The histories with repeated fact_ids, each in mode audit_row and in mode base."""
    modes = (every_named_run(mode, rising=rising) for mode in ("audit_row", "base"))
    return list(zip(*modes, strict=True))


def _told(lifted: Run, base: Run) -> tuple[str, ...]:
    refused = "; ".join(f"refused in mode audit_row: {error}" for error in lifted.errors)
    return (
        *(f"write {told(each)}" for each in lifted.history),
        refused or "nothing is refused",
        f"current in mode audit_row: {table(current(lifted.rows))}",
        f"current in mode base: {table(current(base.rows))}",
    )


def _audit_key(cells: Cells) -> Outcome:
    standing, rising = paired(rising=False), paired(rising=True)
    colliding = [pair for pair in standing if refused_for_its_key(pair[0]) and not refused_for_its_key(pair[1])]
    bound = f"{NAMED_BOUND}, one fact a day, or the last two on one day"
    if not colliding:
        return Outcome("holds", "exhaustive", "no audit row finds its key taken", bound=bound)
    repaired = not any(refused_for_its_key(lifted) for lifted, _ in rising)
    retries = sum(lifted.history[-1] == lifted.history[-2] for lifted, _ in colliding)
    smallest = min(colliding, key=lambda pair: (len(pair[0].history), len({f.object for f in pair[0].history})))
    detail = (
        "audit::loser::t_s names neither the version of the loser nor its partition nor its opponent, so two losses of "
        f"one fact_id at one t_s have one key: in {len(colliding)} of {len(standing)} histories whose clock stands "
        f"still at last, mode audit_row refuses a write that mode base accepts; {retries} of them are retries of a "
        "rejected fact"
    )
    apart = run(TWO_PARTITIONS)
    evidence = (
        *_told(*smallest),
        "one fact_id in two partitions:",
        *_told(apart, run(TWO_PARTITIONS, mode="base")),
    )
    repair = (
        "take t_s from one clock of the store that never stands still: then no write is refused for its key in "
        f"{len(rising)} histories with repeated fact_ids: {yes(repaired)}; or key audit rows by the primary key of the "
        "loser's row and a number"
    )
    verdict = "holds-repaired" if repaired else "refuted"
    return Outcome(verdict, "exhaustive", detail, repair=repair, bound=bound, evidence=evidence)


def _modes(cells: Cells) -> Outcome:
    distinct = list(zip(every_run("audit_row"), every_run("base"), strict=True))
    standing, rising = paired(rising=False), paired(rising=True)
    bound = f"{BOUND}; {NAMED_BOUND}, one fact a day, or the last two on one day"

    def differ(pairs: list[tuple[Run, Run]]) -> list[tuple[Run, Run]]:
        return [(lifted, base) for lifted, base in pairs if current(lifted.rows) != list(base.rows)]

    wrong = [*differ(distinct), *differ(rising)]
    if wrong:
        return Outcome("refuted", "exhaustive", "the current rows differ", bound=bound, evidence=_told(*wrong[0]))
    same = (
        f"after each of {len(distinct)} histories with distinct fact_ids and {len(rising)} with repeated ones, one "
        "fact a day, the current rows are those of a base-schema store"
    )
    odd = differ(standing)
    if not odd:
        return Outcome("holds", "exhaustive", same, bound=bound)
    smallest = min(odd, key=lambda pair: (len(pair[0].history), len({f.object for f in pair[0].history})))
    detail = (
        f"{same}; where two facts have one t_s and a fact_id is repeated, {len(odd)} of {len(standing)} histories "
        "leave other current rows: the audit row of a loser finds its key taken, and the write that would change the "
        "belief is refused (Alg1.audit-key)"
    )
    return Outcome(
        "holds-repaired",
        "exhaustive",
        detail,
        repair="a t_s that rises with every write of the store, or a key of audit rows that no two losses share",
        bound=bound,
        evidence=_told(*smallest),
    )


AUDIT_KEY_CLAIM: Final = Claim(
    "Alg1.audit-key",
    "TOKI 2026, Appendix C.2 step 5 ('keyed on (loser_fact_id, system_time)'), C.3 (`audit::{loser}::{system_time}`)",
    "every loss has an audit row of its own: no write is refused because the key of its audit row is taken",
    "the key is that of Table 12, (fact_id, system_time_start); fact_ids may repeat, since versions of a fact share "
    "theirs, and two writes may have one t_s; but two facts that contradict each other have not both in common, since "
    "⊕ refuses them as two versions of nothing (InvalidFact)",
    _audit_key,
)
WRITE_PATH_CLAIM: Final = Claim(
    "Prop5.write-path",
    "TOKI 2026, Proposition 5, Appendix C.6; Table 14 step 8",
    "the current rows that the write path leaves in mode audit_row are the rows that it leaves in mode base",
    "whole rows, after every small history; with fact_ids that repeat, and with clocks that stand still",
    _modes,
)
