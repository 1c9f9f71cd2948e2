"""The two N1 schedules that the paper prints, as printed: W.N1-bridge and W.N1-lower (TOKI 2026, B.1.1, B.2.1).

Neither prints votes, and the second prints no θ, so every assignment is tried. A judge call makes no edge, so the first
is also read through the bridge: by Lemma 1 the first call at a key is a write, by B.1.2 it is a read like the others.
`schedules/bridge/n1-printed.sched` has the schedules with all that is true of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

from ..checker import check
from ..events import Schedule, ScheduleError
from .cells import Cells
from .judged import at, shows, yes
from .model import Claim, Outcome

VOTES: Final = (None, 0, 1)
#: Levels of the row, weaker first, and the one that B.1.1 asks for.
LEVELS: Final = ("RU", "RC", "SI", "SR")
PINNED: Final = "SR@judge_log"
_ROW: Final = 'judge_log:"(R, theta)"'
#: Phenomena that a schedule on one row may show.
_ON_ONE_ROW: Final = ("P0", "P1", "P2", "P3", "P4")


def _vote(vote: int | None) -> str:
    return "" if vote is None else f"={vote}"


def bridge(first: int | None, written: int | None, replay: int | None) -> str:
    """B.1.1 with votes; None is what is printed. The row that T2 writes is version 2."""
    return f"j1(R, theta){_vote(first)} w2[{_ROW}@2{_vote(written)}] c2 j1(R, theta){_vote(replay)} c1"


def lower(votes: tuple[int | None, ...], thetas: tuple[str, str]) -> str:
    """B.2.1 with votes and a θ for either call, of which it prints neither."""
    first, second = map(_vote, votes)
    return f"j1(R, {thetas[0]}){first} j2(R, {thetas[1]}){second} c1 c2"


def n1(text: str) -> bool | None:
    """Whether a schedule shows N1; None where a vote is missing."""
    return check(Schedule.parse(text)).findings["N1"].present


@dataclass(frozen=True)
class Image:
    """B.1.1 through the bridge; `replayed` is the version of the row that the second call reads."""

    reading: str
    replayed: int
    text: str
    well_formed: bool

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels it is at, the pin included."""
        return tuple(level for level in (*LEVELS, PINNED) if self.well_formed and at(self.text, level))

    @property
    def phenomena(self) -> tuple[str, ...]:
        """What it shows on the row."""
        return tuple(name for name in _ON_ONE_ROW if self.well_formed and shows(self.text, name))

    def __str__(self) -> str:
        if not self.well_formed:
            return f"{self.text}: no schedule, since T1 must read the version that it wrote (SEMANTICS §1)"
        return f"{self.text}: at {', '.join(self.levels)}; shows {', '.join(self.phenomena) or 'nothing'}"


def images() -> list[Image]:
    """Both readings of the first call, and every version that the replay may return."""
    found = []
    for reading, call, versions in (
        ("Lemma 1: the first call writes the row", f"w1[{_ROW}@1]", (1, 2)),
        ("B.1.2: every call reads the row", f"r1[{_ROW}@0]", (0, 2)),
    ):
        for version in versions:
            text = f"{call} w2[{_ROW}@2] c2 r1[{_ROW}@{version}] c1"
            try:
                Schedule.parse(text)
                found.append(Image(reading, version, text, True))
            except ScheduleError:
                found.append(Image(reading, version, text, False))
    return found


def does_what_b11_says(image: Image) -> bool:
    """Whether the replay sees T2's row at some level weaker than SR, and SR on the judge log excludes that."""
    weaker = any(level in image.levels for level in ("RC", "SI"))
    return image.well_formed and image.replayed == 2 and weaker and PINNED not in image.levels


def _bridge(cells: Cells) -> Outcome:
    printed = bridge(None, None, None)
    assigned = {votes: bridge(*votes) for votes in product((0, 1), repeat=3)}
    showing = {votes: text for votes, text in assigned.items() if n1(text)}
    pinned = [text for text in showing.values() if at(text, PINNED) and at(text, "SR")]
    through = images()
    saved = [image for image in through if does_what_b11_says(image)]
    unknown = n1(printed)
    said = "undecided, since no votes are printed" if unknown is None else yes(unknown)
    evidence = (
        f"as printed: {printed}: N1: {said}; at SR: {yes(at(printed, 'SR'))}",
        f"with votes: {len(showing)} of {len(assigned)} assignments show N1, those in which the two calls differ, "
        f"whatever T2 writes; {len(pinned)} of these are at SR and at {PINNED}",
        *(f"e.g. {text}" for text in pinned[:1]),
        *(f"{image.reading}; the replay returns version {image.replayed}: {image}" for image in through),
        *(f"{image.reading}: it is at SI: {yes('SI' in image.levels)}; SI, too, is weaker than SR" for image in saved),
    )
    excluded_at_all = "holds" if showing else "undecided"
    verdict = ("depends" if saved else "refuted") if pinned else excluded_at_all
    readings = sorted({image.reading for image in saved})
    lemma = [image for image in through if image.reading.startswith("Lemma 1") and image.well_formed]
    excluded = next((level for level in LEVELS if not any(level in image.levels for image in lemma)), "no level")
    detail = (
        "literally no level excludes the printed schedule: a call makes no edge, and T2's write is the only access to "
        "the row. By Lemma 1 the first call is a write: then T2 overwrites a row that is not committed (P0, excluded "
        f"from {excluded} on), and T1 re-reads its own row, so no vote differs. It is as described where "
        f"{'; '.join(readings) or 'no reading'}: a fuzzy read, which RC admits and SI excludes already, as eq. (2) has "
        "it; B.1.1 asks for SR. There the first call has found no row and logged none, which H1 rules out"
    )
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=tuple(Schedule.parse(image.text) for image in through if image.well_formed),
        counterexample=Schedule.parse(pinned[0]) if pinned else None,
        repair="print the votes and the reads of the row: " + (saved[0].text if saved else "none of the images"),
        bound="the printed schedule: every vote of its calls and its row; both images, every version of the replay",
        evidence=evidence,
        repair_verdict="holds" if saved else "",
    )


