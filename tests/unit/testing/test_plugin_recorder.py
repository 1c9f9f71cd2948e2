"""What a recorder cannot write down is refused when it is told, with the name of the argument."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toki_verify import Schedule
from toki_verify.testing.collect_recorder import Recorded, Recorder


class Unprintable:
    """A value of somebody else's whose text cannot be had."""

    def __str__(self) -> str:
        raise KeyError("no text")

    __repr__ = __str__


def _circular() -> list[object]:
    found: list[object] = []
    found.append(found)
    return found


def _deep() -> object:
    found: object = 1
    for _ in range(100_000):
        found = [found]
    return found


VALUES = {
    "circular": (_circular(), ValueError, "the list [[...]], expected what JSON can hold (circular reference"),
    "keys": ({(1, 2): 3}, TypeError, "the dict {(1, 2): 3}, expected what JSON can hold (keys must be str"),
    "deep": (_deep(), ValueError, "the list, expected what JSON can hold (it is nested too deep)"),
    "surrogate": ("a\ud800", ValueError, r"'a\ud800', expected what JSON can hold (U+D800 is half of"),
    "surrogate below": (["\udc80"], ValueError, r"the list ['\udc80'], expected what JSON can hold (U+DC80 is half"),
    "digits": (10**5000, ValueError, "the int, expected what JSON can hold (exceeds the limit"),
    "no number": (float("nan"), ValueError, "the float nan, expected what JSON can hold ("),
    "unprintable": (Unprintable(), ValueError, "the Unprintable, expected what JSON can hold ('no text')"),
    "long": (["\ud800" * 5000], ValueError, "…, expected what JSON can hold ("),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_that_json_cannot_hold_is_refused_with_its_argument(tmp_path: Path, name: str) -> None:
    value, kind, message = VALUES[name]
    recorder = Recorder()
    one = recorder.begin()
    with pytest.raises(kind, match="^value: .*" + re.escape(message)) as caught:
        one.write("m0", value)
    with pytest.raises(kind, match=r"^prov: "):
        one.commit(prov=value)
    assert len(str(caught.value)) < 300
    one.write("m", 1)  # what was refused is not there, and has ended nothing
    one.commit()
    recorder.save(tmp_path / "run.jsonl")
    assert recorder.schedule().events == Schedule.parse("b1 w1[m=1] c1").events


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda one: one.read_where("p", "m0"), "matched: 'm0', expected a list"),
        (lambda one: one.read_where("p", 5), "matched: the int 5, expected a list"),
        (lambda one: one.write("m0", predicates="p"), "predicates: 'p', expected a list"),
    ],
)
def test_one_text_is_no_list_of_letters(call: object, message: str) -> None:
    one: Recorded = Recorder().begin()
    with pytest.raises(TypeError, match=f"^{message}$"):
        call(one)  # type: ignore[operator]


@pytest.mark.parametrize("name", ["", "\ud800", "a\0", "x" * 9_999])
def test_a_name_that_no_schedule_can_have_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^name: '.*expected a name such as 'two-agents'") as caught:
        Recorder(name)
    assert len(str(caught.value)) < 300
    with pytest.raises(TypeError, match=r"^name: the int 5, expected a text$"):
        Recorder(5)  # type: ignore[arg-type]


def test_a_name_is_brought_into_the_form_of_names() -> None:
    recorder = Recorder("cafe\u0301")
    recorder.begin().commit()
    assert recorder.schedule().name == "café"
