"""Histories in the formats of testers: every form says what every other says, the fast readers say what the careful
ones say, and no input ends in anything but a history or problems."""

from __future__ import annotations

import gzip
import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.drawn_histories import (
    FEWER,
    FORMS,
    ODD_KEYS,
    SOON,
    check_round_trip,
    lists,
    meaning,
    read,
    registers,
    whole,
    written,
)
from toki_verify.histories.columns import ABORTED, COMMITTED, UNKNOWN, History
from toki_verify.histories.formats import FORMATS, read_history
from toki_verify.histories.readers import awdit, jepsen_edn, plume
from toki_verify.histories.readers.faults import SAID, Faults, Text
from toki_verify.histories.writers import write_history


@FEWER
@given(registers())
def test_registers_of_committed_and_aborted_transactions_mean_the_same_in_all_forms(history: History) -> None:
    check_round_trip(history, FORMS)


@FEWER
@given(registers(outcomes=(COMMITTED,)))
def test_registers_of_committed_transactions_can_be_written_in_all_forms(history: History) -> None:
    assert [form for form in FORMS if written(history, form) is None] == []
    check_round_trip(history, FORMS)


@FEWER
@given(registers(outcomes=(COMMITTED, ABORTED, UNKNOWN)))
def test_registers_with_unknown_outcomes_mean_the_same_in_the_forms_of_jepsen(history: History) -> None:
    check_round_trip(history, ("jepsen-edn", "elle-json"))


@FEWER
@given(registers(keys=ODD_KEYS))
def test_keys_that_are_any_strings_and_numbers_stay_different_in_the_forms_that_hold_them(history: History) -> None:
    check_round_trip(history, ("jepsen-edn", "elle-json", "dbcop-json"))


@FEWER
@given(lists())
def test_lists_mean_the_same_in_all_forms_that_hold_lists(history: History) -> None:
    assert not history.garbage
    check_round_trip(history, ("jepsen-edn", "elle-json", "timekiller"))
    for form in ("jepsen-edn", "elle-json"):
        again = read("".join(write_history(history, form)), form)
        if again.model == "append":
            ranks = [
                {(one.keys[int(one.version_key[v])], one.values[v]): int(one.rank[v]) for v in range(len(one.values))}
                for one in (history, again)
            ]
            assert {k: r for k, r in ranks[0].items() if r > 0} == {k: r for k, r in ranks[1].items() if r > 0}


NUMBERS = st.one_of(
    st.integers(-2, 6).map(str),
    st.sampled_from(["007", "-0", "+1", "0x1", "", "1_0", "99999999999999999999", "x", "nil"]),
)
PLAIN = st.integers(0, 5).map(str)
PLAIN_ENDS = st.sampled_from(["\n", "\r\n"])
PLUME_ENDS = st.sampled_from(["\n"] * 20 + ["\r\n", "", "\n\n", " \n", ";\n"])
AWDIT_ENDS = st.sampled_from(["\n"] * 20 + ["\r\n", "", "\n\n", " \n", "-\n"])
#: A session, and a transaction that is in no other.
HOMES = st.tuples(st.integers(-1, 2), st.integers(-1, 3)).map(
    lambda home: (str(home[0]), "-1" if home[1] < 0 else str(10 * home[0] + 10 + home[1]))
)


