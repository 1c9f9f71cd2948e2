"""What is wrong with a history file is said with its place and what was expected, all of it at once."""

from __future__ import annotations

import gzip
import time

import pytest

from toki_verify.histories import packed
from toki_verify.histories.formats import FORMATS, read_history

PLUME = "`r(key,value,session,transaction)` or `w(…)`"
AWDIT = "`r key value` or `w key value`, `-----` behind a transaction, `=====` behind a session"
TIMEKILLER = 'transactions {"tid", "sid", "sts", "cts", "ops": [{"t": "w", "k": 1, "v": 2}]}'
TYPES = ":invoke, :ok, :fail or :info [type]"
KINDS = "an integer, a string or a keyword [micro-operation]"
DIGITS = "1" * 1_200


def problems(text: str | bytes, form: str | None = None, *, skip_bad: bool = False) -> list[str]:
    data = text.encode() if isinstance(text, str) else text
    history, found = read_history(data, source="f", format=form, skip_bad=skip_bad)
    assert history is None
    assert all(problem.file == "f" and problem.context is not None for problem in found if problem.rule == "line")
    return [str(problem).removeprefix("f:") for problem in found]


NO_MICROS = (
    *("{0 10}", "[[:rp 1 2]]", "[[:r 1]]", "[[:r nil 2]]", "[[:w 1 nil]]", "[[:r 1 [[2]]]]"),
    *('[[:w "\\ud800" 1]]', "[[:r 1 #{2}]]", "[[:r 1 [a]]]"),
)
CASES: dict[str, tuple[str, list[str]]] = {
    "plume: a truncated last line": (
        "w(1,1,0,0)\nr(1,1,0",
        ["2:8: the end of the line (the file may be cut off), expected `,` [line]"],
    ),
    "plume: half a line of one writer in that of another": (
        "w(1,1,0,0)\nr(1,1,0w(1,2,0,1)\nr(1,1,0,1)w(1,2,0,1)\n",
        ["2:8: 'w(1,2,0,1)', expected `,` [line]", "3:11: 'w(1,2,0,1)', expected the end of the line [line]"],
    ),
    "plume: a line of AWDIT": (
        "w(1,1,0,0)\nr 1 1\n",
        [f"2:1: 'r 1 1', a line of AWDIT test text, expected Plume text, {PLUME} [line]"],
    ),
    "plume: a transaction in two sessions": (
        "w(1,1,0,0)\nr(1,1,1,0)\n",
        ["2:9: transaction 0 in session 1, expected transactions of one session; it began in session 0 [two-sessions]"],
    ),
    "plume: several faults": (
        "w(1,1,0,-2)\nw(1,nil,0,1)\nx(1,1,1,1)\nr(1,,2,3)\n",
        [
            "1:9: transaction '-2', expected a number, or -1 for an aborted one [line]",
            "2:5: a write of nil, expected a value [line]",
            "3:1: 'x(1,1,1,1)', expected `r` or `w` [line]",
            "4:5: ',2,3)', expected a value [line]",
        ],
    ),
    "plume: a long number": (
        f"w(1,1,0,{DIGITS})\n",
        ["1:9: a number of 1200 characters, expected at most 1000 digits [limit-digits]"],
    ),
    "awdit: a truncated last line": (
        "w 1 1\n-----\nr 1",
        ["3:4: the end of the line (the file may be cut off), expected a value [line]"],
    ),
    "awdit: half a line of one writer in that of another": (
        "w 1 1\n-----\nr 1 w 2 2\n",
        ["3:7: '2 2', expected the end of the line [line]"],
    ),
    "awdit: several faults": (
        f"w 1 1\n-----\nr(1,1,0,0)\nrr 1 1\nr 1 {DIGITS}\nw 1 nil\n--x\n",
        [
            f"3:1: 'r(1,1,0,0)', a line of Plume text, expected AWDIT test text, {AWDIT} [line]",
            "4:1: 'rr 1 1', expected `r`, `w`, `-----` or `=====` [line]",
            "5:5: a number of 1200 characters, expected at most 1000 digits [limit-digits]",
            "6:5: a write of nil, expected a value [line]",
            "7:1: '--x', expected `r`, `w`, `-----` or `=====` [line]",
        ],
    ),
    "dbcop text: several faults": (
        "[x:=1 y==2\n[x:=1] y\n[x=1]\n[x:=?]\n[y==1",
        [
            "1:11: the end of the line, expected `x:=1`, `x==1`, `x==?` or `]` [line]",
            "2:8: 'y', expected `[`, `---` or `//` [line]",
            "3:2: 'x=1]', expected `x:=1`, `x==1`, `x==?` or `]` [line]",
            "4:5: '?]', expected a version to write [line]",
            "5:6: the end of the line (the file may be cut off), expected `x:=1`, `x==1`, `x==?` or `]` [line]",
        ],
    ),
    "edn: a truncated last line": (
        "{:type :invoke :process 0 :value [[:w 1 1]]}\n{:type :ok :process 0 :value [[:w 1",
        ["2:36: the end inside of `[` (the file may be cut off), expected `]` [edn]"],
    ),
    "edn: a line that is cut off": (
        "{:type :invoke :process 0 :value [[:w 1\n{:type :ok :process 0 :value [[:w 1 1]]}\n",
        [
            "1:40: the end of the line inside of `[`, expected `]` [edn]",
            "2:8: :type :ok of process 0, which has invoked nothing, expected an :invoke before it [completion]",
        ],
    ),
    "edn: half a line of one writer in that of another": (
        "{:type :ok :value [[:w 1 {:type :ok :value [[:w 1 1]]}\n",
        ["1:55: the end inside of `[` (the file may be cut off), expected `]` [edn]"],
    ),
    "edn: an unknown type, and none": (
        "{:type :invoke :process 0 :value [[:w 1 1]]}\n{:type :okay :process 0 :value []}\n{:process 0 :value []}",
        [f"2:8: :type :okay, expected {TYPES}", f"3:1: an operation without :type, expected {TYPES}"],
    ),
    "edn: a completion without invocation": (
        "{:type :invoke :process 0 :value [[:w 1 1]]}\n{:type :ok :process 1 :value [[:w 1 1]]}",
        ["2:8: :type :ok of process 1, which has invoked nothing, expected an :invoke before it [completion]"],
    ),
    "edn: two invocations of a process": (
        "{:type :invoke :process 0 :value []}\n{:type :invoke :process 0 :value []}",
        ["2:1: process 0 invokes while its operation of line 1 is under way, expected its completion [invoke-twice]"],
    ),
    "edn: two invocations of none": (
        "{:type :invoke :value []}\n{:type :invoke :value []}",
        [
            "2:1: an invocation while that of line 1 is under way, expected its completion "
            "(without :process, operations follow each other) [invoke-twice]"
        ],
    ),
    "edn: another workload": (
        "{:type :ok :f :transfer :process 1 :value {:from 1}}",
        ["1:15: operations :f :transfer, expected :f :txn, of list-append or rw-register [workload]"],
    ),
    "edn: no micro-operations": (
        "".join(f"{{:type :ok :value {value}}}\n" for value in NO_MICROS) + "5",
        [
            "1:19: a map, expected a vector of micro-operations [micro-operation]",
            "2:21: the micro-operation :rp, expected :append, :w or :r [micro-operation]",
            "3:20: a vector of 2, expected a micro-operation such as [:r k v] [micro-operation]",
            f"4:24: nil as a key, expected {KINDS}",
            f"5:26: nil as a value, expected {KINDS}",
            f"6:27: a vector as a value, expected {KINDS}",
            "7:24: a string with a lone surrogate, expected whole characters [edn]",
            f"8:26: a symbol or a set as a value, expected {KINDS}",
            f"9:27: a symbol or a set as a value, expected {KINDS}",
            "10:1: a number, expected an operation, a map [operation]",
        ],
    ),
    "edn: lists and registers": (
        "{:type :ok :value [[:append 1 1]]}\n{:type :ok :value [[:r 2 [1]] [:w 1 1]]}",
        ["2:31: a register, expected a list, as in the transactions before [mixed]"],
    ),
    "edn: too deep": (
        "{:type :ok :value " + "[" * 70,
        ["1:82: EDN nested more than 64 deep, expected at most 64 levels [limit-depth]"],
    ),
    "edn: a long number": (
        f"{{:type :ok :value [[:w 1 {DIGITS}]]}}",
        ["1:26: a number of 1200 characters, expected at most 1000 digits [limit-digits]"],
    ),
    "edn: keys, brackets and strings": (
        '{:type :ok :type :fail :value []}\n{:type :ok :value [[:w 1 1]}\n{:type}\n{:type :ok :value "a',
        [
            "1:12: the key :type stands twice in one map, expected each key once [duplicate-key]",
            "2:28: '}', expected `]` [edn]",
            "3:2: a key without a value, expected a map of keys and values [edn]",
            '4:19: a string that does not end, expected a closing `"` [edn]',
        ],
    ),
    "json: a truncated last line": (
        '{"type":"ok","value":[["w",1,1]]}\n{"type":"ok","value":[["w",1,',
        [
            "2:30: the end of the text where a JSON value should stand (the file may be cut off), "
            "expected a JSON value [json]"
        ],
    ),
    "json: half a line of one writer in that of another": (
        '{"type":"ok","value":[["w",1,{"type":"ok","value":[["w",1,1]]}\n{"type":"ok","value":[["w",1,2]]}\n',
        ['1:63: the end of the line, expected "," or "]" [json]'],
    ),
    "json: a line that is cut off in an array that is": (
        '[{"type":"ok","value":[["w",1,\n{"type":"ok","value":[["w",1,2]]},\n{"type":"ok","value":[["w",1,3]]}',
        [
            "1:31: the end of the line inside an object, expected a whole object [json]",
            '3:34: the end of the text (the file may be cut off), expected "," or "]" [json]',
        ],
    ),
    "json: a key twice": (
        '{"type":"ok","value":[["w",1,1]],"value":[["w",1,2]]}',
        ["1:34: the key 'value' stands twice in one object, expected each key once [duplicate-key]"],
    ),
    "json: more than an object": (
        '{"type":"ok","value":[["w",1,1]]} x',
        ["1:35: 'x' behind an object, expected the end of the line [json]"],
    ),
    "json: more than an array": (
        '[{"type":"ok","value":[["w",1,1]]}] x',
        ["1:37: 'x' behind the array, expected nothing more [json]"],
    ),
    "json: an unknown type": (
        '{"type":"fine","value":[["w",1,1]]}',
        [f"1:9: :type :fine, expected {TYPES}"],
    ),
    "json: too deep": (
        '{"type":"ok","value":' + "[" * 70,
        ["1:86: JSON nested more than 64 deep, expected at most 64 levels [limit-depth]"],
    ),
    "json: half a character": (
        '[{"type":"ok","value":[["w","\\ud800",1]]}]',
        [f"1:29: a string as a key, expected {KINDS}"],
    ),
    "dbcop json: a truncated file": (
        '[[{"events":[{"Write":{"variable":0,"version":1}}],"committed":',
        [
            "1:64: the end of the text where a JSON value should stand (the file may be cut off), "
            "expected a JSON value [json]"
        ],
    ),
    "dbcop json: several faults": (
        '[[{"events":[{"Write":{"variable":0,"version":null}}],"committed":true},\n{"events":5,"committed":true},\n'
        '{"events":[],"committed":5},\n5,{"events":[{}]}],\n5,[{"events":[{"Read":{"variable":[]}}],"committed":true}]]',
        [
            "1:47: nil as a version, expected an integer or a string [event]",
            "2:11: a number, expected an array of events [transaction]",
            "3:26: a number as 'committed', expected true or false [transaction]",
            '4:1: a number, expected a transaction {"events": […], "committed": true} [transaction]',
            "4:3: a transaction without 'committed', expected true or false [transaction]",
            "5:1: a number, expected a session, an array of transactions [document]",
            "5:35: a vector as a variable, expected an integer or a string [event]",
        ],
    ),
    "dbcop json: success that is no boolean": (
        '[[{"events":[{"write":true,"variable":0,"value":1,"success":0}],"success":true},\n'
        '{"events":[{"write":true,"variable":0,"value":2,"success":null}],"success":true},\n'
        '{"events":[{"write":true,"variable":0,"value":3,"success":"false"}],"success":true},\n'
        '{"events":[{"write":true,"variable":0,"value":4,"success":[]}],"success":true},\n'
        '{"events":[],"success":1},{"events":[],"committed":true,"success":0}]]',
        [
            "1:61: a number as 'success', expected true or false [event]",
            "2:59: nil as 'success', expected true or false [event]",
            "3:59: a string as 'success', expected true or false [event]",
            "4:59: a vector as 'success', expected true or false [event]",
            "5:24: a number as 'success', expected true or false [transaction]",
            "5:67: a number as 'success', expected true or false [transaction]",
        ],
    ),
    "dbcop json: success that contradicts": (
        '[[{"events":[],"committed":true,"success":false},\n{"events":[],"success":true,"committed":false},\n'
        '{"events":[{"Write":{"variable":0,"version":1,"success":false}}],"committed":true},\n'
        '{"events":[{"Read":{"variable":0,"version":1,"success":true}}],"committed":true}]]',
        [
            "1:43: false as 'success' of a transaction with true as 'committed', expected the same as 'committed' "
            "[transaction]",
            "2:24: true as 'success' of a transaction with false as 'committed', expected the same as 'committed' "
            "[transaction]",
            "3:57: 'success' within 'Write', expected no such key: each event of this form has happened [event]",
            "4:56: 'success' within 'Read', expected no such key: each event of this form has happened [event]",
        ],
    ),
    "timekiller: several faults": (
        '[{"tid":1,"sid":2,"sts":7,"cts":6,"ops":[]},\n{"tid":2,"sid":2,"sts":1.5,"cts":6,"ops":[]},\n'
        '{"tid":3,"sid":2,"sts":1,"ops":[]},\n{"tid":4,"sid":2,"sts":1,"cts":6,"ops":[{"t":"x"}]},\n'
        '{"tid":4,"sid":null,"sts":1,"cts":6,"ops":[]},\n{"tid":5,"sid":1,"sts":1,"cts":6,"ops":[]},\n'
        '{"tid":5,"sid":1,"sts":1,"cts":6,"ops":[{"t":"a","k":1,"v":1},{"t":"w","k":1,"v":1}]}]',
        [
            "1:33: the commit timestamp 6, expected one not before sts, 7 [timestamps]",
            '2:24: a number as a timestamp, expected an integer, or {"p": integer, "l": integer} [timestamps]',
            f"3:1: a transaction without 'cts', expected {TIMEKILLER} [transaction]",
            "4:46: the operation 'x', expected \"w\", \"r\" or \"a\" [operation]",
            "5:16: nil as 'sid', expected an integer or a string [transaction]",
            "7:8: transaction 5 for the second time, expected each number once; it stands in line 6, too "
            "[duplicate-transaction]",
        ],
    ),
    "timekiller: lists and registers": (
        '{"tid":5,"sid":1,"sts":1,"cts":6,"ops":[{"t":"a","k":1,"v":1},{"t":"w","k":1,"v":1}]}',
        ["1:63: a register, expected a list, as in the operations before [mixed]"],
    ),
    "no format": (
        "hello",
        [f"1:1: a file in no known format of histories, expected one of the formats {', '.join(FORMATS)} [format]"],
    ),
    "nothing": (" \n", [f"1:1: an empty file, expected one of the formats {', '.join(FORMATS)} [format]"]),
    "binary": ("w(1,1,0,0)\0", ["1:11: a NUL byte: a binary file?, expected text [binary]"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_faults_are_said_with_place_and_what_was_expected(name: str) -> None:
    text, expected = CASES[name]
    form = name.split(":")[0].replace("dbcop ", "dbcop-")
    assert problems(text, form if form == "dbcop-text" else None) == expected


#: Without the time of day, which would stand in the name of a case.
PACKED = gzip.compress(b"w(1,1,0,0)", mtime=0)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"w(1,1,0,0)\n  \xff", "2:3: the byte 0xff, which is not UTF-8, expected text in UTF-8 [encoding]"),
        (b"\xff\xfea\0", "1:1: text in UTF-16, expected UTF-8 [encoding]"),
        (PACKED[:-9], "1:1: a gzip file that is cut off, expected a whole one [encoding]"),
        (PACKED[:10] + b"\xff\xff\xff", "1:1: a broken gzip file (Error -3 while decompressing "
         "data: invalid block type), expected a whole one [encoding]"),
    ],
)  # fmt: skip
def test_bytes_that_are_no_text_are_refused(data: bytes, expected: str) -> None:
    assert problems(data) == [expected]


