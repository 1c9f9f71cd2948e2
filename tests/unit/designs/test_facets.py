"""Facets of erasure: one of them is N3 itself, they grow with the surface, and a tiny design loses or keeps each."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, ClassVar

import pytest

from toki_verify.designs import (
    Design,
    DesignError,
    Initial,
    Row,
    Steps,
    Table,
    commit,
    delete,
    emit,
    insert,
    judge,
    log_insert_if_absent,
    read,
    row,
    runs,
    update,
    writer,
)
from toki_verify.designs import facets as module
from toki_verify.designs.facets import FACETS, erased, surface_rows
from toki_verify.designs.library import PLACES, design
from toki_verify.designs.model import PARTS, Described, describe
from toki_verify.designs.operations import JUDGE_LOG
from toki_verify.designs.runs import Run
from toki_verify.designs.verify import Verifier
from toki_verify.phenomena.catalogue import catalogue

from .drawn_designs import WHERE, drawn, runs_of

N3 = catalogue()["N3"].formula
#: Surfaces of which a schedule says the same as the design.
PART = {part: catalogue()[f"N3[{part}]"].formula for part in ("closed", "history", "audit")}


def of_source(run: Run) -> list[str]:
    """Where the facet of the source is something else than N3 on the schedule."""
    wrong = ["N3"] if (erased(run, "source") is not None) is not run.concrete.holds(N3) else []
    for part, formula in PART.items():
        # A table of closed rows is a history in the notation.
        whole = part != "closed" or all(table.part != "closed" for table in run.described.tables.values())
        if whole and (erased(run, "source", part) is not None) is not run.concrete.holds(formula):
            wrong.append(part)
    return wrong


def of_surfaces(run: Run) -> list[str]:
    """The facets that a smaller surface keeps and a larger one does not; surfaces that are smaller than a part."""
    wrong = []
    for facet in FACETS:
        lost = [erased(run, facet, part) is not None for part in PARTS]
        wrong += [facet] if lost != sorted(lost, reverse=True) else []
    rows = [list(surface_rows(run, part)) for part in PARTS]
    return wrong + ["rows" for less, more in pairwise(rows) if not {*less} <= {*more}]


def problems(described: Described, crashes: int = 0) -> list[str]:
    """What is wrong with the facets of a design's runs."""
    found, seen = [], set()
    for run, _ in runs_of(described, 2, crashes):
        said = str(run.schedule)
        if said not in seen:
            seen.add(said)
            found += [f"{wrong}: {said}" for wrong in (*of_source(run), *of_surfaces(run))]
    return found


#: Words that write, so that small designs lose something.
WORDS = (
    *(
        "write",
        "unsaid",
        "merge",
        "merge",
        "merge",
        "close",
        "open",
        "same",
        "delete",
        "new",
        "note",
        "log",
        "shelve",
        "count",
    ),
    *("forget", "alone"),
)


def stress(seeds: Iterable[int]) -> list[str]:
    return [f"{seed}: {problem}" for seed in seeds for problem in problems(drawn(seed, words=WORDS))]


def test_the_source_facet_is_n3() -> None:
    assert stress(range(60)) == []


@pytest.mark.heavy
def test_the_source_facet_is_n3_of_many() -> None:
    assert stress(range(1_000, 2_500)) == []


class Undecided(Design):
    """No transactions: a crash behind the update leaves the fact replaced, on the word of the judge of that attempt."""

    isolation = "none"
    tables: ClassVar = {"facts": Table()}

    def setup(self) -> list[Initial]:
        return [row("facts", "x", **WHERE, says=0)]

    @writer
    def replace(self, me: int) -> Steps[None]:
        if (yield from judge("x", "replaces?", votes=(True,))):
            yield from update("facts", "x", says=me)
        yield from commit()


def test_a_crash_takes_no_decision_away_from_what_was_replaced() -> None:
    """At no isolation the transaction of a crashed attempt ends with it, and its calls are what decided."""
    crashed = [run for run, _ in runs_of(describe(Undecided), 1, 1) if any(s.choice == "crash" for s in run.steps)]
    assert any(run.lost for run in crashed)
    for run in crashed:
        assert [len(lost.decisions) for lost in run.lost] == [1] * len(run.lost), run.schedule
        assert (erased(run, "decision") is not None) is bool(run.lost)


@pytest.mark.parametrize("slug", PLACES)
def test_the_source_facet_of_the_library_is_n3(slug: str) -> None:
    assert problems(describe(design(slug))) == []


# -- the suite can fail ------------------------------------------------------------------------------------------------


def closed_is_lost_no_more(run: Run) -> list[Any]:
    """Losses without those of rows that were closed before."""
    declared = run.described.tables
    return [
        lost
        for lost in _losses(run)
        if not ((closed := declared[lost.row.table].closed) is not None and closed(lost.row))
    ]


_losses = runs._losses
_kept = emit._kept

