"""The beginning of a file tells what it is, in time that grows with its length only, whatever stands in front; gzip is
unpacked piece by piece; what never ends is not read."""

from __future__ import annotations

import gzip
import io
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from toki_verify.cli import kinds
from toki_verify.cli.kinds import Kind, look_at
from toki_verify.events import Problem
from toki_verify.histories import formats, jepsen_store, packed, raw
from toki_verify.histories.beginning import HEAD, beginning
from toki_verify.histories.formats import detect, read_history
from toki_verify.histories.packed import unpacked
from toki_verify.histories.raw import read_path

PLUME = b"w(1,1,0,0)\nr(1,1,1,1)\n"
TIMEKILLER = '{"tid":%s,"sid":1,"sts":1,"cts":2,"ops":[{"t":"w","k":1,"v":1}]}'

# -- time --------------------------------------------------------------------------------------------------------------
SNIFFERS: dict[str, Callable[[bytes], object]] = {
    "schedules": kinds._OTHER.match,
    "likely, without numpy": kinds._LIKELY.match,
    "surely a history": kinds._SURE.search,
    "a line": kinds._LINE.match,
    "format": detect,
    "dbcop text": lambda head: formats._HIST.search(head.decode()),
    "most lines": formats.likely,
    "other files": jepsen_store.other_file,
    "operations": jepsen_store.holds_operations,
}
FILLS = (
    b"\n",
    b" ",
    b"\r\n",
    b"\t\n",
    b"{",
    b"{ ",
    b"[ ",
    b"#\n",
    b";\n",
    b"-",
    b"- ",
    b'"',
    b"r ",
    b"[\n",
    b"[a\n",
    b"r\n",
)


def _seconds(sniff: Callable[[bytes], object], head: bytes) -> float:
    """The least of several."""
    found = []
    for _ in range(5):
        begun = time.process_time()
        sniff(head)
        found.append(time.process_time() - begun)
    return min(found)


