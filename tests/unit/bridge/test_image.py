"""π_J(S), event for event: every role, every choice of `Logging`, what is broken and what has no image."""

from __future__ import annotations

import json

import pytest

from toki_verify.bridge import image as module
from toki_verify.bridge.image import Image, Logging, image, without_logs
from toki_verify.bridge.keys import callback_row, judge_row
from toki_verify.events import Begin, Callback, Commit, Item, Judge, Read, Schedule, Write
from toki_verify.events.limits import NAME_LENGTH
from toki_verify.events.values import json_text
from toki_verify.jsonform import read_json, schedule_object
from toki_verify.notation import parse_text
from toki_verify.relations.judge_log import log_rows

OPERATOR, OWN = Logging(), Logging("own")
UNLOGGED, OWN_UNLOGGED = Logging(mismatch="unlogged"), Logging("own", "unlogged")
#: The row of the key (R, t), as it is printed.
ROW = 'judge_log:"(R, t)"'


def made(text: str, logging: Logging = OPERATOR) -> Image:
    """The image of a schedule; ROW stands for the row of (R, t), and a keyword line may be there."""
    (schedule,) = parse_text("schedule S\n  " + text.replace("ROW", ROW))
    return image(schedule, logging)


def printed(text: str, logging: Logging = OPERATOR) -> str:
    """The events of the image."""
    found = made(text, logging)
    assert found.schedule is not None, found.problems
    return str(found.schedule).replace(ROW, "ROW")


def roles(text: str, logging: Logging = OPERATOR) -> list[str]:
    """What became of the events that are not kept."""
    return [step.role for step in made(text, logging).steps if step.role != "kept"]


def broken(text: str, logging: Logging = OPERATOR) -> list[tuple[str, int]]:
    """Which hypotheses are broken, and where."""
    return [(found.hypothesis, found.event) for found in made(text, logging).broken]


# -- roles -----------------------------------------------------------------------------------------------------------
MIXED = "w1[x1] j1(R, t)=0 j2(R, t)=0 j2(R, t)=1 cb2(R, h, 1) c1 c2"


@pytest.mark.parametrize(
    ("logging", "expected"),
    [
        (OPERATOR, "w1[x1] w1[ROW@1=0] r2[ROW@1=0] w2[ROW@2=1] r2[callback_log:h0] c1 c2"),
        (OWN, "w1[x1] wTlog1[ROW@1=0] cTlog1 r2[ROW@1=0] wTlog2[ROW@2=1] cTlog2 r2[callback_log:h0] c1 c2"),
        (UNLOGGED, "w1[x1] w1[ROW@1=0] r2[ROW@1=0] r2[callback_log:h0] c1 c2"),
        (OWN_UNLOGGED, "w1[x1] wTlog1[ROW@1=0] cTlog1 r2[ROW@1=0] r2[callback_log:h0] c1 c2"),
    ],
    ids=str,
)
def test_images_of_one_schedule(logging: Logging, expected: str) -> None:
    assert printed(MIXED, logging) == expected


def test_every_role_comes() -> None:
    seen = {
        role
        for text in (MIXED, "j1(R, t)=0 c1 j2(R, t)=1 c2")
        for log in (OWN, OWN_UNLOGGED)
        for role in roles(text, log)
    }
    assert seen | {"kept"} == set(module.ROLES)


def test_the_trace_goes_from_every_event_to_its_image() -> None:
    found = made(MIXED, OWN_UNLOGGED)
    assert found.schedule is not None
    assert [step.target for step in found.steps if step.target is not None] == list(range(len(found.schedule)))
    assert [step.source for step in found.steps if step.source is not None] == list(range(len(found.source)))
    assert [found.role(event) for event in range(7)] == [
        *("kept", "first fill", "read", "unlogged call", "callback read", "kept", "kept")
    ]
    rows = {step.source: step.row for step in found.steps if step.row is not None}
    assert rows == {2: 1, 3: 1}  # the read and the overruled row lead to the first fill


