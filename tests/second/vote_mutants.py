"""How the second ways of T5.bound*, C4.tight*, L3.fixed and T5.rate* are broken."""

from __future__ import annotations

from typing import Any

from . import draw_claims, log_programs, vote_claims, vote_machines
from .mutants import Mutant, attribute, wrapped
from .vote_machines import Table


def _keeping(play: Any) -> Any:
    """Calls that lose and keep their votes, though they should take the row's."""

    def played(table: Table, *given: Any, **more: Any) -> Any:
        return play(table._replace(clash="keep") if table.clash == "adopt" else table, *given, **more)

    return played


def _without(*what: str) -> Any:
    """Histories without some of what happens."""
    return lambda play: lambda *given, **more: [made for made in play(*given, **more) if made[0] not in what]


VOTES = (
    Mutant(
        "a loser that keeps its vote",
        ("T5.bound", "T5.bound.repaired", "T5.bound.everywhere", "C4.tight", "C4.tight.only-if"),
        (wrapped(vote_machines, "play", _keeping),),
    ),
    Mutant(
        "rows that are passed by unseen",
        ("T5.bound", "C4.tight.only-if"),
        (wrapped(vote_machines, "play", _without("P")),),
    ),
    Mutant(
        "later calls of which nothing is asked",
        ("T5.bound", "C4.tight", "C4.tight.if"),
        (
            wrapped(
                vote_claims,
                "compliant",
                lambda compliant: (
                    lambda table, found, reading: compliant(
                        table, found, reading.removesuffix(", later calls return it")
                    )
                ),
            ),
        ),
    ),
    Mutant(
        "an oracle with one vote",
        ("T5.bound.replay", "T5.bound.repaired"),
        (attribute(vote_machines, "answered", lambda twice, once: ((0, 0, 0, 0),)),),
    ),
    Mutant(
        "a log that is serial whatever it does",
        ("L3.fixed",),
        (wrapped(log_programs, "levels", lambda levels: lambda made: (*levels(made)[:2], True)),),
    ),
    Mutant(
        "a cycle of the log that is not seen", ("L3.fixed",), (attribute(log_programs, "_acyclic", lambda edges: True),)
    ),
    Mutant(
        "a keyed log whose loser keeps its vote",
        ("T5.rate.keyed", "T5.rate.pair", "T5.rate"),
        (wrapped(draw_claims, "play", _keeping),),
    ),
    Mutant(
        "votes of which the ends alone are compared",
        ("T5.rate.pair", "T5.rate"),
        (attribute(draw_claims, "differ", lambda votes: bool(votes) and votes[0] != votes[-1]),),
    ),
    Mutant(
        "a polynomial that is not what it says",
        ("T5.rate.maximum", "T5.rate.independence"),
        (attribute(draw_claims, "value", lambda counts, p: p),),
    ),
    Mutant(
        "sequences that are counted without those of ones alone",
        ("T5.rate.trajectory",),
        (wrapped(draw_claims, "counted", lambda counted: lambda draws, happens: [*counted(draws, happens)[:-1], 0]),),
    ),
)
