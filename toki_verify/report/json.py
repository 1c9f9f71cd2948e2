"""The JSON of a check (NOTATION, "JSON"): the schedule object with levels, phenomena and expectations."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..explain.evidence import Edge, Evidence, Support
from ..jsonform import schedule_object
from ..notation.names import item_text, predicate_text
from ..verdict import Finding, LevelFinding, Verdict

Json = dict[str, Any]


def edge_object(edge: Edge, verdict: Verdict) -> Json:
    """One edge of a cycle."""
    out: Json = {"from": edge.source, "to": edge.target, "kind": edge.kind}
    if edge.item is not None:
        out["item"] = item_text(edge.item, verdict.schedule.partitions.get(edge.item))
    if edge.predicate is not None:
        out["predicate"] = predicate_text(edge.predicate)
    if edge.events:
        out["events"] = list(edge.events)
    return out


def evidence_object(evidence: Evidence, verdict: Verdict) -> Json:
    """Events, cycle and words."""
    out: Json = {"events": list(evidence.events)}
    if evidence.cycle:
        out["cycle"] = [edge_object(edge, verdict) for edge in evidence.cycle]
    out["text"] = evidence.text
    return out


def finding_object(finding: Finding, verdict: Verdict) -> Json:
    """A phenomenon: present true, false or null."""
    out: Json = {"present": finding.present}
    if finding.present and finding.evidence is not None:
        out["evidence"] = evidence_object(finding.evidence, verdict)
    return out


def support_object(support: Support) -> Json:
    """What shows that a level holds."""
    out: Json = {}
    if support.order:
        out[support.kind] = list(support.order)
    if support.kind == "timestamps":
        out["timestamps"] = {txn: [start, commit] for txn, start, commit in support.timestamps}
    if support.absent:
        out["absent"] = list(support.absent)
    return out


def level_object(finding: LevelFinding, verdict: Verdict) -> Json:
    """A level with its evidence."""
    out: Json = {"holds": finding.holds}
    if finding.support is not None:
        out.update(support_object(finding.support))
    if finding.refutation is not None:
        out["evidence"] = evidence_object(finding.refutation, verdict)
        if finding.refutation.phenomenon:
            out["phenomenon"] = finding.refutation.phenomenon
    return out


def verdict_object(verdict: Verdict, *, evidence: bool = False) -> Json:
    """The whole verdict; with `evidence`, levels are objects that carry theirs."""
    out = schedule_object(verdict.schedule, file=verdict.file, line=verdict.line)
    out["levels"] = {
        family: {name: level_object(found, verdict) if evidence else found.holds for name, found in levels.items()}
        for family, levels in verdict.levels.items()
    }
    out["maximal_levels"] = {family: list(verdict.maximal(family)) for family in verdict.levels if family != "user"}
    out["phenomena"] = {name: finding_object(finding, verdict) for name, finding in verdict.findings.items()}
    reasons = {name: finding.reason for name, finding in verdict.findings.items() if finding.present is None}
    reasons |= {
        f"{family}.{name}": found.reason
        for family, levels in verdict.levels.items()
        for name, found in levels.items()
        if found.holds is None
    }
    if reasons:
        out["reasons"] = reasons
    if verdict.declared is not None:
        out["declared"] = {"level": verdict.declared.level.full_id, **level_object(verdict.declared, verdict)}
    if verdict.judged:
        out["expected"] = {
            "ok": verdict.ok,
            "failed": [
                f"{judged.text}: {judged.detail}" if judged.detail else judged.text for judged in verdict.failed()
            ],
        }
    if verdict.warnings:
        out["warnings"] = list(verdict.warnings)
    return out


def json_report(verdicts: Iterable[Verdict], *, evidence: bool = False) -> str:
    """One array."""
    objects = [verdict_object(verdict, evidence=evidence) for verdict in verdicts]
    return json.dumps(objects, ensure_ascii=False, indent=1) + "\n"


def jsonl_line(verdict: Verdict, *, evidence: bool = False) -> str:
    """One object on one line."""
    return json.dumps(verdict_object(verdict, evidence=evidence), ensure_ascii=False, separators=(",", ":")) + "\n"
