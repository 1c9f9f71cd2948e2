"""Two Hypothesis profiles: `toki-ci`, the same few examples in every run, and `toki-nightly`, many and always others.

Hypothesis registers them when it is imported (entry point `hypothesis`): `pytest --hypothesis-profile=toki-ci`, or
`settings.load_profile("toki-ci")`, or give a suite `settings=`; without either a suite runs with the profile that is
current when its tests run.
"""

from __future__ import annotations

from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings

_COMMON: Final[dict[str, Any]] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
#: Their settings by name.
PROFILES: Final[dict[str, dict[str, Any]]] = {
    "toki-ci": {**_COMMON, "max_examples": 50, "derandomize": True, "database": None},
    "toki-nightly": {**_COMMON, "max_examples": 5_000},
}


def register() -> None:
    """Register the profiles; called by Hypothesis, and on the first use of `toki_verify.testing`."""
    for name, values in PROFILES.items():
        settings.register_profile(name, **values)


register()


def adapted(chosen: settings | None) -> settings:
    """The settings with which laws run: those chosen or the current profile, without a deadline (stores do input and
    output), and reporting one counterexample."""
    found = chosen or settings()
    silenced = {*found.suppress_health_check, HealthCheck.too_slow, HealthCheck.data_too_large}
    return settings(
        found,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(silenced),
        # The counterexample explains itself; which lines of Hypothesis ran for it does not.
        phases=[phase for phase in found.phases if phase is not Phase.explain],
    )
