"""The laws of write paths, each a function of a history: what is wrong, or None (TOKI 2026, Algorithm 1, Lemma 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any, Final

from ..algebra.audit import audit_id
from ..algebra.facts import Fact, contradicts
from .failures import LawBroken, facts_table, instant_text, theirs
from .stores_tested import by_key
from .write_expected import AUDIT_ID, audit_difference, expected_audit, key_text, log_text
from .write_history import Fault, History
from .write_minimal import Action, steps_text
from .write_model import Resolved, about, names_of
from .write_schedule import schedule_of, schedule_text

Law = Callable[[History], Fault | None]


def _noticed(law: str) -> Law:
    """A law whose breaches are noticed on the way."""
    return lambda history: next((fault for fault in history.faults if fault.law == law), None)


def model(history: History) -> Fault | None:
    """A1.model."""
    found, expected = by_key(history.current()), by_key(history.rows)
    if found == expected:
        return _noticed("A1.model")(history)
    missing = [row for row in expected if row not in found]
    extra = [row for row in found if row not in expected]
    facts = {"expected": missing[:1], "found": extra[:1]}
    shown = {name: rows[0] for name, rows in facts.items() if rows}
    what = f"of the current rows that Algorithm 1 makes {len(missing)} are missing, and {len(extra)} are none of them"
    return Fault("A1.model", what, shown)


def append(history: History) -> Fault | None:
    """H1.append."""
    before, after = history.log, history.entries
    history.log = after
    if after[: len(before)] != before:
        return Fault("H1.append", f"the log was {log_text(before)} and is {log_text(after)}")
    return None


def one_key(history: History) -> Fault | None:
    """N1.key."""
    seen: dict[Any, Any] = {}
    for key, _ in history.entries:
        other = seen.setdefault((frozenset(key.members), key.theta, key.subject, key.predicate), key)
        if other != key:
            what = (
                f"the log has {other.members} and {key.members}; expected one key: the identities, sorted by the writer"
            )
            return Fault("N1.key", what)
    return None


def verdict(history: History) -> Fault | None:
    """N1.verdict: who stands in the table after each election, against the log of now and of then."""
    verdicts = history.entries
    current = history.current()
    for found in history.resolved:
        if not found.verdict:
            continue
        names = names_of(found.incumbent, found.newcomer)
        # The strategy tells a stamped winner from what else may have been written at this very time.
        won = any(
            _is(row, found.newcomer)
            and row.system_time_start == _at(found)
            and row.resolution_strategy_id == found.newcomer.resolution_strategy_id
            and (history.rules.carrier.leq(found.newcomer.provenance, row.provenance))
            for row in current
        )
        elected = names[won]
        logged = [winner for key, winner in verdicts if about(key, found.incumbent, found.newcomer)]
        if [elected] != logged[:1] or elected != found.verdict:
            facts = {"incumbent": found.incumbent, "newcomer": found.newcomer}
            has = (
                f"the log has {logged[0]!r} there" if logged else f"the log has nothing there, but {log_text(verdicts)}"
            )
            key = key_text(found.incumbent, found.newcomer)
            return Fault("N1.verdict", f"{elected!r} was elected; expected what the log has at {key}: {has}", facts)
    return None


def pair(history: History) -> Fault | None:
    """A1.pair."""
    audit = history.audit()
    if history.rules.mode != "audit_row":
        return (
            Fault("A1.pair", f"an audit row in mode {history.rules.mode}; expected none", {"audit row": audit[0]})
            if audit
            else None
        )
    current = history.current()
    for found in history.resolved:
        facts = {"incumbent": found.incumbent, "newcomer": found.newcomer}
        rows = [row for row in audit if _of(row, found)]
        if len(rows) != 1:
            return _not_one(rows, audit, history, found)
        row = rows[0]
        expected = expected_audit(found, history.rules.carrier)
        other = audit_difference(row, expected)
        if other:
            return Fault("A1.pair", other, {**facts, "expected": expected, "audit row": row})
        version = found.incumbent.fact_id, found.incumbent.system_time_start
        closed = any((r.fact_id, r.system_time_start) == version and r.system_time_end == _at(found) for r in current)
        stamped = any(_is(r, found.winner) and r.system_time_start == _at(found) for r in current)
        if _replaces(found, history) and not (closed and stamped):
            states = f"the incumbent is {'' if closed else 'not '}closed, the winner {'' if stamped else 'not '}stamped"
            at = instant_text(_at(found))
            what = f"beside the audit row {states}; expected the incumbent closed and the winner stamped at {at}"
            return Fault("A1.pair", what, {**facts, "audit row": row})
        # Something else may have closed it at this very time, and put another row in its place.
        others = (other.winner for other in history.resolved if other.incumbent == found.incumbent)
        heirs = [found.incumbent, *others]
        inherited = any(_is(r, heir) and r.system_time_start == _at(found) for heir in heirs for r in current)
        if closed and not _replaces(found, history) and not inherited:
            what = "beside the audit row the incumbent, who won, is closed; expected it open"
            return Fault("A1.pair", what, {**facts, "audit row": row})
    extra = _strays(audit, history)
    if not extra:
        return None
    what = f"an audit row {extra[0].fact_id!r} of no resolution; expected one a resolution, with the id {AUDIT_ID}"
    return Fault("A1.pair", what, {"audit row": extra[0]})


def _strays(audit: list[Fact[Any]], history: History) -> list[Fact[Any]]:
    return [row for row in audit if not any(_of(row, found) for found in history.resolved)]


def _not_one(rows: list[Fact[Any]], audit: list[Fact[Any]], history: History, found: Resolved) -> Fault:
    """What is said where a resolution has no audit row that is known by its id, or several."""
    facts = {"incumbent": found.incumbent, "newcomer": found.newcomer}
    wanted = f"{audit_id(found.loser.fact_id, _at(found))!r}, that is {AUDIT_ID}"
    if rows:
        ids = ", ".join(repr(row.fact_id) for row in rows)
        return Fault("A1.pair", f"{len(rows)} audit rows of one resolution ({ids}); expected {wanted}", facts)
    strays = [row for row in _strays(audit, history) if row.partition == found.loser.partition]
    if strays:
        what = f"the audit row of a resolution has the id {strays[0].fact_id!r}; expected {wanted}"
        if audit_id(found.loser.fact_id, _at(found)) == strays[0].fact_id:
            what = f"the audit row of a resolution is known from {instant_text(strays[0].system_time_start)} on"
            what += f"; expected the time of the resolution, {instant_text(_at(found))}"
        return Fault("A1.pair", what, {**facts, "audit row": strays[0]})
    what = (
        "a resolution is committed without its audit row; expected one in the same transaction, with row_kind 'audit'"
    )
    return Fault("A1.pair", f"{what} and the id {wanted}", facts)


def _replaces(found: Resolved, history: History) -> bool:
    """Whether the incumbent is closed and a stamped winner inserted."""
    return found.won or history.rules.incumbents == "stamped"


def _at(found: Resolved) -> Any:
    return found.newcomer.system_time_start


def _is(row: Fact[Any], fact: Fact[Any]) -> bool:
    return (row.fact_id, row.object, row.partition) == (fact.fact_id, fact.object, fact.partition)


def _of(row: Fact[Any], found: Resolved) -> bool:
    """Whether an audit row is that of a resolution: its loser, partition and time (C.3: audit::loser::time)."""
    loser = found.loser
    return (
        row.partition == loser.partition
        and row.system_time_start == _at(found)
        and loser.fact_id in row.fact_id.split("::")
    )


def sound(history: History) -> Fault | None:
    """T2.sound: at the loser's valid time and every later system time an audit row is above loser and winner."""
    if history.rules.mode != "audit_row":
        return None
    leq = history.rules.carrier.leq
    latest = max((_at(found) for found in history.resolved), default=None)

    @cache
    def audit(partition: tuple[str, str], valid: Any, system: Any) -> list[Fact[Any]]:
        found: list[Fact[Any]] = history.store.asof(
            valid, system, "audit", subject=partition[0], predicate=partition[1]
        )
        return found

    for found in history.resolved:
        for system in {_at(found), latest}:
            rows = audit(found.loser.partition, found.loser.valid_from, system)
            for name, fact in (("loser", found.loser), ("winner", found.winner)):
                if not any(leq(fact.provenance, row.provenance) for row in rows):
                    facts = {"loser": found.loser, "winner": found.winner}
                    at = f"AS OF (valid {instant_text(found.loser.valid_from)}, known {instant_text(system)})"
                    what = f"no audit row is above the provenance of the {name}; expected one of {len(rows)} {at}"
                    return Fault("T2.sound", what, facts)
    return None


