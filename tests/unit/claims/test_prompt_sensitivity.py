"""Fixed θ, two θs and images: a second system, a second count and solvers agree, and broken variants are noticed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest

from toki_verify.claims import prompt_sensitivity
from toki_verify.claims.access_programs import exhibits, holds_at
from toki_verify.claims.cells import Cells
from toki_verify.claims.judge_histories import returned_other, unpaired
from toki_verify.claims.keyed_log import DISCIPLINES, FREE, PROGRAMS, Oracle, histories
from toki_verify.claims.prompt_sensitivity import (
    CLAIMS,
    achieved_literally,
    achieved_repaired,
    bounded,
    canonical,
    differing,
    failing,
    inconsistent,
    reachable,
    renamed,
    with_n1,
)
from toki_verify.events import Abort, Commit, Read, Schedule
from toki_verify.relations.firstorder import (
    Application,
    Expression,
    Holds,
    Statement,
    Variable,
    conjunction,
    disjunction,
    equal,
    exists,
    for_all,
    implication,
    negation,
)
from toki_verify.relations.structure import Hypothesis
from toki_verify.search.smtlib import script
from toki_verify.search.solvers import answers
from toki_verify.search.witness import witness

CELLS = Cells()
REAL = histories
KNOWN = {claim.id: claim for claim in CLAIMS}
SERIAL = "SR@judge_log"
CALL = re.compile(r"j\d+\(R, (t\d)\)=(\d)")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """L3.fixed looks at one call each of two operators, and one that aborts."""

    def few(discipline: str, oracle: Oracle = FREE, aborts: int = 0) -> tuple[str, ...]:
        return REAL(discipline, oracle, PROGRAMS[:2], aborts)

    def clear() -> None:
        canonical.cache_clear()
        with_n1.cache_clear()

    clear()
    monkeypatch.setattr(prompt_sensitivity, "histories", few)
    yield
    clear()


def verdict(id: str) -> str:
    """What a claim says now."""
    return KNOWN[id].decide(CELLS).verdict


@pytest.mark.parametrize(
    ("id", "said"), [("L3.fixed", "depends"), ("L3.cross", "depends"), ("Prop4", "holds-repaired")]
)
def test_what_the_claims_say(id: str, said: str, small: None) -> None:
    assert verdict(id) == said


def test_the_counterexample_is_one_under_the_discipline(small: None) -> None:
    """Lemma 3's hypotheses: it looks before it calls, a row precedes each operator's commit; and SR on the log."""
    outcome = KNOWN["L3.fixed"].decide(CELLS)
    example = outcome.counterexample
    assert example is not None and outcome.repair_verdict == "holds"
    assert exhibits(str(example), "N1") and holds_at(str(example), SERIAL) and not unpaired(example)
    assert returned_other(example)
    looks = [event for event in example.events if isinstance(event, Read)]
    assert len(looks) == 2 and str(example) in {str(Schedule.parse(text)) for text in with_n1("apart", 1)}


def test_a_repair_that_returns_another_vote_is_refuted(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its last clause: look and write in one serializable transaction, and return one's own vote."""
    monkeypatch.setattr(prompt_sensitivity, "REPAIRED", ("together", "kept"))
    assert KNOWN["L3.fixed"].decide(CELLS).repair_verdict == "refuted"


def test_no_history_with_n1_is_filtered_out() -> None:
    for name in DISCIPLINES:
        for text in canonical(name)[::11]:
            assert differing(text) or not exhibits(text, "N1")
    assert not differing("j1(R, t1)=0 c1 j2(R, t1)=1 a2") and differing("j1(R, t1)=0 c1 j2(R, t1)=1 c2")


def test_aborts_take_their_log_transactions_along_or_leave_rows() -> None:
    for name in DISCIPLINES:
        every = histories(name, FREE, PROGRAMS[:1], 1)
        assert set(histories(name, FREE, PROGRAMS[:1])) < set(every)
        begun = [{event.txn for event in Schedule.parse(text).events} for text in every]
        ended = [
            {event.txn for event in Schedule.parse(text).events if isinstance(event, Commit | Abort)} for text in every
        ]
        assert begun == ended
    left = [text for text in histories("append", FREE, PROGRAMS[:1], 1) if " a1" in text]
    assert any("cTlog" in text.split(" a1")[0] for text in left)


