"""Columns of events -> `Trace`: numbers for everything, the walk, the rows of predicate reads, the accesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...events import Item, Predicate, Problem
from ..columns import Int32, Int64
from ..trace import J, K, M, N, R, Trace, W
from .lines_faults import in_file, in_words, lines_of, located
from .lines_keys import AWAIT, CALLBACK, DELETE, INSERT, JUDGE, MATCHES, PARTIAL, PREDICATE, READ, READS, WRITE
from .lines_pool import Names
from .lines_rows import Lists, Reads, check_listed, omitted
from .lines_table import Table
from .lines_values import Known
from .lines_walk import (
    PARTITIONS,
    PREDICATE_TWICE,
    Walked,
    check_sessions,
    dense,
    items,
    new_faults,
    note,
    ranks,
    table_for,
    walk,
)

#: Accesses that a trace may unfold to, counting every row that a predicate read sees.
ACCESSES: Final = 40_000_000
Index = NDArray[np.intp]


def build(table: Table, known: Known) -> tuple[Trace | None, list[Problem], int]:
    """The trace of a table, or the first problems and how many there are."""
    return _Build(table, known).run()


@dataclass
class _Unlisted:
    """The rows that predicate reads saw without listing them: the number of the read, the item, the version."""

    read: Int32
    item: Int32
    version: Int32


class _Build:
    def __init__(self, table: Table, known: Known) -> None:
        self.table, self.known, self.pool = table, known, table.pool
        self.faults = new_faults()
        columns, rows = table.columns, table.rows
        self.op, self.rows = columns.op, rows
        txn, self.txns = dense(columns.txn, self.pool.size)
        session, self.sessions = dense(columns.session, self.pool.size)
        mentions = int((columns.item >= 0).sum()) + len(rows.item)
        named = items(columns.table, columns.item, rows.event, rows.item, table_for(mentions))
        item, self.row_item, self.item_table, self.item_name = named
        self.columns = columns._replace(txn=txn, session=session, item=item)
        self.count = len(self.item_name)

    def run(self) -> tuple[Trace | None, list[Problem], int]:
        writes = int((self.op == WRITE).sum())
        sizes = np.array([len(self.txns), len(self.sessions), self.count, writes], np.int64)
        walked = walk(
            self.columns,
            self.rows.event,
            self.row_item,
            self.rows.label,
            table_for(writes),
            table_for(writes),
            sizes,
            self.faults,
        )
        check_sessions(self.columns, walked, self.faults)
        partition = self._partitions()
        first_match, matches, read_predicate, predicates = self._predicates(walked)
        if self.faults.many[0]:
            return self._refused(walked)
        reads = self._reads(read_predicate)
        none = np.zeros(0, np.int32)
        seen = _Unlisted(none, none, none)
        if len(reads.event):
            lists = self._lists(walked, first_match, matches)
            check_listed(reads, self.rows.matched.astype(np.int32), walked.row_version, lists, self.faults)
            listed = np.bincount(self.item_table, minlength=self.pool.size)[reads.table] - np.diff(reads.first)
            size = int(listed[reads.partial == 0].sum())
            accesses = len(self.op) + self.count + size + len(self.row_item)
            if accesses > ACCESSES:
                return None, [self._too_many(accesses)], 1
            if not self.faults.many[0]:
                found = omitted(reads, self.row_item, lists, walked, self.columns.txn, self.count, size, self.faults)
                seen = _Unlisted(*found)
        if self.faults.many[0]:
            return self._refused(walked)
        return self._trace(walked, partition, first_match, matches, predicates, reads, seen), [], 0

    def _too_many(self, accesses: int) -> Problem:
        what = f"the events unfold to {accesses} accesses, counting every row that a predicate read sees and every item"
        return Problem(what, f"at most {ACCESSES}", "limit-accesses", file=self.table.source, line=1, column=1)

    def _partitions(self) -> Int32:
        """The partition of each item; notes where one is stated that is another than before."""
        event, number = self.known.partition
        of_row = self.known.row_partition
        stated = np.flatnonzero(of_row >= 0)
        at = np.concatenate([event, self.rows.event[stated]])
        item = np.concatenate([self.columns.item[event], self.row_item[stated]])
        numbers = np.concatenate([number, of_row[stated]])
        by_event = np.argsort(at, kind="stable")
        at, item, numbers = at[by_event], item[by_event], numbers[by_event]
        out = np.full(self.count, -1, np.int32)
        out[item[::-1]] = numbers[::-1]
        for place in np.flatnonzero(out[item] != numbers):
            note(self.faults, PARTITIONS, int(at[place]), int(item[place]))
        return out

    def _predicates(self, walked: Walked) -> tuple[Int32, Int32, Int32, list[object]]:
        """The predicates that versions match (as lists, one behind the other), those of predicate reads, and names."""
        read_event, read_name = self.table.few(PREDICATE)
        event, name = self.table.few(MATCHES)
        table = self.columns.table
        size = self.pool.size
        pairs = np.concatenate(
            [table[read_event].astype(np.int64) * size + read_name, table[event] * np.int64(size) + name]
        )
        distinct, which = np.unique(pairs, return_inverse=True)
        number = which.astype(np.int32)
        of_read, of_match = number[: len(read_event)], number[len(read_event) :]
        twice = event.astype(np.int64) * max(len(distinct), 1) + of_match
        order = np.argsort(twice, kind="stable")
        for place in np.flatnonzero(np.diff(twice[order]) == 0):
            note(self.faults, PREDICATE_TWICE, int(event[order[place]]), 0)
        kept = (self.columns.flags[event] & DELETE) == 0
        made = walked.version[event[kept]]  # -1 behind the end of a transaction: a fault that is noted
        # A row that is listed as matching, and whose version is the initial one, says that this one matches.
        initial = np.flatnonzero(
            (self.rows.matched == 1) & (walked.row_version >= 0) & (walked.row_version < self.count)
        )
        predicate_of = np.full(len(self.op), -1, np.int32)
        predicate_of[read_event] = of_read
        versions = np.concatenate([made, walked.row_version[initial]])
        numbers = np.concatenate([of_match[kept], predicate_of[self.rows.event[initial]]])
        lists = np.unique(versions.astype(np.int64) * max(len(distinct), 1) + numbers)
        total = self.count + len(walked.made_by)
        version, matches = lists // max(len(distinct), 1), lists % max(len(distinct), 1)
        first = np.searchsorted(version, np.arange(total + 1)).astype(np.int32)
        names: list[object] = [
            Predicate(self.pool.text(pair // size), self.pool.text(pair % size)) for pair in distinct.tolist()
        ]
        return first, matches.astype(np.int32), of_read, names

    def _reads(self, predicate: Int32) -> Reads:
        event, _ = self.table.few(PREDICATE)
        first = np.searchsorted(self.rows.event, np.append(event, len(self.op))).astype(np.int64)
        partial = ((self.columns.flags[event] & PARTIAL) > 0).astype(np.int32)
        return Reads(event, predicate, self.columns.table[event], partial, first)

    def _lists(self, walked: Walked, first_match: Int32, matches: Int32) -> Lists:
        by_table = _lists_by(self.item_table, self.pool.size)
        by_txn = _lists_by(self.columns.txn[walked.made_by], len(self.txns))
        return Lists(*by_table, *_lists_by(walked.made_item, self.count), *by_txn, first_match, matches)

    def _refused(self, walked: Walked) -> tuple[None, list[Problem], int]:
        """The faults in words, each with the text of its line."""
        faults = self.faults
        noted = min(int(faults.many[0]), len(faults.rule))
        lines = self.columns.line[faults.event[:noted]].tolist()
        texts = lines_of(self.table.data, lines)
        labels = Names(self.pool, self.columns.label)

        def item(number: int) -> Item:
            return Item(self.pool.text(self.item_table[number]), self.pool.text(self.item_name[number]))

        def version(number: int) -> str:
            made = number - self.count
            label = labels[int(walked.made_by[made])]
            name = item(int(walked.made_item[made])).name
            return f"{name}@{label}" if label else f"{name} (unlabelled)"

        def row(number: int) -> str:
            label = Names(self.pool, self.rows.label)[number]
            name = item(int(self.row_item[number])).name
            return f"version {label} of {name}" if label else name

        problems = []
        for place in range(noted):
            event = int(faults.event[place])
            rule = int(faults.rule[place])
            words = in_words(
                rule,
                int(faults.about[place]),
                txn=self.pool.text(self.txns[self.columns.txn[event]]),
                label=labels[event],
                item=item,
                session=lambda number: self.pool.text(self.sessions[number]),
                version=version,
                row=row,
            )
            problem = Problem(*words, event=event)
            problems.append(located(problem, rule, texts[lines[place]], lines[place], self.table.source))
        return None, sorted(problems, key=in_file), int(faults.many[0])

    def _trace(
        self,
        walked: Walked,
        partition: Int32,
        first_match: Int32,
        matches: Int32,
        predicates: list[object],
        reads: Reads,
        seen: _Unlisted,
    ) -> Trace:
        columns, op, pool = self.columns, self.op, self.pool
        count, made = self.count, len(walked.made_by)
        rank = ranks(walked, columns.txn, count)
        kind_of = np.full(16, -1, np.int8)
        kind_of[[READ, WRITE, JUDGE, CALLBACK]] = [R, W, J, K]
        single = kind_of[op] >= 0
        several = len(reads.event) > 0
        each = single.astype(np.int64)
        if several:
            each[reads.event] = np.diff(reads.first)
            each += np.bincount(reads.event[seen.read], minlength=len(op))
        first = np.zeros(len(op) + 1, np.int64)
        np.cumsum(each, out=first[1:])
        event = np.repeat(np.arange(len(op), dtype=np.int32), each)
        kind = kind_of[op[event]]
        item, version = columns.item[event], walked.version[event]
        predicate = np.full(len(event), -1, np.int32)
        if several:
            self._rows(reads, seen, first, walked, kind, item, version, predicate)
        key_of, vote_of, keys = self._judged()
        tables, table_names = dense(self.item_table, pool.size)
        provs = np.full(count + made, -1, np.int32)
        prov_event, prov = self.known.prov
        provs[walked.version[prov_event]] = prov
        flags = columns.flags[walked.made_by]
        by_await = np.zeros(count + made, bool)
        by_await[walked.version[self.table.few(AWAIT)[0]]] = True
        return Trace(
            source=self.table.source,
            events=len(op),
            start=walked.start,
            end=walked.end,
            outcome=walked.outcome,
            session=walked.session,
            place=walked.place,
            table=tables,
            partition=partition,
            kind=kind,
            event=event,
            txn=columns.txn[event],
            item=item,
            predicate=predicate,
            version=version,
            key=key_of[event] if len(keys) else np.full(len(event), -1, np.int32),
            vote=vote_of[event] if len(keys) else np.full(len(event), -1, np.int32),
            version_item=np.concatenate([np.arange(count, dtype=np.int32), walked.made_item]),
            writer=np.concatenate([np.full(count, -1, np.int32), first[walked.made_by].astype(np.int32)]),
            rank=np.concatenate([np.zeros(count, np.int32), rank]),
            final=np.concatenate([np.ones(count, bool), walked.final == 1]),
            row=np.concatenate([self._stated(walked, rank, first_match), (flags & DELETE) == 0]),
            by_await=by_await,
            first_match=first_match,
            matches=matches,
            prov=provs,
            transactions=_names(pool, self.txns),
            sessions=_names(pool, self.sessions),
            tables=list(_names(pool, table_names)),
            partitions=self.known.partitions,
            items=Items(_names(pool, self.item_table), _names(pool, self.item_name)),
            predicates=predicates,
            labels=Names(pool, np.concatenate([np.zeros(count, np.int64), walked.made_label])),
            keys=keys,
            votes=self.known.votes,
            provenances=[str(name) for name in self.known.provs],
            line=columns.line[event],
        )

    def _rows(
        self,
        reads: Reads,
        seen: _Unlisted,
        first: Int64,
        walked: Walked,
        kind: NDArray[np.int8],
        item: Int32,
        version: Int32,
        predicate: Int32,
    ) -> None:
        """Fill in the accesses of predicate reads: the listed rows, then those that are not."""
        size = np.diff(reads.first)
        read = np.repeat(np.arange(len(size)), size)
        at = first[self.rows.event] + np.arange(len(read)) - reads.first[read]
        kind[at] = np.where(self.rows.matched == 1, M, N)
        item[at], version[at], predicate[at] = self.row_item, walked.row_version, reads.predicate[read]
        start = np.searchsorted(seen.read, np.arange(len(size)))
        at = first[reads.event[seen.read]] + size[seen.read] + np.arange(len(seen.read)) - start[seen.read]
        kind[at] = N
        item[at], version[at], predicate[at] = seen.item, seen.version, reads.predicate[seen.read]

    def _judged(self) -> tuple[Int32, Int32, list[object]]:
        """Key and vote of each event, and the names of the keys."""
        event, name = self.table.few(READS)
        if not len(event):
            return np.zeros(0, np.int32), np.zeros(0, np.int32), []
        theta, thetas = self.known.theta, self.known.thetas
        pairs, which = np.unique(name.astype(np.int64) * len(thetas) + theta[1], return_inverse=True)
        key, vote = np.full(len(self.op), -1, np.int32), np.full(len(self.op), -1, np.int32)
        key[event] = which
        vote[self.known.vote[0]] = self.known.vote[1]
        return key, vote, [(self.pool.text(pair // len(thetas)), thetas[pair % len(thetas)]) for pair in pairs.tolist()]

    def _stated(self, walked: Walked, rank: Int32, first_match: Int32) -> NDArray[np.bool_]:
        """Whether the initial version of each item is a row (`relations/surface.py`, stated_rows)."""
        out = np.diff(first_match[: self.count + 1]) > 0
        begun = np.flatnonzero(rank == 1)
        inserted = np.zeros(self.count, bool)
        inserted[walked.made_item[begun]] = (self.columns.flags[walked.made_by[begun]] & INSERT) > 0
        read = walked.version[(self.op == READ)]
        read = read[read < self.count]
        out[read] |= ~inserted[read]
        return out


class Items(Sequence[object]):
    """Items, made when they are asked for."""

    def __init__(self, tables: Names, names: Names) -> None:
        self.tables, self.names = tables, names

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        return Item(self.tables[index], self.names[index])


def _names(pool: Any, numbers: Int32) -> Names:
    return Names(pool, -2 - numbers.astype(np.int64))


def _lists_by(key: Int32, size: int) -> tuple[Int64, Int32]:
    """The places of each key, in order, one list behind the other."""
    first = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(key, minlength=size), out=first[1:])
    return first, np.argsort(key, kind="stable").astype(np.int32)
