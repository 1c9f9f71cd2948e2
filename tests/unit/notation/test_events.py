"""NOTATION, "Events": every form is read, and only the canonical forms are printed."""

from __future__ import annotations

import pytest

from toki_verify.events import (
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    ScheduleError,
    Write,
    WriteKind,
)
from toki_verify.notation import event_text
from toki_verify.notation.reader import LineReader

X = Item("facts", "x")
P = Predicate("facts", "P")
INSERT, DELETE, UPDATE = WriteKind.INSERT, WriteKind.DELETE, WriteKind.UPDATE


def items(text: str) -> tuple[list[Event], dict[Item, Partition]]:
    """The events of one line, without the rules between them, and the partitions that they state."""
    faults: list[object] = []
    placed = LineReader(text, faults.append).read()
    assert faults == [], faults
    return [entry.event for entry in placed], dict(pair for entry in placed for pair in entry.partitions)


def event(text: str) -> Event:
    (found,), _ = items(text)
    return found


def refusal(text: str) -> tuple[int, str]:
    """The column and the rule of the first fault of a line."""
    with pytest.raises(ScheduleError) as caught:
        Schedule.parse(text)
    problem = caught.value.problems[0]
    assert problem.line == 1 and problem.column is not None
    return problem.column, problem.rule


CANONICAL: list[tuple[str, Event]] = [
    ("b1", Begin("1")),
    ("c1", Commit("1")),
    ("a1", Abort("1")),
    ("c0", Commit("0")),
    ("c12", Commit("12")),
    ("cTa", Commit("a")),
    ('cT"a b"', Commit("a b")),
    ('cT"01"', Commit("01")),
    ('cT"in"', Commit("in")),
    ("cT1a", Commit("1a")),
    ("cTé", Commit("é")),
    ('cT"٣"', Commit("٣")),
    ("cTT1", Commit("T1")),
    ("r1[x0]", Read("1", X, "0")),
    ("r1[x10]", Read("1", X, "10")),
    ("r1[x@a]", Read("1", X, "a")),
    ("r1[x@1a]", Read("1", X, "1a")),
    ('r1[x@"01"]', Read("1", X, "01")),
    ('r1[x@"a b"]', Read("1", X, "a b")),
    ("r1[m0@0]", Read("1", Item("facts", "m0"), "0")),
    ("r1[m0@a]", Read("1", Item("facts", "m0"), "a")),
    ("r1[x]", Read("1", X)),
    ('r1["m0"]', Read("1", Item("facts", "m0"))),
    ("r1[m0x]", Read("1", Item("facts", "m0x"))),
    ("r1[x1=50]", Read("1", X, "1", "50")),
    ("r1[x=50]", Read("1", X, None, "50")),
    ('r1["user 7/pref"@0]', Read("1", Item("facts", "user 7/pref"), "0")),
    ('r1["in"@0]', Read("1", Item("facts", "in"), "0")),
    ('r1["12"@0]', Read("1", Item("facts", "12"), "0")),
    ('r1["-a"@0]', Read("1", Item("facts", "-a"), "0")),
    ("r1[a-b0]", Read("1", Item("facts", "a-b"), "0")),
    ("r1[judge_log:k1]", Read("1", Item("judge_log", "k"), "1")),
    ('r1["a:b":k1]', Read("1", Item("a:b", "k"), "1")),
    ("w1[x1]", Write("1", X, "1")),
    ("w1[x]", Write("1", X)),
    ("w1[x1=50]", Write("1", X, "1", "50")),
    ("w1[+y2 in P]", Write("1", Item("facts", "y"), "2", None, INSERT, ("P",))),
    ("w1[-y3]", Write("1", Item("facts", "y"), "3", None, DELETE)),
    ("w1[-y3 in P]", Write("1", Item("facts", "y"), "3", None, DELETE, ("P",))),
    ("w1[x1 in P, Q]", Write("1", X, "1", None, UPDATE, ("P", "Q"))),
    ('w1[x1 in "in", "user=alice"]', Write("1", X, "1", None, UPDATE, ("in", "user=alice"))),
    ("w1[x1=50 in P prov p1+2*p2*t1 by await]", Write("1", X, "1", "50", UPDATE, ("P",), "p1+2*p2*t1", "await")),
    ("w1[x1 by lww]", Write("1", X, "1", operator="lww")),
    ("w1[x1 by evi]", Write("1", X, "1", operator="evi")),
    ("w1[x1 by rule]", Write("1", X, "1", operator="rule")),
    ("w1[x1 prov p]", Write("1", X, "1", prov="p")),
    ("r1{P:}", PredicateRead("1", P)),
    ("r1{P: x0, y2}", PredicateRead("1", P, (Row(X, "0"), Row(Item("facts", "y"), "2")))),
    ("r1{P: y2; x0}", PredicateRead("1", P, (Row(Item("facts", "y"), "2"),), (Row(X, "0"),))),
    ("r1{P:; x0}", PredicateRead("1", P, (), (Row(X, "0"),))),
    ("r1{P: x2, ...}", PredicateRead("1", P, (Row(X, "2"),), (), True)),
    ("r1{P: ...}", PredicateRead("1", P, (), (), True)),
    ("r1{P: y2; x0, ...}", PredicateRead("1", P, (Row(Item("facts", "y"), "2"),), (Row(X, "0"),), True)),
    ("r1{P: x}", PredicateRead("1", P, (Row(X),))),
    (
        'r1{memories:"user=alice": m0@0}',
        PredicateRead("1", Predicate("memories", "user=alice"), (Row(Item("memories", "m0"), "0"),)),
    ),
    ('r1{"a:b": x0}', PredicateRead("1", Predicate("facts", "a:b"), (Row(X, "0"),))),
    ("j1(R, theta)=0", Judge("1", "R", '"theta"', "0")),
    ("j1(R, theta)", Judge("1", "R", '"theta"')),
    ("j1(R, t2)=yes", Judge("1", "R", '"t2"', '"yes"')),
    ('j1("R 1", "in")=[1]', Judge("1", "R 1", '"in"', "[1]")),
    ("cb1(R, h, 1)", Callback("1", "R", "h", 1)),
    ('cb1(R, "h h", 0)', Callback("1", "R", "h h", 0)),
]