@pytest.mark.parametrize("name", SNIFFERS)
def test_telling_what_a_file_is_takes_time_that_grows_with_its_length_only(name: str) -> None:
    sniff = SNIFFERS[name]
    for fill in FILLS:
        for tail in (b"", b"x"):
            short, long = (fill * (size // len(fill)) + tail for size in (2_048, 65_536))
            # 32 times as much: squares would take a thousand times as long, even if they began small.
            assert _seconds(sniff, long) < 200 * max(_seconds(sniff, short), 20e-6), (fill, tail)


# -- what stands in front ----------------------------------------------------------------------------------------------
def test_the_beginning_is_what_comes_behind_blanks() -> None:
    assert beginning([b"\xef\xbb\xbf \n", b"\n\t", b" a b", b" c"]) == b"a b c"
    assert beginning([]) == beginning([b" ", b"\n"]) == b""
    assert beginning([b" a" + b"b" * HEAD]) == b"a" + b"b" * (HEAD - 1)
    taken = iter([b"\n" * HEAD, b"a" * HEAD, b"never taken"])
    assert beginning(taken) == b"a" * HEAD and next(taken) == b"never taken"


def test_the_beginning_of_json_has_no_long_strings() -> None:
    name = 'n\\"' * 100_000
    assert beginning([f'{{"tid":"{name}","{name}":1}}'.encode()]) == b'{"tid":"","":1}'
    assert beginning([b'{"tid":"' + b"n" * 5_000_000, b'","sid":1}']) == b'{"tid":""'
    assert beginning([b'["' + b"n" * 900 + b'"]']) == b'["' + b"n" * 900 + b'"]'
    assert beginning([b'w "' + b"n" * 100_000 + b'"'])[:5] == b'w "nn'  # no JSON


@pytest.mark.parametrize("blank", [b"\n", b" ", b"\r\n"])
def test_blanks_in_front_do_not_hide_a_history(blank: bytes, tmp_path: Path) -> None:
    for name, text, form in (
        ("a.txt", PLUME, "plume"),
        ("b.json", (TIMEKILLER % 1).encode(), "timekiller"),
        ("c.json", b'[[{"events":[["w",0,1]],"committed":true}]]', "dbcop-json"),
    ):
        data = blank * 70_000 + text
        (tmp_path / name).write_bytes(data)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
        history, problems = read_history(gzip.compress(data), source=name)
        assert history is not None and problems == [] and history.format == form
    assert [(Path(one.path).name, one.kind) for one in look_at([str(tmp_path)])] == [
        (name, Kind.HISTORY) for name in ("a.txt", "a.txt.gz", "b.json", "b.json.gz", "c.json", "c.json.gz")
    ]


def test_packed_blanks_are_an_empty_history(tmp_path: Path) -> None:
    file = tmp_path / "a.txt.gz"
    file.write_bytes(gzip.compress(b"\n" * 100_000))
    [one] = look_at([str(file)])
    assert one.kind is Kind.HISTORY


def test_long_names_do_not_hide_the_keys_behind_them(tmp_path: Path) -> None:
    for length in (1_500, 9_000, 800_000):
        name = '"' + "n" * length + '"'
        for text in (TIMEKILLER % name, TIMEKILLER.replace('"tid"', f'{name}:0,"tid"') % 1):
            history, problems = read_history(text.encode(), source="a.json")
            assert problems == [] and history is not None and history.format == "timekiller"
            file = tmp_path / "a.json"
            file.write_text(text)
            assert [one.kind for one in look_at([str(file)])] == [Kind.HISTORY]


# -- gzip --------------------------------------------------------------------------------------------------------------
def test_members_zeros_and_what_is_behind_them() -> None:
    parts = [PLUME, b"", b"a" * 3_000_000, b"b"]
    whole = b"".join(gzip.compress(part) + b"\0" * (20_000 * (part == b"")) for part in parts)
    assert unpacked(whole + b"\0" * 40_000, "f") == (b"".join(parts), None)
    for behind, count in ((b"x", "1 byte"), (b"\x1f", "1 byte"), (b"\0\0\x1fx" + b"y" * 2_000_000, "2000002 bytes")):
        data, problem = unpacked(whole + behind, "f")
        assert data == b"" and problem is not None and problem.what == f"{count} behind the gzip member"
    for cut in (5, 12, len(whole) - 4):
        data, problem = unpacked(whole[:cut], "f")
        assert data == b"" and problem is not None and problem.what == "a gzip file that is cut off"
    data, problem = unpacked(b"\x1f\x8bnonsense", "f")
    assert data == b"" and problem is not None and problem.what.startswith("a broken gzip file (Error -3")


@pytest.mark.parametrize("beyond", [0, 1])
def test_unpacking_takes_little_more_memory_than_there_may_be(beyond: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(b"\n" * (8_000_000 + beyond))
    monkeypatch.setattr(packed, "GZIP_RATIO", 0)
    monkeypatch.setattr(packed, "GZIP_BYTES", 8_000_000)
    tracemalloc.start()
    try:
        data, problem = unpacked(bomb, "f")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (len(data), problem is None) == ((0, False) if beyond else (8_000_000, True))
    assert peak < 1.5 * 8_000_000 + 2 * raw.CHUNK


# -- what does not end -------------------------------------------------------------------------------------------------
def test_a_device_is_refused_before_it_is_read() -> None:
    device = Problem("a device", "a file, a pipe or standard input", "file", file="/dev/zero")
    assert read_path("/dev/zero") == (b"", "/dev/zero", device)
    assert read_path("/dev/null") == (b"", "/dev/null", None)


def test_paths_are_read_whole_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a"
    file.write_bytes(PLUME)
    assert read_path(str(file)) == (PLUME, str(file), None)
    assert read_path("/proc/self/status")[0].startswith(b"Name:")  # a file of no size
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PLUME)))
    assert read_path("-") == (PLUME, "<stdin>", None)
    for path, what in (("", "an empty path"), (str(tmp_path), "is a directory"), ("/none", "no such file")):
        data, _, problem = read_path(path)
        assert data == b"" and problem is not None and problem.what.startswith(what)


def test_a_file_larger_than_any_history_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "sparse"
    with file.open("wb") as stream:
        stream.truncate(raw.BYTES + 1)
    most = "at most 2000000000"
    problem = Problem("more than 2000000000 bytes", most, "limit-file", file=str(file), line=1, column=1)
    assert read_path(str(file)) == (b"", str(file), problem)
