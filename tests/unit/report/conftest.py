"""Verdicts for the tests of the reports: the shipped library, and names that try to break out."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_samples import HOSTILE, lost_update

from toki_verify.checker import check
from toki_verify.notation import parse_text
from toki_verify.verdict import Verdict

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(params=HOSTILE, ids=range(len(HOSTILE)))
def hostile(request: pytest.FixtureRequest) -> Verdict:
    """A verdict in which every name is hostile, the file's too."""
    return check(lost_update(request.param), file=request.param, line=7)


@pytest.fixture(scope="session")
def library() -> list[Verdict]:
    """The verdict of every shipped schedule."""
    return [
        check(schedule, file=str(path.relative_to(ROOT)), line=1)
        for path in sorted(ROOT.glob("schedules/*/*.sched"))
        for schedule in parse_text(path.read_text(encoding="utf-8"), file=str(path))
    ]
