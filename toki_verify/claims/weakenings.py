"""The weakening histories that Table 9 describes and does not print: W.LWW-RU … W.RULE-SI (TOKI 2026, Appendix B.8).

Each is sought among all schedules in which the operator and one other transaction make the accesses that the row speaks
of. The level of the row lowers one component of the operator's precondition and keeps the rest; at the precondition
itself the failure must be gone. By the caption a row exposes what the operator's signature names, which is another
failure than the row's for ⊕t and ⊕p, so both are decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

from ..algebra import EVIDENCE, OPERATORS
from ..events import Schedule
from .access_programs import Program, everywhere, exhibits, first, holds_at, interleavings
from .cells import Cell, Cells
from .judged import yes
from .model import Claim, Outcome
from .small_facts import MULTIDEGREE, day, fact

_WHERE: Final = "TOKI 2026, Table 9, Appendix B.8"


@dataclass(frozen=True)
class Weakening:
    """A row: the operator, its precondition, the level that weakens it, the failures that the row names, the one that
    the signature of the operator names (§3.2), and the programs that fit the description."""

    tag: str
    operator: str
    pin: str
    below: str
    failures: tuple[str, ...]
    signature: str
    families: tuple[tuple[Program, ...], ...]

    @property
    def glyph(self) -> str:
        """The operator as the paper writes it."""
        return OPERATORS[self.operator].glyph


_WRITE: Final[tuple[Program, ...]] = (("w:x:lww",), ("r:x", "w:x:lww"))
_WAITING: Final = tuple(
    (order,)
    for chosen in (("w:x:await",), ("w:x:await", "r:x"), ("w:x:await", "cb"), ("w:x:await", "r:x", "cb"))
    for order in permutations(chosen)
)
#: ⊕p weighs two rows of evidence, or one, twice, as it would with a single incumbent; T2 revises what it will.
_WEIGHING: Final[tuple[Program, ...]] = (("r:x", "r:y", "w:z:evi"), ("r:y", "r:x", "w:z:evi"))
_ONE_ROW: Final[tuple[Program, ...]] = (("r:x", "w:z:evi"), ("r:x", "r:x", "w:z:evi"), ("r:x", "w:x:evi"))
_REVISING: Final[tuple[Program, ...]] = (("w:x",), ("w:y",), ("w:x", "w:y"), ("w:y", "w:x"), ("r:x", "w:x", "w:y"))
LWW_RU: Final = Weakening("LWW-RU", "lww", "RC", "RU", ("P0", "P1"), "P4", tuple(product(_WRITE, repeat=2)))
EVI_RC: Final = Weakening("EVI-RC", "evi", "SI", "RC", ("A5A",), "A5B", tuple(product(_WEIGHING, _REVISING)))
AWAIT_NOCB: Final = Weakening("AWAIT-NOCB", "await", "RC+cb", "RC", ("CB",), "CB", _WAITING)


@dataclass(frozen=True)
class Found:
    """Of a failure: a smallest history below the pin, what the pin does to it, and whether both ways agree."""

    name: str
    history: Schedule | None
    cell: Cell
    at_pin: int

    @property
    def exposed(self) -> bool:
        """Whether it is there below the pin and not at it."""
        return self.history is not None and self.cell.verdict == "excluded" and not self.at_pin


def look(cells: Cells, row: Weakening, name: str) -> Found:
    """A failure below and at the pin of a row: among the histories of the row, and in schedules of every size."""
    families = list(row.families)
    return Found(
        name, first(families, row.below, name), cells.cell(name, row.pin), len(everywhere(families, row.pin, name))
    )


def _line(row: Weakening, found: Found) -> str:
    shown = f"{row.below}: {found.history}" if found.history else f"{row.below}: none of the histories shows it"
    return (
        f"{row.glyph}, {found.name}, smallest at {shown}; at its pin {row.pin}: {found.cell.verdict}, and shown by "
        f"{found.at_pin} of the histories"
    )


def _signature_line(row: Weakening, cell: Cell) -> str:
    where = f", e.g. {cell.witness}" if cell.witness else ""
    return (
        f"the signature of {row.glyph} names {row.signature} (§3.2): at the pin {row.pin} it is {cell.verdict}{where}"
    )


def _bound(row: Weakening) -> str:
    number = sum(1 for programs in row.families for _ in interleavings(programs))
    return (
        f"histories: all {number} of the {len(row.families)} programs of the row; at the pin: schedules of every size"
    )


def decide(cells: Cells, row: Weakening, detail: str, further: tuple[str, ...] = ()) -> Outcome:
    """A row by its own column, and by the caption, which refers to the signature of the operator."""
    found = [look(cells, row, name) for name in row.failures]
    named = cells.cell(row.signature, row.pin)
    own, caption = all(each.exposed for each in found), named.verdict == "excluded"
    unknown = [each.name for each in found if each.cell.verdict == "undecided"]
    verdict = "undecided" if unknown else "holds" if own and caption else "depends" if own else "refuted"
    histories = tuple(each.history for each in found if each.history)
    others = (named.witness,) if named.witness else ()
    excluded = [each.cell for each in found if each.cell.verdict == "excluded"]
    return Outcome(
        verdict,
        "proof" if own else "exhaustive",
        f"by the row's own column: {yes(own)}; by the signature that the caption refers to: {yes(caption)}. {detail}",
        tuple({proof.id: proof for cell in excluded for proof in cell.proofs}.values()),
        tuple(dict.fromkeys((*histories, *others))),
        repair="" if own and caption else f"exposes({row.glyph}) = {', '.join(row.failures)}",
        bound=_bound(row),
        evidence=(*(_line(row, each) for each in found), _signature_line(row, named), *further),
        instances={id: schedules for cell in excluded for id, schedules in cell.instances},
        repair_verdict="holds" if own and not caption else "",
        repair_artifact=excluded[0].proofs[0].id if own and not caption and excluded[0].proofs else "",
    )


def _lww(cells: Cells) -> Outcome:
    both = first([programs for programs in LWW_RU.families if len(programs[1]) > 1], "RU", "P1")
    overwrites = both is not None and exhibits(str(both), "P0")
    detail = (
        "the overwrite alone is P0; P1 needs that the second operator reads the incumbent, as line 1 of Algorithm 1 "
        "does: 'P0/P1 boundary' names the level between them and RC, not one phenomenon"
    )
    return decide(cells, LWW_RU, detail, (f"with that read, {both}: P1 and P0 at once: {yes(overwrites)}",))


def elected(x: int, y: int) -> str:
    """Whom ⊕p elects of the facts x and y, by their confidences in tenths."""
    pair = fact("x", "a", at=1, confidence=x / 10), fact("y", "b", at=1, confidence=y / 10)
    return EVIDENCE.resolve(*pair, now=day(3), carrier=MULTIDEGREE).winner.fact_id


def split_winner() -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Confidences of x and y before and after a revision, without ties, for which ⊕p elects from the split snapshot (x
    old, y new) another fact than in either state: the smallest."""
    states = sorted(product(range(1, 6), repeat=4), key=lambda each: (sum(each), each))
    for x, y, later_x, later_y in states:
        tied = x in (y, later_y) or later_x == later_y
        if not tied and elected(x, later_y) not in (elected(x, y), elected(later_x, later_y)):
            return (x, y), (later_x, later_y)
    return None


