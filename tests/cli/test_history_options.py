"""What `convert` and `check` say of options on histories that are none, or that would not help."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run
from .test_histories import EDN, SERIAL, put
from .test_verify_evidence import hostile


def test_numbers_are_recommended_only_where_they_help(tmp_path: Path, run: Run) -> None:
    hint = "`--numbers` writes keys and values as numbers"
    named = put(tmp_path, "named.edn", EDN.replace(":append 1", ":w :a-key").replace("[:r 1 [1]]", "[:r :a-key 1]"))
    for file, target, helps in (
        (put(tmp_path, "h.txt", SERIAL), "timekiller", False),
        (put(tmp_path, "lists.edn", EDN), "plume", False),
        (hostile(tmp_path), "plume", True),
        (named, "timekiller", False),
    ):
        done = run("convert", file, "--to", target)
        helped = run("convert", file, "--to", target, "--numbers")
        assert (done.code == 2, hint in done.err) == (helps or target == "plume" or file != named, helps), done
        assert (helped.code == 0) is (helps or done.code == 0) and hint not in helped.err


def test_exactly_the_formats_that_can_be_written_are_listed(tmp_path: Path, run: Run) -> None:
    from toki_verify.cli.convert import TARGETS
    from toki_verify.histories.formats import FORMATS, read_history
    from toki_verify.histories.writers import write_history

    history, _ = read_history(SERIAL.encode(), source="h")
    assert history is not None
    written = []
    for name in FORMATS:
        try:
            write_history(history, name)
        except ValueError as error:
            if "no history can be written" in str(error):
                continue
        written.append(name)
    assert sorted(TARGETS) == sorted([*written, "sched"])
    for target, hint in (
        ("foo", ""),
        ("dbcop-text", " (did you mean dbcop-json?)"),
        ("elle", " (did you mean elle-json?)"),
    ):
        done = run("convert", put(tmp_path, "h.txt", SERIAL), "--to", target)
        assert (done.code, done.out) == (2, "")
        assert done.err.endswith(f"no format to write is called {target}, expected one of {', '.join(TARGETS)}{hint}\n")
    assert all(target in " ".join(run("convert", "--help").out.split()) for target in TARGETS)


def test_no_places_are_listed_where_none_are_asked_for(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "many.txt", "".join(f"r({key},7,1,{key})\n" for key in range(1, 6)))
    done = run("check", file, "--limit", "0")
    assert "5 times" in done.out and "lines" not in done.out
    assert "lines 1, …" in run("check", file, "--limit", "1").out


@pytest.mark.parametrize("seconds", ["nan", "-1", "inf", "-inf"])
def test_a_time_that_is_none_is_refused(tmp_path: Path, run: Run, seconds: str) -> None:
    file = put(tmp_path, "h.txt", SERIAL)
    done = run("check", file, f"--seconds={seconds}")
    said = f"toki-verify check: --seconds is {seconds}, expected a finite number, 0 or more\n"
    assert (done.code, done.out, done.err) == (2, "", said)
    assert run("check", file, "--seconds", "0").code == 0


def test_the_serializability_of_schedules_is_called_ser_here(tmp_path: Path, run: Run) -> None:
    file = put(tmp_path, "h.txt", SERIAL)
    for level, said in (("SR", True), ("graph:SR", True), ("PL-3", False)):
        done = run("check", file, "--level", level)
        assert done.code == 2 and ("SER (SR is SER here)\n" in done.err) is said


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("snapshot-isolation", "that is SI, which has session order, too"),
        ("Strict Serializable", "that is SER with --real-time"),
        ("strict-serialisable", "if strict-serializable is meant: that is SER with --real-time"),
        ("read-committed", "that is RC, which asks for more than that of Elle and Adya: docs/histories.md"),
        ("session:si", "did you mean SI?"),
        ("RU", "no level of histories is RU"),
        ("foo", ""),
    ],
)
def test_what_others_call_a_level_is_answered_with_its_name_here(
    tmp_path: Path, run: Run, level: str, said: str
) -> None:
    done = run("check", put(tmp_path, "h.txt", SERIAL), "--level", level)
    hint = f" ({said})" if said else ""
    expected = f"{level} is no session level, expected one of RC, RA, CC, PC, PSI, SI, SER{hint}\n"
    assert (done.code, done.err) == (2, f"toki-verify check: {expected}")


def test_formats_are_listed_in_the_help_and_near_names_are_suggested(tmp_path: Path, run: Run) -> None:
    from toki_verify.cli.history_input import FORMAT_NAMES
    from toki_verify.histories.formats import FORMATS

    assert tuple(FORMATS) == FORMAT_NAMES
    listed = f"{', '.join(FORMAT_NAMES[:-1])} or {FORMAT_NAMES[-1]}"
    for command in ("check", "convert", "verify-evidence"):
        assert listed.replace(" ", "") in "".join(run(command, "--help").out.split())
    for name, hint in (
        ("elle", " (did you mean elle-json?)"),
        ("Jepsen", " (did you mean jepsen-edn?)"),
        ("dbcop", " (did you mean dbcop-json or dbcop-text?)"),
        ("csv", ""),
    ):
        done = run("check", put(tmp_path, "h.txt", SERIAL), "--format", name)
        assert (done.code, done.err) == (
            2,
            f"toki-verify check: no format {name}, expected one of {', '.join(FORMATS)}{hint}\n",
        )
