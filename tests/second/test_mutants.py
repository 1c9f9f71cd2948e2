"""The comparisons can fail: with one thing broken in a second way, the two ways of a claim no longer agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

pytest.importorskip("z3")

from tests.agreement.oracle import LEVELS, PHENOMENA
from toki_verify.search.census import Alphabet

from . import (
    algebra_claims,
    algorithm_claims,
    composition_claims,
    conflict_claims,
    design_claims,
    grid_claims,
    level_claims,
    lift_claims,
    log_claims,
    machine,
    recovery_claims,
    registry,
    schedule_claims,
    summand_claims,
)
from .bridge_mutants import BRIDGE
from .carriers import RINGS
from .machine import Machine
from .mutants import Mutant, attribute, disagree, forced, forget, item, ring, wrapped
from .registry import decider_of
from .vote_mutants import VOTES

registry.load()


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Nothing of before, and nothing for later."""
    forget()
    yield
    forget()


#: Schedules of one item, and judge calls: few, and enough for what is broken with them.
FEW = attribute(
    schedule_claims,
    "BOUND",
    (
        (5, Alphabet(transactions=2, items=1, aborts=False)),
        (3, Alphabet(transactions=1, items=1, reads=False, writes=False, judges=True)),
    ),
)
AT = {name: LEVELS["graph", name] for name in ("RU", "RC", "SI", "SR")}

SCHEDULES = (
    Mutant(
        "SI without timestamps", ("T1.sound.P2.SI", "T1.sound.P4.SI+cb"), (FEW, item(LEVELS, ("graph", "SI"), AT["RC"]))
    ),
    Mutant("SR without a serial order", ("T1.sound", "T1.sound.P4.SR"), (FEW, item(LEVELS, ("graph", "SR"), AT["RC"]))),
    Mutant(
        "a search that misses P4",
        ("T1.tight", "T1.subset", "Grid.iso"),
        (
            attribute(
                schedule_claims,
                "smallest",
                lambda name, level, id="": (
                    None if (schedule_claims.claimed_excluded(name, level) and name != "N1") or name == "P4" else 5
                ),
            ),
        ),
    ),
    Mutant("RC that is nothing", ("W.P4", "Prop3"), (item(LEVELS, ("graph", "RC"), lambda f: True),)),
    Mutant(
        "N1 that is never shown", ("T1.sound.N1.SR", "T1.tight.N1.RC"), (FEW, item(PHENOMENA, "N1", lambda f: False))
    ),
    Mutant("P4 without its ww", ("T1.tight.P4.RC",), (FEW, item(PHENOMENA, "P4", lambda f: bool(f.of("rw"))))),
    Mutant("P2 of two reads that agree", ("T1.tight.P2.RC",), (FEW, item(PHENOMENA, "P2", lambda f: len(f.seen) > 1))),
    Mutant(
        "a printed witness with another order",
        ("W.P4", "Prop3"),
        (item(level_claims.PRINTED, "P4", ("RC", "r1[x0] w2[x1] c2 w1[x2] c1")),),
    ),
    Mutant("the weaker for the join", ("L2.join.graph", "L2.join"), (attribute(level_claims, "join", min),)),
    Mutant(
        "PL-3 that asks for PL-SI",
        ("L2.join.adya", "T1.chain.adya", "T1.chain"),
        (item(LEVELS, ("adya", "PL-3"), lambda f: AT["SR"](f) and LEVELS["adya", "PL-SI"](f)),),
    ),
    Mutant(
        "PL-SI that is PL-2",
        ("T1.reading.adya", "T1.reading"),
        (item(LEVELS, ("adya", "PL-SI"), LEVELS["adya", "PL-2"]),),
    ),
    Mutant("A2 that is P0", ("T1.reading.graph", "T1.reading.berenson"), (item(PHENOMENA, "A2", PHENOMENA["P0"]),)),
)