def _evi(cells: Cells) -> Outcome:
    found = split_winner()
    single = everywhere(list(product(_ONE_ROW, _REVISING)), "RC", "A5A")
    at_once = "r1{facts:p: x0, y2} w2[x2 in p] w2[y2 in p] w1[z1 by evi] c1 c2"
    ordered = "w2[x2 in p] w2[y2 in p] c2 r1{facts:p: x0, y2} w1[z1 by evi] c1"
    split = next((text for text in (ordered, at_once) if holds_at(text, "RC") and exhibits(text, "A5A")), "none")
    said = "no confidences make the winners differ"
    if found:
        (x, y), (later_x, later_y) = found
        said = (
            f"inconsistent winner: confidences of x, y are .{x}, .{y} before T2 and .{later_x}, .{later_y} after it; "
            f"⊕p elects {elected(x, y)} and {elected(later_x, later_y)} in these states, and {elected(x, later_y)} "
            f"from x0 and y2 (.{x}, .{later_y})"
        )
    detail = (
        "'inconsistent evidence winner' is no predicate of the paper: read as a winner that ⊕p elects in no state of "
        f"the store, the split (A5A) makes one: {yes(found is not None)}. It takes two rows of evidence; Algorithm 1 "
        "reads the partition once and resolves against one incumbent (line 9): histories with one row of evidence "
        f"show A5A: {yes(bool(single))}. So the row describes an operator that reads both facts, as B.4.1 does"
    )
    further = (
        said,
        f"one read of the partition by its predicate splits, too, where RC lets its rows be of two snapshots: {split}",
    )
    return decide(cells, EVI_RC, detail, further)


