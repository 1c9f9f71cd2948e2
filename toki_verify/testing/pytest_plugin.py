"""The pytest plugin: schedules and traces are tests, and the fixture `toki` judges what a test did (docs/testing.md).

pytest loads it in every run where the package is installed. So it imports nothing of ours before a schedule, an option
or the fixture asks for it, and takes no file that is not ours unless the file is named.

PYTEST_DONT_REWRITE: there is no assertion here, and pytest would warn where somebody has imported this before it.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from .collect import ScheduleFile
    from .collect_fixture import Toki

#: What is collected unless the ini option `toki_collect` says otherwise.
PATTERNS: Final = ("*.sched", "*.jsonl")
SUFFIXES: Final = (".sched", ".jsonl")

MARKER: Final = (
    "toki(level=None, family=None, no=()): what the fixture `toki` judges by in this test; every collected schedule "
    "has the marker, too"
)

_PATTERNS: Final = pytest.StashKey[tuple[str, ...]]()
#: What the fixture gave a test, however the test came by it.
_TOKI: Final = pytest.StashKey["Toki"]()
#: (name, what the option takes, help). Each is an option `--toki-name` and an ini option `toki_name`.
_OPTIONS: Final = (
    ("level", "SPEC", "the level that schedules and traces are judged against: SI, adya:PL-3, RC+SR@judge_log"),
    ("family", "NAME", "the family of a bare level: graph (the default), berenson, adya, session"),
    ("levels", "FILE", "user-defined levels, as formulas of the relational language"),
)


class TokiWarning(pytest.PytestWarning):
    """What a reader of a schedule should know though no rule forbids it: an unknown key, a transaction left open."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, on the command line and in the ini file.

    Their default is None: what is there but empty (an unset variable of a shell) is refused, not taken for absent.
    """
    group = parser.getgroup("toki", "schedules and traces (toki-verify)")
    for name, metavar, text in _OPTIONS:
        group.addoption(f"--toki-{name}", metavar=metavar, default=None, help=text)
        parser.addini(f"toki_{name}", text, default=None)
    absent = "a phenomenon that must be absent, such as N1"
    group.addoption("--toki-no", metavar="NAME", action="append", help=f"{absent}; may be repeated")
    parser.addini("toki_no", f"{absent}; several are separated by spaces", type="args", default=None)
    collected = f"globs of the files to collect schedules from (default: {' '.join(PATTERNS)}; empty: none)"
    parser.addini("toki_collect", collected, type="args", default=list(PATTERNS))


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker; refuse wrong names before anything runs. Raises pytest.UsageError."""
    config.addinivalue_line("markers", MARKER)
    config.stash[_PATTERNS] = tuple(config.getini("toki_collect"))
    named = [name for name, _, _ in _OPTIONS] + ["no"]
    if any(found(f"toki_{name}") is not None for name in named for found in (config.getoption, config.getini)):
        from .collect_settings import settings_of

        settings_of(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScheduleFile | None:
    """Take a file that is named on the command line, or one that matches a glob and is ours by its look."""
    patterns = parent.config.stash[_PATTERNS]
    if not patterns:
        return None
    suffix = file_path.suffix.lower()
    alike = (file_path, file_path.with_suffix(suffix))  # P4.SCHED is ours for `toki-verify check`, too
    matches = any(path.match(pattern) for path in alike for pattern in patterns)
    named = parent.session.isinitpath(file_path)
    if not (matches or (named and suffix in SUFFIXES)):
        return None
    if not named and suffix in SUFFIXES:  # another suffix is there by a glob of the user's own
        from .collect_sniff import is_ours

        if not is_ours(file_path):
            return None
    from .collect import ScheduleFile

    return ScheduleFile.from_parent(parent, path=file_path)


@pytest.fixture
def toki(request: pytest.FixtureRequest) -> Iterator[Toki]:
    """Judges schedules and recordings: `toki.check(…)` fails the test with the explanation; `toki.recorder()`."""
    from .collect_fixture import Toki
    from .collect_settings import settings_of

    found = Toki(settings_of(request.config, request.node.get_closest_marker("toki")))
    request.node.stash[_TOKI] = found
    yield found
    if request.config.getoption("setuponly", False):  # no test has run
        found.drop()
    found.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """A test that does not get to run says why, and nothing of recordings."""
    try:
        return (yield)
    except BaseException:
        if _TOKI in item.stash:
            item.stash[_TOKI].drop()
        raise


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Judge what the test recorded when it ends: as part of the test, so that its failure is the test's failure (and
    `xfail` covers it). What is recorded later is judged at the fixture's teardown, as an error there.

    Every kind of test passes here, also unittest's. The stash knows the fixture where no argument of the test does."""
    try:
        result = yield
    except BaseException:  # it says itself why
        if _TOKI in item.stash:
            item.stash[_TOKI].drop()
        raise
    if _TOKI in item.stash:
        item.stash[_TOKI].finish()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A broken law is its message. The frames of the suites are hidden, and pytest would say so below each of them."""
    report = yield
    failures = sys.modules.get(f"{__package__}.failures")
    if failures is not None and call.excinfo is not None and isinstance(call.excinfo.value, failures.LawBroken):
        traceback = getattr(report.longrepr, "reprtraceback", None)  # pytest's class for it is private
        if traceback is not None and str(traceback.extraline).startswith("All traceback entries are hidden"):
            traceback.extraline = None
    return report
