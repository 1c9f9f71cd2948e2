"""Lemma 1 where a row is committed by a transaction of its own, as H1 to the letter needs it (SEMANTICS §6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..bridge.image import Image, Logging, image
from ..bridge.pullback import JUDGE_LOG
from ..events import Judge, Schedule
from ..phenomena.catalogue import phenomenon
from ..relations.base import unknown_vote
from ..relations.concrete import Concrete
from ..relations.formulas import Region, Within, some
from .bridge_draws import drawn
from .cells import Cells
from .model import Claim, Outcome
from .seed import CLASSICAL

OWN: Final = Logging("own")
_SEEDS: Final = 400
_ON_LOG: Final = {name: Within(phenomenon(name).formula, Region(table=JUDGE_LOG)) for name in ("P2", "P3")}


def obeys(made: Image) -> bool:
    """Whether S obeys H1 to the letter: every row committed before the operator that uses it, later calls return it."""
    return made.schedule is not None and not any(broken.hypothesis.startswith("H1") for broken in made.broken)


def _schedules() -> Iterator[Schedule]:
    from ..search.census import Alphabet, census

    calls = Alphabet(reads=False, writes=False, judges=True, transactions=2)
    mixed = Alphabet(judges=True, items=1, transactions=2)
    for schedule in (*census(6, calls, complete=True), *census(5, mixed, complete=True)):
        if any(isinstance(event, Judge) for event in schedule) and not Concrete(schedule).holds(some(unknown_vote)):
            yield schedule
    yield from (drawn(seed, obedient=True) for seed in range(_SEEDS))


def _own(cells: Cells) -> Outcome:
    tried = showing = 0
    for schedule in _schedules():
        made = image(schedule, OWN)
        if not obeys(made) or made.schedule is None:
            continue
        tried += 1
        before, after = Concrete(schedule), Concrete(made.schedule)
        names = [name for name in CLASSICAL if before.holds(phenomenon(name).formula)]
        showing += bool(names)
        behind = [name for name in CLASSICAL if after.holds(phenomenon(name).formula)]
        if names != behind:
            detail = f"S shows {names}, π_J(S) {behind}"
            return Outcome("refuted", "exhaustive", detail, counterexample=schedule, evidence=(str(made.schedule),))
        if before.holds(phenomenon("N1").formula) or any(map(after.holds, _ON_LOG.values())):
            return Outcome("refuted", "exhaustive", "N1, or P2 or P3 on the log", counterexample=schedule)
    return Outcome(
        "holds",
        "exhaustive",
        f"each of {tried} schedules that obey H1 to the letter, {showing} with a classical phenomenon, shows in S what "
        "it shows in π_J(S); none shows N1, no image P2 or P3 on the log (so equation (2) is empty). A log transaction "
        "reads nothing and writes one version that nothing follows: edges only leave it, no cycle runs through it",
        bound="complete schedules of two transactions: calls alone up to 6 events, with reads and writes of one item "
        f"up to 5; and {_SEEDS} drawn ones of 12 events",
    )


CLAIMS: Final = (
    Claim(
        "L1.transfer.own",
        "ours, for TOKI 2026, Lemma 1 under (H1)",
        "every classical verdict transfers where rows are committed by transactions of their own and returned later",
        "π_J as in SEMANTICS §6, rows in transactions of their own, committed at once",
        _own,
    ),
)
