"""What is wrong with a design, said so that its author finds it: class, writer, step, file and line."""

from __future__ import annotations


class DesignError(Exception):
    """A design that cannot be explored.

    `design` and `writer` are names, `step` counts the writer's operations from 1, `file` and `line` are where it
    stands; what is not known is None.
    """

    def __init__(
        self,
        problem: str,
        *,
        design: str | None = None,
        writer: str | None = None,
        step: int | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem, self.design, self.writer = problem, design, writer
        self.step, self.file, self.line = step, file, line

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        who = ".".join(name for name in (self.design, self.writer) if name)
        at = f", step {self.step}" if self.step is not None else ""
        return f"{place}{who}{at}: {self.problem}" if who else f"{place}{self.problem}"
