"""T2.*, W.N3*, Grid.schema and P1.load again: histories of typed operators through the machine, over own carriers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from itertools import product
from typing import Any

from .carriers import RINGS, SEEDS, Ring, small
from .composition_claims import OPERATORS
from .machine import Event, Machine, Row, beats
from .model import Found, after_repair, all_of, stored
from .oracles import at
from .registry import second

#: Valid periods in days, and the day on which system time begins.
SPANS, BEGIN = ((0, 2), (1, 3), (2, 4)), 1000
Move = tuple[str, bool, int]
History = tuple[Move, ...]


def histories(writes: int, spans: tuple[int, ...] = (0, 1, 2)) -> Iterator[History]:
    """The first write is plain; every later one has an operator, an outcome, and a period."""
    for first in spans:
        for rest in product(product(OPERATORS, (True, False), spans), repeat=writes - 1):
            yield (("lww", True, first), *rest)


@dataclass
class Ran:
    """The machine after a history, what operator steps consumed and when, and the times of the writes."""

    machine: Machine
    steps: list[tuple[Event, int]]
    times: list[int]


def play(
    history: History, ring: Ring, given: tuple[Any, ...], mode: str = "audit_row", *, stamped: bool = False
) -> Ran:
    """A history of facts with some annotations. What is to win is later, surer and elected; what is to lose is not."""
    election = [False]
    machine = Machine(ring=ring, mode=mode, stamped=stamped)
    machine.wins = lambda new, old: election[0] if new.strategy in ("await", "rule") else beats(new, old)
    steps, times = [], []
    for number, ((strategy, wins, span), annotation) in enumerate(zip(history, given, strict=True)):
        election[0] = wins
        sign = 1 if wins else -1
        fact = Row(
            f"f{number + 1}",
            "abc"[number],
            SPANS[span],
            BEGIN + sign * number,
            annotation,
            0.5 + sign * number / 10,
            strategy,
            "s",
        )
        now = BEGIN + number
        times.append(now)
        event = machine.write(fact, now)
        if event.kind == "resolved":
            steps.append((event, now))
    return Ran(machine, steps, times)


def tokens(ring: Ring, number: int) -> tuple[Any, ...]:
    """Fresh ones."""
    return tuple(ring.token(f"p{place + 1}") for place in range(number))


def nonzero(ring: Ring) -> list[Any]:
    """The first six small annotations that a fact may have."""
    return [element for element in small(ring) if element != ring.zero][:6]


# -- soundness ---------------------------------------------------------------------------------------------------------


def undominated(ran: Ran, ring: Ring, rows: list[Row] | None = None, days: Any = None) -> bool:
    """Whether some loser is not dominated at some of its days, at some time from its step on."""
    looked_at = [row for row in ran.machine.rows if row.kind == "audit"] if rows is None else rows
    for event, now in ran.steps:
        assert event.loser is not None and event.winner is not None
        for known in [*(time for time in ran.times if time >= now), ran.times[-1] + 1]:
            for day in event.loser.days if days is None else days(event):
                above = [
                    r for r in looked_at if day in r.days and r.start <= known and (r.end is None or known < r.end)
                ]
                if not any(ring.leq(event.loser.prov, row.prov) for row in above):
                    return True
    return False


@cache
def soundness(name: str) -> tuple[int, int, int]:
    """How many histories there are, how many losers, and how many histories that fail."""
    ring = RINGS[name]
    cases: list[tuple[History, tuple[Any, ...], bool]] = []
    for writes in (2, 3):
        spans = (0, 1, 2) if writes == 2 or name in SEEDS else (0,)
        cases += [(history, tokens(ring, writes), False) for history in histories(writes, spans)]
        cases += [(history, tokens(ring, writes), True) for history in histories(writes, (0,))]
    cases += [(history, pair, False) for history in histories(2, (0,)) for pair in product(nonzero(ring), repeat=2)]
    ran = [play(history, ring, given, stamped=stamped) for history, given, stamped in cases]
    return len(cases), sum(len(each.steps) for each in ran), sum(undominated(each, ring) for each in ran)


@second("T2.sound.*")
def sound(id: str) -> Found:
    """Every history in one carrier."""
    count, losers, failing = soundness(id.rpartition(".")[2])
    return Found("refuted" if failing else "holds", (f"in all {count} histories", f"each of the {losers} losers"))


@second("T2.sound")
def sound_everywhere(id: str) -> Found:
    """Every carrier."""
    found = {name: soundness(name) for name in RINGS}
    says = tuple(f"{name} {count}, {losers}" for name, (count, losers, _) in found.items())
    return Found("refuted" if any(failing for *_, failing in found.values()) else "holds", says)


def _both(event: Event) -> list[int]:
    assert event.loser is not None and event.winner is not None
    return [day for day in event.loser.days if day in event.winner.days]


def _retimed(ran: Ran, choice: str) -> list[Row]:
    """Audit rows with another valid period: of whom they are is known by their keys."""
    found = []
    for event, now in ran.steps:
        loser, winner = event.loser, event.winner
        assert loser is not None and winner is not None
        days = {
            "the loser's": set(loser.days),
            "the winner's": set(winner.days),
            "what both share": set(loser.days) & set(winner.days),
            "that of either": set(range(min(loser.valid[0], winner.valid[0]), max(loser.valid[1], winner.valid[1]))),
            "all of valid time": set(range(SPANS[0][0], SPANS[-1][1])),
        }[choice]
        (row,) = [r for r in ran.machine.rows if r.kind == "audit" and r.id == f"audit::{loser.id}::{now}"]
        found.append(row._replace(valid=(min(days), max(days) + 1)))
    return found


@second("T2.sound.reading")
def sound_readings(id: str) -> Found:
    """Five valid periods of audit rows, and current rows; at the loser's days, and at the days of both."""
    rings = [RINGS[name] for name in ("multilinear", "boolean")]
    ran = [(play(history, ring, tokens(ring, 2)), ring) for ring in rings for history in histories(2)]
    values, says = [], []
    for choice in ("the loser's", "the winner's", "what both share", "that of either", "all of valid time", "current"):
        for days, words in ((None, "at every instant of the loser"), (_both, "at every instant where both are valid")):
            current = choice == "current"
            fine = not any(
                undominated(
                    each,
                    ring,
                    [r for r in each.machine.rows if r.kind == "current"] if current else _retimed(each, choice),
                    days,
                )
                for each, ring in ran
            )
            values.append(fine)
            name = "current-kind rows (§2.1)" if current else f"audit rows whose valid period is {choice}"
            says.append(f"{name}, {words}: {str(fine).lower()}")
    return Found(all_of(values), (*says, f"true in {sum(values)} of {len(values)} readings"))


