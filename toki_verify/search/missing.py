"""What is said when a solver is not installed."""

from __future__ import annotations


class SolverMissing(ImportError):
    """A solver that an extra brings is not installed; the message names the extra."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not installed: pip install 'toki-verify[solvers]'", name=name)