def smallest_replays(longest: int = 4) -> list[str]:
    """The schedules of judge calls at one key and commits, of at most so many events, that show N1: smallest only."""
    for size in range(1, longest + 1):
        found = []
        for calls in range(1, size):
            for txns in product((1, 2), repeat=calls):
                for votes in product((0, 1), repeat=calls):
                    ends = [f"c{txn}" for txn in sorted(set(txns))]
                    if calls + len(ends) != size or txns[0] != 1:
                        continue
                    events = [f"j{txn}(R, theta)={vote}" for txn, vote in zip(txns, votes, strict=True)]
                    text = " ".join((*events, *ends))
                    found += [text] if n1(text) else []
        if found:
            return found
    return []


def _lower(cells: Cells) -> Outcome:
    same, other = ("theta", "theta"), ("theta1", "theta2")
    table = {
        (votes, thetas): n1(lower(votes, thetas)) for thetas in (same, other) for votes in product(VOTES, repeat=2)
    }
    stated = [votes for votes in product((0, 1), repeat=2)]
    differing = [votes for votes in stated if votes[0] != votes[1]]
    one_key = [votes for votes in stated if table[votes, same]]
    two_keys = [votes for votes in stated if table[votes, other]]
    at_sr = all(at(lower(votes, same), "SR") for votes in one_key)
    least = smallest_replays()
    cell = cells.cell("N1", "SR")
    size = min(len(Schedule.parse(text).events) for text in least) if least else 0
    printed_size = len(Schedule.parse(lower((None, None), same)).events)
    minimal = size == printed_size
    unknown = table[(None, None), same]
    said = "undecided, since no votes are printed" if unknown is None else yes(unknown)
    as_said = one_key == differing and bool(one_key)
    whatever_is_supplied = bool(unknown) and two_keys == one_key and minimal
    verdict = "refuted" if not as_said else "holds" if whatever_is_supplied else "depends"
    witness = Schedule.parse(lower(one_key[0], same)) if one_key else None
    detail = (
        "no θ is printed, and N1 is about one key (R, θ). With one θ for both calls, and votes that differ, it shows "
        f"N1 at every level: {yes(as_said and at_sr)}; with votes as printed it is {said}; with two θs there are two "
        f"keys and no N1: {yes(not two_keys)}. As 'the minimal witness': {yes(minimal)}; N1 counts the calls of one "
        "transaction, too, and one call fewer commits; it is minimal among witnesses of two transactions"
    )
    evidence = (
        *(
            f"θ {'the same' if thetas == same else 'different'}: {lower(votes, thetas)}: N1: "
            f"{'undecided' if shown is None else yes(shown)}"
            for (votes, thetas), shown in table.items()
            if votes in (*stated, (None, None)) and votes[:1] != (1,)
        ),
        f"smallest by enumeration: {least[0] if least else 'none'} ({size} events); by search, at SR: {cell.witness}",
    )
    found = [witness] if witness else []
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=tuple(found + ([cell.witness] if cell.witness else [])),
        repair=f"print θ and votes: {witness}; minimal: of two transactions",
        bound="the printed schedule: every vote or none, one θ or two; minimality: all calls at one key, 4 events",
        evidence=evidence,
        smallest=dict([cell.smallest] if cell.smallest else []),
    )


CLAIMS: Final = (
    Claim(
        "W.N1-bridge",
        "TOKI 2026, Appendix B.1.1",
        "in the printed replay schedule, a row held below SR lets the second call see another vote; SR on judge_log "
        "does not",
        "as printed, with every assignment of votes; and through the bridge, with the first call as a write (Lemma 1) "
        "or as a read (B.1.2). Weaker than SR: at some such level",
        _bridge,
    ),
    Claim(
        "W.N1-lower",
        "TOKI 2026, Appendix B.2.1",
        "the printed unkeyed replay of two transactions shows N1, and is the minimal schedule that does",
        "every vote or none; one θ for both calls, or two; minimal among all, or among those of two transactions",
        _lower,
    ),
)
