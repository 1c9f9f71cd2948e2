"""The laws of write paths, each a function of a history: what is wrong, or None (TOKI 2026, Algorithm 1, Lemma 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any, Final

from ..algebra.facts import Fact, contradicts
from .failures import LawBroken, facts_table, theirs
from .stores_tested import by_key
from .write_history import Fault, History
from .write_minimal import Action, steps_text
from .write_model import Resolved, names_of
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
    what = f"{len(missing)} rows of Algorithm 1 are missing, {len(extra)} are none of its"
    return Fault("A1.model", what, shown)


def append(history: History) -> Fault | None:
    """H1.append."""
    before, after = history.log, history.entries
    history.log = after
    if after[: len(before)] != before:
        return Fault("H1.append", f"the log was {_log(before)} and is {_log(after)}")
    return None


def _log(entries: list[tuple[Any, str]]) -> str:
    return "[" + ", ".join(f"{'-'.join(key.members)}: {winner}" for key, winner in entries) + "]"


def one_key(history: History) -> Fault | None:
    """N1.key."""
    seen: dict[tuple[frozenset[str], str], Any] = {}
    for key, _ in history.entries:
        other = seen.setdefault((frozenset(key.members), key.theta), key)
        if other != key:
            return Fault("N1.key", f"the log has {other.members} and {key.members}")
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
        logged = [winner for key, winner in verdicts if set(key.members) == set(names)]
        if [elected] != logged[:1] or elected != found.verdict:
            facts = {"incumbent": found.incumbent, "newcomer": found.newcomer}
            return Fault("N1.verdict", f"{elected} was elected, and the log has {logged}", facts)
    return None


def pair(history: History) -> Fault | None:
    """A1.pair."""
    audit = history.audit()
    if history.rules.mode != "audit_row":
        return Fault("A1.pair", "an audit row in a store that keeps none", {"audit": audit[0]}) if audit else None
    current = history.current()
    for found in history.resolved:
        facts = {"incumbent": found.incumbent, "newcomer": found.newcomer}
        rows = [row for row in audit if _of(row, found)]
        if len(rows) != 1:
            return Fault("A1.pair", f"{len(rows)} audit rows of one resolution", facts)
        row = rows[0]
        if (row.provenance, row.resolution_strategy_id) != (found.merged, found.newcomer.resolution_strategy_id):
            return Fault("A1.pair", "the audit row is not (p_w ⊕ p_l, strat, t_s)", {**facts, "audit": row})
        version = found.incumbent.fact_id, found.incumbent.system_time_start
        closed = any((r.fact_id, r.system_time_start) == version and r.system_time_end == _at(found) for r in current)
        stamped = any(_is(r, found.winner) and r.system_time_start == _at(found) for r in current)
        if _replaces(found, history) and not (closed and stamped):
            states = f"incumbent {'closed' if closed else 'not closed'}, winner {'' if stamped else 'not '}stamped"
            return Fault("A1.pair", f"beside the audit row: {states}", {**facts, "audit": row})
        # Something else may have closed it at this very time, and put another row in its place.
        others = (other.winner for other in history.resolved if other.incumbent == found.incumbent)
        heirs = [found.incumbent, *others]
        inherited = any(_is(r, heir) and r.system_time_start == _at(found) for heir in heirs for r in current)
        if closed and not _replaces(found, history) and not inherited:
            return Fault("A1.pair", "beside the audit row: the incumbent won, and is closed", {**facts, "audit": row})
    extra = [row for row in audit if not any(_of(row, found) for found in history.resolved)]
    return Fault("A1.pair", "an audit row of no resolution", {"audit": extra[0]}) if extra else None


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
                    return Fault("T2.sound", f"no audit row is above the provenance of the {name}", facts)
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
