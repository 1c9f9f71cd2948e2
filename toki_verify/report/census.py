"""The counts of a census as tables: schedules per size and level, and phenomenon × level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from ..levels import family
from ..search.census_counts import CensusBounds, CensusResult, Counts

_OVER = (
    "reads, writes, commits and aborts; every version that a read may see; the default version order; "
    "no predicate reads, judge calls, callbacks, partitions or sessions"
)


class _Table(NamedTuple):
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def range_text(bounds: CensusBounds) -> str:
    """What a census ranges over, in words."""
    events = f"{bounds.events}" if len(bounds.sizes) == 1 else f"{bounds.sizes[0]} to {bounds.sizes[-1]}"
    return (
        f"every complete schedule of {events} events, with at most {_some(bounds.transactions, 'transaction')} "
        f"and {_some(bounds.items, 'item')}, once up to renaming"
    )


def _some(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _tables(result: CensusResult) -> Iterator[_Table]:
    """Per family: the schedules of every size and level, then the phenomena."""
    total = result.total
    for name in result.bounds.families:
        levels = family(name).levels
        # A family whose weakest level refuses schedules has a column for all.
        columns = [level.full_id for level in levels]
        head = [level.id for level in levels]
        if all(total.levels.get(column) != total.schedules for column in columns):
            columns, head = ["", *columns], ["all", *head]

        def counts(found: Counts, columns: Sequence[str] = columns) -> list[str]:
            return [_count(found.levels.get(column, 0) if column else found.schedules) for column in columns]

        def cells(phenomenon: str, columns: Sequence[str] = columns) -> list[str]:
            shown = total.phenomena[phenomenon]
            return [_count(total.cells.get((column, phenomenon), 0) if column else shown) for column in columns]

        sizes = [[str(events), *counts(found)] for events, found in result.sizes.items()]
        if len(sizes) > 1:
            sizes.append(["total", *counts(total)])
        yield _Table(f"schedules at each level of family {name}", ["events", *head], sizes)
        rows = [[entry, *cells(entry)] for entry in total.phenomena]
        if rows:
            yield _Table(f"of these, those that show each phenomenon ({name})", ["phenomenon", *head], rows)


def _count(number: int) -> str:
    return f"{number:,}"


def _never(result: CensusResult) -> str:
    return f"no schedule shows {', '.join(result.never)}" if result.never else "every phenomenon is shown"


def census_text(result: CensusResult, width: int) -> str:
    """The tables as text of at most so many columns; a table that is wider goes on below."""
    lines = _wrapped(f"{_count(result.total.schedules)} schedules: {range_text(result.bounds)}", width)
    lines += _wrapped(f"({_OVER})", width)
    for table in _tables(result):
        lines += ["", table.title, *_plain(table, width)]
    return "\n".join([*lines, "", *_wrapped(_never(result), width)]) + "\n"


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines; ids such as causality-violation stay whole."""
    return wrap(text, width, break_on_hyphens=False)


def _plain(table: _Table, width: int) -> Iterator[str]:
    rows = [table.head, *table.rows]
    wide = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    first = 1
    while first < len(wide):
        last, used = first, 2 + wide[0]
        while last < len(wide) and (used + 2 + wide[last] <= width or last == first):
            used += 2 + wide[last]
            last += 1
        if first > 1:
            yield ""
        for row in rows:
            cells = "".join(f"  {row[column]:>{wide[column]}}" for column in range(first, last))
            yield f"  {row[0]:<{wide[0]}}{cells}"
        first = last


def census_markdown(result: CensusResult) -> str:
    """The tables in Markdown."""
    lines = [f"{_count(result.total.schedules)} schedules: {range_text(result.bounds)}", "", f"({_OVER})"]
    for table in _tables(result):
        lines += ["", f"**{table.title}**", "", *_markdown(table)]
    return "\n".join([*lines, "", _never(result)]) + "\n"


def _markdown(table: _Table) -> Iterator[str]:
    yield _row(table.head)
    yield _row(["---", *["---:"] * (len(table.head) - 1)])
    yield from map(_row, table.rows)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


__all__ = ["census_markdown", "census_text", "range_text"]