def test_a_gzip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "GZIP_BYTES", 1_000_000)
    bomb = gzip.compress(b"\n" * 8_000_000)
    most = packed.GZIP_BYTES + packed.GZIP_RATIO * len(bomb)
    begun = time.process_time()
    assert problems(bomb) == [
        f"1:1: a gzip file that unpacks to more than {most} bytes, expected at most {most} [limit-file]"
    ]
    assert time.process_time() - begun < 5


def test_a_file_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "BYTES", 10)
    assert problems("w(1,1,0,0)\n") == ["1:1: more than 10 bytes, expected at most 10 [limit-file]"]


def test_the_wrong_format_is_named() -> None:
    described = FORMATS["awdit"].description
    assert problems("w(1,1,0,0)\nr(1,1,1,1)\n", "awdit") == [
        f"1:1: a file that begins as plume does, expected awdit ({described}) [format]"
    ]
    with pytest.raises(ValueError, match="no format 'csv'; there are plume, awdit"):
        read_history(b"", source="f", format="csv")


def test_twenty_problems_are_said_and_the_rest_is_counted() -> None:
    found = problems("r(1,1,1,1)\n" + "q\n" * 30)
    assert found[0] == "2:1: 'q', expected `r` or `w` [line]" and len(found) == 21
    assert found[-1] == "21:1: 10 more problems after this one, expected a file without problems [many]"


