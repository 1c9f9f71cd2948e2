"""N3 where the seed prints it: the witness of B.5.2 and the schema grid (TOKI 2026: B.5.2, Table 23).

The printed schedule is judged literally, with fresh tokens, and replayed through the operators, which leave something
else. The grid's levels are those of the schedules that histories are.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ..algebra.carriers import CARRIERS, MULTILINEAR, Carrier
from ..events import Schedule
from ..levels import parse_spec
from ..relations.concrete import Concrete
from .carriers_of import incomparable, tokens, with_zero
from .cells import Cells
from .histories import OBJECTS, History, Move, histories, rows_text, run
from .model import Claim, Outcome
from .seed import SIX
from .surfaces import B52, INSTANTS, Reading, Surface, erased

PRINTED: Final = "w1[x@a prov p_a] c1 w2[x@b prov p_b] c2 r3[x@b] c3"
_ONE: Final = "one schedule"
_ZERO: Final = (
    "The paper says both: 'every reachable provenance maps to 1 in 𝔹' (Proposition 1(2)), so none is 0; 'p_a ≠ p_b as "
    "Boolean values' (B.3.2), so one is. In Green et al. 2007, §3, what has the annotation 0 is not in the relation"
)
#: What B.5.2 looks at, and what is looked at where the schema keeps audit rows.
_AUDIT: Final = Reading("audit rows", INSTANTS[0])
SCHEMAS: Final = {"base": "base", "audit-row": "audit_row"}
#: One partition, one valid period: every write after the first meets an incumbent.
MEETING: Final = tuple(histories(2, (0,)))


def replayed(carrier: Carrier[Any]) -> str:
    """What the printed witness leaves when ⊕t resolves it as §3.2 says, under the base schema."""
    fresh = tokens(carrier, 2)
    history = (Move("lww", True), Move("lww", True))
    ran = run(history, carrier, fresh, mode="base")
    gone = erased(ran, carrier, B52)
    said = "p_a is erased" if gone else "its p_a is dominated: no N3"
    return f"by ⊕t, x_b wins: current rows {rows_text(ran.current, carrier)}, {said}"


# -- the printed witness -----------------------------------------------------------------------------------------------
def _pair_text(carrier: Carrier[Any], pair: tuple[Any, Any]) -> str:
    sign = "⪯" if carrier.leq(*pair) else "⪯̸"
    return f"p_a = {carrier.text(pair[0])}, p_b = {carrier.text(pair[1])}: p_a {sign} p_b"


def printed(carrier: Carrier[Any], cells: Cells) -> Outcome:
    """The witness as printed: at (RC, base), and the surface {(x_b, p_b)} does not dominate p_a. With fresh tokens,
    else with other annotations, else with the annotation 0, which only some of the paper's sentences allow."""
    schedule = Schedule.parse(PRINTED)
    at_rc = Concrete(schedule).holds(cells.level("RC", "graph").formula)
    fresh = carrier.token("p_a"), carrier.token("p_b")
    below = carrier.leq(*fresh)
    line = f"with fresh tokens {_pair_text(carrier, fresh)}"
    again = f"replayed through the operators: {replayed(carrier)}"
    detail = f"at RC: {'yes' if at_rc else 'no'}; p_a {'⪯' if below else '⪯̸'} p_b with fresh tokens"
    if at_rc and not below:
        return Outcome("holds", "exhaustive", detail, witnesses=(schedule,), bound=_ONE, evidence=(line, again))
    pair, zero = incomparable(carrier), with_zero(carrier)
    if at_rc and pair is not None:
        repair = f"with annotations that are no tokens: {_pair_text(carrier, pair)}"
        return Outcome(
            "holds-repaired",
            "exhaustive",
            detail,
            counterexample=schedule,
            repair=repair,
            bound=_ONE,
            evidence=(line, again),
        )
    if at_rc and zero is not None:
        lines = (line, f"if a write may have the annotation 0, N3: {_pair_text(carrier, zero)}", again)
        detail += f" and any other two annotations but 0; with 0 {_pair_text(carrier, zero)}. {_ZERO}"
        return Outcome("depends", "exhaustive", detail, witnesses=(schedule,), bound=_ONE, evidence=lines)
    return Outcome("refuted", "exhaustive", detail, counterexample=schedule, bound=_ONE, evidence=(line, again))


