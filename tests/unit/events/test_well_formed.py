"""SEMANTICS §1: what a well-formed schedule is, sentence by sentence."""

from __future__ import annotations

import pytest

from toki_verify.events import (
    INIT,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Expectation,
    InitialVersion,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Problem,
    Read,
    Row,
    Schedule,
    ScheduleError,
    Surface,
    Write,
    WriteKind,
)

X, Y, P = Item("facts", "x"), Item("facts", "y"), Predicate("facts", "P")


def schedule(text: str) -> Schedule:
    return Schedule.parse(text)


def broken(text: str) -> list[tuple[str, int | None]]:
    """The rules that a text breaks, with the columns at which it does."""
    with pytest.raises(ScheduleError) as caught:
        Schedule.parse(text)
    return [(problem.rule, problem.column) for problem in caught.value.problems]


def refused(events: list[Event], **more: object) -> list[Problem]:
    with pytest.raises(ScheduleError) as caught:
        Schedule(events, **more)  # type: ignore[arg-type]
    return list(caught.value.problems)


def rules(events: list[Event], **more: object) -> list[str]:
    return [problem.rule for problem in refused(events, **more)]


# -- transactions ----------------------------------------------------------------------------------------------------


def test_the_seven_events() -> None:
    found = schedule("b1 r1[x0] w1[x1] j1(R, theta)=0 cb1(R, h, 1) c1 b2 a2").events
    assert found == (
        Begin("1"),
        Read("1", X, "0"),
        Write("1", X, "1"),
        Judge("1", "R", '"theta"', "0"),
        Callback("1", "R", "h", 1),
        Commit("1"),
        Begin("2"),
        Abort("2"),
    )
    assert [event.op for event in found] == ["b", "r", "w", "j", "cb", "c", "b", "a"]


def test_at_most_one_end_per_transaction() -> None:
    assert broken("r1[x0] c1 c1") == [("one-end", 11)]
    assert broken("r1[x0] c1 a1") == [("one-end", 11)]
    assert broken("r1[x0] a1 c1") == [("one-end", 11)]


def test_nothing_after_the_end() -> None:
    assert broken("r1[x0] c1 r1[x0]") == [("after-end", 11)]
    assert broken("r1[x0] a1 w1[x1]") == [("after-end", 11)]
    assert broken("c1 b1") == [("after-end", 4)]
    assert broken("c1 j1(R, theta) cb1(R, h, 0)") == [("after-end", 4), ("after-end", 17)]


def test_without_begin_a_transaction_starts_at_its_first_event() -> None:
    assert schedule("r2[x0] b1 r1[x0] c1").resolved.start == {"2": 0, "1": 1}


def test_begin_comes_first_and_once() -> None:
    assert broken("r1[x0] b1") == [("begin-first", 8)]
    assert broken("b1 b1") == [("begin-first", 4)]


def test_a_transaction_without_an_end_is_unfinished_and_uncommitted() -> None:
    resolved = schedule("w1[x1] w2[y1] c2 w3[z1] a3").resolved
    assert resolved.txns == ["1", "2", "3"]
    assert (resolved.committed, resolved.aborted) == ({"2"}, {"3"})
    assert resolved.end == {"2": 2, "3": 4}
    assert {item.name: order for item, order in resolved.order.items()} == {"x": [], "y": [1], "z": []}


# -- versions --------------------------------------------------------------------------------------------------------


def test_a_read_names_a_write_or_the_initial_version() -> None:
    assert schedule("r1[x0] w2[x1] r3[x1] r3[x0]").resolved.saw == {0: INIT, 2: 1, 3: INIT}


def test_a_version_is_read_only_after_it_was_written() -> None:
    assert broken("r1[x1] w2[x1]") == [("read-after-write", 1)]
    assert broken("r1[x1]") == [("read-after-write", 1)]
    assert broken("w2[y1] r1[x1]") == [("read-after-write", 8)]
    assert broken("r1{P: x1} w2[x1 in P]") == [("read-after-write", 1)]


def test_a_version_of_an_aborted_transaction_may_be_read() -> None:
    assert schedule("w1[x1] a1 r2[x1]").resolved.saw == {2: 0}