@pytest.mark.parametrize(("text", "meaning"), CANONICAL, ids=[text for text, _ in CANONICAL])
def test_canonical_forms(text: str, meaning: Event) -> None:
    assert event(text) == meaning
    assert event_text(meaning, {}) == text


OTHER_FORMS: list[tuple[str, str]] = [
    ("rT1[x0]", "r1[x0]"),
    ("rT12[x0]", "r12[x0]"),
    ('rT"1"[x0]', "r1[x0]"),
    ('rT"a"[x0]', "rTa[x0]"),
    ("r1(x0)", "r1[x0]"),
    ("w1(x1)", "w1[x1]"),
    ("r1(x0, 50)", "r1[x0=50]"),
    ("w1(x1, 50)", "w1[x1=50]"),
    ("r1(x0=50)", "r1[x0=50]"),
    ("r1(P: x0)", "r1{P: x0}"),
    ("r1(P:)", "r1{P:}"),
    ("r1(P: x0; y0)", "r1{P: x0; y0}"),
    ("w1(x1 in P)", "w1[x1 in P]"),
    ("r1[ x0 ]", "r1[x0]"),
    ("r1[x0 = 50]", "r1[x0=50]"),
    ("w1[x1  in P,Q]", "w1[x1 in P, Q]"),
    ("w1[x1 in P,  Q]", "w1[x1 in P, Q]"),
    ("r1{ P: x0,y0 }", "r1{P: x0, y0}"),
    ("r1{P:x0}", "r1{P: x0}"),
    ("r1{P: ; x0}", "r1{P:; x0}"),
    ("r1{P: y2 ;x0}", "r1{P: y2; x0}"),
    ("r1{P: y2; ...}", "r1{P: y2, ...}"),
    ("r1{P: y2;}", "r1{P: y2}"),
    ("r1{facts:P: x0}", "r1{P: x0}"),
    ("r1[facts:x0]", "r1[x0]"),
    ('r1["x"@0]', "r1[x0]"),
    ('r1[x@"0"]', "r1[x0]"),
    ("r1[x@0]", "r1[x0]"),
    ("r1[x@7]", "r1[x7]"),
    ('r1["x"]', "r1[x]"),
    ('r1[judge_log:"k"@1]', "r1[judge_log:k1]"),
    ("j1(R,θ)=0", "j1(R, theta)=0"),
    ('j1("R",theta)', "j1(R, theta)"),
    ("j1(R, theta)=null", "j1(R, theta)"),
    ("j1( R , theta )=0", "j1(R, theta)=0"),
    ("cb1(R,h,1)", "cb1(R, h, 1)"),
    ("cb1(R, h, 007)", "cb1(R, h, 7)"),
    ("r1[x0=1.0]", "r1[x0=1]"),
    ("r1[x0=1e2]", "r1[x0=100]"),
    ('r1[x0="abc"]', "r1[x0=abc]"),
    ('r1[x0={"b": 1, "a": []}]', 'r1[x0={"a":[],"b":1}]'),
    ('r1[x0="1"]', 'r1[x0="1"]'),
    ("r1[x0=-0]", "r1[x0=0]"),
    ("r1[cafe\u03010]", "r1[café0]"),
    ('r1["cafe\\u0301"@0]', "r1[café0]"),
]


