"""What Hypothesis loads when it is imported (entry point `hypothesis`): `st.from_type(Schedule)` makes schedules.

Every program with this package installed runs this at `import hypothesis`, so it imports nothing but the class it
registers for, and the strategies when the first schedule is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ..events import Schedule


def register() -> None:
    """Register the strategy of Schedule; called by Hypothesis."""
    from hypothesis.strategies import register_type_strategy

    from ..events import Schedule

    register_type_strategy(Schedule, _schedules)


def _schedules(_: type[Schedule]) -> SearchStrategy[Schedule]:
    from .strategies import schedules

    # Expectations are what a file says besides: what `check` makes of them is not a property of the schedule.
    return schedules(annotations=False)
