"""The picture: well-formed, within its frame, nothing on top of anything else, red only what the evidence says."""

from __future__ import annotations

import random
import re
from itertools import combinations, pairwise
from xml.etree import ElementTree as Xml

import pytest
from report_samples import LOST_UPDATE, SERIAL, lost_update, verdict

from toki_verify.checker import check
from toki_verify.events import Schedule
from toki_verify.explain.words import txn_name
from toki_verify.report.issues import focus
from toki_verify.report.layout import layout
from toki_verify.report.plain import columns, cut, kind_name, visible
from toki_verify.report.svg import svg
from toki_verify.verdict import Verdict

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


def crowd(events: int, txns: int) -> Schedule:
    """Random reads and writes of six items by several transactions."""
    choose = random.Random(1)
    words: list[str] = []
    wrote: set[tuple[int, str]] = set()
    while len(words) < events - txns:
        txn, item = choose.randint(1, txns), choose.choice("abcdef")
        if choose.random() < 0.5:
            wrote.add((txn, item))
            words.append(f"w{txn}[{item}]")
        elif (txn, item) not in wrote:
            words.append(f"r{txn}[{item}]")
    return Schedule.parse(" ".join([*words, *(f"c{txn + 1}" for txn in range(txns))]))


def parsed(text: str) -> Xml.Element:
    """The picture as a tree that holds only what a picture may hold."""
    root = Xml.fromstring(text)
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "rect", "path", "text", "tspan", "circle", "g"}
    for element in root.iter():
        assert not any(name.startswith("on") or "href" in name for name in element.attrib)
    return root


def number(element: Xml.Element, name: str) -> float:
    return float(element.get(name, "0"))


def boxes(root: Xml.Element, style: str) -> list[Box]:
    """The rectangles of a class: left, top, right, bottom."""
    return [
        (number(e, "x"), number(e, "y"), number(e, "x") + number(e, "width"), number(e, "y") + number(e, "height"))
        for e in root.iter(f"{SVG}rect")
        if e.get("class", "").split()[0] == style and e.get("x")
    ]


def apart(found: list[Box]) -> bool:
    return all(a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1] for a, b in combinations(found, 2))


def events_of(root: Xml.Element) -> list[Xml.Element]:
    """The groups of the events, in time order."""
    return [group for group in root.iter(f"{SVG}g") if (group[0].text or "").startswith("event ")]


def arrows_of(root: Xml.Element) -> list[tuple[str, str, bool]]:
    """Title, path data and redness of each arrow."""
    events = {id(group) for group in events_of(root)}
    return [
        (group[0].text or "", group[1].get("d", ""), "tv-hot" in group[1].get("class", "").split())
        for group in root.iter(f"{SVG}g")
        if id(group) not in events
    ]


def checked(found: Verdict) -> Xml.Element:
    """The picture of a verdict, with everything in it where it belongs."""
    text = svg(found.schedule, found)
    assert text == svg(found.schedule, found)
    root = parsed(text)
    width, height = number(root, "width"), number(root, "height")
    lanes, labels = boxes(root, "tv-lane"), boxes(root, "tv-page")
    shapes = [
        box
        for style in ("tv-read", "tv-write", "tv-predicate", "tv-callback")
        for box in boxes(root, style)
        if box[3] - box[1] > 20
    ]
    for left, top, right, bottom in [*lanes, *labels, *shapes]:
        assert 0 <= left < right <= width and 0 <= top < bottom <= height
    assert apart(lanes) and apart(labels) and apart(shapes)
    assert apart([*lanes, *labels])
    shown = focus(found)
    edges = shown.evidence.cycle if shown else ()
    cycle = {(txn_name(edge.source), txn_name(edge.target), kind_name(edge.kind)) for edge in edges}
    red = set()
    for title, data, hot in arrows_of(root):
        source, _, rest = title.partition(" → ")
        target, _, label = rest.partition(": ")
        if hot:
            red.add((source, target, label.split(" ")[0]))
        assert re.fullmatch(r"M[\d. ]+(?:Q[\d. -]+H[\d.-]+Q[\d. -]+(?:V[\d.]+)?)+", data), data
        points = [float(n) for n in re.findall(r"-?[\d.]+", data)]
        assert any(
            box[0] < points[0] < box[2] and min(abs(points[1] - box[1]), abs(points[1] - box[3])) < 0.2
            for box in shapes
        ) or label.split(" ")[0] in ("start", "session")
        assert any(
            box[0] < points[-2] < box[2] and min(abs(points[-1] - box[1]), abs(points[-1] - box[3])) < 10
            for box in shapes
        ) or label.split(" ")[0] in ("start", "session")
    if all("\\" not in txn_name(txn) and visible(txn) == txn for txn in found.schedule.resolved.txns):
        assert red == cycle
    return root


