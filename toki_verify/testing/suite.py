"""Suites: a class with a test method for every law. pytest collects it under the `Test…` name it is assigned to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol
from unittest import SkipTest

from hypothesis import given
from hypothesis import settings as Settings
from hypothesis.errors import Flaky, HypothesisException
from hypothesis.strategies import SearchStrategy

from ..algebra.facts import Fact
from ..algebra.semiring import Semiring
from .failures import Broken, LawBroken, facts_table, theirs
from .laws import LAWS
from .profiles import adapted
from .protocols import Untestable


class Case(Protocol):
    """An example of a law that can show its facts."""

    @property
    def shown(self) -> Mapping[str, Fact[Any]]:
        """The facts by the part they play."""

    @property
    def told(self) -> Sequence[str]:
        """What else there is to say of it, a line each."""


@dataclass(frozen=True)
class Check:
    """How a law is checked: `run` raises Broken where a case breaks it. Without `cases` it runs once, with None.

    `missing` says why a law does not apply to what is tested ("" if it does): then its test is skipped.
    """

    law: str
    run: Callable[[Any, Any], None]
    cases: Callable[[Any], SearchStrategy[Any]] | None = None
    missing: Callable[[Any], str] = lambda subject: ""


class Suite:
    """A test class, one method a law. `laws` are their ids, and `check` runs one of them without a test runner."""

    laws: ClassVar[tuple[str, ...]] = ()
    checks: ClassVar[Mapping[str, Check]] = {}
    subject: ClassVar[Callable[[], Any]]
    settings: ClassVar[Settings | None] = None

    @classmethod
    def check(cls, law: str, settings: Settings | None = None) -> None:
        """Check one law. Raises LawBroken, SkipTest where it does not apply, Untestable, KeyError for a law of another
        suite."""
        __tracebackhide__ = True
        check_law(cls.checks[law], cls.subject(), settings or cls.settings)


def check_law(check: Check, subject: Any, chosen: Settings | None) -> None:
    """Check one law of one subject. Raises LawBroken, SkipTest."""
    __tracebackhide__ = True
    reason = check.missing(subject)
    if reason:
        raise SkipTest(reason)

    def law(case: Any) -> None:
        __tracebackhide__ = True
        try:
            check.run(subject, case)
        except Broken as error:
            raise _filled(error, subject, case) from error.__cause__
        except (HypothesisException, Untestable):
            raise
        except Exception as error:
            raise _filled(Broken(f"{type(error).__name__}: {error}"), subject, case) from error

    try:
        if check.cases is None:
            law(None)
        else:
            law.__name__ = identifier(check.law)  # so that laws have places of their own in Hypothesis's database
            adapted(chosen)(given(case=check.cases(subject))(law))()
    except Broken as broken:
        found = _told(check.law, broken)
    except Flaky as flaky:
        found = _flaky(check.law, flaky)
    else:
        return
    raise found from found.__cause__


def _filled(broken: Broken, subject: Any, case: Any) -> Broken:
    """With the case, unless the law has said of which it is, and what was done."""
    broken.case = case if broken.case is None else broken.case
    trace = getattr(subject, "trace", None)
    if trace is not None:
        broken.lines = (*broken.lines, *trace.lines)
    return broken


def _told(law: str, broken: Broken) -> LawBroken:
    case = broken.case
    carrier: Semiring[Any] | None = getattr(case, "carrier", None)
    lines = [*getattr(case, "told", ()), *broken.lines]
    shown = {**getattr(case, "shown", {}), **broken.facts}
    table = facts_table(shown, carrier, getattr(case, "columns", ()))
    found = LawBroken(law, broken.what, "\n\n".join(filter(None, (table, "\n".join(f"  {line}" for line in lines)))))
    found.__cause__ = theirs(broken.__cause__)
    return found


def _flaky(law: str, flaky: Flaky) -> LawBroken:
    """What failed once and then did not: the failure, and that it is not the same every time."""
    for error in getattr(flaky, "exceptions", ()):
        if isinstance(error, Broken):
            error.what += " (not every time: what is tested is not a function of its arguments)"
            return _told(law, error)
    return LawBroken(law, f"it fails, but not every time: {flaky}")


def make_suite(name: str, checks: Sequence[Check], subject: Callable[[], Any], chosen: Settings | None) -> type[Suite]:
    """The test class of some checks. `subject` makes what is tested, once for every test; it raises Untestable."""
    known = {check.law: check for check in checks}
    methods: dict[str, Any] = {f"test_{identifier(law)}": _method(law) for law in known}
    values = {"laws": tuple(known), "checks": known, "subject": staticmethod(subject), "settings": chosen}
    return type(name, (Suite,), {**methods, **values, "__doc__": f"Property tests: {', '.join(known)}."})


def identifier(law: str) -> str:
    """The id of a law as part of a Python name."""
    return law.replace(".", "_").replace("-", "_")


def _method(law: str) -> Callable[[Suite], None]:
    def test(self: Suite) -> None:
        __tracebackhide__ = True
        self.check(law)

    test.__doc__ = f"{law}: {LAWS[law].statement} ({LAWS[law].source})"
    return test
