"""How Algorithm 1 and Appendix C log votes and witnesses (TOKI 2026, line 14, Appendix C.3, C.5, Remark 3, §3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from ..algebra import Fact
from ..algebra.audit import AuditTuple, witness_text
from ..events import Schedule
from ..stores import MemoryStore, Step, WritePath
from .cells import Cells
from .judged import shows, yes
from .model import Claim, Outcome
from .printed_algorithm import Memory, ingest
from .small_facts import MULTIDEGREE, day, fact, table, told

_WHERE = "TOKI 2026, Algorithm 1"
PAIR = (fact("a", "x", at=1), fact("b", "y", at=2, strategy="rule"))


@dataclass
class Votes:
    """An oracle that gives one vote after another, and counts."""

    votes: Sequence[int]
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, members: Sequence[Fact[Any]]) -> int:
        self.asked.append(tuple(member.fact_id for member in members))
        return self.votes[(len(self.asked) - 1) % len(self.votes)]


def crash_and_retry(votes: Sequence[int], consult: bool) -> tuple[Votes, str, str]:
    """Write b against a, crash once the vote is logged, and write b again: the oracle, the winner that the log has, and
    the fact that is current then."""
    store, oracle = MemoryStore(MULTIDEGREE), Votes(votes)
    path = WritePath(store, {"rule": oracle}, consult=consult)
    path.ingest(PAIR[0])
    steps = path.steps(PAIR[1])
    for step in steps:
        if step.name == "logged":
            steps.close()  # the crash: the transaction that would act on the vote never begins
            break
    written = path.ingest(PAIR[1])
    return oracle, store.judge_log.entries()[0].winner, written.row.fact_id


#: The judge calls of a crash after line 14 and a retry that acts, votes 1 and 0: the append a part of the transaction
#: of line 22, which the crash aborts, or committed on its own before it, as H1 has it.
PLACEMENTS: Final = {
    "in the transaction of line 22": "j1(R, theta)=1 a1 j2(R, theta)=0 c2",
    "committed before it": "j1(R, theta)=1 c1 j2(R, theta)=0 c2",
}


def placement_line(place: str, before: Memory, after: Memory, oracle: Votes) -> str:
    """What a retry finds, and which N1 the calls show, where the append stands at a place."""
    crashed = before if place.startswith("in") else Memory(before.rows, after.log)
    again, _ = ingest(crashed, PAIR[1], day(2), oracles={"rule": oracle})
    calls = PLACEMENTS[place]
    said = f"N1: {yes(shows(calls, 'N1'))}, N1[observed]: {yes(shows(calls, 'N1[observed]'))}"
    return (
        f"the append {place}: after the crash the log has {[vote for _, vote in crashed.log]}, after the retry "
        f"{[vote for _, vote in again.log]}; {calls}: {said}"
    )


def _log(cells: Cells) -> Outcome:
    before, _ = ingest(Memory(), PAIR[0], day(1))
    oracle = Votes((1, 0))
    after, _ = ingest(before, PAIR[1], day(2), oracles={"rule": oracle})
    crashed = Memory(before.rows, after.log)  # the log is durable, the rows were not committed
    again, _ = ingest(crashed, PAIR[1], day(2), oracles={"rule": oracle})
    votes = [vote for _, vote in again.log]
    if len(set(votes)) == 1:
        return Outcome("holds", "exhaustive", "the second call returned what was logged", bound="one retry")
    differing, repaired = [], []
    for sequence in product((0, 1), repeat=2):
        asked, logged, current = crash_and_retry(sequence, consult=False)
        differing += [(sequence, logged, current)] if logged != current else []
        asked, logged, current = crash_and_retry(sequence, consult=True)
        repaired.append(logged == current and len(asked.asked) == 1)
    detail = (
        "false of line 14 as printed and of Appendix C.5 (ask, then append, 'preserves multiplicity'): nothing reads "
        "the log, so a retry at the same (R, θ) may get another vote. True of Corollary 2 ('insert-if-absent … reads "
        "the log and skips a fresh J call'), of its call-site contract ('before issuing the j event') and of "
        f"Definition 6: for every two votes a retry asks nobody and acts on the logged one: {yes(all(repaired))}. The "
        "two parts of the paper contradict each other on whether the log is read, and on append or insert-if-absent"
    )
    evidence = (
        *(f"write {told(found)}" for found in PAIR),
        f"crash after line 14, write b again: the log of ({', '.join(again.log[0][0])}) is {votes}; inserted if absent "
        "it has one row",
        *(f"votes {list(v)}: the log says {logged}, the table has {current}" for v, logged, current in differing),
        *(placement_line(place, before, after, Votes((0,))) for place in PLACEMENTS),
        "Algorithm 1 has one commit, line 22; an append in its transaction is lost with it, and is no 'row … whose "
        "commit precedes the operator's commit' (Appendix C.5): H1 asks for the second place",
        "Appendix C.5 keeps the log in memory, where a crash empties it, §3.4 in a table: only a durable one serves "
        "the second reading",
    )
    repair = (
        "line 14: read judge_log[(R, θ)] first; ask only where it is empty, insert if absent in a transaction of its "
        "own, and act on what the log has then"
    )
    verdict = "depends" if all(repaired) else "refuted"
    calls = Schedule.parse(PLACEMENTS["committed before it"])
    bound = "two votes, one crash after line 14, one retry; the append at either place"
    return Outcome(verdict, "exhaustive", detail, witnesses=(calls,), repair=repair, bound=bound, evidence=evidence)


def first_question(history: Sequence[Fact[Any]]) -> tuple[tuple[str, ...], Step]:
    """The members in the order in which the oracle gets them when facts are written one after another, and the step."""
    path = WritePath(MemoryStore(MULTIDEGREE), {"rule": Votes((1,))})
    for found in history[:-1]:
        path.ingest(found)
    step = next(step for step in path.steps(history[-1]) if step.name == "asked")
    return tuple(member.fact_id for member in step.facts), step


def _log_key(cells: Cells) -> Outcome:
    one = (fact("a", "x", at=1, strategy="rule"), fact("b", "y", at=2, strategy="rule"))
    other = (fact("b", "y", at=1, strategy="rule"), fact("a", "x", at=2, strategy="rule"))
    (first, step), (second, back) = first_question(one), first_question(other)
    same_set = step.key == back.key
    if first == second:
        return Outcome("holds", "exhaustive", "both orders give one key", bound="two facts")
    detail = (
        "the ordered pair of C.5 gives another key when a retry delivers the facts the other way round: the row is "
        "missed "
        "and the oracle asked again; the unordered set of §3.2 and Remark 3 finds it: "
        f"{'yes' if same_set else 'no'}; C.5, which is said to realise H1, does not use that reading"
    )
    evidence = (
        f"write {told(one[0])}; write {told(one[1])}: R = ({', '.join(first)})",
        f"write {told(other[0])}; write {told(other[1])}: R = ({', '.join(second)})",
        "a vote logged as 0 or 1 under an unordered key would elect the other fact the second time: log the identity "
        "(Remark 3), not the index (C.5)",
    )
    repair = "key by the set of identities, and log the identity of the elected member"
    verdict = "depends" if same_set else "refuted"
    return Outcome(verdict, "exhaustive", detail, repair=repair, bound="two facts, both orders", evidence=evidence)


def _log_version(cells: Cells) -> Outcome:
    history = (
        fact("a", "x", at=1),
        fact("b", "y", at=2, strategy="rule"),
        fact("a", "z", at=3, strategy="rule"),
    )
    oracle = Votes((1, 1))
    store = MemoryStore(MULTIDEGREE)
    path = WritePath(store, {"rule": oracle})
    last = [path.ingest(found) for found in history][-1]
    questions = [(f.object, g.object) for f, g in ((history[0], history[1]), (history[1], history[2]))]
    if len(oracle.asked) == len(questions):
        return Outcome("holds", "exhaustive", "every question was asked", bound="three facts")
    evidence = (
        *(f"write {told(found)}" for found in history),
        f"questions: {' and '.join(f'{f} or {g}' for f, g in questions)}; the oracle was asked {len(oracle.asked)} "
        "time(s); "
        f"the second was answered by the row of the first: {last.row.fact_id} = {last.row.object}",
        f"then: {table(store.rows())}",
    )
    detail = (
        "R is made of fact_ids, and system-time versions of one fact share theirs (Table 12), so a revised fact is "
        "another question at the same key, answered with the verdict on its earlier version"
    )
    repair = "put what the judge reads into R: versions (fact_id, system_time_start), or a hash of the contents"
    return Outcome("refuted", "exhaustive", detail, repair=repair, bound="three facts", evidence=evidence)


def bar_text(winner: str, loser: str) -> str:
    """The conflict witness of Appendix C.3."""
    return f"{winner} | {loser}"


def json_text(winner: str, loser: str) -> str:
    """The conflict witness of §3.4."""
    return witness_text(AuditTuple(None, "lww", day(1), "w", winner, ("l",), (loser,)))


def collision(encode: Any, letters: str, longest: int) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Two different pairs of different objects with one text, the shortest ones."""
    texts = ["".join(found) for size in range(longest + 1) for found in product(letters, repeat=size)]
    pairs = [(w, loser) for w, loser in product(texts, repeat=2) if w != loser]
    seen: dict[str, tuple[str, str]] = {}
    for pair in sorted(pairs, key=lambda pair: (len(pair[0]) + len(pair[1]), pair)):
        text = encode(*pair)
        if text in seen:
            return seen[text], pair
        seen[text] = pair
    return None