# -- tightness ---------------------------------------------------------------------------------------------------------

SURFACES = ("current rows", "current and closed rows", "audit rows")
INSTANTS = ("at no valid time", "at some valid time of the loser")


def erases(ran: Ran, ring: Ring, surface: str, instants: str) -> set[str]:
    """Which kinds of losers no row of a surface dominates at the end."""
    rows = ran.machine.believed()
    if surface != "current rows":
        rows = [row for row in ran.machine.rows if row.kind == ("audit" if surface == "audit rows" else "current")]
    kinds = set()
    for event, _ in ran.steps:
        loser = event.loser
        assert loser is not None
        above = [row for row in rows if ring.leq(loser.prov, row.prov)]
        covered = {day for row in above for day in row.days}
        if not above if instants == INSTANTS[0] else not set(loser.days) <= covered:
            kinds.add(
                "closed incumbents" if any(row.id == loser.id for row in ran.machine.rows) else "rejected newcomers"
            )
    return kinds


def erased_in(ring: Ring, surface: str, instants: str) -> bool:
    """Whether some history erases: of two writes with any two small annotations, or of three with fresh tokens."""
    annotated = [tokens(ring, 2), *product(nonzero(ring), repeat=2)]
    return any(
        erases(play(history, ring, given, "base"), ring, surface, instants)
        for history in histories(2)
        for given in annotated
    ) or any(erases(play(history, ring, tokens(ring, 3), "base"), ring, surface, instants) for history in histories(3))