# -- L3.fixed: the same systems, run serially ----------------------------------------------------------------------
def serially(discipline: str, calls: tuple[int, ...]) -> set[frozenset[tuple[int, int]]]:
    """The votes that one serial order of log transactions can return, written without schedules: the state is what each
    key's row says. `calls` are the keys in the order of the transactions that look (or write, where nobody looks)."""
    atoms = [("call", n) for n in range(len(calls))]
    if discipline == "apart":
        atoms = [(word, n) for n in range(len(calls)) for word in ("look", "write")]
    found: set[frozenset[tuple[int, int]]] = set()
    todo = [((None, None), ("?",) * len(calls), frozenset(), frozenset(atoms))]
    seen = set()
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        rows, looked, votes, left = state
        if not left:
            found.add(votes)
        for word, n in left:
            key = calls[n]
            if word == "write" and looked[n] == "?":
                continue
            row = rows[key - 1]
            if word == "look":
                todo.append((rows, (*looked[:n], row, *looked[n + 1 :]), votes, left - {(word, n)}))
                continue
            known = row if word == "call" and discipline != "append" else looked[n] if word == "write" else None
            for vote in (0, 1) if known is None else (known,):
                after = tuple(vote if place == key - 1 else old for place, old in enumerate(rows))
                todo.append((after, looked, votes | {(key, vote)}, left - {(word, n)}))
    return found


@pytest.mark.parametrize("discipline", [name for name in DISCIPLINES if name != "kept"])
def test_at_sr_the_histories_return_what_serial_log_transactions_do(discipline: str) -> None:
    for program in (*PROGRAMS[:2], PROGRAMS[-1]):
        calls = tuple(key for each in program for key in each)
        texts = [text for text in histories(discipline, FREE, (program,)) if holds_at(text, SERIAL)]
        made = {frozenset((int(key[1:]), int(vote)) for key, vote in CALL.findall(text)) for text in texts}
        expected = serially(discipline, calls)
        assert made == expected
        split = any(len(votes) > len({key for key, _ in votes}) for votes in expected)
        assert split == any(exhibits(text, "N1") for text in texts)


def test_the_smallest_schedule_without_discipline_is_the_solvers() -> None:
    found = witness("N1", level="SR+SR@judge_log").schedule
    assert found is not None and str(found) == "j1(R, theta)=0 j1(R, theta)=1 c1"
    assert holds_at(str(found), "SR") and exhibits(str(found), "N1")


def test_renaming_votes_changes_no_verdict() -> None:
    for name in DISCIPLINES:
        for text in canonical(name)[::60]:
            other = renamed(text, 1)
            assert other != text and other in histories(name)
            assert exhibits(other, "N1") == exhibits(text, "N1")
            assert holds_at(other, SERIAL) == holds_at(text, SERIAL)


def test_a_discipline_that_looks_too_early_is_noticed(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not inconsistent("together", SERIAL) and inconsistent("together", "RC@judge_log")
    monkeypatch.setattr(prompt_sensitivity, "with_n1", lambda name, aborts=0: with_n1("apart", aborts))
    assert verdict("L3.fixed") == "refuted"
    assert KNOWN["L3.fixed"].decide(CELLS).repair_verdict == "refuted"


def test_disciplines_that_all_keep_the_key_would_hold(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_sensitivity, "DISCIPLINES", {"operator": DISCIPLINES["operator"]})
    assert verdict("L3.fixed") == "depends"  # schedules without any discipline remain
    excluded = type("Excluded", (), {"witness": None, "verdict": "excluded"})
    monkeypatch.setattr(Cells, "cell", lambda self, name, level: excluded)
    assert verdict("L3.fixed") == "holds"


# -- L3.cross ------------------------------------------------------------------------------------------------------
def test_divergence_by_a_second_count() -> None:
    for size in range(6):
        for votes in product((0, 1), repeat=size):
            ones = sum(votes)
            assert len(prompt_sensitivity.divergent(votes)) == ones * (size - ones)


def test_deployments_that_vote_alike_would_be_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_sensitivity, "divergent", lambda votes: [])
    assert verdict("L3.cross") == "refuted"


def test_a_deployment_that_forgets_its_row_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    forgetful = "j{txn}(R, t{theta})=0 j{txn}(R, t{theta})=1 c{txn}"
    monkeypatch.setattr(
        prompt_sensitivity, "deployment", lambda theta, vote, txn=1: forgetful.format(txn=txn, theta=theta)
    )
    assert verdict("L3.cross") == "refuted"


