"""Alg1.* about votes, logs and callbacks again: line 14 as an elector with a log, schedules by the oracle."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

from .carriers import RINGS
from .machine import Machine, Row
from .model import Found, all_of, yes
from .oracles import at, shows
from .registry import second

FREE = RINGS["multidegree"]


class Elector:
    """Line 14 at one key after another: it asks, and appends what it hears; or it reads the log first (Corollary 2)."""

    def __init__(self, votes: tuple[int, ...], *, reads: bool, by: Any = frozenset) -> None:
        self.votes, self.reads, self.by = iter(votes), reads, by
        self.log: list[tuple[Any, str]] = []
        self.asked = 0

    def __call__(self, new: Row, old: Row) -> bool:
        """Whether the newcomer is elected."""
        key = self.by((old.id, new.id))
        known = [name for where, name in self.log if where == key]
        if self.reads and known:
            return known[0] == new.id
        self.asked += 1
        elected = (old.id, new.id)[next(self.votes)]
        self.log.append((key, elected))
        return elected == new.id


def crash_and_retry(votes: tuple[int, ...], *, reads: bool) -> tuple[str, str, int]:
    """b against a, a crash behind line 14, b again: what the log says first, who is believed, how often was asked."""
    elect = Elector(votes, reads=reads)
    a, b = Row("a", "x", (0, 2), 1, FREE.token("a")), Row("b", "y", (0, 2), 2, FREE.token("b"), strategy="rule")
    crashed = Machine(wins=elect)
    crashed.write(a)
    crashed.write(b)  # the rows of this transaction are lost, the log is not
    again = Machine(wins=elect)
    again.write(a)
    again.write(b)
    return elect.log[0][1], again.believed()[0].id, elect.asked


@second("Alg1.log")
def log(id: str) -> Found:
    """Every two votes, with the log appended to, or read first; the append inside of the transaction, or before it."""
    printed = {votes: crash_and_retry(votes, reads=False) for votes in product((0, 1), repeat=2)}
    reading = {votes: crash_and_retry(votes, reads=True) for votes in product((0, 1), repeat=2)}
    repaired = all(logged == current and asked == 1 for logged, current, asked in reading.values())
    says = [
        f"votes {list(votes)}: the log says {logged}, the table has {current}"
        for votes, (logged, current, _) in printed.items()
        if logged != current
    ]
    says.append(f"acts on the logged one: {yes(repaired)}")
    for text in ("j1(R, theta)=1 a1 j2(R, theta)=0 c2", "j1(R, theta)=1 c1 j2(R, theta)=0 c2"):
        says.append(f"{text}: N1: {yes(shows(text, 'N1'))}, N1[observed]: {yes(shows(text, 'N1[observed]'))}")
    return Found(all_of([all(logged == current for logged, current, _ in printed.values()), repaired]), tuple(says))


@second("Alg1.log-key")
def log_key(id: str) -> Found:
    """The keys of both orders of arrival: the pair in its order (C.5), and the set (§3.2)."""
    keys = {}
    for by in (tuple, frozenset):
        for names in ("ab", "ba"):
            elect = Elector((1,), reads=False, by=by)
            table = Machine(wins=elect)
            for at_, name in enumerate(names, 1):
                table.write(Row(name, "xy"["ab".index(name)], (0, 2), at_, FREE.token(name), strategy="rule"))
            ((keys[by, names], _),) = elect.log
    same = [keys[by, "ab"] == keys[by, "ba"] for by in (tuple, frozenset)]
    says = tuple(f"R = ({', '.join(keys[tuple, names])})" for names in ("ab", "ba"))
    return Found(all_of(same), (*says, f"finds it: {yes(same[1])}"))


@second("Alg1.log-version")
def log_version(id: str) -> Found:
    """A fact, another, and a revision of the first: how many questions there are, and how many are asked."""
    elect = Elector((1, 1), reads=True)
    questions = []

    def wins(new: Row, old: Row) -> bool:
        questions.append((old.object, new.object))
        return elect(new, old)

    table = Machine(wins=wins)
    for at_, (name, value) in enumerate((("a", "x"), ("b", "y"), ("a", "z")), 1):
        table.write(Row(name, value, (0, 2), at_, FREE.token(name), strategy="rule"))
    (belief,) = table.believed()
    says = (
        " and ".join(f"{f} or {g}" for f, g in questions),
        f"asked {elect.asked} time(s)",
        f"{belief.id} = {belief.object}",
    )
    return Found("holds" if elect.asked == len(set(questions)) else "refuted", says)


def splits(text: str) -> list[tuple[str, str]]:
    """Every way to read 'winner | loser'."""
    places = [place for place in range(len(text)) if text.startswith(" | ", place)]
    return [(text[:place], text[place + 3 :]) for place in places]


@second("Alg1.witness")
def witness(id: str) -> Found:
    """Texts that can be read in two ways, and JSON read back."""
    objects = ["".join(found) for size in range(5) for found in product("a| ", repeat=size)]
    ambiguous = sorted({f"{w} | {o}" for w, o in product(objects, repeat=2)}, key=len)
    two = [text for text in ambiguous if len([s for s in splits(text) if s[0] != s[1]]) > 1]
    json_exact = all(json.loads(json.dumps([w, o])) == [w, o] for w, o in product(objects[:40], repeat=2))
    shortest = two[0] if two else ""
    says = tuple(f"{w!r} won against {o!r}: {shortest!r}" for w, o in splits(shortest) if w != o)
    return Found(all_of([not two, json_exact]), (*says, f"the JSON of §3.4 does: {yes(json_exact)}"))


@second("Alg1.callback")
def callback(id: str) -> Found:
    """An election's schedule, with line 14 as a judge call, and as a delivered callback."""
    says, fine = [], []
    for name, event in (("judge_log", "j1(R, theta)=1"), ("callback_log", "cb1(R, h, 1)")):
        text = f"r1[x0] {event} w1[x1 by await] c1"
        fine.append(at(text, "RC+cb") and not shows(text, "CB"))
        says.append(f"row of {name}: {text}; at RC+cb: {yes(at(text, 'RC+cb'))}, shows CB: {yes(shows(text, 'CB'))}")
    return Found(all_of(fine), tuple(says))