def _await(cells: Cells) -> Outcome:
    written = first([(("r:x", "w:x:await", "cb"),)], "RC", "CB")
    safe = [text for each in _WAITING for text in interleavings(each) if holds_at(text, "RC+cb")]
    serial = written is not None and holds_at(str(written), "SR")
    detail = (
        "described as write before callback; the smallest failure has no callback at all. Only the callback axis is "
        f"weakened: the history is at SR: {yes(serial)}, so no isolation level replaces cb. Of the orders of candidate "
        f"read, callback and write those at the pin are {len(safe)}; B.8 calls one safe"
    )
    further = (f"as described, with the candidate read: {written}", *(f"safe: {text}" for text in safe))
    return decide(cells, AWAIT_NOCB, detail, further)


_READER: Final[tuple[Program, ...]] = (("P",), ("r:x", "P"), ("P", "w:x:rule"), ("r:x", "P", "w:x:rule"))
#: What the transaction that changes the policy does besides: nothing is read; a fact is read; the policy is read.
SHAPES: Final[dict[str, tuple[tuple[Program, ...], ...]]] = {
    "it reads nothing": tuple(product(_READER, (("I",), ("I", "w:x"), ("w:x", "I"), ("I", "w:y")))),
    "it reads a fact": tuple(product(_READER, (("r:x", "I"), ("r:x", "I", "w:x"), ("I", "r:x")))),
    "both read and change the policy": tuple(
        product((("P", "I"), ("r:x", "P", "I", "w:x:rule")), (("P", "I"), ("I", "P")))
    ),
}
RULE_PIN: Final = "SI+SR@policy"
#: With a third transaction that only reads: T1 applies the policies it saw, T2 issues one and reads nothing.
THIRD: Final[tuple[tuple[Program, ...], ...]] = (
    *product((("P", "w:x:rule"),), (("I",),), permutations(("P", "r:x"))),
    (("P", "w:x:rule"), ("I", "w:y"), ("r:y", "r:x")),
)
BROAD: Final = "P3[broad]"


def _counted(families: tuple[tuple[Program, ...], ...], *, clean: bool = False) -> int:
    return sum(1 for each in families for _ in interleavings(each, clean=clean))


def _at(texts: list[str], level: str) -> list[str]:
    return [text for text in texts if holds_at(text, level)]


def _third() -> tuple[list[str], str]:
    """Histories of three transactions at SI that show P3, and what is said of them."""
    seen = everywhere(list(THIRD), "SI", "P3", clean=True)
    smallest = f", smallest {seen[0]}" if seen else ""
    return seen, (
        f"a writer that reads nothing, with a third transaction that only reads: {len(seen)} histories at SI show P3"
        f"{smallest}; {len(_at(seen, RULE_PIN))} of them are at {RULE_PIN}"
    )


def _broad() -> tuple[list[str], str]:
    """The bare phantom as an event pattern, at SI, and what is said of it."""
    seen = everywhere(list(SHAPES["it reads nothing"]), "SI", BROAD)
    example = min(_at(seen, "SR"), key=len, default="none")
    return seen, (
        f"as {BROAD}, a policy is issued while the reader of the policies runs: {len(seen)} histories at SI where it "
        f"reads nothing; {len(_at(seen, RULE_PIN))} of them are at {RULE_PIN}, {len(_at(seen, 'SR'))} at SR, e.g. "
        f"{example}: SR puts the reader first"
    )


