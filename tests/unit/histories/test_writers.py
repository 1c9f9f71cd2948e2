"""Histories are written in the forms of other testers, and what a form cannot hold is refused with the reason."""

from __future__ import annotations

import pytest

from toki_verify.histories.formats import read_history
from toki_verify.histories.writers import write_history

from .test_readers import ok, read, told

PLUME = "w(1,7,0,0)\nr(1,7,1,1)\nr(2,0,1,1)\n"
TIMED = (
    "{:type :invoke :process 0 :value [[:w :x 1]]}\n{:type :invoke :process 1 :value [[:r :x nil]]}\n"
    "{:type :ok :process 1 :value [[:r :x nil]]}\n{:type :ok :process 0 :value [[:w :x 1]]}\n"
)

LOST = "{:type :invoke :value [[:w 1 1]]}"
NOT_KNOWN = "holds no transaction whose outcome is not known, and that of #0 (line 1) is not"


def write(text: str, form: str) -> str:
    return "".join(write_history(read(text), form))


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("plume", PLUME),
        ("awdit", "w 2 0\n=====\nw 1 7\n=====\nr 1 7\nr 2 0\n"),
        (
            "dbcop-json",
            '[[{"events":[{"Write":{"variable":1,"version":7}}],"committed":true}],\n[{"events":[{"Read":{"variable":1,'
            '"version":7}},{"Read":{"variable":2,"version":null}}],"committed":true}]]\n',
        ),
        (
            "jepsen-edn",
            "{:index 0, :type :invoke, :process 0, :f :txn, :value [[:w 1 7]]}\n"
            "{:index 1, :type :ok, :process 0, :f :txn, :value [[:w 1 7]]}\n"
            "{:index 2, :type :invoke, :process 1, :f :txn, :value [[:r 1 nil] [:r 2 nil]]}\n"
            "{:index 3, :type :ok, :process 1, :f :txn, :value [[:r 1 7] [:r 2 nil]]}\n",
        ),
        (
            "elle-json",
            '{"index":0,"type":"invoke","process":0,"f":"txn","value":[["w",1,7]]}\n'
            '{"index":1,"type":"ok","process":0,"f":"txn","value":[["w",1,7]]}\n'
            '{"index":2,"type":"invoke","process":1,"f":"txn","value":[["r",1,null],["r",2,null]]}\n'
            '{"index":3,"type":"ok","process":1,"f":"txn","value":[["r",1,7],["r",2,null]]}\n',
        ),
    ],
)
def test_a_history_is_written_in_each_form(form: str, expected: str) -> None:
    assert write(PLUME, form) == expected


def test_timestamps_are_those_of_the_history() -> None:
    assert write(TIMED, "timekiller") == (
        '[{"tid":0,"sid":0,"sts":0,"cts":3,"ops":[{"t":"w","k":":x","v":1}]},\n'
        '{"tid":1,"sid":1,"sts":1,"cts":2,"ops":[{"t":"r","k":":x","v":null}]}]\n'
    )


def test_jepsen_forms_keep_the_order_of_real_time() -> None:
    history = read(TIMED)
    again = read("".join(write_history(history, "jepsen-edn")))
    assert history.begun is not None and again.begun is not None and history.ended is not None
    assert again.begun.tolist() == history.begun.tolist() == [0, 1]
    assert again.ended is not None and again.ended.tolist() == history.ended.tolist() == [3, 2]


def test_the_implicit_initial_version_of_awdit_text_is_a_number_that_nobody_writes() -> None:
    text = write("{:type :ok :value [[:w 1 0] [:r 1 nil] [:w 1 1]]}", "awdit")
    assert text == "w 1 2\n=====\nw 1 0\nr 1 2\nw 1 1\n"