def _witness(cells: Cells) -> Outcome:
    letters, longest = "a| ", 4
    bound = f"all pairs of different texts of up to {longest} of the characters {', '.join(map(repr, letters))}"
    found = collision(bar_text, letters, longest)
    if found is None:
        return Outcome("holds", "exhaustive", "no two pairs have one text", bound=bound)
    named = collision(lambda w, loser: bar_text(f"a{w}", f"a{loser}"), letters, longest)
    exact = collision(json_text, '"\\,', 3) is None and collision(json_text, letters, longest) is None
    evidence = [f"{one!r} won against {other!r}: {bar_text(one, other)!r}" for one, other in found]
    if named is not None:
        evidence.append(
            "of objects that begin with a letter: " + " and ".join(f"{'a' + w!r} against {'a' + o!r}" for w, o in named)
        )
    detail = (
        "'winner | loser' (C.3) does not say where the winner ends, so the loser cannot be read back; the JSON of §3.4 "
        f"does: {'yes' if exact else 'no'}; the paper has both"
    )
    verdict = "depends" if exact else "refuted"
    return Outcome(verdict, "exhaustive", detail, repair="the JSON of §3.4", bound=bound, evidence=tuple(evidence))


LOG_CLAIMS = (
    Claim(
        "Alg1.log",
        f"{_WHERE}, line 14; Appendix C.5; Corollary 2 and its call-site contract; Definition 6",
        "writing the vote to the judge log before the commit discharges H1: a later call at (R, θ) gets the same vote",
        "line 14 and Appendix C.5: ask, append, act; or Corollary 2, its contract and Definition 6: read the log, ask "
        "where it is empty, insert if absent. The log survives a crash, and rows that were not committed do not",
        _log,
    ),
    Claim(
        "Alg1.log-key",
        "TOKI 2026, Appendix C.5; §3.2, Remark 3",
        "the key (R, θ) of a pair of facts is the same whichever of them came first",
        "R as the pair (f1.fact_id, f2.fact_id) of C.5, or as the unordered identity set of §3.2",
        _log_key,
    ),
    Claim(
        "Alg1.log-version",
        "TOKI 2026, Appendix C.5, §3.2, Table 12",
        "one key (R, θ) is one question",
        "R made of fact_ids; facts of one fact_id and different system_time_start may differ",
        _log_version,
    ),
    Claim(
        "Alg1.witness",
        "TOKI 2026, Appendix C.3, §3.4",
        "the object column of an audit row gives back the winner's and the loser's objects",
        "as 'winner | loser' (C.3), or as JSON (§3.4: 'arbitrary object strings round-trip exactly')",
        _witness,
    ),
)
