"""Of a history words, lines, transactions and the smallest part tell one story, in every form of a report."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from history_cases import random_case
from history_oracle import history_of
from hypothesis import given, settings

from tests.unit.histories.histories import histories
from toki_verify.histories import checked as module
from toki_verify.histories.checked import Checked, check_history
from toki_verify.histories.columns import History
from toki_verify.histories.formats import read_history
from toki_verify.histories.restrict import of_transactions, restrict
from toki_verify.report.history import history_lines
from toki_verify.report.history_data import history_object

#: T1 and T2 each read what the other then writes; T3 is by itself.
TWO = "r(1,0,1,1)\nr(2,0,1,1)\nw(1,11,1,1)\nr(1,0,2,2)\nr(2,0,2,2)\nw(2,12,2,2)\nr(3,0,3,3)\nw(3,13,3,3)\n"


def plume(text: str) -> History:
    found, problems = read_history(text.encode(), source="h.txt", format="plume")
    assert found is not None and problems == []
    return found


def apart(found: Checked) -> list[str]:
    """What words and lines say that the smallest part does not have."""
    wrong = []
    for refuted in found.refuted:
        if refuted.part is None:
            continue
        names, lines = set(refuted.part.transactions), set(refuted.part.line.tolist())
        told = [found.history.transactions[txn] for txn in refuted.transactions]
        wrong += [f"{refuted.level}: T{name} is told" for name in told if name not in names]
        wrong += [
            f"{refuted.level}: T{name} in words" for name in re.findall(r"\bT(\d+)", refuted.text) if name not in names
        ]
        wrong += [f"{refuted.level}: line {line}" for line in refuted.lines if line not in lines]
        places = map(int, re.findall(r"\(line (\d+)\)", refuted.text))
        wrong += [f"{refuted.level}: line {line} in words" for line in places if line not in lines]
        wrong += [f"{refuted.level}: nothing is told"] * (not refuted.lines or not refuted.text)
    return wrong


@settings(max_examples=60)
@given(histories(wild=False))
def test_words_lines_and_the_part_are_about_the_same_transactions(history: History) -> None:
    assert apart(check_history(history)) == []


def cases(count: int) -> list[Checked]:
    rng = Random(13)
    drawn = [random_case(rng, transactions=7, keys=3, blind=0.4) for _ in range(count)]
    return [check_history(history_of(case)) for case in drawn]


def test_the_part_tells_the_story_in_random_histories() -> None:
    found = cases(50)
    assert [wrong for one in found for wrong in apart(one)] == []
    assert sum(len(one.refuted) for one in found) > 10


def test_words_that_are_not_of_the_part_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_told_by", lambda *_: None)
    assert [wrong for one in cases(50) for wrong in apart(one)] != []


def test_a_part_without_words_of_its_own_leaves_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_told_by", lambda *_: None)
    [refuted] = check_history(plume(TWO)).refuted
    assert refuted.text and refuted.lines and refuted.transactions


def test_transactions_of_one_name_are_told_apart_by_their_lines() -> None:
    """The number in the whole history, of a part that begins behind a transaction of the same name."""
    whole = plume(TWO)
    whole = replace(whole, transactions=["same"] * len(whole.transactions))
    part = restrict(whole, of_transactions(whole, [1, 2]))
    assert module._places(part, whole) == [1, 2]


# -- numbers and warnings ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text", [TWO, ":type :ok, :f :txn, :value [[:append 1 1]]", "w(1,1,0,0)\nr(1,1,0,1)\nr(1,1,2,2)\n"]
)
def test_words_and_json_count_the_same_sessions(text: str) -> None:
    if text.startswith(":"):
        text = "".join(f"{{{text.replace('1 1', f'1 {n}')}, :process {n}, :index {n}}}\n" for n in range(3))
        history, problems = read_history(text.encode(), source="h.edn", format="jepsen-edn")
        assert history is not None and problems == []
    else:
        history = plume(text)
    found = check_history(history)
    said = re.search(r"in (\d+) sessions?", "\n".join(one.plain for one in history_lines(found, 200)))
    assert said is not None and history_object(found)["history"]["sessions"] == int(said[1]) > 0


def test_a_value_that_may_be_the_initial_one_is_warned_of_with_the_number_of_keys() -> None:
    one = plume("w(1,0,0,0)\nr(1,0,1,1)\n")
    assert one.warnings[0].startswith("value 0 of key 1 is taken for the version that somebody wrote")
    several = plume("w(1,0,0,0)\nw(2,0,0,0)\nw(3,0,0,0)\nr(1,0,1,1)\nr(2,0,1,1)\n")
    assert several.warnings[0].startswith("value 0 of key 1, and of 2 other keys, is taken")
    for history in (one, several):
        assert history_object(check_history(history))["warnings"] == list(history.warnings)


SHARED = Path("../shared/histories/elle/si-without-g-single.edn")


@pytest.mark.skipif(not SHARED.exists(), reason="the shared histories are not here")
def test_the_cycle_in_words_is_the_one_that_is_drawn() -> None:
    history, _ = read_history(SHARED.read_bytes(), source="h.edn")
    assert history is not None
    [refuted] = check_history(history).refuted
    assert refuted.part is not None and len(refuted.part.transactions) == 2
    assert set(re.findall(r"T(\d+)", refuted.text)) == set(refuted.part.transactions)
