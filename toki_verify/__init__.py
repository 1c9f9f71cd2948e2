"""toki-verify."""