@cache
def tightness(name: str) -> dict[tuple[str, str], bool]:
    """In each reading of one carrier whether some history erases a loser."""
    return {reading: erased_in(RINGS[name], *reading) for reading in product(SURFACES, INSTANTS)}


def _named(reading: tuple[str, str]) -> str:
    return ", ".join(reading)


@second("T2.tight.*")
def tight(id: str) -> Found:
    """Six readings in one carrier."""
    found = tightness(id.rpartition(".")[2])
    false = [reading for reading, true in found.items() if not true]
    says = (
        [f"in all {len(found)} readings"]
        if not false
        else [f"false in {len(false)} of {len(found)} readings", *map(_named, false)]
    )
    return Found(all_of(found.values()), tuple(says))


@second("T2.tight")
def tight_everywhere(id: str) -> Found:
    """Six readings in every carrier: 'parametric in K'."""
    found = {
        reading: [name for name in RINGS if not tightness(name)[reading]] for reading in product(SURFACES, INSTANTS)
    }
    always = [reading for reading, without in found.items() if not without]
    never = sorted({name for without in found.values() for name in without})
    says = (
        f"in {len(always)} of {len(found)} readings",
        *map(_named, always),
        f"false in {', '.join(never)} in the other",
    )
    return Found(all_of(not without for without in found.values()), says)


@second("T2.tight.reading")
def tight_readings(id: str) -> Found:
    """Also with stamped incumbents: which kinds of losers are erased."""
    values, says = [], []
    for surface, instants, stamped in product(SURFACES, INSTANTS, (False, True)):
        kinds = {}
        for name in ("multilinear", "boolean"):
            ring = RINGS[name]
            ran = [
                play(history, ring, given, "base", stamped=stamped)
                for history in histories(2)
                for given in (tokens(ring, 2), tokens(ring, 2)[::-1])
            ]
            kinds[name] = sorted(set().union(*(erases(each, ring, surface, instants) for each in ran)))
        values.append(all(kinds.values()))
        words = [f"{name} erases {' and '.join(found) or 'nothing'}" for name, found in kinds.items()]
        says.append(f"incumbents that win {'stamped' if stamped else 'untouched'}: {', '.join(words)}")
    return Found(all_of(values), (*says, f"{sum(values)} of {len(values)} readings"))


# -- the printed witness, the grid, the maps ---------------------------------------------------------------------------

PRINTED = "w1[x@a prov p_a] c1 w2[x@b prov p_b] c2 r3[x@b] c3"


def shown_by(ring: Ring) -> tuple[bool, bool, bool]:
    """Whether p_a ⪯̸ p_b: with fresh tokens; with some annotations other than 0; with any."""
    if not at(PRINTED, "RC"):
        return False, False, False
    fresh = not ring.leq(ring.token("p_a"), ring.token("p_b"))
    other = fresh or any(not ring.leq(a, b) for a, b in product(nonzero(ring), repeat=2))
    return fresh, other, other or not ring.leq(ring.one, ring.zero)


@second("W.N3.*")
def witness(id: str) -> Found:
    """One carrier: literally, repaired, or only with 0."""
    fresh, other, any_ = shown_by(RINGS[id.rpartition(".")[2]])
    verdict = after_repair(fresh, other) if other else "depends" if any_ else "refuted"
    return Found(verdict, (f"p_a {'⪯̸' if fresh else '⪯'} p_b with fresh tokens",))


@second("W.N3")
def witness_everywhere(id: str) -> Found:
    """All carriers, for three choices of annotations."""
    found = {name: shown_by(ring) for name, ring in RINGS.items()}
    without = [{name for name, shown in found.items() if not shown[choice]} for choice in range(3)]
    said = stored()[id].detail.split("with fresh tokens false in ")[1].split(", where")[0]
    says = [f"{name}: with fresh tokens" for name in without[0]]
    says += [] if set(said.split(", ")) == without[0] else [f"with fresh tokens false in {sorted(without[0])}"]
    says.append(f"other than 0 false in {', '.join(sorted(without[1]))}")
    return Found(all_of(not names for names in without), tuple(says))


