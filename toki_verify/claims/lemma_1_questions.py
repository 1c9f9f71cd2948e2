"""The questions of Lemma 1 as formulas about S: what π_J(S) shows, pulled back (TOKI 2026, Lemma 1; SEMANTICS §6)."""

from __future__ import annotations

from typing import Final

from ..bridge.pullback import JUDGE_LOG, pulled, pulled_term
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations import base
from ..relations.edges import EDGES, log_from, log_row
from ..relations.formulas import Formula, Region, Within, some
from ..relations.terms import Term
from .seed import CLASSICAL

_LOG: Final = Region(table=JUDGE_LOG)

#: H1[return], "later calls return the row": no call fills behind another one at its key.
RETURN: Final = ~some((base.before & base.same_key) >> base.log_fill)
#: H1[read], "committed before" of rows that are read: of a transaction that has committed, or the reader's own.
COMMIT: Final = ~some((log_from - base.same_txn) - base.committed_before)
#: The same of every row that a call could see, also one that it overrules: RC on the log implies it.
CLEAN: Final = ~some((log_row - base.same_txn) - base.committed_before)
#: H1[commit]: the row is committed before the operator commits. A row of the operator's own transaction is not.
LITERAL: Final = ~some(base.log_fill >> base.committed)
#: All votes are known, and the log is left to judge calls.
PLAIN: Final = ~some(base.unknown_vote) & Within(~some((base.item_read | base.unmatched) | base.write), _LOG)
#: A committed call fills its row behind another committed call at its key: the row is written a second time.
REFILLED: Final = some(base.committed >> (base.before & base.same_key) >> (base.log_fill >> base.committed))
#: A committed call fills although there is a row that it could see.
OVERRULED: Final = some(log_row >> (base.log_fill >> base.committed))

N1: Final = phenomenon("N1").formula
P2_ON_LOG: Final = pulled(Within(phenomenon("P2").formula, _LOG))
P3_ON_LOG: Final = pulled(Within(phenomenon("P3").formula, _LOG))
RC_ON_LOG: Final = pulled(parse_spec(f"RC@{JUDGE_LOG}").formula)

#: Accesses of the operand tables.
_operand: Final = (base.item_read | base.unmatched) | base.write
#: The kinds of edges of the conflict graph (SEMANTICS §2).
KINDS: Final = ("wr", "ww", "rw", "prw", "pwr")


def edges_differ(kind: str) -> Formula:
    """Some edge of this kind between accesses of the operand tables is in one of S and π_J(S) only."""
    edge = EDGES[kind]
    behind = _operand >> pulled_term(edge) >> _operand
    return some((behind - edge) | (edge - behind))


def edges_added(kind: str) -> Formula:
    """π_J(S) has an edge of this kind that S has not, between any accesses."""
    edge: Term = EDGES[kind]
    return some(pulled_term(edge) - edge)


def lost(name: str) -> Formula:
    """S shows it and π_J(S) does not."""
    formula = phenomenon(name).formula
    return formula & ~pulled(formula)


def gained(name: str) -> Formula:
    """π_J(S) shows it and S does not."""
    formula = phenomenon(name).formula
    return pulled(formula) & ~formula


def _transfers() -> dict[str, tuple[str, Formula, Formula]]:
    found = {}
    for name in CLASSICAL:
        formula = phenomenon(name).formula
        if name != "P3":  # no proof was found; the claim says so
            said = f"no schedule shows {name} whose image under π_J does not"
            found[f"L1.transfer.{name}.lost"] = (said, formula, ~pulled(formula))
        hypotheses, words = (RETURN & COMMIT, "H1[return] and H1[read]") if name == "P1" else (RETURN, "H1[return]")
        if name not in ("P3", "A5A"):  # these are gained under both
            said = f"under {words} no schedule without {name} has an image that shows it"
            found[f"L1.transfer.{name}.under-H1"] = (said, hypotheses, gained(name))
    return found


#: By id: what is stated, and two formulas that no schedule satisfies together.
LEMMA_1: Final[dict[str, tuple[str, Formula, Formula]]] = _transfers() | {
    "L1.n1.no-P3": ("π_J(S) has no P3 on the judge log where only judge calls touch it", PLAIN, P3_ON_LOG),
    "L1.n1.no-N1": ("under H1[return] no schedule shows N1", PLAIN & RETURN, N1),
    "L1.n1.no-P2": ("under H1[return] no image shows P2 on the judge log", PLAIN & RETURN, P2_ON_LOG),
    "L1.n1.P2-is-N1": (
        "where every row that a call could see is committed, P2 on the judge log comes with N1",
        PLAIN & CLEAN,
        P2_ON_LOG & ~N1,
    ),
    "L1.n1.N1-refills": (
        "where every row that a call could see is committed, N1 comes with a committed second fill",
        PLAIN & CLEAN,
        N1 & ~REFILLED,
    ),
    # Two steps, since no certificate was found for both at once.
    "L1.n1.refill-sees": (
        "where every row that a call could see is committed, a committed second fill could see one",
        PLAIN & CLEAN,
        REFILLED & ~OVERRULED,
    ),
    "L1.n1.refill-differs": (
        "where every row that a call could see is committed, a committed fill that could see one comes with N1",
        PLAIN & CLEAN,
        OVERRULED & ~N1,
    ),
    "L1.n1.RC-is-clean": (
        f"where the image is at RC on {JUDGE_LOG}, every row that a call could see is committed",
        PLAIN & RC_ON_LOG,
        ~CLEAN,
    ),
}