def test_times_and_unknown_keys_go_along() -> None:
    event = {"op": "j", "txn": "1", "R": "R", "theta": "t", "vote": 0, "t": 7, "cost": 3, "item": "x", "predicate": "P"}
    ((schedule,), _) = read_json(json.dumps({"events": [event, {"op": "c", "txn": "1"}]}))
    found = image(schedule).schedule
    assert found is not None
    written = schedule_object(found)["events"][0]
    # "item" is no key of a judge call, so it was kept as it stood; of a write it is one.
    assert (written["op"], written["t"], written["cost"], written["item"]) == ("w", 7, 3, "(R, t)")
    assert read_json(json.dumps(schedule_object(found))) == ([found], [])


def test_a_transaction_begins_where_its_call_was() -> None:
    """A fill in another transaction, or no fill at all, must not let the operator start later than it did."""
    assert printed("j1(R, t)=0 c1", OWN) == "b1 wTlog1[ROW@1=0] cTlog1 c1"
    assert printed("b1 j1(R, t)=0 c1", OWN) == "b1 wTlog1[ROW@1=0] cTlog1 c1"
    assert printed("j1(R, t)=0 c1 j2(R, t)=1 c2", UNLOGGED) == "w1[ROW@1=0] c1 b2 c2"
    assert printed("j1(R, t)=0 c1 w2[x1] j2(R, t)=1 c2", UNLOGGED) == "w1[ROW@1=0] c1 w2[x1] c2"


def test_a_schedule_without_calls_is_its_own_image() -> None:
    found = made("w1[x1] r2[x1] c1 c2")
    assert found.schedule is not None and found.schedule.events == found.source.events
    assert not found.broken and {step.role for step in found.steps} == {"kept"}


@pytest.mark.parametrize("words", [("log", "fill"), ("own", "skip"), ("", "fill")])
def test_other_words_are_refused(words: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="is none of"):
        Logging(*words)


# -- which row is seen -----------------------------------------------------------------------------------------------
def test_a_row_that_is_rolled_back() -> None:
    text = "j1(R, t)=0 a1 j2(R, t)=0 c2"
    assert printed(text) == "w1[ROW@1=0] a1 w2[ROW@2=0] c2"
    assert printed(text, UNLOGGED) == printed(text)  # there is no row that it could have overruled
    assert broken(text) == [("H1[commit]", 0), ("H1[return]", 2), ("H1[commit]", 2)]
    # In a transaction of its own the row outlives the operator.
    assert printed(text, OWN) == "b1 wTlog1[ROW@1=0] cTlog1 a1 r2[ROW@1=0] c2"
    assert broken(text, OWN) == []


def test_behind_a_rolled_back_row_the_one_before_is_seen() -> None:
    text = "j1(R, t)=0 c1 j2(R, t)=1 a2 j3(R, t)=0 c3"
    assert printed(text) == "w1[ROW@1=0] c1 w2[ROW@2=1] a2 r3[ROW@1=0] c3"
    # An abort behind the call does not help the call.
    late = "j1(R, t)=0 c1 j2(R, t)=1 j3(R, t)=0 a2 c3"
    assert printed(late) == "w1[ROW@1=0] c1 w2[ROW@2=1] w3[ROW@3=0] a2 c3"


def test_a_transaction_sees_its_own_row_first() -> None:
    text = "j1(R, t)=0 j2(R, t)=1 j1(R, t)=0 j3(R, t)=1 c1 c2 c3"
    assert printed(text) == "w1[ROW@1=0] w2[ROW@2=1] r1[ROW@1=0] r3[ROW@2=1] c1 c2 c3"
    # With rows in transactions of their own no row is the operator's own.
    assert printed(text, OWN) == (
        "b1 wTlog1[ROW@1=0] cTlog1 b2 wTlog2[ROW@2=1] cTlog2 wTlog3[ROW@3=0] cTlog3 b3 wTlog4[ROW@4=1] cTlog4 c1 c2 c3"
    )


def test_image_and_scan_agree_on_who_reads_what() -> None:
    text = "j1(R, t)=0 j2(R, t)=1 j1(R, t)=0 a1 j3(R, t)=0 j2(R, t)=1 j3(S, t)=1 c2 j4(R, t) c3 c4"
    found = made(text)
    told = {
        step.source: step.row if step.role == "read" else None
        for step in found.steps
        if "fill" in step.role or step.role == "read"
    }
    assert told == log_rows(found.source) == {0: None, 1: None, 2: 0, 4: None, 5: 1, 6: None, 8: 4}


