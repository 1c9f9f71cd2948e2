"""L1.keys: what π_J does to keys, and how often (TOKI 2026, Appendix B.1.2: key multiplicity)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import product
from typing import Final

from ..bridge.image import Logging, image
from ..bridge.keys import callback_row, judge_row
from ..bridge.pullback import pulled_term
from ..events import Judge, Schedule
from ..events.values import json_text
from ..relations import base
from ..relations.formulas import Formula, some
from ..search.witness import Bounds
from .cells import Cells
from .model import Claim, Outcome, conjunction

_WHERE = "TOKI 2026, Appendix B.1.2"
#: How far the solver looks; up to how many events images are made, of three transactions.
_FAR: Final = Bounds(9, 4)
EVENTS: Final = 6
#: Names with everything that a row's name is made of: commas, brackets, quotes, blanks, digits, JSON.
NAMES: Final = ("R", "R,", "R, t", "(R", "R)", '"R"', "1", "-", "a b", "é", "{}", '{"prompt":"p"}', "x" * 1024)
THETAS: Final = (*NAMES, 1, {"prompt": "p"}, {"prompt": "p", "seed": 1}, ["t"])


def collisions(keys: Iterable[Hashable], row: Callable[[Hashable], Hashable]) -> list[tuple[Hashable, Hashable]]:
    """Pairs of different keys that have one row, the first of each row."""
    seen: dict[Hashable, Hashable] = {}
    found = []
    for key in keys:
        other = seen.setdefault(row(key), key)
        if other != key:
            found.append((other, key))
    return found


def _rows(cells: Cells) -> Outcome:
    keys = [(reads, json_text(theta)) for reads, theta in product(NAMES, THETAS)]
    found = collisions(keys, lambda key: judge_row(key))  # type: ignore[arg-type]
    naive = collisions(keys, lambda key: f"({key[0]}, {key[1].strip(chr(34))})")  # type: ignore[index]
    first = (
        f"; a row named by joining R and θ with a comma would not be: {naive[0][0]} and {naive[0][1]}" if naive else ""
    )
    if found:
        return Outcome("refuted", "exhaustive", f"{found[0][0]} and {found[0][1]} have one row")
    return Outcome(
        "holds",
        "exhaustive",
        f"{len(keys)} keys have {len(keys)} rows: R and a named θ are quoted where the notation quotes, a θ that is a "
        f"tuple is its JSON, so the name can be read back{first}",
        bound=f"{len(NAMES)} read sets × {len(THETAS)} decoder tuples",
    )


def _callbacks(cells: Cells) -> Outcome:
    schedule = Schedule.parse("cb1(R, h, 0) cb1(S, h, 1) c1")
    rows = [callback_row(event.request) for event in schedule.events[:2] if hasattr(event, "request")]
    behind = image(schedule).schedule
    detail = (
        "a callback is cb(R, h, k), and its row is callback_log[h]: two read sets with one request hash share a row, "
        f"and the winners 0 and 1 become two reads of it: {behind}"
    )
    if len(set(rows)) == len(rows):
        return Outcome("holds", "exhaustive", "the callbacks have different rows")
    return Outcome(
        "refuted", "exhaustive", detail, counterexample=schedule, repair="hash R into h, or key the row by (R, h)"
    )


def multiplicity(schedule: Schedule, logging: Logging) -> bool:
    """Whether every judge call at a key became exactly one access to the row of that key."""
    made = image(schedule, logging)
    calls = [position for position, event in enumerate(schedule.events) if isinstance(event, Judge)]
    targets = [step for step in made.steps if step.source in calls and step.target is not None]
    return len(targets) == len(calls) == len({step.source for step in targets})


def miscounted() -> Formula:
    """Some judge call is neither a write nor an item read behind π_J, or both: rows in the operator's transaction."""
    writes = base.judge >> pulled_term(base.write)
    reads = base.judge >> pulled_term(base.item_read)
    return some((base.judge - (writes | reads)) | (writes & reads))


