"""What Algorithm 1 drops without an error (TOKI 2026, Algorithm 1, lines 2-4, 18-20; §3.2, §3.4)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from ..algebra import Fact, Period, Resolution, asof, contradicts
from ..algebra.audit import unpack
from ..algebra.periods import open_end
from ..stores import MemoryStore, Step, Transaction, WritePath, Written
from .cells import Cells
from .model import Claim, Outcome
from .small_facts import MULTIDEGREE, day, table, told
from .small_histories import BOUND, CLOCKS, History, Run, every_odd_run, every_run, histories, run, run_on

_WHERE = "TOKI 2026, Algorithm 1"
#: Every instant of the valid periods of small histories.
DAYS = range(3)


def lines_of(found: Run) -> tuple[str, ...]:
    """A history, a write a line, and the rows after it."""
    return (*(f"write {told(fact)}" for fact in found.history), f"then: {table(found.rows)}")


def first(condition: Callable[[Run], bool]) -> tuple[Run | None, int]:
    """The smallest history of a kind, and how many there are."""
    matching = [found for found in every_run() if condition(found)]
    return (matching[0] if matching else None), len(matching)


def _dominated(fact: Fact[Any], rows: tuple[Fact[Any], ...]) -> bool:
    return any(MULTIDEGREE.leq(fact.provenance, row.provenance) for row in rows)


def keeps_provenance(found: Run) -> bool:
    """Whether every duplicate's provenance is somewhere in the table."""
    pairs = zip(found.history, found.kinds(), strict=True)
    return all(_dominated(fact, found.rows) for fact, kind in pairs if kind == "duplicate")


def _duplicate(cells: Cells) -> Outcome:
    printed, failing = first(lambda found: not keeps_provenance(found))
    if printed is None:
        return Outcome("holds", "exhaustive", "every duplicate's provenance is kept", bound=BOUND)
    prose = run(printed.history, duplicates="accumulate")
    kept = all(keeps_provenance(run(found.history, duplicates="accumulate")) for found in every_run())
    detail = (
        f"line 3 returns: in {failing} small histories a duplicate's provenance is in no row, the audit rows included; "
        f"§3.4 adds it to the surviving row: then it is kept in all of them: {'yes' if kept else 'no'}"
    )
    evidence = (*lines_of(printed), f"with §3.4 instead: {table(prose.rows)}")
    repair = "line 3: close the row and insert it again with the sum of both provenances, as §3.4 says"
    return Outcome(
        "depends" if kept else "refuted", "exhaustive", detail, repair=repair, bound=BOUND, evidence=evidence
    )


def recorded(fact: Fact[Any], at: int, rows: tuple[Fact[Any], ...]) -> bool:
    """Whether some row, of any kind and time, says of a day what a fact says of it."""
    for row in rows:
        value = row.object if row.row_kind == "current" else unpack(row).loser_objects[0]
        if value == fact.object and day(at) in row.valid:
            return True
    return False


def keeps_content(found: Run) -> bool:
    """Whether everything that was written without an error is in the table, for every day of its valid period."""
    return all(
        recorded(fact, at, found.rows)
        for fact, written in zip(found.history, found.written, strict=True)
        if isinstance(written, Written)
        for at in DAYS
        if day(at) in fact.valid
    )


class Splitting(WritePath[Any]):
    """The repair of lines 2-4: the days of a duplicate that the row does not have are written as facts of their own."""

    def ingest(self, fact: Fact[Any], now: datetime | None = None) -> Written[Any]:
        written = super().ingest(fact, now)
        if written.kind == "duplicate":
            for piece in _pieces(fact, written.row.valid):
                self.ingest(piece, now)
        return written


def _pieces(fact: Fact[Any], taken: Period[datetime], at: datetime | None = None) -> Iterator[Fact[Any]]:
    """What is left of a fact outside of a period, under ids of its own: (fact_id, system_time_start) is a key."""
    for number, piece in enumerate(fact.valid.minus(taken), start=1):
        start = at or fact.system_time_start
        yield replace(
            fact,
            fact_id=f"{fact.fact_id}/{number}",
            valid_from=piece.start,
            valid_to=piece.end,
            system_time_start=start,
            system_time_end=open_end(start),
        )


