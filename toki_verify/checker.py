"""Schedule -> Verdict: every phenomenon and level, what was expected, and why (SEMANTICS §3, §4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import combinations

from .events import Expectation, Schedule
from .explain.derive import Deriver
from .explain.evidence import Evidence, Support
from .explain.support import support
from .explain.words import Narrator
from .levels.lattice import DEFAULT_FAMILY, Family, Level, families, family
from .levels.spec import parse_spec
from .phenomena.catalogue import Phenomenon, catalogue, phenomenon
from .recording import warnings_of
from .relations.algebra import Identity, Sort, some
from .relations.concrete import Concrete
from .relations.formulas import Formula, assuming, conjuncts, named
from .relations.printing import formula_text
from .verdict import Finding, Judged, LevelFinding, Verdict


def check(
    schedule: Schedule,
    *,
    level: str | Level | Callable[[Schedule], bool | None] | None = None,
    absent: Iterable[str] = (),
    family: str = DEFAULT_FAMILY,
    user: Family | None = None,
    file: str | None = None,
    line: int | None = None,
) -> Verdict:
    """Decide every phenomenon and level of a schedule.

    `level` is a declared level (a specification such as `SI` or `RC+SR@judge_log`, of `family` unless it names one)
    that the schedule is judged against; or a function of the schedule that says whether the level holds (None:
    undecided), which gives no evidence. `absent` are phenomena that must not be there, by id or alias. `user` adds
    user-defined levels. Expectations of the schedule are judged too.
    Raises UnknownName for names that are in no catalogue.
    """
    checker = _Checker(schedule)
    findings = {entry.id: checker.finding(entry) for entry in catalogue().values()}
    groups = [*families().values(), *([user] if user else [])]
    levels = {group.id: {entry.id: checker.level(entry) for entry in group.levels} for group in groups}
    judged = [checker.judge(expectation, findings, levels, user) for expectation in schedule.expect]
    declared = None
    if level is not None:
        if callable(level):
            declared = _by_function(schedule, level)
        else:
            declared = checker.level(parse_spec(level, default=family, user=user) if isinstance(level, str) else level)
        chosen = declared.level
        why = "" if declared.holds else declared.reason or "the schedule is not at this level"
        judged.append(Judged(f"level {chosen.full_id}", declared.holds, why))
    for name in absent:
        found = findings[phenomenon(name).id]
        why = found.reason if found.present is None else "it is present" if found.present else ""
        judged.append(Judged(f"no {found.phenomenon.id}", None if found.present is None else not found.present, why))
    warnings = tuple(warnings_of(schedule, None if declared is None else declared.level))
    return Verdict(schedule, findings, levels, tuple(judged), declared, warnings, file, line)


def _by_function(schedule: Schedule, decide: Callable[[Schedule], bool | None]) -> LevelFinding:
    """A level that a Python function decides. Its formula is none, so the function's word is all there is."""
    holds = decide(schedule)
    name = getattr(decide, "__name__", "function")
    meaning = (decide.__doc__ or "a Python function").strip().split("\n")[0]
    level = Level(name, "user", some(Identity(Sort.A)), meaning, "a Python function")
    return LevelFinding(
        level, None if holds is None else bool(holds), "the function did not decide it" if holds is None else ""
    )


#: Levels of another axis than isolation.
APART = frozenset({"cb"})