def test_lost_update() -> None:
    root = checked(verdict(f"schedule H4\n{LOST_UPDATE}"))
    assert root[0].text == "H4" and "the update in between is lost" in (root[1].text or "")
    assert {(title, hot) for title, _, hot in arrows_of(root)} == {
        ("T1 → T2: rw x", True),
        ("T2 → T1: ww x", True),
        ("T2 → T1: rw x", False),
    }
    assert [group[0].text for group in events_of(root)][:2] == ["event 0: r1[x0]", "event 1: r2[x0]"]
    hot = [group[0].text for group in events_of(root) if "tv-hot" in group[1].get("class", "").split()]
    assert hot == ["event 0: r1[x0]", "event 2: w2[x1]", "event 4: w1[x2]"]
    ids = {root[0].get("id"), root[1].get("id")}
    assert ids == {root.get("aria-labelledby"), root.get("aria-describedby")}


def test_without_a_verdict_nothing_is_red() -> None:
    root = parsed(svg(Schedule.parse(LOST_UPDATE)))
    assert len(arrows_of(root)) == 3 and not any(hot for _, _, hot in arrows_of(root))
    assert root[1].text == "6 events of 2 transactions."


def test_every_kind_of_event_has_its_figure_and_is_in_the_legend() -> None:
    text = "b1 r1[x0] r1{P:} w1[x1] j1(R, theta)=0 cb1(R, h, 1) c1 w2[x2] a2"
    root = checked(verdict(text))
    kinds = [group[1].get("class", "").split()[0] for group in events_of(root)]
    assert kinds == [
        f"tv-{kind}"
        for kind in ("begin", "read", "predicate", "write", "judge", "callback", "commit", "write", "abort")
    ]
    words = {element.text for element in root.iter(f"{SVG}text")}
    assert {"begin", "read", "predicate read", "write", "judge call", "callback", "commit", "abort"} <= words
    plain = {element.text for element in checked(verdict("w1[x1] c1 r2[x1] c2")).iter(f"{SVG}text")}
    assert "judge call" not in plain and "anti-dependency (rw, prw)" not in plain


def test_an_edge_without_events_leads_from_an_end_to_a_start() -> None:
    root = checked(verdict("session s: 1 2\nw1[x1] c1 r2[x0] c2", level="session:SER"))
    assert {(title, hot) for title, _, hot in arrows_of(root)} == {("T1 → T2: session", True), ("T2 → T1: rw x", True)}


def test_three_transactions_of_twelve_events() -> None:
    root = checked(check(crowd(36, 3)))
    assert len(events_of(root)) == 36 and number(root, "width") < 2000 and number(root, "height") < 800


def test_two_hundred_events_are_drawn_with_the_nearest_conflicts_only() -> None:
    root = checked(check(crowd(200, 8)))
    assert len(events_of(root)) == 200 and len(arrows_of(root)) <= 60
    assert any(
        re.fullmatch(r"\d+ more conflicts are not drawn", element.text or "") for element in root.iter(f"{SVG}text")
    )


def test_of_a_long_trace_the_evidence_is_drawn_whatever_else_is_left_out() -> None:
    serial = " ".join(f"w{n}[y{n}] c{n}" for n in range(10, 600))
    found = verdict(f"r1[x0] {serial} r2[x0] w2[x1] c2 w1[x2] c1")
    root = checked(found)
    assert {title for title, _, hot in arrows_of(root) if hot} == {"T1 → T2: rw x", "T2 → T1: ww x"}
    assert len(events_of(root)) == 400
    assert any((element.text or "").endswith("more events are not drawn") for element in root.iter(f"{SVG}text"))


def test_hostile_names(hostile: Verdict) -> None:
    root = checked(hostile)
    plain = (root[0].text or "").replace("\u2067", "").replace("\u2069", "")
    assert plain == visible(hostile.name)
    assert all(visible(text, keep="\n\u2067\u2069") == text for text in root.itertext())


def test_the_whole_library(library: list[Verdict]) -> None:
    for found in library:
        checked(found)


def test_dark_style_covers_every_colour() -> None:
    style = parsed(svg(Schedule.parse(SERIAL)))[2].text or ""
    light, dark = style.split("@media (prefers-color-scheme:dark)")
    coloured = set(re.findall(r"(\.tv-[\w-]+)\{(?:fill|stroke):[^}]*#", light))
    assert len(coloured) > 10 and coloured == set(re.findall(r"(\.tv-[\w-]+)\{", dark))


def test_time_runs_from_left_to_right_and_boxes_of_a_lane_are_apart() -> None:
    plan = layout(crowd(60, 4))
    assert all(a.x < b.x for a, b in pairwise(plan.shapes))
    for lane in range(4):
        members = [shape for shape in plan.shapes if shape.lane == lane]
        assert all(a.right < b.left for a, b in pairwise(members))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é", "plain é"),
        ("a\x00b", "a\\u0000b"),
        ("\u202e", "\\u202e"),
        ("\ud800", "\\ud800"),
        ("\uffff", "\\uffff"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_widths() -> None:
    assert columns("ab漢") == 4 and columns("e\u0302") == 1
    assert cut("abcdef", 4) == "abc…" and cut("漢字漢字", 5) == "漢字…" and cut("abcd", 4) == "abcd"


def test_two_pictures_of_one_page_have_ids_of_their_own() -> None:
    one, two = (parsed(svg(lost_update(name)))[0].get("id") for name in "xy")
    assert one != two
