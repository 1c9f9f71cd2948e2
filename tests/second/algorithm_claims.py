"""Alg1.* and Prop5.write-path again, by the machine of `machine.py` and the oracle."""

from __future__ import annotations

from functools import cache
from typing import Any

from . import races
from .carriers import RINGS
from .machine import History, Machine, Ran, Refused, Row, conflict, odd, repeated, rising, run
from .model import Found, after_repair, all_of, yes
from .oracles import at, shows
from .registry import second

FREE = RINGS["multidegree"]


@cache
def every(mode: str = "audit_row") -> tuple[Ran, ...]:
    """Every small history, one fact a day."""
    return tuple(run(history, mode=mode) for history in rising())


def forget() -> None:
    """Forget what was run: for mutants."""
    every.cache_clear()


def count(runs: Any, condition: Any) -> int:
    """Of how many something is so."""
    return sum(map(bool, map(condition, runs)))


# -- what is dropped ---------------------------------------------------------------------------------------------------


def loses_a_duplicate(ran: Ran) -> bool:
    """Whether the provenance of some duplicate is below no row's."""
    return any(
        event.kind == "duplicate" and not any(FREE.leq(row.prov, other.prov) for other in ran.rows)
        for row, event in zip(ran.history, ran.events, strict=True)
    )


@second("Alg1.duplicate")
def duplicate(id: str) -> Found:
    """Literally, and accumulating."""
    failing = count(every(), loses_a_duplicate)
    kept = not any(loses_a_duplicate(run(ran.history, accumulate=True)) for ran in every())
    return Found(all_of([not failing, kept]), (f"in {failing} small histories", f"kept in all of them: {yes(kept)}"))


def _said(ran: Ran) -> set[tuple[str, int]]:
    """What the table says, of which day: (object, day); an audit row speaks of its loser."""
    return {(row.object.split(">")[-1], day) for row in ran.rows for day in row.days}


@second("Alg1.lost-state")
def lost_state(id: str) -> Found:
    """Three ways in which a duplicate is more than the row it meets."""
    last = [ran for ran in every() if ran.events[-1].kind == "duplicate"]

    def longer(ran: Ran) -> bool:
        written = {
            (row.object, day)
            for row, e in zip(ran.history, ran.events, strict=True)
            if e.kind in ("inserted", "duplicate", "resolved")
            for day in row.days
        }
        return not written <= _said(ran)

    def opposed(ran: Ran) -> bool:
        return any(conflict(row, ran.history[-1]) for row in ran.machine.believed())

    def surer(ran: Ran) -> bool:
        belief = ran.events[-1].belief
        return belief is not None and belief.confidence < ran.history[-1].confidence

    numbers = [count(last, condition) for condition in (longer, opposed, surer)]
    words = ("its valid period is longer", "it also contradicts another open row", "its confidence is higher")
    says = tuple(f"{text} ({number} small histories)" for text, number in zip(words, numbers, strict=True))
    return Found("holds" if not any(numbers) else "refuted", says)


def unbelieved(history: History, remainders: bool) -> bool:
    """Whether some loser's day, which its winner does not share, is believed no more right after the write."""
    table = Machine()
    for row in history:
        event = table.write(row)
        if event.winner is None or event.loser is None:
            continue
        outside = [day for day in event.loser.days if day not in event.winner.days]
        if remainders:
            # Day by day: every maximal run of days is a row of its own, and each day of it is current.
            for day in outside:
                table.rows.append(
                    event.loser._replace(id=f"{event.loser.id}/{day}", valid=(day, day + 1), start=row.start, end=None)
                )
        seen = [{found.object for found in table.seen(day, row.start, "current")} for day in outside]
        if any(event.loser.object not in objects for objects in seen):
            return True
    return False


@second("Alg1.outside-overlap")
def outside(id: str) -> Found:
    """Days that only the loser spoke of."""
    failing = [history for history in rising() if unbelieved(history, False)]
    repaired = not any(unbelieved(history, True) for history in rising())
    says = (f"in {len(failing)} small histories", f"the same histories: {yes(repaired)}")
    return Found("refuted" if failing else "holds", says)


def unstamped(ran: Ran) -> bool:
    """Whether some winner is not the belief with the merged provenance from now on."""
    return any(
        event.kind == "resolved"
        and event.belief is not None
        and (event.belief.prov != event.merged or event.belief.start != row.start)
        for row, event in zip(ran.history, ran.events, strict=True)
    )


@second("Alg1.stamp")
def stamp(id: str) -> Found:
    """Untouched and stamped incumbents."""
    failing = count(every(), unstamped)
    repaired = not any(unstamped(run(ran.history, stamped=True)) for ran in every())
    accepted = [h for h in odd() if len(h) == 2 and not _refusals(run(h))]
    refused = [h for h in accepted if _refusals(run(h, stamped=True))]
    says = (
        f"in {failing} small histories",
        f"one fact a day: {yes(repaired)}",
        f"{len(refused)} of {len(accepted)} histories of two facts",
    )
    return Found(all_of([not failing, repaired]), says)


