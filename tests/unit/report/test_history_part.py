"""The smallest part of a history in a report: the picture, and what a picture does not say."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numba")

from toki_verify.events import Schedule
from toki_verify.histories.checked import Checked, check_history
from toki_verify.histories.formats import read_history
from toki_verify.levels import families
from toki_verify.notation.printer import print_events
from toki_verify.relations.concrete import Concrete
from toki_verify.report.history import history_lines
from toki_verify.report.history_data import history_object


def checked(text: str, format: str, **options: Any) -> Checked:
    history, problems = read_history(text.encode(), source="h", format=format)
    assert history is not None and problems == []
    return check_history(history, **options)


def edn(*txns: str) -> str:
    """Transactions one after another, each of a process of its own, but for "p: …"."""
    lines = []
    for index, txn in enumerate(txns):
        process, _, value = txn.rpartition(": ")
        lines.append(f"{{:type :ok, :f :txn, :process {process or 10 + index}, :value [{value}]}}")
    return "\n".join(lines) + "\n"


def report(found: Checked, width: int = 110) -> list[str]:
    return [one.plain.strip() for one in history_lines(found, width)]


def shows(found: Checked) -> dict[str, bool]:
    """Which session levels the part behind each refuted level is at."""
    out = {}
    every = {level.id: level.formula for level in families()["session"].levels}
    for refuted in found.refuted:
        assert refuted.schedule is not None
        out[refuted.level] = Concrete(refuted.schedule).holds(every[refuted.level])
    return out


def test_the_order_of_a_list_is_said_where_it_is_not_that_of_the_commits() -> None:
    """The session writes 1 and then 2, and 2 was read alone: 1, which nobody read, stands behind it."""
    found = checked(edn("0: [:append :x 1]", "0: [:append :x 2]", "1: [:r :x [2]]"), "jepsen-edn")
    assert found.levels["RC"] is False and shows(found) == {"RC": False}
    lines = report(found)
    assert 'order ":x": 0 2 1' in lines
    assert any(line.startswith("session ") for line in lines)


def test_an_order_that_is_that_of_the_commits_is_not_repeated() -> None:
    found = checked(edn("[:r :x nil] [:append :y 1]", "[:r :y nil] [:append :x 1]"), "jepsen-edn")
    assert shows(found) == {"SER": False}
    assert [line for line in report(found) if line.startswith(("order ", "session s"))] == []


def test_a_list_that_is_read_behind_an_own_append_is_drawn() -> None:
    text = edn(
        "[:append :x 1] [:append :y 1]",
        "[:append :x 2] [:r :x [1 2]]",
        "[:append :x 3] [:r :x [1 2 3]] [:r :y nil]",
    )
    found = checked(text, "jepsen-edn")
    assert found.levels["CC"] is False and set(shows(found).values()) == {False}
    assert any("r#2" in line or '[":x"@2]' in line for line in report(found))


def test_what_a_level_in_real_time_asks_for_stands_in_the_picture() -> None:
    text = (
        "{:type :invoke, :f :txn, :process 1, :value [[:append :x 1]]}\n"
        "{:type :ok, :f :txn, :process 1, :value [[:append :x 1]]}\n"
        "{:type :invoke, :f :txn, :process 3, :value [[:r :x nil]]}\n"
        "{:type :ok, :f :txn, :process 3, :value [[:r :x nil]]}\n"
        "{:type :invoke, :f :txn, :process 5, :value [[:r :x nil]]}\n"
        "{:type :ok, :f :txn, :process 5, :value [[:r :x [1]]]}\n"
    )
    found = checked(text, "jepsen-edn", realtime=True)
    assert found.levels["SER"] is False
    for refuted in found.refuted:
        assert isinstance(refuted.schedule, Schedule)
        assert [event.op for event in refuted.schedule.events] == ["w", "c", "r", "c"]
    lines = report(found)
    assert any(line.startswith("session levels, in real time") for line in lines)
    assert any("in real time: 2 transactions" in line for line in lines)
    assert history_object(found)["real_time"] is True
    plain = checked(text, "jepsen-edn")
    assert plain.levels["SER"] is True and "real_time" not in history_object(plain)
    assert not any("real time" in line for line in report(plain))


def test_values_that_no_label_can_be_are_told() -> None:
    text = "w(1,0,1,1)\nr(1,0,2,2)\nw(1,7,2,2)\nr(1,0,3,3)\nw(1,-5,3,3)\n"
    found = checked(text, "plume")
    assert found.levels["PSI"] is False
    [line] = [line for line in report(found) if " is -5" in line]
    assert line.count(" is ") == 2 and " is 0" in line and "is 7" not in line


def test_a_part_that_is_too_wide_for_a_picture_is_a_line_of_events() -> None:
    text = edn("[:r :x nil] [:append :y 1]", "[:r :y nil] [:append :x 1]")
    found = checked(text, "jepsen-edn")
    [refuted] = found.refuted
    assert refuted.schedule is not None
    wide, narrow = report(found, 110), report(found, 44)
    assert sum("─" in line for line in wide) == 2
    assert not any("─" in line for line in narrow)
    words = " ".join(narrow).split()
    expected = print_events(refuted.schedule).split()
    assert any(words[at : at + len(expected)] == expected for at in range(len(words)))
