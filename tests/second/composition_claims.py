"""T4.*, C3, Tab10.* and Alg1.exposes again: sets of operators for sequences, closed forms, relations as orders."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

from .algorithm_claims import every
from .carriers import RINGS, Ring
from .machine import Machine, Refused, Row
from .model import Found, after_repair, all_of, stored, yes
from .oracles import at, shows
from .registry import second
from .schedule_claims import GUARD, smallest

OPERATORS = ("lww", "evi", "await", "rule")
GLYPH = {"lww": "⊕t", "evi": "⊕p", "await": "⊕?", "rule": "⊕c"}
CHAIN = ("RC", "SI", "SR")
#: What each operator asks of L (Table 13): the chain, the callback. ⊕c as SR in L, or at RC with a pin outside L.
ASKED = {"lww": ("RC", False), "evi": ("SI", False), "await": ("RC", True)}
RULE = {"level": ("SR", False), "pin": ("RC", False)}


def wanted(used: frozenset[str] | set[str], treatment: str) -> tuple[str, bool]:
    """L* of every pipeline that uses these operators: order and repetition do not matter to a join."""
    asked = [RULE[treatment] if id == "rule" else ASKED[id] for id in used]
    return CHAIN[max((CHAIN.index(iso) for iso, _ in asked), default=0)], any(cb for _, cb in asked)


def subsets() -> list[frozenset[str]]:
    """The operators that a pipeline may use: every set but the empty one."""
    return [frozenset(chosen) for size in range(1, 5) for chosen in combinations(OPERATORS, size)]


# -- running pairs -----------------------------------------------------------------------------------------------------


def chosen(id: str, first: Row, second_: Row, votes: dict[str, int]) -> int:
    """0 or 1: whom an operator elects."""
    if id in votes:
        return votes[id]
    keys = [(row.confidence if id == "evi" else 0, row.start, row.id) for row in (first, second_)]
    return int(keys[1] > keys[0])


def chain(ids: tuple[str, ...], pair: tuple[Row, Row], votes: dict[str, int], ring: Ring) -> list[tuple[Row, Row, Any]]:
    """The emissions of a pipeline at time 3: stamped winner, loser, merged provenance; both keep their places."""
    members, found = list(pair), []
    for id in ids:
        place = chosen(id, members[0], members[1], votes)
        loser = members[1 - place]
        merged = ring.plus(members[place].prov, loser.prov)
        members[place] = members[place]._replace(start=3, prov=merged, strategy=id)
        found.append((members[place], loser, merged))
    return found


def pairs(ring: Ring, confidences: tuple[float, ...] = (0.2, 0.8)) -> Iterator[tuple[Row, Row]]:
    """Two facts that contradict."""
    for confidence in confidences:
        yield Row("a", "x", (0, 2), 1, ring.token("a")), Row("b", "y", (0, 2), 2, ring.token("b"), confidence)


def told_apart(ids: tuple[str, ...]) -> Iterator[dict[str, int]]:
    """Every two votes."""
    for one, other in product((0, 1), repeat=2):
        yield {"await": one, "rule": other}


def refused(pair: tuple[Row, Row], emissions: list[tuple[Row, Row, Any]], times: tuple[int, int]) -> bool:
    """Whether a table with the keys of Table 12 refuses what two steps emit at some times, each written as one."""
    table = Machine(rows=[pair[0]])
    holder = pair[0]
    try:
        for (winner, loser, merged), now in zip(emissions, times, strict=True):
            if winner.id != holder.id:
                table._close(holder, now)
                holder = winner._replace(start=now)
                table._insert(holder)
            table._insert(loser._replace(id=f"audit::{loser.id}::{now}", start=now, prov=merged, kind="audit"))
    except Refused:
        return True
    return False


@second("Tab10.run")
def run_pairs(id: str) -> Found:
    """All pairs of operators: emitted, and written at one time, and at two."""
    ring = RINGS["multidegree"]
    runs = [
        (pair, chain(ids, pair, votes, ring))
        for ids in product(OPERATORS, repeat=2)
        for pair in pairs(ring)
        for votes in told_apart(ids)
    ]
    emitted = sum(all(ring.leq(loser.prov, merged) for _, loser, merged in emissions) for _, emissions in runs)
    bad = sum(refused(pair, emissions, (3, 3)) for pair, emissions in runs)
    repaired = not any(refused(pair, emissions, (3, 4)) for pair, emissions in runs)
    says = (
        f"{emitted} of {len(runs)} runs emit",
        f"{bad} of {len(runs)} cannot be written",
        f"all are written: {yes(repaired)}",
    )
    return Found(after_repair(not bad, repaired), says)


def idempotent(ring: Ring) -> bool:
    """Whether every operator concludes twice what it concludes once."""
    return all(
        (one[0].id, one[2]) == (two[0].id, two[2])
        for id in OPERATORS
        for pair in pairs(ring)
        for votes in told_apart((id,))
        for one, two in [chain((id, id), pair, votes, ring)]
    )


@second("Tab10.idempotent.*")
def idempotent_in(id: str) -> Found:
    """In one carrier: run, and by its law a ⊕ b ⊕ b = a ⊕ b on two tokens."""
    ring = RINGS[id.rpartition(".")[2]]
    a, b = ring.token("a"), ring.token("b")
    assert idempotent(ring) == (ring.plus(ring.plus(a, b), b) == ring.plus(a, b))
    return Found("holds" if idempotent(ring) else "refuted")


@second("Tab10.idempotent")
def idempotent_everywhere(id: str) -> Found:
    """In every carrier."""
    good = {name: idempotent(ring) for name, ring in RINGS.items()}
    assert good
    says = [name for name in good]
    tail = stored()[id].detail.split("not for")
    sides = [
        [name for name in good if name in part.replace(",", " ").replace(":", " ").replace(";", " ").split()]
        for part in tail
    ]
    right = sides == [[n for n in good if good[n]], [n for n in good if not good[n]]]
    return Found(all_of(good.values()), tuple(says) if right else ("other carriers",))


#: Table 10, transcribed row by row.
TABLE = """
RC     SI     RC+cb   SRp
SI     SI     SI+cb   SRp
RC+cb  SI+cb  RC+cb   SRp+cb
SRp    SRp    SRp+cb  SRp
"""


@second("Tab10")
def table_10(id: str) -> Found:
    """Each cell as the least of the six levels that has what both operators ask for: by inclusion, not by joining."""
    rows = [line.split() for line in TABLE.split("\n") if line]
    numbers = []
    for treatment, hiding in (("level", True), ("pin", True), ("pin", False)):
        right = 0
        for (i, one), (j, other) in product(enumerate(OPERATORS), repeat=2):
            asked = [RULE[treatment] if name == "rule" else ASKED[name] for name in (one, other)]
            above = [
                (iso, cb)
                for iso in CHAIN
                for cb in (False, True)
                if all(CHAIN.index(a) <= CHAIN.index(iso) and c <= cb for a, c in asked)
            ]
            iso, cb = above[0]  # weakest first: every other one above asks for more
            pinned = treatment == "pin" and "rule" in (one, other)
            text = "SRp" if iso == "SR" or (pinned and hiding) else f"{iso}+SRp" if pinned else iso
            right += text + ("+cb" if cb else "") == rows[i][j]
        numbers.append(right)
    words = ("SR in L", "a pin outside L, the underlying join left out", "as the caption says")
    says = [f"{each}: {right} of 16 cells as printed" for each, right in zip(words, numbers, strict=True)]
    return Found(all_of([number == 16 for number in numbers]), tuple(says))


# -- Theorem 4 ---------------------------------------------------------------------------------------------------------


@second("T4.iso")
def iso(id: str) -> Found:
    """N1 by counting sequences of votes that are not all alike, calls by the oracle; the others by enumeration."""
    others = all(smallest(name, level) is None for name, level in GUARD.items() if name != "N1")
    total, bad, texts = 0, 0, set()
    for length in (1, 2):
        for ids in product(OPERATORS, repeat=length):
            asks = sum(name in ("await", "rule") for name in ids)
            for runs in (1, 2) if asks else ():
                total += 2 ** (asks * runs)
                if "rule" in ids:
                    bad += 2 ** (asks * runs) - 2
                for votes in product((0, 1), repeat=asks * runs):
                    calls = iter(votes)
                    texts.add(
                        (
                            len(set(votes)) > 1,
                            " ".join(
                                " ".join([*(f"j{n}(R, theta)={next(calls)}" for _ in range(asks)), f"c{n}"])
                                for n in range(1, runs + 1)
                            ),
                        )
                    )
    assert all(at(text, "SR+cb") and shows(text, "N1") == differ for differ, text in texts)
    # With the log read first the first vote is the only one.
    reading = not any(shows(f"j1(R, theta)={vote} c1 c2", "N1") for vote in (0, 1))
    says = (f"line 14 as printed: {bad} of {total} runs show N1", f"0 of {total} runs")
    return Found(all_of([others and not bad, others and reading]), says)


@second("T4.schema")
def schema(id: str) -> Found:
    """Requirements by sets; emissions of every pipeline in every carrier; audit rows of the two modes."""
    number, wrong = 0, 0
    for ring in RINGS.values():
        for length in (1, 2, 3):
            for ids in product(OPERATORS, repeat=length):
                confidences = (0.2, 0.8) if "evi" in ids else (0.8,)
                asked = [name for name in ("await", "rule") if name in ids]
                for pair in pairs(ring, confidences):
                    for votes in product((0, 1), repeat=len(asked)):
                        number += 1
                        emissions = chain(ids, pair, dict(zip(asked, votes, strict=True)), ring)
                        merged = [each[2] for each in emissions]
                        wrong += not all(ring.leq(loser.prov, whole) for _, loser, whole in emissions)
                        wrong += not all(ring.leq(one, two) for one, two in pairwise(merged))
    base, kept = (sum(row.kind == "audit" for ran in every(mode) for row in ran.rows) for mode in ("base", "audit_row"))
    says = (f"{number} runs of every pipeline", f"keeps {base} audit rows", f"in mode audit_row {kept}")
    return Found("refuted" if wrong else "holds", says)


FUZZY = "r1[x0] w2[x1] c2 r1[x1] c1"
POLICY_FUZZY = "r1[policy:p0] w2[policy:p1] c2 r1[policy:p1] c1"


@second("T4.policy")
def policy(id: str) -> Found:
    """Whether ⊕c leaves L* as the other steps have it, in both treatments, and a schedule that only one admits."""
    same = {t: all(wanted(used, t) == wanted(used - {"rule"}, t) for used in subsets()) for t in RULE}
    admitted = at(FUZZY, "RC+SR@policy") and shows(FUZZY, "P2") and not at(FUZZY, "SR")
    return Found(all_of([same["pin"], same["level"]]), (f"shows P2 on an operand: {yes(admitted)}",))


@second("T4.policy.disjoint")
def disjoint(id: str) -> Found:
    """The stored schedule, by the oracle."""
    text = stored()[id].counterexample
    bad = at(text, "SI+SR@policy") and shows(text, "P3")
    return Found("refuted" if bad else "holds", (f"at SR everywhere: {yes(at(text, 'SR'))}",))


@second("C3.surface")
def surface(id: str) -> Found:
    """Declarations (L*, M*) and contracts, by the sets of operators that pipelines use."""
    says, clear = [], []
    for treatment in ("level", "pin"):
        contracts: dict[tuple[str, bool], set[bool]] = {}
        for used in subsets():
            pinned = treatment == "pin" and "rule" in used
            contracts.setdefault(wanted(used, treatment), set()).add(pinned)
        several = sum(len(found) > 1 for found in contracts.values())
        clear.append(not several)
        says.append(f"⊕c as {treatment}: {len(contracts)} declarations, {several} of which")
    apart = at(POLICY_FUZZY, "RC") and not at(POLICY_FUZZY, "RC+SR@policy")
    return Found(all_of(clear), (*says, f"meets the one and not the other: {yes(apart)}"))


# -- Allen's relations as orders of endpoints --------------------------------------------------------------------------

#: Endpoints of x, y, z as nodes; an edge (p, q, strict) says p ≤ q, or p < q.
Edges = list[tuple[str, str, bool]]


def relations() -> list[str]:
    """Allen's relations as the signs of the four comparisons of endpoints, those that are consistent."""
    return ["".join(signs) for signs in product("<=>", repeat=4) if consistent(edges("x", "y", "".join(signs)))]


