"""An exploration cut into tasks: the same runs as in one piece, by any number of processes, interrupted or not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toki_verify.designs import tasks as module
from toki_verify.designs.checkpoint import Checkpoint, WrongCheckpoint
from toki_verify.designs.engine import Engine
from toki_verify.designs.examine import Examiner, Outcome
from toki_verify.designs.explore import Explorer, trace_of
from toki_verify.designs.library import design
from toki_verify.designs.machine import Machine, Step
from toki_verify.designs.model import Described, describe
from toki_verify.designs.pool import Reference
from toki_verify.designs.program import Program
from toki_verify.designs.review import Review, workloads
from toki_verify.designs.tasks import Task, coded, cut, decoded
from toki_verify.designs.verify import Verifier
from toki_verify.report.design_data import design_object

from .drawn_designs import drawn
from .small_designs import Appends, AsksTheSame

# -- cutting -----------------------------------------------------------------------------------------------------------


def started(described: Described, number: int, crashes: int = 1, writers: int = 2) -> tuple[Engine, Machine]:
    """A workload at its beginning."""
    engine = Engine(described)
    workload = workloads(described, writers)[number]
    return engine, engine.start(tuple(Program(described, of, me) for me, of in enumerate(workload, 1)), crashes)


def classes_from(engine: Engine, task: Task) -> list[Any]:
    """The classes of the runs of a task, those that its first steps belong to."""
    found = []

    def visit(machine: Machine, steps: tuple[Step, ...]) -> None:
        found.append(class_of(engine, (*task.steps, *steps)))

    Explorer(engine, visit).explore(task.machine, task.sleep)
    return found


def class_of(engine: Engine, steps: tuple[Step, ...]) -> Any:
    """The class of a run, from its steps alone."""
    from toki_verify.designs.explore import Event, happened_before

    machine, events = _BEGIN[id(engine)], list[Event]()
    for step in steps:
        done = engine.step(machine, step)
        events.append(Event(step, done.footprint, happened_before(events, step, done.footprint, done.behind)))
        machine = done.machine
    return trace_of(events)


_BEGIN: dict[int, Machine] = {}


def compared(described: Described, sizes: tuple[int, ...], crashes: int = 1) -> list[str]:
    """Where the tasks of a cut find other classes than one exploration."""
    wrong = []
    for number in range(len(workloads(described, 2))):
        engine, start = started(described, number, crashes)
        _BEGIN[id(engine)] = start
        whole = classes_from(engine, Task((), start, {}))
        for size in sizes:
            parts = [found for task in cut(engine, start, size) for found in classes_from(engine, task)]
            if len(parts) != len(set(parts)):
                wrong.append(f"{described.name}, {size}: a class is found twice")
            if set(parts) != set(whole):
                wrong.append(f"{described.name}, {size}: {len(set(parts))} classes, not {len(set(whole))}")
        del _BEGIN[id(engine)]
    return wrong


SIZES = (2, 5, 24, 200)


def test_the_tasks_of_a_cut_find_the_classes_of_one_exploration() -> None:
    assert [problem for seed in range(8) for problem in compared(drawn(seed, size=1), (2, 24), 0)] == []
    assert compared(describe(Appends), SIZES) == []


@pytest.mark.parametrize("slug", ["last-writer-wins", "toki-printed", "compare-and-set"])
def test_in_the_library_too(slug: str) -> None:
    assert compared(describe(design(slug)), (3, 24)) == []


@pytest.mark.heavy
def test_the_tasks_of_many_cuts() -> None:
    assert [problem for seed in range(5_000, 5_040) for problem in compared(drawn(seed, size=2), SIZES)] == []


def test_a_cut_makes_so_many_tasks_where_there_are_so_many() -> None:
    engine, start = started(describe(AsksTheSame), 0)
    assert len(cut(engine, start, 1)) == 1 < len(cut(engine, start, 2)) < 10
    assert len(cut(engine, start)) >= module.TASKS
    engine, start = started(describe(Appends), 0, crashes=0)
    assert 1 < len(cut(engine, start, 10_000)) < 50  # every run is a task


def test_a_cut_without_sleep_sets_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    children = module._children
    monkeypatch.setattr(module, "_children", lambda engine, task: children(engine, Task(task.steps, task.machine, {})))
    assert any("twice" in problem for problem in compared(describe(Appends), (24,)))


def test_a_cut_that_sleeps_too_long_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sleeping steps stay asleep, whatever happens."""
    children = module._children

    def asleep(engine: Engine, task: Task) -> Any:
        before = dict(task.sleep)
        for child in children(engine, task):
            yield Task(child.steps, child.machine, {**before, **child.sleep})

    monkeypatch.setattr(module, "_children", asleep)
    assert any("classes, not" in problem for seed in range(8) for problem in compared(drawn(seed, size=2), (24,)))