MUTANTS: dict[str, tuple[Any, str, Any]] = {
    "equality in place of the order": (module, "below", lambda one, other: one == other),
    "rows that only begin": (module, "surface_rows", lambda run, part="audit": list(surface_rows(run, part))[:1]),
    "closed rows are gone for ever": (runs, "_losses", closed_is_lost_no_more),
    "the first loss only": (runs, "_losses", lambda run: _losses(run)[:1]),
    "what is not kept keeps": (emit, "_kept", lambda described, table: True),
    "parts the other way round": (module, "PARTS", PARTS[::-1]),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_facets_that_say_something_else_are_noticed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(*MUTANTS[name])
    assert any(stress([seed]) for seed in range(60))


# -- each facet, kept and lost -----------------------------------------------------------------------------------------


class Overwrites(Design):
    """The judge is asked, and the row overwritten: nothing is left."""

    retries = 0
    tables: ClassVar[dict[str, Table]] = {
        "facts": Table(closed=lambda found: found.get("end") is not None, content=("says",)),
        "history": Table(None, part="history"),
        "audit": Table(None, part="audit"),
    }

    def setup(self) -> Iterable[Initial]:
        yield row("facts", "x", **WHERE, says="old", prov="p0")

    @writer
    def put(self) -> Steps[None]:
        old = yield from read("facts", "x")
        assert old is not None
        vote = yield from judge("the read set")
        yield from self.replace(old, vote)
        yield from commit()

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from update("facts", old, says="new", prov="p1")


class KeepsText(Overwrites):
    """A history of texts."""

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from super().replace(old, vote)
        yield from insert("history", was=old["says"])


class KeepsBothTexts(Overwrites):
    """A history of both texts."""

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from super().replace(old, vote)
        yield from insert("history", was=old["says"], now="new")


class Merges(Overwrites):
    """The new row comes from both sources."""

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from update("facts", old, says="new", prov="p0+p1")


class Closes(Overwrites):
    """The old row is closed, the new one inserted."""

    more: ClassVar[dict[str, Any]] = {}

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from update("facts", old, end=1, **self.more)
        yield from insert("facts", "y", **WHERE, says="new", prov="p1")


class ClosesBy(Closes):
    """The old row says by which row it was closed."""

    more: ClassVar[dict[str, Any]] = {"by": "y"}


class Lists(ClosesBy):
    """What is said is a list."""

    def setup(self) -> Iterable[Initial]:
        yield row("facts", "x", **WHERE, says=["old", "older"], prov="p0")


class Numbers(Overwrites):
    """What was said was 1; what a history says is True."""

    def setup(self) -> Iterable[Initial]:
        yield row("facts", "x", **WHERE, says=1, prov="p0")

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from super().replace(old, vote)
        yield from insert("history", was=True)


class Deletes(Overwrites):
    """The row is deleted, and nothing put in its place."""

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from delete("facts", old)


class Votes(Overwrites):
    """An audit row of the vote alone."""

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from super().replace(old, vote)
        yield from insert("audit", vote=vote)


class VotesOnReads(Overwrites):
    """An audit row of the vote and what it is about."""

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from super().replace(old, vote)
        yield from insert("audit", vote=vote, reads="the read set")


class Audits(Overwrites):
    """An audit row of all of it."""

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from super().replace(old, vote)
        yield from insert("audit", was=old["says"], now="new", vote=vote, reads="the read set", prov=old.prov)


class Logs(Overwrites):
    """The judge log keeps the vote."""

    def replace(self, old: Row, vote: Any) -> Steps[None]:
        yield from log_insert_if_absent("the read set", "theta", vote)
        yield from super().replace(old, vote)


def lost_of(of: type[Design]) -> dict[str, list[str]]:
    """By facet the surfaces on which one writer loses it."""
    names = [f"N3[{facet}]@{part}" for facet in FACETS for part in PARTS]
    found = Verifier(of, only=(*names, "N3", "N3[source]")).verify(1, 0).results
    assert found["N3"].verdict == found["N3[source]"].verdict == found["N3[source]@audit"].verdict
    return {
        facet: [part for part in PARTS if found[f"N3[{facet}]@{part}"].verdict == "admits"]
        for facet in FACETS
        if any(not found[f"N3[{facet}]@{part}"].vacuous for part in PARTS)
    }


ALL = list(PARTS)


@pytest.mark.parametrize(
    ("of", "content", "source", "winner", "decision"),
    [
        (Overwrites, ALL, ALL, ALL, ALL),
        (KeepsText, ["current", "closed"], ALL, ALL, ALL),
        (KeepsBothTexts, ["current", "closed"], ALL, ["current", "closed"], ALL),
        (Merges, ALL, [], ALL, ALL),
        (Closes, ["current"], ["current"], ALL, ALL),
        (ClosesBy, ["current"], ["current"], ["current"], ALL),
        (Lists, ["current"], ["current"], ["current"], ALL),
        (Numbers, ALL, ALL, ALL, ALL),
        (Votes, ALL, ALL, ALL, ALL),
        (VotesOnReads, ALL, ALL, ALL, ["current", "closed", "history"]),
        (Audits, *[["current", "closed", "history"]] * 4),
        (Logs, ALL, ALL, ALL, []),
    ],
)
def test_a_facet_is_lost_on_the_surfaces_that_do_not_say_it(
    of: type[Design], content: list[str], source: list[str], winner: list[str], decision: list[str]
) -> None:
    assert lost_of(of) == {"content": content, "source": source, "winner": winner, "decision": decision}


def test_a_row_that_nothing_replaces_has_no_winner() -> None:
    assert lost_of(Deletes) == {"content": ALL, "source": ALL, "decision": ALL}


@pytest.mark.parametrize(("name", "part"), [("history", "current"), ("audit", "current"), (JUDGE_LOG, "audit")])
def test_names_that_hold_no_facts_in_a_schedule_hold_none_in_a_design(name: str, part: str) -> None:
    class Misnamed(Overwrites):
        tables: ClassVar[dict[str, Table]] = {**Overwrites.tables, name: Table(None, part=part)}

    with pytest.raises(DesignError, match=f"tables\\['{name}'\\] has part '{part}', expected"):
        describe(Misnamed)
