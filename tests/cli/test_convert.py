"""`convert`: unknown outcomes, and names that change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run
from .test_histories import put

#: T0 is unknown and read by T3; T4 is unknown and read by nobody; T7 has committed.
UNKNOWN = """\
{:index 0, :type :invoke, :process 0, :f :txn, :value [[:w :x 1]]}
{:index 1, :type :info, :process 0, :f :txn, :value [[:w :x 1]]}
{:index 2, :type :invoke, :process 1, :f :txn, :value [[:r :x nil]]}
{:index 3, :type :ok, :process 1, :f :txn, :value [[:r :x 1]]}
{:index 4, :type :invoke, :process 2, :f :txn, :value [[:w :x 2]]}
{:index 5, :type :info, :process 2, :f :txn, :value [[:w :x 2]]}
{:index 6, :type :invoke, :process 1, :f :txn, :value [[:w :y 3]]}
{:index 7, :type :ok, :process 1, :f :txn, :value [[:w :y 3]]}
"""
LEFT_OUT = (
    "toki-verify convert: of unknown outcome: 1 transaction left out, of which nobody read anything; 1 written as "
    "committed, since somebody read from it\n"
)


@pytest.mark.parametrize(
    ("target", "form"), [("plume", "Plume text"), ("awdit", "AWDIT test text"), ("dbcop-json", "dbcop JSON")]
)
def test_an_unknown_outcome_is_named_with_a_way_on(tmp_path: Path, run: Run, target: str, form: str) -> None:
    file = put(tmp_path, "unknown.edn", UNKNOWN)
    done = run("convert", file, "--to", target)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"toki-verify convert: {form} holds no transaction whose outcome is not known, and that of T0 (line 1) is not; "
        "`--without-unknown` leaves out those of which nobody read anything, and commits the others\n"
    )
    done = run("convert", file, "--to", target, "--without-unknown")
    assert done.code == 0 and done.err.startswith(LEFT_OUT)
    before, after = (
        json.loads(run("check", one, "-o", "json").out)[0]["levels"] for one in (file, put(tmp_path, "again", done.out))
    )
    assert before == after


def test_what_somebody_read_is_written_as_committed_and_what_nobody_read_is_not(tmp_path: Path, run: Run) -> None:
    done = run("convert", put(tmp_path, "unknown.edn", UNKNOWN), "--to", "plume", "--without-unknown")
    assert done.out == "w(:x,1,0,0)\nr(:x,1,1,1)\nw(:y,3,1,2)\n"


def test_a_write_that_may_have_been_read_is_not_left_out(tmp_path: Path, run: Run) -> None:
    """Of two writes of one value, one of unknown outcome, nobody can say which one was read: the levels are undecided,
    and without the one of unknown outcome they would not be."""
    twice = UNKNOWN.replace(":w :x 2", ":w :y 3") + (
        "{:index 8, :type :invoke, :process 1, :f :txn, :value [[:r :y nil]]}\n"
        "{:index 9, :type :ok, :process 1, :f :txn, :value [[:r :y 3]]}\n"
    )
    done = run("convert", put(tmp_path, "twice.edn", twice), "--to", "plume", "--without-unknown")
    assert (done.code, done.out) == (2, "")
    assert "whether somebody read what T4 (line 5) wrote is not known: :y=3 was written twice" in done.err


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("plume", "transaction 3 is 1 (and another transaction)"),
        ("awdit", "transaction 0 is 0.0 (and 2 other transactions)"),
        ("dbcop-json", "transaction 0 is 0.0 (and 2 other transactions)"),
        ("jepsen-edn", "transaction 0 is 5 (and 2 other transactions)"),
    ],
)
def test_names_that_change_are_said(tmp_path: Path, run: Run, target: str, said: str) -> None:
    done = run("convert", put(tmp_path, "unknown.edn", UNKNOWN), "--to", target, "--without-unknown")
    assert done.err == f"{LEFT_OUT}toki-verify convert: {target} has names of its own: {said}\n"


def test_names_that_stay_are_not_spoken_of_and_those_of_sessions_are(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.txt", "w(1,1,0,0)\nr(1,1,1,1)\n")
    assert run("convert", file, "--to", "plume").err == ""
    other = put(tmp_path, "g.txt", "w(1,1,5,0)\nr(1,1,7,1)\n")
    done = run("convert", other, "--to", "elle-json")
    assert done.err.endswith("transaction 0 is 1 (and another transaction); process 5 is 0 (and another process)\n")
    assert [json.loads(line)["index"] for line in done.out.splitlines() if '"ok"' in line] == [1, 3]


@pytest.mark.parametrize("target", ["plume", "awdit", "dbcop-json", "jepsen-edn", "elle-json"])
def test_the_names_that_are_told_are_those_that_a_reader_finds(target: str) -> None:
    from toki_verify.histories.formats import read_history
    from toki_verify.histories.without_unknown import without_unknown
    from toki_verify.histories.writers import write_history
    from toki_verify.histories.written_names import renamed

    history, _ = read_history(UNKNOWN.encode(), source="f")
    assert history is not None
    known = without_unknown(history).history
    again, _ = read_history("".join(write_history(known, target)).encode(), source="g")
    assert again is not None
    ours, theirs = (
        {one: str(name) for one, name in zip(of(read), read.transactions, strict=True)} for read in (known, again)
    )
    change = next((ours[one], theirs[one]) for one in ours if ours[one] != theirs[one])
    assert str(renamed(known, target)).startswith(f"transaction {change[0]} is {change[1]} ")


def of(history):  # type: ignore[no-untyped-def]
    """What each transaction wrote or read, which is a different thing each."""
    return [
        tuple(
            (
                int(history.kind[at]),
                history.keys[int(history.key[at])].strip(':"'),
                history.values[int(history.version[at])],
            )
            for at in range(int(history.first[txn]), int(history.first[txn + 1]))
        )
        for txn in range(len(history.session))
    ]
