"""Every axiom of the unbounded reading holds in the concrete reading, on every small schedule and every shipped one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pytest

from toki_verify.events import Schedule
from toki_verify.notation import parse_text
from toki_verify.relations.algebra import Formula, Identity, Sort, domain, some, txn
from toki_verify.relations.axioms import AXIOMS
from toki_verify.relations.base import (
    before,
    committed,
    committed_before,
    concurrent,
    dominated_by,
    ended_before,
    fact,
    final,
    initial,
    installed,
    item_read,
    judge,
    kept_audit,
    kept_closed,
    kept_current,
    kept_history,
    matched,
    matches,
    of_txn,
    other_vote,
    reads_from,
    row_from,
    same_item,
    same_key,
    same_txn,
    start,
    unmatched,
    version_order,
    write,
)
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import next_version, rw, seen_from, wr
from toki_verify.relations.formulas import Named
from toki_verify.search.census import Alphabet, census

PREDICATES = {"predicates": True, "deletes": True, "unmatched": True, "partition": True}
SMALL = {
    "classical-4-orders": (4, Alphabet(), False, True),
    "classical-5-complete": (5, Alphabet(transactions=2), True, True),
    "predicates-3": (3, Alphabet(predicates=True, deletes=True, unmatched=True, partition=True), False, True),
    "predicates-4-complete": (4, Alphabet(transactions=2, **PREDICATES), True, True),
    "judges-3": (3, Alphabet(writes=False, items=1, judges=True, callbacks=True), False, False),
    "await-3": (3, Alphabet(items=1, callbacks=True), False, False),
}
LARGE = {
    "classical-5": (5, Alphabet(), False, True),
    "predicates-4-three": (4, Alphabet(items=1, **PREDICATES), False, True),
    "predicates-5-complete": (5, Alphabet(transactions=2, items=1, **PREDICATES), True, True),
    "judges-4": (4, Alphabet(reads=False, writes=False, judges=True), False, False),
}


def broken(formulas: Iterable[Formula], schedules: Iterable[Schedule]) -> list[str]:
    """The names of formulas that do not hold of some schedule, with the first such schedule."""
    left = list(formulas)
    found = []
    for schedule in schedules:
        concrete = Concrete(schedule)
        for formula in [formula for formula in left if not concrete.holds(formula)]:
            found.append(f"{getattr(formula, 'name', '')}: {schedule} {dict(schedule.order)}")
            left.remove(formula)
        if not left:
            break
    return found


def named() -> list[Formula]:
    return [Named(axiom.name, axiom.formula) for axiom in AXIOMS]


def shipped() -> Iterator[Schedule]:
    for file in sorted(Path("schedules").rglob("*.sched")):
        yield from parse_text(file.read_text(encoding="utf-8"), file=str(file))


def test_names_are_unique() -> None:
    names = [axiom.name for axiom in AXIOMS]
    assert len(set(names)) == len(names)
    assert all(axiom.source.startswith("SEMANTICS §") for axiom in AXIOMS)


def test_axioms_hold_of_every_shipped_schedule() -> None:
    assert broken(named(), shipped()) == []


@pytest.mark.parametrize("name", SMALL)
def test_axioms_hold_of_every_small_schedule(name: str) -> None:
    size, alphabet, complete, orders = SMALL[name]
    assert broken(named(), census(size, alphabet, complete=complete, orders=orders)) == []


@pytest.mark.heavy
@pytest.mark.parametrize("name", LARGE)
def test_axioms_hold_of_every_schedule_of_a_larger_census(name: str) -> None:
    size, alphabet, complete, orders = LARGE[name]
    assert broken(named(), census(size, alphabet, complete=complete, orders=orders)) == []


def test_axioms_hold_of_sessions_and_several_tables() -> None:
    texts = [
        "b1 w1[x1] c1 b2 r2[x1] c2 b3 c3\nsession s: 1 2 3",
        "w1[a:x1] r2[b:y0] c1 w2[b:y2] c2\nsession s: 2 1",
        "b1 c1",
        "b1",
    ]
    assert broken(named(), map(Schedule.parse, texts)) == []


#: Provenances, records, inserts, deletes and what stores keep; every axiom about them is true and not vacuously so.
ERASURE = (
    "w1[x1 prov p] c1 w2[x2 prov p+q] w2[+audit:e1 prov p] c2",
    "surface closed\ninit x0 prov 0\nw1[x1 prov p*p] c1 w2[-x2] c2 w3[+x3 prov p] c3 w4[history:h1 prov p] a4",
    "surface closed:facts history:log\nw1[y1] c1 r2[x0] w2[+x2] w2[-y2] w2[log:e1 prov 2*p] c2 w3[log:e2 prov p] c3",
    "surface current:a audit:b\ninit a:x0 prov p\ninit b:y0 prov p+q\n"
    "w1[a:x1 prov q] w1[c:z1] w1[judge_log:k1 prov p] c1",
)


def test_axioms_hold_of_what_stores_keep() -> None:
    assert broken(named(), map(Schedule.parse, ERASURE)) == []


_id = Identity(Sort.A)

#: What an axiom of each group could wrongly say.
WRONG = {
    "kinds": ~some(_id - ((item_read | write) | initial)),
    "kinds.matched": ~some(item_read - matched),
    "edge.committed": ~some((wr >> ((committed - initial) & domain(write))) - wr) & ~some(wr - (wr >> domain(~rw))),
    "same_txn": ~some(same_txn - (of_txn >> ~of_txn)),
    "initial": ~some(initial - domain(reads_from)),
    "committed": ~some(_id - committed),
    "final": ~some(write - final),
    "installed": ~some(final - installed),
    "order": ~some((write >> same_item >> write) - _id - (version_order | ~version_order)),
    "order.next": ~some(version_order - next_version),
    "order.before": ~some((write >> version_order) - before),
    "read": ~some(reads_from - same_txn - committed_before),
    "read.one": ~some((reads_from >> ~reads_from) - _id) & ~some((~reads_from >> reads_from) - _id),
    "row": ~some(row_from - reads_from),
    "own": ~some((seen_from & same_txn) & (before >> write >> before))
    & ~some((seen_from - same_txn) >> same_txn >> write),
    "before": ~some((same_txn - _id) - (before | ~before)),
    "ended": ~some(before - same_txn - ended_before),
    "ended.committed": ~some(ended_before - committed_before),
    "match": ~some((matched >> ~row_from) >> version_order) | ~some((matched >> ~row_from >> version_order) - matches),
    "match.unlisted": ~some(unmatched >> matches),
    "start": ~some(txn(before) - start),
    "concurrent": ~some(concurrent - start),
    "fact": ~some(write - fact),
    "fact.installed": ~some(fact - installed),
    "kept.current": ~some((fact & installed) - (kept_current | domain(version_order))),
    "kept.closed": ~some(kept_closed & domain(version_order)),
    "kept.record": ~some((installed - fact - initial) - (kept_history | kept_audit)),
    "below.antisymmetric": ~some((dominated_by & ~dominated_by) - _id),
    "below.identity": ~some(dominated_by - _id),
    "vote": ~some((same_key & (judge >> same_key >> judge)) - other_vote - _id),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_axioms_are_caught(name: str) -> None:
    """The suite can fail: a plausible, false fact of every group is refuted by a small schedule."""
    schedules = (
        schedule
        for size, alphabet, complete, orders in SMALL.values()
        for schedule in census(size, alphabet, complete=complete, orders=orders)
    )
    assert broken([WRONG[name]], chain(map(Schedule.parse, ERASURE), schedules))