def _rule(cells: Cells) -> Outcome:
    lines, exposed, pinned = [], {}, {}
    witnesses: list[Schedule] = []
    for words, families in SHAPES.items():
        seen = everywhere(list(families), "SI", "P3")
        history = first(list(families), "SI", "P3") if seen else None
        kept = _at(seen, RULE_PIN)
        inside = sum(exhibits(text, "P3@policy") for text in seen)
        exposed[words], pinned[words] = bool(seen), not kept
        witnesses += [history] if history else []
        lines.append(
            f"T2 issues a policy that T1 did not see, {words}: {len(seen)} histories at SI show P3"
            f"{f', smallest {history}' if history else ''}; {len(kept)} of them are at {RULE_PIN}; {inside} have the "
            "cycle inside the policy table"
        )
    serial = cells.cell("P3", "SR")
    three, line = _third()
    broad, broadly = _broad()
    for words, seen in (("it reads nothing, a third only reads", three), (f"it reads nothing, as {BROAD}", broad)):
        exposed[words], pinned[words] = bool(seen), not _at(seen, RULE_PIN)
    witnesses += [Schedule.parse(text) for text in (*three[:1], *_at(broad, "SR")[:1])]
    lines += [line, broadly, f"P3 at SR, every table: {serial.verdict}"]
    good = [words for words in exposed if exposed[words] and pinned[words]]
    bad = [words for words in exposed if words not in good]
    detail = (
        f"the bare phantom (a policy is read, another transaction inserts one and reads nothing) is at SI, as a cycle: "
        f"{yes(exposed['it reads nothing'])}; two transactions at SI need an anti-dependency back, or a third that "
        f"reads what both did: {yes(bool(three))}. As the event pattern {BROAD} it is at SI: {yes(bool(broad))}, and "
        f"the pin excludes it: {yes(not _at(broad, RULE_PIN))}, SR: {yes(not _at(broad, 'SR'))}, since it has a serial "
        f"order. Where the way back goes through a fact, SI admits P3: {yes(exposed['it reads a fact'])}, and the pin "
        f"on the policy table excludes it: {yes(pinned['it reads a fact'])}; where both read and change the policy, SI "
        f"admits it: {yes(exposed['both read and change the policy'])}, and the pin excludes it: "
        f"{yes(pinned['both read and change the policy'])}. The pin matters where: {'; '.join(good) or 'none'}"
    )
    return Outcome(
        "holds" if not bad else "depends" if good else "refuted",
        "exhaustive",
        detail,
        serial.proofs if serial.verdict == "excluded" else (),
        tuple(dict.fromkeys(witnesses)),
        repair="policy P3: a cycle inside the policy table; or SR on every table that ⊕c and writers of policies touch",
        bound=f"all {sum(map(_counted, SHAPES.values()))} histories of two transactions with the accesses of the three "
        f"shapes; all {_counted(THIRD, clean=True)} of {len(THIRD)} programs of three that read nothing uncommitted",
        evidence=tuple(lines),
        instances=dict(serial.instances),
        repair_verdict="holds" if good and serial.verdict == "excluded" else "",
        repair_artifact=serial.proofs[0].id if serial.proofs else "",
    )


_READING: Final = "the row's failure, and the one of the operator's signature (§3.2); RU is the level below RC"
CLAIMS: Final = (
    Claim(
        "W.LWW-RU",
        f"{_WHERE}, LWW-RU",
        "⊕t below RC: a dirty overwrite before commit shows the P0/P1 boundary, which RC excludes",
        _READING,
        _lww,
    ),
    Claim(
        "W.EVI-RC",
        f"{_WHERE}, EVI-RC; B.4.1",
        "⊕p at RC: evidence read from two snapshots elects an inconsistent winner, which SI excludes",
        f"{_READING}; a split snapshot is read skew (A5A) between two rows of evidence",
        _evi,
    ),
    Claim(
        "W.AWAIT-NOCB",
        f"{_WHERE}, AWAIT-NOCB",
        "⊕? without the callback axis: a write before the callback shows the callback boundary, which RC+cb excludes",
        "isolation kept at RC, the callback axis alone weakened",
        _await,
    ),
    Claim(
        "W.RULE-SI",
        f"{_WHERE}, RULE-SI",
        "⊕c with its policy table at SI: a policy phantom shows policy P3, which SR on the policy table excludes",
        "P3 through a predicate read of the policy table, as a cycle, or as the event pattern P3[broad]; by what the "
        "transaction that inserts the policy reads; the rest of the tables at SI in both",
        _rule,
    ),
)
