"""Tab4.* again: runs are drawn at random, without the reduction, and judged by the brute-force oracle.

A cell is admitted where some drawn run of a configuration shows it; a drawn run that shows what was excluded would be a
disagreement. The verdict of the claim is then put together from the table, transcribed again here.
"""

from __future__ import annotations

from functools import cache
from random import Random

from tests.agreement.oracle import PHENOMENA, Facts
from toki_verify.designs.engine import Engine
from toki_verify.designs.library import design
from toki_verify.designs.machine import Machine
from toki_verify.designs.model import describe
from toki_verify.designs.program import Program
from toki_verify.designs.review import workloads
from toki_verify.designs.runs import Run
from toki_verify.events import Schedule

from .model import Found
from .registry import second

#: Runs that are drawn for every workload.
RUNS = 150
ANOMALIES = ("N1", "N2", "N3")
#: Table 4, a row a system and layer: the letters of Claim and Wire, for N1, N2, N3.
TABLE = {
    "mem0-v2": ("-- -- AA",),
    "mem0-v3": ("AA AA AA", "A- AX AA"),
    "graphiti": ("AA -- AA", "A- -- AA"),
    "letta": ("-- AA AA", "-- A- AA"),
    "zep": ("-- AA AA", "-- AA AA"),
    "mirix": ("AA AA --",),
    "worlddb": ("XX XX XX",),
    "toki": ("XX XX XX",),
}
CONFIGURATIONS = {
    "graphiti": ("graphiti", "graphiti-cache"),
    "letta": ("letta", "letta-serializable", "letta-git"),
    "zep": ("zep", "zep-replicas"),
    "toki": ("toki-keyed", "toki-printed"),
}


def drawn(slug: str) -> list[Schedule]:
    """Runs of two writers and one crash, each step drawn among all that can come next."""
    described = describe(design(slug))
    found = []
    for workload in workloads(described, 2):
        engine = Engine(described)
        programs = tuple(Program(described, writer, me) for me, writer in enumerate(workload, 1))
        start = engine.start(programs, 1)
        for number in range(RUNS):
            random, machine = Random(number), start
            while options := [step for one in machine.writers() for step in engine.options(machine, one)]:
                machine = engine.step(machine, random.choice(options)).machine
            found.append(_schedule(engine, machine))
    return found


def _schedule(engine: Engine, machine: Machine) -> Schedule:
    return Run(engine.described, engine.statements, machine, ()).schedule


@cache
def shown(slug: str) -> frozenset[str]:
    """The anomalies that some drawn run shows."""
    left = list(ANOMALIES)
    for schedule in drawn(slug):
        if not left:
            break
        facts = Facts(schedule)
        left = [name for name in left if PHENOMENA[name](facts) is not True]
    return frozenset(ANOMALIES) - frozenset(left)


def _letters(system: str, anomaly: str) -> set[str]:
    place = ANOMALIES.index(anomaly)
    return {letter for row in TABLE[system] for letter in row.split()[place]} - {"-"}


def _verdict(system: str, anomaly: str) -> str:
    letters = _letters(system, anomaly)
    if not letters:
        return "vacuous"
    agree = [letters == {"A" if anomaly in shown(slug) else "X"} for slug in CONFIGURATIONS.get(system, (system,))]
    return "refuted" if not agree[0] else "holds" if all(agree) else "depends"


@second("Tab4.*")
def _cell(id: str) -> Found:
    _, system, anomaly = id.split(".")
    return Found(_verdict(system, anomaly))


@second("Tab4")
def _whole(id: str) -> Found:
    verdicts = [_verdict(system, anomaly) for system in TABLE for anomaly in ANOMALIES]
    counts = {name: verdicts.count(name) for name in ("holds", "depends", "refuted", "vacuous")}
    says = (
        f"of {len(verdicts)} cells (system, anomaly) {counts['holds']} agree with the table, {counts['depends']} agree "
        f"in the configuration that is delivered and not in another, {counts['refuted']} disagree, and on "
        f"{counts['vacuous']} the table abstains"
    )
    return Found("refuted" if counts["refuted"] else "holds", (says,))
