"""Lemma 1 where a row is committed by a transaction of its own, as H1 to the letter needs it (SEMANTICS §6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..bridge.image import Image, Logging, image
from ..bridge.pullback import JUDGE_LOG
from ..events import Judge, Schedule
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete
from ..relations.formulas import Region, Within
from ..search.witness import Bounds
from .bridge_draws import LENGTH, drawn
from .cells import Cells
from .judged import yes
from .lemma_1_own_questions import KEPT, OWN_QUESTIONS, OWN_SEARCHES, own
from .model import Claim, Outcome, conjunction
from .seed import CLASSICAL

OWN: Final = Logging("own")
_SEEDS: Final = 400
#: How far a search goes.
_FAR: Final = Bounds(9, 4)
#: Up to how many events images are made, of three transactions: calls alone, and calls with accesses to one item.
CALLS, MIXED = 7, 5
ON_LOG: Final = {name: Within(phenomenon(name).formula, Region(table=JUDGE_LOG)) for name in ("P2", "P3")}


def obeys(made: Image) -> bool:
    """Whether S obeys H1 to the letter: every row committed before the operator that uses it, later calls return it."""
    return made.schedule is not None and not any(broken.hypothesis.startswith("H1") for broken in made.broken)


def _small() -> Iterator[Schedule]:
    """Schedules of up to three transactions in which every call returns the vote 0: that votes agree is what H1 asks,
    and which they are nothing looks at."""
    from ..search.census import Alphabet, census

    calls = Alphabet(reads=False, writes=False, judges=True, votes=("0",))
    mixed = Alphabet(items=1, judges=True, votes=("0",))
    for schedule in (*census(CALLS, calls, complete=True), *census(MIXED, mixed, complete=True)):
        if any(isinstance(event, Judge) for event in schedule):
            yield schedule


def differing(schedule: Schedule) -> str:
    """Where S and its image show other classical phenomena, or N1, or P2 or P3 on the log, or the formulas of
    `lemma_1_own_questions` say something else than the image; "": nowhere, or S breaks H1."""
    made = image(schedule, OWN)
    if not obeys(made) or made.schedule is None:
        return ""
    before, after = Concrete(schedule), Concrete(made.schedule)
    if not before.holds(KEPT):
        return "" if votes_are_open(schedule) else "H1 is kept, and its formula says it is not"
    names = [name for name in CLASSICAL if before.holds(phenomenon(name).formula)]
    behind = [name for name in CLASSICAL if after.holds(phenomenon(name).formula)]
    said = [name for name in CLASSICAL if before.holds(own(phenomenon(name).formula))]
    if names != behind:
        return f"S shows {names}, π_J(S) {behind}"
    if said != behind:
        return f"π_J(S) shows {behind}, the formulas say {said}"
    if before.holds(phenomenon("N1").formula) or any(map(after.holds, ON_LOG.values())):
        return "N1, or P2 or P3 on the log"
    return ""


def votes_are_open(schedule: Schedule) -> bool:
    """Whether some vote is unknown: H1 is not known to be kept then."""
    return any(isinstance(event, Judge) and event.vote is None for event in schedule)


def _images() -> Outcome:
    tried = showing = 0
    for schedule in (*_small(), *(drawn(seed, obedient=True) for seed in range(_SEEDS))):
        if not obeys(image(schedule, OWN)):
            continue
        tried += 1
        showing += any(Concrete(schedule).holds(phenomenon(name).formula) for name in CLASSICAL)
        found = differing(schedule)
        if found:
            made = str(image(schedule, OWN).schedule)
            return Outcome("refuted", "exhaustive", found, counterexample=schedule, evidence=(made,))
    words = (
        f"of {tried} images that were made, {showing} of schedules with a classical phenomenon, each shows what S does"
    )
    return Outcome("holds", "exhaustive", words, evidence=(words,))


def _searched(cells: Cells, id: str) -> Outcome:
    statement, formula = OWN_SEARCHES[id]
    found = cells.search(id, formula, statement, _FAR)
    if found.gave_up:
        return Outcome("undecided", "exhaustive", found.reason)
    if found.schedule is not None:
        line = f"{statement}: {found.schedule}; π_J(S) = {image(found.schedule, OWN).schedule}"
        return Outcome("refuted", "exhaustive", line, counterexample=found.schedule, evidence=(line,))
    return Outcome("holds", "exhaustive", statement, evidence=(f"{statement}: in no schedule of up to {_FAR}",))


def _proved(cells: Cells, id: str) -> Outcome:
    statement, one, other = OWN_QUESTIONS[id]
    found = cells.link(id, one & other, statement)
    if found.schedule is not None:
        line = f"false: {statement}; {found.schedule}"
        return Outcome("refuted", "proof", line, counterexample=found.schedule, evidence=(line,))
    if found.verdict == "none" and found.proof is not None:
        instances = cells.instances(found.proof)
        if len(instances) == 2:
            line = f"proved for every size: {statement}"
            return Outcome("holds", "proof", statement, (found.proof,), evidence=(line,), instances={id: instances})
    return Outcome("undecided", "proof", found.reason or "the proof may be vacuous")


_ARGUMENT: Final = (
    "argument, not a proof: a log transaction reads nothing and writes one version that nothing precedes, so edges "
    "only leave it; a cycle then runs through none, and the edges between the transactions of S are those of S"
)


def _own(cells: Cells) -> Outcome:
    made = _images()
    proofs = [(id, _proved(cells, id)) for id in OWN_QUESTIONS]
    searches = [(id, _searched(cells, id)) for id in OWN_SEARCHES]
    parts = [("images", made), *proofs, *searches]
    whole = conjunction(parts, "", "exhaustive")
    proved = [id.removeprefix("L1.transfer.own.") for id, part in proofs if part.verdict == "holds"]
    detail = whole.detail or (
        f"proved for every size: {', '.join(proved)}; edges, and P3, which asks for a cycle of any length, are "
        f"searched, and {made.detail}; that P3 is the same at every size follows by {_ARGUMENT}. "
        f"With this H1 no schedule shows N1 (proved: {yes('no-N1' in proved)}) and no image P2 or P3 on the log, so "
        "equation (2) is empty"
    )
    return Outcome(
        whole.verdict,
        "exhaustive",
        detail,
        whole.proofs,
        whole.witnesses,
        whole.counterexample,
        bound=f"edges, P3, the log: complete schedules of up to {_FAR}, by a solver over formulas pulled back; images "
        f"made: complete ones of up to three transactions, calls at one key alone up to {CALLS} events, with accesses "
        f"to one item up to {MIXED}, and {_SEEDS} drawn ones of {LENGTH} events; the other verdicts: every size",
        evidence=(*whole.evidence, _ARGUMENT),
        instances=whole.instances,
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
