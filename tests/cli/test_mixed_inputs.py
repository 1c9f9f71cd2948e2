"""What the inputs of `check` are is known before anybody reads them: directories, mixed kinds, packed and damaged
files, pipes and devices; nothing that is named is left out in silence."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from toki_verify.cli import history_input, opened, parallel
from toki_verify.cli.kinds import Kind, look_at
from toki_verify.events import Problem
from toki_verify.events.limits import ACCESSES
from toki_verify.histories import raw

from .conftest import Run
from .test_following import Terminal
from .test_histories import EDN, LOST_UPDATE, SERIAL, put
from .test_traces import CALM, LOST, event, large

SCHEDULE = "schedule one\n  r1[x0] w1[x1] c1\n"
TRACE = "".join(f"{line}\n" for line in CALM)
ELLE = '{"type": "ok", "process": 0, "f": "txn", "value": [["append", 1, 1]]}\n'
DBCOP = '[[{"events": [{"Write": {"variable": 0, "version": 1}}], "committed": true}]]'
TIMEKILLER = '{"tid": 1, "sid": 0, "sts": 1, "cts": 2, "ops": [{"t": "w", "k": 1, "v": 1}]}\n'


def pack(place: Path, name: str, text: str) -> Path:
    file = place / name
    file.write_bytes(gzip.compress(text.encode()))
    return file


def kinds(*paths: Path | str) -> dict[str, Kind | None]:
    return {Path(one.path).name: one.kind for one in look_at([str(path) for path in paths])}


# -- directories -------------------------------------------------------------------------------------------------------
def test_a_directory_is_searched_for_every_kind_and_for_nothing_else(tmp_path: Path) -> None:
    for name, text in (
        *(("a.sched", SCHEDULE), ("b.jsonl", TRACE), ("c.edn", EDN), ("d.txt", SERIAL), ("e.plume", SERIAL)),
        *(("f.awdit", "w 1 1\n-----\n"), ("g.hist", "[a := x]\n"), ("h.json", DBCOP), ("i.jsonl", ELLE)),
        *(("j.json", TIMEKILLER), ("k.json", ELLE), ("empty.edn", "")),
    ):
        put(tmp_path, name, text)
    for name, text in (
        *(
            ("notes.txt", "-----\nTitle\n=====\nread me\n"),
            ("odd.txt", SCHEDULE),
            ("package.json", '{"data": [{"a": 1}]}'),
        ),
        *(("types.json", '{"type": "module", "value": 3}'), ("README.md", SERIAL), ("a.json", '[[{"x": 1}]]')),
    ):
        put(tmp_path, name, text)
    (tmp_path / "below").mkdir()
    for name, text in (("l.jsonl.gz", TRACE), ("m.edn.gz", EDN), ("n.txt.gz", SERIAL), ("o.tar.gz", "x"), ("p.gz", "")):
        pack(tmp_path / "below", name, text)
    (tmp_path / "q.txt").symlink_to(tmp_path / "nowhere")
    history = dict.fromkeys(
        ("c.edn", "d.txt", "e.plume", "f.awdit", "g.hist", "h.json", "i.jsonl", "j.json"), Kind.HISTORY
    )
    assert kinds(tmp_path) == history | {
        "a.sched": Kind.SCHEDULES,
        "b.jsonl": Kind.TRACE,
        "k.json": Kind.HISTORY,
        "empty.edn": Kind.HISTORY,
        "l.jsonl.gz": Kind.LARGE,
        "m.edn.gz": Kind.HISTORY,
        "n.txt.gz": Kind.HISTORY,
    }
    paths = [one.path for one in look_at([str(tmp_path)])]
    assert paths == sorted(paths)


#: What stands beside a history in a directory of Jepsen's, and what it is called where it is named.
BESIDE = {
    "results.edn": ("{:perf {:latency 1} :workload {:valid? false :anomalies [{:type :ok :f :txn}]}}", "results.edn"),
    "history.txt": ("0\t:invoke\t:txn\t[[:append 1 1]]\n:nemesis\t:info\t:start\tnil\n", "Jepsen's history.txt"),
    "jepsen.log": ("2026-11-30 12:00:00,123{GMT}\tINFO\t[main] jepsen.core: hello\n", "a log of Jepsen"),
}


def test_of_a_directory_of_jepsen_the_history_is_checked(tmp_path: Path, run: Run) -> None:
    for name, (text, _) in BESIDE.items():
        put(tmp_path, name, text)
    put(tmp_path, "test.edn", '{:name "a }{ name" ; {:type\n :nodes ["n1"] :\\x 1}')
    put(tmp_path, "history.edn", f"; a comment\n[#jepsen.history.Op{EDN.lstrip()}" + "]")
    assert kinds(tmp_path) == {"history.edn": Kind.HISTORY}
    put(tmp_path, "history.edn", EDN)
    assert run("check", tmp_path).code == 0
    put(tmp_path, "broken.edn", "{:process 0 :value [[:w 1 1]]}")
    assert run("check", tmp_path).code == 2


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("command", [("check",), ("convert", "--to", "plume"), ("check", "--format", "jepsen-edn")])
def test_what_stands_beside_a_history_is_called_by_its_name(
    tmp_path: Path, run: Run, name: str, command: tuple[str, ...]
) -> None:
    text, what = BESIDE[name]
    done = run(*command, put(tmp_path, name, text))
    assert (done.code, done.err.count("error:")) == (2, 1)
    assert what in done.err and "expected a history; check the history.edn beside it [format]" in done.err


@pytest.mark.parametrize("name", ["h.plume", "h.txt"])
def test_a_comment_before_a_history_is_named_by_the_format_of_the_other_lines(
    tmp_path: Path, run: Run, name: str
) -> None:
    file = put(tmp_path, name, "# made by hand\n" + SERIAL)
    done = run("check", file)
    assert done.code == 2
    assert f"{file}:1:1: error: a file whose first line is in no known format of histories" in done.err
    assert "most of its lines are in plume" in done.err and "`--format plume` names every line that is none" in done.err
    assert f"{file}:1:1: error: '# made by hand'" in run("check", file, "--format", "plume").err


def test_a_directory_of_small_and_large_traces_is_checked_as_its_files_are(tmp_path: Path, run: Run) -> None:
    (tmp_path / "sub").mkdir()
    files = [
        large(tmp_path, *LOST),
        put(tmp_path / "sub", "small.jsonl", TRACE),
        pack(tmp_path / "sub", "z.jsonl.gz", TRACE),
    ]
    found = run("check", tmp_path, "-o", "json")
    assert (found.code, found.err) == (1, "") and found == run("check", *files, "-o", "json")
    assert [one["format"] for one in json.loads(found.out)] == ["toki-trace/1"] * 3


def test_a_directory_of_histories_is_checked_by_several_processes(tmp_path: Path, run: Run) -> None:
    files = [put(tmp_path, "a.edn", EDN), put(tmp_path, "b.txt", LOST_UPDATE)]
    found = run("check", tmp_path, "--jobs", "2", "-o", "jsonl")
    assert (found.code, found.err) == (1, "")
    assert [json.loads(line)["file"] for line in found.out.splitlines()] == [str(file) for file in files]
    assert run("check", tmp_path / "a.edn", "--format", "jepsen-edn").code == 0


def test_what_is_missing_or_empty_is_said_whatever_else_is_named(tmp_path: Path, run: Run) -> None:
    (tmp_path / "empty").mkdir()
    big, history = large(tmp_path), put(tmp_path, "a.edn", EDN)
    for other, mark in ((big, "✓"), (history, "SER ✓"), (put(tmp_path, "a.sched", SCHEDULE), "no anomaly")):
        found = run("check", tmp_path / "nope", other, tmp_path / "empty")
        assert (found.code, mark in found.out) == (2, True)
        assert f"{tmp_path / 'nope'}: error: no such file or directory" in found.err
        assert f"{tmp_path / 'empty'}: error: a directory without schedules, traces or histories" in found.err
        assert "5000" not in found.err
    report = json.loads(run("check", tmp_path / "nope", history, "-o", "sarif").out)["runs"][0]["invocations"][0]
    assert len(report["toolExecutionNotifications"]) == 1
    missing = run("check", tmp_path / "nope.edn", "--no-smallest")
    assert (missing.code, "no such file" in missing.err, "--no-smallest" in missing.err) == (2, True, False)


# -- several kinds -----------------------------------------------------------------------------------------------------
def test_several_kinds_are_refused_with_the_way_out(tmp_path: Path, run: Run) -> None:
    put(tmp_path, "a.sched", SCHEDULE)
    first, _, third = (put(tmp_path, f"{number}.edn", EDN) for number in range(3))
    for given in ([tmp_path], sorted(tmp_path.iterdir())):
        found = run("check", *given)
        assert (found.code, found.out) == (2, "")
        assert f"schedules: 1 ({tmp_path / 'a.sched'}); histories: 3 ({first}, " in found.err
        assert f"{third}" not in found.err
        assert found.err.endswith(f"; check them apart: toki-verify check {first} …\n")


@pytest.mark.parametrize(
    ("names", "refused"),
    [
        (("a.sched", "t.jsonl"), False),
        (("t.jsonl", "t.jsonl.gz"), False),
        (("a.sched", "t.jsonl.gz"), True),
        (("lines.jsonl", "t.jsonl.gz"), True),
        (("t.jsonl", "h.edn"), True),
        (("t.jsonl.gz", "h.edn"), True),
        (("-e", "r1[x0] c1", "h.edn"), True),
        (("-e", "r1[x0] c1", "t.jsonl.gz"), True),
        (("-e", "r1[x0] c1", "t.jsonl"), False),
        (("h.edn", "h.txt.gz"), False),
    ],
    ids=str,
)
def test_kinds_that_go_together_are_checked_and_others_are_not(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], refused: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "a.sched", SCHEDULE)
    put(tmp_path, "t.jsonl", TRACE)
    put(tmp_path, "lines.jsonl", '{"schedule": "s", "events": [{"op": "c", "txn": "1"}]}\n')
    put(tmp_path, "h.edn", EDN)
    pack(tmp_path, "t.jsonl.gz", TRACE)
    pack(tmp_path, "h.txt.gz", SERIAL)
    found = run("check", *names)
    assert (found.code, "check them apart" in found.err, bool(found.out)) == (
        (2, True, False) if refused else (0, False, True)
    )


def test_a_format_is_for_histories(run: Run, tmp_path: Path) -> None:
    put(tmp_path, "a.sched", SCHEDULE)
    for given in ((tmp_path,), ("-e", "r1[x0] c1")):
        found = run("check", *given, "--format", "plume")
        assert (found.code, "--format is for histories" in found.err) == (2, True)


# -- damaged files -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["a.txt.gz", "a.plume.gz", "a.gz", "a.jsonl.gz"])
@pytest.mark.parametrize("option", [(), ("--no-smallest",), ("--real-time",)], ids=str)
def test_what_is_wrong_with_a_packed_file_is_said(tmp_path: Path, run: Run, name: str, option: tuple[str, ...]) -> None:
    whole = gzip.compress(SERIAL.encode())
    for data, said in (
        (whole[:-9], "a gzip file that is cut off"),
        (whole[:12], "a gzip file that is cut off"),
        (whole[:-8] + bytes(8), "a broken gzip file"),
        (whole[:10] + b"\xff" * 20, "a broken gzip file"),
    ):
        (tmp_path / name).write_bytes(data)
        found = run("check", tmp_path / name, *option)
        assert (found.code, found.out) == (2, "")
        assert f"{tmp_path / name}:1:1: error: {said}" in found.err and found.err.count("error") == 1
        if name != "a.gz":  # which may hold anything, so that no directory is searched for it
            assert said in run("check", tmp_path, "-o", "github").out


@pytest.mark.parametrize("name", ["a.txt", "a.plume", "a.json"])
@pytest.mark.parametrize("text", [SERIAL, "w 1 1\n-----\n", TIMEKILLER])
def test_a_text_in_utf_16_is_said_to_be_one(tmp_path: Path, run: Run, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode("utf-16"))
    for given in ((tmp_path / name, "--no-smallest"), (tmp_path,)):
        found = run("check", *given)
        assert (found.code, f"{name}:1:1: error: text in UTF-16; expected UTF-8" in found.err) == (2, True)


# -- standard input, pipes and devices ---------------------------------------------------------------------------------
@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\n\n", b"\xef\xbb\xbf\r\n  \n"])
def test_what_stands_before_a_large_trace_does_not_matter(tmp_path: Path, run: Run, before: bytes) -> None:
    data = before + large(tmp_path, *LOST).read_bytes()
    file = tmp_path / "again.jsonl"
    file.write_bytes(data)
    named, piped = run("check", file, "-o", "json"), run("check", "-", "-o", "json", stdin=data)
    assert (named.code, piped.code) == (1, 1)
    assert piped.out == named.out.replace(str(file), "<stdin>")


def fed(pipe: Path, data: bytes) -> Thread:
    os.mkfifo(pipe)
    thread = Thread(target=pipe.write_bytes, args=(data,), daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")], ids=str)
def test_a_pipe_is_read_once_and_whole(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, jobs: tuple[str, ...]
) -> None:
    from toki_verify.histories.one_file import check_one

    def at_once(paths: list[str], options: Any, jobs: int, *, tell: Any) -> Iterator[Any]:
        yield from (check_one(path, options) for path in paths if path != str(tmp_path / "pipe"))

    monkeypatch.setattr("toki_verify.histories.parallel.check_files.check_at_once", at_once)
    writer = fed(tmp_path / "pipe", LOST_UPDATE.encode())
    others = [put(tmp_path, "a.txt", SERIAL), put(tmp_path, "b.txt", SERIAL)] if jobs else []
    found = run("check", *others[:1], tmp_path / "pipe", *others[1:], *jobs, "-o", "json")
    writer.join(10)
    shown = json.loads(found.out)
    names = ["a.txt", "pipe", "b.txt"] if jobs else ["pipe"]
    assert (found.code, [Path(one["file"]).name for one in shown]) == (1, names)
    assert shown[names.index("pipe")]["levels"]["session"]["PSI"] is False


@pytest.mark.parametrize("kind", ["large", "small", "schedule"])
def test_traces_and_schedules_come_through_pipes_too(tmp_path: Path, run: Run, kind: str) -> None:
    data = {"large": large(tmp_path).read_bytes(), "small": TRACE.encode(), "schedule": SCHEDULE.encode()}[kind]
    writer = fed(tmp_path / "pipe", data)
    found = run("check", tmp_path / "pipe")
    writer.join(10)
    assert (found.code, found.err) == (0, "")
    assert f"{tmp_path / 'pipe'}  trace: 5,002 events" in found.out if kind == "large" else "no anomaly" in found.out


def test_standard_input_that_is_named_twice_is_checked_twice(run: Run) -> None:
    assert len(json.loads(run("check", "-", "-", "-o", "json", stdin=LOST_UPDATE.encode()).out)) == 2


def test_what_never_ends_is_refused(run: Run) -> None:
    found = run("check", "/dev/zero")
    assert (found.code, found.err) == (
        2,
        "/dev/zero: error: a device; expected a file, a pipe or standard input [file]\n",
    )
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [sys.executable, "-m", "toki_verify", "check", "-"],
            stdin=endless,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stdout) == (2, "") and "a NUL byte: a binary file?" in done.stderr


def test_no_more_is_kept_than_a_history_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "MOST", 10)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a" * 100)))
    assert opened.once("-") == b"a" * 10
    monkeypatch.setattr(sys, "stdin", None)
    [one] = look_at(["-"])
    assert one.problem == Problem("standard input is closed", "something to read", "file", file="<stdin>")


# -- few events that unfold to many accesses ---------------------------------------------------------------------------
def unfolding(place: Path, reads: int = 40, items: int = 200) -> Path:
    lines = [event("w", "a", f"k{number}", "1") for number in range(items)]
    lines += [event("c", "a"), *(event("r", "b", predicate="P", matched=[]) for _ in range(reads)), event("c", "b")]
    return put(place, "unfolding.jsonl", "".join(f"{line}\n" for line in lines))


def test_a_trace_that_is_small_but_for_what_it_unfolds_to_is_read_into_arrays(tmp_path: Path, run: Run) -> None:
    file = unfolding(tmp_path)
    [found] = json.loads(run("check", file, "-o", "json").out)
    assert found["format"] == "toki-trace/1" and kinds(file) == {"unfolding.jsonl": Kind.TRACE}
    refused = run("check", file, put(tmp_path, "a.sched", SCHEDULE))
    assert refused.code == 2 and f"at most {ACCESSES} beside schedules: a larger trace is checked apart" in refused.err
    [small] = json.loads(run("check", unfolding(tmp_path, 3, 3), "-o", "json").out)
    assert small["format"] == "toki-schedule/1"
    broken = unfolding(tmp_path).read_text(encoding="utf-8") + "nothing\n"
    refused = run("check", put(tmp_path, "broken.jsonl", broken))
    assert (refused.code, "no anomaly" in refused.out, "broken.jsonl:243:1: error" in refused.err) == (2, False, True)


# -- Ctrl-C, the first time, the bar -----------------------------------------------------------------------------------
def test_ctrl_c_while_the_program_is_imported() -> None:
    code = (
        "import runpy, sys\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'toki_verify.cli.main':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupts())\n"
        "runpy.run_module('toki_verify', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_the_exit_code_behind_ctrl_c_is_that_of_shells_also_where_text_was_run_as_code() -> None:
    code = (
        "from toki_verify.cli import main\n"
        "def run(arguments):\n"
        "    print('known')\n"
        "    exec('raise KeyboardInterrupt')\n"
        "main._run = run\n"
        "main.command()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "known\n", "interrupted\n")


@pytest.mark.parametrize("text", [SERIAL, TRACE], ids=["history", "trace"])
def test_that_loops_are_compiled_is_said_once_and_on_a_terminal(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    file = pack(tmp_path, "a.jsonl.gz" if text == TRACE else "a.txt.gz", text)
    run("check", file)
    assert history_input._compiled_before(options := _options(text))
    monkeypatch.setattr(Path, "glob", lambda *given: iter(()))
    assert not history_input._compiled_before(options)
    assert run("check", file).err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    run("check", file)
    assert terminal.getvalue() == "compiling loops once (about half a minute)\n"


def _options(text: str) -> Any:
    from toki_verify.histories.one_file import HistoryOptions, TraceOptions

    return TraceOptions() if text == TRACE else HistoryOptions()


def test_a_bar_moves_before_the_first_of_several_files_is_finished(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal, real, moved = Terminal(), time.monotonic, [0.0]

    def slowly(paths: list[str], options: object, jobs: int, *, tell: Any) -> Iterator[tuple[None, list[Problem]]]:
        moved[0] = 5.0
        time.sleep(0.3)
        for done, path in enumerate(paths, start=1):
            tell(done)
            yield None, [Problem("late", "early", "late", file=path)]

    monkeypatch.setattr("toki_verify.histories.parallel.check_files.check_at_once", slowly)
    monkeypatch.setattr(parallel, "_AGAIN", 0.02)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(time, "monotonic", lambda: real() + moved[0])
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    run("check", put(tmp_path, "a.edn", EDN), put(tmp_path, "b.edn", EDN), "--jobs", "2")
    assert "2 files: checked" in terminal.getvalue() and "0/2" in terminal.getvalue()


def test_what_counts_files_ends_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_AGAIN", 0.01)
    said: list[tuple[str, int, int]] = []
    with parallel._counting(lambda *what: said.append(what), 3) as count:
        time.sleep(0.1)
        before = len(said)
        count(None)
        count(2)
    after = len(said)
    time.sleep(0.05)
    assert before > 1 and set(said[:before]) == {("checked", 0, 3)}
    assert said[-1] == ("checked", 3, 3) and len(said) == after
