"""The report on a history that people read: what it is, which session levels it is at, what refutes the others."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Item, Schedule
from ..histories.checked import Checked, Refuted
from ..histories.columns import ABORTED, UNKNOWN, History
from ..histories.named import in_words
from ..histories.to_schedule import labels_of
from ..notation.names import item_text
from ..notation.printer import keyword_lines, print_events
from .lanes import lanes
from .line import Line, folded, line
from .text import MARKS

#: Places of one kind of finding that are listed.
LISTED = 3
#: Sentences of so many characters stay as they are; in longer ones names are cut to that many.
_SENTENCE, _NAME = 200, 60


class Shortened:
    """Sentences about a history, in which its long names (of keys, values, transactions, sessions) are cut."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._long: list[str] | None = None

    def __call__(self, text: str) -> str:
        """The sentence, with `…` at the end of each name of the history that is cut."""
        if len(text) <= _SENTENCE:
            return text
        if self._long is None:
            history = self._history
            columns = (history.keys, history.values, history.transactions, history.sessions)
            names = {name for column in columns for name in column if len(name) > _NAME}
            self._long = sorted(names, key=len, reverse=True)
        for name in self._long:
            text = text.replace(name, f"{name[: _NAME - 1]}…")
        return text


def history_lines(checked: Checked, width: int = 100, limit: int = LISTED) -> Iterator[Line]:
    """The whole report on one history."""
    short = Shortened(checked.history)
    yield from _head(checked)
    yield _levels(checked)
    for warning in checked.history.warnings:
        yield from folded(f"! {short(warning)}", "  ", width, "yellow", hang="  ")
    for finding in checked.findings:
        yield line()
        title = f"{finding.count:,} times" if finding.count > 1 else "once"
        yield line("  ", (finding.kind, f"bold {'red' if finding.refutes else 'yellow'}"), (f"  {title}", "dim"))
        yield from folded(short(finding.text), "    ", width, hang="  ")
        if finding.count > 1 and limit:
            yield from folded(_places(checked, finding.places, limit), "    ", width, "dim", hang="  ")
    for refuted in checked.refuted:
        yield from _refuted(checked, refuted, width, short)
    for name, reason in checked.reasons.items():
        yield from folded(f"? {name} is undecided: {short(reason)}", "  ", width, "yellow", hang="  ")


def _head(checked: Checked) -> Iterator[Line]:
    history = checked.history
    mark, colour = MARKS[checked.ok]
    left = [
        f"{count:,} {what}"
        for what, count in (
            ("aborted", int((history.outcome == ABORTED).sum())),
            ("of unknown outcome", int((history.outcome == UNKNOWN).sum())),
        )
        if count
    ]
    rest = f" ({', '.join(left)})" if left else ""
    size = (
        f"{_counted(len(history.session), 'transaction')}{rest} in {_counted(checked.sessions, 'session')}, "
        f"{_counted(history.size, 'operation')} on {_counted(len(history.keys), 'key')}"
    )
    yield line((mark, f"bold {colour}"), " ", (history.source, "bold"), (f"  {history.format}: {size}", "dim"))


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _levels(checked: Checked) -> Line:
    pieces: list[tuple[str, str] | str] = ["  session levels", ", in real time " if checked.verdict.realtime else " "]
    for name, holds in checked.levels.items():
        mark, colour = MARKS[holds]
        pieces += [" ", (f"{name} {mark}", colour), " "]
    return line(*pieces)


def _places(checked: Checked, places: tuple[tuple[int, ...], ...], limit: int) -> str:
    line_of = checked.history.line
    shown = [str(int(line_of[place[0]])) for place in places[:limit]]
    return f"lines {', '.join(shown)}{', …' if len(places) > limit else ''}"


def _refuted(checked: Checked, refuted: Refuted, width: int, short: Shortened) -> Iterator[Line]:
    yield line()
    also = f" (so not {', '.join(refuted.also)} either)" if refuted.also else ""
    yield line("  ", (f"Not {refuted.level}", "bold red"), (also, "dim"))
    for paragraph in refuted.text.split("\n"):
        yield from folded(short(paragraph), "    ", width, hang="  ")
    if refuted.part is None:
        return
    whole = refuted.part.size == checked.history.size
    what = "It is all needed" if whole else "The smallest part found that shows it"
    what += ", in real time" * checked.verdict.realtime
    size = f"{_counted(len(refuted.part.session), 'transaction')}, {_counted(refuted.part.size, 'operation')}"
    names = in_words(refuted.phenomena)
    yield from folded(f"{what}: {size}{f'; it shows {names}' if names else ''}", "    ", width, "dim", hang="  ")
    if refuted.schedule is not None:
        yield from _drawn(refuted.part, refuted.schedule, width)


def _drawn(part: History, schedule: Schedule, width: int) -> Iterator[Line]:
    """The part as a picture, where it fits, and what a picture does not say: sessions, the version order where it is
    not that of the commits, values that no label can be."""
    drawn = lanes(schedule, width - 6)
    yield from (line(f"      {row}") for row in drawn)
    if not drawn:
        yield from folded(print_events(schedule).replace("\n", " "), "      ", width)
    by_commits = Schedule(schedule.events, init=schedule.init, sessions=schedule.sessions).resolved.order
    orders = {
        item: labels for item, labels in schedule.order.items() if schedule.resolved.order[item] != by_commits[item]
    }
    for text in keyword_lines(Schedule(schedule.events, order=orders, sessions=schedule.sessions))[0]:
        yield from folded(text, "      ", width, "dim")
    named = [
        f"{item_text(Item('facts', part.keys[int(part.version_key[version])]))}@{label} is {part.values[version]}"
        for version, label in enumerate(labels_of(part))
        if version >= len(part.keys) and label == f"v{version}" and part.values[version] != label
    ]
    if named:
        yield from folded(", ".join(named), "      ", width, "dim")
