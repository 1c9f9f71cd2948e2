"""Table 10: the sixteen ordered pairs of operators, computed, run and written (TOKI 2026, Appendix B.8): Tab10.*."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, Final

from ..algebra import OPERATORS, Fact, Pipeline, Precondition, Resolution, Semiring
from ..algebra.audit import pack
from ..algebra.carriers import CARRIERS
from ..algebra.pipeline import PolicyTreatment
from ..stores import MemoryStore, StoreError
from .cells import Cells
from .model import Claim, Outcome
from .small_facts import MULTIDEGREE, day, fact, told

#: The cells as printed, by the operator applied first and the one applied second.
PRINTED: Final = {
    "lww": ("RC", "SI", "RC+cb", "SRp"),
    "evi": ("SI", "SI", "SI+cb", "SRp"),
    "await": ("RC+cb", "SI+cb", "RC+cb", "SRp+cb"),
    "rule": ("SRp", "SRp", "SRp+cb", "SRp"),
}
PAIRS: Final = tuple(product(OPERATORS, repeat=2))
#: What the oracles of the two elections vote.
VOTES: Final = (0, 1)


def cell(first: str, second: str) -> str:
    """A printed cell."""
    return PRINTED[first][list(OPERATORS).index(second)]


def spelled(found: Precondition, *, hiding: bool) -> str:
    """A composite as Table 10 would spell it: SR, or a pin of the policy table, is SRp. The caption applies the pin 'on
    top of the underlying product join'; `hiding` leaves that join out, as the cells do."""
    callback = "+cb" if found.cb else ""
    if found.iso == "SR":
        return f"SRp{callback}"
    if found.pins:
        return f"SRp{callback}" if hiding else f"{found.iso}+SRp{callback}"
    return f"{found.iso}{callback}"


def _table(cells: Cells) -> Outcome:
    readings: tuple[tuple[str, PolicyTreatment, bool], ...] = (
        ("SR in L", "level", True),
        ("a pin outside L, the underlying join left out", "pin", True),
        ("a pin outside L on top of the underlying join, as the caption says", "pin", False),
    )
    evidence: list[str] = []
    agreeing: dict[str, bool] = {}
    for words, treatment, hiding in readings:
        wrong: list[str] = []
        behind: dict[str, set[tuple[str, bool]]] = {}
        for first, second in PAIRS:
            found = Pipeline[Any].of(first, second).precondition(treatment)
            text = spelled(found, hiding=hiding)
            behind.setdefault(text, set()).add((found.iso, found.cb))
            if text != cell(first, second):
                wrong.append(f"{OPERATORS[second].glyph} ∘ {OPERATORS[first].glyph} is {text}")
        hidden = sorted(text for text, elements in behind.items() if len(elements) > 1)
        agreeing[words] = not wrong
        blurred = f"; {', '.join(hidden)} stands for several elements of L" if hidden else ""
        more = f" ({wrong[0]}, printed {cell('lww', 'rule')})" if wrong else ""
        evidence.append(f"⊕c as {words}: {len(PAIRS) - len(wrong)} of {len(PAIRS)} cells as printed{more}{blurred}")
    bound = f"the {len(PAIRS)} ordered pairs"
    verdict = "holds" if all(agreeing.values()) else "depends" if any(agreeing.values()) else "refuted"
    detail = (
        "all printed cells are joins where ⊕c is SR in L, and then each cell is one element; with the pin outside L "
        "the "
        "cells of ⊕c print SRp alone, which hides whether RC or SI is asked of all other tables, against the caption"
    )
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(evidence))


def runs(
    first: str, second: str, carrier: Semiring[Any]
) -> Iterator[tuple[tuple[Fact[Any], Fact[Any]], list[Resolution[Any]]]]:
    """A pair of operators on contradicting facts: either confidence higher, and every two votes."""
    for confidence, one, other in product((0.2, 0.8), VOTES, VOTES):
        pair = (
            fact("a", "x", at=1, carrier=carrier),
            fact("b", "y", at=2, confidence=confidence, carrier=carrier),
        )
        oracles = {"await": lambda members, vote=one: vote, "rule": lambda members, vote=other: vote}
        chain = Pipeline[Any].of(first, second).run(*pair, now=day(3), carrier=carrier, oracles=oracles)
        yield pair, chain


def persist(pair: tuple[Fact[Any], Fact[Any]], chain: list[Resolution[Any]], *, rising: bool) -> str:
    """Write what the steps emit, in one transaction, as Algorithm 1 writes one step: what the store refuses, or "".

    `rising`: each step at an instant of its own, as if run then; otherwise all at the version time of the pipeline.
    """
    store = MemoryStore(MULTIDEGREE)
    transaction = store.begin()
    transaction.insert(pair[0])
    current = pair[0]
    try:
        for number, step in enumerate(chain):
            at = day(3 + number) if rising else day(3)
            winner = replace(step.winner, system_time_start=at)
            if (winner.fact_id, winner.object) != (current.fact_id, current.object):
                transaction.close(current, at)
                transaction.insert(winner)
                current = winner
            transaction.insert(pack(replace(step.audit, system_time=at), step.loser))
        transaction.commit()
    except StoreError as error:
        return str(error)
    finally:
        transaction.rollback()
    return ""


