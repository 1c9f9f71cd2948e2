"""`pipeline_suite`: the laws of pipelines of operators (TOKI 2026, Theorem 4, Lemma 2, Corollary 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations, product
from typing import Any, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..algebra.facts import Fact
from ..algebra.operators import OPERATORS
from ..algebra.semiring import Semiring
from .cases import Pair
from .failures import Broken
from .operators_tested import Recorded, parts_of
from .protocols import require
from .strategies import chosen_carrier, contradicting_pairs
from .suite import Check, Suite, make_suite

_IDS: Final = ("lww", "evi", "await", "rule")
#: Tables 1 and 13, Theorem 4(4): isolation (as a place in RC, SI, SR), callback, pins. Said here once more.
_ISO: Final = ("RC", "SI", "SR")
_ASKED: Final[dict[str, tuple[int, bool, frozenset[str]]]] = {
    "lww": (0, False, frozenset()),
    "evi": (1, False, frozenset()),
    "await": (0, True, frozenset()),
    "rule": (0, False, frozenset({"policy"})),
}
_LENGTH: Final = 3


@dataclass(frozen=True)
class Run:
    """A pipeline, the pair it runs on, and the vote of each oracle."""

    strategies: tuple[str, ...]
    pair: Pair[Any]
    votes: tuple[int, int]

    @property
    def carrier(self) -> Semiring[Any]:
        """The carrier of the facts."""
        return self.pair.carrier

    @property
    def shown(self) -> Mapping[str, Fact[Any]]:
        """For messages."""
        return self.pair.shown

    @property
    def told(self) -> Sequence[str]:
        """For messages."""
        return (f"pipeline {' then '.join(self.strategies)}, {self.pair.told[0]}", f"await, rule elect {self.votes}")


@dataclass(frozen=True)
class Pipelines:
    """How pipelines under test are made."""

    make: Callable[..., Any]
    carrier: Semiring[Any]

    def __post_init__(self) -> None:
        """Raises Untestable."""
        wanted = "run(first, second, *, now, carrier, oracles) and precondition()"
        require(self.make("lww"), ("run", "precondition"), "what make_pipeline('lww') returned", wanted)

    def chain(self, run: Run) -> list[Any]:
        """The emissions of a run."""
        pair, oracles = run.pair, {"await": Recorded(run.votes[0]), "rule": Recorded(run.votes[1])}
        made = self.make(*run.strategies)
        return list(made.run(pair.first, pair.second, now=pair.now, carrier=pair.carrier, oracles=oracles))


def pipeline_suite(
    make_pipeline: Callable[..., Any],
    *,
    carrier: Semiring[Any] | str | None = None,
    settings: settings | None = None,
) -> type[Suite]:
    """A test class for pipelines: `TestMine = pipeline_suite(MyPipeline.of)`.

    `make_pipeline("lww", "evi", …)` returns an object with `run(first, second, *, now, carrier, oracles)`, the list of
    resolutions, one a step, and `precondition()`, an `algebra.Precondition`. Raises UnknownCarrier.
    """
    found = chosen_carrier(carrier)
    return make_suite("PipelineSuite", CHECKS, lambda: Pipelines(make_pipeline, found), settings)


def _runs(tested: Pipelines) -> SearchStrategy[Run]:
    strategies = st.lists(st.sampled_from(_IDS), min_size=1, max_size=4).map(tuple)
    votes = st.tuples(st.integers(0, 1), st.integers(0, 1))
    return st.builds(Run, strategies, contradicting_pairs(tested.carrier).map(_two_facts), votes)


def _two_facts(pair: Pair[Any]) -> Pair[Any]:
    """Facts of two ids: of two versions of one fact, each elected by some step, both would be stamped at one time."""
    return (
        replace(pair, second=replace(pair.second, fact_id="f0")) if len({f.fact_id for f in pair.facts}) < 2 else pair
    )


def _all() -> Iterator[tuple[str, ...]]:
    for length in range(1, _LENGTH + 1):
        yield from product(_IDS, repeat=length)


def join(tested: Pipelines, case: None) -> None:
    """L2.join: all pipelines of up to three steps."""
    for strategies in _all():
        found = tested.make(*strategies).precondition()
        iso = _ISO[max(_ASKED[name][0] for name in strategies)]
        callback = any(_ASKED[name][1] for name in strategies)
        if (found.iso, found.cb) != (iso, callback):
            expected = f"{iso}{'+cb' * callback}"
            raise Broken(f"{' then '.join(strategies)} asks for {found.iso}{'+cb' * found.cb}, not {expected}")


def order(tested: Pipelines, case: None) -> None:
    """L2.order."""
    for strategies in _all():
        found = tested.make(*strategies).precondition()
        for other in permutations(strategies):
            if tested.make(*other).precondition() != found:
                raise Broken(f"{' then '.join(strategies)} and {' then '.join(other)} ask for different things")
        if tested.make(*strategies, *strategies).precondition() != found:
            raise Broken(f"{' then '.join(strategies)} asks for something else when it is repeated")
        for at in range(1, len(strategies)):
            parts = [tested.make(*part).precondition() for part in (strategies[:at], strategies[at:])]
            if parts[0].join(parts[1]) != found:
                raise Broken(f"{' then '.join(strategies)} does not ask for the join of its parts")


def pins(tested: Pipelines, case: None) -> None:
    """T4.policy."""
    for strategies in _all():
        found = tested.make(*strategies).precondition()
        expected = frozenset[str]().union(*(_ASKED[name][2] for name in strategies))
        if found.pins != expected:
            raise Broken(f"{' then '.join(strategies)} pins {sorted(found.pins)}, not {sorted(expected)}")
        rest = [name for name in strategies if name != "rule"]
        if rest and tested.make(*rest).precondition().level != found.level:
            raise Broken(f"the pin of {' then '.join(strategies)} raises the other tables to {found.level}")


def mode(tested: Pipelines, case: None) -> None:
    """T4.mode."""
    for strategies in _all():
        found = tested.make(*strategies).precondition().schema
        if found != "audit-row":
            raise Broken(f"{' then '.join(strategies)} requires {found}")


def chain(tested: Pipelines, run: Run) -> None:
    """T4.chain."""
    emissions = tested.chain(run)
    if len(emissions) != len(run.strategies):
        raise Broken(f"{len(emissions)} emissions of {len(run.strategies)} steps")
    pair = run.pair.facts
    for number, (name, found) in enumerate(zip(run.strategies, emissions, strict=True)):
        oracle = Recorded(run.votes[name == "rule"])
        expected = OPERATORS[name].resolve(*pair, now=run.pair.now, carrier=run.carrier, oracle=oracle)
        if parts_of(found) != parts_of(expected):
            facts = {"expected": expected.winner, "emitted": found.winner}
            raise Broken(f"step {number + 1} ({name}) does not resolve what step {number} left", **facts)
        first = (found.winner.fact_id, found.winner.object) == (pair[0].fact_id, pair[0].object)
        pair = (found.winner, *found.losers) if first else (*found.losers, found.winner)


def schema(tested: Pipelines, run: Run) -> None:
    """T4.schema."""
    emissions = tested.chain(run)
    for number, found in enumerate(emissions, start=1):
        for loser in found.losers:
            given = next(f for f in run.pair.facts if (f.fact_id, f.object) == (loser.fact_id, loser.object))
            for fact in (given, loser):
                if not any(run.carrier.leq(fact.provenance, other.audit.provenance) for other in emissions):
                    text = run.carrier.text(fact.provenance)
                    raise Broken(f"no audit tuple is above {text}, the provenance of the loser of step {number}")


def grows(tested: Pipelines, run: Run) -> None:
    """T4.grows."""
    emissions = tested.chain(run)
    for number, (found, following) in enumerate(pairwise(emissions), start=1):
        for what in ("audit", "winner"):
            parts = [getattr(one, what).provenance for one in (found, following)]
            if not run.carrier.leq(*parts):
                texts = map(run.carrier.text, parts)
                raise Broken("the provenance of the {} falls from {} to {} after step {}".format(what, *texts, number))


CHECKS: Final = (
    Check("L2.join", join),
    Check("L2.order", order),
    Check("T4.policy", pins),
    Check("T4.mode", mode),
    Check("T4.chain", chain, _runs),
    Check("T4.schema", schema, _runs),
    Check("T4.grows", grows, _runs),
)
