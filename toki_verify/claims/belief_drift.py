"""Corollary 1: belief drift as write skew on a partition, the invariant of the belief cache, and its defence: C1.n2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..events import Schedule
from .belief_programs import Scenario, guarded, materialised, printed, winning_fact
from .belief_readings import GIVEN, REVISED, Row, concurrent, short, table
from .belief_sweeps import Sweep, guarded_cases, maintained_cases, printed_cases, sweep
from .cells import Cell, Cells
from .judged import at, shows, yes
from .model import Claim, Outcome, conjunction
from .partition_pins import PINNED, SPEC
from .serial_oracle import PARTITION, PIN, Judgement, Run, executions, judge, serial_oracle, single_version

_WHERE = "TOKI 2026, Corollary 1, Remark 1; line by line (i) A5B shape, (ii) SI admits, (iii) SR restores"
FINAL: Final = "in the final state"
AT_QUERY: Final = "at the query's commit"
#: Write skew in another partition than the one pinned.
ELSEWHERE: Final = "r1[alice.works_at/x0] r2[alice.works_at/y0] w1[alice.works_at/y1] c1 w2[alice.works_at/x1] c2"
BOUND = (
    "partitions of up to three rows, confidences 0 to 2 (0 and 1 with three transactions), two and three transactions, "
    "every order of commits and every version a read may see; both meanings of ⊕p"
)


def _said(value: object) -> str:
    """A confidence; of a cached belief its fact and that fact's confidence."""
    return f"({value[0]}, {value[1]})" if isinstance(value, tuple) else str(value)


def told(run: Run, scenario: Scenario) -> str:
    """An execution: its schedule, and what is in the store at first and after each commit."""
    states = " → ".join(", ".join(f"{item}={_said(state[item])}" for item in sorted(state)) for state in run.states)
    numbers = ", ".join(f"T{number} = {name}" for number, name in enumerate(run.names, 1))
    return f"{run.schedule(scenario.inside)} ({numbers}): {states}"


def smallest_printed() -> tuple[Scenario, Run]:
    """One row: the serial execution that breaks I as printed."""
    scenario = printed((0,), winning_fact, "m1", 1)
    report = serial_oracle(scenario.programs, scenario.initial, scenario.invariants()[FINAL])
    return scenario, report.broken[0]


def at_level(scenario: Scenario, invariant: str, level: str, *, locking: bool = False) -> Judgement:
    """A scenario judged; `locking` levels over every interleaving of a store with single versions."""
    every = single_version if locking else executions
    keeps = scenario.invariants()[invariant]
    return judge(scenario.programs, scenario.initial, keeps, level, scenario.inside, every=every)


def first_anomaly(cases: Iterable[Scenario], level: str = "SI") -> tuple[Scenario, Run] | None:
    """The first case of which an execution at a level breaks I although every serial order keeps it."""
    for scenario in cases:
        found = at_level(scenario, FINAL, level)
        if found.anomaly and found.violation is not None:
            return scenario, found.violation
    return None


def _swept(name: str, found: Sweep) -> str:
    levels = ", ".join(f"{short(level)} {count}" for level, count in found.at.items())
    return (
        f"{name}: {found.cases} cases; in {found.broken_serially} a serial order breaks I; of the others some "
        f"execution does so in {found.anomalous}; such executions by level: {levels}; at SI with A5B: {found.skewed}"
    )


def repairs() -> dict[str, Sweep]:
    """The repairs over every small case."""
    return {
        "every revision re-derives f_bc and writes it where it changes, two": sweep(maintained_cases(2, 2)),
        "every revision re-derives f_bc and writes it where it changes, three": sweep(maintained_cases(3, 1)),
        "T_w reads f_bc, a row of the partition, and revises only where I will hold; T_q on any cache": sweep(
            guarded_cases(2)
        ),
    }


def pinned(cells: Cells, id: str) -> Outcome:
    """What the solvers say of a pin of Corollary 1, by its id. Raises KeyError, SolverMissing."""
    statement, one, other = PINNED[id]
    found = cells.link(id, one & other, statement)
    if found.schedule is not None:
        return Outcome("refuted", "exhaustive", f"{found.schedule}", counterexample=found.schedule)
    if found.verdict == "none" and found.proof is not None:
        instances = cells.instances(found.proof)
        if len(instances) == 2:
            return Outcome("holds", "proof", statement, (found.proof,), instances={found.proof.id: instances})
    return Outcome("undecided", "proof", found.reason or "the proof may be vacuous")


def _cell_line(cell: Cell) -> str:
    found = "" if cell.witness is None else f" by {cell.witness}"
    return f"{cell.phenomenon} at {cell.level}: {cell.verdict}{found}"


def decide(rows: list[Row], repaired: dict[str, Sweep], unsound: Sweep) -> tuple[str, str]:
    """The verdict and why, from what was computed: every reading of the scenario, the repairs, and the sweep of the
    scenario as printed."""
    saved = [row for row in rows if all(row.parts)]
    skewed = list(dict.fromkeys(row.reading for row in rows if row.parts[0]))
    works = bool(repaired) and all(found.is_repair for found in repaired.values())
    final = [row for row in rows if row.invariant == FINAL]
    detail = (
        f"as printed T_q −rw→ T_w is the only edge: {len(saved)} of {len(rows)} readings have (i), (ii) and (iii), and "
        f"{sum(all(row.parts) for row in final)} of {len(final)} with I in the final state. A5B needs T_w to read f_bc "
        f"(it shows in: {'; '.join(skewed) or 'none'}). With I in the final state the serial order T_q T_w breaks it, "
        "since T_w leaves f_bc stale: no isolation anomaly, and no level restores it"
        f" ({unsound.anomalous} of {unsound.cases} cases are anomalies)"
    )
    if len(saved) == len(rows):
        return "holds", "every reading has (i), (ii) and (iii)"
    if saved:
        named = "; ".join(f"{row.reading}, with I {row.invariant}" for row in saved)
        detail += f". What saves it: {named}; there it is no longer 'a single data item'"
    detail += f". The repairs make it true: {yes(works)}"
    return "depends" if saved else "refuted", detail


