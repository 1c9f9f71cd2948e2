"""Facts true of every well-formed schedule, as formulas of the relational language (SEMANTICS §1, §2).

What the unbounded reading may assume of the base relations, since it knows nothing of events. They are data like the
definitions, so the concrete reading checks them on every small schedule. An inclusion is said as the emptiness of a
difference. A fact marked `represented` is not printed for a solver: the unbounded reading builds it in, by reading
`same_item` as "both are on an item, and item(a) = item(b)".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .algebra import Formula, Identity, Sort, Term, domain, irreflexive, some, txn
from .base import (
    aborted,
    before,
    by_await,
    callback,
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
    log_fill,
    matched,
    matches,
    of_txn,
    other_vote,
    partition_final,
    reads_from,
    row_from,
    same_event,
    same_item,
    same_key,
    same_partition,
    same_predicate,
    same_txn,
    session,
    start,
    unknown_vote,
    unmatched,
    version_order,
    write,
    writer,
)
from .edges import EDGES, changes_match, dsg, log_from, log_row, log_seen, next_version, program_order, seen_from


@dataclass(frozen=True)
class Axiom:
    """A fact about the base relations: its name, the formula, and the rule of SEMANTICS that it says."""

    name: str
    formula: Formula
    source: str
    represented: bool = False


def _empty(of: Term) -> Formula:
    return ~some(of)


def _within(one: Term, other: Term) -> Formula:
    return _empty(one - other)


_id = Identity(Sort.A)
_version = write | initial
_row = matched | unmatched
_on_item = ((item_read | unmatched) | write) | initial
_own_item = same_txn & same_item
_later_in_txn = program_order & same_item
#: All pairs of accesses, but for a schedule of initial versions alone, which has no events.
_any = ((before | ~before) | same_event) | (initial >> before >> ~before >> initial)
_not_before = _any - before
_reader = item_read | unmatched
_record = kept_history | kept_audit

_KINDS: Final = {
    "item_read": item_read,
    "unmatched": unmatched,
    "write": write,
    "initial": initial,
    "judge": judge,
    "callback": callback,
}
_EQUIVALENCES: Final = (
    ("same_txn", same_txn, _id),
    ("same_event", same_event, _id),
    ("same_item", same_item, _on_item),
    ("same_partition", same_partition, None),
    ("same_predicate", same_predicate, _row),
    ("same_key", same_key, judge),
)


def _kinds() -> list[Axiom]:
    names = list(_KINDS)
    found = [
        Axiom(f"kinds.{one}-{other}", _empty(_KINDS[one] & _KINDS[other]), "SEMANTICS §5: an access is of one kind")
        for place, one in enumerate(names)
        for other in names[place + 1 :]
    ]
    every: Term = item_read
    for name in names[1:]:
        every = every | _KINDS[name]
    return [
        *found,
        Axiom("kinds.all", _within(_id, every), "SEMANTICS §5: the kinds of accesses"),
        Axiom("kinds.matched", _within(matched, item_read), "SEMANTICS §1: listed rows are read as items too"),
    ]


def _equivalences() -> list[Axiom]:
    source = "SEMANTICS §5: what accesses share"
    found = []
    for name, relation, on in _EQUIVALENCES:
        found.append(Axiom(f"{name}.symmetric", _within(relation, ~relation), source, True))
        found.append(Axiom(f"{name}.transitive", _within(relation >> relation, relation), source, True))
        if on is not None:
            found.append(Axiom(f"{name}.reflexive", _within(on, relation), source, name in ("same_txn", "same_event")))
            if on is not _id:
                found.append(Axiom(f"{name}.domain", _within(domain(relation), on), source))
    return found


def _edges() -> list[Axiom]:
    source = "SEMANTICS §2: T ≠ U on every edge, both committed"
    found = []
    for name, edge in EDGES.items():
        if edge.left is Sort.A:
            ends = committed - initial
            found.append(Axiom(f"edge.{name}.txn", _empty(edge & same_txn), source))
            found.append(Axiom(f"edge.{name}.ends", _within(edge, ends >> edge >> ends), source))
    return found


def _axioms(source: str, **formulas: Formula) -> list[Axiom]:
    return [
        Axiom(name.replace("__", ".").replace("_", "-"), formula, source, name in _REPRESENTED)
        for name, formula in formulas.items()
    ]


_REPRESENTED: Final = (
    "txn__functional",
    "txn__total",
    "txn__initial",
    "txn__same",
    "txn__same_only",
)

AXIOMS: Final[tuple[Axiom, ...]] = tuple(
    _kinds()
    + _equivalences()
    + _edges()
    + _axioms(
        "SEMANTICS §1: every event is of one transaction, an initial version of none",
        txn__functional=_within(~of_txn >> of_txn, Identity(Sort.T)),
        txn__total=_within(_id - initial, of_txn >> ~of_txn),
        txn__initial=_empty(initial >> of_txn),
        txn__same=_within(of_txn >> ~of_txn, same_txn),
        txn__same_only=_within(same_txn, (of_txn >> ~of_txn) | (initial >> same_txn >> initial)),
        txn__event=_within(same_event, same_txn),
        txn__writer=_within(~of_txn >> write >> of_txn, (~of_txn >> of_txn) >> writer),
        txn__writes=_within(writer, ~of_txn >> write >> of_txn),
    )
    + _axioms(
        "SEMANTICS §1: items, partitions, predicates",
        initial__one=_within(initial >> same_item >> initial, _id),
        initial__each=_within(domain(same_item), domain(same_item >> initial)),
        initial__event=_within(initial >> same_event, _id),
        item__partition=_within(domain(same_partition) >> same_item, same_partition),
        item__partitioned=_empty(domain(same_partition) - domain(same_item)),
        predicate__event=_within(_row >> same_event >> _row, same_predicate),
        predicate__events=_within(_row >> same_event, same_event >> _row),
        predicate__row=_within(_row >> (same_event & same_item) >> _row, _id),
    )
    + _axioms(
        "SEMANTICS §1: at most one of commit and abort",
        committed__txn=_within(committed >> same_txn, same_txn >> committed),
        committed__initial=_within(initial, committed),
        aborted__txn=_within(aborted >> same_txn, same_txn >> aborted),
        aborted__committed=_empty(aborted & committed),
    )
    + _axioms(
        "SEMANTICS §1: the final version of a transaction and an item",
        final__version=_within(final, _version),
        final__initial=_within(initial, final),
        final__one=_within(final >> _own_item >> final, _id),
        final__each=_within(write, domain(_own_item >> final)),
        final__last=_empty(final >> _later_in_txn >> write),
        partition_final__write=_within(partition_final, (write & final) & committed),
        partition_final__one=_within(partition_final >> (same_txn & same_partition) >> partition_final, _id),
        partition_final__last=_empty(partition_final >> (program_order & same_partition) >> write),
        partition_final__each=_within(
            (write & committed) & domain(same_partition), domain((same_txn & same_partition) >> partition_final)
        ),
    )
    + _axioms(
        "SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0",
        installed__final=_within(installed, final & committed),
        installed__all=_within(final & committed, installed),
        order__installed=_within(version_order, installed >> version_order >> installed),
        order__item=_within(version_order, same_item),
        order__irreflexive=irreflexive(version_order),
        order__transitive=_within(version_order >> version_order, version_order),
        order__total=_within((installed >> same_item >> installed) - _id, version_order | ~version_order),
        order__initial=_empty(version_order >> initial),
        # Schedules are finite: every version but 0 has an immediate predecessor.
        order__predecessor=_within(installed - initial, domain(~next_version)),
        order__successor=_within(version_order, next_version >> version_order.opt),
    )
    + _axioms(
        "SEMANTICS §1: a read saw one version of its item, written before it",
        read__version=_within(reads_from, _version >> reads_from >> item_read),
        read__item=_within(reads_from, same_item),
        read__one=_within(reads_from >> ~reads_from, _id),
        read__each=_within(item_read, domain(~reads_from)),
        read__before=_within(reads_from, before),
        row__version=_within(row_from, _version >> row_from >> _row),
        row__item=_within(row_from, same_item),
        row__one=_within(row_from >> ~row_from, _id),
        row__each=_within(_row, domain(~row_from)),
        row__before=_within(row_from, before),
        row__matched=_within(row_from >> matched, reads_from),
        row__read=_within(reads_from >> matched, row_from),
    )
    + _axioms(
        "SEMANTICS §1: a transaction that has written x reads its own latest version of x",
        own__reader=_empty(write >> _later_in_txn >> _reader >> ~(seen_from - same_txn)),
        own__latest=_empty((seen_from & same_txn) & (_later_in_txn >> write >> program_order)),
    )
    + _axioms(
        "SEMANTICS §1: a schedule is a total order of events",
        before__irreflexive=irreflexive(before),
        before__transitive=_within(before >> before, before),
        before__event_left=_within(same_event >> before, before),
        before__event_right=_within(before >> same_event, before),
        before__total=_empty((_not_before >> _not_before) & before),
        before__txn=_within(same_txn - (initial >> same_txn), (before | ~before) | same_event),
        before__item=_within(same_item - _id, ((before | ~before) | same_event)),
        before__initial=_empty(before >> initial),
        before__event=_empty(before & same_event),
    )
    + _axioms(
        "SEMANTICS §1: nothing of a transaction stands after its end",
        ended__txn=_within(same_txn >> ended_before, ended_before),
        ended__later=_within(ended_before >> before, ended_before),
        ended__event=_within(ended_before >> same_event, ended_before),
        ended__before=_within(ended_before, before),
        ended__own=_empty(ended_before & same_txn),
        ended__how=_within(ended_before, (committed | aborted) >> ended_before),
        ended__committed=_within(committed >> ended_before, committed_before),
        committed_before__ended=_within(committed_before, committed >> ended_before),
    )
    + _axioms(
        "SEMANTICS §1, Predicates: the listed rows match, the others do not",
        match__versions=_within(matches, (_row >> matches >> _version) & same_item),
        match__listed=_within(row_from >> matched, ~matches),
        match__unlisted=_empty((row_from >> unmatched) & ~matches),
        match__predicate=_within((same_predicate & same_item) >> matches, matches),
        match__changes=_within((same_predicate & same_item) >> changes_match, changes_match),
        # Schedules are finite: between a version and a later one of the other status there is a first that changed it.
        match__first_loss=_within(
            matched >> (((matched >> ~row_from) >> version_order) - matches),
            matched >> (((~row_from >> version_order) & changes_match) - matches) >> version_order.opt,
        ),
        match__first_gain=_within(
            unmatched >> ((~row_from >> version_order) & matches),
            unmatched >> ((~row_from >> version_order) & changes_match & matches) >> version_order.opt,
        ),
    )
    + _axioms(
        "SEMANTICS §2, §4: start order and sessions are of committed transactions",
        start__irreflexive=irreflexive(start),
        start__transitive=_within(start >> start, start),
        start__before=_within((of_txn >> start) >> ~of_txn, committed_before >> committed),
        # T before U, V not wholly behind U nor wholly before it, V before W: intervals (Fishburn 1970).
        start__interval=_within(start >> concurrent >> start, start),
        concurrent__symmetric=_within(concurrent, ~concurrent),
        concurrent__irreflexive=irreflexive(concurrent),
        concurrent__start=_empty(concurrent & start),
        concurrent__or_start=_within(txn(committed >> _any >> committed), (concurrent | start) | ~start),
        concurrent__edges=_within(dsg, (concurrent | start) | ~start),
        session__irreflexive=irreflexive(session),
        session__transitive=_within(session >> session, session),
        session__committed=_within(
            of_txn >> session >> ~of_txn, committed >> (of_txn >> session >> ~of_txn) >> committed
        ),
    )
    + _axioms(
        "SEMANTICS §1, §3: judge calls, votes, tags",
        vote__calls=_within(other_vote, judge >> other_vote >> judge),
        vote__symmetric=_within(other_vote, ~other_vote),
        vote__irreflexive=irreflexive(other_vote),
        unknown_vote__calls=_within(unknown_vote, judge >> unknown_vote >> judge),
        unknown_vote__symmetric=_within(unknown_vote, ~unknown_vote),
        unknown_vote__irreflexive=irreflexive(unknown_vote),
        vote__known=_empty(other_vote & unknown_vote),
        await__write=_within(by_await, write),
    )
    + _axioms(
        "SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one",
        vote__agree=_within(other_vote >> (((judge >> _any >> judge) - other_vote) - unknown_vote), other_vote),
        before__key=_within(same_key - _id, before | ~before),
        log__fill=_within(log_fill, judge),
        log__each=_within(judge, log_fill | domain(~log_from)),
        log__once=_empty(log_from >> log_fill),
        # Schedules are finite: where there is a row to see there is a latest one.
        log__latest=_within(domain(~log_row), domain(~log_seen)),
    )
    + _axioms(
        "SEMANTICS §3, N3: facts, what a store keeps, and the natural order of provenances, a preorder of versions",
        fact__version=_within(fact, _version),
        kept__current=_within(kept_current, (fact & installed) - domain(version_order)),
        kept__closed=_within(kept_closed, fact & installed),
        kept__record=_within(_record, installed - domain(version_order)),
        # A table holds facts or records, and is kept in its closed rows or is not.
        kept__apart=_empty(fact >> same_item >> _record),
        kept__each=_within((kept_closed >> same_item) >> (fact & installed), same_item >> kept_closed),
        below__versions=_within(dominated_by, _version >> dominated_by >> _version),
        below__compared=_within((fact | _record), dominated_by),
        below__reflexive=_within(domain(dominated_by | ~dominated_by), dominated_by),
        below__transitive=_within(dominated_by >> dominated_by, dominated_by),
    )
)