def test_a_transaction_reads_its_own_latest_version() -> None:
    assert schedule("w1[x1] r1[x1]").resolved.saw == {1: 0}
    assert schedule("r1[x0] w1[x1] r1[x1]").resolved.saw == {0: INIT, 2: 1}
    assert broken("w1[x1] r1[x0]") == [("own-write", 8)]
    assert broken("w1[x1] w1[x2] r1[x1]") == [("own-write", 15)]
    assert broken("w1[x1] w2[x2] r1[x2]") == [("own-write", 15)]
    assert broken("w1[x1] r1{P:; x0}") == [("own-write", 8)]
    assert broken("w1[x] w2[x] r1[x]") == [("own-write", 13)]


def test_labels_are_unique_per_item_and_never_0() -> None:
    assert broken("w1[x1] w2[x1]") == [("unique-version", 8)]
    assert broken("w1[x1] a1 w2[x1]") == [("unique-version", 11)]
    assert broken("w1[x0]") == [("version-0", 1)]
    assert broken("w1[x@0]") == [("version-0", 1)]
    assert len(schedule("w1[x1] w1[y1] w1[t:x1]")) == 3


def test_a_deleted_row_may_be_written_again_and_a_deleted_version_read() -> None:
    found = schedule("w1[-x1] c1 r2[x1] w2[+x2] c2 w3[x3] c3")
    assert found.resolved.saw == {2: 0}
    assert [event.kind for event in found.events if isinstance(event, Write)] == [
        WriteKind.DELETE,
        WriteKind.INSERT,
        WriteKind.UPDATE,
    ]


def test_items_are_told_apart_by_table_and_name() -> None:
    resolved = schedule("w1[x1] w1[t:x1] r2[x1] r2[t:x1]").resolved
    assert resolved.saw == {2: 0, 3: 1}
    assert list(resolved.items) == [X, Item("t", "x")]


def test_partitions_agree_everywhere() -> None:
    assert schedule("r1[a.b/x0] r2[x0]").partitions == {X: Partition("a", "b")}
    assert broken("r1[a.b/x0] r2[a.c/x0]") == [("partition", 12)]
    assert broken("init a.b/x0=1\nr2[b.b/x0] r2[b.c/x0]") == [("partition", 1), ("partition", 12)]


# -- the single-version rule -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "saw"),
    [
        ("r1[x]", {0: INIT}),
        ("w1[x] r2[x]", {1: 0}),
        ("w1[x] c1 w2[x] r3[x]", {3: 2}),
        ("w1[x] w2[x] a2 r3[x]", {3: 0}),
        ("w1[x] a1 r2[x]", {2: INIT}),
        ("w1[x] r2[x] a1", {1: 0}),
        ("w1[x1] r2[x]", {1: 0}),
        ("w1[x] w1[x] r1[x]", {2: 1}),
        ("w2[x] r1[y] w1[x] r1[x] a2", {1: INIT, 3: 2}),
    ],
)
def test_a_read_without_label_sees_the_latest_write_not_yet_aborted(text: str, saw: dict[int, int]) -> None:
    assert schedule(text).resolved.saw == saw


def test_rows_without_label_follow_the_same_rule() -> None:
    rows = schedule("w1[x in P] w2[x in P] a2 r3{P: x}").resolved.rows
    assert [(row.item, row.seen, row.matched) for row in rows[3]] == [(X, 0, True)]


# -- version order ---------------------------------------------------------------------------------------------------


def order(text: str) -> list[int]:
    return schedule(text).resolved.order[X]


def test_the_default_order_is_that_of_the_final_writes() -> None:
    assert order("w1[x1] w2[x2] c2 c1") == [0, 1]
    assert order("w1[x1] w2[x2] w1[x3] c1 c2") == [1, 2]


def test_installed_versions_are_committed_and_final() -> None:
    assert order("w1[x1] w1[x2] c1 w2[x3] a2 w3[x4]") == [1]
    assert schedule("w1[x1] w1[x2] c1").resolved.final == {1}


def test_a_stated_order_replaces_the_default() -> None:
    assert order("order x: 0 2 1\nw1[x1] c1 w2[x2] c2") == [2, 0]
    assert order("w1[x1] c1 w2[x2] c2\norder x: 2 1") == [2, 0]


def test_version_0_may_be_left_out_of_a_stated_order() -> None:
    assert schedule("order x: 0 1\nw1[x1] c1").order == schedule("order x: 1\nw1[x1] c1").order == {X: ("1",)}