ALGORITHM = (
    Mutant(
        "periods that touch share an instant",
        ("Alg1.duplicate", "Alg1.lost-state", "Alg1.single-incumbent", "P2.seam"),
        (attribute(machine, "shares", lambda a, b: a.valid[0] <= b.valid[1] and b.valid[0] <= a.valid[1]),),
    ),
    Mutant(
        "rows closed before they begin",
        ("Alg1.constraints", "Alg1.clock", "Alg1.stamp"),
        (attribute(Machine, "_close", lambda self, row, at: self.rows.remove(row)),),
    ),
    Mutant(
        "keys that are never taken",
        ("Alg1.audit-key", "Prop5.write-path", "Tab10.run"),
        (attribute(Machine, "_insert", lambda self, row: self.rows.append(row)),),
    ),
    Mutant(
        "one version twice is a pair",
        ("Alg1.constraints", "Alg1.audit-key"),
        (forced(distinct=False),),
    ),
    Mutant(
        "the incumbent always wins",
        ("Alg1.outside-overlap", "Alg1.stamp", "Alg1.clock", "Alg1.close"),
        (forced(wins=lambda new, old: False),),
    ),
    Mutant(
        "a commit before every return",
        ("Alg1.commit",),
        (attribute(algorithm_claims, "COMMITS", {3, 7, 22}),),
    ),
    Mutant("duplicates that accumulate", ("Alg1.duplicate",), (forced(accumulate=True),)),
    Mutant("incumbents that are stamped", ("Alg1.stamp", "P2.complete.algorithm-1"), (forced(stamped=True),)),
    Mutant(
        "arrivals through stamped incumbents",
        ("P2.confluence.algorithm-1", "T2.tight.reading"),
        (forced(stamped=True),),
    ),
    Mutant("no audit half", ("Alg1.ensure", "Alg1.modes", "Prop5.verbatim"), (forced(mode="base"),)),
    Mutant(
        "a log that nobody appends to",
        ("Alg1.log", "Alg1.log-version"),
        (
            wrapped(
                log_claims.Elector,
                "__init__",
                lambda init: lambda self, v, *, reads, by=frozenset: init(self, [*v] * 2, reads=False, by=by),
            ),
        ),
    ),
    Mutant(
        "sets that keep their order",
        ("Alg1.log-key",),
        (
            wrapped(
                log_claims.Elector,
                "__init__",
                lambda init: lambda self, votes, *, reads, by=tuple: init(self, votes, reads=reads, by=tuple),
            ),
        ),
    ),
    Mutant("a bar that ends the winner", ("Alg1.witness",), (attribute(log_claims, "splits", lambda text: []),)),
    Mutant("a strategy that all know", ("Alg1.strategy",), (forced(known=lambda name: None),)),
    Mutant(
        "callbacks that do not matter",
        ("Alg1.callback", "Alg1.exposes"),
        (FEW, item(LEVELS, ("graph", "cb"), AT["RU"])),
    ),
    Mutant(
        "SR that is RC", ("Alg1.pin", "P2.seam", "Alg1.single-incumbent"), (item(LEVELS, ("graph", "SR"), AT["RC"]),)
    ),
    Mutant(
        "a file that changes",
        ("Alg1.raises",),
        (wrapped(lift_claims, "provoke", lambda provoke: lambda *given: (provoke(*given)[0], False, True)),),
    ),
)

CONFLICTS = (
    Mutant(
        "keys without a name",
        ("P2.confluence.argmax", "P2.confluence.fold.evi"),
        (wrapped(conflict_claims, "key", lambda key: lambda strategy: lambda f, m, at: key(strategy)(f, m, at)[:-1]),),
    ),
    Mutant(
        "version time that is total",
        ("P2.confluence.key",),
        (
            wrapped(
                conflict_claims,
                "every_set",
                lambda every: lambda **given: [f for f in every(**given) if len(set(f.times)) == f.size],
            ),
        ),
    ),
    Mutant(
        "winners that are never stamped",
        ("P2.confluence.fold.lww", "P2.confluence", "Grid.confluence"),
        (wrapped(conflict_claims, "ends", lambda ends: lambda found, of, stamp: ends(found, of, "never")),),
    ),
    Mutant(
        "sums that forget",
        ("P2.complete", "T2.sound.counting", "T4.schema"),
        (ring("counting", plus=lambda a, b: 0),),
    ),
)

CARRIERS = (
    Mutant("an order turned round", ("T2.sound.viterbi", "T2.sound"), (ring("viterbi", leq=lambda a, b: a >= b),)),
    Mutant(
        "an order of nothing",
        (
            "B32.recover.order",
            "B32.recover.boolean",
            "Grid.schema",
            "P1.load",
            "W.N3",
            "W.N3.boolean",
            "T2.tight.boolean",
            "T2.tight",
        ),
        (ring("boolean", leq=lambda a, b: False),),
    ),
    Mutant(
        "truth values with parity",
        ("Tab10.idempotent.boolean", "Tab10.idempotent"),
        (ring("boolean", plus=lambda a, b: a != b),),
    ),
    Mutant(
        "multilinear that keeps powers",
        ("T3.iff.multilinear", "T3.iff", "T3.order", "T3.reading.power"),
        (item(RINGS, "multilinear", replace(RINGS["multidegree"], name="multilinear")),),
    ),
    Mutant(
        "coefficients that collapse",
        ("B32.recover.multilinear", "B32.recover"),
        (item(RINGS, "multilinear", replace(RINGS["multilinear-collapsed"], name="multilinear")),),
    ),
    Mutant(
        "current rows for audit rows",
        ("T2.sound.reading", "T2.tight.reading"),
        (
            wrapped(
                algebra_claims, "play", lambda play: lambda *given, **more: play(*given[:3], "audit_row", stamped=True)
            ),
        ),
    ),
)

