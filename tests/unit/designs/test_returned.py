"""Which vote a logged call returned: the log's where the writer goes by it, the judge's own where it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from toki_verify.designs import (
    Design,
    Initial,
    Row,
    Steps,
    Table,
    abort,
    commit,
    insert,
    judge,
    log_insert_if_absent,
    log_key,
    read,
    row,
    update,
    writer,
)
from toki_verify.designs import returned as module
from toki_verify.designs.machine import Record
from toki_verify.designs.model import describe
from toki_verify.designs.operations import JUDGE_LOG

from .drawn_designs import WHERE, runs_of


class Obeys(Design):
    """It does what the log says, whatever it was told itself."""

    tables: ClassVar[dict[str, Table]] = {"facts": Table(), "notes": Table(None, part=None)}
    votes = (3, 4)

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "x", **WHERE, says=0)

    @writer
    def put(self, me: int) -> Steps[None]:
        vote = yield from judge("R")
        logged = yield from self.log(vote)
        yield from self.act(me, vote, logged)
        yield from commit()

    def log(self, vote: int) -> Steps[Any]:
        return (yield from log_insert_if_absent("R", "theta", vote))

    def act(self, me: int, vote: int, logged: Any) -> Steps[None]:
        yield from update("facts", "x", says=logged)


class Ignores(Obeys):
    """It does what it was told itself."""

    def act(self, me: int, vote: int, logged: Any) -> Steps[None]:
        yield from update("facts", "x", says=vote)


class Reports(Obeys):
    """It goes by its own vote, and notes the log's behind it: the answer was used."""

    def act(self, me: int, vote: int, logged: Any) -> Steps[None]:
        yield from update("facts", "x", says=vote)
        yield from insert("notes", logged=logged)


class Compares(Obeys):
    """Where the log has another vote it rolls itself back."""

    def act(self, me: int, vote: int, logged: Any) -> Steps[None]:
        if logged != vote:
            yield from abort()
            return
        yield from update("facts", "x", says=vote)


class Idle(Obeys):
    """Whatever it is told, it does the same."""

    def act(self, me: int, vote: int, logged: Any) -> Steps[None]:
        yield from update("facts", "x", says=me)


class Later(Obeys):
    """It commits before it goes by what the log says."""

    def act(self, me: int, vote: int, logged: Any) -> Steps[None]:
        yield from commit()
        yield from update("facts", "x", says=logged)


class Full(Obeys):
    """It would go by the log, had it anything to decide."""

    def act(self, me: int, vote: int, logged: Any) -> Steps[None]:
        x = yield from read("facts", "x")
        if x is None:
            yield from insert("facts", "x", **WHERE, says=logged)


class ByHand(Obeys):
    """The log is filled by an insert of its row, in the writer's own transaction."""

    def log(self, vote: int) -> Steps[Any]:
        made = yield from insert(JUDGE_LOG, log_key("R"), vote=vote, if_absent=True)
        assert isinstance(made, Row)
        return made["vote"]


class ByHandIgnored(ByHand):
    """The same, and the answer is not used."""

    act = Ignores.act


class Afterwards(Ignores):
    """It fills the log, goes by its own vote, and looks at the log only then, to no purpose."""

    def act(self, me: int, vote: int, logged: Any) -> Steps[None]:
        yield from update("facts", "x", says=vote)
        yield from read("notes", "nothing")


def returned(of: type[Design], crashes: int = 0) -> set[tuple[Any, Any, Any]]:
    """Of each second fill with another vote: what was asked, what the log had, what counts as the call's vote."""
    found = set()
    for run, _ in runs_of(describe(of), 2, crashes):
        for raw, record in zip(run.machine.history(), run.history, strict=True):
            assert raw.what == record.what
            if raw.what == "j" and raw.more.step and raw.more.asked != raw.more.vote:
                found.add((raw.more.asked, raw.more.vote, record.more.vote))
    return found


@pytest.mark.parametrize("of", [Obeys, Reports, Compares, ByHand])
def test_where_the_logs_answer_makes_a_difference_it_is_what_the_call_returned(of: type[Design]) -> None:
    assert returned(of) == {(3, 4, 4), (4, 3, 3)}


@pytest.mark.parametrize("of", [Ignores, ByHandIgnored, Afterwards])
def test_where_the_judges_own_makes_one_the_call_returned_what_the_judge_said(of: type[Design]) -> None:
    assert returned(of) == {(3, 4, 3), (4, 3, 4)}


@pytest.mark.parametrize("crashes", [0, 1])
@pytest.mark.parametrize("of", [Idle, Later, Full])
def test_where_neither_does_the_call_returned_what_the_log_has(of: type[Design], crashes: int) -> None:
    """A crash may come before the vote is used, and there may be nothing to decide: no N1 by that."""
    assert returned(of, crashes) == {(3, 4, 4), (4, 3, 3)}


@pytest.mark.parametrize(("of", "same"), [(Obeys, True), (Compares, True), (Ignores, False), (Afterwards, False)])
def test_in_an_attempt_that_a_crash_has_ended_too(of: type[Design], same: bool) -> None:
    expected = {(3, 4, 4 if same else 3), (4, 3, 3 if same else 4)}
    assert returned(of, crashes=1) >= expected


def test_the_schedule_says_the_vote_that_was_returned() -> None:
    for of, count in ((Obeys, 1), (Ignores, 2)):
        votes = {
            frozenset(record.more.vote for record in run.calls)
            for run, _ in runs_of(describe(of))
            if len(run.calls) == 2
        }
        assert max(map(len, votes)) == count
        said = [str(run.schedule) for run, _ in runs_of(describe(of))]
        assert any("3" in text and "4" in text for text in said) is (count == 2)


def test_a_run_is_not_changed_by_looking_at_it() -> None:
    for run, _ in runs_of(describe(Ignores)):
        before = run.machine.history()
        assert isinstance(run.history[0], Record)
        assert run.machine.history() == before


def test_to_believe_every_log_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ignored", lambda machine, record: False)
    assert returned(Ignores) == {(3, 4, 4), (4, 3, 3)}


def test_to_believe_no_log_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ignored", lambda machine, record: bool(record.what == "j" and record.more.step))
    assert returned(Obeys) == {(3, 4, 3), (4, 3, 4)}


@pytest.mark.parametrize("question", ["_same", "_own"])
def test_to_ask_one_question_alone_is_noticed(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, question, lambda program, answers, call: True)
    assert (returned(Compares), returned(Full)) != ({(3, 4, 4), (4, 3, 3)}, {(3, 4, 4), (4, 3, 3)})
