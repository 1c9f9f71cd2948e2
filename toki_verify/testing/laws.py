"""The laws that the suites check: what each says, where the paper has it, and which suites check it.

Ids begin as the paper's numbering does: T2 is Theorem 2, P2 Proposition 2, Tab13 Table 13, C2 Appendix C.2, A1
Algorithm 1, H1 the hypothesis of Lemma 1. "TOKI 2026" is the paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..algebra.laws import REQUIRED


@dataclass(frozen=True, slots=True)
class Law:
    """A law by its id: its statement, its source in the paper, the suites that check it."""

    id: str
    statement: str
    source: str
    suites: tuple[str, ...]


def _laws(suite: str, *entries: tuple[str, str, str]) -> dict[str, Law]:
    return {name: Law(name, statement, source, (suite,)) for name, statement, source in entries}


_OPERATOR = _laws(
    "operator_suite",
    ("Def1.audit", "the audit tuple is (p_w ⊕ p_l, strat, t_s), and names winner and loser", "Definition 1"),
    ("C2.contradiction", "facts that do not contradict are refused with a ValueError", "Appendix C.2, step 1; §2.1"),
    (
        "C2.stamp",
        "the winner has a fresh system-time start, the open end, the merged provenance and the strategy stamp; "
        "nothing else of it changes",
        "Appendix C.2, step 4; §3.2",
    ),
    ("C2.loser", "winner and loser are the two facts, the loser as it was", "Appendix C.2; §3.2"),
    ("C2.pure", "the same facts give the same conclusion, and stay what they were", "Appendix C.2"),
    ("C2.order", "which of the two is given first changes nothing", "Table 13; §3.2 (unordered identity set)"),
    ("Tab13.lww", "lww: the larger (system_time_start, fact_id) wins", "Table 13"),
    ("Tab13.evi", "evi: the larger (confidence, system_time_start, fact_id) wins", "Table 13"),
    ("Tab13.await", "await: whom the callback elects wins; it is asked once, with both facts", "Table 13"),
    ("Tab13.rule", "rule: whom the policy elects wins; it is asked once, with both facts", "Table 13"),
    ("C2.range", "an index that is not 0 or 1 is refused with a ValueError", "Appendix C.2"),
    ("C2.oracle", "an oracle that raises, or is not there, elects nobody: the operator raises", "Table 13; §3.4"),
    ("P2.binary", "the resolution of a set of two is that of the pair", "Proposition 2"),
    ("P2.argmax", "lww, evi: the largest of the set by the order of Table 13 wins", "Proposition 2; Table 13"),
    ("P2.confluence", "lww, evi: no order of the set changes winner or merged provenance", "Proposition 2(1)"),
    ("P2.complete", "the provenance of the audit tuple is above that of every member", "Proposition 2(2)"),
    ("R3.selection", "await, rule: whom the oracle elects of the set wins, and it is asked once", "Remark 3"),
)

_CARRIER = {
    **_laws("carrier_suite", *((law.name, law.statement, "§2.2; Theorem 2") for law in REQUIRED)),
    **_laws(
        "carrier_suite",
        ("order-exact", "a ⪯ b exactly where some c has a ⊕ c = b", "§2.2; Theorem 1"),
        ("text-round-trip", "parse(text(a)) = a, and text is one text", "Table 2 (provenance_id is TEXT)"),
        ("text-refused", "what is no element is refused with a ValueError", "§3.4 (no silent fallback)"),
        ("token-names", "what is made of a token is read back, whatever its name, or that is a ValueError", "Table 2"),
        ("token-annotates", "a token is not 0: what carries it is there", "§2.2; Theorem 2"),
        ("laws-claimed", "laws said to hold do, and the counterexamples to the others are real", "§2.2; Theorem 3"),
    ),
}

_LOG = _laws(
    "judge_log_suite",
    ("H1.first", "the first winner at a key is kept, and told", "Corollary 2; Lemma 1"),
    ("H1.later", "later calls at a key are told the first winner, which never changes", "Corollary 2; Appendix C.5"),
    ("H1.get", "get tells what is at a key, and None where nothing is", "Corollary 2"),
    ("H1.key", "other members or another θ are another key", "Corollary 2; Appendix C.5"),
    ("H1.entries", "entries are what was inserted, in order; they are only ever appended to", "Appendix C.5"),
    ("H1.linear", "of concurrent first fills one wins, and all are told its winner", "Corollary 2 (linearizable)"),
    ("H1.sessions", "what one session inserted, another is told", "Corollary 2; Theorem 5"),
    ("H1.durable", "what was inserted is there when the log is opened again", "Remark 3 (crash replay)"),
)

_STORE = _laws(
    "store_suite",
    ("Tab12.confidence", "confidence range: confidence BETWEEN 0.0 AND 1.0", "Table 12"),
    ("Tab12.row_kind", "row-kind domain: row_kind IN ('current', 'audit')", "Table 12"),
    ("Tab12.key", "primary key: one row for a fact_id and system_time_start; versions coexist", "Table 12"),
    ("Tab12.valid", "valid-period order: valid_from < valid_to", "Table 12"),
    ("Tab12.system", "system-period order: system_time_start < system_time_end", "Table 12"),
    ("C1.rows", "a row comes back as it was inserted, in every column", "Appendix C.1"),
    ("C1.asof", "AS OF gives the rows whose two periods contain the two instants", "Appendix C.1; §2.1"),
    ("C1.ends", "periods have their first instant and not their last", "Appendix C.1 (closed-open)"),
    ("C1.kind", "AS OF gives current rows unless audit or all are asked for", "Appendix C.1; §3.1"),
    ("C1.close", "closing ends the one version that was named", "Appendix C.1"),
    ("C1.lookup", "closing what is not open is a LookupError, and changes nothing", "Appendix C.1"),
    ("C1.open", "open_rows are the open current rows of the partition, own writes included", "Table 14, step 2"),
    ("C1.atomic", "a transaction is there after its commit, and nothing of it after a rollback", "Appendix C.3"),
    ("C1.isolated", "other sessions see nothing that is not committed", "Appendix C.4"),
    ("C1.ended", "a transaction that has ended does nothing more", "Appendix C.3"),
    ("C1.failed", "whatever a method raises ends the transaction, and nothing of it is left", "Appendix C.3"),
    ("C1.turns", "a second session's begin beside an open transaction waits, or is StoreLocked", "Appendix C.4"),
    ("H1.rollback", "a rollback leaves the judge log as it is", "Lemma 1; Appendix C.5"),
    ("C1.mode", "the three schema modes are known, and any other is a ValueError", "Appendix C.1"),
    ("C1.durable", "what was committed is there when the store is opened again, and nothing else", "Appendix C.3"),
)

_PIPELINE = _laws(
    "pipeline_suite",
    ("L2.join", "the precondition of a pipeline is the join of those of its steps", "Theorem 4; Lemma 2; Table 10"),
    ("L2.order", "order, nesting and repetition of the steps change nothing in it", "Theorem 4; Lemma 2"),
    ("T4.policy", "the pin of the policy table stays outside L: the other tables stay at L*", "Theorem 4(4)"),
    ("T4.mode", "one step that requires audit-row makes the pipeline require it", "Theorem 4(2); Corollary 3"),
    ("T4.chain", "one emission a step, of its operator on the output of the step before", "Theorem 4"),
    ("T4.schema", "every loser that a step consumes is below the provenance of an audit tuple", "Theorem 4(2)"),
    ("T4.grows", "no step of the chain has less provenance than the step before", "Theorem 4; Theorem 2"),
)

_WRITE = _laws(
    "write_path_machine",
    ("A1.model", "the current rows are those that Algorithm 1 makes of the facts, one after the other", "Algorithm 1"),
    ("A1.refused", "what Algorithm 1 refuses raises and changes nothing, and nothing else does", "Algorithm 1, line 9"),
    ("A1.pair", "an audit row has its closed loser and stamped winner, or its surviving winner", "Algorithm 1, 18-22"),
    ("A1.one", "no two open rows contradict", "Algorithm 1, lines 5-11; §3.4"),
    ("A1.crash", "a writer that dies takes nothing along that was committed, and leaves nothing else", "Appendix C.3"),
    ("A1.rows", "every row keeps the constraints of Table 12", "Table 12"),
    ("H1.append", "the judge log only grows", "Appendix C.5"),
    ("H1.before", "a verdict is in the judge log before the commit that acts on it", "Lemma 1 (H1); Appendix C.5"),
    ("N1.verdict", "all resolutions at a key elect one member: that in the log", "Corollary 2; Theorem 5"),
    ("N1.key", "a conflict set has one key, in whatever order it is met", "Remark 3"),
)

#: Every law by its id.
LAWS: Final[dict[str, Law]] = {
    **_OPERATOR,
    **_CARRIER,
    **_LOG,
    **_STORE,
    **_PIPELINE,
    **_WRITE,
    "T2.sound": Law(
        "T2.sound",
        "the provenance of an audit tuple is above that of loser and winner: p_l ⪯ p_w ⊕ p_l",
        "Theorem 2",
        ("operator_suite", "write_path_machine"),
    ),
}
