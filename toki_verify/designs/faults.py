"""What is wrong with a design, said so that its author finds it: class, writer, step, file and line."""

from __future__ import annotations


class DesignError(Exception):
    """A design that cannot be explored.

    `design` and `writer` are names, `step` counts the writer's operations from 1, `file`, `line` and `column` are where
    it stands; what is not known is None.
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
        column: int | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem, self.design, self.writer = problem, design, writer
        self.step, self.file, self.line, self.column = step, file, line, column

    def __reduce__(self) -> tuple[object, ...]:
        """Errors travel between processes (`--jobs`)."""
        return (_again, (self.problem, {name: value for name, value in vars(self).items() if name != "problem"}))

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        who = ".".join(name for name in (self.design, self.writer) if name)
        at = f", step {self.step}" if self.step is not None else ""
        return ": ".join(part for part in (place, f"{who}{at}" if who else "", self.problem) if part)


def _again(problem: str, known: dict[str, object]) -> DesignError:
    return DesignError(problem, **known)  # type: ignore[arg-type]
