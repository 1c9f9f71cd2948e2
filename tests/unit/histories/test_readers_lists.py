"""What lists mean, decided a second time by trying all pairs; and mutants of the first way, which the second finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toki_verify.histories import appends
from toki_verify.histories.appends import Shown
from toki_verify.histories.columns import COMMITTED, NOBODY, WRITE, History
from toki_verify.histories.readers.gather import Gather

#: Of each transaction its operations: whether it appends, the key, and the element or the list.
Plan = list[list[tuple[bool, str, Shown]]]


def assembled(plan: Plan) -> History:
    gather = Gather()
    for place, operations in enumerate(plan):
        number = gather.transaction(None, COMMITTED, str(place))
        for writes, key, shown in operations:
            if writes:
                gather.write(number, key, str(shown), place + 1)
            else:
                gather.read(number, key, shown, place + 1)
    return gather.history(format="drawn", source="drawn", model="append")


def said(plan: Plan) -> dict[str, Any]:
    """What the reader says, by names: operations, ranks, writers, and garbage by the transactions of its operations."""
    history = assembled(plan)
    txns = history.txn_of().tolist()
    names = [f"{history.keys[int(history.version_key[v])]} {history.values[v]}" for v in range(len(history.values))]
    return {
        "operations": [
            (txn, bool(kind == WRITE), names[version])
            for txn, kind, version in zip(txns, history.kind.tolist(), history.version.tolist(), strict=True)
        ],
        "ranks": dict(zip(names, history.rank.tolist(), strict=True)),
        "written": {
            names[version]: txns[writer] for version, writer in enumerate(history.writer.tolist()) if writer >= 0
        },
        "nobody": sorted(names[version] for version in range(len(names)) if history.writer[version] == NOBODY),
        "garbage": sorted({(one.kind, history.keys[one.key], txns[one.operations[-1]]) for one in history.garbage}),
    }


def expected(plan: Plan) -> dict[str, Any]:
    """The same, by what the words mean."""
    reads = [(t, key, tuple(shown or ())) for t, ops in enumerate(plan) for writes, key, shown in ops if not writes]
    keys = {key for ops in plan for _, key, _ in ops}
    longest: dict[str, tuple[str, ...]] = {}
    for key in keys:
        lists = [one for _, other, one in reads if other == key]
        longest[key] = next((one for one in lists if all(len(one) >= len(two) for two in lists)), ())
    ranks = {f"{key} nil": 0 for key in keys}
    for key in keys:
        for element in {e for _, k, one in reads if k == key for e in one} | _appended(plan, key):
            ranks[f"{key} {element}"] = longest[key].index(element) + 1 if element in longest[key] else -1
    operations: list[tuple[int, bool, str]] = []
    written: dict[str, int] = {}
    garbage: set[tuple[str, str, int]] = set()
    for txn, ops in enumerate(plan):
        external: list[str] = []
        for place, (writes, key, shown) in enumerate(ops):
            if writes:
                name = f"{key} {shown}"
                operations.append((txn, True, name))
                if name in written:
                    garbage.add(("duplicate-write", key, txn))
                written.setdefault(name, txn)
                continue
            one = tuple(shown or ())
            own = [str(e) for w, k, e in ops[:place] if w and k == key]
            sees_own = len(one) >= len(own) and list(one[len(one) - len(own) :]) == own
            before = one[: len(one) - len(own)] if sees_own else one
            name = f"{key} {before[-1] if before else 'nil'}"
            found = {("own-write-unseen", key, txn)} if not sees_own else set()
            if any(one[i] == one[j] for i in range(len(one)) for j in range(i)):
                found.add(("duplicate-element", key, txn))
            if any(one[i : i + 1] != longest[key][i : i + 1] for i in range(len(one))):
                found.add(("incompatible-order", key, txn))
            if not own or found or name not in external:
                operations.append((txn, False, name))
                garbage |= found
            external.append(name)
    nobody = sorted(name for name, rank in ranks.items() if rank != 0 and name not in written)
    return {
        "operations": operations, "ranks": ranks, "written": written, "nobody": nobody, "garbage": sorted(garbage),
    }  # fmt: skip


def _appended(plan: Plan, key: str) -> set[str]:
    return {str(shown) for ops in plan for writes, other, shown in ops if writes and other == key}


ELEMENTS = st.sampled_from("1234")
LISTS = st.one_of(
    st.none(), st.lists(ELEMENTS, max_size=4).map(tuple), st.sampled_from([("1",), ("1", "2"), ("1", "2", "3")])
)
OPERATIONS = st.one_of(
    st.tuples(st.just(True), st.sampled_from("xy"), ELEMENTS), st.tuples(st.just(False), st.sampled_from("xy"), LISTS)
)
PLANS: st.SearchStrategy[Plan] = st.lists(st.lists(OPERATIONS, max_size=5), min_size=1, max_size=4)


@settings(max_examples=300)
@given(PLANS)
def test_lists_mean_what_the_second_way_says(plan: Plan) -> None:
    assert said(plan) == expected(plan)


#: Plans that tell each mutant from the original.
TELLING: list[Plan] = [
    [[(True, "x", "1"), (False, "x", ("1",))]],
    [[(True, "x", "1"), (False, "x", ("2",))]],
    [[(False, "x", ("1",)), (True, "x", "2"), (False, "x", ("1", "2"))]],
    [[(False, "x", None), (True, "x", "2"), (False, "x", ("1", "2"))]],
    [[(False, "x", ("1", "1"))]],
    [[(False, "x", ("1", "2"))], [(False, "x", ("2",)), (False, "x", None)]],
    [[(True, "x", "1"), (True, "x", "1")]],
    [[(True, "x", "1"), (False, "x", None), (False, "x", ("1",)), (False, "x", ("1", "1"))]],
    [[(False, "x", ("1", "2"))], [(True, "x", "2"), (True, "x", "3")]],
    [[(True, "x", "1")], [(False, "x", ("1",)), (False, "x", ("1",))]],
]


@pytest.mark.parametrize("plan", TELLING, ids=lambda plan: str(len(plan)))
def test_telling_plans_mean_what_the_second_way_says(plan: Plan) -> None:
    assert said(plan) == expected(plan)


def no_ranks(self: Any, kinds: list[int], keys: list[int], shown: list[Shown]) -> None:
    FIND_ORDERS(self, kinds, keys, shown)
    self.rank = [rank if rank <= 0 else -1 for rank in self.rank]


def shortest(self: Any, kinds: list[int], keys: list[int], shown: list[Shown]) -> None:
    reads = [None if kind == WRITE else one for kind, one in zip(kinds, shown, strict=True)]
    FIND_ORDERS(self, kinds, keys, [None if one is None else tuple(one)[:1] for one in reads])


def any_version(self: Any, key: int, elements: tuple[str, ...], known: bool) -> int:
    return int(FIND(self, key, elements[:1], False))


def all_once(elements: Any) -> None:
    return None


def silent(self: Any, key: int, elements: tuple[str, ...], beginning: bool, unseen: Any) -> None:
    JUDGE(self, key, elements, beginning, None)


def all_in_order(self: Any, key: int, elements: tuple[str, ...], beginning: bool, unseen: Any) -> None:
    JUDGE(self, key, elements, True, unseen)


def last_writer(self: Any, key: int, element: str) -> int:
    version = self.number[key].get(element)
    if version is not None:
        self.writer[version] = NOBODY
    return int(APPEND(self, key, element))


FIND_ORDERS, FIND, JUDGE, APPEND = (
    getattr(appends._Lists, name) for name in ("find_orders", "_find", "_judge", "_append")
)
MUTANTS = {
    "no ranks": (appends._Lists, "find_orders", no_ranks),
    "the first elements only": (appends._Lists, "find_orders", shortest),
    "the first element is the version": (appends._Lists, "_find", any_version),
    "no list has an element twice": (appends, "_repeated", all_once),
    "own appends need not be seen": (appends._Lists, "_judge", silent),
    "no lists contradict each other": (appends._Lists, "_judge", all_in_order),
    "the last of several appends counts": (appends._Lists, "_append", last_writer),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, attribute, mutant = MUTANTS[name]
    monkeypatch.setattr(where, attribute, mutant)
    assert any(said(plan) != expected(plan) for plan in TELLING)
