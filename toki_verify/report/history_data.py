"""A checked history as JSON (NOTATION: the object of `check`, with `levels.session`)."""

from __future__ import annotations

from typing import Any

from ..histories.checked import Checked, Refuted
from ..histories.orders import origin
from ..histories.orders_evidence import times_of
from ..jsonform import schedule_object
from ..notation.printer import print_events

FORMAT = "toki-history/1"
Json = dict[str, Any]


def history_object(checked: Checked, *, evidence: bool = False, timestamps: bool = False) -> Json:
    """One history: its levels, why they are open or refuted, its findings. With `evidence` a level is an object, which
    has the order of the commits that shows it; with `timestamps`, too, SI has a start and a commit number of each."""
    history = checked.history
    out: Json = {
        "format": FORMAT,
        "file": history.source,
        "history": {
            "format": history.format,
            "model": history.model,
            "transactions": len(history.session),
            "sessions": checked.sessions,
            "operations": history.size,
            "keys": len(history.keys),
            "version_order": origin(history),
        },
        "levels": {
            "session": {
                name: _level(checked, name, timestamps) if evidence else holds for name, holds in checked.levels.items()
            }
        },
        "findings": [
            {
                "kind": finding.kind,
                "count": finding.count,
                "refutes": finding.refutes,
                "text": finding.text,
                "lines": [int(history.line[place[0]]) for place in finding.places],
            }
            for finding in checked.findings
        ],
        "refuted": {refuted.level: _refuted(checked, refuted) for refuted in checked.refuted},
        "ok": checked.ok,
    }
    if checked.verdict.realtime:
        out["real_time"] = True
    if checked.reasons:
        out["reasons"] = {f"session.{name}": reason for name, reason in checked.reasons.items()}
    if history.warnings:
        out["warnings"] = list(history.warnings)
    if checked.interrupted:
        out["interrupted"] = True
    if checked.declared:
        out["declared"] = f"session:{checked.declared}"
    return out


def _level(checked: Checked, name: str, timestamps: bool) -> Json:
    order = checked.verdict.order(name)
    if order is None:
        return {"holds": checked.levels[name]}
    names = [checked.history.transactions[txn] for txn in order]
    out: Json = {"holds": checked.levels[name], "serial_order" if name == "SER" else "commit_order": names}
    if timestamps and name == "SI":
        begun, ended = times_of(checked.history, order, realtime=checked.verdict.realtime)
        out["timestamps"] = {named: [int(begun[txn]), int(ended[txn])] for named, txn in zip(names, order, strict=True)}
    return out


def _refuted(checked: Checked, refuted: Refuted) -> Json:
    out: Json = {
        "text": refuted.text,
        "transactions": [checked.history.transactions[txn] for txn in refuted.transactions],
        "lines": list(refuted.lines),
        "also": list(refuted.also),
    }
    if refuted.phenomena:
        out["phenomena"] = list(refuted.phenomena)
    if refuted.schedule is not None:
        out["smallest"] = schedule_object(refuted.schedule)
        out["smallest_text"] = print_events(refuted.schedule).replace("\n", " ")
    return out
