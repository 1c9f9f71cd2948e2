"""Memory is kept where the C library can be told so; where it cannot, nothing happens."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from toki_verify.histories import memory, one_file
from toki_verify.histories.memory import keep_freed_memory
from toki_verify.histories.one_file import TraceOptions, check_one


def test_freed_memory_is_kept() -> None:
    code = (
        "import numpy, resource\n"
        "from toki_verify.histories.memory import keep_freed_memory\n"
        "print(keep_freed_memory())\n"
        "numpy.zeros(1 << 24).sum()\n"
        "faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "for _ in range(20): (numpy.zeros(1 << 21) + 1).sum()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    told, faults = done.stdout.split()
    if told == "True":  # glibc
        assert int(faults) < 1_000


@pytest.mark.parametrize("library", [SimpleNamespace(), None])
def test_another_library_is_left_alone(library: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def loaded(name: object) -> object:
        if library is None:
            raise TypeError("no handle of the process")
        return library

    monkeypatch.setattr(ctypes, "CDLL", loaded)
    assert keep_freed_memory() is False


def test_only_large_files_ask_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(one_file, "keep_freed_memory", lambda: asked.append(True))
    file = tmp_path / "one.jsonl"
    file.write_text('{"op":"w","txn":"1","item":"x"}\n{"op":"c","txn":"1"}\n', encoding="utf-8")
    check_one(str(file), TraceOptions())
    assert asked == []
    monkeypatch.setattr(one_file, "LARGE", 10)
    check_one(str(file), TraceOptions())
    assert asked == [True] and memory.LARGE > 10