def edges(one: str, other: str, signs: str) -> Edges:
    """Start and end of one against start and end of the other, and that each begins before it ends."""
    found: Edges = [(f"{one}-", f"{one}+", True), (f"{other}-", f"{other}+", True)]
    places = product((f"{one}-", f"{one}+"), (f"{other}-", f"{other}+"))
    for (p, q), sign in zip(places, signs, strict=True):
        found += {"<": [(p, q, True)], ">": [(q, p, True)], "=": [(p, q, False), (q, p, False)]}[sign]
    return found


def consistent(constraints: Edges) -> bool:
    """Whether no cycle of them has a strict edge: then numbers fulfil them (Warshall's closure, two weights)."""
    nodes = {node for p, q, _ in constraints for node in (p, q)}
    best: dict[tuple[str, str], bool] = {}
    for p, q, strict in constraints:
        best[p, q] = best.get((p, q), False) or strict
    for k, i, j in product(sorted(nodes), repeat=3):
        if (i, k) in best and (k, j) in best:
            best[i, j] = best.get((i, j), False) or best[i, k] or best[k, j]
    return not any(best.get((node, node), False) for node in nodes)


def composition(first: str, then: str, known: list[str]) -> frozenset[str]:
    """The relations of x to z that go with x first y, y then z."""
    base = edges("x", "y", first) + edges("y", "z", then)
    return frozenset(found for found in known if consistent(base + edges("x", "z", found)))


