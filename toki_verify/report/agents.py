"""The report on what agents did in a large trace (N1 by key, N2 by partition, N3 by surface), for people.

What is counted comes as plain data (`histories/columnar/by_agent.py`); arrays are not needed here. Names are written as
in the notation, cut where they are long; characters that would hide or reorder the text around them are written out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, cast

from ..events import Item, Partition
from ..events.values import json_value, shown
from ..explain.words import txn_name
from ..notation.names import item_text, label_text, name_text, partition_text
from .agents_data import agent_object
from .line import Line, folded, line
from .plain import columns, cut, listed, visible

if TYPE_CHECKING:
    from ..histories.columnar.agent_drift import Drift, PartitionDrift
    from ..histories.columnar.agent_erasure import ErasedVersion, Erasure
    from ..histories.columnar.agent_votes import Call, VoteGroup, Votes
    from ..histories.columnar.by_agent import AgentReport

#: Partitions that are listed, votes of a key that are, and tables.
PARTITIONS: Final = 10
VOTES: Final = 5
TABLES: Final = 6
#: Columns of a name, of a bar.
_NAME: Final = 28
_BAR: Final = 20


def agent_lines(report: AgentReport, width: int = 100) -> Iterator[Line]:
    """A section for each of N1, N2 and N3 that the trace has anything of; N3 of one that states what it asks about.
    Lines have at most `width` columns, or 60."""
    width = max(width, 60)
    if report.votes is not None:
        yield from _votes(report.votes, width)
    if report.drift is not None:
        yield from _drift(report.drift, width)
    if report.erasure is not None and report.erasure.annotated:
        yield from _erasure(report.erasure, width)


def _head(name: str, colour: str, title: str, size: str, width: int) -> Iterator[Line]:
    """An id, red where something was found, its title, and what was looked at."""
    yield line()
    yield line("  ", (name, f"bold {colour}"), "  ", (title, "bold"))
    yield from folded(size, "    ", width, "dim")


def _fitted(width: int, *parts: tuple[str, str] | str) -> Iterator[Line]:
    """A line of pieces, or without styles as many as it takes."""
    whole = line(*parts)
    if columns(whole.plain) <= width:
        yield whole
    else:
        yield from folded(whole.plain.strip(), "    ", width, hang="  ")


def _share(text: str, share: float, width: int) -> Iterator[Line]:
    """A text with a share, and a bar for it where there is room."""
    bar = "█" * round(share * _BAR) or ("▏" if share else "")
    if 4 + len(text) + 2 + len(bar) <= width:
        yield line(f"    {text}", "  ", (bar, "red"))
    else:
        yield from folded(text, "    ", width, hang="  ")


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _percent(share: float) -> str:
    """A share; what is not all does not look like it, nor what is not nothing like nothing."""
    if 0 < share < 0.0005:
        return "< 0.1%"
    return "> 99.9%" if 0.9995 <= share < 1 else f"{100 * share:.1f}%"


# -- names -------------------------------------------------------------------------------------------------------------
def _name(text: str, limit: int = _NAME) -> str:
    return cut(visible(text), limit)


def _txn(name: str | None) -> str:
    return _name(txn_name(name))


def _partition(partition: object) -> str:
    return partition_text(cast(Partition, partition))


def _item(item: object) -> str:
    return item_text(cast(Item, item))


def _key(key: object) -> str:
    """(R, θ), a structured θ by its prompt."""
    reads, theta = cast("tuple[str, str]", key)
    value = json_value(theta)
    if isinstance(value, dict):
        value = value.get("prompt", "θ")
    return f"({_name(name_text(reads))}, {_name(name_text(value) if isinstance(value, str) else shown(theta))})"


def _place(event: int, of_line: int | None) -> str:
    return f"event {event:,}" if of_line is None else f"line {of_line:,}"


# -- N1 ----------------------------------------------------------------------------------------------------------------
def _votes(votes: Votes, width: int) -> Iterator[Line]:
    size = f"{_counted(votes.calls, 'committed judge call')} at {_counted(votes.keys, 'key')}"
    size += f", {votes.repeated:,} of them called more than once"
    if votes.unknown:
        size += f"; the vote of {_counted(votes.unknown, 'call')} is not known"
    colour = "red" if votes.differing else "yellow" if votes.undecided else "green"
    yield from _head("N1", colour, "judge-replay inconsistency, by key", size, width)
    share = votes.differing / votes.repeated if votes.repeated else 0.0
    said = f" ({_percent(share)} of those called more than once)" if votes.differing else ""
    yield from _share(f"{_counted(votes.differing, 'key')} with different votes{said}", share, width)
    if votes.undecided:
        more = "more key" if votes.differing else "key"
        text = f"{_counted(votes.undecided, more)} called more than once without all votes known: undecided"
        yield from folded(text, "    ", width, "yellow")
    groups = votes.first
    if votes.differing_observed != votes.differing:
        text = f"{_counted(votes.differing_observed, 'key')} if all calls count, committed or not (N1[observed])"
        yield from folded(text, "    ", width, "" if votes.differing else "yellow")
        groups = groups or votes.first_observed
    for group in groups:
        yield from _group(group, width)


def _group(group: VoteGroup, width: int) -> Iterator[Line]:
    unknown = f", {group.unknown:,} of them unknown" if group.unknown else ""
    size = f"{_counted(group.calls, 'call')}{unknown}, {_counted(group.different, 'different vote')}"
    yield from _fitted(width, "    ", (_key(group.key), "bold"), "  ", (size, "dim"))
    for vote in group.votes[:VOTES]:
        text = f"{_name(str(vote.vote))}: {vote.count:,} ×, first by {_call(vote.first)}"
        if vote.count > 1:
            text += f", last by {_call(vote.last)}"
        yield from folded(text, "      ", width, hang="  ")
    left = group.different - min(VOTES, len(group.votes))
    if left:
        yield line((f"      and {_counted(left, 'more vote')}", "dim"))


def _call(call: Call) -> str:
    session = "" if call.session is None else f" of session {_name(name_text(call.session))}"
    return f"{_txn(call.transaction)}{session} ({_place(call.event, call.line)})"


# -- N2 ----------------------------------------------------------------------------------------------------------------
def _drift(drift: Drift, width: int) -> Iterator[Line]:
    size = f"{_counted(drift.partitions, 'partition')} (subject, predicate)"
    colour = "red" if drift.affected else "green"
    yield from _head("N2", colour, "belief-drift skew, by partition", size, width)
    pairs = f", {_counted(drift.pairs, 'pair')} of transactions" if drift.affected else ""
    said = f"{_counted(drift.affected, 'partition')} with N2{pairs}"
    yield from _share(said, drift.affected / drift.partitions, width)
    if drift.affected_lifted:
        text = f"{_counted(drift.affected_lifted, 'partition')} with N2[lifted], the partition as one item"
        yield from folded(f"{text}: {_counted(drift.lifted_pairs, 'pair')}", "    ", width)
    rows = drift.rows[:PARTITIONS]
    if rows:
        yield from _partitions(rows, width)
        if drift.affected_any > len(rows):
            yield line((f"    and {_counted(drift.affected_any - len(rows), 'more partition')}", "dim"))
        yield from _first(rows[0], width)


_HEADS: Final = ("read by", "written by", "pairs", "lifted")
_SHORT: Final = ("reads", "writes", "pairs", "lifted")


def _partitions(rows: tuple[PartitionDrift, ...], width: int) -> Iterator[Line]:
    """A table: transactions that read and wrote each partition, pairs with N2, with N2[lifted]."""
    heads = _HEADS if width >= 70 else _SHORT
    cells = [[f"{n:,}" for n in (row.readers, row.writers, row.pairs, row.lifted_pairs)] for row in rows]
    wides = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    room = max(width - 4 - sum(wides) - 2 * len(wides), len("partition"))
    # A cut name takes one column more than its limit, or two.
    names = [cut(visible(_partition(row.partition)), room - 2) for row in rows]
    first = max(len("partition"), *(round(columns(name)) for name in names))
    titles = "".join(f"  {head:>{wide}}" for head, wide in zip(heads, wides, strict=True))
    yield line((f"    {'partition':<{first}}{titles}", "dim"))
    for name, row, row_cells in zip(names, rows, cells, strict=True):
        padded = [f"  {cell:>{wide}}" for cell, wide in zip(row_cells, wides, strict=True)]
        pad = " " * max(first - round(columns(name)), 0)
        yield line(f"    {name}{pad}", *padded[:2], (padded[2], "red" if row.pairs else "dim"), (padded[3], "dim"))


def _first(row: PartitionDrift, width: int) -> Iterator[Line]:
    skew = row.first or row.lifted_first
    if skew is None:
        return
    one, other = map(_txn, skew.transactions)
    x, y = (_name(_item(item)) for item in skew.items)
    at = [_place(event, skew.lines[n] if skew.lines else None) for n, event in enumerate(skew.events)]
    did = "overwrote it" if row.first is not None else "wrote the partition behind that"
    said = f"{one} read {x} ({at[0]}), {other} {did} ({at[1]}); {other} read {y} ({at[2]}), {one} {did} ({at[3]})"
    yield from folded(f"First in {_name(_partition(row.partition))}: {said}.", "    ", width, hang="  ")


# -- N3 ----------------------------------------------------------------------------------------------------------------
_ROWS: Final = {
    "current": "current rows",
    "closed": "+ closed rows",
    "history": "+ history log",
    "audit": "+ audit rows",
}


def _erasure(erasure: Erasure, width: int) -> Iterator[Line]:
    whole = erasure.surfaces[-1]
    size = (
        f"{_counted(erasure.overwritten, 'fact version')} overwritten or deleted; erased where no row says its source:"
    )
    colour = "red" if whole.erased else "green"
    yield from _head("N3", colour, f"audit erasure, by surface ({erasure.facet})", size, width)
    wide = max(len(f"{surface.erased:,}") for surface in erasure.surfaces)
    for surface in erasure.surfaces:
        text = f"on {_ROWS[surface.part]:<14} {surface.erased:>{wide},}  {_percent(surface.share):>7}"
        yield from _share(text, surface.share, width)
    lost = [f"{_name(name_text(one.table))} {one.erased:,} of {one.overwritten:,}" for one in whole.tables]
    if whole.erased:
        yield from folded(f"Erased, by table: {listed(lost, TABLES)}", "    ", width, hang="  ")
    kept = [f"{_name(name_text(one.table))} ({one.part}) {one.rows:,}" for one in erasure.kept]
    yield from folded(f"Rows kept, by table: {listed(kept, TABLES) or 'none'}", "    ", width, "dim", hang="  ")
    for version in whole.first:
        yield from folded(_version(version), "    ", width, hang="  ")


def _version(version: ErasedVersion) -> str:
    did = "deleted" if version.deleted else "overwritten"
    prov = "" if version.provenance is None else f", prov {_name(version.provenance)},"
    written = "" if version.written is None else f" ({_place(version.written, version.lines[0])})"
    # Always `item@label`: a label right behind a name (`x0`) reads as a part of one that has a blank or a dash.
    name = _name(f"{_item(version.item)}@{label_text(version.version)}" if version.version else _item(version.item))
    over = f"{_txn(version.overwriter)} ({_place(version.overwritten, version.lines[1])})"
    return f"{name} of {_txn(version.writer)}{written}{prov} was {did} by {over}{_dropped(version)}"


def _dropped(version: ErasedVersion) -> str:
    """Who dropped the source; nothing of a version that states none, and of one whose row is gone with the first."""
    if version.provenance is None or version.deleted:
        return ""
    if version.dropped == version.overwritten:
        return ", which dropped its source"
    if version.dropped_by is None or version.dropped is None:
        return ", which kept its source, as all later versions do; none of them is kept"
    by = f"{_txn(version.dropped_by)} ({_place(version.dropped, version.lines[2])})"
    return f", which kept its source, and dropped by {by}"


__all__ = ["agent_lines", "agent_object"]