def _run(cells: Cells) -> Outcome:
    """Every pair of operators on a contradicting pair, in the algebra and through a store."""
    emitted = refused = total = 0
    example: tuple[str, ...] = ()
    unrepaired: list[str] = []
    for first, second in PAIRS:
        for pair, chain in runs(first, second, MULTIDEGREE):
            total += 1
            emitted += len(chain) == 2 and all(
                MULTIDEGREE.leq(step.loser.provenance, step.audit.provenance) for step in chain
            )
            error = persist(pair, chain, rising=False)
            if error:
                refused += 1
                example = example or (
                    f"⟨{OPERATORS[first].glyph}, {OPERATORS[second].glyph}⟩ on {told(pair[0])} and {told(pair[1])}",
                    *(f"step {n}: {s.winner.fact_id} wins against {s.loser.fact_id}" for n, s in enumerate(chain, 1)),
                    f"refused: {error}",
                )
            if persist(pair, chain, rising=True):
                unrepaired.append(f"{first}, {second}")
    evidence = (
        *example,
        f"{emitted} of {total} runs emit two audit tuples, each above its loser; {refused} of {total} cannot be "
        "written",
        "Remark 2 admits a pair to one operator a transaction, so Algorithm 1 itself runs no pipeline: its second "
        "step needs "
        "another fact, or the loser written again",
    )
    bound = f"{total} runs: {len(PAIRS)} pairs, either confidence higher, every two votes"
    if emitted < total:
        return Outcome("refuted", "exhaustive", "a pair does not run", bound=bound, evidence=evidence)
    if not refused:
        return Outcome("holds", "exhaustive", "every pair runs and is written", bound=bound, evidence=evidence)
    detail = (
        "every pair runs as functions; written in one transaction at one version time t_s (Theorem 4, Remark 2), two "
        "losses "
        "of one fact make two audit rows with one key audit::loser::t_s, and a winner of that instant cannot be closed"
    )
    repair = (
        "give each step an instant of its own, or put the step into the key: then all are written: "
        f"{'no' if unrepaired else 'yes'}"
    )
    verdict = "refuted" if unrepaired else "holds-repaired"
    return Outcome(verdict, "exhaustive", detail, repair=repair, bound=bound, evidence=evidence)


def _idempotent(name: str) -> Claim:
    ring = CARRIERS[name]

    def judge(cells: Cells) -> Outcome:
        same_winner, lines = True, []
        for id, found in OPERATORS.items():
            for pair, (once, twice) in runs(id, id, ring):
                same_winner &= once.winner.fact_id == twice.winner.fact_id
                if once.audit.provenance != twice.audit.provenance:
                    one, two = ring.text(once.audit.provenance), ring.text(twice.audit.provenance)
                    lines.append(f"{found.glyph} on {told(pair[0])} and {told(pair[1])}: {one}, then {two}")
        detail = "the winner is the same" if same_winner else "another winner"
        bound = "each operator twice, either confidence higher, every two votes, facts annotated with one token each"
        if not lines and same_winner:
            return Outcome("holds", "exhaustive", f"{detail}, and so is the merged provenance", bound=bound)
        return Outcome(
            "refuted",
            "exhaustive",
            f"{detail}; the loser's provenance is added once more by the second step: p_w ⊕ p_l ⊕ p_l",
            repair="true in carriers with a ⊕ a = a; otherwise call it idempotent on winners",
            bound=bound,
            evidence=tuple(lines[:1]),
        )

    return Claim(
        f"Tab10.idempotent.{name}",
        "TOKI 2026, Appendix B.8 ('idempotent self-composition ⊕a ∘ ⊕a')",
        f"over {name}, an operator applied twice concludes what it concludes once",
        "the same winner and the same merged provenance in the audit tuple; an oracle that votes alike",
        judge,
    )


IDEMPOTENT = tuple(map(_idempotent, CARRIERS))


def _all_idempotent(cells: Cells) -> Outcome:
    verdicts = {claim.id.rpartition(".")[2]: claim.decide(cells) for claim in IDEMPOTENT}
    yes = [name for name, outcome in verdicts.items() if outcome.verdict == "holds"]
    no = [name for name in verdicts if name not in yes]
    first = verdicts[no[0]].evidence if no else ()
    detail = f"where ⊕ is idempotent: {', '.join(yes)}; not for {', '.join(no) or 'none'}"
    verdict = "depends" if yes and no else "holds" if yes else "refuted"
    evidence = (*(f"{no[0]}: {line}" for line in first),)
    return Outcome(verdict, "exhaustive", detail, bound=f"{len(verdicts)} carriers", evidence=evidence)


PAIR_CLAIMS = (
    Claim(
        "Tab10",
        "TOKI 2026, Table 10",
        "the sixteen printed cells are the joins of the preconditions of the two operators",
        "SRp abbreviates SR^policy, applied 'on top of the underlying product join'; ⊕c in both treatments",
        _table,
    ),
    Claim(
        "Tab10.run",
        "TOKI 2026, Appendix B.8, Theorem 4, Remark 2",
        "each of the sixteen pairs can be run on a contradicting pair under one transaction at one version time",
        "as functions, and written to a table with the keys of Table 12 and Appendix C.2",
        _run,
    ),
    Claim(
        "Tab10.idempotent",
        "TOKI 2026, Appendix B.8",
        "the four diagonal cells are idempotent self-compositions",
        "an operator applied twice concludes what it concludes once: winner and merged provenance",
        _all_idempotent,
    ),
    *IDEMPOTENT,
)