def _refusals(ran: Ran) -> list[str]:
    return [event.kind for event in ran.events if event.kind not in ("inserted", "duplicate", "resolved")]


# -- rules -------------------------------------------------------------------------------------------------------------


@second("Alg1.modes")
def modes(id: str) -> Found:
    """The mode dual_row keeps no audit half (Table 14), as base."""
    same = all(a.rows == b.rows for a, b in zip(every("dual_row"), every("base"), strict=True))
    kept, audits = (
        sum(row.kind == "audit" for ran in every(mode) for row in ran.rows) for mode in ("dual_row", "audit_row")
    )
    return Found(
        "holds" if same else "refuted", (f"all {len(every())} histories: {kept} audit rows", f"leaves {audits};")
    )


@second("Alg1.constraints")
def constraints(id: str) -> Found:
    """Table 12 after every history, and how many writes are refused for which."""
    runs = [*every(), *map(run, (*odd(), *repeated(rising=True), *repeated(rising=False)))]
    broken = any(
        len({row.key for row in ran.rows}) < len(ran.rows)
        or any(row.end is not None and row.end <= row.start for row in ran.rows)
        or any(not 0 <= row.confidence <= 1 or row.kind not in ("current", "audit") or not row.days for row in ran.rows)
        for ran in runs
    )
    reasons = [kind for ran in runs for kind in _refusals(ran)]
    says = [f"any of {len(runs)} histories"]
    says += [f"{reasons.count(name)} writes refused: {name}" for name in ("primary key", "system-period order")]
    return Found("refuted" if broken else "holds", tuple(says))


@second("Alg1.clock")
def clock(id: str) -> Found:
    """Two facts whose times do not rise."""
    refused = [h for h in odd() if len(h) == 2 and {"system-period order", "primary key"} & set(_refusals(run(h)))]
    fine = not any(_refusals(ran) for ran in every() if len(ran.history) < 3)
    says = (f"{len(refused)} histories of two facts", f"one or two facts is refused: {yes(fine)}")
    return Found(after_repair(not refused, fine), says)


@second("Alg1.single-incumbent")
def single(id: str) -> Found:
    """As a check, and as an invariant: of one writer, of two."""
    several = count(every(), lambda ran: "several incumbents" in _refusals(ran))
    silent = 0
    for ran in every():
        before = Machine()
        for row in ran.history[:-1]:
            before.write(row)
        met = [row for row in before.believed() if conflict(row, ran.history[-1])]
        silent += len(met) > 1 and ran.events[-1].kind in ("inserted", "resolved")
    race = races.found()
    says = (f"({several} small histories; {silent} resolve silently)", *race.says)
    return Found(all_of([not silent, not several and not race.left]), says)


def lacking(ran: Ran, ring: Any = FREE) -> bool:
    """Whether some loser has at some time, from its loss on, a day without an audit row above it."""
    last = ran.history[-1].start
    return any(
        event.kind == "resolved"
        and event.loser is not None
        and any(
            not any(ring.leq(event.loser.prov, audit.prov) for audit in ran.machine.seen(day, known, "audit"))
            for day in event.loser.days
            for known in (row.start, last)
        )
        for row, event in zip(ran.history, ran.events, strict=True)
    )


@second("Alg1.ensure")
def ensure(id: str) -> Found:
    """Every mode, every carrier, repeated ids."""
    numbers = {mode: count(every(mode), lacking) for mode in ("audit_row", "dual_row", "base")}
    others = sum(
        lacking(run(tuple(row._replace(prov=ring.token(row.id)) for row in ran.history), ring=ring), ring)
        for ring in RINGS.values()
        for ran in every()
        if len(ran.history) < 3
    )
    again = [run(h) for h in (*repeated(rising=True), *repeated(rising=False))]
    shared = count(again, lacking)
    says = [f"{mode}: {number} of {len(every())} histories leave a loser" for mode, number in numbers.items()]
    says.append(f"repeated fact_ids: {shared} of {len(again)};")
    return Found("refuted" if numbers["audit_row"] or others or shared else "holds", tuple(says))


def _pairs(*, rising: bool) -> list[tuple[Ran, Ran]]:
    return [(run(h), run(h, mode="base")) for h in repeated(rising=rising)]


def _for_its_key(pair: tuple[Ran, Ran]) -> bool:
    return "primary key" in _refusals(pair[0]) and "primary key" not in _refusals(pair[1])