# -- Proposition 4 -------------------------------------------------------------------------------------------------
def test_small_families_and_families_of_every_size_agree() -> None:
    small = {(min(size, 2), frozenset(votes)) for size in range(5) for votes in product((0, 1), repeat=size)}
    assert small == reachable()
    for statement in (bounded, achieved_literally, achieved_repaired):
        oracles, states = failing(statement)
        assert bool(oracles) == bool(states)


_VOTE, _PROMPT = "Vote", "Prompt"
_ZERO, _ONE = Application("zero", (), _VOTE), Application("one", (), _VOTE)
_P, _Q, _R = (Variable(name, _PROMPT) for name in "pqr")


def _member(prompt: Expression) -> Statement:
    return Holds("member", (prompt,))


def _judged(prompt: Expression) -> Expression:
    return Application("J", (prompt,), _VOTE)


def _votes_other(*prompts: Expression) -> Statement:
    pairs = [(a, b) for place, a in enumerate(prompts) for b in prompts[:place]]
    differ = [negation(equal(_judged(a), _judged(b))) for a, b in pairs]
    return conjunction((*map(_member, prompts), *differ))


_TWO_VOTES = for_all((_P,), disjunction((equal(_judged(_P), _ZERO), equal(_judged(_P), _ONE))))
_DISTINCT = negation(equal(_ZERO, _ONE))
_ONE_PROMPT = for_all((_P, _Q), implication(conjunction((_member(_P), _member(_Q))), equal(_P, _Q)))
_TWO_PROMPTS = exists((_P, _Q), conjunction((_member(_P), _member(_Q), negation(equal(_P, _Q)))))
_BOTH = conjunction(exists((_P,), conjunction((_member(_P), equal(_judged(_P), vote)))) for vote in (_ZERO, _ONE))
_TWO_IMAGES = exists((_P, _Q), _votes_other(_P, _Q))
#: Of every family, of any cardinality: hypotheses that have no model.
IMPOSSIBLE = {
    "|B| ≤ 2": (_TWO_VOTES, exists((_P, _Q, _R), _votes_other(_P, _Q, _R))),
    "|B| ≤ 1 of one prompt": (_ONE_PROMPT, _TWO_IMAGES),
    "both votes make |B| = 2": (_DISTINCT, _BOTH, negation(_TWO_IMAGES)),
    "|B| = 2 needs both votes": (_TWO_VOTES, _TWO_IMAGES, negation(_BOTH)),
}
#: What is left out of one of them makes it possible: three kinds of votes; two prompts; equal votes.
POSSIBLE = {
    "three kinds of votes": (exists((_P, _Q, _R), _votes_other(_P, _Q, _R)),),
    "two prompts": (_TWO_PROMPTS, _TWO_IMAGES),
    "one vote twice": (_BOTH, negation(_TWO_IMAGES)),
    "three votes, not both named": (_DISTINCT, _TWO_IMAGES, negation(_BOTH)),
}


@pytest.mark.parametrize("words", [*IMPOSSIBLE, *POSSIBLE])
def test_families_of_any_cardinality(words: str) -> None:
    statements = IMPOSSIBLE.get(words) or POSSIBLE[words]
    text = script([Hypothesis(statement, words) for statement in statements], (words,))
    said = {answer.status for answer in answers(text, 2.0, ("z3", "cvc5"))}
    assert said == {"unsat"} if words in IMPOSSIBLE else "sat" in said and "unsat" not in said


def test_a_bound_without_the_number_of_prompts_or_with_more_votes_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_sensitivity, "bounded", lambda size, found: len(found) <= min(size, 1))
    assert verdict("Prop4") == "refuted"


def test_equality_read_as_two_votes_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        prompt_sensitivity, "achieved_literally", lambda size, found: (len(found) == 2) == ({0, 1} <= found)
    )
    assert verdict("Prop4") == "holds"


def test_a_factorial_hides_what_one_temperature_does_not_show() -> None:
    unstable, hidden, first = prompt_sensitivity.factorial()
    by_hand = [votes for votes in product((0, 1), repeat=4) if votes[0] == votes[1] != votes[2] == votes[3]]
    assert (unstable, hidden) == (14, len(by_hand)) and first in by_hand
