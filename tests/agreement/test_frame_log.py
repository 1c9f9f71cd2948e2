"""Which calls of an unknown schedule fill: `search/frame_log.py` against the scan, and broken variants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("z3")
pytest.importorskip("pysat")

from tests.agreement import test_bounded
from tests.agreement.test_bounded import Models
from toki_verify.bridge.pullback import pulled
from toki_verify.claims.lemma_1_questions import COMMIT, N1, P2_ON_LOG, PLAIN, RETURN
from toki_verify.events import Abort, Schedule
from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations import base
from toki_verify.relations.axioms import AXIOMS
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import log_from, log_seen
from toki_verify.relations.formulas import Formula, some
from toki_verify.relations.judge_log import log_rows
from toki_verify.search import frame_log
from toki_verify.search.features import Features, Frame
from toki_verify.search.frames import FrameCircuit
from toki_verify.search.model import FrameModel, Wrong

FRAMES = [Frame((3, 3), (True, True)), Frame((2, 2, 2), (True, True, True)), Frame((5, 2), (True, True))]
#: A fill, and one behind it at its key.
_behind = base.log_fill >> (base.before & base.same_key) >> base.log_fill


def formulas() -> dict[str, Formula]:
    """What speaks of fills."""
    found = {axiom.name: axiom.formula for axiom in AXIOMS if axiom.name.startswith("log")}
    found |= {"RETURN": RETURN, "COMMIT": COMMIT, "PLAIN": PLAIN, "P2 on the log": P2_ON_LOG, "N1": N1}
    found |= {"a call reads": some(log_from), "a row is overruled": some(log_seen - log_from)}
    found |= {"a fill behind a fill": some(_behind), "one at an equal vote": some(_behind - base.other_vote)}
    found |= {"own row": some(log_from & base.same_txn), "another's row": some(log_from - base.same_txn)}
    found |= {f"{name} in the image": pulled(catalogue()[name].formula) for name in ("P1", "P2", "P4")}
    return found | {"SI in the image": pulled(parse_spec("SI").formula)}


def drawn(frame: Frame, seed: int = 0) -> list[tuple[Schedule, dict[str, bool]]]:
    """Models of a frame, pushed towards every formula and its opposite, with what the circuit says of each."""
    models = Models(frame, 1, seed)
    found = [models.draw(name, wanted) for _ in range(3) for name in models.formulas for wanted in (True, False)]
    return [pair for pair in found if pair is not None]


def disagreements(found: list[tuple[Schedule, dict[str, bool]]]) -> set[str]:
    """The formulas of which the circuit says something else than the concrete reading."""
    wrong = set()
    for schedule, said in found:
        concrete = Concrete(schedule)
        wrong |= {name for name, formula in formulas().items() if concrete.holds(formula) != said[name]}
    return wrong


@pytest.fixture(autouse=True)
def _only_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_bounded, "formulas", formulas)


@pytest.mark.parametrize("frame", FRAMES, ids=str)
def test_circuit_and_scan_agree(frame: Frame) -> None:
    found = drawn(frame)
    assert len(found) > 50 and disagreements(found) == set()
    rows = [log_rows(schedule) for schedule, _ in found]
    assert any(row is not None for of in rows for row in of.values())
    # The models have what the rule speaks of: rows rolled back before another call, several fills.
    assert any(isinstance(event, Abort) for schedule, _ in found for event in schedule.events[:-1])
    assert any(sum(row is None for row in of.values()) > 2 for of in rows)


#: Calls at one key and accesses to an item, nothing else.
CALLS = Features(
    orders=False,
    predicates=0,
    partial=False,
    keys=1,
    unknown_votes=False,
    callbacks=False,
    partitions=False,
    sessions=False,
    erasure=False,
)


def models(frame: Frame, formula: Formula, features: Features) -> list[Schedule]:
    """The schedules of a frame that satisfy a formula. Raises Wrong."""
    model = FrameModel(frame, 1, features, formula, solver="cadical")
    return [schedule for schedule in model.models() if schedule is not None]


def test_fills_are_no_choice() -> None:
    """With the log required there are the models that there are without, each once."""
    anything = some(base.log_fill) | ~some(base.log_fill)
    texts = [
        [str(schedule) for schedule in models(Frame((2, 2), (True, True)), anything, replace(CALLS, judge_log=log))]
        for log in (True, False)
    ]
    assert sorted(texts[0]) == sorted(texts[1])
    assert len(set(texts[0])) == len(texts[0]) > 50
    assert any("j2(" in text for text in texts[0])


# -- mutants -----------------------------------------------------------------------------------------------------------
def _outlives(frame: FrameCircuit, row: int, slot: int) -> int:
    unknown, circuit = frame.unknown, frame.circuit
    same = unknown.same(unknown.key[row], unknown.key[slot])
    return circuit.all((unknown.log_fill[row], unknown.before[row][slot], same))


def _any_key(frame: FrameCircuit, row: int, slot: int) -> int:
    unknown, circuit = frame.unknown, frame.circuit
    dead = circuit.both(unknown.aborted[unknown.txn_of[row]], unknown.end_before[unknown.txn_of[row]][slot])
    return circuit.all((unknown.log_fill[row], unknown.before[row][slot], circuit.negate(dead)))


def _from_calls(frame: FrameCircuit, row: int, slot: int) -> int:
    unknown, circuit = frame.unknown, frame.circuit
    dead = circuit.both(unknown.aborted[unknown.txn_of[row]], unknown.end_before[unknown.txn_of[row]][slot])
    same = unknown.same(unknown.key[row], unknown.key[slot])
    return circuit.all((unknown.judge[row], unknown.before[row][slot], same, circuit.negate(dead)))


MUTANTS: dict[str, tuple[str, Callable[..., int]]] = {
    "rows outlive their transactions": ("_alive", _outlives),
    "rows are no one's own": ("_own", lambda frame, one, other: False),
    "rows of every key": ("_alive", _any_key),
    "every call leaves a row": ("_alive", _from_calls),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_rule_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_log, *MUTANTS[name])
    assert any(disagreements(drawn(frame)) for frame in FRAMES)


def test_without_a_rule_the_search_refuses_its_own_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose schedule is not what was sought is not returned as one."""
    sought = some(_behind - base.other_vote)  # two calls, one vote: the other one reads
    frame = Frame((3,), (True,))
    assert models(frame, sought, CALLS) == []
    assert models(frame, some(_behind), CALLS)
    monkeypatch.setattr(frame_log, "_alive", lambda *_: 0)
    with pytest.raises(Wrong):
        models(frame, sought, CALLS)
