"""Rows, the cache, and deciding in units: what they refuse to say, and what they survive."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from toki_verify.claims.cache import Cache, state
from toki_verify.claims.deciding import Unit, units
from toki_verify.claims.ledger import Row, from_plain, missing, required, row_of
from toki_verify.claims.manifest import Manifest, ManifestError
from toki_verify.claims.model import Claim, Outcome, conjunction
from toki_verify.claims.registry import claims
from toki_verify.events import Schedule
from toki_verify.report.ledger import ledger_markdown, seconds, section, without_times
from toki_verify.report.plots import admit_rate_svg, decay_svg, factored, mean_consistency, polynomial

LOST = Schedule.parse("r1[x0] w2[x1] c2 w1[x2] c1")
CLAIM = Claim("X.y", "nowhere", "a statement", "as it stands", lambda cells: Outcome("holds", "proof", ""))


def row(outcome: Outcome) -> Row:
    return row_of(CLAIM, outcome, 1.23456)


# -- rows --------------------------------------------------------------------------------------------------------------
def test_nothing_holds_without_what_shows_it() -> None:
    bare = row(Outcome("holds", "proof", "so"))
    assert (bare.verdict, bare.method) == ("unknown", "proof")
    assert "neither a certificate nor a bound" in bare.detail
    bounded = row(Outcome("holds", "proof", "so", bound="all of them"))
    assert (bounded.verdict, bounded.method) == ("holds", "exhaustive")
    assert row(Outcome("holds-repaired", "property", "so", repair="r")).verdict == "unknown"
    assert row(Outcome("refuted", "proof", "not so")).verdict == "refuted"


def test_undecided_is_unknown() -> None:
    assert row(Outcome("undecided", "proof", "")).verdict == "unknown"


def test_a_repair_has_the_verdict_that_was_computed() -> None:
    repaired = row(Outcome("holds-repaired", "exhaustive", "", repair="do so", bound="b")).repair
    assert repaired is not None and (repaired.statement, repaired.verdict) == ("do so", "holds")
    advice = row(Outcome("refuted", "exhaustive", "", repair="do so")).repair
    assert advice is not None and advice.verdict is None
    decided = Outcome("refuted", "exhaustive", "", repair="do so", repair_verdict="refuted", repair_artifact="T1.x")
    found = row(decided).repair
    assert found is not None and (found.verdict, found.artifact) == ("refuted", "T1.x")
    assert row(Outcome("refuted", "exhaustive", "")).repair is None
    whole = conjunction([("a", Outcome("holds", "proof", "")), ("b", decided)], "both")
    assert (whole.repair_verdict, whole.repair_artifact) == ("refuted", "T1.x")


def test_a_row_as_json_is_as_the_notation_has_it() -> None:
    found = row(Outcome("refuted", "exhaustive", "d", counterexample=LOST, witnesses=(LOST,), evidence=("line",)))
    data = json.loads(json.dumps(found.data()))
    wanted = {"id", "verdict", "method", "bound", "counterexample", "repair", "artifact", "seconds"}
    assert wanted <= set(data)
    assert [event["op"] for event in data["counterexample"]["events"]] == list("rwcwc")
    assert len(data["witnesses"]) == 1 and data["seconds"] == 1.235


def test_a_row_reads_back_and_anything_else_is_refused() -> None:
    found = row(Outcome("refuted", "exhaustive", "d", counterexample=LOST, repair="r", evidence=("l",)))
    plain = json.loads(json.dumps(found.plain()))
    assert from_plain(plain) == found
    broken = [
        None,
        [],
        {},
        {**plain, "verdict": "true"},
        {**plain, "method": "thought"},
        {**plain, "seconds": "1"},
        {**plain, "seconds": True},
        {**plain, "seconds": float("nan")},
        {**plain, "seconds": -1.0},
        {**plain, "counterexample": "r1["},
        {**plain, "witnesses": ["r1[x0] c1", "c1 c1"]},
        {**plain, "evidence": "line"},
        {**plain, "evidence": [1]},
        {**plain, "detail": None},
        {**plain, "repair": "r"},
        {**plain, "repair": {"statement": "r", "verdict": "perhaps", "artifact": None}},
        {**plain, "more": 1},
        {name: value for name, value in plain.items() if name != "bound"},
    ]
    for data in broken:
        with pytest.raises(ValueError):
            from_plain(data)


def test_missing_ids_are_named() -> None:
    assert missing([]) == list(required())
    assert "Alg1.*" not in missing(["Alg1.log"])


# -- the document ------------------------------------------------------------------------------------------------------
def test_a_refuted_row_prints_the_schedule_and_what_is_wrong_with_it() -> None:
    text = section(row(Outcome("refuted", "exhaustive", "d", counterexample=LOST)))
    assert "```sched\nr1[x0] w2[x1] c2 w1[x2] c1\n```" in text
    assert "\nP4: T1 read one version and wrote over a later one" in text


def test_marks_in_texts_are_no_marks_of_the_document() -> None:
    nasty = "a *b* <script> `c` [d](e)\nf\x1b"
    text = section(row(Outcome("depends", "proof", nasty, evidence=("```", nasty))))
    assert "\\*b\\* \\<script> \\`c\\` [d]\\(e) f\\u001b" in text
    assert "````text\n```\n" in text
    assert "\x1b" not in text


def test_the_document_but_for_times_is_one() -> None:
    first = row(Outcome("depends", "proof", "d"))
    second = replace(first, seconds=99.0)
    assert ledger_markdown([first]) != ledger_markdown([second])
    assert without_times(ledger_markdown([first])) == without_times(ledger_markdown([second]))


def test_only_what_is_printed_as_a_time_counts_as_one() -> None:
    for hundredths in [*range(2000), 99_999, 10**9]:
        told = seconds(replace(row(Outcome("depends", "proof", "d")), seconds=hundredths / 100))
        assert without_times(f"- time: {told}\n") == "- time:\n", told
    for text in ("", " ", "9 s", "0.0 s", "01 s", "1.23 s", "12.5 s", "5 s and W.P4 holds", "٣٤ s", "1 min", "12 s\r"):
        assert without_times(f"- time: {text}\n") == f"- time: {text}\n"


# -- pictures ----------------------------------------------------------------------------------------------------------
def test_the_pictures_have_the_exact_values() -> None:
    from xml.etree import ElementTree

    rate, decay = admit_rate_svg(), decay_svg()
    for text in (rate, decay):
        ElementTree.fromstring(text)
    assert all(f">{value}</text>" in rate for value in ("7/32", "3/8", "15/32", "1/2"))
    assert "p = 1/2: C(3) = 1/4" in decay and "p = 9/10: C(3) = 73/100" in decay


def test_the_mean_is_the_integral() -> None:
    """Twice the integral of p^t over (0, 1), by another way: sums of rectangles that close in on it."""
    from fractions import Fraction

    from toki_verify.claims.rates import replay_consistency

    for t in (1, 2, 3, 7):
        values = [replay_consistency(t)(Fraction(2 * step + 1, 400)) for step in range(200)]
        assert abs(sum(values) / 200 - mean_consistency(t)) < Fraction(1, 1000)
        assert mean_consistency(t) == Fraction(2, t + 1)


def test_polynomials_are_written() -> None:
    from toki_verify.claims.exact import ONE, P, Polynomial

    assert polynomial(P * 2 - P * P * 2) == "-2p^2 + 2p"
    assert (polynomial(ONE), polynomial(Polynomial()), polynomial(P)) == ("1", "0", "p")
    assert factored(P * 2 - P * P * 2) == "2p(1-p)" and factored(P - P * P) == "p(1-p)"
    assert factored(P * P - P) == "-p(1-p)" and factored(P * P) == "p^2" and factored(Polynomial()) == "0"
    assert "2p(1-p)" in admit_rate_svg() and "p^2" not in admit_rate_svg()


SVG = "{http://www.w3.org/2000/svg}"


def test_no_label_lies_on_the_curve() -> None:
    from itertools import pairwise
    from xml.etree import ElementTree

    picture = ElementTree.fromstring(admit_rate_svg())
    (line,) = picture.iter(f"{SVG}polyline")
    corners = [tuple(map(float, pair.split(","))) for pair in str(line.get("points")).split()]
    points = [
        (x + (u - x) * step / 20, y + (v - y) * step / 20) for (x, y), (u, v) in pairwise(corners) for step in range(21)
    ]
    labels = [text for text in picture.iter(f"{SVG}text") if "tv-label" in str(text.get("class"))]
    assert len(labels) == 9
    for text in labels:
        x, y, wide = float(str(text.get("x"))), float(str(text.get("y"))), 6.7 * len(text.text or "")
        kind = str(text.get("class"))
        left = x - wide if "tv-end" in kind else x - wide / 2 if "tv-mid" in kind else x
        assert not any(left - 1 < u < left + wide + 1 and y - 10 < v < y + 1 for u, v in points), text.text


def test_no_two_curves_look_alike() -> None:
    """Neither by dashes nor by colour, where greys are one colour."""
    import re

    text = decay_svg()
    light = text.split("@media")[0] + text.split("}}", 1)[1]
    kinds = re.findall(r'<polyline class="tv-curve ([^"]+)"', text)

    def last(name: str, classes: str) -> str:
        found = [re.findall(rf"\.{one}\{{[^}}]*?{name}:([^;}}]+)", light) for one in classes.split()]
        return next((values[-1] for values in reversed(found) if values), "")

    def colour(classes: str) -> str:
        red, green, blue = (int(last("stroke", classes)[at : at + 2], 16) for at in (1, 3, 5))
        return "grey" if max(red, green, blue) - min(red, green, blue) < 40 else last("stroke", classes)

    looks = [(colour(kind), last("stroke-dasharray", kind)) for kind in kinds]
    assert len(looks) == 5 and len(set(looks)) == 5


# -- the cache ---------------------------------------------------------------------------------------------------------
def test_rows_are_kept_by_the_state_of_everything(tmp_path: Path) -> None:
    found = row(Outcome("depends", "proof", "d"))
    Cache(tmp_path, "a").write([found])
    assert Cache(tmp_path, "a").read() == {"X.y": found}
    assert Cache(tmp_path, "b").read() == {}
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"null", b"\xff", b'{"format": "toki-ledger/1"}', b"[" * 100_000, b'{"rows": [{}]}'],
)
def test_a_damaged_cache_is_none_and_is_written_anew(damage: bytes, tmp_path: Path) -> None:
    cache = Cache(tmp_path, "a")
    found = row(Outcome("depends", "proof", "d"))
    cache.write([found])
    good = cache.path.read_bytes()
    cache.path.write_bytes(damage)
    assert cache.read() == {}
    cache.path.write_bytes(good[: len(good) // 2])
    assert cache.read() == {}
    cache.path.write_bytes(good.replace(b'"depends"', b'"certain"'))
    assert cache.read() == {}
    cache.write([found])
    assert cache.read() == {"X.y": found}


def test_rows_that_are_not_those_of_the_digest_are_none(tmp_path: Path) -> None:
    """Edits that leave every row well-formed, which only the digest can tell."""
    cache = Cache(tmp_path, "a")
    cache.write([row(Outcome("depends", "proof", "d", evidence=("line",)))])
    good = cache.path.read_bytes()
    for old, new in ((b'"depends"', b'"holds"'), (b'"line"', b'"lime"'), (b"1.235", b"1.234"), (b'"X.y"', b'"X.z"')):
        assert good.count(old) == 1
        cache.path.write_bytes(good.replace(old, new))
        assert cache.read() == {}
    cache.path.write_bytes(good.replace(b'"digest"', b'"digests"'))
    assert cache.read() == {}
    cache.path.write_bytes(good)
    assert len(cache.read()) == 1


def test_nothing_is_left_behind_where_the_cache_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, found = Cache(tmp_path, "a"), row(Outcome("depends", "proof", "d"))
    cache.path.mkdir()
    with pytest.raises(OSError):  # a file cannot take the place of a directory
        cache.write([found])
    assert list(tmp_path.iterdir()) == [cache.path]
    cache.path.rmdir()

    def interrupt(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.write([found])
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_is_no_file_is_none(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "a")
    os.mkfifo(cache.path)
    assert cache.read() == {}


def test_the_state_changes_with_what_rows_depend_on(tmp_path: Path) -> None:
    (tmp_path / "obligations").mkdir()
    for name in ("manifest.toml", "obligations/a.smt2", "notes.txt"):
        (tmp_path / name).write_text("a")
    before = state({"seconds": 1}, [tmp_path])
    assert state({"seconds": 1}, [tmp_path]) == before
    assert state({"seconds": 2}, [tmp_path]) != before
    assert state({"seconds": 1}) != before
    (tmp_path / "notes.txt").write_text("b")
    assert state({"seconds": 1}, [tmp_path]) == before
    (tmp_path / "obligations" / "a.smt2").write_text("b")
    assert state({"seconds": 1}, [tmp_path]) != before


# -- units of work -----------------------------------------------------------------------------------------------------
def test_every_claim_is_in_one_unit() -> None:
    found = units(claims().values())
    ids = [id for unit in found for id in unit.ids]
    assert sorted(ids) == sorted(id for id in claims() if id != "T1.reading" and not id.startswith("T1.reading."))
    assert len([unit for unit in found if unit.reading]) > 20
    assert found[0].reading, "the longest is begun first"
    assert not any(unit.reading for unit in units([claims()["W.P0"]]))


def test_stored_claims_are_decided_from_their_directory(tmp_path: Path) -> None:
    proofs = Path(__file__).resolve().parents[3] / "proofs"
    (only,) = units([claims()["W.P0"]], [proofs])
    assert only == Unit(f"T1 of {proofs}", ("W.P0",), str(proofs))


def test_a_directory_that_was_edited_is_refused(tmp_path: Path) -> None:
    from shutil import copytree

    from toki_verify.claims.deciding import stored_cells

    proofs = Path(__file__).resolve().parents[3] / "proofs" / "algebra"
    mine = tmp_path / "mine"
    copytree(proofs, mine)
    stored_cells(str(mine))
    certificate = next((mine / "certificates").rglob("*.cpc"))
    certificate.write_text(certificate.read_text() + "\n")
    stored_cells.cache_clear()
    with pytest.raises(ManifestError, match="changed since"):
        stored_cells(str(mine))
    certificate.unlink()
    with pytest.raises(ManifestError):
        stored_cells(str(mine))
    manifest = Manifest.read(mine)
    assert manifest.equations
