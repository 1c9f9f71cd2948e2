"""A second, separately written way to every refutation and every exhaustive row of the claims (see `registry.py`)."""
