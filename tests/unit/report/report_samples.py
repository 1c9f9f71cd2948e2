"""Schedules for the tests of the reports: one of each outcome, and names that try to break out."""

from __future__ import annotations

from toki_verify.checker import check
from toki_verify.events import Commit, Item, Judge, Predicate, PredicateRead, Read, Row, Schedule, Write
from toki_verify.verdict import Verdict

LOST_UPDATE = "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1"
SERIAL = "r1[x0] w1[x1] c1 r2[x1] w2[x2] c2"
UNKNOWN_VOTE = "j1(R, theta)=0 c1 j2(R, theta) c2"
HOSTILE = [
    '"]]><script>alert(1)</script>',
    "%0A::error::",
    "::error title=x,y::z",
    "a\nb\r\nc",
    "\x01\x1b[31m\x7f\u0085",
    "\U0001f389 漢字 é",
    "\u202eשלום \u2066x",
    "x' onload='y",
    "--> ]]& &amp; &#35; #35;",
    "a`b`|end|\\n\\",
    "\ufffe\uffff",
    "\u2028\u2029",
    "?>-->*/",
    "long" * 200,
]


def lost_update(name: str) -> Schedule:
    """A lost update in which everything that has a name has this one."""
    item, txn = Item(name, name), name
    return Schedule(
        [
            Read("1", item, "0"),
            Read(txn, item, "0"),
            PredicateRead(txn, Predicate(name, name), (Row(item, "0"),)),
            Write(txn, item, "1", value='"v"', predicates=(name,)),
            Judge(txn, name, '"theta"', "0"),
            Commit(txn),
            Write("1", item, "2"),
            Commit("1"),
        ],
        name=name,
    )


def verdict(text: str, **options: object) -> Verdict:
    """The verdict of a text."""
    return check(Schedule.parse(text), **options)  # type: ignore[arg-type]
