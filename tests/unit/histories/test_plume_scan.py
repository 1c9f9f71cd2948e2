"""The one pass over Plume text against a regular expression, line by line; and broken versions of it that are found."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("numba")

import numpy as np

from toki_verify.histories.formats import read_history
from toki_verify.histories.readers import plume, plume_scan

NUMBERS = ",".join([r"(-?[0-9]{1,18})"] * 4)
LINE = re.compile(rf"([rw])\({NUMBERS}\)")
Rows = list[tuple[int, int, int, int, int]]


def by_expression(data: bytes) -> Rows | None:
    """The lines as rows; None if one is not plain."""
    matches = [LINE.fullmatch(line) for line in re.split(r"\r?\n", re.sub(r"(\r?\n)+\Z", "", data.decode("ascii")))]
    rows = [(int(found[1] == "w"), *map(int, found.groups()[1:])) for found in matches if found]
    return rows if len(rows) == len(matches) else None  # type: ignore[return-value]


def by_pass(data: bytes) -> Rows | None:
    found = plume_scan.scan(data)
    if found is None:
        return None
    kind, numbers = found
    return [(int(one), *map(int, column)) for one, column in zip(kind, numbers.T, strict=True)]  # type: ignore[misc]


NUMBER = st.integers(-12, 12).map(str) | st.sampled_from(["007", "-0", "9" * 9, "9" * 10, "-" + "9" * 18, "9" * 19])
ODD = st.text("rw(),-07 \r\n", max_size=3)
PLAIN = st.builds("{}({},{},{},{}){}".format, st.sampled_from("rw"), *[NUMBER] * 4, st.sampled_from(["\n", "\r\n"]))


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Plain lines, of which something may be cut out, with something else in its place."""
    text = "".join(draw(st.lists(PLAIN, max_size=4)))
    if draw(st.booleans()):
        begin = draw(st.integers(0, len(text)))
        text = text[:begin] + draw(ODD) + text[begin + draw(st.integers(0, 3)) :]
    return text.encode()


@given(texts())
@example(b"r(1,2,3,4)")
@example(b"r(1,2,3,4)\r")
@example(b"r(1,2,3,4)\r\n\r\n\n")
@example(b"r(1,2,3,4)\n\nr(1,2,3,4)\n")
@example(b"r(1,2,3,4)w(1,2,3,4)")
@example(b"r(1,2,3,-)\n")
@example(b"w(1000000000,2,3,4)\n")
@example(b"w(1,-1000000000,3,4)\nw(999999999999999999,2,3,4)\n")
@example(b"w(1,1000000000000000000,3,4)\n")
def test_the_pass_says_what_the_expression_says(data: bytes) -> None:
    assert by_pass(data) == by_expression(data)


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\n", b"\r", b"r", b"r(", b"w(1", b"\n" * 1_000])
def test_what_holds_no_line_is_left_to_the_careful_reader(data: bytes) -> None:
    assert plume_scan.scan(data) is None


def test_numbers_of_ten_digits_are_kept_whole_and_shorter_ones_in_half_the_memory() -> None:
    short, long = (plume_scan.scan(b"r(%d,0,0,0)\n" % number) for number in (999_999_999, 9_999_999_999))
    assert short is not None and long is not None
    assert [found[1].dtype.itemsize for found in (short, long)] == [4, 8]
    assert (int(short[1][0, 0]), int(long[1][0, 0])) == (999_999_999, 9_999_999_999)


def test_both_readers_make_the_same_history_of_a_plain_file(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"w(1,5,0,1)\nr(1,5,1,2)\nw(2,-7,1,2)\nw(2,9999999999,0,-1)\nr(2,-7,0,3)\nr(1,0,0,3)\n"
    fast, _ = read_history(data, source="x")
    monkeypatch.setattr(plume, "_parse", lambda _: None)
    careful, _ = read_history(data, source="x")
    assert fast is not None and careful is not None
    for name in ("session", "outcome", "first", "kind", "line"):
        assert getattr(fast, name).tolist() == getattr(careful, name).tolist()
    assert [fast.values[version] for version in fast.version] == [
        careful.values[version] for version in careful.version
    ]
    assert [fast.keys[key] for key in fast.key] == [careful.keys[key] for key in careful.key]
    assert list(fast.transactions) == list(careful.transactions)


MUTANTS = {
    "signs are dropped": lambda numbers: np.abs(numbers),
    "keys and values change places": lambda numbers: numbers[[1, 0, 2, 3]],
    "numbers are cut to eight digits": lambda numbers: numbers % 100_000_000,
}


@pytest.mark.parametrize("name", MUTANTS)
def test_broken_passes_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = plume_scan.scan

    def broken(data: bytes) -> object:
        found = whole(data)
        return None if found is None else (found[0], MUTANTS[name](found[1]))

    monkeypatch.setattr(plume_scan, "scan", broken)
    data = b"r(1,-123456789,3,4)\n"
    assert by_pass(data) != by_expression(data)
