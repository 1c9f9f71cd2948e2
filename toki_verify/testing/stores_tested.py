"""What the laws of stores are checked on: a store, its contents, and the model of what it should have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ..algebra.facts import KINDS, Fact
from ..algebra.semiring import Semiring
from .factories import fresh, parameters
from .failures import Broken
from .protocols import require_store
from .strategies import MOMENTS, facts, in_utc
from .traces import Trace, Traced

#: The least difference of two timestamps.
TICK: Final = timedelta(microseconds=1)
_ENDS: Final = st.sampled_from((None, None, MOMENTS[3], MOMENTS[3] + TICK))
_INSTANTS: Final = st.sampled_from(tuple(at + step for at in MOMENTS for step in (TICK * 0, TICK, -TICK)))


@dataclass(frozen=True)
class Contents:
    """Rows of a store: facts to insert, when each is closed afterwards (None: not), and where commits come between.

    `probe` are a valid time, a system time and a kind for AS OF.
    """

    facts: tuple[Fact[Any], ...]
    ends: tuple[datetime | None, ...]
    commits: tuple[bool, ...]
    probe: tuple[datetime, datetime, str]
    carrier: Semiring[Any]

    @property
    def rows(self) -> list[Fact[Any]]:
        """The model: every row as it is in the end, by (fact_id, system_time_start)."""
        found = (f if end is None else f.closed(end) for f, end in zip(self.facts, self.ends, strict=True))
        return by_key(found)

    @property
    def shown(self) -> Mapping[str, Fact[Any]]:
        """For messages."""
        return {f"row {number}": row for number, row in enumerate(self.rows)}


@dataclass
class Stores:
    """How the store under test is made and opened again; `forged` is whether rows that are no facts are tried.

    `trace` has what was done with the latest store; `log_waits` is whether a judge log was locked by a transaction.
    """

    make: Callable[..., Any]
    reopen: Callable[[Any], Any] | None
    forged: bool
    trace: Trace = field(default_factory=Trace)
    log_waits: bool = False

    def __post_init__(self) -> None:
        """Raises Untestable."""
        with fresh(self.make) as store:
            require_store(store)
            self.carrier: Semiring[Any] = store.carrier

    @contextmanager
    def fresh(self, **options: Any) -> Iterator[Any]:
        """An empty store whose calls are traced, shut in the end."""
        with fresh(self.make, **options) as store:
            self.trace = Trace()
            yield Traced(store, "store", self.trace)

    @property
    def takes_mode(self) -> bool:
        """Whether `make` has a parameter `mode`."""
        return bool(parameters(self.make) & {"mode", "**"})


def by_key(rows: Iterable[Fact[Any]]) -> list[Fact[Any]]:
    """Rows in the order of their primary keys."""
    return sorted(rows, key=lambda fact: (fact.fact_id, fact.system_time_start))


def fill(store: Any, case: Contents) -> None:
    """Insert and close what the contents say, in one or several transactions."""
    transaction = store.begin()
    for fact, commits in zip(case.facts, case.commits, strict=True):
        transaction.insert(fact)
        if commits:
            transaction.commit()
            transaction = store.begin()
    for fact, end in zip(case.facts, case.ends, strict=True):
        if end is not None:
            transaction.close(fact, end)
    transaction.commit()


def require_rows(found: Iterable[Fact[Any]], expected: Iterable[Fact[Any]], what: str) -> None:
    """Raises Broken where two lists of rows differ, and shows the first difference."""
    has, wanted = list(found), list(expected)
    if has == wanted:
        return
    missing = [row for row in wanted if row not in has]
    extra = [row for row in has if row not in wanted]
    shown = {name: rows[0] for name, rows in (("missing", missing), ("not expected", extra)) if rows}
    detail = f"{len(missing)} missing, {len(extra)} too many" if shown else "in another order"
    raise Broken(f"{what}: {detail} of the {len(wanted)} rows that are expected", **shown)


def forged(fact: Fact[Any], **values: Any) -> Fact[Any]:
    """A row that no Fact can be: with columns that its constructor refuses."""
    found: Fact[Any] = object.__new__(Fact)
    for column in fields(Fact):
        object.__setattr__(found, column.name, values.get(column.name, getattr(fact, column.name)))
    return found


def contents(carrier: Semiring[Any], *, least: int = 1, most: int = 4) -> SearchStrategy[Contents]:
    """Contents of a store of a carrier."""
    return _contents(carrier, facts(carrier), least, most)


@st.composite
def _contents(draw: DrawFn, carrier: Semiring[Any], rows: SearchStrategy[Fact[Any]], least: int, most: int) -> Contents:
    drawn = draw(st.lists(st.tuples(rows, st.booleans(), _ENDS, st.booleans()), min_size=least, max_size=most))
    aware = draw(st.booleans())
    probe = (draw(_INSTANTS), draw(_INSTANTS), draw(st.sampled_from(KINDS)))
    found: dict[tuple[str, datetime], tuple[Fact[Any], datetime | None, bool]] = {}
    for fact, audit, end, commits in drawn:
        row = replace(fact, row_kind="audit", fact_id=f"audit::{fact.fact_id}") if audit else fact
        found[row.fact_id, row.system_time_start] = (row, None if audit else end, commits)
    kept, ends, commits_ = zip(*found.values(), strict=True)
    if aware:
        zone = in_utc(kept[0]).valid_from.tzinfo
        kept = tuple(map(in_utc, kept))
        ends = tuple(end and end.replace(tzinfo=zone) for end in ends)
        probe = (probe[0].replace(tzinfo=zone), probe[1].replace(tzinfo=zone), probe[2])
    return Contents(kept, ends, commits_, probe, carrier)