@pytest.mark.parametrize("line", ["0", "0 1", "0 1 2 3", "1 2 2", "0 1 3", "a b"])
def test_a_stated_order_lists_exactly_the_installed_versions(line: str) -> None:
    assert broken(f"w1[x1] c1 w2[x2] c2 w3[x3]\norder x: {line}") == [("order", 7)]


def test_an_order_of_an_item_that_nothing_installs() -> None:
    assert schedule("order x: 0\nr1[x0]").order == {X: ()}
    assert broken("order x: 1\nr1[x0]") == [("order", 7)]


def test_an_order_needs_labels() -> None:
    assert broken("w1[x] c1\norder x: 0") == [("order-labels", 1)]
    assert schedule("w1[x] a1\norder x: 0").order == {X: ()}


def test_sessions_hold_transactions_of_the_schedule_at_most_once() -> None:
    assert schedule("session s: 2 1\nc1 c2").sessions == {"s": ("2", "1")}
    assert broken("session s: 3\nc1") == [("session", 9)]
    assert broken("session s: 1 1\nc1") == [("session", 9)]
    assert broken("session s: 1\nsession t: 1\nc1") == [("session", 9)]


# -- predicates ------------------------------------------------------------------------------------------------------


def rows(text: str) -> dict[str, tuple[int, bool]]:
    """What the last predicate read of a schedule saw of each row."""
    found = schedule(text).resolved.rows
    return {row.item.name: (row.seen, row.matched) for row in found[max(found)]}


def test_predicates_are_told_apart_by_table_and_name() -> None:
    found = schedule("w1[t:x1 in P] w1[y1 in P] c1 r2{P: y1} r2{t:P: x1} r2{Q:}")
    assert [(row.item, row.seen) for row in found.resolved.rows[3]] == [(Y, 1)]
    assert [(row.item, row.seen) for row in found.resolved.rows[4]] == [(Item("t", "x"), 0)]
    assert [(row.item, row.seen) for row in found.resolved.rows[5]] == [(Y, 1)]


def test_a_write_matches_what_it_names_and_a_delete_nothing() -> None:
    assert rows("w1[x1 in P] r2{P: x1}") == {"x": (0, True)}
    assert rows("w1[x1] r2{P:; x1}") == {"x": (0, False)}
    assert rows("w1[-x1 in P] r2{P:; x1}") == {"x": (0, False)}
    assert broken("w1[x1] r2{P: x1}") == [("predicate-match", 8)]
    assert broken("w1[x1 in P] r2{P:; x1}") == [("predicate-match", 13)]
    assert broken("w1[-x1 in P] r2{P: x1}") == [("predicate-match", 14)]
    assert broken("w1[x1 in Q] r2{P: x1}") == [("predicate-match", 13)]


def test_version_0_matches_by_an_init_line_or_a_listing() -> None:
    assert rows("init x0 in P\nr1{P: x0}") == {"x": (INIT, True)}
    assert rows("r1{P: x0}") == {"x": (INIT, True)}
    assert rows("r1{P:; x0}") == {"x": (INIT, False)}
    assert broken("init x0 in P\nr1{P:; x0}") == [("predicate-match", 1)]
    assert broken("r1{P: x0} r2{P:; x0}") == [("predicate-match", 11)]
    assert broken("r1{P:; x0} r2{P: x0}") == [("predicate-match", 1)]


def test_at_most_one_version_of_a_row_is_listed() -> None:
    assert broken("w1[x1 in P] r2{P: x0, x1}") == [("one-version-per-row", 13)]
    assert broken("w1[x1 in P] r2{P: x1; x0}") == [("one-version-per-row", 13)]
    assert broken("r2{P: x0, x0}") == [("one-version-per-row", 1)]


def test_its_own_latest_version_is_listed_iff_it_matches() -> None:
    assert rows("w1[x1 in P] r1{P: x1}") == {"x": (0, True)}
    assert rows("r2{P: x0} w1[x1] r1{P:}") == {"x": (1, False)}
    assert rows("w1[x1] r1{P:; x1}") == {"x": (0, False)}
    assert broken("w1[x1 in P] r1{P:}") == [("omitted-row", 13)]
    assert rows("w1[x1 in P] r1{P: ...}") == {}


def test_an_omitted_row_was_seen_in_its_own_latest_version_first() -> None:
    assert rows("w2[x1] c2 w1[x2 in P] w1[x3] r1{P:}") == {"x": (3, False)}