def elsewhere() -> Formula:
    """Behind π_J two calls touch one row and are at different keys, or the other way round."""
    shared = base.judge >> pulled_term(base.same_item) >> base.judge
    return some((shared - base.same_key) | ((base.judge >> base.same_key >> base.judge) - shared))


def _searched(cells: Cells) -> tuple[list[str], Schedule | None, bool]:
    """What the solver says of calls and rows, as lines; a schedule that miscounts; whether it gave up."""
    lines, found, gave_up = [], None, False
    for id, formula, words in (
        ("L1.keys.calls.accesses", miscounted(), "a call is no access to a row, or two"),
        ("L1.keys.calls.rows", elsewhere(), "calls at one key touch two rows, or calls at two keys one"),
    ):
        looked = cells.search(id, formula, words, _FAR)
        found, gave_up = found or looked.schedule, gave_up or looked.gave_up
        said = "undecided" if looked.gave_up else looked.schedule or f"in no schedule of up to {_FAR}"
        lines.append(f"{words}: {said}")
    return lines, found, gave_up


LOGGINGS: Final = (Logging(), Logging("own"), Logging(mismatch="unlogged"))


def _calls(cells: Cells) -> Outcome:
    from ..search.census import Alphabet, census

    lines, searched, gave_up = _searched(cells)
    alphabet = Alphabet(reads=False, writes=False, judges=True, votes=("0", "1"))
    schedules = sorted(census(EVENTS, alphabet, complete=True), key=len)
    wrong: dict[str, Schedule] = {}
    for logging in LOGGINGS:
        first = next((schedule for schedule in schedules if not multiplicity(schedule, logging)), None)
        if first is not None:
            wrong[logging.mismatch] = first
    bound = (
        f"rows in the operator's transaction: complete schedules of up to {_FAR}, several keys, by a solver; each way "
        f"to log: every complete schedule of up to {EVENTS} events, calls of three transactions at one key: "
        f"{len(schedules)}"
    )
    bad = searched or wrong.get("fill")
    if bad is not None:
        return Outcome("refuted", "exhaustive", "a call is lost, or counted twice", counterexample=bad, bound=bound)
    if gave_up:
        return Outcome("undecided", "exhaustive", "the solver gave up", bound=bound)
    example = wrong.get("unlogged")
    return Outcome(
        "holds" if example is None else "depends",
        "exhaustive",
        "as many accesses to a row as calls at its key, where every call is logged"
        + ("" if example is None else f"; a call that is not logged has none: {example}"),
        witnesses=() if example is None else (example,),
        bound=bound,
        evidence=tuple(lines),
    )


_PARTS: Final = (
    Claim("L1.keys.rows", _WHERE, "different (R, θ) have different rows", "a row is named by R and θ", _rows),
    Claim(
        "L1.keys.callbacks",
        f"{_WHERE}; Lemma 1",
        "different callback keys have different rows",
        "the key of a callback is (R, h)",
        _callbacks,
    ),
    Claim(
        "L1.keys.calls", _WHERE, "a key has as many accesses in π_J(S) as calls in S", "multiplicity as a count", _calls
    ),
)


def _keys(cells: Cells) -> Outcome:
    parts = [(claim.id, claim.decide(cells)) for claim in _PARTS]
    whole = conjunction(parts, "key multiplicity is preserved")
    verdicts = {part.verdict for _, part in parts}
    return Outcome(
        "undecided" if "undecided" in verdicts else "depends" if len(verdicts) > 1 else verdicts.pop(),
        "exhaustive",
        "; ".join(f"{id.removeprefix('L1.keys.')}: {part.verdict}" for id, part in parts),
        witnesses=(*whole.witnesses, *((whole.counterexample,) if whole.counterexample else ())),
        repair=whole.repair,
        bound="; ".join(part.bound for _, part in parts if part.bound),
        parts=tuple(parts),
        evidence=(*(f"{id}: {part.detail}" for id, part in parts), *whole.evidence),
    )


CLAIMS: Final = (
    Claim(
        "L1.keys",
        _WHERE,
        "π_J preserves key multiplicity",
        "rows of judge keys; rows of callbacks; the number of calls",
        _keys,
    ),
    *_PARTS,
)