@pytest.mark.parametrize(
    ("text", "size", "warning"),
    [
        ("w(1,1,0,0)\nr(1,1,0\nq\nr(1,1,0,1)\n", 2,
         "2 bad lines left out; the first: f:2:8: the end of the line, expected `,` [line]"),
        ("w 1 1\nr 1\nr 1 1\n", 2,
         "1 bad line left out; the first: f:2:4: the end of the line, expected a value [line]"),
        ("{:type :ok :value [[:w 1 1]]}\n{:type :ok :value [[:w 1}\n{:type :ok :value [[:r 1 1]]}\n", 2,
         "1 bad operation left out; the first: f:2:25: '}', expected `]` [edn]"),
        ('{"type":"ok","value":[["w",1,1]]}\n{"type":"ok","value":[["w",1}\n{"type":"ok","value":[["r",1,1]]}\n', 2,
         "1 bad operation left out; the first: f:2:29: '}', expected \",\" or \"]\" [json]"),
    ],
)  # fmt: skip
def test_what_is_bad_can_be_left_out_and_is_counted(text: str, size: int, warning: str) -> None:
    history, found = read_history(text.encode(), source="f", skip_bad=True)
    assert history is not None and not found
    assert history.size == size and history.warnings[0] == warning


def test_a_bad_completion_that_is_left_out_leaves_the_outcome_unknown() -> None:
    text = "{:type :invoke :process 0 :value [[:w 1 1]]}\n{:type :ok :process 0 :value 5}\n"
    history, _ = read_history(text.encode(), source="f", skip_bad=True)
    assert history is not None and history.outcome.tolist() == [2] and history.size == 1


def test_if_nothing_is_left_all_is_said() -> None:
    assert problems("r(1,1\n", skip_bad=True) == [
        f"1:1: a file without any operation, expected {PLUME} [empty]",
        "1:6: the end of the line, expected `,` [line]",
    ]