def plume_texts(number: st.SearchStrategy[str], ends: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def line(kind: str, key: str, value: str, home: tuple[str, str], end: str) -> str:
        return f"{kind}({key},{value},{home[0]},{home[1]}){end}"

    homes = HOMES if number is PLAIN else st.one_of(HOMES, st.tuples(number, number))
    lines = st.builds(line, st.sampled_from("rw"), number, number, homes, ends)
    return st.lists(lines, max_size=12).map("".join)


def awdit_texts(number: st.SearchStrategy[str], ends: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operations = st.builds("{} {} {}".format, st.sampled_from("rw"), number, number)
    marks = st.sampled_from(["-----", "=====", "-", "=", "", "--"])
    return st.lists(st.builds("{}{}".format, st.one_of(operations, operations, marks), ends), max_size=14).map("".join)


def check_agree(
    text: str, quick: Callable[[Text], History | None], careful: Callable[[Text, Faults], History | None]
) -> bool:
    """If the fast reader takes it, the careful one finds no fault and says the same."""
    fast = quick(Text(text.encode(), "drawn"))
    if fast is None:
        return False
    source = Text(text.encode(), "drawn")
    faults = Faults(source)
    slow = careful(source, faults)
    assert slow is not None, (text, [str(problem) for problem in faults.problems()])
    assert whole(fast) == whole(slow), text
    return True


def _plume_fast(text: Text) -> History | None:
    columns = plume._parse(text.data)
    return None if columns is None else plume._history(text.source, *columns, "auto")


def _plume_careful(text: Text, faults: Faults) -> History | None:
    return plume._careful(text, faults, "auto")


def _awdit_fast(text: Text) -> History | None:
    return awdit._arrays(text, "auto")


def _awdit_careful(text: Text, faults: Faults) -> History | None:
    return awdit._careful(text, faults, "auto")


@SOON
@given(st.one_of(plume_texts(PLAIN, PLAIN_ENDS), plume_texts(NUMBERS, PLUME_ENDS)))
def test_the_arrays_of_plume_say_what_its_lines_say(text: str) -> None:
    check_agree(text, _plume_fast, _plume_careful)


@SOON
@given(st.one_of(awdit_texts(PLAIN, PLAIN_ENDS), awdit_texts(NUMBERS, AWDIT_ENDS)))
def test_the_arrays_of_awdit_say_what_its_lines_say(text: str) -> None:
    check_agree(text, _awdit_fast, _awdit_careful)


@SOON
@given(plume_texts(PLAIN, PLAIN_ENDS))
def test_the_arrays_of_plume_take_any_file_of_integers(text: str) -> None:
    assert check_agree(text, _plume_fast, _plume_careful) or not text


@SOON
@given(awdit_texts(PLAIN, PLAIN_ENDS))
def test_the_arrays_of_awdit_take_any_file_of_integers(text: str) -> None:
    assert check_agree(text, _awdit_fast, _awdit_careful) or not re.search("[rw]", text)


def test_the_arrays_take_what_tools_write() -> None:
    text = "w(1,1,0,0)\nr(1,1,1,-1)\nr(1,1,0,0)\nw(2,5,1,-1)\nr(2,0,1,3)\nw(2,6,1,-1)\nr(1,1,0,1)\nr(1,1,0,0)"
    assert check_agree(text, _plume_fast, _plume_careful)
    text = "=====\nw 0 0\n-----\n-----\nr 0 0\n=====\n\n=====\r\nr 1 7\nr 007 7"
    assert check_agree(text, _awdit_fast, _awdit_careful)
    assert not check_agree("r 0 -1\n-----", _awdit_fast, _awdit_careful)
    assert not check_agree("r(1,2,3,4)5\n", _plume_fast, _plume_careful)
    assert not check_agree("r1(1,2,3,4)\n", _plume_fast, _plume_careful)


@SOON
@given(st.one_of(registers(outcomes=(COMMITTED, ABORTED, UNKNOWN)), lists()))
def test_the_expression_for_edn_says_what_its_reader_says(history: History) -> None:
    text = "".join(write_history(history, "jepsen-edn"))
    fast = read(text, "jepsen-edn")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jepsen_edn, "_QUICK", re.compile(r"(?!)"))
        slow = read(text.replace("{", "#jepsen.history.Op {;x\n", 1).replace(";x\n", ""), "jepsen-edn")
        vector = read(f"[{text}]", "jepsen-edn")
    assert whole(fast) == whole(slow) == whole(vector)


@SOON
@given(st.one_of(registers(outcomes=(COMMITTED, ABORTED, UNKNOWN)), lists()))
def test_json_of_jepsen_says_the_same_in_lines_and_in_an_array(history: History) -> None:
    text = "".join(write_history(history, "elle-json"))
    lines = read(text, "elle-json")
    array = read(f"[{text.rstrip().replace(chr(10), ',' + chr(10))}]", "elle-json")
    pretty = read(text.replace(',"value"', ',\n"value"', 1), "elle-json")
    assert whole(lines) == whole(array)
    assert meaning(lines) == meaning(pretty)


BASES = (
    b"w(1,1,0,0)\nr(1,1,1,-1)\nw(2,5,1,-1)\nr(2,0,1,3)\n",
    b"w 0 0\nw 1 0\n=====\nw 0 1\n-----\nr 0 1\nr 1 0\n",
    b"[x:=1 y:=2] [y==2 x==?]!\n---\n// c\n[x==1 y:=4]\n",
    b'{:type :invoke, :f :txn, :value [[:append 1 2] [:r 1 nil]], :process 0, :index 1}\n'
    b'{:type :ok, :f :txn, :value [[:append 1 2] [:r 1 [1 2]]], :process 0, :index 2}\n'
    b'#jepsen.history.Op{:type :info #_ x, :value "a\\n" :process :nemesis} ; c\n',
    b'{"type":"invoke","f":"txn","value":[["w","x",2],["r",3,null]],"process":0,"index":1}\n'
    b'{"type":"ok","f":"txn","value":[["w","x",2],["r",3,7]],"process":0,"index":2}\n',
    b'[{"type":"invoke","value":[["append",1,2]],"process":0},\n{"type":"fail","value":[["append",1,2]],"process":0}]\n',
    b'[[{"events":[{"Write":{"variable":0,"version":1}},["r",1,null]],"committed":true}],\n[{"events":[{"write":false,'
    b'"variable":0,"value":1,"success":true}],"success":false}]]\n',
    b'[{"tid":1,"sid":2,"sts":{"p":5,"l":1},"cts":{"p":6,"l":0},"ops":[{"t":"w","k":7,"v":2},{"t":"R","k":8}]}]\n',
)  # fmt: skip
PIECES = [
    *[bytes([byte]) for byte in b'"\\{}[](),:;#!?=-\n\r \x00\x1c\xff\xc3\xa9rw0x'],
    *(
        b"nil",
        b"null",
        b"[" * 80,
        b"{" * 80,
        b"-1",
        b"9" * 1_001,
        b"\\ud800",
        b"1e999",
        b"NaN",
        b":append",
        b"#_",
        b"^",
    ),
    *(b"\xef\xbb\xbf", b"-----\n", b"true", b"\xff\xfe", b"\xe2\x80\xa8", b"\xd9\xa3"),
]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(BASES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.sampled_from([0, 0, 1, 2, 10, 10_000]))
        data = data[:start] + draw(st.sampled_from([b"", *PIECES])) + data[end:]
    return data + draw(st.sampled_from([b"", b"", *BASES]))


@SOON
@given(mutated(), st.sampled_from([None, *FORMATS]), st.booleans())
def test_no_bytes_end_in_anything_but_a_history_or_problems(data: bytes, form: str | None, skip: bool) -> None:
    history, problems = read_history(data, source="drawn", format=form, skip_bad=skip)
    assert (history is None) == bool(problems)
    assert len(problems) <= SAID + 1
    for problem in problems:
        assert problem.what and problem.expected and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", problem.rule)
        assert problem.line is not None and 1 <= problem.line <= data.count(b"\n") + 1
        assert problem.column is not None and problem.column >= 1
        assert len(str(problem)) < 2_000 and "\n" not in (problem.context or "")
    if history is not None:
        meaning(history)
        "".join(str(whole(history))).encode()


@SOON
@given(st.binary(max_size=60), st.sampled_from([None, *FORMATS]))
def test_no_random_bytes_end_in_anything_but_a_history_or_problems(data: bytes, form: str | None) -> None:
    for packed in (data, gzip.compress(data), gzip.compress(data)[:-5], b"\x1f\x8b" + data):
        history, problems = read_history(packed, source="drawn", format=form)
        assert (history is None) == bool(problems)


def hostile(times: int) -> dict[str, bytes]:
    """Inputs that a careless reader takes long for, in multiples of a thousand pieces."""
    many = 1_000 * times
    return {
        "open vectors": b"[" * many,
        "open maps": b"{:a " * many,
        "open objects": b'{"a":' * many,
        "digits": b"9" * 100 * many,
        "digits as a key": b"w(" + b"1" * 100 * many + b",1,1,1)",
        "open lines": b"r(1" * many,
        "short lines": b"r 1\n" * many,
        "quotes": b'"' * (many + 1),
        "discards": b"#_ " * many,
        "blanks": b" " * 10 * many,
        "empty lines": b"\n" * 10 * many,
        "lines of braces": b"{\n" * many,
        "cut maps": b"{:type :ok :value [[:r 1\n" * many,
        "cut objects": b'{"type":"ok",\n' * many,
        "cut objects in an array": b"[" + b'{"type":"ok",\n' * many,
        "dashes": b"w x " + b"-" * 10 * many,
        "open transactions": b"[x:=1 " * many,
        "open transactions with events": b'[[{"events":' * many,
    }


def check_hostile(form: str, times: int, most: float) -> None:
    """None of them takes longer than so many seconds."""
    for name, data in hostile(times).items():
        begun = time.process_time()
        history, problems = read_history(data, source="hostile", format=form)
        assert history is None and problems
        assert time.process_time() - begun < most, name


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_no_hostile_input_takes_long(form: str) -> None:
    check_hostile(form, 3, 2.0)


@pytest.mark.heavy
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_no_large_hostile_input_takes_long(form: str) -> None:
    check_hostile(form, 30, 15.0)