def test_the_printed_schedule_with_a_row_of_its_own() -> None:
    """Appendix B.1.1: the row is written between two calls, by the schedule itself."""
    text = "j1(R, t)=0 w2[ROW@7=1] c2 j1(R, t)=1 c1"
    assert printed(text) == "w1[ROW@1=0] w2[ROW@7=1] c2 w1[ROW@2=1] c1"
    assert printed(text, OWN) == "b1 wTlog1[ROW@1=0] cTlog1 w2[ROW@7=1] c2 r1[ROW@7=1] c1"
    assert printed(text, UNLOGGED) == "w1[ROW@1=0] w2[ROW@7=1] c2 c1"
    assert not without_logs(made(text).source)


def test_the_image_that_forgets_whose_row_it_is_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant: the latest row of all, whoever asks. The image is not even well-formed."""

    def latest(self: module._Builder, item: Item, txn: str, position: int) -> module._Row | None:
        alive = [row for row in self.rows.get(item, ()) if not self.source.resolved.aborted_by(row.txn, position)]
        return alive[-1] if alive else None

    monkeypatch.setattr(module._Builder, "_latest", latest)
    found = made("j1(R, t)=0 w2[ROW@7=1] c2 j1(R, t)=1 c1")
    assert found.schedule is None and [problem.rule for problem in found.problems] == ["own-write"]


def test_a_row_of_the_schedule_that_is_deleted() -> None:
    text = "j1(R, t)=0 c1 w2[-ROW@9] c2 j3(R, t)=0 c3"
    assert printed(text) == "w1[ROW@1=0] c1 w2[-ROW@9] c2 w3[ROW@2=0] c3"
    (found,) = [found for found in made(text).broken if found.hypothesis == "H1[return]"]
    assert (found.event, found.what) == (4, "the row that it should have read is gone, deleted or rolled back")


def test_fresh_labels_are_fresh() -> None:
    assert printed("w1[ROW@1=0] w1[ROW@3=0] c1 j2(R, t)=0 j2(R, t)=1 j2(R, t)=0 c2") == (
        "w1[ROW@1=0] w1[ROW@3=0] c1 w2[ROW@2=0] w2[ROW@4=1] w2[ROW@5=0] c2"
    )


def test_a_transaction_called_log1() -> None:
    assert printed("jTlog1(R, t)=0 cTlog1 j1(S, t)=1 c1", OWN) == (
        'bTlog1 wTlog2[ROW@1=0] cTlog2 cTlog1 b1 wTlog3[judge_log:"(S, t)"@1=1] cTlog3 c1'
    )


# -- stated orders ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The stated ones as stated, then the fill.
        ("order ROW: 8 7\n w1[ROW@7=0] c1 w2[ROW@8=1] c2 j3(R, t)=1 c3", ("8", "7", "1")),
        # A fill of a transaction that has not committed is not installed.
        ("order ROW: 7\n w1[ROW@7=0] c1 j2(R, t)=0 a2 j3(R, t)=0 j4(R, t)=1 c4", ("7", "2")),
        # Its own fill writes over T1's version, which is then not installed.
        ("order ROW: 8 7\n w1[ROW@7=0] w2[ROW@8=0] j1(R, t)=1 c1 c2", ("8", "1")),
        # The schedule's own write stands over T1's fill.
        ("order ROW: 8 7\n j1(R, t)=1 w1[ROW@7=0] w2[ROW@8=0] c1 c2", ("8", "7")),
        # Fills in the order of the final ones: T1's last is behind T2's.
        ("order ROW: 7\n w3[ROW@7=0] c3 j1(R, t)=0 j2(R, t)=1 j1(R, t)=1 c1 c2", ("7", "2", "3")),
    ],
)
def test_a_stated_order_lists_the_installed_versions(text: str, expected: tuple[str, ...]) -> None:
    found = made(text)
    assert found.schedule is not None, found.problems
    assert found.schedule.order[judge_row(("R", '"t"'))] == expected


def test_a_stated_order_with_rows_of_their_own_transactions() -> None:
    found = made("order ROW: 8 7\n w1[ROW@7=0] w2[ROW@8=0] j1(R, t)=1 a1 c2 w3[ROW@9=0] a3".replace("8 7", "8"), OWN)
    assert found.schedule is not None
    assert found.schedule.order[judge_row(("R", '"t"'))] == ("8", "1")


def test_without_a_stated_order_there_is_none() -> None:
    found = made("j1(R, t)=0 c1 j2(R, t)=1 c2").schedule
    assert found is not None and not found.order


# -- no image --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("j1(R, t)=0 r1[ROW@0] c1", "own-write"),
        ("w1[callback_log:h=1] w2[callback_log:h=0] cb1(R, h, 1) c1 c2", "own-write"),
    ],
)
def test_an_ill_formed_image_is_none_with_problems(text: str, rule: str) -> None:
    found = made(text)
    assert found.schedule is None
    assert [problem.rule for problem in found.problems] == [rule]
    # The steps say how far it came.
    assert len(found.steps) == len(found.source)


def test_the_same_schedule_may_have_an_image_with_another_writer() -> None:
    assert printed("j1(R, t)=0 r1[ROW@0] c1", OWN) == "b1 wTlog1[ROW@1=0] cTlog1 r1[ROW@0] c1"


# -- votes and keys --------------------------------------------------------------------------------------------------
def test_unknown_votes_agree_with_every_row() -> None:
    text = "j1(R, t) c1 j2(R, t)=1 j3(R, t)=0 c2 c3"
    # Nobody knows the value of the version that they read.
    assert printed(text) == "w1[ROW@1] c1 r2[ROW@1] r3[ROW@1] c2 c3"
    assert printed("j1(R, t)=0 c1 j2(R, t) c2") == "w1[ROW@1=0] c1 r2[ROW@1] c2"
    whys = [step.why for step in made(text).steps if step.role == "read"]
    assert whys == ["a vote is not known; read, if the votes agree"] * 2
    # Whatever the first vote was, one of the others is not it; and of the second nobody knows.
    assert broken(text) == [("H1[commit]", 0), ("H1[return]", 3)]
    assert [(entry.hypothesis, entry.event) for entry in made(text).undecided] == [("H1[return]", 2)]
    agreeing = made("j1(R, t)=0 c1 j2(R, t) c2 j3(R, t)=0 c3")
    assert [entry.event for entry in agreeing.undecided] == [2]
    assert made("j1(R, t)=0 c1 j2(R, t)=0 c2").undecided == ()


def test_votes_of_other_types_are_other_votes() -> None:
    text = 'j1(R, t)=1 c1 j2(R, t)="1" j3(R, t)=true j4(R, t)=1 c2 c3 c4'
    assert printed(text) == 'w1[ROW@1=1] c1 w2[ROW@2="1"] w3[ROW@3=true] w4[ROW@4=1] c2 c3 c4'
    assert [found for found in broken(text) if found[0] == "H1[return]"] == [("H1[return]", n) for n in (2, 3, 4)]


def test_keys_that_differ_only_in_theta() -> None:
    """A name, the tuple, and the name that is the tuple's text: three rows, three first fills."""
    thetas = [json_text(theta) for theta in ("t", {"prompt": "t"}, '{"prompt":"t"}')]
    schedule = Schedule([*(Judge("1", "R", theta, "0") for theta in thetas), Commit("1")])
    found = image(schedule)
    assert [step.role for step in found.steps] == ["first fill"] * 3 + ["kept"]
    assert found.schedule is not None
    names = [event.item.name for event in found.schedule.events if isinstance(event, Write)]
    assert names == ["(R, t)", '(R, {"prompt":"t"})', '(R, "{\\"prompt\\":\\"t\\"}")']


