"""The settings with which laws run. The profiles themselves are in `hypothesis_entry.py`.

Importing this module registers them, where Hypothesis has not by its entry point.
"""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings

from .hypothesis_entry import PROFILES, register

__all__ = ["PROFILES", "adapted", "register"]

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
