"""Version orders from timestamps and from files: what is refused, and where; what is only warned of; what is found."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toki_verify.events import Problem
from toki_verify.histories.checked import check_history
from toki_verify.histories.columns import History
from toki_verify.histories.formats import read_history
from toki_verify.histories.orders import by_reads, by_timestamps, origin
from toki_verify.histories.orders_choice import in_version_order
from toki_verify.histories.orders_stated import by_statement
from toki_verify.histories.restrict import of_transactions, restrict
from toki_verify.histories.sessions.evidence import check_order
from toki_verify.histories.sessions.evidence_times import check_times
from toki_verify.histories.sessions.verdict import decide
from toki_verify.histories.to_schedule import schedule_of


def history_of(text: str, format: str | None = None) -> History:
    history, problems = read_history(text.encode(), source="h", format=format)
    assert history is not None, problems
    return history


def timekiller(*rows: tuple[int, int, str]) -> History:
    """A history of transactions in sessions of their own: start, commit, and operations like `wx1 rx1 ax2 rx[1,2]`."""
    lines = []
    for number, (start, commit, text) in enumerate(rows, 1):
        ops = [{"t": one[0], "k": one[1], "v": json.loads(one[2:])} for one in text.split()]
        lines.append(json.dumps({"tid": number, "sid": number, "sts": start, "cts": commit, "ops": ops}))
    return history_of("\n".join(lines), "timekiller")


def ordered(history: History | None, problems: list[Problem]) -> History:
    assert history is not None and history.version_order is not None and problems == []
    return history


def ranks(history: History) -> dict[str, int]:
    return {
        f"{history.keys[key]}{history.values[version]}": int(history.rank[version])
        for version, key in enumerate(history.version_key.tolist())
        if version >= len(history.keys)
    }


# -- timestamps
def test_versions_stand_in_the_order_of_commits() -> None:
    history = timekiller((1, 9, "wx1 wy1"), (2, 5, "wx2"), (3, 7, "wx3 wx4"))
    found = ordered(*by_timestamps(history))
    assert ranks(found) == {"x1": 3, "y1": 1, "x2": 1, "x3": -1, "x4": 2}
    assert (origin(history), origin(found)) == ("some", "timestamps")
    assert "may hold with another order" in found.warnings[-1]


def test_two_writers_at_one_time_are_an_error_that_names_both_lines() -> None:
    history = timekiller((1, 5, "wx1"), (2, 5, "wy2"), (3, 5, "wx3"), (4, 6, "wx4"))
    found, problems = by_timestamps(history)
    assert found is None
    assert [str(one) for one in problems] == [
        "h:3: T1's x=1 (line 1) and T3's x=3 commit at one time, 5, expected one timestamp a writer of a key "
        "[timestamps]"
    ]
    found = ordered(*by_timestamps(history, skip_bad=True))
    assert ranks(found) == {"x1": -1, "y2": 1, "x3": -1, "x4": 1}
    assert "the place of 2 versions in the version order is open (keys x)" in found.warnings[-1]


def test_of_many_ties_twenty_are_named() -> None:
    _, problems = by_timestamps(timekiller(*[(1, 5, f"wx{n}") for n in range(40)]))
    assert len(problems) == 21 and "19 more such pairs" in str(problems[-1])


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("r(x,1,1,1)\nw(x,1,2,2)\n", "plume"),
        ("w x 1\n-----\n", "awdit"),
        ("{:type :ok :f :txn :process 0 :value [[:w 1 1]]}", "jepsen-edn"),
    ],
)
def test_a_format_without_times_has_no_order_by_them(text: str, format: str) -> None:
    found, problems = by_timestamps(history_of(text, format))
    assert found is None and f"no commit timestamps in {format}, expected a format with times" in str(problems[0])


EDN = """\
{:type :invoke :f :txn :process 0 :value [[:w x 1] [:w y 1]]}
{:type :invoke :f :txn :process 1 :value [[:w x 2]]}
{:type :ok     :f :txn :process 1 :value [[:w x 2]]}
{:type :invoke :f :txn :process 2 :value [[:w x 3] [:w y 3]]}
{:type :info   :f :txn :process 2 :value [[:w x 3] [:w y 3]]}
{:type :ok     :f :txn :process 0 :value [[:w x 1] [:w y 1]]}
{:type :invoke :f :txn :process 3 :value [[:r y nil]]}
{:type :ok     :f :txn :process 3 :value [[:r y 3]]}
""".replace(" x ", ' "x" ').replace(" y ", ' "y" ')


def test_jepsen_histories_are_ordered_by_completions_and_unknown_ones_stand_anywhere() -> None:
    found = ordered(*by_timestamps(history_of(EDN)))
    assert ranks(found) == {"x1": 2, "y1": 1, "x2": 1, "x3": -1, "y3": -1}
    assert "places of completions in the file, which need not be the order of the commits" in found.warnings[-2]
    assert "the place of 2 versions" in found.warnings[-1]
    assert decide(found)["SER"].holds is True


def test_lists_order_what_they_show_and_timestamps_the_rest() -> None:
    history = timekiller((1, 2, "ax1"), (3, 9, "ax3"), (4, 7, "ax2"), (3, 4, "rx[1]"))
    assert origin(history) == "reads" and by_reads(history) == (history, [])
    assert ranks(ordered(*by_timestamps(history))) == {"x1": 1, "x3": 3, "x2": 2}


def test_registers_have_no_order_of_reads() -> None:
    found, problems = by_reads(timekiller((1, 2, "wx1")))
    assert found is None and "expected a history of lists" in str(problems[0])


def test_timestamps_that_lists_contradict_are_a_finding_that_refutes_nothing() -> None:
    history = timekiller((1, 9, "ax1"), (2, 5, "ax2"), (10, 11, "rx[1,2]"), (2, 3, "ax4"))
    found = ordered(*by_timestamps(history))
    assert ranks(found) == {"x1": 1, "x2": 2, "x4": 3}
    checked = check_history(found)
    assert checked.ok is True and set(checked.levels.values()) == {True}
    [finding] = checked.findings
    assert (finding.kind, finding.count, finding.refutes) == ("timestamp-order", 2, False)
    assert finding.text == (
        "line 1: T1's x=1 at 9; T2's x=2 (line 2) at 5 stands behind it in a list: the clock or the store is wrong"
    )
    assert "T4's x=4 (line 4) at 3 is missing in a list that shows it" in found.garbage[1].text
    order = checked.verdict.order("SER")
    assert order is not None and check_order(found, "SER", order) == ()
    assert ordered(*by_timestamps(timekiller((1, 4, "ax1"), (2, 5, "ax2"), (6, 7, "rx[1,2]")))).garbage == ()


def test_a_part_of_an_ordered_history_keeps_its_order() -> None:
    found = ordered(*by_timestamps(timekiller((1, 9, "wx1"), (2, 5, "wx2"), (6, 7, "wx3"))))
    part = restrict(found, of_transactions(found, [0, 2]))
    assert origin(part) == "timestamps" and ranks(part) == {"x1": 3, "x3": 2}
    assert [tuple(order) for order in schedule_of(part).order.values()] == [("3", "1")]


# -- a file
PLUME = "w(x,1,0,0)\nw(x,2,1,1)\nw(y,8,1,1)\nw(y,9,1,1)\nw(x,5,2,-1)\nr(x,2,3,2)\n"


def test_a_stated_order_is_taken_as_it_is() -> None:
    history = history_of(PLUME)
    for text in (
        '{"x": [2, 1]}',
        '{"key": "x", "order": [2, 1]}\n{"y": [9]}',
        '[{"x": [null, 2, 1]}]',
        '{"x":[0,2,1]}',
    ):
        found = ordered(*by_statement(history, text.encode(), "f"))
        assert ranks(found) == {"x1": 2, "x2": 1, "y8": -1, "y9": 1, "x5": -1}, text
        assert (found.version_order, found.warnings[-1][:37]) == ("stated", "versions stand in the stated order: a")


BAD = {
    '{"x": [2, 1, 3]}': "f:1:14: the value 3, which nobody writes to x, expected a value that is written to x",
    '{"x": [2, 1],\n "z": [1]}': "f:2:2: the key 'z', expected a key of h",
    '{"key": 7, "order": [1]}': "f:1:9: the key 7, expected a key of h",
    '{"x": [2, 1, 2]}': "f:1:14: 2 for the second time, expected each value once",
    '{"x": [2]}': "f:1:7: an order of x without 1, which T0 writes (line 1), expected all values",
    '{"y": [9]}': 'f:1:11: no order of x, to which 2 values are written, expected {"x": [1, 2]',
    '{"x": [1, 2, 5]}': "f:1:14: 5, which -1 (line 5) wrote in line 5 and rolled back, expected versions that were",
    '{"x": [1, 2], "y": [8, 9]}': "f:1:21: 8, which T1 wrote in line 3 and overwrote itself, expected versions",
    '{"x": [1, null, 2]}': "f:1:11: the initial version of x behind another, expected it first, or not at all",
    '{"x": [2, 1], "x": [2, 1]}': "f:1:15: the key 'x' stands twice in one object, expected each key once",
    '{"x": [2, 1]}\n{"x": [2, 1]}': "f:2:2: an order of x for the second time (line 1), expected each key once",
    '{"x": 1}': "f:1:7: a number as an order, expected an array of values",
    '{"x": [2, [1]]}': "f:1:11: the value [1], which nobody writes to x",
    '{"key": "x", "sequence": [2, 1]}': "f:1:1: an object with 'key', 'sequence', expected",
    '{"x": [2, 1}': "f:1:12: ",
    "[2, 1]": 'f:1:2: a number, expected {"x": [1, 2]',
    "": "f:1:1: a file without any order",
    "[]": "f:1:1: a file without any order",
    '{"x": [' + "1" * 1001 + "]}": "f:1:8: a number of more than 1000 digits",
    '{"x": [2, 1]}\n{"key": {"a": 1}, "order": []}': "f:2:9: the key {'a': 1}, expected a key of h",
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_with_an_order_is_said_where_it_stands(text: str) -> None:
    found, problems = by_statement(history_of(PLUME), text.encode(), "f")
    assert found is None
    assert any(str(problem).startswith(BAD[text]) for problem in problems), problems[0]


def test_bytes_that_are_no_text_are_refused() -> None:
    found, problems = by_statement(history_of(PLUME), b'{"x":\n"\xff"}', "f")
    assert found is None and str(problems[0]) == "f:2: a byte that is not UTF-8, expected JSON in UTF-8 [encoding]"


def test_orders_at_fault_can_be_left_out() -> None:
    found = ordered(*by_statement(history_of(PLUME), b'{"x": [2, 2, 1], "y": [9]}', "f", skip_bad=True))
    assert ranks(found) == {"x1": -1, "x2": -1, "y8": -1, "y9": 1, "x5": -1}
    assert "1 bad order left out; the first: f:1:11: 2 for the second time" in found.warnings[-3]
    assert "the place of 2 versions" in found.warnings[-1]
    none, problems = by_statement(history_of(PLUME), b"[}", "f", skip_bad=True)
    assert none is None and problems


def test_a_value_of_an_unknown_transaction_that_is_stated_was_committed_with_all_else_of_it() -> None:
    history = history_of(EDN)
    found, problems = by_statement(history, b'{"x": [1, 3, 2], "y": [1]}', "f")
    assert found is None and "an order of y without 3, which #3 writes (line 4)" in str(problems[0])
    found = ordered(*by_statement(history, b'{"x": [1, 3, 2], "y": [3, 1]}', "f"))
    assert decide(found)["RC"].holds is False
    assert decide(ordered(*by_statement(history, b'{"x": [1, 2], "y": [1]}', "f")))["SER"].holds is True


def test_keys_are_called_what_the_history_calls_them() -> None:
    lines = [
        {"type": "ok", "f": "txn", "process": n, "value": [["w", 1, n], ["w", "1", n], ["w", "a", n]]} for n in (5, 6)
    ]
    history = history_of("\n".join(map(json.dumps, lines)), "elle-json")
    text = '{"key": 1, "order": [6, 5]}\n{"key": "1", "order": [5, 6]}\n{"a": [6, 5]}'
    found = ordered(*by_statement(history, text.encode(), "f"))
    assert ranks(found) == {"15": 2, "16": 1, '"1"5': 1, '"1"6': 2, "a5": 2, "a6": 1}
    again = ordered(*by_statement(history, b'{"1": [6, 5], "a": [6, 5]}\n{"key": "1", "order": [5, 6]}', "f"))
    assert ranks(again) == ranks(found)


def test_an_order_that_lists_contradict_is_an_error_that_names_both_places() -> None:
    history = timekiller((1, 2, "ax1"), (3, 4, "ax2"), (5, 6, "rx[1,2]"), (7, 8, "ax3"))
    assert ranks(ordered(*by_statement(history, b'{"x": [1, 2, 3]}', "f"))) == {"x1": 1, "x2": 2, "x3": 3}
    for text, column, value in (('{"x": [2, 1, 3]}', 8, 2), ('{"x": [1, 3, 2]}', 11, 3)):
        found, problems = by_statement(history, text.encode(), "f")
        assert found is None
        wanted = f"f:1:{column}: {value} in the order of x, where a list that was read has (line 3) "
        assert str(problems[0]).startswith(wanted), problems[0]


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=40),
        st.text('{}[]":, x1029nul\\\n', max_size=40).map(str.encode),
        st.dictionaries(
            st.sampled_from(["x", "y", "key", "order", "z"]),
            st.recursive(st.sampled_from([None, 0, 1, 2, 9, "1", "x", 1.5, True, 10**30]), st.lists, max_leaves=4),
        ).map(lambda one: json.dumps(one).encode()),
    )
)
def test_whatever_a_file_holds_is_an_order_or_a_problem(data: bytes) -> None:
    history = history_of(PLUME)
    for skip in (False, True):
        found, problems = by_statement(history, data, "f", skip_bad=skip)
        assert (found is None) is bool(problems) and all(one.file == "f" for one in problems)
        if found is not None:
            assert skip or {name: rank > 0 for name, rank in ranks(found).items() if name[0] in "xy"} == {
                "x1": True, "x2": True, "y8": False, "y9": True, "x5": False
            }  # fmt: skip


def test_the_choice_names_an_order_or_a_file() -> None:
    history = timekiller((1, 2, "wx1"))
    assert in_version_order(history, "auto") == (history, [])
    assert in_version_order(history, "reads")[0] is None
    found, _ = in_version_order(history, "timestamps")
    assert found is not None and found.version_order == "timestamps"
    for name in ("no such file", "", "a\0b"):
        found, problems = in_version_order(history, name)
        assert found is None and problems[0].rule == "file"


# -- timestamps as evidence
def test_timestamps_of_a_history_can_show_si() -> None:
    history = timekiller((1, 4, "wx1"), (4, 6, "rx1 wx2 rx2"), (4, 5, "rx1 wy3"), (6, 6, "rx2 ry3"))
    assert check_times(history, [1, 4, 4, 6], [4, 6, 5, 6]) == ()


@pytest.mark.parametrize(
    ("rows", "said", "lines"),
    [
        (
            [(1, 4, "wx1"), (5, 6, "wx2"), (7, 8, "rx1")],
            "T3 reads x=1 of T1, which committed at 4, and when it started, at 7, T2 committed x=2 at 6",
            (3, 1, 2),
        ),
        (
            [(1, 4, "wx1"), (3, 5, "rx1")],
            "T2 reads x=1 of T1, which committed at 4, and when it started, at 3, nobody had committed a write to it",
            (2, 1),
        ),
        ([(1, 4, "wx1"), (3, 5, "wx2")], "T1 (1 to 4) and T2 (3 to 5) overlap, and both write x", (1, 2)),
        ([(1, 4, "wx1 rxnull")], "T1 reads x=nil behind an own write of another value", (1,)),
        ([(3, 3, "wx1"), (3, 3, "wy1")], "T1 and T2 write, and start and commit at one time, 3: nothing says", (1, 2)),
        ([(1, 2, "rx7")], "T1 reads x=7 which nobody wrote, and when it started", (1,)),
        (
            [(1, 2, "ax1"), (3, 4, "ax2"), (5, 6, "ax3"), (7, 8, "rx[1,3,2]")],
            "T3 commits x=3 at 6, behind x=2: the known order of versions is another",
            (3, 2),
        ),
    ],
)
def test_the_first_contradiction_is_named_with_its_lines(
    rows: list[tuple[int, int, str]], said: str, lines: tuple[int, ...]
) -> None:
    history = timekiller(*rows)
    assert history.begun is not None and history.ended is not None
    found = check_times(history, history.begun.tolist(), history.ended.tolist())
    assert any(one.text.startswith(said) and one.lines == lines for one in found), found


def test_times_that_cannot_be_are_contradictions() -> None:
    history = timekiller((1, 2, "wx1"), (3, 4, "rx1"))
    for begun, ended, said in (
        ([1, 3], [2, -1], "T2 committed and has no commit timestamp"),
        ([5, 3], [2, 4], "T1 commits at 2, before its start at 5"),
        ([-1, 3], [2, 4], "T1 commits at 2, before its start at -1"),
    ):
        [one] = check_times(history, begun, ended)
        assert one.text == said
    with pytest.raises(ValueError, match="has no times"):
        check_times(history_of(PLUME), [0] * 4, [1] * 4, realtime=True)