def test_steps_are_coded_and_back() -> None:
    for seed in range(3):
        engine, start = started(drawn(seed, size=2), 0)
        found: list[tuple[Machine, tuple[Step, ...]]] = []
        Explorer(engine, lambda *end, found=found: found.append(end)).explore(start)
        for machine, steps in found:
            numbers = coded(engine, start, steps)
            again, back = decoded(engine, start, numbers)
            assert back == steps
            assert again.history() == machine.history()


@pytest.mark.parametrize("wrong", [((5, 0),), ((-1, 0),), ((0, 99),), ((0, -1),)])
def test_numbers_that_fit_no_step_are_refused(wrong: tuple[tuple[int, int], ...]) -> None:
    engine, start = started(describe(Appends), 0)
    with pytest.raises(ValueError, match="has no option"):
        decoded(engine, start, wrong)


# -- processes ---------------------------------------------------------------------------------------------------------


def as_json(review: Review) -> str:
    return json.dumps(design_object(review), sort_keys=True)


def test_two_processes_say_what_one_says() -> None:
    of = describe(design("compare-and-set"))
    one = Verifier(of).verify(2, 0)
    two = Verifier(of, jobs=2, reference=Reference("library:compare-and-set")).verify(2, 0)
    assert as_json(two) == as_json(one)


def test_an_error_of_another_process_is_the_same_error(tmp_path: Path) -> None:
    """It waits for itself in one of its runs only, behind tasks that are cut in this process."""
    file = tmp_path / "late.py"
    file.write_text(LATE)
    from toki_verify.designs.faults import DesignError
    from toki_verify.designs.loading import load

    reference = Reference(f"{file}:Late")
    said = set()
    for jobs in (1, 2):
        with pytest.raises(DesignError) as caught:
            Verifier(describe(load(reference.text)), jobs=jobs, reference=reference).verify(2, 0)
        said.add(str(caught.value))
    assert len(said) == 1
    assert "too late" in said.pop()


LATE = """
from toki_verify.designs import Design, commit, judge, row, update, read, writer

class Late(Design):
    votes = tuple(range(6))
    def setup(self):
        return [row("facts", "x", subject="s", predicate="p", says=0)]

    @writer
    def put(self, me):
        first = yield from judge("a")
        second = yield from judge("b")
        old = yield from read("facts", "x")
        yield from update("facts", "x", says=me)
        yield from commit()
        if me == 2 and old["says"] == 1 and first == second == 5:
            raise RuntimeError("too late")
"""


# -- checkpoints -------------------------------------------------------------------------------------------------------


class Interrupted(Exception):
    """As Ctrl-C."""


def examined(monkeypatch: pytest.MonkeyPatch, most: int | None = None) -> list[Any]:
    """The tasks that are examined from now on; after `most` of them the exploration is interrupted."""
    done: list[Any] = []
    examine = Examiner.examine

    def counting(self: Examiner, place: Any, *arguments: Any, **more: Any) -> Outcome:
        if most is not None and len(done) >= most:
            raise Interrupted
        done.append(place)
        return examine(self, place, *arguments, **more)

    monkeypatch.setattr(Examiner, "examine", counting)
    return done


OF = describe(AsksTheSame)


def checkpoint(path: Path, of: Described = OF, only: tuple[str, ...] | None = None) -> Checkpoint:
    return Checkpoint(path, of, only, None)


@pytest.mark.parametrize("most", [0, 7])
def test_an_interrupted_exploration_goes_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, most: int
) -> None:
    file = tmp_path / "run.jsonl"
    whole = as_json(Verifier(OF).verify(2, 1))
    with monkeypatch.context() as patch:
        before = examined(patch, most)
        with pytest.raises(Interrupted):
            Verifier(OF, checkpoint=checkpoint(file)).verify(2, 1)
    assert len(before) == most
    with monkeypatch.context() as patch:
        after = examined(patch)
        assert as_json(Verifier(OF, checkpoint=checkpoint(file)).verify(2, 1)) == whole
    assert not {*before} & {*after}
    with monkeypatch.context() as patch:
        again = examined(patch)
        assert as_json(Verifier(OF, checkpoint=checkpoint(file)).verify(2, 1)) == whole
    assert again == []


def test_a_larger_bound_goes_on_from_a_smaller_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    Verifier(OF, checkpoint=checkpoint(file)).verify(2, 0)
    done = examined(monkeypatch)
    found = as_json(Verifier(OF, checkpoint=checkpoint(file)).verify(2, 1))
    assert {place[:2] for place in done} == {(1, 1), (2, 1)}
    monkeypatch.undo()
    assert found == as_json(Verifier(OF).verify(2, 1))


def test_a_last_line_that_was_cut_off_is_done_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    whole = as_json(Verifier(OF, checkpoint=checkpoint(file)).verify(2, 0))
    text = file.read_text()
    file.write_text(text[:-20])
    done = examined(monkeypatch)
    assert as_json(Verifier(OF, checkpoint=checkpoint(file)).verify(2, 0)) == whole
    assert len(done) == 1
    assert file.read_text() == text


