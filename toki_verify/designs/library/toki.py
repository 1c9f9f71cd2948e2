"""Toki: Algorithm 1 of the seed, with each operator and both ways of keeping the judge log.

The line numbers are those of Algorithm 1 (TOKI 2026, §3.4). Where the appendix says more than the algorithm prints, the
design does what the appendix says: a version is closed by a statement that raises LookupError when no open row matches
(§C.1). `TokiPrinted` does line 19 alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from ..model import Design, Initial, Table, belief, row, writer
from ..operations import (
    JUDGE_LOG,
    Aborted,
    Operation,
    Steps,
    abort,
    alone,
    callback,
    commit,
    insert,
    judge,
    log_insert_if_absent,
    log_key,
    read,
    select,
    update,
)
from ..values import Row
from .common import PARTITION, place

#: θ = (prompt, seed, model version, temperature, tool-output hash), pinned (§3.3, Corollary 2).
THETA: Final = "prompt 1; seed 7; model 1; temperature 0; no tool"
FACTS: Final = Table(
    predicates={"open": lambda found: found["end"] is None},
    closed=lambda found: found["end"] is not None,
    content=("object",),
)
#: Audit rows are rows of the same table with row_kind = audit (§3.1); they belong to no partition of current facts.
AUDIT: Final = Table(None, part="audit")
_SOURCES: Final = {
    "read the open rows of the partition": "TOKI 2026, Algorithm 1, line 1; Table 14, step 2",
    "duplicate confirmation": "Algorithm 1, lines 2-4",
    "no incumbent, or several": "Algorithm 1, lines 5-11",
    "elect a winner": "Algorithm 1, lines 12-16; Table 13",
    "close the loser, insert the winner": "Algorithm 1, lines 17-20; §C.1 (close raises LookupError)",
    "audit row": "Algorithm 1, line 21; §C.3 (audit::{loser}::{system_time}, conflict witness)",
    "commit at the operator's pin": "Algorithm 1, line 22; §C.4",
}


class Toki(Design):
    """Algorithm 1 with ⊕t, last writer wins, at read committed. What the store refuses is told to the caller, and not
    repeated (§C.4); a request that a crash has cut off is."""

    title = "Toki, lww"
    isolation = "RC"
    retries = 0
    tables: ClassVar[Mapping[str, Table]] = {"facts": FACTS, "audit": AUDIT}
    sources: ClassVar[Mapping[str, str]] = {**_SOURCES, "⊕t": "Table 13: the larger (system_time_start, fact_id), RC"}
    operator: ClassVar[str] = "lww"

    def setup(self) -> Iterable[Initial]:
        """One open row."""
        yield row("facts", "r0", **PARTITION, object=place(0), fact="f0", start=0, confidence=5, end=None, prov="p0")

    @belief
    def one_open_row(self, rows: tuple[Row, ...]) -> bool:
        """The single-incumbent precondition (Algorithm 1, lines 8-11: enforced by construction)."""
        return sum(found["end"] is None for found in rows) <= 1

    @writer
    def ingest(self, me: int) -> Steps[None]:
        """A fact of the writer's own."""
        yield from self.resolve(me)

    def resolve(self, fact: int) -> Steps[None]:
        """Algorithm 1 for fact number `fact`, whose system time and confidence grow with its number."""
        rows = yield from select("facts", "open", **PARTITION)  # line 1
        if any(found["object"] == place(fact) for found in rows):  # lines 2-4: a duplicate confirmation
            yield from commit()
            return
        new: dict[str, Any] = {
            **PARTITION,
            "object": place(fact),
            "fact": f"f{fact}",
            "confidence": 5 + fact,
            "end": None,
        }
        if not rows:  # lines 6-7
            yield from insert("facts", start=fact, **new, prov=f"p{fact}")
            yield from commit()
            return
        if len(rows) > 1:  # lines 8-9: binary operators require one incumbent
            yield from abort()
            return
        old = rows[0]  # line 11
        won = yield from self.elect(old, fact)  # lines 12-16
        if won is None:
            yield from abort()
            return
        merged = f"{old.prov}+p{fact}"  # line 17
        if won:  # lines 18-20: the incumbent lost
            yield from self.close(old, fact)
            yield from insert("facts", start=fact, **new, prov=merged)
        winner, loser = (f"f{fact}", old["fact"]) if won else (old["fact"], f"f{fact}")
        objects = (place(fact), old["object"]) if won else (old["object"], place(fact))
        yield from insert(  # line 21
            "audit", strategy=self.operator, time=fact, winner=winner, loser=loser, witness=objects, prov=merged
        )
        yield from commit()  # line 22

    def elect(self, old: Row, fact: int) -> Steps[bool | None]:
        """Whether the new fact wins; None where nobody says so. ⊕t compares times, and needs nobody (Table 13)."""
        yield from ()
        return (fact, f"f{fact}") > (old["start"], old["fact"])

    def close(self, old: Row, fact: int) -> Steps[None]:
        """Line 19 as §C.1 does it: close the open row, or raise where it is not open any more."""
        if not (yield from update("facts", old, expect=old, operator=self.operator, end=fact)):
            raise Aborted("no open current row")


