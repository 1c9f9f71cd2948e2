"""The kernel: whether a CPC proof shows that an obligation's assertions have no model.

What has to be trusted is this package and the Python that runs it; no solver, and nothing else of the toolkit. The
kernel reads both texts itself. It accepts a proof only if every assumption is an assertion of the obligation, every
local assumption is closed and given up again, every step follows by a rule it knows from steps that are in scope, and
the last command concludes ``false``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .cpc import Argument, Command, read_proof
from .errors import ProofError, RuleError, TermError
from .rules import RULES
from .rules.step import Step
from .smtlib_input import Obligation, read_obligation
from .terms import BOOL, Term, Terms

HOLES = frozenset({"trust", "hole", "trust_theory_rewrite"})


@dataclass(frozen=True, slots=True)
class Checked:
    """An accepted proof: how many steps, which rules how often, and which of the assertions it assumes (from 0)."""

    steps: int
    rules: Mapping[str, int]
    assertions: frozenset[int]


@dataclass(frozen=True, slots=True)
class Inference:
    """One checked step: its name, rule, premises, arguments and conclusion."""

    name: str
    rule: str
    premises: tuple[Term, ...]
    arguments: tuple[Argument, ...]
    conclusion: Term


def check_proof(
    obligation_text: str, proof_text: str, *, file: str | None = None, obligation_file: str | None = None
) -> Checked:
    """Check a proof of an obligation from the two texts alone.

    ``file`` and ``obligation_file`` name the proof and the obligation in messages. Raises :class:`ProofError`
    with the place if either text cannot be read or any step is not accepted.
    """
    obligation = read_obligation(obligation_text, file=obligation_file or "<obligation>")
    steps = list(replay(obligation, proof_text, file=file))
    assumed = {step.conclusion for step in steps if step.rule == "assume"}
    rules = Counter(step.rule for step in steps if step.rule != "assume")
    places = frozenset(place for place, formula in enumerate(obligation.assertions) if formula in assumed)
    return Checked(sum(rules.values()), dict(sorted(rules.items())), places)


def replay(obligation: Obligation, proof_text: str, *, file: str | None = None) -> Iterator[Inference]:
    """The inferences of a proof, each checked as it comes. Raises as :func:`check_proof` does, some of it at the end.

    An assumption is an inference by the rule ``assume``; a local one does not count.
    """
    terms, asserted = obligation.terms, frozenset(obligation.assertions)
    terms.work.restart()
    proved: dict[str, Term] = {}
    scopes: list[list[str]] = [[]]
    opened: list[Term] = []
    last: Command | None = None
    conclusion: Term | None = None
    for command in read_proof(proof_text, terms, file=file):
        last = command
        if command.name in proved:
            raise _fault(command, f"{command.name} named twice", file)
        if command.kind == "assume-push":
            assert command.formula is not None
            if command.formula.free:
                raise _fault(command, "a local assumption with a free variable, expected a closed formula", file)
            opened.append(command.formula)
            scopes.append([command.name])
            proved[command.name] = command.formula
            continue
        premises = _premises(command, proved, file)
        if command.kind == "assume":
            conclusion = _assumed(command, asserted, opened, file)
        elif command.kind == "step-pop":
            conclusion = _leave_scope(command, terms, opened, premises, file)
            for name in scopes.pop():
                del proved[name]
        else:
            conclusion = _apply(command, Step(terms, premises, command.arguments), file)
        if command.formula is not None and command.formula is not conclusion:
            problem = f"{command.name} states {command.formula}, expected {conclusion} by {command.rule}"
            raise _fault(command, problem, file)
        scopes[-1].append(command.name)
        proved[command.name] = conclusion
        inference = Inference(command.name, command.rule, premises, command.arguments, conclusion)
        yield inference
    if last is None:
        raise ProofError("a proof without commands, expected one that concludes false", file=file)
    if opened:
        raise _fault(last, f"the end of the proof with {len(opened)} local assumption(s) open, expected step-pop", file)
    if last.kind == "assume-push" or conclusion is not terms.false:
        raise _fault(last, f"the proof ends with {conclusion}, expected false", file)


def _fault(command: Command, problem: str, file: str | None) -> ProofError:
    return ProofError(problem, file=file, line=command.line, column=command.column)


def _premises(command: Command, proved: Mapping[str, Term], file: str | None) -> tuple[Term, ...]:
    for name in command.premises:
        if name not in proved:
            raise _fault(command, f"{command.name} uses {name}, expected an earlier step in scope", file)
    return tuple(proved[name] for name in command.premises)


def _assumed(command: Command, asserted: frozenset[Term], opened: list[Term], file: str | None) -> Term:
    assert command.formula is not None
    if opened:
        raise _fault(command, "assume under a local assumption, expected assume-push or a step", file)
    if command.formula not in asserted:
        raise _fault(command, f"{command.name} assumes what the obligation does not assert", file)
    return command.formula


def _size(step: Step) -> int:
    """The units for looking once at the premises and arguments of a step, one level deep."""
    items = (*step.premises, *step.arguments)
    terms = sum(1 + len(item.arguments) + len(item.bound) for item in items if isinstance(item, Term))
    return terms + sum(1 + len(item) for item in step.arguments if isinstance(item, tuple))


def _apply(command: Command, step: Step, file: str | None) -> Term:
    rule = RULES.get(command.rule)
    if rule is None:
        kind = "a hole" if command.rule in HOLES else "not a rule of this checker"
        raise _fault(command, f"{command.name}: {command.rule} is {kind}", file)
    try:
        step.terms.work.spend(_size(step))
        conclusion = rule(step)
        if conclusion.sort != BOOL:
            raise RuleError(f"the conclusion {conclusion} has sort {conclusion.sort}, expected Bool")
        return conclusion
    except (RuleError, TermError) as error:
        raise _fault(command, f"{command.name} by {command.rule}: {error}", file) from None


def _leave_scope(
    command: Command, terms: Terms, opened: list[Term], premises: tuple[Term, ...], file: str | None
) -> Term:
    """The rule scope: from G under the assumption F, ``(=> F G)`` without it; what was proved under F is given up."""
    if command.rule != "scope" or not opened or len(premises) != 1 or command.arguments:
        raise _fault(command, "step-pop, expected the rule scope with one premise, under a local assumption", file)
    try:
        return terms.core("=>", (opened.pop(), premises[0]))
    except TermError as error:
        raise _fault(command, f"{command.name} by {command.rule}: {error}", file) from None