@second("Alg1.audit-key")
def audit_key(id: str) -> Found:
    """Clocks that stand still at last, and that rise."""
    standing, rises = _pairs(rising=False), _pairs(rising=True)
    bad = [pair for pair in standing if _for_its_key(pair)]
    retries = sum(pair[0].history[-1] == pair[0].history[-2] for pair in bad)
    smallest = min((len(pair[0].history) for pair in bad), default=0)
    repaired = not any("primary key" in _refusals(pair[0]) for pair in rises)
    says = (
        f"in {len(bad)} of {len(standing)} histories",
        f"{retries} of them are retries",
        f"{len(rises)} histories with repeated fact_ids: {yes(repaired)}",
    )
    found = Found(after_repair(not bad, repaired), says)
    assert smallest in (0, 3), "the stored counterexample has three writes"
    return found


@second("Prop5.write-path")
def write_path(id: str) -> Found:
    """Current rows of both modes."""

    def differ(pairs: Any) -> int:
        return sum([row for row in lifted.rows if row.kind == "current"] != base.rows for lifted, base in pairs)

    plain = differ(zip(every(), every("base"), strict=True)) + differ(_pairs(rising=True))
    odd_ones = differ(_pairs(rising=False))
    says = (f"each of {len(every())} histories", f"{odd_ones} of {len(repeated(rising=False))} histories")
    return Found("refuted" if plain else after_repair(not odd_ones, not plain), says)


@second("Prop5.verbatim")
def verbatim(id: str) -> Found:
    """The ids that a scan without a filter has, and with one."""
    bad = [ran for ran in every() if {r.id for r in ran.rows} != {r.id for r in ran.rows if r.kind == "current"}]
    assert min((len(ran.history) for ran in bad), default=0) in (0, 2), "the stored counterexample has two writes"
    return Found("refuted" if bad else "holds")


@second("Alg1.close")
def close(id: str) -> Found:
    """Rows of one id in two partitions, and in two periods."""
    first, last = Row("a", "x", (0, 1), 1, FREE.token("a")), Row("b", "y", (0, 1), 3, FREE.token("b"))
    says, exact = [], True
    for other, words in (
        (first._replace(start=2, subject="bob"), "in another partition"),
        (first._replace(start=2, valid=(1, 2)), "in another valid period"),
    ):
        table = run((first, other)).machine
        by_id = [row for row in table.believed() if row.id == "a"]
        table.write(last)
        exact &= [row.key for row in table.rows if row.end is not None] == [first.key]
        if len(by_id) > 1:
            says.append(f"by fact_id {len(by_id)} rows are closed, one of them {words}")
    return Found(after_repair(not says, exact), tuple(says))


@second("Alg1.strategy")
def strategy(id: str) -> Found:
    """Line 12 looks the strategy up: literally, and with a look-up in step 1, before anything is read."""

    def look_up(name: str) -> None:
        if name not in ("lww", "evi", "await", "rule"):
            raise Refused("unknown strategy")

    odd_one = Row("a", "x", (0, 2), 1, FREE.token("a"), strategy="newest")
    literal, repaired = Machine(known=look_up), Machine(known=look_up, first=True)
    refused = [table.write(odd_one).kind == "unknown strategy" and not table.rows for table in (literal, repaired)]
    # That line 12 does look it up is seen where it is reached.
    assert [literal.write(odd_one._replace(id="b", object="y", start=2)).kind] == ["unknown strategy"]
    return Found(after_repair(*refused), ("a = x, valid [0,2), at 1, conf 0.5, newest",))


#: The lines that commit, as printed.
COMMITS = {22}


@second("Alg1.commit")
def commit(id: str) -> Found:
    """Line 22 is the commit."""
    short = [ran for ran in every() if len(ran.history) < 3]
    without = [ran for ran in short if not COMMITS & set(ran.machine.lines)]
    there = all(ran.machine.believed() for ran in short)
    says = (f"({len(without)} of {len(short)} small histories end so)", f"after every return: {yes(there)}")
    return Found(all_of([not without, there]), says)


@second("Alg1.pin")
def pin(id: str) -> Found:
    """Lines that touch the table before line 12; and whether a level set first keeps two writers apart."""
    short = [ran for ran in every() if len(ran.history) < 3]
    early = any(
        set(ran.machine.lines[: ran.machine.lines.index(12)] if 12 in ran.machine.lines else ran.machine.lines)
        & {1, 7, 19, 21}
        for ran in short
    )
    race = races.found()
    first = race.left[0]
    says = (
        f"it is at RC: {yes(at(first, 'RC'))}, SI: {yes(at(first, 'SI'))}, SR: {yes(at(first, 'SR'))}; shows P3: "
        f"{yes(shows(first, 'P3'))}",
    )
    # Printed: no pin at all. Set first to SR: no race is there. Set first to the operator's own: there are races.
    return Found(all_of([not early, not any(at(text, "SR") for text in race.left)]), says)
