"""Why a discipline excludes N1 in histories of every size: inductive invariants, as obligations in SMT-LIB.

Operators T, versions V of the row and votes B are uninterpreted sorts, so nothing bounds their number. A state says
which versions are `alive` (their writer has not aborted) and `com`mitted, which votes an operator's calls have
`ret`urned, and which operators are `done` (committed) or `gone`: aborted, or sure never to commit, since that would
contradict the level. The obligations of an argument: the invariant holds at first, every transition keeps it, and it
forbids two votes; where a level excludes something, also that it does. That the protocol of `protocol.py` obeys the
invariants is tested on every state it reaches within a bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .disciplines import KEYED, LINEARIZABLE, Discipline, disciplines


@dataclass(frozen=True)
class Argument:
    """An invariant: its name, what it says, the level from which it holds, whether it speaks of uncommitted operators
    too, and its obligations by name: texts that must have no model."""

    name: str
    words: str
    level: str
    observed: bool
    obligations: dict[str, str]


_SORTS: Final = """(set-logic UF)
(declare-sort T 0)
(declare-sort V 0)
(declare-sort B 0)
(declare-fun vote (V) B)
(declare-fun writer (V) T)
(declare-const x V)
(declare-const o T)
"""
_STATE: Final = {"alive": "V", "com": "V", "ret": "T B", "done": "T", "gone": "T"}


def _declared() -> str:
    lines = [f"(declare-fun {name}{tick} ({of}) Bool)" for tick in ("", "1") for name, of in _STATE.items()]
    return _SORTS + "\n".join(lines) + "\n"


def _after(text: str) -> str:
    """A statement about the state, about the state afterwards."""
    for name in _STATE:
        text = text.replace(f"({name} ", f"({name}1 ")
    return text


def _text(*assertions: str) -> str:
    return _declared() + "".join(f"(assert {each})\n" for each in assertions) + "(check-sat)\n"


_NOTHING: Final = (
    "(forall ((v V)) (and (not (alive v)) (not (com v))))",
    "(forall ((t T)) (and (not (done t)) (not (gone t)) (forall ((b B)) (not (ret t b)))))",
)
_RETURNS: Final = "(forall ((t T) (b B)) (= (ret1 t b) (or (ret t b) (and (= t o) (= b (vote x))))))"


def _same(*names: str) -> str:
    """These components of the state are as before."""
    parts = []
    for name in names:
        if name == "ret":
            parts.append("(forall ((t T) (b B)) (= (ret1 t b) (ret t b)))")
        else:
            parts.append(f"(forall ((e {_STATE[name]})) (= ({name}1 e) ({name} e)))")
    return _all(parts)


def _all(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"


_ADD: Final = "(forall ((e {of})) (= ({name}1 e) (or ({name} e) {what})))"


def _add(name: str, what: str) -> str:
    return _ADD.format(name=name, of=_STATE[name], what=what)


def _obligations(
    invariant: list[str], transitions: dict[str, list[str]], goal: str, lemma: dict[str, str]
) -> dict[str, str]:
    whole = _all(invariant)
    found = {"at first": _text(*_NOTHING, f"(not {whole})")}
    for name, guard in transitions.items():
        found[f"kept by {name}"] = _text(whole, *guard, f"(not {_after(whole)})")
    found["no two votes"] = _text(whole, f"(not {goal})")
    return found | lemma


_ONE_ALIVE: Final = "(forall ((v V) (w V)) (=> (and (alive v) (alive w)) (= v w)))"
_ONE_COMMITTED: Final = "(forall ((v V) (w V)) (=> (and (com v) (com w)) (= v w)))"
_COM_ALIVE: Final = "(forall ((v V)) (=> (com v) (alive v)))"
_NO_ROW: Final = "(forall ((v V)) (not (alive v)))"
_LOGGED: Final = "(forall ((t T) (b B)) (=> (ret t b) (exists ((v V)) (and (com v) (= (vote v) b)))))"
_ONE_VOTE: Final = "(forall ((t T) (u T) (b B) (c B)) (=> (and (ret t b) (ret u c)) (= b c)))"


def _own(unique: str, atomic: bool, lemma: dict[str, str]) -> dict[str, str]:
    """The row in a transaction of its own; `unique`: rows are unique by the engine or by the level."""
    engine = unique == "engine"
    invariant = [_ONE_ALIVE if engine else _ONE_COMMITTED, _COM_ALIVE, _LOGGED]
    absent = [_NO_ROW] if engine else ["(not (alive x))"]
    # A level forbids the commit of a second fill, since both saw no row: the lemma.
    alone = [] if engine else ["(forall ((v V)) (=> (com v) (= v x)))"]
    told = [_RETURNS, _same("alive", "com", "done", "gone")]
    if atomic:
        invariant.append("(forall ((v V)) (=> (alive v) (com v)))")
        transitions = {
            "an insert that takes effect at once": [
                *absent,
                _add("alive", "(= e x)"),
                _add("com", "(= e x)"),
                _RETURNS,
                _same("done", "gone"),
            ],
            "a call that returns a vote it sees, committed or not": ["(alive x)", *told],
        }
    else:
        transitions = {
            "an insert": [*absent, _add("alive", "(= e x)"), _same("com", "ret", "done", "gone")],
            "the commit of the row, after which the call returns": [
                "(alive x)",
                *alone,
                _add("com", "(= e x)"),
                _RETURNS,
                _same("alive", "done", "gone"),
            ],
            "a rollback of the row": [
                "(and (alive x) (not (com x)))",
                "(forall ((v V)) (= (alive1 v) (and (alive v) (not (= v x)))))",
                _same("com", "ret", "done", "gone"),
            ],
            "a call that returns a committed vote": ["(com x)", *told],
        }
    return _obligations(invariant, transitions, _ONE_VOTE, lemma)


_RUNNING: Final = "(and (not (done o)) (not (gone o)))"
_MINE: Final = "(and (alive e) (= (writer e) o))"
_SEEN_OR_MINE: Final = (
    "(forall ((t T) (b B)) (=> (and (ret t b) (not (gone t))) "
    "(exists ((v V)) (and (= (vote v) b) (or (com v) (and (alive v) (= (writer v) t)))))))"
)
_ONE_COMMITTED_VOTE: Final = (
    "(forall ((t T) (u T) (b B) (c B)) (=> (and (ret t b) (ret u c) (done t) (done u)) (= b c)))"
)


def _operator(unique: str, lemma: dict[str, str], *, keeping: bool = False) -> dict[str, str]:
    """The row in the operator's transaction; `keeping`: a call whose fill loses returns what it likes, and the lemma
    says that its operator cannot commit."""
    engine = unique == "engine"
    invariant = [
        _ONE_ALIVE if engine else _ONE_COMMITTED,
        _COM_ALIVE,
        "(forall ((v V) (w V)) (=> (and (alive v) (alive w) (= (writer v) (writer w))) (= v w)))",
        "(forall ((v V)) (=> (alive v) (and (not (gone (writer v))) (=> (done (writer v)) (com v)))))",
        "(forall ((v V)) (=> (com v) (done (writer v))))",
        "(forall ((t T)) (not (and (done t) (gone t))))",
        _SEEN_OR_MINE,
    ]
    # An operator that has a row sees it in its next consultation; the engine lets nobody insert a second row.
    none = [_NO_ROW] if engine else ["(forall ((v V)) (=> (alive v) (not (= (writer v) o))))", "(not (alive x))"]
    alone = [] if engine else ["(forall ((v V) (w V)) (not (and (alive v) (= (writer v) o) (com w))))"]
    transitions = {
        "an insert": [
            _RUNNING,
            "(= (writer x) o)",
            *none,
            _add("alive", "(= e x)"),
            _RETURNS,
            _same("com", "done", "gone"),
        ],
        "a call that returns a committed vote, or its operator's own": [
            _RUNNING,
            "(or (com x) (and (alive x) (= (writer x) o)))",
            _RETURNS,
            _same("alive", "com", "done", "gone"),
        ],
        "a commit": [_RUNNING, *alone, _add("done", "(= e o)"), _add("com", _MINE), _same("alive", "ret", "gone")],
        "an abort": [
            _RUNNING,
            _add("gone", "(= e o)"),
            f"(forall ((e V)) (= (alive1 e) (and (alive e) (not {_MINE}))))",
            _same("com", "ret", "done"),
        ],
    }
    if keeping:
        transitions["a call whose fill loses, or a later one of its operator"] = [
            "(and (com x) (not (done o)) (not (= (writer x) o)))",
            _add("gone", "(= e o)"),
            "(forall ((t T) (b B)) (=> (not (= t o)) (= (ret1 t b) (ret t b))))",
            _same("alive", "com", "done"),
        ]
    return _obligations(invariant, transitions, _ONE_COMMITTED_VOTE, lemma)


def _within() -> dict[str, str]:
    """One operator, which reads its own row once it has one; until then there is none that it could read."""
    invariant = [
        "(forall ((v V) (w V)) (=> (and (alive v) (alive w) (= (writer v) o) (= (writer w) o)) (= v w)))",
        "(forall ((t T) (b B)) (=> (ret t b) (exists ((v V)) (and (alive v) (= (writer v) o) (= (vote v) b)))))",
    ]
    transitions = {
        "its fill": [
            "(= (writer x) o)",
            "(forall ((v V)) (not (and (alive v) (= (writer v) o))))",
            _add("alive", "(= e x)"),
            _RETURNS,
        ],
        "a call that reads its own row": ["(and (alive x) (= (writer x) o))", _RETURNS, _same("alive")],
        "maintenance": [
            "(not (= (writer x) o))",
            _add("alive", "(= e x)"),
            _same("ret"),
        ],
    }
    return _obligations(invariant, transitions, _ONE_VOTE, {})


#: Two committed fills that both saw no row: each read before the other's version (§2: prw for rows found by the key,
#: rw for the one row), and in the second case one of the versions comes first (ww).
_LEMMA: Final = """(set-logic UF)
(declare-sort T 0)
(declare-fun absent (T) Bool)
(declare-fun installed (T) Bool)
(declare-fun anti (T T) Bool)
(declare-fun ww (T T) Bool)
(declare-sort M 0)
(declare-fun begin (T) M)
(declare-fun end (T) M)
(declare-fun lt (M M) Bool)
(declare-const t T)
(declare-const u T)
(assert (forall ((m M)) (not (lt m m))))
(assert (forall ((m M) (n M) (o M)) (=> (and (lt m n) (lt n o)) (lt m o))))
(assert (forall ((a T) (b T)) (=> (and (absent a) (installed b) (not (= a b))) (anti a b))))
{order}
(assert (and (absent t) (absent u) (installed t) (installed u) (not (= t u))))
(check-sat)
"""
_SERIAL: Final = "(assert (forall ((a T) (b T)) (=> (anti a b) (lt (end a) (end b)))))"
_SNAPSHOT: Final = """(assert (or (ww t u) (ww u t)))
(assert (forall ((a T)) (lt (begin a) (end a))))
(assert (forall ((a T) (b T)) (=> (ww a b) (lt (end a) (begin b)))))
(assert (forall ((a T) (b T)) (=> (anti a b) (lt (begin a) (end b)))))"""
LEMMAS: Final = {
    "SR": {"two fills that saw no row are not serializable": _LEMMA.format(order=_SERIAL)},
    "SI": {"two fills of one row that saw none have no timestamps": _LEMMA.format(order=_SNAPSHOT)},
}
#: An operator that consults, sees no row, and is refused by one that another has committed: rw, then wr.
_REFUSED: Final = """(set-logic UF)
(declare-sort T 0)
(declare-sort M 0)
(declare-fun absent (T) Bool)
(declare-fun installed (T) Bool)
(declare-fun saw (T T) Bool)
(declare-fun anti (T T) Bool)
(declare-fun wr (T T) Bool)
(declare-fun begin (T) M)
(declare-fun end (T) M)
(declare-fun lt (M M) Bool)
(declare-const t T)
(declare-const u T)
(assert (forall ((m M)) (not (lt m m))))
(assert (forall ((m M) (n M) (o M)) (=> (and (lt m n) (lt n o)) (lt m o))))
(assert (forall ((a T) (b T)) (=> (and (absent a) (installed b) (not (= a b))) (anti a b))))
(assert (forall ((a T) (b T)) (=> (and (saw a b) (installed b) (not (= a b))) (wr b a))))
(assert (forall ((a T) (b T)) (=> (wr a b) (lt (end a) (begin b)))))
(assert (forall ((a T) (b T)) (=> (anti a b) (lt (begin a) (end b)))))
(assert (and (absent t) (saw t u) (installed u) (not (= t u))))
(check-sat)
"""
REFUSED: Final = {"an operator that saw no row, and then another's, has no timestamps": _REFUSED}
_UNIQUE = "no two rows are there at once, since the engine refuses the second"
_LEVEL = "no two rows are committed, since two fills that both saw no row contradict {level}"
_LOGGED_WORDS = "a returned vote is in the committed row"


def argument(found: Discipline) -> Argument | None:
    """The invariant that excludes N1 of a discipline in histories of every size, if there is one here."""
    if found.recurs == "within" and found.place == "operator" and (found.consults or found.loser == "adopt"):
        words = "the operator has at most one row, and reads it from then on"
        return Argument("own row", words, "RU", True, _within())
    if found.row == "mutable":
        return None
    own = found.place == "own"
    if found.fill in KEYED:
        if found.loser == "keep":
            if own or not found.consults:
                return None
            words = (
                f"{_UNIQUE}; an operator whose fill loses has seen no row and then another's, which contradicts SI; a "
                "vote returned to any other that has not aborted is in the committed row or in its own"
            )
            return Argument(
                "one row of operators that keep", words, "SI", False, _operator("engine", REFUSED, keeping=True)
            )
        if own and found.fill in LINEARIZABLE:
            words = f"{_UNIQUE}, and none is ever uncommitted; {_LOGGED_WORDS}"
            return Argument("row at once", words, "RU", True, _own("engine", True, {}))
        if own:
            return Argument("one row", f"{_UNIQUE}; {_LOGGED_WORDS}", "RC", True, _own("engine", False, {}))
        words = f"{_UNIQUE}; a vote returned to an operator that has not aborted is in the committed row or in its own"
        return Argument("one row of operators", words, "RC", False, _operator("engine", {}))
    looks = found.fill in ("recheck", "recheck-upsert") if own else found.fill in ("check", "upsert")
    if not looks or (own and found.loser == "keep"):
        return None
    level = "SI" if found.fill in ("upsert", "recheck-upsert") else "SR"
    words = _LEVEL.format(level=level)
    if own:
        texts = _own("level", False, LEMMAS[level])
        return Argument(f"one row by {level}", f"{words}; {_LOGGED_WORDS}", level, True, texts)
    texts = _operator("level", LEMMAS[level])
    words = f"{words}; a vote returned to an operator that commits is in that row"
    return Argument(f"one row of operators by {level}", words, level, False, texts)


def arguments() -> dict[str, Argument]:
    """Every argument by its name; those of one name have the same obligations."""
    return {found.name: found for found in map(argument, disciplines()) if found is not None}
