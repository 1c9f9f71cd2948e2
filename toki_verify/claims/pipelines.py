"""What a composite guarantees and declares (TOKI 2026, Theorem 4, Corollary 3): T4.iso, T4.schema, T4.policy, C3."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any, Final

from ..algebra import OPERATORS, Fact, Pipeline, Precondition, Resolution
from ..algebra.carriers import CARRIERS
from ..algebra.preconditions import REQUIREMENTS, composite
from ..events import Schedule
from .cells import Cells
from .composition_grid import TREATMENTS, pipelines
from .judged import at, shows, yes
from .model import Claim, Outcome
from .pipeline_iso import ISO_CLAIM
from .small_facts import day, fact, told
from .small_histories import every_run

_WHERE = "TOKI 2026, Theorem 4"
#: Pipelines that are run over every carrier, and in the largest census.
RUN, LONGEST = 3, 5


def emissions(carrier: Any) -> Iterator[tuple[Pipeline[Any], tuple[Fact[Any], Fact[Any]], list[Resolution[Any]]]]:
    """Every pipeline up to a length on small contradicting pairs: either confidence higher and every two votes, where a
    step looks at them."""
    for found in pipelines(RUN):
        votes = [(0, 1) if found.steps.count(OPERATORS[id]) else (0,) for id in ("await", "rule")]
        confidences = (0.2, 0.8) if found.steps.count(OPERATORS["evi"]) else (0.8,)
        for confidence, one, other in product(confidences, *votes):
            pair = fact("a", "x", at=1, carrier=carrier), fact("b", "y", at=2, confidence=confidence, carrier=carrier)
            oracles = {"await": lambda members, vote=one: vote, "rule": lambda members, vote=other: vote}
            yield found, pair, found.run(*pair, now=day(3), carrier=carrier, oracles=oracles)


def _kept(mode: str) -> int:
    return sum(row.row_kind == "audit" for found in every_run(mode) for row in found.rows)


def _schema(cells: Cells) -> Outcome:
    """Requirements join to the largest; every audit of a chain is above its loser and above the audits before it."""
    wrong = []
    for length in range(1, 5):
        for steps in product(REQUIREMENTS, repeat=length):
            joined = composite(Precondition(schema=each) for each in steps).schema
            if (joined == "audit-row") != ("audit-row" in steps):
                wrong.append(f"{steps}: {joined}")
    number = 0
    for name, ring in CARRIERS.items():
        for found, pair, chain in emissions(ring):
            number += 1
            glyphs = ", ".join(step.glyph for step in found.steps)
            audits = [step.audit.provenance for step in chain]
            held = all(ring.leq(step.loser.provenance, step.audit.provenance) for step in chain)
            if not (held and all(ring.leq(*two) for two in pairwise(audits))):
                wrong.append(
                    f"{name}, ⟨{glyphs}⟩ on {told(pair[0])} and {told(pair[1])}: {list(map(ring.text, audits))}"
                )
    needs = {each.precondition().schema for each in pipelines(LONGEST)}
    bound = (
        f"every sequence of up to 4 requirements; {number} runs of every pipeline of up to {RUN}, {len(CARRIERS)} "
        "carriers"
    )
    if wrong:
        return Outcome("refuted", "exhaustive", f"{len(wrong)} fail", bound=bound, evidence=tuple(wrong[:3]))
    evidence = (
        f"all four operators require audit-row, so M* is {' or '.join(sorted(needs))} for every pipeline: the axis "
        "declares "
        "nothing",
        f"in mode base the write path keeps {_kept('base')} audit rows after all small histories, in mode audit_row "
        f"{_kept('audit_row')}",
        "the loser of a step that overturns the one before is the earlier winner, with its merged provenance: "
        "dominated, too",
        "that the emitted tuples can be kept in one transaction is another matter: Tab10.run",
    )
    detail = "one step that requires audit-row forces the composite; each audit tuple of a chain is above its loser"
    return Outcome("holds", "exhaustive", detail, bound=bound, evidence=evidence)


#: Schedules that tell the treatments of ⊕c apart. A fuzzy read of an operand, one of the policy, and a policy phantom
#: that closes its cycle through an operand: the rule is added when the transaction that saw none has committed.
FUZZY: Final = "r1[x0] w2[x1] c2 r1[x1] c1"
POLICY_FUZZY: Final = "r1[policy:p0] w2[policy:p1] c2 r1[policy:p1] c1"
CROSSED: Final = 'r1{policy:"active":} r2[x0] w1[x1] c1 w2[+policy:n1 in "active"] c2'


def _policy(cells: Cells) -> Outcome:
    outside = all(
        found.precondition("pin").iso
        == composite(step.precondition for step in found.steps if not step.precondition.pins).iso
        for found in pipelines(LONGEST)
    )
    alone = Pipeline[Any].of("rule")
    pinned, level = alone.precondition("pin"), alone.precondition("level")
    admitted = at(FUZZY, "RC+SR@policy") and shows(FUZZY, "P2") and not at(FUZZY, "SR")
    evidence = (
        f"⟨⊕c⟩: {pinned} with the pin outside L, {level} as a level",
        f"{FUZZY} is at RC+SR@policy and shows P2 on an operand: {'yes' if admitted else 'no'}; a grid that counts "
        "⟨⊕c⟩ as SR "
        "has this as a dominating cell that admits nothing",
        "SR in L: Table 13 ('PerRule at SR', Appendix C.2), Table 23 (Grid.compose: the counts come out only so)",
        "outside L: Theorem 4 (4), Lemma 2, Table 10's caption; Definition 1 wants req(⊕c) ∈ L and names no element: "
        "RC here",
    )
    detail = (
        "true by definition where the pin stays outside L: the L* of every pipeline is that of its other steps; not "
        "the "
        "reading of Table 13 and Table 23, in which every pipeline with ⊕c asks for SR everywhere"
    )
    bound = f"every pipeline of up to {LONGEST} operators"
    verdict = "depends" if outside and admitted else "refuted"
    return Outcome(verdict, "exhaustive", detail, witnesses=(Schedule.parse(FUZZY),), bound=bound, evidence=evidence)


def _disjoint(cells: Cells) -> Outcome:
    schedule = Schedule.parse(CROSSED)
    refuted = at(CROSSED, "SI+SR@policy") and shows(CROSSED, "P3") and not at(CROSSED, "SR")
    if not refuted:
        return Outcome("undecided", "exhaustive", "the schedule does not show it")
    locked = CROSSED.index("w2[+policy") < CROSSED.index("c1")
    detail = (
        "serializability of a table by itself does not compose: the phantom on the policy table closes its cycle "
        "through an "
        "operand, where only SI is asked for"
    )
    evidence = (
        f"{CROSSED}: at SI+SR@policy, shows P3; T1 reads that no rule is active and writes x; T2 reads x as it was "
        "and adds a rule; no cycle of two transactions is shorter",
        f"a predicate lock on the policy table that T1 holds until it commits delays the insert: {yes(locked)}; T1 has "
        "committed before",
        f"at SR everywhere: {yes(at(CROSSED, 'SR'))}",
    )
    repair = "SR for every table that a transaction with ⊕c touches (the treatment of Tables 13 and 23)"
    return Outcome(
        "refuted", "exhaustive", detail, counterexample=schedule, repair=repair, bound="one schedule", evidence=evidence
    )


def _surface(cells: Cells) -> Outcome:
    """Whether pipelines that declare the same ask for the same."""
    lines, ambiguous = [], {}
    for treatment in TREATMENTS:
        asked: dict[tuple[str, str], dict[str, Pipeline[Any]]] = {}
        for found in pipelines(LONGEST):
            contract = found.precondition(treatment)
            asked.setdefault((contract.level, contract.schema), {}).setdefault(str(contract), found)
        several = {declared: every for declared, every in asked.items() if len(every) > 1}
        ambiguous[treatment] = len(several)
        lines.append(
            f"⊕c as {treatment}: {len(asked)} declarations, {len(several)} of which stand for several contracts"
        )
        for (level, schema), every in list(several.items())[:1]:
            names = " and ".join(f"⟨{', '.join(step.glyph for step in each.steps)}⟩" for each in every.values())
            lines.insert(0, f"{names} both declare ({level}, {schema}): {' and '.join(every)}")
    told_apart = at(POLICY_FUZZY, "RC") and not at(POLICY_FUZZY, "RC+SR@policy")
    lines.insert(1, f"{POLICY_FUZZY} meets the one and not the other: {'yes' if told_apart else 'no'}")
    lines.append("L* is no scalar: SI and RC+cb are incomparable")
    lines.append(
        "θ and the log (H1) of an election, and the partition of N2 (Remark 1), are asked for beside (L*, M*), too"
    )
    detail = (
        "with the pin outside L, as Theorem 4 (4) has it, (L*, M*) does not say whether the policy table is pinned; "
        "with ⊕c "
        "at SR in L it says all of L and the schema"
    )
    bound = f"every pipeline of up to {LONGEST} operators"
    if not any(ambiguous.values()):
        return Outcome("holds", "exhaustive", "every declaration is one contract", bound=bound, evidence=tuple(lines))
    verdict = "depends" if not all(ambiguous.values()) and told_apart else "refuted"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=(Schedule.parse(POLICY_FUZZY),),
        repair="declare the pinned tables as a third component: then every declaration is one contract",
        bound=bound,
        evidence=tuple(lines),
    )


PIPELINE_CLAIMS = (
    ISO_CLAIM,
    Claim(
        "T4.schema",
        f"{_WHERE} (2)",
        "every loser of a pipeline is dominated by an audit tuple of the chain, and one step that requires audit-row "
        "forces it on the composite",
        "the emission chain as functions, whose audit tuples have no valid time (Definition 1); M* is the maximum",
        _schema,
    ),
    Claim(
        "T4.policy",
        f"{_WHERE} (4), Lemma 2",
        "the pin of the policy table stays outside L: the other tables stay at L*",
        "L* is the join over L_iso × L_cb; what ⊕c asks of the other tables is RC",
        _policy,
    ),
    Claim(
        "T4.policy.disjoint",
        "TOKI 2026, Lemma 2 ('compose through table-disjoint preconditions'), Table 9 (RULE-SI)",
        "SR on the policy table and SI on the others exclude the policy phantom",
        "P3 of SEMANTICS §3; SR@policy: the edges on the policy table are serializable",
        _disjoint,
    ),
    Claim(
        "C3.surface",
        "TOKI 2026, Corollary 3",
        "a deployment declares only (L*, M*): pipelines that declare the same ask for the same",
        "what a pipeline asks for: its precondition with pins; ⊕c in both treatments",
        _surface,
    ),
)
