"""Configuration axes: L4.read, L4.write, Prop6, Prop7 (TOKI 2026, App. B.7 Lemma 4, C.7 Proposition 6, D.5).

What is formal in them is decided over every table of a small size (`wire_models`); what speaks of deployed systems
or of benchmarks is out of scope, each with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Final

from .cells import Cells
from .judged import yes
from .model import Claim, Outcome
from .wire_models import (
    COMPOSITES,
    PLACES,
    Hypothesis,
    always_def,
    apart,
    chains,
    changes_verdict,
    counted,
    def_everywhere,
    delta,
    depends,
    due_to_algebra,
    every_verdict,
    every_verdict_and_state,
    first_dependent,
    monotone_in_some_order,
    own_verdict,
    pipelines,
    same_read_side,
    told,
    wire_verdicts,
)

_B7: Final = "TOKI 2026, Appendix B.7, Lemma 4"
#: What "V_i is invariant" may say, weaker first; the last one is the repair.
INVARIANT: Final[dict[str, Hypothesis]] = {
    "each verdict, run alone": own_verdict,
    "each verdict, from every state": every_verdict,
    "each verdict and each committed state": every_verdict_and_state,
}
REPAIR: Final = "each verdict and each committed state"


def _read(cells: Cells) -> Outcome:
    table = {
        (words, composite): counted(hypothesis, 2, composite)
        for words, hypothesis in INVARIANT.items()
        for composite in COMPOSITES
    }
    broken = {words: sum(table[words, composite][1] for composite in COMPOSITES) for words in INVARIANT}
    longer = sum(counted(INVARIANT[REPAIR], 3, composite)[1] for composite in COMPOSITES)
    pairs = apart(INVARIANT[REPAIR])
    closed = all(one == other for one, other in pairs) and not longer and not broken[REPAIR]
    literal = [words for words in INVARIANT if words != REPAIR and broken[words]]
    strongest = literal[-1] if literal else None
    found = first_dependent(INVARIANT[strongest], "last") if strongest else None
    smaller = sum(counted(INVARIANT[words], *size)[1] for words in literal for size in ((1, "last", 2), (2, "last", 1)))
    evidence = (
        *(f"⊕{place}: {told(operator)}" for place, operator in enumerate(found or (), 1)),
        *(
            ("each is invariant from every state; ⊕1 commits the knob, ⊕2 votes what it reads: the composite differs",)
            if found and strongest == "each verdict, from every state"
            else ()
        ),
        f"with one operator, or one state, {smaller} depend on the knob",
        *(
            f"invariant: {words}; verdict of the composite: {composite}; {number} pairs of operators, {bad} depend on "
            "the knob"
            for (words, composite), (number, bad) in table.items()
        ),
        f"repaired, three operators: {longer} depend; any length: two runs can be in the states {sorted(pairs)} only",
    )
    detail = (
        "the hypothesis speaks of verdicts; the proof uses that the committed state 'by clause (1) hypothesis does not "
        "depend on the read-path knobs', which it does not say. A knob that leaves every verdict alone and changes "
        "what is stored shows an operator later. V_i is declared on C_W and said to be invariant on C_R. With 'affects "
        f"only how R ranks' (Definition 10) as 'changes neither vote nor store', it composes: {yes(closed)}; but its "
        "list has vector normalization, which changes what is stored"
    )
    return Outcome(
        "refuted" if not closed else "holds-repaired" if literal else "holds",
        "exhaustive",
        detail,
        repair="every V_i and every committed state is invariant on C_R" if literal else "",
        bound="every pair of operators over two states, two configurations and two verdicts; repaired: any length",
        evidence=evidence,
        repair_verdict="holds" if closed and literal else "",
    )


def _write(cells: Cells) -> Outcome:
    dependent = [pair for pair in chains(lambda table: True, 2) if not all(map(own_verdict, pair))]
    masked = [pair for pair in dependent if not depends(pair, "last")]
    masked_all = [pair for pair in dependent if not depends(pair, "all")]
    alone = [pair for pair in chains(always_def, 2) if depends(pair, "last")]
    anywhere = [pair for pair in chains(def_everywhere, 2) if depends(pair, "last")]
    least = min(alone, key=lambda pair: sum(sum(map(sum, table)) for table in pair), default=())
    orders = list(product((0, 1), repeat=3))
    risen = all(map(monotone_in_some_order, orders))
    evidence = (
        *(f"⊕{place}: {told(operator)}" for place, operator in enumerate(least, 1)),
        f"each def, run alone, the composite is not: {len(alone)} pairs; each def from every state: {len(anywhere)}",
        f"some V_i depends, the composite does not: {len(masked)} of {len(dependent)} pairs by the last verdict, "
        f"{len(masked_all)} by all verdicts"
        + (f", e.g. ⊕1: {told(masked[0][0])}; ⊕2: {told(masked[0][1])}" if masked else ""),
        f"monotone: of three configurations, every function to {{def, trig}} rises in some order of them: {yes(risen)}",
    )
    some = len(masked) < len(dependent)
    detail = (
        f"'generally depends': some composite does: {yes(some)}; all do: {yes(not masked)}. 'Each def at every c, the "
        f"composite not': {yes(bool(alone))} of operators that are def when run alone, {yes(bool(anywhere))} of those "
        "that are def from every state. 'Non-monotone' has no meaning as it stands: neither C_W nor {trig, def, excl, "
        "n/a} is ordered. The mechanism (a store that depends on the knob, read later) is the one that clause (1) "
        "assumes away for C_R"
    )
    as_read = "depends" if masked or not anywhere else "holds"
    verdict = as_read if some and alone else "refuted"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        repair="a composite of operators that are each def when run alone may depend on c, and may not",
        bound="every pair of operators over two states, two configurations and two verdicts",
        evidence=evidence,
        repair_verdict="holds" if alone and masked and some else "",
    )


def _axes(cells: Cells) -> Outcome:
    every = list(product(pipelines(), repeat=2))
    matched = [(one, other) for one, other in every if one[1:] == other[1:]]
    printed = [pair for pair in matched if delta(*pair, printed=True)]
    algebra = [pair for pair in matched if delta(*pair)]
    explained = all(due_to_algebra(*pair) for pair in algebra)
    equal = [pair for pair in matched if pair[0][0] == pair[1][0] and delta(*pair)]
    otherwise = [pair for pair in every if due_to_algebra(*pair) and pair[0][1:] != pair[1][1:]]
    repaired = all(due_to_algebra(*pair) == (delta(*pair) != 0 and same_read_side(*pair)) for pair in every)
    silent = [pair for pair in matched if pair[0][0] != pair[1][0] and not delta(*pair)]
    lines = [
        f"as printed, J(S(R(q), q), ref): {len(printed)} of {len(matched)} pairs with R1 = R2 and S1 = S2 have a delta",
        f"with the store that A left as an input of R: {len(algebra)} of these pairs have one, all due to A: "
        f"{yes(explained)}; with equal A {len(equal)} have",
        f"A1 ≠ A2, R and S equal, and no delta: {len(silent)} pairs",
    ]
    if otherwise:
        (a1, r1, s1), (a2, r2, s2) = otherwise[0]
        lines.append(
            f"due to A although R or S differ: {len(otherwise)} pairs, e.g. stores {a1} and {a2}, R1 {r1}, R2 {r2}, S1 "
            f"{s1}, S2 {s2}: the delta goes when the stores are made equal, either way"
        )
    lines.append(f"a delta is due to A exactly where S1∘R1 and S2∘R2 agree on both stores: {yes(repaired)}")
    as_read = "depends" if otherwise or not printed else "holds"
    verdict = as_read if explained else "refuted"
    detail = (
        "A does not occur in the printed delta: with R1 = R2 and S1 = S2 it is 0 whatever the algebras do, so there is "
        f"nothing to attribute: {yes(not printed)}. With A's store as what R reads (Definition 9), matched pipelines "
        f"differ by A alone: {yes(explained)}; 'only when' fails: {yes(bool(otherwise))}, since R and S may differ and "
        "do the same together. What dominates where they differ is Prop6.dominance"
    )
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        repair="Δ with A in it; attributed to A exactly when S1∘R1 = S2∘R2 on the stores of both",
        bound=f"all {len(every)} pairs of pipelines over two stores, two candidates, two answers, one query",
        evidence=tuple(lines),
        repair_verdict="holds" if repaired else "refuted",
    )


#: What a knob of C_R may reach: by the first clause of Definition 10, and by its last.
RANKS: Final = "affects only how R ranks or filters, and the read step does not invoke R"
TRACE: Final = "its trace does not reach the vote-generating call"
REACHES: Final[dict[str, Callable[[frozenset[str]], bool]]] = {
    RANKS: lambda reached: not reached,
    TRACE: lambda reached: "vote" not in reached,
}


def _invariance(cells: Cells) -> Outcome:
    subsets = [frozenset(chosen) for size in range(len(PLACES) + 1) for chosen in combinations(PLACES, size)]
    changing = {words: [r for r in subsets if inside(r) and changes_verdict(r)] for words, inside in REACHES.items()}
    good = [words for words, found in changing.items() if not found]
    writing = wire_verdicts(frozenset({"vote"}))
    flips = any(one != other for one, other in writing)
    named = {words: "; ".join(" and ".join(sorted(reached)) for reached in found) for words, found in changing.items()}
    evidence = (
        *(f"C_R as '{words}': knobs that change a verdict reach: {said or 'none'}" for words, said in named.items()),
        "e.g. the vote is 0, stored is the knob, the read step tells whether 1 is stored: the verdict is the knob",
        f"a knob of C_W, which reaches the vote: {len(writing)} pairs of verdicts, some of them differ: {yes(flips)}",
    )
    detail = (
        "Definition 10 has two tests of C_R, which differ: what a knob affects (ranking only), and whether a trace "
        "reaches the vote. By the first, with a read step that does not invoke R, nothing that the knob reaches enters "
        f"the verdict, so the proposition holds by definition: {yes(RANKS in good)}; by the 'if and only if' it holds: "
        f"{yes(TRACE in good)}, since a knob may miss the vote and reach what is stored or read. A system that "
        "searches while it writes has top-k and rerankers before its vote: read-path by the list, write-path by trace. "
        f"That it fails on C_W, for some system: {yes(flips)}"
    )
    return Outcome(
        "refuted" if not good or not flips else "depends" if len(good) < len(REACHES) else "holds",
        "exhaustive",
        detail,
        repair="C_R: knobs that reach neither the vote, nor what is stored, nor the read step",
        bound="every vote, store and read step over two values each, every set of places that a knob reaches",
        evidence=evidence,
        repair_verdict="holds" if RANKS in good else "refuted",
    )


def _outside(reason: str) -> Callable[[Cells], Outcome]:
    return lambda cells: Outcome("out-of-scope", "measured", reason)


_WIRE: Final = (
    "an operator: a state and a configuration to a committed state and a verdict; a chain runs on what is stored"
)
CLAIMS: Final = (
    Claim(
        "L4.read",
        f"{_B7} (1)",
        "if every V_i is invariant on C_R, so is the verdict of the composite",
        f"{_WIRE}. V_i invariant: run alone, from every state, or with its state; the verdict: the last, or all",
        _read,
    ),
    Claim(
        "L4.write",
        f"{_B7} (2)",
        "if some V_i depends on C_W, the composite generally does; it need not be def where every V_i is; not monotone",
        f"{_WIRE}. 'generally' as some or all; V_i def when run alone, or from every state; no order is given",
        _write,
    ),
    Claim(
        "Prop6",
        "TOKI 2026, Appendix C.7, Definition 9, Proposition 6",
        "Δaccuracy is attributed to the algebra only when both pipelines retrieve and synthesize alike",
        "Δ as printed, or with the store that A left; due to A: a delta that goes when the algebras are made equal",
        _axes,
    ),
    Claim(
        "Prop6.dominance",
        "TOKI 2026, Appendix C.7, Proposition 6",
        "where R or S differ, the delta is dominated by that axis on workloads whose bottleneck it is",
        "no measure of an axis' share, of dominance or of a bottleneck is defined",
        _outside(
            "of benchmarks, judges and models, not of a definition: 'dominated' and 'bottleneck' have no measure in "
            "the paper, and shares of three axes add up only where they do not interact"
        ),
    ),
    Claim(
        "Prop7",
        "TOKI 2026, Appendix D.5, Definition 10, Proposition 7",
        "the wire verdict of a system is constant on C_R, and not on C_W",
        "C_R by what a knob affects, or by whether its trace reaches the vote; 'not on C_W' as for some system",
        _invariance,
    ),
    Claim(
        "Prop7.systems",
        "TOKI 2026, Appendix D.5, empirical witnesses",
        "of each pinned system, these knobs are in C_R, and the verdict triple is the same under all of them",
        "the systems at their pinned commits, the harness and its configurations",
        _outside(
            "a statement about the code and the runs of pinned systems: it takes their sources, models and services; "
            "six cells, or five seeds, would not show that a function is constant"
        ),
    ),
)
