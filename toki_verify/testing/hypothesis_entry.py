"""Two Hypothesis profiles: `toki-ci`, the same few examples in every run, and `toki-nightly`, many and always others.

Hypothesis registers them when it is imported (entry point `hypothesis`): `pytest --hypothesis-profile=toki-ci`, or
`settings.load_profile("toki-ci")`, or give a suite `settings=`; without either a suite runs with the profile that is
current when its tests run. This module imports Hypothesis only when it is called: Hypothesis itself is being imported
then, perhaps by `profiles.py`.
"""

from __future__ import annotations

from typing import Any, Final

#: Their settings by name, beside no deadline and no complaint about slow data.
PROFILES: Final[dict[str, dict[str, Any]]] = {
    "toki-ci": {"max_examples": 50, "derandomize": True, "database": None},
    "toki-nightly": {"max_examples": 5_000},
}


def register() -> None:
    """Register the profiles; called by Hypothesis, and on the first use of `toki_verify.testing`."""
    from hypothesis import HealthCheck, settings

    for name, values in PROFILES.items():
        settings.register_profile(name, deadline=None, suppress_health_check=[HealthCheck.too_slow], **values)