def test_lists_show_own_appends_and_keep_the_order_that_only_a_read_of_own_appends_told() -> None:
    history = read(ok("[:append 1 5] [:r 1 [5]] [:append 1 6] [:r 1 [5 6]]") + ok("[:append 1 9] [:r 1 [5 6 9]]"))
    text = "".join(write_history(history, "jepsen-edn"))
    assert "[:append 1 5] [:r 1 [5]] [:append 1 6]]" in text and "[:append 1 9] [:r 1 [5 6 9]]]" in text
    late = read(ok("[:r 1 nil] [:append 1 5] [:r 1 [5]]"))
    assert told(late)[0][3] == ["r 1 nil", "w 1 5"] and late.rank.tolist() == [0, 1]
    written = "".join(write_history(late, "elle-json"))
    assert '["r",1,[]],["append",1,5],["r",1,[5]]' in written
    assert read(written).rank.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        (PLUME, "csv",
         "no history can be written as 'csv', but as plume, awdit, jepsen-edn, elle-json, dbcop-json, timekiller"),
        (ok("[:append 1 5]"), "plume", "Plume text holds no lists"),
        (ok("[:append 1 5]"), "awdit", "AWDIT test text holds no lists"),
        (ok("[:append 1 5]"), "dbcop-json", "dbcop JSON holds no lists"),
        (LOST, "plume", f"Plume text {NOT_KNOWN}"),
        (LOST, "awdit", f"AWDIT test text {NOT_KNOWN}"),
        (LOST, "dbcop-json", f"dbcop JSON {NOT_KNOWN}"),
        (LOST, "timekiller", f"TimeKiller JSON {NOT_KNOWN}"),
        ("w(1,1,0,-1)\n", "awdit", "AWDIT test text holds no aborted transaction"),
        ("w(1,1,0,-1)\n", "timekiller", "TimeKiller JSON holds committed transactions only"),
        (PLUME, "timekiller", "TimeKiller JSON needs timestamps, and this history has none"),
        ("{:type :fail :process 0 :value [[:w 1 1]]}{:type :fail :process 0 :value [[:w 1 2]]}", "plume",
         "two aborted transactions of a session in a row, which Plume text makes one"),
        ("{:type :ok :value [[:w 1 0] [:r 1 nil]]}", "plume",
         "the initial version of 1, which Plume text calls 0, and a write of 0"),
        ('{:type :ok :value [[:w "a b" 1]]}', "plume", "Plume text holds integers and words, and a b is none"),
        ('{:type :ok :value [[:w 1 "a b"]]}', "awdit", "AWDIT test text holds integers and words, and a b is none"),
        (ok("[:r 1 [1 2]]") + ok("[:r 1 [2]]"), "jepsen-edn",
         "its lists contradict each other, so they cannot be told from their last elements"),
        ('{"tid":1,"sid":0,"sts":1,"cts":5,"ops":[{"t":"w","k":1,"v":1}]}\n'
         '{"tid":2,"sid":0,"sts":2,"cts":9,"ops":[]}', "jepsen-edn",
         "transaction 2 begins before another of its session ends; a process has one at a time"),
    ],
)  # fmt: skip
def test_what_a_form_cannot_hold_is_refused_with_the_reason(text: str, form: str, reason: str) -> None:
    history = read(text)
    with pytest.raises(ValueError) as error:
        write_history(history, form)
    assert str(error.value) == reason


def test_reads_of_0_and_nil_that_no_reader_would_take_as_they_are_meant_are_refused() -> None:
    unwritten, _ = read_history(b"r(1,0,0,0)\n", source="f", initial="nil")
    assert unwritten is not None
    with pytest.raises(
        ValueError, match="a read of 0 of 1, which nobody wrote: readers take it for the initial version"
    ):
        write_history(unwritten, "dbcop-json")
    zero, _ = read_history(b"w(1,0,0,0)\n", source="f", initial="zero")
    assert zero is not None
    with pytest.raises(ValueError, match="a write of the initial version of 1"):
        write_history(zero, "plume")