class TokiPrinted(Toki):
    """Algorithm 1 with ⊕t, line 19 as it is printed: the row is closed, whatever it is by then."""

    title = "Toki, lww, as printed"
    sources: ClassVar[Mapping[str, str]] = {**Toki.sources, "close the loser": "Algorithm 1, line 19, alone"}

    def close(self, old: Row, fact: int) -> Steps[None]:
        """Line 19 as printed."""
        yield from update("facts", old, operator=self.operator, end=fact)


class TokiEvidence(Toki):
    """Algorithm 1 with ⊕p, the larger confidence wins, at snapshot isolation."""

    title = "Toki, evi"
    isolation = "SI"
    operator = "evi"
    sources: ClassVar[Mapping[str, str]] = {
        **_SOURCES,
        "⊕p": "Table 13: the larger (confidence, system_time_start, fact_id), SI",
    }

    def elect(self, old: Row, fact: int) -> Steps[bool | None]:
        """⊕p compares confidences."""
        yield from ()
        return (5 + fact, fact, f"f{fact}") > (old["confidence"], old["start"], old["fact"])


class _Asking(Toki):
    """An operator that asks an oracle about R = (f1.fact_id, f2.fact_id) (§C.5)."""

    @writer
    def redeliver(self) -> Steps[None]:
        """The fact of writer 1 once more: a queue delivers at least once."""
        yield from self.resolve(1)

    def elect(self, old: Row, fact: int) -> Steps[bool | None]:
        """Line 14 as printed: ask, and append the vote to the log, in a commit that comes before the operator's."""
        reads = (old["fact"], f"f{fact}")
        vote = yield from self.oracle(reads)
        if vote is None:
            return None
        yield from alone(insert(JUDGE_LOG, key=log_key(reads, THETA), reads=reads, theta=THETA, vote=vote))
        return bool(vote)

    def oracle(self, reads: tuple[str, str]) -> Operation[Any]:
        """ρ, line 14: the index of the fact that it elects."""
        return judge(reads, THETA)


class _TooLate(Exception):
    """Another vote was logged first."""


class _Keyed(_Asking):
    """An operator that looks into the keyed log before it asks, and fills it by insert-if-absent. A writer whose fill
    comes too late has asked in vain: its transaction, and with it the call, is taken back and begun again."""

    def resolve(self, fact: int) -> Steps[None]:
        """Algorithm 1, again where the log has another vote by now; that vote is then there to be read."""
        while True:
            try:
                yield from super().resolve(fact)
                return
            except _TooLate:
                yield from abort()

    def elect(self, old: Row, fact: int) -> Steps[bool | None]:
        """Corollary 2: read the log; where it has nothing, ask and insert if absent. The key is the set of both facts,
        and the vote elects one of them, whoever is the incumbent (Remark 3)."""
        reads = (min(old["fact"], f"f{fact}"), max(old["fact"], f"f{fact}"))
        logged = yield from alone(read(JUDGE_LOG, log_key(reads, THETA)))
        if logged is not None:
            return bool(reads[logged["vote"]] == f"f{fact}")
        vote = yield from self.oracle(reads)
        if vote is None:
            return None
        if (yield from log_insert_if_absent(reads, THETA, vote)) != vote:
            raise _TooLate
        return bool(reads[vote] == f"f{fact}")


