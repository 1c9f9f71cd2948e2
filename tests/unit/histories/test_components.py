"""The parts of a history: what connects transactions, how parts are put together, what each part is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from toki_verify.histories.checked import check_history
from toki_verify.histories.columns import INITIAL, NOBODY, History
from toki_verify.histories.parallel import joined
from toki_verify.histories.parallel.components import Numbers, Parts, components, parts
from toki_verify.histories.parallel.joined import closed, decide_in_parts
from toki_verify.histories.sessions.verdict import INTERRUPTED
from toki_verify.processes import Died, Items

from .histories import histories, plain


def test_a_common_key_connects() -> None:
    assert components(plain("r1[x0] r2[y0] w3[x1] w4[y2]")).tolist() == [0, 1, 0, 1]


def test_a_common_session_connects() -> None:
    history = plain("r1[x0] r2[y0] w3[x1] w4[y2]")
    history = replace(history, session=np.array([0, 0, 1, 2], np.int32))
    assert components(history).tolist() == [0, 0, 0, 0]


def test_no_session_is_none_in_common() -> None:
    history = replace(plain("r1[x0] r2[y0]"), session=np.array([-1, -1], np.int32))
    assert components(history).tolist() == [0, 1]


def test_components_are_counted_by_the_earliest_line() -> None:
    history = plain("r1[x0] r2[y0] w3[x1]")
    assert components(replace(history, line=np.array([5, 3, 4], np.int32))).tolist() == [1, 0, 1]
    assert components(replace(history, line=np.array([0, 0, 0], np.int32))).tolist() == [0, 1, 0]


def test_parts_are_filled_with_neighbours() -> None:
    history = plain("r1[x0] r2[x0] r3[x0] r4[x0] r5[x0] r6[x0]")
    component = np.array([0, 0, 0, 1, 2, 3], np.int32)
    assert parts(history, component, 1).tolist() == [0, 0, 0, 1, 2, 3]
    assert parts(history, component, 2).tolist() == [0, 0, 0, 1, 1, 2]
    assert parts(history, component, 5).tolist() == [0, 0, 0, 0, 0, 1]
    assert parts(history, component, 6).tolist() == [0] * 6


@given(histories())
def test_parts_together_are_the_history(history: History) -> None:
    component = components(history)
    pieces = Parts(history, component)
    assert sum(pieces.size(number) for number in range(len(pieces))) == history.size
    seen, txn_of = set(), history.txn_of()
    for piece in (pieces[number] for number in range(len(pieces))):
        part, inside = piece.history, piece.history.txn_of()
        assert part.version_key[: len(part.keys)].tolist() == list(range(len(part.keys)))
        assert part.session.tolist() == history.session[piece.txn].tolist()
        assert part.outcome.tolist() == history.outcome[piece.txn].tolist()
        assert piece.txn.tolist() == sorted(piece.txn.tolist())
        for at in range(part.size):
            whole = int(piece.operation[at])
            seen.add(whole)
            ours, theirs = int(part.version[at]), int(history.version[whole])
            writer = int(part.writer[ours])
            assert (writer if writer < 0 else int(piece.operation[writer])) == history.writer[theirs]
            assert (ours < len(part.keys)) == (theirs < len(history.keys))
            assert (part.rank[ours], part.kind[at], part.line[at]) == (
                history.rank[theirs],
                history.kind[whole],
                history.line[whole],
            )
            assert piece.txn[inside[at]] == txn_of[whole] and piece.key[part.key[at]] == history.key[whole]
        for key in range(len(part.keys)):
            assert part.writer[key] in (INITIAL, NOBODY) or history.writer[piece.key[key]] >= 0
    assert seen == set(range(history.size))
    with pytest.raises(IndexError):
        pieces[len(pieces)]


def test_an_empty_history_has_no_parts() -> None:
    history = plain("")
    assert components(history).tolist() == [] and len(Parts(history, components(history))) == 0
    assert [outcome.holds for outcome in decide_in_parts(history).levels] == [True] * 7


def test_numbers_are_names() -> None:
    names = Numbers(3)
    assert (len(names), names[0], names[-1], names[1:], list(names)) == (3, "0", "2", ["1", "2"], ["0", "1", "2"])


def test_levels_are_asked_with_all_that_lie_under_them() -> None:
    assert closed(("PSI",)) == ("RC", "RA", "CC", "PSI")
    assert closed(("RC",)) == ("RC",)


def skews(count: int, interesting: int) -> History:
    """Pairs of transactions side by side; one pair is a write skew, the others are serial."""
    from toki_verify.histories.builder import assemble, committed

    rows = []
    for pair in range(count):
        second = 0 if pair == interesting else 10 * pair + 1
        rows += [(2 * pair, 0, 2 * pair, 0), (2 * pair, 1, 2 * pair + 1, 10 * pair + 1)]
        rows += [(2 * pair + 1, 0, 2 * pair + 1, second), (2 * pair + 1, 1, 2 * pair, 10 * pair + 2)]
    txn, kind, key, value = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    return assemble(
        format="test",
        source="",
        session=np.full(2 * count, -1, np.int32),
        outcome=committed(2 * count),
        txn=txn,
        kind=kind.astype(np.int8),
        key=key,
        value=np.where(value > 0, value, -1).astype(np.int32),
        line=np.arange(1, len(rows) + 1, dtype=np.int32),
        keys=[f"k{number}" for number in range(2 * count)],
        values=[str(number) for number in range(10 * count)],
        transactions=[f"t{number}" for number in range(2 * count)],
        sessions=[],
    )


def test_what_a_part_refutes_is_told_in_names_of_the_whole() -> None:
    found = decide_in_parts(skews(5, 3), levels=("SI", "SER"), share=1)
    assert [(outcome.level, outcome.holds) for outcome in found.levels] == [("SI", True), ("SER", False)]
    assert "t6 reads k6=nil (line 13)" in found["SER"].reason and "t7" in found["SER"].reason


def test_nothing_is_asked_of_parts_behind_the_one_that_refutes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    real = vars(joined)["decide"]

    def heard(history: History, *, levels: tuple[str, ...], **more: object) -> object:
        asked.append(levels)
        return real(history, levels=levels, **more)

    monkeypatch.setattr(joined, "decide", heard)
    decide_in_parts(skews(3, 1), levels=("SER",), share=1)
    assert ["SER" in levels for levels in asked] == [True, True, False]


def test_ctrl_c_leaves_the_levels_of_later_parts_open(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    real = vars(joined)["decide"]

    def interrupted(history: History, **more: object) -> object:
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt
        return real(history, **more)

    monkeypatch.setattr(joined, "decide", interrupted)
    told_of: list[str] = []
    found = decide_in_parts(skews(4, 1), levels=("SI", "SER"), share=1, tell=told_of.append)
    assert (found["SI"].holds, found["SI"].reason, found["SER"].holds) == (None, INTERRUPTED, False)
    count = 0
    with pytest.raises(KeyboardInterrupt):
        decide_in_parts(skews(4, 1), share=1)


def test_real_time_makes_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    history = skews(3, 1)
    times = np.arange(6, dtype=np.int64)
    history = replace(history, begun=times, ended=times)
    monkeypatch.setattr(joined, "Parts", None)
    assert decide_in_parts(history, levels=("SER",), realtime=True, share=1)["SER"].holds is False


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="PL-9"):
        decide_in_parts(skews(3, 1), levels=("PL-9",), share=1)


@pytest.mark.heavy
def test_several_processes_say_what_one_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined, "seconds_to_start", lambda: 0.0)
    history = skews(6, 3)
    one, two = (decide_in_parts(history, share=1, jobs=jobs) for jobs in (1, 2))
    for level in ("RC", "SI", "SER"):
        assert replace(one[level], _order=None) == replace(two[level], _order=None)
        assert one.order(level) == two.order(level)
    assert (one["SI"].holds, one["SER"].holds) == (True, False)


def test_a_part_that_processes_die_of_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A *no* of another part is one all the same."""

    def dying(task: Callable[[Any], Any], items: Items[Any], jobs: int) -> Iterator[tuple[int, Any]]:
        yield from ((place, Died((-9,)) if place == 0 else task(items[place])) for place in range(len(items)))

    monkeypatch.setattr(joined, "seconds_to_start", lambda: 0.0)
    monkeypatch.setattr(joined, "work", dying)
    found = decide_in_parts(skews(3, 1), share=1, jobs=2)
    assert (found["SI"].holds, found["SER"].holds) == (None, False)
    assert found["SI"].reason.startswith("a part of the history was given up: the process that worked on it was killed")


def test_time_is_that_of_all_parts_together() -> None:
    found = decide_in_parts(skews(3, 1), share=1, seconds=0.0)
    assert found["RC"].holds is True
    assert found["SER"].holds is not True


def test_of_a_large_history_the_smallest_part_is_that_around_the_cycle() -> None:
    """Its transactions have other numbers in what is around the cycle."""
    checked = check_history(skews(1300, 700), levels=("SI", "SER"))
    [refuted] = checked.refuted
    assert (refuted.level, refuted.transactions, refuted.lines) == ("SER", (1400, 1401), (2801, 2804, 2803, 2802))
    assert refuted.part is not None and list(refuted.part.transactions) == ["t1400", "t1401"]
