"""Fixed θ, two θs, and the image of a prompt family: L3.fixed, L3.cross, Prop4 (TOKI 2026, App. B.6, Definitions 7, 8).

Lemma 3 writes the oracle J(R, θ), a function of θ; Definition 5, on which N1 rests, writes J(R, θ, ω). Both are
decided: for the first no engine is needed, for the second the image B is not a function of J and R.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Final

from ..events import Schedule
from .access_programs import exhibits, holds_at
from .cells import Cells
from .compliance import h1
from .judge_histories import returned_other, unpaired
from .judged import yes
from .keyed_log import DISCIPLINES, LOOKING, PROGRAMS, Oracle, histories, row_of
from .model import Claim, Outcome

_WHERE: Final = "TOKI 2026, Appendix B.6"
PINNED: Final = ("RC@judge_log", "SI@judge_log", "SR@judge_log")
#: Oracles that are functions of θ: votes that agree, and votes that do not.
FUNCTIONS: Final[tuple[Oracle, ...]] = (((0,), (0,)), ((0,), (1,)))
#: How many operators may abort in the histories of L3.fixed.
ABORTS: Final = 1
#: Prompts in the largest family that is tried.
LARGEST: Final = 6


#: A vote that is stated at a key: by a call, or in a row.
_STATED: Final = r"(?<=\bt{key}\))=(\d)|(?<=\bt{key}\)\"@\d)=(\d)"
_CALL: Final = re.compile(r"\bj(\d+)\(R, (t\d)\)=(\d)")


def renamed(text: str, key: int) -> str:
    """A history with the votes 0 and 1 exchanged at one θ."""
    return re.sub(_STATED.format(key=key), lambda found: f"={1 - int(found[0][1:])}", text)


def first_vote(text: str, key: int) -> str:
    """The first vote that a history states at a θ; "" where there is none."""
    found = re.search(_STATED.format(key=key), text)
    return found[0][1:] if found else ""


@cache
def canonical(discipline: str, aborts: int = 0) -> tuple[str, ...]:
    """The histories under a discipline, with so many aborts at most, whose first vote at each θ is 0: the others are
    these, renamed, and no level and no phenomenon tells votes apart but as equal or not."""
    found = histories(discipline, aborts=aborts)
    return tuple(text for text in found if "1" not in {first_vote(text, key) for key in (1, 2)})


def differing(text: str) -> bool:
    """Whether two calls at one key, of operators that commit, return different votes: no other history can show N1."""
    calls = {(key, vote) for name, key, vote in _CALL.findall(text) if f" c{name}" in text}
    return len(calls) > len({key for key, _ in calls})


@cache
def with_n1(discipline: str, aborts: int = 0) -> tuple[str, ...]:
    """Histories under a discipline that show N1, by the checker, those with fewer events first, up to renaming."""
    return tuple(text for text in canonical(discipline, aborts) if differing(text) and exhibits(text, "N1"))


def inconsistent(discipline: str, level: str) -> list[str]:
    """Those of them that are at a level."""
    return [text for text in with_n1(discipline, ABORTS) if holds_at(text, level)]


def has_rows(text: str) -> bool:
    """H1 with a row committed before each operator."""
    return not unpaired(Schedule.parse(text))


def _fixed(cells: Cells) -> Outcome:
    bare = cells.cell("N1", "SR+SR@judge_log")
    table = {name: {level: inconsistent(name, level) for level in PINNED} for name in DISCIPLINES}
    good = [name for name in DISCIPLINES if not table[name][PINNED[-1]]]
    bad = [name for name in DISCIPLINES if name not in good]
    needless = [name for name in good if not table[name]["SI@judge_log"]]
    shown = {name: table[name][PINNED[-1]] for name in bad}
    # Under Lemma 3's hypotheses: a row before each operator's commit, and a look before each call.
    under = [text for name in bad if name in LOOKING for text in shown[name] if has_rows(text)]
    example = min(under, key=lambda text: (len(Schedule.parse(text).events), text), default=None)
    functional = [text for name in DISCIPLINES for each in FUNCTIONS for text in histories(name, each)]
    without = [text for text in functional if exhibits(text, "N1")]
    closed = all({renamed(text, 2) for text in histories(name)} == set(histories(name)) for name in good)
    later = {name: sum(not returned_other(Schedule.parse(text)) for text in texts) for name, texts in shown.items()}
    repaired = [name for name in REPAIRED if name in DISCIPLINES]
    evidence = (
        *(
            f"{DISCIPLINES[name]}, at {PINNED[-1]}: {shown[name][0]} ({h1(Schedule.parse(shown[name][0]))})"
            for name in bad
        ),
        *(
            f"{DISCIPLINES[name]}: {len(canonical(name, ABORTS))} histories; N1 at "
            + ", ".join(f"{level}: {len(texts)}" for level, texts in table[name].items())
            for name in DISCIPLINES
        ),
        *(
            f"{DISCIPLINES[name]}: of the {len(shown[name])} with N1 at {PINNED[-1]}, a row precedes each operator's "
            f"commit in {sum(map(has_rows, shown[name]))}, and later calls return every row before them in "
            f"{later[name]}"
            for name in bad
        ),
        f"no discipline at all, which Lemma 3 does not speak of, at SR with SR on judge_log: "
        f"{bare.witness or bare.verdict}",
        f"whatever B: exchanging 0 and 1 at θ2 alone maps these histories onto themselves: {yes(closed)}; so for each "
        "with |B| = 1 there is one with |B| = 2 that differs in nothing that a level or N1 looks at",
        f"J a function of θ: N1 in {len(without)} of {len(functional)} histories of all disciplines, at any level",
    )
    literally = bare.witness is not None
    verdict = "holds" if not bad and not literally else "depends" if good else "refuted"
    where, elsewhere = (
        "; or where ".join(DISCIPLINES[name] for name in names) or "nothing is" for names in (good, bad)
    )
    detail = (
        "of schedules over all seven events, literally, SR on judge_log excludes nothing: a call makes no edge. Under "
        f"the keyed-log discipline it does where {where}: "
        "a call that missed the row then makes a cycle with the one that wrote it. "
        f"It does not where {elsewhere}: the log transactions are serializable all the same. H1 as 'a row committed "
        f"before the operator' does not help: {len(under)} such histories of calls that looked keep it. H1 as 'later "
        "calls return every row that was committed before them' is kept by "
        f"{sum(later.values())} of all that show N1 at SR. With one row a key, SI suffices in {len(needless)} of "
        f"{len(good)} of the good ones. With Lemma 3's own J(R, θ), a function, clause (1) is empty: "
        f"N1 without any log or level: {yes(bool(without))}"
    )
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=tuple(Schedule.parse(texts[0]) for texts in shown.values()),
        counterexample=None if example is None else Schedule.parse(example),
        repair="look, ask and write in one transaction, of the log or of the operator, serializable on judge_log, and "
        "return the vote of the row that was seen or written",
        bound=f"the programs {programs_in_words()}, calls by θ; at most {ABORTS} of the operators aborts, after any of "
        "its steps, and the log transactions that it committed stay; all votes up to renaming, every order of events, "
        "every committed version read",
        evidence=evidence,
        repair_verdict="" if not repaired else "holds" if set(repaired) <= set(good) else "refuted",
        repair_artifact="L3.fixed",
    )


#: The disciplines that do what the repair says.
REPAIRED: Final = ("together", "operator")


def programs_in_words() -> str:
    """The calls of both operators of each program, by θ."""
    return ", ".join(" | ".join(" ".join(f"θ{key}" for key in calls) for calls in each) for each in PROGRAMS)


# -- images of prompt families ----------------------------------------------------------------------------------------
def oracles(size: int, votes: tuple[int, ...] = (0, 1)) -> Iterator[tuple[int, ...]]:
    """Every oracle on a family of so many prompts: its votes on one read set."""
    yield from product(votes, repeat=size)


def image(votes: tuple[int, ...]) -> frozenset[int]:
    """B of Definition 8."""
    return frozenset(votes)


def divergent(votes: tuple[int, ...]) -> list[tuple[int, int]]:
    """The pairs of prompts between which the verdict differs."""
    return [(one, other) for one, other in combinations(range(len(votes)), 2) if votes[one] != votes[other]]


def deployment(theta: int, vote: int, txn: int = 1) -> str:
    """What one deployment commits: a call, and its replay, which finds the row."""
    log = f"w{txn}[{row_of(theta)}@{txn}={vote}]"
    return f"{log} j{txn}(R, t{theta})={vote} j{txn}(R, t{theta})={vote} c{txn}"


def _cross(cells: Cells) -> Outcome:
    every = [votes for size in range(LARGEST + 1) for votes in oracles(size)]
    boundary = [votes for votes in every if len(image(votes)) > 1]
    some = all(divergent(votes) for votes in boundary)
    any_two = [votes for votes in boundary if len(divergent(votes)) < len(votes) * (len(votes) - 1) // 2]
    only = all(bool(divergent(votes)) == (len(image(votes)) > 1) for votes in every)
    one, other = deployment(1, 0), deployment(2, 1, 2)
    same = deployment(1, 1, 2)
    clean = {text: holds_at(text, "SR") and not exhibits(text, "N1") for text in (one, other, same)}
    merged, shared = f"{one} {other}", f"{one} {same}"
    evidence = (
        *(
            f"Θι of {len(votes)} prompts with the votes {', '.join(map(str, votes))}: |B| = {len(image(votes))}, and "
            f"the prompts {a + 1} and {b + 1} vote alike"
            for votes in any_two[:1]
            for a, b in [next(p for p in combinations(range(len(votes)), 2) if p not in divergent(votes))]
        ),
        f"θ1 commits 0: {one}: at SR, no N1: {yes(clean[one])}; θ2 commits 1: {other}: {yes(clean[other])}",
        f"both in one schedule: {merged}: N1: {yes(exhibits(merged, 'N1'))}, since the keys differ in θ alone",
        f"with J(R, θ, ω) one θ is enough: {one} and, elsewhere, {same}: each without N1: "
        f"{yes(clean[one] and clean[same])}; in one log: {shared}: N1: {yes(exhibits(shared, 'N1'))}",
        f"J a function: a divergent pair exactly where |B| > 1, so none on Q exactly where μ = 0: {yes(only)}; μ is "
        "0/0 for an empty Q",
    )
    verdict = "refuted" if not some or not (clean[one] and clean[other]) else "depends" if any_two else "holds"
    detail = (
        f"some two θs of Θι commit different votes wherever |B| > 1: {yes(some)}, as the proof outline has it. Of any "
        f"two θs, as the statement may be read: {yes(not any_two)}. J is here a function Θ → {{0, 1}}, "
        "while Definition 5 has J(R, θ, ω): then B depends on ω, two deployments of one θ may diverge, and μ = 0 "
        "bounds nothing"
    )
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=tuple(Schedule.parse(text) for text in (one, other, merged)),
        repair="some θ1, θ2 in Θι; J a function of (R, θ), or ω pinned with θ",
        bound=f"every oracle on every family of up to {LARGEST} prompts; two deployments of one call and its replay",
        evidence=evidence,
        repair_verdict="holds" if some and only else "refuted",
        repair_artifact="L3.cross",
    )


State = tuple[int, frozenset[int]]


def reachable(votes: tuple[int, ...] = (0, 1), cap: int = 2) -> set[State]:
    """What families of any finite size have: how many prompts, up to `cap`, and B. From no prompt, by one more at a
    time; a fixed point, so no size is left out."""
    found: set[State] = set()
    todo: list[State] = [(0, frozenset())]
    while todo:
        state = todo.pop()
        if state not in found:
            found.add(state)
            todo += [(min(state[0] + 1, cap), state[1] | {vote}) for vote in votes]
    return found


def bounded(size: int, found: frozenset[int]) -> bool:
    """Inequality (3)."""
    return len(found) <= min(size, 2)


def achieved_literally(size: int, found: frozenset[int]) -> bool:
    """'The bound is achieved exactly when Θι contains both votes', and then |B| = 2."""
    both = {0, 1} <= found
    return (len(found) == min(size, 2)) == both and (len(found) == 2 or not both)


def achieved_repaired(size: int, found: frozenset[int]) -> bool:
    """The same of families of at least two prompts."""
    return size < 2 or achieved_literally(size, found)


def counted_alike(size: int, found: frozenset[int]) -> bool:
    """Whether μ counts the same by Definition 8 (|B| > 1) and by Proposition 4 (equality)."""
    return (len(found) > 1) == (len(found) == min(size, 2))


def stable_or_counted(size: int, found: frozenset[int]) -> bool:
    """Whether a read set is either prompt-stable (|B| = 1) or counted by μ (|B| > 1)."""
    return len(found) >= 1


def failing(statement: Callable[[int, frozenset[int]], bool]) -> tuple[list[tuple[int, ...]], list[State]]:
    """Where a statement fails: oracles on small families, and states of families of every finite size."""
    small = [votes for size in range(LARGEST + 1) for votes in oracles(size) if not statement(size, image(votes))]
    return small, sorted((state for state in reachable() if not statement(*state)), key=lambda s: (s[0], sorted(s[1])))


def factorial() -> tuple[int, int, tuple[int, ...]]:
    """Votes on {strict, lenient} × {0, 0.7}: how many have |B| > 1, how many of those are stable at either temperature,
    that is in both families of Definition 7, and the first of them (strict 0, lenient 0, strict 0.7, lenient 0.7)."""
    unstable = [votes for votes in oracles(4) if len(image(votes)) > 1]
    hidden = [votes for votes in unstable if len(image(votes[:2])) == len(image(votes[2:])) == 1]
    return len(unstable), len(hidden), hidden[0]


def _prop4(cells: Cells) -> Outcome:
    over, over_at_all = failing(bounded)
    literal, literal_at_all = failing(achieved_literally)
    repaired, repaired_at_all = failing(achieved_repaired)
    unlike, _ = failing(counted_alike)
    neither, _ = failing(stable_or_counted)
    unstable, hidden, first = factorial()
    more = next(votes for votes in oracles(3, (0, 1, 2)) if not bounded(3, image(votes)))
    least = [votes for votes in literal if votes] or literal
    sizes = sorted({len(votes) for votes in literal})
    evidence = (
        *(
            f"Θι of one prompt that votes {votes[0]}: |B| = {len(image(votes))} = min(1, 2), and no second vote"
            for votes in least[:1]
            if votes
        ),
        f"'exactly when both votes' fails for families of {', '.join(map(str, sizes)) or 'no'} prompts",
        f"inequality (3): fails for {len(over)} oracles, {len(over_at_all)} of {len(reachable())} states of all sizes",
        f"of at least two prompts, 'exactly when': fails for {len(repaired)} oracles, {len(repaired_at_all)} states",
        f"μ by Definition 8 (|B| > 1) and by Proposition 4 (equality) differ for families of "
        f"{', '.join(map(str, sorted({len(votes) for votes in unlike}))) or 'no'} prompts",
        f"neither prompt-stable nor counted by μ: families of {', '.join(str(len(v)) for v in neither)} prompts",
        f"three kinds of votes, {', '.join(map(str, more))}: |B| = {len(image(more))}; the 2 is the number of votes",
        f"Definition 7 pins temperature, Table 8 varies it (2×2): {hidden} of {unstable} unstable vote patterns, e.g. "
        f"{', '.join(map(str, first))} (strict and lenient at 0, then at 0.7), are stable in both families of two",
    )
    holds = not over and not over_at_all
    repairs = not repaired and not repaired_at_all
    verdict = "refuted" if not (holds and repairs) else "holds-repaired" if literal_at_all else "holds"
    detail = (
        f"the bound holds: {yes(holds)}. 'Achieved exactly when Θι contains both votes': literally "
        f"{yes(not literal_at_all)}, since one prompt achieves min(1, 2); of |Θι| ≥ 2: {yes(repairs)}. μ "
        "is defined by |B| > 1 and described by equality, which agree from two prompts on. The factorial that "
        "instantiates Θι is none of Definition 7; by the reported decomposition no item differs in temperature alone"
    )
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        repair="for |Θι| ≥ 2" if literal_at_all else "",
        bound=f"every finite family, by induction on its size ({len(reachable())} states); every oracle on up to "
        f"{LARGEST} prompts",
        evidence=evidence,
        repair_verdict="holds" if repairs and literal_at_all else "",
        repair_artifact="",
    )


CLAIMS: Final = (
    Claim(
        "L3.fixed",
        f"{_WHERE}, Lemma 3 (1); Corollary 2",
        "for every fixed θ, SR on judge_log excludes N1 at (R, θ), whatever other θs vote",
        "of schedules, or under the keyed-log discipline in each of its layouts (H1: a row committed before, or with, "
        "the operator; and returned by later calls, or not); J free at every call (Definition 5), or a function of θ "
        "(as Lemma 3 writes it)",
        _fixed,
    ),
    Claim(
        "L3.cross",
        f"{_WHERE}, Lemma 3 (2)",
        "where |B| > 1, two deployments that differ in θ commit different votes, each without N1",
        "some two θs of Θι, or any two; J a function of (R, θ), or of (R, θ, ω)",
        _cross,
    ),
    Claim(
        "Prop4",
        f"{_WHERE}, Proposition 4; Definitions 7 and 8, Table 8",
        "|B| ≤ min(|Θι|, 2), with equality exactly when both votes occur, which is what μ counts",
        "the bound that is achieved is min(|Θι|, 2), or 2; families may be empty",
        _prop4,
    ),
)
