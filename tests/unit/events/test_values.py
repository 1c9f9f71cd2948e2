"""Values are canonical JSON text; names are compared in NFC."""

from __future__ import annotations

import math

import pytest

from toki_verify.events.names import name_fault, normal_name, text_lines
from toki_verify.events.provenance import polynomial_fault
from toki_verify.events.values import json_text, json_value, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (1.0, "1"),
        (-0.0, "0"),
        (1.5, "1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (True, "true"),
        (None, "null"),
        ("1", '"1"'),
        ("é", '"é"'),
        ({"b": 1, "a": [1.0, {}]}, '{"a":[1,{}],"b":1}'),
        ((1, 2), "[1,2]"),
        (10**999, "1" + "0" * 999),
        ("\n", '"\\n"'),
    ],
    ids=repr,
)
def test_canonical_text(value: object, text: str) -> None:
    assert json_text(value) == text
    assert json_text(json_value(text)) == text


def test_a_number_a_string_and_a_boolean_are_three_values() -> None:
    assert len({json_text(1), json_text("1"), json_text(True)}) == 3
    assert json_text(1) == json_text(1.0)


def nested(depth: int) -> object:
    value: object = 0
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        -math.inf,
        "\ud800",
        {"\udfff": 1},
        {1: 2},
        {1},
        b"x",
        10**1000,
        -(10**1000),
        nested(65),
        object(),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_json_cannot_carry(value: object) -> None:
    with pytest.raises(ValueError):
        json_text(value)


def test_the_limits_themselves_are_allowed() -> None:
    assert json_text(nested(64)) == "[" * 64 + "0" + "]" * 64
    assert len(json_text(-(10**1000 - 1))) == 1001


def test_long_values_are_cut_in_messages() -> None:
    assert shown("x" * 60) == "x" * 60
    assert shown("x" * 61) == "x" * 59 + "…"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("x", None),
        ("数", None),
        ("é", None),
        ("", "is empty"),
        ("x" * 1025, "has 1025 characters, more than the limit of 1024"),
        ("\ud800", "holds a lone surrogate"),
        ("a\0", "holds a NUL character"),
        ("e\u0301", "is not in Unicode normal form C"),
        (3, "is not a string but int"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_names(name: object, fault: str | None) -> None:
    assert name_fault(name) == fault


def test_normal_form() -> None:
    assert normal_name("e\u0301") == "é"
    assert text_lines("a\rb\r\n\n c") == "a\nb\nc"
    assert text_lines("") is text_lines(None) is None


@pytest.mark.parametrize("text", ["p1", "0", "p1+2*p2*t1", "p^2*q", "é.x", "2+3"])
def test_polynomials(text: str) -> None:
    assert polynomial_fault(text) is None


@pytest.mark.parametrize("text", ["", "+", "p+", "*p", "p**q", "p^", "p^q", "p-q", "2p", "p q", "p\n", ".p", "(p)"])
def test_broken_polynomials(text: str) -> None:
    assert polynomial_fault(text) is not None
