"""Reports: pure functions of a verdict."""
