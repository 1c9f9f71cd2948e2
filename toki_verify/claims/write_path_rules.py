"""Which rules Algorithm 1 keeps: errors, constraints, modes, the audit row (TOKI 2026, Tables 12 and 14, C.1, C.3)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..algebra import Fact, asof, contradicts
from ..algebra.carriers import CARRIERS
from ..algebra.errors import SeveralIncumbents, UnknownStrategy
from ..events import Schedule
from ..stores import MODES, MemoryStore, WritePath, Written
from ..stores.errors import ConstraintViolated
from ..stores.protocol import CONSTRAINTS
from .cells import Cells
from .model import Claim, Outcome
from .printed_algorithm import Memory, ingest
from .seam import open_rows, racing_lines
from .small_facts import MULTIDEGREE, day, fact, table, told
from .small_histories import (
    BOUND,
    CLOCKS,
    NAMED_BOUND,
    Run,
    every_named_run,
    every_odd_run,
    every_run,
    histories,
    run,
)
from .write_path_failures import FAILURES, attempt
from .write_path_losses import lines_of

_WHERE = "TOKI 2026, Algorithm 1"


def closed_by_id(rows: list[Fact[Any]], fact_id: str) -> list[Fact[Any]]:
    """The rows that `close` closes where it goes by fact_id alone, as Appendix C.1 says."""
    return [row for row in rows if row.fact_id == fact_id and row.is_open and row.row_kind == "current"]


def _close(cells: Cells) -> Outcome:
    """Two open versions of one id, in one partition or in two; then one of them loses."""
    last = fact("b", "y", (0, 1), at=3)
    found, exact = [], True
    for words, others in (
        ("in another partition", (fact("a", "x", (0, 1), at=1), fact("a", "x", (0, 1), at=2, subject="bob"))),
        ("in another valid period", (fact("a", "x", (0, 1), at=1), fact("a", "x", (1, 2), at=2))),
    ):
        store = MemoryStore(MULTIDEGREE)
        path = WritePath(store)
        for each in others:
            path.ingest(each)
        steps = path.steps(last)
        incumbent = next(step for step in steps if step.name == "closed").facts[0]
        steps.close()
        closing = closed_by_id(store.rows(), incumbent.fact_id)
        path.ingest(last)
        closed = [row for row in store.rows() if not row.is_open]
        exact &= len(closed) == 1 and closed[0].closed(day(4)) == incumbent.closed(day(4))
        if len(closing) > 1:
            found += [f"write {told(each)}" for each in (*others, last)]
            found.append(f"by fact_id {len(closing)} rows are closed, one of them {words}: {table(closing)}")
    if not found:
        return Outcome("holds", "exhaustive", "one row is closed", bound="three facts")
    detail = "nothing makes fact_id unique among open rows: the primary key is (fact_id, system_time_start)"
    repair = f"close by the primary key: the incumbent is closed and no other row: {'yes' if exact else 'no'}"
    verdict = "holds-repaired" if exact else "refuted"
    return Outcome(verdict, "exhaustive", detail, repair=repair, bound="three facts", evidence=tuple(found))


def _modes(cells: Cells) -> Outcome:
    for dual, base in zip(every_run("dual_row"), every_run("base"), strict=True):
        if dual.rows != base.rows:
            return Outcome("refuted", "exhaustive", "they differ", bound=BOUND, evidence=lines_of(dual))
    audits = sum(row.row_kind == "audit" for found in every_run("audit_row") for row in found.rows)
    kept = sum(row.row_kind == "audit" for found in every_run("dual_row") for row in found.rows)
    detail = (
        f"dual_row and base leave the same rows after all {len(every_run('base'))} histories: {kept} audit rows, where "
        f"audit_row leaves {audits}; so of the three modes two are one, and 'the dual-row schema' of Theorems 1 and 4 "
        "must be audit_row wherever an audit row is spoken of"
    )
    return Outcome("holds", "exhaustive", detail, bound=BOUND)


def _raises(cells: Cells) -> Outcome:
    lines, wrong = [], []
    for failure in FAILURES:
        raised, unchanged, usable = attempt(failure)
        line = f"{failure.what} ({failure.step}): {raised}"
        lines.append(line)
        if raised not in failure.expected or not unchanged or not usable:
            state = "" if unchanged else "; the rows changed"
            wrong.append(f"{line}{state}{'' if usable else '; the store cannot be used any more'}")
    bound = f"{len(FAILURES)} failures, each against a partition with one open row"
    if wrong:
        return Outcome("refuted", "exhaustive", "not every failure is one", bound=bound, evidence=tuple(wrong))
    detail = "each raises a typed error, leaves the rows as they were, and the next write goes through"
    return Outcome("holds", "exhaustive", detail, bound=bound, evidence=tuple(lines))


def _strategy(cells: Cells) -> Outcome:
    odd = fact("a", "x", strategy="newest")
    memory, _ = ingest(Memory(), odd, day(1))
    if odd not in memory.rows:
        return Outcome("holds", "exhaustive", "not inserted", bound="one fact")
    raised = run((odd,)).errors
    repaired = len(raised) == 1 and isinstance(raised[0], UnknownStrategy)
    detail = (
        "dispatch is step 6 of Table 14 and line 12, behind the returns of steps 3 and 4: where nothing contradicts, "
        "an "
        "unknown strategy is stored, and raises when a later fact cannot know why; Table 12 has no constraint on it"
    )
    evidence = (f"write {told(odd)}", f"then: {table(memory.rows)}")
    return Outcome(
        "holds-repaired" if repaired else "refuted",
        "exhaustive",
        detail,
        repair="look the strategy up in step 1; the write path so repaired raises UnknownStrategy",
        bound="one fact",
        evidence=evidence,
    )


def broken_constraint(rows: tuple[Fact[Any], ...]) -> str:
    """The first constraint of Table 12 that some rows break, checked on the rows themselves."""
    keys = Counter((row.fact_id, row.system_time_start) for row in rows)
    for row in rows:
        checks = {
            "confidence range": 0.0 <= row.confidence <= 1.0,
            "row-kind domain": row.row_kind in ("current", "audit"),
            "primary key": keys[row.fact_id, row.system_time_start] == 1,
            "valid-period order": row.valid_from < row.valid_to,
            "system-period order": row.system_time_start < row.system_time_end,
        }
        assert checks.keys() == CONSTRAINTS.keys()
        for name, holds in checks.items():
            if not holds:
                return name
    return ""


def _constraints(cells: Cells) -> Outcome:
    repeated = (*every_named_run(rising=True), *every_named_run(rising=False))
    every = (*every_run(), *every_odd_run(), *repeated)
    for found in every:
        broken = broken_constraint(found.rows)
        if broken:
            return Outcome("refuted", "exhaustive", f"{broken} is broken", bound=BOUND, evidence=lines_of(found))
    refused = _refusals((*every_odd_run(), *repeated))
    evidence = [f"{number} writes refused: {name}" for name, (_, number) in sorted(refused.items())]
    for name, (example, _) in sorted(refused.items()):
        evidence += [f"the smallest refused for the {name}:", *lines_of(example)]
    detail = f"no row breaks a constraint after any of {len(every)} histories; where one would, the write is refused"
    bound = (
        f"{BOUND}; the same with clocks that stand still or go back: {', '.join(map(str, CLOCKS))}; {NAMED_BOUND}, "
        "one fact a day, or the last two on one day"
    )
    return Outcome("holds", "exhaustive", detail, bound=bound, evidence=tuple(evidence))


def _refusals(runs: tuple[Run, ...]) -> dict[str, tuple[Run, int]]:
    """Per constraint the first history in which a write was refused for it, and how many writes were."""
    found: dict[str, tuple[Run, int]] = {}
    for each in runs:
        for error in each.errors:
            if isinstance(error, ConstraintViolated):
                example, number = found.get(error.constraint, (each, 0))
                found[error.constraint] = example, number + 1
    return found


def _clock(cells: Cells) -> Outcome:
    """Whether ⊕t or ⊕p can always conclude for a newcomer that its selector prefers."""
    refused = [
        found
        for found in every_odd_run()
        if len(found.history) == 2 and any(isinstance(error, ConstraintViolated) for error in found.errors)
    ]
    if not refused:
        return Outcome("holds", "exhaustive", "no write is refused", bound="two facts")
    detail = (
        f"{len(refused)} histories of two facts: a newcomer that wins at or before the incumbent's system-time start "
        "would close it before it began (line 19), so it is refused; of two facts of one instant the first to come "
        "stays, also where ⊕t prefers the other"
    )
    example = min(refused, key=lambda found: found.history[1].resolution_strategy_id != "lww")
    evidence = [*(f"write {told(each)}" for each in example.history), f"refused: {example.errors[0]}"]
    late = next((f for f in refused if f.history[1].system_time_start < f.history[0].system_time_start), None)
    if late is not None:
        evidence += [*(f"write {told(each)}" for each in late.history), f"refused: {late.errors[0]}"]
    repair = "take t_s from a clock of the store that never stands still, not from the fact"
    always = all(not found.errors for length in (1, 2) for found in map(run, histories(length)))
    return Outcome(
        "holds-repaired" if always else "refuted",
        "exhaustive",
        detail,
        repair=f"{repair}; with rising times no write of one or two facts is refused: {'yes' if always else 'no'}",
        bound="every history of two facts, same instant or clock gone back",
        evidence=tuple(evidence),
    )


def _single(cells: Cells) -> Outcome:
    several = [found for found in every_run() if any(isinstance(e, SeveralIncumbents) for e in found.errors)]
    silent = 0
    for found in every_run():
        before = open_rows(run(found.history[:-1]).rows) if len(found.history) > 1 else []
        incumbents = [row for row in before if contradicts(row, found.history[-1])]
        if len(incumbents) > 1 and isinstance(found.written[-1], Written) and found.kinds()[-1] != "duplicate":
            silent += 1
    left, racing = racing_lines()
    bound = f"{BOUND}; two writers: every order of read, insert and commit"
    if not several and not left:
        return Outcome("holds", "exhaustive", "several incumbents are not reachable", bound=bound)
    evidence: list[str] = []
    if several:
        bystander = next(found for found in several if found.history[0].object != found.history[1].object)
        evidence += [*lines_of(several[0]), f"raised: {several[0].errors[0]}"]
        evidence += ["with two objects:", *lines_of(bystander)]
    evidence += ["two writers at once:", *racing] if racing else []
    detail = (
        "as a check it holds: line 9 raises whenever there are several incumbents "
        f"({len(several)} small histories; {silent} resolve silently). As an invariant of partitions, which Appendix "
        "C.4 makes it, it does not: facts with valid times side by side are enough, and two writers at once, "
        "and from then on every fact that meets both is refused"
    )
    repair = "resolve against each incumbent on the valid time that it shares (Alg1.outside-overlap); write at SR"
    verdict = "depends" if not silent else "refuted"
    schedules = tuple(Schedule.parse(race.schedule) for race in left[:1])
    return Outcome(
        verdict, "exhaustive", detail, witnesses=schedules, repair=repair, bound=bound, evidence=tuple(evidence)
    )


def lacking_audit(found: Run, carrier: Any = MULTIDEGREE) -> str:
    """The first loser of whom some later AS OF finds no audit row that dominates it; "": none."""
    now = found.history[-1].system_time_start
    for written, fact_ in zip(found.written, found.history, strict=True):
        if not isinstance(written, Written) or written.resolution is None:
            continue
        loser = written.resolution.loser
        for at in range(3):
            if day(at) not in loser.valid:
                continue
            for known in {fact_.system_time_start, now}:
                audits = asof(found.rows, day(at), known, "audit")
                if not any(carrier.leq(loser.provenance, row.provenance) for row in audits):
                    return f"no audit row dominates {loser.fact_id} at day {at}"
    return ""


def _ensure(cells: Cells) -> Outcome:
    lines = []
    for mode in MODES:
        failing = [found for found in every_run(mode) if lacking_audit(found)]
        lines.append(f"{mode}: {len(failing)} of {len(every_run(mode))} histories leave a loser without an audit row")
        if mode == "audit_row":
            kept = not failing
    short = [history for length in (1, 2) for history in histories(length)]
    for name, ring in CARRIERS.items():
        for history in short:
            tokens = tuple(
                fact(
                    f.fact_id,
                    f.object,
                    valid=((f.valid_from - day(0)).days, (f.valid_to - day(0)).days),
                    at=(f.system_time_start - day(0)).days,
                    confidence=f.confidence,
                    strategy=f.resolution_strategy_id,
                    carrier=ring,
                )
                for f in history
            )
            if lacking_audit(run(tokens, carrier=ring), ring):
                kept = False
                lines.insert(0, f"{name}: {'; '.join(map(told, tokens))}")
    repeated = (*every_named_run(rising=True), *every_named_run(rising=False))
    lacking = sum(bool(lacking_audit(found)) for found in repeated)
    kept &= not lacking
    lines.append(
        f"audit_row, repeated fact_ids: {lacking} of {len(repeated)}; where the key of the audit row is taken the "
        "whole write is refused (Alg1.audit-key)"
    )
    bound = f"{BOUND}; every carrier for up to two facts; {NAMED_BOUND}, one fact a day, or the last two on one day"
    detail = (
        "on every contradiction that is resolved an audit row dominates the loser, at each of its valid times from "
        "then on"
    )
    return Outcome("holds" if kept else "refuted", "exhaustive", detail, bound=bound, evidence=tuple(lines))


RULE_CLAIMS = (
    Claim(
        "Alg1.close",
        "TOKI 2026, Appendix C.1 (`close`), C.2",
        "closing the loser by its fact_id closes the loser and nothing else",
        "`close` matches open current rows by fact_id alone, as printed",
        _close,
    ),
    Claim(
        "Alg1.modes",
        "TOKI 2026, Appendix C.1, Table 14 step 8",
        "the schema modes dual_row and base persist the same rows",
        "the rows after a history; Table 14 says that both do not persist the audit half",
        _modes,
    ),
    Claim(
        "Alg1.raises",
        "TOKI 2026, Table 14, §3.4",
        "every failure raises rather than being masked, and leaves the store as it was",
        "the failures of Table 14, and those of oracles and of the constraints; rows before and after are compared",
        _raises,
    ),
    Claim(
        "Alg1.strategy",
        "TOKI 2026, §3.4 ('an unknown strategy raises a typed error'), Table 14, Algorithm 1 line 12",
        "a fact with an unknown resolution strategy is refused",
        "the steps in their printed order",
        _strategy,
    ),
    Claim(
        "Alg1.constraints",
        "TOKI 2026, Table 12",
        "the five integrity constraints hold after every history of writes",
        "checked on the rows themselves; a write that would break one raises, and so does a contradiction between two "
        "facts of one (fact_id, system_time_start), which are no two versions (InvalidFact)",
        _constraints,
    ),
    Claim(
        "Alg1.clock",
        f"{_WHERE}, lines 16-20",
        "a contradiction is resolved whatever the write times are",
        "t_s is the fact's own system_time_start, which may equal the incumbent's or be earlier",
        _clock,
    ),
    Claim(
        "Alg1.single-incumbent",
        f"{_WHERE}, lines 8-11; §3.4, Appendix C.4 ('the single-incumbent invariant')",
        "a fact never meets more than one incumbent without an error",
        "as a check (line 9 raises), or as an invariant of partitions; one writer at a time, or two at once",
        _single,
    ),
    Claim(
        "Alg1.ensure",
        f"{_WHERE}, Ensure",
        "on contradiction there is an audit row that dominates the loser",
        "in mode audit_row; found by AS OF at every valid time of the loser, at the write and at the end. An audit row "
        "is valid when the loser was: our choice, since neither Definition 1 nor Appendix C.3 gives it a valid time",
        _ensure,
    ),
)