def edited(change: Callable[[dict[str, Any]], object]) -> Callable[[str], str]:
    """A line of JSON, changed."""

    def edit(line: str) -> str:
        entry = json.loads(line)
        change(entry)
        return json.dumps(entry)

    return edit


BROKEN: dict[str, tuple[int, Callable[[str], str], str]] = {
    "no JSON at the head": (0, lambda line: "schedule x", r":1: no JSON"),
    "another format": (0, edited(lambda head: head.update(format="x")), r":1: no checkpoint, expected format"),
    "another design": (0, edited(lambda head: head.update(design="Other", of="0")), r":1: it is of another design"),
    "no object": (0, lambda line: "[1]", r":1: '\[1\]', expected an object"),
    "garbage": (2, lambda line: "{" * 5, r":3: no JSON"),
    "deep": (2, lambda line: "[" * 100_000, r":3: no JSON"),
    "a number": (3, lambda line: "7", r":4: '7', expected an object"),
    "no task": (1, edited(lambda entry: entry.pop("task")), r":2: no task of an exploration"),
    "half a task": (1, edited(lambda entry: entry.update(task=[1])), r":2: no task of an exploration"),
    "no steps": (1, edited(lambda entry: entry.update(found={"N1": [[0], 3]})), r":2: no task of an exploration"),
    "a text for runs": (1, edited(lambda entry: entry.update(runs="many")), r":2: no task of an exploration"),
    "found is a list": (1, edited(lambda entry: entry.update(found=[])), r":2: no task of an exploration"),
    "an empty line": (1, lambda line: "", r":2: no JSON"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_no_checkpoint_is_refused_with_its_line(tmp_path: Path, name: str) -> None:
    file = tmp_path / "run.jsonl"
    Verifier(OF, checkpoint=checkpoint(file)).verify(2, 0)
    lines = file.read_text().split("\n")
    position, edit, message = BROKEN[name]
    lines[position] = edit(lines[position])
    file.write_text("\n".join(lines))
    before = file.read_text()
    with pytest.raises(WrongCheckpoint, match=message):
        Verifier(OF, checkpoint=checkpoint(file)).verify(2, 0)
    assert file.read_text() == before


@pytest.mark.parametrize(
    "found",
    [{"P4": [[0, 0, 1], [[0, 99]]]}, {"P4": [[0, 0, 1], []]}, {"CB": [[0, 0, 1], [[0, 0], [0, 0]]]}],
    ids=["no such step", "no run at all", "a run that does not show it"],
)
def test_a_run_of_a_checkpoint_that_is_none_is_refused(tmp_path: Path, found: dict[str, Any]) -> None:
    file = tmp_path / "run.jsonl"
    Verifier(OF, checkpoint=checkpoint(file)).verify(2, 0)
    lines = file.read_text().split("\n")
    lines[1] = edited(lambda entry: entry["found"].update(found))(lines[1])
    file.write_text("\n".join(lines))
    with pytest.raises(WrongCheckpoint, match="run"):
        Verifier(OF, checkpoint=checkpoint(file)).verify(2, 0)


def test_a_checkpoint_of_other_questions_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    Verifier(OF, only=("N1",), checkpoint=checkpoint(file, only=("N1",))).verify(1, 0)
    with pytest.raises(WrongCheckpoint, match="set of questions"):
        Verifier(OF, checkpoint=checkpoint(file)).verify(1, 0)
    with pytest.raises(WrongCheckpoint, match="another design"):
        Verifier(Appends, only=("N1",), checkpoint=checkpoint(file, describe(Appends), ("N1",))).verify(1, 0)


def test_limits_leave_what_is_open_undecided() -> None:
    review = Verifier(OF, limit=10).verify(2, 1)
    assert "10 steps while exploring" in review.stopped
    verdicts = {found.verdict for found in review.results.values()}
    assert "undecided" in verdicts and "excludes" not in verdicts
    late = Verifier(OF, seconds=1e-9).verify(2, 1)
    assert "the time was over" in late.stopped
    assert {found.verdict for found in late.results.values()} <= {"undecided", "undefined"}


# -- seeds -------------------------------------------------------------------------------------------------------------


def sizes(review: Review) -> dict[str, Any]:
    """By cell the verdict, and the size of the smallest run."""
    return {name: (found.verdict, found.found and found.found.run.size) for name, found in review.results.items()}


@pytest.mark.parametrize("slug", ["toki-printed", "two-phase-locking"])
def test_with_a_seed_other_runs_stand_for_the_same_classes(slug: str) -> None:
    plain = Verifier(design(slug)).verify(2, 0)
    found = [Verifier(design(slug), seed=seed).verify(2, 0) for seed in (1, 2, 1)]
    assert all(sizes(one) == sizes(plain) for one in found)
    assert all([entry.runs for entry in one.explored] == [entry.runs for entry in plain.explored] for one in found)
    assert as_json(found[0]) == as_json(found[2])