_APPENDED: Final = {"ask every time, append": "Algorithm 1, line 14; §C.5 (preserves multiplicity)"}
_KEYED: Final = {
    "consult, ask, insert if absent": "Corollary 2 and its call-site contract; Lemma 1 (H1); Remark 3 (set key)"
}


class TokiAwait(_Asking):
    """Algorithm 1 with ⊕?, a confirmation from outside, at read committed with a delivered callback."""

    title = "Toki, await"
    operator = "await"
    sources: ClassVar[Mapping[str, str]] = {**_SOURCES, **_APPENDED, "⊕?": "Table 13: callback returns 0/1, RC+cb"}

    def oracle(self, reads: tuple[str, str]) -> Operation[Any]:
        """cb(R, h, k): may not be delivered."""
        return callback(reads, ("confirm", *reads))


class TokiAwaitKeyed(_Keyed):
    """Algorithm 1 with ⊕?, and a keyed log that is filled by insert-if-absent."""

    title = "Toki, await, keyed log"
    operator = "await"
    sources: ClassVar[Mapping[str, str]] = {**_SOURCES, **_KEYED, "⊕?": "Table 13: callback returns 0/1, RC+cb"}

    def oracle(self, reads: tuple[str, str]) -> Operation[Any]:
        """cb(R, h, k): may not be delivered."""
        return callback(reads, ("confirm", *reads))


_RULE: Final = {"⊕c": "Algorithm 1, line 12; Table 13: policy oracle returns 0/1; Theorem 4, clause 4"}


class TokiRule(_Asking):
    """Algorithm 1 with ⊕c, a policy oracle, its pin on the policy table only and the others at read committed. Nobody
    writes a policy here, so that the oracle's answer stands for its reading the table."""

    title = "Toki, rule"
    operator = "rule"
    sources: ClassVar[Mapping[str, str]] = {**_SOURCES, **_APPENDED, **_RULE}


class TokiRuleKeyed(TokiRule, _Keyed):
    """Algorithm 1 with ⊕c as above, and a keyed log that is filled by insert-if-absent."""

    title = "Toki, rule, keyed log"
    sources: ClassVar[Mapping[str, str]] = {**_SOURCES, **_KEYED, **_RULE}


class TokiKeyed(TokiRuleKeyed):
    """The design that the star of Table 4 speaks of: a keyed judge log, the partition and the policy table at
    serializable, audit rows. Its writers bring facts of their own only."""

    title = "Toki"
    isolation = "SR"
    tables: ClassVar[Mapping[str, Table]] = {**Toki.tables, "policy": Table(None, part=None, isolation="SR")}
    sources: ClassVar[Mapping[str, str]] = {
        **TokiRuleKeyed.sources,
        "serializable transactions": "Table 4, note; Table 16 (SR on the partition); §C.4 (BEGIN ISOLATION LEVEL "
        "SERIALIZABLE)",
        "a policy row": "§3.2 (⊕c applies a policy row pinned to serializable)",
    }

    def setup(self) -> Iterable[Initial]:
        """One open row, one policy."""
        yield from super().setup()
        yield row("policy", "residence", rule="the registry's word counts")

    def elect(self, old: Row, fact: int) -> Steps[bool | None]:
        """ρ reads the policy."""
        yield from read("policy", "residence")
        return (yield from super().elect(old, fact))

    def redeliver(self) -> Steps[None]:
        """No write path here."""
        return super().redeliver()