EQUALS = "=<>="  # x- = y-, x- < y+, x+ > y-, x+ = y+


def converse(signs: str) -> str:
    """The same of y and x."""
    a, b, c, d = list(signs.translate(str.maketrans("<>", "><")))
    return a + c + b + d


@second("T4.allen")
def allen(id: str) -> Found:
    """Thirteen relations, their compositions, and the laws."""
    known = relations()
    table = {(r, s): composition(r, s, known) for r in known for s in known}
    laws = all(table[r, EQUALS] == table[EQUALS, r] == {r} for r in known) and all(
        frozenset(map(converse, found)) == table[converse(s), converse(r)] for (r, s), found in table.items()
    )
    laws &= all(
        frozenset().union(*(table[x, t] for x in table[r, s])) == frozenset().union(*(table[r, x] for x in table[s, t]))
        for r, s, t in product(known, repeat=3)
    )
    sharing = sum(signs[1] == "<" and signs[2] == ">" for signs in known)
    says = (
        f"{len(known)} relations, of which exactly one holds of two periods; {sharing} share an instant",
        f"{len(table)} compositions, each a set of the thirteen, {sum(map(len, table.values()))} entries in all; "
        f"{sum(len(found) == 1 for found in table.values())} are one relation, "
        f"{sum(len(found) == len(known) for found in table.values())} are all",
    )
    return Found("holds" if laws and all(table.values()) else "refuted", says)


