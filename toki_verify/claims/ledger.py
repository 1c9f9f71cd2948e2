"""The claims ledger: a row a claim, as data (SEMANTICS §8, NOTATION `claims`).

A row says nothing that its claim did not compute. That it *holds* needs something to look at: the id of a certificate,
a bound up to which everything was tried, or the cases that a named property was tested on; a claim that says so without
becomes `unknown`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, Final

from ..events import Schedule
from ..jsonform import schedule_object
from ..notation.printer import print_schedule
from .model import Claim, Outcome

#: The verdicts of a row: those of a claim, with what is undecided as `unknown`.
VERDICTS: Final = ("holds", "refuted", "vacuous", "holds-repaired", "depends", "out-of-scope", "unknown")
#: proof: for every size; exhaustive: every case up to `bound`; property: cases at random, or some; measured: by others.
METHODS: Final = ("proof", "exhaustive", "property", "measured")


@dataclass(frozen=True)
class Repair:
    """What is to be changed, the verdict of the statement so changed, and the id of what shows it; None where nobody
    has decided it, or it is advice and no statement."""

    statement: str
    verdict: str | None = None
    artifact: str | None = None


@dataclass(frozen=True)
class Row:
    """A row of the ledger. Schedules are texts of the notation, `artifact` the ids of proofs and of certificates that
    nothing is smaller, `seconds` how long it took to decide the claim from nothing."""

    id: str
    where: str
    statement: str
    reading: str
    verdict: str
    method: str
    bound: str | None
    detail: str
    counterexample: str | None
    evidence: tuple[str, ...]
    witnesses: tuple[str, ...]
    repair: Repair | None
    artifact: tuple[str, ...]
    seconds: float

    def plain(self) -> dict[str, Any]:
        """The row as JSON that `from_plain` reads back."""
        return asdict(self)

    def data(self) -> dict[str, Any]:
        """The row as NOTATION has it: schedules are objects."""
        found = self.plain()
        if self.counterexample is not None:
            found["counterexample"] = schedule_object(Schedule.parse(self.counterexample))
        return found | {"witnesses": [schedule_object(Schedule.parse(text)) for text in self.witnesses]}


_STRINGS: Final = ("id", "where", "statement", "reading", "verdict", "method", "detail")
_LISTS: Final = ("evidence", "witnesses", "artifact")


def from_plain(data: Any) -> Row:
    """The row that `plain` made. Raises ValueError for anything else, also where a schedule is none (ScheduleError)."""
    if not isinstance(data, dict) or set(data) != {entry.name for entry in fields(Row)}:
        raise ValueError("no row")
    lists = [data[name] for name in _LISTS]
    optional = (data["bound"], data["counterexample"])
    strings = [data[name] for name in _STRINGS] + [text for text in optional if text is not None]
    if not all(isinstance(found, list) for found in lists):
        raise ValueError("no list")
    strings += [text for found in lists for text in found]
    repair = data["repair"]
    if repair is not None:
        if not isinstance(repair, dict) or set(repair) != {entry.name for entry in fields(Repair)}:
            raise ValueError("no repair")
        strings += [text for text in repair.values() if text is not None]
        repair = Repair(**repair)
        if not isinstance(repair.statement, str) or repair.verdict not in (None, *VERDICTS):
            raise ValueError("no repair")
    seconds = data["seconds"]
    if not all(isinstance(text, str) for text in strings) or type(seconds) not in (int, float):
        raise ValueError("no text")
    if not 0 <= seconds < inf:
        raise ValueError("no time")
    if data["verdict"] not in VERDICTS or data["method"] not in METHODS:
        raise ValueError("no verdict")
    for text in [*data["witnesses"], *([] if data["counterexample"] is None else [data["counterexample"]])]:
        Schedule.parse(text)
    return Row(**{**data, **{name: tuple(data[name]) for name in _LISTS}, "repair": repair})


def row_of(claim: Claim, outcome: Outcome, seconds: float) -> Row:
    """The row of a claim that was decided."""
    verdict = "unknown" if outcome.verdict == "undecided" else outcome.verdict
    artifact = (
        *(proof.id for proof in outcome.proofs),
        *(equation.id for equation in outcome.equational),
        *outcome.smallest,
    )
    bound = outcome.bound or _smaller(outcome)
    detail = outcome.detail
    method = outcome.method
    if verdict in ("holds", "holds-repaired") and not artifact:
        # A proof without a certificate is worth the bound up to which everything was tried.
        method = "exhaustive" if method == "proof" and bound else method
        if not bound:
            verdict, detail = "unknown", f"said to hold, with neither a certificate nor a bound: {detail}"
    return Row(
        claim.id,
        claim.where,
        claim.statement,
        claim.reading,
        verdict,
        method,
        bound or None,
        detail,
        None if outcome.counterexample is None else _text(outcome.counterexample),
        outcome.evidence,
        tuple(map(_text, outcome.witnesses)),
        _repair(outcome),
        artifact,
        round(seconds, 3),
    )


def _repair(outcome: Outcome) -> Repair | None:
    """A claim that holds as repaired has decided its repair."""
    if not outcome.repair:
        return None
    verdict = outcome.repair_verdict or ("holds" if outcome.verdict == "holds-repaired" else None)
    return Repair(outcome.repair, verdict, outcome.repair_artifact or None)


def _smaller(outcome: Outcome) -> str:
    """Of one smallest schedule, what was tried that is smaller."""
    sizes = {
        (len(found.schedule.events), len(found.schedule.resolved.txns), len(found.schedule.resolved.items))
        for found in outcome.smallest.values()
    }
    if outcome.method != "exhaustive" or len(sizes) != 1:
        return ""
    counts = zip(("event", "transaction", "item"), sizes.pop(), strict=True)
    size = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts)
    return f"every frame smaller than {size}"


def _text(schedule: Schedule) -> str:
    return print_schedule(schedule).rstrip()


@cache
def required() -> tuple[str, ...]:
    """The ids that the ledger must have; `Alg1.*` asks for rows below it."""
    text = Path(__file__).with_name("ids.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["ids"])


def missing(ids: Iterable[str]) -> list[str]:
    """Which of the required ids have no row among these."""
    known = list(ids)
    return [
        wanted
        for wanted in required()
        if wanted not in known and not (wanted.endswith(".*") and any(id.startswith(wanted[:-1]) for id in known))
    ]
