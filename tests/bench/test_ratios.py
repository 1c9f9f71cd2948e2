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


def best(action: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs."""
    found = []
    for _ in range(times):
        begun = perf_counter()
        action()
        found.append(perf_counter() - begun)
    return min(found)


def process(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], capture_output=True, check=False)


@pytest.fixture(scope="module")
def empty() -> float:
    """An interpreter that does nothing, with the site packages of this environment."""
    return best(process("-c", "pass"))


def test_version_starts_like_an_empty_interpreter(empty: float) -> None:
    assert best(process("-m", "toki_verify", "--version")) < 6 * empty


def test_checking_a_small_file_costs_little_more_than_starting(empty: float, tmp_path: Path) -> None:
    file = tmp_path / "small.sched"
    file.write_text("schedule small\n  r1[x0] r2[x0] w2[x1] c2 w1[x2] c1\n  expect P4\n")
    assert best(process("-m", "toki_verify", "check", str(file))) < 30 * empty
    assert best(process("-m", "toki_verify", "check", str(file), "-o", "json")) < 20 * empty


def test_the_shipped_library_is_checked_in_a_moment(empty: float) -> None:
    assert best(process("-m", "toki_verify", "check", "schedules"), 3) < 120 * empty


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


def test_two_hundred_events_over_the_full_catalogue(empty: float) -> None:
    """The goal is half a second; an empty interpreter takes about a fiftieth of one here."""
    schedule = random_schedule(200, 7)
    assert best(lambda: check(schedule)) < 25 * empty


def test_cost_grows_less_than_cubically() -> None:
    small, large = random_schedule(200, 7), random_schedule(800, 7)
    ratio = best(lambda: check(large), 3) / best(lambda: check(small), 3)
    assert ratio < 4**3


def test_reading_json_is_within_a_factor_of_the_standard_reader() -> None:
    from toki_verify.jsonform import read_json_lines, trace_objects

    text = "\n".join(map(json.dumps, trace_objects(random_schedule(2000, 3))))
    plain = best(lambda: [json.loads(line) for line in text.splitlines()])
    assert best(lambda: read_json_lines(text), 3) < 80 * plain


def test_reading_text_is_within_a_factor_of_splitting_it() -> None:
    text = str(random_schedule(2000, 3))
    plain = best(lambda: json.loads(json.dumps(text.split())))
    assert best(lambda: parse_text(text), 3) < 600 * plain
