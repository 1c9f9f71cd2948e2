"""The same examples in every run, unless `pytest --hypothesis-profile=toki-nightly` looks for more of them."""

from __future__ import annotations

from hypothesis import settings

import toki_verify.testing.profiles  # noqa: F401 -- registers the two profiles

settings.load_profile("toki-ci")
