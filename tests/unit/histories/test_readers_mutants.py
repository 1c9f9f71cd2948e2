"""Broken readers and writers: each is caught by a test of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from toki_verify.histories import writers
from toki_verify.histories.columns import ABORTED, COMMITTED, UNKNOWN
from toki_verify.histories.readers import (
    awdit,
    dbcop_json,
    dbcop_text,
    edn,
    gather,
    jepsen,
    jepsen_edn,
    plume,
    timekiller,
)  # fmt: skip
from toki_verify.histories.readers.numbers import encode

from . import test_readers as good
from . import test_writers as put


def _one_run(session: Any, sessions: int, txn: Any) -> Any:
    """All aborted lines of a file are one transaction."""
    return encode(txn)


def _appearance_by_size(codes: Any, count: int) -> Any:
    return codes, np.arange(count)


def _keyword_is_string(value: object) -> str | None:
    return str(value) if isinstance(value, edn.Keyword) else SCALAR(value)


def _clock_without_logic(value: object, field: str) -> tuple[int, int]:
    return CLOCK(value, field)[0], 0


def _no_witnesses(self: Any) -> None:
    CHAINS(self)
    self.witnesses = set()


def _in_turn(teller: Any) -> list[tuple[int, bool]]:
    return [(txn, done) for txn in range(len(teller.sessions)) for done in (False, True)]


def _committed_always(line: str, start: int) -> Any:
    return ((events, False) for events, _ in TRANSACTIONS(line, start))


SCALAR, CLOCK, LOOK = edn.scalar_name, timekiller._clock, jepsen_edn._look
CHAINS, TRANSACTIONS = writers.Teller._chains, dbcop_text._transactions

Change = tuple[Any, str, Any]
MUTANTS: dict[str, tuple[Change, Callable[[], None]]] = {
    "plume: aborted lines are one transaction": (
        (plume, "_transactions", _one_run),
        good.test_plume_text_has_sessions_transactions_and_runs_of_aborted_lines,
    ),
    "plume: transactions in the order of their numbers": (
        (plume, "by_appearance", _appearance_by_size),
        lambda: agree_in_order("w(1,1,5,9)\nw(1,2,5,3)\n"),
    ),
    "plume: nobody is warned": (
        (plume, "_resumed", lambda *_: 0),
        lambda: good.test_a_transaction_that_goes_on_after_another_of_its_session_is_warned_of("1"),
    ),
    "words keep zeros before them": (
        (plume, "word", lambda text, at: text),
        good.test_plume_text_may_have_words_blank_lines_and_nil,
    ),
    "awdit: empty transactions count": (
        (awdit, "_dense", lambda ascending: (ascending - ascending[0]).astype(np.int32)),
        lambda: agree_in_order("w 1 1\n-----\n-----\nr 1 1\n"),
    ),
    "jepsen: a failure commits": (
        (jepsen, "_OUTCOMES", {"ok": COMMITTED, "fail": COMMITTED, "info": UNKNOWN}),
        good.test_jepsen_pairs_invocations_and_completions_of_processes,
    ),
    "jepsen: info is a failure": (
        (jepsen, "_OUTCOMES", {"ok": COMMITTED, "fail": ABORTED, "info": ABORTED}),
        good.test_jepsen_pairs_invocations_and_completions_of_processes,
    ),
    "jepsen: a keyword is a string": (
        (jepsen, "scalar_name", _keyword_is_string),
        good.test_strings_numbers_and_keywords_are_different_keys,
    ),
    "jepsen: an empty read is a read of 0": (
        (jepsen_edn, "_look", lambda value: [(n, k, s or "0") for n, k, s in LOOK(value)]),
        lambda: no_zero(),
    ),
    "jepsen: all histories are of registers": (
        (gather, "assemble_lists", None),
        good.test_list_reads_are_reads_of_their_last_element_and_give_the_order,
    ),
    "timekiller: clocks without their logical part": (
        (timekiller, "_clock", _clock_without_logic),
        good.test_timekiller_json_has_timestamps,
    ),
    "dbcop json: all transactions commit": (
        (dbcop_json, "ABORTED", COMMITTED),
        good.test_dbcop_json_is_read_in_its_three_forms_with_and_without_the_object_around,
    ),
    "dbcop text: all transactions commit": (
        (dbcop_text, "_transactions", _committed_always),
        good.test_dbcop_text_has_sessions_between_dashes_and_transactions_that_did_not_commit,
    ),
    "writers: the order that own appends told is lost": (
        (writers.Teller, "_chains", _no_witnesses),
        put.test_lists_show_own_appends_and_keep_the_order_that_only_a_read_of_own_appends_told,
    ),
    "writers: no order of real time": (
        (writers, "events_of", _in_turn),
        put.test_jepsen_forms_keep_the_order_of_real_time,
    ),
}


def agree_in_order(text: str) -> None:
    """The arrays and the lines say the same of a file, in the same order."""
    assert good.told(good.read(text)) == good.told(good.read(f"{text}\n \n"))


def no_zero() -> None:
    """A read of nil is not a read of 0 that somebody wrote."""
    history = good.read("{:type :ok :value [[:w 1 0]]}\n{:type :ok :value [[:r 1 nil]]}")
    assert good.told(history)[1][3] == ["r 1 nil"]


def test_readers_pass_the_tests_that_catch_mutants() -> None:
    for _, check in MUTANTS.values():
        check()
    assert len(MUTANTS) == 15


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_of_readers_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (where, attribute, mutant), check = MUTANTS[name]
    monkeypatch.setattr(where, attribute, mutant)
    with pytest.raises((AssertionError, TypeError, IndexError)):
        check()
