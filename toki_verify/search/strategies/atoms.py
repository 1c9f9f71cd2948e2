"""Names, values and events."""

from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ...events import (
    DEFAULT_TABLE,
    OPERATORS,
    SURFACE_PARTS,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Expectation,
    Item,
    Judge,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Surface,
    Write,
    WriteKind,
)
from ...events.names import name_fault, normal_name
from ...events.values import JsonText, json_text

Extra = tuple[tuple[str, JsonText], ...]

#: Names that are hard to print or to read back, each for another reason.
HARD_NAMES: Final = (
    "in",
    "prov",
    "by",
    "0",
    "7",
    "00",
    "01",
    "1a",
    "m0",
    "x.y",
    "a-b",
    "-",
    "-a",
    ".",
    "...",
    ".a",
    "a.",
    "_",
    "T",
    "T1",
    "user 7/pref",
    "a:b",
    "a/b",
    'q"uote',
    "back\\slash",
    "#",
    "a#b",
    "[",
    "]",
    "{P: x0}",
    "x@1",
    "=",
    ",",
    ";",
    " ",
    "\t",
    "\n",
    "\u2028",
    "\ufeff",
    "\x85",
    "\x7f",
    "é",
    "ß",
    "数据",
    "\u0301x",
    "x\u0323",
    "क्षि",
    "٣",
    "x٣",
    "²",
    "Ⅷ",
    "😀",
    "null",
    "true",
    "1e5",
    "theta",
    "schedule",
    "note",
)
_LETTERS: Final = "abcxyzÅéλж字ाः\u0323_.-0179"
_JSON_FEATURES: Final = ("times", "extra", "theta")


def names() -> SearchStrategy[str]:
    """Names of items, tables, transactions, versions …: plain ones first, then every kind that needs quotes."""
    return st.one_of(
        st.sampled_from(("x", "y", "z", "alice", "lives_in")),
        st.text(_LETTERS, min_size=1, max_size=6).map(normal_name),
        st.sampled_from(HARD_NAMES).map(normal_name),
        st.text(min_size=1, max_size=6).map(_made_name),
    )


def _made_name(text: str) -> str:
    name = normal_name(text.replace("\0", "0"))
    return "x" if name_fault(name) else name


def json_values(*, max_leaves: int = 4) -> SearchStrategy[JsonText]:
    """JSON values as canonical text, nested ones too."""
    if max_leaves < 1:
        raise ValueError(f"max_leaves must be at least 1, not {max_leaves}")
    return _values(max_leaves)


def _values(max_leaves: int) -> SearchStrategy[JsonText]:
    scalars: SearchStrategy[object] = st.one_of(
        st.integers(0, 100),
        st.none(),
        st.booleans(),
        st.integers(),
        names(),
        st.text(max_size=6),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(("e\u0301", "50", "-1", "NaN", 10**20, 10**22, 1e21, -0.0, 5e-324, 0.1, "a b", "")),
    )
    nested = st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=max_leaves,
    )
    return nested.map(json_text)


