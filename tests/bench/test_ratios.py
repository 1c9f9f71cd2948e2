"""Speed as ratios inside one run: to an empty interpreter, and to reading the file. Never seconds."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest

from toki_verify.checker import check
from toki_verify.events import Schedule
from toki_verify.notation import parse_text

pytestmark = pytest.mark.bench


def ratio(action: Callable[[], object], yardstick: Callable[[], object], times: int = 7) -> tuple[float, float]:
    """The shortest runs of both, taken in turns, so that a busy machine slows both."""
    found: list[list[float]] = [[], []]
    for _ in range(times):
        for index, run in enumerate((action, yardstick)):
            begun = perf_counter()
            run()
            found[index].append(perf_counter() - begun)
    return min(found[0]), min(found[1])


def process(*arguments: str) -> Callable[[], object]:
    """A run of the interpreter."""
    return lambda: subprocess.run([sys.executable, *arguments], capture_output=True, check=False)


#: An interpreter that does nothing, with the site packages of this environment.
EMPTY = process("-c", "pass")


def times_empty(*arguments: str) -> float:
    """How many empty interpreters a run takes."""
    taken, empty = ratio(process(*arguments), EMPTY)
    return taken / empty


def test_version_starts_like_an_empty_interpreter() -> None:
    assert times_empty("-m", "toki_verify", "--version") < 6


def test_checking_a_small_file_costs_little_more_than_starting(tmp_path: Path) -> None:
    file = tmp_path / "small.sched"
    file.write_text("schedule small\n  r1[x0] r2[x0] w2[x1] c2 w1[x2] c1\n  expect P4\n")
    assert times_empty("-m", "toki_verify", "check", str(file)) < 30
    assert times_empty("-m", "toki_verify", "check", str(file), "-o", "json") < 30


def test_the_shipped_library_is_checked_in_a_moment() -> None:
    assert times_empty("-m", "toki_verify", "check", "schedules") < 120


def random_schedule(size: int, seed: int) -> Schedule:
    """Reads, writes and commits of four transactions at a time over twelve items."""
    chosen = random.Random(seed)
    words: list[str] = []
    own: dict[tuple[int, str], int] = {}
    latest = dict.fromkeys("abcdefghijkl", 0)
    active: list[int] = []
    last = 0
    while len(words) < size:
        if len(active) < 4:
            last += 1
            active.append(last)
        txn, item, luck = chosen.choice(active), chosen.choice("abcdefghijkl"), chosen.random()
        if luck < 0.1:
            active.remove(txn)
            words.append(f"c{txn}")
        elif luck < 0.55:
            version = own.get((txn, item), max(0, latest[item] - chosen.randrange(2)))
            words.append(f"r{txn}[{item}{version}]")
        else:
            latest[item] += 1
            own[txn, item] = latest[item]
            words.append(f"w{txn}[{item}{latest[item]}]")
    return Schedule.parse(" ".join(words))


def test_two_hundred_events_over_the_full_catalogue() -> None:
    """The goal is half a second; an empty interpreter takes about a fiftieth of one here."""
    schedule = random_schedule(200, 7)
    taken, empty = ratio(lambda: check(schedule), EMPTY)
    assert taken < 25 * empty


def test_cost_grows_less_than_cubically() -> None:
    small, large = random_schedule(200, 7), random_schedule(800, 7)
    slow, fast = ratio(lambda: check(large), lambda: check(small), 3)
    assert slow < 4**3 * fast


def test_reading_json_is_within_a_factor_of_the_standard_reader() -> None:
    from toki_verify.jsonform import read_json_lines, trace_objects

    text = "\n".join(map(json.dumps, trace_objects(random_schedule(2000, 3))))
    ours, plain = ratio(lambda: read_json_lines(text), lambda: [json.loads(line) for line in text.splitlines()], 3)
    assert ours < 80 * plain


def test_reading_text_is_within_a_factor_of_splitting_it() -> None:
    text = str(random_schedule(2000, 3))
    ours, plain = ratio(lambda: parse_text(text), lambda: json.loads(json.dumps(text.split())), 3)
    assert ours < 600 * plain