def schema_cell(ring: Ring, mode: str, surface: str) -> tuple[int, int]:
    """How many histories of two writes show N3, of how many; the annotations either way round."""
    pairs = [tokens(ring, 2), *product(nonzero(ring), repeat=2)]
    pair = next((p for p in pairs if not ring.leq(*p)), pairs[0])
    ran = [play(history, ring, given, mode) for history in histories(2, (0,)) for given in (pair, pair[::-1])]
    return sum(bool(erases(each, ring, surface, INSTANTS[0])) for each in ran), len(ran)


def serial(history: History) -> str:
    """Its schedule: one transaction a write, one after another."""
    text, last = "r1[x0] w1[x1] c1", 1
    for number, (strategy, wins, _) in enumerate(history[1:], 2):
        called = f"cb{number}(R, h, {int(wins)}) " if strategy == "await" else ""
        written = f"w{number}[x{number} by {strategy}] " if wins else ""
        text += f" r{number}[x{last}] {called}{written}c{number}"
        last = number if wins else last
    return text


@second("Grid.schema")
def schema_grid(id: str) -> Found:
    """Both schemas and both surfaces; levels by the oracle, all of them at once: SR+cb is above the six."""
    assert all(at(serial(history), "SR+cb") for history in histories(2, (0,)))
    base = {name: schema_cell(ring, "base", "current rows") for name, ring in RINGS.items()}
    audits = {name: schema_cell(ring, "audit_row", "audit rows") for name, ring in RINGS.items()}
    tuples = {name: schema_cell(ring, "base", "audit rows") for name, ring in RINGS.items()}
    clean = not any(bad for bad, _ in audits.values())
    wrong = sorted(name for name, (bad, _) in base.items() if not bad)
    says = []
    for name in (*wrong, "multilinear"):
        for level in ("RC", "SI", "SR", "RC+cb", "SI+cb", "SR+cb"):
            says.append(f"{name}: {level}, base: {base[name][0]} of {base[name][1]} histories show N3")
            says.append(f"{name}: {level}, audit-row: {audits[name][0]} of {audits[name][1]} histories show N3")
    return Found(
        all_of([clean and not wrong, clean and all(bad == n for bad, n in tuples.values())]),
        (*says, f"not in {', '.join(wrong)}. "),
    )


def image(target: Ring, element: Any) -> Any:
    """Where a polynomial goes when its tokens go to tokens."""
    terms = [ring_power(target, monomial, number) for monomial, number in element]
    return target.total(terms)


def ring_power(target: Ring, monomial: Any, number: int) -> Any:
    """number · ∏ tokenᵉ."""
    factors = [target.token(name) for name, power in monomial for _ in range(power)]
    return target.total([reduce(target.times, factors, target.one)] * number)


@second("P1.load")
def load(id: str) -> Found:
    """Maps between the seed's carriers: whether ⪯ is kept, and whether the bit is, under both schemas."""
    maps = [
        (RINGS[a], RINGS[b])
        for a, b in (
            ("multidegree", "multilinear"),
            ("multilinear", "multilinear-collapsed"),
            ("multilinear", "boolean"),
        )
    ]
    kept = {"audit-row": True, "base": True}
    equivariant = True
    for source, target in maps:
        elements = small(source)
        equivariant &= all(
            target.leq(image(target, a), image(target, b)) for a, b in product(elements, repeat=2) if source.leq(a, b)
        )
        for pair, history in product(product(nonzero(source), repeat=2), histories(2, (0,))):
            there = tuple(image(target, element) for element in pair)
            for schema, mode, surface in (("audit-row", "audit_row", "audit rows"), ("base", "base", "current rows")):
                here = erases(play(history, source, pair, mode), source, surface, INSTANTS[0])
                gone = erases(play(history, target, there, mode), target, surface, INSTANTS[0])
                kept[schema] &= bool(here) == bool(gone)
    says = [
        f"{schema}: the bit is {'the same' if same else 'not the same'} in the image" for schema, same in kept.items()
    ]
    return Found("refuted" if not equivariant else all_of(kept.values()), tuple(says))