class _Checker:
    def __init__(self, schedule: Schedule) -> None:
        self.concrete = Concrete(schedule)
        self.deriver = Deriver(self.concrete)
        self.narrator = Narrator(schedule)

    def finding(self, entry: Phenomenon) -> Finding:
        if self.concrete.holds(entry.formula):
            return Finding(entry, True, make_evidence=partial(self._evidence, entry))
        if self._undecided(entry):
            return Finding(entry, None, entry.reason)
        return Finding(entry, False)

    def _evidence(self, entry: Phenomenon) -> Evidence | None:
        found = self.deriver.witness(entry.formula)
        if found is None:
            return None
        conclusion = entry.conclusion
        if found.name is not None and found.name in catalogue():
            conclusion = catalogue()[found.name].conclusion
        return self.narrator.evidence(found, conclusion, entry.id)

    def level(self, entry: Level) -> LevelFinding:
        reason = self._open(entry.formula)
        if reason:
            return LevelFinding(entry, None, reason)
        if self.concrete.holds(entry.formula):
            return LevelFinding(entry, True, make_support=partial(self._support, entry))
        return LevelFinding(entry, False, make_refutation=partial(self._refutation, entry.formula))

    def _open(self, formula: Formula) -> str:
        """Why a level cannot be decided, or "": it hangs on phenomena that are undecided (an unknown vote)."""
        open_ = [entry for name in named(formula) if (entry := catalogue().get(name)) and self._undecided(entry)]
        if not open_:
            return ""
        holds = self.concrete.holds(formula)
        for count in range(1, len(open_) + 1):
            for entries in combinations(open_, count):
                assumed = formula
                for entry in entries:
                    assumed = assuming(assumed, entry.id)
                if self.concrete.holds(assumed) != holds:
                    return "; ".join(f"{entry.id} is undecided: {entry.reason}" for entry in entries)
        return ""

    def _undecided(self, entry: Phenomenon) -> bool:
        return (
            entry.undecided is not None
            and not self.concrete.holds(entry.formula)
            and self.concrete.holds(entry.undecided)
        )

    def _support(self, entry: Level) -> Support:
        return support(self.concrete, entry)

    def _refutation(self, formula: Formula) -> Evidence | None:
        found = self.deriver.refutation(formula)
        if found is None:
            return None
        name = found.name if found.name in catalogue() else None
        if name:
            conclusion = catalogue()[name].conclusion
        elif found.first is not None and found.first == found.last:
            conclusion = "no order of the transactions fits these edges"
        else:
            parts = (part for part in conjuncts(formula) if not self.concrete.holds(part))
            asked = next((part for part in parts if self.deriver.refutation(part) == found), formula)
            conclusion = f"the level asks for {formula_text(asked)}, which this is not"
        return self.narrator.evidence(found, conclusion, name)

    def judge(
        self,
        expectation: Expectation,
        findings: Mapping[str, Finding],
        levels: Mapping[str, Mapping[str, LevelFinding]],
        user: Family | None,
    ) -> Judged:
        from .notation.printer import expectation_text

        text = f"expect {expectation_text(expectation)}"
        if expectation.kind == "level":
            met, detail = self._expected_level(expectation, levels, user)
            return Judged(text, met, detail, expectation.line, expectation)
        wanted = expectation.kind == "present"
        wrong, open_ = [], []
        for name in expectation.names:
            finding = findings[phenomenon(name).id]
            if finding.present is None:
                open_.append(f"{finding.phenomenon.id} is undecided: {finding.reason}")
            elif finding.present != wanted:
                wrong.append(f"{finding.phenomenon.id} is {'absent' if wanted else 'present'}")
        return Judged(
            text, False if wrong else None if open_ else True, "; ".join(wrong or open_), expectation.line, expectation
        )

    def _expected_level(
        self, expectation: Expectation, levels: Mapping[str, Mapping[str, LevelFinding]], user: Family | None
    ) -> tuple[bool, str]:
        group = user if user and expectation.family == "user" else family(expectation.family or DEFAULT_FAMILY)
        ids = {entry.id.casefold(): entry.id for entry in group.levels}
        specs = [name for name in expectation.names if name.casefold() not in ids and ("@" in name or "+" in name)]
        names = [group.level(name).id for name in expectation.names if name not in specs and name != "none"]
        # The callback axis is no part of what is strongest on the isolation axis; a pinned level has no strongest.
        fails = [
            name for name in specs if not self.concrete.holds(parse_spec(name, default=group.id, user=user).formula)
        ]
        fails += [name for name in names if name in APART and not levels[group.id][name].holds]
        expected = {name for name in names if name not in APART}
        if fails or (not expected and expectation.names != ("none",)):
            return not fails, "; ".join(f"{name} does not hold" for name in fails)
        holding = [name for name, found in levels[group.id].items() if found.holds and name not in APART]
        variants = {entry.id for entry in group.levels if entry.variant}
        if expected & variants:
            holding = [name for name in holding if name in variants or not group.level(name).below]
        got = group.maximal(holding, variants=bool(expected & variants))
        return set(got) == expected, "" if set(got) == expected else (
            f"the strongest it has is {' '.join(got) or 'none'} (`expect level` names the strongest, not the least)"
        )