def test_very_long_names_have_rows_of_their_own() -> None:
    keys = [("R" * NAME_LENGTH, json_text("t" * size)) for size in (NAME_LENGTH - 1, NAME_LENGTH)]
    schedule = Schedule([*(Judge("1", reads, theta, "0") for reads, theta in keys * 2), Commit("1")])
    found = image(schedule)
    assert [step.role for step in found.steps] == [*(["first fill"] * 2), *(["read"] * 2), "kept"]
    rows = [judge_row(key) for key in keys]
    assert len(set(rows)) == 2 and all(len(row.name) <= NAME_LENGTH and row.name.startswith("sha256-") for row in rows)
    assert found.schedule is not None and Schedule.parse(str(found.schedule)).events == found.schedule.events
    # A name that just fits stays a name.
    fits = "R" * (NAME_LENGTH - len("(, t)"))
    assert judge_row((fits, '"t"')).name == f"({fits}, t)"
    assert judge_row((fits + "R", '"t"')).name.startswith("sha256-")
    assert callback_row("h" * NAME_LENGTH).name == "h" * NAME_LENGTH


# -- H1, H2 ----------------------------------------------------------------------------------------------------------
def test_what_h1_says_of_a_read() -> None:
    assert broken("j1(R, t)=0 j2(R, t)=0 c1 c2", OWN) == []
    assert broken("j1(R, t)=0 c1 j2(R, t)=0 c2") == [("H1[commit]", 0)]
    assert broken("j1(R, t)=0 j1(R, t)=0 c1") == [("H1[commit]", 0)]
    dirty = made("j1(R, t)=0 j2(R, t)=0 c1 c2").broken
    assert [(found.hypothesis, found.event, found.what) for found in dirty] == [
        ("H1[commit]", 0, "its row is written by its own transaction, so not committed before it"),
        ("H1[read]", 1, "the row that it read was not committed"),
    ]
    # A row of the schedule itself counts as well, whoever writes the fills.
    assert broken("j1(S, t)=0 c1 j4(R, t)=0 w2[ROW@7=0] j3(R, t)=0 c3 c4 c2", OWN) == [("H1[read]", 4)]


