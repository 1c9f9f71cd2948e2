"""JSON Lines traces with transactions of any length: what the walk knows of a short one without its hash tables, and
of a read of the latest write, is what the reader of small traces says."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

pytest.importorskip("numba")

from tests.agreement.test_lines import agree
from toki_verify.histories.readers import lines_build, lines_walk

ITEMS = "uvwxyz"


def long(seed: int, events: int = 160) -> list[dict[str, Any]]:
    """Three transactions at a time over six items, which end seldom; a read sees its transaction's own write, or any
    version, or the latest one. Sound, but for what the rule of unlabelled reads refuses."""
    rng = random.Random(seed)
    ends = rng.choice((0.0, 0.01, 0.05, 0.2))
    numbers, unlabelled = rng.random() < 0.7, rng.random() < 0.4
    running, made = [0, 1, 2], 3
    own: dict[int, dict[str, str]] = {txn: {} for txn in running}
    written: dict[str, list[str]] = {item: ["0"] for item in ITEMS}
    out: list[dict[str, Any]] = []
    for count in range(1, events):
        place = rng.randrange(3)
        txn, item = running[place], rng.choice(ITEMS)
        if rng.random() < ends:
            out.append({"op": rng.choice("cca"), "txn": txn})
            running[place], made = made, made + 1
            own[running[place]] = {}
            continue
        label = str(count) if numbers else rng.choice("ab") + str(count)
        if rng.random() < 0.6:
            own[txn][item] = label
            written[item].append(label)
            out.append({"op": "w", "txn": txn, "item": item, "version": label})
        elif unlabelled and item not in own[txn] and rng.random() < 0.5:
            out.append({"op": "r", "txn": txn, "item": item})
        else:
            seen = own[txn].get(item) or rng.choice((written[item][-1], rng.choice(written[item])))
            out.append({"op": "r", "txn": txn, "item": item, "version": seen})
    return out


def text_of(events: Sequence[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(event) + "\n" for event in events).encode()


def spoiled(seed: int) -> bytes:
    """One label is another one: written twice, read before it is written, not the own one, or as good as before."""
    rng = random.Random(seed)
    events = long(seed)
    labelled = [event for event in events if "version" in event]
    rng.choice(labelled)["version"] = rng.choice(labelled)["version"]
    return text_of(events)


def longest(events: Sequence[dict[str, Any]]) -> int:
    """The most writes of a transaction."""
    writers = [event["txn"] for event in events if event["op"] == "w"]
    return max(map(writers.count, writers))


def test_long_transactions_are_read_alike() -> None:
    sizes = []
    for seed in range(150):
        events = long(seed)
        sizes.append(longest(events))
        assert agree(text_of(events)), seed
    assert min(sizes) <= lines_walk._SHORT < sorted(sizes)[len(sizes) // 2]


def test_long_transactions_that_break_a_rule_are_refused_alike() -> None:
    read = sum(agree(spoiled(seed)) for seed in range(120))
    assert 6 < read < 96


def _first_is_final(walk: Callable[..., Any]) -> Callable[..., Any]:
    """Of the writes of an item by a long transaction the first counts, as if the table held no later one."""

    def broken(columns: Any, *others: Any) -> Any:
        walked = walk(columns, *others)
        last: dict[tuple[int, int], int] = {}
        count: dict[int, int] = {}
        for made, event in enumerate(walked.made_by.tolist()):
            txn, item = int(columns.txn[event]), int(walked.made_item[made])
            count[txn] = count.get(txn, 0) + 1
            if count[txn] > lines_walk._SHORT and (txn, item) in last:
                walked.final[last[txn, item]] = 1
            last[txn, item] = made
        return walked

    return broken


def test_a_walk_that_forgets_the_writes_of_long_transactions_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_build, "walk", _first_is_final(lines_build.walk))
    with pytest.raises(AssertionError):
        for seed in range(20):
            agree(text_of(long(seed)))