@second("T4.allen.twelve")
def twelve(id: str) -> Found:
    """Without equality: as a table that leaves its row out, and as an algebra."""
    known = relations()
    others = [signs for signs in known if signs != EQUALS]
    table = {(r, s): composition(r, s, known) for r in others for s in others}
    identity = all(composition(r, EQUALS, known) == {r} == composition(EQUALS, r, known) for r in known)
    leaving = sum(EQUALS in found for found in table.values())
    says = (
        f"a table of {len(table)} compositions",
        f"{leaving} of the compositions have equals",
        f"{sum(len(found) == 1 for found in table.values())} of the {prod((len(others),) * 2)} are one relation",
    )
    return Found(all_of([identity, not leaving]), says)


# -- what weakening exposes --------------------------------------------------------------------------------------------


@second("Alg1.exposes")
def exposes(id: str) -> Found:
    """Each stored schedule by the oracle; what a pin admits also by whether the enumeration has such a schedule."""
    says, below, admitted = [], [], {}
    for line in stored()[id].evidence:
        head, _, rest = line.partition(": ")
        text = rest.rpartition(": ")[0]
        glyph, name = head.split(", ")[0], head.split(", ")[1].split(" at ")[0]
        place = head.split(" at ")[1].split(",")[0].removeprefix("its pin ")
        pin = head.split(" pin ")[1]
        if "below" in head:
            below.append(at(text, place) and shows(text, name) and not at(text, pin))
            says.append(f"{head}: {text}: {yes(below[-1])}")
        else:
            admitted[glyph] = at(text, pin) and shows(text, name)
            # The enumeration has one at the pin exactly if this is one; it stops before six events.
            assert admitted[glyph] == (smallest(name, pin, f"T1.tight.{name}.{pin}") is not None)
            says.append(f"{head}: {text}: {yes(admitted[glyph])}")
    assert len(below) == 4 and len(admitted) == 3
    definition_1 = not (admitted["⊕t"] or admitted["⊕p"])
    says.append(f"what the pin excludes, all are: {yes(definition_1)}")
    return Found(all_of([all(below), definition_1, not admitted["⊕?"]]), tuple(says))
