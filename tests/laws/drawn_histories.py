"""Histories drawn at random, and what they mean whatever form they are written in."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from toki_verify.histories.columns import ABORTED, COMMITTED, INITIAL, READ, UNKNOWN, WRITE, History
from toki_verify.histories.formats import detect, read_history
from toki_verify.histories.readers.gather import Gather
from toki_verify.histories.writers import write_history

SOON = settings(deadline=5_000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
#: Each of their examples is written and read some forty times.
FEWER = settings(SOON, max_examples=max(10, settings.default.max_examples // 4))  # type: ignore[union-attr]
FORMS = ("plume", "awdit", "jepsen-edn", "elle-json", "dbcop-json", "timekiller")
KEYS = ("0", "7", "-3", "x", ":k", "a.b")
#: Forms whose words are integers and plain words; the others hold any string.
ODD_KEYS = ('"12"', '"nil"', "a b", "ä-1", '"\\"q\\""', "ключ", "1.5", "true", "123456789012345678901234567890")


@st.composite
def registers(
    draw: st.DrawFn, outcomes: tuple[int, ...] = (COMMITTED, ABORTED), keys: tuple[str, ...] = KEYS
) -> History:
    """A history of registers with real time: reads of what was written, of initial versions, of what nobody wrote."""
    gather = Gather()
    count = draw(st.integers(1, 6))
    few = st.sampled_from(draw(st.permutations(keys))[:3])
    plans = [draw(st.lists(st.tuples(st.booleans(), few), max_size=4)) for _ in range(count)]
    written: dict[str, list[str]] = {}
    values = iter(range(1, 100))
    for plan in plans:
        for writes, key in plan:
            if writes:
                written.setdefault(key, []).append(str(next(values)))
    fresh = {key: iter(found) for key, found in written.items()}
    times = iter(range(1_000))
    for place, plan in enumerate(plans):
        outcome = draw(st.sampled_from(outcomes))
        session = draw(st.sampled_from([None, "0", "1", "2"]))
        begun = next(times)
        ended = next(times) if outcome != UNKNOWN else -1
        number = gather.transaction(session, outcome, str(place), begun, ended)
        for writes, key in plan:
            if writes:
                gather.write(number, key, next(fresh[key]), place + 1)
            elif outcome != UNKNOWN:
                shown = draw(st.sampled_from([None, *written.get(key, []), "500"]))
                gather.read(number, key, shown, place + 1)
    return gather.history(format="drawn", source="drawn", timed=True)


@st.composite
def lists(draw: st.DrawFn) -> History:
    """A history of lists: committed appends in turn, and reads of beginnings; own appends are seen."""
    gather = Gather()
    grown: dict[str, list[str]] = {"1": [], "x": []}
    elements = iter(range(1, 100))
    for place in range(draw(st.integers(1, 6))):
        outcome = draw(st.sampled_from([COMMITTED, COMMITTED, ABORTED, UNKNOWN]))
        number = gather.transaction(
            draw(st.sampled_from([None, "0", "1"])), outcome, str(place), 2 * place, 2 * place + 1
        )
        if outcome == UNKNOWN:
            gather.ended[number] = -1
        own: dict[str, list[str]] = {"1": [], "x": []}
        for writes, key in draw(st.lists(st.tuples(st.booleans(), st.sampled_from(["1", "x"])), max_size=5)):
            if writes:
                own[key].append(str(next(elements)))
                gather.write(number, key, own[key][-1], place + 1)
            elif outcome == COMMITTED:
                most = len(grown[key])
                least = most if own[key] else draw(st.integers(0, most))
                gather.read(number, key, (*grown[key][:least], *own[key]), place + 1)
        if outcome == COMMITTED:
            for key, found in own.items():
                grown[key] += found
    return gather.history(format="drawn", source="drawn", model="append", timed=True)


def meaning(history: History, *, initial_written: bool = False) -> list[list[Any]]:
    """Sessions, and of each transaction outcome and operations; a version by its value and by who wrote it.

    Left out is what a form may leave out: transactions without operations, and reads of nil that an aborted one did.
    `initial_written`: the first transaction wrote the initial versions.
    """
    txns = history.txn_of().tolist()
    found: dict[int, list[Any]] = {}
    for txn, session in enumerate(history.session.tolist()):
        operations = []
        for at in range(int(history.first[txn]), int(history.first[txn + 1])):
            version, kind = int(history.version[at]), int(history.kind[at])
            writer = int(history.writer[version])
            starts = writer == INITIAL or (initial_written and writer >= 0 and txns[writer] == 0)
            assert int(history.version_key[version]) == int(history.key[at])
            assert writer < 0 or (history.kind[writer] == WRITE and history.version[writer] == version)
            if starts and kind == READ and history.outcome[txn] == ABORTED:
                continue
            value = "initial" if starts else (history.values[version], writer >= 0)
            operations.append((kind, history.keys[int(history.key[at])], value))
        if operations and not (initial_written and txn == 0):
            home = session if session >= 0 else -1 - txn
            found.setdefault(home, []).append((int(history.outcome[txn]), operations))
    return sorted(found.values(), key=repr)


def whole(history: History) -> list[Any]:
    """All that a history says, with names in place of numbers."""
    # Which of several keys a warning names depends on their order.
    warnings = [re.sub(r"value 0 of key [^\s,]+", "value 0 of key", warning) for warning in history.warnings]
    said: list[Any] = [history.model, warnings, sorted(one.kind for one in history.garbage)]
    for txn, session in enumerate(history.session.tolist()):
        operations = [
            (int(history.kind[at]), history.keys[int(history.key[at])], history.values[int(history.version[at])],
             int(history.rank[int(history.version[at])]), int(history.line[at]))
            for at in range(int(history.first[txn]), int(history.first[txn + 1]))
        ]  # fmt: skip
        times = None if history.begun is None or history.ended is None else (history.begun[txn], history.ended[txn])
        home = None if session < 0 else history.sessions[session]
        said.append((history.transactions[txn], home, int(history.outcome[txn]), times, operations))
    return said


def read(text: str, form: str | None) -> History:
    history, problems = read_history(text.encode(), source="drawn", format=form)
    assert history is not None, [str(problem) for problem in problems]
    assert not problems
    return history


def written(history: History, form: str) -> str | None:
    try:
        return "".join(write_history(history, form))
    except ValueError as error:
        assert re.search(r"\bholds?\b|aborted|timestamps|not known|written|as 0|a time", str(error)), str(error)
        return None


def check_round_trip(history: History, forms: tuple[str, ...]) -> None:
    """Written in one form, read, written in another and read again, it means the same."""
    for one in forms:
        text = written(history, one)
        if text is None:
            continue
        if meaning(history):
            assert detect(text.encode()) == one
        elif one in ("plume", "awdit"):
            continue
        starts = one == "awdit" and (history.version[history.kind == READ] < len(history.keys)).any()
        again = read(text, one)
        assert meaning(again, initial_written=bool(starts)) == meaning(history), text
        for other in forms:
            text = written(again, other)
            if text is None or (starts and other != one) or other == "awdit":
                continue
            if other == "plume" and not meaning(again):
                continue
            last = read(text, other)
            assert meaning(last, initial_written=bool(starts)) == meaning(history), (one, other, text)
