"""What readers must not do in silence: take different values for one, drop characters, or say that something was left
out that was kept. The expected values are worked out by hand from the texts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from toki_verify.histories.columns import NOBODY, READ, UNKNOWN, History
from toki_verify.histories.formats import read_history
from toki_verify.histories.readers import awdit, completions, dbcop_text, edn, faults, jepsen, json_source
from toki_verify.histories.readers.completions import same_micros
from toki_verify.histories.readers.faults import Faults, Text
from toki_verify.histories.readers.lines import read_trace


def problems(data: str | bytes, *, skip_bad: bool = False) -> list[str]:
    raw = data.encode() if isinstance(data, str) else data
    history, found = read_history(raw, source="f", skip_bad=skip_bad)
    assert history is None
    return [str(one).removeprefix("f:") for one in found]


def read(data: str | bytes, *, skip_bad: bool = False) -> History:
    raw = data.encode() if isinstance(data, str) else data
    history, found = read_history(raw, source="f", skip_bad=skip_bad)
    assert history is not None, found
    return history


def unwritten(history: History) -> list[str]:
    """The values that are read and that nobody wrote."""
    reads = np.flatnonzero((history.kind == READ) & (history.writer[history.version] == NOBODY))
    return [history.values[int(history.version[at])] for at in reads]


#: Two texts that write one value and read another, by format.
TWO = {
    "timekiller": '{"tid":1,"sid":1,"sts":0,"cts":5,"ops":[{"t":"w","k":1,"v":%s}]}\n'
    '{"tid":2,"sid":2,"sts":10,"cts":15,"ops":[{"t":"r","k":1,"v":%s}]}',
    "elle-json": '{"type":"ok","process":0,"f":"txn","value":[["w",1,%s]]}\n'
    '{"type":"ok","process":1,"f":"txn","value":[["r",1,%s]]}',
    "dbcop-json": '[[{"events":[{"Write":{"variable":0,"version":%s}}],"committed":true}],'
    '[{"events":[{"Read":{"variable":0,"version":%s}}],"committed":true}]]',
}
#: Neighbours beyond 64 bits, at each edge, in digits that have been taken for exact before.
NEIGHBOURS = [
    ("-9999999999999999999", "-9999999999999999998"),
    ("-9223372036854775809", "-9223372036854775810"),
    ("18446744073709551616", "18446744073709551617"),
    ("9223372036854775807", "9223372036854775808"),
]


@pytest.mark.parametrize("form", TWO)
@pytest.mark.parametrize(("one", "other"), NEIGHBOURS)
def test_integers_beyond_64_bits_stay_themselves(form: str, one: str, other: str) -> None:
    assert unwritten(read(TWO[form] % (one, other))) == [other]
    assert unwritten(read(TWO[form] % (one, one))) == []


SMALL = ["1e-400", "1E-324", "0." + "0" * 330 + "1", "0." + "0" * 230 + "1e-99", "-1.5e-999"]


@pytest.mark.parametrize("form", TWO)
@pytest.mark.parametrize("number", SMALL)
def test_a_number_too_near_to_0_for_a_double_is_refused_and_0_is_not(form: str, number: str) -> None:
    (found,) = problems(TWO[form] % (number, "0.0"))
    assert found.startswith(f"1:{TWO[form].index('%s') + 1}: the number {number[:60]}, which is 0 as a double")
    assert found.endswith("expected 0, or a number of at least 4.9e-324 [limit-digits]")
    assert unwritten(read(TWO[form] % ("0e-400", "0.0"))) == []
    assert unwritten(read(TWO[form] % ("5e-324", "5e-324"))) == []


@pytest.mark.parametrize("line", ["w6 0 1", "r9 0 1", "w07 2 1"])
def test_awdit_refuses_what_is_stuck_to_the_letter(line: str) -> None:
    assert problems(f"r 0 0\n{line}\n") == [f"2:1: '{line}', expected `r`, `w`, `-----` or `=====` [line]"]


def test_awdit_by_arrays_takes_only_what_the_line_by_line_reader_takes() -> None:
    choose = random.Random(8)
    lines = ["r 0 1", "w 0 1", "-----", "=====", "", "r 2 -1", "w 1 2"]
    taken = 0
    for _ in range(4_000):
        text = "\n".join(choose.choice(lines) for _ in range(choose.randrange(1, 5)))
        for _ in range(choose.randrange(3)):
            at = choose.randrange(len(text) + 1)
            text = text[:at] + choose.choice("rw01 -=\n\r") + text[at + choose.randrange(2) :]
        quick = awdit._arrays(Text(text.encode(), "f"), "auto")
        if quick is not None:
            found = Faults(Text(text.encode(), "f"))
            careful = awdit._careful(found.text, found, "auto")
            assert careful is not None, text
            assert list(quick.line) == list(careful.line) and list(quick.first) == list(careful.first)
            assert list(quick.transactions) == list(careful.transactions)
            taken += 1
    assert taken > 500


EDN = '{:type :ok, :process 0, :f :txn, :value [[:%s 1 "%s"]]}'


@pytest.mark.parametrize(
    ("written", "means"),
    [
        (r"\101", "A"),
        (r"\377", "ÿ"),
        (r"\7 \1", "\7 \1"),
        (r"\u0041\n\t\r\b\f\\\"", 'A\n\t\r\b\f\\"'),
        (r"\ud83d\ude00", "😀"),
    ],
)
def test_escapes_of_edn_are_those_of_clojure(written: str, means: str) -> None:
    plain = means.replace("\\", "\\\\").replace('"', '\\"')
    assert unwritten(read(EDN % ("w", written) + "\n" + EDN % ("r", plain))) == []


@pytest.mark.parametrize("written", ["x", "u12", "u12g4", "8", "400", "12x", "é"])
def test_an_escape_that_edn_does_not_have_is_refused(written: str) -> None:
    (found,) = problems(EDN % ("w", "a\\" + written))
    assert found.startswith("1:50: '") and "' behind a backslash, expected `n`, `t`," in found


@pytest.mark.parametrize("half", [r"\ud83d", r"\ude00", r"\ude00\ud83d", r"\ud83d\u0041"])
def test_half_a_character_is_refused_in_edn_with_the_words_of_json(half: str) -> None:
    assert problems(EDN % ("w", half)) == ["1:48: a string with a lone surrogate, expected whole characters [edn]"]


GOOD = {
    "plume": ["w(1,1,1,1)", "r(1,1,2,2)"],
    "awdit": ["w 1 1", "r 1 1"],
    "dbcop-text": ["[x:=1]", "[x==1]"],
    "timekiller": (TWO["timekiller"] % (1, 1)).split("\n"),
    "elle-json": (TWO["elle-json"] % (1, 1)).split("\n"),
    "jepsen-edn": [EDN % ("w", "a"), EDN % ("r", "a")],
}


@pytest.mark.parametrize("form", GOOD)
@pytest.mark.parametrize(("byte", "words"), [(b"\0", "a NUL byte"), (b"\xe9", "the byte 0xe9, which is not UTF-8")])
def test_a_line_with_bytes_that_are_no_text_can_be_left_out(form: str, byte: bytes, words: str) -> None:
    first, last = (line.encode() for line in GOOD[form])
    for at in range(1, len(last)):
        data = first + b"\n" + last[:at] + byte + last[at:] + b"\n" + first.replace(b"1", b"7") + b"\n"
        assert problems(data)[0].startswith(f"2:{at + 1}: {words}")
        history = read(data, skip_bad=True)
        assert list(history.line) == [1, 3]
        assert (
            history.warnings[0].startswith("1 bad ")
            and f"left out; the first: f:2:{at + 1}: {words}" in (history.warnings[0])
        )


@pytest.mark.parametrize("form", ["timekiller", "elle-json", "jepsen-edn"])
def test_an_operation_over_several_lines_is_left_out_as_a_whole(form: str) -> None:
    first, last = GOOD[form]
    mark = "[[" if form != "timekiller" else "[{"
    broken = last.replace(mark, mark[0] + "\n" + mark[1] + "\0")
    history = read(f"{first}\n{broken}\n{first.replace('1', '7')}\n", skip_bad=True)
    assert list(history.line) == [1, 4]


def test_a_binary_file_and_utf_16_are_refused_even_where_lines_are_left_out() -> None:
    assert problems(b"\x00\x01\x02", skip_bad=True) == ["1:1: a NUL byte: a binary file?, expected text [binary]"]
    assert "UTF-16" in problems("w 1 1".encode("utf-16"), skip_bad=True)[0]


@pytest.mark.parametrize("form", ["timekiller", "elle-json", "jepsen-edn", "plume", "awdit"])
def test_a_long_number_is_left_out_with_its_line(form: str) -> None:
    first, last = GOOD[form]
    last = last.replace('"a"', "1") if form == "jepsen-edn" else last
    at = last.rindex("1,2,2") if form == "plume" else last.rindex("1")
    bad = f"{last[:at]}{'1' * 1001}{last[at + 1 :]}"
    assert f"2:{at + 1}: a number of 1001 characters, expected at most 1000 digits" in problems(f"{first}\n{bad}")[0]
    assert list(read(f"{first}\n{bad}\n", skip_bad=True).line) == [1]


OPERATION = "{:type :%s, :process %s, :f :txn, :value [[%s]]}\n"


def test_what_is_at_fault_and_kept_is_not_said_to_be_left_out() -> None:
    twice = (OPERATION * 3) % ("invoke", 0, ":w 1 1", "invoke", 0, ":w 1 2", "ok", 0, ":w 1 2")
    history = read(twice, skip_bad=True)
    assert history.size == 2 and history.outcome[0] == UNKNOWN
    (said,) = history.warnings
    assert said.startswith("1 bad operation whose transaction is kept; the first: f:2:1: process 0 invokes while")


@pytest.mark.parametrize("extra", ["", ', :x "y"'])
def test_a_bad_value_of_a_read_in_an_invocation_is_a_fault_however_it_is_read(extra: str) -> None:
    text = (OPERATION * 2) % ("invoke", 0, ":r 1 nnl", "ok", 0, ":r 1 nil")
    text = text.replace("}\n", extra + "}\n")
    assert problems(text)[0].startswith("1:52: a symbol or a set as a value, expected an integer")
    assert read(text, skip_bad=True).warnings[0].startswith("1 bad operation whose transaction is kept")


@pytest.mark.parametrize("value", [None, 1, 2.5, "a", True])
def test_what_an_invocation_has_for_a_read_does_not_count_where_it_is_a_value(value: object) -> None:
    assert same_micros([["r", 1, 7]], [["r", 1, value]])
    assert not same_micros([["r", 1, 7]], [["r", 1, {}]])


@pytest.mark.parametrize("process", ['"1"', "true", "[1 2]", "1.5", ":1", '"a"', "a"])
def test_a_process_is_an_integer_or_a_name(process: str) -> None:
    (found,) = problems(OPERATION % ("ok", process, ":w 1 1"))
    assert found.startswith("1:22: ") and "as a process, expected an integer, or a name such as :nemesis" in found


@pytest.mark.parametrize("process", ['"1"', "true", "[1]", "1.5"])
def test_a_process_in_json_is_an_integer_or_a_name(process: str) -> None:
    text = '{"type":"ok","process":%s,"f":"txn","value":[["w",1,1]]}'
    assert "as a process, expected an integer" in problems(text % process)[0]
    assert read(text % "-3").sessions == ["-3"] and read(text % '"a"').sessions == ["a"]


@pytest.mark.parametrize(
    ("clock", "place"),
    [("true", 29), ('{"p":true}', 34), ('{"p":1,"l":true}', 40), ('{"p":1,"l":1.0}', 40), ("{}", 29)],
)
def test_a_timestamp_is_an_integer(clock: str, place: int) -> None:
    text = f'{{"tid":1,"sid":1,"x":0,"sts":{clock},"cts":{{"p":9,"l":9}},"ops":[{{"t":"w","k":1,"v":1}}]}}'
    (found,) = problems(text)
    assert found.startswith(f"1:{place + 1}: ") and "as a timestamp, expected an integer" in found


@pytest.mark.parametrize(
    ("first", "line", "last"),
    [
        ("[x:=1]", "\xa0---", "[x==1]"),
        ("[x:=1]", "--\0-", "[x==1]"),
        ("[x:=1]", "[x:=2] ---", "[x==1]"),
        ("[x:=1]", "—", "[x==1]"),
        ("w 1 1", "----- x", "r 1 1"),
        ("w 1 1", "w 2 1-----", "r 1 1"),
        ("w 1 1", "=\xa0", "r 1 1"),
    ],
)
def test_a_bad_line_that_may_end_a_session_is_not_left_out(first: str, line: str, last: str) -> None:
    (found,) = problems(f"{first}\n{line}\n{last}\n", skip_bad=True)
    assert found.startswith("2:") and ", in a line that may end a " in found and "and is not left out" in found


def test_other_bad_lines_of_these_formats_are_left_out() -> None:
    assert list(read("[x:=1]\n[x:=-\n[x==1]\n", skip_bad=True).line) == [1, 3]
    assert list(read("w 1 1\nw 1 -\nr 1 1\n", skip_bad=True).line) == [1, 3]


EVENTS = [b'{"op":"b","txn":"1"}', b'{"op":"w","txn":"1","item":"x","version":"1"}', b'{"op":"c","txn":"1"}']


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize(("byte", "words"), [(b"\0", "a NUL byte"), (b"\xe9", "the byte 0xe9")])
def test_a_skipped_line_of_a_trace_is_said_to_have_the_byte(end: bytes, byte: bytes, words: str) -> None:
    spoiled = EVENTS[1][:30] + byte + EVENTS[1][30:]
    trace, found = read_trace(end.join([*EVENTS[:2], spoiled, EVENTS[2], b""]), "f", skip_bad=True)
    assert trace is not None and not found and trace.events == 3
    start = f"1 line that holds no event left out, the first of them: f:3:31: {words}"
    assert trace.warnings[0].startswith(start)


NEVER = re.compile("(?!)")
MUTANTS: dict[str, tuple[tuple[Any, str, Any], Callable[[], None]]] = {
    "json: no number is inexact": (
        (Text, "inexact", False),
        lambda: test_integers_beyond_64_bits_stay_themselves("timekiller", *NEIGHBOURS[1]),
    ),
    "json: what a double loses is 0": (
        (json_source, "is_lost", lambda *_: False),
        lambda: test_a_number_too_near_to_0_for_a_double_is_refused_and_0_is_not("elle-json", "1e-400"),
    ),
    "edn: any escape is read": (
        (edn, "_unescape", lambda text, at: text.replace("\\", "")),
        lambda: test_an_escape_that_edn_does_not_have_is_refused("x"),
    ),
    "faults: the line has a fault of its own": (
        (faults, "BYTES", ("binary", "encoding", "line")),
        lambda: test_a_line_with_bytes_that_are_no_text_can_be_left_out("plume", b"\0", "a NUL byte"),
    ),
    "dbcop text: no line may end a session": (
        (dbcop_text, "_MAY_END", NEVER),
        lambda: test_a_bad_line_that_may_end_a_session_is_not_left_out("[x:=1]", "—", "[x==1]"),
    ),
    "awdit: no line may end a transaction": (
        (awdit, "_MAY_END", NEVER),
        lambda: test_a_bad_line_that_may_end_a_session_is_not_left_out("w 1 1", "=\xa0", "r 1 1"),
    ),
    "completions: reads of an invocation may be anything": (
        (completions, "_READ", completions._READ | {dict}),
        lambda: test_what_an_invocation_has_for_a_read_does_not_count_where_it_is_a_value(None),
    ),
    "jepsen: a text that is an integer is a process": (
        (jepsen, "INTEGER", NEVER),
        lambda: test_a_process_in_json_is_an_integer_or_a_name('"1"'),
    ),
}


def test_readers_pass_what_catches_mutants() -> None:
    for _, check in MUTANTS.values():
        check()


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (where, attribute, mutant), check = MUTANTS[name]
    monkeypatch.setattr(where, attribute, mutant)
    with pytest.raises((AssertionError, ValueError, TypeError)):
        check()
