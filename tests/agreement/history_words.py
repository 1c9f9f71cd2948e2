"""Sentences about levels that fail, held against a case: each read and write that they name stands at its
line, what they say of sessions, real time and version orders is so, chains lead where they are to lead, and the
sentences together are a cycle. Nothing of the deciders is used, nor the history as arrays."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from history_oracle import Case

from toki_verify.histories.columns import ABORTED

_VALUE = r"(\w)=(\w+) \(line (\d+)\)"
_DONE = rf"(reads|writes|appends) {_VALUE}"
_WRITER = r"which (?:T(\d+) wrote \(line (\d+)\)|the initial state wrote)"
_READ = rf"T(\d+) (reads) {_VALUE}, {_WRITER}"
_NAME = r"(T\d+|the initial state)"
LOST = ". Whichever commits second overwrites a version that it did not see: a lost update."


class Objection(Exception):
    """A sentence says what is not so."""


class Reader:
    """Sentences about one case."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.rows = [(t, *op) for t, txn in enumerate(case.txns, 1) for op in txn.ops]
        self.lines: set[int] = set()
        self.kinds: Counter[str] = Counter()
        self.known = self._known()
        self.later = self._later()

    def reason(self, text: str, level: str) -> None:
        """All of a level's sentences. Raises Objection."""
        if text.endswith(LOST):
            self._lost(text.removesuffix(LOST))
            return
        paragraphs = text.split("\n")
        if len(paragraphs) > 1:
            self._same(paragraphs[0], f"Every order of the versions closes one of {len(paragraphs) - 1} cycles.")
            paragraphs = [re.sub(r"^\d+\. ", "", paragraph) for paragraph in paragraphs[1:]]
        for paragraph in paragraphs:
            if not paragraph.endswith(". That is a cycle."):
                raise Objection(f"no cycle: {paragraph}")
            ends = [self._edge(part, level) for part in paragraph.removesuffix(". That is a cycle.").split("; ")]
            for (_, target), (source, _) in zip(ends, [*ends[1:], ends[0]], strict=True):
                self._same(target, source)

    def _edge(self, text: str, level: str) -> tuple[str, str]:
        """One sentence: what it puts before what."""
        if found := re.fullmatch(r"T(\d+) comes before T(\d+) in session (\w+)", text):
            self._session(*found.groups())
            return f"T{found[1]}", f"T{found[2]}"
        if found := re.fullmatch(r"the initial version of every key comes before (T\d+)", text):
            return "the initial state", found[1]
        if found := re.fullmatch(r"T(\d+) ended before T(\d+) began", text):
            self._times(*found.groups())
            return f"T{found[1]}", f"T{found[2]}"
        if found := re.fullmatch(rf"{_READ}: {_NAME} before {_NAME}", text):
            self._read(*found.groups()[:7])
            self._same(found[8], f"T{found[6]}")
            self._same(found[9], f"T{found[1]}")
            self.kinds["wr"] += 1
            return found[8], found[9]
        if found := re.fullmatch(
            rf"{_READ}, and must have seen T(\d+), which {_DONE}, (.*): {_NAME} before {_NAME}", text
        ):
            return self._forced(found.groups(), level)
        if found := re.fullmatch(rf"(if )?T(\d+) {_DONE},? and T(\d+) {_DONE}(.*): (.*)", text):
            return self._two(found.groups())
        raise Objection(f"not understood: {text}")

    def _forced(self, said: tuple[str, ...], level: str) -> tuple[str, str]:
        reader, verb, key, value, line, writer, write = said[:7]
        self._read(reader, verb, key, value, line, writer, write)
        seen, did, of, its, where, why, before, behind = said[7:]
        self._done(seen, did, of, its, where)
        if did == "reads" or of != key or writer == seen:
            raise Objection(f"T{seen} writes no other version of {key}")
        self._same(before, f"T{seen}")
        self._same(behind, f"T{writer}" if writer else "the initial state")
        if not why.startswith("because "):
            raise Objection(f"no reason: {why}")
        steps = why.removeprefix("because ").split(", and ")
        at = reader
        for step in steps:
            at = self._step(step, at, int(line) if level == "RC" or at == reader else 0, level)
        self._same(at, seen)
        if level in ("RC", "RA") and len(steps) > 1:
            raise Objection(f"{level} does not say what comes of several steps")
        self.kinds[f"forced by {len(steps)}"] += 1
        return before, behind

    def _step(self, text: str, at: str, line: int, level: str) -> str:
        """One step of a chain from T`at` back: whom it sees."""
        if found := re.fullmatch(r"T(\d+) is before T(\d+) in session (\w+)", text):
            self._same(found[2], at)
            self._session(*found.groups())
            self._same(level == "RC", False)
            return found[1]
        found = re.fullmatch(rf"T(\d+) (reads|has read) {_VALUE}, {_WRITER}", text)
        if found is None:
            raise Objection(f"not understood: {text}")
        self._same(found[1], at)
        self._read(found[1], "reads", *found.groups()[2:])
        self._same(found[2] == "has read", int(found[5]) < line)
        self._same(level == "RC" and found[2] != "has read", False)
        self._same(self.case.txns[int(at) - 1].outcome == ABORTED, False)
        self._same(found[6] is None, False)
        return found[6]

    def _two(self, said: tuple[str, ...]) -> tuple[str, str]:
        """ww and rw."""
        condition, one, verb, key, value, line, two, did, of, its, where, how, end = said
        self._done(one, verb, key, value, line)
        self._done(two, did, of, its, where)
        if did == "reads" or of != key or one == two:
            raise Objection(f"T{two} does not overwrite {key}={value}")
        chosen = bool(condition) or how == ", if this version is the later one"
        if not chosen and not condition:
            usual = " behind it" if self.case.append else " over it or later"
            self._same(how[: len(usual)], usual)
            self._since(how[len(usual) :], (one, two), (key, value, its), verb == "reads")
        elif condition:
            self._same(how, " in this order")
        self._same(end, f"T{one} did not see T{two}" if verb == "reads" else f"T{one} before T{two}")
        self.kinds[("rw" if verb == "reads" else "ww") + " chosen" * chosen] += 1
        return f"T{one}", f"T{two}"

    def _since(self, why: str, txns: tuple[str, str], pair: tuple[str, str, str], anti: bool) -> None:
        """Why one version of a key is later than another: since a transaction wrote right behind what it read."""
        if pair in self.known:
            self._same(why, "")
            return
        found = re.fullmatch(
            rf", since T(\d+) has read {_VALUE}(?:, {_WRITER})?(?:, then wrote {_VALUE})?"
            "(, and no version may stand between (?:that and its own|the two))?",
            why,
        )
        if found is None:
            raise Objection(f"no reason for {pair}: {why!r}")
        txn, key, seen, line, writer, write, again, value, place, between = found.groups()
        self._done(txn, "reads", key, seen, line)
        if between is None:
            self._same((txn, key, seen), (txns[1], *pair[:2]))
            self._same(anti, writer is not None)
        else:
            self._same(anti, again is not None)
            self._same((key, seen in (pair[1], pair[2])), (pair[0], False))
            owner = txn if anti else txns[0]
            self._same(txn, owner)
            self._same((key, seen, pair[2]) in self.later, True)
        if writer is not None and write is not None:
            self._done(writer, "appends" if self.case.append else "writes", key, seen, write)
        if again is not None:
            self._same((again, value), pair[:2])
            self._done(txn, "appends" if self.case.append else "writes", key, value, place)
        if pair not in self.later:
            raise Objection(f"{pair}: the second is not known to be later")
        self.kinds["since"] += 1

    def _lost(self, text: str) -> None:
        one = rf"T(\d+) {_DONE} and {_DONE}"
        found = re.fullmatch(f"{one}, and {one}", text)
        if found is None:
            raise Objection(f"not understood: {text}")
        said = found.groups()
        for txn, *done in (said[:9], said[9:]):
            self._done(txn, *done[:4])
            self._done(txn, *done[4:])
            if done[0] != "reads" or done[4] == "reads" or done[1] != done[5]:
                raise Objection(f"T{txn} does not overwrite what it read")
        self._same(said[0] != said[9] and said[2:4] == said[11:13], True)
        self.kinds["lost"] += 1

    def _read(
        self, txn: str, verb: str, key: str, value: str, line: str, writer: str | None, write: str | None
    ) -> None:
        self._done(txn, verb, key, value, line)
        self._same(value == "nil", writer is None)
        if writer is not None and write is not None:
            self._done(writer, "appends" if self.case.append else "writes", key, value, write)

    def _done(self, txn: str, verb: str, key: str, value: str, line: str) -> None:
        kind = {"reads": "r", "appends" if self.case.append else "writes": "w"}.get(verb)
        self._same(self.rows[int(line) - 1], (int(txn), kind, key, 0 if value == "nil" else int(value)))
        self.lines.add(int(line))

    def _session(self, one: str, two: str, session: str) -> None:
        a, b = self.case.txns[int(one) - 1], self.case.txns[int(two) - 1]
        self._same((str(a.session), str(b.session)), (session, session))
        self._same(int(one) < int(two), True)
        self.kinds["so"] += 1

    def _times(self, one: str, two: str) -> None:
        a, b = self.case.txns[int(one) - 1], self.case.txns[int(two) - 1]
        self._same(self.case.timed and -1 < a.ended < b.begun, True)
        self.kinds["rt"] += 1

    def _known(self) -> set[tuple[str, str, str]]:
        """(key, one, other): the value `other` is a later version of the key than `one`, as the order says, or since
        `one` is the initial version."""
        known: set[tuple[str, str, str]] = set()
        orders = dict(self.case.orders)
        for key in {key for _, _, key, _ in self.rows}:
            written = [value for _, kind, of, value in self.rows if (kind, of) == ("w", key)]
            order = orders.get(key, ())
            for one in (0, *written):
                for other in written:
                    place = order.index(one) if one in order else -1 if one == 0 else len(order)
                    last = order.index(other) if other in order else len(order)
                    if one == 0 or ((self.case.append or {one, other} <= set(order)) and place < last):
                        known.add((key, str(one or "nil"), str(other)))
        return known

    def _later(self) -> set[tuple[str, str, str]]:
        """What is known, and follows where a transaction writes right behind what it read (PSI and above)."""
        known, steps = set(self.known), set()
        for txn in self.case.txns:
            for key in {key for _, key, _ in txn.ops}:
                about = [(kind, value) for kind, of, value in txn.ops if of == key]
                own = {value for kind, value in about if kind == "w"}
                seen = [value for kind, value in about if kind == "r" and value not in own]
                if seen and own and txn.outcome != ABORTED:
                    steps |= {(key, str(seen[0] or "nil"), str(value)) for value in own}
        known |= steps
        own = {(t, key, str(value)) for t, kind, key, value in self.rows if kind == "w"}
        writer = {(key, value): t for t, key, value in own}
        while True:
            more = {(key, a, d) for key, a, b in known for of, c, d in known if (key, b) == (of, c)}
            more |= {
                (key, b, d)
                for key, a, b in steps
                for of, c, d in known
                if (key, a) == (of, c) and writer[key, b] != writer[key, d]
            }
            if more <= known:
                return known
            known |= more

    def _same(self, one: Any, other: Any) -> None:
        if one != other:
            raise Objection(f"{one!r} is not {other!r}")
