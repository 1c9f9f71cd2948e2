"""dbcop JSON (Biswas and Enea 2019): sessions of transactions of events, alone or as `data` of an object about the run.

What it was found to be, in dbcop's documentation and sources. Today's form: a transaction is `{"events": […],
"committed": true}`, an event `{"Write": {"variable": 0, "version": 1}}`, `{"Read": {"variable": 0, "version": null}}`
(null: the initial version), or compact `["w", 0, 1]`, `["r", 0, null]`. The form of 2019: `{"events": [{"write": true,
"variable": 0, "value": 1, "success": true}], "success": true}`; there 0 is the initial version, and an event without
success did not happen (it is left out, and counted). A transaction that is not committed is read as aborted; one with
both words, `committed` and `success`, has the same value for both. Sessions and transactions are named by their places,
`session.transaction`, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import orjson

from ...notation.jsontext import SHOWN, JsonFault, parse_json
from ..builder import Initial
from ..columns import ABORTED, COMMITTED, History
from .edn import scalar_name
from .faults import Fault, Faults, Text, empty, long_number
from .gather import Gather
from .jepsen import Misfit, Path, kind_of
from .json_places import Place, locate_all, may_repeat, places, repeated
from .json_source import decode

FORMAT: Final = "dbcop-json"
EXPECTED: Final = 'sessions of transactions {"events": [{"Write": {"variable": 0, "version": 1}}], "committed": true}'
_EVENTS: Final = re.compile(r'"events"\s*:')
#: A letter of that key as an escape.
_ESCAPED: Final = re.compile(r"\\u00(?:65|76|6[Ee]|74|73)")
_WORDS: Final = {True: "true", False: "false"}


def read(text: Text, faults: Faults, initial: Initial = "auto") -> History | None:
    """The history of a dbcop file, or None with faults."""
    long = long_number(text)
    if long is not None:
        faults.add(long, fatal=True)
        return None
    try:
        document, twice = _document(text)
    except JsonFault as fault:
        cut = " (the file may be cut off)" if fault.offset >= len(text.text.rstrip()) else ""
        faults.add(Fault(fault.offset, fault.what + cut, fault.expected, fault.rule), fatal=True)
        return None
    reading = _Reading(text, faults, twice)
    reading.document(document)
    reading.repeated_elsewhere()
    reading.place_faults()
    if not reading.gather.transactions and not faults.found:
        faults.add(empty(text, EXPECTED), fatal=True)
    if faults.found:
        return None
    left = reading.failed
    warned = (f"{left} event{'s' * (left > 1)} without success left out",) if left else ()
    return reading.gather.history(
        format=FORMAT, source=text.source, initial=initial, warnings=(*faults.warnings(), *warned)
    )


def _document(source: Text) -> tuple[object, list[Place]]:
    """The value of the file, and the keys that stand twice in an object. Raises JsonFault."""
    text = source.text
    start = len(text) - len(text.lstrip())
    try:
        value: object
        if source.inexact:
            value, end = decode(text, start)
            if text[end:].strip():
                raise ValueError
        else:
            value = orjson.loads(text)
    except ValueError:
        return parse_json(text).plain(), []
    return value, repeated(text, start) if may_repeat(text, start, len(text), value) else []


class _Reading:
    """The transactions so far, and the line of each. `twice`: keys that stand twice in an object."""

    def __init__(self, text: Text, faults: Faults, twice: list[Place]) -> None:
        self.text, self.faults, self.gather = text, faults, Gather()
        self.failed = 0
        self.twice: dict[Path, list[Place]] = {}
        for place in twice:
            transaction = place.path[: 3 if place.path[0] == "data" else 2]
            self.twice.setdefault(transaction, []).append(place)
        self.start = len(text.text) - len(text.text.lstrip())
        self.misfits: list[tuple[Fault, Path]] = []
        self.lines: Iterator[int] = iter(())

    def repeated(self, transaction: Path) -> bool:
        """Whether keys stand twice within a transaction: a fault for each."""
        return any([self._refuse(place, fatal=False) for place in self.twice.pop(transaction, ())])

    def repeated_elsewhere(self) -> None:
        """A fault for each key that stands twice around the transactions, which leaves open what the file is."""
        for found in self.twice.values():
            for place in found:
                self._refuse(place, fatal=True)

    def _refuse(self, place: Place, *, fatal: bool) -> bool:
        what = f"the key {str(place.path[-1])[:SHOWN]!r} stands twice in one object"
        self.faults.add(Fault(place.at, what, "each key once", "duplicate-key"), fatal=fatal)
        return True

    def bad(self, misfit: Misfit) -> None:
        """Collect a fault, to be placed later."""
        fault = Fault(self.start, misfit.what, misfit.expected, misfit.rule)
        self.misfits.append((fault, misfit.path))
        self.faults.add(fault)

    def place_faults(self) -> None:
        """Find where the faults stand that `bad` collected: once for all of them, as the whole text is gone through."""
        if self.misfits:
            found = locate_all(self.text.text, self.start, [path for _, path in self.misfits])
            for (fault, _), at in zip(self.misfits, found, strict=True):
                fault.at = at

    def document(self, document: object) -> None:
        """All of the file."""
        path: Path = ()
        if isinstance(document, dict):
            if "data" not in document:
                self.bad(Misfit((), "an object without 'data'", EXPECTED, "document"))
                return
            document, path = document["data"], ("data",)
        if not isinstance(document, list):
            self.bad(Misfit(path, kind_of(document), "an array of sessions", "document"))
            return
        self.lines = iter(self._lines(document, path))
        for number, session in enumerate(document):
            if not isinstance(session, list):
                self.bad(Misfit((*path, number), kind_of(session), "a session, an array of transactions", "document"))
                continue
            for place, transaction in enumerate(session):
                try:
                    self.transaction(transaction, (*path, number, place), str(number), f"{number}.{place}")
                except Misfit as misfit:
                    self.bad(misfit)
                if self.faults.over:
                    return

    def _lines(self, sessions: list[object], path: Path) -> list[int]:
        """The line of the `events` of each transaction that has them, in their order; `path` leads to the sessions.

        A search for the word finds them, unless it is a key elsewhere, too, or is written with escapes.
        """
        text = self.text.text
        begins = [match.start() for match in _EVENTS.finditer(text)]
        count = sum(_has_events(one) for session in sessions if isinstance(session, list) for one in session)
        if len(begins) != count or _ESCAPED.search(text):
            begins = [
                place.at
                for place in places(text, self.start)
                if place.key and not place.repeated and _leads_to_events(place.path, path)
            ]
        return [self.text.line(at) for at in begins]

    def transaction(self, plain: object, path: Path, session: str, name: str) -> None:
        """One more. Raises Misfit, and then takes nothing of it."""
        if not isinstance(plain, dict) or "events" not in plain:
            what = "a transaction without 'events'" if isinstance(plain, dict) else kind_of(plain)
            raise Misfit(path, what, 'a transaction {"events": […], "committed": true}', "transaction")
        line = next(self.lines, 1)
        if self.twice and self.repeated(path):
            return
        done = _committed(plain, path)
        events = plain["events"]
        if not isinstance(events, list):
            raise Misfit((*path, "events"), kind_of(events), "an array of events", "transaction")
        found = [_event(one, (*path, "events", place)) for place, one in enumerate(events)]
        happened = [one for one in found if one is not None]
        self.failed += len(found) - len(happened)
        self.gather.add(self.gather.transaction(session, COMMITTED if done else ABORTED, name), happened, line)


def _has_events(transaction: object) -> bool:
    return isinstance(transaction, dict) and "events" in transaction


def _leads_to_events(path: Path, sessions: Path) -> bool:
    """Whether a path leads to the events of a transaction; `sessions` is the path to all sessions."""
    if len(path) != len(sessions) + 3 or path[-1] != "events" or path[:-3] != sessions:
        return False
    return isinstance(path[-3], int) and isinstance(path[-2], int)


def _committed(transaction: dict[str, object], path: Path) -> bool:
    """Whether a transaction committed. Raises Misfit."""
    flag = "committed" if "committed" in transaction else "success"
    if flag not in transaction:
        raise Misfit((*path, flag), "a transaction without 'committed'", "true or false", "transaction")
    done = _truth(transaction[flag], flag, (*path, flag), "transaction")
    if flag == "committed" and "success" in transaction:
        place = (*path, "success")
        if _truth(transaction["success"], "success", place, "transaction") is not done:
            what = f"{_WORDS[not done]} as 'success' of a transaction with {_WORDS[done]} as 'committed'"
            raise Misfit(place, what, "the same as 'committed'", "transaction")
    return done


def _truth(value: object, name: str, path: Path, rule: str) -> bool:
    """A value that is true or false. Raises Misfit."""
    if not isinstance(value, bool):
        raise Misfit(path, f"{kind_of(value)} as {name!r}", "true or false", rule)
    return value


def _event(one: object, path: Path) -> tuple[str, str, str | None] | None:
    """Kind, variable and version of an event; None if it did not happen. Raises Misfit."""
    happened = True
    if isinstance(one, list) and len(one) == 3 and one[0] in ("r", "w"):
        kind, variable, version = one
        places: tuple[Path, Path] = ((*path, 1), (*path, 2))
    elif isinstance(one, dict) and len(one) == 1 and isinstance(inner := one.get("Read", one.get("Write")), dict):
        kind, variable, version = ("r" if "Read" in one else "w"), inner.get("variable"), inner.get("version")
        name = "Read" if "Read" in one else "Write"
        if "success" in inner:
            what = f"'success' within {name!r}"
            raise Misfit((*path, name, "success"), what, "no such key: each event of this form has happened", "event")
        if type(variable) is int and type(version) is int:
            return kind, str(variable), str(version)
        places = ((*path, name, "variable"), (*path, name, "version"))
    elif isinstance(one, dict) and isinstance(one.get("write"), bool):
        kind, variable, version = ("w" if one["write"] else "r"), one.get("variable"), one.get("value")
        happened = _truth(one.get("success", True), "success", (*path, "success"), "event")
        places = ((*path, "variable"), (*path, "value"))
    else:
        expected = '{"Read": {"variable": 0, "version": 1}} or {"Write": …}'
        raise Misfit(path, f"{kind_of(one)} that is no event" if one else kind_of(one), expected, "event")
    key, value = scalar_name(variable), scalar_name(version)
    if key is None:
        raise Misfit(places[0], f"{kind_of(variable)} as a variable", "an integer or a string", "event")
    if value is None and (kind == "w" or version is not None):
        raise Misfit(places[1], f"{kind_of(version)} as a version", "an integer or a string", "event")
    return (kind, key, value) if happened else None
