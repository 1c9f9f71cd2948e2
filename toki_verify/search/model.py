"""One frame with a formula and a solver: is there a schedule of this frame that satisfies it, and which one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..events import Schedule
from ..relations.bounded import Bounded
from ..relations.concrete import Concrete
from ..relations.formulas import Formula, Region
from ..relations.symbolic import Symbolic
from .decode import Decoder, decode
from .embed import Embedding, tables_in
from .features import Features, Frame, mentions
from .frames import FrameCircuit
from .naming import Names, contains
from .sat import SOLVERS


class Wrong(AssertionError):
    """A model that the concrete reading does not confirm: a fault of the bounded reading, never a result."""


class FrameModel:
    """The schedules of one frame that satisfy a formula.

    `literal` arguments are those of `self.frame.circuit`. `solve` gives True, False, or None when the solver gave up.
    With solver "none" there are the clauses alone.
    """

    def __init__(
        self,
        frame: Frame,
        items: int,
        features: Features,
        formula: Formula,
        *,
        partial: Schedule | None = None,
        solver: str = "z3",
    ) -> None:
        self.formula = formula
        tables = set() if partial is None else tables_in(partial)
        regions = mentions(formula)[1] | {Region(table=table) for table in tables}
        surface = None if partial is None else partial.surface
        self.frame = FrameCircuit(frame, items, features, regions, surface)
        circuit = self.frame.circuit
        self.embedding = None if partial is None else Embedding(self.frame, partial)
        rules = [*self.frame.rules, *(self.embedding.rules if self.embedding else ())]
        self.root = Symbolic(Bounded(self.frame.unknown)).holds(formula)
        self.possible = self.root != 0
        if not self.possible:
            return
        self.inputs = [2 * node for node, gate in enumerate(circuit.gates) if gate is None and node]
        unknown = self.frame.unknown
        self.kept = [*self.inputs, *unknown.present, self.frame.stated, self.frame.unreal, *self.frame.soft()]
        self.clauses, self.number = circuit.clauses([*rules, self.root], [lit for lit in self.kept if lit > 1])
        if solver != "none":
            self._solver = SOLVERS[solver](self.clauses, len(self.number))
        self._values: list[bool] = []

    def _variable(self, literal: int) -> int:
        variable = self.number[literal >> 1]
        return -variable if literal & 1 else variable

    def solve(self, assumed: Iterable[int] = (), seconds: float | None = None) -> bool | None:
        """Whether a model exists in which the assumed literals hold."""
        if not self.possible:
            return False
        assumptions = []
        for literal in assumed:
            if literal == 0:
                return False
            if literal != 1:
                assumptions.append(self._variable(literal))
        found = self._solver.solve(assumptions, seconds)
        if found:
            number = self.number
            solver = self._solver
            self._values = self.frame.circuit.values(
                lambda node: solver.value(number[node]) if node in number else False
            )
        return found

    def require(self, literal: int) -> None:
        """From here on the literal holds."""
        if literal != 1:
            self._solver.add([] if literal == 0 else [self._variable(literal)])

    def holds(self, literal: int) -> bool:
        """The value of a literal in the last model."""
        if literal >> 1 >= len(self._values):
            self.frame.circuit.evaluate(self._values)
        return self._values[literal >> 1] != bool(literal & 1)

    def schedule(self) -> Schedule:
        """The last model as a schedule, confirmed by the concrete reading. Raises Wrong if it is not."""
        if self.embedding is None:
            found = decode(self.frame, self.holds)
        else:
            decoder = Decoder(self.frame, self.holds)
            decoder.untidied()
            found = Names(self.embedding, decoder, self.holds).schedule()
        if self.embedding is not None and not contains(found, self.embedding.partial):
            raise Wrong(f"the schedule found does not contain the partial one: {found}")
        if not Concrete(found).holds(self.formula):
            raise Wrong(f"the bounded reading found a schedule that the concrete reading refuses: {found}")
        return found

    def block(self) -> None:
        """From here on another model than the last one."""
        self._solver.add([self._variable(lit ^ 1 if self.holds(lit) else lit) for lit in self.inputs])

    def models(self, seconds: float | None = None) -> Iterator[Schedule | None]:
        """Every schedule, each once; None when the solver gave up before it had said that there are no more."""
        while True:
            found = self.solve(seconds=seconds)
            if found is None:
                yield None
            if not found:
                return
            yield self.schedule()
            self.block()

    def prefer(self, wishes: Iterable[int], seconds: float | None = None) -> None:
        """Let each wish come true if it can beside those before it; the last model is the one that is left.

        So the model does not depend on the solver: it is the first one in the order that the wishes define.
        """
        for wish in wishes:
            if wish <= 1 or self.holds(wish):
                self.require(wish or 1)
                continue
            answer = self.solve([wish], seconds)
            if answer is None:
                return
            self.require(wish if answer else wish ^ 1)
            if not answer and not self.solve(seconds=seconds):
                return