@pytest.mark.parametrize(("text", "canonical"), OTHER_FORMS, ids=[text for text, _ in OTHER_FORMS])
def test_other_forms_are_read_and_printed_canonically(text: str, canonical: str) -> None:
    assert event_text(event(text), {}) == canonical
    assert event(canonical) == event(text)


# -- names -----------------------------------------------------------------------------------------------------------


def test_trailing_digits_are_the_version() -> None:
    assert event("r1[x123]") == Read("1", X, "123")
    assert event("r1[x1y2]") == Read("1", Item("facts", "x1y"), "2")
    assert event('r1["x12"@3]') == Read("1", Item("facts", "x12"), "3")


def test_exactly_0_is_the_initial_version_and_other_leading_zeros_are_an_error() -> None:
    assert event("r1[x0]") == Read("1", X, "0")
    assert event('r1[x@"00"]') == Read("1", X, "00")
    for text in ("r1[x00]", "r1[x01]", "w1[x007]", "r1[x@01]", "r1[x@00]"):
        assert refusal(text)[1] == "leading-zero"
    assert refusal("r1[x00]")[0] == 4
    assert refusal("r1[x@01]")[0] == 6


def test_names_are_compared_in_nfc() -> None:
    found = Schedule.parse("w1[é1 in \u00e9] r2[e\u03011] r3{e\u0301: e\u03011}")
    assert [item.name for item in found.resolved.items] == ["é"]
    assert event("rTe\u0301[x0]") == Read("é", X, "0")


def test_combining_marks_belong_to_letters() -> None:
    assert event("r1[x\u0323\u03310]") == Read("1", Item("facts", "x\u0323\u0331"), "0")
    assert event("r1[क्षि0]") == Read("1", Item("facts", "क्षि"), "0")
    assert refusal("r1[\u0301x0]") == (4, "name")


@pytest.mark.parametrize(
    "name", ["-a", ".a", "12", "a b", "a/b", "a:b", "a@b", "a#b", "a,b", "²", "a=b", "☃", "", "a\n"]
)
def test_anything_else_is_quoted(name: str) -> None:
    if name:
        text = event_text(Read("1", Item("facts", name), "0"), {})
        assert text.startswith('r1["')
        assert event(text) == Read("1", Item("facts", name), "0")
    plain = f"r1[{name}@0]"
    with pytest.raises((ScheduleError, AssertionError)):
        assert Schedule.parse(plain).events == (Read("1", Item("facts", name), "0"),)


