"""Reading 2 against reading 1: what the circuit says of a model is what the concrete reading says of its schedule.

And the search against generate-and-test: the same schedules up to renaming, none missing, none twice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

pytest.importorskip("z3")
pytest.importorskip("pysat")

from toki_verify.bridge.pullback import pulled
from toki_verify.events import PredicateRead, Schedule, Write
from toki_verify.levels import families, parse_spec
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.axioms import AXIOMS
from toki_verify.relations.bounded import Bounded
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Formula, Region, Within
from toki_verify.relations.symbolic import Symbolic
from toki_verify.search.census import Alphabet, census
from toki_verify.search.decode import decode, tidy
from toki_verify.search.features import Features, Frame, frames
from toki_verify.search.frames import FrameCircuit
from toki_verify.search.model import FrameModel
from toki_verify.search.sat import CadicalSolver

REGIONS = frozenset({Region(table="judge_log"), Region(table="facts"), Region(partition=("a", "b"))})
EVERYTHING = Features(predicates=2, begins=True, unfinished=True)


def formulas() -> dict[str, Formula]:
    """Every phenomenon, what leaves it undecided, every level, pinned levels, phenomena within regions, the axioms."""
    found = {p.id: p.formula for p in catalogue().values()}
    found |= {f"{p.id}?": p.undecided for p in catalogue().values() if p.undecided is not None}
    found |= {f"{family.id}:{level.id}": level.formula for family in families().values() for level in family.levels}
    for spec in ("SR@judge_log", "SI@partition(a,b)", "RC@facts", "adya:PL-3@judge_log"):
        found[spec] = parse_spec(spec).formula
    for name in ("N2", "N2[lifted]", "N2[printed]", "P4", "P3"):
        found[f"{name} within"] = Within(catalogue()[name].formula, Region(table="judge_log"))
    found["P2 in the image"] = pulled(catalogue()["P2"].formula)
    found |= {axiom.name: axiom.formula for axiom in AXIOMS}
    return found


class Models:
    """Random models of a frame, pushed towards a formula or its opposite."""

    def __init__(self, frame: Frame, items: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.formulas = formulas()
        self.frame = FrameCircuit(frame, items, EVERYTHING, REGIONS)
        reading = Symbolic(Bounded(self.frame.unknown))
        self.roots = {name: reading.holds(formula) for name, formula in self.formulas.items()}
        self.inputs = [2 * node for node, gate in enumerate(self.frame.circuit.gates) if gate is None and node]
        kept = [root for root in (*self.roots.values(), *self.inputs) if root > 1]
        clauses, self.number = self.frame.circuit.clauses(self.frame.rules, kept)
        self.solver = CadicalSolver(clauses, len(self.number))

    def _assumption(self, literal: int, wanted: bool) -> list[int]:
        variable = self.number[literal >> 1] * (-1 if literal & 1 else 1)
        return [variable if wanted else -variable]

    def draw(self, name: str, wanted: bool) -> tuple[Schedule, dict[str, bool]] | None:
        """A schedule of the frame in which the formula is so, and what the circuit says of it; None: there is none."""
        root = self.roots[name]
        if root < 2:
            return None
        assumed = self._assumption(root, wanted)
        if not self.solver.solve(assumed):
            return None
        for literal in self.random.sample(self.inputs, min(len(self.inputs), 6)):
            more = [*assumed, *self._assumption(literal, self.random.random() < 0.5)]
            if self.solver.solve(more):
                assumed = more
        assert self.solver.solve(assumed)
        values = self.frame.circuit.values(lambda node: self.solver.value(self.number[node]))

        def holds(literal: int) -> bool:
            if literal >> 1 >= len(values):
                self.frame.circuit.evaluate(values)
            return values[literal >> 1] != bool(literal & 1)

        schedule = decode(self.frame, holds)
        return schedule, {name: holds(root) for name, root in self.roots.items()}


FRAMES = [
    Frame((3, 2), (True, True)),
    Frame((3, 3), (True, True)),
    Frame((4, 3), (True, False)),
    Frame((5, 2, 1), (True, True, False)),
    Frame((4, 3, 2), (True, True, True)),
]


def disagreements(frame: Frame, every: int) -> tuple[list[tuple[str, str]], int]:
    """Formulas of which the circuit and the concrete reading say different things, and how many models were tried;
    models are pushed towards every so-manieth formula."""
    models = Models(frame, 2, seed=len(frame.sizes))
    wrong: list[tuple[str, str]] = []
    tried = 0
    for name in list(models.formulas)[::every]:
        for wanted in (True, False):
            drawn = models.draw(name, wanted)
            if drawn is not None:
                schedule, said = drawn
                concrete = Concrete(schedule)
                tried += 1
                wrong += [
                    (other, repr(schedule))
                    for other, formula in models.formulas.items()
                    if concrete.holds(formula) != said[other]
                ]
    return wrong, tried


@pytest.mark.parametrize("frame", FRAMES[:3], ids=str)
def test_the_circuit_says_what_the_concrete_reading_says(frame: Frame) -> None:
    wrong, tried = disagreements(frame, 6)
    assert not wrong
    assert tried > 20


@pytest.mark.heavy
@pytest.mark.parametrize("frame", FRAMES, ids=str)
def test_the_circuit_says_what_the_concrete_reading_says_at_length(frame: Frame) -> None:
    wrong, tried = disagreements(frame, 1)
    assert not wrong
    assert tried > 150


def test_every_phenomenon_is_seen_true_and_false_in_some_frame() -> None:
    """The agreement above is not vacuous: the models show each phenomenon and its absence."""
    shown: set[tuple[str, bool]] = set()
    for frame in (*FRAMES, Frame((3, 3, 2, 2), (True,) * 4)):
        models = Models(frame, 2, seed=7)
        for name in catalogue():
            for wanted in (True, False):
                if (name, wanted) not in shown and models.draw(name, wanted):
                    shown.add((name, wanted))
    missing = [(name, wanted) for name in catalogue() for wanted in (True, False) if (name, wanted) not in shown]
    assert not missing


PLAIN = Features(
    orders=False,
    predicates=0,
    partial=False,
    keys=0,
    votes=0,
    unknown_votes=False,
    callbacks=False,
    partitions=False,
    sessions=False,
    erasure=False,
)


def enumerated(size: int, alphabet: Alphabet) -> Iterator[Schedule]:
    return (schedule for schedule in census(size, alphabet, complete=True) if len(schedule) == size)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_models_are_the_schedules_that_generate_and_test_finds(size: int) -> None:
    """The same texts, each once: symmetry breaking loses nothing and leaves no schedule twice."""
    everything = catalogue()["P0"].formula | ~catalogue()["P0"].formula
    found: list[str] = []
    for transactions in range(1, size // 2 + 1):
        for frame in frames(size, transactions):
            model = FrameModel(frame, 2, PLAIN, everything, solver="cadical")
            found += [str(schedule) for schedule in model.models() if schedule is not None]
    expected = [str(schedule) for schedule in enumerated(size, Alphabet(transactions=3, items=2))]
    assert sorted(found) == sorted(expected)
    assert len(set(found)) == len(found)


def test_models_with_predicates_judges_and_orders_are_each_made_once() -> None:
    """The frame leaves no schedule of four events out and makes none twice, whatever its features."""
    everything = catalogue()["P0"].formula | ~catalogue()["P0"].formula
    features = Features(partial=False, callbacks=False, partitions=False, sessions=False, keys=1, erasure=False)
    found: list[str] = []
    for frame in (Frame((2, 2), (True, True)), Frame((4,), (True,))):
        model = FrameModel(frame, 2, features, everything, solver="cadical")
        found += [text_of(schedule) for schedule in model.models() if schedule is not None]
    assert len(set(found)) == len(found)
    alphabet = Alphabet(transactions=2, items=2, predicates=True, unmatched=True, judges=True)
    expected = set()
    for schedule in census(4, alphabet, complete=True, orders=True):
        sizes = sorted(sum(event.txn == txn for event in schedule) for txn in schedule.resolved.txns)
        # A predicate that no read names could be left out: the search does.
        read = any(isinstance(event, PredicateRead) for event in schedule)
        named = any(isinstance(event, Write) and event.predicates for event in schedule)
        if sizes in ([2, 2], [4]) and (read or not named):
            expected.add(text_of(tidy(schedule)))
    assert expected <= set(found)
    assert len(expected) > 1000


def text_of(schedule: Schedule) -> str:
    """Events, stated orders and `init` lines."""
    return f"{schedule} {dict(schedule.order)} {dict(schedule.init)}"