def test_else_the_version_behind_the_semicolon() -> None:
    assert rows("w1[x1] c1 w2[x2] c2 r3{P:; x1}") == {"x": (0, False)}
    assert rows("w1[x1] w2[x2] c2 r3{P:; x1}") == {"x": (0, False)}
    assert rows("w1[y1 in P] c1 w2[x1] c2 r3{P: y1; x0}") == {"y": (0, True), "x": (INIT, False)}


def test_else_the_latest_non_matching_version_committed_before() -> None:
    assert rows("w1[x1] c1 w2[x2] c2 r3{P:}") == {"x": (2, False)}
    assert rows("w1[x1] c1 w2[x2 in P] c2 r3{P:}") == {"x": (0, False)}
    assert rows("w1[x1] c1 w2[x2] r3{P:} c2") == {"x": (0, False)}
    assert rows("w1[x1] r3{P:} c1") == {"x": (INIT, False)}
    assert rows("r3{P:} w1[x1] c1") == {"x": (INIT, False)}
    assert rows("w1[x1 in P] c1 r3{P:}") == {"x": (INIT, False)}


def test_latest_means_in_the_version_order() -> None:
    assert rows("order x: 0 2 1\nw1[x1] c1 w2[x2] c2 r3{P:}") == {"x": (0, False)}
    assert rows("order x: 0 2 1\nw1[x1 in P] c1 w2[x2] c2 r3{P:}") == {"x": (2, False)}


def test_only_final_versions_are_in_the_order() -> None:
    assert rows("w1[x1] w1[x2 in P] c1 r2{P:}") == {"x": (INIT, False)}


def test_else_the_latest_write_not_yet_aborted() -> None:
    assert rows("init x0 in P\nw1[x1] r2{P:} c1") == {"x": (0, False)}
    assert rows("init x0 in P\nw1[x1] r2{P:} a1") == {"x": (0, False)}
    assert rows("init x0 in P\nw1[x1] w3[x2] r2{P:}") == {"x": (1, False)}
    assert rows("init x0 in P\nw1[x1] w3[x2] a3 r2{P:}") == {"x": (0, False)}
    assert rows("init x0 in P\nw1[-x1] r2{P:} c1") == {"x": (0, False)}
    assert rows("init x0 in P\nw1[x1] w1[x2 in P] c1 r2{P:}") == {"x": (0, False)}


def test_else_the_row_is_omitted_wrongly() -> None:
    assert broken("init x0 in P\nr1{P:}") == [("omitted-row", 1)]
    assert broken("init x0 in P\nw1[x1 in P] c1 r2{P:}") == [("omitted-row", 16)]
    assert broken("init x0 in P\nw1[x1] a1 r2{P:}") == [("omitted-row", 11)]
    assert broken("init x0 in P\nr2{P:} w1[x1] c1") == [("omitted-row", 1)]
    assert broken("r1{P:} r2{P: x0}") == [("omitted-row", 1)]


def test_a_partial_read_claims_nothing_about_rows_it_does_not_list() -> None:
    assert rows("init x0 in P\nr1{P: ...}") == {}
    assert rows("w1[y1 in P] w1[z1 in P] c1 r2{P: y1, ...}") == {"y": (0, True)}
    assert rows("w1[y1 in P] c1 r2{P: y1; x0, ...} r3[z0]") == {"y": (0, True), "x": (INIT, False)}


def test_rows_come_from_every_mention_of_the_table() -> None:
    assert set(rows("init a0=1\nr1[b0] w1[c1] r1{Q:; d0} r2{P:} r3[e0] w3[t:f1]")) == {"a", "b", "c", "d", "e"}


# -- schedules are refused, never repaired -----------------------------------------------------------------------------


def test_every_broken_rule_is_reported_at_once() -> None:
    assert broken("w1[x0] r2[y3]\nc1 c1\norder z: 1\nsession s: 9") == [
        ("version-0", 1),
        ("read-after-write", 8),
        ("one-end", 4),
        ("order", 7),
        ("session", 9),
    ]