@pytest.mark.parametrize("word", ["in", "prov", "by"])
def test_clause_words_are_quoted_where_they_are_names(word: str) -> None:
    item = Item("facts", word)
    assert event_text(Write("1", item, "1", None, UPDATE, (word,)), {}) == f'w1["{word}"@1 in "{word}"]'
    assert event_text(Read("1", X, "0", f'"{word}"'), {}) == f'r1[x0="{word}"]'
    assert event(f'w1["{word}"@1 in "{word}"]') == Write("1", item, "1", None, UPDATE, (word,))


# -- tables and partitions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "item", "partition"),
    [
        ("alice.lives_in/m1@0", Item("facts", "m1"), Partition("alice", "lives_in")),
        ("alice.lives_in/m0", Item("facts", "m"), Partition("alice", "lives_in")),
        ("memories:alice.lives_in/m1@0", Item("memories", "m1"), Partition("alice", "lives_in")),
        ("a.b.c/m0", Item("facts", "m"), Partition("a", "b.c")),
        ('"a.b".c/m0', Item("facts", "m"), Partition("a.b", "c")),
        ('a."b/c"/m0', Item("facts", "m"), Partition("a", "b/c")),
        ('"a:b"."c d"/"e/f"@0', Item("facts", "e/f"), Partition("a:b", "c d")),
        ('"t:u":"a"."b"/"m"@0', Item("t:u", "m"), Partition("a", "b")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_references_split_at_unquoted_marks(text: str, item: Item, partition: Partition) -> None:
    (found,), partitions = items(f"r1[{text}]")
    assert found == Read("1", item, "0")
    assert partitions == {item: partition}
    assert items(event_text(found, partitions)) == ([found], partitions)


@pytest.mark.parametrize(
    "text", ["a/m0", "a.b/c.d/m0", "t:u:m0", ".b/m0", "a./m0", "/m0", "a.b/", ":m0", 'a"b"/m0', '"ab"/m0']
)
def test_broken_references(text: str) -> None:
    assert refusal(f"r1[{text}]")[1] in ("notation", "partition", "quoting", "name")


def test_rows_are_of_the_table_of_the_predicate() -> None:
    assert event("r1{t:P: a.b/x0; y0}") == PredicateRead(
        "1", Predicate("t", "P"), (Row(Item("t", "x"), "0"),), (Row(Item("t", "y"), "0"),)
    )
    assert refusal("r1{t:P: t:x0}") == (10, "notation")


# -- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("50", "50"),
        ("-1", "-1"),
        ("1.5", "1.5"),
        ("true", "true"),
        ("null", "null"),
        ("abc", '"abc"'),
        ("a-b.c", '"a-b.c"'),
        ('"50"', '"50"'),
        ('"a b"', '"a b"'),
        ("[1, 2]", "[1,2]"),
        ('{"k": [null]}', '{"k":[null]}'),
        ("NaN", '"NaN"'),
        ("é", '"é"'),
        ('"]"', '"]"'),
        ('"e\\u0301"', '"e\u0301"'),
        ("1e20", "100000000000000000000"),
    ],
)
def test_values_are_json_or_a_bare_word(text: str, value: str) -> None:
    found = event(f"w1[x1={text} in P]")
    assert isinstance(found, Write) and found.value == value
    assert event(event_text(found, {})) == found


@pytest.mark.parametrize("text", ["01", "-", ".5", "+1", "a=b", "a:b", "'a'", "", "[1", '"a', "{a:1}", "1e999", "²"])
def test_broken_values(text: str) -> None:
    assert refusal(f"w1[x1={text}]")[1] in ("value", "json", "limit-digits", "notation")


def test_values_that_would_not_read_back_bare_are_quoted() -> None:
    for value in ('"e\u0301"', '"in"', '"true"', '"1"', '""', '"' + "x" * 2_000 + '"'):
        text = event_text(Read("1", X, "0", value), {})
        assert '="' in text
        assert event(text) == Read("1", X, "0", value)