def _corollary(cells: Cells) -> Outcome:
    rows, repaired = table(), repairs()
    unsound = sweep(printed_cases(1, 2)) + sweep(printed_cases(2, 1))
    verdict, detail = decide(rows, repaired, unsound)
    pins = [(id, pinned(cells, id)) for id in PINNED]
    lifted, stale, skew = (
        cells.cell(name, level) for name, level in (("N2[lifted]", "SR"), ("N2[printed]", "SR"), ("N2", "SI"))
    )
    scenario, serial = smallest_printed()
    both = [str(run.schedule(scenario.inside)) for run in concurrent(scenario)]
    counterexample = serial.schedule(scenario.inside)
    locked, free = at_level(scenario, AT_QUERY, "berenson:SR", locking=True), at_level(scenario, AT_QUERY, "SR")
    examples = [first_anomaly(cases) for cases in (maintained_cases(2, 2), guarded_cases(2))]
    outside = at_level(guarded(GIVEN, winning_fact, *REVISED, cold=REVISED), FINAL, PIN)
    header = materialised(GIVEN, winning_fact, *REVISED)
    evidence = (
        f"(iii) fails serially, one row: {told(serial, scenario)}; I in the end: "
        f"{yes(scenario.consistent(serial.final))}",
        f"(i) fails, one row: {both[0]}; of {len(both)} executions where both read before either writes "
        f"{sum(at(run, 'SR') for run in both)} are at SR and {sum(shows(run, 'A5B') for run in both)} show A5B",
        *map(str, rows),
        "as printed no execution at any level is an isolation anomaly of the final state: "
        f"{_swept('T_q and one or two T_w', unsound)}. On paper: T_w's value does not depend on "
        "what it reads, and what T_q reads is the initial rows with some of the revisions; run those first, "
        "then T_q, then the others: a serial order with the same final state",
        f"I {AT_QUERY}, one row, f_bc outside: at SR {free.said}, as T_q may commit late and still stand before T_w; "
        f"at locking SR (berenson) on single versions, which keeps T_w out of T_q's execution: {locked.said}",
        *(
            f"I {invariant}, a row that both write (the materialised conflict): "
            + ", ".join(f"{level}: {at_level(header, invariant, level).said}" for level in ("RC", "SI", "SR"))
            for invariant in (FINAL, AT_QUERY)
        ),
        *(_swept(name, found) for name, found in repaired.items()),
        _swept("with f_bc written by every revision, changed or not", sweep(maintained_cases(2, 2, "always"))),
        *(f"repaired, at SI: {told(run, case)}" for case, run in filter(None, examples)),
        f"guarded, but f_bc outside the partition: at {short(PIN)} {outside.said}; the pin must cover f_bc",
        *map(_cell_line, (skew, lifted, stale)),
        *(f"{id}: {part.verdict}: {part.detail}" for id, part in pins),
        f"Remark 1: {ELSEWHERE} is at {SPEC}: {yes(at(ELSEWHERE, SPEC))}, shows N2: {yes(shows(ELSEWHERE, 'N2'))}",
    )
    open_ = [id for id, part in pins if part.verdict == "undecided"] + [
        _cell_line(cell) for cell in (skew, lifted, stale) if cell.verdict == "undecided"
    ]
    if open_:
        verdict, detail = "undecided", f"undecided: {', '.join(open_)}"
    proved = conjunction(pins, "")
    witnesses = [counterexample] if verdict == "depends" else []  # refutes all readings but those that save it
    witnesses += [cell.witness for cell in (skew, lifted, stale) if cell.witness is not None]
    witnesses += [run.schedule(case.inside) for case, run in filter(None, examples)]
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        proved.proofs,
        tuple(dict.fromkeys(_parsed(witnesses))),
        counterexample if verdict == "refuted" else None,
        "every transaction that revises the partition re-derives f_bc from what it has read and writes it where it "
        "changes; or f_bc is a row of the partition, and T_w reads it and revises only where I will hold",
        BOUND,
        tuple(pins),
        evidence,
        instances=proved.instances,
        smallest=dict(cell.smallest for cell in (skew, lifted, stale) if cell.smallest is not None),
        repair_verdict="holds" if all(found.is_repair for found in repaired.values()) else "refuted",
    )


def _parsed(schedules: list[Schedule]) -> list[Schedule]:
    """As they are stored: without what only objects hold."""
    return [Schedule.parse(str(schedule)) for schedule in schedules]


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "C1.n2",
        _WHERE,
        "T_q (read the partition, write f_bc) beside T_w (read it, revise a row) is write skew on the partition; SI "
        "commits both and breaks f_bc = ⊕p(π); SR on the partition excludes it and restores the invariant",
        f"the partition ({PARTITION.subject}, {PARTITION.predicate}) as rows or as one item, f_bc outside, inside, or "
        "read with it; I in the final state, after every commit, at the query's commit, or as of some committed state; "
        "⊕p as the fact or the belief of highest confidence; what a serial order breaks too is not one of isolation",
        _corollary,
    ),
)
