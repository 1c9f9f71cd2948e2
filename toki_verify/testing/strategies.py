"""Hypothesis strategies for the algebra: elements of carriers, facts, pairs and sets in conflict.

Alphabets are small on purpose, so that ties, duplicates and touching periods come up at once. Everything shrinks to
the running example of TOKI 2026, §2.1: alice's medication, penicillin (f1, March 1) against amoxicillin (f2, April 15).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ..algebra.carriers import MULTIDEGREE
from ..algebra.carriers import carrier as carrier_named
from ..algebra.facts import Fact
from ..algebra.semiring import Semiring
from ..search.strategies.bounds import BoundsError, check_range, check_switch
from .cases import ConflictSet, Pair
from .protocols import CARRIER

K = TypeVar("K")

#: When facts begin and end: the incumbent's March 1 and the later writer's April 15, then two more.
MOMENTS: Final = (datetime(2026, 3, 1), datetime(2026, 4, 15), datetime(2026, 5, 1), datetime(2026, 6, 1))
#: When facts are resolved: after all of them, or at the moment of one.
NOW: Final = datetime(2026, 7, 1)
SUBJECTS: Final = ("alice", "bob")
PREDICATES: Final = ("medication", "allergy")
OBJECTS: Final = ("penicillin", "amoxicillin", "ibuprofen")
CONFIDENCES: Final = (1.0, 0.9, 0.5, 0.0)
TOKENS: Final = ("x", "y", "z")
_MOST: Final = 8


def running_example(carrier: Semiring[Any]) -> Pair[Any]:
    """The example of §2.1, without drawing it."""
    place = (SUBJECTS[0], PREDICATES[0])
    one, other = (
        Fact(f"f{at + 1}", *place, OBJECTS[at], MOMENTS[at], MOMENTS[at], carrier.token(f"f{at + 1}")) for at in (0, 1)
    )
    return Pair(one, other, NOW, carrier)


def chosen_carrier(carrier: Semiring[Any] | str | None) -> Semiring[Any]:
    """A carrier, the shipped one of a name, or the one that tells most apart (multidegree).

    Raises UnknownCarrier, InvalidArgument for anything else.
    """
    if carrier is None:
        return MULTIDEGREE
    if isinstance(carrier, str):
        return carrier_named(carrier)
    if not isinstance(carrier, Semiring):
        missing = [name for name in CARRIER if not hasattr(carrier, name)]
        lacks = f", which lacks {', '.join(missing)}" if len(missing) < len(CARRIER) else ""
        raise BoundsError(f"carrier must be a Semiring, its name, or None, not {carrier!r}{lacks}")
    return carrier


def hostile_names() -> SearchStrategy[str]:
    """Names of tokens, with what text forms set names off by: commas, brackets, signs, digits, spaces. Shrinks to x."""
    written = st.text(st.sampled_from("xyab, +*^·⊕⊗()[]{}|:;=\"'\\/-_.012é\u0301\n\t"), max_size=6)
    return st.one_of(
        st.sampled_from(
            ("x", "y", "a,b", "a b", "a+b", "x^2", "2*x", "[a]", "(a)", "{a}", "0", "1", "", " ", "-", "ü")
        ),
        written,
    )


def elements(carrier: Semiring[K] | str | None = None) -> SearchStrategy[K]:
    """Elements of a carrier: 0, 1 and the tokens x, y, z, and small sums and products of them. Shrinks to 0, then 1.

    Raises UnknownCarrier, InvalidArgument.
    """
    found: Semiring[K] = chosen_carrier(carrier)
    leaves = st.sampled_from(("0", "1", *TOKENS)).map(lambda name: _leaf(found, name))
    drawn = leaves
    # Levels of sums and products; built once, since building strategies while drawing is slow.
    for _ in range(3):
        drawn = st.one_of(leaves, st.builds(found.plus, drawn, drawn), st.builds(found.times, drawn, drawn))
    return drawn


def _leaf(carrier: Semiring[Any], name: str) -> Any:
    if name in "01":
        return carrier.one if name == "1" else carrier.zero
    return carrier.token(name)


def in_utc(fact: Fact[K]) -> Fact[K]:
    """The same fact with aware timestamps."""
    return replace(
        fact,
        valid_from=fact.valid_from.replace(tzinfo=UTC),
        valid_to=fact.valid_to.replace(tzinfo=UTC),
        system_time_start=fact.system_time_start.replace(tzinfo=UTC),
        system_time_end=fact.system_time_end.replace(tzinfo=UTC),
    )


_FLAGS: Final = st.sampled_from((False, False, False, True))
_BEGINS: Final = {place: st.sampled_from((min(place, 1), 0, 1, 2)) for place in range(_MOST)}
#: As begins, or None: as the member before. The first is never known from where the second is in the simplest case: so
#: a tie of the two always shrinks to one at the first moment, as a tie that is said by None.
_KNOWN: Final = {
    0: st.sampled_from((0, 2)),
    **{place: st.sampled_from((1, None, 0, 1, 2)) for place in range(1, _MOST)},
}
_ENDS: Final = {begin: st.sampled_from((None, *MOMENTS[begin + 1 :])) for begin in range(3)}
_REST: Final = st.tuples(st.sampled_from(CONFIDENCES), st.sampled_from(("lww", "evi", "await", "rule")))
_PARTITIONS: Final = st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(PREDICATES), st.sampled_from(OBJECTS))
_ALICE: Final = (SUBJECTS[0], PREDICATES[0])


def _annotations(carrier: Semiring[Any]) -> SearchStrategy[Any]:
    """An element, or None for the token of the fact itself, which is simplest."""
    return st.one_of(st.none(), elements(carrier))


@st.composite
def _fact(draw: DrawFn, carrier: Semiring[Any], annotations: SearchStrategy[Any]) -> Fact[Any]:
    fact_id = draw(_IDS)
    begin, known = draw(_BEGINS[0]), draw(_BEGINS[0])
    return _made(draw, carrier, annotations, fact_id, draw(_PARTITIONS), (begin, begin, known))


_IDS: Final = st.sampled_from(("f1", "f2", "f3"))


def _made(
    draw: DrawFn,
    carrier: Semiring[Any],
    annotations: SearchStrategy[Any],
    fact_id: str,
    content: tuple[str, str, str],
    times: tuple[int, int, int],
) -> Fact[Any]:
    """A fact of a content (subject, predicate, object). `times` are places in MOMENTS: since when it is valid, after
    which one it ends (open, or at a later moment), and since when it is known."""
    begin, beyond, known = times
    provenance = draw(annotations)
    confidence, strategy = draw(_REST)
    return Fact(
        fact_id,
        *content,
        MOMENTS[begin],
        MOMENTS[known],
        carrier.token(fact_id) if provenance is None else provenance,
        confidence,
        strategy,
        draw(_ENDS[beyond]),  # type: ignore[arg-type]  # None: the sentinel
    )


def facts(carrier: Semiring[K] | str | None = None, *, aware: bool = False) -> SearchStrategy[Fact[K]]:
    """Open current facts over small alphabets: two subjects, two predicates, three objects, ids f1 to f3.

    `aware` gives them a time zone (UTC). Shrinks to f1 of the running example. Raises UnknownCarrier, InvalidArgument.
    """
    check_switch("aware", aware)
    chosen = chosen_carrier(carrier)
    found = _fact(chosen, _annotations(chosen))
    return found.map(in_utc) if aware else found


@st.composite
def _conflict(
    draw: DrawFn, carrier: Semiring[Any], annotations: SearchStrategy[Any], least: int, most: int
) -> tuple[Fact[Any], ...]:
    """Members that contradict by construction: every period ends after all of them have begun."""
    count = draw(st.integers(least, most))
    numbers = draw(_ORDERS[count])
    begins = [draw(_BEGINS[place]) for place in range(count)]
    versions: set[tuple[str, int]] = set()
    found: list[Fact[Any]] = []
    before = 0
    for place in range(count):
        # All always: a draw that may be left out shrinks badly. A tie is said as one, and stays while others shrink.
        known, again = draw(_KNOWN[place]), draw(_FLAGS)
        known = before if known is None else known
        before = known
        fact_id = f"f{numbers[place]}"
        if again and found and (found[-1].fact_id, known) not in versions:
            fact_id = found[-1].fact_id  # the fact before once more, as another version of it
        versions.add((fact_id, known))
        content = (*_ALICE, OBJECTS[place] if place < len(OBJECTS) else f"drug {place}")
        found.append(_made(draw, carrier, annotations, fact_id, content, (begins[place], max(begins), known)))
    return tuple(found)


_ORDERS: Final = {count: st.permutations(range(1, count + 1)) for count in range(2, _MOST + 1)}
_NOWS: Final = st.sampled_from((NOW, *MOMENTS[1:], NOW + timedelta(microseconds=1)))


def contradicting_pairs(carrier: Semiring[K] | str | None = None, *, aware: bool = False) -> SearchStrategy[Pair[K]]:
    """Two facts that contradict, and the time `now` at which an operator is to resolve them; nothing is filtered.

    Ties of system time and confidence, two versions of one fact, and periods that overlap in every way come up. Shrinks
    to the running example. `aware` gives all timestamps a time zone. Raises UnknownCarrier, InvalidArgument.
    """
    check_switch("aware", aware)
    chosen = chosen_carrier(carrier)
    return _pairs(chosen, _annotations(chosen), aware)


@st.composite
def _pairs(draw: DrawFn, carrier: Semiring[Any], annotations: SearchStrategy[Any], aware: bool) -> Pair[Any]:
    first, second = draw(_conflict(carrier, annotations, 2, 2))
    now = draw(_NOWS)
    if aware:
        return Pair(in_utc(first), in_utc(second), now.replace(tzinfo=UTC), carrier)
    return Pair(first, second, now, carrier)


def conflict_sets(
    n: int | None = None, carrier: Semiring[K] | str | None = None, *, aware: bool = False
) -> SearchStrategy[ConflictSet[K]]:
    """Sets of `n` facts that contradict pairwise (2 to 8; default: 2 to 4 of them), and a time `now`.

    Raises UnknownCarrier, InvalidArgument.
    """
    check_switch("aware", aware)
    if n is not None:
        check_range("n", n, 2, _MOST)
    chosen = chosen_carrier(carrier)
    return _sets(chosen, _conflict(chosen, _annotations(chosen), n or 2, n or 4), aware)


@st.composite
def _sets(
    draw: DrawFn, carrier: Semiring[Any], members_: SearchStrategy[tuple[Fact[Any], ...]], aware: bool
) -> ConflictSet[Any]:
    members, now = draw(members_), draw(_NOWS)
    if aware:
        return ConflictSet(tuple(map(in_utc, members)), now.replace(tzinfo=UTC), carrier)
    return ConflictSet(members, now, carrier)


def compatible_pairs(carrier: Semiring[K] | str | None = None) -> SearchStrategy[Pair[K]]:
    """Two facts that nearly contradict and do not: they have one object, or another subject or predicate, or one is
    valid until the other begins (meets) or longer before. Raises UnknownCarrier, InvalidArgument.
    """
    return _compatible(contradicting_pairs(carrier))


@st.composite
def _compatible(draw: DrawFn, pairs: SearchStrategy[Pair[Any]]) -> Pair[Any]:
    pair = draw(pairs)
    first, second = pair.facts
    why = draw(st.sampled_from(("meets", "before", "object", "subject", "predicate")))
    if why in ("meets", "before"):
        first = replace(first, valid_from=MOMENTS[0], valid_to=MOMENTS[1])
        begins = MOMENTS[1] if why == "meets" else MOMENTS[2]
        ends: Any = draw(_ENDS[2])
        second = replace(second, valid_from=begins, valid_to=ends)
    else:
        changed: Any = {why: first.object if why == "object" else f"another {why}"}
        second = replace(second, **changed)
    found = replace(pair, first=first, second=second)
    return found.swapped if draw(st.booleans()) else found
