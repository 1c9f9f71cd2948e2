"""Reviews of designs as JSON (NOTATION: the object of `designs`)."""

from __future__ import annotations

from typing import Any

from ..designs.repairs import Cost, Repair, Repairs
from ..designs.review import CellResult, Review
from ..designs.words import Teller
from ..jsonform import schedule_object
from ..notation.printer import print_events

FORMAT = "toki-designs/1"
Json = dict[str, Any]


def design_object(review: Review, repairs: Repairs | None = None, seed: dict[str, str] | None = None) -> Json:
    """One design: its cells, what was explored, its repairs. `seed` is what the paper's Table 4 says, by cell."""
    teller = Teller()
    out: Json = {
        "format": FORMAT,
        "design": review.described.name,
        "file": review.described.file,
        "bound": review.said,
        "explored": [
            {
                "writers": entry.bound.writers,
                "crashes": entry.bound.crashes,
                "runs": entry.runs,
                "steps": entry.steps,
            }
            for entry in review.explored
        ],
        "cells": {
            name: _cell(review, result, teller, (seed or {}).get(name)) for name, result in review.results.items()
        },
    }
    if review.stopped:
        out["stopped"] = review.stopped
    if repairs is not None:
        out["cost"] = _cost(repairs.base)
        out["repairs"] = [
            {"cell": name, "repairs": [_repair(repair) for repair in found]} for name, found in repairs.by_cell.items()
        ]
        out["repairs_open"] = list(repairs.open)
    return out


def _cell(review: Review, result: CellResult, teller: Teller, seed: str | None) -> Json:
    out: Json = {"verdict": result.verdict, "title": result.cell.title}
    if result.found is not None:
        told = teller.tell(result)
        out["bound"] = str(result.found.bound)
        out["workload"] = list(result.found.workload)
        out["schedule"] = schedule_object(result.found.straight.schedule)
        out["evidence"] = {"events": list(told.events), "text": told.text + told.what}
        out["serial"] = result.serial
        core = teller.core(result)
        if core is not None:
            out["core"] = print_events(core).replace("\n", " ")
    elif result.verdict == "excludes":
        out["bound"] = review.said
        out["vacuous"] = result.vacuous
    if seed is not None:
        out["seed"] = seed
    if result.reason:
        out["note"] = result.reason
    return out


def _cost(cost: Cost) -> Json:
    return {"runs": cost.runs, "aborting": cost.aborting, "waiting": cost.waiting, "steps": round(cost.steps, 3)}


def _repair(repair: Repair) -> Json:
    return {
        "disciplines": [one.id for one in repair.disciplines],
        "words": repair.words,
        "excludes": list(repair.excludes),
        "introduces": list(repair.introduces),
        "cost": _cost(repair.cost),
    }
