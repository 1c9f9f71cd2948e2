"""What schedules are judged by: the options, the ini options and the marker, checked before anything is judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest

from ..checker import check
from ..events import Schedule, ScheduleError
from ..inputs import decode, read_bytes
from ..levels import DEFAULT_FAMILY, Family, Level, family, parse_spec
from ..levels.user import parse_levels
from ..phenomena.catalogue import UnknownName, nearest, phenomenon
from ..verdict import Verdict
from .collect_values import LONGEST, check_name, gathered, given, names_of, short

_KEYS: Final = ("level", "family", "no")


@dataclass(frozen=True)
class Settings:
    """A declared level (None: none), the family of a bare one, phenomena that must be absent, user-defined levels."""

    level: Level | None = None
    family: str = DEFAULT_FAMILY
    absent: tuple[str, ...] = ()
    user: Family | None = None

    def with_names(self, level: str | None, family: str | None, no: Iterable[str] | str) -> Settings:
        """These, with what is named in place of what was, and more that must be absent.

        Raises UnknownName; TypeError for what is no name at all.
        """
        check_name("level", level)
        check_name("family", family)
        absent = names_of(no)
        try:
            chosen = self.family if family is None else _family(family, self.user)
            declared = self.level if level is None else parse_spec(level, default=chosen, user=self.user)
            for name in absent:
                phenomenon(name)
        except UnknownName as error:
            if len(error.name) > LONGEST:  # the message repeats the name: what was typed may be a whole file
                error.what = error.what.replace(repr(error.name), short(error.name))
                error.args = (f"{error.what}, expected {error.expected}",)
            raise
        return replace(self, level=declared, family=chosen, absent=(*self.absent, *absent))

    @property
    def shown_family(self) -> str:
        """The family that a report speaks of."""
        return self.family if self.level is None else self.level.family

    def judge(self, schedule: Schedule, file: str | None = None, line: int | None = None) -> Verdict:
        """The verdict on a schedule, as `toki-verify check` gives it. Raises UnknownName for names it expects."""
        return check(schedule, level=self.level, absent=self.absent, user=self.user, file=file, line=line)


_CACHE: Final = pytest.StashKey[Settings]()


def settings_of(config: pytest.Config, mark: pytest.Mark | None = None) -> Settings:
    """The settings of a run, or of a test with a marker.

    Raises pytest.UsageError for a name that is wrong in the options; a wrong marker fails its test.
    """
    found = config.stash.get(_CACHE, None)
    if found is None:
        try:
            found = _read(config)
        except (ScheduleError, OSError, ValueError) as error:
            raise pytest.UsageError(_reason(config, error)) from None
        config.stash[_CACHE] = found
    return found if mark is None else _marked(found, mark)


def _read(config: pytest.Config) -> Settings:
    level, family = (given(config, name)[0] for name in ("level", "family"))
    file, of_ini = given(config, "levels")
    base = config.invocation_params.dir if not of_ini else config.inipath.parent if config.inipath else config.rootpath
    user = None if file is None else _user_levels(Path(base, file))
    return Settings(user=user).with_names(level, family, gathered(config, "no"))


def _user_levels(place: Path) -> Family:
    text, problem = decode(read_bytes(str(place)), place.name)
    if problem is not None:
        raise ScheduleError([problem])
    return parse_levels(text, file=place.name)


def _family(name: str, user: Family | None) -> str:
    return "user" if user is not None and name.casefold() == "user" else family(name).id


def _reason(config: pytest.Config, error: Exception) -> str:
    """The message, with the option behind it as far as that is known."""
    if not isinstance(error, ScheduleError | UnknownName):
        name, _ = given(config, "levels")
        shown = short(name)[1:-1]
        return f"--toki-levels: {shown}: {getattr(error, 'strerror', None) or error}"
    return f"toki: {error}"


def _marked(found: Settings, mark: pytest.Mark) -> Settings:
    unknown = [name for name in mark.kwargs if name not in _KEYS]
    if mark.args or unknown:
        what = f"the argument {unknown[0]!r}" if unknown else f"the argument {mark.args[0]!r} without a name"
        near = nearest(unknown[0], list(_KEYS)) if unknown else []
        hint = f" (did you mean {near[0]}?)" if near else ""
        pytest.fail(f"@pytest.mark.toki: {what}, expected {', '.join(_KEYS)}{hint}", pytrace=False)
    try:
        return found.with_names(mark.kwargs.get("level"), mark.kwargs.get("family"), mark.kwargs.get("no", ()))
    except (UnknownName, TypeError) as error:
        reason = str(error)
    pytest.fail(f"@pytest.mark.toki: {reason}", pytrace=False)