def test_a_problem_says_the_rule_the_position_and_the_text_around_it() -> None:
    with pytest.raises(ScheduleError) as caught:
        Schedule.parse("r1[x0]\n  w1[x1] r1[x0] c1")
    (problem,) = caught.value.problems
    assert (problem.rule, problem.event, problem.line, problem.column) == ("own-write", 2, 2, 10)
    assert problem.context == "w1[x1] r1[x0] c1"
    assert str(problem) == (
        "<input>:2:10: T1 has written x and reads another version of it, expected its own latest "
        "version, x@1 [own-write]"
    )
    assert str(caught.value) == str(problem)


def test_problems_of_events_made_in_python_name_the_event() -> None:
    (problem,) = refused([Commit("1"), Commit("1")])
    assert (problem.event, problem.line) == (1, None)
    assert str(problem) == (
        "<input>: event 1: T1 has already committed, expected one commit or abort per transaction [one-end]"
    )


@pytest.mark.parametrize(
    ("events", "rule"),
    [
        ([], "no-events"),
        ([Commit("1")] * 5_001, "limit-events"),
        ([Commit("")], "name"),
        ([Commit("a\0b")], "name"),
        ([Commit("x" * 1_025)], "name"),
        ([Commit("\ud800")], "name"),
        ([Commit("e\u0301")], "name"),
        ([Commit(1)], "name"),  # type: ignore[arg-type]
        ([Read("1", Item("", "x"), "0")], "name"),
        ([Read("1", Item("t", ""), "0")], "name"),
        ([Read("1", X, "")], "name"),
        ([Write("1", X, "1", predicates=("",))], "name"),
        ([PredicateRead("1", Predicate("t", ""))], "name"),
        ([Judge("1", "", '"t"')], "name"),
        ([Callback("1", "R", "", 0)], "name"),
        ([Callback("1", "R", "h", -1)], "winner"),
        ([Callback("1", "R", "h", True)], "type"),
        ([Callback("1", "R", "h", 10**9)], "winner"),
        ([Write("1", X, "1", operator="mine")], "operator"),
        ([Write("1", X, "1", prov="p1+")], "provenance"),
        ([Write("1", X, "1", predicates=("P", "P"))], "predicate-twice"),
        ([PredicateRead("1", P, (Row(Item("t", "x"), "0"),))], "row-table"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value)[:40],
)
def test_events_made_in_python_keep_the_same_rules(events: list[Event], rule: str) -> None:
    assert rules(events) == [rule]


@pytest.mark.parametrize(
    ("about", "rule"),
    [
        ({"name": ""}, "name"),
        ({"name": "a\0"}, "name"),
        ({"source": "a\0"}, "text"),
        ({"note": "\ud800"}, "text"),
        ({"surface": [Surface("open")]}, "surface"),
        ({"surface": [Surface("closed", "")]}, "name"),
        ({"expect": [Expectation("maybe", ("P4",))]}, "expectation"),
        ({"expect": [Expectation("present", ())]}, "expectation"),
        ({"expect": [Expectation("present", ("a b",))]}, "expectation"),
        ({"expect": [Expectation("present", ("not", "P4"))]}, "expectation"),
        ({"expect": [Expectation("present", ("P4",), "adya")]}, "expectation"),
        ({"init": {Item("", "x"): InitialVersion()}}, "name"),
        ({"partitions": {X: Partition("", "b")}}, "name"),
        ({"partitions": {X: Partition("a", "")}}, "name"),
        ({"sessions": {"": ("1",)}}, "name"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value)[:40],
)
def test_what_a_file_says_about_the_events_is_checked_too(about: dict[str, object], rule: str) -> None:
    assert rules([Commit("1")], **about) == [rule]


def test_texts_are_kept_as_their_lines() -> None:
    found = Schedule([Commit("1")], source=" a \r\n\n b\u2028c ", note=" \n ")
    assert (found.source, found.note) == ("a\nb\u2028c", None)


def test_too_many_accesses() -> None:
    writes: list[Event] = [Write("1", Item("facts", f"x{number}"), "1") for number in range(200)]
    reads: list[Event] = [PredicateRead("2", P)] * 200
    (problem,) = refused(writes + reads)
    assert (problem.rule, problem.what.split()[4]) == ("limit-accesses", "40600")


def test_length_iteration_and_words() -> None:
    found = schedule("w1[x1] c1")
    assert (len(found), list(found), str(found)) == (2, list(found.events), "w1[x1] c1")
    assert repr(found) == "Schedule.parse('w1[x1] c1')"