def test_what_h1_says_of_another_vote() -> None:
    for logging in (OWN, OWN_UNLOGGED):
        (found,) = made("j1(R, t)=0 c1 j2(R, t)=1 c2", logging).broken
        assert (found.hypothesis, found.event) == ("H1[return]", 2)
        assert found.what == "it returned another vote than the row that it should have read"


@pytest.mark.parametrize(
    ("before", "read", "what"),
    [
        ("", "r3[callback_log:h0]", "no row of the callback log has its answer"),
        ("w1[callback_log:h@1=1] c1", "r3[callback_log:h1]", ""),
        ("w1[callback_log:h=1] c1", "r3[callback_log:h]", ""),
        ("w1[callback_log:h@1] c1", "r3[callback_log:h1]", ""),  # its value is not known
        ("w1[callback_log:h@1=0] c1", "r3[callback_log:h1]", "the row says 0, the callback 1"),
        ('w1[callback_log:h@1="1"] c1', "r3[callback_log:h1]", 'the row says "1", the callback 1'),
        ("w1[callback_log:h@1=1]", "r3[callback_log:h1]", "the row that it read was not committed"),
        ("w1[callback_log:h@1=1] a1", "r3[callback_log:h0]", "no row of the callback log has its answer"),
        ("w3[callback_log:h@1=1]", "r3[callback_log:h1]", ""),  # its own row
        (
            "w1[callback_log:h@1=1] c1 w2[-callback_log:h@2] c2",
            "r3[callback_log:h2]",
            "no row of the callback log has its answer",
        ),
        (
            "w3[-callback_log:h@1] w1[callback_log:h@2=1] c1",
            "r3[callback_log:h1]",
            "no row of the callback log has its answer",
        ),
    ],
)
def test_callbacks_read_their_row(before: str, read: str, what: str) -> None:
    found = made(f"{before} cb3(R, h, 1) c3".strip())
    assert found.schedule is not None, found.problems
    (target,) = [step.target for step in found.steps if step.role == "callback read"]
    assert target is not None
    event = found.schedule.events[target]
    assert isinstance(event, Read) and event.value is None
    assert str(found.schedule) == f"{before} {read} c3".strip().replace("h@", "h")
    assert [b.what for b in found.broken if b.hypothesis == "H2"] == ([what] if what else [])


def test_nothing_of_the_larger_alphabet_is_left() -> None:
    for logging in (OPERATOR, OWN, UNLOGGED, OWN_UNLOGGED):
        found = made(MIXED, logging).schedule
        assert found is not None and not any(isinstance(event, (Judge, Callback)) for event in found)
        assert {"facts", "judge_log", "callback_log"} == {item.table for item in found.resolved.items}
        assert not any(isinstance(event, Begin) for event in found)