def _lost_state(cells: Cells) -> Outcome:
    def duplicate(found: Run) -> bool:
        return found.kinds()[-1] == "duplicate"

    def longer(found: Run) -> bool:
        return duplicate(found) and not keeps_content(found)

    def also_contradicts(found: Run) -> bool:
        return duplicate(found) and any(
            contradicts(row, found.history[-1]) for row in found.rows if row.is_open and row.row_kind == "current"
        )

    def surer(found: Run) -> bool:
        last = found.written[-1]
        return duplicate(found) and isinstance(last, Written) and last.row.confidence < found.history[-1].confidence

    evidence: list[str] = []
    for words, condition in (
        ("its valid period is longer", longer),
        ("it also contradicts another open row", also_contradicts),
        ("its confidence is higher", surer),
    ):
        example, number = first(condition)
        if example is not None:
            evidence += [f"a duplicate, but {words} ({number} small histories):", *lines_of(example)]
    if not evidence:
        return Outcome("holds", "exhaustive", "a duplicate has nothing that the row has not", bound=BOUND)
    whole = all(
        keeps_content(run_on(Splitting(MemoryStore(MULTIDEGREE)), found.history))
        for found in every_run()
        if longer(found)
    )
    detail = (
        "line 2 asks for the same object and any shared instant, so what it drops may say more than the row it finds"
    )
    repair = (
        "ask line 2 per instant: write the days that the row does not have as a fact of their own, against which "
        "line 5 "
        f"then checks; so repaired, nothing written is lost in these histories: {'yes' if whole else 'no'} (a higher "
        "confidence still is, unless it is merged like the provenance)"
    )
    return Outcome("refuted", "exhaustive", detail, repair=repair, bound=BOUND, evidence=tuple(evidence))


class Remaindering(WritePath[Any]):
    """The repair of lines 18-21: what the loser says of days that the winner does not speak of stays current."""

    def _persist(
        self, transaction: Transaction[Any], resolution: Resolution[Any], incumbent: Fact[Any], at: datetime
    ) -> Generator[Step, None, None]:
        yield from super()._persist(transaction, resolution, incumbent, at)
        for piece in _pieces(resolution.loser, resolution.winner.valid, at):
            transaction.insert(piece)
            yield Step("inserted", (piece,))


def unseen(path: WritePath[Any], history: History) -> str:
    """The first day of which a loser spoke, its winner did not, and of which after the write nothing is current."""
    for fact in history:
        before = path.store.rows()
        written = run_on(path, (fact,)).written[0]
        if not isinstance(written, Written) or written.resolution is None:
            continue
        winner, loser = written.resolution.winner, written.resolution.loser
        rows = path.store.rows()
        for at in DAYS:
            if day(at) in loser.valid and day(at) not in winner.valid:
                found = asof(rows, day(at), fact.system_time_start)
                if not any(row.object == loser.object for row in found):
                    was = "was believed until then" if loser in before else "was just written"
                    return f"of day {at}, {loser.fact_id} = {loser.object} {was}; AS OF (day {at}, now) is empty"
    return ""


def _outside(cells: Cells) -> Outcome:
    losing: list[tuple[History, str]] = []
    for found in every_run():
        words = unseen(WritePath(MemoryStore(MULTIDEGREE)), found.history)
        if words:
            losing.append((found.history, words))
    if not losing:
        return Outcome("holds", "exhaustive", "nothing outside of the overlap is lost", bound=BOUND)
    history, words = losing[0]
    repaired = all(not unseen(Remaindering(MemoryStore(MULTIDEGREE)), found.history) for found in every_run())
    both = next(h for h in histories(2) if len(h[0].valid.minus(h[1].valid)) == 2)
    detail = (
        f"in {len(losing)} small histories a loser's valid time that the winner does not share is no longer current; "
        "the "
        "audit row has it, default retrieval does not"
    )
    repair = (
        "insert the loser's valid time outside of the winner's (none, one or two rows) as current rows at t_s; "
        "checked on "
        f"the same histories: {'yes' if repaired else 'no'}. Two such rows need ids of their own, since (fact_id, "
        f"system_time_start) is the primary key: {told(both[0])} against {told(both[1])}"
    )
    believed = next(((h, said) for h, said in losing if "believed" in said), None)
    evidence = (*lines_of(run(history)), words, *((*lines_of(run(believed[0])), believed[1]) if believed else ()))
    verdict = "holds" if repaired else "refuted"
    return Outcome(
        "refuted", "exhaustive", detail, repair=repair, bound=BOUND, evidence=evidence, repair_verdict=verdict
    )


