"""Broken pictures of π_J in `bridge_claims`: with each the two ways of some claims no longer agree."""

from __future__ import annotations

import json

from toki_verify.events import Abort, Item

from . import bridge_claims
from .mutants import Mutant, attribute, wrapped

BRIDGE = (
    Mutant(
        "a row that is named by R alone",
        ("L1.keys.rows", "L1.keys"),
        (attribute(bridge_claims, "row_of", lambda key: Item("judge_log", f'({json.dumps(key[0])}, "t")')),),
    ),
    Mutant(
        "R hashed into h",
        ("L1.keys.callbacks", "L1.keys"),
        (attribute(bridge_claims, "callback_row", lambda call: Item("callback_log", f"{call.reads}/{call.request}")),),
    ),
    Mutant(
        "every call is logged",
        ("L1.keys.calls", "L1.keys"),
        (
            wrapped(
                bridge_claims, "image", lambda image: lambda schedule, *, own=False, unlogged=False: image(schedule)
            ),
        ),
    ),
    Mutant(
        "rows of their own in the operator's transaction",
        ("L1.transfer.own",),
        (wrapped(bridge_claims, "image", lambda image: lambda schedule, **ways: image(schedule)),),
    ),
    Mutant(
        "rows of transactions that do not commit",
        ("L1.transfer.own",),
        (attribute(bridge_claims, "Commit", Abort),),
    ),
)
