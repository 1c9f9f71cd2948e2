"""Hypothesis profiles, chosen by TOKI_HYPOTHESIS_PROFILE: `ci` (the default) and `nightly`; heavy cases are marked."""

from __future__ import annotations

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from .heavy_cases import is_heavy

#: Hardly anything here is garbage in cycles: looking for it at every 700 objects takes four per cent of the time.
gc.set_threshold(50_000, 20, 20)

# A run that a script begins in the background (`make test &`) is deaf to Ctrl-C, and so would be all it starts: the
# tests that press it would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=100, **_COMMON)
settings.register_profile("nightly", max_examples=2_000, **_COMMON)
settings.load_profile(os.environ.get("TOKI_HYPOTHESIS_PROFILE", "ci"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases that are left to `make test-all`, before `-m` looks at marks."""
    for item in items:
        if is_heavy(item.nodeid):
            item.add_marker(pytest.mark.heavy)
