"""C2.n1: what a keyed judge log must be like to exclude N1 (TOKI 2026, Corollary 2 and its call-site contract).

The statement is decided for every way to log that SEMANTICS §6 leaves open, by the table of `bridge.log_table`; each
choice that the corollary needs and does not make has the smallest history that refutes it without.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..bridge.disciplines import Discipline, combinations, contradiction, disciplines
from ..bridge.log_levels import CHAIN
from ..bridge.log_table import Table, table
from ..events import Schedule
from .cells import Cells
from .equational import EquationalProof
from .judged import yes
from .log_questions import LOG_QUESTIONS
from .model import Claim, Outcome

_WHERE = "TOKI 2026, Corollary 2"
#: The corollary with every choice made so that it holds.
REPAIRED: Final = Discipline("own", "immutable", "if-absent", "adopt", "across")
OBSERVED: Final = "N1[observed]"
#: The choices that the corollary does not make, each made otherwise.
OTHERWISE: Final = {
    "a losing fill adopts the row's vote": {"loser": "keep"},
    "rows are immutable": {"row": "mutable"},
    "the row is in a transaction of its own": {"place": "operator"},
    "a call whose insert is ignored consults": {"fill": "blind", "loser": "keep"},
    "there is a unique key": {"fill": "check", "loser": "keep"},
}

Tables = Callable[[str], Table]


def _bound(found: Table) -> str:
    return f"{found.bound_text()}: {found.states} histories that a definition can tell apart"


def _line(spec: str, name: str, level: str, schedule: Schedule) -> str:
    return f"{spec} at {level} shows {name}: {schedule}"


def _excluded(guard: str, method: str) -> str:
    return f"excluded from {guard} on ({method})" if method else "excluded at no level"


def _guards(found: Table, specs: list[str]) -> str:
    return "; ".join(f"{spec} excludes N1 from {found.rows[spec].guard()} on" for spec in specs) or "none excludes N1"


def hypotheses(tables: Tables) -> list[tuple[str, str, str, str, Schedule]]:
    """The choices that are needed: in words, the discipline without it, what it shows, at which highest level, how."""
    found = []
    returned = tables("returned")
    for words, choice in OTHERWISE.items():
        spec = str(replace(REPAIRED, **choice))
        for name in ("N1", OBSERVED):
            level = returned.highest(spec, name)
            schedule = returned.witness(spec, name, level) if level else None
            if schedule is not None:
                found.append((words, spec, name, level, schedule))
                if level == CHAIN[-1]:
                    break
    asked = tables("asked")
    words = "a judge event is what a call returns, not what the oracle answers"
    for name in ("N1", OBSERVED):
        level = asked.highest(str(REPAIRED), name)
        schedule = asked.witness(str(REPAIRED), name, level) if level else None
        if schedule is not None:
            found.append((words, str(REPAIRED), name, level, schedule))
            break
    return found


def insert_if_absent(tables: Tables) -> Outcome:
    """Whether a linearizable insert-if-absent excludes N1 whatever else is chosen, and if the rest is chosen well."""
    found = tables("returned")
    specs = found.chosen(fill="if-absent")
    admitting = [spec for spec in specs if found.admits(spec)]
    smallest = found.smallest(admitting)
    aborting = str(replace(REPAIRED, loser="abort"))
    repaired = not any(
        found.admits(spec, name, "RU") for spec in (str(REPAIRED), aborting) for name in ("N1", OBSERVED)
    )
    reason = found.proved(str(REPAIRED))
    lines = [f"{len(specs) - len(admitting)} of {len(specs)} ways to use insert-if-absent exclude N1 at SR"]
    if smallest is not None:
        lines.insert(0, _line(*(smallest[0], "N1", "SR", smallest[1])))
    lines += [
        f"without '{words}': {_line(spec, name, level, schedule)}"
        for words, spec, name, level, schedule in hypotheses(tables)
    ]
    if reason is not None:
        lines.append(
            f"{REPAIRED}: no N1 and no N1[observed] from {reason.level} on, in histories of every size: {reason.words} "
            f"(an inductive invariant, {len(reason.obligations)} obligations, z3 and cvc5)"
        )
    every = tables("asked")
    strict = [spec for spec in every.chosen(place="own", row="immutable", recurs="across") if not every.admits(spec)]
    lines.append(
        f"where every answer of the oracle is a judge event, in transactions of their own: {_guards(every, strict)}"
    )
    if smallest is None:
        return Outcome("holds", "exhaustive", "whatever else is chosen", bound=_bound(found), evidence=tuple(lines))
    verdict = "depends" if repaired else "refuted"
    without = "; ".join(f"'{words}': {name} up to {level}" for words, _, name, level, _ in hypotheses(tables))
    return Outcome(
        verdict,
        "exhaustive",
        f"true, at every level and of uncommitted calls too, by {REPAIRED}, and where the loser aborts: "
        f"{yes(repaired)}. The corollary makes none of the choices in that ('every subsequent invocation reads the "
        f"log' says nothing of a call that asked before the row was there). Without {without}",
        witnesses=tuple(schedule for *_, schedule in hypotheses(tables)),
        counterexample=smallest[1],
        repair="rows immutable, inserted in a transaction of their own by one linearizable insert-if-absent whose "
        "result every call returns: then no level is needed",
        bound=_bound(found),
        evidence=tuple(lines),
        repair_verdict="holds" if repaired else "refuted",
    )


def _comparison(
    found: Table, rows: list[tuple[str, str, str]], said: str, repair: tuple[str, str, list[str]], at_level: str
) -> Outcome:
    """A statement that is true of some disciplines: (spec, expected guard, what that means); `said` are its words. The
    repair: in words, the guard that it claims, and of which disciplines."""
    level, holding = at_level, at_level == CHAIN[-1]
    lines, true, counterexample = [], 0, None
    guards: dict[str, list[str]] = {}
    for spec, guard, meaning in rows:
        row = found.rows[spec]
        met = row.guard() == guard
        true += met
        guards.setdefault(row.guard(), []).append(meaning)
        method = found.how(spec, "N1", row.guard()) if row.guard() != "none" else ""
        lines.append(f"{spec}, {meaning}: {_excluded(row.guard(), method)}")
        at = level if found.admits(spec, "N1", level) == (not holding) else found.highest(spec)
        schedule = found.witness(spec, "N1", at) if at else None
        if schedule is not None:
            lines.append(_line(spec, "N1", at, schedule))
        if not met and counterexample is None:
            counterexample = schedule
    words = f"{said}: true of {true} of the {len(rows)} ways below" + "".join(
        f"; excluded {'at no level' if guard == 'none' else f'from {guard} on'}: {', or '.join(meanings)}"
        for guard, meanings in guards.items()
    )
    verdict = "holds" if true == len(rows) else "depends" if true else "refuted"
    return Outcome(
        verdict,
        "exhaustive",
        words,
        counterexample=counterexample,
        repair=repair[0],
        bound=_bound(found),
        evidence=tuple(lines),
        repair_verdict="holds" if all(found.rows[spec].guard() == repair[1] for spec in repair[2]) else "refuted",
    )


def re_read(tables: Tables) -> Outcome:
    """'SI already excludes the re-read'."""
    rows = [
        ("own/mutable/if-absent/abort/within", "SI", "one transaction reads a row that changes twice"),
        ("own/mutable/if-absent/abort/across", "SI", "two transactions read it, before and after a change"),
        ("own/mutable/if-absent/adopt/within", "SI", "a stale second consultation, whose fill loses and adopts"),
    ]
    said = "SI excludes it, and nothing weaker does"
    kept = [spec.replace("/mutable/", "/immutable/") for spec, *_ in rows]
    repair = ("rows are immutable: then no level is needed", CHAIN[0], kept)
    return _comparison(tables("returned"), rows, said, repair, "SR")


def first_insert(tables: Tables) -> Outcome:
    """'The first materialization is a phantom that SI admits and SR excludes'."""
    rows = [
        ("operator/immutable/check/keep/across", "SR", "rows found by the key, check and insert in one transaction"),
        ("own/immutable/recheck/adopt/across", "SR", "the same in the log's transaction, which looks again"),
        ("operator/replaceable/upsert/keep/across", "SR", "one row of the key, insert or replace"),
        ("own/immutable/check/keep/across", "SR", "check and insert in different transactions"),
        ("own/immutable/unique-log/keep/across", "SR", "a unique key in the log's transaction, its refusal ignored"),
        ("operator/immutable/unique-operator/keep/across", "SR", "a unique key in the operator's, its refusal ignored"),
    ]
    said = "SI admits it and SR does not"
    adopting = [f"own/immutable/recheck/adopt/{recurs}" for recurs in ("within", "across")]
    repair = ("rows found by the key; one transaction looks and inserts, and the call returns its row", "SR", adopting)
    return _comparison(tables("returned"), rows, said, repair, "SI")


#: Why SR on the log excludes N1: all the reasons there are, which is checked.
REASONS: Final[dict[str, Callable[[Discipline], bool]]] = {
    "no row changes, and a losing call returns the row's vote or aborts": (
        lambda way: way.row != "mutable" and way.loser != "keep"
    ),
    "no row changes but by a fill, and the transaction that looks is the one that inserts": (
        lambda way: way.row != "mutable" and way.place == "operator" and way.consults
    ),
    "one operator asks again, and finds the row of its own transaction": (
        lambda way: way.recurs == "within" and way.place == "operator" and (way.consults or way.loser == "adopt")
    ),
    "one operator asks again, and aborts where its second fill loses": (
        lambda way: way.recurs == "within" and way.consults and way.loser == "abort"
    ),
}


def serializable_log(tables: Tables) -> Outcome:
    """'SR on the keyed judge log excludes N1'."""
    found = tables("returned")
    ways = {spec: row.discipline for spec, row in found.rows.items()}
    because = {words: [spec for spec, way in ways.items() if holds(way)] for words, holds in REASONS.items()}
    wrong = [spec for specs in because.values() for spec in specs if found.admits(spec)]
    other = [spec for spec in ways if not found.admits(spec) and not any(spec in specs for specs in because.values())]
    admitting = [spec for spec in found.rows if found.admits(spec)]
    smallest = found.smallest(admitting)
    consulting = [spec for spec in admitting if found.rows[spec].discipline.consults]
    immutable = [spec for spec in consulting if found.rows[spec].discipline.row == "immutable"]
    first = found.smallest(immutable)
    excluding = len(found.rows) - len(admitting)
    lines = [_line(spec, "N1", "SR", schedule) for spec, schedule in filter(None, (first, smallest))]
    lines += [
        f"{excluding} of {len(found.rows)} ways to log exclude N1 at SR; of the {len(admitting)} "
        f"others {len(consulting)} consult the log before every call, {len(immutable)} of these with immutable rows",
        "N1[observed] at SR: excluded by "
        f"{sum(not found.admits(spec, OBSERVED) for spec in found.rows)} of {len(found.rows)}",
        "a pin SR@judge_log is SR here: the protocol touches no other table, and other accesses only add edges",
    ]
    verdict = "holds" if not admitting else "depends" if len(admitting) < len(found.rows) else "refuted"
    return Outcome(
        verdict,
        "exhaustive",
        "SR on the log excludes N1 where "
        + "; or ".join(f"{words} ({len(specs)})" for words, specs in because.items())
        + f". In all of these, and in no others: {yes(not wrong and not other)}",
        counterexample=None if first is None else first[1],
        repair=f"{REPAIRED}, which needs no level",
        bound=_bound(found),
        evidence=tuple(lines),
        repair_verdict="refuted" if found.admits(str(REPAIRED), "N1", CHAIN[0]) else "holds",
    )


def contract(tables: Tables) -> Outcome:
    """'An operator that issues a fresh oracle call without consulting the log falls outside'."""
    found = tables("returned")
    blind = [spec for spec in found.chosen(fill="blind") if not found.admits(spec)]
    ignoring = [spec for spec in found.chosen(fill="ask-if-absent", loser="keep") if not found.admits(spec)]
    adopting = str(replace(REPAIRED, fill="ask-if-absent"))
    needless = not found.admits(adopting, OBSERVED, "RU")
    smallest = found.smallest(found.chosen(fill="blind"))
    lines = [] if smallest is None else [_line(smallest[0], "N1", "SR", smallest[1])]
    lines += [
        f"of {len(found.chosen(fill='blind'))} ways to append blindly, {len(blind)} exclude N1 at SR; of "
        f"{len(found.chosen(fill='ask-if-absent', loser='keep'))} ways to insert if absent and ignore the result, "
        f"{len(ignoring)}",
        f"{adopting}: asks always, returns what the insert finds: N1 excluded at RU: {'yes' if needless else 'no'}",
    ]
    holds = not blind and not ignoring
    return Outcome(
        ("depends" if needless else "holds") if holds else "refuted",
        "exhaustive",
        "an operator that asks without consulting and returns the oracle's answer shows N1 at SR, whatever the rest: "
        f"{yes(holds)}; one that returns what its insert-if-absent finds needs no consultation (it asks in vain, and "
        f"N1 counts what calls return): {yes(needless)}",
        bound=_bound(found),
        evidence=tuple(lines),
    )


def rows(tables: Tables) -> Outcome:
    """A line for every combination."""
    found, asked = tables("returned"), tables("asked")
    lines = []
    for spec, row in found.rows.items():
        texts = []
        for name in ("N1", OBSERVED):
            guard = row.guard(name)
            method = f" ({found.how(spec, name, guard)})" if guard != "none" else ""
            texts.append(f"{name} excluded from {guard} on{method}" if guard != "none" else f"{name} at every level")
        told = asked.rows[spec]
        texts.append(f"counting every answer: N1 {told.guard()}, N1[observed] {told.guard(OBSERVED)}")
        lines.append(f"{spec}: {'; '.join(texts)}")
    contradicting = [combination for combination in combinations() if contradiction(combination)]
    reasons: dict[str, int] = {}
    for combination in contradicting:
        reasons[contradiction(combination)] = reasons.get(contradiction(combination), 0) + 1
    lines += [f"{count} combinations contradict themselves: {reason}" for reason, count in reasons.items()]
    decided = len(lines) - len(reasons)
    missing = len(disciplines()) - decided
    return Outcome(
        "holds" if not missing else "undecided",
        "exhaustive",
        f"{decided} combinations decided, {len(contradicting)} contradict themselves",
        bound=_bound(found),
        evidence=tuple(lines),
    )


PARTS: Final = {
    "C2.n1.insert-if-absent": insert_if_absent,
    "C2.n1.re-read": re_read,
    "C2.n1.first-insert": first_insert,
    "C2.n1.serializable-log": serializable_log,
    "C2.n1.contract": contract,
}


def whole(tables: Tables) -> Outcome:
    """The corollary: it depends where a part does, and is refuted where one is."""
    parts = [(id, decide(tables)) for id, decide in PARTS.items()]
    said = {outcome.verdict for _, outcome in parts}
    order = ("refuted", "undecided", "depends", "holds")
    verdict = next(verdict for verdict in order if verdict in said)
    main = parts[0][1]
    return replace(
        main,
        verdict=verdict,
        detail="; ".join(f"{id.removeprefix('C2.n1.')}: {outcome.verdict}" for id, outcome in parts)
        + ". "
        + main.detail,
        parts=tuple(parts),
        evidence=tuple(line for _, outcome in parts for line in outcome.evidence[:2]) + main.evidence[2:],
    )


def _claim(id: str, statement: str, reading: str, decide: Callable[[Tables], Outcome], where: str = _WHERE) -> Claim:
    def judge(cells: Cells) -> Outcome:
        asked: dict[str, EquationalProof] = {}

        def accepts(name: str) -> bool:
            proofs = {id: cells.equation(id) for id, found in LOG_QUESTIONS.items() if found.argument == name}
            asked.update(proofs)
            return all(proof.proved for proof in proofs.values())

        outcome = decide(lambda reading: replace(table(reading), accepts=accepts))
        return replace(outcome, equational=tuple(asked.values()))

    return Claim(id, where, statement, reading, judge)


_ALL: Final = (
    "every choice that SEMANTICS §6 names, as `place/row/fill/losing fill/recurrence`; a judge event is what a call "
    "returns"
)
CLAIMS: Final = (
    _claim(
        "C2.n1.insert-if-absent",
        "a keyed judge log filled by a linearizable insert-if-absent excludes N1",
        "literally: whatever else is chosen. Loose: 'commit the vote' (whose transaction), 'the row' (may it change), "
        "'subsequent' (what of a call that asked before), a judge event (what a call returns, or every answer)",
        insert_if_absent,
    ),
    _claim(
        "C2.n1.re-read",
        "snapshot isolation excludes the re-read",
        "a re-read: by the same transaction, or by another one",
        re_read,
    ),
    _claim(
        "C2.n1.first-insert",
        "SI admits N1 at the first insert, SR excludes it",
        "the guard of each way to insert first; rows found by the key, or one row of the key",
        first_insert,
    ),
    _claim("C2.n1.serializable-log", "SR on the keyed judge log excludes N1", _ALL, serializable_log),
    _claim(
        "C2.n1.contract",
        "an operator that asks without consulting the log is not protected; consulting is what the defence needs",
        _ALL,
        contract,
        "TOKI 2026, call-site contract for Corollary 2",
    ),
    _claim(
        "C2.n1.table",
        "N1 and N1[observed] of every combination at every level of the chain",
        _ALL,
        rows,
        "SEMANTICS §6",
    ),
    _claim(
        "C2.n1",
        "a keyed judge log with a linearizable insert-if-absent excludes N1; SI alone excludes the re-read and not the "
        "first insert; SR on the log does both",
        "the conjunction of C2.n1.insert-if-absent, .re-read, .first-insert, .serializable-log and .contract",
        whole,
    ),
)
