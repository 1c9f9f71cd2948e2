"""Two writers of an empty partition at once, again: every interleaving by recursion, judged by the oracle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

from .carriers import RINGS
from .machine import Machine, Row, conflict
from .model import yes
from .oracles import at, shows

FREE = RINGS["multidegree"]
FACTS = {1: Row("a", "x", (0, 2), 1, FREE.token("a")), 2: Row("b", "y", (0, 2), 2, FREE.token("b"))}
THIRD = Row("d", "z", (0, 2), 3, FREE.token("d"))
PINS = ("RC", "SI", "RC+cb", "RC+SR@policy")


@dataclass(frozen=True)
class Races:
    """The schedules after which two open rows contradict, and what outcomes say of them."""

    left: tuple[str, ...]
    says: tuple[str, ...]


def interleavings(one: str, other: str) -> list[str]:
    """Every merge of two words."""
    if not one or not other:
        return [one + other]
    return [one[0] + rest for rest in interleavings(one[1:], other)] + [
        other[0] + rest for rest in interleavings(one, other[1:])
    ]


def play(order: str) -> tuple[str, list[Row]]:
    """An order of the steps r w c of writer 1 and R W C of writer 2: its schedule, and the rows that are open then.

    A writer inserts unless its read found a committed row that contradicts its fact; then it resolves.
    """
    texts: list[str] = []
    committed: list[Row] = []
    seen: dict[int, list[Row]] = {}
    pending: dict[int, Row] = {}
    for letter in order:
        n = 1 if letter.islower() else 2
        step = letter.lower()
        if step == "r":
            seen[n] = list(committed)
            listed = ", ".join(f"{row.id}1" for row in seen[n])
            texts.append(f'r{n}{{facts:"p":{" " + listed if listed else ""}}}')
        elif step == "w":
            pending[n] = FACTS[n]
            texts.append(f'w{n}[+facts:{FACTS[n].id}1 in "p"]')
        else:
            table = Machine(rows=list(seen[n]), ring=FREE)
            event = table.write(pending[n])
            if event.kind == "inserted":
                committed.append(pending[n])
            else:
                committed = table.believed()
            texts.append(f"c{n}")
    return " ".join(texts), committed


@cache
def found() -> Races:
    """All of them."""
    orders = interleavings("rwc", "RWC")
    left = []
    for order in orders:
        text, rows = play(order)
        if any(conflict(*pair) for pair in combinations(rows, 2)):
            left.append((text, rows))
    texts = tuple(text for text, _ in left)
    allowed = [pin for pin in PINS if all(at(text, pin) for text in texts)]
    refused = all(Machine(rows=list(rows)).write(THIRD).kind == "several incumbents" for _, rows in left)
    says = (
        f"of the {len(orders)} orders of two such writers {len(left)} do this; all of them are at "
        f"{', '.join(allowed)}, "
        f"{sum(at(text, 'SR') for text in texts)} are at SR, {sum(shows(text, 'P3') for text in texts)} show P3",
        f"which line 9 refuses: {yes(refused)}",
    )
    return Races(texts, says)
