"""`check --version-order`, and timestamps as evidence: `check --timestamps`, `verify-evidence --own-timestamps`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toki_verify.histories.sessions import evidence_times

from .conftest import Run
from .test_histories import LOST_UPDATE, put

#: T2 overwrites T1's x, and T3 its y, without reading them; T4 and T5 see both.
ROWS = (
    (1, 1, 1, 4, [("w", "x", 1), ("w", "y", 1)]),
    (2, 2, 5, 9, [("w", "x", 2)]),
    (3, 3, 6, 8, [("w", "y", 3)]),
    (4, 4, 10, 12, [("r", "x", 2), ("r", "y", 3)]),
    (5, 4, 13, 14, [("r", "x", 2), ("r", "y", 3)]),
)


def timekiller(rows: tuple[tuple[int, int, int, int, list[tuple[str, str, int]]], ...] = ROWS) -> str:
    return "\n".join(
        json.dumps(
            {"tid": tid, "sid": sid, "sts": start, "cts": end, "ops": [dict(zip("tkv", op, strict=True)) for op in ops]}
        )
        for tid, sid, start, end, ops in rows
    )


def test_a_level_is_judged_with_the_order_that_is_asked_for(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.json", timekiller())
    stated = put(tmp_path, "o.json", '{"x": [2, 1], "y": [1, 3]}')
    for order, code, origin in (("auto", 0, "some"), ("timestamps", 0, "timestamps"), (str(stated), 1, "stated")):
        done = run("check", file, "--version-order", order, "-o", "json")
        [found] = json.loads(done.out)
        assert (done.code, found["history"]["version_order"]) == (code, origin), done.err
        assert found["levels"]["session"]["SER"] is (code == 0)
    shown = run("check", file, "--version-order", str(stated))
    assert "! versions stand in the stated order: a level that fails does so with it" in shown.out
    assert "Not RC" not in shown.out and "is a cycle" in shown.out


def test_an_order_that_cannot_be_had_is_refused(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.txt", LOST_UPDATE)
    bad = put(tmp_path, "o.json", '{"1": [9, 1]}')
    for order, said in (
        ("timestamps", "no commit timestamps in plume"),
        ("reads", "no order of versions in reads of registers"),
        ("nowhere.json", "nowhere.json: error: no such file"),
        (str(bad), "o.json:1:7: error: an order of 1 without 2, which T2 writes (line 5)"),
    ):
        done = run("check", file, "--version-order", order)
        assert (done.code, done.out) == (2, "") and said in done.err, done.err
    tied = put(tmp_path, "t.json", timekiller((*ROWS, (6, 6, 7, 9, [("w", "x", 6)]))))
    done = run("check", tied, "--version-order", "timestamps")
    assert done.code == 2 and "t.json:6: error: T2's x=2 (line 2) and T6's x=6 commit at one time, 9" in done.err
    done = run("check", tied, "--version-order", "timestamps", "--skip-bad", "--level", "RC")
    assert done.code == 0 and "the place of 2 versions in the version order is open" in done.out


def test_own_timestamps_show_si_or_the_first_that_contradicts_is_named(tmp_path: Path, run: Run) -> None:
    done = run("verify-evidence", put(tmp_path, "h.json", timekiller()), "--own-timestamps")
    assert (done.code, done.out) == (0, "✓ SI  shown by the own timestamps of 5 transactions\n")
    late = timekiller((*ROWS[:3], (4, 4, 9, 9, [("r", "x", 1), ("r", "y", 3)])))
    done = run("verify-evidence", put(tmp_path, "late.json", late), "--own-timestamps")
    assert (done.code, done.out) == (
        1,
        "✗ SI  not shown by the own timestamps: 1 contradict\n"
        "  lines 4, 1, 2: T4 reads x=1 of T1, which committed at 4, and when it started, at 9, T2 committed x=2 at 9\n",
    )


def test_what_starts_when_another_commits_sees_it_and_may_overwrite_it(tmp_path: Path, run: Run) -> None:
    """docs/histories.md: of two transactions that write one key, one commits at or before the start of the other."""
    first, second = (1, 1, 0, 2, [("w", "x", 1)]), (2, 2, 2, 2, [("r", "x", 1), ("w", "x", 2)])
    later = (3, 3, 2, 3, [("r", "x", 2)])
    for rows, code in (
        ((first, second, later), 0),
        ((later, second, first), 0),
        ((first, second, (3, 3, 2, 3, [("r", "x", 1)])), 1),
        ((first, (2, 2, 1, 2, [("w", "x", 2)])), 1),  # which overlaps it
        (((1, 1, 2, 2, [("w", "x", 1)]), second), 1),  # times do not order these
        (((1, 1, 0, 3, [("w", "x", 1)]), (2, 2, 2, 2, [("w", "x", 2)])), 1),
    ):
        done = run("verify-evidence", put(tmp_path, "h.json", timekiller(rows)), "--own-timestamps")
        assert done.code == code, (rows, done)


@pytest.mark.parametrize("place", ["_COMMIT", "_BOTH"])
def test_a_mutant_that_has_another_order_of_what_happens_at_one_time_is_caught(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """What commits, then what starts and commits at once, then what starts."""
    rows = ((1, 1, 0, 2, [("w", "x", 1)]), (2, 2, 2, 2, [("w", "x", 2)]), (3, 3, 2, 3, [("r", "x", 2)]))
    file = put(tmp_path, "h.json", timekiller(rows))
    assert run("verify-evidence", file, "--own-timestamps").code == 0
    monkeypatch.setattr(evidence_times, place, 3)
    assert run("verify-evidence", file, "--own-timestamps").code == 1


def test_what_own_timestamps_cannot_be_asked_of_is_refused(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.txt", LOST_UPDATE)
    done = run("verify-evidence", file, "--own-timestamps")
    assert done.code == 2 and "no timestamps in the format plume" in done.err
    done = run("verify-evidence", file)
    assert done.code == 2 and "expected a REPORT" in done.err


def test_timestamps_without_evidence_and_those_of_clients_are_called_what_they_are(tmp_path: Path, run: Run) -> None:
    done = run("check", put(tmp_path, "h.json", timekiller()), "--timestamps")
    assert done.code == 2 and "expected --evidence with it" in done.err
    text = "".join(
        f"{{:type {kind} :f :txn :process {who} :value [[:append 1 {who}]]}}\n"
        for kind, who in ((":invoke", 1), (":invoke", 2), (":ok", 1), (":ok", 2))
    )
    done = run("verify-evidence", put(tmp_path, "h.edn", text), "--own-timestamps")
    said = "✗ SI  not shown by the places of invocations and completions: 1 contradict"
    assert (done.code, done.out.split("\n")[0]) == (1, said)


def test_the_timestamps_of_a_report_are_checked_again(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.json", timekiller())
    options = ("--version-order", "timestamps")
    [found] = json.loads(run("check", file, "--evidence", "--timestamps", *options, "-o", "json").out)
    times = found["levels"]["session"]["SI"]["timestamps"]
    assert all(start < commit for start, commit in times.values())
    assert (
        "timestamps" not in json.loads(run("check", file, "--evidence", "-o", "json").out)[0]["levels"]["session"]["SI"]
    )

    def verified(text: str) -> tuple[int, str]:
        done = run("verify-evidence", file, put(tmp_path, "report.json", text), *options)
        return done.code, done.out + done.err

    code, said = verified(json.dumps(found))
    assert (code, said.count("✓"), "start and commit numbers of 5" in said) == (0, 8, True)
    times["4"] = [0, times["4"][1]]
    code, said = verified(json.dumps(found))
    assert (code, said.count("✓"), "✗ SI  not shown by the start and commit numbers" in said) == (1, 7, True)
    times["nobody"] = [1, 2]
    assert verified(json.dumps(found)) == (1, said.split("✗")[0] + "✗ SI  the history has no transaction nobody\n")
    wrongs: tuple[object, ...] = (
        [],
        {"4": [1]},
        {"4": [1, "2"]},
        {"4": [-1, 2]},
        {"4": [True, 2]},
        {"4": [1, 1 << 63]},
    )
    for wrong in wrongs:
        found["levels"]["session"]["SI"]["timestamps"] = wrong
        code, said = verified(json.dumps(found))
        assert code == 2 and "the timestamps of SI are no object" in said


@pytest.mark.parametrize("text", ['[{"history": {}, "levels": []}]', '[{"history": {}, "levels": {"session": []}}]'])
def test_levels_that_are_none_are_no_orders(tmp_path: Path, run: Run, text: str) -> None:
    done = run("verify-evidence", put(tmp_path, "h.txt", LOST_UPDATE), put(tmp_path, "report.json", text))
    assert done.code == 2 and "that are no object" in done.err


def test_own_timestamps_keep_to_real_time(tmp_path: Path, run: Run) -> None:
    """What ended before another began has committed before that starts: the times are the same."""
    file = put(tmp_path, "h.json", timekiller())
    done = run("verify-evidence", file, "--own-timestamps", "--real-time")
    assert (done.code, done.out) == (0, "✓ SI  shown by the own timestamps of 5 transactions\n")
