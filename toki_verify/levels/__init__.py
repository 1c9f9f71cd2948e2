"""Levels: a level is a named formula, a family orders its levels."""

from .lattice import DEFAULT_FAMILY, Family, Level, families, family
from .spec import parse_spec

__all__ = ["DEFAULT_FAMILY", "Family", "Level", "families", "family", "parse_spec"]
