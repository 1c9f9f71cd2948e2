"""What suites say of what cannot be tested, and of what is wrong: named, with the calls, the key and both sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import SkipTest

import pytest
from hypothesis import settings
from hypothesis.errors import InvalidArgument

from tests.laws.mutants import MUTANTS
from tests.laws.mutants.carriers import Changed, Sources
from tests.laws.mutants.logs import Log
from tests.laws.mutants.stores import Store
from tests.laws.mutants.write_paths_plain import Plain
from toki_verify.algebra import AWAIT, LWW
from toki_verify.algebra.audit import pack
from toki_verify.algebra.carriers import COUNTING, MULTIDEGREE
from toki_verify.stores.errors import StoreLocked
from toki_verify.testing import (
    LawBroken,
    carrier_suite,
    judge_log_suite,
    operator_suite,
    pipeline_suite,
    store_suite,
    write_path_machine,
)
from toki_verify.testing.protocols import Untestable

QUICK = settings(settings.get_profile("toki-ci"), max_examples=30, stateful_step_count=15)


def told(name: str) -> str:
    """What is said of a mutant."""
    mutant = MUTANTS[name]
    with pytest.raises(LawBroken) as caught:
        mutant.make().check(mutant.law, settings(QUICK, max_examples=400))
    return str(caught.value)


def refused(run: Callable[[], Any]) -> str:
    with pytest.raises(Untestable) as caught:
        run()
    return str(caught.value)


class Named:
    """Something without any methods."""


def test_what_is_no_store_is_told_once_and_by_name() -> None:
    said = refused(lambda: store_suite(Named).check("C1.rows"))
    assert said == (
        "the store (Named) lacks carrier, mode, judge_log, begin, session, rows, asof, shut; expected a stores.Store"
    )
    assert "the judge log (Named) lacks get, insert_if_absent, entries" in refused(
        lambda: judge_log_suite(Named).check("H1.first")
    )

    class Half(Store):
        def begin(self) -> Any:
            return SimpleNamespace(insert=None, commit=None, rollback=None)

    said = refused(lambda: store_suite(Half).check("C1.rows"))
    assert said.startswith("a transaction of the store (SimpleNamespace) lacks open_rows, close;")


def test_what_are_no_operators_is_told() -> None:
    def said(operators: Any) -> str:
        return refused(lambda: operator_suite(lambda: operators).check("C2.stamp"))

    assert "make_operators() returned an empty mapping" in said({})
    assert "returned [1]; expected a mapping from strategy ids" in said([1])
    assert "the operator 'lww' (Named) lacks resolve" in said({"lww": Named()})
    positional = SimpleNamespace(resolve=lambda first, second: None)
    assert "cannot be called as resolve(first, second, *, now, carrier, oracle=None)" in said({"lww": positional})
    nothing = SimpleNamespace(resolve=lambda first, second, **options: None)
    assert "what the operator 'lww' returned (NoneType) lacks winner, losers, audit" in said({"lww": nothing})


def test_what_is_no_carrier_pipeline_or_writer_is_told() -> None:
    whole = ("name", "zero", "one", "plus", "times", "token", "parse", "text")
    part = SimpleNamespace(**dict.fromkeys(whole))
    with pytest.raises(InvalidArgument, match="which lacks leq"):
        carrier_suite(part)  # type: ignore[arg-type]
    assert "lacks run, precondition" in refused(lambda: pipeline_suite(lambda *names: Named()).check("L2.join"))
    case = write_path_machine(Store, make_writer=lambda store, oracles: Named()).TestCase
    assert "what make_writer returned (Named) lacks ingest" in refused(lambda: case().runTest())


def test_an_oracle_out_of_range_is_told_as_it_answered() -> None:
    assert "the index 2 is accepted" in told("clamps") and "the oracle elects 2" in told("clamps")
    assert told("no-oracle-needed").endswith("without an oracle")
    assert "the oracle raises RuntimeError('no answer')" in told("falls-back")

    class Unchecked:
        def resolve(self, first: Any, second: Any, *, oracle: Any = None, **options: Any) -> Any:
            place = (0, 1)[oracle((first, second))]
            return AWAIT.resolve(first, second, oracle=lambda members: place, **options)

    with pytest.raises(LawBroken, match=r"the index 2 raises IndexError: .*; expected a ValueError"):
        operator_suite(lambda: {"await": Unchecked()}).check("C2.range", QUICK)


def test_keys_and_both_rows_are_in_the_table() -> None:
    assert "system_time_start  " in told("lww-tie-smaller-id")
    assert "confidence" in told("evi-tie-id").split("Table 13\n")[1].split("\n")[1]
    said = told("stamp-old-time")
    assert "not stamped as it should be: system_time_start" in said
    assert "\n  expected " in said and "\n  found " in said


def test_store_laws_tell_what_was_done() -> None:
    said = told("closes-all-versions")
    assert "  t1 = store.begin()\n  t1.insert(f1 " in said and "  t2.close(f1 " in said
    assert "asked for" not in said
    assert "AS OF (valid 20" in told("history-ignored")
    assert "asof(valid 9999-12-31, known 2026-03-01, 'all')" in told("ends-included")
    assert "log.insert_if_absent((f1, f2; default), 'f1') → 'f1'" in told("log-overwrites")


def test_carriers_tell_both_sides() -> None:
    assert "a = 1\n  a ⊗ 1 = 2\n  1 ⊗ a = 2\n  1 = 2" in told("one-is-two")
    assert "a ⪯ a = False" in told("leq-strict")
    assert "parse('\\x00') is 0; expected a ValueError" in told("parse-anything")
    assert "\x00" not in told("parse-anything")
    odd = Changed(COUNTING, text=lambda a: "\x00" * a, one=2)
    with pytest.raises(LawBroken, match=r"a = '(\\x00)+'"):
        carrier_suite(odd).check("times-identity", QUICK)


def test_names_of_tokens_can_be_declared() -> None:
    carrier_suite(Sources(), names=("f1", "f2")).check("token-names", QUICK)
    carrier_suite(MULTIDEGREE).check("token-names", QUICK)  # it refuses what it cannot write
    with pytest.raises(LawBroken, match=r"token\('a b'\) is refused"):
        carrier_suite(MULTIDEGREE, names=["a b"]).check("token-names", QUICK)
    for names in ("x", 3, ()):
        with pytest.raises(InvalidArgument, match="names must be"):
            carrier_suite(MULTIDEGREE, names=names)  # type: ignore[arg-type]


def test_an_operator_of_another_name_may_ask_in_the_order_that_it_likes() -> None:
    operator_suite(lambda: {"mine": replace(AWAIT, id="mine")}).check("C2.order", QUICK)
    with pytest.raises(SkipTest, match=r"^no operator with resolve_set$"):
        operator_suite(lambda: {"mine": SimpleNamespace(resolve=LWW.resolve)}).check("P2.binary")


class Busy(Log):
    """Locked every other time."""

    calls = 0

    def insert_if_absent(self, key: Any, winner: str) -> str:
        self.calls += 1
        if self.calls % 2:
            raise StoreLocked("busy", "later")
        return super().insert_if_absent(key, winner)

    def session(self) -> Any:
        return self


def test_a_log_that_is_locked_now_and_then_is_tried_again() -> None:
    for law in ("H1.linear", "H1.sessions"):
        judge_log_suite(Busy).check(law, QUICK)


def test_a_log_that_a_transaction_locks_is_waited_for_once() -> None:
    calls = []

    class Waits(Store):
        @property
        def judge_log(self) -> Any:
            store, log = self, super().judge_log

            def insert(key: Any, winner: str) -> str:
                if store._open is not None and not store._open._over:
                    calls.append(1)
                    raise StoreLocked("busy", "later")
                return log.insert_if_absent(key, winner)

            return SimpleNamespace(get=log.get, entries=log.entries, insert_if_absent=insert)

    store_suite(Waits).check("H1.rollback", QUICK)
    assert len(calls) == 1


class OwnId(Plain):
    def keep(self, transaction: Any, found: Any, incumbent: Any, now: Any) -> None:
        if found.loser is incumbent:
            transaction.close(incumbent, now)
            transaction.insert(found.winner)
        transaction.insert(replace(pack(found.audit, found.loser), fact_id=f"log-{found.loser.fact_id}"))
        transaction.commit()


class OwnKey(Plain):
    def elect(self, key: Any, members: Any, strategy: str) -> str:
        elected = f"f{self.oracles[strategy](members)}"
        self.store.judge_log.insert_if_absent(replace(key, subject=""), elected)
        return super().elect(key, members, strategy) if not elected else self.named(members, elected)

    def named(self, members: Any, elected: str) -> str:
        from toki_verify.stores import identities

        return identities(members)[int(elected[1:])]


@pytest.mark.parametrize(
    ("writer", "law", "says"),
    [
        (OwnId, "A1.pair", "has the id 'log-f1'; expected 'audit::f1::2026-03-1"),
        (OwnKey, "H1.before", "expected one at JudgeKey("),
    ],
)
def test_conventions_are_told_where_they_are_what_differs(writer: Any, law: str, says: str) -> None:
    case = write_path_machine(Store, make_writer=writer, settings=QUICK).TestCase
    with pytest.raises(LawBroken) as caught:
        case().runTest()
    assert caught.value.law == law and says in str(caught.value)
