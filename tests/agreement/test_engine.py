"""The engine and the family `engine`: over all small programs, what the store does is what the levels say.

Sound: every schedule of the engine at a level has that level of `engine`, and the one of `graph`. Exact: every schedule
of the programs, with every interleaving and every choice of versions read, that has the engine's level is one that the
engine makes. And the schedules of a *graph* level that it does not make fall into the named classes of `GAPS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import pytest
from design_programs import Word, Words, emitted, form, pairs, programs_of, schedules_of
from engine_gaps import FALSE_POSITIVE, GAPS, NO_ROW
from oracle import Facts

from toki_verify.designs import engine, statements, waiting
from toki_verify.designs.machine import Record
from toki_verify.designs.statements import Statements
from toki_verify.events import Read, Schedule
from toki_verify.levels import families, parse_spec
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula

#: The level of the store, and the level of `graph` that its schedules have.
GRAPH = {"RU": "RU", "RC": "RC", "SI": "SI", "SR": "SR", "2PL": "SR"}
SPECS = [f"engine:{level}" for level in GRAPH] + [f"graph:{level}" for level in sorted(set(GRAPH.values()))]
FORMULAS = {spec: parse_spec(spec).formula for spec in SPECS}
ITEMS: list[Word] = [("read", "x"), ("read", "y"), ("write", "x"), ("write", "y")]
ROWS: list[Word] = [("read", "x"), ("write", "x"), ("select",), ("insert", "k"), ("delete", "x")]
ALL: list[Word] = [*ITEMS, ("select",), ("insert", "k"), ("delete", "x"), ("delete", "y")]


# -- the comparison ----------------------------------------------------------------------------------------------------


@dataclass
class Compared:
    """What was compared. `met` counts by level: schedules made, those left out by class, and those that only differ
    from one that is made in the order of ends with nothing between."""

    formulas: Mapping[str, Formula] = field(default_factory=lambda: FORMULAS)
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def programs(self, programs: Sequence[Words]) -> None:
        """Compare the engine with the levels over all schedules of some programs."""
        known: dict[tuple[Record, ...], Schedule] = {}
        holds: dict[Form, dict[str, bool]] = {}
        made: dict[str, set[Form]] = {}
        for level, graph in GRAPH.items():
            made[level] = set()
            for schedule in emitted(programs, level, known):
                shape = form(schedule)
                if shape not in holds:
                    holds[shape] = self._answers(schedule)
                made[level].add(shape)
                for spec in (f"engine:{level}", f"graph:{graph}"):
                    if not holds[shape][spec]:
                        self.wrong.append(f"made at {level}, and not {spec}: {schedule}")
        near = {level: {without_end_order(shape) for shape in shapes} for level, shapes in made.items()}
        for schedule in schedules_of(programs):
            shape, facts = form(schedule), Facts(schedule)
            found = holds.get(shape) or self._answers(schedule)
            for level, graph in GRAPH.items():
                if found[f"graph:{graph}"] or found[f"engine:{level}"]:
                    reached = shape in made[level]
                    nearly = reached or without_end_order(shape) in near[level]
                    self._reached(schedule, facts, level, reached, nearly, found[f"engine:{level}"])

    def _reached(self, schedule: Schedule, f: Facts, level: str, reached: bool, nearly: bool, right: bool) -> None:
        classes = [name for name, gap in GAPS[level].items() if gap(f)]
        if right and not nearly and NO_ROW not in classes:
            self.wrong.append(f"engine:{level}, and not made: {schedule}")
        if bool(classes) is reached:
            self.wrong.append(
                f"at {level} {'made' if reached else 'not made'}, and in the classes {classes}: {schedule}"
            )
        if right and nearly and not reached:
            self.met[level, "other ends"] += 1
        for name in classes or ["made"]:
            self.met[level, name] += 1

    def _answers(self, schedule: Schedule) -> dict[str, bool]:
        concrete = Concrete(schedule)
        return {spec: concrete.holds(formula) for spec, formula in self.formulas.items()}


Form = tuple[object, ...]


def without_end_order(shape: Form) -> Form:
    """With ends that have nothing between them in one order: which of them comes first is no relation of accesses."""
    found: list[object] = []
    ends: list[object] = []
    for event in (*shape, None):
        if event is not None and event[0] in ("Commit", "Abort"):  # type: ignore[index]
            ends.append(event)
        else:
            found += [*sorted(ends, key=repr), event]
            ends = []
    return tuple(found)


def compare(all_programs: Iterable[Sequence[Words]], formulas: Mapping[str, Formula] = FORMULAS) -> Compared:
    found = Compared(formulas)
    for programs in all_programs:
        found.programs(programs)
    return found


def few(programs: list[Words]) -> list[Words]:
    """Those with at most one predicate read, insert and delete."""
    once = ("select", "insert", "delete")
    return [words for words in programs if all(sum(word[0] == name for word in words) <= 1 for name in once)]


def agreed(found: Compared, *classes: tuple[str, str]) -> None:
    """Nothing is wrong, at every level schedules are made, and these classes were met."""
    assert found.wrong == [], found.wrong[:10]
    assert [level for level in GRAPH if not found.met[level, "made"]] == []
    assert [met for met in classes if not found.met[met]] == []


OF_ITEMS = [(level, name) for level, gaps in GAPS.items() for name in gaps if name not in (NO_ROW, FALSE_POSITIVE)]
OF_ROWS = [(level, name) for level, gaps in GAPS.items() for name in gaps if name != FALSE_POSITIVE]


def test_pairs_of_three_and_two_operations_over_items() -> None:
    agreed(compare(pairs(programs_of(ITEMS, 2), programs_of(ITEMS, 1))), *OF_ITEMS)


def test_pairs_of_three_operations_over_items() -> None:
    programs = programs_of(ITEMS, 2, ("commit",))
    found = compare(pairs(programs, programs))
    agreed(found, *OF_ITEMS)
    assert not any(name == "other ends" for _, name in found.met)


def test_pairs_of_three_and_two_operations_over_rows() -> None:
    agreed(compare(pairs(few(programs_of(ROWS, 2, ("commit",))), programs_of(ROWS, 1))), *OF_ROWS)


@pytest.mark.heavy
@pytest.mark.parametrize("words", [ITEMS, ROWS, ALL], ids=["items", "rows", "all"])
def test_every_pair_of_three_operations(words: list[Word]) -> None:
    programs = programs_of(words, 2)
    agreed(compare(pairs(programs, programs)), *(OF_ITEMS if words is ITEMS else OF_ROWS))


@pytest.mark.heavy
@pytest.mark.parametrize("share", range(8))
@pytest.mark.parametrize("words", [ITEMS, ROWS], ids=["items", "rows"])
def test_every_pair_of_four_operations(words: list[Word], share: int) -> None:
    """Complete over the two items, and over the rows of one item and a new one (programs with at most one predicate
    read, insert and delete each)."""
    programs = few(programs_of(words, 3))
    agreed(compare(pairs(programs, programs)[share::8]), *(OF_ITEMS if words is ITEMS else OF_ROWS))


@pytest.mark.heavy
def test_pairs_of_four_operations_of_all_kinds() -> None:
    """Drawn: all of them are 200,000 pairs."""
    programs = few(programs_of(ALL, 3))
    draw = Random(6)
    agreed(compare((draw.choice(programs), draw.choice(programs)) for _ in range(3_000)), *OF_ROWS)


# -- three transactions: what SSI refuses ------------------------------------------------------------------------------
READS_X, READS_Y, END = ("read", "x"), ("read", "y"), ("commit",)
PIVOT: Words = (READS_Y, ("write", "x"), END)
OUT: Words = (("write", "y"), END)


@pytest.mark.parametrize("first", [(READS_X, END), (READS_X, ("insert", "k"), END)], ids=["reads", "writes"])
def test_the_dangerous_structure(first: Words) -> None:
    """T1 -rw-> T2 -rw-> T3: refused where T3 commits first and T1 writes, or began after that. Where only ends lie
    between the commits, accesses do not tell their order: the level holds, and one of the orders is made."""
    found = compare([(first, PIVOT, OUT)])
    agreed(found, ("SR", FALSE_POSITIVE))
    assert bool(found.met["SR", "other ends"]) is (len(first) > 2)


def test_the_read_only_anomaly_is_refused() -> None:
    """Fekete, O'Neil and O'Neil 2004: no serial order exists, so this is no false positive."""
    text = "r2[x0] r2[y0] w3[y1] c3 r1[x0] r1[y1] c1 w2[x1] c2"
    concrete = Concrete(Schedule.parse(text))
    assert concrete.holds(FORMULAS["engine:SI"]) and not concrete.holds(FORMULAS["engine:SR"])
    programs = ((READS_X, READS_Y, END), (READS_X, READS_Y, ("write", "x"), END), OUT)
    forms = {level: {form(made) for made in emitted(programs, level, {})} for level in ("SI", "SR")}
    anomaly = form(Schedule.parse(text))
    assert anomaly in forms["SI"] and anomaly not in forms["SR"]


# -- where the snapshot is taken ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["SI", "SR"])
def test_the_snapshot_is_that_of_the_first_read_or_write(level: str) -> None:
    """Not that of a judge call before it; and a predicate read that finds no row takes it, and leaves no access."""
    formula, writes = FORMULAS[f"engine:{level}"], (("write", "x"), END)
    for first, seen in (("judge", "1"), ("callback", "1"), ("search", "0")):
        made = emitted((((first,), READS_X, END), writes), level, {})
        between = [one for one in made if [event.txn for event in one.events] == ["1", "2", "2", "1", "1"]]
        read = [event.version for one in between for event in one.events if isinstance(event, Read)]
        assert read and set(read) == {seen}, first
        assert all(Concrete(one).holds(formula) for one in made)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("r1[z0] w2[x1] c2 r1[x0] c1", True),
        ("r1[z0] w2[x1] c2 r1[x1] c1", False),
        ("b1 w2[x1] c2 r1[x1] c1", True),
        ("b1 w2[x1] c2 r1[x0] c1", True),
        ("j1(R, t)=0 w2[x1] c2 w3[y1] c3 r1[x0] r1[y0] c1", True),
        ("j1(R, t)=0 w2[x1] c2 w3[y1] c3 r1[x1] r1[y0] c1", True),
        ("j1(R, t)=0 w2[x1] c2 w3[y1] c3 r1[x0] r1[y1] c1", False),
        ("j1(R, t)=0 w2[x1 y1] c2 r1[x0] r1[y1] c1", False),
        ("w2[x1] c2 j1(R, t)=0 r1[x0] c1", False),
        ("w1[x1] c1 w2[x2] c2 order x: 2 1", False),
    ],
)
def test_what_the_formula_of_si_takes_for_the_snapshot(text: str, holds: bool) -> None:
    """One point, and between a first event that is no access and the first read or write any point at which no other
    transaction has acted since a commit that it misses."""
    text = text.replace("w2[x1 y1]", "w2[x1] w2[y1]").replace(" order", "\norder")
    assert Concrete(Schedule.parse(text)).holds(FORMULAS["engine:SI"]) is holds


# -- more operations: sound --------------------------------------------------------------------------------------------
WIDE: list[Word] = [
    *ALL,
    *[(name, key) for name in ("leave", "expect", "drop", "count", "absent") for key in ("x", "k")],
    *[(name,) for name in ("top", "search", "judge", "callback")],
    ("fresh", "p"),
    ("fresh", "q"),
    ("value", "0"),
]


def sound(seeds: Iterable[int], writers: int, size: int) -> tuple[list[str], int]:
    """What the engine makes of random programs and is not at the level it should be at; and of how many schedules."""
    wrong, number = [], 0
    for seed in seeds:
        draw = Random(seed)
        programs = [tuple(draw.choices(WIDE, k=draw.randint(1, size))) for _ in range(writers)]
        known: dict[tuple[Record, ...], Schedule] = {}
        for level, graph in GRAPH.items():
            for schedule in emitted(programs, level, known):
                concrete = Concrete(schedule)
                number += 1
                wrong += [
                    f"seed {seed}, {level}: not {spec}: {schedule}"
                    for spec in (f"engine:{level}", f"graph:{graph}")
                    if not concrete.holds(FORMULAS[spec])
                ]
    return wrong, number


def test_programs_of_all_operations_are_at_their_level() -> None:
    wrong, number = sound(range(30), 2, 3)
    assert wrong == [] and number > 1_000


@pytest.mark.heavy
@pytest.mark.parametrize(("writers", "size"), [(2, 5), (3, 2)])
def test_larger_programs_of_all_operations_are_at_their_level(writers: int, size: int) -> None:
    wrong, number = sound(range(1_000, 1_400), writers, size)
    assert wrong == [] and number > 40_000


# -- the suite can fail ------------------------------------------------------------------------------------------------
SKEW = [((READS_X, ("write", "y"), END), (READS_Y, ("write", "x"), END))]
FIRST_WINS = [((READS_X, ("write", "x"), END), (("write", "x"), END))]
BLIND = [((READS_Y, ("write", "x"), END), (("write", "x"), END))]
REREAD = [((READS_X, READS_X, END), (("write", "x"), END))]
PHANTOM = [((("select",), ("select",), END), (("insert", "k"), END))]
LEVELS = {level.id: level.formula for level in families()["engine"].levels}


@pytest.mark.parametrize(
    ("level", "formula", "programs"),
    [
        ("RU", "graph:RU", REREAD),
        ("RC", "graph:RC", REREAD),
        ("RC", "graph:RC", PHANTOM),
        ("SI", "graph:SI", BLIND),
        ("SI", "graph:SI", PHANTOM),
        ("SI", "engine:RC", REREAD),
        ("SI", "engine:SR", SKEW),
        ("SR", "engine:SI", SKEW),
        ("2PL", "engine:RC", SKEW),
        ("2PL", "graph:SR", PHANTOM),
    ],
)
def test_a_level_with_another_formula_is_noticed(level: str, formula: str, programs: list[tuple[Words, ...]]) -> None:
    assert compare(programs).wrong == []
    assert compare(programs, {**FORMULAS, f"engine:{level}": FORMULAS[formula]}).wrong


#: What is put in the place of a part of the store; where; over which programs it shows.
MUTANTS: dict[str, tuple[list[object], str, object, list[tuple[Words, ...]]]] = {
    "the second updater wins too": ([statements, waiting], "newer", lambda store, place, txn: False, FIRST_WINS),
    "the second updater never wins": ([statements, waiting], "newer", lambda store, place, txn: True, FIRST_WINS),
    "SSI refuses nothing": ([engine], "refuses", lambda store, txn: False, SKEW),
    "SSI refuses every writer": ([engine], "refuses", lambda store, txn: bool(txn.wrote), SKEW),
    "no snapshot": ([Statements], "_snapshot", lambda self, machine, txn, level, footprint: txn, REREAD),
    "no locks": ([waiting], "holders", lambda *arguments: (), REREAD),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_another_store_is_noticed(monkeypatch: pytest.MonkeyPatch, mutant: str) -> None:
    places, name, instead, programs = MUTANTS[mutant]
    for place in places:
        monkeypatch.setattr(place, name, instead)
    assert compare(programs).wrong