# -- Berenson's r1[P] ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written_out"),
    [
        ("r1[P] w2[+y1 in P] c2 r1[P] c1", "r1{P:; y0} w2[+y1 in P] c2 r1{P: y1} c1"),
        ("w1[x1 in P] r2[P]", "w1[x1 in P] r2{P: x1}"),
        ("w1[x1 in P] a1 r2[P]", "w1[x1 in P] a1 r2{P:; x0}"),
        ("w1[x1 in P] w2[x2] r3[P]", "w1[x1 in P] w2[x2] r3{P:; x2}"),
        ("w1[x1 in P] w2[x2] a2 r3[P]", "w1[x1 in P] w2[x2] a2 r3{P: x1}"),
        ("w1[x in P] c1 r2[P]", "w1[x in P] c1 r2{P: x}"),
        ("r1{P: x0} r2[P]", "r1{P: x0} r2{P: x0}"),
        ("r1{P: x} r2[P]", "r1{P: x} r2{P: x0}"),
        ("r1{P:; x0} r2[P] r3[y0]", "r1{P:; x0} r2{P:; x0, y0} r3[y0]"),
        ("w1[t:x1 in P] r2[P] r2[t:P]", "w1[t:x1 in P] r2[P] r2{t:P: x1}"),
        ("w1[x1 in P] r2(P)", "w1[x1 in P] r2{P: x1}"),
    ],
)
def test_a_bare_read_of_a_predicate(text: str, written_out: str) -> None:
    assert Schedule.parse(text) == Schedule.parse(written_out)
    assert str(Schedule.parse(text)) == written_out


def test_a_bare_read_of_a_predicate_that_only_an_init_line_names() -> None:
    assert str(Schedule.parse("init x0 in P\nr1[P]")) == "r1{P: x0}"


@pytest.mark.parametrize("text", ["r1[P] c1", "r1[P0] w2[x1 in P]", "r1[P=3] w2[x1 in P]", "r1[a.b/P] w2[x1 in P]"])
def test_what_is_no_bare_read_of_a_predicate(text: str) -> None:
    assert isinstance(Schedule.parse(text).events[0], Read)


def test_an_item_called_like_a_predicate_is_quoted() -> None:
    found = Schedule([Read("1", Item("facts", "P")), Write("2", X, "1", predicates=("P",))])
    assert str(found) == 'r1["P"] w2[x1 in P]'
    assert Schedule.parse(str(found)) == found


# -- between events --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "r1[x0]w1[x1]c1",
        "r1[x0] w1[x1] c1",
        "r1[x0]\nw1[x1]\r\nc1\r",
        "\t r1[x0]\u00a0w1[x1]\u2003c1 ",
        "r1[x0]# c2\nw1[x1] c1 #",
        "# first\nr1[x0]\n\n  # c9\nw1[x1]c1#",
    ],
)
def test_white_space_and_comments(text: str) -> None:
    assert str(Schedule.parse(text)) == "r1[x0] w1[x1] c1"


def test_white_space_is_optional_after_brackets_only() -> None:
    assert len(Schedule.parse("r1{P:}j1(R, t)cb1(R, h, 0)w1[x1]c1")) == 5
    assert refusal("c1r1[x0]") == (3, "notation")
    assert refusal("j1(R, t)=0r1[x0]")[1] in ("value", "notation")


def test_the_longest_names() -> None:
    name, label = "x" * 1_024, "1" * 1_024
    for found in (Read("1", Item(name, name), label), Read(label, Item("facts", name), "1"), Commit(name)):
        assert event(event_text(found, {})) == found
    partition = Partition(name, name)
    text = event_text(Read("1", X, "0"), {X: partition})
    assert items(text) == ([Read("1", X, "0")], {X: partition})
    assert refusal(f"r1[x{label}1]") == (4, "limit-name")
    assert refusal(f"r1[{name}x1]") == (4, "limit-name")
