"""Systematic damage to whole proofs and obligations is refused, but for the loss of a command that nothing uses."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from toki_verify.proofs import ProofError, check_proof
from toki_verify.proofs.kernel import replay
from toki_verify.proofs.smtlib_input import read_obligation

from .structures import sound
from .test_kernel import STORED, texts


def lines_of(proof: str) -> list[str]:
    """The commands; cvc5 prints one a line, between two lines of parentheses."""
    lines = proof.strip().splitlines()
    assert lines[0] == "(" and lines[-1] == ")"
    return lines[1:-1]


def joined(lines: list[str]) -> str:
    return "\n".join(["(", *lines, ")"])


def refused(obligation: str, proof: str) -> bool:
    try:
        check_proof(obligation, proof, file="mutant.cpc")
    except ProofError as error:
        assert error.line >= 1 and error.column >= 1 and error.problem
        return True
    return False


@pytest.mark.parametrize("name", STORED)
def test_every_inference_is_sound_in_small_structures(name: str) -> None:
    obligation, proof = texts(name)
    read = read_obligation(obligation)
    for step in replay(read, proof):
        assert sound(read.terms, step), step.name


@pytest.mark.parametrize("name", STORED)
def test_dropping_a_command_is_refused_unless_nothing_refers_to_it(name: str) -> None:
    obligation, proof = texts(name)
    lines = lines_of(proof)
    for place, line in list(enumerate(lines))[:: 1 if name == "serial" else 3]:
        kind, label = line[1:].split()[:2]
        mutant = joined(lines[:place] + lines[place + 1 :])
        used = len(re.findall(rf"(?<![^\s()]){re.escape(label)}(?![^\s()])", proof)) > 1
        if kind.startswith("declare"):
            assert not refused(obligation, mutant)  # the obligation declares the symbol
        elif kind in ("assume-push", "step-pop") or used or place == len(lines) - 1:
            assert refused(obligation, mutant), line
        else:
            assert not refused(obligation, mutant), line


@pytest.mark.parametrize("name", STORED)
def test_deleting_or_changing_an_assertion_is_refused(name: str) -> None:
    obligation, proof = texts(name)
    starts = [match.start() for match in re.finditer(r"^\(assert", obligation, re.MULTILINE)]
    for start in starts:
        end = obligation.index("\n", start)
        assertion = obligation[start:end]
        assert refused(obligation[:start] + obligation[end:], proof)
        assert refused(obligation.replace(assertion, f"(assert (not {assertion[8:-1]}))"), proof)
        for old, new in [("and", "or"), ("=>", "="), ("forall", "exists"), ("exists", "forall"), ("(not ", "(and ")]:
            if old in assertion:
                assert refused(obligation.replace(assertion, assertion.replace(old, new, 1)), proof)


@pytest.mark.parametrize("name", STORED)
def test_truncated_texts_are_refused(name: str) -> None:
    obligation, proof = texts(name)
    for length in range(0, len(proof.rstrip()), 101):
        assert refused(obligation, proof[:length])
    for length in range(0, len(obligation.rstrip()), 11):
        assert refused(obligation[:length], proof)


def mutants(lines: list[str]) -> Iterator[tuple[str, str]]:
    """(what was done, the mutant): one change at a time to premises, arguments, conclusions, rules and definitions."""
    steps = [line[1:].split()[1] for line in lines if line.startswith(("(step", "(assume"))]
    rules = sorted(set(re.findall(r":rule (\S+?)[ )]", "\n".join(lines))))
    for place, line in enumerate(lines):

        def changed(new: str, place: int = place) -> str:
            return joined([*lines[:place], new, *lines[place + 1 :]])

        if line.startswith("(step"):
            found = re.search(r":premises \(([^)]*)\)", line)
            premises = found[1].split() if found else []
            for one in range(len(premises)):
                swapped = premises[one + 1 :] + premises[: one + 1]
                label = steps[(steps.index(premises[one]) + 1) % len(steps)]
                for what, new in [
                    ("premises rotated", swapped),
                    ("premise dropped", premises[:one] + premises[one + 1 :]),
                    ("premise replaced", [*premises[:one], label, *premises[one + 1 :]]),
                ]:
                    yield what, changed(line.replace(f":premises ({found[1]})", f":premises ({' '.join(new)})"))
            rule = re.search(r":rule (\S+?)([ )])", line)
            assert rule is not None
            for other in (rules[(rules.index(rule[1]) + 1) % len(rules)], "trust", "unknown"):
                yield "rule replaced", changed(line.replace(rule[0], f":rule {other}{rule[2]}"))
            before, args, after = line.partition(":args (")
            for match in re.finditer(r"@t(\d+)|\b\d+\b|true|false", after):
                new = {"true": "false", "false": "true"}.get(match[0])
                new = new or (f"@t{int(match[1]) - 1}" if match[1] else str(int(match[0]) + 1))
                yield "argument replaced", changed(before + args + after[: match.start()] + new + after[match.end() :])
            stated = re.match(r"\(step \S+ (\S.*?) :rule", line)
            if stated:
                yield "conclusion replaced", changed(line.replace(stated[1], f"(not {stated[1]})", 1))
        elif line.startswith("(define"):
            for old, new in [
                ("(not ", "(and "), ("(and ", "(or "), ("(or ", "(and "), ("forall", "exists"), ("rw", "ww"),
                ("lt ", "= "), ("distinct", "="), ("(= ", "(distinct "), ("0)", "1)"), ('"a"', '"b"'),
            ]:  # fmt: skip
                if old in line:
                    yield "definition changed", changed(line.replace(old, new, 1))


@pytest.mark.parametrize("name", STORED)
def test_changed_proofs_are_refused(name: str) -> None:
    obligation, proof = texts(name)
    # All changes of the shortest proof, a sample of the others'.
    stride = 1 if name == "serial" else 7
    changed = [(what, mutant) for what, mutant in mutants(lines_of(proof)) if mutant.strip() != proof.strip()]
    assert len(changed) > 600
    for what, mutant in changed[::stride]:
        assert refused(obligation, mutant), what
