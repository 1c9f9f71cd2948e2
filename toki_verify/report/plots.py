"""The pictures of the ledger as SVG: the guard map, how often two draws differ, how consistency decays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ..claims.exact import ONE, P, Polynomial
from ..claims.guard_map import GuardMap
from ..claims.rates import admit_rate, curve, decay, log_consistency, replay_consistency
from .plain import xml
from .style import STYLE

_STYLE: Final = (
    STYLE + ".tv-grid{stroke-width:1;stroke-opacity:.35}"
    ".tv-curve{fill:none;stroke-width:2}"
    ".tv-second{stroke-dasharray:7 4}.tv-third{stroke-dasharray:2 4}.tv-fourth{stroke-dasharray:12 4 2 4}"
    ".tv-end{text-anchor:end}"
)
#: The probabilities of the decay curves, and how often a judge is asked.
PROBABILITIES: Final = (Fraction(9, 10), Fraction(3, 4), Fraction(1, 2))
ASKED: Final = 12
_STEPS: Final = 60


def pictures(guards: GuardMap) -> dict[str, str]:
    """Every picture, by the name of its file."""
    return {
        "guard_map.svg": guard_map_svg(guards),
        "admit-rate.svg": admit_rate_svg(),
        "requery-decay.svg": decay_svg(),
    }


def mean_consistency(t: int) -> Fraction:
    """The mean of C(t) over keys whose p is spread evenly over (0, 1): 2/(t+1), as an integral of its polynomial."""
    coefficients = replay_consistency(t).coefficients
    return sum((each / (power + 1) for power, each in enumerate(coefficients)), Fraction(0))


def guard_map_svg(found: GuardMap) -> str:
    """A cell a phenomenon and level: excluded, admitted, and where the paper has it otherwise, a red frame."""
    left, top, wide, high = 120, 96, 96, 30
    width = left + wide * len(found.levels) + 120
    height = top + high * len(found.phenomena) + 70
    body = [
        _text(left + wide * column + wide / 2, top - 12, level, "tv-head tv-text tv-mid")
        for column, level in enumerate(found.levels)
    ]
    body.append(_text(left + wide * len(found.levels) + 14, top - 12, "guard", "tv-head tv-text"))
    fills = {"excluded": "tv-predicate", "admitted": "tv-write", "undecided": "tv-lane"}
    for row, name in enumerate(found.phenomena):
        y = top + high * row
        body.append(_text(24, y + 20, name, "tv-head tv-text"))
        for column, level in enumerate(found.levels):
            cell, x = found.cell(name, level), left + wide * column
            body.append(_box(x, y, wide, high, fills[cell.verdict]))
            if cell.agrees is False:
                body.append(_frame(x, y, wide, high))
            body.append(_text(x + wide / 2, y + 19, cell.verdict, "tv-small tv-text tv-mid"))
        guards = found.guards(name)
        told = "?" if guards is None else " ".join(guards) or "none"
        body.append(_text(left + wide * len(found.levels) + 14, y + 20, told, "tv-event tv-text"))
    agreeing, said = found.agreeing
    told = "excluded: proved for schedules of every size; admitted: by a smallest schedule"
    body.append(_text(24, height - 38, told, "tv-prose tv-dim"))
    marked = f"{agreeing} of {said} cells are as the TOKI paper has them"
    marked += "" if agreeing == said else "; the others: red"
    body.append(_text(24, height - 18, marked, "tv-prose tv-dim"))
    return _document("Which level excludes which phenomenon", f"{told}. {marked}.", width, height, body)


@dataclass(frozen=True)
class _Axes:
    """A plot area: (0, 0) to (most, 1) in units of the data."""

    first: Fraction
    most: Fraction
    width: int = 560
    height: int = 300
    left: int = 76
    top: int = 84

    def at(self, x: Fraction, y: Fraction, highest: Fraction) -> tuple[float, float]:
        along = (x - self.first) / (self.most - self.first)
        return float(self.left + along * self.width), float(self.top + (1 - y / highest) * self.height)

    def frame(
        self, xs: Iterable[Fraction], ys: Iterable[Fraction], highest: Fraction, labels: tuple[str, str]
    ) -> list[str]:
        bottom, right = self.top + self.height, self.left + self.width
        out = []
        for x in xs:
            at, _ = self.at(x, Fraction(0), highest)
            out.append(f'<path class="tv-edge tv-grid" d="M{at:.1f} {self.top}V{bottom}"/>')
            out.append(_text(at, bottom + 18, str(x), "tv-small tv-dim tv-mid"))
        for y in ys:
            _, at = self.at(self.first, y, highest)
            out.append(f'<path class="tv-edge tv-grid" d="M{self.left} {at:.1f}H{right}"/>')
            out.append(_text(self.left - 8, at + 4, str(y), "tv-small tv-dim tv-end"))
        out.append(_text(right, bottom + 38, labels[0], "tv-prose tv-text tv-end"))
        out.append(_text(24, self.top - 14, labels[1], "tv-prose tv-text"))
        return out

    def line(self, points: Sequence[tuple[Fraction, Fraction]], highest: Fraction, kind: str) -> str:
        placed = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*point, highest) for point in points))
        return f'<polyline class="tv-curve {kind}" points="{placed}"/>'

    def dots(
        self, points: Iterable[tuple[Fraction, Fraction]], highest: Fraction, label: Callable[[Fraction], str]
    ) -> list[str]:
        """The points of a curve that rises and then falls; their labels stand outside of it."""
        out = []
        placed = list(points)
        top = max(placed, key=lambda point: point[1])[0]
        for point in placed:
            x, y = self.at(*point, highest)
            out.append(f'<circle class="tv-commit" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
            side = (point[0] > top) - (point[0] < top)
            kind = {-1: " tv-end", 0: " tv-mid", 1: ""}[side]
            out.append(_text(x + 7 * side, y - 8, label(point[1]), f"tv-label tv-text{kind}"))
        return out


def admit_rate_svg() -> str:
    """2p(1-p), with its exact values at the eighths."""
    rate, axes, highest = admit_rate(), _Axes(Fraction(0), Fraction(1)), Fraction(5, 8)
    eighths = [Fraction(n, 8) for n in range(9)]
    body = axes.frame(eighths, (Fraction(n, 8) for n in range(5)), highest, ("p, the probability of vote 1", "rate"))
    body.append(axes.line(curve(rate, _STEPS), highest, "tv-edge tv-hot"))
    body += axes.dots([(p, rate(p)) for p in eighths], highest, str)
    told = f"Two independent draws at one key differ with probability {factored(rate)}; exact values at p = n/8"
    return _plot("How often two replays disagree", told, axes, body)


def decay_svg() -> str:
    """C(t) at some p, its mean over evenly spread keys, and the 1 of calls that read one committed row."""
    axes, highest = _Axes(Fraction(1), Fraction(ASKED)), Fraction(9, 8)
    steps = [Fraction(t) for t in range(1, ASKED + 1)]
    body = axes.frame(steps, (Fraction(n, 4) for n in range(5)), highest, ("t, calls at one key", "C(t), all agree"))
    at = Fraction(3)
    lines = [(f"p = {p}", [(Fraction(t), value) for t, value in decay(p, ASKED)]) for p in PROBABILITIES]
    lines.append(("p evenly spread, mean", [(t, mean_consistency(int(t))) for t in steps]))
    lines.append(("read from the log", [(t, log_consistency(int(t))(PROBABILITIES[0])) for t in steps]))
    kinds = ("tv-edge tv-third", "tv-edge tv-second", "tv-edge", "tv-edge tv-hot", "tv-commit tv-fourth")
    for row, ((name, points), kind) in enumerate(zip(lines, kinds, strict=True)):
        body.append(axes.line(points, highest, kind))
        value = dict(points)[at]
        # The legend stands where no curve is: below 1, to the right of the steep part.
        x, y = axes.left + 286, axes.top + 58 + 20 * row
        body.append(f'<path class="tv-curve {kind}" d="M{x} {y}h34"/>')
        body.append(_text(x + 44, y + 4, f"{name}: C({at}) = {value}", "tv-label tv-text"))
    told = (
        "C(t) = pᵗ + (1-p)ᵗ of a judge that is asked again, its mean over keys whose p is spread evenly (2/(t+1)), and "
        "1 of calls that read one committed row"
    )
    return _plot("How consistency decays when a judge is asked again", told, axes, body)


def factored(found: Polynomial) -> str:
    """A multiple of p(1-p) as such; any other polynomial as it is."""
    half = Fraction(1, 2)
    times = found(half) / (half * (1 - half))
    if not times or found != P * (ONE - P) * times:
        return polynomial(found)
    return f"{'' if times == 1 else '-' if times == -1 else times}p(1-p)"


def polynomial(found: Polynomial) -> str:
    """A polynomial in p, highest power first."""
    out = ""
    for power in range(found.degree, -1, -1):
        factor = found.coefficients[power]
        if factor:
            name = "" if power == 0 else "p" if power == 1 else f"p^{power}"
            size = "" if abs(factor) == 1 and power else str(abs(factor))
            out += (" - " if factor < 0 else " + " if out else "") + size + name
    return out.strip().replace("- ", "-", 1) if out.startswith(" - ") else out or "0"


def _plot(title: str, told: str, axes: _Axes, body: list[str]) -> str:
    width, height = axes.left + axes.width + 40, axes.top + axes.height + 56
    return _document(title, told, width, height, body)


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{xml(text)}</text>'


def _box(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x + 2}" y="{y + 2}" width="{width - 4}" height="{height - 4}" rx="5"/>'


def _frame(x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="tv-edge tv-hot" x="{x + 2}" y="{y + 2}" width="{width - 4}" height="{height - 4}" rx="5" '
        'fill="none"/>'
    )


def _document(title: str, told: str, width: float, height: float, body: list[str]) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" aria-labelledby="tv-t" aria-describedby="tv-d">',
        f'<title id="tv-t">{xml(title)}</title>',
        f'<desc id="tv-d">{xml(told)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="tv-page" width="{width}" height="{height}" rx="10"/>',
        _text(24, 34, title, "tv-title tv-text"),
        *body,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"