_LEAF: Final = _values(3)
_NAME: Final = names()
_TXN: Final = st.one_of(st.integers(0, 99).map(str), _NAME)
_LABEL: Final = st.one_of(st.integers(1, 99).map(str), _NAME)
_TABLE: Final = st.one_of(st.just(DEFAULT_TABLE), _NAME)
_PROV: Final = st.lists(
    st.lists(st.sampled_from(("p1", "p2", "t1", "2", "p1^2", "é.1")), min_size=1, max_size=3).map("*".join),
    min_size=1,
    max_size=3,
).map("+".join)
_LINE: Final = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1, max_size=12).map(
    lambda text: text.strip() or "note"
)
_EXTRA: Final[SearchStrategy[Extra]] = st.dictionaries(
    st.one_of(st.sampled_from(("text", "model", "réf", " ", "x y")), st.text(max_size=3).map("_{}".format)),
    _LEAF,
    max_size=2,
).map(lambda found: tuple(found.items()))
_TIME: Final = st.one_of(st.integers(0, 10**6), st.floats(-1e9, 1e9)).map(json_text)
_THETA_NAME: Final = _NAME.filter(lambda name: name != "θ").map(json_text)
_THETA_TUPLE: Final = st.fixed_dictionaries(
    {},
    optional={
        "prompt": st.text(max_size=4),
        "seed": st.integers(0, 9),
        "model": st.just("stub"),
        "temperature": st.floats(0, 2),
        "tool_hash": st.none(),
    },
).map(json_text)
_MAYBE_LEAF: Final = st.none() | _LEAF
_MAYBE_PROV: Final = st.none() | _PROV
_MAYBE_OPERATOR: Final = st.none() | st.sampled_from(OPERATORS)
_MAYBE_TIME: Final = st.none() | _TIME
_MAYBE_NAME: Final = st.none() | _NAME
_TEXT: Final = st.none() | st.lists(_LINE, min_size=1, max_size=2).map("\n".join)
_THETA: Final = st.just('"theta"') | _THETA_NAME
_ANY_THETA: Final = st.just('"theta"') | _THETA_TUPLE | _THETA_NAME
_MATCHES: Final = st.lists(st.integers(0, 1), max_size=2, unique=True).map(tuple)
_TXNS: Final = st.sampled_from((2, 3, 26))
_ITEMS: Final = st.sampled_from((2, 1, 26))
_MOSTLY: Final = st.sampled_from((True, True, False, True, True))
_ENDING: Final = st.sampled_from((0, 1, 0, 2, 0, 0))
_ENDING_GOOD: Final = st.sampled_from((0, 0, 0, 2, 0, 0))
_ORDER: Final = st.sampled_from((0, 1, 2, 1))
_DRESSED: Final = st.booleans()
_WORDS: Final = st.lists(
    st.sampled_from(("P0", "P4", "A5B", "P3[broad]", "G-single", "N3[audit]", "RC", "SR@judge_log", "PL-3")),
    min_size=1,
    max_size=3,
).map(tuple)
_SURFACE: Final = st.lists(st.builds(Surface, st.sampled_from(SURFACE_PARTS), _MAYBE_NAME), max_size=3, unique=True)
_EXPECTATION: Final = st.one_of(
    st.builds(Expectation, st.sampled_from(("present", "absent")), _WORDS),
    st.builds(Expectation, st.just("level"), _WORDS, st.sampled_from((None, "adya", "session"))),
)


def events(*, json_only: bool = False) -> SearchStrategy[Event]:
    """Single events of every kind, each by itself (no schedule around it need exist).

    With `json_only` also times, unknown keys and decoder tuples, which text cannot hold.
    """
    item = st.builds(Item, _TABLE, _NAME)
    value = _MAYBE_LEAF
    rest: dict[str, SearchStrategy[Any]] = {"time": _MAYBE_TIME, "extra": _EXTRA} if json_only else {}
    theta = _THETA_NAME | _THETA_TUPLE if json_only else _THETA_NAME
    vote = st.none() | _LEAF.filter(lambda text: text != "null")
    return st.one_of(
        st.builds(Begin, _TXN, **rest),
        st.builds(Commit, _TXN, **rest),
        st.builds(Abort, _TXN, **rest),
        st.builds(Read, _TXN, item, st.none() | _LABEL, value, **rest),
        st.builds(
            Write,
            _TXN,
            item,
            st.none() | _LABEL,
            value,
            st.sampled_from(WriteKind),
            st.lists(_NAME, max_size=2, unique=True).map(tuple),
            st.none() | _PROV,
            st.none() | st.sampled_from(OPERATORS),
            **rest,
        ),
        _predicate_reads(json_only, rest),
        st.builds(Judge, _TXN, _NAME, theta, vote, **rest),
        st.builds(Callback, _TXN, _NAME, _NAME, st.integers(0, 999), **rest),
    )


def _predicate_reads(json_only: bool, rest: dict[str, SearchStrategy[Any]]) -> SearchStrategy[PredicateRead]:
    row = st.tuples(_NAME, st.none() | _LABEL, _EXTRA if json_only else st.just(()))

    def build(
        table: str,
        name: str,
        rows: list[tuple[str, str | None, Extra]],
        cut: int,
        partial: bool,
        txn: str,
        **others: Any,
    ) -> PredicateRead:
        made = [Row(Item(table, item), label, extra) for item, label, extra in rows]
        return PredicateRead(txn, Predicate(table, name), tuple(made[:cut]), tuple(made[cut:]), partial, **others)

    return st.builds(
        build,
        _TABLE,
        _NAME,
        st.lists(row, max_size=3, unique_by=lambda found: found[0]),
        st.integers(0, 3),
        st.booleans(),
        _TXN,
        **rest,
    )
