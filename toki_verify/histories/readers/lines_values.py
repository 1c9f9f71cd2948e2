"""What few events have, from raw texts to values: the reader of small traces reads every distinct text once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...events import Item, Judge, Partition, Write
from ...events.names import name_fault
from ...jsonform.reader import EventReader
from ...notation.jsontext import JsonFault, parse_json
from ..columns import Int32
from .lines_keys import PARTITION, PROV, THETA, VOTE
from .lines_pool import Pool
from .lines_table import Table

#: An event with one raw value in it, so that the reader of events reads that as it always does.
_PROBES: Final = {
    "theta": '{"op":"j","txn":"1","R":"1","theta":%s}',
    "vote": '{"op":"j","txn":"1","R":"1","theta":"1","vote":%s}',
    "prov": '{"op":"w","txn":"1","item":"1","prov":%s}',
    "partition": '{"op":"w","txn":"1","item":"1","partition":%s}',
}


#: Strings and numbers that are canonical JSON as they stand (`events/values.py`), and within the limits of names.
_CANONICAL: Final = re.compile(r'"[ !#-\[\]-~]{1,1024}"|0|[1-9][0-9]{0,99}')


def probe(kind: str, raw: str) -> object:
    """The value that a raw text is as a theta, vote, prov or partition. Raises JsonFault where it is none."""
    if (kind == "vote" or (kind == "theta" and raw[0] == '"')) and _CANONICAL.fullmatch(raw):
        return raw
    mentioned: list[Partition | None] = []

    def mention(at: int, item: Item, partition: Partition | None) -> None:
        mentioned.append(partition)

    event, _ = EventReader(mention).read(parse_json(_PROBES[kind] % raw))
    if isinstance(event, Judge):
        return event.theta if kind == "theta" else event.vote
    if isinstance(event, Write) and kind == "prov":
        return event.prov
    partition = mentioned[0]
    if partition is None or any(name_fault(part) for part in partition):
        raise JsonFault(0, "a partition whose parts are no names", "names", "name")
    return partition


class Values:
    """Numbers for the values of raw texts, equal ones the same; -1 for texts that are none."""

    def __init__(self, read: Callable[[str], object]) -> None:
        self.read = read
        self.names: list[object] = []
        self.number: dict[object, int] = {}

    def of(self, pool: Pool, texts: Int32) -> Int32:
        """The number of the value of each text."""
        distinct, which = np.unique(texts, return_inverse=True)
        return np.array([self._one(pool.text(text)) for text in distinct.tolist()], np.int32)[which]

    def _one(self, text: str) -> int:
        try:
            value = self.read(text)
        except JsonFault:
            return -1
        if value not in self.number:
            self.number[value] = len(self.names)
            self.names.append(value)
        return self.number[value]


def values(kind: str) -> Values:
    """Numbers for the values of one kind."""
    return Values(lambda raw: probe(kind, raw))


@dataclass
class Known:
    """The values of a table: the events that have one with its number, and the values by number."""

    theta: tuple[Int32, Int32]
    vote: tuple[Int32, Int32]
    prov: tuple[Int32, Int32]
    partition: tuple[Int32, Int32]
    #: Of each row that a predicate read lists, -1 where none is stated.
    row_partition: Int32
    thetas: list[object]
    votes: list[object]
    provs: list[object]
    partitions: list[object]
    #: The events one of whose texts is no value of its kind.
    bad: Int32


def known_of(table: Table) -> Known:
    """The values of a table."""
    found, names, bad = {}, {}, []
    for kind, which in (("theta", THETA), ("vote", VOTE), ("prov", PROV), ("partition", PARTITION)):
        of_kind = values(kind)
        event, text = table.few(which)
        number = of_kind.of(table.pool, text)
        bad.append(event[number < 0])
        found[kind], names[kind] = (event, number), of_kind.names
    rows = table.rows
    stated = np.flatnonzero(rows.partition >= 0)
    row_partition = np.full(len(rows.partition), -1, np.int32)
    row_partition[stated] = of_kind.of(table.pool, rows.partition[stated])
    bad.append(rows.event[stated[row_partition[stated] < 0]])
    return Known(
        **found,
        row_partition=row_partition,
        thetas=names["theta"],
        votes=names["vote"],
        provs=names["prov"],
        partitions=names["partition"],
        bad=np.unique(np.concatenate(bad)),
    )