RECOVERY = (
    Mutant(
        "a shift by two",
        ("T3.shift", "T3.reading.unit"),
        (attribute(recovery_claims, "shift", lambda p: (1, max(p - 2, 0))),),
    ),
    Mutant(
        "a derivative without factors",
        ("T3.derivative",),
        (attribute(recovery_claims, "derivative", lambda p: (1, p - 1)),),
    ),
    Mutant(
        "a degree that is 2",
        ("T3.iff.multidegree", "T3.order"),
        (attribute(recovery_claims, "degree", lambda name, element: 2),),
    ),
    Mutant(
        "absent rows that are there",
        ("T3.iff.boolean", "T3.iff.counting"),
        (wrapped(recovery_claims, "free_answer", lambda free: lambda query, log, reading: free(query, log, "unit")),),
    ),
    Mutant(
        "fewer logs",
        ("T3.reading.sum", "T3.reading.one-map", "T3.reading.multiplicity", "T3.iff.why"),
        (attribute(recovery_claims, "MOST", 3),),
    ),
    Mutant("other printed counts", ("T3.order.printed",), (item(recovery_claims.COUNTS, "multilinear", 0),)),
    Mutant(
        "ordered pairs for unordered ones",
        ("B32.recover.multidegree",),
        (item(summand_claims.SOUGHT, "(d)", summand_claims.SOUGHT["(b)"]),),
    ),
)

COMPOSITION = (
    Mutant(
        "⊕c at SI",
        ("Tab10", "Grid.compose", "C3.surface"),
        (item(composition_claims.RULE, "level", ("SI", False)),),
    ),
    Mutant("⊕c at RC", ("T4.policy",), (item(composition_claims.RULE, "level", ("RC", False)),)),
    Mutant(
        "another cell",
        ("Tab10",),
        (attribute(composition_claims, "TABLE", composition_claims.TABLE.replace("SI+cb", "SI   ", 1)),),
    ),
    Mutant(
        "compositions without equality",
        ("T4.allen", "T4.allen.twelve"),
        (
            wrapped(
                composition_claims,
                "composition",
                lambda composition: lambda *given: composition(*given) - {composition_claims.EQUALS},
            ),
        ),
    ),
    Mutant(
        "levels without callbacks",
        ("Grid.compose",),
        (
            wrapped(
                grid_claims, "allowed", lambda allowed: lambda level, treatment: allowed((level[0], True), treatment)
            ),
        ),
    ),
    Mutant("N1 of every schedule", ("T4.iso",), (FEW, item(PHENOMENA, "N1", lambda f: True))),
    Mutant(
        "pins that are not met",
        ("T4.policy.disjoint", "C3.surface"),
        (attribute(composition_claims, "at", lambda text, spec: False),),
    ),
)

QUERIES = (
    Mutant(
        "a lift without its filter",
        ("Prop5", "Prop5.bag"),
        (
            wrapped(
                lift_claims,
                "scan_of",
                lambda scan: lambda rows, *, filtered, handed: scan(rows, filtered=False, handed=handed),
            ),
        ),
    ),
    Mutant(
        "a literal lift that projects",
        ("Prop5",),
        (
            wrapped(
                lift_claims,
                "scan_of",
                lambda scan: lambda rows, *, filtered, handed: scan(rows, filtered=filtered, handed=False),
            ),
        ),
    ),
)
DESIGNS = (
    Mutant("no run of a design is drawn", ("Tab4", "Tab4.mirix.N1"), (attribute(design_claims, "RUNS", 0),)),
    Mutant("another letter in Table 4", ("Tab4.worlddb.N2",), (item(design_claims.TABLE, "worlddb", ("XX AA XX",)),)),
)
MUTANTS = (
    *SCHEDULES,
    *ALGORITHM,
    *CONFLICTS,
    *CARRIERS,
    *RECOVERY,
    *COMPOSITION,
    *QUERIES,
    *VOTES,
    *BRIDGE,
    *DESIGNS,
)


def test_every_decider_has_a_mutant() -> None:
    broken = {decider_of(id) for mutant in MUTANTS for id in mutant.red}
    assert [pattern for pattern, decider in registry.DECIDERS.items() if decider not in broken] == []


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.words)
def test_a_second_way_that_is_broken_disagrees(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    patches = list(mutant.patches)
    if patches[0] is FEW:
        # With fewer schedules alone the ways agree: what is broken is what makes the difference.
        FEW(monkeypatch)
        patches.pop(0)
        assert [id for id in mutant.red if disagree(id)] == []
        forget()
    for patch in patches:
        patch(monkeypatch)
    assert [id for id in mutant.red if not disagree(id)] == []
