"""What was typed as an option, an ini option or an argument: told apart from what was left out, and refused if empty.

An empty value is what an unset variable of a shell leaves behind. Taken for "none" it would switch a gate off without
a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pytest

#: What an option may be, for the message about one that is empty.
_WANTED: Final = {
    "level": "a level such as SI",
    "family": "a family such as graph",
    "no": "a phenomenon such as N1",
    "levels": "a file of levels",
}
#: Characters of a wrong value that a message repeats.
LONGEST: Final = 60


def given(config: pytest.Config, name: str) -> tuple[str | None, bool]:
    """An option, or else the ini option (True). Raises pytest.UsageError where one is there and empty."""
    typed: str | None = config.getoption(f"toki_{name}")
    kept: str | None = config.getini(f"toki_{name}")
    for value, place in ((typed, _option(name)), (kept, _ini(name))):
        if value is not None and not value.strip():
            raise _empty(place, name)
    return (kept, True) if typed is None else (typed, False)


def gathered(config: pytest.Config, name: str) -> list[str]:
    """An option that may be repeated, and the ini option, without repetitions. Raises pytest.UsageError as above."""
    typed: list[str] | None = config.getoption(f"toki_{name}")
    kept: list[str] | None = config.getini(f"toki_{name}")
    for values, place in ((typed, _option(name)), (kept, _ini(name))):
        if values is not None and not (values and all(value.strip() for value in values)):
            raise _empty(place, name)
    return list(dict.fromkeys([*(kept or ()), *(typed or ())]))


def _option(name: str) -> str:
    return f"--toki-{name}"


def _ini(name: str) -> str:
    return f"toki_{name} in the ini file"


def _empty(place: str, name: str) -> pytest.UsageError:
    return pytest.UsageError(f"{place}: an empty value, expected {_WANTED[name]} (leave it out where none is meant)")


def check_name(key: str, value: object) -> None:
    """Raises TypeError for what is no name; None is no name given."""
    if not isinstance(value, str | None):
        raise TypeError(f"{key}: {short(value)}, expected a name in quotes")


def names_of(no: object) -> tuple[str, ...]:
    """Names of phenomena, where one or several are given. Raises TypeError."""
    names = (no,) if isinstance(no, str) else no
    if isinstance(names, Iterable) and not isinstance(names, bytes):
        found = tuple(names)
        wrong = [name for name in found if not isinstance(name, str)]
        if not wrong:
            return found
        no = wrong[0]
    raise TypeError(f"no: {short(no)}, expected the name of a phenomenon in quotes, or several")


def short(value: object) -> str:
    """A wrong value for a message: not the whole of a long one."""
    if value is None:
        return "None"
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST else value[: LONGEST - 1] + "…")
    try:
        shown = repr(value)
    except Exception:  # a value that cannot be printed, also one that is nested too deep, is described by its type
        shown = ""
    return f"the {type(value).__name__} {shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + '…'}".rstrip()
