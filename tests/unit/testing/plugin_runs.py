"""Run pytest with the plugin, in this process or as a stranger would: in another, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PLUGIN = "toki_verify.testing.pytest_plugin"

GOOD = "schedule fine\n  r1[x0] w1[x1] c1\n"
LOST = "schedule lost\n  r1[x0] r2[x0] w2[x1] c2 w1[x2] c1\n"
SKEW = "schedule skew\n  r1[x0] r2[y0] w1[y1] c1 w2[x1] c2\n"
OPEN_VOTE = "schedule open-vote\n  j1(R, theta) c1 j2(R, theta)=1 c2\n"
TRACE = (
    '{"op": "b", "txn": "1"}\n'
    '{"op": "r", "txn": "1", "item": "m0", "version": "0"}\n'
    '{"op": "w", "txn": "1", "item": "m0", "version": "1"}\n'
    '{"op": "c", "txn": "1"}\n'
)


def run(pytester: pytest.Pytester, *arguments: str | Path) -> pytest.RunResult:
    """pytest with the plugin in this process."""
    return pytester.runpytest_inprocess("-p", PLUGIN, "-p", "no:cacheprovider", *arguments)


def outside(
    folder: Path, *arguments: str, path: tuple[Path, ...] = (), **more: str
) -> subprocess.CompletedProcess[str]:
    """pytest in another process, started in a folder that is not ours."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "TOKI"))}
    environment |= {
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, *path))),
        "COLUMNS": "120",
        "PYTHONIOENCODING": "utf-8",
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env=environment | more,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
