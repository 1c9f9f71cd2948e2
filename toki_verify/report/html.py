"""HTML: a fragment for notebooks, and one self-contained page for several schedules. No scripts, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..events import Schedule
from ..notation.printer import print_schedule
from ..verdict import Finding, Verdict
from .plain import visible, xml
from .svg import svg

_STYLE = (
    ".tv-card{font:14px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;max-width:100%}"
    ".tv-card h2{font-size:17px;margin:0 0 8px;overflow-wrap:anywhere}"
    ".tv-card .tv-wide{overflow-x:auto;margin:8px 0}"
    ".tv-card svg{max-width:none;display:block}"
    ".tv-card ul{margin:6px 0;padding-left:20px}.tv-card li{margin:3px 0;overflow-wrap:anywhere}"
    ".tv-card table{border-collapse:collapse}.tv-card td,.tv-card th{text-align:left;padding:2px 16px 2px 0}"
    ".tv-card pre{overflow-x:auto;font-size:12px}"
    ".tv-bad{color:#c01f2e;font-weight:600}.tv-good{color:#33805a;font-weight:600}.tv-open{color:#9a6700;font-weight:600}"
    "@media (prefers-color-scheme:dark){.tv-bad{color:#ff7b82}.tv-good{color:#5fbf8e}.tv-open{color:#e0b04a}}"
)
_PAGE = (
    ":root{color-scheme:light dark}body{margin:24px;background:#fff;color:#1b2330}"
    "section{border-top:1px solid #c3cad5;padding:20px 0}a{color:inherit}"
    "@media (prefers-color-scheme:dark){body{background:#0f1217;color:#e7ebf2}section{border-color:#46505f}}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_MARKS = {True: ("tv-good", "✓"), False: ("tv-bad", "✗"), None: ("tv-open", "?")}


def notebook(schedule: Schedule) -> str:
    """For `_repr_html_`: the picture, what is present and why, the maximal levels."""
    from ..checker import check

    return f"<style>{_STYLE}</style>\n" + _card(check(schedule))


def page(verdicts: Iterable[Verdict]) -> str:
    """A whole document: an overview, and a section a schedule."""
    every = list(verdicts)
    rows = [
        f'<tr><td>{_mark(verdict.ok)}</td><td><a href="#s{number}">{xml(verdict.name)}</a></td>'
        f"<td>{xml(', '.join(f.phenomenon.id for f in verdict.anomalies()) or 'no anomaly')}</td></tr>"
        for number, verdict in enumerate(every)
    ]
    sections = [
        f'<section id="s{number}">\n<h2>{_mark(verdict.ok)} {xml(verdict.name)}</h2>\n{_place(verdict)}'
        f"{_card(verdict)}\n{_source(verdict)}</section>"
        for number, verdict in enumerate(every)
    ]
    return (
        "\n".join(
            [
                "<!DOCTYPE html>",
                '<html lang="en">',
                "<head>",
                '<meta charset="utf-8">',
                f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                "<title>toki-verify</title>",
                f"<style>{_STYLE}{_PAGE}</style>",
                "</head>",
                '<body class="tv-card">',
                "<h1>toki-verify</h1>",
                "<table><tr><th></th><th>schedule</th><th>anomalies</th></tr>",
                *rows,
                "</table>",
                *sections,
                "</body>",
                "</html>",
            ]
        )
        + "\n"
    )


def _mark(ok: bool | None) -> str:
    style, sign = _MARKS[ok]
    return f'<span class="{style}">{sign}</span>'


def _place(verdict: Verdict) -> str:
    if verdict.file is None:
        return ""
    return f"<p>{xml(verdict.file + (f':{verdict.line}' if verdict.line is not None else ''))}</p>\n"


def _source(verdict: Verdict) -> str:
    """The schedule as text."""
    text = xml(visible(print_schedule(verdict.schedule), keep="\n"), keep="\n")
    return f"<details><summary>schedule</summary><pre>{text}</pre></details>\n"


def _card(verdict: Verdict) -> str:
    """The picture and what was found."""
    judged = [
        f"<li>{_mark(judged.met)} {xml(': '.join(filter(None, (judged.text, judged.detail))))}</li>"
        for judged in verdict.judged
    ]
    items = [*judged, *map(_present, verdict.anomalies()), *_other(verdict)]
    return "\n".join(
        [
            '<div class="tv-card">',
            f'<div class="tv-wide">{svg(verdict.schedule, verdict)}</div>',
            f"<ul>{''.join(items)}</ul>",
            f"<p>Levels: {_levels(verdict)}</p>",
            "</div>",
        ]
    )


def _present(finding: Finding) -> str:
    entry, evidence = finding.phenomenon, finding.evidence
    text = f": {xml(evidence.text)}" if evidence is not None else ""
    return f'<li><span class="tv-bad">{xml(entry.id)}</span> {xml(entry.title)}{text}</li>'


def _other(verdict: Verdict) -> Iterator[str]:
    if not verdict.anomalies():
        yield '<li><span class="tv-good">no anomaly</span> of the default readings</li>'
    for finding in verdict.undecided():
        name = xml(finding.phenomenon.id)
        yield f'<li><span class="tv-open">{name}</span> is undecided: {xml(finding.reason)}</li>'
    anomalies = {finding.phenomenon.id for finding in verdict.anomalies()}
    patterns = [f.phenomenon.id for f in verdict.present() if f.phenomenon.id not in anomalies]
    if patterns:
        yield f"<li>patterns and other readings: {xml(', '.join(patterns))}</li>"
    for warning in verdict.warnings:
        yield f'<li><span class="tv-open">!</span> {xml(warning)}</li>'


def _levels(verdict: Verdict) -> str:
    """The maximal levels that hold, by family."""
    return "; ".join(
        f"{xml(family)} <b>{xml(' '.join(verdict.maximal(family)) or 'none')}</b>"
        for family in verdict.levels
        if family != "user"
    )