def _printed_everywhere(cells: Cells) -> Outcome:
    """'Parametric in K', for three choices of p_a and p_b: fresh tokens, annotations other than 0, any annotations."""
    outcomes = {name: printed(carrier, cells) for name, carrier in CARRIERS.items()}
    order = ("refuted", "depends", "holds-repaired", "holds")
    lines = [
        f"{name}: {line}"
        for verdict in order
        for name, outcome in outcomes.items()
        if outcome.verdict == verdict
        for line in outcome.evidence[: 2 if verdict == "depends" else 1]
    ]
    lines += [f"{name}: {out.repair}" for name, out in outcomes.items() if out.verdict == "holds-repaired"]
    bad = {verdict: [name for name, out in outcomes.items() if out.verdict == verdict] for verdict in order}
    if len(bad["holds"]) == len(outcomes):
        return Outcome("holds", "exhaustive", f"in each of {len(outcomes)} carriers", evidence=tuple(lines))
    names = ("pair-of-nonzero", "no-pair-in-two", "one-not-below-zero")
    proofs = tuple(cells.equation(f"semiring.{name}") for name in names)
    schedule = Schedule.parse(PRINTED)
    if bad["refuted"]:
        detail = f"no p_a and p_b are N3 in {', '.join(bad['refuted'])}"
        return Outcome("refuted", "exhaustive", detail, counterexample=schedule, evidence=tuple(lines))
    if not all(proof.proved for proof in proofs):
        return Outcome("undecided", "proof", "not proved of every K", evidence=tuple(lines))
    tokens_fail = [*bad["holds-repaired"], *bad["depends"]]
    detail = (
        f"with fresh tokens false in {', '.join(tokens_fail)}, where two tokens are one element or the first is below "
        f"the second; with any p_a and p_b other than 0 false in {', '.join(bad['depends']) or 'no shipped carrier'}; "
        f"if 0 may be one of them, true in every naturally ordered K with 1 ≠ 0: p_a = 1, p_b = 0 (proved). {_ZERO}"
    )
    repair = (
        "for some p_a and p_b other than 0, in every naturally ordered K with an element other than 0 and 1, which "
        "𝔹 alone has not (proved)"
    )
    verdict = "depends" if bad["depends"] else "holds-repaired"
    return Outcome(
        verdict,
        "proof",
        detail,
        witnesses=(schedule,) if verdict == "depends" else (),
        counterexample=None if verdict == "depends" else schedule,
        repair=repair,
        bound=_ONE,
        evidence=tuple(lines),
        equational=proofs,
    )


# -- the schema grid ---------------------------------------------------------------------------------------------------
def schedule_of(history: History) -> Schedule:
    """The schedule of a history in which every write meets an incumbent: a transaction each, one after the other, that
    reads the incumbent, is called back where it awaits, and writes the winner where that is another row."""
    parts, version = [], "0"
    for number, move in enumerate(history):
        txn = number + 1
        parts.append(f"r{txn}[x@{version}]")
        if number and move.strategy == "await":
            parts.append(f"cb{txn}(R, h, {int(move.wins)})")
        if move.wins or not number:
            version = OBJECTS[number]
            by = f" by {move.strategy}" if number else ""
            parts.append(f"w{txn}[x@{version}{by}]")
        parts.append(f"c{txn}")
    return Schedule.parse(" ".join(parts))


@cache
def at_level(history: History, level: str) -> bool:
    """Whether the schedule of a history is at a level of the grid."""
    return Concrete(schedule_of(history)).holds(parse_spec(level, default="graph").formula)


