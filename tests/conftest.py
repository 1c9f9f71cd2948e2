"""Hypothesis profiles, chosen by TOKI_HYPOTHESIS_PROFILE: `ci` (the default) and `nightly`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=100, **_COMMON)
settings.register_profile("nightly", max_examples=2_000, **_COMMON)
settings.load_profile(os.environ.get("TOKI_HYPOTHESIS_PROFILE", "ci"))
