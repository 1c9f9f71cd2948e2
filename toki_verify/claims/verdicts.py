"""Whether the verdicts of a manifest follow from the proofs and schedules that were accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..events import Schedule
from ..search.prove import Proof
from .equational import EquationalProof
from .manifest import ClaimEntry, Manifest
from .model import Outcome
from .registry import claims
from .stored import StoredCells, answered, listed, parsed, schedules


def check_claims(
    manifest: Manifest,
    proofs: Mapping[str, Proof],
    least: Mapping[str, Schedule],
    equations: Mapping[str, EquationalProof] | None = None,
) -> Iterator[tuple[str, str]]:
    """For every claim of a manifest its id and what is wrong with it ("": nothing), given what was accepted."""
    known, pool = claims(), schedules(manifest)
    cells = StoredCells(
        found={id: answered(proof, manifest.proofs[id]) for id, proof in proofs.items()},
        least=least,
        seen=pool,
        stored_instances={id: parsed(manifest.proofs[id].instances) for id in proofs},
        equations=equations or {},
    )
    for entry in manifest.claims.values():
        if entry.id not in known:
            yield entry.id, "an id that means nothing in this version"
            continue
        claim = known[entry.id]
        # Of several schedules of one size that refute it, the claim may name any: its own are tried first.
        cells.seen = (*parsed([*listed(entry), *entry.witnesses]), *pool)
        outcome = claim.decide(cells)
        now = {
            "where": claim.where,
            "statement": claim.statement,
            "reading": claim.reading,
            "verdict": outcome.verdict,
            "method": outcome.method,
            "detail": outcome.detail,
            "repair": outcome.repair,
            "bound": outcome.bound,
            "evidence": list(outcome.evidence),
            "equations": [equation.id for equation in outcome.equational],
        }
        wrong = [name for name, value in now.items() if getattr(entry, name) != value]
        lacking = [id for id in outcome.smallest if id not in least]
        if wrong:
            name = wrong[0]
            yield (
                entry.id,
                f"{name} is {str(getattr(entry, name))[:100]!r}; what was checked gives {str(now[name])[:100]!r}",
            )
        elif lacking:
            yield entry.id, f"nothing shows that {lacking[0]} has no smaller schedule"
        elif not _same_schedules(entry, outcome):
            yield entry.id, "its schedules are not those that follow from what was checked"
        else:
            yield entry.id, ""


def _same_schedules(entry: ClaimEntry, outcome: Outcome) -> bool:
    """Whether a claim lists the schedules of its outcome. A map of readings needs one for each admitted cell, and of
    several of one size another may be listed: there each must be a schedule."""
    if outcome.verdict == "depends":
        whole = len(parsed(entry.witnesses)) == len(entry.witnesses)
        return whole and _texts(_one(outcome.counterexample)) == listed(entry)
    return _texts(outcome.witnesses) == entry.witnesses and _texts(_one(outcome.counterexample)) == listed(entry)


def _one(schedule: Schedule | None) -> tuple[Schedule, ...]:
    return () if schedule is None else (schedule,)


def _texts(schedules: tuple[Schedule, ...]) -> list[str]:
    from ..notation.printer import print_schedule

    return [print_schedule(schedule).rstrip() for schedule in schedules]
