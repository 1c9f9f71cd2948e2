"""Grid.compose again, by a closed form: a level dominates the pipelines over the operators that it satisfies."""

from __future__ import annotations

from fractions import Fraction

from .composition_claims import ASKED, CHAIN, OPERATORS, RULE
from .model import Found, all_of
from .registry import second

#: Table 23, transcribed: pipelines, cells, dominating, under.
PRINTED = {3: (84, 504, 193, 311), 5: (1364, 8184, 2219, 5965)}


def allowed(level: tuple[str, bool], treatment: str) -> int:
    """How many of the four operators ask for no more than a level has."""
    asked = [RULE[treatment] if name == "rule" else ASKED[name] for name in OPERATORS]
    return sum(CHAIN.index(iso) <= CHAIN.index(level[0]) and cb <= level[1] for iso, cb in asked)


def dominating(treatment: str) -> list[int]:
    """By length from 1 to 5 how many cells dominate: kⁿ pipelines of n steps use only k operators."""
    levels = [(iso, cb) for iso in CHAIN for cb in (False, True)]
    return [sum(allowed(level, treatment) ** n for level in levels) for n in range(1, 6)]


@second("Grid.compose")
def compose(id: str) -> Found:
    """Both treatments, and the mean rate of the noise."""
    says, matching = [], []
    for treatment in ("level", "pin"):
        by_length = dominating(treatment)
        right = True
        for longest, printed in PRINTED.items():
            pipelines = sum(4**n for n in range(1, longest + 1))
            above = sum(by_length[:longest])
            row = pipelines, 6 * pipelines, above, 6 * pipelines - above
            right &= row == printed
            says.append(
                f"({treatment}), to length {longest}: {row[0]} pipelines, {row[1]} cells, {row[2]} dominating, "
                f"{row[3]} under"
            )
        matching.append(right)
    by_length = dominating("level")
    epsilon = Fraction(1, 50)
    exact = sum((1 - (1 - epsilon) ** n) * number for n, number in enumerate(by_length, 1)) / sum(by_length)
    linear = sum(epsilon * n * number for n, number in enumerate(by_length, 1)) / sum(by_length)
    says += [f"gives {float(exact):.4f}", f"ε·n {float(linear):.4f}"]
    return Found(all_of(matching), tuple(says))
