"""The claims ledger as JSON, as text, and as the document `proofs/ledger.md`: pure functions of its rows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap

from ..checker import check
from ..claims.current import STANDS
from ..claims.ledger import VERDICTS, Row
from ..events import Schedule
from .line import Line, line
from .plain import cut, visible

COLOURS = {"holds": "green", "refuted": "red", "unknown": "bold red"}
#: Up to how many witnesses of a row the document prints.
WITNESSES = 8
_WIDTH = 13
#: Columns that make one line enough for what a row says.
_LINE = 60

_HEAD = """\
# What is true of the claims

Written by `make ledger` (`toki-verify claims -o markdown`); a test and `make recheck` keep it so. A row a claim: where
it stands, what it says in our words, how its loose words are read, how it was decided, and what shows it.
[docs/claims.md](../docs/claims.md) says how to read a row. Schedules are in the notation of
[docs/notation.md](../docs/notation.md); under a counterexample stands what `toki-verify check` says of it.
"""


def ledger_json(rows: Iterable[Row]) -> str:
    """An array of rows, as NOTATION has them."""
    return json.dumps([row.data() for row in rows], ensure_ascii=False, indent=1) + "\n"


def counted(rows: Iterable[Row]) -> str:
    """`191 claims: 121 holds, 32 refuted, …`"""
    verdicts = Counter(row.verdict for row in rows)
    said = ", ".join(f"{verdicts[name]} {name}" for name in VERDICTS if verdicts[name])
    total = sum(verdicts.values())
    return f"{total} claim{'' if total == 1 else 's'}: {said or 'none'}"


# -- text --------------------------------------------------------------------------------------------------------------
def ledger_text(rows: list[Row], width: int, *, whole: bool) -> Iterator[Line]:
    """A line a row, two where lines are short, or with `whole` everything that a row has."""
    longest = max((len(row.id) for row in rows), default=0)
    for row in rows:
        verdict = (row.verdict.ljust(_WIDTH + 2), COLOURS.get(row.verdict, "yellow"))
        if not whole:
            yield from _short(row, verdict, min(longest, max(12, width // 4)), width)
            continue
        yield line(verdict, (row.id, "bold"))
        for name, text in _fields(row):
            pieces = [part for entry in text.split("\n") for part in _wrapped(name, entry, width - 18)]
            for number, piece in enumerate(pieces):
                yield line(("  " + (name if number == 0 else "").ljust(16), "dim"), piece)
        yield line()
    yield line(counted(rows))


def _short(row: Row, verdict: tuple[str, str], ids: int, width: int) -> Iterator[Line]:
    """A row in a line, or where less than `_LINE` columns are left for what it says, in at most two of them; `ids` is
    the width of the ids, which a few exceed."""
    said = visible(row.statement if row.verdict == "holds" else row.detail)
    at = _WIDTH + 2 + ids + 2
    if width - at >= _LINE:
        id = row.id.ljust(ids) + "  "
        yield line(verdict, (id, "bold"), cut(said, width - _WIDTH - 2 - len(id)))
        return
    # Where next to nothing is left beside the ids, the text stands below them.
    beside = width - at >= _LINE // 3
    at = at if beside else 2
    pieces = wrap(said, width - at, break_on_hyphens=False) or [""]
    pieces = [pieces[0], *([cut(" ".join(pieces[1:]), width - at)] if len(pieces) > 1 else [])]
    if beside and len(row.id) <= ids:
        yield line(verdict, (row.id.ljust(ids) + "  ", "bold"), pieces.pop(0))
    else:
        yield line(verdict, (row.id, "bold"))
    yield from (line(" " * at + piece) for piece in pieces)


def _wrapped(name: str, text: str, width: int) -> list[str]:
    """A text in lines; a schedule stays in one, which can be copied."""
    if name in ("counterexample", "schedule"):
        return [text]
    return wrap(text, max(width, 40), break_on_hyphens=False, break_long_words=False) or [""]


def _fields(row: Row) -> Iterator[tuple[str, str]]:
    yield "statement", row.statement
    yield "where", row.where
    yield "reading", row.reading
    yield "method", row.method + (f"; bound: {row.bound}" if row.bound else "")
    yield "found", row.detail
    if row.counterexample is not None:
        yield "counterexample", row.counterexample
        yield "check says", "\n".join(shown(row.counterexample))
    for text in row.witnesses[:WITNESSES]:
        yield "schedule", text
    if row.evidence:
        yield "evidence", "\n".join(row.evidence)
    if row.repair is not None:
        yield _repair(row), row.repair.statement
    if row.artifact:
        yield "artifact", ", ".join(_runs(row.artifact))
    yield "time", seconds(row)


def _repair(row: Row) -> str:
    decided = row.repair is not None and row.repair.verdict
    return f"repair ({decided})" if decided else "repair"


def _runs(ids: tuple[str, ...], mark: str = "") -> Iterator[str]:
    """The ids; `a.1`, `a.2`, `a.3` as `a.1` … `a.3`."""
    place = 0
    while place < len(ids):
        stem, _, number = ids[place].rpartition(".")
        last = place
        while number.isdigit() and ids[last + 1 : last + 2] == (f"{stem}.{int(number) + last + 1 - place}",):
            last += 1
        if last - place > 1:
            yield f"{mark}{ids[place]}{mark} … {mark}{ids[last]}{mark}"
        else:
            yield from (f"{mark}{id}{mark}" for id in ids[place : last + 1])
        place = last + 1


#: What `seconds` prints: below 0.1 s; 0.1 s to 10.0 s; whole seconds from 10.
_TIME = re.compile(r"^- time: (?:below 0\.1|0\.[1-9]|[1-9]\.[0-9]|10\.0|[1-9][0-9]+) s$", re.MULTILINE)


def seconds(row: Row) -> str:
    """How long it took to decide the claim from nothing, roughly."""
    return (
        "below 0.1 s" if row.seconds < 0.1 else f"{row.seconds:.1f} s" if row.seconds < 10 else f"{row.seconds:.0f} s"
    )


def shown(text: str) -> list[str]:
    """What a check says of a schedule: its levels in the families of the literature, and every anomaly with the events
    that make it."""
    verdict = check(Schedule.parse(text))
    levels = "; ".join(f"{family} {' '.join(verdict.maximal(family)) or 'none'}" for family in STANDS)
    told, also = verdict.told()
    lines = [f"levels: {levels}"]
    lines += [f"{found.phenomenon.id}: {found.evidence.text if found.evidence else ''}".rstrip() for found in told]
    if also:
        lines.append(f"by the same events: {', '.join(found.phenomenon.id for found in also)}")
    return lines if told else [*lines, "no anomaly"]


# -- Markdown ----------------------------------------------------------------------------------------------------------
def ledger_markdown(rows: list[Row]) -> str:
    """The document: what is not as the paper has it, then every row."""
    lines = [_HEAD, f"{counted(rows)}.", "", "## Not as printed", ""]
    lines += ["| claim | verdict | what is so |", "|---|---|---|"]
    lines += [
        f"| [{row.id}](#{_anchor(row.id)}) | {row.verdict} | {_cell(row.detail)} |"
        for row in rows
        if row.verdict not in ("holds", "out-of-scope")
    ]
    head = ""
    for row in rows:
        if row.id.split(".")[0] != head:
            head = row.id.split(".")[0]
            lines += ["", f"## Claims {head}"]
        lines += ["", section(row).rstrip("\n")]
    return "\n".join(lines) + "\n"


def section(row: Row) -> str:
    """One row of the document."""
    lines = [f"### {row.id}", "", f"**{row.verdict}**: {_prose(row.statement)}", ""]
    lines += [f"- where: {_prose(row.where)}", f"- reading: {_prose(row.reading)}", f"- method: {row.method}"]
    if row.bound:
        lines.append(f"- bound: {_prose(row.bound)}")
    lines.append(f"- found: {_prose(row.detail)}")
    if row.counterexample is not None:
        lines += ["- counterexample:", "", *_block("sched", [row.counterexample]), ""]
        lines += _block("text", shown(row.counterexample))
        lines.append("")
    if row.witnesses and len(row.witnesses) <= WITNESSES:
        lines += ["- schedules:", "", *_block("sched", row.witnesses), ""]
    elif row.witnesses:
        lines.append(f"- schedules: {len(row.witnesses)}, in the manifest")
    if row.evidence:
        lines += ["- evidence:", "", *_block("text", row.evidence), ""]
    if row.repair is not None:
        by = f", by `{row.repair.artifact}`" if row.repair.artifact else ""
        decided = f" ({row.repair.verdict}{by})" if row.repair.verdict else ""
        lines.append(f"- repair{decided}: {_prose(row.repair.statement)}")
    if row.artifact:
        lines.append(f"- artifact: {', '.join(_runs(row.artifact, '`'))}")
    lines.append(f"- time: {seconds(row)}")
    return "\n".join(lines) + "\n"


def without_times(text: str) -> str:
    """The document without what differs from run to run: times, as `seconds` prints them and in no other form."""
    return _TIME.sub("- time:", text)


def _block(kind: str, texts: Iterable[str]) -> list[str]:
    """A fenced block; several schedules are separated by an empty line, which no schedule has."""
    joined = ("\n\n" if kind == "sched" else "\n").join(visible(text, keep="\n") for text in texts)
    # A fence is longer than any run of its sign inside.
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", joined)), default=0))
    return [f"{fence}{kind}", joined, fence]


def _prose(text: str) -> str:
    for mark in ("\\", "*", "`", "<"):
        text = text.replace(mark, "\\" + mark)
    return visible(text.replace("](", "]\\(").replace("\n", " "))


def _cell(text: str) -> str:
    return _prose(text).replace("|", "\\|")


def _anchor(id: str) -> str:
    return re.sub(r"[^\w-]", "", id).lower()
