"""`write_path_machine`: writers that are interleaved, crash, and ask a judge of many minds (TOKI 2026, §3.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
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
from .factories import fresh
from .failures import LawBroken
from .profiles import adapted
from .protocols import require, require_store
from .write_history import History
from .write_inputs import (
    BEGINNING,
    CUTS,
    DAY,
    NUMBERS,
    OBJECTS,
    SIMPLEST_WHAT,
    SIMPLEST_WHEN,
    VOTES,
    WHATS,
    WHENS,
    WRITERS,
    What,
    When,
)
from .write_laws import WRITE_LAWS, broken
from .write_minimal import Action, minimal
from .write_model import Rules
from .write_recorder import Account, By, RecordingStore
from .write_threads import ThreadedWriter, WriterStuck

#: make_writer(store, oracles) gives an object with `ingest(fact, now)`, or `steps(fact, now)`, a generator.
MakeWriter = Callable[[Any, Mapping[str, Callable[[Sequence[Fact[Any]]], int]]], Any]

#: Steps after which a writer that is still not done is left alone.
_ENOUGH: Final = 100
#: Rules of a run, where nobody says otherwise: what goes wrong does so in a few, and laws take longer in long runs.
_STEPS: Final = 25


@dataclass
class Writer:
    """A writer: its session, its write path, the fact it is to write, and how far it has come with it.

    One that has only `ingest` is a `ThreadedWriter`, which is session and path at once.
    """

    number: int
    session: Any
    path: Any
    fact: Fact[Any] | None = None
    steps: Any = None

    @property
    def hint(self) -> str:
        """What to say of an error that it raises."""
        if getattr(self.path, "has_waited", False):
            return " (after StoreLocked: a writer that lets StoreLocked through is tried again)"
        return ""


class WritePathMachine(RuleBasedStateMachine):
    """The machine; `write_path_machine` makes one for a store."""

    make_store: ClassVar[Callable[[], Any]]
    make_writer: ClassVar[MakeWriter]
    duplicates: ClassVar[str]
    incumbents: ClassVar[str]
    strategies: ClassVar[tuple[str, ...]]
    laws: ClassVar[frozenset[str]]
    #: Whether writers have only `ingest`: known when the first was made.
    in_threads: ClassVar[bool] = False
    #: The simplest argument of every rule.
    simplest: ClassVar[dict[str, Any]] = {
        "what": SIMPLEST_WHAT,
        "when": SIMPLEST_WHEN,
        "vote": 0,
        "number": 0,
        "count": 1,
    }
    history: History

    @initialize()
    def open(self) -> None:
        """An empty store, and sessions of it."""
        self.ended = ExitStack()
        store = self.ended.enter_context(fresh(type(self).make_store))
        self.writers: list[Writer] = []
        self.history = History(store, Rules(store.carrier, store.mode, self.duplicates, self.incumbents))
        self.vote, self.clock, self.count = 0, 0, 0
        self.actions: list[Action] = []
        self.checked: Any = None
        for number in range(WRITERS):
            self.writers.append(self._writer(number))

    def teardown(self) -> None:
        """Shut everything."""
        if not hasattr(self, "ended"):
            return
        with self.ended:  # in the end its files go
            for writer in getattr(self, "writers", ()):
                if writer.steps is not None:
                    writer.steps.close()
                writer.session.shut()

    def _writer(self, number: int) -> Writer:
        machine, make_session = type(self), self.history.store.session
        oracles = dict.fromkeys(("await", "rule"), lambda members: self.vote)
        if not machine.in_threads:
            session = make_session()
            path = machine.make_writer(RecordingStore(session, By(self.history.account, number)), oracles)
            if hasattr(path, "steps"):
                return Writer(number, session, path)
            machine.in_threads = True
            session.shut()
        found = ThreadedWriter(number, self.history.account, make_session, machine.make_writer, oracles)
        return Writer(number, found, found)

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
    @rule(what=WHATS, when=WHENS, vote=st.integers(0, 1))
    def write(self, what: What, when: When, vote: int) -> None:
        """A fact is written by an idle writer, as far as others let it; an oracle that is asked elects `vote`."""
        self._note("write", what=what, when=when, vote=vote)
        self._run(self._give(what, when, 0), vote)

    @precondition(lambda self: self._idle())
    @rule(what=WHATS, when=WHENS, number=NUMBERS)
    def give(self, what: What, when: When, number: int) -> None:
        """An idle writer is given a fact to write."""
        self._note("give", what=what, when=when, number=number)
        self._give(what, when, number)

    @precondition(lambda self: self._busy())
    @rule(vote=st.integers(0, 1), number=NUMBERS, count=st.integers(1, 6))
    def step(self, vote: int, number: int, count: int) -> None:
        """Some steps of one writer."""
        self._note("step", vote=vote, number=number, count=count)
        writer = _one(self._busy(), number)
        for _ in range(count):
            if not self._advance(writer, vote):
                return

    @precondition(lambda self: self._busy())
    @rule(vote=st.integers(0, 1), number=NUMBERS)
    def finish(self, vote: int, number: int) -> None:
        """All steps of one writer, until it is done or has to wait for another."""
        self._note("finish", vote=vote, number=number)
        self._run(_one(self._busy(), number), vote)

    @precondition(lambda self: self._busy())
    @rule(number=NUMBERS)
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

    @precondition(lambda self: len(self._idle()) > 1)
    @rule(what=WHATS, other=WHATS, when=WHENS, same=st.booleans(), after=st.booleans(), votes=VOTES, count=CUTS)
    def race(
        self, what: What, other: What, when: When, same: bool, after: bool, votes: tuple[int, int], count: int
    ) -> None:
        """What most races are: a writer stops somewhere, another writes all of its fact, the first goes on. `same`: the
        two bring what has one identity; `after`: there is an incumbent. By rules that are noted one by one, and can be
        left out one by one."""
        if same:
            other = replace(what, object=other.object)
        if after:
            free = next(name for name in OBJECTS if name not in (what.object, other.object))
            self.write(replace(what, fact_id="f1" if what.fact_id != "f1" else "f2", object=free), when, 0)
            self.laws_hold()  # as after every rule: what breaks first is what is told
        if len(self._idle()) < 2:  # that one has to wait for another
            return
        number = self._cut(what, when, votes[0], count)
        self.write(other, when, votes[1])
        self.laws_hold()
        if number is not None:
            self.finish(votes[0], number)

    @precondition(lambda self: self._idle())
    @rule(what=WHATS, when=WHENS, vote=st.integers(0, 1), count=CUTS)
    def die(self, what: What, when: When, vote: int, count: int) -> None:
        """A writer is given a fact and dies somewhere on the way."""
        number = self._cut(what, when, vote, count)
        if number is not None:
            self.crash(number)

    def _cut(self, what: What, when: When, vote: int, count: int) -> int | None:
        """Give an idle writer a fact, and let it make some steps. Its number among the busy, if it is."""
        writer = self._idle()[0]
        self.give(what, when, 0)
        self.step(vote, self._busy().index(writer), count)
        self.laws_hold()
        return self._busy().index(writer) if writer.fact is not None else None

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
            BEGINNING + begin * DAY,
            BEGINNING + (10 + self.clock) * DAY,
            self.history.rules.carrier.token(f"p{self.count}"),
            what.confidence,
            self.strategies[what.strategy % len(self.strategies)],
            None if end is None else BEGINNING + end * DAY,  # type: ignore[arg-type]
        )
        self.history.account.note(writer.number, "given", facts=(writer.fact,))
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
            writer.steps = writer.steps or writer.path.steps(fact, fact.system_time_start)
            free = next(writer.steps)
            self.history.observe(writer.number, fact)
            return not (self.in_threads and free is False)
        except WriterStuck:
            raise
        except StopIteration:
            pass
        except StoreLocked:  # nothing was written: it starts again when its turn comes
            writer.steps = None
            self.history.observe(writer.number, fact)
            return False
        except Exception as error:
            writer.steps = writer.fact = None
            self.history.observe(writer.number, fact)
            self.history.refused(writer.number, fact, error, writer.hint)
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
        state = self.history.known
        if state == self.checked:  # most steps change nothing that a law speaks of
            return
        self.checked = state
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

    `make_store()` returns an empty store that does not wait for locks (`busy_seconds=0`): one writer runs at a time. If
    it has a parameter `directory` it is given an empty one, which is removed afterwards. `make_writer(store, oracles)`
    returns the write path of a session, by default `stores.WritePath`: with `ingest(fact, now)`, which is stopped,
    crashed and interleaved with others at every call on `store`, its transactions and judge log, and on an oracle; or
    with `steps(fact, now)`, a generator, for which that is at every yield. `duplicates` and `incumbents` are which of
    the paper's two readings it has (`stores.WritePath`). `strategies` are those that facts ask for; `laws` those that
    are checked. Raises InvalidArgument.
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
        "in_threads": False,
    }
    machine: type[WritePathMachine] = type("WritePathMachine", (WritePathMachine,), values)
    chosen = adapted(settings)
    if settings is None:
        chosen = Settings(chosen, stateful_step_count=min(_STEPS, chosen.stateful_step_count))
    machine.TestCase = _test_case(machine, chosen)  # type: ignore[assignment]
    return machine


def _require(machine: type[WritePathMachine]) -> None:
    """Raises Untestable, before Hypothesis would say it in more words."""
    with fresh(machine.make_store) as store:
        require_store(store)
        oracles = dict.fromkeys(("await", "rule"), lambda members: 0)
        path = machine.make_writer(RecordingStore(store, By(Account(dict), 0)), oracles)
        if not hasattr(path, "steps"):
            require(path, ("ingest",), "what make_writer returned", "ingest(fact, now) or steps(fact, now)")


def _test_case(machine: type[WritePathMachine], chosen: Settings) -> type[TestCase]:
    """The test that runs a machine, and tells the smallest run that fails."""

    class WritePathCase(TestCase):
        settings = Settings(chosen, phases=[phase for phase in chosen.phases if phase is not Phase.shrink])

        def runTest(self) -> None:
            """Every law of write paths that the machine checks."""
            __tracebackhide__ = True
            _require(machine)
            try:
                run_state_machine_as_test(machine, settings=self.settings)
            except LawBroken as broken:
                found = minimal(machine, broken)
            else:
                return
            raise found.with_traceback(None) from found.__cause__

    return WritePathCase
