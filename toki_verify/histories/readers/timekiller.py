"""TimeKiller JSON (Chronos and Aion: Li et al. 2025, "input file format"): one array of transactions, or one a line.

A transaction is `{"tid", "sid", "sts", "cts", "ops": [{"t", "k", "v"}]}`: number, session, start and commit timestamp
(an integer, or a hybrid clock `{"p", "l"}`), operations `w`, `r` or `a` (also spelled out, in any case); `v` is null or
missing for a read of the initial version, and a list where lists are read. Every transaction has committed, and those
of a session stand in session order. `begun` and `ended` are the timestamps where all logical parts are 0, and else the
places of the clocks among all clocks of the file.
"""

from __future__ import annotations

from typing import Final

from ..builder import Initial
from ..columns import COMMITTED, History, Model
from .edn import scalar_name
from .faults import Fault, Faults, Text, empty
from .gather import Gather, Shown
from .jepsen import Misfit, Path, kind_of
from .json_source import locate, objects

FORMAT: Final = "timekiller"
EXPECTED: Final = 'transactions {"tid", "sid", "sts", "cts", "ops": [{"t": "w", "k": 1, "v": 2}]}'
_KINDS: Final = {"w": "w", "write": "w", "r": "r", "read": "r", "a": "a", "append": "a"}
_LARGEST: Final = 1 << 63
_Clock = tuple[int, int]


def read(text: Text, faults: Faults, initial: Initial = "auto") -> History | None:
    """The history of a TimeKiller file, or None with faults."""
    reading = _Reading()
    line, counted = 1, 0
    for at, plain in objects(text, faults):
        line += text.text.count("\n", counted, at)
        counted = at
        try:
            reading.transaction(plain, line)
        except Misfit as misfit:
            place = locate(text.text, at, misfit.path)
            faults.add(Fault(place, misfit.what, misfit.expected, misfit.rule))
        if faults.over:
            return None
    if not reading.names and not faults.found:
        faults.add(empty(text, EXPECTED), fatal=True)
    if faults.found:
        return None
    reading.set_times()
    return reading.gather.history(
        format=FORMAT,
        source=text.source,
        model=reading.model or "register",
        initial=initial,
        timed=True,
        warnings=faults.warnings(),
    )


class _Reading:
    """The transactions so far."""

    def __init__(self) -> None:
        self.gather = Gather()
        self.names: dict[str, int] = {}
        self.model: Model | None = None
        self.clocks: list[tuple[_Clock, _Clock]] = []

    def transaction(self, plain: object, line: int) -> None:
        """One more. Raises Misfit, and then takes nothing of it."""
        if not isinstance(plain, dict):
            raise Misfit((), kind_of(plain), "a transaction, an object", "transaction")
        for name in ("tid", "sid", "sts", "cts", "ops"):
            if name not in plain:
                raise Misfit((), f"a transaction without {name!r}", EXPECTED, "transaction")
        name, session = _name(plain, "tid"), _name(plain, "sid")
        if name in self.names:
            expected = f"each number once; it stands in line {self.names[name]}, too"
            raise Misfit(("tid",), f"transaction {name} for the second time", expected, "duplicate-transaction")
        begun, ended = _clock(plain["sts"], "sts"), _clock(plain["cts"], "cts")
        if ended < begun:
            shown = [str(one[0]) if not one[1] else f"{one[0]}.{one[1]}" for one in (ended, begun)]
            raise Misfit(("cts",), f"the commit timestamp {shown[0]}", f"one not before sts, {shown[1]}", "timestamps")
        ops, model = plain["ops"], self.model
        if not isinstance(ops, list):
            raise Misfit(("ops",), kind_of(ops), "an array of operations", "transaction")
        found: list[tuple[str, str, Shown]] = []
        for place, one in enumerate(ops):
            kind, key, shown_ = _operation(one, place)
            own: Model | None = "append" if kind == "a" or isinstance(shown_, tuple) else None
            own = "register" if own is None and shown_ is not None else own
            if own is not None and model not in (None, own):
                what = {"append": "a list", "register": "a register"}
                expected = f"{what[str(model)]}, as in the operations before"
                raise Misfit(("ops", place), what[own], expected, "mixed")
            model = model or own
            found.append((kind, key, shown_))
        self.model = model
        self.names[name] = line
        self.clocks.append((begun, ended))
        self.gather.add(self.gather.transaction(session, COMMITTED, name), found, line)

    def set_times(self) -> None:
        """The timestamps as integers."""
        number: dict[_Clock, int] | None = None
        if any(one[1] for both in self.clocks for one in both):
            every = sorted({one for both in self.clocks for one in both})
            number = {clock: place for place, clock in enumerate(every)}
        for place, (begun, ended) in enumerate(self.clocks):
            self.gather.begun[place] = begun[0] if number is None else number[begun]
            self.gather.ended[place] = ended[0] if number is None else number[ended]


def _name(plain: dict[str, object], field: str) -> str:
    name = scalar_name(plain[field])
    if name is None:
        raise Misfit((field,), f"{kind_of(plain[field])} as {field!r}", "an integer or a string", "transaction")
    return name


def _clock(value: object, field: str) -> _Clock:
    parts = (value.get("p"), value.get("l", 0)) if isinstance(value, dict) else (value, 0)
    physical, logical = parts
    if type(physical) is not int or type(logical) is not int:
        path: Path = (field,)
        if isinstance(value, dict) and "p" in value:
            path, value = ((field, "l"), logical) if type(physical) is int else ((field, "p"), physical)
        expected = "an integer" if len(path) > 1 else 'an integer, or {"p": integer, "l": integer}'
        raise Misfit(path, f"{kind_of(value)} as a timestamp", expected, "timestamps")
    if not (0 <= physical < _LARGEST and 0 <= logical < _LARGEST):
        raise Misfit((field,), "a timestamp out of range", "an integer from 0, below 2^63", "timestamps")
    return physical, logical


def _operation(one: object, place: int) -> tuple[str, str, Shown]:
    """Kind, key and what was written or shown. Raises Misfit."""
    path = ("ops", place)
    if not isinstance(one, dict):
        raise Misfit(path, kind_of(one), 'an operation such as {"t": "w", "k": 1, "v": 2}', "operation")
    kind = _KINDS.get(str(one.get("t")).lower())
    if kind is None:
        what = f"the operation {str(one['t'])[:40]!r}" if "t" in one else "an operation without 't'"
        raise Misfit((*path, "t"), what, '"w", "r" or "a"', "operation")
    key = scalar_name(one.get("k"))
    if key is None:
        raise Misfit((*path, "k"), f"{kind_of(one.get('k'))} as a key", "an integer or a string", "operation")
    value = one.get("v")
    if kind == "r" and value is None:
        return kind, key, None
    elements = value if kind == "r" and isinstance(value, list) else [value]
    names = tuple(scalar_name(element) for element in elements)
    if None in names:
        odd = elements[names.index(None)]
        raise Misfit((*path, "v"), f"{kind_of(odd)} as a value", "an integer or a string", "operation")
    shown = tuple(str(name) for name in names)
    return kind, key, shown if elements is value else shown[0]
