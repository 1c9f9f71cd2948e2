"""T5.rate* again: sequences of votes are counted by their ones, so a probability is a list of counts; polynomials are
multiplied out from those with whole numbers, and systems are played (`vote_machines`). Nothing of the package is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb

from .model import Found, all_of, yes
from .registry import second
from .vote_machines import Table, play

#: Up to how many draws sequences are counted.
DRAWS = 9
NO_LOG, LINE_14 = Table("ask"), Table("ask", "ask", "ask", "before", "overwrite")
ONE_INSERT = Table("ask", "read", "read", "before", "adopt")
LEAKING = tuple(
    Table("ask", "read", "read", place, clash)
    for place, clash in (("before", "keep"), ("before", "overwrite"), ("with", "keep"), ("after", "keep"))
)
HALF = Fraction(1, 2)


def counted(draws: int, happens: Callable[[tuple[int, ...]], bool]) -> list[int]:
    """Of the sequences with k ones, for k = 0, 1, …, in how many it happens."""
    found = [0] * (draws + 1)
    for votes in product((0, 1), repeat=draws):
        found[sum(votes)] += happens(votes)
    return found


def multiplied_out(counts: Sequence[int]) -> list[int]:
    """Coefficients of 1, p, p², … of the sum of counts[k]·p^k·(1-p)^(n-k)."""
    n = len(counts) - 1
    found = [0] * (n + 1)
    for k, count in enumerate(counts):
        for more in range(n - k + 1):
            found[k + more] += count * comb(n - k, more) * (-1) ** more
    while found and not found[-1]:
        found.pop()
    return found


def text(coefficients: Sequence[int]) -> str:
    """A polynomial in p as outcomes print it."""
    words = []
    for power, factor in enumerate(coefficients):
        if factor:
            name = ("", "p", f"p^{power}")[min(power, 2)]
            size = "" if abs(factor) == 1 and power else str(abs(factor))
            words.append(("- " if factor < 0 else "+ ") + size + name)
    return " ".join(words).removeprefix("+ ") or "0"


def value(counts: Sequence[int], p: Fraction) -> Fraction:
    """The probability at one p."""
    n = len(counts) - 1
    return sum((count * p**k * (1 - p) ** (n - k) for k, count in enumerate(counts)), Fraction(0))


def differ(votes: Sequence[int]) -> bool:
    """Whether some two votes differ."""
    return len(set(votes)) > 1


def committed(table: Table, order: tuple[int, ...], answers: tuple[int, ...]) -> list[int]:
    """The votes of committed calls of two operators that take their steps in an order."""
    made = play(table, order, (answers[0], 0, answers[1], 0))
    done = {who for what, who, _ in made if what == "C"}
    return [vote for what, who, vote in made if what == "J" and who in done]


IN_TURN, AT_ONCE, RETRY = (0,) * 4 + (1,) * 4, (0, 1) * 4, (0, 0) + (1,) * 4


def rate(table: Table, order: tuple[int, ...]) -> str:
    """The probability that two calls show N1, as a polynomial; answers that were not asked for sum to one."""
    return text(multiplied_out(counted(2, lambda answers: differ(committed(table, order, answers)))))


def chain(table: Table, answers: Sequence[int], *, at_once: bool) -> list[int]:
    """The votes of many calls, in turn or all of which looked before any was logged: one operator's entries, in a row.
    Calls of these tables never abort."""
    row: int | None = None
    votes = []
    for answer in answers:
        seen = None if at_once else row
        do = table.first if seen is None else (table.zero, table.one)[seen]
        vote = answer if do == "ask" or seen is None else seen
        if do == "ask" and row is not None and table.clash == "adopt" and table.place != "never":
            vote = row
        votes.append(vote)
        if do == "ask" and table.place != "never" and (row is None or table.clash == "overwrite"):
            row = vote
    return votes


def law(table: Table, *, at_once: bool) -> str:
    """Which law the probability of N1 in n calls has, for every n up to DRAWS, counted by ones."""
    some, never = [], []
    for n in range(1, DRAWS + 1):
        found = counted(n, lambda answers: differ(chain(table, answers, at_once=at_once)))
        some.append(found == [0, *(comb(n, k) for k in range(1, n)), 0])
        never.append(not any(found))
    return "1 - p^n - (1-p)^n" if all(some) else "0" if all(never) else "another"


def by_name() -> tuple[str, ...]:
    """The probabilities of four disciplines: of a pair by playing, of n calls by counting."""
    names = (
        ("stripped ablation of §4.5)", NO_LOG),
        ("one insert-if-absent (Corollary 2)", ONE_INSERT),
        ("ask, append, read nothing", LINE_14),
        ("its calls keeping their votes", LEAKING[0]),
    )
    return tuple(
        f"{name}: a pair in turn {rate(table, IN_TURN)}, at once {rate(table, AT_ONCE)}; n calls in turn "
        f"{law(table, at_once=False)}, at once {law(table, at_once=True)}"
        for name, table in names
    )


@second("T5.rate.pair")
def pair(id: str) -> Found:
    """Two draws, and every pair among several: of sequences with k ones, k(n-k) pairs of n(n-1)/2 differ."""
    two = multiplied_out(counted(2, differ))
    right = rate(NO_LOG, IN_TURN) == rate(NO_LOG, AT_ONCE) == text(two) == "2p - 2p^2"
    for n in range(2, DRAWS):
        neighbours, every = [0] * (n + 1), [0] * (n + 1)
        for votes in product((0, 1), repeat=n):
            neighbours[sum(votes)] += sum(a != b for a, b in pairwise(votes))
            every[sum(votes)] += sum(votes[a] != votes[b] for b in range(n) for a in range(b))
        right &= multiplied_out(neighbours) == [(n - 1) * factor for factor in two]
        right &= multiplied_out(every) == [n * (n - 1) // 2 * factor for factor in two]
    return Found(all_of([right]), (*by_name(), f"n = 3: {text(multiplied_out(counted(3, differ)))}, at 1/2 3/4"))


@second("T5.rate.maximum")
def maximum(id: str) -> Found:
    """Exact values at even points: 0 at the ends alone, growing to the middle, and the same from the other end."""
    right = True
    for n in range(2, 25):
        counts = [0, *(comb(n, k) for k in range(1, n)), 0]
        values = [value(counts, Fraction(step, 40)) for step in range(41)]
        grows = all(one < other for one, other in pairwise(values[:21]))
        right &= values[0] == 0 and grows and values == values[::-1] and max(values) == value(counts, HALF)
    return Found(all_of([right]))


@second("T5.rate.trajectory")
def trajectory(id: str) -> Found:
    """Three things that t may count, each by sequences of votes."""
    readings: dict[str, tuple[int, Callable[[tuple[int, ...]], bool]]] = {
        "all of t votes agree": (0, lambda votes: len(set(votes)) == 1),
        "all of the first vote and t re-queries agree": (1, lambda votes: len(set(votes)) == 1),
        "the t-th re-query agrees with the first vote": (1, lambda votes: votes[0] == votes[-1]),
    }
    says, fits = [], []
    for words, (more, happens) in readings.items():
        laws = [multiplied_out(counted(t + more, happens)) for t in range(1, 5)]
        closed = [multiplied_out([1, *([0] * (t - 1)), 1]) for t in range(1, 5)]
        fits.append(laws == closed)
        says.append(f"{words}: {text(laws[1])} at t = 2: p^t + (1-p)^t: {yes(fits[-1])}")
    return Found(all_of(fits), tuple(says))


@second("T5.rate.keyed")
def keyed(id: str) -> Found:
    """Keyed logs, two calls in turn, at once, and after a crash, by playing; more of them by counting."""
    says, leaks = [], []
    for table in (*LEAKING, ONE_INSERT):
        rates = [rate(table, order) for order in (IN_TURN, AT_ONCE, RETRY)]
        says.append(
            f"key taken: {table.clash}]: in turn {rates[0]}, first fills at once {rates[1]}, crash and retry {rates[2]}"
        )
        leaks.append(set(rates) != {"0"})
    tight = not leaks[-1] and law(ONE_INSERT, at_once=False) == law(ONE_INSERT, at_once=True) == "0"
    return Found("refuted" if not tight else "depends" if any(leaks) else "holds", tuple(says))


@second("T5.rate.independence")
def independence(id: str) -> Found:
    """An oracle of two states whose votes are its states: how often two draws differ, by which pairs occur."""
    pairs = list(product((0, 1), repeat=2))
    spaces = {
        "anew": pairs,
        "same": [(a, b) for a, b in pairs if a == b],
        "never": [(a, b) for a, b in pairs if a != b],
    }
    rates = {word: Fraction(sum(a != b for a, b in space), len(space)) for word, space in spaces.items()}
    repaired, tried = True, 0
    for size in range(1, 7):
        for votes in product((0, 1), repeat=size):
            tried += 1
            p = Fraction(sum(votes), size)
            free = Fraction(sum(a != b for a in votes for b in votes), size * size)
            repaired &= free == value(counted(2, differ), p)
    says = (
        f"ω drawn anew {rates['anew']}; the same ω twice (one decoder seed) {rates['same']}; never the same ω "
        f"{rates['never']}",
        f"each of the {tried} tables of votes",
    )
    return Found("holds" if len(set(rates.values())) == 1 else "depends" if repaired else "refuted", says)


@second("T5.rate")
def whole(id: str) -> Found:
    """The worst of the parts, and the disciplines by name."""
    parts = [decide(id).verdict for decide in (pair, maximum, trajectory, keyed, independence)]
    return Found(next(word for word in ("refuted", "depends", "holds") if word in parts), by_name())
