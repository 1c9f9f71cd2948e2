"""Which row of a log belongs to a judge call or a callback (SEMANTICS §6)."""

from __future__ import annotations

from hashlib import sha256

from ..events import Item, Schedule
from ..events.limits import NAME_LENGTH
from ..events.values import JsonText, json_value
from ..notation.names import name_text
from .pullback import CALLBACK_LOG, JUDGE_LOG


def judge_row(key: tuple[str, JsonText]) -> Item:
    """The row `judge_log:"(R, θ)"` of a key κ = (R, θ). Different keys have different rows.

    R and a θ that is a name are quoted where the notation quotes names, so a comma inside one is not the comma between
    them; a θ that is a decoder tuple is its JSON text. A name that would be too long is a hash of it.
    """
    reads, theta = key
    plain = json_value(theta)
    return Item(JUDGE_LOG, _fitting(f"({name_text(reads)}, {name_text(plain) if isinstance(plain, str) else theta})"))


def row_in(schedule: Schedule, key: tuple[str, JsonText]) -> Item:
    """The row of a key in a schedule that may call it `(R, θ)`, as SEMANTICS §6 does, where the notation says theta."""
    plain = judge_row(key)
    greek = plain._replace(name=plain.name.replace("theta", "θ"))
    items = schedule.resolved.items
    return greek if key[1] == '"theta"' and greek in items and plain not in items else plain


def callback_row(request: str) -> Item:
    """The row `callback_log:h` of a request hash."""
    return Item(CALLBACK_LOG, request)


def _fitting(name: str) -> str:
    return name if len(name) <= NAME_LENGTH else f"sha256-{sha256(name.encode()).hexdigest()}"
