"""The catalogue of phenomena: one formula each."""