def winner_stamped(found: Run) -> bool:
    """Whether after every resolution the winner is an open row with a fresh system time and the merged provenance."""
    for fact, written in zip(found.history, found.written, strict=True):
        if isinstance(written, Written) and written.resolution is not None:
            merged, at = written.resolution.audit.provenance, fact.system_time_start
            if written.row.provenance != merged or written.row.system_time_start != at:
                return False
    return True


def _stamp(cells: Cells) -> Outcome:
    example, number = first(lambda found: not winner_stamped(found))
    if example is None:
        return Outcome("holds", "exhaustive", "every winner is stamped", bound=BOUND)
    stamped = run(example.history, incumbents="stamped")
    every = all(winner_stamped(run(found.history, incumbents="stamped")) for found in every_run())
    in_base = table(run(example.history, mode="base").rows)
    detail = (
        f"§3.2 stamps every winner, lines 18-20 only a winning newcomer: in {number} small histories a winning "
        "incumbent "
        "keeps its system time and provenance, and the merged provenance is in the audit row alone; a write path that "
        f"stamps it, too, does what §3.2 says in all of them, one fact a day: "
        f"{'yes' if every else 'no'}"
    )
    evidence = (
        *lines_of(example),
        f"in mode base nothing is left of the loser: {in_base}",
        f"stamped as §3.2 says: {table(stamped.rows)}",
    )
    late = [found for found in every_odd_run() if len(found.history) == 2 and not found.errors]
    refused = [again for again in (run(found.history, incumbents="stamped") for found in late) if again.errors]
    repair = "line 18: close the incumbent and insert the stamped winner whoever won, with clocks that rise"
    if refused:
        evidence += (
            f"where the clock stands still or goes back, {len(refused)} of {len(late)} histories of two facts that are "
            "accepted as printed have a write refused then: closing the winning incumbent at t_s would end it before "
            "it began",
            *(f"write {told(each)}" for each in refused[0].history),
            f"refused: {refused[0].errors[0]}",
        )
    clocks = ", ".join(str(times) for times in CLOCKS if len(times) == 2)
    bound = f"{BOUND}; the refusals: two facts, clocks that stand still or go back, {clocks}"
    return Outcome(
        "depends" if every else "refuted", "exhaustive", detail, repair=repair, bound=bound, evidence=evidence
    )


LOSS_CLAIMS = (
    Claim(
        "Alg1.duplicate",
        f"{_WHERE}, lines 2-4; §3.4",
        "a repeated confirmation of a fact keeps its provenance",
        "line 3 as printed ('no new state'), and §3.4 ('accumulates the duplicate's provenance into the surviving "
        "row')",
        _duplicate,
    ),
    Claim(
        "Alg1.lost-state",
        f"{_WHERE}, lines 2-4",
        "a duplicate confirmation brings no new state, so nothing is lost when line 3 returns",
        "a duplicate as line 2 finds it: same object, some shared instant, before contradictions are looked for; "
        "state: "
        "what the fact says of each instant, its confidence, its contradictions",
        _lost_state,
    ),
    Claim(
        "Alg1.outside-overlap",
        f"ours, on {_WHERE}, lines 18-21: the paper does not say it",
        "a loser's valid time outside of the winner's is still found by AS OF",
        "what users of a bitemporal table expect of current rows: only the contradicted instants change",
        _outside,
    ),
    Claim(
        "Alg1.stamp",
        f"§3.2; {_WHERE}, lines 18-20",
        "the winner inherits a fresh system-time start and the merged provenance",
        "of a winning incumbent, too (§3.2, Appendix C.2 step 4), or only of a winning newcomer (line 18)",
        _stamp,
    ),
)