def one_open(history: History) -> Fault | None:
    """A1.one."""
    for first, second in combinations([row for row in history.current() if row.is_open], 2):
        if contradicts(first, second):
            return Fault("A1.one", "two open rows contradict", {"one": first, "other": second})
    return None


def rows(history: History) -> Fault | None:
    """A1.rows."""
    found = history.seen
    keys = [(row.fact_id, row.system_time_start) for row in found]
    twice = next((row for row, key in zip(found, keys, strict=True) if keys.count(key) > 1), None)
    if twice is not None:
        return Fault("A1.rows", "a primary key twice", {"row": twice})
    for row in found:
        try:
            replace(row)
        except ValueError as error:
            return Fault("A1.rows", str(error), {"row": row})
    return None


#: In the order in which they are looked at: what is told is the first that fails.
WRITE_LAWS: Final[dict[str, Law]] = {
    "A1.crash": _noticed("A1.crash"),
    "A1.rows": rows,
    "H1.append": append,
    "H1.before": _noticed("H1.before"),
    "N1.key": one_key,
    "N1.verdict": verdict,
    "A1.refused": _noticed("A1.refused"),
    "A1.one": one_open,
    "T2.sound": sound,
    "A1.pair": pair,
    "A1.model": model,
}


@cache
def _kind(law: str) -> type[LawBroken]:
    """A class for each law: Hypothesis takes failures of one class for one bug, and would slip from law to law."""
    return type("LawBroken", (LawBroken,), {"__module__": LawBroken.__module__, "__doc__": LawBroken.__doc__})


def broken(law: str, fault: Fault, history: History, actions: Sequence[Action], strategies: Sequence[str]) -> LawBroken:
    """The failure of a law after some steps, with its facts, the steps and the schedule."""
    schedule = schedule_of(history.account.done)
    lines = [f"  {text}" for text in steps_text(actions, strategies)]
    lines += ["", f"  schedule  {schedule_text(history.account.done)}"]
    if schedule is not None:
        from ..checker import check

        shown = [name for name, finding in check(schedule).findings.items() if finding.present]
        lines += [f"  shows     {', '.join(shown) or 'no phenomenon'}"]
    table = facts_table(fault.facts, history.rules.carrier)
    found = _kind(law)(law, fault.what, "\n\n".join(part for part in (table, "\n".join(lines)) if part))
    found.__cause__ = theirs(fault.cause)
    found.actions = list(actions)  # type: ignore[attr-defined]  # for `minimal`
    return found
