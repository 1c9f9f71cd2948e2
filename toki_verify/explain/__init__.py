"""Explanations: what makes a verdict true, as data first and words second."""

from .evidence import Edge, Evidence

__all__ = ["Edge", "Evidence"]
