"""T5.bound*, C4.tight* and L3.fixed again: systems of tables by playing every order of their steps (`vote_machines`),
programs through a log by generating every history (`log_programs`), printed counterexamples by the oracle."""

from __future__ import annotations

from functools import cache

from . import log_programs
from .log_programs import LAYOUTS
from .model import Found, all_of, entry_of, yes
from .oracles import at, shows
from .registry import second
from .vote_machines import Shown, Table, pairs_of, shown, tables

READINGS = (
    "row before the operator's commit",
    "row by the operator's commit",
    "row before the operator's commit, later calls return it",
    "row by the operator's commit, later calls return it",
    "the surface has the hook",
)
#: Corollary 2; Algorithm 1, line 14; no log.
THREE = (
    Table("ask", "read", "read", "before", "adopt"),
    Table("ask", "ask", "ask", "before", "overwrite"),
    Table("ask"),
)


def compliant(table: Table, found: Shown, reading: str) -> bool:
    """Definition 6, of a table whose rows are in judge_log."""
    if reading == READINGS[-1]:
        return table[1:4] == ("read", "read", "before") and not table.nonce
    row = found.late if reading.startswith("row before") else found.missing
    return not (row or found.passed or (found.other and "later" in reading))


def decides_by_one_insert(table: Table) -> bool:
    """The repair: asked once a call, a row no later than the commit, the second fill adopts it or aborts."""
    return table.first != "twice" and (table.place, table.clash) in {
        (place, clash) for place in ("before", "with") for clash in ("adopt", "abort")
    }


@cache
def everyone() -> tuple[tuple[Table, str], ...]:
    """Every table, with its rows in judge_log or elsewhere, or with a nonce in the key where rows say nothing."""
    found: list[tuple[Table, str]] = []
    for table in tables():
        found.append((table, "judge_log"))
        if table.place != "never":
            found.append((table, "elsewhere"))
        if table[1:3] == ("skip", "skip") and table.clash in ("adopt", "keep"):
            found.append((table._replace(nonce=True), "judge_log"))
    return tuple(found)


def asking() -> list[Table]:
    """Those that ask where no row is."""
    return [table for table in tables() if table.first in ("ask", "twice")]


def faults() -> list[Table]:
    """Asking tables at which the repair is false in one direction or the other."""
    return [table for table in asking() if shown(table).n1 == decides_by_one_insert(table)]


@second("T5.bound")
def bound(id: str) -> Found:
    """Who is compliant, and who of the others never shows N1, counted again in every reading."""
    says, refuted = [], 0
    for reading in READINGS:
        others = [
            table
            for table, store in everyone()
            if not compliant(table, shown(table), reading)
            or (store != "judge_log" and (reading == READINGS[-1] or shown(table).judged))
        ]
        silent = [table for table in others if not shown(table).n1]
        refuted += bool(silent)
        says.append(
            f"{reading}: {len(others)} of {len(everyone())} systems are not compliant, {len(silent)} of those never "
            "show N1"
        )
    example = entry_of(id).counterexample
    confirmed = bool(example) and not shows(example, "N1")
    verdict = "holds" if not refuted else "holds-repaired" if confirmed and not faults() else "refuted"
    return Found(verdict, tuple(says))


@second("T5.bound.repaired")
def repaired(id: str) -> Found:
    """One insert a key, against every history of two operators."""
    inserts = sum(map(decides_by_one_insert, asking()))
    says = (f"{inserts} have one insert", f"all {len(asking())} asking systems")
    return Found("refuted" if faults() else "holds", says)


@second("T5.bound.replay")
def replay(id: str) -> Found:
    """Pairs of runs that share a prefix, by playing the rest of one more operator against other answers."""
    found = {table: (pairs_of(table), shown(table).n1) for table in asking()}
    once = [table for table in found if table.first == "ask"]
    free = sum(pair.empty and not n1 for pair, n1 in found.values())
    wrong = [(pair.after, n1) for pair, n1 in found.values() if pair.after != n1]
    faulty = [table for table in found if found[table][0].beside != found[table][1]]
    says = (
        f"{free} of {len(found)} asking systems have a pair and no history with N1",
        f"a pair and no N1: {sum(pair for pair, _ in wrong)}; N1 and no such pair: {sum(n1 for _, n1 in wrong)}",
        f"all but {sum(table in once for table in faulty)} of {len(once)} systems whose calls ask once",
        f"{sum(table not in once for table in faulty)} show N1 within their first call",
    )
    return Found("holds" if not free and not wrong else "refuted", says)


