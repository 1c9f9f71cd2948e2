"""HTML: parsed back by the standard library, it holds the names as text and nothing that runs or is fetched."""

from __future__ import annotations

from html.parser import HTMLParser

from report_samples import LOST_UPDATE, SERIAL, UNKNOWN_VOTE, verdict

from toki_verify.events import Schedule
from toki_verify.report.html import notebook, page
from toki_verify.report.plain import visible
from toki_verify.verdict import Verdict

VOID = {"meta"}
TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "h1",
    "h2",
    "table",
    "tr",
    "th",
    "td",
    "section",
    "p",
    "div",
    "ul",
    "li",
    "span",
    "b",
    "a",
    "details",
    "summary",
    "pre",
    "svg",
    "desc",
    "rect",
    "path",
    "text",
    "tspan",
    "circle",
    "g",
}


class Reader(HTMLParser):
    """Checks that tags are known and nested; collects the text of each kind of element."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert not name.startswith("on") and name not in ("src", "xlink:href", "srcdoc"), name
            if name == "href":
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data


def read(text: str) -> Reader:
    """The parsed text, everything closed."""
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_notebook_is_a_fragment_with_picture_sentences_and_levels() -> None:
    text = notebook(Schedule.parse(LOST_UPDATE))
    assert text == notebook(Schedule.parse(LOST_UPDATE)) == Schedule.parse(LOST_UPDATE)._repr_html_()
    reader = read(text)
    assert "html" not in reader.texts and len(reader.texts["svg"]) == 1
    assert any("P4 lost update" in item and "the update in between is lost" in item for item in reader.texts["li"])
    assert reader.texts["p"][-1].startswith("Levels: graph RC; berenson RC; adya PL-2")


def test_a_clean_schedule_says_so() -> None:
    reader = read(notebook(Schedule.parse(SERIAL)))
    assert "no anomaly of the default readings" in reader.texts["li"]


def test_a_page_has_a_section_for_each_schedule_and_links_to_it() -> None:
    verdicts = [
        verdict(f"schedule one\n{LOST_UPDATE}\nexpect not P4", file="a.sched", line=1),
        verdict(SERIAL),
        verdict(UNKNOWN_VOTE),
    ]
    text = page(verdicts)
    assert text.startswith("<!DOCTYPE html>") and text == page(verdicts)
    reader = read(text)
    assert len(reader.texts["section"]) == 3 and len(reader.texts["svg"]) == 3
    assert reader.links == ["#s0", "#s1", "#s2"] and set(link[1:] for link in reader.links) <= set(reader.ids)
    assert [heading[0] for heading in reader.texts["h2"]] == ["✗", "✓", "?"]
    assert any(item.startswith("✗ expect not P4: P4 is present") for item in reader.texts["li"])
    assert any(item.startswith("N1 is undecided: ") for item in reader.texts["li"])
    assert "a.sched:1" in reader.texts["p"]
    assert reader.texts["pre"][0].startswith("schedule one\n  r1[x0]")


def test_nothing_is_fetched() -> None:
    text = page([verdict(LOST_UPDATE)])
    assert "default-src 'none'" in text
    assert text.replace("http://www.w3.org/2000/svg", "").count("http") == 1  # http-equiv
    assert "url(" not in text and "@import" not in text


def test_hostile_names(hostile: Verdict) -> None:
    reader = read(page([hostile]))
    plain = reader.texts["h2"][0].replace("\u2067", "").replace("\u2069", "")
    assert plain == f"✗ {visible(hostile.name)}"
    read(notebook(hostile.schedule))


def test_the_whole_library(library: list[Verdict]) -> None:
    reader = read(page(library))
    assert len(reader.texts["section"]) == len(library)
