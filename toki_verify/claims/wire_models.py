"""Operators whose verdict and stored state may depend on a configuration, as small tables (TOKI 2026, B.7, C.7, D.5).

An operator takes a state and a configuration to the state that it commits and its verdict, 0 for `def` and 1 for
`trig`. A chain runs one after another on the committed state, from state 0. Nothing else of a system is assumed, so
what holds of all tables holds whatever the code does, and what fails fails for a reason that a system may have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations, product
from typing import Final

#: (state, configuration) to (state, verdict), row by row: (0, 0), (0, 1), (1, 0), ….
Table = tuple[tuple[int, int], ...]
Hypothesis = Callable[[Table], bool]
CONFIGURATIONS: Final = 2


@cache
def tables(states: int) -> tuple[Table, ...]:
    """Every operator over so many states, two configurations and two verdicts; those that do least come first."""
    found = product(product(range(states), (0, 1)), repeat=states * CONFIGURATIONS)
    return tuple(sorted(found, key=lambda table: (sum(map(sum, table)), table)))


def entry(table: Table, state: int, configuration: int) -> tuple[int, int]:
    """What an operator does."""
    return table[state * CONFIGURATIONS + configuration]


def verdicts(chain: tuple[Table, ...], configuration: int) -> tuple[int, ...]:
    """The verdicts of a chain of operators under a configuration, in order."""
    state, found = 0, []
    for table in chain:
        state, verdict = entry(table, state, configuration)
        found.append(verdict)
    return tuple(found)


#: What the verdict of a composite is: that of its last operator, or of all of them.
COMPOSITES: Final[dict[str, Callable[[tuple[int, ...]], object]]] = {"last": lambda found: found[-1], "all": tuple}


def depends(chain: tuple[Table, ...], composite: str) -> bool:
    """Whether the verdict of a composite depends on the configuration."""
    read = COMPOSITES[composite]
    return len({read(verdicts(chain, configuration)) for configuration in range(CONFIGURATIONS)}) > 1


def _same(table: Table, place: int, states: range) -> bool:
    return all(len({entry(table, s, c)[place] for c in range(CONFIGURATIONS)}) == 1 for s in states)


def _states(table: Table) -> range:
    return range(len(table) // CONFIGURATIONS)


def own_verdict(table: Table) -> bool:
    """The verdict does not depend on the configuration when the operator runs alone, from state 0."""
    return _same(table, 1, range(1))


def every_verdict(table: Table) -> bool:
    """The verdict does not depend on the configuration, from whatever state."""
    return _same(table, 1, _states(table))


def every_verdict_and_state(table: Table) -> bool:
    """Neither the verdict nor the committed state depends on the configuration, from whatever state."""
    return every_verdict(table) and _same(table, 0, _states(table))


def chains(hypothesis: Hypothesis, length: int, states: int = 2) -> Iterator[tuple[Table, ...]]:
    """Every chain of operators that meet a hypothesis."""
    yield from product([table for table in tables(states) if hypothesis(table)], repeat=length)


def counted(hypothesis: Hypothesis, length: int, composite: str, states: int = 2) -> tuple[int, int]:
    """Of the chains that meet a hypothesis: how many there are, and how many depend on the configuration."""
    found = [depends(chain, composite) for chain in chains(hypothesis, length, states)]
    return len(found), sum(found)


def first_dependent(hypothesis: Hypothesis, composite: str) -> tuple[Table, ...] | None:
    """The chain of two operators that meet a hypothesis and that depends on the configuration, doing as little as it
    can."""
    found = [chain for chain in chains(hypothesis, 2) if depends(chain, composite)]
    return min(found, key=lambda chain: (sum(sum(map(sum, table)) for table in chain), chain), default=None)


def apart(hypothesis: Hypothesis) -> set[tuple[int, int]]:
    """The pairs of states that two runs of a chain of any length can be in, one under each configuration, if its
    operators meet a hypothesis: a fixed point."""
    known = [table for table in tables(2) if hypothesis(table)]
    found: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        pair = todo.pop()
        if pair not in found:
            found.add(pair)
            todo += {(entry(table, pair[0], 0)[0], entry(table, pair[1], 1)[0]) for table in known}
    return found


def always_def(table: Table) -> bool:
    """The operator alone, from state 0, is `def` under every configuration."""
    return own_verdict(table) and entry(table, 0, 0)[1] == 0


def def_everywhere(table: Table) -> bool:
    """The operator is `def` from every state under every configuration."""
    return all(verdict == 0 for _, verdict in table)


def monotone_in_some_order(found: tuple[int, ...]) -> bool:
    """Whether verdicts, a configuration each, rise in some order of the configurations."""
    return any(list(order) == sorted(order) for order in permutations(found))


def told(table: Table) -> str:
    """An operator in a line."""
    words = ("def", "trig")
    rows = product(_states(table), range(CONFIGURATIONS))
    return ", ".join(f"({s}, c{c}) → ({after}, {words[v]})" for (s, c), (after, v) in zip(rows, table, strict=True))


# -- one wire schedule: a vote at the write, what is stored, what the read step sees ---------------------------------
#: Where a knob may reach: the vote-generating call; what is stored besides; the read step.
PLACES: Final = ("vote", "store", "read")


def wire_verdicts(reached: frozenset[str]) -> set[tuple[int, int]]:
    """The verdicts under two settings of a knob that reaches some of the places, for every function at each place: the
    vote of a knob, the state of a vote and a knob, the verdict of a state and a knob."""
    found = set()
    for vote, store, read in product(product((0, 1), repeat=2), product((0, 1), repeat=4), product((0, 1), repeat=4)):
        pair = []
        for knob in (0, 1):
            v = vote[knob if "vote" in reached else 0]
            s = store[2 * v + (knob if "store" in reached else 0)]
            pair.append(read[2 * s + (knob if "read" in reached else 0)])
        found.add((pair[0], pair[1]))
    return found


def changes_verdict(reached: frozenset[str]) -> bool:
    """Whether some system with such a knob has a verdict that depends on it."""
    return any(one != other for one, other in wire_verdicts(reached))


# -- pipelines (R, A, S): what the algebra stored, what retrieval makes of it, what synthesis answers -----------------
Function = tuple[int, int]
#: The store that the algebra left, retrieval as a function of it, synthesis as a function of the candidate.
Pipeline = tuple[int, Function, Function]


def pipelines() -> tuple[Pipeline, ...]:
    """Every pipeline over two stores, two candidates and two answers, of one query."""
    functions = [(zero, one) for zero, one in product((0, 1), repeat=2)]
    return tuple((stored, r, s) for stored, r, s in product((0, 1), functions, functions))


def score(pipeline: Pipeline, *, printed: bool = False) -> int:
    """What the judge gives the answer. As printed, J(S(R(q), q), ref) has neither store nor algebra in it."""
    stored, retrieval, synthesis = pipeline
    return synthesis[retrieval[0 if printed else stored]]


def delta(one: Pipeline, other: Pipeline, *, printed: bool = False) -> int:
    """Δaccuracy of two pipelines."""
    return score(one, printed=printed) - score(other, printed=printed)


def due_to_algebra(one: Pipeline, other: Pipeline) -> bool:
    """There is a delta, and it goes when the algebras are made equal, either way round."""
    swapped = delta((other[0], *one[1:]), other), delta(one, (one[0], *other[1:]))
    return delta(one, other) != 0 and swapped == (0, 0)


def same_read_side(one: Pipeline, other: Pipeline) -> bool:
    """Whether retrieval and synthesis together do the same with the stores of both."""
    return all(one[2][one[1][stored]] == other[2][other[1][stored]] for stored in (one[0], other[0]))