def admits(carrier: Carrier[Any], level: str, schema: str, surface: Surface = "current rows") -> tuple[int, int]:
    """Of the histories at a level that consume a loser, how many erase one, under a schema, and of how many; under base
    as to a surface."""
    fresh = incomparable(carrier) or tuple(tokens(carrier, 2))
    found = [
        run(history, carrier, annotations, mode=SCHEMAS[schema])
        for history in MEETING
        if at_level(history, level)
        for annotations in (fresh, fresh[::-1])
    ]
    reading = _AUDIT if schema == "audit-row" else Reading(surface, INSTANTS[0])
    return sum(bool(erased(ran, carrier, reading)) for ran in found), len(found)


def grid(carrier: Carrier[Any], surface: Surface = "current rows") -> list[tuple[str, str, int, int]]:
    """The twelve cells: level, schema, how many histories show N3, of how many."""
    return [(level, schema, *admits(carrier, level, schema, surface)) for level in SIX for schema in SCHEMAS]


def as_printed(cells: list[tuple[str, str, int, int]], every: bool = False) -> bool:
    """Whether the base schema admits N3 at each level (by every history, or by some), the audit-row schema by none."""
    return all(
        total and (bad == 0 if schema == "audit-row" else bad == total if every else bad > 0)
        for _, schema, bad, total in cells
    )


def _grid(cells: Cells) -> Outcome:
    found = {name: grid(carrier) for name, carrier in CARRIERS.items()}
    right = [name for name in found if as_printed(found[name])]
    wrong = [name for name in found if name not in right]
    lines = [
        f"{name}: {level}, {schema}: {bad} of {total} histories show N3"
        for name in [*wrong, MULTILINEAR.name]
        for level, schema, bad, total in found[name]
    ]
    every = [name for name in found if as_printed(found[name], every=True)]
    by_rows = [name for name, carrier in CARRIERS.items() if as_printed(grid(carrier, "audit rows"), every=True)]
    detail = (
        f"some history at base, none at audit-row, at all six levels: in {', '.join(right) or 'no carrier'}; not in "
        f"{', '.join(wrong) or 'none'}. At a rate of 1.00 at base: in {', '.join(every) or 'no carrier'}; where audit "
        f"rows alone are looked at, as in Theorem 2, in {', '.join(by_rows) or 'no carrier'}: the table as printed; "
        "B.5.2 looks at current rows. The level makes no difference: Algorithm 1 writes one fact at a time, so every "
        "history is serial"
    )
    verdict = "holds" if not wrong and len(every) == len(found) else "depends" if right or by_rows else "refuted"
    bound = f"{len(MEETING)} histories of 2 writes with two annotations, a ⪯̸ b where there are such, either way round"
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines))


_N3_READING = (
    "p_a and p_b are fresh tokens, or annotations other than 0, or 0, too; x_b is the version that T3 reads; "
    "the recovery surface is {(x_b, p_b)}, as printed; the schema keeps no audit rows"
)


def _witness_claim(name: str) -> Claim:
    found = CARRIERS[name]
    return Claim(
        f"W.N3.{name}",
        "TOKI 2026, Appendix B.5.2",
        f"the printed witness {PRINTED} is at RC, and in {name} p_b does not dominate p_a",
        _N3_READING,
        lambda cells: printed(found, cells),
    )


CLAIMS = (
    Claim(
        "W.N3",
        "TOKI 2026, Appendix B.5.2",
        f"the printed witness {PRINTED} shows N3 under the base schema, 'parametric in K'",
        f"{_N3_READING}; every shipped carrier",
        _printed_everywhere,
    ),
    *(_witness_claim(name) for name in CARRIERS),
    Claim(
        "Grid.schema",
        "TOKI 2026, Table 23",
        "12 cells: at each of the six levels some history shows N3 under the base schema, and none under audit-row",
        "under base the recovery surface is the current rows (B.5.2) or the audit rows (Theorem 2), under audit-row "
        "the audit rows, all at any valid time; no fact has provenance 0; a history's level is that of its schedule",
        _grid,
    ),
)
