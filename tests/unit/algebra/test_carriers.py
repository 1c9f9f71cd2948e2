"""What every shipped carrier does: texts, tokens, the natural order against brute force, and what it says of itself."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations, product
from math import inf, nan
from pathlib import Path
from random import Random
from typing import Any

import pytest

from toki_verify.algebra.carriers import (
    CARRIERS,
    Carrier,
    NotAnElement,
    Polynomial,
    UnknownCarrier,
    Unprintable,
    carrier,
    texts,
)
from toki_verify.algebra.carriers.polynomial_text import EXPONENT_DIGITS, MONOMIALS
from toki_verify.algebra.carriers.table import laws_table
from toki_verify.algebra.errors import AlgebraError, UnparsableElement
from toki_verify.algebra.laws import LAWS, counterexample, law_faults
from toki_verify.algebra.semiring import Described, Description, Law, Semiring

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "carriers.md"
EACH = pytest.mark.parametrize("found", CARRIERS.values(), ids=lambda found: found.name)


@EACH
def test_a_carrier_is_what_it_must_be(found: Carrier[Any]) -> None:
    assert isinstance(found, Semiring) and isinstance(found, Described)
    assert carrier(found.name) is found
    assert found.description.carrier and found.description.source
    assert len(found.description.equations) == 6


@EACH
def test_instances_are_frozen_and_equal(found: Carrier[Any]) -> None:
    for attribute in ("name", "zero", "colour"):
        with pytest.raises(AttributeError):
            setattr(found, attribute, "other")
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found
    assert len({found, copy.copy(found)}) == 1
    assert all(other != found for name, other in CARRIERS.items() if name != found.name)
    assert repr(found) == f"carrier({found.name!r})"


@EACH
def test_small_elements_are_distinct_and_begin_with_zero_and_one(found: Carrier[Any]) -> None:
    small = found.small()
    assert small[:2] == (found.zero, found.one) and found.zero != found.one
    assert len(set(small)) == len(small) >= (2 if found.name == "boolean" else 10)


@EACH
def test_texts_are_read_back(found: Carrier[Any]) -> None:
    random = Random(5)
    for element in (*found.small(), *(found.sample(random) for _ in range(300))):
        text = found.text(element)
        assert found.parse(text) == found.parse(f"  {text} ") == element
        assert found.text(found.parse(text)) == text
        assert pickle.loads(pickle.dumps(element)) == element


@EACH
def test_samples_differ_and_come_from_the_given_source_only(found: Carrier[Any]) -> None:
    once = [found.sample(random) for random in [Random(3)] for _ in range(40)]
    again = [found.sample(random) for random in [Random(3)] for _ in range(40)]
    assert once == again and len(set(once)) >= (2 if found.name == "boolean" else 8)


TOKENS = {
    "multilinear": "p1",
    "multilinear-collapsed": "p1",
    "multidegree": "p1",
    "boolean": "true",
    "why": "{{p1}}",
    "counting": "1",
    "tropical": "1",
    "viterbi": "1/2",
}


@EACH
def test_tokens(found: Carrier[Any]) -> None:
    assert found.text(found.token("p1")) == TOKENS[found.name]
    assert found.token("e\u0301") == found.token("\u00e9")
    for name in ("", "1p", "a b", "x^2", "x+y", "-x", "a\n"):
        with pytest.raises(UnparsableElement):
            found.token(name)


_OF_POLYNOMIALS = ("", " ", "{{x}}", "{}", "∞", "3/4", "0.5", "-1")
FOREIGN = {
    "multilinear": _OF_POLYNOMIALS,
    "multilinear-collapsed": _OF_POLYNOMIALS,
    "multidegree": _OF_POLYNOMIALS,
    "boolean": ("", "0", "1", "p1", "{{}}", "∞", "True", "false+true"),
    "why": (
        "",
        "0",
        "p1",
        "true",
        "∞",
        "{x}",
        "{{x}",
        "{{x}}}",
        "{{x,}}",
        "{{x} {y}}",
        "{{x y}}",
        "{,}",
        "{{1}}",
        "{{x}}+",
    ),
    "counting": ("", "p1", "true", "∞", "1/2", "0.5", "-1", "{{}}", "1+1", "٣"),
    "tropical": ("", "p1", "true", "{{}}", "-1", "-∞", "1/0", "1/", ".5", "1.", "1e3", "∞∞", "1/2/3", "nan"),
    "viterbi": ("", "p1", "true", "{{}}", "-1", "∞", "3/2", "1.01", "1/0", "1+1"),
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in FOREIGN.items() for text in texts])
def test_texts_of_other_carriers_are_refused(name: str, text: str) -> None:
    with pytest.raises(UnparsableElement) as caught:
        carrier(name).parse(text)
    assert 0 <= caught.value.at <= len(text)
    assert caught.value.what and caught.value.expected


@pytest.mark.parametrize(
    ("name", "text", "at"),
    [
        ("counting", " 12x", 3),
        ("counting", "1" * (texts.NUMBER_DIGITS + 1), 0),
        ("tropical", "1/2/3", 3),
        ("tropical", " 1/0", 3),
        ("tropical", "1/" + "1" * (texts.NUMBER_DIGITS + 1), 2),
        ("viterbi", "  3/2", 2),
        ("why", "{{x}, {y}", 9),
        ("why", "{{x}, ,{y}}", 6),
        ("why", "{{x}, {1}}", 7),
        ("why", "{{e\u0301}, {1}}", 8),
        ("why", "{{x}} {", 6),
    ],
)
def test_offsets_of_what_is_wrong(name: str, text: str, at: int) -> None:
    with pytest.raises(UnparsableElement) as caught:
        carrier(name).parse(text)
    assert caught.value.at == at


@EACH
@pytest.mark.parametrize("value", [5, None, b"x", [], 0.5])
def test_what_is_no_text_is_no_element_and_no_token(found: Carrier[Any], value: Any) -> None:
    for read in (found.parse, found.token):
        with pytest.raises(UnparsableElement, match="expected a text"):
            read(value)


NO_ELEMENTS: dict[str, tuple[Any, ...]] = {
    "multilinear": ("x", None, 1, Polynomial({(("x", 2),): 1}), Polynomial({(("x", 1), ("y", 3)): 1})),
    "multilinear-collapsed": ("x", None, 1, Polynomial({(("x", 2),): 1}), Polynomial({(): 2})),
    "multidegree": ("p1", None, 1, {(): 1}),
    "boolean": ("no", None, 0, 1, 1.0, "true"),
    "why": (
        None,
        "x",
        {frozenset({"x"})},
        frozenset({"x"}),
        frozenset({frozenset({"a b"})}),
        frozenset({("x",)}),
        frozenset({frozenset({1})}),
        frozenset({frozenset({""})}),
        frozenset({frozenset({"e\u0301"})}),
    ),
    "counting": (-1, True, False, 1.5, 1.0, "1", None, Fraction(1)),
    "tropical": (Fraction(-1), nan, -inf, 0.5, 3, "1", None, True),
    "viterbi": (Fraction(3, 2), Fraction(-1, 2), 0.5, 1, True, "1/2", None, nan),
}


@EACH
def test_what_is_no_element_is_not_printed(found: Carrier[Any]) -> None:
    for value in NO_ELEMENTS[found.name]:
        for refuse in (found.require, found.text):
            with pytest.raises(NotAnElement) as caught:
                refuse(value)
            assert caught.value.what and caught.value.expected


@EACH
def test_every_element_is_one(found: Carrier[Any]) -> None:
    random = Random(11)
    for element in (*found.small(), *(found.sample(random) for _ in range(200)), found.token("e\u0301")):
        found.require(element)
        for other in found.small():
            found.require(found.plus(element, other))
            found.require(found.times(element, other))
            if found.difference(element, other) is not None:
                found.require(found.difference(element, other))


def test_a_carrier_without_a_word_of_its_own_has_to_read_what_it_prints() -> None:
    class Plain(type(carrier("counting"))):  # type: ignore[misc]
        require = Carrier.require

        def text(self, element: Any, /) -> str:
            return str(element)

    Plain().require(7)
    for value in (-1, 1.5, "x"):
        with pytest.raises(AlgebraError):
            Plain().require(value)
    with pytest.raises(NotAnElement):
        Plain().require("7")


def test_numbers_are_exact() -> None:
    tropical, viterbi = carrier("tropical"), carrier("viterbi")
    assert tropical.parse("0.1") == tropical.parse("1/10") == Fraction(1, 10)
    assert viterbi.text(viterbi.times(viterbi.parse("0.1"), viterbi.parse("0.2"))) == "1/50"
    assert tropical.parse("inf") == tropical.zero == inf and tropical.text(tropical.zero) == "∞"
    beyond_floats = Fraction(10**400)
    assert tropical.times(beyond_floats, inf) == inf and tropical.plus(beyond_floats, inf) == beyond_floats
    assert carrier("counting").parse("007") == 7


def test_what_could_not_be_read_back_is_not_printed() -> None:
    top = 10**texts.NUMBER_DIGITS - 1
    for name, element in {
        "counting": top,
        "tropical": Fraction(1, top),
        "viterbi": Fraction(1, top),
        "multidegree": Polynomial({(): top}),
    }.items():
        assert carrier(name).parse(carrier(name).text(element)) == element
    for name, beyond in {
        "counting": top + 1,
        "tropical": Fraction(1, top + 1),
        "viterbi": Fraction(1, top + 1),
        "multidegree": Polynomial({(): top + 1}),
        "why": frozenset({frozenset({"x" * texts.TEXT_LENGTH})}),
    }.items():
        with pytest.raises(Unprintable):
            carrier(name).text(beyond)


def _polynomials(monomials: list[str], top: int) -> Callable[[Carrier[Any]], list[Any]]:
    def make(found: Carrier[Any]) -> list[Any]:
        counts = product(range(top + 1), repeat=len(monomials))
        return [found.parse("+".join(f"{n}*{m}" for n, m in zip(count, monomials, strict=True))) for count in counts]

    return make


def _witness_sets(_found: Carrier[Any]) -> list[Any]:
    witnesses = [frozenset(names.split()) for names in ("", "x", "y", "x y")]
    return [frozenset(some) for some in chain(*(combinations(witnesses, size) for size in range(5)))]


#: Enough to decide ∃c. a ⊕ c = b over small elements: where sums add, c ⪯ b; where they are idempotent, b itself does.
CANDIDATES: dict[str, Callable[[Carrier[Any]], list[Any]]] = {
    "multilinear": _polynomials(["1", "x", "y", "x*y"], 2),
    "multilinear-collapsed": _polynomials(["1", "x", "y", "x*y"], 1),
    "multidegree": _polynomials(["1", "x", "y", "x^2", "x*y", "x^2*y"], 2),
    "boolean": lambda _: [False, True],
    "why": _witness_sets,
    "counting": lambda _: list(range(12)),
    "tropical": lambda found: list(found.small()),
    "viterbi": lambda found: list(found.small()),
}


@EACH
def test_the_natural_order_and_its_evidence_by_brute_force(found: Carrier[Any]) -> None:
    candidates = CANDIDATES[found.name](found)
    assert set(found.small()) <= set(candidates)
    for left, right in product(found.small(), repeat=2):
        witnesses = [other for other in candidates if found.plus(left, other) == right]
        assert found.leq(left, right) == bool(witnesses), (left, right)
        least = found.difference(left, right)
        assert (least is not None) == bool(witnesses)
        if least is not None:
            assert found.plus(left, least) == right
            assert all(found.leq(least, other) for other in witnesses), (left, right)


@EACH
def test_the_laws_are_as_described(found: Carrier[Any]) -> None:
    """Every law said to hold does on small elements; every other has the smallest counterexample there is."""
    assert law_faults(found, found.small()) == []
    for name, claim in found.description.laws.items():
        failing = counterexample(found, LAWS[name], found.small())
        assert (failing is None) == claim.holds
        assert claim.counterexample == tuple(map(found.text, failing or ()))


def test_descriptions_that_lie_are_found() -> None:
    class Lying(type(carrier("counting"))):  # type: ignore[misc]
        description = Description("ℕ", (), "nobody", {})

    honest = dict(carrier("counting").description.laws)
    small = carrier("counting").small()

    def faults(**changed: Law | None) -> list[str]:
        laws = {**honest, **{name.replace("_", "-"): law for name, law in changed.items()}}
        Lying.description = Description("ℕ", (), "nobody", {name: law for name, law in laws.items() if law})
        return law_faults(Lying(), small)

    assert faults() == []
    assert faults(absorption=None) == ["absorption: missing"]
    assert faults(absorption=Law(True)) == ["absorption: fails on (1, 1)"]
    assert faults(absorption=Law(False, ("1", "0"))) == ["absorption: true of (1, 0)"]
    assert faults(absorption=Law(False, ("1",))) == ["absorption: a counterexample of 1 elements, not 2"]
    assert faults(order_total=Law(False, ("1", "2"))) == ["order-total: true of (1, 2)"]
    assert faults(sums_count=Law(False)) == ["sums-count: true of ()"]
    assert faults(absorbtion=Law(True)) == ["absorbtion: no such law"]


def test_names_of_no_carrier_have_the_nearest_ones_in_the_message() -> None:
    with pytest.raises(UnknownCarrier, match=r"'multilinaer', expected multilinear"):
        carrier("multilinaer")
    with pytest.raises(UnknownCarrier, match=r"expected boolean"):
        carrier("BOOL")
    with pytest.raises(AlgebraError, match=r"one of multilinear, multilinear-collapsed, .*viterbi"):
        carrier("zzz")
    for value in (None, [], 5, b"why", {}):
        with pytest.raises(UnknownCarrier, match=r"one of multilinear"):
            carrier(value)  # type: ignore[arg-type]
    with pytest.raises(UnknownCarrier) as caught:
        carrier("x" * 10**6)
    assert len(str(caught.value)) < 300


def _rows() -> dict[str, list[str]]:
    lines = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row for row in rows if row[0].strip("`") in CARRIERS}


def test_the_document_has_a_row_for_every_carrier() -> None:
    rows = _rows()
    assert list(rows) == list(CARRIERS)
    for name, found in CARRIERS.items():
        zero, one, token = (f"`{found.text(element)}`" for element in (found.zero, found.one, found.token("x")))
        assert rows[name][4:7] == [zero, one, token], name
        assert rows[name][1] == found.description.carrier
        order = found.description.equations[4].removeprefix("a ⪯ b ⇔ ")
        assert rows[name][7] == order


@EACH
def test_the_equations_say_what_zero_one_and_tokens_are(found: Carrier[Any]) -> None:
    _, _, zero, one, order, token = found.description.equations
    assert zero == f"0 = {found.text(found.zero)}"
    assert one == f"1 = {found.text(found.one)}"
    assert order.startswith("a ⪯ b ⇔ ")
    assert token == f"token(x) = {found.text(found.token('x'))}"


def test_the_document_has_the_table_of_laws_and_the_limits() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert f"<!-- laws -->\n\n{laws_table()}\n\n<!-- /laws -->" in document
    limits = (
        f"{texts.TEXT_LENGTH:,} characters",
        f"{MONOMIALS:,} terms",
        f"{texts.NUMBER_DIGITS:,} digits a number",
        f"{EXPONENT_DIGITS} digits an exponent",
    )
    assert all(limit in document for limit in limits)


def test_the_table_of_laws_says_what_descriptions_say() -> None:
    header, _, *rows = (line.strip("|").split("|") for line in laws_table().splitlines())
    assert [cell.strip() for cell in header[1:]] == list(CARRIERS)
    for row in rows:
        name = row[0].split(":")[0].strip()
        for cell, found in zip(row[1:], CARRIERS.values(), strict=True):
            claim = found.description.laws[name]
            assert (cell.strip() == "✓") == claim.holds
            assert all(f"`{text}`" in cell for text in claim.counterexample)
    assert len(rows) == len(LAWS)
