"""`store_suite`: the laws of dual-row tables (TOKI 2026, Table 12, Appendices C.1, C.3, C.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hypothesis import settings
from hypothesis.strategies import SearchStrategy

from ..algebra.facts import asof
from ..stores.errors import StoreLocked
from ..stores.protocol import MODES, JudgeKey
from .factories import placed
from .failures import Broken, moment_text
from .store_constraints import CONSTRAINT_CHECKS
from .store_turns import TURN_CHECKS
from .stores_tested import TICK, Contents, Stores, by_key, contents, fill, require_rows
from .suite import Check, Suite, make_suite
from .traces import Trace, Traced
from .write_expected import log_text


def store_suite(
    make_store: Callable[..., Any],
    *,
    reopen: Callable[[Any], Any] | None = None,
    forged: bool = True,
    settings: settings | None = None,
) -> type[Suite]:
    """A test class for a store: `TestMyStore = store_suite(make_store)`.

    `make_store()` returns an empty `stores.Store`; if it has a parameter `mode`, schema modes are tested, and if it has
    a parameter `directory`, it is given an empty one (a Path), which is removed afterwards. `reopen(store)` ends a
    store and opens it again on the same data; without it durability is not tested. `forged` is whether rows are tried
    that no Fact can be: False for a store that keeps the Facts it is given. Its tests raise Untestable for what is no
    store.
    """
    return make_suite("StoreSuite", CHECKS, lambda: Stores(make_store, reopen, forged), settings)


def _contents(tested: Stores) -> SearchStrategy[Contents]:
    return contents(tested.carrier)


def _some(tested: Stores) -> SearchStrategy[Contents]:
    return contents(tested.carrier, least=2)


def rows(tested: Stores, case: Contents) -> None:
    """C1.rows."""
    with tested.fresh() as store:
        fill(store, case)
        require_rows(store.rows(), case.rows, "rows()")


def as_of(tested: Stores, case: Contents) -> None:
    """C1.asof."""
    valid, known, kind = case.probe
    with tested.fresh() as store:
        fill(store, case)
        expected = asof(case.rows, valid, known, kind)  # type: ignore[arg-type]
        at = f"AS OF (valid {moment_text(valid)}, known {moment_text(known)}, {kind})"
        require_rows(by_key(store.asof(valid, known, kind)), expected, at)
        subject, predicate = case.facts[0].partition
        found = store.asof(valid, known, kind, subject=subject, predicate=predicate)
        expected = [row for row in expected if row.partition == (subject, predicate)]
        require_rows(by_key(found), expected, f"{at} in {subject}.{predicate}")


def ends(tested: Stores, case: Contents) -> None:
    """C1.ends."""
    with tested.fresh() as store:
        fill(store, case)
        row = case.rows[0]
        for valid, known, there in (
            (row.valid_from, row.system_time_start, True),
            (row.valid_to - TICK, row.system_time_end - TICK, True),
            (row.valid_from - TICK, row.system_time_start, False),
            (row.valid_from, row.system_time_start - TICK, False),
            (row.valid_to, row.system_time_start, False),
            (row.valid_from, row.system_time_end, False),
        ):
            if (row in store.asof(valid, known, "all")) is not there:
                at = f"valid {moment_text(valid)}, known {moment_text(known)}"
                raise Broken(f"row 0 is {'missing' if there else 'found'} in asof({at}, 'all')")


def kind(tested: Stores, case: Contents) -> None:
    """C1.kind."""
    base = replace(case.facts[0], row_kind="current")
    audit = replace(base, fact_id="its audit row", row_kind="audit")
    at = base.valid_from, base.system_time_start
    with tested.fresh() as store:
        transaction = store.begin()
        transaction.insert(base)
        transaction.insert(audit)
        transaction.commit()
        for options, expected in (
            ((), [base]),
            (("current",), [base]),
            (("audit",), [audit]),
            (("all",), [audit, base]),
        ):
            require_rows(
                by_key(store.asof(*at, *options)), by_key(expected), f"asof of {''.join(options) or 'default'}"
            )


def close(tested: Stores, case: Contents) -> None:
    """C1.close: of several open versions of one fact, in one partition and another."""
    first = replace(case.facts[0], row_kind="current")
    version = replace(first, system_time_start=first.system_time_start + TICK, object="another object")
    moved = replace(version, system_time_start=version.system_time_start + TICK, subject="carol")
    at = moved.system_time_start + TICK
    for victim in (first, version, moved):
        with tested.fresh() as store:
            transaction = store.begin()
            for row in (first, version, moved):
                transaction.insert(row)
            transaction.commit()
            transaction = store.begin()
            transaction.close(victim, at)
            transaction.commit()
            expected = [row.closed(at) if row is victim else row for row in (first, version, moved)]
            require_rows(store.rows(), expected, "after one version was closed")


def lookup(tested: Stores, case: Contents) -> None:
    """C1.lookup."""
    current = replace(case.facts[0], row_kind="current")
    audit = replace(current, fact_id="its audit row", row_kind="audit")
    at = current.system_time_start + TICK
    with tested.fresh() as store:
        transaction = store.begin()
        transaction.insert(current)
        transaction.insert(audit)
        transaction.close(current, at)
        transaction.commit()
        before = store.rows()
        never = replace(current, fact_id="never inserted")
        for what, row in (("a closed row", current), ("an audit row", audit), ("a row that is not there", never)):
            transaction = store.begin()
            try:
                transaction.close(row, at + TICK)
            except LookupError:
                transaction.rollback()
            else:
                transaction.rollback()
                raise Broken(f"{what} is closed without a LookupError", closed=row)
            require_rows(store.rows(), before, f"after closing {what} was refused")


def open_rows(tested: Stores, case: Contents) -> None:
    """C1.open."""
    with tested.fresh() as store:
        fill(store, case)
        partition = case.facts[0].partition
        open_ = [row for row in case.rows if row.row_kind == "current" and row.is_open and row.partition == partition]
        mine = replace(
            case.facts[0],
            fact_id="mine",
            row_kind="current",
            system_time_start=case.facts[0].system_time_start + TICK,
        )
        transaction = store.begin()
        require_rows(transaction.open_rows(*partition), sorted(open_, key=_by_time), "open_rows")
        transaction.insert(mine)
        require_rows(transaction.open_rows(*partition), sorted([*open_, mine], key=_by_time), "open_rows with its own")
        transaction.close(mine, mine.system_time_start + TICK)
        require_rows(transaction.open_rows(*partition), sorted(open_, key=_by_time), "open_rows after its own close")
        transaction.rollback()


def _by_time(row: Any) -> Any:
    return row.system_time_start, row.fact_id


def atomic(tested: Stores, case: Contents) -> None:
    """C1.atomic."""
    kept, *others = case.facts
    with tested.fresh() as store:
        transaction = store.begin()
        transaction.insert(kept)
        transaction.commit()
        transaction = store.begin()
        for row in others:
            transaction.insert(row)
        if kept.row_kind == "current":
            transaction.close(kept, kept.system_time_start + TICK)
        transaction.rollback()
        require_rows(store.rows(), [kept], "after a rollback")
        transaction = store.begin()
        for row in others:
            transaction.insert(row)
        transaction.commit()
        require_rows(store.rows(), by_key(case.facts), "after a commit")


def isolated(tested: Stores, case: Contents) -> None:
    """C1.isolated."""
    kept, *others = case.facts
    with tested.fresh() as store:
        other = store.session()
        try:
            transaction = store.begin()
            transaction.insert(kept)
            transaction.commit()
            transaction = store.begin()
            for row in others:
                transaction.insert(row)
            require_rows(other.rows(), [kept], "another session, before the commit")
            for row in others:
                if row in other.asof(row.valid_from, row.system_time_start, "all"):
                    raise Broken("AS OF of another session finds a row that is not committed", found=row)
            transaction.commit()
            require_rows(other.rows(), by_key(case.facts), "another session, after the commit")
        finally:
            other.shut()


def ended(tested: Stores, case: Contents) -> None:
    """C1.ended."""
    row = case.facts[0]
    with tested.fresh() as store:
        for end in ("commit", "rollback"):
            transaction = store.begin()
            getattr(transaction, end)()
            try:
                transaction.insert(row)
                transaction.commit()
            except Exception:
                require_rows(store.rows(), [], f"after an insert that followed a {end}")
            else:
                raise Broken(f"a transaction inserts after its {end}")
            transaction.rollback()  # always allowed


def log_stays(tested: Stores, case: Contents) -> None:
    """H1.rollback."""
    before, within = JudgeKey(("f1", "f2"), "default"), JudgeKey(("f1", "f3"), "default")
    with tested.fresh() as store:
        store.judge_log.insert_if_absent(before, "f1")
        transaction = store.begin()
        transaction.insert(case.facts[0])
        expected = [(before, "f1")]
        if not tested.log_waits:  # an engine with one writer waits, every time in vain
            try:
                store.judge_log.insert_if_absent(within, "f3")
                expected.append((within, "f3"))
            except StoreLocked:
                tested.log_waits = True
        transaction.rollback()
        found = [(entry.key, entry.winner) for entry in store.judge_log.entries()]
        if found != expected:
            raise Broken(f"after a rollback the log has {log_text(found)}; expected {log_text(expected)}")
        require_rows(store.rows(), [], "after a rollback")


def mode(tested: Stores, case: None) -> None:
    """C1.mode."""
    for name in MODES:
        with tested.fresh(mode=name) as store:
            if store.mode != name:
                raise Broken(f"a store of mode {name} says {store.mode}")
    try:
        with tested.fresh(mode="audit_rows"):
            pass
    except ValueError:
        return
    raise Broken("the mode 'audit_rows' is accepted")


def durable(tested: Stores, case: Contents) -> None:
    """C1.durable."""
    assert tested.reopen is not None
    with placed(tested.make) as store:
        tested.trace = Trace()
        try:
            traced = Traced(store, "store", tested.trace)
            fill(traced, case)
            transaction = traced.begin()
            transaction.insert(replace(case.facts[0], fact_id="not committed"))
            tested.trace.add("store = reopen(store)")
            store = tested.reopen(store)
            require_rows(store.rows(), case.rows, "opened again")
        finally:
            store.shut()


CHECKS: Final = (
    *CONSTRAINT_CHECKS,
    Check("C1.rows", rows, _contents),
    Check("C1.asof", as_of, _contents),
    Check("C1.ends", ends, _contents),
    Check("C1.kind", kind, _contents),
    Check("C1.close", close, _contents),
    Check("C1.lookup", lookup, _contents),
    Check("C1.open", open_rows, _contents),
    Check("C1.atomic", atomic, _some),
    Check("C1.isolated", isolated, _some),
    Check("C1.ended", ended, _contents),
    *TURN_CHECKS,
    Check("H1.rollback", log_stays, _contents),
    Check("C1.mode", mode, None, lambda tested: "" if tested.takes_mode else "make_store has no parameter mode"),
    Check("C1.durable", durable, _contents, lambda tested: "" if tested.reopen else "no reopen= was given"),
)