@second("T5.bound.everywhere")
def everywhere(id: str) -> Found:
    """Three systems at each of two keys: what happens at a key depends on the system there alone."""
    pairs = [(one, other) for one in THREE for other in THREE]
    lacking = [pair for pair in pairs if not all(compliant(t, shown(t), READINGS[0]) for t in pair)]
    wrong = [pair for pair in lacking if not all(shown(table).n1 for table in pair)]
    false = [table for pair in lacking for table in pair if shown(table).n1 == decides_by_one_insert(table)]
    says = (
        *(f"N1 at the first: {yes(shown(a).n1)}, at the second: {yes(shown(b).n1)}" for a, b in wrong[:1]),
        f"false at {len(false)} of {2 * len(lacking)} keys, and for {len(faults())} of {len(asking())} asking systems",
        f"{len(lacking)} systems at two keys",
    )
    example = entry_of(id).counterexample
    at_first = " ".join(word for word in example.replace(", theta", ",theta").split() if "(R" in word or word[0] == "c")
    only_second = bool(example) and shows(example, "N1") and not shows(at_first.replace(",theta", ", theta"), "N1")
    return Found("refuted" if wrong and only_second else "holds", says)


def at_sr(reading: str) -> tuple[list[Table], list[Table]]:
    """Tables against either direction of Corollary 4: compliant at SR with N1 there; without N1, and not compliant."""
    found = {table: shown(table, serial_log=True) for table in asking()}
    admitted = [table for table, what in found.items() if compliant(table, what, reading) and what.n1]
    excluded = [t for t, what in found.items() if not shown(t).n1 and not compliant(t, what, reading)]
    return admitted, excluded


@second("C4.tight", "C4.tight.if", "C4.tight.only-if")
def tight(id: str) -> Found:
    """Both directions in every reading, and the printed counterexamples by the oracle."""
    wrong = {reading: at_sr(reading) for reading in READINGS}
    example = entry_of(id).counterexample
    if id == "C4.tight.only-if":
        says = tuple(f"is not compliant; one of {len(excluded)}" for _, excluded in wrong.values())
        confirmed = bool(example) and not shows(example, "N1")
        return Found(all_of(not excluded for _, excluded in wrong.values()) if confirmed else "unconfirmed", says)
    confirmed = bool(example) and at(example, "SR") and at(example, "RC+SR@judge_log") and shows(example, "N1")
    if id == "C4.tight.if":
        says = tuple(f"{reading}: {len(bad)} compliant systems with N1 at SR" for reading, (bad, _) in wrong.items())
        return Found(all_of(not admitted for admitted, _ in wrong.values()) if confirmed else "unconfirmed", says)
    says = tuple(
        f"H1 as '{reading}': ⇐ {yes(not admitted)}, ⇒ {yes(not excluded)}"
        for reading, (admitted, excluded) in wrong.items()
    )
    literally = not any(admitted or excluded for admitted, excluded in wrong.values())
    verdict = "holds" if literally else "refuted" if faults() or not confirmed else "holds-repaired"
    return Found(verdict, says)


#: In the words of the claim.
WORDS = {
    "together": "look and write in one log transaction, committed before the operator",
    "operator": "look and write in the operator's transaction",
    "apart": "look in one log transaction, write in another",
    "append": "write in a log transaction, without a look (Algorithm 1, line 14)",
    "kept": "ask first, look and write in one log transaction, and return one's own vote, whatever the row says",
}


@second("L3.fixed")
def fixed(id: str) -> Found:
    """Every history of the five layouts with at most one abort, its levels by cycles; and serial orders of the log."""
    says, good, agree = [], [], True
    for layout in LAYOUTS:
        made = log_programs.histories(layout, 1)
        bad = [history for history in made if log_programs.n1(history)]
        reached = [log_programs.levels(history) for history in bad]
        counts = [sum(levels[n] for levels in reached) for n in range(3)]
        agree &= bool(counts[2]) == log_programs.serial_splits(layout)
        names = ("RC", "SI", "SR")
        here = ", ".join(f"{name}@judge_log: {count}" for name, count in zip(names, counts, strict=True))
        says.append(f"{WORDS[layout]}: {len(made)} histories; N1 at {here}")
        if counts[2]:
            serial = [history for history, levels in zip(bad, reached, strict=True) if levels[2]]
            says.append(
                f"of the {len(serial)} with N1 at SR@judge_log, a row precedes each operator's commit in "
                f"{sum(map(log_programs.rows_before, serial))}, and later calls return every row before them in "
                f"{sum(map(log_programs.returned, serial))}"
            )
        else:
            good.append(layout)
    example = entry_of(id).counterexample
    confirmed = agree and bool(example) and at(example, "RC+SR@judge_log") and shows(example, "N1")
    bare = shows("j1(R, theta)=0 j1(R, theta)=1 c1", "N1")
    verdict = "holds" if len(good) == len(LAYOUTS) and not bare else "depends" if good else "refuted"
    return Found(verdict if confirmed else "unconfirmed", tuple(says))
