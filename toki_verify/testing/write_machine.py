"""`write_path_machine`: writers that are interleaved, crash, and ask a judge of many minds (TOKI 2026, §3.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from typing import Any, ClassVar, Final
from unittest import TestCase

from hypothesis import Phase
from hypothesis import settings as Settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ..algebra.facts import Fact
from ..search.strategies.bounds import BoundsError, check_range
from ..stores.errors import StoreLocked
from ..stores.write_path import WritePath
from .failures import LawBroken
from .profiles import adapted
from .write_history import History
from .write_laws import WRITE_LAWS, broken
from .write_minimal import Action, minimal
from .write_model import Rules
from .write_recorder import RecordingStore

#: make_writer(store, oracles) gives an object with `steps(fact, now)` (a generator) or `ingest(fact, now)`.
MakeWriter = Callable[[Any, Mapping[str, Callable[[Sequence[Fact[Any]]], int]]], Any]

_DAY: Final = timedelta(days=1)
_BEGINNING: Final = datetime(2026, 3, 1)
#: Valid periods in days after the beginning: open, touching, overlapping, and one that two others share.
_PERIODS: Final = ((0, None), (0, 2), (2, None), (1, 3))
_OBJECTS: Final = ("penicillin", "amoxicillin", "ibuprofen")
_WRITERS: Final = 3
#: Steps after which a writer that is still not done is left alone.
_ENOUGH: Final = 100


@dataclass(frozen=True)
class What:
    """What is to be written: one of few ids, objects and strategies."""

    fact_id: str
    object: str
    strategy: int
    confidence: float

    def told(self, strategies: Sequence[str]) -> str:
        """For messages, with the names of the strategies."""
        by = strategies[self.strategy % len(strategies)]
        return f"{self.fact_id} {self.object} by {by}, confidence {self.confidence:g}"


@dataclass(frozen=True)
class When:
    """Of whom it is written, for which days, and whether time has passed since the fact before."""

    subject: str
    days: tuple[int, int | None]
    tick: bool

    def __str__(self) -> str:
        begin, end = self.days
        days = f"from day {begin}" if end is None else f"for days {begin} to {end}"
        return f"{self.subject} {days}{'' if self.tick else ', at the same time'}"


_SIMPLEST_WHAT: Final = What("f1", _OBJECTS[0], 0, 1.0)
_SIMPLEST_WHEN: Final = When("alice", _PERIODS[0], True)
_WHATS: Final = st.sampled_from(
    [What(*found) for found in product(("f1", "f2", "f3", "f4"), _OBJECTS, range(4), (1.0, 0.5))]
)
_WHENS: Final = st.sampled_from(
    [When(*found) for found in product(("alice", "alice", "bob"), (*_PERIODS[:1], *_PERIODS), (True, True, False))]
)
_NUMBERS: Final = st.integers(0, _WRITERS - 1)


@dataclass
class Writer:
    """A writer: its session, its write path, the fact it is to write, and how far it has come with it."""

    number: int
    session: Any
    path: Any
    fact: Fact[Any] | None = None
    steps: Any = None


class WritePathMachine(RuleBasedStateMachine):
    """The machine; `write_path_machine` makes one for a store."""

    make_store: ClassVar[Callable[[], Any]]
    make_writer: ClassVar[MakeWriter]
    duplicates: ClassVar[str]
    incumbents: ClassVar[str]
    strategies: ClassVar[tuple[str, ...]]
    laws: ClassVar[frozenset[str]]
    #: The simplest argument of every rule.
    simplest: ClassVar[dict[str, Any]] = {
        "what": _SIMPLEST_WHAT,
        "when": _SIMPLEST_WHEN,
        "vote": 0,
        "number": 0,
        "count": 1,
    }
    history: History

    @initialize()
    def open(self) -> None:
        """An empty store, and sessions of it."""
        store = type(self).make_store()
        self.history = History(store, Rules(store.carrier, store.mode, self.duplicates, self.incumbents))
        self.vote, self.clock, self.count = 0, 0, 0
        self.actions: list[Action] = []
        self.writers = [self._writer(number) for number in range(_WRITERS)]

    def teardown(self) -> None:
        """Shut everything."""
        if not hasattr(self, "history"):
            return
        for writer in self.writers:
            if writer.steps is not None:
                writer.steps.close()
            writer.session.shut()
        self.history.store.shut()

    def _writer(self, number: int) -> Writer:
        session = self.history.store.session()
        oracles = dict.fromkeys(("await", "rule"), lambda members: self.vote)
        recording = RecordingStore(session, self.history.account, number)
        return Writer(number, session, type(self).make_writer(recording, oracles))

    def _note(self, name: str, **arguments: Any) -> None:
        self.actions.append((name, arguments))

    def can(self, name: str) -> bool:
        """Whether there is a writer for a rule."""
        return bool(self._idle() if name in ("write", "give") else self._busy())

    def _idle(self) -> list[Writer]:
        return [writer for writer in self.writers if writer.fact is None]

    def _busy(self) -> list[Writer]:
        return [writer for writer in self.writers if writer.fact is not None]

    @precondition(lambda self: self._idle())
    @rule(what=_WHATS, when=_WHENS, vote=st.integers(0, 1))
    def write(self, what: What, when: When, vote: int) -> None:
        """A fact is written by an idle writer, as far as others let it; an oracle that is asked elects `vote`."""
        self._note("write", what=what, when=when, vote=vote)
        self._run(self._give(what, when, 0), vote)

    @precondition(lambda self: self._idle())
    @rule(what=_WHATS, when=_WHENS, number=_NUMBERS)
    def give(self, what: What, when: When, number: int) -> None:
        """An idle writer is given a fact to write."""
        self._note("give", what=what, when=when, number=number)
        self._give(what, when, number)

    @precondition(lambda self: self._busy())
    @rule(vote=st.integers(0, 1), number=_NUMBERS, count=st.integers(1, 6))
    def step(self, vote: int, number: int, count: int) -> None:
        """Some steps of one writer."""
        self._note("step", vote=vote, number=number, count=count)
        writer = _one(self._busy(), number)
        for _ in range(count):
            if not self._advance(writer, vote):
                return

    @precondition(lambda self: self._busy())
    @rule(vote=st.integers(0, 1), number=_NUMBERS)
    def finish(self, vote: int, number: int) -> None:
        """All steps of one writer, until it is done or has to wait for another."""
        self._note("finish", vote=vote, number=number)
        self._run(_one(self._busy(), number), vote)

    @precondition(lambda self: self._busy())
    @rule(number=_NUMBERS)
    def crash(self, number: int) -> None:
        """A writer dies where it is. Its session ends with it, and a new writer takes its place."""
        self._note("crash", number=number)
        writer = _one(self._busy(), number)
        before = self.history.state()
        if writer.steps is not None:
            writer.steps.close()
        writer.session.shut()
        self.history.crashed(writer.number, before)
        self.writers[writer.number] = self._writer(writer.number)

    def _give(self, what: What, when: When, number: int) -> Writer:
        writer = _one(self._idle(), number)
        self.clock += when.tick
        self.count += 1
        begin, end = when.days
        writer.fact = Fact(
            what.fact_id,
            when.subject,
            "medication",
            what.object,
            _BEGINNING + begin * _DAY,
            _BEGINNING + (10 + self.clock) * _DAY,
            self.history.rules.carrier.token(f"p{self.count}"),
            what.confidence,
            self.strategies[what.strategy % len(self.strategies)],
            None if end is None else _BEGINNING + end * _DAY,  # type: ignore[arg-type]
        )
        return writer

    def _run(self, writer: Writer, vote: int) -> None:
        for _ in range(_ENOUGH):
            if not self._advance(writer, vote):
                return

    def _advance(self, writer: Writer, vote: int) -> bool:
        """One step. Whether there is more to do for the writer now."""
        fact = writer.fact
        if fact is None:
            return False
        self.vote = vote
        try:
            if hasattr(writer.path, "steps"):
                writer.steps = writer.steps or writer.path.steps(fact, fact.system_time_start)
                next(writer.steps)
                self.history.observe(writer.number, fact)
                return True
            writer.path.ingest(fact, fact.system_time_start)
        except StopIteration:
            pass
        except StoreLocked:  # nothing was written: it starts again when its turn comes
            writer.steps = None
            self.history.observe(writer.number, fact)
            return False
        except Exception as error:
            writer.steps = writer.fact = None
            self.history.observe(writer.number, fact)
            self.history.refused(writer.number, fact, error)
            return False
        writer.steps = writer.fact = None
        self.history.observe(writer.number, fact)
        self.history.finished(writer.number, fact)
        return False

    @invariant()
    def laws_hold(self) -> None:
        """Every law, in the order of `WRITE_LAWS`."""
        __tracebackhide__ = True
        if not hasattr(self, "history"):
            return
        self.history.look()
        for law, check in WRITE_LAWS.items():
            if law in self.laws:
                fault = check(self.history)
                if fault is not None:
                    raise broken(law, fault, self.history, self.actions, self.strategies)


def _one(writers: list[Writer], number: int) -> Writer:
    return writers[number % len(writers)]


def write_path_machine(
    make_store: Callable[[], Any],
    *,
    make_writer: MakeWriter | None = None,
    duplicates: str = "return",
    incumbents: str = "untouched",
    strategies: Sequence[str] = ("lww", "evi", "await", "rule"),
    laws: Collection[str] = tuple(WRITE_LAWS),
    settings: Settings | None = None,
) -> type[WritePathMachine]:
    """A state machine for a store and a write path: `TestWrites = write_path_machine(make_store).TestCase`.

    `make_store()` returns an empty store that does not wait for locks (`busy_seconds=0`): all writers share a thread.
    `make_writer(store, oracles)` returns the write path of a session, with `steps(fact, now)`, a generator that is
    interleaved with others at every yield, or `ingest(fact, now)`; default is `stores.WritePath`. `duplicates` and
    `incumbents` are which of the paper's two readings it has (`stores.WritePath`). `strategies` are those that facts
    ask for; `laws` those that are checked. Raises InvalidArgument.
    """
    unknown = set(laws) - WRITE_LAWS.keys()
    if unknown:
        raise BoundsError(f"laws must be some of {', '.join(WRITE_LAWS)}, not {', '.join(sorted(unknown))}")
    check_range("the number of strategies", len(strategies), 1, 4)

    def writer(store: Any, oracles: Any) -> Any:
        return WritePath(store, oracles=oracles, duplicates=duplicates, incumbents=incumbents)  # type: ignore[arg-type]

    values = {
        "make_store": staticmethod(make_store),
        "make_writer": staticmethod(make_writer or writer),
        "duplicates": duplicates,
        "incumbents": incumbents,
        "strategies": tuple(strategies),
        "laws": frozenset(laws),
    }
    machine: type[WritePathMachine] = type("WritePathMachine", (WritePathMachine,), values)
    machine.TestCase = _test_case(machine, adapted(settings))  # type: ignore[assignment]
    return machine


def _test_case(machine: type[WritePathMachine], chosen: Settings) -> type[TestCase]:
    """The test that runs a machine, and tells the smallest run that fails."""

    class WritePathCase(TestCase):
        settings = Settings(chosen, phases=[phase for phase in chosen.phases if phase is not Phase.shrink])

        def runTest(self) -> None:
            """Every law of write paths that the machine checks."""
            __tracebackhide__ = True
            try:
                run_state_machine_as_test(machine, settings=self.settings)
            except LawBroken as broken:
                found = minimal(machine, broken)
            else:
                return
            raise found.with_traceback(None) from found.__cause__

    return WritePathCase
