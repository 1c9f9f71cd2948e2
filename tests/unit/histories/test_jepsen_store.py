"""Files of a Jepsen store directory: which holds operations, and what the others are called."""

from __future__ import annotations

import pytest

from toki_verify.histories.formats import likely
from toki_verify.histories.jepsen_store import fields, holds_operations, other_file


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{:type :ok, :value [[:r :x 1]]}", {":type", ":ok", ":value"}),
        ("; {:type\n[#jepsen.history.Op{:process 0 :value {:f 1}} {:index 1}]", {":process", ":value"}),
        ('{:a "}:type" :b \\} :c {:type :ok} ; :type\n :d 1}', {":a", ":b", ":c", ":d"}),
        ('{:a "cut off :type', {":a"}),
        ("{:workload {:valid? true, :an", {":workload"}),
        ('{"type": "ok"}', set()),
        ('{"tid":5,"sid":1}', set()),
        ("[:a :b]", set()),
        ("", set()),
    ],
)
def test_the_fields_of_the_first_map_are_its_own(text: str, expected: set[str]) -> None:
    assert fields(text) == expected


@pytest.mark.parametrize(
    ("text", "operations", "called"),
    [
        ("{:valid? true}", False, "what Jepsen found in a history (results.edn)"),
        ("{:stats {:count 1} :workload {:valid? false :anomalies [{:type :ok}]}}", False, "what Jepsen found"),
        ("{:name 1 :nodes [] :os :debian}", False, "a map with :name, :nodes, :os"),
        ("{:type :ok :value []}", True, None),
        ("{:value [[:w 1 1]]}", True, None),
        ("\n", True, None),
        ("{:note 1}\n{:type :ok :value [[:w 1 1]]}", True, None),
        ("{:valid? false,\n :ops [{:type :ok}\n       {:type :ok}]}", False, "what Jepsen found"),
        ("0\t:invoke\t:txn\t[[:r 1 nil]]", False, "Jepsen's history.txt"),
        ("12   :ok   :txn   [[:r 1 nil]]", False, "Jepsen's history.txt"),
        ("2026-11-30 12:00:00,123{GMT}\tINFO\t[main] x", False, "a log of Jepsen"),
        ("r1[x0] w1[x1] c1", False, None),
        ("w(1,1,0,0)", False, None),
    ],
)
def test_what_is_no_history_is_called_by_its_name(text: str, operations: bool, called: str | None) -> None:
    assert holds_operations(text.encode()) is operations
    found = other_file(text.encode())
    assert found is None if called is None else found is not None and found[0].startswith(called)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# by hand\nw(1,1,0,0)\nr(1,1,1,1)\n", "plume"),
        ("title\nw 1 1\n-----\n", "awdit"),
        ("title\nmore\nw(1,1,0,0)\nr(1,1,1,1)\n", None),
        ("// w(1,1,0,0)\n", "dbcop-text"),
        ("schedule one\n  r1[x0] c1\n", None),
        ("", None),
    ],
)
def test_most_lines_tell_a_format(text: str, expected: str | None) -> None:
    assert likely(text.encode()) == expected
